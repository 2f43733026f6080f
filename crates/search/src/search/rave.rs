//! Rapid Action Value Estimation (Gelly and Silver 2007): an action's mean is mixed with the mean of all simulations in
//! which its seat made the same move at any later time, *all moves as first*.
//!
//! The value of a child is `(1 − β)·Q + β·Q̃` and UCT's exploration term, with the minimum-MSE schedule
//! `β = ñ / (n + ñ + 4·n·ñ·b²)`: `n` visits of the child with mean `Q`, `ñ` all-moves-as-first visits with mean `Q̃`, and the
//! bias `b` (Valdez Ameneyro et al. 2020, Equation 3; Galván et al. 2022, Equations 2 and 3). Two moves are the same if the
//! seat, the drawn outcome and the action are the same, or, more coarsely, if the game says that they are alike
//! ([`AmafSameness`]).

use super::policy::{Choice, Uct};

/// UCT with all-moves-as-first means.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rave {
    /// The exploration term.
    pub uct: Uct,
    /// The bias b.
    pub bias: f64,
}

evouct_base::named! {
    /// Which moves of a simulation count as first moves.
    #[derive(Default)]
    pub enum AmafMoves {
        /// Those made in the tree, from the node on, and those of the playout (Galván et al. 2022).
        #[default]
        TreeAndPlayout = "tree-and-playout",
        /// Those of the playout only (the authors' code of 2020).
        Playout = "playout",
    }

    /// For which nodes a simulation counts moves.
    #[derive(Default)]
    pub enum AmafScope {
        /// The nodes on its path and, beside them, those of all other outcomes of chance (Valdez Ameneyro et al. 2020).
        #[default]
        AllOutcomes = "all-tiles",
        /// The nodes on its path only.
        Path = "path",
    }

    /// Which moves of a seat count as the same.
    #[derive(Default)]
    pub enum AmafSameness {
        /// The same action after the same outcome of chance (both papers).
        #[default]
        Exact = "exact",
        /// Those to which the game gives the same [`likeness`](crate::game::Game::likeness). One move may then count
        /// for several actions of a node.
        Similar = "similar",
    }
}

/// How all-moves-as-first statistics are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct AmafSettings {
    /// Which moves count.
    pub moves: AmafMoves,
    /// For which nodes.
    pub scope: AmafScope,
    /// Which moves are the same.
    pub sameness: AmafSameness,
}

/// All-moves-as-first statistics of a node's edges: empty if they are not counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Amaf<'a> {
    pub visits: &'a [f64],
    pub sums: &'a [f64],
}

impl Rave {
    /// The weight of the all-moves-as-first mean: 1 if only that has been seen, 0 if it has not.
    #[inline]
    pub fn beta(&self, visits: f64, amaf_visits: f64) -> f64 {
        if amaf_visits == 0.0 { 0.0 } else { self.weight(visits, amaf_visits) }
    }

    /// The same where the child or its move has been seen.
    #[inline]
    fn weight(&self, visits: f64, amaf_visits: f64) -> f64 {
        amaf_visits / (visits + amaf_visits + 4.0 * visits * amaf_visits * self.bias * self.bias)
    }

    #[inline]
    pub(super) fn values(&self, choice: Choice, values: &mut [f64]) {
        self.uct.values(choice, values);
        let children = choice.means.iter().zip(choice.visits);
        let amaf = choice.amaf.visits.iter().zip(choice.amaf.sums);
        for ((value, (mean, visits)), (amaf_visits, sum)) in values.iter_mut().zip(children).zip(amaf) {
            // Without a jump, so that several children are computed at once. Where nothing is counted, the mixture is
            // no number.
            let beta = self.weight(*visits, *amaf_visits);
            let mixed = *value + beta * (sum / amaf_visits - mean);
            *value = if beta > 0.0 { mixed } else { *value };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::UcbForm;

    #[test]
    fn beta_by_hand() {
        let rave = |bias| Rave { uct: Uct { exploration: 0.0, form: UcbForm::Plain }, bias };
        // 6 / (2 + 6 + 4·2·6·0.25) = 6 / 20
        assert_eq!(rave(0.5).beta(2.0, 6.0), 0.3);
        // b = 10: at most 1/400, whatever is counted.
        assert_eq!(rave(10.0).beta(1.0, 1.0), 1.0 / 402.0);
        assert!(rave(10.0).beta(1.0, 1e9) <= 1.0 / 400.0);
        assert_eq!((rave(0.5).beta(5.0, 0.0), rave(0.5).beta(0.0, 5.0), rave(0.0).beta(5.0, 5.0)), (0.0, 1.0, 0.5));
    }

    #[test]
    fn values_mix_both_means_and_keep_the_exploration_term() {
        let rave = Rave { uct: Uct { exploration: 3.0, form: UcbForm::Plain }, bias: 0.5 };
        let amaf = Amaf { visits: &[6.0, 0.0], sums: &[60.0, 0.0] };
        let choice = Choice { means: &[4.0, 5.0], visits: &[2.0, 3.0], amaf, parent: 5.0, minimises: false };
        let mut values = [0.0; 2];
        rave.values(choice, &mut values);
        let bonus = |visits: f64| 3.0 * (5.0_f64.ln() / visits).sqrt();
        // 0.7·4 + 0.3·10
        assert!((values[0] - (5.8 + bonus(2.0))).abs() < 1e-12 && (values[1] - (5.0 + bonus(3.0))).abs() < 1e-12);
    }
}
