//! The contract of a domain.

use super::drawing::{Drawing, NoDrawing};
use super::evaluation::EvaluationParameters;
use super::metrics::Metrics;
use super::notation::{DebugNotation, Notation};
use super::rater::NamedRater;
use super::trace::{NoTrace, Trace};
use evouct_base::named::Named;
use evouct_base::parameter::{ParameterError, Parameters};
use evouct_base::seed::{Key, search_rng};
use evouct_search::game::{Deck, Evaluation, Game, MoveNumber, Playout, Turn};
use std::fmt::Debug;

/// What a [point](Domain::POINT) is in games that are won, lost or drawn.
pub const GAME_WON: &str = "a game won";

/// A game with everything that leagues, records and reports need of it. The type itself is an empty marker.
///
/// Required are the types, `NAME`, `ABOUT` and `start`. Everything else has a default that works for any game; a game
/// can replace it. Four parts have contracts of their own:
///
/// | part | what it is | default | who needs another |
/// |---|---|---|---|
/// | [`Metrics`](Domain::Metrics) | what is counted of a seat | `()`: nothing | games whose reports have columns of their own |
/// | [`NOTATION`](Domain::NOTATION) | how moves are written | [`DebugNotation`] | games with an established or shorter notation |
/// | [`DRAWING`](Domain::DRAWING) | what people see | [`NoDrawing`] | games that are watched, or played at the table |
/// | [`TRACE`](Domain::TRACE) | what records keep of searches | [`NoTrace`] | games that study search itself |
///
/// [`check_domain`](super::check_domain) tests whether a game keeps the contract.
pub trait Domain: Copy + Debug + Default + PartialEq + Send + Sync + 'static {
    /// Its positions.
    type Game: Game + 'static;
    /// The options of its rules: the keys of `[rules]`.
    type Rules: Parameters + Clone;
    /// The default policies of playouts, by name. A game without any of its own uses [`Uniform`](evouct_search::game::Uniform).
    type Playout: Playout<Self::Game> + Named + Default;
    /// The evaluations of positions for *-minimax, as parameters of a player. A game without any uses
    /// [`ScoreLead`](super::ScoreLead).
    type Evaluation: EvaluationParameters<Self::Game>;
    /// What is counted of a seat during a game; `()` if nothing is.
    type Metrics: Metrics<Self::Game>;

    /// The name in files: `game = "…"`.
    const NAME: &'static str;
    /// What it is, in one sentence.
    const ABOUT: &'static str;
    /// What a point is ([`GAME_WON`] where a game is won or lost), as in "a difference of 1 is …"; empty where the game itself has points.
    const POINT: &'static str = "";
    /// How many of the whole numbers that the game scores in are a point. Rewards and records have the whole numbers;
    /// people, tables and tests read points.
    const PER_POINT: u32 = 1;
    /// What the score and the columns of seats mean, for the caption of the table of seats.
    const CAPTION: &'static str = "";
    /// The rules for people who play: short paragraphs, a line each.
    const HOW_TO_PLAY: &'static str = "";
    /// The strongest player that is known, as `--player` takes it, without a budget.
    const CHAMPION: Option<&'static str> = None;
    /// What a draw of chance is that no seat can act on, in the plural, and how a word of moves for one begins.
    const UNUSED: Option<(&'static str, char)> = None;
    /// How moves are written.
    const NOTATION: &'static dyn Notation<Self::Game> = &DebugNotation;
    /// What people see of a game.
    const DRAWING: &'static dyn Drawing<Self::Game> = &NoDrawing;
    /// What records keep of searches.
    const TRACE: &'static dyn Trace<Self::Game> = &NoTrace;
    /// Numbers that the game computes for an action before it is played.
    const MOVE_NUMBERS: &'static [MoveNumber<Self::Game>] = &[];
    /// Further numbers that formulas may use: whole ratings of an action, evaluations of the position after it, and what
    /// else is not asked for by most formulas. The starter file of an evolution does not list them, nor do banks.
    const RATINGS: &'static [MoveNumber<Self::Game>] = &[];
    /// Ratings by which a player without search plays, each a kind of player.
    const RATERS: &'static [NamedRater<Self::Game>] = &[];
    /// The evaluation of positions that the reward `evaluation` uses.
    const EVALUATION: Option<&'static dyn Evaluation<Self::Game>> = None;

    /// [`MOVE_NUMBERS`](Domain::MOVE_NUMBERS), for a type whose games are not known before the program runs.
    fn move_numbers() -> &'static [MoveNumber<Self::Game>] {
        Self::MOVE_NUMBERS
    }

    /// Refuses rules that contradict one another.
    ///
    /// # Errors
    /// Which option, what was found, what was expected.
    fn check_rules(_rules: &Self::Rules) -> Result<(), ParameterError> {
        Ok(())
    }

    /// The position at the start of a game.
    fn start(rules: &Self::Rules) -> Self::Game;

    /// The number of seats under these rules.
    fn seats(rules: &Self::Rules) -> usize {
        Self::start(rules).seats()
    }

    /// The order of all chance outcomes of a game, from its key.
    fn deck(rules: &Self::Rules, key: Key) -> <Self::Game as Game>::Deck {
        Deck::shuffled(&Self::start(rules), &mut search_rng(&mut key.stream()))
    }

    /// Decisions that the seat to play still has to make, this one included: an estimate, by which a budget of time for
    /// a game is shared.
    fn turns_left(_game: &Self::Game) -> u32 {
        10
    }

    /// Refuses an illegal action.
    ///
    /// # Errors
    /// Why it is illegal.
    fn check(game: &Self::Game, action: <Self::Game as Game>::Action) -> Result<(), String> {
        let mut actions = Vec::new();
        game.actions(&mut actions);
        if actions.contains(&action) { Ok(()) } else { Err(format!("{action:?} is not one of the legal actions")) }
    }

    /// Whether a game between players ends here: at the end of the game, unless a domain ends it earlier, although
    /// searches look further ahead.
    fn is_over(game: &Self::Game) -> bool {
        game.turn() == Turn::Terminal
    }

    /// Computes numbers of many actions of one position: see [`FillMoveNumbers`](evouct_search::game::FillMoveNumbers).
    /// `wanted` are places in [`MOVE_NUMBERS`](Domain::MOVE_NUMBERS) and, counted on from them, in
    /// [`RATINGS`](Domain::RATINGS). Replace it if the game can compute them together: search calls it once for every
    /// node of its tree.
    fn fill_move_numbers(
        game: &Self::Game,
        actions: &[<Self::Game as Game>::Action],
        wanted: &[usize],
        scratch: &mut Self::Game,
        columns: &mut [Vec<f64>],
    ) {
        for (column, number) in columns.iter_mut().zip(wanted) {
            let number = Self::move_numbers().iter().chain(Self::RATINGS).nth(*number);
            let value = number.expect("the number is one of the game's").value;
            column.extend(actions.iter().map(|action| value(game, *action, scratch)));
        }
    }
}
