//! Series: experiments that depend on one another, in the sub-folders of one folder.
//!
//! A series has a plan, which is written once ([`evouct_store::record_plan`]), and stages. A [`Stage`] is an ordinary run in a
//! sub-folder: it has journals, shards, resume and reports like any other run. The stages follow from the plan and from
//! the results of earlier stages: a process that reads the journals knows what comes next. A series has no other state,
//! so a killed process, another number of threads or another machine changes nothing.
//!
//! This module knows no purpose of a series. `evouct_tune` has one.

mod digest;
mod stage;

pub use digest::digest;
pub use stage::{Stage, StageCount};
