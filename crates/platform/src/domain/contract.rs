//! The contract of a domain.

use super::column::{Column, ColumnInfo, HistogramInfo};
use super::evaluation::EvaluationParameters;
use super::grid::{Grid, GridCell};
use super::grid_scene::grid_scene;
use super::notation::{self, Step};
use super::rater::NamedRater;
use super::scene::Scene;
use super::view;
use evouct_base::named::Named;
use evouct_base::parameter::{ParameterError, Parameters};
use evouct_base::seed::{Key, search_rng};
use evouct_search::game::{Deck, Evaluation, Game, MoveNumber, Playout, Scores, Turn};
use evouct_search::player::{Decision, TreeEdge};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// A game with everything that leagues, records and reports need of it. The type itself is an empty marker.
///
/// Required are the types, `NAME`, `ABOUT` and `start`. Everything else has a default that works for any game; a game
/// can replace it. [`check_domain`](super::check_domain) tests whether a game keeps the contract.
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
    /// What is counted of a seat during a game, as stored in records. `()` if nothing is counted.
    type Metrics: Serialize + DeserializeOwned + Clone + Default + Debug + Send;

    /// The name in files: `game = "…"`.
    const NAME: &'static str;
    /// What it is, in one sentence.
    const ABOUT: &'static str;
    /// The columns that reports make of [`Metrics`](Domain::Metrics).
    const COLUMNS: &'static [Column<Self::Metrics>] = &[];
    /// The columns that [`traced`](Domain::traced) fills. With at least one of them, every search reports the actions
    /// of its root.
    const TRACE: &'static [ColumnInfo] = &[];
    /// The histograms that [`traced_tree`](Domain::traced_tree) fills.
    const HISTOGRAMS: &'static [HistogramInfo] = &[];
    /// Whether [`traced_tree`](Domain::traced_tree) is told the trees of searches. The game must have a column in
    /// [`TRACE`](Domain::TRACE) then.
    const TRACES_TREE: bool = false;
    /// What the columns mean, for the caption of the table of seats.
    const CAPTION: &'static str = "";
    /// What 1 of the score is, as in "a difference of 1 is …"; empty where the game itself has points.
    const POINT: &'static str = "";
    /// Numbers that the game computes for an action before it is played.
    const MOVE_NUMBERS: &'static [MoveNumber<Self::Game>] = &[];
    /// Further numbers that formulas of players may use: whole ratings of an action and evaluations of the position
    /// after it. Evolution before play does not draw them.
    const RATINGS: &'static [MoveNumber<Self::Game>] = &[];
    /// Ratings by which a player without search plays, each a kind of player.
    const RATERS: &'static [NamedRater<Self::Game>] = &[];
    /// The evaluation of positions that the reward `evaluation` uses.
    const EVALUATION: Option<&'static dyn Evaluation<Self::Game>> = None;
    /// The names of the [`facts`](Domain::facts) of a seat.
    const FACTS: &'static [&'static str] = &["score"];

    /// Refuses rules that contradict one another.
    ///
    /// # Errors
    /// Which option, what was found, what was expected.
    fn check_rules(_rules: &Self::Rules) -> Result<(), ParameterError> {
        Ok(())
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
            let number = Self::MOVE_NUMBERS.iter().chain(Self::RATINGS).nth(*number);
            let value = number.expect("the number is one of the game's").value;
            column.extend(actions.iter().map(|action| value(game, *action, scratch)));
        }
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

    /// An action in notation, in the position before it: a word without spaces. Different actions of one position have
    /// different words.
    ///
    /// The default is what `{:?}` prints. Records hold these words: after a change of them, old records cannot be read.
    fn write_action(_game: &Self::Game, action: <Self::Game as Game>::Action) -> String {
        notation::word(&action)
    }

    /// A chance outcome in notation, in the position before it, as [`write_action`](Domain::write_action) writes
    /// actions.
    fn write_outcome(_game: &Self::Game, outcome: <Self::Game as Game>::Outcome) -> String {
        notation::word(&outcome)
    }

    /// The moves of a game in notation, as stored in records.
    fn write_moves(rules: &Self::Rules, steps: &[Step<Self::Game>]) -> String {
        notation::write::<Self>(rules, steps)
    }

    /// Reads what [`write_moves`](Domain::write_moves) wrote.
    ///
    /// # Errors
    /// The first word that is no move of the position, with its number.
    fn read_moves(rules: &Self::Rules, text: &str) -> Result<Vec<Step<Self::Game>>, String> {
        notation::read::<Self>(rules, text)
    }

    /// Lets chance decide by the deck, and counts what it brought, by seat. Must be chance's turn.
    fn deal(
        game: &mut Self::Game,
        deck: &mut <Self::Game as Game>::Deck,
        _metrics: &mut [Self::Metrics],
    ) -> <Self::Game as Game>::Outcome {
        deck.deal(game)
    }

    /// Plays a legal action and updates the metrics, by seat.
    fn play(game: &mut Self::Game, action: <Self::Game as Game>::Action, _metrics: &mut [Self::Metrics]) {
        game.play(action);
    }

    /// Adds up what the search of a decision left behind: its playouts and nodes, the actions at its root with visits
    /// and means, the formula that it evolved. `columns` are those of the seat that decided, in the order of
    /// [`TRACE`](Domain::TRACE).
    fn traced(_game: &Self::Game, _decision: &Decision<<Self::Game as Game>::Action>, _columns: &mut [f64]) {}

    /// As [`traced`](Domain::traced), with the tree that the search left: its edges in the order in which they were
    /// tried; none from a player without a tree. `histograms` are the counts by bin of each of
    /// [`HISTOGRAMS`](Domain::HISTOGRAMS).
    fn traced_tree(
        _game: &Self::Game,
        _decision: &Decision<<Self::Game as Game>::Action>,
        _tree: &[TreeEdge<<Self::Game as Game>::Action>],
        _columns: &mut [f64],
        _histograms: &mut [Vec<u32>],
    ) {
    }

    /// Whether a game between players ends here: at the end of the game, unless a domain ends it earlier, although
    /// searches look further ahead.
    fn is_over(game: &Self::Game) -> bool {
        game.turn() == Turn::Terminal
    }

    /// The scores of a game between players, where it ended. A domain may score what the searches left behind, by seat
    /// the columns of [`TRACE`](Domain::TRACE).
    fn result(game: &Self::Game, _traces: &[Vec<f64>]) -> Scores {
        game.scores()
    }

    /// Updates the metrics at the end of a game, by seat.
    fn finish(_game: &Self::Game, _metrics: &mut [Self::Metrics]) {}

    /// Numbers about a seat that a spectator sees, as [`FACTS`](Domain::FACTS) names them.
    fn facts(game: &Self::Game, seat: usize) -> Vec<i64> {
        vec![game.scores()[seat].into()]
    }

    /// The board of a game of pieces on square cells. Text, drawing and scene are made of it, so such a game needs no
    /// others.
    fn grid(_game: &Self::Game) -> Option<Grid> {
        None
    }

    /// The cells from which and to which an action moves a piece on that board.
    fn grid_move(_game: &Self::Game, _action: <Self::Game as Game>::Action) -> Option<[GridCell; 2]> {
        None
    }

    /// The position as text, with terminal colours if asked for.
    fn text(game: &Self::Game, colour: bool) -> Option<String> {
        Self::grid(game).map(|grid| grid.text(colour))
    }

    /// The position as an SVG document.
    fn svg(game: &Self::Game) -> Option<String> {
        Self::grid(game).map(|grid| grid.svg())
    }

    /// The position as people see it at a table, where they choose among the legal actions.
    fn scene(game: &Self::Game) -> Option<Scene> {
        grid_scene::<Self>(game)
    }

    /// A picture of the start and of the position after every turn, as SVG documents; none for a game without drawings.
    fn pictures(rules: &Self::Rules, steps: &[Step<Self::Game>]) -> Option<Vec<String>> {
        view::pictures::<Self>(rules, steps)
    }

    /// Shared definitions of the animations under these rules: an SVG element that shows nothing, once per page.
    fn definitions(_rules: &Self::Rules) -> Option<String> {
        None
    }

    /// All positions of a game in one SVG document, whose parts say by `data-from` and `data-until` after which turns
    /// they are shown.
    fn animation(rules: &Self::Rules, steps: &[Step<Self::Game>]) -> Option<String> {
        view::frames::<Self>(rules, steps)
    }
}
