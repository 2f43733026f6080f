//! The figures on the board, and what their features would score.

use super::cell::Cell;
use super::edition::Edition;
use super::limits::MAX_SEATS;
use super::options::FieldScoring;
use super::scoring::{Award, unfinished_value};
use super::state::State;
use super::tile::FeatureKind;

impl<E: Edition> State<E> {
    /// The figures on the board: for each the turn (from 0) that placed it, and its seat.
    pub fn standing_meeples(&self) -> Vec<(usize, usize)> {
        self.standing().into_iter().map(|(turn, seat, _)| (turn, seat)).collect()
    }

    /// The figures on the board: for each the turn (from 0) that placed it, its seat, and the points of its feature for
    /// the seats with the most figures on it if the game ended now. None for a field where the rules score fields
    /// together.
    pub fn standing_points(&self) -> Vec<(usize, usize, Option<u16>)> {
        let points = |(turn, seat, root): (usize, usize, Option<u8>)| {
            let played = &self.turns()[turn];
            let segment = played.action.segment().expect("the turn placed a figure");
            let points = match (self.segment_kind(played.tile, segment), root) {
                (FeatureKind::Field, Some(root)) => (self.rules().fields == FieldScoring::ByField)
                    .then(|| self.rules().fields.points() * self.scoring.cities_touched(self.features.root(root))),
                (kind, Some(root)) => Some(unfinished_value(self.rules(), kind, self.features.root(root))),
                (_, None) => {
                    let mut centres = self.scoring.claimed_monasteries();
                    centres.find(|(cell, ..)| *cell == played.action.cell).map(|(.., tiles)| tiles.into())
                }
            };
            (turn, seat, points)
        };
        self.standing().into_iter().map(points).collect()
    }

    /// The awards that the meeples on the board would get if the game ended now.
    pub fn standing_awards(&self) -> Vec<Award> {
        let mut awards = Vec::new();
        self.each_standing_award(|award| awards.push(award));
        awards
    }

    /// Calls `visit` with each of the [`standing_awards`](State::standing_awards).
    #[inline]
    pub(crate) fn each_standing_award(&self, visit: impl FnMut(Award)) {
        self.scoring.score_standing(&self.rules, &self.features, visit);
    }

    /// The fields with meeples: what the meeples of each seat count for the majority, and the complete cities that the
    /// field touches.
    pub(crate) fn fields_with_meeples(&self) -> impl Iterator<Item = ([u8; MAX_SEATS], u16)> + '_ {
        let fields = self.scoring.claimed_fields(&self.features).into_iter();
        fields.map(|(_, field)| (field.meeples().strengths::<E>(), self.scoring.cities_touched(field)))
    }

    /// The number of figures that were placed on cities, roads and fields so far.
    #[inline]
    pub(crate) fn claim_count(&self) -> usize {
        self.scoring.claims().len()
    }

    /// Whether figures still stand on the feature of claim number `claim`, from 0.
    #[inline]
    pub(crate) fn is_claim_standing(&self, claim: usize) -> bool {
        let id = self.scoring.claims().nth(claim);
        id.is_some_and(|id| self.features.root(self.features.find(id)).is_claimed())
    }

    /// Whether a figure is on the monastery or garden of this cell.
    #[inline]
    pub(crate) fn has_figure_at_centre(&self, cell: Cell) -> bool {
        self.scoring.has_monastery_meeple(cell)
    }

    /// The turn of each figure on the board, its seat, and the root of its feature unless it stands at the centre of
    /// its tile.
    fn standing(&self) -> Vec<(usize, usize, Option<u8>)> {
        let mut claims = self.scoring.claims();
        let mut standing = Vec::new();
        for (number, turn) in self.turns().iter().enumerate() {
            let Some(segment) = turn.action.segment() else { continue };
            let seat = number % usize::from(self.rules().seats);
            if self.segment_kind(turn.tile, segment).is_at_centre() {
                if self.scoring.has_monastery_meeple(turn.action.cell) {
                    standing.push((number, seat, None));
                }
            } else if let Some(root) = claims.next().map(|id| self.features.find(id))
                && self.features.root(root).is_claimed()
            {
                standing.push((number, seat, Some(root)));
            }
        }
        standing
    }
}
