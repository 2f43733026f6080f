//! A league whose pairs are tested at looks: which players each pair has, and which games the next look wants.

use crate::config::Experiment;
use crate::record::GameRecord;
use crate::record::pair_games::{PairGames, SEATS, pair};
use crate::schedule::{GameSpec, Schedule};
use evouct_stats::distinct::Evidence;
use evouct_stats::pairs_at_looks::PairsAtLooks;
use std::collections::BTreeMap;

/// The pairs of a league at looks, by players. Those that play games and those that read records count with it.
#[derive(Clone, Debug)]
pub struct LeagueAtLooks {
    /// By the players of a pair, the lower index first: its place.
    places: BTreeMap<[usize; SEATS], usize>,
    records: PairGames,
    pairs: PairsAtLooks,
}

impl LeagueAtLooks {
    /// The league of an experiment that has looks, before the first game.
    pub fn of(experiment: &Experiment) -> Option<LeagueAtLooks> {
        let looks = experiment.looks()?;
        let schedule = Schedule::of(experiment);
        let mut places = BTreeMap::new();
        for pair in schedule.matches().filter_map(|seats| pair(&seats)) {
            let next = places.len();
            places.entry(pair).or_insert(next);
        }
        let games = schedule.matches_per_deck() as usize / places.len().max(1);
        // The configuration has checked the number of looks.
        let pairs = PairsAtLooks::new(looks, experiment.games_per_match, places.len(), games).ok()?;
        Some(LeagueAtLooks { places, records: PairGames::of(experiment), pairs })
    }

    /// Takes in a game: its deck, its players by seat, and the game with the score of the first seat less that of the
    /// second, none if it failed or was lost on time. Each game once, in any order.
    pub fn add(&mut self, deck: u32, seats: [usize; SEATS], game: Option<Evidence>) {
        if let Some(place) = pair(&seats).and_then(|pair| self.places.get(&pair)) {
            let sign = if seats[0] < seats[1] { 1.0 } else { -1.0 };
            self.pairs.add(*place, deck, game.map(|game| Evidence { difference: sign * game.difference, ..game }));
        }
    }

    /// Takes in a recorded game.
    pub(super) fn recall(&mut self, game: &GameRecord) {
        if let Some((seats, result)) = self.records.read(game, GameRecord::shows_strength) {
            self.add(game.deck, seats, result);
        }
    }

    /// Takes all looks whose games are complete.
    pub fn look(&mut self) {
        self.pairs.look();
    }

    /// The pairs.
    pub fn pairs(&self) -> &PairsAtLooks {
        &self.pairs
    }

    /// The place of a pair among [`pairs`](LeagueAtLooks::pairs).
    pub fn place(&self, a: usize, b: usize) -> Option<usize> {
        self.places.get(&[a.min(b), a.max(b)]).copied()
    }

    /// Whether a game may still be wanted, at the next look or a later one.
    pub(super) fn may_want(&self, game: &GameSpec) -> bool {
        self.place_of(game).is_some_and(|place| self.pairs.is_open(place))
    }

    /// Whether the next look wants a game.
    pub(super) fn wants(&self, game: &GameSpec) -> bool {
        self.place_of(game).is_some_and(|place| self.pairs.wants(place, game.deck))
    }

    fn place_of(&self, game: &GameSpec) -> Option<usize> {
        pair(&game.seats).and_then(|pair| self.places.get(&pair)).copied()
    }
}
