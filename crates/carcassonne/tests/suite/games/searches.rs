//! Searches, as many tests run them.

use evouct_base::seed::{Key, search_rng};
use evouct_carcassonne::{PlayoutPolicy, Rules, State, TileDeck};
use evouct_search::game::{Game, Heuristic, Playout};
use evouct_search::search::{
    Budget, Meter, Search, SearchSettings, Star, StarResult, StarSettings, Stopped, TreePolicy, Workspace,
};
use std::time::Duration;

pub fn meter(budget: &Budget) -> Meter<'static> {
    Meter::start(budget, &Stopped, Duration::ZERO, 1)
}

/// What `read` finds in one tree after so many iterations. The random numbers are of this key.
pub fn searched<G: Game, P: Playout<G>, R>(
    state: &G,
    deck: Option<&G::Deck>,
    settings: &SearchSettings,
    playout: P,
    policy: &TreePolicy,
    (iterations, key): (u64, Key),
    read: impl FnOnce(&mut Search<G, P>) -> R,
) -> R {
    let (mut work, rng) = (Workspace::default(), search_rng(&mut key.stream()));
    let mut search = Search::new(&mut work, state, deck, settings, playout, rng);
    search.run(policy, &mut meter(&Budget::iterations(iterations)), 1, false);
    assert_eq!(search.check(), Ok(()));
    read(&mut search)
}

/// A *-minimax search with no limit but its depth.
pub fn star<G: Game, H: Heuristic<G>>(state: &G, heuristic: &H, settings: StarSettings) -> StarResult<G::Action> {
    Star::new(heuristic, settings, &mut meter(&Budget::default())).search(state)
}

pub fn value<Action>(result: &StarResult<Action>) -> f64 {
    result.children[result.best].mean
}

/// Positions of random Carcassonne games with this many tiles left, one in hand.
pub fn positions(seats: u8, left: u8, count: u64) -> Vec<State> {
    let of_seed = |seed| {
        let rules = Rules::official(seats);
        let (mut state, mut deck) = (State::new(rules), TileDeck::shuffled(&rules, Key::experiment(seed)));
        let mut rng = search_rng(&mut Key::experiment(seed).stream());
        while deck.deal_playable(&mut state).is_some() && state.tiles_left() > left {
            let action = state.random_move(PlayoutPolicy::Joint, &mut rng).unwrap();
            state.play(action).unwrap();
        }
        state
    };
    (0..count).map(of_seed).filter(|state| state.hand().is_some()).collect()
}
