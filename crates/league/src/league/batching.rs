//! How many games a rank gets at a time: enough that its threads never wait, few enough that all ranks share the last
//! games.

use std::time::Duration;

/// A rank whose idle threads got nothing, since nothing can be played yet, asks again so often.
pub(super) const AGAIN: Duration = Duration::from_millis(50);
/// The work in store for a thread: far longer than a message takes.
const IN_STORE: Duration = Duration::from_millis(20);
/// The most games in store for a thread, and for a rank.
const MOST: u64 = 4_096;

/// The request of a rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "mpi", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct BatchRequest {
    /// Its idle threads.
    pub idle: u64,
    /// Games that it requests for its store beyond those.
    pub store: u64,
}

impl BatchRequest {
    /// The request of a rank with `threads` threads and `held` games, in progress or in store, that take `game` on
    /// average: one game in store per thread, or as many as fill a short time if games are short.
    pub(super) fn of(threads: u64, held: u64, game: Duration) -> BatchRequest {
        let each = IN_STORE.as_nanos().div_ceil(game.as_nanos().max(1)).clamp(1, MOST.into()) as u64;
        let (idle, wanted) = (threads.saturating_sub(held), threads + (threads * each).min(MOST));
        BatchRequest { idle, store: wanted.saturating_sub(held.max(threads)) }
    }

    /// Whether it requests anything.
    pub(super) fn is_any(self) -> bool {
        self.idle + self.store > 0
    }

    /// How many of the remaining games a rank with `threads` of all `all` threads gets: one per idle thread while there
    /// are any, and for its store at most half of its share of the remaining games. A store therefore shrinks towards
    /// the end, and no rank holds games that others could start.
    pub(super) fn share(self, remaining: u64, threads: u64, all: u64) -> u64 {
        let half = (u128::from(remaining) * u128::from(threads) / (2 * u128::from(all.max(1)))) as u64;
        (self.idle + self.store).min(self.idle.max(half)).min(remaining).min(MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn long_games_come_one_by_one_and_short_ones_by_the_hundred() {
        assert_eq!(BatchRequest::of(8, 0, LONG), BatchRequest { idle: 8, store: 8 });
        assert_eq!(BatchRequest::of(8, 12, LONG), BatchRequest { idle: 0, store: 4 });
        assert!(!BatchRequest::of(8, 16, LONG).is_any());
        assert_eq!(BatchRequest::of(2, 2, Duration::from_millis(5)), BatchRequest { idle: 0, store: 8 });
        assert_eq!(BatchRequest::of(1, 0, Duration::ZERO), BatchRequest { idle: 1, store: 4_096 });
    }

    #[test]
    fn towards_the_end_only_idle_threads_get_games() {
        let ask = BatchRequest { idle: 1, store: 7 };
        assert_eq!(ask.share(1_000, 8, 16), 8);
        assert_eq!(ask.share(16, 8, 16), 4);
        assert_eq!(ask.share(3, 8, 16), 1);
        assert_eq!(ask.share(0, 8, 16), 0);
        assert_eq!(BatchRequest { idle: 0, store: 8 }.share(3, 8, 16), 0);
        assert_eq!(BatchRequest { idle: 8, store: 8 }.share(3, 8, 16), 3);
    }
}
