//! Positions as a search sees them, to be compared.

use crate::game::{Game, Ply, Scores, Turn};
use std::fmt::Debug;

/// What a search can see of a position.
#[derive(PartialEq, Debug)]
pub(super) struct View<Action, Outcome> {
    pub seats: usize,
    pub turn: Turn,
    pub outcomes: Vec<(Outcome, u32)>,
    pub live: Vec<(Outcome, u32)>,
    pub actions: Vec<Action>,
    pub scores: Scores,
    pub max_score: Option<i32>,
    pub drawn: Option<Outcome>,
    pub past: Option<Vec<Ply<Action, Outcome>>>,
}

impl<Action: PartialEq, Outcome: PartialEq + Debug> View<Action, Outcome> {
    pub(super) fn of<G: Game<Action = Action, Outcome = Outcome>>(state: &G) -> View<Action, Outcome> {
        let (mut outcomes, mut live, mut actions) = (Vec::new(), Vec::new(), Vec::new());
        state.outcomes(&mut outcomes);
        state.live_outcomes(&mut live);
        state.actions(&mut actions);
        View {
            seats: state.seats(),
            turn: state.turn(),
            outcomes,
            live,
            actions,
            scores: state.scores(),
            max_score: state.max_score(),
            drawn: state.drawn(),
            past: state.past(),
        }
    }

    /// The first thing in which two positions differ that should be the same.
    fn difference(&self, other: &View<Action, Outcome>) -> Option<&'static str> {
        [
            ("seats", self.seats == other.seats),
            ("turn", self.turn == other.turn),
            ("outcomes", self.outcomes == other.outcomes),
            ("live outcomes", self.live == other.live),
            ("actions", self.actions == other.actions),
            ("scores", self.scores == other.scores),
            ("highest score", self.max_score == other.max_score),
            ("past", self.drawn == other.drawn && self.past == other.past),
        ]
        .into_iter()
        .find_map(|(what, same)| (!same).then_some(what))
    }

    pub(super) fn expect_same(&self, other: &View<Action, Outcome>, who: &str) -> Result<(), String> {
        self.difference(other).map_or(Ok(()), |what| Err(format!("{who} differs in its {what}")))
    }

    /// Refuses an outcome that the position does not list.
    pub(super) fn expect_listed(&self, outcome: Outcome, who: &str) -> Result<(), String> {
        if self.outcomes.iter().any(|(listed, _)| *listed == outcome) {
            return Ok(());
        }
        Err(format!("{who} draws {outcome:?}, which is not among the outcomes"))
    }
}
