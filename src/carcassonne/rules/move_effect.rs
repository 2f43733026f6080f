//! What a move changes for the seats, computed for all moves of a position without playing them.
//!
//! Moves that differ only in their meeple share a placement. The tile is joined in the feature table of a scratch position,
//! the features that it touches are compared with what they were, and the table is taken back. A meeple goes on a feature
//! without meeples, so it adds the value of that feature for its seat and changes nothing else.

use super::action::{Deployment, Move};
use super::bits;
use super::board::Cell;
use super::edition::{Edition, SetWord, Table};
use super::feature::{Feature, Features, Meeples};
use super::limits::{MAX_SEATS, MAX_SEGMENTS};
use super::placement::{Placement, Surroundings, join};
use super::scoring::{city_of_field, complete_value, unfinished_value};
use super::state::State;
use super::tile::{FeatureKind, TileKind};

/// The most cities that one tile completes.
const MAX_CLOSED: usize = 4;

/// What a move changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::carcassonne) struct MoveEffect {
    /// Gain of the seat's virtual score.
    pub gain: i32,
    /// Loss of the virtual scores of all other seats together.
    pub others_loss: i32,
    /// Change of the figures that the seat has left.
    pub meeples: i32,
    /// Features with a meeple of any seat that are completed.
    pub completed: i32,
    /// Whether a meeple goes on a field.
    pub claims_field: bool,
}

/// What a meeple on a segment adds.
#[derive(Clone, Copy, Default)]
struct Claim {
    points: i32,
    is_complete: bool,
    is_field: bool,
}

/// What a placement changes, without a meeple and with one on each free segment.
struct PlacementEffect {
    effect: MoveEffect,
    claims: [Claim; MAX_SEGMENTS],
}

impl PlacementEffect {
    fn with(&self, meeple: Option<Deployment>) -> MoveEffect {
        let Some(deployment) = meeple else { return self.effect };
        let Some(segment) = deployment.segment() else {
            // What the abbot stood on scores now what it would score at the end.
            return MoveEffect {
                meeples: self.effect.meeples + 1,
                completed: self.effect.completed + 1,
                ..self.effect
            };
        };
        let claim = self.claims[segment.index()];
        MoveEffect {
            gain: self.effect.gain + claim.points,
            meeples: self.effect.meeples - i32::from(!claim.is_complete),
            completed: self.effect.completed + i32::from(claim.is_complete),
            claims_field: claim.is_field,
            ..self.effect
        }
    }
}

/// Adds up points by who receives them.
struct Account {
    player: u8,
    effect: MoveEffect,
}

impl Account {
    /// Points for the seats with the most of these meeples.
    #[inline]
    fn pay<E: Edition>(&mut self, points: i32, meeples: Meeples) {
        let meeples = meeples.strengths::<E>();
        let most = meeples.iter().copied().max().unwrap_or(0);
        if most == 0 {
            return;
        }
        for (seat, count) in meeples.into_iter().enumerate().take(MAX_SEATS) {
            if count == most && seat == usize::from(self.player) {
                self.effect.gain += points;
            } else if count == most {
                self.effect.others_loss -= points;
            }
        }
    }

    /// A feature is complete: its meeples go back.
    #[inline]
    fn complete<E: Edition>(&mut self, meeples: Meeples) {
        self.effect.completed += 1;
        self.effect.meeples += i32::from(meeples.figures::<E>(self.player));
    }
}

/// A set of feature ids.
#[derive(Clone, Copy, Default)]
struct IdSet([u64; 4]);

impl IdSet {
    /// Adds an id; false if it was there.
    #[inline]
    fn insert(&mut self, id: u8) -> bool {
        let (word, bit) = (usize::from(id) / 64, 1 << (id % 64));
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    #[inline]
    fn contains(&self, id: u8) -> bool {
        self.0[usize::from(id) / 64] >> (id % 64) & 1 == 1
    }
}

impl<E: Edition> State<E> {
    /// Calls `visit` with what each of these legal moves changes, in their order. `scratch` may be any position; afterwards
    /// it is not a valid one: overwrite it with [`clone_from`](Clone::clone_from) before any other use.
    pub(in crate::carcassonne) fn each_move_effect(
        &self,
        actions: &[Move],
        scratch: &mut State<E>,
        mut visit: impl FnMut(MoveEffect),
    ) {
        let Some(kind) = self.hand() else { return };
        scratch.features.copy_from(&self.features);
        let fields = self.scoring.claimed_fields(&self.features);
        let mut last: Option<(Cell, u8, PlacementEffect)> = None;
        for action in actions {
            let effect = match &last {
                Some((cell, rotation, effect)) if (*cell, *rotation) == (action.cell, action.rotation) => effect,
                _ => {
                    let effect = self.placement_effect(kind, action, &mut scratch.features, &fields);
                    &last.insert((action.cell, action.rotation, effect)).2
                }
            };
            visit(effect.with(action.meeple));
        }
    }

    fn placement_effect(
        &self,
        kind: TileKind,
        action: &Move,
        features: &mut Features<E>,
        fields: &[(u8, Feature<E>)],
    ) -> PlacementEffect {
        let slot = self.board.slot(action.cell).expect("a legal move has an open cell");
        let shape = self.shape(kind);
        let surroundings = Surroundings::of(&self.board, slot, action.rotation);
        let copy = self.placed_copies[kind.index() % <E::Kinds<u8> as Table<u8>>::LEN];
        let city_of_field = i32::from(city_of_field::<E>(&self.rules));
        let mut account = Account { player: self.player() as u8, effect: MoveEffect::default() };

        // The features around the cell lose what they are worth now.
        let mut joined = IdSet::default();
        for (port, &id) in surroundings.neighbour_ids().iter().enumerate() {
            if id == 0 || !joined.insert(id) {
                continue;
            }
            let feature = features.root(id);
            let segment = usize::from(shape.segment_at[port]);
            if feature.is_claimed() && segment < MAX_SEGMENTS {
                let points = match shape.segments[segment].kind() {
                    FeatureKind::Field => city_of_field * i32::from(self.scoring.cities_touched(feature)),
                    kind => i32::from(unfinished_value(&self.rules, kind, feature)),
                };
                account.pay::<E>(-points, feature.meeples());
            }
        }

        let placement = join(features, &self.rules, surroundings, kind, copy, |_, _| ());
        let (cities, count) = self.completed_cities(&placement, features);
        let cities = &cities[..count];
        let worth = |kind: FeatureKind, feature: Feature<E>| match kind {
            FeatureKind::Field => {
                let new = cities.iter().filter(|city| city.meets(feature.set)).count() as i32;
                city_of_field * (i32::from(self.scoring.cities_touched(feature)) + new)
            }
            _ if feature.is_closed() => i32::from(complete_value(&self.rules, kind, feature)),
            _ => i32::from(unfinished_value(&self.rules, kind, feature)),
        };

        // What they became gains what it is worth then.
        let mut seen = IdSet::default();
        for (index, segment) in shape.segments[..usize::from(shape.edged)].iter().enumerate() {
            let id = placement.ids.of(index);
            let feature = features.root(id);
            if !seen.insert(id) || !feature.is_claimed() {
                continue;
            }
            account.pay::<E>(worth(segment.kind(), feature), feature.meeples());
            if segment.kind() != FeatureKind::Field && feature.is_closed() {
                account.complete::<E>(feature.meeples());
            }
        }
        for (id, field) in fields.iter().filter(|(id, _)| !joined.contains(*id)) {
            debug_assert!(!seen.contains(*id));
            let new = cities.iter().filter(|city| city.meets(field.set)).count() as i32;
            account.pay::<E>(city_of_field * new, field.meeples());
        }
        self.scoring.each_monastery_near(action.cell, |meeples, is_complete| {
            account.pay::<E>(1, meeples);
            if is_complete {
                account.complete::<E>(meeples);
            }
        });

        let mut claims = [Claim::default(); MAX_SEGMENTS];
        let claimable = self.claimable_segments(shape);
        if claimable != 0 {
            for (index, segment) in shape.segments().iter().enumerate() {
                if (placement.free & claimable) >> index & 1 == 0 {
                    continue;
                }
                claims[index] = match segment.kind() {
                    FeatureKind::Monastery | FeatureKind::Garden => {
                        let points = 1 + i32::from(self.board.tiles_around(action.cell));
                        Claim { points, is_complete: points == 9, is_field: false }
                    }
                    kind => {
                        let feature = features.root(placement.ids.of(index));
                        let is_field = kind == FeatureKind::Field;
                        Claim { points: worth(kind, feature), is_complete: !is_field && feature.is_closed(), is_field }
                    }
                };
            }
        }
        features.restore(&self.features, surroundings.neighbour_ids());
        PlacementEffect { effect: account.effect, claims }
    }

    /// The segments of each city that a joined tile completes.
    fn completed_cities(&self, placement: &Placement, features: &Features<E>) -> ([E::Set; MAX_CLOSED], usize) {
        let shape = self.shape(placement.kind);
        let (mut cities, mut count, mut seen) = ([E::Set::default(); MAX_CLOSED], 0, IdSet::default());
        for segment in bits::ones(placement.closed.into()) {
            let id = placement.ids.of(segment as usize);
            let is_city = shape.segments[segment as usize % MAX_SEGMENTS].kind() == FeatureKind::City;
            if is_city && seen.insert(id) {
                cities[count] = features.root(id).set & E::tables(self.rules.tiles).city_segments;
                count += 1;
            }
        }
        (cities, count)
    }
}
