//! What a plan costs in core-hours, by a sample of its games on this machine.

use super::phrases::at_most;
use super::programs;
use crate::config::{Contender, Experiment};
use crate::league::{Calibration, calibrate};
use crate::plural::counted;
use std::sync::Arc;
use std::time::Duration;

/// How long games are sampled.
const SAMPLE: Duration = Duration::from_secs(1);

/// Seconds of processor time as hours of one core, with two digits, as estimates have.
pub(super) fn core_hours(seconds: f64) -> String {
    match seconds / 3_600.0 {
        hours if hours < 0.005 => "less than 0.01 core-hours".to_owned(),
        hours if hours < 1.0 => format!("about {hours:.2} core-hours"),
        hours if hours < 10.0 => format!("about {hours:.1} core-hours"),
        hours => format!("about {:.0} core-hours", hours.min(1e15)),
    }
}

/// A line that says what so many games of an experiment cost; `may_end` if tests may end before all are played.
pub(super) fn of_games(experiment: &Arc<Experiment>, games: u64, may_end: bool) -> String {
    of_sample(&experiment.players, games, may_end, |threads, limit| calibrate(experiment, threads, limit))
}

/// The same for games that `calibrate` samples. Programs are not started for it.
pub(super) fn of_sample<Game>(
    players: &[Contender],
    games: u64,
    may_end: bool,
    calibrate: impl FnOnce(usize, Duration) -> Option<Calibration<Game>>,
) -> String {
    let programs = programs::list(players);
    if !programs.is_empty() {
        return format!("no estimate of the time: it would start {}", programs.join(", "));
    }
    // One thread: the sample says what a game costs, not how long the machine takes.
    let Some(found) = calibrate(1, SAMPLE) else {
        return "no estimate of the time: no game ended in the sample".to_owned();
    };
    let hours = core_hours(games as f64 * found.seconds_per_game);
    let each = brief(found.seconds_per_game);
    let (games, sample) = (counted(games, "game"), found.games.len());
    format!("{}{hours} ({games} of {each}, from a sample of {sample})", at_most(may_end))
}

/// A short time.
fn brief(seconds: f64) -> String {
    if seconds < 0.1 { format!("{:.2} ms", 1e3 * seconds) } else { format!("{seconds:.2} s") }
}

#[cfg(test)]
mod tests {
    use super::core_hours;

    #[test]
    fn hours_have_two_digits() {
        for (seconds, words) in [
            (0.0, "less than 0.01 core-hours"),
            (17.0, "less than 0.01 core-hours"),
            (540.0, "about 0.15 core-hours"),
            (3_600.0, "about 1.0 core-hours"),
            (30_000.0, "about 8.3 core-hours"),
            (3_600_000.0, "about 1000 core-hours"),
            (f64::INFINITY, "about 1000000000000000 core-hours"),
        ] {
            assert_eq!(core_hours(seconds), words);
        }
    }
}
