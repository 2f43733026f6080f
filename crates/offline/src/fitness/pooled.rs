//! The gain of an individual over the reference: of one game, or over several.

use super::distinct_decks::Objective;
use super::estimate::{Estimate, ROUNDING};
use super::layout::{GameBlocks, Layout};
use super::measure::Measured;
use crate::plan::game::OverGames;
use evouct_stats::t_test::upper_tail;

/// The mean difference from the reference, pooled over batches: in points per game, or of several games in standard
/// deviations of each, and over them their mean by weight or the least.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GainEstimate {
    games: Vec<GameGain>,
    /// What a gain over several games is; none in an evolution in one game.
    over: Option<OverGames>,
}

/// The gain in a game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameGain {
    estimate: Estimate,
    /// 0 where the game is held out.
    weight: f64,
    deviation: f64,
}

impl GameGain {
    /// The gain: of several games in standard deviations of this one's results per deck.
    pub fn mean(&self) -> f64 {
        self.estimate.mean()
    }

    /// The standard error of the gain; infinite with fewer than two blocks.
    pub fn error(&self) -> f64 {
        self.estimate.error()
    }

    /// The gain in points per game.
    pub fn points(&self) -> f64 {
        self.mean() * self.deviation
    }

    /// Half of the 95 % interval of the gain; none with fewer than two blocks.
    pub fn half(&self) -> Option<f64> {
        half(self.error())
    }

    /// The p-value of the one-sided t-test that the true gain is at most 0; none with fewer than two blocks.
    pub fn p_not_above(&self) -> Option<f64> {
        self.estimate.p_not_above()
    }

    /// Units so far.
    pub fn units(&self) -> u64 {
        self.estimate.units()
    }

    /// Whether evolution does not see the game.
    pub fn is_held_out(&self) -> bool {
        self.weight == 0.0
    }
}

/// Half of the 95 % interval of an estimate with this error.
fn half(error: f64) -> Option<f64> {
    error.is_finite().then_some(1.96 * error)
}

impl GainEstimate {
    /// Adds the sums of the blocks of a batch of one game. `units` are those of each block.
    pub fn add(&mut self, own: &[f64], reference: &[f64], units: impl Iterator<Item = u32>) {
        if self.games.is_empty() {
            self.games.push(GameGain { estimate: Estimate::default(), weight: 1.0, deviation: 1.0 });
        }
        self.games[0].estimate.add(own, reference, units);
    }

    /// Adds a batch. With a reference it is paired, else its level per unit in each game is taken off; 0 in games beyond
    /// those of `levels`. The mean is over all units; the error is over the decks that repeat no earlier ones.
    pub(crate) fn add_measured(
        &mut self,
        own: &Measured,
        reference: Result<&Measured, &[f64]>,
        objective: Objective,
        layout: &Layout,
    ) {
        self.over = layout.over;
        for GameBlocks { weight, deviation, .. } in layout.games.iter().skip(self.games.len()) {
            self.games.push(GameGain { estimate: Estimate::default(), weight: *weight, deviation: *deviation });
        }
        let (own, theirs) = (layout.by_game(own), reference.ok().map(|reference| layout.by_game(reference)));
        for (place, (gain, blocks)) in self.games.iter_mut().zip(&layout.games).enumerate() {
            let reference = match (&theirs, reference) {
                (Some(theirs), _) => Ok(&*theirs[place]),
                (None, Err(levels)) => Err(levels.get(place).copied().unwrap_or_default()),
                (None, Ok(_)) => unreachable!("a reference is split as its rivals are"),
            };
            gain.estimate.add_measured(&own[place], reference, objective, &blocks.units);
        }
    }

    /// The gains in each of several games, in the order of the plan; none in an evolution in one game.
    pub fn games(&self) -> &[GameGain] {
        if self.over.is_some() { &self.games } else { &[] }
    }

    /// Forgets a share of what was measured, evenly: what is measured from now on counts for more.
    pub fn forget(&mut self, share: f64) {
        self.games.iter_mut().for_each(|game| game.estimate.forget(share));
    }

    /// Moves the gains, for a reference that turns out to be worth so much less in each game.
    pub(crate) fn shift(&mut self, by: &[f64]) {
        self.games.iter_mut().zip(by).for_each(|(game, by)| game.estimate.shift(*by));
    }

    /// The gain in each game.
    pub(crate) fn levels(&self) -> Vec<f64> {
        self.games.iter().map(GameGain::mean).collect()
    }

    /// Games that are not held out.
    fn counted(&self) -> impl Iterator<Item = &GameGain> + Clone {
        self.games.iter().filter(|game| !game.is_held_out())
    }

    /// A value over all games.
    fn over(&self, value: impl Fn(&Estimate) -> f64) -> f64 {
        match (&self.games[..], self.over) {
            ([], _) => value(&Estimate::default()),
            ([one], _) => value(&one.estimate),
            (_, Some(OverGames::Least)) => {
                self.counted().map(|game| value(&game.estimate)).fold(f64::INFINITY, f64::min)
            }
            _ => {
                let all = self.counted().map(|game| game.weight).sum::<f64>();
                self.counted().map(|game| game.weight * value(&game.estimate)).sum::<f64>() / all
            }
        }
    }

    /// A standard error over all games, of those of each.
    fn error_over(&self, error: impl Fn(&Estimate) -> f64) -> f64 {
        match (&self.games[..], self.over) {
            ([] | [_], _) => self.over(error),
            (_, Some(OverGames::Least)) => {
                let least = self.counted().min_by(|a, b| a.mean().total_cmp(&b.mean()));
                least.map_or(f64::INFINITY, |game| error(&game.estimate))
            }
            _ => {
                let all = self.counted().map(|game| game.weight).sum::<f64>();
                self.counted().map(|game| (game.weight * error(&game.estimate)).powi(2)).sum::<f64>().sqrt() / all
            }
        }
    }

    /// The gain; 0 before the first batch.
    pub fn mean(&self) -> f64 {
        self.over(Estimate::mean)
    }

    /// Decks that repeat earlier ones, of which the error knows nothing.
    pub fn repeats(&self) -> u64 {
        self.games.iter().map(|game| game.estimate.repeats()).sum()
    }

    /// The gain that is sure: the gain less its standard error. Where only one game was ever played, there is no error, and
    /// the gain is what it is.
    pub(crate) fn sure(&self) -> f64 {
        match (&self.games[..], self.over) {
            ([] | [_], _) | (_, Some(OverGames::Least)) => self.over(Estimate::sure),
            _ => self.mean() - self.error_over(|game| game.mean() - game.sure()),
        }
    }

    /// What the gain is above, by so many standard errors, as tests count it. The least gain is above what all gains are
    /// above.
    pub(crate) fn lower_bound(&self, errors: f64) -> f64 {
        match (&self.games[..], self.over) {
            ([] | [_], _) | (_, Some(OverGames::Least)) => self.over(|game| game.tested() - errors * game.error()),
            _ => self.over(Estimate::tested) - errors * self.error(),
        }
    }

    /// The standard error of the gain, from the scatter of blocks; infinite with fewer than two. Of the least of several
    /// gains it is that of the game with the least one.
    pub fn error(&self) -> f64 {
        self.error_over(Estimate::error)
    }

    /// Half of the 95 % interval of the gain; none with fewer than two blocks.
    pub fn half(&self) -> Option<f64> {
        half(self.error())
    }

    /// `± 0.50` for people: half of the 95 % interval, or in words that it is not known.
    pub fn plus_minus(&self, decimals: usize) -> String {
        self.half().map_or("(too few blocks)".to_owned(), |half| format!("± {half:.decimals$}"))
    }

    /// The p-value of the one-sided t-test, by block, that the true gain is at most 0; none with fewer than two blocks.
    /// Where blocks do not vary at all, that of the exact test of their signs. Over several games by Welch's degrees of
    /// freedom; of the least gain it is the largest one of all games (intersection and union).
    pub fn p_not_above(&self) -> Option<f64> {
        match (&self.games[..], self.over) {
            ([], _) => None,
            ([one], _) => one.p_not_above(),
            (_, Some(OverGames::Least)) => {
                let values: Option<Vec<f64>> = self.counted().map(GameGain::p_not_above).collect();
                values?.into_iter().reduce(f64::max)
            }
            _ => {
                let (mean, error) = (self.over(Estimate::tested), self.error());
                if !error.is_finite() {
                    return None;
                }
                if error <= ROUNDING * mean.abs() {
                    let blocks = self.counted().map(|game| game.estimate.blocks()).sum::<f64>();
                    return Some(if mean > 0.0 { 0.5_f64.powf(blocks) } else { 1.0 });
                }
                let all = self.counted().map(|game| game.weight).sum::<f64>();
                let parts = self.counted().map(|game| {
                    let variance = (game.weight / all * game.error()).powi(2);
                    variance * variance / (game.estimate.blocks() - 1.0)
                });
                Some(upper_tail(mean / error, error.powi(4) / parts.sum::<f64>()))
            }
        }
    }

    /// Units so far.
    pub fn units(&self) -> u64 {
        self.games.iter().map(GameGain::units).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of one unit in two games: the second counts three times as much and has a deviation of 2, and a third one is
    /// held out.
    fn layout(over: OverGames) -> Layout {
        let over = Some(over);
        let game = |weight: f64, deviation: f64| GameBlocks { units: vec![1; 4], weight, deviation };
        Layout { games: vec![game(1.0, 1.0), game(3.0, 2.0), game(0.0, 1.0)], over }
    }

    fn measured(values: [f64; 3]) -> Measured {
        let blocks = values.iter().flat_map(|value| [value - 1.0, value + 1.0, value - 1.0, value + 1.0]);
        Measured { sums: blocks.collect(), ..Measured::default() }
    }

    fn pooled(over: OverGames, values: [f64; 3]) -> GainEstimate {
        let (mut pooled, zero) = (GainEstimate::default(), [0.0; 3]);
        pooled.add_measured(&measured(values), Err(&zero), Objective::Value, &layout(over));
        pooled
    }

    #[test]
    fn a_gain_over_games_is_their_mean_or_the_least() {
        let mean = pooled(OverGames::Mean, [2.0, 6.0, -50.0]);
        assert_eq!(mean.games().iter().map(GameGain::mean).collect::<Vec<_>>(), [2.0, 3.0, -50.0]);
        assert_eq!((mean.mean(), mean.games()[1].points(), mean.units()), ((2.0 + 3.0 * 3.0) / 4.0, 6.0, 12));
        // Blocks of a game have an error of √(1/3), in the second one half of it.
        let error = (1.0_f64 / 3.0).sqrt();
        let expected = (error.powi(2) + (3.0 * error / 2.0).powi(2)).sqrt() / 4.0;
        assert!((mean.error() - expected).abs() < 1e-12);
        assert!((mean.lower_bound(2.0) - (mean.mean() - 2.0 * expected)).abs() < 1e-12);
        let least = pooled(OverGames::Least, [2.0, 6.0, -50.0]);
        assert_eq!((least.mean(), least.sure()), (2.0, 2.0 - least.games()[0].error()));
        assert!((least.lower_bound(2.0) - (2.0 - 2.0 * error)).abs() < 1e-12);
        assert_eq!(least.p_not_above(), least.games()[0].p_not_above());
        // Student's t of 11/4 over the error, 4.4 degrees of freedom: between those of 4 and 5.
        let (p, t) = (mean.p_not_above().unwrap(), mean.mean() / mean.error());
        assert!(p < upper_tail(t, 4.0) && p > upper_tail(t, 6.0), "{p}");
        assert_eq!(
            (mean.plus_minus(1), GainEstimate::default().plus_minus(1)),
            ("± 0.5".to_owned(), "(too few blocks)".to_owned())
        );
    }

    #[test]
    fn levels_are_by_game() {
        let mut pooled = pooled(OverGames::Least, [2.0, 6.0, 0.0]);
        pooled.shift(&[1.0, -2.5, 0.0]);
        assert_eq!((pooled.levels(), pooled.mean()), (vec![3.0, 0.5, 0.0], 0.5));
        let mut other = GainEstimate::default();
        other.add_measured(&measured([2.0, 6.0, 0.0]), Err(&[-1.0, 2.5]), Objective::Value, &layout(OverGames::Least));
        assert_eq!(other.levels(), pooled.levels());
        let mut none = GainEstimate::default();
        none.add_measured(&measured([2.0; 3]), Ok(&measured([2.0; 3])), Objective::Value, &layout(OverGames::Mean));
        assert_eq!((none.mean(), none.p_not_above()), (0.0, Some(1.0)));
    }
}
