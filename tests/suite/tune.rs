//! Tuning: it finds a planted optimum, shows nothing where candidates are equal, and gives the same result for all ways
//! to play it.

use crate::program;
use evouct::config::{Experiment, Overrides};
use evouct::domain::{Domain, Kind, ScoreLead};
use evouct::game::{Game, Scores, StreamDeck, Turn, Uniform};
use evouct::league::GameSetup;
use evouct::parameter::Values;
use evouct::player::{Decision, Player, PlayerView};
use evouct::registry;
use evouct::sampling::below;
use evouct::schedule::Schedule;
use evouct::seed::{Key, SearchRng, search_rng};
use evouct::tune::{CandidateRow, Course, Finding, Tuning, TuningMethod, TuningOptions, TuningOutcome};
use program::{Said, Scratch, digest, evouct, fail, fails, say, succeed, timeless};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Stdio;

/// A game of one bid per seat. The bids are the scores, after a die that changes nothing.
#[derive(Clone, Default)]
struct Bids {
    rolled: bool,
    bids: usize,
    scores: Scores,
}

impl Game for Bids {
    type Action = u8;
    type Outcome = u8;
    type Deck = StreamDeck;

    fn seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        match self.bids {
            _ if !self.rolled => Turn::Chance,
            seat @ 0..2 => Turn::Player(seat),
            _ => Turn::Terminal,
        }
    }

    fn outcomes(&self, outcomes: &mut Vec<(u8, u32)>) {
        outcomes.clear();
        outcomes.extend((1..=6).map(|pips| (pips, 1)));
    }

    fn apply(&mut self, _: u8) {
        self.rolled = true;
    }

    fn actions(&self, actions: &mut Vec<u8>) {
        actions.clear();
        actions.extend(0..=100);
    }

    fn play(&mut self, bid: u8) {
        self.scores[self.bids] = bid.into();
        self.bids += 1;
    }

    fn scores(&self) -> Scores {
        self.scores
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Auction;

impl Domain for Auction {
    type Game = Bids;
    type Rules = ();
    type Playout = Uniform;
    type Evaluation = ScoreLead;
    type Metrics = ();

    const NAME: &'static str = "auction";
    const ABOUT: &'static str = "one bid per seat, the higher wins";

    fn start((): &()) -> Bids {
        Bids::default()
    }
}

evouct::parameters! {
    /// What a bidder's bids depend on, or not.
    struct BidderParameters {
        /// The best value is `OPTIMUM`.
        x: f64 = 0.05, values = Values::Real(0.001, 1000.0);
        /// `calm` is better than any other word.
        style: String = "wild".to_owned();
        /// Changes nothing.
        idle: f64 = 1.0, values = Values::Real(0.001, 1000.0);
    }
}

/// Where bids are highest.
pub(crate) const OPTIMUM: f64 = 2.0;

struct Bidder {
    mean: f64,
    rng: SearchRng,
}

impl Player<Bids> for Bidder {
    fn decide(&mut self, _: &PlayerView<Bids>) -> Decision<u8> {
        let noise = below(&mut self.rng, 21) as f64 - 10.0;
        Decision::of((self.mean + noise).clamp(0.0, 100.0) as u8)
    }
}

fn bidder(name: &'static str) -> Kind<Auction> {
    Kind::new(name, "bids a known function of its parameters, and noise", "tests", |p: &BidderParameters, key| {
        let distance = (p.x / OPTIMUM).ln();
        let calm = if p.style == "calm" && p.idle > 0.0 { 4.0 } else { 0.0 };
        Box::new(Bidder { mean: 50.0 - 2.0 * distance * distance + calm, rng: search_rng(&mut key.stream()) })
    })
}

/// A kind that was added may be added again, not in place of one of the game.
#[test]
#[should_panic(expected = "auction has a kind of player called \"mcts\": give yours another name")]
fn a_kind_of_the_game_is_not_replaced() {
    registry::add_kind(bidder("bidder"));
    registry::add_kind(bidder("bidder"));
    registry::add_kind(bidder("mcts"));
}

/// A bidder with its defaults, and these players.
pub(crate) fn experiment(seed: u64, others: &str) -> Experiment {
    registry::add_kind(bidder("bidder"));
    let text = format!(
        "name = \"auction\"\ngame = \"auction\"\nseed = {seed}\n[[player]]\nname = \"Bidder\"\nkind = \"bidder\"\n{others}"
    );
    Experiment::parse_with(&text, "auction.toml", Overrides::default(), Tuning::LEAST_PLAYERS).unwrap()
}

pub(crate) fn options(over: &[&str], budget: u64) -> TuningOptions {
    let over = over.iter().map(|over| (*over).to_owned()).collect();
    TuningOptions { player: None, over, budget, ..Default::default() }
}

/// Plays a tuning to its end.
pub(crate) fn play(experiment: Experiment, options: TuningOptions, folder: &Path) -> (Tuning, Course) {
    let tuning = Tuning::new(experiment, options, folder).unwrap();
    let outcome = tuning.play(2).unwrap();
    let course = tuning.course().unwrap();
    assert_eq!(course.outcome.as_ref().map(TuningOutcome::sentence), Some(outcome.sentence()));
    (tuning, course)
}

fn outcome(experiment: Experiment, over: &[&str], budget: u64) -> TuningOutcome {
    let scratch = Scratch::new();
    play(experiment, options(over, budget), &scratch.0.path().join("tuning")).1.outcome.unwrap()
}

/// The tuned value of a candidate.
pub(crate) fn value<'a>(outcome: &'a TuningOutcome, candidate: &str, parameter: &str) -> &'a serde_json::Value {
    let row = outcome.candidates.iter().find(|row| row.name == candidate).unwrap();
    &row.parameters[parameter]
}

#[test]
fn a_planted_optimum_is_found() {
    // Of 32 candidates over five powers of ten, two or three are calm and as close to the optimum as this.
    for seed in 1..=3 {
        let outcome = outcome(experiment(seed, ""), &["x=0.01..1000", "style=wild,calm"], 6_000);
        assert_eq!(outcome.candidates.len(), 33);
        let x = value(&outcome, &outcome.winner, "x").as_f64().unwrap();
        assert!((OPTIMUM / 2.5..OPTIMUM * 2.5).contains(&x), "seed {seed}: x = {x}");
        assert_eq!(value(&outcome, &outcome.winner, "style"), "calm", "seed {seed}");
        assert_eq!(outcome.finding, Finding::Better);
        // Default: 50 − 2 ln²(0.025) = 22.8; optimum: 54.
        let comparison = &outcome.held_out[0];
        let interval = comparison.interval.unwrap();
        let distance = (x / OPTIMUM).ln();
        let truth = 4.0 + 2.0 * (0.025_f64.ln() * 0.025_f64.ln() - distance * distance);
        assert!((interval.low - 1.0..interval.high + 1.0).contains(&truth), "{comparison:?}, expected {truth}");
        assert!(comparison.p.unwrap() < 1e-6 && comparison.permutation.unwrap() < 0.001);
    }
}

/// A tuning of three parameters by this method that finds the planted optimum, writes these files and has these words on
/// its page.
pub(crate) fn finds_the_optimum(
    method: &str,
    files: &[&str],
    words: &[&str],
) -> (Scratch, Tuning, Course, TuningOutcome) {
    let scratch = Scratch::new();
    let over = ["x=0.01..1000", "style=wild,calm", "idle=0.01..100"];
    let options = TuningOptions { method: TuningMethod::of_name(method).unwrap(), ..options(&over, 6_000) };
    let (tuning, mut course) = play(experiment(1, ""), options, &scratch.0.path().join("tuning"));
    let outcome = course.outcome.take().unwrap();
    let x = value(&outcome, &outcome.winner, "x").as_f64().unwrap();
    assert!((OPTIMUM / 2.0..OPTIMUM * 2.0).contains(&x), "x = {x}");
    assert_eq!(value(&outcome, &outcome.winner, "style"), "calm");
    assert_eq!(outcome.finding, Finding::Better);
    let written = evouct::tune::write(&tuning, &outcome).unwrap();
    for file in files {
        assert!(written.iter().any(|name| name == file), "{file}: {written:?}");
    }
    let page = scratch.read("tuning/report.html");
    for words in words {
        assert!(page.contains(words), "{words}");
    }
    (scratch, tuning, course, outcome)
}

#[test]
fn a_surface_finds_a_planted_optimum_and_shows_it() {
    let files = ["report.html", "figures/surface-x.svg", "figures/surface-idle.csv", "figures/path.svg"];
    let words = ["Matérn 5/2", " candidates is highest after 16 rounds", "recommended after it", "--method surface"];
    let (scratch, _, course, outcome) = finds_the_optimum("surface", &files, &words);
    assert_eq!(course.groups.len(), 17);
    let surface = outcome.surface.as_ref().unwrap();
    let length = |parameter: &str| surface.lengths[parameter].as_f64().unwrap();
    assert!(length("idle") > 2.0 * length("x"), "{:?}", surface.lengths);
    assert_eq!(surface.path.len(), 16);
    assert_eq!(surface.path.last().unwrap().candidate, outcome.winner);
    // Candidates are chosen by results: calm ones within a factor of 4 of the optimum, 12 % of all, have most decks.
    let is_good = |row: &&CandidateRow| {
        let x = row.parameters["x"].as_f64().unwrap();
        row.parameters["style"] == "calm" && (OPTIMUM / 4.0..OPTIMUM * 4.0).contains(&x)
    };
    let decks = |row: &CandidateRow| row.decks;
    let good: u64 = outcome.candidates.iter().filter(is_good).map(decks).sum();
    assert!(good * 2 > outcome.candidates.iter().map(decks).sum(), "{good} of {:?}", outcome.candidates);
    // The truth along the slice of x, over the default at 0.05, is within the interval of most of its points.
    let slice = surface.slices.iter().find(|slice| slice.parameter == "x").unwrap();
    let square = |x: f64| (x / OPTIMUM).ln() * (x / OPTIMUM).ln();
    let truth = |x: f64| (54.0 - 2.0 * square(x)).max(0.0) - (50.0 - 2.0 * square(0.05));
    let points = || slice.at.iter().zip(&slice.predicted).filter(|(x, _)| (0.1..50.0).contains(*x));
    let inside = points().filter(|(x, one)| (one.interval.low - 1.5..one.interval.high + 1.5).contains(&truth(**x)));
    assert!(inside.count() * 10 >= points().count() * 7, "{slice:?}");
    let candidates = scratch.read("tuning/candidates.csv");
    assert!(candidates.starts_with(
        "candidate,default,x,style,idle,decks,mean,low,high,surface,surface_low,surface_high,failed,left\n"
    ));
}

#[test]
fn the_rounds_of_a_surface_do_not_depend_on_how_they_are_played() {
    let planned = [
        " candidates against random, seed 5",
        "round 1:  16 players,      2 decks,       64 games",
        "round 6:   4 players",
    ];
    let said = ["a surface over ", "by their own decks"];
    is_the_same_however_played("surface", &["iterations=1..40"], &planned, said);
}

/// Plays a tuning with 300 games uninterrupted, killed in its second round and in two shards.
pub(crate) fn is_the_same_however_played(method: &str, over: &[&str], planned: &[&str], said: [&str; 2]) {
    let scratch = Scratch::new();
    let text = format!("{CHEAP}{RANDOM}").replace("kind = \"one-ply\"", "kind = \"mcts\"\niterations = 2");
    let experiment = scratch.write("cheap.toml", &text);
    let [whole, killed, parts] = ["whole", "killed", "parts"].map(|name| scratch.path(name));
    let over: Vec<&str> = over.iter().flat_map(|over| ["--over", over]).collect();
    let words = |folder: &str, more: &[&str]| -> Vec<String> {
        let options = [&["--games", "300", "--method", method], &over[..]].concat();
        let all = [&["tune", &experiment, "--out", folder], &options[..], more].concat();
        all.into_iter().map(str::to_owned).collect()
    };
    let succeed_in = |folder: &str, more: &[&str]| {
        let words = words(folder, more);
        succeed(&words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let plan = succeed_in(&whole, &["--dry-run"]);
    for words in [&[said[0]], planned].concat() {
        assert!(plan.contains(words), "{words}: {plan}");
    }
    let out = succeed_in(&whole, &["--threads", "2"]);
    assert!(out.starts_with(without_estimate(&plan)), "{out}");
    assert!(out.contains(said[1]) && out.contains("\nhead to head "), "{out}");
    let of_whole = digest(&whole);
    let files = ["report.json", "report.html", "tuned.toml", "candidates.csv", "figures/path.csv", "tune.json"];

    // Killed in the second round: the later rounds follow from the records again.
    std::fs::create_dir_all(scratch.path("killed/round-2")).unwrap();
    std::fs::create_dir_all(scratch.path("killed/round-1")).unwrap();
    for file in ["tune.json", "round-1/games.jsonl", "round-2/games.jsonl"] {
        let text = scratch.read(&format!("whole/{file}"));
        let kept = if file.starts_with("round-2") { &text[..text.len() / 2] } else { &text };
        scratch.write(&format!("killed/{file}"), kept);
    }
    succeed_in(&killed, &["--threads", "1"]);
    assert_eq!(digest(&killed), of_whole);
    // Two shards in turn, until both are through.
    let mut turns = 0;
    loop {
        let shard = ["0/2", "1/2"][turns % 2];
        let words = words(&parts, &["--shard", shard, "--patience", "0"]);
        let said = say(&words.iter().map(String::as_str).collect::<Vec<_>>());
        turns += 1;
        match said.code {
            Some(0) => break,
            code => assert!(code == Some(75) && turns < 60, "{said:?}"),
        }
    }
    assert!(turns > 5, "each round waits for both: {turns}");
    assert_eq!(digest(&parts), of_whole);
    for file in files {
        let [killed, parts, whole] =
            ["killed", "parts", "whole"].map(|folder| timeless(&scratch.read(&format!("{folder}/{file}"))));
        assert_eq!(killed, whole, "{file}");
        assert_eq!(parts, whole, "{file}");
    }
    // Another method is another tuning.
    let other = if method == "surface" { "halving" } else { "surface" };
    let other_words = ["tune", &experiment, "--out", &whole, "--games", "300", "--method", other];
    fails(&[&other_words, &over[..]].concat(), 2, format!("--method was {method} and is {other}"));
    assert!(succeed(&["status", &whole]).starts_with("cheap: tuning, complete, "));
}

#[test]
fn an_optimum_is_found_against_opponents() {
    let others =
        "[[player]]\nname = \"A\"\nkind = \"bidder\"\nx = 1\n[[player]]\nname = \"B\"\nkind = \"bidder\"\nx = 9\n";
    let outcome = outcome(experiment(7, others), &["x=0.01..1000"], 6_000);
    assert_eq!(outcome.opponents, ["A", "B"]);
    let x = value(&outcome, &outcome.winner, "x").as_f64().unwrap();
    assert!((OPTIMUM / 2.5..OPTIMUM * 2.5).contains(&x), "x = {x}");
    assert_eq!(outcome.held_out.len(), 2);
    for comparison in &outcome.held_out {
        assert!(comparison.holm.unwrap() < 1e-6 && comparison.holm >= comparison.p, "{comparison:?}");
    }
    // The default is among the worst, so it leaves early.
    let default = outcome.candidates.iter().find(|row| row.is_default).unwrap();
    assert!(default.left.is_some_and(|left| left < 3), "{default:?}");
}

#[test]
fn nothing_is_shown_where_all_candidates_are_equal() {
    for seed in 1..=3 {
        let outcome = outcome(experiment(seed, ""), &["idle=0.01..100"], 4_000);
        // The best of many equal estimates is too high; the held-out decks show this.
        let best = &outcome.candidates[0];
        assert!(best.mean.unwrap() > 0.0, "{best:?}");
        assert_eq!(outcome.finding, Finding::Nothing, "seed {seed}: {:?}", outcome.held_out);
        assert!(outcome.sentence().starts_with("nothing is shown"), "{}", outcome.sentence());
    }
}

#[test]
fn the_default_is_kept_where_it_is_the_best() {
    let text = "[[player]]\nname = \"A\"\nkind = \"bidder\"\nx = 1\n";
    let best = experiment(1, text);
    let toml = best.toml.replace("name = \"Bidder\"\nkind = \"bidder\"", "name = \"Bidder\"\nkind = \"bidder\"\nx = 2");
    let best = Experiment::parse(&toml, "auction.toml", Overrides::default()).unwrap();
    let outcome = outcome(best, &["x=100,300,900"], 1_000);
    assert_eq!((outcome.winner.as_str(), outcome.finding), ("Bidder", Finding::Worse));
    assert_ne!(outcome.challenger, "Bidder");
}

#[test]
fn no_deck_is_played_in_two_stages() {
    let scratch = Scratch::new();
    let others =
        "[[player]]\nname = \"A\"\nkind = \"bidder\"\nx = 1\n[[player]]\nname = \"B\"\nkind = \"bidder\"\nx = 9\n";
    let (_, course) = play(experiment(3, others), options(&["x=0.1..10"], 2_000), &scratch.0.path().join("tuning"));
    let mut decks: BTreeSet<String> = BTreeSet::new();
    let mut all = 0;
    for group in &course.groups {
        let of_stage = |experiment: &Experiment| -> BTreeSet<String> {
            let deck = |game: &_| full(GameSetup::of(experiment, game).deck_key());
            Schedule::of(experiment).games().map(|game| deck(&game)).collect()
        };
        let stages: Vec<BTreeSet<String>> = group.stages.iter().map(|stage| of_stage(&stage.experiment)).collect();
        // All opponents of a round have the same decks, so that estimates are means over the opponents deck by deck.
        assert!(stages.windows(2).all(|pair| pair[0] == pair[1]), "{}", group.name);
        all += stages[0].len();
        decks.extend(stages.into_iter().flatten());
        let held_out = group.name == "held-out stage";
        assert!(group.stages.iter().all(|stage| (stage.experiment.seed % 2 == 1) == held_out));
    }
    assert!(course.groups.len() > 2 && decks.len() == all, "{} of {all} decks differ", decks.len());
}

/// A key as text: the start of its stream.
fn full(key: Key) -> String {
    let mut rng = search_rng(&mut key.stream());
    (0..8).map(|_| below(&mut rng, 1 << 30).to_string()).collect::<Vec<_>>().join("-")
}

/// Cheap players of the default game.
pub(crate) const CHEAP: &str = "name = \"cheap\"\nseed = 5\n[[player]]\nname = \"Rater\"\nkind = \"one-ply\"\n";
pub(crate) const RANDOM: &str = "[[player]]\nkind = \"random\"\n";
pub(crate) const OVER: [&str; 4] = ["--over", "rating=dv,dm,cl", "--budget", "160"];

fn tune(experiment: &str, folder: &str, more: &[&str]) -> String {
    succeed(&[&["tune", experiment, "--out", folder], &OVER[..], more].concat())
}

#[test]
fn threads_shards_and_resuming_make_the_same_tuning() {
    let scratch = Scratch::new();
    let experiment = scratch.write("cheap.toml", &format!("{CHEAP}{RANDOM}"));
    let [one, two, parts, killed] = ["one", "two", "parts", "killed"].map(|name| scratch.path(name));
    let out = tune(&experiment, &one, &["--threads", "1"]);
    assert!(out.contains("round 1:   3 players,     16 decks,       96 games"), "{out}");
    assert!(out.contains("Result: ") && out.contains("\nhead to head "), "{out}");
    tune(&experiment, &two, &["--threads", "2"]);
    let whole = digest(&one);
    assert!(whole.contains("156 of 156 games"), "{whole}");
    assert_eq!(digest(&two), whole);
    // Hours are for a plan: a recorded one stays as it is.
    let file = scratch.path("cheap.toml");
    let planned = succeed(&["tune", &file, "--out", &two, "--over", "rating=dv,dm,cl", "--hours", "7"]);
    assert!(planned.contains("games") && digest(&two) == whole, "{planned}");
    for name in ["report.json", "tuned.toml", "candidates.csv", "tune.json"] {
        assert_eq!(scratch.read(&format!("one/{name}")), scratch.read(&format!("two/{name}")), "{name}");
    }

    // Each shard plays its part of a round, and the last of a round begins the next.
    let shard = |shard: &str| {
        say(&[&["tune", &experiment, "--out", &parts, "--shard", shard, "--patience", "0"], &OVER[..]].concat())
    };
    let waits = shard("0/2");
    assert_eq!(waits.code, Some(75), "{waits:?}");
    assert!(
        waits.err.contains("shard 0/2 of round 1 is complete; 48 games of other shards are missing"),
        "{}",
        waits.err
    );
    let again = shard("0/2");
    assert_eq!(again.code, Some(75), "{again:?}");
    let part = say(&["digest", &parts]);
    assert!(part.code == Some(1) && part.out.contains("48 of 156 games"), "{part:?}");
    assert!(part.err.contains("interim results: 108 games are missing; `evouct tune` with the same "), "{part:?}");
    let next = shard("1/2");
    assert!(next.code == Some(75) && next.err.contains("shard 1/2 of held-out stage is complete"), "{next:?}");
    let interim = fail(&["report", &parts], 1);
    assert!(interim.contains("interim results: 30 games are missing; `evouct tune` with the same "), "{interim}");
    let last = shard("0/2");
    assert!(last.code == Some(0) && last.out.contains("Result: "), "{last:?}");
    assert!(last.out.ends_with(&format!("report {parts}/report.html\n")), "{last:?}");
    assert_eq!(digest(&parts), whole);
    // Shards that are played at once wait for one another.
    let waiting = scratch.path("waiting");
    let shards = ["0/2", "1/2"].map(|shard| {
        let words = [&["tune", &experiment, "--out", &waiting, "--shard", shard, "--threads", "1"], &OVER[..]].concat();
        evouct(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    });
    for shard in shards {
        let said = Said::of(shard.wait_with_output().unwrap());
        assert!(said.code == Some(0) && said.out.contains("Result: "), "{said:?}");
    }
    assert_eq!(digest(&waiting), whole);

    // A killed process leaves a journal whose last line may be cut off.
    std::fs::create_dir_all(scratch.path("killed/round-1")).unwrap();
    scratch.write("killed/tune.json", &scratch.read("one/tune.json"));
    let journal: String = scratch.read("one/round-1/games.jsonl").split_inclusive('\n').take(30).collect();
    scratch.write("killed/round-1/games.jsonl", &journal[..journal.len() - 40]);
    let status = succeed(&["status", &killed]);
    assert!(status.contains("cheap: tuning, round 1, 28 of 156 games recorded, 128 missing"), "{status}");
    assert_eq!(succeed(&["status", &killed, "--missing"]), "128\n");
    let csv = succeed(&["status", &killed, "--format", "csv"]);
    let rows: Vec<&str> = csv.lines().skip(2).filter(|line| !line.is_empty()).collect();
    assert!(rows.len() == 2 && rows[0] == "cheap,round 1,28,156,128,0,,", "{csv}");
    tune(&experiment, &killed, &[]);
    assert_eq!(digest(&killed), whole);

    let verified = succeed(&["verify", &one, "--games", "2"]);
    assert!(verified.contains("round-1:\n96 games replayed") && verified.contains("held-out:\n"), "{verified}");
    assert!(succeed(&["status", &one]).starts_with("cheap: tuning, complete, 156 of 156 games recorded, 0 missing\n"));
    let page = scratch.read("one/report.html");
    for file in ["report.json", "report.html"] {
        std::fs::remove_file(scratch.path(&format!("one/{file}"))).unwrap();
    }
    let report = succeed(&["report", &one]);
    assert!(out.ends_with(&report), "{report}");
    for (format, begin) in
        [("md", "**"), ("csv", "# "), ("latex", "% Needs \\usepackage{booktabs}"), ("html", "<!DOCTYPE")]
    {
        let text = succeed(&["report", &one, "--format", format]);
        assert!(text.starts_with(begin), "{format}: {text}");
    }
    assert_eq!(scratch.read("one/report.json"), scratch.read("two/report.json"));
    assert_eq!(scratch.read("one/report.html"), page);
    assert_eq!(timeless(&scratch.read("two/report.html")), timeless(&page), "the page depends on the records alone");
    // It has the finding, the command and the digest.
    let finding = out.split("Result: ").nth(1).unwrap().split('.').next().unwrap();
    let finding = program::unwrapped(finding);
    let finding = finding.trim_start_matches("nothing");
    assert!(page.contains(finding), "{finding}");
    assert!(page.contains("evouct tune experiment.toml --over rating=dv,dm,cl --games 160"), "{page}");
    assert!(page.contains(whole.split_whitespace().next().unwrap()), "{whole}");
    let json: serde_json::Value = serde_json::from_str(&succeed(&["report", &one, "--json"])).unwrap();
    assert_eq!(json["candidates"].as_array().unwrap().len(), 3);
    // Where a comparison shows nothing, what it could have shown.
    let is_open = json["held_out"].as_array().unwrap().iter().any(|row| row["holm"].as_f64() >= Some(0.05));
    for text in [&program::unwrapped(&out), &page] {
        assert_eq!(text.contains("With these data a true difference of "), is_open, "{text}");
    }
    // Every stage is a run like any other.
    assert!(succeed(&["report", &scratch.path("one/round-1")]).contains("96 of 96 games"));
    // The result is a part of an experiment.
    let tuned = scratch.write("next.toml", &format!("name = \"next\"\n{}{RANDOM}", scratch.read("one/tuned.toml")));
    let players = succeed(&["run", &tuned, "--dry-run"]);
    assert!(players.contains("one-ply rating=") && players.lines().all(|line| line.chars().count() <= 80), "{players}");
    assert!(!players.split_whitespace().any(|word| word.ends_with("=-")), "unset parameters: {players}");
}

/// A plan without its last line, which says how many core-hours a sample estimates.
fn without_estimate(plan: &str) -> &str {
    let (before, estimate) = plan.trim_end().rsplit_once('\n').expect("a plan has several lines");
    assert!(estimate.contains(" core-hours (") && estimate.contains(", from a sample of "), "{plan}");
    before
}

#[test]
fn values_that_a_constraint_excludes_never_play() {
    let scratch = Scratch::new();
    let text = "name = \"siea\"\nseed = 5\n[[player]]\nname = \"A\"\nkind = \"siea-mcts\"\niterations = 2\n";
    let experiment = scratch.write("siea.toml", text);
    let over = ["tune", &experiment, "--over", "alpha=0.1..90", "--over", "beta=0.2..100", "--dry-run"];
    for method in ["halving", "surface", "cma"] {
        let words = [&over[..], &["--games", "3000", "--method", method, "--where", "alpha < beta"]].concat();
        let plan = succeed(&words);
        assert!(plan.contains("\nwhere alpha < beta\n"), "{plan}");
        assert_eq!(plan.contains(" of values left out: they cannot play together\n"), method != "cma", "{plan}");
    }
    let refused = fail(&[&over[..], &["--games", "3000", "--where", "alpha < gamma"]].concat(), 2);
    assert!(refused.contains("--where alpha < gamma: \"gamma\" is no formula over parameters"), "{refused}");
    let legal = ["--over", "alpha=1..9", "--over", "beta=10..90", "--games", "3000", "--where", "alpha > beta"];
    fails(&[&over[..2], &legal].concat(), 2, "--where alpha > beta does not hold");
}

#[test]
fn numbers_are_drawn_and_a_plan_is_only_printed() {
    let scratch = Scratch::new();
    let text = "name = \"alone\"\nseed = 5\n[[player]]\nname = \"MCTS\"\nkind = \"mcts\"\niterations = 2\n";
    let experiment = scratch.write("alone.toml", text);
    let folder = scratch.path("tuning");
    let over = ["tune", &experiment, "--out", &folder, "--over", "k=0.1..3", "--budget", "270"];
    let plan = succeed(&[&over[..], &["--dry-run"]].concat());
    assert!(plan.contains("the default and 4 other candidates against its own default, seed 5"), "{plan}");
    assert!(!scratch.exists("tuning"));
    let out = succeed(&over);
    assert!(out.starts_with(without_estimate(&plan)) && out.contains("MCTS (default)"), "{out}");
    let strength = scratch.read("tuning/figures/strength-k.csv");
    assert!(strength.starts_with("k,decks,mean,low,high,candidate\n") && strength.lines().count() == 5, "{strength}");
    assert!(scratch.read("tuning/figures/strength-k.svg").starts_with("<svg"));
    // The estimate after the last round of a candidate is the one of the table.
    let rounds = scratch.read("tuning/figures/rounds.csv");
    assert!(rounds.starts_with("candidate,round,estimate\n"), "{rounds}");
    for row in strength.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let last = rounds.lines().rfind(|line| line.starts_with(&format!("{},", cells[5])));
        assert!(last.is_some_and(|line| line.ends_with(&format!(",{}", cells[2]))), "{row}: {rounds}");
    }
    // The same values by other texts are the same tuning, other values another one.
    let same = succeed(&["tune", &experiment, "--out", &folder, "--over", "k=1e-1..3.0", "--budget", "270"]);
    assert!(same.contains("MCTS (default)"), "{same}");
    let other = ["tune", &experiment, "--out", &folder, "--over", "k=0.1..5", "--budget", "300"];
    let line = fail(&other, 2);
    assert!(line.contains("--over was k=0.1..3 and is k=0.1..5; --games was 270 and is 300; choose another"), "{line}");
    let line = fail(&[&over[..], &["--seed", "6"]].concat(), 2);
    assert!(line.contains("seed was 5 and is 6"), "{line}");
}

#[test]
fn invalid_options_are_refused_in_one_line() {
    let scratch = Scratch::new();
    let experiment = scratch.write("cheap.toml", &format!("{CHEAP}{RANDOM}"));
    let folder = scratch.path("tuning");
    for (more, words) in [
        (&["--over", "ratng=dv", "--budget", "900"][..], "one-ply has no parameter \"ratng\"; did you mean rating?"),
        (&["--over", "k=1..2", "--budget", "900"], "one-ply has no parameter \"k\"; kinds that have it: mcts"),
        (&["--over", "rating=dv..dm", "--budget", "900"], "\"dv..dm\" is not a formula over dv, dm, fl"),
        (&["--over", "rating=dx", "--budget", "900"], "\"dx\" is not a formula over dv, dm, fl"),
        (&["--over", "rating=dv", "--budget", "900"], "there is nothing to tune: Rater has these values already"),
        (&["--over", "rating=dm", "--over", "rating=cl", "--budget", "900"], "rating is given twice"),
        (&["--over", "rating=dm", "--budget", "147"], "--games 147 is too small to decide among 2 players"),
        (&["--over", "rating=dm", "--budget", "147"], "held-out decks take at least 148 games"),
        (&["--over", "rating=dm", "--budget", "900", "--player", "Ratr"], "no such player; did you mean Rater?"),
        (
            &["--over", "rating=dm", "--budget", "900", "--player", "random"],
            "random has no parameter \"rating\"; kinds that have it: one-ply",
        ),
        (&["--over", "rating=dm"], "--games"),
        (&["--over", "rating=dm", "--hours", "0"], "--hours 0: expected a number above 0"),
        (&["--over", "rating=dm", "--hours", "1", "--shard", "0/2"], "shards have no common one; name --games"),
        (&["--over", "rating=dm", "--hours", "1", "--games", "900"], "cannot be used with"),
        (&["--over", "rating=dm", "--budget", "900", "--method", "spsa"], "invalid value 'spsa' for '--method"),
        (
            &["--over", "rating=dm", "--budget", "900", "--method", "cma"],
            "--method cma needs a range, found lists of values: rating=dm",
        ),
        (&["--over", "rating=dm,cl", "--budget", "74", "--method", "surface"], "--games 74 is too small for a surface"),
    ] {
        fails(&[&["tune", &experiment, "--out", &folder], more].concat(), 2, words);
    }
    let mirrored = scratch.write("own.toml", &format!("mirror = false\n{CHEAP}{RANDOM}"));
    let line = fail(&[&["tune", &mirrored, "--out", &folder], &OVER[..]].concat(), 2);
    assert!(line.contains("mirror = false, but a tuning compares players on mirrored decks"), "{line}");
    assert!(!scratch.exists("tuning"));
    let run = scratch.path("run");
    succeed(&["run", &experiment, "--out", &run, "--games-per-match", "1"]);
    fails(&[&["tune", &experiment, "--out", &run], &OVER[..]].concat(), 2, "this folder holds a run, not a tuning");
    assert!(!scratch.exists("run/tune.json"));
}

/// What fails in a later round is no wrong argument: a batch job goes on.
#[test]
fn a_round_that_cannot_be_recorded_is_no_wrong_argument() {
    let scratch = Scratch::new();
    let players = "[[player]]\nkind = \"mcts\"\niterations = 10\n[[player]]\nkind = \"random\"\n";
    let file = scratch.write("fast.toml", &format!("name = \"fast\"\nseed = 3\nlog = \"full\"\n{players}"));
    std::fs::create_dir_all(scratch.path("tuned/round-2/thoughts.jsonl")).unwrap();
    let options = ["--over", "iterations=5,8,10,12", "--games", "400", "--out", &scratch.path("tuned")];
    fails(&[&["tune", &file][..], &options].concat(), 1, "the same command resumes the tuning");
}
