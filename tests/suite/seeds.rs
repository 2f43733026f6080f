//! One evolution for each of several random seeds: one folder and one digest, on threads, in shards and after a stop; each
//! seed comes to what it comes to alone.

use crate::program::{Said, Scratch, digest, fail, fails, forged, json, say, status, succeed, unwrapped};
use crate::serve::Server;
use serde_json::Value;

/// An evolution in EinStein that takes a moment.
pub(crate) fn file(generations: u32, more: &str) -> String {
    format!(
        "name = \"tiny\"\ngame = \"einstein\"\nplayer = [{{ kind = \"formula\", iterations = 6 }}]\n\
         opponent = [{{ kind = \"random\" }}]\n\
         stage = [{{ measure = \"games\", decks = 2 }}, {{ measure = \"games\", decks = 20 }}]\n\
         [evolve]\nterminals = [\"Q\", \"n\", \"N\", \"race\"]\nseeds = [\"Q\", \"Q + race\"]\npopulation = 4\nislands = 1\n\
         elite = 1\nconstant_offspring = 0\nfinalists = 3\ngenerations = {generations}\n{more}"
    )
}

#[test]
fn each_seed_of_several_is_the_evolution_of_that_seed() {
    let scratch = Scratch::new();
    let file = scratch.write("tiny.toml", &file(2, ""));
    let [all, parts, one] = ["all", "parts", "one"].map(|name| scratch.path(name));
    let said = succeed(&["evolve", &file, "--seeds", "1..2,5", "--out", &all, "--threads", "2"]);
    assert!(said.contains(" core-hours"), "{said}");
    let printed = digest(&all);
    assert!(said.contains(&format!("digest {}", printed.split(' ').next().unwrap())), "{said}");
    let said = succeed(&["evolve", &file, "--seed", "5", "--out", &one]);
    assert!(said.lines().next().unwrap().ends_with(" core-hours"), "{said}");
    assert!(scratch.read("one/report.html").contains(" core-hours of measuring</span>"));
    assert_eq!(digest(&one), digest(&format!("{all}/seed-5")));

    // Shards take seeds, and share them where there are more shards: in any order, and one after the other.
    let shard =
        |of: &str| say(&["evolve", &file, "--seeds", "1,2,5", "--out", &parts, "--shard", of, "--patience", "60"]);
    assert_eq!(shard("1/2").code, Some(0));
    let left = fail(&["digest", &parts], 1);
    assert!(left.contains("interim results: 1 of 3 seeds complete"), "{left}");
    assert!(succeed(&["status", &parts]).contains("  seed-1: not begun\n"));
    std::thread::scope(|scope| {
        for shard_of in ["0/4", "3/4"] {
            scope.spawn(move || assert_eq!(shard(shard_of).code, Some(0)));
        }
    });
    assert_eq!(status(&parts)["missing"], 1);
    // A stop: half of a journal is gone, and so is a seed.
    let journal = scratch.read("parts/seed-2/evolution.jsonl");
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    scratch.write("parts/seed-2/evolution.jsonl", &lines[..lines.len() / 2].concat());
    succeed(&["evolve", &file, "--seeds", "1..2,5", "--out", &parts]);
    assert_eq!(digest(&parts), digest(&all));
    assert_eq!(json(&["status", &all, "--json"])["complete"], true);
    let said = succeed(&["verify", &all, "--games", "1"]);
    assert_eq!(said.matches("made again").count(), 3, "{said}");
    the_report_is_over_seeds(&scratch);
    the_cost_is_what_the_journals_hold(&scratch);
    let saved = scratch.path("saved");
    succeed(&["repair", &all, "--out", &saved]);
    assert_eq!(digest(&saved), digest(&all));
}

/// The report of the folder `all`.
fn the_report_is_over_seeds(scratch: &Scratch) {
    let all = scratch.path("all");
    let report = json(&["report", &all, "--format", "json", "--level", "-9"]);
    let finalists = report["finalists"].as_array().unwrap();
    assert_eq!((&report["complete"], &report["curve"][1]["best"]["count"]), (&3.into(), &3.into()));
    // Nothing loses by nine points on average: every seed is above that.
    assert_eq!((&report["succeeded"], &report["champion"].is_number()), (&3.into(), &true));
    let lower: Vec<f64> = finalists.iter().map(|row| row["lower"].as_f64().unwrap()).collect();
    assert!(lower.is_sorted_by(|a, b| a >= b), "{lower:?}");
    // Each seed measures 2 × 5 decks of two games in the first generation, and 2 × 4 or so in the second.
    assert!(report["seeds"][0]["effort"].as_u64().unwrap() > 20, "{report}");
    assert!(report["effort"].as_array().unwrap().iter().all(|row| row["reached"][1] == 3), "{report}");
    let rows = scratch.read("all/finalists.csv");
    assert!(rows.starts_with("seed,place,gain,low,high,lower,nodes,price,group,order,agreement,formula\n"), "{rows}");
    assert_eq!(rows.lines().count(), finalists.len() + 1);
    assert!(scratch.read("all/seeds.csv").contains("\n5,true,2,"));
    assert_eq!(scratch.read("all/figures/gain.csv").lines().count(), 3);
    let page = scratch.read("all/report.html");
    assert!(page.contains("href=\"seed-5/report.html\"") && page.contains("Gain by generation"));
    let none = succeed(&["report", &all, "--level", "9"]);
    assert!(none.contains("0 of 3 seeds succeed") && none.contains("No champion"), "{none}");
    // So few enclose their median with a low probability.
    assert!(
        unwrapped(&none).contains("3 seeds alone, too few for an interval") && !page.contains("lower end"),
        "{none}"
    );
    let served = Server::of(&all);
    for name in ["", "report.json", "seed-5/report.html", "seed-5/figures/fitness.svg"] {
        assert!(served.get(name).starts_with("HTTP/1.1 200"), "{name}");
    }
    fails(&["report", &format!("{all}/seed-1"), "--level", "1"], 2, "--level is for evolutions of several seeds");
}

/// Each line of the folder `all` has its time, which is no part of the digest. Earlier versions wrote none.
fn the_cost_is_what_the_journals_hold(scratch: &Scratch) {
    let (all, whole) = (scratch.path("all"), digest(&scratch.path("all")));
    let report = || json(&["report", &all, "--format", "json", "--level", "0.01"]);
    let mut seconds = 0.0;
    let mut earlier = Vec::new();
    for seed in [1, 2, 5] {
        let name = format!("all/seed-{seed}/evolution.jsonl");
        let journal = scratch.read(&name);
        let (header, lines) = journal.split_once('\n').unwrap();
        let timeless = lines.lines().map(|line| {
            let mut entry = serde_json::from_str::<Value>(line).unwrap()["entry"].take();
            seconds += entry["seconds"].as_f64().unwrap();
            entry.as_object_mut().unwrap().remove("seconds");
            forged(line, &entry) + "\n"
        });
        earlier.push((name, format!("{header}\n{}", timeless.collect::<String>())));
    }
    let measured = report();
    assert!((measured["core_seconds"].as_f64().unwrap() - seconds).abs() < 1e-5 && seconds > 0.0, "{measured}");
    // All seeds up to the level or the end of their generations, over those that reach it.
    let all_seeds = |row: &Value| Some(3_600.0 * row["reached"][0].as_f64()? * row["core_hours"].as_f64()?);
    let taken: Vec<f64> = measured["effort"].as_array().unwrap().iter().filter_map(all_seeds).collect();
    assert!(!taken.is_empty() && taken.iter().all(|all| *all > 0.0 && *all < seconds), "{measured}");
    for (name, journal) in &earlier {
        scratch.write(name, journal);
    }
    assert_eq!(digest(&all), whole);
    let unknown = report();
    assert!(unknown["core_seconds"].is_null() && unknown["effort"][0]["core_hours"].is_null(), "{unknown}");
    assert!(!succeed(&["report", &all]).contains("core-hours"));
}

/// Whichever of two processes comes to a journal second is refused.
#[test]
fn processes_that_share_a_folder_are_shards_or_are_refused() {
    let scratch = Scratch::new();
    let file = scratch.write("tiny.toml", &file(2, ""));
    let [whole, both] = ["whole", "both"].map(|name| scratch.path(name));
    let evolve =
        |folder: &str, more: &[&str]| say(&[&["evolve", &file, "--seeds", "1..2", "--out", folder], more].concat());
    assert_eq!(evolve(&whole, &[]).code, Some(0));
    let words = "another run is writing this journal";
    let ended: Vec<Said> = std::thread::scope(|scope| {
        let both: Vec<_> = (0..2).map(|_| scope.spawn(|| evolve(&both, &[]))).collect();
        both.into_iter().map(|ended| ended.join().unwrap()).collect()
    });
    let is_refused = |said: &Said| said.code == Some(2) && said.err.contains(words);
    assert!(ended.iter().all(|said| said.code == Some(0) || is_refused(said)), "{ended:?}");
    assert!(ended.iter().any(|said| said.code == Some(0)), "{ended:?}");
    assert_eq!(digest(&both), digest(&whole));
    let journal = std::fs::File::open(scratch.path("both/seed-2/evolution.jsonl")).unwrap();
    journal.lock().unwrap();
    for (more, code) in [(&[][..], 2), (&["--shard", "1/2"], 2), (&["--shard", "0/2"], 0)] {
        let said = evolve(&both, more);
        assert!(said.code == Some(code) && said.err.contains(words) == (code > 0), "{more:?}: {said:?}");
    }
    drop(journal);
    assert_eq!((evolve(&both, &[]).code, digest(&both)), (Some(0), digest(&whole)));
}

#[test]
fn more_seeds_and_generations_extend_a_folder() {
    let scratch = Scratch::new();
    let [short, long] = [1, 2].map(|count| scratch.write(&format!("{count}.toml"), &file(count, "")));
    let [run, fresh] = ["run", "fresh"].map(|name| scratch.path(name));
    let evolve = |file: &str, seeds: &str, folder: &str, more: &[&str]| {
        say(&[&["evolve", file, "--seeds", seeds, "--out", folder], more].concat())
    };
    assert_eq!(evolve(&short, "1..2", &run, &[]).code, Some(0));
    for (file, seeds, words) in [
        (&short, "1..3", "their seeds are 1..2, now 1..3; --extend adds to it"),
        (&short, "2", "their seeds are 1..2, now 2; choose another folder with --out"),
        (&long, "1..2", "its generations is 1, now 2; --extend adds to it"),
    ] {
        let refused = evolve(file, seeds, &run, &[]);
        assert!(refused.code == Some(2) && refused.err.contains(words), "{refused:?}");
    }
    let other = scratch.write("other.toml", &file(2, "").replace("\"tiny\"", "\"other\""));
    let refused = evolve(&other, "1..2", &run, &[]).err;
    assert!(refused.contains("their name is tiny, now other"), "{refused}");
    // One seed alone is extended: the others wait for it.
    succeed(&["evolve", &long, "--seed", "1", "--out", &format!("{run}/seed-1"), "--extend"]);
    fails(&["digest", &run], 1, "1 of 2 seeds complete");
    assert_eq!(evolve(&long, "1..3", &run, &["--extend"]).code, Some(0));
    assert_eq!(evolve(&long, "1..3", &fresh, &[]).code, Some(0));
    assert_eq!(digest(&run), digest(&fresh));
    compared_over_seeds(&scratch, [&run, &fresh], &short);
    // The folder of one is none of several, nor the other way round.
    fails(&["evolve", &long, "--out", &run], 2, "this folder holds evolutions of several seeds, not an evolution");
    let single = format!("{run}/seed-1");
    fails(&["evolve", &long, "--seeds", "1..2", "--out", &single], 2, "this folder holds an evolution, not");
    for (seeds, words) in [("3..1", "3..1 goes down"), ("1,1", "the seed 1 stands twice"), ("1-3", "such as 1..10")] {
        fails(&["evolve", &long, "--seeds", seeds], 2, words);
    }
    fails(&["evolve", &long, "--seeds", "1..2", "--seed", "3"], 2, "cannot be used with");
    // A plan that somebody wrote, or changed.
    let written = |name: &str, seeds: &str| {
        format!("{{\"format\":1,\"evouct\":\"0.2.0\",\"name\":\"{name}\",\"seeds\":[{seeds}]}}")
    };
    let cut = scratch.read("run/seeds.json").replace("tiny", "two");
    for (plan, words) in [
        (written("\\u001b[31m", "1,2,3"), "a name may contain"),
        (written("tiny", "3,1,3"), "the seed 3 stands twice"),
        (written("tiny", ""), "expected 1 to 1000 seeds, found 0"),
        (cut, "more than one bit of the plan is wrong"),
    ] {
        scratch.write("run/seeds.json", &plan);
        for command in ["status", "digest", "report", "verify"] {
            fails(&[command, &run], 2, words);
        }
    }
}

/// Two folders with the same evolutions of three seeds, and others.
fn compared_over_seeds(scratch: &Scratch, [run, fresh]: [&str; 2], short: &str) {
    let said = succeed(&["compare", run, fresh]);
    assert!(said.contains("are not shown to differ") && said.contains("p is at least 0.10"), "{said}");
    let found = &json(&["compare", run, fresh, "--format", "json"])[0];
    assert_eq!(
        (&found["test"]["shift"], &found["test"]["p"], &found["success_p"]),
        (&0.0.into(), &1.0.into(), &1.0.into())
    );
    let page = succeed(&["compare", run, fresh, "--format", "html"]);
    assert!(page.contains("Differences from the first"), "{page}");
    let few = scratch.path("few");
    succeed(&["evolve", short, "--seeds", "1", "--out", &few]);
    fails(
        &["compare", run, &few],
        2,
        "a comparison needs 2 complete seeds with finalists or more, found 1 complete seed",
    );
    let stronger = scratch.write("stronger.toml", &file(1, "").replace("iterations = 6", "iterations = 7"));
    let others = scratch.path("others");
    succeed(&["evolve", &stronger, "--seeds", "1..2", "--out", &others]);
    fails(&["compare", run, &others], 2, "it cannot be compared with");
    fails(
        &["compare", run, &format!("{run}/seed-1")],
        2,
        "holds evolutions of several seeds: choose folders of one kind",
    );
    fails(&["compare", run, &scratch.path("nothing")], 2, "this folder has no evolutions of several seeds");
}

#[test]
fn a_batch_script_evolves_all_seeds() {
    let scratch = Scratch::new();
    let file = scratch.write("tiny.toml", &file(1, ""));
    let folder = scratch.path("run");
    let script = ["slurm", &file, "--out", &folder, "--shards", "2", "--calibrate", "0", "--", "--seeds", "1..2"];
    let text = succeed(&script);
    assert!(text.contains("--seeds 1..2") && text.contains(" evolve "), "{text}");
    succeed(&["evolve", &file, "--seeds", "1..2", "--out", &folder]);
    assert!(succeed(&script).contains("no measurements are missing"), "all seeds are complete");
}
