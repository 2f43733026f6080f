//! `evouct bench`: the speed on this machine.

use super::form::JsonArgs;
use super::play_args::ThreadArgs;
use super::progress::Bar;
use super::{Outcome, stderr};
use crate::bench::{self, Figures};
use crate::carcassonne::PlayoutPolicy;
use crate::error::Failure;
use crate::named::Named;
use crate::plural::counted;
use clap::{Args, ValueEnum};
use evouct_base::grouped::grouped;
use indicatif::HumanDuration;
use std::io::Write;
use std::time::{Duration, Instant};

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

/// Takes a measurement.
type Measure = Box<dyn Fn() -> Figures>;

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
    let mut all: Vec<(What, String, Measure)> = Vec::new();
    let mut add = |what: What, name: &str, figures: Measure| all.push((what, name.to_owned(), figures));
    for (name, policy) in policies {
        add(What::Playouts, &format!("playouts {name}"), Box::new(move || bench::playouts(policy, seconds)));
    }
    add(What::Expansions, "expansions", Box::new(move || bench::expansions(seconds)));
    add(What::State, "state", Box::new(move || bench::state(seconds)));
    add(What::Moves, "moves", Box::new(move || bench::moves(seconds)));
    add(What::Mcts, "mcts", Box::new(move || bench::mcts(seconds)));
    add(What::Rave, "rave", Box::new(move || bench::rave(seconds)));
    add(What::Harness, "harness", Box::new(move || bench::harness(seconds)));
    for kind in ["simple1", "simple2", "simple3", "heuristic"] {
        add(What::Simple, kind, Box::new(move || bench::games(kind, seconds)));
    }
    for policy in RATED_POLICIES {
        let figures = move || bench::rated(&format!(",{policy}"), seconds);
        add(What::Rated, &format!("playouts {policy}"), Box::new(figures));
    }
    for names in NUMBERS {
        let figures = move || bench::numbers(&names.split(' ').collect::<Vec<_>>(), seconds);
        add(What::Numbers, &format!("numbers {names}"), Box::new(figures));
    }
    for (name, player) in GUIDED_PLAYERS {
        add(What::Guided, &format!("guided {name}"), Box::new(move || bench::guided(player, seconds)));
    }
    add(What::Evolve, "evolve", Box::new(move || bench::evolve(seconds)));
    add(What::Siea, "siea", Box::new(move || bench::siea(seconds)));
    add(What::Long, "long", Box::new(move || bench::long(seconds)));
    let threads = arguments.threads.granted(u64::MAX);
    add(What::Trees, "trees", Box::new(move || bench::trees(threads, seconds)));
    add(What::Star, "star2.5", Box::new(move || bench::star(seconds)));
    all.retain(|(what, _, _)| arguments.what.is_none_or(|wanted| wanted == *what));
    let (count, started) = (all.len() as u64, Instant::now());
    stderr::say(&format!(
        "{}, at least {}",
        counted(count, "measurement"),
        HumanDuration(Duration::from_secs_f64(seconds * count as f64))
    ));
    let mut bar = Bar::before("{pos}/{len} measurements, {msg}", (0, count));
    let mut results: Vec<(String, Figures)> = Vec::new();
    for (done, (_, name, measure)) in (0..).zip(all) {
        bar.set(done, || format!("{name}, {} so far", HumanDuration(started.elapsed())));
        let figures = measure();
        if !arguments.form.is_json() {
            for (place, (figure, value)) in figures.iter().enumerate() {
                let name = if place == 0 { name.as_str() } else { "" };
                writeln!(out, "{name:<44} {:>12}  {}", round(*value), figure.replace('_', " "))?;
            }
            out.flush()?;
        }
        results.push((name, figures));
    }
    drop(bar);
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

/// Three decimals for small numbers; none for large ones, in groups of three digits.
fn round(value: f64) -> String {
    if value < 1_000.0 { format!("{value:.3}") } else { grouped(value.round() as u64) }
}
