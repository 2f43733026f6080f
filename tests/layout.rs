//! The flow of data is one way: which module may use which is read off the source and checked against the tables in
//! `docs/architecture.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A row of the table of modules.
struct Module {
    name: String,
    uses: Vec<String>,
    rights: Vec<String>,
}

/// A row of the table of rooms.
struct Room {
    module: String,
    name: String,
    uses: Vec<String>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The words in backticks of a cell.
fn names(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The rows of the table whose heading begins like this, cell by cell.
fn table(heading: &str) -> Vec<Vec<String>> {
    let page = std::fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let rows = page.lines().skip_while(|line| !line.starts_with(heading)).skip(2);
    let rows: Vec<Vec<String>> = rows
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split(" |").map(|cell| cell.trim().to_owned()).collect())
        .collect();
    assert!(rows.len() > 3, "the page has no table {heading:?}");
    rows
}

fn modules() -> Vec<Module> {
    let rows = table("| module |");
    let all: Vec<String> = rows.iter().map(|row| names(&row[0]).remove(0)).collect();
    rows.iter()
        .map(|row| Module {
            name: names(&row[0]).remove(0),
            uses: if row[2] == "everything" { all.clone() } else { names(&row[2]) },
            rights: row.get(3).map_or(Vec::new(), |cell| cell.split(", ").map(str::to_owned).collect()),
        })
        .collect()
}

fn rooms() -> Vec<Room> {
    let room = |row: Vec<String>| Room {
        module: names(&row[0]).remove(0),
        name: names(&row[1]).remove(0),
        uses: row.get(3).map_or(Vec::new(), |cell| names(cell)),
    };
    table("| room of |").into_iter().map(room).collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file without its tests and comments.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let is_tests = |(at, attribute): &(usize, &str)| {
        text[at + attribute.len()..].lines().next().is_some_and(|line| line.ends_with("mod tests {"))
    };
    let end = text.match_indices("#[cfg(test)]\n").find(is_tests).map_or(text.len(), |(at, _)| at);
    text[..end].lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The top module that a source file belongs to, the file, and its code.
fn files() -> Vec<(String, PathBuf, String)> {
    let mut found = Vec::new();
    sources(&root().join("src"), &mut found);
    let module = |path: &Path| {
        let first = path.strip_prefix(root().join("src")).unwrap().components().next().unwrap();
        first.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned()
    };
    found.into_iter().map(|path| (module(&path), path.clone(), code(&path))).collect()
}

/// The first word after each occurrence of a prefix.
fn words_after<'a>(code: &'a str, prefix: &'a str) -> impl Iterator<Item = String> + 'a {
    code.match_indices(prefix).map(move |(at, _)| {
        let rest = &code[at + prefix.len()..];
        rest.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
    })
}

/// What is no module: the macros of this crate, and the roots of the library and the program.
const MACROS: [&str; 2] = ["parameters", "parameter_groups"];
const ROOTS: [&str; 2] = ["lib", "main"];

/// What only few modules may touch, and the words by which it is seen that they do.
const RIGHTS: [(&str, &[&str]); 4] = [
    ("files", &["std::fs", "File::"]),
    ("time", &["Instant::now", "SystemTime"]),
    ("threads", &["rayon", "thread::spawn", "thread::scope", "thread::Builder"]),
    ("generators", &["from_seed(", "seed_from_u64", "rand::rng(", "thread_rng", "getrandom"]),
];

#[test]
fn the_table_of_modules_has_no_cycle() {
    let modules = modules();
    for (place, module) in modules.iter().enumerate() {
        for used in module.uses.iter().filter(|used| **used != module.name) {
            let above = modules[..place].iter().any(|other| other.name == *used);
            assert!(above, "{} uses {used}, which does not stand above it", module.name);
        }
    }
}

#[test]
fn modules_use_what_the_table_allows_and_nothing_else() {
    let modules: BTreeMap<String, Module> = modules().into_iter().map(|module| (module.name.clone(), module)).collect();
    let mut seen = BTreeSet::new();
    for (name, path, code) in files().into_iter().filter(|(name, ..)| !ROOTS.contains(&name.as_str())) {
        let module = modules.get(&name).unwrap_or_else(|| panic!("{name} is not in the table"));
        for used in words_after(&code, "crate::").filter(|used| !MACROS.contains(&used.as_str())) {
            let fine = used == name || module.uses.contains(&used);
            assert!(fine, "{} uses {used}, which {name} may not", path.display());
            seen.insert((name.clone(), used));
        }
    }
    for module in modules.values().filter(|module| module.name != "cli") {
        for used in &module.uses {
            assert!(seen.contains(&(module.name.clone(), used.clone())), "{} does not use {used}", module.name);
        }
    }
}

#[test]
fn files_threads_time_and_generators_are_touched_where_the_table_says() {
    let modules: BTreeMap<String, Module> = modules().into_iter().map(|module| (module.name.clone(), module)).collect();
    let mut seen = BTreeSet::new();
    for (name, path, code) in files() {
        for (right, words) in RIGHTS {
            if words.iter().any(|word| code.contains(word)) {
                seen.insert((name.clone(), right.to_owned()));
            }
        }
        let may = |right: &str| modules.get(&name).is_some_and(|module| module.rights.iter().any(|own| own == right));
        for (right, words) in RIGHTS {
            for word in words {
                assert!(may(right) || !code.contains(word), "{} touches {right} ({word})", path.display());
            }
        }
        assert!(!code.contains("unsafe "), "{} is unsafe", path.display());
        for vague in ["utils", "helper", "common", "misc", "manager"] {
            assert!(
                !path.file_name().unwrap().to_str().unwrap().contains(vague),
                "{} has a vague name",
                path.display()
            );
        }
    }
}

#[test]
fn rooms_use_what_the_table_allows() {
    let rooms = rooms();
    for room in &rooms {
        let inside: Vec<&str> =
            rooms.iter().filter(|other| other.module == room.module).map(|other| other.name.as_str()).collect();
        let mut found = Vec::new();
        sources(&root().join("src").join(&room.module).join(&room.name), &mut found);
        assert!(!found.is_empty(), "{} is empty", room.name);
        for path in found {
            let code = code(&path);
            // Also by a path that goes up: rooms lie beside one another.
            for used in words_after(&code, &format!("crate::{}::", room.module)).chain(words_after(&code, "super::")) {
                let fine = used == room.name || room.uses.contains(&used) || !inside.contains(&used.as_str());
                assert!(fine, "{} uses {used}, which {} may not", path.display(), room.name);
            }
        }
    }
}

/// A macro that prints to stderr panics where stderr is full or closed.
#[test]
fn one_file_writes_to_stderr() {
    for (_, path, code) in files() {
        if !path.ends_with("src/cli/stderr.rs") {
            // A method of clap.
            let code = code.replace("use_stderr()", "");
            let word = ["eprint!", "eprintln!", "dbg!", "stderr()"].into_iter().find(|word| code.contains(word));
            assert!(word.is_none(), "{} has {}: use cli::stderr", path.display(), word.unwrap_or_default());
        }
    }
}

/// Above search, games are known by their contract: only their own modules, the registry and tools for one game name
/// them.
#[test]
fn layers_above_search_know_no_game() {
    for (name, path, code) in files() {
        let layers = [
            "config",
            "record",
            "league",
            "schedule",
            "search",
            "evolve",
            "report",
            "serve",
            "cluster",
            "domain",
            "kinds",
            "series",
            "tune",
            "gui",
            "offline",
            "external",
            "player",
            "parameter",
            "export",
            "game",
            "gp",
        ];
        if layers.contains(&name.as_str()) {
            // Names of options that hashes of the first version are made of stay as they were spelled.
            let code = code.replace("all-tiles", "").replace("amaf_tiles", "").to_lowercase();
            let words: BTreeSet<&str> = code.split(|letter: char| !letter.is_alphabetic()).collect();
            for word in ["carcassonne", "meeple", "meeples", "tile", "tiles", "monastery"] {
                assert!(!words.contains(word), "{} knows {word}", path.display());
            }
        }
    }
}
