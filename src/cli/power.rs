//! `evouct power`: how many decks the tests of a league need.

use super::form::{Form, one_of};
use super::phrases::at_most;
use super::play_args::ThreadArgs;
use super::{Outcome, compare, core_time, programs, signals, stderr};
use crate::config::{Experiment, Overrides};
use crate::error::Failure;
use crate::league::{MOST_OF_PILOT, pilot};
use crate::plural::counted;
use crate::report::{Aggregate, Power, Wanted, power_table};
use crate::schedule::Schedule;
use clap::Args;
use indicatif::HumanDuration;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long a pilot plays, in seconds, unless --pilot says otherwise.
const PILOT: f64 = 60.0;

#[derive(Args)]
pub(super) struct Arguments {
    /// A run folder, whose games tell how results vary, or an experiment file, of which a pilot is played here
    #[arg(value_name = "RUN|FILE")]
    path: PathBuf,
    /// The true difference between two players that a test is to find, in points per game
    #[arg(long, value_name = "POINTS", value_parser = points)]
    difference: Option<f64>,
    /// How far the 95 % interval of a difference may reach from its mean, in points per game
    #[arg(long, value_name = "POINTS", value_parser = points)]
    interval: Option<f64>,
    /// The probability that a test finds the difference
    #[arg(long, value_name = "P", default_value_t = 0.8, value_parser = probability)]
    power: f64,
    /// Play a pilot of about this many seconds, on a file only; at least two decks are played, and nothing is recorded.
    /// Programs of external players are started only if this is given [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = above_zero)]
    pilot: Option<f64>,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Form of what is printed
    #[arg(long, value_name = "FORMAT", default_value = "text",
          value_parser = one_of(&[Form::Text, Form::Markdown, Form::Csv, Form::Json]))]
    format: Form,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let Arguments { path, difference, interval, power, .. } = arguments;
    let (experiment, aggregate) = if path.is_dir() {
        if arguments.pilot.is_some() {
            return Err(Failure::Usage("--pilot is for a file; a run folder has games".to_owned()));
        }
        let (experiment, loaded) = compare::read(path)?;
        check(arguments, &experiment)?;
        (experiment, loaded.aggregate)
    } else {
        played(arguments)?
    };
    let wanted = Wanted { difference: *difference, interval: *interval, power: *power };
    let plan = Power::of(&experiment, &aggregate, wanted);
    if plan.pairs.is_empty() {
        return Err(Failure::Usage(format!("{}: {}, so nothing is known of them", path.display(), plan.unknown_why())));
    }
    let Some(format) = arguments.format.of_tables() else {
        writeln!(out, "{}", serde_json::to_string_pretty(&plan).map_err(Failure::failed)?)?;
        return Ok(());
    };
    write!(out, "{}", power_table(&plan, format))?;
    if let Some(seconds) = plan.core_seconds().filter(|_| arguments.format == Form::Text) {
        let threads = arguments.threads.granted(plan.games.unwrap_or(1));
        let duration = |seconds: f64| HumanDuration(Duration::from_secs_f64(seconds.min(1e15)));
        let (hours, together) = (core_time::core_hours(seconds), duration(seconds / threads as f64));
        let each = plan.seconds_per_game;
        let threads = counted(threads, "thread");
        let at_most = at_most(plan.looks.is_some());
        writeln!(
            out,
            "\nThinking time: {at_most}{hours}, {together} on {threads} as fast as these ({each:.3} s a game)."
        )?;
    }
    Ok(())
}

/// Whether the question suits the league.
fn check(arguments: &Arguments, experiment: &Experiment) -> Outcome {
    if arguments.interval.is_some() && experiment.looks().is_some() {
        let problem = "--interval is for a fixed number of decks: at looks a pair that differs stops, however wide its interval is";
        return Err(Failure::Usage(problem.to_owned()));
    }
    if experiment.rounds.is_some() {
        let problem = "power is for a league whose pairs are known, and a Swiss schedule chooses them by results";
        return Err(Failure::Usage(problem.to_owned()));
    }
    Ok(())
}

/// The games of a pilot.
fn played(arguments: &Arguments) -> Result<(Experiment, Aggregate), Failure> {
    let overrides = Overrides { preset: None, seed: None, games_per_match: None };
    let experiment = Experiment::load(&arguments.path, overrides).map_err(Failure::usage)?;
    check(arguments, &experiment)?;
    let least = 2 * Schedule::of(&experiment).matches_per_deck();
    if least > MOST_OF_PILOT as u64 {
        return Err(Failure::Usage(format!(
            "{}: two decks, the fewest of a pilot, are {least} games; expected at most {MOST_OF_PILOT}: fewer players, or the \
             folder of a run",
            arguments.path.display()
        )));
    }
    let started = programs::list(&experiment.players);
    if arguments.pilot.is_none() && !started.is_empty() {
        let programs = started.join(", ");
        return Err(Failure::Usage(format!("a pilot would start {programs}; --pilot {PILOT} does")));
    }
    signals::watch_for_programs(experiment.players.iter().map(|player| &player.spec));
    programs::check(&experiment.players, &AtomicBool::new(false))?;
    let seconds = arguments.pilot.unwrap_or(PILOT);
    stderr::say(&format!("evouct: plays {} for {seconds} s, and records nothing", experiment.name));
    let experiment = Arc::new(experiment);
    let threads = arguments.threads.granted(u64::MAX);
    let found = pilot(&experiment, threads, Duration::from_secs_f64(seconds));
    let games = found.map(|found| found.games).unwrap_or_default();
    let aggregate = Aggregate::of_games(&experiment, games.iter().map(|(game, _)| game));
    Ok((Arc::unwrap_or_clone(experiment), aggregate))
}

fn points(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| (1e-6..=1e6).contains(number));
    number.ok_or_else(|| "expected a number from 0.000001 to 1000000".to_owned())
}

fn above_zero(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| "expected a number above 0".to_owned())
}

fn probability(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| (0.5..=0.9999).contains(number));
    number.ok_or_else(|| "expected a number from 0.5 to 0.9999".to_owned())
}
