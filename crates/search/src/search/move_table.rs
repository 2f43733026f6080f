//! What a search learns of moves over all its simulations, for formulas: a table that each simulation adds to.
//!
//! - *History* (Schaeffer 1989; MAST: Finnsson and Björnsson 2008): rewards by move, of whatever position.
//! - *N-grams* (Stankiewicz 2011; Tak, Winands and Björnsson 2012): the same by the move and the one or two moves before it.
//! - *GRAVE* (Cazenave 2015): rewards of all moves as first, by node of the tree.
//! - *Last good reply* (Drake 2009, with forgetting: Baier and Drake 2010).
//!
//! Two moves are the same if the game says that they are alike ([`Game::likeness`]), else if seat and action are the same.

use super::hash::QuickMap;
use crate::game::at_once::has_won;
use crate::game::{Game, MAX_SEATS, Ply, PlyOf, Scores};
use std::fmt;
use std::hash::Hash;

/// The most entries of a map of sequences of moves, or of moves by node. What is new then is not counted there.
const MOST_ENTRIES: usize = 1 << 22;

/// What is left of a sequence of moves when it is forgotten.
const LEAST_COUNT: f64 = 1e-3;

/// The number of no move.
pub(super) const NO_MOVE: u32 = u32::MAX;

/// The number of a move that was never made.
const UNKNOWN: u32 = u32::MAX - 1;

/// A sum of rewards and their number.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub(super) struct Sum {
    pub rewards: f64,
    pub count: f64,
}

impl Sum {
    #[inline]
    pub(super) fn add(&mut self, reward: f64) {
        self.rewards += reward;
        self.count += 1.0;
    }

    /// 0 without rewards.
    #[inline]
    pub(super) fn mean(self) -> f64 {
        self.mean_or(0.0)
    }

    /// The mean, or this value without rewards.
    #[inline]
    pub(super) fn mean_or(self, value: f64) -> f64 {
        if self.count > 0.0 { self.rewards / self.count } else { value }
    }

    fn scale(&mut self, factor: f64) {
        self.rewards *= factor;
        self.count *= factor;
    }

    /// Scales it, and says whether it still counts.
    fn fades(&mut self, factor: f64) -> bool {
        self.scale(factor);
        self.count >= LEAST_COUNT
    }
}

/// What makes two moves the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Identity<Action> {
    Alike(usize, u32),
    Same(usize, Action),
}

/// What is learned.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(super) struct Lessons {
    /// By move.
    pub history: bool,
    /// By the move and the one before it.
    pub pairs: bool,
    /// By the move and the two before it.
    pub triples: bool,
    /// By node of the tree.
    pub nodes: bool,
    /// The replies that won last.
    pub replies: bool,
}

impl Lessons {
    /// Whether nothing is learned.
    pub(super) fn is_empty(self) -> bool {
        self == Lessons::default()
    }
}

/// The table.
#[derive(Clone)]
pub(super) struct MoveTable<G: Game> {
    lessons: Lessons,
    /// Moves by number, from 0.
    numbers: QuickMap<Identity<G::Action>, u32>,
    /// By seat: all simulations.
    all: [Sum; MAX_SEATS],
    /// By move.
    history: Vec<Sum>,
    /// By the move before and the move.
    pairs: QuickMap<[u32; 2], Sum>,
    /// By the two moves before, the older one first, and the move.
    triples: QuickMap<[u32; 3], Sum>,
    /// By node and move.
    nodes: QuickMap<[u32; 2], Sum>,
    /// By node: the simulations all of whose moves were counted there.
    simulations: Vec<u32>,
    /// By seat and last move.
    replies: QuickMap<[u32; 2], u32>,
    /// Memory.
    simulation: Vec<u32>,
}

impl<G: Game> Default for MoveTable<G> {
    fn default() -> MoveTable<G> {
        MoveTable {
            lessons: Lessons::default(),
            numbers: QuickMap::default(),
            all: [Sum::default(); MAX_SEATS],
            history: Vec::new(),
            pairs: QuickMap::default(),
            triples: QuickMap::default(),
            nodes: QuickMap::default(),
            simulations: Vec::new(),
            replies: QuickMap::default(),
            simulation: Vec::new(),
        }
    }
}

impl<G: Game> fmt::Debug for MoveTable<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MoveTable").field("lessons", &self.lessons).field("moves", &self.history.len()).finish()
    }
}

/// Adds a reward to an entry, unless it would be one too many. Whether it was added.
fn add<K: Hash + Eq>(map: &mut QuickMap<K, Sum>, key: K, reward: f64) -> bool {
    let has_room = map.len() < MOST_ENTRIES || map.contains_key(&key);
    if has_room {
        map.entry(key).or_default().add(reward);
    }
    has_room
}

impl<G: Game> MoveTable<G> {
    /// Begins a decision. What was learned before counts by the factor `keep`, 0 to 1; at 0 it is forgotten. The numbers
    /// of moves stay if the tree of the last decision does.
    pub(super) fn begin(&mut self, lessons: Lessons, keep: f64, is_continued: bool) {
        self.lessons = lessons;
        self.forget_nodes();
        if keep > 0.0 {
            self.all.iter_mut().chain(&mut self.history).for_each(|sum| sum.scale(keep));
            self.pairs.retain(|_, sum| sum.fades(keep));
            self.triples.retain(|_, sum| sum.fades(keep));
            return;
        }
        self.all = [Sum::default(); MAX_SEATS];
        self.pairs.clear();
        self.triples.clear();
        self.replies.clear();
        if is_continued {
            self.history.fill(Sum::default());
        } else {
            self.numbers.clear();
            self.history.clear();
        }
    }

    /// Forgets what was learned by node: the tree is another one.
    pub(super) fn forget_nodes(&mut self) {
        self.nodes.clear();
        self.simulations.clear();
    }

    /// The same for the nodes from this number on.
    pub(super) fn forget_nodes_from(&mut self, first: usize) {
        if self.simulations.len() > first {
            self.simulations.truncate(first);
            self.nodes.retain(|[node, _], _| (*node as usize) < first);
        }
    }

    /// The simulations through a node of which all moves were counted there.
    pub(super) fn simulations(&self, node: usize) -> u32 {
        self.simulations.get(node).copied().unwrap_or_default()
    }

    fn identity(state: &G, ply: PlyOf<G>) -> Identity<G::Action> {
        match state.likeness(ply) {
            Some(likeness) => Identity::Alike(ply.seat, likeness),
            None => Identity::Same(ply.seat, ply.action),
        }
    }

    /// The number of a move. `state` is any position of the game.
    pub(super) fn number(&mut self, state: &G, ply: PlyOf<G>) -> u32 {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(MoveTable::identity(state, ply)).or_insert(next);
        if number == next {
            self.history.push(Sum::default());
        }
        number
    }

    /// The number of a move; [`UNKNOWN`] if it was never made, [`NO_MOVE`] for none.
    pub(super) fn known(&self, state: &G, ply: Option<&PlyOf<G>>) -> u32 {
        let Some(ply) = ply else { return NO_MOVE };
        self.numbers.get(&MoveTable::identity(state, *ply)).copied().unwrap_or(UNKNOWN)
    }

    /// Learns from a simulation that ended in a position with these rewards by seat. It has the plies from number `first`
    /// on, and went through these nodes of the tree, the first of which decided the first of them.
    pub(super) fn learn(
        &mut self,
        end: &G,
        (plies, first): (&[PlyOf<G>], usize),
        nodes: impl Iterator<Item = usize>,
        rewards: &[f64; MAX_SEATS],
    ) {
        let begin = first.saturating_sub(2);
        let mut moves = std::mem::take(&mut self.simulation);
        moves.clear();
        moves.extend(plies[begin..].iter().map(|ply| self.number(end, *ply)));
        let (seats, lessons) = (end.seats(), self.lessons);
        self.all.iter_mut().zip(rewards).take(seats).for_each(|(all, reward)| all.add(*reward));
        let scores = if lessons.replies { end.scores() } else { Scores::default() };
        for (place, Ply { seat, .. }) in plies[begin..].iter().enumerate().skip(first - begin) {
            let (number, reward) = (moves[place], rewards[*seat]);
            let before = |back: usize| place.checked_sub(back).map_or(NO_MOVE, |place| moves[place]);
            self.history[number as usize].add(reward);
            if lessons.pairs {
                add(&mut self.pairs, [before(1), number], reward);
            }
            if lessons.triples {
                add(&mut self.triples, [before(2), before(1), number], reward);
            }
            if lessons.replies && before(1) != NO_MOVE {
                let situation = [*seat as u32, before(1)];
                if has_won(&scores, *seat, seats) {
                    if self.replies.len() < MOST_ENTRIES || self.replies.contains_key(&situation) {
                        self.replies.insert(situation, number);
                    }
                } else if (0..seats).any(|other| scores[other] > scores[*seat])
                    && self.replies.get(&situation) == Some(&number)
                {
                    self.replies.remove(&situation);
                }
            }
        }
        if lessons.nodes {
            for (depth, node) in nodes.enumerate() {
                let from = (first - begin + depth).min(moves.len());
                let mut is_whole = true;
                for (number, Ply { seat, .. }) in moves[from..].iter().zip(&plies[begin + from..]) {
                    is_whole &= add(&mut self.nodes, [node as u32, *number], rewards[*seat]);
                }
                if is_whole {
                    self.simulations.resize(self.simulations.len().max(node + 1), 0);
                    self.simulations[node] += 1;
                }
            }
        }
        self.simulation = moves;
    }

    /// Mean reward and count of a move of a seat over all simulations. A move that was not made has the mean of all
    /// simulations.
    pub(super) fn history(&self, seat: usize, number: u32) -> (f64, f64) {
        let sum = self.history.get(number as usize).copied().unwrap_or_default();
        (sum.mean_or(self.all[seat].mean()), sum.count)
    }

    /// The same after this move, shrunk to the history by two decisions.
    pub(super) fn after_one(&self, seat: usize, before: u32, number: u32) -> (f64, f64) {
        let (mean, _) = self.history(seat, number);
        shrunk(self.pairs.get(&[before, number]), mean)
    }

    /// The same after these two moves, the older one first, shrunk to what is so after the last by two decisions.
    pub(super) fn after_two(&self, seat: usize, [older, before]: [u32; 2], number: u32) -> (f64, f64) {
        let (mean, _) = self.after_one(seat, before, number);
        shrunk(self.triples.get(&[older, before, number]), mean)
    }

    /// Mean reward and count of a move as first below a node. A move that was not made there has that of its history.
    pub(super) fn below(&self, seat: usize, node: usize, number: u32) -> (f64, f64) {
        let sum = self.nodes.get(&[node as u32, number]).copied().unwrap_or_default();
        (sum.mean_or(self.history(seat, number).0), sum.count)
    }

    /// Whether a move is the last good reply of a seat to this move.
    pub(super) fn replies(&self, seat: usize, before: u32, number: u32) -> bool {
        self.replies.get(&[seat as u32, before]) == Some(&number)
    }
}

/// The mean of a sum and of two more rewards of this mean, and its count.
fn shrunk(sum: Option<&Sum>, mean: f64) -> (f64, f64) {
    let Sum { rewards, count } = sum.copied().unwrap_or_default();
    ((rewards + 2.0 * mean) / (count + 2.0), count)
}
