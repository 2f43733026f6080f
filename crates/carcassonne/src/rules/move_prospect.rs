//! The prospects of the features of a move, computed for all moves of a position without playing them.
//!
//! The chance that a feature completes is about the draws of the seat alone: it sees the tiles left as shuffled, and
//! the surroundings as they are after the move. A feature with open ends in one cell completes if the seat draws one of
//! the tiles that complete it there; that chance is exact. For several cells the chances of the cells are multiplied, as
//! if each closed by itself.

use super::action::{Deployment, Move};
use super::bits;
use super::cell::Cell;
use super::closing_tiles::{ClosingTiles, Pattern, TileBits};
use super::edition::{Edition, FixedTable};
use super::feature::Feature;
use super::limits::MAX_SEGMENTS;
use super::move_effect::Joined;
use super::placement::Surroundings;
use super::scoring::{complete_value, unfinished_value};
use super::shape::Shape;
use super::state::State;
use super::tile::{Edge, FeatureKind, Land, Side, TileKind};
use std::ops::Range;

/// The prospects of the features of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct MoveProspect {
    /// The chance that the feature which the move claims completes, 0 to 1.
    pub chance: f64,
    /// Open ends of the seat's features that the tile belongs to. Of a monastery that the move claims, the empty cells.
    pub open_ends: i32,
    /// Strength of the figures of others on the features of the tile.
    pub others: i32,
    /// Points that the seat expects of the next tile, if it is used to complete one of these features.
    pub next: f64,
}

/// Which numbers are wanted beside open ends and the figures of others: those about completion need the tiles left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Prospects {
    /// The chance of the claimed feature.
    pub chance: bool,
    /// The points of the next tile.
    pub next: bool,
}

/// A feature that a move claims or extends.
#[derive(Clone, Copy, Default)]
struct Growth {
    chance: f64,
    ends: i32,
    next: f64,
}

impl Growth {
    /// Field by field: copied as a whole it would be read in wider words than it was just written in, and waited for.
    #[inline]
    fn set(&mut self, chance: f64, ends: i32, next: f64) {
        self.chance = chance;
        self.ends = ends;
        self.next = next;
    }
}

struct Placed<'a, E: Edition> {
    cell: Cell,
    rotation: u8,
    slot: u8,
    joined: &'a Joined<E>,
}

/// The prospects of the features of a placement.
#[derive(Default)]
struct PlacementProspects {
    others: i32,
    /// The seat's features that the tile extends.
    extended: Growth,
    /// By segment: what a claim of its feature is worth. Without meaning where the seat can place no figure.
    claims: [Growth; MAX_SEGMENTS],
}

/// Open ends of a feature in one cell.
#[derive(Clone, Copy)]
struct Opening {
    slot: u8,
    /// Whether no other city or road ends in the cell: then the tiles that close it do not depend on the move, unless
    /// the cell is beside the tile.
    is_alone: bool,
    /// Their number, once it is known.
    closing: Option<u8>,
}

/// What the cells around a placement show once the tile is there.
struct CellView {
    /// None if a river ends there, for which no other tile fits.
    pattern: Option<Pattern>,
    /// By side: the city or road that ends there, by its id; 0 for none, and from [`OF_TILE`] on one of the tile.
    ends: [u16; 4],
}

/// The number of the first segment of a feature of the tile is counted on from here: above all ids.
const OF_TILE: u16 = 256;

/// The surroundings of an open cell.
#[derive(Clone, Copy, Debug)]
enum Known {
    Nothing,
    River,
    Pattern(Pattern),
}

/// The tiles left, and the ends of all features: what all moves of a position share.
struct Openings<'a, E: Edition> {
    state: &'a State<E>,
    shape: &'static Shape<E>,
    wanted: Prospects,
    table: &'a ClosingTiles,
    /// Tiles left without a river.
    tiles: TileBits,
    /// Their number.
    total: u32,
    /// Those that the seat will draw.
    draws: u32,
    /// Whether the next tile is one of them.
    are_next: bool,
    /// By slot: what surrounds it before the move, once it is asked for.
    patterns: E::Slots<Known>,
    /// The openings of features that end elsewhere than at a tile of a move, and their places by the id of the feature.
    list: Vec<Opening>,
    listed: Vec<(u8, Range<usize>)>,
    /// By number of tiles: the chance that the seat draws none of them.
    missed: Vec<f64>,
}

impl<'a, E: Edition> Openings<'a, E> {
    fn of(state: &'a State<E>, shape: &'static Shape<E>, wanted: Prospects) -> Openings<'a, E> {
        let set = state.rules.tiles;
        let counts = state.bag.all_counts();
        let river = |kind: usize| u32::from(counts[kind]) * u32::from(state.shape(TileKind(kind as u8)).has_river());
        let river: u32 = if E::EXPANDED { (0..set.kinds().len()).map(river).sum() } else { 0 };
        let (left, seats) = (u32::from(state.bag.len()), u32::from(state.rules.seats));
        let table = E::of(set).closing(set);
        let mut missed = Vec::with_capacity(64);
        missed.push(1.0);
        Openings {
            state,
            shape,
            wanted,
            table,
            tiles: table.bits(counts.as_ref()),
            total: left - river,
            // The tiles of the river come first.
            draws: left / seats - river / seats,
            are_next: river == 0 && left > 0,
            patterns: FixedTable::filled(Known::Nothing),
            list: Vec::new(),
            listed: Vec::new(),
            missed,
        }
    }

    /// The places in the list of a feature's openings.
    fn openings(&mut self, id: u8) -> Range<usize> {
        if let Some((_, places)) = self.listed.iter().find(|(other, _)| *other == id) {
            return places.clone();
        }
        let (begin, mut left) = (self.list.len(), self.state.features.root(id).open_end_count());
        for slot in self.state.board.open_slots() {
            let ids = self.state.board.neighbour_ids(slot);
            // A road or city is at the middle port of a side alone, so each of its ports is an end.
            let ends = bits::ports_of(ids, id);
            if ends != 0 {
                let is_alone = middles(ids).iter().all(|other| *other == id || *other == 0);
                self.list.push(Opening { slot, is_alone, closing: None });
                left -= ends.count_ones() as i32;
                if left == 0 {
                    break;
                }
            }
        }
        self.listed.push((id, begin..self.list.len()));
        begin..self.list.len()
    }

    /// What surrounds an open cell before the move; none if a river ends there.
    fn pattern(&mut self, slot: u8) -> Option<Pattern> {
        match self.patterns[usize::from(slot)] {
            Known::Pattern(pattern) => return Some(pattern),
            Known::River => return None,
            Known::Nothing => {}
        }
        let edges = Side::ALL.into_iter().map(|side| (side, self.state.board.neighbour_edge(slot, side)));
        let found =
            edges.filter_map(|(side, edge)| Some((side, edge?))).try_fold(Pattern::default(), |all, (side, edge)| {
                (edge != Edge::River).then(|| all.with(side as usize, Land::of(edge)))
            });
        self.patterns[usize::from(slot)] = found.map_or(Known::River, Known::Pattern);
        found
    }

    /// The chance that the seat draws one of so many tiles at least.
    fn chance(&mut self, tiles: u32) -> f64 {
        for missing in self.missed.len() as u32 - 1..tiles {
            let others = self.total.saturating_sub(self.draws + missing);
            let missed = self.missed[missing as usize] * f64::from(others) / f64::from(self.total - missing);
            self.missed.push(missed);
        }
        1.0 - self.missed[tiles as usize]
    }

    /// What a cell shows once the tile is placed: an open one by its slot, or one that no tile touches yet. `beside` is
    /// the side of the cell where the tile is, if it is beside it.
    #[inline]
    fn view(&mut self, slot: Option<u8>, beside: Option<Side>, placed: &Placed<E>) -> CellView {
        let mut view = CellView { pattern: Some(Pattern::default()), ends: [0; 4] };
        if let Some(slot) = slot {
            view.pattern = self.pattern(slot);
            view.ends = middles(self.state.board.neighbour_ids(slot)).map(u16::from);
            for end in view.ends.iter_mut().filter(|end| **end != 0) {
                let met = placed.joined.met().find(|(id, _)| u16::from(*id) == *end);
                *end = met.map_or(*end, |(_, first)| OF_TILE + u16::from(first));
            }
        }
        if let Some(side) = beside {
            let own = (side as usize + 6 - usize::from(placed.rotation)) % 4;
            let has_river = self.shape.has_river() && self.shape.river >> own & 1 == 1;
            let kept = view.pattern.filter(|_| !has_river);
            view.pattern = kept.map(|pattern| pattern.with(side as usize, self.shape.edges[own]));
            let segment = usize::from(self.shape.segment_at[4 * own + 1]);
            if segment < usize::from(self.shape.closable) {
                view.ends[side as usize] = OF_TILE + u16::from(placed.joined.first[segment % MAX_SEGMENTS]);
            }
        }
        view
    }

    /// The tiles left that fit in a cell and close there what ends there of a feature.
    fn closing(&self, view: &CellView, feature: u16, placed: &Placed<E>) -> u32 {
        let Some(pattern) = view.pattern else { return 0 };
        let own = sides_of(&view.ends, feature);
        // A tile may join another feature, which completes with it if it ends nowhere else.
        let (mut others, mut count) = ([0; 3], 0);
        for (side, end) in view.ends.iter().enumerate() {
            if *end == 0 || *end == feature || view.ends[..side].contains(end) {
                continue;
            }
            let sides = sides_of(&view.ends, *end);
            let of = match end.checked_sub(OF_TILE) {
                Some(first) => placed.joined.features[usize::from(first) % MAX_SEGMENTS],
                None => self.state.features.root(*end as u8),
            };
            if of.open_end_count() == sides.count_ones() as i32 {
                others[count] = sides;
                count += 1;
            }
        }
        let with = |subset: u8| {
            let joined =
                (0..count).filter(|other| subset >> other & 1 == 1).fold(own, |all, other| all | others[other]);
            self.table.tiles(pattern, joined)
        };
        (0..1 << count).map(with).fold(TileBits::default(), TileBits::or).in_common(self.tiles)
    }

    /// Whether a city or road of the tile ends in one cell only: `first` is its first segment. Others get no points by
    /// the next tile.
    fn ends_in_one_cell(&mut self, first: usize, placed: &Placed<E>) -> bool {
        let ends = placed.joined.features[first].open_end_count();
        // A cell has four sides.
        if ends > 4 {
            return false;
        }
        let met = |id: u8| placed.joined.met().any(|(other, of)| other == id && usize::from(of) == first);
        let (mut cells, mut ends_beside) = (0, 0);
        for side in self.sides_of_tile(first, placed) {
            let ids = self.state.board.slot(placed.cell.neighbour(side));
            let ids = ids.map(|slot| middles(self.state.board.neighbour_ids(slot)));
            let others = ids.map_or(0, |ids| ids.iter().filter(|id| **id != 0 && met(**id)).count());
            ends_beside = 1 + others as i32;
            cells += 1;
        }
        if cells > 0 {
            return cells == 1 && ends_beside == ends;
        }
        let mut only = None;
        for (id, _) in placed.joined.met().filter(|(_, of)| usize::from(*of) == first) {
            for place in self.openings(id) {
                let slot = self.list[place].slot;
                if slot != placed.slot && *only.get_or_insert(slot) != slot {
                    return false;
                }
            }
        }
        true
    }

    /// The sides of the tile where a feature of it ends, beside an empty cell.
    #[inline]
    fn sides_of_tile(&self, first: usize, placed: &Placed<E>) -> impl Iterator<Item = Side> + use<'a, E> {
        let (state, shape, cell) = (self.state, self.shape, placed.cell);
        let (rotation, first_of) = (placed.rotation, placed.joined.first);
        Side::ALL.into_iter().filter(move |side| {
            let own = (*side as usize + 4 - usize::from(rotation)) % 4;
            let segment = usize::from(shape.segment_at[4 * own + 1]);
            segment < usize::from(shape.closable)
                && usize::from(first_of[segment]) == first
                && !state.board.has_tile(cell.neighbour(*side))
        })
    }

    /// What a city or road of the tile may become that is not complete: `first` is its first segment.
    fn grow(&mut self, first: usize, placed: &Placed<E>, growth: &mut Growth) {
        let feature = placed.joined.features[first];
        if !(self.wanted.chance || self.are_next && self.ends_in_one_cell(first, placed)) {
            growth.set(0.0, feature.open_end_count(), 0.0);
            return;
        }
        let (key, mut seen) = (OF_TILE + first as u16, [0_u64; 4]);
        let (mut chance, mut cells, mut last) = (1.0, 0, 0);
        let mut elsewhere = feature.open_end_count();
        for side in self.sides_of_tile(first, placed) {
            let slot = self.state.board.slot(placed.cell.neighbour(side));
            if let Some(slot) = slot {
                seen[usize::from(slot) / 64] |= 1 << (slot % 64);
            }
            let view = self.view(slot, Some(side.opposite()), placed);
            last = self.closing(&view, key, placed);
            chance *= self.chance(last);
            cells += 1;
            elsewhere -= sides_of(&view.ends, key).count_ones() as i32;
        }
        for (id, _) in placed.joined.met().filter(|(_, of)| usize::from(*of) == first && elsewhere > 0) {
            for place in self.openings(id) {
                let opening = self.list[place];
                let (word, bit) = (usize::from(opening.slot) / 64, 1 << (opening.slot % 64));
                if opening.slot == placed.slot || seen[word] & bit != 0 {
                    continue;
                }
                seen[word] |= bit;
                let beside = side_of(self.state.board.cell(opening.slot), placed.cell);
                last = match opening.closing.filter(|_| beside.is_none()) {
                    Some(closing) => closing.into(),
                    None => {
                        let view = self.view(Some(opening.slot), beside, placed);
                        let closing = self.closing(&view, key, placed);
                        if opening.is_alone && beside.is_none() {
                            self.list[place].closing = Some(closing as u8);
                        }
                        closing
                    }
                };
                chance *= self.chance(last);
                cells += 1;
            }
        }
        let chance = if self.draws < cells { 0.0 } else { chance };
        let next = if cells == 1 && self.are_next {
            let kind = self.shape.segments[first].kind();
            let mut complete = feature;
            complete.add(Feature { set: E::Set::default(), sum: Feature::<E>::sum(1, 0, 0) });
            let rules = &self.state.rules;
            let gain =
                f64::from(complete_value(rules, kind, complete)) - f64::from(unfinished_value(rules, kind, feature));
            f64::from(last) / f64::from(self.total) * gain
        } else {
            0.0
        };
        growth.set(chance, feature.open_end_count(), next);
    }

    /// The prospect of a monastery or garden on the cell of the tile.
    fn monastery(&mut self, placed: &Placed<E>) -> Growth {
        if !self.wanted.chance {
            let ends = empty_around(self.state, placed.cell).count();
            if ends > 1 || !self.are_next {
                return Growth { chance: 0.0, ends: ends as i32, next: 0.0 };
            }
        }
        let (mut chance, mut cells, mut last) = (1.0, 0, 0);
        for cell in empty_around(self.state, placed.cell) {
            let view = self.view(self.state.board.slot(cell), side_of(cell, placed.cell), placed);
            last = view.pattern.map_or(0, |pattern| self.table.tiles(pattern, 0).in_common(self.tiles));
            chance *= self.chance(last);
            cells += 1;
        }
        let chance = if self.draws < cells { 0.0 } else { chance };
        let share = if cells == 1 && self.are_next { f64::from(last) / f64::from(self.total) } else { 0.0 };
        Growth { chance, ends: cells as i32, next: share }
    }
}

impl<E: Edition> State<E> {
    /// Calls `visit` with the prospects of each of these legal moves, in their order. Only numbers of `wanted` are defined.
    pub(crate) fn each_move_prospect(&self, actions: &[Move], wanted: Prospects, mut visit: impl FnMut(MoveProspect)) {
        let Some(kind) = self.hand() else { return };
        let shape = self.shape(kind);
        let may_claim = self.claimable_segments(shape) != 0;
        let takes = wanted.next || wanted.chance && may_claim;
        let mut openings = takes.then(|| Openings::of(self, shape, wanted));
        let (mut last, mut found) = (None, PlacementProspects::default());
        for action in actions {
            if last != Some((action.cell, action.rotation)) {
                last = Some((action.cell, action.rotation));
                self.find_prospects(action, (kind, shape, may_claim), openings.as_mut(), &mut found);
            }
            let claimed = action.meeple.and_then(Deployment::segment);
            let claim = claimed.map(|segment| found.claims[segment.index() % MAX_SEGMENTS]);
            let Growth { chance, ends, next } = claim.unwrap_or_default();
            visit(MoveProspect {
                chance,
                open_ends: found.extended.ends + ends,
                others: found.others,
                next: found.extended.next + next,
            });
        }
    }

    /// The prospects of a placement and of each claim that is possible there.
    ///
    /// They are written to memory of the caller: returned, they would be copied.
    fn find_prospects(
        &self,
        action: &Move,
        (kind, shape, may_claim): (TileKind, &Shape<E>, bool),
        mut openings: Option<&mut Openings<E>>,
        found: &mut PlacementProspects,
    ) {
        let Move { cell, rotation, .. } = *action;
        let slot = self.board.slot(cell).expect("a legal move has an open cell");
        let mut joined = Joined::new();
        let surroundings = Surroundings::of(&self.board, slot, rotation);
        self.join_beside(&mut joined, &surroundings, kind, |_, _, _, _| {});
        let placed = Placed { cell, rotation, slot, joined: &joined };
        (found.others, found.extended) = (0, Growth::default());
        let seat = self.player();
        let edged = usize::from(shape.edged) % (MAX_SEGMENTS + 1);
        for index in 0..edged {
            let first = usize::from(joined.first[index]) % MAX_SEGMENTS;
            if first != index {
                let known = found.claims[first];
                found.claims[index].set(known.chance, known.ends, known.next);
                continue;
            }
            let feature = joined.features[index];
            let ends = match shape.segments[index].kind() {
                FeatureKind::Field => None,
                _ if feature.is_closed() => Some(0),
                _ => Some(feature.open_end_count()),
            };
            if !feature.is_claimed() {
                let growing = openings.as_mut().filter(|_| may_claim && ends.is_some_and(|ends| ends > 0));
                let claim = &mut found.claims[index];
                match growing {
                    Some(openings) => openings.grow(index, &placed, claim),
                    None => claim.set(if ends == Some(0) { 1.0 } else { 0.0 }, ends.unwrap_or(0), 0.0),
                }
                continue;
            }
            let strengths = feature.meeples().strengths::<E>();
            let own = strengths[seat];
            found.others += strengths.iter().map(|strength| i32::from(*strength)).sum::<i32>() - i32::from(own);
            if own > 0
                && let Some(ends) = ends.filter(|ends| *ends > 0)
            {
                found.extended.ends += ends;
                let leads = strengths.iter().all(|other| *other <= own);
                if let Some(openings) = openings.as_mut().filter(|openings| leads && openings.wanted.next) {
                    let mut growth = Growth::default();
                    openings.grow(index, &placed, &mut growth);
                    found.extended.next += growth.next;
                }
            }
        }
        if may_claim && shape.edged < shape.segment_count {
            found.claims[edged % MAX_SEGMENTS] = match openings {
                Some(openings) => openings.monastery(&placed),
                None => Growth { ends: empty_around(self, cell).count() as i32, ..Growth::default() },
            };
        }
    }
}

/// The side of a cell at which another one is, if they are neighbours.
#[inline]
fn side_of(cell: Cell, other: Cell) -> Option<Side> {
    Side::ALL.into_iter().find(|side| cell.neighbour(*side) == other)
}

/// By side: the id of the city or road there, or 0.
#[inline]
fn middles(ids: &[u8; 16]) -> [u8; 4] {
    [ids[1], ids[5], ids[9], ids[13]]
}

#[inline]
fn sides_of<T: PartialEq>(ends: &[T; 4], feature: T) -> u8 {
    ends.iter().enumerate().fold(0, |set, (side, end)| set | u8::from(*end == feature) << side)
}

/// The empty cells around one, which is not counted.
fn empty_around<E: Edition>(state: &State<E>, cell: Cell) -> impl Iterator<Item = Cell> + '_ {
    let row = move |y: i8| (-1..=1).map(move |x| Cell { x: cell.x + x, y: cell.y + y });
    (-1..=1).flat_map(row).filter(move |other| *other != cell && !state.board.has_tile(*other))
}

#[cfg(test)]
mod tests;
