//! The climb: one formula, which each generation changes by the step that beats it.
//!
//! All neighbours of the formula play against it. After each round of the first stage the better half goes on (sequential
//! halving), and the last round tests the best one: it is the next formula if the lower end of its 95 % interval is above
//! 0. The games of the test chose nothing, so that a step that wins nothing is made with a probability of 2.5 %.

use super::algorithm::EvolutionAlgorithm;
use super::batches::PlannedBatch;
use super::history::{EquivalentGenome, GenerationRow, History, Judge};
use super::proposals::{PROPOSED, Proposals};
use crate::error::EvolutionError;
use crate::fitness::distinct_decks::Objective;
use crate::fitness::measure::{HallOfFame, Request};
use crate::fitness::pooled::GainEstimate;
use crate::plan::EvolutionPlan;
use crate::plan::algorithm::Climb;
use evouct_gp::{Decisions, Genome, SEED};
use evouct_stats::{SIGNIFICANCE_LEVEL, normal_quantile};

impl EvolutionAlgorithm for Climb {
    fn evolve(&self, plan: &EvolutionPlan, judge: &mut dyn Judge) -> Result<History, EvolutionError> {
        let history = History { steps: Some(Vec::new()), ..History::default() };
        let (neighbours, decided, proposals) = (Vec::new(), Vec::new(), Proposals::default());
        let mut climb = Steps { plan, history, here: 0, neighbours, decided, proposals };
        climb.history.born(plan.seeds[0].simplified(plan.ln), (0, 0), (SEED, Vec::new()));
        let mut is_new = true;
        for generation in 0..plan.evolve.generations {
            if is_new {
                climb.look_around(generation);
            }
            climb.propose(generation, judge)?;
            let step = climb.measure(generation, judge)?;
            climb.note(generation, step.unwrap_or(climb.here));
            if let Some(step) = step {
                climb.here = step;
                climb.history.steps.get_or_insert_default().push(step);
            }
            is_new = step.is_some();
            let rows = climb.history.generations.len() - 1;
            judge.generation(&climb.history, &climb.history.generations[rows..]);
        }
        Ok(climb.history)
    }

    fn batches(&self, plan: &EvolutionPlan) -> Vec<PlannedBatch> {
        // Later formulas have about as many.
        let neighbours = plan.variation.neighbours(&plan.seeds[0]).len();
        // Without a step the proposals of earlier generations are measured again, too.
        plan.batches_of_generations(|generation| neighbours + plan.proposed_at_most() * (generation as usize + 1))
    }
}

struct Steps<'a> {
    plan: &'a EvolutionPlan,
    history: History,
    /// The formula as it stands.
    here: usize,
    /// Its neighbours. Without a step they are measured again, on further decks.
    neighbours: Vec<usize>,
    /// What the formula, those before it, and the neighbours decide.
    decided: Vec<(usize, Decisions)>,
    proposals: Proposals,
}

impl Steps<'_> {
    /// Makes the neighbours of the formula, one of those that decide alike, none that decides as an earlier formula.
    fn look_around(&mut self, generation: u32) {
        let ln = self.plan.ln;
        let here = self.history.individuals[self.here].genome.clone();
        let path = [0].into_iter().chain(self.history.steps.iter().flatten().copied());
        let decisions = |id: usize| (id, Decisions::of(&self.history.individuals[id].genome, ln));
        self.decided = path.map(decisions).collect();
        self.neighbours.clear();
        for (genome, operator) in self.plan.variation.neighbours(&here) {
            let genome = genome.simplified(ln);
            if let Err(into) = self.neighbour(&genome, generation, operator) {
                self.history.folded.push(EquivalentGenome { born: generation, genome, into });
            }
        }
    }

    /// Makes a genome a neighbour of the formula.
    ///
    /// # Errors
    /// The individual that decides alike.
    fn neighbour(&mut self, genome: &Genome, born: u32, operator: &'static str) -> Result<usize, usize> {
        let decisions = Decisions::of(genome, self.plan.ln);
        if let Some((into, _)) = self.decided.iter().find(|(_, other)| *other == decisions) {
            return Err(*into);
        }
        let id = self.history.born(genome.clone(), (born, 0), (operator, vec![self.here]));
        self.decided.push((id, decisions));
        self.neighbours.push(id);
        Ok(id)
    }

    /// Has proposers add neighbours. They are told the formula as it stands, then all that were measured.
    fn propose(&mut self, generation: u32, judge: &mut dyn Judge) -> Result<(), EvolutionError> {
        let individuals = &self.history.individuals;
        let gain = |id: &usize| individuals[*id].fitness.mean();
        let mut best: Vec<usize> =
            (0..individuals.len()).filter(|id| *id != self.here && individuals[*id].fitness.units() > 0).collect();
        best.sort_by(|a, b| gain(b).total_cmp(&gain(a)).then(a.cmp(b)));
        best.insert(0, self.here);
        for proposed in self.proposals.ask(self.plan, generation, (&self.history, &best), judge)? {
            let taken = self.neighbour(&proposed.genome, generation, PROPOSED);
            self.proposals.note(&proposed, taken.unwrap_or_else(|into| into), taken.is_ok());
        }
        self.history.proposers = self.proposals.tallies();
        Ok(())
    }

    /// The gain of the formula as it stands.
    fn level(&self) -> f64 {
        self.history.individuals[self.here].fitness.mean()
    }

    /// Has the neighbours play against the formula; the step, if the best of them won its test.
    fn measure(&mut self, generation: u32, judge: &mut dyn Judge) -> Result<Option<usize>, EvolutionError> {
        let rounds = self.plan.stages[0].rounds.len() as u32;
        let test = rounds - 1;
        let mut standing = self.neighbours.clone();
        for round in 0..test {
            self.play(&standing, generation * rounds + round, round, judge)?;
            let gain = |id: &usize| self.history.individuals[*id].fitness.mean();
            standing.sort_by(|a, b| gain(b).total_cmp(&gain(a)).then(a.cmp(b)));
            standing.truncate(standing.len().div_ceil(2));
        }
        let Some(best) = standing.first().copied() else { return Ok(None) };
        let tests = self.play(&[best], generation * rounds + test, test, judge)?;
        let won = tests.into_iter().find(|test| lower_end(test) > self.level());
        Ok(won.map(|test| {
            self.history.individuals[best].fitness = test;
            best
        }))
    }

    /// Has individuals play a round against the formula; what each gained in it.
    fn play(
        &mut self,
        ids: &[usize],
        batch: u32,
        round: u32,
        judge: &mut dyn Judge,
    ) -> Result<Vec<GainEstimate>, EvolutionError> {
        let units = self.plan.stages[0].rounds[round as usize];
        let mut opponent = HallOfFame::default();
        opponent.admit(&self.history.individuals[self.here].genome, 1);
        let genome = |id: &usize| self.history.individuals[*id].genome.clone();
        let request = |id: &usize| self.plan.request(0, batch, units, genome(id), &opponent);
        let requests: Vec<Request> = ids.iter().map(request).collect();
        let measured = judge.measure(&requests)?;
        let levels: Vec<f64> = self.history.individuals[self.here].fitness.levels().iter().map(|own| -own).collect();
        let played = ids.iter().zip(&requests).zip(&measured).map(|((id, request), own)| {
            let layout = self.plan.layout(request);
            self.history.individuals[*id].fitness.add_measured(own, Err(&levels), Objective::Value, &layout);
            let mut gain = GainEstimate::default();
            gain.add_measured(own, Err(&levels), Objective::Value, &layout);
            gain
        });
        Ok(played.collect())
    }

    fn note(&mut self, generation: u32, best: usize) {
        let individuals = &self.history.individuals;
        let mut gains: Vec<f64> = self.neighbours.iter().map(|id| individuals[*id].fitness.mean()).collect();
        gains.sort_by(f64::total_cmp);
        let sizes: usize = self.neighbours.iter().map(|id| individuals[*id].genome.size()).sum();
        let row = GenerationRow {
            generation,
            island: 0,
            best,
            best_gain: individuals[best].fitness.mean(),
            median_gain: gains.get(gains.len() / 2).copied().unwrap_or_default(),
            size: sizes as f64 / self.neighbours.len().max(1) as f64,
        };
        self.history.generations.push(row);
    }
}

/// The lower end of the 95 % interval of a gain.
fn lower_end(gain: &GainEstimate) -> f64 {
    gain.lower_bound(normal_quantile(1.0 - SIGNIFICANCE_LEVEL / 2.0))
}
