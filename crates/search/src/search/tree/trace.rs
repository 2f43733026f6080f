//! A tree as a list of its edges, for games that look at the tree of a search.

use super::{Node, Parent, SearchTree};
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
    /// The edges of a list of nodes and places among their actions, each after its parent. Edges of open-loop nodes,
    /// which have no list of actions, are left out.
    pub(in crate::search) fn edges(&self, tried: &[(u32, u32)]) -> Vec<TreeEdge<G::Action>> {
        // By node, the place in the list of the edge above it.
        let mut above = vec![None; self.nodes.len()];
        let mut edges = Vec::with_capacity(tried.len());
        let mut followers = Vec::new();
        for (node, place) in tried.iter().map(|(node, place)| (*node as usize, *place as usize)) {
            let Node { first, count, is_compact, .. } = self.node(node);
            if count == 0 {
                continue;
            }
            let edge = if is_compact {
                let apart = self.apart(node).find(|(other, _)| *other == place);
                apart.expect("a tried edge is in its row or apart").1
            } else {
                followers.clear();
                self.followers(Parent::Edge(first + place), &mut followers);
                followers.iter().for_each(|node| above[*node] = Some(edges.len()));
                first + place
            };
            let (action, visits, mean) = (self.actions[edge], self.visits[edge], self.means[edge]);
            edges.push(TreeEdge { parent: above[node], action, visits, mean });
        }
        edges
    }
}
