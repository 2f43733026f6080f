//! Parameters that are well formed one by one and contradict one another.

use super::groups::WEIGHTS;
use super::parameter::{Domain, Value};
use super::spec::{Spec, SpecError};

impl Spec {
    /// Refuses values that contradict one another, naming the parameter at fault.
    pub(super) fn check_together(&self) -> Result<(), SpecError> {
        self.check_evolution()?;
        self.check_tree()?;
        self.check_star()
    }

    /// Refuses a parameter that was given and serves only where another has a certain value.
    fn only_with(&self, name: &str, other: &str, wanted: &Value) -> Result<(), SpecError> {
        let found = self.value(other);
        if self.is_given(name) && found != wanted {
            return Err(SpecError::of(name, format!("{name} is for {other} = {wanted}, found {found}")));
        }
        Ok(())
    }

    fn check_evolution(&self) -> Result<(), SpecError> {
        if let [Value::Real(alpha), Value::Real(beta)] = ["alpha", "beta"].map(|name| self.value(name))
            && beta <= alpha
        {
            return Err(SpecError::of("beta", format!("beta = {beta} is not above alpha = {alpha}")));
        }
        let kind = self.kind().name;
        if kind == "formula" && *self.value("formula") == Value::Unset {
            return Err(SpecError::of("formula", format!("formula is needed: {}", Domain::Formula)));
        }
        if kind == "ea-p-mcts" && *self.value("evaluation") == Value::Name("full") {
            let problem = "evaluation = full expands the tree, which ea-p-mcts leaves alone";
            return Err(SpecError::of("evaluation", problem.to_owned()));
        }
        Ok(())
    }

    fn check_tree(&self) -> Result<(), SpecError> {
        self.only_with("decks", "chance", &Value::Name("determinised"))?;
        if self.kind().name == "mcts-rave" {
            let chance = self.value("chance");
            let policy = *self.value("final") == Value::Name("tree-policy");
            if *chance == Value::Name("open-loop") || (policy && *chance == Value::Name("determinised")) {
                let with = if policy { " with final = tree-policy" } else { "" };
                let others = if policy { "" } else { " | determinised" };
                let problem = format!(
                    "chance = {chance} keeps no rows of moves for mcts-rave{with}; expected sampled | peek{others}"
                );
                return Err(SpecError::of("chance", problem));
            }
        }
        Ok(())
    }

    fn check_star(&self) -> Result<(), SpecError> {
        let Value::Count(depth) = *self.value("depth") else { return Ok(()) };
        for bound in ["lower", "upper"] {
            self.only_with(bound, "bounds", &Value::Name("fixed"))?;
        }
        self.only_with("margin", "bounds", &Value::Name("dynamic"))?;
        for (weight, _) in WEIGHTS {
            self.only_with(weight, "evaluation", &Value::Name("heyden"))?;
        }
        for limit in ["nodes", "time_per_move", "time_per_game"] {
            self.only_with(limit, "deepening", &Value::Flag(true))?;
        }
        self.check_bounds()?;
        // A decision at these depths takes seconds; one ply more some thousand times as long.
        let deepest = if ["expectimax", "star1"].contains(&self.kind().name) { 2 } else { 3 };
        let limited =
            ["nodes", "time_per_move", "time_per_game"].iter().any(|limit| *self.value(limit) != Value::Unset);
        if depth > deepest && !limited {
            let problem = format!(
                "depth = {depth} cannot be searched to its end: {} goes to {deepest}, or deeper with deepening = true and a \
                 limit (nodes, time_per_move, time_per_game)",
                self.kind().name
            );
            return Err(SpecError::of("depth", problem));
        }
        Ok(())
    }

    /// Refuses bounds that a position with a small lead would break at once.
    fn check_bounds(&self) -> Result<(), SpecError> {
        let (least, worth) = (10.0 * self.point().abs(), self.value("evaluation"));
        let (key, problem) = match self.value("bounds") {
            Value::Name("fixed") => {
                let (lower, upper) = self.fixed_bounds();
                let key = if self.is_given("lower") && -lower < least { "lower" } else { "upper" };
                if upper <= lower {
                    ("upper", format!("upper = {upper} is not above lower = {lower}"))
                } else if -lower < least || upper < least {
                    let fits = format!("expected at most -{least} and at least {least}");
                    (key, format!("bounds {lower} to {upper} do not fit evaluation = {worth}: {fits}, ten points"))
                } else {
                    return Ok(());
                }
            }
            Value::Name(_) if self.margin() < least => {
                let fits = format!("expected at least {least}, ten points");
                ("margin", format!("margin = {} does not fit evaluation = {worth}: {fits}", self.margin()))
            }
            _ => return Ok(()),
        };
        Err(SpecError::of(key, problem))
    }
}
