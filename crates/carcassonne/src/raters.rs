//! Ratings of moves, for players without search and for playouts.

use super::move_numbers::value_by_outlook;
use super::rules::{Edition, Move, SimplePlayer, State};
use evouct_platform::domain::NamedRater;
use evouct_search::game::{RatedChoice, Rater, RatingScratch, choose_rated};
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
            by => {
                scratch.ratings.clear();
                state.rate_legal_moves(*self, &mut scratch.actions, &mut scratch.ratings);
                choose_rated(by, scratch, rng)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Base, Transcript, parse_turn};
    use evouct_base::seed::Key;

    /// The rating of a move by a player of this name.
    fn rating(name: &str, position: &str, wanted: &str) -> f64 {
        let position = format!("[base seats=2 two-tile-city=4 unplaceable=discard] {position}");
        let state = position.parse::<Transcript>().unwrap().replay().unwrap();
        let action = parse_turn(wanted, state.rules().tiles).unwrap().action;
        let rater = Raters::<Base>::ALL.iter().find(|rater| rater.name == name).unwrap();
        let mut scratch: RatingScratch<State> = RatingScratch::default();
        scratch.actions.push(action);
        rater.rater.rate(&state, &mut scratch);
        scratch.ratings[0]
    }

    /// Hand-computed for two seats: a point of the own seat counts 2, one of the other seat 1, a city 3, a road 2.
    #[test]
    fn the_rating_of_simple_player_1_by_hand() {
        // The city of both tiles has 2 points: 2·2·3. Without a meeple nothing is seen.
        assert_eq!([rating("simple1", "?E", "E@0,-1r2:cS"), rating("simple1", "?E", "E@0,-1r2")], [12.0, 0.0]);
        // A second tile on a city of the other seat: 2·1·3 for it.
        assert_eq!(rating("simple1", "E@0,1r2:cS ?E", "E@0,2r0"), -6.0);
        // A road of two tiles: 2·2·2. V has a road from west to south, which meets the start tile's.
        assert_eq!(rating("simple1", "?V", "V@1,0r0:rS"), 8.0);
        // Fields are not considered.
        assert_eq!(rating("simple1", "?E", "E@0,1r2:fNNW"), -1e6);
        // A monastery goes where most tiles are: 1 around the cell, and 1 for the monk.
        assert_eq!([rating("simple1", "?B", "B@0,1r0"), rating("simple1", "?B", "B@0,1r0:m")], [1.0, 2.0]);
    }

    /// Hand-computed for two seats: MyBonus 20, OppBonus 10, OpenPenalty 1, the penalty of the first meeple 1, a city
    /// 6, a road 2, a field 1.
    #[test]
    fn the_rating_of_simple_player_2_by_hand() {
        // The city of both tiles has 2 points: no seat's without a meeple, -2·1·6; with one (2·20 - 1)·6 more.
        assert_eq!([rating("simple2", "?E", "E@0,-1r2"), rating("simple2", "?E", "E@0,-1r2:cS")], [-12.0, 222.0]);
        // A second tile on a city of the other seat: 2·10·6 for it.
        assert_eq!(rating("simple2", "E@0,1r2:cS ?E", "E@0,2r0"), -120.0);
        // South of the start tile the city is alone, 1 point: -6. The field has no complete city: -1 for its meeple.
        assert_eq!(rating("simple2", "?E", "E@0,1r2:fNNW"), -7.0);
    }

    /// Hand-computed: what the moves have in common cancels out.
    #[test]
    fn the_rating_of_the_heuristic_player_by_hand() {
        let difference = |position, a, b| rating("heuristic", position, a) - rating("heuristic", position, b);
        // A completed city: its 4 points, and the meeple is back.
        let found = difference("?E", "E@0,-1r2:cS", "E@0,-1r2");
        assert!((found - 4.0).abs() < 1e-9, "{found}");
        // A meeple that stays on a field without a city: 3 points for a meeple in supply with 70 of 72 tiles left.
        let found = difference("?E", "E@0,1r2:fNNW", "E@0,1r2");
        assert!((found + 3.0 * 70.0 / 72.0).abs() < 1e-9, "{found}");
        // An open city of one tile: 42 of the 70 tiles left have a city for the open cell, and each seat draws 35. So it is
        // complete with the chance 1 - 0.4^35, and then has 2 points in place of 1; the meeple is back as surely.
        let chance = 1.0 - 0.4_f64.powi(35);
        let found = difference("?E", "E@0,1r2:cS", "E@0,1r2");
        assert!((found - (1.0 + chance) + 3.0 * 70.0 / 72.0 * (1.0 - chance)).abs() < 1e-9, "{found}");
        // A road of two tiles has 2 points, complete or not, and its meeple is back almost surely.
        let found = difference("?U", "U@1,0r1:rE", "U@1,0r1");
        assert!((found - 2.0).abs() < 1e-6, "{found}");
    }

    #[test]
    fn roulette_wheel_2_by_hand() {
        let state = "[base seats=2 two-tile-city=4 unplaceable=discard] ?E".parse::<Transcript>().unwrap();
        let tiles = state.replay().unwrap().rules().tiles;
        let actions = ["E@0,-1r2", "E@0,-1r2:cS", "E@0,1r2"].map(|text| parse_turn(text, tiles).unwrap().action);
        // The first placement has 0 and the second 1: widths 1 and 2. A meeple adds 3 to the first: widths 1 and 4.
        let mut scratch: RatingScratch<State> = RatingScratch::default();
        scratch.actions.extend(actions);
        scratch.ratings.extend([0.0, 3.0, 1.0]);
        let mut rng = Key::experiment(1).stream();
        let mut counts = [0; 3];
        for _ in 0..30_000 {
            let chosen = choose_rated(RatedChoice::RouletteByParts, &mut scratch, &mut rng);
            counts[actions.iter().position(|action| *action == chosen).unwrap()] += 1;
        }
        for (count, expected) in counts.into_iter().zip([1.0 / 15.0, 4.0 / 15.0, 2.0 / 3.0]) {
            assert!((f64::from(count) / 30_000.0 - expected).abs() < 0.01, "{counts:?}");
        }
    }
}
