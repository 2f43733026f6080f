//! Rehearsals: the rest of a decision at the root alone, in a bandit fitted to the statistics of the root. No playout
//! is played.

use super::super::guidance::{Guidance, Untried};
use super::super::policy::TreePolicy;
use super::Search;
use crate::game::{Game, Playout};
use evouct_base::sampling::normal;
use evouct_base::seed::common_rng;
use rand::Rng;

/// What a search believes of the values of the actions at its root: a normal distribution for each, by empirical Bayes.
///
/// The values of all actions come from one normal distribution, whose mean may depend on a rating of the actions by a
/// line. The line is fitted to the actions that were tried, by least squares with their visits as weights. The variance
/// around it is estimated by the method of moments of R. DerSimonian and N. Laird (Controlled Clinical Trials 7, 1986),
/// and rewards have the pooled variance of all actions. An untried action has the distribution around the line.
#[derive(Clone, Debug, PartialEq)]
pub struct Belief {
    /// Means by action, in the unit of rewards.
    pub means: Vec<f64>,
    /// Standard deviations by action.
    pub deviations: Vec<f64>,
    /// The standard deviation of a reward around its action's value.
    pub noise: f64,
}

/// What is known of one action.
#[derive(Clone, Copy)]
struct Seen {
    visits: f64,
    mean: f64,
    rating: f64,
}

/// A sum of these terms.
fn sum<'s>(seen: impl Iterator<Item = &'s Seen>, term: impl Fn(&Seen) -> f64) -> f64 {
    seen.map(term).sum()
}

impl Belief {
    /// The belief after these visits, mean rewards and sums of squared deviations from them, by action. `ratings` has a
    /// value for each action if there is a rating; one that is not finite counts as the mean of the others.
    pub fn of(visits: &[f64], means: &[f64], squares: &[f64], ratings: Option<&[f64]>) -> Belief {
        let finite = ratings.map(|ratings| ratings.iter().copied().filter(|rating| rating.is_finite()));
        let centre = finite.map_or(0.0, |finite| {
            let (count, sum) = finite.fold((0.0, 0.0), |(count, sum), rating| (count + 1.0, sum + rating));
            if count > 0.0 { sum / count } else { 0.0 }
        });
        let rating = |action: usize| match ratings {
            Some(ratings) if ratings[action].is_finite() => ratings[action] - centre,
            _ => 0.0,
        };
        let all: Vec<Seen> = (0..visits.len())
            .map(|action| Seen { visits: visits[action], mean: means[action], rating: rating(action) })
            .collect();
        let tried = || all.iter().filter(|seen| seen.visits > 0.0);
        let count = tried().count() as f64;
        let total = sum(tried(), |seen| seen.visits);
        let freedom = total - count;
        let variance = if freedom > 0.0 { squares.iter().sum::<f64>() / freedom } else { 0.0 };
        if total == 0.0 || variance <= 0.0 {
            // Nothing shows how far rewards scatter: the means are all that is known.
            let mean = if total > 0.0 { sum(tried(), |seen| seen.visits * seen.mean) / total } else { 0.0 };
            let means = all.iter().map(|seen| if seen.visits > 0.0 { seen.mean } else { mean }).collect();
            return Belief { means, deviations: vec![0.0; all.len()], noise: 0.0 };
        }
        let middle = sum(tried(), |seen| seen.visits * seen.rating) / total;
        let mean = sum(tried(), |seen| seen.visits * seen.mean) / total;
        let along = sum(tried(), |seen| seen.visits * (seen.rating - middle) * (seen.rating - middle));
        let across = sum(tried(), |seen| seen.visits * (seen.rating - middle) * (seen.mean - mean));
        let slope = if along > 0.0 { across / along } else { 0.0 };
        let line = |seen: &Seen| mean + slope * (seen.rating - middle);
        let heterogeneity =
            sum(tried(), |seen| seen.visits * (seen.mean - line(seen)) * (seen.mean - line(seen))) / variance;
        let fitted = if along > 0.0 { 2.0 } else { 1.0 };
        let spread = (total - sum(tried(), |seen| seen.visits * seen.visits) / total) / variance;
        let between = if spread > 0.0 { ((heterogeneity - (count - fitted)) / spread).max(0.0) } else { 0.0 };
        let posterior = |seen: &Seen| {
            // Of no visits nothing but the line remains, and with no variance around the line the line itself.
            let weight =
                if between > 0.0 { between / (between + variance / seen.visits.max(f64::MIN_POSITIVE)) } else { 0.0 };
            let mean = if seen.visits > 0.0 { weight * seen.mean + (1.0 - weight) * line(seen) } else { line(seen) };
            let left = if seen.visits > 0.0 { between * (1.0 - weight) } else { between };
            (mean, left.sqrt())
        };
        let (means, deviations) = all.iter().map(posterior).unzip();
        Belief { means, deviations, noise: variance.sqrt() }
    }

    /// Values of the actions, drawn from the belief.
    pub fn draw(&self, rng: &mut impl Rng) -> Vec<f64> {
        self.means.iter().zip(&self.deviations).map(|(mean, deviation)| mean + deviation * normal(rng)).collect()
    }
}

/// One rehearsal. Two policies that rehearse the same one see the same reward at the same visit of the same action.
#[derive(Clone, Copy, Debug)]
pub struct Rehearsal<'r> {
    /// The value of each action at the root.
    pub values: &'r [f64],
    /// The standard deviation of rewards.
    pub noise: f64,
    /// The seed of its random numbers.
    pub seed: u64,
    /// Iterations to rehearse.
    pub iterations: u64,
    /// The share of the budget that is left at its beginning.
    pub left: f64,
}

impl<'a, G: Game, P: Playout<G>> Search<'a, G, P> {
    /// What the search believes of the actions at its root. The formula for untried actions, if the guidance has one,
    /// rates them. The search must keep [`SearchColumn::Deviation`](crate::search::SearchColumn::Deviation).
    pub fn belief(&mut self, guidance: &Guidance<G>) -> Belief {
        self.reset();
        let rated = match &guidance.untried {
            Untried::Formula(program) => {
                self.evaluate(guidance, 0, program);
                true
            }
            _ => false,
        };
        let tree = &self.work.tree;
        let (means, visits) = tree.statistics(0);
        let deviation = |((mean, visits), squares): ((&f64, &f64), &f64)| (squares - mean * mean * visits).max(0.0);
        let squares: Vec<f64> = means.iter().zip(visits).zip(tree.squares(0)).map(deviation).collect();
        Belief::of(visits, means, &squares, rated.then_some(&self.work.guided.values[..]))
    }

    /// The simple regret of a policy with its guidance in a rehearsal: the highest value of an action less that of the
    /// action that it plays in the end. None if `goes_on`, which is asked before each iteration, ended it. The tree
    /// stays as it is, and no playout is counted.
    pub fn rehearse(
        &mut self,
        rehearsal: &Rehearsal,
        policy: &TreePolicy,
        guidance: &'a Guidance<G>,
        goes_on: impl Fn() -> bool,
    ) -> Option<f64> {
        let Rehearsal { values, noise, seed, iterations, left } = *rehearsal;
        self.reset();
        let mut saved = std::mem::take(&mut self.work.root);
        self.work.tree.save_root(&mut saved);
        let rng = std::mem::replace(&mut self.rng, common_rng(seed, u64::MAX, 0));
        let (guidance_before, left_before) = (self.guidance.replace(guidance), self.left);
        // The tree has the part of the guidance before.
        let over_columns = std::mem::take(&mut self.moves.over_columns);
        let first = self.work.tree.node(0).first;
        let mut is_whole = true;
        for iteration in 0..iterations {
            if !goes_on() {
                is_whole = false;
                break;
            }
            self.left = left * (1.0 - iteration as f64 / iterations as f64);
            let edge = self.choose(0, policy, true).expect("a root has actions").index;
            let visits = self.work.tree.edge_visits(edge);
            let mut rng = common_rng(seed, (edge - first) as u64, visits as u64);
            let reward = values[edge - first] + noise * normal(&mut rng);
            self.work.tree.visit(0);
            self.work.tree.update(edge, reward);
            self.work.tree.update_further(edge, reward);
        }
        self.left = 0.0;
        let chosen = self.best_action(policy);
        self.work.tree.restore_root(&saved);
        (self.work.root, self.rng, self.left, self.guidance) = (saved, rng, left_before, guidance_before);
        self.moves.over_columns = over_columns;
        let regret = values.iter().copied().fold(f64::NEG_INFINITY, f64::max) - values[chosen];
        is_whole.then_some(regret)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beliefs_by_hand() {
        // Two rewards each, 10 ± 1 and 4 ± 1 and -2 ± 1: the pooled variance is 6/3 = 2. Q = 2·(36 + 0 + 36)/2 = 72, so
        // the variance between actions is (72 - 2) / ((6 - 12/6)/2) = 35. The weight of a mean is 35/(35 + 2/2).
        let belief = Belief::of(&[2.0, 2.0, 2.0, 0.0], &[10.0, 4.0, -2.0, 0.0], &[2.0, 2.0, 2.0, 0.0], None);
        let weight = 35.0 / 36.0;
        let close =
            |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}, expected {expected}");
        for (found, mean) in belief.means.iter().zip([10.0, 4.0, -2.0]) {
            close(*found, weight * mean + (1.0 - weight) * 4.0);
        }
        close(belief.means[3], 4.0);
        close(belief.deviations[0], (35.0_f64 / 36.0).sqrt());
        close(belief.deviations[3], 35.0_f64.sqrt());
        close(belief.noise, 2.0_f64.sqrt());
    }

    #[test]
    fn a_rating_says_what_untried_actions_are_worth() {
        // Means rise by 6 for each unit of the rating, exactly: no variance around the line is left.
        let ratings = [1.0, 0.0, -1.0, 3.0, f64::NAN];
        let visits = [2.0, 2.0, 2.0, 0.0, 0.0];
        let belief = Belief::of(&visits, &[10.0, 4.0, -2.0, 0.0, 0.0], &[2.0, 2.0, 2.0, 0.0, 0.0], Some(&ratings));
        for (found, expected) in belief.means.iter().zip([10.0, 4.0, -2.0, 22.0, 8.5]) {
            assert!((found - expected).abs() < 1e-12, "{found}, expected {expected}");
        }
        assert_eq!(belief.deviations, [0.0; 5]);
    }

    #[test]
    fn without_scatter_the_means_are_believed() {
        let belief = Belief::of(&[1.0, 1.0, 0.0], &[3.0, 5.0, 0.0], &[0.0; 3], None);
        assert_eq!((belief.means, belief.noise), (vec![3.0, 5.0, 4.0], 0.0));
        assert_eq!(Belief::of(&[0.0], &[0.0], &[0.0], None).means, [0.0]);
    }
}
