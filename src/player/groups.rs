//! Parameters that kinds of player share: names, domains, defaults.

use super::options::{
    BOUNDS, CHANCES, EVALUATIONS, FINAL_MOVES, FIRST_ITERATIONS, PARENT_VISITS, PROBING_ORDERS, SEED_CONSTANTS,
    TERMINALS, names,
};
use super::parameter::{Domain, Parameter, Value};
use crate::carcassonne::{MoveOrder, PlayoutPolicy};
use crate::evolve::{Evaluation, EvoTree, Form, ParentFitness, Returned, SemanticRule, Semantics};
use crate::gp::LnRule;
use crate::search::{AmafMoves, AmafScope, Opponent, Reward, UcbForm};

/// A parameter with the same default under both presets.
pub(super) fn same(name: &'static str, about: &'static str, domain: Domain, default: Value) -> Parameter {
    Parameter { name, about, domain, text: default.clone(), reference: default }
}

/// A parameter with a default for `text` and one for `reference`.
pub(super) fn both(
    name: &'static str,
    about: &'static str,
    domain: Domain,
    [text, reference]: [Value; 2],
) -> Parameter {
    Parameter { name, about, domain, text, reference }
}

pub(super) fn name_of(names: &[&'static str]) -> Domain {
    Domain::Name(names.to_vec())
}

pub(super) fn budget(evolving: bool) -> Vec<Parameter> {
    let mut budget = vec![same(
        "iterations",
        "iterations a decision; unlimited where a time is given instead",
        Domain::Count(1, 1_000_000_000),
        Value::Count(400),
    )];
    budget.extend(times());
    if evolving {
        let about = "whether playouts of evolution count as iterations";
        budget.push(same("count_evolution", about, Domain::Flag, Value::Flag(false)));
    }
    budget
}

/// Playouts and what they are worth; `reward` is the default.
pub(super) fn playouts(reward: &'static str) -> Vec<Parameter> {
    vec![
        same("playout", "the default policy", name_of(&names(&PlayoutPolicy::NAMES)), Value::Name("joint")),
        same(
            "reward",
            "what a playout is worth: points, ±1, share of points, and more",
            name_of(&names(&Reward::NAMES)),
            Value::Name(reward),
        ),
    ]
}

/// A search in a tree; `reference_final` is the final move under the reference preset.
pub(super) fn tree(reference_final: &'static str) -> Vec<Parameter> {
    let mut tree = playouts("difference");
    tree.extend([
        both(
            "chance",
            "tiles inside the tree: drawn from the bag, the real ones, drawn but not told apart, or a sample of decks",
            name_of(&CHANCES),
            ["sampled", "peek"].map(Value::Name),
        ),
        same("decks", "decks of chance = determinised", Domain::Count(1, 10_000), Value::Count(8)),
        same(
            "parent_visits",
            "N: visits of the node with this tile, or over all tiles",
            name_of(&names(&PARENT_VISITS)),
            Value::Name("node"),
        ),
        both(
            "first_iteration",
            "whether the first iteration expands or is a playout from the root",
            name_of(&FIRST_ITERATIONS),
            ["expand", "playout"].map(Value::Name),
        ),
        both(
            "final",
            "the move that is played: by highest mean, most visits, or highest value of the tree policy",
            name_of(&names(&FINAL_MOVES)),
            ["mean", reference_final].map(Value::Name),
        ),
    ]);
    tree
}

/// How a formula serves opponents.
pub(super) fn opponent() -> Vec<Parameter> {
    vec![both(
        "opponent",
        "how a formula serves opponents: f(-Q), -f(Q), or the second seat minimises f of the first's Q",
        name_of(&names(&Opponent::NAMES)),
        ["negate-q", "absolute"].map(Value::Name),
    )]
}

/// UCT with these defaults.
pub(super) fn uct(k: f64, form: &'static str) -> Vec<Parameter> {
    vec![
        same("k", "exploration: K of the doubled form, C of the plain one", Domain::Real(0.0, 1e6), Value::Real(k)),
        same(
            "ucb",
            "doubled: Q + 2K·sqrt(2·ln N / n); plain: Q + C·sqrt(ln N / n)",
            name_of(&names(&UcbForm::NAMES)),
            Value::Name(form),
        ),
    ]
}

pub(super) fn rave() -> Vec<Parameter> {
    vec![
        same("b", "bias: β = ñ / (n + ñ + 4·n·ñ·b²)", Domain::Real(0.0, 1e6), Value::Real(10.0)),
        same(
            "amaf_moves",
            "moves that count as first: those in the tree and of the playout, or of the playout alone",
            name_of(&names(&AmafMoves::NAMES)),
            Value::Name("tree-and-playout"),
        ),
        same(
            "amaf_tiles",
            "nodes they count for: those of all tiles drawn there, or on the path alone",
            name_of(&names(&AmafScope::NAMES)),
            Value::Name("all-tiles"),
        ),
    ]
}

pub(super) fn rollouts() -> Vec<Parameter> {
    vec![same(
        "rollouts",
        "playouts an iteration, whose mean is its reward",
        Domain::Count(1, 100_000),
        Value::Count(1),
    )]
}

/// Exact search: depth, evaluation, budget.
pub(super) fn exact() -> Vec<Parameter> {
    let mut exact = vec![
        same("depth", "plies", Domain::Count(1, 60), Value::Count(2)),
        same(
            "evaluation",
            "a position's worth: virtual score difference, or Heyden's",
            name_of(&EVALUATIONS),
            Value::Name("difference"),
        ),
        same(
            "order",
            "order of moves: as listed, 1: with a meeple first, 2: city, monastery, road, none, field",
            name_of(&names(&MoveOrder::NAMES)),
            Value::Name("2"),
        ),
        same("deepening", "depths 1, 2, … until the budget is spent", Domain::Flag, Value::Flag(false)),
        same("nodes", "nodes a decision", Domain::Count(1, 1_000_000_000_000), Value::Unset),
    ];
    exact.extend(times());
    exact.extend(WEIGHTS.map(|(name, about)| same(name, about, Domain::Real(-1e9, 1e9), Value::Unset)));
    exact
}

/// What values are taken to lie between.
pub(super) fn bounds() -> Vec<Parameter> {
    let bound = Domain::Real(-1e9, 1e9);
    vec![
        same("bounds", "fixed, or so much beyond the lead at the root", name_of(&BOUNDS), Value::Name("fixed")),
        same("lower", "L; -100 for the difference, -2000 for Heyden's", bound.clone(), Value::Unset),
        same("upper", "U; 100 for the difference, 2000 for Heyden's", bound, Value::Unset),
        same(
            "margin",
            "of dynamic bounds; 20 for the difference, 2000 for Heyden's",
            Domain::Real(0.0, 1e9),
            Value::Unset,
        ),
    ]
}

pub(super) fn probing() -> Vec<Parameter> {
    vec![
        same("probing", "moves probed of each successor", Domain::Count(2, 1_000), Value::Count(4)),
        same(
            "probing_order",
            "all of one successor before the next, or one of each in turn",
            name_of(&PROBING_ORDERS),
            Value::Name("sequential"),
        ),
    ]
}

/// The weights of Heyden's evaluation.
pub(super) const WEIGHTS: [(&str, &str); 5] = [
    ("w_score", "weight of the difference of points; 100"),
    ("w_standing", "weight of what unfinished features would bring; 10"),
    ("w_open_city", "a tile of an unfinished city in that; 1.25"),
    ("w_meeples", "weight of the difference of meeples in hand; 10"),
    ("w_poor_field", "each own field with fewer than three complete cities; -40"),
];

fn times() -> Vec<Parameter> {
    let seconds = Domain::Real(0.001, 1e6);
    vec![
        same("time_per_move", "seconds a decision; games cannot be repeated", seconds.clone(), Value::Unset),
        same(
            "time_per_game",
            "seconds a game: what is left, divided by the turns left; games cannot be repeated",
            seconds,
            Value::Unset,
        ),
    ]
}

pub(super) fn logarithm() -> Parameter {
    both(
        "ln",
        "protection of ln: of the absolute value and 0 at 0, or clamped",
        name_of(&names(&LnRule::NAMES)),
        ["abs", "clamp"].map(Value::Name),
    )
}

pub(super) fn evolution(semantic: bool) -> Vec<Parameter> {
    let mut evolution = vec![
        same("generations", "generations", Domain::Count(1, 100_000), Value::Count(20)),
        same("lambda", "offspring a generation", Domain::Count(1, 10_000), Value::Count(4)),
        same("simulations", "playouts an evaluation", Domain::Count(1, 1_000_000), Value::Count(30)),
        same("strategy", "whether the parent competes", name_of(&names(&Form::NAMES)), Value::Name("plus")),
        same("parent", "the parent's fitness", name_of(&names(&ParentFitness::NAMES)), Value::Name("keep")),
        same("return", "the formula that comes out", name_of(&names(&Returned::NAMES)), Value::Name("best-ever")),
        both(
            "evaluation",
            "a playout of an evaluation: descend by the formula, choose a root child, or a full iteration",
            name_of(&names(&Evaluation::NAMES)),
            ["descend", "root-child"].map(Value::Name),
        ),
        both(
            "evo_tree",
            "the tree that evaluations update",
            name_of(&names(&EvoTree::NAMES)),
            ["copy", "shared"].map(Value::Name),
        ),
        both(
            "seed_k",
            "c of the seed: drawn once a decision, at every use, or this number",
            Domain::NameOrReal(SEED_CONSTANTS.to_vec(), 0.0, 1e6),
            ["per-decision", "per-use"].map(Value::Name),
        ),
        same(
            "terminals",
            "Q, n, N, c, with or without the number 2",
            name_of(&names(&TERMINALS)),
            Value::Name("with-two"),
        ),
        same("max_depth", "the deepest formula; a leaf has depth 0", Domain::Count(1, 64), Value::Count(8)),
        logarithm(),
    ];
    if semantic {
        evolution.extend([
            same("alpha", "lower bound of semantic similarity", Domain::Real(0.0, 1e6), Value::Real(5.0)),
            same("beta", "upper bound of semantic similarity", Domain::Real(0.0, 1e6), Value::Real(10.0)),
            both(
                "semantics",
                "rewards sorted, distances rounded to 3 decimals, or rewards as they came",
                name_of(&names(&Semantics::NAMES)),
                ["sorted", "rounded"].map(Value::Name),
            ),
            same(
                "semantic_rule",
                "semantics decides ties, or Algorithm 2 to the letter",
                name_of(&names(&SemanticRule::NAMES)),
                Value::Name("ties"),
            ),
            same(
                "tie_epsilon",
                "fitnesses this close to the best tie with it",
                Domain::Real(0.0, 1e6),
                Value::Real(0.0),
            ),
        ]);
    }
    evolution
}
