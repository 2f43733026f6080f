//! The table in the browser, as its server answers: whom it refuses, what it offers, and what it saves.

use crate::program;
use evouct::carcassonne::{PlayedTurn, Rules, State, TileDeck, write_turn};
use evouct::seed::Key;
use program::table::{Table, plays};
use program::{Scratch, fail, pictured, succeed};
use serde_json::{Value, json};

/// Two people at one table.
const PEOPLE: [&str; 4] = ["--player", "Ada=human", "--player", "Bob=human"];

fn with_people<'a>(folder: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["--save", folder], &PEOPLE[..], more].concat()
}

/// EinStein for a person against a weak player.
fn against_mcts(folder: &str) -> Table {
    Table::open(&["--save", folder, "--game", "einstein", "--player", "Opponent=mcts:iterations=20"])
}

#[test]
fn strangers_are_refused() {
    let scratch = Scratch::new();
    let table = Table::open(&with_people(&scratch.path("games"), &[]));
    let page = table.get("");
    assert_eq!(page.status, 200);
    assert!(page.head.contains("content-security-policy: default-src 'none'; script-src 'self'"), "{}", page.head);
    assert!(page.head.contains("referrer-policy: no-referrer") && page.head.contains("no-store"), "{}", page.head);
    for name in [
        "gui.js",
        "elements.js",
        "curve.js",
        "terms.js",
        "dialogs.js",
        "gui.css",
        "state",
        "choices",
        "definitions",
        "games",
    ] {
        assert_eq!(table.get(name).status, 200, "{name}");
    }
    let secret = table.secret.clone();
    for path in [
        "/",
        "/state",
        "/0123456789abcdef0123456789abcdef/state",
        "//state",
        "/../state",
        &format!("/{}/state", &secret[1..]),
    ] {
        assert_eq!(table.ask("GET", path, "", "").status, 403, "{path}");
    }
    for name in ["nothing", "gui.js/", "../gui.js", "%2e%2e/state", "games/etc"] {
        assert_eq!(table.get(name).status, 404, "{name}");
    }
    let at = |name: &str| format!("/{secret}/{name}");
    let own = format!("Origin: http://{}\r\n", table.address);
    let json = "Content-Type: application/json\r\nContent-Length: 2\r\n";
    assert_eq!(table.ask("GET", &at("act"), "", "").status, 405);
    assert_eq!(table.ask("POST", &at("state"), &format!("{own}Content-Length: 0\r\n"), "").status, 405);
    assert_eq!(table.ask("DELETE", &at(""), "", "").status, 405);
    assert_eq!(table.ask("POST", &at("act"), json, "{}").status, 403, "no Origin");
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", ""] {
        let lines = format!("Origin: {origin}\r\n{json}");
        assert_eq!(table.ask("POST", &at("act"), &lines, "{}").status, 403, "{origin}");
        assert_eq!(table.ask("GET", &at("state"), &format!("Origin: {origin}\r\n"), "").status, 403, "{origin}");
    }
    // The other end of a tunnel, whose page asks from its own origin.
    let tunnel = |origin: &str| {
        let head = format!("GET {} HTTP/1.1\r\nHost: localhost:9000\r\nOrigin: {origin}\r\n\r\n", at("state"));
        table.send(head.as_bytes()).split(' ').nth(1).unwrap_or_default().to_owned()
    };
    assert_eq!(
        (tunnel("http://localhost:9000"), tunnel("http://localhost:9001")),
        ("200".to_owned(), "403".to_owned())
    );
    for host in ["evil.example", "127.0.0.1.evil.example", ""] {
        let request = format!("GET {} HTTP/1.1\r\nHost: {host}\r\n\r\n", at("state"));
        let answer = table.send(request.as_bytes());
        assert!(["403", "400"].contains(&answer.split(' ').nth(1).unwrap_or_default()), "{host}: {answer}");
    }
    let text = format!("{own}Content-Type: text/plain\r\nContent-Length: 2\r\n");
    assert_eq!(table.ask("POST", &at("act"), &text, "{}").status, 415);
    let long = format!("{own}Content-Type: application/json\r\nContent-Length: 70000\r\n");
    assert_eq!(table.ask("POST", &at("act"), &long, &"x".repeat(70_000)).status, 413);
    assert_eq!(table.ask("GET", &at("state"), "Content-Length: 5\r\n", "12345").status, 413);
    assert_eq!(table.state()["turns"], json!([]));
}

#[test]
fn an_open_table_asks_for_no_secret() {
    let scratch = Scratch::new();
    let table = Table::open(&with_people(&scratch.path("games"), &["--open"]));
    assert_eq!(table.secret, "");
    for path in ["/", "/gui.js", "/state"] {
        assert_eq!(table.ask("GET", path, "", "").status, 200, "{path}");
    }
    let json = "Content-Type: application/json\r\nContent-Length: 2\r\n";
    assert_eq!(table.ask("POST", "/act", &format!("Origin: http://evil.example\r\n{json}"), "{}").status, 403);
    assert_eq!(table.ask("POST", "/act", json, "{}").status, 403, "no Origin");
    let own = format!("Origin: http://{}\r\n{json}", table.address);
    assert_eq!(table.ask("POST", "/act", &own, "{}").status, 400);
}

#[test]
fn changes_that_make_no_sense_are_refused_and_change_nothing() {
    let scratch = Scratch::new();
    let table = Table::open(&with_people(&scratch.path("games"), &[]));
    let before = table.state();
    for body in [
        "",
        "{",
        "[]",
        "7",
        "{}",
        r#"{"do":"play"}"#,
        r#"{"version":1,"do":"fly"}"#,
        r#"{"version":-1,"do":"undo"}"#,
        r#"{"version":1,"do":"play","play":"J@99,99r0"}"#,
        r#"{"version":1,"do":"play","play":"\u0000"}"#,
        r#"{"version":1,"do":"undo"}"#,
        r#"{"version":1,"do":"redo"}"#,
        r#"{"version":1,"do":"go","turn":1}"#,
        r#"{"version":1,"do":"go","turn":18446744073709551615}"#,
        r#"{"version":1,"do":"load","folder":"/etc","id":"1-a-b"}"#,
        r#"{"version":1,"do":"load","folder":"../../etc/passwd","id":"\u0007"}"#,
        r#"{"version":1,"do":"analyse","player":"chess","all":false}"#,
        r#"{"version":1,"do":"analyse","player":"human","all":true}"#,
        r#"{"version":1,"do":"analyse","player":"mcts:iterations=-4","all":true}"#,
        r#"{"version":1,"do":"new","game":"go","seed":1,"seats":[]}"#,
        r#"{"version":1,"do":"new","game":"carcassonne","seed":1,"seats":[]}"#,
        r#"{"version":1,"do":"new","game":"function","seed":1,"seats":[{"name":"a","player":"mcts"},{"name":"b","player":"mcts"}]}"#,
        r#"{"version":1,"do":"new","game":"carcassonne","seed":1,"rules":{"farmers":"no"},"seats":[{"name":"a","player":"mcts"},{"name":"b","player":"mcts"}]}"#,
        r#"{"version":1,"do":"new","game":"carcassonne","seed":1,"seats":[{"name":"a","player":"external:command=touch x"},{"name":"b","player":"human"}]}"#,
        r#"{"version":1,"do":"new","game":"carcassonne","seed":1,"seats":[{"name":"a\"\n[rules]","player":"mcts"},{"name":"b","player":"mcts:name=c"}]}"#,
    ] {
        let answer = table.post(body);
        assert_eq!(answer.status, 400, "{body}: {}", answer.body);
        let problem = answer.json()["error"].as_str().unwrap().to_owned();
        assert!(!problem.is_empty() && !problem.contains('\n') && !problem.contains("panicked"), "{body}: {problem}");
    }
    assert_eq!(table.state(), before);
    // Deep nesting and text that is no UTF-8.
    assert_eq!(table.post(&"[".repeat(60_000)).status, 400);
    assert_eq!(table.state(), before);
}

#[test]
fn two_windows_cannot_overwrite_one_another() {
    let scratch = Scratch::new();
    let table = Table::open(&with_people(&scratch.path("games"), &[]));
    let seen = table.state();
    let legal = plays(&seen);
    let change = |play: &str| json!({"version": seen["version"], "do": "play", "play": play}).to_string();
    let first = table.post(&change(&legal[0]));
    assert_eq!(first.status, 200);
    let second = table.post(&change(&legal[1]));
    assert_eq!(second.status, 409);
    assert_eq!(second.json()["state"], first.json());
    assert_eq!(table.state()["turns"][0]["play"], legal[0].as_str());
    // Both windows are told.
    let (mut one, mut two) = (table.window(), table.window());
    let [(_, one_state), (_, two_state)] = [one.next(), two.next()];
    assert_eq!(one_state, two_state);
    let next = table.act(json!({"do": "undo"}));
    for window in [&mut one, &mut two] {
        let (name, told) = window.next();
        assert_eq!((name.as_str(), &told), ("state", &next));
    }
}

/// The points of features with figures, as the page says them.
fn points_of_features(state: &Value) -> Vec<u16> {
    let words = state["position"]["scene"]["features"]["words"].as_array().unwrap();
    let points = |words: &Value| {
        let (before, _) = words.as_str()?.split_once(" if the game ended now")?;
        before.rsplit("; ").next()?.split(' ').next()?.parse().ok()
    };
    let mut points: Vec<u16> = words.iter().filter_map(points).collect();
    points.sort_unstable();
    points
}

/// The same as the rules have them.
fn points_of_awards(engine: &State) -> Vec<u16> {
    let mut points: Vec<u16> = engine.standing_awards().iter().map(|award| award.points).collect();
    points.sort_unstable();
    points
}

/// A state without what a change alone makes different.
fn unversioned(mut state: Value) -> Value {
    state.as_object_mut().unwrap().remove("version");
    state
}

#[test]
fn a_game_of_people_offers_the_legal_moves_and_is_verified() {
    let scratch = Scratch::new();
    let games = scratch.path("games");
    let table = Table::open(&with_people(&games, &["--seed", "5"]));
    let rules = Rules::official(2);
    let mut engine = State::new(rules);
    let mut deck = TileDeck::shuffled(&rules, Key::experiment(5).deck(1));
    let mut state = table.state();
    let mut turns = 0;
    while !engine.is_over() {
        let tile = deck.deal(&mut engine);
        if engine.hand().is_none() {
            continue;
        }
        let words = |action| write_turn(&PlayedTurn { tile: engine.hand().unwrap(), action }, rules.tiles);
        let legal = engine.legal_moves();
        let mut expected: Vec<String> = legal.iter().map(|action| words(*action)).collect();
        let mut offered = plays(&state);
        offered.sort();
        expected.sort();
        assert_eq!(offered, expected, "turn {turns}, {tile:?}");
        assert_eq!(state["toMove"], turns % 2);
        assert_eq!(points_of_features(&state), points_of_awards(&engine));
        let action = legal[(turns * 7 + 3) % legal.len()];
        let play = words(action);
        engine.play(action).unwrap();
        let before = state;
        state = table.act(json!({"do": "play", "play": play}));
        turns += 1;
        if turns % 9 == 0 {
            let back = table.act(json!({"do": "undo"}));
            assert_eq!(back["position"], before["position"]);
            assert_eq!(unversioned(table.act(json!({"do": "redo"}))), unversioned(state.clone()));
        }
    }
    let scores: Vec<i64> = engine.virtual_scores()[..2].iter().map(|score| i64::from(*score)).collect();
    assert_eq!(state["turns"][turns - 1]["scores"], json!(scores));
    assert!(state["over"] == true && state["toMove"].is_null() && plays(&state).is_empty());
    let saved = table.act(json!({"do": "save"}))["saved"].as_str().unwrap().to_owned();
    let said = succeed(&["verify", &saved]);
    assert!(said.starts_with("1 game replayed by the rules, 0 played again"), "{said}");
    // It can be loaded again, and gives the same.
    let listed = table.get("games").json();
    assert_eq!((listed[0]["folder"].as_str().unwrap(), &listed[0]["games"][0]["over"]), (saved.as_str(), &json!(true)));
    table.act(json!({"do": "load", "folder": saved, "id": listed[0]["games"][0]["id"]}));
    let loaded = table.act(json!({"do": "go", "turn": turns}));
    assert_eq!((&loaded["turns"], &loaded["position"]), (&state["turns"], &state["position"]));
}

#[test]
fn a_move_after_undo_drops_what_followed() {
    let scratch = Scratch::new();
    let table = Table::open(&with_people(&scratch.path("games"), &[]));
    for _ in 0..4 {
        let play = plays(&table.state())[0].clone();
        table.act(json!({"do": "play", "play": play}));
    }
    let at_two = table.act(json!({"do": "go", "turn": 2}));
    assert_eq!(at_two["turns"].as_array().unwrap().len(), 4);
    let legal = plays(&at_two);
    // The move that was played there goes on; another one drops the rest.
    let same = table.act(json!({"do": "play", "play": at_two["turns"][2]["play"]}));
    assert_eq!((&same["cursor"], same["turns"].as_array().unwrap().len()), (&json!(3), 4));
    table.act(json!({"do": "undo"}));
    let other = table.act(json!({"do": "play", "play": legal[legal.len() - 1]}));
    assert_eq!((&other["cursor"], other["turns"].as_array().unwrap().len()), (&json!(3), 3));
    // A game that people have left is a record as well.
    let saved = table.act(json!({"do": "save"}))["saved"].as_str().unwrap().to_owned();
    succeed(&["verify", &saved]);
}

#[test]
fn players_play_as_evouct_play_lets_them() {
    let scratch = Scratch::new();
    let games = scratch.path("games");
    let players =
        ["--player", "One=mcts:iterations=6", "--player", "Two=siea-mcts:iterations=120,generations=1,simulations=1"];
    let table = Table::open(&[&["--save", &games, "--seed", "3"], &players[..]].concat());
    // Players wait while no window is open.
    let window = table.window();
    let over = table.wait(|state| state["over"] == true);
    drop(window);
    let said = succeed(&[
        "play",
        "-1",
        "mcts:iterations=6",
        "-2",
        "siea-mcts:iterations=120,generations=1,simulations=1",
        "--seed",
        "3",
    ]);
    let expected: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("  player "))
        .filter_map(|line| line.split_whitespace().nth(3))
        .collect();
    let played: Vec<&str> = over["turns"].as_array().unwrap().iter().filter_map(|turn| turn["play"].as_str()).collect();
    assert_eq!(played, expected);
    assert!(over["turns"].as_array().unwrap().iter().any(|turn| turn["formula"].is_string()));
    let saved = table.act(json!({"do": "save"}))["saved"].as_str().unwrap().to_owned();
    let said = succeed(&["verify", &saved]);
    assert!(said.starts_with("1 game replayed by the rules, 1 played again"), "{said}");
}

#[test]
fn a_person_plays_against_a_player() {
    let scratch = Scratch::new();
    let table = against_mcts(&scratch.path("games"));
    let mut undone = false;
    loop {
        let state = table.wait(|state| state["position"]["mine"] == true || state["over"] == true);
        if state["over"] == true {
            break;
        }
        let legal = plays(&state);
        table.act(json!({"do": "play", "play": legal[legal.len() / 2]}));
        if !undone && state["turns"].as_array().unwrap().len() >= 4 {
            // Also in the middle of the search of the other.
            undone = true;
            let back = table.act(json!({"do": "undo"}));
            assert_eq!(back["position"], state["position"]);
        }
    }
    let saved = table.act(json!({"do": "save"}))["saved"].as_str().unwrap().to_owned();
    succeed(&["verify", &saved]);
}

#[test]
fn the_analysis_grows_and_outlives_a_reload() {
    let scratch = Scratch::new();
    let table = Table::open(&with_people(&scratch.path("games"), &[]));
    let mut window = table.window();
    table.act(json!({"do": "analyse", "player": "mcts:iterations=100000000", "all": false}));
    let visits = |window: &mut program::table::Window, least: f64| loop {
        let (name, data) = window.next();
        let analysis = if name == "analysis" { data } else { data["analysis"].clone() };
        let moves = analysis["here"]["moves"].as_array().cloned().unwrap_or_default();
        let sum: f64 = moves.iter().filter_map(|one| one["visits"].as_f64()).sum();
        if sum > least {
            assert!(analysis["running"] == 0 && analysis["here"]["done"] == false, "{analysis}");
            return sum;
        }
    };
    let first = visits(&mut window, 0.0);
    let second = visits(&mut window, first);
    drop(window);
    let mut window = table.window();
    let third = visits(&mut window, second);
    assert!(first < second && second < third);
    table.act(json!({"do": "stop"}));
    let stopped = table.wait(|state| state["analysis"]["running"].is_null());
    assert!(stopped["analysis"]["here"]["moves"].as_array().unwrap().len() > 1);
    // All turns of a game: what each move lost, and the expected margin by turn.
    for _ in 0..3 {
        let play = plays(&table.state())[0].clone();
        table.act(json!({"do": "play", "play": play}));
    }
    table.act(json!({"do": "analyse", "player": "siea-mcts:iterations=300,generations=2,simulations=2", "all": true}));
    let done = table.wait(|state| {
        let analysis = &state["analysis"];
        analysis["running"].is_null() && analysis["left"] == 0 && analysis["margins"][3].is_number()
    });
    let analysis = &done["analysis"];
    assert_eq!(analysis["margins"].as_array().unwrap().len(), 4);
    assert!(
        analysis["losses"]
            .as_array()
            .unwrap()
            .iter()
            .all(|loss| loss["points"].as_f64().is_some_and(|loss| loss >= 0.0)),
        "{analysis}"
    );
    assert!(analysis["here"]["formula"].is_string() && analysis["here"]["done"] == true, "{analysis}");
}

#[test]
fn games_of_a_run_are_shown() {
    let scratch = Scratch::new();
    let run = scratch.path("run");
    succeed(&["run", &scratch.write("small.toml", &pictured()), "--out", &run]);
    let table = Table::open(&["--run", &run, "--save", &scratch.path("games")]);
    let state = table.state();
    let turns = state["turns"].as_array().unwrap().len();
    assert!(turns > 60 && state["cursor"] == 0 && state["over"] == true);
    let listed = table.get("games").json();
    assert_eq!(listed[0]["games"].as_array().unwrap().len(), 12);
    let last = &listed[0]["games"][11];
    table.act(json!({"do": "load", "folder": run, "id": last["id"]}));
    let end = table.act(json!({"do": "go", "turn": last["turns"]}));
    let shown: Vec<&Value> = end["position"]["facts"].as_array().unwrap().iter().map(|facts| &facts[1]).collect();
    assert_eq!(json!(shown), last["scores"]);
    // A game as it was recorded is saved as it was recorded.
    let saved = table.act(json!({"do": "save"}))["saved"].as_str().unwrap().to_owned();
    assert!(succeed(&["verify", &saved]).contains("1 played again"));
}

#[test]
fn what_cannot_be_played_is_one_line() {
    let scratch = Scratch::new();
    let games = scratch.path("games");
    let begin = |more: &[&str]| fail(&[&["gui", "--port", "0", "--save", &games], more].concat(), 2);
    assert!(begin(&["--game", "carcasonne"]).contains("did you mean carcassonne?"));
    assert!(begin(&["--player", "A=mctss"]).contains("--player A: there is no kind of player called \"mctss\""));
    assert!(begin(&["--player", "mctss"]).contains("--player mctss: there is no kind of player called"));
    assert!(begin(&["--player", "=mcts"]).contains("expected NAME=PLAYER"));
    for seats in ["seats=7", "seats=0", "seats=4000000000", "seats=many"] {
        let line = begin(&["--rule", seats]);
        assert!(line.contains("seats = ") && !line.contains("players"), "{line}");
    }
    assert!(begin(&["--run", &games]).contains(&games));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let line = fail(&["gui", "--port", &port, "--save", &games], 2);
    assert!(line.contains("cannot listen there") && line.ends_with("choose another port with --port"), "{line}");
    // A person has no table elsewhere.
    let line = fail(&["play", "-1", "random", "-2", "human"], 2);
    assert_eq!(line, "human: a person plays in `evouct gui`; expected another kind of player");
}

#[test]
fn the_seats_of_the_first_game_are_those_of_the_rules() {
    let scratch = Scratch::new();
    let games = scratch.path("games");
    let seats = |more: &[&str]| -> Vec<String> {
        let state = Table::open(&[&["--save", &games], more].concat()).state();
        let seat = |seat: &Value| format!("{}={}", seat["name"].as_str().unwrap(), seat["kind"].as_str().unwrap());
        state["seats"].as_array().unwrap().iter().map(seat).collect()
    };
    let (you, three) = ("You=human", ["--rule", "seats=3"]);
    assert_eq!(seats(&[]), [you, "Medium=mcts"]);
    assert_eq!(seats(&three), [you, "Medium=mcts", "Medium 2=mcts"]);
    assert_eq!(seats(&[&three[..], &["--player", "mcts"]].concat()), [you, "mcts=mcts", "Medium 2=mcts"]);
    assert_eq!(seats(&["--player", "champion"]), [you, "champion=formula"]);
    assert_eq!(seats(&["--player", "Rival=easy"]), [you, "Rival=mcts"]);
    let named = ["--player", "Ada=human", "--player", "random"];
    assert_eq!(seats(&[&three[..], &named].concat()), [you, "Ada=human", "random=random"]);
    assert_eq!(seats(&[&named[..], &["--player", "mcts"]].concat()), ["Ada=human", "random=random", "mcts=mcts"]);
    assert_eq!(seats(&["--game", "function"]), [you]);
    assert_eq!(seats(&["--game", "function", "--player", "random"]), ["random=random"]);
    let line = fail(&[&["gui", "--port", "0", "--game", "function"], &named[..]].concat(), 2);
    assert!(line.contains("1 seat") && line.contains("2 players"), "{line}");
    // What the page begins other games with.
    let choices = Table::open(&["--save", &games, "--player", "random"]).get("choices").json();
    let of = |name: &str| {
        let games = choices["games"].as_array().unwrap();
        games.iter().find(|game| game["name"] == name).unwrap()["seats"].clone()
    };
    let person = json!({"name": "You", "player": "human"});
    assert_eq!(of("function"), json!([person]));
    assert_eq!(of("carcassonne"), json!([person, {"name": "Medium", "player": "medium"}]));
}

#[test]
fn expansions_and_six_seats_are_played() {
    let scratch = Scratch::new();
    let table = Table::open(&["--save", &scratch.path("games")]);
    let seats: Vec<Value> = (1..=6).map(|seat| json!({"name": format!("Person {seat}"), "player": "human"})).collect();
    let rules = json!({"expansions": "river+inns-and-cathedrals+abbots"});
    let mut state = table.act(json!({"do": "new", "game": "carcassonne", "seed": 2, "rules": rules, "seats": seats}));
    for turn in 0..30 {
        let legal = plays(&state);
        let with_figure = legal.iter().rfind(|play| play.contains(':')).unwrap_or(&legal[0]);
        state = table.act(json!({"do": "play", "play": with_figure}));
        assert_eq!(state["toMove"], (turn + 1) % 6);
    }
    let saved = table.act(json!({"do": "save"}))["saved"].as_str().unwrap().to_owned();
    succeed(&["verify", &saved]);
}

#[test]
fn any_bytes_are_answered_or_the_connection_is_closed() {
    use proptest::prelude::*;
    use proptest::test_runner::{RngSeed, TestRunner};
    let scratch = Scratch::new();
    let table = Table::open(&with_people(&scratch.path("games"), &[]));
    let body = r#"{"version":1,"do":"play","play":"J@0,1r0"}"#;
    let request = format!(
        "POST /{}/act HTTP/1.1\r\nHost: {}\r\nOrigin: http://{1}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        table.secret,
        table.address,
        body.len()
    )
    .into_bytes();
    let config =
        ProptestConfig { cases: 60, rng_seed: RngSeed::Fixed(2026), failure_persistence: None, ..Default::default() };
    let changed = prop::collection::vec((0..request.len(), any::<u8>()), 1..4);
    TestRunner::new(config)
        .run(&changed, |changes| {
            let mut bytes = request.clone();
            changes.into_iter().for_each(|(place, byte)| bytes[place] = byte);
            // A body that is announced and not sent would be waited for.
            let stream = table.connect();
            stream.set_read_timeout(Some(std::time::Duration::from_millis(300))).unwrap();
            let mut stream = stream;
            drop(std::io::Write::write_all(&mut stream, &bytes));
            drop(stream.shutdown(std::net::Shutdown::Write));
            let mut answer = Vec::new();
            drop(std::io::Read::read_to_end(&mut stream, &mut answer));
            let text = String::from_utf8_lossy(&answer);
            prop_assert!(text.is_empty() || text.starts_with("HTTP/1.1 "), "{}", text);
            prop_assert!(!text.starts_with("HTTP/1.1 5"), "{}", text);
            Ok(())
        })
        .unwrap();
    assert_eq!(table.get("state").status, 200);
}

#[cfg(unix)]
#[test]
fn a_record_starts_no_program() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new();
    let (games, marker) = (scratch.path("games"), scratch.path("started"));
    let script = scratch.write("bot.sh", &format!("#!/bin/sh\necho > {marker}\necho ready\nread -r line\n"));
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let bot = format!("Bot=external:command={script}");
    let players = ["--save", &games, "--player", "Ada=human", "--player", &bot];
    let table = Table::open(&players);
    let saved = table.act(json!({"do": "save"}))["saved"].as_str().unwrap().to_owned();
    drop(table);
    drop(std::fs::remove_file(&marker));
    let id = |table: &Table| table.get("games").json()[0]["games"][0]["id"].clone();
    let play = |table: &Table| {
        let play = plays(&table.state())[0].clone();
        table.act(json!({"do": "play", "play": play}));
        // After a change the game is still held.
        table.act(json!({"do": "undo"}));
        let other = plays(&table.state())[1].clone();
        table.act(json!({"do": "play", "play": other}))
    };
    for arguments in [vec!["--save", &games], vec!["--save", &games, "--run", &saved]] {
        let table = Table::open(&arguments);
        let _window = table.window();
        table.act(json!({"do": "load", "folder": saved, "id": id(&table)}));
        let state = play(&table);
        let expected = "external: another program plays here if --player names it on the command line";
        assert_eq!(state["failure"], expected, "{arguments:?}");
        assert_eq!(state["thinking"], false);
    }
    assert!(!scratch.exists("started"));
    // The command line may name it.
    let table = Table::open(&players);
    let _window = table.window();
    table.act(json!({"do": "load", "folder": saved, "id": id(&table)}));
    let first = plays(&table.state())[0].clone();
    table.act(json!({"do": "play", "play": first}));
    table.wait(|state| state["failure"].is_string());
    assert!(scratch.exists("started"));
}

#[test]
fn a_record_claims_no_playouts_of_moves_that_were_dropped() {
    let scratch = Scratch::new();
    let games = scratch.path("games");
    let table = against_mcts(&games);
    let mine = |state: &Value| state["position"]["mine"] == true || state["over"] == true;
    for _ in 0..3 {
        let play = plays(&table.wait(mine))[0].clone();
        table.act(json!({"do": "play", "play": play}));
    }
    table.wait(mine);
    let saved = table.act(json!({"do": "save"}))["saved"].as_str().unwrap().to_owned();
    let record = |folder: &str| -> Value {
        let journal = std::fs::read_to_string(format!("{folder}/games.jsonl")).unwrap();
        serde_json::from_str::<Value>(journal.lines().nth(1).unwrap()).unwrap()["game"].clone()
    };
    assert_eq!(record(&saved)["playouts"], json!([0, 60]));
    let id = table.get("games").json()[0]["games"][0]["id"].clone();
    let loaded = table.act(json!({"do": "load", "folder": saved, "id": id}));
    let legal = plays(&loaded);
    let other = legal.iter().find(|play| **play != loaded["turns"][0]["play"].as_str().unwrap()).unwrap();
    table.act(json!({"do": "play", "play": other}));
    let state = table.wait(mine);
    let again = table.act(json!({"do": "save"}))["saved"].as_str().unwrap().to_owned();
    let decisions = state["turns"].as_array().unwrap().iter().filter(|turn| turn["seat"] == 1).count();
    assert_eq!(record(&again)["playouts"], json!([0, 20 * decisions]));
}

#[test]
fn damaged_games_are_listed_with_what_is_wrong() {
    let scratch = Scratch::new();
    let games = scratch.path("games");
    let table = Table::open(&with_people(&games, &[]));
    let play = plays(&table.state())[0].clone();
    table.act(json!({"do": "play", "play": play}));
    let saved = table.act(json!({"do": "save"}))["saved"].as_str().unwrap().to_owned();
    let journal = std::fs::read_to_string(format!("{saved}/games.jsonl")).unwrap();
    for (name, text) in [("cut", &journal[..journal.len() - 40]), ("empty", ""), ("other", "nothing of this\n")] {
        std::fs::create_dir(format!("{games}/{name}")).unwrap();
        std::fs::write(format!("{games}/{name}/games.jsonl"), text).unwrap();
    }
    let listed = table.get("games").json();
    for name in ["cut", "empty", "other"] {
        let folder = format!("{games}/{name}");
        let entry = listed.as_array().unwrap().iter().find(|entry| entry["folder"] == folder.as_str());
        let entry = entry.unwrap_or_else(|| panic!("{name}: {listed}"));
        assert!(entry["games"] == json!([]) && entry["problem"].is_string(), "{name}: {entry}");
    }
    let whole = listed.as_array().unwrap().iter().find(|entry| entry["folder"] == saved.as_str()).unwrap();
    assert!(whole["problem"].is_null() && whole["games"].as_array().unwrap().len() == 1, "{whole}");
    // A line in the middle of good games, and more lines than anyone reads.
    let run = format!("{games}/run");
    succeed(&["run", &scratch.write("small.toml", &pictured()), "--out", &run]);
    let journal = scratch.read("games/run/games.jsonl");
    let lines: Vec<&str> = journal.lines().collect();
    let broken = |lines: &[&str], count: usize| {
        let bad = "{\"game\":\n".repeat(count);
        scratch.write("games/run/games.jsonl", &format!("{}\n{bad}{}\n", lines[..6].join("\n"), lines[7..].join("\n")));
        let listed = table.get("games").json();
        let entry = listed.as_array().unwrap().iter().find(|entry| entry["folder"] == run.as_str()).unwrap().clone();
        assert_eq!(entry["games"].as_array().unwrap().len(), lines.len() - 2, "{entry}");
        entry["problem"].as_str().unwrap().to_owned()
    };
    let one = broken(&lines, 1);
    assert!(one.contains("games.jsonl:7: ") && !one.contains("; and "), "{one}");
    for (count, end) in
        [(3, None), (4, Some("; and 1 more")), (64, Some("; and 61 more")), (300, Some("; and 297 more"))]
    {
        let many = broken(&lines, count);
        assert!(many.contains("games.jsonl:9: ") && !many.contains("games.jsonl:10: "), "{many}");
        assert!(end.map_or(!many.contains("; and "), |end| many.ends_with(end)), "{many}");
    }
}

#[test]
fn windows_leave_room_for_other_requests() {
    let scratch = Scratch::new();
    let table = Table::open(&with_people(&scratch.path("games"), &[]));
    let mut windows: Vec<program::table::Window> = (0..32).map(|_| table.window()).collect();
    windows.iter_mut().for_each(|window| assert_eq!(window.next().0, "state"));
    assert_eq!(table.get("events").status, 503);
    assert_eq!(table.state()["turns"], json!([]));
}

#[test]
fn players_are_analysts_as_far_as_they_value_moves() {
    let scratch = Scratch::new();
    let table = Table::open(&with_people(&scratch.path("games"), &[]));
    let _window = table.window();
    table.act(json!({"do": "analyse", "player": "random", "all": false}));
    let state = table.wait(|state| state["analysis"]["failure"].is_string());
    assert_eq!(state["analysis"]["failure"], "random gives no values of moves");
    assert!(state["analysis"]["margins"][0].is_null(), "{}", state["analysis"]);
    // The second tile fits at several places.
    for _ in 0..2 {
        let play = plays(&table.state())[0].clone();
        table.act(json!({"do": "play", "play": play}));
    }
    // A self-adaptive search, one over parts of moves, flat ones and exact ones are seen while they run.
    let exact = "deepening=true,nodes=1000000000000,depth=60";
    for (player, counted) in [
        ("sa-mcts:iterations=100000000".to_owned(), "playouts"),
        ("mcts:iterations=100000000,nodes=parts".to_owned(), "playouts"),
        ("flat-mc:iterations=100000000".to_owned(), "playouts"),
        (format!("expectimax:{exact}"), "nodes"),
        (format!("star2.5:{exact}"), "nodes"),
    ] {
        table.act(json!({"do": "analyse", "player": player, "all": false}));
        let found = |state: &Value| state["analysis"]["here"]["moves"].as_array().is_some_and(|moves| moves.len() > 1);
        let state = table.wait(found);
        let analysis = &state["analysis"];
        assert!(analysis["running"] == 2 && analysis["here"]["done"] == false, "{player}: {analysis}");
        let other = if counted == "nodes" { "playouts" } else { "nodes" };
        let here = &analysis["here"];
        assert!(here[counted].as_u64() > Some(0) && here[other] == 0, "{player}: {here}");
        // Each move is a legal one, which the page finds on the board.
        let legal = plays(&state);
        let moves = here["moves"].as_array().unwrap();
        assert!(moves.iter().all(|one| legal.iter().any(|play| one["play"] == play.as_str())), "{player}: {here}");
        table.act(json!({"do": "stop"}));
        table.wait(|state| state["analysis"]["running"].is_null());
    }
}

/// What the analysis says of a position is what the player finds there: the sign of the margin is that of the first
/// seat.
#[test]
fn margins_are_those_of_the_search() {
    let scratch = Scratch::new();
    let table = Table::open(&with_people(&scratch.path("games"), &["--game", "einstein"]));
    let _window = table.window();
    for _ in 0..5 {
        let play = plays(&table.state())[0].clone();
        table.act(json!({"do": "play", "play": play}));
    }
    table.act(json!({"do": "analyse", "player": "mcts:iterations=400", "all": true}));
    let state = table.wait(|state| state["analysis"]["left"] == 0 && state["analysis"]["running"].is_null());
    for turn in 0..6 {
        let state = table.act(json!({"do": "go", "turn": turn}));
        let here = &state["analysis"]["here"];
        let moves = here["moves"].as_array().unwrap();
        let visits: f64 = moves.iter().map(|one| one["visits"].as_f64().unwrap()).sum();
        assert!((399.0..=400.0).contains(&visits), "turn {turn}: {here}");
        let best = moves.iter().find(|one| one["play"] == here["best"]).unwrap()["mean"].as_f64().unwrap();
        let sign = if here["seat"] == 0 { 1.0 } else { -1.0 };
        assert_eq!(state["analysis"]["margins"][turn].as_f64().unwrap(), sign * best, "turn {turn}");
        assert!(best != 0.0 && best.abs() <= 1.0, "turn {turn}: {best}");
    }
    assert!(state["analysis"]["losses"].as_array().unwrap().iter().any(|loss| loss["points"].as_f64().unwrap() > 0.0));
}
