//! What a batch system is asked.

use super::super::Outcome;
use crate::cluster::{BatchJob, Launcher, System};
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
    if job.launcher != Launcher::Array || job.system != System::Slurm {
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

/// Checks that a report can be waited for.
pub(super) fn check_report(job: &BatchJob, then_report: bool) -> Outcome {
    if then_report && job.system.after("1").is_none() {
        let problem = "--then-report: a run in PBS may continue in further jobs; when it has ended, use evouct report";
        return Err(Failure::Usage(problem.to_owned()));
    }
    Ok(())
}

/// Submits a script; returns the job's id.
pub(super) fn submit(system: System, options: &[String], text: &str) -> Result<String, Failure> {
    let (program, own) = system.submission();
    let failed = |problem: String| Failure::Failed(format!("{program}: {problem}"));
    // A busy server may stall.
    let mut child = Command::new("timeout")
        .args(["--kill-after=5", "120", program])
        .args(own)
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| Failure::Usage(format!("{program} cannot be started: {error}")))?;
    // A command that does not read its input says why.
    let written = child.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
    let lines = |said: &[u8]| String::from_utf8_lossy(said).lines().map(str::trim).collect::<Vec<_>>().join("; ");
    match output.status.code() {
        Some(0) => written.map_err(|error| failed(error.to_string()))?,
        Some(124 | 137) => {
            return Err(failed(
                "no answer within two minutes; look whether the job is there before you submit again".to_owned(),
            ));
        }
        Some(126 | 127) => {
            return Err(Failure::Usage(format!("{program} cannot be started: {}", lines(&output.stderr))));
        }
        _ => return Err(failed(lines(&output.stderr))),
    }
    // `4711;cluster`, `4711[].server`, `4711.1-10:1`, or `Job <4711> is submitted to queue <normal>.`
    let said = lines(&output.stdout);
    let id = said.strip_prefix("Job <").unwrap_or(&said);
    let id: String = id.chars().take_while(char::is_ascii_digit).collect();
    if id.is_empty() { Err(failed(format!("it gave no id of a job, but {said:?}"))) } else { Ok(id) }
}
