//! Games and decisions that several tests share.

pub mod cancelled;
pub mod decisions;
pub mod searches;
pub mod tokens;
pub mod written;

pub use tokens::*;
