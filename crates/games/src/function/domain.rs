//! Function optimisation as a [`Domain`].

use super::drawing;
use super::functions::TestFunction;
use super::state::{FunctionReward, Halves, MILLION, PathRule, State};
use super::trace::TreeTrace;
use evouct_base::named::Named;
use evouct_base::parameter::Values;
use evouct_platform::domain::{Domain, Drawing, Notation, ScoreLead, Trace};
use evouct_search::game::Uniform;

/// The game of function optimisation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FunctionOptimisation;

evouct_base::parameters! {
    /// The options of the rules.
    pub struct FunctionRules {
        /// The function: f1 to f5 have one dimension, f6 to f10 two.
        function: TestFunction = TestFunction::NAMES[0].1, recorded = true;
        /// Reward of a leaf: 1 with the probability that f has at the centre, or f itself.
        reward: FunctionReward = FunctionReward::Bernoulli, recorded = true;
        /// Actions from the root to a leaf. With 17 the last interval is narrower than 0.00001.
        depth: u8 = 17, values = Values::Count(1, 30), recorded = true;
        /// The greedy path whose end gives the score: by visits or by mean reward.
        path: PathRule = PathRule::Visits, recorded = true;
    }
}

impl Domain for FunctionOptimisation {
    type Game = State;
    type Rules = FunctionRules;
    type Playout = Uniform;
    type Evaluation = ScoreLead;
    type Metrics = ();

    const NAME: &'static str = "function";
    const ABOUT: &'static str = "function optimisation, one decision from the root for one seat";
    const HOW_TO_PLAY: &'static str = "This is a test of search, not a game for people: one decision, from which a search plans on.\n\
        Each choice halves the interval. The search looks for the part in which f is highest; the score is f at the end of its \
        path, in hundredths.\n\
        Let a player search, or choose a half and see where the analysis finds the highest point.";
    const NOTATION: &'static dyn Notation<State> = &FunctionOptimisation;
    const DRAWING: &'static dyn Drawing<State> = &FunctionOptimisation;
    const TRACE: &'static dyn Trace<State> = &TreeTrace;
    const POINT: &'static str = "a hundredth of f at the end of the path";
    const PER_POINT: u32 = (MILLION / 100.0) as u32;
    const CAPTION: &'static str = "The score is f at the end of a greedy path of the tree, in hundredths: by visits, or by mean if the rules say so.";

    fn start(rules: &FunctionRules) -> State {
        State::new(rules.function, rules.reward, rules.path, rules.depth)
    }

    /// After one decision.
    fn is_over(state: &State) -> bool {
        state.depths()[0] > 0
    }

    fn turns_left(_: &State) -> u32 {
        1
    }
}

impl Notation<State> for FunctionOptimisation {
    /// `0` for the lower half, `1` for the upper one; in two dimensions 2 is added for the upper half of the second.
    fn write_action(&self, _: &State, Halves(part): Halves) -> String {
        part.to_string()
    }

    fn say_action(&self, state: &State, Halves(part): Halves) -> String {
        let half = |dimension: usize| if part >> dimension & 1 == 0 { "lower" } else { "upper" };
        match state.function().dimensions() {
            1 => format!("{} half", half(0)),
            _ => format!("{} half of x, {} half of y", half(0), half(1)),
        }
    }
}

impl Drawing<State> for FunctionOptimisation {
    /// None: text and picture have f.
    fn fact_names(&self) -> &'static [&'static str] {
        &[]
    }

    fn facts(&self, _: &State, _: usize) -> Vec<i64> {
        Vec::new()
    }

    fn text(&self, state: &State, _colour: bool) -> Option<String> {
        Some(drawing::text(state))
    }

    fn svg(&self, state: &State) -> Option<String> {
        Some(drawing::svg(state))
    }
}
