//! Reading TOML tables by tables of parameters, or key by key. Every error has its line, and all errors of a file are
//! collected.

use evouct_base::parameter::{Filled, Parameter, ParameterError, Preset, Raw};
use evouct_base::plural::noun_of;
use evouct_base::suggest::nearest;
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The most errors that are kept and shown of one file: those of its first lines.
const MOST_SHOWN: usize = 20;

/// What is wrong in a file: where, what was found, what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {problem}", file.replace('\n', "\\n"), line.map_or(String::new(), |line| format!(":{line}")))]
pub struct ConfigError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: Option<usize>,
    /// What is wrong.
    pub problem: String,
}

/// What is wrong in a file, in the order of its lines; at least one error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", shown(errors, *more))]
pub struct ConfigErrors {
    /// The first errors.
    pub errors: Vec<ConfigError>,
    /// The number of further errors.
    pub more: usize,
}

fn shown(errors: &[ConfigError], more: usize) -> String {
    let mut lines: Vec<String> = errors.iter().map(ConfigError::to_string).collect();
    if more > 0 {
        lines.push(format!("and {more} more {}", noun_of(more, "error")));
    }
    lines.join("\n")
}

impl From<ConfigError> for ConfigErrors {
    fn from(error: ConfigError) -> ConfigErrors {
        ConfigErrors { errors: vec![error], more: 0 }
    }
}

/// The errors of a file, however many there are: the first ones, and the number of the others.
#[derive(Default)]
struct Noted {
    /// By line, and by number on a line.
    first: BTreeMap<(Option<usize>, usize), ConfigError>,
    /// Hashes of all lines with what is wrong in them: the same error is noted once.
    known: HashSet<u64>,
}

impl Noted {
    fn add(&mut self, error: ConfigError) {
        if self.known.insert(hash((error.line, &error.problem))) {
            self.first.insert((error.line, self.known.len()), error);
            self.shorten();
        }
    }

    /// Adds the error of a key on a line. It is put into words only if it is one of the first.
    fn add_key(&mut self, line: usize, key: &str, error: impl FnOnce() -> ConfigError) {
        let is_first = self.first.len() < MOST_SHOWN || self.first.keys().next_back() > Some(&(Some(line), 0));
        if self.known.insert(hash((line, key))) && is_first {
            self.first.insert((Some(line), self.known.len()), error());
            self.shorten();
        }
    }

    fn shorten(&mut self) {
        if self.first.len() > MOST_SHOWN {
            self.first.pop_last();
        }
    }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The text of the tables, and the errors found so far.
pub struct Source<'a> {
    file: &'a str,
    text: &'a str,
    /// Where its lines end.
    ends: OnceCell<Vec<usize>>,
    noted: RefCell<Noted>,
}

impl<'a> Source<'a> {
    /// The text of a file, which errors name.
    pub fn new(file: &'a str, text: &'a str) -> Source<'a> {
        Source { file, text, ends: OnceCell::new(), noted: RefCell::default() }
    }

    /// An error at this place of the text.
    pub fn error(&self, at: Range<usize>, problem: impl Into<String>) -> ConfigError {
        ConfigError { file: self.file.to_owned(), line: Some(self.line(at.start)), problem: problem.into() }
    }

    /// The line of a place in the text, from 1.
    fn line(&self, place: usize) -> usize {
        let ends = self.ends.get_or_init(|| self.text.match_indices('\n').map(|(end, _)| end).collect());
        ends.partition_point(|end| *end < place) + 1
    }

    /// Notes an error; reading continues.
    pub fn note(&self, error: ConfigError) {
        self.noted.borrow_mut().add(error);
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// Everything that was noted.
    pub fn finish(self) -> Result<(), ConfigErrors> {
        let Noted { first, known } = self.noted.into_inner();
        let more = known.len() - first.len();
        let errors: Vec<ConfigError> = first.into_values().collect();
        if errors.is_empty() { Ok(()) } else { Err(ConfigErrors { errors, more }) }
    }
}

/// Reads a whole text; `file` is its name in errors.
///
/// # Errors
/// Everything that is wrong, with the lines.
///
/// # Panics
/// If `read` gives nothing and notes no error.
pub fn read_document<T>(text: &str, file: &str, read: impl FnOnce(&TomlTable) -> Option<T>) -> Result<T, ConfigErrors> {
    let source = Source::new(file, text);
    let document = DeTable::parse(text).map_err(|error| {
        let (span, said) = (error.span().unwrap_or_default(), error.message().trim().to_lowercase().replace('\n', " "));
        let hint = hint(text, span.start, &said);
        source.error(span, said + &hint)
    })?;
    let whole = read(&TomlTable::new(&source, &document, ""));
    source.finish()?;
    Ok(whole.expect("a file without a fault is whole"))
}

/// What may be meant where a text is no TOML: two slips of those who know other notations.
fn hint(text: &str, at: usize, said: &str) -> String {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default().len();
    let line = text.get(at - line..).and_then(|rest| rest.lines().next()).unwrap_or_default().trim();
    let table = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    match table.filter(|name| !name.starts_with('[')) {
        Some(name) if said.starts_with("duplicate key") => format!("; several tables of a name stand in [[{name}]]"),
        _ if line.ends_with(',') && said.contains("newline") => "; a line ends without a comma".to_owned(),
        _ => String::new(),
    }
}

/// Reads the file at a path, of at most so many bytes, as a text. Errors name it by `what`. Returns the name of the
/// file, too.
///
/// # Errors
/// That it cannot be read.
pub fn read_file(path: &Path, most: u64, what: &str) -> Result<(String, String), ConfigError> {
    let file = path.display().to_string();
    match evouct_store::disk::read_text(path, most) {
        Ok(text) => Ok((text, file)),
        Err(error) => Err(ConfigError { file, line: None, problem: format!("cannot read the {what}: {error}") }),
    }
}

/// A table being read. `path` is its name in errors: `rules`, `player 2`; empty for the whole file.
pub struct TomlTable<'a> {
    source: &'a Source<'a>,
    table: &'a DeTable<'a>,
    span: Range<usize>,
    path: String,
}

impl<'a> TomlTable<'a> {
    /// A table of the text, at this path of keys.
    pub fn new(source: &'a Source<'a>, table: &'a Spanned<DeTable<'a>>, path: &str) -> TomlTable<'a> {
        TomlTable::over(source, table.get_ref(), table.span(), path)
    }

    fn over(source: &'a Source<'a>, table: &'a DeTable<'a>, span: Range<usize>, path: &str) -> TomlTable<'a> {
        TomlTable { source, table, span, path: path.to_owned() }
    }

    /// An error about the table as a whole.
    pub fn error(&self, problem: impl Into<String>) -> ConfigError {
        self.source.error(self.span.clone(), problem)
    }

    /// An error about the value of a key.
    pub fn error_at(&self, key: &str, problem: impl Into<String>) -> ConfigError {
        let span = self.table.get(key).map_or(self.span.clone(), Spanned::span);
        self.source.error(span, problem)
    }

    fn name(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}: {key}", self.path) }
    }

    /// A path that the file names, which is beside the file.
    pub fn beside(&self, path: &str) -> PathBuf {
        Path::new(self.source.file).parent().unwrap_or(Path::new("")).join(path)
    }

    /// What the key holds, in the words of TOML; none if it is not there.
    pub fn type_of(&self, key: &str) -> Option<&'static str> {
        self.table.get(key).map(|value| value.get_ref().type_str())
    }

    /// Where the value of a key stands in the text.
    pub fn place_of(&self, key: &str) -> Option<Range<usize>> {
        self.table.get(key).map(Spanned::span)
    }

    /// Whether the key is there, without asking for its value.
    pub fn has(&self, key: &str) -> bool {
        self.table.get(key).is_some()
    }

    fn value(&self, key: &'static str) -> Option<&'a DeValue<'a>> {
        self.table.get(key).map(Spanned::get_ref)
    }

    fn wrong(&self, key: &str, value: &DeValue, expected: &str) -> ConfigError {
        self.error_at(key, format!("{} = {} is not {expected}", self.name(key), show(value)))
    }

    /// A text.
    pub fn text(&self, key: &'static str) -> Result<Option<&'a str>, ConfigError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        value.as_str().map(Some).ok_or_else(|| self.wrong(key, value, "a text in quotes"))
    }

    /// A table within this one.
    pub fn table(&self, key: &'static str) -> Result<Option<TomlTable<'a>>, ConfigError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let table = value.as_table().ok_or_else(|| self.wrong(key, value, "a table"))?;
        let span = self.table.get(key).map_or(self.span.clone(), Spanned::span);
        Ok(Some(TomlTable::over(self.source, table, span, &self.name(key))))
    }

    /// A list of tables within this one; empty if there is none.
    pub fn tables(&self, key: &'static str) -> Result<Vec<TomlTable<'a>>, ConfigError> {
        let Some(value) = self.value(key) else { return Ok(Vec::new()) };
        let list = value.as_array().ok_or_else(|| self.wrong(key, value, "a list of tables"))?;
        let table = |(index, item): (usize, &'a Spanned<DeValue<'a>>)| {
            let path = format!("{} {}", self.name(key), index + 1);
            let wrong = || self.source.error(item.span(), format!("{path} is not a table"));
            Ok(TomlTable::over(self.source, item.get_ref().as_table().ok_or_else(wrong)?, item.span(), &path))
        };
        list.iter().enumerate().map(table).collect()
    }

    /// A list; empty if there is none.
    pub fn list(&self, key: &'static str) -> Result<Vec<&'a DeValue<'a>>, ConfigError> {
        let Some(value) = self.value(key) else { return Ok(Vec::new()) };
        let list = value.as_array().ok_or_else(|| self.wrong(key, value, "a list"))?;
        Ok(list.iter().map(Spanned::get_ref).collect())
    }

    /// The keys of the table.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.table.keys().map(|key| key.get_ref().as_ref())
    }

    /// Whether anything in the whole text was noted.
    pub fn is_faulty(&self) -> bool {
        !self.source.noted.borrow().known.is_empty()
    }

    /// Notes an error about the table as a whole.
    pub fn note(&self, problem: impl Into<String>) {
        self.source.note(self.error(problem));
    }

    /// Notes an error about a key, or about the table as a whole if it has no such key.
    pub fn note_at(&self, key: &str, problem: impl Into<String>) {
        self.source.note(self.error_at(key, problem));
    }

    /// Notes errors of parameters, each at its key; `key` is where those of the whole set are noted.
    pub fn note_all(&self, key: &str, errors: Vec<ParameterError>) {
        for error in errors {
            self.note_at(error.key.as_deref().unwrap_or(key), error.problem);
        }
    }

    /// Reads the whole table against a table of parameters. `sections` are keys that hold tables and are read
    /// elsewhere. Wrong values are noted and count as not given, and so are required keys that are missing.
    pub fn fill(&self, table: &'static [Parameter], sections: &[&'static str]) -> Filled {
        let is_known = |key: &str| table.iter().any(|row| row.is_called(key));
        for (key, _) in self.table.iter().filter(|(key, _)| !is_known(key.get_ref())) {
            if !sections.contains(&key.get_ref().as_ref()) {
                let earlier = table.iter().filter_map(|row| Some((row.was?, row.name))).collect::<Vec<_>>();
                self.note_unknown(key, table.iter().map(|row| row.name).chain(sections.iter().copied()), &earlier);
            }
        }
        let filled = self.resolve(table, &self.raws(is_known));
        for row in table.iter().filter(|row| row.required && !row.names().any(|name| self.has(name))) {
            self.note(format!("{} is missing", self.name(row.name)));
        }
        filled
    }

    fn resolve(&self, table: &'static [Parameter], given: &[(String, Raw)]) -> Filled {
        Filled::resolve(table, given, Preset::Text, ("this table", "see `evouct schema`")).unwrap_or_else(|errors| {
            // Valid values are read all the same, so that later errors are found too.
            let wrong: Vec<Option<String>> = errors.iter().map(|error| error.key.clone()).collect();
            for error in errors {
                let problem =
                    if self.path.is_empty() { error.problem } else { format!("{}: {}", self.path, error.problem) };
                self.note_at(error.key.as_deref().unwrap_or(""), problem);
            }
            let right: Vec<(String, Raw)> =
                given.iter().filter(|(key, _)| !wrong.contains(&Some(key.clone()))).cloned().collect();
            if right.len() < given.len() { self.resolve(table, &right) } else { Filled::defaults(table, Preset::Text) }
        })
    }

    /// Notes an unknown key. `earlier` are earlier spellings of known keys.
    fn note_unknown(
        &self,
        key: &Spanned<Cow<str>>,
        known: impl Iterator<Item = &'static str>,
        earlier: &[(&'static str, &'static str)],
    ) {
        let error = || {
            let known: Vec<&str> = known.collect();
            let spelt = || nearest(key.get_ref(), earlier.iter().map(|(was, _)| *was));
            let now = |was: &str| earlier.iter().find(|(other, _)| *other == was).map(|(_, name)| *name);
            let name = nearest(key.get_ref(), known.iter().copied()).or_else(|| now(spelt()?));
            let hint = match name {
                Some(name) => format!("did you mean {name}?"),
                None => format!("known here: {}", known.join(", ")),
            };
            self.source.error(key.span(), format!("unknown key {}; {hint}", self.name(key.get_ref())))
        };
        self.source.noted.borrow_mut().add_key(self.source.line(key.span().start), key.get_ref(), error);
    }

    /// The wanted keys with their values. A value that is a table or a date is noted as wrong.
    pub fn raws(&self, wanted: impl Fn(&str) -> bool) -> Vec<(String, Raw)> {
        let mut raws = Vec::new();
        for (key, value) in self.table.iter().filter(|(key, _)| wanted(key.get_ref())) {
            let key = key.get_ref().to_string();
            match raw(value.get_ref()) {
                Some(raw) => raws.push((key, raw)),
                None if value.get_ref().as_integer().is_some() => {
                    let error = self.wrong(&key, value.get_ref(), "a whole number that fits into 64 bits");
                    self.source.note(error);
                }
                None => self.source.note(self.wrong(&key, value.get_ref(), "a value or a list of values")),
            }
        }
        raws
    }

    /// A table within this one; what is not one is noted.
    pub fn section(&self, key: &'static str) -> Option<TomlTable<'a>> {
        self.table(key).unwrap_or_else(|error| {
            self.source.note(error);
            None
        })
    }

    /// The tables within this one, by their keys; what is not one is noted.
    pub fn named_sections(&self) -> Vec<(String, TomlTable<'a>)> {
        let section = |(key, value): (&Spanned<Cow<str>>, &'a Spanned<DeValue<'a>>)| {
            let key = key.get_ref().to_string();
            let Some(table) = value.get_ref().as_table() else {
                self.source.note(self.wrong(&key, value.get_ref(), "a table"));
                return None;
            };
            let section = TomlTable::over(self.source, table, value.span(), &self.name(&key));
            Some((key, section))
        };
        self.table.iter().filter_map(section).collect()
    }

    /// A list of tables within this one, empty if there is none; what is not one is noted.
    pub fn sections(&self, key: &'static str) -> Vec<TomlTable<'a>> {
        self.tables(key).unwrap_or_else(|error| {
            self.source.note(error);
            Vec::new()
        })
    }
}

/// A value as a player's parameter takes it; none for tables, lists and dates.
fn raw(value: &DeValue) -> Option<Raw> {
    match value {
        DeValue::String(text) => Some(Raw::Text(text.to_string())),
        DeValue::Boolean(flag) => Some(Raw::Flag(*flag)),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(integer) => Some(Raw::Integer(integer)),
            // A seed is as large as an option takes it, which is a text.
            Err(_) => {
                u64::from_str_radix(number.as_str(), number.radix()).ok().map(|count| Raw::Text(count.to_string()))
            }
        },
        DeValue::Float(number) => number.as_str().parse().ok().map(Raw::Float),
        DeValue::Array(items) => items.iter().map(|item| raw(item.get_ref())).collect::<Option<_>>().map(Raw::List),
        DeValue::Datetime(_) | DeValue::Table(_) => None,
    }
}

/// A value as an error shows it.
fn show(value: &DeValue) -> String {
    match (raw(value), value) {
        (Some(raw), _) => {
            let text = raw.to_string();
            if text.chars().count() > 60 { format!("{}…", text.chars().take(60).collect::<String>()) } else { text }
        }
        (None, DeValue::Integer(number)) => number.as_str().to_owned(),
        (None, other) => format!("<{}>", other.type_str()),
    }
}
