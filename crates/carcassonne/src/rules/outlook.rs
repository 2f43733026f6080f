//! What a position promises: the chances that open cells are filled and features are completed, meeples that are
//! trapped, and features that may be joined to those of another seat.
//!
//! The ideas are those that Müller (2014, 5.1.6) and the project itself name of JCloisterZone's player; formulas and
//! weights are our own.

use super::cell::Cell;
use super::edition::{Edition, FixedTable};
use super::feature::Feature;
use super::limits::MAX_SEATS;
use super::scoring::{complete_value, unfinished_value};
use super::state::State;
use super::tile::{FeatureKind, TileKind};

/// Points of a complete monastery, and its tiles.
const FULL_MONASTERY: f64 = 9.0;
/// The chance that an empty cell which no tile touches is filled, per share of the game that is left.
const FAR_CELL: f64 = 0.5;
/// Value of a meeple in supply at the start of the game, in points. It falls to 0 at the end.
const SUPPLY: f64 = 3.0;
/// Cost of a trapped meeple at the start of the game, in points.
const TRAPPED: f64 = 2.0;
/// The share of tiles for a cell that join the features around it as the thief wants.
const JOINING: f64 = 0.4;

/// The prospects of all seats in a position, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Outlook {
    /// By seat: points scored and expected.
    pub points: [f64; MAX_SEATS],
    /// By seat: meeples in supply, and minus those that are trapped.
    pub meeples: [f64; MAX_SEATS],
    /// By seat: what features may bring or lose that are joined to those of another seat.
    pub joins: [f64; MAX_SEATS],
}

struct Claimed<E: Edition> {
    kind: FeatureKind,
    feature: Feature<E>,
    /// The chance that all its open cells are filled.
    chance: f64,
    value: f64,
}

impl Outlook {
    /// The value of the position to a seat: its prospects minus the best of the others'.
    pub(crate) fn value(&self, seat: usize, seats: usize) -> f64 {
        let total = |seat: usize| self.points[seat] + self.meeples[seat] + self.joins[seat];
        let others = (0..seats).filter(|other| *other != seat).map(total);
        total(seat) - others.fold(f64::NEG_INFINITY, f64::max)
    }
}

impl<E: Edition> State<E> {
    /// The prospects of the seats. No tile may be in hand, so that all tiles to come are in the bag.
    pub(crate) fn outlook(&self) -> Outlook {
        let chances = self.filling_chances();
        let left = f64::from(self.bag.len()) / f64::from(self.rules.tiles.tiles);
        let mut outlook = Outlook::default();
        for (points, scored) in outlook.points.iter_mut().zip(self.scoring.points()) {
            *points = f64::from(*scored);
        }
        for (seat, meeples) in outlook.meeples.iter_mut().enumerate() {
            *meeples = SUPPLY * left * f64::from(self.figures_left(seat));
        }
        let mut claimed: Vec<(u8, Claimed<E>)> = Vec::new();
        let mut by_id = E::Features::<f64>::filled(1.0);
        self.each_open_neighbour(|slot, id| by_id[usize::from(id)] *= chances[usize::from(slot)]);
        for (kind, id, feature) in self.scoring.claimed_features(&self.features) {
            let chance = if kind == FeatureKind::Field { 0.0 } else { by_id[usize::from(id)] };
            let value = match kind {
                FeatureKind::Field => f64::from(self.rules.fields.points() * self.scoring.cities_touched(feature)),
                kind => {
                    let [unfinished, complete] =
                        [unfinished_value, complete_value].map(|value| f64::from(value(&self.rules, kind, feature)));
                    chance * complete + (1.0 - chance) * unfinished
                }
            };
            claimed.push((id, Claimed { kind, feature, chance, value }));
        }
        for (_, of) in &claimed {
            let meeples = of.feature.meeples().strengths::<E>();
            winners(meeples, |seat| outlook.points[seat] += of.value);
            let trapped = of.kind != FeatureKind::Field && of.chance == 0.0;
            for (value, count) in outlook.meeples.iter_mut().zip(meeples) {
                let each = if trapped { -TRAPPED } else { SUPPLY * of.chance };
                *value += left * each * f64::from(count);
            }
        }
        for (cell, seat, tiles) in self.scoring.claimed_monasteries() {
            let chance = self.monastery_chance(cell, &chances, left);
            let seat = usize::from(seat);
            outlook.points[seat] += chance * FULL_MONASTERY + (1.0 - chance) * f64::from(tiles);
            outlook.meeples[seat] += left * if chance == 0.0 { -TRAPPED } else { SUPPLY * chance };
        }
        self.add_joins(&claimed, &chances, &mut outlook);
        outlook
    }

    /// By slot: the chance that the seat to play draws a tile that fits there before the game ends.
    fn filling_chances(&self) -> E::Slots<f64> {
        let counts = self.bag.all_counts();
        let total = f64::from(self.bag.len());
        let draws = self.bag.len().div_ceil(self.rules.seats);
        let mut fitting = E::Slots::<u8>::filled(0);
        for kind in (0..<E::Kinds<u8> as FixedTable<u8>>::LEN).filter(|kind| counts[*kind] > 0) {
            for (slot, _) in self.legal_placements(TileKind(kind as u8)).slots() {
                fitting[usize::from(slot)] += counts[kind];
            }
        }
        let mut chances = E::Slots::<f64>::filled(0.0);
        for (chance, count) in chances.as_mut().iter_mut().zip(fitting.as_ref()).filter(|(_, count)| **count > 0) {
            let missed = 1.0 - f64::from(*count) / total;
            *chance = 1.0 - (0..draws).fold(1.0, |all, _| all * missed);
        }
        chances
    }

    /// Calls `visit` with every open slot and every feature next to it, each pair once.
    fn each_open_neighbour(&self, mut visit: impl FnMut(u8, u8)) {
        for slot in self.board.open_slots() {
            let ids = self.board.neighbour_ids(slot);
            for (port, id) in ids.iter().enumerate() {
                if *id != 0 && !ids[..port].contains(id) {
                    visit(slot, *id);
                }
            }
        }
    }

    fn monastery_chance(&self, cell: Cell, chances: &E::Slots<f64>, left: f64) -> f64 {
        let row = |y: i8| (-1..=1).map(move |x| Cell { x: cell.x + x, y: cell.y + y });
        let around = (-1..=1).flat_map(row).filter(|other| *other != cell && !self.board.has_tile(*other));
        around.map(|other| self.board.slot(other).map_or(FAR_CELL * left, |slot| chances[usize::from(slot)])).product()
    }

    /// Where two claimed features of a kind meet at an open cell, a tile may join them: the seats with the most meeples
    /// then have both.
    fn add_joins(&self, claimed: &[(u8, Claimed<E>)], chances: &E::Slots<f64>, outlook: &mut Outlook) {
        // By id: the place among the claimed features, from 1; 0 where it is not claimed.
        let mut places = E::Features::<u8>::filled(0);
        for (place, (id, _)) in (1..).zip(claimed) {
            places[usize::from(*id)] = place;
        }
        for slot in self.board.open_slots() {
            let mut here = [0_u8; 16];
            let mut count = 0;
            for id in self.board.neighbour_ids(slot) {
                let place = places[usize::from(*id)];
                if place != 0 && !here[..count].contains(&place) {
                    here[count] = place;
                    count += 1;
                }
            }
            let of = |place: &u8| &claimed[usize::from(*place) - 1].1;
            for (number, a) in here[..count].iter().enumerate() {
                let a = of(a);
                for b in here[..number].iter().map(of).filter(|b| b.kind == a.kind) {
                    let chance = JOINING * chances[usize::from(slot)];
                    let mut counts = a.feature.meeples().strengths::<E>();
                    for (count, more) in counts.iter_mut().zip(b.feature.meeples().strengths::<E>()) {
                        *count += more;
                    }
                    winners(counts, |seat| outlook.joins[seat] += chance * (a.value + b.value));
                    for of in [a, b] {
                        winners(of.feature.meeples().strengths::<E>(), |seat| outlook.joins[seat] -= chance * of.value);
                    }
                }
            }
        }
    }
}

/// Calls `visit` for each seat with the most meeples.
fn winners(meeples: [u8; MAX_SEATS], visit: impl FnMut(usize)) {
    let most = meeples.iter().copied().max().unwrap_or(0);
    (0..MAX_SEATS).filter(|seat| most > 0 && meeples[*seat] == most).for_each(visit);
}
