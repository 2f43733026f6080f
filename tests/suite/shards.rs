//! An experiment in shards, each with a journal of its own: no game is lost or played twice, and missing games are
//! named.

use crate::program;
use evouct::plural::counted;
use program::{LEAGUE, Said, Scratch, derived, digest, evouct, fail, fails, say, spawned, status, succeed};
use std::collections::BTreeMap;
use std::io::Write;

/// Plays one shard of the league of these tests.
fn play(experiment: &str, folder: &str, shard: &str) -> String {
    succeed(&["run", experiment, "--out", folder, "--shard", shard, "--threads", "2"])
}

/// No game may stand in the journals twice.
fn nothing_twice(folder: &str) {
    let status = status(folder);
    assert_eq!(status["overlaps"], serde_json::json!([]), "{status}");
    let games: u64 =
        status["journals"].as_array().unwrap().iter().map(|journal| journal["games"].as_u64().unwrap()).sum();
    assert_eq!(games, status["recorded"].as_u64().unwrap(), "{status}");
}

#[test]
fn status_lists_the_runs_of_a_folder() {
    let scratch = Scratch::new();
    let here = |arguments: &[&str]| Said::of(evouct(arguments).current_dir(scratch.path("")).output().unwrap());
    let none = here(&["status"]);
    assert_eq!(
        (none.code, none.err.trim()),
        (Some(2), "evouct: there is no folder runs here; name the folder of a run")
    );
    let experiment = scratch.write("small.toml", LEAGUE);
    play(&experiment, &scratch.path("runs/part"), "0/2");
    succeed(&["run", &experiment, "--out", &scratch.path("runs/small")]);
    // A broken run, an empty folder and a hostile name hide none of the others.
    for name in ["runs/broken", "runs/empty", "runs/red\u{1b}[31m"] {
        std::fs::create_dir(scratch.path(name)).unwrap();
    }
    scratch.write("runs/broken/games.jsonl", "\0 no journal\n");
    scratch.write("runs/note.txt", "no folder");
    let lines = "runs/broken: runs/broken/games.jsonl: line 1 is not the header of a journal: not a line of a journal; \
                 `evouct repair` saves what can be read\n\
                 runs/empty: no journal (games.jsonl) here; is this a run folder?\n\
                 runs/part: small: 6 of 12 games recorded, 6 missing, 0 failed\n\
                 runs/red\u{1b}[31m: no journal (games.jsonl) here; is this a run folder?\n\
                 runs/small: 12 of 12 games recorded, 0 missing, 0 failed\n";
    let said = here(&["status"]);
    assert_eq!((said.code, said.out.as_str()), (Some(0), lines), "{said:?}");
    assert_eq!(here(&["status", "--missing"]).code, Some(2));
    // The same as a table and for programs.
    let csv = here(&["status", "--format", "csv"]).out;
    let rows: Vec<&str> = csv.lines().skip(1).filter(|line| !line.is_empty()).collect();
    assert_eq!(rows[0], "name,state,recorded,recorded of,missing,failed,per second,seconds left");
    assert!(rows.len() == 6 && rows[1].starts_with("runs/broken,runs/broken/games.jsonl: line 1 is"), "{csv}");
    assert_eq!(rows[2], "runs/empty,no journal (games.jsonl) here; is this a run folder?,,,,,,");
    assert_eq!(rows[3], "runs/part,not being played,6,12,6,0,,");
    assert_eq!(rows[5], "runs/small,complete,12,12,0,0,,");
    let json: serde_json::Value = serde_json::from_str(&here(&["status", "--format", "json"]).out).unwrap();
    assert_eq!((&json[4]["folder"], &json[4]["status"]["recorded"]), (&"runs/small".into(), &12.into()), "{json}");
    assert!(json[1]["problem"].as_str().unwrap().contains("no journal"), "{json}");
}

#[test]
fn what_is_derived_depends_on_the_records_alone() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    succeed(&["run", &experiment, "--out", &scratch.path("run"), "--threads", "2"]);
    let journal = scratch.read("run/games.jsonl");
    let (header, games) = journal.split_once('\n').unwrap();
    let mut games: Vec<&str> = games.lines().collect();
    games.sort_by_key(|game| *blake3::hash(game.as_bytes()).as_bytes());
    let lines = |games: &[&str]| format!("{header}\n{}\n", games.join("\n"));
    let mut made = Vec::new();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(lines(&games).as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    let halves = [lines(&games[5..]).into_bytes(), lines(&games[..5]).into_bytes()];
    let [first, second] = &halves;
    for (name, files) in [
        ("run", vec![]),
        ("shuffled", vec![("games.jsonl", lines(&games).into_bytes())]),
        ("split", vec![("games-shard-0-of-2.jsonl", first.clone()), ("games-shard-1-of-2.jsonl", second.clone())]),
        ("packed", vec![("games.jsonl.gz", packed)]),
    ] {
        let folder = scratch.path(name);
        std::fs::create_dir_all(&folder).unwrap();
        files.iter().for_each(|(file, bytes)| std::fs::write(format!("{folder}/{file}"), bytes).unwrap());
        let mut all =
            BTreeMap::from([("stdout".to_owned(), succeed(&["report", &folder, "--all"]).replace(&folder, ""))]);
        succeed(&["paper", &folder]);
        succeed(&["export", &folder]);
        all.insert("formulas".to_owned(), succeed(&["formulas", &folder]));
        all.extend(derived(&folder));
        made.push((name, all));
    }
    let (_, whole) = &made[0];
    assert!(whole.len() > 40 && whole["expressions.csv"].lines().count() > 100, "{:?}", whole.keys());
    for (name, files) in &made[1..] {
        assert!(files.keys().eq(whole.keys()), "{name}: {:?}", files.keys());
        for (file, text) in files {
            assert!(*text == whole[file], "{name}: {file} depends on the order of lines");
        }
    }
}

#[test]
fn shards_together_are_the_whole() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let (whole, parts) = (scratch.path("whole"), scratch.path("parts"));
    succeed(&["run", &experiment, "--out", &whole]);
    for shard in ["3/5", "0/5", "4/5"] {
        let out = play(&experiment, &parts, shard);
        assert!(out.contains(&format!("shard {shard} is complete")), "{out}");
    }
    let halfway = status(&parts);
    let missing: Vec<&str> =
        halfway["missing_shards"].as_array().unwrap().iter().map(|shard| shard["shard"].as_str().unwrap()).collect();
    assert_eq!(missing, ["1/5", "2/5"]);
    let said = succeed(&["status", &parts]);
    assert!(
        said.contains("missing: shard 1/5 was never started, ") && said.contains("no process is playing"),
        "{said}"
    );
    // The whole, three journals and two shards, with the numbers of the text.
    let csv = succeed(&["status", &parts, "--format", "csv"]);
    let rows: Vec<Vec<&str>> = csv.lines().skip(2).map(|line| line.split(',').collect()).collect();
    let names: Vec<&str> = rows.iter().filter(|row| row.len() > 1).map(|row| row[0]).collect();
    let journals = [0, 3, 4].map(|shard| format!("games-shard-{shard}-of-5.jsonl"));
    let [first, second, third] = journals.each_ref().map(String::as_str);
    assert_eq!(names, ["small", first, second, third, "shard 1/5", "shard 2/5"], "{csv}");
    let number = |row: &[&str], column: usize| row[column].parse::<u64>().unwrap();
    assert_eq!(number(&rows[0], 4), number(&rows[4], 4) + number(&rows[5], 4), "{csv}");
    assert_eq!(number(&rows[0], 2), (1..4).map(|row| number(&rows[row], 2)).sum::<u64>(), "{csv}");
    let markdown = succeed(&["status", &parts, "--format", "md"]);
    assert_eq!(markdown.lines().filter(|line| line.starts_with('|')).count(), 2 + names.len(), "{markdown}");
    for shard in ["1/5", "2/5"] {
        play(&experiment, &parts, shard);
        assert_eq!(succeed(&["status", &parts, "--missing", "--shard", shard]), "0\n");
    }
    assert_eq!(digest(&parts), digest(&whole));
    assert!(!scratch.exists("parts/ranking.csv"), "a shard alone reported");
    assert!(succeed(&["report", &parts]).contains("12 of 12 games"));
    succeed(&["verify", &parts, "--games", "2"]);
    assert!(succeed(&["status", &parts]).starts_with("small: 12 of 12 games recorded, 0 missing, 0 failed\n"));
    assert_eq!(succeed(&["status", &parts, "--missing"]), "0\n");
    nothing_twice(&parts);
    // A shard of a complete run has nothing to play, and --watch ends at once.
    assert!(play(&experiment, &parts, "1/3").contains("shard 1/3 is complete"));
    succeed(&["status", &parts, "--watch"]);
}

#[test]
fn a_run_resumes_in_any_number_of_shards() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let (whole, mixed) = (scratch.path("whole"), scratch.path("mixed"));
    succeed(&["run", &experiment, "--out", &whole]);
    play(&experiment, &mixed, "1/5");
    play(&experiment, &mixed, "0/3");
    play(&experiment, &mixed, "0/2");
    succeed(&["run", &experiment, "--out", &mixed]);
    assert_eq!(digest(&mixed), digest(&whole));
    nothing_twice(&mixed);
    // The other order: started as a whole, resumed in shards.
    let journal = scratch.read("whole/games.jsonl");
    let begun: Vec<&str> = journal.split_inclusive('\n').take(5).collect();
    std::fs::create_dir(scratch.path("begun")).unwrap();
    let begun_folder = scratch.path("begun");
    scratch.write("begun/games.jsonl", &begun.concat());
    for shard in ["0/2", "1/2"] {
        play(&experiment, &begun_folder, shard);
    }
    assert_eq!(digest(&begun_folder), digest(&whole));
    nothing_twice(&begun_folder);
}

#[test]
fn a_torn_shard_loses_one_game_and_the_next_run_completes_it() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let (whole, parts) = (scratch.path("whole"), scratch.path("parts"));
    succeed(&["run", &experiment, "--out", &whole]);
    for (resume, cut) in [("0/2", 40), ("1/2", 200), ("", 40)] {
        drop(std::fs::remove_dir_all(&parts));
        play(&experiment, &parts, "0/2");
        play(&experiment, &parts, "1/2");
        let name = "parts/games-shard-0-of-2.jsonl";
        let journal = scratch.read(name);
        scratch.write(name, &journal[..journal.len() - cut]);
        let said = succeed(&["status", &parts]);
        assert!(said.contains("11 of 12 games recorded, 1 missing") && said.contains("was cut off"), "{said}");
        if resume.is_empty() {
            succeed(&["run", &experiment, "--out", &parts]);
        } else {
            play(&experiment, &parts, resume);
            play(&experiment, &parts, "0/2");
        }
        assert_eq!(digest(&parts), digest(&whole));
        nothing_twice(&parts);
        succeed(&["verify", &parts, "--games", "0"]);
    }
    // Cut off within the header: the same as no journal.
    scratch.write("parts/games-shard-1-of-2.jsonl", "{\"sum\":\"");
    play(&experiment, &parts, "1/2");
    assert_eq!(digest(&parts), digest(&whole));
    nothing_twice(&parts);
}

#[test]
fn games_that_were_played_twice_are_named() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let (one, two) = (scratch.path("one"), scratch.path("two"));
    play(&experiment, &one, "0/2");
    play(&experiment, &two, "0/3");
    // The journals of two folders in one.
    let journal = "games-shard-0-of-3.jsonl";
    std::fs::copy(scratch.path(&format!("two/{journal}")), scratch.path(&format!("one/{journal}"))).unwrap();
    let status = status(&one);
    let overlap = &status["overlaps"][0];
    assert_eq!(overlap["first"], "games-shard-0-of-2.jsonl");
    assert_eq!(overlap["second"], journal);
    let games = overlap["games"].as_u64().unwrap();
    assert!(games > 0 && status["recorded"].as_u64() == Some(6 + 4 - games), "{status}");
    assert!(succeed(&["status", &one]).contains(&format!("both have {}; the first", counted(games, "game"))));
    let said = say(&["verify", &one, "--games", "0"]);
    assert!(said.code == Some(1) && said.out.contains("is recorded twice"), "{said:?}");
}

#[cfg(unix)]
#[test]
fn a_game_in_progress_elsewhere_is_not_played() {
    let scratch = Scratch::new();
    let experiment = scratch.write("long.toml", &LEAGUE.replace("games_per_match = 2", "games_per_match = 500"));
    let folder = scratch.path("run");
    let begin = |shard: &str| {
        let mut run = spawned(&["run", &experiment, "--out", &folder, "--shard", shard, "--threads", "1"]);
        let journal = format!("run/games-shard-{}.jsonl", shard.replace('/', "-of-"));
        while !scratch.exists(&journal) || scratch.read(&journal).lines().count() < 2 {
            assert!(run.try_wait().unwrap().is_none(), "shard {shard} ended");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        run
    };
    // Two shards of one number work side by side.
    let mut runs = [begin("0/3"), begin("1/3")];
    let line = fail(&["run", &experiment, "--out", &folder, "--shard", "1/3"], 2);
    assert!(line.contains("games-shard-1-of-3.jsonl: another run is writing this journal"), "{line}");
    let line = fail(&["run", &experiment, "--out", &folder, "--shard", "1/2"], 2);
    assert!(line.contains("another run is writing this journal, shard 0/3, which has games of shard 1/2"), "{line}");
    fails(&["run", &experiment, "--out", &folder], 2, "which has games of the whole run");
    assert!(!scratch.exists("run/games.jsonl"), "a refused run left a journal");
    let status = status(&folder);
    let written: Vec<bool> =
        status["journals"].as_array().unwrap().iter().map(|journal| journal["being_written"] == true).collect();
    assert_eq!(written, [true, true]);
    assert_eq!(status["missing_shards"][0]["shard"], "2/3");
    assert_eq!(status["problems"], serde_json::json!([]));
    for run in &mut runs {
        run.kill().unwrap();
        run.wait().unwrap();
    }
    // A killed process holds no lock.
    assert!(succeed(&["status", &folder]).contains("no process is playing"));
}

/// A command as a task of a job array from 1 would run it.
fn task(arguments: &[&str], number: &str, count: &str) -> Said {
    let variables = [
        ("SLURM_ARRAY_TASK_ID", number),
        ("SLURM_ARRAY_TASK_COUNT", count),
        ("SLURM_ARRAY_TASK_MIN", "1"),
        ("SLURM_ARRAY_TASK_MAX", count),
        ("SLURM_ARRAY_TASK_STEP", "1"),
    ];
    Said::of(evouct(arguments).envs(variables).output().unwrap())
}

#[test]
fn a_task_of_a_job_array_plays_its_shard_when_it_is_asked_to() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let folder = scratch.path("run");
    let part = ["run", &experiment, "--out", &folder, "--shard", "auto"];
    for number in ["1", "2", "3"] {
        let said = task(&part, number, "3");
        assert!(said.code == Some(0) && !said.err.contains("job array"), "{said:?}");
        assert_eq!(task(&["status", &folder, "--missing", "--shard", "auto"], number, "3").out, "0\n");
    }
    assert!(scratch.exists("run/games-shard-2-of-3.jsonl"));
    assert_eq!(succeed(&["status", &folder, "--missing"]), "0\n");
    let gap = task(&part, "9", "3");
    assert!(gap.code == Some(2) && gap.err.contains("the array has gaps; give the part as I/N"), "{gap:?}");
    // Elsewhere there is no such part.
    let line = fail(&part, 2);
    assert!(line.starts_with("--shard auto: this is not a task of a job array, which has one of SLURM_"), "{line}");
    let other =
        evouct(&["status", &folder, "--missing", "--shard", "auto/3"]).env("PBS_ARRAY_INDEX", "1").output().unwrap();
    assert_eq!(String::from_utf8(other.stdout).unwrap(), "0\n");
    let ad = "MyType = \"Job\"\nProcId = 7\nTotalSubmitProcs = ";
    for (jobs, code, words) in
        [("3", 2, "task 7 of a job array of 3 from 0"), ("1", 2, "the only job of its cluster"), ("8", 0, "")]
    {
        let ad = scratch.write("job.ad", &format!("{ad}{jobs}\n"));
        let said = evouct(&part).env("_CONDOR_JOB_AD", ad).env("_CONDOR_SCRATCH_DIR", "/tmp").output().unwrap();
        assert!(said.status.code() == Some(code) && String::from_utf8(said.stderr).unwrap().contains(words), "{jobs}");
    }
    let one = evouct(&part).env("SLURM_ARRAY_TASK_ID", "1").output().unwrap();
    assert!(String::from_utf8(one.stderr).unwrap().contains("--shard auto: SLURM_ARRAY_TASK_COUNT is not set"));
    let tune = ["tune", &experiment, "--over", "iterations=20,60", "--budget", "600", "--player", "MCTS"];
    let tuned = scratch.path("tuned");
    let line = fail(&[&tune[..], &["--out", &tuned, "--shard", "auto"]].concat(), 2);
    assert!(line.contains("this is not a task of a job array") && !scratch.exists("tuned"), "{line}");
}

/// An array over seeds: each task plays a league of its own, of the seed that is its number without a warning.
#[test]
fn a_task_of_a_job_array_plays_the_whole_unless_it_is_asked_for_a_part() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let (folder, other) = (scratch.path("seed-3"), scratch.path("other"));
    let said = task(&["run", &experiment, "--out", &folder, "--seed", "3"], "3", "20");
    assert!(said.code == Some(0) && !said.err.contains("job array"), "{said:?}");
    let said = task(&["run", &experiment, "--out", &scratch.path("four"), "--seed", "3"], "4", "20");
    assert_eq!(said.err.matches("task 4 of a job array, and it plays all games; --shard auto").count(), 1, "{said:?}");
    assert_eq!(succeed(&["status", &folder, "--missing"]), "0\n");
    assert!(scratch.exists("seed-3/games.jsonl") && scratch.exists("seed-3/report.json"));
    succeed(&["run", &experiment, "--out", &other, "--seed", "3"]);
    assert_eq!(digest(&folder), digest(&other));
}

#[test]
fn wrong_shards_are_refused() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    for (shard, words) in [
        ("5/5", "shards count from 0: expected 0 to 4 of 5, found 5"),
        ("1", "expected I/N such as 0/5, or auto or auto/N in a job array, found \"1\""),
        ("a/b", "expected I/N such as 0/5, found \"a/b\""),
        ("0/0", "expected at least one shard, found 0"),
    ] {
        fails(&["run", &experiment, "--out", &scratch.path("run"), "--shard", shard], 2, words);
    }
    assert!(fail(&["status", &scratch.path("run")], 2).contains("cannot read the run folder"));
    assert!(!scratch.exists("run"));
}

#[cfg(not(feature = "mpi"))]
#[test]
fn a_build_without_mpi_names_what_is_missing() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let line = fail(&["run", &experiment, "--out", &scratch.path("run"), "--backend", "mpi"], 2);
    assert!(line.contains("--backend mpi needs a build with the feature mpi: cargo build"), "{line}");
    assert!(!scratch.exists("run"));
}
