//! The disk fails at the n-th change of a run folder, once or for good, with and without a loss of power: resuming
//! gives the digest of an undisturbed run, and nothing panics. `EVOUCT_FAULTS=all` tries every n, not a sample.

use evouct::config::{Experiment, Overrides};
use evouct::disk::faults::{AfterFault, inject};
use evouct::league::{End, ResumeOptions, Session, Threads};
use evouct::offline::{
    Bank, BankBuild, EvolutionOptions, EvolutionPlan, EvolutionSession, Recipe, RunContext, write_files,
};
use evouct::record::{Digester, Run, repair};
use evouct::report::rebuild;
use evouct::schedule::Shard;
use evouct::search::Stopped;
use evouct::store::RecordError;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const RANDOM: &str = "name = \"random\"\nseed = 3\ngames_per_match = 1\nlog = \"full\"\n[[player]]\nname = \"a\"\nkind = \"random\"\n\
                      [[player]]\nname = \"b\"\nkind = \"random\"\n[[player]]\nname = \"c\"\nkind = \"random\"\n";
/// How many faults of each sort are tried where not all are.
const SAMPLE: u64 = 6;

/// What follows a failing call, and whether what was not synced is lost.
const SORTS: [(AfterFault, bool); 3] =
    [(AfterFault::Recovers, false), (AfterFault::Dead, false), (AfterFault::Dead, true)];

pub(crate) fn tries_all() -> bool {
    std::env::var("EVOUCT_FAULTS").is_ok_and(|faults| faults == "all")
}

fn experiment(decks: u32) -> Experiment {
    evouct::registry::add_games();
    let overrides = Overrides { games_per_match: Some(decks), ..Overrides::default() };
    Experiment::parse(RANDOM, "random.toml", overrides).unwrap()
}

fn play(folder: &Path, decks: u32, shard: Option<&str>) -> Result<(), String> {
    let shard: Option<Shard> = shard.map(|shard| shard.parse().unwrap());
    let permissions = ResumeOptions { extend: true, ..ResumeOptions::default() };
    let session = Session::plan(experiment(decks), folder, shard, permissions).map_err(|error| error.to_string())?;
    let stop = Arc::new(AtomicBool::new(false));
    session.play(1, &stop, &mut (), |_| {}).map(drop).map_err(|error| error.to_string())
}

#[test]
fn a_stop_after_the_last_game_interrupts_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for (decks, stop_at, end) in [(1, 6, End::Done), (2, 5, End::Interrupted)] {
        let permissions = ResumeOptions { extend: true, ..ResumeOptions::default() };
        let session = Session::plan(experiment(decks), folder.path(), None, permissions).unwrap();
        assert_eq!(session.missing(), 6, "{decks} decks");
        let (stop, mut played) = (Arc::new(AtomicBool::new(false)), 0);
        let found = session.play(1, &stop, &mut (), |_| {
            played += 1;
            stop.store(played == stop_at, Ordering::Relaxed);
        });
        assert_eq!((found.unwrap(), played), (end, stop_at));
    }
}

/// Without a list, a folder with journals counts as one of an earlier version, and all its files as evouct's.
#[test]
fn a_folder_has_the_list_of_its_files_before_its_first_journal() {
    for fail_at in 1.. {
        let folder = tempfile::tempdir().unwrap();
        let injection = inject(folder.path(), fail_at, AfterFault::Dead);
        let played = play(folder.path(), 1, None);
        if injection.failed().is_none() {
            played.unwrap();
            break;
        }
        injection.lose_power().unwrap();
        let has_list = folder.path().join(".evouct-files").exists();
        assert!(has_list || !folder.path().join("games.jsonl").exists(), "change {fail_at}");
    }
}

fn report(folder: &Path) -> Result<(), RecordError> {
    let run = Run::open(folder)?;
    rebuild(&run, &run.experiment()?)?.written.map(drop)
}

fn digest(folder: &Path) -> Result<String, RecordError> {
    let mut digester = Digester::default();
    Run::open(folder)?.games(|game| -> Result<(), RecordError> {
        digester.add(&game);
        Ok(())
    })?;
    Ok(digester.finish().digest)
}

/// A league, an extension of it, its report; the same in shards, and a salvage of it. Resumes after an interruption.
fn everything(root: &Path) -> Result<(), String> {
    let [league, shards, mended] = ["league", "shards", "mended"].map(|name| root.join(name));
    let text = |error: RecordError| error.to_string();
    // An extended run cannot be reduced again.
    if !league.join("games-1.jsonl").exists() {
        play(&league, 1, None)?;
    }
    play(&league, 2, None)?;
    report(&league).map_err(text)?;
    for shard in ["0/2", "1/2"] {
        play(&shards, 2, Some(shard))?;
    }
    // An interrupted salvage starts again.
    if mended.exists() && !mended.join("experiment.toml").exists() {
        std::fs::remove_dir_all(&mended).map_err(|error| error.to_string())?;
    }
    if !mended.exists() {
        repair(&shards, &mended).map_err(text)?;
    }
    play(&mended, 2, None)
}

const RECIPE: &str = "name = \"bank\"\nseed = 3\ngames = 8\npositions_per_game = 2\nrewards = 4\n[[player]]\nkind = \"random\"\n\
                      [[value]]\nkind = \"mcts\"\niterations = 40\n";
const EVOLUTION: &str = "name = \"small\"\nseed = 5\n[evolve]\nbank = \"bank\"\nseeds = [\"Q + 2*sqrt(2*ln(N)/n)\", \"Q\"]\n\
                         islands = 1\npopulation = 4\nelite = 1\ngenerations = 2\nfinalists = 2\ntune_count = 0\n[[player]]\n\
                         kind = \"formula\"\niterations = 20\n[[opponent]]\nkind = \"random\"\n[[stage]]\nmeasure = \"replay\"\n\
                         positions = 4\n[[stage]]\nmeasure = \"games\"\ndecks = 1\n";

/// A bank of positions and an evolution on it. Resumes after an interruption. Returns the digests.
fn offline(root: &Path) -> Result<[String; 2], String> {
    evouct::registry::add_games();
    let (bank, folder) = (root.join("bank"), root.join("evolution"));
    let stop = Arc::new(AtomicBool::new(false));
    let recipe = Recipe::parse(RECIPE, "bank.toml").unwrap();
    let build = BankBuild::plan(recipe, &bank).map_err(|error| error.to_string())?;
    if build.missing() > 0 {
        build.make(&mut Threads::of(1), &stop, &mut (), &Stopped).map_err(|error| error.to_string())?;
    }
    let bank = Bank::open(&bank).map_err(|error| error.to_string())?;
    let plan = EvolutionPlan::parse(EVOLUTION, "small.toml", None).unwrap();
    let made = bank.digest.clone();
    let session = EvolutionSession::plan(plan.clone(), Some(bank), &folder, &EvolutionOptions::default());
    let session = session.map_err(|error| error.to_string())?;
    let workers = RunContext { executor: &mut Threads::of(1), stop: &stop, clock: &Stopped, patience: Duration::ZERO };
    let evolved = session.run(workers, &mut |_, _| {}).map_err(|error| error.to_string())?;
    write_files(&plan, &evolved, &folder).map_err(|error| error.to_string())?;
    Ok([made, evolved.digest])
}

/// Runs `work` in folders where one change of the disk after another fails, and lets `check` look at what is there after
/// each: it resumes the work. Says how often.
fn with_faults<T: std::fmt::Debug>(calls: u64, work: impl Fn(&Path) -> Result<T, String>, check: impl Fn(&Path, &str)) {
    let step = if tries_all() { 1 } else { calls.div_ceil(SAMPLE) };
    let (mut tried, mut refused) = (0, 0);
    for (number, (after, power_is_lost)) in SORTS.into_iter().enumerate() {
        // Each sort of fault meets other calls.
        let first = 1 + number as u64 * (step / 3);
        for fail_at in (first..=calls).step_by(step as usize) {
            let root = tempfile::tempdir().unwrap();
            let injection = inject(root.path(), fail_at, after);
            let ended = work(root.path());
            let failed = injection.failed();
            let what =
                format!("call {fail_at} of {calls} ({failed:?}, {after:?}, power lost: {power_is_lost}): {ended:?}");
            assert!(failed.is_some(), "never made: {what}");
            refused += u64::from(ended.is_err());
            if power_is_lost {
                injection.lose_power().unwrap();
            } else {
                drop(injection);
            }
            check(root.path(), &what);
            tried += 1;
        }
    }
    println!("{tried} faults at {calls} calls, {refused} of them ended the work, all were resumed");
    assert!(refused * 10 > tried * 8, "{refused} of {tried} faults were noticed");
}

#[test]
fn no_fault_of_the_disk_changes_an_evolution() {
    let whole = tempfile::tempdir().unwrap();
    let counted = inject(whole.path(), 0, AfterFault::Recovers);
    let expected = offline(whole.path()).unwrap();
    let calls = counted.calls();
    drop(counted);
    let lineage = std::fs::read(whole.path().join("evolution/lineage.csv")).unwrap();
    with_faults(calls, offline, |root, what| {
        assert_eq!(offline(root).as_ref(), Ok(&expected), "{what}");
        assert_eq!(std::fs::read(root.join("evolution/lineage.csv")).unwrap(), lineage, "{what}");
    });
}

#[test]
fn no_fault_of_the_disk_changes_a_digest() {
    let whole = tempfile::tempdir().unwrap();
    let counted = inject(whole.path(), 0, AfterFault::Recovers);
    everything(whole.path()).unwrap();
    let calls = counted.calls();
    drop(counted);
    let expected = digest(&whole.path().join("league")).unwrap();
    let ranking = std::fs::read(whole.path().join("league/ranking.csv")).unwrap();
    assert!(calls > 100, "{calls}");
    let folders = ["league", "shards", "mended"];
    with_faults(calls, everything, |root, what| {
        // What is there is never wrong, only incomplete.
        for name in folders {
            if let Ok(table) = std::fs::read(root.join(name).join("ranking.csv")) {
                assert_eq!(table, ranking, "{what}");
            }
        }
        everything(root).unwrap_or_else(|error| panic!("{what}: resuming: {error}"));
        for name in folders {
            assert_eq!(digest(&root.join(name)).unwrap(), expected, "{name}: {what}");
        }
        assert_eq!(std::fs::read(root.join("league/ranking.csv")).unwrap(), ranking, "{what}");
    });
}
