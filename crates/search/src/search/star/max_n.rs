//! max^n: each seat maximises its own value.

use super::settings::{ChanceSearch, StarSettings};
use super::walk::{FixedDepth, Walk};
use crate::game::{Game, Heuristic, MAX_SEATS, Turn};

/// Values by seat.
type Values = [f64; MAX_SEATS];

/// Relative difference up to which values count as equal: sums over chance are rounded.
const TIE: f64 = 1e-9;

/// A search of one decision by max^n.
pub(super) struct MaxN<'a, 'm, G: Game, H> {
    walk: Walk<'a, 'm, G, H>,
    seats: usize,
    searcher: usize,
    /// What all values keep to, if the search prunes.
    limits: Option<Limits>,
}

#[derive(Clone, Copy)]
struct Limits {
    lower: f64,
    upper: f64,
    /// The highest sum of the values of all seats, if one is known.
    sum: Option<f64>,
}

/// Of a node is asked how much more than `floor` it is worth to `seat`, the last one that decided above it.
#[derive(Clone, Copy)]
struct Question {
    seat: usize,
    floor: f64,
}

fn is_more(value: f64, than: f64) -> bool {
    than == f64::NEG_INFINITY || value > than + TIE * (1.0 + than.abs())
}

impl<'a, 'm, G: Game, H: Heuristic<G>> FixedDepth<'a, 'm, G, H> for MaxN<'a, 'm, G, H> {
    fn walk(&mut self) -> &mut Walk<'a, 'm, G, H> {
        &mut self.walk
    }

    fn action_value(&mut self, action: G::Action, best: f64, depth: u32) -> (f64, bool) {
        let seat = self.searcher;
        let asked = Question { seat, floor: self.floor(best) };
        self.values_of(0, action, asked, depth).map_or((best, true), |values| (values[seat], false))
    }

    fn is_better(value: f64, best: f64) -> bool {
        is_more(value, best)
    }
}

impl<'a, 'm, G: Game, H: Heuristic<G>> MaxN<'a, 'm, G, H> {
    /// A search from a position where `searcher` is to play.
    ///
    /// # Panics
    /// With probing or prediction.
    pub(super) fn new(
        walk: Walk<'a, 'm, G, H>,
        settings: StarSettings,
        root: &G,
        searcher: usize,
    ) -> MaxN<'a, 'm, G, H> {
        assert!(settings.prob_cut.is_none(), "chance nodes are predicted for two sides, found max^n");
        let (heuristic, seats) = (walk.heuristic, root.seats());
        let limits = match settings.chance {
            ChanceSearch::Expectimax => None,
            ChanceSearch::Star1 => {
                let leads = || (0..seats).map(|seat| heuristic.lead(root, seat).abs());
                let (lower, upper) = settings.bounds.around(|| leads().fold(0.0, f64::max));
                Some(Limits { lower, upper, sum: heuristic.most_in_total(seats) })
            }
            ChanceSearch::Star2(_) => panic!("probing is for two sides, found max^n"),
        };
        MaxN { walk, seats, searcher, limits }
    }

    /// What a value must be more than, if one of this size is known already.
    fn floor(&self, known: f64) -> f64 {
        if self.limits.is_some() { known } else { f64::NEG_INFINITY }
    }

    /// The values of an action, where `depth` plies are left, its own included; none if it is worth no more than what
    /// was asked for.
    #[inline]
    fn values_of(&mut self, at: usize, action: G::Action, asked: Question, depth: u32) -> Option<Values> {
        if depth > 1 {
            self.walk.descend(at).play(action);
            return self.after(at + 1, asked, depth - 1);
        }
        let (heuristic, mut values) = (self.walk.heuristic, [0.0; MAX_SEATS]);
        let (state, scratch) = self.walk.next(at);
        heuristic.values_after(state, action, scratch, &mut values[..self.seats]);
        Some(values)
    }

    /// The values of the position at a level, where `depth` plies are left, at least one.
    fn after(&mut self, at: usize, asked: Question, depth: u32) -> Option<Values> {
        match self.walk.levels[at].state.turn() {
            Turn::Player(seat) => self.decision(at, seat, asked, depth),
            Turn::Chance => {
                let outcomes = self.walk.take_outcomes(at);
                let values = if outcomes.is_empty() {
                    self.walk.finish(at);
                    Some(self.leaf(at + 1))
                } else {
                    self.chance(at, asked, depth, &outcomes)
                };
                self.walk.levels[at].outcomes = outcomes;
                values
            }
            Turn::Terminal => Some(self.leaf(at)),
        }
    }

    fn leaf(&self, at: usize) -> Values {
        let mut values = [0.0; MAX_SEATS];
        for (seat, value) in values.iter_mut().enumerate().take(self.seats) {
            *value = self.walk.heuristic.value(&self.walk.levels[at].state, seat);
        }
        values
    }

    fn decision(&mut self, at: usize, seat: usize, asked: Question, depth: u32) -> Option<Values> {
        let actions = self.walk.take_actions(at);
        // What the seat has above it has here as well.
        let mut known = if asked.seat == seat { asked.floor } else { f64::NEG_INFINITY };
        let mut best = None;
        for action in &actions {
            let floor = self.floor(known);
            let values = self.values_of(at, *action, Question { seat, floor }, depth);
            if let Some(values) = values.filter(|values| is_more(values[seat], known)) {
                (known, best) = (values[seat], Some(values));
            }
            if self.walk.is_stopped() {
                break;
            }
            let Some(limits) = self.limits else { continue };
            if asked.seat != seat && self.left_by(known, limits).is_some_and(|left| left <= asked.floor) {
                best = None;
                break;
            }
            if known >= limits.upper {
                break;
            }
        }
        self.walk.levels[at].ordered = actions;
        best
    }

    /// The most that a position may be worth to one seat if it is worth `known` to another.
    fn left_by(&self, known: f64, limits: Limits) -> Option<f64> {
        let others = self.seats.saturating_sub(2) as f64;
        limits.sum.map(|sum| sum - known - others * limits.lower)
    }

    fn chance(&mut self, at: usize, asked: Question, depth: u32, outcomes: &[(G::Outcome, u32)]) -> Option<Values> {
        let total: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
        let (mut sums, mut weight_left) = ([0.0; MAX_SEATS], total);
        for (outcome, weight) in outcomes {
            let chance = f64::from(*weight) / f64::from(total);
            weight_left -= weight;
            let floor = self.limits.map_or(f64::NEG_INFINITY, |limits| {
                let rest = limits.upper * f64::from(weight_left) / f64::from(total);
                (asked.floor - sums[asked.seat] - rest) / chance
            });
            // All values lie between the bounds, so none may be left to search for.
            if self.limits.is_some_and(|limits| floor >= limits.upper) {
                return None;
            }
            self.walk.descend(at).apply(*outcome);
            let values = self.after(at + 1, Question { floor, ..asked }, depth)?;
            if self.walk.stopped || values[asked.seat] <= floor {
                return None;
            }
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += chance * value;
            }
        }
        Some(sums)
    }
}
