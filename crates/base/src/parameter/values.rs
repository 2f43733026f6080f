//! Values of parameters, and the ranges that they must lie in.

use super::language::{Language, Parsed, Unreadable};
use super::words::Words;
use crate::suggest::nearest;
use std::fmt;
use std::sync::Arc;

/// The values that a parameter takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// A whole number in this range, both ends included.
    Count(u64, u64),
    /// A number in this range, both ends included.
    Real(f64, f64),
    /// One of these names.
    Name(Vec<&'static str>),
    /// A list of these names, with at least one.
    Names(Vec<&'static str>),
    /// A list of these names, or an empty one.
    Subset(Vec<&'static str>),
    /// A list of numbers in this range, both ends included.
    Reals(f64, f64),
    /// One of these names, or a number in the range.
    NameOrReal(Vec<&'static str>, f64, f64),
    /// true or false.
    Flag,
    /// Text in a language of its own, such as a formula.
    Language(Arc<dyn Language>),
    /// Any text.
    Text,
    /// A list of texts, or an empty one.
    Texts,
    /// The words of a command line: a list of texts, or one text as [`Words`] reads it.
    Words,
}

/// A value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Not given and without a default.
    Unset,
    /// A whole number from 0.
    Count(u64),
    /// A number within the range of its parameter.
    Real(f64),
    /// A name of the list.
    Name(&'static str),
    /// Names of the list.
    Names(Vec<&'static str>),
    /// Several of them.
    Reals(Vec<f64>),
    /// true or false.
    Flag(bool),
    /// The meaning of such a text.
    Parsed(Parsed),
    /// Free text, for parameters that hold no name of a list.
    Text(String),
    /// Texts.
    Texts(Vec<String>),
}

impl Value {
    /// The value as TOML writes it. An unset value is an empty text.
    pub fn toml(&self) -> String {
        // A text is written alike in JSON and in TOML.
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let list = |items: Vec<String>| format!("[{}]", items.join(", "));
        match self {
            Value::Unset => String::new(),
            Value::Count(_) | Value::Real(_) | Value::Flag(_) => self.to_string(),
            Value::Name(_) | Value::Parsed(_) | Value::Text(_) => quoted(&self.to_string()),
            Value::Names(names) => list(names.iter().map(|name| quoted(name)).collect()),
            Value::Texts(texts) => list(texts.iter().map(|text| quoted(text)).collect()),
            Value::Reals(numbers) => list(numbers.iter().map(f64::to_string).collect()),
        }
    }
}

/// A value as it was given, before it is checked.
#[derive(Clone, Debug, PartialEq)]
pub enum Raw {
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Float(f64),
    /// A text: every value on a command line; names and formulas in a file.
    Text(String),
    /// true or false.
    Flag(bool),
    /// A list.
    List(Vec<Raw>),
}

impl Values {
    /// Whether a value is a list.
    pub fn is_list(&self) -> bool {
        match self {
            Values::Names(_) | Values::Subset(_) | Values::Reals(..) | Values::Texts | Values::Words => true,
            Values::Language(language) => language.separator().is_some(),
            _ => false,
        }
    }

    /// The names that it can be, or of which it is a list; empty if it is no name.
    pub fn names(&self) -> Vec<&'static str> {
        match self {
            Values::Name(names) | Values::Names(names) | Values::Subset(names) | Values::NameOrReal(names, ..) => {
                names.clone()
            }
            Values::Flag => vec!["true", "false"],
            _ => Vec::new(),
        }
    }

    /// The value given, if it is one of these.
    pub fn accept(&self, raw: &Raw) -> Option<Value> {
        match self {
            Values::Count(least, most) => {
                let count = match raw {
                    Raw::Integer(number) => u64::try_from(*number).ok()?,
                    Raw::Text(text) => text.parse().ok()?,
                    _ => return None,
                };
                (least..=most).contains(&&count).then_some(Value::Count(count))
            }
            Values::Real(least, most) => {
                let number = match raw {
                    Raw::Integer(number) => *number as f64,
                    Raw::Float(number) => *number,
                    Raw::Text(text) => text.parse().ok()?,
                    _ => return None,
                };
                (*least <= number && number <= *most).then_some(Value::Real(number))
            }
            Values::Name(names) => {
                let Raw::Text(text) = raw else { return None };
                names.iter().find(|name| *name == text).map(|name| Value::Name(name))
            }
            Values::Names(names) => {
                let given: Vec<&str> = match raw {
                    Raw::List(items) => items.iter().map(Raw::as_text).collect::<Option<_>>()?,
                    Raw::Text(text) => text.split('+').collect(),
                    _ => return None,
                };
                let known = |text: &&str| names.iter().find(|name| *name == text).copied();
                let found: Vec<&'static str> = given.iter().map(known).collect::<Option<_>>()?;
                let repeated = found.iter().enumerate().any(|(place, name)| found[..place].contains(name));
                (!found.is_empty() && !repeated).then_some(Value::Names(found))
            }
            Values::Subset(names) => match raw {
                Raw::List(items) if items.is_empty() => Some(Value::Names(Vec::new())),
                Raw::Text(text) if text.is_empty() => Some(Value::Names(Vec::new())),
                some => Values::Names(names.clone()).accept(some),
            },
            Values::Reals(least, most) => {
                let each = |raw: &Raw| match Values::Real(*least, *most).accept(raw) {
                    Some(Value::Real(number)) => Some(number),
                    _ => None,
                };
                let numbers: Option<Vec<f64>> = match raw {
                    Raw::List(items) => items.iter().map(each).collect(),
                    Raw::Text(text) => text.split('+').map(|part| each(&Raw::Text(part.to_owned()))).collect(),
                    single => each(single).map(|number| vec![number]),
                };
                Some(Value::Reals(numbers.filter(|numbers| !numbers.is_empty())?))
            }
            Values::NameOrReal(names, least, most) => {
                Values::Name(names.clone()).accept(raw).or_else(|| Values::Real(*least, *most).accept(raw))
            }
            Values::Flag => match raw {
                Raw::Flag(flag) => Some(Value::Flag(*flag)),
                Raw::Text(text) => text.parse().ok().map(Value::Flag),
                _ => None,
            },
            Values::Language(language) => raw.read(&**language)?.ok().map(Value::Parsed),
            Values::Text => raw.as_text().map(|text| Value::Text(text.to_owned())),
            Values::Texts => {
                let Raw::List(items) = raw else { return None };
                let texts = items.iter().map(|item| item.as_text().map(str::to_owned));
                texts.collect::<Option<_>>().map(Value::Texts)
            }
            Values::Words => {
                let words = match raw {
                    Raw::List(items) => {
                        let items: Option<Vec<&str>> = items.iter().map(Raw::as_text).collect();
                        Words::of(items?.into_iter().map(str::to_owned).collect())
                    }
                    raw => Words::parse(raw.as_text()?),
                };
                words.map(|words| Value::Text(words.to_string()))
            }
        }
    }

    /// Why a text is not of the language of these values; none if they have no language, or the text is of it.
    pub(super) fn unreadable(&self, raw: &Raw) -> Option<Unreadable> {
        let Values::Language(language) = self else { return None };
        raw.read(&**language)?.err()
    }

    /// Why a value was not accepted, beyond what [`Display`](fmt::Display) says: a nearest name, or what is wrong in a
    /// formula and, on lines of their own, where.
    pub fn explain(&self, raw: &Raw) -> Option<String> {
        match (self, raw) {
            (Values::Language(_), raw) => self.unreadable(raw).map(|error| error.problem),
            (
                Values::Name(names) | Values::NameOrReal(names, ..) | Values::Names(names) | Values::Subset(names),
                Raw::Text(text),
            ) => nearest(text, names.iter().copied()).map(|name| format!("did you mean {name}?")),
            (Values::Names(names) | Values::Subset(names), Raw::List(items)) => {
                let unknown = items.iter().filter_map(Raw::as_text).find(|text| !names.contains(text))?;
                let hint = nearest(unknown, names.iter().copied());
                hint.map(|name| format!("{unknown:?}: did you mean {name}?"))
            }
            _ => None,
        }
    }
}

impl Value {
    /// The value as JSON.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Value::Unset => serde_json::Value::Null,
            Value::Count(count) => (*count).into(),
            Value::Real(number) => (*number).into(),
            Value::Name(name) => (*name).into(),
            Value::Names(names) => names.clone().into(),
            Value::Reals(numbers) => numbers.clone().into(),
            Value::Flag(flag) => (*flag).into(),
            Value::Parsed(parsed) => parsed.text().into(),
            Value::Text(text) => text.clone().into(),
            Value::Texts(texts) => texts.clone().into(),
        }
    }
}

impl Raw {
    fn as_text(&self) -> Option<&str> {
        if let Raw::Text(text) = self { Some(text) } else { None }
    }

    /// Reads the value in a language; none if it is neither a text nor a list of texts where the language has lists.
    fn read(&self, language: &dyn Language) -> Option<Result<Parsed, Unreadable>> {
        let texts: Vec<&str> = match (self, language.separator()) {
            (Raw::List(items), Some(_)) => items.iter().map(Raw::as_text).collect::<Option<_>>()?,
            (raw, Some(separator)) => raw.as_text()?.split(separator).collect(),
            (raw, None) => vec![raw.as_text()?],
        };
        (!texts.is_empty()).then(|| language.read(&texts))
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::Count(least, u64::MAX) => write!(f, "a whole number from {least}"),
            Values::Count(least, most) => write!(f, "a whole number from {least} to {most}"),
            Values::Real(f64::MIN, f64::MAX) => f.write_str("a number"),
            Values::Real(least, most) => write!(f, "a number from {least} to {most}"),
            Values::Name(names) => f.write_str(&names.join(" | ")),
            Values::Names(names) | Values::Subset(names) => write!(f, "a list of {}", names.join(" | ")),
            Values::Reals(least, most) => write!(f, "a list of numbers from {least} to {most}"),
            Values::NameOrReal(names, least, most) => {
                write!(f, "{} | a number from {least} to {most}", names.join(" | "))
            }
            Values::Flag => f.write_str("true | false"),
            Values::Language(language) => f.write_str(&language.describe()),
            Values::Text => f.write_str("a text"),
            Values::Texts => f.write_str("a list of texts"),
            Values::Words => {
                f.write_str("a list of words such as [\"python3\", \"bot.py\"], or these words as one text")
            }
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
            Value::Names(names) => f.write_str(&names.join("+")),
            Value::Reals(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
                f.write_str(&numbers.join("+"))
            }
            Value::Flag(flag) => write!(f, "{flag}"),
            Value::Parsed(parsed) => f.write_str(parsed.text()),
            Value::Text(text) => f.write_str(text),
            Value::Texts(texts) => f.write_str(&texts.join("+")),
        }
    }
}

impl fmt::Display for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Raw::Integer(number) => write!(f, "{number}"),
            Raw::Float(number) => write!(f, "{number:?}"),
            Raw::Text(text) => write!(f, "{text:?}"),
            Raw::Flag(flag) => write!(f, "{flag}"),
            Raw::List(items) => {
                let items: Vec<String> = items.iter().map(Raw::to_string).collect();
                write!(f, "[{}]", items.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_accept_what_they_say() {
        let text = |text: &str| Raw::Text(text.to_owned());
        assert_eq!(Values::Count(1, 9).accept(&text("9")), Some(Value::Count(9)));
        assert_eq!(Values::Count(1, 9).accept(&Raw::Integer(10)), None);
        assert_eq!(Values::Count(0, 9).accept(&Raw::Integer(-1)), None);
        assert_eq!(Values::Real(0.0, 9.0).accept(&Raw::Integer(2)), Some(Value::Real(2.0)));
        assert_eq!(Values::Real(0.0, 9.0).accept(&text("NaN")), None);
        assert_eq!(Values::Name(vec!["a", "b"]).accept(&text("b")), Some(Value::Name("b")));
        assert_eq!(Values::Name(vec!["a", "b"]).accept(&Raw::Flag(true)), None);
        let either = Values::NameOrReal(vec!["per-use"], 0.0, 10.0);
        assert_eq!(either.accept(&text("per-use")), Some(Value::Name("per-use")));
        assert_eq!(either.accept(&text("0.5")), Some(Value::Real(0.5)));
        assert_eq!(Values::Flag.accept(&text("true")), Some(Value::Flag(true)));
        assert_eq!(Values::Name(vec!["sampled"]).explain(&text("samled")).unwrap(), "did you mean sampled?");
        let names = Values::Names(vec!["base", "river"]);
        assert_eq!(names.accept(&Raw::List(vec![text("base")])), Some(Value::Names(vec!["base"])));
        assert_eq!(names.accept(&text("river+base")), Some(Value::Names(vec!["river", "base"])));
        assert_eq!(names.accept(&Raw::List(vec![text("rivr")])), None);
        assert_eq!([Raw::List(vec![]), text("")].map(|empty| names.accept(&empty)), [None, None]);
        let subset = Values::Subset(vec!["base", "river"]);
        assert_eq!(
            [Raw::List(vec![]), text("")].map(|raw| subset.accept(&raw)),
            [const { Some(Value::Names(vec![])) }; 2]
        );
        assert_eq!(subset.accept(&text("river+base")), Some(Value::Names(vec!["river", "base"])));
        assert_eq!(subset.accept(&text("rivr")), None);
        assert_eq!(names.explain(&Raw::List(vec![text("rivr")])).unwrap(), "\"rivr\": did you mean river?");
    }
}
