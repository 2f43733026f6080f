//! The cost that a league adds to a game: turns between players, and the record.

use super::{Figures, decide};
use evouct_base::parameter::Parameters;
use evouct_base::seed::Key;
use evouct_carcassonne::{Carcassonne, CarcassonneRules, State, TileDeck};
use evouct_league::config::{Experiment, Overrides};
use evouct_league::league::{GameSetup, play_at};
use evouct_league::schedule::Schedule;
use evouct_platform::clock::ThreadClock;
use evouct_platform::domain::{Domain, Spec};
use evouct_search::search::Clock;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

/// Random games on two hundred decks.
const EXPERIMENT: &str = r#"
name = "harness"
seed = 1
games_per_match = 200
[[player]]
kind = "random"
[[player]]
kind = "random"
name = "other"
"#;

fn experiment() -> Arc<Experiment> {
    evouct_carcassonne::add();
    let experiment = Experiment::parse(EXPERIMENT, "harness", Overrides::default());
    Arc::new(experiment.expect("the experiment of a measurement is well formed"))
}

fn start(experiment: &Experiment) -> State {
    Carcassonne::start(&CarcassonneRules::read(experiment.rules.options().values()))
}

/// A game with all that chance and players draw from, to be played by the rules alone.
struct GameAlone {
    deck: Key,
    players: Vec<(Spec, Key)>,
}

impl GameAlone {
    fn of(experiment: &Experiment, position: u64) -> GameAlone {
        let game = Schedule::of(experiment).nth(position).expect("a place of the schedule");
        let setup = GameSetup::of(experiment, &game);
        let players =
            setup.seats.iter().enumerate().map(|(seat, player)| (player.spec.clone(), setup.player_key(seat)));
        GameAlone { deck: setup.deck_key(), players: players.collect() }
    }

    /// The position at its end.
    fn play(&self, start: &State) -> State {
        let mut state = start.clone();
        let mut deck = TileDeck::shuffled(state.rules(), self.deck);
        let mut players: Vec<_> =
            self.players.iter().map(|(spec, key)| evouct_carcassonne::player(spec, *key)).collect();
        while deck.deal_playable(&mut state).is_some() {
            let decision = decide(players[state.player()].as_mut(), &state, &deck);
            state.play_legal(decision.action, &mut ());
        }
        state
    }
}

/// Random games as a league plays and records them, up to the line of the journal, and in turn the same games between
/// the same players by the rules alone.
pub fn harness(seconds: f64) -> Figures {
    let experiment = experiment();
    let games: Vec<GameAlone> =
        (0..Schedule::of(&experiment).len()).map(|position| GameAlone::of(&experiment, position)).collect();
    let (start, play) = (start(&experiment), play_at(&experiment));
    let clock = ThreadClock::start();
    let [mut recorded, mut alone] = [Duration::ZERO; 2];
    let (mut bytes, mut played) = (0, 0);
    while played == 0 || (recorded + alone).as_secs_f64() < seconds {
        let before = clock.now();
        for position in 0..games.len() as u64 {
            bytes += black_box(play(&position)).line().len();
        }
        let between = clock.now();
        for game in &games {
            black_box(game.play(&start));
        }
        recorded += between - before;
        alone += clock.now() - between;
        played += games.len();
    }
    let per_game = |time: Duration| 1e6 * time.as_secs_f64() / played as f64;
    Figures::from([
        ("microseconds_per_game", per_game(recorded) - per_game(alone)),
        ("microseconds_of_the_game_alone", per_game(alone)),
        ("bytes_per_game", bytes as f64 / played as f64),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_alone_is_the_game_of_the_league() {
        let experiment = experiment();
        let play = play_at(&experiment);
        for position in [0, 1, 123] {
            let record = play(&position).record();
            let alone = GameAlone::of(&experiment, position).play(&start(&experiment));
            let scores = alone.virtual_scores();
            assert_eq!(record.scores, scores[..2].iter().map(|score| i32::from(*score)).collect::<Vec<_>>());
            assert_eq!(record.virtual_scores.len(), alone.turns().len());
        }
    }
}
