//! A points table, and runs side by side, as commands print them.

use super::block::{Block, Format, print};
use crate::tables::changes;
use crate::tables::compare::{BesideFirst, SideBySide};
use crate::tables::typed;
use evouct_base::named::Named;
use evouct_base::plural::counted;
use evouct_base::table::{Cell, Digits, Table, Width};
use evouct_stats::points::Row;

/// A points table, below its title if it has one: `player points bwp blp wins losses draws pd`.
pub fn league_table(title: &str, rows: &[(String, Row, f64)], format: Format) -> String {
    let mut table =
        Table::of("league", title, rows).column(Width::Narrow, "player", "player", |row| Cell::name(&row.0));
    for (place, heading) in ["points", "bwp", "blp", "wins", "losses", "draws"].into_iter().enumerate() {
        table = table.column(Width::Narrow, heading, heading, |row| Cell::Count(row.1.counts()[place]));
    }
    let table = table.column(Width::Narrow, "pd", "pd", |row| Cell::Number(row.2, Digits::SHORTEST)).table();
    print(&[Block::Table(table, Width::Full)], format)
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

/// Runs beside the first of them: two runs with all their numbers, more with a line per player and run.
pub fn beside_first(compared: &BesideFirst, format: Format) -> String {
    let Some(second) = compared.runs.first() else { return String::new() };
    let mut blocks: Vec<Block> = changes::headline(compared).into_iter().map(Block::Paragraph).collect();
    blocks.extend([Block::Line(String::new()), introduced(second, 0, 1)]);
    for (number, run) in (2..).zip(&compared.runs) {
        blocks.push(introduced(run, 1, number));
        blocks.extend(changed(run, number));
    }
    let changes = Block::Table(typed::changes(compared), Width::Full);
    blocks.extend([changes, Block::Paragraph(changes::explained(compared))]);
    if let [second] = &compared.runs[..] {
        blocks.extend(of_two(second));
    }
    print(&blocks, format)
}

/// What two runs have beside their players: matches and verdicts.
fn of_two(compared: &SideBySide) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !compared.matches.is_empty() {
        let matches = Block::Table(typed::matches_of_runs(compared, 2), Width::Full);
        blocks.extend([matches, Block::Paragraph(changes::MATCHES.to_owned())]);
    }
    if let (Some(said), Some(verdicts)) = (changes::verdicts(compared), &compared.verdicts) {
        blocks.extend([Block::Line(String::new()), Block::Paragraph(said)]);
        for (what, [before, after]) in &verdicts.changed {
            blocks.push(Block::Paragraph(format!("{what}: {} and {}", before.name(), after.name())));
        }
    }
    blocks
}
