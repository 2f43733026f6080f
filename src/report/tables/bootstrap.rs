//! Leagues drawn anew from the games of ours: how much luck there is in points and PD.

use super::league::League;
use crate::report::aggregate::Game;
use crate::sampling::below;
use crate::stats::points::{Match, table};
use rand::Rng;

/// Points and PD of every player in a league.
pub(in crate::report) type Standing = Vec<[f64; 2]>;

/// The games of each deck.
type Decks<'a> = Vec<Vec<&'a Game>>;

impl League<'_> {
    /// Leagues such as a paper would print if its players were ours: `size` games a match, all matches on the same decks if
    /// `shared`, else each on decks of its own. None where we have fewer than two decks, or where it would be too much work.
    ///
    /// Each is drawn with replacement from a league that is drawn, as large as ours and on decks as ours, from ours: the one step
    /// stands for the luck of the printed league, the other for the luck of ours.
    pub(in crate::report) fn printed_alike(&self, size: usize, shared: bool) -> Vec<Standing> {
        let decks = self.decks();
        if decks.len() < 2 {
            return Vec::new();
        }
        let matches = self.by_match(&decks);
        let ours = if self.experiment.mirror { decks.len() } else { matches.iter().map(Vec::len).max().unwrap_or(0) };
        let work = size.saturating_mul(matches.len()).saturating_add(self.games.len());
        let mut stream = self.stream(1);
        let league = |_| {
            let again = self.draw(&decks, ours, self.experiment.mirror, &mut stream);
            let printed = self.draw(&again, size, shared, &mut stream);
            self.standing(&League::matches_of(printed.into_iter().flatten()))
        };
        (0..self.resamples(work)).filter_map(league).collect()
    }

    /// `size` decks, drawn with replacement: whole ones if `shared`, else each made of one game of every match.
    fn draw<'a>(&self, decks: &Decks<'a>, size: usize, shared: bool, stream: &mut impl Rng) -> Decks<'a> {
        if shared {
            return (0..size).map(|_| decks[below(stream, decks.len())].clone()).collect();
        }
        let matches = self.by_match(decks);
        let one_each = |_| matches.iter().map(|games| games[below(stream, games.len())]).collect();
        (0..size).map(one_each).collect()
    }

    /// The games of every match that has any.
    fn by_match<'a>(&self, decks: &Decks<'a>) -> Vec<Vec<&'a Game>> {
        let players = self.experiment.players.len();
        let mut matches = vec![Vec::new(); players * players];
        decks.iter().flatten().for_each(|game| matches[game.players[0] * players + game.players[1]].push(*game));
        matches.retain(|games| !games.is_empty());
        matches
    }

    fn standing(&self, matches: &[Match]) -> Option<Standing> {
        let players = self.experiment.players.len();
        let rows = table(players, matches).ok()?;
        let mut standing = vec![[0.0; 2]; players];
        rows.iter().for_each(|row| standing[row.player] = [row.points as f64, row.pd]);
        Some(standing)
    }
}
