//! A search that goes on in the tree of an earlier decision (Müller 2014, 3.4.1).

use super::{Search, Workspace};
use crate::game::{Game, Playout};

impl<G: Game, P: Playout<G>> Search<'_, G, P> {
    /// Goes on in the tree of an earlier decision, if the settings ask for it and the tree has this position.
    pub(super) fn continue_tree(&mut self) -> bool {
        let log = self.root.move_log().filter(|_| self.settings.reuse);
        let Some(log) = log else { return false };
        let before = self.work.searched_after.replace(log.plies());
        let Workspace { tree, saved, decisions, actions, .. } = &mut *self.work;
        decisions.plies.clear();
        if let Some(before) = before {
            log.plies_from(before, &mut decisions.plies);
        }
        let found = before.and_then(|_| tree.descend(&decisions.plies, log.drawn()));
        self.root.actions(actions);
        let Some(node) = found.filter(|node| tree.node(*node).mover == self.mover && tree.fits(*node, actions)) else {
            return false;
        };
        std::mem::swap(tree, saved);
        tree.copy_below(saved, node);
        if tree.node(0).is_compact {
            tree.complete_row(0, actions);
        }
        // Edges have new numbers.
        self.work.tried.clear();
        self.work.ends.clear();
        self.trees = 1;
        self.is_continued = true;
        self.work.kept.resize(self.work.actions.len(), (0.0, 0.0));
        true
    }
}
