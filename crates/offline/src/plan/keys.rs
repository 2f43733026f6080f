//! The keys of the file of an evolution.

use super::algorithm::{ALGORITHMS, Algorithm};
use super::game::OverGames;
use super::operators::added;
use evouct_base::parameter::{Condition, Parameter, Parameters, Preset, Values};
use evouct_gp::{
    Constant, Crossover, Function, FunctionSet, Grow, Hoist, Operator, Point, SemanticSelection, Subtree, Toggle,
};
use evouct_league::config::LimitKeys;
use evouct_platform::registry;
use std::sync::{LazyLock, Mutex, PoisonError};

evouct_base::parameters! {
    /// The keys of the file, sections and those of its frame aside.
    pub(crate) struct PlanKeys {
        /// Name of the evolution and of its folder: letters, digits and . _ - :
        name: String = String::new(), required = true, later = Changes;
        /// Description.
        about: Option<String> = None, later = Changes;
        /// The game.
        game: String = registry::default_game().name().to_owned();
        /// Seed of everything random.
        seed: u64 = 1, values = Values::Count(0, u64::MAX - 1);
        /// Defaults of the players: the paper as printed, or the authors' code.
        preset: Preset = Preset::Text;
    }
}

evouct_base::parameters! {
    /// The keys of `[evolve]`.
    pub struct EvolveKeys {
        /// The folder or file of the bank of positions, beside the file of the evolution. It may move, and its contents stay.
        bank: Option<String> = None, later = Changes;
        /// How offspring replace their parents, or a climb of one formula.
        algorithm: Algorithm = Algorithm::default();
        /// Populations that evolve side by side.
        islands: usize = 4, values = Values::Count(1, 1_000);
        /// Individuals of an island; μ of plus and comma.
        population: usize = 30, values = Values::Count(1, 10_000);
        /// Offspring per generation and island of plus and comma (λ), and random genomes; generational: the population
        /// less the elite.
        offspring: Option<usize> = None, values = Values::Count(1, 10_000);
        /// Individuals of an island that stay and are evaluated again: generational. Steady state: births of a generation
        /// and island that are the best individuals, evaluated again.
        elite: usize = 4, values = Values::Count(0, 1_000);
        /// Individuals that compete to become a parent: generational and steady state.
        tournament: usize = 4, values = Values::Count(1, 1_000);
        /// Generations. Steady state: one is as many births as all islands have individuals.
        generations: u32 = 12, values = Values::Count(1, 100_000), later = Extends;
        /// Steady state: the births that are measured at a time. Each is bred from the populations without those of the last
        /// so many births less one.
        lag: usize = 16, values = Values::Count(1, 10_000);
        /// Generations between migrations to the next island; 0 for none.
        migrate_every: u32 = 5, values = Values::Count(0, 100_000);
        /// Individuals that migrate.
        migrate_count: usize = 2, values = Values::Count(0, 1_000);
        /// The most nodes of a formula.
        max_nodes: usize = 31, values = Values::Count(1, 1_000);
        /// The greatest height of a new subtree.
        max_height: usize = 3, values = Values::Count(1, 8);
        /// Weight of crossover among the operators.
        crossover: f64 = Crossover.weight(), values = Values::Real(0.0, 1.0);
        /// Weight of subtree mutation.
        subtree: f64 = Subtree.weight(), values = Values::Real(0.0, 1.0);
        /// Weight of point mutation.
        point: f64 = Point.weight(), values = Values::Real(0.0, 1.0);
        /// Weight of hoist mutation.
        hoist: f64 = Hoist.weight(), values = Values::Real(0.0, 1.0);
        /// Weight of the mutation of constants. If all other weights are 0, all offspring have the form of a seed.
        constant: f64 = Constant.weight(), values = Values::Real(0.0, 1.0);
        /// Weight of adding or removing a formula, where there is more than one.
        toggle: f64 = Toggle.weight(), values = Values::Real(0.0, 1.0);
        /// Weight of growth: a weighted terminal is added to a part of the formulas, or a factor multiplies it.
        grow: f64 = 0.0, values = Values::Real(0.0, 1.0);
        /// Weight of pruning: one argument in place of a function of two.
        prune: f64 = 0.0, values = Values::Real(0.0, 1.0);
        /// Weight of fading: a terminal of a child that counts less with each visit, added or mixed with the mean reward.
        fade: f64 = 0.0, values = Values::Real(0.0, 1.0);
        /// Samples by which CMA-ES searches good constants for each structure, in every round that measures it: at least 4.
        /// Then individuals are structures, those that decide alike are one, and nothing else tunes constants. 0: an
        /// individual has constants of its own.
        cma_samples: usize = 0, values = Values::Count(0, 1_000);
        /// The functions of formulas.
        functions: FunctionSet = FunctionSet::default();
        /// Finalists: individuals of the archive that go through the later stages.
        finalists: usize = 16, values = Values::Count(1, 1_000);
        /// Offspring with other constants that each round of tuning tries on the best finalists.
        constant_offspring: usize = 8, values = Values::Count(0, 1_000), was = "tune_offspring";
        /// Rounds of tuning constants.
        tune_rounds: u32 = 4, values = Values::Count(0, 1_000);
        /// Finalists whose constants are tuned.
        tune_count: usize = 4, values = Values::Count(0, 1_000);
        /// Members of the hall of fame, which stand beside the opponents in games: the latest that were best of a
        /// generation or of a round of the finals.
        hall_of_fame: usize = 0, values = Values::Count(0, 16);
        /// A metric of the game that is maximised beside the points, such as twm: Pareto fronts and crowding in place of the
        /// order by points.
        second: Option<String> = None;
        /// Units of the sample on which semantics are compared; 0 for none. Semantics are the mean values of the
        /// sample's blocks.
        semantics: u32 = 0, values = Values::Count(0, 100_000);
        /// Gains that differ by no more are equal for semantics, in points per game.
        equal: f64 = 0.5, values = Values::Real(0.0, 1e9);
        /// The least distance of semantics to the parent, in points per game.
        alpha: f64 = 5.0, values = Values::Real(0.0, 1e9);
        /// The greatest distance of semantics to the parent, in points per game.
        beta: f64 = 10.0, values = Values::Real(0.0, 1e9);
        /// In several games, what the fitness of a formula is: the mean of its gains in the games, or the least.
        over: OverGames = OverGames::Mean;
        /// In several games, decks of the reference against each opponent before the first generation. The standard deviation
        /// of their results is the unit of gains in the game.
        scale_decks: u32 = 50, values = Values::Count(2, 1_000_000);
        /// Decks of the league that tests the champion.
        held_out_decks: u32 = 600, values = Values::Count(1, 1_000_000);
    }
}

evouct_base::parameter_groups! {
    /// The keys of the file, sections aside.
    pub(crate) struct AllKeys {
        /// Its own.
        own: PlanKeys;
        /// Where games end at the latest.
        limit: LimitKeys;
    }
}

/// Sampling semantics between equals: of the individuals of an island whose gain is that of the best, the one in range of
/// its parent that is nearest to α stands first. This is the rule of SIEA-MCTS (Galván, Simpson and Valdez Ameneyro 2022,
/// section III-C), with a sample of the fitness cases for the rewards of playouts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SemanticRule {
    /// Units of the sample.
    pub units: u32,
    /// Which gains are equal and which distances in range, in points per game.
    pub selection: SemanticSelection,
}

impl EvolveKeys {
    /// Offspring per generation and island: as many as individuals, where none are given.
    pub fn offspring(&self) -> usize {
        self.offspring.unwrap_or(self.population)
    }

    /// Offspring, rounds and finalists of tuning constants.
    pub(crate) fn tuning(&self) -> (usize, u32, usize) {
        (self.constant_offspring, self.tune_rounds, self.tune_count)
    }

    /// Sampling semantics between equals; none without a sample.
    pub fn semantic_rule(&self) -> Option<SemanticRule> {
        let (alpha, beta, tie_epsilon) = (self.alpha, self.beta, self.equal);
        let selection = SemanticSelection { alpha, beta, tie_epsilon, ..SemanticSelection::default() };
        (self.semantics > 0).then_some(SemanticRule { units: self.semantics, selection })
    }
}

pub(crate) static KEYS: LazyLock<Vec<Parameter>> = LazyLock::new(AllKeys::table);

/// The keys of `[evolve]`: those of evouct, those of algorithms, each for files that name its algorithm, and the weights of
/// operators that were added. The table is made again where some, or functions, were added since it was made.
pub(crate) fn evolve_keys() -> &'static [Parameter] {
    static LAST: Mutex<(usize, &[Parameter])> = Mutex::new((0, &[]));
    let of_algorithms = ALGORITHMS.all().into_iter().flat_map(|own| {
        let only = Some(Condition { parameter: "algorithm", value: own.name() });
        own.keys().into_iter().map(move |key| Parameter { only, ..key })
    });
    let mut table = EvolveKeys::table();
    let weight = table.iter().find(|row| row.name == Grow.name()).expect("growth has a weight").clone();
    table.extend(of_algorithms);
    table.extend(added().iter().map(|own| Parameter { name: own.name(), about: own.about(), ..weight.clone() }));
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let functions = Function::all().count();
    if last.1.len() < table.len() || last.0 < functions {
        *last = (functions, table.leak());
    }
    last.1
}

/// That a name is no key of `[evolve]` yet.
pub(crate) fn check_new(key: &str) -> Result<(), String> {
    match evolve_keys().iter().any(|known| known.is_called(key)) {
        true => Err(format!("[evolve] has a key {key:?} already: give yours another name")),
        false => Ok(()),
    }
}
