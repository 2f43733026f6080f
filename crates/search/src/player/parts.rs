//! Monte Carlo Tree Search over the parts of actions as a player: one search for both, then the best first part and,
//! below it, the best second one (Müller 2014, Algorithm 5).

use super::contract::{Decision, Player, PlayerView};
use super::mcts::Mcts;
use crate::game::{Evaluation, FillMoveNumbers, Game, Part, Parts, PartsDeck, PartsLog, PartsPlayout, Playout};
use crate::search::{Child, Guidance, Observer, RewardRule, SearchProgress};
use std::sync::Arc;

/// A player of a game that searches in a tree of parts.
pub struct PartsMcts<G: Game + 'static, P> {
    search: Mcts<Parts<G>, PartsPlayout<P>>,
    /// The decisions of the game, of which those since the last one are found in its tree.
    log: PartsLog<G>,
}

/// The evaluation of the position before a second part.
#[derive(Debug)]
struct OfParts<E>(E);

impl<G: Game + 'static> Evaluation<Parts<G>> for OfParts<Arc<dyn Evaluation<G>>> {
    fn value(&self, state: &Parts<G>, seat: usize) -> f64 {
        self.0.value(state.whole(), seat)
    }

    fn bounds(&self, state: &Parts<G>) -> [f64; 2] {
        self.0.bounds(state.whole())
    }

    fn most_seats(&self) -> usize {
        self.0.most_seats()
    }
}

/// The statistics of parts as those of the actions that they stand for.
fn of_actions<A: Copy>(children: &[Child<Part<A>>]) -> Vec<Child<A>> {
    let of = |child: &Child<Part<A>>| Child::new(child.action.action(), child.visits, child.mean);
    children.iter().map(of).collect()
}

/// Shows a search over parts to an observer of actions.
struct OfActions<'a, A>(&'a dyn Observer<A>);

impl<A: Copy> Observer<Part<A>> for OfActions<'_, A> {
    fn look(&self, progress: &dyn Fn() -> SearchProgress<Part<A>>) {
        self.0.look(&|| {
            let SearchProgress { children, playouts, nodes, formula } = progress();
            SearchProgress { children: of_actions(&children), playouts, nodes, formula }
        });
    }
}

impl<G: Game + 'static, P: Playout<G>> PartsMcts<G, P> {
    /// The player that searches as `mcts` would, but in a tree of parts. `fill` computes the numbers of parts that the
    /// guidance uses.
    pub fn of(mcts: Mcts<G, P>, fill: FillMoveNumbers<Parts<G>>) -> PartsMcts<G, P> {
        let Guidance { untried, bias, prior, policy, widening, implicit, backup, leaf, final_move, numbers } =
            mcts.guidance;
        let numbers = numbers.map(|numbers| numbers.filled_by(fill));
        let guidance = Guidance { untried, bias, prior, policy, widening, implicit, backup, leaf, final_move, numbers };
        let rewards = mcts.rewards.map(|RewardRule { reward, evaluation, scale, bonus, finished }| {
            let evaluation =
                evaluation.map(|evaluation| Arc::new(OfParts(evaluation)) as Arc<dyn Evaluation<Parts<G>>>);
            RewardRule { reward, evaluation, scale, bonus, finished }
        });
        let (playout, trees) = (PartsPlayout(mcts.playout), 1 + mcts.others.len() as u32);
        let mut search = Mcts::new(mcts.selector, mcts.budget, playout, mcts.key).with_trees(trees);
        search.stream = mcts.stream;
        let search = search.with_settings(mcts.settings).with_guidance(guidance).with_rewards(rewards);
        PartsMcts { search, log: PartsLog::default() }
    }

    /// The second part that the search found best after a first one; by the default policy if it has not looked at any.
    fn second(&mut self, position: &PlayerView<G>, part: Part<G::Action>) -> G::Action {
        if let Some(second) = self.search.best_reply(part) {
            return second.action();
        }
        let mut actions = Vec::new();
        position.state.actions(&mut actions);
        actions.retain(|action| G::first_part(*action) == part.action());
        let PartsPlayout(playout) = self.search.playout.clone();
        playout.choose_among(position.state, &actions, &mut self.search.stream)
    }
}

impl<G: Game + 'static, P: Playout<G>> Player<G> for PartsMcts<G, P> {
    fn decide(&mut self, position: &PlayerView<G>) -> Decision<G::Action> {
        let state = Parts::of(position.state.clone());
        let log = position.known_log().map(|log| {
            self.log.catch_up(position.state, &log);
            self.log.parts()
        });
        let deck = PartsDeck(position.deck.clone());
        let PlayerView { turns_left, clock, limit, explain, common_random_numbers, threads, observer, .. } = *position;
        let seen = observer.map(OfActions);
        let observer = seen.as_ref().map(|seen| seen as &dyn Observer<_>);
        let (state, deck) = (&state, &deck);
        let decision = self.search.decide(&PlayerView {
            state,
            log: log.as_ref(),
            deck,
            turns_left,
            clock,
            limit,
            explain,
            terms: false,
            common_random_numbers,
            threads,
            observer,
        });
        let part = decision.action;
        let action = part.whole().unwrap_or_else(|| self.second(position, part));
        let considered = of_actions(&decision.considered);
        let Decision { playouts, nodes, evolution, .. } = decision;
        Decision { playouts, nodes, evolution, considered, ..Decision::of(action) }
    }

    fn check(&self) -> Result<(), String> {
        self.search.check()
    }

    fn settings(&self) -> String {
        format!("parts {}", self.search.settings())
    }
}
