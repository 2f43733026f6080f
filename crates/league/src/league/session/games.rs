//! The games of a league as a job.

use super::super::game::GameSetup;
use super::super::job::Job;
use super::super::supply::{Listed, Supply};
use super::error::SessionError;
use crate::config::{Experiment, Overrides};
use crate::record::{FORMAT, FinishedGame};
use crate::schedule::{Positions, Schedule};
use evouct_base::named::Named;
use evouct_base::parameter::Preset;
use evouct_platform::clock::{WallClock, unix_seconds};
use evouct_platform::registry;
use evouct_store::Binding;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Places in the schedule to play, in their order.
pub(super) type Places = Box<dyn Iterator<Item = u64> + Send>;

/// How a worker finds a league.
#[derive(Serialize, Deserialize)]
struct Task {
    kind: String,
    toml: String,
    preset: Option<String>,
    seed: Option<u64>,
    games_per_match: Option<u32>,
}

/// The missing games of a league. A unit is a place in its schedule, and its name the id of the game.
pub struct Games {
    experiment: Arc<Experiment>,
    schedule: Schedule,
    positions: Positions,
    of: Binding,
    play: Box<dyn Fn(&u64) -> FinishedGame + Send + Sync>,
    missing: Listed<Places>,
}

impl Games {
    /// What the kind of a task is called.
    pub const TASK: &'static str = "league";

    /// The games of an experiment, none of which is missing here: a rank that helps plays those that rank 0 names.
    pub fn of(experiment: &Arc<Experiment>) -> Games {
        let (missing, play) = (Listed::of(Box::new(std::iter::empty()) as Places, 0), Box::new(play_at(experiment)));
        let (schedule, experiment, of) = (Schedule::of(experiment), Arc::clone(experiment), experiment.binding());
        let positions = Positions::of(&schedule, &experiment);
        Games { experiment, schedule, positions, of, play, missing }
    }

    /// The games of the league of a task, as a worker finds it.
    ///
    /// # Errors
    /// What is wrong with the experiment here.
    pub fn of_task(task: &str) -> Result<Games, String> {
        let task: Task = serde_json::from_str(task).map_err(|error| error.to_string())?;
        task.experiment().map(|experiment| Games::of(&Arc::new(experiment)))
    }

    /// The same with games that are missing.
    pub(super) fn with(self, missing: Listed<Places>) -> Games {
        Games { missing, ..self }
    }

    /// The id of the game at a place in the schedule; empty if there is none.
    fn id(&self, position: u64) -> String {
        self.schedule.nth(position).map_or(String::new(), |game| game.id(&self.experiment))
    }
}

impl Task {
    fn experiment(self) -> Result<Experiment, String> {
        let preset = self.preset.as_deref().and_then(Preset::of_name);
        let overrides = Overrides { preset, seed: self.seed, games_per_match: self.games_per_match };
        Experiment::parse_with(&self.toml, "experiment", overrides, 1).map_err(|errors| errors.to_string())
    }
}

impl Job for Games {
    type Record = FinishedGame;
    type Error = SessionError;

    fn units(&self) -> &dyn Supply {
        &self.missing
    }

    fn work(&self, position: u64) -> Result<FinishedGame, SessionError> {
        Ok((self.play)(&position))
    }

    fn announcement(&self) -> String {
        self.experiment.toml.clone()
    }

    fn agreement(&self) -> String {
        let Experiment { name, log, .. } = &*self.experiment;
        format!("journal format {FORMAT}, experiment {name} {}, log {log:?}", self.experiment.hash())
    }

    fn accept(&self, position: u64, entry: &FinishedGame) -> Result<(), String> {
        entry.check(&self.id(position), &self.of)
    }

    fn task(&self) -> Option<String> {
        let Experiment { toml, overrides: Overrides { preset, seed, games_per_match }, .. } = &*self.experiment;
        let preset = preset.map(|preset| preset.name().to_owned());
        let (kind, toml, seed, games_per_match) = (Games::TASK.to_owned(), toml.clone(), *seed, *games_per_match);
        let task = serde_json::to_string(&Task { kind, toml, preset, seed, games_per_match }).ok()?;
        let found = Games::of_task(&task).ok()?;
        (found.experiment.hash() == self.experiment.hash()).then_some(task)
    }

    fn named(&self, position: u64) -> String {
        self.id(position)
    }

    fn work_named(&self, id: &str) -> Result<FinishedGame, String> {
        let position = self.positions.find(id).ok_or_else(|| format!("{id:.100}: the schedule has no such game"))?;
        Ok((self.play)(&position))
    }

    fn agree(&self, one: &FinishedGame, other: &FinishedGame) -> bool {
        one.agrees_with(other)
    }

    fn worker(&self) -> Option<Vec<String>> {
        registry::worker(self.experiment.rules.domain().name())
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
