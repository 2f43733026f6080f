//! A tuning in several games: one value, the same result however it is played, and results by game.

use crate::program;
use program::{Scratch, digest, evouct, fail, say, succeed};

/// An experiment in a game.
fn file(scratch: &Scratch, name: &str, game: &str) -> String {
    let players = "[[player]]\nname = \"Own\"\nkind = \"mcts\"\niterations = 6\n[[player]]\nkind = \"random\"\n";
    scratch.write(&format!("{name}.toml"), &format!("name = \"{name}\"\nseed = 4\n{game}\n{players}"))
}

/// Hex and Connect Four, and Pig as a game that rounds do not see.
pub(crate) fn files(scratch: &Scratch) -> [String; 3] {
    let openings = "openings = { plies = 2 }";
    [
        file(scratch, "hex3", &format!("game = \"hex\"\nrules = {{ size = 3 }}\n{openings}")),
        file(scratch, "four", &format!("game = \"connect-four\"\nrules = {{ rows = 4, columns = 4 }}\n{openings}")),
        file(scratch, "dice", "game = \"pig\"\nrules = { goal = 20 }"),
    ]
}

#[test]
fn a_tuning_in_several_games_is_the_same_however_it_is_played() {
    let scratch = Scratch::new();
    let [hex, four, dice] = files(&scratch);
    let [one, two, parts] = ["one", "two", "parts"].map(|folder| scratch.path(folder));
    let words = |out: &str, more: &[&str]| -> Vec<String> {
        let own = ["tune", &hex, &four, "--held-out", &dice, "--over", "final=mean,visits", "--games", "450", "--out"];
        [&own[..], &[&scratch.path(out)], more].concat().iter().map(ToString::to_string).collect()
    };
    let run = |words: Vec<String>| succeed(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let out = run(words("one", &["--threads", "1"]));
    assert!(out.contains("in hex3, four, dice (held out)\n"), "{out}");
    assert!(
        !out.contains("0 points per game")
            && out.contains("less the default, standard deviations")
            && out.contains("Held-out decks by game"),
        "{out}"
    );
    // A round in two games, and held-out decks in three.
    let folders = ["round-1", "round-1-game-2", "held-out", "held-out-game-2-opponent-1", "held-out-game-3-opponent-1"];
    assert!(folders.iter().all(|folder| scratch.exists(&format!("one/{folder}/games.jsonl"))));
    assert!(!scratch.exists("one/round-1-game-3"));
    let report = scratch.json("one/report.json");
    let by_game: Vec<(&str, bool, &str)> = report["by_game"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let of = |key: &str| row[key].as_str().unwrap();
            (of("game"), row["held_out"].as_bool().unwrap(), of("what"))
        })
        .collect();
    let [head, against] = ["head to head", "against the opponents"];
    let game = |name, held_out| [(name, held_out, head), (name, held_out, against)];
    assert_eq!(by_game, [game("hex3", false), game("four", false), game("dice", true)].concat());
    assert!(scratch.read("one/tuned.toml").contains("# In dice:\n[[player]]\n"));
    // Threads, a lost part of a stage, and shards change nothing.
    run(words("two", &["--threads", "2"]));
    let journal = scratch.read("two/round-1-game-2/games.jsonl");
    scratch.write("two/round-1-game-2/games.jsonl", &journal[..journal.len() / 2]);
    run(words("two", &[]));
    let shards = ["0/2", "1/2"].map(|shard| {
        let words = words("parts", &["--threads", "1", "--shard", shard]);
        evouct(&words.iter().map(String::as_str).collect::<Vec<_>>()).spawn().unwrap()
    });
    shards.into_iter().for_each(|mut shard| assert!(shard.wait().unwrap().success()));
    for other in [&two, &parts] {
        assert_eq!(digest(other), digest(&one));
    }
    for file in ["report.json", "candidates.csv", "tuned.toml"] {
        assert_eq!(scratch.read(&format!("parts/{file}")), scratch.read(&format!("one/{file}")), "{file}");
    }
    assert!(succeed(&["status", &one]).contains("356 of 356 games recorded"));
    succeed(&["verify", &one]);
    // Other games are another tuning.
    let fewer = fail(&["tune", &hex, &four, "--over", "final=mean,visits", "--games", "450", "--out", &one], 2);
    assert!(fewer.contains("the games were hex3, four, dice (held out) and are hex3, four;"), "{fewer}");
}

#[test]
fn games_that_cannot_be_tuned_together_are_one_line() {
    let scratch = Scratch::new();
    let [hex, four, _] = files(&scratch);
    let alone =
        scratch.write("alone.toml", "name = \"alone\"\ngame = \"pig\"\n[[player]]\nkind = \"mcts\"\niterations = 6\n");
    let carcassonne = file(&scratch, "tiles", "rules = { seats = 3 }");
    let third = scratch.read("tiles.toml") + "[[player]]\nkind = \"one-ply\"\n";
    scratch.write("tiles.toml", &third);
    let other = scratch
        .write("other.toml", "name = \"other\"\n[[player]]\nkind = \"one-ply\"\n[[player]]\nkind = \"random\"\n");
    for (second, games, problem) in [
        (&hex, "450", "two files have name = hex3; give each a name"),
        (&alone, "450", "alone has 0 opponents, hex3 has 1 opponent; expected as many"),
        (&carcassonne, "450", "tiles: tuning is for two seats, found 3"),
        (&other, "450", "other: "),
        (
            &four,
            "40",
            "four: --games 40 is too small to decide among 2 players: 10 decks in the first round and 10 held-out decks take at least 296 games",
        ),
    ] {
        let said = say(&[
            "tune",
            &hex,
            second,
            "--over",
            "final=mean,visits",
            "--games",
            games,
            "--out",
            &scratch.path("out"),
        ]);
        assert_eq!((said.code, said.err.trim().lines().count()), (Some(2), 1), "{said:?}");
        assert!(said.err.contains(problem), "{problem}: {}", said.err);
    }
    assert!(!scratch.exists("out"));
}
