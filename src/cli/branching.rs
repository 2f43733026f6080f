//! `evouct branching`: the numbers of legal moves and placements at each ply of the games of a run.

use super::form::TableArgs;
use super::{Outcome, output_file, warn, whole};
use crate::carcassonne::{
    Branching, Carcassonne, Expansions, PlyCounts, Sums, Transcript, fixed_polyominoes, free_polyominoes,
    positions_exponent,
};
use crate::domain::Domain;
use crate::error::Failure;
use crate::league::MissingGames;
use crate::plural::counted;
use crate::record::Run;
use crate::report::page::{Mark, PageFigure};
use crate::report::{mean, printed};
use crate::stats::Summary;
use crate::store::RecordError;
use crate::table::{Cell, Table, Width};
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

/// The sizes of Heyden's Table 3.1.
const TABLE_3_1: std::ops::RangeInclusive<u32> = 46..=72;

#[derive(Args)]
pub(super) struct Arguments {
    /// The run folder
    #[arg(value_name = "RUN")]
    folder: PathBuf,
    /// Write the charts and their data to this folder: moves and placements by ply, how often each number of moves, and
    /// in the base game the shapes of many tiles
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    form: TableArgs,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let run = Run::open(&arguments.folder).map_err(Failure::usage)?;
    let experiment = run.experiment().map_err(Failure::usage)?;
    let Some(rules) = experiment.rules.typed::<Carcassonne>() else {
        let found = experiment.rules.domain().name();
        return Err(Failure::Usage(format!("branching counts games of {}, found {found}", <Carcassonne>::NAME)));
    };
    let rules = rules.rules();
    // The bound on positions counts shapes of the tiles of the base game, and the complexity of games its kinds and plies.
    let is_base = rules.tiles.expansions == Expansions::NONE;
    let (mut branching, mut missing) = (Branching::default(), MissingGames::of(&experiment));
    let problems = run.games(|game| -> Result<(), RecordError> {
        let wrong = |problem: String| RecordError::folder(&arguments.folder, format!("game {}: {problem}", game.id));
        let events = Transcript::parse_events(&game.moves, rules.tiles).map_err(|error| wrong(error.to_string()))?;
        missing.see(&game);
        branching.add(rules, events).map_err(|error| wrong(error.to_string()))
    });
    warn(&problems.map_err(Failure::failed)?);
    if branching.plies.is_empty() {
        return Err(Failure::Usage(format!("{}: no game is recorded yet", arguments.folder.display())));
    }
    if let Some(folder) = &arguments.svg {
        output_file::write_figures(folder, charts(&branching, is_base))?;
    }
    let [positions, exponent] =
        [positions_exponent(), branching.complexity_exponent()].map(|exponent| is_base.then_some(exponent));
    let whole = whole::check(&arguments.folder, missing.count());
    let Branching { games, games_with_unplaceable, unplaceable, .. } = branching;
    let Some(format) = arguments.form.of_tables() else {
        let means = |what: fn(&PlyCounts) -> Sums| -> Vec<f64> {
            branching.plies.iter().map(|ply| what(ply).sum as f64 / ply.decisions as f64).collect()
        };
        let json = serde_json::json!({
            "games": games,
            "games_with_unplaceable_tiles": games_with_unplaceable,
            "unplaceable_tiles": unplaceable,
            "mean": branching.mean(),
            "mean_placements": branching.mean_placements(),
            "by_ply": means(|ply| ply.moves),
            "placements_by_ply": means(|ply| ply.placements),
            "frequencies": branching.frequencies,
            "game_tree_complexity_log10": exponent,
            "state_space_complexity_log10": positions,
        });
        writeln!(out, "{json}")?;
        return whole;
    };
    let title = "Legal moves and placements by ply: means, ± 95 % over games";
    let table = Table::of("branching", title, (1..).zip(&branching.plies))
        .shown(Width::Narrow, "ply", "ply", |(number, _)| Cell::Count(*number))
        .shown(Width::Narrow, "decisions", "decisions", |(_, ply)| Cell::Count(ply.decisions))
        .shown(Width::Narrow, "moves", "moves", |(_, ply)| mean(&summary(ply.decisions, ply.moves)))
        .shown(Width::Narrow, "placements", "placements", |(_, ply)| mean(&summary(ply.decisions, ply.placements)));
    write!(out, "{}", printed(table.table(), format))?;
    let ends = branching.frequencies.first_key_value().zip(branching.frequencies.last_key_value());
    if arguments.form.is_text()
        && let Some(((least, _), (highest, _))) = ends
    {
        writeln!(
            out,
            "\n{}: {:.2} moves on average, most often {}, from {least} to {highest}; {:.2} placements on average",
            counted(games, "game"),
            branching.mean(),
            branching.mode(),
            branching.mean_placements()
        )?;
        let tiles = counted(unplaceable, "tile");
        let share = 100.0 * games_with_unplaceable as f64 / games as f64;
        writeln!(
            out,
            "{tiles} that fitted nowhere when drawn, in {games_with_unplaceable} of the games ({share:.1} %)"
        )?;
        if let Some((positions, exponent)) = positions.zip(exponent) {
            writeln!(out, "game-tree complexity 10^{exponent:.1}")?;
            writeln!(out, "state-space complexity at least 10^{positions:.1}: the shapes of up to 72 tiles")?;
        }
    }
    whole
}

/// The numbers of so many decisions at a ply. The unit is the game, which has one there.
fn summary(decisions: u64, Sums { sum, squares }: Sums) -> Summary {
    Summary::of_sums(decisions, sum as i64, squares.into())
}

/// Figures 3.1 and 3.2 of Heyden, and her Table 3.1 where it applies.
fn charts(branching: &Branching, is_base: bool) -> Vec<PageFigure> {
    let (mut marks, mut csv) =
        (Vec::new(), "ply,decisions,moves,moves_low,moves_high,placements,placements_low,placements_high\n".to_owned());
    for (number, ply) in (1..).zip(&branching.plies) {
        csv += &format!("{number},{}", ply.decisions);
        for (sums, highlighted) in [(ply.moves, false), (ply.placements, true)] {
            let numbers = summary(ply.decisions, sums);
            let interval = numbers.interval().ok().map(|interval| (interval.low, interval.high));
            let value = numbers.mean().unwrap_or(f64::NAN);
            marks.push(Mark { at: f64::from(number), value, interval, highlighted });
            let [low, high] =
                interval.map_or_else(Default::default, |(low, high)| [low, high].map(|end| end.to_string()));
            csv += &format!(",{value},{low},{high}");
        }
        csv.push('\n');
    }
    let caption = "Legal moves (blue) and legal placements (orange) at each ply: means over games with 95 % intervals.";
    let by_ply = PageFigure::of_marks(["branching", caption], ["ply", "moves, placements"], &marks, false, csv);
    let frequencies = branching.frequencies.iter();
    let marks: Vec<Mark> = frequencies.clone().map(|(moves, count)| mark(*moves as f64, *count as f64)).collect();
    let rows = frequencies.map(|(moves, count)| format!("{moves},{count}\n"));
    let csv = ["moves,decisions\n".to_owned()].into_iter().chain(rows).collect();
    let caption = "How many decisions have each number of legal moves.";
    let often = PageFigure::of_counts(["frequencies", caption], ["legal moves", "decisions"], &marks, csv);
    let shapes = is_base.then(|| {
        let marks: Vec<Mark> =
            TABLE_3_1.map(|squares| mark(squares.into(), free_polyominoes(squares).log10())).collect();
        let rows = TABLE_3_1
            .map(|squares| format!("{squares},{:e},{:e}\n", free_polyominoes(squares), fixed_polyominoes(squares)));
        let csv = ["squares,free,fixed\n".to_owned()].into_iter().chain(rows).collect();
        let caption = "Shapes of so many tiles (free polyominoes): the decimal logarithm of the estimate.";
        PageFigure::of_marks(["polyominoes", caption], ["tiles", "log10 of shapes"], &marks, false, csv)
    });
    [by_ply, often].into_iter().chain(shapes).collect()
}

fn mark(at: f64, value: f64) -> Mark {
    Mark { at, value, interval: None, highlighted: false }
}
