//! The figures of a seat beyond the seven meeples: where each kind may stand, and when the abbot may be taken back.

use super::action::{Deployment, Figure, SegmentId};
use super::bits;
use super::cell::Cell;
use super::edition::Edition;
use super::shape::Shape;
use super::state::State;

impl<E: Edition> State<E> {
    /// The set of segments of a tile on which a figure of this kind may stand when none stands on the tile.
    #[inline]
    pub(super) fn figure_segments(&self, shape: &Shape<E>, figure: Figure) -> u32 {
        let all = |segments: u8| (1 << segments) - 1;
        if !E::EXPANDED {
            return all(shape.segment_count);
        }
        let centre = all(shape.segment_count) & !all(shape.edged);
        match figure {
            Figure::Abbot => centre,
            Figure::Meeple | Figure::Big => {
                let on_edges = if self.rules().farmers { all(shape.edged) } else { all(shape.closable) };
                on_edges | if shape.has_garden() { 0 } else { centre }
            }
        }
    }

    /// The ways of the player to move to place a figure on one of these free segments: by kind of figure, then by
    /// segment.
    #[inline]
    pub(super) fn deployments(&self, shape: &Shape<E>, free: u32) -> impl Iterator<Item = Deployment> + use<E> {
        let sets = Figure::ALL.map(|figure| {
            let has = self.has_figure(self.player(), figure);
            if has { self.figure_segments(shape, figure) & free } else { 0 }
        });
        Figure::ALL.into_iter().zip(sets).flat_map(|(figure, segments)| {
            bits::ones(segments.into()).map(move |segment| Deployment::new(figure, SegmentId::new(segment as u8)))
        })
    }

    /// The set of segments of a tile on which the player to move may place some figure when none stands on it.
    #[inline]
    pub(super) fn claimable_segments(&self, shape: &Shape<E>) -> u32 {
        if E::EXPANDED {
            let with = |figure: &Figure| self.has_figure(self.player(), *figure);
            Figure::ALL
                .iter()
                .filter(|figure| with(figure))
                .fold(0, |set, figure| set | self.figure_segments(shape, *figure))
        } else if self.has_meeple() {
            (1 << shape.segment_count) - 1
        } else {
            0
        }
    }

    /// The figure that a player without a plan for it places on a segment: the abbot where it may stand, otherwise a
    /// meeple, and the big one last. The player must have one that may stand there.
    pub(super) fn usual_deployment(&self, shape: &Shape<E>, segment: SegmentId) -> Deployment {
        let may = |figure: &Figure| {
            E::EXPANDED
                && self.has_figure(self.player(), *figure)
                && self.figure_segments(shape, *figure) >> segment.index() & 1 == 1
        };
        let figure = [Figure::Abbot, Figure::Meeple, Figure::Big].into_iter().find(may).unwrap_or(Figure::Meeple);
        Deployment::new(figure, segment)
    }

    /// Whether the player to move can take its abbot back after a tile is placed on this cell.
    #[inline]
    pub(super) fn can_recall(&self, cell: Cell) -> bool {
        E::EXPANDED && self.scoring.can_recall(self.player() as u8, cell)
    }

    /// The cell of a seat's abbot; none if it does not stand on the board.
    pub fn abbot_cell(&self, seat: usize) -> Option<Cell> {
        if E::EXPANDED { self.scoring.abbot_cell(seat as u8) } else { None }
    }
}
