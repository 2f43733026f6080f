//! Search whose leaves Python evaluates.

use crate::errors::value_error;
use crate::games::{Class, Number, Position, raising};
use crate::numbers;
use crate::state::{Game, State, named};
use evouct::carcassonne::environment::{Encoder, Encoding, Episode, Frame, Numbering, Phase};
use evouct::carcassonne::{Base, Edition, Expanded, TileKind};
use evouct::game::{Game as Searched, MAX_SEATS, Turn};
use evouct::gp::{ConstantSet, LnRule, Program, Tree};
use evouct::search::{EvaluatedSearch, EvaluatedSettings, FormulaPolicy, LeafEvaluation, Reward, SearchColumn};
use evouct::seed::{Key, SearchRng, search_rng};
use numpy::ndarray::Dim;
use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;

/// An action or an outcome of chance as Python writes it.
trait Numbered: Copy {
    fn of(number: i64) -> Option<Self>;
    fn number(self) -> i64;
}

impl Numbered for u16 {
    fn of(number: i64) -> Option<u16> {
        number.try_into().ok()
    }

    fn number(self) -> i64 {
        self.into()
    }
}

impl Numbered for TileKind {
    fn of(number: i64) -> Option<TileKind> {
        number.try_into().ok().map(TileKind)
    }

    fn number(self) -> i64 {
        self.0.into()
    }
}

impl Numbered for Number {
    fn of(number: i64) -> Option<Number> {
        Some(Number(number))
    }

    fn number(self) -> i64 {
        self.0
    }
}

enum Guided {
    Base(Box<EvaluatedSearch<Episode<Base>>>),
    Expanded(Box<EvaluatedSearch<Episode<Expanded>>>),
    Python(Box<EvaluatedSearch<Position>>),
}

/// Calls the same code for all games.
macro_rules! with_search {
    ($guided:expr, $search:ident => $code:expr) => {
        match $guided {
            Guided::Base($search) => $code,
            Guided::Expanded($search) => $code,
            Guided::Python($search) => $code,
        }
    };
}

/// A search, step by step.
#[pyclass(module = "evouct._native")]
pub struct SearchCore {
    guided: Guided,
    /// Of Carcassonne.
    encoder: Option<Encoder>,
    seats: usize,
    /// Actions have numbers below this one.
    actions: usize,
}

/// The options of a search, and its generator.
struct Options {
    settings: EvaluatedSettings,
    rng: SearchRng,
}

/// A formula with its rule for the logarithm.
type Written = (String, String);

fn policy(what: &str, (text, ln): &Written, c: f64) -> PyResult<FormulaPolicy> {
    let tree = Tree::parse_over(text, &SearchColumn::terminals(&[]));
    let tree = tree.map_err(|error| value_error(format!("{what}: {error}")))?;
    let program = Program::new(tree, named::<LnRule>("ln", ln)?);
    Ok(FormulaPolicy { program, constant: Some(c), constants: ConstantSet::default() })
}

impl Options {
    fn new(
        (formula, untried, c): (Written, Option<Written>, f64),
        (reward, virtual_loss): (&str, f64),
        seed: u64,
    ) -> PyResult<Options> {
        let reward = match reward {
            "outcome" => Reward::Win,
            "margin" => Reward::Difference,
            other => return Err(value_error(format!("there is no reward called {other:?}; known: outcome, margin"))),
        };
        let select = policy("formula", &formula, c)?;
        let untried = untried.map(|untried| policy("untried", &untried, c)).transpose()?;
        let rng = search_rng(&mut Key::experiment(seed).named("search with an evaluator", 0).stream());
        Ok(Options { settings: EvaluatedSettings { select, untried, reward, virtual_loss }, rng })
    }

    fn search<G: Searched>(self, root: G) -> PyResult<Box<EvaluatedSearch<G>>> {
        EvaluatedSearch::new(root, self.settings, self.rng).map(Box::new).map_err(value_error)
    }
}

/// Writes what the seats to play see, one leaf after the other.
fn encode<E: Edition>(
    search: &EvaluatedSearch<Episode<E>>,
    encoder: &Encoder,
    [boards, masks]: [usize; 2],
    (board, mask, global): (&mut [u8], &mut [i8], &mut [i16]),
) {
    let rows = board.chunks_exact_mut(boards).zip(mask.chunks_exact_mut(masks));
    let rows = rows.zip(global.chunks_exact_mut(encoder.global_len()));
    for (leaf, ((board, mask), global)) in search.leaves().zip(rows) {
        encoder.write(leaf.state, leaf.state.state().player(), Frame { board, mask, global });
    }
}

/// The seats to play at the leaves.
fn players<G: Searched>(search: &EvaluatedSearch<G>) -> Vec<usize> {
    search.leaves().map(|leaf| mover(leaf.state)).collect()
}

fn mover<G: Searched>(state: &G) -> usize {
    let Turn::Player(seat) = state.turn() else { unreachable!("a seat is to play at a leaf") };
    seat
}

fn back_up<G: Searched<Action: Numbered>>(
    search: &mut EvaluatedSearch<G>,
    policy: &PyReadonlyArray2<f64>,
    values: &PyReadonlyArray2<f64>,
) -> PyResult<()> {
    let (policy, values) = (policy.as_array(), values.as_array());
    let count = search.leaves().len();
    if policy.nrows() != count || values.nrows() != count {
        return Err(value_error(format!("expected {count} evaluations, found {}", policy.nrows())));
    }
    let rows = search.leaves().zip(policy.rows()).zip(values.rows());
    let evaluations = rows.map(|((leaf, policy), row)| {
        let (seats, first) = (leaf.state.seats(), mover(leaf.state));
        let given = |action: &G::Action| usize::try_from(action.number()).ok().and_then(|number| policy.get(number));
        let mut priors: Vec<f64> = leaf.actions.iter().map(|action| given(action).copied().unwrap_or(0.0)).collect();
        let sum: f64 = priors.iter().sum();
        priors.iter_mut().for_each(|prior| *prior /= sum);
        let mut values = [0.0; MAX_SEATS];
        for (after, value) in row.iter().take(seats).enumerate() {
            values[(first + after) % seats] = *value;
        }
        LeafEvaluation { priors, values }
    });
    let evaluations: Vec<LeafEvaluation> = evaluations.collect();
    search.back_up(&evaluations);
    Ok(())
}

/// Actions of the root with visits, mean rewards and priors.
type Children<'py> =
    (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

fn children<'py, G: Searched<Action: Numbered>>(py: Python<'py>, search: &EvaluatedSearch<G>) -> Children<'py> {
    let children = search.children();
    let column = |value: fn(f64, f64) -> f64| {
        PyArray1::from_vec(py, children.iter().map(|child| value(child.visits, child.mean)).collect())
    };
    let actions = PyArray1::from_vec(py, children.iter().map(|child| child.action.number()).collect());
    let priors = PyArray1::from_slice(py, search.priors().unwrap_or_default());
    (actions, column(|visits, _| visits), column(|_, mean| mean), priors)
}

fn advance<G: Searched<Action: Numbered, Outcome: Numbered>>(
    search: &mut EvaluatedSearch<G>,
    action: i64,
    outcomes: &[i64],
) -> PyResult<()> {
    let wrong = |what: &str, number: i64| value_error(format!("there is no {what} {number}"));
    let action = Numbered::of(action).ok_or_else(|| wrong("action", action))?;
    let outcome = |number: &i64| Numbered::of(*number).ok_or_else(|| wrong("outcome", *number));
    let outcomes: Vec<G::Outcome> = outcomes.iter().map(outcome).collect::<PyResult<_>>()?;
    search.advance(action, &outcomes).map_err(value_error)
}

#[pymethods]
impl SearchCore {
    /// A search from a position of Carcassonne, to which tiles that are dealt later are not known.
    #[staticmethod]
    fn of_state(
        state: &State,
        encoding: &str,
        formula: (Written, Option<Written>, f64),
        reward: (String, f64),
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
    ) -> PyResult<SearchCore> {
        if !matches!(state.next_phase(), Phase::Tile | Phase::Figure) {
            let found = state.phase_name();
            return Err(value_error(format!("a search begins in the phase tile or figure, found {found}")));
        }
        let encoding: Encoding = named("encoding", encoding)?;
        let rules = state.rules().game;
        let width = state.window_width();
        encoding.check_width(&rules, width).map_err(value_error)?;
        let options = Options::new(formula, (&reward.0, reward.1), seed)?;
        let guided = match &state.game {
            Game::Base(episode) => Guided::Base(options.search(episode.opened())?),
            Game::Expanded(episode) => Guided::Expanded(options.search(episode.opened())?),
        };
        let actions = Numbering { width: width.into() }.count();
        let encoder = Some(Encoder::new(rules, encoding, width));
        Ok(SearchCore { guided, encoder, seats: rules.seats.into(), actions })
    }

    /// A search from a position of a game in Python, which is copied.
    #[staticmethod]
    fn of_object(
        game: (String, usize, bool, f64),
        object: &Bound<'_, PyAny>,
        actions: usize,
        formula: (Written, Option<Written>, f64),
        reward: (String, f64),
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
    ) -> PyResult<SearchCore> {
        let (name, seats, openspiel, point) = game;
        let class = Class::of_search(object.py(), &name, seats, openspiel);
        let options = Options::new(formula, (&reward.0, reward.1), seed)?;
        let root = raising(object.py(), || Position::copy_of(class, point, object))?;
        if !matches!(root.turn(), Turn::Player(_)) {
            return Err(value_error(format!("{name}: a search begins where a player decides")));
        }
        let guided = Guided::Python(raising(object.py(), || options.search(root))??);
        let core = SearchCore { guided, encoder: None, seats, actions };
        Ok(core)
    }

    /// The number of players.
    #[getter]
    fn seats(&self) -> usize {
        self.seats
    }

    /// Actions have numbers below this one.
    #[getter]
    fn action_count(&self) -> usize {
        self.actions
    }

    /// The seat that decides.
    #[getter]
    fn player(&self) -> usize {
        with_search!(&self.guided, search => search.mover())
    }

    /// Whether the root is evaluated.
    #[getter]
    fn is_begun(&self) -> bool {
        with_search!(&self.guided, search => search.is_begun())
    }

    /// What the root is worth to the seat that decides.
    #[getter]
    fn value(&self) -> Option<f64> {
        with_search!(&self.guided, search => search.value())
    }

    /// Nodes of the tree.
    #[getter]
    fn nodes(&self) -> usize {
        with_search!(&self.guided, search => search.size())
    }

    /// Selects leaves by so many descents, or the root if it is not evaluated; returns how many wait.
    fn select(&mut self, py: Python<'_>, descents: usize) -> PyResult<usize> {
        match &mut self.guided {
            Guided::Base(search) => py.detach(|| search.select(descents)),
            Guided::Expanded(search) => py.detach(|| search.select(descents)),
            Guided::Python(search) => raising(py, || search.select(descents))?,
        }
        Ok(with_search!(&self.guided, search => search.leaves().len()))
    }

    /// The seats to play at the leaves that wait.
    fn players(&self) -> Vec<usize> {
        with_search!(&self.guided, search => players(search))
    }

    /// Boards, numbers beside them and masks of the leaves that wait, of Carcassonne.
    #[expect(clippy::type_complexity, reason = "Python has no names for it")]
    fn observations<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray4<u8>>, Bound<'py, PyArray2<i16>>, Bound<'py, PyArray2<i8>>)> {
        let encoder = self.encoder.as_ref().ok_or_else(|| value_error("the game is not Carcassonne"))?;
        let count = with_search!(&self.guided, search => search.leaves().len());
        let [a, b, c] = encoder.board_shape();
        let boards = PyArray4::<u8>::zeros(py, Dim([count, a, b, c]), false);
        let globals = PyArray2::<i16>::zeros(py, Dim([count, encoder.global_len()]), false);
        let masks = PyArray2::<i8>::zeros(py, Dim([count, self.actions]), false);
        {
            let (mut board, mut global, mut mask) = (boards.readwrite(), globals.readwrite(), masks.readwrite());
            let memory = (
                board.as_slice_mut().map_err(value_error)?,
                mask.as_slice_mut().map_err(value_error)?,
                global.as_slice_mut().map_err(value_error)?,
            );
            let lengths = [a * b * c, self.actions];
            match &self.guided {
                Guided::Base(search) => encode(search, encoder, lengths, memory),
                Guided::Expanded(search) => encode(search, encoder, lengths, memory),
                Guided::Python(_) => {}
            }
        }
        Ok((boards, globals, masks))
    }

    /// The positions that wait and the masks of their actions, of a game in Python.
    #[expect(clippy::type_complexity, reason = "Python has no names for it")]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<(Vec<Bound<'py, PyAny>>, Bound<'py, PyArray2<i8>>)> {
        let Guided::Python(search) = &self.guided else { return Err(value_error("the game is not one in Python")) };
        let masks = PyArray2::<i8>::zeros(py, Dim([search.leaves().len(), self.actions]), false);
        {
            let mut memory = masks.readwrite();
            let rows = memory.as_slice_mut().map_err(value_error)?.chunks_exact_mut(self.actions.max(1));
            for (leaf, row) in search.leaves().zip(rows) {
                for Number(number) in leaf.actions {
                    let place = usize::try_from(*number).ok().and_then(|number| row.get_mut(number));
                    let last = self.actions.saturating_sub(1);
                    let wrong =
                        || value_error(format!("legal_actions() gave {number}, expected 0 to {last}: see actions"));
                    if std::mem::replace(place.ok_or_else(wrong)?, 1) == 1 {
                        return Err(value_error(format!("legal_actions() gave {number} twice")));
                    }
                }
            }
        }
        // The root stays in the search: what the evaluator does to its position must not reach it.
        let object = |state: &Position| {
            if search.is_begun() { Ok(state.object(py)) } else { raising(py, || state.copied(py)) }
        };
        let states: PyResult<Vec<Bound<'py, PyAny>>> = search.leaves().map(|leaf| object(leaf.state)).collect();
        Ok((states?, masks))
    }

    /// Backs up what was selected: for each leaf the priors of all actions, of which those of legal actions count and
    /// are made to add up to 1, and the value for each player, from the one to act on.
    fn back_up(&mut self, policy: PyReadonlyArray2<f64>, values: PyReadonlyArray2<f64>) -> PyResult<()> {
        with_search!(&mut self.guided, search => back_up(search, &policy, &values))
    }

    /// Forgets what was selected.
    fn cancel(&mut self) {
        with_search!(&mut self.guided, search => search.cancel());
    }

    /// The legal actions of the root, their visits, mean rewards and priors.
    fn children<'py>(&self, py: Python<'py>) -> Children<'py> {
        with_search!(&self.guided, search => children(py, search))
    }

    /// Makes the position after an action and these decisions of chance the root.
    fn advance(&mut self, py: Python<'_>, action: i64, outcomes: Vec<i64>) -> PyResult<()> {
        match &mut self.guided {
            Guided::Base(search) => advance(search, action, &outcomes),
            Guided::Expanded(search) => advance(search, action, &outcomes),
            Guided::Python(search) => raising(py, || advance(search, action, &outcomes))?,
        }
    }
}
