//! Writing the files of a report into the run folder.

use super::board::Show;
use super::figure::PageFigure;
use super::latex::tables_file;
use super::page::Page;
use super::page::evolved::evolved_documents;
use super::pictures::pictures;
use crate::aggregate::load::LoadedRun;
use crate::tables::evolved::EvolvedReport;
use crate::tables::report::Report;
use crate::tables::typed;
use csv::Writer;
use evouct_base::escape;
use evouct_league::config::Experiment;
use evouct_league::export::csv_file;
use evouct_league::record::{EXPERIMENT_FILE, GameRecord, Run};
use evouct_offline::{EvolutionFolder, EvolutionProgress, write_files};
use evouct_store::disk::{self, Replacement};
use evouct_store::{Problem, RecordError};
use serde_json::json;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

fn failed(path: &Path) -> impl Fn(io::Error) -> RecordError {
    move |error| RecordError::Io { path: path.to_owned(), what: "cannot write the report", error }
}

/// A file of a report: its name in the run folder, and its contents.
pub type Document = (String, Vec<u8>);

/// All files of a report except `expressions.csv`.
pub fn documents(
    run: &Run,
    experiment: &Experiment,
    report: &Report,
    loaded: &LoadedRun,
    live: Option<&str>,
) -> Vec<Document> {
    let pictures = pictures(report);
    let shows = Show::sample(loaded, experiment);
    let page = Page { experiment, report, pictures: &pictures, shows: &shows, live };
    let mut documents: Vec<Document> = [
        ("ranking.csv", typed::ranking(report)),
        ("matches.csv", typed::matches(report)),
        ("significance.csv", typed::significance(report, &report.significance)),
        ("players.csv", typed::players_file(report)),
        ("turns.csv", typed::turns(report)),
        ("costs.csv", typed::costs_file(report)),
        ("contestants.csv", typed::contestants_file(report)),
    ]
    .into_iter()
    .map(|(name, table)| (name.to_owned(), csv_file(&table).into_bytes()))
    .collect();
    let pretty = |value: &serde_json::Value| serde_json::to_vec_pretty(value).expect("a report is plain data");
    documents.push(("report.html".to_owned(), page.html().into_bytes()));
    documents.push(("tables.tex".to_owned(), tables_file(report).into_bytes()));
    documents.push(("report.json".to_owned(), pretty(&report.json())));
    documents.push((EXPERIMENT_FILE.to_owned(), experiment.toml.clone().into_bytes()));
    let journals: Vec<String> = run
        .journals()
        .iter()
        .filter_map(|journal| journal.path.file_name().map(|name| name.to_string_lossy().into_owned()))
        .collect();
    let manifest = json!({
        "name": experiment.name,
        "evouct": report.evouct,
        "experiment": run.header.experiment,
        "hash": report.hash,
        "journals": journals,
        "scheduled": report.scheduled,
        "finished": report.finished,
        "failed": report.failures.len(),
        "digest": report.digest,
    });
    documents.push(("manifest.json".to_owned(), pretty(&manifest)));
    documents.extend(pictures.into_iter().flat_map(PageFigure::documents));
    documents
}

/// The report of a run whose files were written.
pub struct Rebuilt {
    /// The report.
    pub report: Report,
    /// Damaged or repeated lines of the journals.
    pub problems: Vec<Problem>,
    /// Games that are in no table, because the experiment does not have their players.
    pub left_out: u64,
    /// The names of the files in the folder of the run, or why they could not be written.
    pub written: Result<Vec<String>, RecordError>,
}

/// Reads a run once, and writes the files of its report into its folder.
///
/// # Errors
/// If a journal cannot be read.
pub fn rebuild(run: &Run, experiment: &Experiment) -> Result<Rebuilt, RecordError> {
    let mut expressions = Expressions::create(run.folder());
    let loaded = LoadedRun::read(run, experiment, |game, simplified| {
        expressions.as_mut().map_or(Ok(()), |expressions| expressions.add(game, simplified))
    })?;
    let report = Report::of(experiment, &loaded.aggregate);
    let written = expressions.and_then(|expressions| write(run, experiment, &report, &loaded, expressions));
    Ok(Rebuilt { report, problems: loaded.problems, left_out: loaded.aggregate.left_out, written })
}

/// Writes the documents of a report, and `expressions.csv`.
fn write(
    run: &Run,
    experiment: &Experiment,
    report: &Report,
    loaded: &LoadedRun,
    expressions: Expressions,
) -> Result<Vec<String>, RecordError> {
    let (path, file) = expressions.complete()?;
    file.check().map_err(failed(&path))?;
    let mut documents = documents(run, experiment, report, loaded, None);
    // The run has written it before its first game; an edit of it changes no game.
    documents.retain(|(name, _)| name != EXPERIMENT_FILE || !run.folder().join(name).exists());
    let written = write_documents(run.folder(), documents, true)?;
    file.finish().map_err(failed(&path))?;
    Ok(written)
}

/// The report of an evolution, which may not be complete, and whether its files were written into its folder.
pub fn rebuild_evolved(
    folder: &EvolutionFolder,
    progress: &EvolutionProgress,
) -> (EvolvedReport, Result<(), RecordError>) {
    let report = EvolvedReport::of(folder, progress);
    let written = write_documents(folder.folder(), evolved_documents(&report, None), true);
    let written = written.and_then(|_| match &progress.evolved {
        Some(evolved) => write_files(folder.plan(), evolved, folder.folder()).map(drop),
        None => Ok(()),
    });
    (report, written)
}

/// Writes documents into a folder, where they replace only what evouct wrote; returns their names. `adopts` says
/// whether what stands in a folder without a list counts as written by an earlier version.
///
/// # Errors
/// If one cannot be written.
pub fn write_documents(folder: &Path, documents: Vec<Document>, adopts: bool) -> Result<Vec<String>, RecordError> {
    disk::replace_own(folder, documents, adopts).map_err(|(path, error)| failed(&path)(error))
}

/// `expressions.csv`, written while records are read: one row per evolved formula.
struct Expressions {
    path: PathBuf,
    writer: Writer<BufWriter<Replacement>>,
}

impl Expressions {
    fn create(folder: &Path) -> Result<Expressions, RecordError> {
        let path = folder.join("expressions.csv");
        let file = Replacement::of_own(folder, "expressions.csv", true).map_err(failed(&path))?;
        let mut expressions = Expressions { writer: Writer::from_writer(BufWriter::new(file)), path };
        let columns = "game deck player opponent seat turn nodes depth fitness_first fitness_last generations ties in_range \
                       by_semantics replaced playouts formula simplified";
        expressions.record(&columns.split(' ').collect::<Vec<_>>())?;
        Ok(expressions)
    }

    fn record(&mut self, fields: &[impl AsRef<str>]) -> Result<(), RecordError> {
        let cells = fields.iter().map(|field| escape::cell(field.as_ref()).into_owned());
        self.writer.write_record(cells).map_err(|error| failed(&self.path)(io::Error::other(error)))
    }

    /// Adds the formulas of a game, each with its simplified form.
    fn add(&mut self, game: &GameRecord, simplified: &[String]) -> Result<(), RecordError> {
        let named = |seat: usize| game.run.players.get(seat).cloned().unwrap_or_default();
        let (made, seats) = (game.decisions(), game.seats.len().max(1));
        for (decision, simplified) in game.evolution.iter().zip(simplified) {
            let Some(&(seat, turn)) = made.get(decision.turn as usize) else { continue };
            let log = &decision.log;
            let fitness = |value: Option<&f64>| value.map_or(String::new(), f64::to_string);
            self.record(&[
                game.id.clone(),
                game.deck.to_string(),
                named(seat),
                named((seat + 1) % seats),
                (seat + 1).to_string(),
                turn.to_string(),
                log.nodes.to_string(),
                log.depth.to_string(),
                fitness(log.fitness.first()),
                fitness(log.fitness.last()),
                log.fitness.len().saturating_sub(1).to_string(),
                log.ties.to_string(),
                log.in_range.to_string(),
                log.by_semantics.to_string(),
                log.replaced.to_string(),
                log.playouts.to_string(),
                escape::formula_cell(&log.formula).into_owned(),
                escape::formula_cell(simplified).into_owned(),
            ])?;
        }
        Ok(())
    }

    /// Writes the rest of the file, which is not in its place yet.
    fn complete(self) -> Result<(PathBuf, Replacement), RecordError> {
        let Expressions { path, writer } = self;
        let written = writer.into_inner().map_err(|error| error.into_error());
        let written = written.and_then(|file| file.into_inner().map_err(|error| error.into_error()));
        let file = written.map_err(failed(&path))?;
        Ok((path, file))
    }
}
