//! Random play: statistics against those of a separate implementation, and uniformity of the moves. All seeds are
//! fixed.

use evouct_base::seed::Key;
use evouct_carcassonne::{
    DrawResult, Edition, Expanded, Expansions, Figure, Move, PlayoutPolicy, Rules, State, TileDeck, TileSet, Transcript,
};
use evouct_search::game::{Game, Playout};
use std::collections::HashMap;

/// Mean scores of two million random games (placement uniform, then meeple uniform) by a separate implementation.
const FIRST: f64 = 19.57;
const SECOND: f64 = 19.26;

#[test]
fn scores_of_random_games_agree_with_a_separate_implementation() {
    let games = 20_000;
    let start = State::new(Rules::official(2));
    let mut state = start.clone();
    let mut rng = Key::experiment(1).stream();
    let (mut sums, mut squares, mut first_wins, mut draws) = ([0.0; 2], [0.0; 2], 0.0, 0.0);
    for _ in 0..games {
        state.clone_from(&start);
        let scores = state.playout(PlayoutPolicy::TwoStage, &mut rng);
        for seat in 0..2 {
            sums[seat] += f64::from(scores[seat]);
            squares[seat] += f64::from(scores[seat]).powi(2);
        }
        first_wins += f64::from(u8::from(scores[0] > scores[1]));
        draws += f64::from(u8::from(scores[0] == scores[1]));
    }
    let n = f64::from(games);
    for (seat, expected) in [FIRST, SECOND].into_iter().enumerate() {
        let mean = sums[seat] / n;
        let error = ((squares[seat] / n - mean * mean) / n).sqrt();
        // Four standard errors, and the rounding of the expected mean.
        assert!((mean - expected).abs() < 4.0 * error + 0.006, "seat {seat}: {mean} ± {error}");
    }
    let near =
        |share: f64, expected: f64| (share - expected).abs() < 4.0 * (expected * (1.0 - expected) / n).sqrt() + 5e-4;
    assert!(near(first_wins / n, 0.492), "{}", first_wins / n);
    assert!(near(draws / n, 0.038), "{}", draws / n);
}

/// Plays one two-stage game from lists of moves. Calls `each_turn` with the number of placements and the number of
/// meeple choices at the chosen one. Returns the numbers of turns and of tiles set aside.
fn listed_game(seed: u64, mut each_turn: impl FnMut(usize, usize)) -> (usize, usize) {
    let rules = Rules::official(2);
    let mut state = State::new(rules);
    let mut deck = TileDeck::shuffled(&rules, Key::experiment(seed));
    let mut rng = Key::experiment(seed).nth(1).stream();
    let mut set_aside = 0;
    while let Some((_, drawn)) = deck.deal(&mut state) {
        if drawn == DrawResult::SetAside {
            set_aside += 1;
            continue;
        }
        let moves = state.legal_moves();
        let placements: Vec<&Move> = moves.iter().filter(|action| action.meeple.is_none()).collect();
        let at = placements[evouct_base::sampling::below(&mut rng, placements.len())];
        let options: Vec<&Move> = moves.iter().filter(|m| m.cell == at.cell && m.rotation == at.rotation).collect();
        each_turn(placements.len(), options.len());
        state.play(*options[evouct_base::sampling::below(&mut rng, options.len())]).unwrap();
    }
    (state.turns().len(), set_aside)
}

#[test]
fn turns_and_choices_of_random_games_agree_with_a_separate_implementation() {
    let games = 3_000;
    let (mut turns, mut placements, mut options, mut with_set_aside) = (0, 0, 0, 0);
    for seed in 0..games {
        let (length, set_aside) = listed_game(seed, |here, choices| {
            placements += here;
            options += choices;
        });
        turns += length;
        with_set_aside += usize::from(set_aside > 0);
    }
    let mean = |sum: usize| sum as f64 / turns as f64;
    assert!((turns as f64 / games as f64 - 70.98).abs() < 0.02, "{}", turns as f64 / games as f64);
    assert!((mean(placements) - 27.24).abs() < 0.1, "{}", mean(placements));
    assert!((mean(options) - 1.863).abs() < 0.015, "{}", mean(options));
    let share = with_set_aside as f64 / games as f64;
    assert!((share - 0.0185).abs() < 4.0 * (0.0185_f64 / games as f64).sqrt(), "{share}");
}

/// Pearson's chi-square of counts with equal expectation, and its degrees of freedom.
fn chi_square(counts: &[u32], samples: u32) -> (f64, f64) {
    let expected = f64::from(samples) / counts.len() as f64;
    let sum = counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum();
    (sum, counts.len() as f64 - 1.0)
}

fn positions() -> Vec<State> {
    positions_under([8, 30, 60], Rules::official(2))
}

/// Positions on the river and after it; in some of them the abbot of the seat to play may be taken back.
fn expanded_positions() -> Vec<State<Expanded>> {
    let all = Expansions::all_sets().last().unwrap();
    let positions = positions_under([5, 30, 31, 32, 60, 80], Rules::with(TileSet::of(all, false), 2));
    assert!(positions.iter().filter(|state| state.abbot_cell(state.player()).is_some()).count() > 1);
    positions
}

fn positions_under<E: Edition>(turns: impl IntoIterator<Item = u64>, rules: Rules) -> Vec<State<E>> {
    turns
        .into_iter()
        .map(|turns| {
            let mut state = State::<E>::start(rules);
            let mut rng = Key::experiment(turns).stream();
            while state.turns().len() < turns as usize {
                state.sample(&mut rng);
                let moves = state.legal_moves();
                // Abbots are placed where they can be and not taken back, so that they stand on the board.
                let is_abbot = |action: &Move| action.meeple.is_some_and(|meeple| meeple.figure() == Figure::Abbot);
                let places = |action: &&Move| is_abbot(action) && action.segment().is_some();
                let abbots: Vec<Move> = moves.iter().filter(places).copied().collect();
                let others = moves.into_iter().filter(|action| !is_abbot(action)).collect();
                let moves: Vec<Move> = if abbots.is_empty() { others } else { abbots };
                if !moves.is_empty() {
                    state.play(moves[evouct_base::sampling::below(&mut rng, moves.len())]).unwrap();
                }
            }
            while state.hand().is_none() {
                state.sample(&mut rng);
            }
            state
        })
        .collect()
}

/// A decision copies nothing and joins nothing, but draws as a turn of a playout does.
fn decisions_are_those_of_playouts<E: Edition>(positions: &[State<E>]) {
    for policy in [PlayoutPolicy::Joint, PlayoutPolicy::TwoStage, PlayoutPolicy::CellFirst] {
        let mut with_figure = 0;
        for (state, seed) in positions.iter().flat_map(|state| (0..40).map(move |seed| (state, seed))) {
            let rng = || Key::experiment(seed).stream();
            let mut after = state.clone();
            assert!(policy.play_turn(&mut after, None, &mut rng()));
            let played = after.turns().last().unwrap().action;
            assert_eq!(state.random_move(policy, &mut rng()), Some(played), "{policy:?}, seed {seed}");
            with_figure += usize::from(played.meeple.is_some());
        }
        assert!(with_figure > positions.len(), "{policy:?}: {with_figure}");
    }
}

#[test]
fn a_random_decision_is_the_move_of_a_playout() {
    decisions_are_those_of_playouts(&positions());
    decisions_are_those_of_playouts(&expanded_positions());
}

#[test]
fn joint_playouts_choose_uniformly_among_all_pairs() {
    check_joint_playouts(positions());
    check_joint_playouts(expanded_positions());
}

fn check_joint_playouts<E: Edition>(positions: Vec<State<E>>) {
    let mut rng = Key::experiment(3).stream();
    for start in positions {
        let moves = start.legal_moves();
        let samples = 200 * moves.len() as u32;
        let mut counts = HashMap::new();
        for _ in 0..samples {
            *counts.entry(start.random_move(PlayoutPolicy::Joint, &mut rng).unwrap()).or_insert(0) += 1;
        }
        assert!(counts.keys().all(|action| moves.contains(action)), "an illegal move was played");
        let counts: Vec<u32> = moves.iter().map(|action| counts.get(action).copied().unwrap_or(0)).collect();
        let (sum, freedom) = chi_square(&counts, samples);
        // Five standard deviations of a chi-square with these degrees of freedom.
        assert!((sum - freedom).abs() < 5.0 * (2.0 * freedom).sqrt(), "{sum} for {freedom} degrees of freedom");
    }
}

#[test]
fn staged_playouts_choose_uniformly_stage_by_stage() {
    check_staged_playouts(positions());
    check_staged_playouts(expanded_positions());
}

fn check_staged_playouts<E: Edition>(positions: Vec<State<E>>) {
    let mut rng = Key::experiment(4).stream();
    for start in positions {
        let moves = start.legal_moves();
        for policy in [PlayoutPolicy::TwoStage, PlayoutPolicy::CellFirst] {
            let samples = 400 * moves.len() as u32;
            let mut counts: HashMap<Move, u32> = HashMap::new();
            for _ in 0..samples {
                *counts.entry(start.random_move(policy, &mut rng).unwrap()).or_insert(0) += 1;
            }
            let placements: Vec<&Move> = moves.iter().filter(|action| action.meeple.is_none()).collect();
            let cells: std::collections::HashSet<_> = moves.iter().map(|action| action.cell).collect();
            let mut sum = 0.0;
            for action in &moves {
                let here = |m: &&Move| m.cell == action.cell;
                let options =
                    moves.iter().filter(|m| m.cell == action.cell && m.rotation == action.rotation).count() as f64;
                let share = match policy {
                    PlayoutPolicy::CellFirst => {
                        let rotations = placements.iter().filter(|m| here(m)).count() as f64;
                        1.0 / (cells.len() as f64 * rotations * options)
                    }
                    _ => 1.0 / (placements.len() as f64 * options),
                };
                let expected = share * f64::from(samples);
                sum += (f64::from(counts.get(action).copied().unwrap_or(0)) - expected).powi(2) / expected;
            }
            let freedom = moves.len() as f64 - 1.0;
            assert!((sum - freedom).abs() < 5.0 * (2.0 * freedom).sqrt(), "{policy:?}: {sum} for {freedom}");
        }
    }
}

#[test]
fn perft_agrees_with_the_recorded_counts() {
    for line in include_str!("../perft/base.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split(';').map(str::trim);
        let state = fields.next().unwrap().parse::<Transcript>().unwrap().replay().unwrap();
        for (count, depth) in fields.zip(1..) {
            // The deepest counts need minutes in debug builds. The command `evouct rules perft` checks all counts.
            if count.len() < 8 {
                assert_eq!(
                    evouct_carcassonne::perft(&state, depth),
                    count.parse::<u64>().unwrap(),
                    "{line}: depth {depth}"
                );
            }
        }
    }
}
