//! Checking records against the rules, and against repeated games.

use super::game::GameSetup;
use crate::config::{Contender, Experiment};
use crate::record::{Ended, GameRecord, Run};
use crate::schedule::Schedule;
use evouct_base::sampling::below;
use evouct_base::seed::Key;
use evouct_platform::domain::FaultReason;
use evouct_search::search::{Clock, Stopped};
use evouct_store::{Problem, RecordError};

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {id}: {problem}")]
pub struct Discrepancy {
    /// The game.
    pub id: String,
    /// The field, what is recorded and what was found.
    pub problem: String,
}

/// The games that are drawn to be played again.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sample<'a> {
    /// How many.
    pub games: usize,
    /// Instead, the game with this id.
    pub only: Option<&'a str>,
    /// Whether games that other programs played are among them.
    pub programs: bool,
    /// What decides which.
    pub seed: u64,
}

/// What replaying the games of a run shows.
#[derive(Debug, Default)]
pub struct Replayed {
    /// Games replayed.
    pub games: u64,
    /// What is wrong with them.
    pub wrong: Vec<Discrepancy>,
    /// The games that were drawn to be played again: each that can be is equally likely.
    pub sample: Vec<GameRecord>,
    /// Games that cannot be played again: limited by a clock, played by people or other programs, or left.
    pub not_reproducible: u64,
    /// Games that could be, by programs that are not to be started.
    pub of_programs: u64,
    /// Problems of the journals.
    pub problems: Vec<Problem>,
}

/// Verifies the records of an experiment.
pub struct Verifier<'a> {
    experiment: &'a Experiment,
    schedule: Schedule,
}

impl<'a> Verifier<'a> {
    /// For the games of this experiment.
    pub fn new(experiment: &'a Experiment) -> Verifier<'a> {
        Verifier { experiment, schedule: Schedule::of(experiment) }
    }

    fn setup(&self, record: &GameRecord) -> Result<GameSetup, Discrepancy> {
        let game = self.schedule.game(&record.id, self.experiment);
        let game = game.ok_or_else(|| discrepancy(record, "no such game in the experiment"))?;
        Ok(GameSetup::of(self.experiment, &game))
    }

    /// Plays the recorded moves by the rules, on the deck of the game's key, and compares everything that follows from
    /// them.
    ///
    /// # Errors
    /// The first difference.
    pub fn replay(&self, record: &GameRecord) -> Result<(), Discrepancy> {
        let wrong = |problem: String| discrepancy(record, &format!("moves: {problem}"));
        let setup = self.setup(record)?;
        check_fault(record, &setup)?;
        let mut replayed = setup.replay(&record.moves, &record.search, &Stopped).map_err(wrong)?.record;
        if matches!(record.ended, Ended::Finished | Ended::Limit) {
            if let Some(message) = &replayed.run.message {
                return Err(discrepancy(record, &format!("moves: {message}")));
            }
            same(record, "ended", &record.ended, &replayed.ended)?;
        }
        if let Some(fault) = record.fault {
            fault.forfeit(&mut replayed.scores);
            replayed.reproducible = false;
        }
        // A game that failed, or was lost by a fault, has no more moves than those recorded: the replay ends there as
        // well.
        same(record, "deck", &record.deck, &replayed.deck)?;
        same(record, "seats", &record.seats, &replayed.seats)?;
        same(record, "reproducible", &record.reproducible, &replayed.reproducible)?;
        same(record, "opening", &record.opening, &replayed.opening)?;
        same(record, "moves", &record.moves, &replayed.moves)?;
        same(record, "scores", &record.scores, &replayed.scores)?;
        same(record, "virtual", &record.virtual_scores, &replayed.virtual_scores)?;
        same(record, "metrics", &record.metrics, &replayed.metrics)
    }

    /// Replays all games of a run, and draws some to be played again.
    ///
    /// # Errors
    /// If the journals cannot be read.
    pub fn replay_all(&self, run: &Run, wanted: &Sample) -> Result<Replayed, RecordError> {
        let is_left = |player: &&Contender| player.spec.kind().is_outside() && !wanted.programs;
        let left: Vec<String> =
            self.experiment.players.iter().filter(is_left).map(|player| player.identity.short()).collect();
        let size = wanted.only.map_or(wanted.games, |_| 1);
        let (mut rng, mut offered) = (Key::experiment(wanted.seed).stream(), 0);
        let mut found = Replayed::default();
        let problems = run.games(|game| -> Result<(), RecordError> {
            found.games += 1;
            found.wrong.extend(self.replay(&game).err());
            if !game.reproducible || game.ended == Ended::Left {
                found.not_reproducible += 1;
            } else if game.seats.iter().any(|seat| left.contains(seat)) {
                found.of_programs += 1;
            } else if wanted.only.is_none_or(|id| *id == game.id) {
                offered += 1;
                if found.sample.len() < size {
                    found.sample.push(game);
                } else if let Some(kept) = found.sample.get_mut(below(&mut rng, offered)) {
                    *kept = game;
                }
            }
            Ok(())
        })?;
        Ok(Replayed { problems, ..found })
    }

    /// Plays the game again from its key and compares the whole record.
    ///
    /// # Errors
    /// The first difference.
    pub fn play_again(&self, record: &GameRecord, clock: &dyn Clock) -> Result<(), Discrepancy> {
        let again = self.setup(record)?.play(clock, self.experiment.log, "").record;
        same(record, "moves", &record.moves, &again.moves)?;
        same(record, "playouts", &record.playouts, &again.playouts)?;
        same(record, "evolution", &record.evolution, &again.evolution)?;
        let [recorded, found] = [record, &again].map(crate::record::canonical);
        same(record, "record", &recorded, &found)
    }
}

/// Only another program or a person loses by a fault, and under a clock any player on time.
fn check_fault(record: &GameRecord, setup: &GameSetup) -> Result<(), Discrepancy> {
    let problem = match (record.ended, record.fault) {
        (Ended::Fault, Some(fault)) => match setup.seats.get(usize::from(fault.seat)) {
            Some(_) if fault.reason == FaultReason::OutOfTime && setup.clock.is_none() => {
                "recorded as lost on time, but the game has no clock".to_owned()
            }
            Some(player) if player.spec.kind().is_outside() || fault.reason == FaultReason::OutOfTime => return Ok(()),
            Some(player) => {
                format!("recorded of the kind {}, expected another program or a person", player.spec.kind().name)
            }
            None => format!("recorded of seat {}, expected one of {}", fault.seat, setup.seats.len()),
        },
        (Ended::Fault, None) => "the game ended by a fault, and none is recorded".to_owned(),
        (_, Some(_)) => "a fault is recorded, but the game did not end by one".to_owned(),
        (_, None) => return Ok(()),
    };
    Err(discrepancy(record, &format!("fault: {problem}")))
}

fn discrepancy(record: &GameRecord, problem: &str) -> Discrepancy {
    Discrepancy { id: record.id.clone(), problem: problem.to_owned() }
}

fn same<T: PartialEq + std::fmt::Debug>(
    record: &GameRecord,
    field: &str,
    recorded: &T,
    found: &T,
) -> Result<(), Discrepancy> {
    if recorded == found {
        return Ok(());
    }
    let show = |value: &T| {
        let text = format!("{value:?}");
        if text.chars().count() > 200 { format!("{}…", text.chars().take(200).collect::<String>()) } else { text }
    };
    Err(discrepancy(record, &format!("{field}: recorded {}, found {}", show(recorded), show(found))))
}
