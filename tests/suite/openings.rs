//! Openings and limits of plies: how the games of a deck begin and where they end at the latest.

use crate::examples::Example;
use crate::nim::Nim;
use crate::program;
use evouct::config::{Experiment, Log, OpeningSource, Overrides, suggested_openings};
use evouct::domain::{AtLimit, GameRules};
use evouct::league::{GameSetup, Verifier};
use evouct::offline::{EvolutionPlan, Measurer, Purpose, Request};
use evouct::record::{Ended, GameRecord, Run};
use evouct::registry;
use evouct::schedule::Schedule;
use evouct::search::Stopped;
use evouct::seed::Key;
use evouct::tune::{Tuning, TuningOptions};
use program::table::Table;
use program::{Said, Scratch, fail};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

const PLAYERS: &str = "[[player]]\nkind = \"random\"\n[[player]]\nkind = \"mcts\"\niterations = 20\n";

/// An experiment with Nim, of so many heaps and decks.
fn text(heaps: usize, decks: u32, keys: &str, players: &str) -> String {
    format!("name = \"opened\"\ngame = \"nim\"\ndecks = {decks}\n{keys}\n[rules]\nheaps = {heaps}\n{players}")
}

/// The games of the program, and Nim.
fn add_games() {
    registry::add_games();
    registry::add_game::<Nim>();
}

fn parse(text: &str) -> Result<Experiment, String> {
    add_games();
    Experiment::parse(text, "nim.toml", Overrides::default()).map_err(|errors| errors.to_string())
}

fn nim(heaps: usize, decks: u32, keys: &str) -> Experiment {
    parse(&text(heaps, decks, keys, PLAYERS)).unwrap_or_else(|error| panic!("{error}"))
}

fn openings(experiment: &Experiment, decks: u32) -> Vec<String> {
    let openings = experiment.frame.openings.as_ref().expect("the experiment has openings");
    (1..=decks).map(|deck| openings.of_deck(deck).unwrap()).collect()
}

#[test]
fn decks_have_distinct_openings_as_long_as_there_are_some() {
    // From heaps of 1 and 3 the first move leads to four positions.
    let experiment = nim(2, 9, "openings = { plies = 1 }");
    let first = openings(&experiment, 9);
    let distinct: BTreeSet<&String> = first[..4].iter().collect();
    assert_eq!(distinct.into_iter().collect::<Vec<_>>(), ["1from1", "1from2", "2from2", "3from2"]);
    // Then they begin again.
    assert_eq!((&first[4..8], &first[8]), (&first[..4], &first[0]));
    assert_eq!(experiment.frame.openings.as_ref().unwrap().distinct(9), Ok(4));
    assert_eq!(experiment.frame.openings.as_ref().unwrap().distinct(3), Ok(3));
    // Eleven orders of two moves lead to four positions in which the game goes on.
    assert_eq!(nim(2, 9, "openings = { plies = 2 }").frame.openings.unwrap().distinct(9), Ok(4));
    // Of many openings the decks of a run have different ones, whatever order they are asked for in.
    let [ahead, inverse] = [1, 2].map(|_| nim(6, 200, "openings = { plies = 3 }"));
    let all = openings(&ahead, 200);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 200);
    let inverse_openings = inverse.frame.openings.as_ref().unwrap();
    assert!((1..=200).rev().all(|deck| inverse_openings.of_deck(deck).unwrap() == all[deck as usize - 1]));
    // More decks change none of them, another seed changes them.
    assert_eq!(openings(&nim(6, 10, "openings = { plies = 3 }"), 10), all[..10]);
    assert_ne!(openings(&nim(6, 10, "openings = { plies = 3 }\nseed = 2"), 10), all[..10]);
}

#[test]
fn a_quick_search_rejects_lopsided_openings() {
    let balanced = nim(2, 4, "openings = { plies = 2, balanced = 0.99 }");
    let found = balanced.frame.openings.unwrap().distinct(4);
    // Heaps of 0 and 1, and of 0 and 2: the seat to play takes all. Heaps of 1 and 1: it loses.
    assert_eq!(found.unwrap_err(), "balanced = 0.99: no opening of 2 plies that was tried is; expected more");
    let all = nim(2, 4, "openings = { plies = 2, balanced = 1 }");
    assert_eq!(all.frame.openings.unwrap().distinct(4), Ok(4));
}

#[test]
fn an_experiment_without_openings_is_what_it_was() {
    let plain = nim(4, 2, "");
    assert_eq!(serde_json::to_string(&plain.resolved()).unwrap().matches("opening").count(), 0);
    let hashes: BTreeSet<String> = ["", "openings = { plies = 2 }", "openings = { plies = 3 }", "max_plies = 9"]
        .map(|keys| nim(4, 2, keys).hash())
        .into();
    assert_eq!(hashes.len(), 4);
    // Read back from a journal.
    for keys in ["openings = { plies = 2, balanced = 0.5 }", "openings = [\"1from1\", \"1from2\"]\nmax_plies = 7"] {
        let resolved = nim(4, 2, keys).resolved();
        let text = serde_json::to_string(&resolved).unwrap();
        assert_eq!(serde_json::from_str::<evouct::config::Resolved>(&text).unwrap(), resolved, "{text}");
    }
}

fn records(folder: &str) -> Vec<GameRecord> {
    let mut games = Vec::new();
    let run = Run::open(Path::new(folder)).unwrap();
    let keep = |game| -> Result<(), evouct::store::RecordError> {
        games.push(game);
        Ok(())
    };
    assert!(run.games(keep).unwrap().is_empty());
    games
}

#[test]
fn openings_are_part_of_records_and_of_everything_made_of_them() {
    add_games();
    let (program, scratch) = (Example::new("nim"), Scratch::new());
    let [whole, parts] = ["whole", "parts"].map(|name| scratch.path(name));
    let file = scratch.write("nim.toml", &text(4, 3, "openings = { plies = 3 }", PLAYERS));
    let planned = program.succeed(&["run", &file, "--out", &whole, "--dry-run"]);
    assert!(planned.contains("openings { plies = 3 }: 3 decks, 3 distinct"), "{planned}");
    let report = program.succeed(&["run", &file, "--out", &whole]);
    assert!(report.contains("3 decks have 3 distinct openings."), "{report}");
    let found: Value = serde_json::from_str(&program.succeed(&["report", &whole, "--format", "json"])).unwrap();
    assert_eq!(found["openings"], json!({ "decks": 3, "distinct": 3 }));

    // Both seatings of a deck begin alike; turns are decisions of players.
    let games = records(&whole);
    let mut by_deck: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
    for game in &games {
        assert_eq!((game.opening, game.ended), (3, Ended::Finished));
        assert_eq!(game.virtual_scores.len() + 3, game.moves.split(' ').count());
        // The second seat decides first.
        assert_eq!((game.movers[0], game.decisions()[0]), (1, (1, 1)));
        by_deck.entry(game.deck).or_default().insert(game.opening_moves().unwrap());
    }
    assert!(games.len() == 6 && by_deck.values().all(|openings| openings.len() == 1), "{by_deck:?}");
    assert!(
        program.succeed(&["verify", &whole, "--games", "6"]).contains("6 games replayed by the rules, 6 played again")
    );
    for shard in ["1/2", "0/2"] {
        program.succeed(&["run", &file, "--out", &parts, "--shard", shard]);
    }
    assert_eq!(program.succeed(&["digest", &parts]), program.succeed(&["digest", &whole]));

    // A record with another opening is not of the deck.
    let experiment = Run::open(Path::new(&whole)).unwrap().experiment().unwrap();
    let verifier = Verifier::new(&experiment);
    assert_eq!(verifier.replay(&games[0]), Ok(()));
    let other = games.iter().find(|game| game.deck != games[0].deck).unwrap();
    let wrong = GameRecord { moves: other.moves.clone(), ..games[0].clone() };
    assert!(verifier.replay(&wrong).is_err());
    let wrong = GameRecord { opening: 2, ..games[0].clone() };
    assert!(verifier.replay(&wrong).unwrap_err().problem.starts_with("opening: recorded 2, found 3"));

    // The command that repeats a game, the replay, and the page.
    let spec = Schedule::of(&experiment).game(&games[0].id, &experiment).unwrap();
    let command = GameSetup::of(&experiment, &spec).repeat_command();
    let command = command.replacen("evouct", &format!("'{}'", program.program.display()), 1);
    let again = Said::of(Command::new("sh").args(["-c", &command]).output().unwrap()).out;
    let played: Vec<&str> = again.lines().filter(|line| line.contains("  player ")).collect();
    let opening = games[0].opening_moves().unwrap();
    let decided: Vec<&str> = games[0].moves.split(' ').skip(3).collect();
    assert!(again.starts_with(&format!("    opening   {opening}\n")), "{again}");
    assert!(played.iter().zip(&decided).all(|(line, play)| line.contains(play)) && played.len() == decided.len());
    let replayed = program.succeed(&["replay", &whole, "--id", &games[0].id]);
    assert_eq!(replayed.lines().filter(|line| line.contains("  opening   ")).count(), 3, "{replayed}");
    let page = scratch.path("game.html");
    program.succeed(&["replay", &whole, "--id", &games[0].id, "--html", &page]);
    assert_eq!(scratch.read("game.html").matches("\"opening\":true").count(), 3);

    // The table begins after the opening, and saves a game as it was recorded.
    let table = Table::open_by(Command::new(&program.program), &["--run", &whole, "--save", &scratch.path("games")]);
    table.act(json!({"do": "load", "folder": whole, "id": games[0].id}));
    assert_eq!(table.state()["turns"].as_array().unwrap().len(), decided.len());
    let saved = table.act(json!({"do": "save"}))["saved"].as_str().unwrap().to_owned();
    assert!(program.succeed(&["verify", &saved]).contains("1 played again"));

    // Other openings are another experiment.
    let other = scratch.write("other.toml", &text(4, 3, "openings = { plies = 2 }", PLAYERS));
    let refused = program.refuse(&["run", &other, "--out", &whole]);
    assert!(refused.contains("openings was { plies = 3 } and is { plies = 2 }"), "{refused}");
}

#[test]
fn a_file_of_openings_is_part_of_the_experiment() {
    add_games();
    let (program, scratch) = (Example::new("nim"), Scratch::new());
    let list = scratch.write("list.txt", "# two of them\n1from1 2from3\n\n  3from4 1from2\n");
    let file = scratch.write("nim.toml", &text(4, 2, "openings = \"list.txt\" # beside", PLAYERS));
    let folder = scratch.path("run");
    program.succeed(&["run", &file, "--out", &folder]);
    let openings: BTreeMap<u32, String> =
        records(&folder).iter().map(|game| (game.deck, game.opening_moves().unwrap())).collect();
    assert_eq!(openings.into_values().collect::<Vec<_>>(), ["1from1 2from3", "3from4 1from2"]);
    assert!(program.succeed(&["verify", &folder]).contains("4 games replayed"));

    // An edited file is another experiment; more openings are an extension of it.
    scratch.write("list.txt", "1from1 2from3\n3from4 1from3\n");
    let refused = program.refuse(&["run", &file, "--out", &folder]);
    assert!(refused.contains("openings was a list of 2 ("), "{refused}");
    scratch.write("list.txt", "1from1 2from3\n3from4 1from2\n1from4 1from2\n");
    let refused = program.refuse(&["run", &file, "--out", &folder]);
    assert!(refused.contains("--extend"), "{refused}");

    // The folder has all that it needs.
    std::fs::remove_file(list).unwrap();
    assert!(program.refuse(&["run", &file, "--out", &folder]).contains("list.txt"));
    let kept = format!("{folder}/experiment.toml");
    let text = std::fs::read_to_string(&kept).unwrap();
    assert!(text.contains("openings = [\n  \"1from1 2from3\",\n  \"3from4 1from2\",\n] # beside\n"), "{text}");
    program.succeed(&["run", &kept, "--out", &folder, "--dry-run"]);
}

#[test]
fn openings_that_cannot_be_are_refused_in_one_line() {
    let scratch = Scratch::new();
    let list = |name: &str, content: &str| format!("openings = {:?}", scratch.write(name, content));
    let at = |name: &str| scratch.path(name);
    for (keys, expected) in [
        (
            "openings = { plies = 30 }".to_owned(),
            "every game of nim that was tried is over by then; expected fewer".to_owned(),
        ),
        ("openings = { plies = 0 }".to_owned(), "plies = 0".to_owned()),
        ("openings = { balanced = 0.5 }".to_owned(), "openings: plies is missing".to_owned()),
        ("openings = { plies = 2, ballanced = 0.5 }".to_owned(), "did you mean balanced?".to_owned()),
        ("openings = 4".to_owned(), "openings: found <integer>, expected { plies = N }, the name of a file".to_owned()),
        ("openings = []".to_owned(), "openings: the list is empty".to_owned()),
        ("openings = [\"1from1\", \"9from9\"]".to_owned(), "openings: number 2: word 1: 9from9 is no legal".to_owned()),
        ("openings = [\"1from1\"]".to_owned(), "decks = 2: the list has 1 opening".to_owned()),
        ("openings = { plies = 2 }\nmirror = false".to_owned(), "mirror = false gives each match decks".to_owned()),
        ("openings = { plies = 5 }\nmax_plies = 5".to_owned(), "max_plies = 5: openings have 5 plies".to_owned()),
        ("at_limit = \"scores\"".to_owned(), "at_limit: only games with max_plies".to_owned()),
        ("max_plies = 9\nat_limit = \"loss\"".to_owned(), "draw | scores".to_owned()),
        ("openings = \"nowhere.txt\"".to_owned(), "openings: cannot read nowhere.txt".to_owned()),
        (list("none.txt", "# nothing\n"), format!("{} has none", at("none.txt"))),
        (list("wrong.txt", "1from1\n\n2from9\n"), format!("{}:3: word 1: 2from9 is no legal move", at("wrong.txt"))),
        (
            list("over.txt", "1from1\n1from1 3from2 5from3 7from4\n"),
            format!("{}:2: the game is over after ply 4", at("over.txt")),
        ),
    ] {
        let error = parse(&text(4, 2, &keys, PLAYERS)).expect_err(&keys);
        assert!(error.contains(&expected) && error.lines().count() == 1, "{keys}: {error}");
        assert!(error.starts_with("nim.toml:"), "{keys}: {error}");
    }
    for (game, expected) in [
        ("carcassonne", "chance decides in the first plies of "),
        ("einstein", "chance decides in the first plies of "),
        ("function", "every game of function that was tried is over by then"),
    ] {
        let file = format!("name = \"x\"\ngame = \"{game}\"\nopenings = {{ plies = 1 }}\n{PLAYERS}");
        let error = parse(&file).unwrap_err();
        assert!(error.contains(expected), "{game}: {error}");
    }
    let file = scratch.write("x.toml", &format!("name = \"x\"\nopenings = {{ plies = 1 }}\n{PLAYERS}"));
    assert!(fail(&["run", &file], 2).contains("x.toml:2: openings: chance decides"));
}

/// Answers with the first legal word, and notes the positions that it is told.
const BOT: &str = "while read -r first rest; do case $first in\n  evouct) echo ready ;;\n  \
                   position) echo \"$rest\" >> positions.txt ;;\n  legal) word=${rest%% *} ;;\n  \
                   go) echo \"move $word\" ;;\n  quit) exit ;;\nesac; done\n";

#[cfg(unix)]
#[test]
fn another_program_is_told_the_opening() {
    let (program, scratch) = (Example::new("nim"), Scratch::new());
    scratch.write("bot.sh", BOT);
    let bot = "[[player]]\nname = \"bot\"\nkind = \"external\"\ncommand = [\"sh\", \"bot.sh\"]\ndeterministic = true\n";
    let file = scratch.write(
        "nim.toml",
        &text(3, 1, "openings = [\"1from1 2from3\"]", &format!("{bot}[[player]]\nkind = \"random\"\n")),
    );
    let said =
        Command::new(&program.program).args(["run", &file, "--out", "run"]).current_dir(scratch.path(".")).output();
    let said = Said::of(said.unwrap());
    assert_eq!(said.code, Some(0), "{}", said.err);
    let told = scratch.read("positions.txt");
    assert!(told.lines().all(|line| line.starts_with("1from1 2from3")), "{told}");
    assert!(told.lines().any(|line| line == "1from1 2from3"), "{told}");
    add_games();
    assert!(records(&scratch.path("run")).iter().all(|game| game.fault.is_none() && game.ended == Ended::Finished));
}

#[test]
fn a_limit_ends_games_and_the_records_say_so() {
    add_games();
    let (program, scratch) = (Example::new("nim"), Scratch::new());
    for (at_limit, scores) in [("draw", "as draws"), ("scores", "with the scores of that moment")] {
        let keys = format!("openings = {{ plies = 1 }}\nmax_plies = 3\nat_limit = \"{at_limit}\"");
        let file = scratch.write(&format!("{at_limit}.toml"), &text(4, 2, &keys, PLAYERS));
        let folder = scratch.path(at_limit);
        let report = program.succeed(&["run", &file, "--out", &folder]);
        assert!(report.contains(&format!("4 games ended by max_plies = 3, {scores}.")), "{report}");
        for game in records(&folder) {
            assert_eq!((game.ended, game.is_result(), game.scores.as_slice()), (Ended::Limit, true, &[0, 0][..]));
            assert_eq!(game.moves.split(' ').count(), 3);
        }
        assert!(
            program
                .succeed(&["verify", &folder, "--games", "4"])
                .contains("4 games replayed by the rules, 4 played again")
        );
        let experiment = Run::open(Path::new(&folder)).unwrap().experiment().unwrap();
        assert_eq!(
            experiment.frame.limit.unwrap().at_limit,
            if at_limit == "draw" { AtLimit::Draw } else { AtLimit::Scores }
        );
        let game = records(&folder).swap_remove(0);
        let wrong = GameRecord { ended: Ended::Finished, ..game };
        let found = Verifier::new(&experiment).replay(&wrong).unwrap_err();
        assert!(found.problem.starts_with("ended: recorded Finished, found Limit"), "{found}");
    }
    // The scores of the moment are those that were on the board.
    let carcassonne = |at_limit: &str| {
        let keys = format!("name = \"x\"\ngame = \"carcassonne\"\nmax_plies = 30\nat_limit = \"{at_limit}\"\n");
        let experiment =
            parse(&format!("{keys}{}", PLAYERS.replace("mcts\"\niterations = 20", "random\"\nname = \"other\"")))
                .unwrap();
        GameSetup::of(&experiment, &Schedule::of(&experiment).nth(0).unwrap()).play(&Stopped, Log::None, "").record
    };
    let [draw, scores] = ["draw", "scores"].map(carcassonne);
    assert_eq!((draw.ended, draw.scores.as_slice(), &draw.moves), (Ended::Limit, &[0, 0][..], &scores.moves));
    assert!(scores.scores.iter().sum::<i32>() > 0 && scores.scores == scores.virtual_scores.iter().last().unwrap());
    let play = ["play", "--game", "nim", "-1", "random", "-2", "random", "--max-plies", "2"];
    assert!(program.succeed(&play).contains("the limit of plies ends the game"));
}

#[test]
fn tunings_have_openings() {
    let scratch = Scratch::new();
    let tuned = "[[player]]\nname = \"UCT\"\nkind = \"mcts\"\niterations = 5\n";
    let options = || TuningOptions { over: vec!["k=0.1,1".to_owned()], budget: 80, ..TuningOptions::default() };
    let parse = |keys: &str| {
        let text = text(4, 1, keys, tuned);
        Experiment::parse_with(&text, "nim.toml", Overrides::default(), Tuning::LEAST_PLAYERS).unwrap()
    };
    add_games();
    let experiment = parse("openings = { plies = 2 }\nmax_plies = 12");
    let tuning = Tuning::new(experiment, options(), &scratch.0.path().join("tuning")).unwrap();
    tuning.play(1).unwrap();
    let course = tuning.course().unwrap();
    for stage in course.stages() {
        assert_eq!(stage.experiment.frame.limit.map(|limit| limit.plies), Some(12));
        stage.games(tuning.folder(), |game| assert_eq!(game.opening, 2)).unwrap();
    }
    // Each deck of a tuning has an opening of its own in a list.
    let decks = tuning.rounds().decks() as usize;
    let all = openings(&nim(4, 60, "openings = { plies = 2 }"), 60);
    let of_list = |count: usize| {
        let experiment = parse(&format!("openings = {:?}", &all[..count]));
        Tuning::new(experiment, options(), &scratch.0.path().join("of list"))
    };
    let tuning = of_list(decks).unwrap();
    tuning.play(1).unwrap();
    let mut used = Vec::new();
    for stage in tuning.course().unwrap().stages() {
        match stage.experiment.frame.openings.as_ref().unwrap().source() {
            OpeningSource::List(list) => used.extend_from_slice(list),
            random => panic!("{random}"),
        }
    }
    assert_eq!(used, all[..decks]);
    let refused = of_list(decks - 1).err().unwrap().to_string();
    assert!(refused.contains(&format!("have {decks} decks; expected one for each")), "{refused}");
}

/// The file of an evolution by games of Nim against random play.
fn evolution(keys: &str) -> String {
    format!(
        "name = \"raced\"\ngame = \"nim\"\n{keys}\n[rules]\nheaps = 2\n[evolve]\nseeds = [\"Q + sqrt(ln(N)/n)\"]\n\
         held_out_decks = 1\n[[player]]\nkind = \"formula\"\niterations = 30\n[[opponent]]\nkind = \"random\"\n\
         [[stage]]\nmeasure = \"games\"\ndecks = 8\n[[stage]]\nmeasure = \"games\"\ndecks = 8\n"
    )
}

#[test]
fn evolutions_have_openings() {
    add_games();
    let plan = |keys: &str| EvolutionPlan::parse(&evolution(keys), "raced.toml", None);
    let value = |keys: &str| {
        let plan = plan(keys).unwrap();
        let genome = plan.seeds[0].clone();
        let request = Request { stage: 0, batch: 0, units: 8, genome, hall: Vec::new() };
        let blocks = plan.blocks(&request);
        let measurer = Measurer::new(plan, None, Purpose::Evolution).unwrap();
        let sum: f64 = (0..blocks).map(|block| measurer.block(&request, block).unwrap().sum).sum();
        (sum, measurer.hash().to_owned())
    };
    let plain = value("");
    assert!(plain.0 > 0.0, "{plain:?}");
    // The second part is that of the first stage: one object is left, which the first seat takes.
    let listed = "openings = [\"1from1\", \"1from1 2from2\", \"1from2\"]";
    let [of_list, limited, random] = [listed, "max_plies = 1", "openings = { plies = 1 }"].map(value);
    assert_eq!((of_list.0, limited.0), (0.0, 0.0));
    assert_eq!([&plain.1, &of_list.1, &limited.1, &random.1].into_iter().collect::<BTreeSet<_>>().len(), 4);
    let openings = plan(listed).unwrap().games[0].frame.openings.clone().unwrap();
    let of_part = |part: usize| {
        let draw = |deck| openings.of_key(Key::experiment(1).deck(deck), [part, 3]).unwrap();
        (1..20).map(draw).collect::<BTreeSet<String>>()
    };
    assert_eq!([0, 1, 2].map(of_part).iter().map(BTreeSet::len).sum::<usize>(), 3);
    let short = plan("openings = [\"1from1\", \"1from2\"]").unwrap_err().to_string();
    assert!(short.contains("the list has 2 openings, of which the proof and each stage have one part of 3"), "{short}");
}

#[test]
fn starters_of_games_without_chance_have_openings() {
    add_games();
    let suggested = |name: &str| {
        let rules = GameRules::default_of(registry::game(name).unwrap());
        suggested_openings(&rules).map(|source| source.to_string())
    };
    for name in ["nim", "breakthrough", "connect-four", "hex", "havannah", "othello", "y"] {
        assert_eq!(suggested(name).as_deref(), Some("{ plies = 4 }"), "{name}");
    }
    // Chance tells decks apart, and an optimisation of a function is one decision.
    assert_eq!(["carcassonne", "einstein", "function", "maedn", "pig"].map(suggested), [const { None }; 5]);
    let scratch = Scratch::new();
    for (of, name) in [("experiment", "league"), ("evolution", "evolved")] {
        let mut command = Command::new(Example::new("nim").program);
        command.args(["new", name, "--game", "nim", "--of", of]).current_dir(scratch.0.path());
        assert!(command.output().unwrap().status.success());
        let written = scratch.read(&format!("{name}.toml"));
        assert!(written.contains("\nopenings = { plies = 4 }    # "), "{written}");
        let is_valid = match of {
            "experiment" => parse(&written).map(drop),
            _ => EvolutionPlan::parse(&written, "evolved.toml", None).map(drop).map_err(|error| error.to_string()),
        };
        assert_eq!(is_valid, Ok(()));
    }
}
