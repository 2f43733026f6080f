//! Rated playouts of Carcassonne.

use evouct_base::seed::{Key, search_rng};
use evouct_carcassonne::{Carcassonne, PlayoutPolicy, Rules, State};
use evouct_gp::{LnRule, Program, Tree};
use evouct_platform::domain::Domain;
use evouct_search::game::{Game, MoveNumbers, Playout, RatedChoice, Rater, Scores, Turn};
use evouct_search::search::{FormulaRater, RatedPlayout, SearchColumn, Termination};
use std::sync::Arc;

fn rated(rating: Option<&str>, epsilon: f64, cutoff: Option<u32>) -> RatedPlayout<State, PlayoutPolicy> {
    let rater = rating.map(|text| {
        let lists = [<Carcassonne>::MOVE_NUMBERS, <Carcassonne>::RATINGS];
        let names: Vec<&'static str> = lists.iter().flat_map(|list| list.iter()).map(|number| number.name).collect();
        let program = Program::new(Tree::parse_over(text, &SearchColumn::terminals(&names)).unwrap(), LnRule::Abs);
        let names: Vec<&'static str> = program.needs().move_numbers().collect();
        let numbers = MoveNumbers::of_lists(lists, Carcassonne::fill_move_numbers, &names).unwrap();
        Arc::new(FormulaRater { numbers, program }) as Arc<dyn Rater<State>>
    });
    let termination = Termination::after(cutoff);
    RatedPlayout { random: PlayoutPolicy::Joint, rater, by: RatedChoice::Best, epsilon, termination }
}

fn played(playout: &RatedPlayout<State, PlayoutPolicy>, seed: u64) -> (State, Scores) {
    let mut state = State::new(Rules::official(2));
    let scores = playout.play_out(&mut state, &mut search_rng(&mut Key::experiment(seed).stream()));
    (state, scores)
}

#[test]
fn a_cutoff_ends_a_playout_after_so_many_moves() {
    for (cutoff, turns) in [(0, 0), (1, 1), (16, 16), (1_000, 71)] {
        for rating in [None, Some("dv")] {
            let (state, scores) = played(&rated(rating, 0.5, Some(cutoff)), 3);
            assert!(state.turns().len() == turns || (turns == 71 && state.turn() == Turn::Terminal), "{cutoff}");
            assert_eq!(scores, Game::scores(&state));
        }
    }
}

#[test]
fn less_randomness_scores_more() {
    let mean = |playout: &RatedPlayout<State, PlayoutPolicy>| {
        (0..30).map(|seed| played(playout, seed).1).map(|scores| f64::from(scores[0] + scores[1])).sum::<f64>() / 30.0
    };
    let means = [1.0, 0.5, 0.0].map(|epsilon| mean(&rated(Some("dv + 3 * dm - 2 * fl"), epsilon, None)));
    assert!(means[0] + 20.0 < means[1] && means[1] + 20.0 < means[2], "{means:?}");
}

#[test]
fn one_ply_plays_a_move_with_the_highest_number() {
    let playout = rated(Some("dv"), 0.0, None);
    let mut rng = search_rng(&mut Key::experiment(4).stream());
    let mut state = played(&rated(None, 0.0, Some(20)), 1).0;
    Game::sample(&mut state, &mut rng);
    let moves = state.legal_moves();
    let mut columns = vec![Vec::new()];
    Carcassonne::fill_move_numbers(&state, &moves, &[0], &mut state.clone(), &mut columns);
    let highest = columns[0].iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let chosen = playout.choose(&state, &mut rng);
    let place = moves.iter().position(|action| *action == chosen).unwrap();
    assert_eq!(columns[0][place], highest);
}
