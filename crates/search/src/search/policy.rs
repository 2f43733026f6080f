//! The tree policy: which child of a fully expanded node comes next.

use super::rave::{Amaf, Rave};
use super::search_column::SearchColumn;
use evouct_base::sampling::first_highest;
use evouct_gp::{ColumnValues, ConstantSet, LnRule, Needs, Program, Scratch};
use rand::Rng;
use std::fmt::Debug;
use std::sync::Arc;

evouct_base::named! {
    /// The form of UCT.
    #[derive(Default)]
    pub enum UcbForm {
        /// `Q + 2K·sqrt(2·ln N / n)` (Galván et al. 2022, Equation 1).
        #[default]
        Doubled = "doubled",
        /// `Q + C·sqrt(ln N / n)` (Valdez Ameneyro et al. 2020; Heyden 2009).
        Plain = "plain",
        /// `Q + C·sqrt(2·ln N / n)`: UCB1 (Auer et al. 2002) with a factor; the authors' code from November 2022.
        Ucb1 = "ucb1",
        /// UCB1-Tuned (Auer et al. 2002) for rewards whose range is K: `Q + sqrt(ln N / n · min(K²/4, V + K²·sqrt(2·ln
        /// N / n)))` with the variance `V` of the child's rewards. A search without variances takes K²/4.
        Tuned = "ucb1-tuned",
    }
}

/// UCT.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Uct {
    /// K or C, by the form.
    pub exploration: f64,
    /// The form.
    pub form: UcbForm,
}

impl Default for Uct {
    /// K = √2 in the form of Galván et al. 2022.
    fn default() -> Uct {
        Uct { exploration: std::f64::consts::SQRT_2, form: UcbForm::Doubled }
    }
}

/// A formula in place of UCT.
#[derive(Clone, Debug)]
pub struct FormulaPolicy {
    /// The compiled formula.
    pub program: Program,
    /// The value of `c`. If none, one is drawn at every use.
    pub constant: Option<f64>,
    /// What `c` is drawn from.
    pub constants: ConstantSet,
}

evouct_base::named! {
    /// How a formula applies to opponents.
    #[derive(Default)]
    pub enum Opponent {
        /// Each seat maximises f of its own mean reward (Galván et al. 2022 as printed).
        #[default]
        NegateQ = "negate-q",
        /// Opponents of the searching player minimise f of *its* mean reward. For two seats.
        NegateF = "negate-f",
        /// The second seat minimises f of the first seat's mean reward, whichever seat searches (the authors' code).
        /// For two seats.
        Absolute = "absolute",
    }
}

impl Opponent {
    /// Whether `mover` minimises f of the other seat's mean reward.
    #[inline]
    pub(super) fn minimises(self, mover: usize, searcher: usize) -> bool {
        match self {
            Opponent::NegateQ => false,
            Opponent::NegateF => mover != searcher,
            Opponent::Absolute => mover == 1,
        }
    }
}

/// Selects a child.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a search has one, and it is not copied")]
pub enum TreePolicy {
    /// UCT.
    Uct(Uct),
    /// UCT whose means are mixed with all-moves-as-first means.
    Rave(Rave),
    /// A formula.
    Formula(FormulaPolicy),
    /// A rule of your own.
    Custom(CustomPolicy),
}

/// A tree policy of your own: it values the children of a node, and the highest is selected.
///
/// [`Uct`] and [`Rave`] are such rules, too; a search has variants of [`TreePolicy`] for them, so that they cost no call.
///
/// UCB1 with the variance of rewards (UCB-V; Audibert, Munos, Szepesvári 2009) as a rule:
///
/// ```
/// use evouct_search::player::{Mcts, Selector};
/// use evouct_search::search::{Budget, CustomPolicy, NodeStatistics, SearchColumn, SelectionRule};
/// # use evouct_search::game::{Game, Scores, StreamDeck, Turn, Uniform};
/// # use evouct_search::player::{Player, PlayerView};
/// # use evouct_search::seed::Key;
/// # #[derive(Clone)]
/// # struct Nim { stones: u32, seat: usize }
/// # impl Game for Nim {
/// #     type Action = u32;
/// #     type Outcome = ();
/// #     type Deck = StreamDeck;
/// #     fn seats(&self) -> usize { 2 }
/// #     fn turn(&self) -> Turn { if self.stones > 0 { Turn::Player(self.seat) } else { Turn::Terminal } }
/// #     fn outcomes(&self, outcomes: &mut Vec<((), u32)>) { outcomes.clear() }
/// #     fn apply(&mut self, (): ()) {}
/// #     fn actions(&self, actions: &mut Vec<u32>) { *actions = (1..=2.min(self.stones)).collect() }
/// #     fn play(&mut self, taken: u32) { *self = Nim { stones: self.stones - taken, seat: 1 - self.seat } }
/// #     fn scores(&self) -> Scores {
/// #         let mut scores = Scores::default();
/// #         scores[1 - self.seat] = i32::from(self.stones == 0);
/// #         scores
/// #     }
/// # }
///
/// /// Rewards have this range.
/// #[derive(Debug)]
/// struct UcbV { range: f64 }
///
/// impl SelectionRule for UcbV {
///     fn columns(&self) -> Vec<SearchColumn> {
///         vec![SearchColumn::Deviation]
///     }
///
///     fn values(&self, node: &NodeStatistics, values: &mut [f64]) {
///         let (log, deviations) = (node.parent.ln(), node.column(SearchColumn::Deviation));
///         for (child, value) in values.iter_mut().enumerate() {
///             let (visits, deviation) = (node.visits[child], deviations[child]);
///             *value = node.means[child] + deviation * (2.0 * log / visits).sqrt() + 3.0 * self.range * log / visits;
///         }
///     }
/// }
///
/// let (nim, key) = (Nim { stones: 5, seat: 0 }, Key::experiment(1));
/// let selector = Selector::Custom(CustomPolicy::new(UcbV { range: 2.0 }));
/// let mut player = Mcts::<Nim>::new(selector, Budget::iterations(1_000), Uniform, key.seat(0));
/// let decision = player.decide(&PlayerView::of(&nim, &StreamDeck::of(key.deck(1))));
/// assert_eq!(decision.action, 2, "it leaves three stones");
/// ```
pub trait SelectionRule: Debug + Send + Sync {
    /// The statistics that it reads beside mean rewards and visits. All-moves-as-first statistics are in the columns `A`
    /// and `m`, for searches that count them.
    fn columns(&self) -> Vec<SearchColumn> {
        Vec::new()
    }

    /// Writes the value of each child of a node. NaN counts as minus infinity. A node whose children are tried first has
    /// visits for all; others have one visit where [`Untried`](super::Untried) values them.
    fn values(&self, node: &NodeStatistics, values: &mut [f64]);
}

/// A node as a [`SelectionRule`] sees it.
#[derive(Clone, Copy, Debug)]
pub struct NodeStatistics<'a> {
    /// Mean rewards of the children, from the view of the seat that chooses.
    pub means: &'a [f64],
    /// Visits of the children.
    pub visits: &'a [f64],
    /// Visits of the node.
    pub parent: f64,
    /// All-moves-as-first visits and sums of rewards of the children; empty if they are not counted.
    pub amaf: [&'a [f64]; 2],
    needs: Option<&'a Needs>,
    columns: ColumnValues<'a>,
}

impl<'a> NodeStatistics<'a> {
    fn of(choice: Choice<'a>, needs: Option<&'a Needs>, columns: ColumnValues<'a>) -> NodeStatistics<'a> {
        let Choice { means, visits, amaf, parent, .. } = choice;
        NodeStatistics { means, visits, parent, amaf: [amaf.visits, amaf.sums], needs, columns }
    }

    fn choice(&self) -> Choice<'a> {
        let NodeStatistics { means, visits, parent, amaf: [amaf_visits, sums], .. } = *self;
        Choice { means, visits, amaf: Amaf { visits: amaf_visits, sums }, parent, minimises: false }
    }

    /// A statistic of each child.
    ///
    /// # Panics
    /// If the rule did not ask for it, or if it is one of the node.
    pub fn column(&self, column: SearchColumn) -> &'a [f64] {
        let place = self.needs.and_then(|needs| needs.by_child.iter().position(|known| *known == column.column()));
        self.columns.by_child[place.expect("the rule names its columns")]
    }

    /// A statistic of the node.
    ///
    /// # Panics
    /// If the rule did not ask for it, or if it is one of the children.
    pub fn of_node(&self, column: SearchColumn) -> f64 {
        let place = self.needs.and_then(|needs| needs.by_node.iter().position(|known| *known == column.column()));
        self.columns.by_node[place.expect("the rule names its columns")]
    }
}

impl SelectionRule for Uct {
    fn values(&self, node: &NodeStatistics, values: &mut [f64]) {
        Uct::values(self, node.choice(), values);
    }
}

impl SelectionRule for Rave {
    fn values(&self, node: &NodeStatistics, values: &mut [f64]) {
        Rave::values(self, node.choice(), values);
    }
}

/// A [`SelectionRule`] in a search.
#[derive(Clone, Debug)]
pub struct CustomPolicy {
    rule: Arc<dyn SelectionRule>,
    needs: Needs,
}

impl CustomPolicy {
    /// The policy of a rule.
    pub fn new(rule: impl SelectionRule + 'static) -> CustomPolicy {
        CustomPolicy::shared(Arc::new(rule))
    }

    /// The same of a rule that others have, too.
    pub fn shared(rule: Arc<dyn SelectionRule>) -> CustomPolicy {
        let mut needs = Needs::default();
        rule.columns().into_iter().for_each(|column| needs.add(column.column()));
        CustomPolicy { rule, needs }
    }

    /// The statistics that it reads.
    pub fn needs(&self) -> &Needs {
        &self.needs
    }

    /// Kept apart, so that it is no part of the loop of other policies.
    #[inline(never)]
    fn values(&self, choice: Choice, columns: ColumnValues, values: &mut [f64]) {
        self.rule.values(&NodeStatistics::of(choice, Some(&self.needs), columns), values);
        values.iter_mut().filter(|value| value.is_nan()).for_each(|value| *value = f64::NEG_INFINITY);
    }
}

/// The inputs of a policy at a fully expanded node.
#[derive(Clone, Copy)]
pub(super) struct Choice<'a> {
    /// Mean rewards of the children, from the view of the seat that chooses.
    pub means: &'a [f64],
    /// Visits of the children.
    pub visits: &'a [f64],
    /// All-moves-as-first statistics of the children, if any.
    pub amaf: Amaf<'a>,
    /// Visits of the node.
    pub parent: f64,
    /// Whether the seat minimises the formula of the other seat's means (see [`Opponent`]).
    pub minimises: bool,
}

/// Memory that selection reuses.
#[derive(Debug, Default)]
pub(super) struct Values {
    values: Vec<f64>,
    negated: Vec<f64>,
    scratch: Scratch,
}

impl TreePolicy {
    /// The value of each child; the highest is selected. NaN counts as minus infinity.
    pub(super) fn values<'v>(&self, choice: Choice, memory: &'v mut Values, rng: &mut impl Rng) -> &'v [f64] {
        let Values { values, negated, scratch } = memory;
        values.resize(choice.means.len(), 0.0);
        match self {
            TreePolicy::Uct(uct) => uct.values(choice, values),
            TreePolicy::Rave(rave) => rave.values(choice, values),
            TreePolicy::Custom(custom) => custom.values(choice, ColumnValues::default(), values),
            TreePolicy::Formula(formula) => {
                let constant = formula.constant.unwrap_or_else(|| formula.constants.draw(rng));
                let means = if choice.minimises {
                    negated.clear();
                    negated.extend(choice.means.iter().map(|mean| -mean));
                    negated
                } else {
                    choice.means
                };
                formula.program.evaluate((means, choice.visits), (choice.parent, constant), scratch, values);
                let sign = if choice.minimises { -1.0 } else { 1.0 };
                for value in &mut *values {
                    *value = if value.is_nan() { f64::NEG_INFINITY } else { sign * *value };
                }
            }
        }
        values
    }

    /// The same if further columns are kept: those that the formula needs, in the order of its needs, or the variance
    /// of each child's rewards for UCB1-Tuned.
    pub(super) fn values_over<'v>(
        &self,
        choice: Choice,
        columns: ColumnValues,
        memory: &'v mut Values,
        rng: &mut impl Rng,
    ) -> &'v [f64] {
        match self {
            TreePolicy::Uct(uct) if uct.form == UcbForm::Tuned => {
                memory.values.resize(choice.means.len(), 0.0);
                uct.tuned_values(choice, columns.by_child[0], &mut memory.values);
                &memory.values
            }
            TreePolicy::Formula(formula) if !formula.program.needs().is_empty() => {
                let Values { values, scratch, .. } = memory;
                values.resize(choice.means.len(), 0.0);
                let constant = formula.constant.unwrap_or_else(|| formula.constants.draw(rng));
                let statistics = (choice.means, choice.visits);
                formula.program.evaluate_over(statistics, (choice.parent, constant), columns, scratch, values);
                for value in values.iter_mut().filter(|value| value.is_nan()) {
                    *value = f64::NEG_INFINITY;
                }
                values
            }
            TreePolicy::Custom(custom) => {
                memory.values.resize(choice.means.len(), 0.0);
                custom.values(choice, columns, &mut memory.values);
                &memory.values
            }
            _ => self.values(choice, memory, rng),
        }
    }

    /// The columns that the policy needs beside means and visits.
    pub(super) fn needs(&self) -> Needs {
        let mut needs = Needs::default();
        match self {
            TreePolicy::Formula(formula) => return formula.program.needs().clone(),
            TreePolicy::Custom(custom) => return custom.needs.clone(),
            _ if self.needs_variances() => needs.add(SearchColumn::Deviation.column()),
            _ => {}
        }
        needs
    }

    /// Whether the policy uses the variance of rewards.
    pub(super) fn needs_variances(&self) -> bool {
        matches!(self, TreePolicy::Uct(Uct { form: UcbForm::Tuned, .. }))
    }

    /// The child to select: the first of those with the highest value.
    #[inline]
    pub(super) fn select(&self, choice: Choice, memory: &mut Values, rng: &mut impl Rng) -> usize {
        first_highest(self.values(choice, memory, rng).iter().copied())
    }
}

impl Uct {
    #[inline]
    pub(super) fn values(&self, choice: Choice, values: &mut [f64]) {
        let logarithm = LnRule::Abs.apply(choice.parent.max(1.0));
        let (factor, numerator) = match self.form {
            UcbForm::Doubled => (2.0 * self.exploration, 2.0 * logarithm),
            UcbForm::Plain => (self.exploration, logarithm),
            UcbForm::Ucb1 => (self.exploration, 2.0 * logarithm),
            UcbForm::Tuned => (0.5 * self.exploration, logarithm),
        };
        for ((value, mean), visits) in values.iter_mut().zip(choice.means).zip(choice.visits) {
            *value = mean + factor * (numerator / visits).sqrt();
        }
    }
}

impl Uct {
    /// UCB1-Tuned with the variances of the children's rewards.
    fn tuned_values(&self, choice: Choice, variances: &[f64], values: &mut [f64]) {
        let logarithm = LnRule::Abs.apply(choice.parent.max(1.0));
        let range = self.exploration * self.exploration;
        let children = choice.means.iter().zip(choice.visits).zip(variances);
        for (value, ((mean, visits), variance)) in values.iter_mut().zip(children) {
            let bound = variance + range * (2.0 * logarithm / visits).sqrt();
            *value = mean + (logarithm / visits * bound.min(0.25 * range)).sqrt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_base::sampling::below;
    use evouct_base::seed::Key;
    use evouct_gp::Tree;

    fn formula(text: &str) -> TreePolicy {
        let program = Program::new(text.parse::<Tree>().unwrap(), LnRule::Abs);
        TreePolicy::Formula(FormulaPolicy { program, constant: Some(0.5), constants: ConstantSet::default() })
    }

    fn select(policy: &TreePolicy, means: &[f64], visits: &[f64], minimises: bool) -> usize {
        let amaf = Amaf::default();
        let choice = Choice { means, visits, amaf, parent: visits.iter().sum(), minimises };
        policy.select(choice, &mut Values::default(), &mut Key::experiment(1).stream())
    }

    #[test]
    fn the_seed_formula_is_uct_to_the_bit() {
        let mut rng = Key::experiment(7).stream();
        let program = Program::new(Tree::uct(), LnRule::Abs);
        let seed =
            TreePolicy::Formula(FormulaPolicy { program, constant: Some(0.5), constants: ConstantSet::default() });
        let uct = TreePolicy::Uct(Uct { exploration: 0.5, form: UcbForm::Doubled });
        for _ in 0..200 {
            let means: Vec<f64> = (0..50).map(|_| below(&mut rng, 999) as f64 / 7.0 - 60.0).collect();
            let visits: Vec<f64> = (0..50).map(|_| 1.0 + below(&mut rng, 40) as f64).collect();
            let choice = Choice {
                means: &means,
                visits: &visits,
                amaf: Amaf::default(),
                parent: visits.iter().sum(),
                minimises: false,
            };
            let (mut a, mut b) = (Values::default(), Values::default());
            let values =
                [seed.values(choice, &mut a, &mut rng).to_vec(), uct.values(choice, &mut b, &mut rng).to_vec()];
            assert_eq!(values[0], values[1]);
        }
    }

    #[test]
    fn a_formula_without_numbers_still_picks_a_move() {
        // Infinity minus infinity, for every child.
        let nothing = "N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N".to_owned();
        let huge = format!("({0} * {0} * {0} * {0} * {0} * {0} * {0} * {0} * {0} * {0})", nothing);
        let visits = [1e9, 1e9, 1e9];
        assert_eq!(select(&formula(&format!("{huge} - {huge}")), &[1.0, 2.0, 3.0], &visits, false), 0);
        assert_eq!(select(&formula(&format!("{huge} - {huge}")), &[1.0, 2.0, 3.0], &visits, true), 0);
        // Plus infinity is the best value; minus infinity is no better than NaN.
        assert_eq!(select(&formula(&format!("{huge} * Q")), &[-1.0, 0.0, 3.0], &visits, false), 2);
        assert_eq!(select(&formula(&format!("0 - {huge}")), &[1.0, 2.0, 3.0], &visits, false), 0);
    }

    #[test]
    fn ties_go_to_the_first_child() {
        assert_eq!(select(&formula("2"), &[1.0, 2.0, 3.0], &[1.0; 3], false), 0);
        assert_eq!(select(&formula("Q"), &[1.0, 3.0, 3.0], &[1.0; 3], false), 1);
    }

    #[test]
    fn a_minimising_seat_negates_mean_and_formula() {
        // -(−Q) is Q: the same choice. With a bonus, the bonus is minimised (the authors' code).
        assert_eq!(select(&formula("Q"), &[1.0, 3.0, 2.0], &[1.0; 3], true), 1);
        assert_eq!(select(&formula("Q + 1 / n"), &[2.0, 2.0], &[1.0, 9.0], false), 0);
        assert_eq!(select(&formula("Q + 1 / n"), &[2.0, 2.0], &[1.0, 9.0], true), 1);
        assert!(Opponent::Absolute.minimises(1, 1) && !Opponent::Absolute.minimises(0, 1));
        assert!(Opponent::NegateF.minimises(0, 1) && !Opponent::NegateF.minimises(1, 1));
    }
}
