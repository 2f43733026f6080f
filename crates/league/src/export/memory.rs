//! The tables of a run in memory, column by column, for programs that use evouct as a library.

use super::column::ColumnType;
use super::tables::{Cell, Layout, TABLES};
use super::writer::ExportError;
use crate::record::{GameRecord, Run};
use evouct_base::escape;
use evouct_store::Problem;
use std::path::Path;
use std::str::FromStr;

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct DataTable {
    /// One of [`TABLES`].
    pub name: &'static str,
    /// The columns with their names, all of one length.
    pub columns: Vec<(String, TableColumn)>,
}

/// The values of a column, each of which may be absent.
#[derive(Clone, Debug, PartialEq)]
pub enum TableColumn {
    /// Whole numbers.
    Whole(Vec<Option<i64>>),
    /// Real numbers.
    Real(Vec<Option<f64>>),
    /// Texts.
    Text(Vec<Option<String>>),
    /// Yes or no.
    Flag(Vec<Option<bool>>),
}

impl TableColumn {
    fn empty(of: ColumnType) -> TableColumn {
        match of {
            ColumnType::Whole => TableColumn::Whole(Vec::new()),
            ColumnType::Real => TableColumn::Real(Vec::new()),
            ColumnType::Text => TableColumn::Text(Vec::new()),
            ColumnType::Flag => TableColumn::Flag(Vec::new()),
        }
    }

    /// Adds the cell of a CSV file. An empty one has no number and no flag, and is an empty text.
    ///
    /// # Errors
    /// What was expected.
    fn read(&mut self, cell: &str) -> Result<(), &'static str> {
        /// The value of a cell; none if it is empty.
        fn value<T: FromStr>(cell: &str) -> Result<Option<T>, T::Err> {
            if cell.is_empty() { Ok(None) } else { cell.parse().map(Some) }
        }
        match self {
            TableColumn::Whole(values) => values.push(value(cell).map_err(|_| "a whole number")?),
            TableColumn::Real(values) => values.push(value(cell).map_err(|_| "a number")?),
            TableColumn::Flag(values) => values.push(value(cell).map_err(|_| "true or false")?),
            TableColumn::Text(values) => values.push(Some(escape::text_of_cell(cell).to_owned())),
        }
        Ok(())
    }

    fn add(&mut self, cell: Cell) {
        match (self, cell) {
            (TableColumn::Whole(values), Cell::Whole(number)) => values.push(Some(number)),
            (TableColumn::Whole(values), _) => values.push(None),
            (TableColumn::Real(values), Cell::Real(number)) => values.push(Some(number)),
            (TableColumn::Real(values), _) => values.push(None),
            (TableColumn::Text(values), Cell::Text(text)) => values.push(Some(text)),
            (TableColumn::Text(values), _) => values.push(None),
            (TableColumn::Flag(values), Cell::Flag(flag)) => values.push(Some(flag)),
            (TableColumn::Flag(values), _) => values.push(None),
        }
    }
}

/// Reads a CSV file that evouct has written, column by column. `of` says the type of a column.
///
/// # Errors
/// If the file cannot be read, or a cell is of another type.
pub fn read_csv(path: &Path, of: impl Fn(&str) -> ColumnType) -> Result<Vec<(String, TableColumn)>, ExportError> {
    let wrong = |problem: String| ExportError::Unread { path: path.to_owned(), problem };
    let failed = |error: ::csv::Error| wrong(error.to_string());
    let mut reader = ::csv::Reader::from_path(path).map_err(failed)?;
    let names = reader.headers().map_err(failed)?.iter();
    let mut columns: Vec<(String, TableColumn)> =
        names.map(|name| (name.to_owned(), TableColumn::empty(of(name)))).collect();
    for row in reader.records() {
        let row = row.map_err(failed)?;
        for ((name, column), cell) in columns.iter_mut().zip(&row) {
            column.read(cell).map_err(|expected| {
                let line = row.position().map_or(0, ::csv::Position::line);
                wrong(format!("line {line}: {name}: expected {expected}, found {cell:?}"))
            })?;
        }
    }
    Ok(columns)
}

/// Reads a run once: its tables in the order of [`TABLES`], and what is wrong with its journals. `see` gets each game.
/// All games are in memory then; [`export`](super::export) writes files of any length.
///
/// # Errors
/// If a journal cannot be read, or no game is recorded.
pub fn tables(run: &Run, mut see: impl FnMut(&GameRecord)) -> Result<(Vec<DataTable>, Vec<Problem>), ExportError> {
    let scale = run.scale()?;
    let mut read: Option<(Layout, Vec<DataTable>)> = None;
    let problems = run.games_in_order(|game| -> Result<(), ExportError> {
        see(&game);
        let (layout, tables) = read.get_or_insert_with(|| {
            let layout = Layout::of(&game, scale);
            let tables = TABLES.iter().zip(layout.columns()).map(|((name, _), columns)| {
                let columns = columns.into_iter().map(|(name, of)| (name, TableColumn::empty(of))).collect();
                DataTable { name, columns }
            });
            let tables = tables.collect();
            (layout, tables)
        });
        for (table, rows) in tables.iter_mut().zip(layout.rows(&game)) {
            for row in rows {
                table.columns.iter_mut().zip(row).for_each(|((_, column), cell)| column.add(cell));
            }
        }
        Ok(())
    })?;
    let (_, tables) = read.ok_or_else(|| ExportError::Empty(run.folder().to_owned()))?;
    Ok((tables, problems))
}
