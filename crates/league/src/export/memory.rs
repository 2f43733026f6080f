//! The tables of a run in memory, column by column, for programs that use evouct as a library.

use super::tables::{Cell, ColumnType, Layout, TABLES};
use super::writer::ExportError;
use crate::record::{Problem, Run};

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// One of [`TABLES`].
    pub name: &'static str,
    /// The columns with their names, all of one length.
    pub columns: Vec<(String, Column)>,
}

/// The values of a column, each of which may be absent.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Whole numbers.
    Whole(Vec<Option<i64>>),
    /// Real numbers.
    Real(Vec<Option<f64>>),
    /// Texts.
    Text(Vec<Option<String>>),
    /// Yes or no.
    Flag(Vec<Option<bool>>),
}

impl Column {
    fn empty(of: ColumnType) -> Column {
        match of {
            ColumnType::Whole => Column::Whole(Vec::new()),
            ColumnType::Real => Column::Real(Vec::new()),
            ColumnType::Text => Column::Text(Vec::new()),
            ColumnType::Flag => Column::Flag(Vec::new()),
        }
    }

    fn add(&mut self, cell: Cell) {
        match (self, cell) {
            (Column::Whole(values), Cell::Whole(number)) => values.push(Some(number)),
            (Column::Whole(values), _) => values.push(None),
            (Column::Real(values), Cell::Real(number)) => values.push(Some(number)),
            (Column::Real(values), _) => values.push(None),
            (Column::Text(values), Cell::Text(text)) => values.push(Some(text)),
            (Column::Text(values), _) => values.push(None),
            (Column::Flag(values), Cell::Flag(flag)) => values.push(Some(flag)),
            (Column::Flag(values), _) => values.push(None),
        }
    }
}

/// Reads a run once: its tables in the order of [`TABLES`], and what is wrong with its journals. All games are in
/// memory then; [`export`](super::export) writes files of any length.
///
/// # Errors
/// If a journal cannot be read, or no game is recorded.
pub fn tables(run: &Run) -> Result<(Vec<Table>, Vec<Problem>), ExportError> {
    let mut read: Option<(Layout, Vec<Table>)> = None;
    let problems = run.games_in_order(|game| -> Result<(), ExportError> {
        let (layout, tables) = read.get_or_insert_with(|| {
            let layout = Layout::of(&game);
            let tables = TABLES.iter().zip(layout.columns()).map(|((name, _), columns)| {
                let columns = columns.into_iter().map(|(name, of)| (name, Column::empty(of))).collect();
                Table { name, columns }
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
