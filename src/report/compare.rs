//! Two runs side by side.

use super::league::difference;
use super::tables::{MatchRow, RankingRow, Report};
use super::tally::Tally;
use crate::config::{Difference, Experiment, differences};
use crate::stats::Summary;
use crate::stats::fisher::fisher;
use crate::stats::t_test::{self, TTest};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What two runs have in common, and where they differ. Players are matched by identity (kind and parameters, not names), and
/// those that are left by name: a player whose parameters changed.
#[derive(Debug, Serialize)]
pub struct SideBySide {
    /// The names of the two experiments.
    pub names: [String; 2],
    /// Their presets.
    pub presets: [String; 2],
    /// Their seeds.
    pub seeds: [u64; 2],
    /// Their finished games.
    pub games: [u64; 2],
    /// Whether both play the same decks, mirrored: then changes are tested deck by deck.
    pub same_decks: bool,
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
    /// Its mean score difference in the second run less that in the first, in games against opponents that both runs have:
    /// a paired t-test by deck where both play the same decks, else Welch's over the decks of each. None without two decks, and
    /// where the records are the same.
    pub change: Option<TTest>,
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

/// A run to be set beside another.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// Its records.
    pub tally: &'a Tally,
}

impl Side<'_> {
    /// Players by identity: index and name.
    fn players(&self) -> BTreeMap<String, usize> {
        self.experiment.players.iter().enumerate().map(|(index, player)| (player.identity.short(), index)).collect()
    }

    /// A player's mean difference on each deck, in games against these opponents; on each game where decks are not shared.
    fn differences(&self, player: usize, opponents: &BTreeSet<usize>) -> BTreeMap<(u32, usize), Summary> {
        let mut units: BTreeMap<(u32, usize), Summary> = BTreeMap::new();
        let mut games: Vec<_> = self.tally.games.iter().collect();
        games.sort_by_key(|game| (game.deck, game.players));
        for (number, game) in games.into_iter().enumerate() {
            let seat = (0..2).find(|&seat| game.players[seat] == player && opponents.contains(&game.players[1 - seat]));
            if let Some(seat) = seat {
                let unit = if self.experiment.mirror { (game.deck, 0) } else { (game.deck, number) };
                units.entry(unit).or_default().push(difference(game, seat));
            }
        }
        units
    }
}

impl SideBySide {
    /// Sets two runs side by side.
    pub fn of(first: Side, second: Side) -> SideBySide {
        let sides = [first, second];
        let experiments = sides.map(|side| side.experiment);
        let reports = sides.map(|side| Report::of(side.experiment, side.tally));
        let same_records = reports[0].digest == reports[1].digest;
        let same_decks = experiments[0].seed == experiments[1].seed
            && std::ptr::eq(experiments[0].rules.tiles, experiments[1].rules.tiles)
            && experiments.iter().all(|experiment| experiment.mirror);
        let [ours, theirs] = sides.map(|side| side.players());
        let name = |side: usize, player: usize| experiments[side].players[player].name.as_str();
        // By identity, and those that are left by name.
        let same_name = |player: usize| {
            let left = theirs.iter().filter(|(identity, _)| !ours.contains_key(*identity));
            left.map(|(_, &other)| other).find(|&other| name(1, other) == name(0, player))
        };
        let pairs: BTreeMap<usize, usize> = ours
            .iter()
            .filter_map(|(identity, &player)| {
                Some((player, theirs.get(identity).copied().or_else(|| same_name(player))?))
            })
            .collect();
        let common: [BTreeSet<usize>; 2] = [pairs.keys().copied().collect(), pairs.values().copied().collect()];
        let row = |side: usize, player: usize| {
            reports[side].ranking.iter().find(|row| row.player == name(side, player)).cloned()
        };
        let mut players: Vec<Player> = pairs
            .iter()
            .filter_map(|(&player, &other)| {
                let rows = [row(0, player)?, row(1, other)?];
                let units = [first.differences(player, &common[0]), second.differences(other, &common[1])];
                let change = if same_records { None } else { change(&units, same_decks) };
                Some(Player { player: name(0, player).to_owned(), rows, change })
            })
            .collect();
        players.sort_by_key(|player| player.rows[0].rank);
        let alone = (0..2).flat_map(|side| {
            let all = (0..experiments[side].players.len())
                .filter(|player| !common[side].contains(player))
                .collect::<Vec<_>>();
            all.into_iter().map(move |player| (side + 1, player))
        });
        let alone = alone.map(|(number, player)| (number, name(number - 1, player).to_owned())).collect();
        let by_names: BTreeMap<(&str, &str), &MatchRow> =
            reports[1].matches.iter().map(|row| ((row.home.as_str(), row.away.as_str()), row)).collect();
        let renamed: BTreeMap<&str, &str> = pairs.iter().map(|(&a, &b)| (name(0, a), name(1, b))).collect();
        let pair = |row: &MatchRow| {
            let key = (*renamed.get(row.home.as_str())?, *renamed.get(row.away.as_str())?);
            let other = *by_names.get(&key)?;
            let table = [[row.home_wins, row.away_wins], [other.home_wins, other.away_wins]];
            let chance = (!same_records).then(|| fisher(table).ok()).flatten();
            Some(MatchPair { rows: [row.clone(), other.clone()], chance })
        };
        let differences = differences(&experiments[0].resolved(), &experiments[1].resolved());
        SideBySide {
            names: experiments.map(|experiment| experiment.name.clone()),
            presets: experiments.map(|experiment| experiment.preset.name().to_owned()),
            seeds: experiments.map(|experiment| experiment.seed),
            games: sides.map(|side| side.tally.games.len() as u64),
            same_decks,
            differences: differences.into_iter().map(|difference: Difference| difference.text).collect(),
            digests: reports.each_ref().map(|report| report.digest.digest.clone()),
            same_records,
            players,
            alone,
            matches: reports[0].matches.iter().filter_map(pair).collect(),
        }
    }
}

/// The second less the first: unit by unit where both have the same, else as two samples.
fn change(units: &[BTreeMap<(u32, usize), Summary>; 2], same_decks: bool) -> Option<TTest> {
    let mean = |unit: &Summary| unit.mean().ok();
    if same_decks {
        let both = units[1].iter().filter_map(|(deck, unit)| Some(mean(unit)? - mean(units[0].get(deck)?)?));
        return t_test::paired(&both.collect()).ok();
    }
    let [first, second] = units.each_ref().map(|units| units.values().filter_map(mean).collect::<Summary>());
    t_test::welch(&second, &first).ok()
}
