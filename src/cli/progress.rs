//! Progress on stderr: a bar on a terminal, a plain line every thirty seconds in a job log.

use super::stderr;
use crate::league::Progress;
use crate::record::FinishedGame;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

const EVERY: Duration = Duration::from_secs(30);

/// Called with every game as it is recorded.
pub(super) type Each<'a> = &'a mut dyn FnMut(&FinishedGame);

/// Shows the progress of a run.
pub(super) struct Shown {
    bar: Option<ProgressBar>,
    started: Instant,
    said: Instant,
    /// Games recorded before.
    before: usize,
    total: usize,
}

impl Shown {
    /// For a run of `total` games, `before` of which are recorded.
    pub(super) fn new(before: usize, total: usize) -> Shown {
        let bar = stderr::is_terminal().then(|| {
            let bar = ProgressBar::new(total as u64).with_position(before as u64);
            let style =
                ProgressStyle::with_template("{bar:30} {pos}/{len} games, {msg}").expect("the template is well formed");
            bar.set_style(style);
            bar
        });
        Shown { bar, started: Instant::now(), said: Instant::now(), before, total }
    }

    fn rate(&self, done: usize) -> String {
        let seconds = self.started.elapsed().as_secs_f64().max(1e-3);
        let rate = done as f64 / seconds;
        let left = (self.total - self.before).saturating_sub(done);
        if done == 0 {
            return "none finished by this run yet".to_owned();
        }
        let eta = Duration::from_secs_f64((left as f64 / rate).min(1e9));
        format!("{rate:.2} games/s, {} left", HumanDuration(eta))
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Shown {
    fn tick(&mut self, games_done: usize) {
        match &self.bar {
            Some(bar) => {
                bar.set_position((self.before + games_done) as u64);
                bar.set_message(self.rate(games_done));
            }
            None if self.said.elapsed() >= EVERY => {
                self.said = Instant::now();
                let (done, total) = (self.before + games_done, self.total);
                stderr::say(&format!("{done}/{total} games, {}", self.rate(games_done)));
            }
            None => {}
        }
    }
}
