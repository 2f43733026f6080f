//! How many games of an experiment a run has no record of, counted while its games are read.

use super::gate::StoppingRule;
use crate::config::Experiment;
use crate::record::GameRecord;
use evouct_base::plural::{counted, is_or_are};
use std::path::Path;

/// The games of an experiment that have not been seen.
pub struct MissingGames {
    planned: u64,
    seen: u64,
    gate: Option<StoppingRule>,
}

impl MissingGames {
    /// All games of the experiment.
    pub fn of(experiment: &Experiment) -> MissingGames {
        MissingGames { planned: experiment.games(), seen: 0, gate: StoppingRule::of(experiment, None) }
    }

    /// Takes in a recorded game, one that failed too. Each game once, in any order, as [`Run::games`](crate::record::Run::games)
    /// visits them.
    pub fn see(&mut self, game: &GameRecord) {
        self.seen += 1;
        if let Some(gate) = &mut self.gate {
            gate.recall(game);
        }
    }

    /// How many are missing; none once a sequential test is decided. With looks, as many as may still be wanted.
    pub fn count(&mut self) -> u64 {
        let wanted = self.gate.as_mut().and_then(|gate| {
            gate.judge();
            gate.missing()
        });
        wanted.unwrap_or_else(|| self.planned.saturating_sub(self.seen))
    }

    /// How many have been seen.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// How many games there are in all: those of the schedule or, where they depend on results, those that are recorded or may
    /// still be wanted.
    pub fn scheduled(&mut self) -> u64 {
        if self.gate.is_some() { self.seen + self.count() } else { self.planned }
    }
}

/// A line for results of a part of a run: how many games are missing. None if none is.
pub fn interim(folder: &Path, missing: u64) -> Option<String> {
    let text = || {
        let (games, are) = (counted(missing, "game"), is_or_are(missing));
        format!("{}: interim results: {games} {are} missing", folder.display())
    };
    (missing > 0).then(text)
}
