//! The report that the server holds in memory.

use crate::{
    BesideFirst, Document, EvolvedReport, LoadedRun, Report, SeedsReport, compare_evolutions, compare_sets,
    compared_page, documents, evolved_documents, seeds_documents,
};
use evouct_league::config::Experiment;
use evouct_league::record::{Run, stamp};
use evouct_offline::{EvolutionFolder, EvolutionSet};
use evouct_store::{FolderKind, RecordError};
use hyper::body::Bytes;
use serde_json::json;
use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Why a report cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The run cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The server cannot listen at the address.
    #[error("{address}: cannot listen there: {error}; choose another with --bind and --port")]
    Address {
        /// The address.
        address: SocketAddr,
        /// The system's error.
        error: io::Error,
    },
    /// Another system error.
    #[error("cannot serve: {0}")]
    System(io::Error),
}

/// The documents of a folder of a kind that crates above this one know, or of a comparison of several; none of other
/// folders.
pub type Documents = fn(&[PathBuf]) -> Result<Option<Vec<Document>>, RecordError>;

/// What changes with the journals of a folder, or of those of its seeds.
fn stamp_in(folder: &Path) -> Result<String, RecordError> {
    let Some(set) = EvolutionSet::open(folder)? else { return stamp(folder) };
    let begun = set.seeds().iter().map(|seed| set.folder_of(*seed)).filter(|folder| folder.is_dir());
    let stamps = begun.map(|folder| Ok(format!("{}\n{}", folder.display(), stamp(&folder)?)));
    Ok(stamps.collect::<Result<Vec<_>, RecordError>>()?.join("\n"))
}

/// The current report; replaced as a whole when it is rebuilt.
pub(super) struct Store {
    /// The folder of the report, or those of runs that are compared with the first.
    folders: Vec<PathBuf>,
    others: Documents,
    made: Mutex<Arc<Made>>,
}

/// A report by the names of its files.
#[derive(Default)]
pub(super) struct Made {
    stamp: String,
    documents: HashMap<String, Bytes>,
}

/// Taken before the journals are read: a game that is recorded meanwhile gives a new stamp.
fn stamp_of(folders: &[PathBuf]) -> Result<String, RecordError> {
    Ok(folders.iter().map(|folder| stamp_in(folder)).collect::<Result<Vec<_>, _>>()?.join("\n\n"))
}

/// What is compared of a run.
fn read(folder: &Path) -> Result<(Experiment, LoadedRun), RecordError> {
    let run = Run::open(folder)?;
    let experiment = run.experiment()?;
    let loaded = LoadedRun::read(&run, &experiment, |_, _| Ok(()))?;
    Ok((experiment, loaded))
}

/// The page of leagues that are compared.
fn leagues(folders: &[PathBuf]) -> Result<String, RecordError> {
    let runs = folders.iter().map(|folder| read(folder)).collect::<Result<Vec<_>, _>>()?;
    Ok(compared_page(&BesideFirst::of_folders(folders, &runs)))
}

impl Made {
    /// The file of this name.
    pub(super) fn document(&self, name: &str) -> Option<Bytes> {
        self.documents.get(name).cloned()
    }

    fn of(folders: &[PathBuf], others: Documents) -> Result<Made, RecordError> {
        let stamp = stamp_of(folders)?;
        let version = blake3::hash(stamp.as_bytes()).to_hex()[..16].to_owned();
        let kind = FolderKind::of_all(folders)?;
        if let Some(all) = others(folders)? {
            return Ok(Made::new(all, &json!({}), stamp));
        }
        let [folder] = folders else {
            let page = match kind {
                Some(FolderKind::Evolution) => compare_evolutions(folders)?.page(),
                Some(FolderKind::Evolutions) => compare_sets(folders, 0.0)?.page(),
                _ => leagues(folders)?,
            };
            return Ok(Made::new(vec![("report.html".to_owned(), page.into_bytes())], &json!({}), stamp));
        };
        if let Some(set) = EvolutionSet::open(folder)? {
            return Made::of_set(&set, stamp, &version);
        }
        if let Some(evolution) = EvolutionFolder::open(folder)? {
            return Made::of_evolution(&evolution, stamp, &version);
        }
        let run = Run::open(folder)?;
        let experiment = run.experiment()?;
        let loaded = LoadedRun::read(&run, &experiment, |_, _| Ok(()))?;
        let report = Report::of(&experiment, &loaded.aggregate);
        let all = documents(&run, &experiment, &report, &loaded, Some(&version));
        let state = json!({ "version": version, "finished": report.finished, "scheduled": report.scheduled });
        Ok(Made::new(all, &state, stamp))
    }

    fn of_evolution(evolution: &EvolutionFolder, stamp: String, version: &str) -> Result<Made, RecordError> {
        let report = EvolvedReport::of(evolution, &evolution.progress());
        let all = evolved_documents(&report, Some(version));
        let (scheduled, finished) = report.generations;
        let state = json!({ "version": version, "finished": finished, "scheduled": scheduled });
        Ok(Made::new(all, &state, stamp))
    }

    /// The pages of the seeds are among its documents.
    fn of_set(set: &EvolutionSet, stamp: String, version: &str) -> Result<Made, RecordError> {
        let evolutions = set.evolutions()?;
        let report = SeedsReport::of(set, &evolutions, 0.0);
        let report = report.ok_or_else(|| RecordError::folder(set.folder(), "no seed has begun"))?;
        let mut all = seeds_documents(&report, Some(version));
        for own in &evolutions {
            let Some((folder, progress)) = &own.begun else { continue };
            let of_seed = evolved_documents(&EvolvedReport::of(folder, progress), None);
            all.extend(
                of_seed
                    .into_iter()
                    .map(|(name, text)| (format!("{}/{name}", EvolutionSet::sub_folder(own.seed)), text)),
            );
        }
        let state = json!({ "version": version, "finished": report.complete, "scheduled": evolutions.len() });
        Ok(Made::new(all, &state, stamp))
    }

    pub(super) fn new(all: Vec<Document>, state: &serde_json::Value, stamp: String) -> Made {
        let mut documents: HashMap<String, Bytes> =
            all.into_iter().map(|(name, text)| (name, Bytes::from(text))).collect();
        documents.insert("state".to_owned(), Bytes::from(state.to_string()));
        Made { stamp, documents }
    }
}

impl Store {
    pub(super) fn open(folders: Vec<PathBuf>, others: Documents) -> Result<Store, RecordError> {
        let made = Mutex::new(Arc::new(Made::of(&folders, others)?));
        Ok(Store { folders, others, made })
    }

    /// The current report.
    pub(super) fn made(&self) -> Arc<Made> {
        Arc::clone(&self.made.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Rebuilds the report if the journals have changed.
    pub(super) fn refresh(&self) -> Result<(), RecordError> {
        if stamp_of(&self.folders)? != self.made().stamp {
            let made = Arc::new(Made::of(&self.folders, self.others)?);
            *self.made.lock().unwrap_or_else(PoisonError::into_inner) = made;
        }
        Ok(())
    }
}
