//! A bank that is an input of a command.

use super::warn;
use crate::error::Failure;
use crate::offline::Bank;
use crate::plural::counted;
use std::path::Path;

/// Opens a bank that is an input of a result.
pub(super) fn open_whole(path: &Path) -> Result<Bank, Failure> {
    let bank = Bank::open_whole(path).map_err(Failure::usage)?;
    warn(&bank.problems);
    if bank.expected.is_none() {
        let (file, games) = (bank.file.display(), counted(bank.games, "game"));
        tracing::warn!("{file}: an earlier evouct made this bank of {games}; whether games are missing is not known");
    }
    Ok(bank)
}
