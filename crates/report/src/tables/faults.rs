//! Games that players lost by faults.

use super::league::League;
use crate::aggregate::Aggregate;
use serde::Serialize;
use std::collections::BTreeMap;

/// The faults of a player that is another program.
#[derive(Clone, Debug, Serialize)]
pub struct FaultRow {
    /// The player.
    pub player: String,
    /// Its games.
    pub games: u64,
    /// The games that it lost by a fault. They are in all tables.
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

impl League<'_> {
    /// The players that lost games by faults.
    pub(super) fn faults(&self, aggregate: &Aggregate) -> Vec<FaultRow> {
        let row = |(player, reasons): (&usize, &BTreeMap<&'static str, u64>)| FaultRow {
            player: self.name(*player),
            games: self.games_of(*player).count() as u64,
            faults: reasons.values().sum(),
            reasons: reasons.clone(),
        };
        aggregate.faults.iter().map(row).collect()
    }
}
