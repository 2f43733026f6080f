//! Games that are written in Python, OpenSpiel's among them, as domains.
//!
//! Their positions are objects of Python with OpenSpiel's verbs. `evouct/games.py` finds and checks the classes; here is
//! what plays them. All of them share one type, [`PythonGame`]; a [`Class`] says which one a position is of.

mod class;
mod domain;
mod position;
mod register;
mod weights;

pub use register::{add_family, add_game, check_kinds};

pub use class::{Class, raising};
pub use position::{Number, Position};

use domain::PythonGame;
