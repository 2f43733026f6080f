//! Leagues of one to six seats: schedules, tables and records.

use crate::own_game;
use crate::program;
use evouct::config::{Experiment, Overrides, Seatings};
use evouct::named::Named;
use evouct::registry;
use evouct::schedule::Schedule;
use program::{Scratch, digest, fail, succeed};
use serde_json::Value;
use std::collections::BTreeMap;

fn experiment(game: &str, seats: usize, players: usize, keys: &str) -> Experiment {
    let player = |number: usize| format!("[[player]]\nname = \"p{number}\"\nkind = \"random\"\n");
    let players: String = (0..players).map(player).collect();
    let text =
        format!("name = \"x\"\ngame = \"{game}\"\ngames_per_match = 2\n{keys}\n[rules]\nseats = {seats}\n{players}");
    Experiment::parse(&text, "x.toml", Overrides::default()).unwrap()
}

#[test]
fn every_player_has_every_seat_equally_often() {
    registry::add_game::<own_game::Pig>();
    for seats in 2..=6 {
        for (name, seatings) in Seatings::NAMES.iter().filter(|(_, seatings)| *seatings != Seatings::Once) {
            let experiment = experiment("my-pig", seats, 7, &format!("seatings = \"{name}\""));
            let schedule = Schedule::of(&experiment);
            let matches: Vec<Vec<usize>> = schedule.matches().collect();
            assert_eq!(matches.len() as u64, experiment.schedule.matches(1, 7, seats, *seatings));
            let mut counts: BTreeMap<(usize, usize), usize> = BTreeMap::new();
            for table in &matches {
                table.iter().enumerate().for_each(|(seat, player)| *counts.entry((*player, seat)).or_default() += 1);
            }
            assert_eq!(counts.len(), 7 * seats);
            assert!(counts.values().all(|count| count * 7 == matches.len()), "{name} {seats}: {counts:?}");
            let games: Vec<_> = schedule.clone().games().collect();
            assert_eq!(games.len() as u64, experiment.games());
            for game in &games {
                assert_eq!(schedule.game(&game.id(&experiment), &experiment).as_ref(), Some(game));
            }
        }
    }
}

fn experiment_file(scratch: &Scratch, text: &str) -> String {
    scratch.write("league.toml", text)
}

const FOUR: &str = r#"
name = "four"
seed = 3
games_per_match = 2
[rules]
seats = 4
[[player]]
name = "MCTS"
kind = "mcts"
iterations = 3
[[player]]
name = "Sum"
kind = "mcts"
iterations = 3
reward = "difference-to-all"
[[player]]
name = "Flat"
kind = "flat-mc"
iterations = 3
[[player]]
kind = "random"
"#;

#[test]
fn a_league_of_four_seats_is_played_and_counted() {
    let scratch = Scratch::new();
    let file = experiment_file(&scratch, FOUR);
    let run = scratch.path("run");
    let said = succeed(&["run", &file, "--out", &run, "--threads", "2"]);
    assert!(said.contains("16 of 16 games"), "{said}");
    succeed(&["verify", &run, "--games", "2"]);
    // The points, counted again from the records: 2 per opponent with a lower score, 1 per equal one.
    let journal = scratch.read("run/games.jsonl");
    let mut points: BTreeMap<String, i64> = BTreeMap::new();
    let mut differences = Vec::new();
    for line in journal.lines().skip(1) {
        let game: Value = serde_json::from_str::<Value>(line).unwrap()["game"].clone();
        let name = |seat: usize| game["run"]["players"][seat].as_str().unwrap().to_owned();
        let score = |seat: usize| game["scores"][seat].as_i64().unwrap();
        for seat in 0..4 {
            let own = (0..4).filter(|other| *other != seat).map(|other| 1 + (score(seat) - score(other)).signum());
            *points.entry(name(seat)).or_default() += own.sum::<i64>();
        }
        let seat_of = |player: &str| (0..4).find(|seat| name(*seat) == player).unwrap();
        let deck = game["deck"].as_u64().unwrap();
        differences.push((deck, score(seat_of("MCTS")) - score(seat_of("random"))));
    }
    let report: Value = serde_json::from_str(&scratch.read("run/report.json")).unwrap();
    for row in report["ranking"].as_array().unwrap() {
        assert_eq!(row["points"].as_i64().unwrap(), points[row["player"].as_str().unwrap()]);
    }
    // The pairwise test is on the means of the decks, each over its eight games.
    let by_deck = |deck| {
        let of: Vec<i64> = differences.iter().filter(|(other, _)| *other == deck).map(|(_, value)| *value).collect();
        assert_eq!(of.len(), 8);
        of.iter().sum::<i64>() as f64 / 8.0
    };
    let pair = report["significance"].as_array().unwrap().iter().find(|row| row["a"] == "MCTS" && row["b"] == "random");
    let paired = &pair.unwrap()["paired"]["value"];
    assert_eq!(pair.unwrap()["units"], 2);
    assert!((paired["difference"].as_f64().unwrap() - (by_deck(1) + by_deck(2)) / 2.0).abs() < 1e-9, "{paired}");
    assert!(report["matches"].as_array().unwrap().is_empty());
    assert_eq!(report["seats"].as_array().unwrap().len(), 16);
    // One thread and shards play the same.
    let (one, shards) = (scratch.path("one"), scratch.path("shards"));
    succeed(&["run", &file, "--out", &one, "--threads", "1"]);
    for shard in ["1/2", "0/2"] {
        succeed(&["run", &file, "--out", &shards, "--shard", shard]);
    }
    assert_eq!([digest(&one), digest(&shards)], [digest(&run), digest(&run)]);
}

#[test]
fn too_many_or_too_few_players_are_refused() {
    let scratch = Scratch::new();
    let few = FOUR.replace("[[player]]\nkind = \"random\"\n", "");
    let said = fail(&["run", &experiment_file(&scratch, &few), "--out", &scratch.path("none")], 2);
    assert!(said.ends_with("a league of 4 seats needs at least 4 players, found 3"), "{said}");
    let sweep: Vec<String> = (1..=100).map(|iterations| iterations.to_string()).collect();
    let many = FOUR.replacen("iterations = 3", &format!("iterations = [{}]", sweep.join(", ")), 1);
    let said = fail(&["run", &experiment_file(&scratch, &many), "--out", &scratch.path("none")], 2);
    assert!(said.contains("103 players on 4 seats make 35370200 games per deck, expected at most 1000000"), "{said}");
    let star = FOUR.replace("kind = \"random\"", "kind = \"star1\"");
    let said = fail(&["run", &experiment_file(&scratch, &star), "--out", &scratch.path("none")], 2);
    assert!(said.ends_with("star1 is for two seats, found 4; expected multiplayer = paranoid | max-n"), "{said}");
    let seats = FOUR.replace("seats = 4", "seats = 6");
    let said = fail(&["run", &experiment_file(&scratch, &seats), "--out", &scratch.path("none")], 2);
    assert!(said.contains("seats") && said.contains("2 to 5"), "{said}");
    let said = fail(
        &[
            "tune",
            &experiment_file(&scratch, FOUR),
            "--over",
            "iterations=6,8",
            "--budget",
            "600",
            "--out",
            &scratch.path("none"),
        ],
        2,
    );
    assert!(said.contains("tuning is for two seats, found 4"), "{said}");
}

#[test]
fn six_seats_of_the_example_are_scheduled_and_played() {
    use evouct::config::Log;
    use evouct::league::GameSetup;
    use evouct::search::Stopped;
    registry::add_game::<own_game::Pig>();
    let experiment = experiment("my-pig", 6, 6, "");
    assert_eq!(experiment.games(), 2 * 12);
    let first = Schedule::of(&experiment).nth(0).unwrap();
    let record = GameSetup::of(&experiment, &first).play(&Stopped, Log::None, "").record;
    assert_eq!((record.scores.len(), record.seats.len()), (6, 6));
    assert_eq!(experiment.rules.domain().name(), "my-pig");
}
