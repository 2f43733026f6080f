//! Laying a tile: its parts join the features around a place, then the turn is paid for.
//!
//! Both parts of a turn work on features and points alone, so that they can be worked out beside a position as well as in it.

use super::action::Spot;
use super::bits;
use super::feature::{Features, Meeples};
use super::frontier::{Cell, Frontier};
use super::rules::Rules;
use super::scoring::{Monk, Scoring, Witness};
use super::tile::{FeatureKind, TileKind};
use super::tile_set::{MAX_PARTS, Meeting};

/// Ids of the features that the parts of a tile belong to, once it is joined to its neighbours.
///
/// A byte a part, in one word; 0 for a part that has none yet.
#[derive(Clone, Copy, Default)]
pub(super) struct PartIds(u64);

impl PartIds {
    /// The features that the parts meet first, and new ones for the parts that meet none.
    #[inline]
    fn new(met: &[u8; 16], meeting: &Meeting, next: u8) -> PartIds {
        const EACH: u64 = 0x0101_0101_0101_0101;
        let mut first = [15; 16];
        first[..MAX_PARTS].copy_from_slice(&meeting.first);
        let met = bits::pick(met, &first);
        let met = u128::from_le_bytes(met) as u64;
        // Places are at most 15, and 15 + 0x71 is the first that reaches bit 7.
        let alone = (u64::from_le_bytes(meeting.first) + 0x71 * EACH) >> 7 & EACH;
        let fresh = u64::from_le_bytes(meeting.rank) + u64::from(next) * EACH;
        PartIds(met | (fresh & (alone * 0xff)))
    }

    #[inline]
    fn of(self, part: usize) -> u8 {
        (self.0 >> (8 * part)) as u8
    }

    fn replace(&mut self, from: u8, to: u8) {
        self.0 = u64::from_le_bytes(self.0.to_le_bytes().map(|id| if id == from { to } else { id }));
    }

    /// As a table by part number; parts that do not exist have none.
    #[inline]
    pub(super) fn table(self) -> [u8; 16] {
        u128::from(self.0).to_le_bytes()
    }
}

/// An open cell as a tile turned so sees it.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub slot: u8,
    pub rotation: u8,
    met: [u8; 16],
    sides: u8,
}

impl Place {
    #[inline(always)]
    pub(super) fn of(frontier: &Frontier, slot: u8, rotation: u8) -> Place {
        let met = bits::turn_back(frontier.met(slot), rotation);
        Place { slot, rotation, met, sides: turn_sides_back(frontier.sides(slot), rotation) }
    }
}

/// A tile that is joined to its neighbours' features and not yet on the board.
pub(super) struct Laying {
    pub place: Place,
    pub kind: TileKind,
    pub ids: PartIds,
    /// The parts, as a set, whose feature holds no meeple. A monastery is one of them.
    pub free: u32,
    /// The cities and roads, as a set, that the tile completes; one part speaks for each.
    closed: u32,
}

/// What a turn changes of points and meeples.
pub(super) struct Accounts<'a> {
    pub features: &'a mut Features,
    pub scoring: &'a mut Scoring,
    pub hands: &'a mut Meeples,
}

impl Accounts<'_> {
    /// Puts the meeple of a seat out and pays for what the tile completes; it lies on a cell with `around` tiles around it.
    #[inline(always)]
    pub(super) fn settle(
        self,
        rules: &Rules,
        laying: &Laying,
        meeple: Option<(Spot, u8)>,
        (cell, around): (Cell, impl FnOnce() -> u8),
        witness: &mut impl Witness,
    ) {
        let shape = rules.tiles.shape(laying.kind);
        if let Some((spot, player)) = meeple {
            self.hands.take(player);
            match shape.parts()[spot.index()].kind() {
                FeatureKind::Monastery => self.scoring.add_monk(Monk::new(cell, player, around())),
                kind => {
                    let id = laying.ids.of(spot.index());
                    self.features.claim(id, player);
                    self.scoring.add_claim(kind, id);
                }
            }
        }
        self.scoring.score_monks(cell, self.hands, witness);
        for part in bits::ones(laying.closed.into()) {
            let id = laying.ids.of(part as usize);
            // Two parts of the tile may belong to one feature, which is complete once.
            if self.features.root(id).is_closed() {
                let feature = self.features.complete(id);
                let kind = shape.parts[part as usize % MAX_PARTS].kind();
                self.scoring.score_complete(rules, kind, feature, self.hands, witness);
            }
        }
    }
}

/// Joins the parts of a tile to the features around a place. `relabelled` is told of each feature that became part of another,
/// and of that other.
#[inline(always)]
pub(super) fn join(
    features: &mut Features,
    rules: &Rules,
    place: Place,
    kind: TileKind,
    copy: u8,
    mut relabelled: impl FnMut(u8, u8),
) -> Laying {
    let shape = rules.tiles.shape(kind);
    let Place { met, sides, .. } = place;
    let meeting = rules.tiles.meeting(kind, sides);
    let mut ids = PartIds::new(&met, meeting, features.next());
    features.found(meeting.founds);
    let (mut free, mut closed) = (!0, 0);
    let edged = usize::from(shape.edged) % (MAX_PARTS + 1);
    for (index, (part, ends)) in shape.parts[..edged].iter().zip(meeting.ends).enumerate() {
        let feature = features.extend(ids.of(index), part.feature(copy, ends));
        free ^= u32::from(feature.is_claimed()) << index;
        closed |= u32::from(feature.is_closed()) << index;
    }
    if meeting.further != 0 {
        for port in bits::ones(meeting.further.into()) {
            let root = met[port as usize % 16];
            // A feature met twice may have been merged a moment ago.
            let (id, root) = (ids.of(shape.part_at[port as usize % 16].into()), features.find(root));
            if id != root {
                features.merge(id, root);
                relabelled(root, id);
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
    Laying { place, kind, ids, free, closed: closed & ((1 << shape.closable) - 1) }
}

/// A set of sides as the tile turned `rotation` times sees it.
#[inline]
fn turn_sides_back(sides: u8, rotation: u8) -> u8 {
    (sides | sides << 4) >> (rotation % 4) & 0xf
}
