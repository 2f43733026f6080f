//! The log of moves that a game keeps for players that read it.

use evouct_base::seed::Key;
use evouct_games::hex::{Hex, HexBoard, HexRules};
use evouct_platform::domain::{AnySession, GameSession};
use evouct_search::game::{Game, MoveLog};
use evouct_search::player::{Decision, Player, PlayerView};
use evouct_search::search::Stopped;
use std::sync::{Arc, Mutex};

/// Seats, and what they decided.
type Plies = Vec<(usize, u8)>;

/// Plays the first legal move and notes the log that it sees.
struct First {
    reads: bool,
    seen: Arc<Mutex<Vec<Option<Plies>>>>,
}

impl Player<HexBoard> for First {
    fn decide(&mut self, position: &PlayerView<HexBoard>) -> Decision<u8> {
        let plies = |log: &MoveLog<HexBoard>| log.plies().iter().map(|ply| (ply.seat, ply.action)).collect();
        self.seen.lock().unwrap().push(position.log.map(plies));
        let mut actions = Vec::new();
        position.state.actions(&mut actions);
        Decision::of(actions[0])
    }

    fn reads_log(&self) -> bool {
        self.reads
    }
}

/// The log at each of the first three decisions between two such players.
fn logs(reads: [bool; 2]) -> Vec<Option<Plies>> {
    let seen = Arc::default();
    let players = reads.map(|reads| Box::new(First { reads, seen: Arc::clone(&seen) }) as Box<dyn Player<HexBoard>>);
    let mut game = GameSession::<Hex>::new(HexRules { size: 3 }, Key::experiment(1), players.into());
    for _ in 0..3 {
        game.advance().unwrap();
        game.decide(&Stopped, false).unwrap();
        game.play().unwrap();
    }
    drop(game);
    Arc::into_inner(seen).unwrap().into_inner().unwrap()
}

#[test]
fn a_game_keeps_its_log_for_players_that_read_it() {
    let kept = vec![Some(vec![]), Some(vec![(0, 0)]), Some(vec![(0, 0), (1, 1)])];
    for reads in [[true, true], [true, false], [false, true]] {
        assert_eq!(logs(reads), kept, "{reads:?}");
    }
    assert_eq!(logs([false, false]), [None, None, None]);
}
