//! No command replaces a file that evouct did not write, or that was edited since: it is kept, and named in one line.

use crate::program;
use program::{Said, Scratch, digest, evouct, fail, say, succeed};
use std::path::Path;

const PAIR: &str = "name = \"pair\"\nseed = 3\ngames_per_match = 2\n[[player]]\nname = \"alpha\"\nkind = \"random\"\n\
                    [[player]]\nname = \"beta\"\nkind = \"random\"\n";
const EVOLUTION: &str = "name = \"small\"\nseed = 5\n[evolve]\nseeds = [\"Q + 2*sqrt(2*ln(N)/n)\", \"Q + 1/n\"]\nislands = 1\n\
                         population = 4\nelite = 1\ngenerations = 2\nfinalists = 2\ntune_count = 0\n[[player]]\nkind = \"formula\"\n\
                         iterations = 10\n[[opponent]]\nkind = \"random\"\n[[stage]]\nmeasure = \"games\"\ndecks = 1\n";
const TUNED: &str = "name = \"tuned\"\nseed = 3\n[[player]]\nname = \"m\"\nkind = \"mcts\"\niterations = 4\n\
                     [[player]]\nname = \"r\"\nkind = \"random\"\n";
const MINE: &str = "my own notes\n";
const KEPT: &str = "evouct did not write this file as it is now, and keeps it";

/// A run in the folder `run`.
fn played(scratch: &Scratch) -> (String, String) {
    let (experiment, folder) = (scratch.write("pair.toml", PAIR), scratch.path("run"));
    succeed(&["run", &experiment, "--out", &folder]);
    (experiment, folder)
}

fn one_line(said: &Said, code: i32, words: &[&str]) {
    let errors: Vec<&str> = said.err.lines().filter(|line| line.starts_with("evouct: ")).collect();
    assert_eq!((said.code, errors.len()), (Some(code), 1), "{words:?}: {said:?}");
    assert!(words.iter().all(|words| errors[0].contains(words)), "{words:?}: {errors:?}");
}

#[test]
fn files_of_another_origin_are_kept_by_every_command() {
    let scratch = Scratch::new();
    let (experiment, run) = played(&scratch);
    let evolution = scratch.write("small.toml", EVOLUTION);
    let tuned = scratch.write("tuned.toml", TUNED);
    let tune = |folder| ["tune", &tuned, "--over", "k=0.1..3", "--budget", "400", "--out", folder];
    let out = |name: &str| scratch.path(name);
    let [reported, evolved, tuning] = ["reported", "evolved", "tuning"].map(out);
    let [paper, tables, pictures, pages, manual] = ["paper", "tables", "pictures", "pages", "manual"].map(out);
    let (genomes, scored) = (scratch.write("genomes.txt", "Q + 2/n\nQ + 3/n\nQ - n\n"), out("scored"));
    let cases: [(&[&str], &str, &[&str], i32); 9] = [
        (
            &["run", &experiment, "--out", &reported],
            "reported",
            &["ranking.csv", "report.html", "tables.tex", "expressions.csv", "manifest.json", "figures/ratings.svg"],
            1,
        ),
        (&["evolve", &evolution, "--out", &evolved], "evolved", &["lineage.csv", "report.json"], 1),
        (&["score", &evolution, "--genomes", &genomes, "--out", &scored], "scored", &["scores.csv", "scores.json"], 1),
        (&tune(tuning.as_str()), "tuning", &["candidates.csv", "tuned.toml", "report.json"], 1),
        (&["paper", &run, "--out", &paper], "paper", &["methods.tex", "evouct.bib"], 2),
        (&["export", &run, "--out", &tables], "tables", &["games.csv", "turns.csv"], 2),
        (&["replay", &run, "--svg", &pictures], "pictures", &["turn-000.svg"], 2),
        (&["reference", &pages], "pages", &["commands.md"], 2),
        (&["man", &manual], "manual", &["evouct.1", "evouct-run.1"], 2),
    ];
    for (command, folder, files, code) in cases {
        for file in files {
            drop(std::fs::remove_dir_all(scratch.path(folder)));
            let name = format!("{folder}/{file}");
            let place = scratch.path(&name);
            std::fs::create_dir_all(Path::new(&place).parent().unwrap()).unwrap();
            scratch.write(&name, MINE);
            let said = say(command);
            one_line(&said, code, &[file, KEPT]);
            assert_eq!(scratch.read(&name), MINE, "{command:?}");
            // No other file is written, so that files of two commands are not mixed. An evolution has two sets of files.
            for other in files.iter().filter(|other| *other != file && folder != "evolved") {
                assert!(!scratch.exists(&format!("{folder}/{other}")), "{other}: {command:?}");
            }
            // What games were played for is printed.
            assert_eq!(said.out.lines().count() > 3, code == 1, "{said:?}");
            // Out of the way it is no hindrance, and what evouct wrote is written again.
            std::fs::remove_file(&place).unwrap();
            succeed(command);
            assert!(scratch.exists(&name), "{name} is not a file of {command:?}");
            succeed(command);
            // An edit is kept as well.
            let edited = scratch.read(&name) + MINE;
            scratch.write(&name, &edited);
            one_line(&say(command), code, &[file, KEPT]);
            assert_eq!(scratch.read(&name), edited, "{command:?}");
        }
    }
    // The result is printed all the same, and no game is lost.
    scratch.write("reported/ranking.csv", MINE);
    let said = say(&["report", &reported]);
    assert!(said.code == Some(1) && said.out.contains("alpha") && said.out.contains("4 of 4 games"), "{said:?}");
    assert_eq!(digest(&reported), digest(&run));
}

#[test]
fn the_experiment_of_a_run_is_written_first_and_edits_of_it_are_kept() {
    let scratch = Scratch::new();
    let experiment = scratch.write("pair.toml", PAIR);
    std::fs::create_dir(scratch.path("run")).unwrap();
    scratch.write("run/experiment.toml", MINE);
    let folder = scratch.path("run");
    let run = ["run", &experiment, "--out", &folder];
    assert!(fail(&run, 2).contains(KEPT) && !scratch.exists("run/games.jsonl"));
    // The user's own file in its place is the experiment itself.
    let own = scratch.write("run/experiment.toml", PAIR);
    succeed(&["run", &own, "--out", &folder]);
    // What `repair` tells to run is a file that people edit.
    let mended = scratch.path("mended");
    let said = succeed(&["repair", &folder, "--out", &mended]);
    let command = said.lines().last().unwrap().split_once("evouct ").unwrap().1;
    let command: Vec<&str> = command.split(' ').collect();
    let edited = format!("# Notes.\n{PAIR}");
    scratch.write("mended/experiment.toml", &edited);
    let said = say(&command);
    assert!(said.code == Some(0) && said.err.contains("--extend records the new text"), "{said:?}");
    assert_eq!(scratch.read("mended/experiment.toml"), edited);
    // The text that is recorded does not replace it.
    assert!(fail(&["run", &own, "--out", &mended], 2).contains(KEPT));
    assert_eq!(scratch.read("mended/experiment.toml"), edited);
    // With --extend the edit is recorded.
    succeed(&[&command[..], &["--extend"]].concat());
    assert_eq!(scratch.read("mended/experiment.toml"), edited);
    assert_eq!(digest(&mended), digest(&folder));
    // An extension replaces the text that evouct wrote.
    let wider = scratch.write("wider.toml", &PAIR.replace("games_per_match = 2", "games_per_match = 3"));
    succeed(&["run", &wider, "--out", &folder, "--extend"]);
    assert!(scratch.read("run/experiment.toml").contains("games_per_match = 3"));
}

/// Folders of earlier versions have no list of their files.
#[test]
fn the_folder_of_an_earlier_version_is_taken_as_it_is_and_watched_from_then_on() {
    let scratch = Scratch::new();
    let (_, run) = played(&scratch);
    std::fs::remove_file(scratch.path("run/.evouct-files")).unwrap();
    scratch.write("run/turns.csv", "of an earlier version\n");
    let report = succeed(&["report", &run]);
    assert_ne!(scratch.read("run/turns.csv"), "of an earlier version\n");
    scratch.write("run/turns.csv", MINE);
    one_line(&say(&["report", &run]), 1, &["turns.csv", KEPT]);
    std::fs::remove_file(scratch.path("run/turns.csv")).unwrap();
    assert_eq!(succeed(&["report", &run]), report);
    // A line of the list that was cut off costs nothing.
    let list = scratch.read("run/.evouct-files");
    scratch.write("run/.evouct-files", &list[..list.len() - 9]);
    let wider = scratch.write("wider.toml", &PAIR.replace("games_per_match = 2", "games_per_match = 3"));
    let names = list.lines().last().unwrap().split_once("  ").unwrap().1;
    std::fs::remove_file(scratch.path(&format!("run/{names}"))).unwrap();
    succeed(&["run", &wider, "--out", &run, "--extend"]);
    succeed(&["report", &run]);
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link_to_another_folder() {
    let scratch = Scratch::new();
    let (_, run) = played(&scratch);
    std::fs::remove_dir_all(scratch.path("run/figures")).unwrap();
    std::fs::create_dir(scratch.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(scratch.path("elsewhere"), scratch.path("run/figures")).unwrap();
    one_line(&say(&["report", &run]), 1, &["figures", "its folder is a link to another place"]);
    assert_eq!(std::fs::read_dir(scratch.path("elsewhere")).unwrap().count(), 0);
    std::fs::remove_file(scratch.path("run/figures")).unwrap();
    for name in ["paper", "export"] {
        std::os::unix::fs::symlink(scratch.path("elsewhere"), scratch.path(&format!("run/{name}"))).unwrap();
        one_line(&say(&[name, &run]), 2, &[name, "this is a link to another place; remove the link"]);
    }
    assert_eq!(std::fs::read_dir(scratch.path("elsewhere")).unwrap().count(), 0);
    // The list of what evouct has written.
    let list = scratch.read("run/.evouct-files");
    scratch.write("elsewhere/list", &list);
    std::fs::remove_file(scratch.path("run/.evouct-files")).unwrap();
    std::os::unix::fs::symlink(scratch.path("elsewhere/list"), scratch.path("run/.evouct-files")).unwrap();
    std::fs::remove_file(scratch.path("run/ranking.csv")).unwrap();
    let said = say(&["report", &run]);
    assert!(said.code != Some(0) && said.err.contains(".evouct-files: this is a link to another place"), "{said:?}");
    assert_eq!(scratch.read("elsewhere/list"), list);
}

/// Where nothing can be written nothing was started: 2, by every command.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_is_a_wrong_folder() {
    let scratch = Scratch::new();
    let (experiment, run) = played(&scratch);
    // Not even the superuser may make files there.
    let nowhere = "/sys/kernel";
    let commands: [&[&str]; 5] = [
        &["new", "mine"],
        &["run", &experiment, "--out", "/sys/kernel/run"],
        &["paper", &run, "--out", nowhere],
        &["export", &run, "--out", nowhere],
        &["reference", nowhere],
    ];
    for command in commands {
        let said = Said::of(evouct(command).current_dir(nowhere).output().unwrap());
        one_line(&said, 2, &["cannot"]);
    }
}
