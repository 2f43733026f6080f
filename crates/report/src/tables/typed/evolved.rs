//! The tables of an evolution before play.

use crate::tables::evolved::{EvolvedReport, GainRow, VALIDATION};
use crate::tables::evolved_beside::EvolvedBeside;
use crate::tables::objectives::{ObjectiveMean, Objectives};
use evouct_base::table::{Cell, Digits, Table, Width};

/// A mean with half of its interval, if it has one.
pub(super) fn plus_minus(mean: f64, half: Option<f64>, digits: Digits) -> Cell {
    Cell::Mean { mean, ends: half.map(|half| [mean - half, mean + half]), is_even: true, digits }
}

/// A time in core-hours.
pub(super) fn core_hours(seconds: Option<f64>) -> Cell {
    Cell::number(seconds.map(|seconds| seconds / 3_600.0), Digits::fixed(4))
}

/// Evolutions beside one another.
pub(crate) fn evolutions(all: &[EvolvedBeside]) -> Table {
    let best = |own: &EvolvedBeside| own.report.finalists.first().cloned();
    Table::of("evolutions", "Evolutions", all)
        .shown(Width::Narrow, "folder", "folder", |own| Cell::name(&own.folder))
        .shown(Width::Narrow, "seed", "seed", |own| Cell::Count(own.report.seed))
        .shown(Width::Narrow, "generations", "generations", |own| {
            Cell::of([own.report.generations.1 as u64, own.report.generations.0.into()])
        })
        .shown(Width::Narrow, "gain", VALIDATION, |own| {
            Cell::maybe(best(own), |best| plus_minus(best.gain, best.half, Digits::SIGNED))
        })
        .shown(Width::Narrow, "champion", "champion", |own| Cell::Flag(own.report.has_champion))
        .shown(Width::Narrow, "nodes", "nodes", |own| Cell::maybe(best(own), |best| Cell::count(best.nodes)))
        .shown(Width::Narrow, "core_hours", "core-hours", |own| core_hours(own.report.core_seconds))
        .shown(Width::Narrow, "formula", "formula", |own| {
            Cell::maybe(best(own), |best| Cell::Formula(best.formula.to_string()))
        })
        .table()
        .explained(
            "The best finalist of each: its gain over the reference on validation decks, ± 95 %, its size, and whether it is the \
             champion. It is the best of several, so that the gain is a little too high.",
            "evouct compare --format json",
        )
}

/// Formulas with their gain, which has a name, and a sentence that says what it is.
pub(crate) fn gains(title: &str, rows: &[GainRow], [name, what]: [&str; 2]) -> Table {
    Table::of("gains", title, rows)
        .shown(Width::Narrow, "formula", "formula", |row| Cell::Formula(row.formula.to_string()))
        .shown(Width::Narrow, "nodes", "nodes", |row| Cell::count(row.nodes))
        .shown(Width::Narrow, "gain", name, |row| plus_minus(row.gain, row.half, Digits::SIGNED))
        .table()
        .explained(what, "report.json")
}

/// The best individual and its ancestors.
pub(crate) fn lineage(report: &EvolvedReport) -> Table {
    Table::of("lineage", "Lineage", &report.lineage)
        .shown(Width::Narrow, "formula", "formula", |row| Cell::Formula(row.formula.to_string()))
        .shown(Width::Narrow, "individual", "individual", |row| Cell::count(row.individual))
        .shown(Width::Narrow, "generation", "generation", |row| Cell::Count(row.born.into()))
        .shown(Width::Full, "island", "island", |row| Cell::count(row.island))
        .shown(Width::Narrow, "operator", "operator", |row| Cell::word(row.operator))
        .shown(Width::Full, "parents", "parents", |row| {
            Cell::word(row.parents.iter().map(usize::to_string).collect::<Vec<_>>().join(", "))
        })
        .shown(Width::Narrow, "gain", report.gain_in_training(), |row| Cell::Number(row.gain, Digits::SIGNED))
        .table()
        .explained(
            "The best individual and its ancestors, the youngest first. The tuning of constants after the last generation is not \
             part of it. lineage.csv has all individuals, and counts generations and islands from 0.",
            "lineage.csv",
        )
}

/// The best finalist in each of several games.
pub(crate) fn games(report: &EvolvedReport) -> Table {
    Table::of("games", "Best finalist in each game", &report.games)
        .shown(Width::Narrow, "game", "game", |row| Cell::name(&row.game))
        .shown(Width::Narrow, "gain", VALIDATION, |row| plus_minus(row.gain, row.half, Digits::SIGNED))
        .shown(Width::Narrow, "points", "points", |row| Cell::Number(row.points, Digits::SIGNED))
        .shown(Width::Narrow, "held_out", "held out", |row| Cell::Flag(row.held_out))
        .table()
        .explained(
            "Validation gain over the reference in standard deviations of the game, ± 95 %, and in points per game. Evolution did not see games \
             that are held out. games.csv has all finalists.",
            "games.csv",
        )
}

/// The best finalist against each opponent.
pub(crate) fn opponents(report: &EvolvedReport) -> Table {
    Table::of("opponents", "Best finalist against each opponent", &report.opponents)
        .shown(Width::Narrow, "opponent", "opponent", |row| Cell::name(&row.opponent))
        .shown(Width::Narrow, "difference", "difference", |row| Cell::Number(row.difference, Digits::SIGNED))
        .table()
        .explained(
            "Mean score of the best finalist less that of the opponent, per game, in the last stage of games. Fitness is the mean over \
             the opponents. The finalist was chosen by these games, so its differences are too high. opponents.csv has all finalists.",
            "opponents.csv",
        )
}

/// The finalists in both objectives.
pub(crate) fn objectives(objectives: &Objectives) -> Table {
    let of = |estimate: &ObjectiveMean, digits| plus_minus(estimate.mean, estimate.half, digits);
    Table::of("objectives", "Two objectives", &objectives.finalists)
        .shown(Width::Narrow, "formula", "formula", |row| Cell::Formula(row.formula.to_string()))
        .shown(Width::Narrow, "gain", VALIDATION, |row| of(&row.gain, Digits::signed(2)))
        .shown(Width::Narrow, "value", "second objective", |row| of(&row.value, Digits::fixed(3)))
        .shown(Width::Narrow, "difference", "over the reference", |row| of(&row.difference, Digits::signed(3)))
        .shown(Width::Narrow, "holm_p", "p of both", |row| Cell::p(row.holm_p))
        .table()
        .explained(
            format!(
                "The second objective is {}, {}, per game. The finalists are of the front of the first stage; these are values of the \
                 last stage. The reference has {}.",
                objectives.metric,
                objectives.about,
                objectives.reference.text(3)
            ),
            "report.json",
        )
}
