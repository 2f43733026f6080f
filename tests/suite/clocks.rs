//! Games under a clock: who exceeds it loses on time, a search plays within it, programs are told of it, and what is lost on
//! time is counted and is no evidence of strength.

use crate::nim::Nim;
use crate::program;
use evouct::config::{Contender, Experiment, GameFrame, Log, Overrides, Resolved, TimeControl};
use evouct::domain::{FaultReason, GameRules, Spec};
use evouct::external::Engine;
use evouct::league::{GameSetup, Verifier};
use evouct::parameter::Preset;
use evouct::record::{Ended, GameRecord, SprtMatch};
use evouct::registry;
use evouct::report::{Aggregate, Report};
use evouct::schedule::Schedule;
use evouct::search::{Clock, Stopped};
use program::{Scratch, fail, say, succeed, unwrapped};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A clock that goes on by so many milliseconds whenever it is read. A decision without search reads it twice.
struct Ticking(AtomicU64, u64);

impl Ticking {
    fn by(step: u64) -> Ticking {
        Ticking(AtomicU64::new(0), step)
    }
}

impl Clock for Ticking {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(self.1, Ordering::Relaxed))
    }
}

/// A league of two on mirrored decks under this clock.
fn league(clock: &str, more: &str) -> Experiment {
    registry::add_games();
    let text = format!(
        "name = \"timed\"\nseed = 6\ndecks = 12\n{more}[[player]]\nname = \"a\"\nkind = \"one-ply\"\n\
         [[player]]\nname = \"b\"\nkind = \"random\"\n{clock}"
    );
    Experiment::parse(&text, "timed.toml", Overrides::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

/// All games of a league; those of these decks in which the first player begins are lost on time by it.
fn games(experiment: &Experiment, late: &[u32]) -> Vec<GameRecord> {
    let schedule = Schedule::of(experiment);
    let play = |place: u64| {
        let game = schedule.nth(place).unwrap();
        let is_late = late.contains(&game.deck) && game.seats[0] == 0;
        GameSetup::of(experiment, &game).play(&Ticking::by(if is_late { 200 } else { 1 }), Log::None, "").record
    };
    (0..schedule.len()).map(play).collect()
}

const CLOCK: &str = "[clock]\nseconds = 1.0\n";

#[test]
fn a_player_of_evouct_loses_on_time() {
    let experiment = league(CLOCK, "");
    let first = Schedule::of(&experiment).nth(0).unwrap();
    let setup = GameSetup::of(&experiment, &first);
    // Each decision takes 0.2 s: the sixth of the first seat ends 0.2 s too late, and the margin is 0.1 s.
    let lost = setup.play(&Ticking::by(200), Log::None, "").record;
    let fault = lost.fault.unwrap();
    assert_eq!((lost.ended, fault.seat, fault.reason), (Ended::Fault, 0, FaultReason::OutOfTime));
    assert_eq!(lost.virtual_scores.len(), 10, "the turns before it");
    assert!(lost.scores[0] < lost.scores[1] && lost.is_result() && !lost.shows_strength(), "{lost:?}");
    assert_eq!(
        lost.run.message.as_deref(),
        Some("a on seat 1 lost on time: it took 0.200 s with 0.000 s on its clock"),
        "{lost:?}"
    );
    assert!(lost.run.repeat.as_deref().is_some_and(|command| command.ends_with(" --deck 1 --clock 1")), "{lost:?}");
    assert_eq!(lost.run.seconds.iter().map(|seconds| (seconds * 10.0).round()).collect::<Vec<_>>(), [12.0, 10.0]);
    // The increment comes after each decision: it lasts for ever.
    let fischer = GameSetup { clock: Some("1+0.2".parse().unwrap()), ..setup.clone() };
    let whole = fischer.play(&Ticking::by(200), Log::None, "").record;
    assert_eq!((whole.ended, whole.fault, whole.reproducible), (Ended::Finished, None, false));
    // So does a margin.
    let patient = GameSetup { clock: Some("1+0+1000".parse().unwrap()), ..setup.clone() };
    assert_eq!(patient.play(&Ticking::by(200), Log::None, "").record.ended, Ended::Finished);

    // Both are checked by the rules, and a loss on time without a clock is not believed.
    let verifier = Verifier::new(&experiment);
    verifier.replay(&lost).unwrap();
    verifier.replay(&whole).unwrap();
    let without = league("", "");
    let problem = Verifier::new(&without).replay(&lost).unwrap_err().problem;
    assert_eq!(problem, "fault: recorded as lost on time, but the game has no clock");
    let claimed = GameRecord { reproducible: true, ..whole };
    assert!(verifier.replay(&claimed).unwrap_err().problem.starts_with("reproducible: "));
}

#[test]
fn a_game_with_an_opening_and_a_limit_has_a_clock_too() {
    registry::add_games();
    registry::add_game::<Nim>();
    let text = "name = \"timed\"\ngame = \"nim\"\ndecks = 1\nopenings = [\"1from1\"]\nmax_plies = 40\n[rules]\nheaps = 4\n\
                [[player]]\nkind = \"random\"\n[[player]]\nkind = \"random\"\nname = \"b\"\n[clock]\nseconds = 1.0\n";
    let experiment =
        Experiment::parse(text, "timed.toml", Overrides::default()).unwrap_or_else(|errors| panic!("{errors}"));
    let setup = GameSetup::of(&experiment, &Schedule::of(&experiment).nth(0).unwrap());
    // The first decision, which is that of the second seat, takes two seconds.
    let lost = setup.play(&Ticking::by(2_000), Log::None, "").record;
    let fault = lost.fault.unwrap();
    assert_eq!((lost.opening, fault.seat, fault.reason), (1, 1, FaultReason::OutOfTime), "{lost:?}");
    let repeat = lost.run.repeat.as_deref().unwrap();
    assert!(["--opening='1from1'", "--max-plies 40", "--clock 1"].iter().all(|part| repeat.contains(part)), "{repeat}");
    Verifier::new(&experiment).replay(&lost).unwrap();
    let recorded = serde_json::to_string(&experiment.resolved()).unwrap();
    assert_eq!(serde_json::from_str::<Resolved>(&recorded).unwrap(), experiment.resolved());
}

#[test]
fn a_search_plays_within_its_clock() {
    let game = registry::default_game();
    let play = |player: &str, clock: &str| {
        let clock: TimeControl = clock.parse().unwrap();
        let seat = |text: &str| Contender::new(Spec::parse(game, text, Preset::Text).unwrap().under_clock(), text);
        let seats = vec![seat(player), seat("random")];
        let rules = GameRules::default_of(game);
        let setup =
            GameSetup { seed: 3, rules, frame: GameFrame::default(), clock: Some(clock), mirror: true, deck: 1, seats };
        setup.play(&Ticking::by(1), Log::None, "").record
    };
    for player in ["mcts", "siea-mcts:generations=1,simulations=1", "flat-ucb", "sa-mcts", "mcts:nodes=parts"] {
        let game = play(player, "2+0.01");
        assert_eq!(game.ended, Ended::Finished, "{player}: {:?}", game.run.message);
        // With 36 decisions the clock has 2.36 s; all but the reserve is used.
        let used = game.run.seconds[0];
        assert!((1.5..=2.46).contains(&used), "{player}: {used} s");
        assert!(game.playouts[0] > 400, "{player}: {} playouts", game.playouts[0]);
    }
    // Iterations that are given limit it as well.
    assert_eq!(play("mcts:iterations=5", "60").playouts[0], 5 * 36);
    assert_eq!(play("mcts:iterations=400", "60").playouts[0], 400 * 36);
    // A fixed depth is cut short.
    let star = play("star1:depth=2", "2");
    assert_eq!(star.ended, Ended::Finished, "{:?}", star.run.message);
}

#[test]
fn what_is_lost_on_time_counts_and_is_no_evidence() {
    let experiment = league(CLOCK, "");
    let all = Report::of(&experiment, &Aggregate::of_games(&experiment, &games(&experiment, &[])));
    assert!(all.faults.is_empty() && all.lost_on_time == 0);
    let with_late = games(&experiment, &[3, 7]);
    let report = Report::of(&experiment, &Aggregate::of_games(&experiment, &with_late));
    assert_eq!((report.finished, report.lost_on_time, report.digest.not_reproducible), (24, 2, 24));
    assert_eq!((report.faults[0].words(), report.faults[0].games), ("out-of-time 2".to_owned(), 24));
    // Points, matches and games won count them; tests and effects leave the whole deck, or the game, out.
    let row = |report: &Report, name: &str| report.ranking.iter().find(|row| row.player == name).unwrap().clone();
    let lost_before = row(&all, "b").games_won;
    assert_eq!(row(&report, "b").games, 24);
    assert!(row(&report, "b").games_won >= lost_before, "{} {lost_before}", row(&report, "b").games_won);
    assert_eq!(report.matches.iter().map(|row| row.games).sum::<u64>(), 24);
    let pair = &report.significance[0];
    assert_eq!((pair.units, pair.games.iter().sum::<u64>()), (10, 22));
    let clean: Vec<GameRecord> = with_late.iter().filter(|game| game.shows_strength()).cloned().collect();
    let clean = Report::of(&experiment, &Aggregate::of_games(&experiment, &clean));
    assert_eq!(pair.paired.as_ref().unwrap().p, clean.significance[0].paired.as_ref().unwrap().p);
    assert_eq!(report.ratings.rows[0].elo, clean.ratings.rows[0].elo);
    assert_eq!(row(&report, "a").difference.mean, row(&clean, "a").difference.mean);
    // All forms say so.
    let sentences = report.headline().sentences.join(" ");
    assert!(sentences.contains("Each seat had 1 s on its clock: the games cannot be repeated."), "{sentences}");
    assert!(sentences.contains("2 games of 24 were lost on time. Games lost on time count as lost"), "{sentences}");
    assert!(!sentences.contains("fault of another program"), "{sentences}");
    assert!(sentences.contains("on 10 decks"), "{sentences}");
    let json = report.json();
    assert_eq!((&json["lost_on_time"], &json["clock"]["seconds"]), (&2.into(), &1.0.into()));
    assert!(all.json().get("lost_on_time").is_none());

    // A sequential test takes no decision from it.
    let tested = league(CLOCK, "[sequential]\nelo0 = 0\nelo1 = 400\n");
    let mut test = SprtMatch::of(&tested).unwrap();
    with_late.iter().for_each(|game| test.add(game));
    let of_report = Report::of(&tested, &Aggregate::of_games(&tested, &with_late)).sequential.unwrap();
    assert_eq!(test.pairs().pairs(), of_report.pairs);
    let decks = |late: &[u32]| {
        let mut test = SprtMatch::of(&tested).unwrap();
        games(&tested, late).iter().take(8).for_each(|game| test.add(game));
        test.pairs().pairs().0.iter().sum::<u64>()
    };
    assert_eq!([decks(&[]), decks(&[3])], [4, 3]);
}

#[test]
fn clocks_are_refused_in_one_line() {
    registry::add_games();
    let text = |clock: &str, more: &str| {
        let file =
            format!("name = \"x\"\n{more}\n[[player]]\nkind = \"random\"\n[[player]]\nkind = \"one-ply\"\n{clock}");
        Experiment::parse(&file, "x.toml", Overrides::default()).map_err(|errors| errors.to_string())
    };
    let hash = |clock: &str| text(clock, "").unwrap().hash();
    for (clock, problem) in [
        ("[clock]\nseconds = 0", ":8: clock: seconds = 0 is not a number from 0.001 to 1000000"),
        ("[clock]\nseconds = -5", ":8: clock: seconds = -5 is not a number from 0.001"),
        ("[clock]\nincrement = 1", ":7: clock: seconds is missing"),
        ("[clock]\nseconds = 9\nincrement = -1", ":9: clock: increment = -1 is not a number from 0 to"),
        ("[clock]\nseconds = 9\nincrment = 1", "did you mean increment?"),
    ] {
        let errors = text(clock, "").unwrap_err();
        assert!(errors.lines().count() == 1 && errors.contains(problem), "{clock}: {errors}");
    }
    assert!(text("", "clock = 60").unwrap_err().contains(":2: clock = 60 is not a table"));
    let positions = text(CLOCK, "positions = \"some.jsonl\"").unwrap_err();
    assert!(positions.contains("[clock] is for games, and positions are decided without one"), "{positions}");
    let alone = text(CLOCK, "game = \"function\"").unwrap_err();
    assert!(alone.contains("[clock] needs a game of two or more seats"), "{alone}");
    // The clock is part of what the games depend on.
    assert_ne!(hash(CLOCK), hash(""));
    assert_eq!(hash("[clock]\nseconds = 1\nincrement = 0\nmargin = 0.1"), hash(CLOCK));

    let scratch = Scratch::new();
    let with = |name: &str, clock: &str| {
        let file =
            "name = \"x\"\ndecks = 1\n[[player]]\nkind = \"random\"\n[[player]]\nkind = \"one-ply\"\n".to_owned();
        scratch.write(name, &(file + clock))
    };
    let folder = scratch.path("run");
    succeed(&["run", &with("without.toml", ""), "--out", &folder]);
    let changed =
        fail(&["run", &with("with.toml", "[clock]\nseconds = 60\nincrement = 2"), "--out", &folder, "--extend"], 2);
    assert!(changed.contains("clock was none and is 60+2"), "{changed}");
    let timed = scratch.write("timed.toml", &format!("name = \"x\"\n[[player]]\nkind = \"mcts\"\n{CLOCK}"));
    let tuned = fail(&["tune", &timed, "--over", "k=0.1..3", "--games", "2000", "--out", &scratch.path("tune")], 2);
    assert!(tuned.contains("[clock]: a tuning compares strength"), "{tuned}");
    let play = |clock: &str| say(&["play", "-1", "mcts", "-2", "random", "--game", "einstein", "--clock", clock]);
    assert_eq!(play("0.05+0.001+600").code, Some(0));
    let wrong = play("60+");
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("60+ is no clock; expected SECONDS, SECONDS+INCREMENT or"), "{}", wrong.err);
}

/// A program in `sh` that writes each `go` to a file and then does this.
fn program(log: &str, act: &str) -> String {
    format!(
        "while read -r word rest; do\n  case $word in\n    evouct) echo ready;;\n    legal) first=${{rest%% *}};;\n    \
         go) echo \"$rest\" >> {log}; {act};;\n    quit) exit 0;;\n  esac\ndone\n"
    )
}

#[test]
fn a_program_is_told_its_clock_and_loses_on_time() {
    let scratch = Scratch::new();
    let log = scratch.path("go.txt");
    let told = |budget: &str, clock: &str| {
        let path = scratch.write("player.sh", &program(&log, "echo move $first"));
        scratch.write("go.txt", "");
        let game = registry::game("einstein").unwrap();
        let seat = |text: &str| Contender::new(Spec::parse(game, text, Preset::Text).unwrap(), text);
        let seats = vec![seat(&format!("external:command=sh {path},once=true{budget}")), seat("random")];
        let clock = Some(clock.parse().unwrap());
        let rules = GameRules::default_of(game);
        let setup = GameSetup { seed: 3, rules, frame: GameFrame::default(), clock, mirror: true, deck: 1, seats };
        let record = setup.play(&Stopped, Log::None, "").record;
        assert_eq!(record.ended, Ended::Finished, "{:?}", record.run.message);
        scratch.read("go.txt").lines().take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(told("", "60+0.5"), ["left 60.000 increment 0.5", "left 60.500 increment 0.5"]);
    assert_eq!(told(",iterations=9", "600"), ["iterations 9 left 600.000 increment 0"; 2]);

    // It hangs at its first move, which ends when its clock does.
    let path = scratch.write("hang.sh", &program(&log, "exec sleep 600"));
    let file = format!(
        "name = \"hang\"\ndecks = 2\ngame = \"einstein\"\n[clock]\nseconds = 0.4\nmargin = 0.2\n\
         [[player]]\nname = \"Random\"\nkind = \"random\"\n\
         [[player]]\nname = \"Slow\"\nkind = \"external\"\ncommand = [\"sh\", {path:?}]\n"
    );
    let (file, folder) = (scratch.write("hang.toml", &file), scratch.path("run"));
    let plan = succeed(&["run", &file, "--out", &folder, "--dry-run"]);
    assert!(plan.contains("0.4 s on the clock of each seat: the games cannot be repeated"), "{plan}");
    let run = say(&["run", &file, "--out", &folder, "--threads", "4"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.contains("Slow on seat 2 lost on time: it did not answer \"go\" within 0.6 s"), "{}", run.err);
    let out = unwrapped(&run.out);
    assert!(out.contains("Slow lost 4 of 4 games by faults: out-of-time 4"), "{out}");
    assert!(out.contains("4 games of 4 were lost on time."), "{out}");
    assert!(out.contains("No difference can be tested"), "{out}");
    let journal = scratch.read("run/games.jsonl");
    assert_eq!(journal.matches("\"fault\":{\"seat\":").count(), 4);
    // They are results, which are neither repeated nor played again.
    succeed(&["run", &file, "--out", &folder, "--retry-failed"]);
    assert_eq!(scratch.read("run/games.jsonl"), journal);
    assert!(succeed(&["verify", &folder]).contains("4 games replayed by the rules, 0 played again"));
    assert!(succeed(&["digest", &folder]).contains("4 games were limited by a clock"));
    let pairs = succeed(&["export", &folder, "--format", "pgn", "--out", &scratch.path("pairs")]);
    assert!(pairs.contains("games.pgn: 0 rows"), "{pairs}");
    succeed(&["export", &folder, "--out", &scratch.path("tables")]);
    assert!(scratch.read("tables/games.csv").lines().nth(1).unwrap().contains(",fault,out-of-time,false,"));
}

#[test]
fn an_engine_plays_by_the_clock_that_it_is_told() {
    let answers = |player: &str, go: &str| {
        let game = registry::default_game();
        let mut engine =
            Engine::new(game, Spec::parse(game, player, Preset::Text).unwrap(), None, Preset::Text).unwrap();
        let mut out = Vec::new();
        let lines = format!("evouct 1\nnewgame carcassonne seats=2 seat=1 seed=3\nposition\ndrawn V\n{go}\n");
        engine.speak(&mut lines.as_bytes(), &mut out).unwrap();
        String::from_utf8(out).unwrap().lines().last().unwrap().to_owned()
    };
    assert!(answers("mcts", "go left 0.2 increment 0.01").starts_with("move "));
    assert!(answers("mcts:iterations=20", "go left 60.000 increment 0").starts_with("move "));
    assert!(answers("mcts", "go iterations 7 left 60.000 increment 0.5").starts_with("move "));
    for wrong in ["go left 5", "go left x increment 1", "go left -1 increment 1", "go left 1 increment inf"] {
        assert!(answers("mcts", wrong).starts_with("error go"), "{wrong}");
    }
}
