//! What an evolution needs of Python: functions of formulas and operators of variation, in the section `[python]` of its
//! file, by name with their sources. `evouct.evolve` in Python writes the section, and binds them before it is read.

use evouct_base::parameter::Raw;
use evouct_gp::Function;
use evouct_league::config::reader::TomlTable;
use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

/// The section.
pub(crate) const PYTHON: &str = "python";

/// The sources of what is bound here, by name.
static BOUND: RwLock<BTreeMap<String, String>> = RwLock::new(BTreeMap::new());

/// Says that the function or operator of this name, which was added, is that of Python with this source, until another
/// one is bound. Evolutions whose file has both in its section `[python]` can be read then.
pub fn bind_python(name: &str, source: &str) {
    BOUND.write().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), source.to_owned());
}

/// What a file needs of Python.
#[derive(Clone, Debug, Default)]
pub(crate) struct Needed(Vec<(String, String)>);

impl Needed {
    /// What `[python]` names. Notes what is not bound here; none then.
    pub(crate) fn of(file: &TomlTable) -> Option<Needed> {
        let Some(section) = file.section(PYTHON) else { return Some(Needed::default()) };
        let text = |(name, raw)| if let Raw::Text(source) = raw { (name, source) } else { (name, String::new()) };
        let all: Vec<(String, String)> = section.raws(|_| true).into_iter().map(text).collect();
        let bound = BOUND.read().unwrap_or_else(PoisonError::into_inner);
        let missing: Vec<&(String, String)> = all.iter().filter(|(name, own)| bound.get(name) != Some(own)).collect();
        if let [(first, _), ..] = &missing[..] {
            let names = missing.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
            file.note_at(
                PYTHON,
                match bound.contains_key(first) {
                    true => format!("{first} of Python had another source"),
                    false => format!(
                        "it needs {names} of Python: evouct.evolve(…, functions=…, operators=…) goes on with it"
                    ),
                },
            );
            return None;
        }
        Some(Needed(all))
    }

    /// Its functions.
    pub(crate) fn functions(&self) -> impl Iterator<Item = Function> {
        self.0.iter().filter_map(|(name, _)| Function::named(name))
    }

    /// Whether it has this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(own, _)| own == name)
    }

    /// The names, each with a hash of its source.
    pub(crate) fn descriptions(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|(name, source)| format!("{name} {}", &blake3::hash(source.as_bytes()).to_hex()[..8]))
    }
}
