//! Leagues resampled from our games: the random variation of points and PD.

use super::league::League;
use crate::aggregate::game_result::GameResult;
use evouct_base::sampling::below;
use evouct_base::seed::Key;
use evouct_stats::points::{Match, table};
use rand::Rng;

/// Points and PD of every player in a league.
pub(super) type Standing = Vec<[f64; 2]>;

/// Resamples of decks behind ratings and behind the comparison with print.
const RESAMPLES: usize = 1_000;
/// Limit of the work of resampling (players cubed, plus games, per resample); a larger league gets fewer resamples, or
/// none.
const WORK: usize = 300_000_000;

/// The games of each deck.
type Decks<'a> = Vec<Vec<&'a GameResult>>;

impl League<'_> {
    /// The number of resamples for leagues of so many games; 0 where they would take too long.
    pub(super) fn resamples(&self, games: usize) -> usize {
        let players = self.experiment.players.len();
        let each = players.saturating_pow(3).saturating_mul(8).saturating_add(games);
        Some((WORK / each.max(1)).min(RESAMPLES)).filter(|count| *count >= 100).unwrap_or(0)
    }

    /// A random stream of the report's own, by number.
    pub(super) fn stream(&self, number: u32) -> Box<dyn Rng> {
        Key::experiment(self.experiment.seed).game(0, &[]).nth(number).boxed_stream()
    }

    /// Leagues of the printed size between our players: `size` games per match, all matches on the same decks if
    /// `shared`, else each match on its own decks. Empty with fewer than two decks, with another number of seats than
    /// two, and where resampling would take too long.
    ///
    /// A bootstrap in two steps: a league of our size is drawn with replacement from ours, and a league of the printed
    /// size from that one. The first step models the random variation of our league, the second that of the printed
    /// one.
    pub(super) fn printed_alike(&self, size: usize, shared: bool) -> Vec<Standing> {
        let decks = self.distinct_decks();
        if decks.len() < 2 || self.experiment.rules.seats() != 2 {
            return Vec::new();
        }
        let matches = self.by_match(&decks);
        let ours = if self.experiment.mirror { decks.len() } else { matches.iter().map(Vec::len).max().unwrap_or(0) };
        let work = size.saturating_mul(matches.len()).saturating_add(self.games.len());
        let mut stream = self.stream(1);
        let league = |_| {
            let ours_again = self.draw(&decks, ours, self.experiment.mirror, &mut stream);
            let printed = self.draw(&ours_again, size, shared, &mut stream);
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
    fn by_match<'a>(&self, decks: &Decks<'a>) -> Vec<Vec<&'a GameResult>> {
        let players = self.experiment.players.len();
        let mut matches = vec![Vec::new(); players * players];
        for game in decks.iter().flatten() {
            let Some([home, away]) = game.home_and_away() else { continue };
            matches[home * players + away].push(*game);
        }
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
