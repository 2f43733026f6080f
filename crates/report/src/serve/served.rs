//! What a server serves: one report, or a list of runs with the report of each.

use super::gallery::Gallery;
use super::store::{Documents, ServeError, Store};
use evouct_store::{FolderKind, RecordError};
use hyper::body::Bytes;
use std::path::Path;

/// What is served.
pub(super) enum Served {
    /// The report of one folder.
    Report(Store),
    /// All runs of a folder.
    Gallery(Gallery),
}

impl Served {
    /// The report of a folder, or the runs in it.
    pub(super) fn open(folder: &Path, documents: Documents) -> Result<Served, ServeError> {
        if FolderKind::of(folder).is_none()
            && let Ok(Some(gallery)) = Gallery::open(folder, documents)
        {
            return Ok(Served::Gallery(gallery));
        }
        Ok(Served::Report(Store::open(vec![folder.to_owned()], documents)?))
    }

    /// What a request asks for, and the name by which its type is known.
    pub(super) fn document(&self, name: &str, query: Option<&str>) -> Option<(String, Bytes)> {
        match self {
            Served::Report(store) => Some((name.to_owned(), store.made().document(name)?)),
            Served::Gallery(gallery) => gallery.document(name, query),
        }
    }

    pub(super) fn is_awaited(&self) -> bool {
        matches!(self, Served::Gallery(gallery) if gallery.is_awaited())
    }

    /// Makes again what has changed.
    pub(super) fn refresh(&self) -> Result<(), RecordError> {
        match self {
            Served::Report(store) => store.refresh(),
            Served::Gallery(gallery) => gallery.refresh(),
        }
    }
}
