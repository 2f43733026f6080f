//! Long work that ends at a signal of Python, such as Ctrl-C.

use evouct::stack;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
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

/// What a panic says.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    format!("a panic: {}", text.unwrap_or("without a message"))
}
