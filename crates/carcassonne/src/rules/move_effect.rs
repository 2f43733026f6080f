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
use super::shape::Shape;
use super::state::State;
use super::tile::{FeatureKind, TileKind};

/// The most cities that one tile completes.
const MAX_CLOSED: usize = 4;

/// Points of a field for each complete city, if each field scores by itself.
const CITY_OF_FIELD: i32 = 3;

/// The changes by a move. Small, because a position has a hundred moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MoveEffect {
    /// Gain of the seat's virtual score.
    pub gain: i16,
    /// Loss of the virtual scores of all other seats together.
    pub others_loss: i16,
    /// Change of the figures that the seat has left.
    pub meeples: i8,
    /// Features with a meeple of any seat that are completed.
    pub completed: i8,
    /// Whether a meeple goes on a field.
    pub claims_field: bool,
}

impl MoveEffect {
    /// What a meeple on a feature adds that is worth these points then.
    #[inline]
    fn of_claim(points: i32, is_complete: bool, claims_field: bool) -> MoveEffect {
        let (meeples, completed) = (i8::from(is_complete) - 1, i8::from(is_complete));
        MoveEffect { gain: points as i16, others_loss: 0, meeples, completed, claims_field }
    }
}

/// What a placement changes, and what a figure adds: none, which adds nothing, then one on each segment by its number,
/// if one may be placed there.
#[derive(Default)]
struct PlacementEffect {
    effect: MoveEffect,
    added: [MoveEffect; MAX_SEGMENTS + 1],
}

impl PlacementEffect {
    #[inline]
    fn with<E: Edition>(&self, action: &Move) -> MoveEffect {
        let mut added = self.added[action.segment_number() % (MAX_SEGMENTS + 1)];
        if E::EXPANDED && action.meeple == Some(Deployment::RECALL) {
            // What the abbot stood on scores now what it would score at the end.
            added = MoveEffect { meeples: 1, completed: 1, ..MoveEffect::default() };
        }
        MoveEffect {
            gain: self.effect.gain + added.gain,
            others_loss: self.effect.others_loss,
            meeples: self.effect.meeples + added.meeples,
            completed: self.effect.completed + added.completed,
            claims_field: added.claims_field,
        }
    }
}

/// Adds up points by who receives them.
#[derive(Clone, Copy)]
struct Account {
    player: u8,
    /// Whether there are two seats, with meeples alone.
    is_of_two: bool,
    gain: i32,
    others_loss: i32,
    meeples: i32,
    completed: i32,
}

impl Account {
    /// Points for the seats with the most of these meeples.
    #[inline]
    fn pay<E: Edition>(&mut self, points: i32, meeples: Meeples) {
        if self.is_of_two {
            let [own, other] = meeples.of_two(self.player);
            self.gain += if own >= other { points } else { 0 };
            self.others_loss -= if other >= own { points } else { 0 };
        } else {
            self.pay_any::<E>(points, meeples);
        }
    }

    /// [`pay`](Account::pay) for any number of seats and all figures.
    #[inline(never)]
    fn pay_any<E: Edition>(&mut self, points: i32, meeples: Meeples) {
        let meeples = meeples.strengths::<E>();
        let most = meeples.iter().copied().max().unwrap_or(0);
        if most == 0 {
            return;
        }
        for (seat, count) in meeples.into_iter().enumerate().take(MAX_SEATS) {
            if count == most && seat == usize::from(self.player) {
                self.gain += points;
            } else if count == most {
                self.others_loss -= points;
            }
        }
    }

    /// A feature is complete: its meeples go back.
    #[inline]
    fn complete<E: Edition>(&mut self, meeples: Meeples) {
        self.completed += 1;
        self.meeples += i32::from(meeples.figures::<E>(self.player));
    }

    fn effect(&self) -> MoveEffect {
        MoveEffect {
            gain: self.gain as i16,
            others_loss: self.others_loss as i16,
            meeples: self.meeples as i8,
            completed: self.completed as i8,
            claims_field: false,
        }
    }
}

/// The cities that a tile completes.
struct CompletedCities<E: Edition> {
    cities: [E::Set; MAX_CLOSED],
    count: usize,
}

impl<E: Edition> CompletedCities<E> {
    /// How many of them a field touches.
    #[inline]
    fn touched_by(&self, field: Feature<E>) -> i32 {
        self.cities[..self.count].iter().filter(|city| city.meets(field.set)).count() as i32
    }
}

/// The features to which the segments of a tile belong after its placement.
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

/// Data that all placements of a position share. Each field scores by itself.
struct EffectContext<'a, E: Edition> {
    kind: TileKind,
    shape: &'static Shape<E>,
    /// The ports of all segments that join neighbours.
    joins: u16,
    /// Whether the seat has a figure that it may place on a segment of the tile.
    has_figure: bool,
    /// By segment: what a figure adds if the segment meets nothing.
    alone: [MoveEffect; MAX_SEGMENTS],
    cities: FieldCities<'a, E>,
    /// The fields with meeples: only a placement that completes a city asks for them.
    fields: Option<Vec<(u8, Feature<E>)>>,
}

/// Data that all placements on a cell share.
struct CellEffect {
    slot: u8,
    /// Gain of the figures on monasteries around it, in points.
    account: Account,
    /// Gain by a figure on a monastery of the tile, in points.
    monk: MoveEffect,
}

/// The sum over the segments of a placement so far.
struct PlacementSum<'p, E: Edition> {
    account: Account,
    /// All that count for a field are there when it is valued: cities come first.
    completed: CompletedCities<E>,
    placed: &'p mut PlacementEffect,
}

impl<E: Edition> State<E> {
    /// What each of these legal moves changes, in their order.
    pub(crate) fn move_effects(&self, actions: &[Move]) -> Vec<MoveEffect> {
        let Some(kind) = self.hand() else { return Vec::new() };
        let shape = self.shape(kind);
        let mut alone = [MoveEffect::default(); MAX_SEGMENTS];
        for (added, segment) in alone.iter_mut().zip(&shape.segments[..usize::from(shape.edged)]) {
            let kind = segment.kind();
            let is_field = kind == FeatureKind::Field;
            let points = if is_field { 0 } else { unfinished_value(&self.rules, kind, segment.feature(0, 0)).into() };
            *added = MoveEffect::of_claim(points, false, is_field);
        }
        let mut context = EffectContext {
            kind,
            shape,
            joins: shape.segments[..usize::from(shape.edged)].iter().fold(0, |ports, segment| ports | segment.joins),
            has_figure: self.claimable_segments(shape) != 0,
            alone,
            cities: FieldCities::of(&self.scoring, &self.features),
            fields: None,
        };
        let mut effects = Vec::with_capacity(actions.len());
        let mut placed = PlacementEffect::default();
        let (mut left, mut known) = (actions, None);
        while let Some(first) = left.first() {
            let is_placed_so = |action: &&Move| (action.cell, action.rotation) == (first.cell, first.rotation);
            let group;
            (group, left) = left.split_at(left.iter().take_while(is_placed_so).count());
            let cell = match &known {
                Some((cell, effect)) if *cell == first.cell => effect,
                _ => &known.insert((first.cell, self.cell_effect(first.cell, &context))).1,
            };
            self.placement_effect(cell, first.rotation, &mut context, &mut placed);
            for action in group {
                effects.push(placed.with::<E>(action));
            }
        }
        effects
    }

    fn cell_effect(&self, cell: Cell, context: &EffectContext<E>) -> CellEffect {
        let slot = self.board.slot(cell).expect("a legal move has an open cell");
        let is_of_two = !E::EXPANDED && self.rules.seats == 2;
        let player = self.player() as u8;
        let mut account = Account { player, is_of_two, gain: 0, others_loss: 0, meeples: 0, completed: 0 };
        self.scoring.each_monastery_near(cell, |meeples, is_complete| {
            account.pay::<E>(1, meeples);
            if is_complete {
                account.complete::<E>(meeples);
            }
        });
        let mut monk = MoveEffect::default();
        if context.has_figure && context.shape.edged < context.shape.segment_count {
            let points = 1 + i32::from(self.board.tiles_around(cell));
            monk = MoveEffect::of_claim(points, points == 9, false);
        }
        CellEffect { slot, account, monk }
    }

    #[inline]
    fn placement_effect(
        &self,
        cell: &CellEffect,
        rotation: u8,
        context: &mut EffectContext<E>,
        placed: &mut PlacementEffect,
    ) {
        let surroundings = Surroundings::of(&self.board, cell.slot, rotation);
        let completed = CompletedCities { cities: [E::Set::default(); MAX_CLOSED], count: 0 };
        let mut sum = PlacementSum { account: cell.account, completed, placed };
        if !self.add_segments_apart(&surroundings, context, &mut sum) {
            (sum.account, sum.completed.count) = (cell.account, 0);
            self.add_joined_segments(&surroundings, context, &mut sum);
        }
        let PlacementSum { mut account, completed, placed } = sum;
        if completed.count > 0 {
            let fields = context.fields.get_or_insert_with(|| self.scoring.claimed_fields(&self.features));
            let is_around = |id: u8| bits::ports_of(surroundings.neighbour_ids(), id) != 0;
            for (_, field) in fields.iter().filter(|(id, _)| !is_around(*id)) {
                account.pay::<E>(CITY_OF_FIELD * completed.touched_by(*field), field.meeples());
            }
        }
        let edged = usize::from(context.shape.edged);
        if edged < usize::from(context.shape.segment_count) {
            placed.added[(edged + 1) % (MAX_SEGMENTS + 1)] = cell.monk;
        }
        placed.effect = account.effect();
    }

    /// Adds up the segments if no two of them meet the same feature: each becomes a feature of its own, of which nothing
    /// is written down. Returns whether it is so.
    #[inline(always)]
    fn add_segments_apart(
        &self,
        surroundings: &Surroundings,
        context: &mut EffectContext<E>,
        sum: &mut PlacementSum<E>,
    ) -> bool {
        let EffectContext { kind, shape, .. } = *context;
        let copy = self.placed_copies[kind.index() % <E::Kinds<u8> as FixedTable<u8>>::LEN];
        let ends = &E::of(self.rules.tiles).join_table(kind, surroundings.sides()).open_end_change;
        let ids = surroundings.neighbour_ids();
        let with_neighbour = !bits::ports_of(ids, 0);
        let all_joins = context.joins & with_neighbour;
        let edged = usize::from(shape.edged) % (MAX_SEGMENTS + 1);
        for (index, segment) in shape.segments[..edged].iter().enumerate() {
            let (kind, joins) = (segment.kind(), segment.joins & with_neighbour);
            if joins == 0 && (kind != FeatureKind::Field || sum.completed.count == 0) {
                sum.placed.added[index + 1] = context.alone[index];
                continue;
            }
            let (mut feature, mut cities) = (segment.feature(copy, ends[index]), E::CitySet::default());
            let mut left = joins;
            while left != 0 {
                let id = ids[left.trailing_zeros() as usize % 16];
                let same = bits::ports_of(ids, id) & all_joins;
                if same & !joins != 0 {
                    return false;
                }
                left &= !same;
                let met = self.features.root(id);
                feature.add(met);
                self.take_from_owners((kind, id), met, &mut cities, (&mut context.cities, &mut sum.account));
            }
            self.add_feature((index, kind), feature, cities.count(), context.has_figure, sum);
        }
        true
    }

    /// Adds up the segments where features around the cell join them.
    #[inline(never)]
    fn add_joined_segments(
        &self,
        surroundings: &Surroundings,
        context: &mut EffectContext<E>,
        sum: &mut PlacementSum<E>,
    ) {
        let EffectContext { kind, shape, has_figure, ref mut cities, .. } = *context;
        let mut joined = Joined::new();
        self.join_beside(&mut joined, surroundings, kind, |kind, id, feature, touched| {
            self.take_from_owners((kind, id), feature, touched, (cities, &mut sum.account));
        });
        for (index, segment) in shape.segments[..usize::from(shape.edged)].iter().enumerate() {
            let first = usize::from(joined.first[index]) % MAX_SEGMENTS;
            if first == index {
                let cities = joined.cities[index].count();
                self.add_feature((index, segment.kind()), joined.features[index], cities, has_figure, sum);
            } else {
                sum.placed.added[index + 1] = sum.placed.added[first + 1];
            }
        }
    }

    /// What a feature beside the tile is worth without it is taken from those who have it; what it becomes is theirs.
    #[inline(always)]
    fn take_from_owners(
        &self,
        (kind, id): (FeatureKind, u8),
        feature: Feature<E>,
        touched: &mut E::CitySet,
        (cities, account): (&mut FieldCities<E>, &mut Account),
    ) {
        let worth = if kind == FeatureKind::Field {
            let cities = cities.set(id);
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
    }

    /// What a segment's feature became gains what it is worth then, and a meeple on one without meeples gains the same.
    /// As a field it touches so many cities that were complete before.
    #[inline(always)]
    fn add_feature(
        &self,
        (index, kind): (usize, FeatureKind),
        feature: Feature<E>,
        cities: u32,
        has_figure: bool,
        sum: &mut PlacementSum<E>,
    ) {
        let is_field = kind == FeatureKind::Field;
        let is_complete = !is_field && feature.is_closed();
        if is_complete && kind == FeatureKind::City {
            let CompletedCities { cities, count } = &mut sum.completed;
            cities[*count % MAX_CLOSED] = feature.set & E::of(self.rules.tiles).city_segments;
            *count += 1;
        }
        let is_claimed = feature.is_claimed();
        if !is_claimed && !has_figure {
            return;
        }
        let points = if is_field {
            CITY_OF_FIELD * (cities as i32 + sum.completed.touched_by(feature))
        } else if is_complete {
            complete_value(&self.rules, kind, feature).into()
        } else {
            unfinished_value(&self.rules, kind, feature).into()
        };
        if !is_claimed {
            sum.placed.added[index + 1] = MoveEffect::of_claim(points, is_complete, is_field);
            return;
        }
        sum.account.pay::<E>(points, feature.meeples());
        if is_complete {
            sum.account.complete::<E>(feature.meeples());
        }
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
