//! Parameters of players: their domains, defaults and values.

use std::fmt;

/// What values a parameter takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// A whole number in this range, both ends included.
    Count(u64, u64),
    /// A number in this range, both ends included.
    Real(f64, f64),
    /// One of these names.
    Name(Vec<&'static str>),
    /// One of these names, or a number in the range.
    NameOrReal(Vec<&'static str>, f64, f64),
    /// true or false.
    Flag,
    /// A selection formula.
    Formula,
}

/// A value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Not given and without a default.
    Unset,
    /// A whole number.
    Count(u64),
    /// A number.
    Real(f64),
    /// A name of the domain.
    Name(&'static str),
    /// true or false.
    Flag(bool),
    /// A formula, in infix as [`Tree::infix`](crate::gp::Tree::infix) writes it.
    Formula(String),
}

/// A value as it was given, before it is held against a domain.
#[derive(Clone, Debug, PartialEq)]
pub enum Raw {
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Float(f64),
    /// A text: all that a command line has, and names and formulas in a file.
    Text(String),
    /// true or false.
    Flag(bool),
}

/// A parameter of a kind of player.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name in files and on the command line.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// What values it takes.
    pub domain: Domain,
    /// The default under `preset = "text"`.
    pub text: Value,
    /// The default under `preset = "reference"`.
    pub reference: Value,
}

impl Domain {
    /// The value given, if the domain has it.
    pub fn accept(&self, raw: &Raw) -> Option<Value> {
        match self {
            Domain::Count(least, most) => {
                let count = match raw {
                    Raw::Integer(number) => u64::try_from(*number).ok()?,
                    Raw::Text(text) => text.parse().ok()?,
                    _ => return None,
                };
                (least..=most).contains(&&count).then_some(Value::Count(count))
            }
            Domain::Real(least, most) => {
                let number = match raw {
                    Raw::Integer(number) => *number as f64,
                    Raw::Float(number) => *number,
                    Raw::Text(text) => text.parse().ok()?,
                    Raw::Flag(_) => return None,
                };
                (*least <= number && number <= *most).then_some(Value::Real(number))
            }
            Domain::Name(names) => {
                let Raw::Text(text) = raw else { return None };
                names.iter().find(|name| *name == text).map(|name| Value::Name(name))
            }
            Domain::NameOrReal(names, least, most) => {
                Domain::Name(names.clone()).accept(raw).or_else(|| Domain::Real(*least, *most).accept(raw))
            }
            Domain::Flag => match raw {
                Raw::Flag(flag) => Some(Value::Flag(*flag)),
                Raw::Text(text) => text.parse().ok().map(Value::Flag),
                _ => None,
            },
            Domain::Formula => {
                let Raw::Text(text) = raw else { return None };
                let tree: crate::gp::Tree = text.parse().ok()?;
                Some(Value::Formula(tree.infix()))
            }
        }
    }

    /// Why a value was not accepted, beyond what the domain says.
    pub fn explain(&self, raw: &Raw) -> Option<String> {
        match (self, raw) {
            (Domain::Formula, Raw::Text(text)) => text.parse::<crate::gp::Tree>().err().map(|error| error.to_string()),
            (Domain::Name(names) | Domain::NameOrReal(names, ..), Raw::Text(text)) => {
                crate::suggest::nearest(text, names.iter().copied()).map(|name| format!("did you mean {name}?"))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Domain::Count(least, u64::MAX) => write!(f, "a whole number from {least}"),
            Domain::Count(least, most) => write!(f, "a whole number from {least} to {most}"),
            Domain::Real(least, most) => write!(f, "a number from {least} to {most}"),
            Domain::Name(names) => f.write_str(&names.join(" | ")),
            Domain::NameOrReal(names, least, most) => {
                write!(f, "{} | a number from {least} to {most}", names.join(" | "))
            }
            Domain::Flag => f.write_str("true | false"),
            Domain::Formula => f.write_str("a formula over Q, n, N, c and numbers with + - * / ln sqrt"),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Unset => f.write_str("-"),
            Value::Count(count) => write!(f, "{count}"),
            Value::Real(number) => write!(f, "{number}"),
            Value::Name(name) => f.write_str(name),
            Value::Flag(flag) => write!(f, "{flag}"),
            Value::Formula(formula) => f.write_str(formula),
        }
    }
}

impl fmt::Display for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Raw::Integer(number) => write!(f, "{number}"),
            Raw::Float(number) => write!(f, "{number}"),
            Raw::Text(text) => write!(f, "{text:?}"),
            Raw::Flag(flag) => write!(f, "{flag}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_take_what_they_say() {
        let text = |text: &str| Raw::Text(text.to_owned());
        assert_eq!(Domain::Count(1, 9).accept(&text("9")), Some(Value::Count(9)));
        assert_eq!(Domain::Count(1, 9).accept(&Raw::Integer(10)), None);
        assert_eq!(Domain::Count(0, 9).accept(&Raw::Integer(-1)), None);
        assert_eq!(Domain::Real(0.0, 9.0).accept(&Raw::Integer(2)), Some(Value::Real(2.0)));
        assert_eq!(Domain::Real(0.0, 9.0).accept(&text("NaN")), None);
        assert_eq!(Domain::Name(vec!["a", "b"]).accept(&text("b")), Some(Value::Name("b")));
        assert_eq!(Domain::Name(vec!["a", "b"]).accept(&Raw::Flag(true)), None);
        let either = Domain::NameOrReal(vec!["per-use"], 0.0, 10.0);
        assert_eq!(either.accept(&text("per-use")), Some(Value::Name("per-use")));
        assert_eq!(either.accept(&text("0.5")), Some(Value::Real(0.5)));
        assert_eq!(Domain::Flag.accept(&text("true")), Some(Value::Flag(true)));
        assert_eq!(Domain::Formula.accept(&text("Q+1/n")), Some(Value::Formula("Q + 1 / n".to_owned())));
        assert_eq!(
            Domain::Formula.explain(&text("Q+")).unwrap(),
            "column 3: expected a number, Q, n, N, c or a function, found the end"
        );
        assert_eq!(Domain::Name(vec!["sampled"]).explain(&text("samled")).unwrap(), "did you mean sampled?");
    }
}
