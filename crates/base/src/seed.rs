//! Keys and the random streams derived from them: the only source of random generators.
//!
//! A [`Key`] is a hash of everything that a stream may depend on (the experiment's seed, the deck, who plays whom, the
//! seat) and of nothing else, so that threads, ranks, resuming and other players cannot change a game. Each step down
//! is BLAKE3 in key-derivation mode with a context of its own.

use blake3::hazmat::{ContextKey, HasherExt, hash_derive_key_context};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::cell::RefCell;
use std::{fmt, io};

/// A key: 256 bits from which a stream, or further keys, are made.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key([u8; 32]);

/// The identity of a player: the hash of its kind and parameters, not of its name or place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identity([u8; 32]);

/// A part of a series of experiments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeriesPart {
    /// Number `n` of the experiments by whose results the series selects.
    Selection(u32),
    /// The experiment that proves what was selected.
    HeldOut,
}

/// A text that others cannot guess, for use while the program runs: 128 bits of the system's generator. No record may
/// depend on it.
///
/// # Errors
/// If the system has no generator.
pub fn secret() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

impl Identity {
    /// The identity of a player described by this text, number `ordinal` (from 0) among identical ones.
    pub fn of(description: &str, ordinal: u32) -> Identity {
        Identity(derive("player identity", [description.as_bytes(), &ordinal.to_le_bytes()]))
    }

    /// The first hexadecimal digits, as used in the ids of games.
    pub fn short(&self) -> String {
        let [a, b, c, d, ..] = self.0;
        format!("{:08x}", u32::from_be_bytes([a, b, c, d]))
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.short())
    }
}

impl Key {
    /// The key of an experiment with this seed.
    pub fn experiment(seed: u64) -> Key {
        Key(derive("experiment", [&seed.to_le_bytes()[..]]))
    }

    /// The key of deck number `deck` (from 1), shared by all matches.
    #[must_use]
    pub fn deck(&self, deck: u32) -> Key {
        self.child("deck", &[&deck.to_le_bytes()])
    }

    /// The key of deck number `deck` of one match only, for decks that are not mirrored.
    #[must_use]
    pub fn match_deck(&self, deck: u32, seats: &[Identity]) -> Key {
        self.seated("match deck", deck, seats)
    }

    /// The key of the game on this deck between these players, in the order of their seats.
    #[must_use]
    pub fn game(&self, deck: u32, seats: &[Identity]) -> Key {
        self.seated("game", deck, seats)
    }

    /// The key of the player on a seat of a game.
    #[must_use]
    pub fn seat(&self, seat: usize) -> Key {
        self.child("seat", &[&(seat as u32).to_le_bytes()])
    }

    /// The key of the `n`-th thing of a series that needs a stream of its own.
    #[must_use]
    pub fn nth(&self, n: u32) -> Key {
        self.child("nth", &[&n.to_le_bytes()])
    }

    /// The key of a series of experiments that depend on one another: its purpose, such as `tune`, and its seed.
    pub fn series(purpose: &str, seed: u64) -> Key {
        Key(derive("series", [purpose.as_bytes(), &seed.to_le_bytes()]))
    }

    /// The seed of an experiment of this series, below 2⁶³, so that a TOML file can hold it.
    ///
    /// The last bit tells the two parts apart. No experiment by whose results a series selects can therefore have the
    /// seed, and with it the decks, of the one that proves the selection.
    pub fn experiment_seed(&self, part: SeriesPart) -> u64 {
        let (key, last) = match part {
            SeriesPart::Selection(n) => (self.child("selection", &[&n.to_le_bytes()]), 0),
            SeriesPart::HeldOut => (self.child("held-out", &[]), 1),
        };
        let mut first = [0; 8];
        first.copy_from_slice(&key.0[..8]);
        (u64::from_le_bytes(first) >> 2) << 1 | last
    }

    /// The key of something identified by a text and a number; the text is unique to its purpose.
    #[must_use]
    pub fn named(&self, name: &str, n: u64) -> Key {
        self.child("named", &[name.as_bytes(), &n.to_le_bytes()])
    }

    fn seated(&self, context: &'static str, deck: u32, seats: &[Identity]) -> Key {
        let deck = deck.to_le_bytes();
        let before: [&[u8]; 2] = [&self.0, &deck];
        Key(derive(context, before.into_iter().chain(seats.iter().map(|seat| &seat.0[..]))))
    }

    fn child(&self, context: &'static str, parts: &[&[u8]]) -> Key {
        Key(derive(context, [&self.0[..]].into_iter().chain(parts.iter().copied())))
    }

    /// The stream of this key: ChaCha with 8 rounds.
    pub fn stream(&self) -> ChaCha8Rng {
        ChaCha8Rng::from_seed(self.0)
    }

    /// The same stream for crates that the release hardly optimises: this one has the code that draws.
    #[inline(never)]
    pub fn boxed_stream(&self) -> Box<dyn Rng> {
        Box::new(self.stream())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({:02x}{:02x}…)", self.0[0], self.0[1])
    }
}

/// The generator of one search: xoshiro256++, seeded from the player's stream.
pub type SearchRng = Xoshiro256PlusPlus;

/// A fast generator for one search, seeded by 256 bits of `stream`.
pub fn search_rng(stream: &mut impl Rng) -> SearchRng {
    let mut seed = [0; 32];
    for word in seed.chunks_exact_mut(8) {
        word.copy_from_slice(&stream.next_u64().to_le_bytes());
    }
    Xoshiro256PlusPlus::from_seed(seed)
}

/// A fast generator that depends on these three numbers only: two searches that ask with the same numbers draw the
/// same.
#[inline]
pub fn common_rng(search: u64, action: u64, visit: u64) -> SearchRng {
    // SplitMix64 seeds the generator from one word; odd factors keep the pairs of numbers apart.
    let word = search ^ action.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ visit.wrapping_mul(0xD1B5_4A32_D192_ED03);
    Xoshiro256PlusPlus::seed_from_u64(word)
}

thread_local! {
    /// The hashes of the contexts that this thread has used: there are few, and every game derives some ten keys.
    static CONTEXTS: RefCell<Vec<(&'static str, ContextKey)>> = const { RefCell::new(Vec::new()) };
}

/// The hash of a context of key derivation.
fn context_key(context: &'static str) -> ContextKey {
    CONTEXTS.with_borrow_mut(|known| {
        let found = known.iter().find(|(name, _)| *name == context).map(|(_, key)| *key);
        found.unwrap_or_else(|| {
            let key = hash_derive_key_context(&format!("evouct 1 {context}"));
            known.push((context, key));
            key
        })
    })
}

fn derive<'a>(context: &'static str, parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_from_context_key(&context_key(context));
    for part in parts {
        // Lengths go in as well, so that no two lists of parts read the same.
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
    }
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test vectors: a change here changes every game ever recorded.
    #[test]
    fn streams_are_pinned() {
        let key = Key::experiment(2022);
        let players = [Identity::of("mcts", 0), Identity::of("random", 0)];
        let first = |key: Key| key.stream().next_u64();
        assert_eq!(players.map(|player| player.short()), ["d7515bf6", "bd14bcef"]);
        assert_eq!(first(key), 17_490_348_597_866_747_590);
        assert_eq!(first(key.deck(1)), 11_650_477_055_509_895_474);
        assert_eq!(first(key.game(1, &players).seat(1)), 4_004_173_520_982_626_464);
        let mut rng = search_rng(&mut key.nth(3).stream());
        assert_eq!([rng.next_u64(), rng.next_u64()], [17_462_910_283_480_166_356, 9_391_753_016_040_027_807]);
    }

    #[test]
    fn no_seed_of_a_selection_is_a_held_out_one() {
        let seeds = |purpose: &str, seed| {
            let key = Key::series(purpose, seed);
            let selection = (1..=500).map(|n| key.experiment_seed(SeriesPart::Selection(n))).collect::<Vec<_>>();
            (selection, key.experiment_seed(SeriesPart::HeldOut))
        };
        let all: Vec<(Vec<u64>, u64)> = (0..50).map(|seed| seeds("tune", seed)).collect();
        assert!(all.iter().flat_map(|(selection, _)| selection).all(|seed| seed % 2 == 0 && *seed < 1 << 63));
        assert!(all.iter().all(|(_, held_out)| held_out % 2 == 1 && *held_out < 1 << 63));
        let distinct: std::collections::HashSet<u64> =
            all.iter().flat_map(|(selection, held_out)| selection.iter().chain([held_out])).copied().collect();
        assert_eq!(distinct.len(), 50 * 501);
        assert_ne!(seeds("tune", 1), seeds("evolve", 1));
        // A change of these changes every tuning ever recorded.
        let key = Key::series("tune", 11);
        assert_eq!(key.experiment_seed(SeriesPart::Selection(1)), 3_280_822_509_579_733_772);
        assert_eq!(key.experiment_seed(SeriesPart::HeldOut), 3_955_334_083_282_778_963);
    }

    #[test]
    fn every_part_of_a_key_matters() {
        let key = Key::experiment(1);
        let [a, b] = [Identity::of("a", 0), Identity::of("b", 0)];
        let keys = [
            key,
            Key::experiment(2),
            key.deck(1),
            key.deck(2),
            key.match_deck(1, &[a, b]),
            key.game(1, &[a, b]),
            key.game(1, &[b, a]),
            key.game(2, &[a, b]),
            key.game(1, &[a, Identity::of("b", 1)]),
            key.game(1, &[a, b]).seat(0),
            key.game(1, &[a, b]).seat(1),
            key.nth(1),
        ];
        let distinct: std::collections::HashSet<_> = keys.into_iter().collect();
        assert_eq!(distinct.len(), keys.len());
    }
}
