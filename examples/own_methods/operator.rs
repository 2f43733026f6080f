//! An operator of variation: one formula of the offspring is the sum of those of both parents.
//!
//! Its name is a key of `[evolve]`: its weight among the operators.

use evouct::gp::{Function, Genome, Operator, Tree, Variation, in_one_slot};
use rand::Rng;

#[derive(Debug)]
pub struct Blend;

impl Operator for Blend {
    fn name(&self) -> &'static str {
        "blend"
    }

    fn about(&self) -> &'static str {
        "Weight of the sum of both parents."
    }

    fn crosses(&self) -> bool {
        true
    }

    fn apply(&self, [parent, other]: [&Genome; 2], _: &Variation, rng: &mut dyn Rng) -> Genome {
        in_one_slot(parent, rng, |slot, tree, _| match other.tree(slot) {
            Some(theirs) => Tree::apply(Function::Add, &[tree.clone(), theirs.clone()]),
            None => tree.clone(),
        })
    }
}
