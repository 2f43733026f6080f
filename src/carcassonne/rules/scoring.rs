//! Scoring: the owners of a feature, and its points when it is complete and when the game ends.

use super::board::Cell;
use super::feature::{Feature, Features, Meeples};
use super::limits::{MAX_CITIES, MAX_CLAIMS, MAX_FEATURES, MAX_MONASTERIES, MAX_SEATS};
use super::options::{FieldScoring, Rules};
use super::tile::FeatureKind;

/// The points of a monastery with all eight neighbours.
const FULL_MONASTERY: u8 = 9;

/// The points of one scored feature, and the meeples that decide who receives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Award {
    /// The kind of feature.
    pub kind: FeatureKind,
    /// Points that each seat in `winners` receives.
    pub points: u16,
    /// Meeples of each seat on the feature.
    pub meeples: [u8; MAX_SEATS],
}

impl Award {
    #[inline]
    fn new(kind: FeatureKind, points: u16, meeples: Meeples) -> Award {
        Award { kind, points, meeples: meeples.by_seat() }
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

/// A meeple on a monastery.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MonasteryMeeple {
    cell: Cell,
    seat: u8,
    tiles: u8,
}

impl MonasteryMeeple {
    /// A meeple on a monastery with `around` tiles around it, its own tile not counted.
    pub(super) fn new(cell: Cell, seat: u8, around: u8) -> MonasteryMeeple {
        // The tile itself is counted when its turn is scored.
        MonasteryMeeple { cell, seat, tiles: around }
    }

    /// Whether the cell is the monastery's own or one of the eight around it.
    #[inline]
    fn is_near(&self, cell: Cell) -> bool {
        cell.x.abs_diff(self.cell.x) <= 1 && cell.y.abs_diff(self.cell.y) <= 1
    }

    fn meeples(&self) -> Meeples {
        let mut meeples = Meeples::default();
        meeples.add(self.seat);
        meeples
    }

    fn award(&self) -> Award {
        Award::new(FeatureKind::Monastery, self.tiles.into(), self.meeples())
    }
}

/// The points, and the tables for features that can still score.
#[derive(Clone)]
pub(super) struct Scoring {
    points: [u16; MAX_SEATS],
    /// The segments of each complete city.
    cities: [u64; MAX_CITIES],
    city_count: u8,
    monastery_meeples: [MonasteryMeeple; MAX_MONASTERIES],
    monastery_meeple_count: u8,
    /// The kind and id of every feature that a meeple was placed on, complete ones included. The ids are not updated
    /// when features merge.
    claims: [(u8, u8); MAX_CLAIMS],
    claim_count: u8,
}

impl Scoring {
    pub(super) fn new() -> Scoring {
        Scoring {
            points: [0; MAX_SEATS],
            cities: [0; MAX_CITIES],
            city_count: 0,
            monastery_meeples: [MonasteryMeeple::default(); MAX_MONASTERIES],
            monastery_meeple_count: 0,
            claims: [(0, 0); MAX_CLAIMS],
            claim_count: 0,
        }
    }

    #[inline]
    pub(super) fn points(&self) -> &[u16; MAX_SEATS] {
        &self.points
    }

    #[inline]
    pub(super) fn add_claim(&mut self, kind: FeatureKind, id: u8) {
        self.claims[usize::from(self.claim_count)] = (kind as u8, id);
        self.claim_count += 1;
    }

    pub(super) fn add_monastery_meeple(&mut self, meeple: MonasteryMeeple) {
        self.monastery_meeples[usize::from(self.monastery_meeple_count)] = meeple;
        self.monastery_meeple_count += 1;
    }

    /// The ids of the features that meeples were placed on, in the order of the turns, without monasteries.
    pub(super) fn claims(&self) -> impl Iterator<Item = u8> + '_ {
        self.claims[..usize::from(self.claim_count)].iter().map(|(_, id)| *id)
    }

    /// Whether a meeple is on the monastery of this cell.
    pub(super) fn has_monastery_meeple(&self, cell: Cell) -> bool {
        self.monastery_meeples[..usize::from(self.monastery_meeple_count)].iter().any(|meeple| meeple.cell == cell)
    }

    /// The fields with meeples, each once, with the ids of their roots.
    pub(super) fn claimed_fields(&self, features: &Features) -> Vec<(u8, Feature)> {
        let mut fields: Vec<(u8, Feature)> = Vec::new();
        for &(kind, id) in &self.claims[..usize::from(self.claim_count)] {
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
    pub(super) fn claimed_features(&self, features: &Features) -> Vec<(FeatureKind, u8, Feature)> {
        let mut claimed: Vec<(FeatureKind, u8, Feature)> = Vec::new();
        for &(kind, id) in &self.claims[..usize::from(self.claim_count)] {
            let root = features.find(id);
            let feature = features.root(root);
            if feature.is_claimed() && claimed.iter().all(|(_, other, _)| *other != root) {
                claimed.push((FeatureKind::ALL[usize::from(kind)], root, feature));
            }
        }
        claimed
    }

    /// The monasteries with a meeple: the cell, the seat, and the tiles on and around it.
    pub(super) fn claimed_monasteries(&self) -> impl Iterator<Item = (Cell, u8, u8)> + '_ {
        let meeples = &self.monastery_meeples[..usize::from(self.monastery_meeple_count)];
        meeples.iter().map(|meeple| (meeple.cell, meeple.seat, meeple.tiles))
    }

    /// Calls `visit` for each meeple on a monastery that a tile at `cell` is next to, and says whether the tile completes
    /// the monastery.
    #[inline]
    pub(super) fn each_monastery_near(&self, cell: Cell, mut visit: impl FnMut(Meeples, bool)) {
        for meeple in &self.monastery_meeples[..usize::from(self.monastery_meeple_count)] {
            if meeple.is_near(cell) {
                visit(meeple.meeples(), meeple.tiles + 1 == FULL_MONASTERY);
            }
        }
    }

    /// Counts a tile placed at `cell` for the claimed monasteries around it and on it, and scores those that are
    /// complete.
    #[inline]
    pub(super) fn score_monasteries(&mut self, cell: Cell, supply: &mut Meeples, observer: &mut impl ScoreObserver) {
        let mut index = 0;
        while index < usize::from(self.monastery_meeple_count) {
            let meeple = &mut self.monastery_meeples[index];
            meeple.tiles += u8::from(meeple.is_near(cell));
            if meeple.tiles < FULL_MONASTERY {
                index += 1;
                continue;
            }
            let meeple = *meeple;
            self.monastery_meeple_count -= 1;
            self.monastery_meeples[index] = self.monastery_meeples[usize::from(self.monastery_meeple_count)];
            supply.add_all(meeple.meeples());
            self.pay(meeple.award(), observer);
        }
    }

    /// Scores a city or road whose last open end is closed.
    #[inline]
    pub(super) fn score_complete(
        &mut self,
        rules: &Rules,
        kind: FeatureKind,
        feature: Feature,
        supply: &mut Meeples,
        observer: &mut impl ScoreObserver,
    ) {
        if kind == FeatureKind::City {
            self.cities[usize::from(self.city_count)] = feature.set & rules.tiles.city_segments;
            self.city_count += 1;
        }
        if feature.is_claimed() {
            let points = complete_value(rules, kind, feature);
            supply.add_all(feature.meeples());
            self.pay(Award::new(kind, points, feature.meeples()), observer);
        }
    }

    #[inline]
    fn pay(&mut self, award: Award, observer: &mut impl ScoreObserver) {
        award.pay(&mut self.points);
        observer.award(award);
    }

    /// The awards that every meeple on the board would get if the game ended now.
    #[inline]
    pub(super) fn score_standing(&self, rules: &Rules, features: &Features, mut award: impl FnMut(Award)) {
        let mut seen = [0_u64; 4];
        for &(kind, id) in &self.claims[..usize::from(self.claim_count)] {
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
            award(Award::new(kind, points, feature.meeples()));
        }
        for meeple in &self.monastery_meeples[..usize::from(self.monastery_meeple_count)] {
            award(meeple.award());
        }
        if rules.fields != FieldScoring::ByField {
            self.score_fields_by_city(rules, features, award);
        }
    }

    /// The awards for complete cities under the earlier rules for fields. All fields that touch a city count together, and each
    /// city scores once.
    #[cold]
    fn score_fields_by_city(&self, rules: &Rules, features: &Features, mut award: impl FnMut(Award)) {
        let fields = self.claimed_fields(features);
        for city in &self.cities[..usize::from(self.city_count)] {
            let mut meeples = Meeples::default();
            for (_, field) in fields.iter().filter(|(_, field)| city & field.set != 0) {
                meeples.add_all(field.meeples());
            }
            if meeples != Meeples::default() {
                award(Award::new(FeatureKind::Field, rules.fields.points(), meeples));
            }
        }
    }

    /// The number of complete cities that a field touches.
    pub(super) fn cities_touched(&self, field: Feature) -> u16 {
        let cities = &self.cities[..usize::from(self.city_count)];
        cities.iter().map(|city| u16::from(city & field.set != 0)).sum()
    }

    /// The complete cities that a field touches, a bit for each in the order of their completion.
    fn set_of_cities_touched(&self, field: Feature) -> u32 {
        let cities = self.cities[..usize::from(self.city_count)].iter().zip(0..);
        cities.fold(0, |set, (city, place)| set | u32::from(city & field.set != 0) << place)
    }
}

/// The complete cities that the fields of a position touch, looked up once for each field.
pub(super) struct FieldCities<'a> {
    scoring: &'a Scoring,
    features: &'a Features,
    /// By the root of a field.
    known: [u32; MAX_FEATURES],
}

/// The entry of a field that is not looked up yet: no set of [`MAX_CITIES`].
const UNKNOWN: u32 = u32::MAX;

impl<'a> FieldCities<'a> {
    #[inline]
    pub(super) fn of(scoring: &'a Scoring, features: &'a Features) -> FieldCities<'a> {
        FieldCities { scoring, features, known: [UNKNOWN; MAX_FEATURES] }
    }

    /// A bit for each complete city that the field with this root touches.
    #[inline]
    pub(super) fn set(&mut self, root: u8) -> u32 {
        let known = &mut self.known[usize::from(root)];
        if *known == UNKNOWN {
            *known = self.scoring.set_of_cities_touched(self.features.root(root));
        }
        *known
    }
}

/// The tiles of a city or road, each counted once.
fn tiles(rules: &Rules, kind: FeatureKind, feature: Feature) -> u32 {
    let several = match kind {
        FeatureKind::City => feature.set & rules.tiles.several_city_segments,
        _ => feature.set,
    };
    feature.single_tiles() + several.count_ones()
}

pub(super) fn unfinished_value(rules: &Rules, kind: FeatureKind, feature: Feature) -> u16 {
    (tiles(rules, kind, feature) + feature.pennants()) as u16
}

pub(super) fn complete_value(rules: &Rules, kind: FeatureKind, feature: Feature) -> u16 {
    match (kind, tiles(rules, kind, feature)) {
        (FeatureKind::City, 2) => u16::from(rules.two_tile_city) / 2 * (2 + feature.pennants() as u16),
        (FeatureKind::City, tiles) => 2 * (tiles + feature.pennants()) as u16,
        (_, tiles) => tiles as u16,
    }
}
