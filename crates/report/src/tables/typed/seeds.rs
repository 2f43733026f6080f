//! The tables of evolutions of several seeds.

use super::evolved::{core_hours, plus_minus};
use crate::tables::evolved::VALIDATION;
use crate::tables::mean_with_interval::MeanWithInterval;
use crate::tables::seeds::{FinalistRow, SeedRow, SeedsReport};
use crate::tables::seeds_beside::SeedsBeside;
use evouct_base::plural::noun_of;
use evouct_base::table::{Cell, Digits, Table, Width};
use evouct_stats::t_test::TTest;
use evouct_stats::{Interval, Summary};

/// Every seed.
pub(crate) fn seeds(report: &SeedsReport) -> Table {
    let best = |row: &SeedRow| row.best.map(|best| &report.finalists[best]);
    Table::of("seeds", "Seeds", &report.seeds)
        .column(Width::Narrow, "seed", "seed", |row| Cell::Count(row.seed))
        .column(Width::Narrow, "complete", "complete", |row| Cell::Flag(row.is_complete))
        .column(Width::Full, "generations", "generations", |row| Cell::maybe(row.generations, Cell::count))
        .column(Width::Narrow, "effort", noun_of(2, report.unit_of_effort), |row| Cell::maybe(row.effort, Cell::Count))
        .column(Width::Narrow, "gain, low, high", VALIDATION, |row| Cell::maybe(best(row), of_gain))
        .column(Width::Narrow, "success", "success", |row| Cell::maybe(row.succeeded, Cell::Flag))
        .column(Width::Narrow, "nodes", "nodes", |row| Cell::maybe(best(row), |best| Cell::count(best.nodes)))
        .column(Width::Narrow, "formula", "formula", |row| {
            Cell::maybe(best(row), |best| Cell::Formula(best.formula.to_string()))
        })
        .table()
        .explained(
            format!(
                "The best finalist of each seed: its validation gain over the reference, in {}, ± 95 %, and whether it is \
                 above {} by a one-sided test, corrected for the candidates of the seed.",
                report.unit, report.level
            ),
            "finalists.csv",
        )
}

fn of_gain(row: &FinalistRow) -> Cell {
    plus_minus(row.gain, row.half, Digits::SIGNED)
}

/// How soon seeds reach a level.
pub(crate) fn effort(report: &SeedsReport) -> Table {
    let games = noun_of(2, report.unit_of_effort);
    Table::of("effort", "Effort to reach a gain", &report.effort)
        .shown(Width::Narrow, "level", "gain reached", |row| Cell::Number(row.level, Digits::SIGNED))
        .shown(Width::Narrow, "reached", "seeds", |row| Cell::of(row.reached))
        .shown(Width::Narrow, "median", format!("median {games}"), |row| Cell::number(row.median, Digits::fixed(0)))
        .shown(Width::Narrow, "expected", format!("expected {games}"), |row| {
            Cell::number(row.expected, Digits::fixed(0))
        })
        .when(report.core_seconds.is_some(), |table| {
            table.shown(Width::Narrow, "core_hours", "core-hours", |row| Cell::number(row.core_hours, Digits::fixed(4)))
        })
        .table()
        .explained(
            format!(
                "The {games} until the best training gain of a generation is at the level: the median of the seeds that \
                 reach it, and as expected over seeds, where those that never do count with all their {games}: all {games} over \
                 the seeds that reach it. Core-hours are those of measuring, as they were recorded."
            ),
            "report.json",
        )
}

/// The finalists of all seeds by the order that they induce.
pub(crate) fn orders(report: &SeedsReport) -> Table {
    let seeds = |seeds: &[u64]| seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
    Table::of("orders", "Formulas by the order that they induce", &report.orders)
        .shown(Width::Narrow, "group", "group", |row| Cell::count(row.group))
        .shown(Width::Brief, "order", "order", |row| Cell::word(row.order))
        .shown(Width::Narrow, "formulas", "formulas", |row| Cell::count(row.formulas))
        .shown(Width::Narrow, "seeds", "found by seeds", |row| Cell::word(seeds(&row.seeds)))
        .shown(Width::Narrow, "gain", VALIDATION, |row| Cell::Number(row.gain, Digits::SIGNED))
        .shown(Width::Narrow, "nodes", "nodes", |row| Cell::count(row.nodes))
        .shown(Width::Narrow, "formula", "formula", |row| Cell::Formula(row.smallest.to_string()))
        .table()
        .explained(
            "The formulas of a group order the children of 96 sampled nodes alike, so they are one player: its smallest one, and \
             the mean gain. The order is that of select by Q and visits.",
            "finalists.csv",
        )
}

/// The finalists of all seeds, to choose from.
pub(crate) fn finalists(report: &SeedsReport) -> Table {
    Table::of("finalists", "Finalists of all seeds", &report.finalists)
        .column(Width::Narrow, "seed", "seed", |row| Cell::Count(row.seed))
        .column(Width::Narrow, "place", "place", |row| Cell::count(row.place))
        .column(Width::Narrow, "gain, low, high", VALIDATION, of_gain_of)
        .column(Width::Narrow, "lower", "lower bound", |row| Cell::Number(row.lower, Digits::SIGNED))
        .column(Width::Narrow, "nodes", "nodes", |row| Cell::count(row.nodes))
        .column(Width::Narrow, "price", "price", |row| Cell::count(row.price))
        .column(Width::Narrow, "group", "group", |row| Cell::count(row.group))
        .column(Width::Brief, "order", "order", |row| Cell::word(row.order))
        .column(Width::Full, "agreement", "agreement, %", |row| {
            Cell::Number(100.0 * row.agreement, Digits::fixed(0))
        })
        .column(Width::Narrow, "formula", "formula", |row| Cell::Formula(row.formula.to_string()))
        .table()
        .explained(
            format!(
                "Validation gain over the reference, in {}, ± 95 %; the lower bound holds for all candidates of all seeds at \
                 once. The price of the reference is {}. Seeds have decks of their own.",
                report.unit, report.price_of_reference
            ),
            "finalists.csv",
        )
}

fn of_gain_of(row: &&FinalistRow) -> Cell {
    of_gain(row)
}

/// Sets of evolutions, the first one first.
pub(crate) fn sets(all: &[SeedsBeside]) -> Table {
    let first = all.first().map(|own| (own, 0));
    Table::of("sets", "Evolutions", first.into_iter().chain(all.iter().map(|own| (own, 1))))
        .shown(Width::Narrow, "folder", "folder", |(own, side)| Cell::name(&own.names[*side]))
        .shown(Width::Narrow, "seeds", "seeds", |(own, side)| Cell::count(own.gains[*side].len()))
        .shown(Width::Narrow, "gain", "mean gain", |(own, side)| {
            MeanWithInterval::of(&Summary::of(&own.gains[*side])).cell(Digits::SIGNED)
        })
        .shown(Width::Narrow, "succeeded", "success", |(own, side)| Cell::of(own.succeeded[*side]))
        .shown(Width::Narrow, "core_hours", "core-hours", |(own, side)| core_hours(own.core_seconds[*side]))
        .table()
        .explained("The validation gains of the best finalists, over seeds, ± 95 %.", "report.json")
}

/// The tests of sets against the first one.
pub(crate) fn differences_of_seeds(all: &[SeedsBeside]) -> Table {
    let ends = |interval: Option<Interval>| interval.map(|ends| [ends.low, ends.high]);
    Table::of("differences", "Differences from the first", all)
        .shown(Width::Narrow, "folder", "folder", |own| Cell::name(&own.names[1]))
        .shown(Width::Narrow, "shift", "shift", |own| Cell::Number(own.test.shift, Digits::SIGNED))
        .shown(Width::Narrow, "interval", "95 %", |own| Cell::interval(ends(own.test.interval), Digits::SIGNED))
        .shown(Width::Narrow, "p", "rank-sum p", |own| Cell::p(Some(own.test.p)))
        .shown(Width::Narrow, "a12", "Â12", |own| Cell::Number(own.test.a12, Digits::fixed(2)))
        .shown(Width::Narrow, "means", "means", |own| {
            let mean = |test: &TTest| Cell::Mean {
                mean: test.difference,
                ends: ends(test.interval),
                is_even: true,
                digits: Digits::SIGNED,
            };
            Cell::maybe(own.means.as_ref(), mean)
        })
        .shown(Width::Narrow, "welch_p", "Welch p", |own| Cell::p(own.means.as_ref().map(|test| test.p)))
        .shown(Width::Narrow, "success_p", "success p", |own| Cell::p(own.success_p))
        .table()
        .explained(
            "Over seeds, the folder less the first: the shift (Hodges and Lehmann) with its interval and the rank-sum test (Mann and \
             Whitney), which assume no distribution; the difference of the means with Welch's test; Fisher's exact test of the \
             shares that succeed. Nothing is corrected for several folders.",
            "report.json",
        )
}
