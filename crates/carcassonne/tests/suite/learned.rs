//! Default policies that learn during a search, against numbers by hand.

use crate::games;
use evouct_base::seed::{Key, search_rng};
use evouct_search::game::{Game, MAX_SEATS, MoveLog, Playout, Scores, Turn, Uniform};
use evouct_search::search::{AmafSameness, LearnedPlayout, Learning, SearchSettings, Termination, TreePolicy, Uct};
use games::searches::searched;
use games::{Action, Outcome, Tokens};
use rand::Rng;
use std::sync::{Arc, Mutex};

type Policy = LearnedPlayout<Tokens, Uniform>;

/// Four tokens of value 2, no bets, the first in hand.
fn start() -> Tokens {
    let mut state = Tokens { betting: false, ..Tokens::new(2, [0, 0, 4, 0, 0, 0]) };
    state.apply(Outcome::Token(2));
    state
}

/// The position after these actions, with the next token of value 2 in hand.
fn after(actions: &[Action]) -> Tokens {
    let mut state = start();
    for action in actions {
        state.play(*action);
        if state.turn() == Turn::Chance {
            state.apply(Outcome::Token(2));
        }
    }
    state
}

/// Teaches a policy a simulation from the start that ended here.
fn learn(policy: &mut Policy, end: &Tokens, rewards: &[f64; MAX_SEATS]) {
    policy.learn(&MoveLog::known_to(end), 0, end, rewards);
}

fn rewards(first: f64, second: f64) -> [f64; MAX_SEATS] {
    let mut rewards = [0.0; MAX_SEATS];
    rewards[..2].copy_from_slice(&[first, second]);
    rewards
}

/// How often a policy keeps, bets and steals.
fn shares(policy: &Policy, state: &Tokens) -> [f64; 3] {
    let mut rng = search_rng(&mut Key::experiment(1).stream());
    let mut counts = [0; 3];
    (0..20_000).for_each(|_| counts[policy.choose(state, &mut rng) as usize] += 1);
    counts.map(|count| f64::from(count) / 20_000.0)
}

fn close(found: [f64; 3], expected: [f64; 3]) -> bool {
    found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 0.015)
}

const KEEP: Action = Action::Keep;
const STEAL: Action = Action::Steal;

fn mast(sameness: AmafSameness, epsilon: f64) -> Policy {
    let learning = Learning::Mast { temperature: 4.0 };
    let mut policy = LearnedPlayout::new(Uniform, learning, sameness, epsilon, Termination::default());
    learn(&mut policy, &after(&[KEEP, KEEP, KEEP, KEEP]), &rewards(4.0, -4.0));
    learn(&mut policy, &after(&[STEAL, KEEP, KEEP, KEEP]), &rewards(-2.0, 2.0));
    policy
}

#[test]
fn mast_draws_by_mean_rewards() {
    // Seat 0 kept three times, for 4, 4 and -2: mean 2. It stole once, for -2. exp(2/4) : exp(-2/4) is e : 1.
    let e = std::f64::consts::E;
    let policy = mast(AmafSameness::Exact, 0.0);
    let found = shares(&policy, &start());
    assert!(close(found, [e / (e + 1.0), 0.0, 1.0 / (e + 1.0)]), "{found:?}");
    // A bet was never made: the mean of both simulations, 1.
    let found = shares(&policy, &Tokens { betting: true, ..start() });
    let widths = [0.5_f64, 0.25, -0.5].map(f64::exp);
    let all: f64 = widths.iter().sum();
    assert!(close(found, widths.map(|width| width / all)), "{found:?}");
    // Half of the decisions are random.
    let found = shares(&mast(AmafSameness::Exact, 0.5), &start());
    assert!(close(found, [0.5 * e / (e + 1.0) + 0.25, 0.0, 0.5 / (e + 1.0) + 0.25]), "{found:?}");
}

#[test]
fn mast_of_similar_moves_holds_for_other_tokens() {
    let other = Tokens { hand: Some(3), ..start() };
    let e = std::f64::consts::E;
    let found = shares(&mast(AmafSameness::Similar, 0.0), &other);
    assert!(close(found, [e / (e + 1.0), 0.0, 1.0 / (e + 1.0)]), "{found:?}");
    let found = shares(&mast(AmafSameness::Exact, 0.0), &other);
    assert!(close(found, [0.5, 0.0, 0.5]), "{found:?}");
}

fn replies(moves: u8, forgetting: bool) -> Policy {
    let learning = Learning::LastGoodReply { moves, forgetting };
    LearnedPlayout::new(Uniform, learning, AmafSameness::Exact, 0.0, Termination::default())
}

/// A finished game with these points.
fn ended(actions: &[Action], points: [i32; 2]) -> Tokens {
    let mut end = after(actions);
    end.scores[..2].copy_from_slice(&points);
    end
}

#[test]
fn the_last_reply_that_won_is_played_until_it_loses() {
    let (nothing, answered) = (rewards(0.0, 0.0), after(&[KEEP]));
    for forgetting in [true, false] {
        let mut policy = replies(1, forgetting);
        assert!(close(shares(&policy, &answered), [0.5, 0.0, 0.5]));
        learn(&mut policy, &ended(&[KEEP, STEAL, STEAL, KEEP], [2, 4]), &nothing);
        assert_eq!(shares(&policy, &answered)[0], 0.0);
        // Seat 0 lost, so its replies are not kept; a draw changes nothing.
        assert!(close(shares(&policy, &after(&[KEEP, STEAL])), [0.5, 0.0, 0.5]));
        learn(&mut policy, &ended(&[KEEP, STEAL, STEAL, KEEP], [3, 3]), &nothing);
        assert_eq!(shares(&policy, &answered)[0], 0.0);
        learn(&mut policy, &ended(&[KEEP, STEAL, STEAL, KEEP], [4, 2]), &nothing);
        let stolen = if forgetting { 0.5 } else { 1.0 };
        assert!(close(shares(&policy, &answered), [1.0 - stolen, 0.0, stolen]), "{forgetting}");
        // Another reply takes its place.
        learn(&mut policy, &ended(&[KEEP, KEEP, STEAL, KEEP], [2, 4]), &nothing);
        assert_eq!(shares(&policy, &answered)[2], 0.0);
    }
}

#[test]
fn a_reply_to_two_moves_comes_before_a_reply_to_one() {
    for (moves, expected) in [(1, KEEP), (2, STEAL)] {
        let mut policy = replies(moves, true);
        learn(&mut policy, &ended(&[KEEP, KEEP, STEAL, KEEP], [4, 2]), &rewards(0.0, 0.0));
        learn(&mut policy, &ended(&[STEAL, KEEP, KEEP, KEEP], [4, 2]), &rewards(0.0, 0.0));
        assert_eq!(shares(&policy, &after(&[KEEP, KEEP]))[expected as usize], 1.0, "{moves}");
    }
}

/// Uniform playouts that note what they are taught: the number of moves in each simulation, and the rewards of the
/// first seat.
#[derive(Clone, Debug, Default)]
struct Noting(Arc<Mutex<Vec<(usize, f64)>>>);

impl Playout<Tokens> for Noting {
    fn play_out(&self, state: &mut Tokens, rng: &mut impl Rng) -> Scores {
        Uniform.play_out(state, rng)
    }

    fn needs_log(&self) -> bool {
        true
    }

    fn learn(&mut self, log: &MoveLog<Tokens>, first: usize, end: &Tokens, rewards: &[f64; MAX_SEATS]) {
        assert_eq!(log.plies(), end.past);
        self.0.lock().unwrap().push((log.plies().len() - first, rewards[0]));
    }
}

/// Every iteration teaches once, with whole simulations and the rewards of the search; a simulation without an update
/// does not.
#[test]
fn a_search_teaches_every_iteration_once() {
    let (noting, policy, run) = (Noting::default(), TreePolicy::Uct(Uct::default()), (50, Key::experiment(3)));
    let settings = SearchSettings::default();
    let (playouts, children) = searched(&start(), None, &settings, noting.clone(), &policy, run, |search| {
        search.playout_after(0);
        (search.playouts(), search.children())
    });
    let taught = noting.0.lock().unwrap().clone();
    assert_eq!((playouts, taught.len()), (51, 50));
    assert!(taught.iter().all(|(moves, _)| *moves == 4));
    let sum: f64 = taught.iter().map(|(_, reward)| reward).sum();
    let kept: f64 = children.iter().map(|child| child.mean * child.visits).sum();
    assert!((kept - sum).abs() < 1e-9);
}
