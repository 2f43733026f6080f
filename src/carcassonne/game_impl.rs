//! Carcassonne as a [`Game`] for search.

use super::rules::{Deck, FeatureKind, MAX_SEATS, Move, PlayoutPolicy, SegmentId, State, TileKind};
use crate::game::{self, Game, MoveLog, Playout, Ply, Scores, Turn};
use crate::sampling;
use crate::seed::Key;
use rand::Rng;

/// The most points of the base game for one player without fields, and the most complete cities (Müller, 4.4.5): 282 points if a
/// field has three points for a city.
const MAX_SCORE: (i32, i32) = (234, 16);

impl Game for State {
    type Action = Move;
    type Outcome = TileKind;
    type Deck = Deck;

    fn seats(&self) -> usize {
        usize::from(self.rules().seats)
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.hand().is_some() {
            Turn::Player(self.player())
        } else if self.is_over() {
            Turn::Terminal
        } else {
            Turn::Chance
        }
    }

    fn outcomes(&self, outcomes: &mut Vec<(TileKind, u32)>) {
        outcomes.clear();
        outcomes.extend(self.draw_outcomes().map(|(kind, count)| (kind, u32::from(count))));
    }

    #[inline]
    fn apply(&mut self, outcome: TileKind) {
        self.draw(outcome).expect("the outcome is in the list of outcomes");
    }

    #[inline]
    fn sample(&mut self, rng: &mut impl Rng) -> TileKind {
        self.draw_random(rng)
    }

    fn actions(&self, actions: &mut Vec<Move>) {
        self.legal_moves_into(actions);
    }

    #[inline]
    fn play(&mut self, action: Move) {
        self.play_legal(action, &mut ());
    }

    /// The tiles that fit somewhere. Any other tile is set aside, and the same seat draws again.
    fn live_outcomes(&self, outcomes: &mut Vec<(TileKind, u32)>) {
        outcomes.clear();
        let fitting = self.draw_outcomes().filter(|(kind, _)| self.placement_count(*kind) > 0);
        outcomes.extend(fitting.map(|(kind, count)| (kind, u32::from(count))));
    }

    /// The placement, without the meeple.
    fn first_part(action: Move) -> Move {
        Move { meeple: None, ..action }
    }

    fn scores(&self) -> Scores {
        widen(self.virtual_scores())
    }

    fn max_score(&self) -> Option<i32> {
        Some(MAX_SCORE.0 + MAX_SCORE.1 * i32::from(self.rules().fields.points()))
    }

    /// Turns played over the turns of a game in which every tile fits.
    fn phase(&self) -> Option<f64> {
        Some(self.turns().len() as f64 / f64::from(self.rules().tiles.tiles - 1))
    }

    #[inline]
    fn move_log(&self) -> Option<&dyn MoveLog<Move, TileKind>> {
        Some(self)
    }
}

impl game::Deck<State> for Deck {
    fn shuffled(state: &State, rng: &mut impl Rng) -> Deck {
        let mut tiles: Vec<TileKind> = state.remaining().collect();
        sampling::shuffle(rng, &mut tiles);
        Deck::in_order(&tiles, Key::experiment(rng.next_u64()))
    }

    #[inline]
    fn deal(&mut self, state: &mut State) -> TileKind {
        Deck::deal(self, state).expect("the deck holds what is left to come").0
    }
}

impl MoveLog<Move, TileKind> for State {
    fn drawn(&self) -> Option<TileKind> {
        self.hand()
    }

    fn plies(&self) -> usize {
        self.turns().len()
    }

    /// The cell and the figure: the kind of feature that the meeple claims, if there is one. Tile, rotation and segment do
    /// not matter.
    fn likeness(&self, ply: Ply<Move, TileKind>) -> Option<u32> {
        let Move { cell, meeple, .. } = ply.action;
        let kind = |(tile, segment): (TileKind, SegmentId)| self.rules().tiles.segments(tile)[segment.index()].kind();
        let figure = match ply.drawn.zip(meeple).map(kind) {
            None => 0,
            Some(FeatureKind::City) => 1,
            Some(FeatureKind::Road) => 2,
            Some(FeatureKind::Field) => 3,
            Some(FeatureKind::Monastery) => 4,
        };
        Some(u32::from_le_bytes([cell.x.to_le_bytes()[0], cell.y.to_le_bytes()[0], figure, 0]))
    }

    /// A tile that is set aside is drawn again by the same seat: seats alternate by turns.
    fn ply(&self, number: usize) -> Ply<Move, TileKind> {
        let turn = self.turns()[number];
        Ply { seat: number % usize::from(self.rules().seats), drawn: Some(turn.tile), action: turn.action }
    }
}

impl Playout<State> for PlayoutPolicy {
    #[inline]
    fn play_out(&self, state: &mut State, rng: &mut impl Rng) -> Scores {
        widen(state.playout(*self, rng))
    }

    fn choose(&self, state: &State, rng: &mut impl Rng) -> Move {
        state.random_move(*self, rng).expect("a tile is in hand")
    }

    #[inline]
    fn play_turn(&self, state: &mut State, rng: &mut impl Rng) -> bool {
        state.play_random_turn(*self, rng)
    }
}

#[inline]
fn widen(scores: [u16; MAX_SEATS]) -> Scores {
    let mut wide = Scores::default();
    for (wide, score) in wide.iter_mut().zip(scores) {
        *wide = i32::from(score);
    }
    wide
}
