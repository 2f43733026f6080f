//! Progress on stderr: a bar on a terminal, in a job log a plain line after eight seconds and every thirty seconds.

use super::stderr;
use crate::league::{End, Executor, Progress, Taker};
use crate::offline::{BlockSum, Blocks, EvolutionError};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

const FIRST: Duration = Duration::from_secs(8);
const EVERY: Duration = Duration::from_secs(30);

/// A bar at the foot of a terminal, until it is dropped: lines of progress, warnings and errors stand above it. Elsewhere
/// its text as a line now and then.
pub(super) struct Bar {
    shown: Option<ProgressBar>,
    text: String,
    all: u64,
    started: Instant,
    /// When the next line is due, since the start.
    next: Duration,
}

impl Bar {
    /// A bar before a text, such as `{pos}/{len} games, {msg}`, at so much of so much.
    pub(super) fn before(text: &str, (done, all): (u64, u64)) -> Bar {
        let shown = stderr::is_terminal().then(|| {
            let bar = ProgressBar::new(all).with_position(done);
            let style = ProgressStyle::with_template(&format!("{{bar:30}} {text}"));
            bar.set_style(style.expect("the template is well formed"));
            stderr::keep_below(Some(bar.clone()));
            bar
        });
        Bar { shown, text: text.to_owned(), all, started: Instant::now(), next: FIRST }
    }

    /// Shows that so much is done, with a message.
    pub(super) fn set(&mut self, done: u64, message: impl FnOnce() -> String) {
        if let Some(bar) = &self.shown {
            bar.set_position(done);
            bar.set_message(message());
        } else if self.started.elapsed() >= self.next {
            self.next = self.started.elapsed() + EVERY;
            let line = self.text.replace("{pos}", &done.to_string()).replace("{len}", &self.all.to_string());
            stderr::say(&line.replace("{msg}", &message()));
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.shown {
            stderr::keep_below(None);
            bar.finish_and_clear();
        }
    }
}

/// Shows the progress of a run.
pub(super) struct Shown {
    bar: Option<Bar>,
    started: Instant,
    what: &'static str,
    /// Games recorded before.
    before: usize,
    total: usize,
}

impl Shown {
    /// For a run of `total` games, or what else they are called, `before` of which are recorded.
    pub(super) fn new(what: &'static str, before: usize, total: usize) -> Shown {
        let bar = Bar::before(&format!("{{pos}}/{{len}} {what}, {{msg}}"), (before as u64, total as u64));
        Shown { bar: Some(bar), started: Instant::now(), what, before, total }
    }

    /// Removes the bar.
    pub(super) fn finish(&mut self) {
        self.bar = None;
    }
}

impl Progress for Shown {
    fn tick(&mut self, done: usize) {
        let (elapsed, what) = (self.started.elapsed(), self.what);
        let left = (self.total - self.before).saturating_sub(done);
        let rate = || {
            if done == 0 {
                return "none finished by this run yet".to_owned();
            }
            let rate = done as f64 / elapsed.as_secs_f64().max(1e-3);
            let eta = Duration::from_secs_f64((left as f64 / rate).min(1e9));
            format!("{rate:.2} {what}/s, {} left", HumanDuration(eta))
        };
        if let Some(bar) = &mut self.bar {
            bar.set((self.before + done) as u64, rate);
        }
    }
}

/// An executor that shows how many blocks of each batch are measured.
pub(super) struct Counted<'a>(pub &'a mut dyn Executor<Blocks>);

impl Executor<Blocks> for Counted<'_> {
    fn carry_out(
        &mut self,
        job: &Arc<Blocks>,
        stop: &Arc<AtomicBool>,
        taker: &mut dyn Taker<BlockSum, EvolutionError>,
    ) -> Result<End, EvolutionError> {
        let shown = Shown::new("blocks", 0, job.batch.len());
        self.0.carry_out(job, stop, &mut CountingTaker { taker, shown })
    }
}

struct CountingTaker<'a> {
    taker: &'a mut dyn Taker<BlockSum, EvolutionError>,
    shown: Shown,
}

impl Taker<BlockSum, EvolutionError> for CountingTaker<'_> {
    fn take(&mut self, sum: BlockSum) -> Result<(), EvolutionError> {
        self.taker.take(sum)
    }

    fn tick(&mut self, done: usize) -> Result<(), EvolutionError> {
        self.shown.tick(done);
        self.taker.tick(done)
    }
}
