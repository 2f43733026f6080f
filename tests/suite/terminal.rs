//! Progress as a person sees it: a bar on a terminal, with lines above it, and no bar anywhere else.

use crate::program;
use program::{Said, Scratch, evouct, say, succeed};
use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io::Read;
use std::process::Stdio;

const EVOLUTION: &str = r#"
name = "small"
seed = 1
game = "einstein"
[evolve]
terminals = ["Q", "n", "N", "race"]
seeds = ["select = Q + 0.5*sqrt(ln(N)/n); final = n"]
islands = 1
population = 4
elite = 1
generations = 2
constant_offspring = 0
held_out_decks = 2
[[player]]
kind = "formula"
iterations = 5
[[opponent]]
kind = "random"
[[stage]]
measure = "games"
decks = [1, 2]
"#;

/// Runs a command whose stderr is a terminal.
fn say_on_terminal(arguments: &[&str]) -> Said {
    let (shown, said) = shown(arguments, false);
    Said { err: shown, ..said }
}

/// What a terminal shows of a command whose stdout, or else stderr, it is, and what the command said elsewhere.
fn shown(arguments: &[&str], is_stdout: bool) -> (String, Said) {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let screen = Stdio::from(open(&*name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap());
    let [stdout, stderr] = if is_stdout { [screen, Stdio::piped()] } else { [Stdio::piped(), screen] };
    // Reading ends when all copies of the other side are closed. The `Command` has one: it is dropped here.
    let child = evouct(arguments).env("NO_COLOR", "1").stdout(stdout).stderr(stderr).spawn().unwrap();
    let (mut terminal, mut bytes, mut part) = (File::from(terminal), Vec::new(), [0; 4096]);
    while let Ok(count @ 1..) = terminal.read(&mut part) {
        bytes.extend_from_slice(&part[..count]);
    }
    let output = child.wait_with_output().unwrap();
    (String::from_utf8(bytes).unwrap(), Said::of(output))
}

/// Text of users is escaped on a terminal. What a program reads has the text itself: JSON stays JSON, and names are those
/// of the file.
#[test]
fn only_a_terminal_is_protected() {
    let scratch = Scratch::new();
    let name = "a\u{202e}b";
    let players =
        format!("[[player]]\nname = \"{name}\"\nkind = \"random\"\n[[player]]\nkind = \"random\"\nname = \"c\"\n");
    let text = "\\u001b]0;title\\u0007\\u001b[31m";
    let head = format!("name = \"loud\"\nabout = \"{text}\"\ngame = \"einstein\"\ndecks = 2\n");
    let file = scratch.write("loud.toml", &format!("{head}{players}"));
    let folder = scratch.path("run");
    let acts = |text: &str| text.contains(['\u{1b}', '\u{7}', '\u{202e}']);
    for arguments in
        [&["run", &file, "--out", &folder][..], &["report", &folder, "--format", "json"], &["report", &folder]]
    {
        let (shown, said) = shown(arguments, true);
        assert!(said.code == Some(0) && shown.contains("a\\u{202e}b") && !acts(&shown), "{arguments:?}: {shown:?}");
    }
    let json = succeed(&["report", &folder, "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    let found = report["ranking"].as_array().unwrap().iter().filter(|row| row["player"] == name).count();
    assert_eq!(found, 1, "{json}");
    for format in ["csv", "md", "latex"] {
        assert!(succeed(&["report", &folder, "--format", format]).contains("a\u{202e}b"), "{format}");
    }
    // The path of a file in a script is the one that was given.
    let odd = scratch.write("odd\u{1b}.toml", &format!("name = \"odd\"\n{players}"));
    assert!(succeed(&["slurm", &odd, "--calibrate", "0"]).contains(&format!("file='{odd}'\n")));
}

/// What a command says on a terminal, where it has these words of bars, and elsewhere, where it has none.
fn has_bars(scratch: &Scratch, command: &str, file: &str, bars: &[&str]) -> (Said, Said) {
    let [shown, plain] = ["shown", "plain"].map(|name| scratch.path(name));
    let on_terminal = say_on_terminal(&[command, file, "--threads", "1", "--out", &shown]);
    assert_eq!(on_terminal.code, Some(0), "{on_terminal:?}");
    let elsewhere = say(&[command, file, "--threads", "1", "--out", &plain]);
    for bar in bars {
        assert!(on_terminal.err.contains(bar) && !elsewhere.err.contains(bar), "{bar}: {on_terminal:?}");
    }
    (on_terminal, elsewhere)
}

#[test]
fn an_evolution_has_a_bar_below_the_lines_of_generations() {
    let scratch = Scratch::new();
    let file = scratch.write("small.toml", EVOLUTION);
    let bars = ["generation 1, at most ", "generation 2, at most ", " left"];
    let (on_terminal, elsewhere) = has_bars(&scratch, "evolve", &file, &bars);
    let lines: Vec<&str> = elsewhere.err.lines().collect();
    assert!(lines.len() == 2 && lines[1].starts_with("generation 2 of 2: best "), "{lines:?}");
    for line in lines {
        assert!(on_terminal.err.contains(&format!("{line}\r\n")), "{line}: {on_terminal:?}");
    }
    // The last line of stdout is that of the page or of the proof, with the folder.
    assert_eq!(on_terminal.out.replace(&scratch.path("shown"), &scratch.path("plain")), elsewhere.out);
}

#[test]
fn a_league_has_a_bar_until_its_report() {
    let scratch = Scratch::new();
    let players = "[[player]]\nkind = \"random\"\n[[player]]\nkind = \"random\"\nname = \"other\"\n";
    let file = scratch.write("race.toml", &format!("name = \"race\"\nseed = 1\ngame = \"einstein\"\n{players}"));
    has_bars(&scratch, "run", &file, &[" games, ", " left"]);
}
