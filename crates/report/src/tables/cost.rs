//! What a player's decisions cost, and whether it sees the deck: what a ranking must be read with.

use super::league::League;
use evouct_base::plural::noun_of;
use evouct_base::table::{Cell, PLAIN};
use serde::Serialize;

/// The mean cost of a decision, over all games of a player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DecisionCost {
    /// Playouts per decision, evolution included; none for a player without playouts.
    pub playouts: Option<f64>,
    /// Positions visited by *-minimax per decision; none for a player that visits none.
    pub nodes: Option<f64>,
    /// Thinking time per decision in seconds; none without a decision.
    pub seconds: Option<f64>,
    /// Whether its search sees the chance outcomes to come, in Carcassonne the order of the tiles.
    pub sees_deck: bool,
}

impl DecisionCost {
    /// Playouts or nodes per decision.
    pub(crate) fn effort(&self) -> Cell {
        match (self.playouts, self.nodes) {
            (Some(playouts), _) => Cell::Large(playouts, ""),
            (None, nodes) => Cell::maybe(nodes, |nodes| Cell::Large(nodes, "nodes")),
        }
    }

    /// Whether the player sees the deck, in a word.
    pub(crate) fn deck(&self) -> &'static str {
        if self.sees_deck { "seen" } else { "hidden" }
    }

    /// All of it as a phrase: `400 playouts and 12 ms per decision, deck hidden`.
    pub(crate) fn phrase(&self) -> String {
        let playouts = self.playouts.map_or(String::new(), |count| format!(" {}", noun_of(count.round(), "playout")));
        let effort = match self.effort() {
            Cell::Missing => String::new(),
            effort => format!("{}{playouts} and ", effort.text(&PLAIN)),
        };
        let time = Cell::maybe(self.seconds, Cell::Seconds).text(&PLAIN);
        format!("{effort}{time} per decision, deck {}", self.deck())
    }
}

impl League<'_> {
    /// The cost of a player's decisions.
    pub(super) fn cost(&self, player: usize) -> DecisionCost {
        let mut decisions = 0;
        let (mut playouts, mut nodes, mut seconds) = (0, 0, 0.0);
        for (game, seat) in self.results_of(player) {
            let seat = &game.seats[seat];
            decisions += seat.decisions;
            playouts += seat.playouts;
            nodes += seat.nodes;
            seconds += seat.seconds;
        }
        let mean = |sum: f64| (decisions > 0).then(|| sum / decisions as f64);
        DecisionCost {
            playouts: mean(playouts as f64).filter(|mean| *mean > 0.0),
            nodes: mean(nodes as f64).filter(|mean| *mean > 0.0),
            seconds: mean(seconds),
            sees_deck: self.experiment.players[player].spec.sees_deck(),
        }
    }
}
