//! The sections of the page.

use super::table::table;
use crate::tables::captions;
use crate::tables::gauntlet::Gauntlet;
use crate::tables::paper::PrintedComparison;
use crate::tables::report::Report;
use crate::tables::typed;
use evouct_base::grouped::grouped;
use evouct_base::plural::core_hours;
use evouct_league::config::Experiment;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The largest number of players whose matches are shown as a square.
const SQUARE: usize = 40;

/// The fixed opponents of a gauntlet against each contestant, and the contestants against one another.
fn gauntlet(gauntlet: &Gauntlet, report: &Report) -> Markup {
    let contestants = typed::contestants(gauntlet, report);
    html! {
        p { bdi { (contestants.title) } ":" }
        (table(&contestants))
        @if gauntlet.has_tests() {
            @let compared = typed::compared(gauntlet);
            h3 { (compared.title) }
            (table(&compared))
        }
    }
}

pub(super) fn ranking(report: &Report) -> Markup {
    let all = table(&typed::ranking(report));
    html! {
        @if let Some(found) = &report.gauntlet { (gauntlet(found, report)) }
        @if let Some(warning) = captions::cycle(report) { p.warning role="note" { (warning) } }
        // All results of a gauntlet are shown from the view of its fixed opponents, but a ranking has one for each player.
        @if report.gauntlet.is_some() { details { summary { "All games, each player from its own view" } (all) } }
        @else { (all) }
    }
}

pub(super) fn matches(report: &Report) -> Markup {
    let players: Vec<&str> = report.ranking.iter().map(|row| row.player.as_str()).collect();
    html! {
        @if players.len() <= SQUARE { (square(report, &players)) }
        details { summary { "All matches with differences" } (table(&typed::matches(report))) }
    }
}

/// Games won by the row as player 1 – by the column as player 2, as a heat map.
fn square(report: &Report, players: &[&str]) -> Markup {
    let found: BTreeMap<(&str, &str), _> =
        report.matches.iter().map(|row| ((row.home.as_str(), row.away.as_str()), row)).collect();
    html! {
        div.captioned {
        div.scroll tabindex="0" role="group" aria-label="Games won" {
            table.heat {
                thead { tr { th.name scope="col" { "player 1" } @for number in 1..=players.len() { th.n scope="col" { "(" (number) ")" } } } }
                tbody {
                    @for (number, home) in players.iter().enumerate() {
                        tr {
                            th.name scope="row" { bdi { (home) } " (" (number + 1) ")" }
                            @for (place, away) in players.iter().enumerate() {
                                @let column = format!("({})", place + 1);
                                @if let Some(row) = found.get(&(*home, *away)) {
                                    @let share = (row.home_wins as f64 + row.draws as f64 / 2.0) / row.games.max(1) as f64;
                                    td.n.won[share > 0.5].lost[share < 0.5] data-label=(column) style={ "--k:" (((share - 0.5).abs() * 110.0).round()) "%" }
                                        { (row.home_wins) "–" (row.away_wins) }
                                } @else { td.n data-label=(column) { "·" } }
                            }
                        }
                    }
                }
            }
        }
        p.said { "Games won by the row as player 1 – by the column as player 2; draws are not counted. Blue: the row won more; orange: the column won more." }
        }
    }
}

pub(super) fn significance(report: &Report, chart: &Markup) -> Markup {
    let pairs = report.shown_pairs();
    html! {
        (table(&typed::differences(report, &pairs)))
        div.beside {
            (chart)
            div { h3 { "Effect sizes" } (table(&typed::effects(report, &pairs))) }
        }
        @if let Some(test) = &report.sequential {
            h3 { "Sequential test" }
            p.said { (captions::sequential(test)) }
        }
    }
}

pub(super) fn ratings(report: &Report, chart: &Markup) -> Markup {
    html! { div.beside { div { (table(&typed::ratings(report))) } (chart) } }
}

pub(super) fn metrics(report: &Report) -> Markup {
    html! {
        (table(&typed::measures(report)))
        details {
            summary { "All measures of players.csv" }
            dl { @for measure in &report.measures { dt { (measure.name) } dd { (measure.about) } } }
        }
    }
}

pub(super) fn paper(paper: &PrintedComparison) -> Markup {
    let tables = [
        typed::printed_ranking(paper),
        typed::of_matches(paper),
        typed::means(paper),
        typed::printed_pairs(paper),
        typed::pair_means(paper),
    ];
    html! {
        @for printed in tables.iter().filter(|table| !table.is_empty()) { p { (printed.title) } (table(printed)) }
        @if let Some(correlations) = captions::correlations(paper) { p.said { (correlations) } }
        p.said { (captions::PAPER) }
    }
}

pub(super) fn repeat(experiment: &Experiment, report: &Report) -> Markup {
    let options: String = experiment.overrides.options().iter().map(|option| format!(" {option}")).collect();
    let timed = report.digest.not_reproducible;
    html! {
        p { "To repeat this run, save the experiment below as a file and run it. The same version of evouct gives the same digest on every machine." }
        pre { "evouct run experiment.toml" (options) "\nevouct digest runs/" (report.name) }
        dl {
            dt { "evouct" } dd { (report.evouct) }
            dt { "experiment" } dd { code { (report.hash) } }
            dt { "seed" } dd { (report.seed) }
            dt { "preset" } dd { (report.preset) }
            dt { "digest" } dd { code { (report.digest.digest) } " over " (report.digest.games) " games" }
            @if timed > 0 { dt { "not repeatable" } dd { (timed) " games: under a clock, or a program or a person decided" } }
            dt { "cost" } dd { (grouped(report.playouts)) " playouts, " (core_hours(report.seconds)) " of thinking time" }
        }
        h3 { "Players" }
        (table(&typed::players(experiment)))
        h3 { "Experiment" }
        details open { summary { "experiment.toml" } pre tabindex="0" { (experiment.toml) } }
    }
}
