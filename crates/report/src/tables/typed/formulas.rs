//! Formulas that evolved during play.

use crate::tables::captions;
use crate::tables::report::Report;
use evouct_base::named::Named;
use evouct_base::table::{Cell, Digits, Table, Width};

/// A part of a whole, in per cent.
fn share(part: u64, whole: u64) -> Cell {
    Cell::Share(part as f64 / whole.max(1) as f64, 2)
}

/// The evolution of each player.
pub(crate) fn evolution(report: &Report) -> Table {
    let number = |mean| Cell::number(mean, Digits::fixed(2));
    Table::of("evolution", "Evolution", &report.evolution)
        .column(Width::Narrow, "player", "player", |row| Cell::name(&row.player))
        .column(Width::Narrow, "decisions", "decisions", |row| Cell::Count(row.decisions))
        .column(Width::Narrow, "nodes", "nodes", |row| number(row.nodes))
        .column(Width::Brief, "depth", "depth", |row| number(row.depth))
        .column(Width::Narrow, "gain", "gain", |row| number(row.gain))
        .column(Width::Brief, "replaced", "new parent", |row| share(row.replaced, row.generations))
        .column(Width::Brief, "ties", "ties", |row| share(row.ties, row.generations))
        .column(Width::Full, "in_range", "in range", |row| share(row.in_range, row.generations))
        .column(Width::Full, "by_semantics", "by semantics", |row| share(row.by_semantics, row.generations))
        .table()
        .noted("means per decision; shares of generations")
        .explained(captions::EVOLUTION, "report.json")
}

/// The formulas by the order that they induce.
pub(crate) fn orders(report: &Report) -> Table {
    Table::of("orders", "Evolved formulas by the order that they induce on the children of a node", &report.orders)
        .column(Width::Narrow, "player", "player", |row| Cell::name(&row.player))
        .column(Width::Narrow, "order", "order", |row| Cell::word(row.order))
        .column(Width::Narrow, "formula", "formula", |row| Cell::Formula(row.formula.clone()))
        .column(Width::Brief, "formulas", "formulas", |row| Cell::Count(row.formulas))
        .column(Width::Full, "decisions", "decisions", |row| Cell::Count(row.count))
        .column(Width::Narrow, "share", "share", |row| share(row.count, row.of))
        .table()
        .explained(captions::ORDERS, "report.json")
}

/// The front of size against gain.
pub(crate) fn front(report: &Report) -> Table {
    Table::of("formula-front", "Size against gain in fitness", &report.front)
        .column(Width::Narrow, "player", "player", |row| Cell::name(&row.player))
        .column(Width::Narrow, "formula", "formula", |row| Cell::Formula(row.formula.clone()))
        .column(Width::Narrow, "nodes", "nodes", |row| Cell::count(row.nodes))
        .column(Width::Narrow, "gain", "gain", |row| Cell::Number(row.gain, Digits::fixed(2)))
        .column(Width::Narrow, "decisions", "decisions", |row| Cell::Count(row.count))
        .table()
        .explained(captions::FRONT, "report.json")
}

/// The most frequent formulas.
pub(crate) fn formulas(report: &Report) -> Table {
    Table::of("formulas", "Most frequent formulas", &report.formulas)
        .column(Width::Narrow, "player", "player", |row| Cell::name(&row.player))
        .column(Width::Narrow, "formula", "formula", |row| Cell::Formula(row.formula.clone()))
        .column(Width::Brief, "order", "order", |row| Cell::word(row.order))
        .column(Width::Full, "ln", "ln", |row| Cell::word(row.ln.name()))
        .column(Width::Narrow, "nodes", "nodes", |row| Cell::count(row.nodes))
        .column(Width::Narrow, "decisions", "decisions", |row| Cell::Count(row.count))
        .column(Width::Narrow, "share", "share", |row| share(row.count, row.of))
        .table()
        .explained(captions::FORMULAS, "expressions.csv")
}
