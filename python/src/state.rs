//! A game in progress, decision by decision.

use crate::arrays::{checked, elements, given_or_new, writable};
use crate::errors::value_error;
use crate::numbers::{self, whole};
use crate::playouts;
use crate::rules::{Rules, names_of};
use evouct::carcassonne::environment::{
    Encoder, Encoding, Episode, EpisodeReward, Frame, NumberedDecision, Numbering, Phase, points,
};
use evouct::carcassonne::{Base, BoardSvg, BoardText, Event, Expanded, Move, TileKind, Transcript, parse_turn};
use evouct::named::Named;
use evouct::sampling::below;
use evouct::seed::{Key, SearchRng, search_rng};
use numpy::ndarray::Dim;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// An episode with the tables that its rules need.
#[derive(Clone)]
pub enum Game {
    Base(Box<Episode<Base>>),
    Expanded(Box<Episode<Expanded>>),
}

/// Calls the same code for both kinds of tables.
#[macro_export]
macro_rules! with_episode {
    ($game:expr, $episode:ident => $code:expr) => {
        match $game {
            $crate::state::Game::Base($episode) => $code,
            $crate::state::Game::Expanded($episode) => $code,
        }
    };
}

/// Where the tiles come from.
#[derive(Clone, Debug, PartialEq)]
enum Source {
    Seed(u64),
    Deck(Vec<u8>),
    Chance,
}

/// A position of a game, and how it came about.
#[pyclass(module = "evouct", from_py_object)]
#[derive(Clone)]
pub struct State {
    /// The rules.
    #[pyo3(get)]
    rules: Rules,
    pub game: Game,
    width: u8,
    source: Source,
    /// Actions and drawn kinds, in order.
    history: Vec<i32>,
    encoders: [Option<Arc<Encoder>>; Encoding::NAMES.len()],
    rng: SearchRng,
}

/// The value of this name.
pub fn named<T: Named + Copy + PartialEq + 'static>(what: &str, name: &str) -> PyResult<T> {
    T::of_name(name).ok_or_else(|| {
        let known: Vec<&str> = T::NAMES.iter().map(|(name, _)| *name).collect();
        value_error(format!("there is no {what} called {name:?}; known: {}", known.join(", ")))
    })
}

impl State {
    fn begin(rules: Rules, source: Source, width: u8) -> PyResult<State> {
        let game = rules.game;
        let is_base = game.are_of_the_base_game();
        let tiles = |deck: &[u8]| deck.iter().map(|kind| TileKind(*kind)).collect::<Vec<TileKind>>();
        let episode = match &source {
            Source::Seed(seed) if is_base => Game::Base(Box::new(Episode::new(game, *seed, width))),
            Source::Seed(seed) => Game::Expanded(Box::new(Episode::new(game, *seed, width))),
            Source::Chance if is_base => Game::Base(Box::new(Episode::open(game, width))),
            Source::Chance => Game::Expanded(Box::new(Episode::open(game, width))),
            Source::Deck(deck) => {
                let wrong =
                    |_| value_error("the deck does not hold the tiles of these rules, those of the river first");
                if is_base {
                    Game::Base(Box::new(Episode::in_order(game, &tiles(deck), width).map_err(wrong)?))
                } else {
                    Game::Expanded(Box::new(Episode::in_order(game, &tiles(deck), width).map_err(wrong)?))
                }
            }
        };
        let seed = if let Source::Seed(seed) = source { seed } else { 0 };
        let rng = search_rng(&mut Key::experiment(seed).named("random decisions", 0).stream());
        Ok(State { rules, game: episode, width, source, history: Vec::new(), encoders: Default::default(), rng })
    }

    fn play(&mut self, action: usize) -> PyResult<()> {
        with_episode!(&mut self.game, episode => episode.step(action)).map_err(value_error)?;
        self.history.push(action as i32);
        Ok(())
    }

    fn draw_kind(&mut self, kind: u8) -> PyResult<()> {
        let drawn = with_episode!(&mut self.game, episode => episode.draw(TileKind(kind)));
        drawn.map_err(|error| value_error(format!("tile {}: {error}", self.kind_name(TileKind(kind)))))?;
        self.history.push(kind.into());
        Ok(())
    }

    /// The number of an action that Python gives.
    fn action_of(&self, value: &Bound<'_, PyAny>) -> PyResult<usize> {
        Ok(whole(value, "action", 0, self.action_count() as i128 - 1)? as usize)
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The width of the window.
    pub fn window_width(&self) -> u8 {
        self.width
    }

    /// What is decided next.
    pub fn next_phase(&self) -> Phase {
        with_episode!(&self.game, episode => episode.phase())
    }

    /// The name of what is decided next.
    pub fn phase_name(&self) -> &'static str {
        match self.next_phase() {
            Phase::Tile => "tile",
            Phase::Figure => "figure",
            Phase::Draw => "chance",
            Phase::End => "end",
        }
    }

    fn encoder(&mut self, encoding: Encoding) -> PyResult<Arc<Encoder>> {
        let kept = &mut self.encoders[encoding as usize];
        if kept.is_none() {
            encoding.check_width(&self.rules.game, self.width).map_err(value_error)?;
        }
        Ok(kept.get_or_insert_with(|| Arc::new(Encoder::new(self.rules.game, encoding, self.width))).clone())
    }

    /// The two actions of a move.
    fn decisions(&self, action: Move) -> PyResult<[usize; 2]> {
        let found = with_episode!(&self.game, episode => episode.decisions(action));
        found.ok_or_else(|| value_error("the move is outside the window"))
    }

    /// The kind of tile with this name.
    fn kind_of(rules: &Rules, name: &str) -> PyResult<TileKind> {
        rules.game.tiles.by_name(name).ok_or_else(|| value_error(format!("there is no tile called {name:?}")))
    }

    fn observer(&self, player: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
        let highest = i128::from(self.rules.game.seats) - 1;
        player.map_or(Ok(self.player()), |player| Ok(whole(player, "player", 0, highest)? as usize))
    }

    fn json(&self) -> Json {
        let (seed, deck) = match &self.source {
            Source::Seed(seed) => (Some(*seed), None),
            Source::Deck(deck) => (None, Some(deck.clone())),
            Source::Chance => (None, None),
        };
        json!({ "rules": self.rules.json(), "width": self.width, "seed": seed, "deck": deck, "history": self.history })
    }

    fn kind_name(&self, kind: TileKind) -> String {
        self.rules.game.tiles.kind(kind).name.clone()
    }
}

#[pymethods]
impl State {
    #[new]
    #[pyo3(signature = (rules = None, seed = None, deck = None, width = None))]
    fn new(
        rules: Option<Rules>,
        #[pyo3(from_py_with = numbers::seed_or_none)] seed: Option<u64>,
        deck: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = numbers::width_or_none)] width: Option<u8>,
    ) -> PyResult<State> {
        let rules = match rules {
            Some(rules) => rules,
            None => Rules::of_json(json!({}))?,
        };
        let width = rules.width(width);
        let source = match (seed, deck) {
            (Some(_), Some(_)) => return Err(value_error("expected a seed or a deck, found both")),
            (Some(seed), None) => Source::Seed(seed),
            (None, None) => Source::Chance,
            (None, Some(deck)) => {
                let names = names_of("deck", deck)?;
                let kinds = names.iter().map(|name| Ok(State::kind_of(&rules, name)?.0));
                Source::Deck(kinds.collect::<PyResult<_>>()?)
            }
        };
        State::begin(rules, source, width)
    }

    /// The position after these moves in the notation of records, with this tile in hand. Chance is decided from
    /// outside. `notation` is read too: the rules in brackets, which must be these, and `?V` for the tile in hand.
    #[staticmethod]
    #[pyo3(signature = (rules, moves, drawn = None, width = None))]
    fn from_notation(
        rules: Rules,
        moves: &str,
        drawn: Option<&str>,
        #[pyo3(from_py_with = numbers::width_or_none)] width: Option<u8>,
    ) -> PyResult<State> {
        let width = rules.width(width);
        let header = Transcript { rules: rules.game, events: Vec::new(), hand: None, scores: None }.to_string();
        let has_header = moves.trim_start().starts_with('[');
        let text = if has_header { moves.to_owned() } else { format!("{header} {moves}") };
        let transcript: Transcript = text.parse().map_err(value_error)?;
        let found = Transcript { events: Vec::new(), hand: None, scores: None, ..transcript.clone() }.to_string();
        if found != header {
            return Err(value_error(format!("expected a game by the rules {header}, found {found}")));
        }
        let drawn = drawn.map(|name| State::kind_of(&rules, name)).transpose()?;
        if transcript.scores.is_some() {
            return Err(value_error("expected moves, found scores"));
        }
        if drawn.is_some() && transcript.hand.is_some() && drawn != transcript.hand {
            return Err(value_error("the tile in hand is given twice, and not the same one"));
        }
        let mut state = State::begin(rules, Source::Chance, width)?;
        for (number, event) in transcript.events.into_iter().enumerate() {
            let wrong = |problem: PyErr| value_error(format!("move {}: {problem}", number + 1));
            match event {
                Event::SetAside(tile) => {
                    state.draw_kind(tile.0).map_err(wrong)?;
                    if state.next_phase() == Phase::Tile {
                        return Err(wrong(value_error("the tile fits somewhere and cannot be set aside")));
                    }
                }
                Event::Turn(turn) => {
                    state.draw_kind(turn.tile.0).map_err(wrong)?;
                    for decision in state.decisions(turn.action).map_err(wrong)? {
                        state.play(decision).map_err(wrong)?;
                    }
                }
            }
        }
        if let Some(kind) = drawn.or(transcript.hand) {
            state.draw_kind(kind.0)?;
        }
        Ok(state)
    }

    /// The two actions of a legal move in the notation of records (`V@1,1r0:rN`), in the phase `tile`.
    fn turn_actions(&self, word: &str) -> PyResult<(usize, usize)> {
        let turn = parse_turn(word, self.rules.game.tiles).map_err(value_error)?;
        if self.next_phase() != Phase::Tile
            || with_episode!(&self.game, episode => episode.state().hand()) != Some(turn.tile)
        {
            return Err(value_error(format!("{word}: the tile is not in hand")));
        }
        let legal = with_episode!(&self.game, episode => episode.state().check(turn.action));
        legal.map_err(|error| value_error(format!("{word}: {error}")))?;
        let [tile, figure] = self.decisions(turn.action)?;
        Ok((tile, figure))
    }

    /// What is decided next: `tile`, `figure`, `chance` or `end`.
    #[getter]
    fn phase<'py>(&self, py: Python<'py>) -> &Bound<'py, PyString> {
        // These texts are asked for before every decision, so they are made once.
        match self.next_phase() {
            Phase::Tile => intern!(py, "tile"),
            Phase::Figure => intern!(py, "figure"),
            Phase::Draw => intern!(py, "chance"),
            Phase::End => intern!(py, "end"),
        }
    }

    /// The seat to act, from 0.
    #[getter]
    fn player(&self) -> usize {
        with_episode!(&self.game, episode => episode.state().player())
    }

    /// The width of the window, in cells.
    #[getter]
    fn width(&self) -> u8 {
        self.width
    }

    /// Whether the game is over.
    #[getter]
    fn terminated(&self) -> bool {
        with_episode!(&self.game, episode => episode.is_terminated())
    }

    /// Whether the episode ended before the game, because the window is too small.
    #[getter]
    fn truncated(&self) -> bool {
        with_episode!(&self.game, episode => episode.is_truncated())
    }

    /// The points so far; the final ones once the game is over.
    #[getter]
    fn scores(&self) -> Vec<u16> {
        with_episode!(&self.game, episode => points(episode))[..usize::from(self.rules.game.seats)].to_vec()
    }

    /// The points if the game ended now.
    #[getter]
    fn potential_scores(&self) -> Vec<u16> {
        let scores = with_episode!(&self.game, episode => episode.state().virtual_scores());
        scores[..usize::from(self.rules.game.seats)].to_vec()
    }

    /// The tile in hand.
    #[getter]
    fn drawn(&self) -> Option<String> {
        with_episode!(&self.game, episode => episode.state().hand()).map(|kind| self.kind_name(kind))
    }

    /// The kind of the tile in hand, by number.
    #[getter]
    fn drawn_kind(&self) -> Option<u8> {
        with_episode!(&self.game, episode => episode.state().hand()).map(|kind| kind.0)
    }

    /// The number of tiles that are not drawn yet.
    #[getter]
    fn tiles_left(&self) -> u8 {
        with_episode!(&self.game, episode => episode.state().tiles_left())
    }

    /// The number of turns so far.
    #[getter]
    fn turns(&self) -> usize {
        with_episode!(&self.game, episode => episode.state().turns().len())
    }

    /// Actions and drawn kinds, in order.
    #[getter]
    fn history(&self) -> Vec<i32> {
        self.history.clone()
    }

    /// The number of actions of this window.
    #[getter]
    fn action_count(&self) -> usize {
        Numbering { width: self.width.into() }.count()
    }

    /// The kinds that can be drawn, with their probabilities. Empty unless chance decides.
    fn chance_outcomes(&self) -> Vec<(u8, f64)> {
        if self.next_phase() != Phase::Draw {
            return Vec::new();
        }
        let counts: Vec<(TileKind, u8)> =
            with_episode!(&self.game, episode => episode.state().draw_outcomes().collect());
        let all: f64 = counts.iter().map(|(_, count)| f64::from(*count)).sum();
        counts.into_iter().map(|(kind, count)| (kind.0, f64::from(count) / all)).collect()
    }

    /// Draws a tile of this kind.
    fn apply_chance(&mut self, kind: &Bound<'_, PyAny>) -> PyResult<()> {
        let highest = self.rules.game.tiles.kinds().len() as i128 - 1;
        self.draw_kind(whole(kind, "kind", 0, highest)? as u8)
    }

    /// Draws a tile at random, and returns its kind.
    fn draw(&mut self) -> PyResult<u8> {
        let outcomes: Vec<(TileKind, u8)> =
            with_episode!(&self.game, episode => episode.state().draw_outcomes().collect());
        let all: usize = outcomes.iter().map(|(_, count)| usize::from(*count)).sum();
        if self.next_phase() != Phase::Draw || all == 0 {
            return Err(value_error(format!("no tile is drawn in the phase {}", self.phase_name())));
        }
        let mut left = below(&mut self.rng, all);
        for (kind, count) in outcomes {
            if left < usize::from(count) {
                self.draw_kind(kind.0)?;
                return Ok(kind.0);
            }
            left -= usize::from(count);
        }
        unreachable!("the number is below the sum of the counts")
    }

    /// The numbers of the legal actions.
    fn legal_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let mut legal = Vec::new();
        with_episode!(&self.game, episode => episode.each_legal(|number| legal.push(number as i32)));
        PyArray1::from_vec(py, legal)
    }

    /// By action: 1 if it is legal. Written to `out`, or to a new array.
    #[pyo3(signature = (out = None))]
    fn action_mask<'py>(&self, py: Python<'py>, out: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let array = given_or_new(py, "out", out, Dim(self.action_count()))?;
        {
            let mut memory = writable("out", &array)?;
            let mask: &mut [i8] = elements(&mut memory)?;
            mask.fill(0);
            with_episode!(&self.game, episode => episode.each_legal(|number| mask[number] = 1));
        }
        Ok(array)
    }

    /// A legal action, each equally likely.
    fn random_action(&mut self) -> PyResult<usize> {
        let legal = with_episode!(&self.game, episode => episode.legal());
        if legal.is_empty() {
            return Err(value_error(format!("there are no actions in the phase {}", self.phase_name())));
        }
        Ok(legal[below(&mut self.rng, legal.len())])
    }

    /// Takes an action.
    fn apply(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        self.play(self.action_of(action)?)
    }

    /// The rewards of all players if this state was just reached: of the outcome (`outcome`, `margin`, `rank`).
    #[pyo3(signature = (reward = "outcome"))]
    fn rewards(&self, reward: &str) -> PyResult<Vec<f32>> {
        let reward: EpisodeReward = named("reward", reward)?;
        if reward == EpisodeReward::ScoreDelta {
            return Err(value_error("score-delta needs the position before; expected outcome, margin or rank"));
        }
        let mut rewards = vec![0.0; self.rules.game.seats.into()];
        with_episode!(&self.game, episode => reward.write(episode, &points(episode), &mut rewards));
        Ok(rewards)
    }

    /// The board as a player sees it.
    #[pyo3(signature = (encoding = "compact", player = None, out = None))]
    fn observation<'py>(
        &mut self,
        py: Python<'py>,
        encoding: &str,
        player: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let observer = self.observer(player)?;
        let encoder = self.encoder(named("encoding", encoding)?)?;
        let array = given_or_new(py, "out", out, Dim(encoder.board_shape()))?;
        {
            let mut memory = writable("out", &array)?;
            let board = elements(&mut memory)?;
            with_episode!(&self.game, episode => encoder.write_board(episode, observer, board));
        }
        Ok(array)
    }

    /// The numbers beside the board as a player sees them.
    #[pyo3(name = "globals", signature = (player = None, out = None))]
    fn global<'py>(
        &mut self,
        py: Python<'py>,
        player: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<i16>>> {
        let observer = self.observer(player)?;
        let encoder = self.encoder(Encoding::Compact)?;
        let array = given_or_new(py, "out", out, Dim(encoder.global_len()))?;
        {
            let mut memory = writable("out", &array)?;
            let numbers = elements(&mut memory)?;
            with_episode!(&self.game, episode => encoder.write_global(episode, observer, numbers));
        }
        Ok(array)
    }

    /// Board, mask and numbers in one call, each written to an array of the caller.
    fn observe_into(
        &mut self,
        encoding: &str,
        player: &Bound<'_, PyAny>,
        board: &Bound<'_, PyAny>,
        mask: &Bound<'_, PyAny>,
        numbers: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let observer = self.observer(Some(player))?;
        let encoder = self.encoder(named("encoding", encoding)?)?;
        let (actions, globals) = (encoder.numbering().count(), encoder.global_len());
        let mut board = writable("board", &checked("board", board, Dim(encoder.board_shape()))?)?;
        let mut mask = writable("mask", &checked("mask", mask, Dim(actions))?)?;
        let mut numbers = writable("numbers", &checked("numbers", numbers, Dim(globals))?)?;
        let (board, mask) = (elements(&mut board)?, elements(&mut mask)?);
        let frame = Frame { board, mask, global: elements(&mut numbers)? };
        with_episode!(&self.game, episode => encoder.write(episode, observer, frame));
        Ok(())
    }

    /// An action in words: the notation of the cell and rotation, or of the figure.
    fn action_text(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        let action = self.action_of(action)?;
        let decision = with_episode!(&self.game, episode => {
            let cell = |x, y| episode.window().cell(x, y);
            match episode.numbering().decision(action) {
                None => None,
                Some(NumberedDecision::Place { x, y, rotation }) => {
                    Some(cell(x, y).map_or_else(String::new, |cell| format!("{},{}r{rotation}", cell.x, cell.y)))
                }
                Some(NumberedDecision::NoFigure) => Some("none".to_owned()),
                Some(NumberedDecision::Recall) => Some("recall".to_owned()),
                Some(NumberedDecision::Figure { figure, slot }) => Some(format!("{figure:?} on {slot}").to_lowercase()),
            }
        });
        decision.ok_or_else(|| value_error(format!("there is no action {action}")))
    }

    /// A copy.
    #[pyo3(name = "clone")]
    fn copied(&self) -> State {
        self.clone()
    }

    fn __copy__(&self) -> State {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> State {
        self.clone()
    }

    /// The rules, the source of the tiles, and all actions. The generator of `random_action` is not kept.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.json().to_string().as_bytes())
    }

    /// The state that `to_bytes` wrote.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<State> {
        let json: Json = serde_json::from_slice(bytes).map_err(value_error)?;
        let wrong = || value_error("these bytes are not of a state");
        let rules = Rules::of_json(json["rules"].clone())?;
        let below = |value: &Json, end: usize| {
            let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
            number.filter(|number| *number < end).ok_or_else(wrong)
        };
        let width = below(&json["width"], 256)? as u8;
        if !numbers::WIDTHS.contains(&width) {
            return Err(wrong());
        }
        let kinds = rules.game.tiles.kinds().len();
        let source = match (&json["seed"], &json["deck"]) {
            (Json::Number(seed), Json::Null) => Source::Seed(seed.as_u64().ok_or_else(wrong)?),
            (Json::Null, Json::Null) => Source::Chance,
            (Json::Null, Json::Array(deck)) => {
                Source::Deck(deck.iter().map(|kind| Ok(below(kind, kinds)? as u8)).collect::<PyResult<_>>()?)
            }
            _ => return Err(wrong()),
        };
        let mut state = State::begin(rules, source, width)?;
        for step in json["history"].as_array().ok_or_else(wrong)? {
            if state.next_phase() == Phase::Draw {
                state.draw_kind(below(step, kinds)? as u8)?;
            } else {
                state.play(below(step, state.action_count())?)?;
            }
        }
        Ok(state)
    }

    fn __reduce__<'py>(slf: &Bound<'py, State>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((slf.get_type().getattr("from_bytes")?, (slf.borrow().to_bytes(slf.py()),)))
    }

    fn __eq__(&self, other: &State) -> bool {
        self.json() == other.json()
    }

    /// The game so far in notation.
    fn notation(&self) -> String {
        with_episode!(&self.game, episode => episode.transcript().to_string())
    }

    /// The board as text, without the tile whose figure is decided.
    fn text(&self) -> String {
        with_episode!(&self.game, episode => BoardText::plain(episode.state()).to_string())
    }

    /// The board as SVG, without the tile whose figure is decided.
    fn svg(&self) -> String {
        with_episode!(&self.game, episode => BoardSvg::new(episode.state()).to_string())
    }

    /// The final scores of random games from here, one row per game: at most 100 million, on at most 1024 threads.
    #[pyo3(signature = (n, seed = 0, threads = 1))]
    fn playouts<'py>(
        &self,
        py: Python<'py>,
        n: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
        #[pyo3(from_py_with = numbers::threads)] threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let (n, seats) = (playouts::count(n)?, usize::from(self.rules.game.seats));
        let scores = playouts::scores(py, self.game.clone(), (n, seats), seed, threads)?;
        PyArray1::from_vec(py, scores).reshape([n, seats])
    }

    fn __repr__(&self) -> String {
        format!(
            "<State {}: turn {}, player {}, scores {:?}>",
            self.phase_name(),
            self.turns(),
            self.player(),
            self.scores()
        )
    }
}
