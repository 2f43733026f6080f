//! The random player.

use crate::domain::{Domain, Kind};
use evouct_search::player::Random;

evouct_base::parameters! {
    /// Random play.
    struct RandomParameters<D: Domain> {
        /// How a move is drawn.
        policy: D::Playout = D::Playout::default();
    }
}

pub(super) fn kind<D: Domain>() -> Kind<D> {
    Kind::new(
        "random",
        "plays a random legal move",
        "Galván et al. 2022, IV-G; Valdez Ameneyro et al. 2020",
        |p: &RandomParameters<D>, key| Box::new(Random::new(p.policy, key)),
    )
}
