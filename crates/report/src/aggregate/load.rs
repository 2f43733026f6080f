//! Reads the records of a run for everything that a report needs of them: once, and those with evolved formulas again
//! in order, since the counts of formulas and `expressions.csv` depend on it.

use super::Aggregate;
use super::sample::GameSample;
use evouct_league::config::Experiment;
use evouct_league::league::MissingGames;
use evouct_league::record::{DecisionTrace, GameRecord, Run, traces};
use evouct_store::{Problem, RecordError};
use std::collections::BTreeMap;

/// The records of a run, as far as a report needs them.
pub struct LoadedRun {
    /// The condensed records.
    pub aggregate: Aggregate,
    /// Games that the report shows move by move.
    pub sample: GameSample,
    /// The recorded traces of these games, by id.
    pub traces: BTreeMap<String, Vec<DecisionTrace>>,
    /// How many games of the experiment are missing; none once a sequential test is decided.
    pub missing: u64,
    /// Damaged or repeated lines of the journals.
    pub problems: Vec<Problem>,
}

impl LoadedRun {
    /// Reads all records. `each` sees the games with evolved formulas in the order of decks and ids, with their formulas
    /// simplified, decision by decision.
    ///
    /// # Errors
    /// If a journal cannot be read, or the first error of `each`.
    pub fn read(
        run: &Run,
        experiment: &Experiment,
        mut each: impl FnMut(&GameRecord, &[String]) -> Result<(), RecordError>,
    ) -> Result<LoadedRun, RecordError> {
        let mut aggregate = Aggregate::new(experiment);
        let mut sample = GameSample::default();
        let mut missing = MissingGames::of(experiment);
        let has_evolved = |game: &GameRecord| !game.evolution.is_empty();
        let (evolved, problems) = run.games_and_order(has_evolved, |game| -> Result<(), RecordError> {
            missing.see(game);
            aggregate.add(game);
            sample.offer(game);
            Ok(())
        })?;
        evolved.visit(|game| each(&game, &aggregate.add_evolution(&game)))?;
        aggregate.sort();
        let traces = traces(run.folder(), &sample.ids())?;
        Ok(LoadedRun { aggregate, sample, traces, missing: missing.count(), problems })
    }
}

/// The game with this id, or where `id` is none the first by deck and id, which does not depend on the order in which
/// games ended; none where it is not recorded.
///
/// # Errors
/// If a journal cannot be read.
pub fn one_game(run: &Run, id: Option<&str>) -> Result<Option<GameRecord>, RecordError> {
    let mut found: Option<GameRecord> = None;
    run.games(|game| -> Result<(), RecordError> {
        let is_first = found.as_ref().is_none_or(|found| (game.deck, &game.id) < (found.deck, &found.id));
        if is_first && id.is_none_or(|id| game.id == id) {
            found = Some(game);
        }
        Ok(())
    })?;
    Ok(found)
}
