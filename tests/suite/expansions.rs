//! Commands on games with expansions: leagues, records, reports, drawings.

use crate::program;
use program::{Scratch, digest, fails, succeed};

/// All expansions, and every option that they allow away from its default.
const RULES: &str = "expansions = [\"abbots\", \"river\", \"inns-and-cathedrals\"]\nfarmers = false\nriver_bends = \"reserve\"\n\
                     start_tile = \"in-bag\"\nunfinished_inn_cathedral = 1\n";

fn experiment(rules: &str, players: &[&str]) -> String {
    let players: String = players.iter().map(|player| format!("[[player]]\n{player}\n")).collect();
    format!("name = \"expanded\"\nseed = 3\ngames_per_match = 1\nlog = \"full\"\n[rules]\n{rules}{players}")
}

#[test]
fn a_league_with_all_expansions_is_played_checked_and_drawn() {
    let scratch = Scratch::new();
    let players = ["kind = \"mcts\"\niterations = 8", "kind = \"simple3\""];
    let file = scratch.write("expanded.toml", &experiment(RULES, &players));
    let folder = scratch.path("run");
    succeed(&["run", &file, "--out", &folder]);
    let verified = succeed(&["verify", &folder, "--games", "1"]);
    assert!(verified.contains("2 games"), "{verified}");
    let journal = std::fs::read_to_string(scratch.path("run/games.jsonl")).unwrap();
    assert!(journal.contains("V2@") && journal.contains("+ ") && journal.contains(":a "), "{journal}");
    let shown = succeed(&["replay", &folder, "--color", "never"]);
    assert!(shown.contains('≈') && shown.contains("▒†") && shown.contains('∩'), "{shown}");
    succeed(&["report", &folder]);
    let page = std::fs::read_to_string(scratch.path("run/report.html")).unwrap();
    assert!(
        page.contains("evouct-river") && page.contains("evouct-abbot"),
        "the page has no drawing of the expansions"
    );
    // The bound on positions and the complexity are of the base game; counts and charts are not.
    let charts = scratch.path("charts");
    let counted = succeed(&["branching", &folder, "--svg", &charts]);
    assert!(!counted.contains("complexity") && counted.contains("placements on average"), "{counted}");
    let mut files: Vec<_> = std::fs::read_dir(&charts).unwrap().map(|file| file.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, [".evouct-files", "branching.csv", "branching.svg", "frequencies.csv", "frequencies.svg"]);
    let json: serde_json::Value = serde_json::from_str(&succeed(&["branching", &folder, "--json"])).unwrap();
    assert!(json["game_tree_complexity_log10"].is_null() && json["mean_placements"].as_f64() < json["mean"].as_f64());
    succeed(&["features", &folder]);
}

#[test]
fn a_league_of_puct_over_all_move_numbers_is_the_same_on_any_number_of_threads() {
    let scratch = Scratch::new();
    let players = [
        "kind = \"puct\"\niterations = 12\npolicy = \"dv + 3*dm + tm + oe - om + 2*pc + nx\"",
        "kind = \"formula\"\niterations = 12\nformula = \"Q + 9*P/n\"\npolicy = \"pc\"\npolicy_temperature = 0.5",
    ];
    for rules in ["seats = 2\n", RULES] {
        let file = scratch.write("puct.toml", &experiment(rules, &players));
        let digests = ["1", "2"].map(|threads| {
            let folder = scratch.path(&format!("{}-{threads}", rules.len()));
            succeed(&["run", &file, "--out", &folder, "--threads", threads]);
            digest(&folder)
        });
        assert_eq!(digests[0], digests[1]);
    }
}

#[test]
fn an_older_key_names_expansions_too() {
    let scratch = Scratch::new();
    let digest_under = |rules: &str, folder: &str| {
        let file = scratch.write("river.toml", &experiment(rules, &["kind = \"random\"", "kind = \"simple1\""]));
        let folder = scratch.path(folder);
        succeed(&["run", &file, "--out", &folder]);
        digest(&folder)
    };
    let older = digest_under("tile_sets = [\"base\", \"river\"]\n", "older");
    assert_eq!(digest_under("expansions = [\"river\"]\n", "newer"), older);
    assert_ne!(digest_under("", "base"), older);
}

#[test]
fn six_seats_play_with_inns_and_cathedrals_only() {
    let seats = ["-1", "random", "-2", "random", "-3", "random", "-4", "random", "-5", "random", "-6", "random"];
    let with = [&["play"], &seats[..], &["--rule", "expansions=inns-and-cathedrals"]].concat();
    let out = succeed(&with);
    assert!(out.contains("meeples left") && out.contains("player 6 (random):"), "{out}");
    fails(&[&["play"], &seats[..]].concat(), 2, "expected 2 to 5 seats, found 6");
}

#[test]
fn a_game_in_notation_is_drawn() {
    let scratch = Scratch::new();
    let game =
        "[base+river+abbots seats=2 two-tile-city=4 unplaceable=discard] V10g@1,0r1:a V7@1,-1r1 -V10 V3@1,-2r1:-a";
    let file = scratch.write("game.txt", game);
    fails(&["replay", &file], 2, "step 6: expected a decision of a seat");
    let file = scratch.write("game.txt", &game.replace(" -V10", ""));
    let out = succeed(&["replay", &file, "--color", "never"]);
    assert!(out.contains("V3@1,-2r1:-a") && out.contains("✿") && out.contains("≈"), "{out}");
}
