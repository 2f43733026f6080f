//! Function optimisation by search in a tree: a game of one seat.
//!
//! The test bed on which the authors of SIEA-MCTS studied evolved selection after Carcassonne (arXiv 2302.03352,
//! 2311.13609; Information Sciences 715), after James, Konidaris and Rosman, "An analysis of Monte Carlo tree search"
//! (AAAI 2017). A position is an interval per dimension, at first `[0, 1]`. An action takes one half of each. After a
//! fixed number of actions the reward is 1 with the probability that the function has at the centre of the interval,
//! else 0.
//!
//! An experiment is one decision from the root. What counts is the tree that the search leaves behind: where its greedy
//! paths end, and where its nodes are ([`Trace`](evouct_platform::domain::Trace)).

mod domain;
mod drawing;
mod functions;
mod state;
mod trace;

pub use domain::{FunctionOptimisation, FunctionRules};
pub use functions::TestFunction;
pub use state::{FunctionReward, Halves, PathRule, State};
