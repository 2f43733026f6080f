//! An experiment as it stands in the journal: everything that its games depend on.

use super::openings::OpeningSource;
use super::players::Contender;
use super::seatings::Seatings;
use super::time_control::TimeControl;
use evouct_base::named::Named;
use evouct_platform::domain::{AtLimit, PlyLimit};
use evouct_platform::registry;
use serde::de::{DeserializeOwned, Error};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;

/// Rounds, fixed opponents, openings, limits, the clock and functions of Python in the JSON: longer than the keys of a file, so that no option of
/// rules has the name.
const ROUNDS: &str = "swiss_rounds";
const FIXED: &str = "fixed_opponents";
const OPENINGS: &str = "deck_openings";
const PLIES: &str = "limit_plies";
const AT_LIMIT: &str = "limit_scores";
const CLOCK: &str = "game_clock";
const PYTHON: &str = "python_functions";

/// A resolved experiment.
///
/// The JSON is flat: the options of the rules are on the level of the other keys. The game, the order of seats, rounds,
/// fixed opponents, openings, limits, the clock and functions of Python are named unless they are the default, so that the hashes of earlier
/// versions hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// The game.
    pub game: String,
    /// The seed of everything random.
    pub seed: u64,
    /// Decks per match.
    pub games_per_match: u32,
    /// Who plays whom.
    pub schedule: String,
    /// The rounds of a Swiss schedule.
    pub rounds: Option<u32>,
    /// The fixed opponents of a gauntlet; 1 in other leagues.
    pub fixed: usize,
    /// In which orders they sit.
    pub seatings: Seatings,
    /// Whether all matches share their decks.
    pub mirror: bool,
    /// The options of the rules, in the order of the game's table.
    pub rules: Vec<(String, Json)>,
    /// Where the openings of decks come from, if they have some.
    pub openings: Option<OpeningSource>,
    /// Where games end at the latest.
    pub limit: Option<PlyLimit>,
    /// The time of each seat; none if games have no clock.
    pub clock: Option<TimeControl>,
    /// The players.
    pub players: Vec<ResolvedPlayer>,
    /// The functions of Python in their formulas, each with a hash of its source.
    pub python: BTreeMap<String, String>,
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
    pub(super) fn of(contender: &Contender) -> ResolvedPlayer {
        ResolvedPlayer {
            name: contender.name.clone(),
            identity: contender.identity.short(),
            player: contender.spec.description(),
        }
    }
}

impl Resolved {
    /// The hash, names of players left out.
    pub fn hash(&self) -> String {
        let mut nameless = self.clone();
        nameless.players.iter_mut().for_each(|player| player.name.clear());
        let json = serde_json::to_string(&nameless).expect("an experiment is plain data");
        blake3::hash(json.as_bytes()).to_hex()[..16].to_owned()
    }

    /// An option of the rules as text; none if it is not named.
    pub(super) fn rule(&self, name: &str) -> Option<String> {
        let found = self.rules.iter().find(|(key, _)| key == name)?;
        Some(match &found.1 {
            Json::String(text) => text.clone(),
            Json::Array(items) => items.iter().filter_map(Json::as_str).collect::<Vec<_>>().join("+"),
            other => other.to_string(),
        })
    }
}

impl Serialize for Resolved {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if self.game != registry::default_game().name() {
            map.serialize_entry("game", &self.game)?;
        }
        map.serialize_entry("seed", &self.seed)?;
        map.serialize_entry("games_per_match", &self.games_per_match)?;
        map.serialize_entry("schedule", &self.schedule)?;
        if let Some(rounds) = self.rounds {
            map.serialize_entry(ROUNDS, &rounds)?;
        }
        if self.fixed != 1 {
            map.serialize_entry(FIXED, &self.fixed)?;
        }
        if self.seatings != Seatings::default() {
            map.serialize_entry("seatings", self.seatings.name())?;
        }
        map.serialize_entry("mirror", &self.mirror)?;
        for (key, value) in &self.rules {
            map.serialize_entry(key, value)?;
        }
        if let Some(openings) = &self.openings {
            map.serialize_entry(OPENINGS, openings)?;
        }
        if let Some(limit) = self.limit {
            map.serialize_entry(PLIES, &limit.plies)?;
            map.serialize_entry(AT_LIMIT, limit.at_limit.name())?;
        }
        if let Some(clock) = self.clock {
            map.serialize_entry(CLOCK, &clock)?;
        }
        map.serialize_entry("players", &self.players)?;
        if !self.python.is_empty() {
            map.serialize_entry(PYTHON, &self.python)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Resolved {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Resolved, D::Error> {
        let mut map: Map<String, Json> = Map::deserialize(deserializer)?;
        let game = match map.remove("game") {
            Some(game) => serde_json::from_value(game).map_err(D::Error::custom)?,
            None => registry::default_game().name().to_owned(),
        };
        let seatings = named(&mut map, "seatings")?.unwrap_or_default();
        let rounds = map.remove(ROUNDS).map(serde_json::from_value).transpose().map_err(D::Error::custom)?;
        let fixed = map.remove(FIXED).map(serde_json::from_value).transpose().map_err(D::Error::custom)?;
        let openings = map.remove(OPENINGS).map(serde_json::from_value).transpose().map_err(D::Error::custom)?;
        let plies = map.remove(PLIES).map(serde_json::from_value).transpose().map_err(D::Error::custom)?;
        let at_limit: Option<AtLimit> = named(&mut map, AT_LIMIT)?;
        let clock = map.remove(CLOCK).map(serde_json::from_value).transpose().map_err(D::Error::custom)?;
        let python = map.remove(PYTHON).map(serde_json::from_value).transpose().map_err(D::Error::custom)?;
        Ok(Resolved {
            game,
            python: python.unwrap_or_default(),
            clock,
            rounds,
            fixed: fixed.unwrap_or(1),
            seatings,
            openings,
            limit: plies.map(|plies| PlyLimit { plies, at_limit: at_limit.unwrap_or_default() }),
            seed: take(&mut map, "seed")?,
            games_per_match: take(&mut map, "games_per_match")?,
            schedule: take(&mut map, "schedule")?,
            mirror: take(&mut map, "mirror")?,
            players: take(&mut map, "players")?,
            rules: map.into_iter().collect(),
        })
    }
}

/// A value with a name; none if the key is not there.
fn named<T: Named, E: Error>(map: &mut Map<String, Json>, key: &str) -> Result<Option<T>, E> {
    let of_name = |name: Json| {
        let found = name.as_str().and_then(T::of_name);
        found.ok_or_else(|| E::custom(format!("{key} = {name}")))
    };
    map.remove(key).map(of_name).transpose()
}

fn take<T: DeserializeOwned, E: Error>(map: &mut Map<String, Json>, key: &'static str) -> Result<T, E> {
    let value = map.remove(key).ok_or_else(|| E::missing_field(key))?;
    serde_json::from_value(value).map_err(E::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_and_fixed_opponents_are_named_where_there_are_some() {
        evouct_carcassonne::add();
        let read = |more: &str, rule: &str| {
            let schedule = format!(r#""schedule":"any"{more},"mirror":true{rule},"players":[]"#);
            let text = format!(r#"{{"seed":1,"games_per_match":2,{schedule}}}"#);
            let resolved: Resolved = serde_json::from_str(&text).unwrap();
            assert_eq!(serde_json::to_string(&resolved).unwrap(), text);
            (resolved.rounds, resolved.fixed, resolved.rules.len())
        };
        assert_eq!(read("", ""), (None, 1, 0));
        assert_eq!(read("", r#","game_clock":{"seconds":60.0,"increment":0.5,"margin":0.1}"#), (None, 1, 0));
        assert_eq!(read(r#","swiss_rounds":3"#, ""), (Some(3), 1, 0));
        assert_eq!(read(r#","fixed_opponents":2"#, ""), (None, 2, 0));
        // A game may have rules that are called as the keys of a file.
        assert_eq!(read("", r#","rounds":5"#), (None, 1, 1));
        assert_eq!(read(r#","fixed_opponents":2"#, r#","fixed":5"#), (None, 2, 1));
        let wrong =
            r#"{"seed":1,"games_per_match":2,"schedule":"any","fixed_opponents":"two","mirror":true,"players":[]}"#;
        assert!(serde_json::from_str::<Resolved>(wrong).is_err());
    }
}
