//! An evolution over several games: one fitness, the same result on any number of threads, on shards and resumed, finals
//! and proofs by game, and one line for what cannot be.

use crate::evolve::digest;
use crate::own_game::Pig;
use crate::program;
use evouct::league::Threads;
use evouct::offline::{
    EvolutionError, EvolutionOptions, EvolutionPlan, EvolutionResult, EvolutionSession, PlanGame, RunContext,
    genome_table,
};
use evouct::registry;
use evouct::search::Stopped;
use program::{Scratch, fail, say, succeed};
use std::path::Path;
use std::time::Duration;

/// Two games that evolution sees and one that it does not.
const CLIMB: &str = r#"
name = "many"
seed = 5
[evolve]
algorithm = "climb"
terminals = ["Q", "hm", "race"]
functions = ["add", "mul"]
seeds = ["Q"]
generations = 2
grow = 1
prune = 1
constant = 0
finalists = 2
scale_decks = 3
held_out_decks = 1
[[evolve.game]]
game = "hex"
rules = { size = 3 }
[[evolve.game]]
game = "einstein"
name = "race"
held_out = true
[[evolve.game]]
game = "connect-four"
rules = { rows = 4, columns = 4 }
weight = 2
openings = { plies = 1 }
player = { iterations = 6 }
opponent = [{ kind = "mcts", iterations = 6 }, { kind = "random" }]
[[player]]
kind = "formula"
iterations = 8
[[opponent]]
name = "UCT"
kind = "mcts"
iterations = 8
[[stage]]
measure = "games"
decks = [2, 6]
block = 2
[[stage]]
measure = "games"
decks = [2, 2]
"#;

/// Populations in the same games.
fn populations() -> String {
    let keys = "algorithm = \"plus\"\nover = \"least\"\nislands = 2\npopulation = 3\nmigrate_every = 1\nhall_of_fame = 1\n\
                constant_offspring = 1\ntune_rounds = 1\ntune_count = 1";
    CLIMB
        .replace("algorithm = \"climb\"", keys)
        .replace("constant = 0", "")
        .replace("seeds = [\"Q\"]", "seeds = [\"Q\", \"Q + race\"]")
}

fn plan(text: &str) -> EvolutionPlan {
    EvolutionPlan::parse(text, "many.toml", None).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn an_evolution_in_several_games_is_the_same_on_threads_and_shards_and_resumed() {
    let structures = populations().replace("algorithm = \"plus\"", "cma_samples = 4\nelite = 1");
    let steady = populations().replace("algorithm = \"plus\"", "algorithm = \"steady-state\"\nlag = 2\nelite = 1");
    for (name, text) in [
        ("climb", CLIMB.to_owned()),
        ("populations", populations()),
        ("structures", structures),
        ("steady state", steady),
    ] {
        let scratch = Scratch::new();
        let file = scratch.write("many.toml", &text);
        let [one, four, parts] = ["one", "four", "parts"].map(|folder| scratch.path(folder));
        let out = succeed(&["evolve", &file, "--out", &one, "--threads", "1"]);
        assert!(name == "climb" || out.contains("standard deviations"), "{name}: {out}");
        assert_eq!(digest(&succeed(&["evolve", &file, "--out", &four, "--threads", "4"])), digest(&out), "{name}");
        let journal = scratch.read("four/evolution.jsonl");
        scratch.write("four/evolution.jsonl", &journal[..journal.len() / 3]);
        let again = say(&["evolve", &file, "--out", &four, "--threads", "4"]);
        assert_eq!((again.code, digest(&again.out)), (Some(0), digest(&out)), "{name}: {}", again.err);
        let shard = |shard| program::evouct(&["evolve", &file, "--out", &parts, "--shard", shard]).spawn().unwrap();
        for mut process in ["0/2", "1/2"].map(shard) {
            assert!(process.wait().unwrap().success(), "{name}");
        }
        assert_eq!(digest(&succeed(&["report", &parts])), digest(&out), "{name}");
        for csv in ["finals.csv", "games.csv", "opponents.csv", "lineage.csv"] {
            assert_eq!(scratch.read(&format!("parts/{csv}")), scratch.read(&format!("one/{csv}")), "{name}");
        }
        assert!(succeed(&["verify", &one]).contains(" made again"));
    }
}

/// A shard here, or all of it, where the game of the example is known. It does not wait for others.
fn measure(text: &str, folder: &str, shard: Option<&str>) -> Result<EvolutionResult, EvolutionError> {
    registry::add_game::<Pig>();
    let options = EvolutionOptions { shard: shard.map(|shard| shard.parse().unwrap()), ..EvolutionOptions::default() };
    let session = EvolutionSession::plan(plan(text), None, Path::new(folder), &options)?;
    let stop = Default::default();
    let (clock, patience) = (&Stopped, Duration::ZERO);
    session.run(RunContext { executor: &mut Threads::of(1), stop: &stop, clock, patience }, &mut |_, _| {})
}

/// The program knows the games of this file but one, which is the game of an example.
#[test]
fn a_game_that_one_shard_cannot_load_ends_that_shard_only() {
    let scratch = Scratch::new();
    let text =
        CLIMB.replace("name = \"race\"\nheld_out = true\n", "").replace("\"hex\"\nrules = { size = 3 }", "\"my-pig\"");
    let (file, [whole, parts]) = (scratch.write("many.toml", &text), ["whole", "parts"].map(|name| scratch.path(name)));
    let waits = |shard| {
        let error = measure(&text, &parts, Some(shard)).map(|result| result.digest).unwrap_err().to_string();
        assert!(error.starts_with("waiting for other shards: "), "{error}");
    };
    waits("0/2");
    // Neither that shard nor the folder is complete, and the journal of the other is as it was.
    let journal = scratch.read("parts/evolution-shard-0-of-2.jsonl");
    let lost = format!("{file}:17: there is no game called \"my-pig\"; known: ");
    for arguments in [&["evolve", &file, "--out", &parts, "--shard", "1/2"][..], &["evolve", &file, "--out", &whole]] {
        let error = fail(arguments, 2);
        assert!(error.starts_with(&lost) && error.trim().lines().count() == 1, "{error}");
    }
    assert!(!scratch.exists("whole") && !scratch.exists("parts/evolution-shard-1-of-2.jsonl"));
    for command in ["status", "digest"] {
        let said = say(&[command, &parts]);
        assert!(said.code != Some(0) && said.out.is_empty() && said.err.contains("my-pig"), "{command}: {said:?}");
    }
    waits("0/2");
    assert_eq!(scratch.read("parts/evolution-shard-0-of-2.jsonl"), journal);
    // With the game the shards go on, in turn, to the end of the whole.
    let mut shards = ["1/2", "0/2"].into_iter().cycle();
    let end = shards.by_ref().take(20).find_map(|shard| measure(&text, &parts, Some(shard)).ok());
    assert_eq!(end.unwrap().digest, measure(&text, &whole, None).unwrap().digest);
}

#[test]
fn finals_and_proofs_are_by_game() {
    let scratch = Scratch::new();
    // The reference plays the move that it has tried least.
    let seeds = "seeds = [\"select = Q; final = 0 - n\", \"select = Q + hm + race; final = n\"]\ntrees = [\"select\", \"final\"]";
    let text = populations().replace("seeds = [\"Q\", \"Q + race\"]", seeds);
    let file = scratch.write("many.toml", &text.replace("decks = [2, 2]", "decks = [2, 40]"));
    let out = succeed(&["evolve", &file, "--out", &scratch.path("many")]);
    let games = scratch.read("many/games.csv");
    let mut lines = games.lines();
    assert_eq!(lines.next(), Some("stage,round,game,held_out,gain,standard_error,points,units,formula"));
    let of_stage = |stage: &str, game: &str| {
        games.lines().filter(|line| line.starts_with(stage) && line.split(',').nth(2) == Some(game)).count()
    };
    // Evolution sees no game that is held out, finals do.
    assert!(of_stage("1,", "race") == 0 && of_stage("2,", "race") > 0 && of_stage("1,", "hex") > 0, "{games}");
    assert!(games.lines().all(|line| line.contains(",race,true,") || !line.contains(",race,")), "{games}");
    let opponents = scratch.read("many/opponents.csv");
    assert!(opponents.starts_with("stage,round,game,opponent,difference,formula\n"), "{opponents}");
    assert!(opponents.contains(",connect-four,random,"), "{opponents}");
    assert!(out.contains("champion: ") && out.contains(" in race (held out)"), "{out}");
    for (game, iterations) in [("hex", "8"), ("connect-four", "6"), ("race", "8")] {
        let proof = format!("many/proof-{game}.toml");
        assert!(out.contains(&format!("next: evouct run {}", scratch.path(&proof))), "{out}");
        let text = scratch.read(&proof);
        assert!(text.contains(&format!("iterations = {iterations}\n")) && text.contains("\"Reference\""), "{text}");
        assert_eq!(text.contains("race\""), game == "race", "{text}");
        succeed(&["run", &scratch.path(&proof), "--dry-run"]);
    }
    let page = scratch.read("many/report.html");
    assert!(page.contains("Best finalist in each game") && page.contains("gain, standard deviations"));
    assert!(scratch.read("many/champions.toml").contains("# In connect-four:\n[[player]]\n"));
}

#[test]
fn numbers_that_a_game_lacks_are_0_there() {
    evouct::registry::add_games();
    let plan = plan(CLIMB);
    let names: Vec<&str> = plan.games.iter().map(|game| game.name.as_str()).collect();
    assert_eq!(names, ["hex", "connect-four", "race"]);
    let genome = plan.read_genome("Q + hm*(1 + 2*race)").unwrap();
    let formula = |game: &PlanGame| {
        let mut of_game = plan.clone();
        of_game.games = vec![game.clone()];
        let text = genome_table(&of_game, &genome, "A");
        text.lines().find_map(|line| line.strip_prefix("formula = ").map(str::to_owned)).unwrap()
    };
    assert_eq!(plan.games.iter().map(formula).collect::<Vec<_>>()[..2], ["\"Q + hm\"", "\"Q + hm\""]);
    assert!(formula(&plan.games[2]).contains("race"));
}

#[test]
fn a_file_without_further_games_is_what_it_was() {
    evouct::registry::add_games();
    let text = CLIMB.replace("[[evolve.game]]", "[[game]]");
    let (start, end) = (text.split_once("[[game]]").unwrap().0, text.split_once("[[player]]").unwrap().1);
    let one =
        format!("game = \"einstein\"\n{}[[player]]{end}", start.replace("scale_decks = 3", "").replace("\"hm\", ", ""));
    let plan = plan(&one);
    assert_eq!(
        (plan.games.len(), plan.unit_of_gains(), plan.games[0].name.as_str()),
        (1, "points per game", "einstein")
    );
    assert_eq!(plan.proof_files(), ["proof.toml"]);
    // By the version before.
    assert_eq!(plan.hash(""), "3a966cf1784f42b9");
}

#[test]
fn what_cannot_be_over_games_is_one_line() {
    let scratch = Scratch::new();
    let one_game = CLIMB.replace("[[evolve.game]]\ngame = \"einstein\"\nname = \"race\"\nheld_out = true\n", "");
    let other = "[[evolve.game]]\ngame = \"connect-four\"\nrules = { rows = 4, columns = 4 }\n";
    let one_game = one_game
        .replace(", \"race\"", "")
        .replace(other, "[[evolve.game]]\ngame = \"connect-four\"\nheld_out = true\n");
    for (text, problem) in [
        (CLIMB.replace("\"hex\"", "\"hexx\""), "\"hexx\""),
        (CLIMB.replace("size = 3", "size = 1"), "size = 1"),
        (CLIMB.replace("rules = { size = 3 }", "rules = { heaps = 1 }"), "heaps"),
        (
            CLIMB.replace("\"hex\"\nrules = { size = 3 }", "\"carcassonne\"\nrules = { seats = 3 }"),
            "has 2 seats, carcassonne has 3",
        ),
        (CLIMB.replace("name = \"race\"", "name = \"hex\""), "two games have the name hex; give each a name"),
        (CLIMB.replace("name = \"race\"", "name = \"a b\""), "a name may contain letters"),
        (CLIMB.replace("held_out = true", "held_out = 3"), "held_out"),
        (CLIMB.replace("weight = 2", "weigth = 2"), "did you mean weight?"),
        (CLIMB.replace("weight = 2", "weight = 0"), "weight"),
        (CLIMB.replace("player = { iterations = 6 }", "player = { formula = \"Q\" }"), "it is the same in all games"),
        (CLIMB.replace("player = { iterations = 6 }", "player = { itterations = 6 }"), "did you mean iterations?"),
        (CLIMB.replace("name = \"many\"", "name = \"many\"\ngame = \"hex\""), "the games are those of [[evolve.game]]"),
        (CLIMB.replace("[evolve]", "[evolve]\nover = \"sum\""), "over"),
        (CLIMB.replace("[evolve]", "[evolve]\nbank = \"b\""), "bank: it is of one game"),
        (CLIMB.replace("scale_decks = 3", "scale_decks = 2"), "scale_decks = 2 is one block of 2"),
        (CLIMB.replace("\"race\"]", "\"dv\"]"), "has a terminal \"dv\""),
        (
            populations()
                .replace("\"hm\", ", "")
                .replacen("decks = [2, 6]", "measure = \"replay\"\npositions = 6", 1)
                .replacen("measure = \"games\"\nmeasure", "measure", 1),
            "its positions are of one game",
        ),
        (one_game, "is not"),
    ] {
        let file = scratch.write("wrong.toml", &text);
        if problem == "is not" {
            // One game that evolution sees, and others that it does not.
            succeed(&["evolve", &file, "--out", &scratch.path("one"), "--dry-run"]);
            continue;
        }
        let error = fail(&["evolve", &file, "--out", &scratch.path("wrong")], 2);
        assert!(error.contains(problem) && error.trim().lines().count() == 1, "{problem}: {error}");
    }
    let single = CLIMB.split("[[evolve.game]]").next().unwrap().to_owned()
        + "[[player]]"
        + CLIMB.split_once("[[player]]").unwrap().1;
    let single = single.replace(", \"race\"", "");
    for (top, problem) in [
        ("", "scale_decks: only an evolution in several games"),
        ("game = [{ game = \"hex\" }]\n", "expected 2 to 64 games, found 1"),
        (
            "game = [{ game = \"hex\", held_out = true }, { game = \"pig\", held_out = true }]\n",
            "all games are held out",
        ),
    ] {
        let file = scratch.write("wrong.toml", &single.replace("[evolve]\n", &format!("[evolve]\n{top}")));
        let error = fail(&["evolve", &file], 2);
        assert!(error.contains(problem), "{problem}: {error}");
    }
}
