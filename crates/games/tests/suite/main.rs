//! The games through their public contracts.

mod boards;
mod openspiel;
mod transpositions;
