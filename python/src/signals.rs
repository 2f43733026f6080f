//! Long work that ends at a signal of Python, such as Ctrl-C.

use evouct::stack;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel, sync_channel};
use std::time::Duration;

/// The time between two looks at the signals.
const LOOK: Duration = Duration::from_millis(50);

/// Does the work on a thread of its own, while the calling thread looks for signals. After one that raises an error
/// `stop` is set, and the work is not waited for.
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let (send, receive) = sync_channel(1);
    let stopped = Arc::clone(&stop);
    let thread = stack::thread("work").spawn(move || {
        // After a signal the receiver is gone.
        let _ = send.send(work(&stopped));
    });
    let thread = thread.map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
    py.detach(move || {
        loop {
            match receive.recv_timeout(LOOK) {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(error) = Python::attach(|py| py.check_signals()) {
                        stop.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let message = thread.join().err().map_or_else(String::new, |panic| message(&*panic));
                    return Err(PyRuntimeError::new_err(message));
                }
            }
        }
    })
}

/// What is done of a work, and of how much. The text is empty, or tells what was just completed; then, in an evolution,
/// the best gain and its formulas.
pub type Shown = (u64, u64, String, Option<(f64, String)>);

/// What a work that is watched looks at, and tells.
pub struct Watch {
    /// Set to end the work early.
    pub stop: Arc<AtomicBool>,
    /// Set before `stop` if `show` asks for the end, so that what is there is a result.
    is_enough: AtomicBool,
    shows: Sender<Shown>,
}

impl Watch {
    /// Tells the caller.
    pub fn tell(&self, shown: Shown) {
        // The receiver lives as long as the work.
        let _ = self.shows.send(shown);
    }

    /// Whether `show` has ended the work.
    pub fn is_enough(&self) -> bool {
        self.is_enough.load(Ordering::Relaxed)
    }
}

/// Does the work on a thread of its own, while the calling thread looks for signals and passes what the work sends to
/// `show`, of several numbers that are sent at once only the last, and the first of all. `show` ends the work early if it
/// returns True. After an error of either `stop` is set; the error is raised when the work has ended.
pub fn watched<T: Send>(
    py: Python<'_>,
    show: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    let (shows, shown) = channel::<Shown>();
    let watch = Watch { stop: Arc::new(AtomicBool::new(false)), is_enough: AtomicBool::new(false), shows };
    py.detach(move || {
        let mut is_first = true;
        let mut look = || -> PyResult<()> {
            let mut events = shown.try_iter().peekable();
            Python::attach(|py| {
                py.check_signals()?;
                while let Some(event) = events.next() {
                    let is_shown = is_first || events.peek().is_none() || !event.2.is_empty();
                    is_first = false;
                    if let Some(show) = show.filter(|_| is_shown)
                        && show.call1(py, event)?.extract(py).unwrap_or(false)
                    {
                        watch.is_enough.store(true, Ordering::Relaxed);
                        watch.stop.store(true, Ordering::Relaxed);
                    }
                }
                Ok(())
            })
        };
        std::thread::scope(|scope| {
            let (send, receive) = sync_channel(1);
            let watched = &watch;
            let thread = stack::thread("work").spawn_scoped(scope, move || {
                // The receiver waits for the result.
                let _ = send.send(work(watched));
            });
            let thread = thread.map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
            let mut raised = None;
            loop {
                match receive.recv_timeout(LOOK) {
                    Ok(result) => {
                        look().or_else(|error| raised.is_some().then_some(()).ok_or(error))?;
                        return raised.map_or(Ok(result), Err);
                    }
                    Err(RecvTimeoutError::Timeout) if raised.is_some() => {}
                    Err(RecvTimeoutError::Timeout) => {
                        raised = look().err();
                        watch.stop.fetch_or(raised.is_some(), Ordering::Relaxed);
                    }
                    Err(RecvTimeoutError::Disconnected) => {
                        let message = thread.join().err().map_or_else(String::new, |panic| message(&*panic));
                        return Err(PyRuntimeError::new_err(message));
                    }
                }
            }
        })
    })
}

/// What a panic says.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    format!("a panic: {}", text.unwrap_or("without a message"))
}
