//! A tuning: what it plays, in which folder.

use super::candidates::{Candidate, Legal, MOST, legal, text};
use super::constraint::Constraint;
use super::distribution::Distribution;
use super::error::TuneError;
use super::games::FurtherGame;
use super::method::{Model, Space, Start};
use super::methods::TuningMethod;
use super::over::{Choice, FEW, SearchRange};
use super::points::{FEWEST_POINTS, combinations, most_points, ranges};
use super::rounds::TuningRounds;
use super::selection::Selection;
use evouct_base::named::Named;
use evouct_base::parameter::{Parameter, Value};
use evouct_base::phrase::Phrase;
use evouct_base::plural::counted;
use evouct_base::seed::{Key, SeriesPart};
use evouct_base::suggest::nearest;
use evouct_league::config::{Contender, Experiment, Overrides};
use evouct_league::series::Stage;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Characters of an experiment's name that the names of its stages keep.
const NAME: usize = 60;
/// The most opponents of a tuning: each has a folder in every round, and its plan stays in memory.
const MOST_OPPONENTS: usize = 100;

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
    #[serde(default, skip_serializing_if = "evouct_base::is_default")]
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
    pub(super) overs: Vec<SearchRange>,
    constraints: Vec<Constraint>,
    /// How many of the drawn values cannot play together.
    pub(super) left_out: usize,
    /// The players that are known before the first game. The first is the default: the player as the file has it.
    pub(super) candidates: Vec<Candidate>,
    pub(super) rounds: TuningRounds,
    /// The games beside that of the experiment.
    pub(super) further: Vec<FurtherGame>,
    /// What the names of its stages end in: the number of the game if it is a further one of another tuning.
    pub(super) suffix: String,
    key: Key,
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
        Tuning::over_games(experiment, Vec::new(), options, folder)
    }

    /// Plans a tuning in the game of the experiment and in others, each with an experiment of its own and whether only the
    /// held-out stage plays it. They share the budget equally. Nothing is written.
    ///
    /// # Errors
    /// As [`new`](Tuning::new); experiments with one name, or with other numbers of opponents.
    pub fn over_games(
        experiment: Experiment,
        others: Vec<(Experiment, bool)>,
        options: TuningOptions,
        folder: &Path,
    ) -> Result<Tuning, TuneError> {
        let games = 1 + others.len() as u64;
        let share = TuningOptions { budget: options.budget / games, ..options.clone() };
        let mut further = FurtherGame::all(&experiment, others, &share, folder)?;
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
        if opponents.len() > MOST_OPPONENTS {
            return Err(TuneError::Experiment(format!(
                "a tuning has at most {MOST_OPPONENTS} opponents, each a league of its own in every round; found {}",
                opponents.len()
            )));
        }
        let mut overs: Vec<SearchRange> = Vec::new();
        for text in &options.over {
            let over = SearchRange::parse(text, &player.spec)?;
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
        let legal = |mut rows: Vec<Vec<Value>>| {
            // In the other games, too.
            let (count, mut refused) = (rows.len(), None);
            rows.retain(|row| {
                Tuning::check_further(&further, row).map_err(|error| refused.get_or_insert(error)).is_ok()
            });
            let left_out = count - rows.len();
            match refused {
                Some(error) if rows.is_empty() => Err(error),
                _ => legal(&player, &overs, rows, of, &constraints)
                    .map(|found| Legal { left_out: found.left_out + left_out, ..found }),
            }
        };
        let kept =
            |rows: &[Vec<Value>]| legal(rows.to_vec()).ok().map(|found| (found.candidates.len(), found.left_out));
        let (budget, count) = (share.budget, opponents.len());
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
        let rounds = options.method.rounds(&space, candidates.len() - 1 + own);
        let mut rounds = rounds.map_err(|error| error.of_games(games))?;
        check_openings(&experiment, &rounds)?;
        for game in &mut further {
            let (name, found) = (game.tuning.name(), game.tuning.opponents.len());
            if found != count {
                let (own, theirs) = (counted(found, "opponent"), counted(count, "opponent"));
                let problem = format!("{name} has {own}, {} has {theirs}; expected as many", experiment.name);
                return Err(TuneError::Experiment(problem));
            }
            check_openings(&game.tuning.experiment, &rounds)?;
            game.tuning.rounds.clone_from(&rounds);
        }
        let seen = games - further.iter().filter(|game| game.held_out).count() as u64;
        rounds.rounds.iter_mut().for_each(|round| round.games *= seen);
        rounds.held_out.games *= games;
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
            further,
            suffix: String::new(),
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
    pub(super) fn with(&self, row: Vec<Value>) -> Result<Candidate, TuneError> {
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
        let others = self.further.into_iter().map(|game| (game.tuning.experiment, game.held_out)).collect();
        Tuning::over_games(self.experiment, others, TuningOptions { budget, ..self.options }, &self.folder)
    }

    /// The players that are compared, as specs.
    pub(super) fn descriptions(&self) -> Vec<String> {
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
            is_legal: Box::new(|row| {
                self.with(row.to_vec()).is_ok() && Tuning::check_further(&self.further, row).is_ok()
            }),
        };
        Selection::new(&*self.options.method, start)
    }

    /// The values that each tuned parameter may take.
    fn choices(&self) -> Vec<&Choice> {
        self.overs.iter().map(|over| &over.choice).collect()
    }

    /// The stages of a round of its own game, counted from 0, among these candidates: one against each opponent.
    pub(super) fn own_round(&self, round: usize, field: &[&Candidate]) -> Result<Vec<Stage>, TuneError> {
        let before: u64 = self.rounds.rounds[..round].iter().map(|round| round.decks).sum();
        let decks = before..before + self.rounds.rounds[round].decks;
        let seed = self.key.experiment_seed(SeriesPart::Selection(round as u32 + 1));
        let name = format!("round-{}{}", round + 1, self.suffix);
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

    /// The held-out stages of its own game: a candidate and the default against one another, then both against each opponent.
    pub(super) fn own_held_out(&self, challenger: &Candidate) -> Result<Vec<Stage>, TuneError> {
        let decks = self.rounds.decks() - self.rounds.held_out.decks..self.rounds.decks();
        let seed = self.key.experiment_seed(SeriesPart::HeldOut);
        let mut stages = vec![self.stage(format!("held-out{}", self.suffix), None, &[challenger], seed, &decks)?];
        for (opponent, number) in self.opponents.iter().zip(1..) {
            let name = format!("held-out{}-opponent-{number}", self.suffix);
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
        toml.push_str(&experiment.python.section());
        let file = format!("{name} of the tuning");
        Ok(Stage {
            experiment: Experiment::recorded(&toml, &file, Overrides::default(), Experiment::LEAST_PLAYERS)?,
            name,
        })
    }
}

/// Refuses a list of openings that is too short.
fn check_openings(experiment: &Experiment, rounds: &TuningRounds) -> Result<(), TuneError> {
    let decks = rounds.decks();
    let openings = experiment.frame.openings.as_ref().and_then(|openings| openings.source().listed());
    let Some(found) = openings.filter(|found| (*found as u64) < decks) else { return Ok(()) };
    let problem = format!(
        "openings: the list has {}, the rounds and the held-out stage have {decks} decks; expected one for each",
        counted(found, "opening")
    );
    Err(TuneError::Experiment(problem))
}

/// The name of a game, and whether rounds play it.
pub(super) fn game_name((name, held_out): (&str, bool)) -> String {
    if held_out { format!("{name} (held out)") } else { name.to_owned() }
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
