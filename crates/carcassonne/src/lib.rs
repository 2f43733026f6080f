//! Carcassonne: the rules, the notation of games, drawings of the board, and the environment for learning agents.
//!
//! `rules` depends on none of the other modules, `notation` on the rules, `drawing` and [`environment`] on both. Other
//! modules have the [`Game`](evouct_search::game::Game) of search (`game_impl`), the heuristic of *-minimax, numbers
//! and ratings of moves, statistics of branching, occupied features and board shapes.
//!
//! ```
//! use evouct_base::{parameter::Preset, seed::Key};
//! use evouct_carcassonne::{BoardText, Rules, State, TileDeck, decide, perft};
//! use evouct_platform::domain::Spec;
//! use evouct_search::search::Stopped;
//!
//! let (rules, key) = (Rules::official(2), Key::experiment(7));
//! assert_eq!(perft(&State::<evouct_carcassonne::Base>::new(rules), 0), 1);
//! // The position owns no random numbers: the caller deals the tiles.
//! let (mut state, mut deck) = (State::new(rules), TileDeck::shuffled(&rules, key.deck(1)));
//! deck.deal_playable(&mut state);
//! let player = Spec::parse(evouct_carcassonne::add(), "mcts:iterations=50", Preset::Text).unwrap();
//! let decision = decide(&player, &state, key, 1, &Stopped);
//! println!("{}\n{} after {} playouts", BoardText::plain(&state), decision.play, decision.playouts);
//!
//! state.play(state.legal_moves()[0]).unwrap();
//! while deck.deal_playable(&mut state).is_some() {
//!     state.play(state.legal_moves()[0]).unwrap();
//! }
//! assert!(state.is_over());
//! ```

#![warn(missing_docs, unreachable_pub)]

mod branching;
mod decisions;
mod domain;
mod drawing;
pub mod environment;
mod game_impl;
mod heuristic;
mod metrics;
mod move_numbers;
mod notation;
mod occupied;
mod polyominoes;
mod raters;
mod rules;

use evouct_base::seed::Key;
use evouct_platform::domain::{AnyDomain, Domain, Registered, Spec, Variants};
use evouct_platform::registry;
use evouct_search::player::Player;
use std::any::Any;
use std::sync::LazyLock;

pub use branching::{Branching, PlyCounts, Sums};
pub use decisions::{PositionDecision, decide};
pub use domain::{Carcassonne, CarcassonneEvaluation, CarcassonneRules, EvaluationName};
pub use drawing::{Animation, BoardSvg, BoardText, draw_tile};
pub use heuristic::{CarcassonneHeuristic, EvaluationFunction, HeydenWeights, MoveOrder};
pub use metrics::{FeatureMetrics, SeatMetrics};
pub use notation::{
    Event, ImportedGame, Mismatch, NotationError, ReplayError, Transcript, find_segment, parse_turn, write_segment,
    write_turn,
};
pub use occupied::{Occupied, OccupiedFeatures};
pub use polyominoes::{fixed_polyominoes, free_polyominoes, positions_exponent};
pub use rules::{
    Award, Base, Cell, Deployment, DrawResult, Edge, Edition, Expanded, Expansion, Expansions, FeatureKind,
    FieldScoring, Figure, IllegalDraw, IllegalMove, MAX_SEATS, MEEPLES, Move, PlayedTurn, PlayoutPolicy, Port,
    RiverBends, Rules, RulesError, ScoreObserver, Segment, SegmentId, Side, StartTile, State, TileDeck, TileDefinition,
    TileKind, TileSet, Unplaceable, perft,
};

static BASE: LazyLock<&Registered<Carcassonne<Base>>> = LazyLock::new(registry::register);
static EXPANDED: LazyLock<&Registered<Carcassonne<Expanded>>> = LazyLock::new(registry::register);

/// Adds Carcassonne to the games that the program knows. The base game has tables of its own: the rules of a game
/// choose between them once. A kind of player that is added later plays the base game.
pub fn add() -> &'static dyn AnyDomain {
    registry::add(Carcassonne::<Base>::NAME, || {
        let needs_expanded = |rules: &CarcassonneRules| !rules.rules().are_of_the_base_game();
        Box::leak(Box::new(Variants::new(*BASE, *EXPANDED, needs_expanded)))
    })
}

/// The player of a spec of Carcassonne, for positions of either edition.
pub fn player<E: Edition>(spec: &Spec, key: Key) -> Box<dyn Player<State<E>>>
where
    Carcassonne<E>: Domain<Game = State<E>>,
{
    let editions: [&dyn Any; 2] = [*BASE, *EXPANDED];
    let of_this = editions.into_iter().find_map(|edition| edition.downcast_ref::<Registered<Carcassonne<E>>>());
    of_this.expect("an edition is one of these two").player(spec, key)
}
