//! All runs of a folder: a list that is kept fresh, and the pages of those that somebody looks at.
//!
//! A request never reads a folder. It asks for a page, which is made in the background, one at a time; until then a page
//! that asks again stands in its place.

use super::gallery_page::{gallery_page, waiting_page};
use super::row::{Counted, Files, Row, folders};
use super::store::{Documents, Made, Store};
use evouct_store::{FolderKind, RecordError};
use hyper::body::Bytes;
use serde_json::json;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Pages that are kept: those that were asked for last.
const OPEN: usize = 8;
/// A page is dropped after so many looks at the folder without a request for it.
const IDLE: u32 = 20;
/// Runs in a comparison.
const COMPARED: usize = 8;

/// The name of a page.
const PAGE: &str = "report.html";
/// What a comparison needs.
const HOW_MANY: &str = "choose two to eight runs of one kind in the list";

/// The runs of a folder.
pub(super) struct Gallery {
    folder: PathBuf,
    documents: Documents,
    list: Mutex<Arc<List>>,
    /// What the lines were made of.
    known: Mutex<Known>,
    /// Pages that were asked for, the last one last.
    opened: Mutex<Vec<Arc<Opened>>>,
}

#[derive(Default)]
struct Known {
    /// By folder: the stamp of its files, and its line.
    rows: HashMap<PathBuf, (String, Row)>,
    counted: Counted,
}

/// The list as it was at the last look.
#[derive(Default)]
struct List {
    folders: HashMap<String, PathBuf>,
    made: Made,
}

/// A page of a run, or of several that are compared.
struct Opened {
    /// The ids of the runs.
    runs: Vec<String>,
    /// The page, or why there is none; nothing before it is made.
    store: Mutex<Option<Result<Arc<Store>, String>>>,
    /// Looks at the folder since it was asked for.
    idle: AtomicU32,
}

fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Gallery {
    /// The runs in a folder and in its sub-folders; none if there are none.
    pub(super) fn open(folder: &Path, documents: Documents) -> Result<Option<Gallery>, RecordError> {
        let gallery = Gallery {
            folder: folder.to_owned(),
            documents,
            list: Mutex::default(),
            known: Mutex::default(),
            opened: Mutex::default(),
        };
        gallery.look()?;
        let is_empty = held(&gallery.list).folders.is_empty();
        Ok((!is_empty).then_some(gallery))
    }

    /// Looks at all folders again, and makes the pages that were asked for.
    pub(super) fn refresh(&self) -> Result<(), RecordError> {
        self.look()?;
        // What had no page is made again when somebody asks again.
        held(&self.opened).retain(|page| !matches!(*held(&page.store), Some(Err(_))));
        let opened = held(&self.opened).clone();
        for page in opened {
            page.idle.fetch_add(1, Ordering::Relaxed);
            let known = held(&page.store).clone();
            match known {
                Some(Ok(store)) => {
                    if let Err(error) = store.refresh() {
                        tracing::warn!("the page was not rebuilt: {error}");
                    }
                }
                _ => {
                    let made = self.make(&page.runs).map(Arc::new).map_err(|error| error.to_string());
                    *held(&page.store) = Some(made);
                }
            }
        }
        held(&self.opened).retain(|page| page.idle.load(Ordering::Relaxed) < IDLE);
        Ok(())
    }

    /// Whether a page is waited for.
    pub(super) fn is_awaited(&self) -> bool {
        held(&self.opened).iter().any(|page| held(&page.store).is_none())
    }

    fn make(&self, runs: &[String]) -> Result<Store, RecordError> {
        let list = Arc::clone(&held(&self.list));
        Store::open(runs.iter().filter_map(|id| list.folders.get(id).cloned()).collect(), self.documents)
    }

    fn look(&self) -> Result<(), RecordError> {
        let mut known = held(&self.known);
        let Known { rows: before, counted } = &mut *known;
        let mut rows = HashMap::new();
        let mut add = |folder: PathBuf, kind: FolderKind| {
            let found = Files::of(&folder, kind);
            let row = match (&found, before.get(&folder)) {
                (Ok(files), Some((stamp, row))) if *stamp == files.stamp => row.clone(),
                (Ok(files), _) => files.row(counted),
                (Err(error), _) => broken(error),
            };
            rows.insert(folder, (found.map(|files| files.stamp).unwrap_or_default(), row));
        };
        let mut unreadable = Vec::new();
        for folder in folders(&self.folder)? {
            match FolderKind::of(&folder) {
                Some(kind) => add(folder, kind),
                None => match folders(&folder) {
                    Ok(inner) => inner.into_iter().for_each(|inner| {
                        if let Some(kind) = FolderKind::of(&inner) {
                            add(inner, kind);
                        }
                    }),
                    Err(error) => unreadable.push((folder, broken(&error))),
                },
            }
        }
        rows.extend(unreadable.into_iter().map(|(folder, row)| (folder, (String::new(), row))));
        for (folder, (_, row)) in &mut rows {
            let place = folder.strip_prefix(&self.folder).unwrap_or(folder);
            row.place = place.to_string_lossy().into_owned();
            row.id = blake3::hash(place.as_os_str().as_encoded_bytes()).to_hex()[..16].to_owned();
        }
        let is_new = known.rows != rows || known.rows.is_empty();
        known.rows = rows;
        if is_new {
            *held(&self.list) = Arc::new(self.listed(&known.rows));
        }
        Ok(())
    }

    /// The page: those that are written first, then those that changed last.
    fn listed(&self, known: &HashMap<PathBuf, (String, Row)>) -> List {
        let mut rows: Vec<&Row> = known.values().map(|(_, row)| row).collect();
        rows.sort_by_key(|row| (!row.is_written, std::cmp::Reverse(row.changed), &row.place));
        let version = blake3::hash(format!("{rows:?}").as_bytes()).to_hex()[..16].to_owned();
        let name =
            self.folder.file_name().map_or_else(|| "runs".to_owned(), |name| name.to_string_lossy().into_owned());
        let page = gallery_page(&name, &rows, &version);
        let state = json!({ "version": version });
        let made = Made::new(vec![(PAGE.to_owned(), page.into_bytes())], &state, String::new());
        List { folders: known.iter().map(|(folder, (_, row))| (row.id.clone(), folder.clone())).collect(), made }
    }

    /// What a request asks for, with the name by which its type is known; none if there is no such thing.
    pub(super) fn document(&self, name: &str, query: Option<&str>) -> Option<(String, Bytes)> {
        let list = Arc::clone(&held(&self.list));
        // From the address of the page to the list.
        let list_at = if name.starts_with("run/") { "../".repeat(name.matches('/').count()) } else { "./".to_owned() };
        let (runs, name) = match name.strip_prefix("run/").and_then(|rest| rest.split_once('/')) {
            Some((id, name)) => (vec![id.to_owned()], name),
            None if name == "compare" => match compared(query.unwrap_or_default()) {
                runs if runs.is_empty() => {
                    return Some((PAGE.to_owned(), waiting_page(Some(HOW_MANY), &list_at).into()));
                }
                runs => (runs, ""),
            },
            None => return Some((name.to_owned(), list.made.document(name)?)),
        };
        let name = if name.is_empty() { PAGE } else { name };
        if !runs.iter().all(|id| list.folders.contains_key(id)) {
            return None;
        }
        let opened = self.asked(runs);
        let store = held(&opened.store).clone();
        let page = match store {
            Some(Ok(store)) => store.made().document(name)?,
            // Only a page is waited for.
            _ if !name.ends_with(".html") => return None,
            Some(Err(problem)) => waiting_page(Some(&problem), &list_at).into(),
            None => waiting_page(None, &list_at).into(),
        };
        Some((name.to_owned(), page))
    }

    /// The page of these runs, which is made if it is not there.
    fn asked(&self, runs: Vec<String>) -> Arc<Opened> {
        let mut opened = held(&self.opened);
        let page = match opened.iter().position(|page| page.runs == runs) {
            Some(place) => opened.remove(place),
            None => Arc::new(Opened { runs, store: Mutex::default(), idle: AtomicU32::default() }),
        };
        page.idle.store(0, Ordering::Relaxed);
        opened.push(Arc::clone(&page));
        if opened.len() > OPEN {
            opened.remove(0);
        }
        page
    }
}

/// A folder that cannot be read.
fn broken(error: &RecordError) -> Row {
    Row { headline: error.to_string(), is_broken: true, ..Row::default() }
}

/// The ids of the runs of a form, each once: two or more.
fn compared(query: &str) -> Vec<String> {
    let mut runs: Vec<String> = Vec::new();
    for id in query.split('&').filter_map(|part| part.strip_prefix("run=")) {
        if !runs.iter().any(|known| known == id) {
            runs.push(id.to_owned());
        }
    }
    if (2..=COMPARED).contains(&runs.len()) { runs } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_is_of_two_runs_or_more() {
        assert_eq!(compared("run=a&run=b&x=c&run=a"), ["a", "b"]);
        assert!(compared("run=a&run=a").is_empty() && compared("").is_empty());
        assert!(compared(&(0..9).map(|id| format!("run={id}&")).collect::<String>()).is_empty());
    }
}
