//! MCTS with a given formula in place of UCT.

use super::budget::BudgetParameters;
use super::playouts::PlayoutParameters;
use super::tree::{FinalParameters, OpponentParameters, TreeParameters, check_seats};
use crate::domain::{Domain, Kind};
use crate::evolve::SeedConstant;
use crate::gp::{LnRule, Tree};
use crate::parameter::{ParameterError, ParameterType, Value, Values};
use crate::player::{Mcts, Selector};
use crate::search::SearchSettings;

impl ParameterType for SeedConstant {
    fn values() -> Values {
        Values::NameOrReal(vec!["per-decision", "per-use"], 0.0, 1e6)
    }

    fn to_value(&self) -> Value {
        match self {
            SeedConstant::PerDecision => Value::Name("per-decision"),
            SeedConstant::PerUse => Value::Name("per-use"),
            SeedConstant::Fixed(constant) => Value::Real(*constant),
        }
    }

    fn from_value(value: &Value) -> Option<SeedConstant> {
        match value {
            Value::Name("per-decision") => Some(SeedConstant::PerDecision),
            Value::Name("per-use") => Some(SeedConstant::PerUse),
            Value::Real(constant) => Some(SeedConstant::Fixed(*constant)),
            _ => None,
        }
    }
}

crate::parameters! {
    /// A formula and how it is computed.
    struct FormulaParameters {
        /// The formula, infix or prefix.
        formula: Option<Tree> = None;
        /// The value of c in it: a number, or drawn from the paper's set.
        c: SeedConstant = SeedConstant::PerDecision, reference = SeedConstant::PerUse;
        /// Protection of ln: of the absolute value and 0 at 0, or clamped.
        ln: LnRule = LnRule::Abs, reference = LnRule::Clamp;
    }
}

crate::parameter_groups! {
    /// MCTS with a formula.
    struct FormulaMctsParameters<D: Domain> {
        /// The formula.
        formula: FormulaParameters;
        /// Limits.
        budget: BudgetParameters;
        /// Playouts.
        playouts: PlayoutParameters<D>;
        /// The tree.
        tree: TreeParameters;
        /// The final move.
        end: FinalParameters;
        /// Opponents.
        opponent: OpponentParameters;
    }
}

impl<D: Domain> FormulaMctsParameters<D> {
    fn check(&self) -> Result<(), ParameterError> {
        match &self.formula.formula {
            Some(_) => Ok(()),
            None => Err(ParameterError::of("formula", format!("formula is needed: {}", Values::Formula))),
        }
    }
}

pub(super) fn kind<D: Domain>() -> Kind<D> {
    Kind::new(
        "formula",
        "MCTS with a given formula in place of UCT",
        "Galván, Simpson, Valdez Ameneyro 2022",
        |p: &FormulaMctsParameters<D>, key| {
            let settings = p.tree.settings(&p.playouts, p.end.final_move);
            let settings = SearchSettings { opponent: p.opponent.opponent, ..settings };
            let FormulaParameters { formula, c, ln } = p.formula.clone();
            let selector = Selector::Formula { tree: formula.unwrap_or_else(Tree::uct), ln, constant: c };
            Box::new(Mcts::new(selector, p.budget.budget(), p.playouts.playout, key).with_settings(settings))
        },
    )
    .checked(FormulaMctsParameters::<D>::check)
    .under(|p: &FormulaMctsParameters<D>, rules| check_seats::<D>(p.opponent.opponent, &p.playouts, rules))
}
