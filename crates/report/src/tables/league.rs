//! The finished games of an experiment, and their division into independent units.

use super::listed::Listed;
use super::mean_with_interval::MeanWithInterval;
use crate::aggregate::Aggregate;
use crate::aggregate::game_result::{GameResult, OfDeck};
use evouct_league::config::Experiment;
use evouct_league::league::LeagueAtLooks;
use evouct_stats::Summary;
use evouct_stats::points::Row;
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// The finished games with the experiment they belong to.
pub(super) struct League<'a> {
    pub experiment: &'a Experiment,
    /// Games whose results show strength: what means, tests and ratings are of.
    pub games: &'a [GameResult],
    /// Games that were lost on time, which count in the points table.
    pub(super) lost_on_time: &'a [GameResult],
    /// The pairs at looks, if the experiment tests them so.
    pub(super) looks: Option<LeagueAtLooks>,
    /// What every game that is not drawn is worth, where all are worth the same: no difference is larger. None where games
    /// have scores of their own.
    pub(super) worth: Option<f64>,
    /// What [`League::places`] gives, computed once.
    pub(super) places: OnceCell<Vec<Row>>,
    /// What [`League::listed`] gives, computed once.
    pub(super) listed: OnceCell<Option<Listed>>,
    /// By player its games with its seats in them, of those that show strength and of those that were lost on time.
    of_players: [Vec<Vec<(u32, u8)>>; 2],
}

impl<'a> League<'a> {
    /// The league of these games.
    pub(super) fn of(experiment: &'a Experiment, aggregate: &'a Aggregate) -> League<'a> {
        let Aggregate { games, lost_on_time, failures, .. } = aggregate;
        let (looks, worth, places, listed) = (None, worth(games), OnceCell::new(), OnceCell::new());
        let of_players = [games, lost_on_time].map(|games| by_player(games, experiment.players.len()));
        let mut league = League { experiment, games, lost_on_time, looks, worth, places, listed, of_players };
        league.looks = league.at_looks(experiment, failures);
        league
    }
}

/// Values by deck in the order of decks, without the decks whose values are all of games that repeat earlier ones.
pub(super) fn distinct_decks(values: impl Iterator<Item = (OfDeck, f64)>) -> Vec<(u32, Summary)> {
    let mut values: Vec<(OfDeck, f64)> = values.collect();
    // Stable, because sums of floating-point numbers depend on their order.
    values.sort_by_key(|(of, _)| of.deck);
    let decks = values.chunk_by(|(a, _), (b, _)| a.deck == b.deck);
    let distinct = decks.filter(|deck| deck.iter().any(|(of, _)| !of.repeats));
    distinct.map(|deck| (deck[0].0.deck, deck.iter().map(|(_, value)| *value).collect())).collect()
}

impl League<'_> {
    /// The name of a player.
    pub(super) fn name(&self, player: usize) -> String {
        self.experiment.players[player].name.clone()
    }

    /// The index of a player.
    pub(super) fn index(&self, name: &str) -> Option<usize> {
        self.experiment.players.iter().position(|player| player.name == name)
    }

    /// The independent values: where decks are mirrored the mean of each deck, else every value. Units that repeat earlier
    /// ones are left out.
    pub(super) fn units(&self, values: impl Iterator<Item = (OfDeck, f64)>) -> Summary {
        match self.experiment.mirror {
            true => distinct_decks(values).iter().filter_map(|(_, deck)| deck.mean().ok()).collect(),
            false => values.filter(|(of, _)| !of.repeats).map(|(_, value)| value).collect(),
        }
    }

    /// The mean of values, each with its deck, and its interval over units.
    pub(super) fn statistic(&self, values: impl Iterator<Item = (OfDeck, f64)>) -> MeanWithInterval {
        MeanWithInterval::of(&self.units(values))
    }

    /// A player's games that show strength: each with the player's seat.
    pub(super) fn games_of(&self, player: usize) -> impl Iterator<Item = (&GameResult, usize)> {
        of_player(self.games, &self.of_players[0][player])
    }

    /// The games of a player that have a result, those that were lost on time included.
    pub(super) fn results_of(&self, player: usize) -> impl Iterator<Item = (&GameResult, usize)> {
        self.games_of(player).chain(of_player(self.lost_on_time, &self.of_players[1][player]))
    }

    /// A player's games against one opponent, each with the player's seat.
    pub(super) fn games_between(&self, player: usize, opponent: usize) -> impl Iterator<Item = (&GameResult, usize)> {
        let others = move |game: &GameResult, seat: usize| {
            (0..game.seats.len()).any(|other| other != seat && game.seats[other].player == opponent)
        };
        self.games_of(player).filter(move |(game, seat)| others(game, *seat))
    }

    /// The games that show strength by deck, each deck's in one order, whatever the order of the records.
    pub(super) fn decks(&self) -> Vec<Vec<&GameResult>> {
        by_deck(self.games.iter())
    }

    /// The same without the decks whose games all repeat earlier ones: what resamples draw from.
    pub(super) fn distinct_decks(&self) -> Vec<Vec<&GameResult>> {
        let mut decks = self.decks();
        decks.retain(|games| games.iter().any(|game| !game.repeats));
        decks
    }

    /// The games in which a player has this seat, from 0.
    pub(super) fn games_in(&self, player: usize, seat: usize) -> impl Iterator<Item = &GameResult> {
        self.games_of(player).filter(move |(_, own)| *own == seat).map(|(game, _)| game)
    }
}

/// By how much every one of these games was won that was not drawn; none where that differs.
fn worth(games: &[GameResult]) -> Option<f64> {
    let margins = games.iter().flat_map(|game| (0..game.seats.len()).map(|seat| game.difference(seat).abs()));
    let mut margins = margins.filter(|margin| *margin > 0.0);
    let first = margins.next()?;
    margins.all(|margin| margin == first).then_some(first)
}

/// By player the places of its games among these, each with the player's seat.
fn by_player(games: &[GameResult], players: usize) -> Vec<Vec<(u32, u8)>> {
    let mut found = vec![Vec::new(); players];
    for (place, game) in (0..).zip(games) {
        for (seat, player) in (0..).zip(game.players()) {
            found[player].push((place, seat));
        }
    }
    found
}

/// Games of a player, each with the player's seat.
fn of_player<'a>(games: &'a [GameResult], places: &'a [(u32, u8)]) -> impl Iterator<Item = (&'a GameResult, usize)> {
    places.iter().map(|(place, seat)| (&games[*place as usize], usize::from(*seat)))
}

/// Games by deck, each deck's in one order, whatever the order of the records.
pub(super) fn by_deck<'a>(games: impl Iterator<Item = &'a GameResult>) -> Vec<Vec<&'a GameResult>> {
    let mut decks: BTreeMap<u32, Vec<&GameResult>> = BTreeMap::new();
    games.for_each(|game| decks.entry(game.deck).or_default().push(game));
    decks.values_mut().for_each(|games| games.sort_by(|a, b| a.players().cmp(b.players())));
    decks.into_values().collect()
}
