//! Scores by seat after each turn of a game.

use serde::de::{DeserializeSeed, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Scores by seat after each turn, one list for all turns: a game has some seventy turns, and every record has all of
/// them.
///
/// In JSON it is a list of lists, `[[3,0],[3,4]]`.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct TurnScores {
    scores: Vec<i32>,
    /// Where the scores of each turn end.
    ends: Vec<u32>,
}

impl TurnScores {
    /// Adds a turn: what `write` adds to the list is its scores.
    pub fn push_with<T>(&mut self, write: impl FnOnce(&mut Vec<i32>) -> T) -> T {
        let written = write(&mut self.scores);
        self.ends.push(self.scores.len() as u32);
        written
    }

    /// A list with room for so many turns.
    pub fn with_room(turns: usize, seats: usize) -> TurnScores {
        TurnScores { scores: Vec::with_capacity(turns * seats), ends: Vec::with_capacity(turns) }
    }

    /// The number of turns.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The scores by seat after each turn, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[i32]> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, end)| &self.scores[begin as usize..*end as usize])
    }
}

impl From<Vec<Vec<i32>>> for TurnScores {
    fn from(turns: Vec<Vec<i32>>) -> TurnScores {
        let mut all = TurnScores::default();
        turns.iter().for_each(|scores| all.push_with(|list| list.extend(scores)));
        all
    }
}

impl fmt::Debug for TurnScores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Serialize for TurnScores {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for TurnScores {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TurnScores, D::Error> {
        deserializer.deserialize_seq(Turns)
    }
}

/// Reads a list of turns.
struct Turns;

impl<'de> Visitor<'de> for Turns {
    type Value = TurnScores;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the scores by seat after each turn")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut turns: A) -> Result<TurnScores, A::Error> {
        let mut all = TurnScores::default();
        while turns.next_element_seed(Turn(&mut all.scores))?.is_some() {
            all.ends.push(all.scores.len() as u32);
        }
        Ok(all)
    }
}

/// Reads the scores of one turn to the end of a list.
struct Turn<'a>(&'a mut Vec<i32>);

impl<'de> DeserializeSeed<'de> for Turn<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Turn<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the scores by seat")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut scores: A) -> Result<(), A::Error> {
        while let Some(score) = scores.next_element()? {
            self.0.push(score);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_list_of_lists_in_json() {
        for turns in [vec![], vec![vec![]], vec![vec![3, 0], vec![3, 4]], vec![vec![-1], vec![], vec![1, 2, 3]]] {
            let json = serde_json::to_string(&turns).unwrap();
            let scores = TurnScores::from(turns.clone());
            assert_eq!(serde_json::to_string(&scores).unwrap(), json);
            assert_eq!(serde_json::from_str::<TurnScores>(&json).unwrap(), scores);
            assert_eq!((scores.len(), scores.is_empty()), (turns.len(), turns.is_empty()));
            assert!(scores.iter().eq(turns.iter().map(Vec::as_slice)));
            assert_eq!(format!("{scores:?}"), format!("{turns:?}"));
        }
        for wrong in ["[1]", "[[1.5]]", "[[\"a\"]]", "{}", "[[1]", "[[99999999999]]"] {
            assert!(serde_json::from_str::<TurnScores>(wrong).is_err(), "{wrong}");
        }
    }
}
