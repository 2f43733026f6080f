//! A game tree that is written down, so that values and nodes can be counted by hand.

use evouct_search::game::{Game, Heuristic, Scores, StreamDeck, Turn};

/// A position of the tree.
#[derive(Debug)]
pub enum Node<const SEATS: usize> {
    /// A seat decides.
    Decide(usize, &'static [Node<SEATS>]),
    /// A seat decides, in a position that is worth this to the seats.
    Worth(usize, [i32; SEATS], &'static [Node<SEATS>]),
    /// Chance decides by these weights.
    Draw(&'static [(u32, Node<SEATS>)]),
    /// The end, with what it is worth to the seats.
    Over([i32; SEATS]),
}

pub use Node::{Decide, Draw, Over, Worth};

#[derive(Clone, Copy)]
pub struct Written<const SEATS: usize>(pub &'static Node<SEATS>);

impl<const SEATS: usize> Written<SEATS> {
    fn replies(&self) -> &'static [Node<SEATS>] {
        match self.0 {
            Decide(_, nodes) | Worth(_, _, nodes) => nodes,
            Draw(_) | Over(_) => &[],
        }
    }
}

impl<const SEATS: usize> Game for Written<SEATS> {
    type Action = usize;
    type Outcome = usize;
    type Deck = StreamDeck;

    fn seats(&self) -> usize {
        SEATS
    }

    fn turn(&self) -> Turn {
        match self.0 {
            Decide(seat, _) | Worth(seat, ..) => Turn::Player(*seat),
            Draw(_) => Turn::Chance,
            Over(_) => Turn::Terminal,
        }
    }

    fn outcomes(&self, outcomes: &mut Vec<(usize, u32)>) {
        outcomes.clear();
        if let Draw(drawn) = self.0 {
            outcomes.extend(drawn.iter().enumerate().map(|(index, (weight, _))| (index, *weight)));
        }
    }

    fn apply(&mut self, outcome: usize) {
        if let Draw(drawn) = self.0 {
            self.0 = &drawn[outcome].1;
        }
    }

    fn actions(&self, actions: &mut Vec<usize>) {
        actions.clear();
        actions.extend(0..self.replies().len());
    }

    fn play(&mut self, action: usize) {
        self.0 = &self.replies()[action];
    }

    fn scores(&self) -> Scores {
        let mut scores = Scores::default();
        if let Over(worth) | Worth(_, worth, _) = self.0 {
            scores[..SEATS].copy_from_slice(worth);
        }
        scores
    }
}

/// What is written, actions in their order or the last first.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsWritten {
    pub last_first: bool,
    /// The most that all seats have together, if it is told.
    pub most_in_total: Option<f64>,
}

impl<const SEATS: usize> Heuristic<Written<SEATS>> for AsWritten {
    fn value(&self, state: &Written<SEATS>, seat: usize) -> f64 {
        let (Over(worth) | Worth(_, worth, _)) = state.0 else { unreachable!() };
        f64::from(worth[seat])
    }

    fn rank(&self, _: &Written<SEATS>, action: usize) -> usize {
        if self.last_first { 7 - action } else { 0 }
    }

    fn most_in_total(&self, _: usize) -> Option<f64> {
        self.most_in_total
    }
}
