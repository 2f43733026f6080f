//! Printed numbers beside ours.

use super::tables::{Comparison, PaperMatch, PaperRank, Report, Verdict, Verdicts};
use crate::config::{Experiment, Paper, PaperCell, PaperRow};
use crate::stats::fisher::fisher;
use crate::stats::holm::holm;

/// Sets what a paper prints beside what the report says.
///
/// `resampled` holds points and PD by player in leagues resampled from ours.
pub(super) fn compare(
    paper: &Paper,
    experiment: &Experiment,
    report: &Report,
    resampled: &[Vec<[f64; 2]>],
) -> Comparison {
    let rank = |(place, row): (usize, &PaperRow)| {
        let ours = report.ranking.iter().find(|ours| ours.player == row.player && ours.games > 0);
        let index = experiment.players.iter().position(|player| player.name == row.player);
        let chance = |what: usize, printed: Option<f64>, ours: Option<f64>| {
            let values: Vec<f64> =
                resampled.iter().map(|league| league[index?].get(what).copied()).collect::<Option<_>>()?;
            chance(&values, (printed? - ours?).abs())
        };
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
            printed_pd: row.pd,
            pd: ours.map(|ours| ours.pd),
        }
    };
    let cell = |cell: &PaperCell| {
        let ours = report.matches.iter().find(|ours| ours.home == cell.home && ours.away == cell.away);
        let chance = ours
            .filter(|ours| ours.games > 0)
            .and_then(|ours| fisher([[cell.home_wins, cell.away_wins], [ours.home_wins, ours.away_wins]]).ok());
        PaperMatch {
            home: cell.home.clone(),
            away: cell.away.clone(),
            printed_home_wins: cell.home_wins,
            printed_away_wins: cell.away_wins,
            printed_games: cell.games.unwrap_or_else(|| u64::from(report.games_per_match)),
            home_wins: ours.map_or(0, |ours| ours.home_wins),
            away_wins: ours.map_or(0, |ours| ours.away_wins),
            games: ours.map_or(0, |ours| ours.games),
            chance,
            verdict: Verdict::of(chance),
        }
    };
    let ranking: Vec<PaperRank> = paper.ranking.iter().enumerate().map(rank).collect();
    let matches: Vec<PaperMatch> = paper.matches.iter().map(cell).collect();
    Comparison {
        source: paper.source.clone(),
        table: paper.table.clone(),
        ranking_verdicts: verdicts(ranking.iter().map(|row| row.points_chance)),
        match_verdicts: verdicts(matches.iter().map(|row| row.chance)),
        ranking,
        matches,
    }
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
