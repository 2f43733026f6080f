//! The foundations of evouct: random streams derived from keys, sampling, typed parameters, and text for people.
//!
//! Every random number derives from a [`Key`](seed::Key), never from a thread, a rank or a clock. [`sampling`] is
//! pinned by test vectors, so a seed gives the same numbers in every version. [`parameters!`] declares a typed set of
//! parameters once; its table, errors, identity and schema follow.
//!
//! ```
//! use evouct_base::parameter::{Filled, Parameters, Preset, Raw, Values};
//! use evouct_base::sampling::{below, shuffle};
//! use evouct_base::seed::Key;
//!
//! // The second deck of an experiment is the same on every machine.
//! let mut stream = Key::experiment(2022).deck(2).stream();
//! let mut tiles: Vec<u32> = (0..5).collect();
//! shuffle(&mut stream, &mut tiles);
//! assert!(below(&mut stream, 6) < 6);
//!
//! evouct_base::parameters! {
//!     /// Rules of a dice game.
//!     pub struct DiceRules {
//!         /// Sides of a die.
//!         sides: u32 = 6, values = Values::Count(2, 100);
//!     }
//! }
//! assert_eq!(DiceRules::defaults(Preset::Text).sides, 6);
//! ```

#![warn(missing_docs, unreachable_pub)]

pub mod bits;
pub mod escape;
pub mod grouped;
pub mod listed;
pub mod named;
pub mod panic;
pub mod parameter;
pub mod phrase;
pub mod plural;
pub mod prefetch;
pub mod sampling;
pub mod seed;
pub mod stack;
pub mod suggest;
pub mod table;
pub mod wrap;

/// Whether a value is the default one, which records and reports leave out.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
