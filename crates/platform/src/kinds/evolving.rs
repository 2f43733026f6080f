//! MCTS whose formula is evolved at each decision: EA-p-MCTS, EA-MCTS and SIEA-MCTS.

use super::budget::{BudgetParameters, EvolutionBudget};
use super::guidance::{self, Formula, check_columns, check_opponent, check_rows};
use super::playouts::PlayoutParameters;
use super::terminal_set::{OfEvolution, TerminalSet};
use super::tree::{self, FinalParameters, OpponentParameters, TreeParameters};
use crate::domain::{Domain, Kind};
use evouct_base::parameter::{ParameterError, Values};
use evouct_gp::{
    ConstantMutation, ConstantSet, Creator, FunctionSet, LnRule, Mutation, Needs, SemanticCriterion, SemanticSelection,
    Semantics, Strategy, Tree, Variation,
};
use evouct_search::evolve::{self, EvoTree, FitnessPlayout, ParentFitness, Returned, SeedConstant, Variant};
use evouct_search::player::{Mcts, Player, Selector};
use evouct_search::search::{Budget, FinalMove, Guidance, SearchSettings};

evouct_base::parameters! {
    /// The evolution strategy.
    struct StrategyParameters {
        /// Generations.
        generations: usize = 20, values = Values::Count(1, 100_000);
        /// Parents per generation (μ).
        mu: usize = 1, values = Values::Count(1, 1_000);
        /// Offspring per generation (λ).
        lambda: usize = 4, values = Values::Count(1, 10_000);
        /// Playouts per evaluation.
        simulations: usize = 30, values = Values::Count(1, 1_000_000);
        /// Whether parents compete with their offspring.
        strategy: Strategy = Strategy::Plus;
        /// The fitness of a parent: kept, or measured again in each generation.
        parent: ParentFitness = ParentFitness::Keep;
        /// The formula that is returned.
        returned: Returned = Returned::BestEver, name = "return";
        /// A playout of an evaluation: descend by the formula, choose a child of the root, or a full iteration.
        fitness_playout: FitnessPlayout = FitnessPlayout::Descend, reference = FitnessPlayout::RootChild, was = "evaluation";
        /// The tree that evaluations update.
        evo_tree: EvoTree = EvoTree::Copy, reference = EvoTree::Shared;
        /// c of the seed: drawn once per decision, at every use, or this number.
        seed_k: SeedConstant = SeedConstant::PerDecision, reference = SeedConstant::PerUse;
    }
}

evouct_base::parameters! {
    /// How formulas vary.
    struct VariationParameters<D: Domain> {
        /// The formula that evolution begins with. The default is UCT.
        seed_formula: Option<Formula<D, OfEvolution>> = None;
        /// Terminals of new subtrees: Q, n, N and c, with or without the number 2, or these and others, such as what the
        /// search learns of moves.
        terminals: TerminalSet<D> = TerminalSet::default();
        /// Functions of new subtrees.
        functions: FunctionSet = FunctionSet::default();
        /// Values that c and new constants are drawn from.
        constants: ConstantSet = ConstantSet::default();
        /// Probability that mutation replaces an inner node and not a leaf.
        p_internal: f64 = Mutation::INTERNAL, values = Values::Real(0.0, 1.0);
        /// Greatest height of a new subtree. Heights are uniform from 1.
        max_height: usize = Mutation::MAX_HEIGHT, values = Values::Count(1, 6);
        /// A constant that mutation chooses: a new subtree, as of any leaf, or another value of `constants`.
        mutated_k: ConstantMutation = ConstantMutation::Subtree;
        /// The deepest formula. A leaf has depth 0.
        max_depth: usize = Mutation::MAX_DEPTH, values = Values::Count(1, 64);
        /// Protection of ln: of the absolute value and 0 at 0, or clamped.
        ln: LnRule = LnRule::Abs, reference = LnRule::Clamp;
    }
}

evouct_base::parameters! {
    /// Sampling semantics.
    struct SemanticParameters {
        /// Lower bound of semantic similarity, exclusive.
        alpha: f64 = 5.0, values = Values::Real(0.0, 1e6);
        /// Upper bound of semantic similarity, exclusive.
        beta: f64 = 10.0, values = Values::Real(0.0, 1e6);
        /// Rewards sorted, distances rounded to 3 decimals, or rewards in their order.
        semantics: Semantics = Semantics::Sorted, reference = Semantics::Rounded;
        /// Semantics breaks ties, or Algorithm 2 literally.
        semantic_rule: SemanticCriterion = SemanticCriterion::Ties;
        /// Fitnesses this close to the best count as equal to it.
        tie_epsilon: f64 = 0.0, values = Values::Real(0.0, 1e6);
    }
}

evouct_base::parameter_groups! {
    /// MCTS with an evolving formula.
    struct EvolvingParameters<D: Domain> {
        /// Limits.
        budget: BudgetParameters;
        /// Whether playouts of evolution count against the budget.
        paid: EvolutionBudget;
        /// Playouts.
        playouts: PlayoutParameters<D>;
        /// The tree.
        tree: TreeParameters;
        /// The final move.
        end: FinalParameters;
        /// Opponents.
        opponent: OpponentParameters;
        /// The evolution strategy.
        strategy: StrategyParameters;
        /// How formulas vary.
        variation: VariationParameters<D>;
    }
}

evouct_base::parameter_groups! {
    /// MCTS with a formula that evolves with semantics.
    struct SemanticEvolvingParameters<D: Domain> {
        /// All but semantics.
        evolving: EvolvingParameters<D>;
        /// Semantics.
        semantic: SemanticParameters;
    }
}

impl SemanticParameters {
    fn selection(&self) -> SemanticSelection {
        SemanticSelection {
            rule: self.semantic_rule,
            semantics: self.semantics,
            alpha: self.alpha,
            beta: self.beta,
            tie_epsilon: self.tie_epsilon,
        }
    }

    fn check(&self) -> Result<(), ParameterError> {
        let SemanticParameters { alpha, beta, .. } = self;
        if beta <= alpha {
            return Err(ParameterError::of("beta", format!("beta = {beta} is not above alpha = {alpha}")));
        }
        Ok(())
    }
}

impl<D: Domain> EvolvingParameters<D> {
    fn settings(&self, variant: Variant) -> evolve::EvolutionSettings {
        let EvolvingParameters { strategy, variation, .. } = self;
        evolve::EvolutionSettings {
            variant,
            generations: strategy.generations,
            mu: strategy.mu,
            lambda: strategy.lambda,
            simulations: strategy.simulations,
            strategy: strategy.strategy,
            parent: strategy.parent,
            returned: strategy.returned,
            seed: variation.seed_formula.as_ref().map_or_else(Tree::uct, |seed| seed.tree.clone()),
            seed_constant: strategy.seed_k,
            variation: Variation::from(Mutation {
                creator: Creator {
                    terminals: variation.terminals.set.clone(),
                    functions: variation.functions,
                    constants: variation.constants,
                },
                internal: variation.p_internal,
                max_height: variation.max_height,
                max_depth: variation.max_depth,
                constant: variation.mutated_k,
            }),
            constants: variation.constants,
            ln: variation.ln,
        }
    }

    /// EA-p-MCTS. An evaluation that expands the tree is refused earlier.
    fn partial(&self) -> evolve::EvolutionSettings {
        let evaluation = self.strategy.fitness_playout.partial().unwrap_or_default();
        self.settings(Variant::Partial { evaluation })
    }

    fn full(&self) -> evolve::EvolutionSettings {
        self.settings(Variant::Full { evaluation: self.strategy.fitness_playout, tree: self.strategy.evo_tree })
    }

    fn player(&self, settings: evolve::EvolutionSettings, key: evouct_base::seed::Key) -> Box<dyn Player<D::Game>> {
        let budget = Budget { count_evolution: self.paid.count_evolution, ..self.budget.budget() };
        let search = self.tree.settings(self.playouts.reward(), self.end.final_move);
        let search = SearchSettings { opponent: self.opponent.opponent, ..search };
        let (guidance, search) = guidance::complete::<D>(Guidance::default(), &settings.needs(), search);
        let selector = Selector::Evolving(settings);
        let player = Mcts::new(selector, budget, self.playouts.policy(), key).with_settings(search);
        tree::player::<D>(&self.tree, player.with_guidance(guidance).with_rewards(self.playouts.rule()))
    }

    fn check(&self) -> Result<(), ParameterError> {
        let StrategyParameters { mu, lambda, strategy, .. } = self.strategy;
        if strategy == Strategy::Comma && lambda < mu {
            return Err(ParameterError::of(
                "lambda",
                format!("lambda = {lambda} is below mu = {mu} with strategy = comma"),
            ));
        }
        for (key, needs) in self.needs() {
            check_opponent(key, &needs, self.opponent.opponent)?;
            if !needs.is_empty() {
                check_rows(key, &self.tree, self.end.final_move == FinalMove::TreePolicy)?;
            }
        }
        self.tree.check(&self.budget)?;
        self.playouts.check()
    }

    /// The columns of the seed and of the terminals, with their keys.
    fn needs(&self) -> [(&'static str, Needs); 2] {
        let VariationParameters { seed_formula, terminals, .. } = &self.variation;
        let of_seed = seed_formula.as_ref().map(|seed| seed.tree.needs()).unwrap_or_default();
        [("seed_formula", of_seed), ("terminals", terminals.set.needs())]
    }

    fn check_rules(&self, rules: &D::Rules) -> Result<(), ParameterError> {
        self.needs().iter().try_for_each(|(key, needs)| check_columns::<D>(key, needs, rules))?;
        self.tree.check_rules::<D>()?;
        self.playouts.check_seats(self.opponent.opponent, rules)
    }
}

fn leaves_tree_alone<D: Domain>(p: &EvolvingParameters<D>) -> Result<(), ParameterError> {
    if p.strategy.fitness_playout.partial().is_none() {
        let problem = "fitness_playout = full expands the tree, which ea-p-mcts must leave unchanged";
        return Err(ParameterError::of("fitness_playout", problem));
    }
    p.check()
}

pub(super) fn kinds<D: Domain>() -> Vec<Kind<D>> {
    let partial = Kind::new(
        "ea-p-mcts",
        "MCTS whose formula is evolved at each decision; evaluations leave the tree unchanged",
        "Galván et al. 2022, IV-C, Algorithm 1",
        |p: &EvolvingParameters<D>, key| p.player(p.partial(), key),
    )
    .checked(leaves_tree_alone::<D>)
    .under(EvolvingParameters::<D>::check_rules);
    let full = Kind::new(
        "ea-mcts",
        "MCTS whose formula is evolved at each decision; evaluations update a tree",
        "Galván et al. 2022, IV-D, Algorithm 2",
        |p: &EvolvingParameters<D>, key| p.player(p.full(), key),
    )
    .checked(EvolvingParameters::<D>::check)
    .under(EvolvingParameters::<D>::check_rules);
    let semantic = Kind::new(
        "siea-mcts",
        "EA-MCTS in which sampling semantics breaks ties",
        "Galván et al. 2022, IV-E, Algorithm 2",
        |p: &SemanticEvolvingParameters<D>, key| {
            let StrategyParameters { fitness_playout: evaluation, evo_tree: tree, .. } = p.evolving.strategy;
            let variant = Variant::Semantic { evaluation, tree, selection: p.semantic.selection() };
            p.evolving.player(p.evolving.settings(variant), key)
        },
    )
    .checked(|p: &SemanticEvolvingParameters<D>| p.semantic.check().and_then(|()| p.evolving.check()))
    .under(|p: &SemanticEvolvingParameters<D>, rules| p.evolving.check_rules(rules));
    vec![partial, full, semantic]
}
