//! The examples as a user runs them: an own game and an own kind of player, with every command.

use crate::nim;
use crate::own_game;
use crate::own_player;
use crate::program;
use evouct::carcassonne::{Carcassonne, CarcassonneRules};
use evouct::domain::{AnyDomain, GameRules, check_domain};
use evouct::parameter::{Parameters, Preset};
use evouct::registry;
use evouct::seed::Key;
use nim::{Nim, NimRules};
use own_game::{Pig, PigRules};
use program::{Said, Scratch};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

/// The most lines of an example, without blank lines and comments.
const MAX_LINES: usize = 150;

/// When the newest file of a folder was changed.
fn newest(folder: &Path) -> SystemTime {
    let times = std::fs::read_dir(folder).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() { newest(&path) } else { path.metadata().unwrap().modified().unwrap() }
    });
    times.max().unwrap_or(SystemTime::UNIX_EPOCH)
}

/// The program of an example. `cargo test` and `cargo nextest run` build it beside the tests; `cargo test --test
/// examples` does not, and the program is then built here.
pub fn built(example: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.ancestors().nth(2).expect("a test lies in target/PROFILE/deps");
    let program = profile.join("examples").join(format!("{example}{}", std::env::consts::EXE_SUFFIX));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = ["src", "crates", "examples"].map(|folder| newest(&root.join(folder))).into_iter().max().unwrap();
    if program.metadata().and_then(|data| data.modified()).is_ok_and(|made| made > sources) {
        return program;
    }
    let name = profile.file_name().unwrap().to_str().unwrap();
    let name = if name == "debug" { "dev" } else { name };
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--locked", "--profile", name, "--example", example]);
    cargo.arg("--target-dir").arg(profile.parent().unwrap()).current_dir(root);
    assert!(cargo.status().unwrap().success(), "cargo build --example {example}");
    program
}

#[test]
fn a_game_of_ones_own_is_a_text_and_a_list_of_moves_at_the_table() {
    let game = registry::add_game::<Nim>();
    let scene = game.session(GameRules::default_of(game).options().values(), Key::experiment(1), &[]).scene();
    assert!(scene.board.is_empty() && scene.places.is_empty(), "{scene:?}");
    assert_eq!(scene.words.lines().take(2).collect::<Vec<_>>(), ["1  o", "2  ooo"]);
    assert_eq!(scene.choices.len(), 16);
    assert_eq!(scene.choices[1].play, "1from2");
}

/// An example with its experiment.
pub(crate) struct Example {
    pub(crate) program: PathBuf,
    experiment: String,
}

impl Example {
    pub(crate) fn new(name: &str) -> Example {
        let experiment = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/{name}.toml"));
        Example { program: built(name), experiment: experiment.to_str().unwrap().to_owned() }
    }

    pub(crate) fn say(&self, arguments: &[&str]) -> Said {
        Said::of(Command::new(&self.program).args(arguments).stdin(Stdio::null()).output().unwrap())
    }

    pub(crate) fn succeed(&self, arguments: &[&str]) -> String {
        let said = self.say(arguments);
        assert_eq!(said.code, Some(0), "{arguments:?}: {}", said.err);
        said.out
    }

    pub(crate) fn refuse(&self, arguments: &[&str]) -> String {
        let said = self.say(arguments);
        assert_eq!(said.code, Some(2), "{arguments:?}: {said:?}");
        said.err
    }

    /// Plays the experiment with two decks per match; returns what is printed.
    fn run(&self, folder: &str, more: &[&str]) -> String {
        self.succeed(&[&["run", &self.experiment, "--out", folder, "--games-per-match", "2"], more].concat())
    }

    fn digest(&self, folder: &str) -> String {
        self.succeed(&["digest", folder])
    }

    /// The league as a whole, on one thread, in shards and resumed: the same games each time. Returns the report, and
    /// the folder of the run in the scratch folder.
    fn check_league(&self, scratch: &Scratch) -> (String, String) {
        let [whole, alone, parts, killed] = ["whole", "alone", "parts", "killed"].map(|name| scratch.path(name));
        let report = self.run(&whole, &["--threads", "2", "--all"]);
        let digest = self.digest(&whole);

        self.run(&alone, &["--threads", "1"]);
        assert_eq!(self.digest(&alone), digest, "one thread");

        for shard in ["1/2", "0/2"] {
            self.run(&parts, &["--shard", shard]);
        }
        assert_eq!(self.digest(&parts), digest, "two shards");

        // A killed run leaves a journal whose last line may be cut off.
        let journal = scratch.read("whole/games.jsonl");
        let cut: String = journal.split_inclusive('\n').take(4).collect();
        std::fs::create_dir(&killed).unwrap();
        scratch.write("killed/games.jsonl", &cut[..cut.len() - 40]);
        self.run(&killed, &[]);
        assert_eq!(self.digest(&killed), digest, "resumed");

        let verified = self.succeed(&["verify", &whole, "--games", "4"]);
        assert!(verified.contains("24 games replayed by the rules, 4 played again"), "{verified}");
        assert_eq!(self.succeed(&["report", &whole]).lines().next(), report.lines().next());
        (report, whole)
    }
}

/// Runs the plain program, which must refuse with one line; returns it.
fn plain(arguments: &[&str]) -> String {
    program::fail(arguments, 2)
}

#[test]
fn an_own_game_works_with_every_command() {
    let (example, scratch) = (Example::new("own_game"), Scratch::new());
    let (report, run) = example.check_league(&scratch);
    assert!(report.contains("holds") && report.contains("busts"), "{report}");
    let players = scratch.read("whole/players.csv");
    assert!(players.contains(",busts,") && players.contains(",holds,"), "{players}");

    let replay = example.succeed(&["replay", &run]);
    assert!(replay.contains("bank") && replay.contains("of 40"), "{replay}");
    let turn = example.succeed(&["replay", &run, "--turn", "0"]);
    assert_eq!(turn.lines().count(), 4, "{turn}");
    let kinds = example.succeed(&["players", "--game", "my-pig"]);
    assert!(kinds.contains("siea-mcts") && kinds.contains("one-ply"), "{kinds}");
    let rating = example.succeed(&["players", "one-ply", "--game", "my-pig"]);
    assert!(rating.contains("default safe"), "{rating}");
    assert!(example.succeed(&["schema"]).contains("Sides of the die."));

    let game = ["play", "--game", "my-pig", "--rule", "target=20", "-1", "mcts:iterations=50", "-2", "random"];
    let played = example.succeed(&[&game[..], &["-3", "one-ply"]].concat());
    assert!(played.contains("player 3 (one-ply)") && played.contains("of 20"), "{played}");
    // Wrong values are refused with the words of the declaration.
    let said = example.say(&[&game[..], &["--rule", "sides=3"]].concat());
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("sides") && said.err.contains('4') && said.err.lines().count() == 1, "{}", said.err);
    let said = example.say(&["play", "--game", "pigs"]);
    assert!(said.err.contains("did you mean pig?"), "{}", said.err);
}

#[test]
fn an_own_kind_of_player_plays_in_a_league() {
    let (example, scratch) = (Example::new("own_player"), Scratch::new());
    let (report, _) = example.check_league(&scratch);
    assert!(report.contains("thrifty:meeple=1.5") && report.contains("monastery"), "{report}");
    let listed = example.succeed(&["players", "thrifty"]);
    assert!(listed.contains("Points that a meeple in supply is worth."), "{listed}");
    assert!(example.succeed(&["schema"]).contains("Points that a meeple in supply is worth."));
    let said = example.say(&["play", "-1", "thrifty:meple=1"]);
    assert!(said.code == Some(2) && said.err.contains("did you mean meeple?"), "{said:?}");
    let said = example.say(&["play", "-1", "thrifty:meeple=0,closing=0"]);
    assert!(said.code == Some(2) && said.err.contains("closing = 0 has no effect"), "{said:?}");
}

#[test]
fn own_methods_of_evolution_are_named_in_a_file() {
    let scratch = Scratch::new();
    let experiment = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/own_methods/evolution.toml");
    let (program, experiment) = (built("own_methods"), experiment.to_str().unwrap().to_owned());
    let example = Example { program, experiment };
    let evolve = |folder: &str, threads: &str| {
        let folder = scratch.path(folder);
        example.succeed(&["evolve", &example.experiment, "--out", &folder, "--threads", threads]);
        example.digest(&folder)
    };
    let digest = evolve("two", "2");
    assert_eq!(evolve("one", "1"), digest);
    let lineage = scratch.read("two/lineage.csv");
    // The formula and four offspring a generation, and a seed now and then.
    assert!(lineage.contains(",blend,") && lineage.lines().count() > 6 * 4, "{lineage}");
    // A resumed evolution takes the same course.
    let journal = scratch.read("two/evolution.jsonl");
    let cut: String = journal.split_inclusive('\n').take(9).collect();
    std::fs::create_dir(scratch.path("resumed")).unwrap();
    scratch.write("resumed/evolution.jsonl", &cut);
    assert_eq!(evolve("resumed", "2"), digest);

    assert!(example.succeed(&["schema", "evolution"]).contains("Generations without a better offspring"));
    let text = std::fs::read_to_string(&example.experiment).unwrap();
    let other = scratch.write("other.toml", &text.replace("\"restarts\"", "\"plus\""));
    let said = example.say(&["evolve", &other, "--out", &scratch.path("other")]);
    assert!(said.code == Some(2) && said.err.contains("patience is for algorithm = restarts, found plus"), "{said:?}");
    let refused = plain(&["evolve", &example.experiment]);
    assert!(refused.contains("algorithm = \"restarts\" is not generational | plus"), "{refused}");
}

#[test]
fn the_plain_program_names_unknown_games_and_kinds() {
    let (example, scratch) = (Example::new("own_game"), Scratch::new());
    let folder = scratch.path("run");
    example.run(&folder, &[]);
    for arguments in [
        &["run", &example.experiment][..],
        &["report", &folder],
        &["verify", &folder],
        &["replay", &folder],
        &["players", "--game", "my-pig"],
        &["play", "--game", "my-pig"],
    ] {
        let line = plain(arguments);
        assert!(line.contains("there is no game called \"my-pig\"; known: carcassonne"), "{arguments:?}: {line}");
    }
    let own_player = example.experiment.replace("own_game", "own_player");
    assert!(plain(&["run", &own_player]).contains("there is no kind of player called \"thrifty\""));
}

#[test]
fn the_game_keeps_its_contracts() {
    let game = evouct::registry::add_game::<Pig>();
    check_domain(game, &PigRules::defaults(Preset::Text), Key::experiment(1), 20).unwrap();
    for seats in [2, 3, 6] {
        let rules = PigRules { seats, ..PigRules::defaults(Preset::Text) };
        let report = check_domain(game, &rules, Key::experiment(2022), 20).unwrap();
        assert!(report.played.contains(&"siea-mcts") && report.played.contains(&"one-ply"), "{report:?}");
        // *-minimax needs two seats.
        let refused: Vec<&str> = report.refused.iter().map(|(kind, _)| *kind).collect();
        assert!(report.played.contains(&"mcts-rave") && report.played.contains(&"grave"), "{report:?}");
        assert_eq!(refused.contains(&"expectimax"), seats > 2, "{report:?}");
    }
}

#[test]
fn carcassonne_keeps_its_contracts_with_one_more_kind_of_player() {
    registry::add_kind(own_player::thrifty());
    let game = registry::add_game::<Carcassonne>();
    for seats in [2, 4] {
        let rules = CarcassonneRules { seats, ..CarcassonneRules::defaults(Preset::Text) };
        let report = check_domain(game, &rules, Key::experiment(2022), 2).unwrap();
        assert!(report.played.contains(&"thrifty") && report.played.contains(&"mcts-rave"), "{report:?}");
        assert!(seats > 2 || report.refused.is_empty(), "{report:?}");
    }
}

#[test]
fn a_game_without_chance_keeps_its_contracts() {
    let game = registry::add_game::<Nim>();
    for heaps in [2, 4, 6] {
        let rules = NimRules { heaps };
        let report = check_domain(game, &rules, Key::experiment(2022), 10).unwrap();
        assert!(report.played.contains(&"siea-mcts") && report.played.contains(&"expectimax"), "{report:?}");
    }
    let (example, scratch) = (Example::new("nim"), Scratch::new());
    let folder = scratch.path("run");
    let report = example.run(&folder, &[]);
    assert!(report.contains("12 of 12 games") && report.contains("A difference of 1 is a game won."), "{report}");
    // With the heaps 1, 3, 5, 7 the second seat wins whatever the first one plays, with 1, 3, 5 the first.
    for (heaps, seats) in [("heaps=4", ["mcts", "one-ply"]), ("heaps=3", ["one-ply", "mcts"])] {
        let arguments = ["play", "--game", "nim", "-p", seats[0], "-p", seats[1], "--rule", heaps];
        assert!(example.succeed(&arguments).contains("(one-ply): 1 point"), "{arguments:?}");
    }
}

#[test]
fn the_speed_of_formulas_is_measured() {
    let say = |arguments: &[&str], formulas: &str| {
        let mut child = Command::new(built("formula_speed"));
        let child = child.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().unwrap();
        child.stdin.take().unwrap().write_all(formulas.as_bytes()).unwrap();
        Said::of(child.wait_with_output().unwrap())
    };
    let said = say(&["64", "0"], "Q + 2*sqrt(sd / A)\nmax(best, 1)\n");
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.trim().parse::<u64>().is_ok_and(|rate| rate > 0), "{}", said.out);
    assert!(say(&["64", "0"], "Q + dv\n").err.contains("Q + dv: expected a formula over Q, sd, best, A"));
    assert!(say(&["64", "0"], "Q +\n").err.contains("Q +: column 4"));
    for words in [["many", "0"], ["0", "1"], ["10000000", "1"], ["64", "-1"], ["64", "NaN"]] {
        let said = say(&words, "");
        let found = format!("and seconds from 0 to 3600, found {}", words.join(" "));
        assert!(said.code == Some(1) && said.err.contains(&found), "{}", said.err);
    }
}

/// What the example prints are parameters of a player.
#[test]
fn what_chance_prob_cut_needs_is_measured() {
    let (program, scratch) = (built("chance_probcut"), Scratch::new());
    let states = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/heyden-2009/states.jsonl");
    let text = std::fs::read_to_string(states).unwrap();
    let file = scratch.write("two.jsonl", &text.lines().take(2).collect::<Vec<_>>().join("\n"));
    let say = |arguments: &[&str]| Said::of(Command::new(&program).args(arguments).output().unwrap());
    let said = say(&[&file, "3", "1"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let [count, parameters] = said.out.lines().collect::<Vec<_>>()[..] else { panic!("{}", said.out) };
    assert_eq!(count, "6 chance nodes");
    let player = format!("star2.5:depth=3,{parameters}");
    assert_eq!(registry::spec(&player, Preset::Text).unwrap().kind().name, "star2.5", "{player}");
    let said = say(&[&file, "3", "2"]);
    assert!(
        said.code == Some(1) && said.err.contains("a search by 2 plies less needs depth = 4, found 3"),
        "{}",
        said.err
    );
}

/// The table of the methods of tuning; its numbers are the same on every machine.
#[test]
fn planted_optima_are_tuned() {
    let say = |arguments: &[&str]| Said::of(Command::new(built("planted_optima")).args(arguments).output().unwrap());
    let said = say(&["6", "list"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let rows: Vec<&str> = said.out.lines().collect();
    assert_eq!(rows[0], "| surface | method | 300 games | 3000 games | 30000 games |");
    assert_eq!(
        rows[2..],
        [
            "| list and range | halving | too few | 0.31 ± 0.17 | 0.15 ± 0.06 |",
            "| list and range | surface | 1.77 ± 0.78 | 0.14 ± 0.10 | 0.04 ± 0.01 |",
            "| list and range | cma | 1.24 ± 0.46 | 0.81 ± 0.21 | 0.03 ± 0.01 |",
        ]
    );
    assert!(say(&["many"]).err.contains("expected a number of repetitions"));
}

/// `scripts/test` builds and runs it.
#[test]
fn the_crate_on_the_search_alone_depends_on_nothing_else() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/search_alone/Cargo.toml");
    let text = std::fs::read_to_string(path).unwrap();
    let manifest: toml::Table = text.parse().unwrap();
    assert_eq!(manifest["dependencies"].as_table().unwrap().keys().collect::<Vec<_>>(), ["evouct-search"]);
    assert!(text.contains("# Outside of this repository: evouct-search = { path = "), "{text}");
}

#[test]
fn own_methods_are_named_by_options_and_players() {
    let scratch = Scratch::new();
    let example = Example { program: built("own_methods"), experiment: String::new() };
    let league = scratch.write(
        "tuned.toml",
        "name = \"tuned\"\ngame = \"einstein\"\n[[player]]\nkind = \"mcts\"\niterations = 5\n[[player]]\nkind = \"random\"\n",
    );
    let folder = scratch.path("tuned");
    let tune =
        ["tune", &league, "--over", "iterations=2..40", "--games", "1200", "--method", "thirds", "--out", &folder];
    let tuned = example.succeed(&tune);
    assert!(tuned.contains("Result: "), "{tuned}");
    assert!(scratch.read("tuned/report.html").contains("After each round the best third of the candidates goes on"));
    assert!(plain(&tune).contains("thirds"));

    let play = ["play", "--game", "einstein", "-1", "ucb-v:iterations=50", "-2", "random", "--seed", "1"];
    assert!(example.succeed(&play).contains("player 1 (ucb-v:iterations=50): "));
    assert!(plain(&play).contains("ucb-v"));
}

#[test]
fn the_examples_are_short() {
    let names =
        ["own_game", "own_player", "nim", "chance_probcut", "planted_optima", "tests_at_looks", "formula_speed"];
    let own = ["main", "algorithm", "operator", "policy", "tuning"].map(|name| format!("own_methods/{name}"));
    let own = own.iter().map(|name| (name.as_str(), 60));
    for (name, most) in names.into_iter().map(|name| (name, MAX_LINES)).chain(own) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/{name}.rs"));
        let text = std::fs::read_to_string(path).unwrap();
        let code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
        let lines = text.lines().filter(code).count();
        assert!(lines <= most, "{name}: {lines} lines, expected at most {most}");
    }
}
