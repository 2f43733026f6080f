//! The files of a tuning: the winner as a `[[player]]` table, the result as JSON and as a page, candidates as CSV, and the
//! figures.

use super::error::TuneError;
use super::figures::figures;
use super::outcome::{Finding, TuningOutcome, decks_of};
use super::page::page;
use super::tables;
use super::tuning::Tuning;
use evouct_base::escape;
use evouct_base::is_default;
use evouct_base::named::Named;
use evouct_league::export::csv_file;
use evouct_league::series::digest;
use evouct_report::page::PageFigure;
use evouct_store::disk;

/// Writes the files of a complete tuning into its folder; returns their names.
///
/// # Errors
/// If records cannot be read, or a file cannot be written.
pub fn write(tuning: &Tuning, outcome: &TuningOutcome) -> Result<Vec<String>, TuneError> {
    let folder = tuning.folder();
    disk::replace_own(folder, documents(tuning, outcome)?, true)
        .map_err(|(folder, error)| TuneError::Folder { folder, problem: format!("cannot write: {error}") })
}

/// The files: name and text.
///
/// # Errors
/// If records cannot be read.
pub fn documents(tuning: &Tuning, outcome: &TuningOutcome) -> Result<Vec<(String, Vec<u8>)>, TuneError> {
    let digest = digest(tuning.folder(), &outcome.stages)?.digest;
    let json = serde_json::to_string_pretty(outcome).expect("an outcome is plain data") + "\n";
    let (tuned, figures) = (tuned(tuning, outcome)?, figures(tuning, outcome));
    let page = page(tuning, outcome, &figures, [&tuned, &digest]);
    let texts = [
        ("tuned.toml", tuned),
        ("report.json", json),
        ("report.html", page),
        ("candidates.csv", csv_file(&tables::candidates(tuning.parameters(), outcome))),
    ];
    let texts = texts.into_iter().map(|(name, text)| (name.to_owned(), text.into_bytes()));
    Ok(texts.chain(figures.into_iter().flat_map(PageFigure::documents)).collect())
}

/// The winner as a table for an experiment file, with the result above it.
fn tuned(tuning: &Tuning, outcome: &TuningOutcome) -> Result<String, TuneError> {
    let name = format!("{} tuned", outcome.player);
    // If the default is shown to be better, it is what a user wants.
    let keep = outcome.finding == Finding::Worse || outcome.winner == outcome.player;
    let mut lines = vec![
        format!(
            "`evouct tune`, seed {}, {} games: --over {}{}",
            outcome.seed,
            outcome.budget,
            outcome.over.join(" --over "),
            if is_default(&outcome.method) { String::new() } else { format!(" --method {}", outcome.method.name()) }
        ),
        format!("the values that are not given are those of preset = \"{}\"", tuning.experiment.preset.name()),
        outcome.sentence(),
    ];
    for row in &outcome.held_out {
        if let (Some(mean), Some(interval), Some(p)) = (row.mean, row.interval, row.p) {
            let (low, high) = (interval.low, interval.high);
            let decks = decks_of("held-out deck", row.decks, row.repeats);
            lines.push(format!("{}: {mean:+.2} [{low:+.2}, {high:+.2}], p = {p:.4}, {decks}", row.what));
        }
    }
    let comments: Vec<String> = lines.iter().map(|line| format!("# {}\n", escape::line(line))).collect();
    let (player, name) = match keep {
        true => (&tuning.candidates[0], outcome.player.clone()),
        false => (&outcome.challenger_player, name),
    };
    let games = tuning.games().into_iter().zip(tuning.players(player)?);
    let tables = games.map(|((game, _), player)| match tuning.further.is_empty() {
        true => player.table(&name),
        false => format!("# In {}:\n{}", escape::line(game), player.table(&name)),
    });
    Ok(format!("{}{}", comments.concat(), tables.collect::<Vec<_>>().join("\n")))
}
