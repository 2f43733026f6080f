//! Playouts: random play to the end of the game, without lists of moves.

use super::action::{Move, Spot};
use super::bits;
use super::rules::{MAX_SEATS, Unplaceable};
use super::state::{Drawn, State};
use crate::sampling::Dice;
use rand::Rng;

/// How a random move is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Policy {
    /// Uniform over all pairs of a placement and a meeple choice (Galván et al. 2022).
    #[default]
    Joint,
    /// Uniform over distinct (cell, orientation), then over the meeple choices, none among them (Valdez Ameneyro et
    /// al. 2020 as worded).
    TwoStage,
    /// Uniform over cells, then over the rotations that fit there, then over the meeple choices (the playouts of the
    /// authors' code of 2020).
    CellFirst,
}

impl Policy {
    /// The names used in experiments.
    pub const NAMES: [(&'static str, Policy); 3] =
        [("joint", Policy::Joint), ("two-stage", Policy::TwoStage), ("cell-first", Policy::CellFirst)];
}

impl State {
    /// Plays random moves until the game is over and returns the final scores by seat.
    #[inline]
    pub fn playout(&mut self, policy: Policy, rng: &mut impl Rng) -> [u16; MAX_SEATS] {
        match policy {
            Policy::Joint => while self.random_turn::<{ Policy::Joint as u8 }>(rng) {},
            Policy::TwoStage => while self.random_turn::<{ Policy::TwoStage as u8 }>(rng) {},
            Policy::CellFirst => while self.random_turn::<{ Policy::CellFirst as u8 }>(rng) {},
        }
        self.virtual_scores()
    }

    /// A random move with the tile in hand; none without one.
    pub fn random_move(&self, policy: Policy, rng: &mut impl Rng) -> Option<Move> {
        self.hand()?;
        let mut after = self.clone();
        match policy {
            Policy::Joint => after.random_turn::<{ Policy::Joint as u8 }>(rng),
            Policy::TwoStage => after.random_turn::<{ Policy::TwoStage as u8 }>(rng),
            Policy::CellFirst => after.random_turn::<{ Policy::CellFirst as u8 }>(rng),
        };
        after.turns().last().map(|turn| turn.action)
    }

    /// Draws a tile unless one is in hand, and plays a random move. False, and nothing done, once the game is over.
    #[inline]
    fn random_turn<const POLICY: u8>(&mut self, rng: &mut impl Rng) -> bool {
        let mut dice = Dice::roll(rng);
        let (kind, fits) = loop {
            if let Some(kind) = self.hand() {
                break (kind, self.fits(kind));
            }
            // While shuffled tiles are left, only returned ones can end the game early.
            let may_be_over = self.bag.shuffled_len() == 0 || self.rules.unplaceable == Unplaceable::Return;
            if may_be_over && self.is_over() {
                return false;
            }
            let (kind, fits) = self.take_random(&mut dice);
            if fits.count > 0 {
                break (kind, fits);
            }
            let drawn = self.receive(kind, false);
            debug_assert_eq!(drawn, Drawn::SetAside);
            dice = Dice::roll(rng);
        };
        if POLICY == Policy::Joint as u8 {
            let shape = self.rules.tiles.shape(kind);
            let options = if self.has_meeple() { u32::from(shape.part_count) } else { 0 };
            // A pair is drawn from all placements and all parts, and drawn again while the part is not free: what is
            // kept is uniform over the legal pairs.
            let (slot, rotation, meeple) = loop {
                let (slot, rotation) = fits.nth(dice.below(fits.count));
                let option = dice.below(options + 1);
                if option == 0 {
                    break (slot, rotation, None);
                }
                let part = option - 1;
                if self.is_free(slot, shape, part as usize, rotation) {
                    break (slot, rotation, Some(Spot::part(part as u8)));
                }
                dice = Dice::roll(rng);
            };
            let laying = self.join(slot, kind, rotation);
            self.lay(laying, meeple, &mut ());
        } else {
            let (slot, rotation) = if POLICY == Policy::TwoStage as u8 {
                fits.nth(dice.below(fits.count))
            } else {
                fits.nth_cell(|cells| dice.below(cells))
            };
            let laying = self.join(slot, kind, rotation);
            let free = self.free_parts(&laying);
            let option = dice.below(free.count_ones() + 1);
            let meeple = (option > 0).then(|| Spot::part(bits::nth_one(free.into(), option - 1) as u8));
            self.lay(laying, meeple, &mut ());
        }
        true
    }
}
