//! All-moves-as-first statistics against sums by hand, and RAVE against brute force.

use crate::games;
use evouct_base::seed::Key;
use evouct_search::game::{Deck, Game, MoveLog, Playout, Scores, Uniform};
use evouct_search::search::{
    AmafMoves, AmafSameness, AmafScope, AmafSettings, Chance, FinalMove, Rave, Reward, SearchSettings, TreePolicy,
    UcbForm, Uct,
};
use games::searches::searched;
use games::{Action, Outcome, Tokens, action_values};
use rand::Rng;

fn rave(bias: f64) -> TreePolicy {
    TreePolicy::Rave(Rave { uct: Uct { exploration: 4.0, form: UcbForm::Doubled }, bias })
}

/// A playout that always keeps.
#[derive(Clone, Copy, Debug)]
struct Keeper;

impl Playout<Tokens> for Keeper {
    fn play_out(&self, state: &mut Tokens, rng: &mut impl Rng) -> Scores {
        self.play_out_logged(state, &mut MoveLog::default(), rng)
    }

    fn choose(&self, _: &Tokens, _: &mut impl Rng) -> Action {
        Action::Keep
    }
}

/// Four tokens of value 2, no bets, the first in hand.
fn even() -> Tokens {
    let mut state = Tokens { betting: false, ..Tokens::new(2, [0, 0, 4, 0, 0, 0]) };
    state.apply(Outcome::Token(2));
    state
}

fn amaf_after(iterations: u64, amaf: AmafSettings) -> Vec<(f64, f64)> {
    let state = even();
    let settings = SearchSettings { amaf: Some(amaf), ..SearchSettings::default() };
    searched(&state, None, &settings, Keeper, &rave(0.5), (iterations, Key::experiment(3)), |search| {
        assert_eq!(search.playouts(), iterations);
        search.amaf()
    })
}

#[test]
fn sums_by_hand() {
    // Two iterations try Keep and Steal once each, and the rest is kept: seats 0 1 0 1.
    // After Keep the game ends 4-4; after Steal (of nothing) 2-4. Seat 0 keeps again at its second turn either way.
    // As first moves at the root: Keep twice after Keep (4-4 twice over) and once after Steal, Steal once.
    let both = AmafSettings { scope: AmafScope::Path, ..AmafSettings::default() };
    assert_eq!(amaf_after(2, both), [(3.0, (0.0 + 0.0 - 2.0) / 3.0), (1.0, -2.0)]);
    // Of the playouts alone: Keep once in each.
    let playout = AmafSettings { moves: AmafMoves::Playout, scope: AmafScope::Path, ..AmafSettings::default() };
    assert_eq!(amaf_after(2, playout), [(2.0, (0.0 - 2.0) / 2.0), (0.0, 0.0)]);
}

#[test]
fn every_move_of_the_seat_counts_once_per_iteration() {
    // Seat 0 moves twice in every game: as first moves at the root there are two an iteration, whatever the tree is.
    for scope in [AmafScope::Path, AmafScope::AllOutcomes] {
        let amaf = amaf_after(500, AmafSettings { scope, ..AmafSettings::default() });
        assert_eq!(amaf.iter().map(|(visits, _)| visits).sum::<f64>(), 1_000.0);
    }
}

#[test]
fn a_move_with_another_token_is_another_move() {
    // The token in hand is the only one of its value: no later move can be the same.
    let mut state = Tokens::new(2, [0, 1, 3, 0, 0, 0]);
    state.apply(Outcome::Token(1));
    let settings = SearchSettings {
        amaf: Some(AmafSettings { moves: AmafMoves::Playout, ..AmafSettings::default() }),
        ..SearchSettings::default()
    };
    let run = (200, Key::experiment(3));
    let amaf = searched(&state, None, &settings, Uniform, &rave(0.5), run, |search| search.amaf());
    assert!(amaf.iter().all(|(visits, _)| *visits == 0.0));
}

#[test]
fn rave_finds_what_brute_force_finds() {
    for (chance, scope, final_move) in [
        (Chance::Sampled, AmafScope::AllOutcomes, FinalMove::Mean),
        (Chance::Sampled, AmafScope::Path, FinalMove::Visits),
        (Chance::Peek, AmafScope::Path, FinalMove::Mean),
    ] {
        for seed in 0..12 {
            let mut state = Tokens::new(2, [1, 2, 1, 1, 0, 1]);
            let mut rng = Key::experiment(seed).stream();
            while !matches!(state.turn(), evouct_search::game::Turn::Player(_)) {
                state.sample(&mut rng);
            }
            let deck = <Tokens as Game>::Deck::shuffled(&state, &mut rng);
            let known = (chance == Chance::Peek).then_some(&deck);
            let values = action_values(&state, &|scores| Reward::Difference.of(scores, 2, 1.0), known);
            let best = values.iter().map(|(_, value)| value[state.player]).fold(f64::NEG_INFINITY, f64::max);
            let amaf = Some(AmafSettings { scope, ..AmafSettings::default() });
            let settings = SearchSettings { chance, final_move, amaf, ..SearchSettings::default() };
            // The bias of first moves fades with 1/b²: in a game where the same bet is won today and lost tomorrow it
            // must.
            let (policy, run) = (rave(3.0), (60_000, Key::experiment(seed)));
            let chosen = searched(&state, known, &settings, Uniform, &policy, run, |search| search.decide(&policy));
            assert!(values[chosen].1[state.player] >= best - 0.15, "{chance:?} {scope:?}: {values:?} {chosen}");
        }
    }
}

#[test]
fn a_huge_bias_is_uct() {
    // With b = 10 beta is at most 1/400; with b beyond all bounds RAVE is UCT to the move.
    let state = even();
    let run = |policy: &TreePolicy, amaf| {
        let settings = SearchSettings { amaf, ..SearchSettings::default() };
        let run = (2_000, Key::experiment(5));
        searched(&state, None, &settings, Uniform, policy, run, |search| search.children())
    };
    let uct = TreePolicy::Uct(Uct { exploration: 4.0, form: UcbForm::Doubled });
    let counted = Some(AmafSettings::default());
    assert_eq!(run(&uct, None), run(&uct, counted), "counting alone changes nothing");
    assert_eq!(run(&uct, None), run(&rave(1e150), counted));
    assert_ne!(run(&uct, None), run(&rave(0.1), counted));
}

#[test]
fn several_playouts_are_one_visit_with_their_mean() {
    let state = even();
    let settings = SearchSettings { rollouts: 100, ..SearchSettings::default() };
    let uct = TreePolicy::Uct(Uct { exploration: 4.0, form: UcbForm::Doubled });
    let run = (2, Key::experiment(5));
    let (playouts, children) =
        searched(&state, None, &settings, Uniform, &uct, run, |search| (search.playouts(), search.children()));
    assert_eq!(playouts, 200);
    for child in children {
        assert_eq!(child.visits, 1.0);
        assert!(child.mean.fract() != 0.0 && child.mean.abs() < 4.0, "a mean of many: {}", child.mean);
    }
}

#[test]
fn moves_that_are_alike_count_by_hand() {
    // A token of value 1 in hand, then three of value 2: no later move is equal, but keeping is like keeping. Two
    // iterations try Keep and Steal once each, and the rest is kept: seats 0 1 0 1. After Keep the game ends 3-4; after
    // Steal (of nothing) 2-4. Seat 0 keeps again at its second turn either way.
    let mut state = Tokens { betting: false, ..Tokens::new(2, [0, 1, 3, 0, 0, 0]) };
    state.apply(Outcome::Token(1));
    let amaf = |sameness| {
        let settings = SearchSettings {
            amaf: Some(AmafSettings { scope: AmafScope::Path, sameness, ..AmafSettings::default() }),
            ..SearchSettings::default()
        };
        searched(&state, None, &settings, Keeper, &rave(0.5), (2, Key::experiment(3)), |search| search.amaf())
    };
    assert_eq!(amaf(AmafSameness::Exact), [(1.0, -1.0), (1.0, -2.0)]);
    assert_eq!(amaf(AmafSameness::Similar), [(3.0, (-1.0 - 1.0 - 2.0) / 3.0), (1.0, -2.0)]);
}
