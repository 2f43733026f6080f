//! The kinds of player: names, parameters, defaults, sources.

use super::contract::Player;
use super::options::{CHANCES, FINAL_MOVES, FIRST_ITERATIONS, PARENT_VISITS, SEED_CONSTANTS, TERMINALS, names};
use super::parameter::{Domain, Parameter, Value};
use super::random::Random;
use super::spec::Spec;
use crate::carcassonne::{Policy, State};
use crate::evolve::{Evaluation, EvoTree, Form, ParentFitness, Returned, SemanticRule, Semantics, Variant};
use crate::gp::LnRule;
use crate::search::{Opponent, Reward, UcbForm};
use crate::seed::Key;
use std::sync::LazyLock;

/// A kind of player.
#[derive(Debug)]
pub struct Kind {
    /// Its name in files and on the command line.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    pub(super) make: fn(&Spec, Key) -> Box<dyn Player<State>>,
}

/// All kinds.
pub fn kinds() -> &'static [Kind] {
    static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(make_kinds);
    &KINDS
}

/// The kind of this name.
pub fn kind(name: &str) -> Option<&'static Kind> {
    kinds().iter().find(|kind| kind.name == name)
}

impl Kind {
    /// Values of a spec that contradict one another: the parameter at fault and why.
    pub(super) fn contradiction(&self, spec: &Spec) -> Option<(&'static str, String)> {
        let [alpha, beta] = ["alpha", "beta"].map(|name| spec.value(name));
        if let (Value::Real(alpha), Value::Real(beta)) = (alpha, beta)
            && beta <= alpha
        {
            return Some(("beta", format!("beta = {beta} is not above alpha = {alpha}")));
        }
        if self.name == "formula" && *spec.value("formula") == Value::Unset {
            return Some(("formula", format!("formula is needed: {}", Domain::Formula)));
        }
        let chance = spec.value("chance");
        if spec.is_given("decks") && *chance != Value::Name("determinised") {
            return Some(("decks", format!("decks is for chance = determinised, found {chance}")));
        }
        if *spec.value("evaluation") == Value::Name("full") && self.name == "ea-p-mcts" {
            return Some(("evaluation", "evaluation = full expands the tree, which ea-p-mcts leaves alone".to_owned()));
        }
        None
    }
}

const PAPER: &str = "Galván, Simpson, Valdez Ameneyro 2022";

fn make_kinds() -> Vec<Kind> {
    let evolving = |name, about, source, make| Kind {
        name,
        about,
        source,
        parameters: [budget(true), tree(), evolution(name == "siea-mcts")].concat(),
        make,
    };
    vec![
        Kind {
            name: "random",
            about: "plays a random legal move",
            source: "Galván et al. 2022, IV-G; Valdez Ameneyro et al. 2020",
            parameters: vec![same(
                "policy",
                "how a move is drawn",
                name_of(&names(&Policy::NAMES)),
                Value::Name("joint"),
            )],
            make: |spec, key| Box::new(Random::new(spec.playout("policy"), &mut key.stream())),
        },
        Kind {
            name: "mcts",
            about: "Monte Carlo Tree Search with UCT",
            source: "Kocsis, Szepesvári 2006; Galván et al. 2022, IV-A",
            parameters: [
                budget(false),
                vec![
                    same(
                        "k",
                        "exploration: K of the doubled form, C of the plain one",
                        Domain::Real(0.0, 1e6),
                        Value::Real(std::f64::consts::SQRT_2),
                    ),
                    same(
                        "ucb",
                        "doubled: Q + 2K·sqrt(2·ln N / n); plain: Q + C·sqrt(ln N / n)",
                        name_of(&names(&UcbForm::NAMES)),
                        Value::Name("doubled"),
                    ),
                ],
                tree(),
            ]
            .concat(),
            make: |spec, key| Box::new(spec.mcts(spec.uct(), key)),
        },
        evolving(
            "ea-p-mcts",
            "MCTS whose formula is evolved at each decision; evaluations leave the tree alone",
            "Galván et al. 2022, IV-C, Algorithm 1",
            |spec, key| Box::new(spec.mcts(super::mcts::Selector::Evolving(spec.evolution(Variant::Partial)), key)),
        ),
        evolving(
            "ea-mcts",
            "MCTS whose formula is evolved at each decision; evaluations update a tree",
            "Galván et al. 2022, IV-D, Algorithm 2",
            |spec, key| Box::new(spec.mcts(super::mcts::Selector::Evolving(spec.evolution(Variant::Full)), key)),
        ),
        evolving(
            "siea-mcts",
            "EA-MCTS in which sampling semantics decides between equals",
            "Galván et al. 2022, IV-E, Algorithm 2",
            |spec, key| Box::new(spec.mcts(super::mcts::Selector::Evolving(spec.evolution(Variant::Semantic)), key)),
        ),
        Kind {
            name: "formula",
            about: "MCTS with a given formula in place of UCT",
            source: PAPER,
            parameters: [
                vec![
                    same("formula", "the formula, infix or prefix", Domain::Formula, Value::Unset),
                    both(
                        "c",
                        "the value of c in it: a number, or drawn from the paper's set",
                        Domain::NameOrReal(SEED_CONSTANTS.to_vec(), 0.0, 1e6),
                        ["per-decision", "per-use"].map(Value::Name),
                    ),
                    logarithm(),
                ],
                budget(false),
                tree(),
            ]
            .concat(),
            make: |spec, key| Box::new(spec.mcts(spec.formula(), key)),
        },
    ]
}

/// A parameter with the same default under both presets.
fn same(name: &'static str, about: &'static str, domain: Domain, default: Value) -> Parameter {
    Parameter { name, about, domain, text: default.clone(), reference: default }
}

/// A parameter with a default for `text` and one for `reference`.
fn both(name: &'static str, about: &'static str, domain: Domain, [text, reference]: [Value; 2]) -> Parameter {
    Parameter { name, about, domain, text, reference }
}

fn name_of(names: &[&'static str]) -> Domain {
    Domain::Name(names.to_vec())
}

fn budget(evolving: bool) -> Vec<Parameter> {
    let seconds = Domain::Real(0.001, 1e6);
    let mut budget = vec![
        same(
            "iterations",
            "iterations a decision; unlimited where a time is given instead",
            Domain::Count(1, 1_000_000_000),
            Value::Count(400),
        ),
        same("time_per_move", "seconds a decision; games cannot be repeated", seconds.clone(), Value::Unset),
        same(
            "time_per_game",
            "seconds a game: what is left, divided by the turns left; games cannot be repeated",
            seconds,
            Value::Unset,
        ),
    ];
    if evolving {
        let about = "whether playouts of evolution count as iterations";
        budget.push(same("count_evolution", about, Domain::Flag, Value::Flag(false)));
    }
    budget
}

fn tree() -> Vec<Parameter> {
    vec![
        same("playout", "the default policy", name_of(&names(&Policy::NAMES)), Value::Name("joint")),
        same(
            "reward",
            "what a playout is worth: points or ±1",
            name_of(&names(&Reward::NAMES)),
            Value::Name("difference"),
        ),
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
            "opponent",
            "how a formula serves opponents: f(-Q), -f(Q), or the second seat minimises f of the first's Q",
            name_of(&names(&Opponent::NAMES)),
            ["negate-q", "absolute"].map(Value::Name),
        ),
        both(
            "first_iteration",
            "whether the first iteration expands or is a playout from the root",
            name_of(&FIRST_ITERATIONS),
            ["expand", "playout"].map(Value::Name),
        ),
        same("final", "the move that is played", name_of(&names(&FINAL_MOVES)), Value::Name("mean")),
    ]
}

fn logarithm() -> Parameter {
    both(
        "ln",
        "protection of ln: of the absolute value and 0 at 0, or clamped",
        name_of(&names(&LnRule::NAMES)),
        ["abs", "clamp"].map(Value::Name),
    )
}

fn evolution(semantic: bool) -> Vec<Parameter> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Preset;

    #[test]
    fn every_default_is_in_its_domain() {
        for kind in kinds() {
            for parameter in &kind.parameters {
                for value in [&parameter.text, &parameter.reference] {
                    let raw = super::super::parameter::Raw::Text(value.to_string());
                    let accepted = *value == Value::Unset || parameter.domain.accept(&raw).as_ref() == Some(value);
                    assert!(accepted, "{}: {} = {value}", kind.name, parameter.name);
                }
            }
            let mut names: Vec<&str> = kind.parameters.iter().map(|parameter| parameter.name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), kind.parameters.len(), "{} names a parameter twice", kind.name);
        }
    }

    #[test]
    fn the_presets_spend_the_playouts_of_the_paper() {
        let evolution = |text: &str, preset| {
            let spec = Spec::parse(text, preset).unwrap();
            spec.evolution(Variant::Semantic).playouts()
        };
        assert_eq!(evolution("siea-mcts", Preset::Text), 2_430);
        assert_eq!(evolution("siea-mcts", Preset::Reference), 2_430);
        assert_eq!(evolution("siea-mcts:strategy=comma", Preset::Text), 2_400);
        assert_eq!(evolution("siea-mcts:parent=reevaluate", Preset::Text), 3_000);
    }
}
