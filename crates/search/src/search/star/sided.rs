//! Expectimax and *-minimax between two sides, in negamax form: the seat that searches, and all others against it.

use super::prob_cut::ChanceProbCut;
use super::settings::{ChanceSearch, Probing, StarSettings, Unprobed};
use super::walk::{FixedDepth, Walk};
use super::window::{Rest, Window};
use crate::game::{Game, Heuristic, Turn};
use std::mem::take;
use std::ops::Range;

/// A search of one decision between two sides. A side is named by a seat: its own, or that of the first opponent.
pub(super) struct Sided<'a, 'm, G: Game, H> {
    walk: Walk<'a, 'm, G, H>,
    settings: StarSettings,
    /// The seat that searches: positions are evaluated from its view.
    searcher: usize,
    /// The first of its opponents, who stands for all of them.
    opponent: usize,
    lower: f64,
    upper: f64,
    /// Whether a chance node is being predicted: the search below is not.
    predicting: bool,
}

/// All actions of a decision.
const ALL: Range<usize> = 0..usize::MAX;

impl<'a, 'm, G: Game, H: Heuristic<G>> FixedDepth<'a, 'm, G, H> for Sided<'a, 'm, G, H> {
    fn walk(&mut self) -> &mut Walk<'a, 'm, G, H> {
        &mut self.walk
    }

    fn action_value(&mut self, action: G::Action, best: f64, depth: u32) -> (f64, bool) {
        let floor = if self.settings.chance == ChanceSearch::Expectimax { f64::NEG_INFINITY } else { best };
        let value = self.value_of(0, action, self.searcher, (floor, f64::INFINITY), depth);
        // A value at the end of the window is a bound; below it are leaves, which have no window.
        (value, depth > 1 && value == floor)
    }
}

impl<'a, 'm, G: Game, H: Heuristic<G>> Sided<'a, 'm, G, H> {
    /// A search from a position where `searcher` is to play.
    pub(super) fn new(
        walk: Walk<'a, 'm, G, H>,
        settings: StarSettings,
        root: &G,
        searcher: usize,
    ) -> Sided<'a, 'm, G, H> {
        let (lower, upper) = settings.bounds.around(|| walk.heuristic.lead(root, searcher));
        let opponent = (searcher + 1) % root.seats();
        Sided { walk, settings, searcher, opponent, lower, upper, predicting: false }
    }

    /// See [`Star::chance_values`](super::Star::chance_values).
    pub(super) fn chance_values(mut self, root: &G, reduction: u32, most: usize) -> Vec<(f64, f64)> {
        self.walk.begin(root);
        let actions = self.walk.take_actions(0);
        let (mut pairs, depth) = (Vec::new(), self.settings.depth - 1);
        for action in actions.iter().step_by(actions.len().div_ceil(most.max(1)).max(1)) {
            self.walk.descend(0).play(*action);
            if self.walk.levels[1].state.turn() != Turn::Chance {
                continue;
            }
            let outcomes = self.walk.take_outcomes(1);
            let Some(next) = self.next_side(1, &outcomes) else { continue };
            let open = (f64::NEG_INFINITY, f64::INFINITY);
            let [shallow, deep] = [depth - reduction, depth].map(|depth| self.chance(1, next, open, depth, &outcomes));
            if self.walk.stopped {
                break;
            }
            pairs.push((shallow, deep));
        }
        pairs
    }

    /// The side of a seat.
    #[inline]
    fn side(&self, seat: usize) -> usize {
        if seat == self.searcher { seat } else { self.opponent }
    }

    /// The value of an action for `view`, where `depth` plies are left, its own included. Exact inside the window, a
    /// bound outside.
    #[inline]
    fn value_of(&mut self, at: usize, action: G::Action, view: usize, (alpha, beta): (f64, f64), depth: u32) -> f64 {
        if depth > 1 {
            self.walk.descend(at).play(action);
            return self.after(at + 1, view, alpha, beta, depth - 1);
        }
        // Most nodes are leaves, and of a leaf only the value is needed.
        let (heuristic, searcher) = (self.walk.heuristic, self.searcher);
        let (state, scratch) = self.walk.next(at);
        let value = heuristic.value_after(state, action, scratch, searcher);
        if view == searcher { value } else { -value }
    }

    /// The value for `view` of the position at a level, where `depth` plies are left, at least one. Exact inside the
    /// window, a bound outside.
    #[inline]
    fn after(&mut self, at: usize, view: usize, alpha: f64, beta: f64, depth: u32) -> f64 {
        match self.walk.levels[at].state.turn() {
            Turn::Player(seat) => self.decision_for(at, (self.side(seat), view), (alpha, beta), depth, ALL),
            Turn::Chance => self.chance_for(at, view, alpha, beta, depth),
            Turn::Terminal => self.leaf(at, view),
        }
    }

    #[inline]
    fn leaf(&self, at: usize, view: usize) -> f64 {
        let value = self.walk.heuristic.value(&self.walk.levels[at].state, self.searcher);
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
        let actions = self.walk.take_actions(at);
        let mut best = if prunes { alpha } else { f64::NEG_INFINITY };
        for action in &actions[tried.start.min(actions.len())..tried.end.min(actions.len())] {
            let floor = if prunes { best } else { f64::NEG_INFINITY };
            let value = self.value_of(at, *action, seat, (floor, beta), depth);
            best = best.max(value);
            if (prunes && best >= beta) || self.walk.is_stopped() {
                break;
            }
        }
        self.walk.levels[at].ordered = actions;
        if prunes { best.min(beta) } else { best }
    }

    /// A chance node's value for `view`, searched from the view of the seat that decides next: probing finds lower
    /// bounds for that seat.
    fn chance_for(&mut self, at: usize, view: usize, alpha: f64, beta: f64, depth: u32) -> f64 {
        let outcomes = self.walk.take_outcomes(at);
        let next = self.next_side(at, &outcomes).unwrap_or(view);
        let value = match &outcomes[..] {
            [] => {
                self.walk.finish(at);
                self.leaf(at + 1, view)
            }
            _ if next == view => self.chance(at, next, (alpha, beta), depth, &outcomes),
            _ => -self.chance(at, next, (-beta, -alpha), depth, &outcomes),
        };
        self.walk.levels[at].outcomes = outcomes;
        value
    }

    /// The side that decides after the first of these outcomes, if a seat decides there.
    fn next_side(&mut self, at: usize, outcomes: &[(G::Outcome, u32)]) -> Option<usize> {
        let (outcome, _) = outcomes.first()?;
        self.walk.descend(at).apply(*outcome);
        self.walk.nodes -= 1;
        match self.walk.levels[at + 1].state.turn() {
            Turn::Player(seat) => Some(self.side(seat)),
            _ => None,
        }
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
                if self.walk.stopped {
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
        if let Some(cut) = self.settings.prob_cut.filter(|cut| !self.predicting && depth > cut.reduction)
            && let Some(value) = self.predict(at, view, (alpha, beta), depth, outcomes, cut)
        {
            return value;
        }
        let mut probes = take(&mut self.walk.levels[at].probes);
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
                if self.walk.stopped {
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
        self.walk.levels[at].probes = probes;
        value
    }

    /// Searches a chance node to a smaller depth; returns α or β if what this predicts settles the node.
    fn predict(
        &mut self,
        at: usize,
        view: usize,
        (alpha, beta): (f64, f64),
        depth: u32,
        outcomes: &[(G::Outcome, u32)],
        cut: ChanceProbCut,
    ) -> Option<f64> {
        let (below, above) = cut.window((alpha, beta), (self.lower, self.upper));
        if below == f64::NEG_INFINITY && above == f64::INFINITY {
            return None;
        }
        self.predicting = true;
        let value = self.chance(at, view, (below, above), depth - cut.reduction, outcomes);
        self.predicting = false;
        if self.walk.stopped || value <= below {
            Some(alpha)
        } else if value >= above {
            Some(beta)
        } else {
            None
        }
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
                if self.walk.stopped {
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
            if self.walk.stopped {
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
        self.walk.descend(at).apply(outcome);
        let any_will_do = || {
            let guesses = |probing: Probing| probing.unprobed == Unprobed::Guess;
            tried == ALL || matches!(self.settings.chance, ChanceSearch::Star2(probing) if guesses(probing))
        };
        match self.walk.levels[at + 1].state.turn() {
            Turn::Player(seat) if self.side(seat) == view || any_will_do() => {
                self.decision_for(at + 1, (self.side(seat), view), window, depth, tried)
            }
            Turn::Chance if any_will_do() => self.chance_for(at + 1, view, window.0, window.1, depth),
            Turn::Terminal => self.leaf(at + 1, view),
            _ => self.lower,
        }
    }
}
