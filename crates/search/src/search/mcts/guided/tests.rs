use super::*;
use crate::game::{MoveNumber, MoveNumbers, Scores, StreamDeck, Turn, Uniform};
use crate::search::{Budget, FormulaPolicy, Meter, MovePolicy, Prior, SearchSettings, Stopped, UcbForm, Uct, Widening};
use evouct_base::seed::{Key, search_rng};
use evouct_gp::{ConstantSet, LnRule, Tree};
use std::time::Duration;

/// One seat pulls one of three arms, which pay 1, 5 and 3. The game gives h for an arm: 0, 1 and 0.5.
#[derive(Clone, Debug, Default)]
struct Arms {
    pulled: Option<usize>,
}

const PAID: [i32; 3] = [1, 5, 3];
const NUMBERS: &[MoveNumber<Arms>] = &[MoveNumber::new("h", "what the game gives for an arm", |_, arm, _| told(arm))];

fn told(arm: usize) -> f64 {
    [0.0, 1.0, 0.5][arm]
}

impl Game for Arms {
    type Action = usize;
    type Outcome = u8;
    type Deck = StreamDeck;

    const HAS_PARTS: bool = true;

    fn seats(&self) -> usize {
        1
    }

    fn turn(&self) -> Turn {
        if self.pulled.is_some() { Turn::Terminal } else { Turn::Player(0) }
    }

    fn outcomes(&self, outcomes: &mut Vec<(u8, u32)>) {
        outcomes.clear();
    }

    fn first_part(arm: usize) -> usize {
        arm % 2
    }

    fn apply(&mut self, _: u8) {}

    fn actions(&self, actions: &mut Vec<usize>) {
        actions.clear();
        actions.extend(self.pulled.is_none().then_some(0..3).into_iter().flatten());
    }

    fn play(&mut self, arm: usize) {
        self.pulled = Some(arm);
    }

    fn scores(&self) -> Scores {
        [self.pulled.map_or(0, |arm| PAID[arm]), 0, 0, 0, 0, 0]
    }

    fn phase(&self) -> Option<f64> {
        Some(f64::from(u8::from(self.pulled.is_some())))
    }
}

fn program(text: &str) -> Program {
    Program::new(Tree::parse_over(text, &SearchColumn::terminals(&["h"])).unwrap(), LnRule::Abs)
}

fn numbers() -> Option<MoveNumbers<Arms>> {
    fn fill(_: &Arms, arms: &[usize], wanted: &[usize], _: &mut Arms, columns: &mut [Vec<f64>]) {
        assert_eq!(wanted, [0]);
        columns[0].extend(arms.iter().map(|arm| told(*arm)));
    }
    Some(MoveNumbers::of(NUMBERS, fill, &["h"]).unwrap())
}

fn plain(exploration: f64) -> TreePolicy {
    TreePolicy::Uct(Uct { exploration, form: UcbForm::Plain })
}

/// Runs this many iterations and hands the search over.
fn searched<T>(
    guidance: &Guidance<Arms>,
    policy: &TreePolicy,
    iterations: u64,
    look: impl FnOnce(&mut Search<Arms, Uniform>) -> T,
) -> T {
    let (mut work, settings, root) = (Workspace::default(), SearchSettings::default(), Arms::default());
    let rng = search_rng(&mut Key::experiment(3).stream());
    let mut search = Search::new(&mut work, &root, None, &settings, Uniform, rng).with_guidance(guidance, policy);
    let mut meter = Meter::start(&Budget::iterations(iterations.max(1)), &Stopped, Duration::ZERO, 1);
    if iterations > 0 {
        search.run(policy, &mut meter, 1, false);
    }
    assert_eq!(search.check(), Ok(()));
    look(&mut search)
}

fn visits(guidance: &Guidance<Arms>, iterations: u64) -> Vec<f64> {
    searched(guidance, &plain(0.0), iterations, |search| search.work.tree.statistics(0).1.to_vec())
}

#[test]
fn summands_of_the_formula_add_up_to_its_values() {
    let policy = |text| {
        let program = program(text);
        TreePolicy::Formula(FormulaPolicy { program, constant: Some(0.3), constants: ConstantSet::default() })
    };
    for (text, count) in [
        ("Q + 2 * c * sqrt(2 * ln(N) / n)", 2),
        ("Q + sqrt(ln(N) / n) + (0.7 * h - (0.1 - hm)) / 3", 3),
        ("Q - (0.1 - (h / 3 - (w1 + sdQ))) + 0.2 * hm", 6),
    ] {
        // The formula for untried arms has the part `h` in a column of its own.
        let untried = Untried::Formula(program("Qbar + 2 + 9 * h"));
        let guidance = Guidance { untried, numbers: numbers(), ..Guidance::default() };
        let policy = policy(text);
        searched(&guidance, &policy, 40, |search| {
            let terms = search.formula_terms(&policy).unwrap();
            assert_eq!(terms.summands.iter().count(), count, "{text}");
            search.reset();
            search.value_children(&guidance, 0, &policy);
            let tried = terms.values.iter().zip(&search.work.guided.values).filter(|(values, _)| !values.is_empty());
            let sums: Vec<(f64, f64)> = tried.map(|(values, value)| (terms.summands.sum(values), *value)).collect();
            assert!(sums.len() > 1 && sums.iter().all(|(sum, value)| sum == value), "{text}: {sums:?}");
            assert!(search.formula_terms(&plain(1.0)).is_none());
        });
    }
}

#[test]
fn progressive_bias_by_hand() {
    let bias = Some(program("8 * h"));
    let guidance = Guidance { untried: Untried::NodeMean(0.0), bias, numbers: numbers(), ..Guidance::default() };
    // Values 0, 8, 4: arm 1 pays 5. Then 5, 5 + 8/2 = 9, 5 + 4 = 9: the tried arm wins the tie. Then 5, 5 + 8/3, 9:
    // arm 2 pays 3. Then 13/3, 7.67, 3 + 4/2.
    let all = [1, 2, 3, 4].map(|iterations| visits(&guidance, iterations));
    assert_eq!(all, [[0.0, 1.0, 0.0], [0.0, 2.0, 0.0], [0.0, 2.0, 1.0], [0.0, 3.0, 1.0]]);
}

#[test]
fn node_priors_by_hand() {
    let prior = Some(Prior { mean: program("6 - 6 * h"), visits: 2.0 });
    let guidance = Guidance { prior, numbers: numbers(), ..Guidance::default() };
    // Means 6, 0, 3. Arm 0 pays 1: (1 + 12)/3, (2 + 12)/4, (3 + 12)/5 = 3, where it wins the tie as it is tried,
    // then (4 + 12)/6 < 3: arm 2 pays 3 and stays at 3.
    assert_eq!(visits(&guidance, 4), [4.0, 0.0, 0.0]);
    assert_eq!(visits(&guidance, 6), [4.0, 0.0, 2.0]);
    // The exploration term sees virtual visits: 1 + 4 + 3·2 of the node, 6 of arm 0.
    let policy = plain(2.0);
    let values = searched(&guidance, &plain(0.0), 4, |search| {
        search.value_children(&guidance, 0, &policy);
        search.work.guided.values.clone()
    });
    let logarithm = libm::log(11.0);
    let expected = [16.0 / 6.0 + 2.0 * (logarithm / 6.0).sqrt(), 2.0 * (logarithm / 2.0).sqrt()];
    assert_eq!(values[..2], expected);
    assert_eq!(values[2], 3.0 + 2.0 * (logarithm / 2.0).sqrt());
}

#[test]
fn progressive_widening_by_hand() {
    let widening = |order| Some(Widening { order, factor: 1.0, exponent: 0.5 });
    let by_number = Guidance { widening: widening(Some(program("h"))), numbers: numbers(), ..Guidance::default() };
    // One arm at 0 and 1 visits, two at 2 to 4, three at 5.
    assert_eq!(visits(&by_number, 2), [0.0, 2.0, 0.0]);
    assert_eq!(visits(&by_number, 3), [0.0, 2.0, 1.0]);
    assert_eq!(visits(&by_number, 5), [0.0, 4.0, 1.0]);
    assert_eq!(visits(&by_number, 6), [1.0, 4.0, 1.0]);
    let random = Guidance { widening: widening(None), ..Guidance::default() };
    assert_eq!(visits(&random, 2).iter().filter(|visits| **visits > 0.0).count(), 1);
}

#[test]
fn moves_not_tried_yet_by_hand() {
    // A constant above all rewards: every arm is tried before one is tried again. One below all: the first stays.
    let constant = |value| Guidance { untried: Untried::Constant(value), ..Guidance::default() };
    assert_eq!(visits(&constant(6.0), 3), [1.0; 3]);
    let mut visits_of_low = visits(&constant(-6.0), 5);
    visits_of_low.sort_by(f64::total_cmp);
    assert_eq!(visits_of_low, [0.0, 0.0, 5.0]);
    // 4·h + Qbar: 0, 4, 2, then arm 1 has 5, the others 5 and 7, so arm 2 follows; then 4, 5, 3.
    let guidance =
        Guidance { untried: Untried::Formula(program("4*h + Qbar")), numbers: numbers(), ..Guidance::default() };
    assert_eq!(visits(&guidance, 2), [0.0, 1.0, 1.0]);
    assert_eq!(visits(&guidance, 5), [0.0, 4.0, 1.0]);
}

#[test]
fn the_leaf_formula_and_the_final_formula_by_hand() {
    // At a leaf the game is over: R = V and phase = 1, so a pull of r is worth 1 - r.
    let leaf = Some(program("R - 2 * V + phase"));
    let final_move = Some(program("0 - Q"));
    let guidance = Guidance { leaf, final_move, ..Guidance::default() };
    let (means, chosen) = searched(&guidance, &plain(1.0), 3, |search| {
        (search.work.tree.statistics(0).0.to_vec(), search.decide(&plain(1.0)))
    });
    // The highest of -Q is the arm with the lowest mean.
    assert_eq!((means, chosen), (vec![0.0, -4.0, -2.0], 1));
}

/// A guidance with PUCT for untried arms, and the policy `scale·h` at temperature 2.
fn puct(policy: &str) -> (Guidance<Arms>, TreePolicy) {
    let guidance = Guidance {
        untried: Untried::Formula(program("Qbar + 3 * P * sqrt(N)")),
        policy: Some(MovePolicy { value: program(policy), temperature: 2.0 }),
        numbers: numbers(),
        ..Guidance::default()
    };
    let select = program("Q + 3 * P * sqrt(N) / (1 + n)");
    let constants = ConstantSet::default();
    (guidance, TreePolicy::Formula(FormulaPolicy { program: select, constant: Some(1.0), constants }))
}

#[test]
fn priors_are_the_softmax_of_the_policy_and_add_up_to_one() {
    let (guidance, policy) = puct("4 * h");
    let exponentials = [0.0, 2.0, 1.0].map(f64::exp);
    let expected = exponentials.map(|own| own / exponentials.iter().sum::<f64>());
    let found = searched(&guidance, &policy, 9, |search| {
        search.evaluate(&guidance, 0, &program("P"));
        search.work.guided.values.clone()
    });
    assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-15), "{found:?}");
    assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-15);
    // Of a formula without numbers: all moves are alike.
    let (guidance, policy) = puct("2");
    let guidance = Guidance { numbers: None, ..guidance };
    searched(&guidance, &policy, 9, |search| {
        search.evaluate(&guidance, 0, &program("P"));
        assert_eq!(search.work.guided.values, [1.0 / 3.0; 3]);
    });
}

/// PUCT over three arms, written down as a loop.
#[test]
fn puct_by_brute_force() {
    for scale in [-3.0, 0.5, 4.0] {
        let (guidance, policy) = puct(&format!("{scale} * h"));
        let exponentials = [0, 1, 2].map(|arm| (scale * told(arm) / 2.0).exp());
        let priors = exponentials.map(|own| own / exponentials.iter().sum::<f64>());
        // The first arm is random: without visits of the node all values are 0.
        let mut pulls: [f64; 3] = visits_by(&guidance, &policy, 1);
        for iteration in 2..40 {
            let total: f64 = pulls.iter().sum();
            let mean = (0..3).map(|arm| pulls[arm] * f64::from(PAID[arm])).sum::<f64>() / total;
            let value = |arm: usize| {
                let own = if pulls[arm] > 0.0 { f64::from(PAID[arm]) } else { mean };
                own + 3.0 * priors[arm] * total.sqrt() / (1.0 + pulls[arm])
            };
            pulls[first_highest((0..3).map(value))] += 1.0;
            assert_eq!(visits_by(&guidance, &policy, iteration), pulls, "{scale} {iteration}");
        }
        assert!(pulls[1] > 20.0, "{pulls:?}");
    }
}

fn visits_by(guidance: &Guidance<Arms>, policy: &TreePolicy, iterations: u64) -> [f64; 3] {
    searched(guidance, policy, iterations, |search| search.work.tree.statistics(0).1.try_into().unwrap())
}

/// Rewards of the arms: 0 and 4, three times -1, none.
fn recorded(search: &mut Search<Arms, Uniform>) {
    for (edge, reward) in [(0, 0.0), (0, 4.0), (1, -1.0), (1, -1.0), (1, -1.0)] {
        search.work.tree.visit(0);
        search.work.tree.update(edge, reward);
        search.work.tree.update_further(edge, reward);
    }
}

#[test]
fn every_terminal_by_hand() {
    let all = "sd + best + A + m + G + h + moves + depth + phase + left + lead + Qbar + Qmax + sdQ";
    let guidance = Guidance { bias: Some(program(all)), numbers: numbers(), ..Guidance::default() };
    let values = |text: &str, with_rewards: bool| {
        searched(&guidance, &plain(1.0), 0, |search| {
            if with_rewards {
                recorded(search);
            }
            search.evaluate(&guidance, 0, &program(text));
            search.work.guided.values.clone()
        })
    };
    // S = 8 and 0, P = 8/3.
    let deviations = [(8.0 + 16.0 / 3.0) / 3.0, 16.0 / 3.0 / 4.0, 16.0 / 3.0 / 2.0_f64].map(f64::sqrt);
    for (found, expected) in values("sd", true).iter().zip(deviations) {
        assert!((found - expected).abs() < 1e-12, "{found}, expected {expected}");
    }
    for (text, expected) in [
        ("best", [4.0, -1.0, 0.0]),
        ("Q", [2.0, -1.0, 0.0]),
        ("n", [2.0, 3.0, 0.0]),
        ("h", [0.0, 1.0, 0.5]),
        ("N", [5.0; 3]),
        ("Qbar", [0.2; 3]),
        ("Qmax", [2.0; 3]),
        // Arms 0 and 2 have the same first part.
        ("G", [2.0, -1.0, 2.0]),
        ("sdQ", [4.5_f64.sqrt(); 3]),
        ("moves", [3.0; 3]),
        ("depth + phase + lead + A + m", [0.0; 3]),
        ("left", [1.0; 3]),
        ("max(h, 0.25) - min(h, 0.25)", [0.25, 0.75, 0.25]),
    ] {
        assert_eq!(values(text, true), expected, "{text}");
    }
    // Nothing is seen: every terminal still has a value.
    assert_eq!(values("sd + best + Q + n + N + Qbar + Qmax + G + sdQ", false), [0.0; 3]);
}

#[test]
fn ucb1_tuned_by_hand() {
    let policy = |exploration| TreePolicy::Uct(Uct { exploration, form: UcbForm::Tuned });
    let guidance = Guidance::default();
    let values = |exploration| {
        searched(&guidance, &policy(exploration), 0, |search| {
            recorded(search);
            search.value_children(&guidance, 0, &policy(exploration));
            search.work.guided.values.clone()
        })
    };
    let logarithm = libm::log(5.0);
    // K = 4: the bound on a variance is 4, which the variance 4 of arm 0 reaches.
    assert_eq!(values(4.0)[0], 2.0 + (logarithm / 2.0 * 4.0).sqrt());
    // K = 100: 2,500 or 0 + 10,000·sqrt(2·ln 5 / 3).
    assert_eq!(values(100.0)[1], -1.0 + (logarithm / 3.0 * 2_500.0).sqrt());
    // No exploration.
    assert_eq!(values(0.0), [2.0, -1.0, 0.0]);
    // With many visits the variance counts, and not its bound.
    let long = searched(&guidance, &policy(4.0), 0, |search| {
        for _ in 0..1_000 {
            search.work.tree.visit(0);
            search.work.tree.update(0, 3.0);
            search.work.tree.update_further(0, 3.0);
        }
        search.value_children(&guidance, 0, &policy(4.0));
        search.work.guided.values[0]
    });
    let logarithm = libm::log(1_000.0);
    assert_eq!(long, 3.0 + (logarithm / 1_000.0 * (16.0 * (2.0 * logarithm / 1_000.0).sqrt())).sqrt());
}

#[test]
fn nothing_is_kept_without_guidance() {
    let kept = |guidance: &Guidance<Arms>| searched(guidance, &plain(1.0), 3, |search| search.guidance.is_some());
    assert!(!kept(&Guidance::default()));
    assert!(kept(&Guidance { untried: Untried::Constant(0.0), ..Guidance::default() }));
}
