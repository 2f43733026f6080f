//! A second objective: a metric of the game, beside the points.

use super::stage::{FitnessMeasure, FitnessStage};
use evouct_base::suggest::nearest;
use evouct_league::config::reader::TomlTable;
use evouct_platform::domain::{AnySession, GameRules};

/// A metric of a seat that an evolution maximises beside its points: the mean over the games of a genome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecondObjective {
    /// The name of the column.
    pub name: &'static str,
    /// What it is, with its unit.
    pub about: &'static str,
    /// Its place among the columns of the game.
    column: usize,
}

impl SecondObjective {
    /// The metric of a seat in a game that is over.
    ///
    /// # Errors
    /// If it is no finite number.
    pub(crate) fn of(&self, rules: &GameRules, session: &dyn AnySession, seat: usize) -> Result<f64, String> {
        let value = rules.domain().column_values(&session.metrics()[seat], seat)?[self.column];
        value.is_finite().then_some(value).ok_or_else(|| format!("{} is {value}, expected a finite number", self.name))
    }
}

/// Reads `second`, and notes what an evolution of two objectives cannot have. `is_sorted` says whether the algorithm sorts
/// the individuals of a generation.
pub(crate) fn second_objective(
    table: &TomlTable,
    evolve: &TomlTable,
    (name, rules): (Option<&str>, &GameRules),
    (is_sorted, stages): (bool, &[FitnessStage]),
) -> Option<SecondObjective> {
    let name = name?;
    let columns = rules.domain().columns();
    let found = columns.iter().position(|column| column.name == name);
    if found.is_none() {
        let all: Vec<&str> = columns.iter().map(|column| column.name).collect();
        let hint = match nearest(name, all.iter().copied()) {
            Some(near) => format!("did you mean {near}? (it has {})", all.join(", ")),
            None if all.is_empty() => "it has none".to_owned(),
            None => format!("it has {}", all.join(", ")),
        };
        evolve.note_at("second", format!("second: {} has no metric {name:?}; {hint}", rules.domain().name()));
    }
    if stages.iter().any(|stage| stage.measure != FitnessMeasure::Games) {
        let problem = "second: positions have no metrics; expected measure = games in every [[stage]]";
        evolve.note_at("second", problem.to_owned());
    }
    if stages.len() == 1 {
        let problem = "second: a further [[stage]] is missing, in which finalists play";
        evolve.note_at("second", problem.to_owned());
    }
    if !is_sorted {
        let problem = "second: no generation is sorted here; expected algorithm = generational, plus, comma or random";
        evolve.note_at("second", problem.to_owned());
    }
    for key in ["cma_samples", "semantics", "hall_of_fame", "constant_offspring", "tune_offspring"] {
        if evolve.has(key) {
            evolve.note_at(key, format!("{key}: an evolution with two objectives has none; leave it out"));
        }
    }
    if let Some(proposer) = table.sections("proposer").first() {
        proposer.note("[[proposer]]: an evolution with two objectives has none; leave it out");
    }
    let column = found?;
    Some(SecondObjective { name: columns[column].name, about: columns[column].about, column })
}
