//! Carcassonne as a [`Game`]: what search sees of it.

use super::action::Move;
use super::deck::Deck;
use super::playout::Policy;
use super::rules::MAX_SEATS;
use super::state::State;
use super::tile::TileKind;
use crate::game::{Game, Playout, Ply, Scores, Turn};
use crate::sampling;
use crate::seed::Key;
use rand::Rng;

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
        self.draw(outcome).expect("the outcome is one of those listed");
    }

    #[inline]
    fn sample(&mut self, rng: &mut impl Rng) -> TileKind {
        self.draw_random(rng)
    }

    #[inline]
    fn deal(&mut self, deck: &mut Deck) -> TileKind {
        deck.deal(self).expect("the deck holds what is left to come").0
    }

    fn shuffled_deck(&self, rng: &mut impl Rng) -> Deck {
        let mut tiles: Vec<TileKind> = self.remaining().collect();
        sampling::shuffle(rng, &mut tiles);
        Deck::in_order(&tiles, Key::experiment(rng.next_u64()))
    }

    fn actions(&self, actions: &mut Vec<Move>) {
        self.legal_moves_into(actions);
    }

    #[inline]
    fn play(&mut self, action: Move) {
        self.play_legal(action, &mut ());
    }

    #[inline]
    fn drawn(&self) -> Option<TileKind> {
        self.hand()
    }

    #[inline]
    fn plies(&self) -> usize {
        self.turns().len()
    }

    /// A tile that is set aside is drawn again by the same seat: seats alternate by turns.
    #[inline]
    fn ply(&self, number: usize) -> Ply<Move, TileKind> {
        let turn = self.turns()[number];
        Ply { seat: number % usize::from(self.rules().seats), drawn: Some(turn.tile), action: turn.action }
    }

    /// The tiles that fit somewhere: one that does not is set aside and another drawn.
    fn live_outcomes(&self, outcomes: &mut Vec<(TileKind, u32)>) {
        outcomes.clear();
        let fitting = self.draw_outcomes().filter(|(kind, _)| self.fits(*kind).count > 0);
        outcomes.extend(fitting.map(|(kind, count)| (kind, u32::from(count))));
    }

    /// The placement, without the meeple.
    fn first_part(action: Move) -> Move {
        Move { meeple: None, ..action }
    }

    fn scores(&self) -> Scores {
        widen(self.virtual_scores())
    }
}

impl Playout<State> for Policy {
    #[inline]
    fn play_out(&self, state: &mut State, rng: &mut impl Rng) -> Scores {
        widen(state.playout(*self, rng))
    }
}

#[inline]
fn widen(scores: [u16; MAX_SEATS]) -> Scores {
    scores.map(i32::from)
}
