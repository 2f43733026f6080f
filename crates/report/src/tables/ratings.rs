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
        let all = totals(self.meetings().map(|(_, met)| (1, encounter(&met))));
        let played = players <= MAX_PLAYERS && !all.is_empty();
        let found = played.then(|| ratings(players, &all, DEFAULT_PRIOR).ok()).flatten();
        // At looks later decks have the games of open pairs only: resamples of decks would not resemble the league.
        let resamples = if self.looks.is_some() { 0 } else { self.resamples(self.games.len()) };
        let decks: Vec<Vec<Encounter>> = match resamples {
            0 => Vec::new(),
            _ => self.distinct_decks().iter().map(|games| encounters(games, self.experiment.mirror)).collect(),
        };
        let enough = resamples > 0 && decks.len() as u64 >= FEWEST_DECKS;
        let intervals = (enough && found.is_some()).then(|| {
            let alike = DecksAlike::of(&decks);
            let drawn = |indices: &[usize]| alike.totals(indices);
            rating_intervals(players, DEFAULT_PRIOR, decks.len(), resamples, &mut self.stream(0), drawn).ok()
        });
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

/// Decks by their results: a league of many decks has few different ones, and a resample counts them.
struct DecksAlike<'a> {
    results: Vec<&'a [Encounter]>,
    /// By deck, the number of its result.
    of_deck: Vec<u32>,
}

impl<'a> DecksAlike<'a> {
    fn of(decks: &'a [Vec<Encounter>]) -> DecksAlike<'a> {
        // Points of a meeting are 0, 1/2 or 1.
        let key = |deck: &[Encounter]| -> Vec<(usize, usize, u8)> {
            deck.iter().map(|met| (met.a, met.b, (2.0 * met.a_score) as u8)).collect()
        };
        let (mut numbers, mut results) = (BTreeMap::new(), Vec::new());
        let number = |deck: &'a Vec<Encounter>| {
            *numbers.entry(key(deck)).or_insert_with(|| {
                results.push(&deck[..]);
                results.len() as u32 - 1
            })
        };
        let of_deck = decks.iter().map(number).collect();
        DecksAlike { results, of_deck }
    }

    /// The results of these decks, with one entry per pair of players.
    fn totals(&self, decks: &[usize]) -> Vec<Encounter> {
        let mut drawn = vec![0_u32; self.results.len()];
        for deck in decks {
            drawn[self.of_deck[*deck] as usize] += 1;
        }
        let drawn = drawn.iter().zip(&self.results).filter(|(times, _)| **times > 0);
        totals(drawn.flat_map(|(times, result)| result.iter().map(|met| (*times, *met))))
    }
}

/// Results that occurred so often, with one entry per pair of players. Points are halves, so their sums are exact.
fn totals(results: impl Iterator<Item = (u32, Encounter)>) -> Vec<Encounter> {
    let mut totals: BTreeMap<(usize, usize), Encounter> = BTreeMap::new();
    for (times, met) in results {
        let total = totals.entry((met.a, met.b)).or_insert(Encounter { a_score: 0.0, b_score: 0.0, ..met });
        total.a_score += f64::from(times) * met.a_score;
        total.b_score += f64::from(times) * met.b_score;
    }
    totals.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_base::sampling::below;
    use evouct_base::seed::Key;

    #[test]
    fn decks_with_the_same_results_count_as_often_as_they_are_drawn() {
        let mut stream = Key::experiment(1).stream();
        let mut met = |a, b| {
            let a_score = [0.0, 0.5, 1.0][below(&mut stream, 3)];
            Encounter { a, b, a_score, b_score: 1.0 - a_score }
        };
        // A deck of a league that is not complete lacks a meeting.
        let deck = |number: usize, met: &mut dyn FnMut(usize, usize) -> Encounter| match number % 10 {
            0 => vec![met(0, 1)],
            _ => vec![met(0, 1), met(1, 2)],
        };
        let decks: Vec<Vec<Encounter>> = (0..200).map(|number| deck(number, &mut met)).collect();
        let alike = DecksAlike::of(&decks);
        assert!(alike.results.len() <= 3 + 9, "{} different results", alike.results.len());
        let drawn: Vec<usize> = (0..200).map(|_| below(&mut stream, 200)).collect();
        let points = |a: usize, score: fn(&Encounter) -> f64| -> f64 {
            drawn.iter().flat_map(|deck| &decks[*deck]).filter(|met| met.a == a).map(score).sum()
        };
        let totals = alike.totals(&drawn);
        assert_eq!(totals.iter().map(|met| (met.a, met.b)).collect::<Vec<_>>(), [(0, 1), (1, 2)]);
        for met in totals {
            assert_eq!(met.a_score, points(met.a, |met| met.a_score));
            assert_eq!(met.b_score, points(met.a, |met| met.b_score));
        }
    }
}
