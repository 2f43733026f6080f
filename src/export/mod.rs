//! The records of a run as long tables for data frames: one row per game, seat, turn or evolved formula.
//!
//! `tables` says what the tables hold, `csv` and `parquet` how they are written. A run is read once, game by game.

mod csv;
#[cfg(feature = "parquet")]
mod parquet;
mod tables;
mod writer;

pub use tables::TABLES;
pub use writer::{ExportError, ExportFormat, Exported, export};
