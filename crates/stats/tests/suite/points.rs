//! The points table against the tables of the paper: matches of Tables IV, VI, VIII and X, rankings of V, VII, IX and
//! XI.

use std::fs;

use evouct_stats::points::{Match, Row, table};
use serde_json::{Value, json};

fn tables() -> Vec<(String, Value)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/league-tables.json");
    let all: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    all["tables"].as_object().unwrap().iter().map(|(name, table)| (name.clone(), table.clone())).collect()
}

fn names(table: &Value) -> Vec<&str> {
    table["players"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

/// The matches that a table prints as wins of home and away; the rest of its games were drawn.
fn matches(table: &Value) -> Vec<Match> {
    let games = table["games_per_match"].as_u64().unwrap();
    let mut found = vec![];
    for (home, row) in table["wins"].as_array().unwrap().iter().enumerate() {
        for (away, cell) in row.as_array().unwrap().iter().enumerate().filter(|(_, cell)| !cell.is_null()) {
            let (home_wins, away_wins) = (cell[0].as_u64().unwrap(), cell[1].as_u64().unwrap());
            let draws = games - home_wins - away_wins;
            found.push(Match { home, away, home_wins, away_wins, draws, difference_sum: 0.0 });
        }
    }
    found
}

fn ranking(of: &Value) -> Vec<Row> {
    table(names(of).len(), &matches(of)).unwrap()
}

/// The columns that matches alone determine, in the order of the printed rankings.
fn columns(row: &Row) -> Value {
    json!([row.points, row.bwp, row.blp, row.wins, row.losses, row.draws])
}

#[test]
fn computed_rows() {
    let mut rows = 0;
    for (name, table) in tables() {
        let players = names(&table);
        for row in ranking(&table) {
            let expected = &table["computed"][row.player];
            assert_eq!(expected["player"], players[row.player]);
            let expected = ["points", "bwp", "blp", "wins", "losses", "draws"].map(|key| expected[key].clone());
            assert_eq!(columns(&row), json!(expected), "table {name}, {}", players[row.player]);
            rows += 1;
        }
    }
    assert_eq!(rows, 28);
}

#[test]
fn printed_rows_but_two_misprints() {
    let mut misprints = vec![];
    let mut rows = 0;
    for (name, table) in tables() {
        let players = names(&table);
        let found = ranking(&table);
        for printed in table["printed_ranking"].as_array().unwrap() {
            let row = found.iter().find(|row| printed[1] == players[row.player]).unwrap();
            rows += 1;
            if columns(row) != json!(&printed.as_array().unwrap()[2..8]) {
                misprints.push((name.clone(), players[row.player].to_owned(), columns(row)));
            }
        }
    }
    let expected = [
        ("VI".to_owned(), "RAVE K=0.25".to_owned(), json!([41, 5, 0, 9, 1, 0])),
        ("X".to_owned(), "RAVE K=0.25 (2800)".to_owned(), json!([67, 5, 2, 14, 8, 2])),
    ];
    assert_eq!((rows, misprints), (28, expected.to_vec()));
}

#[test]
fn printed_order() {
    // The paper prints PD but not the differences it is made of. Every match is given one that adds up to the printed
    // PD, then the ranks must come out as printed: the ties in points of Table XI are ordered by wins, against their
    // PD.
    for (name, table_json) in tables() {
        let players = names(&table_json);
        let printed = table_json["printed_ranking"].as_array().unwrap();
        let pd: Vec<f64> =
            players.iter().map(|p| printed.iter().find(|row| row[1] == *p).unwrap()[8].as_f64().unwrap()).collect();
        let games = table_json["games_per_match"].as_f64().unwrap();
        let share = |player: usize| pd[player] / players.len() as f64 * games / 2.0;
        let mut matches = matches(&table_json);
        for m in &mut matches {
            m.difference_sum = share(m.home) - share(m.away);
        }
        let rows = table(players.len(), &matches).unwrap();
        let order: Vec<&str> = rows.iter().map(|row| players[row.player]).collect();
        let expected: Vec<&str> = printed.iter().map(|row| row[1].as_str().unwrap()).collect();
        assert_eq!(order, expected, "table {name}");
        for row in rows {
            assert!((row.pd - pd[row.player]).abs() < 0.02, "table {name}, {}: {}", players[row.player], row.pd);
        }
    }
}
