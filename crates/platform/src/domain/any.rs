//! Domains and games in progress without their types, for the layers above search.

use super::column::{ColumnInfo, HistogramInfo};
use super::decided::Decided;
use super::fault::Fault;
use super::follower::AnyFollower;
use super::kind::{AnyKinds, KindInfo};
use super::metrics::RecordedMetrics;
use super::positions::AnyPositions;
use super::scene::Scene;
use super::score_scale::ScoreScale;
use super::spec::Spec;
use super::terms::{NoOpening, Terms};
use super::time_left::TimeLeft;
use super::view::GameView;
use super::watch::Watch;
use evouct_base::parameter::{Parameter, ParameterError, Value};
use evouct_base::seed::Key;
use evouct_search::game::MAX_SEATS;
use evouct_search::search::Clock;
use std::any::Any;
use std::collections::BTreeMap;

/// Declares what is known of a game whatever its rules, and a method for each part of it.
macro_rules! game_info {
    ($($(#[$doc:meta])+ $name:ident: $type:ty,)+) => {
        /// What is known of a game whatever its rules.
        #[derive(Clone)]
        pub struct GameInfo {
            $($(#[$doc])+ pub $name: $type,)+
        }

        /// A game of which this is known.
        pub trait AnyInfo {
            /// All of it.
            fn info(&self) -> &GameInfo;

            $($(#[$doc])+
            fn $name(&self) -> $type {
                Clone::clone(&self.info().$name)
            })+
        }
    };
}

game_info! {
    /// The name in files.
    name: &'static str,
    /// What the game is.
    about: &'static str,
    /// The options of its rules.
    rules_table: &'static [Parameter],
    /// The [colours](super::Drawing::colours) of the seats.
    colours: [&'static str; MAX_SEATS],
    /// The columns that reports make of recorded metrics.
    columns: Vec<ColumnInfo>,
    /// The names of the numbers that the game gives for a move, each with what it is.
    move_numbers: Vec<(&'static str, &'static str)>,
    /// The same for the further numbers that players may use: [`Domain::RATINGS`](super::Domain::RATINGS).
    ratings: Vec<(&'static str, &'static str)>,
    /// The columns that records keep of searches.
    trace_columns: &'static [ColumnInfo],
    /// The histograms that records keep of searches.
    histograms: &'static [HistogramInfo],
    /// What the columns mean, for the caption of the table of seats.
    caption: &'static str,
    /// [`Domain::UNUSED`](super::Domain::UNUSED).
    unused: Option<(&'static str, char)>,
    /// [`Domain::HOW_TO_PLAY`](super::Domain::HOW_TO_PLAY).
    how_to_play: &'static str,
    /// [`Domain::CHAMPION`](super::Domain::CHAMPION).
    champion: Option<&'static str>,
    /// [`Domain::POINT`](super::Domain::POINT).
    point: &'static str,
    /// How scores become points: [`Domain::PER_POINT`](super::Domain::PER_POINT).
    scale: ScoreScale,
}

/// A domain without its types. `rules` are values of [`rules_table`](AnyInfo::rules_table).
pub trait AnyDomain: AnyKinds + AnyInfo {
    /// Refuses rules that contradict one another.
    ///
    /// # Errors
    /// The option at fault.
    fn check_rules(&self, rules: &[Value]) -> Result<(), ParameterError>;

    /// The number of seats under these rules.
    fn seats(&self, rules: &[Value]) -> usize;

    /// Whether chance decides anything in a game by these rules, as a few random games show.
    fn has_chance(&self, rules: &[Value]) -> bool;

    /// Refuses a player that cannot play under these rules.
    ///
    /// # Errors
    /// Why it cannot.
    fn check_seat(&self, kind: &KindInfo, values: &[Value], rules: &[Value]) -> Result<(), ParameterError>;

    /// A game at its start, between these players.
    fn session(&self, rules: &[Value], deck: Key, players: &[(Spec, Key)]) -> Box<dyn AnySession>;

    /// A game on these terms in which every seat plays the recorded moves. `search` is what searches left behind, by
    /// seat and column, as recorded.
    ///
    /// # Errors
    /// What is wrong in the notation, or as [`AnySession::begin`].
    fn replay(
        &self,
        rules: &[Value],
        deck: Key,
        terms: &Terms,
        moves: &str,
        search: &[BTreeMap<String, f64>],
    ) -> Result<Box<dyn AnySession>, String>;

    /// The decisions of recorded moves on this deck before these turns (counted from 0, ascending), for players to
    /// decide again.
    ///
    /// # Errors
    /// A move that is not legal, a deck that is not the game's, or a turn that the game does not have.
    fn positions(
        &self,
        rules: &[Value],
        deck: Key,
        moves: &str,
        turns: &[u32],
    ) -> Result<Box<dyn AnyPositions>, String>;

    /// A player that follows a game whose moves come from elsewhere. The player must be of this game and be able to
    /// play by these rules.
    fn follow(&self, rules: &[Value]) -> Box<dyn AnyFollower>;

    /// The view of recorded moves.
    ///
    /// # Errors
    /// The first move that is not legal.
    fn view(&self, rules: &[Value], moves: &str) -> Result<GameView, String>;

    /// Pictures of the start of recorded moves and of the position after each turn, as SVG; none without drawings.
    ///
    /// # Errors
    /// The first move that is not legal.
    fn pictures(&self, rules: &[Value], moves: &str) -> Result<Option<Vec<String>>, String>;

    /// The same positions as text, with terminal colours if asked for; none without drawings.
    ///
    /// # Errors
    /// The first move that is not legal.
    fn texts(&self, rules: &[Value], moves: &str, colour: bool) -> Result<Option<Vec<String>>, String>;

    /// Shared SVG definitions of the animations under these rules, once per page.
    fn definitions(&self, rules: &[Value]) -> Option<String>;

    /// The columns of a seat, counted from 0.
    ///
    /// # Errors
    /// If the metrics are not those of the game.
    fn column_values(&self, metrics: &RecordedMetrics, seat: usize) -> Result<Vec<f64>, String>;

    /// The domain with its types.
    fn as_any(&self) -> &dyn Any;
}

/// A game in progress without its types.
pub trait AnySession {
    /// Sets the terms of a game at its start, and plays the moves of its opening. They are no decisions: no turn and no
    /// metric counts them.
    ///
    /// # Errors
    /// A move of the opening that is not legal, or that the game is over after it.
    fn begin(&mut self, terms: &Terms) -> Result<(), String>;

    /// Plays an opening of so many moves at the start of a game. `choose` is told how many legal actions there are, and
    /// chooses one by its place.
    ///
    /// # Errors
    /// Why there is none; the game is of no use then.
    fn draw_opening(&mut self, plies: u32, choose: &mut dyn FnMut(usize) -> usize) -> Result<(), NoOpening>;

    /// The number of moves of the opening.
    fn opening(&self) -> u32;

    /// Whether the limit of its terms ended the game.
    fn is_cut(&self) -> bool;

    /// Lets chance decide until a seat is to play, and returns the seat; none once the game is over.
    fn advance(&mut self) -> Option<usize>;

    /// The number of decisions so far, those of the opening left out.
    fn turns(&self) -> u32;

    /// Prepares the next decision of the seat to play, which takes none of its time: a program is started and told the game.
    /// `time` is what the clock of the seat says. A game without a clock need not prepare.
    ///
    /// # Errors
    /// A fault of a player that is another program, by which the seat loses the game.
    fn prepare(&mut self, time: Option<TimeLeft>) -> Result<(), Fault>;

    /// Lets the seat to play decide. With `explain` it also returns the actions considered. A player may panic.
    ///
    /// # Errors
    /// A fault of a player that is another program, by which the seat loses the game.
    fn decide(&mut self, clock: &dyn Clock, explain: bool) -> Result<Decided, Fault>;

    /// Lets each decision use so many threads, 1 unless this is called. What is decided does not depend on it, unless a
    /// clock limits the player.
    fn use_threads(&mut self, threads: usize);

    /// The action that was decided, in notation, until it is played; one that is not legal as it is in memory.
    ///
    /// # Panics
    /// If the seat to play has not decided.
    fn decided_play(&self) -> String;

    /// Plays what was decided.
    ///
    /// # Errors
    /// Why the decision is against the rules; nothing is played then.
    fn play(&mut self) -> Result<(), String>;

    /// Adds to a list what each seat would score if the game ended here; at its end, what it scores.
    fn add_scores(&self, list: &mut Vec<i32>);

    /// What each seat would score if the game ended here; at its end, what it scores.
    fn scores(&self) -> Vec<i32> {
        let mut scores = Vec::new();
        self.add_scores(&mut scores);
        scores
    }

    /// The scores of the game as it stands, as records keep them: those of [`scores`](AnySession::scores), unless the
    /// game scores its searches.
    fn result(&self) -> Vec<i32>;

    /// The moves so far in notation.
    fn moves(&self) -> String;

    /// The metrics of each seat, as if the game ended here.
    fn metrics(&self) -> Vec<RecordedMetrics>;

    /// What searches left behind, by seat and by the names of [`trace_columns`](AnyInfo::trace_columns); empty where
    /// the game keeps nothing of it.
    fn traces(&self) -> Vec<BTreeMap<String, f64>>;

    /// Histograms of what searches left behind, by seat and by the names of [`histograms`](AnyInfo::histograms).
    fn histograms(&self) -> Vec<BTreeMap<String, Vec<u32>>>;

    /// The position as text, if the game has such a drawing.
    fn text(&self, colour: bool) -> Option<String>;

    /// Plays this legal action of the seat to play, in notation, in place of a decision of its player.
    ///
    /// # Errors
    /// If it is no legal action here.
    fn play_word(&mut self, play: &str) -> Result<(), String>;

    /// This legal action of the seat to play, in notation, in words for people.
    ///
    /// # Errors
    /// If it is no legal action here.
    fn words(&self, play: &str) -> Result<String, String>;

    /// As [`decide`](AnySession::decide) with `explain`, and with the terms of the formula that selects; the search is seen
    /// while it runs, if the player has one that can be seen.
    ///
    /// # Errors
    /// As [`decide`](AnySession::decide).
    fn decide_watched(&mut self, clock: &dyn Clock, watch: &dyn Watch) -> Result<Decided, Fault>;

    /// The names of the [facts](super::Drawing::facts), and the facts of each seat.
    fn facts(&self) -> (&'static [&'static str], Vec<Vec<i64>>);

    /// The position as people see it at a table: of a game without such a drawing its picture or its text, and the legal
    /// actions as a list.
    fn scene(&self) -> Scene;
}
