//! A game in notation: refused, or written and read back as it was; the rules accept it or say what is wrong.
#![no_main]

use evouct::carcassonne::Transcript;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(transcript) = text.parse::<Transcript>() else { return };
    let again: Transcript = transcript.to_string().parse().expect("it was written from one");
    assert_eq!(again.to_string(), transcript.to_string());
    drop(transcript.replay());
});
