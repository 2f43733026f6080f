//! Runs the program as a user does.
#![allow(dead_code, reason = "each test file uses some of it")]

pub mod table;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// A small league in which every kind of player plays: a third of a second of work in a debug build.
pub const LEAGUE: &str = r#"
name = "small"
seed = 11
games_per_match = 2
[[player]]
name = "SIEA"
kind = "siea-mcts"
iterations = 40
generations = 2
simulations = 4
[[player]]
name = "MCTS"
kind = "mcts"
iterations = 30
[[player]]
kind = "random"
"#;

/// The league that kept pictures show: its formulas evolve for longer.
pub fn pictured() -> String {
    LEAGUE.replace("iterations = 40", "iterations = 150")
}

pub fn evouct(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evouct"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// A command that runs on. Its output is not read.
pub fn spawned(arguments: &[&str]) -> Child {
    evouct(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// The output of a finished command.
#[derive(Debug)]
pub struct Said {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Said {
    pub fn of(output: Output) -> Said {
        Said {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

pub fn say(arguments: &[&str]) -> Said {
    Said::of(evouct(arguments).output().unwrap())
}

/// Runs a command that must succeed; returns its output.
pub fn succeed(arguments: &[&str]) -> String {
    let said = say(arguments);
    assert_eq!(said.code, Some(0), "{arguments:?}: {}", said.err);
    said.out
}

/// Runs a command with this on stdin.
pub fn say_to(arguments: &[&str], stdin: &[u8]) -> Said {
    let mut command = evouct(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(stdin).unwrap();
    Said::of(child.wait_with_output().unwrap())
}

/// What a command that must succeed prints, as JSON.
pub fn json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&succeed(arguments)).unwrap()
}

/// What `evouct status` says of a folder.
pub fn status(folder: &str) -> serde_json::Value {
    json(&["status", folder, "--json"])
}

/// Runs a command that must fail with this code and one line on stderr; returns the line.
pub fn fail(arguments: &[&str], code: i32) -> String {
    let said = say(arguments);
    assert_eq!(said.code, Some(code), "{arguments:?}: {said:?}");
    let errors: Vec<&str> = said.err.lines().filter(|line| line.starts_with("evouct: ")).collect();
    assert_eq!(errors.len(), 1, "{arguments:?}: {}", said.err);
    assert!(!said.err.contains("panicked"), "{}", said.err);
    errors[0].trim_start_matches("evouct: ").to_owned()
}

/// Runs a command that must fail with this code and one line with these words.
pub fn fails(arguments: &[&str], code: i32, words: impl AsRef<str>) {
    let line = fail(arguments, code);
    assert!(line.contains(words.as_ref()), "{arguments:?}: {line}");
}

/// What takes the output of a program and fails.
#[derive(Clone, Copy, Debug)]
pub enum Sink {
    /// A full disk.
    Full,
    /// A pipe whose reader has gone.
    Closed,
}

impl Sink {
    pub const ALL: [Sink; 2] = [Sink::Full, Sink::Closed];

    fn stream(self) -> Stdio {
        match self {
            Sink::Full => std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap().into(),
            Sink::Closed => std::io::pipe().unwrap().1.into(),
        }
    }
}

/// Runs a command, with all messages, whose stdout or stderr goes to a sink; the other stream is returned.
pub fn say_into(arguments: &[&str], stdout: Option<Sink>, stderr: Option<Sink>) -> Said {
    let kept = [tempfile::NamedTempFile::new().unwrap(), tempfile::NamedTempFile::new().unwrap()];
    let stream = |sink: Option<Sink>, file: &tempfile::NamedTempFile| {
        sink.map_or_else(|| Stdio::from(file.reopen().unwrap()), Sink::stream)
    };
    let mut command = evouct(arguments);
    command.stdout(stream(stdout, &kept[0])).stderr(stream(stderr, &kept[1])).env("RUST_LOG", "debug");
    let mut child = command.spawn().unwrap();
    let started = std::time::Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > std::time::Duration::from_secs(300) {
            child.kill().unwrap();
            panic!("{arguments:?} does not end");
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    };
    let [out, err] = kept.map(|file| std::fs::read_to_string(file.path()).unwrap());
    Said { code: status.code(), out, err }
}

/// A failing stderr does not stop a command. A full stdout ends it with one line, a closed one without a line.
/// `command` is what the n-th call runs, with spaces between its words.
#[cfg(target_os = "linux")]
pub fn check_streams(command: impl Fn(usize) -> String) {
    for (call, sink) in Sink::ALL.into_iter().enumerate() {
        let [with_err, text] = [2 * call, 2 * call + 1].map(&command);
        let said = say_into(&with_err.split(' ').collect::<Vec<_>>(), None, Some(sink));
        assert!(said.code == Some(0) && !said.out.is_empty(), "{sink:?} {with_err}: {said:?}");
        let said = say_into(&text.split(' ').collect::<Vec<_>>(), Some(sink), None);
        let errors: Vec<&str> = said.err.lines().filter(|line| line.starts_with("evouct: ")).collect();
        match sink {
            Sink::Full => {
                assert_eq!(said.code, Some(1), "{text}: {said:?}");
                let [error] = errors[..] else { panic!("{text}: {said:?}") };
                assert!(error.starts_with("evouct: cannot write the output: "), "{text}: {error}");
            }
            Sink::Closed => assert!(said.code == Some(0) && errors.is_empty(), "{text}: {said:?}"),
        }
        assert!(!said.err.contains("panicked"), "{text}: {said:?}");
    }
}

/// A folder for one test, and files in it.
pub struct Scratch(pub tempfile::TempDir);

impl Scratch {
    pub fn new() -> Scratch {
        Scratch(tempfile::tempdir().unwrap())
    }

    /// The path of something in the folder.
    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    pub fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.0.path().join(name), text).unwrap();
        self.path(name)
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.path().join(name)).unwrap()
    }

    pub fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    pub fn exists(&self, name: &str) -> bool {
        Path::new(&self.path(name)).exists()
    }
}

/// The line of a journal that holds this game, bound to the experiment `of`; unbound, as in format 1, where it is
/// empty.
pub fn game_line(of: &str, game: &serde_json::Value) -> String {
    let json = game.to_string();
    if of.is_empty() {
        let sum = &blake3::hash(json.as_bytes()).to_hex()[..16];
        return format!("{{\"sum\":\"{sum}\",\"game\":{json}}}");
    }
    bound(of, "game", &json)
}

/// A journal whose header has other words and the right checksum.
pub fn with_header(journal: &str, from: &str, to: &str) -> String {
    let (line, rest) = journal.split_once('\n').unwrap();
    let json = line.split_once("\"header\":").unwrap().1.strip_suffix('}').unwrap();
    assert!(json.contains(from), "{json}");
    let json = json.replace(from, to);
    let sum = &blake3::hash(json.as_bytes()).to_hex()[..16];
    format!("{{\"sum\":\"{sum}\",\"header\":{json}}}\n{rest}")
}

/// A line of a journal with another entry and the right checksum.
pub fn forged(line: &str, entry: &serde_json::Value) -> String {
    let (head, _) = line.split_once(",\"entry\":").unwrap();
    let of = head.split("\"of\":\"").nth(1).unwrap().trim_end_matches('"');
    bound(of, "entry", &entry.to_string())
}

fn bound(of: &str, what: &str, json: &str) -> String {
    let sum = &blake3::hash(format!("{of}\n{json}").as_bytes()).to_hex()[..16];
    format!("{{\"sum\":\"{sum}\",\"of\":\"{of}\",\"{what}\":{json}}}")
}

/// A journal as version 0.1.0 wrote it: format 1, lines that are not bound to their experiment.
pub fn as_format_1(journal: &str) -> String {
    let mut lines = Vec::new();
    for line in journal.lines() {
        // Numbers and the order of keys stay as they are written.
        let (label, json) = match line.split_once("\"header\":") {
            Some((_, json)) => ("header", json.replacen("\"format\":2", "\"format\":1", 1)),
            None => ("game", line.split_once("\"game\":").unwrap().1.to_owned()),
        };
        let json = json.strip_suffix('}').unwrap();
        let sum = &blake3::hash(json.as_bytes()).to_hex()[..16];
        lines.push(format!("{{\"sum\":\"{sum}\",\"{label}\":{json}}}\n"));
    }
    lines.concat()
}

pub fn digest(folder: &str) -> String {
    succeed(&["digest", folder])
}

/// Every file of a folder and its sub-folders but the journals and their locks, by name. A manifest names the journals.
pub fn derived(folder: &str) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            let inside = derived(&format!("{folder}/{name}"));
            files.extend(inside.into_iter().map(|(file, text)| (format!("{name}/{file}"), text)));
        // The list of files has the hash of the manifest, which names the journals.
        } else if !name.contains(".jsonl") && name != ".evouct-files" {
            let text = timeless(&String::from_utf8_lossy(&std::fs::read(entry.path()).unwrap()));
            let is_named = |line: &str| name == "manifest.json" && line.contains("\"games");
            let is_time = |line: &str| line.trim_start().starts_with("\"core_seconds\"");
            let kept = text.lines().filter(|line| !is_named(line) && !is_time(line));
            files.insert(name.clone(), kept.collect::<Vec<_>>().join("\n"));
        }
    }
    files
}

/// A page of a tuning or an evolution without the time that it took, and without a hash of all texts of its page.
pub fn timeless(text: &str) -> String {
    let Some((_, nonce)) = text.split_once("'nonce-") else { return text.to_owned() };
    let (before, rest) = text.split_once("<span class=\"cost\">").unwrap_or((text, "</span>"));
    format!("{before}{}", rest.split_once("</span>").unwrap().1).replace(&nonce[..32], "")
}

/// A text with every run of white space as one space, so that line breaks do not matter.
pub fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
