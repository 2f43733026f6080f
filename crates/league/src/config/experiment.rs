//! The experiment as a whole.

use super::file_kind::FileKind;
use super::frame::{GameFrame, LimitKeys, OPENINGS};
use super::gauntlet::check_fixed;
use super::overrides::Overrides;
use super::paper::Paper;
use super::players::{Contender, contenders, elsewhere};
use super::python::{PYTHON, PythonNeeds};
use super::reader::{ConfigError, ConfigErrors, TomlTable, read_document, read_file};
use super::resolved::{Resolved, ResolvedPlayer};
use super::schedule_kind::ScheduleKind;
use super::seatings::{MAX_SEATINGS, Seatings};
use super::sequential::{Plan, Sequential};
use super::swiss::rounds;
use super::time_control::TimeControl;
use evouct_base::named::Named;
use evouct_base::parameter::{Parameter, ParameterError, Parameters, Preset, Values};
use evouct_base::plural::counted;
use evouct_base::seed::Key;
use evouct_platform::domain::{AnyDomain, GameRules};
use evouct_platform::registry;
use evouct_store::Binding;
use std::path::Path;
use std::sync::LazyLock;

/// The largest experiment file that is read, in bytes.
const MAX_FILE: u64 = 10_000_000;
/// The most games an experiment may have.
const MAX_GAMES: u64 = 100_000_000;
/// The most games of a test at looks, whose results stay in memory while games are played: 200 MB.
const MAX_GAMES_AT_LOOKS: u64 = 1_000_000;

evouct_base::named! {
    /// What is recorded of the players' decisions.
    #[derive(Default, PartialOrd, Ord)]
    pub enum Log {
        /// Nothing.
        None = "none",
        /// The evolution of every decision, in the record of the game.
        #[default]
        Formulas = "formulas",
        /// Also the actions considered, in `thoughts.jsonl` beside the journal.
        Full = "full",
    }
}

evouct_base::parameters! {
    /// The keys of an experiment file, sections and those of its frame aside.
    struct ExperimentKeys {
        /// Name of the experiment and of its run folder: letters, digits and . _ - :
        name: String = String::new(), required = true, later = Changes;
        /// Description of the experiment.
        about: Option<String> = None, later = Changes;
        /// The game that is played.
        game: String = registry::default_game().name().to_owned();
        /// Seed of everything random.
        seed: u64 = 1, values = Values::Count(0, u64::MAX - 1);
        /// Decks per match: games of each ordered pair of players.
        decks: u32 = 10, values = Values::Count(1, 10_000_000), was = "games_per_match", later = Extends;
        /// Defaults of the players: the paper as printed, or the authors' code.
        preset: Preset = Preset::Text;
        /// Who plays whom: all pairs, the first player or players against each other one, each against the next, or in
        /// rounds players with about as many points.
        schedule: ScheduleKind = ScheduleKind::RoundRobin;
        /// Rounds of a Swiss schedule, at most half as many as players: no two meet twice.
        rounds: Option<u32> = None, values = Values::Count(1, 10_000), later = Extends;
        /// Fixed opponents of a gauntlet: so many players, the first of the file, each of which meets all others.
        fixed: usize = 1, values = Values::Count(1, 1_000);
        /// Orders in which the players of a table sit on one deck: all rotations of the order and of its reverse, all
        /// rotations, all orders, or one.
        seatings: Seatings = Seatings::Mirrored;
        /// Whether all matches share their decks, so that each pair of players plays every deck from both seats.
        mirror: bool = true;
        /// What is recorded of the players' decisions: nothing, evolved formulas, or also the actions considered.
        log: Log = Log::Formulas, later = Changes;
        /// Recorded positions in which `evouct positions` compares the players: a file beside this one.
        positions: Option<String> = None, later = Changes;
        /// The only position of that file to use, from 1.
        position: Option<u32> = None, values = Values::Count(1, 1_000_000), later = Changes;
    }
}

evouct_base::parameter_groups! {
    /// The keys of an experiment file, sections aside.
    struct AllKeys {
        /// Its own.
        own: ExperimentKeys;
        /// Where games end at the latest.
        limit: LimitKeys;
    }
}

pub(super) static KEYS: LazyLock<Vec<Parameter>> = LazyLock::new(AllKeys::table);
/// The tables of an experiment file.
pub(super) const SECTIONS: [&str; 7] = ["rules", "player", "paper", "sequential", OPENINGS, "clock", PYTHON];

/// An experiment, validated.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Its name, also the run folder's.
    pub name: String,
    /// Its description, if the file has one.
    pub about: Option<String>,
    /// The seed of everything random.
    pub seed: u64,
    /// Decks per match.
    pub games_per_match: u32,
    /// Defaults of the players.
    pub preset: Preset,
    /// Who plays whom.
    pub schedule: ScheduleKind,
    /// The rounds of a Swiss schedule; none of another one.
    pub rounds: Option<u32>,
    /// Fixed opponents of a gauntlet of two seats: the first players, each of which meets all others. 1 in other leagues.
    pub fixed: usize,
    /// In which orders they sit.
    pub seatings: Seatings,
    /// Whether all matches share their decks, so that each pair of players plays every deck from both seats.
    pub mirror: bool,
    /// What is logged.
    pub log: Log,
    /// The rules of the game.
    pub rules: GameRules,
    /// How games begin, and where they end at the latest.
    pub frame: GameFrame,
    /// The time of each seat; none if games have no clock.
    pub clock: Option<TimeControl>,
    /// The players, in the order of the file.
    pub players: Vec<Contender>,
    /// A sequential test: of a match of two over its decks, or of all pairs at looks.
    pub sequential: Option<Sequential>,
    /// Printed numbers to compare with.
    pub paper: Option<Paper>,
    /// A file with recorded positions, relative to the experiment's: see `evouct positions`.
    pub positions: Option<String>,
    /// The number of the only position to use, from 1.
    pub position: Option<u32>,
    /// What formulas need of Python.
    pub python: PythonNeeds,
    /// The text of the file, in which the list of openings stands for the file that has it.
    pub toml: String,
    /// The overrides of values in the file.
    pub overrides: Overrides,
}

impl Experiment {
    /// The fewest players of a league; fewer only in games of one seat.
    pub const LEAST_PLAYERS: usize = 2;

    /// Reads an experiment from a file. Overrides replace the values of the file; preset and seed are added to the name
    /// of the experiment.
    ///
    /// # Errors
    /// A file that cannot be read, or everything that is wrong in it.
    pub fn load(path: &Path, overrides: Overrides) -> Result<Experiment, ConfigErrors> {
        Experiment::load_with(path, overrides, Experiment::LEAST_PLAYERS)
    }

    /// Reads an experiment as [`load`](Experiment::load) does, with at least this many players instead of the two of a
    /// league.
    ///
    /// # Errors
    /// As [`load`](Experiment::load).
    pub fn load_with(path: &Path, overrides: Overrides, players: usize) -> Result<Experiment, ConfigErrors> {
        let (text, file) = read_file(path, MAX_FILE, "experiment")?;
        Experiment::parse_with(&text, &file, overrides, players)
    }

    /// Reads an experiment from a text as [`load`](Experiment::load) does; `file` is its name in errors.
    ///
    /// # Errors
    /// Everything that is wrong, with the lines.
    pub fn parse(text: &str, file: &str, overrides: Overrides) -> Result<Experiment, ConfigErrors> {
        Experiment::parse_with(text, file, overrides, Experiment::LEAST_PLAYERS)
    }

    /// Reads an experiment from a text as [`load_with`](Experiment::load_with) does; `file` is its name in errors.
    ///
    /// # Errors
    /// Everything that is wrong, with the lines.
    pub fn parse_with(
        text: &str,
        file: &str,
        overrides: Overrides,
        players: usize,
    ) -> Result<Experiment, ConfigErrors> {
        let experiment = Experiment::recorded(text, file, overrides, players)?;
        experiment.python.check().map_err(|problem| ConfigError { file: file.to_owned(), line: None, problem })?;
        Ok(experiment)
    }

    /// Reads an experiment to look at its records, which need no functions of Python.
    ///
    /// # Errors
    /// Everything that is wrong, with the lines.
    pub fn recorded(text: &str, file: &str, overrides: Overrides, players: usize) -> Result<Experiment, ConfigErrors> {
        read_document(text, file, |table| {
            FileKind::Experiment.check(table)?;
            let experiment = Experiment::read(table, overrides, players)?;
            Some(Experiment { toml: experiment.frame.with_list(table, text), ..experiment })
        })
    }

    /// Reads the file's table and collects the errors. None if there are too many errors to continue.
    fn read(table: &TomlTable, overrides: Overrides, least: usize) -> Option<Experiment> {
        let AllKeys { own: keys, limit } = AllKeys::read(table.fill(&KEYS, &SECTIONS).values());
        check_name_of(table);
        let preset = overrides.preset.unwrap_or(keys.preset);
        let games_per_match = overrides.games_per_match.unwrap_or(keys.decks);
        let rules = game_rules(table, &keys.game);
        let paper = table.section("paper");
        let sequential = table.section("sequential");
        let clock = table.section("clock");
        let rules = rules?;
        let python = PythonNeeds::read(table);
        let players = contenders(table, "player", preset, &rules, clock.is_some(), |_| Ok(()));
        if clock.is_some() && rules.seats() == 1 {
            table.note_at(
                "clock",
                "[clock] needs a game of two or more seats: a game of one seat cannot be won on time",
            );
        }
        if clock.is_some() && keys.positions.is_some() {
            table.note_at("clock", "[clock] is for games, and positions are decided without one; expected one of them");
        }
        let seats = rules.seats();
        let least = if least < Experiment::LEAST_PLAYERS { least } else { seats };
        if players.len() < least && !table.is_faulty() {
            let needs = match least {
                1 => "expected at least one player".to_owned(),
                2 => "a league needs at least two players".to_owned(),
                _ => format!("a league of {seats} seats needs at least {seats} players"),
            };
            table.note(format!("{needs}, found {}", players.len()));
        }
        let matches = keys.schedule.matches(keys.fixed, players.len(), seats, keys.seatings);
        if matches > MAX_SEATINGS {
            table.note_at(
                "schedule",
                format!(
                    "{} on {} make {matches} games per deck, expected at most {MAX_SEATINGS}: fewer players, \
                     schedule = gauntlet | neighbours, or seatings = rotations | once",
                    counted(players.len(), "player"),
                    counted(seats, "seat")
                ),
            );
        }
        let plan = Plan {
            players: Some(players.len()).filter(|_| !table.is_faulty()),
            seats,
            decks: games_per_match,
            mirror: keys.mirror,
            seatings: keys.seatings,
        };
        let paper = paper.map(|paper| Paper::read(&paper, &rules, &players, keys.decks, keys.mirror));
        let seed = overrides.seed.unwrap_or(keys.seed);
        let frame = GameFrame::read(table, &limit, &rules, Key::experiment(seed));
        check_openings(table, &frame, games_per_match, keys.mirror);
        let experiment = Experiment {
            name: overrides.name(&keys.name),
            about: keys.about,
            seed,
            games_per_match,
            preset,
            schedule: keys.schedule,
            rounds: rounds(table, keys.schedule, keys.rounds, &plan),
            fixed: keys.fixed,
            seatings: keys.seatings,
            mirror: keys.mirror,
            log: keys.log,
            rules,
            frame,
            clock: clock.map(|clock| TimeControl::read_from(&clock)),
            paper,
            positions: keys.positions,
            position: keys.position,
            sequential: sequential.and_then(|test| Sequential::read(&test, &plan)),
            players,
            python,
            toml: String::new(),
            overrides,
        };
        if experiment.looks().is_some() && experiment.paper.is_some() {
            table.note_at("paper", "printed numbers are compared with a fixed number of decks; [sequential] has looks");
        }
        check_fixed(table, &experiment, &plan);
        // Of a Swiss schedule all that may be played.
        let games = experiment.games().max(u64::from(games_per_match).saturating_mul(matches));
        let (most, of) = match experiment.looks() {
            Some(_) => (MAX_GAMES_AT_LOOKS, "a test at looks"),
            None => (MAX_GAMES, "an experiment"),
        };
        if games > most {
            table.note(format!("{of} has at most {most} games, found {games}"));
        }
        Some(experiment)
    }

    /// How many looks there are, if the pairs are tested at looks.
    pub fn looks(&self) -> Option<usize> {
        match self.sequential {
            Some(Sequential::Looks(looks)) => Some(looks),
            _ => None,
        }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        let matches = match self.rounds {
            // Each round has a game for each player.
            Some(rounds) => u64::from(rounds) * self.players.len() as u64,
            None => self.schedule.matches(self.fixed, self.players.len(), self.rules.seats(), self.seatings),
        };
        u64::from(self.games_per_match).saturating_mul(matches)
    }

    /// Everything that determines the games and their number, with all defaults: what makes two experiments the same.
    pub fn resolved(&self) -> Resolved {
        Resolved {
            game: self.rules.domain().name().to_owned(),
            seed: self.seed,
            games_per_match: self.games_per_match,
            schedule: self.schedule.name().to_owned(),
            rounds: self.rounds,
            fixed: self.fixed,
            seatings: self.seatings,
            mirror: self.mirror,
            rules: self.rules.recorded(),
            openings: self.frame.openings.as_ref().map(|openings| openings.source().clone()),
            limit: self.frame.limit,
            clock: self.clock,
            players: self.players.iter().map(ResolvedPlayer::of).collect(),
            python: self.python.hashes().collect(),
        }
    }

    /// What the lines of its games are bound to.
    pub fn binding(&self) -> Binding {
        Binding { hash: self.hash(), seed: self.seed }
    }

    /// The hash of the resolved experiment, names of players left out.
    pub fn hash(&self) -> String {
        self.resolved().hash()
    }
}

/// Notes openings that the decks of an experiment cannot have.
fn check_openings(table: &TomlTable, frame: &GameFrame, decks: u32, mirror: bool) {
    let Some(openings) = &frame.openings else { return };
    if let Some(found) = openings.source().listed().filter(|found| *found < decks as usize) {
        let found = counted(found, "opening");
        table.note_at("decks", format!("decks = {decks}: the list has {found}; expected as many decks at most"));
    }
    if !mirror {
        table.note_at(
            "mirror",
            "mirror = false gives each match decks of its own, which openings have not; leave it out",
        );
    }
}

/// The rules of the game of this name with the options of the section `[rules]`; errors are noted.
pub fn game_rules(table: &TomlTable, game: &str) -> Option<GameRules> {
    let game = registry::game(game).map_err(|problem| table.note_at("game", problem)).ok()?;
    let Some(section) = table.section("rules") else {
        let noted =
            |errors: Vec<ParameterError>| errors.into_iter().for_each(|error| table.note_at("game", error.problem));
        return GameRules::resolve(game, &[]).map_err(noted).ok();
    };
    let is_rule = |game: &dyn AnyDomain, key: &str| game.rules_table().iter().any(|row| row.is_called(key));
    let foreign =
        section.keys().find(|key| !is_rule(game, key) && elsewhere(game, |other| is_rule(other, key)).is_some());
    if let Some(key) = foreign {
        let games = elsewhere(game, |other| is_rule(other, key)).unwrap_or_default();
        section.note_at(key, format!("rules: {key} is not a rule of {}; it is one of {games}", game.name()));
        return None;
    }
    let options = section.fill(game.rules_table(), &[]);
    let noted = |error: ParameterError| {
        section.note_at(error.key.as_deref().unwrap_or(""), format!("rules: {}", error.problem));
    };
    GameRules::of(game, options).map_err(noted).ok()
}

/// Notes what is wrong with the name that a file gives.
pub fn check_name_of(table: &TomlTable) {
    if let Ok(Some(name)) = table.text("name") {
        check_name(name).unwrap_or_else(|problem| table.note_at("name", problem));
    }
}

/// Refuses a name that cannot be a folder's.
///
/// # Errors
/// What is wrong with it.
pub fn check_name(name: &str) -> Result<(), String> {
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || "._-:".contains(letter);
    if let Some(letter) = name.chars().find(|letter| !allowed(*letter)) {
        return Err(format!("name = {name:?} contains {letter:?}; a name may contain letters, digits and . _ - :"));
    }
    if name.is_empty() || name.len() > 100 || name.starts_with(['.', '-']) {
        return Err(format!("name = {name:?} is not 1 to 100 characters that begin with a letter, a digit, _ or :"));
    }
    Ok(())
}
