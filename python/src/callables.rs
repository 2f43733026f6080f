//! Functions of formulas, operators of variation and the fitness, where they are callables of Python.

use crate::errors::{failed, value_error};
use evouct::config::{PYTHON, PythonCallable, bound_functions_in};
use evouct::gp::{Function, Genome, Node, Operator, Primitive, Slot, Tree, Variation, in_one_slot};
use evouct::league::{End, Executor, Taker};
use evouct::named::Named;
use evouct::offline::{AskedBlock, BlockSum, BlockValue, Blocks, EvolutionError, EvolutionPlan, add_operator};
use evouct::panic::{catch, refuse};
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use rand::Rng;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

/// A function or an operator by its name: of how many numbers or formulas it is, its source, and what is called.
#[derive(FromPyObject)]
pub struct Callable(String, usize, String, Py<PyAny>);

/// Functions, operators and the fitness of one call, the last by the name of who measures.
#[derive(FromPyObject, Default)]
pub struct Callables(Vec<Callable>, Vec<Callable>, pub Option<(String, Py<PyAny>)>);

/// What a name stands for: an operator until another call binds it. A function stays at its place, which formulas that were
/// read have; another function of its name gets another place.
struct Bound {
    name: &'static str,
    count: usize,
    source: String,
    call: Py<PyAny>,
}

static FUNCTIONS: Mutex<Vec<Bound>> = Mutex::new(Vec::new());
static OPERATORS: Mutex<Vec<Bound>> = Mutex::new(Vec::new());
/// What a callable has raised last, in one line, with its own error as the cause.
static RAISED: Mutex<Option<PyErr>> = Mutex::new(None);
/// Held by the call whose callables are bound.
static CALL: Mutex<()> = Mutex::new(());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Callables {
    /// Binds them for the time of the guard, and for who reads the result until another call binds the names. There is no
    /// guard without any.
    pub fn bind(&self) -> PyResult<Option<MutexGuard<'static, ()>>> {
        *lock(&RAISED) = None;
        let Callables(functions, operators, fitness) = self;
        if functions.is_empty() && operators.is_empty() && fitness.is_none() {
            return Ok(None);
        }
        let guard = match CALL.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(guard)) => guard.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return Err(failed("another call has callables; begin this one at its end"));
            }
        };
        functions.iter().try_for_each(Callable::bind_function)?;
        operators.iter().try_for_each(Callable::bind_operator)?;
        Ok(Some(guard))
    }

    /// The end of a file with this text that names what it needs of Python: of an evolution all of these, and of any file
    /// the functions that are bound and its formulas or those in `also` call, but for what it names itself.
    pub fn section(&self, text: &str, also: &str) -> String {
        let file: toml::Table = text.parse().unwrap_or_default();
        let mut words = String::new();
        calls_of(also, &mut words);
        file.iter().for_each(|(key, value)| words_of(key, value, &mut words));
        let is_named = |own: &PythonCallable| {
            let parts = file.get(PYTHON).and_then(toml::Value::as_table);
            parts.is_some_and(|parts| parts.values().any(|part| part.get(&own.name).is_some()))
        };
        let mut all: Vec<PythonCallable> = bound_functions_in(&words);
        if file.contains_key("evolve") {
            let Callables(functions, operators, _) = self;
            all.extend(functions.iter().map(|own| own.described(false)));
            all.extend(operators.iter().map(|own| own.described(true)));
        }
        all.sort_by(|one, other| one.name.cmp(&other.name));
        all.dedup();
        all.iter().filter(|own| !is_named(own)).map(PythonCallable::to_string).collect()
    }
}

/// Adds what a text calls: the words before a parenthesis.
fn calls_of(text: &str, words: &mut String) {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    for before in text.split('(').filter(|_| text.contains('(')) {
        let before = before.trim_end();
        words.push(' ');
        words.push_str(&before[before.trim_end_matches(is_part).len()..]);
    }
}

/// Adds the functions of formulas and those in lists of functions.
fn words_of(key: &str, value: &toml::Value, words: &mut String) {
    match value {
        toml::Value::String(text) if key == "functions" => words.extend([" ", text]),
        toml::Value::String(text) if !["name", "about", "command"].contains(&key) => calls_of(text, words),
        toml::Value::Array(all) => all.iter().for_each(|value| words_of(key, value, words)),
        toml::Value::Table(own) if key != PYTHON => own.iter().for_each(|(key, value)| words_of(key, value, words)),
        _ => {}
    }
}

impl Callable {
    fn described(&self, is_operator: bool) -> PythonCallable {
        let Callable(name, arguments, source, _) = self;
        PythonCallable { name: name.clone(), is_operator, arguments: *arguments, source: source.clone() }
    }

    fn bound(&self, name: &'static str) -> Bound {
        let Callable(_, count, source, call) = self;
        Bound { name, count: *count, source: source.clone(), call: Python::attach(|py| call.clone_ref(py)) }
    }

    /// Has formulas that are read from now on mean this one.
    fn bind_function(&self) -> PyResult<()> {
        let Callable(name, count, source, _) = self;
        let (mut all, described) = (lock(&FUNCTIONS), self.described(false));
        let last = all.iter().rposition(|own| own.name == name);
        let same = last.filter(|at| all[*at].count == *count && all[*at].source == *source && described.is_bound());
        if let Some(at) = same {
            all[at] = self.bound(all[at].name);
            return Ok(());
        }
        let value = VALUES.get(all.len()).ok_or_else(|| {
            value_error(format!(
                "{name}: {} functions were bound, and no more are possible; start Python again",
                all.len()
            ))
        })?;
        let name: &'static str = name.clone().leak();
        Function::replace(Box::leak(Box::new(Primitive::new(name, *count, *value)))).map_err(value_error)?;
        all.push(self.bound(name));
        described.bind();
        Ok(())
    }

    /// Has a weight of this name mean this one.
    fn bind_operator(&self) -> PyResult<()> {
        let Callable(name, count, ..) = self;
        let mut all = lock(&OPERATORS);
        match all.iter().position(|own| own.name == name) {
            Some(at) if all[at].count != *count => {
                let before = all[at].count;
                return Err(value_error(format!(
                    "{name} took {before} formulas before, now {count}: give it another name"
                )));
            }
            Some(at) => all[at] = self.bound(all[at].name),
            None => {
                let (name, place): (&'static str, usize) = (name.clone().leak(), all.len());
                add_operator(Arc::new(PythonOperator { name, place })).map_err(value_error)?;
                all.push(self.bound(name));
            }
        }
        self.described(true).bind();
        Ok(())
    }
}

/// Refuses a formula with a function of Python that is named in a file and was never bound.
pub fn check_bound(tree: &Tree) -> PyResult<()> {
    let bound = lock(&FUNCTIONS);
    let missing = tree.nodes().iter().find_map(|node| match node {
        Node::Function(function @ Function::Added(_)) => {
            let is_bound = bound.iter().any(|own| own.name == function.name());
            (!is_bound).then(|| function.name())
        }
        _ => None,
    });
    missing.map_or(Ok(()), |name| {
        Err(value_error(format!(
            "{name} is a function of Python: evolve, run, score and tune take it as functions={{\"{name}\": …}}"
        )))
    })
}

/// Does something that may call callables, and raises what they raised.
pub fn guarded<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    *lock(&RAISED) = None;
    catch(work).map_err(|problem| raised(failed(problem)))
}

/// The error of a callable, if one has ended the work, or this one.
pub fn raised(error: PyErr) -> PyErr {
    lock(&RAISED).take().unwrap_or(error)
}

/// What is wrong with a callable, in one line. It is raised at the end of the work.
fn wrong(py: Python<'_>, problem: String, cause: Option<PyErr>) -> String {
    let error = failed(&problem);
    error.set_cause(py, cause);
    lock(&RAISED).get_or_insert(error);
    problem
}

/// What a callable gives, as a type of Rust. What it raises and what is none of `expected` is wrong in one line.
fn called<'py, T>(
    py: Python<'py>,
    what: &dyn Fn() -> String,
    expected: &str,
    call: &Py<PyAny>,
    arguments: impl PyCallArgs<'py>,
) -> Result<T, String>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    let given = call.bind(py).call1(arguments).map_err(|error| {
        let value = error.clone_ref(py).into_value(py);
        let told =
            py.import("evouct.games").and_then(|games| games.call_method1("_told", (value,))?.extract::<String>());
        wrong(py, format!("{} raised {}", what(), told.unwrap_or_else(|_| error.to_string())), Some(error))
    })?;
    let shown =
        || given.repr().map_or_else(|_| "what cannot be shown".to_owned(), |text| format!("{:.60}", text.to_string()));
    given.extract().map_err(|_| wrong(py, format!("{} gave {}, expected {expected}", what(), shown()), None))
}

/// The value of the function at a place. It is called for finite numbers alone; for others it is NaN.
fn value<const PLACE: usize>(a: f64, b: f64) -> f64 {
    if !a.is_finite() || !b.is_finite() {
        return f64::NAN;
    }
    let value = Python::attach(|py| {
        let (name, count, call) = {
            let Bound { name, count, call, .. } = &lock(&FUNCTIONS)[PLACE];
            (*name, *count, call.clone_ref(py))
        };
        let what = || format!("the function {name}({a}{})", if count > 1 { format!(", {b}") } else { String::new() });
        let value: f64 = match count {
            1 => called(py, &what, "a number", &call, (a,)),
            _ => called(py, &what, "a number", &call, (a, b)),
        }?;
        match value.is_nan() {
            true => Err(wrong(py, format!("{} gave nan, expected a number", what()), None)),
            false => Ok(value),
        }
    });
    value.unwrap_or_else(|problem| refuse(problem))
}

/// A list of the values of functions by place.
macro_rules! values {
    ($($place:literal)+) => { [$(value::<$place>),+] };
}

const VALUES: [fn(f64, f64) -> f64; 32] =
    values![0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31];

/// An operator by its place: of the text of one formula or two, and a generator.
#[derive(Debug)]
struct PythonOperator {
    name: &'static str,
    place: usize,
}

impl Operator for PythonOperator {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        "Weight of an operator of Python."
    }

    fn crosses(&self) -> bool {
        lock(&OPERATORS)[self.place].count > 1
    }

    fn apply(&self, [parent, other]: [&Genome; 2], variation: &Variation, rng: &mut dyn Rng) -> Genome {
        in_one_slot(parent, rng, |slot, tree, rng| {
            let related = other.tree(Slot::Select).filter(|_| slot.is_of_child());
            let other = other.tree(slot).or(related).unwrap_or(tree);
            // What the parents have may be in no list of the file.
            let own = |node: &Node| match node {
                Node::Terminal(terminal) if terminal.name().is_some() => Some(*terminal),
                _ => None,
            };
            let has = |tree: &Tree| tree.nodes().iter().filter_map(own).collect::<Vec<_>>();
            let mut terminals = match slot {
                Slot::Leaf => variation.leaf_terminals.clone(),
                _ => variation.terminals.clone(),
            };
            terminals.retain(|terminal| match slot {
                Slot::Policy => terminal.is_move_number(),
                Slot::Playout => terminal.is_in_playouts(),
                _ => true,
            });
            terminals.extend(has(tree).into_iter().chain(has(other)));
            let seed = rng.next_u64();
            let made = Python::attach(|py| {
                let (count, call) = {
                    let Bound { count, call, .. } = &lock(&OPERATORS)[self.place];
                    (*count, call.clone_ref(py))
                };
                let what = || format!("the operator {}", self.name);
                let random = py.import("random").and_then(|random| random.call_method1("Random", (seed,)));
                let random = random.map_err(|error| error.to_string())?;
                let expected = "the text of a formula";
                let text: Text = match count {
                    1 => called(py, &what, expected, &call, (tree.infix(), random)),
                    _ => called(py, &what, expected, &call, (tree.infix(), other.infix(), random)),
                }?;
                Tree::parse_over(&text.0, &terminals)
                    .map_err(|error| wrong(py, format!("{} gave {:?}: {error}", what(), text.0), None))
            });
            made.unwrap_or_else(|problem| refuse(problem))
        })
    }
}

/// The text of a formula, or that of a `Formula`.
struct Text(String);

impl<'py> FromPyObject<'_, 'py> for Text {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Text> {
        let formula = value.py().import("evouct.formula")?.getattr("Formula")?;
        if value.is_instance(&formula)? { Ok(Text(value.str()?.to_string())) } else { value.extract().map(Text) }
    }
}

/// Measures by a callable, once for each measurement.
pub struct Fitness(Py<PyAny>);

impl Fitness {
    /// That of an evolution.
    ///
    /// # Errors
    /// If it has more than one number for a formula.
    pub fn of(call: Py<PyAny>, plan: &EvolutionPlan) -> PyResult<Fitness> {
        if plan.second.is_some() || plan.is_over_games() {
            return Err(value_error("fitness: it gives one number, so the evolution has one game and no `second`"));
        }
        Ok(Fitness(call))
    }

    /// What a genome is worth: as a `Formula`, or a dict by purpose where the file has several.
    fn ask(&self, plan: &EvolutionPlan, genome: &Genome) -> Result<f64, EvolutionError> {
        let is_alone = plan.variation.slots.len() == 1 && plan.seeds.iter().all(|seed| seed.slots().count() == 1);
        let value = Python::attach(|py| {
            let formula = |slot: Slot| -> PyResult<Py<PyAny>> {
                let formula = py.import("evouct.formula")?.getattr("Formula")?;
                let text = genome.tree(slot).map(Tree::infix).unwrap_or_default();
                Ok(formula.call1((text, plan.ln.name()))?.unbind())
            };
            let given = match is_alone {
                true => formula(Slot::Select),
                false => genome
                    .slots()
                    .map(|slot| Ok((slot.name(), formula(slot)?)))
                    .collect::<PyResult<BTreeMap<_, _>>>()
                    .and_then(|all| Ok(all.into_pyobject(py)?.into_any().unbind())),
            };
            let given = given.map_err(|error| error.to_string())?;
            let what = || format!("the fitness of {genome}");
            let value: f64 = called(py, &what, "a number", &self.0, (given,))?;
            match value.is_finite() {
                true => Ok(value),
                false => Err(wrong(py, format!("{} is {value}, expected a finite number", what()), None)),
            }
        });
        value.map_err(EvolutionError::Method)
    }
}

impl Executor<Blocks> for Fitness {
    fn carry_out(
        &mut self,
        job: &Arc<Blocks>,
        stop: &Arc<AtomicBool>,
        taker: &mut dyn Taker<BlockSum, EvolutionError>,
    ) -> Result<End, EvolutionError> {
        let plan = job.measurer.plan();
        let mut last: Option<(usize, f64)> = None;
        // The batch may grow by what is taken.
        for number in 0.. {
            let Some((at, request, block)) = job.batch.job(number) else { break };
            if stop.load(Ordering::Relaxed) {
                return Ok(End::Interrupted);
            }
            let value = match last {
                Some((own, value)) if own == at => value,
                _ => self.ask(plan, &request.genome)?,
            };
            last = Some((at, value));
            let units = AskedBlock { request, block }.units(plan).len();
            taker.take((number, Ok(BlockValue { sum: value * units as f64, ..BlockValue::default() })))?;
        }
        Ok(End::Done)
    }
}
