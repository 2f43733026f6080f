//! Head-room: what a choice of the formula by position could win.
//!
//! An evolution during the game pays only if different positions want different formulas. Here each position may choose from a
//! library of formulas; the choice is made on one half of the measurements of a position and judged on the other half, so that
//! luck alone wins nothing.

use crate::stats::{Interval, Summary};

/// What choosing by position is worth, in points per game.
#[derive(Clone, PartialEq, Debug)]
pub struct HeadRoom {
    /// The gain over the best formula for all positions, with a 95 % interval over positions. The choice is judged by measurements
    /// that it did not see. It errs, so this is less than what a perfect choice would win.
    pub cross_validated: (f64, Interval),
    /// The same if the choice is judged by the measurements that made it: more than what a perfect choice would win.
    pub optimistic: f64,
    /// Positions that were measured at least twice.
    pub positions: usize,
}

/// The head-room of a library: `values[formula][unit]`, where unit *u* is of position *u* mod `positions`. None if there are fewer
/// than two formulas, or fewer than two positions that were measured twice.
pub fn head_room(values: &[Vec<f64>], positions: usize) -> Option<HeadRoom> {
    let units = values.first()?.len();
    let repeated = units.saturating_sub(positions).min(positions);
    if values.len() < 2 || repeated < 2 {
        return None;
    }
    // The mean of a formula at a position, over the even or the odd ones of its measurements.
    let mean = |formula: usize, position: usize, half: usize| {
        let own = (position..units).step_by(positions).skip(half).step_by(2);
        let (sum, count) = own.fold((0.0, 0), |(sum, count), unit| (sum + values[formula][unit], count + 1));
        sum / f64::from(count)
    };
    let best = |value: &dyn Fn(usize) -> f64| {
        (1..values.len()).fold(0, |best, formula| if value(formula) > value(best) { formula } else { best })
    };
    let total = |formula: usize, half: usize| (0..repeated).map(|position| mean(formula, position, half)).sum::<f64>();
    let (mut gains, mut optimistic) = (vec![0.0; repeated], 0.0);
    for half in 0..2 {
        let single = best(&|formula| total(formula, half));
        for (position, gain) in gains.iter_mut().enumerate() {
            let chosen = best(&|formula| mean(formula, position, half));
            *gain += (mean(chosen, position, 1 - half) - mean(single, position, 1 - half)) / 2.0;
            optimistic += (mean(chosen, position, half) - mean(single, position, half)) / (2.0 * repeated as f64);
        }
    }
    let gains = Summary::of(&gains);
    Some(HeadRoom { cross_validated: (gains.mean().ok()?, gains.interval().ok()?), optimistic, positions: repeated })
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
        let found = head_room(&values, 10).unwrap();
        assert!((found.cross_validated.0 - 0.4).abs() < 1e-12 && (found.optimistic - 0.4).abs() < 1e-12);
        assert_eq!(found.positions, 10);
    }

    #[test]
    fn luck_alone_wins_nothing() {
        let mut stream = Key::experiment(3).stream();
        let mut luck = || (stream.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let values: Vec<Vec<f64>> = (0..8).map(|_| (0..4_000).map(|_| luck()).collect()).collect();
        let found = head_room(&values, 1_000).unwrap();
        let (gain, interval) = found.cross_validated;
        assert!(interval.low < 0.0 && interval.high > 0.0, "{gain} {interval:?}");
        // The same choice, judged by what made it, looks good.
        assert!(found.optimistic > 0.2, "{}", found.optimistic);
    }

    #[test]
    fn one_measurement_per_position_says_nothing() {
        assert_eq!(head_room(&[vec![1.0; 10], vec![2.0; 10]], 10), None);
        assert_eq!(head_room(&[vec![1.0; 20]], 10), None);
        assert_eq!(head_room(&[], 10), None);
    }
}
