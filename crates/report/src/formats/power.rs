//! How many decks tests need, as a command prints it.

use super::block::{Block, Format, TextTable, print};
use super::cell::score;
use crate::tables::grouped::grouped;
use crate::tables::power::{Power, PowerAtLooks};
use evouct_base::plural::{counted, noun_of};
use evouct_stats::SIGNIFICANCE_LEVEL;

/// The fewest units by which a standard deviation is known to about a half.
const FEW: u64 = 10;

/// A table with a row for each pair that is tested, below what it says in sentences.
pub fn power_table(plan: &Power, format: Format) -> String {
    print(&blocks(plan), format)
}

/// What looks cost, and what they save where players differ.
fn at_looks(looks: &PowerAtLooks, plan: &Power) -> String {
    let PowerAtLooks { count, inflation, expected_games } = looks;
    let cost = format!(
        "With {count} looks {inflation:.2} times the {} of a league without looks are planned for the same power.",
        plan.unit
    );
    let saved = expected_games.zip(plan.difference).map(|(games, difference)| {
        let others = if plan.unknown.is_empty() { "" } else { " and those that are not known play to the end" };
        let games = format!("{} {}", grouped(games), noun_of(games, "game"));
        format!(" About {games} are played on average if all pairs differ by {}{others}.", counted(difference, "point"))
    });
    cost + &saved.unwrap_or_default()
}

fn blocks(plan: &Power) -> Vec<Block> {
    let unit = plan.unit;
    let percent = (10_000.0 * plan.power).round() / 100.0;
    let mut blocks = Vec::new();
    let is_known = plan.pairs.iter().any(|row| row.deviation > 0.0);
    if plan.pairs.is_empty() {
        let text = format!("Nothing is known of how results vary: {}.", plan.unknown_why());
        return vec![Block::Paragraph(text)];
    }
    let (tested, mean, from) = match &plan.opponents[..] {
        [] => ("pair", "", String::new()),
        names => ("contestant", "mean ", format!(" from the fixed opponents ({})", names.join(", "))),
    };
    let wanted: Vec<String> = [
        plan.difference.map(|own| {
            format!("find a {mean}difference of {} per game{from} with probability {percent} %", counted(own, "point"))
        }),
        plan.interval.map(|own| format!("have an interval of ± {} per game", counted(own, "point"))),
    ]
    .into_iter()
    .flatten()
    .collect();
    let known = if plan.unknown.is_empty() { "" } else { " that is known" };
    let every = format!("{} every {tested}{known}", if plan.opponents.is_empty() { "in" } else { "for" });
    if !wanted.is_empty() && is_known {
        let wanted = wanted.join(" and ");
        blocks.push(Block::Paragraph(match (plan.decks, plan.games) {
            (Some(decks), Some(games)) => {
                let (of_decks, of_games) = (noun_of(decks, "deck"), noun_of(games, "game"));
                let at_most = if plan.looks.is_some() { "at most " } else { "" };
                format!(
                    "{} {of_decks} per match {wanted} {every}: {at_most}{} {of_games}.",
                    grouped(decks),
                    grouped(games)
                )
            }
            _ => format!("No number of decks below a billion will {wanted} {every}."),
        }));
    }
    if let Some(looks) = &plan.looks {
        blocks.push(Block::Paragraph(at_looks(looks, plan)));
    }
    if let [[a, b], others @ ..] = &plan.unknown[..] {
        let others = match others.len() {
            0 => String::new(),
            count => format!(", and of {}", counted(count, &format!("further {tested}"))),
        };
        let lacks = match plan.opponents.is_empty() {
            true => format!("they have not met on two {unit}"),
            false => format!("two {unit} are not complete"),
        };
        blocks.push(Block::Paragraph(format!(
            "Nothing is known of how the results of {a} against {b}{others} vary: {lacks}, or have equal results only."
        )));
    }
    if plan.pairs.iter().any(|row| row.known < FEW) {
        blocks.push(Block::Paragraph(format!("Deviations of fewer than {FEW} {unit} are rough.")));
    }
    let level = 100.0 * SIGNIFICANCE_LEVEL / plan.tests.max(1) as f64;
    let level = if level < 0.01 { format!("{level:.1e}") } else { format!("{level:.2}") };
    blocks.push(Block::Paragraph(format!(
        "Tests are paired and two-sided, at 5 % {}after Holm's correction over {}: each finds its difference at {level} %, \
         whatever the others show.{}",
        if plan.looks.is_some() { "over all looks " } else { "" },
        counted(plan.tests, tested),
        match plan.may_end_earlier {
            true => format!(
                " All numbers are for {unit} that are fixed in advance; the sequential test of this match may end earlier."
            ),
            false => String::new(),
        }
    )));
    let found = format!("found at {percent} %");
    let for_difference = plan.difference.map(|own| format!("{unit} for {own}"));
    let for_interval = plan.interval.map(|own| format!("{unit} for ± {own}"));
    let mut header = vec!["player", "opponent", unit, "deviation", found.as_str()];
    header.extend(for_difference.as_deref());
    header.extend(for_interval.as_deref());
    let title = format!(
        "Known {unit} of each {tested}, the standard deviation of a difference, the difference that so many {unit} find, and \
         what is needed"
    );
    let mut table = TextTable::new(title, &header, 2, &[0, 1]);
    for row in &plan.pairs {
        let needed =
            |wanted: Option<f64>, units: Option<u64>| wanted.map(|_| units.map_or_else(|| "-".to_owned(), grouped));
        let cells = [
            row.a.clone(),
            row.b.clone(),
            grouped(row.known),
            score(row.deviation),
            row.found.map_or_else(|| "-".to_owned(), score),
        ];
        let asked = [needed(plan.difference, row.for_difference), needed(plan.interval, row.for_interval)];
        table.row(cells.into_iter().chain(asked.into_iter().flatten()));
    }
    blocks.push(Block::Table(table));
    blocks
}
