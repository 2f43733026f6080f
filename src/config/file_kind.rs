//! The kinds of file that commands read, told apart by what only one of them has.

use super::reader::{ConfigError, TomlTable};

/// What a TOML file describes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FileKind {
    /// A league: `evouct run`.
    Experiment,
    /// An evolution: `evouct evolve`.
    Evolution,
    /// A bank of positions: `evouct bank`.
    Bank,
}

impl FileKind {
    /// The kind by a key that only it has; none where no such key is in the file, and each other problem is reported by itself.
    fn of(table: &TomlTable) -> Option<FileKind> {
        let has = |key: &str| table.has(key);
        if has("evolve") || has("stage") {
            Some(FileKind::Evolution)
        } else if has("value") || has("positions_per_game") {
            Some(FileKind::Bank)
        } else if has("games_per_match") || has("schedule") || has("seatings") {
            Some(FileKind::Experiment)
        } else {
            None
        }
    }

    /// What it is, and the command that reads it.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            FileKind::Experiment => ("an experiment", "run"),
            FileKind::Evolution => ("an evolution", "evolve"),
            FileKind::Bank => ("a bank of positions", "bank"),
        }
    }

    /// Refuses the file of another kind.
    ///
    /// # Errors
    /// The kind, and the command that reads it.
    pub(crate) fn check(self, table: &TomlTable) -> Result<(), ConfigError> {
        let other = FileKind::of(table).filter(|kind| *kind != self);
        other.map_or(Ok(()), |kind| {
            let (what, command) = kind.words();
            Err(table.error(format!("this file describes {what}; `evouct {command}` reads it")))
        })
    }
}
