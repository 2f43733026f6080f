//! The decisions of a game of Carcassonne.

use crate::registry;
use evouct_base::parameter::Preset;
use evouct_base::seed::Key;
use evouct_carcassonne::{Carcassonne, Move, Rules, State, TileDeck};
use evouct_platform::domain::Domain;
use evouct_search::player::{Decision, PlayerView};

/// The first decisions of a game between two such players, with what they considered. Each player is checked after each
/// decision.
pub fn decisions(text: &str, most: usize, threads: usize) -> Vec<Decision<Move>> {
    let spec = registry::spec(text, Preset::Text).unwrap();
    let rules = Rules::official(2);
    let (mut state, mut deck) = (State::new(rules), TileDeck::shuffled(&rules, Key::experiment(2)));
    let mut players = [0, 1].map(|seat| registry::player::<Carcassonne>(&spec, Key::experiment(9).seat(seat)));
    let mut decisions = Vec::new();
    while deck.deal_playable(&mut state).is_some() && decisions.len() < most {
        let turns_left = Carcassonne::turns_left(&state);
        let position = PlayerView { turns_left, threads, explain: true, ..PlayerView::of(&state, &deck) };
        let seat = state.player();
        let decision = players[seat].decide(&position);
        players[seat].check().unwrap();
        state.play(decision.action).unwrap();
        decisions.push(decision);
    }
    decisions
}
