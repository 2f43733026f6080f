//! The programs that run now, as process groups. All of them end with evouct.

use super::strays;
use crate::clock::unix_seconds;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{LazyLock, Mutex, PoisonError};

/// The leaders of the groups, how many there have been, and whether the end has come, after which no program is started.
struct Running {
    leaders: Vec<Pid>,
    started: u64,
    is_over: bool,
    /// Its input ends with this process.
    watcher: Option<Child>,
}

static RUNNING: Mutex<Running> = Mutex::new(Running { leaders: Vec::new(), started: 0, is_over: false, watcher: None });

/// A shell waits until this process has ended, also by SIGKILL, and kills what still bears its mark, `$0`.
const WATCH: &str = r#"read -r _
for _ in 1 2 3; do
    for found in $(grep -lF "EVOUCT_PROGRAM=$0" /proc/[0-9]*/environ); do
        found=${found#/proc/}
        kill -9 "${found%/environ}"
    done
done"#;

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
    if running.watcher.is_none() && cfg!(target_os = "linux") {
        let mut shell = Command::new("sh");
        // Where it cannot be started, only SIGKILL leaves programs behind.
        shell.args(["-c", WATCH, &mark()]).process_group(0);
        running.watcher = shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok();
    }
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    #[test]
    fn a_mark_is_no_pattern() {
        let id = std::process::id();
        let marked = |mark: &str| Command::new("sleep").arg("60").env(strays::VARIABLE, mark).spawn().unwrap();
        let [mut other, mut own] = [format!("ab-{id}-1"), format!("[a]b-{id}-1")].map(|mark| marked(&mark));
        let mut watch = Command::new("sh");
        watch.args(["-c", WATCH, &format!("[a]b-{id}-")]).stdin(Stdio::null()).stderr(Stdio::null());
        watch.status().unwrap();
        let others = other.try_wait().unwrap();
        other.kill().unwrap();
        other.wait().unwrap();
        assert_eq!((own.wait().unwrap().signal(), others), (Some(9), None));
    }
}
