//! What a search may use beside its tree policy: knowledge of the game and a value of actions that are not tried yet,
//! as formulas over a [`SearchColumn`](super::SearchColumn) or the game's numbers.

use crate::game::{Game, MoveNumbers};
use evouct_gp::{Column, ColumnValues, Needs, Program, Scratch};
use std::fmt::Debug;
use std::sync::Arc;

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

/// A backup of your own: what an action is worth after a simulation, in place of its mean reward.
///
/// The mean of the mean reward and of what follows by best play (Khandelwal et al. 2016 compare such backups):
///
/// ```
/// use evouct_search::search::{BackedUp, Backup};
///
/// #[derive(Debug)]
/// struct Half;
///
/// impl Backup for Half {
///     fn value(&self, edge: &BackedUp) -> f64 {
///         0.5 * (edge.mean + edge.next.unwrap_or(edge.mean))
///     }
/// }
/// ```
///
/// [`Guidance::backup`] gives it to a search.
pub trait Backup: Debug + Send + Sync {
    /// The value of an action for the seat that chose it. A value that is not finite leaves the mean reward.
    fn value(&self, edge: &BackedUp) -> f64;
}

/// An action after a simulation went through it, as a [`Backup`] sees it.
#[derive(Clone, Copy, Debug)]
pub struct BackedUp {
    /// Its visits, this one included.
    pub visits: f64,
    /// Its mean reward over them.
    pub mean: f64,
    /// The reward of this simulation.
    pub reward: f64,
    /// The best value among the tried actions of the decision that follows, the mean over outcomes of chance by their
    /// visits, negated if another seat decides: for two seats. None if none was tried.
    pub next: Option<f64>,
}

/// The prior of moves: the softmax of a formula over what the game tells of each (Silver et al. 2017 learn it; here it is
/// given). Computed once for each node.
#[derive(Clone, Debug)]
pub struct MovePolicy {
    /// The value of a move: a formula over numbers of moves.
    pub value: Program,
    /// Values are divided by this, above 0: a high one makes all moves alike, a low one prefers the best.
    pub temperature: f64,
}

impl MovePolicy {
    /// Pushes the prior of each of `count` moves; they add up to 1. `numbers` are columns of numbers by move, of which
    /// the last `count` entries count, and `names` their names.
    ///
    /// # Panics
    /// If the formula uses anything but these numbers.
    pub(super) fn push(
        &self,
        count: usize,
        (names, numbers): (&[&'static str], &[Vec<f64>]),
        memory: (&mut Scratch, &mut Vec<f64>),
        priors: &mut Vec<f64>,
    ) {
        let before = priors.len();
        push_over_numbers(&self.value, count, (names, numbers), memory, priors);
        softmax(&mut priors[before..], self.temperature);
    }
}

/// Pushes the value of a formula for each of `count` moves: see [`MovePolicy::push`]. The memory is that of the formula,
/// and what is overwritten.
///
/// # Panics
/// If the formula uses anything but these numbers.
pub(super) fn push_over_numbers(
    program: &Program,
    count: usize,
    (names, numbers): (&[&'static str], &[Vec<f64>]),
    (scratch, nothing): (&mut Scratch, &mut Vec<f64>),
    values: &mut Vec<f64>,
) {
    let column = |column: &Column| {
        let place = names.iter().position(|name| *column == Column::MoveNumber(name));
        let numbers = &numbers[place.expect("the formula is over numbers of moves")];
        &numbers[numbers.len() - count..]
    };
    let by_child: Vec<&[f64]> = program.needs().by_child.iter().map(column).collect();
    nothing.clear();
    nothing.resize(count, 0.0);
    let before = values.len();
    values.resize(before + count, 0.0);
    let columns = ColumnValues { by_child: &by_child, by_node: &[] };
    program.evaluate_over((nothing, nothing), (1.0, 1.0), columns, scratch, &mut values[before..]);
}

/// Replaces values by shares that add up to 1 and are proportional to `exp(value / temperature)`.
///
/// A value that is NaN has the share 0, as minus infinity has. Values of plus infinity share all. If no value is above
/// minus infinity, all shares are equal.
fn softmax(values: &mut [f64], temperature: f64) {
    let best = values.iter().copied().filter(|value| !value.is_nan()).fold(f64::NEG_INFINITY, f64::max);
    for value in &mut *values {
        *value = match *value {
            _ if best == f64::NEG_INFINITY => 1.0,
            value if value.is_nan() => 0.0,
            value if value == best => 1.0,
            // In software, so that it is the same on every machine.
            value => libm::exp((value - best) / temperature),
        };
    }
    let sum: f64 = values.iter().sum();
    values.iter_mut().for_each(|value| *value /= sum);
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
    /// What formulas know as `P`.
    pub policy: Option<MovePolicy>,
    /// Progressive widening.
    pub widening: Option<Widening>,
    /// Implicit minimax backups.
    pub implicit: Option<ImplicitMinimax>,
    /// What values of actions are in place of mean rewards.
    pub backup: Option<Arc<dyn Backup>>,
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
            policy: None,
            widening: None,
            implicit: None,
            backup: None,
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
            policy: self.policy.clone(),
            widening: self.widening.clone(),
            implicit: self.implicit.clone(),
            backup: self.backup.clone(),
            leaf: self.leaf.clone(),
            final_move: self.final_move.clone(),
            numbers: self.numbers.clone(),
        }
    }
}

impl<G: Game> Debug for Guidance<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Guidance");
        shown.field("untried", &self.untried).field("bias", &self.bias).field("prior", &self.prior);
        shown
            .field("policy", &self.policy)
            .field("widening", &self.widening)
            .field("implicit", &self.implicit)
            .field("backup", &self.backup)
            .field("leaf", &self.leaf)
            .field("final_move", &self.final_move);
        shown.field("numbers", &self.numbers).finish()
    }
}

impl<G: Game> Guidance<G> {
    /// Its formulas.
    fn programs(&self) -> impl Iterator<Item = &Program> {
        self.policy.as_ref().map(|policy| &policy.value).into_iter().chain(self.programs_at_nodes())
    }

    /// The same without that of the policy, which is evaluated once for each node.
    pub(super) fn programs_at_nodes(&self) -> impl Iterator<Item = &Program> {
        let untried = match &self.untried {
            Untried::Formula(program) => Some(program),
            _ => None,
        };
        let prior = self.prior.as_ref().map(|prior| &prior.mean);
        let order = self.widening.as_ref().and_then(|widening| widening.order.as_ref());
        let implicit = self.implicit.as_ref().map(|implicit| &implicit.value);
        let all = [untried, self.bias.as_ref(), prior, order, implicit];
        all.into_iter().chain([self.leaf.as_ref(), self.final_move.as_ref()]).flatten()
    }

    /// The columns that its formulas need.
    pub fn needs(&self) -> Needs {
        let mut needs = Needs::default();
        self.programs().flat_map(|program| program.needs().columns()).for_each(|column| needs.add(column));
        needs
    }

    /// Whether all children of a node are tried, in random order, before any is selected.
    pub(super) fn tries_all_first(&self) -> bool {
        matches!(self.untried, Untried::Expand) && self.prior.is_none() && self.widening.is_none()
    }

    /// The formula that orders untried children, and the part of it by which it does.
    pub(super) fn order_of_untried(&self) -> Option<(&Program, Program)> {
        let program = match (&self.untried, &self.prior) {
            (Untried::Formula(program), None) => program,
            (Untried::Expand, Some(prior)) => &prior.mean,
            _ => return None,
        };
        let part = program.tree().move_part()?;
        Some((program, Program::new(part, program.ln())))
    }

    /// The names of the numbers of moves that it has.
    pub(super) fn number_names(&self) -> &[&'static str] {
        self.numbers.as_ref().map_or(&[], |numbers| numbers.names())
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        matches!(self.untried, Untried::Expand)
            && self.widening.is_none()
            && self.backup.is_none()
            && self.programs().next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Correctly rounded values of exp by 60 decimal digits. Those of the library are within one unit in the last place,
    /// and the same on every machine.
    #[test]
    fn the_exponential_is_that_of_high_precision() {
        for (x, expected) in [
            (0.0, 0x3ff0000000000000),
            (-0.0, 0x3ff0000000000000),
            (-1e-9, 0x3fefffffff768fa1),
            (-0.1, 0x3fecf46d99d52b3a),
            (-0.5, 0x3fe368b2fc6f960a),
            (-std::f64::consts::LN_2, 0x3fe0000000000000),
            (-1.0, 0x3fd78b56362cef38),
            (-std::f64::consts::E, 0x3fb0e49787e20548),
            (-3.25, 0x3fa3da368521902d),
            (-12.345678901, 0x3ed23d2b69ec8f79),
            (-20.0, 0x3e21b48655f37267),
            (-37.0, 0x3c9898471fca6055),
            (-100.5, 0x36e01a0e5643644f),
            (-700.0, 0x00d14f2b0fb9307f),
            (-745.0, 0x0000000000000001_u64),
            (-746.0, 0),
            (f64::NEG_INFINITY, 0),
        ] {
            let found = libm::exp(x);
            assert!(found.to_bits().abs_diff(expected) <= 1, "exp({x}) = {found}");
        }
    }

    #[test]
    fn shares_by_hand() {
        let shares = |values: &[f64], temperature| {
            let mut shares = values.to_vec();
            softmax(&mut shares, temperature);
            shares
        };
        let (infinity, nan) = (f64::INFINITY, f64::NAN);
        for (found, expected) in shares(&[0.0, 2.0, 1.0], 0.5).iter().zip([-4.0_f64, 0.0, -2.0]) {
            let sum: f64 = [-4.0_f64, 0.0, -2.0].map(f64::exp).iter().sum();
            assert!((found - expected.exp() / sum).abs() < 1e-15, "{found}");
        }
        // Pinned: the same on every machine.
        let bits: Vec<u64> = shares(&[0.5, -1.25, 3.0], 1.5).iter().map(|share| share.to_bits()).collect();
        assert_eq!(bits, [0x3fc3606b525d200d, 0x3fa822c31c9a19fc, 0x3fe9a5b8f99f165d]);
        // Values far apart, and equal ones.
        assert_eq!(shares(&[1e300, 0.0, 1e300], 1.0), [0.5, 0.0, 0.5]);
        assert_eq!(shares(&[7.0; 4], 1e-6), [0.25; 4]);
        // NaN and infinities.
        assert_eq!(shares(&[nan, 1.0, -infinity], 1.0), [0.0, 1.0, 0.0]);
        assert_eq!(shares(&[infinity, 1.0, infinity, nan], 1.0), [0.5, 0.0, 0.5, 0.0]);
        assert_eq!(shares(&[nan, -infinity], 1.0), [0.5; 2]);
        assert_eq!(shares(&[nan], 1.0), [1.0]);
        assert_eq!(shares(&[], 1.0), [0.0; 0]);
    }

    #[test]
    fn widening_by_hand() {
        let widening = Widening { order: None, factor: 2.0, exponent: 0.5 };
        let allowed = [0.0, 1.0, 2.0, 4.0, 9.0, 100.0].map(|visits| widening.allowed(visits));
        // 2·sqrt(2) = 2.83, rounded up.
        assert_eq!(allowed, [1.0, 2.0, 3.0, 4.0, 6.0, 20.0]);
        assert_eq!(Widening { exponent: 0.0, ..widening }.allowed(1e6), 2.0);
    }
}
