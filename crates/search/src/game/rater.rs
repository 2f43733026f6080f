//! Ratings of actions before they are played, and the choice of an action by its rating: what playouts with knowledge
//! of the game and players without search use.

use super::Game;
use evouct_base::sampling::{random_highest, spin};
use rand::Rng;
use std::any::Any;
use std::fmt::Debug;
use std::ops::Range;

evouct_base::named! {
    /// How an action is chosen by ratings.
    #[derive(Default)]
    pub enum RatedChoice {
        /// The highest rating, a random one among equals.
        #[default]
        Best = "best",
        /// Roulette wheel 1: with a probability in proportion to the rating (Müller 2014, 4.5.4 and 5.8.2). The lowest
        /// rating has the width 1, every other 1 and its distance to the lowest.
        Roulette = "roulette-1",
        /// Roulette wheel 2: first the first part of an action by its rating without a second part, then the second
        /// part by what it adds (Müller 2014, 5.8.2). The widths of each wheel are as in roulette wheel 1.
        RouletteByParts = "roulette-2",
        /// With a probability in proportion to the exponential of the rating.
        Softmax = "softmax",
    }
}

/// Memory that a rater reuses.
pub struct RatingScratch<G: Game> {
    /// Legal actions.
    pub actions: Vec<G::Action>,
    /// Their ratings, in the same order.
    pub ratings: Vec<f64>,
    /// A position that may be overwritten.
    pub position: Option<G>,
    /// Other memory of the rater, of a type of its own.
    pub own: Option<Box<dyn Any + Send>>,
    /// Places of the actions with the same first part.
    groups: Vec<Range<usize>>,
    group_ratings: Vec<f64>,
    widths: Vec<f64>,
}

impl<G: Game> Default for RatingScratch<G> {
    fn default() -> RatingScratch<G> {
        RatingScratch {
            actions: Vec::new(),
            ratings: Vec::new(),
            position: None,
            own: None,
            groups: Vec::new(),
            group_ratings: Vec::new(),
            widths: Vec::new(),
        }
    }
}

/// Rates the actions of a position.
pub trait Rater<G: Game>: Debug + Send + Sync {
    /// Pushes the rating of each of `scratch.actions`, legal actions of the seat to play, to `scratch.ratings`, which
    /// is empty. A rating is a finite number; more is better.
    fn rate(&self, state: &G, scratch: &mut RatingScratch<G>);

    /// Chooses an action where a seat is to play. A game that can find the best action without a list should.
    fn choose(&self, state: &G, by: RatedChoice, scratch: &mut RatingScratch<G>, rng: &mut dyn Rng) -> G::Action {
        choose_by_rating(self, state, by, scratch, rng)
    }
}

impl<G: Game + 'static> Rater<G> for &'static dyn Rater<G> {
    fn rate(&self, state: &G, scratch: &mut RatingScratch<G>) {
        (**self).rate(state, scratch);
    }

    fn choose(&self, state: &G, by: RatedChoice, scratch: &mut RatingScratch<G>, rng: &mut dyn Rng) -> G::Action {
        (**self).choose(state, by, scratch, rng)
    }
}

/// Lists the actions, rates them all and chooses one.
pub fn choose_by_rating<G: Game>(
    rater: &(impl Rater<G> + ?Sized),
    state: &G,
    by: RatedChoice,
    scratch: &mut RatingScratch<G>,
    rng: &mut dyn Rng,
) -> G::Action {
    state.actions(&mut scratch.actions);
    scratch.ratings.clear();
    rater.rate(state, scratch);
    choose_rated(by, scratch, rng)
}

/// Chooses one of the rated actions.
pub fn choose_rated<G: Game>(by: RatedChoice, scratch: &mut RatingScratch<G>, rng: &mut dyn Rng) -> G::Action {
    debug_assert_eq!(scratch.ratings.len(), scratch.actions.len());
    match by {
        RatedChoice::Best => scratch.actions[random_highest(scratch.ratings.iter().copied(), rng)],
        RatedChoice::Roulette => scratch.actions[spin_by_ratings(&scratch.ratings, &mut scratch.widths, rng)],
        RatedChoice::RouletteByParts => by_parts(scratch, rng),
        RatedChoice::Softmax => {
            let RatingScratch { actions, ratings, widths, .. } = scratch;
            widths.clear();
            widths.extend_from_slice(ratings);
            exponentials(widths, 1.0);
            actions[spin(widths, rng)]
        }
    }
}

/// Replaces values by their exponentials over a temperature, in proportion: that of the highest is 1.
pub(crate) fn exponentials(values: &mut [f64], temperature: f64) {
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // In software, so that it is the same on every machine.
    values.iter_mut().for_each(|value| *value = libm::exp((*value - highest) / temperature));
}

/// The index at which a roulette wheel with these ratings stops.
fn spin_by_ratings(ratings: &[f64], widths: &mut Vec<f64>, rng: &mut dyn Rng) -> usize {
    let lowest = ratings.iter().copied().fold(f64::INFINITY, f64::min);
    widths.clear();
    widths.extend(ratings.iter().map(|rating| rating - lowest + 1.0));
    spin(widths, rng)
}

/// Roulette wheel 2 over the rated actions.
fn by_parts<G: Game>(scratch: &mut RatingScratch<G>, rng: &mut dyn Rng) -> G::Action {
    let RatingScratch { actions, ratings, groups, group_ratings, widths, .. } = scratch;
    groups.clear();
    group_ratings.clear();
    let mut start = 0;
    for group in actions.chunk_by(|action, next| G::first_part(*action) == G::first_part(*next)) {
        let end = start + group.len();
        let (part, of_group) = (G::first_part(group[0]), &ratings[start..end]);
        // The rating without a second part; the highest one if that is no action of its own.
        let without_second = group.iter().position(|action| *action == part).map(|place| of_group[place]);
        let highest = || of_group.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        groups.push(start..end);
        group_ratings.push(without_second.unwrap_or_else(highest));
        start = end;
    }
    let chosen = spin_by_ratings(group_ratings, widths, rng);
    let (members, of_part) = (groups[chosen].clone(), group_ratings[chosen]);
    let added = group_ratings;
    added.clear();
    added.extend(ratings[members.clone()].iter().map(|rating| rating - of_part));
    actions[members][spin_by_ratings(added, widths, rng)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_base::seed::Key;

    fn shares(draw: impl Fn(&mut dyn Rng) -> usize, count: usize) -> Vec<f64> {
        let mut rng = Key::experiment(1).stream();
        let mut shares = vec![0.0; count];
        (0..20_000).for_each(|_| shares[draw(&mut rng)] += 1.0 / 20_000.0);
        shares
    }

    #[test]
    fn widths_of_a_wheel_by_hand() {
        // Distances to the lowest 0, 3, 5, so widths 1, 4, 6 of 11.
        let found = shares(|rng| spin_by_ratings(&[-2.0, 1.0, 3.0], &mut Vec::new(), rng), 3);
        for (found, width) in found.iter().zip([1.0, 4.0, 6.0]) {
            assert!((found - width / 11.0).abs() < 0.02, "{found}, expected {width} / 11");
        }
    }
}
