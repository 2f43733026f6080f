//! A tuning as text for a terminal.

use super::centres::DistributionOutcome;
use super::outcome::{CandidateRow, TuningOutcome, decks_of};
use super::rounds::{RoundPlan, TuningMethod};
use super::tuning::Tuning;
use evouct_base::plural::{counted, noun_of};
use evouct_base::wrap::wrapped;
use evouct_stats::Interval;

/// The plan: rounds, players, decks, games.
pub fn plan(tuning: &Tuning) -> String {
    let mut text = String::new();
    let opponents: Vec<&str> = tuning.opponents.iter().map(|opponent| opponent.name.as_str()).collect();
    let against = if opponents.is_empty() { "its own default".to_owned() } else { opponents.join(", ") };
    let candidates = tuning.candidates.len() - 1;
    let over = tuning.options.over.join(" --over ");
    let (name, player) = (tuning.name(), tuning.player());
    push(&mut text, &format!("{name}: tune {player} over {over}"));
    let seed = tuning.experiment.seed;
    let players = match tuning.options.method {
        TuningMethod::Halving => format!("the default and {}", counted(candidates, "other candidate")),
        TuningMethod::Surface => format!("a surface over {}", counted(candidates, "candidate")),
        TuningMethod::Cma => {
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

/// The result: a table of candidates, or of rounds, and the held-out stage.
pub fn summary(outcome: &TuningOutcome) -> String {
    let mut text = String::new();
    match &outcome.distribution {
        Some(distribution) => centres(distribution, &mut text),
        None => candidates(outcome, &mut text),
    }
    push(&mut text, "");
    text.push_str(&wrapped(&format!("Held-out decks ({} less the default, points per game)", outcome.challenger)));
    for comparison in &outcome.held_out {
        let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:+.2}"));
        let p = |value: Option<f64>| value.map_or("-".to_owned(), p_value);
        text.push_str(&wrapped(&format!(
            "{}: {} {}, p {}{}, {}",
            comparison.what,
            number(comparison.mean),
            interval(comparison.interval),
            p(comparison.p),
            if outcome.held_out.len() > 1 { format!(" (Holm's p {})", p(comparison.holm)) } else { String::new() },
            decks_of("deck", comparison.decks, comparison.repeats),
        )));
    }
    push(&mut text, "");
    if outcome.winner == outcome.player {
        text.push_str(&wrapped(&format!("The default of {} has the best estimate of all candidates.", outcome.player)));
    }
    text.push_str(&wrapped(&format!("Result: {}.", outcome.sentence())));
    text.extend(outcome.detectable().into_iter().chain(outcome.repeats()).map(|sentence| wrapped(&sentence)));
    text
}

/// The table of candidates.
fn candidates(outcome: &TuningOutcome, text: &mut String) {
    let has_surface = outcome.method == TuningMethod::Surface;
    text.push_str(&wrapped(match has_surface {
        false => "Candidates (points per game more than the opponents; estimates of the best are too high)",
        true => "Candidates (points per game more than the opponents: by their own decks, and by the surface)",
    }));
    let names = outcome.candidates.iter().map(|row| label(row).chars().count());
    let width = names.max().unwrap_or_default().clamp(9, 40);
    let last = if has_surface { "surface" } else { "left" };
    push(text, &format!("  {:width$}   decks  difference  95 % interval      {last}", "candidate"));
    for row in &outcome.candidates {
        let difference = row.mean.map_or("-".to_owned(), |mean| format!("{mean:+.2}"));
        let left = match row.left {
            _ if let Some(predicted) = row.predicted => {
                format!("{:+.2} {}", predicted.mean, interval(Some(predicted.interval)))
            }
            _ if row.decks == 0 => "-".to_owned(),
            Some(round) => format!("round {round}"),
            None => "winner".to_owned(),
        };
        let failed = if row.failed > 0 { format!(", {} failed", counted(row.failed, "game")) } else { String::new() };
        let interval = interval(row.interval);
        push(
            text,
            &format!("  {:width$}  {:>6}  {difference:>10}  {interval:<17}  {left}{failed}", label(row), row.decks),
        );
    }
}

/// The table of rounds.
fn centres(distribution: &DistributionOutcome, text: &mut String) {
    text.push_str(&wrapped("Rounds (points per game of all players of the round more than the opponents)"));
    push(text, "  round  difference  95 % interval      best guess after it");
    if distribution.path.is_empty() {
        push(text, "  no round has a result");
    }
    for row in &distribution.path {
        let (difference, interval) = (format!("{:+.2}", row.mean), interval(row.interval));
        push(text, &format!("  {:>5}  {difference:>10}  {interval:<17}  {}", row.round, row.candidate));
    }
}

/// The name of a candidate in tables.
pub(super) fn label(row: &CandidateRow) -> String {
    if row.is_default { format!("{} (default)", row.name) } else { row.name.clone() }
}

fn interval(interval: Option<Interval>) -> String {
    interval.map_or("-".to_owned(), |ends| format!("[{:+.2}, {:+.2}]", ends.low, ends.high))
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
