//! What the file of an evolution says of its algorithm: the rules of those of evouct, and of those that a program adds.

use super::keys::EvolveKeys;
use super::stage::{FitnessMeasure, FitnessStage};
use evouct_base::listed::{Chosen, Extensible, List};
use evouct_base::named::Named;
use evouct_base::parameter::Parameter;
use evouct_gp::{Constant, Decisions, Fade, Genome, Grow, LnRule, Operator, Prune, Strategy, Variation};
use evouct_league::config::reader::TomlTable;

/// An algorithm of evolution as files know it. `EvolutionAlgorithm` has its course. See `examples/own_methods`.
pub trait AlgorithmRules: Send + Sync {
    /// The name in files: lower-case letters and `-`.
    fn name(&self) -> &'static str;

    /// Keys of `[evolve]` of its own: the table of a structure that [`parameters!`](evouct_base::parameters) declares.
    /// `EvolutionPlan::own` reads them.
    fn keys(&self) -> Vec<Parameter> {
        Vec::new()
    }

    /// Sets keys of `[evolve]` that it gives files no choice of, after the check.
    fn adjust(&self, _keys: &mut EvolveKeys) {}

    /// Notes what is wrong with a file.
    fn check(&self, _file: &AlgorithmFile) {}

    /// Whether the individuals of a generation are sorted, and the first of them survive: a second objective needs that.
    fn is_sorted(&self) -> bool {
        false
    }

    /// Whether individuals are born one by one, so that no generation waits for its slowest measurement.
    fn is_steady(&self) -> bool {
        false
    }

    /// Whether individuals play against the formula as it stands, in place of the opponents of the plan.
    fn plays_itself(&self) -> bool {
        false
    }
}

/// What an algorithm can check of a file.
pub struct AlgorithmFile<'a> {
    /// The file.
    pub file: &'a TomlTable<'a>,
    /// Its section `[evolve]`.
    pub evolve: &'a TomlTable<'a>,
    /// The keys of that section.
    pub keys: &'a EvolveKeys,
    /// The formulas to start from.
    pub seeds: &'a [Genome],
    /// The stages of fitness.
    pub stages: &'a [FitnessStage],
    /// How formulas vary.
    pub variation: &'a Variation,
    /// How logarithms are protected.
    pub ln: LnRule,
}

impl AlgorithmFile<'_> {
    /// Notes an elite that is the whole population.
    fn check_elite(&self) {
        let EvolveKeys { elite, population, .. } = self.keys;
        if elite >= population {
            self.evolve.note_at(
                "elite",
                format!(
                    "elite = {elite} leaves no place for offspring in a population of {population}; expected fewer"
                ),
            );
        }
    }
}

/// Has offspring take the places that the elite leaves.
fn beside_elite(keys: &mut EvolveKeys) {
    keys.offspring = Some(keys.population.saturating_sub(keys.elite).max(1));
}

/// An algorithm that is known, by its name.
pub type Algorithm = Chosen<dyn AlgorithmRules>;

pub(crate) static ALGORITHMS: List<dyn AlgorithmRules> =
    List::new(&[&GENERATIONAL, &PLUS, &COMMA, &RANDOM, &Climb, &SteadyState]);

impl Extensible for dyn AlgorithmRules {
    const WHAT: &'static str = "algorithm";

    fn listed_name(&self) -> &'static str {
        self.name()
    }

    fn list() -> &'static List<dyn AlgorithmRules> {
        &ALGORITHMS
    }
}

/// How the generations of populations follow one another.
pub(crate) struct Generations {
    pub(crate) name: &'static str,
    /// Offspring take the places that the elite leaves, and parents are chosen by tournaments; else all parents are equally
    /// likely.
    pub(crate) has_tournaments: bool,
    /// The most parents of an island that are measured again and may stay.
    pub(crate) stay: fn(&EvolveKeys) -> usize,
    /// The births of an island in the first generation.
    pub(crate) first: fn(&EvolveKeys) -> usize,
    /// Whether parents of the last generation stay among the next parents.
    pub(crate) strategy: Strategy,
    /// Whether genomes are random, those of the seeds aside.
    pub(crate) is_random: bool,
}

impl Generations {
    const fn new(name: &'static str) -> Generations {
        Generations {
            name,
            has_tournaments: false,
            stay: |keys| keys.elite,
            first: |keys| keys.population.max(keys.offspring()),
            strategy: Strategy::Plus,
            is_random: false,
        }
    }
}

/// Tournaments: the elite stays, offspring replace the others.
pub(crate) static GENERATIONAL: Generations =
    Generations { has_tournaments: true, first: |keys| keys.population, ..Generations::new("generational") };
/// (μ + λ): the best of parents and offspring.
pub(crate) static PLUS: Generations = Generations { stay: |keys| keys.population, ..Generations::new("plus") };
/// (μ, λ): the best of the offspring.
pub(crate) static COMMA: Generations =
    Generations { stay: |_| 0, strategy: Strategy::Comma, ..Generations::new("comma") };
/// Random genomes; the best are remembered. A control.
pub(crate) static RANDOM: Generations =
    Generations { first: |keys| keys.offspring(), is_random: true, ..Generations::new("random") };

impl AlgorithmRules for Generations {
    fn name(&self) -> &'static str {
        self.name
    }

    fn adjust(&self, keys: &mut EvolveKeys) {
        if self.has_tournaments {
            beside_elite(keys);
        }
    }

    fn check(&self, file: &AlgorithmFile) {
        let (offspring, population) = (file.keys.offspring(), file.keys.population);
        if self.has_tournaments {
            file.check_elite();
        }
        if self.strategy == Strategy::Comma && offspring < population {
            let problem = format!("offspring = {offspring} are fewer than the population, {population}");
            file.evolve.note_at("offspring", problem);
        }
    }

    fn is_sorted(&self) -> bool {
        true
    }
}

/// The climb from the seed.
///
/// The gain of an individual is what it wins from the formula that it is a neighbour of, plus the gain of that formula;
/// its error is that of its own games. That of a step is by its test alone.
pub(crate) struct Climb;

impl AlgorithmRules for Climb {
    fn name(&self) -> &'static str {
        "climb"
    }

    fn adjust(&self, keys: &mut EvolveKeys) {
        (keys.islands, keys.population, keys.elite, keys.offspring) = (1, 1, 0, Some(1));
    }

    fn check(&self, AlgorithmFile { file, evolve, seeds, stages, variation, ln, .. }: &AlgorithmFile) {
        let has_none = "a climb, which changes one formula by its neighbours, has none";
        for key in [
            "cma_samples",
            "hall_of_fame",
            "semantics",
            "islands",
            "population",
            "offspring",
            "elite",
            "tournament",
            "migrate_every",
            "migrate_count",
            "constant_offspring",
            "tune_offspring",
            "tune_rounds",
            "tune_count",
        ] {
            if evolve.has(key) {
                evolve.note_at(key, format!("{key}: {has_none}; leave it out"));
            }
        }
        if seeds.len() > 1 {
            evolve.note_at("seeds", format!("seeds: a climb starts from one formula, found {}", seeds.len()));
        }
        if let Some(stage) = stages.first() {
            let found = stage.measure.name();
            if stage.measure != FitnessMeasure::Games {
                evolve.note(format!(
                    "algorithm = climb: the first [[stage]] has measure = {found}; expected games, because neighbours play against the formula"
                ));
            } else if stage.rounds.len() < 2 || stage.rounds.last().is_some_and(|units| *units <= stage.block) {
                evolve.note(
                    "algorithm = climb: decks of the first [[stage]]: expected two rounds or more, of which the last tests the best \
                     neighbour on several blocks",
                );
            }
        }
        if stages.len() == 1 {
            file.note(
                "algorithm = climb: a second [[stage]] is missing, in which the steps play against the opponents",
            );
        }
        let steps: [&dyn Operator; 4] = [&Grow, &Prune, &Fade, &Constant];
        let is_step = |name: &str| steps.iter().any(|step| step.name() == name);
        if !variation.operators.iter().any(|(own, weight)| is_step(own.name()) && *weight > 0.0) {
            evolve.note(
                "algorithm = climb: the steps are grow, prune, fade and constant; expected a weight above 0 for one of them",
            );
        } else if let [seed] = seeds
            && !has_step(variation, seed, *ln)
        {
            let most = variation.max_nodes;
            evolve.note(format!(
                "algorithm = climb: no step leads from the seed; it has no constant for constant, no term for prune, more than \
                 max_nodes = {most} nodes after grow, or all neighbours decide as it does"
            ));
        }
    }

    fn plays_itself(&self) -> bool {
        true
    }
}

/// Whether a neighbour of the formula decides otherwise than the formula.
fn has_step(variation: &Variation, formula: &Genome, ln: LnRule) -> bool {
    let decisions = |genome: &Genome| Decisions::of(&genome.simplified(ln), ln);
    let own = decisions(formula);
    variation.neighbours(formula).iter().any(|(neighbour, _)| decisions(neighbour) != own)
}

/// The steady state.
pub(crate) struct SteadyState;

impl AlgorithmRules for SteadyState {
    fn name(&self) -> &'static str {
        "steady-state"
    }

    fn adjust(&self, keys: &mut EvolveKeys) {
        beside_elite(keys);
    }

    fn check(&self, file: &AlgorithmFile) {
        file.check_elite();
        let refused = [
            ("offspring", "a steady state, which breeds individuals one by one, has none"),
            ("cma_samples", "a steady state has none: constants are searched where generations are barriers"),
            (
                "semantics",
                "a steady state has none: equals of a generation are compared where generations are barriers",
            ),
        ];
        for (key, why) in refused {
            if file.evolve.has(key) {
                file.evolve.note_at(key, format!("{key}: {why}; leave it out"));
            }
        }
        if let Some(proposer) = file.file.sections("proposer").first() {
            proposer.note("[[proposer]]: a steady state, which has no generation to ask about, has none; leave it out");
        }
        let EvolveKeys { generations, lag, population, islands, .. } = file.keys;
        let births = population * islands;
        let most = births * (*generations as usize - 1);
        if *generations > 1 && *lag > most {
            let default = if file.evolve.has("lag") { "" } else { " (the default)" };
            file.evolve.note_at(
                "lag",
                format!(
                    "lag = {lag}{default} leaves no birth with parents in {generations} generations of {births}; expected at \
                     most {most}"
                ),
            );
        }
    }

    fn is_steady(&self) -> bool {
        true
    }
}
