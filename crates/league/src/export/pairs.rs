//! The results of a run as games of two in PGN, which programs for ratings read: Ordo, BayesElo.

use super::writer::{ExportError, Exported};
use crate::record::{GameRecord, Run};
use evouct_store::disk::{Replacement, create_folder};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

/// The file.
const FILE: &str = "games.pgn";

/// Writes `games.pgn` to a folder: a game for each two seats of a recorded game, with the players' names, the deck as
/// the round and the result, without moves. The player on the lower seat is White. Games that failed
/// or were lost on time are left out.
///
/// # Errors
/// As [`export`](super::export), or if the games have one seat.
pub fn export_pairs(run: &Run, folder: &Path, mut each: impl FnMut(&GameRecord)) -> Result<Exported, ExportError> {
    let experiment = run.experiment()?;
    if experiment.rules.seats() == 1 {
        return Err(ExportError::OneSeat(run.folder().to_owned()));
    }
    let names: HashMap<String, &str> =
        experiment.players.iter().map(|player| (player.identity.short(), player.name.as_str())).collect();
    let path = folder.join(FILE);
    let failed = |error| ExportError::Write { path: path.clone(), error };
    let mut file: Option<Replacement> = None;
    let mut rows = 0;
    let problems = run.games_in_order(|game| -> Result<(), ExportError> {
        each(&game);
        let file = match &mut file {
            Some(file) => file,
            none => {
                create_folder(folder).map_err(failed)?;
                none.insert(Replacement::of_own(folder, FILE, false).map_err(failed)?)
            }
        };
        // Neither a game that failed nor one that was lost on time shows who is stronger.
        let seats = if game.shows_strength() { game.seats.len() } else { 0 };
        for (white, black) in (0..seats).flat_map(|low| (low + 1..seats).map(move |high| (low, high))) {
            let name = |seat: usize| names.get(&game.seats[seat]).copied().unwrap_or(&game.seats[seat]);
            let result = match game.scores[white].cmp(&game.scores[black]) {
                Ordering::Greater => "1-0",
                Ordering::Less => "0-1",
                Ordering::Equal => "1/2-1/2",
            };
            write_game(file, [name(white), name(black)], game.deck, result).map_err(failed)?;
            rows += 1;
        }
        Ok(())
    })?;
    let file = file.ok_or_else(|| ExportError::Empty(run.folder().to_owned()))?;
    file.check().map_err(failed)?;
    file.finish().map_err(failed)?;
    Ok(Exported { files: vec![(path, rows)], problems })
}

fn write_game(file: &mut Replacement, names: [&str; 2], deck: u32, result: &str) -> std::io::Result<()> {
    let [white, black] = names.map(|name| name.replace('\\', r"\\").replace('"', "\\\""));
    writeln!(file, "[White \"{white}\"]\n[Black \"{black}\"]\n[Round \"{deck}\"]\n[Result \"{result}\"]\n\n{result}\n")
}
