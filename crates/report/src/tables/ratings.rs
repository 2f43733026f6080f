//! RatingTable of all players on one scale, and cycles, which no scale can show.

use super::league::League;
use super::meetings::{Meeting, meetings};
use super::pairs::{FEWEST_DECKS, PairRow};
use crate::aggregate::game_result::GameResult;
use evouct_stats::Interval;
use evouct_stats::cycle::{DecidedGames, shortest_cycle};
use evouct_stats::ratings::{DEFAULT_PRIOR, Encounter, MAX_PLAYERS, rating_intervals, ratings};
use serde::Serialize;
use std::collections::BTreeMap;

/// Bradley-Terry ratings of all players, on the Elo scale with mean 0.
#[derive(Clone, Debug, Serialize)]
pub struct RatingTable {
    /// By player, the strongest first.
    pub rows: Vec<RatingRow>,
    /// Virtual draws that keep ratings finite.
    pub prior: f64,
    /// Whether the results determine the ratings without the prior.
    pub connected: bool,
    /// Resamples of decks behind the intervals.
    pub resamples: usize,
    /// A cycle of players, if there is one.
    pub cycle: Option<Cycle>,
}

/// A player's rating.
#[derive(Clone, Debug, Serialize)]
pub struct RatingRow {
    /// The player.
    pub player: String,
    /// The rating.
    pub elo: f64,
    /// 95 % bootstrap interval over decks; none with fewer than five decks, where all decks ended alike, and for a
    /// player whom the results do not connect to the largest group (such as one who won every game): only the prior
    /// bounds that rating.
    pub interval: Option<Interval>,
}

/// A cycle of players, which no single scale can represent.
#[derive(Clone, Debug, Serialize)]
pub struct Cycle {
    /// The players; each beats the next, the last the first.
    pub players: Vec<String>,
    /// Whether each of these differences is significant on its own (paired p below 0.05, uncorrected).
    pub significant: bool,
}

impl League<'_> {
    /// Bradley-Terry ratings with intervals.
    pub(super) fn ratings(&self, pairs: &[PairRow]) -> RatingTable {
        let players = self.experiment.players.len();
        let all: Vec<Encounter> = self.meetings().map(|(_, met)| encounter(&met)).collect();
        let played = players <= MAX_PLAYERS && !all.is_empty();
        let found = played.then(|| ratings(players, &all, DEFAULT_PRIOR).ok()).flatten();
        // At looks later decks have the games of open pairs only: resamples of decks would not resemble the league.
        let resamples = if self.looks.is_some() { 0 } else { self.resamples(self.games.len()) };
        let decks: Vec<Vec<Encounter>> = match resamples {
            0 => Vec::new(),
            _ => self.distinct_decks().iter().map(|games| encounters(games, self.experiment.mirror)).collect(),
        };
        let enough = resamples > 0 && decks.len() as u64 >= FEWEST_DECKS;
        let intervals = (enough && found.is_some())
            .then(|| rating_intervals(players, DEFAULT_PRIOR, &decks, resamples, &mut *self.stream(0)).ok());
        let intervals = intervals.flatten();
        // A player who won or lost every game does so in every resample, which gives an interval without meaning; the
        // same holds where all decks ended alike.
        let interval = |player: usize| {
            let tied = found.as_ref().is_some_and(|found| found.tied[player]);
            let drawn = intervals.as_ref().filter(|_| tied).map(|all| all[player].interval);
            drawn.filter(|ends| ends.low < ends.high)
        };
        let mut rows: Vec<RatingRow> = found
            .iter()
            .flat_map(|found| found.elo.iter().enumerate())
            .filter(|(player, _)| all.iter().any(|met| met.a == *player || met.b == *player))
            .map(|(player, elo)| RatingRow { player: self.name(player), elo: *elo, interval: interval(player) })
            .collect();
        rows.sort_by(|a, b| b.elo.total_cmp(&a.elo));
        RatingTable {
            rows,
            prior: DEFAULT_PRIOR,
            connected: found.is_some_and(|found| found.connected),
            resamples: intervals.map_or(0, |_| resamples),
            cycle: self.cycle(pairs),
        }
    }

    /// A cycle of significant differences, else one of majorities of games.
    fn cycle(&self, pairs: &[PairRow]) -> Option<Cycle> {
        let index: BTreeMap<&str, usize> =
            self.experiment.players.iter().enumerate().map(|(index, player)| (player.name.as_str(), index)).collect();
        let decided = |row: &PairRow| {
            let [a_wins, b_wins, _] = row.games;
            DecidedGames { a: index[row.a.as_str()], b: index[row.b.as_str()], a_wins, b_wins }
        };
        let results: Vec<DecidedGames> = pairs.iter().map(decided).collect();
        let significant: BTreeMap<(usize, usize), bool> = pairs
            .iter()
            .zip(&results)
            .map(|(row, decided)| ((decided.a, decided.b), row.paired.as_ref().is_ok_and(|test| test.p < 0.05)))
            .collect();
        let ring = |counts: &dyn Fn(&DecidedGames) -> bool| {
            shortest_cycle(self.experiment.players.len(), &results, counts).ok().flatten()
        };
        let named = |ring: Vec<usize>, significant| Cycle {
            players: ring.into_iter().map(|player| self.name(player)).collect(),
            significant,
        };
        ring(&|pair| significant.get(&(pair.a, pair.b)).copied().unwrap_or_default())
            .map(|ring| named(ring, true))
            .or_else(|| ring(&|_| true).map(|ring| named(ring, false)))
    }
}

/// The results of all meetings of a deck.
fn encounters(games: &[&GameResult], mirror: bool) -> Vec<Encounter> {
    meetings(games, mirror).iter().map(encounter).collect()
}

fn encounter(meeting: &Meeting) -> Encounter {
    let ([a, b], difference) = (meeting.players, meeting.difference());
    let a_score = if difference > 0.0 {
        1.0
    } else if difference < 0.0 {
        0.0
    } else {
        0.5
    };
    Encounter { a, b, a_score, b_score: 1.0 - a_score }
}
