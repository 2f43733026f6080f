//! The rules engine against a second, slow implementation: random games of 2 to 5 players, compared after every turn.

mod reference;

use evouct::carcassonne::{
    Cell, Deck, Drawn, Event, FieldScoring, Move, PlayedTurn, Rules, SegmentId, State, TileKind, Transcript,
};
use evouct::sampling::below;
use evouct::seed::Key;
use reference::{Action, Board};
use std::collections::BTreeSet;

fn to_reference(action: &Move) -> Action {
    let Move { cell: Cell { x, y }, rotation, meeple } = *action;
    ((i32::from(x), i32::from(y)), usize::from(rotation), meeple.map(SegmentId::index))
}

fn compare(state: &State, board: &mut Board, context: &str) {
    let seats = usize::from(state.rules().seats);
    let widen = |scores: &[u16]| scores.iter().map(|score| u32::from(*score)).collect::<Vec<_>>();
    assert_eq!(state.player(), board.player, "{context}");
    assert_eq!(widen(state.scores()), board.scores, "{context}");
    assert_eq!(widen(&state.virtual_scores()[..seats]), board.virtual_scores(), "{context}");
    let hands: Vec<usize> = state.meeples_left()[..seats].iter().map(|left| usize::from(*left)).collect();
    assert_eq!(hands, board.hands, "{context}");
    let standing = state.standing_meeples();
    let of = |seat| standing.iter().filter(|(_, owner)| *owner == seat).count();
    assert_eq!((0..seats).map(of).collect::<Vec<_>>(), board.standing(), "{context}");
}

/// The points of a city for all its fields together, if they share it.
fn shared_city(fields: FieldScoring) -> Option<u32> {
    (fields != FieldScoring::ByField).then(|| fields.points().into())
}

fn play_against_reference(seed: u64, seats: u8, two_tile_city: u8, fields: FieldScoring) -> usize {
    let rules = Rules { two_tile_city, fields, ..Rules::official(seats) };
    let mut state = State::new(rules);
    let mut board = Board::new(seats.into(), two_tile_city.into(), shared_city(fields));
    let mut deck = Deck::shuffled(&rules, Key::experiment(seed));
    let mut rng = Key::experiment(seed).nth(7).stream();
    let mut turns = 0;
    while let Some((tile, drawn)) = deck.deal(&mut state) {
        let context = format!("seed {seed}, {seats} seats, turn {turns}");
        let kind = usize::from(tile.0);
        assert_eq!(state.placement_count(tile) as usize, board.placements(kind).len(), "{context}");
        if drawn == Drawn::SetAside {
            continue;
        }
        let moves = state.legal_moves();
        let expected = board.legal_moves(kind);
        assert_eq!(moves.iter().map(to_reference).collect::<BTreeSet<_>>(), expected, "{context}");
        assert_eq!(moves.len(), expected.len(), "{context}: a move is listed twice");
        // Random play rarely completes features. So half of the moves are those with the highest virtual score.
        let action = if below(&mut rng, 2) == 0 {
            moves[below(&mut rng, moves.len())]
        } else {
            *moves
                .iter()
                .max_by_key(|action| {
                    let mut after = state.clone();
                    after.play(**action).unwrap();
                    after.virtual_scores()[state.player()]
                })
                .unwrap()
        };
        state.play(action).unwrap();
        board.play(kind, to_reference(&action));
        compare(&state, &mut board, &context);
        turns += 1;
    }
    assert!(state.is_over());
    turns
}

#[test]
fn the_engine_agrees_with_flood_fill_after_every_turn() {
    for seed in 0..16 {
        let two_tile_city = 4 - 2 * (seed / 4 % 2) as u8;
        let turns = play_against_reference(seed, 2 + (seed % 4) as u8, two_tile_city, FieldScoring::ByField);
        assert!(turns > 60);
    }
}

#[test]
fn earlier_rules_for_fields_agree_with_flood_fill() {
    for seed in 100..108 {
        let fields = if seed % 2 == 0 { FieldScoring::ByCityThree } else { FieldScoring::ByCityFour };
        assert!(play_against_reference(seed, 2 + (seed / 2 % 4) as u8, 2, fields) > 60);
    }
}

#[test]
fn clone_from_overwrites_a_used_state_completely() {
    let rules = Rules::official(3);
    let play = |state: &mut State, seed: u64, turns: usize| {
        let mut rng = Key::experiment(seed).stream();
        let mut deck = Deck::shuffled(&rules, Key::experiment(seed));
        let mut record = Vec::new();
        while deck.deal_playable(state).is_some() {
            let moves = state.legal_moves();
            state.play(moves[below(&mut rng, moves.len())]).unwrap();
            record.push((moves.len(), state.virtual_scores(), state.meeples_left()));
            if record.len() == turns {
                break;
            }
        }
        record
    };
    let start = State::new(rules);
    for seed in 0..20 {
        let mut used = start.clone();
        play(&mut used, seed + 1000, 20 + 3 * seed as usize);
        used.clone_from(&start);
        assert_eq!(play(&mut used, seed, 71), play(&mut start.clone(), seed, 71), "seed {seed}");
    }
}

/// The number of positions `depth` plies after the events. At every draw each distinct tile counts once.
fn perft_by_reference(rules: &Rules, events: &[Event], depth: u32) -> u64 {
    let mut board = Board::new(rules.seats.into(), rules.two_tile_city.into(), shared_city(rules.fields));
    let tiles = reference::tiles();
    let mut left: Vec<usize> = tiles.iter().map(|tile| tile.count - usize::from(tile.name == "D")).collect();
    for event in events {
        match event {
            Event::SetAside(tile) => left[tile.index()] -= 1,
            Event::Turn(turn) => {
                left[turn.tile.index()] -= 1;
                board.play(turn.tile.index(), to_reference(&turn.action));
            }
        }
    }
    let mut count = 0;
    for tile in (0..tiles.len()).filter(|tile| left[*tile] > 0) {
        let moves = board.legal_moves(tile);
        if depth == 1 {
            count += moves.len() as u64;
            continue;
        }
        for ((x, y), rotation, part) in moves {
            let cell = Cell { x: x as i8, y: y as i8 };
            let meeple = part.map(|part| SegmentId::new(part as u8));
            let turn =
                PlayedTurn { tile: TileKind(tile as u8), action: Move { cell, rotation: rotation as u8, meeple } };
            let mut events = events.to_vec();
            events.push(Event::Turn(turn));
            count += perft_by_reference(rules, &events, depth - 1);
        }
    }
    count
}

#[test]
fn the_recorded_perft_counts_agree_with_flood_fill() {
    for line in include_str!("perft/base.txt").lines().filter(|line| !line.starts_with('#')) {
        let (position, counts) = line.split_once(';').unwrap();
        let transcript: Transcript = position.parse().unwrap();
        for (count, depth) in counts.split(';').map(|count| count.trim().parse::<u64>().unwrap()).zip(1..) {
            // Flood fill needs seconds for ten thousand positions.
            if count < 6_000 {
                assert_eq!(
                    perft_by_reference(&transcript.rules, &transcript.events, depth),
                    count,
                    "{line}: {depth} plies"
                );
            }
        }
    }
}
