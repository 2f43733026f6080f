//! Reading the records of a run once, for everything that a report needs of them.

use super::Tally;
use crate::config::Experiment;
use crate::record::{DecisionTrace, GameRecord, Problem, RecordError, Run, traces};
use crate::report::formats::board::{Sample, Show};
use crate::report::formats::files::Expressions;
use std::collections::BTreeMap;

/// What reading a run came to.
pub struct Reading {
    /// The condensed records.
    pub tally: Tally,
    /// Games to be watched in the report.
    pub sample: Sample,
    /// What they thought, by game.
    pub traces: BTreeMap<String, Vec<DecisionTrace>>,
    /// What is wrong with the journals.
    pub problems: Vec<Problem>,
}

impl Reading {
    /// Reads all records, and writes the formulas to `expressions` on the way.
    ///
    /// # Errors
    /// If a journal cannot be read or the formulas cannot be written.
    pub fn of(
        run: &Run,
        experiment: &Experiment,
        mut expressions: Option<&mut Expressions>,
    ) -> Result<Reading, RecordError> {
        let mut tally = Tally::new(experiment);
        let mut sample = Sample::default();
        let problems = run.games(|game| -> Result<(), RecordError> {
            let simplified = tally.add(&game);
            if let Some(expressions) = &mut expressions {
                expressions.add(&game, &simplified)?;
            }
            sample.offer(game);
            Ok(())
        })?;
        let traces = traces(run.folder(), &sample.ids())?;
        Ok(Reading { tally, sample, traces, problems })
    }

    /// The games of the sample, ready to be watched. A record that is not that of a game is left out, and said.
    pub(in crate::report) fn shows(&self, experiment: &Experiment) -> Vec<Show> {
        let show = |game: &GameRecord| {
            let traces = self.traces.get(&game.id).map(Vec::as_slice).unwrap_or_default();
            let show = Show::of_record(experiment.rules, game, traces);
            show.inspect_err(|error| tracing::warn!("game {} cannot be shown: {error}", game.id)).ok()
        };
        self.sample.games().into_iter().filter_map(show).collect()
    }
}

/// The game with this id, or the first there is; none where it is not recorded.
///
/// # Errors
/// If a journal cannot be read.
pub fn one_game(run: &Run, id: Option<&str>) -> Result<Option<GameRecord>, RecordError> {
    let mut found = None;
    run.games(|game| -> Result<(), RecordError> {
        if found.is_none() && id.is_none_or(|id| game.id == id) {
            found = Some(game);
        }
        Ok(())
    })?;
    Ok(found)
}
