//! Reports: from the records of a run to tables, on the terminal and as files.
//!
//! Three rooms, each of which uses only those before it: `aggregate` takes records one by one and keeps a few numbers
//! of each, `tables` computes every table of a [`Report`] from these numbers, `formats` writes the tables and computes
//! nothing. The report knows the players and calls on [`stats`](evouct_stats), which does not.
//!
//! ```
//! use evouct_league::config::{Experiment, Overrides};
//! use evouct_league::league::{ResumeOptions, Session};
//! use evouct_league::record::Run;
//! use evouct_report::{Format, rebuild, summary};
//! use std::sync::Arc;
//!
//! evouct_carcassonne::add();
//! let text = "name = \"first\"\ngames_per_match = 1\n[[player]]\nkind = \"random\"\n[[player]]\nkind = \"simple1\"\n";
//! let experiment = Experiment::parse(text, "first.toml", Overrides::default()).unwrap();
//! let folder = std::env::temp_dir().join(format!("evouct-report-{}", std::process::id()));
//! let session = Session::plan(experiment.clone(), &folder, None, ResumeOptions::default()).unwrap();
//! session.play(1, &Arc::default(), &mut (), |_| {}).unwrap();
//!
//! let rebuilt = rebuild(&Run::open(&folder).unwrap(), &experiment).unwrap();
//! assert_eq!(rebuilt.report.ranking.len(), 2);
//! assert!(summary(&rebuilt.report, false, Format::Text).starts_with("first: 2 of 2 games"));
//! assert!(folder.join("report.html").exists() && rebuilt.written.is_ok());
//! # std::fs::remove_dir_all(folder).unwrap();
//! ```

#![warn(missing_docs, unreachable_pub)]

mod aggregate;
mod formats;
mod tables;

#[cfg(feature = "browser")]
pub mod serve;

/// What pages are made of: sections, tables and figures, for results that this crate does not know.
pub mod page {
    pub use crate::formats::chart::Mark;
    pub use crate::formats::chart::rows::Dot;
    pub use crate::formats::chart::tuned::{Scale, Spot, Track};
    pub use crate::formats::figure::PageFigure;
    pub use crate::formats::page::table::table;
    pub use crate::formats::page::{PagePart, headline, page_of};
}

pub use aggregate::Aggregate;
pub use aggregate::load::{LoadedRun, one_game};
pub use aggregate::sample::GameSample;
pub use formats::block::{Format, Screen, all_printed, mean, printed};
pub use formats::board::{Show, ShownTurn};
pub use formats::files::{Document, Rebuilt, documents, rebuild, rebuild_evolved, write_documents};
pub use formats::folder_comparison::{FolderComparison, compare_evolutions, compare_sets};
pub use formats::latex::{KitError, KitOptions, paper_kit};
pub use formats::markdown::verdicts;
pub use formats::page::compared::compared_page;
pub use formats::page::evolved::{evolved_documents, evolved_headline, evolved_tables};
pub use formats::page::seeds::{seeds_documents, seeds_summary};
pub use formats::page::{FIT, game_page};
pub use formats::power::power_table;
pub use formats::summary::summary;
pub use formats::text::{beside_first, league_table};
pub use tables::compare::{BesideFirst, ComparedRun, Decks, MatchPair, PlayerChange, SideBySide, VerdictPairs};
pub use tables::cost::DecisionCost;
pub use tables::detectable::detectable;
pub use tables::evolved::{AncestorRow, EvolvedReport, FitnessRow, GainRow, OpponentRow, ShapeCurve, TerminalRow};
pub use tables::evolved_beside::EvolvedBeside;
pub use tables::faults::FaultRow;
pub use tables::formulas::{EvolutionRow, FormulaRow, FrontRow, OrderRow, ShapeRow};
pub use tables::gauntlet::{ContestantPair, ContestantRow, FixedOpponent, Gauntlet, TestOfMeans};
pub use tables::headline::Headline;
pub use tables::matches::{MatchRow, RankingRow};
pub use tables::mean_with_interval::MeanWithInterval;
pub use tables::objectives::{ObjectiveMean, Objectives, ObjectivesRow};
pub use tables::pairs::{PairRow, WinRate};
pub use tables::paper::{Correlation, PaperMatch, PaperMean, PaperRank, PrintedComparison};
pub use tables::paper_pairs::{PairScore, PaperPairMean, PaperPairRow};
pub use tables::power::{Power, PowerRow, Wanted};
pub use tables::ratings::{Cycle, RatingRow, RatingTable};
pub use tables::report::{FailureRow, Report};
pub use tables::result_matrix::{MatrixError, MatrixRow, ResultMatrix};
pub use tables::seats::{SeatRow, TurnRow, UnusedDraws};
pub use tables::seeds::{CurveRow, EffortRow, FinalistRow, SeedOrderRow, SeedRow, SeedsReport};
pub use tables::seeds_beside::SeedsBeside;
pub use tables::sequential::SequentialTest;
pub use tables::sweep::{Sweep, SweepPoint};
pub use tables::verdicts::Verdicts;
