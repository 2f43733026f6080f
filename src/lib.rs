//! evouct: experiments in which game-playing search is improved by evolution.

#![forbid(unsafe_code)]
#![warn(missing_docs, unreachable_pub)]

pub mod carcassonne;
pub mod game;
pub mod sampling;
pub mod seed;
