//! What a folder of results holds. Each holds the results of one command.

use super::error::RecordError;
use super::line_file::{has_begun, journals};
use evouct_base::phrase::Phrase;
use std::path::{Path, PathBuf};

/// What the names of the journals of a run begin with.
pub const GAMES_STEM: &str = "games";
/// What the names of the files of a bank and of its shards begin with.
pub const BANK_STEM: &str = "bank";
/// The file in the folder of a bank.
pub const BANK_FILE: &str = "bank.jsonl";
/// What the names of the files of its shards begin with.
pub const BANK_SHARD_STEM: &str = "bank-shard-";
/// What the names of the journals of an evolution begin with.
pub const EVOLUTION_STEM: &str = "evolution";
/// What the names of the journals of scores begin with.
pub const SCORES_STEM: &str = "scores";
/// The plan's file in the folder of a tuning.
pub const TUNING_PLAN: &str = "tune.json";
/// The plan's file in the folder of evolutions of several seeds.
pub const SEEDS_PLAN: &str = "seeds.json";

/// What a folder holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FolderKind {
    /// Games of an experiment.
    Run,
    /// The stages of a tuning.
    Tuning,
    /// Measurements of an evolution.
    Evolution,
    /// An evolution for each of several seeds.
    Evolutions,
    /// A bank of positions.
    Bank,
    /// Scores of genomes.
    Scores,
}

impl FolderKind {
    const ALL: [FolderKind; 6] = [
        FolderKind::Run,
        FolderKind::Tuning,
        FolderKind::Evolution,
        FolderKind::Evolutions,
        FolderKind::Bank,
        FolderKind::Scores,
    ];

    /// What a folder holds, if it is one of results.
    pub fn of(folder: &Path) -> Option<FolderKind> {
        FolderKind::ALL.into_iter().find(|kind| kind.is_held_by(folder))
    }

    /// The kind of the first of these folders, which are to be compared.
    ///
    /// # Errors
    /// If another one holds something else.
    pub fn of_all(folders: &[PathBuf]) -> Result<Option<FolderKind>, RecordError> {
        let Some((first, kind)) = folders.first().and_then(|first| Some((first, FolderKind::of(first)?))) else {
            return Ok(None);
        };
        let other = |folder: &PathBuf| Some((folder.clone(), FolderKind::of(folder).filter(|other| *other != kind)?));
        folders.iter().find_map(other).map_or(Ok(Some(kind)), |(folder, other)| {
            let [holds, first_holds] = [other, kind].map(FolderKind::name);
            let problem = format!(
                "this folder holds {holds}, and {} holds {first_holds}: choose folders of one kind",
                first.display()
            );
            Err(RecordError::folder(&folder, problem))
        })
    }

    /// The kind with its article.
    fn name(self) -> &'static str {
        match self {
            FolderKind::Run => "a run",
            FolderKind::Tuning => "a tuning",
            FolderKind::Evolution => "an evolution",
            FolderKind::Evolutions => "evolutions of several seeds",
            FolderKind::Bank => "a bank of positions",
            FolderKind::Scores => "scores of genomes",
        }
    }

    fn is_held_by(self, folder: &Path) -> bool {
        match self {
            FolderKind::Run => journals(folder, GAMES_STEM).is_ok_and(|found| found.iter().any(|path| has_begun(path))),
            FolderKind::Tuning => folder.join(TUNING_PLAN).exists(),
            FolderKind::Evolution => journals(folder, EVOLUTION_STEM).is_ok_and(|found| !found.is_empty()),
            FolderKind::Evolutions => folder.join(SEEDS_PLAN).exists(),
            FolderKind::Bank => {
                let shards = || journals(folder, BANK_SHARD_STEM).is_ok_and(|found| !found.is_empty());
                folder.join(BANK_FILE).exists() || shards()
            }
            FolderKind::Scores => journals(folder, SCORES_STEM).is_ok_and(|found| !found.is_empty()),
        }
    }

    /// What a folder holds that is not of this kind.
    pub fn other_in(self, folder: &Path) -> Option<FolderKind> {
        FolderKind::ALL.into_iter().find(|kind| *kind != self && kind.is_held_by(folder))
    }

    /// What the folder is, and where the games are, for a command that reads a run.
    pub fn instead_of_run(self) -> &'static str {
        match self {
            FolderKind::Run => "this is a run folder",
            FolderKind::Tuning => "this is the folder of a tuning; name the folder of one of its stages",
            FolderKind::Evolution => "this is the folder of an evolution; its games are in the run of its proof.toml",
            FolderKind::Evolutions => {
                "this is the folder of evolutions of several seeds; name the folder of one of them"
            }
            FolderKind::Bank => "this is a bank of positions, which `evouct evolve` reads",
            FolderKind::Scores => "this folder holds scores of genomes, which `evouct score` prints",
        }
    }

    /// Refuses a folder that holds something of another kind. A folder that does not exist yet holds nothing.
    ///
    /// # Errors
    /// If it does.
    pub fn check(self, folder: &Path) -> Result<(), RecordError> {
        self.other_in(folder).map_or(Ok(()), |other| {
            let (holds, wanted) = (other.name(), self.name());
            let problem = format!("this folder holds {holds}, not {wanted}; {}", Phrase::OtherFolder);
            Err(RecordError::folder(folder, problem))
        })
    }
}
