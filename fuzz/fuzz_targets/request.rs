//! An HTTP request of any bytes: answered with a known status, or the connection is closed.
#![no_main]

use evouct::config::{Experiment, Overrides};
use evouct::record::Header;
use evouct::serve::Offline;
use evouct::store::JournalWriter;
use libfuzzer_sys::fuzz_target;

const TOML: &str =
    "name = \"x\"\n[[player]]\nname = \"a\"\nkind = \"random\"\n[[player]]\nname = \"b\"\nkind = \"random\"\n";

thread_local! {
    static SERVER: Offline = {
        let folder = tempfile::tempdir().unwrap();
        let experiment = Experiment::parse(TOML, "x.toml", Overrides::default()).unwrap();
        drop(JournalWriter::open(&folder.path().join("games.jsonl"), &Header::of(&experiment, None)).unwrap());
        Offline::open(folder.path()).unwrap()
    };
}

fuzz_target!(init: evouct::registry::add_games(), |bytes: &[u8]| {
    let reply = SERVER.with(|server| server.reply(bytes));
    let status = reply.split(|byte| *byte == b' ').nth(1);
    let known: [&[u8]; 10] = [b"200", b"400", b"403", b"404", b"405", b"413", b"414", b"431", b"501", b"505"];
    assert!(reply.is_empty() || known.contains(&status.unwrap_or_default()), "{}", String::from_utf8_lossy(&reply));
});
