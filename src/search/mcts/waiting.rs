//! Nodes whose row waits until they have been visited a few times: see [`SearchTree::take_waiting`](super::SearchTree::take_waiting).

use super::super::settings::LeafReward;
use super::super::tree::Node;
use super::{Search, Workspace};
use crate::game::{Game, Playout};

impl<G: Game, P: Playout<G>> Search<'_, G, P> {
    /// Whether the rows of nodes below the root wait. Not where statistics of actions are kept before they are tried, nor where
    /// the number of an edge must stay.
    pub(super) fn rows_wait(&self) -> bool {
        self.settings.amaf.is_none() && self.guidance.is_none() && self.settings.leaf_reward != LeafReward::Stored
    }

    /// Takes an untried edge of a node whose row waits.
    #[inline]
    pub(super) fn take_waiting(&mut self, node: usize, choice: usize) -> usize {
        let Workspace { tree, state, actions, .. } = &mut *self.work;
        let Node { count, untried, .. } = *tree.node(node);
        // The actions of a node without a tried edge were listed in this iteration, when it was added.
        if untried < count {
            state.as_ref().expect("the workspace has a position").actions(actions);
        }
        tree.take_waiting(node, choice, actions)
    }
}
