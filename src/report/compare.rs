//! Two runs side by side.

use super::tables::{MatchRow, RankingRow, Report};
use crate::config::{Difference, Experiment, differences};
use crate::stats::fisher::fisher;
use serde::Serialize;
use std::collections::BTreeMap;

/// What two runs have in common, and where they differ. Players are matched by identity (kind and parameters, not names), and
/// those that are left by name: a player whose parameters changed.
#[derive(Debug, Serialize)]
pub struct SideBySide {
    /// The names of the two experiments.
    pub names: [String; 2],
    /// What differs between the experiments, in words; empty where they are the same.
    pub differences: Vec<String>,
    /// The digests.
    pub digests: [String; 2],
    /// Whether all records are the same.
    pub same_records: bool,
    /// Players that both runs have.
    pub players: Vec<Player>,
    /// Players that only one of them has, each with the number of the run from 1.
    pub alone: Vec<(usize, String)>,
    /// Matches that both runs have.
    pub matches: Vec<MatchPair>,
}

/// A player of both runs.
#[derive(Debug, Serialize)]
pub struct Player {
    /// Its name in the first run.
    pub player: String,
    /// Its line in each ranking.
    pub rows: [RankingRow; 2],
}

/// A match of both runs.
#[derive(Debug, Serialize)]
pub struct MatchPair {
    /// Its line in each run.
    pub rows: [MatchRow; 2],
    /// Fisher's exact test on decided games: the chance of such a difference if nothing but luck differs. Meaningless, and
    /// left out, where both runs played the same games.
    pub chance: Option<f64>,
}

impl SideBySide {
    /// Sets two runs side by side.
    pub fn of(first: (&Experiment, &Report), second: (&Experiment, &Report)) -> SideBySide {
        let same_records = first.1.digest == second.1.digest;
        let differences = differences(&first.0.resolved(), &second.0.resolved());
        // Names of the second run by identity, in terms of the first.
        let names = |experiment: &Experiment| -> BTreeMap<String, String> {
            let player = |contender: &crate::config::Contender| (contender.identity.short(), contender.name.clone());
            experiment.players.iter().map(player).collect()
        };
        let (ours, mut theirs) = (names(first.0), names(second.0));
        for (identity, name) in ours.iter().filter(|(identity, _)| !names(second.0).contains_key(*identity)) {
            let changed = theirs.iter().find(|(other, same)| *same == name && !ours.contains_key(*other));
            if let Some(other) = changed.map(|(other, _)| other.clone()) {
                theirs.remove(&other);
                theirs.insert(identity.clone(), name.clone());
            }
        }
        let rank = |report: &Report, name: &str| report.ranking.iter().find(|row| row.player == name).cloned();
        let mut players: Vec<Player> = ours
            .iter()
            .filter_map(|(identity, name)| {
                let rows = [rank(first.1, name)?, rank(second.1, theirs.get(identity)?)?];
                Some(Player { player: name.clone(), rows })
            })
            .collect();
        players.sort_by_key(|player| player.rows[0].rank);
        let missing = |from: &BTreeMap<String, String>, in_other: &BTreeMap<String, String>, number: usize| {
            let alone = from.iter().filter(|(identity, _)| !in_other.contains_key(*identity));
            alone.map(|(_, name)| (number, name.clone())).collect::<Vec<_>>()
        };
        let alone = [missing(&ours, &theirs, 1), missing(&theirs, &ours, 2)].concat();
        let renamed: BTreeMap<&str, &str> =
            ours.iter().filter_map(|(identity, name)| Some((name.as_str(), theirs.get(identity)?.as_str()))).collect();
        let by_names: BTreeMap<(&str, &str), &MatchRow> =
            second.1.matches.iter().map(|row| ((row.home.as_str(), row.away.as_str()), row)).collect();
        let pair = |row: &MatchRow| {
            let key = (*renamed.get(row.home.as_str())?, *renamed.get(row.away.as_str())?);
            let other = *by_names.get(&key)?;
            let table = [[row.home_wins, row.away_wins], [other.home_wins, other.away_wins]];
            let chance = (!same_records).then(|| fisher(table).ok()).flatten();
            Some(MatchPair { rows: [row.clone(), other.clone()], chance })
        };
        SideBySide {
            names: [first, second].map(|(experiment, _)| experiment.name.clone()),
            differences: differences.into_iter().map(|difference: Difference| difference.text).collect(),
            digests: [first, second].map(|(_, report)| report.digest.digest.clone()),
            same_records,
            players,
            alone,
            matches: first.1.matches.iter().filter_map(pair).collect(),
        }
    }
}
