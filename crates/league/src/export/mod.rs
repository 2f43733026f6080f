//! The records of a run as long tables for data frames: one row per game, seat, turn or evolved formula.
//!
//! `tables` says what the tables hold, `csv`, `parquet` and `memory` where they go. `pairs` writes results for programs that
//! compute ratings. A run is read once, game by game.

mod csv;
mod memory;
mod pairs;
#[cfg(feature = "parquet")]
mod parquet;
mod tables;
mod writer;

pub use memory::{DataTable, TableColumn, tables};
pub use pairs::export_pairs;
pub use tables::TABLES;
pub use writer::{ExportError, ExportFormat, Exported, export};
