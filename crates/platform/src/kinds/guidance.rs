//! Knowledge of the game in the tree: formulas over the statistics of a search and the numbers that a game gives for
//! moves.

use super::tree::{ChanceMode, TreeParameters};
use crate::domain::Domain;
use evouct_base::named::Named;
use evouct_base::parameter::{ParameterError, ParameterType, Value, Values};
use evouct_gp::{Column, Formulas, LnRule, Needs, Program, Scope, Terminal, Tree};
use evouct_search::game::{Game, MoveNumbers};
use evouct_search::search::{
    AmafSettings, FinalMove, Guidance, ImplicitMinimax, MovePolicy, Opponent, Prior, SearchColumn, SearchSettings,
    Untried, Widening,
};
use std::fmt::Debug;
use std::marker::PhantomData;

/// Which terminals a formula may use.
pub(super) trait Vocabulary: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// The terminals that do not depend on the game.
    fn terminals() -> Vec<Terminal>;

    /// Whether the numbers of moves are among them.
    const MOVES: bool = true;
}

/// All that a search has at a child, and `c`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OfSelection;

/// All that a search has at a child.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OfChild;

/// What is known after a playout.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OfLeaf;

/// All that is known of a move before it is played.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OfMove;

/// All that playouts know of a move before it is played.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OfPlayout;

impl Vocabulary for OfPlayout {
    fn terminals() -> Vec<Terminal> {
        SearchColumn::terminals(&[]).into_iter().filter(|terminal| terminal.is_in_playouts()).collect()
    }
}

impl Vocabulary for OfMove {
    fn terminals() -> Vec<Terminal> {
        Vec::new()
    }
}

impl Vocabulary for OfSelection {
    fn terminals() -> Vec<Terminal> {
        let mut terminals = SearchColumn::terminals(&[]);
        terminals.retain(|one| !matches!(one, Terminal::Column(column) if column.scope() == Scope::Playout));
        terminals
    }
}

impl Vocabulary for OfChild {
    fn terminals() -> Vec<Terminal> {
        OfSelection::terminals().into_iter().filter(|terminal| *terminal != Terminal::Constant).collect()
    }
}

impl Vocabulary for OfLeaf {
    fn terminals() -> Vec<Terminal> {
        SearchColumn::leaf_terminals(&[SearchColumn::Phase.terminal()])
    }

    const MOVES: bool = false;
}

/// A formula over the terminals of a vocabulary and the numbers that a game gives for moves.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Formula<D, V> {
    pub tree: Tree,
    names: PhantomData<(D, V)>,
}

impl<D: Domain, V: Vocabulary> Formula<D, V> {
    pub(super) fn terminals() -> Vec<Terminal> {
        let numbers = D::move_numbers().iter().chain(D::RATINGS).filter(|_| V::MOVES);
        let numbers = numbers.map(|number| Terminal::Column(Column::MoveNumber(number.name)));
        V::terminals().into_iter().chain(numbers).collect()
    }

    /// The formula that is one number: that of the game with this name, or a constant.
    pub(super) fn of_number(name: &str) -> Formula<D, V> {
        let tree = Tree::parse_over(name, &Self::terminals()).expect("a number of moves is a formula");
        Formula { tree, names: PhantomData }
    }
}

impl<D: Domain, V: Vocabulary> ParameterType for Formula<D, V> {
    fn values() -> Values {
        Formulas::over(Self::terminals())
    }

    fn to_value(&self) -> Value {
        self.tree.to_value()
    }

    fn from_value(value: &Value) -> Option<Formula<D, V>> {
        Tree::from_value(value).map(|tree| Formula { tree, names: PhantomData })
    }
}

evouct_base::named! {
    /// What a move without visits is worth.
    pub(super) enum FirstPlay {
        None = "none",
        Constant = "constant",
        Parent = "parent",
    }
}

evouct_base::parameters! {
    /// What a simulation is worth.
    pub(super) struct LeafParameters<D: Domain> {
        /// Worth of a simulation: a formula over R (reward of the playout), V (reward if the game ended where the
        /// playout began) and phase. Without one it is R.
        leaf: Option<Formula<D, OfLeaf>> = None;
    }
}

evouct_base::parameters! {
    /// The formula of the prior.
    pub(super) struct PriorFormula<D: Domain> {
        /// Prior of moves, for formulas that use P: a formula over what the game tells of a move, such as dv + 3*dm. P is
        /// its softmax over the moves of a node.
        policy: Option<Formula<D, OfMove>> = None;
    }
}

evouct_base::parameters! {
    /// The softmax that makes a prior of a formula.
    pub struct TemperatureParameters {
        /// Temperature T of the softmax: P is exp(policy / T), over the sum of all moves.
        policy_temperature: f64 = 1.0, values = Values::Real(1e-6, 1e6);
    }
}

evouct_base::parameter_groups! {
    /// The prior of moves.
    pub(super) struct PolicyParameters<D: Domain> {
        /// Its formula.
        formula: PriorFormula<D>;
        /// Its temperature.
        softmax: TemperatureParameters;
    }
}

impl TemperatureParameters {
    /// The policy by this formula.
    pub fn policy(&self, value: Program) -> MovePolicy {
        MovePolicy { value, temperature: self.policy_temperature }
    }
}

impl<D: Domain> PolicyParameters<D> {
    pub(super) fn policy(&self, ln: LnRule) -> Option<MovePolicy> {
        program(self.formula.policy.as_ref(), ln).map(|value| self.softmax.policy(value))
    }

    /// Refuses formulas that use P without a policy.
    pub(super) fn check(&self, key: &str, needs: &Needs) -> Result<(), ParameterError> {
        if self.formula.policy.is_some() || !uses_prior(needs) {
            return Ok(());
        }
        let example = D::move_numbers().first().map_or("0", |number| number.name);
        let problem =
            format!("{key} uses P, the prior of a move, without a policy; expected one, such as policy = {example}");
        Err(ParameterError::of(key, problem))
    }
}

fn uses_prior(needs: &Needs) -> bool {
    needs.by_child.contains(&SearchColumn::Prior.column())
}

evouct_base::parameters! {
    /// Knowledge of the game in the tree (Müller 2014, 3.4).
    pub(super) struct GuidanceParameters<D: Domain> {
        /// First-play urgency: none (all moves are tried before one is selected), constant (fpu_value), or parent (the
        /// mean of the node and fpu_value, with the exploration of one visit).
        fpu: FirstPlay = FirstPlay::None;
        /// Value of a move without visits, or what is added to the mean of the node. The default is 0. Alone it means
        /// fpu = constant.
        fpu_value: Option<f64> = None, values = Values::Real(-1e6, 1e6), except = "fpu" = "none";
        /// Progressive bias H: H / (n + 1) is added to the value of a move, such as 16*(dv+3*dm-2*fl).
        bias: Option<Formula<D, OfChild>> = None;
        /// Prior mean of every move, such as Qbar+dv. Without one it is Qbar, the mean of the node.
        prior: Option<Formula<D, OfChild>> = None;
        /// Virtual visits of every move with the prior mean. The default is 1 if prior is given, else there are none.
        prior_visits: Option<f64> = None, values = Values::Real(0.001, 1e6);
        /// Progressive widening: only the best moves by this formula are considered. Without one they come in random
        /// order.
        widening: Option<Formula<D, OfChild>> = None;
        /// Moves considered at a node with N visits: widening_factor·N^widening_exponent, rounded up, at least 1. The
        /// default is 1.
        widening_factor: Option<f64> = None, values = Values::Real(0.001, 1e6);
        /// The exponent. The default is 0.5.
        widening_exponent: Option<f64> = None, values = Values::Real(0.0, 1.0);
        /// Implicit minimax backups (Lanctot et al. 2014): heuristic value of a move on the scale of rewards, such as
        /// he. Without one it is dv or what else the game tells first of a move.
        implicit: Option<Formula<D, OfMove>> = None;
        /// Share of the heuristic value in the mean that the tree policy sees. The default is 0.4 if implicit is given,
        /// else there is none.
        implicit_weight: Option<f64> = None, values = Values::Real(0.0, 1.0);
    }
}

/// A compiled formula.
pub(super) fn program<D, V>(formula: Option<&Formula<D, V>>, ln: LnRule) -> Option<Program> {
    formula.map(|formula| Program::new(formula.tree.clone(), ln))
}

impl<D: Domain> LeafParameters<D> {
    pub(super) fn program(&self, ln: LnRule) -> Option<Program> {
        program(self.leaf.as_ref(), ln)
    }

    /// Refuses a phase that the game does not know.
    pub(super) fn check_columns(&self, rules: &D::Rules) -> Result<(), ParameterError> {
        self.leaf.as_ref().map_or(Ok(()), |leaf| check_columns::<D>("leaf", &leaf.tree.needs(), rules))
    }
}

impl<D: Domain> GuidanceParameters<D> {
    fn first_play(&self) -> FirstPlay {
        match (self.fpu, self.fpu_value) {
            (FirstPlay::None, Some(_)) => FirstPlay::Constant,
            (fpu, _) => fpu,
        }
    }

    fn has_prior(&self) -> bool {
        self.prior.is_some() || self.prior_visits.is_some()
    }

    fn backs_up(&self) -> bool {
        self.implicit.is_some() || self.implicit_weight.is_some()
    }

    fn widens(&self) -> bool {
        self.widening.is_some() || self.widening_factor.is_some() || self.widening_exponent.is_some()
    }

    /// The guidance without a leaf formula and a formula for the final move.
    pub(super) fn guidance(&self) -> Guidance<D::Game> {
        let ln = LnRule::Abs;
        let value = self.fpu_value.unwrap_or(0.0);
        let prior = self.has_prior().then(|| Prior {
            mean: program(self.prior.as_ref(), ln)
                .unwrap_or_else(|| Program::new(Tree::leaf(SearchColumn::NodeMean.terminal()), ln)),
            visits: self.prior_visits.unwrap_or(1.0),
        });
        let widening = self.widens().then(|| Widening {
            order: program(self.widening.as_ref(), ln),
            factor: self.widening_factor.unwrap_or(1.0),
            exponent: self.widening_exponent.unwrap_or(0.5),
        });
        let untried = match self.first_play() {
            FirstPlay::None => Untried::Expand,
            FirstPlay::Constant => Untried::Constant(value),
            FirstPlay::Parent => Untried::NodeMean(value),
        };
        let weight = self.implicit_weight.unwrap_or(0.4);
        let value = program(self.implicit.as_ref(), ln).or_else(|| {
            let first = self.implicit_weight.and(D::move_numbers().first())?;
            Some(Program::new(Tree::leaf(Terminal::Column(Column::MoveNumber(first.name))), ln))
        });
        let implicit = value.map(|value| ImplicitMinimax { value, weight });
        Guidance { untried, bias: program(self.bias.as_ref(), ln), prior, widening, implicit, ..Guidance::default() }
    }

    /// Refuses columns that the game does not have under these rules.
    pub(super) fn check_columns(&self, leaf: &LeafParameters<D>, rules: &D::Rules) -> Result<(), ParameterError> {
        for (key, formula) in self.formulas() {
            check_columns::<D>(key, &formula.tree.needs(), rules)?;
        }
        let seats = D::seats(rules);
        if self.backs_up() && seats > 2 {
            return Err(ParameterError::of("implicit", format!("implicit is for two seats, found {seats}")));
        }
        leaf.check_columns(rules)
    }

    fn formulas(&self) -> impl Iterator<Item = (&'static str, &Formula<D, OfChild>)> {
        let formulas = [("bias", &self.bias), ("prior", &self.prior), ("widening", &self.widening)];
        formulas.into_iter().filter_map(|(key, formula)| Some((key, formula.as_ref()?)))
    }

    /// Refuses options that contradict one another: each of three says when a move is tried for the first time.
    pub(super) fn check(
        &self,
        policy: &PolicyParameters<D>,
        tree: &TreeParameters,
        final_move: FinalMove,
    ) -> Result<(), ParameterError> {
        self.formulas().try_for_each(|(key, formula)| policy.check(key, &formula.tree.needs()))?;
        let options =
            [("fpu", self.first_play() != FirstPlay::None), ("prior", self.has_prior()), ("widening", self.widens())];
        let given: Vec<&str> = options.iter().filter(|(_, given)| *given).map(|(name, _)| *name).collect();
        if let [first, second, ..] = given[..] {
            let problem =
                format!("{second} and {first} both say when a move is tried for the first time; expected one of them");
            return Err(ParameterError::of(second, problem));
        }
        if self.implicit_weight.is_some() && self.implicit.is_none() && D::move_numbers().is_empty() {
            let problem = format!("implicit is needed: {} has no move numbers", D::NAME);
            return Err(ParameterError::of("implicit_weight", problem));
        }
        let others = self.bias.as_ref().map(|_| "bias").or(self.backs_up().then_some("implicit"));
        let used = given.first().copied().or(others);
        used.map_or(Ok(()), |used| check_rows(used, tree, final_move == FinalMove::TreePolicy))
    }
}

/// Formulas that need further columns need rows of moves, and the final move by such a formula needs one tree.
pub(super) fn check_rows(key: &str, tree: &TreeParameters, decides: bool) -> Result<(), ParameterError> {
    let chance = tree.chance;
    let refused = chance == ChanceMode::OpenLoop || (decides && chance == ChanceMode::Determinised);
    if !refused {
        return if decides { tree.check_one_tree(key) } else { Ok(()) };
    }
    let (name, others) = (chance.name(), if decides { "" } else { " | determinised" });
    let with = if decides { " that decides the final move" } else { "" };
    let problem = format!(
        "{key}{with} needs rows of moves, which chance = {name} does not keep; expected sampled | peek{others}"
    );
    Err(ParameterError::of("chance", problem))
}

/// Refuses formulas with further columns if the seats do not maximise their own rewards.
pub(super) fn check_opponent(key: &str, needs: &Needs, opponent: Opponent) -> Result<(), ParameterError> {
    match needs.columns().next() {
        Some(column) if opponent != Opponent::NegateQ => {
            let (column, opponent) = (column.name(), opponent.name());
            let problem =
                format!("{key} uses {column}, for which opponent = {opponent} is not defined; expected negate-q");
            Err(ParameterError::of("opponent", problem))
        }
        _ => Ok(()),
    }
}

/// Refuses columns that the game does not have under these rules.
pub(super) fn check_columns<D: Domain>(key: &str, needs: &Needs, rules: &D::Rules) -> Result<(), ParameterError> {
    let start = D::start(rules);
    for column in needs.columns() {
        let missing = match SearchColumn::of(column) {
            Some(SearchColumn::Phase) => start.phase().is_none(),
            _ => false,
        };
        if missing {
            let problem = format!("{key} uses {}, which {} does not know", column.name(), D::NAME);
            return Err(ParameterError::of(key, problem));
        }
    }
    Ok(())
}

/// The guidance with the numbers of moves that its formulas and the selection formula use, and the settings with the
/// all-moves-as-first statistics that they use.
pub(super) fn complete<D: Domain>(
    guidance: Guidance<D::Game>,
    selection: &Needs,
    settings: SearchSettings,
) -> (Guidance<D::Game>, SearchSettings) {
    let mut needs = guidance.needs();
    selection.columns().for_each(|column| needs.add(column));
    if guidance.policy.is_some() && !uses_prior(&needs) {
        return complete::<D>(Guidance { policy: None, ..guidance }, selection, settings);
    }
    let names: Vec<&'static str> = needs.move_numbers().collect();
    let numbers = (!names.is_empty()).then(|| {
        let lists = [D::move_numbers(), D::RATINGS];
        MoveNumbers::of_lists(lists, D::fill_move_numbers, &names).expect("formulas use numbers of the game only")
    });
    let uses_amaf = needs
        .columns()
        .any(|column| matches!(SearchColumn::of(column), Some(SearchColumn::AmafMean | SearchColumn::AmafVisits)));
    let amaf = settings.amaf.or(uses_amaf.then(AmafSettings::default));
    (Guidance { numbers, ..guidance }, SearchSettings { amaf, ..settings })
}
