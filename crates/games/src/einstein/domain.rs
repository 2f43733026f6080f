//! EinStein würfelt nicht! as a [`Domain`], for leagues, records and reports.

use super::evaluation::{EinsteinEvaluation, race};
use super::rules::EinsteinRules;
use super::state::{Move, Outcome, State};
use evouct_base::parameter::ParameterError;
use evouct_platform::domain::{
    Domain, Drawing, GAME_WON, Grid, GridCell, MetricColumn, Metrics, MoveNumber, Notation, cell_name, seat_letter,
};
use evouct_search::game::{Game, Uniform};
use serde::{Deserialize, Serialize};

/// The game EinStein würfelt nicht!.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Einstein;

/// Counts of a seat, in the order of the alphabet, which records have.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct EinsteinMetrics {
    /// Stones of the opponent that it removed.
    captured: u32,
    /// Whether it reached its goal.
    reached: bool,
    /// Stones of its own that it removed.
    sacrificed: u32,
}

/// How the stones of the seat that moves and of the other change by a move.
fn losses(state: &State, action: Move) -> [u32; 2] {
    let target = state.stone_at(state.target(action));
    [state.mover(), 1 - state.mover()].map(|seat| u32::from(target.is_some_and(|(owner, _)| owner == seat)))
}

fn played(state: &State, action: Move, after: &mut State) {
    after.clone_from(state);
    after.play(action);
}

/// The share of the faces of the die for which this holds.
fn share_of_faces(state: &State, holds: impl Fn(u8) -> bool) -> f64 {
    let faces = state.rules().stones() as u8;
    (1..=faces).filter(|face| holds(*face)).count() as f64 / f64::from(faces)
}

impl Metrics<State> for EinsteinMetrics {
    const COLUMNS: &'static [MetricColumn<EinsteinMetrics>] = &[
        MetricColumn::headed("captured", "captured", "stones of the opponent removed", |metrics, _| {
            metrics.captured.into()
        }),
        MetricColumn::headed("sacrificed", "own removed", "own stones removed", |metrics, _| metrics.sacrificed.into()),
        MetricColumn::headed("reached", "goals", "share of games won by reaching the corner", |metrics, _| {
            f64::from(u8::from(metrics.reached))
        }),
    ];

    fn play(state: &mut State, action: Move, metrics: &mut [EinsteinMetrics]) {
        let [own, other] = losses(state, action);
        let seat = state.mover();
        metrics[seat].captured += other;
        metrics[seat].sacrificed += own;
        metrics[seat].reached = state.target(action) == state.rules().goal(seat);
        state.play(action);
    }
}

impl Domain for Einstein {
    type Game = State;
    type Rules = EinsteinRules;
    type Playout = Uniform;
    type Evaluation = EinsteinEvaluation;
    type Metrics = EinsteinMetrics;

    const NAME: &'static str = "einstein";
    const ABOUT: &'static str = "EinStein würfelt nicht!, a race with one die for two seats";
    const CHAMPION: Option<&'static str> = Some(
        "formula:formula=Q + 3.51*sqrt(ln(N)/n) + 3*race,untried=Qbar + 3.51*sqrt(ln(N)) + 3*race,final_formula=n",
    );
    const HOW_TO_PLAY: &'static str = "Two players race with six numbered stones each, from one corner of the board to the other.\n\
        The die is rolled for you. You move the stone of that number; if it is gone, the one with the next lower or the next \
        higher number. A stone moves one cell towards the other corner: along the row, the column or the diagonal.\n\
        A stone that lands on another one removes it, also an own one.\n\
        The first stone in the corner of the other player wins, and so does the player who removes all stones of the other.";
    const CAPTION: &'static str = "The score is 1 for a win and 0 for a loss, so its mean is the share of games won.";
    const NOTATION: &'static dyn Notation<State> = &Einstein;
    const DRAWING: &'static dyn Drawing<State> = &Einstein;
    const POINT: &'static str = GAME_WON;
    const MOVE_NUMBERS: &'static [MoveNumber<State>] = &[
        MoveNumber::new(
            "race",
            "the lead in the race after the move, −1 to 1, and 1 for a win",
            |state, action, after| {
                played(state, action, after);
                if after.winner().is_some() { 1.0 } else { race(after, state.mover()) }
            },
        ),
        MoveNumber::new(
            "captures",
            "1 if the move removes a stone of the opponent, −1 for an own one",
            |state, action, _| {
                let [own, other] = losses(state, action);
                f64::from(other) - f64::from(own)
            },
        ),
    ];
    const RATINGS: &'static [MoveNumber<State>] = &[
        MoveNumber::new("own", "stones of the seat after the move", |state, action, after| {
            played(state, action, after);
            after.stones_left(state.mover()) as f64
        }),
        MoveNumber::new("others", "stones of the opponent after the move", |state, action, after| {
            played(state, action, after);
            after.stones_left(1 - state.mover()) as f64
        }),
        MoveNumber::new("distance", "moves that the stone has left to the goal after the move", |state, action, _| {
            state.rules().distance(state.mover(), state.target(action)).into()
        }),
        MoveNumber::new(
            "nearest",
            "moves to the goal of the seat's nearest stone after the move",
            |state, action, after| {
                played(state, action, after);
                let stones = after.stones(state.mover()).iter().flatten();
                let distances = stones.map(|cell| state.rules().distance(state.mover(), *cell));
                distances.min().unwrap_or_default().into()
            },
        ),
        MoveNumber::new(
            "again",
            "share of the faces of the die with which the stone may move again, 0 to 1; 0 after a winning move",
            |state, action, after| {
                played(state, action, after);
                if after.winner().is_some() {
                    return 0.0;
                }
                let stone = usize::from(action.stone) - 1;
                share_of_faces(after, |face| after.movable(state.mover(), face).any(|other| other == stone))
            },
        ),
        MoveNumber::new(
            "risk",
            "share of the faces of the die with which the opponent may remove the stone at once, 0 to 1",
            |state, action, after| {
                let cell = state.target(action);
                played(state, action, after);
                if after.winner().is_some() {
                    return 0.0;
                }
                let reaches = |stone: usize| {
                    let steps = [(true, false), (false, true), (true, true)];
                    let step = |(row, column)| Move { stone: stone as u8 + 1, row, column };
                    steps.into_iter().any(|way| after.target(step(way)) == cell)
                };
                share_of_faces(after, |face| after.movable(after.mover(), face).any(reaches))
            },
        ),
    ];

    fn check_rules(rules: &EinsteinRules) -> Result<(), ParameterError> {
        let EinsteinRules { rows, columns, diagonals, .. } = *rules;
        if diagonals > rows.min(columns) || 2 * diagonals > rows + columns - 1 {
            let problem = format!("diagonals = {diagonals} does not fit a board of {rows} rows and {columns} columns");
            return Err(ParameterError::of("diagonals", problem));
        }
        Ok(())
    }

    fn start(rules: &EinsteinRules) -> State {
        State::new(*rules)
    }
}

impl Notation<State> for Einstein {
    /// The number of the stone and the cell to which it moves: `5c3` is stone 5 to the third column and row.
    fn write_action(&self, state: &State, action: Move) -> String {
        format!("{}{}", action.stone, cell_name(state.target(action)))
    }

    fn say_action(&self, state: &State, action: Move) -> String {
        let target = state.target(action);
        let removed = state.stone_at(target).map_or_else(String::new, |(seat, stone)| {
            format!(", removes {} stone {}", if seat == state.mover() { "own" } else { "the other's" }, stone + 1)
        });
        format!("stone {} to {}{removed}", action.stone, cell_name(target))
    }

    /// The face of the die; the orders of the stones are `o0`, `o1`, ….
    fn write_outcome(&self, _: &State, outcome: Outcome) -> String {
        match outcome {
            Outcome::Order(order) => format!("o{order}"),
            Outcome::Face(face) => face.to_string(),
        }
    }
}

impl Drawing<State> for Einstein {
    fn fact_names(&self) -> &'static [&'static str] {
        &["score", "stones"]
    }

    fn facts(&self, state: &State, seat: usize) -> Vec<i64> {
        vec![state.scores()[seat].into(), state.stones_left(seat) as i64]
    }

    fn grid(&self, state: &State) -> Option<Grid> {
        let piece = |cell: GridCell| state.stone_at(cell).map(|(seat, stone)| (seat, stone + 1));
        let mover = seat_letter(state.mover());
        let caption = match (state.winner(), state.face()) {
            (Some(winner), _) => format!("{} has won", seat_letter(winner)),
            (None, Some(face)) => format!("{mover} to move, rolled {face}"),
            (None, None) => format!("{mover} to move"),
        };
        Some(Grid::new([state.rules().rows, state.rules().columns], piece, state.last_moved(), caption))
    }

    fn grid_move(&self, state: &State, action: Move) -> Option<[GridCell; 2]> {
        Some([state.stones(state.mover())[usize::from(action.stone) - 1]?, state.target(action)])
    }
}
