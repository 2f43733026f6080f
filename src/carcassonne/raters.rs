//! Ratings of moves by which players without search and playouts play.

use super::move_numbers::value_by_outlook;
use super::rules::{Edition, Move, SimplePlayer, State};
use crate::domain::NamedRater;
use crate::game::{RatedChoice, Rater, RatingScratch, choose_by_rating};
use rand::Rng;
use std::marker::PhantomData;

/// The ratings, each a kind of player.
pub(super) struct Raters<E>(PhantomData<E>);

impl<E: Edition> Raters<E> {
    /// All of them.
    pub(super) const ALL: &[NamedRater<State<E>>] = &[
        NamedRater {
            name: "simple1",
            about: "extends roads and cities, one adjacent tile at a time; a monastery goes where most tiles are",
            source: "Müller 2014, 5.1.6, Simple Player v1",
            number: None,
            rater: &SimplePlayer::One,
        },
        NamedRater {
            name: "simple2",
            about: "rates the features that a placement joins, fields too; a monastery goes where most tiles are",
            source: "Müller 2014, 5.1.6, Algorithm 6",
            number: None,
            rater: &SimplePlayer::Two,
        },
        NamedRater {
            name: "simple3",
            about: "rates the features that a placement joins, monasteries and open ends too",
            source: "Müller 2014, 5.1.6, Algorithm 7",
            number: Some("s3"),
            rater: &SimplePlayer::Three,
        },
        NamedRater {
            name: "heuristic",
            about: "rates the position after a move: chances to complete features, trapped meeples, blocking, stealing",
            source: "after the description of JCloisterZone's player in Müller 2014, 5.1.6",
            number: Some("ho"),
            rater: &ByOutlook,
        },
    ];
}

/// Rates a move by the outlook of the position after it.
#[derive(Debug)]
struct ByOutlook;

impl<E: Edition> Rater<State<E>> for ByOutlook {
    fn rate(&self, state: &State<E>, scratch: &mut RatingScratch<State<E>>) {
        let RatingScratch { actions, ratings, position, .. } = scratch;
        let after = position.get_or_insert_with(|| state.clone());
        ratings.extend(actions.iter().map(|action| value_by_outlook(state, *action, after)));
    }
}

impl<E: Edition> Rater<State<E>> for SimplePlayer {
    fn rate(&self, state: &State<E>, scratch: &mut RatingScratch<State<E>>) {
        let RatingScratch { actions, ratings, .. } = scratch;
        state.each_simple_rating(*self, actions, |rating| ratings.push(rating));
    }

    fn choose(
        &self,
        state: &State<E>,
        by: RatedChoice,
        scratch: &mut RatingScratch<State<E>>,
        rng: &mut dyn Rng,
    ) -> Move {
        match by {
            RatedChoice::Best => state.simple_move(*self, &mut scratch.actions, rng),
            by => choose_by_rating(self, state, by, scratch, rng),
        }
    }
}
