//! Programs that wait for their next game.
//!
//! A program that has played a game waits here for the next one of its command, on whatever thread that is played.

use super::process::Process;
use evouct_base::parameter::Words;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// So many programs may always wait. More may if more have played at the same time.
const ALWAYS: usize = 8;

struct Idle {
    /// The commands and the programs; the one that has waited longest comes first.
    waiting: Vec<(Words, Process)>,
    /// Programs that play now, and the most that did at the same time.
    playing: usize,
    most: usize,
    /// Commands whose programs play one game each.
    once: Vec<Words>,
}

static IDLE: Mutex<Idle> = Mutex::new(Idle { waiting: Vec::new(), playing: 0, most: 0, once: Vec::new() });

fn idle() -> MutexGuard<'static, Idle> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program in a game. It waits for the next game when this is dropped, unless it was killed.
#[derive(Debug)]
pub(super) struct Program {
    command: Words,
    /// None once it was killed.
    process: Option<Process>,
    once: bool,
}

impl Program {
    /// A program that begins a game. `once`: it ends after this game.
    pub(super) fn of(command: &Words, process: Process, once: bool) -> Program {
        let mut idle = idle();
        idle.playing += 1;
        idle.most = idle.most.max(idle.playing);
        Program { command: command.clone(), process: Some(process), once }
    }

    /// The process.
    ///
    /// # Panics
    /// If it was killed.
    pub(super) fn process(&mut self) -> &mut Process {
        self.process.as_mut().expect("a program that was killed plays no more")
    }

    /// Kills the program.
    pub(super) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill();
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let mut idle = idle();
        idle.playing -= 1;
        let too_many = match self.process.take() {
            Some(process) if !self.once && !idle.once.contains(&self.command) => {
                idle.waiting.push((self.command.clone(), process));
                (idle.waiting.len() > ALWAYS.max(idle.most)).then(|| idle.waiting.remove(0).1)
            }
            process => process,
        };
        // Without the lock: a program has a second to end.
        drop(idle);
        drop(too_many);
    }
}

/// A program of this command that waits for a game, if there is one: the one that has played last.
pub(super) fn take(command: &Words) -> Option<Process> {
    let mut idle = idle();
    let place = idle.waiting.iter().rposition(|(waits, _)| waits == command)?;
    Some(idle.waiting.remove(place).1)
}

/// Programs of this command end after one game from now on, and those that wait for another one end now.
pub(super) fn play_once(command: &Words) {
    let mut idle = idle();
    if !idle.once.contains(command) {
        idle.once.push(command.clone());
    }
    let waiting: Vec<(Words, Process)> = idle.waiting.extract_if(.., |(waits, _)| waits == command).collect();
    // Without the lock: a program has a second to end.
    drop(idle);
    quit(waiting);
}

/// Asks all programs that wait for a game to quit, and kills those that have not ended after a second. For the end of
/// the games.
pub fn quit_programs() {
    let waiting = std::mem::take(&mut idle().waiting);
    quit(waiting);
}

fn quit(mut waiting: Vec<(Words, Process)>) {
    // All are asked before the first is waited for.
    waiting.iter_mut().for_each(|(_, process)| process.ask_to_quit());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_play_once_do_not_wait() {
        let command: Words = Words::parse("sh -c cat").unwrap();
        let start = |command: &Words| Program::of(command, Process::start(command, Some("quit")).unwrap(), false);
        drop([start(&command), start(&command)]);
        assert!(take(&command).is_some(), "two programs wait");
        play_once(&command);
        assert!(take(&command).is_none());
        drop(start(&command));
        assert!(take(&command).is_none());
    }
}
