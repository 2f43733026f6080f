//! Expectimax and the *-minimax family: exact search over chance to a fixed depth, in negamax form, for two seats.
//!
//! Ballard (1983); for unequal chances as in Heyden (2009), chapter 5. Let a chance node have successors with
//! probabilities `P_i`, of which the first `i − 1` are searched with values `V_j`, and let all values lie between `L`
//! and `U`. With `X_i = Σ_{j<i} P_j·V_j` and `Y_i = Σ_{j>i} P_j` the window of successor `i` for the node's window (α,
//! β) is
//!
//! ```text
//! A_i = (α − X_i − U·Y_i) / P_i        B_i = (β − X_i − L·Y_i) / P_i
//! ```
//!
//! and a value outside it settles the node (Star1). Star2 first *probes* one action of every successor: what it finds
//! are lower bounds `w_j` instead of `L`, `B_i = (β − X_i − Σ_{j>i} P_j·w_j) / P_i`. Star2.5 probes several: all of one
//! successor before the next (sequential), or one of each in turn (cyclic). Pruning changes no value as long as every
//! leaf lies between `L` and `U`; bounds that are narrower change the result.
//!
//! Star2 and Star2.5 as Valdez Ameneyro et al. (2020, II-D) and Galván et al. (2022, IV-F) print them *guess* after
//! probing: the actions that were not probed are given the worst value of those that were, so each successor counts as
//! the best of its probed actions. The weighted sum of these values settles the node if it is outside the window, above
//! or below; inside it the successors are searched as by Star1. What settles from below is no bound, so guessing
//! changes values ([`Unprobed::Guess`]).
//!
//! A ply is an action; chance does not count. A leaf is evaluated right after its action. Positions after an action and
//! after a draw count as nodes.

mod settings;
mod window;

pub use settings::{Bounds, ChanceSearch, Probing, StarSettings, Unprobed};

use super::budget::Meter;
use super::child::Child;
use super::observer::{Observer, SearchProgress};
use crate::game::{Game, Heuristic, RANKS, Turn};
use std::cmp::Reverse;
use std::mem::take;
use std::ops::Range;
use window::{Rest, Window};

/// What a search found.
#[derive(Clone, Debug)]
pub struct StarResult<Action> {
    /// The index of the action to play.
    pub best: usize,
    /// The actions in the order of the game. `mean` is the value of the last depth searched, `upper_bound` says whether
    /// it is a bound; `visits` is 1 for those searched, 0 otherwise. With [`Unprobed::Guess`] values and bounds rest on
    /// guesses.
    pub children: Vec<Child<Action>>,
    /// Positions visited.
    pub nodes: u64,
    /// The last depth that was finished; 0 if none was.
    pub depth: u32,
}

/// A search for one decision.
pub struct Star<'a, 'm, G: Game, H> {
    heuristic: &'a H,
    settings: StarSettings,
    meter: &'a mut Meter<'m>,
    /// The seat that searches: positions are evaluated from its view.
    searcher: usize,
    lower: f64,
    upper: f64,
    levels: Vec<Level<G>>,
    nodes: u64,
    /// Nodes counted by the meter.
    counted: u64,
    stopped: bool,
    /// The actions at the root with what is known of them.
    children: Vec<Child<G::Action>>,
    observer: Option<&'a dyn Observer<G::Action>>,
}

struct Level<G: Game> {
    state: G,
    /// In the order of the game.
    actions: Vec<G::Action>,
    /// The rank of each action.
    ranks: Vec<u8>,
    /// In the order of the search.
    ordered: Vec<G::Action>,
    outcomes: Vec<(G::Outcome, u32)>,
    probes: Vec<f64>,
}

/// All actions of a decision.
const ALL: Range<usize> = 0..usize::MAX;
/// Nodes between two checks of the budget.
const PERIOD: u64 = 256;

/// Sorts actions by rank, equal ones in the order of the game.
#[inline]
fn sort_by_rank<G: Game, H: Heuristic<G>>(
    heuristic: &H,
    state: &G,
    actions: &[G::Action],
    ranks: &mut Vec<u8>,
    sorted: &mut Vec<G::Action>,
) {
    sorted.clear();
    let Some(first) = actions.first() else { return };
    sorted.resize(actions.len(), *first);
    let mut places = [0; RANKS];
    ranks.clear();
    ranks.extend(actions.iter().map(|action| {
        let rank = heuristic.rank(state, *action);
        places[rank] += 1;
        rank as u8
    }));
    let mut place = 0;
    for count in &mut places {
        (place, *count) = (place + *count, place);
    }
    for (action, rank) in actions.iter().zip(&*ranks) {
        let place = &mut places[usize::from(*rank)];
        sorted[*place] = *action;
        *place += 1;
    }
}

impl<'a, 'm, G: Game, H: Heuristic<G>> Star<'a, 'm, G, H> {
    /// A search with these options. The meter's iterations are nodes; a search without deepening that runs out of them
    /// plays the best action it has seen.
    pub fn new(heuristic: &'a H, settings: StarSettings, meter: &'a mut Meter<'m>) -> Star<'a, 'm, G, H> {
        Star {
            heuristic,
            settings,
            meter,
            searcher: 0,
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            levels: Vec::new(),
            nodes: 0,
            counted: 0,
            stopped: false,
            children: Vec::new(),
            observer: None,
        }
    }

    /// The same search, seen by this observer.
    pub fn with_observer(self, observer: Option<&'a dyn Observer<G::Action>>) -> Star<'a, 'm, G, H> {
        Star { observer, ..self }
    }

    fn show(&self) {
        if let Some(observer) = self.observer {
            observer.look(&|| SearchProgress {
                children: self.children.clone(),
                playouts: 0,
                nodes: self.nodes,
                formula: None,
            });
        }
    }

    /// Searches from a position where one of two seats is to play.
    ///
    /// # Panics
    /// If no seat is to play at the root.
    pub fn search(mut self, root: &G) -> StarResult<G::Action> {
        let Turn::Player(mover) = root.turn() else { panic!("the root must be a position in which a seat is to play") };
        (self.lower, self.upper) = match self.settings.bounds {
            Bounds::Fixed { lower, upper } => (lower, upper),
            Bounds::Dynamic { margin } => {
                let most = self.heuristic.lead(root, mover).abs() + margin;
                (-most, most)
            }
            Bounds::SignedLead { margin } => {
                let most = self.heuristic.lead(root, mover) + margin;
                (-most, most)
            }
        };
        self.searcher = mover;
        self.ensure(0, root);
        self.levels[0].state.clone_from(root);
        let (mut actions, mut ordered) = (Vec::new(), Vec::new());
        root.actions(&mut actions);
        sort_by_rank(self.heuristic, root, &actions, &mut Vec::new(), &mut ordered);
        let place = |action: &G::Action| actions.iter().position(|other| other == action).unwrap_or(0);
        self.children = actions.iter().map(|action| Child::new(*action, 0.0, 0.0)).collect();
        let mut order: Vec<usize> = ordered.iter().map(place).collect();
        let mut result = StarResult { best: order[0], children: Vec::new(), nodes: 0, depth: 0 };
        let first = if self.settings.deepening { 1 } else { self.settings.depth };
        for depth in first..=self.settings.depth {
            let mut alpha = f64::NEG_INFINITY;
            for index in &order {
                let floor = if self.settings.chance == ChanceSearch::Expectimax { f64::NEG_INFINITY } else { alpha };
                let value = self.value_of(0, actions[*index], mover, (floor, f64::INFINITY), depth);
                if self.stopped {
                    break;
                }
                // A value at the end of the window is a bound; below it are leaves, which have no window.
                let upper_bound = depth > 1 && value == floor;
                self.children[*index] = Child { upper_bound, ..Child::new(actions[*index], 1.0, value) };
                self.show();
                if value > alpha {
                    (alpha, result.best) = (value, *index);
                }
            }
            if self.stopped {
                break;
            }
            result.depth = depth;
            let best = order.iter().position(|index| *index == result.best).unwrap_or(0);
            order[..=best].rotate_right(1);
        }
        self.meter.count_many(self.nodes - self.counted);
        StarResult { nodes: self.nodes, children: self.children, ..result }
    }

    fn ensure(&mut self, level: usize, like: &G) {
        while self.levels.len() <= level {
            let level = Level {
                state: like.clone(),
                actions: Vec::new(),
                ranks: Vec::new(),
                ordered: Vec::new(),
                outcomes: Vec::new(),
                probes: Vec::new(),
            };
            self.levels.push(level);
        }
    }

    /// The position of a level and that of the next, which the caller overwrites. Counts a node.
    #[inline]
    fn next(&mut self, at: usize) -> (&G, &mut G) {
        if self.levels.len() == at + 1 {
            let like = self.levels[at].state.clone();
            self.ensure(at + 1, &like);
        }
        self.nodes += 1;
        let (above, below) = self.levels.split_at_mut(at + 1);
        (&above[at].state, &mut below[0].state)
    }

    /// Copies the position of a level to the next, and counts it.
    #[inline]
    fn descend(&mut self, at: usize) -> &mut G {
        let (state, next) = self.next(at);
        next.clone_from(state);
        next
    }

    /// The value of an action for `view`, where `depth` plies are left, its own included. Exact inside the window, a
    /// bound outside.
    #[inline]
    fn value_of(&mut self, at: usize, action: G::Action, view: usize, (alpha, beta): (f64, f64), depth: u32) -> f64 {
        if depth > 1 {
            self.descend(at).play(action);
            return self.after(at + 1, view, alpha, beta, depth - 1);
        }
        // Most nodes are leaves, and of a leaf only the value is needed.
        let (heuristic, searcher) = (self.heuristic, self.searcher);
        let (state, scratch) = self.next(at);
        let value = heuristic.value_after(state, action, scratch, searcher);
        if view == searcher { value } else { -value }
    }

    /// Whether the budget is spent.
    #[inline]
    fn is_stopped(&mut self) -> bool {
        if self.nodes - self.counted >= PERIOD {
            self.meter.count_many(self.nodes - self.counted);
            self.counted = self.nodes;
            self.stopped |= !self.meter.allows();
            self.show();
        }
        self.stopped
    }

    /// The value for `view` of the position at a level, where `depth` plies are left, at least one. Exact inside the
    /// window, a bound outside.
    #[inline]
    fn after(&mut self, at: usize, view: usize, alpha: f64, beta: f64, depth: u32) -> f64 {
        match self.levels[at].state.turn() {
            Turn::Player(seat) => self.decision_for(at, (seat, view), (alpha, beta), depth, ALL),
            Turn::Chance => self.chance_for(at, view, alpha, beta, depth),
            Turn::Terminal => self.leaf(at, view),
        }
    }

    #[inline]
    fn leaf(&self, at: usize, view: usize) -> f64 {
        let value = self.heuristic.value(&self.levels[at].state, self.searcher);
        if view == self.searcher { value } else { -value }
    }

    /// A decision's value for `view`, whichever seat decides.
    #[inline]
    fn decision_for(
        &mut self,
        at: usize,
        (seat, view): (usize, usize),
        (alpha, beta): (f64, f64),
        depth: u32,
        tried: Range<usize>,
    ) -> f64 {
        if seat == view {
            self.decision(at, view, (alpha, beta), depth, tried)
        } else {
            -self.decision(at, seat, (-beta, -alpha), depth, tried)
        }
    }

    /// The value of a decision for the seat that decides, over some of its actions.
    fn decision(&mut self, at: usize, seat: usize, (alpha, beta): (f64, f64), depth: u32, tried: Range<usize>) -> f64 {
        let prunes = self.settings.chance != ChanceSearch::Expectimax;
        let Level { state, actions, ranks, ordered, .. } = &mut self.levels[at];
        state.actions(actions);
        sort_by_rank(self.heuristic, state, actions, ranks, ordered);
        let actions = take(ordered);
        let mut best = if prunes { alpha } else { f64::NEG_INFINITY };
        for action in &actions[tried.start.min(actions.len())..tried.end.min(actions.len())] {
            let floor = if prunes { best } else { f64::NEG_INFINITY };
            let value = self.value_of(at, *action, seat, (floor, beta), depth);
            best = best.max(value);
            if (prunes && best >= beta) || self.is_stopped() {
                break;
            }
        }
        self.levels[at].ordered = actions;
        if prunes { best.min(beta) } else { best }
    }

    /// A chance node's value for `view`, searched from the view of the seat that decides next: probing finds lower
    /// bounds for that seat.
    fn chance_for(&mut self, at: usize, view: usize, alpha: f64, beta: f64, depth: u32) -> f64 {
        let Level { state, outcomes, .. } = &mut self.levels[at];
        let mut outcomes = take(outcomes);
        state.live_outcomes(&mut outcomes);
        // The most likely first: they narrow the window most.
        outcomes.sort_by_key(|(_, weight)| Reverse(*weight));
        let next = outcomes.first().map_or(view, |(outcome, _)| {
            self.descend(at).apply(*outcome);
            self.nodes -= 1;
            if let Turn::Player(seat) = self.levels[at + 1].state.turn() { seat } else { view }
        });
        let value = match &outcomes[..] {
            [] => self.ending(at, view),
            _ if next == view => self.chance(at, next, (alpha, beta), depth, &outcomes),
            _ => -self.chance(at, next, (-beta, -alpha), depth, &outcomes),
        };
        self.levels[at].outcomes = outcomes;
        value
    }

    /// The value of a position without further decisions: chance outcomes are applied until the game ends.
    fn ending(&mut self, at: usize, view: usize) -> f64 {
        let state = self.descend(at);
        let mut outcomes = Vec::new();
        while state.turn() == Turn::Chance {
            state.outcomes(&mut outcomes);
            let Some((outcome, _)) = outcomes.first() else { break };
            state.apply(*outcome);
        }
        self.leaf(at + 1, view)
    }

    fn chance(
        &mut self,
        at: usize,
        view: usize,
        (alpha, beta): (f64, f64),
        depth: u32,
        outcomes: &[(G::Outcome, u32)],
    ) -> f64 {
        let total: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
        let chances = |index: usize| f64::from(outcomes[index].1) / f64::from(total);
        let open = (f64::NEG_INFINITY, f64::INFINITY);
        if self.settings.chance == ChanceSearch::Expectimax {
            let mut value = 0.0;
            for (index, (outcome, _)) in outcomes.iter().enumerate() {
                value += chances(index) * self.successor(at, *outcome, view, open, depth, ALL);
                if self.stopped {
                    break;
                }
            }
            return value;
        }
        let (lower, upper) = (self.lower, self.upper);
        // All values lie between the bounds, so the window may settle the node at once.
        if alpha >= upper {
            return alpha;
        }
        if beta <= lower {
            return beta;
        }
        let mut probes = take(&mut self.levels[at].probes);
        probes.clear();
        probes.resize(outcomes.len(), lower);
        let settled = match self.settings.chance {
            ChanceSearch::Star2(Probing { factor, unprobed: Unprobed::Guess, .. }) => {
                self.guess(at, view, (alpha, beta), depth, outcomes, factor)
            }
            ChanceSearch::Star2(probing) => {
                self.probe(at, view, (alpha, beta), depth, outcomes, (probing, &mut probes))
            }
            _ => None,
        };
        let value = settled.unwrap_or_else(|| {
            let (mut known, mut weight_left) = (0.0, total);
            let mut probed: f64 = (0..outcomes.len()).map(|index| chances(index) * probes[index]).sum();
            for (index, (outcome, weight)) in outcomes.iter().enumerate() {
                let chance = chances(index);
                weight_left -= weight;
                probed -= chance * probes[index];
                let rest = Rest { worst: probed, best: upper * f64::from(weight_left) / f64::from(total) };
                let window = Window::of((alpha, beta), known, rest, chance);
                let value = self.successor(at, *outcome, view, window.within(lower, upper), depth, ALL);
                if self.stopped {
                    return alpha;
                }
                if value >= window.beta {
                    return beta;
                }
                if value <= window.alpha {
                    return alpha;
                }
                known += chance * value;
            }
            known
        });
        self.levels[at].probes = probes;
        value
    }

    /// Finds lower bounds of the successors; returns β if they settle the node.
    fn probe(
        &mut self,
        at: usize,
        view: usize,
        (alpha, beta): (f64, f64),
        depth: u32,
        outcomes: &[(G::Outcome, u32)],
        (Probing { factor, cyclic, .. }, probes): (Probing, &mut [f64]),
    ) -> Option<f64> {
        let (lower, upper) = (self.lower, self.upper);
        let total: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
        let mut sum = lower;
        let rounds = if cyclic { factor } else { 1 };
        for round in 0..rounds {
            let tried = if cyclic { round..round + 1 } else { 0..factor };
            for (index, (outcome, weight)) in outcomes.iter().enumerate() {
                let chance = f64::from(*weight) / f64::from(total);
                let others = sum - chance * probes[index];
                // A successor no better than this alpha settles the node from below, whatever the values of the others.
                // Using it as a lower bound then cannot settle the node from above.
                let rest = Rest { worst: others, best: upper * (1.0 - chance) };
                let window = Window::of((alpha, beta), 0.0, rest, chance);
                let value = self.successor(at, *outcome, view, window.within(lower, upper), depth, tried.clone());
                if self.stopped {
                    return Some(alpha);
                }
                if value >= window.beta {
                    return Some(beta);
                }
                probes[index] = probes[index].max(value);
                sum = others + chance * probes[index];
            }
        }
        None
    }

    /// Guesses the value of a chance node from the first `factor` actions of each successor; returns α or β if the
    /// guess is not between them. The probed actions are searched with the window of the bounds, because the guess
    /// needs their values.
    fn guess(
        &mut self,
        at: usize,
        view: usize,
        (alpha, beta): (f64, f64),
        depth: u32,
        outcomes: &[(G::Outcome, u32)],
        factor: usize,
    ) -> Option<f64> {
        let bounds = (self.lower, self.upper);
        let total: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
        let mut sum = 0.0;
        for (outcome, weight) in outcomes {
            let value = self.successor(at, *outcome, view, bounds, depth, 0..factor);
            if self.stopped {
                return Some(alpha);
            }
            sum += value * f64::from(*weight);
        }
        let guess = sum / f64::from(total);
        if guess >= beta {
            Some(beta)
        } else if guess <= alpha {
            Some(alpha)
        } else {
            None
        }
    }

    /// The value for `view` of what follows an outcome, over some of the actions there. If some of the actions give no
    /// lower bound for `view`, the bound is `L`; a guess needs none.
    fn successor(
        &mut self,
        at: usize,
        outcome: G::Outcome,
        view: usize,
        window: (f64, f64),
        depth: u32,
        tried: Range<usize>,
    ) -> f64 {
        self.descend(at).apply(outcome);
        let any_will_do = || {
            let guesses = |probing: Probing| probing.unprobed == Unprobed::Guess;
            tried == ALL || matches!(self.settings.chance, ChanceSearch::Star2(probing) if guesses(probing))
        };
        match self.levels[at + 1].state.turn() {
            Turn::Player(seat) if seat == view || any_will_do() => {
                self.decision_for(at + 1, (seat, view), window, depth, tried)
            }
            Turn::Chance if any_will_do() => self.chance_for(at + 1, view, window.0, window.1, depth),
            Turn::Terminal => self.leaf(at + 1, view),
            _ => self.lower,
        }
    }
}
