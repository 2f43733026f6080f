//! The types that fields of parameters may have.

use super::values::{Value, Values};
use super::words::Words;
use crate::named::Named;
use std::fmt::Debug;

/// A type of parameter.
pub trait ParameterType: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// The values that it takes if the parameter names no range.
    fn values() -> Values;

    /// Earlier spellings of values, each with the one of today.
    fn former() -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }

    /// As a value of the table.
    fn to_value(&self) -> Value;

    /// From a value of the table; none if the value is of another type.
    fn from_value(value: &Value) -> Option<Self>;
}

impl<T: Named> ParameterType for T {
    fn values() -> Values {
        Values::Name(T::names())
    }

    fn former() -> Vec<(&'static str, &'static str)> {
        T::FORMER.iter().map(|(was, value)| (*was, value.name())).collect()
    }

    fn to_value(&self) -> Value {
        Value::Name(self.name())
    }

    fn from_value(value: &Value) -> Option<T> {
        if let Value::Name(name) = value { T::of_name(name) } else { None }
    }
}

macro_rules! counts {
    ($($type:ty),*) => {$(
        impl ParameterType for $type {
            fn values() -> Values {
                Values::Count(0, <$type>::MAX as u64)
            }

            fn to_value(&self) -> Value {
                Value::Count(*self as u64)
            }

            fn from_value(value: &Value) -> Option<$type> {
                if let Value::Count(count) = value { (*count).try_into().ok() } else { None }
            }
        }
    )*};
}

counts!(u8, u32, u64, usize);

impl ParameterType for f64 {
    fn values() -> Values {
        Values::Real(f64::MIN, f64::MAX)
    }

    fn to_value(&self) -> Value {
        Value::Real(*self)
    }

    fn from_value(value: &Value) -> Option<f64> {
        if let Value::Real(number) = value { Some(*number) } else { None }
    }
}

impl ParameterType for bool {
    fn values() -> Values {
        Values::Flag
    }

    fn to_value(&self) -> Value {
        Value::Flag(*self)
    }

    fn from_value(value: &Value) -> Option<bool> {
        if let Value::Flag(flag) = value { Some(*flag) } else { None }
    }
}

impl ParameterType for String {
    fn values() -> Values {
        Values::Text
    }

    fn to_value(&self) -> Value {
        Value::Text(self.clone())
    }

    fn from_value(value: &Value) -> Option<String> {
        if let Value::Text(text) = value { Some(text.clone()) } else { None }
    }
}

impl ParameterType for Vec<&'static str> {
    fn values() -> Values {
        Values::Names(Vec::new())
    }

    fn to_value(&self) -> Value {
        Value::Names(self.clone())
    }

    fn from_value(value: &Value) -> Option<Vec<&'static str>> {
        if let Value::Names(names) = value { Some(names.clone()) } else { None }
    }
}

impl ParameterType for Vec<String> {
    fn values() -> Values {
        Values::Texts
    }

    fn to_value(&self) -> Value {
        Value::Texts(self.clone())
    }

    fn from_value(value: &Value) -> Option<Vec<String>> {
        if let Value::Texts(texts) = value { Some(texts.clone()) } else { None }
    }
}

impl ParameterType for Words {
    fn values() -> Values {
        Values::Words
    }

    fn to_value(&self) -> Value {
        Value::Text(self.to_string())
    }

    fn from_value(value: &Value) -> Option<Words> {
        if let Value::Text(text) = value { Words::parse(text) } else { None }
    }
}

/// A parameter that may be left out.
impl<T: ParameterType> ParameterType for Option<T> {
    fn values() -> Values {
        T::values()
    }

    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::Unset, T::to_value)
    }

    fn from_value(value: &Value) -> Option<Option<T>> {
        if *value == Value::Unset { Some(None) } else { T::from_value(value).map(Some) }
    }
}
