//! Playouts that end before the game does (Müller 2014, 3.4.5 and 4.5.2).

use crate::game::{Evaluation, Game, Scores};
use std::fmt;
use std::sync::Arc;

/// When a playout ends, if not with the game: what comes first. It is then scored as if the game ended there.
pub struct Termination<G: Game> {
    /// After so many decisions (early termination).
    pub cutoff: Option<u32>,
    /// When an evaluation says so (dynamic early termination).
    pub dynamic: Option<DynamicTermination<G>>,
}

/// An evaluation that ends playouts. Müller (2014, 3.4.5) names it after Bouzy (2007), Winands, Björnsson and Saito
/// (2008) and Lanctot et al. (2014); he tests it nowhere, and says neither by which evaluation a playout ends, nor at
/// which value, nor how often it is asked.
pub struct DynamicTermination<G: Game> {
    /// What a position is worth to a seat.
    pub evaluation: Arc<dyn Evaluation<G>>,
    /// A playout ends in a position that is worth at least this to one of the seats.
    pub value: f64,
    /// Decisions of the playout between two positions that are evaluated, at least 1. The first is the one that it
    /// starts from.
    pub every: u32,
}

impl<G: Game> Default for Termination<G> {
    /// With the game.
    fn default() -> Termination<G> {
        Termination { cutoff: None, dynamic: None }
    }
}

impl<G: Game> Clone for Termination<G> {
    fn clone(&self) -> Termination<G> {
        Termination { dynamic: self.dynamic.clone(), ..*self }
    }
}

impl<G: Game> Clone for DynamicTermination<G> {
    fn clone(&self) -> DynamicTermination<G> {
        DynamicTermination { evaluation: Arc::clone(&self.evaluation), ..*self }
    }
}

impl<G: Game> fmt::Debug for Termination<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Termination").field("cutoff", &self.cutoff).field("dynamic", &self.dynamic).finish()
    }
}

impl<G: Game> fmt::Debug for DynamicTermination<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DynamicTermination { evaluation, value, every } = self;
        write!(f, "DynamicTermination {{ {evaluation:?} {value:?} {every:?} }}")
    }
}

impl<G: Game> Termination<G> {
    /// A playout that ends with the game or after so many decisions.
    pub fn after(cutoff: Option<u32>) -> Termination<G> {
        Termination { cutoff, dynamic: None }
    }

    /// Whether playouts end with the game only.
    pub fn is_none(&self) -> bool {
        self.cutoff.is_none() && self.dynamic.is_none()
    }

    /// Whether a playout ends in a position that it reached by so many decisions.
    fn is_at(&self, state: &G, decisions: u32) -> bool {
        self.cutoff.is_some_and(|cutoff| decisions >= cutoff)
            || self.dynamic.as_ref().is_some_and(|dynamic| {
                let DynamicTermination { evaluation, value, every } = dynamic;
                decisions.is_multiple_of(*every)
                    && (0..state.seats()).any(|seat| evaluation.value(state, seat) >= *value)
            })
    }

    /// Plays decisions by `turn`, which says whether the game had one, until the playout ends; returns the scores there.
    #[inline]
    pub(super) fn play(&self, state: &mut G, mut turn: impl FnMut(&mut G) -> bool) -> Scores {
        let mut decisions = 0;
        while !self.is_at(state, decisions) && turn(state) {
            decisions = decisions.saturating_add(1);
        }
        state.scores()
    }
}
