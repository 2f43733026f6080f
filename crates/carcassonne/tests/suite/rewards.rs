//! What a playout of Carcassonne is worth, under each rule.

use evouct_base::named::Named;
use evouct_base::sampling::below;
use evouct_base::seed::Key;
use evouct_carcassonne::{HeydenWeights, Rules, State, Transcript};
use evouct_search::game::{Evaluation, Game, Scores, Turn};
use evouct_search::search::{FinishedReward, Reward, RewardRule, RewardScale};
use std::sync::Arc;

/// A position in the middle of a game, and its end.
fn positions(seats: u8) -> [State; 2] {
    let mut state = State::new(Rules::official(seats));
    let mut rng = Key::experiment(3).stream();
    let mut middle = state.clone();
    while state.turn() != Turn::Terminal {
        Game::sample(&mut state, &mut rng);
        if let Turn::Player(_) = state.turn() {
            let moves = state.legal_moves();
            Game::play(&mut state, moves[below(&mut rng, moves.len())]);
        }
        if state.turns().len() == 30 && state.hand().is_none() {
            middle = state.clone();
        }
    }
    [middle, state]
}

fn rule(reward: Reward) -> RewardRule<State> {
    RewardRule::of(reward)
}

const WON: Scores = [60, 40, 0, 0, 0, 0];

#[test]
fn scales_by_hand() {
    let [middle, _] = positions(2);
    let scaled = |reward, scale| RewardRule { scale, ..rule(reward) }.rewards(&middle, &WON)[..2].to_vec();
    // A difference of 20 between bounds of 282 either way.
    assert_eq!(scaled(Reward::Difference, RewardScale::Unit), [302.0 / 564.0, 262.0 / 564.0]);
    assert_eq!(scaled(Reward::Difference, RewardScale::Centred), [302.0 / 564.0 - 0.5, 262.0 / 564.0 - 0.5]);
    assert_eq!(scaled(Reward::Win, RewardScale::Unit), [1.0, 0.0]);
    assert_eq!(scaled(Reward::Portion, RewardScale::Centred), [0.6 - 0.5, 0.4 - 0.5]);
    // What has a name of its own is the same.
    for (named, scale) in [(Reward::Normalised, RewardScale::Centred), (Reward::NormalisedUnit, RewardScale::Unit)] {
        let found = scaled(Reward::Difference, scale);
        for (found, expected) in found.iter().zip(named.of(&WON, 2, 282.0)) {
            assert!((found - expected).abs() < 1e-15);
        }
    }
}

#[test]
fn rewards_stay_in_their_bounds() {
    for seats in 2..=5_u8 {
        for state in positions(seats) {
            for reward in <Reward as Named>::NAMES.iter().map(|(_, reward)| *reward) {
                if reward == Reward::Evaluation && seats > 2 {
                    continue;
                }
                for scale in [RewardScale::Unit, RewardScale::Centred] {
                    let evaluation: Arc<dyn Evaluation<State>> = Arc::new(HeydenWeights::DEFAULT);
                    let rule = RewardRule { scale, evaluation: Some(evaluation), ..rule(reward) };
                    let [low, high] = rule.scaled_bounds(&state);
                    for reward in &rule.rewards(&state, &Game::scores(&state))[..usize::from(seats)] {
                        assert!((low..=high).contains(reward), "{rule:?}: {reward}");
                    }
                }
            }
        }
    }
}

#[test]
fn an_evaluation_as_reward_by_hand() {
    // A city of two tiles is complete: 4 points at 100 each, and nothing else differs.
    let text = "[base seats=2 two-tile-city=4 unplaceable=discard] E@0,-1r2:cS";
    let state = text.parse::<Transcript>().unwrap().replay().unwrap();
    let rewards = |scale| {
        let evaluation: Arc<dyn Evaluation<State>> = Arc::new(HeydenWeights::DEFAULT);
        let rule = RewardRule { scale, evaluation: Some(evaluation), ..rule(Reward::Evaluation) };
        rule.rewards(&state, &Game::scores(&state))[..2].to_vec()
    };
    assert_eq!(rewards(RewardScale::None), [400.0, -400.0]);
    // Between all 282 points and 7 meeples at 10 each, either way.
    assert_eq!(rewards(RewardScale::Unit), [28_670.0 / 56_540.0, 27_870.0 / 56_540.0]);
}

#[test]
fn a_bonus_by_hand() {
    let [middle, end] = positions(2);
    let with = |reward, scale, c| RewardRule { scale, bonus: Some(c), ..rule(reward) };
    assert_eq!(with(Reward::Difference, RewardScale::None, 1_000.0).rewards(&end, &WON)[..2], [1.02, -1.02]);
    let portion = || with(Reward::Portion, RewardScale::None, 100.0);
    for state in [&middle, &end] {
        assert_eq!(portion().rewards(state, &WON)[..2], Reward::Bonus.of(&WON, 2, 282.0)[..2]);
    }
    // Only a finished playout gets it under finished = bonus.
    let early = RewardRule { finished: FinishedReward::Bonus, ..portion() };
    assert_eq!(early.rewards(&middle, &WON)[..2], [0.6, 0.4]);
    assert_eq!(early.rewards(&end, &WON)[..2], Reward::Bonus.of(&WON, 2, 282.0)[..2]);
}

#[test]
fn finished_playouts_have_the_bounds_by_hand() {
    let [middle, end] = positions(2);
    let rule = |reward, scale| RewardRule { scale, finished: FinishedReward::Bounds, ..rule(reward) };
    let portion = rule(Reward::Portion, RewardScale::None);
    assert_eq!(portion.rewards(&middle, &WON)[..2], [0.6, 0.4]);
    assert_eq!(portion.rewards(&end, &WON)[..2], [1.0, 0.0]);
    assert_eq!(portion.rewards(&end, &[50, 50, 0, 0, 0, 0])[..2], [0.5, 0.5]);
    assert_eq!(rule(Reward::Difference, RewardScale::None).rewards(&end, &WON)[..2], [282.0, -282.0]);
    assert_eq!(rule(Reward::Difference, RewardScale::Centred).rewards(&end, &WON)[..2], [0.5, -0.5]);
}

#[test]
fn complex_utilities_have_bounds_for_several_seats() {
    // First of three with all points, the others tie for second with none: 282·9. Last, two others with all points:
    // −2·282·9.
    assert_eq!(Reward::Ranked.bounds(3, 282.0), [-5_076.0, 2_538.0]);
    // 282 + 3·282 − (2 + 1)·282, and 282 − 2·(282 + 3·282).
    assert_eq!(Reward::RankedSum.bounds(3, 282.0), [-1_974.0, 282.0]);
}
