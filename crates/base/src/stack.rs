//! Threads whose stacks have one size, independent of the environment (`RUST_MIN_STACK`).

use std::thread::Builder;

/// Bytes of a stack. Search and formulas have bounds that need far less, and only what is used takes memory.
pub const STACK: usize = 2 << 20;

/// A thread of this name that is ready to be started. A pool of threads takes [`STACK`] instead.
pub fn thread(name: &str) -> Builder {
    Builder::new().name(name.to_owned()).stack_size(STACK)
}
