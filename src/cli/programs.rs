//! Players whose decisions come from outside, before games are played.

use super::{Outcome, stderr};
use crate::config::Contender;
use crate::domain::Spec;
use crate::error::Failure;
use crate::escape;
use crate::external::{ExternalSettings, NotReady, exists, start_programs};
use crate::kinds::program;
use crate::plural::counted;
use std::sync::atomic::AtomicBool;

/// Refuses people, and starts the programs among the players: one that does not start would lose all its games.
pub(super) fn check(players: &[Contender], stop: &AtomicBool) -> Outcome {
    if let Some(person) = players.iter().find(|player| player.spec.kind().is_person()) {
        let name = &person.name;
        return Err(Failure::Usage(format!("{name}: a person plays at the table of `evouct gui` only")));
    }
    start(players.iter().map(|player| (player.name.as_str(), &player.spec)), stop)
}

/// Names the programs among these players on stderr, then starts each and waits until it is ready.
pub(super) fn start<'a>(players: impl IntoIterator<Item = (&'a str, &'a Spec)>, stop: &AtomicBool) -> Outcome {
    let (names, programs) = programs(players)?;
    if programs.is_empty() {
        return Ok(());
    }
    let commands = names.iter().zip(&programs);
    let commands: Vec<String> =
        commands.map(|(name, program)| format!("{name} ({})", program.command.list().join(" "))).collect();
    let line = format!("starts {}: {}", counted(programs.len(), "program"), commands.join(", "));
    stderr::say(&escape::line(&line));
    wait(&names, &programs, stop)
}

/// The same on a rank that follows: the first rank has named the programs.
#[cfg(feature = "mpi")]
pub(super) fn follow(players: &[Contender], stop: &AtomicBool) -> Outcome {
    let (names, programs) = programs(players.iter().map(|player| (player.name.as_str(), &player.spec)))?;
    wait(&names, &programs, stop)
}

/// The programs among the players, each command once, with the name of its first player.
fn programs<'a>(
    players: impl IntoIterator<Item = (&'a str, &'a Spec)>,
) -> Result<(Vec<&'a str>, Vec<ExternalSettings>), Failure> {
    let (mut names, mut programs) = (Vec::new(), Vec::<ExternalSettings>::new());
    for (name, spec) in players {
        let Some(program) = program(spec) else { continue };
        if !exists(&program.command) {
            return Err(Failure::Usage(format!("{name}: there is no program {:?}", program.command.list()[0])));
        }
        if !programs.iter().any(|known| known.command == program.command) {
            names.push(name);
            programs.push(program);
        }
    }
    Ok((names, programs))
}

fn wait(names: &[&str], programs: &[ExternalSettings], stop: &AtomicBool) -> Outcome {
    start_programs(programs, stop).map_err(|problem| match problem {
        NotReady::Fault(place, fault) => Failure::Usage(format!("{}: {fault}; nothing was played", names[place])),
        NotReady::Stopped => Failure::Interrupted("interrupted before the first game".to_owned()),
    })
}
