//! Which experiment a line of a journal belongs to.

use super::schema::{GameRecord, Header};
use crate::config::Experiment;
use crate::schedule::Schedule;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::str::FromStr;

/// The experiment that a line was written for: the hash of the resolved experiment and its seed, written `hash/seed`.
///
/// Each game's line has it, under the line's checksum, and it equals that of the journal's header. Journals of format 1
/// have no bindings: their lines are checked against the schedule only.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Binding {
    /// The hash of the resolved experiment.
    pub hash: String,
    /// Its seed: part of the hash, and named so that errors can name it.
    pub seed: u64,
}

impl Binding {
    /// The binding of the lines of a journal with this header.
    pub fn of(header: &Header) -> Binding {
        Binding { hash: header.hash.clone(), seed: header.experiment.seed }
    }

    /// The binding of the lines of this experiment's games.
    pub fn of_experiment(experiment: &Experiment) -> Binding {
        Binding { hash: experiment.hash(), seed: experiment.seed }
    }

    /// As errors name it.
    pub fn words(&self) -> String {
        format!("experiment {}, seed {}", self.hash, self.seed)
    }
}

impl fmt::Display for Binding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.hash, self.seed)
    }
}

impl FromStr for Binding {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Binding, &'static str> {
        let (hash, seed) = text.split_once('/').ok_or("not a binding")?;
        let is_hash = hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        let seed = seed.parse().ok().filter(|_| is_hash).ok_or("not a binding")?;
        Ok(Binding { hash: hash.to_owned(), seed })
    }
}

/// The games of an experiment, to be asked for each line of a journal.
#[derive(Debug)]
pub(super) struct Games {
    decks: u32,
    /// The players by their short identities.
    players: HashMap<String, usize>,
    matches: HashSet<Vec<usize>>,
}

impl Games {
    pub(super) fn of(experiment: &Experiment) -> Games {
        let short = experiment.players.iter().map(|player| player.identity.short());
        Games {
            decks: experiment.games_per_match,
            players: short.enumerate().map(|(index, short)| (short, index)).collect(),
            matches: Schedule::of(experiment).matches().iter().cloned().collect(),
        }
    }

    /// Whether a record is of a game of the experiment: its deck, its seats, and the id that they make.
    pub(super) fn has(&self, game: &GameRecord) -> bool {
        let seats: Option<Vec<usize>> = game.seats.iter().map(|short| self.players.get(short).copied()).collect();
        let is_scheduled = seats.is_some_and(|seats| self.matches.contains(&seats));
        is_scheduled
            && (1..=self.decks).contains(&game.deck)
            && game.id == format!("{}-{}", game.deck, game.seats.join("-"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bindings_read_back() {
        let binding = Binding { hash: "0123456789abcdef".to_owned(), seed: 2022 };
        assert_eq!(binding.to_string().parse(), Ok(binding));
        for wrong in ["", "/", "0123456789abcdef", "0123456789abcdef/", "0123456789abcdef/-1", "0123/1", "x/1"] {
            assert!(wrong.parse::<Binding>().is_err(), "{wrong}");
        }
    }
}
