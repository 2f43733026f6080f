//! How many printed numbers and ours agree.

use evouct_league::config::Verdict;
use evouct_stats::holm::holm;
use serde::Serialize;

/// Numbers by verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Verdicts {
    /// Numbers that agree.
    pub agree: usize,
    /// Numbers that differ.
    pub differ: usize,
    /// Of these, the numbers that differ after Holm's correction over the numbers compared together. In a total the
    /// correction is per table.
    pub differ_by_holm: usize,
    /// Numbers that cannot be compared.
    pub not_compared: usize,
}

impl Verdicts {
    /// Counts the verdicts on numbers by the p-values of their differences.
    pub(super) fn of(p_values: impl Iterator<Item = Option<f64>>) -> Verdicts {
        let p_values: Vec<Option<f64>> = p_values.collect();
        let count = |values: &[Option<f64>], wanted| values.iter().filter(|p| Verdict::of(**p) == wanted).count();
        let corrected = holm(&p_values).expect("p-values are from 0 to 1");
        Verdicts {
            agree: count(&p_values, Verdict::Agrees),
            differ: count(&p_values, Verdict::Differs),
            differ_by_holm: count(&corrected, Verdict::Differs),
            not_compared: count(&p_values, Verdict::CannotBeCompared),
        }
    }
}

impl std::ops::AddAssign for Verdicts {
    fn add_assign(&mut self, other: Verdicts) {
        self.agree += other.agree;
        self.differ += other.differ;
        self.differ_by_holm += other.differ_by_holm;
        self.not_compared += other.not_compared;
    }
}
