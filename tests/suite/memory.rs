//! What small files may cost: memory has limits, plans beyond them are refused with their number, and tables of many
//! players say what they leave out.

use crate::program::{self, Scratch, evouct, fails, succeed};
use std::process::Stdio;

const GAME: &str = "name = \"a\"\nseed = 1\ngame = \"connect-four\"\n";

/// So many players that differ in a number.
fn players(count: usize) -> String {
    let values: Vec<String> = (1..=count).map(|number| format!("{:.2}", number as f64 / 100.0)).collect();
    format!("[[player]]\nkind = \"mcts\"\niterations = 1\nk = [{}]\n", values.join(", "))
}

/// The most memory of a command, in megabytes.
#[cfg(target_os = "linux")]
fn peak(arguments: &[&str]) -> u64 {
    let mut child = evouct(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let found = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(found.unwrap_or_default() / 1_000);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(child.wait().unwrap().success(), "{arguments:?}");
    peak
}

#[cfg(target_os = "linux")]
#[test]
fn plans_of_millions_of_games_take_no_memory() {
    let scratch = Scratch::new();
    let carcassonne = GAME.replace("connect-four", "carcassonne") + "seatings = \"all\"\n";
    let plans = [
        // 49,950,000 games.
        format!("{GAME}decks = 50\n{}", players(1_000)),
        format!("{GAME}decks = 100\nschedule = \"gauntlet\"\nfixed = 500\n{}", players(1_000)),
        format!("{GAME}schedule = \"swiss\"\ndecks = 1\nrounds = 450\n{}", players(1_000)),
        // Sets of five in all orders: 742,560 matches.
        format!("{carcassonne}decks = 1\n{}[rules]\nseats = 5\n", players(17)),
    ];
    for plan in plans {
        assert!(plan.len() < 10_000);
        let file = scratch.write("a.toml", &plan);
        let found = peak(&["run", &file, "--dry-run", "--out", &scratch.path("run")]);
        assert!(found > 0 && found < 300, "{found} MB: {plan:.200}");
    }
}

#[test]
fn what_would_not_fit_is_refused_with_its_number() {
    let scratch = Scratch::new();
    let refused = |command: &[&str], file: &str, said: &str| {
        let file = scratch.write("a.toml", file);
        fails(&[&[command[0], &file], &command[1..]].concat(), 2, said);
    };
    let looks = format!("{GAME}decks = 200000\n[sequential]\nlooks = 2\n{}", players(3));
    refused(&["run", "--dry-run"], &looks, "a test at looks has at most 1000000 games, found 1200000");
    let many = format!("{GAME}decks = 1\n{}", players(300));
    let pilot = ["power", "--difference", "1"];
    refused(&pilot, &many, "two decks, the fewest of a pilot, are 179400 games; expected at most 80000");
    let tune = ["tune", "--over", "k=0.1..3", "--games", "100000"];
    refused(&tune, &many, "a tuning has at most 100 opponents, each a league of its own in every round; found 299");
    let six = format!("{GAME}decks = 10000\n{}", players(1_000));
    refused(&["run"], &six, "an experiment has at most 100000000 games, found 9990000000");
}

#[test]
fn tables_of_more_pairs_than_can_be_listed_have_those_of_the_best() {
    let scratch = Scratch::new();
    let random = |count: usize| -> String {
        (0..count).map(|number| format!("[[player]]\nkind = \"random\"\nname = \"p{number}\"\n")).collect()
    };
    let gauntlet = "schedule = \"gauntlet\"\nfixed = 60\n";
    for (name, schedule, players, said, pairs, left_out) in [
        ("league", "", 110, "Only the best 100 of 110 players are compared with one another", 4_950, 1_045),
        ("gauntlet", gauntlet, 150, "Only pairs of the best 82 of 90 contestants are listed", 82 * 60, 8 * 60),
    ] {
        let file = scratch.write("a.toml", &format!("{GAME}decks = 1\n{schedule}{}", random(players)));
        let text = program::unwrapped(&succeed(&["run", &file, "--out", &scratch.path(name)]));
        assert!(text.contains(said) && text.contains(&format!("; {left_out} pairs are not")), "{text}");
        let rows = |file: &str| scratch.read(&format!("{name}/{file}")).lines().count() - 1;
        assert_eq!((rows("significance.csv"), rows("matches.csv")), (pairs, 2 * pairs));
        let json = scratch.json(&format!("{name}/report.json"));
        assert_eq!(json["pairs_not_listed"], left_out);
        assert_eq!(json["ranking"].as_array().unwrap().len(), players);
        let page = scratch.read(&format!("{name}/report.html"));
        assert!(page.contains("Only pairs of the best players are listed"), "{name}");
    }
}
