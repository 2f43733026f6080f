//! Limits of a decision.

use evouct_base::parameter::Values;
use evouct_search::search::Budget;
use std::time::Duration;

/// The range of time limits in seconds.
const SECONDS: Values = Values::Real(0.001, 1e6);

evouct_base::parameters! {
    /// Limits of a decision by playouts.
    pub struct BudgetParameters {
        /// Iterations per decision. Unlimited if a time is given instead, or the game has a clock.
        iterations: Option<u64> = Some(400), values = Values::Count(1, 1_000_000_000),
            unless = ["time_per_move", "time_per_game", "clock"];
        /// Seconds per decision. Games cannot be repeated.
        time_per_move: Option<f64> = None, values = SECONDS, timed = true;
        /// Seconds per game. A decision gets the time left divided by the turns left. Games cannot be repeated.
        time_per_game: Option<f64> = None, values = SECONDS, timed = true;
    }
}

evouct_base::parameters! {
    /// Limits of a decision of *-minimax.
    pub(super) struct DeepeningParameters {
        /// Search depths 1, 2, … until the budget is spent.
        deepening: bool = false;
        /// Nodes per decision.
        nodes: Option<u64> = None, values = Values::Count(1, 1_000_000_000_000), only = "deepening" = "true";
        /// Seconds per decision. Games cannot be repeated.
        time_per_move: Option<f64> = None, values = SECONDS, only = "deepening" = "true", timed = true;
        /// Seconds per game. A decision gets the time left divided by the turns left. Games cannot be repeated.
        time_per_game: Option<f64> = None, values = SECONDS, only = "deepening" = "true", timed = true;
    }
}

evouct_base::parameters! {
    /// Whether playouts of evolution count against the budget.
    pub(super) struct EvolutionBudget {
        /// Count the playouts of evolution as iterations.
        count_evolution: bool = false;
    }
}

impl BudgetParameters {
    /// The budget.
    pub fn budget(&self) -> Budget {
        Budget {
            iterations: self.iterations,
            time_per_move: self.time_per_move.map(Duration::from_secs_f64),
            time_per_game: self.time_per_game.map(Duration::from_secs_f64),
            count_evolution: false,
        }
    }
}

impl DeepeningParameters {
    /// The budget; its iterations are nodes.
    pub(super) fn budget(&self) -> Budget {
        Budget {
            iterations: self.nodes,
            time_per_move: self.time_per_move.map(Duration::from_secs_f64),
            time_per_game: self.time_per_game.map(Duration::from_secs_f64),
            count_evolution: false,
        }
    }

    /// Whether a search ends before its last depth is finished.
    pub(super) fn is_limited(&self) -> bool {
        self.nodes.is_some() || self.time_per_move.is_some() || self.time_per_game.is_some()
    }
}
