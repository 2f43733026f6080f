//! Carcassonne in four rooms: the rules, the notation of games, drawings of the board, and the environment for learning
//! agents.
//!
//! `rules` knows none of the others, `notation` knows the rules, `drawing` and [`environment`] know both. Beside the
//! rooms are the [`Game`](crate::game::Game) of search (`game_impl`), the heuristic of *-minimax, what the game tells
//! of moves, ratings of moves, and the statistics of branching, occupied features and shapes of the board.

mod branching;
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

pub use branching::Branching;
pub use domain::{Carcassonne, CarcassonneEvaluation, CarcassonneRules, EvaluationName};
pub use drawing::{Animation, BoardSvg, BoardText, draw_tile};
pub use heuristic::{CarcassonneHeuristic, EvaluationFunction, HeydenWeights, MoveOrder};
pub use metrics::{FeatureMetrics, SeatMetrics};
pub use notation::{
    Event, ImportedGame, Mismatch, NotationError, ReplayError, Transcript, find_segment, parse_turn, write_segment,
    write_turn,
};
pub use occupied::{Occupied, OccupiedFeatures};
pub use polyominoes::{fixed_polyominoes, positions_exponent};
pub use rules::{
    Award, Base, Cell, Deck, Deployment, Drawn, Edge, Edition, Expanded, Expansion, Expansions, FeatureKind,
    FieldScoring, Figure, IllegalDraw, IllegalMove, MAX_SEATS, MEEPLES, Move, PlayedTurn, PlayoutPolicy, Port,
    RiverBends, Rules, RulesError, ScoreObserver, Segment, SegmentId, Side, StartTile, State, TileDefinition, TileKind,
    TileSet, Unplaceable, perft,
};
