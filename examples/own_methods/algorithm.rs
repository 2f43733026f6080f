//! An algorithm of evolution: the best of one formula and its offspring stays, and after some generations without a better
//! one the next seed takes its place.

use evouct::offline::{
    AlgorithmRules, EvolutionAlgorithm, EvolutionError, EvolutionPlan, EvolveKeys, GenerationRow, History, Individual,
    Judge,
};
use evouct::parameter::{Parameter, Parameters, Values};
use evouct::seed::Key;

evouct::parameters! {
    /// The keys of `[evolve]` for `algorithm = "restarts"`.
    pub struct RestartKeys {
        /// Generations without a better offspring after which the next seed takes the place of the formula.
        patience: u32 = 3, values = Values::Count(1, 1_000);
    }
}

pub struct Restarts;

impl AlgorithmRules for Restarts {
    fn name(&self) -> &'static str {
        "restarts"
    }

    fn keys(&self) -> Vec<Parameter> {
        RestartKeys::table()
    }

    fn adjust(&self, keys: &mut EvolveKeys) {
        (keys.islands, keys.population) = (1, 1);
    }
}

impl EvolutionAlgorithm for Restarts {
    fn evolve(&self, plan: &EvolutionPlan, judge: &mut dyn Judge) -> Result<History, EvolutionError> {
        let RestartKeys { patience } = plan.own();
        let units = plan.stages[0].rounds.iter().sum();
        let (mut history, mut here, mut last, mut seeds) = (History::default(), 0, 0, plan.seeds.iter().cycle());
        for generation in 0..plan.evolve.generations {
            let mut rng = Key::experiment(plan.seed).named("restarts", generation.into()).stream();
            if generation == 0 || generation - last > patience {
                let seed = seeds.next().expect("a plan has a seed").simplified(plan.ln);
                (here, last) = (history.born(seed, (generation, 0), ("seed", Vec::new())), generation);
            }
            let mut wanted = vec![here];
            for _ in 0..plan.evolve.offspring() {
                let parent = &history.individuals[here].genome;
                let (genome, operator) = plan.variation.offspring([parent, parent], &mut rng);
                let parents = (operator.name(), vec![here]);
                wanted.push(history.born(genome.simplified(plan.ln), (generation, 0), parents));
            }
            history.measure(plan, (generation, units), &wanted, judge)?;
            let gain = |id: &usize| history.individuals[*id].fitness.mean();
            wanted.sort_by(|a, b| gain(b).total_cmp(&gain(a)));
            if wanted[0] != here {
                (here, last) = (wanted[0], generation);
            }
            let individuals: Vec<&Individual> = wanted.iter().map(|id| &history.individuals[*id]).collect();
            history.generations.push(GenerationRow::of(generation, 0, &individuals));
            judge.generation(&history, &history.generations[generation as usize..]);
        }
        Ok(history)
    }
}
