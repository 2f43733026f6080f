//! Decisions of players in single positions, and their cost.

use super::domain::Carcassonne;
use super::notation::write_turn;
use super::player;
use super::rules::{Base, PlayedTurn, State, TileDeck};
use evouct_base::sampling::shuffle;
use evouct_base::seed::Key;
use evouct_platform::domain::{Domain, Spec};
use evouct_search::player::PlayerView;
use evouct_search::search::Clock;

/// A player's decision in a position.
#[derive(Clone, Debug)]
pub struct PositionDecision {
    /// The move in notation.
    pub play: String,
    /// Its value by the search; NaN if the player has no values.
    pub value: f64,
    /// Positions that the search visited.
    pub nodes: u64,
    /// Playouts of the search.
    pub playouts: u64,
    /// Seconds by the clock.
    pub seconds: f64,
}

/// Lets a player decide in a position. The deck, for players that see it, is drawn from the key, as is all that the
/// player draws.
///
/// ```
/// use evouct_base::{parameter::Preset, seed::Key};
/// use evouct_carcassonne::{Rules, State, TileDeck, decide};
/// use evouct_platform::domain::Spec;
/// use evouct_search::search::Stopped;
///
/// let (rules, key) = (Rules::official(2), Key::experiment(1));
/// let mut state = State::new(rules);
/// TileDeck::shuffled(&rules, key).deal_playable(&mut state);
/// let player = Spec::parse(evouct_carcassonne::add(), "mcts:iterations=50", Preset::Text).unwrap();
/// assert_eq!(decide(&player, &state, key, 1, &Stopped).playouts, 50);
/// ```
pub fn decide(spec: &Spec, state: &State, key: Key, threads: usize, clock: &dyn Clock) -> PositionDecision {
    let mut tiles: Vec<_> = state.remaining().collect();
    shuffle(&mut key.stream(), &mut tiles);
    let deck = TileDeck::in_order(&tiles, key);
    let turns_left = <Carcassonne>::turns_left(state);
    let position = PlayerView { turns_left, clock, explain: true, threads, ..PlayerView::of(state, &deck) };
    let mut player = player::<Base>(spec, key.seat(state.player()));
    let started = clock.now();
    let decision = player.decide(&position);
    let seconds = clock.now().saturating_sub(started).as_secs_f64();
    let child = decision.considered.iter().find(|child| child.action == decision.action);
    let play = state.hand().map(|tile| write_turn(&PlayedTurn { tile, action: decision.action }, state.rules().tiles));
    PositionDecision {
        play: play.unwrap_or_default(),
        value: child.map_or(f64::NAN, |child| child.mean),
        nodes: decision.nodes,
        playouts: decision.playouts,
        seconds,
    }
}
