//! The root as it was, so that a search can try what it would do there and go back.

use super::{FurtherColumns, Leading, Node, PackedNode, SearchTree};
use crate::game::Game;

/// The root and the statistics of its edges. What only backups below the root change is not among them.
#[derive(Debug, Default)]
pub(in crate::search) struct SavedRoot {
    node: Option<PackedNode>,
    untried: Vec<u32>,
    visits: Vec<f64>,
    sums: Vec<f64>,
    means: Vec<f64>,
    squares: Vec<f64>,
    best: Vec<f64>,
    leading: Option<Leading>,
}

impl<G: Game> SearchTree<G> {
    /// Keeps a copy of the root, which has its row.
    pub(in crate::search) fn save_root(&self, saved: &mut SavedRoot) {
        let Node { first, count, .. } = self.node(0);
        let row = first..first + count;
        let columns =
            [(&self.visits, &mut saved.visits), (&self.sums, &mut saved.sums), (&self.means, &mut saved.means)];
        for (column, kept) in columns {
            kept.clear();
            kept.extend_from_slice(&column[row.clone()]);
        }
        for (column, kept) in [(self.squares(0), &mut saved.squares), (self.best(0), &mut saved.best)] {
            kept.clear();
            kept.extend_from_slice(column);
        }
        saved.untried.clear();
        saved.untried.extend_from_slice(&self.untried[row]);
        saved.leading = self.further.as_ref().map(|further| further.leading[0]);
        saved.node = Some(self.nodes[0]);
    }

    /// Takes the root back to the copy.
    pub(in crate::search) fn restore_root(&mut self, saved: &SavedRoot) {
        let Some(node) = saved.node else { return };
        self.nodes[0] = node;
        let Node { first, count, .. } = self.node(0);
        let row = first..first + count;
        self.visits[row.clone()].copy_from_slice(&saved.visits);
        self.sums[row.clone()].copy_from_slice(&saved.sums);
        self.means[row.clone()].copy_from_slice(&saved.means);
        self.untried[row].copy_from_slice(&saved.untried);
        if let Some(FurtherColumns { squares, best, leading, .. }) = &mut self.further {
            leading[0] = saved.leading.unwrap_or(Leading::UNKNOWN);
            for (column, kept) in [(squares, &saved.squares), (best, &saved.best)] {
                if !kept.is_empty() {
                    column[first..first + count].copy_from_slice(kept);
                }
            }
        }
    }
}
