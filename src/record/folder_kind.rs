//! What a folder of results holds. Each holds the results of one command.

use super::run::{RecordError, Run, journals};
use std::path::Path;

/// What a folder holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FolderKind {
    /// Games of an experiment.
    Run,
    /// The stages of a tuning.
    Tuning,
    /// Measurements of an evolution.
    Evolution,
    /// A bank of positions.
    Bank,
}

impl FolderKind {
    const ALL: [FolderKind; 4] = [FolderKind::Run, FolderKind::Tuning, FolderKind::Evolution, FolderKind::Bank];

    /// The kind with its article.
    fn name(self) -> &'static str {
        match self {
            FolderKind::Run => "a run",
            FolderKind::Tuning => "a tuning",
            FolderKind::Evolution => "an evolution",
            FolderKind::Bank => "a bank of positions",
        }
    }

    fn is_held_by(self, folder: &Path) -> bool {
        match self {
            FolderKind::Run => Run::has_journals(folder),
            FolderKind::Tuning => folder.join("tune.json").exists(),
            FolderKind::Evolution => journals(folder, "evolution").is_ok_and(|found| !found.is_empty()),
            FolderKind::Bank => folder.join("bank.jsonl").exists(),
        }
    }

    /// Refuses a folder that holds something of another kind. A folder that does not exist yet holds nothing.
    ///
    /// # Errors
    /// If it does.
    pub fn check(self, folder: &Path) -> Result<(), RecordError> {
        let other = FolderKind::ALL.into_iter().find(|kind| *kind != self && kind.is_held_by(folder));
        other.map_or(Ok(()), |other| {
            let (holds, wanted) = (other.name(), self.name());
            let problem = format!("this folder holds {holds}, not {wanted}; choose another folder with --out");
            Err(RecordError::folder(folder, problem))
        })
    }
}
