//! The evolution: populations on islands, generation by generation.
//!
//! The course of an evolution is a function of its plan and of what its measurements say. Generations are barriers: all
//! measurements of one are asked for at once, and their order of arrival is never seen.

use super::measure::{Hall, Measured, Request, SEMANTICS};
use super::plan::{Algorithm, EvolutionPlan, SemanticRule};
use super::pooled::Pooled;
use evouct_base::sampling::below;
use evouct_base::seed::Key;
use evouct_gp::{Genome, Operator};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

/// An individual.
#[derive(Clone, Debug)]
pub struct Individual {
    /// Its number, from 0, in the order of birth.
    pub id: usize,
    /// Its formulas, simplified.
    pub genome: Genome,
    /// The generation of its birth, from 0.
    pub born: u32,
    /// The island of its birth.
    pub island: usize,
    /// The numbers of its parents.
    pub parents: Vec<usize>,
    /// How it was made.
    pub operator: Operator,
    /// Its gain over the reference, in points per game. In games, where two players on the same decks are hardly
    /// correlated, it is the mean less that of the reference over all generations; the error is that of the mean alone.
    pub gain: Pooled,
}

/// A generation of an island, as it was measured.
#[derive(Clone, PartialEq, Debug)]
pub struct GenerationRow {
    /// The generation, from 0.
    pub generation: u32,
    /// The island.
    pub island: usize,
    /// The best individual.
    pub best: usize,
    /// Its gain over the reference.
    pub best_gain: f64,
    /// The median gain.
    pub median_gain: f64,
    /// The mean number of nodes.
    pub size: f64,
}

/// What an evolution asks for.
pub trait Judge {
    /// Why it cannot continue.
    type Error;

    /// Measures genomes; answers are in the order of the requests.
    ///
    /// # Errors
    /// If a measurement fails, or the run is interrupted.
    fn measure(&mut self, requests: &[Request]) -> Result<Vec<Measured>, Self::Error>;

    /// Is called after each generation: its rows, one per island.
    fn generation(&mut self, _history: &History, _rows: &[GenerationRow]) {}
}

/// The course of an evolution.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Every individual, in the order of birth.
    pub individuals: Vec<Individual>,
    /// Generations, island by island.
    pub generations: Vec<GenerationRow>,
    /// The hall of fame after the last generation.
    pub hall: Hall,
}

/// Evolves.
///
/// # Errors
/// Those of the judge.
pub fn evolve<J: Judge>(plan: &EvolutionPlan, judge: &mut J) -> Result<History, J::Error> {
    let mut evolution = Evolution {
        plan,
        key: Key::experiment(plan.seed).named("variation", 0),
        history: History::default(),
        known: HashMap::new(),
        islands: vec![Vec::new(); plan.islands],
        reference: Pooled::default(),
        order: Vec::new(),
    };
    for generation in 0..plan.generations {
        evolution.generation(generation, judge)?;
    }
    Ok(evolution.history)
}

struct Evolution<'a> {
    plan: &'a EvolutionPlan,
    key: Key,
    history: History,
    /// Individuals by the text of their genome: a genome that comes again is the same individual.
    known: HashMap<String, usize>,
    /// By island, the parents of the next generation, the best first.
    islands: Vec<Vec<usize>>,
    /// What the reference itself is worth, over all generations: for stages that are not paired.
    reference: Pooled,
    /// All individuals of the last generation, the best first.
    order: Vec<usize>,
}

impl Evolution<'_> {
    fn generation<J: Judge>(&mut self, generation: u32, judge: &mut J) -> Result<(), J::Error> {
        let plan = self.plan;
        if generation > 0 && plan.migrate_every > 0 && generation.is_multiple_of(plan.migrate_every) {
            self.migrate();
        }
        let mut populations: Vec<Vec<usize>> = Vec::new();
        for island in 0..plan.islands {
            let mut population: Vec<usize> = self.stay(island).to_vec();
            for place in 0..self.births(generation) {
                let key = self.key.named("generation", u64::from(generation)).nth(island as u32);
                let mut rng = key.nth(place as u32).stream();
                let born = self.born(generation, island, place, &mut rng);
                if !population.contains(&born) {
                    population.push(born);
                }
            }
            populations.push(population);
        }
        self.order = self.measure(generation, &populations, judge)?;
        let ranked = |population: Vec<usize>| self.order.iter().copied().filter(|id| population.contains(id)).collect();
        let mut populations: Vec<Vec<usize>> = populations.into_iter().map(ranked).collect();
        if let Some(rule) = plan.semantics {
            self.prefer_by_semantics(rule, &mut populations, judge)?;
        }
        for (island, mut population) in populations.into_iter().enumerate() {
            self.note(generation, island, &population);
            if plan.algorithm == Algorithm::Comma {
                population.retain(|id| self.history.individuals[*id].born == generation);
            }
            population.truncate(plan.population);
            self.islands[island] = population;
        }
        let best = self.history.individuals[self.order[0]].genome.clone();
        self.history.hall.admit(&best, plan.hall_of_fame);
        let rows = self.history.generations.len() - plan.islands;
        judge.generation(&self.history, &self.history.generations[rows..]);
        Ok(())
    }

    /// The parents that are measured again and may stay.
    fn stay(&self, island: usize) -> &[usize] {
        let parents = &self.islands[island];
        let most = match self.plan.algorithm {
            Algorithm::Generational | Algorithm::Random => self.plan.elite,
            Algorithm::Plus => self.plan.population,
            Algorithm::Comma => 0,
        };
        &parents[..most.min(parents.len())]
    }

    fn births(&self, generation: u32) -> usize {
        match (self.plan.algorithm, generation) {
            (Algorithm::Generational, 0) => self.plan.population,
            (Algorithm::Plus | Algorithm::Comma, 0) => self.plan.population.max(self.plan.offspring),
            _ => self.plan.offspring,
        }
    }

    /// The individual number `place` among the births of an island.
    fn born(&mut self, generation: u32, island: usize, place: usize, rng: &mut ChaCha8Rng) -> usize {
        let variation = &self.plan.variation;
        let seeds = &self.plan.seeds;
        let (genome, operator, parents) = if generation == 0 && place < seeds.len() {
            (seeds[place].clone(), Operator::Seed, Vec::new())
        } else if self.plan.algorithm == Algorithm::Random
            || (generation == 0 && place % 2 == 1 && variation.changes_form())
        {
            (variation.random(rng), Operator::Random, Vec::new())
        } else if generation == 0 {
            // Half of the first generation are relatives of the seeds; all are, where nothing but constants evolves.
            let seed = &seeds[below(rng, seeds.len())];
            let (genome, operator) = variation.offspring(seed, seed, rng);
            (genome, operator, Vec::new())
        } else {
            let (parent, other) = (self.parent(island, rng), self.parent(island, rng));
            let genome = |id: usize| &self.history.individuals[id].genome;
            let (genome, operator) = variation.offspring(genome(parent), genome(other), rng);
            let parents = if operator == Operator::Crossover { vec![parent, other] } else { vec![parent] };
            (genome, operator, parents)
        };
        self.individual(genome, generation, island, operator, parents)
    }

    fn individual(
        &mut self,
        genome: Genome,
        born: u32,
        island: usize,
        operator: Operator,
        parents: Vec<usize>,
    ) -> usize {
        let genome = genome.simplified(self.plan.ln);
        let text = genome.to_string();
        let id = self.history.individuals.len();
        if let Some(known) = self.known.insert(text.clone(), id) {
            self.known.insert(text, known);
            return known;
        }
        self.history.individuals.push(Individual {
            id,
            genome,
            born,
            island,
            parents,
            operator,
            gain: Pooled::default(),
        });
        id
    }

    /// A parent: by tournament, or any.
    fn parent(&self, island: usize, rng: &mut ChaCha8Rng) -> usize {
        let parents = &self.islands[island];
        match self.plan.algorithm {
            // Parents are in order, so that the first of those drawn is the best.
            Algorithm::Generational => {
                let best = (0..self.plan.tournament).map(|_| below(rng, parents.len())).min();
                parents[best.unwrap_or(0)]
            }
            _ => parents[below(rng, parents.len())],
        }
    }

    /// Measures every individual of a generation, and the reference. After each round of the first stage but the last,
    /// the better half goes on: errors are cheap to take away from the few that matter. Returns all of them, the best
    /// first: those that went further stand before the others, who were not measured again.
    fn measure<J: Judge>(
        &mut self,
        generation: u32,
        populations: &[Vec<usize>],
        judge: &mut J,
    ) -> Result<Vec<usize>, J::Error> {
        let reference = self.plan.seeds[0].simplified(self.plan.ln);
        let mut wanted: Vec<usize> = populations.iter().flatten().copied().collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut order = Vec::new();
        let stage = &self.plan.stages[0];
        // A hall of fame changes what a point is worth from batch to batch.
        let paired = stage.measure.is_paired() || self.plan.hall_of_fame > 0;
        for (round, units) in (0_u32..).zip(&stage.rounds) {
            let batch = generation * stage.rounds.len() as u32 + round;
            let request = |genome: Genome| self.plan.request(0, batch, *units, genome, &self.history.hall);
            let genomes = wanted.iter().map(|id| self.history.individuals[*id].genome.clone());
            let requests: Vec<Request> = [reference.clone()].into_iter().chain(genomes).map(request).collect();
            let measured = judge.measure(&requests)?;
            let units = self.plan.block_units(&requests[0]);
            if !paired {
                self.measure_reference(&measured[0], &units);
            }
            let level = self.reference.mean();
            for (id, own) in wanted.iter().zip(&measured[1..]) {
                let gain = &mut self.history.individuals[*id].gain;
                match paired {
                    true => gain.add(own, &measured[0], units.iter().copied()),
                    false => gain.add_against(own, level, units.iter().copied()),
                }
            }
            self.rank(&mut wanted);
            let last = round as usize + 1 == stage.rounds.len();
            let going_on = if last { 0 } else { wanted.len().div_ceil(2) };
            order.splice(0..0, wanted.drain(going_on..));
            wanted.sort_unstable();
        }
        Ok(order)
    }

    /// Adds a batch of the reference, and moves all gains to its new mean.
    fn measure_reference(&mut self, measured: &Measured, units: &[u32]) {
        let before = self.reference.mean();
        self.reference.add_against(measured, 0.0, units.iter().copied());
        let by = before - self.reference.mean();
        self.history.individuals.iter_mut().for_each(|individual| individual.gain.shift(by));
    }

    /// On each island, puts first whom the rule of semantics chooses among the equals.
    fn prefer_by_semantics<J: Judge>(
        &self,
        rule: SemanticRule,
        populations: &mut [Vec<usize>],
        judge: &mut J,
    ) -> Result<(), J::Error> {
        let individuals = &self.history.individuals;
        let gain = |id: usize| individuals[id].gain.mean();
        let equals = |population: &Vec<usize>| -> Vec<usize> {
            let least = gain(population[0]) - rule.equal;
            population.iter().copied().filter(|id| gain(*id) >= least).collect()
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
        let request =
            |id: &usize| self.plan.request(0, SEMANTICS, rule.units, individuals[*id].genome.clone(), &Hall::default());
        let requests: Vec<Request> = wanted.iter().map(request).collect();
        let measured = judge.measure(&requests)?;
        let units = self.plan.block_units(&requests[0]);
        let sums = |id: usize| &measured[wanted.binary_search(&id).expect("each was measured")].sums;
        let distance = |id: usize| {
            let parent = *individuals[id].parents.first()?;
            let cases = sums(id).iter().zip(sums(parent)).zip(&units);
            Some(
                cases.map(|((own, theirs), units)| (own - theirs).abs() / f64::from(*units)).sum::<f64>()
                    / units.len() as f64,
            )
        };
        for (population, equals) in populations.iter_mut().zip(equals) {
            let near = equals.into_iter().filter_map(|id| Some((id, distance(id)?)));
            let near = near.filter(|(_, distance)| *distance > rule.alpha && *distance < rule.beta);
            // Of equal distances the first stays.
            let Some((chosen, _)) = near.min_by(|(_, a), (_, b)| a.total_cmp(b)) else { continue };
            let place = population.iter().position(|id| *id == chosen).expect("it is one of the population");
            population[..=place].rotate_right(1);
        }
        Ok(())
    }

    /// The best first; of equal ones the smaller, then the older.
    fn rank(&self, ids: &mut [usize]) {
        let individual = |id: &usize| &self.history.individuals[*id];
        ids.sort_by(|a, b| {
            let (a, b) = (individual(a), individual(b));
            b.gain.mean().total_cmp(&a.gain.mean()).then(a.genome.size().cmp(&b.genome.size())).then(a.id.cmp(&b.id))
        });
    }

    fn note(&mut self, generation: u32, island: usize, population: &[usize]) {
        let individuals: Vec<&Individual> = population.iter().map(|id| &self.history.individuals[*id]).collect();
        let sizes: usize = individuals.iter().map(|individual| individual.genome.size()).sum();
        let row = GenerationRow {
            generation,
            island,
            best: individuals[0].id,
            best_gain: individuals[0].gain.mean(),
            median_gain: individuals[individuals.len() / 2].gain.mean(),
            size: sizes as f64 / individuals.len() as f64,
        };
        self.history.generations.push(row);
    }

    /// The best of each island also go to the next one, where they stand by their rank in the last generation.
    fn migrate(&mut self) {
        let count = self.plan.migrate_count;
        let emigrants: Vec<Vec<usize>> =
            self.islands.iter().map(|parents| parents.iter().take(count).copied().collect()).collect();
        let islands = self.islands.len();
        let order = &self.order;
        let rank = |id: usize| order.iter().position(|other| *other == id);
        for (from, emigrants) in emigrants.into_iter().enumerate() {
            let to = (from + 1) % islands;
            for emigrant in emigrants {
                if !self.islands[to].contains(&emigrant) {
                    let place = self.islands[to].iter().position(|parent| rank(*parent) > rank(emigrant));
                    let place = place.unwrap_or(self.islands[to].len());
                    self.islands[to].insert(place, emigrant);
                }
            }
        }
    }
}

impl History {
    /// The archive: individuals that no other one beats in gain without being larger, by size. Those that were measured
    /// in one generation only, and an error may have raised, are in it only if nothing was measured twice.
    pub fn front(&self) -> Vec<&Individual> {
        let most = self.individuals.iter().map(|individual| individual.gain.units()).max().unwrap_or(0);
        let least = self.individuals.iter().map(|individual| individual.gain.units()).min().unwrap_or(0);
        let often = if most > least { 2 * least } else { least };
        let mut tried: Vec<&Individual> =
            self.individuals.iter().filter(|individual| individual.gain.units() >= often).collect();
        tried.sort_by(|a, b| {
            let by_size = a.genome.size().cmp(&b.genome.size());
            by_size.then(b.gain.mean().total_cmp(&a.gain.mean())).then(a.id.cmp(&b.id))
        });
        let mut front: Vec<&Individual> = Vec::new();
        for individual in tried {
            if front.last().is_none_or(|last| individual.gain.mean() > last.gain.mean()) {
                front.push(individual);
            }
        }
        front
    }

    /// The finalists: those of the front with a gain, and the individuals with the highest gains that are sure: the
    /// gain less its standard error. At most `count`, the surest first.
    pub fn finalists(&self, count: usize) -> Vec<Genome> {
        let sure = |individual: &&Individual| individual.gain.mean() - individual.gain.error();
        let mut all: Vec<&Individual> = self.individuals.iter().filter(|each| each.gain.error().is_finite()).collect();
        all.sort_by(|a, b| sure(b).total_cmp(&sure(a)).then(a.id.cmp(&b.id)));
        let front = self.front();
        let mut front: Vec<&Individual> = front.into_iter().filter(|each| each.gain.mean() > 0.0).collect();
        front.reverse();
        front.truncate(count / 2);
        let mut chosen: Vec<&Individual> = front;
        for individual in all {
            if chosen.len() < count && !chosen.iter().any(|other| other.id == individual.id) {
                chosen.push(individual);
            }
        }
        chosen.into_iter().map(|individual| individual.genome.clone()).collect()
    }
}
