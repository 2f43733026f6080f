//! What is to be evolved, and how: the file of `evouct evolve`.

pub(crate) mod algorithm;
pub(crate) mod game;
pub(crate) mod genome;
pub(crate) mod grammar;
pub(crate) mod identity;
pub(crate) mod keys;
pub(crate) mod operators;
pub(crate) mod proposer;
pub(crate) mod schema;
pub(crate) mod score_rule;
pub(crate) mod second;
pub(crate) mod stage;
pub(crate) mod template;

use algorithm::AlgorithmFile;
use evouct_base::named::Named;
use evouct_base::parameter::{Filled, ParameterError, Parameters, Preset, Value};
use evouct_base::plural::counted;
use evouct_base::seed::Key;
use evouct_gp::{CmaEs, Genome, LnRule, Slot, Terminal, Variation};
use evouct_league::config::reader::{TomlTable, read_document, read_file};
use evouct_league::config::{
    ConfigErrors, Contender, FileKind, GameFrame, OPENINGS, PYTHON, PythonNeeds, check_name_of,
};
use evouct_platform::domain::{AnyDomain, Spec};
use evouct_platform::kinds::BudgetParameters;
use evouct_search::search::SearchColumn;
use game::{Listed, PlanGame, Shared, check_games};
pub(crate) use grammar::is_undefined_in_replay;
use grammar::{all_terminals, seeds, slots, terminals};
use identity::description_of;
use keys::{AllKeys, EvolveKeys, KEYS, evolve_keys};
use operators::operators;
use proposer::{Proposer, proposers};
use score_rule::{ScoreRule, score_rule};
use second::{SecondObjective, second_objective};
use stage::{FitnessMeasure, FitnessStage, check_errors, stages};
use std::path::{Path, PathBuf};

/// The most individuals of an evolution, all of which are kept.
const MAX_INDIVIDUALS: u64 = 1_000_000;
/// The most blocks of a round, all of which are planned at once: they take some 100 bytes each.
pub(crate) const MAX_BLOCKS: u64 = 2_500_000;
/// The largest file of `evouct evolve`, in bytes.
const MAX_FILE: u64 = 1 << 20;

/// The rules of the course of evolutions that begin today.
const COURSE: u32 = 1;

/// An evolution, validated.
#[derive(Clone, Debug)]
pub struct EvolutionPlan {
    /// Its name, also the folder's.
    pub name: String,
    /// The seed.
    pub seed: u64,
    /// Defaults of players.
    pub preset: Preset,
    /// The games in which formulas are measured, those first that evolution sees; one without `[[evolve.game]]`.
    pub games: Vec<PlanGame>,
    /// The bank, if a stage needs one.
    pub bank: Option<PathBuf>,
    /// How logarithms of the formulas are protected.
    pub ln: LnRule,
    /// Genomes to start from; the first is the reference that others are compared with.
    pub seeds: Vec<Genome>,
    /// How formulas vary.
    pub variation: Variation,
    /// Programs that propose formulas.
    pub proposers: Vec<Proposer>,
    /// What it needs of Python.
    pub(crate) python: PythonNeeds,
    /// The stages.
    pub stages: Vec<FitnessStage>,
    /// The keys of `[evolve]`, as the algorithm sets them.
    pub evolve: EvolveKeys,
    /// What is maximised beside the points.
    pub second: Option<SecondObjective>,
    /// Which genomes `evouct score` measures further; no matter of the evolution.
    pub score_rule: ScoreRule,
    /// The rules of the course. 1: genomes that decide alike are one individual, and the seeds play in the finals. 0: what
    /// began before that goes on as it began, where only structures and neighbours of a climb that decide alike are one.
    pub course: u32,
    /// The keys of `[evolve]`.
    pub(crate) keys: Filled,
    /// The variation of the file, as text.
    pub(crate) variation_of_file: String,
    /// The text of the file, in which the list of openings stands for the file that has it.
    pub toml: String,
}

impl EvolutionPlan {
    /// Reads the file of an evolution.
    ///
    /// # Errors
    /// A file that cannot be read, or everything that is wrong in it.
    pub fn load(path: &Path, seed: Option<u64>) -> Result<EvolutionPlan, ConfigErrors> {
        let (text, file) = read_file(path, MAX_FILE, "evolution")?;
        Ok(EvolutionPlan::parse(&text, &file, seed)?.beside(path))
    }

    /// The same evolution with its bank beside the file that names it, so that it is found from any folder.
    #[must_use]
    pub fn beside(self, file: &Path) -> EvolutionPlan {
        let folder = file.parent().unwrap_or(Path::new(""));
        EvolutionPlan { bank: self.bank.map(|bank| folder.join(bank)), ..self }
    }

    /// Reads an evolution from a text; `file` is its name in errors. A seed replaces the file's and is added to the
    /// name.
    ///
    /// # Errors
    /// Everything that is wrong, with the lines.
    pub fn parse(text: &str, file: &str, seed: Option<u64>) -> Result<EvolutionPlan, ConfigErrors> {
        read_document(text, file, |table| {
            FileKind::Evolution.check(table)?;
            EvolutionPlan::read(table, text, seed)
        })
    }

    /// Whether nothing but the constants of the seeds evolves, by a search for each structure.
    pub(crate) fn is_of_constants_alone(&self) -> bool {
        self.evolve.cma_samples > 0 && !self.variation.changes_form()
    }

    /// Whether genomes that decide alike are one individual.
    pub(crate) fn folds(&self) -> bool {
        self.course > 0 || self.evolve.cma_samples > 0
    }

    /// The most samples of constants that a structure can have.
    pub(crate) fn most_samples(&self) -> usize {
        self.evolve.cma_samples * self.stages[0].rounds.len() * self.evolve.generations as usize
    }

    /// The keys of `[evolve]` that an algorithm has of its own.
    pub fn own<T: Parameters>(&self) -> T {
        let value = |name: &str| self.keys.rows().find(|(own, _)| own.name == name).map(|(_, value)| value.clone());
        let values: Vec<Value> = T::table().iter().map(|row| value(row.name).unwrap_or(Value::Unset)).collect();
        T::read(&values)
    }

    /// The terminals of formulas of its games.
    pub fn terminals(&self) -> Vec<Terminal> {
        all_terminals(&self.domains())
    }

    /// Its games by themselves.
    pub fn domains(&self) -> Vec<&'static dyn AnyDomain> {
        self.games.iter().map(|game| game.rules.domain()).collect()
    }

    /// Whether formulas are measured in several games, so that gains are in standard deviations.
    pub fn is_over_games(&self) -> bool {
        self.games.len() > 1
    }

    /// The unit of gains over all games.
    pub fn unit_of_gains(&self) -> &'static str {
        if self.is_over_games() { "standard deviations" } else { "points per game" }
    }

    /// Iterations per decision in its first game; none of another budget.
    pub fn iterations(&self) -> Option<u64> {
        let player = self.games[0].player(&self.seeds[0], self.ln, self.preset).ok()?;
        player.group::<BudgetParameters>()?.iterations
    }

    /// The names of its games.
    pub fn game_names(&self) -> String {
        self.games.iter().map(|game| game.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// What is evolved where and how, in words: the games with their rules, the budget of a decision, the algorithm.
    pub fn setting(&self) -> String {
        let games: Vec<String> = self.games.iter().map(|game| game.rules.with_options(&game.name)).collect();
        let budget = self
            .iterations()
            .map_or(String::new(), |iterations| format!(", {} per decision", counted(iterations, "iteration")));
        format!("{}{budget}, algorithm {}", games.join(", "), self.evolve.algorithm.name())
    }

    /// The opponents of all games.
    pub fn opponents(&self) -> Vec<Contender> {
        self.games.iter().flat_map(|game| game.opponents.iter().cloned()).collect()
    }

    fn read(table: &TomlTable, text: &str, seed: Option<u64>) -> Option<EvolutionPlan> {
        let python = PythonNeeds::read(table);
        // Even its course depends on them.
        python.check().map_err(|problem| table.note_at(PYTHON, problem)).ok()?;
        let sections = [PYTHON, "rules", "evolve", "player", "opponent", "stage", "score", "proposer", OPENINGS];
        let AllKeys { own: keys, limit } = AllKeys::read(table.fill(&KEYS, &sections).values());
        check_name_of(table);
        let evolve = table.section("evolve");
        let key = Key::experiment(seed.unwrap_or(keys.seed));
        let shared =
            Shared { table, evolve: evolve.as_ref(), game: &keys.game, limit: &limit, preset: keys.preset, key };
        let mut games = shared.games()?;
        let Some(evolve) = &evolve else {
            table.note("[evolve] is missing");
            return None;
        };
        let filled = evolve.fill(evolve_keys(), &["trees", "terminals", "seeds", "game"]);
        let mut own = EvolveKeys::read(filled.values());
        let domains: Vec<&'static dyn AnyDomain> = games.iter().map(|listed| listed.game.rules.domain()).collect();
        let slots = slots(evolve);
        let terminals = terminals(evolve, &domains);
        let seeds = seeds(evolve, &domains);
        let ln = shared.players(&mut games, (&slots, &seeds))?;
        let stages = stages(table, &games.iter().map(|listed| listed.game.opponents.len()).collect::<Vec<_>>());
        if stages.iter().any(|stage| stage.measure != FitnessMeasure::Games) && own.bank.is_none() && games.len() == 1 {
            evolve.note("bank is missing: the measures replay and regret need positions (`evouct bank` makes them)");
        }
        if let Some(undefined) = terminals.iter().find(|terminal| is_undefined_in_replay(terminal))
            && stages.iter().any(|stage| stage.measure == FitnessMeasure::Replay)
        {
            let name = undefined.name().unwrap_or_default();
            let problem = format!(
                "terminals: {name} is undefined where measure = replay; leave it out, or measure regret or games"
            );
            evolve.note_at("terminals", problem);
        }
        if slots.contains(&Slot::Policy) && !terminals.iter().any(|terminal| terminal.is_move_number()) {
            evolve.note_at("trees", "trees: policy is over move numbers, of which terminals has none".to_owned());
        }
        if slots.contains(&Slot::Playout) {
            if !terminals.iter().any(|terminal| terminal.is_in_playouts()) {
                let problem = "trees: playout is over move numbers and hm hn hm2 hn2 hm3 hn3 lgr w1 l1, of which terminals has none";
                evolve.note_at("trees", problem.to_owned());
            }
            if stages.iter().any(|stage| stage.measure == FitnessMeasure::Replay) {
                let problem =
                    "trees: playout changes nothing where measure = replay; leave it out, or measure regret or games";
                evolve.note_at("trees", problem.to_owned());
            }
        }
        let has_policy = |seed: &Genome| seed.tree(Slot::Policy).is_some();
        if terminals.contains(&SearchColumn::Prior.terminal())
            && !slots.contains(&Slot::Policy)
            && !seeds.iter().any(has_policy)
        {
            let problem = "terminals: P is the prior of a policy; expected policy among trees, or in a seed";
            evolve.note_at("terminals", problem.to_owned());
        }
        check_games(table, evolve, games.len(), (own.scale_decks, &stages));
        // Where a stage is faulty, it may be the last one.
        let is_whole = stages.len() == table.sections("stage").len();
        if let Some(last) = stages.last().filter(|stage| stage.measure != FitnessMeasure::Games && is_whole) {
            let found = last.measure.name();
            table.note(format!(
                "the last [[stage]] has measure = {found}; expected games, because only games show that a formula plays well"
            ));
        }
        let operators = operators(evolve, &filled, slots.len(), &python);
        if (1..CmaEs::FEWEST).contains(&own.cma_samples) {
            let found = own.cma_samples;
            evolve.note_at(
                "cma_samples",
                format!("cma_samples: expected 0 or at least {}, found {found}", CmaEs::FEWEST),
            );
        }
        if own.cma_samples > 0 {
            check_errors(table, &stages);
        }
        if own.beta <= own.alpha {
            evolve.note_at("beta", format!("beta = {} is not above alpha = {}", own.beta, own.alpha));
        }
        let name = keys.name;
        shared.frames(&mut games);
        for Listed { game, .. } in &games {
            check_openings(table, &game.frame, stages.len(), own.held_out_decks);
        }
        let mut functions = own.functions.functions().to_vec();
        functions.extend(python.functions().filter(|function| !own.functions.functions().contains(function)));
        let variation = Variation {
            slots,
            leaf_terminals: SearchColumn::leaf_terminals(&terminals),
            terminals,
            functions,
            max_nodes: own.max_nodes,
            max_height: own.max_height,
            operators,
        };
        let algorithm = own.algorithm;
        algorithm.check(&AlgorithmFile {
            file: table,
            evolve,
            keys: &own,
            seeds: &seeds,
            stages: &stages,
            variation: &variation,
            ln,
        });
        algorithm.adjust(&mut own);
        let panel = games.iter().map(|listed| listed.game.opponents.len().max(1)).sum::<usize>();
        check_size(evolve, &own, (&stages, panel));
        let most = match own.cma_samples > 0 && !variation.changes_form() {
            // Neighbours more.
            _ if algorithm.plays_itself() => None,
            true => Some(0),
            // An island without any offspring could die out.
            false => Some(own.offspring().saturating_sub(1).saturating_mul(own.islands)),
        };
        let proposers = proposers(table, most);
        if evolve.has("lag") && !algorithm.is_steady() {
            evolve.note_at("lag", "lag: only algorithm = steady-state has one; leave it out".to_owned());
        }
        let rules = &games[0].game.rules;
        let second = second_objective(table, evolve, (own.second.as_deref(), rules), (algorithm.is_sorted(), &stages));
        // The others search constants themselves, or not for points alone.
        if own.cma_samples > 0 || algorithm.plays_itself() || own.second.is_some() {
            own.constant_offspring = 0;
        }
        Some(EvolutionPlan {
            name: seed.map_or(name.clone(), |seed| format!("{name}-seed-{seed}")),
            seed: seed.unwrap_or(keys.seed),
            preset: keys.preset,
            toml: shared.with_lists(&games, text),
            games: games.into_iter().map(|listed| listed.game).collect(),
            bank: own.bank.as_ref().map(PathBuf::from),
            ln,
            seeds,
            variation_of_file: description_of(&variation),
            variation,
            proposers,
            python,
            stages,
            second,
            score_rule: score_rule(table),
            evolve: own,
            course: COURSE,
            keys: filled,
        })
    }

    /// The part of a list of openings that a stage has, counted from 0, and how many parts there are: the first one is
    /// that of the proof.
    pub(crate) fn part_of_stage(&self, stage: usize) -> [usize; 2] {
        [stage + 1, self.stages.len() + 1]
    }

    /// Whether it has no more individuals than an evolution may have.
    pub fn is_small_enough(&self) -> bool {
        individuals(&self.evolve) <= MAX_INDIVIDUALS
    }

    /// The player of a genome in a game, by its place.
    ///
    /// # Errors
    /// If its kind refuses a formula.
    pub(crate) fn player(&self, game: usize, genome: &Genome) -> Result<Spec, ParameterError> {
        self.games[game].player(genome, self.ln, self.preset)
    }

    /// The same as files give it: see [`PlanGame::written_player`].
    ///
    /// # Errors
    /// If its kind refuses a formula.
    pub(crate) fn written_player(&self, game: usize, genome: &Genome) -> Result<Spec, ParameterError> {
        self.games[game].written_player(genome, self.ln, self.preset)
    }
}

/// Notes a list of openings that is too short for its parts: one for the proof, and one for each stage.
fn check_openings(table: &TomlTable, frame: &GameFrame, stages: usize, held_out_decks: u32) {
    let parts = stages + 1;
    let listed = frame.openings.as_ref().and_then(|openings| openings.source().listed());
    if let Some(found) = listed.filter(|found| *found < parts || found.div_ceil(parts) < held_out_decks as usize) {
        table.note_at(
            OPENINGS,
            format!(
                "openings: the list has {}, of which the proof and each stage have one part of {parts}; expected \
                 {held_out_decks} (held_out_decks) for each",
                counted(found, "opening")
            ),
        );
    }
}

/// The most individuals that are born on all islands.
fn individuals(keys: &EvolveKeys) -> u64 {
    let born = (keys.offspring() as u64).saturating_mul(keys.generations.into()).saturating_add(keys.population as u64);
    born.saturating_mul(keys.islands as u64)
}

/// Notes an evolution with more individuals than are kept, or with a batch of more blocks than are planned at once, with so
/// many opponents in all games together.
fn check_size(evolve: &TomlTable, keys: &EvolveKeys, (stages, panel): (&[FitnessStage], usize)) {
    let individuals = individuals(keys);
    if individuals > MAX_INDIVIDUALS {
        evolve.note(format!(
            "islands × (population + offspring × generations) is at most {MAX_INDIVIDUALS}, found {individuals}"
        ));
    }
    let born = keys.population.max(keys.offspring()) * keys.islands;
    let of_stage = |stage: &FitnessStage, genomes: usize| {
        // After each round the better half goes on.
        let of_round = |(round, units): (usize, &u32)| {
            let blocks = u64::from(units.div_ceil(stage.block)).saturating_mul(panel as u64);
            blocks.saturating_mul((genomes >> round.min(63)).max(1) as u64)
        };
        stage.rounds.iter().enumerate().map(of_round).max().unwrap_or(0)
    };
    let genomes = [born].into_iter().chain(std::iter::repeat(keys.finalists));
    let most = stages.iter().zip(genomes).map(|(stage, genomes)| of_stage(stage, genomes)).max();
    if let Some(blocks) = most.filter(|blocks| *blocks > MAX_BLOCKS) {
        evolve.note(format!(
            "a round has at most {MAX_BLOCKS} blocks, genomes × units × opponents, found {blocks}; measure fewer decks or positions"
        ));
    }
}
