//! Tables as text with commas.

use super::tables::{Cell, Columns, TableWriter};
use ::csv::Writer;
use evouct_base::escape;
use evouct_base::table::{Cell as CellKind, Table};
use evouct_store::disk::Replacement;
use std::borrow::Cow;
use std::io;

/// The columns of selection formulas, which must stay formulas of evouct.
const FORMULAS: [&str; 4] = ["formula", "simplified", "best_formula", "genome"];

/// A text as a cell of a column: no spreadsheet takes it for a formula.
fn escaped<'a>(column: &str, text: &'a str) -> Cow<'a, str> {
    if FORMULAS.contains(&column) { escape::formula_cell(text) } else { escape::cell(text) }
}

/// A CSV file: the names of its columns with spaces between, and its rows.
///
/// # Panics
/// If a row has not as many cells as there are columns.
pub fn csv_table(columns: &str, rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let columns: Vec<&str> = columns.split(' ').collect();
    let mut writer = Writer::from_writer(Vec::new());
    let row = |row: Vec<String>| -> Vec<String> {
        assert_eq!(row.len(), columns.len(), "a row has a cell per column");
        columns.iter().zip(row).map(|(column, cell)| escaped(column, &cell).into_owned()).collect()
    };
    let written = writer
        .write_record(&columns)
        .and_then(|()| rows.into_iter().map(row).try_for_each(|row| writer.write_record(&row)));
    written.expect("memory takes it");
    String::from_utf8(writer.into_inner().expect("memory takes it")).expect("cells are text")
}

/// The CSV file of a table: the fields of its cells, formulas as formulas of evouct.
pub fn csv_file(table: &Table) -> String {
    let mut writer = Writer::from_writer(Vec::new());
    let header: Vec<&String> = table.columns.iter().flat_map(|column| &column.fields).collect();
    let mut written = writer.write_record(&header);
    for row in 0..table.len() {
        let cells = table.columns.iter().zip(table.row(row)).flat_map(|(column, cell)| {
            let escape = if matches!(cell, CellKind::Formula(_)) { escape::formula_cell } else { escape::cell };
            let fields = cell.fields().into_iter().chain(std::iter::repeat(String::new()));
            fields.take(column.fields.len()).map(move |field| escape(&field).into_owned())
        });
        written = written.and_then(|()| writer.write_record(cells));
    }
    written.expect("memory takes it");
    String::from_utf8(writer.into_inner().expect("memory takes it")).expect("cells are text")
}

/// A CSV file that is being written.
pub(super) struct CsvTable {
    writer: Writer<Replacement>,
    columns: Vec<String>,
}

impl CsvTable {
    /// Writes the header.
    pub(super) fn begin(file: Replacement, columns: &Columns) -> io::Result<CsvTable> {
        let mut writer = Writer::from_writer(file);
        writer.write_record(columns.iter().map(|(name, _)| name))?;
        Ok(CsvTable { writer, columns: columns.iter().map(|(name, _)| name.clone()).collect() })
    }
}

impl TableWriter for CsvTable {
    fn add(&mut self, row: Vec<Cell>) -> io::Result<()> {
        let fields = self.columns.iter().zip(row).map(|(column, cell)| match cell {
            Cell::Whole(number) => number.to_string(),
            Cell::Real(number) => number.to_string(),
            Cell::Text(text) => escaped(column, &text).into_owned(),
            Cell::Flag(flag) => flag.to_string(),
            Cell::Absent => String::new(),
        });
        Ok(self.writer.write_record(fields)?)
    }

    fn complete(self: Box<Self>) -> io::Result<Replacement> {
        self.writer.into_inner().map_err(::csv::IntoInnerError::into_error)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ColumnType, TableColumn, read_csv};
    use super::csv_table;
    use std::fs::write;

    #[test]
    fn no_cell_is_a_formula_of_a_spreadsheet() {
        let row = ["-1 * Q", "-1 * Q", "-1.5", "=SUM(A1)", "a \"b\", c"].map(str::to_owned);
        let table = csv_table("formula player gain away home", [row.to_vec()]);
        assert_eq!(table, "formula,player,gain,away,home\n(-1 * Q),'-1 * Q,-1.5,'=SUM(A1),\"a \"\"b\"\", c\"\n");
    }

    #[test]
    fn a_table_is_read_by_the_types_of_its_columns() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        let of = |column: &str| ColumnType::declared(column).unwrap();
        let rows = [["007", "3", "2", "true"], ["NA", "", "", ""], ["=x", "4", "1e-7", "false"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        for count in 0..=rows.len() {
            write(&path, csv_table("player units gain went_on", rows[..count].to_vec())).unwrap();
            let names = ["007", "NA", "=x"].map(|name| Some(name.to_owned()));
            let columns = [
                ("player", TableColumn::Text(names[..count].to_vec())),
                ("units", TableColumn::Whole([Some(3), None, Some(4)][..count].to_vec())),
                ("gain", TableColumn::Real([Some(2.0), None, Some(1e-7)][..count].to_vec())),
                ("went_on", TableColumn::Flag([Some(true), None, Some(false)][..count].to_vec())),
            ];
            assert_eq!(read_csv(&path, of).unwrap(), columns.map(|(name, values)| (name.to_owned(), values)));
        }
        write(&path, "player,units\na,1\nb,1.5\n").unwrap();
        let problem = read_csv(&path, of).unwrap_err().to_string();
        assert!(
            problem.ends_with("table.csv cannot be read: line 3: units: expected a whole number, found \"1.5\""),
            "{problem}"
        );
        write(&path, "player,units\na\n").unwrap();
        assert!(!read_csv(&path, of).unwrap_err().to_string().contains('\n'));
    }
}
