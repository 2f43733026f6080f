//! Making a bank: games between the players of its recipe, positions of them, and the values of their moves.

use super::bank::{BankGame, BankHeader, BankPosition, FORMAT, deck_key};
use super::positions::recipe::Recipe;
use evouct_base::panic::catch;
use evouct_base::sampling::shuffle;
use evouct_base::seed::Key;
use evouct_league::league::{
    Calibration, End, Executor, Job, Listed, PoolError, Progress, StartError, Supply, Taker, sample,
};
use evouct_league::schedule::Shard;
use evouct_platform::domain::{AnyPositions, Spec};
use evouct_platform::registry;
use evouct_search::search::{Clock, Stopped};
use evouct_store::line::{Content, Label, decode, is_bound_to};
use evouct_store::{
    BANK_FILE, Binding, Entries, FolderKind, JournalHeader, JournalRecord, JournalWriter, Problem, RecordError,
    VERSION, entry,
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Why a bank cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum BankError {
    /// Files cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The journal cannot be opened, or another process writes it: nothing was started.
    #[error(transparent)]
    Folder(RecordError),
    /// Threads cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The workers of a pool cannot play.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// Ranks cannot work together.
    #[cfg(feature = "mpi")]
    #[error(transparent)]
    World(#[from] evouct_league::league::mpi::WorldError),
    /// A player failed: a bank of such players is of no use.
    #[error("game {game} of the bank: {problem}")]
    Player {
        /// The game.
        game: u32,
        /// What happened.
        problem: String,
    },
}

/// A bank that is being made.
pub struct BankBuild {
    pub(super) recipe: Arc<Recipe>,
    pub(super) folder: std::path::PathBuf,
    pub(super) missing: Vec<u32>,
    /// The shard that is made; none for the whole.
    pub(super) shard: Option<Shard>,
    /// Games that shards have made and the file of the bank has not, by number.
    pub(super) of_shards: BTreeMap<u32, BankGame>,
    /// Lines that could not be read; their games are made again.
    pub problems: Vec<Problem>,
}

impl BankBuild {
    /// Reads what a folder has of the bank of this recipe. Nothing is written.
    ///
    /// # Errors
    /// If the folder has a bank of another recipe, or files that cannot be read.
    pub fn plan(recipe: Recipe, folder: &Path) -> Result<BankBuild, RecordError> {
        FolderKind::Bank.check(folder)?;
        let file = folder.join(BANK_FILE);
        let (mut made, mut problems) = (HashSet::new(), Vec::new());
        if file.exists() {
            let read = Entries::<BankHeader, BankGame>::read_under(&file, &bank_header(&recipe))?;
            made.extend(read.entries.iter().map(|game| game.game));
            problems = read.problems;
        }
        let missing = recipe.numbers().filter(|game| !made.contains(game)).collect();
        let (shard, of_shards) = (None, BTreeMap::new());
        Ok(BankBuild { recipe: Arc::new(recipe), folder: folder.to_owned(), missing, shard, of_shards, problems })
    }

    /// Games to play.
    pub fn missing(&self) -> usize {
        self.missing.len()
    }

    /// Games of the bank, or of the shard.
    pub fn games(&self) -> usize {
        self.numbers().count()
    }

    /// Makes some of the missing games for about this long on threads, and keeps none of them. None if no game ended.
    pub fn calibrate(&self, threads: usize, limit: Duration) -> Option<Calibration<()>> {
        let (recipe, missing) = (Arc::clone(&self.recipe), self.missing.clone());
        // What a player does wrong is reported when the bank is made.
        let play = move |place: &u64| drop(catch(|| made(&recipe, missing[*place as usize])));
        sample(self.missing.len() as u64, play, threads, limit)
    }

    /// Plays the missing games and values their positions.
    ///
    /// # Errors
    /// If files cannot be written, the executor cannot work, or a player fails.
    pub fn make(
        self,
        executor: &mut dyn Executor<BankGames>,
        stop: &Arc<AtomicBool>,
        progress: &mut dyn Progress,
        clock: &dyn Clock,
    ) -> Result<End, BankError> {
        let writer = JournalWriter::open(&self.file(), &bank_header(&self.recipe)).map_err(BankError::Folder)?;
        let mut taker = BankTaker { writer, progress, clock };
        let end = executor.carry_out(&Arc::new(BankGames::missing(self.recipe, self.missing)), stop, &mut taker);
        let synced = taker.writer.sync(clock.now());
        let end = end?;
        synced?;
        Ok(end)
    }
}

/// The missing games of a bank. A unit is the number of a game.
pub struct BankGames {
    recipe: Arc<Recipe>,
    of: Binding,
    missing: Listed<Box<dyn Iterator<Item = u64> + Send>>,
}

/// How a worker finds a bank.
#[derive(Serialize, Deserialize)]
struct Task {
    kind: String,
    toml: String,
}

impl BankGames {
    /// What the kind of a task is called.
    pub const TASK: &'static str = "bank";

    /// The games of the bank of a task, as a worker finds it.
    ///
    /// # Errors
    /// What is wrong with the recipe here.
    pub fn of_task(task: &str) -> Result<BankGames, String> {
        let task: Task = serde_json::from_str(task).map_err(|error| error.to_string())?;
        let recipe = Recipe::parse(&task.toml, "recipe").map_err(|errors| errors.to_string())?;
        Ok(BankGames::of(&recipe))
    }

    /// The games of a bank, none of which is missing here: a rank that helps makes those that rank 0 names.
    pub fn of(recipe: &Recipe) -> BankGames {
        BankGames::missing(Arc::new(recipe.clone()), Vec::new())
    }

    fn missing(recipe: Arc<Recipe>, missing: Vec<u32>) -> BankGames {
        let (of, total) = (bank_header(&recipe).binding(), missing.len() as u64);
        let missing = Box::new(missing.into_iter().map(u64::from)) as Box<dyn Iterator<Item = u64> + Send>;
        BankGames { recipe, of, missing: Listed::of(missing, total) }
    }
}

/// A game of a bank: its line in the journal, made where it was played, or what a player did wrong.
#[derive(Debug, Serialize, Deserialize)]
pub struct MadeGame {
    game: u32,
    line: Result<String, String>,
}

impl JournalRecord for MadeGame {
    fn line_in(&self, of: &Binding) -> Result<Cow<'_, str>, String> {
        let line = self.line.as_deref().map_err(String::clone)?;
        let other = || format!("game {} is of another bank than {}", self.game, of.words());
        is_bound_to(line, of).then_some(Cow::Borrowed(line)).ok_or_else(other)
    }
}

impl Job for BankGames {
    type Record = MadeGame;
    type Error = BankError;

    fn units(&self) -> &dyn Supply {
        &self.missing
    }

    fn work(&self, number: u64) -> Result<MadeGame, BankError> {
        let game = number as u32;
        let made = catch(|| made(&self.recipe, game)).and_then(|made| made);
        Ok(MadeGame { game, line: made.map(|made| entry(&made, &self.of).into_owned()) })
    }

    fn announcement(&self) -> String {
        self.agreement()
    }

    fn agreement(&self) -> String {
        format!("bank {} {}", self.recipe.name, self.recipe.hash())
    }

    fn accept(&self, number: u64, record: &MadeGame) -> Result<(), String> {
        if u64::from(record.game) != number {
            return Err(format!("it says that it is game {}", record.game));
        }
        let Ok(line) = &record.line else { return Ok(()) };
        match decode(line.trim_end())? {
            Content::Record(Label::Entry, json, Some(of)) if of == self.of => {
                match serde_json::from_str::<BankGame>(json) {
                    Ok(game) if u64::from(game.game) == number => Ok(()),
                    _ => Err(format!("it holds something else than game {number}")),
                }
            }
            _ => Err("it is of another bank".to_owned()),
        }
    }

    fn task(&self) -> Option<String> {
        let task = Task { kind: BankGames::TASK.to_owned(), toml: self.recipe.toml.clone() };
        serde_json::to_string(&task).ok()
    }

    fn worker(&self) -> Option<Vec<String>> {
        registry::worker(self.recipe.rules.domain().name())
    }
}

/// Keeps games of a bank, and shows how many there are.
struct BankTaker<'a> {
    writer: JournalWriter,
    progress: &'a mut dyn Progress,
    clock: &'a dyn Clock,
}

impl Taker<MadeGame, BankError> for BankTaker<'_> {
    fn take(&mut self, record: MadeGame) -> Result<(), BankError> {
        if let MadeGame { game, line: Err(problem) } = record {
            return Err(BankError::Player { game, problem });
        }
        Ok(self.writer.append(&record, self.clock.now())?)
    }

    fn tick(&mut self, done: usize) -> Result<(), BankError> {
        self.progress.tick(done);
        Ok(())
    }
}

pub(super) fn bank_header(recipe: &Recipe) -> BankHeader {
    let numbers = recipe.rules.domain().move_numbers();
    BankHeader {
        format: FORMAT,
        evouct: VERSION.to_owned(),
        hash: recipe.hash(),
        seed: recipe.seed,
        game: recipe.rules.domain().name().to_owned(),
        rules: recipe.rules.arguments(),
        players: recipe.players.iter().map(Spec::description).collect(),
        value: recipe.value.description(),
        continuations: recipe.continuations,
        rewards: recipe.rewards,
        games: recipe.numbers().count() as u32,
        numbers: numbers.into_iter().map(|(name, _)| name.to_owned()).collect(),
    }
}

/// A game of the bank: everything in it follows from the recipe and its number.
fn made(recipe: &Recipe, game: u32) -> Result<BankGame, String> {
    let key = Key::experiment(recipe.seed).named("bank game", u64::from(game));
    let domain = recipe.rules.domain();
    let rules = recipe.rules.options().values();
    let deck = deck_key(recipe.seed, game);
    let seats = recipe.rules.seats();
    // Each player meets each other one, in both orders, as the numbers of games run through all combinations.
    let count = recipe.players.len();
    let mut left = game as usize - 1;
    let player = |seat: usize| {
        let chosen = left % count;
        left /= count;
        (recipe.players[chosen].clone(), key.seat(seat))
    };
    let players: Vec<(Spec, Key)> = (0..seats).map(player).collect();
    let mut session = domain.session(rules, deck, &players);
    while session.advance().is_some() {
        session.decide(&Stopped, false).map_err(|fault| fault.to_string())?;
        session.play()?;
    }
    let (moves, turns) = (session.moves(), session.turns());
    let mut chosen: Vec<u32> = (0..turns).collect();
    shuffle(&mut key.named("turns", 0).stream(), &mut chosen);
    chosen.truncate(recipe.positions_per_game as usize);
    chosen.sort_unstable();
    let decisions = domain.positions(rules, deck, &moves, &chosen)?;
    let value = |(decision, turn): (usize, &u32)| {
        let at = key.named("value", u64::from(*turn));
        // Under the earlier name of the seed, so that banks keep their values.
        let seeded = if recipe.value_seed == 0 { at } else { at.named("luck", u64::from(recipe.value_seed)) };
        let (values, visits) = match recipe.continuations {
            0 => searched(&*decisions, decision, &recipe.value, seeded),
            count => continued(&*decisions, decision, &recipe.value, count, seeded),
        };
        let values = values.into_iter().map(rounded).collect();
        let rewards = match recipe.rewards {
            0 => Vec::new(),
            count => decisions.rewards(decision, count as usize, at.named("rewards", 0)),
        };
        BankPosition { turn: *turn, values, visits, rewards }
    };
    let positions: Vec<BankPosition> = chosen.iter().enumerate().map(value).collect();
    match positions.iter().find(|position| !position.best().is_finite()) {
        Some(position) => Err(format!("turn {}: the value player gives no values of moves", position.turn)),
        None => Ok(BankGame { game, moves, turns, positions }),
    }
}

/// Values of the legal moves by a search of the value player, and their visits.
fn searched(positions: &dyn AnyPositions, decision: usize, player: &Spec, key: Key) -> (Vec<f64>, Vec<u64>) {
    let names = positions.actions(decision);
    let (_, decided) = positions.decide(decision, player, key, true, false);
    // Moves that the search did not consider are worth no more than the worst that it did.
    let worst = decided.considered.iter().map(|child| child.mean).fold(f64::INFINITY, f64::min);
    let of = |name: &String| decided.considered.iter().find(|child| child.play == *name);
    let values = names.iter().map(|name| of(name).map_or(worst, |child| child.mean)).collect();
    let visits = names.iter().map(|name| of(name).map_or(0, |child| child.visits as u64)).collect();
    (values, visits)
}

/// Values of the legal moves by games that the player plays on for all seats, and the number of these games. In each
/// round all moves that are in play on the same `count` orders of what is to come; the better half goes on, until two
/// are left. Moves are compared on orders that they share: the value of one is its mean difference from the last ones,
/// on its own orders.
fn continued(
    positions: &dyn AnyPositions,
    decision: usize,
    player: &Spec,
    count: u32,
    key: Key,
) -> (Vec<f64>, Vec<u64>) {
    let moves = positions.actions(decision).len();
    let mut results: Vec<Vec<f64>> = vec![Vec::new(); moves];
    let mut alive: Vec<usize> = (0..moves).collect();
    let mean = |results: &[f64]| results.iter().sum::<f64>() / results.len().max(1) as f64;
    for round in 0.. {
        for number in 0..count {
            let games = positions.continued(decision, &alive, player, key.named("continuation", round).nth(number));
            alive.iter().zip(games).for_each(|(place, result)| results[*place].push(result));
        }
        if alive.len() <= 2 {
            break;
        }
        // All that are in have played on the same orders.
        alive.sort_by(|a, b| mean(&results[*b]).total_cmp(&mean(&results[*a])).then(a.cmp(b)));
        alive.truncate(alive.len().div_ceil(2));
        alive.sort_unstable();
    }
    let of_last =
        |orders: usize| alive.iter().map(|place| mean(&results[*place][..orders])).sum::<f64>() / alive.len() as f64;
    let last = of_last(results[alive[0]].len());
    let value = |results: &Vec<f64>| last + mean(results) - of_last(results.len());
    (results.iter().map(value).collect(), results.iter().map(|results| results.len() as u64).collect())
}

/// Values to a hundredth of a point: finer differences are noise.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
