//! Reports: from the records of a run to tables, on the terminal and as files.
//!
//! A [`Tally`] takes records one by one and keeps a few numbers of each; [`Report::of`] turns it into everything that is
//! printed or written. The report knows the players and calls on [`stats`](crate::stats), which does not.

mod chart;
mod compare;
mod csv;
mod files;
mod formulas;
mod games;
mod latex;
mod league;
mod markdown;
mod page;
mod pairs;
mod paper;
mod pictures;
mod reading;
mod recorded_matrix;
mod resampled;
mod strength;
mod tables;
mod tally;
mod text;
mod words;

pub use compare::{Decks, MatchPair, Player, Side, SideBySide, VerdictPairs};
pub use files::{Document, Expressions, documents, write};
pub use games::{Sample, Show, ShowError, Shown};
pub use markdown::verdicts;
pub use page::game_page;
pub use reading::{Reading, one_game};
pub use recorded_matrix::{Line, Matrix, MatrixError};
pub use tables::{
    Comparison, Correlation, Cycle, Evolution, Failure, Formula, MatchRow, PairRow, PaperMatch, PaperMean, PaperRank,
    RankingRow, RatingRow, Ratings, Report, SeatRow, Sequential, Shape, Statistic, TurnRow, WinRate,
};
pub use tally::Tally;
pub use text::{league_table, side_by_side, summary};
