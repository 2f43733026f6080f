//! `evouct points-table`: points tables from matrices of results.

use super::Outcome;
use super::form::TableArgs;
use crate::error::Failure;
use crate::report::{ResultMatrix, league_table};
use clap::Args;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// The largest file of matrices that is read, in bytes.
const MAX_FILE: u64 = 10_000_000;

#[derive(Args)]
pub(super) struct Arguments {
    /// JSON file with tables of players, wins and games_per_match
    file: PathBuf,
    /// Name of one table in the file [default: all]
    #[arg(long)]
    table: Option<String>,
    #[command(flatten)]
    form: TableArgs,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let Arguments { file, table, form } = arguments;
    let failed = |error: &dyn std::fmt::Display| Failure::Usage(format!("{}: {error}", file.display()));
    let text = crate::disk::read_text(file, MAX_FILE).map_err(|error| failed(&error))?;
    let tables = ResultMatrix::rankings(&text, table.as_deref()).map_err(|error| failed(&error))?;
    let Some(format) = form.of_tables() else {
        let rows = |rows: &[crate::report::MatrixRow]| -> Vec<serde_json::Value> {
            let row = |(player, row, pd): &crate::report::MatrixRow| {
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
    };
    for (name, rows) in &tables {
        let title = if tables.len() > 1 { format!("table {name}") } else { String::new() };
        writeln!(out, "{}", league_table(&title, rows, format).trim_end())?;
    }
    Ok(())
}
