//! What *-minimax knows of Carcassonne: evaluation of positions, order of moves.

use super::action::Move;
use super::scoring::Award;
use super::state::State;
use super::tile::FeatureKind;
use crate::game::Heuristic;

/// What a position is worth.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Evaluation {
    /// The difference of virtual scores, in points (Valdez Ameneyro et al. 2020, Equation 4).
    #[default]
    Difference,
    /// Heyden's weighted sum of features.
    Heyden(HeydenWeights),
}

/// The weights of Heyden's evaluation (Heyden 2009, Table 6.5).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HeydenWeights {
    /// The difference of points so far.
    pub score: f64,
    /// The difference of what unfinished features and fields would bring if the game ended now.
    pub standing: f64,
    /// What a tile or pennant of an unfinished city counts in that difference: more than a tile of a road.
    pub open_city: f64,
    /// The difference of meeples in hand.
    pub meeples: f64,
    /// Each field held by the seat that has fewer than three complete cities.
    pub poor_field: f64,
}

impl Default for HeydenWeights {
    fn default() -> HeydenWeights {
        HeydenWeights { score: 100.0, standing: 10.0, open_city: 1.25, meeples: 10.0, poor_field: -40.0 }
    }
}

/// The order in which moves are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// As the rules list them.
    None,
    /// Moves with a meeple first (Heyden's order 1).
    MeepleFirst,
    /// A meeple in a city, on a monastery, on a road, none, in a field (Heyden's order 2; both papers).
    #[default]
    ByFeature,
}

impl Order {
    /// The names used in experiments.
    pub const NAMES: [(&'static str, Order); 3] =
        [("none", Order::None), ("1", Order::MeepleFirst), ("2", Order::ByFeature)];
}

/// An evaluation and an order.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Judgement {
    /// What a position is worth.
    pub evaluation: Evaluation,
    /// The order in which moves are tried.
    pub order: Order,
}

impl Heuristic<State> for Judgement {
    #[inline]
    fn value(&self, state: &State, seat: usize) -> f64 {
        match &self.evaluation {
            Evaluation::Difference => difference(state.virtual_scores(), seat),
            Evaluation::Heyden(weights) => weights.value(state, seat),
        }
    }

    #[inline]
    fn value_after(&self, state: &State, action: Move, scratch: &mut State, seat: usize) -> f64 {
        match &self.evaluation {
            Evaluation::Difference => difference(state.virtual_scores_after(action, scratch), seat),
            Evaluation::Heyden(weights) => {
                scratch.clone_from(state);
                scratch.play_legal(action, &mut ());
                weights.value(scratch, seat)
            }
        }
    }

    fn lead(&self, state: &State, seat: usize) -> f64 {
        match &self.evaluation {
            Evaluation::Difference => self.value(state, seat),
            Evaluation::Heyden(weights) => weights.score * difference(state.scores(), seat),
        }
    }

    #[inline]
    fn rank(&self, state: &State, action: Move) -> usize {
        let feature =
            || action.meeple.zip(state.hand()).map(|(spot, tile)| state.rules().tiles.parts(tile)[spot.index()].kind());
        match self.order {
            Order::None => 0,
            Order::MeepleFirst => usize::from(action.meeple.is_none()),
            Order::ByFeature => match feature() {
                Some(FeatureKind::City) => 0,
                Some(FeatureKind::Monastery) => 1,
                Some(FeatureKind::Road) => 2,
                None => 3,
                Some(FeatureKind::Field) => 4,
            },
        }
    }
}

#[inline]
fn difference(scores: impl std::borrow::Borrow<[u16]>, seat: usize) -> f64 {
    let scores = scores.borrow();
    f64::from(scores[seat]) - f64::from(scores[1 - seat])
}

impl HeydenWeights {
    /// What a position is worth. When the game is over, all points are points.
    fn value(&self, state: &State, seat: usize) -> f64 {
        if state.is_over() {
            return self.score * difference(state.virtual_scores(), seat);
        }
        let (mut standing, mut poor_fields) = ([0.0; 2], 0.0);
        state.each_standing_award(|award| {
            let points = f64::from(award.points) * if award.kind == FeatureKind::City { self.open_city } else { 1.0 };
            for winner in award.winners() {
                standing[winner] += points;
                poor_fields += f64::from(u8::from(winner == seat && is_poor(&award)));
            }
        });
        let meeples = state.meeples_left();
        self.score * difference(state.scores(), seat)
            + self.standing * (standing[seat] - standing[1 - seat])
            + self.meeples * (f64::from(meeples[seat]) - f64::from(meeples[1 - seat]))
            + self.poor_field * poor_fields
    }
}

/// A field pays three points a complete city.
fn is_poor(award: &Award) -> bool {
    award.kind == FeatureKind::Field && award.points < 9
}
