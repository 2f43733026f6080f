//! Flat Monte Carlo: playouts after each legal action, without a tree.
//!
//! An action may be made of two decisions ([`Game::first_part`]): in Carcassonne a placement, then a meeple. [`Shares`]
//! says how the playouts are shared among actions; the one with the highest mean reward is played.

use super::budget::Meter;
use super::child::Child;
use super::observer::{Observer, SearchProgress};
use super::policy::{Choice, Uct};
use super::rave::Amaf;
use super::reward::Reward;
use super::reward_rule::{RewardRule, RewardSource};
use crate::game::{Game, MoveLog, Playout, Turn};
use evouct_base::sampling::{below, first_highest, shuffle};
use evouct_base::seed::SearchRng;

/// How playouts are shared among the actions.
#[derive(Clone, Copy, Debug)]
pub enum Shares {
    /// Equally over all actions (Heyden 2009, chapter 4).
    Equal,
    /// Over random actions, each playout after one that is drawn for it (Müller, 5.1.3, Monte Carlo Player 2).
    Random,
    /// Two searches: two thirds of the budget equally over the first decisions, the second drawn at random, then what
    /// is left equally over the second decisions of the best first one (Müller, 5.1.2). Without a second decision the
    /// last third is not used.
    Split,
    /// By UCB over the first decisions, then over the second ones (Müller, 5.1.4).
    Ucb(Uct),
}

/// A flat search for one decision.
pub struct Flat<'a, G: Game, P> {
    root: &'a G,
    mover: usize,
    reward: Reward,
    /// The highest possible score, if the reward needs it.
    bound: f64,
    /// What playouts are worth if the reward is not all.
    rewards: Option<&'a RewardRule<G>>,
    playout: P,
    rng: SearchRng,
    state: G,
    /// The moves of the game and of a simulation, if the playouts need them.
    log: Option<MoveLog<G>>,
    children: Vec<Child<G::Action>>,
    /// Indices of the actions of each first decision.
    groups: Vec<Vec<usize>>,
    playouts: u64,
    observer: Option<&'a dyn Observer<G::Action>>,
}

impl<'a, G: Game, P: Playout<G>> Flat<'a, G, P> {
    /// A search from `root`.
    ///
    /// # Panics
    /// If no seat is to play, or if the reward needs a bound ([`Reward::needs_bound`]) that the game does not know.
    pub fn new(root: &'a G, reward: Reward, playout: P, rng: SearchRng) -> Flat<'a, G, P> {
        Flat::following((root, None), reward, playout, rng)
    }

    /// The same, told the moves that led to the root; without them it knows what the [position](Game::past) knows.
    ///
    /// # Panics
    /// As [`new`](Flat::new).
    pub fn following(
        (root, told): (&'a G, Option<&MoveLog<G>>),
        reward: Reward,
        playout: P,
        rng: SearchRng,
    ) -> Flat<'a, G, P> {
        let Turn::Player(mover) = root.turn() else { panic!("the root must be a position in which a seat is to play") };
        let mut actions = Vec::new();
        root.actions(&mut actions);
        let indices: Vec<usize> = (0..actions.len()).collect();
        let first = |index: usize| G::first_part(actions[index]);
        let groups = indices.chunk_by(|index, next| first(*index) == first(*next)).map(<[usize]>::to_vec).collect();
        let children = actions.into_iter().map(|action| Child::new(action, 0.0, 0.0)).collect();
        let bound = reward.bound(root);
        let (rewards, observer, state) = (None, None, root.clone());
        let log = playout.needs_log().then(|| told.cloned().unwrap_or_else(|| MoveLog::known_to(root)));
        Flat { root, mover, reward, bound, rewards, playout, rng, state, log, children, groups, playouts: 0, observer }
    }

    /// The same search, seen by this observer.
    #[must_use]
    pub fn with_observer(self, observer: Option<&'a dyn Observer<G::Action>>) -> Flat<'a, G, P> {
        Flat { observer, ..self }
    }

    /// The same search with this reward in place of its own.
    #[must_use]
    pub fn with_rewards(self, rewards: Option<&'a RewardRule<G>>) -> Flat<'a, G, P> {
        Flat { rewards, ..self }
    }

    /// Spends the budget and returns the index of the action to play.
    pub fn search(&mut self, shares: Shares, meter: &mut Meter) -> usize {
        match shares {
            Shares::Equal => {
                let all = (0..self.children.len()).collect();
                self.spread(all, meter)
            }
            Shares::Random => {
                while meter.allows() {
                    meter.count();
                    let action = below(&mut self.rng, self.children.len());
                    self.play_out(action);
                }
                self.best(&(0..self.children.len()).collect::<Vec<_>>())
            }
            Shares::Split => {
                let group = self.best_group(meter);
                let members = self.groups[group].clone();
                // The second search must not use the statistics of the first.
                self.children.iter_mut().for_each(|child| (child.visits, child.mean) = (0.0, 0.0));
                if members.len() == 1 { members[0] } else { self.spread(members, meter) }
            }
            Shares::Ucb(uct) => {
                while meter.allows() {
                    meter.count();
                    let group = self.choose_group(&uct);
                    let action = self.choose_member(&uct, group);
                    self.play_out(action);
                }
                self.best(&(0..self.children.len()).collect::<Vec<_>>())
            }
        }
    }

    /// The actions with their statistics, in the order of the game.
    pub fn children(&self) -> &[Child<G::Action>] {
        &self.children
    }

    /// Playouts so far.
    pub fn playouts(&self) -> u64 {
        self.playouts
    }

    /// A playout after an action; returns its reward for the seat that decides.
    fn play_out(&mut self, index: usize) -> f64 {
        self.playouts += 1;
        self.state.clone_from(self.root);
        let action = self.children[index].action;
        self.state.play(action);
        let source = RewardSource { rule: self.rewards, reward: self.reward, bound: self.bound };
        let rewards = match &mut self.log {
            None => {
                let scores = self.playout.play_out(&mut self.state, &mut self.rng);
                source.of(&self.state, &scores)
            }
            Some(log) => {
                let root = log.mark();
                log.play(self.mover, action);
                let scores = self.playout.play_out_logged(&mut self.state, log, &mut self.rng);
                let rewards = source.of(&self.state, &scores);
                self.playout.learn(log, root.plies(), &self.state, &rewards);
                log.go_back(root);
                rewards
            }
        };
        let reward = rewards[self.mover];
        let child = &mut self.children[index];
        child.visits += 1.0;
        child.mean += (reward - child.mean) / child.visits;
        if let Some(observer) = self.observer {
            let (children, playouts) = (&self.children, self.playouts);
            observer.look(&|| SearchProgress { children: children.clone(), playouts, nodes: 0, formula: None });
        }
        reward
    }

    /// Equal shares over these actions, in random order; returns the best.
    fn spread(&mut self, mut actions: Vec<usize>, meter: &mut Meter) -> usize {
        shuffle(&mut self.rng, &mut actions);
        for action in actions.iter().cycle() {
            if !meter.allows() {
                break;
            }
            meter.count();
            self.play_out(*action);
        }
        actions.sort_unstable();
        self.best(&actions)
    }

    /// Two thirds of the budget over the first decisions; returns the best.
    fn best_group(&mut self, meter: &mut Meter) -> usize {
        let mut order: Vec<usize> = (0..self.groups.len()).collect();
        shuffle(&mut self.rng, &mut order);
        let (mut visits, mut sums) = (vec![0.0; order.len()], vec![0.0; order.len()]);
        for group in order.into_iter().cycle() {
            if !meter.allows_share(2, 3) {
                break;
            }
            meter.count();
            let member = self.groups[group][below(&mut self.rng, self.groups[group].len())];
            visits[group] += 1.0;
            sums[group] += self.play_out(member);
        }
        let mean = |(visits, sum): (&f64, &f64)| if *visits > 0.0 { sum / visits } else { f64::NEG_INFINITY };
        first_highest(visits.iter().zip(&sums).map(mean))
    }

    /// The first of these actions with the highest mean; untried ones come last.
    fn best(&self, actions: &[usize]) -> usize {
        let value = |action: &usize| {
            let child = &self.children[*action];
            if child.visits > 0.0 { child.mean } else { f64::NEG_INFINITY }
        };
        actions[first_highest(actions.iter().map(value))]
    }

    /// Visits and mean of all members of a first decision.
    fn group_statistics(&self, group: usize) -> (f64, f64) {
        let members = self.groups[group].iter().map(|member| &self.children[*member]);
        let (visits, sum) =
            members.fold((0.0, 0.0), |(visits, sum), child| (visits + child.visits, sum + child.visits * child.mean));
        (visits, if visits > 0.0 { sum / visits } else { 0.0 })
    }

    fn choose_group(&mut self, uct: &Uct) -> usize {
        let statistics: Vec<(f64, f64)> = (0..self.groups.len()).map(|group| self.group_statistics(group)).collect();
        self.choose(uct, &statistics)
    }

    fn choose_member(&mut self, uct: &Uct, group: usize) -> usize {
        let members = &self.groups[group];
        let statistics: Vec<(f64, f64)> =
            members.iter().map(|member| (self.children[*member].visits, self.children[*member].mean)).collect();
        let chosen = self.choose(uct, &statistics);
        self.groups[group][chosen]
    }

    /// One of the untried, or the one that UCB selects.
    fn choose(&mut self, uct: &Uct, statistics: &[(f64, f64)]) -> usize {
        let untried: Vec<usize> = (0..statistics.len()).filter(|index| statistics[*index].0 == 0.0).collect();
        if !untried.is_empty() {
            return untried[below(&mut self.rng, untried.len())];
        }
        let (visits, means): (Vec<f64>, Vec<f64>) = statistics.iter().copied().unzip();
        let mut values = vec![0.0; means.len()];
        let parent = visits.iter().sum();
        uct.values(
            Choice { means: &means, visits: &visits, amaf: Amaf::default(), parent, minimises: false },
            &mut values,
        );
        first_highest(values.into_iter())
    }
}
