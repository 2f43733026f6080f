//! Extensions of evolutions and tunings: what is recorded stays a part of them, and they come to what one comes to that
//! began with as much.

use crate::program::{Scratch, digest, fail, fails, succeed};
use std::fs::File;
use std::io::Write;

/// An evolution by games of few decks.
fn evolution(generations: u32, keys: &str, decks: &str) -> String {
    format!(
        "name = \"short\"\nplayer = [{{ kind = \"formula\", iterations = 4 }}]\nopponent = [{{ kind = \"random\" }}]\n\
         stage = [{{ measure = \"games\", decks = {decks} }}, {{ measure = \"games\", decks = 1 }}]\n\
         [evolve]\ngenerations = {generations}\n{keys}\n"
    )
}

/// Lines of a file.
fn lines(scratch: &Scratch, name: &str) -> usize {
    scratch.read(name).lines().count()
}

#[test]
fn an_evolution_goes_on_with_more_generations() {
    let population = "seeds = [\"Q\", \"Q + dv/n\"]\npopulation = 4\nislands = 1\nelite = 1\ntune_rounds = 1\n";
    let steady = format!("algorithm = \"steady-state\"\nlag = 2\n{population}");
    let climb = "algorithm = \"climb\"\nseeds = [\"Q + 0.5 * dv/n\"]\ngrow = 0.0\nprune = 0.0\n";
    for (keys, decks) in [(population, "1"), (&steady, "1"), (climb, "[1, 2]")] {
        let scratch = Scratch::new();
        let [short, long] = [2, 4].map(|count| scratch.write(&format!("{count}.toml"), &evolution(count, keys, decks)));
        let [run, fresh] = ["run", "fresh"].map(|name| scratch.path(name));
        succeed(&["evolve", &short, "--out", &run]);
        let refused = fail(&["evolve", &long, "--out", &run], 2);
        assert!(refused.contains("its generations is 2, now 4; --extend adds to it"), "{refused}");
        // What changes results is refused, with its key.
        let other = scratch.write("other.toml", &evolution(4, keys, decks).replace("decks = 1 }]", "decks = 2 }]"));
        let refused = fail(&["evolve", &other, "--out", &run, "--extend"], 2);
        assert!(refused.contains("its [[stage]] is ") && !refused.contains("--extend"), "{refused}");

        // The shorter evolution is complete, the longer one is not.
        let script = succeed(&["slurm", &long, "--out", &run, "--calibrate", "0", "--", "--extend"]);
        assert!(script.contains(" evolve "), "{script}");
        // No process writes the journal of the shorter evolution again. A torn line in it is cut off.
        let mut journal = File::options().append(true).open(scratch.path("run/evolution.jsonl")).unwrap();
        journal.write_all(b"{\"sum\":").unwrap();
        journal.lock().unwrap();
        fails(&["evolve", &long, "--out", &run, "--extend"], 2, "another run is writing this journal");
        drop(journal);
        succeed(&["evolve", &long, "--out", &run, "--extend"]);
        assert!(scratch.read("run/evolution.jsonl").ends_with("}\n"));
        succeed(&["evolve", &long, "--out", &fresh]);
        assert_eq!(digest(&run), digest(&fresh));
        for name in ["generations.csv", "finals.csv", "lineage.csv"] {
            assert_eq!(scratch.read(&format!("run/{name}")), scratch.read(&format!("fresh/{name}")), "{name}");
        }
        // What was measured is not measured again.
        assert!(lines(&scratch, "run/evolution-1.jsonl") < lines(&scratch, "fresh/evolution.jsonl"));
        let recorded = lines(&scratch, "run/evolution-1.jsonl");
        // From now on the file goes on by itself, and the shorter one is another.
        succeed(&["evolve", &long, "--out", &run]);
        assert_eq!(lines(&scratch, "run/evolution-1.jsonl"), recorded);
        let refused = fail(&["evolve", &short, "--out", &run, "--extend"], 2);
        assert!(refused.contains("its generations is 4, now 2; choose another"), "{refused}");
        succeed(&["verify", &run]);
    }
}

#[test]
fn a_tuning_goes_on_with_more_games() {
    let mut moved = 0;
    for seed in 1..=6 {
        let scratch = Scratch::new();
        let text = format!("name = \"alone\"\nseed = {seed}\n[[player]]\nkind = \"mcts\"\niterations = 2\n");
        let file = scratch.write("alone.toml", &text);
        let tune = |folder: &str, games: &str, more: &[&str]| -> Vec<String> {
            let folder = scratch.path(folder);
            let words = ["tune", &file, "--over", "k=0.5,2", "--games", games, "--out", &folder];
            words.iter().chain(more).map(|word| (*word).to_owned()).collect()
        };
        let words = |of: &[String]| succeed(&of.iter().map(String::as_str).collect::<Vec<_>>());
        let refused = |of: &[String]| fail(&of.iter().map(String::as_str).collect::<Vec<_>>(), 2);
        words(&tune("run", "80", &[]));
        let line = refused(&tune("run", "120", &[]));
        assert!(line.contains("--games was 80 and is 120; --extend adds to it"), "{line}");
        let line = refused(&tune("run", "120", &["--extend", "--method", "surface"]));
        assert!(line.contains("--method was halving and is surface"), "{line}");
        words(&tune("run", "120", &["--extend"]));
        words(&tune("fresh", "120", &[]));
        let [run, fresh] = ["run", "fresh"].map(|name| scratch.path(name));
        assert_eq!(digest(&run), digest(&fresh));
        for name in ["report.json", "tuned.toml", "candidates.csv"] {
            assert_eq!(scratch.read(&format!("run/{name}")), scratch.read(&format!("fresh/{name}")), "{name}");
        }
        // The first round has a journal for each of the two, and plays each game once.
        let games = |name: &str| lines(&scratch, name) - 1;
        let first = games("run/round-1/games.jsonl");
        assert_eq!(first + games("run/round-1/games-1.jsonl"), games("fresh/round-1/games.jsonl"));
        // What the results of more games put aside is kept.
        moved += usize::from(scratch.exists("run/held-out-of-80-games"));
        // From now on the larger number goes on by itself, and the smaller one is refused.
        words(&tune("run", "120", &[]));
        assert!(refused(&tune("run", "80", &["--extend"])).contains("--games was 120 and is 80; choose another"));
    }
    assert!((1..6).contains(&moved), "{moved} of 6 winners changed");
}

/// The second round has the best players of the first one: with more games others may come to it.
#[test]
fn a_tuning_of_several_rounds_goes_on_with_more_games() {
    let scratch = Scratch::new();
    let file = scratch.write("alone.toml", "name = \"alone\"\nseed = 3\n[[player]]\nkind = \"mcts\"\niterations = 2\n");
    let [run, fresh] = ["run", "fresh"].map(|name| scratch.path(name));
    let tune = ["tune", &file, "--over", "k=0.3,0.6,1.2,2.4"];
    succeed(&[&tune[..], &["--games", "270", "--out", &run]].concat());
    let more = |folder| [&tune[..], &["--games", "420", "--out", folder]].concat();
    let extend = [&more(&run)[..], &["--extend"]].concat();
    // Who plays a stage of the smaller tuning would go on under another plan.
    let (plan, journal) =
        (scratch.read("run/tune.json"), File::open(scratch.path("run/held-out/games.jsonl")).unwrap());
    journal.lock().unwrap();
    let refused = fail(&extend, 2);
    assert!(refused.contains("held-out/games.jsonl: another run is writing this journal"), "{refused}");
    assert_eq!(scratch.read("run/tune.json"), plan);
    drop(journal);
    let words = ["slurm", &file, "--tune", "--out", &run, "--calibrate", "0", "--", "--over", "k=0.3,0.6,1.2,2.4"];
    let script = succeed(&[&words[..], &["--games", "420", "--extend"]].concat());
    assert!(script.contains("--games 420 --extend"), "{script}");
    succeed(&extend);
    assert!(scratch.exists("run/round-2-of-270-games"));
    succeed(&more(&fresh));
    assert_eq!(digest(&run), digest(&fresh));
    let [hours, with] = ["--hours", "1"].map(str::to_owned);
    let refused = fail(&[&tune[..], &["--out", &run, "--extend", &hours, &with]].concat(), 2);
    assert!(refused.contains("'--extend'") && refused.contains("'--hours <H>'"), "{refused}");
}

/// The number of generations stands in the file of scores, and nothing of a score depends on it.
#[test]
fn scores_go_on_with_the_file_of_a_longer_evolution() {
    let scratch = Scratch::new();
    let [short, long] = [2, 4].map(|count| {
        let text = evolution(count, "seeds = [\"Q\"]\npopulation = 4\nislands = 1\nelite = 1\ncma_samples = 4\n", "1");
        scratch.write(&format!("{count}.toml"), &text)
    });
    let genomes = scratch.write("genomes.txt", "Q + dv/n\n");
    let run = scratch.path("scores");
    let scores = succeed(&["score", &short, "--genomes", &genomes, "--out", &run]);
    assert_eq!(succeed(&["score", &long, "--genomes", &genomes, "--out", &run, "--extend"]), scores);
}

#[test]
fn a_tuning_whose_first_round_has_other_players_is_refused() {
    let scratch = Scratch::new();
    let text = "name = \"alone\"\nseed = 5\n[[player]]\nkind = \"mcts\"\niterations = 2\n";
    let file = scratch.write("alone.toml", text);
    let folder = scratch.path("run");
    let words = ["tune", &file, "--over", "k=0.1..3", "--out", &folder, "--games"];
    succeed(&[&words[..], &["270"]].concat());
    let refused = fail(&[&words[..], &["2000", "--extend"]].concat(), 2);
    assert!(
        refused.contains("--games was 270 and is 2000; the first round of so many games has other players"),
        "{refused}"
    );
}
