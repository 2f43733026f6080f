//! How many games of an experiment a run has no record of, counted while its games are read.

use super::gate::Gate;
use crate::config::Experiment;
use crate::record::GameRecord;
use crate::schedule::Schedule;
use evouct_base::plural::{counted, is_or_are};
use std::path::Path;

/// The games of an experiment that have not been seen.
pub struct MissingGames {
    left: u64,
    gate: Option<Gate>,
}

impl MissingGames {
    /// All games of the experiment.
    pub fn of(experiment: &Experiment) -> MissingGames {
        MissingGames { left: Schedule::of(experiment).len(), gate: Gate::of(experiment) }
    }

    /// Takes in a recorded game, one that failed too. Each game once, in any order, as [`Run::games`](crate::record::Run::games)
    /// visits them.
    pub fn see(&mut self, game: &GameRecord) {
        self.left = self.left.saturating_sub(1);
        if let Some(gate) = &mut self.gate {
            gate.recall(game);
        }
    }

    /// How many are missing; none once a sequential test is decided. With looks, as many as may still be wanted.
    pub fn count(&self) -> u64 {
        match &self.gate {
            Some(Gate::Looks(league)) => {
                let mut league = league.clone();
                league.look();
                league.pairs().missing()
            }
            Some(gate) if gate.is_decided() => 0,
            _ => self.left,
        }
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
