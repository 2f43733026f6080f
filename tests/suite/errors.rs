//! Bad input gives one line with the place, the fault and what was expected; no record is lost and no folder is
//! created.

use crate::program;
use program::{LEAGUE, Scratch, digest, fail, fails, say, spawned, succeed, with_header};

/// The small league, played: its file and its folder.
fn played(scratch: &Scratch) -> (String, String) {
    let (experiment, run) = (scratch.write("small.toml", LEAGUE), scratch.path("run"));
    succeed(&["run", &experiment, "--out", &run]);
    (experiment, run)
}

/// Runs a changed experiment; it must be refused with a line that holds all these words, and leave no folder.
fn refused(change: (&str, &str), words: &[&str]) {
    let scratch = Scratch::new();
    assert!(LEAGUE.contains(change.0), "nothing to change: {}", change.0);
    let experiment = scratch.write("small.toml", &LEAGUE.replacen(change.0, change.1, 1));
    let folder = scratch.path("run");
    let line = fail(&["run", &experiment, "--out", &folder], 2);
    for word in words.iter().chain(&["small.toml"]) {
        assert!(line.contains(word), "{line:?} does not say {word:?}");
    }
    assert!(!scratch.exists("run"), "a refused experiment left a folder behind");
}

#[test]
fn experiments_are_refused_with_the_line_and_the_nearest_name() {
    refused(("games_per_match", "games_per_mach"), &[":4:", "unknown key games_per_mach; did you mean decks?"]);
    refused(("seed = 11", "seed = -1"), &[":3:", "seed = -1 is not a whole number"]);
    refused(("seed = 11", "seed = \"x\""), &[":3:", "seed = \"x\" is not a whole number"]);
    refused(("seed = 11", "seed = 99999999999999999999999"), &[":3:", "is not a whole number"]);
    refused(
        ("seed = 11", "seed = 11\nlog = \"ful\""),
        &[":4:", "log = \"ful\" is not none | formulas | full", "did you mean full?"],
    );
    refused(("seed = 11", "seed = 11\nschedule = 3"), &["schedule = 3 is not round-robin | gauntlet | neighbours"]);
    refused(("seed = 11", "seed = 11\nmirror = \"yes\""), &["mirror = \"yes\" is not true | false"]);
    refused(("seed = 11", "seed = 11\nseed = 12"), &[":4:", "duplicate key"]);
    refused(("seed = 11", "seed = 11,"), &[":3:", "; a line ends without a comma"]);
    refused(
        ("seed = 11", "seed = 11\n[rules]\n[rules]"),
        &[":5:", "duplicate key; several tables of a name stand in [[rules]]"],
    );
    refused(("seed = 11", "seed = "), &[":3:"]);
    refused(("games_per_match = 2", "games_per_match = 0"), &["games_per_match = 0 is not a whole number from 1"]);
    refused(("name = \"small\"", "name = \"../up\""), &[":2:", "contains '/'"]);
    refused(("name = \"small\"", "name = \"..\""), &["is not 1 to 100 characters"]);
    refused(("name = \"small\"", ""), &["name is missing"]);
    refused(("kind = \"siea-mcts\"", "kind = \"sea-mcts\""), &[":7:", "\"sea-mcts\"; did you mean"]);
    // Names of the field, and capitals.
    for (name, kind) in [("UCT", "mcts"), ("rave", "mcts-rave"), ("MCTS", "mcts")] {
        let wrong = format!("kind = \"{name}\"");
        refused(("kind = \"siea-mcts\"", &wrong), &[":7:", &format!("did you mean {kind}?")]);
    }
    refused(("kind = \"siea-mcts\"", ""), &["kind is missing; see `evouct players`"]);
    refused(
        ("iterations = 40", "iteratons = 40"),
        &[":8:", "siea-mcts has no parameter \"iteratons\"; did you mean iterations?"],
    );
    refused(("iterations = 40", "iterations = 0"), &[":8:", "iterations = 0 is not a whole number from 1"]);
    refused(("iterations = 40", "iterations = 1.5"), &[":8:", "iterations = 1.5 is not a whole number"]);
    refused(("iterations = 40", "k = 1"), &[":8:", "siea-mcts has no parameter \"k\""]);
    refused(("iterations = 40", "alpha = 20"), &["beta = 10 is not above alpha = 20"]);
    refused(("iterations = 40", "iterations = []"), &[":8:", "iterations is an empty list"]);
    refused(
        ("[[player]]\nname = \"MCTS\"", "[[palyer]]\nname = \"MCTS\""),
        &["unknown key palyer; did you mean player?"],
    );
    refused(("name = \"MCTS\"", "name = \"SIEA\""), &[":12:", "two players are called \"SIEA\""]);
    refused(("name = \"MCTS\"", "name = \"a\\nb\""), &["no control characters"]);
    refused(("name = \"MCTS\"", "name = \"\""), &["1 to 200 characters, found 0"]);
    refused(
        ("kind = \"mcts\"\niterations = 30", "kind = \"formula\"\nformula = \"Q + sqr(n)\""),
        &[":14:", "column 5", "did you mean sqrt?"],
    );
    refused(("kind = \"mcts\"\niterations = 30", "kind = \"formula\""), &["formula is needed"]);
    refused(
        ("seed = 11", "seed = 11\nrules = { seats = 4 }"),
        &["a league of 4 seats needs at least 4 players, found 3"],
    );
    refused(
        ("seed = 11", "seed = 11\nrules = { two_tile_city = 3 }"),
        &["expected 2 or 4 points for a two-tile city, found 3"],
    );
    refused(
        ("seed = 11", "seed = 11\nrules = { tile_sets = [\"inns\"] }"),
        &["rules: tile_sets = [\"inns\"] is not a list of base | river | inns-and-cathedrals | abbots"],
    );
    refused(
        ("seed = 11", "seed = 11\nrules = { expansions = [\"rivers\"] }"),
        &["expansions = [\"rivers\"] is not a list of river | inns-and-cathedrals | abbots", "did you mean river?"],
    );
    refused(
        ("seed = 11", "seed = 11\nrules = { river_bends = \"reserve\" }"),
        &["river_bends is for the expansion river, which is not in play"],
    );
    refused(
        ("seed = 11", "seed = 11\nrules = { fields = \"by-city-4\", expansions = [\"abbots\"] }"),
        &["fields = by-city-4 is for the base game with farmers, found expansions"],
    );
    refused(
        ("seed = 11", "seed = 11\nrules = { fields = \"by-city-3\", farmers = false }"),
        &["fields = by-city-3 is for the base game with farmers, found farmers = false"],
    );
    refused(("seed = 11", "seed = 11\nrules = { seats = 6 }"), &["expected 2 to 5 seats, found 6"]);
    refused(("seed = 11", "seed = 11\nrules = { wizards = true }"), &["unknown key rules: wizards; known here:"]);
    refused(
        ("seed = 11", "seed = 11\npaper = { ranking = [{ player = \"MTCS\" }] }"),
        &["no player of the experiment is called \"MTCS\"; did you mean \"MCTS\"?"],
    );
    refused(("seed = 11", "seed = 11\npaper = 3"), &["paper = 3 is not a table"]);
    for (paper, words) in [
        (
            "matches = [{ home = \"MCTS\", away = \"SIEA\", games = 5, home_wins = 4, away_wins = 2 }]",
            "\"MCTS\" - \"SIEA\": 6 games won of 5",
        ),
        ("ranking = [{ player = \"MCTS\" }, { player = \"MCTS\" }]", "the ranking of \"MCTS\" is printed twice"),
        ("matches = [{ home = \"MCTS\", away = \"MCTS\", home_wins = 1, away_wins = 0 }]", "\"MCTS\" against itself"),
        ("seats = [{ player = \"MCTS\", seat = 1 }]", "seat 1 of \"MCTS\" has no mean; known: difference, score"),
        ("games_per_match = 0", "games_per_match = 0 is not a whole number from 1"),
        ("seats = [{ player = \"MCTS\", score = 7 }]", "seat is missing"),
        ("seats = [{ player = \"MCTS\", seat = 3, score = 1 }]", "seat = 3 is not a whole number from 1 to 2"),
        ("seats = [{ player = \"MCTS\", seat = 1, scores = 7 }]", "did you mean score?"),
    ] {
        refused(("seed = 11", &format!("seed = 11\npaper = {{ {paper} }}")), &[words]);
    }
    refused(
        ("[[player]]\nname = \"MCTS\"", "[[players]]\nname = \"MCTS\""),
        &["unknown key players; did you mean player?"],
    );
}

#[test]
fn all_errors_of_a_file_are_shown_at_once_in_the_order_of_its_lines() {
    let scratch = Scratch::new();
    let text = LEAGUE
        .replace("seed = 11", "seed = -1\nmirrored = true")
        .replace("iterations = 40", "iteratons = 40\nlambda = 0")
        .replace("kind = \"mcts\"", "kind = \"mtcs\"");
    let experiment = scratch.write("small.toml", &text);
    let said = say(&["run", &experiment, "--out", &scratch.path("run")]);
    assert_eq!(said.code, Some(2));
    let expected = [
        ":3: seed = -1 is not a whole number",
        ":4: unknown key mirrored; did you mean mirror?",
        "siea-mcts has no parameter \"iteratons\"; did you mean iterations?",
        "lambda = 0 is not a whole number from 1",
        "there is no kind of player called \"mtcs\"; did you mean mcts?",
    ];
    let lines: Vec<&str> = said.err.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{}", said.err);
    for (line, words) in lines.iter().zip(expected) {
        assert!(line.contains(words), "{line:?} does not say {words:?}");
    }
}

#[test]
fn a_league_of_one_and_a_sweep_of_thousands_are_refused() {
    let scratch = Scratch::new();
    let one = scratch.write("one.toml", "name = \"one\"\n[[player]]\nkind = \"random\"\n");
    assert!(fail(&["run", &one, "--out", &scratch.path("run")], 2).contains("at least two players, found 1"));
    let list: Vec<String> = (1..=50).map(|number| number.to_string()).collect();
    let list = list.join(", ");
    let text = format!("name = \"many\"\n[[player]]\nkind = \"mcts\"\niterations = [{list}]\nk = [{list}]\n");
    let many = scratch.write("many.toml", &text);
    assert!(fail(&["run", &many, "--out", &scratch.path("run")], 2).contains("at most 1000 players, found 2500"));
    // Four lists of 65,536 values: their product is 2^64, which must not wrap to no player at all.
    let list = (0..65_536).map(|number| format!("{number}")).collect::<Vec<_>>().join(",");
    let keys = ["k", "decks", "rollouts", "iterations"].map(|key| format!("{key} = [{list}]\n")).concat();
    let text = format!(
        "name = \"wrap\"\n[[player]]\nkind = \"mcts\"\n{keys}[[player]]\nkind = \"random\"\n[[player]]\nname = \"b\"\nkind = \"random\"\n"
    );
    let wrap = scratch.write("wrap.toml", &text);
    assert!(fail(&["run", &wrap, "--out", &scratch.path("run")], 2).contains("at most 1000 players, found"));
    let huge = scratch.write("huge.toml", &LEAGUE.replace("games_per_match = 2", "games_per_match = 10000000"));
    succeed(&["run", &huge, "--dry-run"]);
    let over = scratch.write("over.toml", &LEAGUE.replace("games_per_match = 2", "games_per_match = 10000001"));
    assert!(fail(&["run", &over, "--dry-run"], 2).contains("is not a whole number from 1 to 10000000"));
    assert!(!scratch.exists("run"));
}

#[test]
fn wrong_files_and_folders_are_refused() {
    let scratch = Scratch::new();
    let missing = scratch.path("missing.toml");
    assert!(fail(&["run", &missing], 2).contains("missing.toml: cannot read the experiment"));
    let folder = scratch.path("folder.toml");
    std::fs::create_dir(&folder).unwrap();
    assert!(fail(&["run", &folder], 2).contains("cannot read the experiment"));
    std::fs::write(scratch.path("binary.toml"), [0xff, 0xfe, 0x00]).unwrap();
    assert!(fail(&["run", &scratch.path("binary.toml")], 2).contains("binary.toml: cannot read the experiment"));
    for command in ["report", "digest", "verify"] {
        assert!(fail(&[command, &scratch.path("nowhere")], 2).contains("nowhere: cannot read the run folder"));
        assert!(fail(&[command, scratch.0.path().to_str().unwrap()], 2).contains("is this a run folder?"));
    }
    // A file stands where the run folder should be.
    let experiment = scratch.write("small.toml", LEAGUE);
    let in_the_way = scratch.write("in-the-way", "");
    assert!(fail(&["run", &experiment, "--out", &in_the_way], 2).contains("in-the-way"));
    assert!(fail(&["rules", "check", &missing], 2).contains("missing.toml"));
}

/// A mistake in the name of a file for output costs no journal and no experiment.
#[test]
fn output_replaces_only_what_evouct_wrote() {
    let scratch = Scratch::new();
    let (experiment, run) = played(&scratch);
    let journal = scratch.read("run/games.jsonl");
    let commands: [&[&str]; 3] = [
        &["replay", &run, "--html", &scratch.path("run/games.jsonl")],
        &["compare", &run, &run, "--html", &experiment],
        &["slurm", &experiment, "--calibrate", "0", "--script", &experiment],
    ];
    for command in commands {
        let line = fail(command, 2);
        assert!(line.contains("evouct did not write this file as it is now, and keeps it"), "{line}");
    }
    assert_eq!((scratch.read("run/games.jsonl"), scratch.read("small.toml").as_str()), (journal, LEAGUE));
    // A folder of others is as good as any: nothing is written beside the file.
    std::fs::create_dir(scratch.path(".evouct-files")).unwrap();
    // What evouct wrote is replaced, also behind a link, which stays.
    let (page, link) = (scratch.path("page.html"), scratch.path("link.html"));
    succeed(&["compare", &run, &run, "--html", &page]);
    let compared = scratch.read("page.html");
    std::os::unix::fs::symlink(&page, &link).unwrap();
    succeed(&["replay", &run, "--html", &link]);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_ne!(scratch.read("page.html"), compared);
    // An edited script is kept.
    let script = scratch.write("job.sh", "");
    succeed(&["slurm", &experiment, "--calibrate", "0", "--script", &script]);
    assert!(scratch.read("job.sh").starts_with("#!"));
    succeed(&["slurm", &experiment, "--script", &script]);
    let edited = scratch.read("job.sh") + "# mine\n";
    scratch.write("job.sh", &edited);
    assert!(fail(&["slurm", &experiment, "--calibrate", "0", "--script", &script], 2).contains("job.sh"));
    assert_eq!(scratch.read("job.sh"), edited);
    for edited in [edited.replacen("set -u", "set -eu", 1), edited.lines().next().unwrap().to_owned()] {
        scratch.write("job.sh", &edited);
        fail(&["slurm", &experiment, "--calibrate", "0", "--script", &script], 2);
        assert_eq!(scratch.read("job.sh"), edited);
    }
    // Bytes that are no text are of another origin.
    std::fs::write(&page, [0xff]).unwrap();
    assert!(fail(&["compare", &run, &run, "--html", &page], 2).contains("evouct did not write this file"));
    let names = std::fs::read_dir(scratch.path("")).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| !name.to_str().unwrap().ends_with(".partial")));
}

/// The folder of someone else cannot be written, but its tables can be read.
#[test]
fn tables_are_printed_where_files_cannot_be_written() {
    let scratch = Scratch::new();
    let (_, run) = played(&scratch);
    let printed = succeed(&["report", &run]);
    let file = scratch.path("run/expressions.csv");
    std::fs::remove_file(&file).unwrap();
    // What is there cannot be replaced.
    std::fs::create_dir_all(scratch.path("run/expressions.csv/held")).unwrap();
    let said = say(&["report", &run]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.err.contains("expressions.csv: cannot write"), "{}", said.err);
    let ranking = printed.lines().find(|line| line.starts_with("1 ")).unwrap();
    assert!(said.out.contains(ranking) && !said.out.contains("report.html"), "{}", said.out);
}

#[test]
fn numbers_out_of_range_are_refused_by_their_range() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let line = fail(&["run", &experiment, "--seed", "-1"], 2);
    assert!(line.contains("'-1'") && line.contains("--seed") && !line.contains("unexpected argument"), "{line}");
    let fraction = scratch.write("fraction.toml", &LEAGUE.replacen("iterations = ", "iterations = 1e3 # ", 1));
    fails(&["run", &fraction], 2, "1000.0 is not a whole number");
}

#[test]
fn journals_of_other_experiments_and_versions_are_refused() {
    let scratch = Scratch::new();
    let (experiment, folder) = played(&scratch);
    let journal = scratch.read("run/games.jsonl");
    let other = scratch.write("other.toml", &LEAGUE.replace("seed = 11", "seed = 12"));
    let line = fail(&["run", &other, "--out", &folder], 2);
    assert!(
        line.contains("this folder holds another experiment: seed was 11 and is 12; choose another folder"),
        "{line}"
    );
    let rules = scratch.write("rules.toml", &LEAGUE.replace("seed = 11", "seed = 11\nrules = { two_tile_city = 2 }"));
    let line = fail(&["run", &rules, "--out", &folder, "--extend"], 2);
    assert_eq!(line.matches("was").count(), 1, "each rule that differs is named once: {line}");
    assert!(line.contains("two_tile_city was 4 and is 2"), "{line}");
    assert_eq!(scratch.read("run/games.jsonl"), journal, "a refused run touched the journal");

    for (text, words) in [
        ("not json\n".to_owned(), "line 1 is not the header of a journal"),
        (journal.lines().nth(1).unwrap().to_owned() + "\n", "line 1 is a game, not the header"),
        (journal.replacen("\"format\":2", "\"format\":9", 1), "checksum does not match"),
    ] {
        std::fs::write(scratch.path("run/games.jsonl"), text).unwrap();
        for arguments in [vec!["run", &experiment, "--out", &folder], vec!["digest", &folder]] {
            let line = fail(&arguments, 2);
            assert!(line.contains("games.jsonl") && line.contains(words), "{line}");
        }
    }
    // Records of another version: said, and allowed when asked.
    scratch.write("run/games.jsonl", &with_header(&journal, env!("CARGO_PKG_VERSION"), "0.0.1"));
    assert!(fail(&["run", &experiment, "--out", &folder], 2).contains("records are of evouct 0.0.1"));
    succeed(&["run", &experiment, "--out", &folder, "--allow-version"]);
}

#[cfg(unix)]
#[test]
fn two_runs_in_one_folder() {
    let scratch = Scratch::new();
    let experiment = scratch.write("long.toml", &LEAGUE.replace("games_per_match = 2", "games_per_match = 500"));
    let folder = scratch.path("run");
    let mut first = spawned(&["run", &experiment, "--out", &folder, "--threads", "1"]);
    while !scratch.exists("run/games.jsonl") || scratch.read("run/games.jsonl").lines().count() < 2 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    fails(&["run", &experiment, "--out", &folder], 2, "another run is writing this journal");
    // Reading while it runs is fine.
    for command in ["digest", "report"] {
        assert!(fail(&[command, &folder], 1).contains("interim results: "));
    }
    first.kill().unwrap();
    first.wait().unwrap();
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let whole = scratch.path("whole");
    succeed(&["run", &experiment, "--out", &whole, "--threads", "1"]);
    let size = scratch.read("whole/games.jsonl").len();
    let folder = scratch.path("run");
    // A limit on the size of files stands in for the end of the disk: writes beyond it fail. In blocks of 512 bytes.
    let limited = |blocks: usize| {
        let script = format!(
            "ulimit -f {blocks}; exec {} run {experiment} --out {folder} --threads 1",
            env!("CARGO_BIN_EXE_evouct")
        );
        std::process::Command::new("sh").args(["-c", &script]).output().unwrap()
    };
    let output = limited(size / 2 / 512);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot write the journal") && said.contains("are safe"), "{said}");
    let kept = scratch.read("run/games.jsonl");
    assert!(kept.ends_with('\n') && kept.lines().count() > 3, "the journal was left torn");
    // Not even the header fits: nothing was started.
    let tiny = Scratch::new();
    let script =
        format!("ulimit -f 1; exec {} run {experiment} --out {}", env!("CARGO_BIN_EXE_evouct"), tiny.path("run"));
    let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    // With space on the disk again, the same command resumes the run.
    succeed(&["run", &experiment, "--out", &folder]);
    assert_eq!(digest(&folder), digest(&whole));
}

#[test]
fn wrong_arguments_are_one_line() {
    for arguments in [
        &["runn"][..],
        &[],
        &["run"],
        &["run", "x.toml", "--threads", "0"],
        &["run", "x.toml", "--threads", "many"],
        &["bench", "nonsense"],
        &["bench", "--seconds", "-1"],
        &["verify", "x", "--games", "-3"],
        &["play", "-1", "mtcs"],
        &["play", "-1", "random", "-2", "mcts:k=-1"],
        &["play", "-1", "random", "-2", "random", "-3", "ea-mcts:opponent=absolute"],
        &["play", "-1", "random", "-2", "random", "-3", "star2"],
        &["play", "-1", "random", "-2", "random", "--two-tile-city", "3"],
        &["expr", "Q +"],
        &["players", "mcs"],
        &["rules", "perft", "--position", "[base] V@9,9r0"],
        &["points-table", "nowhere.json"],
    ] {
        let line = fail(arguments, 2);
        assert!(!line.is_empty());
    }
    assert!(fail(&["players", "mcs"], 2).contains("did you mean mcts?"));
}

#[cfg(unix)]
#[test]
fn a_closed_output_is_no_error() {
    let script = format!("{} players siea-mcts | head -n 1", env!("CARGO_BIN_EXE_evouct"));
    let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    let said = say(&["players"]);
    assert!(said.out.contains("siea-mcts") && said.code == Some(0));
}

#[test]
fn files_and_folders_of_other_commands_are_named() {
    let scratch = Scratch::new();
    let league = scratch.write("league.toml", LEAGUE);
    let evolution = scratch.write("evolution.toml", "name = \"e\"\n[evolve]\ntrees = [\"select\"]\n");
    let bank = scratch.write("bank.toml", "name = \"b\"\n[[value]]\nkind = \"random\"\n");
    for (command, file, words) in [
        ("run", &evolution, "this file describes an evolution; `evouct evolve` reads it"),
        ("run", &bank, "this file describes a bank of positions; `evouct bank` reads it"),
        ("evolve", &league, "this file describes an experiment; `evouct run` reads it"),
        ("bank", &league, "this file describes an experiment; `evouct run` reads it"),
        ("bank", &evolution, "this file describes an evolution"),
    ] {
        let line = fail(&[command, file, "--out", &scratch.path("none")], 2);
        assert!(line.contains(words) && line.lines().count() == 1, "{command}: {line}");
    }
    assert!(!scratch.exists("none"));
    for (name, words) in [
        ("evolution.jsonl", "the folder of an evolution"),
        ("bank.jsonl", "a bank of positions"),
        ("tune.json", "one of its stages"),
        ("notes.txt", "is this a run folder?"),
    ] {
        std::fs::create_dir(scratch.path(&format!("{name}-folder"))).unwrap();
        scratch.write(&format!("{name}-folder/{name}"), "");
        let line = fail(&["paper", &scratch.path(&format!("{name}-folder"))], 2);
        assert!(line.contains(words), "{line}");
    }
    assert!(fail(&["evolve", &scratch.write("e.toml", EVOLUTION_OF_A_BANK)], 2).contains("there is no such bank"));
}

/// An evolution whose bank does not exist.
const EVOLUTION_OF_A_BANK: &str = "name = \"e\"\n[evolve]\nbank = \"nowhere\"\nseeds = [\"Q + 1/n\"]\n[[player]]\nkind = \"formula\"\n\
    iterations = 20\n[[opponent]]\nkind = \"random\"\n[[stage]]\nmeasure = \"replay\"\npositions = 4\n[[stage]]\nmeasure = \"games\"\n\
    decks = [2]\n";

#[test]
fn arguments_are_refused_in_the_words_of_evouct() {
    for (arguments, words) in [
        (&[][..], "a command is missing (see --help)"),
        (&["rules"], "a command is missing"),
        (&["ru"], "; did you mean 'run'?"),
        (&["play", "--frist", "random"], "unexpected argument '--frist'; did you mean '--first'?"),
        (&["play", "--seed", "x"], "expected a whole number"),
        (&["play", "--seed", "99999999999999999999"], "the number is too large"),
        (&["play", "--deck", "0"], "0 is not from 1 to"),
        (&["play", "-1", "random", "-2", "random", "--ordinals", "0,1,2"], "--ordinals has 3 numbers"),
        (&["play", "--game", "function", "-1", "mcts", "-2", "mcts"], "found 2 players"),
    ] {
        let line = fail(arguments, 2);
        assert!(line.contains(words) && line.lines().count() == 1, "{arguments:?}: {line}");
    }
}

#[test]
fn a_game_of_one_seat_is_played_by_one_player() {
    let said = succeed(&["play", "--game", "function", "-1", "mcts:iterations=20"]);
    assert!(said.contains("player 1 (") && !said.contains("player 2"), "{said}");
    let scratch = Scratch::new();
    let file = scratch.write(
        "f.toml",
        "name = \"f\"\ngame = \"function\"\ngames_per_match = 2\n[[player]]\nname = \"a\"\nkind = \"mcts\"\niterations = 9\n\
         [[player]]\nname = \"b\"\nkind = \"random\"\n",
    );
    assert!(succeed(&["run", &file, "--out", &scratch.path("f")]).contains("A difference of 1 is a hundredth of f"));
}

#[test]
fn lists_and_help_fit_eighty_columns() {
    for arguments in [&["--help"][..], &["players"], &["players", "mcts"], &["players", "formula"]] {
        let said = succeed(arguments);
        // A word, such as a list of values, is not broken.
        let wide = |line: &&str| line.chars().count() > 80 && line.trim().contains(' ');
        assert_eq!(said.lines().find(wide), None, "{arguments:?}");
    }
}
