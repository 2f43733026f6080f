//! A search that goes on in the tree of an earlier decision (Müller 2014, 3.4.1).

use super::{Search, Workspace};
use crate::game::{Game, Playout};

impl<G: Game, P: Playout<G>> Search<'_, G, P> {
    /// Goes on in the tree of an earlier decision, if the settings ask for it and the tree has this position.
    pub(super) fn continue_tree(&mut self) -> bool {
        // Where the moves are not known, the position is found in no tree.
        let is_known = self.settings.reuse && (self.told.is_some() || self.root.past().is_some());
        let Workspace { tree, saved, log, searched_after, actions, .. } = &mut *self.work;
        let before = std::mem::replace(searched_after, is_known.then(|| log.plies().len()));
        let since = before.filter(|_| is_known).and_then(|before| log.plies().get(before..));
        let found = since.and_then(|plies| tree.descend(plies, log.drawn(self.mover)));
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
