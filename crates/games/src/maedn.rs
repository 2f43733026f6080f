//! Mensch ärgere dich nicht (J. F. Schmidt, 1907), a race with a die, for two seats on opposite sides.
//!
//! Each seat brings its pieces once around a track of 40 fields to four goal fields of its own; the first one whose pieces
//! are all there wins. A piece that comes to a field of an opponent's piece sends that one back out. A 6 brings in a piece,
//! and the seat must do so if it can; a piece on the first field must move on while others are out. A seat moves any other
//! piece whose target has no own one, else it passes. After a 6 it rolls again.

mod board;

use self::board::cell;
use super::won::{scores, won_domain};
use evouct_base::parameter::Values;
use evouct_base::sampling::below;
use evouct_platform::domain::{GridCell, Notation, cell_name};
use evouct_search::game::{Game, Scores, StreamDeck, Turn};
use rand::Rng;

/// The game Mensch ärgere dich nicht.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Maedn;

evouct_base::parameters! {
    /// The options of the rules.
    #[derive(Copy, Eq)]
    pub struct MaednRules {
        /// Pieces and goal fields of each seat.
        pieces: u8 = 4, values = Values::Count(1, 4), recorded = true;
    }
}

/// Fields of the track.
const TRACK: u8 = 40;
/// A game ends after so many decisions, as a draw: nothing else bounds how often pieces are sent back.
const MOST_DECISIONS: u16 = 2_000;

/// What a seat decides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MaednAction {
    /// To bring in a piece.
    Enter,
    /// To move the piece on this field, counted from the first one of the seat; goal fields follow the track.
    Move(u8),
    /// To do nothing: nothing else is possible.
    Pass,
}

/// A position: bit `n` of a seat is a piece on its field `n`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MaednState {
    rules: MaednRules,
    pieces: [u64; 2],
    seat: u8,
    /// What was rolled; 0 before the roll.
    die: u8,
    decisions: u16,
    last: Option<GridCell>,
}

impl MaednState {
    /// The start of a game.
    pub fn new(rules: MaednRules) -> MaednState {
        MaednState { rules, pieces: [0; 2], seat: 0, die: 0, decisions: 0, last: None }
    }

    fn winner(&self) -> Option<usize> {
        (0..2).find(|seat| (self.pieces[*seat] >> TRACK).count_ones() == u32::from(self.rules.pieces))
    }

    /// Pieces that are not on the board.
    fn out(&self, seat: usize) -> u8 {
        self.rules.pieces - self.pieces[seat].count_ones() as u8
    }
}

impl Game for MaednState {
    type Action = MaednAction;
    /// A face of the die, from 1.
    type Outcome = u8;
    type Deck = StreamDeck;

    fn seats(&self) -> usize {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.die {
            _ if self.decisions >= MOST_DECISIONS || self.winner().is_some() => Turn::Terminal,
            0 => Turn::Chance,
            _ => Turn::Player(self.seat.into()),
        }
    }

    fn outcomes(&self, outcomes: &mut Vec<(u8, u32)>) {
        outcomes.clear();
        if self.turn() == Turn::Chance {
            outcomes.extend((1..=6).map(|face| (face, 1)));
        }
    }

    #[inline]
    fn apply(&mut self, face: u8) {
        self.die = face;
    }

    #[inline]
    fn sample(&mut self, rng: &mut impl Rng) -> u8 {
        self.die = below(rng, 6) as u8 + 1;
        self.die
    }

    #[inline]
    fn actions(&self, actions: &mut Vec<MaednAction>) {
        actions.clear();
        let Turn::Player(seat) = self.turn() else { return };
        let (own, out) = (self.pieces[seat], self.out(seat) > 0);
        let fields = TRACK + self.rules.pieces;
        let mut movable = own & !(own >> self.die) & ((1 << (fields - self.die)) - 1);
        if out && movable & 1 != 0 {
            actions.push(MaednAction::Move(0));
        } else if out && self.die == 6 && own & 1 == 0 {
            actions.push(MaednAction::Enter);
        } else if movable == 0 {
            actions.push(MaednAction::Pass);
        } else {
            while movable != 0 {
                actions.push(MaednAction::Move(movable.trailing_zeros() as u8));
                movable &= movable - 1;
            }
        }
    }

    #[inline]
    fn play(&mut self, action: MaednAction) {
        let seat = usize::from(self.seat);
        let target = match action {
            MaednAction::Enter => Some(0),
            MaednAction::Move(field) => Some(field + self.die),
            MaednAction::Pass => None,
        };
        if let MaednAction::Move(field) = action {
            self.pieces[seat] &= !(1 << field);
        }
        if let Some(target) = target {
            self.pieces[seat] |= 1 << target;
            if target < TRACK {
                self.pieces[1 - seat] &= !(1 << ((target + TRACK / 2) % TRACK));
            }
            self.last = Some(cell(seat, target));
        }
        if self.die != 6 {
            self.seat = 1 - self.seat;
        }
        self.die = 0;
        self.decisions += 1;
    }

    fn scores(&self) -> Scores {
        scores(self.winner())
    }

    fn max_score(&self) -> Option<i32> {
        Some(1)
    }
}

won_domain!(
    Maedn,
    MaednState,
    MaednRules,
    "maedn",
    "Mensch ärgere dich nicht: the first seat that brings its pieces home wins",
    "mcts:k=0.466",
    "Two players race with a die. The die is rolled for you; you choose the piece that moves as far.\n\
     A 6 lets a piece enter, and gives another turn. A piece that lands on one of the other player sends it back.\n\
     A piece goes once around the board, then into the goal of its colour, where each field has room for one. The first player with all pieces there wins.",
    fn turns_left(_: &MaednState) -> u32 {
        60
    }
);

impl Notation<MaednState> for Maedn {
    /// `enter`, `f12` (the piece on the field 12 of the seat moves) or `pass`; outcomes are the faces of the die.
    fn write_action(&self, _: &MaednState, action: MaednAction) -> String {
        match action {
            MaednAction::Enter => "enter".to_owned(),
            MaednAction::Move(field) => format!("f{field}"),
            MaednAction::Pass => "pass".to_owned(),
        }
    }

    fn say_action(&self, state: &MaednState, action: MaednAction) -> String {
        let name = |field| cell_name(cell(state.seat.into(), field));
        match action {
            MaednAction::Enter => format!("enter a piece on {}", name(0)),
            MaednAction::Move(field) => format!("piece on {} to {}", name(field), name(field + state.die)),
            MaednAction::Pass => "pass".to_owned(),
        }
    }
}
