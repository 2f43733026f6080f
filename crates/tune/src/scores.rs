//! Results of a stage by player and deck, and which decks are distinct.

use evouct_league::record::{GameRecord, Run};
use evouct_league::schedule::Schedule;
use evouct_league::series::{Stage, StageCount};
use evouct_platform::domain::ScoreScale;
use evouct_stats::distinct::Distinct;
use evouct_store::{RecordError, is_being_written};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// What is recorded of a stage, whose first player is the opponent of all others.
pub(super) struct StageScores {
    /// Its games.
    pub count: StageCount,
    /// The time that players thought in them, in seconds.
    pub seconds: f64,
    /// For each player but the first, its decks. Those with a missing or failed game are left out.
    pub decks: Vec<BTreeMap<u32, DeckScore>>,
    /// For each player but the first: games that failed.
    pub failed: Vec<u64>,
}

/// A player's games on a deck.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct DeckScore {
    /// The mean score difference over the opponent in points per game.
    pub mean: f64,
    /// The games: see [`GameRecord::course`].
    pub games: Vec<u64>,
}

impl DeckScore {
    /// The difference to another player's games on the deck, and the games of both.
    pub(super) fn less(mut self, other: &DeckScore) -> DeckScore {
        self.mean -= other.mean;
        self.games.extend(&other.games);
        self
    }
}

/// Of decks in their order, the values of those that repeat no earlier one.
pub(super) fn distinct_means<'a>(distinct: &mut Distinct, decks: impl Iterator<Item = &'a DeckScore>) -> Vec<f64> {
    decks.filter(|deck| distinct.adds(deck.games.iter().copied())).map(|deck| deck.mean).collect()
}

impl StageScores {
    /// Reads a stage. In a tuning that was extended (`is_extended`) its folder may hold games of other players: they are
    /// none of it.
    ///
    /// # Errors
    /// As [`Stage::open`].
    pub(super) fn read(stage: &Stage, folder: &Path, is_extended: bool) -> Result<StageScores, RecordError> {
        let players = &stage.experiment.players;
        let places: HashMap<String, usize> =
            players.iter().enumerate().map(|(place, player)| (player.identity.short(), place)).collect();
        let others = players.len() - 1;
        let mut games: Vec<BTreeMap<u32, Vec<(f64, u64)>>> = vec![BTreeMap::new(); others];
        let mut failed = vec![0; others];
        let scale = stage.experiment.rules.domain().scale();
        let mut seconds = 0.0;
        let count = stage.games(folder, |game| {
            seconds += game.run.seconds.iter().sum::<f64>();
            let Some((player, difference)) = of_game(game, &places, scale) else { return };
            if game.is_result() {
                games[player - 1].entry(game.deck).or_default().push((difference, game.course()));
            } else if game.fault.is_none() {
                // A program that did not start is an opponent.
                failed[player - 1] += 1;
            }
        });
        let count = match count {
            Err(RecordError::OtherRun(_)) if is_extended => {
                StageCount { scheduled: Schedule::of(&stage.experiment).len(), ..StageCount::default() }
            }
            count => count?,
        };
        // A deck has two games: one from each seat.
        let whole = |(deck, games): (u32, Vec<(f64, u64)>)| {
            let [(one, first), (other, second)] = games[..] else { return None };
            Some((deck, DeckScore { mean: (one + other) / 2.0, games: vec![first, second] }))
        };
        let decks = games.into_iter().map(|decks| decks.into_iter().filter_map(whole).collect()).collect();
        Ok(StageScores { count, seconds, decks, failed })
    }
}

/// The player of a game that is not the opponent, and its points less the opponent's.
fn of_game(game: &GameRecord, places: &HashMap<String, usize>, scale: ScoreScale) -> Option<(usize, f64)> {
    let [home, away] = game.seats.as_slice() else { return None };
    let [home_score, away_score] = game.scores.as_slice() else { return None };
    let difference = scale.difference(*home_score, *away_score);
    match (*places.get(home)?, *places.get(away)?) {
        (player, 0) if player > 0 => Some((player, difference)),
        (0, player) if player > 0 => Some((player, -difference)),
        _ => None,
    }
}

/// Refuses the folder of a stage in which a process is playing.
pub(super) fn refuse_writers(folder: &Path) -> Result<(), RecordError> {
    let run = if Run::has_journals(folder) { Some(Run::open(folder)?) } else { None };
    match run.iter().flat_map(|run| run.journals()).find(|own| is_being_written(&own.path)) {
        Some(journal) => Err(RecordError::Locked { path: journal.path.clone() }),
        None => Ok(()),
    }
}

/// The mean over stages of one player's results, by deck. Decks that a stage lacks are left out.
pub(super) fn mean_by_deck<'a>(
    stages: impl IntoIterator<Item = &'a BTreeMap<u32, DeckScore>>,
) -> BTreeMap<u32, DeckScore> {
    let mut sums: BTreeMap<u32, (DeckScore, usize)> = BTreeMap::new();
    let mut count = 0;
    for stage in stages {
        count += 1;
        for (deck, score) in stage {
            let (sum, stages) = sums.entry(*deck).or_default();
            sum.mean += score.mean;
            sum.games.extend(&score.games);
            *stages += 1;
        }
    }
    let mean = |sum: DeckScore| DeckScore { mean: sum.mean / count as f64, ..sum };
    let whole = sums.into_iter().filter(|(_, (_, stages))| *stages == count);
    whole.map(|(deck, (sum, _))| (deck, mean(sum))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(mean: f64, games: &[u64]) -> DeckScore {
        DeckScore { mean, games: games.to_vec() }
    }

    #[test]
    fn a_deck_counts_where_every_opponent_was_played() {
        let one = BTreeMap::from([(1, score(2.0, &[1])), (2, score(5.0, &[2]))]);
        let two = BTreeMap::from([(1, score(4.0, &[3])), (3, score(1.0, &[4]))]);
        assert_eq!(mean_by_deck([&one, &two]), BTreeMap::from([(1, score(3.0, &[1, 3]))]));
        assert_eq!(mean_by_deck([&one]), one);
    }

    #[test]
    fn a_deck_that_repeats_an_earlier_one_does_not_count() {
        let decks = [score(2.0, &[1, 2]), score(3.0, &[1, 3]), score(2.0, &[1, 2]), score(3.0, &[1, 3])];
        let mut distinct = Distinct::default();
        assert_eq!(distinct_means(&mut distinct, decks.iter()), [2.0, 3.0]);
        // Nor does one of a later round.
        assert!(distinct_means(&mut distinct, decks[1..3].iter()).is_empty());
        assert_eq!(distinct.repeats(), 4);
        assert_eq!(score(3.0, &[1]).less(&score(1.0, &[2])), score(2.0, &[1, 2]));
    }
}
