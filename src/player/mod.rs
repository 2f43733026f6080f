//! Players: the contract, and the registry that makes them from configuration.
//!
//! A [`Spec`] is a kind of player with every parameter resolved; [`KINDS`](kinds::kinds) lists the kinds with their
//! parameters, defaults and sources. A player is made anew for each game with a key of its own.

mod contract;
mod contradiction;
mod flat;
mod groups;
mod kinds;
mod mcts;
mod options;
mod parameter;
mod random;
mod spec;
mod star;

pub use contract::{Considered, Decision, Player, Position};
pub use kinds::{Kind, kind, kinds};
pub use parameter::{Domain, Parameter, Raw, Value};
pub use spec::{Preset, Spec, SpecError};
