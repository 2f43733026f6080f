//! How a game begins, and where it ends at the latest, beside its rules.

/// The terms of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// The moves before the first decision, in notation; empty for none.
    pub opening: String,
    /// Where the game ends at the latest.
    pub limit: Option<PlyLimit>,
}

/// A limit to the length of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlyLimit {
    /// Decisions of all seats, those of the opening included.
    pub plies: u32,
    /// The scores of a game that ends by it.
    pub at_limit: AtLimit,
}

evouct_base::named! {
    /// The scores of a game that a limit ends.
    #[derive(Default)]
    pub enum AtLimit {
        /// 0 for every seat.
        #[default]
        Draw = "draw",
        /// What each seat would score if the game ended there.
        Scores = "scores",
    }
}

/// Why no opening was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoOpening {
    /// The game is over after its moves, or before.
    EndsTheGame,
    /// Chance decides before one of its moves.
    Chance,
}
