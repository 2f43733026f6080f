//! What a job needs, estimated from games or blocks that were played elsewhere.

use super::job::BatchJob;
use std::time::Duration;

/// A proposed time is so many times the estimate, and has room for so many of the longest games.
const TIMES: f64 = 1.5;
const LONGEST: f64 = 4.0;
/// The shortest and the longest time that is proposed, in seconds. A longer job requeues itself.
const TIME: (f64, f64) = (600.0, 86_400.0);
/// A proposed memory is so many times what was measured, and so much more: records are read at the end.
const MEMORIES: f64 = 2.0;
const MEMORY: f64 = 5e8;
/// Bytes of SLURM's unit G.
const GIGA: f64 = (1_u64 << 30) as f64;

/// What a job needs.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// Seconds on the cores of the job.
    pub seconds: f64,
    /// The longest game or block.
    pub longest: Duration,
    /// What was played, such as `12 games`.
    pub sample: String,
    /// What the process takes; none where that is not known.
    pub memory: Option<Memory>,
}

/// The memory of a process, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Before it plays.
    pub base: f64,
    /// More, per thread that plays.
    pub per_thread: f64,
}

impl Estimate {
    /// How often a job would requeue itself, if its time limit is shorter than the estimate.
    ///
    /// # Errors
    /// If SLURM cannot read the limit.
    pub fn attempts(&self, job: &BatchJob) -> Result<Option<u64>, String> {
        let warning = f64::from(job.warning);
        let limit = job.limit()?.map(|limit| limit.as_secs_f64()).filter(|limit| self.seconds + warning > *limit);
        Ok(limit.map(|limit| (self.seconds / (limit - warning).max(1.0)).ceil() as u64))
    }

    /// Gives a job time and memory where it has none. Returns lines for the script that say where they come from.
    ///
    /// ```
    /// use evouct_league::cluster::{BatchJob, Estimate};
    /// use std::time::Duration;
    ///
    /// let (seconds, longest) = (1_000.0, Duration::from_secs(20));
    /// let estimate = Estimate { seconds, longest, sample: "12 games".to_owned(), memory: None };
    /// let mut job = BatchJob::default();
    /// estimate.propose(&mut job);
    /// assert_eq!(job.time.as_deref(), Some("00:30:00"));
    /// ```
    pub fn propose(&self, job: &mut BatchJob) -> Vec<String> {
        let mut proposed = Vec::new();
        if job.time.is_none() {
            let needed = (TIMES * self.seconds).max(LONGEST * self.longest.as_secs_f64()) + f64::from(job.warning);
            let time = in_minutes(needed.clamp(TIME.0, TIME.1));
            proposed.push(format!("--time {time} is {TIMES} times the estimate, from 10 minutes to a day"));
            job.time = Some(time);
        }
        if let (None, Some(memory)) = (&job.memory, self.memory) {
            let (tasks, threads) = (f64::from(job.tasks_of_node()), f64::from(job.cpus_per_task));
            let needed = tasks * (MEMORIES * (memory.base + threads * memory.per_thread) + MEMORY);
            let text = format!("{}G", (needed / GIGA).ceil());
            proposed
                .push(format!("--memory {text} is {MEMORIES} times this process's memory plus {} MB", MEMORY / 1e6));
            job.memory = Some(text);
        }
        let from = format!("(from {} on this machine)", self.sample);
        proposed.into_iter().map(|line| format!("proposed: {line} {from}")).collect()
    }
}

/// A time limit in SLURM's notation: in steps of five minutes, and of an hour from four hours on.
fn in_minutes(seconds: f64) -> String {
    let step = if seconds > 14_400.0 { 60 } else { 5 };
    let minutes = ((seconds / 60.0).ceil() as u64).next_multiple_of(step);
    format!("{:02}:{:02}:00", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proposal_has_room_and_leaves_what_is_given() {
        let estimate = |seconds: f64, longest: u64| Estimate {
            seconds,
            longest: Duration::from_secs(longest),
            sample: "12 games".to_owned(),
            memory: Some(Memory { base: 5e7, per_thread: 1e8 }),
        };
        for (seconds, longest, time) in [
            (1.0, 1, "00:10:00"),
            (1_000.0, 1, "00:30:00"),
            (10_000.0, 1, "05:00:00"),
            (100.0, 1_000, "01:10:00"),
            (1e6, 1, "24:00:00"),
        ] {
            let mut job = BatchJob { cpus_per_task: 16, ..BatchJob::default() };
            let lines = estimate(seconds, longest).propose(&mut job);
            assert_eq!((job.time.as_deref(), job.memory.as_deref()), (Some(time), Some("4G")), "{seconds}");
            assert!(job.check().is_ok() && lines.len() == 2 && lines[0].contains("from 12 games"), "{lines:?}");
        }
        let given = BatchJob { time: Some("90".to_owned()), memory: Some("1G".to_owned()), ..BatchJob::default() };
        let mut job = given.clone();
        assert!(estimate(1e6, 1).propose(&mut job).is_empty());
        assert_eq!(job, given);
    }
}
