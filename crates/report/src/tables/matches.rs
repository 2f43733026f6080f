//! The ranking of a league, and its matches.

use super::cost::DecisionCost;
use super::gauntlet::Gauntlet;
use super::league::League;
use super::mean_with_interval::MeanWithInterval;
use crate::aggregate::game_result::GameResult;
use evouct_base::table::Cell;
use evouct_stats::points::{Match, Row, table};
use evouct_stats::swiss::ranked;
use serde::Serialize;
use std::collections::BTreeMap;

/// A line of the ranking. Wins, losses and draws count matches; with another number of seats than two they count
/// meetings (`Meeting`), and there are no bonus points.
#[derive(Clone, Debug, Serialize)]
pub struct RankingRow {
    /// From 1; none for the fixed opponents of a gauntlet, which stand last, and for a contestant without a deck that it
    /// completed against several of them, whose difference is over games with some.
    pub rank: Option<usize>,
    /// The player.
    pub player: String,
    /// Points, matches and PD, which with another number of seats than two is to all other players.
    #[serde(flatten)]
    pub standing: Row,
    /// Points of all opponents, the tie-break of a Swiss schedule; none of another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buchholz: Option<u64>,
    /// Games played.
    pub games: u64,
    /// Games won: the score is above that of every other seat. 0 in games of one seat.
    pub games_won: u64,
    /// Games drawn.
    pub games_drawn: u64,
    /// Score, in the games that were not lost on time.
    pub score: MeanWithInterval,
    /// Score in these less the best score of the others; in games of one seat less the scores of the others on the same deck.
    pub difference: MeanWithInterval,
    /// What a decision costs, and whether the player sees the deck.
    pub cost: DecisionCost,
    /// Seats of a game.
    #[serde(skip)]
    pub seats: usize,
}

impl RankingRow {
    /// How many were won, and of how many: games, or meetings with other players where a game has one seat.
    pub fn won_of(&self) -> [u64; 2] {
        match self.seats {
            1 => [self.standing.wins, self.standing.wins + self.standing.losses + self.standing.draws],
            _ => [self.games_won, self.games],
        }
    }
}

/// A match.
#[derive(Clone, Debug, Serialize)]
pub struct MatchRow {
    /// The player who goes first.
    pub home: String,
    /// The player who goes second.
    pub away: String,
    /// Games played.
    pub games: u64,
    /// Games that the home player won.
    pub home_wins: u64,
    /// Games that the away player won.
    pub away_wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that the home player won and that the away player won, of those that repeat no earlier ones: what tests count.
    #[serde(skip)]
    pub(super) decided: [u64; 2],
    /// The home player's score less the away player's, in the games that were not lost on time.
    pub difference: MeanWithInterval,
}

impl MatchRow {
    /// Games won by the home player, and by the away player.
    pub(crate) fn won(&self) -> Cell {
        Cell::Record(vec![self.home_wins, self.away_wins])
    }
}

impl League<'_> {
    /// Every match that has a game; none of games with another number of seats than two.
    pub(super) fn matches_of<'a>(games: impl Iterator<Item = &'a GameResult>) -> Vec<Match> {
        let mut matches: BTreeMap<[usize; 2], Match> = BTreeMap::new();
        for game in games {
            let Some([home, away]) = game.home_and_away() else { continue };
            let difference = game.difference(0);
            let empty = Match { home, away, home_wins: 0, away_wins: 0, draws: 0, difference_sum: 0.0 };
            let record = matches.entry([home, away]).or_insert(empty);
            record.home_wins += u64::from(difference > 0.0);
            record.away_wins += u64::from(difference < 0.0);
            record.draws += u64::from(difference == 0.0);
            record.difference_sum += difference;
        }
        matches.into_values().collect()
    }

    pub(super) fn match_rows(&self, matches: &[Match]) -> Vec<MatchRow> {
        let mut by_match: BTreeMap<[usize; 2], Vec<&GameResult>> = BTreeMap::new();
        let of_two = self.games.iter().filter_map(|game| Some((game.home_and_away()?, game)));
        of_two.for_each(|(players, game)| by_match.entry(players).or_default().push(game));
        let row = |m: &Match| {
            let games = by_match.get(&[m.home, m.away]).into_iter().flatten();
            let distinct = || games.clone().filter(|game| !game.repeats).map(|game| game.difference(0));
            MatchRow {
                decided: [1.0, -1.0].map(|sign| distinct().filter(|lead| lead * sign > 0.0).count() as u64),
                home: self.name(m.home),
                away: self.name(m.away),
                games: m.home_wins + m.away_wins + m.draws,
                home_wins: m.home_wins,
                away_wins: m.away_wins,
                draws: m.draws,
                difference: self.mean(games.map(|game| (*game, 0)), GameResult::difference),
            }
        };
        matches.iter().map(row).collect()
    }

    /// All players by league points; in a gauntlet the contestants by their result against the fixed opponents, which
    /// play other games than they and follow without a rank.
    pub(super) fn ranking(&self, matches: &[Match], gauntlet: Option<&Gauntlet>) -> Vec<RankingRow> {
        let seats = self.experiment.rules.seats();
        let mut rows = match seats {
            2 => table(self.experiment.players.len(), matches).expect("matches of the league are between its players"),
            _ => self.places().to_vec(),
        };
        let mut buchholz = BTreeMap::new();
        if self.experiment.rounds.is_some() {
            let ranked = ranked(std::mem::take(&mut rows), matches);
            buchholz.extend(ranked.iter().map(|(row, points)| (row.player, *points)));
            rows.extend(ranked.into_iter().map(|(row, _)| row));
        }
        let fixed = gauntlet.map_or(0..0, |_| self.fixed_opponents());
        if let Some(gauntlet) = gauntlet {
            let place = |row: &Row| {
                let name = self.name(row.player);
                let found = gauntlet.contestants.iter().position(|contestant| contestant.player == name);
                // Contestants without a game, then the fixed opponents.
                found.unwrap_or(if fixed.contains(&row.player) { usize::MAX } else { usize::MAX - 1 })
            };
            rows.sort_by_key(place);
        }
        let several = gauntlet.filter(|gauntlet| gauntlet.has_several());
        // Of several fixed opponents on the decks that a contestant has completed.
        let of_means = |player: usize| Some(several?.row_of(&self.experiment.players[player].name)?.difference);
        let is_left_out =
            |player: usize| several.is_some_and(|gauntlet| gauntlet.left_out.contains(&self.name(player)));
        let row = |(index, row): (usize, &Row)| {
            let games: Vec<(&GameResult, usize)> = self.games_of(row.player).collect();
            let count = |is: fn(f64) -> bool| {
                self.results_of(row.player).filter(|(game, seat)| seats > 1 && is(game.difference(*seat))).count()
                    as u64
            };
            let (won, drawn) = (count(|difference| difference > 0.0), count(|difference| difference == 0.0));
            RankingRow {
                rank: (!fixed.contains(&row.player) && !is_left_out(row.player)).then_some(index + 1),
                player: self.name(row.player),
                standing: *row,
                buchholz: buchholz.get(&row.player).copied(),
                games: self.results_of(row.player).count() as u64,
                games_won: won,
                games_drawn: drawn,
                score: self.mean(games.iter().copied(), |game, seat| game.points(seat)),
                difference: match seats {
                    1 => self.statistic(self.differences_to_all(row.player)),
                    _ => {
                        of_means(row.player).unwrap_or_else(|| self.mean(games.iter().copied(), GameResult::difference))
                    }
                },
                cost: self.cost(row.player),
                seats,
            }
        };
        rows.iter().enumerate().map(row).collect()
    }
}
