//! Evolution of structures, whose constants are searched inside, and climbs: planted formulas are found that only tuning
//! finds, and nothing is measured twice.

use crate::offline::{Planted, course, noise, sized};
use evouct::gp::{Decisions, Genome, LnRule, Slot, Terminal};
use evouct::offline::{EvolutionPlan, History, Request, evolve, finals};
use std::collections::HashSet;

const OPERATORS: &str =
    "crossover = 0.1\nsubtree = 0.1\npoint = 0.05\nhoist = 0\nconstant = 0\ngrow = 0.5\nprune = 0.2";

/// No operator that changes a structure.
const CONSTANTS: &str = "crossover = 0\nsubtree = 0\npoint = 0\nhoist = 0\ntoggle = 0\nconstant = 1";

/// An evolution of structures with 8 samples of constants a round, from these seeds.
fn plan(seed: &str, more: &str) -> EvolutionPlan {
    let text = sized(&format!("cma_samples = 8\n{more}"), 12).toml;
    let text = text.replace("seeds = [\"Q\"]", &format!("seeds = [\"{seed}\"]"));
    EvolutionPlan::parse(&text, "structures.toml", None).unwrap()
}

/// How far the formula's values are from these, on a grid; the order of children is not enough.
fn distance(genome: &Genome, target: impl Fn(f64, f64) -> f64) -> f64 {
    let tree = genome.tree(Slot::Select).unwrap();
    let mut total = 0.0;
    for mean in [-20.0, -3.0, 0.0, 5.0, 30.0] {
        for visits in [1.0, 2.0, 8.0, 40.0] {
            let value = |terminal: Terminal| match terminal {
                Terminal::Number(number) => number,
                Terminal::Mean => mean,
                Terminal::ChildVisits => visits,
                _ => 400.0,
            };
            total += (tree.evaluate_by(value, LnRule::Abs) - target(mean, visits)).abs().min(100.0);
        }
    }
    total / 20.0
}

#[test]
fn constants_that_only_tuning_finds_are_found() {
    let target = |mean: f64, visits: f64| 0.37 * mean + 91.0 / (visits + 3.6);
    let alone = plan("Q + 20 / (n + 1)", CONSTANTS);
    let value = |request: &Request, block: u32| -distance(&request.genome, target) + noise(request, block);
    let (history, champion) = course(&alone, value);
    assert_eq!(history.individuals.len(), 1, "a structure is one individual");
    // Without a factor of Q the structure cannot do better than 7.4.
    let of_seed = distance(&alone.seeds[0], target);
    let best = distance(&champion.unwrap(), target);
    assert!(best < 0.8 * of_seed, "{best} of {of_seed}");
    // With structure it does: Q grows a factor.
    let (history, champion) = course(&plan("Q + 20 / (n + 1)", OPERATORS), value);
    let champion = champion.unwrap();
    assert!(distance(&champion, target) < 0.4 * best, "{champion}: {} of {best}", distance(&champion, target));
    assert!(history.individuals.len() > 50);
}

#[test]
fn no_structure_and_no_decision_is_measured_twice() {
    let plan = plan("Q + 20 / (n + 1)", OPERATORS);
    let value = |request: &Request, block: u32| -distance(&request.genome, |mean, _| mean) + noise(request, block);
    let (history, _) = course(&plan, value);
    let structures: HashSet<String> =
        history.individuals.iter().map(|each| each.genome.structure(LnRule::Abs)).collect();
    assert_eq!(structures.len(), history.individuals.len());
    assert!(history.folded.len() > 5, "{}", history.folded.len());
    for folded in &history.folded {
        // It was born after the individual that stands for it, and has another structure.
        assert!(history.individuals[folded.into].born <= folded.born);
        assert_ne!(
            history.individuals[folded.into].genome.structure(LnRule::Abs),
            folded.genome.structure(LnRule::Abs)
        );
    }
    let newborn: Vec<Decisions> = history
        .individuals
        .iter()
        .filter(|each| each.born == 0 && each.genome.numbers().is_empty())
        .map(|each| Decisions::of(&each.genome, LnRule::Abs))
        .collect();
    assert!(newborn.iter().enumerate().all(|(place, one)| !newborn[..place].contains(one)));
}

#[test]
fn equal_structures_yield_no_champion() {
    let equal = |request: &Request, block: u32| noise(request, block);
    let champions = (0..6).filter(|seed| {
        let text = plan("Q + 20 / (n + 1)", OPERATORS).toml.replace("generations = 25", "generations = 8");
        let plan = EvolutionPlan::parse(&text, "equal.toml", Some(*seed)).unwrap();
        course(&plan, equal).1.is_some()
    });
    assert_eq!(champions.count(), 0);
}

#[test]
fn structures_are_an_evolution_of_their_own_and_others_keep_their_identity() {
    let with = plan("Q + 20 / n", "");
    let text = with.toml.replace("cma_samples = 8\n", "");
    let without = EvolutionPlan::parse(&text, "without.toml", None).unwrap();
    assert_ne!(with.hash("bank"), without.hash("bank"));
    let zero = EvolutionPlan::parse(&with.toml.replace("= 8\n", "= 0\n"), "zero.toml", None).unwrap();
    assert_eq!(zero.hash("bank"), without.hash("bank"));
    let few = EvolutionPlan::parse(&with.toml.replace("= 8\n", "= 3\n"), "few.toml", None).unwrap_err();
    assert!(few.to_string().contains("cma_samples: expected 0 or at least 4, found 3"), "{few}");
    let block = with.toml.replace("positions = 1000", "positions = 1000\nblock = 1000");
    let block = EvolutionPlan::parse(&block, "block.toml", None).unwrap_err();
    assert!(block.to_string().contains("a round of 1000 positions is one block of 1000"), "{block}");
    // An identity covers what a program changed.
    let mut changed = without.clone();
    changed.variation.max_nodes += 1;
    assert_ne!(changed.hash("bank"), without.hash("bank"));
}

/// A climb from Q: its terms are Q, n and N.
fn climb(more: &str) -> EvolutionPlan {
    let text = sized("", 12).toml.replace("[evolve]", &format!("[evolve]\nalgorithm = \"climb\"\n{more}"));
    let text = text.replace("measure = \"regret\"\npositions = 1000", "measure = \"games\"\ndecks = [4, 8, 16, 64]");
    let text = text.replace("generations = 25", "generations = 6").replace("islands = 2\npopulation = 12\n", "");
    EvolutionPlan::parse(&text, "climb.toml", None).unwrap()
}

const STEPS: &str = "grow = 1\nprune = 1\nconstant = 1";

#[test]
fn a_climb_makes_the_steps_that_win() {
    let plan = climb(STEPS);
    let target = |mean: f64, visits: f64| mean - 4.0 * visits;
    // What a genome wins from the one that it plays against: the formula as it stands.
    let value = |request: &Request, block: u32| {
        let opponent = if request.stage == 0 { &request.hall[0] } else { &plan.seeds[0] };
        distance(opponent, target) - distance(&request.genome, target) + 0.3 * noise(request, block)
    };
    let mut judge = Planted { plan: &plan, value, units: Vec::new() };
    let history = evolve(&plan, &mut judge).unwrap();
    // Sequential halving: of the neighbours the better half after each round, and the best one in the last.
    let first = history.individuals.iter().filter(|each| each.born == 0).count() - 1;
    let units = [vec![4; 8], vec![8; 4], vec![16; 2], vec![64]].concat();
    assert!(first == 8 && judge.units.starts_with(&units), "{first} {:?}", judge.units);
    let rows = &history.generations;
    assert_eq!((rows.len(), rows[0].island), (6, 0));
    assert!(rows.windows(2).all(|pair| pair[0].best_gain <= pair[1].best_gain), "{rows:?}");
    let best = &history.individuals[rows[5].best];
    assert!(distance(&best.genome, target) < 0.2 * distance(&plan.seeds[0], target), "{}", best.genome);
    // Its gain over the start is that of its steps.
    let gain = distance(&plan.seeds[0], target) - distance(&best.genome, target);
    assert!((best.fitness.mean() - gain).abs() < 0.5, "{} {gain}", best.fitness.mean());
    // Each step is a neighbour of the one before, and measured by its test alone.
    let steps = history.steps.as_ref().unwrap();
    assert!(steps.len() > 1 && steps.last() == Some(&rows[5].best), "{steps:?}");
    let path: Vec<usize> = [0].into_iter().chain(steps.iter().copied()).collect();
    for pair in path.windows(2) {
        let step = &history.individuals[pair[1]];
        assert_eq!((step.parents[0], step.fitness.units()), (pair[0], 64));
    }
    // The last steps are the finalists.
    assert_eq!(history.finalists(2)[0], best.genome);
    assert_eq!(history.front().len(), steps.len());
    let finals = finals(&plan, &history, &mut judge).unwrap();
    assert_eq!(finals.entered, steps.len());
    assert!(distance(finals.champion().unwrap().0, target) <= distance(&best.genome, target) + 0.5);
}

#[test]
fn a_climb_rarely_makes_a_step_that_wins_nothing() {
    let mut steps = 0;
    for seed in 0..200 {
        let plan = EvolutionPlan::parse(&climb(STEPS).toml, "climb.toml", Some(seed)).unwrap();
        // All play alike. Another seed has other games.
        let value = |request: &Request, block: u32| noise(request, block + 1_000 * seed as u32);
        let mut judge = Planted { plan: &plan, value, units: Vec::new() };
        let history = evolve(&plan, &mut judge).unwrap();
        steps += history.steps.as_ref().unwrap().len();
        if history.steps.unwrap().is_empty() {
            let finals = finals(&plan, &History { steps: Some(Vec::new()), ..history }, &mut judge).unwrap();
            assert!(finals.rows.is_empty() && finals.champion().is_none());
            assert_eq!(finals.without_champion(), "no champion: there is no finalist");
        }
    }
    // Of 1,200 tests 2.5 % on average; more than 50 have a probability of 0.0004.
    assert!((10..=50).contains(&steps), "{steps}");
}

#[test]
fn a_climb_says_what_it_cannot_have() {
    let text = climb(STEPS).toml;
    for (from, to, expected) in [
        ("[\"Q\"]", "[\"Q\", \"n\"]", "a climb starts from one formula, found 2"),
        (
            "grow = 1",
            "grow = 1\nhall_of_fame = 2",
            "hall_of_fame: a climb, which changes one formula by its neighbours, has none",
        ),
        ("grow = 1", "grow = 1\nislands = 2", "islands: a climb"),
        ("decks = [4, 8, 16, 64]", "decks = [64]", "expected two rounds or more, of which the last tests the best"),
        ("decks = [4, 8, 16, 64]", "decks = [4, 1]", "expected two rounds or more"),
        ("grow = 1\nprune = 1\n", "", "no step leads from the seed"),
        ("max_nodes = 15", "max_nodes = 1", "no step leads from the seed"),
        ("[[stage]]\nmeasure = \"games\"\ndecks = [100, 200, 400]", "", "a second [[stage]] is missing"),
        ("grow = 1\nprune = 1\nconstant = 1", "constant = 0", "expected a weight above 0 for one of them"),
        (
            "measure = \"games\"\ndecks = [4, 8, 16, 64]",
            "measure = \"regret\"\npositions = 100",
            "expected games, because neighbours play against the formula",
        ),
    ] {
        let changed = text.replace(from, to);
        assert_ne!(changed, text);
        let error = EvolutionPlan::parse(&changed, "climb.toml", None).unwrap_err().to_string();
        assert!(error.contains(expected) && error.lines().count() == 1, "{expected}: {error}");
    }
    // Multiples of Q order children alike.
    let alike = text.replace("[\"Q\"]", "[\"2 * Q\"]").replace(STEPS, "constant = 1");
    let error = EvolutionPlan::parse(&alike, "climb.toml", None).unwrap_err().to_string();
    assert!(error.contains("no step leads from the seed") && error.contains("decide as it does"), "{error}");
    // It is an evolution of its own.
    let other = EvolutionPlan::parse(&text.replace("algorithm = \"climb\"\n", ""), "other.toml", None).unwrap();
    assert_ne!(other.hash(""), climb(STEPS).hash(""));
}
