//! `evouct new`: a starter for an experiment, an evolution, or a game, player, method or program of your own.

use super::Outcome;
use crate::config::{check_name, experiment_template};
use crate::disk::DiskFile;
use crate::error::Failure;
use crate::offline::evolution_template;
use crate::registry;
use clap::{Args, ValueEnum};
use std::fs::create_dir_all;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The text of an example.
macro_rules! example {
    ($path:literal) => {
        include_str!(concat!("../../examples/", $path))
    };
}

#[derive(Args)]
pub(super) struct Arguments {
    /// Name of the file, NAME.toml in the current folder, or of the folder: letters, digits and . _ - : (of a crate
    /// letters, digits, _ and -)
    name: String,
    /// Game that is played, in an experiment or an evolution [default: carcassonne]
    #[arg(long)]
    game: Option<String>,
    /// What to start
    #[arg(long, value_enum, value_name = "KIND", default_value_t = Starter::Experiment)]
    of: Starter,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Starter {
    /// A file for `run`
    Experiment,
    /// A file for `evolve`
    Evolution,
    /// A crate with a game in Rust, without chance
    Game,
    /// A crate with a kind of player in Rust
    Player,
    /// A crate with a tree policy in Rust
    Policy,
    /// A crate with an operator of evolution in Rust
    Operator,
    /// A player in Python, by the line protocol, with a league
    Bot,
    /// An optimiser in Python with `score` as its evaluator
    Proposer,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let Arguments { name, game, of } = arguments;
    let name = name.strip_suffix(".toml").unwrap_or(name);
    check_name(name).map_err(Failure::Usage)?;
    if let Some(files) = of.files(name)? {
        if game.is_some() {
            return Err(Failure::Usage("--game is for experiments and evolutions".to_owned()));
        }
        return write_folder(name, files, *of, out);
    }
    let game = game.as_deref().map_or_else(|| Ok(registry::default_game()), registry::game).map_err(Failure::Usage)?;
    let (text, command) = match of {
        Starter::Evolution => (evolution_template(name, game), "evolve"),
        _ => (experiment_template(name, game), "run"),
    };
    let path = PathBuf::from(format!("{name}.toml"));
    if path.exists() {
        return Err(Failure::Usage(format!("{} exists; give another name", path.display())));
    }
    write(&path, &text)?;
    writeln!(out, "wrote {0}; start it with `evouct {command} {0}`", path.display())?;
    Ok(())
}

/// The files of a folder: their names and texts.
type Files = Vec<(&'static str, String)>;

impl Starter {
    /// The files of a folder that is called `name`; none if it is a file. They are the examples of the repository,
    /// which tests compile and run; only what depends on their place differs.
    fn files(self, name: &str) -> Result<Option<Files>, Failure> {
        let here = |text: &str, example: &str| {
            text.replace(&format!(" --example {example}"), "")
                .replace(&format!("examples/{example}.toml"), "league.toml")
                .replace(&format!("examples/{example}/"), "")
        };
        let of_crate = |example: &str, sources: &[(&'static str, &str)]| {
            let command = self.command();
            let arguments = command.rsplit(" -- ").next().unwrap_or_default().replace(' ', "\", \"");
            let written =
                |text: &str| text.replace("NAME", name).replace("COMMAND", command).replace("ARGUMENTS", &arguments);
            let mut files = vec![
                ("Cargo.toml", manifest(name)?),
                ("Cargo.lock", include_str!("../../Cargo.lock").to_owned()),
                ("README.md", written(include_str!("new/README.md"))),
                (".cargo/config.toml", CONFIG.to_owned()),
                ("tests/runs.rs", written(TEST)),
            ];
            files.extend(sources.iter().map(|(file, text)| (*file, here(text, example))));
            Ok(Some(files))
        };
        match self {
            Starter::Experiment | Starter::Evolution => Ok(None),
            Starter::Game => {
                of_crate("nim", &[("src/main.rs", example!("nim.rs")), ("league.toml", example!("nim.toml"))])
            }
            Starter::Player => {
                let (main, league) = (example!("own_player.rs"), example!("own_player.toml"));
                of_crate("own_player", &[("src/main.rs", main), ("league.toml", league)])
            }
            Starter::Policy => {
                let main = without(&["algorithm", "operator", "tuning", "Restarts", "Blend", "Thirds", "Arc"]);
                let (policy, league) = (example!("own_methods/policy.rs"), example!("own_methods/league.toml"));
                of_crate("own_methods", &[("src/main.rs", &main), ("src/policy.rs", policy), ("league.toml", league)])
            }
            Starter::Operator => {
                let main = without(&["algorithm", "policy", "tuning", "Restarts", "ucb_v", "Einstein", "Thirds"]);
                let operator = example!("own_methods/operator.rs");
                let file = lines_without(example!("own_methods/evolution.toml"), &["restarts", "patience"]);
                let files = [("src/main.rs", main.as_str()), ("src/operator.rs", operator), ("evolution.toml", &file)];
                of_crate("own_methods", &files)
            }
            Starter::Bot => {
                let league = include_str!("../../experiments/external/league.toml");
                let league = league
                    .replace("experiments/external/", "")
                    .replace("from the root of the repository", "from this folder");
                let player = include_str!("../../experiments/external/player.py").to_owned();
                Ok(Some(vec![("player.py", player), ("league.toml", league)]))
            }
            Starter::Proposer => Ok(Some(vec![
                ("score_loop.py", include_str!("../../experiments/proposers/score_loop.py").to_owned()),
                ("race.toml", include_str!("../../experiments/proposers/race.toml").to_owned()),
                ("proposer.py", include_str!("../../experiments/proposers/proposer.py").to_owned()),
                ("chat.py", include_str!("../../experiments/proposers/chat.py").to_owned()),
                ("proposed.toml", include_str!("../../experiments/proposers/proposed.toml").to_owned()),
            ])),
        }
    }

    /// The command that starts it, in its folder.
    fn command(self) -> &'static str {
        match self {
            Starter::Proposer => "python3 score_loop.py",
            Starter::Game | Starter::Player | Starter::Policy => "cargo run --release -- run league.toml",
            Starter::Operator => "cargo run --release -- evolve evolution.toml",
            _ => "evouct run league.toml",
        }
    }
}

/// The test of a crate: its program runs its file.
const TEST: &str = r#"#[test]
fn it_runs() {
    let out = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("run");
    let _ = std::fs::remove_dir_all(&out);
    let mut run = std::process::Command::new(env!("CARGO_BIN_EXE_NAME"));
    assert!(run.args(["ARGUMENTS", "--out"]).arg(&out).status().unwrap().success());
}
"#;

/// A text without the lines that have one of these words.
fn lines_without(text: &str, words: &[&str]) -> String {
    let lines = text.lines().filter(|line| !words.iter().any(|word| line.contains(word)));
    lines.map(|line| format!("{line}\n")).collect()
}

/// The program of the example with several methods, without the lines of others than the one that is wanted.
fn without(others: &[&str]) -> String {
    lines_without(example!("own_methods/main.rs"), &[&["//!"], others].concat()).trim_start().to_owned()
}

/// The processor of `.cargo/config.toml` here, which the crate would be slower without.
const CONFIG: &str = "# The board of Carcassonne is a set of bitmaps: any x86-64 since 2015 is faster with these flags.\n\
                      [target.'cfg(target_arch = \"x86_64\")']\nrustflags = [\"-C\", \"target-cpu=x86-64-v3\"]\n";

/// The manifest of a crate of this name on evouct: on the copy that made this program, if it is on this machine.
fn manifest(name: &str) -> Result<String, Failure> {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    if !name.chars().all(is_word) || !name.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        let problem = format!("{name:?} is no name of a crate: expected letters, digits, _ and -, a letter first");
        return Err(Failure::Usage(problem));
    }
    if matches!(name, "evouct" | "test") {
        return Err(Failure::Usage(format!("{name:?} is the name of another crate; choose another name")));
    }
    let source = env!("CARGO_MANIFEST_DIR");
    let evouct = match Path::new(source).join("Cargo.toml").is_file() {
        true => format!("{{ path = {} }}", serde_json::Value::from(source)),
        false => "{ path = \"…\" } # where your copy of evouct is".to_owned(),
    };
    Ok(format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nevouct = {evouct}\n\
         rand = {{ version = \"0.10\", default-features = false }}\n\n\
         # It is no part of a workspace above it.\n[workspace]\n"
    ))
}

fn write_folder(name: &str, files: Files, of: Starter, out: &mut dyn Write) -> Outcome {
    let folder = Path::new(name);
    if folder.exists() {
        return Err(Failure::Usage(format!("{} exists; give another name", folder.display())));
    }
    for (file, text) in &files {
        let path = folder.join(file);
        let parent = path.parent().expect("a file in a folder");
        create_dir_all(parent)
            .map_err(|error| Failure::Usage(format!("cannot write {}: {error}", parent.display())))?;
        write(&path, text)?;
    }
    let names: Vec<&str> = files.iter().map(|(file, _)| *file).filter(|file| !file.starts_with('.')).collect();
    writeln!(out, "wrote {name}/: {}; start it with `cd {name} && {}`", names.join(", "), of.command())?;
    Ok(())
}

fn write(path: &Path, text: &str) -> Outcome {
    let written = DiskFile::create(path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync()
    });
    written.map_err(|error| Failure::Usage(format!("cannot write {}: {error}", path.display())))
}
