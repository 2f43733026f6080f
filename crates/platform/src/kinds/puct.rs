//! MCTS with PUCT: a prior of moves, the softmax of a formula over move numbers, directs the search.

use super::budget::BudgetParameters;
use super::guidance::{self, Formula, LeafParameters, OfMove, PolicyParameters, check_rows, program};
use super::playouts::PlayoutParameters;
use super::tree::{self, TreeParameters};
use crate::domain::{Domain, Kind};
use evouct_base::parameter::{ParameterError, Values};
use evouct_gp::{LnRule, Program, Tree};
use evouct_search::evolve::SeedConstant;
use evouct_search::player::{Mcts, Selector};
use evouct_search::search::{FinalMove, Guidance, MovePolicy, SearchColumn, Untried};

evouct_base::parameters! {
    /// The selection.
    struct PuctParameters {
        /// Exploration, in units of the reward: the value of a move is Q + c*P*sqrt(N)/(1+n), with Qbar in place of Q where
        /// n = 0.
        c: f64 = 10.0, values = Values::Real(0.0, 1e6);
    }
}

evouct_base::parameters! {
    /// The final move.
    struct PuctFinalParameters {
        /// The move to play: highest mean, most visits, or highest value of the tree policy.
        final_move: FinalMove = FinalMove::Visits, name = "final";
    }
}

evouct_base::parameter_groups! {
    /// MCTS with PUCT.
    struct PuctMctsParameters<D: Domain> {
        /// The selection.
        puct: PuctParameters;
        /// The prior of moves.
        policy: PolicyParameters<D>;
        /// Limits.
        budget: BudgetParameters;
        /// Playouts.
        playouts: PlayoutParameters<D>;
        /// The tree.
        tree: TreeParameters;
        /// The final move.
        end: PuctFinalParameters;
        /// What a simulation is worth.
        leaf: LeafParameters<D>;
    }
}

impl PuctParameters {
    /// The value of a child whose mean reward is this.
    fn value(&self, mean: &str) -> Tree {
        let text = format!("{mean} + {} * P * sqrt(N) / (1 + n)", self.c);
        Tree::parse_over(&text, &SearchColumn::terminals(&[])).expect("PUCT is a formula")
    }
}

impl<D: Domain> PuctMctsParameters<D> {
    fn check(&self) -> Result<(), ParameterError> {
        check_rows("puct", &self.tree, self.end.final_move == FinalMove::TreePolicy)?;
        self.tree.check(&self.budget)?;
        self.playouts.check()
    }

    fn check_rules(&self, rules: &D::Rules) -> Result<(), ParameterError> {
        self.leaf.check_columns(rules)?;
        self.tree.check_rules::<D>()?;
        self.playouts.check_rules(rules)
    }

    /// By the formula that is given, else by the first number of the game; without one all moves are alike.
    fn policy(&self, ln: LnRule) -> Option<MovePolicy> {
        let first = || Formula::<D, OfMove>::of_number(D::move_numbers().first().map_or("0", |number| number.name));
        self.policy.policy(ln).or_else(|| Some(self.policy.softmax.policy(program(Some(&first()), ln)?)))
    }
}

pub(super) fn kind<D: Domain>() -> Kind<D> {
    Kind::new(
        "puct",
        "MCTS with PUCT: a formula over what the game tells of a move gives its prior P; without policy it is the first number",
        "Rosin 2011; Silver et al. 2017; first-play value: the mean of the node",
        |p: &PuctMctsParameters<D>, key| {
            let (ln, select) = (LnRule::Abs, p.puct.value("Q"));
            let untried = Untried::Formula(Program::new(p.puct.value("Qbar"), ln));
            let guidance = Guidance { untried, policy: p.policy(ln), leaf: p.leaf.program(ln), ..Guidance::default() };
            let settings = p.tree.settings(p.playouts.reward(), p.end.final_move);
            let (guidance, settings) = guidance::complete::<D>(guidance, &select.needs(), settings);
            let selector = Selector::Formula { tree: select, ln, constant: SeedConstant::Fixed(p.puct.c) };
            let player = Mcts::new(selector, p.budget.budget(), p.playouts.policy(), key);
            let player = player.with_settings(settings).with_guidance(guidance).with_rewards(p.playouts.rule());
            tree::player::<D>(&p.tree, player)
        },
    )
    .checked(PuctMctsParameters::<D>::check)
    .under(PuctMctsParameters::<D>::check_rules)
}
