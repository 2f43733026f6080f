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
//! *N-gram selection* (Tak, Winands and Björnsson 2012) keeps the same for sequences of up to three moves, one after the
//! other. The value of a move is the mean over the sequences that it ends: that of the move alone, and those of more moves
//! with enough rewards. A playout plays the move with the highest value, a random one among equals.
//!
//! *Playout policy adaptation* (Cazenave 2015) keeps a weight for each move, and a playout draws a move with a probability
//! in proportion to `exp(weight)`. After a playout each move that the winner chose gains α, and each move that it could
//! choose loses α times the probability with which it was drawn. Choices in the tree and random ones teach nothing.
//!
//! *A formula* rates moves by the means, counts and replies that it uses, as formulas of a search have them, and by numbers
//! of the game ([`FormulaRating`]).
//!
//! Moves are the same as for all-moves-as-first statistics ([`AmafSameness`]). All is forgotten after a decision.

use super::formula_rating::FormulaRating;
use super::hash::QuickMap;
use super::move_table::{MoveTable, Sum};
use super::n_grams::NGrams;
use super::rave::AmafSameness;
use super::termination::Termination;
use crate::game::at_once::has_won;
use crate::game::{
    Game, MAX_SEATS, MoveLog, Playout, Ply, PlyOf, RatingScratch, Scores, Turn, exponentials, next_seat, play_logged,
};
use evouct_base::sampling::{below, chance, random_highest, spin};
use rand::Rng;
use std::fmt;
use std::sync::Arc;

/// What is learned, and how it is used.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Learning {
    /// Mean rewards of moves.
    Mast {
        /// In the unit of rewards, above 0. The source has 10 for rewards from 0 to 100.
        temperature: f64,
    },
    /// Mean rewards of moves by the moves before them: the best move is played.
    NGrams {
        /// The most moves of a sequence, 1 to 3.
        length: u8,
        /// Rewards from which a sequence of several moves counts. The source has 7.
        least: u32,
    },
    /// Weights of moves by the choices of the seats that won.
    PolicyAdaptation {
        /// The rate α. The source has 1 or less.
        rate: f64,
    },
    /// Replies to moves.
    LastGoodReply {
        /// The most preceding moves that a reply answers, 1 or 2.
        moves: u8,
        /// Whether a reply is deleted when a seat loses with it.
        forgetting: bool,
    },
    /// What a formula uses: see [`LearnedPlayout::by_formula`].
    Formula,
}

/// The most replies, and the most weights, that are kept. Further replies replace older ones of the same moves.
const MOST_ENTRIES: usize = 1 << 20;

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

/// A default policy that learns during a search, made of the random policy `P` of a game.
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
    moves: QuickMap<IdentityOf<G>, Sum>,
    replies: QuickMap<SituationOf<G>, IdentityOf<G>>,
    /// Moves and their sequences, for N-grams.
    grams: NGrams<IdentityOf<G>>,
    /// By move, where it was a choice of a winner.
    weights: QuickMap<IdentityOf<G>, f64>,
    /// A formula that chooses, and what was learned for it.
    formula: Option<(Arc<FormulaRating<G>>, MoveTable<G>)>,
}

impl<G: Game, P: fmt::Debug> fmt::Debug for LearnedPlayout<G, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("LearnedPlayout");
        shown.field("random", &self.random).field("learning", &self.learning).field("sameness", &self.sameness);
        shown.field("epsilon", &self.epsilon).field("termination", &self.termination);
        if let Some((formula, _)) = &self.formula {
            shown.field("formula", formula);
        }
        shown.finish()
    }
}

fn widths(values: impl Iterator<Item = f64>, temperature: f64) -> Vec<f64> {
    let mut widths: Vec<f64> = values.collect();
    exponentials(&mut widths, temperature);
    widths
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
        let (moves, replies) = (QuickMap::default(), QuickMap::default());
        let grams = match learning {
            Learning::NGrams { length, least } => NGrams::new(length, least),
            _ => NGrams::new(1, 1),
        };
        let (all, weights) = ([Sum::default(); MAX_SEATS], QuickMap::default());
        let formula = None;
        LearnedPlayout {
            random,
            learning,
            sameness,
            epsilon,
            termination,
            all,
            moves,
            replies,
            grams,
            weights,
            formula,
        }
    }

    /// A policy by a formula. Moves are the same if the game says that they are alike, else if seat and action are.
    pub fn by_formula(
        random: P,
        formula: FormulaRating<G>,
        epsilon: f64,
        termination: Termination<G>,
    ) -> LearnedPlayout<G, P> {
        let mut table = MoveTable::default();
        table.begin(formula.lessons(), 0.0, false);
        let formula = Some((Arc::new(formula), table));
        let policy = LearnedPlayout::new(random, Learning::Formula, AmafSameness::Exact, epsilon, termination);
        LearnedPlayout { formula, ..policy }
    }

    fn identity(&self, state: &G, ply: PlyOf<G>) -> IdentityOf<G> {
        match self.sameness {
            AmafSameness::Exact => MoveIdentity::Exact(ply),
            AmafSameness::Similar => MoveIdentity::Similar(ply.seat, state.likeness(ply).unwrap_or(0)),
        }
    }

    /// The last two moves of these plies, the later one first.
    fn last_two(&self, state: &G, plies: &[PlyOf<G>]) -> [Option<IdentityOf<G>>; 2] {
        [1, 2].map(|back| Some(self.identity(state, plies[plies.len().checked_sub(back)?])))
    }

    /// What a reply of a seat after these plies answers, with one preceding move or two; none so early in the game.
    fn situation(
        &self,
        state: &G,
        plies: &[PlyOf<G>],
        (seat, drawn): (usize, Option<G::Outcome>),
        moves: u8,
    ) -> Option<SituationOf<G>> {
        let identity = |back: usize| Some(self.identity(state, plies[plies.len().checked_sub(back)?]));
        let drawn = if self.sameness == AmafSameness::Similar { None } else { drawn };
        let before = if moves == 2 { Some(identity(2)?) } else { None };
        Some(Situation { seat, drawn, last: identity(1)?, before })
    }

    /// The learned choice among the actions in this memory, which are those of the seat to play; none if nothing was
    /// learned for them.
    fn learned(
        &self,
        state: &G,
        (seat, log): (usize, &MoveLog<G>),
        scratch: &mut RatingScratch<G>,
        rng: &mut impl Rng,
    ) -> Option<G::Action> {
        if let Some((formula, table)) = &self.formula {
            return Some(formula.choose(state, table, (seat, log), scratch, rng));
        }
        let (drawn, actions) = (log.drawn(seat), &scratch.actions);
        let identity = |action: &G::Action| self.identity(state, Ply { seat, drawn, action: *action });
        match self.learning {
            Learning::Mast { temperature } => {
                let unknown = self.all[seat];
                let mean = |action| self.moves.get(&identity(action)).copied().unwrap_or(unknown).mean();
                Some(actions[spin(&widths(actions.iter().map(mean), temperature), rng)])
            }
            Learning::PolicyAdaptation { .. } => {
                let weight = |action| self.weights.get(&identity(action)).copied().unwrap_or(0.0);
                Some(actions[spin(&widths(actions.iter().map(weight), 1.0), rng)])
            }
            Learning::NGrams { .. } => {
                let last = self.last_two(state, log.plies());
                let values = self.grams.values(last, self.all[seat].mean(), actions.iter().map(identity));
                Some(actions[random_highest(values.iter().copied(), rng)])
            }
            Learning::LastGoodReply { moves, .. } => (1..=moves).rev().find_map(|moves| {
                let situation = self.situation(state, log.plies(), (seat, drawn), moves)?;
                let reply = self.replies.get(&situation)?;
                let same = || actions.iter().filter(|action| identity(action) == *reply);
                let chosen = below(rng, same().count());
                same().nth(chosen).copied()
            }),
            Learning::Formula => None,
        }
    }

    /// Adapts the weights to the choices of the winner of a simulation.
    fn adapt(&mut self, log: &MoveLog<G>, end: &G, rate: f64) {
        let scores = end.scores();
        let Some(winner) = (0..end.seats()).find(|seat| has_won(&scores, *seat, end.seats())) else { return };
        let mut changes = Vec::new();
        for (number, legal) in log.choices() {
            let ply = log.plies()[number];
            if ply.seat != winner {
                continue;
            }
            let moves: Vec<IdentityOf<G>> =
                legal.iter().map(|action| self.identity(end, Ply { action: *action, ..ply })).collect();
            let weight = |identity: &IdentityOf<G>| self.weights.get(identity).copied().unwrap_or(0.0);
            let widths = widths(moves.iter().map(weight), 1.0);
            let all: f64 = widths.iter().sum();
            changes.push((self.identity(end, ply), rate));
            changes.extend(moves.into_iter().zip(widths).map(|(identity, width)| (identity, -rate * width / all)));
        }
        // All probabilities are those with which the playout was made.
        for (identity, change) in changes {
            if self.weights.len() < MOST_ENTRIES || self.weights.contains_key(&identity) {
                *self.weights.entry(identity).or_default() += change;
            }
        }
    }

    /// Learns from a simulation that ended in this position: from these plies, the first of which led to its root.
    fn learn_from(&mut self, plies: &[PlyOf<G>], first: usize, end: &G, rewards: &[f64; MAX_SEATS]) {
        let seats = end.seats();
        self.all.iter_mut().zip(rewards).take(seats).for_each(|(all, reward)| all.add(*reward));
        if let Learning::NGrams { .. } = self.learning {
            // The two moves before the first begin sequences that it ends.
            let from = first.saturating_sub(2);
            let own = plies.iter().enumerate().skip(from);
            let learned: Vec<_> = own
                .map(|(number, ply)| (self.identity(end, *ply), (number >= first).then(|| rewards[ply.seat])))
                .collect();
            return self.grams.learn(learned.into_iter());
        }
        let scores = end.scores();
        for (number, ply) in plies.iter().enumerate().skip(first) {
            let identity = self.identity(end, *ply);
            let Learning::LastGoodReply { moves, forgetting } = self.learning else {
                self.moves.entry(identity).or_default().add(rewards[ply.seat]);
                continue;
            };
            let others = (0..seats).filter(|seat| *seat != ply.seat).map(|seat| scores[seat]);
            let best_other = others.max().unwrap_or(i32::MIN);
            for moves in 1..=moves {
                let Some(situation) = self.situation(end, &plies[..number], (ply.seat, ply.drawn), moves) else {
                    continue;
                };
                if scores[ply.seat] > best_other {
                    if self.replies.len() < MOST_ENTRIES || self.replies.contains_key(&situation) {
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

impl<G: Game, P: Playout<G>> LearnedPlayout<G, P> {
    fn is_random(&self, rng: &mut impl Rng) -> bool {
        self.epsilon > 0.0 && chance(rng, self.epsilon)
    }

    /// One decision more; false if the game ends before.
    fn turn(&self, state: &mut G, log: &mut MoveLog<G>, scratch: &mut RatingScratch<G>, rng: &mut impl Rng) -> bool {
        if self.is_random(rng) {
            return self.random.play_turn(state, Some(log), rng);
        }
        let Some(seat) = next_seat(state, Some(&mut *log), rng) else { return false };
        state.actions(&mut scratch.actions);
        match self.learned(state, (seat, log), scratch, rng) {
            Some(action) => {
                if let Learning::PolicyAdaptation { .. } = self.learning {
                    log.note_choice(&scratch.actions);
                }
                play_logged(state, seat, action, Some(log));
                true
            }
            None => self.random.play_turn(state, Some(log), rng),
        }
    }

    /// The learned choice where only the position is known.
    fn learned_alone(&self, state: &G, actions: &[G::Action], rng: &mut impl Rng) -> Option<G::Action> {
        match state.turn() {
            Turn::Player(seat) if !self.is_random(rng) => {
                let mut scratch = RatingScratch::default();
                scratch.actions.extend_from_slice(actions);
                self.learned(state, (seat, &MoveLog::known_to(state)), &mut scratch, rng)
            }
            _ => None,
        }
    }
}

impl<G: Game, P: Playout<G>> Playout<G> for LearnedPlayout<G, P> {
    fn play_out(&self, state: &mut G, rng: &mut impl Rng) -> Scores {
        let mut log = MoveLog::known_to(state);
        self.play_out_logged(state, &mut log, rng)
    }

    #[inline(never)]
    fn play_out_logged(&self, state: &mut G, log: &mut MoveLog<G>, rng: &mut impl Rng) -> Scores {
        let mut scratch = RatingScratch::default();
        self.termination.play(state, |state| self.turn(state, log, &mut scratch, rng))
    }

    fn needs_log(&self) -> bool {
        true
    }

    fn choose(&self, state: &G, rng: &mut impl Rng) -> G::Action {
        let mut actions = Vec::new();
        state.actions(&mut actions);
        self.learned_alone(state, &actions, rng).unwrap_or_else(|| self.random.choose(state, rng))
    }

    fn choose_among(&self, state: &G, actions: &[G::Action], rng: &mut impl Rng) -> G::Action {
        self.learned_alone(state, actions, rng).unwrap_or_else(|| self.random.choose_among(state, actions, rng))
    }

    fn play_turn(&self, state: &mut G, log: Option<&mut MoveLog<G>>, rng: &mut impl Rng) -> bool {
        match log {
            Some(log) => self.turn(state, log, &mut RatingScratch::default(), rng),
            None => self.turn(state, &mut MoveLog::known_to(state), &mut RatingScratch::default(), rng),
        }
    }

    fn learn(&mut self, log: &MoveLog<G>, first: usize, end: &G, rewards: &[f64; MAX_SEATS]) {
        if let Some((_, table)) = &mut self.formula {
            return table.learn(end, (log.plies(), first), std::iter::empty(), rewards);
        }
        match self.learning {
            Learning::PolicyAdaptation { rate } => self.adapt(log, end, rate),
            _ => self.learn_from(log.plies(), first, end, rewards),
        }
    }
}
