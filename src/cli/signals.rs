//! SIGINT, SIGTERM and SIGUSR1, from the first line of the program on.
//!
//! Before a run plays, and while it reports, nothing can be lost: a signal ends the program at once with 75. While a
//! run plays, a signal asks it to stop, and a second one ends it. Other commands keep the default action of signals;
//! programs that they have started are killed before.

use crate::domain::Spec;
use crate::external;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

struct Signals {
    /// The command is not a run.
    of_others: Arc<AtomicBool>,
    /// A run that is not playing.
    idle: Arc<AtomicBool>,
    /// A run that plays is asked to stop.
    stop: Arc<AtomicBool>,
}

static SIGNALS: OnceLock<Signals> = OnceLock::new();

fn signals() -> &'static Signals {
    SIGNALS.get_or_init(|| {
        let flag = |value| Arc::new(AtomicBool::new(value));
        Signals { of_others: flag(false), idle: flag(true), stop: flag(false) }
    })
}

/// Catches signals. Call it once, before anything else. Returns why some are not caught.
pub(super) fn catch() -> Vec<String> {
    let signals = signals();
    let mut problems = Vec::new();
    // A file that may not grow on is an error of the write, with a line, where this signal is caught.
    #[cfg(unix)]
    if let Err(error) = signal_hook::flag::register(signal_hook::consts::signal::SIGXFSZ, Arc::default()) {
        problems.push(format!("a limit of file sizes will end the program without a line: {error}"));
    }
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM, signal_hook::consts::SIGUSR1] {
        use signal_hook::flag::{register, register_conditional_default, register_conditional_shutdown};
        // They act in this order.
        let registered = register_conditional_default(signal, Arc::clone(&signals.of_others))
            .and_then(|_| register_conditional_shutdown(signal, 75, Arc::clone(&signals.idle)))
            .and_then(|_| register_conditional_shutdown(signal, 75, Arc::clone(&signals.stop)))
            .and_then(|_| register(signal, Arc::clone(&signals.stop)));
        if let Err(error) = registered {
            problems.push(format!("signal {signal} will not be caught: {error}"));
        }
    }
    problems
}

/// The command is not a run: signals have their default action.
pub(super) fn leave() {
    signals().of_others.store(true, Ordering::SeqCst);
}

/// The command handles signals itself.
pub(super) fn hand_over() {
    signals().idle.store(false, Ordering::SeqCst);
    signals().of_others.store(false, Ordering::SeqCst);
}

/// A signal ends the command without an error: it serves, and holds nothing that would be lost.
#[cfg(feature = "browser")]
pub(super) fn end_with_success() {
    hand_over();
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        let always = Arc::new(AtomicBool::new(true));
        if let Err(error) = signal_hook::flag::register_conditional_shutdown(signal, 0, always) {
            tracing::warn!("signal {signal} will not be caught: {error}");
        }
    }
}

/// If one of these players is another program, a signal kills all programs from now on, before it has its default
/// action. For commands other than runs.
pub(super) fn watch_for_programs<'a>(mut players: impl Iterator<Item = &'a Spec>) {
    if !players.any(|player| player.kind().is_program()) {
        return;
    }
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
        use signal_hook::iterator::Signals as Caught;
        use signal_hook::low_level::emulate_default_handler;
        let watched = Caught::new([SIGINT, SIGTERM, SIGUSR1]).and_then(|mut caught| {
            let watch = move || {
                for signal in caught.forever() {
                    external::end_programs();
                    emulate_default_handler(signal).ok();
                }
            };
            crate::stack::thread("signals").spawn(watch)
        });
        match watched {
            Ok(_) => hand_over(),
            Err(error) => tracing::warn!("a signal may leave programs of external players running: {error}"),
        }
    }
}

/// A run starts to play. Returns the flag that asks it to stop.
pub(super) fn playing() -> Arc<AtomicBool> {
    signals().idle.store(false, Ordering::SeqCst);
    Arc::clone(&signals().stop)
}

/// A run has written all its games.
pub(super) fn played() {
    signals().idle.store(true, Ordering::SeqCst);
}
