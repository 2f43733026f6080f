//! Printed numbers of several runs beside ours, in Markdown.

use crate::tables::captions;
use crate::tables::paper::PrintedComparison;
use crate::tables::report::Report;
use crate::tables::typed;
use crate::tables::verdicts::Verdicts;
use evouct_base::escape::plain_markdown;
use evouct_base::named::Named;
use evouct_base::plural::noun_of;
use evouct_base::table::{Cell, PRINTED, Table, TypedColumn, Width};
use evouct_league::config::{Claim, Reading, Readings, Verdict};

/// Every printed number of the reports beside ours, with the interval, the p-value of the difference and a verdict,
/// under tables that count verdicts by run. `runs` are names and reports; those that print nothing are left out. With
/// `readings` the headline counts each printed number once, by the run declared for its table, the other runs stand
/// below, and then the claims outside the tables.
///
/// # Errors
/// A reading of a run that is not given or that prints another table, or a printed table without a reading.
pub fn verdicts(runs: &[(String, Report)], readings: Option<&Readings>) -> Result<String, String> {
    let printed: Vec<Printed> =
        runs.iter().filter_map(|(name, report)| Some((name, report, report.paper.as_ref()?))).collect();
    let mut text = match readings {
        None => all_runs(&printed),
        Some(readings) => headline(&printed, &readings.tables)? + &claims(&readings.claims),
    };
    for (name, report, paper) in &printed {
        text.push_str(&format!(
            "\n## {}\n\n{}: {} {}, preset `{}`, seed {}, digest `{}`.\n",
            plain_markdown(name),
            plain_markdown(&place(paper)),
            RunRow::of((name, report, paper), "").games.text(&PRINTED),
            noun_of(report.scheduled, "game"),
            report.preset,
            report.seed,
            report.digest.digest
        ));
        if let Some(correlations) = captions::correlations(paper) {
            text.push_str(&format!("{correlations}\n"));
        }
        text.push_str(&comparison(paper));
    }
    Ok(text)
}

/// The verdicts on all printed numbers of a run.
fn of_run(paper: &PrintedComparison) -> Verdicts {
    let mut all = Verdicts::default();
    let parts = [
        paper.ranking_verdicts,
        paper.pd_verdicts,
        paper.match_verdicts,
        paper.seat_verdicts,
        paper.pair_verdicts,
        paper.pair_point_verdicts,
    ];
    parts.into_iter().for_each(|part| all += part);
    all
}

/// A run with printed numbers.
type Printed<'a> = (&'a String, &'a Report, &'a PrintedComparison);

/// A row of a table of runs: a run with its reading, or all of them.
struct RunRow<'a> {
    run: Option<Printed<'a>>,
    reading: &'a str,
    games: Cell,
    verdicts: Verdicts,
}

impl<'a> RunRow<'a> {
    fn of(run: Printed<'a>, reading: &'a str) -> RunRow<'a> {
        let (_, report, paper) = run;
        let games = match report.scheduled > report.finished {
            true => Cell::Of(report.finished, report.scheduled),
            false => Cell::Count(report.finished),
        };
        RunRow { run: Some(run), reading, games, verdicts: of_run(paper) }
    }

    fn all(rows: &[RunRow]) -> RunRow<'static> {
        let runs = rows.iter().filter_map(|row| row.run);
        let games = Cell::Count(runs.map(|(_, report, _)| report.finished).sum());
        let mut verdicts = Verdicts::default();
        rows.iter().for_each(|row| verdicts += row.verdicts);
        RunRow { run: None, reading: "", games, verdicts }
    }
}

/// Runs with their verdicts, beside the readings that they are of if there are some.
fn runs(rows: Vec<RunRow>, has_readings: bool) -> String {
    let place = |row: &RunRow| row.run.map_or(Cell::word(""), |(_, _, paper)| Cell::name(place(paper)));
    let run = |row: &RunRow| row.run.map_or(Cell::word(""), |(name, ..)| Cell::name(name));
    let or_all = |row: &RunRow, cell: Cell| if row.run.is_none() { Cell::Strong("all") } else { cell };
    let table = Table::of("runs", "Runs", rows);
    let table = if has_readings {
        table
            .shown(Width::Narrow, "printed", "printed as", |row| or_all(row, place(row)))
            .shown(Width::Narrow, "reading", "reading", |row| Cell::name(row.reading))
            .shown(Width::Narrow, "run", "run", run)
    } else {
        table.shown(Width::Narrow, "run", "run", |row| or_all(row, run(row))).shown(
            Width::Narrow,
            "printed",
            "printed as",
            place,
        )
    };
    let count = Cell::count;
    let table = table
        .shown(Width::Narrow, "preset", "preset", |row| {
            row.run.map_or(Cell::word(""), |(_, report, _)| Cell::word(report.preset.clone()))
        })
        .shown(Width::Narrow, "games", "games", |row| row.games.clone())
        .shown(Width::Narrow, "agree", "agree", |row| count(row.verdicts.agree))
        .shown(Width::Narrow, "differ", "differ", |row| count(row.verdicts.differ))
        .shown(Width::Narrow, "by-holm", "by Holm, table by table", |row| count(row.verdicts.differ_by_holm))
        .shown(Width::Narrow, "not-compared", "cannot be compared", |row| count(row.verdicts.not_compared));
    markdown(&table.table(), Width::Full)
}

/// Verdicts by run and in all.
fn all_runs(printed: &[Printed]) -> String {
    let mut rows: Vec<RunRow> = printed.iter().map(|run| RunRow::of(*run, "")).collect();
    rows.push(RunRow::all(&rows));
    runs(rows, false)
}

/// Each printed number once, by the declared readings; then the other runs, which are not added up.
fn headline(printed: &[Printed], readings: &[Reading]) -> Result<String, String> {
    let mut rows = Vec::new();
    for Reading { printed: wanted, run, reading } in readings {
        let Some(found) = printed.iter().find(|(name, ..)| *name == run) else {
            return Err(format!("the reading of {wanted:?} is the run {run:?}, which is not given or prints nothing"));
        };
        if place(found.2) != *wanted {
            return Err(format!("the reading of {wanted:?} is the run {run:?}, which prints {:?}", place(found.2)));
        }
        rows.push(RunRow::of(*found, reading));
    }
    rows.push(RunRow::all(&rows));
    if let Some((name, _, paper)) =
        printed.iter().find(|(.., paper)| !readings.iter().any(|reading| reading.printed == place(paper)))
    {
        return Err(format!("{name} prints {:?}, for which no reading is declared", place(paper)));
    }
    let is_other = |(name, ..): &&Printed| !readings.iter().any(|reading| reading.run == **name);
    let others: Vec<RunRow> = printed.iter().filter(is_other).map(|run| RunRow::of(*run, "")).collect();
    let others = match others.is_empty() {
        true => String::new(),
        false => format!("\nOther runs of the same tables:\n\n{}", runs(others, false)),
    };
    Ok(runs(rows, true) + &others)
}

/// Claims outside the tables with what was found here.
fn claims(claims: &[Claim]) -> String {
    if claims.is_empty() {
        return String::new();
    }
    let table = Table::of("claims", "Claims", claims)
        .shown(Width::Narrow, "claim", "claim", |claim| Cell::name(&claim.says))
        .shown(Width::Narrow, "printed", "printed in", |claim| Cell::name(&claim.printed))
        .shown(Width::Narrow, "here", "here", |claim| Cell::name(&claim.here))
        .shown(Width::Narrow, "command", "command", |claim| claim.command.clone().map_or(Cell::word(""), Cell::Code))
        .shown(Width::Narrow, "verdict", "verdict", |claim| typed::verdict(claim.verdict));
    let count = |(name, verdict): &(&str, Verdict)| {
        format!("{name}: {}", claims.iter().filter(|claim| claim.verdict == *verdict).count())
    };
    let counts: Vec<String> = Verdict::NAMES.iter().map(count).collect();
    format!("\nClaims outside the tables ({}):\n\n{}", counts.join(", "), markdown(&table.table(), Width::Full))
}

fn comparison(paper: &PrintedComparison) -> String {
    let tables = [
        typed::printed_ranking(paper),
        typed::of_matches(paper),
        typed::means(paper),
        typed::printed_pairs(paper),
        typed::pair_means(paper),
    ];
    tables.iter().filter(|table| !table.is_empty()).map(|table| format!("\n{}", markdown(table, Width::Full))).collect()
}

/// A table, without its title.
pub(super) fn markdown(table: &Table, width: Width) -> String {
    let columns: Vec<&TypedColumn> = table.shown(width).collect();
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let rules: Vec<&str> = columns.iter().map(|column| if column.is_numeric() { "---:" } else { "---" }).collect();
    let mut text = line(columns.iter().map(|column| plain_markdown(&column.heading)).collect());
    text.push_str(&format!("|{}|\n", rules.join("|")));
    for row in 0..table.len() {
        text.push_str(&line(columns.iter().map(|column| cell(&column.cells[row])).collect()));
    }
    text
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Strong(word) => format!("**{word}**"),
        Cell::Code(text) => format!("`{text}`"),
        Cell::Name(_) | Cell::Word(_) | Cell::Formula(_) => plain_markdown(&cell.text(&PRINTED)),
        number => number.text(&PRINTED),
    }
}

fn place(paper: &PrintedComparison) -> String {
    let table = paper.table.as_ref().map(|table| format!("table {table}"));
    [paper.source.clone(), table].into_iter().flatten().collect::<Vec<_>>().join(", ")
}
