//! The further columns of a tree as a search uses them.

use super::further::{FurtherColumns, Leading, Proof};
use super::links::NONE;
use super::{Node, Parent, SearchTree};
use crate::game::Game;
use crate::search::guidance::{BackedUp, Backup};

impl<G: Game> SearchTree<G> {
    /// Keeps further columns from now on. The tree has its root at most.
    pub(in crate::search) fn keep_columns(&mut self, [squares, best, implicit, proofs]: [bool; 4], numbers: usize) {
        let edges = self.actions.len();
        let mut further = self.further.take().or(self.memory.take()).unwrap_or_default();
        (further.keeps_squares, further.keeps_best, further.keeps_implicit) = (squares, best, implicit);
        further.keeps_proofs = proofs;
        further.proofs.clear();
        further.proofs.resize(if proofs { edges } else { 0 }, Proof::None);
        let columns = [(&mut further.squares, squares), (&mut further.best, best), (&mut further.implicit, implicit)];
        for (column, kept) in columns {
            column.clear();
            column.resize(if kept { edges } else { 0 }, 0.0);
        }
        further.numbers.iter_mut().for_each(Vec::clear);
        further.numbers.resize(numbers, Vec::new());
        further.numbered.clear();
        further.numbered.resize(self.nodes.len(), NONE);
        further.leading.clear();
        further.leading.resize(self.nodes.len(), Leading::UNKNOWN);
        self.further = Some(further);
    }

    /// Lets `fill` push the numbers of a node's actions to their columns, unless the node has them.
    pub(in crate::search) fn fill_numbers(&mut self, node: usize, fill: impl FnOnce(&mut [Vec<f64>])) {
        let Some(FurtherColumns { numbers, numbered, .. }) = &mut self.further else { return };
        if let (Some(column), NONE) = (numbers.first(), numbered[node]) {
            numbered[node] = column.len() as u32;
            fill(numbers);
        }
    }

    /// A number of each of a node's actions. The node must have its numbers.
    pub(in crate::search) fn numbers(&self, node: usize, number: usize) -> &[f64] {
        let further = self.further.as_ref().expect("a tree with numbers keeps further columns");
        &further.numbers[number][further.numbered[node] as usize..][..self.node(node).count]
    }

    /// The leading untried edges of a node by a number of its actions. The node must have its numbers, and its edges be
    /// taken in order; `memory` is overwritten.
    pub(in crate::search) fn leading(&mut self, node: usize, number: usize, memory: &mut Vec<f64>) -> Leading {
        let untried = self.node(node).untried;
        let further = self.further.as_ref().expect("a tree with numbers keeps further columns");
        let known = further.leading[node];
        if known.untried as usize == untried {
            return known;
        }
        let leading = Leading::of(self.numbers(node, number), self.tried(node), memory);
        if let Some(further) = &mut self.further {
            further.leading[node] = leading;
        }
        leading
    }

    /// Sums of squared rewards of a node's edges; empty if they are not kept.
    pub(in crate::search) fn squares(&self, node: usize) -> &[f64] {
        self.row(node, |further| &further.squares)
    }

    /// Highest rewards of a node's edges; empty if they are not kept.
    pub(in crate::search) fn best(&self, node: usize) -> &[f64] {
        self.row(node, |further| &further.best)
    }

    /// Heuristic values of a node's edges by implicit minimax; empty if they are not kept.
    pub(in crate::search) fn implicit(&self, node: usize) -> &[f64] {
        self.row(node, |further| &further.implicit)
    }

    /// Sets the heuristic values of a node's edges; those that are no finite number count as 0.
    pub(in crate::search) fn set_implicit(&mut self, node: usize, values: &[f64]) {
        let Node { first, count, .. } = self.node(node);
        let Some(further) = self.further.as_mut().filter(|further| further.keeps_implicit) else { return };
        for (own, value) in further.implicit[first..first + count].iter_mut().zip(values) {
            *own = if value.is_finite() { *value } else { 0.0 };
        }
    }

    /// Backs up the heuristic values after an edge of a node: see
    /// [`ImplicitMinimax`](crate::search::guidance::ImplicitMinimax). `next` is memory that is reused.
    pub(in crate::search) fn back_up_implicit(&mut self, node: usize, edge: usize, next: &mut Vec<usize>) {
        if !self.further.as_ref().is_some_and(|further| further.keeps_implicit) {
            return;
        }
        next.clear();
        self.followers(Parent::Edge(edge), next);
        let (mut sum, mut visits) = (0.0, 0.0);
        for follower in &*next {
            let Node { mover, visits: of_follower, .. } = self.node(*follower);
            let best = self.implicit(*follower).iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sign = if mover == self.node(node).mover { 1.0 } else { -1.0 };
            if of_follower > 0.0 {
                sum += of_follower * sign * best;
                visits += of_follower;
            }
        }
        if let Some(further) = self.further.as_mut().filter(|_| visits > 0.0) {
            further.implicit[edge] = sum / visits;
        }
    }

    /// Lets a backup say what the mean of an edge is, whose reward is counted. `next` is memory that is reused.
    pub(in crate::search) fn back_up_by(
        &mut self,
        backup: &dyn Backup,
        (node, edge, reward): (usize, usize, f64),
        next: &mut Vec<usize>,
    ) {
        let Some(further) = &mut self.further else { return };
        further.has_own_means = true;
        next.clear();
        self.followers(Parent::Edge(edge), next);
        let (mut sum, mut of_next) = (0.0, 0.0);
        for follower in &*next {
            let (means, visits) = self.statistics(*follower);
            let tried = means.iter().zip(visits).filter(|(_, visits)| **visits > 0.0).map(|(mean, _)| *mean);
            let Some(best) = tried.reduce(f64::max) else { continue };
            let Node { mover, visits, .. } = self.node(*follower);
            sum += visits * if mover == self.node(node).mover { best } else { -best };
            of_next += visits;
        }
        let next = (of_next > 0.0).then(|| sum / of_next);
        let visits = self.visits[edge];
        let value = backup.value(&BackedUp { visits, mean: self.sums[edge] / visits, reward, next });
        self.means[edge] = if value.is_finite() { value } else { self.sums[edge] / visits };
    }

    fn row(&self, node: usize, column: impl Fn(&FurtherColumns) -> &Vec<f64>) -> &[f64] {
        let Node { first, count, .. } = self.node(node);
        let column = self.further.as_ref().map_or(&[][..], |further| column(further));
        column.get(first..first + count).unwrap_or_default()
    }

    /// Counts a reward in the further columns of an edge whose visit is counted already.
    pub(in crate::search) fn update_further(&mut self, edge: usize, reward: f64) {
        let Some(further) = &mut self.further else { return };
        if further.keeps_squares {
            further.squares[edge] += reward * reward;
        }
        if further.keeps_best && (self.visits[edge] == 1.0 || reward > further.best[edge]) {
            further.best[edge] = reward;
        }
    }
}
