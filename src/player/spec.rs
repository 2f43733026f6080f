//! A player as configured: a kind, and a value for every parameter.

use super::contract::Player;
use super::kinds::{Kind, kind, kinds};
use super::parameter::{Raw, Value};
use crate::carcassonne::{Rules, State};
use crate::seed::{Identity, Key};
use crate::suggest::nearest;

/// Which defaults a player has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// The paper of 2022 as printed, its gaps filled soundly.
    #[default]
    Text,
    /// The authors' code of 2022 as it runs.
    Reference,
}

impl Preset {
    /// The names used in experiments.
    pub const NAMES: [(&'static str, Preset); 2] = [("text", Preset::Text), ("reference", Preset::Reference)];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Preset::Text => "text",
            Preset::Reference => "reference",
        }
    }
}

/// A kind of player with all its parameters resolved.
#[derive(Clone, Debug)]
pub struct Spec {
    kind: &'static Kind,
    /// In the order of the kind's parameters.
    values: Vec<Value>,
    /// Which were given, not defaulted.
    given: Vec<bool>,
}

/// Why something is no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct SpecError {
    /// The parameter at fault; none where it is the kind or the player as a whole.
    pub key: Option<String>,
    /// What was found, and what was expected.
    pub problem: String,
}

impl SpecError {
    /// A parameter.
    pub(super) fn of(key: &str, problem: String) -> SpecError {
        SpecError { key: Some(key.to_owned()), problem }
    }

    /// The player as a whole.
    pub(super) fn whole(problem: String) -> SpecError {
        SpecError { key: None, problem }
    }
}

impl Spec {
    /// A player of this kind with these parameters; the preset gives the others.
    ///
    /// # Errors
    /// An unknown kind or parameter, a value outside its domain, or values that contradict one another.
    pub fn resolve(kind_name: &str, given: &[(String, Raw)], preset: Preset) -> Result<Spec, SpecError> {
        let kind = kind(kind_name).ok_or_else(|| {
            let hint = nearest(kind_name, kinds().iter().map(|kind| kind.name));
            let hint = hint.map_or("see `evouct players`".to_owned(), |name| format!("did you mean {name}?"));
            SpecError::whole(format!("there is no kind of player called {kind_name:?}; {hint}"))
        })?;
        let default = |parameter: &super::parameter::Parameter| match preset {
            Preset::Text => parameter.text.clone(),
            Preset::Reference => parameter.reference.clone(),
        };
        let mut spec = Spec {
            kind,
            values: kind.parameters.iter().map(default).collect(),
            given: vec![false; kind.parameters.len()],
        };
        for (key, raw) in given {
            let Some(index) = kind.parameters.iter().position(|parameter| parameter.name == key) else {
                let hint = nearest(key, kind.parameters.iter().map(|parameter| parameter.name));
                let hint =
                    hint.map_or(format!("see `evouct players {}`", kind.name), |name| format!("did you mean {name}?"));
                return Err(SpecError::of(key, format!("{} has no parameter {key:?}; {hint}", kind.name)));
            };
            if spec.given[index] {
                return Err(SpecError::of(key, format!("{key} is given twice")));
            }
            let domain = &kind.parameters[index].domain;
            spec.values[index] = domain.accept(raw).ok_or_else(|| {
                let why = domain.explain(raw).map_or(String::new(), |why| format!(" ({why})"));
                SpecError::of(key, format!("{key} = {raw} is not {domain}{why}"))
            })?;
            spec.given[index] = true;
        }
        // Time without a number of iterations is a limit of its own.
        if spec.is_given("time_per_move") || spec.is_given("time_per_game") {
            spec.unset_default("iterations");
        }
        spec.check_together()?;
        Ok(spec)
    }

    /// Reads `kind` or `kind:key=value,key=value`. Commas inside parentheses belong to a formula.
    ///
    /// # Errors
    /// As [`resolve`](Spec::resolve).
    pub fn parse(text: &str, preset: Preset) -> Result<Spec, SpecError> {
        let (kind, parameters) = text.split_once(':').unwrap_or((text, ""));
        let mut given = Vec::new();
        for part in split_outside_parentheses(parameters) {
            let (key, value) = part
                .split_once('=')
                .ok_or_else(|| SpecError::of(part, format!("expected key=value, found {part:?}")))?;
            given.push((key.trim().to_owned(), Raw::Text(value.trim().to_owned())));
        }
        Spec::resolve(kind.trim(), &given, preset)
    }

    /// The kind.
    pub fn kind(&self) -> &'static Kind {
        self.kind
    }

    /// Parameter names with their values, in the order of the kind.
    pub fn values(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.kind.parameters.iter().map(|parameter| parameter.name).zip(&self.values)
    }

    /// The value of a parameter; [`Value::Unset`] where the kind has none of this name.
    pub fn value(&self, name: &str) -> &Value {
        self.values().find(|(known, _)| *known == name).map_or(&Value::Unset, |(_, value)| value)
    }

    /// Whether a parameter was given.
    pub fn is_given(&self, name: &str) -> bool {
        self.kind.parameters.iter().zip(&self.given).any(|(parameter, given)| *given && parameter.name == name)
    }

    fn unset_default(&mut self, name: &str) {
        let index = self.kind.parameters.iter().position(|parameter| parameter.name == name);
        if let Some(index) = index.filter(|index| !self.given[*index]) {
            self.values[index] = Value::Unset;
        }
    }

    /// Everything that makes the player what it is, as text: the kind, and each parameter whose value is not the default of
    /// the `text` preset. A parameter that a later version adds leaves it as it was.
    pub fn description(&self) -> String {
        let mut parts: Vec<String> = self
            .kind
            .parameters
            .iter()
            .zip(&self.values)
            .filter(|(parameter, value)| parameter.text != **value)
            .map(|(parameter, value)| format!("{}={value}", parameter.name))
            .collect();
        parts.sort_unstable();
        if parts.is_empty() { self.kind.name.to_owned() } else { format!("{}:{}", self.kind.name, parts.join(",")) }
    }

    /// The identity of the player, number `ordinal` of those described alike.
    pub fn identity(&self, ordinal: u32) -> Identity {
        Identity::of(&self.description(), ordinal)
    }

    /// A name made from the kind and the parameters that were given.
    pub fn default_name(&self) -> String {
        let parameters = self.kind.parameters.iter().zip(&self.values).zip(&self.given);
        let given: Vec<String> = parameters
            .filter(|(_, given)| **given)
            .map(|((parameter, value), _)| format!("{}={value}", parameter.name))
            .collect();
        if given.is_empty() { self.kind.name.to_owned() } else { format!("{}:{}", self.kind.name, given.join(",")) }
    }

    /// Whether its decisions can be repeated: not where a clock limits them.
    pub fn is_reproducible(&self) -> bool {
        *self.value("time_per_move") == Value::Unset && *self.value("time_per_game") == Value::Unset
    }

    /// Whether it can play under these rules.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn check_rules(&self, rules: &Rules) -> Result<(), SpecError> {
        if rules.seats > 2 && matches!(self.value("opponent"), Value::Name("negate-f" | "absolute")) {
            let problem = format!("opponent = {} is for two seats, found {}", self.value("opponent"), rules.seats);
            return Err(SpecError::of("opponent", problem));
        }
        if rules.seats > 2 && *self.value("depth") != Value::Unset {
            return Err(SpecError::whole(format!("{} is for two seats, found {}", self.kind.name, rules.seats)));
        }
        Ok(())
    }

    /// Makes the player for one game.
    pub fn player(&self, key: Key) -> Box<dyn Player<State>> {
        (self.kind.make)(self, key)
    }
}

/// Splits at commas that are not inside parentheses.
fn split_outside_parentheses(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth <= 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Spec::parse(text, Preset::Text).unwrap_err().to_string()
    }

    #[test]
    fn specs_parse_and_describe_themselves() {
        let spec = Spec::parse("mcts:iterations=2800,k=0.5", Preset::Text).unwrap();
        assert_eq!(spec.default_name(), "mcts:iterations=2800,k=0.5");
        assert_eq!(spec.description(), "mcts:iterations=2800,k=0.5");
        assert_eq!(*spec.value("iterations"), Value::Count(2800));
        assert_eq!(*spec.value("chance"), Value::Name("sampled"));
        // What is given but equal to the default does not make another player.
        let plain = Spec::parse("mcts", Preset::Text).unwrap();
        let same = Spec::parse("mcts:iterations=400", Preset::Text).unwrap();
        assert_eq!(plain.identity(0), same.identity(0));
        assert_ne!(plain.identity(0), plain.identity(1));
        assert_ne!(plain.identity(0), Spec::parse("mcts", Preset::Reference).unwrap().identity(0));
    }

    #[test]
    fn presets_follow_the_table_of_defaults() {
        let reference = Spec::parse("siea-mcts", Preset::Reference).unwrap();
        assert_eq!(
            reference.description(),
            "siea-mcts:chance=peek,evaluation=root-child,evo_tree=shared,first_iteration=playout,ln=clamp,\
             opponent=absolute,seed_k=per-use,semantics=rounded"
        );
        let overridden = Spec::parse("siea-mcts:chance=sampled", Preset::Reference).unwrap();
        assert_eq!(*overridden.value("chance"), Value::Name("sampled"));
    }

    #[test]
    fn a_formula_may_hold_commas() {
        let spec = Spec::parse("formula:formula=add(Q, div(c, n)),c=0.5,iterations=10", Preset::Text).unwrap();
        assert_eq!(*spec.value("formula"), Value::Formula("Q + c / n".to_owned()));
        assert_eq!(*spec.value("c"), Value::Real(0.5));
    }

    #[test]
    fn time_replaces_the_default_number_of_iterations() {
        let timed = Spec::parse("mcts:time_per_move=1.5", Preset::Text).unwrap();
        assert_eq!(*timed.value("iterations"), Value::Unset);
        assert!(!timed.is_reproducible());
        let both = Spec::parse("mcts:time_per_move=1.5,iterations=5000", Preset::Text).unwrap();
        assert_eq!(*both.value("iterations"), Value::Count(5000));
    }

    #[test]
    fn what_is_wrong_is_said_with_what_would_be_right() {
        assert_eq!(error("mtcs"), "there is no kind of player called \"mtcs\"; did you mean mcts?");
        assert_eq!(error("zzz"), "there is no kind of player called \"zzz\"; see `evouct players`");
        assert_eq!(error("mcts:iteration=4"), "mcts has no parameter \"iteration\"; did you mean iterations?");
        assert_eq!(error("mcts:iterations=0"), "iterations = \"0\" is not a whole number from 1 to 1000000000");
        assert_eq!(error("mcts:iterations"), "expected key=value, found \"iterations\"");
        assert_eq!(error("mcts:k=1,k=2"), "k is given twice");
        assert_eq!(
            error("mcts:chance=samled"),
            "chance = \"samled\" is not sampled | peek | open-loop | determinised (did you mean sampled?)"
        );
        assert_eq!(error("formula"), "formula is needed: a formula over Q, n, N, c and numbers with + - * / ln sqrt");
        assert_eq!(error("siea-mcts:alpha=5,beta=2"), "beta = 2 is not above alpha = 5");
        assert_eq!(
            error("star2:depth=4"),
            "depth = 4 cannot be searched to its end: star2 goes to 3, or deeper with deepening = true and a limit (nodes, \
             time_per_move, time_per_game)"
        );
        assert!(error("expectimax:depth=3").contains("expectimax goes to 2"));
        assert!(Spec::parse("expectimax:depth=5,deepening=true,nodes=1000", Preset::Text).is_ok());
        assert_eq!(error("star1:nodes=1000"), "nodes is for deepening = true, found false");
        assert_eq!(error("star1:upper=-200"), "upper = -200 is not above lower = -100");
        assert_eq!(error("star1:margin=20"), "margin is for bounds = dynamic, found fixed");
        assert_eq!(error("star1:bounds=dynamic,lower=-20"), "lower is for bounds = fixed, found dynamic");
        assert_eq!(error("star1:w_score=20"), "w_score is for evaluation = heyden, found difference");
        assert_eq!(
            error("star1:evaluation=heyden,lower=-100,upper=100"),
            "bounds -100 to 100 do not fit evaluation = heyden: expected at most -1000 and at least 1000, ten points"
        );
        assert!(error("star2:lower=50").starts_with("bounds 50 to 100 do not fit evaluation = difference"));
        assert_eq!(
            error("star2:evaluation=heyden,bounds=dynamic,margin=20"),
            "margin = 20 does not fit evaluation = heyden: expected at least 1000, ten points"
        );
        assert!(error("star2:evaluation=heyden,w_score=-100,lower=-1,upper=1").contains("do not fit"));
        assert!(Spec::parse("star1:evaluation=heyden,bounds=dynamic,w_score=500,margin=10000", Preset::Text).is_ok());
        // Expectimax has no bounds: nothing to be given, nothing to fit.
        assert!(error("expectimax:lower=-5").starts_with("expectimax has no parameter \"lower\""));
        assert!(Spec::parse("expectimax:evaluation=heyden,w_score=500", Preset::Text).is_ok());
        assert_eq!(
            error("mcts-rave:chance=open-loop"),
            "chance = open-loop keeps no rows of moves for mcts-rave; expected sampled | peek | determinised"
        );
        assert_eq!(error("mcts:decks=4"), "decks is for chance = determinised, found sampled");
        assert!(error("formula:formula=Q +").contains("column 4"));
    }

    #[test]
    fn some_options_are_for_two_seats() {
        let refusal = |text: &str| {
            let spec = Spec::parse(text, Preset::Reference).unwrap();
            assert!(spec.check_rules(&Rules::official(2)).is_ok());
            spec.check_rules(&Rules::official(3)).err().map(|error| error.to_string())
        };
        assert_eq!(refusal("ea-mcts").unwrap(), "opponent = absolute is for two seats, found 3");
        assert_eq!(refusal("star2").unwrap(), "star2 is for two seats, found 3");
        assert_eq!(["mcts", "mcts-rave", "flat-mc", "random"].map(refusal), [const { None }; 4]);
    }
}
