//! The table in a browser: whole games by clicks and by the keyboard, undo and redo, the analysis, the looks.
//!
//! As in `browser.rs`, the tests print a line and pass without Chromium, and the page is compared with kept pictures.

use crate::chromium;
use crate::examples::built;
use crate::program;
use chromium::{Browser, PATIENCE};
use program::table::{Table, plays};
use program::{Scratch, pictured, succeed};
use serde_json::{Value, json};
use std::process::Command;
use std::time::Instant;

/// A browser on the page of a table, once the page shows it.
fn open(table: &Table) -> Option<Browser> {
    let mut browser = Browser::start()?;
    browser.device(900, "light");
    browser.open(&table.url());
    browser.wait("document.querySelector('#board svg')");
    Some(browser)
}

/// Closes the dialog as a person does, who presses the key again where the page was too busy to see it.
fn close_dialog(browser: &mut Browser) {
    let begun = Instant::now();
    while browser.value("document.querySelector('#dialog').open") == true {
        assert!(begun.elapsed() < PATIENCE, "the dialog stays open");
        browser.press("Escape");
    }
}

/// Nothing is wrong on the console, and nothing but the table was asked for.
fn check(browser: &Browser, table: &Table) {
    assert_eq!(browser.errors, Vec::<String>::new());
    let own = |asked: &&String| asked.starts_with(&table.url()) || asked.starts_with("data:");
    let elsewhere: Vec<&String> = browser.requests.iter().filter(|asked| !own(asked)).collect();
    assert!(elsewhere.is_empty(), "{elsewhere:?}");
}

/// Whether a person is to play, or the game is over.
const READY: &str =
    "!document.querySelector('#chooser').hidden || document.querySelector('#turn').textContent.includes('is over')";
const OVER: &str = "document.querySelector('#turn').textContent.includes('is over')";
/// The turns played, as the page has them.
const TURNS: &str = "document.querySelectorAll('#turns li').length";

/// Plays a game to its end, each turn by this function, and verifies its record.
fn play_out(browser: &mut Browser, table: &Table, turn: impl Fn(&mut Browser, u64)) {
    let mut own = 0;
    loop {
        browser.wait(READY);
        if browser.value(OVER) == true {
            break;
        }
        let before = browser.value(TURNS).as_u64().unwrap();
        turn(browser, own);
        browser.wait(&format!("{TURNS} > {before}"));
        own += 1;
        assert!(own < 100, "the game does not end");
    }
    let saved = table.act(json!({"do": "save"}))["saved"].as_str().unwrap().to_owned();
    browser.wait("document.querySelector('#turn').textContent.includes('Saved in')");
    succeed(&["verify", &saved]);
}

#[test]
fn a_game_is_played_by_clicks() {
    let scratch = Scratch::new();
    let table = Table::open(&["--save", &scratch.path("games"), "--player", "Opponent=random", "--seed", "4"]);
    let Some(mut browser) = open(&table) else { return };
    play_out(&mut browser, &table, |browser, own| {
        let places = browser.value("document.querySelectorAll('.place').length").as_u64().unwrap();
        browser.click(&format!(".place[data-place='{}']", (own * 5 + 1) % places));
        browser.wait("document.querySelector('#confirm')");
        if own % 3 == 0 && browser.value("Boolean(document.querySelector('#rotate'))") == true {
            browser.click("#rotate");
        }
        let options = browser.value("document.querySelectorAll('.options button').length");
        let option = own % options.as_u64().unwrap();
        browser.click(&format!(".options [data-option='{option}']"));
        browser.click("#confirm");
    });
    check(&browser, &table);
}

#[test]
fn a_game_is_played_by_the_keyboard_alone() {
    let scratch = Scratch::new();
    let table = Table::open(&["--save", &scratch.path("games"), "--player", "Opponent=random", "--seed", "6"]);
    let Some(mut browser) = open(&table) else { return };
    play_out(&mut browser, &table, |browser, own| {
        let turns = browser.value(TURNS);
        browser.press("ArrowRight");
        for _ in 0..own % 4 {
            browser.press(["ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft"][(own / 4 % 4) as usize]);
        }
        if own % 2 == 0 {
            browser.press("r");
        }
        browser.press("f");
        browser.press("Enter");
        // Undo and redo give the same position.
        if own % 12 == 5 {
            browser.wait(&format!("{TURNS} > {turns}"));
            browser.wait(READY);
            let seen = "document.querySelector('#board').innerHTML";
            let before = browser.value(seen);
            browser.press("u");
            browser.wait(&format!("{seen} !== {before}"));
            browser.press("y");
            browser.wait(&format!("{seen} === {before}"));
        }
    });
    // Back to the start and on, by keys.
    browser.press("Home");
    browser.wait("document.querySelector('#slider').value === '0'");
    browser.press("]");
    browser.wait("document.querySelector('#slider').value === '1'");
    browser.press("End");
    browser.wait("document.querySelector('#slider').value !== '1'");
    browser.press("?");
    browser.wait("document.querySelector('#dialog').open");
    browser.press("Escape");
    check(&browser, &table);
}

#[test]
fn einstein_is_played_by_clicks_on_the_board() {
    let scratch = Scratch::new();
    let table = Table::open(&["--save", &scratch.path("games"), "--game", "einstein", "--player", "Opponent=random"]);
    let Some(mut browser) = open(&table) else { return };
    play_out(&mut browser, &table, |browser, _| {
        browser.click(".place[data-place='0']");
        browser.wait("document.querySelector('.mark')");
        browser.click(".mark[data-option='0']");
        browser.click("#confirm");
    });
    check(&browser, &table);
}

#[test]
fn a_stone_stays_readable_in_the_analysis() {
    let scratch = Scratch::new();
    let people = ["--player", "Ada=human", "--player", "Bob=human", "--save", &scratch.path("games")];
    let table = Table::open(&[&["--game", "einstein"], &people[..]].concat());
    let Some(mut browser) = open(&table) else { return };
    // The page names the roll once.
    let said = "document.querySelector('main').innerText.split(/drawn|rolled/i).length - 1";
    assert_eq!(browser.value(said), 1);
    assert!(browser.value("document.querySelector('#turn').textContent").as_str().unwrap().contains("Drawn: "));
    table.act(json!({"do": "analyse", "player": "mcts:iterations=300", "all": false}));
    table.wait(|state| state["analysis"]["here"]["done"] == true);
    for width in [390, 900] {
        browser.device(width, "light");
        browser.wait("document.querySelector('.hot text')");
        // Neither the value nor the mark of a cell covers the number of its stone, and both stay in the cell.
        let covered = "[...document.querySelectorAll('.hot')].filter((hot) => { \
            const box = (part) => part.getBoundingClientRect(); \
            const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom; \
            const value = box(hot.querySelector('text')), mark = box(hot.querySelector('circle')); \
            const cells = [...document.querySelectorAll('#board svg > rect[width=\"60\"]')].map(box); \
            const cell = cells.find((one) => over(one, { left: mark.left + mark.width / 2, right: mark.left + mark.width / 2 + 1, top: mark.top + mark.height / 2, bottom: mark.top + mark.height / 2 + 1 })); \
            const numbers = [...document.querySelectorAll('#board svg > text[font-weight]')].map(box); \
            const leaves = value.left < cell.left - 1 || value.right > cell.right + 1 || value.top < cell.top - 4 || value.bottom > cell.bottom; \
            const fills = getComputedStyle(hot.querySelector('circle')).fill !== 'none'; \
            return leaves || fills || numbers.some((number) => over({ left: number.left, right: number.right, top: number.top + number.height * 0.25, bottom: number.bottom - number.height * 0.2 }, value)); }).length";
        assert_eq!(browser.value(covered), 0, "{width}");
        assert!(browser.value("document.querySelectorAll('.hot text').length").as_u64().unwrap() > 0);
        assert_eq!(browser.overflow(width), "", "{width}");
        assert_eq!(browser.small_texts(), json!([]), "{width}");
    }
    let colour = "getComputedStyle(document.querySelector('#seats .s2')).backgroundColor";
    assert_eq!(browser.value(colour), "rgb(213, 94, 0)");
    check(&browser, &table);
}

#[test]
fn a_game_without_a_board_is_played_from_its_list_of_moves() {
    let scratch = Scratch::new();
    let arguments = ["--save", &scratch.path("games"), "--game", "nim", "--player", "Rival=random"];
    let table = Table::open_by(Command::new(built("nim")), &arguments);
    let Some(mut browser) = Browser::start() else { return };
    browser.device(390, "light");
    browser.open(&table.url());
    browser.wait("document.querySelector('#board pre')");
    assert_eq!(browser.value("document.querySelector('#board').innerText.includes('ooooooo')"), true);
    assert_eq!(browser.value("document.querySelectorAll('#chooser button').length"), 16);
    assert_eq!(browser.value("document.querySelector('#turn').textContent.includes('You to play')"), true);
    browser.value("document.querySelector('#analyst').value = 'mcts:iterations=200'");
    // The answer to the change comes after the event of what the search has found, which stays.
    let late = "(() => { const own = window.fetch; window.fetch = async (...asked) => { const answer = await own(...asked); \
                while (!document.querySelector('#moves tbody tr')) await new Promise((on) => setTimeout(on, 20)); \
                setTimeout(() => { window.answered = true; }, 200); window.fetch = own; return answer; }; })()";
    browser.value(late);
    browser.click("#analyse");
    browser.wait("window.answered");
    assert_eq!(browser.value("document.querySelectorAll('#moves tbody tr').length"), 8);
    // A move of the table is found in the list, and played by the keyboard.
    browser.click("#moves tbody button");
    browser.wait("document.activeElement.dataset.play");
    let play = browser.value("document.activeElement.dataset.play");
    for width in [390, 900] {
        browser.device(width, "dark");
        assert_eq!(browser.overflow(width), "", "{width}");
        assert_eq!(browser.small_texts(), json!([]), "{width}");
        if let Some(findings) = browser.findings() {
            assert_eq!(findings, Vec::<String>::new(), "{width}");
        }
    }
    browser.value("document.activeElement.click()");
    browser.wait(&format!("{TURNS} > 0"));
    assert_eq!(table.wait(|state| state["turns"][0].is_object())["turns"][0]["play"], play);
    loop {
        browser.wait("document.querySelector('#chooser button') || document.querySelector('#turn').textContent.includes('is over')");
        if browser.value(OVER) == true {
            break;
        }
        let before = browser.value(TURNS).as_u64().unwrap();
        browser.click("#chooser button");
        browser.wait(&format!("{TURNS} > {before}"));
    }
    // A game of one seat whose picture is shown.
    table.new_game("function", 1, &[("You", "human")]);
    browser.wait("document.querySelector('#board svg polyline')");
    browser.click("#chooser [data-play='1']");
    browser.wait("/The game is over. The score is [\\d.]+\\.$/.test(document.querySelector('#turn').textContent)");
    check(&browser, &table);
}

#[test]
fn a_recorded_game_is_found_and_opened_by_the_keyboard() {
    let scratch = Scratch::new();
    let run = scratch.path("run");
    succeed(&["run", &scratch.write("small.toml", &pictured()), "--out", &run]);
    let table = Table::open(&["--run", &run, "--save", &scratch.path("games")]);
    let listed = table.get("games").json()[0]["games"].clone();
    let (last, names) = (&listed[11], |game: &Value| game["players"].to_string().to_lowercase());
    let Some(mut browser) = open(&table) else { return };
    browser.press("o");
    browser.wait("document.activeElement.id === 'find'");
    let heads = browser.value("[...document.querySelectorAll('.games thead th')].map((head) => head.textContent)");
    assert_eq!(heads, json!(["deck", "players by seat", "result", "turns"]));
    let shown = "[...document.querySelectorAll('.games tr:not([hidden]) button')].map((button) => button.closest('tr').innerText.split('\\t'))";
    let row = |game: &Value| {
        let scores = [&game["scores"][0], &game["scores"][1]].map(Value::to_string).join("–");
        let players = [&game["players"][0], &game["players"][1]].map(|name| name.as_str().unwrap()).join(" – ");
        json!([game["deck"].to_string(), players, scores, game["turns"].to_string()])
    };
    let rows =
        |fits: &dyn Fn(&&Value) -> bool| -> Value { listed.as_array().unwrap().iter().filter(fits).map(row).collect() };
    assert_eq!(browser.value(shown), rows(&|_| true));
    for width in [390, 900] {
        browser.device(width, "dark");
        assert_eq!(browser.overflow(width), "", "{width}");
        if let Some(findings) = browser.findings() {
            assert_eq!(findings, Vec::<String>::new(), "{width}");
        }
    }
    // By the number of the deck and a part of a name.
    let part = last["players"][0].as_str().unwrap().to_lowercase();
    browser.value(&format!("(() => {{ const find = document.querySelector('#find'); find.value = {:?}; find.dispatchEvent(new Event('input')); }})()", format!("deck {} {part}", last["deck"])));
    let found = rows(&|game| game["deck"] == last["deck"] && names(game).contains(&part));
    assert!(!found.as_array().unwrap().is_empty() && found.as_array().unwrap().len() < 12, "{found}");
    assert_eq!(browser.value(shown), found);
    browser.press("ArrowDown");
    browser.wait("document.activeElement.matches('.games button')");
    browser.press("ArrowUp");
    browser.wait("document.activeElement.id === 'find'");
    browser.press("Enter");
    browser.wait("!document.querySelector('#dialog').open");
    let opened = found[0][1].as_str().unwrap();
    let seated = table.state()["seats"]
        .as_array()
        .unwrap()
        .iter()
        .map(|seat| seat["name"].as_str().unwrap().to_owned())
        .collect::<Vec<_>>();
    assert_eq!(seated.join(" – "), opened);
    // A dialog has no strip beside it that stays light.
    assert_eq!(browser.value("getComputedStyle(document.documentElement).scrollbarGutter"), "auto");
    check(&browser, &table);
}

#[test]
fn names_in_the_list_of_games_stay_in_their_place() {
    let scratch = Scratch::new();
    let table = Table::open(&["--save", &scratch.path("games")]);
    let names = ["\u{202e}evil <b>bold</b>", "Bob"];
    table.new_game("einstein", 1, &names.map(|name| (name, "human")));
    table.act(json!({"do": "save"}));
    let Some(mut browser) = open(&table) else { return };
    browser.press("o");
    browser.wait("document.querySelector('.games bdi')");
    assert_eq!(
        browser.value("[...document.querySelectorAll('.games bdi')].map((name) => name.textContent)"),
        json!(names)
    );
    assert_eq!(browser.value("document.querySelectorAll('.games b').length"), 0);
    let boxes = "(() => { const [a, b] = [...document.querySelectorAll('.games bdi')].map((name) => name.getBoundingClientRect()); return b.left - a.right; })()";
    assert!(browser.value(boxes).as_f64().unwrap() > 0.0);
    close_dialog(&mut browser);
    // A server that cannot list them says why.
    browser.value(
        "(() => { window.fetch = async () => new Response('{\"error\":\"no list today\"}', { status: 500 }); })()",
    );
    browser.press("o");
    browser.wait("document.querySelector('#dialog .wrong')");
    assert_eq!(browser.value("document.querySelector('#dialog .wrong').textContent"), "no list today");
    check(&browser, &table);
}

/// A user's own game may draw anything.
#[test]
fn a_drawing_that_is_no_picture_gives_way_to_words() {
    let scratch = Scratch::new();
    let people = ["--player", "Ada=human", "--player", "Bob=human", "--save", &scratch.path("games")];
    let table = Table::open(&[&["--game", "einstein"], &people[..]].concat());
    let Some(mut browser) = open(&table) else { return };
    let draw = |browser: &mut Browser, board: &str| {
        let read = "JSON.parse = (text) => { const told = read(text); if (told.position) told.position.scene.board = window.drawn; return told; }";
        browser.value(&format!(
            "(() => {{ window.drawn = {}; window.read ??= JSON.parse; const read = window.read; {read}; }})()",
            json!(board)
        ));
        let turns = browser.value(TURNS);
        let play = plays(&table.state())[0].clone();
        table.act(json!({"do": "play", "play": play}));
        browser.wait(&format!("{TURNS} > {turns}"));
    };
    for board in ["no picture", "<div><svg></svg></div>"] {
        draw(&mut browser, board);
        let words = table.state()["position"]["scene"]["words"].clone();
        assert_eq!(browser.value("document.querySelector('#board').textContent"), words, "{board}");
        assert_eq!(browser.value("document.querySelectorAll('#board > pre').length"), 1, "{board}");
    }
    for (size, view, least) in [
        ("width='8cm' height='4cm'", [302.0, 151.0], "73px"),
        ("viewBox='0,0,200,100'", [200.0, 100.0], "48px"),
        ("viewBox='all' width='300' height='50'", [300.0, 50.0], "72px"),
    ] {
        draw(&mut browser, &format!("<svg xmlns='http://www.w3.org/2000/svg' {size}><circle r='9'/></svg>"));
        let svg = "document.querySelector('#board > svg')";
        let found =
            browser.value(&format!("[{svg}.viewBox.baseVal.width, {svg}.viewBox.baseVal.height].map(Math.floor)"));
        assert_eq!(found, json!(view.map(|side| side as u32)), "{size}");
        assert_eq!(browser.value(&format!("{svg}.style.minWidth")), least, "{size}");
    }
    browser.errors.retain(|error| !error.contains("viewBox"));
    check(&browser, &table);
}

#[test]
fn the_analysis_is_seen_while_it_runs() {
    let scratch = Scratch::new();
    let table = Table::open(&["--save", &scratch.path("games"), "--player", "Ada=human", "--player", "Bob=human"]);
    let Some(mut browser) = open(&table) else { return };
    browser.value("document.querySelector('#analyst').value = 'mcts:iterations=100000000'");
    browser.click("#analyse");
    let visits = "[...document.querySelectorAll('.hot')].reduce((sum, hot) => sum + Number(hot.dataset.visits), 0)";
    browser.wait(&format!("{visits} > 0"));
    let first = browser.value(visits);
    browser.wait(&format!("{visits} > {first}"));
    // A reload in mid-search loses nothing.
    let second = browser.value(visits);
    browser.open(&table.url());
    browser.wait(&format!("{visits} > {second}"));
    assert!(browser.value("document.querySelectorAll('#moves tbody tr').length").as_u64().unwrap() > 1);
    // A move of the table is chosen by a click.
    browser.click("#moves tbody button");
    browser.wait("document.querySelector('#confirm')");
    browser.click("#stop");
    browser.wait("document.querySelector('#stop').disabled");
    check(&browser, &table);
}

#[test]
fn a_bound_is_marked() {
    let scratch = Scratch::new();
    let rules = ["--game", "einstein", "--rule", "rows=4", "--rule", "columns=4", "--rule", "diagonals=2"];
    let people = ["--player", "Ada=human", "--player", "Bob=human", "--save", &scratch.path("games")];
    let table = Table::open(&[&rules[..], &people].concat());
    let Some(mut browser) = open(&table) else { return };
    table.act(json!({"do": "analyse", "player": "star1:depth=2", "all": false}));
    let state = table.wait(|state| state["analysis"]["here"]["done"] == true);
    let moves = state["analysis"]["here"]["moves"].as_array().unwrap();
    let bounds = moves.iter().filter(|one| one["upper_bound"] == true).count();
    assert!(moves.len() > 2 && bounds > 0 && bounds < moves.len(), "{moves:?}");
    browser.wait(&format!("document.querySelectorAll('#moves tbody tr').length === {}", moves.len().min(8)));
    let marked = browser.value("[...document.querySelectorAll('#moves td:last-child')].filter((cell) => cell.textContent.startsWith('≤') && cell.title).length");
    assert_eq!(marked, bounds.min(8));
    assert_eq!(browser.value("document.querySelector('#moves .best td:last-child').textContent.includes('≤')"), false);
    assert_eq!(browser.value("document.querySelector('#moves caption').textContent.includes('≤ is a bound')"), true);
    // The search with the same depth that prunes nothing has no bounds.
    table.act(json!({"do": "analyse", "player": "expectimax:depth=2", "all": false}));
    browser.wait("/expectimax.*positions$/.test(document.querySelector('#progress').textContent)");
    assert_eq!(browser.value("document.querySelector('#moves').textContent.includes('≤')"), false);
    // Of a move that is a bound the points lost may be more.
    let play = moves.iter().find(|one| one["upper_bound"] == true).unwrap()["play"].clone();
    table.act(json!({"do": "play", "play": play}));
    table.act(json!({"do": "go", "turn": 0}));
    table.act(json!({"do": "analyse", "player": "star1:depth=2", "all": false}));
    browser.wait("document.querySelector('#turns .lost')");
    assert_eq!(browser.value("document.querySelector('#turns .lost').textContent.startsWith('≤')"), true);
    check(&browser, &table);
}

#[test]
fn the_page_fits_and_shows_features() {
    let scratch = Scratch::new();
    let run = scratch.path("run");
    succeed(&["run", &scratch.write("small.toml", &pictured()), "--out", &run]);
    let table = Table::open(&["--run", &run, "--save", &scratch.path("games")]);
    let Some(mut browser) = open(&table) else { return };
    table.act(json!({"do": "go", "turn": 40}));
    browser.wait("document.querySelector('#slider').value === '40'");
    table.act(json!({"do": "analyse", "player": "mcts:iterations=400", "all": false}));
    table.wait(|state| state["analysis"]["here"]["done"] == true);
    browser.wait("document.querySelector('.hot')");
    for width in [360, 390, 900, 1440] {
        for scheme in ["light", "dark"] {
            browser.device(width, scheme);
            assert_eq!(browser.overflow(width), "", "{width} {scheme}");
            assert_eq!(browser.small_texts(), json!([]), "{width}");
            if width == 360 {
                continue;
            }
            browser.compare_picture(&format!("gui-{width}-{scheme}"), width);
            if let Some(findings) = browser.findings() {
                assert_eq!(findings, Vec::<String>::new(), "{width} {scheme}");
            }
        }
    }
    let start = browser.value(
        "(() => { const box = document.querySelector('#board use').getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height * 0.9]; })()",
    );
    browser.hover(start[0].as_f64().unwrap(), start[1].as_f64().unwrap());
    browser.wait("document.querySelector('.highlight path')");
    assert!(browser.value("document.querySelector('#feature').textContent").as_str().unwrap().contains(" of "));
    // The features with figures, by the keyboard.
    browser.press("i");
    browser.wait("/if the game ended now/.test(document.querySelector('#said').textContent)");
    // An aid that is switched off.
    browser.value("document.querySelector('[data-aid=left]').click()");
    browser.wait("document.querySelector('#left').hidden");
    check(&browser, &table);
}

#[test]
fn a_new_game_is_begun_on_the_page() {
    let scratch = Scratch::new();
    let table = Table::open(&["--save", &scratch.path("games"), "--player", "Rival=random"]);
    let Some(mut browser) = open(&table) else { return };
    for width in [390, 900] {
        browser.device(width, "light");
        browser.press("n");
        browser.wait("document.querySelector('#start')");
        assert_eq!(browser.overflow(width), "", "{width}");
        browser.compare_picture(&format!("gui-new-{width}"), width);
        close_dialog(&mut browser);
    }
    browser.press("n");
    browser.wait("document.querySelector('#start')");
    // A third player, a parameter and an expansion; then a value that is refused.
    browser.value("[...document.querySelectorAll('#dialog button')].find(button => button.textContent === 'One more player').click()");
    let choose = |kind: &str| {
        format!(
            "(() => {{ const seat = document.querySelector('#new-seat-3'); seat.value = '{kind}'; seat.dispatchEvent(new Event('change')); }})()"
        )
    };
    let name = "document.querySelectorAll('input.title')[2].value";
    for (kind, named) in [("level:hard", "Hard"), ("level:easy", "Easy"), ("more", "Opponent")] {
        browser.value(&choose(kind));
        assert_eq!(browser.value(name), named);
    }
    browser.value("document.querySelector('#new-seat-3').value = 'mcts'; document.querySelector('#new-seat-3').dispatchEvent(new Event('change'))");
    browser.value("document.querySelector('#new-seat-3-iterations').value = '-3'");
    browser.value("document.querySelector('#rule-expansions').value = 'river'");
    // Larger than the numbers of a page.
    browser.value("document.querySelector('#new-seed').value = '9007199254740993'");
    browser.click("#start");
    browser.wait("document.querySelector('#dialog .wrong').textContent.includes('iterations')");
    browser.value("document.querySelector('#new-seat-3-iterations').value = '5'");
    browser.click("#start");
    browser.wait("!document.querySelector('#dialog').open");
    let state = table.wait(|state| state["seats"].as_array().is_some_and(|seats| seats.len() == 3));
    assert_eq!(
        (&state["seats"][2]["player"], &state["seed"]),
        (&json!("mcts:iterations=5"), &json!("9007199254740993"))
    );
    assert!(state["rules"].to_string().contains("river"));
    // The next game begins with the players and the rules of this one, and the next seed.
    browser.wait("document.querySelector('#seats').textContent.includes('iterations=5')");
    browser.press("n");
    browser.wait("document.querySelector('#new-seat-3-iterations')");
    for (field, value) in
        [("new-seat-3-iterations", "5"), ("rule-expansions", "river"), ("new-seed", "9007199254740994")]
    {
        assert_eq!(browser.value(&format!("document.querySelector('#{field}').value")), value, "{field}");
    }
    browser.press("Escape");
    check_but_refusals(&mut browser, &table);
}

#[test]
fn rules_and_the_parts_of_a_formula_are_shown() {
    let scratch = Scratch::new();
    let people = ["--player", "Ada=human", "--player", "Bob=human", "--save", &scratch.path("games")];
    let table = Table::open(&[&["--game", "einstein"], &people[..]].concat());
    let Some(mut browser) = open(&table) else { return };
    browser.press("h");
    browser.wait("document.querySelector('.rules')");
    let told = browser.value("document.querySelector('#dialog').innerText");
    assert!(
        told.as_str().unwrap().contains("six numbered stones") && told.as_str().unwrap().contains("Enter"),
        "{told}"
    );
    assert_eq!(browser.value("document.activeElement.textContent"), "Close");
    let looks = |browser: &mut Browser| {
        for width in [390, 1440] {
            browser.device(width, "light");
            assert_eq!(browser.overflow(width), "", "{width}");
            assert_eq!(browser.small_texts(), json!([]), "{width}");
            if let Some(findings) = browser.findings() {
                assert_eq!(findings, Vec::<String>::new(), "{width}");
            }
        }
    };
    looks(&mut browser);
    close_dialog(&mut browser);
    browser.press("a");
    browser.wait("document.querySelectorAll('#terms tbody tr').length === 3");
    let cells = "[...document.querySelectorAll('#terms tbody tr:first-child > *')].map((cell) => cell.textContent)";
    assert_eq!(browser.value(cells).as_array().unwrap().len(), 3);
    // Another move stands beside the best one.
    let other = "(() => { const all = document.querySelector('#explained'); all.selectedIndex = 1; all.dispatchEvent(new Event('change')); })()";
    browser.value(other);
    assert_eq!(browser.value(cells).as_array().unwrap().len(), 4);
    assert_eq!(browser.value("document.querySelector('#terms dl').textContent.includes('lead in the race')"), true);
    looks(&mut browser);
    check(&browser, &table);
}

/// As [`check`]; the console names the answer to a request that was refused.
fn check_but_refusals(browser: &mut Browser, table: &Table) {
    browser.errors.retain(|error| !error.contains("status of 400"));
    check(browser, table);
}

#[test]
fn another_site_changes_nothing() {
    let scratch = Scratch::new();
    let table = Table::open(&["--save", &scratch.path("games")]);
    let Some(mut browser) = open(&table) else { return };
    let elsewhere = scratch.write("evil.html", "<!doctype html><title>elsewhere</title>");
    browser.open(&format!("file://{elsewhere}"));
    let before = table.state();
    let post = format!(
        "window.answer = null; fetch('{}act', {{method: 'POST', headers: {{'Content-Type': 'application/json'}}, \
         body: '{{\"version\":1,\"do\":\"pause\",\"paused\":true}}'}}).then(() => window.answer = 'read', () => window.answer = 'refused')",
        table.url()
    );
    browser.value(&format!("{{ {post} }}"));
    browser.wait("window.answer");
    assert_eq!(browser.value("window.answer"), "refused");
    assert_eq!(table.state(), before);
}
