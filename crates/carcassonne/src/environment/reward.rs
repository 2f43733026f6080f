//! Rewards of the seats.

use super::episode::Episode;
use crate::rules::{Edition, MAX_SEATS};

evouct_base::named! {
    /// The reward of a seat. An episode that is truncated has no final reward.
    #[derive(Default)]
    pub enum EpisodeReward {
        /// At the end of the game: 1 to the winner, 0 to each of several seats that share the most points, -1 to all
        /// others.
        #[default]
        Outcome = "outcome",
        /// At the end of the game: the points more than the best of the other seats.
        Margin = "margin",
        /// At the end of the game: from 1 for the first place to -1 for the last, in equal steps. Seats with the same
        /// points share their places.
        Rank = "rank",
        /// After each turn, to all seats: the points since the last one, at the end with those of the figures on the
        /// board.
        ScoreDelta = "score-delta",
    }
}

/// The points of all seats: those of the game so far, or the final ones once it is over.
pub fn points<E: Edition>(episode: &Episode<E>) -> [u16; MAX_SEATS] {
    if episode.is_terminated() {
        return episode.state().virtual_scores();
    }
    let mut points = [0; MAX_SEATS];
    points[..episode.state().scores().len()].copy_from_slice(episode.state().scores());
    points
}

impl EpisodeReward {
    /// Writes the rewards of the seats for a decision. `before` are the [`points`] before it.
    pub fn write<E: Edition>(self, episode: &Episode<E>, before: &[u16; MAX_SEATS], rewards: &mut [f32]) {
        rewards.fill(0.0);
        if self != EpisodeReward::ScoreDelta && !episode.is_terminated() {
            return;
        }
        let seats = rewards.len();
        let points = points(episode).map(i32::from);
        let others = |seat: usize| (0..seats).filter(move |other| *other != seat);
        for (seat, reward) in rewards.iter_mut().enumerate() {
            let best = others(seat).map(|other| points[other]).max().unwrap_or(0);
            let margin = points[seat] - best;
            *reward = match self {
                EpisodeReward::Outcome => margin.signum() as f32,
                EpisodeReward::Margin => margin as f32,
                EpisodeReward::Rank => {
                    let sum: i32 = others(seat).map(|other| (points[seat] - points[other]).signum()).sum();
                    sum as f32 / (seats - 1) as f32
                }
                EpisodeReward::ScoreDelta => (points[seat] - i32::from(before[seat])) as f32,
            };
        }
    }
}
