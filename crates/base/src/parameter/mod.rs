//! Parameters: typed structures whose fields have a name, a range of values, defaults and documentation.
//!
//! Rules of games, kinds of player and the keys of experiment files are all declared with
//! [`parameters!`](crate::parameters). One declaration gives the structure that the program uses, the table that
//! `evouct players` prints, the errors, the identity of a player and the JSON Schema of experiment files.

mod error;
mod filled;
mod language;
mod macros;
mod preset;
mod table;
mod types;
mod values;
mod words;

pub use error::ParameterError;
pub use filled::Filled;
pub use language::{Language, Parsed, Unreadable};
pub use preset::Preset;
pub use table::{CLOCK, Condition, Later, Parameter, Parameters};
pub use types::ParameterType;
pub use values::{Raw, Value, Values};
pub use words::Words;
