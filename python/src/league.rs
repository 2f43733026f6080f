//! Leagues.

use crate::numbers;
use crate::rules::value_error;
use evouct::config::{Experiment, Overrides};
use evouct::external::{NotReady, quit_programs, start_programs};
use evouct::kinds::programs;
use evouct::league::{End, Permissions, Progress, Session};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ends the run when Python has a signal, such as Ctrl-C.
struct Interruptible<'a> {
    stop: &'a AtomicBool,
    raised: Option<PyErr>,
}

impl Progress for Interruptible<'_> {
    fn tick(&mut self, _games_done: usize) {
        if let Some(error) = signal() {
            self.stop.store(true, Ordering::Relaxed);
            self.raised = Some(error);
        }
    }
}

/// What Python raises where it has a signal.
fn signal() -> Option<PyErr> {
    Python::attach(|py| py.check_signals()).err()
}

fn interrupted() -> PyErr {
    PyRuntimeError::new_err("the run was interrupted")
}

/// Starts the programs that play in the missing games. None is left where one does not start.
fn start(session: &Session) -> PyResult<()> {
    let players = session.experiment().players.iter();
    let (names, programs) = programs(players.map(|player| (player.name.as_str(), &player.spec)));
    let mut raised = None;
    let started = start_programs(&programs, || {
        raised = signal();
        raised.is_some()
    });
    started.map_err(|problem| {
        quit_programs();
        match problem {
            NotReady::Fault(place, fault) => value_error(format!("{}: {fault}", names[place])),
            NotReady::Stopped => raised.unwrap_or_else(interrupted),
        }
    })
}

/// Plays the missing games of an experiment file and returns the run folder, `runs/NAME` unless another is given. A run
/// that was interrupted goes on. `evouct report` makes the report.
#[pyfunction]
#[pyo3(signature = (path, folder = None, threads = 1))]
pub fn run(
    py: Python<'_>,
    path: PathBuf,
    folder: Option<PathBuf>,
    #[pyo3(from_py_with = numbers::threads)] threads: usize,
) -> PyResult<PathBuf> {
    let experiment = Experiment::load(&path, Overrides::default()).map_err(value_error)?;
    let folder = folder.unwrap_or_else(|| Path::new("runs").join(&experiment.name));
    let permissions = Permissions { extend: false, allow_version: false, retry_failed: false };
    let session = Session::plan(experiment, &folder, None, permissions).map_err(value_error)?;
    let stop = Arc::new(AtomicBool::new(false));
    if session.missing() > 0 {
        py.detach(|| start(&session))?;
    }
    let (end, raised) = py.detach(|| {
        let mut progress = Interruptible { stop: &stop, raised: None };
        let end = session.play(threads, &stop, &mut progress, |_| ());
        quit_programs();
        (end, progress.raised)
    });
    match (end, raised) {
        (_, Some(error)) => Err(error),
        (Err(error), None) => Err(PyRuntimeError::new_err(error.to_string())),
        (Ok(End::Interrupted), None) => Err(interrupted()),
        (Ok(End::Done), None) => Ok(folder),
    }
}
