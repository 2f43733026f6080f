//! The player that rates moves without search.

use super::guidance::{Formula, OfMove};
use super::playouts::formula_rater;
use crate::domain::{Domain, Kind};
use evouct_gp::{Column, Node, Terminal};
use evouct_search::game::RatedChoice;
use evouct_search::player::{OnePly, Rated};

/// The first rating of a game: the default.
fn first<D: Domain>() -> Formula<D, OfMove> {
    let name = D::move_numbers().first().map_or("0", |number| number.name);
    Formula::of_number(name)
}

evouct_base::parameters! {
    /// A rating of moves.
    struct OnePlyParameters<D: Domain> {
        /// Rating of a move: a formula over what the game tells of it, such as dv + 3*dm. The highest is played, a
        /// random one among equals.
        rating: Formula<D, OfMove> = first();
    }
}

/// The kind, for a game that rates moves.
pub(super) fn kind<D: Domain>() -> Option<Kind<D>> {
    (!D::move_numbers().is_empty()).then(|| {
        Kind::new(
            "one-ply",
            "plays the move with the highest rating, no search",
            "Müller 2014, 5.1",
            |p: &OnePlyParameters<D>, key| {
                // A number of moves by itself needs no formula.
                let own = match p.rating.tree.nodes() {
                    [Node::Terminal(Terminal::Column(Column::MoveNumber(name)))] => {
                        D::move_numbers().iter().chain(D::RATINGS).find(|number| number.name == *name)
                    }
                    _ => None,
                };
                match own {
                    Some(number) => Box::new(OnePly::<D::Game>::new(number.value, key)),
                    None => {
                        let rater = formula_rater(&p.rating).expect("the rating is over numbers of the game");
                        Box::new(Rated::new(rater, RatedChoice::Best, key))
                    }
                }
            },
        )
    })
}
