//! Playouts that end early: by a number of moves, and by an evaluation.

use evouct_base::seed::{Key, search_rng};
use evouct_carcassonne::{HeydenWeights, PlayoutPolicy, Rules, State};
use evouct_search::game::{
    Evaluation, Game, MAX_SEATS, Playout, PointLead, RatedChoice, Scores, StreamDeck, Turn, Uniform,
};
use evouct_search::search::{
    AmafSameness, DynamicTermination, FinishedReward, LearnedPlayout, Learning, RatedPlayout, Reward, RewardRule,
    Termination,
};
use std::sync::Arc;

/// Two seats score these points in turn, whatever they do.
const POINTS: [i32; 8] = [3, 1, 4, 1, 5, 9, 2, 6];

/// A game that can be computed by hand. After 0 to 8 moves the leader is ahead by 0, 3, 2, 6, 5, 10, 1, 3, 3.
#[derive(Clone, Default)]
struct Written {
    made: usize,
}

impl Game for Written {
    type Action = ();
    type Outcome = ();
    type Deck = StreamDeck;

    fn seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        if self.made < POINTS.len() { Turn::Player(self.made % 2) } else { Turn::Terminal }
    }

    fn outcomes(&self, outcomes: &mut Vec<((), u32)>) {
        outcomes.clear();
    }

    fn apply(&mut self, (): ()) {}

    fn actions(&self, actions: &mut Vec<()>) {
        actions.clear();
        actions.extend((self.made < POINTS.len()).then_some(()));
    }

    fn play(&mut self, (): ()) {
        self.made += 1;
    }

    fn scores(&self) -> Scores {
        let mut scores = [0; MAX_SEATS];
        POINTS[..self.made].iter().enumerate().for_each(|(number, points)| scores[number % 2] += points);
        scores
    }
}

fn by_lead(cutoff: Option<u32>, value: f64, every: u32) -> Termination<Written> {
    let dynamic = Some(DynamicTermination { evaluation: Arc::new(PointLead), value, every });
    Termination { cutoff, dynamic }
}

fn random<G: Game, P>(random: P, termination: Termination<G>) -> RatedPlayout<G, P> {
    RatedPlayout { random, rater: None, by: RatedChoice::Best, epsilon: 0.0, termination }
}

/// The moves that were made when a playout from this position ends, and the scores there.
fn ended(playout: &impl Playout<Written>, from: usize) -> (usize, Scores) {
    let mut state = Written { made: from };
    let scores = playout.play_out(&mut state, &mut search_rng(&mut Key::experiment(1).stream()));
    (state.made, scores)
}

#[test]
fn a_playout_ends_where_it_does_by_hand() {
    for (from, cutoff, value, every, expected) in [
        (0, None, 0.0, 1, 0),
        (0, None, 3.0, 1, 1),
        (0, None, 4.0, 1, 3),
        (0, None, 6.0, 1, 3),
        (0, None, 7.0, 1, 5),
        // No lead exceeds 10.
        (0, None, 10.5, 1, 8),
        // Looked at after 0, 2, 4, 6 and 8 moves, the lead is 0, 2, 5, 1 and 3.
        (0, None, 5.0, 2, 4),
        (0, None, 6.0, 2, 8),
        (0, None, 3.0, 3, 3),
        // What comes first ends it.
        (0, Some(2), 6.0, 1, 2),
        (0, Some(4), 6.0, 1, 3),
        // Moves are those of the playout: from 3 moves on it looks after 3, 5 and 7.
        (3, None, 6.0, 2, 3),
        (3, None, 7.0, 2, 5),
        (4, None, 5.5, 3, 8),
        (6, None, 3.0, 1, 7),
        (8, None, 100.0, 1, 8),
    ] {
        let termination = by_lead(cutoff, value, every);
        let learning = Learning::Mast { temperature: 1.0 };
        let learned = LearnedPlayout::new(Uniform, learning, AmafSameness::Exact, 0.0, termination.clone());
        let what = format!("{from} {termination:?}");
        assert_eq!(
            ended(&random(Uniform, termination), from),
            (expected, Written { made: expected }.scores()),
            "{what}"
        );
        assert_eq!(ended(&learned, from).0, expected, "{what}");
    }
    assert_eq!(ended(&random(Uniform, Termination::default()), 0).0, 8);
    assert_eq!(ended(&random(Uniform, Termination::after(Some(5))), 0).0, 5);
}

/// Müller (2014), 4.4.6: only a playout that reaches the end of the game is worth a bound of the reward.
#[test]
fn a_playout_that_an_evaluation_ends_is_not_finished() {
    let rule = RewardRule { finished: FinishedReward::Bounds, ..RewardRule::of(Reward::Portion) };
    let rewards = |value: f64| {
        let (made, scores) = ended(&random(Uniform, by_lead(None, value, 1)), 0);
        rule.rewards(&Written { made }, &scores)[..2].to_vec()
    };
    // Seat 0 has 7 of 8 points when it is ahead by 6; in the end it loses.
    assert_eq!(rewards(6.0), [0.875, 0.125]);
    assert_eq!(rewards(11.0), [0.0, 1.0]);
}

/// A playout ends in the first position that is worth enough: one move less, and none was.
#[test]
fn a_playout_of_carcassonne_ends_in_the_first_position_that_is_worth_enough() {
    const HEYDEN: HeydenWeights = HeydenWeights::DEFAULT;
    let played = |termination, seed| {
        let mut state = State::new(Rules::official(2));
        let playout = random(PlayoutPolicy::Joint, termination);
        playout.play_out(&mut state, &mut search_rng(&mut Key::experiment(seed).stream()));
        state
    };
    let worth = |state: &State| HEYDEN.value(state, 0).max(HEYDEN.value(state, 1));
    let (mut early, mut moves) = (0, 0);
    for seed in 0..20 {
        let dynamic = || Some(DynamicTermination { evaluation: Arc::new(HEYDEN), value: 300.0, every: 1 });
        let state = played(Termination { cutoff: None, dynamic: dynamic() }, seed);
        let again = played(Termination { cutoff: None, dynamic: dynamic() }, seed);
        assert_eq!((state.turns(), worth(&state)), (again.turns(), worth(&again)));
        let made = state.turns().len() as u32;
        for cutoff in 0..made {
            assert!(worth(&played(Termination::after(Some(cutoff)), seed)) < 300.0, "{seed}: {cutoff} of {made}");
        }
        if Game::turn(&state) != Turn::Terminal {
            assert!(worth(&state) >= 300.0, "{seed}");
            assert_eq!(played(Termination::after(Some(made)), seed).turns(), state.turns());
            early += 1;
        }
        moves += made;
    }
    assert!(early >= 5 && moves > 20, "{early}, {moves}");
}
