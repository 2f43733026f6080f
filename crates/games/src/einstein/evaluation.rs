//! The evaluation of positions for *-minimax.

use super::rules::EinsteinRules;
use super::state::{Move, State};
use evouct_platform::domain::EvaluationParameters;
use evouct_search::game::Heuristic;

/// The value of a won game.
const WON: f64 = 100.0;

evouct_base::parameters! {
    /// What *-minimax knows of a position: 100 for a won game, −100 for a lost one. Between them the lead in the race,
    /// scaled so that it stays below 100. The evaluation is ours; searches that reach the end of the game do not need
    /// it.
    #[derive(Copy)]
    pub struct EinsteinEvaluation {
        /// Whether a position without a winner is worth the lead in the race to the corner; 0 otherwise.
        race: bool = true;
    }
}

/// The mean over all faces of the die of the moves that the nearest stone that may move has to its goal.
fn moves_to_goal(state: &State, seat: usize) -> f64 {
    let (rules, faces) = (state.rules(), state.rules().stones());
    let nearest = |face: usize| {
        let cells = state.movable(seat, face as u8).filter_map(|stone| state.stones(seat)[stone]);
        cells.map(|cell| rules.distance(seat, cell)).min().unwrap_or_default()
    };
    (1..=faces).map(|face| f64::from(nearest(face))).sum::<f64>() / faces as f64
}

/// The lead of a seat in the race, −1 to 1: the opponent's moves to the goal less its own, over the longest way.
pub(super) fn race(state: &State, seat: usize) -> f64 {
    let EinsteinRules { rows, columns, .. } = state.rules();
    (moves_to_goal(state, 1 - seat) - moves_to_goal(state, seat)) / f64::from(rows.max(columns))
}

impl Heuristic<State> for EinsteinEvaluation {
    fn value(&self, state: &State, seat: usize) -> f64 {
        match state.winner() {
            Some(winner) if winner == seat => WON,
            Some(_) => -WON,
            None if self.race => WON * race(state, seat),
            None => 0.0,
        }
    }

    /// Diagonal moves first: they are the shortest way.
    fn rank(&self, _: &State, action: Move) -> usize {
        usize::from(!(action.row && action.column))
    }
}

impl EvaluationParameters<State> for EinsteinEvaluation {
    type Heuristic = EinsteinEvaluation;

    fn heuristic(&self) -> EinsteinEvaluation {
        *self
    }

    /// A tenth of a won game.
    fn point(&self) -> f64 {
        WON / 10.0
    }

    fn bound(&self) -> f64 {
        WON
    }

    fn margin(&self) -> f64 {
        2.0 * WON
    }

    fn name(&self) -> &'static str {
        "race"
    }
}
