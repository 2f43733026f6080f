//! The page of runs beside the first of them.

use super::sections::plus_minus;
use super::table::{TableCell, count, holm, interval, name, number, p_value, shown, signed, table};
use super::{PagePart, headline, page_of};
use crate::formats::chart::rows::{Dot, dots};
use crate::formats::figure::shown as figure;
use crate::tables::changes::{self, AcrossRuns, Change};
use crate::tables::compare::{BesideFirst, MatchPair, SideBySide};
use crate::tables::matches::MatchRow;
use evouct_base::named::Named;
use maud::{Markup, html};

/// The largest number of changes in the chart.
const DOTS: usize = 40;
/// Where the rows of a long table are: the page has no files beside it.
const REST: &str = "evouct compare --json";

/// The page of a comparison, in one file.
pub fn compared_page(compared: &BesideFirst) -> String {
    let first = compared.runs.first().map_or("", |run| run.names[0].as_str());
    let mut sections: Vec<PagePart> = vec![
        ("headline", "In short", headline(&changes::headline(compared))),
        ("runs", "Runs", runs(compared)),
        ("players", "Players", players(compared)),
    ];
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
    let row = |number: usize, run: &SideBySide, side: usize| -> Vec<TableCell> {
        vec![
            name(&number.to_string()),
            name(&run.names[side]),
            name(&run.presets[side]),
            name(&run.digests[side]),
            count(run.seeds[side]),
            count(run.games[side]),
        ]
    };
    let first = compared.runs.first().map(|run| row(1, run, 0));
    let rows = first.into_iter().chain(others(compared).map(|(number, run)| row(number, run, 1))).collect();
    html! {
        (table("Runs", &["run", "experiment", "preset", "digest", "seed", "games"], rows, REST))
        @for (number, run) in others(compared).filter(|(_, run)| !run.differences.is_empty()) {
            h3 { "Changed from run 1 to run " (number) }
            ul { @for difference in &run.differences { li { (difference) } } }
        }
    }
}

fn players(compared: &BesideFirst) -> Markup {
    let players = changes::players(compared);
    let rows = players.iter().flat_map(|player| {
        let AcrossRuns { name: player, first, changes } = player;
        let unchanged = || std::iter::repeat_with(|| number(None, 0));
        let difference = plus_minus(&first.difference, true);
        let first: Vec<TableCell> = [name(player), count(1_u64), count(first.standing.points), difference]
            .into_iter()
            .chain(unchanged().take(4))
            .collect();
        let others = changes.iter().map(|Change { run, player: change, p_holm }| {
            let after = &change.rows[1];
            let test = change.change;
            let by = test.map(|test| test.difference);
            vec![
                name(player),
                count(*run as u64),
                count(after.standing.points),
                plus_minus(&after.difference, true),
                signed(by),
                interval(test.and_then(|test| test.interval), 1.0, 2, by.unwrap_or_default()),
                p_value(test.map(|test| test.p)),
                holm(*p_holm),
            ]
        });
        std::iter::once(first).chain(others).collect::<Vec<_>>()
    });
    let columns = ["player", "run", "points", "difference", "change", "95 %", "p", "p Holm"];
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
    html! {
        div.beside {
            div {
                (table("Players", &columns, rows.collect(), REST))
                p.said { "Players of the first run that other runs have. " (changes::explained(compared)) "." }
            }
            @if !drawn.is_empty() {
                (figure(
                    &dots("change of the difference, in points per game", &drawn),
                    &format!("Change of each player in each run, with 95 % intervals, which are not corrected.{left_out}"),
                    None,
                ))
            }
        }
    }
}

fn matches(compared: &BesideFirst) -> Markup {
    let won = |row: &MatchRow| shown(format!("{}–{}", row.home_wins, row.away_wins), row.home_wins as f64);
    let row = |pair: &MatchPair| {
        let [before, after] = &pair.rows;
        vec![name(&before.home), name(&before.away), won(before), won(after), p_value(pair.p)]
    };
    html! {
        @for (number, run) in others(compared).filter(|(_, run)| !run.matches.is_empty()) {
            @let caption = format!("Matches of run 1 and run {number}");
            details {
                summary { (caption) }
                (table(&caption, &["player 1", "player 2", "first run", "this run", "p"], run.matches.iter().map(row).collect(), REST))
            }
        }
        p.said { "Games won by player 1 – by player 2. " (changes::MATCHES) "." }
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
