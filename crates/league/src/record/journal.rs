//! Journals of games: which headers are read, and what their lines hold.

use super::schema::{FORMAT, GameRecord, Header};
use evouct_store::line::{Label, is_torn_header};
use evouct_store::{Binding, JournalHeader, JournalReader, Line, Numbered, RecordError, SALVAGE};
use std::path::Path;

/// The format whose lines were not bound to their experiment.
pub(super) const UNBOUND: u32 = 1;

/// Reads a journal of games.
pub(super) type GameReader = JournalReader<Header, GameRecord>;
/// A line of it.
pub(super) type GameLine = Line<Header, GameRecord>;

/// The next line. It has no type parameters, so that the code that reads games is here alone, and not with each visitor.
pub(super) fn next_line(reader: &mut GameReader) -> Result<Option<Numbered<Header, GameRecord>>, RecordError> {
    reader.next_line()
}

/// Reads the bytes of a line, likewise.
pub(super) fn read_line(bytes: &[u8]) -> Result<GameLine, String> {
    GameLine::read(bytes)
}

impl JournalHeader for Header {
    const LABEL: Label = Label::Game;

    fn binding(&self) -> Binding {
        Binding { hash: self.hash.clone(), seed: self.experiment.seed }
    }

    fn objection(&self, theirs: &Header, _: &Path) -> Option<String> {
        let [theirs, ours] = [theirs, self].map(Header::binding);
        (theirs != ours).then(|| format!("this journal is of {}, not of {}", theirs.words(), ours.words()))
    }

    fn of_file(path: &Path) -> Result<Option<Header>, RecordError> {
        let mut reader = GameReader::open(path)?;
        let wrong = |problem: String| Err(RecordError::folder(path, problem));
        match reader.next_line()? {
            None => Ok(None),
            Some((_, Line::Torn)) if is_torn_header(reader.bytes()) => Ok(None),
            Some((_, Line::Torn)) => wrong("this file is not a journal".to_owned()),
            Some((_, Line::Header(header))) if (UNBOUND..=FORMAT).contains(&header.format) => Ok(Some(*header)),
            Some((_, Line::Header(header))) => {
                let found = header.format;
                wrong(format!("journal format {found} is not {UNBOUND} to {FORMAT}, which this version reads"))
            }
            Some((_, Line::Damaged(why))) => wrong(format!("line 1 is not the header of a journal: {why}{SALVAGE}")),
            Some((_, Line::Unreadable(why))) => wrong(format!("the header cannot be read: {why}{SALVAGE}")),
            Some((_, Line::Record(..))) => wrong(format!("line 1 is a game, not the header of a journal{SALVAGE}")),
        }
    }
}
