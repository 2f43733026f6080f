//! What finalists are worth in the second objective.

use super::distinct_decks::Objective;
use super::measure::Measured;
use super::pooled::Pooled;

/// The second objective of a finalist.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SecondGain {
    /// Its mean.
    pub value: Pooled,
    /// Its mean less that of the reference, block by block.
    pub gain: Pooled,
}

impl SecondGain {
    /// Adds a batch. `units` are those of each block.
    pub(crate) fn add(&mut self, own: &Measured, reference: &Measured, units: &[u32]) {
        self.value.add_measured(own, Err(0.0), Objective::Second, units);
        self.gain.add_measured(own, Ok(reference), Objective::Second, units);
    }
}
