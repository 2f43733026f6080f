//! Executors of Python as pools of workers.

use evouct::league::{
    End, Executor, Found, Games, Job, Pool, PoolError, PoolWorkers, StartError, Taker, Threads, Ticketed, answer,
};
use evouct::offline::{BankGames, Blocks};
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// An `evouct.executors.Pool`, and the share of records that another worker does again.
#[derive(FromPyObject)]
pub struct Asked(Py<PyAny>, f64);

/// Who does a job: threads of this machine, or the workers of an executor.
pub enum Hands {
    Threads(Threads),
    Pool(PoolWorkers<PythonPool>),
}

impl Hands {
    /// The workers that were asked for, or so many threads.
    pub fn of(asked: Option<Asked>, threads: usize) -> Hands {
        match asked {
            Some(Asked(pool, replay)) => Hands::Pool(PoolWorkers::of(PythonPool(pool), replay)),
            None => Hands::Threads(Threads::of(threads)),
        }
    }

    /// What workers did wrong, in sentences.
    pub fn problems(self) -> Vec<String> {
        match self {
            Hands::Threads(_) => Vec::new(),
            Hands::Pool(workers) => workers.problems,
        }
    }
}

impl<J: Job> Executor<J> for Hands
where
    J::Error: From<StartError> + From<PoolError>,
{
    fn carry_out(
        &mut self,
        job: &Arc<J>,
        stop: &Arc<AtomicBool>,
        taker: &mut dyn Taker<J::Record, J::Error>,
    ) -> Result<End, J::Error> {
        match self {
            Hands::Threads(threads) => threads.carry_out(job, stop, taker),
            Hands::Pool(workers) => workers.carry_out(job, stop, taker),
        }
    }
}

/// The workers of an executor.
pub struct PythonPool(Py<PyAny>);

impl PythonPool {
    fn with<T>(&self, call: impl FnOnce(&Bound<PyAny>) -> PyResult<T>) -> Result<T, String> {
        let words = |error: PyErr| error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        Python::attach(|py| call(self.0.bind(py)).map_err(words))
    }
}

impl Pool for PythonPool {
    fn workers(&mut self) -> Result<usize, String> {
        self.with(|pool| pool.call_method0("workers")?.extract())
    }

    fn chunk_time(&self) -> Duration {
        let seconds = self.with(|pool| pool.getattr("chunk_seconds")?.extract::<f64>());
        seconds.ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or(Duration::ZERO)
    }

    fn submit(&mut self, ticket: u64, chunk: String) -> Result<(), String> {
        self.with(|pool| pool.call_method1("submit", (ticket, chunk.as_bytes())).map(drop))
    }

    fn answers(&mut self, wait: Duration) -> Result<Vec<Ticketed>, String> {
        let answers: Vec<(u64, Option<Vec<u8>>, String)> =
            self.with(|pool| pool.call_method1("answers", (wait.as_secs_f64(),))?.extract())?;
        let read = |(ticket, bytes, problem): (u64, Option<Vec<u8>>, String)| {
            let text = bytes.ok_or(problem);
            (ticket, text.and_then(|bytes| String::from_utf8(bytes).map_err(|_| "an answer is no text".to_owned())))
        };
        Ok(answers.into_iter().map(read).collect())
    }

    fn forget(&mut self) {
        // An executor that cannot cancel does work in vain.
        let _ = self.with(|pool| pool.call_method0("forget").map(drop));
    }
}

/// The job of a task.
fn find(task: &str) -> Result<Found, String> {
    let value: serde_json::Value = serde_json::from_str(task).map_err(|error| error.to_string())?;
    match value["kind"].as_str() {
        Some(Games::TASK) => Games::of_task(task).map(Found::of),
        Some(BankGames::TASK) => BankGames::of_task(task).map(Found::of),
        Some(Blocks::TASK) => Blocks::of_task(task).map(Found::of),
        kind => Err(format!("a task of kind {kind:?} is not known here")),
    }
}

/// As a worker of an executor: does the units of a chunk, and answers.
#[pyfunction]
pub fn answer_chunk(py: Python<'_>, chunk: Vec<u8>) -> Vec<u8> {
    py.detach(|| answer(&String::from_utf8_lossy(&chunk), find).into_bytes())
}

/// As a worker process: answers the chunks on stdin, for the process that started this one.
#[pyfunction]
pub fn work(py: Python<'_>) -> PyResult<()> {
    Ok(py.detach(|| evouct::league::work(std::io::stdin().lock(), std::io::stdout().lock(), find))?)
}
