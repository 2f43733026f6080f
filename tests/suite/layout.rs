//! The flow of data is one way. The compiler holds the layers of crates; what it does not see is read off the source
//! and checked against the tables in `docs/architecture.md`.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A row of the table of modules.
struct Module {
    name: String,
    krate: String,
    rights: Vec<String>,
}

/// A row of the table of rooms.
struct Room {
    krate: String,
    name: String,
    uses: Vec<String>,
}

/// A source file without its tests and comments.
struct Source {
    krate: String,
    module: String,
    path: PathBuf,
    code: String,
}

pub(crate) fn root() -> &'static Path {
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
    let module = |row: Vec<String>| Module {
        name: names(&row[0]).remove(0),
        krate: names(&row[1]).remove(0),
        rights: row.get(3).map_or(Vec::new(), |cell| cell.split(", ").map(str::to_owned).collect()),
    };
    table("| module |").into_iter().map(module).collect()
}

fn rooms() -> Vec<Room> {
    let room = |row: Vec<String>| Room {
        krate: names(&row[0]).remove(0),
        name: names(&row[1]).remove(0),
        uses: row.get(3).map_or(Vec::new(), |cell| names(cell)),
    };
    table("| room of |").into_iter().map(room).collect()
}

pub(crate) fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

pub(crate) fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let is_tests = |(at, attribute): &(usize, &str)| {
        text[at + attribute.len()..].lines().next().is_some_and(|line| line.ends_with("mod tests {"))
    };
    let end = text.match_indices("#[cfg(test)]\n").find(is_tests).map_or(text.len(), |(at, _)| at);
    text[..end].lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The folder of a crate.
pub(crate) fn folder(krate: &str) -> PathBuf {
    if krate == "evouct" { root().join("src") } else { root().join("crates").join(krate).join("src") }
}

/// All source files. The modules of a crate with one module in the table are the whole crate.
fn sources() -> Vec<Source> {
    let modules = modules();
    let crates: BTreeSet<&str> = modules.iter().map(|module| module.krate.as_str()).collect();
    let mut sources = Vec::new();
    for krate in crates {
        let own: Vec<&str> =
            modules.iter().filter(|module| module.krate == krate).map(|module| &*module.name).collect();
        let mut found = Vec::new();
        files_below(&folder(krate), &mut found);
        for path in found {
            let first = path.strip_prefix(folder(krate)).unwrap().components().next().unwrap();
            let first = first.as_os_str().to_str().unwrap().trim_end_matches(".rs");
            // What is in no module of the table belongs to the crate that is a module itself.
            let module = if own.contains(&first) { first } else { krate };
            sources.push(Source { krate: krate.to_owned(), module: module.to_owned(), code: code(&path), path });
        }
    }
    sources
}

/// The first word after each occurrence of a prefix.
fn words_after<'a>(code: &'a str, prefix: &'a str) -> impl Iterator<Item = String> + 'a {
    code.match_indices(prefix).map(move |(at, _)| {
        let rest = &code[at + prefix.len()..];
        rest.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
    })
}

/// What only few modules may touch, and the words by which it is seen that they do.
const RIGHTS: [(&str, &[&str]); 4] = [
    ("files", &["std::fs", "File::"]),
    ("time", &["Instant::now", "SystemTime"]),
    ("threads", &["rayon", "thread::spawn", "thread::scope", "thread::Builder", "stack::thread("]),
    ("generators", &["from_seed(", "seed_from_u64", "rand::rng(", "thread_rng", "getrandom"]),
];

#[test]
fn the_graph_of_crates_is_that_of_the_page() {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline", "--locked"])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let short = |name: &str| name.trim_start_matches("evouct-").to_owned();
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    // What is not published is no layer: examples, the fuzz targets, the Python package.
    let is_published = |package: &&Value| package["publish"].is_null();
    for package in metadata["packages"].as_array().unwrap().iter().filter(is_published) {
        let built_on = package["dependencies"].as_array().unwrap().iter().filter(|one| one["kind"].is_null());
        let built_on = built_on.filter_map(|one| one["name"].as_str()).filter(|name| name.starts_with("evouct-"));
        graph.insert(short(package["name"].as_str().unwrap()), built_on.map(short).collect());
    }
    let page = table("| crate |");
    let mut above = BTreeSet::new();
    for row in &page {
        let (name, built_on) = (short(&names(&row[0])[0]), row.get(2).map_or(Vec::new(), |cell| names(cell)));
        assert!(built_on.iter().all(|one| above.contains(one)), "{name} is built on what does not stand above it");
        assert_eq!(graph.remove(&name), Some(built_on.into_iter().collect()), "{name}");
        above.insert(name);
    }
    assert!(graph.is_empty(), "not on the page: {:?}", graph.keys());
}

/// Modules of one crate use those above them in the table.
#[test]
fn modules_use_those_above_them() {
    let modules = modules();
    let mut seen = BTreeSet::new();
    for Source { krate, module, path, code } in sources() {
        // The root re-exports the crates, which are above all of its modules.
        let own: Vec<&str> = modules.iter().filter(|other| other.krate == krate).map(|other| &*other.name).collect();
        let Some(place) = own.iter().position(|name| *name == module) else { continue };
        seen.insert((krate.clone(), module.clone()));
        for used in words_after(&code, "crate::") {
            if let Some(other) = own.iter().position(|name| *name == used) {
                assert!(other <= place, "{} uses {used}, which does not stand above {module}", path.display());
            }
        }
    }
    for module in &modules {
        assert!(seen.contains(&(module.krate.clone(), module.name.clone())), "{} has no file", module.name);
    }
}

#[test]
fn files_threads_time_and_generators_are_touched_where_the_table_says() {
    let modules: BTreeMap<(String, String), Module> =
        modules().into_iter().map(|module| ((module.krate.clone(), module.name.clone()), module)).collect();
    for Source { krate, module, path, code } in sources() {
        let own = modules.get(&(krate, module));
        for (right, words) in RIGHTS {
            let may = own.is_some_and(|module| module.rights.iter().any(|own| own == right));
            for word in words {
                assert!(may || !code.contains(word), "{} touches {right} ({word})", path.display());
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
            rooms.iter().filter(|other| other.krate == room.krate).map(|other| other.name.as_str()).collect();
        let mut found = Vec::new();
        files_below(&folder(&room.krate).join(&room.name), &mut found);
        assert!(!found.is_empty(), "{} is empty", room.name);
        for path in found {
            let code = code(&path);
            // Also by a path that goes up: rooms lie beside one another.
            for used in words_after(&code, "crate::").chain(words_after(&code, "super::")) {
                let fine = used == room.name || room.uses.contains(&used) || !inside.contains(&used.as_str());
                assert!(fine, "{} uses {used}, which {} may not", path.display(), room.name);
            }
        }
    }
}

/// Otherwise the environment decides how large they are.
/// Types that have one name in several crates, and why.
const SHARED_NAMES: [(&str, &str); 4] = [
    ("Cell", "each game has its own"),
    ("Individual", "evolution before play names the kernel's with its own fitness"),
    ("Move", "each game has its own"),
    ("State", "each game has its own"),
];

#[test]
fn public_types_have_names_of_their_own() {
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for Source { code, path, .. } in sources() {
        for kind in ["struct", "enum", "trait", "type"] {
            for name in words_after(&code, &format!("pub {kind} ")) {
                places.entry(name).or_default().push(path.clone());
            }
        }
    }
    assert!(places.len() > 300, "{} public types", places.len());
    let shared = |name: &str| SHARED_NAMES.iter().any(|(known, _)| *known == name);
    let twice: Vec<_> = places.iter().filter(|(name, paths)| paths.len() > 1 && !shared(name)).collect();
    assert!(twice.is_empty(), "one name, several things: {twice:#?}");
    for (name, _) in SHARED_NAMES {
        assert!(places.get(name).is_some_and(|paths| paths.len() > 1), "{name} is not shared any more");
    }
}

#[test]
fn stacks_of_threads_have_one_size() {
    for Source { path, code, .. } in sources() {
        let pools = code.matches("PoolBuilder::new()").count() + code.matches("new_current_thread()").count();
        assert_eq!(
            code.matches("stack_size(STACK)").count() - usize::from(path.ends_with("stack.rs")),
            pools,
            "{}",
            path.display()
        );
        let words = ["thread::spawn", "scope.spawn", "thread::Builder"];
        let word = words.into_iter().find(|word| code.contains(word) && !path.ends_with("base/src/stack.rs"));
        assert!(word.is_none(), "{} has {}: use evouct_base::stack", path.display(), word.unwrap_or_default());
    }
}

/// A macro that prints to stderr panics where stderr is full or closed.
#[test]
fn one_file_writes_to_stderr() {
    for Source { path, code, .. } in sources() {
        if !path.ends_with("src/cli/stderr.rs") {
            // A method of clap.
            let code = code.replace("use_stderr()", "");
            let word = ["eprint!", "eprintln!", "dbg!", "stderr()"].into_iter().find(|word| code.contains(word));
            assert!(word.is_none(), "{} has {}: use cli::stderr", path.display(), word.unwrap_or_default());
        }
    }
}

/// Only the crates of games, the measurements and the root package name games.
#[test]
fn layers_above_search_know_no_game() {
    for Source { krate, path, code, .. } in sources() {
        if ["carcassonne", "games", "bench", "evouct"].contains(&krate.as_str()) {
            continue;
        }
        // Names of options that hashes of the first version are made of stay as they were spelled.
        let code = code.replace("all-tiles", "").replace("amaf_tiles", "").to_lowercase();
        let words: BTreeSet<&str> = code.split(|letter: char| !letter.is_alphabetic()).collect();
        for word in ["carcassonne", "meeple", "meeples", "tile", "tiles", "monastery"] {
            assert!(!words.contains(word), "{} knows {word}", path.display());
        }
    }
}

/// What only tests or the Python package depend on asks of the program's crates for no feature that the program does not
/// ask for.
#[test]
fn tests_and_the_package_build_the_crates_of_the_program_as_it_has_them() {
    let features = |more: &[&str]| -> BTreeSet<String> {
        let tree = Command::new(env!("CARGO"))
            .args(["tree", "--locked", "--offline", "--prefix=none", "--format={p} {f}"])
            .args(more)
            .current_dir(root())
            .output()
            .unwrap();
        assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
        let lines = String::from_utf8(tree.stdout).unwrap();
        lines.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
    };
    let [program, with_tests, package] = [
        &["--edges=normal,build"][..],
        &["--edges=normal,build,dev"],
        &["--edges=normal,build", "--package=evouct-python"],
    ]
    .map(features);
    assert!(program.len() > 50 && package.len() > 50, "{program:?}");
    // A crate of both as the program has it.
    let name = |line: &String| line.split(" (").next().unwrap().split(' ').take(2).collect::<Vec<_>>().join(" ");
    let own: BTreeSet<String> = program.iter().map(name).collect();
    let of_package = package.difference(&program).filter(|line| own.contains(&name(line)));
    let other: Vec<_> = program.difference(&with_tests).chain(of_package).collect();
    assert!(other.is_empty(), "add what others ask of these to [workspace.dependencies] of Cargo.toml: {other:#?}");
}
