//! Runs beside the first of them.

use super::tested;
use crate::tables::changes::{self, AcrossRuns, Change};
use crate::tables::compare::{BesideFirst, SideBySide};
use crate::tables::matches::RankingRow;
use evouct_base::table::{Cell, Digits, Table, Width};
use evouct_stats::t_test::TTest;

/// Where the rows of a long table are: what prints it writes no files.
const REST: &str = "evouct compare --json";

/// The runs.
pub(crate) fn runs(compared: &BesideFirst) -> Table {
    let first = compared.runs.first().map(|run| (1, run, 0));
    let rows = first.into_iter().chain((2..).zip(&compared.runs).map(|(number, run)| (number, run, 1)));
    Table::of("runs", "Runs", rows)
        .shown(Width::Narrow, "run", "run", |(number, ..): &(usize, &SideBySide, usize)| Cell::count(*number))
        .shown(Width::Narrow, "experiment", "experiment", |(_, run, side)| Cell::name(&run.names[*side]))
        .shown(Width::Brief, "preset", "preset", |(_, run, side)| Cell::name(&run.presets[*side]))
        .shown(Width::Brief, "digest", "digest", |(_, run, side)| Cell::word(run.digests[*side].clone()))
        .shown(Width::Brief, "seed", "seed", |(_, run, side)| Cell::Count(run.seeds[*side]))
        .shown(Width::Narrow, "games", "games", |(_, run, side)| Cell::Count(run.games[*side]))
        .table()
        .explained("", REST)
}

/// A player in a run.
struct InRun<'a> {
    name: &'a str,
    run: usize,
    row: &'a RankingRow,
    change: Option<TTest>,
    p_holm: Option<f64>,
}

/// The players of the first run in each run.
pub(crate) fn changes(compared: &BesideFirst) -> Table {
    let mut rows = Vec::new();
    for AcrossRuns { name, first, changes } in changes::players(compared) {
        rows.push(InRun { name, run: 1, row: first, change: None, p_holm: None });
        rows.extend(changes.into_iter().map(|Change { run, player, p_holm }| InRun {
            name,
            run,
            row: &player.rows[1],
            change: player.change,
            p_holm,
        }));
    }
    Table::of("changes", "Players of the first run", rows)
        .shown(Width::Narrow, "player", "player", |row| Cell::name(row.name))
        .shown(Width::Narrow, "run", "run", |row| Cell::count(row.run))
        .shown(Width::Narrow, "points", "points", |row| Cell::Count(row.row.standing.points))
        .shown(Width::Narrow, "difference", "difference", |row| row.row.difference.cell(Digits::SIGNED))
        .shown(Width::Narrow, "change", "change", |row| tested(row.change.as_ref()))
        .shown(Width::Brief, "p", "p", |row| Cell::p(row.change.map(|test| test.p)))
        .shown(Width::Narrow, "holm_p", "p Holm", |row| Cell::corrected_p(row.p_holm))
        .shown(Width::Full, "rank", "rank", |row| Cell::maybe(row.row.rank, Cell::count))
        .table()
        .noted("difference: score less the opponent's, ± 95 %")
        .explained(format!("Players of the first run that other runs have. {}.", changes::explained(compared)), REST)
}

/// The matches of the first run and another one.
pub(crate) fn matches(run: &SideBySide, number: usize) -> Table {
    Table::of("matches", format!("Matches of run 1 and run {number}"), &run.matches)
        .shown(Width::Narrow, "player-1", "player 1", |pair| Cell::name(&pair.rows[0].home))
        .shown(Width::Narrow, "player-2", "player 2", |pair| Cell::name(&pair.rows[0].away))
        .shown(Width::Narrow, "first", "first run", |pair| pair.rows[0].won())
        .shown(Width::Narrow, "this", "this run", |pair| pair.rows[1].won())
        .shown(Width::Narrow, "p", "p", |pair| Cell::p(pair.p))
        .table()
        .noted("games won by player 1 - by player 2")
        .explained(format!("Games won by player 1 – by player 2. {}.", changes::MATCHES), REST)
}
