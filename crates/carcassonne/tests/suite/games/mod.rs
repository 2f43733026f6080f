//! Games and decisions that several tests share.

pub mod cancelled;
pub mod decisions;
pub mod tokens;

pub use tokens::*;
