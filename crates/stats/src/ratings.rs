//! Ratings of players from the results between them.
//!
//! R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs", Biometrika 39 (1952): player i scores
//! against j with probability 1 / (1 + exp(θⱼ − θᵢ)); a draw counts as half a win for both. The likelihood is concave
//! and is maximised by Newton's method with step halving. When the maximum exists, and the prior that makes it exist
//! always: L. R. Ford, "Solution of a ranking problem from binary comparisons", American Mathematical Monthly 64
//! (1957); D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32 (2004),
//! section 6.
//!
//! Ratings are on the Elo scale, 400 / ln 10 · θ: 400 points are odds of ten to one. Their mean is 0.

use std::f64::consts::LN_10;

use rand::Rng;
use serde::Serialize;

use super::Unavailable;
use super::bootstrap::{Bootstrap, bootstrap_each};

/// The default prior: half a virtual draw per player.
pub const DEFAULT_PRIOR: f64 = 0.5;

/// The smallest prior other than 0 that is accepted; smaller ones are lost to rounding.
pub const MIN_PRIOR: f64 = 1e-3;

/// The largest number of players that is accepted; memory grows with its square.
pub const MAX_PLAYERS: usize = 4_096;

const MAX_ITERATIONS: usize = 1_000;

/// The score of two players against each other. A pair may occur several times, in either order.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Encounter {
    /// Index of one player.
    pub a: usize,
    /// Index of the other.
    pub b: usize,
    /// Wins of `a` plus half the draws, 0 or more.
    pub a_score: f64,
    /// Wins of `b` plus half the draws, 0 or more.
    pub b_score: f64,
}

/// Ratings of all players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// Elo rating by player, mean 0.
    pub elo: Vec<f64>,
    /// The prior they were computed with.
    pub prior: f64,
    /// Whether the results determine them without the prior. If not, some differences depend partly or entirely on the
    /// prior.
    pub connected: bool,
    /// By player, whether it belongs to the largest group in which every player scored against every other, directly or
    /// through others. The distance of any other player to this group depends on the prior. No player belongs where two
    /// groups are equally large, or every group is a single player.
    pub tied: Vec<bool>,
}

/// Maximum likelihood ratings of `players`, with a prior of `prior` virtual draws between each player and a player of
/// strength θ = 0 before centring (so an unbeaten player, or one without games, has a rating too). The larger the
/// prior, the closer the ratings.
///
/// With prior 0 the results must connect the players: [`Unavailable::Disconnected`] names a group that never scored
/// against the others (or never met them). [`Unavailable::TooFew`] without players, [`Unavailable::OutOfRange`] for
/// more than [`MAX_PLAYERS`], a negative or not finite score, a prior that is neither 0 nor finite and at least
/// [`MIN_PRIOR`]; [`Unavailable::UnknownPlayer`] and [`Unavailable::SelfPlay`] name an impossible encounter;
/// [`Unavailable::Overflow`] and [`Unavailable::NotConverged`] need scores many orders of magnitude apart.
///
/// ```
/// use evouct_stats::ratings::{Encounter, ratings};
/// let ten_to_one = Encounter { a: 0, b: 1, a_score: 10.0, b_score: 1.0 };
/// let elo = ratings(2, &[ten_to_one], 0.0).unwrap().elo;
/// assert!((elo[0] - 200.0).abs() < 1e-9 && (elo[1] + 200.0).abs() < 1e-9);
/// ```
pub fn ratings(players: usize, encounters: &[Encounter], prior: f64) -> Result<Ratings, Unavailable> {
    let model = Model::new(players, encounters, prior)?;
    let lonely = model.group_that_never_scored();
    if let (Some(group), true) = (&lonely, prior == 0.0) {
        return Err(Unavailable::Disconnected { group: group.clone() });
    }
    let mut theta = model.maximise()?;
    centre(&mut theta);
    let elo = theta.into_iter().map(|x| x * 400.0 / LN_10).collect();
    Ok(Ratings { elo, prior, connected: lonely.is_none(), tied: model.tied() })
}

/// Ratings with their bootstrap intervals over `units`, each with its encounters (see [`bootstrap_each`], also for
/// further refusals). With prior 0, resamples that do not connect the players count as undefined.
pub fn rating_intervals(
    players: usize,
    prior: f64,
    units: &[Vec<Encounter>],
    resamples: usize,
    rng: &mut dyn Rng,
) -> Result<Vec<Bootstrap>, Unavailable> {
    // First, because its errors are more specific than `Undefined`.
    ratings(players, &units.concat(), prior)?;
    let results = Results::of(units);
    bootstrap_each(units.len(), resamples, rng, |indices| {
        ratings(players, &results.totals(indices), prior).ok().map(|ratings| ratings.elo)
    })
}

/// Encounters by unit, to be added up.
struct Results {
    pairs: Vec<[usize; 2]>,
    /// By unit, numbers of pairs with their scores.
    units: Vec<Vec<(usize, [f64; 2])>>,
}

impl Results {
    fn of(units: &[Vec<Encounter>]) -> Results {
        let mut pairs: Vec<[usize; 2]> = units.iter().flatten().map(|met| [met.a, met.b]).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let numbered =
            |met: &Encounter| (pairs.partition_point(|pair| *pair < [met.a, met.b]), [met.a_score, met.b_score]);
        let units = units.iter().map(|unit| unit.iter().map(numbered).collect()).collect();
        Results { pairs, units }
    }

    /// The encounters of these units, one entry per pair.
    fn totals(&self, units: &[usize]) -> Vec<Encounter> {
        let mut totals: Vec<Encounter> =
            self.pairs.iter().map(|&[a, b]| Encounter { a, b, a_score: 0.0, b_score: 0.0 }).collect();
        for (pair, [a_score, b_score]) in units.iter().flat_map(|unit| &self.units[*unit]) {
            totals[*pair].a_score += a_score;
            totals[*pair].b_score += b_score;
        }
        totals
    }
}

/// Scores as a dense matrix, `scores[i * players + j]` what i scored against j.
struct Model {
    players: usize,
    scores: Vec<f64>,
    prior: f64,
}

impl Model {
    fn new(players: usize, encounters: &[Encounter], prior: f64) -> Result<Model, Unavailable> {
        Unavailable::unless_enough(1, players as u64)?;
        if players > MAX_PLAYERS {
            return Err(Unavailable::OutOfRange { what: "the number of players", expected: "at most 4096" });
        }
        let countable = |x: f64| (0.0..f64::INFINITY).contains(&x);
        if !countable(prior) || (0.0 < prior && prior < MIN_PRIOR) {
            return Err(Unavailable::OutOfRange { what: "the prior", expected: "0, or a finite number from 0.001 on" });
        }
        let mut scores = vec![0.0; players * players];
        for e in encounters {
            Unavailable::unless_opponents(e.a, e.b, players)?;
            if !countable(e.a_score) || !countable(e.b_score) {
                return Err(Unavailable::OutOfRange { what: "a score", expected: "a finite number, 0 or more" });
            }
            scores[e.a * players + e.b] += e.a_score;
            scores[e.b * players + e.a] += e.b_score;
        }
        Unavailable::unless_overflowed(scores.iter().sum())?;
        Ok(Model { players, scores, prior })
    }

    fn score(&self, i: usize, j: usize) -> f64 {
        self.scores[i * self.players + j]
    }

    /// Players from whom "scored against" does not reach all others; `None` when it does from every player, which is
    /// Ford's condition for a maximum.
    fn group_that_never_scored(&self) -> Option<Vec<usize>> {
        // The players reachable from 0 did not score against the others, and those who do not reach 0 did not score
        // against the rest.
        let from = self.reachable(0, |i, j| self.score(i, j) > 0.0);
        if from.contains(&false) {
            return Some((0..self.players).filter(|&i| from[i]).collect());
        }
        let to = self.reachable(0, |i, j| self.score(j, i) > 0.0);
        to.contains(&false).then(|| (0..self.players).filter(|&i| !to[i]).collect())
    }

    /// The largest group of players who reach one another, see [`Ratings::tied`].
    fn tied(&self) -> Vec<bool> {
        let mut group_of = vec![None; self.players];
        let mut sizes = Vec::new();
        for player in 0..self.players {
            if group_of[player].is_some() {
                continue;
            }
            let from = self.reachable(player, |i, j| self.score(i, j) > 0.0);
            let to = self.reachable(player, |i, j| self.score(j, i) > 0.0);
            let members = (0..self.players).filter(|&other| from[other] && to[other]);
            sizes.push(members.map(|other| group_of[other] = Some(sizes.len())).count());
        }
        let largest = sizes.iter().copied().max().unwrap_or_default();
        let alone = largest == 1 && self.players > 1 || sizes.iter().filter(|size| **size == largest).count() > 1;
        group_of.into_iter().map(|group| !alone && group.is_some_and(|group| sizes[group] == largest)).collect()
    }

    fn reachable(&self, start: usize, edge: impl Fn(usize, usize) -> bool) -> Vec<bool> {
        let mut reached = vec![false; self.players];
        reached[start] = true;
        let mut open = vec![start];
        while let Some(i) = open.pop() {
            for (j, known) in reached.iter_mut().enumerate() {
                if !*known && edge(i, j) {
                    *known = true;
                    open.push(j);
                }
            }
        }
        reached
    }

    fn maximise(&self) -> Result<Vec<f64>, Unavailable> {
        let mut theta = vec![0.0; self.players];
        let mut value = self.log_likelihood(&theta);
        let mut shortest = f64::INFINITY;
        for _ in 0..MAX_ITERATIONS {
            let slope = self.slope(&theta);
            let gradient = slope.gradient.clone();
            let mut step = slope.newton_step();
            let length = step.iter().fold(0.0_f64, |longest, x| longest.max(x.abs()));
            let gain = gradient.iter().zip(&step).map(|(g, s)| g * s).sum::<f64>() / 2.0;
            // Below the precision of a sum of logarithms of this size.
            let slack = 1e-12 * (1.0 + value.abs());
            // Near the maximum steps shrink quadratically. Where few games connect large groups, they end at rounding.
            let last = length < 1e-9 || (length > shortest / 2.0 && gain < slack);
            shortest = shortest.min(length);
            let reached = (0..=60).find_map(|_| {
                let next: Vec<f64> = theta.iter().zip(&step).map(|(t, s)| t + s).collect();
                let reached = self.log_likelihood(&next);
                step.iter_mut().for_each(|s| *s /= 2.0);
                (reached >= value - slack).then_some((next, reached))
            });
            let Some((next, reached)) = reached else { break };
            if last {
                return Ok(next);
            }
            (theta, value) = (next, reached);
        }
        Err(Unavailable::NotConverged { iterations: MAX_ITERATIONS })
    }

    fn log_likelihood(&self, theta: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.players {
            for j in 0..self.players {
                if self.score(i, j) > 0.0 {
                    sum += self.score(i, j) * log_chance(theta[i] - theta[j]);
                }
            }
            sum += self.prior / 2.0 * (log_chance(theta[i]) + log_chance(-theta[i]));
        }
        sum
    }

    fn slope(&self, theta: &[f64]) -> Slope {
        let n = self.players;
        let mut slope = Slope { weight: vec![0.0; n * n], excess: vec![0.0; n], gradient: vec![0.0; n] };
        for i in 0..n {
            let (up, down) = (logistic(theta[i]), logistic(-theta[i]));
            slope.excess[i] = self.prior * up * down;
            slope.gradient[i] = self.prior * (down - up) / 2.0;
            for j in 0..n {
                let (win, loss) = (logistic(theta[i] - theta[j]), logistic(theta[j] - theta[i]));
                slope.gradient[i] += self.score(i, j) * loss - self.score(j, i) * win;
                slope.weight[i * n + j] = (self.score(i, j) + self.score(j, i)) * win * loss;
            }
        }
        slope
    }
}

/// First and second derivatives of the log-likelihood. The second ones, negated, are the Laplacian of a graph of
/// weights nᵢⱼ p (1 − p) plus the prior's part on the diagonal.
struct Slope {
    weight: Vec<f64>,
    excess: Vec<f64>,
    gradient: Vec<f64>,
}

impl Slope {
    /// Solves (Laplacian + excess) · step = gradient.
    ///
    /// Elimination keeps the row sums in place of the diagonal (A. S. Alfa, J. Xue, Q. Ye, "Accurate computation of
    /// the smallest eigenvalue of a diagonally dominant M-matrix", Mathematics of Computation 71 (2002)): no
    /// subtraction, so a small prior is not lost to rounding, and without a prior the last pivot is exactly 0 and
    /// fixes the last player.
    fn newton_step(self) -> Vec<f64> {
        let Slope { mut weight, mut excess, gradient: mut right } = self;
        let n = right.len();
        let mut pivots = vec![0.0; n];
        for k in 0..n {
            pivots[k] = excess[k] + (k + 1..n).map(|j| weight[k * n + j]).sum::<f64>();
            if pivots[k] == 0.0 {
                continue;
            }
            for i in k + 1..n {
                let factor = weight[i * n + k] / pivots[k];
                if factor > 0.0 {
                    excess[i] += factor * excess[k];
                    right[i] += factor * right[k];
                    for j in k + 1..n {
                        weight[i * n + j] += factor * weight[k * n + j];
                    }
                }
            }
        }
        let mut step = vec![0.0; n];
        for k in (0..n).rev() {
            if pivots[k] > 0.0 {
                let known = (k + 1..n).map(|j| weight[k * n + j] * step[j]).sum::<f64>();
                step[k] = (right[k] + known) / pivots[k];
            }
        }
        step
    }
}

/// 1 / (1 + e⁻ˣ).
fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

/// ln (1 / (1 + e⁻ˣ)) for any x.
fn log_chance(x: f64) -> f64 {
    x.min(0.0) - libm::log1p(libm::exp(-x.abs()))
}

fn centre(values: &mut [f64]) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter_mut().for_each(|x| *x -= mean);
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    fn met(a: usize, b: usize, a_score: f64, b_score: f64) -> Encounter {
        Encounter { a, b, a_score, b_score }
    }

    fn close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (f, e) in found.iter().zip(expected) {
            assert!((f - e).abs() < 1e-8 * (1.0 + e.abs()), "{found:?}, expected {expected:?}");
        }
    }

    #[test]
    fn the_largest_group_is_tied_together() {
        let met = |a: usize, b: usize, a_score: f64, b_score: f64| Encounter { a, b, a_score, b_score };
        let tied = |players: usize, all: &[Encounter]| ratings(players, all, DEFAULT_PRIOR).unwrap().tied;
        // 0, 1 and 2 beat one another in a ring, 3 lost to all, 4 did not play.
        let ring = [met(0, 1, 1.0, 0.0), met(1, 2, 1.0, 0.0), met(2, 0, 1.0, 0.0), met(0, 3, 2.0, 0.0)];
        assert_eq!(tied(5, &ring), [true, true, true, false, false]);
        assert_eq!(tied(3, &ring[..3]), [true; 3]);
        assert_eq!(tied(2, &[met(0, 1, 5.0, 0.0)]), [false; 2]);
        // Two groups of equal size.
        let pairs = [met(0, 1, 1.0, 1.0), met(2, 3, 1.0, 1.0), met(0, 2, 3.0, 0.0), met(1, 3, 3.0, 0.0)];
        assert_eq!(tied(4, &pairs), [false; 4]);
        assert_eq!(tied(1, &[]), [true]);
    }

    #[test]
    fn agresti_baseball() {
        // A. Agresti, Categorical Data Analysis (2nd ed., 2002), table 10.10: American League East 1987, order of the
        // table. Coefficients against Baltimore as printed in the vignette of the R package BradleyTerry2.
        const WINS: [[f64; 7]; 7] = [
            [0.0, 7.0, 9.0, 7.0, 7.0, 9.0, 11.0],
            [6.0, 0.0, 7.0, 5.0, 11.0, 9.0, 9.0],
            [4.0, 6.0, 0.0, 7.0, 7.0, 8.0, 12.0],
            [6.0, 8.0, 6.0, 0.0, 6.0, 7.0, 10.0],
            [6.0, 2.0, 6.0, 7.0, 0.0, 7.0, 12.0],
            [4.0, 4.0, 5.0, 6.0, 6.0, 0.0, 6.0],
            [2.0, 4.0, 1.0, 3.0, 1.0, 7.0, 0.0],
        ];
        let mut encounters = vec![];
        for (a, row) in WINS.iter().enumerate() {
            for (b, wins) in row.iter().enumerate().take(a) {
                encounters.push(met(a, b, *wins, WINS[b][a]));
            }
        }
        let elo = ratings(7, &encounters, 0.0).unwrap().elo;
        for (i, published) in [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839].into_iter().enumerate() {
            assert!(((elo[i] - elo[6]) * LN_10 / 400.0 - published).abs() < 6e-5, "team {i}");
        }
        assert!(elo.iter().sum::<f64>().abs() < 1e-9);
    }

    #[test]
    fn two_players_have_the_odds_of_their_scores() {
        // 3 : 1 is 400 log10 3 = 190.85 points, split about 0.
        close(&ratings(2, &[met(0, 1, 3.0, 1.0)], 0.0).unwrap().elo, &[95.424_250_943_932_5, -95.424_250_943_932_5]);
        // Draws pull together: 3 wins, 1 loss, 4 draws are 5 : 3.
        let half = 200.0 * (5.0_f64 / 3.0).log10();
        close(&ratings(2, &[met(1, 0, 3.0, 5.0)], 0.0).unwrap().elo, &[half, -half]);
    }

    #[test]
    fn unbeaten_player_is_finite_with_a_prior() {
        let results = [met(0, 1, 10.0, 0.0)];
        let found = ratings(2, &results, DEFAULT_PRIOR).unwrap();
        // By symmetry θ = ±x with 10 · (1 − σ(2x)) = 0.5 · (σ(x) − 1/2).
        let x = found.elo[0] * LN_10 / 400.0;
        assert!((10.0 * logistic(-2.0 * x) - 0.5 * (logistic(x) - 0.5)).abs() < 1e-12);
        assert!(!found.connected && x > 1.0);
        let weaker = ratings(2, &results, MIN_PRIOR).unwrap();
        assert!(weaker.elo[0] > found.elo[0] && weaker.elo[0].is_finite());
    }

    #[test]
    fn groups_that_never_scored_are_named() {
        let refused = |players, results: &[Encounter]| ratings(players, results, 0.0).unwrap_err();
        assert_eq!(refused(2, &[met(0, 1, 10.0, 0.0)]), Unavailable::Disconnected { group: vec![1] });
        assert_eq!(refused(2, &[met(0, 1, 0.0, 10.0)]), Unavailable::Disconnected { group: vec![0] });
        assert_eq!(refused(2, &[]), Unavailable::Disconnected { group: vec![0] });
        let two_leagues = [met(0, 2, 1.0, 1.0), met(1, 3, 1.0, 1.0)];
        assert_eq!(refused(4, &two_leagues), Unavailable::Disconnected { group: vec![0, 2] });
        close(&ratings(4, &two_leagues, DEFAULT_PRIOR).unwrap().elo, &[0.0; 4]);
    }

    #[test]
    fn a_ring_of_wins_is_level() {
        let ring = [met(0, 1, 1.0, 0.0), met(1, 2, 1.0, 0.0), met(2, 0, 1.0, 0.0)];
        let found = ratings(3, &ring, 0.0).unwrap();
        close(&found.elo, &[0.0; 3]);
        assert!(found.connected);
    }

    #[test]
    fn long_chains_and_lopsided_scores_converge() {
        let chain: Vec<Encounter> = (0..60).map(|i| met(i, i + 1, 999.0, 1.0)).collect();
        let elo = ratings(61, &chain, 0.0).unwrap().elo;
        let step = 400.0 * 999.0_f64.log10();
        for pair in elo.windows(2) {
            assert!((pair[0] - pair[1] - step).abs() < 1e-6);
        }
        assert!(ratings(2, &[met(0, 1, 1e9, 1e-9)], 0.0).is_ok());
        assert!(ratings(2, &[met(0, 1, 1e9, 0.0)], MIN_PRIOR).is_ok());
    }

    #[test]
    fn contradictory_results_reach_the_maximum() {
        // Full Newton steps overshoot here. At the maximum everyone's expected score is what they scored.
        let results = [
            met(1, 0, 0.0, 1.0),
            met(2, 0, 1e4, 1.0),
            met(2, 1, 0.01, 1.0),
            met(3, 0, 0.01, 1.0),
            met(3, 1, 0.01, 1e6),
            met(3, 2, 1.0, 1e6),
            met(4, 0, 1e6, 0.0),
            met(4, 1, 100.0, 100.0),
            met(4, 2, 0.01, 1e6),
            met(4, 3, 0.0, 1.0),
        ];
        assert!(largest_surplus(5, &results, 0.0) < 1e-6);
    }

    #[test]
    fn a_small_prior_beside_many_games_ends_at_rounding() {
        let results = [
            met(2, 0, 0.0, 99_830.0),
            met(2, 1, 82_053.0, 61_122.0),
            met(3, 1, 99_309.0, 55_546.0),
            met(3, 2, 86_960.0, 94_616.0),
        ];
        assert!(largest_surplus(4, &results, MIN_PRIOR) < MIN_PRIOR);
    }

    /// How far anyone's score is from the score that their rating makes expected, the prior's draws left out.
    fn largest_surplus(players: usize, results: &[Encounter], prior: f64) -> f64 {
        let elo = ratings(players, results, prior).unwrap().elo;
        let mut surplus = vec![0.0_f64; players];
        for e in results {
            let expected = (e.a_score + e.b_score) * logistic((elo[e.a] - elo[e.b]) * LN_10 / 400.0);
            surplus[e.a] += e.a_score - expected;
            surplus[e.b] -= e.a_score - expected;
        }
        surplus.into_iter().fold(0.0, |largest, x| largest.max(x.abs()))
    }

    #[test]
    fn one_player_and_impossible_input() {
        close(&ratings(1, &[], 0.0).unwrap().elo, &[0.0]);
        assert_eq!(ratings(0, &[], 1.0), Err(Unavailable::TooFew { needed: 1, found: 0 }));
        assert_eq!(ratings(2, &[met(0, 2, 1.0, 1.0)], 1.0), Err(Unavailable::UnknownPlayer { player: 2, players: 2 }));
        assert_eq!(ratings(2, &[met(1, 1, 1.0, 1.0)], 1.0), Err(Unavailable::SelfPlay { player: 1 }));
        for bad in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(ratings(2, &[met(0, 1, bad, 1.0)], 1.0), Err(Unavailable::OutOfRange { .. })));
            assert!(matches!(ratings(2, &[], bad), Err(Unavailable::OutOfRange { .. })));
        }
        assert!(matches!(ratings(2, &[], MIN_PRIOR / 2.0), Err(Unavailable::OutOfRange { .. })));
        assert!(matches!(ratings(usize::MAX, &[], 1.0), Err(Unavailable::OutOfRange { .. })));
        let huge = [met(0, 1, f64::MAX, f64::MAX), met(0, 1, f64::MAX, f64::MAX)];
        assert_eq!(ratings(2, &huge, 1.0), Err(Unavailable::Overflow));
    }

    #[test]
    fn intervals_come_from_the_units() {
        // Twelve decks, player 0 takes eight of them: the rating difference of the estimate is 400 log10 2.
        let decks: Vec<Vec<Encounter>> =
            (0..12).map(|deck| vec![met(0, 1, f64::from(deck % 3 != 0), f64::from(deck % 3 == 0))]).collect();
        let run = || rating_intervals(2, 0.0, &decks, 400, &mut ChaCha8Rng::seed_from_u64(5)).unwrap();
        let found = run();
        assert!((found[0].estimate - 200.0 * 2.0_f64.log10()).abs() < 1e-9);
        assert!(found[0].interval.low < found[0].estimate && found[0].estimate < found[0].interval.high);
        assert!((found[0].interval.low + found[1].interval.high).abs() < 1e-9);
        assert_eq!(run(), found);
        let never = vec![vec![met(0, 1, 1.0, 0.0)]; 12];
        assert_eq!(
            rating_intervals(2, 0.0, &never, 400, &mut ChaCha8Rng::seed_from_u64(5)),
            Err(Unavailable::Disconnected { group: vec![1] })
        );
    }

    #[test]
    fn units_count_as_often_as_they_are_drawn() {
        // A deck of a league that is not complete lacks a meeting.
        let results = Results::of(&[
            vec![met(1, 2, 0.0, 1.0), met(0, 1, 0.5, 0.5), met(1, 0, 1.0, 0.0)],
            vec![met(0, 1, 1.0, 0.0)],
        ]);
        let totals = [met(0, 1, 3.5, 0.5), met(1, 0, 1.0, 0.0), met(1, 2, 0.0, 1.0)];
        assert_eq!(results.totals(&[1, 0, 1, 1]), totals);
        assert_eq!(results.totals(&[]).len(), 3);
    }
}
