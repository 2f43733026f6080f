//! What a page asks for, and the games that it may ask for.

use super::levels::player_of;
use crate::config::{Experiment, Overrides};
use crate::domain::{kind_and_parameters, seats_option};
use crate::named::Named;
use crate::parameter::Preset;
use crate::registry;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// The longest text of a request that becomes a name or a parameter, in bytes.
const MAX_TEXT: usize = 2_000;

/// A change that a page asks for, made from the state that has this version.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Change {
    pub version: u64,
    #[serde(flatten)]
    pub what: What,
}

/// The changes.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub(super) enum What {
    /// A move of a person at the cursor.
    Play { play: String },
    /// To the turn of a person before.
    Undo,
    /// To the turn of a person that follows.
    Redo,
    /// To the position after so many turns.
    Go { turn: usize },
    /// Players stop before their next move, or go on.
    Pause { paused: bool },
    /// A new game.
    New(NewGame),
    /// Writes the game into a folder.
    Save,
    /// A recorded game.
    Load { folder: String, id: String },
    /// Lets a player search at the cursor, or at every turn of the game.
    Analyse { player: String, all: bool },
    /// Ends the analysis.
    Stop,
}

/// A new game.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct NewGame {
    pub game: String,
    /// As text, because numbers of a page have 53 bits; a number is read, too.
    #[serde(serialize_with = "as_text", deserialize_with = "from_text")]
    pub seed: u64,
    /// Options of the rules.
    #[serde(default)]
    pub rules: BTreeMap<String, String>,
    pub seats: Vec<NewSeat>,
}

fn as_text<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(seed)
}

fn from_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let seed = serde_json::Value::deserialize(deserializer)?;
    let number = seed.as_str().map_or_else(|| seed.as_u64(), |text| text.parse().ok());
    number.ok_or_else(|| serde::de::Error::custom(format!("a seed is a whole number from 0, found {seed}")))
}

/// A seat of a new game.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct NewSeat {
    pub name: String,
    /// A level of the game, a kind, or `kind:key=value,key=value`.
    pub player: String,
}

impl NewGame {
    /// The experiment with this game alone: what its records are checked against.
    ///
    /// # Errors
    /// What is wrong with the rules or a player.
    pub(super) fn experiment(&self, preset: Preset) -> Result<Experiment, String> {
        let game = registry::game(&self.game)?;
        let mut rules = self.rules.clone();
        rules.retain(|_, value| !value.is_empty());
        if let Some(option) = seats_option(game) {
            rules.entry(option.to_owned()).or_insert_with(|| self.seats.len().to_string());
        }
        let mut text = format!(
            "name = {}\ngame = {}\nseed = {}\ngames_per_match = 1\npreset = {}\n\n[rules]\n",
            quoted(&format!("{}-{}", self.game, self.seed)),
            quoted(&self.game),
            self.seed,
            quoted(preset.recorded_name()),
        );
        for (key, value) in &rules {
            text += &line(key, value)?;
        }
        for seat in &self.seats {
            let player = player_of(game, &seat.player)?;
            let (kind, parameters) = kind_and_parameters(&player).map_err(|error| error.to_string())?;
            text += "\n[[player]]\n";
            text += &line("name", seat.name.trim())?;
            text += &line("kind", kind)?;
            for (key, value) in parameters {
                if ["name", "kind"].contains(&key) {
                    return Err(format!("{kind} has no parameter {key}"));
                }
                text += &line(key, value)?;
            }
        }
        let experiment = Experiment::parse(&text, "game", Overrides::default()).map_err(|errors| one_line(&errors))?;
        experiment.rules.check_players(self.seats.len())?;
        Ok(experiment)
    }
}

/// A key with a text as TOML has them.
fn line(key: &str, value: &str) -> Result<String, String> {
    if key.len().max(value.len()) > MAX_TEXT {
        return Err(format!("{key:.50}: longer than {MAX_TEXT} bytes"));
    }
    Ok(format!("{} = {}\n", quoted(key), quoted(value)))
}

/// A text as TOML has it: as in JSON, but for one control character.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}

/// All errors on one line, without their places: the text that is read was made here, and a user never sees it.
fn one_line(errors: &impl std::fmt::Display) -> String {
    let without_place = |line: &str| match line.trim().strip_prefix("game:").and_then(|rest| rest.split_once(": ")) {
        Some((_, said)) => said.to_owned(),
        None => line.trim().to_owned(),
    };
    errors.to_string().lines().map(without_place).collect::<Vec<_>>().join("; ")
}
