//! Fitness: what measurements are worth, and the estimates that are made of them.

pub(crate) mod distinct_decks;
pub(crate) mod estimate;
pub(crate) mod layout;
pub(crate) mod measure;
pub(crate) mod oracle_gain;
pub(crate) mod pooled;
pub(crate) mod replay;
pub(crate) mod second_gain;
