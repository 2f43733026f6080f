//! The documents: the tutorial's commands run as they are printed, with fewer decks, and links lead somewhere.

mod program;

use program::{Said, Scratch, evouct};
use std::path::{Path, PathBuf};

/// The blocks of code of a Markdown text: language and lines.
fn blocks(text: &str) -> Vec<(&str, Vec<&str>)> {
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

#[test]
fn the_tutorial_runs() {
    let text = include_str!("../docs/tutorial.md");
    let scratch = Scratch::new();
    let mut file = String::new();
    let mut ran = Vec::new();
    for (language, lines) in blocks(text) {
        match language {
            "toml" => {
                file.push_str(&lines.join("\n").replace("games_per_match = 10 ", "games_per_match = 1 "));
                file.push('\n');
                scratch.write("first.toml", &file);
            }
            "sh" => {
                for line in lines {
                    let line = line.replace("--games-per-match 40", "--games-per-match 2");
                    let arguments: Vec<&str> = line.split_whitespace().collect();
                    assert_eq!(arguments[0], "evouct", "{line}");
                    let said = Said::of(evouct(&arguments[1..]).current_dir(scratch.path("")).output().unwrap());
                    assert_eq!(said.code, Some(0), "{line}: {}", said.err);
                    ran.push((line, said.out));
                }
            }
            _ => (),
        }
    }
    let ranking = |index: usize| &ran[index].1;
    assert!(ranking(0).contains("6 of 6 games, seed 2022, preset text, 1 deck"), "{}", ranking(0));
    assert!(ranking(1).contains("12 of 12 games"), "{}", ranking(1));
    assert!(ranking(2).contains("24 of 24 games") && ranking(2).contains("UCT 200"), "{}", ranking(2));
    assert!(scratch.exists("game.html") && scratch.exists("runs/first/tables.tex"));
    assert!(ran.last().unwrap().1.contains("24 of 24 games"), "{ran:?}");
}

fn markdown(folder: &Path, found: &mut Vec<PathBuf>) {
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
