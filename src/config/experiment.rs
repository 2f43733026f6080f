//! The experiment as a whole.

use super::overrides::Overrides;
use super::paper::Paper;
use super::players::{Contender, contenders};
use super::reader::{ConfigError, Source, TomlTable};
use super::sequential::Sequential;
use crate::carcassonne::{Rules, TileSet, Unplaceable};
use crate::player::Preset;
use serde::{Deserialize, Serialize};
use std::path::Path;
use toml::de::DeTable;

/// The largest experiment file that is read, in bytes.
const MAX_FILE: u64 = 10_000_000;
/// The most games an experiment may have.
const MAX_GAMES: u64 = 100_000_000;

/// Who plays whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum ScheduleKind {
    /// Every player at home against every other.
    #[default]
    RoundRobin,
    /// The first player against each other one, at home and away.
    Gauntlet,
    /// Each player against the next in the file, at home and away.
    Neighbours,
}

impl ScheduleKind {
    /// The names used in experiments.
    pub const NAMES: [(&'static str, ScheduleKind); 3] = [
        ("round-robin", ScheduleKind::RoundRobin),
        ("gauntlet", ScheduleKind::Gauntlet),
        ("neighbours", ScheduleKind::Neighbours),
    ];
}

/// What is kept of what players thought.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, PartialOrd, Ord)]
pub enum Log {
    /// Nothing.
    None,
    /// The evolution of every decision, in the record of the game.
    #[default]
    Formulas,
    /// Also the actions considered, in `thoughts.jsonl` beside the journal.
    Full,
}

impl Log {
    /// The names used in experiments.
    pub const NAMES: [(&'static str, Log); 3] = [("none", Log::None), ("formulas", Log::Formulas), ("full", Log::Full)];
}

/// An experiment, validated.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Its name, also the run folder's.
    pub name: String,
    /// What it is for, if the file says so.
    pub about: Option<String>,
    /// The seed of everything random.
    pub seed: u64,
    /// Decks a match.
    pub games_per_match: u32,
    /// Defaults of the players.
    pub preset: Preset,
    /// Who plays whom.
    pub schedule: ScheduleKind,
    /// Whether all matches share their decks, so that each pair of players plays every deck from both seats.
    pub mirror: bool,
    /// What is logged.
    pub log: Log,
    /// The rules of the game.
    pub rules: Rules,
    /// The players, in the order of the file.
    pub players: Vec<Contender>,
    /// For a match of two: a sequential test over its decks.
    pub sequential: Option<Sequential>,
    /// Printed numbers to set ours beside.
    pub paper: Option<Paper>,
    /// The file, letter by letter.
    pub toml: String,
    /// What took the place of the file's values.
    pub overrides: Overrides,
}

impl Experiment {
    /// Reads an experiment from a file. Values given here take the place of the file's; preset and seed are added to the
    /// experiment's name.
    ///
    /// # Errors
    /// A file that cannot be read, or what is wrong in it.
    pub fn load(path: &Path, overrides: Overrides) -> Result<Experiment, ConfigError> {
        let file = path.display().to_string();
        let unreadable = |error: std::io::Error| ConfigError {
            file: file.clone(),
            line: None,
            problem: format!("cannot read the experiment: {error}"),
        };
        let length = std::fs::metadata(path).map_err(unreadable)?.len();
        if length > MAX_FILE {
            let problem = format!("an experiment has at most {MAX_FILE} bytes, found {length}");
            return Err(ConfigError { file, line: None, problem });
        }
        let text = std::fs::read_to_string(path).map_err(unreadable)?;
        Experiment::parse(&text, &file, overrides)
    }

    /// Reads an experiment from a text as [`load`](Experiment::load) does; `file` is what errors call it.
    ///
    /// # Errors
    /// What is wrong, with the line.
    pub fn parse(text: &str, file: &str, overrides: Overrides) -> Result<Experiment, ConfigError> {
        let source = Source { file, text };
        let document = DeTable::parse(text)
            .map_err(|error| source.error(error.span().unwrap_or_default(), error.message().trim().to_lowercase()))?;
        let table = TomlTable::new(&source, &document, "");
        let name = table.text("name")?.ok_or_else(|| table.error("name is missing"))?;
        check_name(name).map_err(|problem| table.error_at("name", problem))?;
        let preset = table.choice("preset", &Preset::NAMES)?.unwrap_or_default();
        let preset = overrides.preset.unwrap_or(preset);
        let name = overrides.name(name);
        let about = table.text("about")?.map(str::to_owned);
        let seed = table.count("seed", 0..u64::MAX)?.unwrap_or(1);
        let seed = overrides.seed.unwrap_or(seed);
        let games_of_file = table.count("games_per_match", 1..10_000_001)?.unwrap_or(10) as u32;
        let games_per_match = overrides.games_per_match.unwrap_or(games_of_file);
        let schedule = table.choice("schedule", &ScheduleKind::NAMES)?.unwrap_or_default();
        let mirror = table.flag("mirror")?.unwrap_or(true);
        let log = table.choice("log", &Log::NAMES)?.unwrap_or_default();
        let rules = match table.table("rules")? {
            Some(rules) => read_rules(&rules)?,
            None => Rules::official(2),
        };
        // A misspelt [[player]] is named before players are missed.
        table.tables("player")?;
        table.table("paper")?;
        table.table("sequential")?;
        table.finish()?;
        let players = contenders(&table, preset, &rules)?;
        let paper =
            table.table("paper")?.map(|paper| Paper::read(&paper, &players, games_of_file, mirror)).transpose()?;
        let sequential =
            table.table("sequential")?.map(|test| Sequential::read(&test, players.len(), mirror)).transpose()?;
        let experiment = Experiment {
            name,
            about,
            seed,
            games_per_match,
            preset,
            schedule,
            mirror,
            log,
            rules,
            players,
            sequential,
            paper,
            toml: text.to_owned(),
            overrides,
        };
        let games = crate::schedule::Schedule::of(&experiment).len();
        if games > MAX_GAMES {
            return Err(table.error(format!("an experiment has at most {MAX_GAMES} games, found {games}")));
        }
        Ok(experiment)
    }

    /// Everything that a game depends on and everything that says which games there are, with all defaults: what makes two
    /// experiments the same.
    pub fn resolved(&self) -> Resolved {
        let name_of = |kind| ScheduleKind::NAMES.iter().find(|(_, other)| *other == kind).map_or("", |(name, _)| *name);
        let unplaceable = Unplaceable::NAMES.iter().find(|(_, other)| *other == self.rules.unplaceable);
        Resolved {
            seed: self.seed,
            games_per_match: self.games_per_match,
            schedule: name_of(self.schedule).to_owned(),
            mirror: self.mirror,
            tile_sets: vec![self.rules.tiles.name.to_owned()],
            seats: self.rules.seats,
            two_tile_city: self.rules.two_tile_city,
            unplaceable: unplaceable.map_or("", |(name, _)| *name).to_owned(),
            players: self.players.iter().map(ResolvedPlayer::of).collect(),
        }
    }

    /// The hash of the resolved experiment, names of players left out.
    pub fn hash(&self) -> String {
        let mut resolved = self.resolved();
        for player in &mut resolved.players {
            player.name.clear();
        }
        let json = serde_json::to_string(&resolved).expect("an experiment is plain data");
        blake3::hash(json.as_bytes()).to_hex()[..16].to_owned()
    }
}

/// A resolved experiment, as it stands in the journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are those of the experiment")]
pub struct Resolved {
    pub seed: u64,
    pub games_per_match: u32,
    pub schedule: String,
    pub mirror: bool,
    pub tile_sets: Vec<String>,
    pub seats: u8,
    pub two_tile_city: u8,
    pub unplaceable: String,
    pub players: Vec<ResolvedPlayer>,
}

/// A player of a resolved experiment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResolvedPlayer {
    /// The name.
    pub name: String,
    /// The start of the identity's hash, as in the ids of games.
    pub identity: String,
    /// The kind and what differs from its defaults.
    pub player: String,
}

impl ResolvedPlayer {
    fn of(contender: &Contender) -> ResolvedPlayer {
        ResolvedPlayer {
            name: contender.name.clone(),
            identity: contender.identity.short(),
            player: contender.spec.description(),
        }
    }
}

fn check_name(name: &str) -> Result<(), String> {
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || "._-:".contains(letter);
    if let Some(letter) = name.chars().find(|letter| !allowed(*letter)) {
        return Err(format!("name = {name:?} contains {letter:?}; letters, digits and . _ - : make a name"));
    }
    if name.is_empty() || name.len() > 100 || name.starts_with(['.', '-']) {
        return Err(format!("name = {name:?} is not 1 to 100 characters that begin with a letter, a digit, _ or :"));
    }
    Ok(())
}

fn read_rules(table: &TomlTable) -> Result<Rules, ConfigError> {
    let seats = table.count("seats", 2..6)?.unwrap_or(2) as u8;
    if seats != 2 {
        return Err(table.error_at(
            "seats",
            format!("rules: seats = {seats}; a league is for 2 seats (`evouct play` takes up to 5)"),
        ));
    }
    let mut rules = Rules::official(seats);
    let two_tile_city = table.count("two_tile_city", 0..256)?.unwrap_or(rules.two_tile_city.into());
    rules.two_tile_city = two_tile_city as u8;
    rules.unplaceable = table.choice("unplaceable", &Unplaceable::NAMES)?.unwrap_or_default();
    for set in table.list("tile_sets")? {
        if set.as_str().and_then(TileSet::named).is_none() {
            return Err(table.error_at("tile_sets", "rules: tile_sets: only \"base\" is known"));
        }
    }
    rules.tiles = TileSet::base();
    table.finish()?;
    rules.checked().map_err(|error| table.error_at("two_tile_city", format!("rules: {error}")))
}
