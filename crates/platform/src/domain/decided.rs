//! What a decision cost, and what its search found.

use super::notation::Notation;
use evouct_search::evolve::EvolutionLog;
use evouct_search::game::Game;
use evouct_search::search::Child;
use serde::Serialize;

/// What the decision of a seat cost, and what its search found.
#[derive(Clone, Debug)]
pub struct Decided {
    /// Playouts, evolution included.
    pub playouts: u64,
    /// Positions visited by a search without playouts.
    pub nodes: u64,
    /// The evolution of this decision, if any.
    pub evolution: Option<EvolutionLog>,
    /// The actions considered, if requested.
    pub considered: Vec<Weighed>,
}

/// An action that was considered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Weighed {
    /// The action in notation.
    pub play: String,
    /// How often it was tried.
    pub visits: f64,
    /// Its mean reward; 0 if it was not tried.
    pub mean: f64,
    /// Whether `mean` is only an upper bound, because the search pruned the action.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub upper_bound: bool,
}

impl Weighed {
    /// These actions of a position, in notation.
    pub(super) fn all<G: Game>(game: &G, notation: &dyn Notation<G>, children: &[Child<G::Action>]) -> Vec<Weighed> {
        let weighed = |child: &Child<G::Action>| Weighed {
            play: notation.write_action(game, child.action),
            visits: child.visits,
            mean: child.mean,
            upper_bound: child.upper_bound,
        };
        children.iter().map(weighed).collect()
    }
}
