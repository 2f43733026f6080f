//! Branching factors: the number of legal moves at each ply of played games (Heyden 2009, figures 3.1 and 3.2), and the
//! tiles among them that fitted nowhere (Valdez Ameneyro et al. 2020, section IV).

use super::notation::{Event, ReplayError, Transcript};
use super::rules::{Base, Edition, Expanded, Rules};
use std::collections::BTreeMap;

/// Counts of legal moves over several games.
#[derive(Clone, Debug, Default)]
pub struct Branching {
    /// By ply, from the first: the number of decisions and the sum of their legal moves.
    pub plies: Vec<(u64, u64)>,
    /// By number of legal moves: the number of decisions.
    pub frequencies: BTreeMap<usize, u64>,
    /// Games.
    pub games: u64,
    /// Games in which a tile that was drawn fitted nowhere.
    pub games_with_unplaceable: u64,
    /// Tiles that were drawn and fitted nowhere. One that comes back counts each time.
    pub unplaceable: u64,
}

impl Branching {
    /// Adds the decisions of one game.
    ///
    /// # Errors
    /// The first event that the rules do not allow.
    pub fn add(&mut self, rules: Rules, events: Vec<Event>) -> Result<(), ReplayError> {
        let unplaceable = events.iter().filter(|event| matches!(event, Event::SetAside(_))).count();
        self.games += 1;
        self.games_with_unplaceable += u64::from(unplaceable > 0);
        self.unplaceable += unplaceable as u64;
        if rules.are_of_the_base_game() {
            self.add_as::<Base>(rules, events)
        } else {
            self.add_as::<Expanded>(rules, events)
        }
    }

    fn add_as<E: Edition>(&mut self, rules: Rules, events: Vec<Event>) -> Result<(), ReplayError> {
        let mut ply = 0;
        Transcript { rules, events, hand: None, scores: None }.replay_with::<E>(|state| {
            let moves = state.legal_moves().len();
            if self.plies.len() == ply {
                self.plies.push((0, 0));
            }
            self.plies[ply].0 += 1;
            self.plies[ply].1 += moves as u64;
            *self.frequencies.entry(moves).or_default() += 1;
            ply += 1;
        })?;
        Ok(())
    }

    /// The mean over all decisions. NaN without decisions.
    pub fn mean(&self) -> f64 {
        let (decisions, moves) = self.plies.iter().fold((0, 0), |sum, ply| (sum.0 + ply.0, sum.1 + ply.1));
        moves as f64 / decisions as f64
    }

    /// The mean at each ply.
    pub fn means(&self) -> Vec<f64> {
        self.plies.iter().map(|(decisions, moves)| *moves as f64 / *decisions as f64).collect()
    }

    /// The number of legal moves that most decisions have, the least of them if there are several; 0 without decisions.
    pub fn mode(&self) -> usize {
        let most = self.frequencies.iter().max_by_key(|(moves, count)| (**count, std::cmp::Reverse(**moves)));
        most.map_or(0, |(moves, _)| *moves)
    }

    /// The decimal logarithm of the game-tree complexity after Heyden (2009): the mean number of moves to the
    /// power of the plies per game, times the number of kinds left at each ply, which falls by one every three plies.
    pub fn complexity_exponent(&self) -> f64 {
        let plies = self.plies.len() as f64;
        let tiles: f64 = (2..=24).map(|kinds| 3.0 * f64::from(kinds).log10()).sum();
        plies * self.mean().log10() + tiles
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Drawn, PlayedTurn, PlayoutPolicy, State, TileDeck};
    use evouct_base::seed::{Key, search_rng};

    #[test]
    fn the_complexity_agrees_with_heyden() {
        // 55 moves over 71 plies: 8.8 · 10^194.
        let branching = Branching { plies: vec![(1, 55); 71], ..Branching::default() };
        let exponent = branching.complexity_exponent();
        assert!((exponent - 194.0 - 8.8_f64.log10()).abs() < 0.01, "{exponent}");
    }

    #[test]
    fn tiles_that_fit_nowhere_count_by_tile_and_by_game() {
        let (mut branching, mut expected) = (Branching::default(), [0; 2]);
        for seed in 0..300 {
            let rules = Rules::official(2);
            let mut state = State::new(rules);
            let mut deck = TileDeck::shuffled(&rules, Key::experiment(seed));
            let mut rng = search_rng(&mut Key::experiment(seed).stream());
            let mut events = Vec::new();
            while let Some((tile, drawn)) = deck.deal(&mut state) {
                if drawn == Drawn::SetAside {
                    events.push(Event::SetAside(tile));
                    continue;
                }
                let action = state.random_move(PlayoutPolicy::Joint, &mut rng).unwrap();
                events.push(Event::Turn(PlayedTurn { tile, action }));
                state.play(action).unwrap();
            }
            // All tiles but the start tile are played or leave the game.
            let set_aside = 71 - state.turns().len() as u64;
            expected[0] += set_aside;
            expected[1] += u64::from(set_aside > 0);
            branching.add(rules, events).unwrap();
        }
        assert_eq!(
            [branching.unplaceable, branching.games_with_unplaceable, branching.games],
            [expected[0], expected[1], 300]
        );
        assert!(expected[1] > 0 && expected[1] < 300, "{expected:?}");
    }
}
