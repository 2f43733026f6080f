//! A stage of a series: one run in a sub-folder.

use crate::config::{Experiment, differences};
use crate::record::{GameRecord, Run};
use crate::schedule::Schedule;
use evouct_store::RecordError;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};

/// An experiment of a series.
#[derive(Clone, Debug)]
pub struct Stage {
    /// Its name, which is also the name of its sub-folder.
    pub name: String,
    /// What is played.
    pub experiment: Experiment,
}

/// Games of a stage, or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct StageCount {
    /// Games of the schedule.
    pub scheduled: u64,
    /// Recorded games, failed ones included.
    pub recorded: u64,
    /// Recorded games that failed.
    pub failed: u64,
}

impl StageCount {
    /// Games that are not recorded.
    pub fn missing(self) -> u64 {
        self.scheduled.saturating_sub(self.recorded)
    }
}

impl AddAssign for StageCount {
    fn add_assign(&mut self, other: StageCount) {
        self.scheduled += other.scheduled;
        self.recorded += other.recorded;
        self.failed += other.failed;
    }
}

impl Stage {
    /// Its folder in the folder of the series.
    pub fn folder(&self, series: &Path) -> PathBuf {
        series.join(&self.name)
    }

    /// Its run; none if nothing is recorded yet.
    ///
    /// # Errors
    /// If the run cannot be read, or is of another experiment.
    pub fn open(&self, series: &Path) -> Result<Option<Run>, RecordError> {
        let folder = self.folder(series);
        if !folder.is_dir() || !Run::has_journals(&folder) {
            return Ok(None);
        }
        let run = Run::open(&folder)?;
        let adds_only = || {
            let differences = differences(&run.header.experiment, &self.experiment.resolved());
            differences.iter().all(|difference| difference.extends)
        };
        // An extension of the series may not have come to this stage yet.
        let is_own = run.header.hash == self.experiment.hash() || adds_only();
        if is_own { Ok(Some(run)) } else { Err(RecordError::OtherRun(folder)) }
    }

    /// Visits every recorded game once, and counts.
    ///
    /// # Errors
    /// As [`open`](Stage::open).
    pub fn games(&self, series: &Path, mut visit: impl FnMut(&GameRecord)) -> Result<StageCount, RecordError> {
        let mut count = StageCount { scheduled: Schedule::of(&self.experiment).len(), ..StageCount::default() };
        if let Some(run) = self.open(series)? {
            run.games(|game| -> Result<(), RecordError> {
                count.recorded += 1;
                count.failed += u64::from(!game.is_result());
                visit(&game);
                Ok(())
            })?;
        }
        Ok(count)
    }
}
