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

/// Scans in a row that find nothing: on a busy machine one of them can miss a process that replaces its program.
const QUIET: usize = 4;

/// Kills all processes whose variable begins with this mark.
pub(super) fn kill(mark: &str) {
    let begins = format!("{VARIABLE}={mark}");
    let mut quiet = 0;
    for _ in 0..SCANS {
        quiet = if kill_found(begins.as_bytes()) { 0 } else { quiet + 1 };
        if quiet == QUIET {
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
        let environment = linux::environment(&entry.path());
        if environment.split(|byte| *byte == 0).any(|variable| variable.starts_with(begins)) {
            found |= pidfd_send_signal(process, Signal::KILL).is_ok();
        }
    }
    found
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::{self, File};
    use std::io::{self, Read};
    use std::path::Path;
    use std::thread;
    use std::time::Duration;

    /// Bytes of a first read; few environments are larger.
    const BUFFER: usize = 1 << 16;
    /// The most looks at a process that replaces its program all the time: about a second.
    const LOOKS: usize = 10_000;
    /// Looks in a row. After them it may wait for a core, and so do others between two looks.
    const AT_ONCE: usize = 100;
    const PAUSE: Duration = Duration::from_micros(100);

    /// The environment of a process, from its folder in `/proc`; empty if it may not be read.
    pub(super) fn environment(folder: &Path) -> Vec<u8> {
        for look in 0..LOOKS {
            match read_at_once(&folder.join("environ")) {
                Ok(environment) if environment.is_empty() && is_replaced(folder) => match look {
                    0..AT_ONCE => thread::yield_now(),
                    _ => thread::sleep(PAUSE),
                },
                read => return read.unwrap_or_default(),
            }
        }
        Vec::new()
    }

    /// The bytes of a file by one read. Between two reads the process may replace its program, and the rest is missing.
    fn read_at_once(path: &Path) -> io::Result<Vec<u8>> {
        let mut buffer = vec![0; BUFFER];
        loop {
            let length = File::open(path)?.read(&mut buffer)?;
            if length < buffer.len() {
                buffer.truncate(length);
                return Ok(buffer);
            }
            buffer.resize(2 * length, 0);
        }
    }

    /// Whether a process without an environment may have one in a moment: in the middle of `exec` it has memory, and no
    /// environment yet, or one that begins and does not end. A process that has ended and a thread of the kernel have no
    /// memory; where a program was given an empty environment, that ends where it begins (proc_pid_stat(5)).
    fn is_replaced(folder: &Path) -> bool {
        let stat = fs::read_to_string(folder.join("stat")).unwrap_or_default();
        // The name of the program stands in parentheses and may have any letters; fields are counted from 3 after it.
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split_whitespace().collect();
        let field = |number: usize| fields.get(number - 3).and_then(|field| field.parse::<u64>().ok()).unwrap_or(0);
        let (memory, begin, end) = (field(23), field(50), field(51));
        memory > 0 && (begin == 0 || begin != end)
    }
}

#[cfg(not(target_os = "linux"))]
fn kill_found(_: &[u8]) -> bool {
    false
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_process_that_replaces_its_program_is_found() {
        // Between two programs such a process has no environment for a moment.
        let again = r#"exec sh -c "$0" "$0""#;
        for try_ in 0..100 {
            let mark = format!("replaced-{}-{try_}-", std::process::id());
            let mut child = Command::new("sh").args(["-c", again, again]).env(VARIABLE, &mark).spawn().unwrap();
            thread::sleep(Duration::from_micros(300 * (try_ % 7)));
            kill(&mark);
            // The system takes a moment to end it.
            let is_killed = (0..400).any(|_| {
                thread::sleep(POLL);
                child.try_wait().unwrap().is_some()
            });
            child.kill().ok();
            child.wait().unwrap();
            assert!(is_killed, "{try_}");
        }
    }

    #[test]
    fn an_empty_environment_is_read_once() {
        let mut child = Command::new("/bin/sleep").arg("600").env_clear().spawn().unwrap();
        let folder = format!("/proc/{}", child.id());
        assert!(linux::environment(folder.as_ref()).is_empty());
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
