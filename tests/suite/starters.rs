//! What `evouct new` writes runs. The crates are the examples, which are compiled; only what depends on their place is
//! another.

use crate::examples::built;
use crate::program::{Said, Scratch, evouct};
use std::path::Path;
use std::process::{Command, Stdio};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn new(scratch: &Scratch, arguments: &[&str]) -> Said {
    Said::of(evouct(&[&["new"], arguments].concat()).current_dir(scratch.path("")).output().unwrap())
}

/// Runs a command in a folder, with the tested program on the path.
fn in_folder(folder: &str, command: &str) -> Said {
    let program = Path::new(env!("CARGO_BIN_EXE_evouct")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-ec", command]).env("PATH", path).current_dir(folder).stdin(Stdio::null());
    Said::of(shell.output().unwrap())
}

#[test]
fn crates_are_the_examples() {
    let scratch = Scratch::new();
    for (of, example) in [("game", "nim"), ("player", "own_player")] {
        let name = format!("my-{of}");
        let said = new(&scratch, &[&name, "--of", of]);
        let expected = format!(
            "wrote {name}/: Cargo.toml, Cargo.lock, README.md, tests/runs.rs, src/main.rs, league.toml; start it with `cd {name} \
             && cargo run --release -- run league.toml`\n"
        );
        assert_eq!((said.code, said.out), (Some(0), expected), "{}", said.err);
        for (file, original) in [("src/main.rs", format!("{example}.rs")), ("league.toml", format!("{example}.toml"))] {
            let original = std::fs::read_to_string(root().join("examples").join(original)).unwrap();
            let written = scratch.read(&format!("{name}/{file}"));
            // The commands in comments name the place.
            let is_code = |line: &&str| !line.starts_with("//!") && !line.starts_with("#  ");
            let code = |text: &str| text.lines().filter(is_code).map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(code(&written), code(&original), "{name}/{file}");
            assert!(!written.contains("--example") && !written.contains("examples/nim.toml"), "{name}/{file}");
            assert!(written.contains("cargo run --release -- run league.toml"), "{name}/{file}");
        }
        let manifest: toml::Table = scratch.read(&format!("{name}/Cargo.toml")).parse().unwrap();
        assert_eq!(manifest["package"]["name"].as_str(), Some(name.as_str()));
        let source = manifest["dependencies"]["evouct"]["path"].as_str().map(Path::new);
        assert_eq!(source, Some(root()), "the copy of evouct that made the program");
        // The program of the example runs the league that was written.
        let program = built(example);
        let folder = scratch.path(&name);
        let league = in_folder(&folder, &format!("{} run league.toml --decks 1", program.display()));
        assert!(league.code == Some(0) && Path::new(&folder).join("runs").is_dir(), "{league:?}");
    }
    let readme = scratch.read("my-game/README.md");
    assert!(readme.contains("# my-game") && readme.contains("cargo run --release -- run league.toml"), "{readme}");
    assert!(scratch.read("my-game/tests/runs.rs").contains("run.args([\"run\", \"league.toml\", \"--out\"])"));
    assert_eq!(scratch.read("my-game/Cargo.lock"), std::fs::read_to_string(root().join("Cargo.lock")).unwrap());
    let wrong = new(&scratch, &["1st", "--of", "game"]);
    assert!(wrong.code == Some(2) && wrong.err.contains("no name of a crate"), "{wrong:?}");
    let twice = new(&scratch, &["my-game", "--of", "bot"]);
    assert_eq!((twice.code, twice.err.trim()), (Some(2), "evouct: my-game exists; give another name"));
    let game = new(&scratch, &["other", "--of", "bot", "--game", "einstein"]);
    assert!(game.code == Some(2) && game.err.contains("--game is for experiments"), "{game:?}");
    assert!(!scratch.exists("other") && !scratch.exists("1st"));
}

#[test]
fn programs_in_python_run() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: python3 is missing");
        return;
    }
    let scratch = Scratch::new();
    let bot = new(&scratch, &["my-bot", "--of", "bot"]);
    assert_eq!(
        (bot.code, bot.out.as_str()),
        (Some(0), "wrote my-bot/: player.py, league.toml; start it with `cd my-bot && evouct run league.toml`\n")
    );
    let league = in_folder(&scratch.path("my-bot"), "evouct run league.toml --decks 1");
    assert!(league.code == Some(0) && league.out.contains("6 of 6 games"), "{league:?}");

    let proposer = new(&scratch, &["my-proposer", "--of", "proposer"]);
    assert!(proposer.code == Some(0) && proposer.out.contains("score_loop.py, race.toml"), "{proposer:?}");
    let scored = in_folder(&scratch.path("my-proposer"), "python3 score_loop.py");
    assert!(scored.code == Some(0) && scored.out.starts_with("weight "), "{scored:?}");
    let evolved = in_folder(&scratch.path("my-proposer"), "evouct evolve proposed.toml");
    assert!(evolved.code == Some(0) && !evolved.err.contains("terms: generation"), "{evolved:?}");
}

/// Their programs are that of the example with several methods, without the lines of others.
#[test]
fn a_policy_and_an_operator_are_those_of_the_example() {
    let scratch = Scratch::new();
    let original = |file: &str| std::fs::read_to_string(root().join("examples/own_methods").join(file)).unwrap();
    let (all, program) = (original("main.rs"), built("own_methods"));
    for (of, calls, file, command) in [
        ("policy", "add_kind(ucb_v::<Einstein>())", "league.toml", "run league.toml --decks 1"),
        ("operator", "add_operator(Arc::new(Blend))", "evolution.toml", "evolve evolution.toml"),
    ] {
        let (name, source) = (format!("my-{of}"), format!("{of}.rs"));
        let said = new(&scratch, &[&name, "--of", of]);
        assert!(said.code == Some(0) && said.out.contains(&format!("src/{source}, {file}; start it")), "{said:?}");
        assert_eq!(scratch.read(&format!("{name}/src/{source}")), original(&source));
        // What its code uses is among its dependencies.
        assert!(scratch.read(&format!("{name}/Cargo.toml")).contains("\nrand = { version = \"0.10\""));
        let main = scratch.read(&format!("{name}/src/main.rs"));
        assert!(main.lines().all(|line| all.lines().any(|other| line == other)) && main.contains(calls), "{main}");
        assert_eq!(["mod ", "::add_"].map(|word| main.matches(word).count()), [1, 1], "{main}");
        let run = in_folder(&scratch.path(&name), &format!("{} {command}", program.display()));
        assert_eq!(run.code, Some(0), "{run:?}");
    }
}
