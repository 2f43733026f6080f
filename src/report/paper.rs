//! Printed numbers beside ours.

use super::league::League;
use super::tables::{Comparison, PaperMatch, PaperMean, PaperRank, Report, Verdict, Verdicts};
use crate::config::{Paper, PaperCell, PaperRow, PaperSeat};
use crate::stats::Interval;
use crate::stats::fisher::fisher;
use crate::stats::holm::holm;
use crate::stats::proportion::wilson;
use crate::stats::quantiles::quantile;
use crate::stats::t_test::further_mean;

/// Sets what a paper prints beside what the report says.
pub(super) fn compare(paper: &Paper, league: &League, report: &Report) -> Comparison {
    let size = paper.games_per_match.min(report.games_per_match);
    let resampled = if paper.ranking.is_empty() { Vec::new() } else { league.resampled_tables(size as usize) };
    let sizes = Sizes { printed: size, ours: report.games_per_match };
    let rank = |(place, row)| rank(place, row, league, report, &resampled, sizes);
    let ranking: Vec<PaperRank> = paper.ranking.iter().enumerate().map(rank).collect();
    let games = u64::from(paper.games_per_match);
    let matches: Vec<PaperMatch> = paper.matches.iter().map(|cell| match_of(cell, report, games)).collect();
    let seats: Vec<PaperMean> = paper.seats.iter().flat_map(|seat| means(seat, league, report, games)).collect();
    Comparison {
        source: paper.source.clone(),
        table: paper.table.clone(),
        ranking_verdicts: verdicts(ranking.iter().map(|row| row.points_chance)),
        pd_verdicts: verdicts(ranking.iter().map(|row| row.pd_chance)),
        match_verdicts: verdicts(matches.iter().map(|row| row.chance)),
        seat_verdicts: verdicts(seats.iter().map(|row| row.chance)),
        ranking,
        matches,
        seats,
    }
}

/// Decks a match of a printed league and of ours.
#[derive(Clone, Copy)]
struct Sizes {
    printed: u32,
    ours: u32,
}

/// A line of the ranking; `resampled` holds points and PD by player in leagues of the printed size resampled from ours.
fn rank(
    place: usize,
    row: &PaperRow,
    league: &League,
    report: &Report,
    resampled: &[Vec<[f64; 2]>],
    sizes: Sizes,
) -> PaperRank {
    let ours = report.ranking.iter().find(|ours| ours.player == row.player && ours.games > 0);
    let index = league.index(&row.player);
    let values = |what: usize| -> Option<Vec<f64>> {
        resampled.iter().map(|league| league[index?].get(what).copied()).collect()
    };
    let chance = |what, printed: Option<f64>, ours: Option<f64>| chance(&values(what)?, printed?, ours?, sizes);
    let points_chance = chance(0, row.points, ours.map(|ours| ours.points as f64));
    let pd_chance = chance(1, row.pd, ours.map(|ours| ours.pd));
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
        points_interval: ours.and_then(|_| percentiles(values(0)?)),
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
    let printed_games = printed.games.unwrap_or(games_per_match);
    let mean = |&(measure, mean): &(&'static str, f64)| {
        let column = PaperSeat::MEASURES.into_iter().find(|(key, _)| *key == measure).map_or(measure, |(_, name)| name);
        let units = league.index(&printed.player).map(|player| league.seat_units(player, printed.seat - 1, column));
        let chance = units.and_then(|units| further_mean(&units, mean, printed_games).ok()).map(|test| test.p);
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

/// How often the printed league and ours would differ by as much if nothing but luck differs.
///
/// `values` are of leagues of the printed size resampled from ours. Where ours is larger its own value cannot be set beside the
/// printed one (in a longer match the better player wins more surely), so their mean is; its luck is smaller by the root of the
/// ratio of sizes. Deviations are paired one half of the list with the other.
fn chance(values: &[f64], printed: f64, ours: f64, sizes: Sizes) -> Option<f64> {
    let half = values.len() / 2;
    if half == 0 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let centre = if sizes.printed == sizes.ours { ours } else { mean };
    let shrink = (f64::from(sizes.printed) / f64::from(sizes.ours)).sqrt();
    let pairs = values[..half].iter().zip(&values[half..]);
    let as_far =
        pairs.filter(|(a, b)| ((*a - mean) - (*b - mean) * shrink).abs() >= (printed - centre).abs() - 1e-9).count();
    Some((as_far + 1) as f64 / (half + 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::{Sizes, chance};

    #[test]
    fn the_chance_of_a_difference_by_hand() {
        // Deviations from the mean of 10: −1, 1 against 2, −2.
        let values = [9.0, 11.0, 12.0, 8.0];
        let equal = Sizes { printed: 15, ours: 15 };
        // Both pairs are 3 apart.
        assert_eq!(chance(&values, 13.0, 10.0, equal), Some(1.0));
        assert_eq!(chance(&values, 13.5, 10.0, equal), Some(1.0 / 3.0));
        // Four times the decks: half the deviation of ours, so 2 apart, about the mean of 10 and not our 14.
        let longer = Sizes { printed: 15, ours: 60 };
        assert_eq!(chance(&values, 12.0, 14.0, longer), Some(1.0));
        assert_eq!(chance(&values, 12.5, 14.0, longer), Some(1.0 / 3.0));
        assert_eq!(chance(&[1.0], 1.0, 1.0, equal), None);
    }
}
