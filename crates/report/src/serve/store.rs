//! The report that the server holds in memory.

use crate::{Document, EvolvedReport, LoadedRun, Report, documents, evolved_documents};
use evouct_league::record::{Run, stamp};
use evouct_offline::EvolutionFolder;
use evouct_store::RecordError;
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

/// The current report; replaced as a whole when it is rebuilt.
pub(super) struct Store {
    folder: PathBuf,
    made: Mutex<Arc<Made>>,
}

/// A report by the names of its files.
pub(super) struct Made {
    stamp: String,
    documents: HashMap<String, Bytes>,
}

impl Made {
    /// The file of this name.
    pub(super) fn document(&self, name: &str) -> Option<Bytes> {
        self.documents.get(name).cloned()
    }

    fn of(folder: &Path) -> Result<Made, RecordError> {
        // Taken first: a game recorded while the journals are read gives a new stamp.
        let stamp = stamp(folder)?;
        let version = blake3::hash(stamp.as_bytes()).to_hex()[..16].to_owned();
        if let Some(evolution) = EvolutionFolder::open(folder)? {
            return Made::of_evolution(&evolution, stamp, &version);
        }
        let run = Run::open(folder)?;
        let experiment = run.experiment()?;
        let loaded = LoadedRun::read(&run, &experiment, |_, _| Ok(()))?;
        let report = Report::of(&experiment, &loaded.aggregate);
        let all = documents(&run, &experiment, &report, &loaded, Some(&version));
        let state = json!({ "version": version, "finished": report.finished, "scheduled": report.scheduled });
        Ok(Made::with_state(all, &state, stamp))
    }

    fn of_evolution(evolution: &EvolutionFolder, stamp: String, version: &str) -> Result<Made, RecordError> {
        let report = EvolvedReport::of(evolution, &evolution.progress());
        let all = evolved_documents(&report, Some(version));
        let (scheduled, finished) = report.generations;
        let state = json!({ "version": version, "finished": finished, "scheduled": scheduled });
        Ok(Made::with_state(all, &state, stamp))
    }

    fn with_state(all: Vec<Document>, state: &serde_json::Value, stamp: String) -> Made {
        let mut documents: HashMap<String, Bytes> =
            all.into_iter().map(|(name, text)| (name, Bytes::from(text))).collect();
        documents.insert("state".to_owned(), Bytes::from(state.to_string()));
        Made { stamp, documents }
    }
}

impl Store {
    pub(super) fn open(folder: &Path) -> Result<Store, ServeError> {
        Ok(Store { folder: folder.to_owned(), made: Mutex::new(Arc::new(Made::of(folder)?)) })
    }

    /// The current report.
    pub(super) fn made(&self) -> Arc<Made> {
        Arc::clone(&self.made.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Rebuilds the report if the journals have changed.
    pub(super) fn refresh(&self) -> Result<(), ServeError> {
        if stamp(&self.folder)? != self.made().stamp {
            let made = Arc::new(Made::of(&self.folder)?);
            *self.made.lock().unwrap_or_else(PoisonError::into_inner) = made;
        }
        Ok(())
    }
}
