//! Open-loop search: an action is one edge whatever chance decided before it, so the legal actions of a node depend on
//! the descent.

use super::super::policy::{Choice, TreePolicy};
use super::super::rave::Amaf;
use super::super::tree::Parent;
use super::workspace::Workspace;
use super::{Edge, Search, is_full};
use crate::game::{Game, Playout, next_seat};
use evouct_base::sampling::below;

impl<G: Game, P: Playout<G>> Search<'_, G, P> {
    /// As [`choose`](Search::choose) at a node whose actions depend on what was drawn.
    pub(super) fn choose_open(&mut self, node: usize, policy: &TreePolicy, expand: bool) -> Option<Edge> {
        let Workspace { tree, state, actions, open, .. } = &mut *self.work;
        let state = state.as_mut().expect("the workspace has a position");
        state.actions(actions);
        open.untried.clear();
        open.edges.clear();
        open.means.clear();
        open.visits.clear();
        for (position, action) in actions.iter().enumerate() {
            match tree.open_edge(node, *action) {
                None => open.untried.push(position),
                Some(edge) => {
                    open.edges.push(edge);
                    open.means.push(tree.edge_mean(edge));
                    open.visits.push(tree.edge_visits(edge));
                }
            }
        }
        if !open.untried.is_empty() {
            return expand.then(|| {
                let action = actions[open.untried[below(&mut self.rng, open.untried.len())]];
                Edge { index: tree.add_open_edge(node, action), is_new: true }
            });
        }
        let (parent, minimises) = (self.parent_visits(node), self.minimises(node));
        let Workspace { open, values, .. } = &mut *self.work;
        let (means, visits) = (&open.means, &open.visits);
        let choice = Choice { means, visits, amaf: Amaf::default(), parent, minimises };
        let chosen = policy.select(choice, values, &mut self.rng);
        Some(Edge { index: open.edges[chosen], is_new: false })
    }

    /// As [`next_node`](Search::next_node) where one node of a seat follows an edge, whatever is drawn and however
    /// often.
    pub(super) fn next_open_node(&mut self, edge: usize, expand: bool) -> Option<usize> {
        let logs = self.log_root.is_some();
        let Workspace { tree, state, log, .. } = &mut *self.work;
        let state = state.as_mut().expect("the workspace has a position");
        let mover = next_seat(state, logs.then_some(log), &mut self.rng)?;
        let known = tree.follow_open(edge, mover);
        if known.is_some() || !expand || is_full(tree, self.settings.max_tree_nodes) {
            return known;
        }
        let node = tree.add_node(mover, None, 0.0, &[]);
        tree.link(Parent::Edge(edge), None, node);
        Some(node)
    }
}
