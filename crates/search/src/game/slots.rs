//! A game for the tests of this crate: tiles of six kinds are drawn and placed in a row of forty slots, with a marker
//! or without. It has what the tests of trees need: many actions of two parts, decisions of one part, chance before
//! each decision, a log of decisions, and numbers of moves.

use super::{FillMoveNumbers, Game, MoveNumber, Ply, Scores, StreamDeck, Turn};

pub(crate) const SLOTS: usize = 40;
const KINDS: usize = 6;
const MARKERS: u8 = 5;

/// A kind of tile.
pub(crate) type Kind = u8;

/// Where the tile goes, and whether a marker stands on it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Place {
    pub(crate) slot: u8,
    pub(crate) marker: bool,
}

/// A position.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Slots {
    bag: [u32; KINDS],
    row: [Option<Kind>; SLOTS],
    hand: Option<Kind>,
    markers: [u8; 2],
    scores: Scores,
    pub(crate) past: Vec<Ply<Place, Kind>>,
}

impl Slots {
    /// The beginning of a game of 36 turns between two seats.
    pub(crate) fn new() -> Slots {
        Slots {
            bag: [6; KINDS],
            row: [None; SLOTS],
            hand: None,
            markers: [MARKERS; 2],
            scores: Scores::default(),
            past: Vec::new(),
        }
    }

    fn seat(&self) -> usize {
        self.past.len() % 2
    }

    fn neighbour(&self, slot: usize, step: isize) -> Option<Kind> {
        self.row[(slot as isize + step).rem_euclid(SLOTS as isize) as usize]
    }

    /// Two points per neighbour of the same kind.
    fn matches(&self, place: Place) -> i32 {
        let alike = |step| self.neighbour(usize::from(place.slot), step) == self.hand;
        2 * (i32::from(alike(-1)) + i32::from(alike(1)))
    }

    /// The kind of the tile under a marker.
    fn marked(&self, place: Place) -> i32 {
        if place.marker { i32::from(self.hand.unwrap()) } else { 0 }
    }
}

impl Game for Slots {
    type Action = Place;
    type Outcome = Kind;
    type Deck = StreamDeck;

    const HAS_PARTS: bool = true;

    fn seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        match self.hand {
            Some(_) => Turn::Player(self.seat()),
            None if self.bag.iter().any(|left| *left > 0) => Turn::Chance,
            None => Turn::Terminal,
        }
    }

    fn outcomes(&self, outcomes: &mut Vec<(Kind, u32)>) {
        outcomes.clear();
        if self.hand.is_none() {
            let left = self.bag.iter().enumerate().filter(|(_, left)| **left > 0);
            outcomes.extend(left.map(|(kind, left)| (kind as Kind, *left)));
        }
    }

    fn apply(&mut self, kind: Kind) {
        self.bag[usize::from(kind)] -= 1;
        self.hand = Some(kind);
    }

    fn actions(&self, actions: &mut Vec<Place>) {
        actions.clear();
        if self.hand.is_none() {
            return;
        }
        for slot in (0..SLOTS).filter(|slot| self.row[*slot].is_none()) {
            actions.push(Place { slot: slot as u8, marker: false });
            // A marker needs an open side, so some decisions are one part.
            if self.markers[self.seat()] > 0 && self.neighbour(slot, -1).is_none() {
                actions.push(Place { slot: slot as u8, marker: true });
            }
        }
    }

    fn play(&mut self, place: Place) {
        let seat = self.seat();
        self.scores[seat] += 1 + self.matches(place) + self.marked(place);
        self.markers[seat] -= u8::from(place.marker);
        self.past.push(Ply { seat, drawn: self.hand, action: place });
        self.row[usize::from(place.slot)] = self.hand.take();
    }

    fn scores(&self) -> Scores {
        self.scores
    }

    fn first_part(place: Place) -> Place {
        Place { marker: false, ..place }
    }

    fn drawn(&self) -> Option<Kind> {
        self.hand
    }

    fn past(&self) -> Option<Vec<Ply<Place, Kind>>> {
        Some(self.past.clone())
    }
}

/// What the game tells of a move.
pub(crate) const NUMBERS: &[MoveNumber<Slots>] = &[
    MoveNumber::new("dv", "points for neighbours", |state, place, _| f64::from(state.matches(place))),
    MoveNumber::new("dm", "points for a marker", |state, place, _| f64::from(state.marked(place))),
];

/// The numbers of all moves of a position.
pub(crate) const FILL: FillMoveNumbers<Slots> = |state, places, wanted, scratch, columns| {
    for (column, number) in columns.iter_mut().zip(wanted) {
        column.extend(places.iter().map(|place| (NUMBERS[*number].value)(state, *place, scratch)));
    }
};

#[test]
fn the_game_keeps_the_contract() {
    super::check_game(Slots::new, evouct_base::seed::Key::experiment(1), 3).unwrap();
}
