//! A player as configured: a kind, and a value for every parameter.

use super::kind::{AnyKinds, KindInfo};
use evouct_base::parameter::{CLOCK, Filled, Parameter, ParameterError, ParameterType, Parameters, Preset, Raw, Value};
use evouct_base::seed::Identity;
use evouct_base::suggest::nearest;

/// A kind of player of a game with all its parameters resolved.
#[derive(Clone, Debug)]
pub struct Spec {
    kind: &'static KindInfo,
    parameters: Filled,
}

/// Names of the field for kinds that have another one.
const FIELD_NAMES: [(&str, &str); 3] = [("uct", "mcts"), ("rave", "mcts-rave"), ("uct-rave", "mcts-rave")];

impl Spec {
    /// A player of a kind of this game with these parameters; the preset gives the others.
    ///
    /// # Errors
    /// An unknown kind; or every parameter that is unknown, given twice or out of range; or values that contradict one
    /// another.
    pub fn resolve(
        game: &dyn AnyKinds,
        kind_name: &str,
        given: &[(String, Raw)],
        preset: Preset,
    ) -> Result<Spec, Vec<ParameterError>> {
        let kinds = game.kinds();
        let kind = *kinds.iter().find(|kind| kind.name == kind_name).ok_or_else(|| {
            let in_the_field = FIELD_NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(kind_name));
            let wanted = in_the_field.map_or(kind_name, |(_, kind)| kind);
            let hint = nearest(wanted, kinds.iter().map(|kind| kind.name));
            let hint = hint.map_or("see `evouct players`".to_owned(), |name| format!("did you mean {name}?"));
            vec![ParameterError::whole(format!("there is no kind of player called {kind_name:?}; {hint}"))]
        })?;
        let hint = format!("see `evouct players {}`", kind.name);
        let parameters = Filled::resolve(kind.table, given, preset, (kind.name, &hint))?;
        game.check_player(kind, parameters.values()).map_err(|error| {
            let named = error.key.as_ref().is_none_or(|key| kind.table.iter().any(|row| row.name == key));
            debug_assert!(named, "{} has no parameter {:?}", kind.name, error.key);
            vec![error]
        })?;
        Ok(Spec { kind, parameters })
    }

    /// Reads `kind` or `kind:key=value,key=value`. Commas inside parentheses belong to a formula, those inside `'…'` or
    /// `"…"` to a word of a command.
    ///
    /// # Errors
    /// As [`resolve`](Spec::resolve), the first of its errors.
    pub fn parse(game: &dyn AnyKinds, text: &str, preset: Preset) -> Result<Spec, ParameterError> {
        let (kind, parameters) = kind_and_parameters(text)?;
        let raw = |(key, value): (&str, &str)| (key.to_owned(), Raw::Text(value.to_owned()));
        let given: Vec<(String, Raw)> = parameters.into_iter().map(raw).collect();
        Spec::resolve(game, kind, &given, preset).map_err(|mut errors| errors.swap_remove(0))
    }

    /// The kind.
    pub fn kind(&self) -> &'static KindInfo {
        self.kind
    }

    /// The parameters with their values.
    pub fn parameters(&self) -> &Filled {
        &self.parameters
    }

    /// The values, in the order of the kind's parameters.
    pub fn values(&self) -> &[Value] {
        self.parameters.values()
    }

    /// The value of the parameter of this type; none if the kind has no such parameter. Intended for types that belong
    /// to one parameter, such as [`LnRule`](evouct_gp::LnRule).
    pub fn parameter<T: ParameterType>(&self) -> Option<T> {
        let own = T::values();
        let (_, value) = self.parameters.rows().find(|(row, _)| row.values == own)?;
        T::from_value(value)
    }

    /// The parameters of a group; none if the kind does not have all of them.
    pub fn group<P: Parameters>(&self) -> Option<P> {
        let value = |row: &Parameter| self.parameters.rows().find(|(own, _)| own.name == row.name);
        let values: Option<Vec<Value>> = P::table().iter().map(|row| Some(value(row)?.1.clone())).collect();
        values.map(|values| P::read(&values))
    }

    /// The complete description of the player as text: the kind, and each parameter whose value is not the default of
    /// the preset as-printed. Identities are hashes of this text, so it uses the first spelling of each name.
    pub fn description(&self) -> String {
        self.with_parameters(self.parameters.description())
    }

    /// The player as `evouct play` takes it: the description without values that another one replaces.
    pub fn argument(&self) -> String {
        let unset = self.parameters.rows().filter(|(_, value)| **value == Value::Unset);
        self.with_parameters(self.parameters.description_without(&unset.map(|(row, _)| row.name).collect::<Vec<_>>()))
    }

    /// The same player in a game with a clock, which replaces budgets that are not given.
    #[must_use]
    pub fn under_clock(&self) -> Spec {
        Spec { parameters: self.parameters.clone().without_defaults_of(CLOCK), ..*self }
    }

    /// The identity of the player, number `ordinal` among identical ones.
    pub fn identity(&self, ordinal: u32) -> Identity {
        Identity::of(&self.description(), ordinal)
    }

    /// A name made from the kind and the parameters that were given.
    pub fn default_name(&self) -> String {
        let given: Vec<String> = self.parameters.given().map(|(row, value)| format!("{}={value}", row.name)).collect();
        self.with_parameters(given.join(","))
    }

    fn with_parameters(&self, parameters: String) -> String {
        if parameters.is_empty() { self.kind.name.to_owned() } else { format!("{}:{parameters}", self.kind.name) }
    }

    /// Whether its decisions can be repeated: not if a clock limits them, or if another program makes them that does
    /// not promise to repeat them.
    pub fn is_reproducible(&self) -> bool {
        self.check_reproducible().is_ok()
    }

    /// Whether its decisions can be repeated.
    ///
    /// # Errors
    /// The parameter by which they cannot.
    pub fn check_reproducible(&self) -> Result<(), ParameterError> {
        if self.kind.is_person() {
            return Err(ParameterError::whole(format!(
                "{}: the decisions of a person cannot be repeated",
                self.kind.name
            )));
        }
        let differs = |(row, value): &(&Parameter, &Value)| {
            row.timed && **value != Value::Unset || row.repeats && **value != Value::Flag(true)
        };
        let Some((row, value)) = self.parameters.rows().find(differs) else { return Ok(()) };
        let problem = if row.repeats {
            format!("{} = {value}: decisions cannot be repeated; expected {0} = true", row.name)
        } else {
            format!("{} = {value}: a clock limits decisions, so they cannot be repeated", row.name)
        };
        Err(ParameterError::of(row.name, problem))
    }

    /// Whether its search sees the real chance outcomes to come, in Carcassonne the order of the tiles.
    pub fn sees_deck(&self) -> bool {
        self.parameters.rows().any(|(row, value)| row.peeks.is_some_and(|name| *value == Value::Name(name)))
    }
}

/// Keys with their values, as texts.
type KeysAndValues<'a> = Vec<(&'a str, &'a str)>;

/// The kind, and the keys with their values, of `kind` or `kind:key=value,key=value`.
///
/// # Errors
/// If a part has no `=`.
pub fn kind_and_parameters(text: &str) -> Result<(&str, KeysAndValues<'_>), ParameterError> {
    let (kind, parameters) = text.split_once(':').unwrap_or((text, ""));
    let pair = |part| {
        let (key, value): (&str, &str) = str::split_once(part, '=')
            .ok_or_else(|| ParameterError::of(part, format!("expected key=value, found {part:?}")))?;
        Ok((key.trim(), value.trim()))
    };
    let pairs = split_outside_parentheses(parameters).into_iter().map(pair);
    Ok((kind.trim(), pairs.collect::<Result<_, _>>()?))
}

/// Splits at commas that are inside neither parentheses nor quotes.
pub fn split_outside_parentheses(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut quote) = (0_i32, 0, None);
    for (at, letter) in text.char_indices() {
        match letter {
            '\'' | '"' if quote.is_none() => quote = Some(letter),
            letter if quote == Some(letter) => quote = None,
            _ if quote.is_some() => {}
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
