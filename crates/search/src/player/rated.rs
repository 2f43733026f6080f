//! Players that choose by a rating, without search.

use super::contract::{Decision, Player, PlayerView};
use crate::game::{Game, RatedChoice, Rater, RatingScratch};
use crate::search::Child;
use evouct_base::seed::{Key, SearchRng, search_rng};
use std::sync::Arc;

/// Plays an action by its rating.
pub struct Rated<G: Game> {
    /// The rating.
    pub rater: Arc<dyn Rater<G>>,
    /// How an action is chosen.
    pub by: RatedChoice,
    rng: SearchRng,
    scratch: RatingScratch<G>,
}

impl<G: Game> Rated<G> {
    /// A player for one game. Players with equal ratings, choices and keys decide alike.
    pub fn new(rater: Arc<dyn Rater<G>>, by: RatedChoice, key: Key) -> Rated<G> {
        Rated { rater, by, rng: search_rng(&mut key.stream()), scratch: RatingScratch::default() }
    }
}

impl<G: Game> Player<G> for Rated<G> {
    fn decide(&mut self, position: &PlayerView<G>) -> Decision<G::Action> {
        let action = self.rater.choose(position.state, self.by, &mut self.scratch, &mut self.rng);
        let mut considered = Vec::new();
        if position.explain {
            let RatingScratch { actions, ratings, .. } = &mut self.scratch;
            position.state.actions(actions);
            ratings.clear();
            self.rater.rate(position.state, &mut self.scratch);
            let RatingScratch { actions, ratings, .. } = &self.scratch;
            let child = |(action, rating): (&G::Action, &f64)| Child::new(*action, 1.0, *rating);
            considered.extend(actions.iter().zip(ratings).map(child));
        }
        Decision { considered, ..Decision::of(action) }
    }

    fn reads_log(&self) -> bool {
        false
    }

    fn settings(&self) -> String {
        format!("{:?} {:?}", self.rater, self.by)
    }
}
