//! Functions of rows of values: a row has one value per child.

/// The values of an argument.
#[derive(Clone, Copy)]
pub(super) enum Argument<'a> {
    /// One value per child.
    Each(&'a [f64]),
    /// One value for all children.
    Same(f64),
    /// The values that the row of the result has so far.
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

/// A function of two blocks.
#[inline]
pub(super) fn combine_blocks<const N: usize>(
    a: &[f64; N],
    b: &[f64; N],
    function: impl Fn(f64, f64) -> f64,
) -> [f64; N] {
    std::array::from_fn(|lane| function(a[lane], b[lane]))
}

/// The same for a function that is a call: a value that the lane before has is not computed again, as blocks repeat
/// their last lane to be full.
#[inline]
pub(super) fn by_lane<const N: usize>(a: &[f64; N], b: &[f64; N], function: impl Fn(f64, f64) -> f64) -> [f64; N] {
    let (mut of, mut value) = ([a[0].to_bits(), b[0].to_bits()], function(a[0], b[0]));
    std::array::from_fn(|lane| {
        let arguments = [a[lane].to_bits(), b[lane].to_bits()];
        if arguments != of {
            (of, value) = (arguments, function(a[lane], b[lane]));
        }
        value
    })
}
