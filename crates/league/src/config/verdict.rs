//! Whether printed numbers and ours agree.

use evouct_stats::SIGNIFICANCE_LEVEL;
use serde::Serialize;

evouct_base::named! {
    /// Whether a printed number and ours agree, or a claim and what was found.
    #[derive(Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Verdict {
        /// The p-value of the difference is at least 0.05.
        Agrees = "agrees",
        /// The p-value is below 0.05, which random variation alone causes for one number in twenty.
        Differs = "differs",
        /// There is no p-value: a number is missing, or there are too few games, or too many to resample.
        CannotBeCompared = "cannot be compared",
    }
}

impl Verdict {
    /// The verdict for the p-value of a difference.
    pub fn of(p: Option<f64>) -> Verdict {
        match p {
            None => Verdict::CannotBeCompared,
            Some(p) if p < SIGNIFICANCE_LEVEL => Verdict::Differs,
            Some(_) => Verdict::Agrees,
        }
    }
}
