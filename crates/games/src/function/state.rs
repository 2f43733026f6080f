//! Intervals: the rules.

use super::functions::TestFunction;
use evouct_base::sampling::below;
use evouct_search::game::{Game, Scores, StreamDeck, Turn};
use rand::Rng;

/// The weight of both rewards together: probabilities are multiples of its inverse.
const WHOLE: u32 = 1 << 31;
/// The reward of the highest possible value, if rewards are values.
pub(super) const MILLION: f64 = 1e6;

evouct_base::named! {
    /// The reward of a leaf.
    #[derive(Default)]
    pub enum FunctionReward {
        /// 1 with the probability that the function has at the centre, else 0.
        #[default]
        Bernoulli = "bernoulli",
        /// The value of the function at the centre, in millionths.
        Value = "value",
    }
}

evouct_base::named! {
    /// Which greedy path gives the score of an experiment.
    #[derive(Default)]
    pub enum PathRule {
        /// The path by visits.
        #[default]
        Visits = "visits",
        /// The path by mean reward.
        Mean = "mean",
    }
}

/// An action: which half of each interval. Bit 0 is for the first dimension; 1 is the upper half.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Halves(pub u8);

/// An interval per dimension, the actions so far, and how the end is scored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    function: TestFunction,
    reward: FunctionReward,
    path: PathRule,
    /// Actions until the end.
    depth: u8,
    /// Actions so far.
    taken: u8,
    /// By dimension, which of the 2^taken intervals.
    places: [u32; 2],
    /// The reward that was drawn.
    drawn: Option<bool>,
}

impl State {
    /// The whole interval. `depth` is the number of actions, at most 30.
    pub fn new(function: TestFunction, reward: FunctionReward, path: PathRule, depth: u8) -> State {
        State { function, reward, path, depth, taken: 0, places: [0; 2], drawn: None }
    }

    /// The function that is searched.
    pub fn function(&self) -> TestFunction {
        self.function
    }

    /// Which path gives the score.
    pub(super) fn path(&self) -> PathRule {
        self.path
    }

    /// Actions so far, and until the end.
    pub fn depths(&self) -> [u8; 2] {
        [self.taken, self.depth]
    }

    /// The lower and the upper end of an interval.
    pub fn interval(&self, dimension: usize) -> [f64; 2] {
        let parts = f64::from(1_u32 << self.taken);
        [0.0, 1.0].map(|side| (f64::from(self.places[dimension]) + side) / parts)
    }

    /// The centre of the interval in each dimension, 0 to 1.
    pub fn centre(&self) -> [f64; 2] {
        [0, 1].map(|dimension| self.interval(dimension).iter().sum::<f64>() / 2.0)
    }

    /// The value of the function at the centre.
    pub fn value(&self) -> f64 {
        self.function.at(&self.centre())
    }

    /// The weight of the reward 1.
    fn weight(&self) -> u32 {
        (self.value().clamp(0.0, 1.0) * f64::from(WHOLE)).round() as u32
    }
}

impl Game for State {
    type Action = Halves;
    /// Whether the reward is 1.
    type Outcome = bool;
    type Deck = StreamDeck;

    fn seats(&self) -> usize {
        1
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.drawn {
            _ if self.taken < self.depth => Turn::Player(0),
            None if self.reward == FunctionReward::Bernoulli => Turn::Chance,
            _ => Turn::Terminal,
        }
    }

    fn outcomes(&self, outcomes: &mut Vec<(bool, u32)>) {
        outcomes.clear();
        if self.turn() == Turn::Chance {
            let weight = self.weight();
            let both = [(false, WHOLE - weight), (true, weight)];
            outcomes.extend(both.into_iter().filter(|(_, weight)| *weight > 0));
        }
    }

    fn apply(&mut self, outcome: bool) {
        self.drawn = Some(outcome);
    }

    #[inline]
    fn sample(&mut self, rng: &mut impl Rng) -> bool {
        let outcome = below(rng, WHOLE as usize) < self.weight() as usize;
        self.apply(outcome);
        outcome
    }

    fn actions(&self, actions: &mut Vec<Halves>) {
        actions.clear();
        if self.taken < self.depth {
            actions.extend((0..1 << self.function.dimensions()).map(Halves));
        }
    }

    #[inline]
    fn play(&mut self, Halves(part): Halves) {
        self.places = [0, 1].map(|dimension| 2 * self.places[dimension] + u32::from(part >> dimension & 1));
        self.taken += 1;
    }

    fn scores(&self) -> Scores {
        let score = match self.reward {
            FunctionReward::Bernoulli => i32::from(self.drawn == Some(true)),
            FunctionReward::Value => (MILLION * self.value()).round() as i32,
        };
        [score, 0, 0, 0, 0, 0]
    }

    fn max_score(&self) -> Option<i32> {
        Some(if self.reward == FunctionReward::Bernoulli { 1 } else { MILLION as i32 })
    }
}
