//! Each line of a journal belongs to its experiment: other lines are reported and ignored. Files that are no journals
//! are read up to a limit and never overwritten.

use crate::program;
use evouct::carcassonne::SeatMetrics;
use evouct::einstein::EinsteinMetrics;
use program::{Scratch, as_format_1, digest, fail, fails, game_line, say, succeed};
use std::io::Write;
use std::path::Path;

/// A league of short games.
pub(crate) const RANDOM: &str = "name = \"random\"\nseed = 3\ngames_per_match = 2\n[[player]]\nname = \"a\"\nkind = \"random\"\n\
                      [[player]]\nname = \"b\"\nkind = \"random\"\n[[player]]\nname = \"c\"\nkind = \"random\"\n";

fn run(scratch: &Scratch, name: &str, toml: &str) -> String {
    let experiment = scratch.write(&format!("{name}.toml"), toml);
    let folder = scratch.path(name);
    succeed(&["run", &experiment, "--out", &folder]);
    folder
}

#[test]
fn lines_of_other_experiments_and_seeds_are_ignored() {
    let scratch = Scratch::new();
    let folder = run(&scratch, "ours", RANDOM);
    let whole = digest(&folder);
    assert!(whole.trim_end().ends_with("  12 of 12 games"), "{whole}");
    let journal = scratch.read("ours/games.jsonl");
    let lines: Vec<&str> = journal.lines().collect();
    let others = [
        // The same players and ids, another seed; then another experiment.
        ("seed", RANDOM.replace("seed = 3", "seed = 4"), "seed 4"),
        ("players", RANDOM.replace("name = \"c\"\nkind = \"random\"", "kind = \"mcts\"\niterations = 3"), "seed 3"),
    ];
    for (name, toml, words) in others {
        run(&scratch, name, &toml);
        let theirs = scratch.read(&format!("{name}/games.jsonl"));
        let stranger = theirs.lines().nth(1).unwrap();
        // In place of a line of the run, and in addition to all of them.
        for (number, lines) in
            [(5, [&lines[..4], &[stranger], &lines[5..]].concat()), (14, [&lines[..], &[stranger]].concat())]
        {
            scratch.write("ours/games.jsonl", &(lines.join("\n") + "\n"));
            let said = say(&["digest", &folder]);
            let expected = if number == 5 { "  11 of 12 games" } else { "  12 of 12 games" };
            assert!(said.code == Some(i32::from(number == 5)) && said.out.contains(expected), "{said:?}");
            assert!(
                said.err.contains(&format!("games.jsonl:{number}: this line is ignored: it is of experiment ")),
                "{said:?}"
            );
            assert!(said.err.contains(words) && said.err.contains("this journal is of experiment "), "{said:?}");
            assert_eq!(number == 14, said.out == whole);
            let status = succeed(&["status", &folder]);
            assert!(status.contains(expected.trim().trim_end_matches(" games")), "{status}");
            assert_eq!(say(&["verify", &folder, "--games", "0"]).code, Some(1));
            succeed(&["run", &scratch.path("ours.toml"), "--out", &folder]);
            assert_eq!(digest(&folder), whole);
            assert!(succeed(&["report", &folder]).contains("12 of 12 games"));
        }
    }
}

#[test]
fn a_line_cannot_be_given_to_another_experiment_or_left_unbound() {
    let scratch = Scratch::new();
    let folder = run(&scratch, "ours", RANDOM);
    let journal = scratch.read("ours/games.jsonl");
    let lines: Vec<&str> = journal.lines().collect();
    let line: serde_json::Value = serde_json::from_str(lines[1]).unwrap();
    let of = line["of"].as_str().unwrap();
    let mut outside = line["game"].clone();
    outside["deck"] = 3.into();
    outside["id"] = outside["id"].as_str().unwrap().replacen("1-", "3-", 1).into();
    let mut swapped = line["game"].clone();
    swapped["seats"].as_array_mut().unwrap().reverse();
    for (changed, words) in [
        (lines[1].replace(of, "0123456789abcdef/3"), "the checksum does not match"),
        (game_line("", &line["game"]), "it does not name its experiment"),
        (game_line("0123456789abcdef/3", &line["game"]), "it is of experiment 0123456789abcdef, seed 3"),
        (game_line("nonsense", &line["game"]), "not a binding"),
        (game_line(of, &outside), "is not one of experiment"),
        (game_line(of, &swapped), "is not one of experiment"),
    ] {
        scratch.write("ours/games.jsonl", &[&lines[..1], &[changed.as_str()], &lines[2..]].concat().join("\n"));
        let said = say(&["digest", &folder]);
        // The end of the last line is missing.
        assert!(said.out.contains("10 of 12 games") && said.err.contains(words), "{words}: {said:?}");
    }
}

#[test]
fn journals_of_format_1_are_read_and_resumed() {
    let scratch = Scratch::new();
    let folder = run(&scratch, "ours", RANDOM);
    let whole = digest(&folder);
    let old = as_format_1(&scratch.read("ours/games.jsonl"));
    scratch.write("ours/games.jsonl", &old);
    assert_eq!(digest(&folder), whole);
    let lines: Vec<&str> = old.split_inclusive('\n').collect();
    // A line with other players or another deck is found; a line of another seed has the same id, and only `verify`
    // finds it.
    let mut outside: serde_json::Value = serde_json::from_str(lines[2]).unwrap();
    outside["game"]["deck"] = 3.into();
    outside["game"]["id"] = outside["game"]["id"].as_str().unwrap().replacen("1-", "3-", 1).into();
    let stranger = game_line("", &outside["game"]) + "\n";
    scratch.write("ours/games.jsonl", &(lines[..7].concat() + &stranger));
    let said = say(&["digest", &folder]);
    assert!(said.out.contains("6 of 12 games") && said.err.contains("games.jsonl:8: this line is ignored"), "{said:?}");
    succeed(&["run", &scratch.path("ours.toml"), "--out", &folder]);
    assert_eq!(digest(&folder), whole);
    let wider = scratch.write("wider.toml", &RANDOM.replace("games_per_match = 2", "games_per_match = 3"));
    succeed(&["run", &wider, "--out", &folder, "--extend"]);
    assert!(digest(&folder).contains("18 of 18 games"));
    let verified = say(&["verify", &folder, "--games", "1"]);
    assert!(
        verified.code == Some(1) && verified.err.contains("0 records are wrong, 1 line is ignored"),
        "{verified:?}"
    );
}

#[test]
fn verify_finds_a_line_of_another_seed_in_a_journal_of_format_1() {
    let scratch = Scratch::new();
    let folder = run(&scratch, "ours", RANDOM);
    let other = run(&scratch, "other", &RANDOM.replace("seed = 3", "seed = 4"));
    let [ours, theirs] = ["ours", "other"].map(|name| as_format_1(&scratch.read(&format!("{name}/games.jsonl"))));
    let mut lines: Vec<&str> = ours.lines().collect();
    let id = |line: &str| line.split("\"id\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    // The same players and deck, so the same id: only the moves show that it is another game.
    let stranger = theirs.lines().skip(1).find(|line| id(line) == id(lines[4])).unwrap();
    lines[4] = stranger;
    assert_ne!(ours, lines.join("\n") + "\n");
    scratch.write("ours/games.jsonl", &(lines.join("\n") + "\n"));
    let said = say(&["digest", &folder]);
    assert!(said.out.ends_with("  12 of 12 games\n") && said.err.is_empty(), "{said:?}");
    assert_ne!(said.out, digest(&other));
    let said = say(&["verify", &folder, "--games", "0"]);
    assert!(said.code == Some(1) && said.err.contains("1 record is wrong"), "{said:?}");
    assert!(format!("{}{}", said.out, said.err).contains(&id(stranger)), "{said:?}");
}

#[test]
fn a_foreign_file_is_not_overwritten() {
    let scratch = Scratch::new();
    let experiment = scratch.write("ours.toml", RANDOM);
    let folder = scratch.path("ours");
    std::fs::create_dir(&folder).unwrap();
    for foreign in ["{\"my\":\"data\"}", "no newline", " ", "{\"sum\":\"0123456789abcdef\",\"game\":{}}"] {
        scratch.write("ours/games.jsonl", foreign);
        fails(&["run", &experiment, "--out", &folder], 2, "games.jsonl: this file is not a journal");
        assert_eq!(scratch.read("ours/games.jsonl"), foreign);
    }
    // A header that was cut off, and an empty file.
    let whole = run(&scratch, "whole", RANDOM);
    let header = scratch.read("whole/games.jsonl").lines().next().unwrap().to_owned();
    for torn in ["", &header[..5], &header[..60], &header] {
        scratch.write("ours/games.jsonl", torn);
        succeed(&["run", &experiment, "--out", &folder]);
        assert_eq!(digest(&folder), digest(&whole));
    }
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_at_once() {
    let scratch = Scratch::new();
    let experiment = scratch.write("ours.toml", RANDOM);
    let folder = run(&scratch, "ours", RANDOM);
    let pipe = scratch.path("ours/games-pipe.jsonl");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for arguments in [vec!["run", &experiment, "--out", &folder], vec!["digest", &folder], vec!["status", &folder]] {
        let line = fail(&arguments, 2);
        assert!(line.contains("games-pipe.jsonl: cannot read") && line.contains("not a regular file"), "{line}");
    }
    for arguments in [
        vec!["run", "/dev/zero"],
        vec!["run", &pipe],
        vec!["rules", "check", "/dev/zero"],
        vec!["replay", "/dev/zero"],
        vec!["replay", &pipe],
        vec!["points-table", "/dev/zero"],
        vec!["slurm", &experiment, "--profile", "/dev/zero"],
    ] {
        fails(&arguments, 2, "not a regular file");
    }
}

#[test]
fn damage_without_end_gives_a_short_list() {
    let scratch = Scratch::new();
    let folder = run(&scratch, "ours", RANDOM);
    let journal = scratch.read("ours/games.jsonl");
    std::fs::remove_file(scratch.path("ours/games.jsonl")).unwrap();
    let file = std::fs::File::create(scratch.path("ours/games.jsonl.gz")).unwrap();
    let mut gz = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    gz.write_all(journal.as_bytes()).unwrap();
    let newlines = vec![b'\n'; 1 << 16];
    for _ in 0..32 {
        gz.write_all(&newlines).unwrap();
    }
    gz.write_all(journal.lines().next().unwrap().as_bytes()).unwrap();
    gz.finish().unwrap();
    let said = say(&["digest", &folder]);
    assert!(said.code == Some(0) && said.out.contains("12 of 12 games"), "{}", said.out);
    assert!(said.err.lines().count() < 110, "{} lines", said.err.lines().count());
    assert!(said.err.contains("2097052 more lines from here on") && said.err.contains("was cut off"), "{}", said.err);
}

#[test]
fn a_truncated_compressed_journal_is_read_up_to_the_damage() {
    let scratch = Scratch::new();
    let folder = run(&scratch, "ours", RANDOM);
    let whole = digest(&folder);
    let journal = scratch.read("ours/games.jsonl");
    std::fs::remove_file(scratch.path("ours/games.jsonl")).unwrap();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(journal.as_bytes()).unwrap();
    let gz = gz.finish().unwrap();
    // A block is 128 KiB in this encoder: only what fills blocks before the cut comes back.
    let lines: String = journal.split_inclusive('\n').chain(std::iter::repeat_n("\n", 300_000)).collect();
    let zst = ruzstd::encoding::compress_to_vec(lines.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    let cut = [gz.len() * 3 / 4, zst.len() - 3];
    for (name, bytes, cut, games) in [("games.jsonl.gz", &gz, cut[0], 1..12), ("games.jsonl.zst", &zst, cut[1], 12..13)]
    {
        let path = scratch.path(&format!("ours/{name}"));
        std::fs::write(&path, &bytes[..cut]).unwrap();
        let said = say(&["digest", &folder]);
        let found: u64 = said.out.split_whitespace().nth(1).unwrap().parse().unwrap();
        assert_eq!(said.code, Some(i32::from(found < 12)), "{name}: {said:?}");
        assert!(games.contains(&found), "{name}: {found}");
        assert!(said.err.contains("cannot be read from here on"), "{name}: {}", said.err);
        succeed(&["run", &scratch.path("ours.toml"), "--out", &folder]);
        assert_eq!(digest(&folder), whole);
        std::fs::remove_file(&path).unwrap();
        std::fs::remove_file(scratch.path("ours/games-1.jsonl")).ok();
        std::fs::remove_file(scratch.path("ours/games.jsonl")).ok();
        // Cut off within the header, nothing is known of the run; another command may know more.
        std::fs::write(&path, &bytes[..20]).unwrap();
        let line = fail(&["digest", &folder], 2);
        assert!(line.contains(name) && line.contains("evouct repair"), "{line}");
        std::fs::remove_file(&path).unwrap();
    }
}

#[test]
fn status_counts_the_lines_of_a_game_that_is_not_here() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/openspiel/kept/pig-generic-proof");
    if !kept.exists() {
        return;
    }
    let kept = kept.display().to_string();
    let said = succeed(&["status", &kept]);
    let expected = " games recorded, 0 failed; the game openspiel:pig(winscore=20) is not here, so it is not known how many are missing\n";
    assert!(said.starts_with("pig-generic-proof: ") && said.ends_with(expected), "{said}");
    fail(&["status", &kept, "--missing"], 1);
}

#[test]
fn metrics_of_games_have_their_keys_in_order() {
    fn keys(metrics: &impl serde::Serialize) {
        assert_eq!(serde_json::to_string(metrics).unwrap(), serde_json::to_value(metrics).unwrap().to_string());
    }
    keys(&SeatMetrics::default());
    keys(&EinsteinMetrics::default());
}

#[test]
fn metrics_that_are_too_deep_are_a_damaged_line() {
    let scratch = Scratch::new();
    let folder = run(&scratch, "ours", RANDOM);
    let whole = digest(&folder);
    let journal = scratch.read("ours/games.jsonl");
    let mut lines: Vec<String> = journal.lines().map(str::to_owned).collect();
    let line: serde_json::Value = serde_json::from_str(&lines[4]).unwrap();
    let mut game = line["game"].clone();
    for _ in 0..200 {
        let inner = game["metrics"][0].take();
        game["metrics"][0] = serde_json::json!([inner]);
    }
    // With its checksum.
    lines[4] = game_line(line["of"].as_str().unwrap(), &game);
    scratch.write("ours/games.jsonl", &(lines.join("\n") + "\n"));
    for command in ["digest", "report", "status"] {
        let said = say(&[command, &folder]);
        let all = said.out + &said.err;
        assert!(all.contains("games.jsonl:5: this line is ignored: recursion limit exceeded"), "{command}: {all}");
        assert!(all.contains("11 of 12 games"), "{command}: {all}");
    }
    succeed(&["run", &scratch.path("ours.toml"), "--out", &folder]);
    assert_eq!(digest(&folder), whole);
}
