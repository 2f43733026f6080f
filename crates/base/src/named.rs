//! Values that have names in files and on the command line.

use std::fmt::Debug;

/// Gives the values of an enum their names: `named!(Preset: Text = "text", Reference = "reference");`.
#[macro_export]
macro_rules! named {
    ($type:ty: $($value:ident = $name:literal),+ $(,)?) => {
        impl $crate::named::Named for $type {
            const NAMES: &'static [(&'static str, $type)] = &[$(($name, <$type>::$value)),+];
        }
    };
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
