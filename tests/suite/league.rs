//! Leagues as a user runs them: the same records for all ways to play them, none lost, none played twice.

use crate::program;
use program::{LEAGUE, Scratch, digest, evouct, fail, fails, game_line, say, succeed};
use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The records of a journal by game id, without what depends on time and place.
fn games(scratch: &Scratch, journals: &[&str]) -> std::collections::BTreeMap<String, serde_json::Value> {
    let mut games = std::collections::BTreeMap::new();
    for journal in journals {
        for line in scratch.read(journal).lines().skip(1) {
            let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
            let mut game = line["game"].take();
            game.as_object_mut().unwrap().remove("run");
            let id = game["id"].as_str().unwrap().to_owned();
            assert!(games.insert(id.clone(), game).is_none(), "{id} was played twice");
        }
    }
    games
}

/// A small league that was played, on one thread.
struct Played {
    experiment: String,
    folder: String,
    /// Its digest.
    whole: String,
    journal: String,
}

impl Played {
    fn league(scratch: &Scratch) -> Played {
        let experiment = scratch.write("small.toml", LEAGUE);
        let folder = scratch.path("run");
        succeed(&["run", &experiment, "--out", &folder, "--threads", "1"]);
        Played { experiment, whole: digest(&folder), journal: scratch.read("run/games.jsonl"), folder }
    }
}

#[test]
fn one_thread_and_two_make_the_same_records() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let [one, two] = [("one", "1"), ("two", "2")].map(|(name, threads)| {
        let folder = scratch.path(name);
        let out = succeed(&["run", &experiment, "--out", &folder, "--threads", threads]);
        assert!(out.contains("12 of 12 games"), "{out}");
        folder
    });
    assert_eq!(digest(&one), digest(&two));
    let verified = succeed(&["verify", &one, "--games", "3"]);
    assert!(verified.contains("12 games replayed by the rules, 3 played again"), "{verified}");
    for name in [
        "ranking.csv",
        "matches.csv",
        "significance.csv",
        "players.csv",
        "turns.csv",
        "costs.csv",
        "contestants.csv",
        "expressions.csv",
        "report.json",
        "manifest.json",
        "experiment.toml",
    ] {
        let before = scratch.read(&format!("one/{name}"));
        std::fs::remove_file(scratch.path(&format!("one/{name}"))).unwrap();
        succeed(&["report", &one]);
        assert_eq!(scratch.read(&format!("one/{name}")), before, "{name} did not come back");
    }
    // A complete run has nothing to play and prints the same report.
    let again = succeed(&["run", &experiment, "--out", &one]);
    assert!(again.contains("12 of 12 games"));
    assert_eq!(digest(&one), digest(&two));
}

#[cfg(unix)]
#[test]
fn signals_end_a_run_with_75_and_the_same_command_resumes_it() {
    let scratch = Scratch::new();
    let long = LEAGUE.replace("games_per_match = 2", "games_per_match = 60");
    let experiment = scratch.write("long.toml", &long);
    let folder = scratch.path("run");
    let mut recorded = 0;
    for signal in ["INT", "TERM", "USR1"] {
        let mut run = evouct(&["run", &experiment, "--out", &folder, "--threads", "2"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Until it has written something more than before.
        let started = Instant::now();
        while games_in(&scratch) <= recorded && started.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let kill = std::process::Command::new("kill").args(["-s", signal, &run.id().to_string()]).status().unwrap();
        assert!(kill.success());
        let output = run.wait().unwrap();
        assert_eq!(output.code(), Some(75), "{signal}");
        let now = games_in(&scratch);
        assert!(now > recorded, "{signal}: nothing was added");
        recorded = now;
    }
    let said = say(&["report", &folder]);
    assert!(said.code == Some(1) && said.err.contains("interim results: "), "{}", said.err);
    assert!(!said.err.contains("cut off"), "a line was torn: {}", said.err);
}

/// Whole lines of the journal, the header left out.
fn games_in(scratch: &Scratch) -> usize {
    let text = std::fs::read_to_string(scratch.path("run/games.jsonl")).unwrap_or_default();
    text.matches('\n').count().saturating_sub(1)
}

#[test]
fn extending_a_run_leaves_its_games_as_they_were() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let folder = scratch.path("run");
    succeed(&["run", &experiment, "--out", &folder]);
    let before = games(&scratch, &["run/games.jsonl"]);
    // A player in the middle of the file, and another deck.
    let more = LEAGUE.replace("games_per_match = 2", "games_per_match = 3").replace(
        "[[player]]\nkind = \"random\"",
        "[[player]]\nname = \"new\"\nkind = \"mcts\"\niterations = 5\n[[player]]\nkind = \"random\"",
    );
    let wider = scratch.write("wider.toml", &more);
    let refused = fail(&["run", &wider, "--out", &folder], 2);
    assert!(refused.contains("decks was 2 and is 3"), "{refused}");
    let other = scratch.write("other.toml", &LEAGUE.replace("seed = 11", "seed = 11\ngame = \"hex\""));
    let of_game = program::unwrapped(&fail(&["run", &other, "--out", &folder], 2));
    assert!(of_game.contains("another experiment: game was carcassonne and is hex; "), "{of_game}");
    assert!(!of_game.contains("tile_sets"), "{of_game}");
    assert!(refused.contains("player new (mcts:iterations=5) is new") && refused.contains("--extend"), "{refused}");
    assert_eq!(games(&scratch, &["run/games.jsonl"]), before);
    let out = succeed(&["run", &wider, "--out", &folder, "--extend"]);
    assert!(out.contains("36 of 36 games"), "{out}");
    assert_eq!(games(&scratch, &["run/games.jsonl"]), before, "the first journal was touched");
    let all = games(&scratch, &["run/games.jsonl", "run/games-1.jsonl"]);
    assert_eq!(all.len(), 36);
    // The same as playing the wider league at once.
    let at_once = scratch.path("at-once");
    succeed(&["run", &wider, "--out", &at_once]);
    assert_eq!(digest(&folder), digest(&at_once));
    succeed(&["verify", &folder]);
    // Printed numbers that are added later change no game, and are recorded only with --extend.
    let printed = format!("{more}[paper]\ntable = \"I\"\nseats = [{{ player = \"MCTS\", seat = 1, score = 7 }}]\n");
    let printed = scratch.write("printed.toml", &printed);
    let said = say(&["run", &printed, "--out", &folder]);
    assert!(said.code == Some(0) && !said.out.contains("Means printed"), "{}", said.out);
    assert!(said.err.contains("in text that changes no game"), "{}", said.err);
    for _ in 0..2 {
        let out = succeed(&["run", &printed, "--out", &folder, "--extend"]);
        assert!(out.contains("Means printed in table I") && out.contains("36 of 36 games"), "{out}");
        assert_eq!(digest(&folder), digest(&at_once));
        assert!(scratch.exists("run/games-2.jsonl") && !scratch.exists("run/games-3.jsonl"));
    }
    // The same next to a journal that was not extended.
    for (experiment, what) in [(&wider, None), (&printed, Some("--extend"))] {
        let again = [&["run", experiment, "--out", &at_once], what.as_slice()].concat();
        assert_eq!(succeed(&again).contains("Means printed"), what.is_some());
    }
    // A reduction is no extension.
    fails(&["run", &experiment, "--out", &folder, "--extend"], 2, "player new (mcts:iterations=5) is gone");
}

#[test]
fn printed_numbers_can_be_added_to_shards_and_corrected() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let folder = scratch.path("run");
    for shard in ["0/2", "1/2"] {
        succeed(&["run", &experiment, "--out", &folder, "--shard", shard]);
    }
    let whole = digest(&folder);
    for (score, journals) in [(7, 1), (8, 2), (8, 2)] {
        let more = format!("[paper]\nseats = [{{ player = \"MCTS\", seat = 1, score = {score} }}]\n");
        let printed = scratch.write("printed.toml", &format!("{LEAGUE}{more}"));
        let out = succeed(&["run", &printed, "--out", &folder, "--extend"]);
        assert!(program::unwrapped(&out).contains(&format!("MCTS 1 score {score} ")), "{out}");
        let files =
            std::fs::read_dir(&folder).unwrap().filter_map(|entry| entry.unwrap().file_name().into_string().ok());
        let added = files.filter(|name| name.starts_with("games") && !name.contains("shard")).count();
        assert_eq!((added, digest(&folder)), (journals, whole.clone()));
    }
}

#[test]
fn options_for_seed_and_decks_equal_the_keys_of_the_file() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let more = LEAGUE.replace("games_per_match = 2", "games_per_match = 3");
    let with_seed = scratch.write("seed.toml", &more.replace("seed = 11", "seed = 12"));
    let [by_file, by_options] = ["by-file", "by-options"].map(|name| scratch.path(name));
    succeed(&["run", &with_seed, "--out", &by_file]);
    // Two decks, then a third.
    let options = ["run", &experiment, "--out", &by_options, "--seed", "12"];
    succeed(&options);
    let out = succeed(&[&options[..], &["--games-per-match", "3", "--extend"]].concat());
    assert!(out.starts_with("small-seed-12: ") && out.contains("seed 12"), "{out}");
    assert_eq!(digest(&by_options), digest(&by_file));
    // The tables without times.
    for name in ["ranking.csv", "matches.csv", "significance.csv"] {
        let tables = ["by-file", "by-options"].map(|folder| scratch.read(&format!("{folder}/{name}")));
        assert_eq!(tables[0], tables[1], "{name}");
    }
    assert!(scratch.read("by-options/report.html").contains("experiment.toml --seed 12 --decks 3"));
    succeed(&["verify", &by_options]);
    for (option, value) in [("--seed", "-1"), ("--seed", "x"), ("--decks", "0")] {
        fails(&["run", &experiment, &format!("{option}={value}")], 2, option);
    }
}

#[test]
fn torn_and_damaged_lines_lose_one_game_each() {
    let scratch = Scratch::new();
    let Played { experiment, folder, whole, journal } = Played::league(&scratch);
    for cut in [1, 40, 3_000] {
        std::fs::write(scratch.path("run/games.jsonl"), &journal[..journal.len() - cut]).unwrap();
        let said = say(&["report", &folder]);
        assert!(said.code == Some(1) && said.err.contains("interim results: "), "{}", said.err);
        assert!(said.err.contains("the last line was cut off"), "{}", said.err);
        assert!(say(&["verify", &folder]).code == Some(1));
        let out = succeed(&["run", &experiment, "--out", &folder]);
        assert!(out.contains("12 of 12 games"), "{out}");
        assert_eq!(digest(&folder), whole);
        succeed(&["verify", &folder, "--games", "0"]);
    }
    // A changed letter in the middle: the checksum shows it, and the game is played again.
    let mut lines: Vec<String> = journal.lines().map(str::to_owned).collect();
    lines[4] = lines[4].replace("\"deck\":1", "\"deck\":2");
    std::fs::write(scratch.path("run/games.jsonl"), lines.join("\n") + "\n").unwrap();
    let said = say(&["run", &experiment, "--out", &folder]);
    assert_eq!(said.code, Some(0));
    assert!(said.err.contains("games.jsonl:5: this line is ignored: the checksum does not match"), "{}", said.err);
    assert_eq!(digest(&folder), whole);
}

#[test]
fn journals_read_compressed() {
    let scratch = Scratch::new();
    let Played { folder, whole, journal, .. } = Played::league(&scratch);
    let file = std::fs::File::create(scratch.path("run/games.jsonl.gz")).unwrap();
    let mut gz = flate2::write::GzEncoder::new(file, flate2::Compression::default());
    gz.write_all(journal.as_bytes()).unwrap();
    gz.finish().unwrap();
    std::fs::remove_file(scratch.path("run/games.jsonl")).unwrap();
    assert_eq!(digest(&folder), whole);
    succeed(&["verify", &folder, "--games", "1"]);
    let zst = ruzstd::encoding::compress_to_vec(journal.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    std::fs::write(scratch.path("run/games.jsonl.zst"), zst).unwrap();
    std::fs::remove_file(scratch.path("run/games.jsonl.gz")).unwrap();
    assert_eq!(digest(&folder), whole);
    // Resuming a compressed journal starts a new one next to it.
    let wider = scratch.write("wider.toml", &LEAGUE.replace("games_per_match = 2", "games_per_match = 3"));
    succeed(&["run", &wider, "--out", &folder, "--extend"]);
    assert!(scratch.exists("run/games-1.jsonl"));
}

#[test]
fn a_failed_game_is_listed_kept_and_played_again_when_asked() {
    let scratch = Scratch::new();
    let Played { experiment, folder, whole, journal } = Played::league(&scratch);
    // The record that a panic leaves: the same game, cut short.
    let lines: Vec<&str> = journal.lines().collect();
    let line: serde_json::Value = serde_json::from_str(lines[3]).unwrap();
    let mut game = line["game"].clone();
    game["ended"] = "panicked".into();
    game["moves"] = "".into();
    game["virtual"] = serde_json::json!([]);
    game["run"]["message"] = "lost 3 meeples".into();
    game["run"]["repeat"] = "rm -r /".into();
    let failed = game_line(line["of"].as_str().unwrap(), &game);
    let mut changed = lines.clone();
    changed[3] = &failed;
    std::fs::write(scratch.path("run/games.jsonl"), changed.join("\n") + "\n").unwrap();

    let said = say(&["run", &experiment, "--out", &folder]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("1 game failed") && said.out.contains("panicked: lost 3 meeples"), "{}", said.out);
    // The command that repeats it follows from the experiment, not from the record.
    assert!(said.out.contains("repeat: evouct play -1 '") && !said.out.contains("rm -r"), "{}", said.out);
    assert!(!scratch.read("run/report.json").contains("rm -r") && !scratch.read("run/report.html").contains("rm -r"));
    let repeat = said.out.lines().find_map(|line| line.trim().strip_prefix("repeat: ")).unwrap();
    let command = format!("{}{}", env!("CARGO_BIN_EXE_evouct"), repeat.strip_prefix("evouct").unwrap());
    assert!(std::process::Command::new("sh").args(["-c", &command]).output().unwrap().status.success(), "{command}");
    assert!(said.out.contains("11 of 12 games"), "a failed game counts as played: {}", said.out);
    let out = succeed(&["run", &experiment, "--out", &folder, "--retry-failed"]);
    assert!(out.contains("12 of 12 games"), "{out}");
    assert_eq!(digest(&folder), whole);
}

#[test]
fn thoughts_are_kept_beside_the_journal_and_change_nothing_in_it() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let thinking = scratch.write("thinking.toml", &LEAGUE.replace("seed = 11", "seed = 11\nlog = \"full\""));
    let silent = scratch.write("silent.toml", &LEAGUE.replace("seed = 11", "seed = 11\nlog = \"none\""));
    let [plain, full, none] =
        [("plain", &experiment), ("full", &thinking), ("none", &silent)].map(|(name, experiment)| {
            let folder = scratch.path(name);
            succeed(&["run", experiment, "--out", &folder]);
            folder
        });
    assert_eq!(digest(&plain), digest(&full));
    assert_ne!(digest(&plain), digest(&none), "formulas are part of the digest");
    assert!(!scratch.exists("plain/thoughts.jsonl"));
    let thoughts = scratch.read("full/thoughts.jsonl");
    let thought: serde_json::Value = serde_json::from_str(thoughts.lines().next().unwrap()).unwrap();
    let visits: f64 = thought["considered"].as_array().unwrap().iter().map(|c| c["visits"].as_f64().unwrap()).sum();
    assert!(visits == 40.0 || visits == 30.0, "{thought}");
}

#[test]
fn timed_games_are_marked_and_counted() {
    let scratch = Scratch::new();
    let timed = LEAGUE.replace("iterations = 30", "time_per_move = 0.001");
    let experiment = scratch.write("timed.toml", &timed);
    let folder = scratch.path("run");
    succeed(&["run", &experiment, "--out", &folder]);
    let said = digest(&folder);
    assert!(said.contains("8 games were limited by a clock"), "{said}");
    let verified = succeed(&["verify", &folder, "--games", "50"]);
    assert!(verified.contains("4 played again") && verified.contains("8 games were limited by a clock"), "{verified}");
}

#[test]
fn verify_finds_a_forged_record() {
    let scratch = Scratch::new();
    let Played { folder, journal, .. } = Played::league(&scratch);
    let lines: Vec<&str> = journal.lines().collect();
    let change = |edit: &dyn Fn(&mut serde_json::Value)| {
        let mut line: serde_json::Value = serde_json::from_str(lines[2]).unwrap();
        let mut game = line["game"].take();
        edit(&mut game);
        // The checksum is corrected as well.
        let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        changed[2] = game_line(line["of"].as_str().unwrap(), &game);
        std::fs::write(scratch.path("run/games.jsonl"), changed.join("\n") + "\n").unwrap();
        let said = say(&["verify", &folder, "--games", "12"]);
        assert_eq!(said.code, Some(1), "{said:?}");
        said.out
    };
    let first_score = |game: &mut serde_json::Value| game["scores"][0] = 999.into();
    assert!(change(&first_score).contains("scores: recorded [999, "));
    assert!(change(&|game| game["metrics"][0]["meeples"] = 99.into()).contains("metrics: recorded"));
    assert!(change(&|game| game["virtual"][3][0] = 99.into()).contains("virtual: recorded"));
    assert!(change(&|game| game["playouts"][0] = 1.into()).contains("playouts: recorded"));
    assert!(change(&|game| game["deck"] = 2.into()).contains("is not one of experiment"));
    assert!(change(&|game| game["id"] = "7-00000000-00000000".into()).contains("is not one of experiment"));
}

#[test]
fn games_won_and_drawn_are_those_of_the_records() {
    let scratch = Scratch::new();
    let text = "name = \"draws\"\nseed = 5\ngames_per_match = 60\n[[player]]\nname = \"a\"\nkind = \"random\"\n[[player]]\nname = \
                \"b\"\nkind = \"random\"\n";
    let experiment = scratch.write("draws.toml", text);
    succeed(&["run", &experiment, "--out", &scratch.path("run")]);
    let journal = scratch.read("run/games.jsonl");
    let mut counted = std::collections::BTreeMap::<String, [u64; 2]>::new();
    for line in journal.lines().skip(1) {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let scores = [0, 1].map(|seat| line["game"]["scores"][seat].as_u64().unwrap());
        for seat in 0..2 {
            let name = line["game"]["run"]["players"][seat].as_str().unwrap().to_owned();
            let counts = counted.entry(name).or_default();
            counts[0] += u64::from(scores[seat] > scores[1 - seat]);
            counts[1] += u64::from(scores[0] == scores[1]);
        }
    }
    assert!(counted["a"][1] > 0, "a league without draws shows nothing");
    let report: serde_json::Value = serde_json::from_str(&scratch.read("run/report.json")).unwrap();
    for row in report["ranking"].as_array().unwrap() {
        let found = [&row["games_won"], &row["games_drawn"]].map(|count| count.as_u64().unwrap());
        assert_eq!(found, counted[row["player"].as_str().unwrap()], "{row}");
    }
}
