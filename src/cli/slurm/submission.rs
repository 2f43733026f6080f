//! What `evouct slurm` asks of SLURM.

use super::super::Outcome;
use crate::cluster::{BatchJob, Launcher};
use crate::error::Failure;
use crate::plural::counted;
use std::io::Write;
use std::process::{Command, Stdio};

/// The tasks of an array that SLURM allows unless a site changes it.
const USUAL_ARRAY: u64 = 1_001;

/// Leaves an array as many tasks as there are things to do at most.
pub(super) fn no_idle_shards(job: &mut BatchJob, count: u64, thing: &str) {
    if job.launcher == Launcher::Array && u64::from(job.shards) > count {
        tracing::warn!("{} instead of {}: there are no more {thing}s", counted(count, "shard"), job.shards);
        job.shards = count as u32;
    }
}

/// Checks that the cluster allows so many tasks. Without a submission the cluster is not asked.
pub(super) fn check_array(job: &BatchJob, submit: bool) -> Outcome {
    if job.launcher != Launcher::Array {
        return Ok(());
    }
    let shards = u64::from(job.shards);
    match submit.then(max_array_size).flatten() {
        Some(most) if shards > most => {
            let problem = format!(
                "--shards {shards}: this cluster allows {most} tasks of an array (MaxArraySize); use --shards {most} with \
                 more --cpus-per-task"
            );
            return Err(Failure::Usage(problem));
        }
        None if shards > USUAL_ARRAY => tracing::warn!(
            "--shards {shards}: most clusters allow {USUAL_ARRAY} tasks of an array (`scontrol show config`: MaxArraySize)"
        ),
        _ => {}
    }
    Ok(())
}

/// The number of tasks that an array of this cluster may have, if the cluster answers.
fn max_array_size() -> Option<u64> {
    // A busy controller may stall.
    let asked = Command::new("timeout").args(["--kill-after=5", "20", "scontrol", "show", "config"]).output().ok()?;
    let text = String::from_utf8_lossy(&asked.stdout);
    let line = text.lines().find_map(|line| line.trim().strip_prefix("MaxArraySize"))?;
    line.trim_start().strip_prefix('=')?.trim().parse().ok()
}

/// Submits a script; returns the job's id.
pub(super) fn submit(options: &[&str], text: &str) -> Result<String, Failure> {
    let failed = |problem: String| Failure::Failed(format!("sbatch: {problem}"));
    let child = Command::new("sbatch")
        .arg("--parsable")
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.map_err(|error| Failure::Usage(format!("sbatch cannot be started: {error}")))?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(text.as_bytes()).map_err(|error| failed(error.to_string()))?;
    }
    let output = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(failed(said.lines().map(str::trim).collect::<Vec<_>>().join("; ")));
    }
    // With several clusters the name of this one follows the id.
    let id = String::from_utf8_lossy(&output.stdout);
    Ok(id.trim().split(';').next().unwrap_or_default().to_owned())
}
