//! *-minimax for two to six seats: paranoid and max^n beside brute force, with and without pruning, and by hand.

use crate::games;
use evouct_base::sampling::below;
use evouct_base::seed::Key;
use evouct_carcassonne::{CarcassonneHeuristic, EvaluationFunction, HeydenWeights, State};
use evouct_search::game::{Game, Heuristic, MAX_SEATS, Scores, Turn};
use evouct_search::search::{Bounds, ChanceSearch, Multiplayer, Probing, Reward, StarResult, StarSettings, Unprobed};
use games::searches::{positions, star, value};
use games::written::{AsWritten, Decide, Draw, Node, Over, Written};
use games::{Action, Tokens, has_ties, solve};

/// The lead over the best of the others, bets or what is listed first.
#[derive(Clone, Copy, Debug)]
struct Lead {
    bets_first: bool,
    /// Whether it tells that leads add up to 0 at most.
    tells_sum: bool,
}

impl Heuristic<Tokens> for Lead {
    fn value(&self, state: &Tokens, seat: usize) -> f64 {
        Reward::Difference.of(&state.scores, state.seats, 1.0)[seat]
    }

    fn rank(&self, _: &Tokens, action: Action) -> usize {
        usize::from(self.bets_first && action != Action::Bet)
    }

    fn most_in_total(&self, _: usize) -> Option<f64> {
        self.tells_sum.then_some(0.0)
    }
}

const LEAD: Lead = Lead { bets_first: false, tells_sum: true };

fn search<G: Game, H: Heuristic<G>>(
    state: &G,
    heuristic: &H,
    (chance, multiplayer): (ChanceSearch, Multiplayer),
    bounds: Bounds,
    depth: u32,
    deepening: bool,
) -> StarResult<G::Action> {
    star(state, heuristic, StarSettings { chance, multiplayer, bounds, prob_cut: None, depth, deepening })
}

/// Every way to search for two sides.
fn family() -> Vec<ChanceSearch> {
    let star2 = |factor, cyclic| ChanceSearch::Star2(Probing { factor, cyclic, unprobed: Unprobed::Bound });
    let probing = [1, 2, 3].into_iter().flat_map(|factor| [star2(factor, false), star2(factor, true)]);
    [ChanceSearch::Expectimax, ChanceSearch::Star1].into_iter().chain(probing).collect()
}

/// How the seats play, in the oracle.
#[derive(Clone, Copy, PartialEq)]
enum Play {
    EachForItself,
    AllAgainst(usize),
}

/// What `value` must be more than `best` by, to be chosen.
fn is_more(value: f64, best: f64) -> bool {
    value > best + 1e-9 * (1.0 + best.abs())
}

/// The value of each seat to this depth by brute force, and the action that is played: the first of equal ones.
fn brute<G: Game, H: Heuristic<G>>(state: &G, heuristic: &H, play: Play, depth: u32) -> ([f64; MAX_SEATS], usize) {
    let leaf = |state: &G| {
        let mut values = [0.0; MAX_SEATS];
        (0..state.seats()).for_each(|seat| values[seat] = heuristic.value(state, seat));
        values
    };
    match state.turn() {
        Turn::Terminal => (leaf(state), 0),
        Turn::Chance => {
            let (mut outcomes, mut values) = (Vec::new(), [0.0; MAX_SEATS]);
            state.live_outcomes(&mut outcomes);
            let total: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
            for (outcome, weight) in outcomes {
                let mut next = state.clone();
                next.apply(outcome);
                for (sum, part) in values.iter_mut().zip(brute(&next, heuristic, play, depth).0) {
                    *sum += part * f64::from(weight) / f64::from(total);
                }
            }
            (values, 0)
        }
        Turn::Player(_) => {
            let values = action_values(state, heuristic, play, depth);
            let best = chosen(state, heuristic, play, &values);
            (values[best], best)
        }
    }
}

/// The action that is played where actions have these values: the first of equal ones in the order of the search.
fn chosen<G: Game, H: Heuristic<G>>(state: &G, heuristic: &H, play: Play, values: &[[f64; MAX_SEATS]]) -> usize {
    let Turn::Player(seat) = state.turn() else { unreachable!() };
    let mut actions = Vec::new();
    state.actions(&mut actions);
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by_key(|index| heuristic.rank(state, actions[*index]));
    let worth = |index: usize| match play {
        Play::AllAgainst(one) if one != seat => -values[index][one],
        _ => values[index][seat],
    };
    order.into_iter().reduce(|best, index| if is_more(worth(index), worth(best)) { index } else { best }).unwrap()
}

/// The values of each action of a decision.
fn action_values<G: Game, H: Heuristic<G>>(state: &G, heuristic: &H, play: Play, depth: u32) -> Vec<[f64; MAX_SEATS]> {
    let mut actions = Vec::new();
    state.actions(&mut actions);
    let after = |action: &G::Action| {
        let mut next = state.clone();
        next.play(*action);
        if depth > 1 {
            return brute(&next, heuristic, play, depth - 1).0;
        }
        let mut values = [0.0; MAX_SEATS];
        (0..state.seats()).for_each(|seat| values[seat] = heuristic.value(&next, seat));
        values
    };
    actions.iter().map(after).collect()
}

/// The farthest that a seat is in front or behind here and in any position that may follow.
fn farthest(state: &Tokens) -> f64 {
    let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
    state.actions(&mut actions);
    state.outcomes(&mut outcomes);
    let after = |change: &dyn Fn(&mut Tokens)| {
        let mut next = state.clone();
        change(&mut next);
        farthest(&next)
    };
    let leads = Reward::Difference.of(&state.scores, state.seats, 1.0).into_iter().map(f64::abs);
    let after_actions = actions.iter().map(|action| after(&|next| next.play(*action)));
    let after_chance = outcomes.iter().map(|(outcome, _)| after(&|next| next.apply(*outcome)));
    leads.chain(after_actions).chain(after_chance).fold(0.0, f64::max)
}

/// Random positions of random small games for two to six seats, and the closest bounds of all leads below them.
fn token_games(count: u64) -> impl Iterator<Item = (Tokens, Bounds)> {
    (0..count).filter_map(|seed| {
        let mut rng = Key::experiment(seed).stream();
        let (seats, mut bag) = (2 + below(&mut rng, 5), [0; 6]);
        for _ in 0..2 + below(&mut rng, 3) {
            bag[below(&mut rng, 6)] += 1;
        }
        let mut state = Tokens { betting: below(&mut rng, 2) == 0, ..Tokens::new(seats, bag) };
        state.player = below(&mut rng, seats);
        for seat in 0..seats {
            state.scores[seat] = below(&mut rng, 6) as i32;
            state.stolen[seat] = below(&mut rng, 2) == 0;
        }
        while state.turn() == Turn::Chance {
            state.sample(&mut rng);
        }
        let most = farthest(&state);
        (state.turn() != Turn::Terminal).then_some((state, Bounds::Fixed { lower: -most, upper: most }))
    })
}

/// Asserts that a result has the values of brute force: exact ones, or upper bounds where it says so.
fn agrees<Action>(result: &StarResult<Action>, values: &[[f64; MAX_SEATS]], seat: usize, what: &str) {
    let exact = values[result.best][seat];
    assert!((value(result) - exact).abs() < 1e-9, "{what}: {} for {exact}", value(result));
    for (child, values) in result.children.iter().zip(values) {
        let (mean, exact) = (child.mean, values[seat]);
        let holds = if child.upper_bound { mean >= exact - 1e-8 } else { (mean - exact).abs() < 1e-9 };
        assert!(holds, "{what}: {mean} of {exact}");
    }
}

#[test]
fn max_n_agrees_with_brute_force_for_two_to_six_seats() {
    let (mut searched, mut by_seats) = (0, [0; MAX_SEATS + 1]);
    // Expectimax, Star1 without the sum of values, Star1 with it.
    let mut nodes = [0; 3];
    for (number, (state, bounds)) in token_games(300).enumerate() {
        by_seats[state.seats] += 1;
        for depth in [1, 2, 3, 50] {
            let heuristic = |tells_sum| Lead { bets_first: number % 2 == 0, tells_sum };
            let values = action_values(&state, &heuristic(true), Play::EachForItself, depth);
            let best = chosen(&state, &heuristic(true), Play::EachForItself, &values);
            let ways = [
                (ChanceSearch::Expectimax, heuristic(true), bounds),
                (ChanceSearch::Star1, heuristic(false), bounds),
                (ChanceSearch::Star1, heuristic(true), bounds),
                (ChanceSearch::Star1, heuristic(true), Bounds::Dynamic { margin: 80.0 }),
            ];
            for (way, (chance, heuristic, bounds)) in ways.into_iter().enumerate() {
                let found = search(&state, &heuristic, (chance, Multiplayer::MaxN), bounds, depth, false);
                let what = format!("{chance:?} {heuristic:?} {depth} {state:?}");
                assert_eq!((found.best, found.depth), (best, depth), "{what}");
                agrees(&found, &values, state.player, &what);
                if let Some(nodes) = nodes.get_mut(way) {
                    *nodes += found.nodes;
                }
                if depth <= 3 {
                    let deepened = search(&state, &heuristic, (chance, Multiplayer::MaxN), bounds, depth, true);
                    assert!((value(&deepened) - value(&found)).abs() < 1e-9, "{what}");
                }
                searched += 1;
            }
        }
    }
    assert!(by_seats[2..].iter().all(|count| *count > 20), "{by_seats:?}");
    assert!(nodes[2] < nodes[1] && nodes[1] < nodes[0], "{nodes:?} of {searched}");
}

/// Without ties perfect play is unique, and the oracle of the other searches has it, too.
#[test]
fn max_n_to_the_end_of_a_game_without_ties_is_perfect_play() {
    let reward = |scores: &Scores, seats| Reward::Difference.of(scores, seats, 1.0);
    let mut checked = [0; MAX_SEATS + 1];
    for (state, bounds) in token_games(500) {
        let reward = |scores: &Scores| reward(scores, state.seats);
        if has_ties(&state, &reward) {
            continue;
        }
        let expected = solve(&state, &reward, None)[state.player];
        for chance in [ChanceSearch::Expectimax, ChanceSearch::Star1] {
            let found = search(&state, &LEAD, (chance, Multiplayer::MaxN), bounds, 50, false);
            assert!((value(&found) - expected).abs() < 1e-9, "{chance:?} {state:?}");
        }
        checked[state.seats] += 1;
    }
    assert!(checked[2..].iter().all(|count| *count > 2), "{checked:?}");
}

#[test]
fn paranoid_agrees_with_brute_force_for_two_to_six_seats() {
    let (mut nodes, mut differ) = (vec![0; family().len()], 0);
    for (state, bounds) in token_games(100) {
        for depth in [1, 2, 3, 50] {
            let play = Play::AllAgainst(state.player);
            let values = action_values(&state, &LEAD, play, depth);
            let best = values[chosen(&state, &LEAD, play, &values)][state.player];
            for (chance, nodes) in family().into_iter().zip(&mut nodes) {
                for (bounds, deepening) in [(bounds, false), (bounds, true), (Bounds::Dynamic { margin: 80.0 }, false)]
                {
                    let found = search(&state, &LEAD, (chance, Multiplayer::Paranoid), bounds, depth, deepening);
                    let what = format!("{chance:?} {bounds:?} {depth} {deepening} {state:?}");
                    assert!((value(&found) - best).abs() < 1e-9, "{what}");
                    agrees(&found, &values, state.player, &what);
                    *nodes += found.nodes;
                }
            }
            let each = brute(&state, &LEAD, Play::EachForItself, depth).0[state.player];
            differ += u32::from((each - best).abs() > 1e-6);
        }
    }
    assert!(nodes[1] < nodes[0], "{nodes:?}");
    assert!(differ > 5, "{differ}: the two are not the same");
}

/// With two seats and leads, each for itself is the other against one.
#[test]
fn with_two_seats_max_n_and_paranoid_are_the_same() {
    for (state, bounds) in token_games(400).filter(|(state, _)| state.seats == 2) {
        for depth in [2, 3, 50] {
            for chance in [ChanceSearch::Expectimax, ChanceSearch::Star1] {
                let [a, b] = [Multiplayer::MaxN, Multiplayer::Paranoid]
                    .map(|multiplayer| search(&state, &LEAD, (chance, multiplayer), bounds, depth, false));
                assert!((value(&a) - value(&b)).abs() < 1e-9);
                if chance == ChanceSearch::Expectimax {
                    assert_eq!(a.nodes, b.nodes);
                }
            }
        }
    }
}

/// The written values are 0 to 10, at most 10 together, as in Korf (1991).
const TEN: Bounds = Bounds::Fixed { lower: 0.0, upper: 10.0 };

fn written(root: &'static Node<3>, chance: ChanceSearch, last_first: bool, depth: u32) -> (usize, f64, u64) {
    let values = AsWritten { last_first, most_in_total: Some(10.0) };
    let found = search(&Written(root), &values, (chance, Multiplayer::MaxN), TEN, depth, false);
    (found.best, value(&found), found.nodes)
}

#[test]
fn shallow_pruning_is_where_it_is_by_hand() {
    // The root has 7 for sure. Seat 1's first reply is worth 3 to it, so that 7 are left to the root at most: the second
    // reply is not looked at.
    const DIRECT: Node<3> = Decide(0, &[Over([7, 2, 1]), Decide(1, &[Over([6, 3, 1]), Over([2, 4, 4])])]);
    assert_eq!(written(&DIRECT, ChanceSearch::Expectimax, false, 2), (0, 7.0, 4));
    assert_eq!(written(&DIRECT, ChanceSearch::Star1, false, 2), (0, 7.0, 3));
    // Below even chance the first successor must be worth more than (7 - 10/2) / (1/2) = 4. Its first reply, 6 to seat
    // 1, leaves just that: neither its second reply nor the second successor is looked at.
    const CHANCE: Node<3> = Decide(
        0,
        &[
            Over([7, 2, 1]),
            Draw(&[(1, Decide(1, &[Over([4, 6, 0]), Over([3, 7, 0])])), (1, Decide(1, &[Over([9, 1, 0])]))]),
        ],
    );
    assert_eq!(written(&CHANCE, ChanceSearch::Expectimax, false, 2), (0, 7.0, 7));
    assert_eq!(written(&CHANCE, ChanceSearch::Star1, false, 2), (0, 7.0, 4));
    // Ten is all there is: seat 1 looks no further (immediate pruning).
    const ALL: Node<3> = Decide(0, &[Decide(1, &[Over([0, 10, 0]), Over([1, 9, 0])]), Over([0, 0, 0])]);
    assert_eq!(written(&ALL, ChanceSearch::Expectimax, false, 2), (0, 0.0, 4));
    assert_eq!(written(&ALL, ChanceSearch::Star1, false, 2), (0, 0.0, 3));
}

/// Korf's example of why deep pruning is not sound: what seat 2 has below cannot be worth more to the root than its
/// bound, but it decides what seat 1 plays.
#[test]
fn what_the_root_has_does_not_prune_two_decisions_below() {
    const DEEP: Node<3> = Decide(
        0,
        &[
            Over([5, 3, 2]),
            Decide(
                1,
                &[Decide(2, &[Over([1, 3, 6]), Over([0, 1, 7])]), Decide(2, &[Over([8, 2, 0]), Over([7, 2, 0])])],
            ),
        ],
    );
    // Seat 2's 6 leaves 4 to the root, less than its 5; but its 7 leaves 1 to seat 1, which then plays the second
    // action, worth 8 to the root.
    for chance in [ChanceSearch::Expectimax, ChanceSearch::Star1] {
        let (best, value, _) = written(&DEEP, chance, false, 3);
        assert_eq!((best, value), (1, 8.0), "{chance:?}");
    }
}

#[test]
fn of_equal_actions_the_first_in_order_is_played() {
    const TIE: Node<3> = Decide(0, &[Decide(1, &[Over([1, 5, 0]), Over([4, 5, 0])]), Over([2, 0, 0])]);
    for chance in [ChanceSearch::Expectimax, ChanceSearch::Star1] {
        assert_eq!(written(&TIE, chance, false, 2).0, 1, "{chance:?}: seat 1 leaves 1 to the root");
        assert_eq!(written(&TIE, chance, true, 2).0, 0, "{chance:?}: seat 1 leaves 4 to the root");
    }
    // Ten times a tenth is rounded to a little less than 1. It is a tie all the same.
    const TENTHS: Node<3> = Decide(
        0,
        &[
            Decide(
                1,
                &[
                    Draw(&[
                        (1, Over([4, 1, 0])),
                        (1, Over([4, 1, 0])),
                        (1, Over([4, 1, 0])),
                        (1, Over([4, 1, 0])),
                        (1, Over([4, 1, 0])),
                        (1, Over([4, 1, 0])),
                        (1, Over([4, 1, 0])),
                        (1, Over([4, 1, 0])),
                        (1, Over([4, 1, 0])),
                        (1, Over([4, 1, 0])),
                    ]),
                    Over([1, 1, 0]),
                ],
            ),
            Over([2, 0, 0]),
        ],
    );
    assert!((0..10).map(|_| 0.1).sum::<f64>() < 1.0);
    for chance in [ChanceSearch::Expectimax, ChanceSearch::Star1] {
        assert_eq!(written(&TENTHS, chance, false, 3).0, 0, "{chance:?}");
    }
}

#[test]
fn endgames_of_carcassonne_with_three_to_five_seats_agree_with_brute_force() {
    let heyden = EvaluationFunction::Heyden(HeydenWeights::default());
    let mut checked = 0;
    for seats in 3..=5 {
        for state in positions(seats, 2, 2) {
            for (evaluation, scale) in [(EvaluationFunction::Difference, 1.0), (heyden, 100.0)] {
                let judgement = CarcassonneHeuristic { evaluation, ..CarcassonneHeuristic::default() };
                let bounds = Bounds::Fixed { lower: -400.0 * scale, upper: 400.0 * scale };
                let Turn::Player(mover) = state.turn() else { unreachable!() };
                let (expected, best) = brute(&state, &judgement, Play::EachForItself, 2);
                for chance in [ChanceSearch::Expectimax, ChanceSearch::Star1] {
                    let found = search(&state, &judgement, (chance, Multiplayer::MaxN), bounds, 2, false);
                    assert!((value(&found) - expected[mover]).abs() < 1e-6, "{chance:?} {seats}");
                    assert_eq!(found.best, best, "{chance:?} {seats}");
                    checked += 1;
                }
                let expected = brute(&state, &judgement, Play::AllAgainst(mover), 2).0[mover];
                for chance in family() {
                    let found = search(&state, &judgement, (chance, Multiplayer::Paranoid), bounds, 2, false);
                    assert!((value(&found) - expected).abs() < 1e-6, "{chance:?} {seats}");
                    checked += 1;
                }
            }
        }
    }
    assert!(checked >= 100, "{checked}");
}

#[test]
fn the_values_of_a_move_are_those_of_the_position_after_it_and_add_up_to_no_more_than_0() {
    let heyden = EvaluationFunction::Heyden(HeydenWeights::default());
    let mut checked = 0;
    for seats in 2..=5 {
        for left in [60, 30, 5] {
            for state in positions(seats, left, 2) {
                for action in state.legal_moves() {
                    let (mut after, mut scratch) = (state.clone(), state.clone());
                    after.play(action).unwrap();
                    // The difference comes last: what it leaves in `scratch` is no position.
                    for evaluation in [heyden, EvaluationFunction::Difference] {
                        let judgement = CarcassonneHeuristic { evaluation, ..CarcassonneHeuristic::default() };
                        let mut values = vec![f64::NAN; usize::from(seats)];
                        judgement.values_after(&state, action, &mut scratch, &mut values);
                        let each = (0..usize::from(seats)).map(|seat| judgement.value(&after, seat));
                        assert_eq!(values, each.collect::<Vec<_>>());
                        let most = Heuristic::<State>::most_in_total(&judgement, usize::from(seats)).unwrap();
                        assert!(values.iter().sum::<f64>() <= most + 1e-9, "{values:?}");
                        checked += 1;
                    }
                }
            }
        }
    }
    assert!(checked > 1_000, "{checked}");
    let odd = EvaluationFunction::Heyden(HeydenWeights { poor_field: 40.0, ..HeydenWeights::default() });
    let judgement = CarcassonneHeuristic { evaluation: odd, ..CarcassonneHeuristic::default() };
    assert_eq!(Heuristic::<State>::most_in_total(&judgement, 3), None);
}
