//! The progress of a run, from its files only, without asking a scheduler or a process.

use super::gate::StoppingRule;
use crate::config::Experiment;
use crate::record::Run;
use crate::schedule::{GameSpec, Positions, Schedule, Shard};
use evouct_store::{Problem, RecordError, is_being_written};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Rates use at most this many last games of each journal.
const RECENT: usize = 1_000;
/// Upper limit of the time between two games that is not spent playing, in seconds.
const PAUSE: f64 = 60.0;

/// The progress of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Status {
    /// The experiment's name.
    pub name: String,
    /// Games of the experiment.
    pub scheduled: u64,
    /// Recorded games, failed ones included.
    pub recorded: u64,
    /// Recorded games that failed.
    pub failed: u64,
    /// Scheduled games that are not recorded.
    pub missing: u64,
    /// Whether a sequential test may end before the missing games are played, which are then the most.
    pub at_most: bool,
    /// Games per second, over all journals that are being written.
    pub games_per_second: Option<f64>,
    /// Seconds until the games being played are done; none if no process is playing.
    pub seconds_left: Option<f64>,
    /// The journals, in the order of their names.
    pub journals: Vec<JournalStatus>,
    /// Incomplete shards that no process is playing.
    pub missing_shards: Vec<MissingShard>,
    /// Journals that hold the same games.
    pub overlaps: Vec<Overlap>,
    /// Lines that cannot be read, as text.
    pub problems: Vec<String>,
}

/// One journal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JournalStatus {
    /// The file's name.
    pub file: String,
    /// The shard, `I/N` counted from 0; none for a whole run.
    pub shard: Option<String>,
    /// Games in it.
    pub games: u64,
    /// Games of its shard, or of the run, that no journal has.
    pub missing: u64,
    /// Whether a process is writing it.
    pub being_written: bool,
    /// When its last game ended, in seconds since 1970.
    pub last: Option<u64>,
    /// Recent games per second.
    pub games_per_second: Option<f64>,
}

/// An incomplete shard that no process is playing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissingShard {
    /// The shard, `I/N` counted from 0.
    pub shard: String,
    /// Whether it has a journal, that is, was ever started.
    pub begun: bool,
    /// Games missing.
    pub missing: u64,
}

/// Two journals that hold the same games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Overlap {
    /// One file.
    pub first: String,
    /// The other.
    pub second: String,
    /// Games in both.
    pub games: u64,
}

/// Counts of a journal.
#[derive(Default)]
struct Count {
    games: u64,
    /// When each game ended, ascending, without zeros.
    ends: Vec<u64>,
    longest: f64,
}

/// What the journals of a run hold.
struct Records {
    /// By journal.
    counts: Vec<Count>,
    /// Finished games, each with the first journal that has it.
    finished: HashMap<String, usize>,
    /// Failed games that no journal has finished.
    failures: BTreeSet<String>,
    /// How many games two journals share.
    twice: BTreeMap<(usize, usize), u64>,
    gate: Option<StoppingRule>,
    problems: Vec<Problem>,
}

impl Records {
    fn of(run: &Run, experiment: &Experiment) -> Result<Records, RecordError> {
        let mut counts: Vec<Count> = run.journals().iter().map(|_| Count::default()).collect();
        let mut finished: HashMap<String, usize> = HashMap::new();
        let mut failures: BTreeSet<String> = BTreeSet::new();
        let mut twice: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        let mut gate = StoppingRule::of(experiment, None);
        if let Some(gate) = &mut gate {
            // As a resumed run counts them: each game once.
            run.games(|game| -> Result<(), RecordError> {
                gate.recall(&game);
                Ok(())
            })?;
            gate.judge();
        }
        let (schedule, mut astray) = (run.by_results()?, 0);
        let mut problems = run.lines(|journal, _, game| -> Result<(), RecordError> {
            astray += u64::from(run.is_astray(journal, &game, &schedule));
            let count = &mut counts[journal];
            count.games += 1;
            count.longest = count.longest.max(game.run.seconds.iter().sum());
            count.ends.extend(Some(game.run.at).filter(|at| *at > 0));
            if !game.is_result() {
                failures.insert(game.id);
            } else if let Some(other) = finished.insert(game.id, journal) {
                *twice.entry((other.min(journal), other.max(journal))).or_default() += 1;
            }
            Ok(())
        })?;
        problems.extend(run.problems_of(&schedule, astray)?);
        failures.retain(|id| !finished.contains_key(id));
        counts.iter_mut().for_each(|count| count.ends.sort_unstable());
        Ok(Records { counts, finished, failures, twice, gate, problems })
    }
}

/// What is recorded of a schedule, and what is missing.
#[derive(Default)]
struct Tally {
    recorded: u64,
    failed: u64,
    missing: u64,
    /// Missing games, by shard.
    of_shard: BTreeMap<Shard, u64>,
}

/// Finished and failed games by id.
type Recorded<'a> = (&'a HashMap<String, usize>, &'a BTreeSet<String>);

impl Tally {
    /// Where every game is played: by arithmetic, as a schedule may be a thousand times as long as its records.
    fn of_schedule(
        schedule: &Schedule,
        experiment: &Experiment,
        (finished, failures): Recorded,
        sizes: &BTreeSet<u32>,
    ) -> Tally {
        let mut of_shard: BTreeMap<Shard, u64> = BTreeMap::new();
        for count in sizes {
            let shards = (0..*count).filter_map(|index| Shard::new(index, *count).ok());
            of_shard.extend(shards.map(|shard| (shard, shard.share(schedule.len()))));
        }
        let positions = Positions::of(schedule, experiment);
        let mut tally = Tally { missing: schedule.len(), of_shard, ..Tally::default() };
        let failed = failures.iter().map(|id| (id, 1));
        for (id, failed) in finished.keys().map(|id| (id, 0)).chain(failed) {
            let Some(position) = positions.find(id) else { continue };
            tally.recorded += 1;
            tally.failed += failed;
            tally.missing -= 1;
            for count in sizes {
                tally.of_shard.entry(Shard::of(position, *count)).and_modify(|missing| *missing -= 1);
            }
        }
        tally.of_shard.retain(|_, missing| *missing > 0);
        tally
    }

    /// Where results decide what is played.
    fn by_gate(
        gate: &StoppingRule,
        (schedule, experiment): (&Schedule, &Experiment),
        (finished, failures): Recorded,
        sizes: &BTreeSet<u32>,
    ) -> Tally {
        let mut tally = Tally::default();
        for (position, game) in (0..schedule.len()).filter_map(|position| Some((position, schedule.nth(position)?))) {
            let id = game.id(experiment);
            let has_failed = failures.contains(&id);
            if gate.is_beyond(&game) {
                continue;
            }
            if finished.contains_key(&id) || has_failed {
                tally.recorded += 1;
                tally.failed += u64::from(has_failed);
            } else if gate.may_want(&game) {
                tally.missing += 1;
                for count in sizes {
                    *tally.of_shard.entry(Shard::of(position, *count)).or_default() += 1;
                }
            }
        }
        tally
    }
}

impl Status {
    /// Reads a run; `now` in seconds since 1970.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of(run: &Run, now: u64) -> Result<Status, RecordError> {
        let experiment = run.experiment()?;
        // Asked first: a journal whose writer ends during the reading was being written when the reading began.
        let written: Vec<bool> = run.journals().iter().map(|journal| is_being_written(&journal.path)).collect();
        let Records { counts, finished, failures, twice, gate, problems } = Records::of(run, &experiment)?;
        let shards: Vec<Option<Shard>> =
            run.journals().iter().map(|journal| journal.shard.as_ref().and_then(|shard| shard.parse().ok())).collect();
        let sizes: BTreeSet<u32> = shards.iter().flatten().map(|shard| shard.count()).collect();
        let schedule = Schedule::of(&experiment);
        let tally = match &gate {
            None => Tally::of_schedule(&schedule, &experiment, (&finished, &failures), &sizes),
            Some(gate) => Tally::by_gate(gate, (&schedule, &experiment), (&finished, &failures), &sizes),
        };
        let Tally { recorded, failed, mut missing, mut of_shard } = tally;
        // Of later rounds it is not known who plays, and each shard expects its share.
        let later = gate.as_ref().map_or(0, StoppingRule::later);
        missing += later;
        for count in sizes.iter().filter(|_| later > 0) {
            let shards = (0..*count).filter_map(|index| Shard::new(index, *count).ok());
            shards.for_each(|shard| *of_shard.entry(shard).or_default() += later.div_ceil((*count).into()));
        }
        // A sequential test wants no more games of what is decided.
        let scheduled = recorded + missing;
        let name = |index: usize| {
            run.journals()[index].path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
        };
        let journals: Vec<JournalStatus> = counts
            .iter()
            .enumerate()
            .map(|(index, count)| JournalStatus {
                file: name(index),
                shard: run.journals()[index].shard.clone(),
                games: count.games,
                missing: shards[index].map_or(missing, |shard| of_shard.get(&shard).copied().unwrap_or(0)),
                being_written: written[index],
                last: count.ends.last().copied(),
                games_per_second: if written[index] { rate(count, now) } else { None },
            })
            .collect();
        let working = || journals.iter().filter(|journal| journal.being_written);
        let rates: Vec<f64> = working().filter_map(|journal| journal.games_per_second).collect();
        let left = working().filter_map(|journal| Some(journal.missing as f64 / journal.games_per_second?));
        let shard_is_played = |shard: &Shard| {
            let theirs =
                |index: usize| shards[index].is_none_or(|other| other.count() != shard.count() || other == *shard);
            (0..written.len()).any(|index| written[index] && theirs(index))
        };
        let unplayed = of_shard.iter().filter(|(shard, _)| !shard_is_played(shard));
        // If a run was resumed with another number of shards, only the last number matters: that with the newest games.
        let newest = (0..shards.len()).max_by_key(|index| journals[*index].last);
        let current = newest.and_then(|index| shards[index]).map(Shard::count);
        Ok(Status {
            name: experiment.name.clone(),
            scheduled,
            recorded,
            failed,
            missing,
            at_most: experiment.sequential.is_some() && missing > 0,
            games_per_second: (!rates.is_empty()).then(|| rates.iter().sum()),
            seconds_left: left.reduce(f64::max),
            missing_shards: unplayed
                .filter(|(shard, _)| current == Some(shard.count()))
                .map(|(shard, missing)| MissingShard {
                    shard: shard.to_string(),
                    begun: shards.contains(&Some(*shard)),
                    missing: *missing,
                })
                .collect(),
            overlaps: twice
                .into_iter()
                .map(|((first, second), games)| Overlap { first: name(first), second: name(second), games })
                .collect(),
            problems: problems
                .iter()
                .filter(|problem| !is_unfinished(problem, run, &written))
                .map(Problem::to_string)
                .collect(),
            journals,
        })
    }

    /// Games of a shard of an experiment that a run has no record of, from the files alone.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn missing_of(run: &Run, experiment: &Experiment, shard: Shard) -> Result<u64, RecordError> {
        let schedule = Schedule::of(experiment);
        let mut recorded = std::collections::HashSet::new();
        let mut gate = StoppingRule::of(experiment, None);
        run.games(|game| -> Result<(), RecordError> {
            if let Some(gate) = &mut gate {
                gate.recall(&game);
            }
            recorded.insert(game.id);
            Ok(())
        })?;
        if let Some(gate) = &mut gate {
            gate.judge();
        }
        let Some(gate) = gate else {
            let positions = Positions::of(&schedule, experiment);
            let found = recorded.iter().filter_map(|id| positions.find(id)).filter(|position| shard.has(*position));
            return Ok(shard.share(schedule.len()) - found.count() as u64);
        };
        let is_missing = |game: &GameSpec| gate.may_want(game) && !recorded.contains(&game.id(experiment));
        let places = (0..schedule.len()).filter(|position| shard.has(*position));
        let known = places.filter_map(|position| schedule.nth(position)).filter(is_missing).count() as u64;
        Ok(known + gate.later().div_ceil(shard.count().into()))
    }
}

/// A last line that is still being written is not a problem.
fn is_unfinished(problem: &Problem, run: &Run, written: &[bool]) -> bool {
    let being_written = |path: &std::path::PathBuf| {
        run.journals().iter().position(|journal| journal.path == *path).is_some_and(|at| written[at])
    };
    problem.torn.as_ref().is_some_and(being_written)
}

/// Games per second since the last pause. While a journal is being written no gap is much longer than its longest game.
/// A longer gap is a pause.
fn rate(count: &Count, now: u64) -> Option<f64> {
    let pause = PAUSE + 2.0 * count.longest;
    let mut began = *count.ends.last()?;
    let mut games = 0;
    for end in count.ends.iter().rev().skip(1).take(RECENT) {
        if (began - end) as f64 > pause {
            break;
        }
        began = *end;
        games += 1;
    }
    // Ends are whole seconds: a rate over a few seconds would be meaningless.
    let seconds = now.saturating_sub(began);
    (games > 0 && seconds >= 2).then(|| f64::from(games) / seconds as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_not_counted_as_playing() {
        let count = |ends: Vec<u64>, longest| Count { games: ends.len() as u64, ends, longest };
        // A game every ten seconds, an hour of nothing, then a game every two seconds.
        let ends = (0..50).map(|n| 10 * n).chain((0..=100).map(|n| 4_000 + 2 * n)).collect();
        assert_eq!(rate(&count(ends, 5.0), 4_200), Some(0.5));
        // Games of half an hour are no pauses.
        let ends = vec![0, 1_800, 3_600];
        assert_eq!(rate(&count(ends, 1_790.0), 4_000), Some(2.0 / 4_000.0));
        assert_eq!(rate(&count(vec![], 0.0), 10), None);
        assert_eq!(rate(&count(vec![7], 0.0), 10), None);
    }
}
