//! The plan of a tuning in its folder.

use super::error::TuneError;
use super::games::FurtherGame;
use super::rounds::TuningRounds;
use super::scores::refuse_writers;
use super::tuning::{Tuning, TuningOptions, game_name};
use evouct_base::named::Named;
use evouct_base::parameter::Preset;
use evouct_base::phrase::Phrase;
use evouct_league::config::{Experiment, Overrides, Resolved, ScheduleKind, differences};
use evouct_league::series::Stage;
use evouct_store::{FolderKind, TUNING_PLAN, VERSION, claim, read_plan, record_plan};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The version of its format.
const FORMAT: u32 = 1;

/// The plan, as it is recorded.
#[derive(Serialize, Deserialize)]
struct Plan {
    format: u32,
    evouct: String,
    /// The experiment's file.
    toml: String,
    preset_override: Option<Preset>,
    seed_override: Option<u64>,
    experiment: Resolved,
    #[serde(flatten)]
    options: TuningOptions,
    /// The players that are compared, the default first.
    candidates: Vec<String>,
    #[serde(flatten)]
    rounds: TuningRounds,
    /// The games beside that of the experiment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    further: Vec<FurtherPlan>,
    /// Games in all before each extension.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    extended: Vec<u64>,
}

/// A further game, as it is recorded.
#[derive(Serialize, Deserialize)]
struct FurtherPlan {
    toml: String,
    held_out: bool,
}

impl FurtherPlan {
    fn of(game: &FurtherGame) -> FurtherPlan {
        FurtherPlan { toml: game.tuning.experiment.toml.clone(), held_out: game.held_out }
    }
}
impl Tuning {
    /// The tuning in a folder; none if the folder does not hold one.
    ///
    /// # Errors
    /// If its plan cannot be read, or this version plans it in another way.
    pub fn open(folder: &Path) -> Result<Option<Tuning>, TuneError> {
        let path = folder.join(TUNING_PLAN);
        let Some(plan) = read_plan::<Plan>(&path)? else { return Ok(None) };
        let other = |problem: String| TuneError::Folder { folder: path.clone(), problem };
        if plan.format != FORMAT {
            return Err(other(format!("format {} of a plan is not {FORMAT}, which this version reads", plan.format)));
        }
        let overrides = Overrides { preset: plan.preset_override, seed: plan.seed_override, games_per_match: None };
        let file = format!("{}: toml", path.display());
        let read = |toml: &str| Experiment::recorded(toml, &file, overrides, Tuning::LEAST_PLAYERS);
        let others = plan.further.iter().map(|game| Ok((read(&game.toml)?, game.held_out)));
        let others = others.collect::<Result<_, TuneError>>()?;
        let tuning = Tuning::over_games(read(&plan.toml)?, others, plan.options, folder)?;
        if tuning.descriptions() != plan.candidates || tuning.rounds != plan.rounds {
            let problem = format!("evouct {} planned this tuning in another way than evouct {VERSION}", plan.evouct);
            return Err(other(problem));
        }
        Ok(Some(tuning))
    }

    /// Records the plan, unless the folder holds this tuning already.
    ///
    /// # Errors
    /// As [`is_recorded`](Tuning::is_recorded); if the plan cannot be written.
    pub fn record(&self) -> Result<(), TuneError> {
        self.record_as(false)
    }

    /// As [`record`](Tuning::record); with `extend` also over the plan of this tuning with fewer games.
    pub(super) fn record_as(&self, extend: bool) -> Result<(), TuneError> {
        if self.check(extend)? {
            return Ok(());
        }
        let mut extended = Vec::new();
        if let (Some(recorded), Some(earlier)) = (Tuning::open(&self.folder)?, self.plan()?) {
            // Who plays a stage of the earlier tuning would go on by another plan than that of the folder.
            recorded.course()?.stages().try_for_each(|stage| refuse_writers(&stage.folder(&self.folder)))?;
            extended = earlier.extended;
            extended.push(earlier.options.budget);
        }
        let plan = Plan {
            format: FORMAT,
            evouct: VERSION.to_owned(),
            toml: self.experiment.toml.clone(),
            preset_override: self.experiment.overrides.preset,
            seed_override: self.experiment.overrides.seed,
            experiment: self.experiment.resolved(),
            options: self.options.clone(),
            candidates: self.descriptions(),
            rounds: self.rounds.clone(),
            further: self.further.iter().map(FurtherPlan::of).collect(),
            extended,
        };
        claim(&self.folder)?;
        Ok(record_plan(&self.folder.join(TUNING_PLAN), &plan)?)
    }

    /// The recorded plan, if there is one.
    fn plan(&self) -> Result<Option<Plan>, TuneError> {
        Ok(read_plan(&self.folder.join(TUNING_PLAN))?)
    }

    /// The games in all that the recorded tuning had before its last extension, if it was extended.
    pub(super) fn extended_from(&self) -> Result<Option<u64>, TuneError> {
        Ok(self.plan()?.and_then(|plan| plan.extended.last().copied()))
    }

    /// Whether the folder may hold runs of this tuning with fewer games: it was extended, or is about to be.
    pub(super) fn may_hold_fewer(&self) -> Result<bool, TuneError> {
        let is_fewer = |plan: Plan| !plan.extended.is_empty() || plan.options.budget < self.budget();
        Ok(self.plan()?.is_some_and(is_fewer))
    }

    /// Whether the folder holds this tuning; otherwise it is empty or absent.
    ///
    /// # Errors
    /// If the folder holds something else, in words, or cannot be read.
    pub fn is_recorded(&self) -> Result<bool, TuneError> {
        self.check(false)
    }

    /// As [`is_recorded`](Tuning::is_recorded); with `extend` the folder may hold this tuning with fewer games, too, whose
    /// games stay those of the first round.
    ///
    /// # Errors
    /// As [`is_recorded`](Tuning::is_recorded).
    pub fn check(&self, extend: bool) -> Result<bool, TuneError> {
        let Some(recorded) = Tuning::open(&self.folder)? else {
            FolderKind::Tuning.check(&self.folder)?;
            return Ok(false);
        };
        let differences = self.differences(&recorded);
        if differences.is_empty() {
            return Ok(true);
        }
        // The number of games is the only difference.
        let has_more = recorded.budget() < self.budget() && differences.len() == 1;
        let extends = has_more && self.begins_as(&recorded)?;
        let hint = match has_more {
            false => format!("; {}", Phrase::OtherFolder),
            true if !extends => format!(
                "; the first round of so many games has other players or fewer decks, and nothing recorded would be a part of it; \
                 {}",
                Phrase::OtherFolder
            ),
            true if extend => return Ok(false),
            true => format!("; {}", Phrase::ExtendTuning),
        };
        Err(TuneError::OtherTuning { folder: self.folder.clone(), differences, extends, hint })
    }

    /// Whether the games of the first round of an earlier tuning are games of this one.
    fn begins_as(&self, earlier: &Tuning) -> Result<bool, TuneError> {
        let (then, now) = (earlier.first_round()?, self.first_round()?);
        let adds_only = |(then, now): (&Stage, &Stage)| {
            let found = differences(&then.experiment.resolved(), &now.experiment.resolved());
            found.iter().all(|difference| difference.extends)
        };
        Ok(then.len() == now.len() && then.iter().zip(&now).all(adds_only))
    }

    /// What a recorded tuning has otherwise.
    fn differences(&self, recorded: &Tuning) -> Vec<String> {
        // What a tuning does not use may change.
        let used = |tuning: &Tuning| {
            let schedule = ScheduleKind::default().name().to_owned();
            Resolved { games_per_match: 1, schedule, rounds: None, fixed: 1, ..tuning.experiment.resolved() }
        };
        let mut found: Vec<String> =
            differences(&used(recorded), &used(self)).into_iter().map(|difference| difference.text).collect();
        for (was, is) in recorded.further.iter().zip(&self.further) {
            let other = differences(&used(&was.tuning), &used(&is.tuning));
            found.extend(other.into_iter().map(|difference| format!("{}: {}", is.tuning.name(), difference.text)));
        }
        if recorded.games() != self.games() {
            let names =
                |tuning: &Tuning| tuning.games().iter().map(|game| game_name(*game)).collect::<Vec<_>>().join(", ");
            found.push(format!("the games were {} and are {}", names(recorded), names(self)));
        }
        let mut differ = |setting: Phrase, was: String, is: String| {
            if was != is {
                found.push(format!("{setting} was {was} and is {is}"));
            }
        };
        let over = |tuning: &Tuning| tuning.options.over.join(&format!(" {} ", Phrase::Over));
        // `1e-05` and `0.00001` are one value.
        let values = |tuning: &Tuning| -> Vec<_> {
            tuning.overs.iter().map(|over| (over.parameter.name, over.choice.clone())).collect()
        };
        if values(recorded) != values(self) {
            differ(Phrase::Over, over(recorded), over(self));
        }
        let constraints = |tuning: &Tuning| match tuning.options.constraints.join(&format!(" {} ", Phrase::Where)) {
            none if none.is_empty() => "not given".to_owned(),
            given => given,
        };
        differ(Phrase::Where, constraints(recorded), constraints(self));
        differ(Phrase::Budget, recorded.options.budget.to_string(), self.options.budget.to_string());
        differ(Phrase::Player, recorded.player().to_owned(), self.player().to_owned());
        let method = |tuning: &Tuning| tuning.options.method.name().to_owned();
        differ(Phrase::Method, method(recorded), method(self));
        let order = |tuning: &Tuning| tuning.opponents.iter().map(|own| own.identity.short()).collect::<Vec<_>>();
        if found.is_empty() && order(recorded) != order(self) {
            found.push("the opponents stand in another order".to_owned());
        }
        found
    }
}
