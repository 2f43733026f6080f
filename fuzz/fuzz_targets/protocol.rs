//! Lines to an engine, of any bytes: each is answered as the protocol says, and the next game is played as if they had not been there.
#![no_main]

use evouct::external::Engine;
use evouct::parameter::Preset;
use evouct::registry;
use libfuzzer_sys::fuzz_target;

const GAME: &[u8] =
    b"\nevouct 1\nnewgame carcassonne seats=2 seat=1 seed=3\nposition\ndrawn J\nlegal J@0,1r1\ngo iterations 4\n";

/// A player without a budget, so that no number makes it think for long.
fn answers(lines: &[u8]) -> String {
    let player = registry::spec("random", Preset::Text).unwrap();
    let mut out = Vec::new();
    let mut engine = Engine::new(registry::default_game(), player, None, Preset::Text).unwrap();
    engine.speak(&mut &lines[..], &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fuzz_target!(|lines: &[u8]| {
    let is_over = lines.split(|byte| *byte == b'\n').any(|line| String::from_utf8_lossy(line).trim() == "quit");
    let found = answers(&[lines, GAME].concat());
    for line in found.lines() {
        assert!(line == "ready" || ["id ", "move ", "error "].iter().any(|word| line.starts_with(word)), "{line}");
    }
    assert!(is_over || found.ends_with(&answers(GAME)), "{found}");
});
