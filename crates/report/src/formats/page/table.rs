//! Tables that can be sorted.

use super::explained::explained;
use super::typeset;
use evouct_base::table::{Cell, PRINTED, Table, TypedColumn, Width};
use evouct_gp::Terminal;
use evouct_stats::SIGNIFICANCE_LEVEL;
use maud::{Markup, html};

/// The largest number of rows; the text below a longer table names the file with the others.
const ROWS: usize = 2_000;
/// The rows of a table that is shown whole; a longer one scrolls below its headings.
const TALL: usize = 20;

/// A table with all its columns, and its caption below it. A column with a number is sorted by numbers, another one by its
/// texts.
pub fn table(table: &Table) -> Markup {
    table_over(table, &Terminal::NAMED)
}

/// The same, with formulas over these terminals.
pub(in crate::formats) fn table_over(table: &Table, terminals: &[Terminal]) -> Markup {
    let columns: Vec<&TypedColumn> = table.shown(Width::Full).collect();
    // What a terminal has no room for a phone shows once it is asked for.
    let near: Vec<&str> = table.shown(Width::Brief).map(|column| &column.key[..]).collect();
    let is_far = |column: &TypedColumn| !near.contains(&&column.key[..]);
    let class = |is_number: bool| if is_number { "n" } else { "name" };
    let left_out = table.len().saturating_sub(ROWS);
    let rows = html! {
        div.scroll.tall[table.len() > TALL] tabindex="0" role="group" aria-label=(table.title) {
            table.rows {
                caption.off { (table.title) }
                thead { tr {
                    @for column in &columns {
                        th.(class(column.is_numeric())).far[is_far(column)] scope="col" {
                            button type="button" title=[explained(heading(column))] { (heading(column)) }
                        }
                    }
                } }
                tbody {
                    @for row in 0..table.len().min(ROWS) {
                        // A narrow page has no row of headings: the cells of a row stand one below another.
                        tr { @for (column, cell) in columns.iter().map(|column| (column, &column.cells[row])) {
                            td.(class(cell.is_number() || *cell == Cell::Missing)).whole[is_whole(cell)].far[is_far(column)] data-v=[cell.value()] data-label=(heading(column)) {
                                (shown(cell, terminals))
                            }
                        } }
                    }
                }
            }
        }
    };
    // A caption stands beside its table where there is room.
    html! {
        div.captioned {
            (rows)
            @if left_out > 0 { p.said { "… and " (left_out) " more rows in " code { (table.rest) } "." } }
            @if !table.caption.is_empty() { p.said { (table.caption) } }
        }
    }
}

/// Whether a cell stands on one line: an interval is read as one number.
fn is_whole(cell: &Cell) -> bool {
    matches!(cell, Cell::Interval(..) | Cell::Mean { ends: Some(_), .. })
}

/// What stands above a column: a page sorts by it, so that it has a name where other forms have none.
fn heading(column: &TypedColumn) -> &str {
    if column.heading.is_empty() { &column.key } else { &column.heading }
}

/// What stands in a cell. The text of a formula is told on hover, sorted by and copied.
fn shown(cell: &Cell, terminals: &[Terminal]) -> Markup {
    let text = cell.text(&PRINTED);
    html! {
        @match cell {
            Cell::Formula(_) => {
                @if let Some(formula) = typeset::inline(&text, terminals) { span.typeset title=(text) { (formula) } }
                @else { bdi { (text) } }
            }
            Cell::P { .. } if cell.is_significant(SIGNIFICANCE_LEVEL) => { "*\u{a0}" (text) }
            _ if cell.value().is_none() && *cell != Cell::Missing => { bdi { (text) } }
            _ => { (text) }
        }
    }
}
