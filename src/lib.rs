//! evouct: experiments in which game-playing search is improved by evolution.

#![forbid(unsafe_code)]
#![warn(missing_docs, unreachable_pub)]

pub mod carcassonne;
pub mod evolve;
pub mod game;
pub mod gp;
mod nearest;
pub mod player;
pub mod sampling;
pub mod search;
pub mod seed;
