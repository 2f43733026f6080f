//! Games of two by the places of their players, as tests and schedules of pairs count them.

use super::schema::GameRecord;
use crate::config::{Contender, Experiment};
use evouct_platform::domain::ScoreScale;
use evouct_stats::distinct::Evidence;
use std::collections::HashMap;

/// Seats of a game.
pub(crate) const SEATS: usize = 2;

/// Reads who played from records.
#[derive(Clone, Debug)]
pub(crate) struct PairGames {
    /// By short identity, as records have it.
    players: HashMap<String, usize>,
    scale: ScoreScale,
}

impl PairGames {
    pub(crate) fn of(experiment: &Experiment) -> PairGames {
        let short = |(at, player): (usize, &Contender)| (player.identity.short(), at);
        let players = experiment.players.iter().enumerate().map(short).collect();
        PairGames { players, scale: experiment.rules.domain().scale() }
    }

    /// The players of a game by seat, and the game with the points of the first seat less those of the second, none if it
    /// does not count; nothing of games of others.
    pub(crate) fn read(
        &self,
        game: &GameRecord,
        counts: fn(&GameRecord) -> bool,
    ) -> Option<([usize; SEATS], Option<Evidence>)> {
        let seats: Vec<usize> = game.seats.iter().filter_map(|seat| self.players.get(seat).copied()).collect();
        let seats = <[usize; SEATS]>::try_from(seats).ok()?;
        let [first, second] = [0, 1].map(|seat| game.scores.get(seat));
        let scores = first.zip(second).filter(|_| counts(game));
        let difference = |(first, second): (&i32, &i32)| self.scale.difference(*first, *second);
        Some((seats, scores.map(|scores| Evidence { game: game.course(), difference: difference(scores) })))
    }
}

/// The players of a game of two, the lower index first.
pub(crate) fn pair(seats: &[usize]) -> Option<[usize; SEATS]> {
    let [a, b] = *seats else { return None };
    Some([a.min(b), a.max(b)])
}
