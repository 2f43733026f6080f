//! MCTS with UCT, alone or with all-moves-as-first statistics.

use super::budget::BudgetParameters;
use super::guidance::{self, GuidanceParameters, LeafParameters, PolicyParameters};
use super::playouts::{PlayoutParameters, tells_likeness};
use super::tree::{
    self, ChanceMode, FinalParameters, RaveFinalParameters, RolloutParameters, RootParameters, TreeParameters,
};
use crate::domain::{Domain, Kind};
use evouct_base::named::Named;
use evouct_base::parameter::{ParameterError, Values};
use evouct_gp::{LnRule, Needs};
use evouct_search::player::{Mcts, Selector};
use evouct_search::search::{
    AmafMoves, AmafSameness, AmafScope, AmafSettings, FinalMove, Guidance, Rave, SearchSettings, UcbForm, Uct,
};

evouct_base::parameters! {
    /// UCT in the paper's form.
    pub(super) struct UctParameters {
        /// Exploration: K of the doubled form, C of the plain one and of UCB1.
        k: f64 = std::f64::consts::SQRT_2, values = Values::Real(0.0, 1e6);
        /// The form. doubled: Q + 2K·sqrt(2·ln N / n). plain: Q + C·sqrt(ln N / n).
        /// ucb1: Q + C·sqrt(2·ln N / n). ucb1-tuned: K is the range of rewards.
        ucb: UcbForm = UcbForm::Doubled;
    }
}

evouct_base::parameters! {
    /// All-moves-as-first statistics.
    pub(super) struct RaveParameters {
        /// Bias: β = ñ / (n + ñ + 4·n·ñ·b²).
        b: f64 = 10.0, values = Values::Real(0.0, 1e6);
        /// Moves that count as first: those in the tree and of the playout, or of the playout only.
        amaf_moves: AmafMoves = AmafMoves::TreeAndPlayout;
        /// Nodes that they count for: those of all chance outcomes there, or only those on the path.
        amaf_scope: AmafScope = AmafScope::AllOutcomes, was = "amaf_tiles";
        /// Moves that are the same: equal ones after the same outcome of chance, or those that the game calls alike.
        amaf_same: AmafSameness = AmafSameness::Exact;
    }
}

evouct_base::parameter_groups! {
    /// MCTS with UCT.
    struct MctsParameters<D: Domain> {
        /// Limits.
        budget: BudgetParameters;
        /// UCT.
        uct: UctParameters;
        /// Playouts per iteration.
        rollouts: RolloutParameters;
        /// Playouts.
        playouts: PlayoutParameters<D>;
        /// The tree.
        tree: TreeParameters;
        /// The root.
        root: RootParameters;
        /// The final move.
        end: FinalParameters;
        /// Knowledge of the game.
        guidance: GuidanceParameters<D>;
        /// The prior of moves.
        policy: PolicyParameters<D>;
        /// What a simulation is worth.
        leaf: LeafParameters<D>;
    }
}

evouct_base::parameter_groups! {
    /// MCTS with RAVE.
    struct MctsRaveParameters<D: Domain> {
        /// Limits.
        budget: BudgetParameters;
        /// UCT.
        uct: UctParameters;
        /// All-moves-as-first statistics.
        rave: RaveParameters;
        /// Playouts per iteration.
        rollouts: RolloutParameters;
        /// Playouts.
        playouts: PlayoutParameters<D>;
        /// The tree.
        tree: TreeParameters;
        /// The root.
        root: RootParameters;
        /// The final move.
        end: RaveFinalParameters;
        /// Knowledge of the game.
        guidance: GuidanceParameters<D>;
        /// The prior of moves.
        policy: PolicyParameters<D>;
        /// What a simulation is worth.
        leaf: LeafParameters<D>;
    }
}

impl UctParameters {
    pub(super) fn uct(&self) -> Uct {
        Uct { exploration: self.k, form: self.ucb }
    }
}

/// The guidance of a player without a formula in place of UCT, and its settings.
fn guided<D: Domain>(
    own: &GuidanceParameters<D>,
    policy: &PolicyParameters<D>,
    leaf: &LeafParameters<D>,
    settings: SearchSettings,
) -> (Guidance<D::Game>, SearchSettings) {
    let ln = LnRule::Abs;
    let guidance = Guidance { leaf: leaf.program(ln), policy: policy.policy(ln), ..own.guidance() };
    guidance::complete::<D>(guidance, &Needs::default(), settings)
}

impl<D: Domain> MctsParameters<D> {
    fn check(&self) -> Result<(), ParameterError> {
        if self.uct.ucb == UcbForm::Tuned {
            guidance::check_rows("ucb = ucb1-tuned", &self.tree, self.end.final_move == FinalMove::TreePolicy)?;
        }
        self.root.check(&self.tree, self.end.final_move)?;
        self.playouts.check()?;
        self.tree.check(&self.budget)?;
        self.guidance.check(&self.policy, &self.tree, self.end.final_move)
    }

    fn check_rules(&self, rules: &D::Rules) -> Result<(), ParameterError> {
        self.guidance.check_columns(&self.leaf, rules)?;
        self.tree.check_rules::<D>()?;
        self.playouts.check_rules(rules)
    }
}

impl<D: Domain> MctsRaveParameters<D> {
    /// All-moves-as-first statistics need a fixed row of moves in every node.
    fn check(&self) -> Result<(), ParameterError> {
        let by_policy = self.end.final_move == FinalMove::TreePolicy;
        let chance = self.tree.chance;
        if chance == ChanceMode::OpenLoop || (by_policy && chance == ChanceMode::Determinised) {
            let with = if by_policy { " with final = tree-policy" } else { "" };
            let others = if by_policy { "" } else { " | determinised" };
            let name = chance.name();
            let problem =
                format!("chance = {name} keeps no rows of moves for mcts-rave{with}; expected sampled | peek{others}");
            return Err(ParameterError::of("chance", problem));
        }
        if by_policy {
            self.tree.check_one_tree("final = tree-policy")?;
        }
        if self.uct.ucb == UcbForm::Tuned {
            return Err(ParameterError::of("ucb", "ucb = ucb1-tuned is for mcts; expected doubled | plain | ucb1"));
        }
        self.root.check(&self.tree, self.end.final_move)?;
        self.playouts.check()?;
        self.tree.check(&self.budget)?;
        self.guidance.check(&self.policy, &self.tree, self.end.final_move)
    }

    fn check_rules(&self, rules: &D::Rules) -> Result<(), ParameterError> {
        if self.rave.amaf_same == AmafSameness::Similar && !tells_likeness(D::start(rules)) {
            let problem = format!("amaf_same = similar needs moves that are alike, which {} does not define", D::NAME);
            return Err(ParameterError::of("amaf_same", problem));
        }
        self.guidance.check_columns(&self.leaf, rules)?;
        self.tree.check_rules::<D>()?;
        self.playouts.check_rules(rules)
    }
}

pub(super) fn kinds<D: Domain>() -> Vec<Kind<D>> {
    let mcts = Kind::new(
        "mcts",
        "Monte Carlo Tree Search with UCT",
        "Kocsis, Szepesvári 2006; Galván et al. 2022, IV-A",
        |p: &MctsParameters<D>, key| {
            let settings = p.tree.settings(p.playouts.reward(), p.end.final_move);
            let settings = SearchSettings { rollouts: p.rollouts.rollouts, root: p.root.root, ..settings };
            let (guidance, settings) = guided(&p.guidance, &p.policy, &p.leaf, settings);
            let player = Mcts::new(Selector::Uct(p.uct.uct()), p.budget.budget(), p.playouts.policy(), key);
            let player = player.with_settings(settings).with_guidance(guidance).with_rewards(p.playouts.rule());
            tree::player::<D>(&p.tree, player)
        },
    )
    .checked(MctsParameters::<D>::check)
    .under(MctsParameters::<D>::check_rules);
    let rave = Kind::new(
        "mcts-rave",
        "MCTS whose means are mixed with those of all moves as first",
        "Gelly, Silver 2007; Valdez Ameneyro et al. 2020, III-B; Galván et al. 2022, IV-B",
        |p: &MctsRaveParameters<D>, key| {
            let RaveParameters { b: bias, amaf_moves: moves, amaf_scope: scope, amaf_same: sameness } = p.rave;
            let amaf = AmafSettings { moves, scope, sameness };
            let settings = p.tree.settings(p.playouts.reward(), p.end.final_move);
            let settings =
                SearchSettings { rollouts: p.rollouts.rollouts, root: p.root.root, amaf: Some(amaf), ..settings };
            let (guidance, settings) = guided(&p.guidance, &p.policy, &p.leaf, settings);
            let selector = Selector::Rave(Rave { uct: p.uct.uct(), bias });
            let player = Mcts::new(selector, p.budget.budget(), p.playouts.policy(), key);
            let player = player.with_settings(settings).with_guidance(guidance).with_rewards(p.playouts.rule());
            tree::player::<D>(&p.tree, player)
        },
    )
    .checked(MctsRaveParameters::<D>::check)
    .under(MctsRaveParameters::<D>::check_rules);
    vec![mcts, rave]
}
