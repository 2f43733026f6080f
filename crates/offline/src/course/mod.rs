//! The courses of an evolution: what is measured next, by what was measured before.

pub(crate) mod algorithm;
pub(crate) mod alike;
pub(crate) mod batches;
pub(crate) mod birth;
pub(crate) mod calibrate;
pub(crate) mod climb;
pub(crate) mod constants;
pub(crate) mod finals;
pub(crate) mod generations;
pub(crate) mod history;
pub(crate) mod proposals;
pub(crate) mod scale;
pub(crate) mod score;
pub(crate) mod steady_state;
