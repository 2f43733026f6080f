//! No more than two files of a crate use one another in a circle. `use` lines and paths are read off the source; a name
//! that a module only passes on counts as a use of the file that has it.

use crate::layout::{code, files_below, folder, root};
use std::collections::{BTreeMap, BTreeSet};

/// The most files that may use one another.
const MOST: usize = 2;

type Path = Vec<String>;

/// A `use` of one name.
struct Import {
    is_public: bool,
    path: Path,
    /// The name that it has here; `*` for all names.
    name: String,
}

/// A file as the others see it.
#[derive(Default)]
struct Module {
    imports: Vec<Import>,
    /// What it defines.
    names: BTreeSet<String>,
    /// The words of its code, imports aside.
    words: BTreeSet<String>,
    /// The paths in its code, imports aside.
    paths: Vec<Path>,
}

/// The modules of a crate, by their paths.
struct Modules(BTreeMap<Path, Module>);

/// The code without the content of texts.
fn without_texts(code: &str) -> String {
    let (mut rest, mut kept) = (code, String::new());
    while let Some(at) = rest.find(['"', '\'', '/']) {
        kept.push_str(&rest[..at]);
        let raw = kept.chars().rev().take_while(|letter| *letter == '#').count();
        rest = &rest[at..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\''") {
            if rest.starts_with("'\"'") { 3 } else { 4 }
        } else if !rest.starts_with('"') {
            1
        } else if raw > 0 || kept.ends_with('r') {
            let end = format!("\"{}", "#".repeat(raw));
            1 + rest[1..].find(&end).expect("a text ends") + end.len()
        } else {
            let mut escaped = false;
            let end = rest[1..].find(|letter| {
                let ends = letter == '"' && !escaped;
                escaped = letter == '\\' && !escaped;
                ends
            });
            end.expect("a text ends") + 2
        };
        rest = &rest[length..];
    }
    kept + rest
}

/// The names of a `use` tree, each with its whole path.
fn imports(tree: &str, above: &[String], is_public: bool, found: &mut Vec<Import>) {
    let words =
        |text: &str| text.split("::").map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    if let Some((before, inside)) = tree.split_once('{') {
        let above = [above, &words(before) as &Path].concat();
        let inside = inside.trim_end().strip_suffix('}').expect("a tree ends");
        let (mut depth, mut from) = (0, 0);
        for (at, letter) in inside.char_indices().chain([(inside.len(), ',')]) {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    imports(&inside[from..at], &above, is_public, found);
                    from = (at + 1).min(inside.len());
                }
                _ => {}
            }
        }
    } else if !tree.trim().is_empty() {
        let (path, alias) = tree.split_once(" as ").map_or((tree, None), |(path, name)| (path, Some(name.trim())));
        let mut path = [above, &words(path) as &Path].concat();
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name = alias.unwrap_or(path.last().expect("a path has a name")).to_owned();
        found.push(Import { is_public, path, name });
    }
}

impl Module {
    fn of(code: &str) -> Module {
        let (mut module, code) = (Module::default(), without_texts(code));
        let (mut body, mut statement) = (String::new(), None::<(bool, String)>);
        for line in code.lines() {
            let (public, line) = match line.trim_start().strip_prefix("pub") {
                Some(rest) if rest.starts_with('(') => (true, rest.split_once(") ").map_or("", |(_, rest)| rest)),
                Some(rest) => (true, rest.trim_start()),
                None => (false, line.trim_start()),
            };
            let (is_public, text) = match (&mut statement, line.strip_prefix("use ")) {
                (Some((is_public, text)), _) => (*is_public, std::mem::take(text) + line),
                (None, Some(rest)) => (public, rest.to_owned()),
                (None, None) => {
                    body += line;
                    body.push('\n');
                    continue;
                }
            };
            statement = match text.strip_suffix(';') {
                Some(tree) => {
                    imports(tree, &[], is_public, &mut module.imports);
                    None
                }
                None => Some((is_public, text + " ")),
            };
        }
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let mut before = "";
        for part in body.split(|letter: char| !is_word(letter) && letter != ':').filter(|part| !part.is_empty()) {
            let path: Path = part.split("::").map(|word| word.trim_matches(':').to_owned()).collect();
            if ["struct", "enum", "trait", "type", "fn", "const", "static", "mod"].contains(&before) {
                module.names.insert(path[0].clone());
            }
            module.words.extend(path.iter().cloned());
            if path.len() > 1 && !path[0].is_empty() {
                module.paths.push(path);
            }
            before = part;
        }
        module
    }
}

impl Modules {
    fn of(krate: &str) -> Modules {
        let (folder, mut files) = (folder(krate), Vec::new());
        files_below(&folder, &mut files);
        let modules = files.iter().filter(|path| !path.ends_with("main.rs")).map(|path| {
            let inside = path.strip_prefix(&folder).unwrap().with_extension("");
            let mut name: Path = inside.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            if name.last().is_some_and(|last| last == "mod") || name == ["lib"] {
                name.pop();
            }
            (name, Module::of(&code(path)))
        });
        Modules(modules.collect())
    }

    /// The module that has what this path names in a module; none if that is another crate's.
    fn owner(&self, module: &[String], path: &[String], depth: usize) -> Option<Path> {
        let (mut at, mut rest) = (module.to_vec(), path);
        match path.first()?.as_str() {
            _ if depth > 20 => return None,
            "crate" => (at, rest) = (Vec::new(), &path[1..]),
            "self" | "super" => {
                while let Some((word @ ("self" | "super"), after)) = rest.split_first().map(|(w, r)| (w.as_str(), r)) {
                    if word == "super" {
                        at.pop();
                    }
                    rest = after;
                }
            }
            first if self.0.contains_key(&[module, &path[..1]].concat()) && !first.is_empty() => {}
            first => {
                let import = self.0[module].imports.iter().find(|import| import.name == first)?;
                let whole = [&import.path, &path[1..]].concat();
                return if import.path[0] == first { None } else { self.owner(module, &whole, depth + 1) };
            }
        }
        for (place, name) in rest.iter().enumerate() {
            let inner = [&at[..], &rest[place..=place]].concat();
            let has = &self.0[&at];
            if self.0.contains_key(&inner) {
                at = inner;
            } else if has.names.contains(name) {
                return Some(at);
            } else if let Some(import) = has.imports.iter().find(|import| import.name == *name) {
                return self.owner(&at, &[&import.path, &rest[place + 1..]].concat(), depth + 1);
            } else {
                return Some(at);
            }
        }
        Some(at)
    }

    /// The modules that a module uses.
    fn uses(&self, name: &Path) -> BTreeSet<Path> {
        let module = &self.0[name];
        // A public import that the module itself has no use for passes a name on.
        let taken = |import: &&Import| !import.is_public || module.words.contains(&import.name);
        // Of a module that is imported, the paths tell what is used.
        let imported = module.imports.iter().filter(taken).map(|import| &import.path);
        let owners = imported.chain(&module.paths).filter_map(|path| {
            let owner = self.owner(name, path, 0)?;
            let is_module = owner.last() == path.last() && !self.0[&owner].names.contains(path.last()?);
            (!is_module).then_some(owner)
        });
        owners.filter(|owner| owner != name).collect()
    }

    /// The sets of modules that reach one another.
    fn circles(&self) -> BTreeSet<BTreeSet<Path>> {
        let uses: BTreeMap<&Path, BTreeSet<Path>> = self.0.keys().map(|name| (name, self.uses(name))).collect();
        let reached = |from: &Path| {
            let (mut found, mut open) = (BTreeSet::new(), vec![from]);
            while let Some(next) = open.pop() {
                open.extend(uses[next].iter().filter(|name| found.insert((*name).clone())));
            }
            found
        };
        let reached: BTreeMap<&Path, BTreeSet<Path>> = self.0.keys().map(|name| (name, reached(name))).collect();
        let circle =
            |name: &Path| reached[name].iter().filter(|other| reached[other].contains(name)).cloned().collect();
        self.0.keys().map(circle).filter(|circle: &BTreeSet<Path>| !circle.is_empty()).collect()
    }
}

#[test]
fn at_most_two_files_use_one_another() {
    let crates = std::fs::read_dir(root().join("crates")).unwrap();
    let crates = crates.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut pairs = 0;
    for krate in crates.chain(["evouct".to_owned()]) {
        let circles = Modules::of(&krate).circles();
        pairs += circles.iter().filter(|circle| circle.len() == MOST).count();
        let large: Vec<_> = circles.iter().filter(|circle| circle.len() > MOST).collect();
        let names: Vec<Vec<String>> =
            large.iter().map(|circle| circle.iter().map(|name| name.join("/")).collect()).collect();
        assert!(names.is_empty(), "circles of more than {MOST} files in {krate}: {names:#?}");
    }
    assert!(pairs > 5, "only {pairs} pairs of files that use one another are seen");
}

#[test]
fn what_a_module_passes_on_is_used_where_it_is() {
    let module = |name: &[&str], code: &str| (name.iter().map(|word| (*word).to_owned()).collect(), Module::of(code));
    let modules = Modules(BTreeMap::from([
        module(&[], "mod a;\nmod b;\npub use a::One;\npub use b::{Two, two};"),
        module(&["a"], "use crate::{\n    Two as Second,\n};\npub struct One(Second);\nconst A: char = '\"';"),
        module(&["b"], "use super::c;\npub struct Two;\npub fn two() -> &str { c::three(); \"crate::One \\\" {\" }"),
        module(&["c"], "pub fn three() { crate::One::new(); } // crate::b::Two"),
    ]));
    let circles: Vec<String> =
        modules.circles().iter().map(|circle| circle.iter().flatten().cloned().collect::<String>()).collect();
    assert_eq!(circles, ["abc"]);
}
