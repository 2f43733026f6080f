//! Müller's simple players: ratings of placements and meeples that look at the features around a cell and play nothing
//! (Müller 2014, 5.1.6; Algorithms 6 and 7).
//!
//! A segment of the tile meets features on the adjacent tiles. Their points and meeples are added up, side by side, so a
//! feature that the tile meets at two sides counts twice, and what the tile connects beyond the adjacent tiles is not seen: a
//! meeple that looks possible may be against the rules. Then a random meeple choice of the placement is played.
//!
//! The thesis leaves some constants open; [`Weights`] takes those of its published program (Carcasum). It knows no expansions: a
//! garden is rated as a monastery, every figure as a meeple, and taking the abbot back adds nothing to a placement.

use super::action::{Deployment, Move, SegmentId};
use super::bits;
use super::edition::Edition;
use super::feature::Feature;
use super::limits::{MAX_SEATS, MAX_SEGMENTS, MEEPLES};
use super::scoring::{city_of_field, unfinished_value};
use super::shape::Shape;
use super::state::State;
use super::tile::FeatureKind;
use crate::sampling::below;
use rand::Rng;

/// Which of the three players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::carcassonne) enum SimplePlayer {
    /// Looks at one adjacent tile at a time, at roads and cities only.
    One,
    /// Algorithm 6.
    Two,
    /// Algorithm 7.
    Three,
}

/// By meeples in supply: what it costs to place one.
const MEEPLE_PENALTY: [f64; MEEPLES as usize + 1] = [24.0, 22.0, 14.0, 8.0, 5.0, 3.0, 2.0, 1.0];

/// The constants of a rating.
#[derive(Clone, Copy, Debug)]
struct Weights {
    /// Per point of a feature that the seat has.
    mine: f64,
    /// Per point of a feature that another seat has.
    others: f64,
    /// Per point of a feature without meeples.
    open: f64,
    /// What a meeple costs.
    meeple: f64,
    /// By [`FeatureKind`]: city, road, field, monastery.
    kinds: [f64; 4],
}

impl Weights {
    fn of(player: SimplePlayer, seats: u8, supply: u8) -> Weights {
        let seats = f64::from(seats);
        let meeple = MEEPLE_PENALTY[usize::from(supply) % MEEPLE_PENALTY.len()];
        match player {
            SimplePlayer::One => {
                Weights { mine: seats, others: seats - 1.0, open: 0.0, meeple: 0.0, kinds: [3.0, 2.0, 0.0, 0.0] }
            }
            SimplePlayer::Two => Weights {
                mine: 10.0 * seats,
                others: 10.0 * (seats - 1.0),
                open: 1.0,
                meeple,
                kinds: [6.0, 2.0, 1.0, 0.0],
            },
            SimplePlayer::Three => Weights {
                mine: 10.0 * seats,
                others: 10.0 * (seats - 1.0),
                open: 0.0,
                meeple,
                kinds: [30.0, 10.0, 1.0, 10.0],
            },
        }
    }
}

/// Meeples of a feature, one byte per seat: those of even seats and those of odd ones. Sums over four sides fit.
#[derive(Clone, Copy, Default)]
struct MeepleSum {
    even: u64,
    odd: u64,
}

impl MeepleSum {
    /// Every second group of four bits.
    const LOW: u64 = 0x0f0f_0f0f;

    #[inline]
    fn add<E: Edition>(&mut self, feature: Feature<E>) {
        if E::EXPANDED {
            for (seat, strength) in feature.meeples().strengths::<E>().into_iter().enumerate() {
                let word = if seat.is_multiple_of(2) { &mut self.even } else { &mut self.odd };
                *word += u64::from(strength) << (8 * (seat / 2));
            }
            return;
        }
        let meeples = feature.meeples().packed();
        self.even += meeples & Self::LOW;
        self.odd += meeples >> 4 & Self::LOW;
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.even | self.odd == 0
    }

    #[inline]
    fn of(self, seat: usize) -> u8 {
        let word = if seat.is_multiple_of(2) { self.even } else { self.odd };
        (word >> (8 * (seat / 2))) as u8
    }
}

/// The rating of a placement without a meeple, and what a meeple on each segment adds.
#[derive(Clone, Copy, Debug)]
struct PlacementRating {
    points: f64,
    /// Minus infinity where no meeple can be placed, as far as the rating sees.
    meeples: [f64; MAX_SEGMENTS],
}

/// Rates the placements of the tile in hand.
struct SimpleRating<'a, E: Edition> {
    player: SimplePlayer,
    state: &'a State<E>,
    shape: &'a Shape<E>,
    weights: Weights,
    /// The set of segments on which the seat may place a figure, as far as its figures go.
    claimable: u32,
    has_monastery: bool,
}

impl<'a, E: Edition> SimpleRating<'a, E> {
    fn of(player: SimplePlayer, state: &'a State<E>) -> Option<SimpleRating<'a, E>> {
        let shape = state.shape(state.hand()?);
        let supply = state.meeples_left()[state.player()];
        let weights = Weights::of(player, state.rules.seats, supply);
        let has_monastery = shape.edged < shape.segment_count;
        Some(SimpleRating { player, state, shape, weights, claimable: state.claimable_segments(shape), has_monastery })
    }

    #[inline]
    fn placement(&self, slot: u8, rotation: u8) -> PlacementRating {
        match self.player {
            SimplePlayer::One | SimplePlayer::Two if self.has_monastery => self.by_rule(slot),
            SimplePlayer::One => self.one_side_at_a_time(slot, rotation),
            SimplePlayer::Two => self.all_sides::<false>(slot, rotation),
            SimplePlayer::Three => self.all_sides::<true>(slot, rotation),
        }
    }

    #[inline]
    fn can_claim(&self, segment: usize) -> bool {
        self.claimable >> segment & 1 == 1
    }

    fn tiles_around(&self, slot: u8) -> f64 {
        self.state.board.tiles_around(self.state.board.cell(slot)).into()
    }

    /// The fixed rule of the first two players for a monastery: the cell with the most tiles around it and a monk, or the cell
    /// with the fewest if there is no meeple.
    fn by_rule(&self, slot: u8) -> PlacementRating {
        let (around, mut meeples) = (self.tiles_around(slot), [f64::NEG_INFINITY; MAX_SEGMENTS]);
        if !self.can_claim(self.shape.edged.into()) {
            return PlacementRating { points: -around, meeples };
        }
        meeples[usize::from(self.shape.edged)] = 1.0;
        PlacementRating { points: around, meeples }
    }

    /// The value of a feature next to the cell, and whether it is a field.
    #[inline]
    fn score(&self, kind: FeatureKind, feature: Feature<E>) -> f64 {
        match kind {
            FeatureKind::Field => {
                f64::from(city_of_field::<E>(&self.state.rules) * self.state.scoring.cities_touched(feature))
            }
            kind => f64::from(unfinished_value(&self.state.rules, kind, feature)),
        }
    }

    /// Points for the seats with the most of these meeples.
    #[inline]
    fn owned(&self, score: f64, meeples: MeepleSum) -> f64 {
        let most = (0..MAX_SEATS).map(|seat| meeples.of(seat)).max().unwrap_or(0);
        let winners = (0..MAX_SEATS).filter(|seat| meeples.of(*seat) == most);
        let weight = |seat| if seat == self.state.player() { self.weights.mine } else { -self.weights.others };
        winners.map(|seat| weight(seat) * score).sum()
    }

    /// Algorithms 6 and 7 without the rule for monasteries. With `THREE`, open ends count.
    #[inline]
    fn all_sides<const THREE: bool>(&self, slot: u8, rotation: u8) -> PlacementRating {
        let Weights { mine, open: open_weight, meeple: penalty, kinds, .. } = self.weights;
        let board = &self.state.board;
        let ids = board.neighbour_ids(slot);
        let mut rating = PlacementRating { points: 0.0, meeples: [f64::NEG_INFINITY; MAX_SEGMENTS] };
        let edged = usize::from(self.shape.edged) % (MAX_SEGMENTS + 1);
        for (index, segment) in self.shape.segments[..edged].iter().enumerate() {
            let kind = segment.kind();
            let joins = segment.joins(rotation);
            let is_field = kind == FeatureKind::Field;
            let mut score = if is_field { 0.0 } else { 1.0 + f64::from(segment.pennants()) };
            let mut open = joins.count_ones() as i32;
            let mut meeples = MeepleSum::default();
            for port in bits::ones(joins.into()) {
                let id = ids[port as usize % 16];
                if id == 0 {
                    continue;
                }
                let feature = self.state.features.root(id);
                let other = self.score(kind, feature);
                score = match (is_field, THREE) {
                    (false, _) => score + other,
                    (true, false) => score.max(other),
                    (true, true) => 0.5 * (score + other),
                };
                open += feature.open_end_count() - 2;
                meeples.add(feature);
            }
            let weight = kinds[kind as usize];
            if meeples.is_empty() {
                rating.points -= score * open_weight * weight;
                if self.can_claim(index) {
                    let ends = if THREE && !is_field { f64::from(open) } else { 1.0 };
                    rating.meeples[index] = (score * mine - ends * penalty) * weight;
                }
            } else {
                rating.points += self.owned(score, meeples) * weight;
            }
        }
        if self.has_monastery && self.can_claim(edged) {
            let score = 1.0 + self.tiles_around(slot);
            let weight = kinds[FeatureKind::Monastery as usize];
            rating.meeples[edged] = (score * mine - (9.0 - score) * penalty / 9.0) * weight;
        }
        rating
    }

    /// The first player: every side by itself; what joins nothing is not seen.
    fn one_side_at_a_time(&self, slot: u8, rotation: u8) -> PlacementRating {
        let ids = self.state.board.neighbour_ids(slot);
        let mut rating = PlacementRating { points: 0.0, meeples: [f64::NEG_INFINITY; MAX_SEGMENTS] };
        for (index, segment) in self.shape.segments[..usize::from(self.shape.closable)].iter().enumerate() {
            let (kind, own) = (segment.kind(), 1.0 + f64::from(segment.pennants()));
            for port in bits::ones(segment.joins(rotation).into()) {
                let id = ids[port as usize % 16];
                if id == 0 {
                    continue;
                }
                let feature = self.state.features.root(id);
                let (score, weight) = (own + self.score(kind, feature), self.weights.kinds[kind as usize]);
                let mut meeples = MeepleSum::default();
                meeples.add(feature);
                if !meeples.is_empty() {
                    rating.points += self.owned(score, meeples) * weight;
                } else if self.can_claim(index) {
                    rating.meeples[index] = rating.meeples[index].max(score * self.weights.mine * weight);
                }
            }
        }
        rating
    }
}

impl<E: Edition> State<E> {
    /// The move of a simple player with the tile in hand; a random one among equal ratings. `best` is memory that is reused.
    /// A tile must be in hand.
    pub(in crate::carcassonne) fn simple_move(
        &self,
        player: SimplePlayer,
        best: &mut Vec<Move>,
        rng: &mut dyn Rng,
    ) -> Move {
        let rating = SimpleRating::of(player, self).expect("a tile is in hand");
        let kind = self.hand().expect("a tile is in hand");
        let placements = self.legal_placements(kind);
        let mut highest = f64::NEG_INFINITY;
        best.clear();
        for (slot, rotations) in placements.slots() {
            for rotation in bits::ones(rotations.into()).map(|rotation| rotation as u8) {
                let PlacementRating { points, meeples } = rating.placement(slot, rotation);
                // No meeple adds nothing; a meeple that costs more than it brings is not placed.
                let added = meeples.iter().copied().fold(0.0, |most, added| if added > most { added } else { most });
                let total = points + added;
                if total < highest {
                    continue;
                }
                if total > highest {
                    highest = total;
                    best.clear();
                }
                let cell = self.board.cell(slot);
                if added == 0.0 {
                    best.push(Move { cell, rotation, meeple: None });
                }
                for (segment, _) in meeples.iter().enumerate().filter(|(_, of_segment)| **of_segment == added) {
                    let meeple = Some(self.usual_deployment(rating.shape, SegmentId::new(segment as u8)));
                    best.push(Move { cell, rotation, meeple });
                }
            }
        }
        let rng = &mut &mut *rng;
        let chosen = best[below(rng, best.len())];
        self.or_random_meeple(chosen, rng)
    }

    /// The move, or the same placement with a random meeple choice if its meeple is against the rules.
    fn or_random_meeple(&self, chosen: Move, rng: &mut impl Rng) -> Move {
        let (Some(segment), Some(kind), Some(slot)) = (chosen.segment(), self.hand(), self.board.slot(chosen.cell))
        else {
            return chosen;
        };
        let shape = self.shape(kind);
        let is_free = |segment: usize| self.is_free(slot, shape, segment, chosen.rotation);
        if is_free(segment.index()) {
            return chosen;
        }
        let claimable = self.claimable_segments(shape);
        let free: Vec<usize> =
            (0..shape.segments().len()).filter(|segment| claimable >> segment & 1 == 1 && is_free(*segment)).collect();
        let segment = below(rng, free.len() + 1).checked_sub(1).map(|place| SegmentId::new(free[place] as u8));
        Move { meeple: segment.map(|segment| self.usual_deployment(shape, segment)), ..chosen }
    }

    /// Calls `visit` with the rating of each of these legal moves by a simple player, in their order.
    pub(in crate::carcassonne) fn each_simple_rating(
        &self,
        player: SimplePlayer,
        actions: &[Move],
        mut visit: impl FnMut(f64),
    ) {
        let Some(rating) = SimpleRating::of(player, self) else { return };
        let mut last: Option<(Move, PlacementRating)> = None;
        for action in actions {
            let placement = Move { meeple: None, ..*action };
            let of_placement = match last {
                Some((known, of_placement)) if known == placement => of_placement,
                _ => {
                    let slot = self.board.slot(action.cell).expect("a legal move has an open cell");
                    let of_placement = rating.placement(slot, action.rotation);
                    last = Some((placement, of_placement));
                    of_placement
                }
            };
            let segment = action.meeple.and_then(Deployment::segment);
            let added = segment.map_or(0.0, |segment| of_placement.meeples[segment.index()]);
            // A legal meeple that the first two players do not think of is worth less than any that they do.
            visit(of_placement.points + added.max(NOT_CONSIDERED));
        }
    }
}

/// Added to the rating of a placement for a legal meeple that a rating does not consider.
const NOT_CONSIDERED: f64 = -1e6;
