//! Printed numbers beside ours.

use super::bootstrap::Standing;
use super::league::League;
use super::report::{Comparison, Correlation, MatchRow, PaperMatch, PaperMean, PaperRank, Report, Verdict, Verdicts};
use crate::config::{Paper, PaperCell, PaperRow, PaperSeat};
use crate::stats::Interval;
use crate::stats::correlation::pearson;
use crate::stats::fisher::fisher;
use crate::stats::holm::holm;
use crate::stats::proportion::wilson;
use crate::stats::quantiles::quantile;
use crate::stats::t_test::further_mean;

/// Numbers from which a correlation is given: of two it is always 1 or −1, of three differences that sum to 0 nearly so.
const FEWEST_CORRELATED: usize = 5;

/// Sets what a paper prints beside what the report says.
pub(in crate::report) fn compare(paper: &Paper, league: &League, report: &Report) -> Comparison {
    let alike = match paper.ranking.is_empty() {
        true => Vec::new(),
        false => league.printed_alike(paper.games_per_match as usize, paper.mirror),
    };
    let rank = |(place, row)| rank(place, row, league, report, &alike);
    let ranking: Vec<PaperRank> = paper.ranking.iter().enumerate().map(rank).collect();
    let games = u64::from(paper.games_per_match);
    let matches: Vec<PaperMatch> = paper.matches.iter().map(|cell| match_of(cell, report, games)).collect();
    let seats: Vec<PaperMean> = paper.seats.iter().flat_map(|seat| means(seat, league, report, games)).collect();
    Comparison {
        source: paper.source.clone(),
        table: paper.table.clone(),
        pd_correlation: correlation(ranking.iter().filter_map(|row| Some([row.printed_pd?, row.pd?]))),
        match_correlation: correlation(matches.iter().filter_map(PaperMatch::shares)),
        ranking_verdicts: verdicts(ranking.iter().map(|row| row.points_chance)),
        pd_verdicts: verdicts(ranking.iter().map(|row| row.pd_chance)),
        match_verdicts: verdicts(matches.iter().map(|row| row.chance)),
        seat_verdicts: verdicts(seats.iter().map(|row| row.chance)),
        ranking,
        matches,
        seats,
    }
}

/// A line of the ranking; `alike` are leagues such as the printed one if its players were ours.
fn rank(place: usize, row: &PaperRow, league: &League, report: &Report, alike: &[Standing]) -> PaperRank {
    let ours = report.ranking.iter().find(|ours| ours.player == row.player && ours.games > 0);
    let player = league.index(&row.player).filter(|_| ours.is_some());
    let values = |what: usize| -> Vec<f64> {
        player.iter().flat_map(|player| alike.iter().map(|league| league[*player][what])).collect()
    };
    let (points, pd) = (values(0), values(1));
    let points_chance = row.points.and_then(|printed| chance(&points, printed));
    let pd_chance = row.pd.and_then(|printed| chance(&pd, printed));
    PaperRank {
        points_chance,
        verdict: Verdict::of(points_chance),
        pd_verdict: Verdict::of(pd_chance),
        pd_chance,
        player: row.player.clone(),
        printed_rank: place + 1,
        rank: ours.map(|ours| ours.rank),
        printed_points: row.points,
        points: ours.map(|ours| ours.points),
        points_interval: percentiles(points),
        printed_pd: row.pd,
        pd: ours.map(|ours| ours.pd),
    }
}

fn match_of(cell: &PaperCell, report: &Report, games_per_match: u64) -> PaperMatch {
    let ours = report.matches.iter().find(|ours| ours.home == cell.home && ours.away == cell.away);
    let played = ours.filter(|ours| ours.games > 0);
    let chance =
        played.and_then(|ours| fisher([[cell.home_wins, cell.away_wins], [ours.home_wins, ours.away_wins]]).ok());
    let share = played.and_then(|ours| wilson(ours.home_wins, ours.home_wins + ours.away_wins).ok());
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
        chance,
        verdict: Verdict::of(chance),
    }
}

fn means(printed: &PaperSeat, league: &League, report: &Report, games_per_match: u64) -> Vec<PaperMean> {
    let ours = report.seats.iter().find(|ours| ours.player == printed.player && ours.seat == printed.seat);
    let side = |row: &MatchRow| if printed.seat == 1 { row.home == printed.player } else { row.away == printed.player };
    let opponents = report.matches.iter().filter(|row| side(row)).count().max(1) as u64;
    let printed_games = printed.games.unwrap_or(games_per_match * opponents);
    // Our units are decks, each the mean of a game against every opponent: so many are the printed games.
    let printed_units = (printed_games / opponents).max(1);
    let mean = |&(measure, mean): &(&'static str, f64)| {
        let column = PaperSeat::MEASURES.into_iter().find(|(key, _)| *key == measure).map_or(measure, |(_, name)| name);
        let units = league.index(&printed.player).map(|player| league.seat_units(player, printed.seat - 1, column));
        let chance = units.and_then(|units| further_mean(&units, mean, printed_units).ok()).map(|test| test.p);
        PaperMean {
            player: printed.player.clone(),
            seat: printed.seat,
            measure,
            printed: mean,
            printed_games,
            here: ours.and_then(|ours| ours.means.get(column).copied()),
            games: ours.map_or(0, |ours| ours.games),
            chance,
            verdict: Verdict::of(chance),
        }
    };
    printed.means.iter().map(mean).collect()
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

/// Counts verdicts by the chances of the differences.
fn verdicts(chances: impl Iterator<Item = Option<f64>>) -> Verdicts {
    let chances: Vec<Option<f64>> = chances.collect();
    let count = |wanted| chances.iter().filter(|chance| Verdict::of(**chance) == wanted).count();
    let corrected = holm(&chances).expect("chances are from 0 to 1");
    Verdicts {
        agree: count(Verdict::Agrees),
        differ: count(Verdict::Differs),
        differ_by_holm: corrected.iter().filter(|chance| Verdict::of(**chance) == Verdict::Differs).count(),
        not_compared: count(Verdict::CannotBeCompared),
    }
}

/// How often values drawn by luck alone lie as far out as `printed`, on either side: twice the rarer side, ties with it.
fn chance(values: &[f64], printed: f64) -> Option<f64> {
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
    use super::chance;

    #[test]
    fn the_chance_of_a_difference_by_hand() {
        let values = [10.0, 10.0, 10.0, 11.0, 12.0, 14.0, 14.0, 14.0, 15.0];
        // What is drawn most often on one side is no surprise.
        assert_eq!(chance(&values, 10.0), Some(0.8));
        assert_eq!(chance(&values, 12.0), Some(1.0));
        assert_eq!(chance(&values, 15.0), Some(0.4));
        assert_eq!(chance(&values, 16.0), Some(0.2));
        assert_eq!(chance(&values, 9.0), Some(0.2));
        assert_eq!(chance(&[7.0; 999], 7.0), Some(1.0));
        assert_eq!(chance(&[7.0; 999], 8.0), Some(0.002));
        assert_eq!(chance(&[], 1.0), None);
    }
}
