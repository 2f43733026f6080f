//! The positions of a bank: which games they are from, and what each of them is for.

pub(crate) mod origin;
pub(crate) mod recipe;
pub(crate) mod split;
