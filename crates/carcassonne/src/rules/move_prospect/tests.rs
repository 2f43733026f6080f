//! The prospects of moves against those found by placing every tile, and against sampling.

use super::*;
use crate::rules::{Base, Expanded, Expansions, MAX_SEATS, Rules, TileDeck, TileSet, Unplaceable};
use evouct_base::sampling::{below, shuffle};
use evouct_base::seed::Key;

/// The cells where a feature ends, each with the kinds that close it there, found by placing every tile.
fn cells_of<E: Edition>(after: &State<E>, id: u8) -> Vec<Vec<TileKind>> {
    let root = after.features.find(id);
    let ends = after.features.root(root).open_end_count();
    let counts = after.bag.all_counts();
    let mut cells = Vec::new();
    for slot in after.board.open_slots() {
        let here = middles(after.board.neighbour_ids(slot)).iter().filter(|other| **other == root).count() as i32;
        if here == 0 {
            continue;
        }
        let closes = |kind: &TileKind| {
            let shape = after.shape(*kind);
            let fits = |rotation: &u8| after.board.allows(slot, shape, *rotation);
            !shape.has_river()
                && (0..shape.orientations).filter(fits).any(|rotation| {
                    let mut closed = after.clone();
                    closed.join(slot, *kind, rotation);
                    let feature = closed.features.root(closed.features.find(root));
                    feature.open_end_count() == ends - here
                })
        };
        let kinds = (0..<E::Kinds<u8> as FixedTable<u8>>::LEN).filter(|kind| counts[*kind] > 0);
        cells.push(kinds.map(|kind| TileKind(kind as u8)).filter(closes).collect());
    }
    cells
}

/// The empty cells around a monastery, each with the kinds that fit there.
fn cells_around<E: Edition>(after: &State<E>, cell: Cell) -> Vec<Vec<TileKind>> {
    let counts = after.bag.all_counts();
    let fitting = |cell: Cell| {
        let kinds = (0..<E::Kinds<u8> as FixedTable<u8>>::LEN).filter(|kind| counts[*kind] > 0);
        let fits = |kind: &TileKind| {
            let shape = after.shape(*kind);
            let at = |slot| (0..shape.orientations).any(|rotation| after.board.allows(slot, shape, rotation));
            !shape.has_river() && after.board.slot(cell).is_none_or(at)
        };
        kinds.map(|kind| TileKind(kind as u8)).filter(fits).collect()
    };
    empty_around(after, cell).map(fitting).collect()
}

/// A feature of the tile, as it is before the turn is scored.
struct Seen<E: Edition> {
    kind: FeatureKind,
    id: u8,
    feature: Feature<E>,
    is_claimed_now: bool,
}

fn seen<E: Edition>(state: &State<E>, action: Move) -> Vec<Seen<E>> {
    let kind = state.hand().unwrap();
    let shape = state.shape(kind);
    let mut joined = state.clone();
    let placement = joined.join(state.board.slot(action.cell).unwrap(), kind, action.rotation);
    let mut seen: Vec<Seen<E>> = Vec::new();
    for (index, segment) in shape.segments()[..usize::from(shape.edged)].iter().enumerate() {
        let id = joined.features.find(placement.ids.of(index));
        let is_claimed_now = action.segment().is_some_and(|segment| segment.index() == index);
        match seen.iter_mut().find(|known| known.id == id) {
            Some(known) => known.is_claimed_now |= is_claimed_now,
            None => seen.push(Seen { kind: segment.kind(), id, feature: joined.features.root(id), is_claimed_now }),
        }
    }
    seen
}

/// Draws of the seat that has just played, and the tiles that they are from.
fn draws<E: Edition>(after: &State<E>) -> (u32, u32) {
    let river = after.remaining().filter(|kind| after.shape(*kind).has_river()).count();
    let (left, seats) = (usize::from(after.tiles_left()), usize::from(after.rules().seats));
    let own = (1..=left).filter(|draw| draw % seats == 0 && *draw > river).count();
    (own as u32, (left - river) as u32)
}

/// The chance that one of these kinds is drawn: 1 less that of drawing none, by binomials.
fn chance_of<E: Edition>(after: &State<E>, kinds: &[TileKind]) -> f64 {
    let (draws, total) = draws(after);
    let counts = after.bag.all_counts();
    let closing: u32 = kinds.iter().map(|kind| u32::from(counts[kind.index()])).sum();
    let ways = |of: u32| (0..draws).map(|draw| (f64::from(of) - f64::from(draw)).max(0.0)).product::<f64>();
    if draws == 0 { 0.0 } else { 1.0 - ways(total - closing) / ways(total) }
}

fn chance_of_cells<E: Edition>(after: &State<E>, cells: &[Vec<TileKind>]) -> f64 {
    let all: f64 = cells.iter().map(|kinds| chance_of(after, kinds)).product();
    if (draws(after).0 as usize) < cells.len() { 0.0 } else { all }
}

fn expected<E: Edition>(state: &State<E>, action: Move) -> MoveProspect {
    let (seat, mut found) = (state.player(), MoveProspect::default());
    let mut after = state.clone();
    after.play_legal(action, &mut ());
    let counts = after.bag.all_counts();
    let share = |kinds: &[TileKind]| {
        let closing: u32 = kinds.iter().map(|kind| u32::from(counts[kind.index()])).sum();
        let is_next = draws(&after).1 == u32::from(after.tiles_left()) && after.tiles_left() > 0;
        if is_next { f64::from(closing) / f64::from(after.tiles_left()) } else { 0.0 }
    };
    for Seen { kind, id, feature, is_claimed_now } in seen(state, action) {
        let strengths = feature.meeples().strengths::<E>();
        found.others +=
            (0..MAX_SEATS).filter(|other| *other != seat).map(|other| i32::from(strengths[other])).sum::<i32>();
        if kind == FeatureKind::Field || !(is_claimed_now || strengths[seat] > 0) {
            continue;
        }
        if feature.is_closed() {
            found.chance += if is_claimed_now { 1.0 } else { 0.0 };
            continue;
        }
        found.open_ends += feature.open_end_count();
        let cells = cells_of(&after, id);
        if is_claimed_now {
            found.chance = chance_of_cells(&after, &cells);
        }
        if let ([kinds], true) = (&cells[..], strengths.iter().all(|other| is_claimed_now || *other <= strengths[seat]))
        {
            let mut complete = feature;
            complete.add(Feature { set: E::Set::default(), sum: Feature::<E>::sum(1, 0, 0) });
            let values = [complete_value(&state.rules, kind, complete), unfinished_value(&state.rules, kind, feature)];
            found.next += share(kinds) * (f64::from(values[0]) - f64::from(values[1]));
        }
    }
    let shape = state.shape(state.hand().unwrap());
    if action.segment().is_some_and(|segment| segment.index() >= usize::from(shape.edged)) {
        let cells = cells_around(&after, action.cell);
        found.chance = if cells.is_empty() { 1.0 } else { chance_of_cells(&after, &cells) };
        found.open_ends += cells.len() as i32;
        if let [kinds] = &cells[..] {
            found.next += share(kinds);
        }
    }
    found
}

/// Plays random games, with a figure where one can be placed in two of three turns.
fn random_games<E: Edition>(
    games: u64,
    rules_of: impl Fn(u64) -> Rules,
    mut visit: impl FnMut(&State<E>, &[Move], &mut rand_chacha::ChaCha8Rng),
) {
    for game in 0..games {
        let rules = rules_of(game);
        let mut state = State::<E>::start(rules);
        let mut deck = TileDeck::shuffled(&rules, Key::experiment(40 + game));
        let mut rng = Key::experiment(2_000 + game).stream();
        while deck.deal_playable(&mut state).is_some() {
            let moves = state.legal_moves();
            visit(&state, &moves, &mut rng);
            let with: Vec<&Move> = moves.iter().filter(|action| action.meeple.is_some()).collect();
            let chosen = match with.len() {
                0 => moves[below(&mut rng, moves.len())],
                _ if below(&mut rng, 3) == 0 => moves[below(&mut rng, moves.len())],
                count => *with[below(&mut rng, count)],
            };
            state.play_legal(chosen, &mut ());
        }
    }
}

const ALL: Prospects = Prospects { chance: true, next: true };

fn compare<E: Edition>(games: u64, every: usize, rules_of: impl Fn(u64) -> Rules) {
    let mut uncertain = [0; 4];
    random_games::<E>(games, rules_of, |state, moves, rng| {
        let prospects = |wanted| {
            let mut found = Vec::new();
            state.each_move_prospect(moves, wanted, |prospect| found.push(prospect));
            assert_eq!(found.len(), moves.len());
            found
        };
        let [all, ends] = [ALL, Prospects::default()].map(prospects);
        let [chances, nexts] = [Prospects { next: false, ..ALL }, Prospects { chance: false, ..ALL }].map(prospects);
        for (place, action) in moves.iter().enumerate() {
            let (found, ends) = (all[place], ends[place]);
            for part in [ends, chances[place], nexts[place]] {
                assert_eq!((found.open_ends, found.others), (part.open_ends, part.others));
            }
            assert_eq!((found.chance, found.next), (chances[place].chance, nexts[place].next), "{action:?}");
            if below(rng, every) > 0 {
                continue;
            }
            let expected = expected(state, *action);
            let near = (found.chance - expected.chance).abs() < 1e-12 && (found.next - expected.next).abs() < 1e-12;
            let same = found.open_ends == expected.open_ends && found.others == expected.others;
            assert!(near && same, "{found:?}, expected {expected:?}: {action:?} at turn {}", state.turns().len());
            let counted =
                [found.chance > 0.0 && found.chance < 1.0, ends.open_ends > 0, ends.others > 0, found.next > 0.0];
            for (count, counted) in uncertain.iter_mut().zip(counted) {
                *count += usize::from(counted);
            }
        }
    });
    assert!(uncertain.iter().all(|count| *count > 100), "{uncertain:?}");
}

#[test]
fn prospects_equal_those_found_by_placing_every_tile() {
    compare::<Base>(9, 3, |game| {
        let unplaceable = [Unplaceable::Discard, Unplaceable::Bottom, Unplaceable::Return][game as usize % 3];
        Rules { unplaceable, ..Rules::official(2 + (game % 4) as u8) }
    });
}

#[test]
fn prospects_with_expansions_equal_those_found_by_placing_every_tile() {
    let sets: Vec<Expansions> = Expansions::all_sets().collect();
    compare::<Expanded>(16, 10, |game| {
        let set = TileSet::of(sets[sets.len() - 1 - game as usize % sets.len()], game % 2 == 0);
        Rules {
            unfinished_inn_cathedral: (game % 2) as u8,
            farmers: game != 3,
            ..Rules::with(set, 2 + (game % 5) as u8)
        }
    });
}

/// The tiles left are shuffled and dealt to the seats in turn: how often the seat gets one that completes the
/// feature.
#[test]
fn the_chance_at_one_open_cell_is_that_of_sampling() {
    const SAMPLES: usize = 2_000;
    let mut compared = 0;
    random_games::<Base>(
        12,
        |game| Rules::official(2 + (game % 4) as u8),
        |state, moves, rng| {
            let action = moves[below(rng, moves.len())];
            let mut chance = 0.0;
            state.each_move_prospect(&[action], ALL, |prospect| chance = prospect.chance);
            let mut after = state.clone();
            after.play_legal(action, &mut ());
            let claimed = seen(state, action).into_iter().find(|seen| seen.is_claimed_now);
            let Some(claimed) = claimed.filter(|seen| seen.kind != FeatureKind::Field && !seen.feature.is_closed())
            else {
                return;
            };
            let cells = cells_of(&after, claimed.id);
            let [closing] = &cells[..] else { return };
            let (mut tiles, seats) = (after.remaining().collect::<Vec<TileKind>>(), usize::from(after.rules().seats));
            let draws_one =
                |tiles: &[TileKind]| tiles.chunks_exact(seats).any(|round| closing.contains(&round[seats - 1]));
            let mut found = 0;
            for _ in 0..SAMPLES {
                shuffle(rng, &mut tiles);
                found += usize::from(draws_one(&tiles));
            }
            let error = (found as f64 / SAMPLES as f64 - chance).abs();
            let deviation = (chance * (1.0 - chance) / SAMPLES as f64).sqrt();
            assert!(error <= 4.5 * deviation, "{found} of {SAMPLES}, expected {chance}");
            compared += usize::from(chance > 0.0 && chance < 1.0);
        },
    );
    assert!(compared > 15, "{compared}");
}
