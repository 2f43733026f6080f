//! A points table, and two runs side by side, on a terminal.

use super::block::{TextTable, wrapped};
use super::cell::{p_value, plus_minus, signed};
use crate::report::tables::compare::{Decks, SideBySide};
use crate::report::tables::matches::{MatchRow, RankingRow};
use crate::stats::points::Row;

/// A points table alone: `player points bwp blp wins losses draws pd`.
pub fn league_table(rows: &[(String, Row, f64)]) -> String {
    let header = ["player", "points", "bwp", "blp", "wins", "losses", "draws", "pd"];
    let mut table = TextTable::new("", &header, 1, &[0]);
    for (player, row, pd) in rows {
        let counts = [row.points, row.bwp, row.blp, row.wins, row.losses, row.draws].map(|count| count.to_string());
        table.row([player.clone()].into_iter().chain(counts).chain([pd.to_string()]));
    }
    table.text()
}

/// Two runs side by side as text for a terminal.
pub fn side_by_side(compared: &SideBySide) -> String {
    let mut text = String::new();
    for run in 0..2 {
        text.push_str(&format!(
            "{}: {}, preset {}, seed {}, {} games\n",
            run + 1,
            compared.names[run],
            compared.presets[run],
            compared.seeds[run],
            compared.games[run]
        ));
    }
    for difference in &compared.differences {
        text.push_str(&format!("changed from 1 to 2: {difference}\n"));
    }
    if compared.same_records {
        text.push_str("the records of both runs are identical\n");
    }
    text.push_str("\nPlayers of both runs (difference: score less the opponent's, ± 95 %)\n");
    let header = ["player", "rank 1", "2", "points 1", "2", "won 1", "2", "difference 1", "2", "change", "p"];
    let mut players = TextTable::new("", &header, 1, &[0]);
    for player in &compared.players {
        let [a, b] = &player.rows;
        let rank = |row: &RankingRow| row.rank.map_or("-".to_owned(), |rank| rank.to_string());
        let won = |row: &RankingRow| format!("{} of {}", row.games_won, row.games);
        players.row([
            player.player.clone(),
            rank(a),
            rank(b),
            a.points.to_string(),
            b.points.to_string(),
            won(a),
            won(b),
            plus_minus(&a.difference, true),
            plus_minus(&b.difference, true),
            player.change.map_or("-".to_owned(), |test| {
                format!("{} ± {:.2}", signed(test.difference), (test.interval.high - test.interval.low) / 2.0)
            }),
            player.change.map_or("-".to_owned(), |test| p_value(test.p)),
        ]);
    }
    text.push_str(&players.text());
    let how = match compared.decks {
        Decks::Same => "paired by deck, because both runs play the same decks (paired t-test)",
        Decks::Other => "with different decks (Welch's t-test)",
        Decks::Mixed => "not tested, because only some decks are the same",
    };
    text.push_str(&wrapped(&format!(
        "change: difference in run 2 less difference in run 1, in the matches of both runs, {how}; p is not corrected"
    )));
    if !compared.matches.is_empty() {
        text.push_str("\nMatches of both runs (games won by player 1 - by player 2)\n");
        let mut matches = TextTable::new("", &["player 1", "player 2", "run 1", "run 2", "p"], 2, &[0, 1]);
        for pair in &compared.matches {
            let [a, b] = &pair.rows;
            let won = |row: &MatchRow| format!("{}-{}", row.home_wins, row.away_wins);
            let p = pair.p.map_or("-".to_owned(), p_value);
            matches.row([a.home.clone(), a.away.clone(), won(a), won(b), p]);
        }
        text.push_str(&matches.text());
        text.push_str("p: Fisher's exact test on decided games, not corrected\n");
    }
    if let Some(verdicts) = &compared.verdicts {
        text.push_str(&format!(
            "\nOf {} printed numbers that both runs compare, {} have the same verdict\n",
            verdicts.compared, verdicts.same
        ));
        for (what, [before, after]) in &verdicts.changed {
            text.push_str(&format!("{what}: {} and {}\n", before.words(), after.words()));
        }
    }
    text
}
