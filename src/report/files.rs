//! Writing the files of a report into the run folder.

use super::csv::files;
use super::tables::Report;
use crate::config::Experiment;
use crate::gp::{LnRule, Tree, simplify};
use crate::player::Value;
use crate::record::{GameRecord, RecordError, Run};
use csv::Writer;
use serde_json::json;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

fn failed(path: &Path) -> impl Fn(io::Error) -> RecordError {
    move |error| RecordError::Io { path: path.to_owned(), what: "cannot write the report", error }
}

/// Writes a file whole or not at all: beside its place, then moved there.
fn replace(path: &Path, text: &[u8]) -> Result<(), RecordError> {
    let beside = path.with_extension("partial");
    let written = File::create(&beside).and_then(|mut file| file.write_all(text));
    if let Err(error) = written.and_then(|()| std::fs::rename(&beside, path)) {
        drop(std::fs::remove_file(&beside));
        return Err(failed(path)(error));
    }
    Ok(())
}

/// Writes all files but `expressions.csv` into the folder of a run; returns their names.
///
/// # Errors
/// If one cannot be written.
pub fn write(run: &Run, experiment: &Experiment, report: &Report) -> Result<Vec<&'static str>, RecordError> {
    let folder = run.folder();
    let mut written = Vec::new();
    let csv = files(report).map_err(|error| failed(folder)(io::Error::other(error)))?;
    for (name, text) in csv {
        replace(&folder.join(name), &text)?;
        written.push(name);
    }
    let pretty = |value: &serde_json::Value| serde_json::to_vec_pretty(value).expect("a report is plain data");
    replace(&folder.join("report.json"), &pretty(&serde_json::to_value(report).expect("a report is plain data")))?;
    replace(&folder.join("experiment.toml"), experiment.toml.as_bytes())?;
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
    replace(&folder.join("manifest.json"), &pretty(&manifest))?;
    written.extend(["report.json", "experiment.toml", "manifest.json"]);
    Ok(written)
}

/// `expressions.csv`, written while records are read: a row for each evolved formula.
pub struct Expressions {
    path: PathBuf,
    writer: Writer<BufWriter<File>>,
    rows: u64,
}

impl Expressions {
    /// Begins the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(folder: &Path) -> Result<Expressions, RecordError> {
        let path = folder.join("expressions.csv");
        let file = File::create(path.with_extension("partial")).map_err(failed(&path))?;
        let mut expressions = Expressions { writer: Writer::from_writer(BufWriter::new(file)), path, rows: 0 };
        expressions.record(&[
            "game",
            "deck",
            "player",
            "opponent",
            "seat",
            "turn",
            "nodes",
            "depth",
            "fitness_first",
            "fitness_last",
            "generations",
            "ties",
            "in_range",
            "by_semantics",
            "replaced",
            "playouts",
            "formula",
            "simplified",
        ])?;
        Ok(expressions)
    }

    fn record(&mut self, fields: &[impl AsRef<[u8]>]) -> Result<(), RecordError> {
        self.writer.write_record(fields).map_err(|error| failed(&self.path)(io::Error::other(error)))
    }

    /// Adds the formulas of a game.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn add(&mut self, experiment: &Experiment, game: &GameRecord) -> Result<(), RecordError> {
        let named = |seat: usize| game.run.players.get(seat).cloned().unwrap_or_default();
        for decision in &game.evolution {
            let seats = game.seats.len().max(1);
            let (seat, turn) = (decision.turn as usize % seats, decision.turn as usize / seats + 1);
            let log = &decision.log;
            let ln = protection(experiment, game.seats.get(seat).map(String::as_str).unwrap_or_default());
            let simplified = log.formula.parse().map(|tree: Tree| simplify(&tree, ln).infix()).unwrap_or_default();
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
                log.formula.clone(),
                simplified,
            ])?;
            self.rows += 1;
        }
        Ok(())
    }

    /// Ends the file; returns the number of formulas.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<u64, RecordError> {
        let Expressions { path, writer, rows } = self;
        let flushed = writer.into_inner().map_err(|error| error.into_error()).and_then(|mut file| file.flush());
        flushed.and_then(|()| std::fs::rename(path.with_extension("partial"), &path)).map_err(failed(&path))?;
        Ok(rows)
    }
}

/// How the player with this identity protects the logarithm.
fn protection(experiment: &Experiment, identity: &str) -> LnRule {
    let player = experiment.players.iter().find(|contender| contender.identity.short() == identity);
    match player.map(|contender| contender.spec.value("ln")) {
        Some(Value::Name(name)) => {
            LnRule::NAMES.iter().find(|(known, _)| known == name).map_or(LnRule::Abs, |(_, rule)| *rule)
        }
        _ => LnRule::Abs,
    }
}
