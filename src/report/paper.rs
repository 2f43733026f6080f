//! Printed numbers beside ours.

use super::tables::{Comparison, PaperMatch, PaperRank, Report};
use crate::config::{Paper, PaperCell, PaperRow};

/// Sets what a paper prints beside what the report says.
pub(super) fn compare(paper: &Paper, report: &Report) -> Comparison {
    let rank = |(index, row): (usize, &PaperRow)| {
        let ours = report.ranking.iter().find(|ours| ours.player == row.player && ours.games > 0);
        PaperRank {
            player: row.player.clone(),
            printed_rank: index + 1,
            rank: ours.map(|ours| ours.rank),
            printed_points: row.points,
            points: ours.map(|ours| ours.points),
            printed_pd: row.pd,
            pd: ours.map(|ours| ours.pd),
        }
    };
    let cell = |cell: &PaperCell| {
        let ours = report.matches.iter().find(|ours| ours.home == cell.home && ours.away == cell.away);
        PaperMatch {
            home: cell.home.clone(),
            away: cell.away.clone(),
            printed_home_wins: cell.home_wins,
            printed_away_wins: cell.away_wins,
            printed_games: cell.games.unwrap_or_else(|| u64::from(report.games_per_match)),
            home_wins: ours.map_or(0, |ours| ours.home_wins),
            away_wins: ours.map_or(0, |ours| ours.away_wins),
            games: ours.map_or(0, |ours| ours.games),
        }
    };
    Comparison {
        source: paper.source.clone(),
        table: paper.table.clone(),
        ranking: paper.ranking.iter().enumerate().map(rank).collect(),
        matches: paper.matches.iter().map(cell).collect(),
    }
}
