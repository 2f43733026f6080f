//! A tuning as text for a terminal.

use super::method::Model;
use super::outcome::TuningOutcome;
use super::rounds::RoundPlan;
use super::tables;
use super::tuning::{Tuning, game_name};
use evouct_base::plural::{counted, noun_of};
use evouct_base::table::Table;
use evouct_base::wrap::wrapped;
use evouct_report::{Format, all_printed, printed};

/// The plan: rounds, players, decks, games.
pub fn plan(tuning: &Tuning) -> String {
    let mut text = String::new();
    let opponents: Vec<&str> = tuning.opponents.iter().map(|opponent| opponent.name.as_str()).collect();
    let against = if opponents.is_empty() { "its own default".to_owned() } else { opponents.join(", ") };
    let candidates = tuning.candidates.len() - 1;
    let over = tuning.options.over.join(" --over ");
    let (name, player) = (tuning.name(), tuning.player());
    push(&mut text, &format!("{name}: tune {player} over {over}"));
    if !tuning.further.is_empty() {
        push(&mut text, &format!("in {}", tuning.games().into_iter().map(game_name).collect::<Vec<_>>().join(", ")));
    }
    let seed = tuning.experiment.seed;
    let players = match tuning.options.method.model() {
        Model::None => format!("the default and {}", counted(candidates, "other candidate")),
        Model::Surface => format!("a surface over {}", counted(candidates, "candidate")),
        Model::Distribution => {
            let ranges = tuning.overs.iter().filter(|over| over.choice.is_range()).count();
            let lists = tuning.overs.len() - ranges;
            let lists = if lists > 0 { format!(" and {}", counted(lists, "list")) } else { String::new() };
            format!("CMA-ES over {}{lists}", counted(ranges, "range"))
        }
    };
    push(&mut text, &format!("{players} against {against}, seed {seed}"));
    for constraint in &tuning.options.constraints {
        push(&mut text, &format!("where {constraint}"));
    }
    if tuning.left_out > 0 {
        let draws = counted(tuning.left_out as u64, "combination");
        push(&mut text, &format!("{draws} of values left out: they cannot play together"));
    }
    let rounds = &tuning.rounds.rounds;
    let width = if rounds.len() < 10 { 8 } else { 9 };
    for (round, plan) in (1..).zip(rounds) {
        let (name, RoundPlan { contestants, decks, games }) = (format!("round {round}:"), plan);
        let players = format!("{},", noun_of(*contestants as u64, "player"));
        let unit = format!("{},", noun_of(*decks, "deck"));
        push(&mut text, &format!("  {name:width$} {contestants:>3} {players:8} {decks:>6} {unit:6} {games:>8} games"));
    }
    let held_out = tuning.rounds.held_out;
    push(&mut text, &format!("  held-out:   2 players, {:>6} decks, {:>8} games", held_out.decks, held_out.games));
    push(&mut text, &format!("{} of a budget of {}", counted(tuning.rounds.games(), "game"), tuning.options.budget));
    text
}

fn tables_of(outcome: &TuningOutcome) -> impl Iterator<Item = Table> {
    let rounds = match &outcome.distribution {
        Some(distribution) => tables::centres(distribution, outcome.unit),
        None => tables::candidates(std::iter::empty(), outcome),
    };
    [rounds, tables::held_out(outcome)].into_iter().chain(tables::by_game(outcome))
}

/// The tables of the result in a form.
pub fn tuning_tables(outcome: &TuningOutcome, format: Format) -> String {
    all_printed(tables_of(outcome), format)
}

/// The result: a table of candidates, or of rounds, and the held-out stage.
pub fn summary(outcome: &TuningOutcome) -> String {
    let mut text = String::new();
    for table in tables_of(outcome) {
        text.push_str(&printed(table, Format::Text));
        push(&mut text, "");
    }
    if outcome.winner == outcome.player {
        text.push_str(&wrapped(&format!("The default of {} has the best estimate of all candidates.", outcome.player)));
    }
    text.push_str(&wrapped(&format!("Result: {}.", outcome.sentence())));
    text.extend(outcome.detectable().into_iter().chain(outcome.repeats()).map(|sentence| wrapped(&sentence)));
    text
}

/// A p-value with its relation.
pub(super) fn p_value(p: f64) -> String {
    if p < 0.000_1 {
        "< 0.0001".to_owned()
    } else if p < 0.1 {
        format!("= {p:.4}")
    } else {
        format!("= {p:.2}")
    }
}

fn push(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}
