//! Reading a run once and writing its tables.

use super::csv::CsvTable;
#[cfg(feature = "parquet")]
use super::parquet::ParquetTable;
use super::tables::{Columns, Layout, TABLES, TableWriter};
use crate::record::{GameRecord, Run};
use evouct_base::named::Named;
use evouct_store::disk::{Replacement, create_folder};
use evouct_store::{Problem, RecordError};
use std::io;
use std::path::{Path, PathBuf};

evouct_base::named! {
    /// How tables are written.
    pub enum ExportFormat {
        /// Text with commas; an absent value is empty.
        Csv = "csv",
        /// Apache Parquet, compressed by Snappy. Needs a build with the feature `parquet`.
        Parquet = "parquet",
    }
}

/// Why a run was not exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A journal cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// No game is recorded.
    #[error("{}: no game is recorded yet", .0.display())]
    Empty(PathBuf),
    /// Games of one seat have no pairs.
    #[error("{}: its games have one seat, so no two players meet in them", .0.display())]
    OneSeat(PathBuf),
    /// A table that was written cannot be read.
    #[error("{} cannot be read: {problem}", path.display())]
    Unread {
        /// The file.
        path: PathBuf,
        /// Why.
        problem: String,
    },
    /// A table cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// This program was built without the format.
    #[error("this program writes no Parquet; build it with `cargo install --path . --features parquet`")]
    Unavailable,
}

/// What was written.
#[derive(Debug)]
pub struct Exported {
    /// The files with their numbers of rows, in the order of [`TABLES`].
    pub files: Vec<(PathBuf, u64)>,
    /// What is wrong with the journals.
    pub problems: Vec<Problem>,
}

impl ExportFormat {
    /// Whether this program writes it.
    pub fn is_available(self) -> bool {
        self == ExportFormat::Csv || cfg!(feature = "parquet")
    }

    fn begin(self, file: Replacement, name: &str, columns: &Columns) -> io::Result<Box<dyn TableWriter>> {
        #[cfg(not(feature = "parquet"))]
        let _ = name;
        match self {
            ExportFormat::Csv => Ok(Box::new(CsvTable::begin(file, columns)?)),
            #[cfg(feature = "parquet")]
            ExportFormat::Parquet => Ok(Box::new(ParquetTable::begin(file, name, columns)?)),
            #[cfg(not(feature = "parquet"))]
            ExportFormat::Parquet => Err(io::Error::other(ExportError::Unavailable)),
        }
    }
}

struct Open {
    path: PathBuf,
    table: Box<dyn TableWriter>,
    rows: u64,
}

/// Writes the tables of a run to a folder: `games`, `seats`, `turns` and `formulas`. Files of these names are replaced
/// when all games have been read. Games come in the order of decks and ids, and `each` sees them. Memory holds their
/// places, not the games. The folder is made once a game was read.
///
/// # Errors
/// If a journal cannot be read, no game is recorded, a file cannot be written, or this program does not write the
/// format.
pub fn export(
    run: &Run,
    folder: &Path,
    format: ExportFormat,
    mut each: impl FnMut(&GameRecord),
) -> Result<Exported, ExportError> {
    if !format.is_available() {
        return Err(ExportError::Unavailable);
    }
    let scale = run.scale()?;
    let mut open: Option<(Layout, Vec<Open>)> = None;
    let problems = run.games_in_order(|game| -> Result<(), ExportError> {
        each(&game);
        if open.is_none() {
            create_folder(folder).map_err(|error| ExportError::Write { path: folder.to_owned(), error })?;
            let layout = Layout::of(&game, scale);
            let tables = TABLES.iter().zip(layout.columns()).map(|((name, _), columns)| {
                let file = format!("{name}.{}", format.name());
                let path = folder.join(&file);
                let begun =
                    Replacement::of_own(folder, &file, false).and_then(|file| format.begin(file, name, &columns));
                match begun {
                    Ok(table) => Ok(Open { path, table, rows: 0 }),
                    Err(error) => Err(ExportError::Write { path, error }),
                }
            });
            let tables = tables.collect::<Result<_, _>>()?;
            open = Some((layout, tables));
        }
        let Some((layout, tables)) = &mut open else { unreachable!("the tables are open") };
        for (table, rows) in tables.iter_mut().zip(layout.rows(&game)) {
            table.rows += rows.len() as u64;
            for row in rows {
                table.table.add(row).map_err(|error| ExportError::Write { path: table.path.clone(), error })?;
            }
        }
        Ok(())
    })?;
    let (_, tables) = open.ok_or_else(|| ExportError::Empty(run.folder().to_owned()))?;
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| ExportError::Write { path, error }
    };
    // All tables or none: those of two exports do not fit each other.
    let mut complete = Vec::new();
    for Open { path, table, rows } in tables {
        let file = table.complete().map_err(failed(&path))?;
        file.check().map_err(failed(&path))?;
        complete.push((path, file, rows));
    }
    let mut files = Vec::new();
    for (path, file, rows) in complete {
        file.finish().map_err(failed(&path))?;
        files.push((path, rows));
    }
    Ok(Exported { files, problems })
}
