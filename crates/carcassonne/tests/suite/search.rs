//! Monte Carlo Tree Search against brute force on a tiny stochastic game, and its bookkeeping.

use crate::games;
use evouct_base::sampling::below;
use evouct_base::seed::{Key, search_rng};
use evouct_carcassonne::{PlayoutPolicy, Rules, State, TileDeck};
use evouct_gp::{ConstantSet, LnRule, Program};
use evouct_search::game::{Deck as _, Game, Turn, Uniform, check_game};
use evouct_search::search::{
    Budget, Chance, Child, Descent, FinalMove, FormulaPolicy, Opponent, ParentVisits, Reward, RootRule, Search,
    SearchSettings, TreePolicy, UcbForm, Uct, Workspace,
};
use games::searches::{meter, searched};
use games::written::{Decide, Draw, Node, Over, Written};
use games::{Action, Tokens, action_values, has_ties};

fn uct(exploration: f64) -> TreePolicy {
    TreePolicy::Uct(Uct { exploration, form: UcbForm::Doubled })
}

/// Runs a whole search and returns the children of the root and the action chosen.
fn search(
    state: &Tokens,
    deck: Option<&<Tokens as Game>::Deck>,
    settings: &SearchSettings,
    policy: &TreePolicy,
    iterations: u64,
    seed: u64,
) -> (Vec<Child<Action>>, Action) {
    let mut work = Workspace::default();
    let rng = search_rng(&mut Key::experiment(seed).stream());
    let mut search = Search::new(&mut work, state, deck, settings, Uniform, rng);
    let mut meter = meter(&Budget::iterations(iterations));
    for tree in 1..=search.tree_count() {
        if tree > 1 {
            search.begin_tree();
        }
        search.run(policy, &mut meter, tree, false);
    }
    assert_eq!(search.playouts(), iterations);
    assert_eq!(search.check(), Ok(()));
    let chosen = search.decide(policy);
    let children = search.children();
    let action = children[chosen].action;
    (children, action)
}

/// Positions some plies into random games, a seat to play.
fn positions(seats: usize, bag: [u8; 6], count: u64) -> Vec<Tokens> {
    (0..count)
        .map(|seed| {
            let mut rng = Key::experiment(seed).stream();
            let mut state = Tokens::new(seats, bag);
            let plies = below(&mut rng, 3);
            let mut played = 0;
            loop {
                match state.turn() {
                    Turn::Player(_) if played == plies => return state,
                    Turn::Player(_) => {
                        let mut actions = Vec::new();
                        state.actions(&mut actions);
                        state.play(actions[below(&mut rng, actions.len())]);
                        played += 1;
                    }
                    _ => {
                        state.sample(&mut rng);
                    }
                }
            }
        })
        .collect()
}

/// The search must choose an action whose true value is within `slack` of the best, and know its value to within
/// `error`.
fn check_against_brute_force(settings: &SearchSettings, policy: &TreePolicy, seats: usize, slack: f64, error: f64) {
    let reward = |scores: &_| settings.reward.of(scores, seats, 1.0);
    // For more than two seats the values are unique only where no seat is indifferent.
    let bag = if seats == 2 { [1, 2, 1, 1, 0, 1] } else { [1, 1, 1, 0, 0, 2] };
    let positions = positions(seats, bag, if seats == 2 { 25 } else { 120 });
    let positions: Vec<Tokens> =
        positions.into_iter().filter(|state| seats == 2 || !has_ties(state, &reward)).collect();
    assert!(positions.len() >= 10, "{} positions", positions.len());
    for (seed, state) in positions.into_iter().enumerate() {
        let deck = <Tokens as Game>::Deck::shuffled(&state, &mut Key::experiment(seed as u64).stream());
        let known = (settings.chance == Chance::Peek).then_some(&deck);
        let values = action_values(&state, &reward, known);
        let seat = state.player;
        let best = values.iter().map(|(_, value)| value[seat]).fold(f64::NEG_INFINITY, f64::max);
        let (children, action) = search(&state, known, settings, policy, 60_000, seed as u64);
        let chosen = values.iter().find(|(other, _)| *other == action).unwrap().1[seat];
        assert!(chosen >= best - slack, "{state:?}: {action:?} is worth {chosen}, the best {best}: {values:?}");
        let mean = children.iter().find(|child| child.action == action).unwrap().mean;
        assert!((mean - chosen).abs() < error, "{state:?}: {action:?} has mean {mean}, is worth {chosen}");
    }
}

#[test]
fn sampled_chance_finds_the_values_of_brute_force() {
    check_against_brute_force(&SearchSettings::default(), &uct(4.0), 2, 0.1, 0.5);
}

#[test]
fn every_seat_of_three_maximises_its_own_reward() {
    check_against_brute_force(&SearchSettings::default(), &uct(4.0), 3, 0.25, 0.7);
    let to_all = SearchSettings { reward: Reward::DifferenceToAll, ..SearchSettings::default() };
    check_against_brute_force(&to_all, &uct(8.0), 3, 0.5, 1.4);
}

#[test]
fn win_or_loss_as_reward() {
    let settings = SearchSettings { reward: Reward::Win, ..SearchSettings::default() };
    check_against_brute_force(&settings, &uct(0.3), 2, 0.06, 0.15);
}

#[test]
fn visits_over_all_outcomes_and_most_visits_as_final_move() {
    let settings = SearchSettings {
        parent_visits: ParentVisits::AllOutcomes,
        final_move: FinalMove::Visits,
        ..SearchSettings::default()
    };
    let plain = TreePolicy::Uct(Uct { exploration: 12.0, form: UcbForm::Plain });
    check_against_brute_force(&settings, &plain, 2, 0.25, 0.7);
}

#[test]
fn a_search_that_peeks_solves_the_game_of_its_deck() {
    let settings = SearchSettings { chance: Chance::Peek, ..SearchSettings::default() };
    check_against_brute_force(&settings, &uct(4.0), 2, 0.1, 0.6);
}

#[test]
fn open_loop_search_is_exact_where_what_is_drawn_does_not_matter() {
    let settings = SearchSettings { chance: Chance::OpenLoop, ..SearchSettings::default() };
    // Without blanks, and with blanks between the decisions: the same node follows an action, however often is drawn.
    for bag in [[0, 0, 0, 5, 0, 0], [4, 0, 0, 5, 0, 0]] {
        open_loop_is_exact(&settings, bag);
    }
}

fn open_loop_is_exact(settings: &SearchSettings, bag: [u8; 6]) {
    let mut state = Tokens { betting: false, ..Tokens::new(2, bag) };
    state.apply(games::Outcome::Token(3));
    let values = action_values(&state, &|scores| settings.reward.of(scores, 2, 1.0), None);
    let (children, action) = search(&state, None, settings, &uct(4.0), 60_000, 1);
    let best = values.iter().max_by(|a, b| a.1[0].total_cmp(&b.1[0])).unwrap();
    assert_eq!(action, best.0);
    let mean = children.iter().find(|child| child.action == action).unwrap().mean;
    assert!((mean - best.1[0]).abs() < 0.5, "{mean}, {values:?}");
}

#[test]
fn open_loop_and_determinised_search_play_well_enough() {
    // Neither converges to the value of the game: one mixes what was drawn, the other knows the future of each tree.
    for chance in [Chance::OpenLoop, Chance::Determinised { decks: 60 }] {
        let settings = SearchSettings { chance, ..SearchSettings::default() };
        check_against_brute_force(&settings, &uct(4.0), 2, 2.0, f64::INFINITY);
    }
}

#[test]
fn a_formula_that_is_uct_searches_exactly_like_uct() {
    let program = Program::new(evouct_gp::Tree::uct(), LnRule::Abs);
    let formula =
        TreePolicy::Formula(FormulaPolicy { program, constant: Some(0.75), constants: ConstantSet::default() });
    for opponent in [Opponent::NegateQ, Opponent::NegateF] {
        let settings = SearchSettings { opponent, ..SearchSettings::default() };
        for (seed, state) in positions(2, [1, 2, 1, 1, 0, 1], 5).into_iter().enumerate() {
            let [a, b] =
                [&formula, &uct(0.75)].map(|policy| search(&state, None, &settings, policy, 2_000, seed as u64));
            // Where opponents minimise f of the searcher's mean, the bonus has the wrong sign for them.
            assert_eq!(a == b, opponent == Opponent::NegateQ, "{opponent:?}");
        }
    }
}

#[test]
fn visits_add_up_and_every_action_is_tried_first() {
    let state = &positions(2, [1, 2, 1, 1, 0, 1], 1)[0];
    for (root_playout, tried) in [(false, 3), (true, 2)] {
        let settings = SearchSettings { root_playout, ..SearchSettings::default() };
        let (children, _) = search(state, None, &settings, &uct(1.0), 3, 1);
        assert_eq!(children.iter().map(|child| child.visits).sum::<f64>(), f64::from(tried));
        assert!(children.iter().all(|child| child.visits <= 1.0));
        let (children, _) = search(state, None, &settings, &uct(1.0), 500, 1);
        assert_eq!(children.iter().map(|child| child.visits).sum::<f64>(), 497.0 + f64::from(tried));
    }
    let settings = SearchSettings { chance: Chance::Determinised { decks: 7 }, ..SearchSettings::default() };
    let (children, _) = search(state, None, &settings, &uct(1.0), 100, 1);
    assert_eq!(children.iter().map(|child| child.visits).sum::<f64>(), 100.0);
}

#[test]
fn sequential_halving_shares_the_budget_of_the_root() {
    let settings = SearchSettings { root: RootRule::SequentialHalving, ..SearchSettings::default() };
    let mut seen = 0;
    for (seed, state) in (0..).zip(positions(2, [2, 2, 2, 2, 1, 1], 30)) {
        let mut actions = Vec::new();
        state.actions(&mut actions);
        if actions.len() < 3 {
            continue;
        }
        // Exploration is not asked at the root: 0 would leave the shares to chance.
        let (children, chosen) = search(&state, None, &settings, &uct(0.0), 960, seed);
        let mut visits: Vec<f64> = children.iter().map(|child| child.visits).collect();
        visits.sort_by(f64::total_cmp);
        let rounds = f64::from(actions.len().next_power_of_two().ilog2());
        assert_eq!(visits.iter().sum::<f64>(), 960.0);
        // Each action has its share of the first round, and the two of the last round have all that it gives.
        let first = 960.0 / rounds / actions.len() as f64;
        assert!(visits[0] >= first.floor() && visits[0] <= first.ceil(), "{visits:?}");
        assert!(visits[visits.len() - 2] >= first.floor() + 960.0 / rounds / 2.0 - 1.0, "{visits:?}");
        let of = |wanted: &Child<Action>| wanted.action == chosen;
        assert!(children.iter().find(|child| of(child)).unwrap().visits >= visits[visits.len() - 2], "{visits:?}");
        seen += 1;
    }
    assert!(seen > 5, "{seen} positions have three actions");
}

#[test]
fn playouts_without_update_leave_the_tree_unchanged() {
    let state = &positions(2, [1, 2, 1, 1, 0, 1], 1)[0];
    let settings = SearchSettings::default();
    let mut work = Workspace::default();
    let mut search =
        Search::new(&mut work, state, None, &settings, Uniform, search_rng(&mut Key::experiment(1).stream()));
    let mut meter = meter(&Budget::iterations(50));
    search.run(&uct(1.0), &mut meter, 1, true);
    assert!(search.is_root_expanded());
    assert_eq!(meter.spent(), 3);
    let before = search.children();
    for root_only in [false, true] {
        let frozen = Descent { expand: false, update: false, root_only };
        (0..20).for_each(|_| assert!(search.simulate(&uct(1.0), frozen).is_finite()));
    }
    let edge = search.select_root(&uct(1.0));
    (0..20).for_each(|_| assert!(search.playout_after(edge).is_finite()));
    assert_eq!(search.children(), before);

    search.save_tree();
    let update = Descent { expand: false, update: true, root_only: false };
    (0..20).for_each(|_| assert!(search.simulate(&uct(1.0), update).is_finite()));
    assert_eq!(search.children().iter().map(|child| child.visits).sum::<f64>(), 23.0);
    search.restore_tree();
    assert_eq!(search.children(), before);
}

#[test]
fn equal_seeds_give_equal_searches() {
    let rules = Rules::official(2);
    let mut state = State::new(rules);
    let mut deck = TileDeck::shuffled(&rules, Key::experiment(4));
    deck.deal(&mut state).unwrap();
    let chances = [Chance::Sampled, Chance::Peek, Chance::OpenLoop, Chance::Determinised { decks: 3 }];
    for chance in chances {
        let settings = SearchSettings { chance, ..SearchSettings::default() };
        let run = |seed: u64, work: &mut Workspace<State>| {
            let rng = search_rng(&mut Key::experiment(seed).stream());
            let mut search = Search::new(work, &state, Some(&deck), &settings, PlayoutPolicy::Joint, rng);
            let mut meter = meter(&Budget::iterations(300));
            search.run(&uct(1.0), &mut meter, 1, false);
            search.children()
        };
        // In fresh memory and in memory that another search has used.
        let (mut fresh, mut used) = (Workspace::default(), Workspace::default());
        run(9, &mut used);
        assert_eq!(run(1, &mut fresh), run(1, &mut used), "{chance:?}");
        assert_ne!(run(1, &mut fresh), run(2, &mut fresh), "{chance:?}");
    }
}

/// Seat 0 moves; then a coin decides which seat chooses whether seat 0 gets a point.
const COIN_CHOOSES: Node<2> = {
    const POINT: &[Node<2>] = &[Over([0, 0]), Over([1, 0])];
    const COIN: Node<2> = Draw(&[(1, Decide(0, POINT)), (1, Decide(1, POINT))]);
    Decide(0, &[COIN, COIN])
};

/// In an open-loop tree a node follows an edge for each seat that may be to play, not for the first one only.
#[test]
fn each_seat_that_chance_selects_has_a_node_of_its_own() {
    check_game(|| Written(&COIN_CHOOSES), Key::experiment(5), 20).unwrap();
    for chance in [Chance::OpenLoop, Chance::Sampled] {
        let settings = SearchSettings { chance, ..SearchSettings::default() };
        let (root, policy, run) =
            (Written(&COIN_CHOOSES), TreePolicy::Uct(Uct::default()), (4_000, Key::experiment(6)));
        for child in searched(&root, None, &settings, Uniform, &policy, run, |search| search.children()) {
            // Seat 0 takes the point, seat 1 does not give it.
            assert!((child.mean - 0.5).abs() < 0.1, "{chance:?}: {}", child.mean);
        }
    }
}
