//! An experiment of any text: refused with the file's name, or read, and then the same from its journal's header.
#![no_main]

use evouct::config::{Experiment, Overrides};
use evouct::record::Header;
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: evouct::registry::add_games(), |text: &str| {
    match Experiment::parse(text, "x.toml", Overrides::default()) {
        Ok(experiment) => {
            let again = Header::of(&experiment, None).read("header").expect("it was read before");
            assert_eq!(again.hash(), experiment.hash());
        }
        Err(error) => assert!(error.to_string().starts_with("x.toml")),
    }
});
