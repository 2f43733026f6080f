//! The evolution strategy.

use super::evaluation::{EvoTree, FitnessPlayout, PartialFitnessPlayout, SeedConstant, Variant};
use super::log::EvolutionLog;
use crate::game::{Game, Playout};
use crate::search::{FormulaPolicy, Meter, Search, TreePolicy};
use evouct_gp::{
    ConstantSet, Genome, Individual, LnRule, Mutation, Needs, Program, SEED, Sampled, Selection, SemanticSelection,
    Slot, Strategy, SurvivalCandidate, Terminal, Tree, Variation, parents_by,
};

evouct_base::named! {
    /// How the fitness of a parent carries over to the next generation.
    #[derive(Default)]
    pub enum ParentFitness {
        /// It is kept.
        #[default]
        Keep = "keep",
        /// The parent is evaluated again in each generation.
        Reevaluate = "reevaluate",
    }

    /// Which formula is returned.
    #[derive(Default)]
    pub enum Returned {
        /// The one with the highest fitness ever measured, the earliest among equals.
        #[default]
        BestEver = "best-ever",
        /// The last parent.
        Last = "last",
    }
}

/// Every option of an evolving controller. The default is [`EvolutionSettings::siea`].
#[derive(Clone, Debug)]
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
    /// The formula that evolution begins with: UCT.
    pub seed: Tree,
    /// The seed's `c`.
    pub seed_constant: SeedConstant,
    /// How offspring are made. Only formulas that select are used.
    pub variation: Variation,
    /// What `c` is drawn from.
    pub constants: ConstantSet,
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
            seed: Tree::uct(),
            seed_constant: SeedConstant::PerDecision,
            variation: Mutation::default().into(),
            constants: ConstantSet::default(),
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

    /// The columns that formulas may need: those of the seed and of the terminals.
    pub fn needs(&self) -> Needs {
        let mut needs = self.seed.needs();
        let of_variation = self.variation.terminals.iter().filter_map(|terminal| match terminal {
            Terminal::Column(column) => Some(*column),
            _ => None,
        });
        of_variation.for_each(|column| needs.add(column));
        needs
    }

    /// The policy of a formula.
    pub fn policy(&self, tree: &Tree, constant: Option<f64>) -> TreePolicy {
        let (program, constants) = (Program::new(tree.clone(), self.ln), self.constants);
        TreePolicy::Formula(FormulaPolicy { program, constant, constants })
    }
}

/// Evolves a formula over a search whose root is fully expanded. Stops early if the meter does not allow another
/// evaluation; individuals that were not evaluated are ignored. The search must keep the columns that formulas may
/// [need](EvolutionSettings::needs).
pub fn evolve<G: Game, P: Playout<G>>(
    settings: &EvolutionSettings,
    search: &mut Search<G, P>,
    meter: &mut Meter,
) -> Evolved {
    let constant = match settings.seed_constant {
        SeedConstant::PerDecision => Some(settings.constants.draw(search.rng())),
        SeedConstant::PerUse => None,
        SeedConstant::Fixed(constant) => Some(constant),
    };
    let copies = matches!(settings.variant.tree(), Some(EvoTree::Copy | EvoTree::CopyPerIndividual));
    if copies {
        search.save_tree();
    }
    let (individuals, fitness) = (Vec::new(), Vec::new());
    let mut run = EvolutionRun { settings, constant, individuals, best: None, playouts: 0, fitness, counts: [0; 4] };
    let last = run.generations(search, meter);
    if copies {
        search.restore_tree();
    }
    let tree = run.tree(match (settings.returned, run.best) {
        (Returned::BestEver, Some((best, _))) => best,
        _ => last,
    });
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
    /// All individuals, in the order of birth; those that were not evaluated have no fitness.
    individuals: Vec<Individual<Option<Sampled>>>,
    /// The best one ever, with the fitness that it had then.
    best: Option<(usize, f64)>,
    playouts: u64,
    fitness: Vec<f64>,
    /// Generations with ties, with a candidate in range, decided by semantics, with a new parent.
    counts: [usize; 4],
}

impl EvolutionRun<'_> {
    /// Runs all generations and returns the number of the first of the last parents.
    fn generations<G: Game, P: Playout<G>>(&mut self, search: &mut Search<G, P>, meter: &mut Meter) -> usize {
        let settings = self.settings;
        let mut parents = vec![self.add(Genome::of(settings.seed.clone()), 0, Vec::new(), SEED)];
        // Further initial parents are offspring of the seed.
        for _ in 1..settings.mu {
            parents.push(self.born([0, 0], 0, search));
        }
        for generation in 0..settings.generations {
            let again = generation == 0 || settings.parent == ParentFitness::Reevaluate;
            let evaluates = settings.evaluates_parent() && again;
            if evaluates && !parents.iter().all(|parent| self.evaluate(*parent, search, meter)) {
                break;
            }
            if generation == 0 {
                self.fitness.extend(self.best_fitness(&parents));
            }
            let offspring = self.breed(&parents, generation as u32, search, meter);
            if offspring.is_empty() {
                break;
            }
            let complete = offspring.len() == settings.lambda;
            parents = self.select(&parents, &offspring, search);
            self.fitness.extend(self.best_fitness(&parents));
            if !complete {
                break;
            }
        }
        parents[0]
    }

    /// The formula of an individual.
    fn tree(&self, id: usize) -> Tree {
        self.individuals[id].genome.tree(Slot::Select).expect("every genome selects").clone()
    }

    fn add(&mut self, genome: Genome, born: u32, parents: Vec<usize>, operator: &'static str) -> usize {
        let id = self.individuals.len();
        self.individuals.push(Individual { id, genome, born, island: 0, parents, operator, fitness: None });
        id
    }

    /// An offspring of these two.
    fn born<G: Game, P: Playout<G>>(&mut self, parents: [usize; 2], born: u32, search: &mut Search<G, P>) -> usize {
        let settings = self.settings;
        let genomes = parents.map(|parent| &self.individuals[parent].genome);
        let (genome, operator) = settings.variation.offspring(genomes, search.rng());
        self.add(genome, born, parents_by(operator, parents), operator.name())
    }

    /// The highest fitness of the parents that were evaluated.
    fn best_fitness(&self, parents: &[usize]) -> Option<f64> {
        parents.iter().filter_map(|id| self.individuals[*id].fitness.as_ref()).map(|of| of.mean).reduce(f64::max)
    }

    /// The offspring of a generation: the parents take turns. Fewer than λ if the meter does not allow more.
    fn breed<G: Game, P: Playout<G>>(
        &mut self,
        parents: &[usize],
        generation: u32,
        search: &mut Search<G, P>,
        meter: &mut Meter,
    ) -> Vec<usize> {
        let mut offspring = Vec::with_capacity(self.settings.lambda);
        for number in 0..self.settings.lambda {
            let pair = [number, number + 1].map(|number| parents[number % parents.len()]);
            let id = self.born(pair, generation, search);
            if !self.evaluate(id, search, meter) {
                break;
            }
            offspring.push(id);
        }
        offspring
    }

    /// The parents of the next generation.
    fn select<G: Game, P: Playout<G>>(
        &mut self,
        parents: &[usize],
        offspring: &[usize],
        search: &mut Search<G, P>,
    ) -> Vec<usize> {
        let fitness = |id: usize| self.individuals[id].fitness.as_ref();
        let candidate = |(id, is_parent): (usize, bool)| {
            let parent = self.individuals[id].parents.first().filter(|_| !is_parent);
            Some(SurvivalCandidate {
                id,
                is_parent,
                fitness: fitness(id)?,
                of_parent: parent.and_then(|id| fitness(*id)),
            })
        };
        let all = parents.iter().map(|id| (*id, true)).chain(offspring.iter().map(|id| (*id, false)));
        let candidates: Vec<SurvivalCandidate> = all.filter_map(candidate).collect();
        let survivors = self.settings.selection().survivors(&candidates, self.settings.mu, search.rng());
        let happened = [
            survivors.iter().any(|survivor| survivor.tie),
            survivors.iter().any(|survivor| survivor.in_range > 0),
            survivors.iter().any(|survivor| survivor.by_semantics),
            survivors.iter().any(|survivor| offspring.contains(&survivor.id)),
        ];
        for (count, happened) in self.counts.iter_mut().zip(happened) {
            *count += usize::from(happened);
        }
        survivors.iter().map(|survivor| survivor.id).collect()
    }

    /// Evaluates an individual; false if the meter allows no more.
    fn evaluate<G: Game, P: Playout<G>>(&mut self, id: usize, search: &mut Search<G, P>, meter: &mut Meter) -> bool {
        let EvolutionSettings { variant, simulations, .. } = *self.settings;
        if !meter.allows_evolution() {
            return false;
        }
        if variant.tree() == Some(EvoTree::CopyPerIndividual) {
            search.restore_tree();
        }
        let policy = self.settings.policy(&self.tree(id), self.constant);
        let rewards = variant.rewards(search, &policy, simulations);
        let played = rewards.len() as u64;
        meter.count_evolution(played);
        self.playouts += played;
        let mean = rewards.iter().sum::<f64>() / played.max(1) as f64;
        let semantics = match variant.semantic_selection() {
            Some(selection) => selection.semantics.vector(rewards),
            None => rewards,
        };
        self.individuals[id].fitness = Some(Sampled { mean, semantics });
        if self.best.is_none_or(|(_, best)| mean > best) {
            self.best = Some((id, mean));
        }
        true
    }
}
