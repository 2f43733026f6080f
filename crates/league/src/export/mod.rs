//! The records of a run as long tables for data frames: one row per game, seat, turn or evolved formula.
//!
//! `tables` says what the tables hold, `csv`, `parquet` and `memory` where they go. `pairs` writes results for programs that
//! compute ratings. A run is read once, game by game. `column` has the types of the columns of all other CSV files, which
//! `csv` writes and `memory` reads.

mod column;
mod csv;
mod memory;
mod pairs;
#[cfg(feature = "parquet")]
mod parquet;
mod tables;
mod writer;

pub use self::csv::{csv_file, csv_table};
pub use column::ColumnType;
pub use memory::{DataTable, TableColumn, read_csv, tables};
pub use pairs::export_pairs;
pub use tables::TABLES;
pub use writer::{ExportError, ExportFormat, Exported, export};
