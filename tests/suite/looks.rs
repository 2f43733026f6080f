//! Leagues whose pairs are tested at looks: pairs that differ stop, and all ways to play them end with the same games.

use crate::journal;
use crate::program;
use evouct::config::{Experiment, Overrides};
use evouct::league::{End, ResumeOptions, Session};
use evouct::record::Ended;
use journal::{Journal, toml};
use program::{Scratch, digest, fail, say, status, succeed, unwrapped};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Two players that are the same but for one iteration, and two that differ from them.
const LEAGUE: &str = "name = \"four\"\nseed = 3\ngames_per_match = 40\n[sequential]\nlooks = 4\n\
    [[player]]\nname = \"random\"\nkind = \"random\"\n\
    [[player]]\nname = \"mcts-8\"\nkind = \"mcts\"\niterations = 8\n\
    [[player]]\nname = \"mcts-9\"\nkind = \"mcts\"\niterations = 9\n\
    [[player]]\nname = \"greedy\"\nkind = \"one-ply\"\n";

fn report(scratch: &Scratch, folder: &str) -> Value {
    succeed(&["report", &scratch.path(folder)]);
    serde_json::from_str(&scratch.read(&format!("{folder}/report.json"))).unwrap()
}

/// Plays on one thread until so many games are recorded.
pub(crate) fn play_some(session: Session, games: usize) -> End {
    let stop = Arc::new(AtomicBool::new(false));
    let mut played = 0;
    let end = session.play(1, &stop, &mut (), |_| {
        played += 1;
        if played == games {
            stop.store(true, Ordering::Relaxed);
        }
    });
    end.unwrap()
}

/// A session of an experiment in a folder.
pub(crate) fn session(experiment: Experiment, folder: &str) -> Session {
    Session::plan(experiment, Path::new(folder), None, ResumeOptions::default()).unwrap()
}

#[test]
fn every_way_to_play_ends_with_the_same_games() {
    let scratch = Scratch::new();
    let file = scratch.write("four.toml", LEAGUE);
    let digests = ["1", "3"].map(|threads| {
        succeed(&["run", &file, "--out", &scratch.path(threads), "--threads", threads]);
        digest(&scratch.path(threads))
    });
    assert_eq!(digests[0], digests[1]);
    let whole = report(&scratch, "1");
    let looks = &whole["looks"];
    let (games, pairs) = (whole["finished"].as_u64().unwrap(), looks["pairs"].as_u64().unwrap());
    assert_eq!((pairs, &looks["decks"], &looks["missing"]), (6, &json!([10, 20, 30, 40]), &json!(0)));
    // Pairs that differ have no game beyond the look that showed it.
    let units = |row: &Value| row["units"].as_u64().unwrap();
    let rows = whole["significance"].as_array().unwrap();
    assert_eq!(games, 2 * rows.iter().map(units).sum::<u64>());
    for row in rows {
        let differs = row["holm"].as_f64().unwrap() < 0.05;
        assert!(if differs { units(row) <= 40 && units(row) % 10 == 0 } else { units(row) == 40 }, "{row}");
    }
    assert!(games < 2 * 40 * 6 / 2, "{games}");
    let status = status(&scratch.path("1"));
    assert_eq!((&status["missing"], &status["recorded"]), (&json!(0), &json!(games)));
    succeed(&["verify", &scratch.path("1"), "--games", "2"]);

    // Interrupted in the middle of a look and between two.
    evouct::registry::add_games();
    let experiment = || Experiment::load(Path::new(&file), Overrides::default()).unwrap();
    let folder = scratch.path("cut");
    for games in [7, 113, 30] {
        assert_eq!(play_some(session(experiment(), &folder), games), End::Interrupted);
        assert_eq!(say(&["digest", &folder]).code, Some(1), "it is not whole");
    }
    succeed(&["run", &file, "--out", &folder]);
    assert_eq!(digest(&folder), digests[0]);
    // A complete run does not change.
    succeed(&["run", &file, "--out", &folder]);
    assert_eq!(digest(&folder), digests[0]);
}

#[test]
fn shards_meet_at_every_look() {
    let scratch = Scratch::new();
    let file = scratch.write("four.toml", LEAGUE);
    succeed(&["run", &file, "--out", &scratch.path("whole")]);
    let folder = scratch.path("shards");
    let shard = |part: &str| say(&["run", &file, "--out", &folder, "--shard", part, "--patience", "0"]);
    // Each plays its part of a look, and the second to arrive goes on to the next one.
    let first = shard("0/2");
    assert_eq!(first.code, Some(75), "{first:?}");
    assert!(first.err.contains("shard 0/2 has played its part of look 1 in "), "{}", first.err);
    assert!(
        first.err.contains(", but 60 games of other shards are missing; the same command goes on"),
        "{}",
        first.err
    );
    let interim = report_text(&folder);
    assert!(interim.contains("No look at the results was taken yet: the first is after 10 of 40 decks."), "{interim}");
    let second = shard("1/2");
    assert!(second.err.contains("its part of look 2 in "), "{}", second.err);
    assert!(report_text(&folder).contains("Look 1 of 4, after 10 of 40 decks: "));
    let mut turns = 0;
    while [shard("0/2"), shard("1/2")].iter().any(|said| said.code != Some(0)) {
        turns += 1;
        assert!(turns < 4, "{}", shard("0/2").err);
    }
    assert_eq!(digest(&folder), digest(&scratch.path("whole")));
}

/// Before a test has ended, the games that it may still want are the most.
#[test]
fn numbers_of_games_are_the_most() {
    let scratch = Scratch::new();
    let file = scratch.write("four.toml", LEAGUE);
    let folder = scratch.path("part");
    assert!(
        succeed(&["run", &file, "--out", &folder, "--dry-run"])
            .contains("at most 480 games, 0 recorded, at most 480 to play")
    );
    let script = scratch.path("job.sbatch");
    let said = say(&["slurm", &file, "--out", &folder, "--script", &script, "--calibrate", "0.1"]);
    assert!(said.code == Some(0) && said.err.contains("at most 480 games of "), "{said:?}");
    assert!(scratch.read("job.sbatch").contains("# the estimate is for at most 480 games: tests may end early\n"));
    let simulated = ["slurm", &file, "--simulate", "--calibrate", "0.1", "--cores", "64", "--cpus-per-task", "16"];
    let projection = succeed(&simulated);
    assert!(projection.starts_with("at most 480 games of "), "{projection}");
    // At each of four looks 64 cores wait for the last games of 120; without looks they wait once.
    let efficiency = |text: &str| -> f64 {
        let last = text.lines().last().unwrap().split_whitespace().nth(3).unwrap();
        last.trim_end_matches('%').parse().unwrap()
    };
    let plain = scratch.write("plain.toml", &LEAGUE.replace("[sequential]\nlooks = 4\n", ""));
    let without = succeed(&[&["slurm", &plain], &simulated[2..]].concat());
    assert!(
        without.starts_with("480 games of ") && efficiency(&without) > efficiency(&projection),
        "{without}{projection}"
    );
    evouct::registry::add_games();
    let experiment = Experiment::load(Path::new(&file), Overrides::default()).unwrap();
    assert_eq!(play_some(session(experiment, &folder), 7), End::Interrupted);
    let listed = succeed(&["status", &folder]);
    assert!(listed.starts_with("four: 7 of at most 480 games recorded, at most 473 missing, 0 failed"), "{listed}");
    assert!(succeed(&["status", &folder, "--format", "csv"]).contains("not being played, may end early"));
    assert_eq!(status(&folder)["at_most"], true);
    let mended = scratch.path("mended");
    assert!(succeed(&["repair", &folder, "--out", &mended]).contains("\n7 of at most 480 games are in "));
    succeed(&["run", &file, "--out", &folder]);
    assert_eq!(status(&folder)["at_most"], false);
    assert!(!succeed(&["status", &folder]).contains("at most"));
}

/// What a report of an unfinished run prints.
fn report_text(folder: &str) -> String {
    unwrapped(&say(&["report", folder]).out)
}

#[test]
fn failed_games_of_every_look_are_played_again() {
    let scratch = Scratch::new();
    let file = toml(&["a", "b", "c"], 40, "[sequential]\nlooks = 4\n");
    let mut journal = Journal::new(scratch.0.path(), &file);
    for deck in 1..=20 {
        for seats in [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]] {
            let mut game = journal.game(deck, seats, [50, 50 + (deck % 3) as i32]);
            if (deck, seats) == (5, [0, 1]) || (deck, seats) == (15, [2, 1]) {
                game.ended = Ended::Panicked;
                game.run.message = Some("made up".to_owned());
            }
            journal.write(&game);
        }
    }
    drop(journal);
    let (folder, file) = (scratch.path(""), scratch.write("made-up.toml", &file));
    let run = |more: &[&str]| say(&[&["run", &file, "--out", &folder], more].concat());
    let status = || status(&folder);
    assert_eq!(status()["failed"], 2);
    let line = run(&["--retry-failed", "--shard", "0/2"]).err;
    assert!(line.contains("--retry-failed changes what a test has shown"), "{line}");
    let done = run(&["--retry-failed"]);
    assert_eq!((done.code, status()["failed"].clone()), (Some(0), json!(0)), "{done:?}");
}

/// Two pairs of equal players and one that differs, with scores that are made up.
fn made_up(scratch: &Scratch, decks: u32) -> Journal {
    let file = toml(&["a", "b", "c"], 40, "[sequential]\nlooks = 4\n");
    let mut journal = Journal::new(scratch.0.path(), &file);
    for deck in 1..=decks {
        for (seats, scores) in [
            ([0, 1], [60, 50 + (deck % 3) as i32]),
            ([1, 0], [50, 60]),
            ([0, 2], [50 + (deck % 7) as i32, 53]),
            ([2, 0], [50, 50]),
            ([1, 2], [50, 49 + (deck % 3) as i32]),
            ([2, 1], [50, 50]),
        ] {
            // The first pair differs at the first look.
            if deck <= 10 || seats.contains(&2) {
                let game = journal.game(deck, seats, scores);
                journal.write(&game);
            }
        }
    }
    journal
}

#[test]
fn reports_say_what_holds_at_every_look() {
    let scratch = Scratch::new();
    made_up(&scratch, 40);
    let text = unwrapped(&succeed(&["report", &scratch.path("")]));
    assert!(text.contains("a over b") && text.contains("Look 4 of 4, after 40 of 40 decks: 1 of 3 pairs differs and plays no further; 180 of 240 games were played."), "{text}");
    assert!(
        text.contains(
            "at up to 4 looks with an error rate of 5 % over all looks and pairs (α-spending t², Holm's correction)"
        ),
        "{text}"
    );
    let json: Value = serde_json::from_str(&scratch.read("report.json")).unwrap();
    let row = |pair: usize| &json["significance"][pair];
    assert_eq!((row(0)["units"].clone(), row(1)["units"].clone()), (json!(10), json!(40)));
    for test in ["welch", "permutation", "wilcoxon", "bootstrap"] {
        assert_eq!(row(0)[test]["unavailable"], "the number of values depends on the results", "{test}");
    }
    let interval = |pair: usize| {
        let test = &row(pair)["paired"]["value"];
        let half = test["interval"]["high"].as_f64().unwrap() - test["difference"].as_f64().unwrap();
        half / test["standard_error"].as_f64().unwrap()
    };
    // At the first of four looks an interval is 2.96 normal standard errors wide on each side, of ten decks 3.8.
    assert!(interval(1) < 2.4 && interval(0) > 3.5, "{} {}", interval(0), interval(1));
    assert!(row(0)["holm"].as_f64().unwrap() < 1e-4 && row(2)["holm"].as_f64().unwrap() > 0.05);
    let page = scratch.read("report.html");
    assert!(page.contains("Looks are taken after 10, 20, 30, 40 decks; 4 of 4 were taken."), "{page}");
    let latex = succeed(&["report", &scratch.path(""), "--format", "latex"]);
    assert!(
        latex.contains("is the repeated p-value of all looks") && latex.contains("count every opponent alike"),
        "{latex}"
    );
    // Tests for a fixed number of decks have no columns.
    let head = r"$a$ & $b$ & Decks & Difference & Holm $p$ & Won & Paired $t$ $p$ & Won–drawn–lost & Win rate & \ensuremath{\hat{A}}12";
    assert!(latex.contains(head) && !latex.contains("ermutation $p$"), "{latex}");
    let all = succeed(&["report", &scratch.path(""), "--all"]);
    for none in ["Welch", "Wilcoxon", "bootstrap)", "permutation p"] {
        assert!(!all.contains(none) && !page.contains(&format!(">{none}")), "{none}: {all}");
    }
    // Every opponent counts alike, and no interval is for a fixed number of decks.
    let a = json["ranking"].as_array().unwrap().iter().find(|row| row["player"] == "a").unwrap();
    let of = |pair: usize| row(pair)["paired"]["value"]["difference"].as_f64().unwrap();
    assert!((a["difference"]["mean"].as_f64().unwrap() - (of(0) + of(1)) / 2.0).abs() < 1e-9, "{a}");
    assert!(a["difference"]["interval"].is_null() && json["ratings"]["rows"][0]["interval"].is_null());
    assert!(text.starts_with("made-up: 180 of 180 games"), "{text}");
    let other = Scratch::new();
    made_up(&other, 40);
    let compared = unwrapped(&succeed(&["compare", &scratch.path(""), &other.path("")]));
    assert!(
        compared.contains("at looks the number of decks depends on the results") || compared.contains("the same games"),
        "{compared}"
    );
    // While games are missing, what was played since the last look does not count.
    let part = Scratch::new();
    made_up(&part, 27);
    let interim = report_text(&part.path(""));
    assert!(interim.contains("Look 2 of 4, after 20 of 40 decks: 1 of 3 pairs differs"), "{interim}");
    assert!(interim.contains("at most 52 games are missing"), "{interim}");
    assert!(interim.contains("128 of at most 180 games are finished"), "{interim}");
    let json: Value = serde_json::from_str(&part.read("report.json")).unwrap();
    assert_eq!(json["significance"][1]["units"], 20);
}

#[test]
fn a_design_is_checked_and_fixed_before_the_first_game() {
    let scratch = Scratch::new();
    let refused = |more: &str, expected: &str| {
        let file = scratch.write("wrong.toml", &toml(&["a", "b", "c"], 40, more));
        let line = fail(&["run", &file, "--out", &scratch.path("none")], 2);
        assert!(unwrapped(&line).contains(expected), "{line}");
    };
    refused("[sequential]\n", "expected elo1, for a match of two, or looks, for any league");
    refused("[sequential]\nlooks = 4\nelo1 = 20\n", "elo1 and looks are two tests, expected one of them");
    refused("[sequential]\nlooks = 1\n", "looks = 1");
    refused("[sequential]\nlooks = 21\n", "looks = 21");
    refused("[sequential]\nlooks = 5\n", "5 looks need 10 decks each, 50 in all, found 40 decks");
    refused("[sequential]\nlooks = 4\nalpha = 0.1\n", "elo0, elo, alpha and beta belong to elo1");
    refused(
        "[sequential]\nlooks = 4\n[paper]\ntable = \"I\"\n",
        "printed numbers are compared with a fixed number of decks",
    );
    refused("mirror = false\n[sequential]\nlooks = 4\n", "found mirror = false");
    let file = scratch.write("made-up.toml", &toml(&["a", "b", "c"], 40, "[sequential]\nlooks = 4\n"));
    let folder = scratch.path("run");
    succeed(&["run", &file, "--out", &folder]);
    for (file, what) in [
        (toml(&["a", "b", "c"], 60, "[sequential]\nlooks = 4\n"), "decks was 40 and is 60"),
        (toml(&["a", "b", "c", "d"], 40, "[sequential]\nlooks = 4\n"), "player d"),
        (toml(&["a", "b", "c"], 40, "[sequential]\nlooks = 2\n"), "[sequential] had 4 looks and has 2 looks"),
        (toml(&["a", "b", "c"], 40, ""), "[sequential] had 4 looks and has no test"),
    ] {
        let line = fail(&["run", &scratch.write("other.toml", &file), "--out", &folder, "--extend"], 2);
        assert!(unwrapped(&line).contains(what), "{line}");
    }
}
