//! Head-room: what a choice of the formula by position could win.
//!
//! An evolution during the game pays only if different positions want different formulas. Here each position may choose from a
//! library of formulas. The values of a bank are estimates, and a formula that fits their errors looks good at its position; so the choice
//! is made with one bank and judged with another one, whose values have other luck.

use crate::stats::{Interval, Summary};

/// What choosing by position is worth, in points per game.
#[derive(Clone, PartialEq, Debug)]
pub struct HeadRoom {
    /// The gain over the best formula for all positions, with a 95 % interval over positions, judged by the other bank. The choice errs, so
    /// this is less than what a perfect choice would win.
    pub judged: (f64, Interval),
    /// The same, judged by the bank that made the choice: more than what a perfect choice would win.
    pub optimistic: f64,
    /// Positions.
    pub positions: usize,
}

/// The head-room of a library: `values[bank][formula][unit]`, where unit *u* is of position *u* mod `positions`. Each bank chooses, and
/// the other one judges. None if there are fewer than two formulas or positions, or fewer units than positions.
pub fn head_room(values: [&[Vec<f64>]; 2], positions: usize) -> Option<HeadRoom> {
    let (formulas, units) = (values[0].len(), values[0].first()?.len());
    if formulas < 2 || positions < 2 || units < positions {
        return None;
    }
    let by_position = |of_formula: &Vec<f64>| -> Vec<f64> {
        let mean = |position: usize| {
            let own = of_formula[position..].iter().step_by(positions);
            own.clone().sum::<f64>() / own.count() as f64
        };
        (0..positions).map(mean).collect()
    };
    let means = values.map(|of_bank| of_bank.iter().map(by_position).collect::<Vec<Vec<f64>>>());
    let best = |value: &dyn Fn(usize) -> f64| {
        (1..formulas).fold(0, |best, formula| if value(formula) > value(best) { formula } else { best })
    };
    let (mut gains, mut optimistic) = (vec![0.0; positions], 0.0);
    for (chooser, judge) in [(&means[0], &means[1]), (&means[1], &means[0])] {
        let single = best(&|formula| chooser[formula].iter().sum());
        for (position, gain) in gains.iter_mut().enumerate() {
            let chosen = best(&|formula| chooser[formula][position]);
            *gain += (judge[chosen][position] - judge[single][position]) / 2.0;
            optimistic += (chooser[chosen][position] - chooser[single][position]) / (2.0 * positions as f64);
        }
    }
    let gains = Summary::of(&gains);
    Some(HeadRoom { judged: (gains.mean().ok()?, gains.interval().ok()?), optimistic, positions })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Key;
    use rand::Rng;

    #[test]
    fn a_choice_by_position_wins_where_positions_differ() {
        // Formula 0 is worth 1 at even positions, formula 1 at odd ones; formula 2 is worth 0.6 everywhere.
        let value = |formula: usize, position: usize| match formula {
            2 => 0.6,
            _ => f64::from(u8::from(position % 2 == formula)),
        };
        let values: Vec<Vec<f64>> =
            (0..3).map(|formula| (0..40).map(|unit| value(formula, unit % 10)).collect()).collect();
        let found = head_room([&values, &values], 10).unwrap();
        assert!((found.judged.0 - 0.4).abs() < 1e-12 && (found.optimistic - 0.4).abs() < 1e-12);
        assert_eq!(found.positions, 10);
    }

    #[test]
    fn errors_of_a_bank_win_nothing() {
        let mut stream = Key::experiment(3).stream();
        let mut error = || (stream.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let mut bank = || -> Vec<Vec<f64>> { (0..8).map(|_| (0..1_000).map(|_| error()).collect()).collect() };
        let (first, second) = (bank(), bank());
        // Both measurements of a position have the error of its value.
        let twice = |bank: &Vec<Vec<f64>>| -> Vec<Vec<f64>> {
            bank.iter().map(|values| [&values[..], values].concat()).collect()
        };
        let found = head_room([&twice(&first), &twice(&second)], 1_000).unwrap();
        let (gain, interval) = found.judged;
        assert!(interval.low < 0.0 && interval.high > 0.0, "{gain} {interval:?}");
        // The same choice, judged by what made it, looks good.
        assert!(found.optimistic > 0.2, "{}", found.optimistic);
    }

    #[test]
    fn one_formula_says_nothing() {
        let [one, two, three] = [1, 2, 3].map(|count| vec![vec![1.0; 10]; count]);
        assert_eq!(head_room([&one, &one], 10), None);
        assert_eq!(head_room([&two, &two], 20), None);
        assert!(head_room([&three, &three], 10).is_some());
    }
}
