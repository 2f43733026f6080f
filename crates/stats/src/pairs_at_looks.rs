//! The pairs of a league that are tested at looks: the state of each, and which games are still needed.
//!
//! At a look every open pair has the same decks, and the test of each is its paired t-test over these decks. Holm's
//! correction over the repeated p-values of all pairs decides which differ. A pair that differs is played no more: its
//! repeated p-value is one whenever it stops, so the error over the league and over all looks stays at most the level.
//!
//! A deck that repeats an earlier one of its pair is no evidence ([`Distinct`]), and a pair that only repeats itself is
//! played no more. Distinct decks come ever more slowly, so looks at them share more of their data than equally spaced
//! looks do, and their levels err on the safe side.
//!
//! A league that is being played and the report of its records count with this type, so both stop at the same deck.

use super::distinct::{Distinct, Evidence, REPEATS};
use super::holm::holm;
use super::looks::Looks;
use super::t_test::paired;
use super::{Interval, SIGNIFICANCE_LEVEL, Summary, Unavailable};
use std::collections::BTreeMap;

/// Pairs of players with their results so far. Results may come in any order; what they say does not depend on it.
#[derive(Clone, Debug)]
pub struct PairsAtLooks {
    looks: Looks,
    /// Planned decks.
    decks: u32,
    /// Games of a pair on a deck.
    games: usize,
    pairs: Vec<PairAtLooks>,
    taken: usize,
}

/// A pair of players at the last look.
#[derive(Clone, Debug)]
pub struct PairAtLooks {
    /// By deck: the first player's score less the second's in each game, none for a game that failed.
    decks: BTreeMap<u32, Vec<Option<Evidence>>>,
    /// Decks at its last look that repeat earlier ones, and whether the last [`REPEATS`] of all do.
    repeats: u64,
    only_repeats: bool,
    looks: usize,
    repeated: f64,
    adjusted: f64,
    /// What is left of the intervals of its looks.
    interval: Option<Interval>,
}

/// A pair before its first look.
impl Default for PairAtLooks {
    fn default() -> PairAtLooks {
        PairAtLooks {
            decks: BTreeMap::new(),
            repeats: 0,
            only_repeats: false,
            looks: 0,
            repeated: 1.0,
            adjusted: 1.0,
            interval: None,
        }
    }
}

impl PairsAtLooks {
    /// So many pairs with so many games per deck, before the first result; `decks` are planned for each.
    ///
    /// # Errors
    /// [`Unavailable::OutOfRange`] if there are no looks or too many.
    ///
    /// ```
    /// use evouct_stats::distinct::Evidence;
    /// use evouct_stats::pairs_at_looks::PairsAtLooks;
    /// let mut pairs = PairsAtLooks::new(2, 40, 1, 2)?;
    /// for deck in 1..=20 {
    ///     for seat in 0..2 {
    ///         let difference = f64::from(3 + seat + deck % 5);
    ///         pairs.add(0, deck, Some(Evidence { game: u64::from(2 * deck + seat), difference }));
    ///     }
    /// }
    /// assert!(pairs.wants(0, 20) && !pairs.wants(0, 21));
    /// pairs.look();
    /// assert!((pairs.taken(), pairs.missing()) == (1, 0) && pairs.pair(0).adjusted() < 0.001);
    /// # Ok::<(), evouct_stats::Unavailable>(())
    /// ```
    pub fn new(looks: usize, decks: u32, pairs: usize, games: usize) -> Result<PairsAtLooks, Unavailable> {
        Ok(PairsAtLooks {
            looks: Looks::new(looks)?,
            decks,
            games,
            pairs: vec![PairAtLooks::default(); pairs],
            taken: 0,
        })
    }

    /// Adds a game of a pair: its deck, from 1, and the first player's score less the second's, none if the game failed. A
    /// deck with a failed game is complete but counts for neither player. Games of other pairs are ignored.
    pub fn add(&mut self, pair: usize, deck: u32, game: Option<Evidence>) {
        if let Some(pair) = self.pairs.get_mut(pair) {
            pair.decks.entry(deck).or_default().push(game);
        }
    }

    /// Takes all looks whose games are complete.
    pub fn look(&mut self) {
        while self.taken < self.looks.count() && self.open().next().is_some() && self.is_complete() {
            self.taken += 1;
            let (look, decks) = (self.taken, self.decks_at(self.taken));
            for pair in self.pairs.iter_mut().filter(|pair| !pair.is_over()) {
                pair.looks = look;
                let Ok(test) = paired(&pair.count(decks, self.games)) else { continue };
                pair.repeated = pair.repeated.min(self.looks.repeated(look, test.p));
                let Ok(found) = test.interval_at(self.looks.nominal(look, SIGNIFICANCE_LEVEL)) else { continue };
                pair.interval = Some(pair.interval.map_or(found, |before| shared(before, found)));
            }
            let repeated: Vec<Option<f64>> = self.pairs.iter().map(|pair| Some(pair.repeated)).collect();
            let adjusted = holm(&repeated).expect("repeated p-values are probabilities");
            for (pair, adjusted) in self.pairs.iter_mut().zip(adjusted).filter(|(pair, _)| !pair.is_decided()) {
                pair.adjusted = adjusted.unwrap_or(1.0);
            }
        }
    }

    /// Whether the games of all open pairs up to the next look are there.
    fn is_complete(&self) -> bool {
        let end = self.decks_at(self.taken + 1);
        let complete = |pair: &PairAtLooks| {
            (1..=end).all(|deck| pair.decks.get(&deck).is_some_and(|games| games.len() >= self.games))
        };
        self.open().all(|pair| complete(&self.pairs[pair]))
    }

    /// The pairs that are played on.
    fn open(&self) -> impl Iterator<Item = usize> {
        (0..self.pairs.len()).filter(|pair| !self.pairs[*pair].is_over())
    }

    /// The last deck of a look, from 1.
    pub fn decks_at(&self, look: usize) -> u32 {
        let decks = (u64::from(self.decks) * look as u64).div_ceil(self.looks.count() as u64);
        u32::try_from(decks).unwrap_or(self.decks).min(self.decks)
    }

    /// How many looks there are.
    pub fn count(&self) -> usize {
        self.looks.count()
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Looks taken.
    pub fn taken(&self) -> usize {
        self.taken
    }

    /// Whether games of a pair may still be needed, at this look or a later one.
    pub fn is_open(&self, pair: usize) -> bool {
        self.taken < self.looks.count() && !self.pairs[pair].is_over()
    }

    /// Whether the next look needs a game of a pair on a deck.
    pub fn wants(&self, pair: usize, deck: u32) -> bool {
        self.is_open(pair) && deck <= self.decks_at(self.taken + 1)
    }

    /// How many games are missing if no further pair is decided before the last look.
    pub fn missing(&self) -> u64 {
        let planned = u64::from(self.decks) * self.games as u64;
        let of = |pair: usize| planned - self.pairs[pair].games(self.decks).min(planned);
        (0..self.pairs.len()).filter(|pair| self.is_open(*pair)).map(of).sum()
    }

    /// The p-value that is significant at the last look for each of so many pairs that are not decided.
    pub fn last_level(&self, open: usize) -> f64 {
        self.looks.nominal(self.looks.count(), SIGNIFICANCE_LEVEL / open.max(1) as f64)
    }

    /// The state of a pair, by its number from 0.
    pub fn pair(&self, pair: usize) -> &PairAtLooks {
        &self.pairs[pair]
    }

    /// The last deck that counts for a pair: that of its last look.
    pub fn decks_of(&self, pair: usize) -> u32 {
        self.decks_at(self.pairs[pair].looks)
    }
}

impl PairAtLooks {
    /// The means of complete decks up to one, each distinct one once.
    fn count(&mut self, end: u32, games: usize) -> Summary {
        let mut distinct = Distinct::default();
        let mut whole = |deck: &Vec<Option<Evidence>>| {
            let known: Vec<Evidence> = deck.iter().copied().flatten().collect();
            let counts = known.len() == deck.len() && known.len() == games;
            let counts = counts && distinct.adds(known.iter().map(|game| game.game));
            counts.then(|| known.iter().map(|game| game.difference).sum::<f64>() / games as f64)
        };
        let means: Vec<f64> = self.decks.range(..=end).filter_map(|(_, deck)| whole(deck)).collect();
        (self.repeats, self.only_repeats) = (distinct.repeats(), distinct.in_a_row() >= REPEATS);
        Summary::of(&means)
    }

    fn games(&self, end: u32) -> u64 {
        self.decks.range(..=end).map(|(_, games)| games.len() as u64).sum()
    }

    /// Looks at this pair.
    pub fn looks(&self) -> usize {
        self.looks
    }

    /// The smallest repeated p-value of its looks; 1 before the first.
    pub fn repeated(&self) -> f64 {
        self.repeated
    }

    /// Decks at its last look that repeat earlier ones and do not count.
    pub fn repeats(&self) -> u64 {
        self.repeats
    }

    /// The same after Holm's correction over all pairs, at its last look.
    pub fn adjusted(&self) -> f64 {
        self.adjusted
    }

    /// The interval of the difference that holds with 95 % whenever the pair stops: what the intervals of its looks share,
    /// of which each has the level of its look. It leaves out 0 if the repeated p-value is below 0.05. None before the first
    /// look with two decks whose results differ.
    pub fn interval(&self) -> Option<Interval> {
        self.interval
    }

    /// Whether the players differ at the level of all tests, so that no more games are needed.
    pub fn is_decided(&self) -> bool {
        self.adjusted < SIGNIFICANCE_LEVEL
    }

    /// Whether the pair ended undecided, because the last [`REPEATS`] decks at its last look repeat earlier ones.
    pub fn only_repeats(&self) -> bool {
        self.only_repeats && !self.is_decided()
    }

    /// Whether no more games are needed.
    fn is_over(&self) -> bool {
        self.is_decided() || self.only_repeats
    }
}

/// What two intervals share; of two that share nothing the end of the first that is nearest to the second.
fn shared(first: Interval, second: Interval) -> Interval {
    let [low, high] = [first.low.max(second.low), first.high.min(second.high)];
    if low <= high {
        return Interval { low, high };
    }
    let nearest = if second.low > first.high { first.high } else { first.low };
    Interval { low: nearest, high: nearest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_base::seed::Key;
    use rand::RngExt;

    type Result = (usize, u32, Option<Evidence>);

    /// Differences of pairs on decks: a pair's mean and noise, the same in any order. No two games are the same.
    fn results(means: &[f64], decks: u32, seed: u64) -> Vec<Result> {
        let mut rng = Key::series("looks", seed).stream();
        let mut noise = || (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
        let games = (1..=decks).flat_map(|deck| (0..means.len()).flat_map(move |pair| [(pair, deck); 2]));
        let game =
            |(game, (pair, deck))| (pair, deck, Some(Evidence { game, difference: means[pair] + 14.0 * noise() }));
        (0..).zip(games).map(game).collect()
    }

    /// Plays a league as its schedule does: only what the next look wants.
    fn play(pairs: &mut PairsAtLooks, results: &[Result]) -> usize {
        let mut played = 0;
        loop {
            let before = pairs.taken();
            let end = pairs.decks_at(before + 1);
            let begin = pairs.decks_at(before);
            for (pair, deck, difference) in results {
                if *deck > begin && *deck <= end && pairs.wants(*pair, *deck) {
                    pairs.add(*pair, *deck, *difference);
                    played += 1;
                }
            }
            pairs.look();
            if pairs.missing() == 0 {
                return played;
            }
            assert_eq!(pairs.taken(), before + 1);
        }
    }

    #[test]
    fn pairs_that_differ_stop_and_the_others_play_on() {
        let mut pairs = PairsAtLooks::new(10, 200, 3, 2).unwrap();
        let results = results(&[20.0, 0.0, 3.0], 200, 3);
        let played = play(&mut pairs, &results);
        let looks = [0, 1, 2].map(|pair| pairs.pair(pair).looks());
        assert!(looks[0] <= 2 && looks[1] == 10 && looks[2] > 2, "{looks:?}");
        assert_eq!(played as u32, looks.iter().map(|look| 2 * pairs.decks_at(*look)).sum::<u32>());
        assert!(pairs.pair(0).is_decided() && !pairs.pair(1).is_decided());
        assert!(!pairs.wants(0, 200) && !pairs.is_open(1), "after the last look nothing is wanted");
    }

    #[test]
    fn the_order_of_results_does_not_matter_nor_do_later_ones() {
        let all = results(&[20.0, 1.0, 4.0], 100, 2);
        let mut first = PairsAtLooks::new(5, 100, 3, 2).unwrap();
        play(&mut first, &all);
        // All games at once, backwards: pairs stop at the same decks.
        let mut second = PairsAtLooks::new(5, 100, 3, 2).unwrap();
        all.iter().rev().for_each(|(pair, deck, difference)| second.add(*pair, *deck, *difference));
        second.look();
        for pair in 0..3 {
            let of =
                |pairs: &PairsAtLooks| (pairs.pair(pair).looks(), pairs.pair(pair).adjusted(), pairs.decks_of(pair));
            assert_eq!(of(&first), of(&second));
        }
        assert_eq!((first.taken(), first.missing()), (second.taken(), second.missing()));
    }

    #[test]
    fn failed_games_count_for_neither_player_and_hold_nothing_up() {
        let mut pairs = PairsAtLooks::new(2, 8, 1, 2).unwrap();
        for deck in 1..=4 {
            let game = |game: u32| Evidence { game: game.into(), difference: f64::from(deck) };
            pairs.add(0, deck, (deck != 2).then(|| game(2 * deck)));
            assert_eq!(pairs.taken(), 0);
            pairs.add(0, deck, Some(game(2 * deck + 1)));
            pairs.look();
        }
        assert_eq!(pairs.taken(), 1);
        assert_eq!(pairs.pairs[0].count(4, 2), Summary::of(&[1.0, 3.0, 4.0]));
        assert_eq!(pairs.missing(), 8);
    }

    /// Fewer than 5 % of leagues of equal players have a difference, and most with large ones end early.
    #[test]
    fn the_error_holds_over_pairs_and_looks() {
        let (mut wrong, mut played) = (0, 0);
        let leagues = 400;
        let none = PairsAtLooks::new(10, 60, 3, 1).unwrap();
        for seed in 0..leagues {
            let mut pairs = none.clone();
            let of_one = |means: &[f64]| results(means, 60, seed).into_iter().step_by(2).collect::<Vec<_>>();
            play(&mut pairs, &of_one(&[0.0; 3]));
            wrong += u32::from((0..3).any(|pair| pairs.pair(pair).is_decided()));
            // A test that shows a difference and its interval say the same.
            for pair in (0..3).map(|pair| pairs.pair(pair)) {
                let interval = pair.interval().unwrap();
                let leaves_out = interval.low > 0.0 || interval.high < 0.0;
                assert_eq!(leaves_out, pair.repeated() < SIGNIFICANCE_LEVEL, "{interval:?}, {}", pair.repeated());
            }
            let mut apart = none.clone();
            played += play(&mut apart, &of_one(&[12.0; 3]));
        }
        // 20 are expected at most; 35 or more have a probability below 0.001 at 5 %.
        assert!((4..35).contains(&wrong), "{wrong}");
        assert!(played < leagues as usize * 180 / 2, "{played}");
    }

    #[test]
    fn a_pair_that_only_repeats_itself_plays_no_more() {
        let mut pairs = PairsAtLooks::new(10, 200, 2, 1).unwrap();
        let mut played = 0;
        while pairs.missing() > 0 {
            let end = pairs.decks_at(pairs.taken() + 1);
            for deck in pairs.decks_at(pairs.taken()) + 1..=end {
                for pair in (0..2).filter(|pair| pairs.wants(*pair, deck)).collect::<Vec<_>>() {
                    // The first pair has two different games, the second a new one on each deck.
                    let game = if pair == 0 { deck % 2 } else { deck };
                    let difference = f64::from(1 + deck % 2);
                    pairs.add(pair, deck, Some(Evidence { game: game.into(), difference }));
                    played += 1;
                }
            }
            pairs.look();
        }
        let [one, other] = [0, 1].map(|pair| pairs.pair(pair));
        assert!(!one.is_decided() && one.only_repeats() && one.looks() == 2 && one.repeats() == 38);
        assert!(other.is_decided() && !other.only_repeats() && other.repeats() == 0);
        assert_eq!(played, 40 + pairs.decks_of(1));
    }
}
