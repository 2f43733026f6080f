//! The league's points table.
//!
//! Rules of E. Galván, G. Simpson, F. Valdez Ameneyro, "Evolving the MCTS upper confidence bounds for trees using a
//! semantic-inspired evolutionary algorithm in the game of Carcassonne" (2022): a match is all games of one ordered
//! pair of players. The player with more wins in it gets 4 points, equal wins give 2 to each. With s the winner's share
//! of the games that were not drawn, s ≥ 0.75 gives the winner a bonus point (BWP) and s ≤ 0.55 the loser one (BLP); a
//! drawn match has neither. PD is the sum over a player's matches of the mean score difference. Players are ordered by
//! points, then matches won, then PD (the printed tables; the text of the paper names PD only); the paper does not say
//! how to break further ties; here the lower index comes first.
//!
//! The paper prints the points (Table II) and 75:25 for the winner's bonus. The threshold of the loser's bonus, and
//! that drawn games do not count in s, are inferred from the printed tables: Tables V and IX follow from IV and VIII,
//! and all rows but one each of VII and XI from VI and X (RAVE K = 0.25 has 4 BWP in print, 5 by the rule; RAVE K =
//! 0.25 with 2,800 simulations 3 BLP, by the rule 2). Every threshold from 13/24 to below 14/25 gives the same table;
//! with drawn games counted eight rows differ.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::Unavailable;

/// All games of one ordered pair of players.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Match {
    /// Index of the home player.
    pub home: usize,
    /// Index of the away player.
    pub away: usize,
    /// Games won by the home player.
    pub home_wins: u64,
    /// Games won by the away player.
    pub away_wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Sum over the games of the home player's score minus the away player's.
    pub difference_sum: f64,
}

/// A player's line of the table; wins, losses and draws count matches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Index of the player.
    #[serde(skip)]
    pub player: usize,
    /// Points, bonus points included.
    pub points: u64,
    /// Bonus points for clear wins.
    pub bwp: u64,
    /// Bonus points for narrow losses.
    pub blp: u64,
    /// Matches won.
    pub wins: u64,
    /// Matches lost.
    pub losses: u64,
    /// Matches drawn.
    pub draws: u64,
    /// Sum of the matches' mean score differences, in points of the game, seen from the player.
    pub pd: f64,
}

impl Row {
    /// Points, bonus points for wins and for losses, matches won, lost and drawn.
    pub fn counts(&self) -> [u64; 6] {
        [self.points, self.bwp, self.blp, self.wins, self.losses, self.draws]
    }
}

/// The table of a league, best player first, with a row for each of `players` (all zero for one without matches).
///
/// A match without games is ignored. Matches may come in any order: where the score
/// differences are whole numbers, PD is free of rounding over matches of equal length, so its ties are true ties.
///
/// [`Unavailable::UnknownPlayer`], [`Unavailable::SelfPlay`] and [`Unavailable::RepeatedMatch`] name an impossible
/// match; [`Unavailable::NotFinite`] and [`Unavailable::Overflow`] concern the differences.
///
/// ```
/// use evouct_stats::points::{Match, table};
/// let m = Match { home: 0, away: 1, home_wins: 3, away_wins: 12, draws: 0, difference_sum: -150.0 };
/// let rows = table(2, &[m]).unwrap();
/// assert_eq!((rows[0].player, rows[0].points, rows[0].bwp, rows[0].pd), (1, 5, 1, 10.0));
/// ```
pub fn table(players: usize, matches: &[Match]) -> Result<Vec<Row>, Unavailable> {
    let mut rows: Vec<Row> = (0..players)
        .map(|player| Row { player, points: 0, bwp: 0, blp: 0, wins: 0, losses: 0, draws: 0, pd: 0.0 })
        .collect();
    // Differences are added up by number of games and divided once, so that whole numbers stay exact.
    let mut differences: Vec<BTreeMap<u128, f64>> = vec![BTreeMap::new(); players];
    let mut seen = BTreeSet::new();
    for m in matches {
        Unavailable::unless_opponents(m.home, m.away, players)?;
        Unavailable::unless_finite(&[m.difference_sum])?;
        if !seen.insert((m.home, m.away)) {
            return Err(Unavailable::RepeatedMatch { home: m.home, away: m.away });
        }
        let games = u128::from(m.home_wins) + u128::from(m.away_wins) + u128::from(m.draws);
        if games == 0 {
            continue;
        }
        *differences[m.home].entry(games).or_default() += m.difference_sum;
        *differences[m.away].entry(games).or_default() -= m.difference_sum;
        award(&mut rows, m);
    }
    for (row, by_games) in rows.iter_mut().zip(differences) {
        let pd = by_games.into_iter().map(|(games, sum)| sum / games as f64).sum::<f64>();
        // Adding 0 turns −0 into 0, which the order below would tell apart.
        row.pd = Unavailable::unless_overflowed(pd)? + 0.0;
    }
    rows.sort_by(|a, b| {
        (b.points, b.wins).cmp(&(a.points, a.wins)).then(b.pd.total_cmp(&a.pd)).then(a.player.cmp(&b.player))
    });
    Ok(rows)
}

fn award(rows: &mut [Row], m: &Match) {
    if m.home_wins == m.away_wins {
        for player in [m.home, m.away] {
            rows[player].points += 2;
            rows[player].draws += 1;
        }
        return;
    }
    let (winner, loser) = if m.home_wins > m.away_wins { (m.home, m.away) } else { (m.away, m.home) };
    let won = u128::from(m.home_wins.max(m.away_wins));
    let decided = u128::from(m.home_wins) + u128::from(m.away_wins);
    // s ≥ 0.75 and s ≤ 0.55 in whole numbers: 11 of 20 is 0.55 exactly, but not as a quotient of doubles.
    let (bwp, blp) = (u64::from(4 * won >= 3 * decided), u64::from(20 * won <= 11 * decided));
    rows[winner].points += 4 + bwp;
    rows[winner].bwp += bwp;
    rows[winner].wins += 1;
    rows[loser].points += blp;
    rows[loser].blp += blp;
    rows[loser].losses += 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(home: usize, away: usize, home_wins: u64, away_wins: u64, draws: u64, difference_sum: f64) -> Match {
        Match { home, away, home_wins, away_wins, draws, difference_sum }
    }

    fn points_of_two(home_wins: u64, away_wins: u64, draws: u64) -> [(u64, u64, u64); 2] {
        let rows = table(2, &[played(0, 1, home_wins, away_wins, draws, 0.0)]).unwrap();
        [0, 1].map(|player| {
            let row = rows.iter().find(|row| row.player == player).unwrap();
            (row.points, row.bwp, row.blp)
        })
    }

    #[test]
    fn bonus_points_at_their_limits() {
        assert_eq!(points_of_two(15, 5, 7), [(5, 1, 0), (0, 0, 0)], "0.75 exactly, draws left out");
        assert_eq!(points_of_two(299, 100, 0), [(4, 0, 0), (0, 0, 0)], "below 0.75");
        assert_eq!(points_of_two(11, 9, 0), [(4, 0, 0), (1, 0, 1)], "0.55 exactly");
        assert_eq!(points_of_two(9, 11, 5), [(1, 0, 1), (4, 0, 0)], "the same away");
        assert_eq!(points_of_two(111, 90, 0), [(4, 0, 0), (0, 0, 0)], "above 0.55");
        assert_eq!(points_of_two(1, 0, 24), [(5, 1, 0), (0, 0, 0)], "one decided game");
        assert_eq!(points_of_two(7, 7, 1), [(2, 0, 0), (2, 0, 0)], "equal wins");
        assert_eq!(points_of_two(0, 0, 3), [(2, 0, 0), (2, 0, 0)], "draws alone");
        assert_eq!(points_of_two(u64::MAX, u64::MAX - 1, u64::MAX), [(4, 0, 0), (1, 0, 1)], "largest counts");
    }

    #[test]
    fn order_is_points_wins_difference_index() {
        // 0 draws twice and 1 wins narrowly once: 4 points each, but 1 has the win.
        let matches = [played(0, 2, 5, 5, 0, 90.0), played(2, 0, 5, 5, 0, -90.0), played(1, 2, 13, 9, 0, -400.0)];
        let order: Vec<usize> = table(3, &matches).unwrap().iter().map(|row| row.player).collect();
        assert_eq!(order, [1, 0, 2]);
        let matches = [played(0, 2, 6, 4, 0, 10.0), played(1, 3, 6, 4, 0, 20.0)];
        let order: Vec<usize> = table(4, &matches).unwrap().iter().map(|row| row.player).collect();
        assert_eq!(order, [1, 0, 2, 3]);
    }

    #[test]
    fn equal_differences_are_equal_whatever_the_order() {
        // 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 differ as doubles; as tenths they do not.
        let mut matches = vec![];
        for (rival, sum) in [(2, 1.0), (3, 2.0), (4, 3.0)] {
            matches.push(played(0, rival, 10, 0, 0, sum));
            matches.push(played(1, rival, 10, 0, 0, 4.0 - sum));
        }
        let rows = table(5, &matches).unwrap();
        assert_eq!((rows[0].player, rows[0].pd, rows[1].player, rows[1].pd), (0, 0.6, 1, 0.6));
        matches.reverse();
        assert_eq!(table(5, &matches).unwrap(), rows);
    }

    #[test]
    fn means_are_summed_over_matches_of_any_length() {
        let matches = [played(0, 1, 1, 0, 0, 7.0), played(1, 0, 2, 2, 0, 10.0)];
        let rows = table(2, &matches).unwrap();
        assert_eq!((rows[0].player, rows[0].pd, rows[1].pd), (0, 7.0 - 2.5, 2.5 - 7.0));
    }

    #[test]
    fn nothing_played_is_a_table_of_zeros() {
        assert_eq!(table(0, &[]), Ok(vec![]));
        let rows = table(2, &[played(1, 0, 0, 0, 0, 0.0)]).unwrap();
        assert!(rows.iter().enumerate().all(|(i, row)| row.player == i && row.points == 0 && row.draws == 0));
        assert!(rows.iter().all(|row| row.pd.to_bits() == 0));
    }

    #[test]
    fn impossible_matches_are_named() {
        let refused = |m: Match| table(2, &[m]).unwrap_err();
        assert_eq!(refused(played(0, 2, 1, 0, 0, 0.0)), Unavailable::UnknownPlayer { player: 2, players: 2 });
        assert_eq!(refused(played(1, 1, 1, 0, 0, 0.0)), Unavailable::SelfPlay { player: 1 });
        assert_eq!(refused(played(0, 1, 1, 0, 0, f64::NAN)), Unavailable::NotFinite);
        let twice = [played(0, 1, 1, 0, 0, 0.0), played(0, 1, 1, 0, 0, 0.0)];
        assert_eq!(table(2, &twice), Err(Unavailable::RepeatedMatch { home: 0, away: 1 }));
        let huge = [played(0, 1, 1, 0, 0, f64::MAX), played(1, 0, 0, 1, 0, -f64::MAX)];
        assert_eq!(table(2, &huge), Err(Unavailable::Overflow));
    }
}
