//! Values that have names in files and on the command line.

use std::fmt::Debug;

/// Declares enums whose values have names. Documents, further derives and `pub` are as in any enum, and a name follows
/// each value.
/// The macro derives `Clone`, `Copy`, `PartialEq`, `Eq`, `Debug` and `Hash`.
///
/// ```
/// evouct_base::named! {
///     /// What a traffic light shows.
///     pub enum Light {
///         /// Wait.
///         Red = "red",
///         /// Go.
///         Green = "green",
///     }
/// }
/// ```
#[macro_export]
macro_rules! named {
    ($($(#[$meta:meta])* $vis:vis enum $type:ident {
        $($(#[$value_meta:meta])* $value:ident = $name:literal),+ $(,)?
    })+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        $vis enum $type {
            $($(#[$value_meta])* $value),+
        }

        impl $crate::named::Named for $type {
            const NAMES: &'static [(&'static str, $type)] = &[$(($name, $type::$value)),+];
        }
    )+};
}

/// A type with a fixed list of named values.
///
/// ```
/// use evouct_base::named::Named;
/// use evouct_base::parameter::Preset;
///
/// assert_eq!(Preset::Text.name(), "text");
/// assert_eq!(Preset::of_name("reference"), Some(Preset::Reference));
/// ```
pub trait Named: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// Every value with its name, in the order in which they are listed.
    const NAMES: &'static [(&'static str, Self)];

    /// The name of this value.
    ///
    /// # Panics
    /// If [`NAMES`](Named::NAMES) lacks the value.
    fn name(self) -> &'static str {
        let entry = Self::NAMES.iter().find(|(_, value)| *value == self);
        entry.map(|(name, _)| *name).expect("every value has a name")
    }

    /// The value with this name.
    fn of_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// All names, in the order of [`NAMES`](Named::NAMES).
    fn names() -> Vec<&'static str> {
        Self::NAMES.iter().map(|(name, _)| *name).collect()
    }
}
