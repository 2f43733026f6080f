//! Steady state: individuals are bred one by one, without generations that wait for their slowest measurement.
//!
//! Births have numbers. Birth i is bred from the populations as they stand after births 0 to i − lag, which enter them in
//! order of their numbers, whenever their measurements arrive. So the course depends on the plan and on what was measured
//! alone, and `lag` individuals are measured at a time. Steady states without such an order favour individuals that are
//! fast to measure (Scott and De Jong 2015); this one does not.
//!
//! A generation is as many births as all islands have individuals. Its measurements share units and random numbers.

use super::algorithm::EvolutionAlgorithm;
use super::alike::{Alike, Kin};
use super::batches::PlannedBatch;
use super::birth;
use super::history::{
    EquivalentGenome, Flow, FlowRequest, GenerationRow, History, Individual, Judge, the_better_first,
};
use crate::error::EvolutionError;
use crate::fitness::distinct_decks::Objective;
use crate::fitness::measure::{HallOfFame, Measured, Request};
use crate::fitness::pooled::GainEstimate;
use crate::plan::EvolutionPlan;
use crate::plan::algorithm::SteadyState;
use evouct_base::seed::Key;
use evouct_gp::{Decisions, Genome};
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet, VecDeque};

impl EvolutionAlgorithm for SteadyState {
    fn evolve(&self, plan: &EvolutionPlan, judge: &mut dyn Judge) -> Result<History, EvolutionError> {
        let mut births = Births::begin(plan);
        judge.flow(&mut births)?;
        Ok(births.history)
    }

    fn batches(&self, plan: &EvolutionPlan) -> Vec<PlannedBatch> {
        vec![plan.steady_batch()]
    }
}

impl EvolutionPlan {
    /// In a steady state, the births of a generation.
    pub(crate) fn births_of_generation(&self) -> u64 {
        (self.evolve.population * self.evolve.islands) as u64
    }

    /// The fewest generations that an evolution of this kind needs, the first one alone aside: in a steady state later
    /// births must have parents.
    pub fn fewest_generations(&self) -> u32 {
        if !self.evolve.algorithm.is_steady() {
            return 1;
        }
        1 + (self.evolve.lag as u64).div_ceil(self.births_of_generation()) as u32
    }

    /// In a steady state, the births before any population is complete.
    pub(crate) fn births_without_parents(&self) -> u64 {
        self.births_of_generation() + self.evolve.lag as u64 - 1
    }
}

/// A birth that has not entered the populations.
struct Birth {
    /// The number of the individual.
    id: usize,
    /// The individual, if it is born for the first time.
    newborn: Option<Individual>,
    generation: u32,
    island: usize,
    /// The hall of fame when it was bred.
    hall: HallOfFame,
    /// By round but the last, the value from which on the next one follows; none where nothing is known.
    bars: Vec<Option<f64>>,
    rounds: Vec<Round>,
    is_measured: bool,
}

/// The requests of a round, by their numbers. Those of the reference itself are one.
#[derive(Clone, Copy)]
struct Round {
    own: u64,
    reference: u64,
}

/// A request and its answer.
struct Asked {
    request: Request,
    measured: Option<Measured>,
}

struct Births<'a> {
    plan: &'a EvolutionPlan,
    key: Key,
    /// Individuals are in it from when they enter the populations.
    history: History,
    /// Generations of which was told.
    told: usize,
    reference_genome: Genome,
    /// The batches of the reference that are counted, where measurements are not paired.
    counted: HashSet<u32>,
    /// The individuals, those that have not entered included.
    alike: Alike,
    /// By individual, the last generation that measures it.
    last_measured: Vec<u32>,
    /// By individual, the most rounds that it has gone through.
    reached: Vec<usize>,
    /// By individual, how many births had entered with it the last time that it was measured.
    last_entered: Vec<u64>,
    /// By island, its population, the best first.
    islands: Vec<Vec<usize>>,
    /// By round, the values of the latest births.
    values: Vec<VecDeque<f64>>,
    /// Births that were bred and have not entered, in order.
    births: VecDeque<Birth>,
    /// How many were bred, and how many have entered.
    bred: u64,
    entered: u64,
    asked: BTreeMap<u64, Asked>,
    /// The requests of the reference among them.
    of_reference: Vec<u64>,
    /// What was not asked for yet.
    new: Vec<FlowRequest>,
    next_number: u64,
}

impl Births<'_> {
    fn begin(plan: &EvolutionPlan) -> Births<'_> {
        let rounds = plan.stages[0].rounds.len();
        let mut course = Births {
            plan,
            key: Key::experiment(plan.seed).named("variation", 0),
            history: History::default(),
            told: 0,
            reference_genome: plan.seeds[0].simplified(plan.ln),
            counted: HashSet::new(),
            alike: Alike::default(),
            last_measured: Vec::new(),
            reached: Vec::new(),
            last_entered: Vec::new(),
            islands: vec![Vec::new(); plan.evolve.islands],
            values: vec![VecDeque::new(); rounds - 1],
            births: VecDeque::new(),
            bred: 0,
            entered: 0,
            asked: BTreeMap::new(),
            of_reference: Vec::new(),
            new: Vec::new(),
            next_number: 0,
        };
        course.go_on();
        course
    }

    /// Breeds and lets enter what can be by now. A birth is bred as soon as it may be, before anybody else enters.
    fn go_on(&mut self) {
        let all = self.plan.births_of_generation() * u64::from(self.plan.evolve.generations);
        loop {
            while self.bred < all && self.bred - self.entered < self.plan.evolve.lag as u64 {
                self.breed();
            }
            self.advance();
            match self.births.front() {
                Some(first) if first.is_measured => self.enter(),
                _ => break,
            }
        }
    }

    /// Breeds the next individual, or measures one of the elite again.
    fn breed(&mut self) {
        let (plan, number) = (self.plan, self.bred);
        let generation = (number / plan.births_of_generation()) as u32;
        let (island, place) =
            ((number % plan.evolve.islands as u64) as usize, (number / plan.evolve.islands as u64) as usize);
        let is_of_elite = generation > 0 && place % plan.evolve.population < plan.evolve.elite;
        let again = self.islands[island].iter().copied().find(|id| self.last_measured[*id] < generation);
        let (id, newborn) = match again.filter(|_| is_of_elite) {
            Some(id) => (id, None),
            None => self.born(number, generation, island, place),
        };
        // The same measurement would be counted twice.
        let is_measured = newborn.is_none() && self.last_measured[id] == generation;
        self.last_measured[id] = generation;
        let hall = self.history.hall.clone();
        let bars = self.values.iter().map(bar).collect();
        let mut birth = Birth { id, newborn, generation, island, hall, bars, rounds: Vec::new(), is_measured };
        if !is_measured {
            let genome = birth.newborn.as_ref().map_or_else(|| self.genome(id).clone(), |own| own.genome.clone());
            self.ask(&mut birth, number, genome);
        }
        self.births.push_back(birth);
        self.bred += 1;
    }

    /// The individual of a birth, and the individual itself if it is new.
    fn born(&mut self, number: u64, generation: u32, island: usize, place: usize) -> (usize, Option<Individual>) {
        let (plan, mut rng) = (self.plan, self.key.named("birth", number).stream());
        let (genome, operator, parents) = if number < plan.births_without_parents() {
            birth::first(plan, place, &mut rng)
        } else {
            let parents = [(); 2].map(|()| birth::tournament(plan.evolve.tournament, &self.islands[island], &mut rng));
            birth::offspring(plan, &self.history, parents, &mut rng)
        };
        let genome = genome.simplified(plan.ln);
        let id = self.last_measured.len();
        match self.alike.take(genome.key(), || plan.folds().then(|| Decisions::of(&genome, plan.ln)), id) {
            Kin::New => {}
            Kin::Again(known) => return (known, None),
            Kin::Alike(into) => {
                self.history.folded.push(EquivalentGenome { born: generation, genome, into });
                return (into, None);
            }
        }
        self.last_measured.push(generation);
        let fitness = GainEstimate::default();
        (id, Some(Individual { id, genome, born: generation, island, parents, operator, fitness }))
    }

    /// The genome of an individual, which may not have entered.
    fn genome(&self, id: usize) -> &Genome {
        let of_birth = || self.births.iter().filter_map(|birth| birth.newborn.as_ref()).find(|own| own.id == id);
        match self.history.individuals.get(id) {
            Some(individual) => &individual.genome,
            None => &of_birth().expect("an individual has entered or waits").genome,
        }
    }

    /// Asks for the next round of a birth.
    fn ask(&mut self, birth: &mut Birth, number: u64, genome: Genome) {
        let rounds = &self.plan.stages[0].rounds;
        let round = birth.rounds.len();
        let batch = birth.generation * rounds.len() as u32 + round as u32;
        let request = |genome| self.plan.request(0, batch, rounds[round], genome, &birth.hall);
        let (own, of_reference) = (request(genome), request(self.reference_genome.clone()));
        let is_reference = own == of_reference;
        let known = self.of_reference.iter().copied().find(|known| self.asked[known].request == of_reference);
        let reference = known.unwrap_or_else(|| {
            let number = self.note(u64::from(birth.generation), of_reference);
            self.of_reference.push(number);
            number
        });
        let own = if is_reference { reference } else { self.note(number, own) };
        birth.rounds.push(Round { own, reference });
    }

    fn note(&mut self, place: u64, request: Request) -> u64 {
        let number = self.next_number;
        self.next_number += 1;
        self.new.push(FlowRequest { number, place, request: request.clone() });
        self.asked.insert(number, Asked { request, measured: None });
        number
    }

    /// The answers to the requests of a round; none if one is missing.
    fn answers(&self, round: Round) -> Option<(&Asked, &Measured, &Measured)> {
        let own = &self.asked[&round.own];
        Some((own, own.measured.as_ref()?, self.asked[&round.reference].measured.as_ref()?))
    }

    /// What a birth is worth by a round, in points per game; none if an answer is missing. Only differences between births
    /// matter.
    fn value(&self, round: Round) -> Option<f64> {
        let (asked, own, reference) = self.answers(round)?;
        if self.plan.is_over_games() {
            return Some(self.plan.layout(&asked.request).worth(own, reference));
        }
        let units: u32 = self.plan.block_units(&asked.request).iter().sum();
        let sum = |measured: &Measured| measured.sums.iter().sum::<f64>();
        Some((sum(own) - if self.plan.is_paired() { sum(reference) } else { 0.0 }) / f64::from(units))
    }

    /// Has births whose round is complete play the next one, or ends their measurement.
    fn advance(&mut self) {
        let mut births = std::mem::take(&mut self.births);
        for (number, birth) in (self.entered..).zip(&mut births) {
            while let (false, Some(round)) = (birth.is_measured, birth.rounds.last().copied()) {
                let Some(value) = self.value(round) else { break };
                let bar = birth.bars.get(birth.rounds.len() - 1);
                if bar.is_some_and(|bar| bar.is_none_or(|bar| value >= bar)) {
                    let genome = self.asked[&round.own].request.genome.clone();
                    self.ask(birth, number, genome);
                } else {
                    birth.is_measured = true;
                }
            }
        }
        self.births = births;
    }

    /// Lets the first birth enter its population.
    fn enter(&mut self) {
        let birth = self.births.pop_front().expect("one is measured");
        self.entered += 1;
        let id = birth.id;
        self.remember_values(&birth.rounds);
        if let Some(newborn) = birth.newborn {
            self.history.individuals.push(newborn);
            self.reached.push(0);
            self.last_entered.push(0);
        }
        self.last_entered[id] = self.entered;
        for round in &birth.rounds {
            self.count(id, *round);
            if round.own != round.reference {
                self.asked.remove(&round.own);
            }
        }
        self.reached[id] = self.reached[id].max(birth.rounds.len());
        for island in 0..self.islands.len() {
            let place = self.islands[island].iter().position(|other| *other == id);
            if let Some(place) = place {
                self.islands[island].remove(place);
            }
            if place.is_some() || island == birth.island {
                let place = self.islands[island].partition_point(|other| self.compare(*other, id).is_lt());
                self.islands[island].insert(place, id);
                self.make_room(island);
            }
        }
        if self.entered.is_multiple_of(self.plan.births_of_generation()) {
            self.end_generation(birth.generation);
        }
    }

    /// Where an island is too full, the one behind the elite leaves that was measured longest ago: one that was lucky once
    /// does not stay for good.
    fn make_room(&mut self, island: usize) {
        let population = &mut self.islands[island];
        while population.len() > self.plan.evolve.population {
            let oldest =
                (self.plan.evolve.elite..population.len()).min_by_key(|place| self.last_entered[population[*place]]);
            population.remove(oldest.expect("the elite is smaller than a population"));
        }
    }

    /// Adds the measurement of a round to the fitness of an individual.
    fn count(&mut self, id: usize, round: Round) {
        let Some((asked, own, reference)) = self.answers(round) else { unreachable!("it is measured") };
        let layout = self.plan.layout(&asked.request);
        let (batch, own, reference) = (asked.request.batch, own.clone(), reference.clone());
        if !self.plan.is_paired() && self.counted.insert(batch) {
            self.history.measure_reference(&reference, &layout);
        }
        let levels = self.history.reference.levels();
        let reference = if self.plan.is_paired() { Ok(&reference) } else { Err(levels.as_slice()) };
        self.history.individuals[id].fitness.add_measured(&own, reference, Objective::Value, &layout);
    }

    /// Keeps the value of a birth after each of its rounds except the last round of the stage.
    fn remember_values(&mut self, rounds: &[Round]) {
        let most = self.plan.births_of_generation() as usize;
        for (place, round) in rounds.iter().enumerate().take(self.values.len()) {
            let value = self.value(*round).expect("it is measured");
            self.values[place].push_back(value);
            if self.values[place].len() > most {
                self.values[place].pop_front();
            }
        }
    }

    /// Individuals with more rounds come first; of equally many rounds, the better ones.
    fn compare(&self, a: usize, b: usize) -> Ordering {
        let individual = |id: usize| &self.history.individuals[id];
        let by_rounds = self.reached[b].cmp(&self.reached[a]);
        by_rounds.then_with(|| the_better_first(individual(a), individual(b), |own| own.fitness.mean()))
    }

    /// Notes a generation, of which all births have entered.
    fn end_generation(&mut self, generation: u32) {
        for (island, population) in self.islands.iter().enumerate() {
            let individuals: Vec<&Individual> = population.iter().map(|id| &self.history.individuals[*id]).collect();
            self.history.generations.push(GenerationRow::of(generation, island, &individuals));
        }
        let best = self.islands.iter().map(|population| population[0]).min_by(|a, b| self.compare(*a, *b));
        let best = &self.history.individuals[best.expect("an evolution has islands")].genome;
        self.history.hall.admit(best, self.plan.evolve.hall_of_fame);
        // No birth asks for them any more.
        let first = (generation + 1) * self.plan.stages[0].rounds.len() as u32;
        let asked = &mut self.asked;
        self.of_reference.retain(|number| asked[number].request.batch >= first);
        asked.retain(|_, asked| asked.request.batch >= first);
        let every = self.plan.evolve.migrate_every;
        if every > 0 && (generation + 1).is_multiple_of(every) {
            let mut islands = std::mem::take(&mut self.islands);
            birth::migrate(&mut islands, self.plan.evolve.migrate_count, |parent, emigrant| {
                self.compare(parent, emigrant).is_gt()
            });
            self.islands = islands;
            (0..self.plan.evolve.islands).for_each(|island| self.make_room(island));
        }
    }
}

impl Flow for Births<'_> {
    fn ask(&mut self) -> Vec<FlowRequest> {
        std::mem::take(&mut self.new)
    }

    fn tell(&mut self, number: u64, measured: Measured) {
        if let Some(asked) = self.asked.get_mut(&number) {
            asked.measured = Some(measured);
            self.go_on();
        }
    }

    fn news(&mut self) -> (&History, &[GenerationRow]) {
        let told = std::mem::replace(&mut self.told, self.history.generations.len());
        (&self.history, &self.history.generations[told..])
    }
}

/// The value of the middle one, so that the better half lies at it or above; none without values.
fn bar(values: &VecDeque<f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.iter().copied().collect();
    let middle = values.len().div_ceil(2).checked_sub(1)?;
    Some(*values.select_nth_unstable_by(middle, |a, b| b.total_cmp(a)).1)
}
