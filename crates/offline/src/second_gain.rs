//! What finalists are worth in the second objective.

use super::measure::Measured;
use super::pooled::Pooled;

/// The second objective of a finalist.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SecondGain {
    /// Its mean.
    pub value: Pooled,
    /// Its mean less that of the reference, block by block.
    pub gain: Pooled,
}

impl SecondGain {
    /// Adds a batch. `units` are those of each block.
    pub(super) fn add(&mut self, own: &Measured, reference: &Measured, units: &[u32]) {
        self.value.add_against(&own.second, 0.0, units.iter().copied());
        self.gain.add(&own.second, &reference.second, units.iter().copied());
    }
}
