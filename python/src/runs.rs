//! Leagues, tunings, banks and evolutions: what the commands of the program do, in the same folders.

use crate::callables::{Callables, Fitness, guarded, raised};
use crate::errors::{self, TEXT, failed, value_error};
use crate::numbers;
use crate::pool::{Asked, Hands};
use crate::signals::{Watch, watched};
use evouct::clock::WallClock;
use evouct::config::reader::read_file;
use evouct::config::{ConfigErrors, Experiment, Overrides};
use evouct::domain::{AnyDomain, Spec};
use evouct::external::{NotReady, quit_programs, start_programs};
use evouct::kinds::programs;
use evouct::league::{End, Executor, Progress, ResumeOptions, Session, SessionError, granted};
use evouct::named::Named;
use evouct::offline::{
    Bank, BankBuild, BankError, Blocks, EvolutionError, EvolutionFolder, EvolutionOptions, EvolutionPlan,
    EvolutionSession, EvolutionSet, Purpose, Recipe, RunContext, ScoreRow, ScoreTable, Split,
};
use evouct::phrase::Phrase;
use evouct::record::Run;
use evouct::report::{SeedsReport, rebuild, rebuild_evolved, seeds_documents, write_documents};
use evouct::store::{Problem, RecordError};
use evouct::tune::{PlayOptions, TuneError, Tuning, TuningMethod, TuningOptions, write};
use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// An experiment, an evolution or a recipe: the path of its file, or its text.
pub enum Source {
    File(PathBuf),
    Text(String),
}

/// Folders of one name.
const MOST_FOLDERS: u32 = 99;
/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 10_000_000;

impl<'py> FromPyObject<'_, 'py> for Source {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Source> {
        if !value.is_instance_of::<PyDict>() {
            let path = value.extract::<PathBuf>();
            return path.map(Source::File).map_err(|_| {
                let found = value.get_type().to_string();
                PyTypeError::new_err(format!("expected the path of a file or a dict, found {found}"))
            });
        }
        let json: String = value.py().import("json")?.call_method1("dumps", (value,))?.extract()?;
        let json: serde_json::Value =
            serde_json::from_str(&json).map_err(|error| value_error(format!("{TEXT}: {error}")))?;
        toml::to_string(&json).map(Source::Text).map_err(|error| value_error(format!("{TEXT}: {error}")))
    }
}

impl Source {
    /// The text with what it needs of Python, and what errors call it: see [`Callables::section`].
    fn text(&self, what: &str, callables: &Callables, also: &str) -> PyResult<(String, String)> {
        let (text, file) = match self {
            Source::File(path) => read_file(path, MAX_FILE, what).map_err(value_error)?,
            Source::Text(text) => (text.clone(), TEXT.to_owned()),
        };
        let section = callables.section(&text, also);
        Ok((format!("{text}{section}"), file))
    }

    /// What a text says. Errors of a dict name its keys.
    fn read<T>(&self, text: &str, read: Result<T, ConfigErrors>) -> PyResult<T> {
        match self {
            Source::File(_) => read.map_err(value_error),
            Source::Text(_) => read.map_err(|errors| errors::of_text(text, errors)),
        }
    }

    fn experiment(&self, least_players: usize, callables: &Callables, also: &str) -> PyResult<Experiment> {
        let (text, file) = self.text("experiment", callables, also)?;
        self.read(&text, Experiment::parse_with(&text, &file, Overrides::default(), least_players))
    }

    /// The evolution; a seed replaces that of the source.
    pub fn evolution(&self, seed: Option<u64>) -> PyResult<EvolutionPlan> {
        self.evolution_with(seed, &Callables::default(), "")
    }

    /// The same with callables.
    fn evolution_with(&self, seed: Option<u64>, callables: &Callables, also: &str) -> PyResult<EvolutionPlan> {
        let (text, file) = self.text("evolution", callables, also)?;
        let plan = self.read(&text, EvolutionPlan::parse(&text, &file, seed))?;
        Ok(match self {
            Source::File(path) => plan.beside(path),
            Source::Text(_) => plan,
        })
    }

    fn recipe(&self, callables: &Callables) -> PyResult<Recipe> {
        let (text, file) = self.text("recipe", callables, "")?;
        self.read(&text, Recipe::parse(&text, &file))
    }
}

/// The text of a dict as a file; none of the path of a file.
#[pyfunction]
pub fn source_text(source: Source) -> Option<String> {
    match source {
        Source::File(_) => None,
        Source::Text(text) => Some(text),
    }
}

/// Sends the progress of one stage.
struct Sent<'a> {
    watch: &'a Watch,
    /// Games recorded before.
    before: u64,
    total: u64,
}

impl<'a> Sent<'a> {
    /// Sends where the stage begins, and its name, if it has one.
    fn from(watch: &'a Watch, before: u64, total: u64, text: &str) -> Sent<'a> {
        watch.tell((before, total, text.to_owned(), None));
        Sent { watch, before, total }
    }
}

impl Progress for Sent<'_> {
    fn tick(&mut self, games_done: usize) {
        self.watch.tell((self.before + games_done as u64, self.total, String::new(), None));
    }
}

/// What is raised by work that was asked to stop; Python has an error of its own by then.
pub fn interrupted() -> PyErr {
    failed("interrupted")
}

/// A folder, or that of this name in `runs`.
pub fn in_runs(folder: Option<PathBuf>, name: &str) -> PathBuf {
    folder.unwrap_or_else(|| Path::new("runs").join(name))
}

/// Opens a work in its folder. Without a given folder it is that of this name in `runs` or, where that holds another work,
/// the first that does not of those with a number behind the name: who changes an experiment and does not rename it wants
/// both. A warning says so at once: the work may take hours. With `extend` it is one of those that are there, as there is
/// something to extend. What it holds, and the folder. `is_other` tells whether another folder would do.
fn opened<T, E: ToString>(
    given: Option<PathBuf>,
    name: &str,
    extend: bool,
    mut open: impl FnMut(&Path) -> Result<T, E>,
    is_other: impl Fn(&E) -> bool,
) -> PyResult<(T, PathBuf)> {
    let is_free = given.is_none();
    let folder = in_runs(given, name);
    let first = match open(&folder) {
        Err(error) if is_free && is_other(&error) => error.to_string(),
        result => return result.map(|opened| (opened, folder)).map_err(value_error),
    };
    // What it advises is done here.
    let said = first.replace(&format!("; {}", Phrase::OtherFolder), "");
    for number in 2..=MOST_FOLDERS {
        let folder = in_runs(None, &format!("{name}-{number}"));
        if extend && !folder.exists() {
            continue;
        }
        match open(&folder) {
            Err(error) if is_other(&error) => {}
            result => {
                let opened = result.map_err(value_error)?;
                let warning = CString::new(format!("{said}; this one is in {}", folder.display()))?;
                Python::attach(|py| PyErr::warn(py, &py.get_type::<PyUserWarning>(), &warning, 1))?;
                return Ok((opened, folder));
            }
        }
    }
    Err(value_error(first))
}

/// The number of threads for so many jobs: all that the machine gives, if none is asked for.
fn threads_for(asked: Option<usize>, missing: u64) -> usize {
    granted(asked.unwrap_or(usize::MAX), missing).0
}

/// The number of threads for units of these games. Threads of a game in Python are processes, which find no class of a
/// notebook: there are several only if they are asked for.
fn threads_of(asked: Option<usize>, missing: u64, games: &[&'static dyn AnyDomain]) -> usize {
    let is_in_python = games.iter().any(|game| game.name().starts_with("python:"));
    threads_for(asked.or(is_in_python.then_some(1)), missing)
}

/// Starts the programs that play. None is left where one does not start.
fn start<'a>(players: impl Iterator<Item = (&'a str, &'a Spec)>, stop: &AtomicBool) -> PyResult<()> {
    let (names, programs) = programs(players);
    start_programs(&programs, || stop.load(Ordering::Relaxed)).map_err(|problem| {
        quit_programs();
        match problem {
            NotReady::Fault(place, fault) => value_error(format!("{}: {fault}", names[place])),
            NotReady::Stopped => interrupted(),
        }
    })
}

/// Problems of records as texts.
pub fn said(problems: &[Problem]) -> Vec<String> {
    problems.iter().map(Problem::to_string).collect()
}

/// A folder, and warnings.
type Done = (PathBuf, Vec<String>);

/// Plays the missing games of an experiment, and writes the report. Returns the folder, and warnings.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are those of Python")]
pub fn run_league(
    py: Python<'_>,
    experiment: Source,
    folder: Option<PathBuf>,
    #[pyo3(from_py_with = numbers::threads_or_none)] threads: Option<usize>,
    workers: Option<Asked>,
    extend: bool,
    retry_failed: bool,
    show: Option<Py<PyAny>>,
    callables: Callables,
) -> PyResult<Done> {
    let _bound = callables.bind()?;
    let experiment = guarded(|| experiment.experiment(Experiment::LEAST_PLAYERS, &callables, ""))??;
    let permissions = ResumeOptions { extend, retry_failed, ..ResumeOptions::default() };
    watched(py, show.as_ref(), |watch| {
        let name = experiment.name.clone();
        let plan = |folder: &Path| Session::plan(experiment.clone(), folder, None, permissions);
        let (session, folder) = opened(folder, &name, extend, plan, SessionError::is_other)?;
        let mut warnings = said(&session.problems);
        let (stop, experiment) = (&watch.stop, Arc::clone(session.experiment()));
        let (before, missing) = (session.recorded(), session.missing());
        if missing > 0 {
            start(experiment.players.iter().map(|player| (player.name.as_str(), &player.spec)), stop)?;
        }
        let mut progress = Sent::from(watch, before, before + missing, "");
        let mut faults = Vec::new();
        let mut hands = Hands::of(workers, threads_of(threads, missing, &[experiment.rules.domain()]));
        let end = session.play_by(&mut hands, stop, &mut progress, &mut |game| {
            faults.extend(game.fault().map(|fault| format!("game {}: {fault}", game.id())));
        });
        quit_programs();
        warnings.extend(hands.problems());
        if end.map_err(failed)? == End::Interrupted && !watch.is_enough() {
            return Err(interrupted());
        }
        let rebuilt = rebuild(&Run::open(&folder).map_err(failed)?, &experiment).map_err(failed)?;
        warnings.extend(said(&rebuilt.problems).into_iter().chain(faults));
        let failures = rebuilt.report.failures.iter();
        warnings.extend(failures.map(|failure| format!("game {} failed: {}", failure.game, failure.message)));
        rebuilt.written.map_err(failed)?;
        Ok((folder, warnings))
    })?
}

/// Plays what is missing of a tuning in the games of these experiments, and writes its result. Returns the folder, and
/// warnings.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are those of Python")]
pub fn run_tuning(
    py: Python<'_>,
    experiments: Vec<Source>,
    held_out: Vec<Source>,
    over: Vec<String>,
    constraints: Vec<String>,
    budget: u64,
    method: &str,
    player: Option<String>,
    folder: Option<PathBuf>,
    #[pyo3(from_py_with = numbers::threads_or_none)] threads: Option<usize>,
    workers: Option<Asked>,
    extend: bool,
    retry_failed: bool,
    show: Option<Py<PyAny>>,
    callables: Callables,
) -> PyResult<Done> {
    let _bound = callables.bind()?;
    // Values may be formulas.
    let also = over.join(" ");
    let of = |source: &Source| guarded(|| source.experiment(Tuning::LEAST_PLAYERS, &callables, &also))?;
    let (first, seen) = experiments.split_first().ok_or_else(|| value_error("there is no experiment to tune in"))?;
    let experiment = of(first)?;
    let others = seen.iter().map(|seen| (seen, false)).chain(held_out.iter().map(|unseen| (unseen, true)));
    let others = others.map(|(source, is_held_out)| Ok((of(source)?, is_held_out))).collect::<PyResult<Vec<_>>>()?;
    let method = TuningMethod::of_name(method).ok_or_else(|| {
        value_error(format!("there is no method called {method:?}; known: {}", TuningMethod::names().join(", ")))
    })?;
    let games: Vec<_> = [&experiment]
        .into_iter()
        .chain(others.iter().map(|(other, _)| other))
        .map(|each| each.rules.domain())
        .collect();
    let options = TuningOptions { player, over, constraints, budget, method };
    watched(py, show.as_ref(), |watch| {
        let stop = &watch.stop;
        let plan = |folder: &Path| {
            let tuning = Tuning::over_games(experiment.clone(), others.clone(), options.clone(), folder)?;
            tuning.check(extend).map(|_| tuning)
        };
        let name = format!("{}-tune", experiment.name);
        let (tuning, folder) = opened(folder, &name, extend, plan, TuneError::is_other)?;
        let mut warnings = Vec::new();
        let course = tuning.course().map_err(value_error)?;
        let is_open = course.open().is_some() || retry_failed && course.failed() > 0;
        if let Some(stage) = course.stages().next().filter(|_| is_open) {
            start(stage.experiment.players.iter().map(|player| (player.name.as_str(), &player.spec)), stop)?;
        }
        let permissions = ResumeOptions { extend, retry_failed, ..ResumeOptions::default() };
        let options = PlayOptions { stop: Arc::clone(stop), permissions, ..PlayOptions::default() };
        let total = tuning.rounds().games();
        let mut hands = Hands::of(workers, threads_of(threads, u64::MAX, &games));
        let course = tuning.play_stages(&options, |stage, session, before| -> Result<End, TuneError> {
            warnings.extend(said(&session.problems));
            let mut progress = Sent::from(watch, before, total, &stage.name);
            Ok(session.play_by(&mut hands, stop, &mut progress, &mut |game| {
                let problem = game.failure().map(|failure| format!("failed: {failure}"));
                let problem = problem.or_else(|| game.fault().map(|fault| fault.to_string()));
                warnings.extend(problem.map(|problem| format!("{}: game {}: {problem}", stage.name, game.id())));
            })?)
        });
        quit_programs();
        warnings.extend(hands.problems());
        let course = course.map_err(|error| match error {
            TuneError::Disturbed { .. } | TuneError::Interrupted { .. } => failed(error),
            error => value_error(error),
        })?;
        let outcome = course.outcome.ok_or_else(|| failed("games of the tuning are missing"))?;
        write(&tuning, &outcome).map_err(failed)?;
        Ok((folder, warnings))
    })?
}

/// Opens a bank that is an input of a result.
pub fn open_whole(path: &Path) -> PyResult<Bank> {
    Bank::open_whole(path).map_err(value_error)
}

/// Makes the missing games of a bank. Returns the folder, and warnings.
#[pyfunction]
pub fn run_bank(
    py: Python<'_>,
    recipe: Source,
    folder: Option<PathBuf>,
    #[pyo3(from_py_with = numbers::threads_or_none)] threads: Option<usize>,
    workers: Option<Asked>,
    show: Option<Py<PyAny>>,
    callables: Callables,
) -> PyResult<Done> {
    let _bound = callables.bind()?;
    let recipe = guarded(|| recipe.recipe(&callables))??;
    watched(py, show.as_ref(), |watch| {
        let stop = &watch.stop;
        let plan = |folder: &Path| BankBuild::plan(recipe.clone(), folder).and_then(|build| build.in_shards(None));
        let (build, folder) = opened(folder, &recipe.name, false, plan, RecordError::is_other)?;
        let mut warnings = said(&build.problems);
        let (games, missing) = (build.games() as u64, build.missing() as u64);
        let clock = WallClock::start();
        if missing > 0 {
            let mut progress = Sent::from(watch, games - missing, games, "");
            let mut hands = Hands::of(workers, threads_of(threads, missing, &[recipe.rules.domain()]));
            let end = build.make(&mut hands, stop, &mut progress, &clock);
            warnings.extend(hands.problems());
            let is_usage = |error: &BankError| matches!(error, BankError::Folder(_) | BankError::Start(_));
            if end.map_err(|error| if is_usage(&error) { value_error(error) } else { failed(error) })?
                == End::Interrupted
            {
                return Err(interrupted());
            }
        }
        let whole = plan(&folder).map_err(failed)?;
        whole.gather(&clock).map_err(failed)?;
        open_whole(&folder)?;
        Ok((folder, warnings))
    })?
}

/// The session of an evolution with its bank in a folder.
fn planned(
    plan: &EvolutionPlan,
    folder: &Path,
    options: &EvolutionOptions,
) -> Result<EvolutionSession, EvolutionError> {
    let bank = plan.bank.as_ref().map(|bank| Bank::open_whole(bank)).transpose();
    let bank = bank.map_err(|error| EvolutionError::Plan(error.to_string()))?;
    EvolutionSession::plan(plan.clone(), bank, folder, options)
}

/// Evolves to the end, and writes the report; with seeds, of each of them in a sub-folder, and over all. Returns the
/// folder, and warnings.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are those of Python")]
pub fn run_evolution(
    py: Python<'_>,
    evolution: Source,
    folder: Option<PathBuf>,
    #[pyo3(from_py_with = numbers::threads_or_none)] threads: Option<usize>,
    workers: Option<Asked>,
    extend: bool,
    show: Option<Py<PyAny>>,
    seeds: Option<String>,
    callables: Callables,
) -> PyResult<Done> {
    // While they are bound no other call binds its own.
    let _bound = callables.bind()?;
    let read = |seed: Option<u64>| guarded(|| evolution.evolution_with(seed, &callables, ""))?;
    let plan = read(None)?;
    let seeds = seeds.map(|seeds| EvolutionSet::seeds_of(&seeds)).transpose();
    let seeds = seeds.map_err(|problem| value_error(format!("seeds: {problem}")))?;
    let plans = seeds.iter().flatten().map(|seed| read(Some(*seed))).collect::<PyResult<Vec<_>>>()?;
    let (measured_by, fitness) = callables.2.unzip();
    let mut fitness = fitness.map(|call| Fitness::of(call, &plan)).transpose()?;
    let done = watched(py, show.as_ref(), |watch| {
        let options = EvolutionOptions { extend, measured_by, ..EvolutionOptions::default() };
        let mut hands = Hands::of(workers, threads_of(threads, u64::MAX, &plan.domains()));
        let mut work = Evolving {
            watch,
            executor: fitness.as_mut().map_or(&mut hands as &mut dyn Executor<Blocks>, |fitness| fitness),
            total: u64::from(plan.evolve.generations) * plans.len().max(1) as u64,
            warnings: Vec::new(),
        };
        let Some(seeds) = seeds else {
            let (session, folder) = opened(
                folder,
                &plan.name,
                extend,
                |folder| planned(&plan, folder, &options),
                EvolutionError::is_other,
            )?;
            work.evolve(session, "", 0)?;
            let warnings = work.warnings.into_iter().chain(hands.problems());
            return Ok((folder, warnings.collect()));
        };
        let of_seed = |set: &EvolutionSet, plan: &EvolutionPlan| {
            planned(plan, &set.folder_of(plan.seed), &EvolutionOptions { seed: Some(plan.seed), ..options.clone() })
        };
        let open = |folder: &Path| {
            let set = EvolutionSet::plan(folder, &plan.name, seeds.clone(), extend)?;
            // It may hold the evolutions of another file.
            of_seed(&set, &plans[0])?;
            Ok(set)
        };
        let (set, folder) = opened(folder, &format!("{}-seeds", plan.name), extend, open, EvolutionError::is_other)?;
        set.record().map_err(value_error)?;
        for (place, own) in (0..).zip(&plans) {
            let session = of_seed(&set, own).map_err(value_error)?;
            let before = place * u64::from(plan.evolve.generations);
            if !work.evolve(session, &format!("seed {}: ", own.seed), before)? {
                break;
            }
        }
        let report = SeedsReport::of(&set, &set.evolutions().map_err(failed)?, 0.0);
        let report = report.ok_or_else(|| failed(format!("{}: the journals are gone", folder.display())))?;
        write_documents(&folder, seeds_documents(&report, None), true).map_err(failed)?;
        let warnings = work.warnings.into_iter().chain(hands.problems());
        Ok((folder, warnings.collect()))
    });
    done.and_then(|done| done).map_err(raised)
}

/// What evolutions are carried out with.
struct Evolving<'a> {
    watch: &'a Watch,
    executor: &'a mut dyn Executor<Blocks>,
    /// Generations of all evolutions.
    total: u64,
    warnings: Vec<String>,
}

impl Evolving<'_> {
    /// Evolves to the end unless somebody watches who has enough, and writes the report. Whether it came to the end. What
    /// is shown begins with `of` and has so many generations of other evolutions before it.
    fn evolve(&mut self, session: EvolutionSession, of: &str, before: u64) -> PyResult<bool> {
        let Evolving { watch, executor, total, warnings } = self;
        let (plan, folder) = (session.evolution().clone(), session.folder().to_owned());
        warnings.extend(said(&session.problems));
        let begun = EvolutionFolder::open(&folder).map_err(value_error)?;
        if begun.is_none_or(|begun| begun.progress().evolved.is_none()) {
            start(plan.opponents().iter().map(|opponent| (opponent.name.as_str(), &opponent.spec)), &watch.stop)?;
        }
        let workers = RunContext {
            executor: &mut **executor,
            stop: &watch.stop,
            clock: &WallClock::start(),
            patience: Duration::ZERO,
        };
        let evolved = session.run(workers, &mut |history, rows| {
            if let Some(best) = rows.iter().max_by(|a, b| a.best_gain.total_cmp(&b.best_gain)) {
                let genome = &history.individuals[best.best].genome;
                let line = format!("{of}best {:+.2} {}, {genome}", best.best_gain, plan.unit_of_gains());
                let done = before + u64::from(best.generation) + 1;
                watch.tell((done, *total, line, Some((best.best_gain, genome.to_string()))));
            }
        });
        quit_programs();
        match evolved {
            Err(EvolutionError::Interrupted) if watch.is_enough() => reported(&folder, None).map(|()| false),
            evolved => reported(&folder, Some(&evolved.map_err(of_evolution)?.digest)).map(|()| true),
        }
    }
}

/// Writes the report of an evolution that ended with this digest, or before its end.
pub fn reported(folder: &Path, digest: Option<&str>) -> PyResult<()> {
    let opened = EvolutionFolder::open(folder).map_err(failed)?;
    let progress = opened.as_ref().map(EvolutionFolder::progress);
    let Some((opened, progress)) = opened.as_ref().zip(progress.as_ref()) else {
        return Err(failed(format!("{}: the journal is gone", folder.display())));
    };
    rebuild_evolved(opened, progress).1.map_err(failed)?;
    let recorded = progress.evolved.as_ref().map(|evolved| evolved.digest.as_str());
    if digest.is_some() && recorded != digest {
        let problem = "the journals do not hold what was measured: another process changed them, or an operator is not a \
                       function of its arguments";
        return Err(failed(format!("{}: {problem}", folder.display())));
    }
    Ok(())
}

/// Scores genomes, and writes their tables. Returns the folder, and warnings.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are those of Python")]
pub fn run_scores(
    py: Python<'_>,
    evolution: Source,
    genomes: Vec<(String, Option<String>)>,
    split: &str,
    folder: Option<PathBuf>,
    #[pyo3(from_py_with = numbers::threads_or_none)] threads: Option<usize>,
    workers: Option<Asked>,
    callables: Callables,
) -> PyResult<Done> {
    let _bound = callables.bind()?;
    let also = genomes.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(" ");
    let plan = guarded(|| evolution.evolution_with(None, &callables, &also))??;
    let split = Split::of_name(split).ok_or_else(|| {
        let known = Split::names().join(", ");
        value_error(format!("split: expected one of {known}, found {split:?}"))
    })?;
    if genomes.is_empty() {
        return Err(value_error("there is no formula to score"));
    }
    // A formula of Python knows how its logarithms are protected.
    let read = |(place, (text, ln)): (usize, &(String, Option<String>))| {
        let wrong = |problem: String| value_error(format!("formula {}: {problem}", place + 1));
        if let Some(ln) = ln.as_ref().filter(|ln| **ln != plan.ln.name()) {
            return Err(wrong(format!("its ln is {ln}, that of the player of the evolution is {}", plan.ln.name())));
        }
        plan.read_genome(text).map_err(wrong)
    };
    let genomes: Vec<_> = genomes.iter().enumerate().map(read).collect::<PyResult<_>>()?;
    watched(py, None, |watch| {
        let stop = &watch.stop;
        let options = EvolutionOptions { purpose: Purpose::Scores(split), ..EvolutionOptions::default() };
        let open = |folder: &Path| planned(&plan, folder, &options);
        let name = format!("{}-scores", plan.name);
        let (planned, folder) = opened(folder, &name, false, open, EvolutionError::is_other)?;
        let mut warnings = said(&planned.problems);
        start(plan.opponents().iter().map(|opponent| (opponent.name.as_str(), &opponent.spec)), stop)?;
        let mut hands = Hands::of(workers, threads_of(threads, u64::MAX, &plan.domains()));
        let patience = Duration::ZERO;
        let workers = RunContext { executor: &mut hands, stop, clock: &WallClock::start(), patience };
        let (scores, digest) = planned.score_all(split, workers, genomes);
        quit_programs();
        warnings.extend(hands.problems());
        let digest = digest.map_err(of_evolution)?;
        digest.check(&open(&folder).map_err(value_error)?).map_err(failed)?;
        let rows = (1..).zip(scores).map(|(line, score)| ScoreRow { line, id: None, score }).collect();
        let table = ScoreTable { plan: &plan, split, rows, digest: Some(digest) };
        table.write(&folder).map_err(|(path, error)| failed(format!("{}: cannot write: {error}", path.display())))?;
        Ok((folder, warnings))
    })?
}

/// What is raised where an evolution or scores end with an error.
pub fn of_evolution(error: EvolutionError) -> PyErr {
    match error {
        EvolutionError::Interrupted => interrupted(),
        EvolutionError::Folder(_) | EvolutionError::Start(_) | EvolutionError::Plan(_) => value_error(error),
        error => failed(error),
    }
}

/// The result of a tuning in a sentence.
#[pyfunction]
pub fn tuning_sentence(py: Python<'_>, folder: PathBuf) -> PyResult<String> {
    py.detach(|| {
        let tuning = Tuning::open(&folder).map_err(value_error)?;
        let outcome =
            tuning.map(|tuning| tuning.course().map_err(value_error)).transpose()?.and_then(|course| course.outcome);
        let outcome =
            outcome.ok_or_else(|| value_error(format!("{}: no complete tuning is here", folder.display())))?;
        Ok(outcome.sentence())
    })
}

/// The formulas of a champion by purpose.
type Champion = Vec<(&'static str, String)>;

/// The protection of the logarithms of an evolution, and its champion, which is empty if there is none, or if
/// measurements are missing.
#[pyfunction]
pub fn evolution_champion(py: Python<'_>, folder: PathBuf) -> PyResult<(&'static str, Champion)> {
    let read = || {
        let opened = EvolutionFolder::open(&folder).map_err(value_error)?;
        let opened = opened.ok_or_else(|| value_error(format!("{}: no evolution is here", folder.display())))?;
        let evolved = opened.progress().evolved;
        let champion = evolved.as_ref().and_then(|evolved| evolved.finals.champion());
        let formulas = champion.map_or_else(Vec::new, |(genome, _)| {
            genome.slots().filter_map(|slot| Some((slot.name(), genome.tree(slot)?.infix()))).collect()
        });
        Ok((opened.plan().ln.name(), formulas))
    };
    py.detach(|| guarded(read)?)
}

/// The digest of a bank, and the number of its positions by split.
#[pyfunction]
pub fn bank_contents(py: Python<'_>, folder: PathBuf) -> PyResult<(String, Vec<(&'static str, usize)>)> {
    py.detach(|| {
        let bank = Bank::open_whole(&folder).map_err(value_error)?;
        let splits = Split::NAMES.iter().map(|(name, split)| (*name, bank.positions(*split).len()));
        Ok((bank.digest.clone(), splits.collect()))
    })
}
