//! What a job needs, estimated from games or blocks that are played on this machine.

use super::super::environment::threads;
use super::super::phrases::at_most;
use super::super::{core_time, programs, signals, stderr};
use super::arguments::ScriptArgs;
use crate::cluster::{BatchJob, Estimate, Memory};
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

/// The games that a job is to play.
#[derive(Clone, Copy)]
pub(super) struct Games {
    pub count: u64,
    /// Whether tests may end before all are played.
    pub may_end: bool,
}

impl Games {
    /// So many, neither more nor less.
    pub(super) fn exactly(count: u64) -> Games {
        Games { count, may_end: false }
    }

    fn words(self) -> String {
        format!("{}{}", at_most(self.may_end), counted(self.count, "game"))
    }
}

/// What playing on so many threads took since the process had `before`. None where the system does not say it.
pub(super) fn memory_since(before: Option<f64>, threads: usize) -> Option<Memory> {
    let base = before?;
    Some(Memory { base, per_thread: (peak()? - base) / threads as f64 })
}

/// The most memory that this process has had, in bytes, where the system says it.
pub(super) fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok().map(|kilobytes: f64| kilobytes * 1024.0)
}

impl ScriptArgs {
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
    games: Games,
    job: &BatchJob,
    limit: Duration,
) -> Option<Estimate> {
    let (before, threads) = (peak(), threads());
    let Some(found) = calibrate(threads, limit) else {
        tracing::warn!("no estimate: {NONE_ENDED}");
        return None;
    };
    let core_seconds = games.count as f64 * found.seconds_per_game;
    let estimate = Estimate {
        seconds: core_seconds / (job.cores() as f64 * DEPENDABLE),
        longest: found.games.iter().map(|(_, took)| *took).max().unwrap_or_default(),
        sample: counted(found.games.len(), "game"),
        memory: memory_since(before, threads),
    };
    let (games, spent) = (games.words(), found.seconds_per_game);
    stderr::say(&format!("evouct: {games} of {spent:.3} s on {}", words(&estimate, core_seconds, job)));
    Some(estimate)
}

/// What the job costs, its cores, and how long it takes on them.
pub(super) fn words(estimate: &Estimate, core_seconds: f64, job: &BatchJob) -> String {
    let hours = core_time::core_hours(core_seconds);
    let duration = HumanDuration(Duration::from_secs_f64(estimate.seconds.min(1e9)));
    let cores = counted(job.cores(), "core");
    format!("{cores} as fast as these: about {duration}, {hours} (estimated from {})", estimate.sample)
}

/// Warns if the time limit is too short, and proposes time and memory where none is given. Returns lines for the script
/// that say where they come from.
pub(super) fn apply(estimate: &Estimate, job: &mut BatchJob) -> Result<Vec<String>, Failure> {
    if let Some(attempts) = estimate.attempts(job).map_err(Failure::Usage)? {
        let limit = job.limit().map_err(Failure::Usage)?.unwrap_or_default();
        tracing::warn!(
            "the estimate exceeds the time limit of {}: the job will requeue itself about {attempts} times",
            HumanDuration(limit)
        );
    }
    let lines = estimate.propose(job);
    lines.iter().for_each(|line| stderr::say(line));
    Ok(lines)
}

/// Estimates what so many games between these players need, if it may be done here, and proposes it where the job does
/// not say it. `calibrate` plays some of them on so many threads for so long.
pub(super) fn propose_for_games<Game>(
    arguments: &ScriptArgs,
    players: &[Contender],
    games: Games,
    job: &mut BatchJob,
    calibrate: impl FnOnce(usize, Duration) -> Option<Calibration<Game>>,
) -> Result<Vec<String>, Failure> {
    let Some(limit) = arguments.calibration(players) else { return Ok(Vec::new()) };
    let Some(estimate) = of_games(calibrate, games, job, limit) else { return Ok(Vec::new()) };
    let most = games.may_end.then(|| format!("the estimate is for {}: tests may end early", games.words()));
    Ok(most.into_iter().chain(apply(&estimate, job)?).collect())
}
