//! How the games of a file begin and where they end at the latest: the keys that experiments and evolutions share.

use super::openings::{OpeningSource, Openings};
use super::reader::{ConfigError, TomlTable};
use evouct_base::named::Named;
use evouct_base::parameter::{Parameter, Parameters, Values};
use evouct_base::seed::Key;
use evouct_platform::domain::{AtLimit, GameRules, PlyLimit, Terms};
use evouct_store::disk;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// The key of openings, which holds a table, a list, or the name of a file.
pub const OPENINGS: &str = "openings";
/// The largest file of openings that is read, in bytes.
const MAX_FILE: u64 = 10_000_000;

evouct_base::parameters! {
    /// The keys of a limit.
    pub struct LimitKeys {
        /// The most plies of a game: decisions of all seats, those of the opening included. Games end by their rules alone
        /// unless given.
        max_plies: Option<u32> = None, values = Values::Count(1, 1_000_000);
        /// The scores of a game that max_plies ends: 0 for every seat, or what they are there.
        at_limit: AtLimit = AtLimit::Draw;
    }
}

evouct_base::parameters! {
    /// The keys of random openings.
    struct RandomKeys {
        /// Random legal moves with which the games of a deck begin.
        plies: u32 = 0, values = Values::Count(1, 1_000), required = true;
        /// How far from 0 the value of an opening may be by a quick search, where a win is 1 and a loss -1. Any unless
        /// given.
        balanced: Option<f64> = None, values = Values::Real(0.0, 1.0);
    }
}

pub(super) static RANDOM_KEYS: LazyLock<Vec<Parameter>> = LazyLock::new(RandomKeys::table);

/// How games begin, and where they end at the latest. By default they begin at their start and end by their rules.
#[derive(Clone, Debug, Default)]
pub struct GameFrame {
    /// The openings of their decks.
    pub openings: Option<Arc<Openings>>,
    /// Where they end at the latest.
    pub limit: Option<PlyLimit>,
}

impl GameFrame {
    /// The frame of a file for games by these rules, in which nothing else is wrong so far; what is wrong is noted.
    pub fn read(table: &TomlTable, limit: &LimitKeys, rules: &GameRules, key: Key) -> GameFrame {
        let limit = match limit {
            LimitKeys { max_plies: Some(plies), at_limit } => Some(PlyLimit { plies: *plies, at_limit: *at_limit }),
            LimitKeys { max_plies: None, .. } => {
                if table.has("at_limit") {
                    table.note_at("at_limit", "at_limit: only games with max_plies have a limit; give both or none");
                }
                None
            }
        };
        let openings = source(table).map(|source| Arc::new(Openings::new(source, rules.clone(), key)));
        if let Some(openings) = &openings {
            check(table, openings, rules, limit);
        }
        GameFrame { openings, limit }
    }

    /// The terms of the games of a deck, counted from 1.
    ///
    /// # Errors
    /// As [`Openings::of_deck`].
    pub fn terms(&self, deck: u32) -> Result<Terms, String> {
        let opening = self.openings.as_ref().map_or(Ok(String::new()), |openings| openings.of_deck(deck))?;
        Ok(Terms { opening, limit: self.limit })
    }

    /// The terms of the games of a deck that is known by its key alone: see [`Openings::of_key`].
    ///
    /// # Errors
    /// As [`Openings::of_key`].
    pub fn terms_of_key(&self, key: Key, part: [usize; 2]) -> Result<Terms, String> {
        let opening = self.openings.as_ref().map_or(Ok(String::new()), |openings| openings.of_key(key, part))?;
        Ok(Terms { opening, limit: self.limit })
    }

    /// The text of a file with its list of openings in place of the name of the file that has it: the text says all that
    /// games depend on.
    pub fn with_list(&self, table: &TomlTable, text: &str) -> String {
        match (&self.openings, table.type_of(OPENINGS), table.place_of(OPENINGS)) {
            (Some(openings), Some("string"), Some(place)) => {
                [&text[..place.start], &openings.source().toml(), &text[place.end..]].concat()
            }
            _ => text.to_owned(),
        }
    }

    /// The keys of a file with this frame and these of its openings, a line for each; empty for the default.
    pub fn toml(&self, of: impl Fn(&OpeningSource) -> OpeningSource) -> String {
        let mut text = String::new();
        if let Some(openings) = &self.openings {
            text.push_str(&format!("{OPENINGS} = {}\n", of(openings.source()).toml()));
        }
        if let Some(limit) = self.limit {
            text.push_str(&format!("max_plies = {}\nat_limit = \"{}\"\n", limit.plies, limit.at_limit.name()));
        }
        text
    }
}

/// What the key says; what is wrong with it is noted.
fn source(table: &TomlTable) -> Option<OpeningSource> {
    let noted = |error: ConfigError| table.note_at(OPENINGS, error.problem);
    match table.type_of(OPENINGS)? {
        "table" => {
            let random = table.section(OPENINGS)?;
            let keys = RandomKeys::read(random.fill(&RANDOM_KEYS, &[]).values());
            Some(OpeningSource::Random { plies: keys.plies, balanced: keys.balanced })
        }
        "array" => {
            let list = table.list(OPENINGS).map_err(noted).ok()?;
            let words: Option<Vec<String>> = list.iter().map(|item| item.as_str().map(str::to_owned)).collect();
            match words {
                Some(list) if !list.is_empty() => Some(OpeningSource::List(list)),
                Some(_) => {
                    table.note_at(OPENINGS, "openings: the list is empty; expected one opening for each deck");
                    None
                }
                None => {
                    table.note_at(OPENINGS, "openings: expected a list of texts, each with the moves of an opening");
                    None
                }
            }
        }
        "string" => {
            let file = table.text(OPENINGS).map_err(noted).ok()??;
            let lines = lines(&table.beside(file)).map_err(|problem| table.note_at(OPENINGS, problem)).ok()?;
            Some(OpeningSource::List(lines.into_iter().map(|(_, line)| line).collect()))
        }
        other => {
            let expected = "{ plies = N }, the name of a file, or a list of openings";
            table.note_at(OPENINGS, format!("openings: found <{other}>, expected {expected}"));
            None
        }
    }
}

/// The openings of a file with their lines: one on each line, lines that are empty or begin with # left out.
fn lines(path: &Path) -> Result<Vec<(usize, String)>, String> {
    let shown = path.display();
    let text = disk::read_text(path, MAX_FILE).map_err(|error| format!("openings: cannot read {shown}: {error}"))?;
    let lines = text.lines().map(str::trim).zip(1..).map(|(line, number)| (number, line.to_owned()));
    let lines: Vec<(usize, String)> = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).collect();
    if lines.is_empty() {
        return Err(format!("openings: {shown} has none; expected one on each line, in the notation of the game"));
    }
    Ok(lines)
}

/// Notes what openings cannot be.
fn check(table: &TomlTable, openings: &Openings, rules: &GameRules, limit: Option<PlyLimit>) {
    if let OpeningSource::Random { plies, balanced } = openings.source() {
        if let Some(limit) = limit.filter(|limit| limit.plies <= *plies) {
            let found = limit.plies;
            table.note_at("max_plies", format!("max_plies = {found}: openings have {plies} plies; expected more"));
        }
        let seats = rules.seats();
        if balanced.is_some() && seats != 2 {
            let game = rules.domain().name();
            table.note_at(OPENINGS, format!("openings: balanced is for games of two seats, {game} has {seats} here"));
        }
    }
    if let Err(problem) = openings.check() {
        table.note_at(OPENINGS, format!("openings: {problem}"));
    }
    if let Err((place, problem)) = openings.check_list(limit) {
        // The file was read, so that its lines are known again.
        let file = table.text(OPENINGS).ok().flatten().map(|file| table.beside(file));
        let at = file.and_then(|path| Some(format!("{}:{}", path.display(), lines(&path).ok()?.get(place)?.0)));
        let at = at.unwrap_or_else(|| format!("number {}", place + 1));
        table.note_at(OPENINGS, format!("openings: {at}: {problem}"));
    }
}
