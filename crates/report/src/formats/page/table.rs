//! Tables that can be sorted.

use super::explained::explained;
use crate::formats::cell;
use maud::{Markup, html};

/// The largest number of rows; the text below a longer table names the file with the others.
const ROWS: usize = 2_000;
/// The rows of a table that is shown whole; a longer one scrolls below its headings.
const TALL: usize = 20;

/// A cell: its text, and the number it is sorted by.
pub(super) struct Cell {
    text: String,
    value: Option<f64>,
    class: &'static str,
}

/// The cell of a name or another text.
pub(super) fn name(text: &str) -> Cell {
    Cell { text: text.to_owned(), value: None, class: "name" }
}

/// The cell of a whole number.
pub(super) fn count(value: impl Into<u128>) -> Cell {
    let value: u128 = value.into();
    Cell { text: value.to_string(), value: Some(value as f64), class: "n" }
}

/// The cell of a number with a given text.
pub(super) fn shown(text: String, value: f64) -> Cell {
    Cell { text, value: Some(value), class: "n" }
}

/// The cell of a number with decimals; a dash where there is none.
pub(super) fn number(value: Option<f64>, decimals: usize) -> Cell {
    optional(value, |value| format!("{value:.decimals$}"))
}

/// The same with its sign.
pub(super) fn signed(value: Option<f64>) -> Cell {
    optional(value, cell::signed)
}

/// The cell of a p-value.
pub(super) fn p_value(value: Option<f64>) -> Cell {
    optional(value, |p| if p < 0.0001 { "<0.0001".to_owned() } else { format!("{p:.4}") })
}

fn optional(value: Option<f64>, show: impl Fn(f64) -> String) -> Cell {
    Cell { text: value.map_or("–".to_owned(), show), value, class: "n" }
}

/// A table; columns from `numbers` on hold numbers. `rest` names the file with the rows that are left out.
pub(super) fn table(caption: &str, columns: &[&str], numbers: usize, rows: Vec<Vec<Cell>>, rest: &str) -> Markup {
    let class = |index: usize| if index < numbers { "name" } else { "n" };
    let left_out = rows.len().saturating_sub(ROWS);
    html! {
        div.scroll.tall[rows.len() > TALL] tabindex="0" role="region" aria-label=(caption) {
            table {
                caption.off { (caption) }
                thead { tr {
                    @for (index, column) in columns.iter().enumerate() {
                        th.(class(index)) scope="col" { button type="button" title=[explained(column)] { (column) } }
                    }
                } }
                tbody {
                    @for row in rows.into_iter().take(ROWS) {
                        tr { @for cell in row {
                            td.(cell.class) data-v=[cell.value] {
                                @if cell.class == "name" { bdi { (cell.text) } } @else { (cell.text) }
                            }
                        } }
                    }
                }
            }
        }
        @if left_out > 0 { p.said { "… and " (left_out) " more rows in " code { (rest) } "." } }
    }
}
