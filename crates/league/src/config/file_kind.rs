//! The kinds of file that commands read, told apart by what only one of them has.

use super::reader::{Source, TomlTable};
use toml::de::DeTable;

/// What a TOML file describes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// A league: `evouct run`.
    Experiment,
    /// An evolution: `evouct evolve`.
    Evolution,
    /// A bank of positions: `evouct bank`.
    Bank,
}

impl FileKind {
    /// The kind of a file with this text; none where it is not known, or the text is not TOML.
    pub fn of_text(text: &str) -> Option<FileKind> {
        let document = DeTable::parse(text).ok()?;
        FileKind::of(&TomlTable::new(&Source::new("", text), &document, ""))
    }

    /// The kind by a key that only it has; none where no such key is in the file, and each other problem is reported by
    /// itself.
    fn of(table: &TomlTable) -> Option<FileKind> {
        const KEYS: [(FileKind, &[&str]); 3] = [
            (FileKind::Evolution, &["evolve", "stage"]),
            (FileKind::Bank, &["value", "positions_per_game"]),
            (FileKind::Experiment, &["decks", "games_per_match", "schedule", "seatings"]),
        ];
        KEYS.into_iter().find(|(_, keys)| keys.iter().any(|key| table.has(key))).map(|(kind, _)| kind)
    }

    /// What it is, and the command that reads it.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            FileKind::Experiment => ("an experiment", "run"),
            FileKind::Evolution => ("an evolution", "evolve"),
            FileKind::Bank => ("a bank of positions", "bank"),
        }
    }

    /// Notes that a file is of another kind, and which command reads it. None if it is.
    pub fn check(self, table: &TomlTable) -> Option<()> {
        let other = FileKind::of(table).filter(|kind| *kind != self);
        let Some((what, command)) = other.map(FileKind::words) else { return Some(()) };
        table.note(format!("this file describes {what}; `evouct {command}` reads it"));
        None
    }
}
