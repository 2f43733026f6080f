//! Search in a tree.

use super::budget::BudgetParameters;
use crate::domain::{Domain, games_that_transpose};
use evouct_base::named::Named;
use evouct_base::parameter::{ParameterError, Values};
use evouct_search::game::{Game, Part, Parts};
use evouct_search::player::{Mcts, PartsMcts, Player};
use evouct_search::search::{
    Chance, DefaultPolicy, FinalMove, LeafReward, LearnedSettings, Opponent, ParentVisits, Reward, RootRule,
    SearchSettings,
};

evouct_base::named! {
    /// How chance is treated in the tree: [`Chance`] without its number of decks.
    pub(super) enum ChanceMode {
        Sampled = "sampled",
        Peek = "peek",
        OpenLoop = "open-loop",
        Determinised = "determinised",
    }

    /// What the first iteration does.
    pub(super) enum FirstIteration {
        Expand = "expand",
        Playout = "playout",
    }

    /// What a decision node of the tree decides.
    pub(super) enum Nodes {
        Whole = "whole",
        Parts = "parts",
    }
}

evouct_base::parameters! {
    /// Chance, counts and the first iteration in a tree.
    pub(super) struct TreeParameters {
        /// Chance inside the tree: outcomes drawn by their weights, the real outcomes to come,
        /// drawn outcomes without distinction, or a sample of decks.
        chance: ChanceMode = ChanceMode::Sampled, reference = ChanceMode::Peek, peeks = "peek";
        /// Decks of chance = determinised.
        decks: u32 = 8, values = Values::Count(1, 10_000), only = "chance" = "determinised";
        /// N: visits of the node after this outcome of chance, or over all outcomes.
        parent_visits: ParentVisits = ParentVisits::Node;
        /// Reward of a leaf whose game chance ends: drawn again at each visit, or stored at the first.
        leaf_reward: LeafReward = LeafReward::Drawn;
        /// Whether the first iteration expands or is a playout from the root.
        first_iteration: FirstIteration = FirstIteration::Expand, reference = FirstIteration::Playout;
        /// Continue in the tree of the last decision, below what was played since (Müller 2014, 3.4.1).
        tree_reuse: bool = false;
        /// Factor by which what the last decision learned of moves (hm, hm2, hm3, lgr) counts in the next one.
        learned_keep: f64 = 0.0, values = Values::Real(0.0, 1.0);
        /// Visits from which a node's own moves as first are enough for Ag and mg: those of the nearest node above with so
        /// many are used (Cazenave 2015).
        grave_visits: u32 = 50, values = Values::Count(0, 1_000_000_000);
        /// Trees per decision, which share the iterations; the statistics of their roots are added. A player that plays
        /// alone grows them on several cores. An evolving player evolves its formula in the first.
        trees: u32 = 1, values = Values::Count(1, 1_024);
        /// Nodes at which a tree is full and grows no further. No limit unless given.
        max_tree_nodes: Option<u64> = None, values = Values::Count(1, 1_000_000_000);
        /// Positions that are equal after different moves share a node (Childs, Brodeur, Kocsis 2008, UCT1).
        transpositions: bool = false;
        /// Nodes: one for a whole move, or one for its first part (in Carcassonne the placement) and one for the second
        /// (Müller 2014, Algorithm 5). The second part of the final move has the most visits if final = visits, else
        /// the highest mean.
        nodes: Nodes = Nodes::Whole;
    }
}

evouct_base::parameters! {
    /// The root of a search.
    pub(super) struct RootParameters {
        /// What is tried at the root: what the tree policy selects, or all moves in equal shares, the better half after
        /// each round.
        root: RootRule = RootRule::TreePolicy;
    }
}

evouct_base::parameters! {
    /// The final move of UCT and of formulas.
    pub struct FinalParameters {
        /// The move to play: highest mean, most visits, or highest value of the tree policy.
        final_move: FinalMove = FinalMove::Mean, name = "final";
    }
}

evouct_base::parameters! {
    /// The final move of RAVE.
    pub(super) struct RaveFinalParameters {
        /// The move to play: highest mean, most visits, or highest value of the tree policy.
        final_move: FinalMove = FinalMove::Mean, reference = FinalMove::TreePolicy, name = "final";
    }
}

evouct_base::parameters! {
    /// Playouts per iteration.
    pub(super) struct RolloutParameters {
        /// Playouts per iteration; their mean is the reward.
        rollouts: u32 = 1, values = Values::Count(1, 100_000);
    }
}

evouct_base::parameters! {
    /// How a formula applies to opponents.
    pub(super) struct OpponentParameters {
        /// How a formula applies to opponents: f(-Q), -f(Q), or the second seat minimises f of the first's Q.
        opponent: Opponent = Opponent::NegateQ, reference = Opponent::Absolute;
    }
}

impl TreeParameters {
    fn chance(&self) -> Chance {
        match self.chance {
            ChanceMode::Sampled => Chance::Sampled,
            ChanceMode::Peek => Chance::Peek,
            ChanceMode::OpenLoop => Chance::OpenLoop,
            ChanceMode::Determinised => Chance::Determinised { decks: self.decks },
        }
    }

    /// The settings of a search with this reward and final move; the rest is at its default.
    pub(super) fn settings(&self, reward: Reward, final_move: FinalMove) -> SearchSettings {
        SearchSettings {
            chance: self.chance(),
            parent_visits: self.parent_visits,
            reward,
            leaf_reward: self.leaf_reward,
            root_playout: self.first_iteration == FirstIteration::Playout,
            final_move,
            reuse: self.tree_reuse,
            max_tree_nodes: self.max_tree_nodes,
            transpositions: self.transpositions,
            learned: LearnedSettings { grave_visits: self.grave_visits, keep: self.learned_keep },
            ..SearchSettings::default()
        }
    }

    /// Refuses several trees where this decides the final move by more than visits and means of the root.
    pub(super) fn check_one_tree(&self, decider: &str) -> Result<(), ParameterError> {
        if self.trees == 1 {
            return Ok(());
        }
        let problem = format!("{decider} decides the final move by one tree; expected trees = 1, found {}", self.trees);
        Err(ParameterError::of("trees", problem))
    }

    /// Refuses options of the tree that contradict one another, or iterations too few for its trees.
    pub(super) fn check(&self, budget: &BudgetParameters) -> Result<(), ParameterError> {
        let (name, trees) = (self.chance.name(), self.trees);
        if trees > 1 && self.chance == ChanceMode::Determinised {
            let problem =
                format!("chance = {name} grows a tree for each of its decks; expected trees = 1, found {trees}");
            return Err(ParameterError::of("trees", problem));
        }
        if let Some(iterations) = budget.iterations.filter(|iterations| *iterations < trees.into()) {
            let problem = format!("trees = {trees} share iterations = {iterations}; expected an iteration for each");
            return Err(ParameterError::of("trees", problem));
        }
        if self.tree_reuse && self.chance != ChanceMode::Sampled {
            let problem = format!("tree_reuse needs a tree of drawn outcomes, found chance = {name}; expected sampled");
            return Err(ParameterError::of("tree_reuse", problem));
        }
        let contradictions = [
            (
                self.chance != ChanceMode::Sampled,
                format!("a tree of drawn outcomes, found chance = {name}; expected sampled"),
            ),
            (
                self.tree_reuse,
                "a tree that begins with each decision, found tree_reuse = true; expected false".to_owned(),
            ),
            (self.nodes == Nodes::Parts, "nodes for whole moves, found nodes = parts; expected whole".to_owned()),
        ];
        if let Some((_, problem)) = contradictions.into_iter().find(|(found, _)| *found && self.transpositions) {
            return Err(ParameterError::of("transpositions", format!("transpositions needs {problem}")));
        }
        if self.nodes == Nodes::Parts && matches!(self.chance, ChanceMode::OpenLoop | ChanceMode::Determinised) {
            let problem = format!(
                "nodes = parts needs one tree with rows of moves, found chance = {name}; expected sampled | peek"
            );
            return Err(ParameterError::of("nodes", problem));
        }
        Ok(())
    }

    /// Refuses several trees in a game that scores one, and transpositions in a game that does not tell positions apart.
    pub(super) fn check_rules<D: Domain>(&self) -> Result<(), ParameterError> {
        if self.transpositions && !D::Game::TRANSPOSES {
            let problem = format!(
                "transpositions needs a game that tells its positions apart, which {} does not; these do: {}",
                D::NAME,
                games_that_transpose().join(", ")
            );
            return Err(ParameterError::of("transpositions", problem));
        }
        if self.trees > 1 && D::TRACE.needs_tree() {
            let problem = format!("{} scores the tree of a search; expected trees = 1, found {}", D::NAME, self.trees);
            return Err(ParameterError::of("trees", problem));
        }
        Ok(())
    }
}

/// The player of these parts, over whole moves or over their parts, with so many trees.
pub(super) fn player<D: Domain>(
    tree: &TreeParameters,
    mcts: Mcts<D::Game, DefaultPolicy<D::Game, D::Playout>>,
) -> Box<dyn Player<D::Game>> {
    let mcts = mcts.with_trees(tree.trees);
    // Where every action is one part, both search the same tree.
    if D::Game::HAS_PARTS && tree.nodes == Nodes::Parts {
        return Box::new(PartsMcts::of(mcts, fill_of_parts::<D>));
    }
    Box::new(mcts)
}

/// The numbers of parts: those of the action that the part stands for. A first part stands for the action without a
/// second one.
fn fill_of_parts<D: Domain>(
    state: &Parts<D::Game>,
    parts: &[Part<<D::Game as Game>::Action>],
    wanted: &[usize],
    scratch: &mut Parts<D::Game>,
    columns: &mut [Vec<f64>],
) {
    let actions: Vec<_> = parts.iter().map(Part::action).collect();
    D::fill_move_numbers(state.whole(), &actions, wanted, scratch.whole_mut(), columns);
}

impl RootParameters {
    /// Refuses what contradicts sequential halving: it needs the whole budget for one new tree of whole moves, and it
    /// decides the final move itself.
    pub(super) fn check(&self, tree: &TreeParameters, final_move: FinalMove) -> Result<(), ParameterError> {
        if self.root == RootRule::TreePolicy {
            return Ok(());
        }
        let contradictions = [
            (tree.chance == ChanceMode::Determinised, "is for one tree, chance = determinised grows several"),
            (tree.trees > 1, "is for one tree, trees grows several"),
            (tree.tree_reuse, "begins with a new tree, tree_reuse goes on in the last one"),
            (tree.nodes == Nodes::Parts, "is for whole moves, nodes = parts decides them part by part"),
        ];
        if let Some((_, problem)) = contradictions.into_iter().find(|(found, _)| *found) {
            return Err(ParameterError::of("root", format!("root = sequential-halving {problem}")));
        }
        if final_move != FinalMove::Mean {
            let problem = format!(
                "root = sequential-halving plays the best mean of the moves that are left; final = {} contradicts it",
                final_move.name()
            );
            return Err(ParameterError::of("root", problem));
        }
        Ok(())
    }
}
