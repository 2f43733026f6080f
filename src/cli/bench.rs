//! `evouct bench`: the speed on this machine.

use super::form::JsonArgs;
use super::play_args::ThreadArgs;
use super::{Outcome, stderr};
use crate::bench::{self, Figures};
use crate::carcassonne::PlayoutPolicy;
use crate::error::Failure;
use crate::named::Named;
use clap::{Args, ValueEnum};
use std::io::Write;

#[derive(Args)]
pub(super) struct Arguments {
    /// What to measure [default: everything]
    what: Option<What>,
    /// Processor seconds per measurement
    #[arg(long, default_value_t = 3.0, value_name = "S")]
    seconds: f64,
    /// Playout policy, for playouts [default: all]
    #[arg(long)]
    policy: Option<Drawing>,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    form: JsonArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// Complete random games of two players
    Playouts,
    /// Complete random games with all expansions, beside the base game
    Expansions,
    /// Size and copying of a position
    State,
    /// Lists of legal moves
    Moves,
    /// Whole games with 2,000 iterations per decision on both seats
    Mcts,
    /// The same with RAVE
    Rave,
    /// What a league adds to a random game: playing it between players, and its record
    Harness,
    /// Whole games of players without search
    Simple,
    /// Playouts with rated moves, beside random ones
    Rated,
    /// Numbers of all moves of a position, beside playouts from there
    Numbers,
    /// MCTS with formulas over the game's move numbers, beside UCT
    Guided,
    /// Measurements of an evolution by games: formulas over move numbers, against bias by hand
    Evolve,
    /// Decisions of SIEA-MCTS at turn 35
    Siea,
    /// One decision with a million iterations, beside one with 2,800
    Long,
    /// One decision with a tree on each thread, beside one tree
    Trees,
    /// Decisions of Star2.5 in fifty positions
    #[value(name = "star2.5")]
    Star,
}

#[derive(Clone, Copy, ValueEnum)]
enum Drawing {
    Joint,
    TwoStage,
    CellFirst,
}

/// Default policies with ratings: Simple Player 3, and formulas over the numbers of a move.
const RATED_POLICIES: [&str; 5] = [
    "rating=s3,epsilon=0.8",
    "rating=s3,epsilon=0.2",
    "rating=s3,default_policy=roulette-1",
    "rating=dv,epsilon=0.8",
    "rating=dv+3*dm-2*fl,epsilon=0.8",
];

/// Numbers of a move that are computed together.
const NUMBERS: [&str; 14] = [
    "dv",
    "dm",
    "dv dm fl",
    "dv dm fl cl op",
    "tm",
    "dv dm fl tm",
    "oe",
    "om",
    "oe om",
    "pc",
    "nx",
    "oe om pc nx",
    "s3",
    "ho",
];

/// Players whose search uses the numbers of a move, by name.
const GUIDED_PLAYERS: [(&str, &str); 3] = [
    ("bias", "mcts:iterations=400,k=1,final=visits,bias=16*(dv+3*dm-2*fl)"),
    ("prior", "mcts:iterations=400,k=1,final=visits,prior=Qbar+8*(dv+3*dm-2*fl)"),
    (
        "formulas",
        "formula:iterations=400,final=visits,formula=Q+2*sqrt(2*ln(N)/n)+16*(dv+3*dm-2*fl)/(n+1),\
         untried=Qbar+2*sqrt(2*ln(N))+16*(dv+3*dm-2*fl)",
    ),
];

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let seconds = arguments.seconds;
    if !(0.01..=3600.0).contains(&seconds) {
        return Err(Failure::Usage(format!("--seconds is a number from 0.01 to 3600, found {seconds}")));
    }
    let policies = match arguments.policy {
        Some(Drawing::Joint) => vec![("joint", PlayoutPolicy::Joint)],
        Some(Drawing::TwoStage) => vec![("two-stage", PlayoutPolicy::TwoStage)],
        Some(Drawing::CellFirst) => vec![("cell-first", PlayoutPolicy::CellFirst)],
        None => PlayoutPolicy::NAMES.to_vec(),
    };
    let mut results: Vec<(String, Figures)> = Vec::new();
    let mut measure = |what: What, name: &str, figures: &dyn Fn() -> Figures| -> Outcome {
        if arguments.what.is_none_or(|wanted| wanted == what) {
            stderr::say(&format!("measures {name} …"));
            let figures = figures();
            if !arguments.form.is_json() {
                let figures: Vec<String> =
                    figures.iter().map(|(key, value)| format!("{key} {}", round(*value))).collect();
                writeln!(out, "{name:<20} {}", figures.join("  "))?;
                out.flush()?;
            }
            results.push((name.to_owned(), figures));
        }
        Ok(())
    };
    for (name, policy) in &policies {
        measure(What::Playouts, &format!("playouts {name}"), &|| bench::playouts(*policy, seconds))?;
    }
    measure(What::Expansions, "expansions", &|| bench::expansions(seconds))?;
    measure(What::State, "state", &|| bench::state(seconds))?;
    measure(What::Moves, "moves", &|| bench::moves(seconds))?;
    measure(What::Mcts, "mcts", &|| bench::mcts(seconds))?;
    measure(What::Rave, "rave", &|| bench::rave(seconds))?;
    measure(What::Harness, "harness", &|| bench::harness(seconds))?;
    for kind in ["simple1", "simple2", "simple3", "heuristic"] {
        measure(What::Simple, kind, &|| bench::games(kind, seconds))?;
    }
    for policy in RATED_POLICIES {
        let figures = || bench::rated(&format!(",{policy}"), seconds);
        measure(What::Rated, &format!("playouts {policy}"), &figures)?;
    }
    for names in NUMBERS {
        let listed: Vec<&str> = names.split(' ').collect();
        measure(What::Numbers, &format!("numbers {names}"), &|| bench::numbers(&listed, seconds))?;
    }
    for (name, player) in GUIDED_PLAYERS {
        measure(What::Guided, &format!("guided {name}"), &|| bench::guided(player, seconds))?;
    }
    measure(What::Evolve, "evolve", &|| bench::evolve(seconds))?;
    measure(What::Siea, "siea", &|| bench::siea(seconds))?;
    measure(What::Long, "long", &|| bench::long(seconds))?;
    measure(What::Trees, "trees", &|| bench::trees(arguments.threads.granted(u64::MAX), seconds))?;
    measure(What::Star, "star2.5", &|| bench::star(seconds))?;
    if arguments.form.is_json() {
        // A single measurement is one object of figures; several are objects by name.
        let json = match &results[..] {
            [(_, figures)] => serde_json::to_string(figures),
            _ => serde_json::to_string(&results.into_iter().collect::<std::collections::BTreeMap<_, _>>()),
        };
        writeln!(out, "{}", json.map_err(Failure::failed)?)?;
    }
    Ok(())
}

/// Three decimals for small numbers, none for large ones.
fn round(value: f64) -> String {
    if value < 1_000.0 { format!("{value:.3}") } else { format!("{value:.0}") }
}
