//! The memory of a search.

use super::view::Columns;
use crate::game::{Game, MoveLog};
use crate::search::move_table::MoveTable;
use crate::search::policy::Values;
use crate::search::tree::{Decisions, SavedRoot, SearchTree, TreeEdge};
use evouct_gp::Scratch;
use std::collections::HashMap;

/// Memory that searches of the same game reuse.
pub struct Workspace<G: Game> {
    pub(super) tree: SearchTree<G>,
    pub(super) saved: SearchTree<G>,
    /// The number of decisions before the root of the tree, if the next search may use the tree again.
    pub(super) searched_after: Option<usize>,
    /// Visits and sums of rewards of the root's edges in earlier trees.
    pub(super) kept: Vec<(f64, f64)>,
    /// The tried edges in their order, if they are kept, by node and place among its actions, and how many there were
    /// when the tree was saved.
    pub(super) tried: Vec<(u32, u32)>,
    pub(super) saved_tried: usize,
    /// By edge, what chance decided at the end of the game, if that is stored.
    pub(super) ends: HashMap<usize, G::Outcome>,
    pub(super) state: Option<G>,
    pub(super) actions: Vec<G::Action>,
    pub(super) path: Vec<Step>,
    /// The moves of the game and of the simulation, if the search logs them.
    pub(super) log: MoveLog<G>,
    /// What was learned of moves.
    pub(super) table: MoveTable<G>,
    /// Decision nodes of all outcomes beside one on the path.
    pub(super) beside: Vec<usize>,
    /// The decisions of a simulation.
    pub(super) decisions: Decisions,
    /// Their seats and likenesses, if moves that are alike count as the same.
    pub(super) alike: Vec<(usize, u32)>,
    pub(super) values: Values,
    pub(super) open: OpenRow,
    pub(super) guided: GuidedRow,
    /// The root before a rehearsal.
    pub(super) root: SavedRoot,
    /// A position that the game may overwrite when it computes numbers of moves.
    pub(super) scratch: Option<G>,
}

impl<G: Game> Default for Workspace<G> {
    fn default() -> Workspace<G> {
        Workspace {
            tree: SearchTree::new(),
            saved: SearchTree::new(),
            searched_after: None,
            kept: Vec::new(),
            tried: Vec::new(),
            saved_tried: 0,
            ends: HashMap::new(),
            state: None,
            actions: Vec::new(),
            path: Vec::new(),
            log: MoveLog::default(),
            table: MoveTable::default(),
            beside: Vec::new(),
            decisions: Decisions::default(),
            alike: Vec::new(),
            values: Values::default(),
            open: OpenRow::default(),
            guided: GuidedRow::default(),
            root: SavedRoot::default(),
            scratch: None,
        }
    }
}

impl<G: Game> Workspace<G> {
    /// The tree as the last search left it.
    pub fn tree(&self) -> &SearchTree<G> {
        &self.tree
    }

    /// The tree as it was saved last; without nodes if it never was.
    pub fn saved(&self) -> &SearchTree<G> {
        &self.saved
    }

    /// The edges of the last search's tree in the order in which they were tried, if it kept them
    /// ([`Search::keep_tried`](super::Search::keep_tried)); of several trees, those of the last.
    pub fn edges(&self) -> Vec<TreeEdge<G::Action>> {
        self.tree.edges(&self.tried)
    }

    /// Checks both trees: see [`SearchTree::check`].
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn check(&self) -> Result<(), String> {
        self.tree.check()?;
        self.saved.check().map_err(|problem| format!("the saved tree: {problem}"))
    }
}

/// The legal actions of an open-loop node, which has no row in the tree.
#[derive(Default)]
pub(super) struct OpenRow {
    /// Positions, in the list of legal actions, of those without an edge.
    pub(super) untried: Vec<usize>,
    /// Edges of the others, with their statistics.
    pub(super) edges: Vec<usize>,
    pub(super) means: Vec<f64>,
    pub(super) visits: Vec<f64>,
}

/// Memory of guided selection.
#[derive(Debug, Default)]
pub(super) struct GuidedRow {
    /// What the tree policy sees.
    pub(super) means: Vec<f64>,
    pub(super) visits: Vec<f64>,
    /// The value of each child.
    pub(super) values: Vec<f64>,
    /// Values of another formula.
    pub(super) further: Vec<f64>,
    /// The numbers of the moves of a node, of which the tree may keep some.
    pub(super) numbers: Vec<Vec<f64>>,
    /// The places of the children that have a value, if not all have one.
    pub(super) places: Vec<u32>,
    pub(super) columns: Columns,
    pub(super) scratch: Scratch,
}

/// A node on the path of a simulation.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) node: usize,
    /// None if the simulation left the tree at this node.
    pub(super) edge: Option<usize>,
    pub(super) mover: usize,
}
