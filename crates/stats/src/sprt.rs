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
//!
//! Normalised Elo measures a difference of strength by what it takes to see it: 800 / ln 10 times the mean score less ½,
//! divided by the standard deviation of a game, where σ² per game is twice that of the score per game of a pair. Tests
//! of as many Elo then take about as many games between players who rarely or often draw. The distributions are the
//! maximum likelihood ones with that t-value (M. Van den Bergh, "Normalized Elo" and normalized_elo_practical.pdf,
//! section 4.1), as in fishtest (`LLR_normalized`) and fastchess (`model=normalized`).

use std::f64::consts::{LN_10, SQRT_2};

use serde::Serialize;

use super::Unavailable;

/// Score per game of each pair outcome, in the order of the counts.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Replaces a count of 0; without it no distribution could have a mean outside the range of the observed scores.
const UNSEEN: f64 = 1e-3;

evouct_base::named! {
    /// The model of Elo in the hypotheses.
    #[derive(Default, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum EloModel {
        /// An expected score of s per game is 400 log₁₀ (s / (1 − s)).
        #[default]
        Logistic = "logistic",
        /// The expected score less ½, in standard deviations of a game, times 800 / ln 10.
        Normalised = "normalised",
    }
}

impl EloModel {
    /// The largest Elo of a hypothesis. Beyond 4,000 logistic Elo a hypothesis is indistinguishable from certainty.
    /// Beyond 200 normalised Elo the distributions of a hypothesis need not be found.
    pub fn limit(self) -> f64 {
        match self {
            EloModel::Logistic => 4_000.0,
            EloModel::Normalised => 200.0,
        }
    }

    /// By score: what has a mean of 0 under the hypothesis of this Elo, for the distribution that fits these counts best.
    fn constraint(self, counts: &[f64; 5], elo: f64) -> [f64; 5] {
        match self {
            EloModel::Logistic => {
                let expected = expected_score(elo);
                SCORES.map(|score| score - expected)
            }
            // The standard deviation of the mean of two games is that of a game divided by √2.
            EloModel::Normalised => with_t_value(counts, SQRT_2 * elo / (800.0 / LN_10)),
        }
    }
}

/// The linear constraint at the best fitting distribution of which mean − ½ = t σ, which is not linear: from the
/// uniform distribution on, each step fits the distribution with the constraint linearised at the one before.
fn with_t_value(counts: &[f64; 5], t: f64) -> [f64; 5] {
    let total = counts.iter().sum::<f64>();
    let mut shares = [0.2; 5];
    let mut constraint = [0.0; 5];
    for _ in 0..MOST_STEPS {
        let mean = shares.iter().zip(SCORES).map(|(p, a)| p * a).sum::<f64>();
        let variance = shares.iter().zip(SCORES).map(|(p, a)| p * (a - mean) * (a - mean)).sum::<f64>();
        let sigma = variance.sqrt();
        constraint = SCORES.map(|a| a - 0.5 - t * sigma * (1.0 + (mean - a) * (mean - a) / variance) / 2.0);
        let m = multiplier(counts, &constraint);
        let before = shares;
        for ((share, count), v) in shares.iter_mut().zip(counts).zip(constraint) {
            *share = count / total / (1.0 + m * v);
        }
        if shares.iter().zip(before).all(|(now, before)| (now - before).abs() < 1e-9) {
            break;
        }
    }
    constraint
}

/// Steps of the fit of a t-value; 3 to 6 are usual, and where nearly all scores are the same it may alternate in the
/// last digits.
const MOST_STEPS: usize = 50;

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

/// The decision of the test.
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
    model: EloModel,
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
    /// Which hypothesis is accepted, if the ratio has reached a bound.
    pub decision: SprtDecision,
}

impl Sprt {
    /// A test with error rates `alpha` (H1 accepted though H0 holds) and `beta` (H0 accepted though H1
    /// holds).
    ///
    /// [`Unavailable::OutOfRange`] unless `elo0` < `elo1`, both within ± [`EloModel::limit`], both rates are above 0 and
    /// their sum is below 1.
    pub fn new(model: EloModel, elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, Unavailable> {
        let limit = model.limit();
        if !(-limit <= elo0 && elo0 < elo1 && elo1 <= limit) {
            let expected = match model {
                EloModel::Logistic => "-4000 <= elo0 < elo1 <= 4000",
                EloModel::Normalised => "-200 <= elo0 < elo1 <= 200",
            };
            return Err(Unavailable::OutOfRange { what: "elo0 or elo1", expected });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(Unavailable::OutOfRange { what: "alpha or beta", expected: "above 0, with a sum below 1" });
        }
        Ok(Sprt { model, elo0, elo1, alpha, beta })
    }

    /// The state of the test after these pairs.
    ///
    /// ```
    /// use evouct_stats::sprt::{EloModel, PairCounts, Sprt, SprtDecision};
    /// let pairs = PairCounts([20, 120, 240, 180, 60]);
    /// let state = Sprt::new(EloModel::Logistic, 0.0, 10.0, 0.05, 0.05).unwrap().judge(pairs);
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
        let [v0, v1] = [self.elo0, self.elo1].map(|elo| self.model.constraint(&counts, elo));
        let (m0, m1) = (multiplier(&counts, &v0), multiplier(&counts, &v1));
        // Each hypothesis makes p̂ / (1 + m v) of the share p̂ of a score, so the shares cancel.
        let total = counts.iter().sum::<f64>();
        let ln_shrink = |product: f64, share: f64| {
            // No share exceeds 1, which rounding can violate where p̂ is below the last bit of 1.
            if product > -0.5 { libm::log1p(product) } else { libm::log((1.0 + product).max(share)) }
        };
        counts
            .iter()
            .zip(v0.iter().zip(v1))
            .map(|(c, (v0, v1))| c * (ln_shrink(m0 * v0, c / total) - ln_shrink(m1 * v1, c / total)))
            .sum()
    }
}

/// 1 / (1 + 10^(−elo / 400)).
fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-elo / 400.0 * LN_10))
}

/// The root m of Σ c v / (1 + m v), which falls from +∞ at −1 / max v to −∞ at −1 / min v. Bisection, to the last bit
/// or for 200 steps; the likelihood is stationary in m, so its last digits do not matter.
fn multiplier(counts: &[f64; 5], values: &[f64; 5]) -> f64 {
    let slope = |m: f64| counts.iter().zip(values).map(|(c, v)| c * v / (1.0 + m * v)).sum::<f64>();
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
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

    const LOGISTIC: EloModel = EloModel::Logistic;

    fn llr(elo0: f64, elo1: f64, pairs: [u64; 5]) -> f64 {
        Sprt::new(LOGISTIC, elo0, elo1, 0.05, 0.05).unwrap().judge(PairCounts(pairs)).llr
    }

    fn normalised(elo0: f64, elo1: f64, pairs: [u64; 5]) -> f64 {
        Sprt::new(EloModel::Normalised, elo0, elo1, 0.05, 0.05).unwrap().judge(PairCounts(pairs)).llr
    }

    #[test]
    fn fastchess_examples() {
        // fastchess, app/tests/sprt_test.cpp, "logistic pentanomial 1" and "2".
        assert!((llr(0.5, 2.5, [223, 9_863, 21_279, 10_037, 246]) + 3.07).abs() < 0.005);
        assert!((llr(0.0, 2.0, [871, 26_175, 55_983, 26_678, 821]) + 4.98).abs() < 0.005);
        // "normalized pentanomial 1" and "2".
        assert!((normalised(0.0, 2.0, [365, 16_618, 36_229, 16_974, 390]) - 2.25).abs() < 0.005);
        assert!((normalised(-1.75, 0.25, [127, 4_883, 10_712, 5_150, 104]) - 3.01).abs() < 0.005);
    }

    #[test]
    fn only_wins_have_the_normalised_ratio_of_two_scores() {
        // The best fit has wins with probability q and losses else: q = ½ under H0, and (q − ½)² = t² q (1 − q) under H1.
        let t = SQRT_2 * 5.0 * LN_10 / 800.0;
        let q = 0.5 + t / (2.0 * (1.0 + t * t).sqrt());
        assert!((normalised(0.0, 5.0, [0, 0, 0, 0, 104]) - 104.0 * (q / 0.5).ln()).abs() < 1e-3);
    }

    #[test]
    fn the_fit_of_a_t_value_has_it_and_no_neighbour_is_likelier() {
        let t_value = |p: &[f64; 5]| {
            let mean = p.iter().zip(SCORES).map(|(p, a)| p * a).sum::<f64>();
            (mean - 0.5) / p.iter().zip(SCORES).map(|(p, a)| p * (a - mean) * (a - mean)).sum::<f64>().sqrt()
        };
        for (counts, t) in [([5.0, 20.0, 41.0, 33.0, 9.0], 0.3), ([50.0, 2.0, 1.0, 3.0, 9.0], 0.8), ([9.0; 5], -0.2)] {
            let constraint = with_t_value(&counts, t);
            let m = multiplier(&counts, &constraint);
            let total = counts.iter().sum::<f64>();
            let mut fitted = [0.0; 5];
            (0..5).for_each(|i| fitted[i] = counts[i] / total / (1.0 + m * constraint[i]));
            assert!((t_value(&fitted) - t).abs() < 1e-8, "{}", t_value(&fitted));
            let likelihood = |p: &[f64; 5]| counts.iter().zip(p).map(|(c, p)| c * p.ln()).sum::<f64>();
            let best = likelihood(&fitted);
            // Along every direction that keeps the sum and, to first order, the t-value, likelihood has its maximum.
            for (i, j, k) in [(0, 1, 2), (0, 2, 4), (1, 3, 4), (2, 3, 4), (0, 1, 4)] {
                let (vi, vj, vk) = (constraint[i], constraint[j], constraint[k]);
                for step in [1e-4, -1e-4] {
                    let mut moved = fitted;
                    moved[i] += step * (vj - vk);
                    moved[j] += step * (vk - vi);
                    moved[k] += step * (vi - vj);
                    // Second order: the t-value moves by step², and likelihood falls by as much.
                    assert!(likelihood(&moved) < best + 1e-7, "{counts:?} {t} {i} {j} {k}");
                }
            }
        }
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
        let test = Sprt::new(LOGISTIC, 0.0, 5.0, 0.05, 0.1).unwrap();
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
        let found = normalised(-3.0, 8.0, [5, 20, 41, 33, 9]);
        assert!((found + normalised(-8.0, 3.0, [9, 33, 41, 20, 5])).abs() < 1e-9);
    }

    #[test]
    fn one_sided_results_stay_finite() {
        for pairs in [[0, 0, 0, 0, 9], [9, 0, 0, 0, 0], [0, 0, u64::MAX, 0, 0], [u64::MAX; 5]] {
            for (elo0, elo1) in [(0.0, 5.0), (-4_000.0, 4_000.0), (3_999.0, 4_000.0)] {
                assert!(llr(elo0, elo1, pairs).is_finite(), "{pairs:?} {elo0} {elo1}");
            }
            for (elo0, elo1) in [(0.0, 5.0), (-200.0, 200.0), (199.0, 200.0)] {
                assert!(normalised(elo0, elo1, pairs).is_finite(), "{pairs:?} {elo0} {elo1}");
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
            for model in [LOGISTIC, EloModel::Normalised] {
                assert!(matches!(Sprt::new(model, elo0, elo1, alpha, beta), Err(Unavailable::OutOfRange { .. })));
            }
        }
        assert!(Sprt::new(LOGISTIC, 0.0, 201.0, 0.05, 0.05).is_ok());
        assert!(Sprt::new(EloModel::Normalised, 0.0, 201.0, 0.05, 0.05).is_err());
    }
}
