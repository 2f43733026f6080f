//! Sequential probability ratio test on mirrored pairs of games.
//!
//! The generalised test (GSPRT) that chess engines are tuned with, for the pentanomial model: the two games of a pair
//! are scored together, 0, ½, 1, 1½ or 2, so that an opening or deck which favours one seat does not count as noise.
//! Elo is logistic: an expected score of s per game is 400 log₁₀ (s / (1 − s)). The log-likelihood ratio is exact: for
//! each hypothesis the distribution over the five scores is the maximum likelihood one with that mean (M. Van den
//! Bergh, "The generalized maximum likelihood ratio for the expectation value of a distribution",
//! support_MLE_multinomial.pdf, proposition 1.1), not the normal approximation. This is what fishtest
//! (`LLR_logistic`) and fastchess (`model=logistic`) compute, including their value of 10⁻³ for a score that never
//! occurred.

use std::f64::consts::LN_10;

use serde::Serialize;

use super::Unavailable;

/// Score per game of each pair outcome, in the order of the counts.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Replaces a count of 0; without it no distribution could have a mean outside the range of the observed scores.
const UNSEEN: f64 = 1e-3;

/// Beyond this Elo a hypothesis is indistinguishable from certainty.
const MAX_ELO: f64 = 4_000.0;

/// Mirrored pairs by the points of the tested player: 0, ½, 1, 1½ and 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PairCounts(pub [u64; 5]);

impl PairCounts {
    /// Adds a pair by the tested player's score differences in its two games.
    pub fn add(&mut self, differences: [f64; 2]) {
        let half_points = |difference: f64| usize::from(difference >= 0.0) + usize::from(difference > 0.0);
        let [first, second] = differences.map(half_points);
        self.0[first + second] += 1;
    }
}

/// What the test decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtDecision {
    /// The ratio is between the bounds: continue.
    Continue,
    /// The strength is `elo0` or less, with an error rate of `beta`.
    AcceptH0,
    /// The strength is `elo1` or more, with an error rate of `alpha`.
    AcceptH1,
}

/// A test of H0, strength `elo0`, against H1, strength `elo1`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtState {
    /// Log-likelihood ratio of H1 to H0; 0 before the first pair.
    pub llr: f64,
    /// ln (β / (1 − α)): at or below it H0 is accepted.
    pub lower: f64,
    /// ln ((1 − β) / α): at or above it H1 is accepted.
    pub upper: f64,
    /// The decision.
    pub decision: SprtDecision,
}

impl Sprt {
    /// A test with error rates `alpha` (H1 accepted though H0 holds) and `beta` (H0 accepted though H1
    /// holds).
    ///
    /// [`Unavailable::OutOfRange`] unless −4000 ≤ `elo0` < `elo1` ≤ 4000, both rates are above 0 and their sum is
    /// below 1.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, Unavailable> {
        if !(-MAX_ELO <= elo0 && elo0 < elo1 && elo1 <= MAX_ELO) {
            return Err(Unavailable::OutOfRange { what: "elo0 or elo1", expected: "-4000 <= elo0 < elo1 <= 4000" });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(Unavailable::OutOfRange { what: "alpha or beta", expected: "above 0, with a sum below 1" });
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// The state of the test after these pairs.
    ///
    /// ```
    /// use evouct_stats::sprt::{PairCounts, Sprt, SprtDecision};
    /// let pairs = PairCounts([20, 120, 240, 180, 60]);
    /// let state = Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap().judge(pairs);
    /// assert_eq!(state.decision, SprtDecision::AcceptH1);
    /// ```
    pub fn judge(&self, PairCounts(pairs): PairCounts) -> SprtState {
        // Differences of logarithms: the quotients overflow where a rate is tiny.
        let lower = libm::log(self.beta) - libm::log1p(-self.alpha);
        let upper = libm::log1p(-self.beta) - libm::log(self.alpha);
        let llr = if pairs == [0; 5] { 0.0 } else { self.llr(pairs.map(|count| (count as f64).max(UNSEEN))) };
        let decision = if llr >= upper {
            SprtDecision::AcceptH1
        } else if llr <= lower {
            SprtDecision::AcceptH0
        } else {
            SprtDecision::Continue
        };
        SprtState { llr, lower, upper, decision }
    }

    fn llr(&self, counts: [f64; 5]) -> f64 {
        let (s0, s1) = (expected_score(self.elo0), expected_score(self.elo1));
        let (m0, m1) = (multiplier(&counts, s0), multiplier(&counts, s1));
        // Each hypothesis makes p̂ / (1 + m (a − s)) of the share p̂ of score a, so the shares cancel.
        let total = counts.iter().sum::<f64>();
        let ln_shrink = |product: f64, share: f64| {
            // No share exceeds 1, which rounding can violate where p̂ is below the last bit of 1.
            if product > -0.5 { libm::log1p(product) } else { libm::log((1.0 + product).max(share)) }
        };
        counts
            .iter()
            .zip(SCORES)
            .map(|(c, a)| c * (ln_shrink(m0 * (a - s0), c / total) - ln_shrink(m1 * (a - s1), c / total)))
            .sum()
    }
}

/// 1 / (1 + 10^(−elo / 400)).
fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-elo / 400.0 * LN_10))
}

/// The root m of Σ c (a − s) / (1 + m (a − s)), which falls from +∞ at −1 / (1 − s) to −∞ at 1 / s. Bisection, to the
/// last bit or for 200 steps; the likelihood is stationary in m, so its last digits do not matter.
fn multiplier(counts: &[f64; 5], s: f64) -> f64 {
    let slope = |m: f64| counts.iter().zip(SCORES).map(|(c, a)| c * (a - s) / (1.0 + m * (a - s))).sum::<f64>();
    let (mut low, mut high) = (-1.0 / (1.0 - s), 1.0 / s);
    for _ in 0..200 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low + (high - low) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn llr(elo0: f64, elo1: f64, pairs: [u64; 5]) -> f64 {
        Sprt::new(elo0, elo1, 0.05, 0.05).unwrap().judge(PairCounts(pairs)).llr
    }

    #[test]
    fn fastchess_examples() {
        // fastchess, app/tests/sprt_test.cpp, "logistic pentanomial 1" and "2".
        assert!((llr(0.5, 2.5, [223, 9_863, 21_279, 10_037, 246]) + 3.07).abs() < 0.005);
        assert!((llr(0.0, 2.0, [871, 26_175, 55_983, 26_678, 821]) + 4.98).abs() < 0.005);
    }

    #[test]
    fn pairs_are_counted_by_points() {
        let mut pairs = PairCounts::default();
        for differences in [[-1.0, -9.0], [0.0, -2.0], [3.0, -3.0], [0.0, 0.0], [4.0, 0.0], [1.0, 1.0]] {
            pairs.add(differences);
        }
        assert_eq!(pairs, PairCounts([1, 1, 2, 1, 1]));
    }

    #[test]
    fn decisions_at_the_bounds() {
        let test = Sprt::new(0.0, 5.0, 0.05, 0.1).unwrap();
        let empty = test.judge(PairCounts::default());
        assert_eq!((empty.llr, empty.decision), (0.0, SprtDecision::Continue));
        assert!((empty.lower - (0.1_f64 / 0.95).ln()).abs() < 1e-15 && (empty.upper - 18.0_f64.ln()).abs() < 1e-15);
        assert_eq!(test.judge(PairCounts([100, 400, 800, 900, 400])).decision, SprtDecision::AcceptH1);
        assert_eq!(test.judge(PairCounts([400, 900, 800, 400, 100])).decision, SprtDecision::AcceptH0);
    }

    #[test]
    fn mirrored_results_and_hypotheses_mirror_the_ratio() {
        let found = llr(-3.0, 8.0, [5, 20, 41, 33, 9]);
        assert!((found + llr(-8.0, 3.0, [9, 33, 41, 20, 5])).abs() < 1e-9);
        assert!(llr(-5.0, 5.0, [7, 12, 30, 12, 7]).abs() < 1e-10);
    }

    #[test]
    fn one_sided_results_stay_finite() {
        for pairs in [[0, 0, 0, 0, 9], [9, 0, 0, 0, 0], [0, 0, u64::MAX, 0, 0], [u64::MAX; 5]] {
            for (elo0, elo1) in [(0.0, 5.0), (-4_000.0, 4_000.0), (3_999.0, 4_000.0)] {
                assert!(llr(elo0, elo1, pairs).is_finite(), "{pairs:?} {elo0} {elo1}");
            }
        }
        assert!(llr(0.0, 5.0, [0, 0, 0, 0, 9]) > 0.0);
    }

    #[test]
    fn impossible_tests_are_refused() {
        for (elo0, elo1, alpha, beta) in [
            (5.0, 5.0, 0.05, 0.05),
            (f64::NAN, 5.0, 0.05, 0.05),
            (0.0, 4_001.0, 0.05, 0.05),
            (0.0, 5.0, 0.0, 0.05),
            (0.0, 5.0, 0.5, 0.5),
            (0.0, 5.0, 0.05, f64::NAN),
        ] {
            assert!(matches!(Sprt::new(elo0, elo1, alpha, beta), Err(Unavailable::OutOfRange { .. })));
        }
    }
}
