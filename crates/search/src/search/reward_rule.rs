//! What a playout is worth beyond its scores: evaluations of the position in which it ends, scales, the bonus for a
//! win, and the rewards of playouts that are cut off (Müller 2014, 4.4.4 to 4.4.7).

use super::reward::Reward;
use crate::game::{Evaluation, Game, MAX_SEATS, Scores, Turn};
use std::fmt;
use std::sync::Arc;

evouct_base::named! {
    /// The scale of a reward Q between its bounds.
    #[derive(Default)]
    pub enum RewardScale {
        /// As it is.
        #[default]
        None = "none",
        /// `(Q − lower) / (upper − lower)`: 0 to 1 (Müller 2014, 4.4.5, Q_N).
        Unit = "unit",
        /// The same minus one half (Müller 2014, 4.4.5, Q_N2).
        Centred = "centred",
    }

    /// What a playout that reaches the end of the game is worth if playouts may be cut off.
    #[derive(Default)]
    pub enum FinishedReward {
        /// The same as one that is cut off.
        #[default]
        Same = "same",
        /// The upper bound of the reward for a win, the lower one for a loss (Müller 2014, 4.4.6, Q_ET).
        Bounds = "bounds",
        /// The reward with the bonus, which one that is cut off does not get (Müller 2014, 4.4.7, Q_BonusET).
        Bonus = "bonus",
    }
}

/// The reward of a playout, from the position in which it ends.
pub struct RewardRule<G: Game> {
    /// The reward Q.
    pub reward: Reward,
    /// What [`Reward::Evaluation`] uses.
    pub evaluation: Option<Arc<dyn Evaluation<G>>>,
    /// The scale of Q.
    pub scale: RewardScale,
    /// c of the bonus: a win, draw or loss as ±1 or 0 plus Q/c, with the scaled Q moved so that its bounds lie around 0
    /// (Müller 2014, 4.4.7).
    pub bonus: Option<f64>,
    /// What a playout that reaches the end of the game is worth.
    pub finished: FinishedReward,
}

impl<G: Game> Clone for RewardRule<G> {
    fn clone(&self) -> RewardRule<G> {
        RewardRule { evaluation: self.evaluation.clone(), ..*self }
    }
}

impl<G: Game> fmt::Debug for RewardRule<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RewardRule { reward, evaluation, scale, bonus, finished } = self;
        write!(f, "RewardRule {{ {reward:?} {evaluation:?} {scale:?} {bonus:?} {finished:?} }}")
    }
}

impl<G: Game> RewardRule<G> {
    /// A reward as it is.
    pub fn of(reward: Reward) -> RewardRule<G> {
        RewardRule { reward, evaluation: None, scale: RewardScale::None, bonus: None, finished: FinishedReward::Same }
    }

    /// Whether the rule is no more than a reward of scores.
    pub fn is_plain(&self) -> bool {
        self.reward != Reward::Evaluation
            && self.scale == RewardScale::None
            && self.bonus.is_none()
            && self.finished == FinishedReward::Same
    }

    /// The evaluation, if the reward is one.
    fn evaluation(&self) -> Option<&dyn Evaluation<G>> {
        self.evaluation.as_deref().filter(|_| self.reward == Reward::Evaluation)
    }

    /// The lowest and the highest value of Q, before it is scaled.
    ///
    /// # Panics
    /// If the rule lacks the evaluation that it needs, or the game does not know the highest score that it needs.
    fn bounds(&self, state: &G) -> [f64; 2] {
        match self.evaluation() {
            Some(evaluation) => evaluation.bounds(state),
            None => {
                let most = if self.reward.is_bounded_by_score() {
                    f64::from(state.max_score().expect("the reward is scaled by the game's max_score"))
                } else {
                    1.0
                };
                self.reward.bounds(state.seats(), most)
            }
        }
    }

    /// The bounds of the scaled reward.
    pub fn scaled_bounds(&self, state: &G) -> [f64; 2] {
        match self.scale {
            RewardScale::None => self.bounds(state),
            RewardScale::Unit => [0.0, 1.0],
            RewardScale::Centred => [-0.5, 0.5],
        }
    }

    /// The scaled reward of each seat, without a bonus.
    fn scaled(&self, state: &G, scores: &Scores) -> [f64; MAX_SEATS] {
        let seats = state.seats();
        let mut rewards = match self.evaluation() {
            Some(evaluation) => {
                std::array::from_fn(|seat| if seat < seats { evaluation.value(state, seat) } else { 0.0 })
            }
            None => self.reward.of(scores, seats, self.reward.bound(state)),
        };
        if self.scale != RewardScale::None {
            let [low, high] = self.bounds(state);
            let shift = if self.scale == RewardScale::Centred { 0.5 } else { 0.0 };
            for reward in &mut rewards[..seats] {
                *reward = (*reward - low) / (high - low) - shift;
            }
        }
        rewards
    }

    /// The reward of each seat at the position in which a playout ended, with these scores.
    pub fn rewards(&self, state: &G, scores: &Scores) -> [f64; MAX_SEATS] {
        let (seats, is_finished) = (state.seats(), state.turn() == Turn::Terminal);
        let mut rewards = self.scaled(state, scores);
        let wins = || Reward::Win.of(scores, seats, 1.0);
        match (self.finished, self.bonus) {
            (FinishedReward::Bounds, _) if is_finished => {
                let [low, high] = self.scaled_bounds(state);
                for (reward, win) in rewards[..seats].iter_mut().zip(wins()) {
                    *reward = if win > 0.0 {
                        high
                    } else if win < 0.0 {
                        low
                    } else {
                        *reward
                    };
                }
            }
            (FinishedReward::Same, Some(c)) => self.add_bonus(state, &mut rewards[..seats], &wins(), c),
            (FinishedReward::Bonus, Some(c)) if is_finished => {
                self.add_bonus(state, &mut rewards[..seats], &wins(), c);
            }
            _ => {}
        }
        rewards
    }

    fn add_bonus(&self, state: &G, rewards: &mut [f64], wins: &[f64; MAX_SEATS], c: f64) {
        let [low, high] = self.centre_bounds(state);
        for (reward, win) in rewards.iter_mut().zip(wins) {
            *reward = win + (*reward - 0.5 * (low + high)) / c;
        }
    }

    /// Bounds whose middle is that of the scaled reward. A reward around 0 needs no highest score for it.
    fn centre_bounds(&self, state: &G) -> [f64; 2] {
        match (self.scale, self.reward) {
            (RewardScale::None, Reward::Difference | Reward::Evaluation) => [0.0, 0.0],
            _ => self.scaled_bounds(state),
        }
    }
}

/// Where the rewards of a search come from: a rule, or a reward of scores alone.
#[derive(Clone, Copy)]
pub(super) struct RewardSource<'a, G: Game> {
    pub rule: Option<&'a RewardRule<G>>,
    pub reward: Reward,
    /// The highest possible score, if the reward needs it.
    pub bound: f64,
}

impl<G: Game> RewardSource<'_, G> {
    /// The rewards by seat in a position with these scores.
    #[inline]
    pub(super) fn of(&self, state: &G, scores: &Scores) -> [f64; MAX_SEATS] {
        match self.rule {
            None => self.reward.of(scores, state.seats(), self.bound),
            Some(rule) => rule.rewards(state, scores),
        }
    }
}
