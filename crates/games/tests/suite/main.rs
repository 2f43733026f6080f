//! The games through their public contracts.

mod boards;
mod logs;
mod openspiel;
mod transpositions;
