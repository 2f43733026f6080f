//! What a move changes for the seats, computed for all moves of a position without playing them.
//!
//! Moves that differ only in their meeple share a placement. The segments of the tile and the features around the cell
//! are added up on the side: the words of a feature are sums and unions, so no table of the position is copied or
//! written. A meeple goes on a feature without meeples, so it adds the value of that feature for its seat and changes
//! nothing else.

use super::action::{Deployment, Move};
use super::bits;
use super::cell::Cell;
use super::edition::{Edition, FixedTable, SetWord};
use super::feature::{Feature, Meeples};
use super::limits::{MAX_SEATS, MAX_SEGMENTS};
use super::placement::Surroundings;
use super::scoring::{FieldCities, complete_value, unfinished_value};
use super::state::State;
use super::tile::{FeatureKind, TileKind};

/// The most cities that one tile completes.
const MAX_CLOSED: usize = 4;

/// Points of a field for each complete city, if each field scores by itself.
const CITY_OF_FIELD: i32 = 3;

/// What a move changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MoveEffect {
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

/// What the segments of a tile belong to once it is placed.
pub(super) struct Joined<E: Edition> {
    /// By segment: the first segment of the same feature.
    pub(super) first: [u8; MAX_SEGMENTS],
    /// By first segment: the feature.
    pub(super) features: [Feature<E>; MAX_SEGMENTS],
    /// By first segment of a field: the complete cities that it touches, without those that the tile completes.
    cities: [E::CitySet; MAX_SEGMENTS],
    /// The ids of the features around the cell, each once.
    ids: [u8; 16],
    /// By id: a segment that joins it.
    owners: [u8; 16],
    id_count: usize,
}

impl<E: Edition> Joined<E> {
    /// Of a tile without segments.
    #[inline]
    pub(super) fn new() -> Joined<E> {
        Joined {
            first: [0, 1, 2, 3, 4, 5, 6, 7],
            features: [Feature::default(); MAX_SEGMENTS],
            cities: [E::CitySet::default(); MAX_SEGMENTS],
            ids: [0; 16],
            owners: [0; 16],
            id_count: 0,
        }
    }

    /// The ids of the features around the cell, each once, and the first segment of the feature that each becomes.
    pub(super) fn met(&self) -> impl Iterator<Item = (u8, u8)> + '_ {
        let owners = self.owners.iter().map(|owner| self.first[usize::from(*owner) % MAX_SEGMENTS]);
        self.ids[..self.id_count].iter().copied().zip(owners)
    }

    /// The id of a neighbour's feature at a port of this segment. False if it was met at another port.
    fn meets(&mut self, id: u8, segment: usize) -> bool {
        let known = self.ids[..self.id_count].iter().position(|other| *other == id);
        if let Some(place) = known {
            self.merge(self.first[segment], self.first[usize::from(self.owners[place]) % MAX_SEGMENTS]);
            return false;
        }
        self.ids[self.id_count] = id;
        self.owners[self.id_count] = segment as u8;
        self.id_count += 1;
        true
    }

    /// Two segments belong to one feature, through what is around the cell.
    fn merge(&mut self, a: u8, b: u8) {
        if a == b {
            return;
        }
        let (into, from) = (a.min(b), a.max(b));
        let absorbed = self.features[usize::from(from)];
        self.features[usize::from(into)].add(absorbed);
        self.cities[usize::from(into)] |= self.cities[usize::from(from)];
        for first in &mut self.first {
            *first = if *first == from { into } else { *first };
        }
    }
}

/// What all placements of a position share. Each field scores by itself.
struct EffectContext<'a, E: Edition> {
    kind: TileKind,
    cities: FieldCities<'a, E>,
    /// The fields with meeples: only a placement that completes a city asks for them.
    fields: Option<Vec<(u8, Feature<E>)>>,
}

impl<E: Edition> State<E> {
    /// Calls `visit` with what each of these legal moves changes, in their order.
    pub(crate) fn each_move_effect(&self, actions: &[Move], mut visit: impl FnMut(MoveEffect)) {
        let Some(kind) = self.hand() else { return };
        let cities = FieldCities::of(&self.scoring, &self.features);
        let mut context = EffectContext { kind, cities, fields: None };
        let mut last: Option<(Cell, u8, PlacementEffect)> = None;
        for action in actions {
            let effect = match &last {
                Some((cell, rotation, effect)) if (*cell, *rotation) == (action.cell, action.rotation) => effect,
                _ => {
                    let effect = self.placement_effect(action, &mut context);
                    &last.insert((action.cell, action.rotation, effect)).2
                }
            };
            visit(effect.with(action.meeple));
        }
    }

    fn placement_effect(&self, action: &Move, context: &mut EffectContext<E>) -> PlacementEffect {
        let slot = self.board.slot(action.cell).expect("a legal move has an open cell");
        let shape = self.shape(context.kind);
        let surroundings = Surroundings::of(&self.board, slot, action.rotation);
        let mut account = Account { player: self.player() as u8, effect: MoveEffect::default() };
        let mut joined = Joined::new();
        self.join_beside(&mut joined, &surroundings, context.kind, |kind, id, feature, touched| {
            let worth = if kind == FeatureKind::Field {
                let cities = context.cities.set(id);
                *touched |= cities;
                CITY_OF_FIELD * cities.count() as i32
            } else if feature.is_claimed() {
                unfinished_value(&self.rules, kind, feature).into()
            } else {
                return;
            };
            if feature.is_claimed() {
                account.pay::<E>(-worth, feature.meeples());
            }
        });

        // The cities that the tile completes.
        let (mut completed, mut count) = ([E::Set::default(); MAX_CLOSED], 0);
        let edged = usize::from(shape.edged) % (MAX_SEGMENTS + 1);
        let closable = usize::from(shape.closable) % (MAX_SEGMENTS + 1);
        for (index, segment) in shape.segments[..closable].iter().enumerate() {
            let feature = joined.features[index];
            let is_first = usize::from(joined.first[index]) == index;
            if is_first && segment.kind() == FeatureKind::City && feature.is_closed() {
                completed[count] = feature.set & E::of(self.rules.tiles).city_segments;
                count += 1;
            }
        }
        let completed = &completed[..count];
        let newly_touched =
            |feature: Feature<E>| completed.iter().filter(|city| city.meets(feature.set)).count() as i32;

        // What the features became gains what it is worth then; a meeple on one without meeples gains the same.
        let mut claims = [Claim::default(); MAX_SEGMENTS];
        let has_figure = self.claimable_segments(shape) != 0;
        for (index, segment) in shape.segments[..edged].iter().enumerate() {
            let first = usize::from(joined.first[index]) % MAX_SEGMENTS;
            let feature = joined.features[first];
            if first != index {
                claims[index] = claims[first];
                continue;
            }
            let is_claimed = feature.is_claimed();
            if !is_claimed && !has_figure {
                continue;
            }
            let kind = segment.kind();
            let is_field = kind == FeatureKind::Field;
            let is_complete = !is_field && feature.is_closed();
            let points = match kind {
                FeatureKind::Field => CITY_OF_FIELD * (joined.cities[first].count() as i32 + newly_touched(feature)),
                kind if is_complete => i32::from(complete_value(&self.rules, kind, feature)),
                kind => i32::from(unfinished_value(&self.rules, kind, feature)),
            };
            if !is_claimed {
                claims[index] = Claim { points, is_complete, is_field };
                continue;
            }
            account.pay::<E>(points, feature.meeples());
            if is_complete {
                account.complete::<E>(feature.meeples());
            }
        }
        if count > 0 {
            let fields = context.fields.get_or_insert_with(|| self.scoring.claimed_fields(&self.features));
            let around = &joined.ids[..joined.id_count];
            for (_, field) in fields.iter().filter(|(id, _)| !around.contains(id)) {
                account.pay::<E>(CITY_OF_FIELD * newly_touched(*field), field.meeples());
            }
        }
        self.scoring.each_monastery_near(action.cell, |meeples, is_complete| {
            account.pay::<E>(1, meeples);
            if is_complete {
                account.complete::<E>(meeples);
            }
        });
        if has_figure && shape.edged < shape.segment_count {
            let points = 1 + i32::from(self.board.tiles_around(action.cell));
            claims[edged % MAX_SEGMENTS] = Claim { points, is_complete: points == 9, is_field: false };
        }
        PlacementEffect { effect: account.effect, claims }
    }

    /// Adds up the segments of the tile and the features around the cell. `meet` is called with each of these, once: its
    /// kind, its id, what it is now, and the cities that the field of the segment touches.
    #[inline(always)]
    pub(super) fn join_beside(
        &self,
        joined: &mut Joined<E>,
        surroundings: &Surroundings,
        kind: TileKind,
        mut meet: impl FnMut(FeatureKind, u8, Feature<E>, &mut E::CitySet),
    ) {
        let tables = E::of(self.rules.tiles);
        let shape = tables.shape(kind);
        let copy = self.placed_copies[kind.index() % <E::Kinds<u8> as FixedTable<u8>>::LEN];
        let ends = tables.join_table(kind, surroundings.sides()).open_end_change;
        let ids = surroundings.neighbour_ids();
        let with_neighbour = !bits::ports_of(ids, 0);
        let edged = usize::from(shape.edged) % (MAX_SEGMENTS + 1);
        for (index, (segment, ends)) in shape.segments[..edged].iter().zip(ends).enumerate() {
            // Added to the others at the end: what was just written in two words is read late as one.
            let mut own = segment.feature(copy, ends);
            for port in bits::ones((segment.joins(0) & with_neighbour).into()) {
                let id = ids[port as usize % 16];
                if !joined.meets(id, index) {
                    continue;
                }
                let first = usize::from(joined.first[index]) % MAX_SEGMENTS;
                let feature = self.features.root(id);
                own.add(feature);
                meet(segment.kind(), id, feature, &mut joined.cities[first]);
            }
            joined.features[usize::from(joined.first[index]) % MAX_SEGMENTS].add(own);
        }
    }
}
