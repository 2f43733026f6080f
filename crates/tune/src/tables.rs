//! The tables of a tuning as columns of typed cells, made once for the terminal, the page and `candidates.csv`.

use super::centres::DistributionOutcome;
use super::compared::TuningBeside;
use super::method::Model;
use super::outcome::{CandidateRow, Comparison, TuningOutcome};
use super::tuning::{Tuning, game_name};
use evouct_base::parameter::Parameter;
use evouct_base::table::{Cell, Digits, Table, Width};
use evouct_stats::Interval;

/// Where the rows of a long comparison are: what prints it writes no files.
const REST: &str = "evouct compare --format json";

/// A mean difference with its interval.
pub(super) fn mean(mean: Option<f64>, interval: Option<Interval>) -> Cell {
    let ends = interval.map(|Interval { low, high }| [low, high]);
    Cell::maybe(mean, |mean| Cell::Mean { mean, ends, is_even: true, digits: Digits::SIGNED })
}

/// The held-out comparisons.
pub(super) fn held_out(outcome: &TuningOutcome) -> Table {
    let decks = |row: &&Comparison| decks(row);
    let (challenger, player) = (&outcome.challenger, &outcome.player);
    Table::of("held-out", "Held-out decks", &outcome.held_out)
        .shown(Width::Narrow, "comparison", "comparison", |row| Cell::word(row.what))
        .shown(Width::Narrow, "decks", "decks", decks)
        .shown(Width::Narrow, "difference", "difference", |row| mean(row.mean, row.interval))
        .shown(Width::Narrow, "p", "paired t p", |row| Cell::p(row.p))
        .shown(Width::Narrow, "holm_p", "Holm p", |row| Cell::corrected_p(row.holm))
        .shown(Width::Full, "permutation_p", "permutation p", |row| Cell::p(row.permutation))
        .table()
        .noted(format!("{challenger} less the default, {}, ± 95 %", outcome.unit))
        .explained(
            format!(
                "Score of {challenger} less that of the default of {player}, per game, on decks that no round has. Only these intervals \
                 and p-values are valid: the candidate was chosen before the first of these games. A p-value above 0.05 is not evidence \
                 of equality."
            ),
            "report.json",
        )
}

/// Tunings beside one another: what each selected, and what that took.
pub(super) fn tunings(all: &[TuningBeside], unit: &str) -> Table {
    let text = |own: &TuningBeside| {
        let row = own.outcome.candidates.iter().find(|row| row.name == own.outcome.challenger);
        let values = row.map(|row| row.parameters.keys().map(move |key| format!("{key} = {}", row.value(key))));
        values.map_or_else(|| own.outcome.challenger.clone(), |values| values.collect::<Vec<_>>().join(", "))
    };
    Table::of("tunings", "Tunings", all)
        .shown(Width::Narrow, "folder", "folder", |own| Cell::name(&own.folder))
        .shown(Width::Narrow, "player", "player", |own| Cell::name(&own.outcome.player))
        .shown(Width::Narrow, "selected", "selected", |own| Cell::name(text(own)))
        .shown(Width::Narrow, "seed", "seed", |own| Cell::Count(own.outcome.seed))
        .shown(Width::Narrow, "games", "games", |own| Cell::Count(own.outcome.budget))
        .shown(Width::Narrow, "core_hours", "core-hours", |own| {
            Cell::Number(own.core_seconds / 3_600.0, Digits::fixed(4))
        })
        .table()
        .explained(
            format!("The best candidate other than the default, which may be better; differences are in {unit}."),
            REST,
        )
}

/// The held-out comparisons of tunings.
pub(super) fn held_out_of(all: &[TuningBeside], unit: &str) -> Table {
    let rows = all.iter().flat_map(|own| own.outcome.held_out.iter().map(move |row| (own, row)));
    Table::of("held-out", "Held-out decks", rows)
        .shown(Width::Narrow, "folder", "folder", |(own, _)| Cell::name(&own.folder))
        .shown(Width::Narrow, "comparison", "comparison", |(_, row)| Cell::word(row.what))
        .shown(Width::Narrow, "decks", "decks", |(_, row)| decks(row))
        .shown(Width::Narrow, "difference", "difference", |(_, row)| mean(row.mean, row.interval))
        .shown(Width::Narrow, "holm_p", "Holm p", |(_, row)| Cell::corrected_p(row.holm))
        .table()
        .explained(
            format!(
                "What each tuning selected less its default, {unit}, ± 95 %. Holm's correction is over the comparisons of a tuning, \
                 not over tunings."
            ),
            REST,
        )
}

fn decks(row: &Comparison) -> Cell {
    match row.repeats {
        0 => Cell::Count(row.decks),
        repeats => Cell::Of(row.decks, row.decks + repeats),
    }
}

/// The held-out comparisons by game; none of one game.
pub(super) fn by_game(outcome: &TuningOutcome) -> Option<Table> {
    let challenger = &outcome.challenger;
    let table = Table::of("by-game", "Held-out decks by game", &outcome.by_game)
        .shown(Width::Narrow, "game", "game", |row| Cell::name(game_name((&row.game, row.held_out))))
        .shown(Width::Narrow, "comparison", "comparison", |row| Cell::word(row.comparison.what))
        .shown(Width::Narrow, "decks", "decks", |row| decks(&row.comparison))
        .shown(Width::Narrow, "difference", "difference", |row| mean(row.comparison.mean, row.comparison.interval))
        .shown(Width::Narrow, "p", "paired t p", |row| Cell::p(row.comparison.p))
        .table()
        .noted(format!("{challenger} less the default, points per game, ± 95 %"))
        .explained("The same in each game alone. Nothing is corrected for several games.".to_owned(), "report.json");
    (!outcome.by_game.is_empty()).then_some(table)
}

/// The candidates with their values of these parameters, `candidates.csv`.
pub(super) fn candidates(parameters: impl Iterator<Item = &'static Parameter>, outcome: &TuningOutcome) -> Table {
    let has_surface = outcome.method.model() == Model::Surface;
    let mut table = Table::of("candidates", "Candidates", &outcome.candidates)
        .file("candidate", |row| Cell::name(&row.name))
        .file("default", |row| Cell::Flag(row.is_default))
        .shown(Width::Narrow, "name", "candidate", |row| Cell::name(row.label()));
    for parameter in parameters.map(|parameter| parameter.name) {
        let value = |row: &&CandidateRow| row.value(parameter);
        table = match parameter {
            "formula" => table.file(parameter, |row| Cell::Formula(value(row))),
            _ => table.file(parameter, |row| Cell::name(value(row))),
        };
        // Names of parameters are no columns that a page explains: `depth` is one of a search here.
        table = table.shown(Width::Full, parameter, format!("{parameter} ="), |row| {
            let number = row.parameters.get(parameter).and_then(serde_json::Value::as_f64);
            number.map_or_else(|| Cell::name(value(row)), |number| Cell::Number(significant(number), Digits::SHORTEST))
        });
    }
    let (note, caption) = match has_surface {
        false => (
            format!("{} more than the opponents, ± 95 %; estimates of the best are too high", outcome.unit),
            "The best first; those that left earlier stand below. Difference: mean score less that of the opponents, over all decks \
             of the rounds that the candidate played. The estimate of a candidate that advanced is too high, because it \
             advanced by this estimate, and its interval does not say so. Intervals of those that left in the first round rest on \
             few decks.",
        ),
        true => (
            format!("{} more than the opponents, ± 95 %: by their own decks, and by the surface", outcome.unit),
            "The best by the surface first; other candidates without games are left out. Difference: mean score less that of the \
             opponents, over the decks of the candidate alone. Surface: the same by all results, where those of near candidates \
             count. The default plays held-out decks alone.",
        ),
    };
    table
        .column(Width::Narrow, "decks", "decks", |row| Cell::Count(row.decks))
        .column(Width::Narrow, "mean, low, high", "difference", |row| mean(row.mean, row.interval))
        .when(has_surface, |table| {
            table.column(Width::Narrow, "surface, surface_low, surface_high", "surface", |row| {
                mean(row.predicted.map(|one| one.mean), row.predicted.map(|one| one.interval))
            })
        })
        .column(Width::Narrow, "failed", "failed", |row| Cell::Count(row.failed))
        .column(if has_surface { Width::File } else { Width::Narrow }, "left", "left", |row| {
            Cell::maybe(row.left, Cell::count)
        })
        .table()
        .noted(note)
        .explained(caption, "candidates.csv")
}

/// The best guess after each round.
pub(super) fn centres(distribution: &DistributionOutcome, unit: &str) -> Table {
    Table::of("centres", "Rounds", &distribution.path)
        .shown(Width::Narrow, "round", "round", |row| Cell::count(row.round))
        .shown(Width::Narrow, "difference", "difference", |row| mean(Some(row.mean), row.interval))
        .shown(Width::Narrow, "best", "best guess after it", |row| Cell::name(&row.candidate))
        .table()
        .noted(format!("{unit} of all players of the round more than the opponents, ± 95 %"))
}

/// A stage of the plan.
struct Stage<'a> {
    name: String,
    folder: String,
    contestants: u64,
    decks: u64,
    games: u64,
    /// The candidate after it, and its value or that of the round's players.
    after: Option<(&'a String, f64)>,
}

/// The rounds and the held-out stage.
pub(super) fn rounds(tuning: &Tuning, outcome: &TuningOutcome) -> Table {
    let (surface, distribution) = (outcome.surface.as_ref(), outcome.distribution.as_ref());
    let surfaces =
        surface.iter().flat_map(|one| &one.path).map(|row| (row.round, (&row.candidate, row.predicted.mean)));
    let centres = distribution.iter().flat_map(|one| &one.path).map(|row| (row.round, (&row.candidate, row.mean)));
    let path: Vec<(usize, (&String, f64))> = surfaces.chain(centres).collect();
    let after = |round: usize| path.iter().find(|(of, _)| *of == round).map(|(_, found)| *found);
    let stage = |(round, plan): (usize, &super::rounds::RoundPlan)| Stage {
        name: format!("round {round}"),
        folder: format!("round-{round}"),
        contestants: plan.contestants as u64,
        decks: plan.decks,
        games: plan.games,
        after: after(round),
    };
    let plan = tuning.rounds.held_out;
    let (name, folder) = ("held-out decks".to_owned(), "held-out".to_owned());
    let held_out = Stage { name, folder, contestants: 2, decks: plan.decks, games: plan.games, after: None };
    let columns = match outcome.method.model() {
        Model::None => None,
        Model::Surface => Some(["recommended after it", "surface"]),
        Model::Distribution => Some(["best guess after it", "difference"]),
    };
    let [candidate, value] = columns.unwrap_or_default();
    let others = match tuning.opponents.len() {
        0 => "",
        1 => "; held-out-opponent-1 has the games against the opponents",
        _ => {
            "; with several opponents there is one for each; held-out-opponent-1 and so on have the games against the opponents"
        }
    };
    Table::of("rounds", "Rounds", (1..).zip(&tuning.rounds.rounds).map(stage).chain([held_out]))
        .shown(Width::Narrow, "stage", "stage", |row| Cell::word(row.name.clone()))
        .shown(Width::Narrow, "folder", "folder", |row| Cell::word(row.folder.clone()))
        .when(columns.is_some(), |table| {
            table.shown(Width::Narrow, "after", candidate, |row| {
                Cell::maybe(row.after, |(candidate, _)| Cell::name(candidate))
            })
        })
        .shown(Width::Narrow, "contestants", "contestants", |row| Cell::Count(row.contestants))
        .shown(Width::Narrow, "decks", "decks", |row| Cell::Count(row.decks))
        .shown(Width::Narrow, "games", "games", |row| Cell::Count(row.games))
        .when(columns.is_some(), |table| {
            table.shown(Width::Narrow, "value", value, |row| mean(row.after.map(|(_, value)| value), None))
        })
        .table()
        .explained(
            format!("{} Each folder is a run with a report of its own{others}.", outcome.method.about()),
            "tune.json",
        )
}

/// A number with three significant digits, and all of those before the point. The names of candidates and
/// `candidates.csv` have the rest.
fn significant(value: f64) -> f64 {
    if value.fract() == 0.0 || value.abs() >= 100.0 {
        return value.round();
    }
    format!("{value:.2e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::significant;

    #[test]
    fn numbers_have_three_significant_digits() {
        let numbers = [std::f64::consts::SQRT_2, 0.031_622_8, 0.5, 2800.0, 123.4, -1.0].map(significant);
        assert_eq!(numbers, [1.41, 0.0316, 0.5, 2800.0, 123.0, -1.0]);
    }
}
