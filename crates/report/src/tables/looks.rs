//! The pairs of a league that are tested at looks.

use super::league::League;
use super::pairs::PairRow;
use crate::aggregate::game_result::FailedGame;
use evouct_league::config::Experiment;
use evouct_league::league::LeagueAtLooks;
use evouct_stats::Unavailable;
use serde::Serialize;

/// Where a test at looks stands.
#[derive(Clone, Debug, Serialize)]
pub struct TestAtLooks {
    /// By look, the last deck.
    pub decks: Vec<u32>,
    /// Looks taken.
    pub taken: usize,
    /// Pairs.
    pub pairs: usize,
    /// Pairs that differ, and are played no more.
    pub decided: usize,
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
                looks.add(game.deck, seats, Some(game.difference(0)));
            }
        }
        let player = |short: &String| experiment.players.iter().position(|player| player.identity.short() == *short);
        for failed in failures {
            let seats: Vec<usize> = failed.seats.iter().filter_map(player).collect();
            if let Ok(seats) = seats.try_into() {
                looks.add(failed.deck, seats, None);
            }
        }
        looks.look();
        Some(looks)
    }

    /// Where the test at looks stands.
    pub(super) fn test_at_looks(&self) -> Option<TestAtLooks> {
        let pairs = self.looks.as_ref()?.pairs();
        let decided = (0..pairs.len()).filter(|pair| pairs.pair(*pair).is_decided()).count();
        let open = (pairs.len() - decided).max(1);
        Some(TestAtLooks {
            last_level: pairs.last_level(open),
            decided,
            decks: (1..=pairs.count()).map(|look| pairs.decks_at(look)).collect(),
            taken: pairs.taken(),
            pairs: pairs.len(),
            missing: pairs.missing(),
        })
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
        let Some((place, level)) = place.and_then(|place| Some((place, looks.pairs().interval_level(place)?))) else {
            return;
        };
        let pair = looks.pairs().pair(place);
        row.paired = row.paired.clone().and_then(|test| test.at_look(pair.repeated(), level));
        row.holm = row.paired.is_ok().then(|| pair.adjusted());
    }
}
