//! MCTS that chooses among given formulas while it plays.

use super::budget::BudgetParameters;
use super::guidance::{self, Formula, OfChild, PolicyParameters, check_columns};
use super::playouts::PlayoutParameters;
use super::tree::{ChanceMode, FinalParameters, FirstIteration, TreeParameters};
use crate::domain::{Domain, Kind};
use evouct_base::named::Named;
use evouct_base::parameter::{ParameterError, ParameterType, Parameters, Preset, Value, Values};
use evouct_base::seed::Key;
use evouct_gp::{Function, Genome, Genomes, LnRule, Needs, Node, Operator, Slot, Terminal, Toggle, Tree, Variation};
use evouct_search::player::{FormulaChoice, Offspring, Player, Portfolio, Rehearsals};
use evouct_search::search::{FinalMove, Guidance, LeafReward, Opponent, ParentVisits, SearchSettings};
use std::marker::PhantomData;
use std::sync::Arc;

/// The formulas to choose from, with what goes with each.
#[derive(Clone, Debug, PartialEq)]
struct Library<D> {
    genomes: Vec<Genome>,
    domain: PhantomData<D>,
}

impl<D: Domain> ParameterType for Library<D> {
    fn values() -> Values {
        Genomes::over(Formula::<D, OfChild>::terminals())
    }

    fn to_value(&self) -> Value {
        Genomes::value(self.genomes.clone())
    }

    fn from_value(value: &Value) -> Option<Library<D>> {
        let Value::Parsed(parsed) = value else { return None };
        Some(Library { genomes: parsed.meaning::<Vec<Genome>>()?.clone(), domain: PhantomData })
    }
}

evouct_base::named! {
    /// How a formula is chosen: [`FormulaChoice`] without its options.
    enum ChoiceRule {
        Rehearsal = "rehearsal",
        Bandit = "bandit",
    }
}

evouct_base::parameters! {
    /// The formulas, and how one is chosen.
    struct ChoiceParameters<D: Domain> {
        /// The formulas to choose from: for each select, and untried and final where it has them. The first is played
        /// while nothing shows that another one is better.
        formulas: Option<Library<D>> = None;
        /// How a formula is chosen. rehearsal: by the regret of each where the remaining iterations are simulated as a
        /// bandit over the actions of the root, without playouts, for budgets of iterations. bandit: by the rewards of
        /// the iterations in which it selects.
        choice: ChoiceRule = ChoiceRule::Rehearsal;
        /// Exploration of the bandit, in units of the reward.
        tuning: f64 = 5.0, values = Values::Real(0.0, 1e6), only = "choice" = "bandit";
        /// Rehearsals of each formula per decision.
        rehearsals: u32 = 16, values = Values::Count(2, 100_000), only = "choice" = "rehearsal";
        /// The share of the budget before the rehearsals.
        begin: f64 = 0.5, values = Values::Real(0.01, 0.99), only = "choice" = "rehearsal";
        /// New formulas per decision, by crossover and mutation of those that are known.
        offspring: u32 = 0, values = Values::Count(0, 1_000), only = "choice" = "rehearsal";
        /// The most formulas that are kept for the next decision, if there are new ones.
        population: u32 = 16, values = Values::Count(1, 1_000), only = "choice" = "rehearsal";
        /// The most nodes of a new formula.
        max_nodes: u32 = 31, values = Values::Count(1, 1_000), only = "choice" = "rehearsal";
        /// Whether what is known of the formulas is kept for the next decision of the game.
        carry: bool = true;
    }
}

evouct_base::named! {
    /// How chance is treated in one tree with rows of moves.
    enum OneTreeChance {
        Sampled = "sampled",
        Peek = "peek",
    }
}

evouct_base::parameters! {
    /// The one tree in which formulas are chosen.
    struct OneTreeParameters {
        /// Chance inside the tree: outcomes drawn by their weights, or the real outcomes to come.
        chance: OneTreeChance = OneTreeChance::Sampled, reference = OneTreeChance::Peek, peeks = "peek";
        /// N: visits of the node after this outcome of chance, or over all outcomes.
        parent_visits: ParentVisits = ParentVisits::Node;
        /// Reward of a leaf whose game chance ends: drawn again at each visit, or stored at the first.
        leaf_reward: LeafReward = LeafReward::Drawn;
        /// Whether the first iteration expands or is a playout from the root.
        first_iteration: FirstIteration = FirstIteration::Expand, reference = FirstIteration::Playout;
        /// Continue in the tree of the last decision, below what was played since (Müller 2014, 3.4.1).
        tree_reuse: bool = false;
        /// Nodes at which the tree is full and grows no further. No limit unless given.
        max_tree_nodes: Option<u64> = None, values = Values::Count(1, 1_000_000_000);
    }
}

impl OneTreeParameters {
    /// The same as parameters of any tree.
    fn tree(&self) -> TreeParameters {
        let chance = match self.chance {
            OneTreeChance::Sampled => ChanceMode::Sampled,
            OneTreeChance::Peek => ChanceMode::Peek,
        };
        let OneTreeParameters { parent_visits, leaf_reward, first_iteration, tree_reuse, max_tree_nodes, .. } = *self;
        TreeParameters {
            chance,
            parent_visits,
            leaf_reward,
            first_iteration,
            tree_reuse,
            max_tree_nodes,
            ..TreeParameters::defaults(Preset::Text)
        }
    }
}

evouct_base::parameter_groups! {
    /// MCTS with a portfolio of formulas.
    struct PortfolioParameters<D: Domain> {
        /// The formulas.
        choice: ChoiceParameters<D>;
        /// The prior of moves, the same for all formulas.
        policy: PolicyParameters<D>;
        /// Limits.
        budget: BudgetParameters;
        /// Playouts.
        playouts: PlayoutParameters<D>;
        /// The tree.
        tree: OneTreeParameters;
        /// The final move.
        end: FinalParameters;
    }
}

impl<D: Domain> ChoiceParameters<D> {
    fn genomes(&self) -> &[Genome] {
        self.formulas.as_ref().map_or(&[], |library| &library.genomes)
    }

    fn trees(&self) -> impl Iterator<Item = &Tree> {
        self.genomes().iter().flat_map(|genome| genome.slots().filter_map(|slot| genome.tree(slot)))
    }

    /// What all formulas need.
    fn needs(&self) -> Needs {
        let mut needs = Needs::default();
        self.trees().for_each(|tree| tree.needs().columns().for_each(|column| needs.add(column)));
        needs
    }

    /// New formulas are made of what the given ones are made of: their terminals, the functions of the paper, max and
    /// min.
    fn variation(&self) -> Variation {
        let mut terminals = Vec::new();
        for node in self.trees().flat_map(Tree::nodes) {
            match node {
                Node::Terminal(Terminal::Number(_)) | Node::Function(_) => {}
                Node::Terminal(terminal) if terminals.contains(terminal) => {}
                Node::Terminal(terminal) => terminals.push(*terminal),
            }
        }
        let slots = Slot::NAMES.iter().map(|(_, slot)| *slot);
        let slots = slots.filter(|slot| self.genomes().iter().any(|genome| genome.tree(*slot).is_some())).collect();
        // The list of slots stays as it is.
        let operators = Variation::operators().into_iter().filter(|operator| operator.name() != Toggle.name());
        let operators = operators.map(|operator| (Arc::clone(&operator), operator.weight())).collect();
        let functions = Function::PAPER.into_iter().chain([Function::Max, Function::Min]).collect();
        let (max_nodes, max_height) = (self.max_nodes as usize, 3);
        Variation { slots, terminals, leaf_terminals: Vec::new(), functions, max_nodes, max_height, operators }
    }

    fn choice(&self) -> FormulaChoice {
        match self.choice {
            ChoiceRule::Bandit => FormulaChoice::Bandit { exploration: self.tuning },
            ChoiceRule::Rehearsal => {
                let offspring = (self.offspring > 0).then(|| Offspring {
                    variation: self.variation(),
                    count: self.offspring,
                    population: self.population as usize,
                });
                FormulaChoice::Rehearsal(Rehearsals { count: self.rehearsals, begin: self.begin, offspring })
            }
        }
    }
}

impl<D: Domain> PortfolioParameters<D> {
    fn check(&self) -> Result<(), ParameterError> {
        let genomes = self.choice.genomes();
        if genomes.is_empty() {
            return Err(ParameterError::of("formulas", format!("formulas is needed: {}", Library::<D>::values())));
        }
        if let Some(place) = (1..genomes.len()).find(|place| genomes[..*place].contains(&genomes[*place])) {
            return Err(ParameterError::of("formulas", format!("{} is given twice", genomes[place])));
        }
        self.policy.check("formulas", &self.choice.needs())?;
        let timed = [("time_per_move", self.budget.time_per_move), ("time_per_game", self.budget.time_per_game)];
        if let Some((key, _)) =
            timed.iter().find(|(_, limit)| limit.is_some() && self.choice.choice == ChoiceRule::Rehearsal)
        {
            let problem = format!("choice = rehearsal needs a budget of iterations, found {key}; expected iterations");
            return Err(ParameterError::of(key, problem));
        }
        if self.choice.offspring > 0 && self.choice.variation().terminals.is_empty() {
            let problem = "offspring are made of the terminals of the formulas, which have none";
            return Err(ParameterError::of("offspring", problem));
        }
        let decides = genomes.iter().all(|genome| genome.tree(Slot::Final).is_some());
        if decides && self.end.final_move != FinalMove::Mean {
            let problem = format!("final = {} and the final formulas exclude each other", self.end.final_move.name());
            return Err(ParameterError::of("final", problem));
        }
        self.tree.tree().check(&self.budget)?;
        self.playouts.check()
    }

    fn check_rules(&self, rules: &D::Rules) -> Result<(), ParameterError> {
        check_columns::<D>("formulas", &self.choice.needs(), rules)?;
        self.tree.tree().check_rules::<D>()?;
        self.playouts.check_seats(Opponent::NegateQ, rules)
    }

    fn player(&self, key: Key) -> Box<dyn Player<D::Game>> {
        let settings = self.tree.tree().settings(self.playouts.reward(), self.end.final_move);
        let guidance = Guidance { policy: self.policy.policy(LnRule::Abs), ..Guidance::default() };
        let (guidance, settings): (Guidance<D::Game>, SearchSettings) =
            guidance::complete::<D>(guidance, &self.choice.needs(), settings);
        let choice = (self.choice.choice(), self.choice.carry);
        let (genomes, budget, playout) = (self.choice.genomes(), self.budget.budget(), self.playouts.policy());
        let player = Portfolio::new(genomes, &guidance, choice, budget, playout, key);
        Box::new(player.with_settings(settings).with_rewards(self.playouts.rule()))
    }
}

pub(super) fn kind<D: Domain>() -> Kind<D> {
    Kind::new(
        "portfolio-mcts",
        "MCTS that chooses among given formulas while it plays, and may evolve new ones without playouts",
        "after Sironi, Liu, Winands 2020 (bandit)",
        |p: &PortfolioParameters<D>, key| p.player(key),
    )
    .checked(PortfolioParameters::<D>::check)
    .under(PortfolioParameters::<D>::check_rules)
}
