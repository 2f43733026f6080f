//! Placing a tile: its segments join the features around an open cell, then the turn is scored.
//!
//! Both steps change features, scores and meeples only. So search can do them in scratch tables beside a position.

use super::action::{Deployment, Figure, SegmentId};
use super::bits;
use super::board::Board;
use super::cell::Cell;
use super::edition::Edition;
use super::feature::{Features, Meeples};
use super::limits::MAX_SEGMENTS;
use super::options::Rules;
use super::scoring::{MonasteryMeeple, ScoreObserver, Scoring};
use super::shape::JoinTable;
use super::tile::{FeatureKind, TileKind};

/// The ids of the features that the segments of a joined tile belong to.
///
/// One byte per segment in one word; 0 for a segment that has none yet.
#[derive(Clone, Copy, Default)]
pub(super) struct FeatureIds(u64);

impl FeatureIds {
    /// For each segment the feature at its first port with a neighbour, or a new feature if it has no such port.
    #[inline]
    fn new(neighbour_ids: &[u8; 16], join_table: &JoinTable, next: u8) -> FeatureIds {
        const EACH: u64 = 0x0101_0101_0101_0101;
        let mut first = [15; 16];
        first[..MAX_SEGMENTS].copy_from_slice(&join_table.first_port);
        let neighbour_ids = bits::pick(neighbour_ids, &first);
        let neighbour_ids = u128::from_le_bytes(neighbour_ids) as u64;
        // Ports are at most 15, and only 15 + 0x71 reaches bit 7.
        let alone = (u64::from_le_bytes(join_table.first_port) + 0x71 * EACH) >> 7 & EACH;
        let fresh = u64::from_le_bytes(join_table.new_rank) + u64::from(next) * EACH;
        FeatureIds(neighbour_ids | (fresh & (alone * 0xff)))
    }

    #[inline]
    pub(super) fn of(self, segment: usize) -> u8 {
        (self.0 >> (8 * segment)) as u8
    }

    fn replace(&mut self, from: u8, to: u8) {
        self.0 = u64::from_le_bytes(self.0.to_le_bytes().map(|id| if id == from { to } else { id }));
    }

    /// The ids as a table by segment number; 0 for numbers without a segment.
    #[inline]
    pub(super) fn table(self) -> [u8; 16] {
        u128::from(self.0).to_le_bytes()
    }
}

/// What surrounds an open cell, in the directions of a tile that is placed there in this rotation.
#[derive(Clone, Copy)]
pub(super) struct Surroundings {
    pub cell: Cell,
    pub rotation: u8,
    neighbour_ids: [u8; 16],
    sides: u8,
}

impl Surroundings {
    #[inline(always)]
    pub(super) fn of<E: Edition>(board: &Board<E>, slot: u8, rotation: u8) -> Surroundings {
        let neighbour_ids = bits::turn_back(board.neighbour_ids(slot), rotation);
        Surroundings {
            cell: board.cell(slot),
            rotation,
            neighbour_ids,
            sides: turn_sides_back(board.sides(slot), rotation),
        }
    }

    /// By port of the tile: the id of the neighbour's feature there, or 0.
    #[inline]
    pub(super) fn neighbour_ids(&self) -> &[u8; 16] {
        &self.neighbour_ids
    }

    /// The sides of the tile with a neighbour, one bit per side.
    #[inline]
    pub(super) fn sides(&self) -> u8 {
        self.sides
    }
}

/// A tile that is joined to its neighbours' features and not yet on the board.
pub(super) struct Placement {
    pub surroundings: Surroundings,
    pub kind: TileKind,
    pub ids: FeatureIds,
    /// The set of segments whose feature holds no meeple. A monastery or garden is one of them.
    pub free: u32,
    /// The set of city and road segments whose feature the tile completes.
    pub closed: u32,
}

/// The tables that change when a turn is scored.
pub(super) struct ScoreUpdate<'a, E: Edition> {
    pub features: &'a mut Features<E>,
    pub scoring: &'a mut Scoring<E>,
    pub supply: &'a mut Meeples,
}

impl<E: Edition> ScoreUpdate<'_, E> {
    /// Places or takes back the figure of a turn, if any, and scores what the tile completes. The tile is on `cell`
    /// and has `around` tiles around it.
    #[inline(always)]
    pub(super) fn apply(
        self,
        rules: &Rules,
        placement: &Placement,
        (player, deployment): (u8, Option<Deployment>),
        (cell, around): (Cell, impl FnOnce() -> u8),
        observer: &mut impl ScoreObserver,
    ) {
        let shape = E::of(rules.tiles).shape(placement.kind);
        let recall = E::EXPANDED && deployment == Some(Deployment::RECALL);
        // Whether a figure is placed cannot be predicted: no figure counts as none on the first segment.
        let segment = deployment.and_then(Deployment::segment);
        let is_placed = segment.is_some();
        let segment = segment.map_or(0, SegmentId::index);
        let figure = deployment.filter(|_| E::EXPANDED).map_or(Figure::Meeple, Deployment::figure);
        let figures = Meeples::one_if(is_placed, figure, player);
        self.supply.take_all(figures);
        match shape.segments[segment % MAX_SEGMENTS].kind() {
            kind @ (FeatureKind::Monastery | FeatureKind::Garden) => {
                if is_placed {
                    self.scoring.add_monastery_meeple(MonasteryMeeple::new(cell, player, (figure, kind), around()));
                }
            }
            kind => {
                let id = placement.ids.of(segment);
                self.features.claim_by(id, figures);
                self.scoring.add_claim_if(is_placed, kind, id);
            }
        }
        self.scoring.score_monasteries(cell, self.supply, observer);
        if recall {
            self.scoring.recall(player, self.supply, observer);
        }
        for segment in bits::ones(placement.closed.into()) {
            let id = placement.ids.of(segment as usize);
            // Two segments of the tile may belong to one feature, which scores once.
            if self.features.root(id).is_closed() {
                let feature = self.features.complete(id);
                let kind = shape.segments[segment as usize % MAX_SEGMENTS].kind();
                self.scoring.score_complete(rules, kind, feature, self.supply, observer);
            }
        }
    }
}

/// Joins the segments of a tile to the features around an open cell. `on_merge(from, to)` is called for each feature
/// `from` that becomes part of a feature `to`.
#[inline(always)]
pub(super) fn join<E: Edition>(
    features: &mut Features<E>,
    rules: &Rules,
    surroundings: Surroundings,
    kind: TileKind,
    copy: u8,
    mut on_merge: impl FnMut(u8, u8),
) -> Placement {
    let tables = E::of(rules.tiles);
    let shape = tables.shape(kind);
    let Surroundings { neighbour_ids, sides, .. } = surroundings;
    let join_table = tables.join_table(kind, sides);
    let mut ids = FeatureIds::new(&neighbour_ids, join_table, features.next());
    features.begin(join_table.new_features);
    let (mut free, mut closed) = (!0, 0);
    let edged = usize::from(shape.edged).min(MAX_SEGMENTS);
    for (index, (segment, ends)) in shape.segments[..edged].iter().zip(join_table.open_end_change).enumerate() {
        let feature = features.extend(ids.of(index), segment.feature(copy, ends));
        free ^= u32::from(feature.is_claimed()) << index;
        closed |= u32::from(feature.is_closed()) << index;
    }
    if join_table.further_ports != 0 {
        for port in bits::ones(join_table.further_ports.into()) {
            let root = neighbour_ids[port as usize % 16];
            // The feature may be merged already, at an earlier port of this loop.
            let (id, root) = (ids.of(shape.segment_at[port as usize % 16].into()), features.find(root));
            if id != root {
                features.merge(id, root);
                on_merge(root, id);
                ids.replace(root, id);
            }
        }
        (free, closed) = (!0, 0);
        for index in 0..edged {
            let feature = features.root(ids.of(index));
            free ^= u32::from(feature.is_claimed()) << index;
            closed |= u32::from(feature.is_closed()) << index;
        }
    }
    Placement { surroundings, kind, ids, free, closed: closed & ((1 << shape.closable) - 1) }
}

/// A set of sides of the board as a set of sides of a tile that is turned `rotation` times.
#[inline]
fn turn_sides_back(sides: u8, rotation: u8) -> u8 {
    (sides | sides << 4) >> (rotation % 4) & 0xf
}
