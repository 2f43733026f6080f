//! `evouct tune`: tunes parameters of a player, then tests the winner on held-out decks.

use super::experiment_args::OverrideArgs;
use super::form::Form;
use super::phrases::{ended_early, failed_games};
use super::place::{Helper, Place, play};
use super::play_args::WorkArgs;
use super::{Outcome, core_time, programs, signals, warn};
use crate::config::{Experiment, Overrides};
use crate::error::Failure;
use crate::league::{Calibration, ResumeOptions, calibrate};
use crate::plural::{counted, is_or_are};
use crate::tune::{
    Course, MAX_BUDGET, PlayOptions, TuneError, Tuning, TuningMethod, TuningOptions, plan, summary, tuning_tables,
    write,
};
use clap::builder::PossibleValuesParser;
use clap::{Args, FromArgMatches};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How long games are sampled, in seconds and as a share of the time to plan for.
const SAMPLE: f64 = 10.0;
const SHARE: f64 = 0.05;

#[derive(Args)]
pub(super) struct Arguments {
    /// Experiment files (TOML): the player to tune, its opponents, rules and seed; with several, values are compared in the
    /// games of all of them
    #[arg(value_name = "EXPERIMENT", required = true)]
    experiments: Vec<PathBuf>,
    /// The file of a game in which only the best values and the default play, on held-out decks. Repeat for more
    #[arg(long, value_name = "EXPERIMENT")]
    held_out: Vec<PathBuf>,
    /// A parameter with a range (k=0.1..3) or a list of values (final=mean,visits). Repeat for more parameters
    #[arg(long, value_name = "PARAMETER=VALUES", required = true)]
    over: Vec<String>,
    /// A constraint on the values together: alpha < beta, k*iterations <= 100, final = visits or k < 1. Repeat for more
    #[arg(long = "where", value_name = "CONSTRAINT")]
    constraints: Vec<String>,
    /// Number of games to play in all. 40 % or more go to the held-out decks
    #[arg(long, alias = "budget", value_name = "N", required_unless_present = "hours", value_parser = clap::value_parser!(u64).range(1..=MAX_BUDGET))]
    games: Option<u64>,
    /// In place of --games: as many as this machine plays in so many hours, by a sample before the first game. The plan
    /// keeps the number
    #[arg(long, value_name = "H", conflicts_with = "games")]
    hours: Option<f64>,
    /// How the best values are found. halving: the better half of a fixed set of candidates goes on with twice the
    /// decks. surface: a smooth surface, fitted to all results, says what to play next. cma: CMA-ES draws candidates from
    /// a distribution that moves to the better ones, for several ranges and many games
    #[arg(long, value_name = "METHOD", default_value = "halving", value_parser = PossibleValuesParser::new(TuningMethod::names()))]
    method: String,
    /// The player of the file to tune, by its name [default: the first]
    #[arg(long, alias = "tuned", value_name = "NAME")]
    player: Option<String>,
    #[command(flatten)]
    overrides: OverrideArgs,
    #[command(flatten)]
    pub work: WorkArgs,
    /// Print the plan and what it costs in core-hours, by a sample of a second, and record nothing
    #[arg(long)]
    dry_run: bool,
    /// Go on with this tuning of fewer games: what is recorded stays where the first round has the same players
    #[arg(long, conflicts_with = "hours")]
    pub extend: bool,
    /// Continue with the records of another version of evouct
    #[arg(long)]
    allow_version: bool,
    /// Play failed games of a round again before the next round begins, and those of the held-out stage
    #[arg(long, conflicts_with = "shard")]
    retry_failed: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    // Only rank 0 knows what comes next, and tells the others.
    let told = |text: &str| {
        let read = Experiment::parse(text, "experiment of rank 0", Overrides::default());
        read.map(Arc::new).map_err(|error| error.to_string())
    };
    arguments.work.on_place(Helper::Games(&told), |place| carry_out(arguments, place, out))
}

impl Arguments {
    /// Reads the words of a command line after `evouct tune`.
    pub(super) fn parse(words: &[String]) -> Result<Arguments, Failure> {
        let command = Arguments::augment_args(clap::Command::new("evouct tune").no_binary_name(true));
        let read = command.try_get_matches_from(words).and_then(|matches| Arguments::from_arg_matches(&matches));
        read.map_err(|error| Failure::Usage(super::one_line(&[], &error)))
    }

    /// The tuning; with --hours by the speed of so many threads, if they are known.
    pub(super) fn load(&self, threads: Option<usize>) -> Result<Tuning, Failure> {
        let overrides = self.overrides.overrides();
        let load =
            |path: &PathBuf| Experiment::load_with(path, overrides, Tuning::LEAST_PLAYERS).map_err(Failure::usage);
        let experiment = load(&self.experiments[0])?;
        let seen = self.experiments[1..].iter().map(|path| Ok((load(path)?, false)));
        let others = seen.chain(self.held_out.iter().map(|path| Ok((load(path)?, true))));
        let others = others.collect::<Result<Vec<_>, Failure>>()?;
        let folder = self.work.part.folder(&format!("{}-tune", experiment.name));
        let options = TuningOptions {
            player: self.player.clone(),
            over: self.over.clone(),
            constraints: self.constraints.clone(),
            budget: self.games.unwrap_or(MAX_BUDGET),
            method: TuningMethod::of_name(&self.method).expect("clap knows the names"),
        };
        let tuning = Tuning::over_games(experiment, others, options, &folder).map_err(Failure::usage)?;
        match self.hours {
            Some(hours) => self.in_time(hours, tuning, threads),
            None => Ok(tuning),
        }
    }

    /// The tuning with the games that are recorded as its plan or, before that, with as many as so many threads play in
    /// these hours.
    fn in_time(&self, hours: f64, tuning: Tuning, threads: Option<usize>) -> Result<Tuning, Failure> {
        if !(hours > 0.0 && hours.is_finite()) {
            return Err(Failure::Usage(format!("--hours {hours}: expected a number above 0")));
        }
        if let Some(recorded) = Tuning::open(tuning.folder()).map_err(Failure::usage)? {
            return tuning.with_budget(recorded.budget()).map_err(Failure::usage);
        }
        let Some(threads) = threads.filter(|_| self.work.part.shard.is_none()) else {
            let problem =
                "--hours goes by the speed of the machine that plans, and shards have no common one; name --games";
            return Err(Failure::Usage(problem.to_owned()));
        };
        let course = tuning.course().map_err(Failure::usage)?;
        let stage = course.stages().next().expect("a tuning that is not recorded has stages to play");
        let sample = calibrate(
            &Arc::new(stage.experiment.clone()),
            threads,
            Duration::from_secs_f64(SAMPLE.min(hours * 3600.0 * SHARE)),
        );
        let Some(Calibration { seconds_per_game, .. }) = sample else {
            return Err(Failure::Failed("--hours: no game ended in the sample; name --games".to_owned()));
        };
        let games = (hours * 3600.0 * threads as f64 / seconds_per_game).min(MAX_BUDGET as f64) as u64;
        tracing::info!(
            "a game takes {seconds_per_game:.2} s on a thread: {} in {hours} h on {}",
            counted(games, "game"),
            counted(threads, "thread")
        );
        tuning.with_budget(games).map_err(Failure::usage)
    }
}

/// Plans a tuning, plays all of it that can be played now, and reports.
fn carry_out(arguments: &Arguments, place: &mut dyn Place, out: &mut dyn Write) -> Outcome {
    let tuning = arguments.load(Some(place.threads()))?;
    write!(out, "{}", plan(&tuning))?;
    out.flush()?;
    if arguments.dry_run {
        // A plan is printed beside another tuning, too, of which nothing would go on.
        let Ok(course) = tuning.course() else { return Ok(()) };
        let left = tuning.rounds().games() - course.recorded();
        if let Some(stage) = course.stages().next().filter(|_| left > 0) {
            writeln!(out, "{}", core_time::of_games(&Arc::new(stage.experiment.clone()), left, false))?;
        }
        return Ok(());
    }
    let (retry_failed, stop) = (arguments.retry_failed, signals::playing());
    let options = PlayOptions {
        shard: arguments.work.part.shard()?,
        patience: arguments.work.patience(),
        permissions: ResumeOptions { allow_version: arguments.allow_version, retry_failed, extend: arguments.extend },
        stop: Arc::clone(&stop),
    };
    tuning.check(arguments.extend)?;
    let course = tuning.course()?;
    // All groups of stages have the same opponents. They start before the plan is written, so that a command can be repaired.
    if let Some(group) = course.groups.first()
        && (course.open().is_some() || retry_failed && course.failed() > 0)
    {
        group.stages.iter().try_for_each(|stage| programs::check(&stage.experiment.players, &stop))?;
    }
    arguments.work.part.warn_of_whole(None);
    // In all stages: what fails in a later one is no wrong argument.
    let mut all = 0;
    let course = tuning.play_stages(&options, |stage, planned, recorded| {
        warn(&planned.problems);
        tracing::info!("{}: {} to play", stage.name, counted(planned.missing(), "game"));
        let (played, end) = play(place, planned, &stop, (recorded, tuning.rounds().games()), Some(&stage.name));
        all += played.games;
        end.map_err(|error| ended_early(&error, all, "tuning"))
    })?;
    signals::played();
    report(&tuning, &course, Form::Text, out).map(drop)
}

impl From<TuneError> for Failure {
    fn from(error: TuneError) -> Failure {
        match error {
            TuneError::Interrupted { .. } | TuneError::Waiting { .. } => Failure::Interrupted(error.to_string()),
            TuneError::Disturbed { .. } => Failure::failed(error),
            error => Failure::usage(error),
        }
    }
}

/// How many games of a tuning are missing, and what plays them.
pub(super) fn left(missing: u64) -> String {
    let (games, are) = (counted(missing, "game"), is_or_are(missing));
    format!("{games} {are} missing; `evouct tune` with the same options plays them")
}

/// Writes the files of a complete tuning and prints its result. Returns how many games are missing: with any, nothing
/// is written.
pub(super) fn report(tuning: &Tuning, course: &Course, form: Form, out: &mut dyn Write) -> Result<u64, Failure> {
    let Some(outcome) = &course.outcome else {
        return Ok(tuning.rounds().games() - course.recorded());
    };
    // The result of a folder that cannot be written is printed before the error.
    let written = write(tuning, outcome);
    match form {
        Form::Text => write!(out, "\n{}", summary(outcome))?,
        _ => form.print(out, outcome, |format| tuning_tables(outcome, format))?,
    }
    written.map_err(Failure::failed)?;
    form.print_page(out, tuning.folder())?;
    let failed = failed_games(course.failed());
    match course.groups.last().map_or(0, |group| group.count.failed) {
        0 if course.failed() == 0 => Ok(0),
        0 => Err(Failure::Failed(failed)),
        _ => Err(Failure::Failed(format!("{failed}; --retry-failed plays those of the held-out stage again"))),
    }
}
