//! A finished game as it goes into the journal.

use super::binding::Binding;
use super::line::{Content, bound, decode, encode};
use super::schema::GameRecord;
use super::trace::DecisionTrace;
use serde::{Deserialize, Serialize};

/// A finished game as it goes into the journal: what threads and ranks pass to the only writer.
///
/// The record is serialised where the game is played, so that the writer has little work per game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinishedGame {
    id: String,
    message: Option<String>,
    is_result: bool,
    line: String,
    thoughts: String,
}

impl FinishedGame {
    /// The entry of a game, with the actions that its players considered.
    pub fn of(record: &GameRecord, thoughts: &[DecisionTrace]) -> FinishedGame {
        let thoughts =
            thoughts.iter().map(|thought| serde_json::to_string(thought).expect("thoughts are plain data") + "\n");
        FinishedGame {
            id: record.id.clone(),
            message: record.run.message.clone(),
            is_result: record.ended.is_result(),
            line: encode("game", record),
            thoughts: thoughts.collect(),
        }
    }

    /// The id of the game.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The message of a failed game.
    pub fn failure(&self) -> Option<&str> {
        self.message.as_deref().filter(|_| !self.is_result)
    }

    /// The message of a game that was lost by a fault.
    pub fn fault(&self) -> Option<&str> {
        self.message.as_deref().filter(|_| self.is_result)
    }

    /// The record of the game, read back from its line.
    pub fn record(&self) -> GameRecord {
        match decode(self.line.trim_end()) {
            Ok(Content::Game(json, _)) => {
                serde_json::from_str(json).expect("a game of this process, or one that was checked")
            }
            _ => unreachable!("an entry is of a game"),
        }
    }

    /// The line of a journal of this experiment, its end included.
    pub(super) fn line(&self, of: &Binding) -> String {
        let json = self.line.split_once("\"game\":").and_then(|(_, json)| json.strip_suffix("}\n"));
        bound("game", json.expect("a line that was made here, or was checked"), of)
    }

    /// The lines of the file of thoughts.
    pub(super) fn thoughts(&self) -> &str {
        &self.thoughts
    }

    /// Checks an entry that came from another process: one whole line, its checksum, and that it is of this game.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self, id: &str) -> Result<(), String> {
        let line =
            self.line.strip_suffix('\n').filter(|line| !line.contains('\n')).ok_or("not one line of a journal")?;
        match decode(line)? {
            Content::Game(json, None) if json.starts_with(&format!("{{\"id\":\"{id}\",")) && self.id == id => Ok(()),
            Content::Game(_, Some(_)) => Err("it is bound to an experiment already".to_owned()),
            Content::Game(..) => Err(format!("it is of game {:.100}, not of game {id}", self.id)),
            Content::Header(_) => Err("a header, not a game".to_owned()),
            Content::Entry(..) => Err("an entry of another file, not a game".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Ended, RunInfo};

    #[test]
    fn an_entry_that_was_changed_on_its_way_is_noticed() {
        let record = GameRecord {
            id: "1-a-b".to_owned(),
            deck: 1,
            seats: vec!["a".to_owned(), "b".to_owned()],
            ended: Ended::Finished,
            fault: None,
            reproducible: true,
            moves: String::new(),
            scores: vec![57, 43],
            virtual_scores: Vec::new(),
            movers: Vec::new(),
            search: Vec::new(),
            histograms: Vec::new(),
            metrics: Vec::new(),
            playouts: vec![0, 0],
            nodes: Vec::new(),
            evolution: Vec::new(),
            run: RunInfo::default(),
        };
        let entry = FinishedGame::of(&record, &[]);
        assert_eq!(entry.check("1-a-b"), Ok(()));
        assert!(entry.check("1-b-a").unwrap_err().contains("not of game 1-b-a"));
        let changed = FinishedGame { line: entry.line.replace("57", "58"), ..entry.clone() };
        assert!(changed.check("1-a-b").unwrap_err().contains("checksum"));
        let doubled = FinishedGame { line: entry.line.repeat(2), ..entry.clone() };
        assert!(doubled.check("1-a-b").unwrap_err().contains("not one line"));
        assert!(FinishedGame { line: String::new(), ..entry }.check("1-a-b").is_err());
    }
}
