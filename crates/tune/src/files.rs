//! The files of a tuning: the winner as a `[[player]]` table, the result as JSON, candidates and strength as CSV and
//! SVG.

use super::error::TuneError;
use super::outcome::{CandidateRow, Finding, TuningOutcome};
use super::over::Over;
use super::tuning::Tuning;
use evouct_base::escape;
use evouct_base::named::Named;
use evouct_base::parameter::Values;
use evouct_league::disk;
use evouct_report::{Mark, marks};

/// Writes the files of a complete tuning into its folder; returns their names.
///
/// # Errors
/// If one cannot be written.
pub fn write(tuning: &Tuning, outcome: &TuningOutcome) -> Result<Vec<String>, TuneError> {
    let folder = tuning.folder();
    let files = documents(tuning, outcome).into_iter().map(|(name, text)| (name, text.into_bytes())).collect();
    disk::replace_own(folder, files, true)
        .map_err(|(folder, error)| TuneError::Folder { folder, problem: format!("cannot write: {error}") })
}

/// The files: name and text.
fn documents(tuning: &Tuning, outcome: &TuningOutcome) -> Vec<(String, String)> {
    let json = serde_json::to_string_pretty(outcome).expect("an outcome is plain data") + "\n";
    let mut documents = vec![
        ("tuned.toml".to_owned(), tuned(tuning, outcome)),
        ("report.json".to_owned(), json),
        ("candidates.csv".to_owned(), candidates(tuning, outcome)),
    ];
    for over in tuning.overs.iter().filter(|over| is_numeric(over)) {
        let name = over.parameter.name;
        documents.push((format!("figures/strength-{name}.csv"), strength(name, outcome)));
        documents.push((format!("figures/strength-{name}.svg"), chart(over, outcome)));
    }
    documents
}

/// The winner as a table for an experiment file, with the result above it.
fn tuned(tuning: &Tuning, outcome: &TuningOutcome) -> String {
    let name = format!("{} tuned", outcome.player);
    // If the default is shown to be better, it is what a user wants.
    let keep = outcome.finding == Finding::Worse || outcome.winner == outcome.player;
    let winner = tuning.candidates.iter().find(|candidate| candidate.name == outcome.challenger).filter(|_| !keep);
    let mut lines = vec![
        format!(
            "`evouct tune`, seed {}, {} games: --over {}",
            outcome.seed,
            outcome.budget,
            outcome.over.join(" --over ")
        ),
        format!("the values that are not given are those of preset = \"{}\"", tuning.experiment.preset.name()),
        outcome.sentence(),
    ];
    for row in &outcome.held_out {
        if let (Some(mean), Some(interval), Some(p)) = (row.mean, row.interval, row.p) {
            let (low, high) = (interval.low, interval.high);
            let decks = row.decks;
            lines.push(format!("{}: {mean:+.2} [{low:+.2}, {high:+.2}], p = {p:.4}, {decks} held-out decks", row.what));
        }
    }
    let comments: Vec<String> = lines.iter().map(|line| format!("# {}\n", escape::line(line))).collect();
    let table = winner.map_or_else(|| tuning.candidates[0].table(&outcome.player), |winner| winner.table(&name));
    format!("{}{table}", comments.concat())
}

fn is_numeric(over: &Over) -> bool {
    matches!(over.parameter.values, Values::Real(..) | Values::Count(..))
}

fn number(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// Decks, mean and interval of a candidate.
fn estimate(row: &CandidateRow) -> [String; 4] {
    let (low, high) = (row.interval.map(|ends| ends.low), row.interval.map(|ends| ends.high));
    [row.decks.to_string(), number(row.mean), number(low), number(high)]
}

fn table(header: Vec<String>, rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let lines = [header].into_iter().chain(rows);
    for line in lines {
        // Writing into memory cannot fail, and all lines are equally long.
        writer.write_record(line.iter().map(|cell| escape::cell(cell).into_owned())).expect("a line of the table");
    }
    String::from_utf8(writer.into_inner().expect("it is in memory")).expect("cells are text")
}

fn candidates(tuning: &Tuning, outcome: &TuningOutcome) -> String {
    let parameters = tuning.overs.iter().map(|over| over.parameter.name.to_owned());
    let header = ["candidate", "default"].map(str::to_owned).into_iter().chain(parameters);
    let rest = ["decks", "mean", "low", "high", "failed", "left"].map(str::to_owned);
    let rows = outcome.candidates.iter().map(|row| {
        let value = |json: &serde_json::Value| json.as_str().map_or_else(|| json.to_string(), str::to_owned);
        let mut cells = vec![row.name.clone(), row.is_default.to_string()];
        cells.extend(
            tuning.overs.iter().map(|over| row.parameters.get(over.parameter.name).map_or(String::new(), value)),
        );
        cells.extend(estimate(row));
        cells.extend([row.failed.to_string(), row.left.map_or(String::new(), |round| round.to_string())]);
        cells
    });
    table(header.chain(rest).collect(), rows)
}

/// Candidates with a value of this parameter and an estimate, in the order of the values.
fn measured<'a>(parameter: &str, outcome: &'a TuningOutcome) -> Vec<(f64, &'a CandidateRow)> {
    let at = |row: &'a CandidateRow| Some((row.parameters.get(parameter)?.as_f64()?, row));
    let mut rows: Vec<_> = outcome.candidates.iter().filter(|row| row.mean.is_some()).filter_map(at).collect();
    rows.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    rows
}

fn strength(parameter: &str, outcome: &TuningOutcome) -> String {
    let header = [parameter, "decks", "mean", "low", "high", "candidate"].map(str::to_owned).to_vec();
    let rows = measured(parameter, outcome)
        .into_iter()
        .map(|(at, row)| [at.to_string()].into_iter().chain(estimate(row)).chain([row.name.clone()]).collect());
    table(header, rows)
}

fn chart(over: &Over, outcome: &TuningOutcome) -> String {
    let marked: Vec<Mark> = measured(over.parameter.name, outcome)
        .into_iter()
        .filter_map(|(at, row)| {
            let interval = row.interval.map(|ends| (ends.low, ends.high));
            Some(Mark { at, value: row.mean?, interval, highlighted: row.is_default })
        })
        .collect();
    let logarithmic = over.choice.is_logarithmic() && marked.iter().all(|mark| mark.at > 0.0);
    marks(over.parameter.name, "points per game over the opponents", &marked, logarithmic)
}
