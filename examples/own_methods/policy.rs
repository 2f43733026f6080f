//! A tree policy: UCB1 with the variance of rewards (UCB-V; Audibert, Munos and Szepesvári 2009).
//!
//! `kind = "ucb-v"` names it, with the parameters of a search beside.

use evouct::domain::{Domain, Kind};
use evouct::kinds::tree_policy;
use evouct::search::{CustomPolicy, NodeStatistics, SearchColumn, SelectionRule};

/// Rewards are from −1 to 1.
const RANGE: f64 = 2.0;

#[derive(Debug)]
struct UcbV;

impl SelectionRule for UcbV {
    fn columns(&self) -> Vec<SearchColumn> {
        vec![SearchColumn::Deviation]
    }

    fn values(&self, node: &NodeStatistics, values: &mut [f64]) {
        let (log, deviations) = (node.parent.ln(), node.column(SearchColumn::Deviation));
        for (child, value) in values.iter_mut().enumerate() {
            let (visits, deviation) = (node.visits[child], deviations[child]);
            *value = node.means[child] + deviation * (2.0 * log / visits).sqrt() + 3.0 * RANGE * log / visits;
        }
    }
}

/// The kind of player of a game.
pub fn ucb_v<D: Domain>() -> Kind<D> {
    tree_policy("ucb-v", "MCTS that goes by the variance of rewards", "Audibert et al. 2009", |_| {
        CustomPolicy::new(UcbV)
    })
}
