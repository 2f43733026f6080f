//! Offline evolution: it finds a planted formula, and names no champion where formulas are equal.

use evouct::gp::{
    Column, Function, Genome, Inputs, LnRule, Operator, Primitive, Scope, Slot, Statistic, Terminal, Tree, Variation,
    in_one_slot,
};
use evouct::offline::{
    EvolutionError, EvolutionHeader, EvolutionPlan, History, Judge, Measured, Measurement, Request, evolve, finals,
};
use evouct::seed::Key;
use evouct::store::Entries;
use rand::Rng;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The batch of the sample of semantics.
const SEMANTICS: u32 = u32::MAX - 1;

fn plan(more: &str) -> EvolutionPlan {
    sized(more, 40)
}

pub(crate) fn sized(more: &str, population: usize) -> EvolutionPlan {
    evouct::registry::add_games();
    let text = format!(
        r#"
name = "planted"
[evolve]
bank = "nowhere"
seeds = ["Q"]
islands = 2
population = {population}
generations = 25
max_nodes = 15
functions = ["add", "sub", "mul", "div"]
{more}
[[player]]
kind = "formula"
iterations = 50
[[opponent]]
kind = "random"
[[stage]]
measure = "regret"
positions = 1000
[[stage]]
measure = "games"
decks = [100, 200, 400]
"#
    );
    EvolutionPlan::parse(&text, "planted.toml", None).unwrap()
}

/// Measures a genome.
pub(crate) struct Planted<'a, F> {
    pub(crate) plan: &'a EvolutionPlan,
    pub(crate) value: F,
    /// The number of units of each genome of the first stage.
    pub(crate) units: Vec<u32>,
}

impl<F: Fn(&Request, u32) -> f64> Judge for Planted<'_, F> {
    fn measure(&mut self, requests: &[Request]) -> Result<Vec<Measured>, EvolutionError> {
        let of_first = requests.iter().filter(|request| request.stage == 0);
        self.units.extend(of_first.map(|request| request.units));
        let sum = |request: &Request, (block, units): (u32, u32)| (self.value)(request, block) * f64::from(units);
        let measured = |request: &Request| {
            let blocks = (0..).zip(self.plan.block_units(request));
            Measured { sums: blocks.map(|block| sum(request, block)).collect(), ..Measured::default() }
        };
        Ok(requests.iter().map(measured).collect())
    }
}

/// The mean distance of a formula to another one over a grid.
pub(crate) fn distance(genome: &Genome, target: &Tree) -> f64 {
    let tree = genome.tree(Slot::Select).unwrap();
    let mut total = 0.0;
    for mean in [-20.0, -3.0, 0.0, 5.0, 30.0] {
        for visits in [1.0, 2.0, 8.0, 40.0] {
            let inputs = Inputs { mean, visits, parent: 400.0, constant: 1.0 };
            let difference = tree.evaluate(inputs, LnRule::Abs) - target.evaluate(inputs, LnRule::Abs);
            total += difference.abs().min(100.0);
        }
    }
    total / 20.0
}

/// Noise that depends on the measurement only.
pub(crate) fn noise(request: &Request, block: u32) -> f64 {
    let text = format!("{} {} {} {block}", request.stage, request.batch, request.genome);
    let mut stream = Key::experiment(1).named(&text, 0).stream();
    (0..12).map(|_| (stream.next_u64() >> 11) as f64 / (1_u64 << 53) as f64).sum::<f64>() - 6.0
}

pub(crate) fn course(plan: &EvolutionPlan, value: impl Fn(&Request, u32) -> f64) -> (History, Option<Genome>) {
    course_by(plan, &mut Planted { plan, value, units: Vec::new() })
}

/// The course of an evolution, and the genome that wins its finals.
pub(crate) fn course_by(plan: &EvolutionPlan, judge: &mut dyn Judge) -> (History, Option<Genome>) {
    let history = evolve(plan, judge).unwrap();
    let finals = finals(plan, &history, judge).unwrap();
    (history, finals.champion().map(|(genome, _)| genome.clone()))
}

#[test]
fn a_planted_formula_is_found_again() {
    let target: Tree = "Q + 20 / n".parse().unwrap();
    let planted = |request: &Request, block: u32| -distance(&request.genome, &target) + noise(request, block);
    for algorithm in ["generational", "plus", "comma"] {
        let mut plan = plan(&format!("algorithm = \"{algorithm}\"\noffspring = 60"));
        // What is planted are values, which genomes that decide alike do not share.
        plan.course = 0;
        let (history, champion) = course(&plan, planted);
        let champion = champion.unwrap_or_else(|| panic!("{algorithm} found nothing"));
        // The seed, is 8.25 away.
        // A comma strategy loses its best, so its result only has to be nearer than the seed.
        let near = if algorithm == "comma" { 8.0 } else { 2.5 };
        assert!(distance(&champion, &target) < near, "{algorithm}: {champion}");
        assert!(history.individuals.iter().all(|individual| individual.genome.largest() <= 15), "{algorithm}");
        // The course is a function of the plan and what was measured.
        assert_eq!(course(&plan, planted).1.as_ref(), Some(&champion), "{algorithm}");
    }
}

#[test]
fn where_nothing_but_constants_evolves_all_formulas_have_the_form_of_a_seed() {
    evouct::registry::add_games();
    let target: Tree = "Q + 20 / n".parse().unwrap();
    let value = |request: &Request, _: u32| -distance(&request.genome, &target);
    let operators = "crossover = 0\nsubtree = 0\npoint = 0\nhoist = 0\ntoggle = 0\nconstant = 1";
    let text = plan(operators).toml.replace("seeds = [\"Q\"]", "seeds = [\"Q + 5 / n\"]");
    let plan = EvolutionPlan::parse(&text, "constants.toml", None).unwrap();
    let (history, champion) = course(&plan, value);
    let form = |genome: &Genome| {
        let text = genome.tree(Slot::Select).unwrap().to_string();
        text.split(' ')
            .map(|word| if word.parse::<f64>().is_ok() { "number" } else { word }.to_owned())
            .collect::<Vec<_>>()
    };
    let forms: Vec<_> = history.individuals.iter().map(|individual| form(&individual.genome)).collect();
    assert!(forms.len() > 40 && forms.iter().all(|form| form.join(" ") == "Q + number / n"), "{forms:?}");
    assert!(distance(&champion.unwrap(), &target) < 0.5);
}

/// Runs a test in a process of its own, where nothing was read before; whether this is that process.
fn is_alone(test: &str) -> bool {
    if std::env::var_os("EVOUCT_TEST_ALONE").is_some() {
        return true;
    }
    let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
    let done = alone.args(["--exact", test]).env("EVOUCT_TEST_ALONE", "1").output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && said.contains("1 passed"), "{said}");
    false
}

#[test]
fn functions_statistics_and_operators_from_outside_evolve() {
    // Functions are added before files are read.
    if !is_alone("offline::functions_statistics_and_operators_from_outside_evolve") {
        return;
    }
    static SHARE: Primitive = Primitive::new("share", 1, |a, _| 20.0 / a.abs().max(1.0));
    static AGE: Statistic = Statistic::new("age", Scope::Child, 0);
    #[derive(Debug)]
    struct Shared(Function);
    impl Operator for Shared {
        fn name(&self) -> &'static str {
            "shared"
        }
        fn about(&self) -> &'static str {
            "The share of the formula."
        }
        fn apply(&self, [parent, _]: [&Genome; 2], _: &Variation, rng: &mut dyn Rng) -> Genome {
            in_one_slot(parent, rng, |_, tree, _| Tree::apply(self.0, std::slice::from_ref(tree)))
        }
    }
    let share = Function::add(&SHARE).unwrap();
    let text = plan("").toml.replace("\"div\"]", "\"share\"]");
    let mut own = EvolutionPlan::parse(&text, "outside.toml", None).unwrap();
    let identity = own.hash("bank");
    own.variation.operators.push((Arc::new(Shared(share)), 0.2));
    assert_ne!(own.hash("bank"), identity);
    own.variation.terminals.push(Terminal::Column(Column::Declared(&AGE)));

    let target: Tree = "Q + share(n)".parse().unwrap();
    let (history, champion) = course(&own, |request: &Request, _: u32| -distance(&request.genome, &target));
    let made = |name: &str| history.individuals.iter().filter(|each| each.operator == name).count();
    assert!(made("shared") > 20 && made("crossover") > made("shared"), "{}", made("shared"));
    let with = |name: &str| history.individuals.iter().filter(|each| each.genome.to_string().contains(name)).count();
    assert!(with("age") > 20, "{}", with("age"));
    let champion = champion.unwrap();
    assert!(champion.to_string().contains("share") && distance(&champion, &target) < 2.5, "{champion}");
}

#[test]
fn the_better_half_of_a_generation_is_measured_again() {
    evouct::registry::add_games();
    let target: Tree = "Q + 20 / n".parse().unwrap();
    let text = plan("constant_offspring = 0").toml.replace("positions = 1000", "positions = [50, 100, 200]");
    let text = text.replace("generations = 25", "generations = 1").replace("islands = 2", "islands = 1");
    let plan = EvolutionPlan::parse(&text, "rounds.toml", None).unwrap();
    let value = |request: &Request, _: u32| -distance(&request.genome, &target);
    let mut judge = Planted { plan: &plan, value, units: Vec::new() };
    let history = evolve(&plan, &mut judge).unwrap();
    let of = |units: u32| judge.units.iter().filter(|asked| **asked == units).count();
    let born = history.individuals.len();
    // Each round measures the reference, too.
    assert_eq!([of(50), of(100), of(200)], [born, born.div_ceil(2), born.div_ceil(4)].map(|count| count + 1));
    let mut often: Vec<_> = history.individuals.iter().filter(|each| each.fitness.units() == 350).collect();
    often.sort_by(|a, b| b.fitness.mean().total_cmp(&a.fitness.mean()));
    let best = history.individuals.iter().map(|each| each.fitness.mean()).fold(f64::NEG_INFINITY, f64::max);
    assert_eq!((often.len(), often[0].fitness.mean()), (born.div_ceil(4), best));
}

#[test]
fn games_are_measured_against_the_level_of_the_reference() {
    evouct::registry::add_games();
    let text = plan("constant_offspring = 0")
        .toml
        .replace("generations = 25", "generations = 6")
        .replace("\"regret\"", "\"games\"");
    let text = text.replace("positions = 1000", "decks = [4, 8]");
    let plan = EvolutionPlan::parse(&text, "games.toml", None).unwrap();
    // Luck moves the reference from batch to batch, which says nothing about the others.
    let worth = |genome: &Genome| genome.size() as f64;
    let luck = |batch: u32| f64::from(batch % 3) * 10.0 - 10.0;
    let value = |request: &Request, _: u32| match request.genome == plan.seeds[0] {
        true => luck(request.batch),
        false => worth(&request.genome),
    };
    let mut judge = Planted { plan: &plan, value, units: Vec::new() };
    let history = evolve(&plan, &mut judge).unwrap();
    let level = (0..12).map(|batch| luck(batch) * f64::from(4 + 4 * (batch % 2))).sum::<f64>() / (6.0 * 12.0);
    let others: Vec<_> = history.individuals.iter().filter(|each| each.genome != plan.seeds[0]).collect();
    assert!(others.len() > 100);
    for each in others {
        assert!((each.fitness.mean() - (worth(&each.genome) - level)).abs() < 1e-9, "{}", each.genome);
    }
}

#[test]
fn migrants_do_not_pass_those_who_were_measured_again() {
    evouct::registry::add_games();
    let sized = |generations: u32| {
        let more = "constant_offspring = 0\ntournament = 1000\nmigrate_every = 1\nelite = 1";
        let text = plan(more).toml.replace("positions = 1000", "positions = [50, 100]");
        let text = text.replace("generations = 25", &format!("generations = {generations}"));
        EvolutionPlan::parse(&text, "migration.toml", None).unwrap()
    };
    // Those that go on to the second round lose there: the mean of the others is higher.
    let value = |request: &Request, _: u32| match request.genome == Genome::parse("Q", &Terminal::NAMED).unwrap() {
        true => 0.0,
        false => request.genome.size() as f64 - f64::from(request.batch % 2) * 100.0,
    };
    let history = |generations: u32| {
        let plan = sized(generations);
        evolve(&plan, &mut Planted { plan: &plan, value, units: Vec::new() }).unwrap()
    };
    let first = history(1);
    let tried = |id: usize| first.individuals[id].fitness.units() == 150;
    let second = history(2);
    let born = second.individuals.iter().filter(|each| each.born == 1 && !each.parents.is_empty());
    // A tournament of a thousand takes the first parent.
    let parents: Vec<usize> = born.map(|each| each.parents[0]).collect();
    assert!(parents.len() > 20 && parents.iter().all(|id| tried(*id)), "{parents:?}");
}

/// An evolution of four generations on one island whose first stage is games.
fn in_games(more: &str) -> EvolutionPlan {
    evouct::registry::add_games();
    let text = plan(&format!("constant_offspring = 0\n{more}")).toml.replace("\"regret\"", "\"games\"");
    let text = text.replace("positions = 1000", "decks = 8").replace("islands = 2", "islands = 1");
    EvolutionPlan::parse(&text.replace("generations = 25", "generations = 4"), "games.toml", None).unwrap()
}

#[test]
fn the_latest_champions_are_opponents_too() {
    let plan = in_games("hall_of_fame = 2");
    let halls = RefCell::new(BTreeMap::new());
    let value = |request: &Request, _: u32| {
        halls.borrow_mut().insert((request.stage, request.batch), request.hall.clone());
        request.genome.size() as f64
    };
    let (history, _) = course(&plan, value);
    let best: Vec<_> = history.generations.iter().map(|row| history.individuals[row.best].genome.clone()).collect();
    let latest = |until: usize| {
        let mut hall: Vec<Genome> = Vec::new();
        for genome in &best[..until] {
            hall.retain(|member| member != genome);
            hall.push(genome.clone());
        }
        hall.split_off(hall.len().saturating_sub(2))
    };
    let halls = halls.into_inner();
    for generation in 0..4 {
        assert_eq!(halls[&(0, generation)], latest(generation as usize), "{generation}");
    }
    assert_eq!(halls[&(1, 0)], latest(4));
    assert_eq!(history.hall.members(), latest(4));
    // Eight decks against each of three opponents.
    let request = Request { stage: 0, batch: 0, units: 8, genome: plan.seeds[0].clone(), hall: latest(4) };
    assert_eq!(plan.block_units(&request).iter().sum::<u32>(), 8 * (1 + request.hall.len() as u32));
}

#[test]
fn semantics_choose_between_equals() {
    let plan = in_games("semantics = 6");
    let sample = RefCell::new(BTreeMap::new());
    // All are worth the same; on the sample of semantics each differs from the others.
    let value = |request: &Request, block: u32| match request.batch {
        SEMANTICS => {
            let value = 4.0 * noise(request, block);
            sample.borrow_mut().insert((request.genome.to_string(), block), value);
            value
        }
        _ => 0.0,
    };
    let (history, _) = course(&plan, value);
    let sample = sample.into_inner();
    let distance = |id: usize| {
        let own = &history.individuals[id];
        let parent = &history.individuals[*own.parents.first()?].genome;
        let of = |genome: &Genome, block: u32| sample.get(&(genome.to_string(), block)).copied();
        let cases = (0..6).map(|block| Some((of(&own.genome, block)? - of(parent, block)?).abs()));
        Some(cases.sum::<Option<f64>>()? / 6.0)
    };
    let chosen: Vec<f64> = history.generations.iter().filter_map(|row| distance(row.best)).collect();
    assert!(!chosen.is_empty() && chosen.iter().all(|distance| (5.0..10.0).contains(distance)), "{chosen:?}");
    // Of those that were there in the last generation none is nearer to alpha.
    let last = history.generations.last().unwrap();
    let of_last =
        history.individuals.iter().filter(|each| each.born == last.generation).filter_map(|each| distance(each.id));
    let nearest = of_last.filter(|distance| *distance > 5.0).fold(f64::INFINITY, f64::min);
    assert!(distance(last.best).unwrap() <= nearest);
}

#[test]
fn random_search_finds_less() {
    let target: Tree = "Q + 20 / n - n / 4".parse().unwrap();
    let planted = |request: &Request, _: u32| -distance(&request.genome, &target);
    let best = |algorithm: &str| {
        let plan = plan(&format!("algorithm = \"{algorithm}\"\noffspring = 36\nconstant_offspring = 0"));
        let (history, _) = course(&plan, planted);
        history.individuals.iter().map(|each| distance(&each.genome, &target)).fold(f64::INFINITY, f64::min)
    };
    assert!(best("generational") < best("random"));
}

#[test]
fn equal_fitness_yields_no_champion() {
    assert_eq!(course(&plan(""), |_, _| -3.0).1, None);
    assert_eq!(course(&plan(""), |request, block| f64::from(request.batch * 7 + block)).1, None);
}

#[test]
fn noise_yields_no_champion() {
    let champions =
        (0..12).filter(|seed| course(&sized("", 20 + seed), |request, block| 10.0 * noise(request, block)).1.is_some());
    // One false champion in twenty is the level of the test.
    assert!(champions.count() <= 3);
}

/// The identity of an evolution follows from its parameters. A change of it would orphan journals: it needs a reason in
/// the changelog.
#[test]
fn an_identity_depends_on_parameters_alone() {
    let identity = |more: &str| plan(more).hash("bank");
    assert_eq!(identity(""), "cbc3be98e82836c1");
    // What says nothing of the course is no part of it: the default, spelled out, and the decks of the proof.
    assert_eq!(identity("elite = 4\nheld_out_decks = 100"), identity(""));
    let changed = ["elite = 5", "trees = [\"untried\"]", "terminals = [\"Q\", \"n\"]", "semantics = 100"];
    for (number, more) in changed.iter().enumerate() {
        assert!(![""].iter().chain(&changed[..number]).any(|other| identity(other) == identity(more)), "{more}");
    }
    assert_ne!(plan("").hash("another bank"), identity(""));
}

#[test]
fn kept_evolutions_have_the_hash_of_their_plan() {
    evouct::registry::add_games();
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/evolve-2026/evolutions");
    let mut checked = [0, 0];
    for folder in std::fs::read_dir(kept).unwrap() {
        let journal = folder.unwrap().path().join("evolution.jsonl.zst");
        let header = Entries::<EvolutionHeader, Measurement>::read(&journal).unwrap().header.unwrap();
        let plan = EvolutionPlan::parse(&header.toml, "kept.toml", header.seed_override).unwrap();
        let is_of_0_1 = header.evouct.starts_with("0.1.");
        let hash = if is_of_0_1 { plan.hash_of_0_1(&header.bank) } else { plan.hash(&header.bank) };
        assert_eq!(hash, header.hash, "{}", header.name);
        checked[usize::from(is_of_0_1)] += 1;
    }
    assert!(checked[0] >= 5 && checked[1] >= 8, "{checked:?} kept evolutions");
}
