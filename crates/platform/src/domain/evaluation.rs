//! The evaluations of positions that a game offers to *-minimax.

use evouct_base::parameter::{Parameters, Value};
use evouct_search::game::{Evaluation, Game, Heuristic, PointLead};

/// The parameters of an evaluation, and the heuristic that they make.
pub trait EvaluationParameters<G: Game>: Parameters + Clone + PartialEq + std::fmt::Debug {
    /// The heuristic that search uses.
    type Heuristic: Heuristic<G> + 'static;

    /// The heuristic.
    fn heuristic(&self) -> Self::Heuristic;

    /// What one point of the game is worth on the scale of the heuristic.
    fn point(&self) -> f64 {
        1.0
    }

    /// The default of fixed bounds: values lie between this and its negation.
    fn bound(&self) -> f64 {
        1e6
    }

    /// The default margin of dynamic bounds beyond the lead at the root.
    fn margin(&self) -> f64 {
        1e6
    }

    /// The evaluation by its name, for error messages.
    fn name(&self) -> &'static str {
        "score"
    }
}

/// A position is worth the lead over the best opponent in points, and actions are searched as they are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScoreLead;

impl Parameters for ScoreLead {
    const COUNT: usize = 0;

    fn table() -> Vec<evouct_base::parameter::Parameter> {
        Vec::new()
    }

    fn read(_: &[Value]) -> ScoreLead {
        ScoreLead
    }
}

impl<G: Game> Heuristic<G> for ScoreLead {
    fn value(&self, state: &G, seat: usize) -> f64 {
        PointLead.value(state, seat)
    }

    /// The lead of the seat in front is the negation of that of the next one, and no other seat leads.
    fn most_in_total(&self, _seats: usize) -> Option<f64> {
        Some(0.0)
    }

    fn rank(&self, _: &G, _: G::Action) -> usize {
        0
    }
}

impl<G: Game> EvaluationParameters<G> for ScoreLead {
    type Heuristic = ScoreLead;

    fn heuristic(&self) -> ScoreLead {
        ScoreLead
    }
}
