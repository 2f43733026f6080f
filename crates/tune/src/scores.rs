//! Results of a stage by player and deck.

use evouct_league::record::GameRecord;
use evouct_league::series::{SeriesError, Stage, StageCount};
use evouct_platform::domain::ScoreScale;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// What is recorded of a stage, whose first player is the opponent of all others.
pub(super) struct StageScores {
    /// Its games.
    pub count: StageCount,
    /// For each player but the first: the mean score difference over the opponent in points per game, by deck. Decks
    /// with a missing or failed game are left out.
    pub decks: Vec<BTreeMap<u32, f64>>,
    /// For each player but the first: games that failed.
    pub failed: Vec<u64>,
}

impl StageScores {
    /// Reads a stage.
    ///
    /// # Errors
    /// As [`Stage::open`].
    pub(super) fn read(stage: &Stage, folder: &Path) -> Result<StageScores, SeriesError> {
        let players = &stage.experiment.players;
        let places: HashMap<String, usize> =
            players.iter().enumerate().map(|(place, player)| (player.identity.short(), place)).collect();
        let others = players.len() - 1;
        let mut games: Vec<BTreeMap<u32, Vec<f64>>> = vec![BTreeMap::new(); others];
        let mut failed = vec![0; others];
        let scale = stage.experiment.rules.domain().scale();
        let count = stage.games(folder, |game| {
            let Some((player, difference)) = of_game(game, &places, scale) else { return };
            if game.is_result() {
                games[player - 1].entry(game.deck).or_default().push(difference);
            } else if game.fault.is_none() {
                // A program that did not start is an opponent.
                failed[player - 1] += 1;
            }
        })?;
        // A deck has two games: one from each seat.
        let whole = |(deck, games): (u32, Vec<f64>)| (games.len() == 2).then(|| (deck, (games[0] + games[1]) / 2.0));
        let decks = games.into_iter().map(|decks| decks.into_iter().filter_map(whole).collect()).collect();
        Ok(StageScores { count, decks, failed })
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

/// The mean over stages of one player's results, by deck. Decks that a stage lacks are left out.
pub(super) fn mean_by_deck<'a>(stages: impl IntoIterator<Item = &'a BTreeMap<u32, f64>>) -> BTreeMap<u32, f64> {
    let mut sums: BTreeMap<u32, (f64, usize)> = BTreeMap::new();
    let mut count = 0;
    for stage in stages {
        count += 1;
        for (deck, value) in stage {
            let sum = sums.entry(*deck).or_default();
            *sum = (sum.0 + value, sum.1 + 1);
        }
    }
    let whole = |(deck, (sum, stages)): (u32, (f64, usize))| (stages == count).then(|| (deck, sum / count as f64));
    sums.into_iter().filter_map(whole).collect()
}

#[cfg(test)]
mod tests {
    use super::mean_by_deck;
    use std::collections::BTreeMap;

    #[test]
    fn a_deck_counts_where_every_opponent_was_played() {
        let one = BTreeMap::from([(1, 2.0), (2, 5.0)]);
        let two = BTreeMap::from([(1, 4.0), (3, 1.0)]);
        assert_eq!(mean_by_deck([&one, &two]), BTreeMap::from([(1, 3.0)]));
        assert_eq!(mean_by_deck([&one]), one);
    }
}
