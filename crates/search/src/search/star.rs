//! Expectimax and the *-minimax family: exact search over chance to a fixed depth, for two to six seats.
//!
//! Ballard (1983); for unequal chances as in Heyden (2009), chapter 5. Let a chance node have successors with
//! probabilities `P_i`, of which the first `i − 1` are searched with values `V_j`, and let all values lie between `L`
//! and `U`. With `X_i = Σ_{j<i} P_j·V_j` and `Y_i = Σ_{j>i} P_j` the window of successor `i` for the node's window (α,
//! β) is
//!
//! ```text
//! A_i = (α − X_i − U·Y_i) / P_i        B_i = (β − X_i − L·Y_i) / P_i
//! ```
//!
//! and a value outside it settles the node (Star1). Star2 first *probes* one action of every successor: what it finds
//! are lower bounds `w_j` instead of `L`, `B_i = (β − X_i − Σ_{j>i} P_j·w_j) / P_i`. Star2.5 probes several: all of one
//! successor before the next (sequential), or one of each in turn (cyclic). Pruning changes no value as long as every
//! leaf lies between `L` and `U`; bounds that are narrower change the result.
//!
//! Star2 and Star2.5 as Valdez Ameneyro et al. (2020, II-D) and Galván et al. (2022, IV-F) print them *guess* after
//! probing: the actions that were not probed are given the worst value of those that were, so each successor counts as
//! the best of its probed actions. The weighted sum of these values settles the node if it is outside the window, above
//! or below; inside it the successors are searched as by Star1. What settles from below is no bound, so guessing
//! changes values ([`Unprobed::Guess`]).
//!
//! A ply is an action; chance does not count. A leaf is evaluated right after its action. Positions after an action and
//! after a draw count as nodes.
//!
//! With more than two seats [`Multiplayer`] says what the others do. *Paranoid* (Sturtevant and Korf 2000): all of them
//! minimise the value of the seat that searches. This leaves two sides, and everything above holds. *max^n* (Luckhardt
//! and Irani 1986): each maximises its own value, and a node has a value for every seat; with chance the values are
//! means (`expectimax^n`). Where seat *p* has an action worth `v_p`, an action of its is searched only as far as it may
//! be worth more than that, `φ`:
//!
//! - Below chance the successor *i* must be worth more than `A_i` to *p*, with `φ` for `α`: Star1's window from above.
//! - Where another seat *q* decides, what it has is worth `v_q` to it. With the sum of all values at most `S` the node
//!   is worth at most `S − v_q − (n − 2)·L` to *p*: shallow pruning (Korf 1991), directly below or below chance. Deep
//!   pruning is not sound for max^n and is not done.
//! - An action that is worth `U` to the seat that decides is the last that is searched (immediate pruning).
//!
//! With [`ChanceProbCut`] a shallower search predicts the value of a chance node, and settles it where the prediction is
//! far enough outside the window. This changes values.
//!
//! Ties: of actions with equal values for the seat that decides the first in the order of the search is played: by rank,
//! then in the order of the game; at the root of a deepening search the best action of the depth before comes first. In
//! max^n other seats' values depend on this, so values that differ by less than a billionth count as equal there:
//! rounding breaks no tie.

mod max_n;
mod prob_cut;
mod settings;
mod sided;
mod walk;
mod window;

pub use prob_cut::{ChanceProbCut, Prediction};
pub use settings::{Bounds, ChanceSearch, Multiplayer, Probing, StarSettings, Unprobed};
pub use walk::StarResult;

use super::budget::Meter;
use super::observer::Observer;
use crate::game::{Game, Heuristic, Turn};
use max_n::MaxN;
use sided::Sided;
use walk::{FixedDepth, Walk};

/// A search for one decision.
pub struct Star<'a, 'm, G: Game, H> {
    walk: Walk<'a, 'm, G, H>,
    settings: StarSettings,
}

impl<'a, 'm, G: Game, H: Heuristic<G>> Star<'a, 'm, G, H> {
    /// A search with these options. The meter's iterations are nodes; a search without deepening that runs out of them
    /// plays the best action it has seen.
    pub fn new(heuristic: &'a H, settings: StarSettings, meter: &'a mut Meter<'m>) -> Star<'a, 'm, G, H> {
        Star { walk: Walk::new(heuristic, meter), settings }
    }

    /// The same search, seen by this observer.
    #[must_use]
    pub fn with_observer(self, observer: Option<&'a dyn Observer<G::Action>>) -> Star<'a, 'm, G, H> {
        Star { walk: self.walk.with_observer(observer), ..self }
    }

    /// Searches from a position where a seat is to play.
    ///
    /// # Panics
    /// If no seat is to play at the root, or with [`Multiplayer::MaxN`] and [`ChanceSearch::Star2`] or a
    /// [`ChanceProbCut`]: both are for two sides.
    pub fn search(self, root: &G) -> StarResult<G::Action> {
        let Turn::Player(mover) = root.turn() else { panic!("the root must be a position in which a seat is to play") };
        let Star { walk, settings } = self;
        match settings.multiplayer {
            Multiplayer::Paranoid => Sided::new(walk, settings, root, mover).decide(root, &settings),
            Multiplayer::MaxN => MaxN::new(walk, settings, root, mover).decide(root, &settings),
        }
    }

    /// The values of the chance nodes right after actions of a position where a seat is to play, for the side that
    /// decides next: pairs of that with `reduction` plies fewer than the depth of the settings, and that to the depth,
    /// of which the action is the first ply. At most `most` nodes are searched, spread over the actions in the order of
    /// the search, and none more when the budget is spent. [`Prediction::fit`] makes the line of [`ChanceProbCut`] of
    /// them, which this search itself does not use.
    ///
    /// # Panics
    /// As [`search`](Star::search), and with max^n. If `reduction` is 0, or leaves no ply below chance.
    pub fn chance_values(self, root: &G, reduction: u32, most: usize) -> Vec<(f64, f64)> {
        let Turn::Player(mover) = root.turn() else { panic!("the root must be a position in which a seat is to play") };
        let Star { walk, settings } = self;
        assert!(settings.multiplayer == Multiplayer::Paranoid, "chance nodes are predicted for two sides");
        assert!(reduction > 0 && reduction + 1 < settings.depth, "a shallow search needs a ply below chance");
        let settings = StarSettings { prob_cut: None, ..settings };
        Sided::new(walk, settings, root, mover).chance_values(root, reduction, most)
    }
}
