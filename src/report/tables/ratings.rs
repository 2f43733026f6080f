//! Strength of all players at once: ratings, cycles, the sequential test of a match of two.

use super::league::{League, difference};
use super::pairs::FEWEST_DECKS;
use super::report::{Cycle, PairRow, RatingRow, Ratings, Sequential};
use crate::report::aggregate::Game;
use crate::seed::Key;
use crate::stats::cycle::{DecidedGames, shortest_cycle};
use crate::stats::points::Match;
use crate::stats::ratings::{DEFAULT_PRIOR, Encounter, MAX_PLAYERS, rating_intervals, ratings};
use crate::stats::sprt::{Sprt, SprtDecision};
use std::collections::BTreeMap;

/// Resamples of decks behind ratings and behind the comparison with print.
const RESAMPLES: usize = 1_000;
/// Work (players cubed, and games) that is spent on resampling; beyond it there are fewer resamples, or none.
const WORK: usize = 300_000_000;

impl League<'_> {
    /// How often leagues of so many games are drawn from ours.
    pub(in crate::report) fn resamples(&self, games: usize) -> usize {
        let players = self.experiment.players.len();
        let each = players.saturating_pow(3).saturating_mul(8).saturating_add(games);
        Some((WORK / each.max(1)).min(RESAMPLES)).filter(|count| *count >= 100).unwrap_or(0)
    }

    /// The games by deck, each deck's in one order, whatever the order of the records.
    pub(in crate::report) fn decks(&self) -> Vec<Vec<&Game>> {
        let mut decks: BTreeMap<u32, Vec<&Game>> = BTreeMap::new();
        self.games.iter().for_each(|game| decks.entry(game.deck).or_default().push(game));
        decks.values_mut().for_each(|games| games.sort_by_key(|game| game.players));
        decks.into_values().collect()
    }

    pub(in crate::report) fn stream(&self, number: u32) -> impl rand::Rng + use<> {
        Key::experiment(self.experiment.seed).game(0, &[]).nth(number).stream()
    }

    /// Bradley-Terry ratings with intervals.
    pub(in crate::report) fn ratings(&self, pairs: &[PairRow]) -> Ratings {
        let players = self.experiment.players.len();
        let decks: Vec<Vec<Encounter>> =
            self.decks().iter().map(|games| games.iter().copied().map(encounter).collect()).collect();
        let all: Vec<Encounter> = decks.iter().flatten().copied().collect();
        let played = players <= MAX_PLAYERS && !all.is_empty();
        let found = played.then(|| ratings(players, &all, DEFAULT_PRIOR).ok()).flatten();
        let resamples = self.resamples(self.games.len());
        let enough = resamples > 0 && decks.len() as u64 >= FEWEST_DECKS;
        let intervals = (enough && found.is_some()).then(|| {
            let drawn = |indices: &[usize]| totals(indices.iter().flat_map(|&deck| &decks[deck]));
            rating_intervals(players, DEFAULT_PRIOR, decks.len(), resamples, &mut self.stream(0), drawn).ok()
        });
        let intervals = intervals.flatten();
        // One who won or lost every game does so in every resample, which is not to know the rating; nor is it where all decks
        // ended alike.
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
        Ratings {
            rows,
            prior: DEFAULT_PRIOR,
            connected: found.is_some_and(|found| found.connected),
            resamples: intervals.map_or(0, |_| resamples),
            cycle: self.cycle(pairs),
        }
    }

    /// A ring of significant differences, else one of mere majorities.
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

    /// The sequential test of a match of two with mirrored decks.
    pub(in crate::report) fn sequential(&self) -> Option<Sequential> {
        let test = self.experiment.sequential?;
        let sprt = Sprt::new(test.elo0, test.elo1, test.alpha, test.beta).ok()?;
        let mut pairs = [0; 5];
        let mut verdict = sprt.judge(&pairs);
        let mut decided_after = None;
        for games in self.decks() {
            let [first, second] = games[..] else { continue };
            // The first player's points in both games, by quarters: 2 a win, 1 a draw.
            let points = [first, second].map(|game| {
                let own = game.players.iter().position(|player| *player == 0).unwrap_or_default();
                let difference = difference(game, own);
                if difference > 0.0 { 2 } else { usize::from(difference == 0.0) }
            });
            pairs[points[0] + points[1]] += 1;
            verdict = sprt.judge(&pairs);
            if verdict.decision != SprtDecision::Continue {
                decided_after = Some(first.deck);
                break;
            }
        }
        Some(Sequential {
            player: self.name(0),
            opponent: self.name(1),
            elo0: test.elo0,
            elo1: test.elo1,
            alpha: test.alpha,
            beta: test.beta,
            pairs,
            llr: verdict.llr,
            lower: verdict.lower,
            upper: verdict.upper,
            decision: verdict.decision,
            decided_after,
        })
    }

    /// Every match that has a game.
    pub(in crate::report) fn matches_of<'a>(games: impl Iterator<Item = &'a Game>) -> Vec<Match> {
        let mut matches: BTreeMap<[usize; 2], Match> = BTreeMap::new();
        for game in games {
            let [home, away] = game.players;
            let difference = difference(game, 0);
            let empty = Match { home, away, home_wins: 0, away_wins: 0, draws: 0, difference_sum: 0.0 };
            let record = matches.entry([home, away]).or_insert(empty);
            record.home_wins += u64::from(difference > 0.0);
            record.away_wins += u64::from(difference < 0.0);
            record.draws += u64::from(difference == 0.0);
            record.difference_sum += difference;
        }
        matches.into_values().collect()
    }
}

fn encounter(game: &Game) -> Encounter {
    let [a, b] = game.players;
    let difference = difference(game, 0);
    let a_score = if difference > 0.0 {
        1.0
    } else if difference < 0.0 {
        0.0
    } else {
        0.5
    };
    Encounter { a, b, a_score, b_score: 1.0 - a_score }
}

/// The same results, one entry a pair of players.
fn totals<'a>(encounters: impl Iterator<Item = &'a Encounter>) -> Vec<Encounter> {
    let mut totals: BTreeMap<(usize, usize), Encounter> = BTreeMap::new();
    for met in encounters {
        let total = totals.entry((met.a, met.b)).or_insert(Encounter { a_score: 0.0, b_score: 0.0, ..*met });
        total.a_score += met.a_score;
        total.b_score += met.b_score;
    }
    totals.into_values().collect()
}
