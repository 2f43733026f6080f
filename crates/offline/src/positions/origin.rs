//! What determines a bank, and its hash.

use super::split::{Split, numbers};
use evouct_base::named::Named;

/// What the header of a bank has of its recipe.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub game: String,
    pub rules: Vec<String>,
    pub players: Vec<String>,
    pub value: String,
    pub seed: u64,
    pub rewards: u32,
    pub continuations: u32,
}

/// The rest of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub games: u32,
    pub positions_per_game: u32,
    pub value_seed: u32,
    pub split: Option<Split>,
}

/// The largest recipes that [`Origin::games`] finds.
const MOST_GAMES: u32 = 20_000;
const MOST_VALUE_SEEDS: u32 = 10;

impl Origin {
    /// The hash of everything that determines a bank.
    pub(crate) fn hash(&self, extent: &Extent) -> String {
        self.finished(self.begun(), extent)
    }

    /// What is hashed before the extent.
    fn begun(&self) -> blake3::Hasher {
        let Origin { game, rules, players, value, seed, .. } = self;
        let mut hasher = blake3::Hasher::new();
        hasher.update(format!("{game} {rules:?} {players:?} {value} {seed}").as_bytes());
        hasher
    }

    fn finished(&self, mut hasher: blake3::Hasher, extent: &Extent) -> String {
        let Extent { games, positions_per_game, value_seed, split } = extent;
        let mut text = format!(" {games} {positions_per_game} {}", self.rewards);
        if self.continuations > 0 {
            text.push_str(&format!(" {}", self.continuations));
        }
        if *value_seed > 0 {
            // Under its earlier name, so that banks keep their hashes.
            text.push_str(&format!(" luck {value_seed}"));
        }
        if let Some(split) = split {
            text.push_str(&format!(" split {}", split.name()));
        }
        hasher.update(text.as_bytes()).finalize().to_hex()[..16].to_owned()
    }

    /// The number of games of the bank with this hash, which earlier versions did not record: that of the recipe which
    /// makes the hash. None if there is no such recipe of a usual extent.
    pub(crate) fn games(&self, hash: &str, positions_per_game: u32) -> Option<u32> {
        let begun = self.begun();
        let splits = [None, Some(Split::Training), Some(Split::Validation), Some(Split::Test)];
        let seeds = (0..MOST_VALUE_SEEDS).flat_map(|value_seed| splits.map(|split| (value_seed, split)));
        let extents = seeds.flat_map(|(value_seed, split)| {
            (1..=MOST_GAMES).map(move |games| Extent { games, positions_per_game, value_seed, split })
        });
        let found = extents.into_iter().find(|extent| self.finished(begun.clone(), extent) == hash)?;
        Some(numbers(found.games, self.seed, found.split).count() as u32)
    }
}
