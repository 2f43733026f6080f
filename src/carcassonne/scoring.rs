//! Points: who holds a feature, what it is worth complete, unfinished and at the end.

use super::feature::{Feature, Features, Meeples};
use super::frontier::Cell;
use super::rules::{MAX_SEATS, Rules};
use super::tile::FeatureKind;

/// A city takes at least two tiles, so 49 segments make at most 24 complete ones.
const MAX_CITIES: usize = 24;
/// One turn can put out one meeple.
const MAX_CLAIMS: usize = 72;
const MAX_MONKS: usize = 8;
/// A monastery with all eight neighbours.
const FULL: u8 = 9;

/// What a feature paid, and to whom.
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

    /// The seats with the most meeples: all of them are paid in full.
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

/// Is told of every award as it is paid. `()` takes no notice and costs nothing.
pub trait Witness {
    /// A feature was scored.
    fn award(&mut self, award: Award);
}

impl Witness for () {
    #[inline]
    fn award(&mut self, _: Award) {}
}

impl Witness for Vec<Award> {
    fn award(&mut self, award: Award) {
        self.push(award);
    }
}

/// A meeple on a monastery.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Monk {
    cell: Cell,
    seat: u8,
    tiles: u8,
}

impl Monk {
    /// A monk on a monastery with this many tiles around it, its own not counted.
    pub(super) fn new(cell: Cell, seat: u8, around: u8) -> Monk {
        // The tile itself is counted when the turn that laid it is scored.
        Monk { cell, seat, tiles: around }
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

/// Points and what may still bring some.
#[derive(Clone)]
pub(super) struct Scoring {
    points: [u16; MAX_SEATS],
    /// The segments of each complete city.
    cities: [u64; MAX_CITIES],
    city_count: u8,
    monks: [Monk; MAX_MONKS],
    monk_count: u8,
    /// Kind and id of every feature a meeple was put on, complete ones included: looked up when they are needed.
    claims: [(u8, u8); MAX_CLAIMS],
    claim_count: u8,
}

impl Scoring {
    pub(super) fn new() -> Scoring {
        Scoring {
            points: [0; MAX_SEATS],
            cities: [0; MAX_CITIES],
            city_count: 0,
            monks: [Monk::default(); MAX_MONKS],
            monk_count: 0,
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

    pub(super) fn add_monk(&mut self, monk: Monk) {
        self.monks[usize::from(self.monk_count)] = monk;
        self.monk_count += 1;
    }

    /// The ids of the features that meeples were put on, in the order of the turns, monasteries left out.
    pub(super) fn claims(&self) -> impl Iterator<Item = u8> + '_ {
        self.claims[..usize::from(self.claim_count)].iter().map(|(_, id)| *id)
    }

    /// Whether a monk stands on this cell.
    pub(super) fn has_monk(&self, cell: Cell) -> bool {
        self.monks[..usize::from(self.monk_count)].iter().any(|monk| monk.cell == cell)
    }

    /// Counts a tile laid at `cell` for the monks around it (and on it), and pays those whose surroundings are full.
    #[inline]
    pub(super) fn score_monks(&mut self, cell: Cell, hands: &mut Meeples, witness: &mut impl Witness) {
        let mut index = 0;
        while index < usize::from(self.monk_count) {
            let monk = &mut self.monks[index];
            let near = cell.x.abs_diff(monk.cell.x) <= 1 && cell.y.abs_diff(monk.cell.y) <= 1;
            monk.tiles += u8::from(near);
            if monk.tiles < FULL {
                index += 1;
                continue;
            }
            let monk = *monk;
            self.monk_count -= 1;
            self.monks[index] = self.monks[usize::from(self.monk_count)];
            hands.add_all(monk.meeples());
            self.pay(monk.award(), witness);
        }
    }

    /// Scores a city or road whose last open end has just been closed.
    #[inline]
    pub(super) fn score_complete(
        &mut self,
        rules: &Rules,
        kind: FeatureKind,
        feature: Feature,
        hands: &mut Meeples,
        witness: &mut impl Witness,
    ) {
        if kind == FeatureKind::City {
            self.cities[usize::from(self.city_count)] = feature.set & rules.tiles.city_segments;
            self.city_count += 1;
        }
        if feature.is_claimed() {
            let points = complete_value(rules, kind, feature);
            hands.add_all(feature.meeples());
            self.pay(Award::new(kind, points, feature.meeples()), witness);
        }
    }

    #[inline]
    fn pay(&mut self, award: Award, witness: &mut impl Witness) {
        award.pay(&mut self.points);
        witness.award(award);
    }

    /// What every standing meeple would bring if the game ended now.
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
                FeatureKind::Field => 3 * self.cities_touched(feature),
                kind => unfinished_value(rules, kind, feature),
            };
            award(Award::new(kind, points, feature.meeples()));
        }
        for monk in &self.monks[..usize::from(self.monk_count)] {
            award(monk.award());
        }
    }

    /// How many complete cities a field touches.
    fn cities_touched(&self, field: Feature) -> u16 {
        let cities = &self.cities[..usize::from(self.city_count)];
        cities.iter().map(|city| u16::from(city & field.set != 0)).sum()
    }
}

/// Tiles of a city or road, each once.
fn tiles(rules: &Rules, kind: FeatureKind, feature: Feature) -> u32 {
    let several = match kind {
        FeatureKind::City => feature.set & rules.tiles.several_city_segments,
        _ => feature.set,
    };
    feature.single_tiles() + several.count_ones()
}

fn unfinished_value(rules: &Rules, kind: FeatureKind, feature: Feature) -> u16 {
    (tiles(rules, kind, feature) + feature.pennants()) as u16
}

fn complete_value(rules: &Rules, kind: FeatureKind, feature: Feature) -> u16 {
    match (kind, tiles(rules, kind, feature)) {
        (FeatureKind::City, 2) => u16::from(rules.two_tile_city) / 2 * (2 + feature.pennants() as u16),
        (FeatureKind::City, tiles) => 2 * (tiles + feature.pennants()) as u16,
        (_, tiles) => tiles as u16,
    }
}
