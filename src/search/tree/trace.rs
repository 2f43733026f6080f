//! A tree as a list of its edges, for games that look at the tree of a search.

use super::{Parent, SearchTree};
use crate::game::Game;

/// A tried action of a tree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TreeEdge<Action> {
    /// The place, in the list of edges, of the action before it; none for an action at the root.
    pub parent: Option<usize>,
    /// The action.
    pub action: Action,
    /// How often it was tried.
    pub visits: f64,
    /// Its mean reward for the seat that decides.
    pub mean: f64,
}

impl<G: Game> SearchTree<G> {
    /// The edges of a list, each after its parent. Edges of open-loop nodes, which have no row, are left out.
    pub(in crate::search) fn edges(&self, tried: &[usize]) -> Vec<TreeEdge<G::Action>> {
        // By edge, the node that it belongs to; by node, the place of the edge above it.
        let mut owners = vec![None; self.actions.len()];
        for (number, node) in self.nodes.iter().enumerate() {
            owners[node.first..node.first + node.count].fill(Some(number));
        }
        let mut above = vec![None; self.nodes.len()];
        let mut edges = Vec::with_capacity(tried.len());
        let mut followers = Vec::new();
        for edge in tried {
            let Some(owner) = owners[*edge] else { continue };
            followers.clear();
            self.followers(Parent::Edge(*edge), &mut followers);
            followers.iter().for_each(|node| above[*node] = Some(edges.len()));
            let (action, visits, mean) = (self.actions[*edge], self.visits[*edge], self.means[*edge]);
            edges.push(TreeEdge { parent: above[owner], action, visits, mean });
        }
        edges
    }
}
