//! Leagues drawn anew from the games of ours: how much luck there is in points and PD.

use super::league::League;
use super::tally::Game;
use crate::sampling::below;
use crate::stats::points::{Match, table};
use std::collections::BTreeMap;

/// Points and PD of every player in a league.
pub(super) type Standing = Vec<[f64; 2]>;

/// Draws by which leagues are made; two lists that are set against one another need two.
#[derive(Clone, Copy)]
pub(super) enum Draw {
    First = 1,
    Second = 2,
}

impl League<'_> {
    /// Leagues of `size` games a match, drawn with replacement from ours. If `shared` all matches of a league play the same
    /// decks; if not each has games of its own. None where we have fewer than two decks, or where it would be too much work.
    pub(super) fn drawn(&self, size: usize, shared: bool, draw: Draw) -> Vec<Standing> {
        let mut by_match: BTreeMap<[usize; 2], Vec<&Game>> = BTreeMap::new();
        let decks = self.decks();
        decks.iter().flatten().for_each(|game| by_match.entry(game.players).or_default().push(game));
        let games = size.saturating_mul(by_match.len());
        if decks.len() < 2 {
            return Vec::new();
        }
        let mut stream = self.stream(draw as u32);
        let league = |_| {
            let mut drawn: Vec<&Game> = Vec::with_capacity(games);
            if shared {
                (0..size).for_each(|_| drawn.extend(&decks[below(&mut stream, decks.len())]));
            } else {
                for of_match in by_match.values() {
                    drawn.extend((0..size).map(|_| of_match[below(&mut stream, of_match.len())]));
                }
            }
            self.standing(&League::matches_of(drawn.into_iter()))
        };
        (0..self.resamples(games)).filter_map(league).collect()
    }

    fn standing(&self, matches: &[Match]) -> Option<Standing> {
        let players = self.experiment.players.len();
        let rows = table(players, matches).ok()?;
        let mut standing = vec![[0.0; 2]; players];
        rows.iter().for_each(|row| standing[row.player] = [row.points as f64, row.pd]);
        Some(standing)
    }
}
