//! Game-tree search, written against the [`Game`](crate::game::Game) contract.
//!
//! Monte Carlo Tree Search is a handful of parts that combine freely: a [`Budget`], a [`TreePolicy`] that selects, a
//! default policy ([`Playout`](crate::game::Playout)), a [`Reward`], a way to treat chance ([`Chance`]) and a choice of
//! the final move ([`FinalMove`]). [`Search`] runs the four steps (Selection, Expansion, Playout, Backpropagation) over
//! a [`SearchTree`]. [`Guidance`] adds knowledge of the game and a value of actions that are not tried yet.
//! [`EvaluatedSearch`] asks its caller, a network for instance, for priors and values in place of playouts. [`Flat`] is
//! Monte Carlo without a tree, [`Star`] expectimax and the *-minimax family.

mod budget;
mod child;
mod decisive;
mod flat;
mod formula_rating;
mod guidance;
mod hash;
mod learned;
mod mcts;
mod move_table;
mod n_grams;
mod observer;
mod playout;
mod policy;
mod rave;
mod reward;
mod reward_rule;
mod rivals;
mod search_column;
mod settings;
mod star;
mod termination;
mod tree;

pub use budget::{Budget, Clock, Meter, Share, Stopped};
pub use child::Child;
pub use decisive::DecisiveRater;
pub use flat::{Flat, Shares};
pub use formula_rating::FormulaRating;
pub use guidance::{BackedUp, Backup, Guidance, ImplicitMinimax, MovePolicy, Prior, Untried, Widening};
pub use learned::{LearnedPlayout, Learning};
pub use mcts::{
    Belief, Descent, EvaluatedSearch, EvaluatedSettings, FormulaTerms, Leaf, LeafEvaluation, Rehearsal, Search,
    Workspace,
};
pub use observer::{After, Observer, SearchProgress};
pub use playout::{DefaultPolicy, FormulaRater, RatedPlayout};
pub use policy::{CustomPolicy, FormulaPolicy, NodeStatistics, Opponent, SelectionRule, TreePolicy, UcbForm, Uct};
pub use rave::{AmafMoves, AmafSameness, AmafScope, AmafSettings, Rave};
pub use reward::Reward;
pub use reward_rule::{FinishedReward, RewardRule, RewardScale};
pub use rivals::{Decisive, Grave, ProgressiveHistory, Solver};
pub use search_column::SearchColumn;
pub use settings::{Chance, FinalMove, LeafReward, LearnedSettings, ParentVisits, RootRule, SearchSettings};
pub use star::{
    Bounds, ChanceProbCut, ChanceSearch, Multiplayer, Prediction, Probing, Star, StarResult, StarSettings, Unprobed,
};
pub use termination::{DynamicTermination, Termination};
pub use tree::{SearchTree, TreeEdge};
