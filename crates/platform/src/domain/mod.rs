//! What leagues, records and reports need of a game.
//!
//! Search needs a [`Game`](evouct_search::game::Game) and nothing else. A [`Domain`] adds what the layers above search need:
//! rules from files, notation, metrics, playout policies and heuristics by name, drawings. Those layers use domains
//! through [`AnyDomain`], which hides the types of the game, and know no rule of any game.

mod any;
mod column;
mod conformance;
mod contract;
mod decided;
mod drawing;
mod evaluation;
mod fault;
mod follower;
mod grid;
mod grid_scene;
mod kind;
mod metrics;
mod moves;
mod notation;
mod outside;
mod positions;
mod rater;
mod registered;
mod rules;
mod scene;
mod score_scale;
mod session;
mod spec;
mod step;
mod terms;
mod time_left;
mod trace;
mod variants;
mod view;
mod watch;

pub use any::{AnyDomain, AnyInfo, AnySession, GameInfo};
pub use column::{ColumnInfo, HistogramInfo, MetricColumn};
pub use conformance::{DomainReport, check_domain};
pub use contract::{Domain, GAME_WON};
pub use decided::{Decided, Weighed};
pub use drawing::{Drawing, NoDrawing};
pub use evaluation::{EvaluationParameters, ScoreLead};
pub use evouct_search::game::MoveNumber;
pub use fault::{Fault, FaultReason};
pub use follower::AnyFollower;
pub use grid::{Grid, GridCell, GridPiece, cell_name, column_name, seat_letter};
pub use kind::{AnyKinds, Decider, Kind, KindInfo};
pub use metrics::{Metrics, RecordedMetrics};
pub use notation::{DebugNotation, Notation};
pub use outside::{OutsidePlayer, TurnInNotation};
pub use positions::AnyPositions;
pub use rater::NamedRater;
pub use registered::Registered;
pub(crate) use registered::games_that_transpose;
pub use rules::{GameRules, seats_option};
pub use scene::{Scene, SceneChoice, SceneFeatures, SceneForm, ScenePiece, ScenePlace, SceneSquare};
pub use score_scale::ScoreScale;
pub use session::GameSession;
pub use spec::Spec;
pub use spec::{kind_and_parameters, split_outside_parentheses};
pub use step::GameStep;
pub use terms::{AtLimit, NoOpening, PlyLimit, Terms};
pub use time_left::TimeLeft;
pub use trace::{NoTrace, Trace};
pub use variants::Variants;
pub use view::{GameView, TurnView};
pub use watch::{Snapshot, Watch};
