//! The tree of a search as numbers: where its greedy paths end, its size and shape, and where its nodes are.

use super::state::{Halves, MILLION, PathRule, State};
use evouct_platform::domain::{ColumnInfo, HistogramInfo, Trace};
use evouct_search::game::{Game, Scores};
use evouct_search::player::{Decision, TreeEdge};

/// A value of at least this share of the maximum is a success.
const SUCCESS: f64 = 0.99;
/// Bins of a histogram, as in the authors' plots of 2023.
const BINS: usize = 128;

const COLUMNS: &[ColumnInfo] = &[
    column("visits_path", Some("f by visits"), "f at the end of the greedy path by visits"),
    column("visits_distance", None, "distance of that point from the nearest maximum"),
    column("visits_success", Some("success"), "share of runs in which f there is at least 0.99 of the maximum"),
    column("mean_path", Some("f by mean"), "f at the end of the greedy path by mean reward"),
    column("mean_distance", None, "distance of that point from the nearest maximum"),
    column("mean_success", None, "share of runs in which f there is at least 0.99 of the maximum"),
    column("tree_nodes", Some("nodes"), "nodes of the tree, the root left out"),
    column("nodes_per_playout", None, "nodes per playout, evolution included"),
    column("terminals", Some("terminals"), "nodes at the end of the game"),
    column("leaves", None, "nodes without a child"),
    column("leaf_depth", Some("leaf depth"), "mean depth of the nodes without a child"),
    column("deepest", None, "depth of the deepest node"),
];

const HISTOGRAMS: &[HistogramInfo] = &[
    histogram("first", "nodes made in the first third of the search, by the centre of their first interval"),
    histogram("second", "nodes made in the second third of the search, by the centre of their first interval"),
    histogram("last", "nodes made in the last third of the search, by the centre of their first interval"),
];

/// The tree of the only decision of a game.
pub(super) struct TreeTrace;

impl Trace<State> for TreeTrace {
    fn columns(&self) -> &'static [ColumnInfo] {
        COLUMNS
    }

    fn histograms(&self) -> &'static [HistogramInfo] {
        HISTOGRAMS
    }

    fn needs_tree(&self) -> bool {
        true
    }

    fn add_tree(
        &self,
        state: &State,
        decision: &Decision<Halves>,
        tree: &[TreeEdge<Halves>],
        columns: &mut [f64],
        counts: &mut [Vec<u32>],
    ) {
        fill(state, decision.action, decision.playouts, tree, columns, counts);
    }

    /// f at the end of the path, in millionths; without a search, f at the centre.
    fn result(&self, state: &State, traces: &[Vec<f64>]) -> Scores {
        let place = if state.path() == PathRule::Visits { "visits_path" } else { "mean_path" };
        let place = COLUMNS.iter().position(|column| column.name == place).unwrap_or_default();
        let searched = traces.first().filter(|columns| columns.iter().any(|value| *value != 0.0));
        let value = searched.map_or(state.value(), |columns| columns[place]);
        [(MILLION * value).round() as i32, 0, 0, 0, 0, 0]
    }
}

const fn column(name: &'static str, heading: Option<&'static str>, about: &'static str) -> ColumnInfo {
    ColumnInfo { name, printed: None, heading, about }
}

const fn histogram(name: &'static str, about: &'static str) -> HistogramInfo {
    HistogramInfo { name, about, low: 0.0, high: 1.0, bins: BINS }
}

/// The end of a greedy path: from the root to the child that `rate` rates highest, the first among equals, down to a
/// node without a child.
fn end(root: &State, tree: &[TreeEdge<Halves>], children: &[Vec<usize>], rate: fn(&TreeEdge<Halves>) -> f64) -> State {
    let mut state = *root;
    let mut here = &children[0];
    while let Some(first) = here.first() {
        let best =
            here.iter().fold(*first, |best, edge| if rate(&tree[*edge]) > rate(&tree[best]) { *edge } else { best });
        state.play(tree[best].action);
        here = &children[best + 1];
    }
    state
}

/// Fills columns and histograms with the tree of a search from `root`; of a search without a tree, with the action
/// played.
fn fill(
    root: &State,
    action: Halves,
    playouts: u64,
    tree: &[TreeEdge<Halves>],
    columns: &mut [f64],
    histograms: &mut [Vec<u32>],
) {
    // By edge, counted from 1, the edges below it; at 0 those of the root.
    let mut children = vec![Vec::new(); tree.len() + 1];
    let mut states = Vec::with_capacity(tree.len());
    for (number, edge) in tree.iter().enumerate() {
        children[edge.parent.map_or(0, |parent| parent + 1)].push(number);
        let mut state = edge.parent.map_or(*root, |parent: usize| states[parent]);
        state.play(edge.action);
        states.push(state);
        let bin = (state.centre()[0] * BINS as f64) as usize;
        histograms[number * histograms.len() / tree.len()][bin.min(BINS - 1)] += 1;
    }
    let ends = if tree.is_empty() {
        let mut after = *root;
        after.play(action);
        [after; 2]
    } else {
        [end(root, tree, &children, |edge| edge.visits), end(root, tree, &children, |edge| edge.mean)]
    };
    let function = root.function();
    let of_end = |state: &State| {
        let value = state.value();
        let success = value >= SUCCESS * function.maximum();
        [value, function.distance(&state.centre()), f64::from(u8::from(success))]
    };
    let depth = |edge: usize| f64::from(states[edge].depths()[0]);
    let leaves: Vec<f64> = (0..tree.len()).filter(|edge| children[edge + 1].is_empty()).map(depth).collect();
    let terminals = (0..tree.len()).filter(|edge| states[*edge].depths()[0] == states[*edge].depths()[1]).count();
    let nodes = tree.len() as f64;
    let shape = [
        nodes,
        nodes / playouts.max(1) as f64,
        terminals as f64,
        leaves.len() as f64,
        leaves.iter().sum::<f64>() / leaves.len().max(1) as f64,
        (0..tree.len()).map(depth).fold(0.0, f64::max),
    ];
    let found = ends.iter().flat_map(of_end).chain(shape);
    columns.iter_mut().zip(found).for_each(|(column, value)| *column = value);
}
