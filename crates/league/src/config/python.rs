//! What a file needs of Python: functions of formulas and operators of variation, in the section `[python]`, each with its
//! source. The package for Python writes the section, and binds what it names before it reads the file.

use super::reader::TomlTable;
use evouct_base::parameter::{Parameter, Parameters, Values};
use evouct_gp::{Function, Primitive};
use std::fmt::{self, Display, Formatter};
use std::sync::{LazyLock, PoisonError, RwLock};

/// The section.
pub const PYTHON: &str = "python";
/// Its parts: functions, and operators.
pub(super) const PARTS: [&str; 2] = ["functions", "operators"];

evouct_base::parameters! {
    /// The keys of a function or an operator.
    struct CallableKeys {
        /// Of how many numbers or formulas it is.
        arguments: usize = 1, values = Values::Count(1, 2), required = true;
        /// What it does: its source, and the values that it holds.
        source: String = String::new(), required = true;
    }
}

pub(super) static KEYS: LazyLock<Vec<Parameter>> = LazyLock::new(CallableKeys::table);

/// A function or an operator of Python.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PythonCallable {
    /// The name in formulas, or that of the weight.
    pub name: String,
    /// Whether it is an operator.
    pub is_operator: bool,
    /// Of how many numbers or formulas it is: 1 or 2.
    pub arguments: usize,
    /// Its source, and the values that it holds.
    pub source: String,
}

/// What is bound here, each name once.
static BOUND: RwLock<Vec<PythonCallable>> = RwLock::new(Vec::new());

impl PythonCallable {
    /// Says that its name stands for it in this process, until another callable is bound.
    pub fn bind(self) {
        let mut bound = BOUND.write().unwrap_or_else(PoisonError::into_inner);
        bound.retain(|own| own.name != self.name);
        bound.push(self);
    }

    /// Whether its name stands for it in this process.
    pub fn is_bound(&self) -> bool {
        BOUND.read().unwrap_or_else(PoisonError::into_inner).contains(self)
    }

    /// A hash of its source.
    fn hash(&self) -> String {
        blake3::hash(self.source.as_bytes()).to_hex()[..8].to_owned()
    }

    /// Lets formulas have a function that is not bound here. Nothing is computed with it: see [`PythonNeeds::check`].
    fn declare(&self) -> Result<(), String> {
        match Function::named(&self.name) {
            Some(known @ Function::Added(_)) if known.arity() == self.arguments => Ok(()),
            _ => {
                BOUND.write().unwrap_or_else(PoisonError::into_inner).retain(|own| own.name != self.name);
                let row = Primitive::new(self.name.clone().leak(), self.arguments, |_, _| f64::NAN);
                Function::replace(Box::leak(Box::new(row))).map(drop)
            }
        }
    }
}

/// As a part of the section.
impl Display for PythonCallable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let PythonCallable { name, is_operator, arguments, source } = self;
        let source = serde_json::to_string(source).unwrap_or_default().replace('\u{7f}', "\\u007f");
        let part = PARTS[usize::from(*is_operator)];
        write!(f, "\n[{PYTHON}.{part}.{name}]\narguments = {arguments}\nsource = {source}\n")
    }
}

/// What a file needs of Python.
#[derive(Clone, Debug, Default)]
pub struct PythonNeeds(Vec<PythonCallable>);

impl PythonNeeds {
    /// What the section of a file names; errors are noted. Formulas that are read later may have its functions.
    pub fn read(file: &TomlTable) -> PythonNeeds {
        let mut all = Vec::new();
        let Some(section) = file.section(PYTHON) else { return PythonNeeds(all) };
        section.fill(&[], &PARTS);
        for part in PARTS {
            for (name, own) in section.section(part).iter().flat_map(TomlTable::named_sections) {
                let CallableKeys { arguments, source } = CallableKeys::read(own.fill(&KEYS, &[]).values());
                let callable = PythonCallable { name, is_operator: part == PARTS[1], arguments, source };
                let declared = if callable.is_operator { Ok(()) } else { callable.declare() };
                declared.unwrap_or_else(|problem| own.note(problem));
                all.push(callable);
            }
        }
        all.sort_by(|one, other| one.name.cmp(&other.name));
        PythonNeeds(all)
    }

    /// Checks that all of it is bound here, as what is to play or to evolve needs it.
    ///
    /// # Errors
    /// What is missing or has another source, and how to give it.
    pub fn check(&self) -> Result<(), String> {
        let missing: Vec<&PythonCallable> = self.missing().collect();
        let Some(first) = missing.first() else { return Ok(()) };
        let bound = BOUND.read().unwrap_or_else(PoisonError::into_inner);
        if bound.iter().any(|own| own.name == first.name) {
            return Err(format!("{} of Python had another source", first.name));
        }
        let given = |is_operator: bool| {
            let own = missing.iter().filter(|own| own.is_operator == is_operator);
            let own = own.map(|own| format!("\"{0}\": {0}", own.name)).collect::<Vec<_>>().join(", ");
            (!own.is_empty()).then(|| format!("{}={{{own}}}", PARTS[usize::from(is_operator)]))
        };
        let names = missing.iter().map(|own| own.name.as_str()).collect::<Vec<_>>().join(", ");
        let given = [false, true].into_iter().filter_map(given).collect::<Vec<_>>().join(", ");
        Err(format!("it needs {names} of Python: call it in Python with {given}"))
    }

    /// What of it is not bound here, or has another source.
    pub fn missing(&self) -> impl Iterator<Item = &PythonCallable> {
        self.0.iter().filter(|own| !own.is_bound())
    }

    /// Its functions.
    pub fn functions(&self) -> impl Iterator<Item = Function> {
        self.0.iter().filter(|own| !own.is_operator).filter_map(|own| Function::named(&own.name))
    }

    /// Whether it has this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|own| own.name == name)
    }

    /// The names, each with a hash of its source.
    pub fn hashes(&self) -> impl Iterator<Item = (String, String)> {
        self.0.iter().map(|own| (own.name.clone(), own.hash()))
    }

    /// The section with those functions that formulas of a text call.
    pub fn section_for(&self, text: &str) -> String {
        let called = self.0.iter().filter(|own| !own.is_operator && text.contains(&format!("{}(", own.name)));
        called.map(PythonCallable::to_string).collect()
    }

    /// The whole section.
    pub fn section(&self) -> String {
        self.0.iter().map(PythonCallable::to_string).collect()
    }
}

/// The functions that are bound here and stand as a word in a text.
pub fn bound_functions_in(text: &str) -> Vec<PythonCallable> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let words: Vec<&str> = text.split(|letter: char| !is_part(letter)).collect();
    let is_wanted = |bound: &&PythonCallable| !bound.is_operator && words.contains(&&*bound.name);
    BOUND.read().unwrap_or_else(PoisonError::into_inner).iter().filter(is_wanted).cloned().collect()
}
