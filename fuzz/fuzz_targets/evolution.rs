//! A journal of an evolution of any bytes: reading ends, and the course goes as far as the records do.
#![no_main]

use evouct::offline::{EVOLUTION_FILE, EvolutionFolder};
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: evouct::registry::add_games(), |bytes: &[u8]| {
    let folder = tempfile::tempdir().unwrap();
    // The first byte chooses the compression.
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let ending = ["", ".gz", ".zst"][usize::from(*choice) % 3];
    std::fs::write(folder.path().join(format!("{EVOLUTION_FILE}{ending}")), bytes).unwrap();
    if let Ok(Some(evolution)) = EvolutionFolder::open(folder.path()) {
        let progress = evolution.progress();
        assert_eq!(progress.missing == 0, progress.evolved.is_some());
    }
});
