//! Ratings against plain sums over the ports of a tile.

use super::super::limits::MAX_SEATS;
use super::*;
use crate::{Base, Expanded, Expansions, Rules, TileDeck, TileSet};
use evouct_base::seed::Key;

/// Points for the owners of these meeples, seat by seat.
fn plainly_owned(weights: Weights, player: usize, score: f64, meeples: [u8; MAX_SEATS]) -> f64 {
    let most = meeples.into_iter().max().unwrap();
    let winners = (0..MAX_SEATS).filter(|seat| meeples[*seat] == most);
    winners.map(|seat| if seat == player { weights.mine * score } else { -weights.others * score }).sum()
}

/// Algorithms 6 and 7 port by port, everything looked up in the tables of the position.
fn plain_rating<E: Edition>(state: &State<E>, player: SimplePlayer, slot: u8, rotation: u8) -> PlacementRating {
    let shape = state.shape(state.hand().unwrap());
    let supply = state.meeples_left()[state.player()];
    let weights = Weights::of(player, state.rules.seats, supply);
    let can_claim = |segment: usize| state.claimable_segments(shape) >> segment & 1 == 1;
    let mut rating = PlacementRating { points: 0.0, meeples: [f64::NEG_INFINITY; MAX_SEGMENTS] };
    for (index, segment) in shape.segments().iter().enumerate() {
        let is_centre = matches!(segment.kind(), FeatureKind::Monastery | FeatureKind::Garden);
        let kind = if is_centre { FeatureKind::Monastery } else { segment.kind() };
        let weight = weights.kinds[kind as usize];
        if is_centre {
            let score = 1.0 + f64::from(state.board.tiles_around(state.board.cell(slot)));
            if can_claim(index) {
                rating.meeples[index] = (score * weights.mine - (9.0 - score) * weights.meeple / 9.0) * weight;
            }
            continue;
        }
        let is_field = kind == FeatureKind::Field;
        let mut score = if is_field { 0.0 } else { 1.0 + f64::from(segment.pennants()) };
        let mut open = segment.joins(rotation).count_ones() as i32;
        let mut meeples = [0; MAX_SEATS];
        for port in (0..16).filter(|port| segment.joins(rotation) >> port & 1 == 1) {
            let id = state.board.neighbour_ids(slot)[port];
            if id == 0 {
                continue;
            }
            let feature = state.features.root(id);
            if is_field {
                let other = 3.0 * f64::from(state.scoring.cities_touched(feature));
                score = if player == SimplePlayer::Three { 0.5 * (score + other) } else { score.max(other) };
            } else {
                score += f64::from(unfinished_value(&state.rules, kind, feature));
            }
            open += feature.open_end_count() - 2;
            for (sum, count) in meeples.iter_mut().zip(feature.meeples().strengths::<E>()) {
                *sum += count;
            }
        }
        if meeples != [0; MAX_SEATS] {
            rating.points += plainly_owned(weights, state.player(), score, meeples) * weight;
            continue;
        }
        rating.points -= score * weights.open * weight;
        if can_claim(index) {
            let ends = if player == SimplePlayer::Three && !is_field { f64::from(open) } else { 1.0 };
            rating.meeples[index] = (score * weights.mine - ends * weights.meeple) * weight;
        }
    }
    rating
}

/// Every placement has the rating that plain sums over its ports give, to the last bit.
fn compare_with_plain_sums<E: Edition>(rules_of: impl Fn(u64) -> Rules) {
    let (mut placements, mut owned) = (0, 0);
    for game in 0..8 {
        let rules = rules_of(game);
        let mut state = State::<E>::start(rules);
        let mut deck = TileDeck::shuffled(&rules, Key::experiment(game));
        let mut rng = Key::experiment(2_000 + game).stream();
        let mut best = Vec::new();
        while let Some(kind) = deck.deal_playable(&mut state) {
            for player in [SimplePlayer::Two, SimplePlayer::Three] {
                let mut rating = SimpleRating::of(player, &state).unwrap();
                let mut found = PlacementRating::NONE;
                if rating.has_monastery && player == SimplePlayer::Two {
                    continue;
                }
                for (slot, rotations) in state.legal_placements(kind).slots() {
                    for rotation in bits::ones(rotations.into()).map(|rotation| rotation as u8) {
                        let plain = plain_rating(&state, player, slot, rotation);
                        rating.placement(slot, rotation, &mut found);
                        assert_eq!((found.points, found.meeples), (plain.points, plain.meeples));
                        let added = plain.meeples.into_iter().fold(f64::NEG_INFINITY, f64::max);
                        assert_eq!(rating.best(slot, rotation), (plain.points, added));
                        placements += 1;
                        owned += usize::from(found.points != 0.0);
                    }
                }
            }
            for player in [SimplePlayer::One, SimplePlayer::Two, SimplePlayer::Three] {
                let (mut moves, mut ratings, mut one_by_one) = (Vec::new(), Vec::new(), Vec::new());
                state.rate_legal_moves(player, &mut moves, &mut ratings);
                assert_eq!(moves, state.legal_moves());
                state.each_simple_rating(player, &moves, |rating| one_by_one.push(rating));
                assert_eq!(ratings, one_by_one);
            }
            // The player seldom takes a field, so every second move is random.
            let action = if state.turns().len().is_multiple_of(2) {
                state.simple_move(SimplePlayer::Three, &mut best, &mut rng)
            } else {
                let moves = state.legal_moves();
                moves[below(&mut rng, moves.len())]
            };
            state.play_legal(action, &mut ());
        }
    }
    assert!(placements > 5_000 && owned > 1_000, "{placements}, {owned}");
}

#[test]
fn ratings_equal_plain_sums_over_ports() {
    compare_with_plain_sums::<Base>(|game| Rules::official(2 + (game % 4) as u8));
}

#[test]
fn ratings_with_expansions_equal_plain_sums_over_ports() {
    let all = Expansions::all_sets().last().unwrap();
    compare_with_plain_sums::<Expanded>(|game| Rules {
        farmers: game % 4 != 3,
        ..Rules::with(TileSet::of(all, false), 2 + (game % 5) as u8)
    });
}
