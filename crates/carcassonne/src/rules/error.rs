//! Errors of illegal draws and moves: the rule that is broken.

use std::fmt;

/// Why a draw is not possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalDraw {
    /// A tile is in hand already.
    InHand,
    /// No tile of this kind can come next.
    NotInBag,
}

/// Why a move is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalMove {
    /// No tile is in hand.
    NoTile,
    /// The cell holds a tile or has no neighbour.
    NotOpen,
    /// The tile looks the same in fewer quarter turns. Moves are written with the fewest.
    Orientation,
    /// An edge clashes with the neighbour's.
    Clash,
    /// The tile has no such segment.
    NoSuchSegment,
    /// The player has no meeple left.
    NoMeepleLeft,
    /// The player has no figure of that kind left.
    NoFigureLeft,
    /// A figure of that kind cannot stand on that kind of feature.
    WrongFigure,
    /// The player's abbot is not on the board, or it returns by itself.
    NoRecall,
    /// A meeple stands on that feature already.
    Claimed,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IllegalMove::NoTile => "no tile is in hand",
            IllegalMove::NotOpen => "the cell is not open",
            IllegalMove::Orientation => "the tile looks the same in fewer quarter turns",
            IllegalMove::Clash => "an edge clashes with a neighbour",
            IllegalMove::NoSuchSegment => "the tile has no such segment",
            IllegalMove::NoMeepleLeft => "the player has no meeple left",
            IllegalMove::NoFigureLeft => "the player has no such figure left",
            IllegalMove::WrongFigure => "a figure of that kind cannot stand there",
            IllegalMove::NoRecall => "the player has no abbot to take back",
            IllegalMove::Claimed => "a meeple stands on that feature already",
        })
    }
}

impl std::error::Error for IllegalMove {}

impl fmt::Display for IllegalDraw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IllegalDraw::InHand => "a tile is in hand already",
            IllegalDraw::NotInBag => "no such tile is left to draw",
        })
    }
}

impl std::error::Error for IllegalDraw {}
