//! The tuning methods that there are.

use super::drawn::Cma;
use super::halving::Halving;
use super::method::TuningAlgorithm;
use super::surface::BySurface;
use evouct_base::listed::{Chosen, Extensible, List};

/// How the best candidate is found: a method that is known, by its name.
pub type TuningMethod = Chosen<dyn TuningAlgorithm>;

/// All tuning methods. A program adds its own by [`List::add`].
pub static METHODS: List<dyn TuningAlgorithm> = List::new(&[&Halving, &BySurface, &Cma]);

impl Extensible for dyn TuningAlgorithm {
    const WHAT: &'static str = "tuning method";

    fn listed_name(&self) -> &'static str {
        self.name()
    }

    fn list() -> &'static List<dyn TuningAlgorithm> {
        &METHODS
    }
}
