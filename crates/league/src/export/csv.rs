//! Tables as text with commas.

use super::tables::{Cell, Columns, TableWriter};
use crate::disk::Replacement;
use ::csv::Writer;
use evouct_base::escape;
use std::io;

/// A CSV file that is being written.
pub(super) struct CsvTable {
    writer: Writer<Replacement>,
    /// The column of formulas, which must stay formulas of evouct.
    formulas: Option<usize>,
}

impl CsvTable {
    /// Writes the header.
    pub(super) fn begin(file: Replacement, columns: &Columns) -> io::Result<CsvTable> {
        let mut writer = Writer::from_writer(file);
        writer.write_record(columns.iter().map(|(name, _)| name))?;
        Ok(CsvTable { writer, formulas: columns.iter().position(|(name, _)| name == "formula") })
    }
}

impl TableWriter for CsvTable {
    fn add(&mut self, row: Vec<Cell>) -> io::Result<()> {
        let fields = row.into_iter().enumerate().map(|(column, cell)| match cell {
            Cell::Whole(number) => number.to_string(),
            Cell::Real(number) => number.to_string(),
            Cell::Text(text) if Some(column) == self.formulas => escape::formula_cell(&text).into_owned(),
            Cell::Text(text) => escape::cell(&text).into_owned(),
            Cell::Flag(flag) => flag.to_string(),
            Cell::Absent => String::new(),
        });
        Ok(self.writer.write_record(fields)?)
    }

    fn complete(self: Box<Self>) -> io::Result<Replacement> {
        self.writer.into_inner().map_err(::csv::IntoInnerError::into_error)
    }
}
