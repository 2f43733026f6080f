//! Playouts: random play to the end of the game. No list of moves is built.

use super::action::{Deployment, Figure, Move, SegmentId};
use super::bits;
use super::board::LegalPlacements;
use super::cell::Cell;
use super::edition::Edition;
use super::limits::{MAX_SEATS, MAX_SEGMENTS};
use super::options::Unplaceable;
use super::state::{DrawResult, State};
use super::tile::TileKind;
use evouct_base::sampling::Dice;
use rand::Rng;

evouct_base::named! {
    /// The distribution of random moves.
    #[derive(Default)]
    pub enum PlayoutPolicy {
        /// Uniform over all pairs of a placement and a meeple choice (Galván et al. 2022).
        #[default]
        Joint = "joint",
        /// Uniform over distinct pairs of cell and orientation, then over the meeple choices, "no meeple" included
        /// (Valdez Ameneyro et al. 2020, text).
        TwoStage = "two-stage",
        /// Uniform over cells, then over the rotations that fit there, then over the meeple choices (Valdez Ameneyro et
        /// al. 2020, playouts of the authors' code).
        CellFirst = "cell-first",
    }
}

impl<E: Edition> State<E> {
    /// Plays random moves until the game is over and returns the final scores by seat.
    pub fn playout(&mut self, policy: PlayoutPolicy, rng: &mut impl Rng) -> [u16; MAX_SEATS] {
        match policy {
            PlayoutPolicy::Joint => while self.random_turn::<{ PlayoutPolicy::Joint as u8 }>(rng) {},
            PlayoutPolicy::TwoStage => while self.random_turn::<{ PlayoutPolicy::TwoStage as u8 }>(rng) {},
            PlayoutPolicy::CellFirst => while self.random_turn::<{ PlayoutPolicy::CellFirst as u8 }>(rng) {},
        }
        self.virtual_scores()
    }

    /// Draws a tile unless one is in hand, and plays a random move. False if the game is over.
    pub(crate) fn play_random_turn(&mut self, policy: PlayoutPolicy, rng: &mut impl Rng) -> bool {
        match policy {
            PlayoutPolicy::Joint => self.random_turn::<{ PlayoutPolicy::Joint as u8 }>(rng),
            PlayoutPolicy::TwoStage => self.random_turn::<{ PlayoutPolicy::TwoStage as u8 }>(rng),
            PlayoutPolicy::CellFirst => self.random_turn::<{ PlayoutPolicy::CellFirst as u8 }>(rng),
        }
    }

    /// A random move with the tile in hand. `None` if no tile is in hand.
    pub fn random_move(&self, policy: PlayoutPolicy, rng: &mut impl Rng) -> Option<Move> {
        let kind = self.hand()?;
        let mut dice = Dice::roll(rng);
        let placements = self.legal_placements(kind);
        let (slot, rotation, meeple) = match policy {
            PlayoutPolicy::Joint => self.pick_joint(kind, &placements, dice, rng),
            staged => {
                let (slot, rotation) = match staged {
                    PlayoutPolicy::CellFirst => pick_by_cell(&placements, &mut dice),
                    _ => pick_placement(&placements, &mut dice),
                };
                let free = !self.taken_segments(slot, self.shape(kind), rotation);
                (slot, rotation, self.pick_deployment(kind, free, self.board.cell(slot), dice))
            }
        };
        Some(Move { cell: self.board.cell(slot), rotation, meeple })
    }

    /// Draws a tile unless one is in hand, and plays a random move. Returns false and does nothing if the game is over.
    ///
    /// Not marked to be inlined: each caller would have a copy of all that a turn inlines.
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
            debug_assert_eq!(drawn, DrawResult::SetAside);
            dice = Dice::roll(rng);
        };
        if POLICY == PlayoutPolicy::Joint as u8 {
            let (slot, rotation, meeple) = self.pick_joint(kind, &placements, dice, rng);
            let placement = self.join(slot, kind, rotation);
            self.finish_turn(placement, meeple, &mut ());
        } else {
            let (slot, rotation) = if POLICY == PlayoutPolicy::TwoStage as u8 {
                pick_placement(&placements, &mut dice)
            } else {
                pick_by_cell(&placements, &mut dice)
            };
            let placement = self.join(slot, kind, rotation);
            let meeple = self.pick_deployment(kind, placement.free, placement.surroundings.cell, dice);
            self.finish_turn(placement, meeple, &mut ());
        }
        true
    }

    /// A slot, a rotation and what is done with a figure, uniform over all legal ones: drawn from all pairs of a
    /// placement and an option until the option is legal there.
    #[inline(always)]
    fn pick_joint(
        &self,
        kind: TileKind,
        placements: &LegalPlacements<E>,
        mut dice: Dice,
        rng: &mut impl Rng,
    ) -> (u8, u8, Option<Deployment>) {
        let shape = self.shape(kind);
        if E::EXPANDED {
            let options = self.figure_options(kind);
            let all = options.free(!0, options.may_recall);
            loop {
                let (slot, rotation) = pick_placement(placements, &mut dice);
                let option = dice.below(all.count_ones() + 1);
                if option == 0 {
                    return (slot, rotation, None);
                }
                let deployment = Options::deployment(bits::nth_one(all.into(), option - 1));
                let legal = match deployment.segment() {
                    Some(segment) => self.is_free(slot, shape, segment.index(), rotation),
                    None => self.can_recall(self.board.cell(slot)),
                };
                if legal {
                    return (slot, rotation, Some(deployment));
                }
                dice = Dice::roll(rng);
            }
        }
        let options = if self.has_meeple() { u32::from(shape.segment_count) } else { 0 };
        loop {
            let (slot, rotation) = pick_placement(placements, &mut dice);
            let option = dice.below(options + 1);
            if option == 0 || self.is_free(slot, shape, option as usize - 1, rotation) {
                return (slot, rotation, Deployment::meeple_option(option as u8));
            }
            dice = Dice::roll(rng);
        }
    }

    /// What is done with a figure after a placement on this cell, uniform over all that is legal. A bit of `free` tells
    /// that the feature of the segment has no figure.
    #[inline(always)]
    fn pick_deployment(&self, kind: TileKind, free: u32, cell: Cell, mut dice: Dice) -> Option<Deployment> {
        if E::EXPANDED {
            let free = self.figure_options(kind).free(free, self.can_recall(cell));
            let option = dice.below(free.count_ones() + 1);
            (option > 0).then(|| Options::deployment(bits::nth_one(free.into(), option - 1)))
        } else {
            let count = self.shape(kind).segment_count;
            // Without a branch, which is often predicted wrongly.
            let has_meeple = u64::from(self.has_meeple());
            // No meeple is option 0, in front of the segments.
            let options = (u64::from(free) & ((has_meeple << count) - has_meeple)) << 1 | 1;
            Deployment::meeple_option(bits::nth_one(options, dice.below(options.count_ones())) as u8)
        }
    }

    /// The figures that the player to move may place on a tile of this kind.
    #[inline]
    fn figure_options(&self, kind: TileKind) -> Options {
        let shape = self.shape(kind);
        let mut segments = 0;
        for figure in Figure::ALL {
            if self.has_figure(self.player(), figure) {
                segments |= self.figure_segments(shape, figure) << (Options::EACH * figure as u32);
            }
        }
        Options { segments, may_recall: self.abbot_cell(self.player()).is_some() }
    }
}

/// A placement, uniform over distinct pairs of cell and orientation.
#[inline(always)]
fn pick_placement<E: Edition>(placements: &LegalPlacements<E>, dice: &mut Dice) -> (u8, u8) {
    placements.nth(dice.below(placements.count))
}

/// A placement, uniform over cells, then over the rotations that fit there.
#[inline(always)]
fn pick_by_cell<E: Edition>(placements: &LegalPlacements<E>, dice: &mut Dice) -> (u8, u8) {
    placements.nth_cell(|cells| dice.below(cells))
}

/// What the player to move may do with figures: for each kind of figure the segments on which it may stand, as a set of
/// [`Options::EACH`] bits, and above them a bit for taking the abbot back.
struct Options {
    segments: u32,
    may_recall: bool,
}

impl Options {
    /// The bits of each kind of figure.
    const EACH: u32 = MAX_SEGMENTS as u32;
    const RECALL: u32 = Options::EACH * Figure::ALL.len() as u32;

    /// Those of the options whose segment is in this set.
    #[inline]
    fn free(&self, segments: u32, recall: bool) -> u32 {
        let each = segments & ((1 << Options::EACH) - 1);
        let of_all = each | each << Options::EACH | each << (2 * Options::EACH);
        self.segments & of_all | u32::from(recall) << Options::RECALL
    }

    /// The option of this bit.
    #[inline]
    fn deployment(bit: u32) -> Deployment {
        if bit == Options::RECALL {
            return Deployment::RECALL;
        }
        let figure = Figure::ALL[(bit / Options::EACH) as usize % 3];
        Deployment::new(figure, SegmentId::new((bit % Options::EACH) as u8))
    }
}
