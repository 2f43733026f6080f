//! The programs that run now, as process groups. All of them end with evouct.

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, PoisonError};

/// The leaders of the groups, and whether the end has come, after which no program is started.
struct Running {
    leaders: Vec<Pid>,
    is_over: bool,
}

static RUNNING: Mutex<Running> = Mutex::new(Running { leaders: Vec::new(), is_over: false });

/// A program and all programs that it has started and that are still in its process group. They are killed when this is
/// dropped.
#[derive(Debug)]
pub(super) struct Group(Pid);

/// Starts a command that leads a process group of its own.
///
/// # Errors
/// If it cannot be started, or after [`end_programs`].
pub(super) fn start(command: &mut Command) -> io::Result<(Child, Group)> {
    // Locked until the program is listed: no program is missed when all are killed.
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    if running.is_over {
        return Err(io::Error::other("evouct ends"));
    }
    let child = command.spawn()?;
    let leader = Pid::from_child(&child);
    running.leaders.push(leader);
    Ok((child, Group(leader)))
}

impl Group {
    /// Whether the program itself has ended. It keeps its number until it is waited for, so that no other process can
    /// have it.
    pub(super) fn leader_has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(self.0), options), Ok(None))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        running.leaders.retain(|leader| *leader != self.0);
        // There may be no process left in it.
        kill_process_group(self.0, Signal::KILL).ok();
    }
}

/// Whether this signal asks a program to stop, as opposed to one that follows from an error of its own.
pub(super) fn stops(signal: i32) -> bool {
    [Signal::HUP, Signal::INT, Signal::TERM, Signal::USR1, Signal::KILL].iter().any(|stop| stop.as_raw() == signal)
}

/// Kills all programs of external players that run, with all that they have started. Afterwards none can be started.
/// For the end of the process, where threads may still be in the middle of games.
pub fn end_programs() {
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    running.is_over = true;
    for leader in running.leaders.drain(..) {
        kill_process_group(leader, Signal::KILL).ok();
    }
}
