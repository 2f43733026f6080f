//! The sets that random formulas draw from: functions and constants.

use super::primitive::Function;
use std::fmt;

/// The most members of a set: all functions, those of evouct and those that can be added.
const MOST: usize = 48;

/// The functions that new subtrees are made of, in the order in which random choices number them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FunctionSet {
    functions: [Function; MOST],
    count: usize,
}

/// The numbers that constants are drawn from, in the order in which random choices number them.
#[derive(Clone, Copy, PartialEq)]
pub struct ConstantSet {
    constants: [f64; MOST],
    count: usize,
}

impl FunctionSet {
    /// The set of these functions; none if the list is empty or too long, or has a duplicate.
    pub fn of(functions: &[Function]) -> Option<FunctionSet> {
        let repeated = functions.iter().enumerate().any(|(place, function)| functions[..place].contains(function));
        if functions.is_empty() || functions.len() > MOST || repeated {
            return None;
        }
        let mut set = FunctionSet { functions: [functions[0]; MOST], count: functions.len() };
        set.functions[..functions.len()].copy_from_slice(functions);
        Some(set)
    }

    /// The functions of the set, in the order in which they were given.
    pub fn functions(&self) -> &[Function] {
        &self.functions[..self.count]
    }
}

/// The functions of the paper.
impl Default for FunctionSet {
    fn default() -> FunctionSet {
        FunctionSet::of(&Function::PAPER).expect("the paper's functions are a set")
    }
}

impl fmt::Debug for FunctionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.functions()).finish()
    }
}

impl ConstantSet {
    /// The set of these numbers; none if there are none or too many, or if one is not finite.
    pub fn of(constants: &[f64]) -> Option<ConstantSet> {
        let fits = (1..=MOST).contains(&constants.len()) && constants.iter().all(|number| number.is_finite());
        fits.then(|| {
            let mut set = ConstantSet { constants: [0.0; MOST], count: constants.len() };
            set.constants[..constants.len()].copy_from_slice(constants);
            set
        })
    }

    /// The numbers of the set, in the order in which they were given.
    pub fn constants(&self) -> &[f64] {
        &self.constants[..self.count]
    }

    /// One of the numbers, each equally likely.
    pub fn draw(&self, rng: &mut (impl rand::Rng + ?Sized)) -> f64 {
        self.constants[evouct_base::sampling::below(rng, self.count)]
    }
}

/// The numbers of the paper (Galván et al. 2022, section V-A).
impl Default for ConstantSet {
    fn default() -> ConstantSet {
        ConstantSet::of(&super::creator::CONSTANTS).expect("the paper's numbers are few and finite")
    }
}

impl fmt::Debug for ConstantSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.constants()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_they_are_given() {
        assert_eq!(
            FunctionSet::of(&[Function::Mul, Function::Add]).unwrap().functions(),
            [Function::Mul, Function::Add]
        );
        assert_eq!(FunctionSet::of(&[]), None);
        assert_eq!(FunctionSet::of(&[Function::Ln, Function::Ln]), None);
        assert_eq!(FunctionSet::default().functions(), Function::PAPER);
        assert_eq!(ConstantSet::of(&[1.0, 2.0]).unwrap().constants(), [1.0, 2.0]);
        assert!(ConstantSet::of(&[]).is_none() && ConstantSet::of(&[f64::NAN]).is_none());
        assert_eq!(ConstantSet::default().constants().len(), 8);
    }
}
