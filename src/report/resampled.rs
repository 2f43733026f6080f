//! Leagues drawn anew from the games of ours: how much luck there is in points and PD.

use super::league::League;
use super::tally::Game;
use crate::sampling::below;
use crate::stats::points::{Match, table};
use std::collections::BTreeMap;

/// Points and PD of every player in a league.
pub(super) type Standing = Vec<[f64; 2]>;

impl League<'_> {
    /// Leagues of `size` decks, drawn with replacement from ours; all matches play the same decks. None where we have fewer than
    /// two decks.
    pub(super) fn on_shared_decks(&self, size: usize) -> Vec<Standing> {
        let decks = self.decks();
        if decks.len() < 2 {
            return Vec::new();
        }
        let mut stream = self.stream(1);
        let drawn = |_| {
            let games = (0..size).flat_map(|_| &decks[below(&mut stream, decks.len())]);
            self.standing(&League::matches_of(games.copied()))
        };
        (0..self.resamples()).filter_map(drawn).collect()
    }

    /// Leagues of `size` games a match, drawn with replacement from our games of the match, each match by itself: as where every
    /// match has decks of its own. None where we have fewer than two decks.
    pub(super) fn on_own_decks(&self, size: usize) -> Vec<Standing> {
        if self.decks().len() < 2 {
            return Vec::new();
        }
        let mut by_match: BTreeMap<[usize; 2], Vec<&Game>> = BTreeMap::new();
        self.decks().into_iter().flatten().for_each(|game| by_match.entry(game.players).or_default().push(game));
        let mut stream = self.stream(2);
        let drawn = |_| {
            let mut games = Vec::new();
            for of_match in by_match.values() {
                games.extend((0..size).map(|_| of_match[below(&mut stream, of_match.len())]));
            }
            self.standing(&League::matches_of(games.into_iter()))
        };
        (0..self.resamples()).filter_map(drawn).collect()
    }

    fn standing(&self, matches: &[Match]) -> Option<Standing> {
        let players = self.experiment.players.len();
        let rows = table(players, matches).ok()?;
        let mut standing = vec![[0.0; 2]; players];
        rows.iter().for_each(|row| standing[row.player] = [row.points as f64, row.pd]);
        Some(standing)
    }
}
