//! Progress on stderr: a bar on a terminal, a plain line every thirty seconds in a job log.

use super::stderr;
use crate::league::Progress;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

const EVERY: Duration = Duration::from_secs(30);

/// A bar at the foot of a terminal, until it is dropped. Lines of progress, warnings and errors stand above it.
pub(super) struct Bar(ProgressBar);

impl Bar {
    /// A bar before a text, such as `{pos}/{len} games, {msg}`, at so much of so much. None where stderr is no terminal.
    pub(super) fn before(text: &str, (done, all): (u64, u64)) -> Option<Bar> {
        stderr::is_terminal().then(|| {
            let bar = ProgressBar::new(all).with_position(done);
            let style = ProgressStyle::with_template(&format!("{{bar:30}} {text}"));
            bar.set_style(style.expect("the template is well formed"));
            stderr::keep_below(Some(bar.clone()));
            Bar(bar)
        })
    }

    /// Shows that so much is done, with a message.
    pub(super) fn set(&self, done: u64, message: String) {
        self.0.set_position(done);
        self.0.set_message(message);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        stderr::keep_below(None);
        self.0.finish_and_clear();
    }
}

/// Shows the progress of a run.
pub(super) struct Shown {
    bar: Option<Bar>,
    started: Instant,
    said: Instant,
    /// Games recorded before.
    before: usize,
    total: usize,
}

impl Shown {
    /// For a run of `total` games, `before` of which are recorded.
    pub(super) fn new(before: usize, total: usize) -> Shown {
        let bar = Bar::before("{pos}/{len} games, {msg}", (before as u64, total as u64));
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
    pub(super) fn finish(&mut self) {
        self.bar = None;
    }
}

impl Progress for Shown {
    fn tick(&mut self, games_done: usize) {
        match &self.bar {
            Some(bar) => bar.set((self.before + games_done) as u64, self.rate(games_done)),
            None if self.said.elapsed() >= EVERY => {
                self.said = Instant::now();
                let (done, total) = (self.before + games_done, self.total);
                stderr::say(&format!("{done}/{total} games, {}", self.rate(games_done)));
            }
            None => {}
        }
    }
}
