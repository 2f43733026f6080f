//! Playouts and their rewards.

use crate::domain::Domain;
use crate::parameter::ParameterError;
use crate::search::Reward;

crate::parameters! {
    /// Playouts whose default reward is the difference of scores.
    pub(super) struct PlayoutParameters<D: Domain> {
        /// The default policy.
        playout: D::Playout = D::Playout::default();
        /// Reward of a playout: points, ±1, share of points, and more.
        reward: Reward = Reward::Difference;
    }
}

crate::parameters! {
    /// Playouts whose default reward is the share of points.
    pub(super) struct PortionPlayoutParameters<D: Domain> {
        /// The default policy.
        playout: D::Playout = D::Playout::default();
        /// Reward of a playout: points, ±1, share of points, and more.
        reward: Reward = Reward::Portion;
    }
}

/// Refuses a reward that needs the highest score of a game that knows none.
pub(super) fn check_reward<D: Domain>(reward: Reward, rules: &D::Rules) -> Result<(), ParameterError> {
    use crate::game::Game;
    use crate::named::Named;

    if reward.needs_bound() && D::start(rules).max_score().is_none() {
        let problem = format!("reward = {} needs a highest score, which {} does not know", reward.name(), D::NAME);
        return Err(ParameterError::of("reward", problem));
    }
    Ok(())
}
