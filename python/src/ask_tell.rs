//! Evolutions whose measurements Python makes.

use crate::errors::{failed, value_error};
use crate::numbers;
use crate::runs::{Source, in_runs, interrupted, of_evolution, open_whole, reported, said};
use crate::signals::{interruptible, watched};
use evouct::clock::WallClock;
use evouct::external::quit_programs;
use evouct::named::Named;
use evouct::offline::{
    Against, AskTell, AskedBlock, EvolutionOptions, EvolutionPlan, EvolutionSession, Measurer, PlayedBlock, Purpose,
    TellError, Told,
};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The interval between looks whether a call was interrupted.
const TICK: Duration = Duration::from_millis(50);

/// What another process needs to measure as this one.
struct Origin {
    toml: String,
    seed: Option<u64>,
    bank: Option<PathBuf>,
}

/// Computes measurements of one evolution.
#[pyclass(module = "evouct._native", frozen)]
pub struct MeasurerCore {
    measurer: Arc<Measurer>,
    origin: Arc<Origin>,
}

impl MeasurerCore {
    fn measurement(&self, asked: AskedBlock) -> MeasurementCore {
        MeasurementCore { measurer: Arc::clone(&self.measurer), origin: Arc::clone(&self.origin), asked }
    }
}

#[pymethods]
impl MeasurerCore {
    /// That of an evolution elsewhere; `digest` is that of its bank there, empty without one.
    #[new]
    fn new(
        py: Python<'_>,
        toml: String,
        #[pyo3(from_py_with = numbers::seed_or_none)] seed: Option<u64>,
        bank: Option<PathBuf>,
        digest: &str,
    ) -> PyResult<MeasurerCore> {
        py.detach(|| {
            let plan = EvolutionPlan::parse(&toml, "the evolution", seed).map_err(value_error)?;
            let opened = bank.as_ref().map(|bank| open_whole(bank)).transpose()?;
            if let Some((found, path)) = opened.as_ref().zip(bank.as_ref())
                && found.digest != digest
            {
                let found = &found.digest;
                let path = path.display();
                let problem =
                    format!("{path}: the bank has the digest {found:.12}, that of the evolution {digest:.12}");
                return Err(value_error(problem));
            }
            let measurer = Measurer::new(plan, opened, Purpose::Evolution).map_err(value_error)?;
            Ok(MeasurerCore { measurer: Arc::new(measurer), origin: Arc::new(Origin { toml, seed, bank }) })
        })
    }

    /// The measurement of this text.
    fn read(&self, text: &str) -> PyResult<MeasurementCore> {
        AskedBlock::parse(text, self.measurer.plan()).map(|asked| self.measurement(asked)).map_err(value_error)
    }
}

/// The formulas of a genome by purpose.
type Formulas = Vec<(&'static str, String)>;

/// A measurement that an evolution asks for: one block.
#[pyclass(module = "evouct._native", frozen)]
pub struct MeasurementCore {
    measurer: Arc<Measurer>,
    origin: Arc<Origin>,
    asked: AskedBlock,
}

#[pymethods]
impl MeasurementCore {
    /// The protection of the logarithms, and the formulas.
    fn formulas(&self) -> (&'static str, Formulas) {
        let genome = &self.asked.request.genome;
        let formulas = genome.slots().filter_map(|slot| Some((slot.name(), genome.tree(slot)?.infix())));
        (self.measurer.plan().ln.name(), formulas.collect())
    }

    /// What asks for it.
    fn part(&self) -> &'static str {
        self.asked.part(self.measurer.plan()).name()
    }

    /// The generation, from 1.
    fn generation(&self) -> Option<u32> {
        self.asked.generation(self.measurer.plan()).map(|generation| generation + 1)
    }

    /// The stage, from 1, and what it measures.
    fn stage(&self) -> (usize, &'static str) {
        let stage = self.asked.request.stage;
        (stage + 1, self.measurer.plan().stages[stage].measure.name())
    }

    /// The number of the batch in its stage.
    fn batch(&self) -> u32 {
        self.asked.request.batch
    }

    /// The first unit, and the one after the last.
    fn units(&self) -> (u32, u32) {
        let units = self.asked.units(self.measurer.plan());
        (units.start, units.end)
    }

    /// The opponent: its name, or its formulas.
    fn opponent(&self) -> Option<String> {
        self.asked.against(self.measurer.plan()).map(|against| match against {
            Against::Opponent(name) => name,
            Against::Genome(genome) => genome.to_string(),
        })
    }

    /// The sum, and its seal with the seconds that it took.
    fn play(&self, py: Python<'_>) -> PyResult<(f64, String)> {
        let (measurer, asked) = (Arc::clone(&self.measurer), self.asked.clone());
        // After a signal the caller has left.
        let played = interruptible(py, move |stop| asked.play_until(&measurer, stop))?.ok_or_else(interrupted)?;
        let sealed = |PlayedBlock { sum, seconds, seal }| {
            (sum, seconds.map_or_else(|| seal.clone(), |seconds| format!("{seal} {seconds}")))
        };
        played.map(sealed).map_err(|error| failed(format!("the formula {error}")))
    }

    /// The arguments of a `MeasurerCore` elsewhere, and the text that it reads.
    fn written(&self) -> (String, Option<u64>, Option<PathBuf>, String, String) {
        let Origin { toml, seed, bank } = &*self.origin;
        (toml.clone(), *seed, bank.clone(), self.measurer.bank_digest().to_owned(), self.asked.to_text())
    }
}

/// An evolution that asks and is told.
#[pyclass(module = "evouct._native", frozen)]
pub struct EvolutionCore {
    core: MeasurerCore,
    folder: PathBuf,
    warnings: Vec<String>,
    /// None when it was closed.
    evolution: Mutex<Option<AskTell>>,
}

impl EvolutionCore {
    fn evolution(&self) -> MutexGuard<'_, Option<AskTell>> {
        self.evolution.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for EvolutionCore {
    /// The course may need Python to end.
    fn drop(&mut self) {
        let evolution = self.evolution().take();
        Python::attach(|py| py.detach(|| drop(evolution)));
    }
}

/// Does something, and passes a stop on to another one meanwhile: the course may wait for a proposer.
fn while_stopping<T>(stop: &AtomicBool, other: &AtomicBool, work: impl FnOnce() -> T) -> T {
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
                std::thread::park_timeout(TICK);
            }
            if stop.load(Ordering::Relaxed) {
                other.store(true, Ordering::Relaxed);
            }
        });
        let done = work();
        is_done.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        done
    })
}

fn closed() -> PyErr {
    value_error("the evolution was closed; another one in the same folder goes on")
}

#[pymethods]
impl EvolutionCore {
    #[new]
    fn new(
        py: Python<'_>,
        source: Source,
        folder: Option<PathBuf>,
        #[pyo3(from_py_with = numbers::seed_or_none)] seed: Option<u64>,
        measured_by: Option<String>,
    ) -> PyResult<EvolutionCore> {
        let plan = source.evolution(seed)?;
        let folder = in_runs(folder, &plan.name);
        let bank = plan.bank.as_ref().map(std::path::absolute).transpose().map_err(value_error)?;
        let origin = Arc::new(Origin { toml: plan.toml.clone(), seed, bank });
        watched(py, None, |_| {
            let bank = origin.bank.as_ref().map(|bank| open_whole(bank)).transpose()?;
            let options = EvolutionOptions { seed, measured_by, ..EvolutionOptions::default() };
            let session = EvolutionSession::plan(plan, bank, &folder, &options).map_err(value_error)?;
            let core = MeasurerCore { measurer: Arc::clone(session.measurer()), origin: Arc::clone(&origin) };
            let warnings = said(&session.problems);
            let evolution = AskTell::begin(session, Box::new(WallClock::start())).map_err(of_evolution)?;
            Ok(EvolutionCore { core, folder, warnings, evolution: Mutex::new(Some(evolution)) })
        })?
    }

    #[getter]
    fn folder(&self) -> PathBuf {
        self.folder.clone()
    }

    /// What is wrong with the records.
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// The measurements that are missing.
    fn ask(&self, py: Python<'_>) -> PyResult<Vec<MeasurementCore>> {
        watched(py, None, |watch| {
            let mut evolution = self.evolution();
            let evolution = evolution.as_mut().ok_or_else(closed)?;
            let of_course = Arc::clone(evolution.stop());
            let asked = while_stopping(&watch.stop, &of_course, || evolution.ask()).map_err(of_evolution)?;
            Ok(asked.into_iter().map(|asked| self.core.measurement(asked)).collect())
        })?
    }

    /// Takes values, each with the seal of what evouct has computed: of these measurements, or of all that were asked
    /// for.
    fn tell(
        &self,
        py: Python<'_>,
        values: Vec<(f64, Option<String>)>,
        measurements: Option<Vec<Bound<'_, MeasurementCore>>>,
    ) -> PyResult<()> {
        let told = |(sum, seal): (f64, Option<String>)| match seal {
            Some(seal) => {
                let (seal, seconds) = seal.split_once(' ').unwrap_or((&seal, ""));
                let seconds = seconds.parse().ok().filter(|seconds: &f64| (0.0..f64::INFINITY).contains(seconds));
                Told::Played(PlayedBlock { sum, seconds, seal: seal.to_owned() })
            }
            None => Told::Other(sum),
        };
        let told: Vec<Told> = values.into_iter().map(told).collect();
        let of = |measurements: Vec<Bound<'_, MeasurementCore>>| -> Vec<AskedBlock> {
            measurements.iter().map(|each| each.get().asked.clone()).collect()
        };
        let asked = measurements.map(of);
        watched(py, None, |watch| {
            let mut evolution = self.evolution();
            let evolution = evolution.as_mut().ok_or_else(closed)?;
            let of_course = Arc::clone(evolution.stop());
            let taken = while_stopping(&watch.stop, &of_course, || match asked {
                Some(asked) => evolution.tell_of(&asked, &told),
                None => evolution.tell(&told),
            });
            taken.map_err(|error| match error {
                TellError::Evolution(error) => of_evolution(error),
                refused => value_error(refused),
            })
        })?
    }

    /// Writes the report of an evolution that has ended; the folder, and warnings.
    fn finish(&self, py: Python<'_>) -> PyResult<(PathBuf, Vec<String>)> {
        watched(py, None, |_| {
            let evolution = self.evolution();
            let result = evolution.as_ref().ok_or_else(closed)?.result();
            let evolved = result.ok_or_else(|| value_error("the evolution has not ended: ask returns measurements"))?;
            reported(&self.folder, Some(&evolved.digest))?;
            Ok((self.folder.clone(), Vec::new()))
        })?
    }

    /// Frees the journal.
    fn close(&self, py: Python<'_>) {
        py.detach(|| {
            drop(self.evolution().take());
            quit_programs();
        });
    }
}
