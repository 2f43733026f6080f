//! Default policies with knowledge of the game, and playouts that end early (Müller 2014, 4.5).
//!
//! A random playout is the game's own. A rated one plays by a [`Rater`] with the probability 1 − ε and a random action
//! otherwise, and may end before the game does.

use super::learned::LearnedPlayout;
use super::termination::Termination;
use crate::game::{
    Game, MAX_SEATS, MoveLog, MoveNumbers, Playout, RatedChoice, Rater, RatingScratch, Scores, choose_rated, next_seat,
    play_logged,
};
use evouct_base::sampling::chance;
use evouct_gp::{Column, ColumnValues, Program, Scratch};
use rand::Rng;
use std::fmt::{self, Debug};
use std::sync::Arc;

/// The default policy of a search: the random policy `P` of a game, or one made of it.
pub enum DefaultPolicy<G: Game, P> {
    /// Random to the end of the game.
    Random(P),
    /// With knowledge of the game, or ended early.
    Rated(Arc<RatedPlayout<G, P>>),
    /// Learned during the search.
    Learned(Box<LearnedPlayout<G, P>>),
}

/// A playout that is not, or not only, random.
pub struct RatedPlayout<G: Game, P> {
    /// Random decisions.
    pub random: P,
    /// The rating of other decisions; none for random playouts that end early.
    pub rater: Option<Arc<dyn Rater<G>>>,
    /// How a rated action is chosen.
    pub by: RatedChoice,
    /// The probability of a random decision (ε-greedy; Sturtevant 2008; Müller 2014, 4.5.3).
    pub epsilon: f64,
    /// When the playout ends, if not with the game (Müller 2014, 4.5.2).
    pub termination: Termination<G>,
}

impl<G: Game, P: Clone> Clone for DefaultPolicy<G, P> {
    fn clone(&self) -> DefaultPolicy<G, P> {
        match self {
            DefaultPolicy::Random(random) => DefaultPolicy::Random(random.clone()),
            DefaultPolicy::Rated(rated) => DefaultPolicy::Rated(Arc::clone(rated)),
            DefaultPolicy::Learned(learned) => DefaultPolicy::Learned(learned.clone()),
        }
    }
}

impl<G: Game, P: Clone> Clone for RatedPlayout<G, P> {
    fn clone(&self) -> RatedPlayout<G, P> {
        let RatedPlayout { random, rater, by, epsilon, termination } = self;
        let (random, rater, termination) = (random.clone(), rater.clone(), termination.clone());
        RatedPlayout { random, rater, by: *by, epsilon: *epsilon, termination }
    }
}

impl<G: Game, P: Debug> Debug for DefaultPolicy<G, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DefaultPolicy::Random(random) => random.fmt(f),
            DefaultPolicy::Rated(rated) => rated.fmt(f),
            DefaultPolicy::Learned(learned) => learned.fmt(f),
        }
    }
}

impl<G: Game, P: Debug> Debug for RatedPlayout<G, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("RatedPlayout");
        shown.field("random", &self.random).field("rater", &self.rater).field("by", &self.by);
        shown.field("epsilon", &self.epsilon).field("termination", &self.termination).finish()
    }
}

/// Rates an action by a formula over the numbers that the game tells of it. One-ply search is such a rating: by `dv`,
/// what the seat gains at once (Müller 2014, 4.5.5).
pub struct FormulaRater<G: Game> {
    /// The numbers that the formula uses.
    pub numbers: MoveNumbers<G>,
    /// The formula.
    pub program: Program,
}

impl<G: Game> Debug for FormulaRater<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FormulaRater").field("numbers", &self.numbers).field("program", &self.program).finish()
    }
}

/// Memory of a [`FormulaRater`].
#[derive(Default)]
struct FormulaMemory {
    columns: Vec<Vec<f64>>,
    nothing: Vec<f64>,
    scratch: Scratch,
}

impl<G: Game> Rater<G> for FormulaRater<G> {
    fn rate(&self, state: &G, scratch: &mut RatingScratch<G>) {
        let RatingScratch { actions, ratings, position, own, .. } = scratch;
        let own = own.get_or_insert_with(|| Box::<FormulaMemory>::default());
        let memory: &mut FormulaMemory = own.downcast_mut().expect("one rater uses the memory");
        let FormulaMemory { columns, nothing, scratch } = memory;
        columns.resize_with(self.numbers.names().len(), Vec::new);
        columns.iter_mut().for_each(Vec::clear);
        let position = position.get_or_insert_with(|| state.clone());
        self.numbers.fill(state, actions, position, columns);
        let place = |column: &Column| match column {
            Column::MoveNumber(name) => self.numbers.names().iter().position(|other| other == name),
            _ => None,
        };
        let by_child = self.program.needs().by_child.iter().filter_map(place).map(|place| &columns[place][..]);
        let by_child: Vec<&[f64]> = by_child.collect();
        nothing.resize(actions.len(), 0.0);
        ratings.resize(actions.len(), 0.0);
        let columns = ColumnValues { by_child: &by_child, by_node: &[] };
        self.program.evaluate_over((nothing, nothing), (0.0, 1.0), columns, scratch, ratings);
        // An infinite rating would have no width on a wheel.
        ratings.iter_mut().filter(|rating| !rating.is_finite()).for_each(|rating| *rating = -1e300);
    }
}

impl<G: Game, P: Playout<G>> RatedPlayout<G, P> {
    /// One decision more; false if the game ends before.
    fn turn(
        &self,
        state: &mut G,
        mut log: Option<&mut MoveLog<G>>,
        scratch: &mut RatingScratch<G>,
        rng: &mut impl Rng,
    ) -> bool {
        let Some(rater) = self.rater.as_ref().filter(|_| self.epsilon <= 0.0 || !chance(rng, self.epsilon)) else {
            return self.random.play_turn(state, log, rng);
        };
        let Some(seat) = next_seat(state, log.as_deref_mut(), rng) else { return false };
        let action = rater.choose(state, self.by, scratch, rng);
        play_logged(state, seat, action, log);
        true
    }
}

impl<G: Game, P: Playout<G>> Playout<G> for DefaultPolicy<G, P> {
    #[inline]
    fn play_out(&self, state: &mut G, rng: &mut impl Rng) -> Scores {
        match self {
            DefaultPolicy::Random(random) => random.play_out(state, rng),
            DefaultPolicy::Rated(rated) => rated.play_out(state, rng),
            DefaultPolicy::Learned(learned) => learned.play_out(state, rng),
        }
    }

    fn play_out_logged(&self, state: &mut G, log: &mut MoveLog<G>, rng: &mut impl Rng) -> Scores {
        match self {
            DefaultPolicy::Random(random) => random.play_out_logged(state, log, rng),
            DefaultPolicy::Rated(rated) => rated.play_out_logged(state, log, rng),
            DefaultPolicy::Learned(learned) => learned.play_out_logged(state, log, rng),
        }
    }

    fn needs_log(&self) -> bool {
        matches!(self, DefaultPolicy::Learned(_))
    }

    fn choose(&self, state: &G, rng: &mut impl Rng) -> G::Action {
        match self {
            DefaultPolicy::Random(random) => random.choose(state, rng),
            DefaultPolicy::Rated(rated) => rated.choose(state, rng),
            DefaultPolicy::Learned(learned) => learned.choose(state, rng),
        }
    }

    fn choose_among(&self, state: &G, actions: &[G::Action], rng: &mut impl Rng) -> G::Action {
        match self {
            DefaultPolicy::Random(random) => random.choose_among(state, actions, rng),
            DefaultPolicy::Rated(rated) => rated.choose_among(state, actions, rng),
            DefaultPolicy::Learned(learned) => learned.choose_among(state, actions, rng),
        }
    }

    fn play_turn(&self, state: &mut G, log: Option<&mut MoveLog<G>>, rng: &mut impl Rng) -> bool {
        match self {
            DefaultPolicy::Random(random) => random.play_turn(state, log, rng),
            DefaultPolicy::Rated(rated) => rated.play_turn(state, log, rng),
            DefaultPolicy::Learned(learned) => learned.play_turn(state, log, rng),
        }
    }

    #[inline]
    fn learn(&mut self, log: &MoveLog<G>, first: usize, end: &G, rewards: &[f64; MAX_SEATS]) {
        if let DefaultPolicy::Learned(learned) = self {
            learned.learn(log, first, end, rewards);
        }
    }
}

impl<G: Game, P: Playout<G>> Playout<G> for RatedPlayout<G, P> {
    #[inline(never)]
    fn play_out(&self, state: &mut G, rng: &mut impl Rng) -> Scores {
        let mut scratch = RatingScratch::default();
        self.termination.play(state, |state| self.turn(state, None, &mut scratch, rng))
    }

    fn play_out_logged(&self, state: &mut G, log: &mut MoveLog<G>, rng: &mut impl Rng) -> Scores {
        let mut scratch = RatingScratch::default();
        self.termination.play(state, |state| self.turn(state, Some(log), &mut scratch, rng))
    }

    fn choose(&self, state: &G, rng: &mut impl Rng) -> G::Action {
        match self.rater.as_ref().filter(|_| !chance(rng, self.epsilon)) {
            Some(rater) => rater.choose(state, self.by, &mut RatingScratch::default(), rng),
            None => self.random.choose(state, rng),
        }
    }

    fn choose_among(&self, state: &G, actions: &[G::Action], rng: &mut impl Rng) -> G::Action {
        let Some(rater) = self.rater.as_ref().filter(|_| !chance(rng, self.epsilon)) else {
            return self.random.choose_among(state, actions, rng);
        };
        let mut scratch = RatingScratch::default();
        scratch.actions.extend_from_slice(actions);
        rater.rate(state, &mut scratch);
        choose_rated(self.by, &mut scratch, rng)
    }

    fn play_turn(&self, state: &mut G, log: Option<&mut MoveLog<G>>, rng: &mut impl Rng) -> bool {
        self.turn(state, log, &mut RatingScratch::default(), rng)
    }
}
