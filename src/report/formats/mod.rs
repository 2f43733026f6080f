//! From tables to text: the formats of a report. They compute nothing.

pub(super) mod board;
pub(super) mod chart;
mod csv;
pub(super) mod files;
mod latex;
pub(super) mod markdown;
pub(super) mod page;
mod pictures;
pub(super) mod text;
