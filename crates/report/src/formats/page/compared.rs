//! The page of runs beside the first of them.

use super::table::table;
use super::{PagePart, headline, page_of};
use crate::formats::chart::rows::{Dot, dots};
use crate::formats::figure::shown as figure;
use crate::tables::changes::{self, Change};
use crate::tables::compare::{BesideFirst, SideBySide};
use crate::tables::typed;
use evouct_base::named::Named;
use maud::{Markup, html};

/// The largest number of changes in the chart.
const DOTS: usize = 40;

/// The page of a comparison, in one file.
pub fn compared_page(compared: &BesideFirst) -> String {
    let first = compared.runs.first().map_or("", |run| run.names[0].as_str());
    let mut sections: Vec<PagePart> = vec![("headline", "In short", headline(&changes::headline(compared)))];
    sections.extend(drawn(compared).map(|drawn| ("changes", "At a glance", drawn)));
    sections.extend([("runs", "Runs", runs(compared)), ("players", "Players", table(&typed::changes(compared)))]);
    if compared.runs.iter().any(|run| !run.matches.is_empty()) {
        sections.push(("matches", "Matches", matches(compared)));
    }
    if compared.runs.iter().any(|run| run.verdicts.is_some()) {
        sections.push(("verdicts", "Comparison with the paper", verdicts(compared)));
    }
    let header = html! {
        h1 { (first) " beside other runs" }
        p.lead { "Each run is compared with the first: players by kind and parameters, else by name." }
    };
    let footer = html! { "Written by evouct " (evouct_store::VERSION) " from the records of the runs." };
    page_of(&format!("{first}: comparison"), &header, sections, &footer)
}

/// The other runs with their numbers.
fn others(compared: &BesideFirst) -> impl Iterator<Item = (usize, &SideBySide)> {
    (2..).zip(&compared.runs)
}

fn runs(compared: &BesideFirst) -> Markup {
    html! {
        (table(&typed::runs(compared)))
        @for (number, run) in others(compared).filter(|(_, run)| !run.differences.is_empty()) {
            h3 { "Changed from run 1 to run " (number) }
            ul { @for difference in &run.differences { li { (difference) } } }
        }
    }
}

/// The chart of the changes of players; none without a change.
fn drawn(compared: &BesideFirst) -> Option<Markup> {
    let players = changes::players(compared);
    let dot = |(name, change): (&str, &Change)| {
        let test = change.player.change?;
        let interval = test.interval.map(|ends| (ends.low, ends.high));
        Some(Dot { name: format!("{name}, run {}", change.run), value: test.difference, interval, colour: 0 })
    };
    let changes = players.iter().flat_map(|player| player.changes.iter().map(|change| (player.name, change)));
    let mut drawn: Vec<Dot> = changes.filter_map(dot).collect();
    let all = drawn.len();
    drawn.truncate(DOTS);
    let left_out = if all > DOTS { format!(" The first {DOTS} of {all} are drawn.") } else { String::new() };
    let caption = format!(
        "Change of each player in each run: to the right of 0 it is better than in run 1. With 95 % intervals, which are not \
         corrected.{left_out}"
    );
    (!drawn.is_empty())
        .then(|| figure(&dots("score difference less that in run 1, points per game", &drawn), &caption, None))
}

fn matches(compared: &BesideFirst) -> Markup {
    html! {
        @for (number, run) in others(compared).filter(|(_, run)| !run.matches.is_empty()) {
            @let matches = typed::matches_of_runs(run, number);
            details { summary { (matches.title) } (table(&matches)) }
        }
    }
}

fn verdicts(compared: &BesideFirst) -> Markup {
    html! {
        @for (number, run) in others(compared) {
            @if let (Some(said), Some(verdicts)) = (changes::verdicts(run), &run.verdicts) {
                h3 { "Run 1 and run " (number) }
                p { (said) "." }
                ul { @for (what, [before, after]) in &verdicts.changed { li { (what) ": " (before.name()) " and " (after.name()) } } }
            }
        }
    }
}
