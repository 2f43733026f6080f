//! What searches to a fixed depth share: their positions, the count of them, and the loop over the actions of the root.

use super::settings::StarSettings;
use crate::game::{Game, Heuristic, RANKS, Turn};
use crate::search::budget::Meter;
use crate::search::child::Child;
use crate::search::observer::{Observer, SearchProgress};
use std::cmp::Reverse;
use std::mem::take;

/// Nodes between two checks of the budget.
const PERIOD: u64 = 256;

/// What a search found.
#[derive(Clone, Debug)]
pub struct StarResult<Action> {
    /// The index of the action to play.
    pub best: usize,
    /// The actions in the order of the game. `mean` is the value of the last depth searched, `upper_bound` says whether
    /// it is a bound; `visits` is 1 for those searched, 0 otherwise. With
    /// [`Unprobed::Guess`](super::settings::Unprobed::Guess) values and bounds rest on guesses.
    pub children: Vec<Child<Action>>,
    /// Positions visited.
    pub nodes: u64,
    /// The last depth that was finished; 0 if none was.
    pub depth: u32,
}

/// The positions of a search in depth, the current one of each level.
pub(super) struct Walk<'a, 'm, G: Game, H> {
    pub heuristic: &'a H,
    pub levels: Vec<Level<G>>,
    pub nodes: u64,
    pub stopped: bool,
    meter: &'a mut Meter<'m>,
    /// Nodes counted by the meter.
    counted: u64,
    /// The actions at the root with what is known of them.
    children: Vec<Child<G::Action>>,
    observer: Option<&'a dyn Observer<G::Action>>,
}

pub(super) struct Level<G: Game> {
    pub state: G,
    /// In the order of the game.
    actions: Vec<G::Action>,
    /// The rank of each action.
    ranks: Vec<u8>,
    /// In the order of the search.
    pub ordered: Vec<G::Action>,
    pub outcomes: Vec<(G::Outcome, u32)>,
    pub probes: Vec<f64>,
}

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

/// A search of one decision to a fixed depth.
pub(super) trait FixedDepth<'a, 'm, G: Game, H: Heuristic<G>>
where
    'm: 'a,
    G::Action: 'a,
    H: 'a,
{
    fn walk(&mut self) -> &mut Walk<'a, 'm, G, H>;

    /// The value of an action at the root for the seat that searches, to this depth, and whether it is only an upper
    /// bound: no more than `best`, the value of the best action before it, need be known.
    fn action_value(&mut self, action: G::Action, best: f64, depth: u32) -> (f64, bool);

    /// Whether a value is so much higher than that of the best action before that the action takes its place.
    fn is_better(value: f64, best: f64) -> bool {
        value > best
    }

    /// Searches all actions of the root, once or depth by depth.
    fn decide(mut self, root: &G, settings: &StarSettings) -> StarResult<G::Action>
    where
        Self: Sized,
    {
        let walk = self.walk();
        walk.begin(root);
        let ordered = walk.take_actions(0);
        let actions = take(&mut walk.levels[0].actions);
        let place = |action: &G::Action| actions.iter().position(|other| other == action).unwrap_or(0);
        walk.children = actions.iter().map(|action| Child::new(*action, 0.0, 0.0)).collect();
        let mut order: Vec<usize> = ordered.iter().map(place).collect();
        let mut result = StarResult { best: order[0], children: Vec::new(), nodes: 0, depth: 0 };
        let first = if settings.deepening { 1 } else { settings.depth };
        for depth in first..=settings.depth {
            let mut best = f64::NEG_INFINITY;
            for index in &order {
                let (value, upper_bound) = self.action_value(actions[*index], best, depth);
                let walk = self.walk();
                if walk.stopped {
                    break;
                }
                walk.children[*index] = Child { upper_bound, ..Child::new(actions[*index], 1.0, value) };
                walk.show();
                if Self::is_better(value, best) {
                    (best, result.best) = (value, *index);
                }
            }
            if self.walk().stopped {
                break;
            }
            result.depth = depth;
            let best = order.iter().position(|index| *index == result.best).unwrap_or(0);
            order[..=best].rotate_right(1);
        }
        let walk = self.walk();
        walk.meter.count_many(walk.nodes - walk.counted);
        StarResult { nodes: walk.nodes, children: take(&mut walk.children), ..result }
    }
}

impl<'a, 'm, G: Game, H: Heuristic<G>> Walk<'a, 'm, G, H> {
    pub(super) fn new(heuristic: &'a H, meter: &'a mut Meter<'m>) -> Walk<'a, 'm, G, H> {
        Walk {
            heuristic,
            levels: Vec::new(),
            nodes: 0,
            stopped: false,
            meter,
            counted: 0,
            children: Vec::new(),
            observer: None,
        }
    }

    pub(super) fn with_observer(self, observer: Option<&'a dyn Observer<G::Action>>) -> Walk<'a, 'm, G, H> {
        Walk { observer, ..self }
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

    /// Makes a position that of the first level.
    pub(super) fn begin(&mut self, root: &G) {
        self.ensure(0, root);
        self.levels[0].state.clone_from(root);
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
    pub(super) fn next(&mut self, at: usize) -> (&G, &mut G) {
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
    pub(super) fn descend(&mut self, at: usize) -> &mut G {
        let (state, next) = self.next(at);
        next.clone_from(state);
        next
    }

    /// The actions at a level in the order of the search: by rank, equal ones in the order of the game. The caller gives
    /// them back to `ordered`.
    #[inline]
    pub(super) fn take_actions(&mut self, at: usize) -> Vec<G::Action> {
        let Level { state, actions, ranks, ordered, .. } = &mut self.levels[at];
        state.actions(actions);
        sort_by_rank(self.heuristic, state, actions, ranks, ordered);
        take(ordered)
    }

    /// The outcomes of chance at a level, the most likely first: they narrow the window most. The caller gives them back
    /// to `outcomes`.
    #[inline]
    pub(super) fn take_outcomes(&mut self, at: usize) -> Vec<(G::Outcome, u32)> {
        let Level { state, outcomes, .. } = &mut self.levels[at];
        let mut outcomes = take(outcomes);
        state.live_outcomes(&mut outcomes);
        outcomes.sort_by_key(|(_, weight)| Reverse(*weight));
        outcomes
    }

    /// Makes the next level the end of a game without further decisions: chance outcomes are applied until it is there.
    pub(super) fn finish(&mut self, at: usize) {
        let state = self.descend(at);
        let mut outcomes = Vec::new();
        while state.turn() == Turn::Chance {
            state.outcomes(&mut outcomes);
            let Some((outcome, _)) = outcomes.first() else { break };
            state.apply(*outcome);
        }
    }

    /// Whether the budget is spent.
    #[inline]
    pub(super) fn is_stopped(&mut self) -> bool {
        if self.nodes - self.counted >= PERIOD {
            self.meter.count_many(self.nodes - self.counted);
            self.counted = self.nodes;
            self.stopped |= !self.meter.allows();
            self.show();
        }
        self.stopped
    }
}
