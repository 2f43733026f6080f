//! The kinds of player: names, parameters, sources.

use super::contract::Player;
use super::groups::{
    both, bounds, budget, evolution, exact, logarithm, name_of, opponent, playouts, probing, rave, rollouts, same,
    tree, uct,
};
use super::options::{SEED_CONSTANTS, names};
use super::parameter::{Domain, Parameter, Value};
use super::random::Random;
use super::spec::Spec;
use crate::carcassonne::{PlayoutPolicy, State};
use crate::search::{ChanceSearch, Probing, Shares};
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

const PAPER: &str = "Galván, Simpson, Valdez Ameneyro 2022";

fn make_kinds() -> Vec<Kind> {
    let evolving = |name, about, source, make| Kind {
        name,
        about,
        source,
        parameters: [budget(true), tree("mean"), opponent(), evolution(name == "siea-mcts")].concat(),
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
                name_of(&names(&PlayoutPolicy::NAMES)),
                Value::Name("joint"),
            )],
            make: |spec, key| Box::new(Random::new(spec.playout("policy"), key)),
        },
        Kind {
            name: "mcts",
            about: "Monte Carlo Tree Search with UCT",
            source: "Kocsis, Szepesvári 2006; Galván et al. 2022, IV-A",
            parameters: [budget(false), uct(std::f64::consts::SQRT_2, "doubled"), rollouts(), tree("mean")].concat(),
            make: |spec, key| Box::new(spec.mcts(spec.uct(), key)),
        },
        Kind {
            name: "mcts-rave",
            about: "MCTS whose means are mixed with those of all moves as first",
            source: "Gelly, Silver 2007; Valdez Ameneyro et al. 2020, III-B; Galván et al. 2022, IV-B",
            parameters: [
                budget(false),
                uct(std::f64::consts::SQRT_2, "doubled"),
                rave(),
                rollouts(),
                tree("tree-policy"),
            ]
            .concat(),
            make: |spec, key| Box::new(spec.mcts(spec.rave(), key)),
        },
        Kind {
            name: "flat-mc",
            about: "playouts shared equally among the moves, no tree",
            source: "Heyden 2009, 4.2",
            parameters: [budget(false), playouts("difference")].concat(),
            make: |spec, key| Box::new(spec.flat(Shares::Equal, key)),
        },
        Kind {
            name: "flat-mc-split",
            about: "two flat searches: two thirds of the budget for the placement, the rest for the meeple",
            source: "Müller, 5.1.2",
            parameters: [budget(false), playouts("difference")].concat(),
            make: |spec, key| Box::new(spec.flat(Shares::Split, key)),
        },
        Kind {
            name: "flat-ucb",
            about: "playouts shared by UCB over placements, then over meeples, no tree",
            source: "Müller, 5.1.4",
            parameters: [budget(false), uct(0.5, "plain"), playouts("portion")].concat(),
            make: |spec, key| Box::new(spec.flat(Shares::Ucb(spec.exploration()), key)),
        },
        Kind {
            name: "expectimax",
            about: "every move and every tile to a fixed depth, no pruning; two seats",
            source: "Heyden 2009, 5.3",
            parameters: exact(),
            make: |spec, _| Box::new(spec.star(ChanceSearch::Expectimax)),
        },
        Kind {
            name: "star1",
            about: "expectimax with windows at chance nodes; two seats",
            source: "Ballard 1983; Heyden 2009, 5.4.1; Galván et al. 2022, IV-F",
            parameters: [exact(), bounds()].concat(),
            make: |spec, _| Box::new(spec.star(ChanceSearch::Star1)),
        },
        Kind {
            name: "star2",
            about: "Star1 after one move of each successor is probed; two seats",
            source: "Ballard 1983; Heyden 2009, 5.4.2; Galván et al. 2022, IV-F",
            parameters: [exact(), bounds()].concat(),
            make: |spec, _| Box::new(spec.star(ChanceSearch::Star2(Probing { factor: 1, cyclic: false }))),
        },
        Kind {
            name: "star2.5",
            about: "Star2 with several moves probed; two seats",
            source: "Ballard 1983; Heyden 2009, 5.4.3; Valdez Ameneyro et al. 2020; Galván et al. 2022, IV-F",
            parameters: [exact(), bounds(), probing()].concat(),
            make: |spec, _| Box::new(spec.star(ChanceSearch::Star2(spec.probing()))),
        },
        evolving(
            "ea-p-mcts",
            "MCTS whose formula is evolved at each decision; evaluations leave the tree alone",
            "Galván et al. 2022, IV-C, Algorithm 1",
            |spec, key| Box::new(spec.mcts(super::mcts::Selector::Evolving(spec.evolution()), key)),
        ),
        evolving(
            "ea-mcts",
            "MCTS whose formula is evolved at each decision; evaluations update a tree",
            "Galván et al. 2022, IV-D, Algorithm 2",
            |spec, key| Box::new(spec.mcts(super::mcts::Selector::Evolving(spec.evolution()), key)),
        ),
        evolving(
            "siea-mcts",
            "EA-MCTS in which sampling semantics decides between equals",
            "Galván et al. 2022, IV-E, Algorithm 2",
            |spec, key| Box::new(spec.mcts(super::mcts::Selector::Evolving(spec.evolution()), key)),
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
                tree("mean"),
                opponent(),
            ]
            .concat(),
            make: |spec, key| Box::new(spec.mcts(spec.formula(), key)),
        },
    ]
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
            spec.evolution().playouts()
        };
        assert_eq!(evolution("siea-mcts", Preset::Text), 2_430);
        assert_eq!(evolution("siea-mcts", Preset::Reference), 2_430);
        assert_eq!(evolution("siea-mcts:strategy=comma", Preset::Text), 2_400);
        assert_eq!(evolution("siea-mcts:parent=reevaluate", Preset::Text), 3_000);
    }
}
