//! The contestants of a gauntlet against the fixed opponents, and against one another.

use super::{costs, ends, tested};
use crate::tables::captions;
use crate::tables::gauntlet::{ContestantPair, FixedOpponent, Gauntlet};
use crate::tables::report::Report;
use evouct_base::plural::counted;
use evouct_base::table::{Cell, Digits, Table, Width};

/// The contestants, from the view of the fixed opponents.
pub(crate) fn contestants(gauntlet: &Gauntlet, report: &Report) -> Table {
    let named = |row: &FixedOpponent| format!("{} ({})", row.opponent, row.cost.phrase());
    let names = gauntlet.opponents.iter().map(named).collect::<Vec<_>>().join(", ");
    let (who, won, score) = match gauntlet.has_several() {
        true => (format!("The fixed opponents {names}"), "they", "their mean score"),
        false => (names, gauntlet.opponent(), "its score"),
    };
    let table = Table::of("contestants", format!("{who} against each contestant"), &gauntlet.contestants)
        .column(Width::Narrow, "rank", "", |row| Cell::count(row.rank))
        .column(Width::Narrow, "contestant", "contestant", |row| Cell::name(&row.player))
        .when(gauntlet.has_several(), |table| {
            table.column(Width::Full, "units", "decks", |row| {
                Cell::maybe(row.of_means.as_ref(), |test| Cell::Count(test.units))
            })
        })
        .shown(Width::Brief, "won", "won", |row| Cell::of([row.of_opponent().0, row.games]))
        .column(Width::Narrow, "difference, low, high", "difference", |row| row.of_opponent().1.cell(Digits::SIGNED))
        .column(Width::Narrow, "holm_p", "Holm p", |row| Cell::corrected_p(row.holm));
    costs(table, |row| Some(&row.cost))
        .table()
        .noted(format!("the best one first: games that {won} won, {score} less the contestant's, ± 95 %"))
        .explained(format!("{} {}", captions::gauntlet(gauntlet, report), captions::costs()), "report.json")
}

/// Pairs of contestants, `contestants.csv`.
pub(crate) fn contestants_file(report: &Report) -> Table {
    pairs("", report.gauntlet.iter().flat_map(|gauntlet| gauntlet.comparisons.clone()))
}

/// The pairs of contestants that share a deck, the better one first.
pub(crate) fn compared(gauntlet: &Gauntlet) -> Table {
    let rows = gauntlet.comparisons.iter().filter(|row| row.units > 0).map(ContestantPair::stronger_first);
    let title = format!("{} deck by deck", captions::compared_contestants(gauntlet));
    pairs(title, rows).noted(format!(
        "a is ahead: {} of a from {} less that of b; Holm over {}",
        captions::difference_from(gauntlet),
        gauntlet.opponent(),
        counted(gauntlet.family, "pair")
    ))
}

fn pairs(title: impl Into<String>, rows: impl IntoIterator<Item = ContestantPair>) -> Table {
    Table::of("compared", title, rows)
        .column(Width::Narrow, "a", "a", |row| Cell::name(&row.a))
        .column(Width::Narrow, "b", "b", |row| Cell::name(&row.b))
        .column(Width::Brief, "units", "decks", |row| Cell::Count(row.units))
        .file("difference", |row| Cell::number(row.paired.as_ref().ok().map(|test| test.difference), Digits::SIGNED))
        .file("low, high", |row| {
            Cell::interval(ends(row.paired.as_ref().ok().and_then(|test| test.interval)), Digits::SIGNED)
        })
        .file("p", |row| Cell::p(row.paired.as_ref().ok().map(|test| test.p)))
        .shown(Width::Narrow, "difference", "difference", |row| tested(row.paired.as_ref().ok()))
        .column(Width::Narrow, "holm_p", "Holm p", |row| Cell::corrected_p(row.holm))
        .shown(Width::Full, "paired_p", "paired t p", |row| Cell::p(row.paired.as_ref().ok().map(|test| test.p)))
        .table()
        .explained("", "contestants.csv")
}
