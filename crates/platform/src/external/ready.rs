//! Programs that are ready for a game.

use super::answer::answer;
use super::idle::{self, Program};
use super::player::{ExternalSettings, VERSION};
use super::process::Process;
use crate::domain::{Fault, FaultReason};
use evouct_base::stack;
use std::sync::mpsc::{RecvTimeoutError, SendError, channel};
use std::time::Duration;

/// How long a program that has played before may take to say that it is ready again; then another one is started.
const AGAIN: Duration = Duration::from_secs(5);

/// What asks a program to quit.
const FAREWELL: &str = "quit";

/// How many programs are started at the same time.
const AT_ONCE: usize = 8;

/// The interval between checks whether to stop.
const TICK: Duration = Duration::from_millis(50);

/// A program that is ready for a game: one that waits for it, or else a new one.
///
/// # Errors
/// Always of the reason [`FaultReason::NotStarted`].
pub(super) fn ready(settings: &ExternalSettings) -> Result<Program, Fault> {
    let command = &settings.command;
    while !settings.once
        && let Some(mut process) = idle::take(command)
    {
        // What it has written since its last answer belongs to no later game.
        let greeted = process
            .check_silent()
            .and_then(|()| greet(&mut process, settings.start_limit.min(AGAIN)))
            .and_then(|()| process.check_silent());
        match greeted {
            Ok(()) => return Ok(Program::of(command, process, false)),
            Err(fault) => {
                process.kill();
                tracing::info!("{:?} is started again: {fault}", command.list());
                if fault.reason == FaultReason::NoAnswer {
                    idle::play_once(command);
                }
            }
        }
    }
    let not_started = |message: String| Fault::new(FaultReason::NotStarted, message);
    let mut process = Process::start(command, Some(FAREWELL))
        .map_err(|error| not_started(format!("the command {:?} cannot be started: {error}", command.list())))?;
    match greet(&mut process, settings.start_limit) {
        Ok(()) => Ok(Program::of(command, process, settings.once)),
        Err(fault) if fault.reason == FaultReason::Ended => Err(not_started(fault.message)),
        Err(fault) => {
            process.kill();
            Err(not_started(format!("{fault}{}", process.last_words())))
        }
    }
}

/// Says the version of the protocol, and waits until the program is ready.
fn greet(process: &mut Process, limit: Duration) -> Result<(), Fault> {
    let hello = format!("evouct {VERSION}");
    process.send(&hello);
    answer(process, &hello, limit, "ready", |line| (line == "ready").then_some(()))
}

/// Why programs are not ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotReady {
    /// The program of this place in the list cannot be started, or does not speak the protocol.
    Fault(usize, Fault),
    /// The caller has stopped it.
    Stopped,
}

/// Starts these programs, several at the same time, and waits until each has said that it is ready. They then wait for
/// their first games.
///
/// # Errors
/// The first fault, or that `is_stopped`, which is asked several times per second, has said so. Programs that are ready
/// by then wait until [`quit_programs`](super::quit_programs); those that are ready later end.
pub fn start_programs(programs: &[ExternalSettings], mut is_stopped: impl FnMut() -> bool) -> Result<(), NotReady> {
    for (group, settings) in programs.chunks(AT_ONCE).enumerate() {
        let (send, started) = channel();
        for (place, settings) in settings.iter().enumerate() {
            let place = group * AT_ONCE + place;
            let (send, settings) = (send.clone(), settings.clone());
            let start = move || {
                let sent = send.send(ready(&settings).map_err(|fault| (place, fault)));
                if let Err(SendError(Ok(mut unwanted))) = sent {
                    unwanted.kill();
                }
            };
            let spawned = stack::thread("external-start").spawn(start);
            spawned.map_err(|error| NotReady::Fault(place, Fault::new(FaultReason::NotStarted, error.to_string())))?;
        }
        drop(send);
        loop {
            match started.recv_timeout(TICK) {
                Ok(Ok(program)) => drop(program),
                Ok(Err((place, fault))) => return Err(NotReady::Fault(place, fault)),
                Err(RecvTimeoutError::Timeout) if is_stopped() => return Err(NotReady::Stopped),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    }
    Ok(())
}
