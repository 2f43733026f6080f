//! Tables as Apache Parquet.

use super::column::ColumnType;
use super::tables::{Cell, Columns, TableWriter};
use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use ::parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::types::{Type, TypePtr};
use evouct_store::disk::Replacement;
use std::io;
use std::sync::Arc;

/// Rows that are held in memory before they are written.
const ROWS_PER_GROUP: usize = 50_000;

/// A Parquet file that is being written. Every column is optional.
pub(super) struct ParquetTable {
    writer: SerializedFileWriter<Replacement>,
    types: Vec<ColumnType>,
    rows: Vec<Vec<Cell>>,
}

impl ParquetTable {
    /// Begins the file of the table `name`.
    pub(super) fn begin(file: Replacement, name: &str, columns: &Columns) -> io::Result<ParquetTable> {
        let fields: Result<Vec<TypePtr>, ParquetError> = columns.iter().map(|(name, of)| field(name, *of)).collect();
        let schema = Type::group_type_builder(name).with_fields(fields?).build()?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties))?;
        Ok(ParquetTable { writer, types: columns.iter().map(|(_, of)| *of).collect(), rows: Vec::new() })
    }

    /// Writes the rows that are held as a row group.
    fn write_group(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        if rows.is_empty() {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for (place, of) in self.types.iter().enumerate() {
            let cells = rows.iter().map(|row| &row[place]);
            match of {
                ColumnType::Whole => column::<Int64Type>(&mut group, cells, |cell| match cell {
                    Cell::Whole(number) => Some(*number),
                    _ => None,
                })?,
                ColumnType::Real => column::<DoubleType>(&mut group, cells, |cell| match cell {
                    Cell::Real(number) => Some(*number),
                    _ => None,
                })?,
                ColumnType::Text => column::<ByteArrayType>(&mut group, cells, |cell| match cell {
                    Cell::Text(text) => Some(ByteArray::from(text.as_str())),
                    _ => None,
                })?,
                ColumnType::Flag => column::<BoolType>(&mut group, cells, |cell| match cell {
                    Cell::Flag(flag) => Some(*flag),
                    _ => None,
                })?,
            }
        }
        group.close()?;
        Ok(())
    }
}

impl TableWriter for ParquetTable {
    fn add(&mut self, row: Vec<Cell>) -> io::Result<()> {
        self.rows.push(row);
        if self.rows.len() == ROWS_PER_GROUP { self.write_group() } else { Ok(()) }
    }

    fn complete(mut self: Box<Self>) -> io::Result<Replacement> {
        self.write_group()?;
        Ok(self.writer.into_inner()?)
    }
}

fn field(name: &str, of: ColumnType) -> Result<TypePtr, ParquetError> {
    let (physical, logical) = match of {
        ColumnType::Whole => (Physical::INT64, None),
        ColumnType::Real => (Physical::DOUBLE, None),
        ColumnType::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        ColumnType::Flag => (Physical::BOOLEAN, None),
    };
    let field = Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()?;
    Ok(Arc::new(field))
}

/// Writes the next column of a row group.
fn column<'a, T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Replacement>,
    cells: impl Iterator<Item = &'a Cell>,
    value: impl Fn(&Cell) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let mut values = Vec::new();
    // 1 where a value is defined, 0 where it is absent.
    let mut levels = Vec::new();
    for cell in cells {
        let value = value(cell);
        levels.push(i16::from(value.is_some()));
        values.extend(value);
    }
    let mut column = group.next_column()?.expect("a group has the columns of its schema");
    column.typed::<T>().write_batch(&values, Some(&levels), None)?;
    column.close()
}

#[cfg(test)]
mod tests {
    use super::super::{ExportFormat, TABLES, export};
    use crate::config::{Experiment, Overrides};
    use crate::league::{ResumeOptions, Session};
    use crate::record::Run;
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::Field;
    use evouct_base::named::Named;
    use std::collections::BTreeMap;
    use std::fs::File;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn parquet_has_the_rows_of_csv() {
        evouct_carcassonne::add();
        let toml = "name = \"pair\"\ngames_per_match = 1\n[[player]]\nname = \"random\"\nkind = \"random\"\n[[player]]\n\
                    name = \"SIEA\"\nkind = \"siea-mcts\"\niterations = 40\ngenerations = 1\nsimulations = 2\n";
        let folder = tempfile::tempdir().unwrap();
        let experiment = Experiment::parse(toml, "pair.toml", Overrides::default()).unwrap();
        let session = Session::plan(experiment, folder.path(), None, ResumeOptions::default()).unwrap();
        session.play(1, &Arc::new(AtomicBool::new(false)), &mut (), |_| {}).unwrap();
        let (run, tables) = (Run::open(folder.path()).unwrap(), folder.path().join("export"));
        for (_, format) in ExportFormat::NAMES {
            export(&run, &tables, *format, |_| {}).unwrap();
        }
        for (name, _) in TABLES {
            let mut csv = csv::Reader::from_path(tables.join(format!("{name}.csv"))).unwrap();
            let expected: Vec<BTreeMap<String, String>> = csv.deserialize().collect::<Result<_, _>>().unwrap();
            let reader =
                SerializedFileReader::new(File::open(tables.join(format!("{name}.parquet"))).unwrap()).unwrap();
            let text = |field: &Field| match field {
                Field::Null => String::new(),
                Field::Str(text) => text.clone(),
                Field::Double(number) => number.to_string(),
                other => other.to_string(),
            };
            let rows = reader.get_row_iter(None).unwrap().map(Result::unwrap);
            let rows = rows.map(|row| row.get_column_iter().map(|(name, field)| (name.clone(), text(field))).collect());
            let found: Vec<BTreeMap<String, String>> = rows.collect();
            assert!(found == expected && !found.is_empty(), "{name}: {found:?}");
        }
    }
}
