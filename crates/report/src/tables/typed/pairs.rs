//! Pairs of players: the tests of their differences, and how large these are.

use super::{ends, tested};
use crate::tables::captions;
use crate::tables::faults::lost_on_time;
use crate::tables::pairs::PairRow;
use crate::tables::report::Report;
use evouct_base::plural::counted;
use evouct_base::table::{Cell, Digits, Table, Width};
use evouct_stats::t_test::TTest;

/// The place of a column for a number of decks that is fixed in advance: a league that tests at looks has nothing there.
fn of_fixed(report: &Report) -> Width {
    if report.looks.is_some() { Width::File } else { Width::Full }
}

/// A number of a test that may not exist.
fn of<E>(test: &Result<TTest, E>, value: impl Fn(&TTest) -> Option<f64>) -> Cell {
    Cell::number(test.as_ref().ok().and_then(value), Digits::SCORE)
}

/// The tests of differences.
pub(crate) fn differences(report: &Report, rows: &[PairRow]) -> Table {
    let fixed = of_fixed(report);
    let paired_p = |row: &&PairRow| Cell::p(row.paired.as_ref().ok().map(|test| test.p));
    let welch_p = |row: &&PairRow| Cell::p(row.welch.as_ref().ok().map(|test| test.p));
    let caption = [Some(captions::significance(report)), captions::exact(report), captions::approximate(report)];
    let caption = caption.into_iter().flatten().collect::<Vec<_>>().join(" ") + lost_on_time(report.lost_on_time);
    Table::of("significance", "Differences between players", rows)
        .column(Width::Narrow, "a", "a", |row| Cell::name(&row.a))
        .column(Width::Narrow, "b", "b", |row| Cell::name(&row.b))
        .file("welch_t", |row| of(&row.welch, |test| test.t))
        .file("welch_df", |row| of(&row.welch, |test| test.df))
        .file("welch_p", welch_p)
        .file("welch_difference", |row| of(&row.welch, |test| Some(test.difference)))
        .column(Width::Brief, "units", report.unit(), |row| match row.repeats {
            0 => Cell::Count(row.units),
            repeats => Cell::Of(row.units, row.units + repeats),
        })
        .file("paired_difference", |row| of(&row.paired, |test| Some(test.difference)))
        .file("paired_low, paired_high", |row| {
            Cell::interval(ends(row.paired.as_ref().ok().and_then(|test| test.interval)), Digits::SIGNED)
        })
        .shown(Width::Narrow, "difference", "difference", |row| tested(row.paired.as_ref().ok()))
        .file("paired_t", |row| of(&row.paired, |test| test.t))
        .file("paired_df", |row| of(&row.paired, |test| test.df))
        .file("paired_p", paired_p)
        .column(Width::Narrow, "holm_p", "Holm p", |row| Cell::corrected_p(row.holm))
        .shown(Width::Brief, "won", "won", |row| Cell::maybe(row.win_rate, |rate| Cell::Share(rate.rate, 0)))
        .shown(Width::Full, "paired_p", "paired t p", paired_p)
        .column(fixed, "bootstrap_low, bootstrap_high", "95 % (bootstrap)", |row| {
            Cell::interval(ends(row.bootstrap.as_ref().ok().map(|found| found.interval)), Digits::SIGNED)
        })
        .column(fixed, "permutation_p, permutation_exact", "permutation p", |row| {
            Cell::marked_p(row.permutation.as_ref().ok().map(|test| (test.p, test.exact)))
        })
        .column(fixed, "wilcoxon_p, wilcoxon_exact", "Wilcoxon p", |row| {
            Cell::marked_p(row.wilcoxon.as_ref().ok().map(|test| (test.p, test.exact)))
        })
        .when(report.rounds.is_none() && report.gauntlet.is_none(), |table| {
            table.shown(fixed, "welch_p", "Welch p", welch_p)
        })
        .table()
        .noted(format!(
            "{}score of a less score of b; Holm over {}; ± is 95 %; won: share of games, a draw counts half",
            if report.gauntlet.is_some() { "" } else { "a is ahead: " },
            counted(captions::tested_pairs(report), "pair"),
        ))
        .explained(caption, "significance.csv")
}

/// The sizes of differences.
pub(crate) fn effects(report: &Report, rows: &[PairRow]) -> Table {
    Table::of("effects", "Effect sizes", rows)
        .shown(Width::Narrow, "a", "a", |row| Cell::name(&row.a))
        .shown(Width::Narrow, "b", "b", |row| Cell::name(&row.b))
        .shown(Width::Full, "games", "won–drawn–lost", |row| {
            Cell::Record(vec![row.games[0], row.games[2], row.games[1]])
        })
        .file("a_wins", |row| Cell::Count(row.games[0]))
        .file("b_wins", |row| Cell::Count(row.games[1]))
        .file("draws", |row| Cell::Count(row.games[2]))
        .column(Width::Full, "win_rate", "win rate", |row| {
            Cell::number(row.win_rate.map(|rate| rate.rate), Digits::fixed(2))
        })
        .column(of_fixed(report), "win_rate_low, win_rate_high", "95 %", |row| {
            Cell::interval(ends(row.win_rate.and_then(|rate| rate.interval)), Digits::fixed(2))
        })
        .file("win_rate_method", |row| Cell::maybe(row.win_rate, |rate| Cell::word(rate.method)))
        .column(Width::Full, "a12", "Â12", |row| Cell::number(row.a12.as_ref().ok().copied(), Digits::fixed(2)))
        .column(Width::Full, "cohen_d", "d", |row| Cell::number(row.cohen_d.as_ref().ok().copied(), Digits::fixed(2)))
        .column(Width::Full, "cohen_dz", "d_z", |row| {
            Cell::number(row.cohen_dz.as_ref().ok().copied(), Digits::fixed(2))
        })
        .table()
        .noted("win rate counts a draw half; Â12: probability that a scores more")
        .explained(captions::EFFECTS, "significance.csv")
}

/// Both, `significance.csv`.
pub(crate) fn significance(report: &Report, rows: &[PairRow]) -> Table {
    differences(report, rows).beside(effects(report, rows))
}
