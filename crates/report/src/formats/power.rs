//! How many decks tests need, as a command prints it.

use super::block::{Block, Format, print};
use crate::tables::power::{Power, PowerAtLooks, PowerRow};
use evouct_base::grouped::grouped;
use evouct_base::plural::{counted, noun_of};
use evouct_base::table::{Cell, Digits, Table, Width};
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
    let title = format!(
        "Known {unit} of each {tested}, the standard deviation of a difference, the difference that so many {unit} find, and \
         what is needed"
    );
    let large = |number: u64| Cell::Large(number as f64, "");
    let score = |value: f64| Cell::Number(value, Digits::SCORE);
    let mut table = Table::of("power", title, &plan.pairs)
        .shown(Width::Narrow, "player", "player", |row| Cell::name(&row.a))
        .shown(Width::Narrow, "opponent", "opponent", |row| Cell::name(&row.b))
        .shown(Width::Narrow, "known", unit, |row| large(row.known))
        .shown(Width::Narrow, "deviation", "deviation", |row| score(row.deviation))
        .shown(Width::Narrow, "found", format!("found at {percent} %"), |row| Cell::maybe(row.found, score));
    let for_difference: fn(&PowerRow) -> Option<u64> = |row| row.for_difference;
    let wanted = [("", plan.difference, for_difference), ("± ", plan.interval, |row| row.for_interval)];
    for (sign, own, units) in wanted {
        let Some(own) = own else { continue };
        table = table
            .shown(Width::Narrow, "needed", format!("{unit} for {sign}{own}"), |row| Cell::maybe(units(row), large));
    }
    blocks.push(Block::Table(table.table(), Width::Full));
    blocks
}
