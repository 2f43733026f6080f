//! Tables as text with commas.

use super::tables::{Cell, Columns};
use super::writer::TableWriter;
use crate::disk::Replacement;
use ::csv::Writer;
use std::io;

/// A CSV file that is being written.
pub(super) struct CsvTable(Writer<Replacement>);

impl CsvTable {
    /// Writes the header.
    pub(super) fn begin(file: Replacement, columns: &Columns) -> io::Result<CsvTable> {
        let mut writer = Writer::from_writer(file);
        writer.write_record(columns.iter().map(|(name, _)| name))?;
        Ok(CsvTable(writer))
    }
}

impl TableWriter for CsvTable {
    fn add(&mut self, row: Vec<Cell>) -> io::Result<()> {
        let fields = row.into_iter().map(|cell| match cell {
            Cell::Whole(number) => number.to_string(),
            Cell::Real(number) => number.to_string(),
            Cell::Text(text) => text,
            Cell::Flag(flag) => flag.to_string(),
            Cell::Absent => String::new(),
        });
        Ok(self.0.write_record(fields)?)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.0.into_inner().map_err(::csv::IntoInnerError::into_error)?.finish()
    }
}
