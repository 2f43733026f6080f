//! ChanceProbCut: off, it changes nothing; with predictions that are right it cuts and keeps values; cuts by hand.

use crate::games;
use evouct_base::sampling::below;
use evouct_base::seed::Key;
use evouct_search::game::{Game, Heuristic, Scores, Turn};
use evouct_search::search::{
    Bounds, Budget, ChanceProbCut, ChanceSearch, Multiplayer, Prediction, Probing, Reward, Star, StarSettings, Unprobed,
};
use games::searches::{meter, star, value};
use games::written::{AsWritten, Decide, Draw, Node, Over, Worth, Written};
use games::{Action, Tokens, solve};

/// The difference of scores, or what it will be under perfect play.
#[derive(Debug)]
struct Difference {
    is_perfect: bool,
}

impl Heuristic<Tokens> for Difference {
    fn value(&self, state: &Tokens, seat: usize) -> f64 {
        let reward = |scores: &Scores| Reward::Difference.of(scores, 2, 1.0);
        if self.is_perfect { solve(state, &reward, None)[seat] } else { reward(&state.scores)[seat] }
    }

    fn rank(&self, _: &Tokens, _: Action) -> usize {
        0
    }
}

fn settings(chance: ChanceSearch, prob_cut: Option<ChanceProbCut>, most: f64, depth: u32) -> StarSettings {
    let (multiplayer, bounds) = (Multiplayer::Paranoid, Bounds::Fixed { lower: -most, upper: most });
    StarSettings { chance, multiplayer, bounds, prob_cut, depth, deepening: false }
}

fn chance_values<G: Game, H: Heuristic<G>>(
    state: &G,
    heuristic: &H,
    settings: StarSettings,
    reduction: u32,
) -> Vec<(f64, f64)> {
    Star::new(heuristic, settings, &mut meter(&Budget::default())).chance_values(state, reduction, usize::MAX)
}

fn cut(reduction: u32, threshold: f64, deviation: f64) -> ChanceProbCut {
    ChanceProbCut { reduction, threshold, line: Prediction { slope: 1.0, offset: 0.0, deviation } }
}

fn family() -> [ChanceSearch; 4] {
    let star2 = |factor, cyclic| ChanceSearch::Star2(Probing { factor, cyclic, unprobed: Unprobed::Bound });
    [ChanceSearch::Star1, star2(1, false), star2(2, false), star2(2, true)]
}

/// Random positions of random small games.
fn token_games(count: u64) -> impl Iterator<Item = Tokens> {
    (0..count).filter_map(|seed| {
        let mut rng = Key::experiment(seed).stream();
        let mut bag = [0; 6];
        for _ in 0..3 + below(&mut rng, 2) {
            bag[1 + below(&mut rng, 5)] += 1;
        }
        let mut state = Tokens { betting: below(&mut rng, 2) == 0, ..Tokens::new(2, bag) };
        (0..2).for_each(|seat| state.scores[seat] = below(&mut rng, 6) as i32);
        state.sample(&mut rng);
        (state.turn() != Turn::Terminal).then_some(state)
    })
}

#[test]
fn predictions_that_are_never_sure_change_nothing() {
    let (mut with, mut other) = (0, 0);
    for state in token_games(60) {
        for chance in family() {
            for depth in 1..=4 {
                let found =
                    |prob_cut| star(&state, &Difference { is_perfect: false }, settings(chance, prob_cut, 60.0, depth));
                let plain = found(None);
                for reduction in [1, 2] {
                    // No value of a search is outside the bounds by so much, so that none is asked for.
                    let never = found(Some(cut(reduction, 1e9, 1.0)));
                    assert_eq!((never.best, never.nodes), (plain.best, plain.nodes), "{chance:?} {depth} {state:?}");
                    assert_eq!(never.children, plain.children);
                    let sure = found(Some(cut(reduction, 1.0, 0.5)));
                    if depth <= reduction + 1 {
                        assert_eq!(
                            (sure.nodes, sure.children),
                            (plain.nodes, plain.children.clone()),
                            "no ply to spare"
                        );
                    } else {
                        with += 1;
                        other += u32::from(sure.nodes != plain.nodes);
                    }
                }
            }
        }
    }
    assert!(other > with / 4, "{other} of {with} searches were others");
}

#[test]
fn predictions_that_are_right_cut_and_keep_the_value() {
    let (mut searched, mut saved) = (0, 0);
    for state in token_games(40) {
        for chance in family() {
            for depth in [3, 4] {
                let heuristic = Difference { is_perfect: true };
                let [plain, pruned] = [None, Some(cut(1, 1.0, 0.0))]
                    .map(|prob_cut| star(&state, &heuristic, settings(chance, prob_cut, 60.0, depth)));
                assert!((value(&plain) - value(&pruned)).abs() < 1e-9, "{chance:?} {depth} {state:?}");
                let chosen = solve(
                    &{
                        let mut next = state.clone();
                        next.play(pruned.children[pruned.best].action);
                        next
                    },
                    &|scores| Reward::Difference.of(scores, 2, 1.0),
                    None,
                );
                assert!((chosen[state.player] - value(&plain)).abs() < 1e-9, "an action of equal value");
                searched += 1;
                saved += u32::from(pruned.nodes < plain.nodes);
            }
        }
        // The line through such values is the identity.
        let found =
            chance_values(&state, &Difference { is_perfect: true }, settings(ChanceSearch::Star1, None, 60.0, 3), 1);
        assert!(found.iter().all(|(shallow, deep)| (shallow - deep).abs() < 1e-9), "{found:?}");
    }
    // Where nothing is cut the shallower searches are for nothing.
    assert!(saved > searched / 4, "{saved} of {searched}");
}

#[test]
fn values_of_chance_nodes_are_those_of_a_search_of_all_there_is() {
    let mut pairs = Vec::new();
    for state in token_games(60) {
        for chance in [ChanceSearch::Expectimax, ChanceSearch::Star1] {
            let found = chance_values(&state, &Difference { is_perfect: false }, settings(chance, None, 60.0, 60), 58);
            let mut actions = Vec::new();
            state.actions(&mut actions);
            let mut exact = Vec::new();
            for action in actions {
                let mut next = state.clone();
                next.play(action);
                // A bet is decided first; who decides next is the seat that the coin gives the turn to.
                let mut outcomes = Vec::new();
                next.outcomes(&mut outcomes);
                let Some((outcome, _)) = outcomes.first() else { continue };
                let mut drawn = next.clone();
                drawn.apply(*outcome);
                if let Turn::Player(seat) = drawn.turn() {
                    exact.push(solve(&next, &|scores| Reward::Difference.of(scores, 2, 1.0), None)[seat]);
                }
            }
            assert_eq!(found.len(), exact.len(), "{state:?}");
            for ((_, deep), exact) in found.iter().zip(exact) {
                assert!((deep - exact).abs() < 1e-9, "{state:?}: {deep} for {exact}");
            }
            pairs.extend(found);
        }
    }
    let line = Prediction::fit(&pairs).unwrap();
    assert!(pairs.len() > 100 && line.slope > 0.5 && line.slope < 1.5 && line.deviation > 0.0, "{line:?}");
}

/// Both outcomes of even chance: seat 1 has replies that look like 8 and 6 to it, and are.
const REPLIES: &[Node<2>] =
    &[Worth(0, [-8, 8], &[Over([-8, 8]), Over([-9, 9])]), Worth(0, [-6, 6], &[Over([-6, 6]), Over([-7, 7])])];
const ROOT: Node<2> = Decide(0, &[Over([0, 0]), Draw(&[(1, Decide(1, REPLIES)), (1, Decide(1, REPLIES))])]);

#[test]
fn cuts_are_where_they_are_by_hand() {
    let run = |prob_cut| {
        let found = star(&Written(&ROOT), &AsWritten::default(), settings(ChanceSearch::Star1, prob_cut, 10.0, 3));
        (value(&found), found.nodes)
    };
    // Seat 0 has 0 for sure, so seat 1 needs 0. Of Star1's 12 nodes two are the root's actions. The first outcome is
    // searched (1 node) with its first reply (1 + 2); the second reply is worse than 8 by its first leaf (1 + 1). With
    // 4 known B is -8, and the first reply after the second outcome reaches it (1 + 1 + 2).
    assert_eq!(run(None), (0.0, 12));
    // One ply less predicts 8. It must reach 1.5·2 = 3: outcome, two replies, outcome, and one reply, for -2.
    assert_eq!(run(Some(cut(1, 1.5, 2.0))), (0.0, 2 + 5));
    // It does not reach 8.5: both outcomes with both replies for nothing.
    assert_eq!(run(Some(cut(1, 4.25, 2.0))), (0.0, 12 + 6));
    // No value reaches 12: nothing is predicted.
    assert_eq!(run(Some(cut(1, 6.0, 2.0))), (0.0, 12));
    // A line can make up for it: 2·7.75 - 3.5 is 12, so 7.75 is enough, and B is 7.5 after the first outcome.
    let line = Prediction { slope: 2.0, offset: -3.5, deviation: 2.0 };
    assert_eq!(run(Some(ChanceProbCut { reduction: 1, threshold: 6.0, line })), (0.0, 2 + 5));
    let pairs = chance_values(&Written(&ROOT), &AsWritten::default(), settings(ChanceSearch::Star1, None, 10.0, 3), 1);
    assert_eq!(pairs, [(8.0, 8.0)], "to seat 1, which decides next");
}
