//! The heuristic of *-minimax: evaluation of positions and order of moves.

use super::rules::{Award, Edition, FeatureKind, FieldScoring, MAX_SEATS, MEEPLES, Move, State};
use evouct_search::game::{Evaluation, Heuristic};

/// The evaluation function of positions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum EvaluationFunction {
    /// The difference of virtual scores, in points (Valdez Ameneyro et al. 2020, Equation 4); with more than two seats to
    /// the best of the others.
    #[default]
    Difference,
    /// Heyden's weighted sum of features.
    Heyden(HeydenWeights),
}

/// The weights of Heyden's evaluation (Heyden 2009, Table 6.5).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HeydenWeights {
    /// Per point of difference in the points so far.
    pub score: f64,
    /// Per point of difference in the points that unfinished features and fields would score if the game ended now.
    pub standing: f64,
    /// Points of a tile or pennant of an unfinished city in that difference. A tile of a road has 1.
    pub open_city: f64,
    /// Per meeple of difference in the meeples left.
    pub meeples: f64,
    /// Per field of the seat with fewer than three complete cities.
    pub poor_field: f64,
}

impl Default for HeydenWeights {
    fn default() -> HeydenWeights {
        HeydenWeights::DEFAULT
    }
}

impl HeydenWeights {
    /// Her final weights.
    pub const DEFAULT: HeydenWeights =
        HeydenWeights { score: 100.0, standing: 10.0, open_city: 1.25, meeples: 10.0, poor_field: -40.0 };
}

evouct_base::named! {
    /// The order in which *-minimax searches moves.
    #[derive(Default)]
    pub enum MoveOrder {
        /// The order of the rules.
        None = "none",
        /// Moves with a meeple first (Heyden's order 1).
        MeepleFirst = "1",
        /// By the feature of the meeple: city, monastery, road, no meeple, field (Heyden's order 2; both papers).
        #[default]
        ByFeature = "2",
    }
}

/// An evaluation function and a move order.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct CarcassonneHeuristic {
    /// Worth of a position, in points.
    pub evaluation: EvaluationFunction,
    /// Order in which moves are searched; the best first cut most.
    pub order: MoveOrder,
}

impl<E: Edition> Heuristic<State<E>> for CarcassonneHeuristic {
    #[inline]
    fn value(&self, state: &State<E>, seat: usize) -> f64 {
        match &self.evaluation {
            EvaluationFunction::Difference => difference(&state.virtual_scores(), seats(state), seat),
            EvaluationFunction::Heyden(weights) => weights.of_position(state, seat),
        }
    }

    #[inline]
    fn value_after(&self, state: &State<E>, action: Move, scratch: &mut State<E>, seat: usize) -> f64 {
        match &self.evaluation {
            EvaluationFunction::Difference => {
                difference(&state.virtual_scores_after(action, scratch), seats(state), seat)
            }
            EvaluationFunction::Heyden(weights) => {
                scratch.clone_from(state);
                scratch.play_legal(action, &mut ());
                weights.of_position(scratch, seat)
            }
        }
    }

    fn values_after(&self, state: &State<E>, action: Move, scratch: &mut State<E>, values: &mut [f64]) {
        let values = values.iter_mut().enumerate();
        match &self.evaluation {
            EvaluationFunction::Difference => {
                let scores = state.virtual_scores_after(action, scratch);
                values.for_each(|(seat, value)| *value = difference(&scores, seats(state), seat));
            }
            EvaluationFunction::Heyden(weights) => {
                scratch.clone_from(state);
                scratch.play_legal(action, &mut ());
                values.for_each(|(seat, value)| *value = weights.of_position(scratch, seat));
            }
        }
    }

    /// Each part of a value is a lead over the best of the others. Leads add up to 0 at most: that of the seat in front
    /// is the negation of that of the next one, and no other seat leads. Poor fields take from the sum.
    fn most_in_total(&self, _seats: usize) -> Option<f64> {
        match &self.evaluation {
            EvaluationFunction::Difference => Some(0.0),
            EvaluationFunction::Heyden(HeydenWeights { score, standing, meeples, poor_field, .. }) => {
                (*score >= 0.0 && *standing >= 0.0 && *meeples >= 0.0 && *poor_field <= 0.0).then_some(0.0)
            }
        }
    }

    fn lead(&self, state: &State<E>, seat: usize) -> f64 {
        match &self.evaluation {
            EvaluationFunction::Difference => self.value(state, seat),
            EvaluationFunction::Heyden(weights) => weights.score * difference(state.scores(), seats(state), seat),
        }
    }

    #[inline]
    fn rank(&self, state: &State<E>, action: Move) -> usize {
        let feature = || {
            let claimed = action.segment().zip(state.hand());
            claimed.map(|(segment, tile)| state.segment_kind(tile, segment))
        };
        match self.order {
            MoveOrder::None => 0,
            MoveOrder::MeepleFirst => usize::from(action.meeple.is_none()),
            MoveOrder::ByFeature => match feature() {
                Some(FeatureKind::City) => 0,
                Some(FeatureKind::Monastery | FeatureKind::Garden) => 1,
                Some(FeatureKind::Road) => 2,
                None => 3,
                Some(FeatureKind::Field) => 4,
            },
        }
    }
}

#[inline]
fn seats<E: Edition>(state: &State<E>) -> usize {
    usize::from(state.rules().seats)
}

/// A seat's score less the best of the others.
#[inline]
fn difference(scores: &[u16], seats: usize, seat: usize) -> f64 {
    let other = if seats == 2 {
        scores[1 - seat]
    } else {
        let others = scores[..seats].iter().enumerate().filter(|(other, _)| *other != seat);
        others.map(|(_, score)| *score).max().unwrap_or(0)
    };
    f64::from(scores[seat]) - f64::from(other)
}

impl<E: Edition> Evaluation<State<E>> for HeydenWeights {
    fn value(&self, state: &State<E>, seat: usize) -> f64 {
        self.of_position(state, seat)
    }

    /// All points of the game and all meeples, on either side.
    fn bounds(&self, state: &State<E>) -> [f64; 2] {
        use evouct_search::game::Game;

        let figures = if E::EXPANDED { MEEPLES + 2 } else { MEEPLES };
        let most = self.score * state.max_score().map_or(0.0, f64::from) + self.meeples * f64::from(figures);
        [-most, most]
    }

    fn most_seats(&self) -> usize {
        2
    }
}

impl HeydenWeights {
    /// The value of a position; for more than two seats against the best of the others in each of its parts. At the end
    /// of the game all points have the weight of scored points.
    fn of_position<E: Edition>(&self, state: &State<E>, seat: usize) -> f64 {
        let seats = usize::from(state.rules().seats);
        if state.is_over() {
            return self.score * lead(&state.virtual_scores().map(f64::from)[..seats], seat);
        }
        let by_field = state.rules().fields == FieldScoring::ByField;
        let (mut standing, mut poor_fields) = ([0.0; MAX_SEATS], 0.0);
        state.each_standing_award(|award| {
            let points = f64::from(award.points) * if award.kind == FeatureKind::City { self.open_city } else { 1.0 };
            for winner in award.winners() {
                standing[winner] += points;
                poor_fields += f64::from(u8::from(by_field && winner == seat && is_poor(&award)));
            }
        });
        if !by_field {
            let is_own =
                |meeples: &[u8; MAX_SEATS]| meeples[seat] > 0 && meeples.iter().all(|other| *other <= meeples[seat]);
            let poor = state.fields_with_meeples().filter(|(meeples, cities)| *cities < 3 && is_own(meeples));
            poor_fields = poor.count() as f64;
        }
        let (mut scores, meeples): (_, [f64; MAX_SEATS]) =
            ([0.0; MAX_SEATS], std::array::from_fn(|seat| f64::from(state.figures_left(seat))));
        for (score, scored) in scores.iter_mut().zip(state.scores()) {
            *score = f64::from(*scored);
        }
        self.score * lead(&scores[..seats], seat)
            + self.standing * lead(&standing[..seats], seat)
            + self.meeples * lead(&meeples[..seats], seat)
            + self.poor_field * poor_fields
    }
}

/// A seat's value less the best of the others.
#[inline]
fn lead(values: &[f64], seat: usize) -> f64 {
    let others = values.iter().enumerate().filter(|(other, _)| *other != seat);
    values[seat] - others.map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max)
}

/// Whether the award is of a field with fewer than three complete cities, each of three points.
fn is_poor(award: &Award) -> bool {
    award.kind == FeatureKind::Field && award.points < 9
}
