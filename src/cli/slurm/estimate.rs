//! What a job needs, estimated from games or blocks that are played on this machine.

use super::super::{programs, stderr};
use super::{Arguments, signals};
use crate::cluster::Job;
use crate::config::Contender;
use crate::error::Failure;
use crate::league::Calibration;
use crate::plural::counted;
use indicatif::HumanDuration;
use std::time::Duration;

/// How long this machine plays for an estimate, in seconds, unless --calibrate says otherwise.
const CALIBRATION: f64 = 5.0;
/// The share of core time assumed to be spent on games.
const DEPENDABLE: f64 = 0.9;
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
pub(super) struct Estimate {
    /// Seconds on the cores of the job.
    pub seconds: f64,
    /// The longest game or block.
    pub longest: Duration,
    /// What was played, such as `12 games`.
    pub sample: String,
    /// What this process takes.
    pub memory: Option<Memory>,
}

/// The memory of a process, in bytes.
#[derive(Clone, Copy)]
pub(super) struct Memory {
    /// Before it plays.
    pub base: f64,
    /// More, per thread that plays.
    pub per_thread: f64,
}

impl Memory {
    /// What playing on so many threads took since the process had `before`. None where the system does not say it.
    pub(super) fn since(before: Option<f64>, threads: usize) -> Option<Memory> {
        let base = before?;
        Some(Memory { base, per_thread: (peak()? - base) / threads as f64 })
    }
}

/// The most memory that this process has had, in bytes, where the system says it.
pub(super) fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok().map(|kilobytes: f64| kilobytes * 1024.0)
}

impl Arguments {
    /// How long to play here for an estimate; none for not at all. Programs are started only if --calibrate was given:
    /// this may be the login node of a cluster.
    pub(super) fn calibration(&self, players: &[Contender]) -> Option<Duration> {
        let programs = programs::list(players);
        let seconds = match self.calibrate {
            None if !programs.is_empty() => {
                stderr::say(&format!(
                    "no estimate: it would start {}; --calibrate {CALIBRATION} does",
                    programs.join(", ")
                ));
                return None;
            }
            given => given.unwrap_or(CALIBRATION),
        };
        if seconds <= 0.0 {
            return None;
        }
        announce(&programs, players);
        Some(Duration::from_secs_f64(seconds))
    }

    /// How long to play here for a projection, which needs it.
    ///
    /// # Errors
    /// If that starts programs, and --calibrate was not given.
    pub(super) fn simulation(&self, players: &[Contender]) -> Result<Duration, Failure> {
        let programs = programs::list(players);
        if self.calibrate.is_none() && !programs.is_empty() {
            let problem = format!("--simulate would start {}; --calibrate {CALIBRATION} does", programs.join(", "));
            return Err(Failure::Usage(problem));
        }
        announce(&programs, players);
        Ok(Duration::from_secs_f64(self.calibrate.unwrap_or(CALIBRATION).max(0.1)))
    }
}

fn announce(programs: &[String], players: &[Contender]) {
    if !programs.is_empty() {
        stderr::say(&format!("starts {} on this machine, for the estimate", programs.join(", ")));
    }
    signals::watch_for_programs(players.iter().map(|player| &player.spec));
}

/// Why there is no estimate.
pub(super) const NONE_ENDED: &str = "no game ended in time; give --calibrate more seconds, or 0 for no estimate";

/// The estimate for so many games, of which `calibrate` plays some on so many threads for so long, printed to stderr.
/// None if no game ended in time.
fn of_games<Game>(
    calibrate: impl FnOnce(usize, Duration) -> Option<Calibration<Game>>,
    games: u64,
    job: &Job,
    limit: Duration,
) -> Option<Estimate> {
    let (before, threads) = (peak(), super::threads());
    let Some(found) = calibrate(threads, limit) else {
        tracing::warn!("no estimate: {NONE_ENDED}");
        return None;
    };
    let estimate = Estimate {
        seconds: games as f64 * found.seconds_per_game / (job.cores() as f64 * DEPENDABLE),
        longest: found.games.iter().map(|(_, took)| *took).max().unwrap_or_default(),
        sample: counted(found.games.len(), "game"),
        memory: Memory::since(before, threads),
    };
    let (games, spent) = (counted(games, "game"), found.seconds_per_game);
    stderr::say(&format!("evouct: {games} of {spent:.3} s on {}", estimate.words(job)));
    Some(estimate)
}

impl Estimate {
    /// The cores of the job, and how long it takes on them.
    pub(super) fn words(&self, job: &Job) -> String {
        let duration = HumanDuration(Duration::from_secs_f64(self.seconds.min(1e9)));
        let cores = counted(job.cores(), "core");
        format!("{cores} as fast as these: about {duration} (estimated from {})", self.sample)
    }

    /// Warns if the time limit is too short, and proposes time and memory where none is given. Returns lines for the
    /// script that say where they come from.
    pub(super) fn apply(&self, job: &mut Job) -> Result<Vec<String>, Failure> {
        let warning = f64::from(job.warning);
        if let Some(limit) = job.limit().map_err(Failure::Usage)?
            && self.seconds + warning > limit.as_secs_f64()
        {
            let attempts = (self.seconds / (limit.as_secs_f64() - warning).max(1.0)).ceil();
            tracing::warn!(
                "the estimate exceeds the time limit of {}: the job will requeue itself about {attempts} times",
                HumanDuration(limit)
            );
        }
        let mut proposed = Vec::new();
        if job.time.is_none() {
            let needed = (TIMES * self.seconds).max(LONGEST * self.longest.as_secs_f64()) + warning;
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
        let lines: Vec<String> = proposed.into_iter().map(|line| format!("proposed: {line} {from}")).collect();
        lines.iter().for_each(|line| stderr::say(line));
        Ok(lines)
    }
}

/// A time limit in SLURM's notation: in steps of five minutes, and of an hour from four hours on.
fn in_minutes(seconds: f64) -> String {
    let step = if seconds > 14_400.0 { 60 } else { 5 };
    let minutes = ((seconds / 60.0).ceil() as u64).next_multiple_of(step);
    format!("{:02}:{:02}:00", minutes / 60, minutes % 60)
}

/// Estimates what so many games between these players need, if it may be done here, and proposes it where the job does
/// not say it. `calibrate` plays some of them on so many threads for so long.
pub(super) fn propose_for_games<Game>(
    arguments: &Arguments,
    players: &[Contender],
    games: u64,
    job: &mut Job,
    calibrate: impl FnOnce(usize, Duration) -> Option<Calibration<Game>>,
) -> Result<Vec<String>, Failure> {
    let Some(limit) = arguments.calibration(players) else { return Ok(Vec::new()) };
    of_games(calibrate, games, job, limit).map_or(Ok(Vec::new()), |estimate| estimate.apply(job))
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
            let mut job = Job { cpus_per_task: 16, ..Job::default() };
            let lines = estimate(seconds, longest).apply(&mut job).unwrap();
            assert_eq!((job.time.as_deref(), job.memory.as_deref()), (Some(time), Some("4G")), "{seconds}");
            assert!(job.check().is_ok() && lines.len() == 2 && lines[0].contains("from 12 games"), "{lines:?}");
        }
        let given = Job { time: Some("90".to_owned()), memory: Some("1G".to_owned()), ..Job::default() };
        let mut job = given.clone();
        assert!(estimate(1e6, 1).apply(&mut job).unwrap().is_empty());
        assert_eq!(job, given);
    }
}
