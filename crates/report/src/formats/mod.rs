//! From tables to text: the formats of a report. They compute nothing.

pub(super) mod block;
pub(super) mod board;
mod cell;
pub(super) mod chart;
mod csv;
mod differences;
mod drawing;
pub(super) mod figure;
pub(super) mod files;
pub(super) mod latex;
pub(super) mod listed;
pub(super) mod markdown;
mod names;
pub(super) mod page;
mod pdf;
mod picture;
mod pictures;
pub(super) mod power;
mod printed;
mod shapes;
pub(super) mod summary;
pub(super) mod text;
