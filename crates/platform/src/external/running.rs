//! The programs that run now, as process groups. All of them end with evouct.

use super::strays;
use crate::clock::unix_seconds;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io;
use std::process::{Child, Command};
use std::sync::{LazyLock, Mutex, PoisonError};

/// The leaders of the groups, how many there have been, and whether the end has come, after which no program is started.
struct Running {
    leaders: Vec<Pid>,
    started: u64,
    is_over: bool,
}

static RUNNING: Mutex<Running> = Mutex::new(Running { leaders: Vec::new(), started: 0, is_over: false });

/// When the first program was started, in seconds since 1970.
static BEGAN: LazyLock<u64> = LazyLock::new(unix_seconds);

/// With what the marks of all programs of this process begin. Where this process is itself such a program, or was started
/// by one, its own mark comes first: its programs end with it.
fn mark() -> String {
    format!("{}{}-{}-", std::env::var(strays::VARIABLE).unwrap_or_default(), std::process::id(), *BEGAN)
}

/// A program and all that it has started: those in its process group, and those that have left it and bear its mark.
/// They are killed when this is dropped.
#[derive(Debug)]
pub(super) struct Group {
    leader: Pid,
    mark: String,
}

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
    running.started += 1;
    let mark = format!("{}{}-", mark(), running.started);
    let child = command.env(strays::VARIABLE, &mark).spawn()?;
    let leader = Pid::from_child(&child);
    running.leaders.push(leader);
    Ok((child, Group { leader, mark }))
}

impl Group {
    /// Whether the program itself has ended. It keeps its number until it is waited for, so that no other process can
    /// have it.
    pub(super) fn leader_has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(self.leader), options), Ok(None))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        running.leaders.retain(|leader| *leader != self.leader);
        // There may be no process left in it.
        kill_process_group(self.leader, Signal::KILL).ok();
        // The number of the leader stays taken until it is waited for; a scan takes its time.
        drop(running);
        // A leader that is about to end would be found as a stray, and a second scan would follow.
        waitid(WaitId::Pid(self.leader), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT).ok();
        strays::kill(&self.mark);
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
    if running.started > 0 {
        strays::kill(&mark());
    }
}
