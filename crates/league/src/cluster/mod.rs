//! Batch jobs: profiles of clusters, and the scripts that clusters run.

mod estimate;
mod job;
mod requeue;
mod script;
mod system;

pub use estimate::{Estimate, Memory};
pub use job::{BatchJob, Launcher};
pub use script::{BatchRun, Work, report_script, script};
pub use system::System;
