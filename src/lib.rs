//! evouct: experiments in which game-playing search is improved by evolution.

#![forbid(unsafe_code)]
#![warn(missing_docs, unreachable_pub)]

pub mod bench;
pub mod carcassonne;
pub mod clock;
pub mod cluster;
pub mod config;
pub mod error;
pub mod evolve;
pub mod game;
pub mod gp;
pub mod league;
mod nearest;
pub mod player;
pub mod processor;
pub mod record;
pub mod report;
pub mod sampling;
pub mod schedule;
pub mod search;
pub mod seed;
pub mod stats;
