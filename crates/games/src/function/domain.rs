//! Function optimisation as a [`Domain`].

use super::functions::TestFunction;
use super::state::{MILLION, Part, PathRule, RewardRule, State};
use super::{drawing, trace};
use evouct_base::named::Named;
use evouct_base::parameter::Values;
use evouct_platform::domain::{ColumnInfo, Domain, HistogramInfo, ScoreLead};
use evouct_search::game::{Scores, Uniform};
use evouct_search::player::{Decision, TreeEdge};

/// The game of function optimisation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FunctionOptimisation;

evouct_base::parameters! {
    /// The options of the rules.
    pub struct FunctionRules {
        /// The function: f1 to f5 have one dimension, f6 to f10 two.
        function: TestFunction = TestFunction::NAMES[0].1, recorded = true;
        /// Reward of a leaf: 1 with the probability that f has at the centre, or f itself.
        reward: RewardRule = RewardRule::Bernoulli, recorded = true;
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
    const TRACE: &'static [ColumnInfo] = trace::COLUMNS;
    const HISTOGRAMS: &'static [HistogramInfo] = trace::HISTOGRAMS;
    const TRACES_TREE: bool = true;
    const POINT: &'static str = "a millionth of f at the end of the path";
    const CAPTION: &'static str = "The score is f at the end of a greedy path of the tree, in millionths: by visits, or by mean if the rules say so.";

    fn start(rules: &FunctionRules) -> State {
        State::new(rules.function, rules.reward, rules.path, rules.depth)
    }

    /// After one decision.
    fn is_over(state: &State) -> bool {
        state.depths()[0] > 0
    }

    /// f at the end of the path, in millionths; without a search, f at the centre.
    fn result(state: &State, traces: &[Vec<f64>]) -> Scores {
        let place = if state.path() == PathRule::Visits { "visits_path" } else { "mean_path" };
        let place = trace::COLUMNS.iter().position(|column| column.name == place).unwrap_or_default();
        let searched = traces.first().filter(|columns| columns.iter().any(|value| *value != 0.0));
        let value = searched.map_or(state.value(), |columns| columns[place]);
        [(MILLION * value).round() as i32, 0, 0, 0, 0, 0]
    }

    fn turns_left(_: &State) -> u32 {
        1
    }

    /// `0` for the lower half, `1` for the upper one; in two dimensions 2 is added for the upper half of the second.
    fn write_action(_: &State, Part(part): Part) -> String {
        part.to_string()
    }

    fn traced_tree(
        state: &State,
        decision: &Decision<Part>,
        tree: &[TreeEdge<Part>],
        columns: &mut [f64],
        histograms: &mut [Vec<u32>],
    ) {
        trace::fill(state, decision.action, decision.playouts, tree, columns, histograms);
    }

    fn text(state: &State, _colour: bool) -> Option<String> {
        Some(drawing::text(state))
    }

    fn svg(state: &State) -> Option<String> {
        Some(drawing::svg(state))
    }
}
