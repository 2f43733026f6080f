//! The tables of a report as columns of typed cells, each made once for all formats.

mod evolved;
mod formulas;
mod gauntlet;
mod league;
mod pairs;
mod printed;
mod runs;
mod seats;
mod seeds;

pub(crate) use evolved::{evolutions, gains, games, lineage, objectives, opponents};
pub(crate) use formulas::{evolution, formulas, front, orders};
pub(crate) use gauntlet::{compared, contestants, contestants_file};
pub(crate) use league::{costs_file, cross_table, failures, faults, matches, players, ranking, ratings, sweep};
pub(crate) use pairs::{differences, effects, significance};
pub(crate) use printed::{
    means, of_matches, pair_means, pairs as printed_pairs, pd, points, ranking as printed_ranking, verdict,
};
pub(crate) use runs::{changes, matches as matches_of_runs, runs};
pub(crate) use seats::{measures, players_file, turns};
pub(crate) use seeds::{
    differences_of_seeds, effort as effort_of_seeds, finalists, orders as orders_of_seeds, seeds, sets,
};

use super::cost::DecisionCost;
use evouct_base::table::{Cell, Digits, TableOf, Width};
use evouct_stats::Interval;
use evouct_stats::t_test::TTest;

/// The ends of an interval.
fn ends(interval: Option<Interval>) -> Option<[f64; 2]> {
    interval.map(|Interval { low, high }| [low, high])
}

/// The difference of a test with its interval, which lies around it evenly if it is by Student's t.
fn tested(test: Option<&TTest>) -> Cell {
    Cell::maybe(test, |test| Cell::Mean {
        mean: test.difference,
        ends: ends(test.interval),
        is_even: !test.exact,
        digits: Digits::SIGNED,
    })
}

/// The columns of what a decision costs.
fn costs<R>(table: TableOf<R>, cost: impl Fn(&R) -> Option<&DecisionCost>) -> TableOf<R> {
    table
        .shown(Width::Narrow, "playouts", "playouts", |row| cost(row).map_or(Cell::Missing, DecisionCost::effort))
        .shown(Width::Brief, "time", "time", |row| Cell::maybe(cost(row).and_then(|cost| cost.seconds), Cell::Seconds))
        .shown(Width::Brief, "deck", "deck", |row| Cell::maybe(cost(row), |cost| Cell::word(cost.deck())))
}
