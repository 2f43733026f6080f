//! Two runs side by side, and many runs beside the first.

use super::league::distinct_decks;
use super::matches::{MatchRow, RankingRow};
use super::report::Report;
use crate::aggregate::Aggregate;
use crate::aggregate::game_result::OfDeck;
use crate::aggregate::load::LoadedRun;
use evouct_base::named::Named;
use evouct_league::config::{Difference, Experiment, Verdict, differences};
use evouct_stats::Summary;
use evouct_stats::fisher::fisher;
use evouct_stats::holm::holm;
use evouct_stats::t_test::{self, TTest};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// What two runs have in common, and how they differ. Players are matched by identity (kind and parameters), and the
/// remaining ones by name: those are players whose parameters changed.
#[derive(Debug, Serialize)]
pub struct SideBySide {
    /// What the two runs are called.
    pub names: [String; 2],
    /// Their presets.
    pub presets: [String; 2],
    /// Their seeds.
    pub seeds: [u64; 2],
    /// Their finished games.
    pub games: [u64; 2],
    /// How changes are tested.
    pub decks: Decks,
    /// The differences between the experiments as text; empty where they are the same.
    pub differences: Vec<String>,
    /// The digests.
    pub digests: [String; 2],
    /// Whether all records are the same.
    pub same_records: bool,
    /// Players that both runs have.
    pub players: Vec<PlayerChange>,
    /// Players of one run only, each with the number of the run from 1.
    pub alone: Vec<(usize, String)>,
    /// Matches that both runs have.
    pub matches: Vec<MatchPair>,
    /// Verdicts on printed numbers, where both experiments have those of the same table.
    pub verdicts: Option<VerdictPairs>,
}

/// The verdicts of two runs on the same printed numbers.
#[derive(Debug, Serialize)]
pub struct VerdictPairs {
    /// How many numbers both compare.
    pub compared: usize,
    /// On how many of them they agree.
    pub same: usize,
    /// The others, with both verdicts.
    pub changed: Vec<(String, [Verdict; 2])>,
}

impl VerdictPairs {
    fn of(reports: [&Report; 2]) -> Option<VerdictPairs> {
        let [first, second] = [reports[0].paper.as_ref()?, reports[1].paper.as_ref()?];
        if (&first.source, &first.table) != (&second.source, &second.table) {
            return None;
        }
        let after: BTreeMap<String, Verdict> = second.verdicts().collect();
        let both: Vec<(String, [Verdict; 2])> = first
            .verdicts()
            .filter_map(|(what, verdict)| after.get(&what).map(|after| (what, [verdict, *after])))
            .collect();
        let compared = both.len();
        let changed: Vec<_> = both.into_iter().filter(|(_, [before, after])| before != after).collect();
        (compared > 0).then_some(VerdictPairs { compared, same: compared - changed.len(), changed })
    }
}

/// A player of both runs.
#[derive(Debug, Serialize)]
pub struct PlayerChange {
    /// Its name in the first run.
    pub player: String,
    /// Its line in each ranking.
    pub rows: [RankingRow; 2],
    /// Its mean score difference in the second run less that in the first, in matches that both runs have (against
    /// players of both, who may have changed as well): a paired t-test by deck over games that both played where the
    /// decks are the same, else Welch's over decks on which all these matches were played. None without two such decks,
    /// where nothing changed, where some decks are the same ([`Decks::Mixed`]), at looks ([`Decks::Stopped`]), and in
    /// different games ([`Decks::OtherGame`]).
    pub change: Option<TTest>,
}

/// A match of both runs.
#[derive(Debug, Serialize)]
pub struct MatchPair {
    /// Its line in each run.
    pub rows: [MatchRow; 2],
    /// The p-value of Fisher's exact test on decided games; none where both runs played the same games or different
    /// ones, and where a run was tested at looks, for which it is meaningless.
    pub p: Option<f64>,
}

/// A run that is compared with another.
#[derive(Clone, Copy, Debug)]
pub struct ComparedRun<'a> {
    /// What the comparison calls it.
    pub name: &'a str,
    /// The experiment.
    pub experiment: &'a Experiment,
    /// Its records.
    pub aggregate: &'a Aggregate,
}

/// A player's score differences by deck and match: opponent, as the first run numbers players, and the player's seat.
/// With each, whether its game repeats an earlier one.
type Games = BTreeMap<(u32, (usize, usize)), (f64, bool)>;
/// One of them.
type GameOf<'a> = (&'a (u32, (usize, usize)), &'a (f64, bool));

impl ComparedRun<'_> {
    /// Players by identity.
    fn players(&self) -> BTreeMap<String, usize> {
        self.experiment.players.iter().enumerate().map(|(index, player)| (player.identity.short(), index)).collect()
    }

    /// The games between players of both runs, by player. `number` is the first run's of a player.
    fn games(&self, number: impl Fn(usize) -> Option<usize>) -> BTreeMap<usize, Games> {
        let mut games: BTreeMap<usize, Games> = BTreeMap::new();
        for game in &self.aggregate.games {
            let Some([Some(home), Some(away)]) = game.home_and_away().map(|players| players.map(&number)) else {
                continue;
            };
            games.entry(home).or_default().insert((game.deck, (away, 0)), (game.difference(0), game.repeats));
            games.entry(away).or_default().insert((game.deck, (home, 1)), (game.difference(1), game.repeats));
        }
        games
    }
}

/// Which decks two runs share, and therefore how they are tested.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decks {
    /// The same decks, mirrored: paired by game.
    Same,
    /// Different decks: as two independent samples.
    Other,
    /// The same seed, but not both mirrored: some decks are the same, so the games are neither paired nor independent.
    Mixed,
    /// A run was tested at looks: how many decks a pair has depends on its results.
    Stopped,
    /// Of another game, in which a difference is something else.
    OtherGame,
}

impl SideBySide {
    /// Compares two runs, each with its report.
    fn of((first, report): (ComparedRun, &Report), (second, other_report): (ComparedRun, &Report)) -> SideBySide {
        let sides = [first, second];
        let experiments = sides.map(|side| side.experiment);
        let reports = [report, other_report];
        let same_records = reports[0].digest == reports[1].digest;
        let mirror = experiments.map(|experiment| experiment.mirror);
        let [game, other_game] = experiments.map(|experiment| experiment.rules.domain().name());
        let one_source = experiments[0].seed == experiments[1].seed;
        let stops = experiments.iter().any(|experiment| experiment.looks().is_some());
        let decks = match (one_source, mirror) {
            _ if game != other_game => Decks::OtherGame,
            _ if stops => Decks::Stopped,
            (true, [true, true]) => Decks::Same,
            (true, _) => Decks::Mixed,
            (false, _) => Decks::Other,
        };
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
        let back: BTreeMap<usize, usize> = pairs.iter().map(|(&player, &other)| (other, player)).collect();
        let before = first.games(|player| pairs.contains_key(&player).then_some(player));
        let after = second.games(|player| back.get(&player).copied());
        let none = Games::new();
        let mut players: Vec<PlayerChange> = pairs
            .iter()
            .filter_map(|(&player, &other)| {
                let rows = [row(0, player)?, row(1, other)?];
                let change =
                    change(before.get(&player).unwrap_or(&none), after.get(&player).unwrap_or(&none), decks, mirror);
                Some(PlayerChange { player: name(0, player).to_owned(), rows, change })
            })
            .collect();
        players.sort_by_key(|player| player.rows[0].rank.unwrap_or(usize::MAX));
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
            let table = [row.decided, other.decided];
            let can_test = !same_records && !matches!(decks, Decks::Stopped | Decks::OtherGame);
            let p = can_test.then(|| fisher(table).ok()).flatten();
            Some(MatchPair { rows: [row.clone(), other.clone()], p })
        };
        let differences = differences(&experiments[0].resolved(), &experiments[1].resolved());
        SideBySide {
            names: sides.map(|side| side.name.to_owned()),
            presets: experiments.map(|experiment| experiment.preset.name().to_owned()),
            seeds: experiments.map(|experiment| experiment.seed),
            games: sides.map(|side| side.aggregate.games.len() as u64),
            decks,
            differences: differences.into_iter().map(|difference: Difference| difference.text).collect(),
            digests: reports.each_ref().map(|report| report.digest.digest.clone()),
            same_records,
            players,
            alone,
            matches: reports[0].matches.iter().filter_map(pair).collect(),
            verdicts: VerdictPairs::of(reports),
        }
    }
}

/// Runs beside the first of them.
#[derive(Debug, Serialize)]
pub struct BesideFirst {
    /// Each of the other runs beside the first.
    pub runs: Vec<SideBySide>,
    /// By run and player, as [`SideBySide::players`] has them: the p-value of the change after Holm's correction for
    /// all changes of all runs that are tested.
    pub p_holm: Vec<Vec<Option<f64>>>,
}

impl BesideFirst {
    /// Compares the runs in these folders with the first one. They are called by their experiments, or by the folders where two
    /// experiments have one name.
    pub fn of_folders(folders: &[PathBuf], runs: &[(Experiment, LoadedRun)]) -> BesideFirst {
        let mut known = BTreeSet::new();
        let are_names = runs.iter().all(|(experiment, _)| known.insert(&experiment.name));
        let paths: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
        let mut all = Vec::new();
        for (path, (experiment, loaded)) in paths.iter().zip(runs) {
            let name = if are_names { &experiment.name } else { path };
            all.push(ComparedRun { name, experiment, aggregate: &loaded.aggregate });
        }
        BesideFirst::of(all[0], &all[1..])
    }

    /// Compares runs with the first one.
    pub fn of(first: ComparedRun, others: &[ComparedRun]) -> BesideFirst {
        let report = |run: ComparedRun| Report::of(run.experiment, run.aggregate);
        let first = (first, &report(first));
        let runs: Vec<SideBySide> =
            others.iter().map(|other| SideBySide::of(first, (*other, &report(*other)))).collect();
        let changes = || runs.iter().flat_map(|run| run.players.iter().map(|player| player.change));
        let p_values: Vec<Option<f64>> = changes().map(|change| Some(change?.p)).collect();
        let corrected = holm(&p_values).unwrap_or_else(|_| vec![None; p_values.len()]);
        let mut corrected = corrected.into_iter();
        let p_holm = runs.iter().map(|run| corrected.by_ref().take(run.players.len()).collect()).collect();
        BesideFirst { runs, p_holm }
    }
}

/// The second less the first, in matches that both have.
fn change(first: &Games, second: &Games, decks: Decks, mirror: [bool; 2]) -> Option<TTest> {
    let test = match decks {
        Decks::Same => {
            let change = |(game, (before, repeats)): GameOf<'_>| {
                let (after, also) = second.get(game)?;
                Some((OfDeck { deck: game.0, repeats: *repeats && *also }, after - before))
            };
            let changes = distinct_decks(first.iter().filter_map(change));
            t_test::paired(&changes.iter().filter_map(|(_, deck)| deck.mean().ok()).collect())
        }
        Decks::Other => {
            let matches = |games: &Games| games.keys().map(|(_, key)| *key).collect::<BTreeSet<_>>();
            let common = &matches(first) & &matches(second);
            t_test::welch(&units(second, &common, mirror[1]), &units(first, &common, mirror[0]))
        }
        Decks::Mixed | Decks::Stopped | Decks::OtherGame => return None,
    };
    // A difference of exactly 0 without variance comes from identical games.
    test.ok().filter(|test| !test.zero_variance || test.difference != 0.0)
}

/// The means of decks where they are mirrored, else games: of the distinct decks on which all these matches were played.
fn units(games: &Games, matches: &BTreeSet<(usize, usize)>, mirror: bool) -> Summary {
    let of_matches = games.iter().filter(|((_, key), _)| matches.contains(key));
    let of_deck =
        |((deck, _), (difference, repeats)): GameOf<'_>| (OfDeck { deck: *deck, repeats: *repeats }, *difference);
    let decks: BTreeMap<u32, Summary> = distinct_decks(of_matches.map(of_deck)).into_iter().collect();
    let complete = |deck: u32| decks.get(&deck).is_some_and(|deck| deck.count() == matches.len() as u64);
    if mirror {
        return decks
            .iter()
            .filter(|(deck, _)| complete(**deck))
            .filter_map(|(_, values)| values.mean().ok())
            .collect();
    }
    let counted = games.iter().filter(|((deck, key), _)| matches.contains(key) && complete(*deck));
    counted.filter(|(_, (_, repeats))| !repeats).map(|(_, (difference, _))| *difference).collect()
}
