//! EinStein würfelt nicht!: the contracts, counts and solved positions of the reference, and searches that find
//! them.

use evouct::domain::{Domain, Drawing, check_domain};
use evouct::einstein::{Cell, Einstein, EinsteinEvaluation, EinsteinRules, MAX_STONES, Move, Outcome, State};
use evouct::game::{Game, Playout, Turn, Uniform, check_game};
use evouct::parameter::{Parameters, Preset};
use evouct::player::{Mcts, Player, PlayerView, Selector};
use evouct::registry;
use evouct::sampling::below;
use evouct::search::{
    Bounds, Budget, ChanceSearch, Meter, Multiplayer, Probing, Star, StarSettings, Stopped, UcbForm, Uct, Unprobed,
};
use evouct::seed::{Key, search_rng};
use std::collections::HashMap;
use std::time::Duration;

const BOARD: EinsteinRules = EinsteinRules { rows: 5, columns: 5, diagonals: 3, shuffled: true };
const ROWS: EinsteinRules = EinsteinRules { rows: 5, columns: 5, diagonals: 3, shuffled: false };

fn stones(list: &[(usize, Cell)]) -> [Option<Cell>; MAX_STONES] {
    let mut stones = [None; MAX_STONES];
    list.iter().for_each(|(number, cell)| stones[number - 1] = Some(*cell));
    stones
}

fn actions(state: &State) -> Vec<Move> {
    let mut actions = Vec::new();
    state.actions(&mut actions);
    actions
}

/// The positions before a decision: one per face, or the position itself where nothing is rolled.
fn rolled(state: &State) -> Vec<State> {
    let mut outcomes = Vec::new();
    state.outcomes(&mut outcomes);
    if outcomes.is_empty() {
        return vec![state.clone()];
    }
    let after = |(outcome, _): &(Outcome, u32)| {
        let mut after = state.clone();
        after.apply(*outcome);
        after
    };
    outcomes.iter().map(after).collect()
}

fn played(state: &State, action: Move) -> State {
    let mut after = state.clone();
    after.play(action);
    after
}

/// The further numbers of a move: own, others, distance, nearest, again, risk.
fn numbers(state: &State, action: Move) -> [f64; 6] {
    let mut after = state.clone();
    std::array::from_fn(|number| (Einstein::RATINGS[number].value)(state, action, &mut after))
}

#[test]
fn the_numbers_of_a_move_by_hand() {
    let names: Vec<&str> = Einstein::RATINGS.iter().map(|number| number.name).collect();
    assert_eq!(names, ["own", "others", "distance", "nearest", "again", "risk"]);
    // The first seat has stones 2 and 5, the other one 1 and 4. Stone 2 takes stone 4.
    let own = stones(&[(2, (1, 1)), (5, (3, 2))]);
    let others = stones(&[(1, (4, 4)), (4, (2, 2))]);
    let mut state = State::with(BOARD, [own, others], 0);
    state.apply(Outcome::Face(2));
    let [row, both] = [false, true].map(|column| Move { stone: 2, row: true, column });
    // Stone 2 moves with 1 to 4. With any face the other seat moves stone 1, which is two moves away.
    assert_eq!(numbers(&state, both), [2.0, 1.0, 2.0, 2.0, 4.0 / 6.0, 0.0]);
    // Beside stone 4, which moves with 2 to 6 where stone 1 is above it: with 3 and 4 alone it is nearest, with 2 both.
    assert_eq!(numbers(&state, row), [2.0, 2.0, 3.0, 2.0, 4.0 / 6.0, 5.0 / 6.0]);
}

/// By listing the moves after every roll.
#[test]
fn again_and_risk_are_those_of_all_rolls() {
    let mut rng = search_rng(&mut Key::experiment(6).stream());
    let mut between = [0; 2];
    for _ in 0..40 {
        let mut state = State::new(BOARD);
        while state.turn() != Turn::Terminal {
            if state.turn() == Turn::Chance {
                state.sample(&mut rng);
                continue;
            }
            let (seat, all) = (state.mover(), actions(&state));
            for action in &all {
                let after = played(&state, *action);
                let [own, others, .., again, risk] = numbers(&state, *action);
                assert_eq!([own, others], [seat, 1 - seat].map(|seat| after.stones_left(seat) as f64));
                if after.turn() == Turn::Terminal {
                    assert_eq!(risk, 0.0);
                    continue;
                }
                let share = |of: &State, holds: &dyn Fn(&State, &Move) -> bool| {
                    let rolls = rolled(of);
                    let met = rolls.iter().filter(|roll| actions(roll).iter().any(|action| holds(roll, action)));
                    met.count() as f64 / rolls.len() as f64
                };
                let cell = state.target(*action);
                assert_eq!(risk, share(&after, &|roll, action| roll.target(*action) == cell));
                let mut left = [[None; MAX_STONES]; 2];
                (0..2).for_each(|seat| left[seat].copy_from_slice(after.stones(seat)));
                let next = State::with(BOARD, left, seat);
                assert_eq!(again, share(&next, &|_, other| other.stone == action.stone));
                for (count, share) in between.iter_mut().zip([again, risk]) {
                    *count += usize::from(share > 0.0 && share < 1.0);
                }
            }
            state.play(all[below(&mut rng, all.len())]);
        }
    }
    assert!(between.iter().all(|count| *count > 500), "{between:?}");
}

/// Leaves of the tree of rolls and moves.
fn leaves(state: &State, depth: u32) -> u64 {
    if depth == 0 || state.turn() == Turn::Terminal {
        return 1;
    }
    let below = |state: &State| -> u64 {
        actions(state).into_iter().map(|action| leaves(&played(state, action), depth - 1)).sum()
    };
    rolled(state).iter().map(below).sum()
}

/// The probability that the seat to move wins, before its roll, by its exact recursion.
#[derive(Default)]
struct Solver(HashMap<u128, f64>);

/// The cells of all stones in 9 bits each, and the seat to move.
fn key_of(state: &State) -> u128 {
    let cells = (0..2).flat_map(|seat| state.stones(seat));
    let code = |cell: &Option<Cell>| cell.map_or(0, |(row, column)| 1 + u128::from(row) * 20 + u128::from(column));
    cells.fold(state.mover() as u128, |key, cell| key << 9 | code(cell))
}

impl Solver {
    fn value(&mut self, state: &State) -> f64 {
        if state.turn() == Turn::Terminal {
            return 0.0;
        }
        let key = key_of(state);
        if let Some(known) = self.0.get(&key) {
            return *known;
        }
        let decisions = rolled(state);
        let sum: f64 = decisions.iter().map(|state| self.best(state)).sum();
        let value = sum / decisions.len() as f64;
        self.0.insert(key, value);
        value
    }

    fn best(&mut self, state: &State) -> f64 {
        actions(state).into_iter().map(|action| self.after(state, action)).fold(0.0, f64::max)
    }

    fn after(&mut self, state: &State, action: Move) -> f64 {
        1.0 - self.value(&played(state, action))
    }
}

/// The two positions with known winning probabilities, for either seat to move.
fn solved() -> [(State, f64); 4] {
    let first = [stones(&[(5, (1, 3)), (6, (2, 0)), (3, (3, 4))]), stones(&[(2, (0, 1)), (3, (3, 1))])];
    let second = [stones(&[(1, (0, 0))]), stones(&[(1, (4, 4)), (6, (4, 3))])];
    [
        (State::with(ROWS, first, 0), 413.0 / 486.0),
        (State::with(ROWS, first, 1), 37.0 / 81.0),
        (State::with(ROWS, second, 0), 91.0 / 1296.0),
        (State::with(ROWS, second, 1), 43825.0 / 46656.0),
    ]
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-12
}

#[test]
fn the_game_keeps_the_contracts() {
    for board in [BOARD, ROWS, EinsteinRules { rows: 3, columns: 3, diagonals: 2, shuffled: true }] {
        let report = check_game(|| State::new(board), Key::experiment(1), 20).unwrap();
        assert!(report.most_actions >= 4 && report.longest > 8, "{report:?}");
    }
    let game = registry::add_game::<Einstein>();
    let report = check_domain(game, &EinsteinRules::defaults(Preset::Text), Key::experiment(2), 3).unwrap();
    assert_eq!(report.refused, []);
    assert!(report.played.len() >= 14, "{:?}", report.played);
}

#[test]
fn leaves_are_counted_as_by_the_reference() {
    let start = State::new(ROWS);
    assert_eq!([1, 2, 3, 4].map(|depth| leaves(&start, depth)), [18, 324, 6_162, 117_369]);
    let x = stones(&[(2, (0, 0)), (1, (0, 1)), (3, (0, 2)), (4, (1, 0)), (5, (1, 1)), (6, (2, 0))]);
    let y = stones(&[(6, (2, 4)), (2, (3, 3)), (4, (3, 4)), (3, (4, 2)), (1, (4, 3)), (5, (4, 4))]);
    let other = State::with(ROWS, [x, y], 0);
    assert_eq!([1, 2, 3].map(|depth| leaves(&other, depth)), [18, 324, 6_108]);
}

/// What a search to the end of the game finds: the probability that the seat to move wins, before its roll.
fn searched(state: &State, chance: ChanceSearch) -> f64 {
    let bounds = Bounds::Fixed { lower: -100.0, upper: 100.0 };
    let settings = StarSettings {
        chance,
        multiplayer: Multiplayer::default(),
        bounds,
        prob_cut: None,
        depth: 60,
        deepening: false,
    };
    let value = |state: &State| {
        let mut meter = Meter::start(&Budget::default(), &Stopped, Duration::ZERO, 1);
        let found = Star::new(&EinsteinEvaluation { race: false }, settings, &mut meter).search(state);
        0.5 + found.children[found.best].mean / 200.0
    };
    let decisions = rolled(state);
    decisions.iter().map(value).sum::<f64>() / decisions.len() as f64
}

fn probing(factor: usize) -> ChanceSearch {
    ChanceSearch::Star2(Probing { factor, cyclic: false, unprobed: Unprobed::Bound })
}

#[test]
fn solved_positions_have_their_values() {
    for (state, expected) in solved() {
        assert!(close(Solver::default().value(&state), expected));
    }
}

#[test]
fn exact_searches_agree_with_the_solution() {
    // Positions near the end of games on the small board, for a search without pruning.
    let board = EinsteinRules { rows: 3, columns: 3, diagonals: 2, shuffled: true };
    let mut rng = search_rng(&mut Key::experiment(5).stream());
    let (mut solver, mut searches) = (Solver::default(), 0);
    for _ in 0..12 {
        let mut state = State::new(board);
        for _ in 0..3 {
            while state.turn() == Turn::Chance {
                state.sample(&mut rng);
            }
            if state.turn() != Turn::Terminal {
                let action = Uniform.choose(&state, &mut rng);
                state.play(action);
            }
        }
        if state.turn() == Turn::Terminal {
            continue;
        }
        let expected = solver.value(&state);
        for chance in [ChanceSearch::Expectimax, ChanceSearch::Star1, probing(1), probing(3)] {
            let found = searched(&state, chance);
            assert!(close(found, expected), "{chance:?}: {found}, expected {expected}");
            searches += 1;
        }
    }
    assert!(searches > 20, "{searches}");
}

#[test]
fn star2_finds_a_solved_position() {
    // The seat to move is one move from its goal, so windows close early.
    let (state, expected) = solved()[1].clone();
    assert!(close(searched(&state, probing(1)), expected));
}

#[test]
fn mcts_plays_a_solved_position_well() {
    let mut solver = Solver::default();
    let uct = Uct { exploration: 1.0, form: UcbForm::Plain };
    for (state, _) in &solved()[..2] {
        let (mut lost, decisions) = (0.0, rolled(state));
        for (number, decision) in decisions.iter().enumerate() {
            let key = Key::experiment(3).nth(number as u32);
            let deck = evouct::game::StreamDeck::of(key.deck(1));
            let mut player = Mcts::new(Selector::Uct(uct), Budget::iterations(4_000), Uniform, key);
            let action = player.decide(&PlayerView::of(decision, &deck)).action;
            lost += solver.best(decision) - solver.after(decision, action);
        }
        assert!(lost / (decisions.len() as f64) < 0.01, "{lost}");
    }
}

#[test]
fn three_by_three_is_solved() {
    let board = EinsteinRules { rows: 3, columns: 3, diagonals: 2, shuffled: true };
    let mut solver = Solver::default();
    let mut values = Vec::new();
    for first in rolled(&State::new(board)) {
        values.extend(rolled(&first).iter().map(|start| solver.value(start)));
    }
    assert_eq!(values.len(), 36);
    assert!(close(values.iter().sum::<f64>() / 36.0, 1459.0 / 2187.0));
    assert!(close(values.iter().copied().fold(0.0, f64::max), 170.0 / 243.0));
    assert!(close(values.iter().copied().fold(1.0, f64::min), 143.0 / 243.0));
}

#[test]
fn with_one_stone_each_parity_decides() {
    for rows in 2..=9 {
        for columns in rows..=9 {
            let board = EinsteinRules { rows, columns, diagonals: 1, shuffled: false };
            let second_wins = columns % 2 == 1 && columns >= 2 * rows - 1;
            let expected = if second_wins { 0.0 } else { 1.0 };
            assert!(close(Solver::default().value(&State::new(board)), expected), "{rows} by {columns}");
        }
    }
}

#[test]
fn random_games_have_the_known_statistics() {
    let mut rng = search_rng(&mut Key::experiment(4).stream());
    let games = 6_000;
    let (mut first, mut plies, mut moves, mut captured) = (0, 0, 0, 0);
    for _ in 0..games {
        let mut state = State::new(BOARD);
        while state.turn() != Turn::Terminal {
            if state.turn() == Turn::Chance {
                state.sample(&mut rng);
            } else {
                moves += actions(&state).len();
                plies += 1;
                let action = Uniform.choose(&state, &mut rng);
                state.play(action);
            }
        }
        first += u32::from(state.winner() == Some(0));
        captured += u32::from(state.stones_left(0) * state.stones_left(1) == 0);
    }
    // Four standard errors of this many games around the values of 60,000 games.
    let share = |count: u32| 100.0 * f64::from(count) / f64::from(games);
    assert!((share(first) - 53.3).abs() < 3.0, "{}", share(first));
    assert!((share(captured) - 1.2).abs() < 0.6, "{}", share(captured));
    assert!((f64::from(plies) / f64::from(games) - 21.6).abs() < 0.5);
    assert!((moves as f64 / f64::from(plies) - 3.11).abs() < 0.05);
}

#[test]
fn the_board_is_drawn() {
    let text = Einstein.text(&State::new(ROWS), false).unwrap();
    let expected = "     a  b  c  d  e\n  1 X1 X2 X3  .  .\n  2 X4 X5  .  .  .\n  3 X6  .  .  . Y6\n  4  .  .  . Y5 Y4\n  \
                    5  .  . Y3 Y2 Y1\nX to move\n";
    assert_eq!(text, expected);
    let svg = Einstein.svg(&State::new(ROWS)).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    assert_eq!(document.descendants().filter(|node| node.has_tag_name("circle")).count(), 12);
}
