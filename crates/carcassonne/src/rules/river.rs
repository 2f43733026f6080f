//! The river: where its tiles may be placed. It begins with the spring, ends with the lake, and comes before all other
//! tiles.

use super::board::LegalPlacements;
use super::cell::Cell;
use super::edition::Edition;
use super::options::RiverBends;
use super::state::State;
use super::tile::{Edge, Side, TileKind};

/// The open end of a river.
#[derive(Clone, Copy, Debug)]
struct OpenEnd {
    /// The cell of the next tile.
    cell: Cell,
    /// The way the river flows into that cell.
    flow: Side,
    /// How the last tile turned it, in quarter turns clockwise: 0, 1 or 3.
    bend: u8,
    /// How the last tile with a bend turned it: 1 or 3, or 0 before the first bend.
    last_bend: u8,
}

impl OpenEnd {
    /// The open end after a tile of the river on the open end's cell, with this exit.
    fn after(self, exit: Side) -> OpenEnd {
        let bend = (exit as u8 + 4 - self.flow as u8) % 4;
        let last_bend = if bend == 0 { self.last_bend } else { bend };
        OpenEnd { cell: self.cell.neighbour(exit), flow: exit, bend, last_bend }
    }

    /// The five cells around the cell of the next tile that are beside it or beyond it.
    fn reserve(self) -> [Cell; 5] {
        let beyond = self.cell.neighbour(self.flow);
        let [left, right] = [3, 1].map(|turns| Side::ALL[(self.flow as usize + turns) % 4]);
        [self.cell.neighbour(left), self.cell.neighbour(right), beyond, beyond.neighbour(left), beyond.neighbour(right)]
    }
}

impl<E: Edition> State<E> {
    /// The open end of the river; none after the lake.
    fn river_end(&self) -> Option<OpenEnd> {
        let tiles = self.rules().tiles;
        let source = tiles.kind(tiles.start).river(0).next()?;
        let mut end = OpenEnd { cell: Cell::default().neighbour(source), flow: source, bend: 0, last_bend: 0 };
        for turn in self.turns() {
            let tile = tiles.kind(turn.tile);
            if tile.has_river() {
                let exit = tile.river(turn.action.rotation).find(|side| *side != end.flow.opposite())?;
                end = end.after(exit);
            }
        }
        Some(end)
    }

    /// The placements of a tile of the river: at its open end only.
    pub(super) fn river_placements(&self, kind: TileKind) -> LegalPlacements<E> {
        let at_end = self.river_end().and_then(|end| Some((end, self.board.slot(end.cell)?)));
        let Some((end, slot)) = at_end else { return LegalPlacements::at(0, std::iter::empty()) };
        let tile = self.rules().tiles.kind(kind);
        let fits = |rotation: &u8| {
            let edge = |side: Side| tile.edges[(side as usize + 4 - usize::from(*rotation)) % 4];
            let matches =
                |side: &Side| self.board.neighbour_edge(slot, *side).is_none_or(|neighbour| neighbour == edge(*side));
            let entry = end.flow.opposite();
            let exit = Side::ALL.into_iter().find(|side| *side != entry && edge(*side) == Edge::River);
            Side::ALL.iter().all(matches)
                && exit.is_none_or(|exit| match self.rules().river_bends {
                    RiverBends::NoUTurn => end.bend == 0 || end.after(exit).bend != end.bend,
                    RiverBends::Alternate => end.last_bend == 0 || end.after(exit).bend != end.last_bend,
                    RiverBends::Reserve => end.after(exit).reserve().into_iter().all(|cell| !self.board.has_tile(cell)),
                })
        };
        LegalPlacements::at(slot, (0..tile.orientations).filter(fits))
    }
}
