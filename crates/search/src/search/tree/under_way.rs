//! Visits that are under way: a search that selects several leaves before it knows what they are worth counts them, and
//! takes them back before it backs up.

use super::SearchTree;
use super::links::NONE;
use crate::game::Game;

/// The statistics of an edge and of its node before a visit under way.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Before {
    node: usize,
    edge: usize,
    node_visits: f64,
    visits: f64,
    sum: f64,
    mean: f64,
    /// The sum of squares, if the tree keeps it.
    square: Option<f64>,
}

impl<G: Game> SearchTree<G> {
    /// Counts a visit of an edge of this node with this reward. Returns what [`take_back`](SearchTree::take_back) needs.
    pub(in crate::search) fn begin_visit(&mut self, node: usize, edge: usize, reward: f64) -> Before {
        let (visits, sum, mean) = (self.visits[edge], self.sums[edge], self.means[edge]);
        let mut before = Before { node, edge, node_visits: self.nodes[node].visits, visits, sum, mean, square: None };
        self.visit(node);
        self.update(edge, reward);
        if let Some(square) = self.square_of(edge) {
            before.square = Some(*square);
            *square += reward * reward;
        }
        before
    }

    /// Takes a visit back, to the bit. Of several visits the last is taken back first.
    pub(in crate::search) fn take_back(&mut self, before: Before) {
        let Before { node, edge, node_visits, visits, sum, mean, square } = before;
        self.nodes[node].visits = node_visits;
        (self.visits[edge], self.sums[edge], self.means[edge]) = (visits, sum, mean);
        if let (Some(now), Some(before)) = (self.square_of(edge), square) {
            *now = before;
        }
    }

    /// The sum of squared rewards of an edge, if the tree keeps it.
    fn square_of(&mut self, edge: usize) -> Option<&mut f64> {
        self.further.as_mut().filter(|further| further.keeps_squares)?.squares.get_mut(edge)
    }

    /// Whether a node has the numbers of its actions: see [`fill_numbers`](SearchTree::fill_numbers).
    pub(in crate::search) fn has_numbers(&self, node: usize) -> bool {
        self.further.as_ref().is_some_and(|further| further.numbered[node] != NONE)
    }
}
