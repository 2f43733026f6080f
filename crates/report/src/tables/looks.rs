//! The pairs of a league that are tested at looks.

use super::league::League;
use super::mean_with_interval::MeanWithInterval;
use super::pairs::PairRow;
use crate::aggregate::game_result::{FailedGame, GameResult};
use evouct_league::config::Experiment;
use evouct_league::league::LeagueAtLooks;
use evouct_league::schedule::Schedule;
use evouct_stats::distinct::Evidence;
use evouct_stats::{Summary, Unavailable};
use serde::Serialize;
use std::collections::BTreeMap;

/// Where a test at looks stands.
#[derive(Clone, Debug, Serialize)]
pub struct TestAtLooks {
    /// By look, the last deck.
    pub decks: Vec<u32>,
    /// Looks taken.
    pub taken: usize,
    /// Games of the schedule.
    pub planned: u64,
    /// Pairs.
    pub pairs: usize,
    /// Pairs that differ, and are played no more.
    pub decided: usize,
    /// Pairs that only repeat earlier games, and are played no more; absent where there are none.
    #[serde(skip_serializing_if = "evouct_base::is_default")]
    pub repeating: usize,
    /// Games that are missing if no other pair is decided before the last look.
    pub missing: u64,
    /// The p-value that is significant at the last look for the pairs that are not decided, before Holm's correction.
    #[serde(skip)]
    pub(super) last_level: f64,
}

impl League<'_> {
    /// The pairs at looks of an experiment that has them, with these games.
    pub(super) fn at_looks(&self, experiment: &Experiment, failures: &[FailedGame]) -> Option<LeagueAtLooks> {
        let mut looks = LeagueAtLooks::of(experiment)?;
        for game in self.games {
            if let Some(seats) = game.home_and_away() {
                let evidence = Evidence { game: game.course, difference: game.difference(0) };
                looks.add(game.deck, seats, Some(evidence));
            }
        }
        let player = |short: &String| experiment.players.iter().position(|player| player.identity.short() == *short);
        for failed in failures {
            let seats: Vec<usize> = failed.seats.iter().filter_map(player).collect();
            if let Ok(seats) = seats.try_into() {
                looks.add(failed.deck, seats, None);
            }
        }
        for game in self.lost_on_time {
            if let Some(seats) = game.home_and_away() {
                looks.add(game.deck, seats, None);
            }
        }
        looks.look();
        Some(looks)
    }

    /// Where the test at looks stands.
    pub(super) fn test_at_looks(&self) -> Option<TestAtLooks> {
        let pairs = self.looks.as_ref()?.pairs();
        let decided = (0..pairs.len()).filter(|pair| pairs.pair(*pair).is_decided()).count();
        let repeating = (0..pairs.len()).filter(|pair| pairs.pair(*pair).only_repeats()).count();
        let open = (pairs.len() - decided).max(1);
        Some(TestAtLooks {
            last_level: pairs.last_level(open),
            decided,
            repeating,
            decks: (1..=pairs.count()).map(|look| pairs.decks_at(look)).collect(),
            taken: pairs.taken(),
            planned: Schedule::of(self.experiment).len(),
            pairs: pairs.len(),
            missing: pairs.missing(),
        })
    }

    /// The mean of a value over a player's games, each with the player's seat. At looks every opponent counts alike, however
    /// many decks there are against it, and there is no interval: pairs that differ most have the fewest.
    pub(super) fn mean<'g>(
        &self,
        games: impl Iterator<Item = (&'g GameResult, usize)>,
        value: impl Fn(&GameResult, usize) -> f64,
    ) -> MeanWithInterval {
        if self.looks.is_none() {
            return self.statistic(games.map(|(game, seat)| (game.of_deck(), value(game, seat))));
        }
        let mut opponents: BTreeMap<usize, Summary> = BTreeMap::new();
        for (game, seat) in games {
            let others = game.players().enumerate().filter(|(other, _)| *other != seat);
            others.for_each(|(_, other)| opponents.entry(other).or_default().push(value(game, seat)));
        }
        let means: Summary = opponents.values().filter_map(|met| met.mean().ok()).collect();
        MeanWithInterval { mean: means.mean().unwrap_or_default(), interval: None }
    }

    /// The last deck that counts for two players; none without looks.
    pub(super) fn last_deck(&self, a: usize, b: usize) -> Option<u32> {
        let looks = self.looks.as_ref()?;
        looks.place(a, b).map(|place| looks.pairs().decks_of(place))
    }

    /// The comparison of two players with what holds at every look: the repeated p-value, its correction, and an
    /// interval. Statistics for a number of decks that is fixed in advance are left out.
    pub(super) fn row_at_looks(&self, [a, b]: [usize; 2], row: &mut PairRow) {
        let Some(looks) = &self.looks else { return };
        let place = looks.place(a, b);
        row.welch = Err(Unavailable::Stopped);
        row.permutation = Err(Unavailable::Stopped);
        row.wilcoxon = Err(Unavailable::Stopped);
        row.bootstrap = Err(Unavailable::Stopped);
        row.win_rate.iter_mut().for_each(|rate| rate.interval = None);
        row.holm = None;
        let Some(pair) = place.map(|place| looks.pairs().pair(place)) else {
            row.paired = Err(Unavailable::TooFew { needed: 2, found: 0 });
            return;
        };
        row.paired = row.paired.clone().map(|test| test.at_looks(pair.repeated(), pair.interval()));
        row.holm = row.paired.is_ok().then(|| pair.adjusted());
    }
}
