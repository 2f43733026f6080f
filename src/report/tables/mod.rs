//! From numbers to tables: what a report says, computed once for all formats.

pub(super) mod bootstrap;
pub(super) mod captions;
pub(super) mod compare;
pub(super) mod league;
pub(super) mod pairs;
pub(super) mod paper;
pub(super) mod ratings;
pub(super) mod report;
pub(super) mod result_matrix;
