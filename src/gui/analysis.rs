//! What searches found at the turns of the game: values of moves, and what each move lost.

use super::game::Game;
use super::levels::level_of;
use super::stop::Stop;
use crate::domain::{Snapshot, Spec, Weighed};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};

/// The moves that a page is told of a search.
const SHOWN: usize = 60;

/// What a search found at one turn.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The seat to play.
    pub seat: usize,
    /// The moves, the most visited first.
    pub moves: Vec<Weighed>,
    pub playouts: u64,
    /// Positions that a search without playouts has visited.
    pub nodes: u64,
    pub formula: Option<String>,
    /// The summands of the formula that selected, if one did: those whose values moves have.
    pub terms: Vec<String>,
    /// Whether the search came to its end.
    pub done: bool,
}

impl Found {
    /// What a search found so far.
    pub(super) fn of(seat: usize, glimpse: Snapshot, done: bool) -> Found {
        let mut moves: Vec<Weighed> = glimpse.considered;
        moves.retain(|considered| considered.visits > 0.0);
        // A bound is never better than the same value.
        let order = |a: &Weighed, b: &Weighed| b.mean.total_cmp(&a.mean).then(a.upper_bound.cmp(&b.upper_bound));
        moves.sort_by(|a, b| b.visits.total_cmp(&a.visits).then(order(a, b)));
        Found {
            seat,
            moves,
            playouts: glimpse.playouts,
            nodes: glimpse.nodes,
            formula: glimpse.formula,
            terms: Vec::new(),
            done,
        }
    }

    /// The value of the best move, the most visited one; of a search that visits all moves alike, the one with the best
    /// mean.
    fn best(&self) -> Option<&Weighed> {
        let most = self.moves.first()?.visits;
        let alike = self.moves.iter().filter(|considered| considered.visits + 1.0 >= most);
        alike.max_by(|a, b| a.mean.total_cmp(&b.mean).then(b.upper_bound.cmp(&a.upper_bound)))
    }

    /// What a move is worth less than the best one; none if the search did not try it.
    fn loss(&self, play: &str) -> Option<Loss> {
        let best = self.best()?;
        let played = self.moves.iter().find(|considered| considered.play == play)?;
        Some(Loss { points: (best.mean - played.mean).max(0.0), at_least: played.upper_bound })
    }
}

/// What a move is worth less than the best one.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
struct Loss {
    points: f64,
    /// Whether it may be more, because the value of the move is an upper bound.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    at_least: bool,
}

/// An analysis: a player, and what its searches found.
#[derive(Debug)]
pub(super) struct Analysis {
    /// The player that searches.
    pub player: Spec,
    /// By the number of turns before the position.
    pub found: BTreeMap<usize, Found>,
    /// The positions still to search.
    pub queue: VecDeque<usize>,
    /// The search that runs: its position, and what ends it.
    pub running: Option<(usize, Stop)>,
    /// Whether it follows the cursor.
    pub follows: bool,
    /// Why it ended.
    pub failure: Option<String>,
}

impl Analysis {
    /// An analysis by a player, before its first search.
    pub(super) fn new(player: Spec) -> Analysis {
        let (found, queue) = (BTreeMap::new(), VecDeque::new());
        Analysis { player, found, queue, running: None, follows: false, failure: None }
    }

    /// Ends the search that runs and forgets those that wait.
    pub(super) fn stop(&mut self) {
        self.queue.clear();
        self.follows = false;
        if let Some((_, stop)) = &self.running {
            stop.set();
        }
    }

    /// Goes to the position at the cursor, if the analysis follows it.
    pub(super) fn follow(&mut self, game: &Game) {
        if !self.follows {
            return;
        }
        let cursor = game.cursor;
        if let Some((turn, stop)) = &self.running
            && *turn != cursor
        {
            stop.set();
        }
        self.queue.clear();
        let is_done = self.found.get(&cursor).is_some_and(|found| found.done);
        let runs = self.running.as_ref().is_some_and(|(turn, stop)| *turn == cursor && !stop.is_set());
        if game.seat_at(cursor).is_some() && !is_done && !runs {
            self.queue.push_back(cursor);
        }
    }

    /// Forgets what was found behind these turns, because they were dropped.
    pub(super) fn drop_behind(&mut self, turns: usize) {
        self.found.retain(|turn, _| *turn <= turns);
        self.queue.retain(|turn| *turn <= turns);
        // The search ends, and its result is dropped.
        if let Some((_, stop)) = self.running.take_if(|(turn, _)| *turn > turns) {
            stop.set();
        }
    }

    /// The analysis as a page shows it.
    pub(super) fn json(&self, game: &Game) -> Value {
        let margin = |turn: &usize| self.found.get(turn).and_then(|found| Some((found.seat, found.best()?.mean)));
        // With two seats the margin of one is the other's, with the other sign.
        let two = game.setup.seats.len() == 2;
        let margins: Vec<Option<f64>> = (0..=game.turns.len())
            .map(|turn| margin(&turn).filter(|_| two).map(|(seat, mean)| if seat == 0 { mean } else { -mean }))
            .collect();
        let losses: Vec<Option<Loss>> = game
            .turns
            .iter()
            .enumerate()
            .map(|(number, turn)| self.found.get(&number).and_then(|found| found.loss(&turn.play)))
            .collect();
        let here = self.found.get(&game.cursor).map(|found| {
            let most = found.moves.first().map_or(1.0, |best| best.visits);
            json!({
                "seat": found.seat,
                "moves": found.moves.iter().take(SHOWN).collect::<Vec<_>>(),
                "considered": found.moves.len(),
                "best": found.best().map(|best| &best.play),
                "most": most,
                "playouts": found.playouts,
                "nodes": found.nodes,
                "formula": found.formula,
                "terms": found.terms,
                "done": found.done,
                "played": game.turns.get(game.cursor).map(|turn| &turn.play),
            })
        });
        json!({
            "player": self.player.default_name(),
            "about": level_of(game.setup.rules.domain(), &self.player).map(|level| level.about),
            "peeks": self.player.sees_deck(),
            "cursor": game.cursor,
            "running": self.running.as_ref().filter(|(_, stop)| !stop.is_set()).map(|(turn, _)| turn),
            "left": self.queue.len(),
            "follows": self.follows,
            "failure": self.failure,
            "here": here,
            "margins": margins,
            "losses": losses,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameter::Preset;
    use crate::registry;

    #[test]
    fn a_bound_is_never_the_best_move_and_its_loss_may_be_more() {
        let considered = |play: &str, mean, upper_bound| Weighed {
            play: play.to_owned(),
            visits: 1.0,
            mean,
            upper_bound,
            terms: Vec::new(),
            formula: None,
        };
        let considered = vec![considered("a", 3.0, true), considered("b", 3.0, false), considered("c", 1.0, true)];
        let found = Found::of(0, Snapshot { considered, playouts: 0, nodes: 9, formula: None }, true);
        let order: Vec<&str> = found.moves.iter().map(|one| one.play.as_str()).collect();
        assert_eq!((order, found.best().map(|best| best.play.as_str())), (vec!["b", "a", "c"], Some("b")));
        let losses = ["a", "b", "c", "d"].map(|play| found.loss(play).map(|loss| (loss.points, loss.at_least)));
        assert_eq!(losses, [Some((0.0, true)), Some((0.0, false)), Some((2.0, true)), None]);
    }

    #[test]
    fn a_search_of_dropped_turns_ends_and_is_forgotten() {
        let stop = Stop::default();
        let mut analysis = Analysis::new(registry::spec("mcts", Preset::Text).unwrap());
        (analysis.running, analysis.queue) = (Some((4, stop.clone())), VecDeque::from([1, 2, 5]));
        analysis.drop_behind(4);
        assert!(!stop.is_set() && analysis.running.is_some() && analysis.queue == [1, 2]);
        analysis.drop_behind(1);
        assert!(stop.is_set() && analysis.running.is_none() && analysis.queue == [1]);
    }
}
