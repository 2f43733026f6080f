//! Every block of code of the documents is run as it is printed, with smaller numbers, or named here with the reason why
//! not. Blocks of Python, and commands that need the package, are left to `python/tests`.
//!
//! Each page has a folder of its own. Its blocks are taken in order: files are saved under their names, commands are run,
//! and what the page shows is looked for in what they printed. `EVOUCT_FAULTS=all` runs the pages that show results with
//! the numbers that they print, and then each line that is shown must be printed so, but for times.

use crate::documents::{blocks, markdown};
use crate::examples::built;
use crate::faults::tries_all;
use crate::program::table::Table;
use crate::program::{Said, Scratch, evouct, succeed};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

macro_rules! pages {
    ($($name:ident $page:literal)*) => {
        /// The pages with code.
        const PAGES: &[&str] = &[$($page),*];

        $(#[test]
        fn $name() {
            Page::new($page, false).run();
        })*
    };
}

pages! {
    readme "README.md"
    contents "docs/README.md"
    browser "docs/manual/browser.md"
    clocks "docs/manual/clocks.md"
    clusters "docs/manual/clusters.md"
    cookbook "docs/manual/cookbook.md"
    evolution "docs/manual/evolution.md"
    experiment_file "docs/manual/experiment-file.md"
    external "docs/manual/external.md"
    first_league "docs/manual/first-league.md"
    openings "docs/manual/openings.md"
    own_game "docs/manual/own-game.md"
    own_methods "docs/manual/own-methods.md"
    own_player "docs/manual/own-player.md"
    paper "docs/manual/paper.md"
    players "docs/manual/players.md"
    tuning "docs/manual/tuning.md"
    evolution_reference "docs/reference/evolution.md"
    formulas_reference "docs/reference/formulas.md"
    protocol_reference "docs/reference/protocol.md"
}

/// Commands that are not run here, by how they begin, and where or why.
const NOT_RUN: &[(&str, &str)] = &[
    ("scripts/test ", "runs this test"),
    ("cargo install ", "builds a release"),
    ("pip install ", "packages of an index"),
    ("python", "needs the package: python/tests"),
    ("venv/bin/", "scripts/test-wheel"),
    ("snakemake ", "python/tests/test_study.py"),
    ("OPENAI_API_KEY=", "needs a language model; python/tests/test_openevolve.py"),
    ("ssh ", "needs another machine"),
    ("scripts/slurm-sandbox.sh ", "scripts/test-cluster"),
    ("source <(scripts/slurm-sandbox.sh ", "scripts/test-cluster"),
    ("evouct slurm experiments/quick.toml --shards 5 ", "scripts/test-cluster"),
    ("squeue; ", "scripts/test-cluster"),
];

/// What pages show and no command of theirs prints here, by how it begins, and where or why.
const NOT_SHOWN: &[(&str, &str)] = &[
    ("champion: select = Q + sqrt(2)", "six core-minutes of Python"),
    ("Pig: game 1, ply 3: ", "python/tests/test_games.py"),
    ("squared error of values ", "python/tests/test_search.py"),
    ("> evouct 1", "tests/suite/external.rs"),
    ("> {\"version\"", "tests/suite/proposers.rs"),
    ("> {\"genome\"", "tests/suite/score.rs"),
];

/// What a page takes for granted.
const BEFORE: &[(&str, &str)] = &[
    ("docs/manual/browser.md", "evouct run first.toml"),
    ("docs/manual/evolution.md", "printf 'select = Q + race; final = n\\n' > formulas.txt"),
    ("docs/manual/paper.md", "evouct run experiments/quick.toml"),
    (
        "docs/manual/tuning.md",
        "for game in hex connect-four pig; do evouct new $game --game $game; sed -i '/^\\[\\[player/,$d' $game.toml\n\
         printf '[[player]]\\nkind = \"mcts\"\\niterations = 5\\n' >> $game.toml; done",
    ),
];

/// What stands before an excerpt of a file, and after it, on pages that have no whole file.
const AROUND: &[(&str, &str, &str)] = &[
    ("docs/manual/openings.md", "game = \"hex\"\n", LEAGUE),
    ("docs/reference/evolution.md", "[evolve]\nseeds = [\"Q\"]\n", EVOLUTION),
    ("docs/reference/formulas.md", "", EVOLUTION),
    ("", "", LEAGUE),
];
const LEAGUE: &str = "[[player]]\nkind = \"random\"\n[[player]]\nkind = \"mcts\"\niterations = 5\n";
const EVOLUTION: &str =
    "[[player]]\nkind = \"formula\"\n[[opponent]]\nkind = \"random\"\n[[stage]]\nmeasure = \"games\"\ndecks = 2\n";

/// Numbers that only the duration depends on, by what stands before them, and the least that is played: a tenth is.
const FEWER: &[(&str, usize)] =
    &[("\ndecks = ", 2), ("--decks ", 2), ("\ngames_per_match = ", 2), ("\niterations = ", 20)];

/// Other words in place of those of a page or of a file.
const OTHERWISE: &[(&str, &str)] = &[
    (" --watch", " --watch --every 1; until [ -e runs/quick/report.html ]; do sleep 0.1; done"),
    ("kind = \"siea-mcts\"\n\n", "kind = \"siea-mcts\"\niterations = 20\ngenerations = 2\n\n"),
    ("kind = \"mcts\"\nk = [0.25", "kind = \"mcts\"\niterations = 20\nk = [0.25"),
    ("generations = 4\ncount_evolution", "generations = 1\nsimulations = 4\ncount_evolution"),
    ("population = 8\ngenerations = 3", "population = 8\ngenerations = 1"),
    ("decks = [100, 200]", "decks = [30, 60]"),
    ("held_out_decks = 600", "held_out_decks = 2"),
    ("held_out_decks = 100", "held_out_decks = 2"),
    // The bank, and the evolution on it.
    ("games = 150\npositions_per_game = 10\nrewards = 128", "games = 30\npositions_per_game = 2\nrewards = 8"),
    ("continuations = 24", "continuations = 2"),
    (
        "islands = 4\npopulation = 40\nelite = 6\ngenerations = 18",
        "islands = 1\npopulation = 4\nelite = 1\ngenerations = 2",
    ),
    ("finalists = 12\ntune_offspring = 12\ntune_rounds = 4", "finalists = 2\ntune_offspring = 2\ntune_rounds = 1"),
    ("positions = [200, 400]\nblock = 50", "positions = [8, 16]\nblock = 4"),
    ("positions = 600", "positions = 8"),
    ("decks = [24, 48, 96]", "decks = [2, 4]"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(page: &str) -> String {
    std::fs::read_to_string(root().join(page)).unwrap()
}

/// The text with smaller numbers.
fn shortened(text: &str) -> String {
    let text = OTHERWISE.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    FEWER.iter().fold(text, |text, (key, least)| {
        let mut parts = text.split(key);
        let first = parts.next().unwrap().to_owned();
        parts.fold(first, |text, rest| {
            let other = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
            match rest[..rest.len() - other.len()].parse::<usize>() {
                Ok(number) => format!("{text}{key}{}{other}", number.min(*least).max(number / 10)),
                // A list.
                Err(_) => format!("{text}{key}{rest}"),
            }
        })
    })
}

/// The name that a whole file gives itself in its first lines.
fn name(file: &str) -> Option<&str> {
    let mut lines = file.lines().skip_while(|line| line.starts_with('#'));
    lines.next()?.strip_prefix("name = \"")?.strip_suffix('"')
}

/// A page in its folder.
struct Page {
    page: &'static str,
    is_whole: bool,
    scratch: Scratch,
    /// What its commands have printed.
    printed: String,
}

impl Page {
    /// The folder has the files of the repository that commands name, those of all pages, and stand-ins for a batch
    /// system and for the builds of cargo.
    fn new(page: &'static str, is_whole: bool) -> Page {
        let page = Page { page, is_whole, scratch: Scratch::new(), printed: String::new() };
        for folder in ["experiments", "experiments/evolve-2026", "experiments/external", "experiments/proposers"]
            .into_iter()
            .chain(["examples", "examples/own_methods"])
        {
            std::fs::create_dir(page.scratch.path(folder)).unwrap();
            for entry in std::fs::read_dir(root().join(folder)).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_some_and(|ending| ending == "toml" || ending == "py") {
                    let text = std::fs::read_to_string(&path).unwrap();
                    let name = path.file_name().unwrap().to_str().unwrap();
                    page.scratch.write(&format!("{folder}/{name}"), &page.fitted(&text));
                }
            }
        }
        for other in PAGES {
            let text = read(other);
            for (_, lines) in blocks(&text).iter().filter(|(language, _)| *language == "toml") {
                page.save(&lines.join("\n"));
            }
        }
        // An array plays while the page goes on.
        page.command(
            "sbatch",
            "cat > submitted; echo 4711\nif grep -q 'SBATCH --array' submitted; then evouct run experiments/quick.toml > played 2>&1 & fi",
        );
        page.command("scontrol", "");
        let text = read(page.page);
        let examples = text.split("--example ").skip(1).map(|rest| rest.split(' ').next().unwrap());
        let nim = text.contains("cargo run").then_some("nim");
        for folder in examples.chain(nim).map(|example| built(example).parent().unwrap().display().to_string()) {
            page.command(
                "cargo",
                &format!(
                    "program=evouct; [ ! -e Cargo.toml ] || program={folder}/nim\nwhile [ \"$1\" != -- ]; do\n\
                     [ \"$1\" != --example ] || program={folder}/$2; shift; done; shift; exec $program \"$@\""
                ),
            );
        }
        page
    }

    fn fitted(&self, text: &str) -> String {
        if self.is_whole { text.to_owned() } else { shortened(text) }
    }

    /// Saves a whole file under its name.
    fn save(&self, file: &str) -> Option<String> {
        let file_name = format!("{}.toml", name(file)?);
        self.scratch.write(&file_name, &self.fitted(&format!("{file}\n")));
        Some(file_name)
    }

    /// A command that does this.
    fn command(&self, name: &str, body: &str) {
        use std::os::unix::fs::PermissionsExt;
        std::fs::create_dir_all(self.scratch.path("bin")).unwrap();
        let path = self.scratch.write(&format!("bin/{name}"), &format!("#!/bin/sh\n{body}\n"));
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Runs commands that must succeed; returns what they print.
    fn shell(&self, commands: &str) -> String {
        let folder = Path::new(env!("CARGO_BIN_EXE_evouct")).parent().unwrap();
        let path = format!("{}:{}:{}", self.scratch.path("bin"), folder.display(), std::env::var("PATH").unwrap());
        let mut shell = Command::new("bash");
        shell.args(["-ec", commands]).env("PATH", path).current_dir(self.scratch.path("")).stdin(Stdio::null());
        let said = Said::of(shell.output().unwrap());
        assert_eq!(said.code, Some(0), "{}: {commands}\n{}{}", self.page, said.out, said.err);
        assert!(!said.err.contains("panicked"), "{}: {commands}\n{}", self.page, said.err);
        said.out
    }

    fn run(mut self) {
        let text = read(self.page);
        for (_, commands) in BEFORE.iter().filter(|(page, _)| *page == self.page) {
            self.shell(commands);
        }
        let blocks = blocks(&text);
        let commands = blocks.iter().filter(|(language, _)| is_commands(language)).map(|(_, lines)| lines.join("\n"));
        let commands: String = commands.collect();
        // The file that an excerpt adds to.
        let mut file = None;
        for (language, lines) in blocks {
            let block = lines.join("\n");
            match language {
                "toml" => match (self.save(&block), &file) {
                    (Some(name), _) => {
                        // What no command of the page names is read all the same.
                        if !commands.contains(&name) {
                            self.read_plan(&name);
                        }
                        file = Some(name);
                    }
                    (None, Some(name)) => {
                        let whole = format!("{}\n{}\n", self.scratch.read(name), self.fitted(&block));
                        self.scratch.write(name, &whole);
                    }
                    (None, None) => {
                        let around = AROUND.iter().find(|(page, ..)| [self.page, ""].contains(page));
                        let (_, before, after) = around.unwrap();
                        self.scratch.write("excerpt.toml", &format!("name = \"excerpt\"\n{before}{block}\n{after}"));
                        self.read_plan("excerpt.toml");
                    }
                },
                _ if is_commands(language) => self.run_commands(&block),
                "" | "text" => self.look_for(&block),
                "rust,ignore" => {
                    // Both are compiled and run.
                    let sources = [include_str!("../../examples/own_game.rs"), include_str!("examples.rs")];
                    for line in lines.iter().map(|line| line.trim()) {
                        let is_there = |source: &str| source.lines().any(|other| other.trim() == line);
                        assert!(sources.into_iter().any(is_there), "{}: {line}", self.page);
                    }
                }
                "python" => (),
                other => panic!("{}: a block of {other:?} is neither run nor listed", self.page),
            }
        }
    }

    /// A plan is complete and has no wrong key.
    fn read_plan(&self, file: &str) {
        self.shell(&format!("evouct slurm {file} --calibrate 0"));
    }

    fn run_commands(&mut self, block: &str) {
        let block = self.fitted(block).replace("\\\n", " ");
        let lines: Vec<&str> = block.lines().filter(|line| not_run(line).is_none()).collect();
        let tables: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("evouct gui")).collect();
        if lines.iter().all(|line| line.starts_with("cd ")) {
            return;
        }
        if tables.is_empty() {
            let said = self.shell(&lines.join("\n"));
            self.printed.push_str(&said);
            return;
        }
        assert_eq!(tables.len(), lines.len(), "{}: {block}", self.page);
        for options in tables {
            let words: Vec<&str> = options.split('#').next().unwrap().split_whitespace().collect();
            let mut program = evouct(&[]);
            program.current_dir(self.scratch.path(""));
            assert_eq!(Table::open_by(program, &words).get("").status, 200, "{options}");
        }
    }

    /// The lines of a block stand in what was printed: in this order if the numbers are those of the page.
    fn look_for(&self, block: &str) {
        if NOT_SHOWN.iter().any(|(begins, _)| block.starts_with(begins)) {
            return;
        }
        let is_exact = self.is_whole || shortened(&read(self.page)) == read(self.page) && self.page != "README.md";
        let printed: Vec<String> = self.printed.lines().map(|line| masked(line, is_exact)).collect();
        let mut from = 0;
        // What few decks show is another thing.
        let mut is_verdict = false;
        for line in block.lines() {
            is_verdict = !is_exact
                && (line.starts_with("All differences are significant")
                    || is_verdict && !line.starts_with("All players"));
            if is_verdict {
                continue;
            }
            let line = masked(line, is_exact);
            let found = printed[from..].iter().position(|other| *other == line);
            let found = found.unwrap_or_else(|| panic!("{}: no command prints {line:?}:\n{}", self.page, self.printed));
            from += if is_exact { found + 1 } else { 0 };
        }
    }
}

fn is_commands(language: &str) -> bool {
    ["sh", "console"].contains(&language)
}

fn not_run(line: &str) -> Option<&'static str> {
    NOT_RUN.iter().find(|(begins, _)| line.starts_with(begins)).map(|(begins, _)| *begins)
}

/// A line without what differs between machines: its times; or without any number.
fn masked(line: &str, is_exact: bool) -> String {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    for index in 1..words.len() {
        if ["ns", "µs", "ms", "s"].contains(&words[index]) {
            (words[index - 1], words[index]) = ("#", "time");
        }
    }
    if !is_exact {
        for word in &mut words {
            if word.contains(|letter: char| letter.is_ascii_digit()) {
                *word = "#";
            }
        }
        // Few decks may put another player ahead.
        words.sort_unstable();
    }
    words.join(" ")
}

#[test]
fn every_page_with_code_is_run() {
    let mut pages = vec![PathBuf::from("README.md"), PathBuf::from("docs/README.md")];
    for folder in ["docs/manual", "docs/reference"] {
        markdown(Path::new(folder), &mut pages);
    }
    let (mut left_out, mut not_shown) = (Vec::<&str>::new(), Vec::<&str>::new());
    for page in pages {
        let page = page.to_str().unwrap();
        let text = read(page);
        let blocks = blocks(&text);
        // A page all of whose blocks need Python is left to its tests.
        let is_for_python = blocks.iter().all(|(language, lines)| match *language {
            "python" => true,
            "sh" => lines.iter().all(|line| line.starts_with("cd ") || not_run(line).is_some()),
            _ => page.contains("/any-game") || page.contains("/python"),
        });
        assert!(PAGES.contains(&page) || is_for_python, "{page}");
        for (language, lines) in &blocks {
            if is_commands(language) {
                left_out.extend(lines.iter().filter_map(|line| not_run(line)));
            }
            let block = lines.join("\n");
            not_shown.extend(NOT_SHOWN.iter().map(|(begins, _)| *begins).filter(|begins| block.starts_with(begins)));
        }
        // Code that is indented would be no block.
        let mut is_code = false;
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2) {
            is_code ^= pair[0].starts_with("```");
            assert!(is_code || !pair[0].is_empty() || !pair[1].starts_with("    "), "{page}: {}", pair[1]);
        }
    }
    let unused: Vec<&str> =
        NOT_RUN.iter().map(|(begins, _)| *begins).filter(|begins| !left_out.contains(begins)).collect();
    assert!(unused.is_empty() && not_shown.len() == NOT_SHOWN.len(), "{unused:?} {not_shown:?}");
}

/// The results that pages show, by the numbers that they print: minutes.
#[test]
fn shown_results_are_those_of_all_games() {
    if !tries_all() {
        println!("left out: without EVOUCT_FAULTS=all");
        return;
    }
    for page in ["README.md", "docs/manual/first-league.md"] {
        Page::new(page, true).run();
    }
}

/// Commands of `evouct` in the text: each has the options that are named with it.
#[test]
fn commands_in_sentences_have_these_options() {
    let mut documents = Vec::new();
    markdown(root(), &mut documents);
    let is_history = |path: &PathBuf| path.ends_with("CHANGELOG.md");
    let mut helps: BTreeMap<String, String> = BTreeMap::new();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for document in documents.iter().filter(|path| !is_history(path)) {
        let text = std::fs::read_to_string(document).unwrap().replace("\\\n", " ");
        let code = blocks(&text).into_iter().filter(|(language, _)| is_commands(language)).flat_map(|(_, lines)| lines);
        let prose: String = text.split("\n```").step_by(2).collect();
        let spans =
            prose.split('`').skip(1).step_by(2).map(|span| span.split_whitespace().collect::<Vec<_>>().join(" "));
        for span in code.map(str::to_owned).chain(spans) {
            let span = span.split(" # ").next().unwrap();
            let span = format!(" {span}");
            let Some((_, rest)) = span.split_once(" evouct ") else { continue };
            let mut words: Vec<&str> =
                rest.split(' ').take_while(|word| !["--", "&&", "|", ";"].contains(word)).collect();
            if words.is_empty() {
                continue;
            }
            let depth = if words[0] == "carcassonne" { words.len().min(2) } else { 1 };
            let is_word = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
            if !words[..depth].iter().all(is_word) || words[0].starts_with('-') {
                continue;
            }
            let options = words.split_off(depth);
            let help = helps.entry(words.join(" ")).or_insert_with(|| succeed(&[&words[..], &["--help"]].concat()));
            for option in options.iter().filter(|word| word.starts_with("--")) {
                let option = option.split(['=', ',', ')', ']']).next().unwrap();
                let is_there = help.split([' ', ',', '\n', '[', '=']).any(|word| word == option);
                if !is_there {
                    wrong.push(format!("{}: {span}: {option}", document.strip_prefix(root()).unwrap().display()));
                }
                count += 1;
            }
        }
    }
    assert!(wrong.is_empty() && count > 100, "{count} {wrong:#?}");
}
