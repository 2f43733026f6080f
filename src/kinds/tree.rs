//! Search in a tree.

use super::playouts::{PlayoutParameters, check_reward};
use crate::domain::Domain;
use crate::named::Named;
use crate::parameter::{ParameterError, Values};
use crate::search::{Chance, FinalMove, LeafReward, Opponent, ParentVisits, SearchSettings};

/// How chance is treated in the tree: [`Chance`] without its number of decks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChanceMode {
    Sampled,
    Peek,
    OpenLoop,
    Determinised,
}

impl Named for ChanceMode {
    const NAMES: &'static [(&'static str, ChanceMode)] = &[
        ("sampled", ChanceMode::Sampled),
        ("peek", ChanceMode::Peek),
        ("open-loop", ChanceMode::OpenLoop),
        ("determinised", ChanceMode::Determinised),
    ];
}

/// What the first iteration does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FirstIteration {
    Expand,
    Playout,
}

impl Named for FirstIteration {
    const NAMES: &'static [(&'static str, FirstIteration)] =
        &[("expand", FirstIteration::Expand), ("playout", FirstIteration::Playout)];
}

crate::parameters! {
    /// Chance, counts and the first iteration in a tree.
    pub(super) struct TreeParameters {
        /// Chance inside the tree: outcomes drawn by their weights, the real outcomes to come,
        /// drawn outcomes without distinction, or a sample of decks.
        chance: ChanceMode = ChanceMode::Sampled, reference = ChanceMode::Peek, peeks = "peek";
        /// Decks of chance = determinised.
        decks: u32 = 8, values = Values::Count(1, 10_000), only = "chance" = "determinised";
        /// N: visits of the node after this outcome of chance, or over all outcomes.
        parent_visits: ParentVisits = ParentVisits::Node;
        /// Reward of a leaf whose game chance ends: drawn again at each visit, or stored at the first.
        leaf_reward: LeafReward = LeafReward::Drawn;
        /// Whether the first iteration expands or is a playout from the root.
        first_iteration: FirstIteration = FirstIteration::Expand, reference = FirstIteration::Playout;
    }
}

crate::parameters! {
    /// The final move of UCT and of formulas.
    pub(crate) struct FinalParameters {
        /// The move to play: highest mean, most visits, or highest value of the tree policy.
        final_move: FinalMove = FinalMove::Mean, name = "final";
    }
}

crate::parameters! {
    /// The final move of RAVE.
    pub(super) struct RaveFinalParameters {
        /// The move to play: highest mean, most visits, or highest value of the tree policy.
        final_move: FinalMove = FinalMove::Mean, reference = FinalMove::TreePolicy, name = "final";
    }
}

crate::parameters! {
    /// Playouts per iteration.
    pub(super) struct RolloutParameters {
        /// Playouts per iteration; their mean is the reward.
        rollouts: u32 = 1, values = Values::Count(1, 100_000);
    }
}

crate::parameters! {
    /// How a formula applies to opponents.
    pub(super) struct OpponentParameters {
        /// How a formula applies to opponents: f(-Q), -f(Q), or the second seat minimises f of the first's Q.
        opponent: Opponent = Opponent::NegateQ, reference = Opponent::Absolute;
    }
}

impl TreeParameters {
    fn chance(&self) -> Chance {
        match self.chance {
            ChanceMode::Sampled => Chance::Sampled,
            ChanceMode::Peek => Chance::Peek,
            ChanceMode::OpenLoop => Chance::OpenLoop,
            ChanceMode::Determinised => Chance::Determinised { decks: self.decks },
        }
    }

    /// The settings of a search with this final move; the rest is at its default.
    pub(super) fn settings<D: Domain>(&self, playouts: &PlayoutParameters<D>, final_move: FinalMove) -> SearchSettings {
        SearchSettings {
            chance: self.chance(),
            parent_visits: self.parent_visits,
            reward: playouts.reward,
            leaf_reward: self.leaf_reward,
            root_playout: self.first_iteration == FirstIteration::Playout,
            final_move,
            ..SearchSettings::default()
        }
    }
}

/// Refuses rules under which a formula cannot apply to opponents, or a reward is undefined.
pub(super) fn check_seats<D: Domain>(
    opponent: Opponent,
    playouts: &PlayoutParameters<D>,
    rules: &D::Rules,
) -> Result<(), ParameterError> {
    let seats = D::seats(rules);
    if seats > 2 && opponent != Opponent::NegateQ {
        let problem = format!("opponent = {} is for two seats, found {seats}", opponent.name());
        return Err(ParameterError::of("opponent", problem));
    }
    check_reward::<D>(playouts.reward, rules)
}
