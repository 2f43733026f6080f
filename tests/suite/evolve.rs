//! `evouct bank` and `evouct evolve`: the same result on any number of threads, and after a kill and a resume; one line
//! per error.

use crate::equality::file;
use crate::program;
use program::{Scratch, fail, fails, forged, say, succeed, with_header};
use std::io::Write;

const BANK: &str = r#"
name = "bank"
seed = 3
games = 12
positions_per_game = 3
rewards = 6
[[player]]
kind = "random"
[[player]]
kind = "mcts"
iterations = 10
[[value]]
kind = "mcts"
iterations = 60
"#;

pub(crate) const EVOLUTION: &str = r#"
name = "small"
seed = 5
[evolve]
bank = "bank"
trees = ["select", "final"]
terminals = ["Q", "n", "N", "dv", "sd"]
seeds = ["Q + 2*sqrt(2*ln(N)/n)", "Q + dv/n"]
islands = 2
population = 6
elite = 2
generations = 3
migrate_every = 2
finalists = 4
constant_offspring = 2
tune_rounds = 1
tune_count = 1
hall_of_fame = 1
semantics = 10
equal = 50
held_out_decks = 2
[[player]]
kind = "formula"
iterations = 30
[[opponent]]
kind = "random"
[[stage]]
measure = "replay"
positions = 20
block = 5
[[stage]]
measure = "regret"
positions = 6
block = 2
[[stage]]
measure = "games"
decks = [2, 2]
block = 1
"#;

/// The same evolution of structures, with a search for the constants of each.
pub(crate) fn of_structures() -> String {
    EVOLUTION.replace("islands = 2", "islands = 2\ncma_samples = 4\ngrow = 0.5\nprune = 0.1")
}

/// A climb with the same finals. It tries every neighbour, so there are fewer of them, and games are shorter to compute.
pub(crate) fn climb() -> String {
    let (start, stages) = EVOLUTION.split_once("[[stage]]").unwrap();
    let keys =
        ["islands", "population", "elite", "migrate_every", "tune_", "constant_", "hall_of_fame", "semantics", "equal"];
    let kept = start.lines().filter(|line| !keys.iter().any(|key| line.starts_with(key)));
    let start =
        kept.collect::<Vec<_>>().join("\n").replace("[\"Q + 2*sqrt(2*ln(N)/n)\", \"Q + dv/n\"]", "[\"n + dv/n\"]");
    let start = start.replace(", \"N\", \"dv\", \"sd\"", ", \"dv\"").replace("iterations = 30", "iterations = 16");
    let start = start.replace("[evolve]", "[evolve]\nalgorithm = \"climb\"\ngrow = 1\nprune = 1");
    format!("{start}\n[[stage]]\nmeasure = \"games\"\ndecks = [1, 1, 2]\n[[stage]]{stages}")
}

/// The line with the digest.
pub(crate) fn digest(out: &str) -> String {
    out.lines().find(|line| line.starts_with("digest ")).unwrap_or_else(|| panic!("no digest in {out}")).to_owned()
}

pub(crate) fn made_bank(scratch: &Scratch) -> String {
    let recipe = scratch.write("bank.toml", BANK);
    succeed(&["bank", &recipe, "--out", &scratch.path("bank"), "--threads", "2"])
}

#[cfg(target_os = "linux")]
#[test]
fn full_and_closed_streams_end_no_bank_and_no_evolution() {
    let scratch = Scratch::new();
    made_bank(&scratch);
    let (recipe, evolution) = (scratch.path("bank.toml"), scratch.write("small.toml", EVOLUTION));
    program::check_streams(|call| format!("bank {recipe} --out {}", scratch.path(&format!("bank-{call}"))));
    let folder = |call: usize| scratch.path(&format!("evolved-{call}"));
    program::check_streams(|call| format!("evolve {evolution} --out {} --threads 2", folder(call)));
    program::check_streams(|call| format!("report {}", folder(call)));
}

#[test]
fn a_bank_is_the_same_on_any_number_of_threads_and_resumed() {
    let scratch = Scratch::new();
    let whole = made_bank(&scratch);
    assert!(whole.contains("bank of 12 games"), "{whole}");
    let recipe = scratch.path("bank.toml");
    let again = scratch.path("again");
    let plan = succeed(&["bank", &recipe, "--out", &again, "--dry-run"]);
    assert!(plan.contains(" recorded, ") && plan.contains(" to make\n") && plan.contains(" core-hours ("), "{plan}");
    let out = succeed(&["bank", &recipe, "--out", &again, "--threads", "1"]);
    assert_eq!(digest(&out), digest(&whole));
    // Cut off within a line: the rest is made again.
    let text = scratch.read("again/bank.jsonl");
    let cut: usize = text.lines().take(3).map(|line| line.len() + 1).sum::<usize>() + 40;
    scratch.write("again/bank.jsonl", &text[..cut]);
    // The cut is named once.
    let said = say(&["digest", &again]);
    assert_eq!((said.code, said.err.matches("warning: ").count()), (Some(1), 1), "{said:?}");
    assert_eq!(digest(&succeed(&["bank", &recipe, "--out", &again])), digest(&whole));
    // Another recipe is refused.
    let other = scratch.write("other.toml", &BANK.replace("seed = 3", "seed = 7"));
    fails(&["bank", &other, "--out", &again], 2, "another recipe");
}

#[test]
fn shards_of_a_bank_are_the_whole() {
    let scratch = Scratch::new();
    let whole = made_bank(&scratch);
    let (recipe, parts) = (scratch.path("bank.toml"), scratch.path("parts"));
    let make = |shard: &str| succeed(&["bank", &recipe, "--out", &parts, "--threads", "1", "--shard", shard]);
    for (shard, missing) in [("2/3", 8), ("0/3", 4)] {
        let said = make(shard);
        assert!(
            said.contains(&format!("shard {shard} is complete; {missing} games of other shards are miss")),
            "{said}"
        );
    }
    // No command takes the parts for a bank, nor puts something else beside them.
    assert!(!scratch.exists("parts/bank.jsonl"));
    let evolution = scratch.write("evolution.toml", &EVOLUTION.replace("\"bank\"", &format!("{parts:?}")));
    assert!(fail(&["evolve", &evolution], 2).contains("there is no such bank"));
    let league = scratch.write("league.toml", "name = \"x\"\n[[player]]\nkind = \"random\"\niterations = [1, 2]\n");
    fail(&["run", &league, "--out", &parts], 2);
    let other = scratch.write("other.toml", &BANK.replace("seed = 3", "seed = 7"));
    assert!(fail(&["bank", &other, "--out", &parts, "--shard", "1/3"], 2).contains("this shard is of another recipe"));
    // A part that was cut off within a line is made again, and the last part gathers all.
    let text = scratch.read("parts/bank-shard-0-of-3.jsonl");
    scratch.write("parts/bank-shard-0-of-3.jsonl", &text[..text.len() - 20]);
    assert!(make("1/3").contains("1 game of other shards is missing"));
    let last = make("0/3");
    assert!(last.contains("bank of 12 games") && digest(&last) == digest(&whole), "{last}");
    assert_eq!(scratch.read("parts/bank.jsonl").lines().count(), 13);
    assert_eq!(digest(&make("1/3")), digest(&whole));
    // Another part that ends at the same time writes the bank.
    let bank = std::fs::File::open(scratch.path("parts/bank.jsonl")).unwrap();
    bank.lock().unwrap();
    assert!(make("1/3").contains("shard 1/3 is complete; another process gathers the bank in "));
    drop(bank);
    // Begun in shards, completed as a whole, and in another number of shards.
    for rest in [&["--shard", "0/1"][..], &[]] {
        let mixed = scratch.path(&format!("mixed-{}", rest.len()));
        succeed(&["bank", &recipe, "--out", &mixed, "--shard", "1/2"]);
        let out = succeed(&[&["bank", &recipe, "--out", &mixed][..], rest].concat());
        assert_eq!(digest(&out), digest(&whole));
        assert_eq!(digest(&succeed(&["bank", &recipe, "--out", &mixed])), digest(&whole));
    }
}

#[test]
fn a_bank_may_have_the_games_of_one_split_only() {
    let scratch = Scratch::new();
    made_bank(&scratch);
    let entries = |folder: &str| -> Vec<String> {
        let text = scratch.read(&format!("{folder}/bank.jsonl"));
        let mut entries: Vec<String> = text
            .lines()
            .skip(1)
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["entry"].to_string())
            .collect();
        entries.sort();
        entries
    };
    let mut parts = Vec::new();
    for split in ["training", "validation", "test"] {
        let text = BANK.replace("seed = 3", &format!("seed = 3\nsplit = \"{split}\""));
        let folder = scratch.path(split);
        let out = succeed(&["bank", &scratch.write("part.toml", &text), "--out", &folder]);
        let part = entries(split);
        assert!(out.contains(&format!("bank of {} games", part.len())), "{out}");
        parts.extend(part);
    }
    // Together they are the whole bank.
    parts.sort();
    assert_eq!(parts, entries("bank"));
    let wrong = BANK.replace("seed = 3", "seed = 3\nsplit = \"tests\"");
    assert!(fail(&["bank", &scratch.write("wrong.toml", &wrong)], 2).contains("split"));
    let none = BANK.replace("seed = 3", "seed = 3\nsplit = \"test\"").replace("games = 12", "games = 1");
    fails(&["bank", &scratch.write("none.toml", &none)], 2, "none of the games is in the test split");
}

#[test]
fn the_value_player_may_play_on_after_each_move() {
    let scratch = Scratch::new();
    let text = BANK.replace("rewards = 6", "rewards = 6\ncontinuations = 3").replace("games = 12", "games = 3");
    let text = text.replace("kind = \"mcts\"\niterations = 60", "kind = \"simple1\"");
    assert!(text.contains("simple1") && text.contains("continuations"));
    let recipe = scratch.write("bank.toml", &text);
    let [one, two] = ["1", "2"].map(|threads| {
        let out = succeed(&["bank", &recipe, "--out", &scratch.path(threads), "--threads", threads]);
        (digest(&out), scratch.read(&format!("{threads}/bank.jsonl")))
    });
    assert_eq!(one.0, two.0);
    let told = succeed(&["digest", &scratch.path("1")]);
    assert_eq!(told.split_whitespace().next(), one.0.strip_prefix("digest "));
    for line in one.1.lines().skip(1) {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        for position in game["entry"]["positions"].as_array().unwrap() {
            let visits: Vec<u64> = position["visits"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
            // Three orders each round, and half of the moves in the next one, until two are left.
            let most = *visits.iter().max().unwrap();
            let rounds = if visits.len() <= 2 { 1 } else { 1 + (visits.len() - 1).ilog2() };
            assert_eq!(
                (visits.iter().min(), most),
                (Some(&3).filter(|_| visits.len() > 2).or(Some(&most)), 3 * u64::from(rounds))
            );
            assert_eq!(visits.iter().filter(|n| **n == most).count(), visits.len().min(2));
        }
    }
    // It is another bank than the one of a search.
    assert!(
        fail(
            &[
                "bank",
                &scratch.write("bank.toml", &text.replace("continuations = 3", "continuations = 4")),
                "--out",
                &scratch.path("1")
            ],
            2
        )
        .contains("another recipe")
    );
}

#[test]
fn an_evolution_is_the_same_on_any_number_of_threads_killed_and_resumed() {
    is_the_same_killed_and_resumed(EVOLUTION);
}

#[test]
fn an_evolution_of_structures_is_the_same_on_any_number_of_threads_killed_and_resumed() {
    let scratch = is_the_same_killed_and_resumed(&of_structures());
    assert!(scratch.read("one/folded.csv").starts_with("born,individual,formula\n"));
}

#[test]
fn a_climb_is_the_same_on_any_number_of_threads_killed_and_resumed() {
    let scratch = is_the_same_killed_and_resumed(&climb());
    assert!(scratch.read("one/lineage.csv").contains(",grow,0,"));
    assert_eq!(scratch.read("one/generations.csv").lines().count(), 4);
}

pub(crate) fn is_the_same_killed_and_resumed(evolution: &str) -> Scratch {
    let scratch = Scratch::new();
    made_bank(&scratch);
    let file = scratch.write("small.toml", evolution);
    let (one, two) = (scratch.path("one"), scratch.path("two"));
    let out = succeed(&["evolve", &file, "--out", &one, "--threads", "1"]);
    for name in ["generations.csv", "front.csv", "lineage.csv", "finals.csv"] {
        assert!(scratch.exists(&format!("one/{name}")), "{name}");
    }
    let next =
        if scratch.exists("one/proof.toml") { format!("next: evouct run {one}/proof.toml\n") } else { String::new() };
    assert!(out.ends_with(&format!("report {one}/report.html\n{next}")), "{out}");
    assert_eq!(digest(&succeed(&["evolve", &file, "--out", &two, "--threads", "2"])), digest(&out));
    // The journal may end anywhere.
    let text = scratch.read("two/evolution.jsonl");
    for share in [0.1, 0.5, 0.9] {
        let cut = (text.len() as f64 * share) as usize;
        scratch.write("two/evolution.jsonl", &text[..cut]);
        let said = say(&["evolve", &file, "--out", &two, "--threads", "2"]);
        assert_eq!((said.code, digest(&said.out)), (Some(0), digest(&out)), "{}", said.err);
    }
    // All measurements are recorded: nothing is measured again, and the files are the same.
    let lineage = scratch.read("two/lineage.csv");
    let again = say(&["evolve", &file, "--out", &two]);
    assert_eq!(
        scratch.read("two/evolution.jsonl").lines().count(),
        scratch.read("one/evolution.jsonl").lines().count()
    );
    assert_eq!((scratch.read("two/lineage.csv"), digest(&again.out)), (lineage, digest(&out)));
    // Another seed is another evolution.
    let other = succeed(&["evolve", &file, "--seed", "6", "--out", &scratch.path("other")]);
    assert_ne!(digest(&other), digest(&out));
    fails(&["evolve", &file, "--seed", "6", "--out", &one], 2, "its seed is 5, now 6");
    // The proof is an experiment.
    if scratch.exists("one/proof.toml") {
        succeed(&["run", &scratch.path("one/proof.toml"), "--dry-run"]);
    }
    scratch
}

/// A folder holds the results of one command, so that no command finds those of another there.
#[test]
fn no_command_takes_the_folder_of_another() {
    let scratch = Scratch::new();
    made_bank(&scratch);
    let recipe = scratch.path("bank.toml");
    let evolution = scratch.write("small.toml", EVOLUTION);
    let league = scratch.write(
        "league.toml",
        "name = \"league\"\ngames_per_match = 1\n[[player]]\nname = \"a\"\nkind = \"random\"\n\
         [[player]]\nname = \"b\"\nkind = \"simple1\"\n",
    );
    let folder = |name: &str| scratch.path(name);
    succeed(&["run", &league, "--out", &folder("run")]);
    succeed(&["evolve", &evolution, "--out", &folder("evolved")]);
    for (command, file, name, holds) in [
        ("evolve", &evolution, "run", "a run, not an evolution"),
        ("evolve", &evolution, "bank", "a bank of positions, not an evolution"),
        ("bank", &recipe, "run", "a run, not a bank of positions"),
        ("bank", &recipe, "evolved", "an evolution, not a bank of positions"),
        ("run", &league, "evolved", "an evolution, not a run"),
        ("run", &league, "bank", "a bank of positions, not a run"),
    ] {
        let line = fail(&[command, file, "--out", &folder(name)], 2);
        assert!(line.contains(&format!("this folder holds {holds}; choose another folder")), "{line}");
    }
}

/// An evolution with a part of its bank would be another evolution.
#[test]
fn a_damaged_bank_is_refused() {
    let scratch = Scratch::new();
    made_bank(&scratch);
    let evolution = scratch.write("small.toml", EVOLUTION);
    let bank = scratch.read("bank/bank.jsonl");
    let cut = bank.lines().nth(2).unwrap();
    std::fs::write(scratch.path("bank/bank.jsonl"), bank.replacen(cut, &cut[..cut.len() / 2], 1)).unwrap();
    let line = fail(&["evolve", &evolution, "--out", &scratch.path("evolved")], 2);
    assert!(line.contains("the bank has 1 damaged line (") && line.contains("makes their games again"), "{line}");
    assert!(!scratch.exists("evolved"));
}

#[test]
fn the_commands_on_run_folders_know_the_folder_of_an_evolution() {
    let scratch = Scratch::new();
    made_bank(&scratch);
    let file = scratch.write("small.toml", EVOLUTION);
    let (folder, bank) = (scratch.path("small"), scratch.path("bank"));
    let out = succeed(&["evolve", &file, "--out", &folder]);
    let told = succeed(&["digest", &folder]);
    assert_eq!(Some(told.split_whitespace().next().unwrap()), digest(&out).strip_prefix("digest "));
    assert_eq!(succeed(&["status", &folder, "--missing"]), "0\n");
    let status = succeed(&["status", &folder]);
    assert!(status.contains("complete, 3 generations"));
    // What the report names champion, or that there is none, and not the best of the last generation.
    let report = succeed(&["report", &folder]);
    let named = status.lines().nth(1).unwrap();
    assert_eq!(report.contains("no champion"), named.starts_with("no champion"), "{status}{report}");
    assert!(!named.starts_with("best so far"), "{named}");
    assert!(succeed(&["status", &folder, "--json"]).contains("\"complete\":true"));
    // The report is what the command printed, and its files are written again.
    std::fs::remove_file(scratch.path("small/lineage.csv")).unwrap();
    assert!(succeed(&["report", &folder]).contains(&digest(&out)));
    assert!(scratch.exists("small/lineage.csv"));
    let page = scratch.read("small/report.html");
    // As many formulas as select and final, typeset, each with its tree.
    let boxes = page.matches("<div class=\"math\"").count();
    assert_eq!(boxes, page.matches("<summary>Tree of ").count());
    // Those of tables are typeset without one.
    assert!(boxes > 0 && page.matches("<math").count() > boxes, "{page}");
    for section in [
        "The champion",
        "Fitness by generation",
        "Size against gain",
        "Opponents",
        "Lineage",
        "Terminals in use",
        "Shape of the formula",
        "What is shown and what is not",
        "How to repeat this evolution",
        "Files",
        "What the columns mean",
    ] {
        let (_, rest) = page.split_once(&format!("{section}</h2>")).unwrap_or_else(|| panic!("{section}: {page}"));
        let content = rest.split("<h2").next().unwrap();
        let parts = ["<table", "<figure", "<dl", "<ul", "<pre", "<math"];
        assert!(parts.iter().any(|part| content.contains(part)), "{section}: {content}");
    }
    assert!(page.contains("evouct evolve evolution.toml") && page.contains("<dt>operator</dt>"), "{page}");
    assert!(page.contains("for carcassonne, 30 iterations per decision, algorithm generational: 3 of 3"), "{page}");
    assert!(page.contains("training gain</button>") && page.contains("validation gain</button>"), "{page}");
    assert!(
        page.contains("<dt>toggle</dt><dd>A formula added or removed."),
        "an operator of the lineage is not explained: {page}"
    );
    // The page is read where it lies: it names the proof beside it, and the usual folder only for a repetition.
    assert!(scratch.exists("small/proof.toml"), "{out}");
    assert!(page.contains("not yet a confirmation. The league of proof.toml tests it on decks"), "{page}");
    assert!(page.contains("<code>evouct run proof.toml</code> in this folder"), "{page}");
    assert_eq!((page.matches("runs/small/proof.toml").count(), page.matches(folder.as_str()).count()), (1, 0));
    for name in ["fitness", "front", "lineage", "terminals", "shape"] {
        assert!(
            page.contains(&format!("figures/{name}.svg")) && scratch.exists(&format!("small/figures/{name}.csv")),
            "{name}"
        );
    }
    let json: serde_json::Value = serde_json::from_str(&succeed(&["report", &folder, "--json"])).unwrap();
    assert_eq!(json["fitness"].as_array().unwrap().len(), 6, "three generations on two islands");
    let [opponent] = &json["opponents"].as_array().unwrap()[..] else { panic!("{json}") };
    let difference = format!(">{:+.2}</td></tr>", opponent["difference"].as_f64().unwrap());
    let (_, opponents) = page.split_once("Opponents</h2>").unwrap();
    let (row, _) = opponents.split_once("</tbody>").unwrap();
    assert!(
        opponent["opponent"] == "random" && row.contains("<bdi>random</bdi>") && row.ends_with(&difference),
        "{row}"
    );
    assert!(json["lineage"].as_array().unwrap().iter().all(|row| row["parents"].is_array()));
    let verified = succeed(&["verify", &folder, "--bank", &bank, "--games", "4"]);
    assert!(verified.contains("4 of "), "{verified}");
    assert!(fail(&["verify", &folder], 2).contains("name its folder with --bank"));
    assert!(fail(&["verify", &folder, "--bank", &bank, "--id", "x"], 2).contains("--id is for runs"));
    assert_eq!(succeed(&["status", &folder, "--missing", "--shard", "0/2"]).trim(), "0");
    // How far more cores would help.
    let projected =
        succeed(&["slurm", &file, "--simulate", "--cores", "64", "--cpus-per-task", "1", "--calibrate", "0.1"]);
    assert!(
        projected.contains("evolutions at once") && projected.contains("stage 3 (games): blocks of"),
        "{projected}"
    );
    let job = say(&["slurm", &file, "--out", &scratch.path("job"), "--calibrate", "0.1", "--shards", "5"]);
    assert!(job.code == Some(0) && job.err.contains("--time 00:10:00 is 1.5 times the estimate"), "{job:?}");
    assert!(job.out.contains("#SBATCH --time=00:10:00\n") && job.err.contains("blocks on this machine"), "{job:?}");
    // The formulas leave for other programs.
    let player = succeed(&["formulas", &folder, "--top", "1"]);
    let league = format!("name = \"exported\"\n{player}\n[[player]]\nkind = \"random\"\n");
    succeed(&["run", &scratch.write("exported.toml", &league), "--dry-run"]);
    let of = |format: &str| succeed(&["report", &folder, "--format", format]);
    assert!(of("md").starts_with("**Finalists**\n\n| formula | nodes | validation gain |\n"), "{}", of("md"));
    assert!(of("csv").starts_with("# Finalists\nformula,nodes,validation gain,validation gain ±\n"), "{}", of("csv"));
    assert!(of("latex").contains("\\caption{Finalists. ") && of("latex").contains("\\label{tab:finalists}"));
    assert_eq!(of("html"), std::fs::read_to_string(format!("{folder}/report.html")).unwrap());
    for (target, sign) in [("numpy", "def select_1("), ("c", "double select_1("), ("latex", "%"), ("sympy", "# 1: of")]
    {
        let text = succeed(&["formulas", &folder, "--top", "1", "--as", target]);
        assert!(text.contains(sign) && text.contains("of the evolution"), "{target}: {text}");
    }
    // A record of another value is found.
    let text = scratch.read("small/evolution.jsonl");
    let lines: Vec<&str> = text.lines().collect();
    let whole = scratch.read("small/evolution.jsonl");
    scratch.write("small/evolution.jsonl", &format!("{}\n", lines[..lines.len() / 2].join("\n")));
    let standing = succeed(&["status", &folder]);
    assert!(standing.contains(" generations complete; in "), "{standing}");
    assert_ne!(succeed(&["status", &folder, "--missing"]), "0\n");
    let csv = succeed(&["status", &folder, "--format", "csv"]);
    let row = csv.lines().nth(2).unwrap();
    assert!(row.starts_with("small,generation ") || row.starts_with("small,stage "), "{csv}");
    for command in ["digest", "formulas"] {
        let line = fail(&[command, &folder], 1);
        assert!(
            line.contains("interim results: ") && line.contains("measurements are missing; `evouct evolve` "),
            "{line}"
        );
    }
    assert!(say(&["formulas", &folder]).out.contains("so far"));
    assert!(fail(&["repair", &folder, "--out", &scratch.path("mended")], 2).contains("measured again by the command"));
    // A header with one wrong bit is restored in a copy.
    let [begun, flipped, back] =
        [&folder, &scratch.path("flipped"), &scratch.path("back")].map(|folder| format!("{folder}/evolution.jsonl"));
    std::fs::create_dir(scratch.path("flipped")).unwrap();
    let mut journal = std::fs::read(&begun).unwrap();
    journal[200] ^= 4;
    std::fs::write(&flipped, &journal).unwrap();
    journal[200] ^= 4;
    assert!(fail(&["status", &scratch.path("flipped")], 2).contains("`evouct repair` saves what can be read"));
    let repaired = succeed(&["repair", &scratch.path("flipped"), "--out", &scratch.path("back")]);
    assert!(repaired.contains("one bit of its header was wrong"), "{repaired}");
    assert_eq!(std::fs::read(&back).unwrap(), journal);
    let interim = say(&["report", &folder]);
    assert!(interim.code == Some(1) && interim.out.contains("The evolution is not complete"), "{interim:?}");
    assert!(interim.err.contains("interim results: "), "{interim:?}");
    assert!(scratch.read("small/report.html").contains("measurements of the next batch are missing"));
    // A changed line does not count.
    scratch.write("small/evolution.jsonl", &whole.replacen("\"sums\":[", "\"sums\":[1.5,", 1));
    let said = say(&["verify", &folder, "--bank", &bank, "--games", "0"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.contains("1 line is ignored"), "{said:?}");
}

#[test]
fn shards_of_one_folder_are_the_whole() {
    shards_are_the_whole(EVOLUTION);
    shards_are_the_whole(&of_structures());
    shards_are_the_whole(&climb());
}

pub(crate) fn shards_are_the_whole(evolution: &str) {
    let scratch = Scratch::new();
    made_bank(&scratch);
    let file = scratch.write("small.toml", evolution);
    let whole = digest(&succeed(&["evolve", &file, "--out", &scratch.path("whole")]));
    let parts = scratch.path("parts");
    // One after another, with a patience of 0: each continues as far as possible and reports that it waits.
    let mut done = 0;
    for turn in 0..200 {
        let shard = format!("{}/3", turn % 3);
        let said = say(&["evolve", &file, "--out", &parts, "--shard", &shard, "--patience", "0"]);
        match said.code {
            Some(0) => {
                assert_eq!(digest(&said.out), whole);
                done += 1;
            }
            code => assert!(code == Some(75) && said.err.contains("waiting for other shards"), "{said:?}"),
        }
        if done == 3 {
            break;
        }
    }
    assert_eq!(done, 3, "the shards never came to an end");
    // Together they are a whole evolution.
    assert_eq!(digest(&succeed(&["evolve", &file, "--out", &parts])), whole);
}

#[test]
fn a_calibration_compares_the_stages_with_games() {
    let scratch = Scratch::new();
    made_bank(&scratch);
    let file = scratch.write("small.toml", EVOLUTION);
    let out = succeed(&["evolve", &file, "--calibrate", "5", "--out", &scratch.path("gate")]);
    assert!(out.contains("rank correlation with games"), "{out}");
    assert!(out.contains("stage 3 (games): 1.00"), "{out}");
    assert!(!out.contains("oracle gain"), "{out}");
}

#[test]
fn a_bank_of_test_positions_calibrates_and_does_not_evolve() {
    let scratch = Scratch::new();
    let bank = scratch.write("bank.toml", &BANK.replace("seed = 3", "seed = 3\nsplit = \"test\""));
    succeed(&["bank", &bank, "--out", &scratch.path("bank")]);
    let file = scratch.write("small.toml", EVOLUTION);
    let gate = scratch.path("gate");
    succeed(&["evolve", &file, "--calibrate", "5", "--out", &gate]);
    succeed(&["verify", &gate, "--bank", &scratch.path("bank")]);
    let found = fail(&["evolve", &file, "--out", &scratch.path("evolved")], 2);
    assert!(found.contains("stage 1: the bank has no positions in its training split"), "{found}");
    // None of the twelve games with this seed is in the test split.
    let bank = scratch.write("none.toml", &BANK.replace("seed = 3", "seed = 4"));
    succeed(&["bank", &bank, "--out", &scratch.path("none")]);
    let file = scratch.write("none-small.toml", &EVOLUTION.replace("bank = \"bank\"", "bank = \"none\""));
    let found = fail(&["evolve", &file, "--calibrate", "5", "--out", &scratch.path("none-gate")], 2);
    assert!(found.contains("stage 1: the bank has no positions in its test split"), "{found}");
}

#[test]
fn a_bank_of_another_value_seed_judges_a_choice_by_position() {
    let scratch = Scratch::new();
    made_bank(&scratch);
    let other = scratch.write("other.toml", &BANK.replace("seed = 3", "seed = 3\nvalue_seed = 1"));
    succeed(&["bank", &other, "--out", &scratch.path("other")]);
    // The same positions and rewards, other values.
    let positions = |name: &str| -> Vec<(serde_json::Value, serde_json::Value, serde_json::Value)> {
        let games = scratch.read(&format!("{name}/bank.jsonl"));
        let games = games.lines().skip(1).map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let all = games.flat_map(|game| game["entry"]["positions"].as_array().unwrap().clone());
        let mut all: Vec<_> =
            all.map(|mut own| (own["turn"].take(), own["rewards"].take(), own["values"].take())).collect();
        all.sort_by_key(|(turn, rewards, _)| (turn.to_string(), rewards.to_string()));
        all
    };
    let (own, theirs) = (positions("bank"), positions("other"));
    assert!(own.len() == 36 && own.iter().zip(&theirs).all(|(a, b)| a.0 == b.0 && a.1 == b.1));
    assert!(own.iter().zip(&theirs).any(|(a, b)| a.2 != b.2));
    let text = EVOLUTION.replace("block = 5", "block = 1");
    let file = scratch.write("small.toml", &text);
    let gate = scratch.path("gate");
    succeed(&["evolve", &file, "--calibrate", "5", "--out", &gate]);
    let again = scratch.write("again.toml", &text.replace("bank = \"bank\"", "bank = \"other\""));
    let judged =
        |folder: &str| ["evolve", &again, "--calibrate", "5", "--out", folder, "--judge", &gate].map(str::to_owned);
    let arguments = judged(&scratch.path("gate-2"));
    let out = succeed(&arguments.each_ref().map(String::as_str));
    assert!(out.contains("oracle gain in stage 1 (replay)") && !out.contains("oracle gain in stage 2"), "{out}");
    // The same bank judges nothing, another file neither.
    let same = ["evolve", &file, "--calibrate", "5", "--out", &scratch.path("gate-3"), "--judge", &gate];
    assert!(fail(&same, 2).contains("it has the same bank"));
    scratch.write("again.toml", &text.replace("bank = \"bank\"", "bank = \"other\"").replace("seed = 5", "seed = 6"));
    let arguments = judged(&scratch.path("gate-4"));
    assert!(fail(&arguments.each_ref().map(String::as_str), 2).contains("differs in more than the bank"));
    // Every position is measured twice.
    let once = scratch.write("once.toml", &text.replace("positions = 20", "positions = 5"));
    succeed(&["evolve", &once, "--calibrate", "5", "--out", &scratch.path("once")]);
    let again_once = scratch.write(
        "again-once.toml",
        &text.replace("positions = 20", "positions = 5").replace("bank = \"bank\"", "bank = \"other\""),
    );
    let judge = scratch.path("once");
    let found =
        fail(&["evolve", &again_once, "--calibrate", "5", "--out", &scratch.path("gate-7"), "--judge", &judge], 2);
    assert!(found.contains("stage 1 does not measure each of the"), "{found}");
    // A judge has all formulas, and the same positions.
    scratch.write("again.toml", &text.replace("bank = \"bank\"", "bank = \"other\""));
    let more = ["evolve", &again, "--calibrate", "7", "--out", &scratch.path("gate-5"), "--judge", &gate];
    assert!(fail(&more, 2).contains("of its measurements are missing"));
    let third = scratch.write("third.toml", &BANK.replace("seed = 3", "seed = 7"));
    succeed(&["bank", &third, "--out", &scratch.path("third")]);
    scratch.write("again.toml", &text.replace("bank = \"bank\"", "bank = \"third\""));
    let arguments = judged(&scratch.path("gate-6"));
    assert!(fail(&arguments.each_ref().map(String::as_str), 2).contains("other positions"));
    assert!(
        fail(&["evolve", &file, "--calibrate", "5", "--judge", &scratch.path("nowhere")], 2).contains("no journal")
    );
}

#[test]
fn a_game_of_one_seat_is_measured_by_what_the_search_found() {
    let scratch = Scratch::new();
    // On F8 much exploration finds less: the second seed is better than the first, the reference.
    let text = r#"
name = "function"
game = "function"
rules = { function = "f8" }
[evolve]
seeds = ["Q + 4*sqrt(ln(N)/n)", "Q + 0.04*sqrt(ln(N)/n)"]
islands = 1
population = 3
elite = 1
generations = 1
finalists = 2
constant_offspring = 0
[[player]]
kind = "formula"
iterations = 300
[[opponent]]
name = "UCB1"
kind = "formula"
iterations = 300
formula = "Q + 4*sqrt(ln(N)/n)"
[[stage]]
measure = "games"
decks = [60]
[[stage]]
measure = "games"
decks = [60]
"#;
    let file = scratch.write("function.toml", text);
    succeed(&["evolve", &file, "--out", &scratch.path("function")]);
    let gains = scratch.read("function/lineage.csv");
    let mut rows = gains.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = rows.next().unwrap();
    let column = |name: &str| header.iter().position(|own| *own == name).unwrap();
    let (gain, formula) = (column("gain"), column("formula"));
    let better = rows.find(|row| row[formula].contains("0.04")).unwrap();
    assert!(better[gain].parse::<f64>().unwrap() > 1.0, "{gains}");
    // The opponent plays each deck, too: values are from 0 to 100 hundredths of f, the differences to it are far smaller.
    let against = scratch.read("function/opponents.csv");
    let row = against.lines().find(|line| line.contains("0.04")).unwrap();
    let difference: f64 = row.split(',').nth(3).unwrap().parse().unwrap();
    assert!(difference > 1.0 && difference < 50.0, "{against}");
    // A journal of the time when the same search counted in millionths is not taken for one in hundredths.
    let journal = scratch.read("function/evolution.jsonl");
    scratch.write("function/evolution.jsonl", &with_header(&journal, ",\"per_point\":10000", ""));
    let line = fail(&["evolve", &file, "--out", &scratch.path("function")], 2);
    assert!(line.contains("another evolution: its points are scores over 1, not over 10000"), "{line}");
    for command in ["report", "status"] {
        let said = say(&[command, &scratch.path("function")]);
        assert!(said.code != Some(0) && said.err.contains("its points are scores over 1, not over 10000"), "{said:?}");
    }
}

/// The policy evolves beside the formulas that use its P: in replays, positions and games.
#[test]
fn a_policy_evolves_and_its_player_is_exported() {
    let scratch = Scratch::new();
    made_bank(&scratch);
    let seeds = "seeds = [\"select = Q + 5*P*sqrt(N)/(1 + n); untried = Qbar + 5*P*sqrt(N); policy = dv + 3*dm\", \
                 \"select = Q + 9*P/n\"]";
    let puct = EVOLUTION
        .replace("trees = [\"select\", \"final\"]", "trees = [\"select\", \"untried\", \"final\", \"policy\"]")
        .replace("\"dv\", \"sd\"", "\"dv\", \"dm\", \"pc\", \"P\"")
        .replace("seeds = [\"Q + 2*sqrt(2*ln(N)/n)\", \"Q + dv/n\"]", seeds)
        .replace("iterations = 30", "iterations = 30\npolicy_temperature = 2");
    let file = scratch.write("puct.toml", &puct);
    let [whole, again] = ["whole", "again"].map(|name| scratch.path(name));
    let out = succeed(&["evolve", &file, "--out", &whole, "--threads", "2"]);
    assert_eq!(digest(&out), digest(&succeed(&["evolve", &file, "--out", &again, "--threads", "1"])));
    // Policies are over move numbers alone.
    let journal = scratch.read("whole/evolution.jsonl");
    let policies = journal.split("policy = ").skip(1).map(|rest| rest.split(['"', ';']).next().unwrap_or_default());
    let mut seen = std::collections::BTreeSet::new();
    for policy in policies {
        let strange = policy.split(|c: char| !c.is_alphanumeric()).find(|word| ["Q", "n", "N", "P"].contains(word));
        assert_eq!(strange, None, "{policy}");
        seen.insert(policy);
    }
    assert!(seen.len() > 3, "{seen:?}");
    let finalist = succeed(&["formulas", &whole, "--top", "1", "--as", "player"]);
    assert!(finalist.contains("policy_temperature = 2"), "{finalist}");
    let refused =
        |text: &str| fail(&["evolve", &scratch.write("wrong.toml", text), "--out", &scratch.path("wrong")], 2);
    let without_numbers = puct.replace(", \"dv\", \"dm\", \"pc\"", "");
    assert!(refused(&without_numbers).contains("trees: policy is over move numbers, of which terminals has none"));
    let without_policy = EVOLUTION.replace("\"dv\", \"sd\"", "\"dv\", \"P\"");
    assert!(refused(&without_policy).contains("terminals: P is the prior of a policy; expected policy among trees"));
}

/// The rating of moves in playouts evolves, over what the search learned and numbers of the game, and its player is a file.
#[test]
fn playouts_evolve_and_their_player_is_exported() {
    let scratch = Scratch::new();
    let seeds = r#""Q + sqrt(ln(N)/n)", "select = Q + sqrt(ln(N)/n); playout = hm + race""#;
    let more = "trees = [\"playout\"]\ntoggle = 0.3";
    let rated = file(seeds, more).replace("\"race\"]", "\"race\", \"hm\", \"hn2\", \"hm3\", \"lgr\", \"pw\"]").replace(
        "iterations = 6\n[[opponent]]",
        "iterations = 6\ndefault_policy = \"softmax\"\nepsilon = 0.1\n[[opponent]]",
    );
    let path = scratch.write("rated.toml", &rated);
    let [whole, again] = ["whole", "again"].map(|name| scratch.path(name));
    let out = succeed(&["evolve", &path, "--out", &whole, "--threads", "2"]);
    assert_eq!(digest(&out), digest(&succeed(&["evolve", &path, "--out", &again, "--threads", "1"])));
    let journal = scratch.read("whole/evolution.jsonl");
    let ratings = journal.split("playout = ").skip(1).map(|rest| rest.split(['"', ';']).next().unwrap_or_default());
    let mut seen = std::collections::BTreeSet::new();
    for rating in ratings {
        let strange = rating.split(|c: char| !c.is_alphanumeric()).find(|word| ["Q", "n", "N", "pw"].contains(word));
        assert_eq!(strange, None, "{rating}");
        seen.insert(rating);
    }
    assert!(seen.len() > 3 && seen.iter().any(|rating| rating.contains('h')), "{seen:?}");
    let players = succeed(&["formulas", &whole, "--top", "40", "--as", "player"]);
    assert!(players.contains("default_policy = \"softmax\"") && players.contains("\nrating = "), "{players}");
    // A rating by which all moves are alike is not written: playouts are random.
    let even = rated.replace("playout = hm + race", "playout = 0").replace("[\"playout\"]", "[\"select\"]");
    let even = scratch.write("even.toml", &even);
    succeed(&["evolve", &even, "--out", &scratch.path("even"), "--threads", "2"]);
    let players = succeed(&["formulas", &scratch.path("even"), "--top", "3", "--as", "player"]);
    let rates = |player: &str| ["default_policy", "rating", "epsilon"].iter().any(|key| player.contains(key));
    assert!(players.contains("kind = \"formula\"") && !rates(&players), "{players}");
    let refused =
        |text: &str| fail(&["evolve", &scratch.write("wrong.toml", text), "--out", &scratch.path("wrong")], 2);
    let own = rated.replace("epsilon = 0.1", "rating = \"race\"");
    assert!(refused(&own).contains("rating is evolved; [evolve] has seeds"));
    let without = rated.replace("\"race\", \"hm\", \"hn2\", \"hm3\", \"lgr\", ", "");
    assert!(
        refused(&without).contains("trees: playout is over move numbers and hm hn hm2 hn2 hm3 hn3 lgr w1 l1, of which")
    );
    made_bank(&scratch);
    let replayed = EVOLUTION.replace("\"final\"", "\"playout\"");
    assert!(refused(&replayed).contains("trees: playout changes nothing where measure = replay; leave it out, or"));
}

#[test]
fn each_error_is_one_line_and_loses_nothing() {
    let scratch = Scratch::new();
    made_bank(&scratch);
    let run = |text: &str| {
        let file = scratch.write("wrong.toml", text);
        fail(&["evolve", &file, "--out", &scratch.path("wrong")], 2)
    };
    for (from, to, expected) in [
        ("bank = \"bank\"\n", "", "bank is missing"),
        ("bank = \"bank\"\n", "bank = \"nowhere\"\n", "nowhere"),
        ("\"dv\", \"sd\"", "\"dx\", \"sd\"", "has no terminal \"dx\""),
        ("\"final\"", "\"finl\"", "did you mean final?"),
        (
            "measure = \"games\"\ndecks = [2, 2]",
            "measure = \"regret\"\npositions = 2",
            "expected games, because only games show that a formula plays well",
        ),
        ("positions = 20\n", "", "positions is missing"),
        ("positions = 20\n", "positions = 0\n", "expected a whole number from 1"),
        ("positions = 20\n", "decks = 20\n", "the measure replay has positions, no decks"),
        ("[[opponent]]\nkind = \"random\"\n", "", "needs at least one [[opponent]]"),
        ("\"Q + dv/n\"", "\"Q + dv/\"", "seeds"),
        ("kind = \"formula\"", "kind = \"mcts\"", "expected kind = formula"),
        ("elite = 2", "elite = 6", "leaves no place for offspring"),
        ("islands = 2", "island = 2", "did you mean islands?"),
        ("iterations = 30", "iterations = 30\nfinal_formula = \"n\"", "is evolved"),
        ("seed = 5", "seed = 5\n[rules]\ntwo_tile_city = 2", "the bank is of other rules"),
    ] {
        let changed = EVOLUTION.replace(from, to);
        assert_ne!(changed, EVOLUTION, "{from}");
        let error = run(&changed);
        assert!(error.contains(expected), "{expected}: {error}");
    }
    let without_stages = &EVOLUTION[..EVOLUTION.find("[[stage]]").unwrap()];
    for text in [without_stages.to_owned(), format!("stage = []\n{without_stages}")] {
        assert!(run(&text).contains("[[stage]] is missing"), "{text}");
    }
    // What else is wrong depends on the measure.
    let unknown = run(&EVOLUTION.replace("measure = \"games\"", "measure = \"game\""));
    assert!(unknown.contains("\"game\"") && unknown.lines().count() == 1, "{unknown}");
    assert!(!scratch.exists("wrong/evolution.jsonl"));
    // A folder of another evolution is not touched.
    let file = scratch.write("small.toml", EVOLUTION);
    let folder = scratch.path("small");
    succeed(&["evolve", &file, "--out", &folder]);
    let before = scratch.read("small/evolution.jsonl");
    let changed = scratch.write("changed.toml", &EVOLUTION.replace("population = 6", "population = 7"));
    fails(&["evolve", &changed, "--out", &folder], 2, "another evolution");
    // Nor is one that another process writes.
    let journal = std::fs::File::open(scratch.path("small/evolution.jsonl")).unwrap();
    journal.lock().unwrap();
    fails(&["evolve", &file, "--out", &folder], 2, "another run is writing this journal");
    drop(journal);
    // So is the bank part of what an evolution is.
    scratch.write("bank.toml", &BANK.replace("seed = 3", "seed = 7"));
    std::fs::remove_dir_all(scratch.path("bank")).unwrap();
    succeed(&["bank", &scratch.path("bank.toml"), "--out", &scratch.path("bank")]);
    fails(&["evolve", &file, "--out", &folder], 2, "its bank has the digest");
    assert_eq!(scratch.read("small/evolution.jsonl"), before);
}

/// Evolves with this bank; returns the exit code and stderr.
fn evolve_with(scratch: &Scratch, bank: &str) -> (Option<i32>, String) {
    let file = scratch.write("other-bank.toml", &EVOLUTION.replace("bank = \"bank\"", &format!("bank = \"{bank}\"")));
    let said = say(&["evolve", &file, "--out", &scratch.path("of-other-bank")]);
    (said.code, said.err)
}

#[test]
fn a_line_of_another_bank_is_reported_and_its_game_is_made() {
    let scratch = Scratch::new();
    let whole = made_bank(&scratch);
    let other = scratch.write("other.toml", &BANK.replace("seed = 3", "seed = 7"));
    succeed(&["bank", &other, "--out", &scratch.path("other")]);
    let (ours, theirs) = (scratch.read("bank/bank.jsonl"), scratch.read("other/bank.jsonl"));
    let game = |line: &str| line.split_once("\"game\":").unwrap().1.split(',').next().unwrap().to_owned();
    let place = 4;
    let line = ours.lines().nth(place).unwrap();
    let stranger = theirs.lines().find(|their| their.contains("\"entry\"") && game(their) == game(line)).unwrap();
    scratch.write("bank/bank.jsonl", &ours.replace(line, stranger));
    let (_, problems) = evolve_with(&scratch, "bank");
    assert!(problems.contains("bank.jsonl:5: this line is ignored: it is of experiment "), "{problems}");
    let said = say(&["bank", &scratch.path("bank.toml"), "--out", &scratch.path("bank")]);
    assert_eq!((said.code, digest(&said.out)), (Some(0), digest(&whole)), "{}", said.err);
    assert!(said.err.contains("bank.jsonl:5: this line is ignored"), "{}", said.err);
    // The bank is whole again, and of use.
    assert_eq!(evolve_with(&scratch, "bank").0, Some(0));
}

#[test]
fn damaged_banks_are_refused_in_a_line() {
    let scratch = Scratch::new();
    made_bank(&scratch);
    let bank = scratch.read("bank/bank.jsonl");
    // Two million lines that are no lines.
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(bank.as_bytes()).unwrap();
    for _ in 0..32 {
        gz.write_all(&[b'\n'; 1 << 16]).unwrap();
    }
    std::fs::write(scratch.path("long.jsonl.gz"), gz.finish().unwrap()).unwrap();
    // They are no harm: all games are there.
    let (code, problems) = evolve_with(&scratch, "long.jsonl.gz");
    assert_eq!((code, problems.matches("bank").count()), (Some(0), 0), "{problems}");
    assert_eq!(problems.matches("long.jsonl.gz:").count(), 101, "{problems}");
    // A line whose checksum is right and whose contents are not.
    let line = bank.lines().nth(1).unwrap();
    let entry = serde_json::from_str::<serde_json::Value>(line).unwrap()["entry"].take();
    for (edit, expected) in [
        ((|position| position["rewards"] = serde_json::json!([])) as fn(&mut serde_json::Value), "rewards of 0 moves"),
        (|position| position["rewards"][0] = serde_json::json!([1]), "expected 6 of each move"),
        (|position| position["values"] = serde_json::json!([1.5]), "1 values"),
        (|position| position["turn"] = serde_json::json!(4_000_000_000_u32), "turn"),
    ] {
        let mut changed = entry.clone();
        edit(&mut changed["positions"][0]);
        scratch.write("forged.jsonl", &bank.replace(line, &forged(line, &changed)));
        let (code, problems) = evolve_with(&scratch, "forged.jsonl");
        assert!(code == Some(2) && problems.contains(expected), "{expected}: {problems}");
        assert_eq!(problems.lines().count(), 1, "{problems}");
    }
}

#[test]
fn recipes_and_plans_without_bounds_are_refused() {
    let scratch = Scratch::new();
    made_bank(&scratch);
    for (from, to, expected) in [
        ("population = 6", "population = 10000\nalgorithm = \"plus\"\noffspring = 10000", "is at most 1000000, found "),
        ("islands = 2", "islands = 1000", "is at most 1000000, found 1206000"),
        (
            "decks = [2, 2]",
            "decks = [300000]",
            "a round has at most 2500000 blocks, genomes × units × opponents, found ",
        ),
    ] {
        let opponents = "[[opponent]]\nkind = \"mcts\"\niterations = [".to_owned();
        let many = opponents + &(1..=200).map(|count| count.to_string()).collect::<Vec<_>>().join(", ") + "]\n";
        let text = EVOLUTION.replace(from, to).replace("[[opponent]]\nkind = \"random\"\n", &many);
        let text = text.replace("generations = 3", "generations = 300");
        fails(&["evolve", &scratch.write("large.toml", &text), "--out", &scratch.path("large")], 2, expected);
    }
    let text =
        BANK.replace("positions_per_game = 3", "positions_per_game = 70").replace("rewards = 6", "rewards = 4096");
    fails(&["bank", &scratch.write("large.toml", &text), "--out", &scratch.path("large")], 2, "is at most 65536");
    assert!(!scratch.exists("large"));
    // A file stands where the folder should be.
    let in_the_way = scratch.write("in-the-way", "");
    let (recipe, file) = (scratch.path("bank.toml"), scratch.write("small.toml", EVOLUTION));
    assert!(fail(&["bank", &recipe, "--out", &in_the_way], 2).contains("cannot make the run folder"));
    assert!(
        fail(&["evolve", &file, "--out", &in_the_way], 2)
            .lines()
            .last()
            .unwrap()
            .contains("cannot make the run folder")
    );
    // A bank that another process makes.
    let text = BANK.replace("games = 12", "games = 13");
    let (recipe, folder) = (scratch.write("more.toml", &text), scratch.path("more"));
    succeed(&["bank", &recipe, "--out", &folder]);
    let bank = scratch.read("more/bank.jsonl");
    let whole_lines: String = bank.lines().take(5).map(|line| format!("{line}\n")).collect();
    scratch.write("more/bank.jsonl", &whole_lines);
    let file = std::fs::File::open(scratch.path("more/bank.jsonl")).unwrap();
    file.lock().unwrap();
    fails(&["bank", &recipe, "--out", &folder], 2, "another run is writing this journal");
}
