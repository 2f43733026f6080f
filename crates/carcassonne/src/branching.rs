//! Branching factors: the numbers of legal moves and of legal placements at each ply of played games (Heyden 2009,
//! figures 3.1 and 3.2; wingedsheep, "Number of possible moves"), and the tiles among them that fitted nowhere (Valdez
//! Ameneyro et al. 2020, section IV).

use super::notation::{Event, ReplayError, Transcript};
use super::rules::{Base, Edition, Expanded, Rules};
use std::collections::BTreeMap;

/// The sum of whole numbers, and the sum of their squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Sum of the numbers.
    pub sum: u64,
    /// Sum of their squares.
    pub squares: u64,
}

impl Sums {
    fn add(&mut self, number: u64) {
        self.sum += number;
        self.squares += number * number;
    }
}

/// The decisions at one ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlyCounts {
    /// How many.
    pub decisions: u64,
    /// Their legal moves: placement and figure together.
    pub moves: Sums,
    /// Their legal placements: distinct pairs of cell and orientation.
    pub placements: Sums,
}

/// Counts of legal moves over several games.
#[derive(Clone, Debug, Default)]
pub struct Branching {
    /// By ply, from the first.
    pub plies: Vec<PlyCounts>,
    /// By number of legal moves: the number of decisions.
    pub frequencies: BTreeMap<usize, u64>,
    /// Games that were counted.
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
            let placements = state.hand().map_or(0, |tile| state.placement_count(tile));
            if self.plies.len() == ply {
                self.plies.push(PlyCounts::default());
            }
            let counts = &mut self.plies[ply];
            counts.decisions += 1;
            counts.moves.add(moves as u64);
            counts.placements.add(u64::from(placements));
            *self.frequencies.entry(moves).or_default() += 1;
            ply += 1;
        })?;
        Ok(())
    }

    /// The mean number of moves over all decisions. NaN without decisions.
    pub fn mean(&self) -> f64 {
        self.mean_of(|ply| ply.moves)
    }

    /// The mean number of placements over all decisions. NaN without decisions.
    pub fn mean_placements(&self) -> f64 {
        self.mean_of(|ply| ply.placements)
    }

    fn mean_of(&self, what: impl Fn(&PlyCounts) -> Sums) -> f64 {
        let decisions: u64 = self.plies.iter().map(|ply| ply.decisions).sum();
        self.plies.iter().map(|ply| what(ply).sum).sum::<u64>() as f64 / decisions as f64
    }

    /// The number of legal moves that most decisions have, the least of them if there are several; 0 without decisions.
    pub fn mode(&self) -> usize {
        let most = self.frequencies.iter().max_by_key(|(moves, count)| (**count, std::cmp::Reverse(**moves)));
        most.map_or(0, |(moves, _)| *moves)
    }

    /// The decimal logarithm of the game-tree complexity after Heyden (2009): the mean number of moves to the power of
    /// the plies per game, times the number of kinds left at each ply, which falls by one every three plies. It holds for
    /// the 24 kinds and 71 plies of the base game only.
    pub fn complexity_exponent(&self) -> f64 {
        let plies = self.plies.len() as f64;
        let tiles: f64 = (2..=24).map(|kinds| 3.0 * f64::from(kinds).log10()).sum();
        plies * self.mean().log10() + tiles
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DrawResult, Expansions, PlayedTurn, PlayoutPolicy, State, TileDeck, TileSet};
    use evouct_base::seed::{Key, search_rng};
    use std::collections::BTreeSet;

    #[test]
    fn the_complexity_agrees_with_heyden() {
        // 55 moves over 71 plies: 8.8 · 10^194.
        let ply = PlyCounts { decisions: 1, moves: Sums { sum: 55, squares: 55 * 55 }, ..PlyCounts::default() };
        let branching = Branching { plies: vec![ply; 71], ..Branching::default() };
        let exponent = branching.complexity_exponent();
        assert!((exponent - 194.0 - 8.8_f64.log10()).abs() < 0.01, "{exponent}");
    }

    #[test]
    fn placements_are_the_distinct_places_of_the_legal_moves_with_expansions_too() {
        let all = Expansions::of_names(["river", "inns-and-cathedrals", "abbots"]).unwrap();
        for expansions in [Expansions::NONE, all] {
            let rules = Rules { tiles: TileSet::of(expansions, false), ..Rules::official(2) };
            let mut branching = Branching::default();
            let counted: Vec<Vec<[u64; 2]>> = (0..5).map(|seed| played(rules, seed, &mut branching)).collect();
            assert_eq!(branching.plies.len(), counted.iter().map(Vec::len).max().unwrap());
            for (ply, counts) in branching.plies.iter().enumerate() {
                let here: Vec<[u64; 2]> = counted.iter().filter_map(|game| game.get(ply).copied()).collect();
                let sums = |what: usize| Sums {
                    sum: here.iter().map(|counts| counts[what]).sum(),
                    squares: here.iter().map(|counts| counts[what] * counts[what]).sum(),
                };
                let expected = PlyCounts { decisions: here.len() as u64, moves: sums(0), placements: sums(1) };
                assert_eq!(*counts, expected, "ply {ply} with {expansions:?}");
            }
            let decisions: Vec<[u64; 2]> = counted.concat();
            let mean = decisions.iter().map(|counts| counts[1]).sum::<u64>() as f64 / decisions.len() as f64;
            assert!((branching.mean_placements() - mean).abs() < 1e-9 && mean < branching.mean());
        }
    }

    /// Plays a random game, adds it, and returns the moves and the distinct places of each decision, counted from the
    /// list of legal moves.
    fn played(rules: Rules, seed: u64, branching: &mut Branching) -> Vec<[u64; 2]> {
        let mut state = State::<Expanded>::start(rules);
        let mut rng = search_rng(&mut Key::experiment(seed).stream());
        let (mut events, mut counts) = (Vec::new(), Vec::new());
        while !state.is_over() {
            let tile = state.draw_random(&mut rng);
            if state.hand().is_none() {
                events.push(Event::SetAside(tile));
                continue;
            }
            let moves = state.legal_moves();
            let places: BTreeSet<_> = moves.iter().map(|one| (one.cell.x, one.cell.y, one.rotation)).collect();
            counts.push([moves.len() as u64, places.len() as u64]);
            let action = state.random_move(PlayoutPolicy::Joint, &mut rng).unwrap();
            events.push(Event::Turn(PlayedTurn { tile, action }));
            state.play(action).unwrap();
        }
        branching.add(rules, events).unwrap();
        counts
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
                if drawn == DrawResult::SetAside {
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
