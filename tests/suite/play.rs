//! Games between all kinds of player, the commands around recorded positions, and the experiments that come with
//! evouct.

use crate::program;
use evouct::config::{Experiment, Overrides};
use evouct::offline::{EvolutionPlan, Recipe};
use evouct::parameter::Preset;
use evouct::registry;
use evouct::tune::Tuning;
use program::{Scratch, fail, say, succeed};
use std::path::{Path, PathBuf};

/// A player of this kind with a small budget.
fn quick(kind: &str) -> String {
    match kind {
        "random" | "one-ply" | "simple1" | "simple2" | "simple3" | "heuristic" | "roulette1" | "roulette2" => {
            kind.to_owned()
        }
        "external" => format!("external:command='{}' engine random", env!("CARGO_BIN_EXE_evouct")),
        "formula" => "formula:formula=Q + c * sqrt(ln(N) / n),iterations=20".to_owned(),
        "portfolio-mcts" => "portfolio-mcts:formulas=Q + 10 / n | Q + dv / n,iterations=20".to_owned(),
        "expectimax" | "star1" | "star2" | "star2.5" => format!("{kind}:depth=1"),
        evolving if evolving.ends_with("ea-mcts") || evolving == "ea-p-mcts" => {
            format!("{evolving}:iterations=150,generations=1,simulations=2")
        }
        other => format!("{other}:iterations=20"),
    }
}

#[test]
fn every_kind_plays_others_under_both_presets() {
    let kinds: Vec<String> =
        registry::default_game().kinds().iter().filter(|kind| !kind.is_person()).map(|kind| quick(kind.name)).collect();
    for (index, first) in kinds.iter().enumerate() {
        for preset in ["text", "reference"] {
            let second = &kinds[(index + 1 + usize::from(preset == "text")) % kinds.len()];
            let out = succeed(&["play", "-1", first, "-2", second, "--seed", "3", "--preset", preset]);
            assert!(out.contains("player 1") && out.contains("player 2"), "{out}");
            // A tile that fits nowhere is set aside now and then.
            let turns = out.lines().filter(|line| line.contains("  player ")).count();
            assert!((69..=71).contains(&turns), "{first} {second}: {out}");
        }
    }
}

#[test]
fn a_player_with_several_trees_plays_the_same_on_any_number_of_threads() {
    let played = |threads: &str| {
        let players = ["-1", "mcts:iterations=40,trees=3", "-2", "mcts-rave:iterations=30,trees=2"];
        let out = succeed(&[&["play", "--seed", "4", "--threads", threads][..], &players].concat());
        // The last two lines have the seconds.
        let lines: Vec<String> = out.lines().map(str::to_owned).collect();
        lines[..lines.len() - 2].to_vec()
    };
    let one = played("1");
    assert!(one.len() > 69, "{one:?}");
    assert_eq!(one, played("4"));
}

#[test]
fn kinds_that_are_not_for_two_seats_only_play_with_three_to_five() {
    let seats =
        ["mcts", "mcts-rave", "flat-mc", "ea-mcts", "random", "flat-mc-split", "flat-ucb", "formula"].map(quick);
    for (first, count) in [(0, 3), (1, 4), (3, 5), (0, 5)] {
        let mut arguments = vec!["play".to_owned()];
        for (seat, player) in seats[first..].iter().take(count).enumerate() {
            arguments.extend([format!("-{}", seat + 1), player.clone()]);
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let out = succeed(&arguments);
        assert!(out.contains(&format!("player {count} (")), "{out}");
    }
    let stars = ["expectimax:multiplayer=max-n", "star1:multiplayer=max-n", "star2.5:multiplayer=paranoid"];
    let [max_n, pruned, paranoid] = stars.map(|star| format!("{star},depth=1"));
    succeed(&["play", "-1", &max_n, "-2", &pruned, "-3", &paranoid, "-4", "random"]);
    let refused = fail(&["play", "-1", "random", "-2", "random", "-3", "star2.5"], 2);
    assert!(refused.contains("star2.5 is for two seats, found 3; expected multiplayer = paranoid"), "{refused}");
}

/// The files of a folder, without the copies in kept results.
fn experiments(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("results") {
                experiments(&path, found);
            }
        } else if path.extension().is_some_and(|ending| ending == "toml") {
            found.push(path);
        }
    }
}

#[test]
fn every_experiment_of_the_repository_is_valid() {
    evouct::registry::add_games();
    let mut found = Vec::new();
    experiments(&Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments"), &mut found);
    assert!(found.len() >= 20, "{found:?}");
    let mut names = Vec::new();
    for path in found {
        // Files of offline evolution are read by other commands.
        let text = std::fs::read_to_string(&path).unwrap();
        if text.contains("[evolve]") {
            EvolutionPlan::load(&path, None).unwrap_or_else(|error| panic!("{error}"));
            continue;
        }
        if text.contains("[[value]]") {
            Recipe::load(&path).unwrap_or_else(|error| panic!("{error}"));
            continue;
        }
        // Formulas over the game's move numbers have the opponent's view of the default preset: `dv` is one of them.
        let presets = [None, Some(Preset::Text), Some(Preset::Reference)];
        let is_own_only =
            path.iter().any(|folder| folder == "evolve-2026" || folder == "future-work") || text.contains("(dv ");
        let count = if is_own_only { 1 } else { presets.len() };
        // A player that is tuned may stand alone.
        let least = if text.contains("evouct tune ") { Tuning::LEAST_PLAYERS } else { 2 };
        for preset in presets.into_iter().take(count) {
            let experiment = Experiment::load_with(&path, Overrides { preset, ..Overrides::default() }, least)
                .unwrap_or_else(|error| panic!("{error}"));
            if preset.is_none() {
                names.push(experiment.name.clone());
            }
        }
    }
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "two experiments of one name would share a run folder");
}

#[test]
fn players_decide_in_recorded_positions() {
    let states = concat!(env!("CARGO_MANIFEST_DIR"), "/experiments/heyden-2009/states.jsonl");
    let scratch = Scratch::new();
    let two: String =
        std::fs::read_to_string(states).unwrap().lines().take(2).map(|line| format!("{line}\n")).collect();
    let file = scratch.write("two.jsonl", &two);
    let out = succeed(&["positions", &file, "-p", "expectimax", "-p", "star2", "-p", "mcts:iterations=50"]);
    let rows: Vec<&str> = out.lines().skip(2).collect();
    assert_eq!(rows.len(), 3, "{out}");
    assert!(rows[1].split_whitespace().last() == Some("0"), "Star2 finds the same values: {out}");
    let json = succeed(&["positions", &file, "-p", "star1", "--json"]);
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert!(first["nodes"].as_u64().unwrap() > 50 && first["position"] == 1);

    let torn = scratch.write("torn.jsonl", &two[..two.len() / 2 + 40]);
    assert!(fail(&["positions", &torn, "-p", "star1"], 2).contains("torn.jsonl:2: not a recorded position"));
    let empty = scratch.write("empty.jsonl", "\n");
    assert!(fail(&["positions", &empty, "-p", "star1"], 2).contains("the file has no positions"));
    assert!(fail(&["positions", &file, "-p", "star3"], 2).contains("did you mean star"));
}

#[test]
fn branching_factors_of_a_run() {
    let scratch = Scratch::new();
    let text = "name = \"b\"\nseed = 1\ngames_per_match = 3\n[[player]]\nkind = \"random\"\n[[player]]\nname = \"b\"\nkind = \"random\"\n";
    let experiment = scratch.write("b.toml", text);
    let folder = scratch.path("run");
    succeed(&["run", &experiment, "--out", &folder]);
    let json: serde_json::Value = serde_json::from_str(&succeed(&["branching", &folder, "--json"])).unwrap();
    assert_eq!(json["games"], 6);
    let total: u64 = json["frequencies"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    // Each tile but the start tile is placed or fits nowhere.
    let unplaceable = json["unplaceable_tiles"].as_u64().unwrap();
    assert_eq!(total + unplaceable, 6 * 71);
    let with = json["games_with_unplaceable_tiles"].as_u64().unwrap();
    assert!(with <= unplaceable.min(6) && (with > 0) == (unplaceable > 0), "{json}");
    let (moves, placements) = (json["by_ply"].as_array().unwrap(), json["placements_by_ply"].as_array().unwrap());
    // Any placement may be played without a meeple, and the first tile fits beside the start tile only.
    assert!(moves.iter().zip(placements).all(|(all, places)| places.as_f64() <= all.as_f64()), "{json}");
    assert!((1.0..=16.0).contains(&placements[0].as_f64().unwrap()), "{json}");
    let charts = scratch.path("charts");
    let out = succeed(&["branching", &folder, "--svg", &charts]);
    let data = scratch.read("charts/branching.csv");
    assert_eq!(data.lines().count(), 1 + moves.len());
    assert!(data.lines().nth(1).unwrap().starts_with(&format!("1,6,{},", moves[0])), "{data}");
    let decisions: u64 = scratch
        .read("charts/frequencies.csv")
        .lines()
        .skip(1)
        .map(|row| row.rsplit(',').next().unwrap().parse::<u64>().unwrap())
        .sum();
    assert_eq!(decisions, total);
    // Table 3.1 of Heyden has 46 to 72 squares.
    assert_eq!(scratch.read("charts/polyominoes.csv").lines().count(), 1 + 27);
    assert!(scratch.read("charts/branching.svg").contains("<svg"));
    assert!(out.contains(&format!("that fitted nowhere when drawn, in {with} of the games")), "{out}");
    assert!(out.contains("game-tree complexity 10^1"), "{out}");
    assert!(out.contains("state-space complexity at least 10^40.7"), "{out}");
    assert_eq!(say(&["branching", &scratch.path("nowhere")]).code, Some(2));

    // The points of occupied features are all points of the games.
    let features = succeed(&["features", &folder, "--json"]);
    let rows: Vec<serde_json::Value> = features.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 2 * 4);
    let points: u64 = rows.iter().map(|row| row["points"].as_u64().unwrap()).sum();
    let ranking = succeed(&["report", &folder, "--json"]);
    let report: serde_json::Value = serde_json::from_str(&ranking).unwrap();
    let scored: f64 = report["seats"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| 3.0 * row["means"]["score"]["mean"].as_f64().unwrap())
        .sum();
    assert!((points as f64 - scored).abs() < 1e-6, "{points} {scored}");
    for row in &rows {
        let [low, high] = [0, 1].map(|end| row["meeples_per_game_interval"][end].as_f64().unwrap());
        let mean = row["meeples"].as_f64().unwrap() / 6.0;
        assert!(low <= mean && mean <= high && ((low + high) / 2.0 - mean).abs() < 1e-9, "{row}");
    }
    assert!(succeed(&["features", &folder]).contains("monastery"));
    assert_eq!(say(&["features", &scratch.path("nowhere")]).code, Some(2));
}

#[test]
fn positions_of_an_experiment_are_compared_with_printed_numbers() {
    let scratch = Scratch::new();
    let states = std::fs::read_to_string("experiments/heyden-2009/states.jsonl").unwrap();
    scratch.write("three.jsonl", &states.lines().take(3).map(|line| format!("{line}\n")).collect::<String>());
    let file = |tail: &str| {
        let players = "[[player]]\nname = \"one\"\nkind = \"star1\"\ndepth = 1\n[[player]]\nname = \"two\"\nkind = \"star1\"\ndepth = 1\n";
        scratch.write("p.toml", &format!("name = \"p\"\n{tail}\n{players}"))
    };
    let paper = "positions = \"three.jsonl\"\n[paper]\npositions = [{ player = \"one\", nodes = 1e6 }, { player = \"two\", nodes = 1e6 }]";
    let out = succeed(&["positions", &file(paper)]);
    // A million nodes differ from the measured number; the ratio of 1 agrees.
    let rows: Vec<&str> = out.split("printed numbers").nth(1).unwrap().lines().skip(2).collect();
    assert!(rows[0].contains("differs") && rows[1].contains("differs") && rows[1].contains("agrees"), "{out}");
    succeed(&["positions", &file(paper), "--svg", &scratch.path("charts")]);
    let nodes = scratch.read("charts/nodes.csv");
    assert_eq!(nodes.lines().count(), 1 + 2 * 3);
    assert!(nodes.lines().skip(1).all(|row| row.rsplit(',').next().unwrap().parse::<u64>().is_ok()), "{nodes}");
    assert!(nodes.contains("\ntwo,3,") && scratch.read("charts/milliseconds.svg").contains("<svg"), "{nodes}");
    let one = succeed(&["positions", &file("positions = \"three.jsonl\"\nposition = 2")]);
    assert!(one.starts_with("means over 1 position;"), "{one}");
    assert!(fail(&["positions", &file("position = 2")], 2).contains("the key positions is missing"));
    assert!(fail(&["positions", &file("positions = \"three.jsonl\"\nposition = 4")], 2).contains("expected at most 3"));
    assert!(fail(&["positions", &file(paper), "-p", "star1"], 2).contains("players of its own"));
    assert!(fail(&["positions", &scratch.path("three.jsonl")], 2).contains("no player is given"));
}
