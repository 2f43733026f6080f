//! Games on the disk: those of a run, and those that were saved here, each a run folder of one game.

use super::game::Game;
use crate::clock::unix_seconds;
use crate::disk::claim_folder;
use crate::record::{DecisionLog, Ended, FinishedGame, GameRecord, Header, Run};
use crate::report::one_game;
use crate::search::Stopped;
use crate::store::{JournalWriter, Problem, RecordError};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The journal of a saved game.
const JOURNAL: &str = "games.jsonl";
/// The most games that are listed of one folder.
const LISTED: usize = 2_000;
/// The problems of a folder that are shown.
const PROBLEMS: usize = 3;
/// The most folders of saved games that are listed.
const FOLDERS: usize = 500;

/// Where games are read from and saved.
pub(super) struct Archive {
    /// The run that the command names.
    pub run: Option<PathBuf>,
    /// The folder in which each saved game has a folder.
    pub folder: PathBuf,
}

impl Archive {
    /// The folders with games: the run, then the saved games, the latest first.
    fn folders(&self) -> Vec<PathBuf> {
        let mut saved: Vec<PathBuf> = std::fs::read_dir(&self.folder)
            .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
            .unwrap_or_default();
        saved.retain(|path| Run::has_journals(path) || path.join(JOURNAL).is_file());
        let changed = |path: &PathBuf| std::fs::metadata(path).and_then(|found| found.modified()).ok();
        saved.sort_by_cached_key(|path| Reverse((changed(path), path.clone())));
        saved.truncate(FOLDERS);
        self.run.iter().cloned().chain(saved).collect()
    }

    /// The games of all folders by deck, for a page.
    pub(super) fn list(&self) -> Value {
        let folders = self.folders();
        let games = folders.iter().map(|folder| {
            let mut games = Vec::new();
            let mut count = 0;
            let listed = Run::open(folder).and_then(|run| {
                let scale = run.scale()?;
                run.games(|game| -> Result<(), RecordError> {
                    let shown = json!({
                        "id": game.id,
                        "deck": game.deck,
                        "players": game.run.players,
                        "scores": scale.json(&game.scores),
                        "turns": game.virtual_scores.len(),
                        "over": matches!(game.ended, Ended::Finished | Ended::Limit),
                    });
                    games.push((game.deck, game.id, shown));
                    count += 1;
                    // Of a long run no more than a page has are kept.
                    if games.len() >= 2 * LISTED {
                        shorten(&mut games);
                    }
                    Ok(())
                })
            });
            let problem = listed.map_or_else(|error| Some(error.to_string()), |problems| first_of(&problems));
            shorten(&mut games);
            let more = count - games.len();
            let games: Vec<Value> = games.into_iter().map(|(_, _, shown)| shown).collect();
            json!({ "folder": folder.display().to_string(), "games": games, "more": more, "problem": problem })
        });
        Value::Array(games.collect())
    }

    /// A game of a folder in the list, which is read again: only its folders may be opened.
    ///
    /// # Errors
    /// If there is no such game, or it cannot be read.
    pub(super) fn load(&self, folder: &str, id: &str) -> Result<Game, String> {
        let found = self.folders().into_iter().find(|path| path.display().to_string() == folder);
        load(&found.ok_or_else(|| format!("there is no folder {folder:?} in the list"))?, Some(id))
    }
}

/// The first problems in a line, and how many more there are; none without problems.
fn first_of(problems: &[Problem]) -> Option<String> {
    let said: Vec<String> = problems.iter().take(PROBLEMS).map(Problem::to_string).collect();
    let more: u64 = problems.iter().skip(PROBLEMS).map(|problem| problem.lines).sum();
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    (!said.is_empty()).then(|| said.join("; ") + &more)
}

/// Keeps the first games by deck and id, as many as are listed.
fn shorten(games: &mut Vec<(u32, String, Value)>) {
    games.sort_by(|(deck, id, _), (other, second, _)| (deck, id).cmp(&(other, second)));
    games.truncate(LISTED);
}

/// A recorded game of a run folder: this one, or the first.
///
/// # Errors
/// If there is no such game, or it cannot be read.
pub(super) fn load(folder: &Path, id: Option<&str>) -> Result<Game, String> {
    let failed = |error: RecordError| error.to_string();
    let run = Run::open(folder).map_err(failed)?;
    let experiment = run.experiment().map_err(failed)?;
    let record = one_game(&run, id).map_err(failed)?.ok_or_else(|| match id {
        Some(id) => format!("{}: no game {id:?} is recorded", folder.display()),
        None => format!("{}: no game is recorded yet", folder.display()),
    })?;
    Game::recorded(experiment, &record, 0)
}

/// Writes a game into a folder of its own, as a run of one game. A folder that has another game is left alone.
///
/// # Errors
/// If it cannot be written, or the moves cannot be replayed.
pub(super) fn save(game: &Game, folder: &Path) -> Result<String, String> {
    let record = record(game)?;
    let failed = |error: RecordError| error.to_string();
    // Another process may save there at the same moment.
    let mut paths = (1_u32..).map(|number| folder.join(format!("{}-{number}", game.experiment.name)));
    let path = loop {
        let path = paths.next().ok_or("no name of a folder is free")?;
        match claim_folder(&path) {
            Ok(true) => break path,
            Ok(false) => {}
            Err(error) => return Err(format!("cannot make {}: {error}", path.display())),
        }
    };
    let mut journal = JournalWriter::open(&path.join(JOURNAL), &Header::of(&game.experiment, None)).map_err(failed)?;
    let entry = FinishedGame::of(&record, &[], &game.experiment.binding());
    journal.append(&entry, Duration::ZERO).map_err(failed)?;
    journal.sync(Duration::ZERO).map_err(failed)?;
    Ok(path.display().to_string())
}

/// The record of a game as it stands: what the rules make of its moves, and what the players spent.
fn record(game: &Game) -> Result<GameRecord, String> {
    let moves = game.session_at(game.turns.len())?.moves();
    let traces = game.turns.last().and_then(|turn| turn.cost.as_ref()?.traces.as_deref()).cloned().unwrap_or_default();
    let mut record = game.setup.replay(&moves, &traces.search, &Stopped)?.record;
    if !traces.search.is_empty() {
        record.histograms = traces.histograms;
    }
    let seats = game.setup.seats.len();
    let (mut playouts, mut nodes) = game.loaded.clone().unwrap_or_else(|| (vec![0; seats], vec![0; seats]));
    for turn in &game.turns {
        if let Some(cost) = &turn.cost {
            playouts[turn.seat] += cost.playouts;
            nodes[turn.seat] += cost.nodes;
        }
    }
    record.playouts = playouts;
    record.nodes = if nodes.iter().all(|nodes| *nodes == 0) { Vec::new() } else { nodes };
    let logs = game.turns.iter().zip(0_u32..);
    record.evolution = logs
        .filter_map(|(turn, number)| Some(DecisionLog { turn: number, log: *turn.cost.as_ref()?.evolution.clone()? }))
        .collect();
    if game.to_move.is_some() {
        record.ended = Ended::Left;
    }
    (record.run.message, record.run.repeat) = (None, None);
    record.run.at = unix_seconds();
    Ok(record)
}

/// Refuses a folder whose journals cannot be read.
///
/// # Errors
/// What is wrong with it.
pub(super) fn check(folder: &Path) -> Result<(), RecordError> {
    let run = Run::open(folder)?;
    let problems: Vec<Problem> = run.games(|_| -> Result<(), RecordError> { Ok(()) })?;
    problems.iter().for_each(|problem| tracing::warn!("{problem}"));
    Ok(())
}
