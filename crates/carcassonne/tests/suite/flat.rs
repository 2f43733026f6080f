//! Flat Monte Carlo: shares of the budget, and the values it converges to.

use crate::games;
use evouct_base::seed::{Key, search_rng};
use evouct_carcassonne::{PlayoutPolicy, Rules, State, TileDeck};
use evouct_search::game::{Game, Turn, Uniform};
use evouct_search::search::{Budget, Child, Flat, Reward, Shares, UcbForm, Uct};
use games::searches::meter;
use games::{Outcome, Tokens};
use std::collections::BTreeMap;

const UCB: Shares = Shares::Ucb(Uct { exploration: 0.5, form: UcbForm::Plain });

fn search(
    state: &State,
    shares: Shares,
    reward: Reward,
    iterations: u64,
) -> (Vec<Child<evouct_carcassonne::Move>>, usize) {
    let mut flat = Flat::new(state, reward, PlayoutPolicy::Joint, search_rng(&mut Key::experiment(2).stream()));
    let mut meter = meter(&Budget::iterations(iterations));
    let chosen = flat.search(shares, &mut meter);
    assert!(flat.playouts() <= iterations);
    (flat.children().to_vec(), chosen)
}

fn opening() -> State {
    let rules = Rules::official(2);
    let mut state = State::new(rules);
    TileDeck::shuffled(&rules, Key::experiment(4)).deal(&mut state).unwrap();
    state
}

#[test]
fn equal_shares_differ_by_one_at_most() {
    let state = opening();
    for iterations in [5, 100, 1_000] {
        let (children, chosen) = search(&state, Shares::Equal, Reward::Difference, iterations);
        let visits: Vec<f64> = children.iter().map(|child| child.visits).collect();
        let (least, most) = visits.iter().fold((f64::MAX, 0.0), |(a, b), v| (v.min(a), v.max(b)));
        assert!(most - least <= 1.0 && visits.iter().sum::<f64>() == iterations as f64);
        let tried = children.iter().filter(|child| child.visits > 0.0);
        let best = tried.map(|child| child.mean).fold(f64::NEG_INFINITY, f64::max);
        assert_eq!(children[chosen].mean, best);
    }
}

#[test]
fn a_split_search_gives_the_second_part_one_third() {
    let state = opening();
    let (children, chosen) = search(&state, Shares::Split, Reward::Difference, 900);
    let placement = |action| <State as Game>::first_part(action);
    let mut by_placement: BTreeMap<String, f64> = BTreeMap::new();
    for child in &children {
        *by_placement.entry(format!("{:?}", placement(child.action))).or_default() += child.visits;
    }
    let chosen_placement = format!("{:?}", placement(children[chosen].action));
    for (placement, visits) in by_placement {
        assert_eq!(visits, if placement == chosen_placement { 300.0 } else { 0.0 }, "{placement}");
    }
}

#[test]
fn ucb_prefers_actions_with_high_means() {
    let state = opening();
    let (children, chosen) = search(&state, UCB, Reward::Portion, 4_000);
    assert_eq!(children.iter().map(|child| child.visits).sum::<f64>(), 4_000.0);
    let even = 4_000.0 / children.len() as f64;
    assert!(children.iter().any(|child| child.visits > 1.5 * even));
    assert!(children.iter().all(|child| (0.0..=1.0).contains(&child.mean)));
    assert!(children[chosen].mean >= children.iter().map(|child| child.mean).fold(0.0, f64::max));
}

#[test]
fn means_converge_to_the_values_of_random_play() {
    // One token left, in hand, worth 3: keeping brings 3, betting 0.4·9.
    let mut state = Tokens::new(2, [0, 0, 0, 1, 0, 0]);
    state.stolen[0] = true;
    state.apply(Outcome::Token(3));
    // Points are not within 0 and 1: exploration must be on their scale.
    let ucb = Shares::Ucb(Uct { exploration: 30.0, form: UcbForm::Plain });
    for shares in [Shares::Equal, ucb] {
        let mut flat = Flat::new(&state, Reward::Difference, Uniform, search_rng(&mut Key::experiment(2).stream()));
        let mut meter = meter(&Budget::iterations(20_000));
        assert_eq!(flat.search(shares, &mut meter), 1);
        assert_eq!(flat.children()[0].mean, 3.0);
        assert!((flat.children()[1].mean - 3.6).abs() < 0.15, "{}", flat.children()[1].mean);
    }
}

#[test]
fn three_seats_maximise_their_own() {
    let mut state = Tokens { betting: false, ..Tokens::new(3, [0, 0, 0, 4, 0, 0]) };
    state.scores = [0, 9, 0, 0, 0, 0];
    state.apply(Outcome::Token(3));
    assert_eq!(state.turn(), Turn::Player(0));
    let mut flat = Flat::new(&state, Reward::Difference, Uniform, search_rng(&mut Key::experiment(2).stream()));
    let mut meter = meter(&Budget::iterations(3_000));
    // Stealing from the leader gains twice.
    let chosen = flat.search(Shares::Equal, &mut meter);
    assert_eq!(flat.children()[chosen].action, games::Action::Steal);
}
