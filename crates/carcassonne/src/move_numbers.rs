//! Numbers that the game gives for a move before it is played.
//!
//! Virtual scores are what the seats would score if the game ended now. With more than two seats, `op` is about all
//! other seats together; all other numbers are about the seat that plays and its move.

use super::heuristic::HeydenWeights;
use super::rules::{
    Award, Edition, FeatureKind, FieldScoring, MAX_SEATS, Move, MoveEffect, MoveProspect, Prospects, ScoreObserver,
    SimplePlayer, State,
};
use evouct_search::game::{Evaluation, MoveNumber};
use std::marker::PhantomData;

/// Counts the features that a move completes.
#[derive(Default)]
struct Completed(u32);

impl ScoreObserver for Completed {
    fn award(&mut self, _: Award) {
        self.0 += 1;
    }
}

/// The numbers of one edition, by name.
pub(super) struct Numbers<E>(PhantomData<E>);

impl<E: Edition> Numbers<E> {
    /// Numbers that a search may use.
    pub(super) const ALL: &[MoveNumber<State<E>>] = &[
        MoveNumber {
            name: "dv",
            about: "gain of the seat's virtual score, in points",
            value: |state, action, after| gain(state, action, after, state.player()),
        },
        MoveNumber {
            name: "dm",
            about: "change of the seat's meeples in supply",
            value: |state, action, after| {
                let seat = state.player();
                play(state, action, after);
                f64::from(after.figures_left(seat)) - f64::from(state.figures_left(seat))
            },
        },
        MoveNumber {
            name: "fl",
            about: "1 if a meeple goes on a field, else 0",
            value: |state, action, _| {
                let claimed = action.segment().zip(state.hand());
                let kind = claimed.map(|(segment, tile)| state.segment_kind(tile, segment));
                f64::from(u8::from(kind == Some(FeatureKind::Field)))
            },
        },
        MoveNumber {
            name: "cl",
            about: "claimed features that the move completes",
            value: |state, action, after| {
                let mut completed = Completed::default();
                after.clone_from(state);
                after.play_legal(action, &mut completed);
                completed.0.into()
            },
        },
        MoveNumber {
            name: "op",
            about: "loss of the opponents' virtual scores together, in points",
            value: |state, action, after| {
                let (seat, seats) = (state.player(), usize::from(state.rules().seats));
                play(state, action, after);
                let [before, later] = [state.virtual_scores(), after.virtual_scores()];
                others(&before, seat, seats) - others(&later, seat, seats)
            },
        },
    ];

    /// Whole ratings of a move, then what its features may become: see
    /// [`Domain::RATINGS`](evouct_platform::domain::Domain::RATINGS).
    pub(super) const RATINGS: &[MoveNumber<State<E>>] = &[
        MoveNumber {
            name: "s3",
            about: "rating of Simple Player 3 (Müller 2014, Algorithm 7), in thousands",
            value: |state, action, _| {
                let mut rating = 0.0;
                state.each_simple_rating(SimplePlayer::Three, &[action], |found| rating = found);
                IN_THOUSANDS * rating
            },
        },
        MoveNumber {
            name: "he",
            about: "Heyden's evaluation of the position after the move for the seat, in points; for more than two seats against the best other",
            value: |state, action, after| {
                play(state, action, after);
                IN_HUNDREDTHS * HeydenWeights::default().value(after, state.player())
            },
        },
        MoveNumber {
            name: "vp",
            about: "the seat's share of all virtual scores after the move, 0 to 1",
            value: |state, action, after| {
                play(state, action, after);
                let (scores, seats) = (after.virtual_scores(), usize::from(state.rules().seats));
                let total: u16 = scores[..seats].iter().sum();
                if total == 0 { 1.0 / seats as f64 } else { f64::from(scores[state.player()]) / f64::from(total) }
            },
        },
        MoveNumber {
            name: "ho",
            about: "what the player heuristic expects after the move, in points",
            value: value_by_outlook,
        },
        MoveNumber {
            name: "tm",
            about: "tiles left / (1 + the seat's meeples in supply) after the move",
            value: |state, action, after| {
                play(state, action, after);
                tiles_per_meeple(state, i32::from(after.figures_left(state.player())))
            },
        },
        MoveNumber {
            name: "oe",
            about: "open ends, after the move, of the seat's cities and roads that the tile belongs to; of a claimed monastery the empty cells around it",
            value: |state, action, _| prospect(state, action, 0),
        },
        MoveNumber {
            name: "om",
            about: "meeples of others on the cities, roads and fields that the tile belongs to, a big one counting 2",
            value: |state, action, _| prospect(state, action, 1),
        },
        MoveNumber {
            name: "pc",
            about: "chance that the seat completes the claimed feature with its own draws, 0 to 1; 0 if none is claimed",
            value: |state, action, _| prospect(state, action, 2),
        },
        MoveNumber {
            name: "nx",
            about: "points that the next tile is expected to add by completing the seat's features that the tile belongs to, their sum",
            value: |state, action, _| prospect(state, action, 3),
        },
    ];
}

fn prospect<E: Edition>(state: &State<E>, action: Move, number: usize) -> f64 {
    let mut value = 0.0;
    state.each_move_prospect(&[action], PROSPECTS[number], |found| value = OF_PROSPECT[number](&found));
    value
}

fn tiles_per_meeple<E: Edition>(state: &State<E>, figures: i32) -> f64 {
    f64::from(state.tiles_left()) / f64::from(1 + figures)
}

/// Ratings of Simple Player 3 go to thousands: the number is on the scale of points.
const IN_THOUSANDS: f64 = 0.001;

/// Heyden's evaluation counts a point a hundredfold.
const IN_HUNDREDTHS: f64 = 0.01;

/// The expectation of the player `heuristic` after a move, in points.
pub(super) fn value_by_outlook<E: Edition>(state: &State<E>, action: Move, after: &mut State<E>) -> f64 {
    play(state, action, after);
    after.outlook().value(state.player(), usize::from(state.rules().seats))
}

/// Pushes a number of each of these moves.
type PushNumbers = fn(&[MoveEffect], &mut Vec<f64>);

/// By place in [`Numbers::ALL`]: the same numbers from what moves change. A loop for each, as a call for each move costs
/// more than the number.
const OF_EFFECT: [PushNumbers; 5] = [
    |effects, column| column.extend(effects.iter().map(|effect| f64::from(effect.gain))),
    |effects, column| column.extend(effects.iter().map(|effect| f64::from(effect.meeples))),
    |effects, column| column.extend(effects.iter().map(|effect| f64::from(u8::from(effect.claims_field)))),
    |effects, column| column.extend(effects.iter().map(|effect| f64::from(effect.completed))),
    |effects, column| column.extend(effects.iter().map(|effect| f64::from(effect.others_loss))),
];

/// The place of `tm` among all numbers, which has to do with what a move changes: behind the four ratings.
const TILES_PER_MEEPLE: usize = OF_EFFECT.len() + 4;

/// The numbers behind it, in their order: what features may become.
const OF_PROSPECT: [fn(&MoveProspect) -> f64; 4] = [
    |prospect| prospect.open_ends.into(),
    |prospect| prospect.others.into(),
    |prospect| prospect.chance,
    |prospect| prospect.next,
];

/// What they need.
const PROSPECTS: [Prospects; 4] = [
    Prospects { chance: false, next: false },
    Prospects { chance: false, next: false },
    Prospects { chance: true, next: false },
    Prospects { chance: false, next: true },
];

/// The numbers of all these moves at once: see [`FillMoveNumbers`](evouct_search::game::FillMoveNumbers). `scratch` is not a
/// valid position afterwards.
pub(super) fn fill<E: Edition>(
    state: &State<E>,
    actions: &[Move],
    wanted: &[usize],
    scratch: &mut State<E>,
    columns: &mut [Vec<f64>],
) {
    // Cities that several fields share are worth less than their sum: such moves are played.
    let plays = state.rules().fields != FieldScoring::ByField;
    let of_effect = |number: usize| match number {
        _ if plays => None,
        // Of the change of meeples.
        TILES_PER_MEEPLE => OF_EFFECT.get(1),
        number => OF_EFFECT.get(number),
    };
    if wanted.iter().any(|number| of_effect(*number).is_some()) {
        let effects = state.move_effects(actions);
        for (column, number) in columns.iter_mut().zip(wanted) {
            if let Some(push) = of_effect(*number) {
                push(&effects, column);
            }
        }
    }
    let of_prospect = |number: usize| number.checked_sub(TILES_PER_MEEPLE + 1);
    let prospects = wanted.iter().filter_map(|number| Some(PROSPECTS[of_prospect(*number)?]));
    let all_of = |a: Prospects, b: Prospects| Prospects { chance: a.chance || b.chance, next: a.next || b.next };
    if let Some(prospects) = prospects.reduce(all_of) {
        state.each_move_prospect(actions, prospects, |prospect| {
            for (column, number) in columns.iter_mut().zip(wanted) {
                if let Some(number) = of_prospect(*number) {
                    column.push(OF_PROSPECT[number](&prospect));
                }
            }
        });
    }
    for (column, number) in columns.iter_mut().zip(wanted) {
        if *number == TILES_PER_MEEPLE && !plays {
            let figures = i32::from(state.figures_left(state.player()));
            let own = column.len() - actions.len();
            column[own..].iter_mut().for_each(|change| *change = tiles_per_meeple(state, figures + *change as i32));
        } else if of_effect(*number).is_none() && of_prospect(*number).is_none() {
            let (all, ratings) = (Numbers::<E>::ALL, Numbers::<E>::RATINGS);
            let number = all.get(*number).or_else(|| ratings.get(*number - all.len()));
            match number.expect("the number is one of the game's") {
                MoveNumber { name: "s3", .. } => {
                    state.each_simple_rating(SimplePlayer::Three, actions, |rating| column.push(IN_THOUSANDS * rating));
                }
                rating => column.extend(actions.iter().map(|action| (rating.value)(state, *action, scratch))),
            }
        }
    }
}

fn play<E: Edition>(state: &State<E>, action: Move, after: &mut State<E>) {
    after.clone_from(state);
    after.play_legal(action, &mut ());
}

fn gain<E: Edition>(state: &State<E>, action: Move, after: &mut State<E>, seat: usize) -> f64 {
    play(state, action, after);
    f64::from(after.virtual_scores()[seat]) - f64::from(state.virtual_scores()[seat])
}

fn others(scores: &[u16; MAX_SEATS], seat: usize, seats: usize) -> f64 {
    (0..seats).filter(|other| *other != seat).map(|other| f64::from(scores[other])).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Transcript;

    use crate::{Base, Carcassonne, Expanded, Expansions, Rules, TileDeck, TileSet};
    use evouct_base::sampling::below;
    use evouct_base::seed::Key;
    use evouct_platform::domain::Domain;

    /// The numbers of all moves, computed together, equal those computed by playing each move.
    fn compare_with_played_moves<E: Edition>(rules_of: impl Fn(u64) -> Rules) {
        let all: Vec<&MoveNumber<State<E>>> = Numbers::<E>::ALL.iter().chain(Numbers::<E>::RATINGS).collect();
        let wanted: Vec<usize> = (0..all.len()).collect();
        let mut nonzero = vec![0; all.len()];
        for game in 0..8 {
            let rules = rules_of(game);
            let mut state = State::<E>::start(rules);
            let mut deck = TileDeck::shuffled(&rules, Key::experiment(game));
            let mut rng = Key::experiment(1_000 + game).stream();
            let (mut scratch, mut after) = (state.clone(), state.clone());
            while deck.deal_playable(&mut state).is_some() {
                let moves = state.legal_moves();
                let mut columns = vec![Vec::new(); wanted.len()];
                Carcassonne::<E>::fill_move_numbers(&state, &moves, &wanted, &mut scratch, &mut columns);
                for (number, column) in columns.iter().enumerate() {
                    assert_eq!(column.len(), moves.len());
                    for (action, found) in moves.iter().zip(column) {
                        let expected = (all[number].value)(&state, *action, &mut after);
                        let name = all[number].name;
                        assert_eq!(*found, expected, "{name} of {action:?}, game {game}, turn {}", state.turns().len());
                        nonzero[number] += usize::from(expected != 0.0);
                    }
                }
                state.play_legal(moves[below(&mut rng, moves.len())], &mut ());
            }
        }
        assert!(nonzero.iter().all(|count| *count > 50), "{nonzero:?}");
    }

    #[test]
    fn numbers_computed_together_equal_those_of_played_moves() {
        compare_with_played_moves::<Base>(|game| {
            let two_tile_city = if game % 2 == 0 { 4 } else { 2 };
            let fields = if game == 7 { FieldScoring::ByCityFour } else { FieldScoring::ByField };
            Rules { two_tile_city, fields, ..Rules::official(2 + (game % 4) as u8) }
        });
    }

    #[test]
    fn numbers_with_expansions_equal_those_of_played_moves() {
        let all = Expansions::all_sets().last().unwrap();
        compare_with_played_moves::<Expanded>(|game| Rules {
            unfinished_inn_cathedral: (game / 2 % 2) as u8,
            ..Rules::with(TileSet::of(all, false), 2 + (game % 5) as u8)
        });
    }

    /// All numbers of the moves of a position, by the notation of the move.
    fn numbers(position: &str, wanted: &str) -> Vec<f64> {
        let state = position.parse::<Transcript>().unwrap().replay().unwrap();
        let tiles = state.rules().tiles;
        let turn = crate::parse_turn(wanted, tiles).unwrap();
        assert_eq!(state.check(turn.action), Ok(()), "{wanted}");
        let mut after = state.clone();
        Numbers::<Base>::ALL.iter().map(|number| (number.value)(&state, turn.action, &mut after)).collect()
    }

    /// Hand-computed: the start tile has a city to the north and a road from west to east.
    #[test]
    fn the_numbers_of_a_move_by_hand() {
        let start = "[base seats=2 two-tile-city=4 unplaceable=discard]";
        // Tile E (a city on one side) turned so that its city closes the start tile's city, claimed: 4 points, the
        // meeple comes back at once, one claimed feature is complete.
        let closing = numbers(&format!("{start} ?E"), "E@0,-1r2:cS");
        assert_eq!(closing, [4.0, 0.0, 0.0, 1.0, 0.0]);
        // The same without a meeple: nothing is scored by anybody.
        assert_eq!(numbers(&format!("{start} ?E"), "E@0,-1r2"), [0.0, 0.0, 0.0, 0.0, 0.0]);
        // A meeple on the field: it stays there, and a field without a complete city has no points.
        assert_eq!(numbers(&format!("{start} ?E"), "E@0,1r2:fNNW"), [0.0, -1.0, 1.0, 0.0, 0.0]);
    }

    /// A rating of a move, by its name.
    fn rating(name: &str, position: &str, wanted: &str) -> f64 {
        let state = position.parse::<Transcript>().unwrap().replay().unwrap();
        let turn = crate::parse_turn(wanted, state.rules().tiles).unwrap();
        let number = Numbers::<Base>::RATINGS.iter().find(|number| number.name == name).unwrap();
        (number.value)(&state, turn.action, &mut state.clone())
    }

    /// Hand-computed for two seats: MyBonus is 20, the penalty of the first meeple 1.
    #[test]
    fn the_rating_of_simple_player_3_by_hand() {
        let start = "[base seats=2 two-tile-city=4 unplaceable=discard] ?E";
        // The city of both tiles has 2 points and no open end: 2·20·30. The field joins nothing.
        assert_eq!(rating("s3", start, "E@0,-1r2:cS"), 1.2);
        assert_eq!(rating("s3", start, "E@0,-1r2"), 0.0);
        // South of the start tile: the city is alone, with one open end: (20 - 1)·30. The field has no points: -1.
        assert!((rating("s3", start, "E@0,1r2:cS") - 0.57).abs() < 1e-12);
        assert_eq!(rating("s3", start, "E@0,1r2:fNNW"), -0.001);
        // A second tile on a city of the other seat: its 2 points count against the seat, 2·10·30.
        let claimed = "[base seats=2 two-tile-city=4 unplaceable=discard] E@0,1r2:cS ?E";
        assert_eq!(rating("s3", claimed, "E@0,2r0"), -0.6);
        // Monastery B with the start tile beside it: 2 points, and 7 of 9 tiles missing: (2·20 - 7/9)·10.
        let monastery = "[base seats=2 two-tile-city=4 unplaceable=discard] ?B";
        assert!((rating("s3", monastery, "B@0,1r0:m") - (0.4 - 0.007 / 0.9)).abs() < 1e-12);
    }

    /// The places of numbers in the list decide how they are computed together.
    #[test]
    fn the_further_numbers_stand_behind_the_ratings() {
        let names = Numbers::<Base>::ALL.iter().chain(Numbers::<Base>::RATINGS).map(|number| number.name);
        let names: Vec<&str> = names.skip(TILES_PER_MEEPLE).collect();
        assert_eq!(names, ["tm", "oe", "om", "pc", "nx"]);
    }

    /// Hand-computed: 70 tiles are left when the first one of 71 is in hand, 35 of them for the seat.
    #[test]
    fn the_prospects_of_a_move_by_hand() {
        let all =
            |position: &str, wanted: &str| ["tm", "oe", "om", "pc", "nx"].map(|name| rating(name, position, wanted));
        let start = "[base seats=2 two-tile-city=4 unplaceable=discard]";
        // The city closes at once.
        assert_eq!(all(&format!("{start} ?E"), "E@0,-1r2:cS"), [70.0 / 8.0, 0.0, 0.0, 1.0, 0.0]);
        assert_eq!(all(&format!("{start} ?E"), "E@0,-1r2"), [70.0 / 8.0, 0.0, 0.0, 0.0, 0.0]);
        // A field does not complete.
        assert_eq!(all(&format!("{start} ?E"), "E@0,1r2:fNNW"), [10.0, 0.0, 0.0, 0.0, 0.0]);
        // The city looks south, to a cell that shows it alone. Tiles whose city on some side leads to no other side: of
        // E 4 more, of D 3 (one is on the board), of H and I (two cities that are apart) 3 and 2, of J, K and L 3 each:
        // 21. It gains a tile: 4 points for 1.
        let missed: f64 = (0..21).map(|tile| f64::from(35 - tile) / f64::from(70 - tile)).product();
        let [per_meeple, ends, others, chance, next] = all(&format!("{start} ?E"), "E@0,1r2:cS");
        assert_eq!([per_meeple, ends, others, next], [10.0, 1.0, 0.0, 21.0 / 70.0 * 3.0]);
        assert!((chance - (1.0 - missed)).abs() < 1e-12, "{chance}");
        // A second tile on the city of the other seat.
        let claimed = format!("{start} E@0,1r2:cS ?E");
        assert_eq!(all(&claimed, "E@0,2r0"), [69.0 / 8.0, 0.0, 1.0, 0.0, 0.0]);
        // A monastery beside the start tile: seven cells around it are empty.
        assert_eq!(rating("oe", &format!("{start} ?B"), "B@0,1r0:m"), 7.0);
    }

    #[test]
    fn heydens_evaluation_of_a_move_by_hand() {
        let start = "[base seats=2 two-tile-city=4 unplaceable=discard] ?E";
        // Four points; the meeple is back.
        assert_eq!(rating("he", start, "E@0,-1r2:cS"), 4.0);
        // A meeple less, and a field without a complete city: -10 - 40 hundredths.
        assert_eq!(rating("he", start, "E@0,1r2:fNNW"), -0.5);
    }

    #[test]
    fn the_share_of_virtual_scores_by_hand() {
        let start = "[base seats=2 two-tile-city=4 unplaceable=discard] ?E";
        assert_eq!([rating("vp", start, "E@0,-1r2:cS"), rating("vp", start, "E@0,-1r2")], [1.0, 0.5]);
    }

    #[test]
    fn all_players_without_search_close_the_city() {
        let state =
            "[base seats=2 two-tile-city=4 unplaceable=discard] ?E".parse::<Transcript>().unwrap().replay().unwrap();
        let closing = crate::parse_turn("E@0,-1r2:cS", state.rules().tiles).unwrap().action;
        let mut rng = Key::experiment(1).stream();
        for rater in Carcassonne::<Base>::RATERS {
            let found = rater.rater.choose(&state, Default::default(), &mut Default::default(), &mut rng);
            assert_eq!(found, closing, "{}", rater.name);
        }
    }
}
