//! Ten thousand pairs of formulas that are equal by value, or nearly, through evolutions, scores, what a caller tells, and
//! journals that hold both spellings. Values follow from the formula alone: no game is played.

use crate::program::{Scratch, forged};
use crate::{equality, offline};
use evouct::gp::Genome;
use evouct::league::{End, Executor, Taker};
use evouct::offline::{
    AskTell, BlockSum, BlockValue, Blocks, EvolutionError, EvolutionOptions, EvolutionPlan, EvolutionSession, Purpose,
    Request, RunContext, Split, Told,
};
use evouct::sampling::below;
use evouct::search::Stopped;
use evouct::seed::Key;
use rand::Rng;
use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Numbers and other spellings of theirs.
const NUMBERS: [&[&str]; 6] = [
    &["0", "-0", "0.0", "-0e7", "-0.000"],
    &["1", "1.0", "1e0", "0.1e1"],
    &["0.1", "1e-1", "0.1000000000000000055", "0.10"],
    &["-0.05", "-5e-2", "-0.050000000000000002"],
    &["0.30000000000000004", "0.3000000000000000444"],
    &["1e-300", "0.1e-299"],
];
/// What is not equal to one of them, and nearly is.
const NEAR: [&str; 6] =
    ["5e-324", "1.0000000000000002", "0.10000000000000002", "-0.05000000000000001", "0.3", "2e-300"];

/// A formula with `#` and a digit in place of each number.
fn template(depth: u32, rng: &mut dyn Rng) -> String {
    let leaf = depth == 0 || below(rng, 4) == 0;
    match below(rng, if leaf { 6 } else { 5 }) {
        _ if leaf && below(rng, 2) == 0 => format!("#{}", below(rng, NUMBERS.len())),
        place if leaf => ["Q", "n", "N", "race", "Q", "n"][place].to_owned(),
        place @ 0..4 => {
            let [one, other] = [(); 2].map(|()| template(depth - 1, rng));
            ["(A + B)", "(A - B)", "(A * B)", "min(A, B)"][place].replace('A', &one).replace('B', &other)
        }
        _ => format!("sqrt({})", template(depth - 1, rng)),
    }
}

/// The template with numbers; each is another one with this chance in hundred.
fn spelled(template: &str, near: usize, rng: &mut dyn Rng) -> String {
    let mut parts = template.split('#');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let number: usize = part[..1].parse().unwrap();
        let spellings = NUMBERS[number];
        text += if below(rng, 100) < near { NEAR[number] } else { spellings[below(rng, spellings.len())] };
        text += &part[1..];
    }
    text
}

/// Formulas by twos.
fn pairs(count: usize, seed: u64) -> Vec<[String; 2]> {
    let mut rng = Key::experiment(seed).named("pairs", 0).stream();
    let pair = |_| {
        let template = template(3, &mut rng);
        [0, 25].map(|near| spelled(&template, near, &mut rng))
    };
    (0..count).map(pair).collect()
}

/// A formula as its values are: every number by its bits, and one zero.
fn by_value(genome: &Genome) -> String {
    let text = genome.to_string();
    let is_of_number = |letter: char| letter.is_ascii_digit() || letter == '.';
    let (mut value, mut number) = (String::new(), String::new());
    for letter in text.chars().chain([' ']) {
        if is_of_number(letter) {
            number.push(letter);
            continue;
        }
        if !number.is_empty() {
            let bits = (number.parse::<f64>().unwrap() + 0.0).to_bits();
            // The sign stands before it.
            if bits == 0 && value.ends_with('-') {
                value.pop();
            }
            value += &format!("{bits:x}");
            number.clear();
        }
        value.push(letter);
    }
    value
}

/// Measures without a game, and each formula once.
#[derive(Default)]
struct Unplayed {
    measured: HashSet<(usize, u32, u32, String)>,
}

fn value(request: &Request) -> f64 {
    offline::noise(request, 0)
}

impl Executor<Blocks> for Unplayed {
    fn carry_out(
        &mut self,
        job: &Arc<Blocks>,
        _: &Arc<AtomicBool>,
        taker: &mut dyn Taker<BlockSum, EvolutionError>,
    ) -> Result<End, EvolutionError> {
        let mut number = 0;
        for request in job.batch.requests_from(0) {
            let once = (request.stage, request.batch, request.units, by_value(&request.genome));
            assert!(self.measured.insert(once), "{}: measured twice", request.genome);
            for _ in job.measurer.plan().block_units(&request) {
                taker.take((number, Ok(BlockValue { sum: value(&request), ..BlockValue::default() })))?;
                number += 1;
            }
        }
        Ok(End::Done)
    }
}

/// Something with workers that never play.
fn with_workers<T>(told: &mut Unplayed, work: impl FnOnce(RunContext) -> T) -> T {
    let stop = Arc::new(AtomicBool::new(false));
    work(RunContext { executor: told, stop: &stop, clock: &Stopped, patience: Duration::ZERO })
}

fn options(purpose: Purpose) -> EvolutionOptions {
    EvolutionOptions { measured_by: Some("nobody".to_owned()), purpose, ..EvolutionOptions::default() }
}

fn session(plan: &EvolutionPlan, folder: &str, purpose: Purpose) -> EvolutionSession {
    EvolutionSession::plan(plan.clone(), None, Path::new(folder), &options(purpose)).unwrap()
}

/// Writes a journal as one that holds each formula twice, with its numbers spelled in two ways; how many it has so.
fn doubled(scratch: &Scratch, journal: &str) -> usize {
    let text = scratch.read(journal);
    let double = |line: &str| {
        let json: serde_json::Value = serde_json::from_str(line).unwrap();
        let mut entry = json["entry"].clone();
        let Some(genome) = entry["genome"].as_str() else { return line.to_owned() };
        let other = respelled(genome);
        if other == genome {
            return line.to_owned();
        }
        entry["genome"] = other.into();
        format!("{}\n{line}", forged(line, &entry))
    };
    let lines: Vec<String> = text.lines().map(double).collect();
    scratch.write(journal, &(lines.join("\n") + "\n"));
    lines.iter().filter(|line| line.contains('\n')).count()
}

/// The same formula with other spellings of 0, 1 and 0.1, as an earlier version wrote zeros.
fn respelled(genome: &str) -> String {
    let words = genome.split_inclusive([' ', '(', ')', ',']);
    let other = |word: &str| {
        let (number, end) = word.split_at(word.find([' ', '(', ')', ',']).unwrap_or(word.len()));
        let number = match number {
            "0" => "-0",
            "1" => "1.0",
            "0.1" => "0.10",
            other => other,
        };
        format!("{number}{end}")
    };
    words.map(other).collect()
}

#[test]
fn ten_thousand_pairs_are_scored_by_value_and_resumed() {
    let scratch = Scratch::new();
    evouct::registry::add_games();
    let plan = EvolutionPlan::parse(&equality::file("\"Q\", \"n\"", ""), "pairs.toml", None).unwrap();
    let mut told = Unplayed::default();
    let (mut equal, mut shown, mut number) = (0, 0, 0);
    let all: Vec<Vec<[Genome; 2]>> = pairs(10_000, 1)
        .chunks(1_000)
        .map(|pairs| {
            let genome = |text: &String| plan.read_genome(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            pairs.iter().map(|pair| [genome(&pair[0]), genome(&pair[1])]).collect()
        })
        .collect();
    let split = Split::Test;
    let mut digests = BTreeSet::new();
    // Once from nothing, once more on a journal that has all of it, and once on one with two spellings of each.
    for round in 0..3 {
        let mut run = Unplayed::default();
        let scores = |pairs: &Vec<[Genome; 2]>, place: usize, told: &mut Unplayed| {
            let session = session(&plan, &scratch.path(&format!("scores-{place}")), Purpose::Scores(split));
            let genomes = pairs.iter().flatten().cloned().collect();
            let (scores, digest) = with_workers(told, |workers| session.score_all(split, workers, genomes));
            (scores, digest.unwrap().digest)
        };
        for (place, pairs) in all.iter().enumerate() {
            run.measured.clear();
            let (scores, digest) = scores(pairs, place, &mut run);
            assert!(round == 0 || run.measured.is_empty(), "measured again: {:?}", run.measured);
            told.measured.extend(run.measured.drain());
            digests.insert((place, digest));
            for ([one, other], scores) in pairs.iter().zip(scores.chunks(2)) {
                let are_equal = one == other;
                assert_eq!(are_equal, by_value(one) == by_value(other), "{one} and {other}");
                assert_eq!(are_equal, scores[0] == scores[1], "{one} and {other}");
                assert_eq!(are_equal, scores[0].genome.key() == scores[1].genome.key(), "{one} and {other}");
                (equal, number) = (equal + usize::from(are_equal), number + 1);
                shown += usize::from(!are_equal);
            }
            if round == 1 {
                assert!(doubled(&scratch, &format!("scores-{place}/scores.jsonl")) > 400);
            }
        }
    }
    assert_eq!((digests.len(), number), (all.len(), 30_000));
    assert!(equal > 9_000 && shown > 6_000, "{equal} {shown}");
}

#[test]
fn ten_thousand_pairs_evolve_and_are_told_by_value_and_resumed() {
    let scratch = Scratch::new();
    evouct::registry::add_games();
    for (place, pairs) in pairs(10_000, 2).chunks(5_000).enumerate() {
        let seeds: Vec<String> = pairs.iter().flatten().map(|text| format!("{text:?}")).collect();
        let file = equality::file(&seeds.join(", "), "offspring = 40")
            .replace("islands = 2\npopulation = 8", "islands = 1\npopulation = 10000")
            .replace("generations = 3", "generations = 1")
            .replace("tune_rounds = 3", "tune_rounds = 0");
        let plan = EvolutionPlan::parse(&file, "pairs.toml", None).unwrap();
        let [evolved, answered] = ["evolved", "told"].map(|name| scratch.path(&format!("{name}-{place}")));
        let evolve = |told: &mut Unplayed| {
            let session = session(&plan, &evolved, Purpose::Evolution);
            with_workers(told, |workers| session.run(workers, &mut |_, _| {})).unwrap()
        };
        let mut told = Unplayed::default();
        let result = evolve(&mut told);
        let keys: BTreeSet<String> = result.history.individuals.iter().map(|one| by_value(&one.genome)).collect();
        assert_eq!(keys.len(), result.history.individuals.len(), "an individual is there twice");
        assert!(told.measured.len() > 2_000, "{}", told.measured.len());
        // Nothing is measured again, whichever spelling the journal has.
        assert!(doubled(&scratch, &format!("evolved-{place}/evolution.jsonl")) > 1_000);
        let mut again = Unplayed::default();
        assert_eq!(evolve(&mut again).digest, result.digest);
        assert!(again.measured.is_empty(), "measured again: {:?}", again.measured);
        // A caller is asked for the same, with a new session after each answer.
        let mut asked_for = HashSet::new();
        let digest = loop {
            let session = session(&plan, &answered, Purpose::Evolution);
            let mut evolution = AskTell::begin(session, Box::new(Stopped)).unwrap();
            let asked = evolution.ask().unwrap();
            if asked.is_empty() {
                break evolution.result().unwrap().digest.clone();
            }
            for block in &asked {
                let Request { stage, batch, units, genome, .. } = &*block.request;
                let once = (*stage, *batch, *units, block.block, by_value(genome));
                assert!(asked_for.insert(once), "{}: asked for twice", block.to_text());
            }
            let told: Vec<Told> = asked.iter().map(|block| Told::Other(value(&block.request))).collect();
            evolution.tell(&told).unwrap();
            drop(evolution);
            doubled(&scratch, &format!("told-{place}/evolution.jsonl"));
        };
        assert_eq!(digest, result.digest);
    }
}
