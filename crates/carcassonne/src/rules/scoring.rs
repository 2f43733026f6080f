//! Scoring: the owners of a feature, and its points when it is complete and when the game ends.

use super::action::Figure;
use super::cell::Cell;
use super::edition::{Edition, FixedTable, SetWord, copy_blocks};
use super::feature::{Feature, Features, Meeples};
use super::limits::MAX_SEATS;
use super::options::{FieldScoring, Rules};
use super::tile::FeatureKind;

/// The points of a monastery or garden with all eight neighbours.
const FULL_MONASTERY: u8 = 9;

/// The points of one scored feature, and the meeples that decide who receives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Award {
    /// Kind of the scored feature.
    pub kind: FeatureKind,
    /// Points that each seat in `winners` receives.
    pub points: u16,
    /// Meeples of each seat on the feature. A big one counts as two.
    pub meeples: [u8; MAX_SEATS],
}

impl Award {
    #[inline]
    fn new<E: Edition>(kind: FeatureKind, points: u16, meeples: Meeples) -> Award {
        Award { kind, points, meeples: meeples.strengths::<E>() }
    }

    /// The seats with the most meeples. Each of them receives all points.
    pub fn winners(&self) -> impl Iterator<Item = usize> + use<> {
        let meeples = self.meeples;
        let most = meeples.iter().copied().max().unwrap_or(0);
        (0..MAX_SEATS).filter(move |seat| most > 0 && meeples[*seat] == most)
    }

    #[inline]
    pub(super) fn pay(&self, scores: &mut [u16; MAX_SEATS]) {
        let most = self.meeples.iter().copied().max().unwrap_or(0);
        for (score, meeples) in scores.iter_mut().zip(self.meeples) {
            *score += if meeples == most { self.points } else { 0 };
        }
    }

    /// [`pay`](Award::pay) where the first two seats alone play, and one of them at least has a meeple there.
    #[inline]
    pub(super) fn pay_two(&self, scores: &mut [u16; MAX_SEATS]) {
        let [first, second, ..] = self.meeples;
        scores[0] += if first >= second { self.points } else { 0 };
        scores[1] += if second >= first { self.points } else { 0 };
    }
}

/// Receives every award when it is scored. `()` ignores them at no cost, `Vec<Award>` collects them.
pub trait ScoreObserver {
    /// A feature was scored.
    fn award(&mut self, award: Award);
}

impl ScoreObserver for () {
    #[inline]
    fn award(&mut self, _: Award) {}
}

impl ScoreObserver for Vec<Award> {
    fn award(&mut self, award: Award) {
        self.push(award);
    }
}

/// A figure on a monastery or garden.
#[derive(Clone, Copy, Debug)]
pub(super) struct MonasteryMeeple {
    cell: Cell,
    /// The seat. With expansions, from bit 3 the figure, and at bit 5 whether it stands on a garden.
    owner: u8,
    tiles: u8,
}

const SEAT: u8 = 0b111;
const FIGURE_SHIFT: u32 = 3;
const ON_GARDEN: u8 = 1 << 5;

impl MonasteryMeeple {
    /// A figure on a monastery or garden with `around` tiles around it, its own tile not counted.
    pub(super) fn new(cell: Cell, seat: u8, (figure, kind): (Figure, FeatureKind), around: u8) -> MonasteryMeeple {
        let garden = if kind == FeatureKind::Garden { ON_GARDEN } else { 0 };
        // The tile itself is counted when its turn is scored.
        MonasteryMeeple { cell, owner: seat | (figure as u8) << FIGURE_SHIFT | garden, tiles: around }
    }

    /// Whether the cell is the monastery's own or one of the eight around it.
    #[inline]
    fn is_near(&self, cell: Cell) -> bool {
        are_near(cell.x, self.cell.x) & are_near(cell.y, self.cell.y)
    }

    #[inline]
    fn seat<E: Edition>(&self) -> u8 {
        if E::EXPANDED { self.owner & SEAT } else { self.owner }
    }

    #[inline]
    fn figure<E: Edition>(&self) -> Figure {
        if E::EXPANDED { Figure::ALL[usize::from(self.owner >> FIGURE_SHIFT & 0b11) % 3] } else { Figure::Meeple }
    }

    #[inline]
    fn kind<E: Edition>(&self) -> FeatureKind {
        if E::EXPANDED && self.owner & ON_GARDEN != 0 { FeatureKind::Garden } else { FeatureKind::Monastery }
    }

    #[inline]
    fn meeples<E: Edition>(&self) -> Meeples {
        Meeples::one(self.figure::<E>(), self.seat::<E>())
    }

    #[inline]
    fn award<E: Edition>(&self) -> Award {
        Award::new::<E>(self.kind::<E>(), self.tiles.into(), self.meeples::<E>())
    }
}

/// The figures on monasteries and gardens: a table for each value, so that a tile is compared with all figures at once.
///
/// Entries not in use are far from every tile.
#[derive(Clone, Copy)]
struct Centres<E: Edition> {
    x: E::Monasteries<i8>,
    y: E::Monasteries<i8>,
    tiles: E::Monasteries<u8>,
    owners: E::Monasteries<u8>,
    count: u8,
}

impl<E: Edition> Centres<E> {
    fn new() -> Centres<E> {
        let (far, zero) = (FixedTable::filled(i8::MIN), FixedTable::filled(0));
        Centres { x: far, y: far, tiles: zero, owners: zero, count: 0 }
    }

    #[inline]
    fn at(&self, place: usize) -> MonasteryMeeple {
        let cell = Cell { x: self.x[place], y: self.y[place] };
        MonasteryMeeple { cell, owner: self.owners[place], tiles: self.tiles[place] }
    }

    fn set(&mut self, place: usize, meeple: MonasteryMeeple) {
        (self.x[place], self.y[place]) = (meeple.cell.x, meeple.cell.y);
        (self.tiles[place], self.owners[place]) = (meeple.tiles, meeple.owner);
    }

    #[inline]
    fn iter(&self) -> impl Iterator<Item = MonasteryMeeple> + '_ {
        (0..usize::from(self.count)).map(|place| self.at(place))
    }

    fn add(&mut self, meeple: MonasteryMeeple) {
        self.set(self.count.into(), meeple);
        self.count += 1;
    }

    /// Removes an entry; the last one takes its place.
    fn remove(&mut self, place: usize) -> MonasteryMeeple {
        let removed = self.at(place);
        self.count -= 1;
        let last = usize::from(self.count);
        self.set(place, self.at(last));
        self.set(last, MonasteryMeeple { cell: Cell { x: i8::MIN, y: i8::MIN }, owner: 0, tiles: 0 });
        removed
    }

    /// Counts a tile at `cell` for the entries around it and on it. Returns the most tiles of an entry.
    #[inline]
    fn tile_near(&mut self, cell: Cell) -> u8 {
        let tiles = self.tiles.as_mut().iter_mut();
        let mut most = 0;
        for ((tiles, x), y) in tiles.zip(self.x.as_ref()).zip(self.y.as_ref()) {
            *tiles += u8::from(are_near(cell.x, *x) & are_near(cell.y, *y));
            most = most.max(*tiles);
        }
        most
    }
}

/// Whether two coordinates differ by at most one. No cell is as far as the ends of the type, where they would wrap
/// around.
#[inline]
fn are_near(a: i8, b: i8) -> bool {
    a.wrapping_sub(b).wrapping_add(1) as u8 <= 2
}

/// The points, and the tables for features that can still score.
#[derive(Clone)]
pub(super) struct Scoring<E: Edition> {
    points: [u16; MAX_SEATS],
    /// The segments of each complete city.
    cities: E::Cities<E::Set>,
    city_count: u8,
    /// The figures on monasteries and gardens.
    centres: Centres<E>,
    /// The kind and id of every feature that a meeple was placed on, complete ones included: at most one in each turn.
    /// The ids are not updated when features merge.
    claims: E::Tiles<(u8, u8)>,
    claim_count: u8,
}

impl<E: Edition> Scoring<E> {
    pub(super) fn new() -> Scoring<E> {
        Scoring {
            points: [0; MAX_SEATS],
            cities: FixedTable::filled(E::Set::default()),
            city_count: 0,
            centres: Centres::new(),
            claims: FixedTable::filled((0, 0)),
            claim_count: 0,
        }
    }

    /// Copies the entries in use. Entries beyond are never read.
    #[inline]
    pub(super) fn copy_from(&mut self, other: &Scoring<E>) {
        self.points = other.points;
        copy_blocks::<8, _, _>(&mut self.cities, &other.cities, other.city_count.into());
        self.city_count = other.city_count;
        self.centres = other.centres;
        copy_blocks::<8, _, _>(&mut self.claims, &other.claims, other.claim_count.into());
        self.claim_count = other.claim_count;
    }

    #[inline]
    pub(super) fn points(&self) -> &[u16; MAX_SEATS] {
        &self.points
    }

    /// Adds a claim if a figure was placed. It is written in any case, so that nothing jumps.
    #[inline]
    pub(super) fn add_claim_if(&mut self, placed: bool, kind: FeatureKind, id: u8) {
        self.claims[usize::from(self.claim_count)] = (kind as u8, id);
        self.claim_count += u8::from(placed);
    }

    pub(super) fn add_monastery_meeple(&mut self, meeple: MonasteryMeeple) {
        self.centres.add(meeple);
    }

    /// The ids of the features that meeples were placed on, in the order of the turns, without monasteries.
    pub(super) fn claims(&self) -> impl ExactSizeIterator<Item = u8> + '_ {
        self.claims.as_ref()[..usize::from(self.claim_count)].iter().map(|(_, id)| *id)
    }

    /// Whether a figure is on the monastery or garden of this cell.
    pub(super) fn has_monastery_meeple(&self, cell: Cell) -> bool {
        self.centres.iter().any(|meeple| meeple.cell == cell)
    }

    /// The fields with meeples, each once, with the ids of their roots.
    pub(super) fn claimed_fields(&self, features: &Features<E>) -> Vec<(u8, Feature<E>)> {
        let mut fields: Vec<(u8, Feature<E>)> = Vec::new();
        for &(kind, id) in &self.claims.as_ref()[..usize::from(self.claim_count)] {
            if kind == FeatureKind::Field as u8 {
                let root = features.find(id);
                if fields.iter().all(|(other, _)| *other != root) {
                    fields.push((root, features.root(root)));
                }
            }
        }
        fields
    }

    /// The cities, roads and fields with meeples, each once, with the ids of their roots.
    pub(super) fn claimed_features(&self, features: &Features<E>) -> Vec<(FeatureKind, u8, Feature<E>)> {
        let mut claimed: Vec<(FeatureKind, u8, Feature<E>)> = Vec::new();
        for &(kind, id) in &self.claims.as_ref()[..usize::from(self.claim_count)] {
            let root = features.find(id);
            let feature = features.root(root);
            if feature.is_claimed() && claimed.iter().all(|(_, other, _)| *other != root) {
                claimed.push((FeatureKind::ALL[usize::from(kind)], root, feature));
            }
        }
        claimed
    }

    /// The monasteries and gardens with a figure: the cell, the seat, and the tiles on and around it.
    pub(super) fn claimed_monasteries(&self) -> impl Iterator<Item = (Cell, u8, u8)> + '_ {
        self.centres.iter().map(|meeple| (meeple.cell, meeple.seat::<E>(), meeple.tiles))
    }

    /// The place of a seat's abbot among the figures on monasteries and gardens; none if it does not stand on the
    /// board.
    fn abbot(&self, seat: u8) -> Option<usize> {
        let is_abbot = |meeple: MonasteryMeeple| meeple.figure::<E>() == Figure::Abbot && meeple.seat::<E>() == seat;
        self.centres.iter().position(is_abbot)
    }

    /// The cell of a seat's abbot; none if it does not stand on the board.
    pub(super) fn abbot_cell(&self, seat: u8) -> Option<Cell> {
        self.abbot(seat).map(|place| self.centres.at(place).cell)
    }

    /// Whether a seat can take its abbot back after a tile is placed at `cell`: it stands on the board, and the tile
    /// does not complete its monastery or garden, from which it returns by itself.
    pub(super) fn can_recall(&self, seat: u8, cell: Cell) -> bool {
        self.abbot(seat).is_some_and(|place| {
            let meeple = self.centres.at(place);
            !(meeple.is_near(cell) && meeple.tiles + 1 == FULL_MONASTERY)
        })
    }

    /// Takes a seat's abbot back and scores what it stands on. It must stand on the board.
    pub(super) fn recall(&mut self, seat: u8, supply: &mut Meeples, observer: &mut impl ScoreObserver) {
        let place = self.abbot(seat).expect("the abbot stands on the board");
        let meeple = self.centres.remove(place);
        supply.add_all(meeple.meeples::<E>());
        self.pay(meeple.award::<E>(), observer);
    }

    /// Calls `visit` for each meeple on a monastery that a tile at `cell` is next to, and says whether the tile
    /// completes the monastery.
    #[inline]
    pub(super) fn each_monastery_near(&self, cell: Cell, mut visit: impl FnMut(Meeples, bool)) {
        for meeple in self.centres.iter() {
            if meeple.is_near(cell) {
                visit(meeple.meeples::<E>(), meeple.tiles + 1 == FULL_MONASTERY);
            }
        }
    }

    /// Counts a tile placed at `cell` for the claimed monasteries around it and on it, and scores those that are
    /// complete.
    #[inline]
    pub(super) fn score_monasteries(&mut self, cell: Cell, supply: &mut Meeples, observer: &mut impl ScoreObserver) {
        // Hardly a turn completes one.
        if self.centres.count > 0 && self.centres.tile_near(cell) >= FULL_MONASTERY {
            self.score_full_monasteries(supply, observer);
        }
    }

    #[cold]
    fn score_full_monasteries(&mut self, supply: &mut Meeples, observer: &mut impl ScoreObserver) {
        let mut index = 0;
        while index < usize::from(self.centres.count) {
            if self.centres.at(index).tiles < FULL_MONASTERY {
                index += 1;
                continue;
            }
            let meeple = self.centres.remove(index);
            supply.add_all(meeple.meeples::<E>());
            self.pay(meeple.award::<E>(), observer);
        }
    }

    /// Scores a city or road whose last open end is closed.
    #[inline]
    pub(super) fn score_complete(
        &mut self,
        rules: &Rules,
        kind: FeatureKind,
        feature: Feature<E>,
        supply: &mut Meeples,
        observer: &mut impl ScoreObserver,
    ) {
        if kind == FeatureKind::City {
            self.cities[usize::from(self.city_count)] = feature.set & E::of(rules.tiles).city_segments;
            self.city_count += 1;
        }
        if feature.is_claimed() {
            let points = complete_value(rules, kind, feature);
            supply.add_all(feature.meeples());
            self.pay(Award::new::<E>(kind, points, feature.meeples()), observer);
        }
    }

    #[inline]
    fn pay(&mut self, award: Award, observer: &mut impl ScoreObserver) {
        award.pay(&mut self.points);
        observer.award(award);
    }

    /// The awards that every meeple on the board would get if the game ended now.
    #[inline]
    pub(super) fn score_standing(&self, rules: &Rules, features: &Features<E>, mut award: impl FnMut(Award)) {
        let mut seen = [0_u64; 4];
        for &(kind, id) in &self.claims.as_ref()[..usize::from(self.claim_count)] {
            let root = features.find(id);
            let feature = features.root(root);
            let (word, bit) = (usize::from(root) / 64, 1 << (root % 64));
            if seen[word] & bit != 0 || !feature.is_claimed() {
                continue;
            }
            seen[word] |= bit;
            let kind = FeatureKind::ALL[usize::from(kind)];
            let points = match kind {
                FeatureKind::Field if rules.fields != FieldScoring::ByField => continue,
                FeatureKind::Field => rules.fields.points() * self.cities_touched(feature),
                kind => unfinished_value(rules, kind, feature),
            };
            award(Award::new::<E>(kind, points, feature.meeples()));
        }
        for meeple in self.centres.iter() {
            award(meeple.award::<E>());
        }
        if rules.fields != FieldScoring::ByField {
            self.score_fields_by_city(rules, features, award);
        }
    }

    /// The awards for complete cities under the earlier rules for fields. All fields that touch a city count together,
    /// and each city scores once.
    #[cold]
    fn score_fields_by_city(&self, rules: &Rules, features: &Features<E>, mut award: impl FnMut(Award)) {
        let fields = self.claimed_fields(features);
        for city in &self.cities.as_ref()[..usize::from(self.city_count)] {
            let mut meeples = Meeples::default();
            for (_, field) in fields.iter().filter(|(_, field)| city.meets(field.set)) {
                meeples.add_all(field.meeples());
            }
            if meeples != Meeples::default() {
                award(Award::new::<E>(FeatureKind::Field, rules.fields.points(), meeples));
            }
        }
    }

    /// The number of complete cities that a field touches.
    pub(super) fn cities_touched(&self, field: Feature<E>) -> u16 {
        let cities = &self.cities.as_ref()[..usize::from(self.city_count)];
        cities.iter().map(|city| u16::from(city.meets(field.set))).sum()
    }

    /// The complete cities that a field touches, a bit for each in the order of their completion.
    fn set_of_cities_touched(&self, field: Feature<E>) -> E::CitySet {
        let cities = self.cities.as_ref()[..usize::from(self.city_count)].iter().zip(0_u32..);
        cities.fold(E::CitySet::default(), |set, (city, place)| {
            set | E::CitySet::from(u8::from(city.meets(field.set))) << place
        })
    }
}

/// The complete cities that the fields of a position touch, looked up once for each field.
pub(super) struct FieldCities<'a, E: Edition> {
    scoring: &'a Scoring<E>,
    features: &'a Features<E>,
    /// By the root of a field.
    known: E::Features<E::CitySet>,
}

impl<'a, E: Edition> FieldCities<'a, E> {
    /// The entry of a field that is not looked up yet: more cities than a game has.
    const UNKNOWN: E::CitySet = <E::CitySet as SetWord>::FULL;

    #[inline]
    pub(super) fn of(scoring: &'a Scoring<E>, features: &'a Features<E>) -> FieldCities<'a, E> {
        FieldCities { scoring, features, known: FixedTable::filled(Self::UNKNOWN) }
    }

    /// A bit for each complete city that the field with this root touches.
    #[inline]
    pub(super) fn set(&mut self, root: u8) -> E::CitySet {
        let known = &mut self.known[usize::from(root)];
        if *known == Self::UNKNOWN {
            *known = self.scoring.set_of_cities_touched(self.features.root(root));
        }
        *known
    }
}

/// The tiles of a city or road, each counted once.
fn tiles<E: Edition>(rules: &Rules, kind: FeatureKind, feature: Feature<E>) -> u32 {
    let several = match kind {
        FeatureKind::City => feature.set & E::of(rules.tiles).several_city_segments,
        _ => feature.set,
    };
    feature.single_tiles() + several.count()
}

/// The points of a city or road that is not complete: none with an inn or a cathedral, unless the rules say otherwise.
pub(super) fn unfinished_value<E: Edition>(rules: &Rules, kind: FeatureKind, feature: Feature<E>) -> u16 {
    let points = (tiles(rules, kind, feature) + feature.pennants()) as u16;
    if feature.is_special() { points * u16::from(rules.unfinished_inn_cathedral) } else { points }
}

/// The points of a complete city or road. An inn or a cathedral adds one for each tile and pennant, several do not add
/// up.
pub(super) fn complete_value<E: Edition>(rules: &Rules, kind: FeatureKind, feature: Feature<E>) -> u16 {
    let special = if feature.is_special() { 1 } else { 0 };
    match (kind, tiles(rules, kind, feature)) {
        (FeatureKind::City, 2) if special == 0 => u16::from(rules.two_tile_city) / 2 * (2 + feature.pennants() as u16),
        (FeatureKind::City, tiles) => (2 + special) * (tiles + feature.pennants()) as u16,
        (_, tiles) => (1 + special) * tiles as u16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_seats_are_paid_as_any_number_of_seats() {
        for (first, second) in (0..8).flat_map(|first| (0..8).map(move |second| (first, second))) {
            if first + second == 0 {
                continue;
            }
            let award = Award { kind: FeatureKind::City, points: 9, meeples: [first, second, 0, 0, 0, 0] };
            let (mut of_two, mut of_any) = ([5; MAX_SEATS], [5; MAX_SEATS]);
            award.pay_two(&mut of_two);
            award.pay(&mut of_any);
            assert_eq!(of_two, of_any, "{first} and {second} meeples");
        }
    }
}
