//! Tables that can be sorted.

use super::explained::explained;
use crate::formats::cell;
use evouct_stats::{Interval, SIGNIFICANCE_LEVEL};
use maud::{Markup, html};

/// The largest number of rows; the text below a longer table names the file with the others.
const ROWS: usize = 2_000;
/// The rows of a table that is shown whole; a longer one scrolls below its headings.
const TALL: usize = 20;

/// A cell: its text, and the number it is sorted by.
pub struct TableCell {
    text: String,
    value: Option<f64>,
    class: &'static str,
    /// What is shown in place of the text: a formula. The text is told on hover, sorted by and copied.
    typeset: Option<Markup>,
}

/// The cell of a name or another text.
pub fn name(text: &str) -> TableCell {
    TableCell { text: text.to_owned(), value: None, class: "name", typeset: None }
}

/// The cell of a formula; its text where it is not typeset.
pub(super) fn formula(text: &str, typeset: Option<Markup>) -> TableCell {
    TableCell { typeset, ..name(text) }
}

/// The cell of a whole number.
pub fn count(value: impl Into<u128>) -> TableCell {
    let value: u128 = value.into();
    shown(value.to_string(), value as f64)
}

/// The cell of a number with a given text.
pub fn shown(text: String, value: f64) -> TableCell {
    TableCell { text, value: Some(value), class: "n", typeset: None }
}

/// The cell of a number with decimals; a dash where there is none.
pub fn number(value: Option<f64>, decimals: usize) -> TableCell {
    optional(value, |value| format!("{value:.decimals$}"))
}

/// The same with its sign.
pub fn signed(value: Option<f64>) -> TableCell {
    optional(value, cell::signed)
}

/// The cell of a p-value.
pub fn p_value(value: Option<f64>) -> TableCell {
    optional(value, cell::p_value)
}

/// The cell of a p-value and whether it is exact.
pub(super) fn marked_p(found: Option<(f64, bool)>) -> TableCell {
    let text = |(p, exact)| cell::marked_p(p, exact);
    TableCell { text: found.map_or("–".to_owned(), text), ..p_value(found.map(|(p, _)| p)) }
}

/// The cell of a p-value after Holm's correction, with a mark where it is significant.
pub fn holm(value: Option<f64>) -> TableCell {
    let cell = p_value(value);
    match value {
        Some(p) if p < SIGNIFICANCE_LEVEL => TableCell { text: format!("*\u{a0}{}", cell.text), ..cell },
        _ => cell,
    }
}

/// The cell of an interval, in units of `scale`, which is sorted by the value.
pub fn interval(interval: Option<Interval>, scale: f64, decimals: usize, value: f64) -> TableCell {
    match interval {
        Some(ends) => shown(format!("{:.decimals$} … {:.decimals$}", ends.low * scale, ends.high * scale), value),
        None => number(None, 0),
    }
}

fn optional(value: Option<f64>, show: impl Fn(f64) -> String) -> TableCell {
    TableCell { text: value.map_or("–".to_owned(), show), value, class: "n", typeset: None }
}

/// A table. A column with a number is sorted by numbers, another one by its texts. `rest` names the file with the rows
/// that are left out.
pub fn table(caption: &str, columns: &[&str], rows: Vec<Vec<TableCell>>, rest: &str) -> Markup {
    let is_text = |index: usize| rows.iter().filter_map(|row| row.get(index)).all(|cell| cell.class == "name");
    let classes: Vec<&str> = (0..columns.len()).map(|index| if is_text(index) { "name" } else { "n" }).collect();
    let left_out = rows.len().saturating_sub(ROWS);
    html! {
        div.scroll.tall[rows.len() > TALL] tabindex="0" role="group" aria-label=(caption) {
            table.rows {
                caption.off { (caption) }
                thead { tr {
                    @for (index, column) in columns.iter().enumerate() {
                        th.(classes[index]) scope="col" { button type="button" title=[explained(column)] { (column) } }
                    }
                } }
                tbody {
                    @for row in rows.into_iter().take(ROWS) {
                        // A narrow page has no row of headings: the cells of a row stand one below another.
                        tr { @for (cell, column) in row.into_iter().zip(columns) {
                            td.(cell.class) data-v=[cell.value] data-label=(column) {
                                @if let Some(formula) = &cell.typeset { span.typeset title=(cell.text) { (formula) } }
                                @else if cell.class == "name" { bdi { (cell.text) } }
                                @else { (cell.text) }
                            }
                        } }
                    }
                }
            }
        }
        @if left_out > 0 { p.said { "… and " (left_out) " more rows in " code { (rest) } "." } }
    }
}
