//! From numbers to tables: what a report says, computed once for all formats.
//!
//! Each file holds the rows of a table beside the code that computes them.

mod bootstrap;
pub(super) mod captions;
pub(super) mod changes;
pub(super) mod compare;
pub(super) mod cost;
pub(super) mod detectable;
pub(super) mod evolved;
pub(super) mod evolved_beside;
pub(super) mod faults;
pub(super) mod formula_names;
pub(super) mod formulas;
pub(super) mod frame;
pub(super) mod gauntlet;
pub(super) mod headline;
pub(super) mod histograms;
mod league;
mod listed;
pub(super) mod looks;
pub(super) mod matches;
pub(super) mod mean_with_interval;
pub(super) mod meetings;
pub(super) mod objectives;
pub(super) mod pairs;
pub(super) mod paper;
pub(super) mod paper_pairs;
pub(super) mod power;
pub(super) mod ratings;
pub(super) mod report;
pub(super) mod result_matrix;
pub(super) mod seats;
pub(super) mod seeds;
pub(super) mod seeds_beside;
pub(super) mod sequential;
pub(super) mod sweep;
pub(super) mod typed;
pub(super) mod verdicts;
