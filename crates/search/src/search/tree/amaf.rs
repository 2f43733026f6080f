//! All-moves-as-first statistics of a tree.
//!
//! After each iteration every decision of it is looked for at many nodes, and found at few. What was drawn leads to the
//! decisions that a node can have, a set of bits tells most of those that it has not, and the others are found by short
//! keys.

use super::super::hash::quick_hash;
use super::super::rave::Amaf;
use super::links::NONE;
use super::{Node, SearchTree};
use crate::game::{Game, Ply, PlyOf};
use std::hash::Hash;

/// Lists of decisions in [`Decisions`].
const LISTS: usize = 64;

/// All-moves-as-first statistics, if a search counts them.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct AmafColumns<Outcome> {
    /// By node.
    pub nodes: Vec<AmafNode<Outcome>>,
    /// By edge, the key of its action.
    pub keys: Vec<u32>,
    /// By edge.
    pub visits: Vec<f64>,
    /// By edge, for the seat that decides.
    pub sums: Vec<f64>,
    /// By edge, if moves that are alike count as the same: see [`Game::likeness`].
    pub likeness: Vec<u32>,
}

/// What tells whether a decision can be one of a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct AmafNode<Outcome> {
    /// The outcome drawn before it.
    pub drawn: Option<Outcome>,
    /// The list of decisions of its seat with this outcome.
    pub list: u8,
    /// The [`bit`]s of its actions.
    pub bits: u64,
}

/// The key of an action: its hash.
#[inline]
pub(super) fn key(action: impl Hash) -> u32 {
    (quick_hash(action) >> 32) as u32
}

/// One of 64 bits for a key.
#[inline]
pub(super) fn bit(key: u32) -> u64 {
    1 << (key >> 26)
}

/// The number of the list of a seat's decisions after an outcome.
#[inline]
pub(super) fn list_of(seat: usize, drawn: impl Hash) -> u8 {
    (quick_hash((seat, drawn)) >> (u64::BITS - LISTS.trailing_zeros())) as u8
}

/// The place of a key in a row, if it has the key; the first of equal ones.
#[inline]
fn find(row: &[u32], key: u32) -> Option<usize> {
    let (chunks, rest) = row.as_chunks::<8>();
    for (number, chunk) in chunks.iter().enumerate() {
        // All eight are compared at once.
        if chunk.iter().fold(false, |found, other| found | (*other == key)) {
            return chunk.iter().position(|other| *other == key).map(|place| 8 * number + place);
        }
    }
    rest.iter().position(|other| *other == key).map(|place| 8 * chunks.len() + place)
}

/// The decisions of a simulation, listed by the seat and by what it had drawn.
pub(in crate::search) struct Decisions {
    /// By list, its last decision.
    last: [u32; LISTS],
    /// By decision, the one before it in its list, and the key of its action.
    entries: Vec<(u32, u32)>,
}

impl Default for Decisions {
    fn default() -> Decisions {
        Decisions { last: [NONE; LISTS], entries: Vec::new() }
    }
}

impl Decisions {
    /// Lists the plies.
    pub(in crate::search) fn list<A: Copy + Hash, O: Copy + Hash>(&mut self, plies: &[Ply<A, O>]) {
        let Decisions { last, entries } = self;
        last.fill(NONE);
        entries.clear();
        entries.extend(plies.iter().zip(0..).map(|(ply, number)| {
            let before = std::mem::replace(&mut last[usize::from(list_of(ply.seat, ply.drawn)) % LISTS], number);
            (before, key(ply.action))
        }));
    }
}

impl<Outcome: Copy + Hash> AmafColumns<Outcome> {
    /// Columns of a tree without nodes.
    pub(super) fn new() -> AmafColumns<Outcome> {
        let (nodes, keys, visits, sums, likeness) = Default::default();
        AmafColumns { nodes, keys, visits, sums, likeness }
    }

    /// Removes all nodes and keeps the memory.
    pub(super) fn clear(&mut self) {
        let AmafColumns { nodes, keys, visits, sums, likeness } = self;
        nodes.clear();
        keys.clear();
        visits.clear();
        sums.clear();
        likeness.clear();
    }

    /// Adds a node with a row of these actions.
    pub(super) fn add_node<Action: Copy + Hash>(&mut self, mover: usize, drawn: Option<Outcome>, actions: &[Action]) {
        let first = self.keys.len();
        self.keys.extend(actions.iter().map(|action| key(*action)));
        let bits = self.keys[first..].iter().fold(0, |bits, key| bits | bit(*key));
        self.nodes.push(AmafNode { drawn, list: list_of(mover, drawn), bits });
        self.visits.resize(self.keys.len(), 0.0);
        self.sums.resize(self.keys.len(), 0.0);
    }
}

impl<G: Game> SearchTree<G> {
    /// Visits and sums of rewards of a node's edges by all moves as first; empty if they are not counted.
    #[inline]
    pub(in crate::search) fn amaf(&self, node: usize) -> Amaf<'_> {
        let Node { first, count, .. } = self.node(node);
        match &self.amaf {
            Some(amaf) => Amaf { visits: &amaf.visits[first..first + count], sums: &amaf.sums[first..first + count] },
            None => Amaf::default(),
        }
    }

    /// Counts the moves that a node's seat made, from decision number `from` on, for the node's edges of the same
    /// actions.
    #[inline]
    pub(in crate::search) fn count_amaf(
        &mut self,
        node: usize,
        (plies, decisions): (&[PlyOf<G>], &Decisions),
        from: usize,
        reward: f64,
    ) {
        let Some(AmafColumns { nodes, keys, visits, sums, .. }) = &mut self.amaf else { return };
        let AmafNode { drawn, list, bits } = nodes[node];
        let mut next = decisions.last[usize::from(list) % LISTS];
        while next != NONE && next as usize >= from {
            let (before, key) = decisions.entries[next as usize];
            if bits & bit(key) != 0 {
                let ply = &plies[next as usize];
                let Node { mover, first, count, .. } = self.nodes[node].unpacked();
                if ply.seat == mover
                    && ply.drawn == drawn
                    && let Some(place) = find(&keys[first..first + count], key)
                {
                    // Another action may have the same key.
                    let row = &self.actions[first + place..first + count];
                    if let Some(further) = row.iter().position(|action| *action == ply.action) {
                        visits[first + place + further] += 1.0;
                        sums[first + place + further] += reward;
                    }
                }
            }
            next = before;
        }
    }

    /// Keeps what the actions of the newest node, at `state`, have in common with other moves.
    pub(in crate::search) fn add_likeness(
        &mut self,
        state: &G,
        (seat, drawn): (usize, Option<G::Outcome>),
        actions: &[G::Action],
    ) {
        if let Some(amaf) = &mut self.amaf {
            let each = actions.iter().map(|action| state.likeness(Ply { seat, drawn, action: *action }).unwrap_or(0));
            amaf.likeness.extend(each);
        }
    }

    /// As [`count_amaf`](SearchTree::count_amaf) by what the moves have in common. `moves` are seats and likenesses.
    pub(in crate::search) fn count_similar(&mut self, node: usize, moves: &[(usize, u32)], reward: f64) {
        let Node { mover, first, count, .. } = self.node(node);
        let Some(AmafColumns { visits, sums, likeness, .. }) = &mut self.amaf else { return };
        for (_, alike) in moves.iter().filter(|(seat, _)| *seat == mover) {
            for edge in first..first + count {
                if likeness[edge] == *alike {
                    visits[edge] += 1.0;
                    sums[edge] += reward;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Turn;
    use crate::game::slots::{Kind, Place, Slots};
    use evouct_base::sampling::below;
    use evouct_base::seed::{Key, search_rng};

    #[test]
    fn keys_are_found_by_hand() {
        let row: Vec<u32> = (0..21).map(|place| if place == 20 { 3 } else { place }).collect();
        for key in 0..20 {
            assert_eq!(find(&row, key), Some(key as usize));
        }
        assert_eq!((find(&row, 20), find(&row[20..], 3), find(&[], 0)), (None, Some(0), None));
    }

    /// The statistics of all nodes of random games are those of a search through all moves and all actions.
    #[test]
    fn every_move_is_counted_where_it_is_an_action() {
        let mut rng = search_rng(&mut Key::experiment(7).stream());
        let mut tree: SearchTree<Slots> = SearchTree::new();
        tree.clear(true);
        // By node: its seat, what was drawn, and its actions.
        let mut known: Vec<(usize, Option<Kind>, Vec<Place>)> = Vec::new();
        let mut decisions = Decisions::default();
        let (mut expected, mut counted) = (Vec::new(), 0.0);
        for reward in 1..40 {
            let mut state = Slots::new();
            while Game::turn(&state) != Turn::Terminal {
                match Game::turn(&state) {
                    Turn::Player(seat) => {
                        let mut actions = Vec::new();
                        state.actions(&mut actions);
                        if below(&mut rng, 40) == 0 {
                            tree.add_node(seat, state.drawn(), 0.0, &actions);
                            expected.resize(expected.len() + actions.len(), (0.0, 0.0));
                            known.push((seat, state.drawn(), actions.clone()));
                        }
                        Game::play(&mut state, actions[below(&mut rng, actions.len())]);
                    }
                    _ => drop(Game::sample(&mut state, &mut rng)),
                }
            }
            let plies = state.past().unwrap();
            decisions.list(&plies);
            let from = below(&mut rng, 30);
            let mut first = 0;
            for (node, (seat, drawn, actions)) in known.iter().enumerate() {
                tree.count_amaf(node, (&plies, &decisions), from, f64::from(reward));
                for ply in plies[from..].iter().filter(|ply| ply.seat == *seat && ply.drawn == *drawn) {
                    if let Some(place) = actions.iter().position(|action| *action == ply.action) {
                        let (visits, sum) = &mut expected[first + place];
                        (*visits, *sum) = (*visits + 1.0, *sum + f64::from(reward));
                        counted += 1.0;
                    }
                }
                first += actions.len();
            }
        }
        let amaf = tree.amaf.as_ref().unwrap();
        let found: Vec<(f64, f64)> = amaf.visits.iter().copied().zip(amaf.sums.iter().copied()).collect();
        assert_eq!(found, expected);
        assert!(counted > 50.0, "{counted} moves are counted");
        assert_eq!(tree.check_keys(amaf), Ok(()));
    }
}
