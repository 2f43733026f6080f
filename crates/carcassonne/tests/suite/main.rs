//! The rules of Carcassonne beside other engines and by hand, and every search over it.

mod carcassonne;
mod conformance;
mod drawings;
mod evolution;
mod flat;
mod games;
mod learned;
mod multiplayer;
mod playouts;
mod portfolio;
mod prob_cut;
mod random_play;
mod rave;
mod reference;
mod rewards;
mod river;
mod search;
mod simple_players;
mod star;
mod termination;
mod trees;

/// The registry with Carcassonne in it.
mod registry {
    use evouct_base::parameter::{ParameterError, Preset};
    use evouct_base::seed::Key;
    use evouct_platform::domain::{Domain, Spec};
    use evouct_search::player::Player;

    pub(crate) fn spec(text: &str, preset: Preset) -> Result<Spec, ParameterError> {
        Spec::parse(evouct_carcassonne::add(), text, preset)
    }

    pub(crate) fn player<D: Domain>(spec: &Spec, key: Key) -> Box<dyn Player<D::Game>> {
        evouct_carcassonne::add();
        evouct_platform::registry::player::<D>(spec, key)
    }
}
