//! Evolution in a steady state: it is the same in whatever order measurements arrive, on any number of threads and shards,
//! and after kills; and it finds what generations find.

use crate::evolve::{EVOLUTION, is_the_same_killed_and_resumed, made_bank, shards_are_the_whole};
use crate::kills::is_the_same_when_killed;
use crate::offline::{Planted, course_by, distance, noise, sized};
use crate::program::{Scratch, fail, fails, say, succeed};
use evouct::gp::{Decisions, Genome, Tree};
use evouct::league::{End, Executor, Job, Taker};
use evouct::offline::{
    BlockSum, Blocks, EvolutionError, EvolutionOptions, EvolutionPlan, EvolutionSession, Flow, FlowRequest, Judge,
    Measured, Request, RunContext, evolve,
};
use evouct::sampling::below;
use evouct::search::Clock;
use evouct::seed::Key;
use std::cell::RefCell;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// The evolution of other tests in a steady state: 36 births, of which some are stopped after the first round.
pub(crate) fn steady(more: &str) -> String {
    let text = EVOLUTION.replace("semantics = 10\nequal = 50\n", "").replace("positions = 20", "positions = [10, 10]");
    text.replace("[evolve]", &format!("[evolve]\nalgorithm = \"steady-state\"\n{more}"))
}

/// The same by games against the latest champions, too.
fn in_games() -> String {
    let (start, stages) = steady("lag = 5").split_once("[[stage]]").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let (_, later) = stages.split_once("[[stage]]").unwrap();
    format!("{start}[[stage]]\nmeasure = \"games\"\ndecks = [1, 2]\n[[stage]]{later}")
}

#[test]
fn a_steady_state_is_the_same_on_any_number_of_threads_killed_and_resumed() {
    let scratch = is_the_same_killed_and_resumed(&steady("lag = 3"));
    assert_eq!(scratch.read("one/generations.csv").lines().count(), 1 + 3 * 2);
    let third = succeed(&["evolve", &scratch.path("small.toml"), "--out", &scratch.path("three"), "--threads", "3"]);
    assert!(third.contains(&succeed(&["digest", &scratch.path("one")])[..64]), "{third}");
    // Another lag is another evolution.
    let other = scratch.write("other.toml", &steady("lag = 4"));
    assert!(fail(&["evolve", &other, "--out", &scratch.path("one")], 2).contains("holds another evolution"));
    is_the_same_killed_and_resumed(&in_games());
}

#[test]
fn a_killed_steady_state_goes_on() {
    let scratch = Scratch::new();
    made_bank(&scratch);
    let file = scratch.write("small.toml", &steady("lag = 7"));
    is_the_same_when_killed(&format!("evolve {file} --threads 2"), &scratch.path("evolved"));
}

#[test]
fn shards_of_a_steady_state_are_the_whole() {
    shards_are_the_whole(&steady("lag = 5"));
    shards_are_the_whole(&in_games());
}

/// Each look at the clock is later than the work that was done since.
#[derive(Default)]
struct Hours(AtomicU64);

impl Clock for Hours {
    fn now(&self) -> Duration {
        Duration::from_secs(3_600 * self.0.load(Ordering::Relaxed))
    }
}

/// Computes the jobs that it finds, an hour each.
struct Slow {
    clock: Arc<Hours>,
    jobs: u64,
}

impl Executor<Blocks> for Slow {
    fn carry_out(
        &mut self,
        job: &Arc<Blocks>,
        _: &Arc<AtomicBool>,
        taker: &mut dyn Taker<BlockSum, EvolutionError>,
    ) -> Result<End, EvolutionError> {
        while self.jobs < job.batch.len() as u64 {
            self.clock.0.fetch_add(1, Ordering::Relaxed);
            taker.take(job.work(self.jobs)?)?;
            self.jobs += 1;
            taker.tick(self.jobs as usize)?;
        }
        Ok(End::Interrupted)
    }
}

#[test]
fn a_shard_that_was_at_work_has_not_waited_for_others() {
    evouct::registry::add_games();
    let text = r#"
name = "alone"
evolve = { algorithm = "steady-state", lag = 1, seeds = ["Q", "Q + 1/n"], population = 4, islands = 1, generations = 3, elite = 1, tune_offspring = 0 }
player = [{ kind = "formula", iterations = 4 }]
opponent = [{ kind = "random" }]
stage = [{ measure = "games", decks = 1 }]
"#;
    let mut jobs = 0;
    for shard in ["0/2", "1/2"] {
        let plan = EvolutionPlan::parse(text, "alone.toml", None).unwrap();
        let scratch = Scratch::new();
        let folder = scratch.0.path().join("alone");
        let options = EvolutionOptions { shard: Some(shard.parse().unwrap()), ..EvolutionOptions::default() };
        let session = EvolutionSession::plan(plan, None, &folder, &options).unwrap();
        let clock = Arc::new(Hours::default());
        let mut executor = Slow { clock: Arc::clone(&clock), jobs: 0 };
        let (stop, patience) = (Arc::new(AtomicBool::new(false)), Duration::from_secs(600));
        let workers = RunContext { executor: &mut executor, stop: &stop, clock: &*clock, patience };
        let ended = session.run(workers, &mut |_, _| {}).map(|_| "complete");
        assert!(matches!(ended, Err(EvolutionError::Interrupted)), "{ended:?}");
        jobs += executor.jobs;
    }
    assert!(jobs > 0, "a shard has the first birth");
}

#[test]
fn shards_of_a_steady_state_work_side_by_side() {
    let scratch = Scratch::new();
    made_bank(&scratch);
    let file = scratch.write("small.toml", &steady("lag = 6"));
    let whole = succeed(&["evolve", &file, "--out", &scratch.path("whole")]);
    let parts = scratch.path("parts");
    let start = |shard: &str| {
        let words = ["evolve", &file, "--out", &parts, "--shard", shard, "--threads", "1"];
        crate::program::evouct(&words).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    };
    let both = ["0/2", "1/2"].map(start).map(|child| child.wait_with_output().unwrap());
    let digest = |out: &str| out.lines().find(|line| line.starts_with("digest ")).map(str::to_owned);
    for output in both {
        let out = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && digest(&out).is_some() && digest(&out) == digest(&whole), "{out}");
    }
    // No measurement was made twice.
    let lines = |name: &str| scratch.read(name).lines().count() - 1;
    let in_parts = ["0", "1"].map(|shard| lines(&format!("parts/evolution-shard-{shard}-of-2.jsonl")));
    assert_eq!(in_parts.iter().sum::<usize>(), lines("whole/evolution.jsonl"));
    assert!(in_parts.iter().all(|lines| *lines > 20), "{in_parts:?}");
}

#[test]
fn the_commands_on_its_folder_tell_how_far_it_has_come() {
    let scratch = Scratch::new();
    made_bank(&scratch);
    let (file, folder) = (scratch.write("small.toml", &steady("lag = 3")), scratch.path("small"));
    let dry = succeed(&["evolve", &file, "--out", &folder, "--dry-run", "--budget", "10s"]);
    assert!(dry.contains("about 81 measurements of 195 blocks;") && dry.contains("10 seconds on "), "{dry}");
    succeed(&["evolve", &file, "--out", &folder]);
    assert!(succeed(&["status", &folder]).contains("complete, 3 generations"));
    assert!(succeed(&["verify", &folder, "--bank", &scratch.path("bank"), "--games", "4"]).contains("4 of "));
    succeed(&["formulas", &folder, "--top", "1"]);
    let lineage = scratch.read("small/lineage.csv");
    let text = scratch.read("small/evolution.jsonl");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut complete = Vec::new();
    for share in [3, 6, 9] {
        scratch.write("small/evolution.jsonl", &lines[..lines.len() * share / 12].concat());
        let status = succeed(&["status", &folder]);
        let recorded = lines.len() * share / 12 - 1;
        assert!(status.contains(&format!("; {recorded} measurements recorded, and ")), "{status}");
        assert!(status.contains(" that can be made by now "), "{status}");
        let json: serde_json::Value = serde_json::from_str(&succeed(&["status", &folder, "--json"])).unwrap();
        complete.push(json["generations_complete"].as_u64().unwrap());
        assert!(json["missing"].as_u64().unwrap() > 0, "{json}");
        // What is told of an interim evolution is a part of the whole.
        let report = say(&["report", &folder, "--json"]);
        let json: serde_json::Value = serde_json::from_str(&report.out).unwrap();
        for row in json["lineage"].as_array().unwrap() {
            let individual = row["individual"].as_u64().unwrap();
            assert!(lineage.lines().any(|line| line.starts_with(&format!("{individual},"))), "{row}");
        }
    }
    assert!(complete.is_sorted() && complete[0] < complete[2], "{complete:?}");
}

#[test]
fn what_a_steady_state_cannot_have_is_refused_in_a_line() {
    let scratch = Scratch::new();
    made_bank(&scratch);
    for (more, expected) in [
        ("offspring = 3", "offspring: a steady state, which breeds individuals one by one, has none; leave it out"),
        ("cma_samples = 4", "cma_samples: a steady state has none"),
        ("semantics = 4", "semantics: a steady state has none"),
        ("lag = 25", "lag = 25 leaves no birth with parents in 3 generations of 12; expected at most 24"),
        ("lag = 0", "lag"),
        ("[[proposer]]\ncommand = [\"none\"]\n[evolve]", "[[proposer]]: a steady state"),
    ] {
        let text = match more.strip_suffix("[evolve]") {
            Some(section) => format!("{}\n{section}", steady("")),
            None => steady(more),
        };
        fails(&["evolve", &scratch.write("wrong.toml", &text), "--out", &scratch.path("wrong")], 2, expected);
    }
    let short = scratch.write("wrong.toml", &steady("").replace("generations = 3", "generations = 2"));
    let line = fail(&["evolve", &short, "--out", &scratch.path("wrong")], 2);
    let expected = "lag = 16 (the default) leaves no birth with parents in 2 generations of 12; expected at most 12";
    assert!(line.contains(expected), "{line}");
    let generations = EVOLUTION.replace("[evolve]", "[evolve]\nlag = 2");
    let line = fail(&["evolve", &scratch.write("wrong.toml", &generations), "--out", &scratch.path("wrong")], 2);
    assert!(line.contains("lag: only algorithm = steady-state has one; leave it out"), "{line}");
    assert!(!scratch.exists("wrong"));
}

/// A steady state over planted formulas.
fn plan(more: &str, population: usize) -> EvolutionPlan {
    sized(&format!("algorithm = \"steady-state\"\n{more}"), population)
}

#[test]
fn a_planted_formula_is_found_as_often_as_by_generations() {
    let target: Tree = "Q + 20 / n".parse().unwrap();
    let value = |request: &Request, block: u32| -distance(&request.genome, &target) + noise(request, block);
    let nearest = |more: &str| -> Vec<f64> {
        let of_seed = |seed: u64| {
            let mut plan = EvolutionPlan::parse(&sized(more, 40).toml, "planted.toml", Some(seed)).unwrap();
            // What is planted are values, which genomes that decide alike do not share.
            plan.course = 0;
            let (history, champion) = course_by(&plan, &mut Planted { plan: &plan, value, units: Vec::new() });
            assert_eq!(history.generations.len(), 25 * 2);
            // Those that stay are measured again.
            assert!(history.individuals.iter().any(|own| own.fitness.units() >= 10_000), "{more}");
            distance(&champion.unwrap_or_else(|| panic!("{more} found nothing")), &target)
        };
        (1..=4).map(of_seed).collect()
    };
    let generations = nearest("");
    for lag in ["1", "16", "100"] {
        let found = nearest(&format!("algorithm = \"steady-state\"\nlag = {lag}"));
        let count = |found: &[f64]| found.iter().filter(|distance| **distance < 2.5).count();
        // The seed is 8.25 away.
        assert!(found.iter().all(|distance| *distance < 8.0), "lag {lag}: {found:?}");
        // With a large lag offspring know less.
        let enough = count(&generations) - usize::from(lag == "100");
        assert!(enough > 0 && count(&found) >= enough, "lag {lag}: {found:?}, generations {generations:?}");
    }
}

#[test]
fn equal_fitness_yields_no_champion() {
    let plan = plan("", 12);
    let equal = |request: &Request, block: u32| f64::from(request.batch * 7 + block);
    assert_eq!(course_by(&plan, &mut Planted { plan: &plan, value: equal, units: Vec::new() }).1, None);
}

/// Answers what a flow asks for in an order of its own, and one at a time.
struct Shuffled<'a, V> {
    planted: Planted<'a, V>,
    order: u64,
}

impl<V: Fn(&Request, u32) -> f64> Judge for Shuffled<'_, V> {
    fn measure(&mut self, requests: &[Request]) -> Result<Vec<Measured>, EvolutionError> {
        self.planted.measure(requests)
    }

    fn flow(&mut self, flow: &mut dyn Flow) -> Result<(), EvolutionError> {
        let mut rng = Key::experiment(self.order).stream();
        let mut waiting: Vec<FlowRequest> = Vec::new();
        loop {
            waiting.extend(flow.ask());
            if waiting.is_empty() {
                return Ok(());
            }
            let FlowRequest { number, request, .. } = waiting.swap_remove(below(&mut rng, waiting.len()));
            let measured = self.measure(&[request]).unwrap();
            measured.into_iter().for_each(|measured| flow.tell(number, measured));
        }
    }
}

#[test]
fn the_order_of_answers_changes_nothing() {
    let target: Tree = "Q + 20 / n".parse().unwrap();
    let value = |request: &Request, block: u32| {
        -distance(&request.genome, &target) + noise(request, block) + f64::from(request.batch)
    };
    let stages =
        [("", ""), ("= 1000", "= [100, 200, 400]"), ("\"regret\"\npositions = 1000", "\"games\"\ndecks = [2, 4]")];
    for (from, to) in stages {
        let text = plan("elite = 1\nlag = 30\nhall_of_fame = 2\nmigrate_every = 1", 8).toml.replace(from, to);
        let plan = EvolutionPlan::parse(&text.replace("generations = 25", "generations = 6"), "s.toml", None).unwrap();
        let course = |order: u64| {
            let planted = Planted { plan: &plan, value, units: Vec::new() };
            let (history, champion) = course_by(&plan, &mut Shuffled { planted, order });
            let individuals: Vec<String> = history.individuals.iter().map(|own| format!("{own:?}")).collect();
            (individuals, history.generations, history.hall, champion)
        };
        let first = course(1);
        assert!(first.0.len() > 15, "{}", first.0.len());
        (2..6).for_each(|order| assert!(course(order) == first, "{to}: order {order}"));
    }
}

#[test]
fn as_many_births_are_measured_at_a_time_as_the_lag_says_and_half_of_them_go_on() {
    let text = plan("lag = 5", 8).toml.replace("positions = 1000", "positions = [50, 150]");
    let text = text.replace("generations = 25", "generations = 12").replace("islands = 2", "islands = 1");
    let mut plan = EvolutionPlan::parse(&text, "rounds.toml", None).unwrap();
    // Births that decide alike are measured once.
    plan.course = 0;
    let value = |request: &Request, block: u32| noise(request, block);
    let most = RefCell::new(0);
    struct Counting<'a, V>(Planted<'a, V>, &'a RefCell<usize>);
    impl<V: Fn(&Request, u32) -> f64> Judge for Counting<'_, V> {
        fn measure(&mut self, requests: &[Request]) -> Result<Vec<Measured>, EvolutionError> {
            let own = requests.iter().filter(|request| request.genome != self.0.plan.seeds[0]).count();
            let mut most = self.1.borrow_mut();
            *most = own.max(*most);
            self.0.measure(requests)
        }
    }
    let mut judge = Counting(Planted { plan: &plan, value, units: Vec::new() }, &most);
    evolve(&plan, &mut judge).unwrap();
    assert!(*most.borrow() <= 5, "{most:?}");
    let of = |units: u32| judge.0.units.iter().filter(|asked| **asked == units).count();
    // The reference is measured once in each round of a generation, too.
    let (first, second) = (of(50) - 12, of(150) - 12);
    assert!(first > 80 && (first * 2 / 5..first * 3 / 5).contains(&second), "{second} of {first}");
}

/// A steady state written down once more, birth by birth, for a fitness without noise.
fn births_in_order(plan: &EvolutionPlan, lag: usize, value: impl Fn(&Genome) -> f64) -> Vec<(Genome, Vec<usize>)> {
    let (population, elite) = (plan.evolve.population, plan.evolve.elite);
    let mut individuals: Vec<(Genome, Vec<usize>)> = Vec::new();
    let mut last_measured: Vec<usize> = Vec::new();
    // Individuals by birth, in the order in which they enter.
    let mut births: Vec<usize> = Vec::new();
    for number in 0..population * plan.evolve.generations as usize {
        // The population, the best first, when so many births have entered.
        let entered = &births[..(number + 1).saturating_sub(lag)];
        let mut standing: Vec<usize> = Vec::new();
        for (place, id) in entered.iter().enumerate() {
            if !standing.contains(id) {
                standing.push(*id);
            }
            standing.sort_by(|a, b| {
                let genome = |id: &usize| &individuals[*id].0;
                let by_value = value(genome(b)).total_cmp(&value(genome(a)));
                by_value.then(genome(a).size().cmp(&genome(b).size())).then(a.cmp(b))
            });
            if standing.len() > population {
                let last = |id: &usize| entered[..=place].iter().rposition(|other| other == id).unwrap();
                let oldest = standing[elite..].iter().min_by_key(|id| last(id)).copied().unwrap();
                standing.retain(|id| *id != oldest);
            }
        }
        let (generation, place) = (number / population, number % population);
        let again = standing.iter().copied().find(|id| last_measured[*id] < generation);
        if let Some(id) = again.filter(|_| generation > 0 && place < elite) {
            last_measured[id] = generation;
            births.push(id);
            continue;
        }
        let mut rng = Key::experiment(plan.seed).named("variation", 0).named("birth", number as u64).stream();
        let (genome, parents) = if number < population + lag - 1 {
            match number {
                0 => (plan.seeds[0].clone(), Vec::new()),
                odd if odd % 2 == 1 => (plan.variation.random(&mut rng), Vec::new()),
                _ => {
                    let seed = &plan.seeds[below(&mut rng, 1)];
                    (plan.variation.offspring([seed, seed], &mut rng).0, Vec::new())
                }
            }
        } else {
            let mut drawn = || (0..plan.evolve.tournament).map(|_| below(&mut rng, standing.len())).min().unwrap();
            let [one, other] = [drawn(), drawn()].map(|place| standing[place]);
            let genomes = [&individuals[one].0, &individuals[other].0];
            let (genome, operator) = plan.variation.offspring(genomes, &mut rng);
            (genome, if operator.crosses() { vec![one, other] } else { vec![one] })
        };
        let genome = genome.simplified(plan.ln);
        let decides = |genome: &Genome| Decisions::of(genome, plan.ln);
        let known = individuals.iter().position(|(known, _)| decides(known) == decides(&genome));
        let id = known.unwrap_or_else(|| {
            individuals.push((genome, parents));
            last_measured.push(generation);
            individuals.len() - 1
        });
        last_measured[id] = generation;
        births.push(id);
    }
    individuals
}

#[test]
fn a_birth_is_bred_from_the_population_so_many_births_before() {
    let value = |genome: &Genome| f64::from(blake3::hash(genome.to_string().as_bytes()).as_bytes()[0]);
    for lag in [1, 2, 7, 20] {
        let text = plan(&format!("lag = {lag}\nelite = 2"), 6).toml.replace("islands = 2", "islands = 1");
        let text = text.replace("generations = 25", "generations = 8");
        let plan = EvolutionPlan::parse(&text, "ordered.toml", None).unwrap();
        let planted =
            Planted { plan: &plan, value: |request: &Request, _: u32| value(&request.genome), units: Vec::new() };
        let history = evolve(&plan, &mut Shuffled { planted, order: 3 }).unwrap();
        let found: Vec<_> = history.individuals.iter().map(|own| (own.genome.clone(), own.parents.clone())).collect();
        let expected = births_in_order(&plan, lag, value);
        assert!(expected.len() > 8 && found == expected, "lag {lag}: {} and {}", found.len(), expected.len());
    }
}
