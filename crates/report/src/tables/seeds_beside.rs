//! Two sets of evolutions over seeds, beside each other: a test over the seeds.

use super::seeds::SeedsReport;
use evouct_base::plural::counted;
use evouct_stats::fisher::fisher;
use evouct_stats::mann_whitney::{MannWhitney, least_p, mann_whitney};
use evouct_stats::t_test::{TTest, welch};
use evouct_stats::{SIGNIFICANCE_LEVEL, Summary};
use serde::Serialize;

/// The fewest seeds of a set that a test takes.
const FEWEST: usize = 2;

/// A set beside the first one.
#[derive(Clone, Debug, Serialize)]
pub struct SeedsBeside {
    /// The folders of the first set and of the other one.
    pub names: [String; 2],
    /// The unit of gains.
    pub unit: &'static str,
    /// The gain above which a seed succeeds.
    pub level: f64,
    /// The gain of the best finalist of each complete seed that has one, in the order of the seeds.
    pub gains: [Vec<f64>; 2],
    /// Seeds that succeed, and those that are complete.
    pub succeeded: [[u64; 2]; 2],
    /// What all measurements took, in seconds of one core; none where the time of some is not known.
    pub core_seconds: [Option<f64>; 2],
    /// Of the gains of the other set less those of the first one: the rank-sum test over seeds with its effect size.
    pub test: MannWhitney,
    /// The difference of the mean gains, by Welch's test over seeds; none where they do not vary.
    pub means: Option<TTest>,
    /// The p-value of Fisher's exact test that equal shares of the seeds succeed.
    pub success_p: Option<f64>,
    /// The least p-value that the rank-sum test can have with so many seeds.
    pub least_p: f64,
    /// What is to be known first, in sentences.
    pub headline: Vec<String>,
}

impl SeedsBeside {
    /// The comparison of the other report with the first one, by the names of their folders.
    ///
    /// # Errors
    /// If one of them has too few complete seeds: which one, and a line.
    pub fn of(names: [String; 2], [first, other]: [&SeedsReport; 2]) -> Result<SeedsBeside, (usize, String)> {
        let gains = [first, other].map(|report| {
            let best = report.seeds.iter().filter_map(|row| row.best);
            best.map(|best| report.finalists[best].gain).collect::<Vec<f64>>()
        });
        if let Some((at, gains)) = gains.iter().enumerate().find(|(_, gains)| gains.len() < FEWEST) {
            let seeds = counted(gains.len(), "complete seed");
            let needs = format!("a comparison needs {FEWEST} complete seeds with finalists or more, found {seeds}");
            return Err((at, needs));
        }
        let test = mann_whitney(&gains[1], &gains[0]).map_err(|problem| (1, problem.to_string()))?;
        let [a, b] = [&gains[0], &gains[1]].map(|gains| Summary::of(gains));
        let succeeded = [first, other].map(|report| [report.succeeded as u64, report.complete as u64]);
        let [own, theirs] = succeeded.map(|[succeeded, all]| [succeeded, all - succeeded]);
        let mut beside = SeedsBeside {
            names,
            unit: first.unit,
            level: first.level,
            succeeded,
            core_seconds: [first, other].map(|report| report.core_seconds),
            test,
            means: welch(&b, &a).ok(),
            success_p: fisher([own, theirs]).ok(),
            least_p: least_p(gains[0].len(), gains[1].len()),
            gains,
            headline: Vec::new(),
        };
        beside.headline = beside.sentences();
        Ok(beside)
    }

    fn sentences(&self) -> Vec<String> {
        let SeedsBeside { names: [first, other], unit, test, .. } = self;
        let seeds = [&self.gains[0], &self.gains[1]].map(|gains| gains.len());
        let p = |p: f64| if p < 0.0005 { "p < 0.0005".to_owned() } else { format!("p = {p:.3}") };
        let interval = test.interval.map_or("too few seeds for a 95 % interval".to_owned(), |ends| {
            format!("95 % interval {:+.2} to {:+.2}", ends.low, ends.high)
        });
        let verdict = match test.p < SIGNIFICANCE_LEVEL {
            true if test.shift > 0.0 => format!("{other} gains more than {first}"),
            true => format!("{other} gains less than {first}"),
            false => format!("{other} and {first} are not shown to differ"),
        };
        let mut said = vec![format!(
            "{verdict}: the best finalists of its seeds gain {:+.2} {unit} more ({interval}; rank-sum test over {} and {} \
             seeds, {}).",
            test.shift,
            seeds[1],
            seeds[0],
            p(test.p)
        )];
        said.push(format!(
            "A seed of {other} gains more than one of {first} with probability {:.2} (Â12, ties counted half).",
            test.a12
        ));
        let [own, theirs] = self.succeeded.map(|[succeeded, all]| format!("{succeeded} of {all}"));
        let of_success = self.success_p.map_or(String::new(), |found| format!(" (Fisher's exact test, {})", p(found)));
        said.push(format!("{theirs} seeds succeed above {}, and {own} of {first}{of_success}.", self.level));
        if self.least_p >= SIGNIFICANCE_LEVEL {
            said.push(format!(
                "With {} and {} seeds no difference can be significant: p is at least {:.2}. Four of each are enough.",
                seeds[1], seeds[0], self.least_p
            ));
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_seeds_are_the_fewest_that_can_differ() {
        assert!(least_p(3, 3) >= SIGNIFICANCE_LEVEL && least_p(4, 4) < SIGNIFICANCE_LEVEL);
    }
}
