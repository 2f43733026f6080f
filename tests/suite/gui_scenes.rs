//! What the table shows of games with and without a board on which moves are chosen.

use crate::program;
use program::table::{Table, plays};
use program::{Scratch, succeed};
use serde_json::json;

#[test]
fn a_game_without_places_has_a_list_of_moves() {
    let scratch = Scratch::new();
    let games = scratch.path("games");
    let table = Table::open(&["--save", &games, "--game", "function"]);
    let _window = table.window();
    let state = table.state();
    let scene = &state["position"]["scene"];
    assert!(scene["board"].as_str().unwrap().starts_with("<svg") && scene["places"] == json!([]), "{scene}");
    assert!(scene["words"].as_str().unwrap().contains("f at the centre"), "{scene}");
    assert_eq!((plays(&state), state["seats"].as_array().unwrap().len()), (vec!["0".to_owned(), "1".to_owned()], 1));
    table.act(json!({"do": "analyse", "player": "mcts:iterations=50", "all": false}));
    let analysed = table.wait(|state| state["analysis"]["here"]["done"] == true);
    assert_eq!(analysed["analysis"]["here"]["moves"].as_array().unwrap().len(), 2, "{}", analysed["analysis"]);
    let over = table.act(json!({"do": "play", "play": "1"}));
    assert!(over["over"] == true && plays(&over).is_empty(), "{over}");
    let saved = table.act(json!({"do": "save"}))["saved"].as_str().unwrap().to_owned();
    assert!(succeed(&["verify", &saved]).starts_with("1 game replayed by the rules, 0 played again"));
    // The search of a player stands in the record, also in that of a loaded game.
    table.new_game("function", 3, &[("Solver", "mcts:iterations=200")]);
    let over = table.wait(|state| state["over"] == true);
    for turns in ["played", "loaded"] {
        let saved = table.act(json!({"do": "save"}))["saved"].as_str().unwrap().to_owned();
        assert!(succeed(&["verify", &saved]).contains("1 played again"), "{turns}");
        let listed = table.get("games").json();
        let game =
            &listed.as_array().unwrap().iter().find(|list| list["folder"] == saved.as_str()).unwrap()["games"][0];
        assert_eq!((&over["turns"][0]["scores"], &game["deck"]), (&game["scores"], &json!(1)), "{turns}");
        table.act(json!({"do": "load", "folder": saved, "id": game["id"]}));
    }
}

#[test]
fn moves_of_all_games_are_said_in_words() {
    let scratch = Scratch::new();
    let table = Table::open(&["--save", &scratch.path("games")]);
    let people = [("Ada", "human"), ("Bob", "human")];
    for (game, said) in [
        ("carcassonne", "tile "),
        ("einstein", "stone "),
        ("function", "lower half"),
        ("breakthrough", " to "),
        ("connect-four", "stone into column a"),
        ("hex", "stone on a1"),
        ("othello", "stone on "),
        ("y", "stone on a1"),
        ("havannah", "stone on a1"),
        ("pig", "roll"),
        ("maedn", "pass"),
    ] {
        let state = table.new_game(game, 3, &people[..if game == "function" { 1 } else { 2 }]);
        let choices = state["position"]["scene"]["choices"].as_array().unwrap();
        let words: Vec<&str> = choices.iter().map(|choice| choice["words"].as_str().unwrap()).collect();
        assert!(words[0].contains(said), "{game}: {words:?}");
        assert_eq!(words.iter().collect::<std::collections::BTreeSet<_>>().len(), words.len(), "{game}: {words:?}");
        let after = table.act(json!({"do": "play", "play": choices[0]["play"]}));
        assert_eq!(after["turns"][0]["words"], words[0], "{game}");
    }
}

#[test]
fn the_champion_s_formula_is_seen_summand_by_summand() {
    let scratch = Scratch::new();
    let table = Table::open(&["--save", &scratch.path("games")]);
    let _window = table.window();
    table.new_game("einstein", 1, &[("Ada", "human"), ("Bob", "champion")]);
    let state = table.act(json!({"do": "analyse", "player": "champion", "all": false}));
    assert_eq!((&state["seats"][1]["level"], &state["seats"][1]["kind"]), (&json!("champion"), &json!("formula")));
    let state = table.wait(|state| state["analysis"]["here"]["done"] == true);
    let here = &state["analysis"]["here"];
    assert_eq!(here["terms"], json!(["Q", "3.51 * sqrt(ln(N) / n)", "3 * race"]));
    for one in here["moves"].as_array().unwrap() {
        let terms: Vec<f64> = one["terms"].as_array().unwrap().iter().map(|term| term.as_f64().unwrap()).collect();
        // To the bit: the same numbers in the same order.
        assert_eq!(terms[0] + terms[1] + terms[2], one["formula"].as_f64().unwrap(), "{one}");
        assert_eq!(terms[0], one["mean"].as_f64().unwrap());
    }
    // A search without a formula has none.
    table.act(json!({"do": "analyse", "player": "easy", "all": false}));
    let state = table.wait(|state| state["analysis"]["here"]["done"] == true);
    let here = &state["analysis"]["here"];
    assert!(here["terms"] == json!([]) && here["moves"][0]["terms"].is_null(), "{here}");
}

#[test]
fn stones_have_the_colours_of_their_seats_and_the_die_is_said_once() {
    let scratch = Scratch::new();
    let table = Table::open(&[
        "--save",
        &scratch.path("games"),
        "--game",
        "einstein",
        "--player",
        "Ada=human",
        "--player",
        "Bob=human",
    ]);
    let state = table.state();
    let scene = &state["position"]["scene"];
    let board = scene["board"].as_str().unwrap();
    for seat in 0..2 {
        let colour = state["seats"][seat]["colour"].as_str().unwrap();
        assert!(board.contains(&format!("fill=\"{colour}\"")), "{colour}: {board}");
    }
    assert!(!board.contains("to move") && !board.contains("rolled"), "{board}");
    assert!(scene["words"].as_str().unwrap().starts_with("5 rows and 5 columns; player 1: "), "{}", scene["words"]);
    assert!(scene["drawn"]["name"].is_string() && scene["drawn"]["words"] == "", "{}", scene["drawn"]);
    // So is a die of which the searches of a game do not learn: with a 6 a piece may enter.
    let mut state = table.new_game("maedn", 3, &[("Ada", "human"), ("Bob", "human")]);
    while state["position"]["scene"]["places"] == json!([]) {
        let play = &state["position"]["scene"]["choices"][0]["play"];
        state = table.act(json!({"do": "play", "play": play}));
    }
    assert_eq!(state["position"]["scene"]["drawn"]["name"], "6");
    // Those of figures are of their styles.
    let state = table.new_game("carcassonne", 1, &[("Ada", "human"), ("Bob", "human")]);
    let styles = table.get("definitions").body;
    for (seat, colour) in [(0, "#0072b2"), (1, "#d63c1f")] {
        assert_eq!(state["seats"][seat]["colour"], colour);
        assert!(styles.contains(&format!(".s{}{{fill:{colour}", seat + 1)), "{styles}");
    }
}
