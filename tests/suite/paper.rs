//! `evouct paper`: tables, methods and references for LaTeX, compiled where a TeX is.

use crate::program;
use program::{Scratch, fail, fails, succeed};
use std::process::Command;

const LEAGUE: &str = r#"
name = "kit_1"
game = "einstein"
seed = 3
games_per_match = 6
[[player]]
name = "UCT & 50 %"
kind = "mcts"
iterations = 20
[[player]]
name = "one_ply"
kind = "one-ply"
[[player]]
kind = "random"
[paper]
source = "a table"
ranking = [{ player = "one_ply", points = 12 }, { player = "random", points = 1 }]
"#;

fn played() -> (Scratch, String) {
    let scratch = Scratch::new();
    let file = scratch.write("kit.toml", LEAGUE);
    let run = scratch.path("run");
    succeed(&["run", &file, "--out", &run]);
    (scratch, run)
}

#[test]
fn a_kit_of_an_incomplete_run_says_so_everywhere() {
    let (scratch, run) = played();
    succeed(&["paper", &run]);
    let journal = scratch.read("run/games.jsonl");
    let kept: Vec<&str> = journal.lines().take(1 + 20).collect();
    std::fs::create_dir(scratch.path("part")).unwrap();
    scratch.write("part/games.jsonl", &(kept.join("\n") + "\n"));
    let said = program::say(&["paper", &scratch.path("part")]);
    assert!(said.code == Some(1) && said.err.contains("interim results: 16 games are missing"), "{said:?}");
    fail(&["report", &scratch.path("part")], 1);
    let mut marked = 0;
    for (name, of) in [("run", 0), ("part", 1)] {
        let kit = std::fs::read_dir(scratch.path(&format!("{name}/paper"))).unwrap();
        let paths = kit.map(|entry| entry.unwrap().path());
        let texts = paths.filter(|path| path.extension().is_some_and(|ending| ending == "tex"));
        for path in texts.chain([scratch.path(&format!("{name}/tables.tex")).into()]) {
            let text = std::fs::read_to_string(&path).unwrap();
            let mark = r"\textbf{Interim results: 20 of 36 games finished.} ";
            let expected = of * text.matches(r"\caption{").count().max(1);
            assert_eq!(text.matches(mark).count(), expected, "{}: {text}", path.display());
            marked += expected;
        }
    }
    assert!(marked > 10);
}

#[test]
fn the_kit_has_tables_methods_and_references() {
    let (scratch, run) = played();
    let said = succeed(&["paper", &run]);
    let names: Vec<&str> = said.lines().map(|line| line.rsplit_once("/paper/").unwrap().1).collect();
    let (figures, others): (Vec<&str>, Vec<&str>) = names.iter().partition(|name| name.starts_with("figure-"));
    assert_eq!(
        others,
        ["ranking.tex", "significance.tex", "ratings.tex", "paper-ranking.tex", "methods.tex", "evouct.bib"]
    );
    assert!(figures.chunks(2).all(|pair| pair[0].replace(".pdf", ".tex") == pair[1]), "{figures:?}");
    for figure in ["figure-ratings.pdf", "figure-matches.pdf"] {
        assert!(figures.contains(&figure), "{figures:?}");
        let page = std::fs::read(scratch.path(&format!("run/paper/{figure}"))).unwrap();
        assert!(page.starts_with(b"%PDF-") && page.ends_with(b"%%EOF"), "{figure}");
    }
    let figure = scratch.read("run/paper/figure-ratings.tex");
    assert!(figure.contains("{figure-ratings.pdf}") && figure.contains(r"\label{fig:kit-1-ratings}"), "{figure}");
    let ranking = scratch.read("run/paper/ranking.tex");
    assert!(ranking.contains(r"\label{tab:kit-1-ranking}"), "{ranking}");
    assert!(ranking.contains(r" & Player & Points & Difference & Playouts \\"), "{ranking}");
    assert!(ranking.contains(r"UCT \& 50 \%") && ranking.contains(r"one\_ply"), "{ranking}");
    let methods = scratch.read("run/paper/methods.tex");
    let digest = succeed(&["digest", &run]);
    let digest = digest.lines().next().unwrap().split(' ').next().unwrap();
    for part in [
        "36 games of the game",
        "round robin of 3 players",
        "6 decks, and every deck is played from both seats",
        "seed 3",
        digest,
    ] {
        assert!(methods.contains(part), "{part}: {methods}");
    }
    assert!(methods.contains(r"UCT \& 50 \%: \texttt{mcts:iterations=20} (20 playouts and "), "{methods}");
    assert!(scratch.read("run/paper/evouct.bib").contains("@software{evouct,"));
    // What the folder of the run had is as it was.
    assert!(scratch.exists("run/tables.tex") && !scratch.exists("run/paper/figures"));

    let other = scratch.path("other");
    let chosen = ["--table", "ranking=player,points,won", "--table", "significance=a,b,p-holm", "--prefix", "x"];
    succeed(&[&["paper", &run, "--out", &other], &chosen[..]].concat());
    let ranking = scratch.read("other/ranking.tex");
    assert!(ranking.contains(r"\label{tab:x-ranking}") && ranking.contains("Player & Points & W \\\\"), "{ranking}");
    let significance = scratch.read("other/significance.tex");
    assert!(significance.contains(r"$a$ & $b$ & Holm $p$ \\"));
    // Captions say nothing of columns that are left out.
    let [all, tests] = ["ranking", "significance"].map(|name| scratch.read(&format!("run/paper/{name}.tex")));
    assert!(all.contains("Playouts (nodes,") && !ranking.contains("Playouts (nodes,"), "{ranking}");
    for (left_out, of) in
        [("bwp is", &ranking), ("Deck:", &ranking), ("Welch", &significance), ("Wilcoxon tests", &tests)]
    {
        assert!(!of.contains(left_out), "{left_out}: {of}");
    }
    assert!(ranking.contains("gives 4 points") && significance.contains("Holm's correction"), "{ranking}");
    let whole = ["--table", "significance=a,b,wilcoxon-p,welch-p"];
    succeed(&[&["paper", &run, "--out", &scratch.path("whole")], &whole[..]].concat());
    let whole = scratch.read("whole/significance.tex");
    assert!(whole.contains("Wilcoxon tests should agree") && whole.contains("Welch's test"), "{whole}");
}

#[test]
fn wrong_selections_are_refused() {
    let (scratch, run) = played();
    let refused = |arguments: &[&str], said: &str| {
        fails(&[&["paper", &run], arguments].concat(), 2, said);
    };
    refused(
        &["--table", "rankin=player"],
        "there is no table \"rankin\"; this run has ranking, significance, ratings, paper-ranking",
    );
    refused(
        &["--table", "ranking=plyer"],
        "table ranking has no column \"plyer\" (did you mean \"player\"?); it has rank, player,",
    );
    refused(&["--table", "ranking"], "expected TABLE=COLUMN,COLUMN");
    refused(&["--prefix", "a}b"], "a prefix is made of letters, digits and - : ., found \"a}b\"");
    refused(&["--prefix", ""], "a prefix is made of letters, digits and - : ., found \"\"");
    assert!(!scratch.exists("run/paper"));
    let empty = scratch.path("nothing");
    fail(&["paper", &empty], 2);
}

#[test]
fn the_kit_compiles() {
    if Command::new("pdflatex").arg("--version").output().is_err() {
        println!("skipped: the kit is not compiled, because pdflatex is missing");
        return;
    }
    let (scratch, run) = played();
    succeed(&["paper", &run]);
    succeed(&[
        "paper",
        &run,
        "--out",
        &scratch.path("run/all"),
        "--table",
        "ranking=rank,player,playouts,time,points,bwp,blp,won,lost,drawn,pd,difference",
    ]);
    let tables =
        ["paper/ranking", "paper/significance", "paper/ratings", "paper/paper-ranking", "all/ranking", "paper/methods"];
    let figures = std::fs::read_dir(scratch.path("run/paper")).unwrap().map(|file| file.unwrap().file_name());
    let figures: Vec<String> = figures.filter_map(|name| name.into_string().ok()).collect();
    let figures =
        figures.iter().filter_map(|name| name.strip_suffix(".tex")).filter(|name| name.starts_with("figure-"));
    let figures: Vec<String> = figures.map(|name| format!("paper/{name}")).collect();
    assert!(figures.len() >= 3, "{figures:?}");
    let inputs = tables.into_iter().chain(figures.iter().map(String::as_str));
    let inputs: String = inputs.map(|name| format!("\\input{{{name}}}\n\\clearpage\n")).collect();
    let text = format!(
        "\\documentclass[twocolumn]{{article}}\n\\usepackage[utf8]{{inputenc}}\n\\usepackage{{booktabs,graphicx,textcomp}}\n\
         \\graphicspath{{{{paper/}}}}\n\\begin{{document}}\n{inputs}\\input{{tables}}\n\\end{{document}}\n"
    );
    scratch.write("run/main.tex", &text);
    let made = Command::new("pdflatex")
        .args(["-interaction=nonstopmode", "-halt-on-error", "main.tex"])
        .current_dir(&run)
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&made.stdout);
    assert!(made.status.success() && scratch.exists("run/main.pdf"), "{log}");
    // Tables of the kit fit their column; those of tables.tex may not, and long names of players in methods may not.
    let wide = |file: &str| {
        let part =
            log.split(&format!("({file}")).nth(1).unwrap_or_default().split(')').next().unwrap_or_default().to_owned();
        part.contains("Overfull")
    };
    for file in ["./paper/ranking.tex", "./paper/significance.tex", "./paper/ratings.tex", "./all/ranking.tex"] {
        assert!(log.contains(&format!("({file}")) && !wide(file), "{file}: {log}");
    }
}
