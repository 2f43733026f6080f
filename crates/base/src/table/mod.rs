//! A table of results: columns of typed cells, made once, which the renderers of all forms write.
//!
//! A renderer knows the kinds of cells ([`Cell`]) and no column by its name. Each form has every column, unless the column
//! says otherwise by its [`Width`] or by having no key in files.

mod cell;

pub use cell::{Cell, Digits, PLAIN, PRINTED, Signs, duration};

/// The narrowest place that has a column: wider places have all columns of narrower ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Width {
    /// A column of a paper.
    Narrow,
    /// A terminal.
    Brief,
    /// A page, a typeset table of its own, and a terminal that is asked for everything.
    Full,
    /// Files for programs.
    File,
}

/// A column with its cells, a cell for each row.
#[derive(Clone, Debug)]
pub struct TypedColumn {
    /// Its name in selections.
    pub key: String,
    /// Its names in CSV files, one for each field of its cells: a mean has those of its value and of the ends of its
    /// interval. Empty if files leave it out.
    pub fields: Vec<String>,
    /// What stands above it.
    pub heading: String,
    /// The narrowest place that has it.
    pub width: Width,
    /// The cells.
    pub cells: Vec<Cell>,
}

impl TypedColumn {
    /// Whether it is set to the right: it has a number.
    pub fn is_numeric(&self) -> bool {
        self.cells.iter().any(Cell::is_number) || self.cells.iter().all(|cell| *cell == Cell::Missing)
    }
}

/// A table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Its name in selections and in labels.
    pub name: &'static str,
    /// What it is, in a few words.
    pub title: String,
    /// What the reader of a terminal needs beside the title: units and what signs mean.
    pub note: String,
    /// What it shows and does not show, in sentences.
    pub caption: String,
    /// The file that has the rows that a page or a terminal leaves out.
    pub rest: &'static str,
    /// The columns; each has the same number of cells.
    pub columns: Vec<TypedColumn>,
}

impl Table {
    /// A table of these rows, without a column.
    pub fn of<R>(name: &'static str, title: impl Into<String>, rows: impl IntoIterator<Item = R>) -> TableOf<R> {
        let table = Table { name, title: title.into(), ..Table::default() };
        TableOf { rows: rows.into_iter().collect(), table }
    }

    fn add(&mut self, width: Width, fields: &str, heading: String, cells: Vec<Cell>) {
        let fields: Vec<String> = fields.split(", ").map(str::to_owned).collect();
        self.columns.push(TypedColumn { key: fields[0].clone(), fields, heading, width, cells });
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, |column| column.cells.len())
    }

    /// Whether it has no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The columns that a place has.
    pub fn shown(&self, width: Width) -> impl Iterator<Item = &TypedColumn> {
        self.columns.iter().filter(move |column| column.width <= width.min(Width::Full))
    }

    /// The cells of a row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = &Cell> {
        self.columns.iter().map(move |column| &column.cells[row])
    }

    /// The row's p-value that is corrected for the number of tests, and the difference that was tested: the last number
    /// with a sign before it.
    pub fn test(&self, row: usize) -> Option<(f64, f64)> {
        let mut difference = None;
        for cell in self.row(row) {
            match cell {
                Cell::P { p, is_corrected: true, .. } => return difference.map(|difference| (difference, *p)),
                Cell::Number(value, digits) | Cell::Mean { mean: value, digits, .. } if digits.is_signed => {
                    difference = Some(*value);
                }
                _ => {}
            }
        }
        None
    }

    /// The table with the rows of the smallest p-values, at most `most` of them in the order that they have, and the
    /// number of rows left out.
    #[must_use]
    pub fn clearest(mut self, most: usize) -> (Table, usize) {
        let left_out = self.len().saturating_sub(most);
        if left_out > 0 {
            let p_values = |row: usize| -> Vec<f64> {
                self.row(row).filter_map(|cell| if let Cell::P { p, .. } = cell { Some(*p) } else { None }).collect()
            };
            let mut rows: Vec<(bool, Vec<f64>, usize)> = (0..self.len())
                .map(|row| (p_values(row), row))
                .map(|(p_values, row)| (p_values.is_empty(), p_values, row))
                .collect();
            rows.sort_by(|a, b| a.partial_cmp(b).expect("p-values are numbers"));
            let kept: Vec<usize> = rows.into_iter().take(most).map(|(.., row)| row).collect();
            for column in &mut self.columns {
                let mut row = 0..;
                column.cells.retain(|_| row.next().is_some_and(|row| kept.contains(&row)));
            }
        }
        (self, left_out)
    }

    /// The table with the columns of another one of the same rows behind its own; those whose names it has already are
    /// left out.
    #[must_use]
    pub fn beside(mut self, other: Table) -> Table {
        let new = |column: &TypedColumn| self.columns.iter().all(|own| own.key != column.key);
        let others: Vec<TypedColumn> = other.columns.into_iter().filter(new).collect();
        self.columns.extend(others);
        self
    }

    /// The table with what it shows in sentences, and the file that has all of it.
    #[must_use]
    pub fn explained(mut self, caption: impl Into<String>, rest: &'static str) -> Table {
        (self.caption, self.rest) = (caption.into(), rest);
        self
    }

    /// The table with what stands beside its title on a terminal.
    #[must_use]
    pub fn noted(mut self, note: impl Into<String>) -> Table {
        self.note = note.into();
        self
    }
}

/// A table under construction, with the rows that its cells are made of.
pub struct TableOf<R> {
    rows: Vec<R>,
    table: Table,
}

impl<R> TableOf<R> {
    /// Adds a column that all forms have, of the width or wider. `fields` are its names in files, with commas between; the
    /// first one selects it.
    #[must_use]
    pub fn column(
        mut self,
        width: Width,
        fields: &str,
        heading: impl Into<String>,
        mut cell: impl FnMut(&R) -> Cell,
    ) -> Self {
        self.add(width, fields, heading.into(), &mut cell);
        self
    }

    /// The same, compiled once for all columns of a kind of row: there are hundreds of them.
    fn add(&mut self, width: Width, fields: &str, heading: String, cell: &mut dyn FnMut(&R) -> Cell) {
        let cells = self.rows.iter().map(cell).collect();
        self.table.add(width, fields, heading, cells);
    }

    /// Adds a column that files do not have, because others of theirs say the same.
    #[must_use]
    pub fn shown(
        mut self,
        width: Width,
        key: &str,
        heading: impl Into<String>,
        mut cell: impl FnMut(&R) -> Cell,
    ) -> Self {
        self.add(width, key, heading.into(), &mut cell);
        self.table.columns.last_mut().expect("it was added").fields.clear();
        self
    }

    /// Adds a column that only files have.
    #[must_use]
    pub fn file(self, fields: &str, cell: impl FnMut(&R) -> Cell) -> Self {
        self.column(Width::File, fields, "", cell)
    }

    /// Adds more columns if a condition holds.
    #[must_use]
    pub fn when(self, holds: bool, more: impl FnOnce(Self) -> Self) -> Self {
        if holds { more(self) } else { self }
    }

    /// The table.
    pub fn table(self) -> Table {
        self.table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let p = |p: f64, is_corrected| Cell::P { p, is_exact: true, is_corrected };
        Table::of("pairs", "Pairs", [("a", 1.0, 0.5), ("b", -2.0, 0.01), ("c", 0.0, 0.5)])
            .column(Width::Narrow, "name", "player", |row| Cell::name(row.0))
            .shown(Width::Full, "difference", "difference", |row| Cell::Number(row.1, Digits::SIGNED))
            .file("units", |_| Cell::Count(3))
            .column(Width::Brief, "p", "p", |row| p(row.2, true))
            .table()
    }

    #[test]
    fn a_place_has_the_columns_of_its_width() {
        let keys = |width| table().shown(width).map(|column| column.key.clone()).collect::<Vec<_>>();
        assert_eq!(keys(Width::Narrow), ["name"]);
        assert_eq!(keys(Width::Brief), ["name", "p"]);
        assert_eq!(keys(Width::Full), ["name", "difference", "p"]);
        let fields: Vec<String> = table().columns.iter().flat_map(|column| column.fields.clone()).collect();
        assert_eq!(fields, ["name", "units", "p"]);
    }

    #[test]
    fn the_clearest_rows_stay_in_their_order() {
        assert_eq!(table().test(1), Some((-2.0, 0.01)));
        let (few, left_out) = table().clearest(2);
        assert_eq!((few.columns[0].cells.clone(), left_out), (vec![Cell::name("a"), Cell::name("b")], 1));
        assert_eq!(table().clearest(3).1, 0);
    }
}
