//! Players that search.

use crate::errors::value_error;
use crate::numbers;
use crate::signals::interruptible;
use crate::state::{Game, State};
use evouct::carcassonne::environment::{Episode, Phase};
use evouct::carcassonne::{self, Base, Edition, Expanded, Move};
use evouct::clock::WallClock;
use evouct::domain::Spec;
use evouct::parameter::Preset;
use evouct::player::{Player as Controller, PlayerView};
use evouct::registry;
use evouct::search::{Observer, SearchProgress};
use evouct::seed::{Key, search_rng};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, TryLockError};

type Boxed<E> = Box<dyn Controller<evouct::carcassonne::State<E>>>;

/// A controller with the tables that the rules of its game need.
enum Seated {
    Base(Boxed<Base>),
    Expanded(Boxed<Expanded>),
}

/// A player: `kind` or `kind:key=value,key=value`, as `evouct play` takes it. It lives for one game. Other programs and
/// people are none of these players. After a decision that Ctrl-C has ended, a new player of the same seed goes on.
#[pyclass(module = "evouct", frozen)]
pub struct Player {
    spec: Spec,
    key: Key,
    seated: Mutex<Option<Seated>>,
}

/// An action of the two parts of a turn, with the visits and the mean reward of the search.
type Candidate = ((usize, usize), f64, f64);

/// A parameter of all kinds that search. Others decide at once, and a thread would take longer than they.
const OF_SEARCHES: &str = "time_per_move";

/// Ends a search whose caller was interrupted.
struct Stop<'a>(&'a AtomicBool);

impl<Action> Observer<Action> for Stop<'_> {
    fn look(&self, _: &dyn Fn() -> SearchProgress<Action>) {
        if self.0.load(Ordering::Relaxed) {
            resume_unwind(Box::new("the search was stopped"));
        }
    }
}

/// Both decisions of a turn, and all turns that were considered. None for a cell outside the window.
type Decided = Option<((usize, usize), Vec<Candidate>)>;

/// Decides in the phase of tiles, with all that was considered if it is asked for.
fn decide<E: Edition>(
    player: &mut Boxed<E>,
    episode: &Episode<E>,
    key: &Key,
    explain: bool,
    stop: &AtomicBool,
) -> Decided {
    let deck = episode.upcoming(&mut search_rng(&mut key.named("unknown deck", 0).stream()));
    let state = episode.state();
    let clock = WallClock::start();
    let turns_left = u32::from(state.tiles_left()) / u32::from(state.rules().seats) + 1;
    let observer = Some(&Stop(stop) as &dyn Observer<Move>);
    let position = PlayerView { turns_left, clock: &clock, explain, observer, ..PlayerView::of(state, &deck) };
    let decision = player.decide(&position);
    let numbers = |action: Move| episode.decisions(action).map(|[tile, figure]| (tile, figure));
    let considered = decision.considered.iter();
    let candidates = considered.filter_map(|child| Some((numbers(child.action)?, child.visits, child.mean)));
    Some((numbers(decision.action)?, candidates.collect()))
}

impl Player {
    fn ask(&self, py: Python<'_>, state: &State, explain: bool) -> PyResult<((usize, usize), Vec<Candidate>)> {
        if state.next_phase() != Phase::Tile {
            return Err(value_error(format!("a player decides in the phase tile, found {}", state.phase_name())));
        }
        state.rules().options().check_player(&self.spec).map_err(value_error)?;
        let mut place = match self.seated.try_lock() {
            Ok(place) => place,
            Err(TryLockError::Poisoned(place)) => place.into_inner(),
            Err(TryLockError::WouldBlock) => return Err(PyRuntimeError::new_err("the player is deciding already")),
        };
        let (seated, game) = (place.take(), state.game.clone());
        let (spec, key) = (self.spec.clone(), self.key);
        // A player whose decision was interrupted, or that has played with the other kind of tile set, is replaced by a
        // new one.
        let work = move |stop: &AtomicBool| match (seated, game) {
            (seated, Game::Base(episode)) => {
                let mut player = match seated {
                    Some(Seated::Base(player)) => player,
                    _ => carcassonne::player::<Base>(&spec, key),
                };
                let decided = decide(&mut player, &episode, &key, explain, stop);
                (Seated::Base(player), decided)
            }
            (seated, Game::Expanded(episode)) => {
                let mut player = match seated {
                    Some(Seated::Expanded(player)) => player,
                    _ => carcassonne::player::<Expanded>(&spec, key),
                };
                let decided = decide(&mut player, &episode, &key, explain, stop);
                (Seated::Expanded(player), decided)
            }
        };
        let searches = self.spec.kind().table.iter().any(|row| row.name == OF_SEARCHES);
        let (seated, decided) =
            if searches { interruptible(py, work)? } else { py.detach(|| work(&AtomicBool::new(false))) };
        *place = Some(seated);
        decided.ok_or_else(|| value_error("the player decided for a cell outside the window"))
    }
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (spec, seed = 0, seat = 0))]
    fn new(
        spec: &str,
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
        #[pyo3(from_py_with = numbers::seat)] seat: usize,
    ) -> PyResult<Player> {
        let spec = Spec::parse(registry::default_game(), spec, Preset::Text).map_err(value_error)?;
        if spec.kind().is_outside() {
            let (name, who) = (
                spec.kind().name,
                if spec.kind().is_person() { "a person decides" } else { "another program decides" },
            );
            return Err(value_error(format!(
                "{name}: {who}, in games from their start only; expected a kind that decides here"
            )));
        }
        Ok(Player { spec, key: Key::experiment(seed).seat(seat), seated: Mutex::new(None) })
    }

    /// The two actions of a turn: the tile, then the figure.
    fn choose(&self, py: Python<'_>, state: &State) -> PyResult<(usize, usize)> {
        Ok(self.ask(py, state, false)?.0)
    }

    /// What the player considers: the two actions, their visits and their mean reward. Empty for players without
    /// search.
    fn analyse(&self, py: Python<'_>, state: &State) -> PyResult<Vec<Candidate>> {
        Ok(self.ask(py, state, true)?.1)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Player({})", PyString::new(py, &self.spec.default_name()).repr()?))
    }
}
