//! The limits of a job, signals at any time, text of users on terminals and in tables, several reports of one folder at
//! once.

use crate::journals::RANDOM;
use crate::program;
use program::{LEAGUE, Said, Scratch, digest, evouct, fail, say, spawned, succeed};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

#[test]
fn threads_are_no_more_than_games_and_cores() {
    let scratch = Scratch::new();
    let experiment = scratch.write("random.toml", RANDOM);
    let [one, many] = ["one", "many"].map(|name| scratch.path(name));
    let said = say(&["run", &experiment, "--out", &one, "--threads", "1"]);
    assert!(said.code == Some(0) && said.err.is_empty(), "{said:?}");
    let said = say(&["run", &experiment, "--out", &many, "--threads", "65535"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.err.contains(" instead of 65535 threads: "), "{said:?}");
    assert_eq!(said.err.lines().count(), 1, "{said:?}");
    assert_eq!(digest(&one), digest(&many));
}

#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_be_started_are_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new();
    let experiment = scratch.write("random.toml", RANDOM);
    let (folder, program) = (scratch.path("run"), scratch.path("evouct"));
    std::fs::copy(env!("CARGO_BIN_EXE_evouct"), &program).unwrap();
    // A user who may have one process and no further thread; for root there is no such limit.
    let is_root = rustix::process::geteuid().is_root();
    let mut run = std::process::Command::new(if is_root { "setpriv" } else { "prlimit" });
    if is_root {
        std::fs::set_permissions(scratch.0.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
        run.args(["--reuid=65534", "--regid=65534", "--clear-groups", "prlimit"]);
    }
    run.args(["--nproc=1", &program, "run", &experiment, "--out", &folder, "--threads", "2"]);
    let Ok(output) = run.output() else {
        println!("skipped: prlimit or setpriv is missing");
        return;
    };
    let said = Said::of(output);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("evouct: cannot start ") && said.err.contains("--threads"), "{said:?}");
    assert!(said.err.lines().filter(|line| !line.contains("warning: ")).count() == 1, "{said:?}");
    // No record is lost.
    succeed(&["run", &experiment, "--out", &folder]);
    assert!(digest(&folder).ends_with("  12 of 12 games\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn threads_are_no_more_than_the_affinity_of_the_process_allows() {
    let scratch = Scratch::new();
    let experiment = scratch.write("random.toml", RANDOM);
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap().trim();
    let first = allowed.split([',', '-']).next().unwrap();
    let program = env!("CARGO_BIN_EXE_evouct");
    let folder = scratch.path("run");
    let mut bound = std::process::Command::new("taskset");
    bound.args(["-c", first, program, "run", &experiment, "--out", &folder, "--threads", "65535"]);
    let Ok(output) = bound.output() else {
        println!("skipped: taskset is missing");
        return;
    };
    let said = Said::of(output);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.err.contains("1 instead of 65535 threads: the machine gives this job 1"), "{said:?}");
}

#[test]
fn the_environment_makes_no_stack_too_small() {
    let scratch = Scratch::new();
    let file = LEAGUE.replace("kind = \"mcts\"", "kind = \"mcts\"\ntrees = 2");
    let experiment = scratch.write("small.toml", &file);
    let [folder, other] = ["run", "other"].map(|name| scratch.path(name));
    let run = evouct(&["run", &experiment, "--out", &folder, "--threads", "2"]).env("RUST_MIN_STACK", "1").output();
    let said = Said::of(run.unwrap());
    assert_eq!(said.code, Some(0), "{said:?}");
    succeed(&["run", &experiment, "--out", &other]);
    assert_eq!(digest(&folder), digest(&other));
    // The stack of the first thread.
    #[cfg(unix)]
    for kilobytes in [64, 256] {
        let small = format!("ulimit -s {kilobytes} && exec \"$0\" \"$@\"");
        let mut report = std::process::Command::new("sh");
        report.args(["-c", &small, env!("CARGO_BIN_EXE_evouct"), "report", &folder]);
        let said = Said::of(report.output().unwrap());
        assert_eq!(said.code, Some(0), "{kilobytes}: {said:?}");
    }
}

#[test]
fn small_mistakes_get_the_right_hint() {
    let scratch = Scratch::new();
    assert_eq!(fail(&["rnu", "x.toml"], 2), "unrecognized subcommand 'rnu'; did you mean 'run'? (see --help)");
    #[cfg(unix)]
    {
        let word: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"r\xffn");
        let said = Said::of(evouct(&[]).arg(word).output().unwrap());
        assert!(said.code == Some(2) && said.err.starts_with("evouct: unrecognized subcommand"), "{said:?}");
    }
    assert_eq!(fail(&["bank", "x.toml", "--decks"], 2), "unexpected argument '--decks' found (see --help)");
    let experiment = scratch.write("random.toml", &RANDOM.replace("seed = 3", "seed = 18446744073709551614"));
    let folder = scratch.path("run");
    succeed(&["run", &experiment, "--out", &folder]);
    let same = scratch.write("same.toml", RANDOM);
    let other = scratch.path("other");
    succeed(&["run", &same, "--seed", "18446744073709551614", "--out", &other]);
    assert_eq!(digest(&folder), digest(&other));
    let too_large = scratch.write("large.toml", &RANDOM.replace("seed = 3", "seed = 18446744073709551615"));
    assert!(fail(&["run", &too_large], 2).contains("is not a whole number from 0 to 18446744073709551614"));
    let games = scratch.read("run/games.jsonl");
    let said = fail(&["replay", &folder, "--game", "zzz"], 2);
    let (_, id) = said.split_once("no game zzz is recorded; the first is ").unwrap();
    let id = id.split(',').next().unwrap();
    assert!(games.contains(&format!("\"id\":\"{id}\"")), "{said}");
    succeed(&["replay", &folder, "--game", id]);
}

/// Sends SIGTERM after a while; the exit code, and how long it took to end.
#[cfg(unix)]
fn terminate(mut run: Child, after: Duration) -> (Option<i32>, Duration) {
    std::thread::sleep(after);
    let kill = std::process::Command::new("kill").args(["-s", "TERM", &run.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let sent = Instant::now();
    (run.wait().unwrap().code(), sent.elapsed())
}

#[cfg(unix)]
#[test]
fn signals_end_a_run_that_starts_or_plans() {
    let scratch = Scratch::new();
    let folder = scratch.path("run");
    let short = scratch.write("short.toml", RANDOM);
    succeed(&["run", &short, "--out", &folder]);
    let huge = scratch.write("huge.toml", &RANDOM.replace("games_per_match = 2", "games_per_match = 10000000"));
    // Sixty million games are looked up before the first is played.
    let planning = spawned(&["run", &huge, "--out", &folder, "--extend"]);
    let (code, took) = terminate(planning, Duration::from_millis(1_500));
    assert!(code == Some(75) && took < Duration::from_secs(20), "{code:?} {took:?}");
    assert!(!scratch.exists("run/games-1.jsonl"), "it was not planning");
    let many = spawned(&["run", &huge, "--out", &scratch.path("new"), "--threads", "65535"]);
    let (code, took) = terminate(many, Duration::from_millis(1_500));
    assert!(code == Some(75) && took < Duration::from_secs(20), "{code:?} {took:?}");
    // Other commands keep the default action of signals.
    let other = spawned(&["bench", "--seconds", "60"]);
    assert_eq!(terminate(other, Duration::from_millis(1_500)).0, None);
}

#[test]
fn errors_are_lines_without_controls() {
    let scratch = Scratch::new();
    let loud = scratch.write("key.toml", &format!("{RANDOM}\"\\u001b[31m\\u202e{}\" = 1\n", "x".repeat(5_000_000)));
    let said = say(&["run", &loud, "--out", &scratch.path("run")]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.len() < 5_000 && !said.err.contains(['\u{1b}', '\u{202e}']), "{} bytes", said.err.len());
    assert!(fail(&["digest", "no\u{1b}[31mthing"], 2).contains("no\\u{1b}[31mthing"));
    // Colours of drawings are no text of users.
    let play = ["play", "-1", "random", "-2", "random", "--show"];
    assert!(!succeed(&play).contains('\u{1b}'));
}

#[test]
fn cells_of_tables_are_no_formulas() {
    let scratch = Scratch::new();
    let names = ["=1+1", "-3 dB", "@x", "+y", "-4"];
    let players: String =
        names.iter().map(|name| format!("[[player]]\nname = \"{name}\"\nkind = \"random\"\n")).collect();
    let experiment = scratch.write("cells.toml", &format!("name = \"cells\"\ngames_per_match = 1\n{players}"));
    succeed(&["run", &experiment, "--out", &scratch.path("run")]);
    let [ranking, matches, figure] =
        ["ranking.csv", "matches.csv", "figures/ratings.csv"].map(|name| scratch.read(&format!("run/{name}")));
    for table in [ranking, matches, figure] {
        for row in csv::Reader::from_reader(table.as_bytes()).records() {
            for cell in row.unwrap().iter() {
                let is_formula = cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err();
                assert!(!is_formula, "{cell}");
            }
        }
        assert!(table.contains("'=1+1") && table.contains("'-3 dB") && !table.contains("'-4"), "{table}");
    }
}

/// A gauntlet of so many random players; its folder.
fn gauntlet(scratch: &Scratch, players: usize, decks: u32) -> String {
    let rows: String =
        (0..players).map(|number| format!("[[player]]\nname = \"p{number}\"\nkind = \"random\"\n")).collect();
    let toml = format!("name = \"g\"\ngames_per_match = {decks}\nschedule = \"gauntlet\"\n{rows}");
    let folder = scratch.path(&format!("run-{players}"));
    succeed(&["run", &scratch.write("gauntlet.toml", &toml), "--out", &folder]);
    folder
}

#[test]
fn reports_grow_with_the_games_and_not_with_the_square_of_the_players() {
    let scratch = Scratch::new();
    let [few, many] = [150, 300].map(|players| gauntlet(&scratch, players, 2));
    let rows = |folder: &str, file: &str| std::fs::read_to_string(format!("{folder}/{file}")).unwrap().lines().count();
    for (folder, players) in [(&few, 150), (&many, 300)] {
        // Pairs that met; all pairs of the hundred best contestants.
        assert_eq!(rows(folder, "significance.csv"), 1 + players - 1);
        assert_eq!(rows(folder, "matches.csv"), 1 + 2 * (players - 1));
        assert_eq!(rows(folder, "contestants.csv"), 1 + 100 * 99 / 2);
    }
    for file in ["report.json", "report.html", "significance.csv", "turns.csv", "players.csv"] {
        let bytes = |folder: &str| std::fs::metadata(format!("{folder}/{file}")).unwrap().len();
        assert!(bytes(&many) < 3 * bytes(&few), "{file}: {} and {} bytes", bytes(&few), bytes(&many));
    }
    // Charts have rows for the first of many, their data has all.
    for (figure, rows) in [("differences", 149), ("ratings", 150)] {
        let read = |ending: &str| std::fs::read_to_string(format!("{few}/figures/{figure}.{ending}")).unwrap();
        assert_eq!((read("svg").matches("<circle").count(), read("csv").lines().count()), (60, 1 + rows), "{figure}");
    }
    let page = std::fs::read_to_string(format!("{few}/report.html")).unwrap();
    assert!(
        page.contains("The first 60 of 149 pairs are drawn")
            && page.contains("The 60 strongest of 150 players are drawn")
    );
    // The report says how many pairs it leaves out; the correction counts them.
    let text = program::unwrapped(&succeed(&["report", &many]));
    let said = "The best 100 of 299 contestants compared deck by deck (a is ahead: difference of a from p0 less that \
                of b; Holm over 44551 pairs)";
    assert!(
        text.contains(said) && text.contains("Between the best 100 contestants none of 4950 differences"),
        "{text}"
    );
    let page = std::fs::read_to_string(format!("{many}/report.html")).unwrap();
    assert!(page.contains("The best 100 of 299 contestants compared deck by deck"));
    assert!(page.contains("… and 2950 more rows in <code>contestants.csv</code>"));
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(format!("{many}/report.json")).unwrap()).unwrap();
    assert_eq!(json["gauntlet"]["not_compared"], 199);
    let row = json["gauntlet"]["comparisons"].as_array().unwrap().iter().find(|row| row["holm"].is_number()).unwrap();
    assert!(row["holm"].as_f64().unwrap() >= row["paired"]["value"]["p"].as_f64().unwrap());
}

#[test]
fn of_many_players_that_all_meet_the_best_are_compared() {
    let scratch = Scratch::new();
    let player = |number| format!("[[player]]\nname = \"p{number}\"\nkind = \"flat-mc\"\niterations = {number}\n");
    let toml: String = (1..=120).map(player).collect();
    let toml = format!("name = \"f\"\ngame = \"function\"\ngames_per_match = 2\n{toml}");
    let folder = scratch.path("run");
    let text = succeed(&["run", &scratch.write("f.toml", &toml), "--out", &folder]);
    let said = "Only the best 100 of 120 players are compared with one another; 2190 pairs are not listed.";
    assert!(program::unwrapped(&text).contains(said), "{text}");
    assert_eq!(scratch.read("run/significance.csv").lines().count(), 1 + 100 * 99 / 2);
    let json: serde_json::Value = serde_json::from_str(&scratch.read("run/report.json")).unwrap();
    assert_eq!(json["pairs_not_listed"], 2_190);
}

#[cfg(target_os = "linux")]
#[test]
fn full_and_closed_streams_end_no_run() {
    let scratch = Scratch::new();
    let experiment = scratch.write("random.toml", RANDOM);
    let run = |call: usize| scratch.path(&format!("run-{call}"));
    program::check_streams(|call| format!("run {experiment} --out {} -v", run(call)));
    // The records are whole, whatever became of the report.
    let digests: Vec<String> = (0..4).map(|call| digest(&run(call))).collect();
    assert!(
        digests.iter().all(|digest| *digest == digests[0] && digest.ends_with("  12 of 12 games\n")),
        "{digests:?}"
    );
    program::check_streams(|call| format!("report {}", run(call)));
    program::check_streams(|call| format!("status {}", run(call)));
    program::check_streams(|_| "--help".to_owned());
    program::check_streams(|_| "players mcts".to_owned());
    let mcts = RANDOM.replace(
        "kind = \"random\"\n[[player]]\nname = \"b\"",
        "kind = \"mcts\"\niterations = 5\n[[player]]\nname = \"b\"",
    );
    let tuned = scratch.write("mcts.toml", &mcts);
    let over = "--player a --over k=0.5,1 --budget 400";
    program::check_streams(|call| format!("tune {tuned} {over} --out {}", scratch.path(&format!("tuned-{call}"))));
    // The exit code tells of an error even where stderr is full or closed.
    for sink in program::Sink::ALL {
        assert_eq!(program::say_into(&["run", &scratch.path("nothing.toml")], None, Some(sink)).code, Some(2));
        assert_eq!(program::say_into(&["rum"], None, Some(sink)).code, Some(2));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn hundreds_of_thousands_of_errors_are_counted_and_not_listed() {
    const KEYS: usize = 600_000;
    let scratch = Scratch::new();
    let wrong: String = (0..KEYS).map(|number| format!("k{number}=1\n")).collect();
    let more = format!("and {} more errors", KEYS - 20);
    // Quadratic work on so many keys takes an hour; `say_into` waits for five minutes.
    let refused = |arguments: &[&str], is_listed: bool| {
        let said = program::say_into(arguments, None, None);
        assert!(said.code.is_some_and(|code| code > 0), "{arguments:?}: {said:?}");
        let lines: Vec<&str> = said.err.lines().collect();
        assert!(lines.len() <= 22 && (!is_listed || lines.last() == Some(&&*more)), "{arguments:?}: {lines:?}");
    };
    for (file, toml) in [("keys", format!("{wrong}{RANDOM}")), ("rules", format!("{RANDOM}[rules]\n{wrong}"))] {
        refused(&["run", &scratch.write(&format!("{file}.toml"), &toml), "--dry-run"], true);
    }
    let player = scratch.write("player.toml", &format!("{RANDOM}{wrong}"));
    refused(&["run", &player, "--dry-run"], false);
    // The same text in the header of a journal.
    let folder = scratch.path("run");
    succeed(&["run", &scratch.write("random.toml", RANDOM), "--out", &folder]);
    let journal = scratch.read("run/games.jsonl");
    let (header, games) = journal.split_once('\n').unwrap();
    let (_, header) = header.split_once("\"header\":").unwrap();
    let mut header: serde_json::Value = serde_json::from_str(header.strip_suffix('}').unwrap()).unwrap();
    header["toml"] = format!("{wrong}{RANDOM}").into();
    let header = header.to_string();
    let sum = &blake3::hash(header.as_bytes()).to_hex()[..16];
    scratch.write("run/games.jsonl", &format!("{{\"sum\":\"{sum}\",\"header\":{header}}}\n{games}"));
    for command in ["status", "report", "digest"] {
        refused(&[command, &folder], true);
    }
}

#[test]
fn several_reports_of_one_folder_all_succeed() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", &LEAGUE.replace("games_per_match = 2", "games_per_match = 1"));
    let folder = scratch.path("run");
    succeed(&["run", &experiment, "--out", &folder]);
    let names = [
        "ranking.csv",
        "matches.csv",
        "expressions.csv",
        "report.json",
        "report.html",
        "tables.tex",
        "figures/ratings.svg",
    ];
    let read = || names.map(|name| scratch.read(&format!("run/{name}")));
    let alone = read();
    for _ in 0..3 {
        let reports: Vec<Child> = (0..8)
            .map(|_| evouct(&["report", &folder]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap())
            .collect();
        for report in reports {
            let output = report.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        }
        assert_eq!(read(), alone);
    }
    for folder in ["run", "run/figures"] {
        for entry in std::fs::read_dir(scratch.path(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(!name.contains("partial"), "{name} was left behind");
        }
    }
}
