//! Games that players lost by faults.

use super::league::League;
use crate::aggregate::Aggregate;
use serde::Serialize;
use std::collections::BTreeMap;

/// The faults of a player: of another program, or losses on time.
#[derive(Clone, Debug, Serialize)]
pub struct FaultRow {
    /// The player.
    pub player: String,
    /// Its games.
    pub games: u64,
    /// The games that it lost by a fault. They count as lost; those on time are no evidence of strength.
    pub faults: u64,
    /// The faults by reason.
    pub reasons: BTreeMap<&'static str, u64>,
}

impl FaultRow {
    /// The reasons with their numbers, in words.
    pub fn words(&self) -> String {
        self.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect::<Vec<_>>().join(", ")
    }
}

/// What games that were lost on time count for, as the end of a caption; empty where there are none.
pub(crate) fn lost_on_time(games: u64) -> &'static str {
    match games {
        0 => "",
        _ => {
            " Games lost on time count as lost in the points, the matches and the games won, and are left out of all means, tests and \
             ratings: they show who is too slow, not who is stronger."
        }
    }
}

impl League<'_> {
    /// The players that lost games by faults.
    pub(super) fn faults(&self, aggregate: &Aggregate) -> Vec<FaultRow> {
        let row = |(player, reasons): (&usize, &BTreeMap<&'static str, u64>)| FaultRow {
            player: self.name(*player),
            games: self.results_of(*player).count() as u64,
            faults: reasons.values().sum(),
            reasons: reasons.clone(),
        };
        aggregate.faults.iter().map(row).collect()
    }
}
