//! A journal of any bytes: reading and salvage end, and salvage keeps at least what reading finds.
#![no_main]

use evouct::record::{Run, repair};
use evouct::store::RecordError;
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fn games(folder: &Path) -> usize {
    let Ok(run) = Run::open(folder) else { return 0 };
    let mut games = 0;
    let read = run.games(|_| -> Result<(), RecordError> {
        games += 1;
        Ok(())
    });
    if read.is_ok() { games } else { 0 }
}

fuzz_target!(init: evouct::registry::add_games(), |bytes: &[u8]| {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    // The first byte chooses the compression.
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let ending = ["", ".gz", ".zst"][usize::from(*choice) % 3];
    std::fs::write(folder.path().join(format!("games.jsonl{ending}")), bytes).unwrap();
    let read = games(folder.path());
    match repair(folder.path(), out.path()) {
        Ok(_) => assert!(games(out.path()) >= read),
        Err(_) => assert_eq!(read, 0),
    }
});
