//! Decks that were played in a measurement by games, and which of them are evidence: a deck that repeats an earlier one
//! counts once ([`Distinct`]). The mean of a measurement is over all games; errors and tests are over distinct decks.

use super::measure::{Measured, PlayedDeck};
use evouct_stats::distinct::Distinct;

/// One of the objectives of a measurement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Objective {
    Value,
    Second,
}

impl Measured {
    /// The sums of the blocks.
    pub(crate) fn sums_of(&self, objective: Objective) -> &[f64] {
        match objective {
            Objective::Value => &self.sums,
            Objective::Second => &self.second,
        }
    }

    /// The decks that repeat earlier ones of this measurement.
    pub(crate) fn repeats(&self) -> u64 {
        let mut distinct = Distinct::default();
        self.decks.iter().for_each(|deck| {
            distinct.adds([deck.games]);
        });
        distinct.repeats()
    }
}

/// Of each block of a measurement, the sum over its decks that repeat none of those `seen`, and their number; with a
/// reference, of the differences from it, on the decks that repeat none for both. `units` are those of each block. None
/// where nothing is known to repeat, so that whole blocks count.
pub(crate) fn distinct_blocks(
    own: &Measured,
    reference: Option<&Measured>,
    objective: Objective,
    units: &[u32],
    seen: &mut Distinct,
) -> Option<Vec<(f64, u32)>> {
    if own.decks.is_empty() || reference.is_some_and(|reference| reference.decks.is_empty()) {
        return None;
    }
    let value = |deck: &PlayedDeck| match objective {
        Objective::Value => deck.value,
        Objective::Second => deck.second.unwrap_or_default(),
    };
    let mut decks = own.decks.iter().enumerate();
    let mut block = |units: &u32| {
        let (mut sum, mut count) = (0.0, 0);
        for (place, deck) in decks.by_ref().take(*units as usize) {
            let theirs = reference.map(|reference| &reference.decks[place]);
            if seen.adds([deck].into_iter().chain(theirs).map(|deck| deck.games)) {
                sum += value(deck) - theirs.map_or(0.0, value);
                count += 1;
            }
        }
        (sum, count)
    };
    Some(units.iter().map(&mut block).collect())
}
