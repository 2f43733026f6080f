//! Leagues in Swiss rounds: all ways to play them end with the same games, and reports claim only what was played.

use crate::looks::{play_some, session};
use crate::program;
use evouct::config::{Experiment, Overrides};
use evouct::league::{End, Progress};
use evouct::record::Run;
use evouct::stats::swiss::Swiss;
use evouct::store::RecordError;
use program::{Scratch, digest, fail, game_line, say, status, succeed, unwrapped};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const PLAYERS: &str =
    "[[player]]\nkind = \"mcts\"\niterations = [2, 8, 4, 16, 6]\n[[player]]\nname = \"random\"\nkind = \"random\"\n";

pub(crate) fn league(more: &str) -> String {
    format!("name = \"rounds\"\nseed = 3\ndecks = 4\nschedule = \"swiss\"\n{more}{PLAYERS}")
}

/// The pairs that a run has games of, with their number.
fn pairs(folder: &str) -> BTreeMap<BTreeSet<String>, usize> {
    let mut pairs = BTreeMap::new();
    let visit = |game: evouct::record::GameRecord| -> Result<(), RecordError> {
        *pairs.entry(game.seats.into_iter().collect()).or_default() += 1;
        Ok(())
    };
    Run::open(Path::new(folder)).unwrap().games(visit).unwrap();
    pairs
}

#[test]
fn every_way_to_play_pairs_the_same_players() {
    evouct::registry::add_games();
    let scratch = Scratch::new();
    let file = scratch.write("rounds.toml", &league("rounds = 3\n"));
    let dry = succeed(&["run", &file, "--out", &scratch.path("none"), "--dry-run"]);
    assert!(dry.contains("72 games, 0 recorded, 72 to play"), "{dry}");
    let digests = ["1", "3"].map(|threads| {
        succeed(&["run", &file, "--out", &scratch.path(threads), "--threads", threads]);
        digest(&scratch.path(threads))
    });
    assert_eq!(digests[0], digests[1]);
    // Three rounds of three pairs, with four decks from both seats; each player meets three others.
    let met = pairs(&scratch.path("1"));
    assert!(met.len() == 9 && met.values().all(|games| *games == 8), "{met:?}");
    for player in met.keys().flatten() {
        assert_eq!(met.keys().filter(|pair| pair.contains(player)).count(), 3);
    }
    let experiment = || Experiment::load(Path::new(&file), Overrides::default()).unwrap();
    let folder = scratch.path("cut");
    for games in [10, 20, 30] {
        assert_eq!(play_some(session(experiment(), &folder), games), End::Interrupted);
        assert_eq!(say(&["digest", &folder]).code, Some(1), "it is not whole");
    }
    let cut = status(&folder);
    let numbers = [&cut["recorded"], &cut["missing"], &cut["scheduled"]];
    assert_eq!(numbers, [&json!(60), &json!(12), &json!(72)]);
    for _ in 0..2 {
        succeed(&["run", &file, "--out", &folder]);
        assert_eq!(digest(&folder), digests[0]);
    }
    // One after another: each plays its part of a round.
    let folder = scratch.path("shards");
    let shard = |part: &str| say(&["run", &file, "--out", &folder, "--shard", part, "--patience", "0"]);
    let first = shard("0/2");
    assert_eq!(first.code, Some(75), "{first:?}");
    assert!(unwrapped(&first.err).contains("shard 0/2 has played its part of round 1 in "), "{}", first.err);
    let mut turns = 0;
    while [shard("1/2"), shard("0/2")].iter().any(|said| said.code != Some(0)) {
        turns += 1;
        assert!(turns < 6, "{}", shard("0/2").err);
    }
    assert_eq!(digest(&folder), digests[0]);
    assert_eq!(status(&folder)["missing"], 0);
    // A round more is paired by those that were played.
    let folder = scratch.path("extended");
    let two = scratch.write("two.toml", &league("rounds = 2\n"));
    succeed(&["run", &two, "--out", &folder]);
    succeed(&["run", &file, "--out", &folder, "--extend"]);
    assert_eq!(digest(&folder), digests[0]);
    for (more, expected) in [("rounds = 2\n", "rounds was 3 and is 2"), ("rounds = 3\n", "decks was 4 and is 5")] {
        let other = scratch.write(
            "other.toml",
            &league(more).replace("decks = 4", if more == "rounds = 3\n" { "decks = 5" } else { "decks = 4" }),
        );
        let line = fail(&["run", &other, "--out", &folder, "--extend"], 2);
        assert!(unwrapped(&line).contains(expected), "{line}");
    }
}

/// Round by round the pairs that played are those that the results before them make.
#[test]
fn pairs_follow_the_results() {
    let scratch = Scratch::new();
    let file = scratch.write("rounds.toml", &league("rounds = 3\n"));
    let folder = scratch.path("run");
    succeed(&["run", &file, "--out", &folder]);
    evouct::registry::add_games();
    let experiment = Experiment::load(Path::new(&file), Overrides::default()).unwrap();
    let player =
        |short: &String| experiment.players.iter().position(|player| player.identity.short() == *short).unwrap();
    let mut games: BTreeMap<[usize; 2], Vec<([usize; 2], f64)>> = BTreeMap::new();
    let visit = |game: evouct::record::GameRecord| -> Result<(), RecordError> {
        let seats = [0, 1].map(|seat| player(&game.seats[seat]));
        let difference = f64::from(game.scores[0] - game.scores[1]);
        games.entry([seats[0].min(seats[1]), seats[0].max(seats[1])]).or_default().push((seats, difference));
        Ok(())
    };
    Run::open(Path::new(&folder)).unwrap().games(visit).unwrap();
    let mut swiss = Swiss::new(6, 3, 8).unwrap();
    let (mut played, mut reversed) = (Vec::new(), Swiss::new(6, 3, 8).unwrap());
    for round in 1..=3 {
        assert_eq!(swiss.round(), round);
        for pair in swiss.pairs().to_vec() {
            let own = games.get(&pair).unwrap_or_else(|| panic!("{pair:?} of round {round} have no game"));
            assert_eq!(own.len(), 8);
            own.iter().for_each(|(seats, difference)| swiss.add(*seats, Some(*difference)));
            played.push(pair);
        }
        if round == 1 {
            for (seats, difference) in played.iter().flat_map(|pair| &games[pair]) {
                reversed.add(*seats, Some(-difference));
            }
            reversed.advance();
        }
        swiss.advance();
        // Other results would make other pairs.
        assert!(round != 1 || reversed.pairs() != swiss.pairs(), "{:?}", swiss.pairs());
    }
    assert_eq!((swiss.missing(), played.len(), games.len()), (0, 9, 9));
}

#[test]
fn reports_have_buchholz_and_claim_no_pair_that_did_not_meet() {
    let scratch = Scratch::new();
    let file = scratch.write("rounds.toml", &league("rounds = 3\n"));
    let folder = scratch.path("run");
    let text = unwrapped(&succeed(&["run", &file, "--out", &folder]));
    assert!(text.contains("and bonus; Buchholz: points of all opponents"), "{text}");
    let report: Value = serde_json::from_str(&scratch.read("run/report.json")).unwrap();
    assert_eq!(
        (&report["schedule"], &report["rounds"], &report["scheduled"]),
        (&json!("swiss"), &json!(3), &json!(72))
    );
    let rows = report["ranking"].as_array().unwrap();
    let number = |row: &Value, key: &str| row[key].as_u64().unwrap();
    let keys: Vec<(u64, u64)> = rows.iter().map(|row| (number(row, "points"), number(row, "buchholz"))).collect();
    assert!(keys.len() == 6 && keys.windows(2).all(|pair| pair[0] >= pair[1]), "{keys:?}");
    let points: BTreeMap<&str, u64> =
        rows.iter().map(|row| (row["player"].as_str().unwrap(), number(row, "points"))).collect();
    let mut tested = 0;
    let mut of_opponents: BTreeMap<&str, u64> = BTreeMap::new();
    for row in report["significance"].as_array().unwrap() {
        let [a, b] = ["a", "b"].map(|key| row[key].as_str().unwrap());
        if row["units"] == 0 {
            assert!(row["holm"].is_null() && row["paired"]["value"].is_null(), "{row}");
            continue;
        }
        assert_eq!(row["units"], 4);
        tested += 1;
        *of_opponents.entry(a).or_default() += points[b];
        *of_opponents.entry(b).or_default() += points[a];
    }
    assert_eq!(tested, 9);
    for row in rows {
        assert_eq!(number(row, "buchholz"), of_opponents[row["player"].as_str().unwrap()], "{row}");
    }
    assert!(text.contains("Holm over 9 pairs") && text.contains("paired t-tests of 9 pairs on 4 decks"), "{text}");
    let csv = scratch.read("run/ranking.csv");
    let first = csv.lines().nth(1).unwrap().rsplit(',').next().unwrap();
    assert!(csv.lines().next().unwrap().ends_with(",buchholz") && first == keys[0].1.to_string(), "{csv}");
    let latex = succeed(&["report", &folder, "--format", "latex"]);
    assert!(latex.contains("Points & Buchholz & bwp"), "{latex}");
    // Welch's test would compare games against different opponents.
    let reason = "the players met different opponents, chosen by results";
    assert!(report["significance"].as_array().unwrap().iter().all(|row| row["welch"]["unavailable"] == reason));
    let significance = scratch.read("run/significance.csv");
    let welch = |row: &str| row.split(',').skip(2).take(4).all(str::is_empty);
    assert!(significance.contains(",welch_p,") && significance.lines().skip(1).all(welch), "{significance}");
    let all = unwrapped(&succeed(&["report", &folder, "--all"]));
    assert!(!all.contains("Welch") && all.contains("Holm p won paired t p"), "{all}");
    let chosen = "for the opponents met, whom results chose";
    assert!(text.contains(&format!("± is 95 % {chosen};")) && all.contains(&format!("± is 95 % {chosen};")));
    assert!(
        latex.contains("t-interval over decks, for the opponents that a player met: results chose them"),
        "{latex}"
    );
    let page = scratch.read("run/report.html");
    assert!(!page.contains("Welch p") && page.contains("Welch's test is left out"));
    assert!(page.contains("results chose them, so means of two players do not compare them"));
    assert!(
        page.contains("Tests are of the pairs that met.")
            && page.contains("points of all opponents that the player met")
    );
    succeed(&["paper", &folder]);
    assert!(
        scratch.read("run/paper/methods.tex").contains("The league has 3 rounds of a Swiss schedule for 6 players")
    );
    succeed(&["verify", &folder, "--games", "2"]);
    assert!(fail(&["power", &folder], 2).contains("a Swiss schedule chooses them by results"));
    let projection = ["slurm", &file, "--simulate", "--calibrate", "0.1", "--cores", "2", "--cpus-per-task", "1"];
    assert!(succeed(&projection).starts_with("72 games of "));
}

#[test]
fn what_makes_no_rounds_is_refused() {
    let scratch = Scratch::new();
    let refused = |toml: &str, expected: &str| {
        let line = fail(&["run", &scratch.write("wrong.toml", toml), "--out", &scratch.path("none")], 2);
        assert!(unwrapped(&line).contains(expected), "{line}");
    };
    refused(&league(""), "a Swiss schedule needs rounds");
    refused(&league("rounds = 4\n"), "rounds = 4: for no two of 6 players to meet twice, expected at most 3");
    refused(&league("rounds = 0\n"), "rounds = 0");
    refused(&league("rounds = 2\nmirror = false\n"), "for games of two with mirrored decks, found mirror = false");
    refused(&league("rounds = 2\n[rules]\nseats = 3\n"), "for games of two with mirrored decks, found 3 seats");
    let odd = league("rounds = 2\n").replace("[2, 8, 4, 16, 6]", "[2, 8]");
    refused(&odd, "expected an even number, found 3");
    refused(&league("rounds = 2\n").replace("swiss", "gauntlet"), "rounds belong to schedule = \"swiss\"");
    refused(&league("rounds = 2\n[sequential]\nlooks = 2\n"), "[sequential] is for pairs that are known");
    refused(&league("rounds = 2\n[paper]\ntable = \"I\"\n"), "a league whose pairs are known, the schedule is Swiss");
    // The number of players is not judged where some of them may be missing.
    let alone = |toml: &str, fault: &str| {
        let line = fail(&["run", &scratch.write("wrong.toml", toml), "--out", &scratch.path("none")], 2);
        assert!(line.contains(fault) && line.trim_end().lines().count() == 1, "{line}");
    };
    let faulty = |toml: String| toml.replace("kind = \"random\"", "kind = \"randon\"");
    alone(&faulty(league("rounds = 3\n")), "randon");
    alone(&faulty(league("rounds = 3\n").replace("[2, 8, 4, 16, 6]", "[2, 8]")), "randon");
    alone(&faulty(league("fixed = 5\n").replace("swiss", "gauntlet")), "randon");
    let two = league("[sequential]\nelo1 = 50\n").replace("swiss", "round-robin").replace("[2, 8, 4, 16, 6]", "2");
    alone(&faulty(two), "randon");
    alone(&league("rounds = 3\n").replace("[[player]]\nname", "[[playr]]\nname"), "did you mean player?");
    let file = scratch.write("rounds.toml", &league("rounds = 2\n"));
    let line = fail(&["run", &file, "--out", &scratch.path("none"), "--retry-failed"], 2);
    assert!(unwrapped(&line).contains("by which a Swiss schedule has paired its players"), "{line}");
    assert!(!scratch.exists("none"));
}

/// Games of the first round are lost, as those of players by time, and have other results when they are played again. The
/// games of later rounds that were played by the old results are left out, and a line says so.
#[test]
fn games_of_pairs_that_no_round_has_are_left_out() {
    let scratch = Scratch::new();
    let file = scratch.write("rounds.toml", &league("rounds = 3\n"));
    let folder = scratch.path("run");
    succeed(&["run", &file, "--out", &folder]);
    evouct::registry::add_games();
    let experiment = Experiment::load(Path::new(&file), Overrides::default()).unwrap();
    let place = |short: &Value| experiment.players.iter().position(|player| short == &json!(player.identity.short()));
    let reversed = |line: &str| {
        let read: Value = serde_json::from_str(line).unwrap();
        let mut game = read["game"].clone();
        // In the first round neighbours meet.
        if game.is_null() || place(&game["seats"][0]).unwrap() / 2 != place(&game["seats"][1]).unwrap() / 2 {
            return line.to_owned() + "\n";
        }
        game["scores"].as_array_mut().unwrap().reverse();
        game_line(read["of"].as_str().unwrap(), &game) + "\n"
    };
    let journal: String = scratch.read("run/games.jsonl").lines().map(reversed).collect();
    scratch.write("run/games.jsonl", &journal);
    let said = say(&["run", &file, "--out", &folder]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let status = status(&folder);
    let numbers = [&status["recorded"], &status["missing"], &status["scheduled"]];
    assert_eq!(numbers, [&json!(72), &json!(0), &json!(72)]);
    let problem = status["problems"][0].as_str().unwrap();
    assert!(problem.contains(" games of pairs that no round has are passed over"), "{status}");
    assert!(succeed(&["digest", &folder]).contains("  72 of 72 games"));
    let met = pairs(&folder);
    assert!(met.len() == 9 && met.values().all(|games| *games == 8), "{met:?}");
    for player in met.keys().flatten() {
        assert_eq!(met.keys().filter(|pair| pair.contains(player)).count(), 3);
    }
}

/// The most games that a progress was told of.
struct Most(usize);

impl Progress for Most {
    fn tick(&mut self, games_done: usize) {
        self.0 = self.0.max(games_done);
    }
}

#[test]
fn progress_counts_the_games_of_all_rounds() {
    evouct::registry::add_games();
    let scratch = Scratch::new();
    let experiment = Experiment::parse(&league("rounds = 2\n"), "rounds.toml", Overrides::default()).unwrap();
    let mut most = Most(0);
    let stop = Arc::new(AtomicBool::new(false));
    session(experiment, &scratch.path("run")).play(1, &stop, &mut most, |_| {}).unwrap();
    assert_eq!(most.0, 2 * 3 * 8);
}
