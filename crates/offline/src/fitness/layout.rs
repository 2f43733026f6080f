//! How the blocks of a request stand in its measurement: game by game.

use super::distinct_decks::Objective;
use super::measure::{Measured, PlayedDeck, Request};
use super::pooled::GainEstimate;
use crate::plan::EvolutionPlan;
use crate::plan::game::OverGames;
use std::borrow::Cow;

/// The blocks of a request, by game.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Layout {
    /// The games, in the order of the plan.
    pub games: Vec<GameBlocks>,
    /// What a gain over several games is; none in an evolution in one game.
    pub over: Option<OverGames>,
}

/// The blocks of a request in a game.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct GameBlocks {
    /// The units of each block.
    pub units: Vec<u32>,
    /// The weight of the game among all; 0 for one that is held out.
    pub weight: f64,
    /// What values are divided by, in points; 1 of the only game.
    pub deviation: f64,
}

impl EvolutionPlan {
    /// How the blocks of a request stand in its measurement.
    pub(crate) fn layout(&self, request: &Request) -> Layout {
        let mut units = self.block_units(request).into_iter();
        let game = |game| GameBlocks {
            units: units.by_ref().take(self.blocks_of_game(request, game) as usize).collect(),
            weight: if game.held_out { 0.0 } else { game.weight },
            deviation: game.deviation,
        };
        Layout {
            games: self.games_of(request).iter().map(game).collect(),
            over: self.is_over_games().then_some(self.evolve.over),
        }
    }
}

impl Layout {
    /// What was measured in each game, in its deviations.
    pub(crate) fn by_game<'a>(&self, measured: &'a Measured) -> Vec<Cow<'a, Measured>> {
        if self.over.is_none() {
            return vec![Cow::Borrowed(measured)];
        }
        let (mut sums, mut decks) = (measured.sums.as_slice(), measured.decks.as_slice());
        let mut of_game = |game: &GameBlocks| {
            let own = sums.split_off(..game.units.len()).unwrap_or_default();
            let all = game.units.iter().map(|units| *units as usize).sum::<usize>();
            let played = decks.split_off(..all).unwrap_or_default();
            let scaled = |deck: &PlayedDeck| PlayedDeck { value: deck.value / game.deviation, ..*deck };
            Cow::Owned(Measured {
                sums: own.iter().map(|sum| sum / game.deviation).collect(),
                second: Vec::new(),
                decks: played.iter().map(scaled).collect(),
                seconds: None,
            })
        };
        self.games.iter().map(&mut of_game).collect()
    }

    /// What a measurement is worth, to be compared with others of the same batch: the sum of its values, or its gain over
    /// several games.
    pub(crate) fn worth(&self, own: &Measured, reference: &Measured) -> f64 {
        if self.over.is_none() {
            return own.sums.iter().sum();
        }
        let mut gain = GainEstimate::default();
        gain.add_measured(own, Ok(reference), Objective::Value, self);
        gain.mean()
    }
}
