//! What version 0.2 (be73d796) began goes on to what it would have come to: a folder of each kind, killed half way in the
//! middle of a line. The evolution comes to other measurements if this version begins it.

use crate::program::{Scratch, digest, succeed};
use crate::repair::copied;

/// The command, the journal, and the digest of 0.2; none of scores.
const FOLDERS: [(&str, &str, &str); 5] = [
    ("run league.toml", "games.jsonl", "881299cea6216fa2416aa5faa6cd2ef7181de5f60cd625dbe0a9fca4db416c07"),
    ("evolve evolution.toml", "evolution.jsonl", "afc385638057fc776315f9f2bcd82bd2cc45116be12a9922eb6af3218be61261"),
    ("bank bank.toml", "bank.jsonl", "a90c4c79e86c2b0778d5995f4e31f40f00bcdf67180c70007bdeca969df4de08"),
    (
        "tune tuning.toml --over final=mean,visits --games 150",
        "round-1/games.jsonl",
        "07c89af436e49fdf9cf761412aa2a7ca3080149421b6a668754036711a48bb07",
    ),
    ("score scores.toml --genomes genomes.txt", "scores.jsonl", ""),
];

#[test]
fn what_0_2_began_goes_on_to_the_same_digest() {
    let scratch = Scratch::new();
    let place = scratch.path("begun");
    copied(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/version-0.2"), &place);
    for (command, journal, expected) in FOLDERS {
        let (command, file) = command.split_once(' ').unwrap();
        let (name, more) = file.split_once(".toml").unwrap();
        let folder = format!("{place}/{name}");
        let more = more.replace("genomes.txt", &format!("{place}/genomes.txt"));
        let begun = scratch.read(&format!("begun/{name}/{journal}"));
        let words = format!("{command} {place}/{name}.toml{more} --out {folder}");
        succeed(&words.split(' ').collect::<Vec<_>>());
        let whole = scratch.read(&format!("begun/{name}/{journal}"));
        assert!(whole.starts_with(&begun[..=begun.rfind('\n').unwrap()]), "{name}: what 0.2 recorded stays as it is");
        match expected {
            "" => assert_eq!(scratch.read("begun/scores/scores.csv"), scratch.read("begun/scores.csv")),
            _ => assert_eq!(&digest(&folder)[..64], expected, "{name}"),
        }
    }
}
