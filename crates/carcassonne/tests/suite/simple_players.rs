//! Müller's simple players against one another, as in his Table 5.1.

use crate::registry;
use evouct_base::parameter::Preset;
use evouct_base::seed::Key;
use evouct_carcassonne::{Carcassonne, Rules, State, TileDeck};
use evouct_search::player::PlayerView;
use evouct_stats::normal_quantile;

/// The scoring rate of the first player in a game on this deck: 1 for a win, 1/2 for a draw.
fn score(players: [&str; 2], deck: u64, swapped: bool) -> f64 {
    let rules = Rules { two_tile_city: 2, ..Rules::official(2) };
    let (mut state, mut tiles) = (State::new(rules), TileDeck::shuffled(&rules, Key::experiment(deck)));
    let mut seated = [0, 1].map(|seat| {
        let spec = registry::spec(players[seat ^ usize::from(swapped)], Preset::Text).unwrap();
        registry::player::<Carcassonne>(&spec, Key::experiment(deck).seat(seat))
    });
    while tiles.deal_playable(&mut state).is_some() {
        let decision = seated[state.player()].decide(&PlayerView::of(&state, &tiles));
        state.play(decision.action).unwrap();
    }
    let scores = state.virtual_scores();
    let (own, other) = (scores[usize::from(swapped)], scores[usize::from(!swapped)]);
    if own == other { 0.5 } else { f64::from(u8::from(own > other)) }
}

/// Each player beats the one before. Equal players would show such a difference once in 10,000 such tests: the mean
/// over decks that are played with both seatings exceeds one half by that quantile of its standard error.
#[test]
fn each_simple_player_beats_the_one_before() {
    const DECKS: u64 = 400;
    for players in [["simple1", "random"], ["simple2", "simple1"], ["simple3", "simple2"]] {
        let rate = |deck: u64| (score(players, deck, false) + score(players, deck, true)) / 2.0;
        let rates: Vec<f64> = (0..DECKS).map(rate).collect();
        let mean = rates.iter().sum::<f64>() / DECKS as f64;
        let variance = rates.iter().map(|rate| (rate - mean) * (rate - mean)).sum::<f64>() / (DECKS - 1) as f64;
        let error = (variance / DECKS as f64).sqrt();
        println!("{players:?}: {mean:.3} ± {error:.3}");
        assert!(mean - 0.5 > normal_quantile(0.9999) * error, "{players:?}: {mean} ± {error}");
    }
}
