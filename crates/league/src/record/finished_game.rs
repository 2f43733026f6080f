//! A finished game as it goes into the journal.

use super::digest::canonical;
use super::schema::GameRecord;
use super::trace::DecisionTrace;
use evouct_store::line::{Content, Label, bound, decode, is_bound_to};
use evouct_store::{Binding, JournalRecord};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A finished game as it goes into the journal: what threads and ranks pass to the only writer.
///
/// The record is serialised where the game is played, so that the writer has little work per game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinishedGame {
    id: String,
    message: Option<String>,
    is_result: bool,
    line: String,
    traces: String,
}

impl FinishedGame {
    /// The entry of a game of this experiment, with the actions that its players considered.
    pub fn of(record: &GameRecord, traces: &[DecisionTrace], of: &Binding) -> FinishedGame {
        let lines = traces.iter().map(|trace| serde_json::to_string(trace).expect("traces are plain data") + "\n");
        FinishedGame {
            id: record.id.clone(),
            message: record.run.message.clone(),
            is_result: record.is_result(),
            line: bound(Label::Game, record, of),
            traces: lines.collect(),
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
        self.read().expect("a game of this process, or one that was checked")
    }

    fn read(&self) -> Option<GameRecord> {
        match decode(self.line.trim_end()) {
            Ok(Content::Record(Label::Game, json, _)) => serde_json::from_str(json).ok(),
            _ => None,
        }
    }

    /// Whether another entry of the same game says the same, apart from when and where it was played. Games that failed, or
    /// that cannot be repeated, may differ.
    pub(crate) fn agrees_with(&self, other: &FinishedGame) -> bool {
        let (Some(one), Some(other)) = (self.read(), other.read()) else { return false };
        let may_differ = |game: &GameRecord| !game.reproducible || !game.is_result();
        may_differ(&one) || may_differ(&other) || canonical(&one) == canonical(&other)
    }

    /// The line of the journal, its end included.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// The lines of the file of traces.
    pub(super) fn traces(&self) -> &str {
        &self.traces
    }

    /// Checks an entry that came from another process: one whole line, its checksum, and that it is of this game of
    /// this experiment.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self, id: &str, of: &Binding) -> Result<(), String> {
        let line =
            self.line.strip_suffix('\n').filter(|line| !line.contains('\n')).ok_or("not one line of a journal")?;
        match decode(line)? {
            Content::Header(_) => Err("a header, not a game".to_owned()),
            Content::Record(Label::Entry, ..) => Err(Label::Entry.elsewhere().to_owned()),
            Content::Record(_, _, None) => Err("it is bound to no experiment".to_owned()),
            Content::Record(_, _, Some(theirs)) if theirs != *of => {
                Err(format!("it is of {}, not of {}", theirs.words(), of.words()))
            }
            Content::Record(_, json, _) if json.starts_with(&format!("{{\"id\":\"{id}\",")) && self.id == id => Ok(()),
            Content::Record(..) => Err(format!("it is of game {:.100}, not of game {id}", self.id)),
        }
    }
}

impl JournalRecord for FinishedGame {
    fn line_in(&self, of: &Binding) -> Result<Cow<'_, str>, String> {
        let other = || format!("the game {} is of another experiment than {}", self.id, of.words());
        is_bound_to(&self.line, of).then_some(Cow::Borrowed(self.line.as_str())).ok_or_else(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Ended, RunInfo, TurnScores};
    use evouct_store::line::encode;

    #[test]
    fn an_entry_that_was_changed_on_its_way_is_noticed() {
        let record = GameRecord {
            id: "1-a-b".to_owned(),
            deck: 1,
            seats: vec!["a".to_owned(), "b".to_owned()],
            ended: Ended::Finished,
            fault: None,
            reproducible: true,
            opening: 0,
            moves: String::new(),
            scores: vec![57, 43],
            virtual_scores: TurnScores::default(),
            movers: Vec::new(),
            search: Vec::new(),
            histograms: Vec::new(),
            metrics: Vec::new(),
            playouts: vec![0, 0],
            nodes: Vec::new(),
            evolution: Vec::new(),
            run: RunInfo::default(),
        };
        let of = Binding { hash: "0123456789abcdef".to_owned(), seed: 7 };
        let entry = FinishedGame::of(&record, &[], &of);
        assert_eq!(entry.check("1-a-b", &of), Ok(()));
        assert!(entry.check("1-b-a", &of).unwrap_err().contains("not of game 1-b-a"));
        let other = Binding { seed: 8, ..of.clone() };
        assert!(
            entry.check("1-a-b", &other).unwrap_err().ends_with("seed 7, not of experiment 0123456789abcdef, seed 8")
        );
        let line = encode("game", &record);
        assert!(
            FinishedGame { line, ..entry.clone() }.check("1-a-b", &of).unwrap_err().contains("bound to no experiment")
        );
        let changed = FinishedGame { line: entry.line.replace("57", "58"), ..entry.clone() };
        assert!(changed.check("1-a-b", &of).unwrap_err().contains("checksum"));
        let doubled = FinishedGame { line: entry.line.repeat(2), ..entry.clone() };
        assert!(doubled.check("1-a-b", &of).unwrap_err().contains("not one line"));
        assert!(FinishedGame { line: String::new(), ..entry }.check("1-a-b", &of).is_err());
    }
}
