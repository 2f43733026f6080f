//! What people see of a search while it runs, without the types of its game.

use super::decided::Weighed;
use super::notation::Notation;
use evouct_search::game::Game;
use evouct_search::search::{Observer, SearchProgress};

/// What a search has found so far.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The actions considered.
    pub considered: Vec<Weighed>,
    /// Playouts so far, evolution included.
    pub playouts: u64,
    /// Positions that a search without playouts has visited so far.
    pub nodes: u64,
    /// The formula that selects in the tree, if one does.
    pub formula: Option<String>,
}

/// Sees searches while they run.
pub trait Watch {
    /// Is told now and then, as an [`Observer`] is; `glimpse` computes what was found so far.
    fn look(&self, glimpse: &dyn Fn() -> Snapshot);
}

/// The observer of one decision.
pub(super) struct Watching<'a, G: Game> {
    pub game: &'a G,
    pub notation: &'a dyn Notation<G>,
    pub watch: &'a dyn Watch,
}

impl<G: Game> Observer<G::Action> for Watching<'_, G> {
    fn look(&self, progress: &dyn Fn() -> SearchProgress<G::Action>) {
        self.watch.look(&|| {
            let SearchProgress { children, playouts, nodes, formula } = progress();
            Snapshot { considered: Weighed::all(self.game, self.notation, &children), playouts, nodes, formula }
        });
    }
}
