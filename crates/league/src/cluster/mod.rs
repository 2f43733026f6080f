//! Batch jobs: profiles of clusters, and the scripts that clusters run.

mod job;
mod requeue;
mod script;

pub use job::{Job, Launcher};
pub use script::{BatchRun, Work, report_script, script};
