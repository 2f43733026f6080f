//! Positions and moves.

use super::rules::{Cell, EinsteinRules};
use evouct_base::sampling::below;
use evouct_search::game::{Game, Scores, StreamDeck, Turn};
use rand::Rng;

/// The most stones of a seat.
pub const MAX_STONES: usize = 6;

/// One step of a stone: along a row, a column or the diagonal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Move {
    /// The number of the stone, from 1.
    pub stone: u8,
    /// Whether it goes to the next row.
    pub row: bool,
    /// Whether it goes to the next column.
    pub column: bool,
}

/// An outcome of chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Outcome {
    /// The order of a seat's stones: its number in the list of all orders, from 0.
    Order(u16),
    /// The face of the die, from 1.
    Face(u8),
}

/// The stones on the board, the seat to move, and the die.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    rules: EinsteinRules,
    /// By seat and number.
    stones: [[Option<Cell>; MAX_STONES]; 2],
    /// Seats whose stones are on the board.
    placed: u8,
    to_move: u8,
    /// The face that was rolled; 0 if none was.
    face: u8,
    winner: Option<u8>,
    /// The stone that moved last, if one did: its seat and its number.
    last: Option<(u8, u8)>,
}

impl State {
    /// The start of a game.
    pub fn new(rules: EinsteinRules) -> State {
        let stones = [[None; MAX_STONES]; 2];
        let mut state = State { rules, stones, placed: 0, to_move: 0, face: 0, winner: None, last: None };
        if !rules.shuffled {
            state.place(0);
            state.place(0);
        }
        state
    }

    /// A position before the roll: the stones of each seat, by number, and the seat to move. Both seats must have a
    /// stone, and none on its goal.
    pub fn with(rules: EinsteinRules, stones: [[Option<Cell>; MAX_STONES]; 2], to_move: usize) -> State {
        State { rules, stones, placed: 2, to_move: to_move as u8, face: 0, winner: None, last: None }
    }

    /// Where the stone is that moved last, if one did and it is on the board.
    pub fn last_moved(&self) -> Option<Cell> {
        let (seat, stone) = self.last?;
        self.stones[usize::from(seat)][usize::from(stone) - 1]
    }

    /// The rules: the board and how the stones are placed on it.
    pub fn rules(&self) -> EinsteinRules {
        self.rules
    }

    /// Cells of a seat's stones, by their number less 1; none for a stone that was removed.
    pub fn stones(&self, seat: usize) -> &[Option<Cell>] {
        &self.stones[seat][..self.rules.stones()]
    }

    /// The stones that a seat has left.
    pub fn stones_left(&self, seat: usize) -> usize {
        self.stones(seat).iter().flatten().count()
    }

    /// The face that the seat to move has rolled, if it has.
    pub fn face(&self) -> Option<u8> {
        (self.face > 0).then_some(self.face)
    }

    /// The seat that has won, if one has.
    pub fn winner(&self) -> Option<usize> {
        self.winner.map(usize::from)
    }

    /// The seat to move, also before its roll.
    pub fn mover(&self) -> usize {
        self.to_move.into()
    }

    /// The stone on a cell: seat and index.
    pub fn stone_at(&self, cell: Cell) -> Option<(usize, usize)> {
        let of =
            |seat: usize| self.stones[seat].iter().position(|stone| *stone == Some(cell)).map(|stone| (seat, stone));
        of(0).or_else(|| of(1))
    }

    /// The stones that a seat may move after this roll, by index: the one rolled, or the next lower and the next
    /// higher.
    pub fn movable(&self, seat: usize, face: u8) -> impl Iterator<Item = usize> {
        let stones = self.stones(seat);
        let rolled = usize::from(face.max(1)) - 1;
        let there = |stone: &usize| stones[*stone].is_some();
        let lower = (0..=rolled).rev().find(there);
        let higher = (rolled..stones.len()).find(there);
        lower.into_iter().chain(higher.filter(|_| lower != Some(rolled)))
    }

    /// The cell to which a move goes.
    pub fn target(&self, action: Move) -> Cell {
        let (row, column) = self.stones[self.mover()][usize::from(action.stone) - 1].unwrap_or_default();
        let next = |place: u8| if self.to_move == 0 { place + 1 } else { place.wrapping_sub(1) };
        (if action.row { next(row) } else { row }, if action.column { next(column) } else { column })
    }

    /// Places the stones of the next seat in the order of this number.
    fn place(&mut self, number: u16) {
        let (seat, stones) = (usize::from(self.placed), self.rules.stones());
        let mut left: Vec<usize> = (0..stones).collect();
        let mut number = usize::from(number);
        for cell in self.rules.corner(seat) {
            let stone = left.remove(number % left.len());
            number /= left.len() + 1;
            self.stones[seat][stone] = Some(cell);
        }
        self.placed += 1;
    }

    /// The orders of a seat's stones.
    fn orders(&self) -> u16 {
        (1..=self.rules.stones() as u16).product()
    }
}

impl Game for State {
    type Action = Move;
    type Outcome = Outcome;
    type Deck = StreamDeck;

    const TRANSPOSES: bool = true;

    fn seats(&self) -> usize {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.winner.is_some() {
            Turn::Terminal
        } else if self.placed < 2 || (self.face == 0 && self.stones_left(self.mover()) > 1) {
            Turn::Chance
        } else {
            Turn::Player(self.mover())
        }
    }

    fn outcomes(&self, outcomes: &mut Vec<(Outcome, u32)>) {
        outcomes.clear();
        if self.turn() != Turn::Chance {
        } else if self.placed < 2 {
            outcomes.extend((0..self.orders()).map(|order| (Outcome::Order(order), 1)));
        } else {
            outcomes.extend((1..=self.rules.stones() as u8).map(|face| (Outcome::Face(face), 1)));
        }
    }

    fn apply(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Order(order) => self.place(order),
            Outcome::Face(face) => self.face = face,
        }
    }

    #[inline]
    fn sample(&mut self, rng: &mut impl Rng) -> Outcome {
        let outcome = if self.placed < 2 {
            Outcome::Order(below(rng, self.orders().into()) as u16)
        } else {
            Outcome::Face(below(rng, self.rules.stones()) as u8 + 1)
        };
        self.apply(outcome);
        outcome
    }

    fn actions(&self, actions: &mut Vec<Move>) {
        actions.clear();
        let Turn::Player(seat) = self.turn() else { return };
        let (to_row, to_column) = self.rules.goal(seat);
        // A seat with one stone does not roll; the lowest face stands for all.
        for stone in self.movable(seat, self.face) {
            let from = self.stones[seat][stone].expect("a stone that may move is on the board");
            for (row, column) in [(true, false), (false, true), (true, true)] {
                if (!row || from.0 != to_row) && (!column || from.1 != to_column) {
                    actions.push(Move { stone: stone as u8 + 1, row, column });
                }
            }
        }
    }

    fn play(&mut self, action: Move) {
        let (seat, target) = (self.mover(), self.target(action));
        self.last = Some((seat as u8, action.stone));
        if let Some((owner, stone)) = self.stone_at(target) {
            self.stones[owner][stone] = None;
        }
        self.stones[seat][usize::from(action.stone) - 1] = Some(target);
        if target == self.rules.goal(seat) || self.stones_left(1 - seat) == 0 {
            self.winner = Some(self.to_move);
        }
        self.to_move = 1 - self.to_move;
        self.face = 0;
    }

    /// 1 for the seat that has won.
    fn scores(&self) -> Scores {
        let mut scores = Scores::default();
        if let Some(winner) = self.winner() {
            scores[winner] = 1;
        }
        scores
    }

    fn max_score(&self) -> Option<i32> {
        Some(1)
    }

    fn drawn(&self) -> Option<Outcome> {
        self.face().map(Outcome::Face)
    }

    /// Nine bits for the cell of each stone, and the face.
    fn position_key(&self) -> [u128; 2] {
        let cell = |(row, column): Cell| 1 + 20 * u128::from(row) + u128::from(column);
        let stones = self.stones.as_flattened().iter();
        [stones.fold(0, |key, stone| key << 9 | stone.map_or(0, cell)), self.face.into()]
    }
}
