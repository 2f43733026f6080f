//! How the games of a run begin, and how many of them a limit ended.

use crate::aggregate::Aggregate;
use evouct_base::plural::{counted, noun_of};
use evouct_league::config::Experiment;
use evouct_platform::domain::{AtLimit, PlyLimit};
use serde::Serialize;
use std::collections::BTreeSet;

/// Openings and limits of the games that are finished.
#[derive(Clone, Debug, Serialize)]
pub struct FrameRow {
    /// Decks and different openings of theirs; none where games begin at their start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<OpeningCount>,
    /// Games that the limit of plies ended; none where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limited_games: Option<u64>,
    #[serde(skip)]
    limit: Option<PlyLimit>,
}

/// Decks that were played, and how many different openings they have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OpeningCount {
    /// Decks.
    pub decks: u64,
    /// Different openings.
    pub distinct: u64,
}

impl FrameRow {
    pub(super) fn of(experiment: &Experiment, aggregate: &Aggregate) -> FrameRow {
        let openings = &aggregate.openings;
        let distinct = openings.values().collect::<BTreeSet<&String>>().len();
        let count = OpeningCount { decks: openings.len() as u64, distinct: distinct as u64 };
        let limit = experiment.frame.limit;
        FrameRow {
            openings: experiment.frame.openings.as_ref().map(|_| count),
            limited_games: limit.map(|_| aggregate.limited),
            limit,
        }
    }

    /// Both in sentences, for the headline.
    pub(super) fn sentences(&self) -> Vec<String> {
        let openings = self.openings.filter(|count| count.decks > 0).map(|OpeningCount { decks, distinct }| {
            let have = if decks == 1 { "has" } else { "have" };
            format!("{} {have} {}.", counted(decks, "deck"), counted(distinct, "distinct opening"))
        });
        let limited = self.limited_games.zip(self.limit).filter(|(games, _)| *games > 0);
        let limited = limited.map(|(games, PlyLimit { plies, at_limit })| {
            let end = match at_limit {
                AtLimit::Draw if games == 1 => "as a draw",
                AtLimit::Draw => "as draws",
                AtLimit::Scores => "with the scores of that moment",
            };
            format!("{games} {} ended by max_plies = {plies}, {end}.", noun_of(games, "game"))
        });
        openings.into_iter().chain(limited).collect()
    }
}
