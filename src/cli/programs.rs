//! Players whose decisions come from outside, before games are played.

use super::{Outcome, stderr};
use crate::config::Contender;
use crate::domain::Spec;
use crate::error::Failure;
use crate::escape;
use crate::external::{ExternalSettings, NotReady, exists, start_programs};
use crate::kinds::programs;
use crate::plural::counted;
use std::sync::atomic::{AtomicBool, Ordering};

/// Refuses people, and starts the programs among the players: one that does not start would lose all its games.
pub(super) fn check(players: &[Contender], stop: &AtomicBool) -> Outcome {
    if let Some(person) = players.iter().find(|player| player.spec.kind().is_person()) {
        let name = &person.name;
        return Err(Failure::Usage(format!("{name}: a person plays at the table of `evouct gui` only")));
    }
    start(named(players), stop)
}

/// Names the programs among these players on stderr, then starts each and waits until it is ready.
pub(super) fn start<'a>(players: impl IntoIterator<Item = (&'a str, &'a Spec)>, stop: &AtomicBool) -> Outcome {
    let (names, programs) = existing(players)?;
    if programs.is_empty() {
        return Ok(());
    }
    let commands = commands(&names, &programs).join(", ");
    stderr::say(&escape::line(&format!("starts {}: {commands}", counted(programs.len(), "program"))));
    wait(&names, &programs, stop)
}

/// The same on a rank that follows: the first rank has named the programs.
#[cfg(feature = "mpi")]
pub(super) fn start_unnamed(players: &[Contender], stop: &AtomicBool) -> Outcome {
    let (names, programs) = existing(named(players))?;
    wait(&names, &programs, stop)
}

/// The programs that these players start: the name of the player, and the command.
pub(super) fn list(players: &[Contender]) -> Vec<String> {
    let (names, programs) = programs(named(players));
    commands(&names, &programs)
}

fn named(players: &[Contender]) -> impl Iterator<Item = (&str, &Spec)> {
    players.iter().map(|player| (player.name.as_str(), &player.spec))
}

fn commands(names: &[&str], programs: &[ExternalSettings]) -> Vec<String> {
    let command =
        |(name, program): (&&str, &ExternalSettings)| format!("{name} ({})", program.command.list().join(" "));
    names.iter().zip(programs).map(command).collect()
}

/// The programs among the players, with the names of the players. None is missing on this machine.
fn existing<'a>(
    players: impl IntoIterator<Item = (&'a str, &'a Spec)>,
) -> Result<(Vec<&'a str>, Vec<ExternalSettings>), Failure> {
    let (names, programs) = programs(players);
    match programs.iter().position(|program| !exists(&program.command)) {
        Some(place) => {
            let (name, program) = (names[place], &programs[place].command.list()[0]);
            Err(Failure::Usage(format!("{name}: there is no program {program:?}")))
        }
        None => Ok((names, programs)),
    }
}

fn wait(names: &[&str], programs: &[ExternalSettings], stop: &AtomicBool) -> Outcome {
    start_programs(programs, || stop.load(Ordering::Relaxed)).map_err(|problem| match problem {
        NotReady::Fault(place, fault) => Failure::Usage(format!("{}: {fault}; nothing was played", names[place])),
        NotReady::Stopped => Failure::Interrupted("interrupted before the first game".to_owned()),
    })
}
