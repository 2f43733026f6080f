//! Evolution with two objectives: points, and a metric of the game.

use crate::evolve::{is_the_same_killed_and_resumed, shards_are_the_whole};
use crate::offline::distance;
use crate::program::{Scratch, fail, forged, say, succeed, timeless, with_header};
use evouct::gp::{Tree, fronts};
use evouct::offline::{EvolutionError, EvolutionPlan, Judge, Measured, Request, evolve};
use serde_json::Value;

/// An evolution by games.
const GAMES: &str = r#"
name = "small"
seed = 5
[evolve]
trees = ["select", "final"]
terminals = ["Q", "n", "N", "dv", "dm"]
seeds = ["Q + 2*sqrt(2*ln(N)/n)", "Q + dv/n"]
islands = 2
population = 6
elite = 2
generations = 3
migrate_every = 2
finalists = 4
held_out_decks = 2
[[player]]
kind = "formula"
iterations = 8
[[opponent]]
kind = "random"
[[stage]]
measure = "games"
decks = [1, 2]
[[stage]]
measure = "games"
decks = [2, 3]
"#;

/// The same with a metric to maximise.
fn with(metric: &str) -> String {
    GAMES.replace("islands", &format!("second = {metric:?}\nislands"))
}

/// The entries of a journal.
fn entries(scratch: &Scratch, folder: &str) -> Vec<Value> {
    let text = scratch.read(&format!("{folder}/evolution.jsonl"));
    text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap()["entry"].clone()).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[test]
fn two_objectives_give_the_same_on_threads_and_shards_and_resumed() {
    let scratch = is_the_same_killed_and_resumed(&with("twm"));
    let (file, three) = (scratch.path("small.toml"), scratch.path("three"));
    succeed(&["evolve", &file, "--out", &three, "--threads", "3"]);
    let sorted = |folder: &str| {
        let mut all = entries(&scratch, folder);
        let mut lines: Vec<String> = all
            .iter_mut()
            .map(|entry| {
                entry["seconds"] = Value::Null;
                entry.to_string()
            })
            .collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted("one"), sorted("three"));
    for name in ["lineage.csv", "finals.csv", "figures/objectives.csv", "report.html"] {
        let [one, three] = ["one", "three"].map(|folder| timeless(&scratch.read(&format!("{folder}/{name}"))));
        assert_eq!(one, three, "{name}");
    }
    assert!(succeed(&["verify", &three, "--games", "4"]).contains("4 of "));
    // Lines with other values of the metric alone and the right checksum: one is found, and one of another length is not
    // taken for a measurement.
    let text = scratch.read("three/evolution.jsonl");
    let line = text.lines().nth(1).unwrap();
    let second = numbers(&serde_json::from_str::<Value>(line).unwrap()["entry"]["second"]);
    for (changed, command, expected) in [
        ([&[second[0] + 0.25], &second[1..]].concat(), &["verify", "--games", "60"][..], "1 measurement differs"),
        ([&second[..], &[0.5]].concat(), &["digest"], "missing"),
    ] {
        let mut entry = serde_json::from_str::<Value>(line).unwrap()["entry"].take();
        entry["second"] = changed.into();
        scratch.write("three/evolution.jsonl", &text.replacen(line, &forged(line, &entry), 1));
        let said = say(&[command, &[three.as_str()]].concat());
        assert!(said.code == Some(1) && said.err.contains(expected), "{command:?}: {said:?}");
    }
    shards_are_the_whole(&with("twm"));
}

#[test]
fn without_the_key_the_journal_is_that_of_earlier_versions() {
    let scratch = Scratch::new();
    let untuned = |text: &str| text.replace("finalists", "tune_offspring = 0\nfinalists");
    let (file, folder) = (scratch.write("games.toml", &untuned(GAMES)), scratch.path("games"));
    let evolve = || succeed(&["evolve", &file, "--out", &folder, "--threads", "1"]);
    evolve();
    // As an earlier program began it: the first line of its journal names no course.
    let journal = with_header(&scratch.read("games/evolution.jsonl"), ",\"course\":1", "");
    scratch.write("games/evolution.jsonl", &journal[..=journal.find('\n').unwrap()]);
    let out = evolve();
    // By the program before there was a second objective.
    assert!(out.contains("digest a6206d0993a7dbdd0020daf2876d5b32376db044b88778aaf3d6ebfc02090da8\n"), "{out}");
    assert!(scratch.read("games/evolution.jsonl").contains("\"hash\":\"e739a91e4b207eda\""));
    assert!(!scratch.read("games/evolution.jsonl").contains("\"second\""));
    assert!(
        !scratch.read("games/report.json").contains("\"second\"") && !scratch.exists("games/figures/objectives.csv")
    );
}

#[test]
fn a_second_objective_is_the_mean_of_the_metric_and_changes_no_points() {
    let scratch = Scratch::new();
    for metric in ["twm", "turns_with_meeple"] {
        let file = scratch.write(&format!("{metric}.toml"), &with(metric));
        succeed(&["evolve", &file, "--out", &scratch.path(metric), "--threads", "1"]);
    }
    let file = scratch.write("games.toml", GAMES);
    succeed(&["evolve", &file, "--out", &scratch.path("games"), "--threads", "1"]);
    let first = |folder: &str| -> Vec<Value> {
        let is_first = |entry: &Value| entry["stage"] == 0 && entry["batch"] == 0;
        entries(&scratch, folder).into_iter().filter(is_first).collect()
    };
    let [points, share, turns] = ["games", "twm", "turns_with_meeple"].map(first);
    assert!(points.len() > 8);
    for ((points, share), turns) in points.iter().zip(&share).zip(&turns) {
        assert_eq!((&points["genome"], &points["sums"]), (&share["genome"], &share["sums"]));
        assert_eq!((&points["genome"], &points["sums"]), (&turns["genome"], &turns["sums"]));
        for (share, turns) in numbers(&share["second"]).into_iter().zip(numbers(&turns["second"])) {
            // Equation 5 of the 2020 paper: turns with a meeple over 29 on the first seat, over 28 on the second.
            assert!((7.0..=36.0).contains(&turns), "{turns}");
            assert!(turns / 29.0 <= share && share <= turns / 28.0, "{share} of {turns}");
        }
    }
}

/// Points are the nearness to a formula, the second objective is to be small.
struct TwoPlanted<'a>(&'a EvolutionPlan, Tree);

impl Judge for TwoPlanted<'_> {
    fn measure(&mut self, requests: &[Request]) -> Result<Vec<Measured>, EvolutionError> {
        let measured = |request: &Request| {
            let units = self.0.block_units(request);
            let sums = |value: f64| units.iter().map(|units| value * f64::from(*units)).collect();
            let size = request.genome.size() as f64;
            Measured { sums: sums(-distance(&request.genome, &self.1)), second: sums(-size), ..Measured::default() }
        };
        Ok(requests.iter().map(measured).collect())
    }
}

#[test]
fn finalists_are_the_ends_and_the_least_crowded_of_the_front() {
    evouct::registry::add_games();
    let target: Tree = "Q + 20 / n".parse().unwrap();
    let text =
        with("twm").replace("trees = [\"select\", \"final\"]\nterminals = [\"Q\", \"n\", \"N\", \"dv\", \"dm\"]\n", "");
    let text = text.replace("population = 6", "population = 40").replace("generations = 3", "generations = 15");
    for algorithm in ["generational", "plus"] {
        let text = text.replace("[evolve]", &format!("[evolve]\nalgorithm = {algorithm:?}"));
        let plan = EvolutionPlan::parse(&text, "planted.toml", None).unwrap();
        let history = evolve(&plan, &mut TwoPlanted(&plan, target.clone())).unwrap();
        let least = history.individuals.iter().map(|own| own.fitness.units()).min().unwrap();
        let tried: Vec<_> = history.individuals.iter().filter(|own| own.fitness.units() >= 2 * least).collect();
        let objectives: Vec<[f64; 2]> =
            tried.iter().map(|own| [own.fitness.mean(), history.second[own.id].mean()]).collect();
        let front: Vec<[f64; 2]> = fronts(&objectives)[0].iter().map(|place| objectives[*place]).collect();
        let all: Vec<String> = history.finalists(1_000).iter().map(ToString::to_string).collect();
        assert!((3..=front.len()).contains(&all.len()), "{algorithm}: {all:?}");
        // Each pair of values once.
        let values = |text: &String| objectives[tried.iter().position(|own| own.genome.to_string() == *text).unwrap()];
        let mut values: Vec<[f64; 2]> = all.iter().map(values).collect();
        values.sort_by(|a, b| a[0].total_cmp(&b[0]));
        assert!(values.is_sorted_by(|a, b| a[0] < b[0] && a[1] > b[1]), "{algorithm}: {values:?}");
        assert!(front.iter().all(|point| values.contains(point)), "{algorithm}");
        // The ends stand first: a leaf, and a formula near the planted one.
        let finalists = history.finalists(2);
        assert_eq!(finalists.iter().map(ToString::to_string).collect::<Vec<_>>(), all[..2], "{algorithm}");
        let smallest = finalists.iter().map(evouct::gp::Genome::size).min();
        let nearest = finalists.iter().map(|genome| distance(genome, &target)).fold(f64::INFINITY, f64::min);
        assert!(smallest == Some(1) && nearest < 4.0, "{algorithm}: {smallest:?}, {nearest}");
    }
}

#[test]
fn the_report_has_the_second_objective_of_each_finalist() {
    let scratch = Scratch::new();
    let file = scratch.write("small.toml", &with("twm"));
    let folder = scratch.path("small");
    let out = succeed(&["evolve", &file, "--out", &folder]);
    assert!(out.contains("  twm 0.") || out.contains("  twm 1."), "{out}");
    // The order of parents, of elites and between the rounds of the finals decides what is measured.
    assert!(out.contains("digest 10058c49073d8988ebc76faa575f53dd513938bbeb025c9a329a95e7221a5edd\n"), "{out}");
    let json: Value = serde_json::from_str(&scratch.read("small/report.json")).unwrap();
    let second = &json["second"];
    assert_eq!(second["metric"], "twm");
    let finalists = second["finalists"].as_array().unwrap();
    assert!(!finalists.is_empty() && finalists.len() == json["finalists"].as_array().unwrap().len());
    let finals = scratch.read("small/finals.csv");
    assert!(finals.starts_with(
        "stage,measure,round,place,gain,standard_error,units,went_on,twm,twm_error,twm_gain,twm_gain_error,formula\n"
    ));
    for row in finalists {
        // By the journal: the sums of the last stage over its decks.
        let formula = row["formula"].as_str().unwrap();
        let of = |wanted: &str| {
            let last = entries(&scratch, "small").into_iter().filter(|entry| entry["stage"] == 1);
            let second: Vec<f64> =
                last.filter(|entry| entry["genome"] == wanted).flat_map(|entry| numbers(&entry["second"])).collect();
            assert_eq!(second.len(), 5, "{wanted}");
            second.iter().sum::<f64>() / 5.0
        };
        let reference = of(json["reference"].as_str().unwrap());
        assert!((row["value"]["mean"].as_f64().unwrap() - of(formula)).abs() < 1e-12);
        assert!((second["reference"]["mean"].as_f64().unwrap() - reference).abs() < 1e-12);
        assert!((row["difference"]["mean"].as_f64().unwrap() - (of(formula) - reference)).abs() < 1e-12);
        let (p, holm) = (row["p"].as_f64().unwrap(), row["holm_p"].as_f64().unwrap());
        assert!((0.0..=1.0).contains(&p) && p <= holm && holm <= 1.0);
    }
    let page = scratch.read("small/report.html");
    for said in ["Two objectives</h2>", "figures/objectives.svg", "Two objectives: points and twm.", "Not shown"] {
        assert!(page.contains(said), "{said}");
    }
    // Lineage: the metric of every individual.
    assert!(scratch.read("small/lineage.csv").starts_with(
        "individual,born,island,operator,parents,nodes,gain,standard_error,units,twm,twm_error,formula\n"
    ));
}

#[test]
fn what_two_objectives_cannot_have_is_one_line() {
    let scratch = Scratch::new();
    let positions = "measure = \"replay\"\npositions = 20\n[[stage]]";
    for (from, to, expected) in [
        (
            "\"twm\"",
            "\"twn\"",
            "carcassonne has no metric \"twn\"; did you mean twm? (it has meeples, turns_with_meeple, twm",
        ),
        ("[[stage]]\nmeasure = \"games\"\ndecks = [2, 3]\n", "", "second: a further [[stage]] is missing"),
        ("\"twm\"", "\"speed\"", "carcassonne has no metric \"speed\"; it has meeples, turns_with_meeple, twm"),
        ("decks = [1, 2]\n[[stage]]", &format!("decks = [1, 2]\n[[stage]]\n{positions}"), "positions have no metrics"),
        ("islands", "algorithm = \"steady-state\"\nlag = 2\nislands", "second: no generation is sorted here"),
        ("islands", "cma_samples = 6\nislands", "cma_samples: an evolution with two objectives has none"),
        ("islands", "semantics = 6\nislands", "semantics: an evolution with two objectives has none"),
        ("islands", "hall_of_fame = 1\nislands", "hall_of_fame: an evolution with two objectives has none"),
        ("finalists", "tune_offspring = 2\nfinalists", "tune_offspring: an evolution with two objectives has none"),
        (
            "[[stage]]",
            "[[proposer]]\nname = \"a\"\ncommand = [\"a\"]\n[[stage]]",
            "[[proposer]]: an evolution with two",
        ),
    ] {
        let changed = with("twm").replacen(from, to, 1);
        assert_ne!(changed, with("twm"), "{from}");
        let changed = if expected.starts_with("positions") {
            changed.replace("seed = 5\n[evolve]", "seed = 5\n[evolve]\nbank = \"b\"")
        } else {
            changed
        };
        let error = fail(&["evolve", &scratch.write("wrong.toml", &changed), "--out", &scratch.path("wrong")], 2);
        assert!(error.contains(expected) && error.lines().count() == 1, "{expected}: {error}");
    }
    let einstein = with("twm").replace("seed = 5", "seed = 5\ngame = \"einstein\"");
    let einstein = einstein.replace(", \"dm\"", "").replace("dv", "race");
    let error = fail(&["evolve", &scratch.write("wrong.toml", &einstein), "--out", &scratch.path("wrong")], 2);
    assert!(error.contains("einstein has no metric \"twm\"; it has"), "{error}");
    assert!(!scratch.exists("wrong"));
}
