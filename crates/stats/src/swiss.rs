//! Swiss schedules: in each round players with similar points meet, and no two meet twice.
//!
//! Players stand in the order of their league points so far (see [`points`](super::points)); of equal points the one
//! whose opponents have more points comes first (B. Buchholz, Magdeburg 1932). From the top down each plays the next one
//! that it has not met, as in the Monrad system. Who is left over at the end takes the place of players that stand near.
//!
//! With an even number of players and at most half as many rounds this always ends: each player has then met fewer than
//! half of the others. Of two that are left and have met, each may play at least half of all players, so among the
//! pairs that are made there is one whose players can play one of the two each.

use super::Unavailable;
use super::points::{Match, Row, table};
use std::collections::{BTreeMap, BTreeSet};

/// Players of a pair.
const PAIR: usize = 2;

/// A schedule with the results so far. Results may come in any order; what they say does not depend on it.
#[derive(Clone, Debug)]
pub struct Swiss {
    players: usize,
    rounds: usize,
    /// Games of a pair.
    games: u64,
    /// By players, the one first that goes first: games that have ended, and the results of those that did not fail.
    matches: BTreeMap<[usize; PAIR], (u64, Match)>,
    /// By round, its pairs, the lower index first. The last round is being played, or is complete if all have been.
    paired: Vec<Vec<[usize; PAIR]>>,
}

impl Swiss {
    /// A schedule before the first result, in which each pair plays so many games. In the first round neighbours meet.
    ///
    /// # Errors
    /// [`Unavailable::OutOfRange`] unless there is an even number of players and 1 to half as many rounds.
    ///
    /// ```
    /// use evouct_stats::swiss::Swiss;
    /// let mut swiss = Swiss::new(4, 2, 1)?;
    /// assert_eq!(swiss.pairs(), [[0, 1], [2, 3]]);
    /// swiss.add([0, 1], Some(-5.0));
    /// swiss.add([2, 3], Some(1.0));
    /// swiss.advance();
    /// // The winners meet.
    /// assert_eq!((swiss.round(), swiss.pairs()), (2, &[[1, 2], [0, 3]][..]));
    /// # Ok::<(), evouct_stats::Unavailable>(())
    /// ```
    pub fn new(players: usize, rounds: usize, games: u64) -> Result<Swiss, Unavailable> {
        if !players.is_multiple_of(PAIR) || !(1..=players / PAIR).contains(&rounds) {
            let expected = "1 to half of an even number of players";
            return Err(Unavailable::OutOfRange { what: "the number of rounds", expected });
        }
        let all: Vec<usize> = (0..players).collect();
        let first = pairing(&all, &BTreeSet::new());
        Ok(Swiss { players, rounds, games, matches: BTreeMap::new(), paired: vec![first] })
    }

    /// Adds a game: its players, the one first that went first, and the score of that one less the other's, none if the
    /// game failed. A failed game is played, and counts for neither player.
    pub fn add(&mut self, [home, away]: [usize; PAIR], difference: Option<f64>) {
        let empty = Match { home, away, home_wins: 0, away_wins: 0, draws: 0, difference_sum: 0.0 };
        let (games, results) = self.matches.entry([home, away]).or_insert((0, empty));
        *games += 1;
        if let Some(difference) = difference {
            results.home_wins += u64::from(difference > 0.0);
            results.away_wins += u64::from(difference < 0.0);
            results.draws += u64::from(difference == 0.0);
            results.difference_sum += difference;
        }
    }

    /// Pairs the rounds before which all games are complete.
    pub fn advance(&mut self) {
        while self.round() < self.rounds && self.pairs().iter().all(|pair| self.played(*pair) >= self.games) {
            let met: BTreeSet<[usize; PAIR]> = self.paired().copied().collect();
            let order: Vec<usize> = self.standings(&met).into_iter().map(|(row, _)| row.player).collect();
            self.paired.push(pairing(&order, &met));
        }
    }

    /// The players by points, then by those of their opponents, by the matches of these pairs.
    fn standings(&self, met: &BTreeSet<[usize; PAIR]>) -> Vec<(Row, u64)> {
        let counts = |m: &&(u64, Match)| met.contains(&ordered(m.1.home, m.1.away));
        let matches: Vec<Match> = self.matches.values().filter(counts).map(|(_, results)| *results).collect();
        let rows = table(self.players, &matches).expect("matches are between players, each once, of finite scores");
        ranked(rows, &matches)
    }

    /// The round that is being played, from 1; the last one once all are complete.
    pub fn round(&self) -> usize {
        self.paired.len()
    }

    /// The pairs of that round, the lower index first, in the order of the players.
    pub fn pairs(&self) -> &[[usize; PAIR]] {
        self.paired.last().expect("the first round is paired")
    }

    /// The pairs of all rounds so far.
    pub fn paired(&self) -> impl Iterator<Item = &[usize; PAIR]> {
        self.paired.iter().flatten()
    }

    /// Games of later rounds, whose pairs are not known.
    pub fn later(&self) -> u64 {
        ((self.rounds - self.round()) * self.players / PAIR) as u64 * self.games
    }

    /// Games that are missing in all rounds.
    pub fn missing(&self) -> u64 {
        let of = |pair: &[usize; PAIR]| self.games.saturating_sub(self.played(*pair));
        self.later() + self.pairs().iter().map(of).sum::<u64>()
    }

    fn played(&self, [a, b]: [usize; PAIR]) -> u64 {
        let games = |seats: [usize; PAIR]| self.matches.get(&seats).map_or(0, |(games, _)| *games);
        games([a, b]) + games([b, a])
    }
}

/// The rows of a [`table`] by points, then by the points of all opponents that a player met, beside each row.
/// Rows that are equal in both keep their order.
pub fn ranked(rows: Vec<Row>, matches: &[Match]) -> Vec<(Row, u64)> {
    let points: BTreeMap<usize, u64> = rows.iter().map(|row| (row.player, row.points)).collect();
    let mut opponents: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for m in matches.iter().filter(|m| m.home_wins + m.away_wins + m.draws > 0) {
        opponents.entry(m.home).or_default().insert(m.away);
        opponents.entry(m.away).or_default().insert(m.home);
    }
    let of_opponents = |row: Row| {
        let met = opponents.get(&row.player).into_iter().flatten();
        (row, met.filter_map(|other| points.get(other)).sum())
    };
    let mut rows: Vec<(Row, u64)> = rows.into_iter().map(of_opponents).collect();
    rows.sort_by_key(|(row, buchholz)| std::cmp::Reverse((row.points, *buchholz)));
    rows
}

/// Pairs of players that stand in this order and have not met.
fn pairing(order: &[usize], met: &BTreeSet<[usize; PAIR]>) -> Vec<[usize; PAIR]> {
    let can = |a: usize, b: usize| !met.contains(&ordered(order[a], order[b]));
    let mut partner: Vec<Option<usize>> = vec![None; order.len()];
    for place in 0..order.len() {
        let free = |other: &usize| partner[*other].is_none() && can(place, *other);
        if let Some(other) = (place + 1..order.len()).find(free).filter(|_| partner[place].is_none()) {
            (partner[place], partner[other]) = (Some(other), Some(place));
        }
    }
    // No two that are left can play one another.
    loop {
        let mut left = (0..order.len()).filter(|place| partner[*place].is_none());
        let (Some(first), Some(second)) = (left.next(), left.next()) else { break };
        let swap = |a: usize| {
            let b = partner[a]?;
            let way = a.abs_diff(first) + b.abs_diff(second);
            (can(first, a) && can(second, b)).then_some((way, a, b))
        };
        let (_, a, b) = (0..order.len()).filter_map(swap).min().expect("rounds are at most half the players");
        for (one, other) in [(first, a), (second, b)] {
            (partner[one], partner[other]) = (Some(other), Some(one));
        }
    }
    let pair = |(place, partner): (usize, &Option<usize>)| {
        let partner = partner.filter(|partner| place < *partner)?;
        Some(ordered(order[place], order[partner]))
    };
    partner.iter().enumerate().filter_map(pair).collect()
}

fn ordered(a: usize, b: usize) -> [usize; PAIR] {
    [a.min(b), a.max(b)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_base::seed::Key;
    use rand::RngExt;

    /// Plays all rounds: two games per pair, by these strengths and noise. Returns the pairs of each round.
    fn play(swiss: &mut Swiss, mut result: impl FnMut(usize, usize) -> f64) -> Vec<Vec<[usize; 2]>> {
        let mut rounds = Vec::new();
        loop {
            rounds.push(swiss.pairs().to_vec());
            for [a, b] in swiss.pairs().to_vec() {
                swiss.add([a, b], Some(result(a, b)));
                swiss.add([b, a], Some(result(b, a)));
            }
            if swiss.missing() == 0 {
                return rounds;
            }
            let before = swiss.round();
            swiss.advance();
            assert_eq!(swiss.round(), before + 1);
        }
    }

    #[test]
    fn all_play_in_every_round_and_no_two_meet_twice() {
        for (players, seed) in (1..=16).flat_map(|half| (0..6).map(move |seed| (2 * half, seed))) {
            let mut rng = Key::series("swiss", seed).stream();
            let mut swiss = Swiss::new(players, players / 2, 2).unwrap();
            // From pure chance to the order of the file.
            let noise = 10_f64.powi(seed as i32 - 3);
            let rounds = play(&mut swiss, |a, b| (b as f64 - a as f64) / 10.0 + noise * (rng.random::<f64>() - 0.5));
            let mut met = BTreeSet::new();
            for round in &rounds {
                let playing: BTreeSet<usize> = round.iter().flatten().copied().collect();
                assert_eq!((playing.len(), round.len()), (players, players / 2));
                assert!(round.iter().all(|[a, b]| a < b && met.insert([*a, *b])), "{rounds:?}");
            }
            assert_eq!((rounds.len(), swiss.missing(), swiss.later()), (players / 2, 0, 0));
        }
    }

    #[test]
    fn players_with_as_many_points_meet() {
        // The stronger one always wins, and players stand in the file from weak to strong.
        let mut swiss = Swiss::new(8, 3, 2).unwrap();
        let rounds = play(&mut swiss, |a, b| a as f64 - b as f64);
        assert_eq!(rounds[0], [[0, 1], [2, 3], [4, 5], [6, 7]]);
        // Winners meet winners; all have as many points, and the opponents of all winners have none.
        assert_eq!(rounds[1], [[1, 3], [5, 7], [0, 2], [4, 6]]);
        // 3 and 7 have won all: 5 points for each match, from either seat.
        assert_eq!(rounds[2][0], [3, 7]);
        let met = swiss.paired.iter().flatten().copied().collect();
        let best = swiss.standings(&met);
        assert_eq!((best[0].0.player, best[0].0.points), (7, 30));
        let buchholz: BTreeMap<usize, u64> = best.iter().map(|(row, buchholz)| (row.player, *buchholz)).collect();
        let points = |player: usize| best.iter().find(|(row, _)| row.player == player).unwrap().0.points;
        let of_7: u64 = rounds.iter().flatten().filter(|pair| pair[1] == 7).map(|pair| points(pair[0])).sum();
        assert_eq!(buchholz[&7], of_7);
    }

    #[test]
    fn the_order_of_results_does_not_matter_nor_do_games_of_others() {
        let mut swiss = Swiss::new(8, 4, 2).unwrap();
        let mut games = Vec::new();
        let rounds = play(&mut swiss, |a, b| {
            games.push(([a, b], (7 * a % 5) as f64 - (7 * b % 5) as f64));
            games.last().unwrap().1
        });
        let mut again = Swiss::new(8, 4, 2).unwrap();
        // Two that never meet: their game belongs to no round.
        let all = (0..8).flat_map(|a| (a + 1..8).map(move |b| [a, b]));
        let stranger = all.rev().find(|pair| !rounds.iter().flatten().any(|met| met == pair)).unwrap();
        again.add(stranger, Some(99.0));
        games.iter().rev().for_each(|(seats, difference)| again.add(*seats, Some(*difference)));
        assert_eq!(again.round(), 1);
        again.advance();
        assert_eq!((&again.paired, again.missing()), (&swiss.paired, 0));
        // A failed game is played; a round with a missing one is not complete.
        let mut failed = Swiss::new(4, 2, 2).unwrap();
        for seats in [[0, 1], [1, 0], [2, 3]] {
            failed.add(seats, None);
        }
        failed.advance();
        assert_eq!((failed.round(), failed.missing(), failed.later()), (1, 1 + 4, 4));
        failed.add([3, 2], Some(1.0));
        failed.advance();
        // 3 leads, and 2 has met it.
        assert_eq!((failed.round(), failed.pairs()), (2, &[[0, 3], [1, 2]][..]));
    }

    #[test]
    fn numbers_of_rounds_without_repetition_are_checked() {
        for (players, rounds) in [(5, 2), (4, 0), (4, 3), (0, 0), (0, 1)] {
            assert!(Swiss::new(players, rounds, 2).is_err(), "{players}, {rounds}");
        }
    }
}
