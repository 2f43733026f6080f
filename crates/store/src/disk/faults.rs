//! Faults on demand: for tests, which make the n-th change of a folder fail and then lose what was not synced.
//!
//! [`inject`] arms a plan for all paths below one folder, for this process. Plans for different folders are
//! independent, so that tests may run side by side.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A kind of change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum DiskChange {
    /// A folder is made.
    CreateFolder,
    /// A file is created or opened for appending.
    Create,
    /// Bytes are written. A failing write leaves half of them behind.
    Write,
    /// A file or folder is synced.
    Sync,
    /// A file is cut off.
    SetLength,
    /// A file is locked.
    Lock,
    /// A file is given another name.
    Rename,
    /// A file is removed.
    Remove,
}

/// What follows the failing call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterFault {
    /// Later calls succeed: a full disk that was cleared.
    Recovers,
    /// All later calls fail too: the disk is gone, or the power.
    Dead,
}

#[derive(Debug)]
struct Plan {
    folder: PathBuf,
    fail_at: u64,
    after: AfterFault,
    calls: AtomicU64,
    failed: Mutex<Option<DiskChange>>,
    /// What of each changed file is on the disk: so many bytes, or not even the file.
    durable: Mutex<BTreeMap<PathBuf, Option<u64>>>,
}

/// How many plans are armed: the only thing that is looked at where none is.
static ARMED: AtomicUsize = AtomicUsize::new(0);
static PLANS: Mutex<Vec<Arc<Plan>>> = Mutex::new(Vec::new());

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A plan that is armed until this is dropped.
#[derive(Debug)]
pub struct Injection(Arc<Plan>);

/// Makes the change number `fail_at`, from 1, of this folder and of everything in it fail; 0 for none, to count them.
pub fn inject(folder: &Path, fail_at: u64, after: AfterFault) -> Injection {
    let plan = Arc::new(Plan {
        folder: folder.to_owned(),
        fail_at,
        after,
        calls: AtomicU64::new(0),
        failed: Mutex::new(None),
        durable: Mutex::new(BTreeMap::new()),
    });
    held(&PLANS).push(Arc::clone(&plan));
    ARMED.fetch_add(1, Ordering::SeqCst);
    Injection(plan)
}

impl Injection {
    /// How many changes there were.
    pub fn calls(&self) -> u64 {
        self.0.calls.load(Ordering::SeqCst)
    }

    /// What failed first, if anything did.
    pub fn failed(&self) -> Option<DiskChange> {
        *held(&self.0.failed)
    }

    /// Disarms the plan and takes away what was not synced, as a loss of power may: files that were never synced are
    /// gone, others end where they were synced last. A rename is kept with what was synced of the file.
    ///
    /// # Errors
    /// If a file cannot be changed.
    pub fn lose_power(self) -> io::Result<()> {
        let durable = std::mem::take(&mut *held(&self.0.durable));
        drop(self);
        for (path, length) in durable {
            let Ok(metadata) = std::fs::metadata(&path) else { continue };
            match length {
                None => std::fs::remove_file(&path)?,
                Some(length) if metadata.len() > length => {
                    File::options().write(true).open(&path)?.set_len(length)?;
                }
                Some(_) => {}
            }
        }
        Ok(())
    }
}

impl Drop for Injection {
    fn drop(&mut self) {
        held(&PLANS).retain(|plan| !Arc::ptr_eq(plan, &self.0));
        ARMED.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The plans that this path is under.
fn plans(path: &Path) -> Vec<Arc<Plan>> {
    if ARMED.load(Ordering::Relaxed) == 0 {
        return Vec::new();
    }
    held(&PLANS).iter().filter(|plan| path.starts_with(&plan.folder)).cloned().collect()
}

/// Counts a change; an error where it is to fail.
pub(super) fn check(path: &Path, step: DiskChange) -> io::Result<()> {
    for plan in plans(path) {
        let call = plan.calls.fetch_add(1, Ordering::SeqCst) + 1;
        if plan.fail_at > 0 && (call == plan.fail_at || (call > plan.fail_at && plan.after == AfterFault::Dead)) {
            held(&plan.failed).get_or_insert(step);
            return Err(io::Error::other("a fault was injected"));
        }
    }
    Ok(())
}

fn note(path: &Path, note: impl Fn(&mut BTreeMap<PathBuf, Option<u64>>)) {
    for plan in plans(path) {
        note(&mut held(&plan.durable));
    }
}

/// A file was opened: what it holds now is on the disk; an empty one may be lost.
pub(super) fn opened(path: &Path, file: &File) {
    note(path, |durable| {
        let length = file.metadata().map_or(0, |metadata| metadata.len());
        durable.entry(path.to_owned()).or_insert((length > 0).then_some(length));
    });
}

/// A file was synced.
pub(super) fn synced(path: &Path, file: &File) {
    note(path, |durable| {
        durable.insert(path.to_owned(), file.metadata().ok().map(|metadata| metadata.len()));
    });
}

/// A file was cut off.
pub(super) fn cut(path: &Path, length: u64) {
    note(path, |durable| {
        if let Some(Some(synced)) = durable.get_mut(path) {
            *synced = length.min(*synced);
        }
    });
}

/// A file got another name.
pub(super) fn renamed(from: &Path, to: &Path) {
    note(to, |durable| {
        let length = durable.remove(from).flatten();
        // Without a sync the name may be there and the text not.
        durable.insert(to.to_owned(), Some(length.unwrap_or(0)));
    });
}

/// A file was removed.
pub(super) fn removed(path: &Path) {
    note(path, |durable| {
        durable.remove(path);
    });
}
