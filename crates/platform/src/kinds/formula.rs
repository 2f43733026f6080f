//! MCTS with a given formula in place of UCT.

use super::budget::BudgetParameters;
use super::guidance::{
    self, Formula, LeafParameters, OfChild, OfSelection, PolicyParameters, check_columns, check_opponent, check_rows,
    program,
};
use super::playouts::PlayoutParameters;
use super::tree::{self, FinalParameters, OpponentParameters, TreeParameters};
use crate::domain::{Domain, Kind};
use evouct_base::named::Named;
use evouct_base::parameter::{ParameterError, ParameterType};
use evouct_gp::{LnRule, Tree};
use evouct_search::evolve::SeedConstant;
use evouct_search::player::{Mcts, Selector};
use evouct_search::search::{FinalMove, Guidance, Opponent, SearchSettings, Untried};

evouct_base::parameters! {
    /// A formula and how it is computed.
    struct FormulaParameters<D: Domain> {
        /// The formula, infix or prefix: the value of a move.
        formula: Option<Formula<D, OfSelection>> = None;
        /// The value of c in it: a number, or drawn from the paper's set.
        c: SeedConstant = SeedConstant::PerDecision, reference = SeedConstant::PerUse;
        /// Protection of ln: of the absolute value and 0 at 0, or clamped.
        ln: LnRule = LnRule::Abs, reference = LnRule::Clamp;
    }
}

evouct_base::parameters! {
    /// Further formulas of a search.
    struct FurtherFormulas<D: Domain> {
        /// Value of a move without visits beside those with visits. Without one all moves are tried before one is
        /// selected.
        untried: Option<Formula<D, OfChild>> = None;
        /// Value of a move at the end: the highest is played, in place of the parameter final.
        final_formula: Option<Formula<D, OfChild>> = None;
    }
}

evouct_base::parameter_groups! {
    /// MCTS with a formula.
    struct FormulaMctsParameters<D: Domain> {
        /// The formula.
        formula: FormulaParameters<D>;
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
        /// Further formulas.
        further: FurtherFormulas<D>;
        /// The prior of moves.
        policy: PolicyParameters<D>;
        /// What a simulation is worth.
        leaf: LeafParameters<D>;
    }
}

impl<D: Domain> FormulaMctsParameters<D> {
    fn check(&self) -> Result<(), ParameterError> {
        let Some(formula) = &self.formula.formula else {
            let values = Formula::<D, OfSelection>::values();
            return Err(ParameterError::of("formula", format!("formula is needed: {values}")));
        };
        let opponent = self.opponent.opponent;
        let needs = formula.tree.needs();
        self.policy.check("formula", &needs)?;
        check_opponent("formula", &needs, opponent)?;
        if !needs.is_empty() {
            check_rows("formula", &self.tree, self.end.final_move == FinalMove::TreePolicy)?;
        }
        for (key, decides, formula) in self.further_formulas() {
            self.policy.check(key, &formula.tree.needs())?;
            check_opponent(key, &formula.tree.needs(), opponent)?;
            check_rows(key, &self.tree, decides)?;
            if opponent != Opponent::NegateQ {
                let problem = format!("{key} is for opponent = negate-q, found {}", opponent.name());
                return Err(ParameterError::of(key, problem));
            }
        }
        let unused = self.further.final_formula.is_some() && self.end.final_move != FinalMove::Mean;
        if unused {
            let problem = format!("final = {} and final_formula exclude each other", self.end.final_move.name());
            return Err(ParameterError::of("final_formula", problem));
        }
        self.tree.check(&self.budget)?;
        self.playouts.check()
    }

    /// The further formulas: their keys, and whether they decide the final move.
    fn further_formulas(&self) -> impl Iterator<Item = (&'static str, bool, &Formula<D, OfChild>)> {
        let FurtherFormulas { untried, final_formula } = &self.further;
        let all = [("untried", false, untried), ("final_formula", true, final_formula)];
        all.into_iter().filter_map(|(key, decides, formula)| Some((key, decides, formula.as_ref()?)))
    }

    fn check_rules(&self, rules: &D::Rules) -> Result<(), ParameterError> {
        if let Some(formula) = &self.formula.formula {
            check_columns::<D>("formula", &formula.tree.needs(), rules)?;
        }
        for (key, _, formula) in self.further_formulas() {
            check_columns::<D>(key, &formula.tree.needs(), rules)?;
        }
        self.leaf.check_columns(rules)?;
        self.tree.check_rules::<D>()?;
        self.playouts.check_seats(self.opponent.opponent, rules)
    }

    fn guidance(&self) -> Guidance<D::Game> {
        let ln = self.formula.ln;
        Guidance {
            untried: program(self.further.untried.as_ref(), ln).map_or(Untried::Expand, Untried::Formula),
            final_move: program(self.further.final_formula.as_ref(), ln),
            leaf: self.leaf.program(ln),
            policy: self.policy.policy(ln),
            ..Guidance::default()
        }
    }
}

pub(super) fn kind<D: Domain>() -> Kind<D> {
    Kind::new(
        "formula",
        "MCTS with a given formula in place of UCT",
        "Galván, Simpson, Valdez Ameneyro 2022",
        |p: &FormulaMctsParameters<D>, key| {
            let settings = p.tree.settings(p.playouts.reward(), p.end.final_move);
            let settings = SearchSettings { opponent: p.opponent.opponent, ..settings };
            let FormulaParameters { formula, c, ln } = p.formula.clone();
            let selected = formula.map_or_else(Tree::uct, |formula| formula.tree);
            let (guidance, settings) = guidance::complete::<D>(p.guidance(), &selected.needs(), settings);
            let selector = Selector::Formula { tree: selected, ln, constant: c };
            let player = Mcts::new(selector, p.budget.budget(), p.playouts.policy(), key);
            let player = player.with_settings(settings).with_guidance(guidance).with_rewards(p.playouts.rule());
            tree::player::<D>(&p.tree, player)
        },
    )
    .checked(FormulaMctsParameters::<D>::check)
    .under(FormulaMctsParameters::<D>::check_rules)
}
