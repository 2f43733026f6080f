//! Generations: populations on islands, of which each one is measured at once.
//!
//! The course of an evolution is a function of its plan and of what its measurements say. Generations are barriers: all
//! measurements of one are asked for at once, and their order of arrival is never seen.

use super::algorithm::EvolutionAlgorithm;
use super::alike::{Alike, Kin};
use super::batches::PlannedBatch;
use super::birth;
use super::constants::ConstantSearch;
use super::history::{EquivalentGenome, GenerationRow, History, Individual, Judge, Samples, the_better_first};
use super::proposals::{PROPOSED, Proposals};
use crate::error::EvolutionError;
use crate::fitness::measure::{HallOfFame, Request, SEMANTICS};
use crate::fitness::pooled::GainEstimate;
use crate::plan::EvolutionPlan;
use crate::plan::algorithm::Generations;
use crate::plan::keys::SemanticRule;
use evouct_base::sampling::below;
use evouct_base::seed::Key;
use evouct_gp::{Decisions, Genome, crowded_order, mean_magnitude};
use rand_chacha::ChaCha8Rng;

impl Generations {
    /// The births of an island.
    fn births(&self, plan: &EvolutionPlan, generation: u32) -> usize {
        match generation {
            0 if plan.is_of_constants_alone() => plan.seeds.len(),
            _ if plan.is_of_constants_alone() => 0,
            0 => (self.first)(&plan.evolve),
            _ => plan.evolve.offspring(),
        }
    }
}

impl EvolutionAlgorithm for Generations {
    fn evolve(&self, plan: &EvolutionPlan, judge: &mut dyn Judge) -> Result<History, EvolutionError> {
        let mut evolution = Evolution {
            plan,
            rules: self,
            key: Key::experiment(plan.seed).named("variation", 0),
            history: History::default(),
            alike: Alike::default(),
            searches: Vec::new(),
            islands: vec![Vec::new(); plan.evolve.islands],
            order: Vec::new(),
            proposals: Proposals::default(),
        };
        for generation in 0..plan.evolve.generations {
            evolution.generation(generation, judge)?;
        }
        Ok(evolution.history)
    }

    fn batches(&self, plan: &EvolutionPlan) -> Vec<PlannedBatch> {
        let stay = |generation: u32| if generation == 0 { 0 } else { (self.stay)(&plan.evolve) };
        plan.batches_of_generations(|generation| match plan.is_of_constants_alone() {
            true => plan.seeds.len(),
            false => (stay(generation) + self.births(plan, generation)) * plan.evolve.islands,
        })
    }
}

struct Evolution<'a> {
    plan: &'a EvolutionPlan,
    rules: &'a Generations,
    key: Key,
    history: History,
    /// The individuals, by the keys of their genomes or, where structures evolve, of their structures: what comes again, or
    /// decides alike, is the same individual.
    alike: Alike,
    /// Where structures evolve, by individual, the search for its constants; none if it has none.
    searches: Vec<Option<ConstantSearch>>,
    /// By island, the parents of the next generation, the best first.
    islands: Vec<Vec<usize>>,
    /// All individuals of the last generation, the best first.
    order: Vec<usize>,
    proposals: Proposals,
}

impl Evolution<'_> {
    fn generation(&mut self, generation: u32, judge: &mut dyn Judge) -> Result<(), EvolutionError> {
        let plan = self.plan;
        if generation > 0 && plan.evolve.migrate_every > 0 && generation.is_multiple_of(plan.evolve.migrate_every) {
            self.migrate();
        }
        let mut populations: Vec<Vec<usize>> = Vec::new();
        for island in 0..plan.evolve.islands {
            let mut population: Vec<usize> = self.stay(island).to_vec();
            for place in 0..self.rules.births(plan, generation) - self.share(generation, island) {
                let key = self.key.named("generation", u64::from(generation)).nth(island as u32);
                let mut rng = key.nth(place as u32).stream();
                let born = self.born(generation, island, place, &mut rng);
                if !population.contains(&born) {
                    population.push(born);
                }
            }
            populations.push(population);
        }
        if generation > 0 {
            self.propose(generation, &mut populations, judge)?;
        }
        self.order = self.measure(generation, &populations, judge)?;
        let ranked = |population: Vec<usize>| self.order.iter().copied().filter(|id| population.contains(id)).collect();
        let mut populations: Vec<Vec<usize>> = populations.into_iter().map(ranked).collect();
        if let Some(rule) = plan.evolve.semantic_rule() {
            self.prefer_by_semantics(rule, &mut populations, judge)?;
        }
        for (island, mut population) in populations.into_iter().enumerate() {
            self.note(generation, island, &population);
            let admits = |id: &usize| self.rules.strategy.admits(self.history.individuals[*id].born < generation);
            // An island whose offspring are all known already keeps its parents.
            if population.iter().any(admits) {
                population.retain(admits);
            }
            population.truncate(plan.evolve.population);
            self.islands[island] = population;
        }
        let best = self.history.individuals[self.order[0]].genome.clone();
        self.history.hall.admit(&best, plan.evolve.hall_of_fame);
        let rows = self.history.generations.len() - plan.evolve.islands;
        judge.generation(&self.history, &self.history.generations[rows..]);
        Ok(())
    }

    /// The parents that are measured again and may stay.
    fn stay(&self, island: usize) -> &[usize] {
        let parents = &self.islands[island];
        &parents[..(self.rules.stay)(&self.plan.evolve).min(parents.len())]
    }

    /// The births of an island that are left to proposers.
    fn share(&self, generation: u32, island: usize) -> usize {
        let count = self.plan.proposed_at_most();
        if generation == 0 { 0 } else { (count + self.plan.evolve.islands - 1 - island) / self.plan.evolve.islands }
    }

    /// Has proposers fill their share of the births: the islands get the formulas in turn.
    fn propose(
        &mut self,
        generation: u32,
        populations: &mut [Vec<usize>],
        judge: &mut dyn Judge,
    ) -> Result<(), EvolutionError> {
        let told = (&self.history, self.order.as_slice());
        for (place, proposed) in self.proposals.ask(self.plan, generation, told, judge)?.into_iter().enumerate() {
            let (island, next) = (place % self.plan.evolve.islands, self.history.individuals.len());
            let id = self.individual(proposed.genome.clone(), generation, island, PROPOSED, Vec::new());
            self.proposals.note(&proposed, id, id == next);
            if id == next {
                populations[island].push(id);
            }
        }
        self.history.proposers = self.proposals.tallies();
        Ok(())
    }

    /// The individual number `place` among the births of an island.
    fn born(&mut self, generation: u32, island: usize, place: usize, rng: &mut ChaCha8Rng) -> usize {
        let plan = self.plan;
        let is_seed = generation == 0 && place < plan.seeds.len();
        let (genome, operator, parents) = if self.rules.is_random && !is_seed {
            birth::random(plan, rng)
        } else if generation == 0 {
            birth::first(plan, place, rng)
        } else {
            let parents = [(); 2].map(|()| self.parent(island, rng));
            birth::offspring(plan, &self.history, parents, rng)
        };
        self.individual(genome, generation, island, operator, parents)
    }

    fn individual(
        &mut self,
        genome: Genome,
        born: u32,
        island: usize,
        operator: &'static str,
        parents: Vec<usize>,
    ) -> usize {
        let (plan, id) = (self.plan, self.history.individuals.len());
        let genome = genome.simplified(plan.ln);
        let structures = plan.evolve.cma_samples > 0;
        let key = if structures { genome.structure(plan.ln) } else { genome.key() };
        match self.alike.take(key, || plan.folds().then(|| Decisions::of(&genome, plan.ln)), id) {
            Kin::New => {}
            Kin::Again(known) => return known,
            Kin::Alike(into) => {
                self.history.folded.push(EquivalentGenome { born, genome, into });
                return into;
            }
        }
        if structures {
            let parent = parents.first().and_then(|parent| self.searches[*parent].as_ref());
            self.searches.push(ConstantSearch::of(&genome, parent, plan.evolve.cma_samples, plan.most_samples()));
        }
        self.history.born(genome, (born, island), (operator, parents));
        self.history.second.extend(self.plan.second.map(|_| GainEstimate::default()));
        id
    }

    /// A parent: by tournament, or any.
    fn parent(&self, island: usize, rng: &mut ChaCha8Rng) -> usize {
        let parents = &self.islands[island];
        match self.rules.has_tournaments {
            true => birth::tournament(self.plan.evolve.tournament, parents, rng),
            false => parents[below(rng, parents.len())],
        }
    }

    /// Measures every individual of a generation, and the reference. After each round of the first stage but the last,
    /// only the better half is measured again, so most of the effort reduces the errors of the best. Returns all
    /// individuals, the best first; those with more rounds rank above the others.
    fn measure(
        &mut self,
        generation: u32,
        populations: &[Vec<usize>],
        judge: &mut dyn Judge,
    ) -> Result<Vec<usize>, EvolutionError> {
        let mut wanted: Vec<usize> = populations.iter().flatten().copied().collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut order = Vec::new();
        let rounds = &self.plan.stages[0].rounds;
        for (round, units) in (0_u32..).zip(rounds) {
            let batch = generation * rounds.len() as u32 + round;
            let samples: Vec<Samples> = wanted.iter().map(|id| self.samples(*id, batch, *units)).collect();
            let values = self.history.measure_samples(self.plan, (batch, *units), &samples, judge)?;
            samples.iter().zip(values).for_each(|(samples, values)| self.learn(samples.id, &samples.points, &values));
            self.rank(&mut wanted);
            let last = round as usize + 1 == rounds.len();
            let going_on = if last { 0 } else { wanted.len().div_ceil(2) };
            order.splice(0..0, wanted.drain(going_on..));
            wanted.sort_unstable();
        }
        Ok(order)
    }

    /// What is measured of an individual in a batch: its genome, or samples of its structure. A structure without
    /// constants plays as many games as others.
    fn samples(&self, id: usize, batch: u32, units: u32) -> Samples {
        let genome = &self.history.individuals[id].genome;
        let samples = self.plan.evolve.cma_samples;
        match self.searches.get(id).and_then(Option::as_ref) {
            Some(search) => {
                let key = self.key.named("constants", id as u64).nth(batch);
                let point = |place: usize| search.sample(&mut key.nth(place as u32).stream());
                let points: Vec<Vec<f64>> = (0..samples).map(point).collect();
                Samples { id, genomes: points.iter().map(|point| search.genome(point)).collect(), points, units }
            }
            None => {
                let times = if self.plan.is_paired() { 1 } else { samples.max(1) as u32 };
                Samples { id, genomes: vec![genome.clone()], points: Vec::new(), units: units * times }
            }
        }
    }

    /// Tells the search for an individual's constants what its samples are worth.
    fn learn(&mut self, id: usize, points: &[Vec<f64>], values: &[f64]) {
        let Some(search) = self.searches.get_mut(id).and_then(Option::as_mut) else { return };
        let genome = search.learn(points, values);
        let before = std::mem::replace(&mut self.history.individuals[id].genome, genome);
        let [before, after] =
            [&before, &self.history.individuals[id].genome].map(|genome| Decisions::of(genome, self.plan.ln));
        self.alike.change(id, &before, after);
    }

    /// On each island, puts first whom the rule of semantics chooses among the equals.
    fn prefer_by_semantics(
        &self,
        rule: SemanticRule,
        populations: &mut [Vec<usize>],
        judge: &mut dyn Judge,
    ) -> Result<(), EvolutionError> {
        let individuals = &self.history.individuals;
        let gain = |id: usize| individuals[id].fitness.mean();
        let equals = |population: &Vec<usize>| -> Vec<usize> {
            let best = gain(population[0]);
            population.iter().copied().filter(|id| rule.selection.is_equal(gain(*id), best)).collect()
        };
        let equals: Vec<Vec<usize>> =
            populations.iter().map(equals).map(|ids| if ids.len() > 1 { ids } else { Vec::new() }).collect();
        let mut wanted: Vec<usize> = equals.iter().flatten().copied().collect();
        wanted.extend(equals.iter().flatten().filter_map(|id| individuals[*id].parents.first()));
        wanted.sort_unstable();
        wanted.dedup();
        if wanted.is_empty() {
            return Ok(());
        }
        let request = |id: &usize| {
            self.plan.request(0, SEMANTICS, rule.units, individuals[*id].genome.clone(), &HallOfFame::default())
        };
        let requests: Vec<Request> = wanted.iter().map(request).collect();
        let measured = judge.measure(&requests)?;
        let units = self.plan.block_units(&requests[0]);
        let sums = |id: usize| &measured[wanted.binary_search(&id).expect("each was measured")].sums;
        let distance = |id: usize| {
            let parent = *individuals[id].parents.first()?;
            let cases = sums(id).iter().zip(sums(parent)).zip(&units);
            Some(mean_magnitude(cases.map(|((own, theirs), units)| (own - theirs) / f64::from(*units))))
        };
        for (population, equals) in populations.iter_mut().zip(equals) {
            let in_range = rule.selection.in_range(equals.into_iter().filter_map(|id| Some((id, distance(id)?))));
            let Some(chosen) = in_range.first() else { continue };
            let place = population.iter().position(|id| id == chosen).expect("it is one of the population");
            population[..=place].rotate_right(1);
        }
        Ok(())
    }

    /// The best first; of equal ones the smaller, then the older. Structures are compared by the gain that is sure: the
    /// gain less its standard error, which is the larger the younger they are. With two objectives by front and crowding
    /// before that.
    fn rank(&self, ids: &mut [usize]) {
        let value =
            |own: &Individual| if self.plan.evolve.cma_samples > 0 { own.fitness.sure() } else { own.fitness.mean() };
        let individual = |id: &usize| &self.history.individuals[*id];
        ids.sort_by(|a, b| the_better_first(individual(a), individual(b), value));
        if self.plan.second.is_some() {
            let objectives: Vec<[f64; 2]> = ids.iter().map(|id| self.history.objectives(*id)).collect();
            let crowded: Vec<usize> = crowded_order(&objectives).into_iter().map(|place| ids[place]).collect();
            ids.copy_from_slice(&crowded);
        }
    }

    fn note(&mut self, generation: u32, island: usize, population: &[usize]) {
        let mut individuals: Vec<&Individual> = population.iter().map(|id| &self.history.individuals[*id]).collect();
        if self.plan.second.is_some() {
            individuals.sort_by(|a, b| the_better_first(a, b, |own| own.fitness.mean()));
        }
        let row = GenerationRow::of(generation, island, &individuals);
        self.history.generations.push(row);
    }

    /// The best of each island also go to the next one, where they stand by their rank in the last generation.
    fn migrate(&mut self) {
        let rank = |id: usize| self.order.iter().position(|other| *other == id);
        let is_behind = |parent: usize, emigrant: usize| rank(parent) > rank(emigrant);
        birth::migrate(&mut self.islands, self.plan.evolve.migrate_count, is_behind);
    }
}
