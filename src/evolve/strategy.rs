//! The evolution strategy.

use super::evaluation::{Evaluation, EvoTree, PartialEvaluation, SeedConstant, Variant};
use super::individual::Individual;
use super::log::EvolutionLog;
use super::selection::{Form, Selection, SemanticSelection};
use crate::game::{Game, Playout};
use crate::gp::{CONSTANTS, LnRule, Mutation, Program, Tree};
use crate::sampling::below;
use crate::search::{Formula, Meter, Search, TreePolicy};

/// What becomes of the parent's fitness from one generation to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum ParentFitness {
    /// It is kept.
    #[default]
    Keep,
    /// The parent is evaluated again in each generation.
    Reevaluate,
}

impl ParentFitness {
    /// The names used in experiments.
    pub const NAMES: [(&'static str, ParentFitness); 2] =
        [("keep", ParentFitness::Keep), ("reevaluate", ParentFitness::Reevaluate)];
}

/// Which formula comes out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Returned {
    /// The one with the highest fitness ever measured, the earliest among equals.
    #[default]
    BestEver,
    /// The last parent.
    Last,
}

impl Returned {
    /// The names used in experiments.
    pub const NAMES: [(&'static str, Returned); 2] = [("best-ever", Returned::BestEver), ("last", Returned::Last)];
}

/// Every option of an evolving controller. The default is [`Settings::siea`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Which controller, and how it evaluates a formula.
    pub variant: Variant,
    /// Generations.
    pub generations: usize,
    /// Offspring a generation.
    pub lambda: usize,
    /// Playouts an evaluation.
    pub simulations: usize,
    /// Whether the parent competes with its offspring.
    pub form: Form,
    /// The parent's fitness.
    pub parent: ParentFitness,
    /// Which formula comes out.
    pub returned: Returned,
    /// The seed's `c`.
    pub seed_constant: SeedConstant,
    /// How offspring are made.
    pub mutation: Mutation,
    /// How the logarithm is protected.
    pub ln: LnRule,
}

/// The outcome of an evolution.
#[derive(Clone, Debug)]
pub struct Evolved {
    /// The policy for the rest of the search.
    pub policy: TreePolicy,
    /// What is kept of it.
    pub log: EvolutionLog,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::siea()
    }
}

impl Settings {
    /// SIEA-MCTS with the values of Galván et al. 2022: (1 + 4), 20 generations, 30 playouts an evaluation.
    pub fn siea() -> Settings {
        let (evaluation, tree) = (Evaluation::default(), EvoTree::default());
        Settings {
            variant: Variant::Semantic { evaluation, tree, selection: SemanticSelection::default() },
            generations: 20,
            lambda: 4,
            simulations: 30,
            form: Form::Plus,
            parent: ParentFitness::Keep,
            returned: Returned::BestEver,
            seed_constant: SeedConstant::PerDecision,
            mutation: Mutation::default(),
            ln: LnRule::Abs,
        }
    }

    /// EA-MCTS with the values of Galván et al. 2022.
    pub fn ea() -> Settings {
        let (evaluation, tree) = (Evaluation::default(), EvoTree::default());
        Settings { variant: Variant::Full { evaluation, tree }, ..Settings::siea() }
    }

    /// EA-p-MCTS with the values of Galván et al. 2022.
    pub fn ea_p() -> Settings {
        let evaluation = PartialEvaluation::default();
        Settings { variant: Variant::Partial { evaluation }, ..Settings::siea() }
    }

    /// How the next parent is chosen.
    pub fn selection(&self) -> Selection {
        Selection { form: self.form, semantic: self.variant.semantic_selection() }
    }

    /// Playouts of one full evolution: `simulations · (1 + generations · λ)` for plus with the parent kept.
    pub fn playouts(&self) -> u64 {
        let parents = match (self.evaluates_parent(), self.parent) {
            (false, _) => 0,
            (true, ParentFitness::Keep) => 1,
            (true, ParentFitness::Reevaluate) => self.generations.max(1),
        };
        (self.simulations * (parents + self.generations * self.lambda)) as u64
    }

    fn evaluates_parent(&self) -> bool {
        self.form == Form::Plus || self.parent == ParentFitness::Reevaluate
    }

    /// The policy of a formula.
    pub fn policy(&self, tree: &Tree, constant: Option<f64>) -> TreePolicy {
        TreePolicy::Formula(Formula { program: Program::new(tree.clone(), self.ln), constant })
    }
}

/// Evolves a formula over a search whose root is fully expanded. Stops early where the meter does not allow another
/// evaluation; individuals that were not evaluated take no part.
pub fn evolve<G: Game, P: Playout<G>>(settings: &Settings, search: &mut Search<G, P>, meter: &mut Meter) -> Evolved {
    let constant = match settings.seed_constant {
        SeedConstant::PerDecision => Some(CONSTANTS[below(search.rng(), CONSTANTS.len())]),
        SeedConstant::PerUse => None,
        SeedConstant::Fixed(constant) => Some(constant),
    };
    let copies = matches!(settings.variant.tree(), Some(EvoTree::Copy | EvoTree::CopyPerIndividual));
    if copies {
        search.save_tree();
    }
    let mut run = Run { settings, constant, best: None, playouts: 0, fitness: Vec::new(), counts: [0; 4] };
    let last = run.generations(search, meter);
    if copies {
        search.restore_tree();
    }
    let tree = match (settings.returned, run.best) {
        (Returned::BestEver, Some(best)) => best.tree,
        _ => last,
    };
    let tree = constant.map_or(tree.clone(), |constant| tree.bind(constant));
    let [ties, in_range, by_semantics, replaced] = run.counts;
    let log = EvolutionLog {
        formula: tree.infix(),
        nodes: tree.size(),
        depth: tree.depth(),
        fitness: run.fitness,
        ties,
        in_range,
        by_semantics,
        replaced,
        playouts: run.playouts,
    };
    Evolved { policy: settings.policy(&tree, constant), log }
}

struct Run<'a> {
    settings: &'a Settings,
    constant: Option<f64>,
    best: Option<Individual>,
    playouts: u64,
    fitness: Vec<f64>,
    /// Generations with ties, with a candidate in range, decided by semantics, with a new parent.
    counts: [usize; 4],
}

/// The parent: a tree, and what its evaluation gave where there was one.
struct Parent {
    tree: Tree,
    evaluated: Option<Individual>,
}

impl Run<'_> {
    /// Runs all generations and returns the last parent's tree.
    fn generations<G: Game, P: Playout<G>>(&mut self, search: &mut Search<G, P>, meter: &mut Meter) -> Tree {
        let settings = self.settings;
        let mut parent = Parent { tree: Tree::uct(), evaluated: None };
        for generation in 0..settings.generations {
            let again = generation == 0 || settings.parent == ParentFitness::Reevaluate;
            if settings.evaluates_parent() && again {
                let Some(evaluated) = self.evaluate(parent.tree.clone(), search, meter) else { break };
                if generation == 0 {
                    self.fitness.push(evaluated.fitness);
                }
                parent.evaluated = Some(evaluated);
            }
            let mut offspring = Vec::with_capacity(settings.lambda);
            for _ in 0..settings.lambda {
                let tree = settings.mutation.mutate(&parent.tree, search.rng());
                match self.evaluate(tree, search, meter) {
                    Some(individual) => offspring.push(individual),
                    None => break,
                }
            }
            if offspring.is_empty() {
                break;
            }
            let complete = offspring.len() == settings.lambda;
            let selected = settings.selection().select(parent.evaluated.as_ref(), &offspring, search.rng());
            let happened = [selected.tie, selected.in_range > 0, selected.by_semantics, selected.offspring.is_some()];
            for (count, happened) in self.counts.iter_mut().zip(happened) {
                *count += usize::from(happened);
            }
            if let Some(index) = selected.offspring {
                let chosen = offspring.swap_remove(index);
                parent = Parent { tree: chosen.tree.clone(), evaluated: Some(chosen) };
            }
            self.fitness.extend(parent.evaluated.as_ref().map(|parent| parent.fitness));
            if !complete {
                break;
            }
        }
        parent.tree
    }

    /// Evaluates a tree; none where the meter allows no more.
    fn evaluate<G: Game, P: Playout<G>>(
        &mut self,
        tree: Tree,
        search: &mut Search<G, P>,
        meter: &mut Meter,
    ) -> Option<Individual> {
        let Settings { variant, simulations, .. } = *self.settings;
        if !meter.allows_evolution() {
            return None;
        }
        if variant.tree() == Some(EvoTree::CopyPerIndividual) {
            search.restore_tree();
        }
        let policy = self.settings.policy(&tree, self.constant);
        let rewards = variant.rewards(search, &policy, simulations);
        let played = rewards.len() as u64;
        meter.count_evolution(played);
        self.playouts += played;
        let fitness = rewards.iter().sum::<f64>() / played.max(1) as f64;
        let semantics = match variant.semantic_selection() {
            Some(selection) => selection.semantics.vector(rewards),
            None => rewards,
        };
        let individual = Individual { tree, fitness, semantics };
        if self.best.as_ref().is_none_or(|best| individual.fitness > best.fitness) {
            self.best = Some(individual.clone());
        }
        Some(individual)
    }
}
