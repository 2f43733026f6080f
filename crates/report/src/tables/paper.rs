//! Printed numbers beside ours.

use super::bootstrap::Standing;
use super::league::League;
use super::matches::{MatchRow, RankingRow};
use super::mean_with_interval::MeanWithInterval;
use super::paper_pairs::{self, PaperPairMean, PaperPairRow};
use super::seats::SeatRow;
use super::verdicts::Verdicts;
use evouct_league::config::{HIGHEST, LOWEST, Paper, PaperCell, PaperRow, PaperSeat, Verdict};
use evouct_stats::Interval;
use evouct_stats::correlation::pearson;
use evouct_stats::extremes::{Tail, further_extreme};
use evouct_stats::fisher::fisher;
use evouct_stats::proportion::wilson;
use evouct_stats::quantiles::quantile;
use evouct_stats::t_test::further_mean;
use serde::Serialize;

/// The fewest numbers with a correlation: for two it is always 1 or −1, and nearly so for three differences that sum to
/// 0.
const FEWEST_CORRELATED: usize = 5;

/// Printed numbers beside ours.
#[derive(Clone, Debug, Serialize)]
pub struct PrintedComparison {
    /// The printed source.
    pub source: Option<String>,
    /// The table.
    pub table: Option<String>,
    /// The printed ranking, in its order.
    pub ranking: Vec<PaperRank>,
    /// Printed matches.
    pub matches: Vec<PaperMatch>,
    /// Printed means by player and seat.
    pub seats: Vec<PaperMean>,
    /// The correlation of printed PD with ours, over players.
    pub pd_correlation: Option<Correlation>,
    /// The correlation, over matches, of the printed shares of games won by player 1 with ours.
    pub match_correlation: Option<Correlation>,
    /// Verdicts over the points of the ranking.
    pub ranking_verdicts: Verdicts,
    /// Verdicts over PD in the ranking.
    pub pd_verdicts: Verdicts,
    /// Verdicts over the matches.
    pub match_verdicts: Verdicts,
    /// Verdicts over the means.
    pub seat_verdicts: Verdicts,
    /// Printed pairs of players, the games of both seats together.
    pub pairs: Vec<PaperPairRow>,
    /// Verdicts over the games won of these pairs.
    pub pair_verdicts: Verdicts,
    /// Verdicts over their points.
    pub pair_point_verdicts: Verdicts,
}

impl PrintedComparison {
    /// Every compared number by its description, with its verdict.
    pub fn verdicts(&self) -> impl Iterator<Item = (String, Verdict)> + '_ {
        let points = self.ranking.iter().map(|row| (format!("points of {}", row.player), row.verdict));
        let pd = self.ranking.iter().map(|row| (format!("PD of {}", row.player), row.pd_verdict));
        let matches = self.matches.iter().map(|row| (format!("{} - {}", row.home, row.away), row.verdict));
        let mean = |row: &PaperMean| (format!("{} of {} in seat {}", row.measure, row.player, row.seat), row.verdict);
        let won = |row: &PaperPairRow| (format!("{} against {}", row.player, row.opponent), row.verdict);
        let pair_mean =
            |row: &PaperPairMean| (format!("{} of {} against {}", row.measure, row.player, row.opponent), row.verdict);
        let pairs = self.pairs.iter().map(won);
        let pair_means = self.pairs.iter().flat_map(|row| &row.means).map(pair_mean);
        let all = points.chain(pd).chain(matches).chain(self.seats.iter().map(mean)).chain(pairs).chain(pair_means);
        all.filter(|(_, verdict)| *verdict != Verdict::CannotBeCompared)
    }
}

/// The correlation of printed numbers with ours, over at least five numbers.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Correlation {
    /// Pearson's.
    pub r: f64,
    /// How many numbers.
    pub count: usize,
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
    /// The middle 95 % of the points in leagues of the printed size drawn from our games.
    pub points_interval: Option<Interval>,
    /// Printed PD.
    pub printed_pd: Option<f64>,
    /// PD here.
    pub pd: Option<f64>,
    /// The two-sided p-value of the printed points among these leagues.
    pub points_p: Option<f64>,
    /// The same for PD.
    pub pd_p: Option<f64>,
    /// The verdict on the points.
    pub verdict: Verdict,
    /// The verdict on PD.
    pub pd_verdict: Verdict,
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
    /// The share of decided games here that the home player won: Wilson's 95 % interval.
    pub home_share: Option<Interval>,
    /// The p-value of Fisher's exact test on the decided games.
    pub p: Option<f64>,
    /// The verdict.
    pub verdict: Verdict,
}

/// A printed mean, or lowest or highest score, of a player in a seat beside ours.
#[derive(Clone, Debug, Serialize)]
pub struct PaperMean {
    /// The player.
    pub player: String,
    /// 1 where the player goes first, 2 where second.
    pub seat: usize,
    /// What is measured, by its key in `[paper]`.
    pub measure: &'static str,
    /// The printed number.
    pub printed: f64,
    /// Games of the printed number.
    pub printed_games: u64,
    /// Ours, if there are games. A lowest or highest score has no interval.
    pub here: Option<MeanWithInterval>,
    /// Games here.
    pub games: u64,
    /// The p-value of the difference in means (t-test with the variance of our games for both), or of a lowest or
    /// highest score among ours (exact, see [`further_extreme`]).
    pub p: Option<f64>,
    /// The verdict.
    pub verdict: Verdict,
}

/// The tables that printed numbers are compared with.
pub(super) struct Ours {
    pub ranking: Vec<RankingRow>,
    pub matches: Vec<MatchRow>,
    pub seats: Vec<SeatRow>,
}

/// Compares printed numbers with ours.
pub(super) fn compare(paper: &Paper, league: &League, ours: &Ours) -> PrintedComparison {
    let alike = match paper.ranking.is_empty() {
        true => Vec::new(),
        false => league.printed_alike(paper.games_per_match as usize, paper.mirror),
    };
    let rank = |(place, row)| rank(place, row, league, ours, &alike);
    let ranking: Vec<PaperRank> = paper.ranking.iter().enumerate().map(rank).collect();
    let games = u64::from(paper.games_per_match);
    let matches: Vec<PaperMatch> = paper.matches.iter().map(|cell| match_of(cell, ours, games)).collect();
    let seats: Vec<PaperMean> = paper.seats.iter().flat_map(|seat| means(seat, league, ours, games)).collect();
    let pairs = paper_pairs::pairs(&paper.pairs, league, games);
    PrintedComparison {
        pair_verdicts: paper_pairs::verdicts(&pairs),
        pair_point_verdicts: paper_pairs::mean_verdicts(&pairs),
        pairs,
        source: paper.source.clone(),
        table: paper.table.clone(),
        pd_correlation: correlation(ranking.iter().filter_map(|row| Some([row.printed_pd?, row.pd?]))),
        match_correlation: correlation(matches.iter().filter_map(PaperMatch::shares)),
        ranking_verdicts: Verdicts::of(ranking.iter().map(|row| row.points_p)),
        pd_verdicts: Verdicts::of(ranking.iter().map(|row| row.pd_p)),
        match_verdicts: Verdicts::of(matches.iter().map(|row| row.p)),
        seat_verdicts: Verdicts::of(seats.iter().map(|row| row.p)),
        ranking,
        matches,
        seats,
    }
}

/// A row of the ranking; `alike` are leagues of the printed size drawn from our games.
fn rank(place: usize, row: &PaperRow, league: &League, all: &Ours, alike: &[Standing]) -> PaperRank {
    let ours = all.ranking.iter().find(|ours| ours.player == row.player && ours.games > 0);
    let player = league.index(&row.player).filter(|_| ours.is_some());
    let values = |what: usize| -> Vec<f64> {
        player.iter().flat_map(|player| alike.iter().map(|league| league[*player][what])).collect()
    };
    let (points, pd) = (values(0), values(1));
    let points_p = row.points.and_then(|printed| two_sided_p(&points, printed));
    let pd_p = row.pd.and_then(|printed| two_sided_p(&pd, printed));
    PaperRank {
        points_p,
        verdict: Verdict::of(points_p),
        pd_verdict: Verdict::of(pd_p),
        pd_p,
        player: row.player.clone(),
        printed_rank: place + 1,
        rank: ours.and_then(|ours| ours.rank),
        printed_points: row.points,
        points: ours.map(|ours| ours.standing.points),
        points_interval: percentiles(points),
        printed_pd: row.pd,
        pd: ours.map(|ours| ours.standing.pd),
    }
}

fn match_of(cell: &PaperCell, all: &Ours, games_per_match: u64) -> PaperMatch {
    let ours = all.matches.iter().find(|ours| ours.home == cell.home && ours.away == cell.away);
    let played = ours.filter(|ours| ours.games > 0);
    let p = played.and_then(|ours| fisher([[cell.home_wins, cell.away_wins], ours.decided]).ok());
    let share = played.and_then(|ours| wilson(ours.decided[0], ours.decided.iter().sum()).ok());
    PaperMatch {
        home: cell.home.clone(),
        away: cell.away.clone(),
        printed_home_wins: cell.home_wins,
        printed_away_wins: cell.away_wins,
        printed_games: cell.games.unwrap_or(games_per_match),
        home_wins: ours.map_or(0, |ours| ours.home_wins),
        away_wins: ours.map_or(0, |ours| ours.away_wins),
        games: ours.map_or(0, |ours| ours.games),
        home_share: share.map(|share| share.interval),
        p,
        verdict: Verdict::of(p),
    }
}

fn means(printed: &PaperSeat, league: &League, all: &Ours, games_per_match: u64) -> Vec<PaperMean> {
    let ours = all.seats.iter().find(|ours| ours.player == printed.player && ours.seat == printed.seat);
    let side = |row: &MatchRow| if printed.seat == 1 { row.home == printed.player } else { row.away == printed.player };
    let opponents = all.matches.iter().filter(|row| side(row)).count().max(1) as u64;
    let printed_games = printed.games.unwrap_or(games_per_match * opponents);
    // Our units are decks, each the mean over all opponents; the printed games are converted to such units.
    let printed_units = (printed_games / opponents).max(1);
    let mean = |&(measure, mean): &(&'static str, f64)| {
        if let Some(end) = end_of(measure) {
            return extreme(printed, league, (measure, mean, end), printed_games);
        }
        let measures = PaperSeat::measures(league.experiment.rules.domain());
        let column = measures.into_iter().find(|(key, _)| *key == measure).map_or(measure, |(_, name)| name);
        let units = league.index(&printed.player).map(|player| league.seat_units(player, printed.seat - 1, column));
        let p = units.and_then(|units| further_mean(&units, mean, printed_units).ok()).map(|test| test.p);
        PaperMean {
            player: printed.player.clone(),
            seat: printed.seat,
            measure,
            printed: mean,
            printed_games,
            here: ours.and_then(|ours| ours.means.get(column).copied()),
            games: ours.map_or(0, |ours| ours.games),
            p,
            verdict: Verdict::of(p),
        }
    };
    printed.means.iter().map(mean).collect()
}

/// The end of a sample that a key names, if it does.
fn end_of(measure: &str) -> Option<Tail> {
    match measure {
        LOWEST => Some(Tail::Lowest),
        HIGHEST => Some(Tail::Highest),
        _ => None,
    }
}

/// A printed lowest or highest score beside ours. The unit is the game: scores against several opponents on one deck
/// are treated as independent.
fn extreme(
    printed: &PaperSeat,
    league: &League,
    (measure, number, end): (&'static str, f64, Tail),
    printed_games: u64,
) -> PaperMean {
    let seat = printed.seat - 1;
    let games = league.index(&printed.player).into_iter().flat_map(|player| league.games_in(player, seat));
    let games = games.filter(|game| !game.repeats);
    let scores: Vec<f64> = games.map(|game| game.points(seat)).collect();
    let ours = match end {
        Tail::Lowest => scores.iter().copied().reduce(f64::min),
        Tail::Highest => scores.iter().copied().reduce(f64::max),
    };
    let p = further_extreme(&scores, number, printed_games, end).ok();
    PaperMean {
        player: printed.player.clone(),
        seat: printed.seat,
        measure,
        printed: number,
        printed_games,
        here: ours.map(|mean| MeanWithInterval { mean, interval: None }),
        games: scores.len() as u64,
        p,
        verdict: Verdict::of(p),
    }
}

impl PaperMatch {
    /// The shares of games that player 1 won, in print and here.
    fn shares(&self) -> Option<[f64; 2]> {
        let share = |wins: u64, games: u64| (games > 0).then_some(wins as f64 / games as f64);
        Some([share(self.printed_home_wins, self.printed_games)?, share(self.home_wins, self.games)?])
    }
}

/// The correlation of printed values with ours.
fn correlation(pairs: impl Iterator<Item = [f64; 2]>) -> Option<Correlation> {
    let (printed, here): (Vec<f64>, Vec<f64>) = pairs.map(|[printed, here]| (printed, here)).unzip();
    let count = printed.len();
    let r = (count >= FEWEST_CORRELATED).then(|| pearson(&printed, &here).ok()).flatten()?;
    Some(Correlation { r, count })
}

/// The middle 95 % of values.
fn percentiles(mut values: Vec<f64>) -> Option<Interval> {
    values.sort_by(f64::total_cmp);
    Some(Interval { low: quantile(&values, 0.025).ok()?, high: quantile(&values, 0.975).ok()? })
}

/// The two-sided p-value of `printed` among resampled values: twice the share on the rarer side, ties included.
fn two_sided_p(values: &[f64], printed: f64) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let share = |beyond: &dyn Fn(f64) -> bool| {
        let count = values.iter().filter(|value| beyond(**value)).count();
        (count + 1) as f64 / (values.len() + 1) as f64
    };
    // Sums of the same games in another order differ in their last digits.
    let slack = 1e-9;
    Some((2.0 * share(&|value| value <= printed + slack).min(share(&|value| value >= printed - slack))).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::two_sided_p;

    #[test]
    fn p_values_by_hand() {
        let values = [10.0, 10.0, 10.0, 11.0, 12.0, 14.0, 14.0, 14.0, 15.0];
        // What is drawn most often on one side is no surprise.
        assert_eq!(two_sided_p(&values, 10.0), Some(0.8));
        assert_eq!(two_sided_p(&values, 12.0), Some(1.0));
        assert_eq!(two_sided_p(&values, 15.0), Some(0.4));
        assert_eq!(two_sided_p(&values, 16.0), Some(0.2));
        assert_eq!(two_sided_p(&values, 9.0), Some(0.2));
        assert_eq!(two_sided_p(&[7.0; 999], 7.0), Some(1.0));
        assert_eq!(two_sided_p(&[7.0; 999], 8.0), Some(0.002));
        assert_eq!(two_sided_p(&[], 1.0), None);
    }
}
