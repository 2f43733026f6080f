//! Compact nodes: most nodes of a tree are visited a few times only, and a row has room for all legal actions.
//!
//! The first tried edges of such a node lie apart, each linked to the one that was tried before it. With one too many
//! they move into a row. An untried action is chosen by its number among the untried ones, and the last of these takes
//! the number of the chosen one. The choices alone therefore tell which actions were tried, and nothing of an untried
//! action is kept.

use super::links::NONE;
use super::{FurtherColumns, Node, PackedNode, SearchTree};
use crate::game::Game;

/// How many tried edges a node may have before it gets its row.
pub(super) const EDGES_APART: usize = 3;

impl<G: Game> SearchTree<G> {
    /// A new compact node. If it has so few actions that this saves nothing, it gets its row.
    ///
    /// Not in a tree with columns that have an entry per action from the start:
    /// [`may_be_compact`](SearchTree::may_be_compact).
    pub(in crate::search) fn add_compact_node(&mut self, mover: usize, visits: f64, actions: &[G::Action]) -> usize {
        debug_assert!(self.may_be_compact(), "the tree has columns that no compact node can have");
        let count = actions.len();
        if count <= EDGES_APART {
            return self.add_node(mover, None, visits, actions);
        }
        self.nodes.push(Node { mover, visits, first: 0, count, untried: count, is_compact: true, link: NONE }.packed());
        if let Some(further) = &mut self.further {
            further.add_node();
        }
        self.nodes.len() - 1
    }

    /// Whether nodes may be compact: the tree keeps nothing of an action before it is tried, but numbers of moves.
    pub(in crate::search) fn may_be_compact(&self) -> bool {
        self.amaf.is_none() && self.further.as_ref().is_none_or(FurtherColumns::has_numbers_only)
    }

    /// As [`take_untried`](SearchTree::take_untried) at a compact node, which gets its row if it has too many
    /// edges. These are its actions.
    pub(in crate::search) fn take_compact(&mut self, node: usize, choice: usize, actions: &[G::Action]) -> usize {
        debug_assert!(self.fits(node, actions), "node {node} has other actions than at its last visit");
        let Node { first, count, untried, .. } = self.node(node);
        let tried = count - untried;
        // Edges apart have numbers of 32 bits.
        if tried == EDGES_APART || self.actions.len() >= NONE as usize {
            self.complete_row(node, actions);
            return self.take_untried_in_order(node, choice);
        }
        let action = actions[self.place(choice, first, tried, count)];
        let edge = match self.spare.pop() {
            Some(edge) => edge as usize,
            None => self.add_row(&[action]),
        };
        self.actions[edge] = action;
        self.untried[edge] = choice as u32;
        self.edge_links[edge] = if tried == 0 { NONE } else { first as u32 };
        self.nodes[node].first = edge;
        self.nodes[node].untried -= 1;
        edge
    }

    /// Gives a compact node its row. These are its actions.
    pub(in crate::search) fn complete_row(&mut self, node: usize, actions: &[G::Action]) {
        let Node { first, count, untried, .. } = self.node(node);
        debug_assert!(self.fits(node, actions), "node {node} has other actions than at its last visit");
        let (mut apart, mut edge) = ([0; EDGES_APART], first);
        let apart = &mut apart[..count - untried];
        for slot in apart.iter_mut().rev() {
            *slot = edge;
            edge = self.edge_links[edge] as usize;
        }
        let first = self.add_row(actions);
        self.nodes[node] = Node { first, untried: count, is_compact: false, ..self.node(node) }.packed();
        for edge in apart {
            let in_row = self.take_untried_in_order(node, self.untried[*edge] as usize);
            for column in [&mut self.visits, &mut self.sums, &mut self.means] {
                column[in_row] = std::mem::take(&mut column[*edge]);
            }
            self.edge_links[*edge] = NONE;
            self.spare.push(*edge as u32);
        }
    }

    /// Appends a node of another tree that is compact; returns its number.
    pub(super) fn copy_compact(&mut self, other: &SearchTree<G>, node: usize) -> usize {
        let copy = PackedNode { first: 0, link: NONE, ..other.nodes[node] };
        let edges: Vec<(usize, usize)> = other.apart(node).collect();
        let mut newest = NONE;
        for (_, edge) in edges.into_iter().rev() {
            let own = self.add_row(&[other.actions[edge]]);
            (self.untried[own], self.edge_links[own]) = (other.untried[edge], newest);
            (self.visits[own], self.sums[own], self.means[own]) =
                (other.visits[edge], other.sums[edge], other.means[edge]);
            newest = own as u32;
        }
        self.nodes.push(PackedNode { first: newest as usize, ..copy });
        self.copy_numbers(other, node);
        self.nodes.len() - 1
    }

    /// The edges of a compact node, each with its place among the actions, the newest first.
    pub(super) fn apart(&self, node: usize) -> impl Iterator<Item = (usize, usize)> {
        let Node { first, count, untried, .. } = self.node(node);
        let mut next = first;
        (0..count - untried).rev().map(move |before| {
            let edge = next;
            next = self.edge_links[edge] as usize;
            (self.place(self.untried[edge] as usize, next, before, count), edge)
        })
    }

    /// The place, among `count` actions, of the untried one with the number `choice`, where `tried` of them are tried
    /// and `newest` is the edge of the last.
    fn place(&self, choice: usize, newest: usize, tried: usize, count: usize) -> usize {
        let (mut place, mut edge) = (choice, newest);
        for left in count - tried..count {
            if place == self.untried[edge] as usize {
                place = left;
            }
            edge = self.edge_links[edge] as usize;
        }
        place
    }

    /// The visited edges of a node, each with its place among the actions.
    pub(in crate::search) fn visited(&self, node: usize) -> Vec<(usize, usize)> {
        let Node { first, count, is_compact, .. } = self.node(node);
        let is_visited = |(_, edge): &(usize, usize)| self.visits[*edge] > 0.0;
        if is_compact {
            return self.apart(node).filter(is_visited).collect();
        }
        (0..count).map(|place| (place, first + place)).filter(is_visited).collect()
    }

    /// The place of a node's edge among its actions. If the node is compact, it is the newest edge.
    pub(in crate::search) fn place_of(&self, node: usize, edge: usize) -> usize {
        let Node { first, is_compact, .. } = self.node(node);
        if is_compact { self.apart(node).next().map_or(0, |(place, _)| place) } else { edge - first }
    }

    /// Whether these can be the actions of a node: those that it knows are among them in their places.
    pub(in crate::search) fn fits(&self, node: usize, actions: &[G::Action]) -> bool {
        if !self.nodes[node].is_compact {
            return self.actions(node) == actions;
        }
        self.node(node).count == actions.len()
            && self.apart(node).all(|(place, edge)| actions[place] == self.actions[edge])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Uniform;
    use crate::game::slots::Slots;
    use crate::search::{Search, SearchSettings, TreePolicy, Uct, Workspace};
    use evouct_base::sampling::below;
    use evouct_base::seed::{Key, search_rng};

    /// Both forms of a node take the same actions by the same choices and end with the same row.
    #[test]
    fn a_compact_node_gets_the_row_of_one_that_never_was() {
        let root = Slots::new();
        let mut rng = search_rng(&mut Key::experiment(5).stream());
        let mut state = root.clone();
        let mut actions = Vec::new();
        for _ in 0..30 {
            while Game::turn(&state) == crate::game::Turn::Chance {
                Game::sample(&mut state, &mut rng);
            }
            Game::actions(&state, &mut actions);
            for most in 0..=actions.len() {
                let (mut tree, mut other) = (SearchTree::<Slots>::new(), SearchTree::<Slots>::new());
                let (compact, row) = (tree.add_compact_node(0, 0.0, &actions), other.add_node(0, None, 0.0, &actions));
                for reward in 0..most {
                    let untried = tree.node(compact).untried;
                    let choice = below(&mut rng, untried);
                    let edge = if tree.node(compact).is_compact {
                        tree.take_compact(compact, choice, &actions)
                    } else {
                        tree.take_untried(compact, choice)
                    };
                    let expected = other.take_untried(row, choice);
                    assert_eq!((tree.action(edge), tree.place_of(compact, edge)), (other.action(expected), expected));
                    tree.visit(compact);
                    other.visit(row);
                    tree.update(edge, reward as f64);
                    other.update(expected, reward as f64);
                    assert_eq!(tree.check(), Ok(()));
                    assert!(tree.fits(compact, &actions));
                }
                let sorted = |tree: &SearchTree<Slots>| {
                    let mut visited = tree.visited(0);
                    visited.sort_unstable();
                    visited
                        .iter()
                        .map(|(place, edge)| (*place, tree.sums[*edge], tree.visits[*edge]))
                        .collect::<Vec<_>>()
                };
                assert_eq!(sorted(&tree), sorted(&other));
                assert_eq!(tree.node(compact).is_compact, most <= EDGES_APART && actions.len() > EDGES_APART);
                if tree.node(compact).is_compact {
                    tree.complete_row(compact, &actions);
                }
                assert_eq!(tree.check(), Ok(()));
                assert_eq!((tree.actions(0), tree.statistics(0)), (other.actions(0), other.statistics(0)));
                assert_eq!(tree.untried(0), other.untried(0));
            }
            Game::play(&mut state, actions[below(&mut rng, actions.len())]);
        }
    }

    /// Edges that were apart are used again, so a tree needs little more than the rows of its nodes with many visits.
    #[test]
    fn a_long_search_keeps_few_edges() {
        let mut rng = search_rng(&mut Key::experiment(5).stream());
        let mut root = Slots::new();
        Game::sample(&mut root, &mut rng);
        let (mut work, settings) = (Workspace::default(), SearchSettings::default());
        let mut search = Search::new(&mut work, &root, None, &settings, Uniform, rng);
        for _ in 0..5_000 {
            search.iterate(&TreePolicy::Uct(Uct::default()));
        }
        let tree = work.tree();
        assert_eq!(tree.check(), Ok(()));
        let all: Vec<Node> = tree.nodes.iter().map(|node| node.unpacked()).collect();
        let decisions = all.iter().filter(|node| node.count > EDGES_APART);
        let (compact, rows): (Vec<&Node>, Vec<&Node>) = decisions.partition(|node| node.is_compact);
        let apart: usize = compact.iter().map(|node| node.count - node.untried).sum();
        let in_rows: usize = all.iter().filter(|node| !node.is_compact).map(|node| node.count).sum();
        assert!(
            compact.len() > 250 && rows.len() > 50,
            "{} nodes are compact, {} have rows",
            compact.len(),
            rows.len()
        );
        assert!(rows[1..].iter().all(|node| node.count - node.untried > EDGES_APART));
        assert_eq!(tree.actions.len(), apart + in_rows + tree.spare.len());
        // A row that was completed last leaves its edges.
        assert!(tree.spare.len() <= EDGES_APART, "{} edges are spare", tree.spare.len());
    }
}
