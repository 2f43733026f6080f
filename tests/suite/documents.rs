//! The documents: links lead somewhere, and the generated reference is whole. `statements.rs` runs their code.

use crate::program;
use evouct::config::Readings;
use evouct::registry;
use program::{Scratch, succeed};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The blocks of code of a Markdown text: language and lines.
pub(crate) fn blocks(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut blocks: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some(language) if !is_open => {
                blocks.push((language, Vec::new()));
                is_open = true;
            }
            Some(_) => is_open = false,
            None if is_open => blocks.last_mut().unwrap().1.push(line),
            None => (),
        }
    }
    blocks
}

/// The lines of prose of a Markdown text that have more than so many characters and could be wrapped, by number: neither
/// code nor tables, nor a line whose one word is too long.
fn long_prose(text: &str, most: usize) -> Vec<usize> {
    let mut is_code = false;
    let mut long = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        is_code ^= line.trim_start().starts_with("```");
        let is_table = line.trim_start().starts_with('|');
        let widest = line.split(' ').map(|word| word.chars().count()).max().unwrap_or(0);
        if !is_code && !is_table && line.chars().count() > most && widest <= most {
            long.push(number);
        }
    }
    long
}

#[test]
fn the_documents_stay_short_and_their_lines_too() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let lines = read(&root.join("README.md")).lines().count();
    assert!(lines <= 80, "README.md has {lines} lines, expected at most 80");
    for version in read(&root.join("CHANGELOG.md")).split("\n## ").skip(1) {
        let (name, words) = (version.lines().next().unwrap(), version.split_whitespace().count());
        assert!(words <= 1_500, "CHANGELOG.md has {words} words on {name}, expected at most 1,500");
    }
    let mut words = 0;
    for folder in ["manual", "reference"] {
        let mut files = Vec::new();
        markdown(&root.join("docs").join(folder), &mut files);
        assert!(!files.is_empty());
        for file in files {
            let text = read(&file);
            assert_eq!(
                long_prose(&text, 100),
                Vec::<usize>::new(),
                "{}: lines of more than 100 columns",
                file.display()
            );
            words += if folder == "manual" { text.split_whitespace().count() } else { 0 };
        }
    }
    assert!(words <= 15_000, "docs/manual has {words} words, expected at most 15,000");
    let text = "a b c d\n```\na b c d\n```\n| a b c |\nabcdefg\n- a b cd\n";
    assert_eq!(long_prose(text, 6), [1, 7]);
}

pub(crate) fn markdown(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_ours = |name: &str| !name.starts_with('.') && !name.starts_with("target") && name != "runs";
        if path.is_dir() && is_ours(path.file_name().unwrap().to_str().unwrap()) {
            markdown(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            found.push(path);
        }
    }
}

/// The anchors of a document's headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> Vec<String> {
    let mut is_code = false;
    let headings = text.lines().filter(|line| {
        is_code ^= line.starts_with("```");
        !is_code && line.starts_with('#')
    });
    let anchor = |heading: &str| {
        let words = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = words.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
        kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn links_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut documents = Vec::new();
    markdown(root, &mut documents);
    assert!(documents.len() > 15, "{documents:?}");
    let (mut dead, mut count) = (Vec::new(), 0);
    for document in documents {
        let text = std::fs::read_to_string(&document).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            if link.starts_with("http") || link.contains([' ', '\n']) {
                continue;
            }
            count += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { document.clone() } else { document.parent().unwrap().join(file) };
            let leads = target.exists()
                && (anchor.is_empty()
                    || anchors(&std::fs::read_to_string(&target).unwrap()).iter().any(|known| known == anchor));
            if !leads {
                dead.push(format!("{}: {link}", document.strip_prefix(root).unwrap().display()));
            }
        }
    }
    assert!(count > 60, "only {count} links were found");
    assert!(dead.is_empty(), "{dead:#?}");
}

/// The cells of a line of a Markdown table.
fn cells(line: &str) -> usize {
    line.replace("\\|", "").matches('|').count() - 1
}

#[test]
fn the_reference_has_every_kind_and_every_command() {
    let scratch = Scratch::new();
    let folder = scratch.path("reference");
    succeed(&["reference", &folder]);
    let commands = scratch.read("reference/commands.md");
    let help = succeed(&["--help"]);
    let listed = help.split("\nOptions:").next().unwrap().lines();
    let names: Vec<&str> = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    assert!(names.len() > 25, "{help}");
    for name in names.iter().filter(|name| !name.is_empty() && **name != "help") {
        assert!(commands.contains(&format!("## evouct {name}\n")), "{name}");
    }
    assert!(commands.contains("| `-1 <PLAYER>` |") || commands.contains("| `-1, --first <PLAYER>` |"), "{commands}");
    for game in registry::games() {
        let page = scratch.read(&format!("reference/{}.md", game.name()));
        for kind in game.kinds() {
            let (_, section) = page.split_once(&format!("\n### {}\n", kind.name)).unwrap();
            let section = section.split("\n### ").next().unwrap();
            assert!(
                kind.table.iter().all(|parameter| section.contains(&format!("| `{}` |", parameter.name))),
                "{section}"
            );
        }
    }
    let files = scratch.read("reference/experiment-files.md");
    for key in ["games_per_match", "sequential.elo1", "evolve.algorithm"] {
        assert!(files.contains(&format!("| `{key}` |")), "{key}: {files}");
    }
    // Every row of a table has as many cells as its heading.
    let games = registry::games();
    for name in ["commands", "experiment-files"].into_iter().chain(games.iter().map(|game| game.name())) {
        let page = scratch.read(&format!("reference/{name}.md"));
        let mut width = None;
        for line in page.lines() {
            width = line.starts_with('|').then(|| width.unwrap_or(cells(line)));
            assert!(width.is_none_or(|width| width == cells(line)), "{name}: {line}");
        }
    }
}

#[test]
fn every_document_is_in_the_site() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = root.join("docs");
    let contents = std::fs::read_to_string(docs.join("site/SUMMARY.md")).unwrap();
    let mut documents = Vec::new();
    markdown(&docs, &mut documents);
    let names = documents.iter().map(|path| path.strip_prefix(&docs).unwrap().to_str().unwrap().to_owned());
    let mut experiments = Vec::new();
    markdown(&root.join("experiments"), &mut experiments);
    let read_me = experiments.iter().filter(|path| path.file_name().is_some_and(|name| name == "README.md"));
    let read_me = read_me.map(|path| format!("../{}", path.strip_prefix(root).unwrap().to_str().unwrap()));
    let notebooks = std::fs::read_dir(root.join("python/notebooks")).unwrap().map(|entry| entry.unwrap().path());
    let notebooks = notebooks.filter(|path| path.extension().is_some_and(|ending| ending == "ipynb"));
    let notebooks =
        notebooks.map(|path| format!("../python/notebooks/{}", path.file_name().unwrap().to_str().unwrap()));
    let missing: Vec<String> = names
        .chain(read_me)
        .chain(notebooks)
        .filter(|name| !name.starts_with("site/") && !contents.contains(&format!("](../{name})")))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Every claim of `printed.toml` says how it was found, and commands on kept games still print it.
#[test]
fn claims_outside_the_tables_are_shown_by_their_commands() {
    let readings = Readings::load(Path::new("docs/results/printed.toml")).unwrap();
    assert!(readings.claims.len() > 20);
    let mut shown = 0;
    for claim in &readings.claims {
        let Some((command, shows)) = claim.command.as_ref().zip(claim.shows.as_ref()) else { continue };
        let words: Vec<&str> = command.split(' ').skip(1).collect();
        let printed = succeed(&words);
        let printed = printed.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(printed.contains(shows.as_str()), "{command} does not print {shows:?}: {printed}");
        shown += 1;
    }
    assert!(shown > 5, "{shown}");
}

/// The matches of a kept league that a player won against these opponents, on either seat.
fn matches_won(run: &str, player: &str, opponents: &[&str]) -> usize {
    let table = format!("experiments/siea-2022/results/table-10-{run}/matches.csv");
    let rows =
        csv::Reader::from_path(table).unwrap().into_deserialize::<BTreeMap<String, String>>().map(Result::unwrap);
    let is_won = |row: &BTreeMap<String, String>| {
        let wins = ["home_wins", "away_wins"].map(|key| row[key].parse::<u32>().unwrap());
        (row["home"] == player && opponents.contains(&row["away"].as_str()) && wins[0] > wins[1])
            || (row["away"] == player && opponents.contains(&row["home"].as_str()) && wins[1] > wins[0])
    };
    rows.filter(is_won).count()
}

#[test]
fn claims_on_matches_won_are_counted_in_the_kept_leagues() {
    let readings = Readings::load(Path::new("docs/results/printed.toml")).unwrap();
    let mut counted = 0;
    for claim in readings.claims.iter().filter(|claim| claim.printed.ends_with("VI-E, Table X")) {
        let (player, what) = claim.says.split_once(" wins ").unwrap();
        let opponents: &[&str] = match what {
            _ if what.ends_with("with as many simulations (400)") => {
                &["MCTS K=0.5 (400)", "MCTS K=sqrt2 (400)", "RAVE K=0.25 (400)", "RAVE K=0.5 (400)"]
            }
            _ if what.ends_with("against MCTS with 2,800 simulations") => &["MCTS K=0.5 (2800)", "MCTS K=sqrt2 (2800)"],
            _ => &["RAVE K=0.25 (2800)", "RAVE K=0.5 (2800)"],
        };
        let won = |run| matches_won(run, player, opponents);
        let here = format!(
            "{} of {}; with 60 decks {}, with seed 2023 {}; under `as-printed` {}",
            won("reference"),
            2 * opponents.len(),
            won("reference-60"),
            won("reference-seed-2023"),
            won("text")
        );
        assert_eq!(claim.here, here, "{}", claim.says);
        counted += 1;
    }
    assert_eq!(counted, 6);
}

/// The digest of each kept league of a folder of experiments by the name of its folder.
fn digests(results: &str) -> BTreeMap<String, String> {
    let folders = std::fs::read_dir(results).unwrap().map(|entry| entry.unwrap());
    let digest = |folder: &std::fs::DirEntry| {
        let manifest = std::fs::read_to_string(folder.path().join("manifest.json")).ok()?;
        let manifest: serde_json::Value = serde_json::from_str(&manifest).ok()?;
        Some((folder.file_name().into_string().unwrap(), manifest["digest"]["digest"].as_str()?.to_owned()))
    };
    folders.filter_map(|folder| digest(&folder)).collect()
}

/// Where the text before a table names the files of its rows, as `transfer/climb-*.toml`, each digest is of one of them.
#[test]
fn digests_of_a_table_are_of_the_files_that_it_names() {
    let digests = digests("experiments/evolve-2026/results");
    let text = std::fs::read_to_string("docs/results/evolution.md").unwrap();
    let (mut named, mut checked) = (None, 0);
    for line in text.lines() {
        if line.starts_with('#') {
            named = None;
        }
        if let Some((before, _)) = line.split_once("*.toml`") {
            named = Some(before.rsplit('`').next().unwrap().replace('/', "-"));
        }
        let digest = line.strip_prefix("| ").and_then(|row| row.strip_suffix("… |")?.rsplit(' ').next());
        if let Some((files, digest)) = named.as_ref().zip(digest) {
            let found: Vec<_> = digests.iter().filter(|(_, of)| of.starts_with(digest)).collect();
            assert!(found.iter().all(|(name, _)| name.starts_with(files.as_str())), "{digest} of {found:?}: {line}");
            checked += found.len();
        }
    }
    assert!(checked >= 9, "{checked}");
}

/// A number over 29 or 28 that reaches 1.24 is no share, and what one page has played no other calls unplayed.
#[test]
fn pages_do_not_contradict_one_another() {
    let mut documents = Vec::new();
    markdown(Path::new("docs"), &mut documents);
    let pages = documents.iter().map(|path| std::fs::read_to_string(path).unwrap());
    let caption = registry::default_game().caption().to_owned();
    for text in pages.chain([caption]) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for wrong in ["*twm* the share", "meeple: the share of", "twm is the share", "0.69 of its turns"] {
            assert!(!text.contains(wrong), "{wrong}");
        }
        assert!(!text.contains("`cutoff_value` has no default. It has not been played"));
    }
}
