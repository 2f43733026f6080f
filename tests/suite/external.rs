//! Players that are other programs, evouct as a player of others, and what becomes of programs that break the protocol.

use crate::program;
use evouct::carcassonne::Carcassonne;
use evouct::config::{Contender, GameFrame, Log};
use evouct::domain::{AnyDomain, Domain, FaultReason, GameRules, Spec};
use evouct::einstein::Einstein;
use evouct::external::{Engine, MAX_LINE, quit_programs};
use evouct::league::{GameSetup, Verifier};
use evouct::parameter::Preset;
use evouct::record::{Ended, GameRecord, RecordedFault, Run};
use evouct::registry;
use evouct::search::Stopped;
use evouct::seed::Key;
use program::{Said, Scratch, digest, evouct, fail, fails, say, succeed};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

const EVOUCT: &str = env!("CARGO_BIN_EXE_evouct");

/// A player of this game.
fn spec(game: &'static dyn AnyDomain, text: &str) -> Spec {
    Spec::parse(game, text, Preset::Text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A game of two players.
fn setup(game: &'static dyn AnyDomain, players: [&str; 2]) -> GameSetup {
    let seats = players.map(|text| Contender::new(spec(game, text), text)).to_vec();
    let rules = GameRules::default_of(game);
    GameSetup { seed: 5, rules, frame: GameFrame::default(), clock: None, mirror: true, deck: 1, seats }
}

/// The record of an engine of `player` against random play on a seat, and that of the same player inside evouct.
fn outside_and_inside<D: Domain>(name: &str, player: &str, told: &str, inside: &str, seat: usize) -> [GameRecord; 2] {
    let game = registry::game(name).unwrap();
    let external = format!("external:command='{EVOUCT}' engine '{player}' --game {name} --seed 77{told}");
    let mut players = ["random"; 2];
    players[seat] = &external;
    let setup = setup(game, players);
    let outside = setup.play(&Stopped, Log::None, "").record;
    let mut keys = [0, 1].map(|seat| setup.player_key(seat));
    keys[seat] = Key::experiment(77).seat(seat);
    let mut specs = [spec(game, "random"), spec(game, "random")];
    specs[seat] = spec(game, inside);
    let players = [0, 1].map(|seat| registry::player::<D>(&specs[seat], keys[seat]));
    [outside, setup.play_with::<D>(players.into_iter().collect(), &Stopped, Log::None, "").record]
}

#[test]
fn an_engine_plays_the_moves_of_its_player() {
    let games = [
        outside_and_inside::<Carcassonne>("carcassonne", "mcts:iterations=8,k=1", "", "mcts:iterations=8,k=1", 0),
        outside_and_inside::<Carcassonne>("carcassonne", "mcts:k=1", ",iterations=7", "mcts:iterations=7,k=1", 1),
        outside_and_inside::<Einstein>("einstein", "mcts", ",iterations=30", "mcts:iterations=30", 1),
    ];
    for [outside, inside] in games {
        assert_eq!(outside.ended, Ended::Finished, "{:?}", outside.run.message);
        assert_eq!((&outside.moves, &outside.scores), (&inside.moves, &inside.scores));
        assert!(!outside.reproducible);
    }
}

/// A program in `sh` that plays the first legal move, and does this instead at its third turn.
pub(crate) fn script(third: &str) -> String {
    format!(
        "turn=0\nwhile read -r word rest; do\n  case $word in\n    evouct) echo id name script; echo ready;;\n    \
         legal) first=${{rest%% *}};;\n    go) turn=$((turn+1)); if [ $turn = 3 ]; then {third}; fi; \
         echo info turn $turn; echo move $first;;\n    quit) exit 0;;\n  esac\ndone\n"
    )
}

/// What faulty programs do, the reasons of their faults, and words of their messages.
fn faulty() -> Vec<(&'static str, String, &'static str, &'static str)> {
    vec![
        (
            "crash",
            script("echo no book >&2; exit 3"),
            "ended",
            "(exit status: 3); the last line of its stderr is \"no book\"",
        ),
        ("crash later", script("exit 5"), "ended", "it did not answer \"go\": the program ended (exit status: 5)"),
        ("parent", script("sleep 600 & exit 6"), "ended", "the program ended (exit status: 6)"),
        ("mute", script("exec >&-; exec sleep 600"), "ended", "the program closed its output"),
        ("chatter", script("echo I resign"), "garbage", "\"I resign\", expected move and a legal move"),
        ("bytes", script("printf '\\377\\n'"), "garbage", "is not text in UTF-8"),
        ("cheat", script("echo move Z@9,9r0"), "illegal-move", "its move \"Z@9,9r0\" is not legal"),
        ("flood", script("head -c 10000000 /dev/zero | tr '\\0' x"), "too-long", "a line of more than 65536 bytes"),
    ]
}

/// The games of a journal.
fn games(scratch: &Scratch, journal: &str) -> Vec<GameRecord> {
    let game = |line: &str| line.split_once("\"game\":").map(|(_, json)| json.strip_suffix('}').unwrap().to_owned());
    let read = |json: String| serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"));
    scratch.read(journal).lines().skip(1).filter_map(game).map(read).collect()
}

#[test]
fn a_fault_loses_its_game_only() {
    let scratch = Scratch::new();
    let mut file = "name = \"faults\"\nseed = 4\ngames_per_match = 1\nschedule = \"gauntlet\"\n\
                    [[player]]\nname = \"Random\"\nkind = \"random\"\n"
        .to_owned();
    let mut add = |name: &str, command: &str, limits: &str| {
        file.push_str(&format!("[[player]]\nname = \"{name}\"\nkind = \"external\"\ncommand = {command}\n{limits}"));
    };
    add("good", &format!("[\"sh\", {:?}]", scratch.write("good.sh", &script("true"))), "");
    for (name, text, ..) in faulty() {
        let path = scratch.write(&format!("{name}.sh"), &text);
        add(name, &format!("[\"sh\", {path:?}]"), "");
    }
    let hang = scratch.write("hang.sh", &script("true").replace("go) ", "go) exec sleep 600; "));
    add("hang", &format!("[\"sh\", {hang:?}]"), "seconds_per_move = 0.2\n");
    let experiment = scratch.write("faults.toml", &file);
    let folder = scratch.path("run");
    let run = say(&["run", &experiment, "--out", &folder, "--threads", "2"]);
    assert_eq!(run.code, Some(0), "{}", run.err);

    let expected: BTreeMap<&str, (&str, &str)> = faulty()
        .into_iter()
        .map(|(name, _, reason, words)| (name, (reason, words)))
        .chain([("hang", ("no-answer", "it did not answer \"go\" within 0.2 s"))])
        .collect();
    let journal = games(&scratch, "run/games.jsonl");
    assert_eq!(journal.len(), 2 * (expected.len() + 1), "the league is complete");
    for game in &journal {
        let players = &game.run.players;
        let seat = players.iter().position(|name| name != "Random").unwrap();
        let name = players[seat].as_str();
        let Some((reason, words)) = expected.get(name) else {
            assert_eq!((name, game.ended, game.fault), ("good", Ended::Finished, None), "{:?}", game.run.message);
            continue;
        };
        let message = game.run.message.as_deref().unwrap();
        assert_eq!(game.ended, Ended::Fault, "{name}: {message}");
        let fault = serde_json::to_value(game.fault).unwrap();
        assert_eq!(fault, serde_json::json!({ "seat": seat, "reason": reason }), "{name}: {message}");
        let start = format!("{name} on seat {} lost by a fault ({reason}): ", seat + 1);
        assert!(message.starts_with(&start) && message.contains(words), "{message}");
        let line = format!("game {}: {message}", game.id).replace('"', "\\\"");
        assert!(run.err.contains(&line) || run.err.replace('"', "\\\"").contains(&line), "{line}\n{}", run.err);
        assert!(game.scores[seat] < game.scores[1 - seat] && !game.reproducible, "{game:?}");
        let turns = if name == "hang" { seat } else { 4 + seat };
        assert_eq!(game.virtual_scores.len(), turns, "{name}: the turns before the fault are kept");
    }

    // The games count: they are in the tables, and are not played again.
    let report = succeed(&["report", &folder]);
    assert!(report.contains("mute lost 2 of 2 games by faults: ended 2"), "{report}");
    let before = scratch.read("run/games.jsonl");
    succeed(&["run", &experiment, "--out", &folder, "--retry-failed"]);
    assert_eq!(scratch.read("run/games.jsonl"), before);
    let verified = succeed(&["verify", &folder]);
    let all = journal.len();
    assert!(verified.contains(&format!("{all} games replayed by the rules, 0 played again")), "{verified}");
    assert!(verified.contains("played by people or other programs"), "{verified}");
}

/// A league, a tuning and an evolution against a program of this command, with these further parameters: the arguments
/// of the commands that play them.
fn commands_against(scratch: &Scratch, command: &str, more: &str) -> [Vec<String>; 3] {
    let program = format!("name = \"Mine\"\nkind = \"external\"\ncommand = {command}\ndeterministic = true\n{more}");
    let league = format!(
        "name = \"absent\"\ngame = \"einstein\"\ngames_per_match = 1\n[[player]]\nname = \"UCT\"\nkind = \"mcts\"\niterations = 9\n\
         [[player]]\n{program}"
    );
    let evolution = format!(
        "name = \"absent\"\ngame = \"einstein\"\n[evolve]\ngenerations = 1\npopulation = 8\nelite = 1\nseeds = [\"select = Q\"]\n\
         [[player]]\nkind = \"formula\"\niterations = 2\n[[stage]]\nmeasure = \"games\"\ndecks = [2]\n[[opponent]]\n{program}"
    );
    let league = scratch.write("league.toml", &league);
    let evolution = scratch.write("evolution.toml", &evolution);
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    [
        words(&["run", &league, "--out", &scratch.path("run")]),
        words(&[
            "tune",
            &league,
            "--player",
            "UCT",
            "--over",
            "k=0.5,1",
            "--budget",
            "400",
            "--out",
            &scratch.path("tune"),
        ]),
        words(&["evolve", &evolution, "--out", &scratch.path("evolution")]),
    ]
}

fn as_words(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

#[test]
fn a_program_that_does_not_start_stops_the_command() {
    let scratch = Scratch::new();
    let mute = "exec sleep 600\n";
    let trace = "echo Traceback >&2; echo >&2; echo line 1 >&2; echo no module >&2; echo nosuchmodule >&2; exit 1\n";
    let words = "(exit status: 1); the last lines of its stderr are \"line 1\", \"no module\", \"nosuchmodule\"";
    for (text, problem) in [
        (trace, words),
        ("exec cat\n", "it answered \"evouct 1\" with \"evouct 1\", expected ready"),
        (
            "echo lost >&2; echo hello; exec sleep 600\n",
            "with \"hello\", expected ready; the last line of its stderr is \"lost\"",
        ),
        (mute, "it did not answer \"evouct 1\" within 0.2 s"),
        ("exec >&-; exec sleep 600\n", "the program closed its output"),
        ("sleep 600 &\necho gone >&2; exit 3\n", "(exit status: 3); the last line of its stderr is \"gone\""),
        ("exec <&-; exec sleep 600\n", "it did not answer \"evouct 1\" within 0.2 s"),
        ("printf 'ready\\000\\n'; exec sleep 600\n", "expected ready"),
        ("exec tr '\\0' x </dev/zero\n", "a line of more than 65536 bytes"),
        ("exec yes info\n", "it did not answer \"evouct 1\" within 0.2 s"),
    ] {
        let script = scratch.write("bad.sh", text);
        let limit = if problem.contains("within") { "seconds_to_start = 0.2\n" } else { "" };
        for command in commands_against(&scratch, &format!("[\"sh\", {script:?}]"), limit) {
            let problem_found = fail(&as_words(&command), 2);
            assert!(problem_found.starts_with("Mine: ") && problem_found.contains(problem), "{problem_found}");
            assert!(problem_found.ends_with("; nothing was played"), "{problem_found}");
        }
        assert!(!scratch.exists("run/games.jsonl"), "{text}");
        if problem.contains("within") {
            continue;
        }
        let player = format!("external:command=sh {script}");
        for command in [
            vec!["play", "-1", &player, "-2", "random"],
            vec!["gui", "--port", "0", "--player", &format!("Mine={player}")],
        ] {
            let problem_found = fail(&command, 2);
            assert!(problem_found.contains(problem), "{command:?}: {problem_found}");
        }
    }

    // A file that cannot be executed. It is no `sh`, so the folder of the test stands for it.
    let absent = commands_against(&scratch, &format!("[{:?}, \"--quiet\"]", scratch.path("")), "");
    assert!(fail(&as_words(&absent[0]), 2).contains("\"--quiet\"] cannot be started"));

    // What `verify` starts has played before.
    let script = scratch.write("bad.sh", &script("true"));
    let [run, _, evolve] = commands_against(&scratch, &format!("[\"sh\", {script:?}]"), "");
    let said = say(&as_words(&run));
    assert_eq!(said.code, Some(0), "{said:?}");
    let line = format!("starts 1 program: Mine (sh {script})");
    assert_eq!(said.err.lines().filter(|found| *found == line).count(), 1, "{}", said.err);
    assert!(!say(&as_words(&run)).err.contains("starts"), "nothing is played, so nothing is started");
    succeed(&as_words(&evolve));
    assert!(!say(&as_words(&evolve)).err.contains("starts"), "nothing is left to be measured");
    scratch.write("bad.sh", trace);
    for folder in ["run", "evolution"] {
        let verify = ["verify", &scratch.path(folder), "--programs"];
        let found = fail(&verify, 2);
        assert!(found.starts_with("Mine: ") && found.contains(words), "{found}");
        assert!(say(&verify).err.contains(&line));
        assert!(!say(&verify[..2]).err.contains(&line));
    }
}

#[test]
fn games_that_a_start_lost_are_played_again() {
    let scratch = Scratch::new();
    let broken = scratch.path("broken");
    let text = format!("if [ -e {broken} ]; then echo no disk >&2; exit 1; fi\n{}", script(&format!(": >> {broken}")));
    let program = scratch.write("fragile.sh", &text);
    let experiment = scratch.write("duel.toml", &duel(&program, "once = true\n"));
    let folder = scratch.path("run");
    let run = ["run", &experiment, "--out", &folder, "--threads", "1"];
    let said = say(&run);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.err.contains("1 game failed and is recorded; --retry-failed plays them again"), "{}", said.err);
    assert!(said.out.contains("One game failed and is in no table."), "{}", said.out);
    let journal = games(&scratch, "run/games.jsonl");
    let [played, failed] = &journal[..] else { panic!("{journal:?}") };
    assert_eq!((played.ended, played.is_result()), (Ended::Finished, true));
    assert_eq!((failed.ended, failed.is_result()), (Ended::Fault, false));
    assert_eq!(failed.fault.map(|fault| fault.reason), Some(FaultReason::NotStarted));
    let message = failed.run.message.as_deref().unwrap();
    assert!(message.starts_with("Program on seat ") && message.contains(" did not start: "), "{message}");
    assert!(message.ends_with("the last line of its stderr is \"no disk\""), "{message}");
    let json: serde_json::Value = serde_json::from_str(&scratch.read("run/report.json")).unwrap();
    assert_eq!((&json["finished"], &json["failures"][0]["game"]), (&1.into(), &failed.id.as_str().into()));
    assert_eq!(json["failures"][0]["ended"], "not-started");
    assert!(said.out.contains("): not-started: Program on seat "), "{}", said.out);
    succeed(&["verify", &folder]);

    // Without the option nothing is played, and so nothing is started.
    assert_eq!(say(&run).code, Some(1));
    assert_eq!(games(&scratch, "run/games.jsonl").len(), 2);
    // A shard whose game fails again has recorded it.
    let seen = scratch.path("seen");
    let text = format!("if [ -e {seen} ]; then echo no disk >&2; exit 1; fi\n: > {seen}\n{}", script("true"));
    scratch.write("fragile.sh", &text);
    let said = say(&[&run[..], &["--retry-failed", "--shard", "0/1"]].concat());
    assert!(said.code == Some(1) && said.out.contains("shard 0/1 is complete: 2 games in "), "{said:?}");
    assert!(said.err.contains("1 game failed and is recorded; --retry-failed plays them again"), "{said:?}");
    scratch.write("fragile.sh", &script("true"));
    let report = succeed(&[&run[..], &["--retry-failed"]].concat());
    assert!(!report.contains("failed"), "{report}");
    let journal = games(&scratch, "run/games.jsonl");
    assert!(journal.len() == 3 && journal[2].id == failed.id && journal[2].is_result(), "{journal:?}");
}

#[test]
fn games_of_a_tuning_that_a_start_lost_are_played_again() {
    let scratch = Scratch::new();
    // Each game starts a program. Those between two numbers of starts fail.
    let starts = scratch.path("starts");
    let program = |failing: &str| {
        let count = format!("echo >> {starts}\nn=$(wc -l < {starts})\nif {failing}; then exit 1; fi\n");
        scratch.write("fragile.sh", &format!("{count}{}", script("true")));
        std::fs::remove_file(&starts).ok();
    };
    program("false");
    let file = duel(&scratch.path("fragile.sh"), "once = true\ndeterministic = true\n");
    let experiment = scratch.write("duel.toml", &file.replace("kind = \"random\"", "kind = \"mcts\"\niterations = 2"));
    let over = ["--player", "Random", "--over", "iterations=3", "--budget", "148", "--threads", "1"];
    let tune = |folder: &str, more: &[&str]| {
        say(&[&["tune", &experiment, "--out", &scratch.path(folder)], &over[..], more].concat())
    };
    let undisturbed = tune("undisturbed", &[]);
    assert_eq!(undisturbed.code, Some(0), "{undisturbed:?}");
    let whole = digest(&scratch.path("undisturbed"));

    // In the first round, where the option plays them again before the next one.
    program("[ $n -gt 4 ] && [ $n -lt 8 ]");
    let retried = tune("retried", &["--retry-failed"]);
    assert_eq!((retried.code, digest(&scratch.path("retried"))), (Some(0), whole.clone()), "{retried:?}");

    // In the held-out stage.
    program("[ $n -gt 95 ]");
    let said = tune("late", &[]);
    assert!(
        said.code == Some(1) && said.err.contains("; --retry-failed plays those of the held-out stage"),
        "{said:?}"
    );
    program("false");
    assert_eq!(tune("late", &[]).code, Some(1));
    assert!(!scratch.exists("starts"), "nothing is played, and so nothing is started");
    let retried = tune("late", &["--retry-failed"]);
    assert_eq!((retried.code, digest(&scratch.path("late"))), (Some(0), whole), "{retried:?}");

    // Once the next round has begun it is too late.
    program("[ $n -gt 4 ] && [ $n -lt 8 ]");
    let said = tune("early", &[]);
    assert!(said.code == Some(1) && !said.err.contains("--retry-failed"), "{said:?}");
    assert_eq!(tune("early", &["--retry-failed"]).code, Some(1));
    let refused = tune("early", &["--retry-failed", "--shard", "0/2"]);
    assert!(refused.code == Some(2) && refused.err.contains("cannot be used with"), "{refused:?}");
}

#[test]
fn a_program_plays_one_game_after_the_other() {
    let scratch = Scratch::new();
    let list = scratch.path("starts");
    let starts = || scratch.read("starts").lines().count();
    let program = |evouct: &str| {
        let text = format!("echo start >> {list}\ngreeted=0\n{}", script("true"));
        let choose = "legal) [ $turn = 0 ] && set -- $rest && first=$1;;";
        let text = text
            .replace("legal) first=${rest%% *};;", choose)
            .replace("first=$1", "eval first=\\${$((seed % $# + 1))}");
        let seed = "newgame) seed=${rest##*=}; turn=0; first=;;\n    legal)";
        // A program that keeps its first word is one that has not forgotten an earlier game.
        let text = text.replace("[ $turn = 0 ] && set", "set").replace("legal)", seed);
        text.replace("evouct) ", &format!("evouct) greeted=$((greeted + 1)); if [ $greeted = 2 ]; then {evouct}; fi; "))
    };
    let play = |name: &str, text: &str, more: &str, threads: &str| {
        drop(std::fs::remove_file(&list));
        let file = duel(&scratch.write("bot.sh", text), &format!("deterministic = true\n{more}"));
        let file = file.replace("games_per_match = 1", "games_per_match = 4");
        let folder = scratch.path(name);
        let report = say(&["run", &scratch.write("duel.toml", &file), "--out", &folder, "--threads", threads]);
        assert_eq!(report.code, Some(0), "{name}: {}", report.err);
        let all = games(&scratch, &format!("{name}/games.jsonl"));
        assert!(all.len() == 8 && all.iter().all(|game| game.ended == Ended::Finished), "{all:?}");
        program::digest(&folder)
    };
    let one = play("one", &program("true"), "", "1");
    assert_eq!(starts(), 1);
    let threads = play("threads", &program("true"), "", "2");
    assert!((1..=2).contains(&starts()));
    // Programs that cannot play two games: one that ends at the second, and one that does not answer it.
    let ends = play("ends", &program("exit 0"), "", "1");
    assert_eq!(starts(), 8 + 1);
    let silent = play("silent", &program("continue"), "seconds_to_start = 0.5\n", "1");
    assert_eq!(starts(), 8 + 1);
    assert!(one == threads && one == ends, "{one} {threads} {ends}");
    play("once", &program("true"), "once = true\n", "1");
    assert_eq!(starts(), 8 + 1);
    // Each game alone is the same one again.
    for game in games(&scratch, "silent/games.jsonl") {
        succeed(&["verify", &scratch.path("silent"), "--programs", "--game", &game.id]);
    }
    assert_eq!(silent, program::digest(&scratch.path("silent")));
}

#[test]
fn a_line_that_nothing_asked_for_answers_no_later_game() {
    let scratch = Scratch::new();
    let list = scratch.path("starts");
    // The first of the programs greets twice.
    let greet = format!("[ -e {list} ] || set -- ready\necho start >> {list}\n");
    let answer = "evouct) echo id name script; printf '%s\\n' ready info $1; set --;;";
    let text = greet + &script("true").replace("evouct) echo id name script; echo ready;;", answer);
    let experiment = scratch.write("duel.toml", &duel(&scratch.write("stray.sh", &text), ""));
    succeed(&["run", &experiment, "--out", &scratch.path("run"), "--threads", "1"]);
    let journal = games(&scratch, "run/games.jsonl");
    assert!(journal.len() == 2 && journal.iter().all(|game| game.ended == Ended::Finished), "{journal:?}");
    assert_eq!(scratch.read("starts").lines().count(), 2);
}

#[test]
fn a_second_move_answers_no_later_turn() {
    let scratch = Scratch::new();
    let twice = script("true").replace("echo move $first", "printf 'move %s\\n' $first $first");
    // By the next turn of the first program, its second line has arrived.
    let slow = script("true").replace("echo move $first", "sleep 0.5; echo move $first");
    assert!(twice != script("true") && slow != script("true"));
    let player = |name: &str, text: &str| format!("external:command=sh {}", scratch.write(name, text));
    let players = [player("twice.sh", &twice), player("slow.sh", &slow)];
    let setup = setup(registry::game("einstein").unwrap(), [&players[0], &players[1]]);
    let record = setup.play(&Stopped, Log::None, "").record;
    quit_programs();
    assert_eq!(record.fault.map(|fault| (fault.seat, fault.reason)), Some((0, FaultReason::Garbage)), "{record:?}");
    assert!(record.run.message.unwrap().contains("which nothing had asked for"));
    assert_eq!(record.virtual_scores.len(), 2, "each has moved once");
}

#[test]
fn a_league_without_a_program_is_not_begun() {
    let scratch = Scratch::new();
    for (number, command) in
        ["no-such-program-of-evouct --quiet", "./no-such-program-of-evouct"].into_iter().enumerate()
    {
        let text = format!(
            "name = \"absent\"\n[[player]]\nkind = \"random\"\n[[player]]\nname = \"Mine\"\nkind = \"external\"\ncommand = {command:?}\n"
        );
        let experiment = scratch.write("absent.toml", &text);
        let program = command.split(' ').next().unwrap();
        let expected = format!("Mine: there is no program {program:?}");
        assert_eq!(fail(&["run", &experiment, "--out", &scratch.path("run")], 2), expected);
        assert!(!scratch.exists("run/games.jsonl"));
        // As an opponent it would lose to every value that is tried.
        let tuned = text.replace("kind = \"random\"", "name = \"UCT\"\nkind = \"mcts\"\niterations = 9");
        let experiment = scratch.write("tuned.toml", &tuned);
        let tune = [
            "tune",
            &experiment,
            "--over",
            "k=0.5,1",
            "--budget",
            "400",
            "--out",
            &scratch.path(&format!("tune-{number}")),
        ];
        assert_eq!(fail(&tune, 2), expected);
        let evolution = format!(
            "name = \"absent\"\n[evolve]\ngenerations = 1\npopulation = 8\nelite = 1\nseeds = [\"select = Q\"]\n[[player]]\nkind = \"formula\"\n\
             iterations = 2\n[[stage]]\nmeasure = \"games\"\ndecks = [2]\n[[opponent]]\nname = \"Mine\"\nkind = \"external\"\ncommand = \
             {command:?}\ndeterministic = true\n"
        );
        let evolution = scratch.write("evolution.toml", &evolution);
        let folder = scratch.path(&format!("evolution-{number}"));
        assert_eq!(fail(&["evolve", &evolution, "--out", &folder], 2), expected);
    }
}

#[test]
fn people_play_in_no_league() {
    let scratch = Scratch::new();
    let text = "name = \"people\"\n[[player]]\nname = \"Ada\"\nkind = \"human\"\n[[player]]\nname = \"mcts\"\nkind = \"mcts\"\niterations = 9\n";
    let experiment = scratch.write("people.toml", text);
    let expected = "Ada: a person plays at the table of `evouct gui` only";
    assert_eq!(fail(&["run", &experiment, "--out", &scratch.path("run")], 2), expected);
    assert!(!scratch.exists("run/games.jsonl"));
    let tune = ["tune", &experiment, "--player", "mcts", "--over", "k=0.5,1", "--budget", "400"];
    assert_eq!(fail(&[&tune[..], &["--out", &scratch.path("tune")]].concat(), 2), expected);
    let tune = ["tune", &experiment, "--over", "k=0.5,1", "--budget", "400", "--out", &scratch.path("other")];
    assert_eq!(fail(&tune, 2), "Ada: the kind human cannot be tuned; choose another player with --player");
}

#[test]
fn the_player_at_fault_comes_last() {
    let scores = |mut scores: Vec<i32>, seat| {
        RecordedFault { seat, reason: FaultReason::Ended }.forfeit(&mut scores);
        scores
    };
    assert_eq!(scores(vec![30, 20], 0), [19, 20]);
    assert_eq!(scores(vec![30, 20], 1), [30, 20]);
    assert_eq!(scores(vec![20, 20], 1), [20, 19]);
    assert_eq!(scores(vec![9, 4, 7], 2), [9, 4, 3]);
    assert_eq!(scores(vec![5], 0), [5]);
}

#[test]
fn the_sample_player_plays_a_league() {
    let python = Command::new("python3").arg("--version").stdout(Stdio::null()).status();
    if !python.is_ok_and(|status| status.success()) {
        println!("skipped: there is no python3");
        return;
    }
    let player = concat!(env!("CARGO_MANIFEST_DIR"), "/experiments/external/player.py");
    assert!(std::fs::read_to_string(player).unwrap().lines().count() < 60);
    let scratch = Scratch::new();
    // Under a path of its own, because the command is part of the identity of a player, and so of its opponent's luck.
    std::fs::copy(player, scratch.path("player.py")).unwrap();
    let here = |arguments: &[&str]| {
        let said = Said::of(evouct(arguments).current_dir(scratch.path("")).output().unwrap());
        assert_eq!(said.code, Some(0), "{arguments:?}: {}", said.err);
        said.out
    };
    let file = format!(
        "name = \"sample\"\nseed = 6\ngames_per_match = 1\n[[player]]\nname = \"Python\"\nkind = \"external\"\n\
         command = [\"python3\", \"player.py\"]\ndeterministic = true\n[[player]]\nkind = \"random\"\n\
         [[player]]\nname = \"Engine\"\nkind = \"external\"\ncommand = [{EVOUCT:?}, \"engine\", \"mcts:iterations=5,k=1\"]\n"
    );
    let experiment = scratch.write("sample.toml", &file);
    let folder = scratch.path("run");
    here(&["run", &experiment, "--out", &folder]);
    let journal = games(&scratch, "run/games.jsonl");
    assert_eq!(journal.len(), 6);
    for game in &journal {
        assert_eq!(game.ended, Ended::Finished, "{:?}", game.run.message);
        let engine = game.run.players.iter().any(|name| name == "Engine");
        assert_eq!(game.reproducible, !engine);
        if let (Some(python), false) = (game.run.players.iter().position(|name| name == "Python"), engine) {
            assert!(game.scores[python] > game.scores[1 - python], "{game:?}");
        }
    }
    let verified = here(&["verify", &folder]);
    assert!(verified.contains("0 played again") && verified.contains("4 games were limited"), "{verified}");
    assert!(verified.contains("2 games were played by other programs"), "{verified}");
    let verified = here(&["verify", &folder, "--programs"]);
    assert!(verified.contains("2 played again") && verified.contains("4 games were limited"), "{verified}");
}

/// What an engine of this player of Carcassonne answers to these bytes.
fn answers(player: &str, input: &[u8]) -> Vec<String> {
    let mut out = Vec::new();
    let mut engine =
        Engine::new(registry::default_game(), spec(registry::default_game(), player), Some(1), Preset::Text).unwrap();
    engine.speak(&mut &input[..], &mut out).unwrap();
    String::from_utf8(out).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn an_engine_answers_wrong_lines_and_goes_on() {
    let lines: [(&[u8], &str); 19] = [
        (b"go", "error no game: newgame comes first"),
        (b"evouct 2", "error evouct 2: expected version 1 of the protocol"),
        (b"newgam carcassonne", "error \"newgam\": did you mean newgame?"),
        (b"hello", "error \"hello\": expected evouct | newgame | "),
        (b"newgame chess", "error newgame: this engine plays carcassonne, found chess"),
        (b"newgame carcassonne seats=9", "error newgame: seats=9: expected a whole number from 1 to 6"),
        (b"newgame carcassonne seats=2 seat=3", "error newgame: seat 3 of 2 seats"),
        (b"newgame carcassonne colour=2", "error newgame: colour=2: expected seats=N, seat=N or seed=N"),
        (b"\xff", "error a line is not text in UTF-8"),
        (b"newgame carcassonne seats=2 seat=1 seed=9\nrules seats=3", "error carcassonne has 3 seats by these rules"),
        (
            b"rules two_tile_cit=4",
            "error the game carcassonne has no parameter \"two_tile_cit\"; did you mean two_tile_city?",
        ),
        (b"rules seats", "error rules: seats: expected key=value"),
        (b"position J@0,1r1 J@0,1r1", "error position: "),
        (b"position nonsense", "error position: "),
        (b"go", "error go: no seat is to play; expected drawn"),
        (b"drawn QQ", "error drawn: \"QQ\" cannot be drawn here"),
        (b"drawn V\ngo fast", "error go fast: expected go, go iterations N or go seconds S, with left S increment S"),
        (b"position J@0,1r1\ndrawn V\ngo", "error go: seat 2 is to play, this engine has seat 1"),
        (b"position\ndrawn J\ngo iterations 5", "move J@"),
    ];
    let mut input = Vec::new();
    for (line, _) in lines {
        input.extend_from_slice(line);
        input.push(b'\n');
    }
    input.extend(vec![b'x'; 3 * MAX_LINE]);
    input.extend_from_slice(b"\nevouct 1\nquit\nevouct 1\n");
    let said = answers("mcts", &input);
    let expected = lines.map(|(_, answer)| answer).into_iter().chain([
        "error a line has at most 65536 bytes",
        "id name evouct ",
        "ready",
    ]);
    let expected: Vec<&str> = expected.collect();
    assert_eq!(said.len(), expected.len(), "{said:#?}");
    for (answer, expected) in said.iter().zip(expected) {
        assert!(answer.starts_with(expected), "found {answer:?}, expected {expected:?}");
    }
}

#[test]
fn a_new_budget_seats_a_new_player() {
    let start = "newgame carcassonne seats=2 seat=1\nposition\ndrawn J\n";
    // A random player has no budget; MCTS draws its first stream again only where no budget has changed.
    assert_eq!(
        answers("random", format!("{start}go\n").as_bytes()),
        answers("random", format!("{start}go iterations 4\n").as_bytes())
    );
    let twice = answers("mcts", format!("{start}go iterations 3\ngo iterations 4\ngo iterations 4\n").as_bytes());
    assert!(twice.len() == 3 && twice.iter().all(|answer| answer.starts_with("move J@")), "{twice:?}");
    let wrong = answers("mcts", format!("{start}go seconds 1e99\n").as_bytes());
    assert!(wrong[0].starts_with("error go: time_per_move = "), "{wrong:?}");
}

#[test]
fn games_and_players_that_the_protocol_cannot_serve_are_refused() {
    let searches = "function: the game scores searches, of which the line protocol tells nothing";
    assert_eq!(fail(&["engine", "mcts", "--game", "function"], 2), searches);
    assert_eq!(
        fail(&["play", "--game", "function", "-1", "external:command=bot"], 2).split(": ").nth(1),
        Some("function")
    );
    fails(&["engine", "mcts:chance=peek"], 2, "the player sees what chance brings");
    for outside in ["human", "external:command=cat"] {
        fails(&["engine", outside], 2, "expected a kind that evouct plays itself");
    }
    for (player, problem) in [
        ("external", "command is missing; expected the program and its arguments"),
        ("external:command='bot", "command = \"'bot\" is not a list of words"),
        ("external:command=bot,iterations=3,seconds=1", "iterations and seconds are given; expected one of them"),
        ("external:command=bot,seconds=90", "seconds = 90 is more than seconds_per_move = 60"),
    ] {
        let error = registry::spec(player, Preset::Text).unwrap_err().to_string();
        assert!(error.contains(problem), "{player}: {error}");
    }
    let player = "external:command=run 'mcts:k=1,a=2' \"it's\",deterministic=true";
    let spec = spec(registry::default_game(), player);
    assert_eq!(spec.description(), player, "the command that repeats a game names the same player");
    assert!(spec.is_reproducible());
}

/// A league of EinStein between random play and a program in `sh`.
fn duel(program: &str, promise: &str) -> String {
    format!(
        "name = \"duel\"\nseed = 8\ngame = \"einstein\"\ngames_per_match = 1\n[[player]]\nname = \"Program\"\n\
         kind = \"external\"\ncommand = [\"sh\", {program:?}]\n{promise}[[player]]\nname = \"Random\"\nkind = \"random\"\n"
    )
}

#[test]
fn verify_starts_programs_only_if_it_is_told_to() {
    let scratch = Scratch::new();
    let list = scratch.path("starts");
    let program = scratch.write("good.sh", &format!("echo start >> {list}\n{}", script("true")));
    let experiment = scratch.write("duel.toml", &duel(&program, "deterministic = true\n"));
    let folder = scratch.path("run");
    succeed(&["run", &experiment, "--out", &folder]);
    let starts = || scratch.read("starts").lines().count();
    assert!((1..=2).contains(&starts()), "one for each thread");
    let before = starts();
    let verified = succeed(&["verify", &folder]);
    assert!(verified.starts_with("2 games replayed by the rules, 0 played again"), "{verified}");
    assert!(verified.contains("2 games were played by other programs"), "{verified}");
    let id = &games(&scratch, "run/games.jsonl")[0].id;
    let refused = fail(&["verify", &folder, "--game", id], 2);
    assert!(refused.ends_with("--programs plays those of other programs again"), "{refused}");
    succeed(&["report", &folder]);
    succeed(&["replay", &folder, "--game", id]);
    assert_eq!(starts(), before, "nothing but a run starts a program");
    let verified = succeed(&["verify", &folder, "--programs"]);
    assert!(verified.starts_with("2 games replayed by the rules, 2 played again"), "{verified}");
    assert_eq!(starts(), before + 1);
}

#[test]
fn records_cannot_claim_what_programs_do_not_promise() {
    let scratch = Scratch::new();
    let program = scratch.write("good.sh", &script("true"));
    let experiment = scratch.write("duel.toml", &duel(&program, ""));
    succeed(&["run", &experiment, "--out", &scratch.path("run")]);
    evouct::registry::add_games();
    let experiment = Run::open(Path::new(&scratch.path("run"))).unwrap().experiment().unwrap();
    let verifier = Verifier::new(&experiment);
    for game in games(&scratch, "run/games.jsonl") {
        assert!(!game.reproducible);
        assert_eq!(verifier.replay(&game), Ok(()));
        let random = game.run.players.iter().position(|name| name == "Random").unwrap();
        let of = |seat: usize| Some(RecordedFault { seat: seat as u8, reason: FaultReason::Ended });
        for (forged, problem) in [
            (GameRecord { reproducible: true, ..game.clone() }, "reproducible: recorded true, found false"),
            (GameRecord { fault: of(1 - random), ..game.clone() }, "fault: a fault is recorded, but"),
            (
                GameRecord { ended: Ended::Fault, ..game.clone() },
                "fault: the game ended by a fault, and none is recorded",
            ),
            (
                GameRecord { ended: Ended::Fault, fault: of(random), ..game.clone() },
                "fault: recorded of the kind random",
            ),
            (GameRecord { ended: Ended::Fault, fault: of(2), ..game.clone() }, "fault: recorded of seat 2"),
        ] {
            let found = verifier.replay(&forged).unwrap_err().problem;
            assert!(found.starts_with(problem), "found {found:?}, expected {problem:?}");
        }
    }
}

/// Waits until something holds; the limit is for a test that fails.
#[cfg(target_os = "linux")]
fn wait_until(what: &str, holds: impl Fn() -> bool) {
    use std::time::{Duration, Instant};
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(120), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether a process has ended. One that nothing has waited for has ended, too, if it is not ours.
#[cfg(target_os = "linux")]
fn has_ended(process: &str, is_ours: bool) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = status.rsplit(") ").next().unwrap_or_default();
    state.is_empty() || !is_ours && state.starts_with('Z')
}

#[cfg(target_os = "linux")]
#[test]
fn no_program_outlives_its_games() {
    let scratch = Scratch::new();
    for (name, once) in [("lasting", false), ("once", true)] {
        let [ours, theirs] = ["ours", "theirs"].map(|list| scratch.path(&format!("{name}-{list}")));
        // The program starts another one, which knows nothing of the end of the games.
        let start = |sleep: &str| format!("{sleep} 600 <&- >&- 2>&- &\necho $! >> {theirs}\n");
        // The second has left the process group.
        let others = start("sleep") + &start("setsid sleep");
        let text = format!("echo $$ >> {ours}\n{others}{}", script("true"));
        let player = format!("external:command=sh {},once={once}", scratch.write(&format!("{name}-parent.sh"), &text));
        std::thread::scope(|scope| {
            for half in 0..2 {
                let player = &player;
                scope.spawn(move || {
                    for deck in 1..=25 {
                        let setup = setup(registry::game("einstein").unwrap(), ["random", player]);
                        let setup = GameSetup { deck: 100 * half + deck, ..setup };
                        let record = setup.play(&Stopped, Log::None, "").record;
                        assert_eq!(record.ended, Ended::Finished, "{:?}", record.run.message);
                    }
                });
            }
        });
        if !once {
            quit_programs();
        }
        for (list, is_ours) in [(ours, true), (theirs, false)] {
            let text = std::fs::read_to_string(list).unwrap();
            let starts = text.lines().count() / if is_ours { 1 } else { 2 };
            assert!(if once { starts == 50 } else { (1..=2).contains(&starts) }, "{name}: {starts}");
            wait_until(name, || text.lines().all(|process| has_ended(process, is_ours)));
        }
    }
}

/// So an evouct that is itself a program ends with its own programs.
#[cfg(target_os = "linux")]
#[test]
fn the_mark_of_a_program_begins_with_that_of_evouct() {
    let scratch = Scratch::new();
    let seen = scratch.path("seen");
    let text = format!("echo $EVOUCT_PROGRAM > {seen}\n{}", script("true"));
    let player = format!("external:command=sh {}", scratch.write("marked.sh", &text));
    let mut command = program::evouct(&["play", "-1", &player, "-2", "random", "--no-mirror", "--game", "einstein"]);
    assert!(command.env("EVOUCT_PROGRAM", "outer-7-").stdout(Stdio::null()).status().unwrap().success());
    let mark = scratch.read("seen");
    assert!(mark.starts_with("outer-7-") && mark.trim_end().len() > "outer-7-".len() + 4, "{mark}");
}

#[cfg(target_os = "linux")]
#[test]
fn no_program_outlives_a_command_that_is_interrupted_or_killed() {
    let scratch = Scratch::new();
    let started = |name: &str| scratch.exists(name) && scratch.read(name).ends_with('\n');
    // Its turn lasts until it is killed.
    let hang = |list: &str| {
        let text = script("true").replace(
            "go) ",
            &format!("go) setsid sleep 600 & echo $! $$ | tr ' ' '\\n' >> {}; exec sleep 600; ", scratch.path(list)),
        );
        scratch.write(&format!("{list}.sh"), &text)
    };
    let at_start = format!("echo $$ >> {}; exec sleep 600\n", scratch.path("of-start"));
    let at_start = scratch.write("at-start.toml", &duel(&scratch.write("at-start.sh", &at_start), ""));
    let experiment = scratch.write("duel.toml", &duel(&hang("of-run"), ""));
    let folder = scratch.path("run");
    let [player, killed] = ["of-play", "of-killed"].map(|list| format!("external:command=sh {}", hang(list)));
    let mut cases = vec![
        ("of-start", ["run", &at_start, "--out", &folder, "--threads", "1"], "INT", Some(75)),
        ("of-run", ["run", &experiment, "--out", &folder, "--threads", "1"], "INT", Some(75)),
        ("of-play", ["play", "-1", &player, "-2", "random", "--no-mirror"], "INT", None),
    ];
    if cfg!(target_os = "linux") {
        cases.push(("of-killed", ["play", "-1", &killed, "-2", "random", "--no-mirror"], "KILL", None));
    }
    for (list, arguments, signal, code) in cases {
        let mut command = program::spawned(&arguments);
        wait_until("the program is to play", || started(list));
        let number = command.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &number]).status().unwrap().success());
        assert_eq!(command.wait().unwrap().code(), code, "{list}");
        let text = scratch.read(list);
        wait_until(list, || text.lines().all(|process| has_ended(process, false)));
    }
    assert!(games(&scratch, "run/games.jsonl").is_empty(), "a game that is interrupted is not lost");
}

/// A file of `evouct evolve` for EinStein, with this opponent.
fn evolution(player: &str, opponent: &str) -> String {
    format!(
        "name = \"small\"\ngame = \"einstein\"\n[evolve]\nseeds = [\"Q + 2*sqrt(2*ln(N)/n)\"]\nislands = 1\n\
         population = 3\ngenerations = 1\nelite = 1\nfinalists = 1\ntune_rounds = 0\nheld_out_decks = 2\n[[player]]\n{player}\n\
         [[opponent]]\nname = \"Program\"\n{opponent}\n[[stage]]\nmeasure = \"games\"\ndecks = 1\n"
    )
}

#[test]
fn an_evolution_repeats_the_games_of_its_opponents() {
    let scratch = Scratch::new();
    let opponent =
        format!("kind = \"external\"\ncommand = [\"sh\", {:?}]\n", scratch.write("good.sh", &script("true")));
    let own = "kind = \"formula\"\niterations = 5";
    let file = |opponent: &str| scratch.write("evolution.toml", &evolution(own, opponent));
    let digest = |out: &str| out.lines().find(|line| line.starts_with("digest ")).unwrap().to_owned();
    let promised = file(&format!("{opponent}deterministic = true\n"));
    let [one, two] = ["1", "2"].map(|threads| {
        let out = succeed(&["evolve", &promised, "--out", &scratch.path(threads), "--threads", threads]);
        digest(&out)
    });
    assert_eq!(one, two);
    let refused = fail(&["verify", &scratch.path("1")], 2);
    assert!(refused.ends_with("the opponent Program is another program; --programs starts it"), "{refused}");
    let verified = succeed(&["verify", &scratch.path("1"), "--programs"]);
    assert!(verified.contains("measurements made again"), "{verified}");

    // A fault is no result of an evolution.
    let crash = format!("kind = \"external\"\ncommand = \"sh {}\"\n", scratch.write("bad.sh", &script("exit 4")));
    let failed = fail(&["evolve", &file(&format!("{crash}deterministic = true\n")), "--out", &scratch.path("bad")], 1);
    assert!(failed.contains("the program ended (exit status: 4)"), "{failed}");
}

#[test]
fn programs_are_refused_where_they_cannot_play() {
    let scratch = Scratch::new();
    let program = "kind = \"external\"\ncommand = \"bot\"";
    let refused = |command: &str, text: &str| {
        let file = scratch.write(&format!("{command}.toml"), text);
        fail(&[command, &file, "--out", &scratch.path("out")], 2)
    };
    let own = "kind = \"formula\"\niterations = 5";
    let of_evolution = "expected kind = formula, the kind of player that evolves";
    assert!(refused("evolve", &evolution(program, "kind = \"random\"")).contains(of_evolution));
    for (opponent, problem) in [
        (program.to_owned(), "deterministic = false: decisions cannot be repeated; expected deterministic = true"),
        (format!("{program}\ndeterministic = true\nseconds = 1"), "seconds = 1: a clock limits decisions"),
        ("kind = \"mcts\"\ntime_per_move = 0.1".to_owned(), "time_per_move = 0.1: a clock limits decisions"),
    ] {
        let found = refused("evolve", &evolution(own, &opponent));
        assert!(found.contains(problem), "found {found:?}, expected {problem:?}");
    }
    let bank = |player: &str, value: &str| format!("name = \"bank\"\n[[player]]\n{player}\n[[value]]\n{value}\n");
    let promised = format!("{program}\ndeterministic = true");
    let timed = "kind = \"mcts\"\ntime_per_move = 0.1";
    for (text, problem) in [
        (bank(&promised, "kind = \"mcts\""), "bank.toml:3: kind = external: a bank follows from its recipe alone"),
        (bank("kind = \"random\"", &promised), "bank.toml:5: kind = external: a bank follows from its recipe alone"),
        (bank(timed, "kind = \"mcts\""), "bank.toml:4: time_per_move = 0.1: a clock limits decisions"),
    ] {
        let found = refused("bank", &text);
        assert!(found.contains(problem), "found {found:?}, expected {problem:?}");
    }

    let league = format!("name = \"tuned\"\n[[player]]\nname = \"Bot\"\n{program}\n[[player]]\nkind = \"mcts\"\n");
    let league = scratch.write("league.toml", &league);
    let tuned = ["tune", &league, "--budget", "4000", "--dry-run", "--over"];
    let found = fail(&[&tuned[..], &["iterations=10,20"]].concat(), 2);
    assert_eq!(found, "Bot: the kind external cannot be tuned; choose another player with --player");
    // Its opponents may be programs.
    succeed(&[&tuned[..], &["iterations=10,20", "--tuned", "mcts"]].concat());

    let positions = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/bench/src/heyden-states.jsonl");
    let found = fail(&["positions", positions, "-p", "random", "-p", "external:command=bot"], 2);
    assert_eq!(found, "external:command=bot: the kind external plays games and decides no single positions");
}
