//! Cycles of players each of whom beats the next, which ratings cannot represent.
//!
//! A shortest cycle through each player by breadth-first search, O(players · pairs) in the worst case; in a full round
//! robin without drawn pairs a cycle, if there is one, has length three (J. W. Moon, Topics on Tournaments, 1968).

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;

use super::Unavailable;

/// The decided games between two players. The same two may occur several times, either way round; such entries add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DecidedGames {
    /// Index of one player.
    pub a: usize,
    /// Index of the other.
    pub b: usize,
    /// Games won by `a`.
    pub a_wins: u64,
    /// Games won by `b`.
    pub b_wins: u64,
}

/// One shortest cycle of players each of whom beats the next and the last the first, or `None` when there is none. It
/// starts at its lowest index and does not depend on the order of `results`.
///
/// A player beats another by winning the majority of their decided games, if `counts` says so of that pair's total
/// (where `a < b`): `|_| true` takes every majority, a test on the two numbers only significant ones.
///
/// [`Unavailable::UnknownPlayer`] and [`Unavailable::SelfPlay`] name an impossible entry.
///
/// ```
/// use evouct_stats::cycle::{DecidedGames, shortest_cycle};
/// let ring = [(0, 1), (1, 2), (2, 0)].map(|(a, b)| DecidedGames { a, b, a_wins: 6, b_wins: 4 });
/// assert_eq!(shortest_cycle(3, &ring, |_| true), Ok(Some(vec![0, 1, 2])));
/// ```
pub fn shortest_cycle(
    players: usize,
    results: &[DecidedGames],
    counts: impl Fn(&DecidedGames) -> bool,
) -> Result<Option<Vec<usize>>, Unavailable> {
    let beaten = beaten_by(players, results, counts)?;
    let mut shortest: Option<Vec<usize>> = None;
    // Only players who beat another player can be on a cycle.
    for &start in beaten.keys() {
        if let Some(cycle) = cycle_through(start, &beaten)
            && shortest.as_ref().is_none_or(|known| cycle.len() < known.len())
        {
            // Of two players at most one beats the other, so no cycle is shorter than three.
            let done = cycle.len() == 3;
            shortest = Some(cycle);
            if done {
                break;
            }
        }
    }
    Ok(shortest)
}

/// The players that each one beats, both ascending.
fn beaten_by(
    players: usize,
    results: &[DecidedGames],
    counts: impl Fn(&DecidedGames) -> bool,
) -> Result<BTreeMap<usize, Vec<usize>>, Unavailable> {
    let mut totals: BTreeMap<(usize, usize), (u64, u64)> = BTreeMap::new();
    for r in results {
        Unavailable::unless_opponents(r.a, r.b, players)?;
        let swapped = r.a > r.b;
        let total = totals.entry(if swapped { (r.b, r.a) } else { (r.a, r.b) }).or_default();
        let (low, high) = if swapped { (r.b_wins, r.a_wins) } else { (r.a_wins, r.b_wins) };
        *total = (total.0.saturating_add(low), total.1.saturating_add(high));
    }
    let mut beaten: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for ((a, b), (a_wins, b_wins)) in totals {
        if a_wins != b_wins && counts(&DecidedGames { a, b, a_wins, b_wins }) {
            let (winner, loser) = if a_wins > b_wins { (a, b) } else { (b, a) };
            beaten.entry(winner).or_default().push(loser);
        }
    }
    beaten.values_mut().for_each(|losers| losers.sort_unstable());
    Ok(beaten)
}

/// A shortest cycle that starts and would end at `start`.
fn cycle_through(start: usize, beaten: &BTreeMap<usize, Vec<usize>>) -> Option<Vec<usize>> {
    let mut came_from: BTreeMap<usize, usize> = BTreeMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(player) = open.pop_front() {
        for &loser in beaten.get(&player).into_iter().flatten() {
            if loser == start {
                let mut cycle = vec![player];
                while let Some(&before) = came_from.get(&cycle[cycle.len() - 1]) {
                    cycle.push(before);
                }
                cycle.reverse();
                return Some(cycle);
            }
            came_from.entry(loser).or_insert_with(|| {
                open.push_back(loser);
                player
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beats(pairs: &[(usize, usize)]) -> Vec<DecidedGames> {
        pairs.iter().map(|&(a, b)| DecidedGames { a, b, a_wins: 3, b_wins: 1 }).collect()
    }

    #[test]
    fn finds_the_shorter_of_two_cycles() {
        let results = beats(&[(0, 1), (1, 2), (2, 3), (3, 0), (5, 4), (4, 6), (6, 5), (0, 6)]);
        assert_eq!(shortest_cycle(7, &results, |_| true), Ok(Some(vec![4, 6, 5])));
        assert_eq!(shortest_cycle(7, &results[..4], |_| true), Ok(Some(vec![0, 1, 2, 3])));
    }

    #[test]
    fn orders_and_level_pairs_have_none() {
        assert_eq!(shortest_cycle(4, &beats(&[(0, 1), (0, 2), (1, 2), (2, 3), (0, 3)]), |_| true), Ok(None));
        let mut results = beats(&[(0, 1), (1, 2)]);
        results.push(DecidedGames { a: 2, b: 0, a_wins: 2, b_wins: 2 });
        assert_eq!(shortest_cycle(3, &results, |_| true), Ok(None));
        assert_eq!(shortest_cycle(0, &[], |_| true), Ok(None));
    }

    #[test]
    fn home_and_away_add_up() {
        // 2 wins 5 : 1 at home against 0 and loses 2 : 4 away: 7 : 5 in all.
        let mut results = beats(&[(0, 1), (1, 2)]);
        results.push(DecidedGames { a: 2, b: 0, a_wins: 5, b_wins: 1 });
        results.push(DecidedGames { a: 0, b: 2, a_wins: 4, b_wins: 2 });
        assert_eq!(shortest_cycle(3, &results, |_| true), Ok(Some(vec![0, 1, 2])));
        // A margin of 2 in 12 games is not taken where more is asked.
        let clear = |d: &DecidedGames| d.a_wins.abs_diff(d.b_wins) * 2 >= d.a_wins + d.b_wins;
        assert_eq!(shortest_cycle(3, &results, clear), Ok(None));
    }

    #[test]
    fn impossible_entries_are_named() {
        assert_eq!(
            shortest_cycle(2, &beats(&[(0, 2)]), |_| true),
            Err(Unavailable::UnknownPlayer { player: 2, players: 2 })
        );
        assert_eq!(shortest_cycle(2, &beats(&[(1, 1)]), |_| true), Err(Unavailable::SelfPlay { player: 1 }));
    }
}
