//! A recording of another rules engine: refused, or checked against the rules to a verdict.
#![no_main]

use evouct::carcassonne::ImportedGame;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    std::fs::write(&path, text).unwrap();
    for line in evouct::store::read_lines(&path).unwrap().flatten() {
        if let Ok(recording) = serde_json::from_str::<ImportedGame>(&line) {
            drop(recording.check());
            drop(recording.position());
        }
    }
});
