//! The records of a run: the header, the games, and the tables of an export.

use crate::errors::value_error;
use evouct::export::{ColumnType, TableColumn, read_csv, tables};
use evouct::league::{MissingGames, interim};
use evouct::parameter::Values as Range;
use evouct::record::{GameRecord, Run};
use evouct::store::{Problem, RecordError};
use evouct::tune::Tuning;
use pyo3::prelude::*;
use std::path::PathBuf;

/// Counts the games of a run that are missing.
struct Whole<'a> {
    run: &'a Run,
    /// None if the experiment is one of a game that is not there.
    missing: Option<MissingGames>,
}

impl Whole<'_> {
    fn of(run: &Run) -> Whole<'_> {
        Whole { run, missing: run.experiment().ok().map(|experiment| MissingGames::of(&experiment)) }
    }

    fn see(&mut self, game: &GameRecord) {
        self.missing.iter_mut().for_each(|missing| missing.see(game));
    }

    /// What is wrong with the journals, a line each, and that games are missing.
    fn lines(&mut self, problems: &[Problem]) -> Vec<String> {
        let missing = self.missing.as_mut().map_or(0, MissingGames::count);
        problems.iter().map(Problem::to_string).chain(interim(self.run.folder(), missing)).collect()
    }
}

/// The header of the journals of a run folder, as JSON.
#[pyfunction]
pub fn run_header(py: Python<'_>, folder: PathBuf) -> PyResult<String> {
    py.detach(|| serde_json::to_string(&Run::open(&folder).map_err(value_error)?.header).map_err(value_error))
}

/// The games of a run folder as JSON, each once, and what is wrong with its journals.
#[pyfunction]
pub fn run_records(py: Python<'_>, folder: PathBuf) -> PyResult<(Vec<String>, Vec<String>)> {
    py.detach(|| {
        let run = Run::open(&folder).map_err(value_error)?;
        let (mut games, mut whole) = (Vec::new(), Whole::of(&run));
        let problems = run.games(|game| -> Result<(), RecordError> {
            whole.see(&game);
            games.push(game);
            Ok(())
        });
        let problems = problems.map_err(value_error)?;
        games.sort_by(|game, other| (game.deck, &game.id).cmp(&(other.deck, &other.id)));
        let games = games.iter().map(serde_json::to_string).collect::<Result<_, _>>().map_err(value_error)?;
        Ok((games, whole.lines(&problems)))
    })
}

/// The values of a column as a list.
#[derive(IntoPyObject)]
pub enum Values {
    Whole(Vec<Option<i64>>),
    Real(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
    Flag(Vec<Option<bool>>),
}

/// A column: its name, its type as Arrow calls it, and its values.
type Named = (String, &'static str, Values);

/// A table: its name and its columns.
type Tabled = (&'static str, Vec<Named>);

/// The tables of a run folder, and what is wrong with its journals.
#[pyfunction]
pub fn run_tables(py: Python<'_>, folder: PathBuf) -> PyResult<(Vec<Tabled>, Vec<String>)> {
    py.detach(|| {
        let run = Run::open(&folder).map_err(value_error)?;
        let mut whole = Whole::of(&run);
        let (tables, problems) = tables(&run, |game| whole.see(game)).map_err(value_error)?;
        let tables = tables.into_iter().map(|table| (table.name, table.columns.into_iter().map(named).collect()));
        Ok((tables.collect(), whole.lines(&problems)))
    })
}

fn named((name, column): (String, TableColumn)) -> Named {
    match column {
        TableColumn::Whole(values) => (name, "int64", Values::Whole(values)),
        TableColumn::Real(values) => (name, "float64", Values::Real(values)),
        TableColumn::Text(values) => (name, "string", Values::Text(values)),
        TableColumn::Flag(values) => (name, "bool", Values::Flag(values)),
    }
}

/// A CSV file of a report, by the name of the table. Columns whose names are not fixed are parameters in a tuning, and
/// numbers of the second objective in an evolution.
#[pyfunction]
pub fn report_table(py: Python<'_>, folder: PathBuf, table: &str) -> PyResult<Vec<Named>> {
    py.detach(|| {
        let tuning = if table == "candidates" { Tuning::open(&folder).map_err(value_error)? } else { None };
        let parameter = |name: &str| tuning.iter().flat_map(Tuning::parameters).find(|row| row.name == name);
        let of = |name: &str| match parameter(name).map(|parameter| &parameter.values) {
            Some(Range::Count(..)) => ColumnType::Whole,
            Some(Range::Real(..)) => ColumnType::Real,
            Some(Range::Flag) => ColumnType::Flag,
            Some(_) => ColumnType::Text,
            None => ColumnType::declared(name).unwrap_or(match table {
                "lineage" | "finals" => ColumnType::Real,
                _ => ColumnType::Text,
            }),
        };
        let columns = read_csv(&folder.join(format!("{table}.csv")), of).map_err(value_error)?;
        Ok(columns.into_iter().map(named).collect())
    })
}
