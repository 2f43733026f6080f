//! Readings: which run counts for each printed table.
//!
//! A table of a publication may be repeated under several presets, seeds and sizes. So that each printed number counts
//! once, one run per table is declared, before the results are looked at.

use super::reader::{ConfigError, ConfigErrors, Source, TomlTable};
use evouct_base::parameter::{Parameter, Parameters};
use std::path::Path;
use std::sync::LazyLock;
use toml::de::DeTable;

/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 1_000_000;

/// The run that counts for a printed table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The table as reports name it: source and number.
    pub printed: String,
    /// The folder of the run.
    pub run: String,
    /// What is read into the source: preset, budgets, depth.
    pub reading: String,
}

evouct_base::parameters! {
    /// The keys of `[[table]]`.
    struct ReadingKeys {
        /// The table as reports name it: source and number.
        printed: Option<String> = None;
        /// The folder of the run, as it is given to the command.
        run: Option<String> = None;
        /// What is read into the source.
        reading: String = String::new();
    }
}

static KEYS: LazyLock<Vec<Parameter>> = LazyLock::new(ReadingKeys::table);

impl Reading {
    /// Reads the declared readings of a file.
    ///
    /// # Errors
    /// A file that cannot be read, or everything that is wrong in it.
    pub fn load(path: &Path) -> Result<Vec<Reading>, ConfigErrors> {
        let file = path.display().to_string();
        let unreadable = |error: std::io::Error| ConfigError {
            file: file.clone(),
            line: None,
            problem: format!("cannot read the readings: {error}"),
        };
        let text = crate::disk::read_text(path, MAX_FILE).map_err(unreadable)?;
        Reading::parse(&text, &file)
    }

    /// Reads a text as [`load`](Reading::load) does; `file` is its name in errors.
    ///
    /// # Errors
    /// Everything that is wrong, with the lines.
    pub fn parse(text: &str, file: &str) -> Result<Vec<Reading>, ConfigErrors> {
        let source = Source::new(file, text);
        let document = DeTable::parse(text).map_err(|error| {
            source.error(error.span().unwrap_or_default(), error.message().trim().to_lowercase().replace('\n', " "))
        })?;
        let whole = TomlTable::new(&source, &document, "");
        whole.fill(&[], &["table"]);
        let mut readings: Vec<Reading> = Vec::new();
        for table in whole.sections("table") {
            let ReadingKeys { printed, run, reading } = ReadingKeys::read(table.fill(&KEYS, &[]).values());
            let (Some(printed), Some(run)) = (printed, run) else {
                table.note("a table needs the keys printed and run");
                continue;
            };
            if readings.iter().any(|known| known.printed == printed) {
                table.note_at("printed", format!("{printed:?} has two readings; expected one"));
            }
            readings.push(Reading { printed, run, reading });
        }
        source.finish()?;
        Ok(readings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_table_has_one_reading() {
        let text = "[[table]]\nprinted = \"A, table 1\"\nrun = \"runs/a\"\nreading = \"text\"\n";
        let expected =
            Reading { printed: "A, table 1".to_owned(), run: "runs/a".to_owned(), reading: "text".to_owned() };
        assert_eq!(Reading::parse(text, "r.toml"), Ok(vec![expected]));
        let problem = |text: &str| Reading::parse(text, "r.toml").unwrap_err().to_string();
        assert_eq!(problem(&format!("{text}{text}")), "r.toml:6: \"A, table 1\" has two readings; expected one");
        assert_eq!(problem("[[table]]\nrun = \"a\"\n"), "r.toml:1: a table needs the keys printed and run");
        assert!(problem("tables = 1\n").contains("table"), "{}", problem("tables = 1\n"));
    }
}
