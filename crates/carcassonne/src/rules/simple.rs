//! Müller's simple players: ratings of placements and meeples that look at the features around a cell and play nothing
//! (Müller 2014, 5.1.6; Algorithms 6 and 7).
//!
//! A segment of the tile meets features on the adjacent tiles. Their points and meeples are added up, side by side, so
//! a feature that the tile meets at two sides counts twice, and what the tile connects beyond the adjacent tiles is not
//! seen: a meeple that looks possible may be against the rules. Then a random meeple choice of the placement is played.
//!
//! The thesis leaves some constants open; [`Weights`] takes those of its published program (Carcasum). It knows no
//! expansions: a garden is rated as a monastery, every figure as a meeple, and taking the abbot back adds nothing to a
//! placement.

use super::action::{Move, SegmentId};
use super::bits;
use super::edition::{Edition, SetWord};
use super::feature::Feature;
use super::limits::{MAX_SEGMENTS, MEEPLES};
use super::scoring::{FieldCities, unfinished_value};
use super::shape::Shape;
use super::state::State;
use super::tile::{Edge, FeatureKind, Side};
use evouct_base::sampling::below;
use rand::Rng;

/// Which of the three players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SimplePlayer {
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

/// Meeples of a feature, one byte per seat. Sums over four sides fit.
#[derive(Clone, Copy, Default)]
struct MeepleSum(u64);

impl MeepleSum {
    #[inline]
    fn of<E: Edition>(feature: Feature<E>) -> MeepleSum {
        if E::EXPANDED {
            let strengths = feature.meeples().strengths::<E>();
            return MeepleSum(strengths.iter().rev().fold(0, |bytes, strength| bytes << 8 | u64::from(*strength)));
        }
        // Six groups of four bits become six bytes.
        let groups = feature.meeples().packed() & 0xff_ffff;
        let groups = (groups | groups << 16) & 0xff_0000_ffff;
        let groups = (groups | groups << 8) & 0x00ff_00ff_00ff;
        MeepleSum((groups | groups << 4) & 0x0f0f_0f0f_0f0f)
    }

    #[inline]
    fn add(&mut self, others: MeepleSum) {
        self.0 += others.0;
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    fn of_seat(self, seat: usize) -> u8 {
        (self.0 >> (8 * seat)) as u8
    }
}

/// The rating of a placement without a meeple, and what a meeple on each segment adds.
#[derive(Clone, Copy, Debug)]
struct PlacementRating {
    points: f64,
    /// Minus infinity where no meeple can be placed, as far as the rating sees.
    meeples: [f64; MAX_SEGMENTS],
}

impl PlacementRating {
    /// No points, and no meeple can be placed.
    const NONE: PlacementRating = PlacementRating { points: 0.0, meeples: [f64::NEG_INFINITY; MAX_SEGMENTS] };

    /// The rating of a legal move with this placement.
    #[inline]
    fn of(&self, action: &Move) -> f64 {
        let added = action.segment().map_or(0.0, |segment| self.meeples[segment.index() % MAX_SEGMENTS]);
        // A legal meeple that the first two players do not think of is worth less than any that they do.
        self.points + added.max(NOT_CONSIDERED)
    }
}

/// The sum over a segment and the features that it meets.
#[derive(Clone, Copy, Default)]
struct Sum {
    score: f64,
    /// Open ends.
    open: i32,
    meeples: MeepleSum,
}

/// What the kind of a segment and the player decide.
#[derive(Clone, Copy, Default)]
struct SegmentWeights {
    weight: f64,
    /// What a meeple costs for each open end, and in any case.
    of_end: f64,
    fixed: f64,
    /// What forbids a meeple, without and with others on the features: 0 if nothing, otherwise infinity.
    refused: [f64; 2],
}

/// A feature that a tile meets at a port of an open cell.
#[derive(Clone, Copy, Default)]
struct Met {
    port: u8,
    feature: Sum,
}

impl Met {
    /// Whether it is a city or a road: those meet at the middle of a side.
    #[inline]
    fn is_closable(&self) -> bool {
        self.port % 4 == 1
    }
}

/// The most features that a tile meets: a road and two fields on each side.
const MOST_MET: usize = 12;

/// Rates the placements of the tile in hand.
///
/// What a segment is worth alone is computed once, and what the features around a cell are worth once for all
/// rotations. All sums are exact, so their order does not matter, except for fields, whose points are halved in the
/// order of the ports.
struct SimpleRating<'a, E: Edition> {
    player: SimplePlayer,
    state: &'a State<E>,
    shape: &'a Shape<E>,
    weights: Weights,
    city_of_field: f64,
    cities: FieldCities<'a, E>,
    /// The set of segments on which the seat may place a figure, as far as its figures go.
    claimable: u32,
    has_monastery: bool,
    segments: [SegmentWeights; MAX_SEGMENTS],
    /// By segment: what it adds up to alone.
    bases: [Sum; MAX_SEGMENTS],
    /// What a point of a feature is worth without meeples, and with two seats if the player to move has the most there
    /// (1), the other one has (2), or both have (3).
    worths: [f64; 4],
    /// The rating of a placement whose segments meet nothing, and by segment what of its points is the segment's.
    alone: PlacementRating,
    points_alone: [f64; MAX_SEGMENTS],
    /// By half of the segments and by set of them: the most that a meeple on one of them adds if they meet nothing.
    most_alone: [[f64; 16]; 2],
    /// The slot of `met`; 0 for none.
    slot: u8,
    met: [Met; MOST_MET],
    met_count: usize,
}

impl<'a, E: Edition> SimpleRating<'a, E> {
    fn of(player: SimplePlayer, state: &'a State<E>) -> Option<SimpleRating<'a, E>> {
        let shape = state.shape(state.hand()?);
        let supply = state.meeples_left()[state.player()];
        let weights = Weights::of(player, state.rules.seats, supply);
        let mut rating = SimpleRating {
            player,
            state,
            shape,
            weights,
            city_of_field: state.rules.fields.points().into(),
            cities: FieldCities::of(&state.scoring, &state.features),
            claimable: state.claimable_segments(shape),
            has_monastery: shape.edged < shape.segment_count,
            segments: [SegmentWeights::default(); MAX_SEGMENTS],
            bases: [Sum::default(); MAX_SEGMENTS],
            worths: [-weights.open, weights.mine, -weights.others, weights.mine - weights.others],
            alone: PlacementRating::NONE,
            points_alone: [0.0; MAX_SEGMENTS],
            most_alone: [[f64::NEG_INFINITY; 16]; 2],
            slot: 0,
            met: [Met::default(); MOST_MET],
            met_count: 0,
        };
        for (index, segment) in shape.segments[..usize::from(shape.edged)].iter().enumerate() {
            let is_field = segment.kind() == FeatureKind::Field;
            let score = if is_field { 0.0 } else { 1.0 + f64::from(segment.pennants()) };
            let open = segment.joins(0).count_ones() as i32;
            rating.bases[index] = Sum { score, open, meeples: MeepleSum::default() };
            let (penalty, counts_ends) = (rating.weights.meeple, player == SimplePlayer::Three && !is_field);
            let (of_end, fixed) = if counts_ends { (penalty, 0.0) } else { (0.0, penalty) };
            let weight = rating.weights.kinds[segment.kind() as usize];
            let refused = [if rating.can_claim(index) { 0.0 } else { f64::INFINITY }, f64::INFINITY];
            rating.segments[index] = SegmentWeights { weight, of_end, fixed, refused };
            if player != SimplePlayer::One {
                let (points, meeple) = rating.segment(index, &rating.bases[index]);
                rating.points_alone[index] = points;
                rating.alone.points += points;
                rating.alone.meeples[index] = meeple;
            }
        }
        for (half, known) in rating.most_alone.iter_mut().enumerate() {
            for set in 1..16_usize {
                let last = 4 * half + set.ilog2() as usize;
                known[set] = most(known[set & !(1 << set.ilog2())], rating.alone.meeples[last]);
            }
        }
        Some(rating)
    }

    /// The rating of a placement without a meeple, and what each meeple adds.
    ///
    /// It is written to memory of the caller: returned, it would be copied by wide reads that wait for the narrow
    /// writes just made.
    #[inline]
    fn placement(&mut self, slot: u8, rotation: u8, rating: &mut PlacementRating) {
        if let Some(simple) = self.without_sums(slot, rotation) {
            *rating = simple;
            return;
        }
        *rating = self.alone;
        let PlacementRating { points, meeples } = rating;
        *points += self.each_segment_that_joins(slot, rotation, |segment, added| meeples[segment] = added);
    }

    /// The rating of a placement without a meeple, and the most that a meeple adds.
    #[inline]
    fn best(&mut self, slot: u8, rotation: u8) -> (f64, f64) {
        if let Some(PlacementRating { points, meeples }) = self.without_sums(slot, rotation) {
            return (points, meeples.into_iter().fold(f64::NEG_INFINITY, most));
        }
        let (mut others, mut added) = (!0_usize, f64::NEG_INFINITY);
        let points = self.each_segment_that_joins(slot, rotation, |segment, meeple| {
            others ^= 1 << segment;
            added = most(added, meeple);
        });
        let others = most(self.most_alone[0][others % 16], self.most_alone[1][others / 16 % 16]);
        (self.alone.points + points, most(added, others))
    }

    /// What a placement has beyond the points of its segments alone. `visit` is called with the segments that meet
    /// something and with a monastery, each with what a meeple there adds.
    #[inline]
    fn each_segment_that_joins(&mut self, slot: u8, rotation: u8, visit: impl FnMut(usize, f64)) -> f64 {
        self.meet(slot);
        if self.player == SimplePlayer::Two {
            self.all_sides(slot, rotation, visit, |known, met| {
                if met.is_closable() { known + met.feature.score } else { known.max(met.feature.score) }
            })
        } else {
            // One form for both kinds of feature, because which it is cannot be predicted.
            self.all_sides(slot, rotation, visit, |known, met| {
                [0.5, 1.0][usize::from(met.is_closable())] * (known + met.feature.score)
            })
        }
    }

    /// The rating by the rules of the first two players that add nothing up: that of both for a monastery, and that of
    /// the first one for single sides. None for all others.
    #[inline]
    fn without_sums(&mut self, slot: u8, rotation: u8) -> Option<PlacementRating> {
        match self.player {
            SimplePlayer::One | SimplePlayer::Two if self.has_monastery => Some(self.by_rule(slot)),
            SimplePlayer::One => {
                self.meet(slot);
                Some(self.one_side_at_a_time(rotation))
            }
            _ => None,
        }
    }

    #[inline]
    fn can_claim(&self, segment: usize) -> bool {
        self.claimable >> segment & 1 == 1
    }

    fn tiles_around(&self, slot: u8) -> f64 {
        self.state.board.tiles_around(self.state.board.cell(slot)).into()
    }

    /// The fixed rule of the first two players for a monastery: the cell with the most tiles around it and a monk, or
    /// the cell with the fewest if there is no meeple.
    fn by_rule(&self, slot: u8) -> PlacementRating {
        let (around, mut meeples) = (self.tiles_around(slot), [f64::NEG_INFINITY; MAX_SEGMENTS]);
        if !self.can_claim(self.shape.edged.into()) {
            return PlacementRating { points: -around, meeples };
        }
        meeples[usize::from(self.shape.edged)] = 1.0;
        PlacementRating { points: around, meeples }
    }

    /// Looks up the features around a cell, in the order of the ports.
    #[inline]
    fn meet(&mut self, slot: u8) {
        if self.slot == slot {
            return;
        }
        let State { board, features, rules, .. } = self.state;
        self.slot = slot;
        self.met_count = 0;
        let sides = board.neighbour_ids(slot).as_chunks::<4>().0;
        for side in bits::ones(board.sides(slot).into()) {
            let [left, middle, right, _] = sides[side as usize % 4];
            let mut add = |position: u8, id: u8, score: f64, open: i32| {
                let meeples = MeepleSum::of(features.root(id));
                let met = Met { port: 4 * side as u8 + position, feature: Sum { score, open, meeples } };
                self.met[self.met_count % MOST_MET] = met;
                self.met_count += 1;
            };
            let mut field = |id: u8| self.city_of_field * f64::from(self.cities.set(id).count());
            let mut closable = |kind: FeatureKind| {
                let feature = features.root(middle);
                add(1, middle, unfinished_value(rules, kind, feature).into(), feature.open_end_count() - 2);
            };
            if left == 0 {
                closable(FeatureKind::City);
                continue;
            }
            let river = E::EXPANDED && board.neighbour_edge(slot, Side::ALL[side as usize % 4]) == Some(Edge::River);
            let points = field(left);
            // A side of field alone counts once.
            if middle == 0 && !river {
                add(0, left, points, -2);
                continue;
            }
            let points = [points, field(right)];
            if !river {
                closable(FeatureKind::Road);
            }
            add(0, left, points[0], -2);
            add(2, right, points[1], -2);
        }
    }

    /// The segment of the tile that meets a feature.
    #[inline]
    fn segment_at(&self, met: &Met, rotation: u8) -> usize {
        let port = met.port.wrapping_sub(4 * rotation) % 16;
        usize::from(self.shape.segment_at[usize::from(port)]) % MAX_SEGMENTS
    }

    /// What a point of a feature with these meeples is worth: the seats with the most of them have it.
    #[inline]
    fn worth(&self, meeples: MeepleSum) -> f64 {
        let seats = usize::from(self.state.rules.seats);
        if seats == 2 {
            let player = self.state.player();
            let (mine, other) = (meeples.of_seat(player), meeples.of_seat(player ^ 1));
            let owners = usize::from(mine >= other) | usize::from(other >= mine) << 1;
            // Without a branch, which is often predicted wrongly.
            return self.worths[owners * usize::from(!meeples.is_empty())];
        }
        if meeples.is_empty() {
            return self.worths[0];
        }
        let most = (0..seats).map(|seat| meeples.of_seat(seat)).max().unwrap_or(0);
        let winners = (0..seats).map(|seat| i32::from(meeples.of_seat(seat) == most)).sum::<i32>();
        let mine = i32::from(meeples.of_seat(self.state.player()) == most);
        f64::from(mine) * self.weights.mine - f64::from(winners - mine) * self.weights.others
    }

    /// The points of a segment that adds up to this, and what a meeple on it adds.
    #[inline]
    fn segment(&self, index: usize, sum: &Sum) -> (f64, f64) {
        let Sum { score, open, meeples } = *sum;
        let SegmentWeights { weight, of_end, fixed, refused } = self.segments[index];
        let meeple = (score * self.weights.mine - (f64::from(open) * of_end + fixed)) * weight;
        let points = score * self.worth(meeples) * weight;
        (points, meeple - refused[usize::from(!meeples.is_empty())])
    }

    /// Algorithms 6 and 7 without the rule for monasteries. `with` is what the points of a segment come to with those
    /// of a feature that it meets.
    #[inline(always)]
    fn all_sides(
        &self,
        slot: u8,
        rotation: u8,
        mut visit: impl FnMut(usize, f64),
        with: impl Fn(f64, &Met) -> f64,
    ) -> f64 {
        let (mut sums, mut joined) = (self.bases, 0_u32);
        for met in &self.met[..self.met_count] {
            let index = self.segment_at(met, rotation);
            joined |= 1 << index;
            let sum = &mut sums[index];
            sum.score = with(sum.score, met);
            sum.open += met.feature.open;
            sum.meeples.add(met.feature.meeples);
        }
        let mut points = 0.0;
        for index in bits::ones(joined.into()) {
            let index = index as usize % MAX_SEGMENTS;
            let (of_segment, meeple) = self.segment(index, &sums[index]);
            points += of_segment - self.points_alone[index];
            visit(index, meeple);
        }
        let edged = usize::from(self.shape.edged) % MAX_SEGMENTS;
        if self.has_monastery && self.can_claim(edged) {
            let Weights { mine, meeple: penalty, kinds, .. } = self.weights;
            let score = 1.0 + self.tiles_around(slot);
            let weight = kinds[FeatureKind::Monastery as usize];
            visit(edged, (score * mine - (9.0 - score) * penalty / 9.0) * weight);
        }
        points
    }

    /// The first player: every side by itself; what joins nothing is not seen.
    fn one_side_at_a_time(&self, rotation: u8) -> PlacementRating {
        let mut rating = self.alone;
        for met in self.met[..self.met_count].iter().filter(|met| met.is_closable()) {
            let index = self.segment_at(met, rotation);
            let score = self.bases[index].score + met.feature.score;
            let weight = self.segments[index].weight;
            if !met.feature.meeples.is_empty() {
                rating.points += score * self.worth(met.feature.meeples) * weight;
            } else if self.can_claim(index) {
                rating.meeples[index] = rating.meeples[index].max(score * self.weights.mine * weight);
            }
        }
        rating
    }
}

impl<E: Edition> State<E> {
    /// The move of a simple player with the tile in hand; a random one among equal ratings. `best` is memory that is
    /// reused. A tile must be in hand.
    pub(crate) fn simple_move(&self, player: SimplePlayer, best: &mut Vec<Move>, rng: &mut dyn Rng) -> Move {
        let mut rating = SimpleRating::of(player, self).expect("a tile is in hand");
        let kind = self.hand().expect("a tile is in hand");
        let placements = self.legal_placements(kind);
        let (shape, segments) = (rating.shape, usize::from(rating.shape.segment_count) % (MAX_SEGMENTS + 1));
        let (mut highest, mut placed) = (f64::NEG_INFINITY, PlacementRating::NONE);
        best.clear();
        for (slot, rotations) in placements.slots() {
            for rotation in bits::ones(rotations.into()).map(|rotation| rotation as u8) {
                // No meeple adds nothing; a meeple that costs more than it brings is not placed.
                let (points, added) = rating.best(slot, rotation);
                let total = points + most(added, 0.0);
                if total < highest {
                    continue;
                }
                if total > highest {
                    highest = total;
                    best.clear();
                }
                let cell = self.board.cell(slot);
                if added <= 0.0 {
                    best.push(Move { cell, rotation, meeple: None });
                }
                if added >= 0.0 {
                    rating.placement(slot, rotation, &mut placed);
                    let meeples = placed.meeples[..segments].iter().enumerate();
                    for (segment, _) in meeples.filter(|(_, of_segment)| **of_segment == added) {
                        let meeple = Some(self.usual_deployment(shape, SegmentId::new(segment as u8)));
                        best.push(Move { cell, rotation, meeple });
                    }
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

    /// Fills `moves` with all legal moves, and pushes their ratings by a simple player to `ratings`, in the same order.
    pub(crate) fn rate_legal_moves(&self, player: SimplePlayer, moves: &mut Vec<Move>, ratings: &mut Vec<f64>) {
        moves.clear();
        let (Some(kind), Some(mut rating)) = (self.hand(), SimpleRating::of(player, self)) else { return };
        let mut placed = PlacementRating::NONE;
        self.each_legal_placement(kind, |slot, rotation, free| {
            let first = moves.len();
            self.push_moves(rating.shape, slot, rotation, free, moves);
            rating.placement(slot, rotation, &mut placed);
            ratings.extend(moves[first..].iter().map(|action| placed.of(action)));
        });
    }

    /// Calls `visit` with the rating of each of these legal moves by a simple player, in their order.
    pub(crate) fn each_simple_rating(&self, player: SimplePlayer, actions: &[Move], mut visit: impl FnMut(f64)) {
        let Some(mut rating) = SimpleRating::of(player, self) else { return };
        let mut placed = PlacementRating::NONE;
        for group in actions.chunk_by(|action, next| (action.cell, action.rotation) == (next.cell, next.rotation)) {
            let slot = self.board.slot(group[0].cell).expect("a legal move has an open cell");
            rating.placement(slot, group[0].rotation, &mut placed);
            group.iter().for_each(|action| visit(placed.of(action)));
        }
    }
}

/// The greater of two numbers, of which none is NaN.
#[inline]
fn most(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// Added to the rating of a placement for a legal meeple that a rating does not consider.
const NOT_CONSIDERED: f64 = -1e6;

#[cfg(test)]
mod tests;
