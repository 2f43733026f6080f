//! Whether printed numbers and ours agree.

use crate::stats::holm::holm;
use serde::Serialize;

/// What a printed number and ours come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A difference as large is no surprise: its chance is at least 5 %.
    Agrees,
    /// Its chance is below 5 %: so is that of one number in twenty that nothing but luck sets apart.
    Differs,
    /// The number is not printed, there is none here, or too few games (or too much work) to tell what luck does.
    CannotBeCompared,
}

impl Verdict {
    /// By the chance of the difference.
    pub fn of(chance: Option<f64>) -> Verdict {
        match chance {
            None => Verdict::CannotBeCompared,
            Some(chance) if chance < 0.05 => Verdict::Differs,
            Some(_) => Verdict::Agrees,
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::Differs => "differs",
            Verdict::CannotBeCompared => "cannot be compared",
        }
    }
}

/// How many numbers have which verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Verdicts {
    /// Numbers that agree.
    pub agree: usize,
    /// Numbers that differ.
    pub differ: usize,
    /// Of these, those that differ after Holm's correction over all that were compared together; in a total, over each table by
    /// itself.
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
