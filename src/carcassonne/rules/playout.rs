//! Playouts: random play to the end of the game. No list of moves is built.

use super::action::{Move, SegmentId};
use super::bits;
use super::limits::MAX_SEATS;
use super::options::Unplaceable;
use super::state::{Drawn, State};
use crate::named::Named;
use crate::sampling::Dice;
use rand::Rng;

/// The distribution of random moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum PlayoutPolicy {
    /// Uniform over all pairs of a placement and a meeple choice (Galván et al. 2022).
    #[default]
    Joint,
    /// Uniform over distinct pairs of cell and orientation, then over the meeple choices, "no meeple" included (Valdez
    /// Ameneyro et al. 2020, text).
    TwoStage,
    /// Uniform over cells, then over the rotations that fit there, then over the meeple choices (Valdez Ameneyro et al.
    /// 2020, playouts of the authors' code).
    CellFirst,
}

impl Named for PlayoutPolicy {
    const NAMES: &'static [(&'static str, PlayoutPolicy)] = &[
        ("joint", PlayoutPolicy::Joint),
        ("two-stage", PlayoutPolicy::TwoStage),
        ("cell-first", PlayoutPolicy::CellFirst),
    ];
}

impl State {
    /// Plays random moves until the game is over and returns the final scores by seat.
    #[inline]
    pub fn playout(&mut self, policy: PlayoutPolicy, rng: &mut impl Rng) -> [u16; MAX_SEATS] {
        match policy {
            PlayoutPolicy::Joint => while self.random_turn::<{ PlayoutPolicy::Joint as u8 }>(rng) {},
            PlayoutPolicy::TwoStage => while self.random_turn::<{ PlayoutPolicy::TwoStage as u8 }>(rng) {},
            PlayoutPolicy::CellFirst => while self.random_turn::<{ PlayoutPolicy::CellFirst as u8 }>(rng) {},
        }
        self.virtual_scores()
    }

    /// Draws a tile unless one is in hand, and plays a random move. False if the game is over.
    #[inline]
    pub(in crate::carcassonne) fn play_random_turn(&mut self, policy: PlayoutPolicy, rng: &mut impl Rng) -> bool {
        match policy {
            PlayoutPolicy::Joint => self.random_turn::<{ PlayoutPolicy::Joint as u8 }>(rng),
            PlayoutPolicy::TwoStage => self.random_turn::<{ PlayoutPolicy::TwoStage as u8 }>(rng),
            PlayoutPolicy::CellFirst => self.random_turn::<{ PlayoutPolicy::CellFirst as u8 }>(rng),
        }
    }

    /// A random move with the tile in hand. `None` if no tile is in hand.
    pub fn random_move(&self, policy: PlayoutPolicy, rng: &mut impl Rng) -> Option<Move> {
        self.hand()?;
        let mut after = self.clone();
        after.play_random_turn(policy, rng);
        after.turns().last().map(|turn| turn.action)
    }

    /// Draws a tile unless one is in hand, and plays a random move. Returns false and does nothing if the game is over.
    #[inline]
    fn random_turn<const POLICY: u8>(&mut self, rng: &mut impl Rng) -> bool {
        let mut dice = Dice::roll(rng);
        let (kind, placements) = loop {
            if let Some(kind) = self.hand() {
                break (kind, self.legal_placements(kind));
            }
            // While shuffled tiles are left, the game can only end under the rule that returns tiles.
            let may_be_over = self.bag.shuffled_len() == 0 || self.rules.unplaceable == Unplaceable::Return;
            if may_be_over && self.is_over() {
                return false;
            }
            let (kind, placements) = self.take_random(&mut dice);
            if placements.count > 0 {
                break (kind, placements);
            }
            let drawn = self.receive(kind, false);
            debug_assert_eq!(drawn, Drawn::SetAside);
            dice = Dice::roll(rng);
        };
        if POLICY == PlayoutPolicy::Joint as u8 {
            let shape = self.rules.tiles.shape(kind);
            let options = if self.has_meeple() { u32::from(shape.segment_count) } else { 0 };
            // Rejection sampling: draw from all pairs of a placement and a segment until the segment is free. The
            // result is uniform over the legal pairs.
            let (slot, rotation, meeple) = loop {
                let (slot, rotation) = placements.nth(dice.below(placements.count));
                let option = dice.below(options + 1);
                if option == 0 {
                    break (slot, rotation, None);
                }
                let segment = option - 1;
                if self.is_free(slot, shape, segment as usize, rotation) {
                    break (slot, rotation, Some(SegmentId::new(segment as u8)));
                }
                dice = Dice::roll(rng);
            };
            let placement = self.join(slot, kind, rotation);
            self.finish_turn(placement, meeple, &mut ());
        } else {
            let (slot, rotation) = if POLICY == PlayoutPolicy::TwoStage as u8 {
                placements.nth(dice.below(placements.count))
            } else {
                placements.nth_cell(|cells| dice.below(cells))
            };
            let placement = self.join(slot, kind, rotation);
            let free = self.free_segments(&placement);
            let option = dice.below(free.count_ones() + 1);
            let meeple = (option > 0).then(|| SegmentId::new(bits::nth_one(free.into(), option - 1) as u8));
            self.finish_turn(placement, meeple, &mut ());
        }
        true
    }
}
