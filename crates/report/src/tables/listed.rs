//! Whose pairs tables list where more pairs met than can be.

use std::collections::BTreeSet;

/// The players whose pairs are listed, of more players than can be.
#[derive(Debug)]
pub(super) struct Listed {
    /// With the fixed opponents of a gauntlet.
    pub players: BTreeSet<usize>,
    /// How many of them are there by their points: all but the fixed opponents of a gauntlet.
    pub best: usize,
    /// Pairs that met and are not listed.
    pub left_out: usize,
}

impl Listed {
    /// Whether a pair is listed.
    pub(super) fn has(&self, pair: [usize; 2]) -> bool {
        pair.iter().all(|player| self.players.contains(player))
    }
}
