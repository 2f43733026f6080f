//! The games of a league as a job.

use super::super::game::GameSetup;
use super::super::job::Job;
use super::super::supply::{Listed, Supply};
use super::super::workers::Workers;
use super::error::SessionError;
use crate::config::Experiment;
use crate::record::{FORMAT, FinishedGame};
use crate::schedule::Schedule;
use evouct_platform::clock::{WallClock, unix_seconds};
use evouct_store::Binding;
use std::sync::Arc;

/// Places in the schedule to play, in their order.
pub(super) type Places = Box<dyn Iterator<Item = u64> + Send>;

/// The missing games of a league. A unit is a place in its schedule.
pub struct Games {
    experiment: Arc<Experiment>,
    of: Binding,
    play: Box<dyn Fn(&u64) -> FinishedGame + Send + Sync>,
    missing: Listed<Places>,
    /// Processes that play the games of this one.
    workers: Option<Arc<Workers>>,
}

impl Games {
    /// The games of an experiment, none of which is missing here: a rank that helps plays those that rank 0 names.
    pub fn of(experiment: &Arc<Experiment>) -> Games {
        let (missing, play) = (Listed::of(Box::new(std::iter::empty()) as Places, 0), Box::new(play_at(experiment)));
        let (experiment, of) = (Arc::clone(experiment), experiment.binding());
        Games { experiment, of, play, missing, workers: None }
    }

    /// The same with games that are missing.
    pub(super) fn with(self, missing: Listed<Places>, workers: Option<Arc<Workers>>) -> Games {
        Games { missing, workers, ..self }
    }
}

impl Job for Games {
    type Record = FinishedGame;
    type Error = SessionError;

    fn units(&self) -> &dyn Supply {
        &self.missing
    }

    fn work(&self, position: u64) -> Result<FinishedGame, SessionError> {
        match &self.workers {
            Some(workers) => Ok(workers.play(position)?),
            None => Ok((self.play)(&position)),
        }
    }

    fn announcement(&self) -> String {
        self.experiment.toml.clone()
    }

    fn agreement(&self) -> String {
        let Experiment { name, log, .. } = &*self.experiment;
        format!("journal format {FORMAT}, experiment {name} {}, log {log:?}", self.experiment.hash())
    }

    fn accept(&self, position: u64, entry: &FinishedGame) -> Result<(), String> {
        let game = Schedule::of(&self.experiment).nth(position);
        let id = game.map_or(String::new(), |game| game.id(&self.experiment));
        entry.check(&id, &self.of)
    }
}

/// What playing threads do with a place in the schedule: the game, and its entry for the journal.
pub fn play_at(experiment: &Arc<Experiment>) -> impl Fn(&u64) -> FinishedGame + Send + Sync + use<> {
    let (schedule, experiment) = (Schedule::of(experiment), Arc::clone(experiment));
    let host = gethostname::gethostname().to_string_lossy().into_owned();
    let clock = WallClock::start();
    let of = experiment.binding();
    move |position: &u64| {
        let game = schedule.nth(*position).expect("only places of the schedule are handed out");
        let mut played = GameSetup::of(&experiment, &game).play(&clock, experiment.log, &host);
        played.record.run.at = unix_seconds();
        FinishedGame::of(&played.record, &played.traces, &of)
    }
}
