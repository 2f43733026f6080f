//! The list of all runs as a page.

use super::row::Row;
use crate::formats::page::document_with;
use evouct_base::grouped::grouped;
use evouct_base::plural::{counted, noun_of};
use evouct_store::FolderKind;
use maud::{Markup, html};

const SCRIPT: &str = include_str!("gallery.js");
/// The page asks its own server for news, and sends its form there.
const POLICY: &str = "; connect-src 'self'; form-action 'self'";
/// Seconds after which a page is asked for again.
const AGAIN: [&str; 2] = ["10", "1"];

/// The list, without JavaScript, too: then it is loaded again from time to time.
pub(super) fn gallery_page(name: &str, rows: &[&Row], version: &str) -> String {
    let written = rows.iter().filter(|row| row.is_written).count();
    let body = html! {
        header {
            h1 { (name) }
            p.lead { (counted(rows.len(), "run")) @if written > 0 { ", " (written) " being written" } }
            p.lead #live role="status" data-version=(version) {}
        }
        main {
            form.runs action="compare" method="get" {
                p.controls {
                    label for="search" hidden { "Search" }
                    input #search type="search" placeholder="name, kind, game, player or finding" hidden;
                    button type="submit" { "Compare the chosen runs" }
                }
                div.scroll tabindex="0" role="group" aria-label="Runs" {
                    table.rows {
                        caption.off { "Runs, those that are being written first" }
                        thead { tr {
                            @for (heading, class) in
                                [("run", "name"), ("kind", "name"), ("game", "name"), ("progress", "n"), ("finding", "name"), ("changed (UTC)", "n")] {
                                th.(class) scope="col" { button type="button" { (heading) } }
                            }
                        } }
                        tbody { @for row in rows { (line(row)) } }
                    }
                }
            }
        }
        footer { "Written by evouct " (evouct_store::VERSION) ". A finding is the first sentence of the last report." }
    };
    let again = html! { noscript { meta http-equiv="refresh" content=(AGAIN[0]); } };
    document_with(&format!("{name}: runs"), &body, &again, &[SCRIPT], POLICY)
}

fn line(row: &Row) -> Markup {
    let (done, all) = row.done;
    let share = all.map(|all| done as f64 / all.max(1) as f64);
    let (games, players) = &row.names;
    html! {
        tr data-names=(games.iter().chain(players).map(String::as_str).collect::<Vec<_>>().join(" ")) {
            td.name data-label="run" {
                @if row.has_page() {
                    input type="checkbox" name="run" value=(row.id) aria-label={ "Compare " (row.place) };
                    " "
                }
                @if row.has_page() { a href={ "run/" (row.id) "/" } { bdi { (row.place) } } } @else { bdi { (row.place) } }
            }
            td.name data-label="kind" { (kind(row)) }
            td.name data-label="game" { @match &games[..] { [game] => bdi { (game) }, [] => {}, many => (counted(many.len(), "game")) } }
            td.n data-label="progress" data-v=[share] {
                @if row.is_written && let Some(share) = share {
                    progress max="1" value=(format!("{share:.3}")) aria-label={ "Progress of " (row.place) } {} " "
                }
                @if !row.is_broken { (progress(row)) }
            }
            td.name data-label="finding" { @if row.is_broken { "cannot be read: " } bdi { (row.headline) } }
            td.n data-label="changed (UTC)" data-v=(row.changed) { (date(row.changed)) " " (time(row.changed)) }
        }
    }
}

fn kind(row: &Row) -> &'static str {
    match row.kind {
        Some(FolderKind::Run) => "league",
        Some(FolderKind::Tuning) => "tuning",
        Some(FolderKind::Evolution) => "evolution",
        Some(FolderKind::Evolutions) => "evolutions",
        Some(FolderKind::Bank) => "bank",
        Some(FolderKind::Scores) => "scores",
        None => "folder",
    }
}

/// How far a run is, in words.
fn progress(row: &Row) -> String {
    let many = |number| format!("{} {}", grouped(number), noun_of(number, row.unit));
    match row.done {
        (done, Some(all)) if done < all && row.is_written => format!("{} of {}", grouped(done), many(all)),
        (done, Some(all)) if done < all => format!("{} of {}, stopped", grouped(done), many(all)),
        (done, _) => many(done),
    }
}

/// The day of a time in seconds since 1970, in Coordinated Universal Time.
fn date(seconds: u64) -> String {
    // Years begin in March, so that a leap day is the last one (H. Hinnant, chrono-compatible low-level date algorithms).
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + u64::from(month <= 2))
}

/// The time of that day.
fn time(seconds: u64) -> String {
    format!("{:02}:{:02}", seconds / 3_600 % 24, seconds / 60 % 60)
}

/// A page that stands for one that is being made and asks for it again, or says why there is none. The list of runs is at
/// `list_at`.
pub(super) fn waiting_page(problem: Option<&str>, list_at: &str) -> String {
    let said =
        problem.map_or_else(|| "The page is being made.".to_owned(), |problem| format!("There is no page: {problem}"));
    let body = html! { header { h1 { "evouct" } p role="status" { (said) } p { a href=(list_at) { "All runs" } } } };
    let again = html! { @if problem.is_none() { meta http-equiv="refresh" content=(AGAIN[1]); } };
    document_with("evouct", &body, &again, &[], "; form-action 'none'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        let days = [0, 951_782_400, 951_868_800, 1_709_164_800, 1_767_225_599, 4_107_542_400].map(date);
        assert_eq!(days, ["1970-01-01", "2000-02-29", "2000-03-01", "2024-02-29", "2025-12-31", "2100-03-01"]);
    }

    #[test]
    fn names_are_text() {
        let row =
            Row { place: "<b>\"'&".to_owned(), headline: "<script>".to_owned(), is_broken: true, ..Row::default() };
        let page = gallery_page("<i>", &[&row], "1");
        assert!(!page.contains("<b>") && !page.contains("<i>") && page.contains("cannot be read: <bdi>&lt;script&gt;"));
    }
}
