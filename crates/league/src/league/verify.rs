//! Checking records against the rules, and against repeated games.

use super::game::GameSetup;
use crate::config::Experiment;
use crate::record::{Ended, GameRecord};
use crate::schedule::Schedule;
use evouct_search::search::{Clock, Stopped};

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {id}: {problem}")]
pub struct Discrepancy {
    /// The game.
    pub id: String,
    /// The field, what is recorded and what was found.
    pub problem: String,
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
        if record.ended == Ended::Finished
            && let Some(message) = &replayed.run.message
        {
            return Err(discrepancy(record, &format!("moves: {message}")));
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
        same(record, "moves", &record.moves, &replayed.moves)?;
        same(record, "scores", &record.scores, &replayed.scores)?;
        same(record, "virtual", &record.virtual_scores, &replayed.virtual_scores)?;
        same(record, "metrics", &record.metrics, &replayed.metrics)
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

/// Only another program or a person loses by a fault.
fn check_fault(record: &GameRecord, setup: &GameSetup) -> Result<(), Discrepancy> {
    let problem = match (record.ended, record.fault) {
        (Ended::Fault, Some(fault)) => match setup.seats.get(usize::from(fault.seat)) {
            Some(player) if player.spec.kind().is_outside() => return Ok(()),
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
