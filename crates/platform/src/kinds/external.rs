//! The player that is another program.

use crate::domain::{Domain, Kind, Spec};
use crate::external::{External, ExternalSettings, Go, speaks};
use evouct_base::parameter::{ParameterError, Values, Words};
use std::time::Duration;

/// The range of times in seconds.
const SECONDS: Values = Values::Real(0.001, 1e6);

evouct_base::parameters! {
    /// Another program.
    struct ExternalParameters {
        /// The program and its arguments. In a text, '…' holds together a word with a space or a comma.
        command: Option<Words> = None;
        /// Iterations per decision that the program is told.
        iterations: Option<u64> = None, values = Values::Count(1, 1_000_000_000);
        /// Seconds per decision that the program is told. Games cannot be repeated.
        seconds: Option<f64> = None, values = SECONDS, timed = true;
        /// Seconds after which a program that has not answered with a move loses the game. Unlimited if the game has a clock.
        seconds_per_move: Option<f64> = Some(60.0), values = SECONDS, unless = ["clock"];
        /// Seconds after which a program that was started and is not ready has failed to start.
        seconds_to_start: f64 = 60.0, values = SECONDS;
        /// Whether the program plays one game only and is started for each. Otherwise it plays one game after the other.
        once: bool = false;
        /// Whether the program plays the same moves again when it is told the same, its seed included. Games with other
        /// programs cannot be repeated.
        deterministic: bool = false, repeats = true;
    }
}

fn check(p: &ExternalParameters) -> Result<(), ParameterError> {
    let told = p.seconds.zip(p.seconds_per_move).filter(|(seconds, most)| seconds > most);
    match (&p.command, told) {
        (None, _) => {
            Err(ParameterError::of("command", "command is missing; expected the program and its arguments".to_owned()))
        }
        _ if p.iterations.is_some() && p.seconds.is_some() => {
            Err(ParameterError::of("seconds", "iterations and seconds are given; expected one of them".to_owned()))
        }
        (_, Some((told, most))) => {
            let problem = format!("seconds = {told} is more than seconds_per_move = {most}");
            Err(ParameterError::of("seconds", problem))
        }
        _ => Ok(()),
    }
}

/// The programs among players, each command once, and the names of the first players that have them.
pub fn programs<'a>(players: impl IntoIterator<Item = (&'a str, &'a Spec)>) -> (Vec<&'a str>, Vec<ExternalSettings>) {
    let (mut names, mut programs) = (Vec::new(), Vec::<ExternalSettings>::new());
    for (name, spec) in players {
        if let Some(program) = program(spec)
            && !programs.iter().any(|known| known.command == program.command)
        {
            names.push(name);
            programs.push(program);
        }
    }
    (names, programs)
}

fn program(player: &Spec) -> Option<ExternalSettings> {
    let parameters = player.kind().is_program().then(|| player.group::<ExternalParameters>())?;
    parameters.as_ref().map(settings)
}

fn settings(p: &ExternalParameters) -> ExternalSettings {
    let go = match (p.iterations, p.seconds) {
        (Some(iterations), _) => Go::Iterations(iterations),
        (None, Some(seconds)) => Go::Seconds(seconds),
        (None, None) => Go::Free,
    };
    ExternalSettings {
        command: p.command.clone().expect("the command was checked"),
        go,
        limit: p.seconds_per_move.map_or(Duration::MAX, Duration::from_secs_f64),
        start_limit: Duration::from_secs_f64(p.seconds_to_start),
        once: p.once,
        deterministic: p.deterministic,
    }
}

pub(super) fn kind<D: Domain>() -> Kind<D> {
    Kind::of_programs(
        "external",
        "another program, by the line protocol of docs/reference/protocol.md",
        |p: &ExternalParameters, key| Box::new(External::new(settings(p), key)),
    )
    .checked(|p: &ExternalParameters| {
        speaks(D::NAME, D::TRACE.columns()).map_err(ParameterError::whole)?;
        check(p)
    })
}
