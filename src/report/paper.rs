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
    let resampled = if paper.ranking.is_empty() { Vec::new() } else { league.resampled_tables() };
    let ranking: Vec<PaperRank> =
        paper.ranking.iter().enumerate().map(|(place, row)| rank(place, row, league, report, &resampled)).collect();
    let matches: Vec<PaperMatch> = paper.matches.iter().map(|cell| match_of(cell, report)).collect();
    let seats: Vec<PaperMean> = paper.seats.iter().flat_map(|seat| means(seat, league, report)).collect();
    Comparison {
        source: paper.source.clone(),
        table: paper.table.clone(),
        ranking_verdicts: verdicts(ranking.iter().map(|row| row.points_chance)),
        match_verdicts: verdicts(matches.iter().map(|row| row.chance)),
        seat_verdicts: verdicts(seats.iter().map(|row| row.chance)),
        ranking,
        matches,
        seats,
    }
}

/// A line of the ranking; `resampled` holds points and PD by player in leagues resampled from ours.
fn rank(place: usize, row: &PaperRow, league: &League, report: &Report, resampled: &[Vec<[f64; 2]>]) -> PaperRank {
    let ours = report.ranking.iter().find(|ours| ours.player == row.player && ours.games > 0);
    let index = league.index(&row.player);
    let values = |what: usize| -> Option<Vec<f64>> {
        resampled.iter().map(|league| league[index?].get(what).copied()).collect()
    };
    let chance = |what, printed: Option<f64>, ours: Option<f64>| chance(&values(what)?, (printed? - ours?).abs());
    let points_chance = chance(0, row.points, ours.map(|ours| ours.points as f64));
    PaperRank {
        points_chance,
        verdict: Verdict::of(points_chance),
        pd_chance: chance(1, row.pd, ours.map(|ours| ours.pd)),
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

fn match_of(cell: &PaperCell, report: &Report) -> PaperMatch {
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
        printed_games: cell.games.unwrap_or_else(|| u64::from(report.games_per_match)),
        home_wins: ours.map_or(0, |ours| ours.home_wins),
        away_wins: ours.map_or(0, |ours| ours.away_wins),
        games: ours.map_or(0, |ours| ours.games),
        home_share: share.map(|share| share.interval),
        chance,
        verdict: Verdict::of(chance),
    }
}

fn means(printed: &PaperSeat, league: &League, report: &Report) -> Vec<PaperMean> {
    let ours = report.seats.iter().find(|ours| ours.player == printed.player && ours.seat == printed.seat);
    let printed_games = printed.games.unwrap_or_else(|| u64::from(report.games_per_match));
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

/// The share of pairs of resampled values that differ by at least `difference`, each value set against the one half the list
/// away: two leagues like ours, played anew.
fn chance(values: &[f64], difference: f64) -> Option<f64> {
    let half = values.len() / 2;
    if half == 0 {
        return None;
    }
    let pairs = values[..half].iter().zip(&values[half..]);
    let as_far = pairs.filter(|(a, b)| (*a - *b).abs() >= difference - 1e-9).count();
    Some((as_far + 1) as f64 / (half + 1) as f64)
}
