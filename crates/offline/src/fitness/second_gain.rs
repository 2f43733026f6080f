//! What finalists are worth in the second objective.

use super::distinct_decks::Objective;
use super::layout::Layout;
use super::measure::Measured;
use super::pooled::GainEstimate;

/// The second objective of a finalist.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SecondGain {
    /// Its mean.
    pub value: GainEstimate,
    /// Its mean less that of the reference, block by block.
    pub gain: GainEstimate,
}

impl SecondGain {
    /// Adds a batch.
    pub(crate) fn add(&mut self, own: &Measured, reference: &Measured, layout: &Layout) {
        self.value.add_measured(own, Err(&[]), Objective::Second, layout);
        self.gain.add_measured(own, Ok(reference), Objective::Second, layout);
    }
}
