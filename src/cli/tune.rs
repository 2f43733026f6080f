//! `evouct tune`: tunes parameters of a player, then tests the winner on held-out decks.

use super::experiment_args::OverrideArgs;
use super::phrases::{ended_early, failed_games};
use super::play_args::{Backend, Part, PlayArgs, shard, warn_of_whole};
use super::progress::Shown;
use super::run::Each;
use super::{Outcome, programs, signals, warn};
use crate::config::Experiment;
use crate::error::Failure;
use crate::league::{End, Permissions, Session, SessionError};
use crate::plural::{counted, is_or_are};
use crate::schedule::Shard;
use crate::series::Stage;
use crate::tune::{Group, MAX_BUDGET, Tuning, TuningOptions, plan, summary, write};
use clap::{Args, FromArgMatches};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[derive(Args)]
pub(super) struct Arguments {
    /// Experiment file (TOML): the player to tune, its opponents, rules and seed
    experiment: PathBuf,
    /// A parameter with a range (k=0.1..3) or a list of values (final=mean,visits). Repeat for more parameters
    #[arg(long, value_name = "PARAMETER=VALUES", required = true)]
    over: Vec<String>,
    /// Number of games to play in all. 40 % or more go to the held-out decks
    #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u64).range(1..=MAX_BUDGET))]
    budget: u64,
    /// The player to tune, by its name [default: the first of the file]
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// The folder of the tuning [default: runs/NAME-tune]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    overrides: OverrideArgs,
    #[command(flatten)]
    pub play: PlayArgs,
    /// Play part I of N of each round, counted from 0; auto: the part of this task of a SLURM job array. A round begins
    /// when all parts of the one before are complete
    #[arg(long, value_name = "I/N|auto")]
    shard: Option<Part>,
    /// Print the plan, and play nothing
    #[arg(long)]
    dry_run: bool,
    /// Continue with the records of another version of evouct
    #[arg(long)]
    allow_version: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    match arguments.play.backend {
        Backend::Local => run_local(arguments, out),
        #[cfg(feature = "mpi")]
        Backend::Mpi => super::ranks::tune(arguments, out),
        #[cfg(not(feature = "mpi"))]
        Backend::Mpi => Err(Backend::unavailable()),
    }
}

fn run_local(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    play(arguments, out, |_, session, stop, progress, each| {
        let threads = arguments.play.threads.granted(session.missing());
        session.play(threads, stop, progress, each)
    })
}

impl Arguments {
    /// Reads the words of a command line after `evouct tune`.
    pub(super) fn parse(words: &[String]) -> Result<Arguments, Failure> {
        let command = Arguments::augment_args(clap::Command::new("evouct tune").no_binary_name(true));
        let read = command.try_get_matches_from(words).and_then(|matches| Arguments::from_arg_matches(&matches));
        read.map_err(|error| Failure::Usage(super::one_line(&error)))
    }

    /// The tuning.
    pub(super) fn load(&self) -> Result<Tuning, Failure> {
        let overrides = self.overrides.overrides();
        let experiment =
            Experiment::load_with(&self.experiment, overrides, Tuning::LEAST_PLAYERS).map_err(Failure::usage)?;
        let default = || Path::new("runs").join(format!("{}-tune", experiment.name));
        let folder = self.out.clone().unwrap_or_else(default);
        let options = TuningOptions { player: self.player.clone(), over: self.over.clone(), budget: self.budget };
        Tuning::new(experiment, options, &folder).map_err(Failure::usage)
    }
}

/// Plans a tuning, plays all of it that can be played now, and reports. `session` plays the missing games of a stage.
pub(super) fn play(
    arguments: &Arguments,
    out: &mut dyn Write,
    mut session: impl FnMut(&Stage, Session, &Arc<AtomicBool>, &mut Shown, Each) -> Result<End, SessionError>,
) -> Outcome {
    let tuning = arguments.load()?;
    write!(out, "{}", plan(&tuning))?;
    out.flush()?;
    if arguments.dry_run {
        return Ok(());
    }
    // All stages have the same opponents. They start before the plan is written, so that a command can be repaired.
    let is_new = Tuning::open(tuning.folder()).map_err(Failure::usage)?.is_none();
    if is_new && let Some(stage) = tuning.course().map_err(Failure::usage)?.open().and_then(|open| open.stages.first())
    {
        programs::check(&stage.experiment.players, &signals::playing())?;
    }
    let mut are_programs_checked = is_new;
    let shard = shard(arguments.shard)?;
    warn_of_whole(arguments.shard);
    tuning.record().map_err(Failure::usage)?;
    let permissions = Permissions { allow_version: arguments.allow_version, ..Permissions::default() };
    let total = tuning.halving().games() as usize;
    let mut course = tuning.course().map_err(Failure::usage)?;
    while let Some(group) = course.open() {
        let mut recorded = course.recorded();
        for stage in &group.stages {
            if stage.games(tuning.folder(), |_| {}).map_err(Failure::usage)?.missing() == 0 {
                continue;
            }
            if !std::mem::replace(&mut are_programs_checked, true) {
                programs::check(&stage.experiment.players, &signals::playing())?;
            }
            let planned = Session::plan(stage.experiment.clone(), &stage.folder(tuning.folder()), shard, permissions);
            let planned = planned.map_err(Failure::usage)?;
            warn(&planned.problems);
            tracing::info!("{}: {} to play", stage.name, counted(planned.missing(), "game"));
            let mut progress = Shown::new(recorded as usize, total);
            let mut played = 0;
            let end = session(stage, planned, &signals::playing(), &mut progress, &mut |game| {
                played += 1;
                if let Some(message) = game.failure() {
                    tracing::error!("{}: game {} failed: {message}", stage.name, game.id());
                }
                if let Some(message) = game.fault() {
                    tracing::warn!("{}: game {}: {message}", stage.name, game.id());
                }
            });
            progress.finish();
            signals::played();
            recorded += played;
            match end {
                Ok(End::Done) => {}
                Ok(End::Interrupted) => {
                    let problem = format!("interrupted in {}; the same command resumes the tuning", group.name);
                    return Err(Failure::Interrupted(problem));
                }
                Err(error) => return Err(ended_early(&error, played, "tuning")),
            }
        }
        if !tuning.is_recorded().map_err(Failure::failed)? {
            let folder = tuning.folder().display();
            let problem = "the plan of the tuning is gone: another process removed or renamed it while it was played";
            return Err(Failure::Failed(format!("{folder}: {problem}")));
        }
        let name = group.name.clone();
        course = tuning.course().map_err(Failure::failed)?;
        if let Some(group) = course.open().filter(|group| group.name == name) {
            return Err(unfinished(&tuning, group, shard));
        }
    }
    match report(&tuning, false, out)? {
        0 => Ok(()),
        missing => Err(Failure::Interrupted(format!("{}: {}", tuning.folder().display(), left(missing)))),
    }
}

/// How many games of a tuning are missing, and what plays them.
pub(super) fn left(missing: u64) -> String {
    let (games, are) = (counted(missing, "game"), is_or_are(missing));
    format!("{games} {are} missing; `evouct tune` with the same options plays them")
}

/// Why a group of stages is still open after its games were played.
fn unfinished(tuning: &Tuning, group: &Group, shard: Option<Shard>) -> Failure {
    let (name, missing, folder) = (&group.name, group.count.missing(), tuning.folder().display());
    match shard {
        Some(shard) => Failure::Interrupted(format!(
            "shard {shard} of {name} is complete; {} of other shards {} missing (see `evouct status {folder}`); \
             run this command again when they are recorded",
            counted(missing, "game"),
            is_or_are(missing)
        )),
        None => {
            let (games, are) = (counted(missing, "game"), is_or_are(missing));
            Failure::Failed(format!("{games} of {name} {are} missing in {folder} after all were played"))
        }
    }
}

/// Writes the files of a complete tuning and prints its result. Returns how many games are missing: with any, nothing
/// is written.
pub(super) fn report(tuning: &Tuning, json: bool, out: &mut dyn Write) -> Result<u64, Failure> {
    let course = tuning.course().map_err(Failure::failed)?;
    let Some(outcome) = &course.outcome else {
        return Ok(tuning.halving().games() - course.recorded());
    };
    // The result of a folder that cannot be written is printed before the error.
    let written = write(tuning, outcome);
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(outcome).map_err(Failure::failed)?)?;
    } else {
        write!(out, "\n{}", summary(outcome))?;
    }
    written.map_err(Failure::failed)?;
    if !json {
        writeln!(out, "files in {}", tuning.folder().display())?;
    }
    match course.failed() {
        0 => Ok(0),
        failed => Err(Failure::Failed(failed_games(failed))),
    }
}
