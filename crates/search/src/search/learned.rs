//! Default policies that learn during a search: the move-average sampling technique, and last good reply.
//!
//! *MAST* (Finnsson and Björnsson 2008) keeps for each move the mean reward of all simulations in which a seat made it,
//! in the tree or in the playout. A playout draws a move with a probability in proportion to `exp(mean / temperature)`.
//! A move that was not made yet has the mean reward of the seat over all simulations; the source gives it the highest
//! reward of the game, which games with points do not have.
//!
//! *Last good reply* (Drake 2009) keeps for each move the reply that was last made in a simulation that the replying
//! seat won. A playout plays the reply if it is legal, otherwise a random move. With two preceding moves a reply to
//! both comes before a reply to the last one. With forgetting (Baier and Drake 2010) a reply is deleted when a seat
//! loses with it. A simulation in which two seats share the highest score teaches nothing to them.
//!
//! Moves are the same as for all-moves-as-first statistics ([`AmafSameness`]). All is forgotten after a decision.

use super::rave::AmafSameness;
use super::termination::Termination;
use crate::game::{Game, MAX_SEATS, MoveLog, Playout, Ply, Scores, Turn};
use evouct_base::sampling::{below, chance, spin};
use rand::Rng;
use std::collections::HashMap;
use std::fmt;

/// What is learned, and how it is used.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Learning {
    /// Mean rewards of moves.
    Mast {
        /// In the unit of rewards, above 0. The source has 10 for rewards from 0 to 100.
        temperature: f64,
    },
    /// Replies to moves.
    LastGoodReply {
        /// The most preceding moves that a reply answers, 1 or 2.
        moves: u8,
        /// Whether a reply is deleted when a seat loses with it.
        forgetting: bool,
    },
}

/// The most replies that are kept. Further ones replace older ones of the same moves, or are not kept.
const MOST_REPLIES: usize = 1 << 20;

/// What makes two moves the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum MoveIdentity<A, O> {
    Exact(Ply<A, O>),
    /// The seat, and what its move has in common with others.
    Similar(usize, u32),
}

/// What a reply answers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Situation<A, O> {
    seat: usize,
    /// What the seat had drawn, unless similar moves are the same.
    drawn: Option<O>,
    last: MoveIdentity<A, O>,
    /// The move before the last one, for a reply to two.
    before: Option<MoveIdentity<A, O>>,
}

type IdentityOf<G> = MoveIdentity<<G as Game>::Action, <G as Game>::Outcome>;
type SituationOf<G> = Situation<<G as Game>::Action, <G as Game>::Outcome>;

/// A sum of rewards and their number.
#[derive(Clone, Copy, Default, Debug)]
struct Sum {
    rewards: f64,
    count: f64,
}

impl Sum {
    fn add(&mut self, reward: f64) {
        self.rewards += reward;
        self.count += 1.0;
    }

    /// 0 without rewards.
    fn mean(self) -> f64 {
        self.rewards / self.count.max(1.0)
    }
}

/// A default policy that learns during a search, made of the random policy `P` of a game with a
/// [`move_log`](Game::move_log).
#[derive(Clone)]
pub struct LearnedPlayout<G: Game, P> {
    random: P,
    learning: Learning,
    sameness: AmafSameness,
    /// The probability of a random decision.
    epsilon: f64,
    termination: Termination<G>,
    /// By seat: rewards of all simulations.
    all: [Sum; MAX_SEATS],
    moves: HashMap<IdentityOf<G>, Sum>,
    replies: HashMap<SituationOf<G>, IdentityOf<G>>,
}

impl<G: Game, P: fmt::Debug> fmt::Debug for LearnedPlayout<G, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("LearnedPlayout");
        shown.field("random", &self.random).field("learning", &self.learning).field("sameness", &self.sameness);
        shown.field("epsilon", &self.epsilon).field("termination", &self.termination).finish()
    }
}

impl<G: Game, P> LearnedPlayout<G, P> {
    /// A policy that knows nothing yet. A decision is random with the probability `epsilon`, and a playout ends by
    /// `termination`, if not with the game.
    pub fn new(
        random: P,
        learning: Learning,
        sameness: AmafSameness,
        epsilon: f64,
        termination: Termination<G>,
    ) -> LearnedPlayout<G, P> {
        let (all, moves, replies) = ([Sum::default(); MAX_SEATS], HashMap::new(), HashMap::new());
        LearnedPlayout { random, learning, sameness, epsilon, termination, all, moves, replies }
    }

    fn identity(&self, log: &LogOf<'_, G>, ply: Ply<G::Action, G::Outcome>) -> IdentityOf<G> {
        match self.sameness {
            AmafSameness::Exact => MoveIdentity::Exact(ply),
            AmafSameness::Similar => MoveIdentity::Similar(ply.seat, log.likeness(ply).unwrap_or(0)),
        }
    }

    /// What a reply at decision number `number` answers, with one preceding move or two; none so early in the game.
    fn situation(
        &self,
        log: &LogOf<'_, G>,
        (number, seat, drawn): (usize, usize, Option<G::Outcome>),
        moves: u8,
    ) -> Option<SituationOf<G>> {
        let identity = |back: usize| Some(self.identity(log, log.ply(number.checked_sub(back)?)));
        let drawn = if self.sameness == AmafSameness::Similar { None } else { drawn };
        let before = if moves == 2 { Some(identity(2)?) } else { None };
        Some(Situation { seat, drawn, last: identity(1)?, before })
    }

    /// The learned choice among these actions of the seat to play; none if nothing was learned for them.
    fn learned(&self, state: &G, actions: &[G::Action], rng: &mut impl Rng) -> Option<G::Action> {
        let (Some(log), Turn::Player(seat)) = (state.move_log(), state.turn()) else { return None };
        let drawn = log.drawn();
        let identity = |action: &G::Action| self.identity(log, Ply { seat, drawn, action: *action });
        match self.learning {
            Learning::Mast { temperature } => {
                let unknown = self.all[seat];
                let mean = |action| self.moves.get(&identity(action)).copied().unwrap_or(unknown).mean();
                let mut widths: Vec<f64> = actions.iter().map(mean).collect();
                let highest = widths.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                widths.iter_mut().for_each(|width| *width = libm::exp((*width - highest) / temperature));
                Some(actions[spin(&widths, rng)])
            }
            Learning::LastGoodReply { moves, .. } => (1..=moves).rev().find_map(|moves| {
                let situation = self.situation(log, (log.plies(), seat, drawn), moves)?;
                let reply = self.replies.get(&situation)?;
                let same = || actions.iter().filter(|action| identity(action) == *reply);
                let chosen = below(rng, same().count());
                same().nth(chosen).copied()
            }),
        }
    }

    /// Learns from a simulation that ended in this position.
    fn learn_from(&mut self, root: &G, end: &G, rewards: &[f64; MAX_SEATS]) {
        let (Some(known), Some(log)) = (root.move_log(), end.move_log()) else { return };
        let seats = end.seats();
        self.all.iter_mut().zip(rewards).take(seats).for_each(|(all, reward)| all.add(*reward));
        let scores = end.scores();
        for number in known.plies()..log.plies() {
            let ply = log.ply(number);
            let identity = self.identity(log, ply);
            let Learning::LastGoodReply { moves, forgetting } = self.learning else {
                self.moves.entry(identity).or_default().add(rewards[ply.seat]);
                continue;
            };
            let others = (0..seats).filter(|seat| *seat != ply.seat).map(|seat| scores[seat]);
            let best_other = others.max().unwrap_or(i32::MIN);
            for moves in 1..=moves {
                let Some(situation) = self.situation(log, (number, ply.seat, ply.drawn), moves) else { continue };
                if scores[ply.seat] > best_other {
                    if self.replies.len() < MOST_REPLIES || self.replies.contains_key(&situation) {
                        self.replies.insert(situation, identity);
                    }
                } else if forgetting && scores[ply.seat] < best_other && self.replies.get(&situation) == Some(&identity)
                {
                    self.replies.remove(&situation);
                }
            }
        }
    }
}

type LogOf<'a, G> = dyn MoveLog<<G as Game>::Action, <G as Game>::Outcome> + 'a;

impl<G: Game, P: Playout<G>> LearnedPlayout<G, P> {
    fn is_random(&self, rng: &mut impl Rng) -> bool {
        self.epsilon > 0.0 && chance(rng, self.epsilon)
    }

    /// One decision more; false if the game ends before.
    fn turn(&self, state: &mut G, actions: &mut Vec<G::Action>, rng: &mut impl Rng) -> bool {
        if self.is_random(rng) {
            return self.random.play_turn(state, rng);
        }
        while state.turn() == Turn::Chance {
            state.sample(rng);
        }
        if state.turn() == Turn::Terminal {
            return false;
        }
        state.actions(actions);
        match self.learned(state, actions, rng) {
            Some(action) => {
                state.play(action);
                true
            }
            None => self.random.play_turn(state, rng),
        }
    }
}

impl<G: Game, P: Playout<G>> Playout<G> for LearnedPlayout<G, P> {
    #[inline(never)]
    fn play_out(&self, state: &mut G, rng: &mut impl Rng) -> Scores {
        let mut actions = Vec::new();
        self.termination.play(state, |state| self.turn(state, &mut actions, rng))
    }

    fn choose(&self, state: &G, rng: &mut impl Rng) -> G::Action {
        let mut actions = Vec::new();
        state.actions(&mut actions);
        let learned = if self.is_random(rng) { None } else { self.learned(state, &actions, rng) };
        learned.unwrap_or_else(|| self.random.choose(state, rng))
    }

    fn choose_among(&self, state: &G, actions: &[G::Action], rng: &mut impl Rng) -> G::Action {
        let learned = if self.is_random(rng) { None } else { self.learned(state, actions, rng) };
        learned.unwrap_or_else(|| self.random.choose_among(state, actions, rng))
    }

    fn play_turn(&self, state: &mut G, rng: &mut impl Rng) -> bool {
        self.turn(state, &mut Vec::new(), rng)
    }

    fn learn(&mut self, root: &G, end: &G, rewards: &[f64; MAX_SEATS]) {
        self.learn_from(root, end, rewards);
    }
}
