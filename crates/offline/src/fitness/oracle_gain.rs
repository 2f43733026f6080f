//! Oracle gain: what a choice of the formula by position could win.
//!
//! An evolution during the game pays only if different positions want different formulas. Here each position may choose
//! from a library of formulas. A choice must not be judged by what made it. The values of a bank are estimates, and a
//! formula that fits their errors looks good at its position; so another bank judges, whose values have other errors. A
//! search has errors, too, and a formula whose search was lucky looks good; so other searches judge: of the
//! measurements of a position, every second one.

use evouct_base::sampling::first_highest;
use evouct_stats::{Interval, Summary};

/// What choosing by position is worth, in points per game.
#[derive(Clone, PartialEq, Debug)]
pub struct OracleGain {
    /// The gain over the best formula for all positions, with a 95 % interval over positions where they differ, judged by
    /// the other bank and by other searches. The choice errs, so this is less than what a perfect choice would win.
    pub judged: (f64, Option<Interval>),
    /// The same, judged by the bank and the searches that made the choice: more than what a perfect choice would win.
    pub optimistic: f64,
    /// Positions.
    pub positions: usize,
}

/// Measurements of a position that an oracle gain needs: one to choose, one to judge.
pub(crate) const REPEATS: usize = 2;

/// The oracle gain of a library: `values[bank][formula][unit]`, where unit *u* is measurement *u* div `positions` of
/// position *u* mod `positions`. None if there are fewer than two formulas or positions, or a position was measured
/// fewer than two times.
pub fn oracle_gain(values: [&[Vec<f64>]; 2], positions: usize) -> Option<OracleGain> {
    let (formulas, units) = (values[0].len(), values[0].first()?.len());
    if formulas < 2 || positions < 2 || units < REPEATS * positions {
        return None;
    }
    let by_position = |of_formula: &Vec<f64>, half: usize| -> Vec<f64> {
        let mean = |position: usize| {
            let own = of_formula[position + half * positions..].iter().step_by(REPEATS * positions);
            own.clone().sum::<f64>() / own.count() as f64
        };
        (0..positions).map(mean).collect()
    };
    let mean = |bank: usize, half: usize| -> Vec<Vec<f64>> {
        values[bank].iter().map(|of_formula| by_position(of_formula, half)).collect()
    };
    let means = [0, 1].map(|bank| [0, 1].map(|half| mean(bank, half)));
    let best = |value: &dyn Fn(usize) -> f64| first_highest((0..formulas).map(value));
    let (mut gains, mut optimistic) = (vec![0.0; positions], 0.0);
    for (bank, half) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let (chooser, judge) = (&means[bank][half], &means[1 - bank][1 - half]);
        let single = best(&|formula| chooser[formula].iter().sum());
        for (position, gain) in gains.iter_mut().enumerate() {
            let chosen = best(&|formula| chooser[formula][position]);
            *gain += (judge[chosen][position] - judge[single][position]) / 4.0;
            optimistic += (chooser[chosen][position] - chooser[single][position]) / (4.0 * positions as f64);
        }
    }
    let gains = Summary::of(&gains);
    gains.variance().ok()?;
    Some(OracleGain { judged: (gains.mean().ok()?, gains.interval().ok()), optimistic, positions })
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_base::sampling;
    use evouct_base::seed::Key;

    #[test]
    fn a_choice_by_position_wins_where_positions_differ() {
        // Formula 0 is worth 1 at even positions, formula 1 at odd ones; formula 2 is worth 0.6 everywhere.
        let value = |formula: usize, position: usize| match formula {
            2 => 0.6,
            _ => f64::from(u8::from(position % 2 == formula)),
        };
        let values: Vec<Vec<f64>> =
            (0..3).map(|formula| (0..40).map(|unit| value(formula, unit % 10)).collect()).collect();
        let found = oracle_gain([&values, &values], 10).unwrap();
        assert!((found.judged.0 - 0.4).abs() < 1e-12 && (found.optimistic - 0.4).abs() < 1e-12);
        assert_eq!(found.positions, 10);
    }

    /// Measurements of 8 formulas at 1,000 positions, which are all errors.
    fn errors(seed: u64) -> Vec<Vec<f64>> {
        let mut stream = Key::experiment(seed).stream();
        let mut error = || sampling::unit(&mut stream);
        (0..8).map(|_| (0..1_000).map(|_| error()).collect()).collect()
    }

    /// All measurements of a bank, one after the other.
    fn measured<const N: usize>(parts: [&[Vec<f64>]; N]) -> Vec<Vec<f64>> {
        (0..parts[0].len()).map(|formula| parts.map(|part| &part[formula][..]).concat()).collect()
    }

    fn wins_nothing(found: &OracleGain) {
        let (gain, interval) = found.judged;
        let interval = interval.unwrap();
        assert!(interval.low < 0.0 && interval.high > 0.0, "{gain} {interval:?}");
        // The same choice, judged by what made it, looks good.
        assert!(found.optimistic > 0.2, "{}", found.optimistic);
    }

    #[test]
    fn errors_of_a_bank_win_nothing() {
        // Both measurements of a position have the error of its value.
        let [first, second] = [3, 4].map(errors);
        wins_nothing(&oracle_gain([&measured([&first, &first]), &measured([&second, &second])], 1_000).unwrap());
    }

    #[test]
    fn errors_of_a_search_win_nothing() {
        // Both banks value the same searches, and neither errs.
        let [first, second] = [3, 4].map(errors);
        let both = measured([&first, &second]);
        wins_nothing(&oracle_gain([&both, &both], 1_000).unwrap());
    }

    #[test]
    fn one_formula_says_nothing() {
        let [one, two, three] = [1, 2, 3].map(|count| vec![vec![1.0; 20]; count]);
        assert_eq!(oracle_gain([&one, &one], 10), None);
        assert_eq!(oracle_gain([&two, &two], 11), None);
        assert!(oracle_gain([&three, &three], 10).is_some());
    }
}
