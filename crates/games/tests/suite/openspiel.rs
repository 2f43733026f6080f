//! The native games beside OpenSpiel's: the same legal moves in each position of random games, and the same winners.
//! `tests/oracles/openspiel_games.py` wrote the games; `OPENSPIEL_GAMES` names another file of it.

use evouct_base::seed::Key;
use evouct_games::{breakthrough, connect_four, havannah, hex, maedn, othello, pig, y};
use evouct_platform::domain::{Domain, GameStep, check_domain};
use evouct_platform::registry;
use evouct_search::game::{Game, Turn};
use std::path::Path;

/// FNV-1a with 64 bits.
fn hashed(value: u64, text: &str) -> u64 {
    text.bytes().fold(value, |value, byte| (value ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Plays these moves and says what OpenSpiel said of them: the hash of the legal moves and the scores.
fn replayed<D: Domain>(rules: &D::Rules, words: &str) -> String {
    let mut game = D::start(rules);
    let steps = D::NOTATION.read_moves(&game, words).unwrap_or_else(|error| panic!("{}: {error}: {words}", D::NAME));
    let (mut found, mut actions) = (0xcbf2_9ce4_8422_2325, Vec::new());
    for step in steps {
        if let (Turn::Player(seat), GameStep::Action(_)) = (game.turn(), &step) {
            game.actions(&mut actions);
            let mut legal: Vec<String> =
                actions.iter().map(|action| D::NOTATION.write_action(&game, *action)).collect();
            legal.sort();
            found = hashed(found, &format!("{seat} {}\n", legal.join(" ")));
        }
        step.apply(&mut game);
    }
    assert_eq!(game.turn(), Turn::Terminal, "{}: {words}", D::NAME);
    let scores = game.scores();
    format!("{found:016x};{} {}", scores[0], scores[1])
}

#[test]
fn legal_moves_and_winners_are_those_of_openspiel() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracles/openspiel_games.txt");
    let file = std::env::var_os("OPENSPIEL_GAMES").map_or(kept, Into::into);
    let games = std::fs::read_to_string(file).unwrap();
    let mut compared = 0;
    for line in games.lines() {
        let (setup, rest) = line.split_once(';').unwrap();
        let (words, expected) = rest.split_once(';').unwrap();
        let (name, rules) = setup.split_once(' ').unwrap();
        let numbers = rules.split(',').map(|rule| rule.split_once('=').unwrap().1.parse::<u8>().unwrap());
        let found = match (name, &numbers.collect::<Vec<u8>>()[..]) {
            ("connect-four", &[rows, columns]) => {
                replayed::<connect_four::ConnectFour>(&connect_four::ConnectFourRules { rows, columns }, words)
            }
            ("breakthrough", &[rows, columns]) => {
                replayed::<breakthrough::Breakthrough>(&breakthrough::BreakthroughRules { rows, columns }, words)
            }
            ("hex", &[size]) => replayed::<hex::Hex>(&hex::HexRules { size }, words),
            ("y", &[size]) => replayed::<y::Y>(&y::YRules { size }, words),
            ("havannah", &[size]) => replayed::<havannah::Havannah>(&havannah::HavannahRules { size }, words),
            ("othello", &[half]) => replayed::<othello::Othello>(&othello::OthelloRules { half }, words),
            ("pig", &[goal, faces]) => replayed::<pig::Pig>(&pig::PigRules { goal: u32::from(goal), faces }, words),
            ("maedn", &[pieces]) => replayed::<maedn::Maedn>(&maedn::MaednRules { pieces }, words),
            _ => panic!("{setup}"),
        };
        assert_eq!(found, expected, "{line}");
        compared += 1;
    }
    assert!(compared >= 450, "{compared}");
}

/// Whether a game with these rules keeps the contract of domains.
fn check<D: Domain>(rules: &D::Rules) {
    evouct_games::add();
    check_domain(registry::add_game::<D>(), rules, Key::experiment(1), 3).unwrap_or_else(|problem| panic!("{problem}"));
}

#[test]
fn native_games_keep_the_contract() {
    for (rows, columns) in [(4, 4), (7, 8)] {
        check::<connect_four::ConnectFour>(&connect_four::ConnectFourRules { rows, columns });
    }
    for (rows, columns) in [(5, 2), (6, 6)] {
        check::<breakthrough::Breakthrough>(&breakthrough::BreakthroughRules { rows, columns });
    }
    for size in [2, 5] {
        check::<hex::Hex>(&hex::HexRules { size });
        check::<y::Y>(&y::YRules { size });
    }
    for size in [2, 3] {
        check::<havannah::Havannah>(&havannah::HavannahRules { size });
    }
    for half in [2, 3] {
        check::<othello::Othello>(&othello::OthelloRules { half });
    }
    for pieces in [1, 4] {
        check::<maedn::Maedn>(&maedn::MaednRules { pieces });
    }
    check::<pig::Pig>(&pig::PigRules { goal: 20, faces: 6 });
}

/// In OpenSpiel, too, a game of Pig without rolls ends after 1,000 decisions with returns of 0.
#[test]
fn a_game_of_pig_without_rolls_ends() {
    let hold = |count: usize| vec!["hold"; count].join(" ");
    assert!(replayed::<pig::Pig>(&pig::PigRules { goal: 100, faces: 6 }, &hold(1_000)).ends_with(";0 0"));
    let game = pig::Pig::start(&pig::PigRules { goal: 100, faces: 6 });
    assert!(pig::Pig::NOTATION.read_moves(&game, &hold(1_001)).is_err_and(|error| error.contains("after the end")));
}
