//! A player that panics or breaks a rule loses only its game: the record states the failure and a command that repeats
//! it.

use evouct::carcassonne::{Carcassonne, Move, State};
use evouct::config::{Contender, GameFrame, Log};
use evouct::league::GameSetup;
use evouct::parameter::Preset;
use evouct::player::{Decision, Player, PlayerView};
use evouct::record::{Ended, GameRecord};
use evouct::registry;
use evouct::search::Stopped;

/// Plays the first legal move except where its script names another action.
struct Scripted {
    decisions: u32,
    at: u32,
    deed: fn(&PlayerView<State>) -> Move,
}

impl Player<State> for Scripted {
    fn decide(&mut self, position: &PlayerView<State>) -> Decision<Move> {
        self.decisions += 1;
        let action = if self.decisions == self.at { (self.deed)(position) } else { position.state.legal_moves()[0] };
        Decision::of(action)
    }
}

/// A game of two random players, told apart by their number.
fn table() -> GameSetup {
    let random = registry::spec("random", Preset::Text).unwrap();
    let seated = |(name, ordinal)| Contender::numbered(random.clone(), name, ordinal);
    let (rules, seats) = (registry::rules(&[]).unwrap(), ["one", "two"].into_iter().zip(0..).map(seated).collect());
    GameSetup { seed: 5, rules, frame: GameFrame::default(), clock: None, mirror: true, deck: 3, seats }
}

fn play(seat: usize, at: u32, deed: fn(&PlayerView<State>) -> Move) -> GameRecord {
    let table = table();
    let player =
        |(seat, seated): (usize, &Contender)| registry::player::<Carcassonne>(&seated.spec, table.player_key(seat));
    let mut players: Vec<Box<dyn Player<State>>> = table.seats.iter().enumerate().map(player).collect();
    players[seat] = Box::new(Scripted { decisions: 0, at, deed });
    table.play_with::<Carcassonne>(players, &Stopped, Log::Formulas, "host").record
}

#[test]
fn a_panic_ends_its_game_with_its_message() {
    let record = play(1, 10, |_| panic!("out of ideas"));
    assert_eq!(record.ended, Ended::Panicked);
    assert_eq!(record.virtual_scores.len(), 19, "the turns before it are kept");
    assert!(record.run.message.as_deref().is_some_and(|message| message.contains("out of ideas")), "{record:?}");
    assert_eq!(
        record.run.repeat.as_deref(),
        Some("evouct play -1 'random' -2 'random' --seed 5 --deck 3 --ordinals 0,1")
    );
}

#[test]
fn an_illegal_move_ends_its_game_with_the_rule_it_breaks() {
    // The same place twice: the second time a tile lies there.
    let record = play(0, 2, |position| position.state.turns()[0].action);
    assert_eq!(record.ended, Ended::IllegalMove);
    assert_eq!(record.virtual_scores.len(), 2);
    let message = record.run.message.as_deref().unwrap();
    assert!(message.starts_with("tile ") && message.contains("the cell is not open"), "{message}");
}

#[test]
fn a_correct_player_finishes() {
    let record = play(0, 1_000, |_| unreachable!());
    assert_eq!(record.ended, Ended::Finished);
    assert_eq!((record.run.repeat, record.run.message), (None, None));
}

#[test]
fn the_command_of_a_record_plays_the_same_game() {
    let record = play(0, 1, |_| panic!("at once"));
    let command = record.run.repeat.unwrap();
    let arguments = command.strip_prefix("evouct ").unwrap().replace('\'', "");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_evouct")).args(arguments.split(' ')).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    // The same deck: the game of the record's own players begins with the tile that the failed one had in hand.
    let whole = table().play(&Stopped, Log::None, "host").record;
    let printed = String::from_utf8(output.stdout).unwrap();
    let last = |text: &str| text.split_whitespace().last().map(str::to_owned);
    assert!(printed.contains(&last(&whole.moves).unwrap()), "{printed}\n{}", whole.moves);
}
