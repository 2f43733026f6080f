//! Gauntlets with several fixed opponents: which games there are, all ways to play them, and the numbers of the report.

use crate::journal;
use crate::looks::{play_some, session};
use crate::program;
use evouct::config::{Experiment, Overrides};
use evouct::league::End;
use evouct::record::Ended;
use journal::{Journal, toml};
use program::{Scratch, digest, fail, say, status, succeed, unwrapped};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const PLAYERS: &str = "[[player]]\nname = \"random\"\nkind = \"random\"\n[[player]]\nname = \"greedy\"\nkind = \"one-ply\"\n\
    [[player]]\nname = \"mcts {iterations}\"\nkind = \"mcts\"\niterations = [2, 4, 8]\n";
/// Games of the league: two from either seat on each of four decks, between two fixed opponents and three contestants.
const GAMES: usize = 2 * 4 * 2 * 3;

fn league(more: &str) -> String {
    format!("name = \"fixed\"\nseed = 3\ndecks = 4\nschedule = \"gauntlet\"\n{more}{PLAYERS}")
}

#[test]
fn every_way_to_play_ends_with_the_same_games() {
    evouct::registry::add_games();
    let scratch = Scratch::new();
    let file = scratch.write("fixed.toml", &league("fixed = 2\n"));
    let dry = succeed(&["run", &file, "--out", &scratch.path("none"), "--dry-run"]);
    assert!(dry.contains(" core-hours ("), "{dry}");
    assert!(dry.contains("48 games, 0 recorded, 48 to play"), "{dry}");
    let digests = ["1", "3"].map(|threads| {
        succeed(&["run", &file, "--out", &scratch.path(threads), "--threads", threads]);
        digest(&scratch.path(threads))
    });
    assert_eq!(digests[0], digests[1]);
    // Each contestant has met both fixed opponents from both seats, on every deck, and nobody else has met.
    let fixed = ["random", "greedy"];
    let mut met: BTreeMap<[String; 2], u32> = BTreeMap::new();
    for line in scratch.read("1/games.jsonl").lines().skip(1) {
        let game = serde_json::from_str::<Value>(line).unwrap()["game"].take();
        let players = [0, 1].map(|seat| game["run"]["players"][seat].as_str().unwrap().to_owned());
        *met.entry(players).or_default() += 1;
    }
    assert_eq!((met.len(), met.values().copied().collect::<BTreeSet<u32>>()), (12, BTreeSet::from([4])), "{met:?}");
    assert!(met.keys().all(|players| players.iter().filter(|player| fixed.contains(&player.as_str())).count() == 1));
    let experiment = || Experiment::load(Path::new(&file), Overrides::default()).unwrap();
    let folder = scratch.path("cut");
    for games in [9, 20] {
        assert_eq!(play_some(session(experiment(), &folder), games), End::Interrupted);
    }
    let status = status(&folder);
    let numbers = [&status["recorded"], &status["missing"], &status["scheduled"]];
    assert_eq!(numbers, [&json!(29), &json!(GAMES - 29), &json!(GAMES)]);
    for _ in 0..2 {
        succeed(&["run", &file, "--out", &folder]);
        assert_eq!(digest(&folder), digests[0]);
    }
    let folder = scratch.path("shards");
    for part in ["0/2", "1/2"] {
        say(&["run", &file, "--out", &folder, "--shard", part, "--patience", "0"]);
    }
    assert_eq!(digest(&folder), digests[0]);
    succeed(&["verify", &folder, "--games", "2"]);
    let projection = ["slurm", &file, "--simulate", "--calibrate", "0.1", "--cores", "2", "--cpus-per-task", "1"];
    assert!(succeed(&projection).starts_with("48 games of "));
}

#[test]
fn contestants_are_added_and_fixed_opponents_stay() {
    let scratch = Scratch::new();
    let four = |name: &str, text: &str| scratch.write(name, &text.replace("[2, 4, 8]", "[2, 4]"));
    let folder = scratch.path("run");
    succeed(&["run", &four("four.toml", &league("fixed = 2\n")), "--out", &folder]);
    let refused = |text: &str, expected: &str| {
        for more in [&[][..], &["--extend"]] {
            let other = four("other.toml", text);
            let line = fail(&[&["run", &other, "--out", &folder], more].concat(), 2);
            assert!(unwrapped(&line).contains(expected), "{line}");
        }
    };
    refused(&league(""), "fixed was 2 and is 1");
    // The same players, of which a contestant stands in the place of a fixed opponent.
    let (fixed, contestants) = PLAYERS.split_at(PLAYERS.find("[[player]]\nname = \"greedy\"").unwrap());
    let (greedy, contestants) = contestants.split_at(contestants.rfind("[[player]]").unwrap());
    let moved = league("fixed = 2\n").replace(PLAYERS, &format!("{fixed}{contestants}{greedy}"));
    refused(&moved, "players stand in another order, by which they meet and sit");
    let file = scratch.write("fixed.toml", &league("fixed = 2\n"));
    assert!(unwrapped(&fail(&["run", &file, "--out", &folder], 2)).contains("player mcts 8"));
    let dry = succeed(&["run", &file, "--out", &folder, "--extend", "--dry-run"]);
    assert!(dry.contains("48 games, 32 recorded, 16 to play"), "{dry}");
    succeed(&["run", &file, "--out", &folder, "--extend"]);
    succeed(&["run", &file, "--out", &scratch.path("whole")]);
    assert_eq!(digest(&folder), digest(&scratch.path("whole")));
    // One may stand between others, and none among the fixed opponents.
    let five = |name: &str, iterations: &str, start: &str| {
        let text = league("fixed = 2\n").replace("[2, 4, 8]", iterations);
        scratch.write(
            name,
            &text.replace("[[player]]\nname = \"random\"", &format!("{start}[[player]]\nname = \"random\"")),
        )
    };
    let between = five("between.toml", "[2, 3, 4, 8]", "");
    succeed(&["run", &between, "--out", &folder, "--extend"]);
    succeed(&["run", &between, "--out", &scratch.path("five")]);
    assert_eq!(digest(&folder), digest(&scratch.path("five")));
    let before = five("before.toml", "[2, 3, 4, 8]", "[[player]]\nname = \"new\"\nkind = \"simple1\"\n");
    let line = unwrapped(&fail(&["run", &before, "--out", &folder, "--extend"], 2));
    assert!(line.contains("player new (simple1) is new and stands among the fixed opponents"), "{line}");
}

/// Of other orders of the players a folder would hold games of two leagues, unless every two sit in both orders, and a
/// sequential test two hypotheses.
#[test]
fn players_keep_their_order() {
    let scratch = Scratch::new();
    let moved = "players stand in another order, by which they meet and sit";
    let same = "";
    for (number, (more, iterations, expected)) in [
        ("", "[2, 3, 4]", same),
        ("seatings = \"rotations\"", "[2, 3]", same),
        ("game = \"einstein\"", "[2, 3]", same),
        ("rules = { seats = 3 }\nseatings = \"all\"", "[2, 3, 4]", same),
        ("schedule = \"gauntlet\"", "[2, 3, 4, 8]", moved),
        ("schedule = \"neighbours\"", "[2, 3, 4, 8]", moved),
        ("schedule = \"swiss\"\nrounds = 1", "[2, 3, 4, 8]", moved),
        ("seatings = \"once\"", "[2, 3]", moved),
        ("rules = { seats = 4 }", "[2, 3, 4, 8]", moved),
        ("rules = { seats = 3 }\nseatings = \"rotations\"", "[2, 3, 4]", moved),
        ("[sequential]\nelo1 = 50", "[2, 3]", "the test was of mcts 2 and is of mcts 3"),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = scratch.path(&number.to_string());
        let file = |name: &str, iterations: &str| {
            let player =
                format!("[[player]]\nname = \"mcts {{iterations}}\"\nkind = \"mcts\"\niterations = {iterations}\n");
            scratch.write(name, &format!("name = \"order\"\ndecks = 1\n{more}\n{player}"))
        };
        let first = file("first.toml", iterations);
        succeed(&["run", &first, "--out", &folder]);
        let whole = digest(&folder);
        let values: Vec<&str> = iterations.trim_matches(['[', ']']).split(", ").collect();
        let turned: Vec<&str> = values.into_iter().rev().collect();
        let turned = file("turned.toml", &format!("[{}]", turned.join(", ")));
        for more in [&[][..], &["--extend"]] {
            let run = [&["run", &turned, "--out", &folder], more].concat();
            if expected == same {
                succeed(&run);
                continue;
            }
            let line = unwrapped(&fail(&run, 2));
            assert!(line.contains(expected), "{line}");
        }
        assert_eq!(digest(&folder), whole);
    }
}

#[test]
fn one_fixed_opponent_is_what_a_gauntlet_has() {
    let scratch = Scratch::new();
    let [plain, one] = ["plain", "one"].map(|name| {
        let more = if name == "one" { "fixed = 1\n" } else { "" };
        let file = scratch.write("fixed.toml", &league(more));
        let folder = scratch.path(name);
        let text = succeed(&["run", &file, "--out", &folder, "--threads", "1"]);
        assert!(!text.contains("fixed opponents"), "{text}");
        let manifest: Value = serde_json::from_str(&scratch.read(&format!("{name}/manifest.json"))).unwrap();
        assert!(manifest["experiment"].get("fixed_opponents").is_none(), "{manifest}");
        let mut report: Value = serde_json::from_str(&scratch.read(&format!("{name}/report.json"))).unwrap();
        let gauntlet = report["gauntlet"].as_object().unwrap();
        let keys: Vec<&str> = gauntlet.keys().map(String::as_str).collect();
        assert_eq!(keys.len(), 4, "{keys:?}");
        assert!(gauntlet["opponent"] == "random" && gauntlet["cost"].is_object(), "{keys:?}");
        assert_eq!(gauntlet["contestants"][0].as_object().unwrap().len(), 8);
        let row = report["ranking"][0].as_object().unwrap();
        assert!(row["rank"] == 1 && scratch.read(&format!("{name}/ranking.csv")).starts_with("rank,player,points,bwp"));
        assert!(!scratch.read(&format!("{name}/ranking.csv")).contains("holm_p"));
        let page = scratch.read(&format!("{name}/report.html"));
        assert!(page.contains("Wilcoxon p</button>") && !page.contains("Welch"), "a test of unequal games: {page}");
        report["seconds"] = Value::Null;
        (manifest["experiment"].clone(), manifest["hash"].clone(), digest(&folder), report["significance"].clone())
    });
    assert_eq!(plain, one);
}

/// A made-up league of two fixed opponents, A and B, and the contestants of these strengths. `is_played` leaves out games.
fn made_up(
    scratch: &Scratch,
    strength: &[i32],
    decks: u32,
    is_played: impl Fn(u32, [usize; 2]) -> bool,
) -> BTreeMap<(u32, [usize; 2]), f64> {
    let names = ["A", "B", "C", "D", "E", "F"];
    let more = "schedule = \"gauntlet\"\nfixed = 2\n";
    let text = toml(&names[..strength.len()], decks as usize, more);
    let mut journal = Journal::new(scratch.0.path(), &text);
    let mut games = BTreeMap::new();
    for deck in 1..=decks {
        for contestant in 2..strength.len() {
            for seats in [[0, contestant], [contestant, 0], [1, contestant], [contestant, 1]] {
                if !is_played(deck, seats) {
                    continue;
                }
                let noise = |player: usize, seat: usize| (deck as usize * 7 + player * player * 5 + seat * 3) % 11;
                let scores = [0, 1].map(|seat| 50 + strength[seats[seat]] + noise(seats[seat], seat) as i32);
                let mut game = journal.game(deck, seats, scores);
                // One game failed: its deck counts for no mean.
                if (deck, seats) == (3, [1, 2]) {
                    game.ended = Ended::Panicked;
                    journal.write(&game);
                    continue;
                }
                journal.write(&game);
                games.insert((deck, seats), f64::from(scores[0] - scores[1]));
            }
        }
    }
    games
}

/// A contestant's mean difference by deck, where its four games are there: own arithmetic on the records.
fn means(games: &BTreeMap<(u32, [usize; 2]), f64>, contestant: usize) -> BTreeMap<u32, f64> {
    let deck_of = |deck: u32| {
        let game = |seats: [usize; 2]| games.get(&(deck, seats)).copied();
        let home = [0, 1].map(|other| game([contestant, other]));
        let away = [0, 1].map(|other| game([other, contestant]).map(|difference| -difference));
        let all: Option<Vec<f64>> = home.into_iter().chain(away).collect();
        Some((deck, all?.iter().sum::<f64>() / 4.0))
    };
    (1..=99).filter_map(deck_of).collect()
}

/// Mean, standard error and t of values.
fn t_of(values: &[f64]) -> [f64; 3] {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let error = (variance / n).sqrt();
    [mean, error, mean / error]
}

/// Holm's correction, step by step.
fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest = 0.0_f64;
    for (step, place) in order.into_iter().enumerate() {
        largest = largest.max((p_values[place] * (p_values.len() - step) as f64).min(1.0));
        adjusted[place] = largest;
    }
    adjusted
}

fn close(found: &Value, expected: f64, what: &str) {
    let number = found.as_f64().unwrap_or_else(|| panic!("{what}: {found}"));
    assert!((number - expected).abs() <= 1e-9 * expected.abs().max(1e-3), "{what}: {number}, expected {expected}");
}

/// The two-sided p-value of Student's t: the share of cos^(df − 1) beyond atan(|t| / √df), by Simpson's rule.
fn student(t: f64, df: i32) -> f64 {
    let end = std::f64::consts::FRAC_PI_2;
    let area = |from: f64| {
        let steps = 20_000;
        let width = (end - from) / f64::from(steps);
        let weight = |step: i32| if step == 0 || step == steps { 1.0 } else { f64::from(2 + 2 * (step % 2)) };
        (0..=steps).map(|step| weight(step) * (from + f64::from(step) * width).cos().powi(df - 1)).sum::<f64>() * width
    };
    area((t.abs() / f64::from(df).sqrt()).atan()) / area(0.0)
}

#[test]
fn the_numbers_are_those_of_independent_arithmetic() {
    let scratch = Scratch::new();
    // D has no game against B on deck 5, and E no game at all.
    let is_played = |deck: u32, seats: [usize; 2]| {
        let [low, high] = [seats[0].min(seats[1]), seats[0].max(seats[1])];
        high != 4 && !(deck == 5 && low == 1 && high == 3)
    };
    let games = made_up(&scratch, &[20, 30, 24, 60, 0, 26], 12, is_played);
    assert_eq!(say(&["report", &scratch.path("")]).code, Some(1), "results are interim");
    let report: Value = serde_json::from_str(&scratch.read("report.json")).unwrap();
    let gauntlet = &report["gauntlet"];
    assert!(gauntlet.get("opponent").is_none() && gauntlet.get("cost").is_none(), "{gauntlet}");
    let opponents = gauntlet["opponents"].as_array().unwrap();
    let names: Vec<&str> = opponents.iter().map(|row| row["opponent"].as_str().unwrap()).collect();
    assert!(names == ["A", "B"] && opponents.iter().all(|row| row["cost"].is_object()));

    let rows = gauntlet["contestants"].as_array().unwrap();
    let order: Vec<&str> = rows.iter().map(|row| row["player"].as_str().unwrap()).collect();
    assert_eq!(order, ["D", "F", "C"], "E has not played");
    assert_eq!(gauntlet["left_out"], json!(["E"]));
    let ranks: Vec<&Value> = report["ranking"].as_array().unwrap().iter().map(|row| &row["rank"]).collect();
    assert_eq!(ranks, [&json!(1), &json!(2), &json!(3), &Value::Null, &Value::Null, &Value::Null]);
    let sentences = report["headline"]["sentences"].to_string();
    assert!(
        sentences.contains("E has completed no deck against all fixed opponents, and is not compared."),
        "{sentences}"
    );
    let number_of = |name: &str| ["A", "B", "C", "D", "E", "F"].iter().position(|known| *known == name).unwrap();
    let by_contestant: Vec<BTreeMap<u32, f64>> = order.iter().map(|name| means(&games, number_of(name))).collect();
    let tests: Vec<[f64; 3]> =
        by_contestant.iter().map(|decks| t_of(&decks.values().copied().collect::<Vec<_>>())).collect();
    let p_values: Vec<f64> =
        tests.iter().zip(&by_contestant).map(|([.., t], decks)| student(*t, decks.len() as i32 - 1)).collect();
    let corrected = holm(&p_values);
    for (place, row) in rows.iter().enumerate() {
        let ([mean, error, t], units) = (tests[place], by_contestant[place].len());
        // The failed game of C and the missing one of D.
        assert_eq!((row["units"].as_u64(), units), (Some(units as u64), [11, 12, 11][place]), "{row}");
        close(&row["difference"]["mean"], mean, "difference");
        let test = &row["paired"]["value"];
        close(&test["difference"], mean, "difference of the test");
        close(&test["standard_error"], error, "standard error");
        close(&test["t"], t, "t");
        close(&test["p"], p_values[place], "p");
        close(&row["holm"], corrected[place], "Holm p");
        let interval = &row["difference"]["interval"];
        let [low, high] = ["low", "high"].map(|end| interval[end].as_f64().unwrap());
        // At the ends of the interval the test has p = 0.05.
        for end in [low, high] {
            assert!((student((end - mean) / error, units as i32 - 1) - 0.05).abs() < 1e-9, "{interval}");
        }
        let own: Vec<f64> = games
            .iter()
            .filter_map(|((_, seats), difference)| {
                let seat = seats.iter().position(|player| *player == number_of(order[place]))?;
                Some(if seat == 0 { *difference } else { -difference })
            })
            .collect();
        let won = own.iter().filter(|difference| **difference > 0.0).count();
        assert_eq!((row["games"].as_u64(), row["won"].as_u64()), (Some(own.len() as u64), Some(won as u64)));
    }

    // Contestants deck by deck, on the decks that both have completed.
    let pairs = gauntlet["comparisons"].as_array().unwrap();
    let mut found = Vec::new();
    for row in pairs {
        let [a, b] = ["a", "b"].map(|key| order.iter().position(|name| row[key] == *name).unwrap());
        let [first, second] = [a, b].map(|place| &by_contestant[place]);
        let apart: Vec<f64> = first.iter().filter_map(|(deck, own)| Some(own - second.get(deck)?)).collect();
        let [mean, _, t] = t_of(&apart);
        assert_eq!(row["units"].as_u64(), Some(apart.len() as u64));
        close(&row["paired"]["value"]["difference"], mean, "difference of contestants");
        let p = student(t, apart.len() as i32 - 1);
        close(&row["paired"]["value"]["p"], p, "p of contestants");
        found.push(p);
    }
    assert_eq!(found.len(), 3);
    pairs.iter().zip(holm(&found)).for_each(|(row, p)| close(&row["holm"], p, "Holm p of contestants"));

    // Each contestant against each fixed opponent has a correction of its own.
    let mut p_values = Vec::new();
    let tested: Vec<&Value> =
        report["significance"].as_array().unwrap().iter().filter(|row| row["holm"].is_number()).collect();
    for row in &tested {
        let [a, b] = ["a", "b"].map(|key| number_of(row[key].as_str().unwrap()));
        assert!(a < 2 && b > 1, "{row}");
        let of_deck = |deck: u32| Some((games.get(&(deck, [a, b]))? - games.get(&(deck, [b, a]))?) / 2.0);
        let units: Vec<f64> = (1..=12).filter_map(of_deck).collect();
        let [mean, _, t] = t_of(&units);
        close(&row["paired"]["value"]["difference"], mean, "difference of a pair");
        p_values.push(student(t, units.len() as i32 - 1));
    }
    assert_eq!(tested.len(), 6);
    tested.iter().zip(holm(&p_values)).for_each(|(row, p)| close(&row["holm"], p, "Holm p of pairs"));

    // The fixed opponents stand last, and the ranking has the contestants' numbers.
    let ranking = report["ranking"].as_array().unwrap();
    let last: Vec<(&Value, &str)> =
        ranking[3..].iter().map(|row| (&row["rank"], row["player"].as_str().unwrap())).collect();
    assert_eq!((last[0].1, &last[1].0, &last[2].0), ("E", &&Value::Null, &&Value::Null));
    let csv = scratch.read("ranking.csv");
    assert!(csv.lines().next().unwrap().ends_with(",difference_high,units,p,holm_p"), "{csv}");
    let first: Vec<&str> = csv.lines().nth(1).unwrap().rsplit(',').take(3).collect();
    assert!((first[0].parse::<f64>().unwrap() - corrected[0]).abs() < 1e-9 && first[2] == "11", "{csv}");
    assert!(csv.lines().last().unwrap().starts_with(',') && csv.lines().last().unwrap().ends_with(",,,"), "{csv}");
    close(&ranking[0]["difference"]["mean"], tests[0][0], "difference of the ranking");
    assert_eq!((&report["headline"]["tested"], &report["headline"]["units"]), (&json!(3), &json!([11, 12])));
}

#[test]
fn texts_name_the_fixed_opponents_and_what_is_tested() {
    let scratch = Scratch::new();
    made_up(&scratch, &[20, 30, 24, 60, 0, 26], 12, |deck, seats| (deck, seats) != (3, [1, 2]));
    let said = say(&["report", &scratch.path("")]);
    let text = unwrapped(&said.out);
    let headline = "Of 4 contestants, the fixed opponents are on average significantly stronger than 1 (E) and significantly weaker \
                    than 1 (D); for 2 (F, C) the data are inconclusive.";
    assert!(text.contains(headline), "{text}");
    assert!(text.contains("a true difference from the fixed opponents of "), "{text}");
    let basis = "the mean difference of 2 fixed opponents (A, B) from each of 4 contestants on 11 to 12 decks, corrected over 4, and 6 \
                 pairs of contestants on the 11 to 12 decks that they share, corrected over 6.";
    assert!(text.contains(basis), "{text}");
    let title = "The fixed opponents A (- per decision, deck hidden), B (- per decision, deck hidden) against each contestant (the \
                 best one first: games that they won, their mean score less the contestant's";
    assert!(
        text.contains(title) && text.contains("mean difference of a from the fixed opponents less that of b"),
        "{text}"
    );
    assert!(text.contains("Differences between players (score of a less score of b; Holm over 8 pairs;"), "{text}");
    let page = scratch.read("report.html");
    for said in [
        "Games won and differences are those of the fixed opponents (A, B), which meet every contestant and have no ranks",
        "by the paired t-test on their mean differences to the fixed opponents; Holm's correction there is over 6 pairs.",
        "the fixed opponents stand last, without ranks.",
        "Holm's correction is over the 8 pairs that were tested, apart from that of the contestants' mean differences.",
        "Score of each fixed opponent less that of each contestant, the best contestant first",
    ] {
        assert!(page.contains(said), "{said}");
    }
    let latex = scratch.read("tables.tex");
    assert!(latex.contains("are those of the fixed opponents (A, B), which meet every contestant"), "{latex}");
    // One game is missing.
    assert_eq!(say(&["paper", &scratch.path("")]).code, Some(1));
    let methods = scratch.read("paper/methods.tex");
    assert!(methods.contains("each of 2 fixed opponents (A, B) plays against each of 4 contestants"), "{methods}");
    assert!(methods.contains("over 8 pairs of players, and those of mean differences over 4 contestants"), "{methods}");

    // All weaker, and nothing yet.
    let scratch = Scratch::new();
    made_up(&scratch, &[60, 80, 0, 5], 6, |_, _| true);
    let text = unwrapped(&say(&["report", &scratch.path("")]).out);
    assert!(
        text.contains("The fixed opponents are on average significantly stronger than each of 2 contestants: from +"),
        "{text}"
    );
    let scratch = Scratch::new();
    made_up(&scratch, &[60, 80, 0, 5], 6, |_, seats| !seats.contains(&1));
    let text = unwrapped(&say(&["report", &scratch.path("")]).out);
    assert!(text.contains("No contestant has completed a deck against all fixed opponents."), "{text}");
}

#[test]
fn power_is_for_the_mean_over_the_fixed_opponents() {
    let scratch = Scratch::new();
    let games = made_up(&scratch, &[20, 30, 24, 60, 0, 26], 12, |_, _| true);
    let folder = scratch.path("");
    let plan = program::json(&["power", &folder, "--difference", "2", "--format", "json"]);
    assert_eq!((&plan["tests"], &plan["opponents"], &plan["unknown"]), (&json!(4), &json!(["A", "B"]), &json!([])));
    let mut most = 0;
    for row in plan["pairs"].as_array().unwrap() {
        let contestant = "ABCDEF".find(row["b"].as_str().unwrap()).unwrap();
        let units: Vec<f64> = means(&games, contestant).into_values().collect();
        let [_, error, _] = t_of(&units);
        assert_eq!((&row["a"], row["known"].as_u64()), (&json!("the fixed opponents"), Some(units.len() as u64)));
        let deviation = error * (units.len() as f64).sqrt();
        close(&row["deviation"], deviation, "deviation");
        let needed = evouct::stats::power::units(2.0 / deviation, 0.05 / 4.0, 0.8).unwrap();
        assert_eq!(row["for_difference"].as_u64(), Some(needed));
        most = most.max(needed);
    }
    // Each contestant plays each fixed opponent from both seats.
    assert_eq!((plan["decks"].as_u64(), plan["games"].as_u64()), (Some(most), Some(16 * most)));
    let text = unwrapped(&succeed(&["power", &folder, "--difference", "2"]));
    let found = "find a mean difference of 2 points per game from the fixed opponents (A, B) with probability 80 % for every contestant:";
    assert!(text.contains(found) && text.contains("after Holm's correction over 4 contestants"), "{text}");
}

#[test]
fn a_sweep_of_contestants_is_over_all_fixed_opponents() {
    let scratch = Scratch::new();
    let folder = scratch.path("run");
    let text = unwrapped(&succeed(&["run", &scratch.write("fixed.toml", &league("fixed = 2\n")), "--out", &folder]));
    assert!(text.contains("mean score of the fixed opponents less that of the player with this value"), "{text}");
    let report: Value = serde_json::from_str(&scratch.read("run/report.json")).unwrap();
    let sweep = &report["sweeps"][0];
    assert_eq!((&sweep["opponent"], &sweep["opponents"]), (&Value::Null, &json!(["random", "greedy"])));
    let points = sweep["points"].as_array().unwrap();
    assert_eq!(points.iter().map(|point| point["value"].as_f64().unwrap()).collect::<Vec<_>>(), [2.0, 4.0, 8.0]);
    for point in points {
        let rows = report["gauntlet"]["contestants"].as_array().unwrap();
        let row = rows.iter().find(|row| row["player"] == point["player"]).unwrap();
        assert_eq!(row["difference"], point["difference"]);
    }
}

#[test]
fn what_makes_no_fixed_opponents_is_refused() {
    let scratch = Scratch::new();
    let refused = |toml: &str, expected: &str| {
        let line = fail(&["run", &scratch.write("wrong.toml", toml), "--out", &scratch.path("none")], 2);
        assert!(unwrapped(&line).contains(expected) && line.lines().count() < 4, "{line}");
    };
    refused(&league("fixed = 2\n").replace("gauntlet", "round-robin"), "fixed belongs to schedule = \"gauntlet\"");
    refused(&league("fixed = 0\n"), "fixed = 0");
    refused(&league("fixed = 2\n[rules]\nseats = 3\n"), "fixed opponents are for games of two, found 3 seats");
    refused(&league("fixed = 2\nmirror = false\n"), "on decks that all matches share, found mirror = false");
    refused(
        &league("fixed = 4\n"),
        "fixed = 4: there is one contestant; make it the first player of a gauntlet with fixed = 1",
    );
    refused(&league("fixed = 5\n"), "fixed = 5: of 5 players none is left to meet them");
    refused(
        &league("fixed = 2\n[sequential]\nlooks = 2\n").replace("decks = 4", "decks = 20"),
        "at looks each pair stops by itself, so a contestant shares no decks with all fixed opponents; expected fixed = 1",
    );
    refused(&league("fixed = 2\n[sequential]\nelo1 = 20\n"), "a test with elo1 is for two players");
    assert!(!scratch.exists("none"));
}
