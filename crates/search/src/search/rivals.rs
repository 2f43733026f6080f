//! Tree policies of the literature that use what a search learns of moves.

use super::policy::{NodeStatistics, SelectionRule, Uct};
use super::search_column::SearchColumn;

/// Generalized rapid action value estimation (T. Cazenave, IJCAI 2015): `(1 - β)·Q + β·Ag` with `β = mg / (n + mg + bias·n·mg)`.
/// A child without visits has the value `Ag`; the source does not say what one without any statistics has.
#[derive(Clone, Copy, Debug)]
pub struct Grave {
    /// The source tunes it by game, from 1e-15 to 1e-5.
    pub bias: f64,
}

impl SelectionRule for Grave {
    fn columns(&self) -> Vec<SearchColumn> {
        vec![SearchColumn::GraveMean, SearchColumn::GraveVisits]
    }

    fn values(&self, node: &NodeStatistics, values: &mut [f64]) {
        let [means, counts] = [SearchColumn::GraveMean, SearchColumn::GraveVisits].map(|column| node.column(column));
        for (child, value) in values.iter_mut().enumerate() {
            let (visits, count) = (node.visits[child], counts[child]);
            let beta = if count > 0.0 { count / (visits + count + self.bias * visits * count) } else { 0.0 };
            *value = (1.0 - beta) * node.means[child] + beta * means[child];
        }
    }
}

/// Progressive history (J. A. M. Nijssen, M. H. M. Winands, Computers and Games 2010): UCT and `hm·W / (n - s + 1)`, where `s` is the
/// sum of the child's rewards and a win is worth 1, a loss 0.
#[derive(Clone, Copy, Debug)]
pub struct ProgressiveHistory {
    /// UCT.
    pub uct: Uct,
    /// W, in the unit of rewards.
    pub weight: f64,
    /// The rewards of a loss and of a win, between which others are scaled.
    pub range: [f64; 2],
}

impl SelectionRule for ProgressiveHistory {
    fn columns(&self) -> Vec<SearchColumn> {
        vec![SearchColumn::History]
    }

    fn values(&self, node: &NodeStatistics, values: &mut [f64]) {
        SelectionRule::values(&self.uct, node, values);
        let [loss, win] = self.range;
        let scaled = |reward: f64| ((reward - loss) / (win - loss)).clamp(0.0, 1.0);
        let rows = values.iter_mut().zip(node.means).zip(node.visits).zip(node.column(SearchColumn::History));
        for (((value, mean), visits), history) in rows {
            *value += self.weight * scaled(*history) / (visits * (1.0 - scaled(*mean)) + 1.0);
        }
    }
}

/// MCTS-Solver (M. H. M. Winands, Y. Björnsson, J.-T. Saito, Computers and Games 2008): UCT among children that are not proven. A child
/// that is proven to win is selected, and one that is proven to lose is not, unless all are.
#[derive(Clone, Copy, Debug)]
pub struct Solver {
    /// UCT.
    pub uct: Uct,
}

impl SelectionRule for Solver {
    fn columns(&self) -> Vec<SearchColumn> {
        vec![SearchColumn::ProvenWin, SearchColumn::ProvenLoss]
    }

    fn values(&self, node: &NodeStatistics, values: &mut [f64]) {
        SelectionRule::values(&self.uct, node, values);
        decide(values, [SearchColumn::ProvenWin, SearchColumn::ProvenLoss].map(|column| node.column(column)));
    }
}

/// UCT with decisive and anti-decisive moves (F. Teytaud, O. Teytaud, CIG 2010): a child that wins at once is selected, and one after
/// which the next seat can win at once is not, unless all are.
#[derive(Clone, Copy, Debug)]
pub struct Decisive {
    /// UCT.
    pub uct: Uct,
}

impl SelectionRule for Decisive {
    fn columns(&self) -> Vec<SearchColumn> {
        vec![SearchColumn::Wins, SearchColumn::Lets]
    }

    fn values(&self, node: &NodeStatistics, values: &mut [f64]) {
        SelectionRule::values(&self.uct, node, values);
        decide(values, [SearchColumn::Wins, SearchColumn::Lets].map(|column| node.column(column)));
    }
}

/// Children that win are above all others, children that lose below.
fn decide(values: &mut [f64], [wins, losses]: [&[f64]; 2]) {
    for ((value, wins), loses) in values.iter_mut().zip(wins).zip(losses) {
        if *wins > 0.0 {
            *value = f64::INFINITY;
        } else if *loses > 0.0 {
            *value = f64::NEG_INFINITY;
        }
    }
}
