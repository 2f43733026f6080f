//! Batch jobs: the script that a cluster runs.

mod script;

pub use script::{BatchRun, report_script, script};
