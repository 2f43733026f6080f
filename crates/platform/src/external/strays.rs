//! Processes that have left the process group of the program that started them.
//!
//! The system does not record who started a process whose parent has ended. It is known by a variable of its
//! environment, which it has from the program. A process without it, or on another system than Linux, is not found.

use std::thread;
use std::time::Duration;

/// Time between two checks whether a program has ended.
pub(super) const POLL: Duration = Duration::from_millis(5);

/// The variable.
pub(super) const VARIABLE: &str = "EVOUCT_PROGRAM";

/// The most scans: a process may start another one during each.
const SCANS: usize = 100;

/// Kills all processes whose variable begins with this mark.
pub(super) fn kill(mark: &str) {
    let begins = format!("{VARIABLE}={mark}");
    for _ in 0..SCANS {
        if !kill_found(begins.as_bytes()) {
            break;
        }
        thread::sleep(POLL);
    }
}

/// Kills those that a scan finds. Whether there were any.
#[cfg(target_os = "linux")]
fn kill_found(begins: &[u8]) -> bool {
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
    let mut found = false;
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let number = entry.file_name().to_str().and_then(|name| name.parse().ok());
        let Some(process) = number.and_then(Pid::from_raw) else { continue };
        // Opened before the look: the signal goes to the process that was looked at, not to a later one of its number.
        let Ok(process) = pidfd_open(process, PidfdFlags::empty()) else { continue };
        let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        if environment.split(|byte| *byte == 0).any(|variable| variable.starts_with(begins)) {
            found |= pidfd_send_signal(process, Signal::KILL).is_ok();
        }
    }
    found
}

#[cfg(not(target_os = "linux"))]
fn kill_found(_: &[u8]) -> bool {
    false
}
