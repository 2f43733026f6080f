//! `evouct league table`: points tables from matrices of results.

use super::Outcome;
use clap::{Args, Subcommand};
use evouct::error::Failure;
use evouct::report::{ResultMatrix, league_table};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compute the points table of a matrix of results
    Table {
        /// A JSON file with tables of players, wins and games_per_match
        file: PathBuf,
        /// One table of the file [default: all]
        #[arg(long)]
        table: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let Command::Table { file, table, json } = &arguments.command;
    let failed = |error: &dyn std::fmt::Display| Failure::Usage(format!("{}: {error}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| failed(&error))?;
    let tables = ResultMatrix::rankings(&text, table.as_deref()).map_err(|error| failed(&error))?;
    if *json {
        let rows = |rows: &[evouct::report::MatrixRow]| -> Vec<serde_json::Value> {
            let row = |(player, row, pd): &evouct::report::MatrixRow| {
                json!({
                    "player": player, "points": row.points, "bwp": row.bwp, "blp": row.blp,
                    "wins": row.wins, "losses": row.losses, "draws": row.draws, "pd": pd,
                })
            };
            rows.iter().map(row).collect()
        };
        let tables: serde_json::Map<String, serde_json::Value> =
            tables.iter().map(|(name, lines)| (name.clone(), rows(lines).into())).collect();
        writeln!(out, "{}", serde_json::Value::from(tables))?;
        return Ok(());
    }
    for (name, rows) in &tables {
        if tables.len() > 1 {
            writeln!(out, "table {name}")?;
        }
        writeln!(out, "{}", league_table(rows).trim_end())?;
    }
    Ok(())
}
