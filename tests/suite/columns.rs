//! The type of a column depends on the column and not on what it holds.

use crate::program::{Scratch, succeed};
use evouct::export::{ColumnType, TableColumn, read_csv};
use std::fs::read_dir;
use std::path::Path;

/// Names that programs take for numbers, for missing values or for formulas.
const NAMES: [&str; 7] = ["NA", "null", "007", "1e5", "=x", "'=x", "-1"];

/// The CSV files of a folder, read by their declared types. The type of other columns is that of `others`.
fn read(folder: &str, others: &[&str]) -> Vec<(String, Vec<(String, TableColumn)>)> {
    let files = read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let tables = files.filter(|path| path.extension().is_some_and(|ending| ending == "csv"));
    let read = |path: &Path| {
        read_csv(path, |column| match ColumnType::declared(column) {
            Some(of) => of,
            None if others.contains(&column) => ColumnType::Real,
            None => panic!("{}: the column {column} has no declared type", path.display()),
        })
    };
    tables.map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), read(&path).unwrap())).collect()
}

#[test]
fn names_are_texts_and_every_column_has_its_type() {
    let scratch = Scratch::new();
    let players = NAMES.map(|name| format!("[[player]]\nname = {name:?}\nkind = \"random\"\n")).concat();
    let head = "game = \"einstein\"\ndecks = 1\nschedule = \"neighbours\"\n";
    let league = scratch.write("league.toml", &format!("name = \"league\"\n{head}{players}"));
    succeed(&["run", &league, "--out", &scratch.path("league")]);
    let tables = read(&scratch.path("league"), &[]);
    assert_eq!(tables.len(), 8);
    for (table, columns) in &tables {
        for (name, values) in columns {
            if let ("ranking" | "costs" | "players", "player", TableColumn::Text(texts)) = (&**table, &**name, values) {
                let mut texts: Vec<&str> = texts.iter().flatten().map(String::as_str).collect();
                texts.sort_unstable();
                texts.dedup();
                let mut names = NAMES;
                names.sort_unstable();
                assert_eq!(texts, names, "{table}");
            }
        }
    }
}

#[test]
fn the_columns_of_evolutions_scores_and_tunings_are_declared() {
    let scratch = Scratch::new();
    let file = scratch.write(
        "small.toml",
        "name = \"small\"\ngame = \"einstein\"\n[evolve]\nseeds = [\"Q\", \"Q + 1/n\"]\nislands = 1\n\
         population = 4\nelite = 2\ngenerations = 1\nfinalists = 2\nsecond = \"captured\"\n[[player]]\nkind = \"formula\"\niterations = 4\n\
         [[opponent]]\nname = \"007\"\nkind = \"random\"\n[[stage]]\nmeasure = \"games\"\ndecks = 2\n[[stage]]\nmeasure = \"games\"\ndecks = [2, 3]\n",
    );
    succeed(&["evolve", &file, "--out", &scratch.path("evolved")]);
    let second = ["captured", "captured_error", "captured_gain", "captured_gain_error"];
    assert_eq!(read(&scratch.path("evolved"), &second).len(), 6);
    let genomes = scratch.write("genomes.txt", "Q\n0 - Q\n");
    succeed(&["score", &file, "--genomes", &genomes, "--out", &scratch.path("scores")]);
    assert_eq!(read(&scratch.path("scores"), &[]).len(), 1);
    let league = scratch
        .write("league.toml", "name = \"league\"\ngame = \"einstein\"\n[[player]]\nkind = \"mcts\"\niterations = 2\n");
    succeed(&["tune", &league, "--over", "k=0.1,0.5", "--budget", "80", "--out", &scratch.path("tuned")]);
    assert_eq!(read(&scratch.path("tuned"), &["k"]).len(), 1);
}
