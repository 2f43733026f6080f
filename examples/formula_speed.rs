//! Measures how fast formulas are evaluated over rows, which in a search are the children of a node. Formulas come from
//! stdin, one per line, over `Q`, `sd`, `best` and `A`; it prints nodes times rows per second of processor time.
//!
//! ```sh
//! echo "Q + 2*sqrt(sd / A)" | cargo run --release --example formula_speed -- 64 1
//! ```
//!
//! `python/benchmarks/formulas.py` compares it with the evaluator of pyoperon.

use evouct::clock::ThreadClock;
use evouct::gp::{ColumnValues, LnRule, Program, Scratch, Tree};
use evouct::search::Clock;
use std::hint::black_box;

const NAMES: [&str; 4] = ["Q", "sd", "best", "A"];

/// A formula, and the columns that it needs beside `Q`, by their places in [`NAMES`].
fn parsed(line: &str) -> Result<(Program, Vec<usize>), String> {
    let tree = Tree::parse_over(line, &evouct::registry::terminals()).map_err(|error| format!("{line}: {error}"))?;
    let program = Program::new(tree, LnRule::Abs);
    let needs = program.needs().columns();
    let place = |name: &str| NAMES.iter().position(|known| *known == name);
    let places: Option<Vec<usize>> = needs.map(|column| place(column.name())).collect();
    let places = places.ok_or_else(|| format!("{line}: expected a formula over {}", NAMES.join(", ")))?;
    Ok((program, places))
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let expected = "expected a number of rows from 1 to 1000000, and seconds from 0 to 3600";
    let [rows, seconds] = &arguments[..] else { return Err(expected.to_owned()) };
    let found = || format!("{expected}, found {rows} {seconds}");
    let rows: usize = rows.parse().ok().filter(|rows| (1..=1_000_000).contains(rows)).ok_or_else(found)?;
    let seconds: f64 = seconds.parse().ok().filter(|seconds| (0.0..=3600.0).contains(seconds)).ok_or_else(found)?;
    let lines = std::io::stdin().lines();
    let formulas: Vec<_> =
        lines.map(|line| parsed(&line.map_err(|error| error.to_string())?)).collect::<Result<_, _>>()?;
    let number = |column: usize, row: usize| ((row * 37 + column * 11) % 101) as f64 / 8.0 - 5.0;
    let column = |column: usize| (0..rows).map(|row| number(column, row)).collect::<Vec<f64>>();
    let columns: Vec<Vec<f64>> = (0..NAMES.len()).map(column).collect();
    let wanted = |places: &Vec<usize>| places.iter().map(|place| &*columns[*place]).collect::<Vec<&[f64]>>();
    let by_child: Vec<Vec<&[f64]>> = formulas.iter().map(|(_, places)| wanted(places)).collect();
    let visits = vec![1.0; rows];
    let (mut values, mut scratch) = (vec![0.0; rows], Scratch::default());

    let (clock, mut passes) = (ThreadClock::start(), 0);
    let start = clock.now();
    let passed = || (clock.now() - start).as_secs_f64();
    while passes == 0 || passed() < seconds {
        for ((program, _), by_child) in formulas.iter().zip(&by_child) {
            let given = ColumnValues { by_child, by_node: &[] };
            program.evaluate_over((&columns[0], &visits), (1.0, 1.0), given, &mut scratch, &mut values);
            black_box(&mut values);
        }
        passes += 1;
    }
    let nodes: usize = formulas.iter().map(|(program, _)| program.tree().size()).sum();
    println!("{:.0}", (passes * nodes * rows) as f64 / passed());
    Ok(())
}
