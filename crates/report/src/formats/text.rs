//! A points table, and runs side by side, on a terminal.

use super::block::TextTable;
use super::cell::{p_value, plus_minus, signed};
use crate::tables::changes::{self, AcrossRuns, Change};
use crate::tables::compare::{BesideFirst, PlayerChange, SideBySide};
use crate::tables::matches::{MatchRow, RankingRow};
use evouct_base::plural::counted;
use evouct_base::wrap::wrapped;
use evouct_stats::points::Row;

/// A points table alone: `player points bwp blp wins losses draws pd`.
pub fn league_table(rows: &[(String, Row, f64)]) -> String {
    let header = ["player", "points", "bwp", "blp", "wins", "losses", "draws", "pd"];
    let mut table = TextTable::new("", &header, 1, &[0]);
    for (player, row, pd) in rows {
        let counts = row.counts().map(|count| count.to_string());
        table.row([player.clone()].into_iter().chain(counts).chain([pd.to_string()]));
    }
    table.text()
}

/// A run in one line, by its number on the terminal.
fn introduced(compared: &SideBySide, side: usize, number: usize) -> String {
    let SideBySide { names, presets, seeds, games, .. } = compared;
    let games = counted(games[side], "game");
    format!("{number}: {}, preset {}, seed {}, {games}\n", names[side], presets[side], seeds[side])
}

/// What is not the same in a run, by its number on the terminal, as in the first.
fn changed(compared: &SideBySide, number: usize) -> String {
    let mut text = String::new();
    for difference in &compared.differences {
        text.push_str(&format!("changed from 1 to {number}: {difference}\n"));
    }
    if compared.same_records {
        text.push_str(&match number {
            2 => "the records of both runs are identical\n".to_owned(),
            _ => format!("the records of runs 1 and {number} are identical\n"),
        });
    }
    text
}

/// The change of a player with its interval.
fn change(player: &PlayerChange) -> String {
    player.change.map_or("-".to_owned(), |test| {
        format!("{} ± {:.2}", signed(test.difference), (test.interval.high - test.interval.low) / 2.0)
    })
}

/// What the tests show.
fn headline(compared: &BesideFirst) -> String {
    changes::headline(compared).iter().map(|sentence| wrapped(sentence)).collect()
}

/// Runs beside the first of them as text for a terminal: two runs with all their numbers, more with a line per player
/// and run.
pub fn beside_first(compared: &BesideFirst) -> String {
    match &compared.runs[..] {
        [] => String::new(),
        [second] => side_by_side(compared, second),
        [second, ..] => many(compared, second),
    }
}

fn many(compared: &BesideFirst, second: &SideBySide) -> String {
    let mut text = headline(compared) + "\n" + &introduced(second, 0, 1);
    for (number, run) in (2..).zip(&compared.runs) {
        text.push_str(&introduced(run, 1, number));
        text.push_str(&changed(run, number));
    }
    text.push_str("\nPlayers of the first run (difference: score less the opponent's, ± 95 %)\n");
    let mut table = TextTable::new("", &["player", "run", "points", "difference", "change", "p", "p Holm"], 1, &[0]);
    for player in changes::players(compared) {
        let AcrossRuns { name, first, changes } = player;
        let unchanged = ["", "", ""].map(str::to_owned);
        let row =
            [name.to_owned(), "1".to_owned(), first.standing.points.to_string(), plus_minus(&first.difference, true)];
        table.row(row.into_iter().chain(unchanged));
        for Change { run, player, p_holm } in changes {
            let after = &player.rows[1];
            table.row([
                String::new(),
                run.to_string(),
                after.standing.points.to_string(),
                plus_minus(&after.difference, true),
                change(player),
                player.change.map_or("-".to_owned(), |test| p_value(test.p)),
                p_holm.map_or("-".to_owned(), p_value),
            ]);
        }
    }
    text + &table.text() + &wrapped(&changes::explained(compared))
}

/// Two runs side by side, below what the tests show.
fn side_by_side(all: &BesideFirst, compared: &SideBySide) -> String {
    let introduced = [0, 1].map(|side| introduced(compared, side, side + 1)).concat();
    let mut text = format!("{}\n{introduced}", headline(all));
    text.push_str(&changed(compared, 2));
    text.push_str("\nPlayers of both runs (rank and points: first run, second run; difference: score\nless the opponent's, ± 95 %)\n");
    let header = ["player", "rank", "points", "difference 1", "difference 2", "change", "p Holm"];
    let mut players = TextTable::new("", &header, 1, &[0]);
    for (player, p_holm) in compared.players.iter().zip(all.p_holm.iter().flatten()) {
        let [a, b] = &player.rows;
        let rank = |row: &RankingRow| row.rank.map_or("-".to_owned(), |rank| rank.to_string());
        players.row([
            player.player.clone(),
            format!("{}, {}", rank(a), rank(b)),
            format!("{}, {}", a.standing.points, b.standing.points),
            plus_minus(&a.difference, true),
            plus_minus(&b.difference, true),
            change(player),
            p_holm.map_or("-".to_owned(), p_value),
        ]);
    }
    text.push_str(&players.text());
    text.push_str(&wrapped(&changes::explained(all)));
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
        text.push_str(&format!("{}\n", changes::MATCHES));
    }
    if let (Some(said), Some(verdicts)) = (changes::verdicts(compared), &compared.verdicts) {
        text.push_str(&format!("\n{said}\n"));
        for (what, [before, after]) in &verdicts.changed {
            text.push_str(&format!("{what}: {} and {}\n", before.words(), after.words()));
        }
    }
    text
}
