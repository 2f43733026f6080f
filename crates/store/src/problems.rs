//! What is wrong with journals, as a list of bounded length.

use evouct_base::plural::{is_or_are, noun_of};
use std::fmt;
use std::path::PathBuf;

/// So many problems of a run are listed; more are counted.
const MAX_LISTED: usize = 100;

/// Something about a journal that a user should know; no record is lost by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where: file and line.
    pub place: String,
    /// What.
    pub text: String,
    /// The journal, if it is that its last line was cut off.
    pub torn: Option<PathBuf>,
    /// How many lines it is about.
    pub lines: u64,
}

impl Problem {
    /// A problem of one line, or of none.
    pub fn at(place: impl Into<String>, text: impl Into<String>) -> Problem {
        Problem { place: place.into(), text: text.into(), torn: None, lines: 1 }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}

/// Problems as they are found.
#[derive(Debug, Default)]
pub struct Problems {
    listed: Vec<Problem>,
    more: u64,
    /// Where the first of those that are only counted was.
    from: String,
}

impl Problems {
    /// Adds a problem; its words are made only where they are listed.
    pub fn add(&mut self, place: &dyn Fn() -> String, text: impl FnOnce() -> String) {
        if self.listed.len() < MAX_LISTED {
            self.listed.push(Problem::at(place(), text()));
        } else {
            if self.more == 0 {
                self.from = place();
            }
            self.more += 1;
        }
    }

    /// Adds that the last line of a journal was cut off. There is one of these for each journal, and all are listed: a
    /// run that goes on cuts these lines off.
    pub fn add_torn(&mut self, place: String, journal: PathBuf) {
        let text = "the last line was cut off and is ignored".to_owned();
        self.listed.push(Problem { place, text, torn: Some(journal), lines: 1 });
    }

    /// Adds where a compressed journal ends before its end: there is one of these for each journal, and all are listed.
    pub fn add_unreadable(&mut self, place: String, why: &str) {
        self.listed.push(Problem::at(place, format!("the file cannot be read from here on: {why}")));
    }

    /// The list; a last entry counts what is not in it.
    pub fn finish(mut self) -> Vec<Problem> {
        if self.more > 0 {
            let (lines, are) = (noun_of(self.more, "line"), is_or_are(self.more));
            let text = format!("{} more {lines} from here on {are} ignored or recorded twice", self.more);
            self.listed.push(Problem { lines: self.more, ..Problem::at(self.from, text) });
        }
        self.listed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_problems_are_a_short_list() {
        let mut problems = Problems::default();
        for line in 1..=1_000_000 {
            problems.add(&|| format!("games.jsonl:{line}"), || "this line is ignored".to_owned());
        }
        problems.add_torn("games.jsonl:9".to_owned(), PathBuf::from("games.jsonl"));
        let list = problems.finish();
        assert_eq!((list.len(), list.iter().map(|problem| problem.lines).sum::<u64>()), (102, 1_000_001));
        assert!(list[101].text.starts_with("999900 more lines") && list[101].place == "games.jsonl:101");
        assert!(list.iter().any(|problem| problem.torn.is_some()));
    }
}
