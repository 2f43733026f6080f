//! `evouct branching`: the number of legal moves at each ply of the games of a run.

use super::form::JsonArgs;
use super::{Outcome, warn, whole};
use crate::carcassonne::{Branching, Carcassonne, Expansions, Transcript, positions_exponent};
use crate::domain::Domain;
use crate::error::Failure;
use crate::league::MissingGames;
use crate::plural::counted;
use crate::record::{RecordError, Run};
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// The run folder
    #[arg(value_name = "RUN")]
    folder: PathBuf,
    #[command(flatten)]
    form: JsonArgs,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let run = Run::open(&arguments.folder).map_err(Failure::usage)?;
    let experiment = run.experiment().map_err(Failure::usage)?;
    let Some(rules) = experiment.rules.typed::<Carcassonne>() else {
        let found = experiment.rules.domain().name();
        return Err(Failure::Usage(format!("branching counts games of {}, found {found}", <Carcassonne>::NAME)));
    };
    let rules = rules.rules();
    // The bound on positions counts the shapes of the tiles of the base game.
    let positions = (rules.tiles.expansions == Expansions::NONE).then(positions_exponent);
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
    let means = branching.means();
    let exponent = branching.complexity_exponent();
    let whole = whole::check(&arguments.folder, missing.count());
    if arguments.form.is_json() {
        let json = serde_json::json!({
            "games": branching.games,
            "games_with_unplaceable_tiles": branching.games_with_unplaceable,
            "unplaceable_tiles": branching.unplaceable,
            "mean": branching.mean(),
            "by_ply": means,
            "frequencies": branching.frequencies,
            "game_tree_complexity_log10": exponent,
            "state_space_complexity_log10": positions,
        });
        writeln!(out, "{json}")?;
        return whole;
    }
    writeln!(out, "ply  decisions  moves (mean)")?;
    for (ply, ((decisions, _), mean)) in branching.plies.iter().zip(&means).enumerate() {
        writeln!(out, "{:>3}  {decisions:>9}  {mean:>12.2}", ply + 1)?;
    }
    let ends = branching.frequencies.first_key_value().zip(branching.frequencies.last_key_value());
    if let Some(((least, _), (highest, _))) = ends {
        writeln!(
            out,
            "\n{}: {:.2} moves on average, most often {}, from {least} to {highest}; game-tree complexity 10^{exponent:.1}",
            counted(branching.games, "game"),
            branching.mean(),
            branching.mode()
        )?;
        let tiles = counted(branching.unplaceable, "tile");
        let Branching { games, games_with_unplaceable, .. } = branching;
        let share = 100.0 * games_with_unplaceable as f64 / games as f64;
        writeln!(
            out,
            "{tiles} that fitted nowhere when drawn, in {games_with_unplaceable} of the games ({share:.1} %)"
        )?;
        if let Some(positions) = positions {
            writeln!(out, "state-space complexity at least 10^{positions:.1}: the shapes of up to 72 tiles")?;
        }
    }
    whole
}
