//! Functions of rows of values: a row has one value per child.

/// The values of an argument.
#[derive(Clone, Copy)]
pub(super) enum Argument<'a> {
    /// One per child.
    Each(&'a [f64]),
    /// One for all.
    Same(f64),
    /// Those in the row of the result.
    Own,
}

/// Sets each value of a row to a function of it and the arguments.
#[inline]
pub(super) fn combine(a: Argument, b: Argument, out: &mut [f64], function: impl Fn(f64, f64) -> f64) {
    use Argument::{Each, Own, Same};
    // One loop per form, so that each becomes vector instructions.
    match (a, b) {
        (Each(a), Each(b)) => out.iter_mut().zip(a).zip(b).for_each(|((out, a), b)| *out = function(*a, *b)),
        (Each(a), Same(b)) => out.iter_mut().zip(a).for_each(|(out, a)| *out = function(*a, b)),
        (Each(a), Own) => out.iter_mut().zip(a).for_each(|(out, a)| *out = function(*a, *out)),
        (Same(a), Each(b)) => out.iter_mut().zip(b).for_each(|(out, b)| *out = function(a, *b)),
        (Same(a), Own) => out.iter_mut().for_each(|out| *out = function(a, *out)),
        (Own, Each(b)) => out.iter_mut().zip(b).for_each(|(out, b)| *out = function(*out, *b)),
        (Own, Same(b)) => out.iter_mut().for_each(|out| *out = function(*out, b)),
        (Own, Own) => out.iter_mut().for_each(|out| *out = function(*out, *out)),
        (Same(a), Same(b)) => out.fill(function(a, b)),
    }
}
