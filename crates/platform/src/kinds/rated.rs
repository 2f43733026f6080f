//! Players that choose by a rating of moves, without search.

use super::guidance::{Formula, OfMove};
use super::playouts::formula_rater;
use crate::domain::{Domain, Kind};
use evouct_search::game::{RatedChoice, Rater};
use evouct_search::player::Rated;
use std::sync::Arc;

evouct_base::parameters! {
    /// A rating of moves on a roulette wheel.
    struct WheelParameters<D: Domain> {
        /// Rating of moves: a formula over the game's move numbers. Wide slots of the wheel have high ratings.
        rating: Formula<D, OfMove> = own_rating();
    }
}

/// The rating of the game that is a number of moves.
fn own_rating<D: Domain>() -> Formula<D, OfMove> {
    let name = D::RATERS.iter().find_map(|own| own.number).or(D::move_numbers().first().map(|number| number.name));
    let name = name.expect("only games with numbers of moves have wheels");
    Formula::of_number(name)
}

/// The kinds of a game that rates moves.
pub(super) fn kinds<D: Domain>() -> Vec<Kind<D>> {
    let named = D::RATERS.iter().map(|own| {
        Kind::new(own.name, own.about, own.source, |(): &(), key| {
            let rater: Arc<dyn Rater<D::Game>> = Arc::new(own.rater);
            Box::new(Rated::new(rater, RatedChoice::Best, key))
        })
    });
    let wheel = |name, about, by: RatedChoice| {
        Kind::new(name, about, "Müller 2014, 4.5.4 and 5.8.2", move |p: &WheelParameters<D>, key| {
            let rater = formula_rater(&p.rating).expect("the rating is over numbers of the game");
            Box::new(Rated::new(rater, by, key))
        })
    };
    let mut kinds: Vec<Kind<D>> = named.collect();
    if !D::move_numbers().is_empty() {
        kinds.push(wheel("roulette1", "a roulette wheel over the ratings of moves", RatedChoice::Roulette));
        kinds.push(wheel(
            "roulette2",
            "a roulette wheel over the first parts of moves, then one over the second parts",
            RatedChoice::RouletteByParts,
        ));
    }
    kinds
}
