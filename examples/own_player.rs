//! A kind of player of your own, in a league of Carcassonne.
//!
//!     cargo run --release --example own_player -- run examples/own_player.toml
//!     cargo run --release --example own_player -- players thrifty
//!     cargo run --release --example own_player -- play -1 thrifty:meeple=2 -2 mcts
//!
//! The kind `thrifty` looks one move ahead, without any search. It plays the move with the highest
//!
//!     gain in points + meeple × change of its meeples in supply
//!
//! A meeple on the board is missing later, so keeping one is worth something; but not in the last turns, where a meeple
//! that is left over is worth nothing. Both numbers of a move are the game's own ([`Domain::MOVE_NUMBERS`]).
//!
//! A kind of player has three parts: typed parameters, a [`Player`], and a [`Kind`] that makes the one of the other.

use evouct::carcassonne::{Carcassonne, Move, State};
use evouct::domain::{Domain, Kind};
use evouct::game::Game;
use evouct::parameter::{ParameterError, Values};
use evouct::player::{ActionValue, Considered, Decision, Player, PlayerView};
use evouct::sampling::below;
use evouct::seed::{Key, SearchRng, search_rng};
use std::process::ExitCode;

// The parameters: keys of `[[player]]` in an experiment file, and of `thrifty:key=value` on the command line. Names,
// defaults and values that are not the default make up the identity of a player, so a parameter should keep its name.
evouct::parameters! {
    /// What a thrifty player weighs.
    pub struct ThriftyParameters {
        /// Points that a meeple in supply is worth.
        meeple: f64 = 1.5, values = Values::Real(0.0, 20.0);
        /// Last turns in which a meeple is worth nothing.
        closing: u32 = 5, values = Values::Count(0, 36);
    }
}

/// A player of one game.
pub struct Thrifty {
    parameters: ThriftyParameters,
    gain: ActionValue<State>,
    meeples: ActionValue<State>,
    /// All random numbers of a player come from its key. So a game can be played again, on any number of threads.
    rng: SearchRng,
}

impl Thrifty {
    fn new(parameters: &ThriftyParameters, key: Key) -> Thrifty {
        Thrifty {
            parameters: parameters.clone(),
            gain: number("dv"),
            meeples: number("dm"),
            rng: search_rng(&mut key.stream()),
        }
    }
}

/// One of the numbers that Carcassonne gives for a move. `evouct players one-ply` lists them.
fn number(name: &str) -> ActionValue<State> {
    let number = <Carcassonne>::MOVE_NUMBERS.iter().find(|number| number.name == name);
    number.expect("Carcassonne has a number of this name").value
}

impl Player<State> for Thrifty {
    fn decide(&mut self, position: &PlayerView<State>) -> Decision<Move> {
        let worth = if position.turns_left > self.parameters.closing { self.parameters.meeple } else { 0.0 };
        let mut actions = Vec::new();
        position.state.actions(&mut actions);
        // The numbers overwrite this position; it is made once per decision.
        let mut after = position.state.clone();
        let values: Vec<f64> = actions
            .iter()
            .map(|action| {
                let gain = (self.gain)(position.state, *action, &mut after);
                gain + worth * (self.meeples)(position.state, *action, &mut after)
            })
            .collect();
        // The highest value; a random one among equals.
        let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let best: Vec<usize> = (0..actions.len()).filter(|index| values[*index] >= highest).collect();
        let action = actions[best[below(&mut self.rng, best.len())]];
        // `log = "full"` and `evouct replay` show what a player considered. It is asked for only then.
        let child = |(action, mean): (&Move, &f64)| Considered::new(*action, 1.0, *mean);
        let considered = if position.explain { actions.iter().zip(&values).map(child).collect() } else { Vec::new() };
        Decision { nodes: actions.len() as u64, considered, ..Decision::of(action) }
    }
}

/// The kind, as `evouct players` lists it. A check refuses parameters that contradict one another.
pub fn thrifty() -> Kind<Carcassonne> {
    Kind::new(
        "thrifty",
        "plays the move with the highest gain, and is loath to spend meeples",
        "examples/own_player.rs",
        |parameters: &ThriftyParameters, key| Box::new(Thrifty::new(parameters, key)),
    )
    .checked(|parameters: &ThriftyParameters| {
        if parameters.meeple == 0.0 && parameters.closing == 0 {
            return Err(ParameterError::of("closing", "closing = 0 has no effect where meeple = 0"));
        }
        Ok(())
    })
}

fn main() -> ExitCode {
    evouct::registry::add_kind(thrifty());
    evouct::cli::main()
}
