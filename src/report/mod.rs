//! Reports: from the records of a run to tables, on the terminal and as files.
//!
//! A [`Tally`] takes records one by one and keeps a few numbers of each; [`Report::of`] turns it into everything that is
//! printed or written. The report knows the players and calls on [`stats`](crate::stats), which does not.

mod csv;
mod files;
mod league;
mod paper;
mod recorded_matrix;
mod tables;
mod tally;
mod text;

pub use files::{Expressions, write};
pub use recorded_matrix::{Line, Matrix, MatrixError};
pub use tables::{
    Comparison, Evolution, Failure, MatchRow, PairRow, PaperMatch, PaperRank, RankingRow, Report, SeatRow, Statistic,
    TurnRow,
};
pub use tally::Tally;
pub use text::{league_table, summary};
