//! Many environments that step together and write into arrays of NumPy.

use crate::errors::value_error;
use crate::numbers::{self, whole};
use crate::rules::Rules;
use crate::state::named;
use evouct::carcassonne::environment::{Autoreset, Encoder, IllegalStep, Outputs, Vector, VectorSettings};
use evouct::carcassonne::{Base, Edition, Expanded};
use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use std::process;

/// The most environments of a vector.
const MOST_ENVIRONMENTS: i128 = 65_536;

enum Environments {
    Base(Box<Vector<Base>>),
    Expanded(Box<Vector<Expanded>>),
}

/// The environments and the arrays that they write. The arrays belong to this object and are only written by it: what
/// has not changed since the last step is not written again.
#[pyclass(module = "evouct._native")]
pub struct VectorCore {
    environments: Environments,
    /// The process that has started the threads.
    process: u32,
    #[pyo3(get)]
    boards: Py<PyArray4<u8>>,
    #[pyo3(get)]
    masks: Py<PyArray2<i8>>,
    #[pyo3(get)]
    globals: Py<PyArray2<i16>>,
    #[pyo3(get)]
    rewards: Py<PyArray2<f32>>,
    #[pyo3(get)]
    terminated: Py<PyArray1<bool>>,
    #[pyo3(get)]
    truncated: Py<PyArray1<bool>>,
    #[pyo3(get)]
    players: Py<PyArray1<i8>>,
    #[pyo3(get)]
    scores: Py<PyArray2<i16>>,
    #[pyo3(get)]
    actions: Py<PyArray1<i32>>,
    /// The last observations of the episodes that the last step has ended, and who sees them; without entries if the
    /// next episode does not begin in the same step.
    #[pyo3(get)]
    final_boards: Py<PyArray4<u8>>,
    #[pyo3(get)]
    final_masks: Py<PyArray2<i8>>,
    #[pyo3(get)]
    final_globals: Py<PyArray2<i16>>,
    #[pyo3(get)]
    final_players: Py<PyArray1<i8>>,
}

/// What a call does with the environments.
enum Call<'a> {
    /// With these seeds, the environments of this mask.
    Reset(Option<&'a [u64]>, Option<&'a [bool]>),
    Step(&'a [i32]),
    StepRandomly,
}

fn call<E: Edition>(vector: &mut Vector<E>, call: Call, outputs: Outputs) -> Result<(), IllegalStep> {
    match call {
        Call::Reset(seeds, which) => {
            vector.reset(seeds, which, outputs);
            Ok(())
        }
        Call::Step(actions) => vector.step(actions, outputs),
        Call::StepRandomly => vector.step_randomly(outputs),
    }
}

impl VectorCore {
    fn count(&self) -> usize {
        match &self.environments {
            Environments::Base(vector) => vector.count(),
            Environments::Expanded(vector) => vector.count(),
        }
    }

    fn has_begun(&self) -> bool {
        match &self.environments {
            Environments::Base(vector) => vector.has_begun(),
            Environments::Expanded(vector) => vector.has_begun(),
        }
    }

    fn call(&mut self, py: Python<'_>, what: Call) -> PyResult<()> {
        match what {
            _ if self.has_begun() => {}
            Call::Reset(_, None) => {}
            Call::Reset(..) => return Err(value_error("expected a reset of all environments before one of some")),
            Call::Step(_) | Call::StepRandomly => return Err(value_error("expected reset before the first step")),
        }
        // A process that was forked has none of the threads.
        if self.process != process::id() {
            let restarted = match &mut self.environments {
                Environments::Base(vector) => vector.restart(),
                Environments::Expanded(vector) => vector.restart(),
            };
            restarted.map_err(value_error)?;
            self.process = process::id();
        }
        macro_rules! memory {
            ($($field:ident),*) => {
                $(let mut $field = self.$field.bind(py).try_readwrite().map_err(value_error)?;
                let $field = $field.as_slice_mut().map_err(value_error)?;)*
            };
        }
        memory!(boards, masks, globals, rewards, terminated, truncated, players, scores, actions);
        memory!(final_boards, final_masks, final_globals, final_players);
        let outputs = Outputs {
            boards,
            masks,
            globals,
            rewards,
            terminated,
            truncated,
            seats: players,
            points: scores,
            decisions: actions,
            final_boards,
            final_masks,
            final_globals,
            final_seats: final_players,
        };
        let environments = &mut self.environments;
        py.detach(|| match environments {
            Environments::Base(vector) => call(vector, what, outputs),
            Environments::Expanded(vector) => call(vector, what, outputs),
        })
        .map_err(value_error)
    }
}

/// The seeds from one on, one for each environment.
fn seeds_from(first: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<u64>> {
    let first = whole(first, "seed", 0, i128::from(u64::MAX) - count as i128)? as u64;
    Ok((first..).take(count).collect())
}

#[pymethods]
impl VectorCore {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "Python names them")]
    fn new(
        py: Python<'_>,
        rules: Rules,
        n: &Bound<'_, PyAny>,
        seed: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = numbers::width_or_none)] width: Option<u8>,
        encoding: &str,
        reward: &str,
        autoreset: &str,
        #[pyo3(from_py_with = numbers::threads)] threads: usize,
    ) -> PyResult<VectorCore> {
        let count = whole(n, "n", 1, MOST_ENVIRONMENTS)? as usize;
        let seeds = seeds_from(seed, count)?;
        let settings = VectorSettings {
            rules: rules.game,
            width: rules.width(width),
            encoding: named("encoding", encoding)?,
            reward: named("reward", reward)?,
            autoreset: named("autoreset mode", autoreset)?,
            threads,
        };
        settings.encoding.check_width(&rules.game, settings.width).map_err(value_error)?;
        let encoder = Encoder::new(rules.game, settings.encoding, settings.width);
        let players = usize::from(rules.game.seats);
        let [a, b, c] = encoder.board_shape();
        let (masks, globals) = ([count, encoder.numbering().count()], [count, encoder.global_len()]);
        // NumPy's arrays are too large only once they are written, so this is asked before.
        let finals = if settings.autoreset == Autoreset::SameStep { count } else { 0 };
        let bytes = (count + finals) * (encoder.board_len() + masks[1] + 2 * globals[1]);
        let memory = |_| PyMemoryError::new_err(format!("{count} environments need {bytes} bytes of memory"));
        Vec::<u8>::new().try_reserve_exact(bytes).map_err(memory)?;
        let environments = if rules.game.are_of_the_base_game() {
            Environments::Base(Box::new(Vector::new(settings, &seeds).map_err(value_error)?))
        } else {
            Environments::Expanded(Box::new(Vector::new(settings, &seeds).map_err(value_error)?))
        };
        Ok(VectorCore {
            boards: PyArray4::zeros(py, [count, a, b, c], false).unbind(),
            masks: PyArray2::zeros(py, masks, false).unbind(),
            globals: PyArray2::zeros(py, globals, false).unbind(),
            rewards: PyArray2::zeros(py, [count, players], false).unbind(),
            terminated: PyArray1::zeros(py, count, false).unbind(),
            truncated: PyArray1::zeros(py, count, false).unbind(),
            players: PyArray1::zeros(py, count, false).unbind(),
            scores: PyArray2::zeros(py, [count, players], false).unbind(),
            actions: PyArray1::zeros(py, count, false).unbind(),
            final_boards: PyArray4::zeros(py, [finals, a, b, c], false).unbind(),
            final_masks: PyArray2::zeros(py, [finals, masks[1]], false).unbind(),
            final_globals: PyArray2::zeros(py, [finals, globals[1]], false).unbind(),
            final_players: PyArray1::zeros(py, finals, false).unbind(),
            environments,
            process: process::id(),
        })
    }

    /// Begins an episode in each environment, or in those of a mask: with these seeds, with the seeds from one on, or
    /// with the next one of each.
    fn reset(
        &mut self,
        py: Python<'_>,
        seeds: Option<&Bound<'_, PyAny>>,
        mask: Option<PyReadonlyArray1<'_, bool>>,
    ) -> PyResult<()> {
        let count = self.count();
        let seeds = match seeds.map(|given| (given, given.len())) {
            None => None,
            Some((given, Err(_))) => Some(seeds_from(given, count)?),
            Some((given, Ok(found))) if found == count => {
                Some(given.try_iter()?.map(|seed| numbers::seed(&seed?)).collect::<PyResult<Vec<u64>>>()?)
            }
            Some((_, Ok(found))) => return Err(value_error(format!("expected {count} seeds, found {found}"))),
        };
        let mask = mask.as_ref().map(|mask| mask.as_slice().map_err(value_error)).transpose()?;
        if let Some(found) = mask.map(<[bool]>::len).filter(|found| *found != count) {
            return Err(value_error(format!("expected a mask of {count} environments, found {found}")));
        }
        self.call(py, Call::Reset(seeds.as_deref(), mask))
    }

    /// Takes one action in each environment.
    fn step(&mut self, py: Python<'_>, actions: PyReadonlyArray1<'_, i32>) -> PyResult<()> {
        let actions = actions.as_slice().map_err(value_error)?;
        if actions.len() != self.count() {
            return Err(value_error(format!("expected {} actions, found {}", self.count(), actions.len())));
        }
        self.call(py, Call::Step(actions))
    }

    /// Takes a legal action at random in each environment.
    fn step_randomly(&mut self, py: Python<'_>) -> PyResult<()> {
        self.call(py, Call::StepRandomly)
    }
}
