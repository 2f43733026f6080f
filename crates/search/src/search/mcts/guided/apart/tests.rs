use super::*;
use crate::game::slots::{FILL, NUMBERS, Slots};
use crate::game::{MoveNumbers, Uniform};
use crate::search::{
    Descent, FormulaPolicy, Opponent, Prior, SearchColumn, SearchSettings, SearchTree, Uct, Workspace,
};
use evouct_base::seed::{Key, search_rng};
use evouct_gp::{ConstantSet, LnRule, Program, Tree};

fn program(text: &str) -> Program {
    Program::new(Tree::parse_over(text, &SearchColumn::terminals(&["dv", "dm"])).unwrap(), LnRule::Abs)
}

fn formula(text: &str, constant: Option<f64>) -> TreePolicy {
    TreePolicy::Formula(FormulaPolicy { program: program(text), constant, constants: ConstantSet::default() })
}

fn guided(untried: Untried, prior: Option<Prior>, bias: Option<&str>) -> Guidance<Slots> {
    let numbers = Some(MoveNumbers::of(NUMBERS, FILL, &["dv", "dm"]).unwrap());
    Guidance { untried, prior, bias: bias.map(program), numbers, ..Guidance::default() }
}

/// The tree after many simulations, some of which do not expand or update it, and how many choices were made apart.
fn tree(guidance: &Guidance<Slots>, policy: &TreePolicy, opponent: Opponent) -> SearchTree<Slots> {
    let mut rng = search_rng(&mut Key::experiment(5).stream());
    let mut root = Slots::new();
    Game::sample(&mut root, &mut rng);
    let settings = SearchSettings { opponent, ..SearchSettings::default() };
    let mut work = Workspace::default();
    let mut search = Search::new(&mut work, &root, None, &settings, Uniform, rng).with_guidance(guidance, policy);
    for number in 0..1_500 {
        let descent = match number % 50 {
            7 => Descent { expand: false, ..Descent::SEARCH },
            // Leaves a child that is tried and has no visit.
            31 if number > 1_000 => Descent { update: false, ..Descent::SEARCH },
            _ => Descent::SEARCH,
        };
        search.simulate(policy, descent);
    }
    assert_eq!(search.check(), Ok(()));
    work.tree
}

/// Nodes, edges and statistics.
fn assert_same(one: &SearchTree<Slots>, other: &SearchTree<Slots>, of: &str) {
    assert_eq!(one.size(), other.size(), "{of}");
    assert!(one.size() > 50, "{of}: {} nodes", one.size());
    for node in 0..one.size() {
        let both = [one, other].map(|tree| {
            let Node { mover, visits, count, untried, .. } = tree.node(node);
            let mut edges = tree.visited(node);
            edges.sort_unstable();
            let statistics = |(place, edge)| (place, tree.edge_visits(edge), tree.edge_mean(edge));
            (mover, visits, count, untried, edges.into_iter().map(statistics).collect::<Vec<_>>())
        });
        assert_eq!(both[0], both[1], "{of}");
        if !one.node(node).is_compact && !other.node(node).is_compact {
            assert_eq!(one.untried(node), other.untried(node), "{of}");
        }
    }
}

/// A bias of zero makes the search value all children.
#[test]
fn choices_are_those_of_all_values() {
    let plain = TreePolicy::Uct(Uct::default());
    let knows = formula("Q + 5.5 * sqrt(2.5 * ln(N) / n) + 26 * (dv + 2 * dm) / (0.6 + n)", Some(0.5));
    let draws = formula("Q + c * sqrt(ln(N) / n) + best / (1 + n)", None);
    for untried in [
        // Ordered by a part of the move.
        "Qbar + 1.07 * sqrt(1.62 * ln(N)) + 6.24 * (dv + 1.35 * dm)",
        "sqrt(N) * (dv - dm) / (1 + n)",
        "max(dv - 2 * dm, Qbar)",
        // Parts so small that rounding hides them beside the mean.
        "100000 + Qbar + 0.000000000001 * (dv + dm)",
        "min(Qbar, 1) + 0 * dv",
        // Not ordered by one.
        "Qmax + dv * sqrt(N) - dm",
        "Qbar - dv",
        "sd + dv",
        // No number, and infinite ones.
        "Qbar + (dv - 2) * 10000000000 * 10000000000 * 10000000000 * 10000000000 * 10000000000",
        "Qbar + ln(dv - 1 / 0) + sqrt(N)",
    ] {
        for (policy, name) in [(&plain, "uct"), (&knows, "knows"), (&draws, "draws")] {
            for opponent in [Opponent::NegateQ, Opponent::Absolute] {
                let formula = || Untried::Formula(program(untried));
                let apart = tree(&guided(formula(), None, None), policy, opponent);
                let all = tree(&guided(formula(), None, Some("0 * dv")), policy, opponent);
                assert_same(&apart, &all, &format!("{untried}, {name}"));
            }
        }
    }
}

#[test]
fn choices_by_node_priors_are_those_of_all_values() {
    let policy = TreePolicy::Uct(Uct::default());
    for mean in
        ["Qbar + 16 * (dv + 3 * dm)", "Qbar / 2 + sqrt(N) * dv", "dm", "Qbar - dv", "100000 + 0.000000000001 * dv"]
    {
        for visits in [1.0, 3.0, 0.5] {
            let prior = || Some(Prior { mean: program(mean), visits });
            let apart = tree(&guided(Untried::Expand, prior(), None), &policy, Opponent::NegateQ);
            let all = tree(&guided(Untried::Expand, prior(), Some("0 * dv")), &policy, Opponent::NegateQ);
            assert_same(&apart, &all, &format!("{mean}, {visits}"));
        }
    }
}

/// What was compared above was chosen in two ways.
#[test]
fn children_are_valued_apart_where_a_part_orders_them() {
    let policy = TreePolicy::Uct(Uct::default());
    let chooses = |guidance: &Guidance<Slots>| {
        let mut root = Slots::new();
        let mut rng = search_rng(&mut Key::experiment(5).stream());
        Game::sample(&mut root, &mut rng);
        let (mut work, settings) = (Workspace::default(), SearchSettings::default());
        let mut search = Search::new(&mut work, &root, None, &settings, Uniform, rng).with_guidance(guidance, &policy);
        for _ in 0..200 {
            search.simulate(&policy, Descent::SEARCH);
        }
        search.reset();
        let apart = search.choose_apart(guidance, 0, &policy, false).is_some();
        (search.moves.orders(), apart, search.choose_by_prior(guidance, 0, &policy, false).is_some())
    };
    let formula = |text| guided(Untried::Formula(program(text)), None, None);
    let prior = |mean, visits| guided(Untried::Expand, Some(Prior { mean: program(mean), visits }), None);
    assert_eq!(chooses(&formula("Qbar + 2 * (dv + 3 * dm)")), (true, true, false));
    assert_eq!(chooses(&formula("Qbar - dv")), (false, true, false));
    assert_eq!(chooses(&prior("Qbar + dv", 3.0)), (true, false, true));
    assert_eq!(chooses(&prior("Qbar + dv", 0.5)), (true, false, false));
    assert_eq!(chooses(&prior("Qbar - dv", 3.0)), (false, false, false));
}
