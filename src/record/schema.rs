//! What a journal holds.

use crate::config::{Experiment, Overrides, Resolved};
use crate::evolve::EvolutionLog;
use crate::player::Preset;
use serde::{Deserialize, Serialize};

/// The version of the journal's format.
pub const FORMAT: u32 = 1;
/// The version of evouct.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The first line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`FORMAT`].
    pub format: u32,
    /// The evouct that wrote it.
    pub evouct: String,
    /// The name of the experiment.
    pub name: String,
    /// The hash of the resolved experiment.
    pub hash: String,
    /// The resolved experiment.
    pub experiment: Resolved,
    /// The experiment's file, letter by letter.
    pub toml: String,
    /// The preset that took the place of the file's, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset_override: Option<Preset>,
    /// The seed that did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_override: Option<u64>,
    /// The number of decks a match that did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games_override: Option<u32>,
    /// How often the experiment's file had said something new before that changes no game.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub restated: u64,
    /// Which shard this is, `I/N` counted from 0; none for a whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
}

impl Header {
    /// The header of an experiment's journal, by this version; with the shard, `I/N`, where it is one.
    pub fn of(experiment: &Experiment, shard: Option<String>) -> Header {
        Header {
            format: FORMAT,
            evouct: VERSION.to_owned(),
            name: experiment.name.clone(),
            hash: experiment.hash(),
            experiment: experiment.resolved(),
            toml: experiment.toml.clone(),
            preset_override: experiment.overrides.preset,
            seed_override: experiment.overrides.seed,
            games_override: experiment.overrides.games_per_match,
            restated: 0,
            shard,
        }
    }

    /// What took the place of the file's values.
    pub fn overrides(&self) -> Overrides {
        Overrides { preset: self.preset_override, seed: self.seed_override, games_per_match: self.games_override }
    }
}

/// One game.
///
/// Everything but [`run`](GameRecord::run) is the same wherever and whenever the game is played, unless a clock limited a
/// player, and goes into the digest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// Deck and identities: see [`GameSpec::id`](crate::schedule::GameSpec::id).
    pub id: String,
    /// The number of the deck, from 1.
    pub deck: u32,
    /// Short identities of the players, by seat.
    pub seats: Vec<String>,
    /// How the game ended.
    pub ended: Ended,
    /// Whether the game can be played again: no player was limited by a clock.
    pub reproducible: bool,
    /// What happened, in notation.
    pub moves: String,
    /// Final scores by seat; after a failure the virtual scores at that moment.
    pub scores: Vec<u16>,
    /// Virtual scores by seat after each turn.
    #[serde(rename = "virtual")]
    pub virtual_scores: Vec<Vec<u16>>,
    /// Further numbers by seat.
    pub metrics: Vec<SeatMetrics>,
    /// Playouts by seat, evolution included.
    pub playouts: Vec<u64>,
    /// Positions visited by *-minimax, by seat; empty where nobody visited any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<u64>,
    /// The evolution of each decision that had one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evolution: Vec<DecisionLog>,
    /// What depends on when and where the game was played.
    pub run: RunInfo,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// By the rules.
    Finished,
    /// The player to move panicked.
    Panicked,
    /// The player to move made an illegal move.
    IllegalMove,
}

/// Numbers about one seat of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatMetrics {
    /// Turns played.
    pub turns: u32,
    /// Of these, begun with a meeple in hand.
    pub turns_with_meeple: u32,
    /// Meeples put out.
    pub meeples: u32,
    /// By kind of feature.
    pub city: FeatureMetrics,
    /// By kind of feature.
    pub road: FeatureMetrics,
    /// By kind of feature.
    pub field: FeatureMetrics,
    /// By kind of feature.
    pub monastery: FeatureMetrics,
}

/// What one kind of feature meant to a seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeatureMetrics {
    /// Meeples put on it.
    pub meeples: u32,
    /// Points it brought, during the game and at its end.
    pub points: u32,
}

/// The evolution of one decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionLog {
    /// The turn of the game, from 0; the seat is its remainder by the number of seats.
    pub turn: u32,
    /// What happened.
    #[serde(flatten)]
    pub log: EvolutionLog,
}

/// When and where a game was played, and what it cost there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunInfo {
    /// Names of the players, by seat.
    pub players: Vec<String>,
    /// Seconds that each seat thought.
    pub seconds: Vec<f64>,
    /// The machine.
    pub host: String,
    /// The evouct that played it.
    pub evouct: String,
    /// When it ended, in seconds since 1970; 0 where that was not kept.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub at: u64,
    /// After a failure: what was said, and a command that plays the game again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}
