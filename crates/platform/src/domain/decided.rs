//! What a decision cost, and what its search found.

use super::notation::Notation;
use evouct_search::evolve::EvolutionLog;
use evouct_search::game::Game;
use evouct_search::player::Decision;
use evouct_search::search::{Child, FormulaTerms};
use serde::Serialize;

/// What the decision of a seat cost, and what its search found.
#[derive(Clone, Debug)]
pub struct Decided {
    /// Playouts, evolution included.
    pub playouts: u64,
    /// Positions visited by a search without playouts.
    pub nodes: u64,
    /// The evolution of this decision, if any.
    pub evolution: Option<Box<EvolutionLog>>,
    /// The actions considered, if requested.
    pub considered: Vec<Weighed>,
    /// The summands of the formula that selected, if one did: what [`Weighed::terms`] has values of.
    pub terms: Vec<String>,
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
    /// What each summand of the formula that selected adds to its value, after the search.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<f64>,
    /// The value of the formula: the sum of its summands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula: Option<f64>,
}

impl Weighed {
    /// These actions of a position, in notation.
    pub(super) fn all<G: Game>(game: &G, notation: &dyn Notation<G>, children: &[Child<G::Action>]) -> Vec<Weighed> {
        let weighed = |child: &Child<G::Action>| Weighed {
            play: notation.write_action(game, child.action),
            visits: child.visits,
            mean: child.mean,
            upper_bound: child.upper_bound,
            terms: Vec::new(),
            formula: None,
        };
        children.iter().map(weighed).collect()
    }
}

impl Decided {
    /// The cost of a decision in a position, and what its search found, in notation.
    #[inline]
    pub(super) fn of<G: Game>(game: &G, notation: &dyn Notation<G>, decision: Decision<G::Action>) -> Decided {
        let Decision { playouts, nodes, evolution, considered, terms, .. } = decision;
        let mut considered = Weighed::all(game, notation, &considered);
        let mut names = Vec::new();
        if let Some(FormulaTerms { summands, values }) = terms.map(|terms| *terms) {
            names = summands.iter().map(ToString::to_string).collect();
            for (weighed, values) in considered.iter_mut().zip(values).filter(|(_, values)| !values.is_empty()) {
                (weighed.formula, weighed.terms) = (Some(summands.sum(&values)), values);
            }
        }
        Decided { playouts, nodes, evolution, considered, terms: names }
    }
}
