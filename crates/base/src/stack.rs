//! Threads whose stacks have one size, independent of the environment (`RUST_MIN_STACK`, `ulimit -s`).

use std::thread::Builder;

/// Bytes of a stack. Search and formulas have bounds that need far less, and only what is used takes memory.
pub const STACK: usize = 2 << 20;

/// Bytes of the stack of a program's own work, as the first thread has them elsewhere.
const MAIN: usize = 8 << 20;

/// Does the work of a program on a thread with a stack of its own; on the calling one where no thread can be started.
/// None if it panics.
pub fn on_own_stack<T: Send>(work: impl Fn() -> T + Send + Sync) -> Option<T> {
    std::thread::scope(|scope| {
        match Builder::new().name("main".to_owned()).stack_size(MAIN).spawn_scoped(scope, &work) {
            Ok(thread) => thread.join().ok(),
            Err(_) => Some(work()),
        }
    })
}

/// A thread of this name that is ready to be started. A pool of threads takes [`STACK`] instead.
pub fn thread(name: &str) -> Builder {
    Builder::new().name(name.to_owned()).stack_size(STACK)
}
