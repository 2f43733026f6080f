//! The tables of a report.

use crate::record::Digest;
use crate::stats::t_test::TTest;
use crate::stats::{Interval, Unavailable};
use serde::Serialize;
use std::collections::BTreeMap;

/// Everything that a report says.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of this structure.
    pub schema: u32,
    /// The evouct that made the report.
    pub evouct: String,
    /// The experiment.
    pub name: String,
    /// What it is for.
    pub about: Option<String>,
    /// The hash of the resolved experiment.
    pub hash: String,
    /// `text` or `reference`.
    pub preset: String,
    /// The seed.
    pub seed: u64,
    /// Decks a match.
    pub games_per_match: u32,
    /// Whether matches share their decks.
    pub mirror: bool,
    /// Digest of all records.
    pub digest: Digest,
    /// Games of the schedule.
    pub scheduled: u64,
    /// Games that ended by the rules.
    pub finished: u64,
    /// Games that did not.
    pub failures: Vec<Failure>,
    /// The league's ranking.
    pub ranking: Vec<RankingRow>,
    /// Every match.
    pub matches: Vec<MatchRow>,
    /// Every pair of players.
    pub significance: Vec<PairRow>,
    /// Every player by seat.
    pub seats: Vec<SeatRow>,
    /// Virtual scores by player, seat and turn.
    pub turns: Vec<TurnRow>,
    /// Evolution by player.
    pub evolution: Vec<Evolution>,
    /// The printed numbers beside ours.
    pub paper: Option<Comparison>,
    /// Seconds that players thought, all together.
    pub seconds: f64,
    /// Playouts, all together.
    pub playouts: u64,
}

/// A mean with its 95 % t-interval over decks (over games where decks are not mirrored).
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Statistic {
    /// The mean.
    pub mean: f64,
    /// The interval; none with fewer than two units.
    pub interval: Option<Interval>,
}

/// A game that failed.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// The game.
    pub game: String,
    /// Its players, by seat.
    pub players: Vec<String>,
    /// `panicked` or `illegal-move`.
    pub ended: String,
    /// What was said.
    pub message: String,
    /// A command that plays the game again.
    pub repeat: String,
}

/// A line of the ranking. Wins, losses and draws count matches.
#[derive(Clone, Debug, Serialize)]
pub struct RankingRow {
    /// From 1.
    pub rank: usize,
    /// The player.
    pub player: String,
    /// League points.
    pub points: u64,
    /// Bonus points of clear winners.
    pub bwp: u64,
    /// Bonus points of narrow losers.
    pub blp: u64,
    /// Matches won.
    pub wins: u64,
    /// Matches lost.
    pub losses: u64,
    /// Matches drawn.
    pub draws: u64,
    /// Sum of the mean score differences of all matches.
    pub pd: f64,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub games_won: u64,
    /// Games drawn.
    pub games_drawn: u64,
    /// Score.
    pub score: Statistic,
    /// Score less the opponent's.
    pub difference: Statistic,
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
    /// The home player's score less the away player's.
    pub difference: Statistic,
}

/// Two players compared.
#[derive(Clone, Debug, Serialize)]
pub struct PairRow {
    /// One player.
    pub a: String,
    /// The other.
    pub b: String,
    /// Welch's t-test on all scores of the one against all scores of the other, in all their games, as in the paper.
    pub welch: Result<TTest, Unavailable>,
    /// Units of the paired test: decks that both games of the pair were played on; games where decks are not mirrored.
    pub units: u64,
    /// The paired test on the mean difference (a less b) by unit, in the games of the two against one another.
    pub paired: Result<TTest, Unavailable>,
    /// Its p-value after Holm's correction over all pairs.
    pub holm: Option<f64>,
}

/// A player on one seat.
#[derive(Clone, Debug, Serialize)]
pub struct SeatRow {
    /// The player.
    pub player: String,
    /// 1 or 2.
    pub seat: usize,
    /// Games.
    pub games: u64,
    /// Means by name: score, difference, meeples (a game), turns_with_meeple, twm, twm_shifted, and meeples and points by
    /// feature.
    pub means: BTreeMap<String, Statistic>,
}

/// Virtual scores of a player on a seat after a turn.
#[derive(Clone, Debug, Serialize)]
pub struct TurnRow {
    /// The player.
    pub player: String,
    /// 1 or 2.
    pub seat: usize,
    /// The seat's turn, from 1.
    pub turn: usize,
    /// Games that came so far.
    pub games: u64,
    /// Mean virtual score.
    pub score: f64,
    /// Mean difference of the virtual scores.
    pub difference: f64,
    /// Standard deviation of that difference over games.
    pub difference_sd: Option<f64>,
}

/// What the evolutions of a player came to.
#[derive(Clone, Debug, Serialize)]
pub struct Evolution {
    /// The player.
    pub player: String,
    /// Decisions with an evolution.
    pub decisions: u64,
    /// Generations.
    pub generations: u64,
    /// Generations in which several shared the best fitness.
    pub ties: u64,
    /// Generations in which one of them was within (α, β).
    pub in_range: u64,
    /// Generations in which semantics chose.
    pub by_semantics: u64,
    /// Generations in which an offspring took the parent's place.
    pub replaced: u64,
    /// Playouts.
    pub playouts: u64,
    /// Mean number of nodes of what came out.
    pub nodes: Option<f64>,
    /// Mean depth.
    pub depth: Option<f64>,
    /// Mean gain in fitness over the seed, in points.
    pub gain: Option<f64>,
}

/// Printed numbers beside ours.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// What is printed where.
    pub source: Option<String>,
    /// The table.
    pub table: Option<String>,
    /// The printed ranking, in its order.
    pub ranking: Vec<PaperRank>,
    /// Printed matches.
    pub matches: Vec<PaperMatch>,
}

/// A line of a printed ranking beside ours.
#[derive(Clone, Debug, Serialize)]
pub struct PaperRank {
    /// The player.
    pub player: String,
    /// Its rank in print, from 1.
    pub printed_rank: usize,
    /// Its rank here.
    pub rank: Option<usize>,
    /// Printed points.
    pub printed_points: Option<f64>,
    /// Points here.
    pub points: Option<u64>,
    /// Printed PD.
    pub printed_pd: Option<f64>,
    /// PD here.
    pub pd: Option<f64>,
}

/// A printed match beside ours.
#[derive(Clone, Debug, Serialize)]
pub struct PaperMatch {
    /// The player who goes first.
    pub home: String,
    /// The player who goes second.
    pub away: String,
    /// Printed games won by the home player.
    pub printed_home_wins: u64,
    /// Printed games won by the away player.
    pub printed_away_wins: u64,
    /// Games of the printed match.
    pub printed_games: u64,
    /// Games won by the home player here.
    pub home_wins: u64,
    /// Games won by the away player here.
    pub away_wins: u64,
    /// Games here.
    pub games: u64,
}
