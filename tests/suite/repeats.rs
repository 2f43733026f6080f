//! A game counts once: what repeats an earlier game between the same players is no evidence, in every command that counts.

use crate::external::script;
use crate::nim;
use crate::program;
use evouct::clock::WallClock;
use evouct::config::{Experiment, Overrides};
use evouct::league::{End, ResumeOptions, Session, SessionError, Threads};
use evouct::offline::{
    EvolutionFolder, EvolutionOptions, EvolutionPlan, EvolutionSession, Purpose, RunContext, ScoreRow, ScoreTable,
    Split, summary as summary_of_evolution,
};
use evouct::record::Run;
use evouct::report::{EvolvedReport, Format, rebuild, summary};
use evouct::tune::{Finding, Tuning, TuningMethod, TuningOptions};
use program::{Scratch, unwrapped};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const DEEP: &str = "[[player]]\nname = \"deep\"\nkind = \"star1\"\ndepth = 2\n";
const FLAT: &str = "[[player]]\nname = \"flat\"\nkind = \"star1\"\ndepth = 1\n";
const RANDOM: &str = "[[player]]\nname = \"any\"\nkind = \"random\"\n";

/// A league of Nim.
fn league(heaps: u32, decks: u32, more: &str) -> Experiment {
    evouct::registry::add_game::<nim::Nim>();
    let text = format!("name = \"same\"\ngame = \"nim\"\ndecks = {decks}\n{more}").replacen(
        "[[player]]",
        &format!("[rules]\nheaps = {heaps}\n[[player]]"),
        1,
    );
    Experiment::parse(&text, "same.toml", Overrides::default()).unwrap()
}

fn play(experiment: &Experiment, folder: &Path, threads: usize, shard: Option<&str>) -> Result<End, SessionError> {
    let shard = shard.map(|shard| shard.parse().unwrap());
    let session = Session::plan(experiment.clone(), folder, shard, ResumeOptions::default())?;
    session.play(threads, &Arc::default(), &mut (), |_| {})
}

/// What is reported of a folder: as JSON, and as text.
fn report(experiment: &Experiment, folder: &Path) -> (Value, String) {
    let report = rebuild(&Run::open(folder).unwrap(), experiment).unwrap().report;
    (report.json(), unwrapped(&summary(&report, true, Format::Text)))
}

fn played(experiment: &Experiment) -> (Value, String) {
    let scratch = Scratch::new();
    assert_eq!(play(experiment, scratch.0.path(), 2, None).unwrap(), End::Done);
    report(experiment, scratch.0.path())
}

/// The first sentence of the headline.
fn first(report: &Value) -> &str {
    report["headline"]["sentences"][0].as_str().unwrap()
}

#[test]
fn one_game_alone_is_no_test_however_often_it_is_played() {
    for mirror in ["", "mirror = false\n"] {
        let (json, text) = played(&league(4, 6, &format!("{mirror}{DEEP}{FLAT}")));
        let row = &json["significance"][0];
        // Of a mirrored deck both games are one unit, else each is.
        let (units, repeats) = if mirror.is_empty() { (1, 5) } else { (2, 10) };
        assert_eq!((&row["units"], &row["repeats"]), (&json!(units), &json!(repeats)), "{row}");
        assert_eq!(json["distinct"], json!({ "decks": units + repeats, "distinct": units }));
        // What was played is in the tables of points.
        let games = row["games"].as_array().unwrap().iter().map(|games| games.as_u64().unwrap());
        assert_eq!((games.sum::<u64>(), &json["ranking"][0]["games"]), (12, &json!(12)));
        let said = if mirror.is_empty() { "6 decks, 1 distinct: " } else { "12 games, 2 distinct: " };
        assert!(text.contains(said) && text.contains("openings = { plies = 4 }"), "{text}");
        if mirror.is_empty() {
            assert!(text.contains(" 1 of 6 "), "{text}");
            for test in ["welch", "paired", "permutation", "wilcoxon", "bootstrap", "cohen_dz"] {
                assert!(row[test].get("value").is_none(), "{test}: {row}");
            }
            assert!(row["holm"].is_null() && row["win_rate"]["interval"].is_null(), "{row}");
            assert_eq!(
                first(&json),
                "No difference can be tested: a test needs results on at least two distinct decks that vary."
            );
            assert_eq!((&json["headline"]["tested"], &json["headline"]["significant"]), (&json!(0), &json!(0)));
        }
        let alone = if mirror.is_empty() { &["matches", "ranking"][..] } else { &["matches"] };
        for row in alone.iter().flat_map(|table| json[table].as_array().unwrap()) {
            assert!(row["difference"]["interval"].is_null(), "{row}");
        }
    }
}

#[test]
fn what_repeats_in_part_counts_in_part() {
    // Two heaps of 1 and 3 objects: a handful of games.
    let (json, text) = played(&league(2, 60, &format!("{DEEP}{FLAT}{RANDOM}")));
    let row = |a: &str, b: &str| {
        let rows = json["significance"].as_array().unwrap();
        rows.iter().find(|row| row["a"] == a && row["b"] == b).unwrap().clone()
    };
    assert_eq!(row("deep", "flat")["units"], 1);
    let (units, repeats) =
        (row("deep", "any")["units"].as_u64().unwrap(), row("deep", "any")["repeats"].as_u64().unwrap());
    assert!(units > 2 && repeats > 10 && units + repeats == 60, "{units} {repeats}");
    assert!(row("deep", "any")["paired"]["value"]["df"].as_f64().is_none_or(|df| df == units as f64 - 1.0));
    let distinct: u64 = [("deep", "flat"), ("deep", "any"), ("flat", "any")]
        .map(|(a, b)| row(a, b)["units"].as_u64().unwrap())
        .iter()
        .sum();
    assert!(text.contains(&format!("180 decks of 3 pairs, {distinct} distinct: ")), "{text}");
}

/// A program is no exception, whether or not it promises to repeat its moves: what it did repeat is no evidence.
#[test]
fn programs_that_repeat_a_game_add_no_evidence() {
    let scratch = Scratch::new();
    let first = scratch.write("first.sh", &script("true"));
    let program = format!("[[player]]\nname = \"first\"\nkind = \"external\"\ncommand = [\"sh\", {first:?}]\n");
    for more in ["", "deterministic = true\n"] {
        let (json, text) = played(&league(4, 6, &format!("{program}{more}{FLAT}")));
        let row = &json["significance"][0];
        assert_eq!((&row["units"], &row["repeats"], &row["holm"]), (&json!(1), &json!(5), &Value::Null), "{row}");
        assert!(text.contains("6 decks, 1 distinct: ") && text.contains("openings = { plies = 4 }"), "{text}");
    }
}

/// In a game with chance nothing repeats, and nothing is said.
#[test]
fn decks_that_differ_are_all_counted() {
    evouct::registry::add_games();
    let text = format!("name = \"dice\"\ngame = \"einstein\"\ndecks = 6\n{DEEP}{FLAT}");
    let (json, text) = played(&Experiment::parse(&text, "dice.toml", Overrides::default()).unwrap());
    assert_eq!(json["significance"][0]["units"], 6);
    assert!(json.get("distinct").is_none() && json["significance"][0].get("repeats").is_none());
    assert!(!text.contains("distinct"), "{text}");
}

#[test]
fn a_sequential_test_that_only_repeats_itself_ends_undecided_however_it_is_played() {
    let of = |decks| league(4, decks, &format!("[sequential]\nelo0 = 0\nelo1 = 50\n{DEEP}{FLAT}"));
    let experiment = of(200);
    let scratch = Scratch::new();
    let mut reports = Vec::new();
    for threads in [1, 3] {
        let folder = scratch.0.path().join(format!("threads-{threads}"));
        assert_eq!(play(&experiment, &folder, threads, None).unwrap(), End::Done);
        reports.push(report(&experiment, &folder));
        assert_eq!(Session::plan(experiment.clone(), &folder, None, ResumeOptions::default()).unwrap().missing(), 0);
    }
    // Resumed after a few games.
    let folder = scratch.0.path().join("resumed");
    let session = Session::plan(experiment.clone(), &folder, None, ResumeOptions::default()).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    assert_eq!(session.play(1, &stop, &mut (), |_| stop.store(true, Ordering::Relaxed)).unwrap(), End::Interrupted);
    assert_eq!(play(&experiment, &folder, 2, None).unwrap(), End::Done);
    reports.push(report(&experiment, &folder));
    // Shards in turn, of which the last has played beyond the end.
    let folder = scratch.0.path().join("shards");
    let done = |shard| matches!(play(&experiment, &folder, 1, Some(shard)), Ok(End::Done));
    assert!((0..20).any(|_| done("0/2") & done("1/2")));
    reports.push(report(&experiment, &folder));
    for (json, text) in &reports {
        let test = &json["sequential"];
        assert_eq!((&json["finished"], &test["repeats"], &test["repeats_after"]), (&json!(66), &json!(32), &json!(33)));
        assert_eq!((&test["decision"], &test["decided_after"]), (&json!("continue"), &Value::Null), "{test}");
        assert!(
            first(json).contains("ended undecided after deck 33, because its last 32 decks repeat earlier ones"),
            "{json}"
        );
        assert!(text.contains("33 decks, 1 distinct") && !text.contains("interim"), "{text}");
        assert_eq!(json["digest"], reports[0].0["digest"]);
    }
    // Fewer decks than that end undecided, and say the same of them.
    let (json, text) = played(&of(25));
    assert_eq!((&json["finished"], &json["sequential"]["decided_after"]), (&json!(50), &Value::Null));
    assert!(first(&json).contains("is undecided") && text.contains("25 decks, 1 distinct"), "{text}");
}

#[test]
fn looks_count_distinct_decks_and_stop_a_pair_that_only_repeats_itself() {
    let experiment = league(4, 100, &format!("[sequential]\nlooks = 5\n{DEEP}{FLAT}{RANDOM}"));
    let scratch = Scratch::new();
    let reports = [1, 3].map(|threads| {
        let folder = scratch.0.path().join(format!("threads-{threads}"));
        assert_eq!(play(&experiment, &folder, threads, None).unwrap(), End::Done);
        report(&experiment, &folder)
    });
    assert_eq!(reports[0].0["digest"], reports[1].0["digest"]);
    let (json, text) = &reports[0];
    let same = &json["significance"][0];
    // Decided by none of its looks, and played no further than the second.
    assert_eq!((&same["units"], &same["repeats"], &same["holm"]), (&json!(1), &json!(39), &Value::Null), "{same}");
    assert_eq!((&json["looks"]["repeating"], &json["looks"]["missing"]), (&json!(1), &json!(0)));
    assert!(text.contains("1 further pair only repeated itself for 32 decks and stopped undecided"), "{text}");
}

/// Two heaps and few iterations: formulas that play a handful of different games.
const EVOLUTION: &str = "name = \"few\"\ngame = \"nim\"\nseed = 1\n[rules]\nheaps = 2\n\
    [evolve]\nseeds = [\"Q + 0.5*sqrt(ln(N)/n)\"]\npopulation = 4\nelite = 1\ngenerations = 2\n\
    [[player]]\nkind = \"formula\"\niterations = 30\n\
    [[opponent]]\nname = \"perfect\"\nkind = \"one-ply\"\n\
    [[stage]]\nmeasure = \"games\"\ndecks = 20\n[[stage]]\nmeasure = \"games\"\ndecks = 20\n";

/// Carries out an evolution of it or scores.
fn with_session<T>(
    folder: &Path,
    threads: usize,
    purpose: Purpose,
    work: impl FnOnce(EvolutionSession, RunContext) -> T,
) -> T {
    evouct::registry::add_game::<nim::Nim>();
    let plan = EvolutionPlan::parse(EVOLUTION, "few.toml", None).unwrap();
    let session =
        EvolutionSession::plan(plan, None, folder, &EvolutionOptions { purpose, ..EvolutionOptions::default() })
            .unwrap();
    let (clock, stop, mut executor) = (WallClock::start(), Arc::new(AtomicBool::new(false)), Threads::of(threads));
    work(session, RunContext { executor: &mut executor, stop: &stop, clock: &clock, patience: Duration::ZERO })
}

#[test]
fn an_evolution_counts_distinct_decks_and_says_so() {
    let scratch = Scratch::new();
    let evolve = |threads: usize| {
        let folder = scratch.0.path().join(threads.to_string());
        with_session(&folder, threads, Purpose::Evolution, |session, workers| session.run(workers, &mut |_, _| {}))
            .unwrap()
    };
    let [one, three] = [1, 3].map(evolve);
    assert_eq!(one.digest, three.digest);
    let repeats = one.repeats.unwrap();
    assert!(repeats.distinct > 0 && repeats.decks > repeats.distinct, "{repeats:?}");
    // What the records say is what the evolution said.
    let folder = EvolutionFolder::open(&scratch.0.path().join("1")).unwrap().unwrap();
    let progress = folder.progress();
    assert_eq!(progress.evolved.as_ref().unwrap().repeats, one.repeats);
    let report = EvolvedReport::of(&folder, &progress);
    assert_eq!(
        serde_json::to_value(&report).unwrap()["distinct"],
        json!({ "decks": repeats.decks, "distinct": repeats.distinct })
    );
    let said = format!("{} decks, {} distinct: ", repeats.decks, repeats.distinct);
    assert!(report.headline.iter().any(|sentence| sentence.starts_with(&said)), "{:?}", report.headline);
    assert!(summary_of_evolution(folder.plan(), &one).contains(&said));
    let verified = folder.verify(None, 3, 1).unwrap();
    assert!(verified.checked == 3 && verified.differing.is_empty(), "{verified:?}");
    // No error rests on more decks than there are distinct ones.
    for individual in &one.history.individuals {
        let fitness = &individual.fitness;
        assert!(fitness.repeats() > 0 && fitness.repeats() < fitness.units(), "{fitness:?}");
    }
}

#[test]
fn scores_count_distinct_decks_and_say_so() {
    let scratch = Scratch::new();
    let texts = ["Q", "0 - Q", "n"];
    let tables = [1, 3].map(|threads| {
        let folder = scratch.0.path().join(threads.to_string());
        let purpose = Purpose::Scores(Split::Training);
        with_session(&folder, threads, purpose, |session, workers| {
            let plan = session.evolution().clone();
            let genomes = texts.map(|text| plan.read_genome(text).unwrap()).to_vec();
            let (scores, digest) = session.score_all(Split::Training, workers, genomes);
            let rows = (1..).zip(scores).map(|(line, score)| ScoreRow { line, id: None, score }).collect();
            let table = ScoreTable { plan: &plan, split: Split::Training, rows, digest: Some(digest.unwrap()) };
            (table.json(), table.text())
        })
    });
    assert_eq!(tables[0], tables[1]);
    let (json, text) = &tables[0];
    let stages = json["genomes"].as_array().unwrap().iter().flat_map(|row| row["stages"].as_array().unwrap());
    let repeats: Vec<u64> = stages.filter_map(|stage| stage["repeats"].as_u64()).collect();
    assert!(!repeats.is_empty() && repeats.iter().all(|repeats| *repeats < 20), "{json}");
    assert!(text.contains(" repeat earlier games and are no evidence"), "{text}");
}

/// A tuning of a parameter that changes no move: every candidate plays the same game in all rounds.
#[test]
fn a_tuning_counts_distinct_decks_and_finds_nothing_in_one() {
    evouct::registry::add_game::<nim::Nim>();
    let players = format!("{DEEP}[[player]]\nname = \"perfect\"\nkind = \"one-ply\"\n");
    let text = format!("name = \"same\"\ngame = \"nim\"\n[rules]\nheaps = 3\n{players}");
    let experiment = || Experiment::parse(&text, "same.toml", Overrides::default()).unwrap();
    for method in ["halving", "surface"].map(|name| TuningMethod::of_name(name).unwrap()) {
        let scratch = Scratch::new();
        let over = vec!["depth=1..4".to_owned()];
        let options =
            TuningOptions { player: Some("deep".to_owned()), over, budget: 1_000, method, ..Default::default() };
        let tuning = Tuning::new(experiment(), options, &scratch.0.path().join("tuning")).unwrap();
        let outcome = tuning.play(2).unwrap();
        let json = serde_json::to_value(&outcome).unwrap();
        for row in json["held_out"].as_array().unwrap() {
            assert_eq!(
                (&row["decks"], &row["p"], &row["interval"], &row["permutation"]),
                (&json!(1), &Value::Null, &Value::Null, &Value::Null)
            );
            assert!(row["repeats"].as_u64().unwrap() >= 9, "{row}");
        }
        let played = |row: &&Value| row["decks"].as_u64().unwrap() > 0;
        for row in json["candidates"].as_array().unwrap().iter().filter(played) {
            assert!(row["decks"] == 1 && row["repeats"].as_u64() > Some(0) && row["interval"].is_null(), "{row}");
        }
        assert_eq!(outcome.finding, Finding::Nothing);
        let text = unwrapped(&evouct::tune::summary(&outcome));
        assert!(text.contains(" head to head 1 of ") && text.contains("openings = { plies = 4 }"), "{text}");
    }
}
