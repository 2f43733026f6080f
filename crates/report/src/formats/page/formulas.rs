//! The formulas of a league: those of its players as the experiment has them, and those that evolved during play. Tables
//! list them, and the most important ones are typeset.

use super::table::table;
use super::typeset;
use crate::formats::shapes::worth_a_look;
use crate::tables::captions;
use crate::tables::formula_names::formula_names;
use crate::tables::formulas::{FormulaRow, FrontRow};
use crate::tables::report::Report;
use crate::tables::typed;
use evouct_base::named::Named;
use evouct_base::parameter::{Parsed, Value};
use evouct_base::plural::counted;
use evouct_gp::{Genome, Tree};
use evouct_league::config::Experiment;
use maud::{Markup, html};

/// The largest number of given formulas that are typeset, and of players that are named beside one.
const GIVEN: usize = 24;
const NAMED: usize = 4;
/// The largest number of evolving players whose formula of the highest gain is typeset.
const PLAYERS: usize = 8;

/// A formula that players have been given.
struct Given<'a> {
    /// Its parameter, and its place in a list of formulas.
    what: String,
    tree: &'a Tree,
    players: Vec<&'a str>,
}

/// The section of formulas; none where no player has any.
pub(super) fn section(experiment: &Experiment, report: &Report, charts: &Markup) -> Option<Markup> {
    let given = given(experiment);
    if given.is_empty() && report.evolution.is_empty() {
        return None;
    }
    Some(html! {
        @if !given.is_empty() { (typeset_given(&given)) }
        @if !report.evolution.is_empty() { (tables(report)) (typeset_evolved(report)) div.charts { (charts) } }
        (names(experiment, report, &given))
    })
}

/// What the names in all of them mean.
fn names(experiment: &Experiment, report: &Report, given: &[Given]) -> Markup {
    let rows = report.formulas.iter().map(|row| &row.formula).chain(report.orders.iter().map(|row| &row.formula));
    let texts = rows.chain(report.front.iter().map(|row| &row.formula));
    let evolved: Vec<Tree> = texts.filter_map(|formula| formula.parse().ok()).collect();
    let all = given.iter().map(|given| given.tree).chain(&evolved);
    typeset::names(&formula_names(&[experiment.rules.domain()], all))
}

/// The formulas that differ from those of the preset as-printed, each once; a name alone is none.
fn given(experiment: &Experiment) -> Vec<Given<'_>> {
    let mut found: Vec<Given> = Vec::new();
    for player in &experiment.players {
        for (row, value) in player.spec.parameters().rows().filter(|(row, value)| row.text != **value) {
            let Value::Parsed(parsed) = value else { continue };
            for (what, tree) in trees(row.name, parsed).into_iter().filter(|(_, tree)| tree.size() > 1) {
                match found.iter_mut().find(|given| given.what == what && given.tree == tree) {
                    Some(known) => known.players.push(&player.name),
                    None => found.push(Given { what, tree, players: vec![&player.name] }),
                }
            }
        }
    }
    found
}

/// The formulas of a value, with the name of its parameter.
fn trees<'a>(parameter: &str, parsed: &'a Parsed) -> Vec<(String, &'a Tree)> {
    if let Some(tree) = parsed.meaning::<Tree>() {
        return vec![(parameter.to_owned(), tree)];
    }
    let genomes = parsed.meaning::<Vec<Genome>>().map_or(&[][..], Vec::as_slice);
    let of = |(number, genome): (usize, &'a Genome)| {
        let slots = genome.slots().filter_map(move |slot| Some((slot, genome.tree(slot)?)));
        slots.map(move |(slot, tree)| (format!("{parameter} {number}, {}", slot.name()), tree)).collect::<Vec<_>>()
    };
    (1..).zip(genomes).flat_map(of).collect()
}

fn typeset_given(given: &[Given]) -> Markup {
    html! {
        h3 { "Formulas of the experiment" }
        @for Given { what, tree, players } in given.iter().take(GIVEN) {
            h4 {
                @for (number, player) in players.iter().take(NAMED).enumerate() {
                    @if number > 0 { ", " }
                    bdi { (player) }
                }
                @if players.len() > NAMED { " and " (counted(players.len() - NAMED, "other player")) }
                ": " code { (what) }
            }
            (typeset::formula(tree))
        }
        p.said {
            @if given.len() > GIVEN { "The first " (GIVEN) " of " (counted(given.len(), "formula")) ". " }
            (captions::TYPESET)
        }
    }
}

/// The formulas whose shapes the charts below show, and the one of the highest gain of each player.
fn typeset_evolved(report: &Report) -> Markup {
    let frequent = worth_a_look(&report.formulas);
    let gains = report.evolution.iter().take(PLAYERS).filter_map(|evolved| {
        let own = report.front.iter().filter(|row| row.player == evolved.player && row.nodes > 1);
        let best = own.max_by(|a, b| a.gain.total_cmp(&b.gain))?;
        let is_known = |row: &&FormulaRow| row.player == best.player && row.formula == best.formula;
        (!frequent.iter().any(is_known)).then_some(best)
    });
    let gains: Vec<&FrontRow> = gains.collect();
    html! {
        @if !frequent.is_empty() || !gains.is_empty() {
            h3 { "Formulas of note" }
            @for row in frequent {
                h4 { bdi { (row.player) } ": " (row.order) ", " (row.count) " of " (counted(row.of, "decision")) }
                (typeset_text(&row.formula))
            }
            @for row in gains {
                h4 { bdi { (row.player) } ": highest gain, " (format!("{:+.2}", row.gain)) " in " (counted(row.count, "decision")) }
                (typeset_text(&row.formula))
            }
            p.said { (captions::OF_NOTE) " " (captions::TYPESET) }
        }
    }
}

/// A formula of a table.
fn typeset_text(formula: &str) -> Markup {
    match formula.parse::<Tree>() {
        Ok(tree) => typeset::formula(&tree),
        Err(_) => html! { code { (formula) } },
    }
}

fn tables(report: &Report) -> Markup {
    let (orders, front, frequent) = (typed::orders(report), typed::front(report), typed::formulas(report));
    html! {
        (table(&typed::evolution(report)))
        @for shown in [&orders, &front, &frequent] { h3 { (shown.title) } (table(shown)) }
        p.said { code { "evouct formulas" } " exports them with their protections. All formulas of all decisions: " code { "expressions.csv" } "." }
    }
}
