//! The report as a command prints it: the headline, then the tables.
//!
//! By default the tables fit a terminal of 80 columns if names are short. Tests and measures that few readers need are in the full form.

use super::block::{Block, Format, TextTable, print};
use super::cell::{
    COST, columns, cost, cost_phrase, difference, marked_p, p_value, plus_minus, rating, signed, test_columns,
};
use super::printed::Cells;
use crate::tables::captions;
use crate::tables::faults::FaultRow;
use crate::tables::gauntlet::{ContestantPair, FixedOpponent, Gauntlet};
use crate::tables::grouped::grouped;
use crate::tables::matches::RankingRow;
use crate::tables::pairs::PairRow;
use crate::tables::paper::PrintedComparison;
use crate::tables::report::Report;
use crate::tables::sweep::Sweep;
use evouct_base::plural::{counted, noun_of};

const CELLS: Cells = Cells::Text;
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
    match &report.gauntlet {
        Some(gauntlet) => blocks.extend(contestants(gauntlet, all)),
        None => blocks.push(Block::Table(ranking(report, all))),
    }
    if !report.point.is_empty() {
        blocks.push(Block::Paragraph(format!("A difference of 1 is {}.", report.point)));
    }
    if report.gauntlet.is_none() {
        blocks.extend(cross_table(report).filter(|table| table.fits(format.width()) || all).map(Block::Table));
    }
    // In a gauntlet the table of contestants has these differences already, of several fixed opponents their means.
    let whole = report.gauntlet.is_none() || all;
    let has_several = report.several().is_some();
    blocks.extend(differences(report, all).into_iter().filter(|_| whole || has_several));
    blocks.extend(captions::exact(report).map(Block::Paragraph));
    blocks.extend(report.sweeps.iter().map(sweep).map(Block::Table));
    if all {
        blocks.push(Block::Table(effects(report, format)));
        blocks.extend(captions::approximate(report).map(Block::Paragraph));
    }
    blocks.extend(Some(Block::Table(ratings(report))).filter(|_| whole));
    if let Some(warning) = captions::cycle(report) {
        blocks.push(Block::Paragraph(format!("warning: {warning}")));
    }
    if let Some(test) = &report.sequential {
        blocks.extend([Block::Line(String::new()), Block::Paragraph(captions::sequential(test))]);
    }
    if all {
        blocks.push(Block::Table(seats(report)));
        blocks.extend(captions::unused(report).map(Block::Paragraph));
    }
    if !report.evolution.is_empty() {
        blocks.push(Block::Table(evolution(report, all)));
        blocks.push(Block::Table(orders(report)));
    }
    if let Some(paper) = &report.paper {
        blocks.extend(printed(paper, all));
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

fn ranking(report: &Report, all: bool) -> TextTable {
    let place = |row: &RankingRow| row.rank.map_or("-".to_owned(), |rank| rank.to_string());
    let chosen = captions::chosen(report);
    let won = |row: &RankingRow| row.won_of().map(|count| count.to_string()).join(" of ");
    if !all {
        let buchholz: &[&str] = if report.rounds.is_some() { &["Buchholz"] } else { &[] };
        let header = [&["", "player", "points"], buchholz, &["won", "difference"], &COST[..]].concat();
        let points = match report.game_seats {
            2 if report.is_of_neighbours() => {
                "4 points per match won, 2 per match drawn, and bonus, against the neighbours in the file only"
            }
            2 if report.rounds.is_some() => {
                "4 points per match won, 2 per match drawn, and bonus; Buchholz: points of all opponents"
            }
            2 => "4 points per match won, 2 per match drawn, and bonus",
            _ => "2 points per player beaten in a game or on a deck, 1 per tie",
        };
        let title = format!(
            "Ranking ({points}; ± is 95 %{chosen}; playouts and time per decision; deck: whether search sees what is to come)"
        );
        let mut table = TextTable::new(title, &header, 2, &[1]);
        for row in &report.ranking {
            let cells = [place(row), row.player.clone(), row.standing.points.to_string()];
            let cells = cells.into_iter().chain(row.buchholz.map(|points| points.to_string()));
            let cells = cells.chain([won(row), plus_minus(&row.difference, true)]);
            table.row(cells.chain(cost(&row.cost)));
        }
        return table;
    }
    let header = ["", "player", "points", "bwp", "blp", "W", "L", "D", "PD", "games won", "score", "difference"];
    let mut header = [&header[..], &COST[..]].concat();
    if report.rounds.is_some() {
        header.insert(3, "Buchholz");
    }
    let points = match report.game_seats {
        2 => "4 per match won, 2 per match drawn, bonus for clear wins and narrow losses",
        _ => "2 per player beaten in a game or on a deck, 1 per tie",
    };
    let title = format!(
        "Ranking (points: {points}; ± is 95 % over decks{chosen}; playouts and time per decision; deck: whether search sees what is to come)"
    );
    let mut table = TextTable::new(title, &header, 2, &[1]);
    for row in &report.ranking {
        let counts = row.standing.counts().map(|count| count.to_string());
        let mut cells = [vec![place(row), row.player.clone()], counts.to_vec()].concat();
        row.buchholz.iter().for_each(|points| cells.insert(3, points.to_string()));
        let rest =
            [signed(row.standing.pd), won(row), plus_minus(&row.score, false), plus_minus(&row.difference, true)];
        table.row(cells.into_iter().chain(rest).chain(cost(&row.cost)));
    }
    table
}

/// The fixed opponents of a gauntlet against each contestant, and the comparison of contestants with one another.
fn contestants(gauntlet: &Gauntlet, all: bool) -> Vec<Block> {
    let named = |row: &FixedOpponent| format!("{} ({})", row.opponent, cost_phrase(&row.cost));
    let names = gauntlet.opponents.iter().map(named).collect::<Vec<_>>().join(", ");
    let (who, won, score) = match gauntlet.has_several() {
        true => (format!("The fixed opponents {names}"), "they", "their mean score"),
        false => (names, gauntlet.opponent(), "its score"),
    };
    let title = format!(
        "{who} against each contestant, the best one first: games that {won} won, {score} less the contestant's (± is 95 %)"
    );
    let header = [&["", "contestant", "won", "difference", "Holm p"], &COST[..]].concat();
    let mut ranked = TextTable::new(title, &header, 2, &[1]);
    for row in &gauntlet.contestants {
        let (won, difference) = row.of_opponent();
        let cells = [
            row.rank.to_string(),
            row.player.clone(),
            format!("{won} of {}", row.games),
            plus_minus(&difference, true),
            row.holm.map_or("-".to_owned(), p_value),
        ];
        ranked.tested_row(cells.into_iter().chain(cost(&row.cost)), Some(difference.mean), row.holm);
    }
    let title = format!(
        "{} deck by deck (a is ahead: {} of a from {} less that of b; Holm over {})",
        captions::compared_contestants(gauntlet),
        captions::difference_from(gauntlet),
        gauntlet.opponent(),
        counted(gauntlet.family, "pair")
    );
    let mut compared = TextTable::new(title, &["a", "b", "decks", "difference", "Holm p"], 2, &[0, 1]);
    let rows: Vec<_> = gauntlet.comparisons.iter().filter(|row| row.units > 0).collect();
    let (rows, left_out) = clearest(rows, if all { PAIRS } else { FEW_PAIRS }, |row| row.holm);
    for row in rows.into_iter().map(ContestantPair::stronger_first) {
        let paired = row.paired.as_ref().ok();
        let cells = [
            row.a.clone(),
            row.b.clone(),
            row.units.to_string(),
            paired.map_or("-".to_owned(), difference),
            row.holm.map_or("-".to_owned(), p_value),
        ];
        compared.tested_row(cells, paired.map(|test| test.difference), row.holm);
    }
    let mut blocks = Vec::new();
    if !gauntlet.contestants.is_empty() {
        blocks.push(Block::Table(ranked));
    }
    if gauntlet.has_tests() {
        blocks.push(Block::Table(compared));
        blocks.extend(more(left_out, "contestants.csv"));
    }
    blocks
}

fn more(left_out: usize, file: &str) -> Option<Block> {
    (left_out > 0).then(|| Block::Paragraph(format!("… and {left_out} more {} in {file}", noun_of(left_out, "pair"))))
}

/// Games won in each match; none in a league of many players, and with another number of seats than two.
fn cross_table(report: &Report) -> Option<TextTable> {
    if report.ranking.len() > CROSS_TABLE || report.game_seats != 2 {
        return None;
    }
    let numbers: Vec<String> = (1..=report.ranking.len()).map(|number| format!("({number})")).collect();
    let mut header = vec!["", ""];
    header.extend(numbers.iter().map(String::as_str));
    let title = "Games won by the row as player 1 - by the column as player 2";
    let mut table = TextTable::new(title, &header, 2, &[1]);
    for (number, home) in numbers.iter().zip(&report.ranking) {
        let cell = |away: &RankingRow| {
            let found = report.matches.iter().find(|row| row.home == home.player && row.away == away.player);
            found.map_or("-".to_owned(), |row| format!("{}-{}", row.home_wins, row.away_wins))
        };
        let row = [number.clone(), home.player.clone()];
        table.row(row.into_iter().chain(report.ranking.iter().map(cell)));
    }
    Some(table)
}

/// The column of a test for a fixed number of decks in the table of all numbers of a difference.
const FIXED: [usize; 1] = [7];

fn differences(report: &Report, all: bool) -> Vec<Block> {
    let title = format!(
        "Differences between players ({}score of a less score of b; Holm over {}{})",
        if report.gauntlet.is_some() { "" } else { "a is ahead: " },
        counted(captions::tested_pairs(report), "pair"),
        if all { "" } else { "; won: share of games, a draw counts half" }
    );
    let (rows, left_out) = clearest(report.shown_pairs(), if all { PAIRS } else { FEW_PAIRS }, paired_p);
    let short = ["a", "b", report.unit(), "difference", "Holm p", "won"];
    let long = ["a", "b", report.unit(), "difference", "95 % interval", "paired p", "Holm p", "Welch p"];
    let long = test_columns(report, long, &FIXED);
    let mut table = TextTable::new(title, if all { &long } else { &short }, 2, &[0, 1]);
    for row in rows {
        let paired = row.paired.as_ref().ok();
        let interval = paired.and_then(|test| test.interval);
        let or_dash = |value: Option<f64>| value.map_or("-".to_owned(), p_value);
        let key = [row.a.clone(), row.b.clone(), row.units_of_all()];
        let rest = if all {
            vec![
                paired.map_or("-".to_owned(), |test| signed(test.difference)),
                interval.map_or("-".to_owned(), |interval| format!("{:+.2} … {:+.2}", interval.low, interval.high)),
                or_dash(paired.map(|test| test.p)),
                or_dash(row.holm),
                or_dash(row.welch.as_ref().ok().map(|test| test.p)),
            ]
        } else {
            vec![
                paired.map_or("-".to_owned(), difference),
                or_dash(row.holm),
                row.win_rate.map_or("-".to_owned(), |rate| format!("{:.0} %", 100.0 * rate.rate)),
            ]
        };
        let cells = key.into_iter().chain(rest);
        let cells = if all { test_columns(report, cells, &FIXED) } else { cells.collect() };
        table.tested_row(cells, paired.map(|test| test.difference), row.holm);
    }
    std::iter::once(Block::Table(table)).chain(more(left_out, "significance.csv")).collect()
}

/// The rows of the smallest p-values, at most `most` of them in the order that they have, and the number left out.
fn clearest<R>(rows: Vec<R>, most: usize, p: impl Fn(&R) -> Option<f64>) -> (Vec<R>, usize) {
    let left_out = rows.len().saturating_sub(most);
    let mut places: Vec<(usize, R)> = rows.into_iter().enumerate().collect();
    places.sort_by(|(_, a), (_, b)| p(a).unwrap_or(2.0).total_cmp(&p(b).unwrap_or(2.0)));
    places.truncate(most);
    places.sort_by_key(|(place, _)| *place);
    (places.into_iter().map(|(_, row)| row).collect(), left_out)
}

fn paired_p(row: &PairRow) -> Option<f64> {
    row.paired.as_ref().ok().map(|test| test.p)
}

fn sweep(sweep: &Sweep) -> TextTable {
    let mut table = TextTable::new(captions::sweep(sweep), &["player", sweep.parameter, "difference"], 1, &[0]);
    for (point, difference) in sweep.shown() {
        table.row([point.player.clone(), point.value.to_string(), plus_minus(&difference, true)]);
    }
    table
}

fn effects(report: &Report, format: Format) -> TextTable {
    let title = "Effect sizes (win rate counts a draw half; A12: probability that a scores more)";
    let header =
        ["a", "b", "won-drawn-lost", "win rate", "95 % interval", "A12", "d", "d_z", "Wilcoxon p", "Wilcoxon exact"];
    // A program reads a column where people read a mark.
    let shown = if format == Format::Csv { 10 } else { 9 };
    let fixed = [4, 8, 9];
    let mut table = TextTable::new(title, &columns(report, header[..shown].iter().copied(), &fixed), 2, &[0, 1]);
    let or_dash = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    for row in clearest(report.shown_pairs(), PAIRS, paired_p).0 {
        let interval = row.win_rate.and_then(|rate| rate.interval);
        let cells = [
            row.a.clone(),
            row.b.clone(),
            format!("{}-{}-{}", row.games[0], row.games[2], row.games[1]),
            or_dash(row.win_rate.map(|rate| rate.rate)),
            interval.map_or("-".to_owned(), |ends| format!("{:.2} … {:.2}", ends.low, ends.high)),
            or_dash(row.a12.as_ref().ok().copied()),
            or_dash(row.cohen_d.as_ref().ok().copied()),
            or_dash(row.cohen_dz.as_ref().ok().copied()),
            row.wilcoxon.as_ref().map_or("-".to_owned(), |test| marked_p(test.p, test.exact || format == Format::Csv)),
            row.wilcoxon.as_ref().map_or("-".to_owned(), |test| test.exact.to_string()),
        ];
        table.row(columns(report, cells.into_iter().take(shown), &fixed));
    }
    table
}

fn ratings(report: &Report) -> TextTable {
    let title =
        "Ratings (Bradley-Terry, Elo scale; intervals need five decks, and a player with both won and lost games)";
    let header = [&["player", "Elo", "95 % interval"], &COST[..]].concat();
    let mut table = TextTable::new(title, &header, 1, &[0]);
    for row in &report.ratings.rows {
        let interval = row.interval.map_or("-".to_owned(), |ends| format!("{:+.0} … {:+.0}", ends.low, ends.high));
        let ranked = report.ranking.iter().find(|ranked| ranked.player == row.player);
        let costs = ranked.map_or_else(|| COST.map(|_| "-".to_owned()), |ranked| cost(&ranked.cost));
        table.row([row.player.clone(), rating(row.elo), interval].into_iter().chain(costs));
    }
    table
}

fn seats(report: &Report) -> TextTable {
    let columns: Vec<(&str, &str)> =
        report.measures.iter().filter_map(|measure| Some((measure.name, measure.heading?))).collect();
    let mut header = vec!["player", "seat"];
    header.extend(columns.iter().map(|(_, heading)| *heading));
    let mut table = TextTable::new("Players by seat (means per game)", &header, 1, &[0]);
    for row in &report.seats {
        let mean = |(name, _): &(&str, &str)| match (row.means.get(*name), *name) {
            (Some(statistic), "score") => plus_minus(statistic, false),
            (Some(statistic), "difference") => plus_minus(statistic, true),
            (Some(statistic), _) => format!("{:.2}", statistic.mean),
            (None, _) => "-".to_owned(),
        };
        table.row([row.player.clone(), row.seat.to_string()].into_iter().chain(columns.iter().map(mean)));
    }
    table
}

fn evolution(report: &Report, all: bool) -> TextTable {
    let short = ["player", "decisions", "nodes", "depth", "gain", "new parent", "ties"];
    let long = [&short[..], &["in range", "by semantics"]].concat();
    let title = "Evolution (means per decision; shares of generations)";
    let mut table = TextTable::new(title, if all { &long } else { &short }, 1, &[0]);
    for row in &report.evolution {
        let mean = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
        let share = |count: u64| format!("{:.2} %", 100.0 * count as f64 / row.generations.max(1) as f64);
        let cells = [
            row.player.clone(),
            row.decisions.to_string(),
            mean(row.nodes),
            mean(row.depth),
            mean(row.gain),
            share(row.replaced),
            share(row.ties),
        ];
        let rare = [row.in_range, row.by_semantics].map(share);
        table.row(cells.into_iter().chain(rare.into_iter().filter(|_| all)));
    }
    table
}

fn orders(report: &Report) -> TextTable {
    let title = "Evolved formulas by the order that they induce on the children of a node";
    let header = ["player", "order", "shortest formula", "formulas", "share"];
    let mut table = TextTable::new(title, &header, 3, &[0, 2]);
    for row in &report.orders {
        let share = format!("{:.1} %", 100.0 * row.count as f64 / row.of.max(1) as f64);
        let cells = [row.player.clone(), row.order.to_owned(), row.formula.clone()];
        table.row(cells.into_iter().chain([row.formulas.to_string(), share]));
    }
    table
}

fn printed(paper: &PrintedComparison, all: bool) -> Vec<Block> {
    let mut blocks = Vec::new();
    let title = match (&paper.source, &paper.table) {
        (Some(source), Some(table)) => format!("{source}, table {table}"),
        (Some(source), None) => source.clone(),
        (None, Some(table)) => format!("table {table}"),
        (None, None) => "the paper".to_owned(),
    };
    if !paper.ranking.is_empty() {
        let heading = format!(
            "Points printed in {title}, and here{}",
            if all { " (95 %: points of leagues of that size drawn from our games)" } else { "" }
        );
        let mut header = vec!["player", "rank", "here", "points", "here", "95 %", "p", "verdict"];
        header.retain(|column| all || *column != "95 %");
        let mut points = TextTable::new(heading, &header, 1, &[0]);
        let heading = format!("PD printed in {title}, and here");
        let mut pd = TextTable::new(heading, &["player", "PD", "here", "p", "verdict"], 1, &[0]);
        for row in &paper.ranking {
            let cells = CELLS.points(row).into_iter().enumerate();
            points.row(cells.filter(|(column, _)| all || *column != 5).map(|(_, cell)| cell));
            pd.row([row.player.clone()].into_iter().chain(CELLS.differences(row)));
        }
        blocks.extend([
            Block::Table(points),
            Block::Paragraph(captions::verdicts("points", &paper.ranking_verdicts)),
            Block::Table(pd),
            Block::Paragraph(captions::verdicts("PD", &paper.pd_verdicts)),
        ]);
    }
    if !paper.matches.is_empty() {
        let heading = format!("Matches printed in {title}, and here (games won by player 1 - by player 2)");
        let mut header = vec!["player 1", "player 2", "printed", "of", "here", "of", "share", "p", "verdict"];
        header.retain(|column| all || *column != "share");
        let mut table = TextTable::new(heading, &header, 2, &[0, 1]);
        for row in &paper.matches {
            let cells = CELLS.game_counts(row).into_iter().enumerate();
            table.row(cells.filter(|(column, _)| all || *column != 6).map(|(_, cell)| cell));
        }
        let verdicts = captions::verdicts("matches", &paper.match_verdicts);
        blocks.extend([Block::Table(table), Block::Paragraph(verdicts)]);
    }
    if !paper.seats.is_empty() {
        let heading = format!("Means printed in {title}, and here");
        let header = ["player", "seat", "what", "printed", "of", "here", "of", "p", "verdict"];
        let mut table = TextTable::new(heading, &header, 3, &[0]);
        paper.seats.iter().for_each(|row| table.row(CELLS.seat_mean(row)));
        let verdicts = captions::verdicts("means", &paper.seat_verdicts);
        blocks.extend([Block::Table(table), Block::Paragraph(verdicts)]);
    }
    blocks.extend(printed_pairs(paper, &title));
    blocks.extend(captions::correlations(paper).map(Block::Paragraph));
    blocks
}

/// Printed pairs of players and their means.
fn printed_pairs(paper: &PrintedComparison, title: &str) -> Vec<Block> {
    if paper.pairs.is_empty() {
        return Vec::new();
    }
    let heading =
        format!("Both seats together, printed in {title}, and here (won - drawn - lost; scoring rate ± is 90 %)");
    let header = ["player", "against", "printed", "rate", "here", "rate", "p", "verdict"];
    let mut table = TextTable::new(heading, &header, 2, &[0, 1]);
    let heading = format!("Means of both seats together, printed in {title}, and here");
    let header = ["player", "against", "what", "printed", "here", "p", "verdict"];
    let mut means = TextTable::new(heading, &header, 3, &[0, 1]);
    for row in &paper.pairs {
        table.row(CELLS.pair(row));
        row.means.iter().for_each(|mean| means.row(CELLS.pair_mean(mean)));
    }
    let verdicts = captions::verdicts("pairs", &paper.pair_verdicts);
    let mean_verdicts = captions::verdicts("mean points", &paper.pair_point_verdicts);
    let mut blocks = vec![Block::Table(table), Block::Paragraph(verdicts)];
    if paper.pairs.iter().any(|row| !row.means.is_empty()) {
        blocks.extend([Block::Table(means), Block::Paragraph(mean_verdicts)]);
    }
    blocks
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
