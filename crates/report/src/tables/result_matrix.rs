//! Points tables from matrices of results, as papers print them.

use evouct_base::plural::counted;
use evouct_stats::points::{Match, Row, table};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Tables of results by name, as in a paper.
#[derive(Deserialize, Debug)]
struct Matrices {
    tables: BTreeMap<String, ResultMatrix>,
}

/// One table of results.
#[derive(Deserialize, Debug)]
pub struct ResultMatrix {
    players: Vec<String>,
    games_per_match: u64,
    /// By home and away player: games won by each; none on the diagonal.
    wins: Vec<Vec<Option<[u64; 2]>>>,
    #[serde(default)]
    printed_ranking: Vec<Printed>,
}

/// A printed row: rank, player, points, bwp, blp, wins, losses, draws, pd.
#[derive(Deserialize, Debug)]
#[expect(dead_code, reason = "all but player and pd are computed")]
struct Printed(u64, String, u64, u64, u64, u64, u64, u64, f64);

/// Why a file cannot be read as a matrix of results.
#[derive(Debug, thiserror::Error)]
pub enum MatrixError {
    /// The JSON has another structure.
    #[error("expected tables with players, wins and games_per_match: {0}")]
    Json(#[from] serde_json::Error),
    /// It does not have the table.
    #[error("there is no table {wanted:?}; known: {known}")]
    NoTable {
        /// The name asked for.
        wanted: String,
        /// The names there are.
        known: String,
    },
    /// The numbers are inconsistent.
    #[error("table {table}: {problem}")]
    Numbers {
        /// The table.
        table: String,
        /// The problem.
        problem: String,
    },
}

/// A player's row: name, points, and the printed PD, which a matrix of wins does not determine.
pub type MatrixRow = (String, Row, f64);

impl ResultMatrix {
    /// Reads a file with several tables, and computes the points of those wanted: all, or one.
    ///
    /// # Errors
    /// If the file is not of the expected shape.
    pub fn rankings(json: &str, wanted: Option<&str>) -> Result<Vec<(String, Vec<MatrixRow>)>, MatrixError> {
        let matrices: Matrices = serde_json::from_str(json)?;
        if let Some(name) = wanted
            && !matrices.tables.contains_key(name)
        {
            let known = matrices.tables.keys().cloned().collect::<Vec<_>>().join(", ");
            return Err(MatrixError::NoTable { wanted: name.to_owned(), known });
        }
        let asked = matrices.tables.into_iter().filter(|(name, _)| wanted.is_none_or(|wanted| wanted == name));
        asked.map(|(name, matrix)| Ok((name.clone(), matrix.ranking(&name)?))).collect()
    }

    fn ranking(&self, name: &str) -> Result<Vec<MatrixRow>, MatrixError> {
        let wrong = |problem: String| MatrixError::Numbers { table: name.to_owned(), problem };
        let count = self.players.len();
        if self.wins.len() != count || self.wins.iter().any(|row| row.len() != count) {
            return Err(wrong(format!("wins is not a matrix of {count} by {count}")));
        }
        let mut matches = Vec::new();
        for (home, row) in self.wins.iter().enumerate() {
            for (away, cell) in row.iter().enumerate() {
                let Some([home_wins, away_wins]) = *cell else { continue };
                let draws =
                    home_wins.checked_add(away_wins).and_then(|decided| self.games_per_match.checked_sub(decided));
                let draws = draws.ok_or_else(|| {
                    let pair = format!("{} against {}", self.players[home], self.players[away]);
                    let games = counted(self.games_per_match, "game");
                    wrong(format!("{pair}: {home_wins}-{away_wins} are more than {games}"))
                })?;
                matches.push(Match { home, away, home_wins, away_wins, draws, difference_sum: 0.0 });
            }
        }
        let rows = table(count, &matches).map_err(|error| wrong(error.to_string()))?;
        let printed = |name: &str| self.printed_ranking.iter().find(|row| row.1 == name).map_or(0.0, |row| row.8);
        let mut lines: Vec<MatrixRow> = rows
            .into_iter()
            .map(|row| {
                let name = self.players[row.player].clone();
                let pd = printed(&name);
                (name, row, pd)
            })
            .collect();
        // The printed PD breaks ties of points and wins.
        lines.sort_by(|(_, a, a_pd), (_, b, b_pd)| {
            (b.points, b.wins).cmp(&(a.points, a.wins)).then(b_pd.total_cmp(a_pd)).then(a.player.cmp(&b.player))
        });
        Ok(lines)
    }
}
