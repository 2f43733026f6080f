//! Values that have names in files and on the command line.

use std::fmt::Debug;

/// Declares enums whose values have names. Documents, further derives and `pub` are as in any enum, and a name follows
/// each value; an earlier spelling of it may follow the name: `Text = "as-printed" | "text"`.
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
        $($(#[$value_meta:meta])* $value:ident = $name:literal $(| $was:literal)?),+ $(,)?
    })+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        $vis enum $type {
            $($(#[$value_meta])* $value),+
        }

        impl $crate::named::Named for $type {
            const NAMES: &'static [(&'static str, $type)] = &[$(($name, $type::$value)),+];
            const FORMER: &'static [(&'static str, $type)] = &[$($(($was, $type::$value),)?)+];
        }
    )+};
}

/// A type with a fixed list of named values.
///
/// ```
/// use evouct_base::named::Named;
/// use evouct_base::parameter::Preset;
///
/// assert_eq!(Preset::Text.name(), "as-printed");
/// assert_eq!(Preset::of_name("reference"), Some(Preset::Reference));
/// // An earlier spelling is read, and stays in records.
/// assert_eq!(Preset::of_name("text"), Some(Preset::Text));
/// assert_eq!(Preset::Text.recorded_name(), "text");
/// ```
pub trait Named: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// Every value with its name, in the order in which they are listed.
    const NAMES: &'static [(&'static str, Self)];

    /// Earlier spellings. Files and command lines may still use them, and what is recorded has them.
    const FORMER: &'static [(&'static str, Self)] = &[];

    /// The name of this value.
    ///
    /// # Panics
    /// If [`NAMES`](Named::NAMES) lacks the value.
    fn name(self) -> &'static str {
        let entry = Self::NAMES.iter().find(|(_, value)| *value == self);
        entry.map(|(name, _)| *name).expect("every value has a name")
    }

    /// The name in records, which never changes: the earlier spelling if there is one.
    fn recorded_name(self) -> &'static str {
        Self::FORMER.iter().find(|(_, value)| *value == self).map_or_else(|| self.name(), |(name, _)| name)
    }

    /// The value with this name, spelled as today or as in earlier versions.
    fn of_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().chain(Self::FORMER).find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// All names, in the order of [`NAMES`](Named::NAMES).
    fn names() -> Vec<&'static str> {
        Self::NAMES.iter().map(|(name, _)| *name).collect()
    }
}
