//! The contents of a journal.

use super::turn_scores::TurnScores;
use crate::config::{ConfigErrors, Experiment, Overrides, Resolved};
use evouct_base::parameter::Preset;
use evouct_platform::domain::{FaultReason, RecordedMetrics};
use evouct_search::evolve::EvolutionLog;
use evouct_store::{RecordError, VERSION};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the journal's format. Format 1 had no [`Binding`](evouct_store::Binding) in the lines of games; it is still
/// read.
pub const FORMAT: u32 = 2;

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
    /// The text of the experiment's file.
    pub toml: String,
    /// The preset that overrode the file's, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset_override: Option<Preset>,
    /// The seed that overrode the file's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_override: Option<u64>,
    /// The number of decks per match that overrode the file's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games_override: Option<u32>,
    /// How often the file of the experiment has changed before without changing a game.
    #[serde(default, skip_serializing_if = "evouct_base::is_default")]
    pub restated: u64,
    /// Which shard this is, `I/N` counted from 0; none for a whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
}

impl From<ConfigErrors> for RecordError {
    fn from(errors: ConfigErrors) -> RecordError {
        RecordError::Experiment(Box::new(errors))
    }
}

impl Header {
    /// The header of an experiment's journal, by this version; with the shard, `I/N`, if it is one.
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

    /// The experiment; `file` is what errors call it.
    ///
    /// # Errors
    /// If this version cannot read it.
    pub fn read(&self, file: &str) -> Result<Experiment, ConfigErrors> {
        Experiment::recorded(&self.toml, file, self.overrides(), Experiment::LEAST_PLAYERS)
    }

    /// The overrides of values in the file.
    pub fn overrides(&self) -> Overrides {
        Overrides { preset: self.preset_override, seed: self.seed_override, games_per_match: self.games_override }
    }
}

/// One game.
///
/// Everything but [`run`](GameRecord::run) is the same wherever and whenever the game is played, unless a clock limited
/// a player, and goes into the digest.
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
    /// The fault by which a player lost the game, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<RecordedFault>,
    /// Whether the game can be played again: no clock limited a player or the game, no player is another program that
    /// promises nothing, and no fault ended the game.
    pub reproducible: bool,
    /// Moves of the opening: the first of `moves`, which no player decided.
    #[serde(default, skip_serializing_if = "evouct_base::is_default")]
    pub opening: u32,
    /// Chance outcomes and actions, in notation.
    pub moves: String,
    /// Final scores by seat, at a limit as it says; after a failure the virtual scores at that moment; after a fault these as
    /// [`RecordedFault::forfeit`] makes them.
    pub scores: Vec<i32>,
    /// Virtual scores by seat after each turn.
    #[serde(rename = "virtual")]
    pub virtual_scores: TurnScores,
    /// The seat of each decision, where the seats do not simply take turns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub movers: Vec<u8>,
    /// The metrics of the game, by seat: see [`Domain::Metrics`](evouct_platform::domain::Domain::Metrics).
    pub metrics: Vec<RecordedMetrics>,
    /// What searches left behind, by seat, where the game keeps it: see
    /// [`Domain::TRACE`](evouct_platform::domain::Domain::TRACE).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub search: Vec<BTreeMap<String, f64>>,
    /// Histograms of what searches left behind, by seat, where the game keeps them: counts by bin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub histograms: Vec<BTreeMap<String, Vec<u32>>>,
    /// Playouts by seat, evolution included.
    pub playouts: Vec<u64>,
    /// Positions visited by *-minimax, by seat; empty if there were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<u64>,
    /// The evolution of each decision that had one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evolution: Vec<DecisionLog>,
    /// What depends on when and where the game was played.
    pub run: RunInfo,
}

impl GameRecord {
    /// Whether the game has a result that counts: it finished, met its limit, or was lost by a fault. Otherwise it failed,
    /// as a game does whose program did not start: nothing of the player was seen.
    pub fn is_result(&self) -> bool {
        let is_started = self.fault.is_none_or(|fault| fault.reason != FaultReason::NotStarted);
        matches!(self.ended, Ended::Finished | Ended::Limit | Ended::Fault) && is_started
    }

    /// The moves of the opening, if there is one: the first words of `moves`.
    pub fn opening_moves(&self) -> Option<String> {
        let words: Vec<&str> = self.moves.split_whitespace().take(self.opening as usize).collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// What two games between the same players on the same seats have in common if they are one piece of evidence
    /// ([`Distinct`](evouct_stats::distinct::Distinct)): a hash of the players, the moves with what chance decided, and the
    /// result; where the game scores searches and not moves, of what these left behind. A record without a move says
    /// nothing of its course, and is like no other.
    pub fn course(&self) -> u64 {
        let searches = (self.search.iter().any(|columns| !columns.is_empty())).then_some((
            &self.search,
            &self.histograms,
            &self.evolution,
        ));
        let unknown = self.moves.is_empty().then_some(&self.id);
        let course = (&self.seats, &self.moves, &self.scores, self.ended, self.fault, searches, unknown);
        let text = serde_json::to_vec(&course).expect("a record is plain data");
        let hash = blake3::hash(&text);
        u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("a hash has more bytes"))
    }

    /// Whether the result says something about the strength of the players: it counts, and was not lost on time. Tests and
    /// ratings are of such games only.
    pub fn shows_strength(&self) -> bool {
        self.is_result() && self.fault.is_none_or(|fault| fault.reason.shows_strength())
    }

    /// The seat of each decision, from 0, and which of the seat's own decisions it is, from 1.
    pub fn decisions(&self) -> Vec<(usize, usize)> {
        let seats = self.seats.len().max(1);
        let mut made = vec![0; seats];
        let mut decision = |turn: usize| {
            let seat = self.movers.get(turn).map_or(turn, |seat| usize::from(*seat)) % seats;
            made[seat] += 1;
            (seat, made[seat])
        };
        (0..self.virtual_scores.len()).map(&mut decision).collect()
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// By the rules.
    Finished,
    /// By the limit of the experiment: see [`PlyLimit`](evouct_platform::domain::PlyLimit).
    Limit,
    /// The player to move panicked, or the game itself.
    Panicked,
    /// The player to move made an illegal move.
    IllegalMove,
    /// The player to move lost the game by a fault: it is another program, or exceeded the clock of the game.
    Fault,
    /// People left it before its end.
    Left,
}

/// The fault by which a player lost a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedFault {
    /// The seat of the player, from 0.
    pub seat: u8,
    /// Its kind.
    #[serde(with = "reason")]
    pub reason: FaultReason,
}

impl RecordedFault {
    /// Makes the scores at the fault those of a game that the player lost: it keeps its score if all others have more,
    /// and otherwise has one point less than the lowest of the others.
    pub fn forfeit(&self, scores: &mut [i32]) {
        let seat = usize::from(self.seat);
        let others = scores.iter().enumerate().filter(|(other, _)| *other != seat).map(|(_, score)| *score);
        if let (Some(lowest), Some(own)) = (others.min(), scores.get_mut(seat)) {
            *own = (*own).min(lowest.saturating_sub(1));
        }
    }
}

/// Reasons of faults by their names.
mod reason {
    use evouct_base::named::Named;
    use evouct_platform::domain::FaultReason;
    use serde::{Deserialize, Deserializer, Serializer, de};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    pub(super) fn serialize<S: Serializer>(reason: &FaultReason, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(reason.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FaultReason, D::Error> {
        let name = std::borrow::Cow::<str>::deserialize(deserializer)?;
        FaultReason::of_name(&name).ok_or_else(|| de::Error::custom(format!("there is no fault {name:.40}")))
    }
}

/// The evolution of one decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionLog {
    /// The turn of the game, from 0. Which seat decided, [`GameRecord::decisions`] tells.
    pub turn: u32,
    /// What happened.
    #[serde(flatten)]
    pub log: EvolutionLog,
}

/// When and where a game was played, and its cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunInfo {
    /// Names of the players, by seat.
    pub players: Vec<String>,
    /// Thinking time in seconds, by seat.
    pub seconds: Vec<f64>,
    /// The machine.
    pub host: String,
    /// The evouct that played it.
    pub evouct: String,
    /// When it ended, in seconds since 1970; 0 if not recorded.
    #[serde(default, skip_serializing_if = "evouct_base::is_default")]
    pub at: u64,
    /// After a failure: the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// After a failure: a command that plays the game again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<String>,
}
