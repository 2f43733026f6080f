//! The games through their public contracts.

mod openspiel;
