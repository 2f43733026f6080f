//! Reports: from the records of a run to tables, on the terminal and as files.
//!
//! Three rooms, each of which uses only those before it: [`aggregate`] takes records one by one and keeps a few numbers of
//! each, [`tables`] computes every table of a [`Report`] from these numbers, [`formats`] writes the tables and computes
//! nothing. The report knows the players and calls on [`stats`](crate::stats), which does not.

mod aggregate;
mod formats;
mod tables;

pub use aggregate::Tally;
pub use aggregate::load::{Reading, one_game};
pub use formats::board::{Sample, Show, ShowError, Shown};
pub use formats::files::{Document, Expressions, documents, write};
pub use formats::markdown::verdicts;
pub use formats::page::game_page;
pub use formats::text::{league_table, side_by_side, summary};
pub use tables::compare::{Decks, MatchPair, Player, Side, SideBySide, VerdictPairs};
pub use tables::report::{
    Comparison, Correlation, Cycle, Evolution, Failure, Formula, MatchRow, PairRow, PaperMatch, PaperMean, PaperRank,
    RankingRow, RatingRow, Ratings, Report, SeatRow, Sequential, Shape, Statistic, TurnRow, WinRate,
};
pub use tables::result_matrix::{Line, Matrix, MatrixError};
