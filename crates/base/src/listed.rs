//! Values with names to which a program may add its own, as [`named`](mod@crate::named) has those with a fixed list.

use crate::parameter::{ParameterType, Value, Values};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::ops::Deref;
use std::sync::{PoisonError, RwLock};

/// A type of which there is a list of named values.
///
/// ```
/// use evouct_base::listed::{Chosen, List, Extensible};
///
/// struct Oven(&'static str, u32);
///
/// static OVENS: List<Oven> = List::new(&[&Oven("gas", 250)]);
///
/// impl Extensible for Oven {
///     const WHAT: &'static str = "oven";
///
///     fn listed_name(&self) -> &'static str {
///         self.0
///     }
///
///     fn list() -> &'static List<Oven> {
///         &OVENS
///     }
/// }
///
/// OVENS.add(&Oven("electric", 270))?;
/// assert_eq!(Chosen::<Oven>::of_name("electric").map(|oven| oven.1), Some(270));
/// assert_eq!(OVENS.add(&Oven("gas", 1)).unwrap_err(), "there is an oven \"gas\" already: give yours another name");
/// # Ok::<(), String>(())
/// ```
pub trait Extensible: Send + Sync + 'static {
    /// What each of them is, for errors.
    const WHAT: &'static str;

    /// The name of this value.
    fn listed_name(&self) -> &'static str;

    /// The list.
    fn list() -> &'static List<Self>;
}

/// The values that are known: those from the start, then those that were added.
pub struct List<T: ?Sized + 'static> {
    first: &'static [&'static T],
    added: RwLock<Vec<&'static T>>,
}

impl<T: ?Sized> List<T> {
    /// With these values from the start, at least one: the first is the default.
    pub const fn new(first: &'static [&'static T]) -> List<T> {
        List { first, added: RwLock::new(Vec::new()) }
    }

    /// All values.
    pub fn all(&self) -> Vec<&'static T> {
        let added = self.added.read().unwrap_or_else(PoisonError::into_inner);
        self.first.iter().chain(added.iter()).copied().collect()
    }
}

impl<T: Extensible + ?Sized> List<T> {
    /// Adds a value, before the first file is read that may name it.
    ///
    /// # Errors
    /// That its name is taken.
    pub fn add(&self, value: &'static T) -> Result<(), String> {
        let (name, an) = (value.listed_name(), if T::WHAT.starts_with(['a', 'e', 'o']) { "an" } else { "a" });
        if Chosen::<T>::of_name(name).is_some() {
            return Err(format!("there is {an} {} {name:?} already: give yours another name", T::WHAT));
        }
        self.added.write().unwrap_or_else(PoisonError::into_inner).push(value);
        Ok(())
    }
}

/// A value of a list, as a file names it.
pub struct Chosen<T: ?Sized + 'static>(&'static T);

impl<T: Extensible + ?Sized> Chosen<T> {
    /// The value of this name.
    pub fn of_name(name: &str) -> Option<Chosen<T>> {
        T::list().all().into_iter().find(|own| own.listed_name() == name).map(Chosen)
    }

    /// The names of all values.
    pub fn names() -> Vec<&'static str> {
        T::list().all().into_iter().map(T::listed_name).collect()
    }
}

impl<T: ?Sized> Copy for Chosen<T> {}

impl<T: ?Sized> Clone for Chosen<T> {
    fn clone(&self) -> Chosen<T> {
        *self
    }
}

impl<T: ?Sized> Deref for Chosen<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0
    }
}

impl<T: Extensible + ?Sized> Default for Chosen<T> {
    fn default() -> Chosen<T> {
        Chosen(T::list().first[0])
    }
}

impl<T: Extensible + ?Sized> PartialEq for Chosen<T> {
    fn eq(&self, other: &Chosen<T>) -> bool {
        self.listed_name() == other.listed_name()
    }
}

impl<T: Extensible + ?Sized> fmt::Debug for Chosen<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.listed_name())
    }
}

impl<T: Extensible + ?Sized> ParameterType for Chosen<T> {
    fn values() -> Values {
        Values::Name(Chosen::<T>::names())
    }

    fn to_value(&self) -> Value {
        Value::Name(self.listed_name())
    }

    fn from_value(value: &Value) -> Option<Chosen<T>> {
        if let Value::Name(name) = value { Chosen::of_name(name) } else { None }
    }
}

impl<T: Extensible + ?Sized> Serialize for Chosen<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.listed_name())
    }
}

impl<'de, T: Extensible + ?Sized> Deserialize<'de> for Chosen<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Chosen<T>, D::Error> {
        let name = String::deserialize(deserializer)?;
        Chosen::of_name(&name).ok_or_else(|| serde::de::Error::custom(format!("there is no {} {name:?}", T::WHAT)))
    }
}
