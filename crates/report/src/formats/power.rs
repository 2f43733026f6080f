//! How many decks tests need, as a command prints it.

use super::block::{Block, Format, TextTable, print};
use super::cell::score;
use crate::tables::headline::grouped;
use crate::tables::power::Power;
use evouct_base::plural::{counted, noun_of};
use evouct_stats::SIGNIFICANCE_LEVEL;

/// A table with a row for each pair that is tested, below what it says in sentences.
pub fn power_table(plan: &Power, format: Format) -> String {
    print(&blocks(plan), format)
}

fn blocks(plan: &Power) -> Vec<Block> {
    let unit = plan.unit;
    let percent = 100.0 * plan.power;
    let mut blocks = Vec::new();
    if plan.pairs.is_empty() {
        let text = format!("No pair of players has met on two {unit}: nothing is known of how its results vary.");
        return vec![Block::Paragraph(text)];
    }
    let wanted: Vec<String> = [
        plan.difference
            .map(|own| format!("find a difference of {} per game with probability {percent} %", counted(own, "point"))),
        plan.interval.map(|own| format!("have an interval of ± {} per game", counted(own, "point"))),
    ]
    .into_iter()
    .flatten()
    .collect();
    if !wanted.is_empty() {
        let wanted = wanted.join(" and ");
        blocks.push(Block::Paragraph(match (plan.decks, plan.games) {
            (Some(decks), Some(games)) => {
                let (of_decks, of_games) = (noun_of(decks, "deck"), noun_of(games, "game"));
                format!(
                    "{} {of_decks} per match {wanted} in every pair: {} {of_games}.",
                    grouped(decks),
                    grouped(games)
                )
            }
            _ => format!("No number of decks below a billion will {wanted} in every pair."),
        }));
    }
    let level = 100.0 * SIGNIFICANCE_LEVEL / plan.tests.max(1) as f64;
    blocks.push(Block::Paragraph(format!(
        "Tests are paired and two-sided, at 5 % after Holm's correction over {}: each finds its difference at {level:.2} %, \
         whatever the others show.",
        counted(plan.tests, "pair")
    )));
    let found = format!("found at {percent} %");
    let for_difference = plan.difference.map(|own| format!("{unit} for {own}"));
    let for_interval = plan.interval.map(|own| format!("{unit} for ± {own}"));
    let mut header = vec!["player", "opponent", unit, "deviation", found.as_str()];
    header.extend(for_difference.as_deref());
    header.extend(for_interval.as_deref());
    let title = format!(
        "Known {unit} of each pair, the standard deviation of a difference, the difference that so many {unit} find, and \
         what is needed"
    );
    let mut table = TextTable::new(title, &header, 2, &[0, 1]);
    for row in &plan.pairs {
        let needed =
            |wanted: Option<f64>, units: Option<u64>| wanted.map(|_| units.map_or_else(|| "-".to_owned(), grouped));
        let cells = [row.a.clone(), row.b.clone(), grouped(row.known), score(row.deviation), score(row.found)];
        let asked = [needed(plan.difference, row.for_difference), needed(plan.interval, row.for_interval)];
        table.row(cells.into_iter().chain(asked.into_iter().flatten()));
    }
    blocks.push(Block::Table(table));
    blocks
}
