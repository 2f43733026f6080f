//! A bank of positions: decisions of recorded games, with the values of their moves.
//!
//! Evolution measures a formula by the decisions that it leads to in these positions. All positions of one game are in
//! the same [`Split`], so that what is chosen on one split can be judged on another.

use super::fitness::replay::{Arms, RecordedNumber, recorded_list};
use super::positions::origin::Origin;
use super::positions::split::Split;
use evouct_base::parameter::Raw;
use evouct_base::phrase::Phrase;
use evouct_base::plural::counted;
use evouct_base::seed::Key;
use evouct_platform::domain::{AnyPositions, GameRules};
use evouct_platform::registry;
use evouct_store::disk::FileIdentity;
use evouct_store::{
    BANK_FILE, BANK_SHARD_STEM, Binding, Entries, JournalHeader, JournalRecord, Problem, RecordError,
    digest_of_entries, entry, is_being_written,
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The version of the format.
pub(super) const FORMAT: u32 = 1;

/// The first line of a bank: how it was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BankHeader {
    /// The version of the format.
    pub format: u32,
    /// The evouct that made it.
    pub evouct: String,
    /// The hash of the recipe as it was understood.
    pub hash: String,
    /// The seed.
    pub seed: u64,
    /// The game.
    pub game: String,
    /// The rules, as `key=value`.
    pub rules: Vec<String>,
    /// The players of the games, in notation.
    pub players: Vec<String>,
    /// The player that valued the moves.
    pub value: String,
    /// Orders of what is to come in the first round of continuations; 0 if the search of the value player valued the
    /// moves.
    #[serde(default, skip_serializing_if = "evouct_base::is_default")]
    pub continuations: u32,
    /// Recorded rewards per move.
    pub rewards: u32,
    /// Games of the whole bank; 0 in banks of earlier versions.
    #[serde(default, skip_serializing_if = "evouct_base::is_default")]
    pub games: u32,
    /// The names of the move numbers.
    pub numbers: Vec<String>,
}

impl BankHeader {
    fn origin(&self) -> Origin {
        Origin {
            game: self.game.clone(),
            rules: self.rules.clone(),
            players: self.players.clone(),
            value: self.value.clone(),
            seed: self.seed,
            rewards: self.rewards,
            continuations: self.continuations,
        }
    }
}

impl JournalHeader for BankHeader {
    fn binding(&self) -> Binding {
        Binding { hash: self.hash.clone(), seed: self.seed }
    }

    fn objection(&self, theirs: &BankHeader, file: &Path) -> Option<String> {
        // An earlier version did not record the number of games, which is part of the hash.
        let is_ours = theirs == self || (theirs.games == 0 && *theirs == BankHeader { games: 0, ..self.clone() });
        let is_shard = file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(BANK_SHARD_STEM));
        let what = if is_shard { "this shard is of" } else { "this is the bank of" };
        (!is_ours).then(|| {
            format!(
                "{what} another recipe or version (recipe {}, evouct {}; now {}, evouct {}); {}",
                theirs.hash,
                theirs.evouct,
                self.hash,
                self.evouct,
                Phrase::OtherFolder
            )
        })
    }
}

/// A game of a bank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BankGame {
    /// Its number, which is also that of its deck, from 1.
    pub game: u32,
    /// Its moves in notation.
    pub moves: String,
    /// Decisions in the whole game, of all seats.
    pub turns: u32,
    /// The positions taken from it.
    pub positions: Vec<BankPosition>,
}

impl JournalRecord for BankGame {
    fn line_in(&self, of: &Binding) -> Result<Cow<'_, str>, String> {
        Ok(entry(self, of))
    }
}

/// A decision with the values of its moves. Columns are in the order in which the game lists its legal moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BankPosition {
    /// The turn, from 0.
    pub turn: u32,
    /// The value of each move: its mean reward in a long search, in points of difference for the seat that decides.
    pub values: Vec<f64>,
    /// Visits in that search.
    pub visits: Vec<u64>,
    /// Rewards of playouts after each move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rewards: Vec<Vec<i32>>,
}

impl BankPosition {
    /// The highest value.
    pub fn best(&self) -> f64 {
        self.values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// Refuses lists that do not have an entry per legal move, and moves that do not have as many rewards as the header
    /// says.
    fn check(&self, moves: usize, rewards: u32) -> Result<(), String> {
        if self.values.len() != moves {
            return Err(format!("{} values", self.values.len()));
        }
        let recorded = if rewards == 0 { 0 } else { moves };
        if self.rewards.len() != recorded || self.rewards.iter().any(|row| row.len() != rewards as usize) {
            return Err(format!("rewards of {} moves, expected {rewards} of each move", self.rewards.len()));
        }
        Ok(())
    }
}

/// A position that can be decided.
pub struct LoadedPosition {
    /// The decisions of its game.
    positions: Arc<dyn AnyPositions>,
    /// Its number among them.
    decision: usize,
    /// The legal moves in notation.
    pub moves: Vec<String>,
    /// The value of each move.
    pub values: Vec<f64>,
    /// What a replay needs: rewards and move numbers.
    pub(super) arms: Arc<Arms>,
}

impl LoadedPosition {
    /// What is lost by a move: its value less that of the best move.
    pub fn loss(&self, chosen: usize) -> f64 {
        self.values[chosen] - self.values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// The game that it is of, and its number there.
    pub fn decision(&self) -> (&dyn AnyPositions, usize) {
        (&*self.positions, self.decision)
    }
}

/// A bank that was read.
pub struct Bank {
    /// How it was made.
    pub header: BankHeader,
    /// Its file.
    pub file: PathBuf,
    /// Its games.
    pub games: u32,
    /// Games that it is to have; none in a bank of an earlier version if its hash does not tell.
    pub expected: Option<u32>,
    /// The rules of its games.
    pub rules: GameRules,
    /// The hash over its games.
    pub digest: String,
    /// The digest of the positions and recorded rewards without the values: banks that differ in `value_seed` share it.
    pub of_positions: String,
    /// The mean number of decisions of one seat in a game.
    pub decisions_per_game: f64,
    /// The move numbers and ratings of its game.
    numbers: &'static [RecordedNumber],
    /// Positions by split.
    positions: [Vec<LoadedPosition>; 3],
    /// Lines that could not be read.
    pub problems: Vec<Problem>,
}

impl std::fmt::Debug for Bank {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "bank {} of {} positions", self.header.hash, self.positions.iter().map(Vec::len).sum::<usize>())
    }
}

impl Bank {
    /// Reads a bank for use: its folder, or its file. A part of a bank is another bank.
    ///
    /// # Errors
    /// As [`open`](Bank::open); if lines cannot be read, games are missing, or another process writes it.
    pub fn open_whole(path: &Path) -> Result<Bank, RecordError> {
        let file = Bank::file(path);
        let before = FileIdentity::at(&file).ok();
        let bank = Bank::open(path)?;
        if is_being_written(&file) || FileIdentity::at(&file).ok() != before {
            return Err(RecordError::BeingWritten { path: file });
        }
        bank.check_whole()?;
        Ok(bank)
    }

    /// Refuses a bank without all its games. Lines that cannot be read are no harm where their games are made again.
    ///
    /// # Errors
    /// If it is one.
    pub fn check_whole(&self) -> Result<(), RecordError> {
        if self.expected == Some(self.games) {
            return Ok(());
        }
        if let Some(first) = self.problems.first() {
            let damaged = counted(self.problems.iter().map(|problem| problem.lines).sum::<u64>(), "damaged line");
            let problem =
                format!("the bank has {damaged} ({first}); `evouct bank` with its recipe makes their games again");
            return Err(RecordError::folder(&self.file, problem));
        }
        let Some(expected) = self.expected else { return Ok(()) };
        let (games, all) = (self.games, counted(expected, "game"));
        let problem = format!("the bank has {games} of {all}; `evouct bank` with its recipe makes the others");
        Err(RecordError::folder(&self.file, problem))
    }

    fn file(path: &Path) -> PathBuf {
        if path.is_dir() { path.join(BANK_FILE) } else { path.to_owned() }
    }

    /// Reads a bank, or what there is of it: its folder, or its file.
    ///
    /// # Errors
    /// If it cannot be read, or is of an unknown game.
    pub fn open(path: &Path) -> Result<Bank, RecordError> {
        let file = Bank::file(path);
        let place = file.clone();
        let wrong = |problem: String| RecordError::folder(&place, problem);
        if !file.exists() {
            return Err(wrong("there is no such bank; `evouct bank` makes a bank".to_owned()));
        }
        let Entries { header, entries: mut games, problems } = Entries::<BankHeader, BankGame>::read(&file)?;
        let header = header.ok_or_else(|| wrong("this file is empty; `evouct bank` makes a bank".to_owned()))?;
        if header.format != FORMAT {
            return Err(wrong(format!("a bank of format {}; this evouct reads format {FORMAT}", header.format)));
        }
        let domain = registry::game(&header.game).map_err(&wrong)?;
        let given: Vec<(String, Raw)> = header
            .rules
            .iter()
            .filter_map(|rule| rule.split_once('='))
            .map(|(key, value)| (key.to_owned(), Raw::Text(value.to_owned())))
            .collect();
        let rules = GameRules::resolve(domain, &given)
            .map_err(|errors| wrong(format!("the rules of the bank: {}", errors[0].problem)))?;
        games.sort_by_key(|game| game.game);
        games.dedup_by_key(|game| game.game);
        let expected = match header.games {
            0 => {
                let most = games.iter().map(|game| game.positions.len()).max().unwrap_or(0);
                header.origin().games(&header.hash, most as u32)
            }
            recorded => Some(recorded),
        };
        let digest = digest_of_entries(games.iter());
        let rewards =
            |game: &BankGame| game.positions.iter().map(|own| (own.turn, own.rewards.clone())).collect::<Vec<_>>();
        let of_positions = digest_of_entries(games.iter().map(|game| (game.game, game.moves.clone(), rewards(game))));
        let seats = rules.seats() as f64;
        let turns: u32 = games.iter().map(|game| game.turns).sum();
        let decisions_per_game = f64::from(turns) / seats / (games.len().max(1) as f64);
        let count = games.len() as u32;
        let mut positions: [Vec<LoadedPosition>; 3] = Default::default();
        for game in games {
            let split = Split::of(header.seed, game.game);
            let key = deck_key(header.seed, game.game);
            let turns: Vec<u32> = game.positions.iter().map(|position| position.turn).collect();
            let decisions = domain
                .positions(rules.options().values(), key, &game.moves, &turns)
                .map_err(|problem| wrong(format!("game {}: {problem}", game.game)))?;
            let decisions: Arc<dyn AnyPositions> = decisions.into();
            for (decision, record) in game.positions.into_iter().enumerate() {
                let moves = decisions.actions(decision);
                record.check(moves.len(), header.rewards).map_err(|problem| {
                    wrong(format!("game {}, turn {}: {} moves, {problem}", game.game, record.turn, moves.len()))
                })?;
                let numbers = decisions.move_numbers(decision);
                let (lead, phase) = (decisions.lead(decision), decisions.phase(decision));
                positions[split as usize].push(LoadedPosition {
                    positions: Arc::clone(&decisions),
                    decision,
                    moves,
                    values: record.values,
                    arms: Arc::new(Arms::of(record.rewards, numbers, lead, phase)),
                });
            }
        }
        let all = domain.move_numbers().into_iter().chain(domain.ratings());
        let names: Vec<&'static str> = all.map(|(name, _)| name).collect();
        let numbers = recorded_list(&names);
        Ok(Bank {
            header,
            file,
            games: count,
            expected,
            rules,
            digest,
            of_positions,
            decisions_per_game,
            numbers,
            positions,
            problems,
        })
    }

    pub(super) fn numbers(&self) -> &'static [RecordedNumber] {
        self.numbers
    }

    /// The positions of a split, in the order of games and turns.
    pub fn positions(&self, split: Split) -> &[LoadedPosition] {
        &self.positions[split as usize]
    }
}

/// The key of the deck of a game of a bank. No league's decks, and no training game's, come from this context.
pub(super) fn deck_key(seed: u64, game: u32) -> Key {
    Key::experiment(seed).named("bank deck", u64::from(game))
}
