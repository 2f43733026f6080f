//! Expectimax and *-minimax: the same values as brute force and as one another, with and without pruning.

use crate::games;
use evouct_base::named::Named;
use evouct_base::sampling::below;
use evouct_base::seed::Key;
use evouct_carcassonne::{
    CarcassonneHeuristic, EvaluationFunction, HeydenWeights, MoveOrder, Rules, State, Unplaceable,
};
use evouct_search::game::{Game, Heuristic, Turn};
use evouct_search::search::{
    Bounds, Budget, ChanceSearch, Multiplayer, Probing, Reward, Star, StarResult, StarSettings, Unprobed,
};
use games::searches::{meter, positions, star, value};
use games::written::{AsWritten, Decide, Draw, Over, Written};
use games::{Action, Tokens, action_values};

/// The score difference, actions in the order of the game.
#[derive(Debug)]
struct Difference;

impl Heuristic<Tokens> for Difference {
    fn value(&self, state: &Tokens, seat: usize) -> f64 {
        f64::from(state.scores[seat] - state.scores[1 - seat])
    }

    fn rank(&self, _: &Tokens, _: Action) -> usize {
        0
    }
}

fn star2(factor: usize, cyclic: bool) -> ChanceSearch {
    ChanceSearch::Star2(Probing { factor, cyclic, unprobed: Unprobed::Bound })
}

fn family() -> Vec<ChanceSearch> {
    let mut family = vec![ChanceSearch::Expectimax, ChanceSearch::Star1];
    for factor in [1, 2, 3, 5, 100] {
        family.extend([star2(factor, false), star2(factor, true)]);
    }
    family
}

fn search<G: Game, H: Heuristic<G>>(
    state: &G,
    heuristic: &H,
    chance: ChanceSearch,
    bounds: Bounds,
    depth: u32,
    deepening: bool,
) -> StarResult<G::Action> {
    let multiplayer = Multiplayer::default();
    star(state, heuristic, StarSettings { chance, multiplayer, bounds, prob_cut: None, depth, deepening })
}

const WIDE: Bounds = Bounds::Fixed { lower: -60.0, upper: 60.0 };

/// Random positions of random small games: bags of few tokens, some plies played.
fn token_games(count: u64) -> impl Iterator<Item = Tokens> {
    (0..count).filter_map(|seed| {
        let mut rng = Key::experiment(seed).stream();
        let mut bag = [0; 6];
        for _ in 0..2 + below(&mut rng, 3) {
            bag[below(&mut rng, 6)] += 1;
        }
        let mut state = Tokens { betting: below(&mut rng, 2) == 0, ..Tokens::new(2, bag) };
        for seat in 0..2 {
            state.scores[seat] = below(&mut rng, 6) as i32;
            state.stolen[seat] = below(&mut rng, 2) == 0;
        }
        while state.turn() == Turn::Chance {
            state.sample(&mut rng);
        }
        (state.turn() != Turn::Terminal).then_some(state)
    })
}

#[test]
fn to_the_end_of_the_game_all_agree_with_brute_force() {
    let (mut games, mut bounds) = (0, 0);
    let mut nodes = vec![0; family().len()];
    for state in token_games(3_000) {
        games += 1;
        let values = action_values(&state, &|scores| Reward::Difference.of(scores, 2, 1.0), None);
        let best = values.iter().map(|(_, value)| value[state.player]).fold(f64::NEG_INFINITY, f64::max);
        for (chance, nodes) in family().into_iter().zip(&mut nodes) {
            let result = search(&state, &Difference, chance, WIDE, 50, false);
            assert!((value(&result) - best).abs() < 1e-9, "{chance:?}: {} for {best}, {state:?}", value(&result));
            for (child, (_, value)) in result.children.iter().zip(&values) {
                let (mean, value) = (child.mean, value[state.player]);
                let holds = if child.upper_bound { mean >= value - 1e-9 } else { (mean - value).abs() < 1e-9 };
                assert!(holds, "{chance:?}: {child:?} of {value}, {state:?}");
                bounds += u32::from(child.upper_bound);
            }
            let chosen = values[result.best].1[state.player];
            assert!((chosen - best).abs() < 1e-9, "{chance:?} chose {chosen} for {best}, {state:?}");
            *nodes += result.nodes;
        }
    }
    assert!(games > 2_000, "{games}");
    assert!(nodes[1] < nodes[0] && bounds > games, "Star1 prunes: {nodes:?}, {bounds}");
}

#[test]
fn at_every_depth_and_deepening_all_agree() {
    for state in token_games(400) {
        for depth in 1..=4 {
            let full = search(&state, &Difference, ChanceSearch::Expectimax, WIDE, depth, false);
            let exact = value(&full);
            for chance in family() {
                for (bounds, deepening) in [(WIDE, false), (WIDE, true), (Bounds::Dynamic { margin: 40.0 }, false)] {
                    let result = search(&state, &Difference, chance, bounds, depth, deepening);
                    assert!((value(&result) - exact).abs() < 1e-9, "{chance:?} {bounds:?} {depth} {state:?}");
                    assert!((full.children[result.best].mean - exact).abs() < 1e-9, "{chance:?} {depth} {state:?}");
                    assert_eq!(result.depth, depth);
                }
            }
        }
    }
}

#[test]
fn bounds_that_are_too_narrow_change_the_result() {
    // As Heyden found: for a player far behind every move is at the lower bound, and the first is played.
    let (mut resigned, mut games) = (0, 0);
    for mut state in token_games(400) {
        state.scores[state.player] -= 50;
        state.scores[1 - state.player] += 50;
        let narrow = Bounds::Fixed { lower: -20.0, upper: 20.0 };
        let result = search(&state, &Difference, ChanceSearch::Star1, narrow, 50, false);
        let exact = search(&state, &Difference, ChanceSearch::Expectimax, narrow, 50, false);
        if exact.nodes > 30 {
            games += 1;
            assert!(value(&exact) < -50.0);
            resigned += u32::from((value(&result) - value(&exact)).abs() > 1e-9);
        }
        let dynamic = Bounds::Dynamic { margin: 40.0 };
        let mended = search(&state, &Difference, ChanceSearch::Star1, dynamic, 50, false);
        assert!((value(&mended) - value(&exact)).abs() < 1e-9);
    }
    assert!(games > 100 && resigned > games / 2, "{resigned} of {games}");
}

#[test]
fn on_endgames_of_carcassonne_all_agree_to_the_last_tile() {
    let bounds = Bounds::Fixed { lower: -400.0, upper: 400.0 };
    let heyden = EvaluationFunction::Heyden(HeydenWeights::default());
    let mut checked = 0;
    for state in positions(2, 1, 12) {
        for (evaluation, scale) in [(EvaluationFunction::Difference, 1.0), (heyden, 100.0)] {
            for order in [MoveOrder::None, MoveOrder::MeepleFirst, MoveOrder::ByFeature] {
                let judgement = CarcassonneHeuristic { evaluation, order };
                let bounds = Bounds::Fixed { lower: -400.0 * scale, upper: 400.0 * scale };
                let exact = search(&state, &judgement, ChanceSearch::Expectimax, bounds, 2, false);
                let best = value(&exact);
                for chance in family() {
                    let result = search(&state, &judgement, chance, bounds, 2, false);
                    assert!((value(&result) - best).abs() < 1e-6, "{chance:?} {order:?}: {} {best}", value(&result));
                    assert!(
                        (exact.children[result.best].mean - best).abs() < 1e-6,
                        "{chance:?} {order:?}: another move"
                    );
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 500, "{checked}");
    // With two tiles to come the chance nodes have two successors.
    let judgement = CarcassonneHeuristic::default();
    for state in positions(2, 2, 4) {
        let exact = search(&state, &judgement, ChanceSearch::Expectimax, bounds, 2, false);
        for chance in family() {
            let result = search(&state, &judgement, chance, bounds, 2, false);
            assert!((value(&result) - value(&exact)).abs() < 1e-9);
            assert!(result.nodes <= exact.nodes * 2, "{chance:?}");
        }
    }
}

/// Heyden's comparison (2009, figure 6.5): in total over fifty positions, at depth 2 with order 2.
#[test]
fn over_fifty_positions_star2_visits_fewer_nodes_than_star1_and_star1_than_expectimax() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../bench/src/heyden-states.jsonl");
    let text = std::fs::read_to_string(file).unwrap();
    let states: Vec<State> = text
        .lines()
        .map(|line| serde_json::from_str::<evouct_carcassonne::ImportedGame>(line).unwrap().position().unwrap())
        .collect();
    assert_eq!(states.len(), 50);
    let judgement = CarcassonneHeuristic::default();
    let bounds = Bounds::Fixed { lower: -100.0, upper: 100.0 };
    let mut nodes = [0; 4];
    for state in &states {
        let searched = [ChanceSearch::Expectimax, ChanceSearch::Star1, star2(1, false), star2(5, false)]
            .map(|chance| search(state, &judgement, chance, bounds, 2, false));
        for (nodes, found) in nodes.iter_mut().zip(&searched) {
            *nodes += found.nodes;
            assert!((value(found) - value(&searched[0])).abs() < 1e-9);
            let chosen = searched[0].children[found.best].mean;
            assert!((chosen - value(&searched[0])).abs() < 1e-9, "a move of equal value");
        }
    }
    let [expectimax, star1, star2, star25] = nodes;
    assert!(star2 < star1 && star1 <= expectimax && star25 < star1, "{nodes:?}");
}

#[test]
fn a_move_is_worth_the_position_after_it() {
    let heyden = CarcassonneHeuristic {
        evaluation: EvaluationFunction::Heyden(HeydenWeights::default()),
        ..CarcassonneHeuristic::default()
    };
    let mut scratch = State::new(Rules::official(2));
    let mut checked = 0;
    for seed in 0..40 {
        let mut rng = Key::experiment(seed).stream();
        let unplaceable = Unplaceable::NAMES[seed as usize % 3].1;
        let two_tile_city = if seed % 2 == 0 { 4 } else { 2 };
        let mut state = State::new(Rules { two_tile_city, unplaceable, ..Rules::official(2) });
        loop {
            while state.turn() == Turn::Chance {
                state.sample(&mut rng);
            }
            if state.turn() == Turn::Terminal {
                break;
            }
            let moves = state.legal_moves();
            for action in &moves {
                let mut after = state.clone();
                after.play(*action).unwrap();
                // The default comes last: what it leaves in `scratch` is no position.
                for judgement in [heyden, CarcassonneHeuristic::default()] {
                    for seat in 0..2 {
                        let value = judgement.value_after(&state, *action, &mut scratch, seat);
                        assert_eq!(value, judgement.value(&after, seat), "seed {seed}: {action:?}");
                    }
                }
                checked += 1;
            }
            // What is left of the scratch position does no harm to the next one.
            scratch.clone_from(&state);
            let chosen = moves[below(&mut rng, moves.len())];
            for position in [&mut state, &mut scratch] {
                position.play(chosen).unwrap();
            }
            assert_eq!(
                (scratch.virtual_scores(), scratch.meeples_left()),
                (state.virtual_scores(), state.meeples_left())
            );
            for tile in state.remaining().collect::<Vec<_>>() {
                assert_eq!(scratch.placement_count(tile), state.placement_count(tile));
            }
        }
    }
    assert!(checked > 50_000, "{checked}");
}

/// The position after these turns, the tile in hand drawn.
fn position(notation: &str) -> State {
    notation.parse::<evouct_carcassonne::Transcript>().unwrap().replay().unwrap()
}

#[test]
fn heydens_evaluation_by_hand() {
    let heyden = CarcassonneHeuristic {
        evaluation: EvaluationFunction::Heyden(HeydenWeights::default()),
        order: MoveOrder::None,
    };
    let difference = CarcassonneHeuristic::default();
    let start = position("[base seats=2 two-tile-city=2 unplaceable=discard]");
    assert_eq!((heyden.value(&start, 0), difference.value(&start, 0)), (0.0, 0.0));
    let rules = Rules { two_tile_city: 2, ..Rules::official(2) };
    // Every first move of every tile: what it is worth by the sum of its parts.
    let mut checked = [0; 5];
    for tile in ["A", "C", "D", "E", "K", "U", "V"] {
        let mut state = State::new(rules);
        state.draw(state.rules().tiles.by_name(tile).unwrap()).unwrap();
        for action in state.legal_moves() {
            let mut after = state.clone();
            after.play(action).unwrap();
            let points = |seat: usize| f64::from(after.scores()[seat]);
            let awards = after.standing_awards();
            let expected = match (awards.first(), after.meeples_left()[0]) {
                // A city of two tiles was completed, or there is no meeple: points alone.
                (None, 7) => 100.0 * (points(0) - points(1)),
                // One feature is held: what it stands at, open cities by a quarter more, and a meeple fewer in hand; no
                // complete city touches a field yet.
                (Some(award), 6) => {
                    let held = f64::from(award.points);
                    use evouct_carcassonne::FeatureKind::{City, Field};
                    let standing = if award.kind == City { 1.25 * held } else { held };
                    10.0 * standing - 10.0 - if award.kind == Field { 40.0 } else { 0.0 }
                }
                found => panic!("{found:?}"),
            };
            checked[awards.first().map_or(4, |award| award.kind as usize)] += 1;
            assert!((heyden.value(&after, 0) - expected).abs() < 1e-9, "{action:?}");
            // The field held badly counts for the seat that searches alone.
            let own_field = awards.first().is_some_and(|award| award.kind == evouct_carcassonne::FeatureKind::Field);
            let other = -expected - if own_field { 40.0 } else { 0.0 };
            assert!((heyden.value(&after, 1) - other).abs() < 1e-9, "{action:?}");
        }
    }
    assert!(checked.iter().all(|count| *count > 0), "{checked:?}");
}

#[test]
fn a_budget_of_nodes_ends_a_search_with_the_best_so_far() {
    let state = &positions(2, 30, 1)[0];
    let judgement = CarcassonneHeuristic::default();
    let (chance, multiplayer) = (star2(1, false), Multiplayer::default());
    let settings = StarSettings { chance, multiplayer, bounds: WIDE, prob_cut: None, depth: 40, deepening: true };
    let mut last = 0;
    for nodes in [1, 300, 30_000] {
        let result = Star::new(&judgement, settings, &mut meter(&Budget::iterations(nodes))).search(state);
        assert!(result.nodes < nodes + 512, "{} of {nodes}", result.nodes);
        assert!(result.depth >= last);
        assert!(state.check(result.children[result.best].action).is_ok());
        last = result.depth;
    }
    assert!(last >= 1);
}

/// A chance node that is worth −6.25 if the opponent replies.
const DRAWS: &[(u32, &[i32])] = &[(2, &[-4, -8]), (1, &[6, -10, 2]), (1, &[9, 1])];

/// Seat 0 has `sure` by its first action, and its second leads to chance. `replier` then chooses what seat 0 has.
fn by_hand(replier: usize, sure: i32, outcomes: &[(u32, &[i32])]) -> Written<2> {
    let over = |worth: i32| Over([worth, -worth]);
    let replies = |worths: &[i32]| Decide(replier, worths.iter().copied().map(over).collect::<Vec<_>>().leak());
    let drawn = outcomes.iter().map(|(weight, worths)| (*weight, replies(worths))).collect::<Vec<_>>();
    Written(Box::leak(Box::new(Decide(0, vec![over(sure), Draw(drawn.leak())].leak()))))
}

fn sure_or_chance(sure: i32) -> Written<2> {
    by_hand(1, sure, DRAWS)
}

#[test]
fn cuts_are_where_they_are_by_hand() {
    let bounds = Bounds::Fixed { lower: -10.0, upper: 10.0 };
    let run = |sure, chance| {
        let result = search(&sure_or_chance(sure), &AsWritten::default(), chance, bounds, 2, false);
        (value(&result), result.nodes)
    };
    // The chance node is worth 0.5·(−8) + 0.25·(−10) + 0.25·1 = −6.25: all of 2 + 3 + 7 nodes.
    assert_eq!(run(-9, ChanceSearch::Expectimax), (-6.25, 12));
    // The second successor's −10, 10 to the opponent, is the best there can be: its third reply is not looked at.
    assert_eq!(run(-9, ChanceSearch::Star1), (-6.25, 11));
    // With 0 for sure the opponent needs more than −0 in its view, a window of β = 0. Its first successor is worth 8,
    // which is not enough: 0.5·8 − 10·0.5 < 0. Before the second, B = (0 − 4 + 10·0.25) / 0.25 = −6: its first reply,
    // worth −6 to the opponent, reaches that. Nodes: 2 at the root, 1 + 2 and 1 + 1 below.
    assert_eq!(run(0, ChanceSearch::Star1), (0.0, 7));
    // Probing sees first replies 4, −6 and −9. After the first, B = (0 + 10·0.5) / 0.5 = 10; after the second, (0 −
    // 0.5·4 + 0.25·10) / 0.25 = 2, after the third −2: no cut, 6 nodes for nothing. But what they found makes the B of
    // the search's first successor (0 + 0.25·6 + 0.25·9) / 0.5 = 7.5, which its second reply, 8, reaches.
    assert_eq!(run(0, star2(1, false)), (0.0, 2 + 6 + 3));
    // Two of each: the first successor is known to be worth 8, B of the second is −6 already and its first reply
    // reaches it.
    assert_eq!(run(0, star2(2, false)), (0.0, 2 + 3 + 2));
    // In turns: all first replies (6 nodes, −1.75), then the second one of the first successor: 0.5·8 − 1.5 − 2.25 ≥ 0.
    assert_eq!(run(0, star2(2, true)), (0.0, 2 + 6 + 2));
}

#[test]
fn values_that_are_bounds_are_known_by_hand() {
    let bounds = Bounds::Fixed { lower: -10.0, upper: 10.0 };
    let found = |sure, chance| {
        let result = search(&sure_or_chance(sure), &AsWritten::default(), chance, bounds, 2, false);
        result.children.iter().map(|child| (child.mean, child.upper_bound)).collect::<Vec<_>>()
    };
    assert_eq!(found(0, ChanceSearch::Expectimax), [(0.0, false), (-6.25, false)]);
    for chance in [ChanceSearch::Star1, star2(1, false), star2(2, true)] {
        assert_eq!(found(-9, chance), [(-9.0, false), (-6.25, false)], "{chance:?}");
        // The search ends once the second action is known to be worth no more than the 0 of the first.
        assert_eq!(found(0, chance), [(0.0, false), (0.0, true)], "{chance:?}");
        // A leaf has no window: its value is known although the action before it is worth more.
        let last_first = AsWritten { last_first: true, ..AsWritten::default() };
        let result = search(&sure_or_chance(-9), &last_first, chance, bounds, 2, false);
        let [leaf, drawing] = &result.children[..] else { panic!() };
        assert_eq!((leaf.mean, leaf.upper_bound, drawing.mean, drawing.upper_bound), (-9.0, false, -6.25, false));
    }
}

#[test]
fn guessing_by_hand() {
    let bounds = Bounds::Fixed { lower: -10.0, upper: 10.0 };
    let guess = |factor| ChanceSearch::Star2(Probing { factor, cyclic: false, unprobed: Unprobed::Guess });
    let run = |replier, sure, outcomes, chance| {
        let result = search(&by_hand(replier, sure, outcomes), &AsWritten::default(), chance, bounds, 2, false);
        (value(&result), result.nodes)
    };
    // To the opponent the first replies are worth 4, -6 and -9: a guess of 0.5·4 - 0.25·6 - 0.25·9 = -1.75. It is
    // inside the window, whose upper end is 0: after 6 nodes of probing all is searched as by Star1.
    assert_eq!(run(1, 0, DRAWS, guess(1)), (0.0, 7 + 6));
    // Two of each: 0.5·8 + 0.25·10 - 0.25·1 = 6.25 is above the window. 2 nodes at the root, 3 for each successor.
    assert_eq!(run(1, 0, DRAWS, guess(2)), (0.0, 2 + 3 + 3 + 3));
    // The searcher replies itself. Its first replies are worth -5, less than the 1 that it has for sure, so the guess
    // settles the node from below, and the second replies, worth 10, are never seen. 2 nodes at the root, 2 for each
    // successor.
    let hidden: &[(u32, &[i32])] = &[(1, &[-5, 10]), (1, &[-5, 10])];
    assert_eq!(run(0, 1, hidden, guess(1)), (1.0, 6));
    assert_eq!(run(0, 1, hidden, guess(2)).0, 10.0);
    assert_eq!(run(0, 1, hidden, star2(1, false)).0, 10.0);
}

/// At depth 2 a chance node's window has no lower end, and a guess that is above the window is a bound: nothing
/// changes.
#[test]
fn at_depth_2_a_guess_changes_no_value() {
    let bounds = Bounds::Fixed { lower: -100.0, upper: 100.0 };
    for state in positions(2, 20, 3) {
        let found = |unprobed| {
            let chance = ChanceSearch::Star2(Probing { factor: 4, cyclic: false, unprobed });
            let result = search(&state, &CarcassonneHeuristic::default(), chance, bounds, 2, false);
            (result.best, result.children)
        };
        assert_eq!(found(Unprobed::Guess), found(Unprobed::Bound));
    }
}

#[test]
fn heydens_own_bounds_by_hand() {
    // The lead of seat 0 is 3. With a margin of 4 the bounds are ±7 for seat 0 and ±1 for seat 1.
    let state = |player, scores: [i32; 2]| {
        let mut state = Tokens { betting: false, player, ..Tokens::new(2, [0, 0, 0, 0, 0, 2]) };
        state.scores[..2].copy_from_slice(&scores);
        state.apply(games::Outcome::Token(5));
        state
    };
    let run = |state: &Tokens, bounds| search(state, &Difference, ChanceSearch::Star1, bounds, 2, false);
    let own = Bounds::SignedLead { margin: 4.0 };
    let as_fixed = |most: f64| Bounds::Fixed { lower: -most, upper: most };
    for (player, most) in [(0, 7.0), (1, 1.0)] {
        let state = state(player, [3, 0]);
        let [a, b] = [own, as_fixed(most)].map(|bounds| run(&state, bounds));
        assert_eq!((a.best, a.children, a.nodes), (b.best, b.children, b.nodes));
    }
    // Behind by more than the margin U is below L: every action looks alike, and the first is played though stealing is
    // worth 20 points more.
    let behind = state(1, [20, 0]);
    assert_eq!(run(&behind, own).best, 0);
    assert_ne!(run(&behind, as_fixed(60.0)).best, 0);
}
