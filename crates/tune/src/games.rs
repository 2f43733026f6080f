//! A tuning in several games: values that are compared in all of them.
//!
//! Each game has an experiment of its own, and candidates are its player with the same values of the tuned parameters. Games
//! share the budget equally and have the same rounds. A deck is then one of each game, and its value the mean over games
//! of score differences in standard deviations: those of decks about the mean of their candidate in the first round.

use super::candidates::Candidate;
use super::error::TuneError;
use super::scores::{DeckScore, StageScores, mean_by_deck};
use super::tuning::{Tuning, TuningOptions};
use evouct_base::parameter::Value;
use evouct_league::config::Experiment;
use evouct_league::series::Stage;
use std::collections::BTreeMap;
use std::path::Path;

/// A game beside the first one.
#[derive(Debug)]
pub(super) struct FurtherGame {
    /// The same tuning in this game alone.
    pub tuning: Tuning,
    /// Whether only the held-out stage plays it, and it selects nothing.
    pub held_out: bool,
}

impl FurtherGame {
    /// The games with these experiments and a share of the budget each, numbered from 2.
    ///
    /// # Errors
    /// As [`Tuning::new`]; games that cannot be compared with the first one.
    pub(super) fn all(
        first: &Experiment,
        others: Vec<(Experiment, bool)>,
        share: &TuningOptions,
        folder: &Path,
    ) -> Result<Vec<FurtherGame>, TuneError> {
        let count = 1 + others.len() as u64;
        let mut names = vec![first.name.clone()];
        let mut games = Vec::new();
        for ((experiment, held_out), number) in others.into_iter().zip(2..) {
            let name = experiment.name.clone();
            if names.contains(&name) {
                return Err(TuneError::Experiment(format!("two files have name = {name}; give each a name")));
            }
            let tuning = Tuning::new(experiment, share.clone(), folder);
            let refused = |error: TuneError| TuneError::Experiment(format!("{name}: {}", error.of_games(count)));
            let mut tuning = tuning.map_err(refused)?;
            tuning.suffix = format!("-game-{number}");
            names.push(name);
            games.push(FurtherGame { tuning, held_out });
        }
        Ok(games)
    }

    /// The candidate of the first game as one of this game.
    fn player(&self, first: &Tuning, candidate: &Candidate) -> Result<Candidate, TuneError> {
        if candidate.name == first.candidates[0].name {
            return Ok(self.tuning.candidates[0].clone());
        }
        let player = self.tuning.with(values(candidate))?;
        Ok(Candidate { name: candidate.name.clone(), ..player })
    }
}

/// The values of the tuned parameters.
pub(super) fn values(candidate: &Candidate) -> Vec<Value> {
    candidate.tuned.iter().map(|(_, value)| value.clone()).collect()
}

impl Tuning {
    /// The names of its experiments, the first one first, and whether only the held-out stage plays each.
    pub(super) fn games(&self) -> Vec<(&str, bool)> {
        let further = self.further.iter().map(|game| (game.tuning.name(), game.held_out));
        [(self.name(), false)].into_iter().chain(further).collect()
    }

    /// The unit of values.
    pub(super) fn unit(&self) -> &'static str {
        if self.further.is_empty() { "points per game" } else { "standard deviations" }
    }

    /// Refuses values with which the player cannot play one of the further games.
    pub(super) fn check_further(further: &[FurtherGame], row: &[Value]) -> Result<(), TuneError> {
        further.iter().try_for_each(|game| game.tuning.with(row.to_vec()).map(drop))
    }

    /// The candidate in each game.
    pub(super) fn players(&self, candidate: &Candidate) -> Result<Vec<Candidate>, TuneError> {
        let further = self.further.iter().map(|game| game.player(self, candidate));
        [Ok(candidate.clone())].into_iter().chain(further).collect()
    }

    /// The stages of a round, counted from 0, among these candidates: game by game one against each opponent.
    pub(super) fn round(&self, round: usize, field: &[&Candidate]) -> Result<Vec<Stage>, TuneError> {
        let mut stages = self.own_round(round, field)?;
        for game in self.further.iter().filter(|game| !game.held_out) {
            let players: Vec<Candidate> =
                field.iter().map(|candidate| game.player(self, candidate)).collect::<Result<_, _>>()?;
            stages.extend(game.tuning.own_round(round, &players.iter().collect::<Vec<_>>())?);
        }
        Ok(stages)
    }

    /// The held-out stages: game by game a candidate and the default against one another, then both against each opponent.
    pub(super) fn held_out(&self, challenger: &Candidate) -> Result<Vec<Stage>, TuneError> {
        let mut stages = self.own_held_out(challenger)?;
        for game in &self.further {
            stages.extend(game.tuning.own_held_out(&game.player(self, challenger)?)?);
        }
        Ok(stages)
    }
}

/// The standard deviation of a deck in each game, by the stages of the first round or, without one, of the held-out decks;
/// 1 where decks do not vary.
pub(super) fn deviations<'a>(games: impl Iterator<Item = &'a [StageScores]>) -> Vec<f64> {
    let of_game = |stages: &[StageScores]| {
        let (mut squares, mut freedom) = (0.0, 0.0);
        for place in 0..stages[0].decks.len() {
            let decks = mean_by_deck(stages.iter().map(|stage| &stage.decks[place]));
            let mean = decks.values().map(|deck| deck.mean).sum::<f64>() / decks.len().max(1) as f64;
            squares += decks.values().map(|deck| (deck.mean - mean).powi(2)).sum::<f64>();
            freedom += decks.len().saturating_sub(1) as f64;
        }
        let deviation = (squares / freedom).sqrt();
        if deviation > 0.0 && deviation.is_finite() { deviation } else { 1.0 }
    };
    games.map(of_game).collect()
}

/// The mean over games of what each has by deck, in its deviation.
pub(super) fn mean_over_games(
    games: impl Iterator<Item = BTreeMap<u32, DeckScore>>,
    deviations: &[f64],
) -> BTreeMap<u32, DeckScore> {
    let scaled: Vec<BTreeMap<u32, DeckScore>> = games
        .zip(deviations)
        .map(|(decks, deviation)| {
            decks.into_iter().map(|(deck, score)| (deck, DeckScore { mean: score.mean / deviation, ..score })).collect()
        })
        .collect();
    mean_by_deck(&scaled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_league::series::StageCount;

    /// A stage of two players with these results by deck, from deck 1 on.
    fn stage(of_players: [&[f64]; 2]) -> StageScores {
        let decks = |results: &[f64]| {
            (1..).zip(results).map(|(deck, mean)| (deck, DeckScore { mean: *mean, games: vec![deck.into()] })).collect()
        };
        StageScores {
            count: StageCount::default(),
            seconds: 0.0,
            decks: of_players.map(decks).to_vec(),
            failed: vec![0; 2],
        }
    }

    #[test]
    fn a_deck_of_several_games_is_the_mean_in_their_deviations_by_hand() {
        // About their means the decks of the first game are -1, 1, -3, 3; of the second, over its opponents, all equal.
        let first = [stage([&[1.0, 3.0], &[-3.0, 3.0]])];
        let second = [stage([&[4.0, 2.0], &[0.0, 0.0]]), stage([&[0.0, 2.0], &[0.0, 0.0]])];
        let found = deviations([&first[..], &second].into_iter());
        assert_eq!(found, [10.0_f64.sqrt(), 1.0]);
        let of = |stages: &[StageScores]| mean_by_deck(stages.iter().map(|stage| &stage.decks[0]));
        let mean = mean_over_games([of(&first), of(&second)].into_iter(), &[2.0, 1.0]);
        let values: Vec<(u32, f64)> = mean.iter().map(|(deck, score)| (*deck, score.mean)).collect();
        assert_eq!(values, [(1, (0.5 + 2.0) / 2.0), (2, (1.5 + 2.0) / 2.0)]);
        assert_eq!(mean[&1].games, [1, 1, 1]);
    }
}
