//! The evolution strategy.

use super::evaluation::{EvoTree, FitnessPlayout, PartialFitnessPlayout, SeedConstant, Variant};
use super::individual::Individual;
use super::log::EvolutionLog;
use super::selection::{Candidate, Origin, Selection, SemanticSelection, Strategy, Survivor};
use crate::game::{Game, Playout};
use crate::search::{FormulaPolicy, Meter, Search, TreePolicy};
use evouct_base::named::Named;
use evouct_gp::{LnRule, Mutation, Program, Tree};

/// How the fitness of a parent carries over to the next generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum ParentFitness {
    /// It is kept.
    #[default]
    Keep,
    /// The parent is evaluated again in each generation.
    Reevaluate,
}

impl Named for ParentFitness {
    const NAMES: &'static [(&'static str, ParentFitness)] =
        &[("keep", ParentFitness::Keep), ("reevaluate", ParentFitness::Reevaluate)];
}

/// Which formula is returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Returned {
    /// The one with the highest fitness ever measured, the earliest among equals.
    #[default]
    BestEver,
    /// The last parent.
    Last,
}

impl Named for Returned {
    const NAMES: &'static [(&'static str, Returned)] = &[("best-ever", Returned::BestEver), ("last", Returned::Last)];
}

/// Every option of an evolving controller. The default is [`EvolutionSettings::siea`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EvolutionSettings {
    /// Which controller, and how it evaluates a formula.
    pub variant: Variant,
    /// Generations.
    pub generations: usize,
    /// Parents per generation, at least 1.
    pub mu: usize,
    /// Offspring per generation.
    pub lambda: usize,
    /// Playouts per evaluation.
    pub simulations: usize,
    /// Whether the parent competes with its offspring.
    pub strategy: Strategy,
    /// The parent's fitness.
    pub parent: ParentFitness,
    /// Which formula is returned.
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
    /// The log of the evolution.
    pub log: EvolutionLog,
}

impl Default for EvolutionSettings {
    fn default() -> EvolutionSettings {
        EvolutionSettings::siea()
    }
}

impl EvolutionSettings {
    /// SIEA-MCTS with the values of Galván et al. 2022: (1 + 4), 20 generations, 30 playouts per evaluation.
    pub fn siea() -> EvolutionSettings {
        let (evaluation, tree) = (FitnessPlayout::default(), EvoTree::default());
        EvolutionSettings {
            variant: Variant::Semantic { evaluation, tree, selection: SemanticSelection::default() },
            generations: 20,
            mu: 1,
            lambda: 4,
            simulations: 30,
            strategy: Strategy::Plus,
            parent: ParentFitness::Keep,
            returned: Returned::BestEver,
            seed_constant: SeedConstant::PerDecision,
            mutation: Mutation::default(),
            ln: LnRule::Abs,
        }
    }

    /// EA-MCTS with the values of Galván et al. 2022.
    pub fn ea() -> EvolutionSettings {
        let (evaluation, tree) = (FitnessPlayout::default(), EvoTree::default());
        EvolutionSettings { variant: Variant::Full { evaluation, tree }, ..EvolutionSettings::siea() }
    }

    /// EA-p-MCTS with the values of Galván et al. 2022.
    pub fn ea_p() -> EvolutionSettings {
        let evaluation = PartialFitnessPlayout::default();
        EvolutionSettings { variant: Variant::Partial { evaluation }, ..EvolutionSettings::siea() }
    }

    /// How the next parent is chosen.
    pub fn selection(&self) -> Selection {
        Selection { strategy: self.strategy, semantic: self.variant.semantic_selection() }
    }

    /// Playouts of one full evolution: `simulations · (μ + generations · λ)` for plus with the fitness of parents kept.
    pub fn playouts(&self) -> u64 {
        let parents = match (self.evaluates_parent(), self.parent) {
            (false, _) => 0,
            (true, ParentFitness::Keep) => self.mu,
            (true, ParentFitness::Reevaluate) => self.mu * self.generations.max(1),
        };
        (self.simulations * (parents + self.generations * self.lambda)) as u64
    }

    fn evaluates_parent(&self) -> bool {
        self.strategy == Strategy::Plus || self.parent == ParentFitness::Reevaluate
    }

    /// The policy of a formula.
    pub fn policy(&self, tree: &Tree, constant: Option<f64>) -> TreePolicy {
        let constants = self.mutation.creator.constants;
        TreePolicy::Formula(FormulaPolicy { program: Program::new(tree.clone(), self.ln), constant, constants })
    }
}

/// Evolves a formula over a search whose root is fully expanded. Stops early if the meter does not allow another
/// evaluation; individuals that were not evaluated are ignored.
pub fn evolve<G: Game, P: Playout<G>>(
    settings: &EvolutionSettings,
    search: &mut Search<G, P>,
    meter: &mut Meter,
) -> Evolved {
    let constant = match settings.seed_constant {
        SeedConstant::PerDecision => Some(settings.mutation.creator.constants.draw(search.rng())),
        SeedConstant::PerUse => None,
        SeedConstant::Fixed(constant) => Some(constant),
    };
    let copies = matches!(settings.variant.tree(), Some(EvoTree::Copy | EvoTree::CopyPerIndividual));
    if copies {
        search.save_tree();
    }
    let mut run = EvolutionRun { settings, constant, best: None, playouts: 0, fitness: Vec::new(), counts: [0; 4] };
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

struct EvolutionRun<'a> {
    settings: &'a EvolutionSettings,
    constant: Option<f64>,
    best: Option<Individual>,
    playouts: u64,
    fitness: Vec<f64>,
    /// Generations with ties, with a candidate in range, decided by semantics, with a new parent.
    counts: [usize; 4],
}

/// The highest fitness of the parents that were evaluated.
fn best_fitness(parents: &[Parent]) -> Option<f64> {
    parents.iter().filter_map(|parent| parent.evaluated.as_ref()).map(|parent| parent.fitness).reduce(f64::max)
}

/// A parent: a tree and the result of its evaluation, if there was one.
#[derive(Clone)]
struct Parent {
    tree: Tree,
    evaluated: Option<Individual>,
}

impl Parent {
    fn of(individual: Individual) -> Parent {
        Parent { tree: individual.tree.clone(), evaluated: Some(individual) }
    }
}

impl EvolutionRun<'_> {
    /// Runs all generations and returns the tree of the first of the last parents.
    fn generations<G: Game, P: Playout<G>>(&mut self, search: &mut Search<G, P>, meter: &mut Meter) -> Tree {
        let settings = self.settings;
        let mut parents = vec![Parent { tree: Tree::uct(), evaluated: None }];
        // Further initial parents are mutants of the seed.
        for _ in 1..settings.mu {
            let tree = settings.mutation.mutate(&parents[0].tree, search.rng());
            parents.push(Parent { tree, evaluated: None });
        }
        for generation in 0..settings.generations {
            let again = generation == 0 || settings.parent == ParentFitness::Reevaluate;
            if settings.evaluates_parent() && again && self.evaluate_parents(&mut parents, search, meter).is_none() {
                break;
            }
            if generation == 0 {
                self.fitness.extend(best_fitness(&parents));
            }
            let offspring = self.breed(&parents, search, meter);
            if offspring.is_empty() {
                break;
            }
            let complete = offspring.len() == settings.lambda;
            parents = self.select(&parents, &offspring, search);
            self.fitness.extend(best_fitness(&parents));
            if !complete {
                break;
            }
        }
        parents.swap_remove(0).tree
    }

    /// Evaluates all parents; none if the meter does not allow it.
    fn evaluate_parents<G: Game, P: Playout<G>>(
        &mut self,
        parents: &mut [Parent],
        search: &mut Search<G, P>,
        meter: &mut Meter,
    ) -> Option<()> {
        for parent in parents {
            parent.evaluated = Some(self.evaluate(parent.tree.clone(), search, meter)?);
        }
        Some(())
    }

    /// The offspring of a generation, each with the number of its parent: the parents take turns. Fewer than λ if the
    /// meter does not allow more.
    fn breed<G: Game, P: Playout<G>>(
        &mut self,
        parents: &[Parent],
        search: &mut Search<G, P>,
        meter: &mut Meter,
    ) -> Vec<(usize, Individual)> {
        let mut offspring = Vec::with_capacity(self.settings.lambda);
        for number in 0..self.settings.lambda {
            let parent = number % parents.len();
            let tree = self.settings.mutation.mutate(&parents[parent].tree, search.rng());
            match self.evaluate(tree, search, meter) {
                Some(individual) => offspring.push((parent, individual)),
                None => break,
            }
        }
        offspring
    }

    /// The parents of the next generation.
    fn select<'p, G: Game, P: Playout<G>>(
        &mut self,
        parents: &'p [Parent],
        offspring: &'p [(usize, Individual)],
        search: &mut Search<G, P>,
    ) -> Vec<Parent> {
        let of_parent = |(index, parent): (usize, &'p Parent)| {
            let individual = parent.evaluated.as_ref()?;
            Some(Candidate { origin: Origin::Parent(index), individual, parent: None })
        };
        let of_offspring = |(index, (parent, individual)): (usize, &'p (usize, Individual))| Candidate {
            origin: Origin::Offspring(index),
            individual,
            parent: parents[*parent].evaluated.as_ref(),
        };
        let candidates: Vec<Candidate> = parents
            .iter()
            .enumerate()
            .filter_map(of_parent)
            .chain(offspring.iter().enumerate().map(of_offspring))
            .collect();
        let survivors = self.settings.selection().survivors(&candidates, self.settings.mu, search.rng());
        let happened = [
            survivors.iter().any(|survivor| survivor.tie),
            survivors.iter().any(|survivor| survivor.in_range > 0),
            survivors.iter().any(|survivor| survivor.by_semantics),
            survivors.iter().any(|survivor| matches!(survivor.origin, Origin::Offspring(_))),
        ];
        for (count, happened) in self.counts.iter_mut().zip(happened) {
            *count += usize::from(happened);
        }
        let next = |survivor: &Survivor| match survivor.origin {
            Origin::Parent(index) => parents[index].clone(),
            Origin::Offspring(index) => Parent::of(offspring[index].1.clone()),
        };
        survivors.iter().map(next).collect()
    }

    /// Evaluates a tree; none if the meter allows no more.
    fn evaluate<G: Game, P: Playout<G>>(
        &mut self,
        tree: Tree,
        search: &mut Search<G, P>,
        meter: &mut Meter,
    ) -> Option<Individual> {
        let EvolutionSettings { variant, simulations, .. } = *self.settings;
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
