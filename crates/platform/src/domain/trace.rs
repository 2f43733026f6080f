//! What records keep of searches.

use super::column::{ColumnInfo, HistogramInfo};
use evouct_search::game::{Game, Scores};
use evouct_search::player::{Decision, TreeEdge};

/// What records keep of the searches of a seat: sums over its decisions, and histograms.
///
/// Only a game that studies search itself needs one; others have [`NoTrace`].
pub trait Trace<G: Game>: Sync {
    /// The columns that [`add`](Trace::add) fills. With at least one of them, every search reports the actions of its
    /// root.
    fn columns(&self) -> &'static [ColumnInfo];

    /// The histograms that [`add_tree`](Trace::add_tree) fills.
    fn histograms(&self) -> &'static [HistogramInfo] {
        &[]
    }

    /// Whether [`add_tree`](Trace::add_tree) is told the trees of searches.
    fn needs_tree(&self) -> bool {
        false
    }

    /// Adds up what the search of a decision left behind: its playouts and nodes, the actions at its root with visits
    /// and means, the formula that it evolved. `columns` are those of the seat that decided, in the order of
    /// [`columns`](Trace::columns).
    fn add(&self, _game: &G, _decision: &Decision<G::Action>, _columns: &mut [f64]) {}

    /// As [`add`](Trace::add), with the tree that the search left: its edges in the order in which they were tried;
    /// none from a player without a tree. `counts` are those of each of the [`histograms`](Trace::histograms), by bin.
    fn add_tree(
        &self,
        _game: &G,
        _decision: &Decision<G::Action>,
        _tree: &[TreeEdge<G::Action>],
        _columns: &mut [f64],
        _counts: &mut [Vec<u32>],
    ) {
    }

    /// The scores of a game between players, where it ended. A game may score what the searches left behind: `traces`
    /// are the columns by seat.
    fn result(&self, game: &G, _traces: &[Vec<f64>]) -> Scores {
        game.scores()
    }
}

/// Records keep nothing of searches.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTrace;

impl<G: Game> Trace<G> for NoTrace {
    fn columns(&self) -> &'static [ColumnInfo] {
        &[]
    }
}
