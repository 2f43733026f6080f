//! The table of a set of parameters.

use super::preset::Preset;
use super::values::{Value, Values};

/// Word in [`Parameter::unless`] for a default that a clock of the game replaces.
pub const CLOCK: &str = "clock";

/// A parameter without its type.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name in files and on the command line.
    pub name: &'static str,
    /// The spelling of earlier versions. Files may still use it, and identities of players are hashes over it.
    pub was: Option<&'static str>,
    /// What it does, in one sentence.
    pub about: &'static str,
    /// Which values it takes.
    pub values: Values,
    /// Earlier spellings of values, each with the one of today.
    pub former: Vec<(&'static str, &'static str)>,
    /// The default under `preset = "as-printed"`.
    pub text: Value,
    /// The default under `preset = "reference"`.
    pub reference: Value,
    /// It may be given only under this condition.
    pub only: Option<Condition>,
    /// It contradicts this value of another parameter if both are given.
    pub except: Option<Condition>,
    /// Parameters that replace its default if they are given, and [`CLOCK`].
    pub unless: &'static [&'static str],
    /// Whether a table needs it. Then it has no default.
    pub required: bool,
    /// Whether records name it even at its default.
    pub recorded: bool,
    /// Whether it makes decisions depend on a clock if it is given, so that games cannot be repeated.
    pub timed: bool,
    /// Whether games can be repeated only if it is true.
    pub repeats: bool,
    /// Its name with which a player sees the chance outcomes to come; none if it has no such name.
    pub peeks: Option<&'static str>,
    /// How it may change in the file of something that has begun.
    pub later: Later,
}

/// How a parameter may change in the file of something that has begun, when results may have been seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Later {
    /// Another value is refused, so that no result chooses it.
    #[default]
    Fixed,
    /// It may be extended: what is recorded stays a part of it.
    Extends,
    /// It may change: no result depends on it.
    Changes,
}

/// Condition that another parameter of the same set has a certain value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Name of the other parameter.
    pub parameter: &'static str,
    /// Its value, as it is printed.
    pub value: &'static str,
}

impl Parameter {
    /// The default under a preset.
    pub fn default(&self, preset: Preset) -> &Value {
        match preset {
            Preset::Text => &self.text,
            Preset::Reference => &self.reference,
        }
    }

    /// Whether this is the parameter of that name, spelled as today or as in earlier versions.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.was == Some(name)
    }

    /// Its spellings: the name and, if there is one, that of earlier versions.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        [Some(self.name), self.was].into_iter().flatten()
    }

    /// The name in identities and records, which never changes.
    pub fn recorded_name(&self) -> &'static str {
        self.was.unwrap_or(self.name)
    }
}

/// A typed set of parameters. Declare one with [`parameters!`](crate::parameters), or join sets with
/// [`parameter_groups!`](crate::parameter_groups).
pub trait Parameters: Sized + Send + Sync + 'static {
    /// The number of parameters.
    const COUNT: usize;

    /// The parameters in the order in which they are listed.
    fn table() -> Vec<Parameter>;

    /// The structure with these values, one for each row of the table. A value of another type than the row's counts as
    /// the default; values that went through [`Filled`](super::Filled) are always of the right type.
    fn read(values: &[Value]) -> Self;

    /// The structure with the defaults of a preset.
    fn defaults(preset: Preset) -> Self {
        let values: Vec<Value> = Self::table().iter().map(|row| row.default(preset).clone()).collect();
        Self::read(&values)
    }
}

/// No parameters.
impl Parameters for () {
    const COUNT: usize = 0;

    fn table() -> Vec<Parameter> {
        Vec::new()
    }

    fn read(_: &[Value]) {}
}
