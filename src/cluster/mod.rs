//! Batch jobs: the script that a cluster runs.

mod job;
mod script;

pub use job::{Job, Launcher};
pub use script::{BatchRun, report_script, script};
