//! What a search may use beside its tree policy: knowledge of the game and a value of actions that are not tried yet,
//! as formulas over a [`SearchColumn`](super::SearchColumn) or the game's numbers.

use crate::game::{Game, MoveNumbers};
use evouct_gp::{Needs, Program};

/// What an untried child is worth beside tried ones (first-play urgency).
#[derive(Clone, Debug, Default)]
pub enum Untried {
    /// Nothing: all children are tried before any is selected, in random order (Kocsis and Szepesvári 2006).
    #[default]
    Expand,
    /// This number, without an exploration term (Gelly and Wang 2006).
    Constant(f64),
    /// The mean reward over all children of the node and this number, with the exploration term of one visit.
    NodeMean(f64),
    /// The value of a formula for a child without visits.
    Formula(Program),
}

/// Node priors: virtual visits of every child (Gelly and Silver 2007; Müller 2014, 3.4.2).
///
/// A child with `n` visits and the mean `Q` has the mean `(n·Q + v·H) / (n + v)` and `n + v` visits in the tree policy;
/// the visits of the node are 1 and the sum of those (Müller, Algorithm 4). Virtual visits are not backpropagated.
#[derive(Clone, Debug)]
pub struct Prior {
    /// H.
    pub mean: Program,
    /// v, above 0.
    pub visits: f64,
}

/// Progressive widening: at a node with N visits the best `max(1, ceil(factor·N^exponent))` actions are considered
/// (Chaslot et al. 2008, Müller 2014, 3.4.3; the schedule of Couëtoux et al. 2011).
#[derive(Clone, Debug)]
pub struct Widening {
    /// Actions are tried from the highest value of this formula on; in random order where there is none, and among
    /// equals.
    pub order: Option<Program>,
    /// The factor, above 0.
    pub factor: f64,
    /// The exponent, 0 to 1.
    pub exponent: f64,
}

/// Implicit minimax backups (Lanctot et al. 2014; future work in Müller 2014, 6.3): beside mean rewards the tree keeps
/// the value of a heuristic. A new action has that of its move; an action that was followed has the mean, over the
/// outcomes of chance by their visits, of the best value of the next seat, negated if that is the other one. For two
/// seats.
#[derive(Clone, Debug)]
pub struct ImplicitMinimax {
    /// The heuristic value of a move for its seat, on the scale of rewards: a formula over what the game tells of the
    /// move.
    pub value: Program,
    /// α: the tree policy sees `(1 − α)·Q + α·v`.
    pub weight: f64,
}

impl Widening {
    /// The number of actions to consider at a node with this many visits.
    pub fn allowed(&self, visits: f64) -> f64 {
        // In software, so that it is the same on every machine.
        libm::ceil(self.factor * libm::pow(visits, self.exponent)).max(1.0)
    }
}

/// What guides a search. By default nothing does, and nothing is kept for it.
pub struct Guidance<G: Game> {
    /// What untried children are worth.
    pub untried: Untried,
    /// Progressive bias: `H / (n + 1)` is added to the value of a child (Chaslot et al. 2008; Müller 2014, 3.4.4).
    pub bias: Option<Program>,
    /// Node priors.
    pub prior: Option<Prior>,
    /// Progressive widening.
    pub widening: Option<Widening>,
    /// Implicit minimax backups.
    pub implicit: Option<ImplicitMinimax>,
    /// What a simulation is worth to a seat: over `R`, `V` and `phase`. The reward of the playout if there is none.
    pub leaf: Option<Program>,
    /// The value of a tried action of the root; the highest is played, in place of the settings' final move.
    pub final_move: Option<Program>,
    /// The numbers of moves that the formulas use, those of the tree policy included.
    pub numbers: Option<MoveNumbers<G>>,
}

impl<G: Game> Default for Guidance<G> {
    fn default() -> Guidance<G> {
        Guidance {
            untried: Untried::Expand,
            bias: None,
            prior: None,
            widening: None,
            implicit: None,
            leaf: None,
            final_move: None,
            numbers: None,
        }
    }
}

impl<G: Game> Clone for Guidance<G> {
    fn clone(&self) -> Guidance<G> {
        Guidance {
            untried: self.untried.clone(),
            bias: self.bias.clone(),
            prior: self.prior.clone(),
            widening: self.widening.clone(),
            implicit: self.implicit.clone(),
            leaf: self.leaf.clone(),
            final_move: self.final_move.clone(),
            numbers: self.numbers.clone(),
        }
    }
}

impl<G: Game> std::fmt::Debug for Guidance<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Guidance");
        shown.field("untried", &self.untried).field("bias", &self.bias).field("prior", &self.prior);
        shown
            .field("widening", &self.widening)
            .field("implicit", &self.implicit)
            .field("leaf", &self.leaf)
            .field("final_move", &self.final_move);
        shown.field("numbers", &self.numbers).finish()
    }
}

impl<G: Game> Guidance<G> {
    /// Its formulas.
    fn programs(&self) -> impl Iterator<Item = &Program> {
        let untried = match &self.untried {
            Untried::Formula(program) => Some(program),
            _ => None,
        };
        let prior = self.prior.as_ref().map(|prior| &prior.mean);
        let order = self.widening.as_ref().and_then(|widening| widening.order.as_ref());
        let implicit = self.implicit.as_ref().map(|implicit| &implicit.value);
        let all = [untried, self.bias.as_ref(), prior, order, implicit, self.leaf.as_ref(), self.final_move.as_ref()];
        all.into_iter().flatten()
    }

    /// The columns that its formulas need.
    pub fn needs(&self) -> Needs {
        let mut needs = Needs::default();
        self.programs().flat_map(|program| program.needs().columns()).for_each(|column| needs.add(column));
        needs
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        matches!(self.untried, Untried::Expand) && self.widening.is_none() && self.programs().next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widening_by_hand() {
        let widening = Widening { order: None, factor: 2.0, exponent: 0.5 };
        let allowed = [0.0, 1.0, 2.0, 4.0, 9.0, 100.0].map(|visits| widening.allowed(visits));
        // 2·sqrt(2) = 2.83, rounded up.
        assert_eq!(allowed, [1.0, 2.0, 3.0, 4.0, 6.0, 20.0]);
        assert_eq!(Widening { exponent: 0.0, ..widening }.allowed(1e6), 2.0);
    }
}
