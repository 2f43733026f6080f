//! `I/N`: refused, or a shard that is written as it was read.
#![no_main]

use evouct::schedule::Shard;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(shard) = text.parse::<Shard>() else { return };
    assert!(shard.index() < shard.count());
    assert_eq!(shard.to_string().parse(), Ok(shard));
});
