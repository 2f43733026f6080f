//! The decisions of a game and of the simulations that continue it: what RAVE, tree re-use and playouts that learn need.
//!
//! The code that plays the moves keeps the log: a session that of the game in progress, a search that of the moves it makes
//! in the tree and in playouts. A game keeps none.

use super::{Game, Ply};
use std::fmt;

/// A decision of a game.
pub type PlyOf<G> = Ply<<G as Game>::Action, <G as Game>::Outcome>;

/// What was decided, in order, and what chance decided last.
pub struct MoveLog<G: Game> {
    plies: Vec<PlyOf<G>>,
    last: LastDraw<G::Outcome>,
    /// The numbers of decisions whose legal actions were noted, and where these begin.
    choices: Vec<(usize, usize)>,
    legal: Vec<G::Action>,
}

/// The last outcome of chance, and the seat that has acted on it, if one has.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LastDraw<Outcome> {
    outcome: Option<Outcome>,
    seat: Option<usize>,
}

/// A place in a log, to come back to.
#[derive(Clone, Copy, Debug)]
pub struct LogMark<Outcome> {
    plies: usize,
    last: LastDraw<Outcome>,
}

impl<G: Game> Default for MoveLog<G> {
    fn default() -> MoveLog<G> {
        let last = LastDraw { outcome: None, seat: None };
        MoveLog { plies: Vec::new(), last, choices: Vec::new(), legal: Vec::new() }
    }
}

impl<G: Game> Clone for MoveLog<G> {
    fn clone(&self) -> MoveLog<G> {
        let MoveLog { plies, last, choices, legal } = self;
        MoveLog { plies: plies.clone(), last: *last, choices: choices.clone(), legal: legal.clone() }
    }

    fn clone_from(&mut self, other: &MoveLog<G>) {
        self.plies.clone_from(&other.plies);
        self.last = other.last;
        self.choices.clone_from(&other.choices);
        self.legal.clone_from(&other.legal);
    }
}

impl<G: Game> PartialEq for MoveLog<G> {
    fn eq(&self, other: &MoveLog<G>) -> bool {
        let same = self.plies == other.plies && self.last == other.last;
        same && self.choices == other.choices && self.legal == other.legal
    }
}

impl<G: Game> fmt::Debug for MoveLog<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MoveLog").field("plies", &self.plies).field("last", &self.last).finish()
    }
}

impl<G: Game> MoveLog<G> {
    /// A log with room for so many decisions.
    pub fn with_room(decisions: usize) -> MoveLog<G> {
        MoveLog { plies: Vec::with_capacity(decisions), ..MoveLog::default() }
    }

    /// What a position knows of the decisions that led to it: all of them, or only what was drawn last.
    pub fn known_to(state: &G) -> MoveLog<G> {
        let plies = state.past().unwrap_or_default();
        MoveLog { plies, last: LastDraw { outcome: state.drawn(), seat: None }, ..MoveLog::default() }
    }

    /// The decisions, from the first.
    #[inline]
    pub fn plies(&self) -> &[PlyOf<G>] {
        &self.plies
    }

    /// The outcome of chance that this seat acts on, if it is to play now.
    #[inline]
    pub fn drawn(&self, seat: usize) -> Option<G::Outcome> {
        self.last.outcome.filter(|_| self.last.seat.is_none_or(|last| last == seat))
    }

    /// Chance decides.
    #[inline]
    pub fn draw(&mut self, outcome: G::Outcome) {
        self.last = LastDraw { outcome: Some(outcome), seat: None };
    }

    /// A seat decides.
    #[inline]
    pub fn play(&mut self, seat: usize, action: G::Action) {
        self.push(Ply { seat, drawn: self.drawn(seat), action });
    }

    /// Adds a decision whose draw is known.
    #[inline]
    pub fn push(&mut self, ply: PlyOf<G>) {
        self.last = LastDraw { outcome: ply.drawn, seat: Some(ply.seat) };
        self.plies.push(ply);
    }

    /// Notes the legal actions of the next decision.
    pub fn note_choice(&mut self, legal: &[G::Action]) {
        self.note_choice_of(self.plies.len(), legal.iter().copied());
    }

    /// Notes the legal actions of the decision of this number, which is after those that were noted.
    pub(super) fn note_choice_of(&mut self, number: usize, legal: impl Iterator<Item = G::Action>) {
        self.choices.push((number, self.legal.len()));
        self.legal.extend(legal);
    }

    /// The numbers of decisions whose legal actions were noted, with these.
    pub fn choices(&self) -> impl Iterator<Item = (usize, &[G::Action])> {
        let ends = self.choices.iter().skip(1).map(|(_, start)| *start).chain([self.legal.len()]);
        self.choices.iter().zip(ends).map(|((number, start), end)| (*number, &self.legal[*start..end]))
    }

    /// The same log with other decisions for these, in a game of the same chance, without noted actions.
    pub(super) fn mapped<H: Game<Outcome = G::Outcome>>(
        &self,
        mut push: impl FnMut(&PlyOf<G>, &mut Vec<PlyOf<H>>),
    ) -> MoveLog<H> {
        let mut plies = Vec::with_capacity(2 * self.plies.len());
        self.plies.iter().for_each(|ply| push(ply, &mut plies));
        MoveLog { plies, last: self.last, ..MoveLog::default() }
    }

    /// This place in the log.
    #[inline]
    pub fn mark(&self) -> LogMark<G::Outcome> {
        LogMark { plies: self.plies.len(), last: self.last }
    }

    /// Forgets what came after a place.
    #[inline]
    pub fn go_back(&mut self, mark: LogMark<G::Outcome>) {
        self.plies.truncate(mark.plies);
        self.last = mark.last;
        while let Some((_, start)) = self.choices.pop_if(|(number, _)| *number >= mark.plies) {
            self.legal.truncate(start);
        }
    }
}

impl<Outcome> LogMark<Outcome> {
    /// The number of decisions before it.
    pub fn plies(&self) -> usize {
        self.plies
    }
}
