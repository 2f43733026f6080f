//! The report as a command prints it: the headline, then the tables.
//!
//! By default the tables fit a terminal of 80 columns if names are short. Tests and measures that few readers need are in the full form.

use super::block::{Block, Format, fits, print};
use crate::tables::captions;
use crate::tables::faults::FaultRow;
use crate::tables::gauntlet::Gauntlet;
use crate::tables::paper::PrintedComparison;
use crate::tables::report::Report;
use crate::tables::typed;
use evouct_base::grouped::grouped;
use evouct_base::plural::{counted, noun_of};
use evouct_base::table::{Table, Width};

/// The largest number of players in a cross table; more do not fit a terminal.
const CROSS_TABLE: usize = 14;
/// The largest number of pairs shown.
const PAIRS: usize = 100;
/// The largest number of pairs shown by default.
const FEW_PAIRS: usize = 20;

/// The whole report. `all` adds the rare tests, effect sizes, measures by seat and all columns.
pub fn summary(report: &Report, all: bool, format: Format) -> String {
    print(&blocks(report, all, format), format)
}

fn blocks(report: &Report, all: bool, format: Format) -> Vec<Block> {
    let decks = if report.mirror { ", mirrored" } else { " per match" };
    let title = format!(
        "{}: {} of {}, seed {}, preset {}, {}{decks}",
        report.name,
        report.finished,
        counted(report.scheduled, "game"),
        report.seed,
        report.preset,
        counted(report.games_per_match, "deck"),
    );
    let mut blocks = vec![Block::Paragraph(title), Block::Line(String::new())];
    blocks.extend(report.headline().sentences.into_iter().map(Block::Paragraph));
    if report.finished == 0 {
        blocks.extend(failures(report));
        return blocks;
    }
    let width = if all { Width::Full } else { Width::Brief };
    let shown = |table: Table| Block::Table(table, width);
    match &report.gauntlet {
        Some(gauntlet) => blocks.extend(contestants(gauntlet, report, width)),
        None => blocks.push(shown(typed::ranking(report))),
    }
    if !report.point.is_empty() {
        blocks.push(Block::Paragraph(format!("A difference of 1 is {}.", report.point)));
    }
    if report.gauntlet.is_none() {
        blocks.extend(cross_table(report).filter(|table| fits(table, format.width()) || all).map(shown));
    }
    // In a gauntlet the table of contestants has these differences already, of several fixed opponents their means.
    let whole = report.gauntlet.is_none() || all;
    let pairs = report.shown_pairs();
    if whole || report.several().is_some() {
        blocks.extend(clearest(typed::differences(report, &pairs), width));
    }
    blocks.extend(captions::exact(report).map(Block::Paragraph));
    blocks.extend(report.sweeps.iter().map(typed::sweep).map(shown));
    if all {
        blocks.push(shown(typed::effects(report, &pairs)));
        blocks.extend(captions::approximate(report).map(Block::Paragraph));
    }
    blocks.extend(Some(typed::ratings(report)).filter(|_| whole).map(shown));
    if let Some(warning) = captions::cycle(report) {
        blocks.push(Block::Paragraph(format!("warning: {warning}")));
    }
    if let Some(test) = &report.sequential {
        blocks.extend([Block::Line(String::new()), Block::Paragraph(captions::sequential(test))]);
    }
    if all {
        blocks.push(shown(typed::measures(report)));
        blocks.extend(captions::unused(report).map(Block::Paragraph));
    }
    if !report.evolution.is_empty() {
        blocks.extend([typed::evolution(report), typed::orders(report)].map(shown));
    }
    if let Some(paper) = &report.paper {
        blocks.extend(printed(paper, width));
    }
    blocks.extend(failures(report));
    blocks.push(Block::Line(String::new()));
    if !all {
        blocks.push(Block::Paragraph("--all prints further tests, effect sizes and measures by seat".to_owned()));
    }
    blocks.push(Block::Paragraph(format!(
        "{} {}, {} of thinking time",
        grouped(report.playouts),
        noun_of(report.playouts, "playout"),
        counted(report.seconds.round(), "second")
    )));
    let timed = match report.digest.not_reproducible {
        0 => String::new(),
        games => format!(", {games} of them under a wall-clock limit or by other programs, and not reproducible"),
    };
    blocks.push(Block::Line(format!("digest {}", report.digest.digest)));
    blocks.push(Block::Paragraph(format!("over {}{timed}", counted(report.digest.games, "game"))));
    blocks
}

/// The fixed opponents of a gauntlet against each contestant, and the comparison of contestants with one another.
fn contestants(gauntlet: &Gauntlet, report: &Report, width: Width) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !gauntlet.contestants.is_empty() {
        blocks.push(Block::Table(typed::contestants(gauntlet, report), width));
    }
    if gauntlet.has_tests() {
        blocks.extend(clearest(typed::compared(gauntlet), width));
    }
    blocks
}

/// The rows of the smallest p-values, and how many more there are.
fn clearest(table: Table, width: Width) -> Vec<Block> {
    let file = table.rest;
    let (table, left_out) = table.clearest(if width == Width::Full { PAIRS } else { FEW_PAIRS });
    let mut blocks = vec![Block::Table(table, width)];
    if left_out > 0 {
        blocks.push(Block::Paragraph(format!("… and {left_out} more {} in {file}", noun_of(left_out, "pair"))));
    }
    blocks
}

/// Games won in each match; none in a league of many players, and with another number of seats than two.
fn cross_table(report: &Report) -> Option<Table> {
    (report.ranking.len() <= CROSS_TABLE && report.game_seats == 2).then(|| typed::cross_table(report))
}

fn printed(paper: &PrintedComparison, width: Width) -> Vec<Block> {
    let tables = [
        typed::points(paper),
        typed::pd(paper),
        typed::of_matches(paper),
        typed::means(paper),
        typed::printed_pairs(paper),
        typed::pair_means(paper),
    ];
    let shown = tables.into_iter().filter(|table| !table.is_empty());
    let said = |table: Table| {
        let caption = Block::Paragraph(table.caption.clone());
        [Block::Table(table, width), caption]
    };
    shown.flat_map(said).chain(captions::correlations(paper).map(Block::Paragraph)).collect()
}

/// The games lost by faults, player by player, before the games that failed.
fn failures(report: &Report) -> Vec<Block> {
    let fault = |row: &FaultRow| {
        let FaultRow { player, games, faults, .. } = row;
        Block::Line(format!("{player} lost {faults} of {} by faults: {}", counted(*games, "game"), row.words()))
    };
    let faults = report.faults.iter().map(fault);
    let mut blocks: Vec<Block> =
        (!report.faults.is_empty()).then(|| Block::Line(String::new())).into_iter().chain(faults).collect();
    blocks.extend(failed_games(report));
    blocks
}

fn failed_games(report: &Report) -> Vec<Block> {
    if report.failures.is_empty() {
        return Vec::new();
    }
    let count = report.failures.len();
    let mut blocks = vec![Block::Line(String::new()), Block::Line(format!("{} failed", counted(count, "game")))];
    for failure in report.failures.iter().take(20) {
        let players = failure.players.join(" - ");
        blocks.push(Block::Line(format!("game {} ({players}): {}: {}", failure.game, failure.ended, failure.message)));
        blocks.push(Block::Line(format!("  repeat: {}", failure.repeat)));
    }
    if count > 20 {
        blocks.push(Block::Line(format!("… and {} more in report.json", count - 20)));
    }
    blocks
}
