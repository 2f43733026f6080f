//! The digest of a run: one hash over everything in its records that does not depend on time and machine.

use super::schema::{Ended, GameRecord};
use super::turn_scores::TurnScores;
use evouct_platform::domain::RecordedMetrics;
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// The digest of a run.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Digest {
    /// 64 hexadecimal digits.
    pub digest: String,
    /// Games in it.
    pub games: u64,
    /// Of these, games that cannot be played again exactly: a clock limited a player, or a program or a person decided.
    pub not_reproducible: u64,
}

/// Takes games in any order.
#[derive(Debug, Default)]
pub struct Digester {
    games: BTreeMap<String, blake3::Hash>,
    not_reproducible: u64,
}

impl Digester {
    /// Adds a game.
    pub fn add(&mut self, game: &GameRecord) {
        self.games.insert(game.id.clone(), blake3::hash(canonical(game).as_bytes()));
        self.not_reproducible += u64::from(!game.reproducible);
    }

    /// The digest of all games added.
    pub fn finish(&self) -> Digest {
        let mut hasher = blake3::Hasher::new();
        for (id, hash) in &self.games {
            hasher.update(format!("{id} {}\n", hash.to_hex()).as_bytes());
        }
        Digest {
            digest: hasher.finalize().to_hex().to_string(),
            games: self.games.len() as u64,
            not_reproducible: self.not_reproducible,
        }
    }
}

/// The deterministic part of a game, with keys in the order of the alphabet, and left out as in [`GameRecord`].
#[derive(Serialize)]
struct Canonical<'a> {
    deck: u32,
    ended: Ended,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evolution: Vec<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<Json>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    histograms: &'a [BTreeMap<String, Vec<u32>>],
    id: &'a str,
    metrics: Vec<Json>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    movers: &'a [u8],
    moves: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    nodes: &'a [u64],
    #[serde(skip_serializing_if = "evouct_base::is_default")]
    opening: u32,
    playouts: &'a [u64],
    reproducible: bool,
    scores: &'a [i32],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    search: &'a [BTreeMap<String, f64>],
    seats: &'a [String],
    r#virtual: &'a TurnScores,
}

/// The deterministic part of a game as JSON: keys sorted, floats in the shortest form that reads back.
pub fn canonical(game: &GameRecord) -> String {
    // Every field is named, so that a new one is not forgotten.
    let GameRecord {
        id,
        deck,
        seats,
        ended,
        fault,
        reproducible,
        opening,
        moves,
        scores,
        virtual_scores,
        movers,
        metrics,
        search,
        histograms,
        playouts,
        nodes,
        evolution,
        run: _,
    } = game;
    let canonical = Canonical {
        deck: *deck,
        ended: *ended,
        evolution: evolution.iter().map(|decision| json!(decision)).collect(),
        fault: fault.map(|fault| json!(fault)),
        histograms,
        id,
        metrics: metrics.iter().map(RecordedMetrics::json).collect(),
        moves,
        movers,
        nodes,
        opening: *opening,
        playouts,
        reproducible: *reproducible,
        scores,
        search,
        seats,
        r#virtual: virtual_scores,
    };
    serde_json::to_string(&canonical).expect("records are plain data")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_that_of_a_record_whose_keys_were_sorted() {
        let log = json!({
            "turn": 1, "formula": "Q", "nodes": 1, "depth": 0, "fitness": [0.1, 1.0], "ties": 0, "in_range": 0,
            "by_semantics": 0, "replaced": 0, "playouts": 5,
        });
        let whole = json!({
            "id": "1-b-a", "deck": 1, "seats": ["b", "a"], "ended": "fault", "fault": { "seat": 1, "reason": "illegal-move" },
            "reproducible": false, "opening": 2, "moves": "a \"b\"", "scores": [3, -1], "virtual": [[0, 1], [2, 3]],
            "movers": [1, 0], "metrics": [{ "z": 1, "a": { "y": 0.5, "b": null } }, null], "search": [{ "b": 2.0, "a": 1e-9 }],
            "histograms": [{ "h": [1, 2] }], "playouts": [7, 0], "nodes": [0, 9], "evolution": [log], "run": {},
        });
        let mut least = whole.clone();
        for empty in ["fault", "opening", "movers", "search", "histograms", "nodes", "evolution"] {
            least.as_object_mut().unwrap().remove(empty);
        }
        for mut record in [whole, least] {
            record["run"] = json!(super::super::RunInfo::default());
            let game: GameRecord = serde_json::from_str(&record.to_string()).unwrap();
            record.as_object_mut().unwrap().remove("run");
            assert_eq!(canonical(&game), record.to_string());
        }
    }
}
