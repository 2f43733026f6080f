//! The digest of a run: one hash over everything in its records that does not depend on time and machine.

use super::schema::GameRecord;
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

/// The deterministic part of a game as JSON: keys sorted, floats in the shortest form that reads back.
pub fn canonical(game: &GameRecord) -> String {
    let mut value = serde_json::to_value(game).expect("records are plain data");
    if let Some(object) = value.as_object_mut() {
        object.remove("run");
    }
    serde_json::to_string(&value).expect("values are plain data")
}
