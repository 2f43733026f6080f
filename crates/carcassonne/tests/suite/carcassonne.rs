//! The rules engine against a second, slow implementation: random games of 2 to 6 players, compared after every turn.

use crate::reference;
use evouct_base::named::Named;
use evouct_base::sampling::below;
use evouct_base::seed::Key;
use evouct_carcassonne::{
    Base, Cell, Deployment, DrawResult, Edition, Event, Expanded, Expansion, Expansions, FieldScoring, Figure, Move,
    PlayedTurn, RiverBends, Rules, SegmentId, State, TileDeck, TileKind, TileSet, Transcript,
};
use reference::{Action, Bends, Board, Choice, Options};
use std::collections::BTreeSet;

/// The same rules for the reference.
fn options(rules: &Rules) -> Options {
    Options {
        river: rules.have(Expansion::River),
        inns: rules.have(Expansion::InnsAndCathedrals),
        abbots: rules.have(Expansion::Abbots),
        no_farmers: !rules.farmers,
        start_in_bag: rules.tiles.start_in_bag,
        bends: match rules.river_bends {
            RiverBends::NoUTurn => Bends::NoUTurn,
            RiverBends::Alternate => Bends::Alternate,
            RiverBends::Reserve => Bends::Reserve,
        },
        two_tile_city: rules.two_tile_city.into(),
        shared_city: (rules.fields != FieldScoring::ByField).then(|| rules.fields.points().into()),
        unfinished: rules.unfinished_inn_cathedral.into(),
    }
}

fn to_reference(action: &Move) -> Action {
    let Move { cell: Cell { x, y }, rotation, meeple } = *action;
    let choice = match meeple.map(|deployment| (deployment.figure(), deployment.segment())) {
        None => Choice::Nothing,
        Some((figure, Some(segment))) => Choice::Place(figure as usize, segment.index()),
        Some((_, None)) => Choice::Recall,
    };
    ((i32::from(x), i32::from(y)), usize::from(rotation), choice)
}

fn compare<E: Edition>(state: &State<E>, board: &mut Board, context: &str) {
    let seats = usize::from(state.rules().seats);
    let widen = |scores: &[u16]| scores.iter().map(|score| u32::from(*score)).collect::<Vec<_>>();
    assert_eq!(state.player(), board.player, "{context}");
    assert_eq!(widen(state.scores()), board.scores, "{context}");
    assert_eq!(widen(&state.virtual_scores()[..seats]), board.virtual_scores(), "{context}");
    let hand = |seat: usize| {
        let one = |figure| usize::from(state.has_figure(seat, figure));
        [usize::from(state.meeples_left()[seat]), one(Figure::Big), one(Figure::Abbot)]
    };
    assert_eq!((0..seats).map(hand).collect::<Vec<_>>(), board.hands, "{context}");
    let standing = state.standing_meeples();
    let of = |seat| standing.iter().filter(|(_, owner)| *owner == seat).count();
    assert_eq!((0..seats).map(of).collect::<Vec<_>>(), board.standing(), "{context}");
}

/// What happened in games against the reference.
#[derive(Default, Debug)]
struct Seen {
    turns: usize,
    set_aside: usize,
    big: usize,
    abbots: usize,
    recalls: usize,
}

fn play_against_reference<E: Edition>(seed: u64, rules: Rules, seen: &mut Seen) {
    let mut state = State::<E>::start(rules);
    let mut board = Board::new(rules.seats.into(), options(&rules));
    let number = |kind: TileKind| {
        let name = &rules.tiles.kind(kind).name;
        board.tiles.iter().position(|tile| tile.name == *name).expect("the reference has the tile")
    };
    let numbers: Vec<usize> = (0..rules.tiles.kinds().len() as u8).map(|kind| number(TileKind(kind))).collect();
    let mut deck = TileDeck::shuffled(&rules, Key::experiment(seed));
    let mut rng = Key::experiment(seed).nth(7).stream();
    while let Some((tile, drawn)) = deck.deal(&mut state) {
        let context = format!("seed {seed}, {}, turn {}", rules.tiles.name, state.turns().len());
        let kind = numbers[tile.index()];
        assert_eq!(state.placement_count(tile) as usize, board.placements(kind).len(), "{context}");
        if drawn == DrawResult::SetAside {
            seen.set_aside += 1;
            continue;
        }
        let moves = state.legal_moves();
        let expected = board.legal_moves(kind);
        assert_eq!(moves.iter().map(to_reference).collect::<BTreeSet<_>>(), expected, "{context}");
        assert_eq!(moves.len(), expected.len(), "{context}: a move is listed twice");
        // Random play rarely completes features. So half of the moves are those with the highest virtual score. Of the
        // others every second one is with a figure that is no meeple, if there is one.
        let special = |action: &&Move| action.meeple.is_some_and(|meeple| meeple.figure() != Figure::Meeple);
        let specials: Vec<&Move> = moves.iter().filter(special).collect();
        let action = match below(&mut rng, 4) {
            0 => moves[below(&mut rng, moves.len())],
            1 if !specials.is_empty() => *specials[below(&mut rng, specials.len())],
            _ => *moves
                .iter()
                .max_by_key(|action| {
                    let mut after = state.clone();
                    after.play(**action).unwrap();
                    after.virtual_scores()[state.player()]
                })
                .unwrap(),
        };
        match action.meeple {
            Some(Deployment::RECALL) => seen.recalls += 1,
            Some(meeple) if meeple.figure() == Figure::Big => seen.big += 1,
            Some(meeple) if meeple.figure() == Figure::Abbot => seen.abbots += 1,
            _ => {}
        }
        state.play(action).unwrap();
        board.play(kind, to_reference(&action));
        compare(&state, &mut board, &context);
        seen.turns += 1;
    }
    assert!(state.is_over());
}

#[test]
fn the_engine_agrees_with_flood_fill_after_every_turn() {
    for seed in 0..12 {
        let two_tile_city = 4 - 2 * (seed / 4 % 2) as u8;
        let rules = Rules { two_tile_city, ..Rules::official(2 + (seed % 4) as u8) };
        let mut seen = Seen::default();
        play_against_reference::<Base>(seed, rules, &mut seen);
        assert!(seen.turns > 60);
    }
}

/// Every set of expansions, with farmers and without, for two to six players; the other options take turns.
#[test]
fn every_combination_of_expansions_agrees_with_flood_fill() {
    let mut seen = Seen::default();
    for (seed, expansions) in (0..).zip(Expansions::all_sets().chain(Expansions::all_sets())) {
        let tiles = TileSet::of(expansions, seed % 3 == 0);
        let with = Rules::with(tiles, 2);
        let rules = Rules {
            farmers: seed < 8,
            seats: 2 + (seed as u8 + seed as u8 / 8) % (with.most_seats() - 1),
            two_tile_city: 4 - 2 * (seed / 2 % 2) as u8,
            river_bends: RiverBends::NAMES[seed as usize / 2 % 3].1,
            unfinished_inn_cathedral: (seed % 2) as u8,
            ..with
        };
        play_against_reference::<Expanded>(seed, rules.checked().unwrap(), &mut seen);
    }
    assert!(seen.turns > 1_200 && seen.big > 40 && seen.abbots > 60 && seen.recalls > 20, "{seen:?}");
}

/// The edition with expansions plays the base game as the base edition does.
#[test]
fn both_editions_play_the_same_base_game() {
    for seed in 0..30 {
        let fields = FieldScoring::NAMES[seed as usize / 4 % 3].1;
        let rules = Rules { fields, ..Rules::official(2 + (seed % 4) as u8) };
        let (mut base, mut expanded) = (State::new(rules), State::<Expanded>::start(rules));
        let (mut deck, mut other) =
            (TileDeck::shuffled(&rules, Key::experiment(seed)), TileDeck::shuffled(&rules, Key::experiment(seed)));
        let mut rng = Key::experiment(seed).nth(1).stream();
        while let Some(dealt) = deck.deal(&mut base) {
            assert_eq!(other.deal(&mut expanded), Some(dealt));
            if dealt.1 == DrawResult::SetAside {
                continue;
            }
            let moves = base.legal_moves();
            assert_eq!(moves, expanded.legal_moves());
            let action = moves[below(&mut rng, moves.len())];
            base.play(action).unwrap();
            expanded.play(action).unwrap();
            assert_eq!(base.virtual_scores(), expanded.virtual_scores());
            assert_eq!(base.meeples_left(), expanded.meeples_left());
            assert_eq!(base.standing_awards(), expanded.standing_awards());
        }
    }
}

#[test]
fn earlier_rules_for_fields_agree_with_flood_fill() {
    for seed in 100..108 {
        let fields = if seed % 2 == 0 { FieldScoring::ByCityThree } else { FieldScoring::ByCityFour };
        let rules = Rules { two_tile_city: 2, fields, ..Rules::official(2 + (seed / 2 % 4) as u8) };
        let mut seen = Seen::default();
        play_against_reference::<Base>(seed, rules, &mut seen);
        assert!(seen.turns > 60);
    }
}

#[test]
fn clone_from_overwrites_a_used_state_completely() {
    let rules = Rules::official(3);
    let play = |state: &mut State, seed: u64, turns: usize| {
        let mut rng = Key::experiment(seed).stream();
        let mut deck = TileDeck::shuffled(&rules, Key::experiment(seed));
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
    let mut board = Board::new(rules.seats.into(), options(rules));
    let tiles = reference::tiles(&options(rules));
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
        for ((x, y), rotation, choice) in moves {
            let cell = Cell { x: x as i8, y: y as i8 };
            let meeple = match choice {
                Choice::Nothing => None,
                Choice::Place(figure, part) => Some(Deployment::new(Figure::ALL[figure], SegmentId::new(part as u8))),
                Choice::Recall => Some(Deployment::RECALL),
            };
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
    for line in include_str!("../perft/base.txt").lines().filter(|line| !line.starts_with('#')) {
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
