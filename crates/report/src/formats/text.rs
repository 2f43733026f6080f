//! A points table, and runs side by side, as commands print them.

use super::block::{Block, Format, TextTable, print};
use super::cell::{difference, p_value, plus_minus};
use crate::tables::changes::{self, AcrossRuns, Change};
use crate::tables::compare::{BesideFirst, PlayerChange, SideBySide};
use crate::tables::matches::{MatchRow, RankingRow};
use evouct_base::named::Named;
use evouct_base::plural::counted;
use evouct_stats::points::Row;

/// A points table, below its title if it has one: `player points bwp blp wins losses draws pd`.
pub fn league_table(title: &str, rows: &[(String, Row, f64)], format: Format) -> String {
    let header = ["player", "points", "bwp", "blp", "wins", "losses", "draws", "pd"];
    let mut table = TextTable::new(title, &header, 1, &[0]);
    for (player, row, pd) in rows {
        let counts = row.counts().map(|count| count.to_string());
        table.row([player.clone()].into_iter().chain(counts).chain([pd.to_string()]));
    }
    print(&[Block::Table(table)], format)
}

/// A run in one line, by its number.
fn introduced(compared: &SideBySide, side: usize, number: usize) -> Block {
    let SideBySide { names, presets, seeds, games, .. } = compared;
    let games = counted(games[side], "game");
    Block::Paragraph(format!("{number}: {}, preset {}, seed {}, {games}", names[side], presets[side], seeds[side]))
}

/// What is not the same in a run, by its number, as in the first.
fn changed(compared: &SideBySide, number: usize) -> Vec<Block> {
    let different = compared.differences.iter().map(|difference| format!("changed from 1 to {number}: {difference}"));
    let same = compared.same_records.then(|| match number {
        2 => "the records of both runs are identical".to_owned(),
        _ => format!("the records of runs 1 and {number} are identical"),
    });
    different.chain(same).map(Block::Line).collect()
}

/// The change of a player with its interval.
fn change(player: &PlayerChange) -> String {
    player.change.as_ref().map_or("-".to_owned(), difference)
}

/// Runs beside the first of them: two runs with all their numbers, more with a line per player and run.
pub fn beside_first(compared: &BesideFirst, format: Format) -> String {
    let Some(second) = compared.runs.first() else { return String::new() };
    let mut blocks: Vec<Block> = changes::headline(compared).into_iter().map(Block::Paragraph).collect();
    blocks.extend([Block::Line(String::new()), introduced(second, 0, 1)]);
    for (number, run) in (2..).zip(&compared.runs) {
        blocks.push(introduced(run, 1, number));
        blocks.extend(changed(run, number));
    }
    match &compared.runs[..] {
        [second] => blocks.extend(side_by_side(compared, second)),
        _ => blocks.extend(many(compared)),
    }
    print(&blocks, format)
}

fn many(compared: &BesideFirst) -> [Block; 2] {
    let title = "Players of the first run (difference: score less the opponent's, ± 95 %)";
    let header = ["player", "run", "points", "difference", "change", "p", "p Holm"];
    let mut table = TextTable::new(title, &header, 1, &[0]);
    for player in changes::players(compared) {
        let AcrossRuns { name, first, changes } = player;
        let unchanged = ["", "", ""].map(str::to_owned);
        let row =
            [name.to_owned(), "1".to_owned(), first.standing.points.to_string(), plus_minus(&first.difference, true)];
        table.row(row.into_iter().chain(unchanged));
        for Change { run, player, p_holm } in changes {
            let after = &player.rows[1];
            let cells = [
                String::new(),
                run.to_string(),
                after.standing.points.to_string(),
                plus_minus(&after.difference, true),
                change(player),
                player.change.map_or("-".to_owned(), |test| p_value(test.p)),
                p_holm.map_or("-".to_owned(), p_value),
            ];
            table.tested_row(cells, player.change.map(|test| test.difference), p_holm);
        }
    }
    [Block::Table(table), Block::Paragraph(changes::explained(compared))]
}

/// The tables of two runs side by side.
fn side_by_side(all: &BesideFirst, compared: &SideBySide) -> Vec<Block> {
    let title =
        "Players of both runs (rank and points: first run, second run; difference: score less the opponent's, ± 95 %)";
    let header = ["player", "rank", "points", "difference 1", "difference 2", "change", "p Holm"];
    let mut players = TextTable::new(title, &header, 1, &[0]);
    for (player, p_holm) in compared.players.iter().zip(all.p_holm.iter().flatten()) {
        let [a, b] = &player.rows;
        let rank = |row: &RankingRow| row.rank.map_or("-".to_owned(), |rank| rank.to_string());
        let cells = [
            player.player.clone(),
            format!("{}, {}", rank(a), rank(b)),
            format!("{}, {}", a.standing.points, b.standing.points),
            plus_minus(&a.difference, true),
            plus_minus(&b.difference, true),
            change(player),
            p_holm.map_or("-".to_owned(), p_value),
        ];
        players.tested_row(cells, player.change.map(|test| test.difference), *p_holm);
    }
    let mut blocks = vec![Block::Table(players), Block::Paragraph(changes::explained(all))];
    if !compared.matches.is_empty() {
        let title = "Matches of both runs (games won by player 1 - by player 2)";
        let mut matches = TextTable::new(title, &["player 1", "player 2", "run 1", "run 2", "p"], 2, &[0, 1]);
        for pair in &compared.matches {
            let [a, b] = &pair.rows;
            let won = |row: &MatchRow| format!("{}-{}", row.home_wins, row.away_wins);
            let p = pair.p.map_or("-".to_owned(), p_value);
            matches.row([a.home.clone(), a.away.clone(), won(a), won(b), p]);
        }
        blocks.extend([Block::Table(matches), Block::Paragraph(changes::MATCHES.to_owned())]);
    }
    if let (Some(said), Some(verdicts)) = (changes::verdicts(compared), &compared.verdicts) {
        blocks.extend([Block::Line(String::new()), Block::Paragraph(said)]);
        for (what, [before, after]) in &verdicts.changed {
            blocks.push(Block::Paragraph(format!("{what}: {} and {}", before.name(), after.name())));
        }
    }
    blocks
}
