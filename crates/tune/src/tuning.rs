//! A tuning: what it plays, in which folder.

use super::candidates::{Candidate, Legal, MOST, legal, text};
use super::constraint::Constraint;
use super::distribution::Distribution;
use super::error::TuneError;
use super::method::{Model, Space, Start};
use super::methods::{TuningMethod, is_default};
use super::over::{Choice, FEW, Over};
use super::points::{FEWEST_POINTS, combinations, most_points, ranges};
use super::rounds::TuningRounds;
use super::scores::refuse_writers;
use super::selection::Selection;
use evouct_base::named::Named;
use evouct_base::parameter::{Parameter, Value};
use evouct_base::phrase::Phrase;
use evouct_base::plural::counted;
use evouct_base::seed::{Key, SeriesPart};
use evouct_base::suggest::nearest;
use evouct_league::config::{Contender, Experiment, Overrides, Resolved, ScheduleKind, differences};
use evouct_league::series::Stage;
use evouct_store::{FolderKind, TUNING_PLAN, VERSION, claim, read_plan, record_plan};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The version of its format.
const FORMAT: u32 = 1;
/// Characters of an experiment's name that the names of its stages keep.
const NAME: usize = 60;

/// What is asked of a tuning.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TuningOptions {
    /// The name of the player to tune; the first of the file if none is named.
    pub player: Option<String>,
    /// The parameters to tune, each as `k=0.1..3` or `final=mean,visits`.
    pub over: Vec<String>,
    /// Constraints on the values together, each as `alpha < beta` or `final = visits or k < 1`.
    #[serde(rename = "where", default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    /// Games in all.
    pub budget: u64,
    /// How the best candidate is found.
    #[serde(default, skip_serializing_if = "is_default")]
    pub method: TuningMethod,
}

/// A tuning: a function of the experiment, the options and the seed. Results stand in the folder.
#[derive(Debug)]
pub struct Tuning {
    /// The experiment of the file.
    pub(super) experiment: Experiment,
    pub(super) options: TuningOptions,
    pub(super) folder: PathBuf,
    /// The player to tune.
    tuned: Contender,
    /// The players of the file but the tuned one.
    pub(super) opponents: Vec<Contender>,
    pub(super) overs: Vec<Over>,
    constraints: Vec<Constraint>,
    /// How many of the drawn values cannot play together.
    pub(super) left_out: usize,
    /// The players that are known before the first game. The first is the default: the player as the file has it.
    pub(super) candidates: Vec<Candidate>,
    pub(super) rounds: TuningRounds,
    key: Key,
}

/// The plan, as it is recorded.
#[derive(Serialize, Deserialize)]
struct Plan {
    format: u32,
    evouct: String,
    /// The experiment's file.
    toml: String,
    preset_override: Option<evouct_base::parameter::Preset>,
    seed_override: Option<u64>,
    experiment: Resolved,
    #[serde(flatten)]
    options: TuningOptions,
    /// The players that are compared, the default first.
    candidates: Vec<String>,
    #[serde(flatten)]
    rounds: TuningRounds,
    /// Games in all before each extension.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    extended: Vec<u64>,
}

impl Tuning {
    /// The fewest players of an experiment to tune. A player without opponents plays against its own default.
    pub const LEAST_PLAYERS: usize = 1;

    /// Plans a tuning. Nothing is written.
    ///
    /// Of the experiment the players, the rules, the seed and `log` are used. A tuning has a schedule and decks of its
    /// own.
    ///
    /// # Errors
    /// Options that make no sense for the experiment, or a budget that decides nothing.
    pub fn new(experiment: Experiment, options: TuningOptions, folder: &Path) -> Result<Tuning, TuneError> {
        if !experiment.mirror {
            let problem = "mirror = false, but a tuning compares players on mirrored decks; remove it from the file";
            return Err(TuneError::Experiment(problem.to_owned()));
        }
        if experiment.clock.is_some() {
            let problem =
                "[clock]: a tuning compares strength, and games lost on time show none; remove it from the file";
            return Err(TuneError::Experiment(problem.to_owned()));
        }
        let place = place_of(options.player.as_deref(), &experiment)?;
        let player = experiment.players[place].clone();
        if player.spec.kind().is_outside() {
            let kind = player.spec.kind().name;
            let problem = format!("{}: the kind {kind} cannot be tuned; {}", player.name, Phrase::OtherPlayer);
            return Err(TuneError::Experiment(problem));
        }
        let mut opponents = experiment.players.clone();
        opponents.remove(place);
        let mut overs: Vec<Over> = Vec::new();
        for text in &options.over {
            let over = Over::parse(text, &player.spec)?;
            if overs.iter().any(|other| other.parameter.name == over.parameter.name) {
                let problem = format!("{} is given twice", over.parameter.name);
                return Err(TuneError::Over { over: text.clone(), problem });
            }
            overs.push(over);
        }
        let constraints = options.constraints.iter().map(|text| Constraint::parse(text, &player.spec));
        let constraints = constraints.collect::<Result<Vec<Constraint>, TuneError>>()?;
        let key = Key::series("tune", experiment.seed);
        let default = Candidate::default(&player, &overs);
        // The default is one of the candidates, except where it is the opponent.
        let own = usize::from(!opponents.is_empty());
        let choices: Vec<&Choice> = overs.iter().map(|over| &over.choice).collect();
        let lists = combinations(&choices);
        let most = most_points(&choices);
        let fewest = most.min(FEWEST_POINTS);
        let ranges = ranges(&choices);
        let is_drawn = options.method.model() == Model::Distribution;
        if is_drawn && ranges == 0 {
            let given: Vec<&str> = overs.iter().map(|over| over.text.as_str()).collect();
            let problem = format!(
                "{method} cma needs a range, found lists of values: {} (a range of at most {FEW} whole numbers is a list); {method} \
                 halving compares lists",
                given.join(", "),
                method = Phrase::Method
            );
            return Err(TuneError::Experiment(problem));
        }
        if !is_drawn && lists.saturating_mul(fewest) > MOST {
            let problem =
                format!("the lists of {} make {lists} combinations; expected at most {}", Phrase::Over, MOST / fewest);
            return Err(TuneError::Experiment(problem));
        }
        let of = (&experiment.rules, experiment.preset);
        let legal = |rows| legal(&player, &overs, rows, of, &constraints);
        let kept =
            |rows: &[Vec<Value>]| legal(rows.to_vec()).ok().map(|found| (found.candidates.len(), found.left_out));
        let (budget, count) = (options.budget, opponents.len());
        let space = Space { choices: &choices, budget, opponents: count, own, key, kept: &kept };
        let Legal { candidates: drawn, left_out } = legal(options.method.points(&space))?;
        let mut candidates: Vec<Candidate> = [default].into_iter().chain(drawn).collect();
        let mut names = Vec::new();
        candidates.iter_mut().for_each(|candidate| candidate.name = distinct(&candidate.name, &mut names));
        if experiment.rules.seats() != 2 {
            let problem = format!("tuning is for two seats, found {}", experiment.rules.seats());
            return Err(TuneError::Experiment(problem));
        }
        if candidates.len() == 1 && !is_drawn {
            let problem = format!("there is nothing to tune: {} has these values already", player.name);
            return Err(TuneError::Experiment(problem));
        }
        let rounds = options.method.rounds(&space, candidates.len() - 1 + own)?;
        let decks = rounds.decks();
        let openings = experiment.frame.openings.as_ref().and_then(|openings| openings.source().listed());
        if let Some(found) = openings.filter(|found| (*found as u64) < decks) {
            let problem = format!(
                "openings: the list has {}, the rounds and the held-out stage have {decks} decks; expected one for each",
                counted(found, "opening")
            );
            return Err(TuneError::Experiment(problem));
        }
        let (tuned, folder) = (player, folder.to_owned());
        let tuning = Tuning {
            experiment,
            options,
            folder,
            tuned,
            opponents,
            overs,
            constraints,
            left_out,
            candidates,
            rounds,
            key,
        };
        let has_no_draw = |field: &[usize]| field.iter().all(|candidate| *candidate == 0);
        if is_drawn && tuning.selection().field().is_some_and(|(_, field)| has_no_draw(field)) {
            // No draw was legal; the centre of the ranges says why.
            let distribution = Distribution::new(tuning.choices(), &tuning.rounds.rounds);
            let problem = format!("hardly any values of {} are legal together", Phrase::Over);
            let refused = tuning.with(distribution.values(&distribution.best())).err();
            return Err(refused.unwrap_or(TuneError::Experiment(problem)));
        }
        Ok(tuning)
    }

    /// The tuned player with these values.
    fn with(&self, row: Vec<Value>) -> Result<Candidate, TuneError> {
        let tuned = self.overs.iter().zip(row).map(|(over, value)| (over.parameter, value)).collect();
        Candidate::with(&self.tuned, tuned, (&self.experiment.rules, self.experiment.preset), &self.constraints)
    }

    /// The candidates with these rows of values behind those that are known.
    ///
    /// # Errors
    /// If values are illegal together.
    pub(super) fn add_drawn(&self, known: &mut Vec<Candidate>, rows: &[Vec<Value>]) -> Result<(), TuneError> {
        let mut names = known.iter().map(|candidate| candidate.name.clone()).collect();
        for row in rows.iter().skip(known.len()) {
            let mut candidate = self.with(row.clone())?;
            candidate.name = distinct(&candidate.name, &mut names);
            known.push(candidate);
        }
        Ok(())
    }

    /// The same with this number of games in all.
    ///
    /// # Errors
    /// As [`new`](Tuning::new).
    pub fn with_budget(self, budget: u64) -> Result<Tuning, TuneError> {
        Tuning::new(self.experiment, TuningOptions { budget, ..self.options }, &self.folder)
    }

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
        let experiment = Experiment::parse_with(&plan.toml, &file, overrides, Tuning::LEAST_PLAYERS)?;
        let tuning = Tuning::new(experiment, plan.options, folder)?;
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
        let hint = match has_more {
            false => format!("; {}", Phrase::OtherFolder),
            true if !self.begins_as(&recorded)? => format!(
                "; the first round of so many games has other players or fewer decks, and nothing recorded would be a part of it; \
                 {}",
                Phrase::OtherFolder
            ),
            true if extend => return Ok(false),
            true => format!("; {}", Phrase::ExtendTuning),
        };
        Err(TuneError::OtherTuning { folder: self.folder.clone(), differences, hint })
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
        let mut differ = |setting: Phrase, was: String, is: String| {
            if was != is {
                found.push(format!("{setting} was {was} and is {is}"));
            }
        };
        let over = |tuning: &Tuning| tuning.options.over.join(&format!(" {} ", Phrase::Over));
        differ(Phrase::Over, over(recorded), over(self));
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

    /// The players that are compared, as specs.
    fn descriptions(&self) -> Vec<String> {
        self.candidates.iter().map(|candidate| candidate.spec.description()).collect()
    }

    /// The name of the experiment.
    pub fn name(&self) -> &str {
        &self.experiment.name
    }

    /// The number of games that was asked for.
    pub fn budget(&self) -> u64 {
        self.options.budget
    }

    /// The parameters that are tuned.
    pub fn parameters(&self) -> impl Iterator<Item = &'static Parameter> {
        self.overs.iter().map(|over| over.parameter)
    }

    /// The name of the tuned player.
    pub fn player(&self) -> &str {
        &self.candidates[0].name
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The rounds and the held-out stage.
    pub fn rounds(&self) -> &TuningRounds {
        &self.rounds
    }

    /// The players that are compared, as far as they are known before the first game. The first is the default.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// The selection before the first round.
    pub(super) fn selection(&self) -> Selection<'_> {
        let values = |one: &Candidate| one.tuned.iter().map(|(_, value)| value.clone()).collect();
        let start = Start {
            choices: self.choices(),
            rounds: &self.rounds.rounds,
            rows: self.candidates[1..].iter().map(values).collect(),
            default: values(&self.candidates[0]),
            has_default: !self.opponents.is_empty(),
            key: self.key.nth(0),
            is_legal: Box::new(|row| self.with(row.to_vec()).is_ok()),
        };
        Selection::new(&*self.options.method, start)
    }

    /// The values that each tuned parameter may take.
    fn choices(&self) -> Vec<&Choice> {
        self.overs.iter().map(|over| &over.choice).collect()
    }

    /// The stages of a round, counted from 0, among these candidates: one against each opponent.
    pub(super) fn round(&self, round: usize, field: &[&Candidate]) -> Result<Vec<Stage>, TuneError> {
        let before: u64 = self.rounds.rounds[..round].iter().map(|round| round.decks).sum();
        let decks = before..before + self.rounds.rounds[round].decks;
        let seed = self.key.experiment_seed(SeriesPart::Selection(round as u32 + 1));
        let name = format!("round-{}", round + 1);
        match self.opponents.as_slice() {
            [] => Ok(vec![self.stage(name, None, field, seed, &decks)?]),
            [one] => Ok(vec![self.stage(name, Some(one), field, seed, &decks)?]),
            several => several
                .iter()
                .zip(1..)
                .map(|(one, number)| self.stage(format!("{name}-opponent-{number}"), Some(one), field, seed, &decks))
                .collect(),
        }
    }

    /// The held-out stages: a candidate and the default against one another, then both against each opponent.
    pub(super) fn held_out(&self, challenger: &Candidate) -> Result<Vec<Stage>, TuneError> {
        let decks = self.rounds.decks() - self.rounds.held_out.decks..self.rounds.decks();
        let seed = self.key.experiment_seed(SeriesPart::HeldOut);
        let mut stages = vec![self.stage("held-out".to_owned(), None, &[challenger], seed, &decks)?];
        for (opponent, number) in self.opponents.iter().zip(1..) {
            let name = format!("held-out-opponent-{number}");
            stages.push(self.stage(name, Some(opponent), &[&self.candidates[0], challenger], seed, &decks)?);
        }
        Ok(stages)
    }

    /// A gauntlet of an opponent, or of the default where there is none, against these candidates, on these decks of the
    /// tuning, counted from 0.
    fn stage(
        &self,
        name: String,
        opponent: Option<&Contender>,
        field: &[&Candidate],
        seed: u64,
        decks: &Range<u64>,
    ) -> Result<Stage, TuneError> {
        let experiment = &self.experiment;
        let count = decks.end - decks.start;
        // Characters of a name are ASCII.
        let of = &experiment.name[..experiment.name.len().min(NAME)];
        let mut toml = format!(
            "name = \"{of}-{name}\"\ngame = {}\nseed = {seed}\ngames_per_match = {count}\npreset = \"{}\"\n\
             schedule = \"gauntlet\"\nlog = \"{}\"\n",
            text(experiment.rules.domain().name()),
            experiment.preset.recorded_name(),
            experiment.log.name(),
        );
        toml.push_str(&experiment.frame.toml(|source| source.slice(decks.start as usize, count as usize)));
        toml.push_str("[rules]\n");
        for (row, value) in experiment.rules.options().rows().filter(|(row, value)| row.text != **value) {
            if *value != Value::Unset {
                toml.push_str(&format!("{} = {}\n", row.name, value.to_json()));
            }
        }
        let players = experiment.players.iter().map(|player| player.name.clone());
        let mut names = players.filter(|name| name != self.player()).collect();
        match opponent {
            Some(opponent) => {
                let player = Candidate { name: String::new(), spec: opponent.spec.clone(), tuned: Vec::new() };
                toml.push_str(&player.table(&opponent.name));
            }
            None => toml.push_str(&self.candidates[0].table(&distinct(self.player(), &mut names))),
        }
        for candidate in field {
            toml.push_str(&candidate.table(&distinct(&candidate.name, &mut names)));
        }
        let file = format!("{name} of the tuning");
        Ok(Stage { experiment: Experiment::parse(&toml, &file, Overrides::default())?, name })
    }
}

/// A name that no other player of a stage has, and that is not too long for one.
fn distinct(name: &str, taken: &mut Vec<String>) -> String {
    let short: String = name.chars().take(150).collect();
    let numbered = (2..).map(|number| format!("{short} ({number})"));
    let free = [short.clone()].into_iter().chain(numbered).find(|name| !taken.contains(name));
    let free = free.unwrap_or(short);
    taken.push(free.clone());
    free
}

/// The place of the player to tune.
fn place_of(name: Option<&str>, experiment: &Experiment) -> Result<usize, TuneError> {
    let Some(name) = name else { return Ok(0) };
    experiment.players.iter().position(|player| player.name == name).ok_or_else(|| {
        let names = || experiment.players.iter().map(|player| player.name.as_str());
        let hint = match nearest(name, names()) {
            Some(near) => format!("there is no such player; did you mean {near}?"),
            None => format!("there is no such player; the file has {}", names().collect::<Vec<_>>().join(", ")),
        };
        TuneError::Player { name: name.to_owned(), hint }
    })
}
