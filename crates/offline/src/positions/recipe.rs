//! The recipe of a bank: which games, which positions, how moves are valued.

use super::origin::{Extent, Origin};
use super::split::{Split, numbers};
use evouct_base::named::Named;
use evouct_base::parameter::{Parameter, ParameterError, Parameters, Preset, Values};
use evouct_league::config::reader::{TomlTable, read_document, read_file};
use evouct_league::config::{
    ConfigErrors, Contender, FileKind, PYTHON, PythonNeeds, check_name_of, contenders, game_rules,
};
use evouct_platform::domain::{GameRules, Spec};
use evouct_platform::registry;
use std::path::Path;
use std::sync::LazyLock;

/// The most rewards per move in all positions of a game: a game is one line of the bank, and a line has a limit.
const MAX_REWARDS: u64 = 1 << 16;
/// The largest recipe, in bytes.
const MAX_FILE: u64 = 1 << 20;

evouct_base::parameters! {
    /// The keys of a recipe, sections aside.
    struct RecipeKeys {
        /// Name of the bank and of its folder: letters, digits and . _ - :
        name: String = String::new(), required = true, later = Changes;
        /// Description of the bank.
        about: Option<String> = None, later = Changes;
        /// The game.
        game: String = registry::default_game().name().to_owned();
        /// Seed of everything random.
        seed: u64 = 1, values = Values::Count(0, u64::MAX - 1);
        /// Games that positions are taken from.
        games: u32 = 200, values = Values::Count(1, 1_000_000);
        /// Positions taken from each game, at turns drawn at random.
        positions_per_game: u32 = 10, values = Values::Count(1, 1_000);
        /// Rewards of playouts that are recorded per move, for the measure `replay`; 0 for none.
        rewards: u32 = 64, values = Values::Count(0, 4_096);
        /// Orders of what is to come on which the value player plays the game on after each move, for all seats; the
        /// better half of the moves goes on to as many new ones. 0: its search values the moves.
        continuations: u32 = 0, values = Values::Count(0, 100_000);
        /// Seed of the values. Banks that differ only in it have the same positions, valued by other playouts.
        value_seed: u32 = 0, was = "luck";
        /// The only split whose games are made: a calibration and its oracle gain need `test`. Absent: all.
        split: Option<Split> = None;
        /// Defaults of the players: the paper as printed, or the authors' code.
        preset: Preset = Preset::Text;
    }
}

pub(crate) static KEYS: LazyLock<Vec<Parameter>> = LazyLock::new(RecipeKeys::table);

/// How a bank is made.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Its name, also the folder's.
    pub name: String,
    /// The seed.
    pub seed: u64,
    /// Games.
    pub games: u32,
    /// Positions per game.
    pub positions_per_game: u32,
    /// Recorded rewards per move.
    pub rewards: u32,
    /// The rules.
    pub rules: GameRules,
    /// The players: each game is between two of them, in turn.
    pub players: Vec<Spec>,
    /// Orders of what is to come in the first round of continuations; 0 if the value player's search values the moves.
    pub continuations: u32,
    /// The player that values the moves.
    pub value: Spec,
    /// The seed of the values.
    pub value_seed: u32,
    /// The only split whose games are made; none for all.
    pub split: Option<Split>,
    /// What formulas need of Python.
    pub python: PythonNeeds,
    /// The text that it was read from.
    pub toml: String,
}

impl Recipe {
    /// Reads a recipe.
    ///
    /// # Errors
    /// A file that cannot be read, or everything that is wrong in it.
    pub fn load(path: &Path) -> Result<Recipe, ConfigErrors> {
        let (text, file) = read_file(path, MAX_FILE, "recipe")?;
        Recipe::parse(&text, &file)
    }

    /// Reads a recipe from a text; `file` is its name in errors.
    ///
    /// # Errors
    /// Everything that is wrong, with the lines.
    pub fn parse(text: &str, file: &str) -> Result<Recipe, ConfigErrors> {
        read_document(text, file, |table| {
            FileKind::Bank.check(table)?;
            Recipe::read(table, text)
        })
    }

    fn read(table: &TomlTable, text: &str) -> Option<Recipe> {
        let keys = RecipeKeys::read(table.fill(&KEYS, &["rules", "player", "value", PYTHON]).values());
        check_name_of(table);
        let rules = game_rules(table, &keys.game)?;
        let python = PythonNeeds::read(table);
        python.check().unwrap_or_else(|problem| table.note_at(PYTHON, problem));
        let players = contenders(table, "player", keys.preset, &rules, false, check);
        if players.is_empty() {
            table.note("a bank needs at least one [[player]]");
        }
        let mut values = contenders(table, "value", keys.preset, &rules, false, check);
        if values.len() != 1 {
            table.note(format!("a bank needs one [[value]] player, which values the moves; found {}", values.len()));
        }
        let rewards = u64::from(keys.positions_per_game) * u64::from(keys.rewards);
        if rewards > MAX_REWARDS {
            table.note_at(
                "rewards",
                format!(
                    "positions_per_game × rewards is at most {MAX_REWARDS}, because a game is one line; found {rewards}"
                ),
            );
        }
        let value: Contender = values.pop()?;
        let recipe = Recipe {
            name: keys.name,
            seed: keys.seed,
            games: keys.games,
            positions_per_game: keys.positions_per_game,
            rewards: keys.rewards,
            continuations: keys.continuations,
            rules,
            players: players.into_iter().map(|contender| contender.spec).collect(),
            value: value.spec,
            value_seed: keys.value_seed,
            split: keys.split,
            python,
            toml: text.to_owned(),
        };
        if let Some(split) = recipe.split.filter(|_| recipe.numbers().next().is_none()) {
            table.note_at(
                "games",
                format!("none of the games is in the {} split; give the bank more games", split.name()),
            );
        }
        Some(recipe)
    }

    /// The numbers of the games that are made.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> {
        let (seed, split) = (self.seed, self.split);
        numbers(self.games, seed, split)
    }

    /// What determines the bank.
    pub(crate) fn origin(&self) -> Origin {
        let python = self.python.hashes().map(|(name, hash)| format!("{name} {hash}"));
        Origin {
            game: self.rules.domain().name().to_owned(),
            rules: self.rules.arguments(),
            players: self.players.iter().map(Spec::description).chain(python).collect(),
            value: self.value.description(),
            seed: self.seed,
            rewards: self.rewards,
            continuations: self.continuations,
        }
    }

    /// The hash of everything that determines the bank.
    pub fn hash(&self) -> String {
        self.origin().hash(&Extent {
            games: self.games,
            positions_per_game: self.positions_per_game,
            value_seed: self.value_seed,
            split: self.split,
        })
    }
}

/// Refuses players by which a bank would not follow from its recipe.
fn check(player: &Spec) -> Result<(), ParameterError> {
    if player.kind().is_outside() {
        let kind = player.kind().name;
        let problem = format!("kind = {kind}: a bank follows from its recipe alone; expected a player of evouct");
        return Err(ParameterError::of("kind", problem));
    }
    player.check_reproducible()
}
