//! The search tree: statistics of tried actions, without positions.
//!
//! A *node* is a seat's decision after a known outcome of chance; its legal actions are a row of *edges*. Statistics of
//! edges lie in columns (visits, means), so that a formula can be evaluated for all children of a node at once. What
//! follows an edge depends on chance: *links* lead from an edge and an outcome to the next node.
//!
//! Most nodes are visited a few times only, and a row has room for every legal action. A node is therefore
//! *compact* at first: its first tried edges lie apart, without a row.

mod amaf;
mod check;
mod columns;
mod compact;
mod further;
mod links;
mod proof;
mod saved_root;
mod subtree;
mod trace;
mod transpositions;
mod under_way;

use self::amaf::AmafColumns;
use self::further::FurtherColumns;
use self::links::{Links, NONE};
use crate::game::Game;
use evouct_base::prefetch::prefetch;
use std::collections::HashMap;

pub(super) use amaf::Decisions;
pub(super) use further::{Leading, Proof};
pub(super) use saved_root::SavedRoot;
pub use trace::TreeEdge;
pub(super) use under_way::Before;

/// Bytes that memory is fetched in.
const CACHE_LINE: usize = 64;

/// A decision node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Node {
    /// The seat that decides; meaningless for a node of chance alone, which has no edges.
    pub mover: usize,
    /// Visits of the node.
    pub visits: f64,
    /// Its edges are `first .. first + count`; if it is compact, the edge that was tried last.
    pub first: usize,
    /// The number of legal actions.
    pub count: usize,
    /// How many of them have not been tried.
    pub untried: usize,
    /// Whether it is compact: it has no row yet, and its first tried edges lie apart.
    pub is_compact: bool,
    /// Outcomes that follow a node of chance.
    link: u32,
}

/// A node as the tree keeps it: half a cache line, as a search of many iterations waits for each node.
#[derive(Clone, Copy, PartialEq, Debug)]
struct PackedNode {
    first: usize,
    visits: f64,
    count: u32,
    untried: u32,
    link: u32,
    mover: u8,
    is_compact: bool,
}

const _: () = assert!(size_of::<PackedNode>() <= CACHE_LINE / 2);

impl Node {
    /// A seat has a byte, a number of actions 32 bits.
    fn packed(self) -> PackedNode {
        let Node { mover, visits, first, count, untried, is_compact, link } = self;
        PackedNode { first, visits, count: count as u32, untried: untried as u32, link, mover: mover as u8, is_compact }
    }
}

impl PackedNode {
    #[inline]
    fn unpacked(self) -> Node {
        let PackedNode { first, visits, count, untried, link, mover, is_compact } = self;
        Node {
            mover: usize::from(mover),
            visits,
            first,
            count: count as usize,
            untried: untried as usize,
            is_compact,
            link,
        }
    }
}

/// The tree.
#[derive(Debug)]
pub struct SearchTree<G: Game> {
    nodes: Vec<PackedNode>,
    actions: Vec<G::Action>,
    visits: Vec<f64>,
    sums: Vec<f64>,
    means: Vec<f64>,
    /// Row by row the edges that are still untried, in the first places of the row. Of an edge apart, the choice that
    /// it was.
    untried: Vec<u32>,
    /// What follows an edge. Nothing follows an edge apart: the edge that was tried before it.
    edge_links: Vec<u32>,
    /// Edges that were apart and are in a row now, to be used again.
    spare: Vec<u32>,
    links: Links<G::Outcome>,
    /// Edges of open-loop nodes, by node and action: below the root of an open-loop tree the legal actions depend on
    /// what was drawn, and an edge is added when its action is first tried.
    open: HashMap<(usize, G::Action), usize>,
    /// Nodes by the seat to play and the key of the position, if equal positions share a node.
    positions: Option<HashMap<(usize, [u128; 2]), usize>>,
    amaf: Option<AmafColumns<G::Outcome>>,
    further: Option<FurtherColumns>,
    /// Further columns of an earlier tree, whose memory the next ones use.
    memory: Option<FurtherColumns>,
}

/// The parent of the next node: an edge, or a node of chance.
#[derive(Clone, Copy, Debug)]
pub(super) enum Parent {
    Edge(usize),
    Chance(usize),
}

impl<G: Game> Clone for SearchTree<G> {
    fn clone(&self) -> SearchTree<G> {
        let mut copy = SearchTree::new();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &SearchTree<G>) {
        self.nodes.clone_from(&other.nodes);
        self.actions.clone_from(&other.actions);
        self.visits.clone_from(&other.visits);
        self.sums.clone_from(&other.sums);
        self.means.clone_from(&other.means);
        self.untried.clone_from(&other.untried);
        self.edge_links.clone_from(&other.edge_links);
        self.spare.clone_from(&other.spare);
        self.links.clone_from(&other.links);
        self.open.clone_from(&other.open);
        self.positions.clone_from(&other.positions);
        self.amaf.clone_from(&other.amaf);
        self.further.clone_from(&other.further);
    }
}

/// Trees are equal if all their data is. Every field is named, so that a new one cannot be forgotten.
impl<G: Game> PartialEq for SearchTree<G> {
    fn eq(&self, other: &SearchTree<G>) -> bool {
        let SearchTree {
            nodes,
            actions,
            visits,
            sums,
            means,
            untried,
            edge_links,
            spare,
            links,
            open,
            positions,
            amaf,
            further,
            memory: _,
        } = self;
        let tree = *nodes == other.nodes && *actions == other.actions && *links == other.links;
        let edges = *edge_links == other.edge_links && *untried == other.untried && *spare == other.spare;
        let statistics = *visits == other.visits && *sums == other.sums && *means == other.means;
        let found = *open == other.open && *positions == other.positions;
        tree && edges && statistics && found && *amaf == other.amaf && *further == other.further
    }
}

impl<G: Game> Default for SearchTree<G> {
    fn default() -> SearchTree<G> {
        SearchTree::new()
    }
}

impl<G: Game> SearchTree<G> {
    /// A tree without nodes.
    pub fn new() -> SearchTree<G> {
        SearchTree {
            nodes: Vec::new(),
            actions: Vec::new(),
            visits: Vec::new(),
            sums: Vec::new(),
            means: Vec::new(),
            untried: Vec::new(),
            edge_links: Vec::new(),
            spare: Vec::new(),
            links: Links::new(),
            open: HashMap::new(),
            positions: None,
            amaf: None,
            further: None,
            memory: None,
        }
    }

    /// Clears the tree and keeps its memory. `amaf` says whether the next tree keeps all-moves-as-first statistics.
    pub(super) fn clear(&mut self, amaf: bool) {
        match (&mut self.amaf, amaf) {
            (Some(columns), true) => columns.clear(),
            (columns, _) => *columns = amaf.then(AmafColumns::new),
        }
        self.nodes.clear();
        self.actions.clear();
        self.visits.clear();
        self.sums.clear();
        self.means.clear();
        self.untried.clear();
        self.edge_links.clear();
        self.spare.clear();
        self.links.clear();
        self.open.clear();
        self.positions = None;
        self.memory = self.further.take().or(self.memory.take());
    }

    /// The places of a node's untried edges in its row.
    pub(super) fn untried(&self, node: usize) -> &[u32] {
        let Node { first, untried, .. } = self.node(node);
        &self.untried[first..first + untried]
    }

    /// The number of nodes.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The bytes of all nodes, edges and links, without room for more. Statistics that only some searches keep do not
    /// count.
    pub fn bytes(&self) -> usize {
        let edge = size_of::<G::Action>() + 3 * size_of::<f64>() + 2 * size_of::<u32>();
        let nodes = size_of_val(&*self.nodes) + size_of_val(&*self.spare);
        nodes + self.actions.len() * edge + self.links.bytes()
    }

    #[inline]
    pub(super) fn node(&self, node: usize) -> Node {
        self.nodes[node].unpacked()
    }

    /// A new node with these legal actions, none of them tried; a node of chance has none.
    pub(super) fn add_node(
        &mut self,
        mover: usize,
        drawn: Option<G::Outcome>,
        visits: f64,
        actions: &[G::Action],
    ) -> usize {
        let count = actions.len();
        let first = self.add_row(actions);
        self.nodes.push(Node { mover, visits, first, count, untried: count, is_compact: false, link: NONE }.packed());
        let edges = first + count;
        if let Some(amaf) = &mut self.amaf {
            amaf.add_node(mover, drawn, actions);
        }
        if let Some(further) = &mut self.further {
            further.add_node();
            further.squares.resize(if further.keeps_squares { edges } else { 0 }, 0.0);
            further.best.resize(if further.keeps_best { edges } else { 0 }, 0.0);
            further.implicit.resize(if further.keeps_implicit { edges } else { 0 }, 0.0);
            further.proofs.resize(if further.keeps_proofs { edges } else { 0 }, Proof::None);
        }
        self.nodes.len() - 1
    }

    /// A new row of these actions, none of them tried; returns its first edge.
    fn add_row(&mut self, actions: &[G::Action]) -> usize {
        let first = self.actions.len();
        let edges = first + actions.len();
        self.untried.extend(0..actions.len() as u32);
        self.actions.extend_from_slice(actions);
        self.visits.resize(edges, 0.0);
        self.sums.resize(edges, 0.0);
        self.means.resize(edges, 0.0);
        self.edge_links.resize(edges, NONE);
        first
    }

    /// Takes the untried edge number `choice` (below the node's `untried`). The node has its row.
    #[inline]
    pub(super) fn take_untried(&mut self, node: usize, choice: usize) -> usize {
        self.nodes[node].untried -= 1;
        let Node { first, count, untried, .. } = self.node(node);
        let row = &mut self.untried[first..first + count];
        let edge = first + row[choice] as usize;
        row[choice] = row[untried];
        edge
    }

    /// The same at a node whose untried edges are all taken by this: [`tried`](Self::tried) has the others.
    pub(super) fn take_untried_in_order(&mut self, node: usize, choice: usize) -> usize {
        self.nodes[node].untried -= 1;
        let Node { first, count, untried, .. } = self.node(node);
        let row = &mut self.untried[first..first + count];
        let place = row[choice];
        row[choice] = row[untried];
        // Those that are tried follow the untried ones, from the lowest place on.
        let mut at = untried;
        while at + 1 < count && row[at + 1] < place {
            row[at] = row[at + 1];
            at += 1;
        }
        row[at] = place;
        first + place as usize
    }

    /// The places of a node's tried edges in its row, from the lowest on, where they were taken by
    /// [`take_untried_in_order`](Self::take_untried_in_order). A compact node must have none.
    pub(super) fn tried(&self, node: usize) -> &[u32] {
        let Node { first, count, untried, is_compact, .. } = self.node(node);
        if is_compact {
            debug_assert_eq!(untried, count, "node {node} is compact and has tried edges");
            return &[];
        }
        &self.untried[first + untried..first + count]
    }

    /// Asks for what is read of an edge once its action is played, and at the end of the iteration.
    #[inline]
    pub(super) fn prefetch_edge(&self, edge: usize) {
        prefetch(&self.edge_links[edge]);
        prefetch(&self.sums[edge]);
    }

    /// Asks for the newest links after an edge.
    #[inline]
    pub(super) fn prefetch_links(&self, edge: usize) {
        self.links.prefetch(self.edge_links[edge]);
    }

    /// Asks for the actions of a node, of which a policy is about to select one.
    #[inline]
    pub(super) fn prefetch_actions(&self, node: usize) {
        let Node { first, count, .. } = self.node(node);
        let of_line = (CACHE_LINE / size_of::<G::Action>().max(1)).max(1);
        self.actions[first..first + count].iter().step_by(of_line).for_each(prefetch);
    }

    /// The node that follows, if the search has visited it.
    #[inline]
    pub(super) fn follow(&self, parent: Parent, outcome: Option<G::Outcome>) -> Option<usize> {
        self.links.find(self.links_after(parent), outcome)
    }

    /// The node of this seat that follows an edge for any outcome, if the search has visited it.
    #[inline]
    pub(super) fn follow_open(&self, edge: usize, mover: usize) -> Option<usize> {
        let mut nodes = self.links.list(self.edge_links[edge]).map(|(_, node)| node);
        nodes.find(|node| self.node(*node).mover == mover)
    }

    /// Links a node below its parent.
    pub(super) fn link(&mut self, parent: Parent, outcome: Option<G::Outcome>, node: usize) {
        let head = match parent {
            Parent::Edge(edge) => &mut self.edge_links[edge],
            Parent::Chance(node) => &mut self.nodes[node].link,
        };
        self.links.add(head, outcome, node as u32);
    }

    /// The newest links after an edge or a node of chance.
    #[inline]
    fn links_after(&self, parent: Parent) -> u32 {
        match parent {
            Parent::Edge(edge) => self.edge_links[edge],
            Parent::Chance(node) => self.nodes[node].link,
        }
    }

    /// Counts a visit of a node.
    #[inline]
    pub(super) fn visit(&mut self, node: usize) {
        self.nodes[node].visits += 1.0;
    }

    /// Counts a reward for an edge, for the seat that chose it.
    #[inline]
    pub(super) fn update(&mut self, edge: usize, reward: f64) {
        self.visits[edge] += 1.0;
        self.sums[edge] += reward;
        self.means[edge] = self.sums[edge] / self.visits[edge];
    }

    #[inline]
    pub(super) fn action(&self, edge: usize) -> G::Action {
        self.actions[edge]
    }

    /// The edge of an open-loop node, if its action was tried.
    #[inline]
    pub(super) fn open_edge(&self, node: usize, action: G::Action) -> Option<usize> {
        self.open.get(&(node, action)).copied()
    }

    /// A new edge of an open-loop node, untried so far.
    pub(super) fn add_open_edge(&mut self, node: usize, action: G::Action) -> usize {
        let edge = self.add_row(&[action]);
        self.open.insert((node, action), edge);
        edge
    }

    /// Mean reward of an edge.
    #[inline]
    pub(super) fn edge_mean(&self, edge: usize) -> f64 {
        self.means[edge]
    }

    /// Visits of an edge.
    #[inline]
    pub(super) fn edge_visits(&self, edge: usize) -> f64 {
        self.visits[edge]
    }

    /// Mean rewards and visits of a node's edges, in the order of its actions. The node has its row.
    #[inline]
    pub(super) fn statistics(&self, node: usize) -> (&[f64], &[f64]) {
        let Node { first, count, is_compact, .. } = self.node(node);
        debug_assert!(!is_compact, "node {node} is compact");
        (&self.means[first..first + count], &self.visits[first..first + count])
    }

    /// Adds the decision nodes that follow an edge to a list.
    pub(super) fn followers(&self, parent: Parent, found: &mut Vec<usize>) {
        for (_, node) in self.links.list(self.links_after(parent)) {
            if self.nodes[node].count > 0 {
                found.push(node);
            } else {
                self.followers(Parent::Chance(node), found);
            }
        }
    }

    /// The actions of a node, which has its row.
    pub(super) fn actions(&self, node: usize) -> &[G::Action] {
        let Node { first, count, is_compact, .. } = self.node(node);
        debug_assert!(!is_compact, "node {node} is compact");
        &self.actions[first..first + count]
    }
}
