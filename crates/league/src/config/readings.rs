//! Readings: which run counts for each printed table.
//!
//! A table of a publication may be repeated under several presets, seeds and sizes. So that each printed number counts
//! once, one run per table is declared, before the results are looked at. Claims in the text of a publication, outside its
//! tables, are kept beside them with what was found here.

use super::reader::{ConfigError, ConfigErrors, Source, TomlTable};
use super::verdict::Verdict;
use evouct_base::named::Named;
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

/// A claim in the text of a publication, and what was found here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The publication and the place in it.
    pub printed: String,
    /// The claim.
    pub says: String,
    /// What was found here, with its interval, or why nothing can be.
    pub here: String,
    /// What can be said of the claim.
    pub verdict: Verdict,
    /// The command that shows it; none where a file or the text that describes it does.
    pub command: Option<String>,
    /// A part of what that command prints.
    pub shows: Option<String>,
}

evouct_base::parameters! {
    /// The keys of `[[claim]]`.
    struct ClaimKeys {
        /// The publication and the place in it.
        printed: Option<String> = None;
        /// The claim.
        says: Option<String> = None;
        /// What was found here, with its interval, or why nothing can be.
        here: Option<String> = None;
        /// agrees, differs or cannot be compared.
        verdict: Option<String> = None;
        /// The command that shows it.
        command: Option<String> = None;
        /// A part of what that command prints.
        shows: Option<String> = None;
    }
}

static KEYS: LazyLock<Vec<Parameter>> = LazyLock::new(ReadingKeys::table);
static CLAIM_KEYS: LazyLock<Vec<Parameter>> = LazyLock::new(ClaimKeys::table);

/// What a file declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readings {
    /// The run that counts for each printed table.
    pub tables: Vec<Reading>,
    /// Claims outside the tables.
    pub claims: Vec<Claim>,
}

impl Readings {
    /// Reads the declared readings of a file.
    ///
    /// # Errors
    /// A file that cannot be read, or everything that is wrong in it.
    pub fn load(path: &Path) -> Result<Readings, ConfigErrors> {
        let file = path.display().to_string();
        let unreadable = |error: std::io::Error| ConfigError {
            file: file.clone(),
            line: None,
            problem: format!("cannot read the readings: {error}"),
        };
        let text = evouct_store::disk::read_text(path, MAX_FILE).map_err(unreadable)?;
        Readings::parse(&text, &file)
    }

    /// Reads a text as [`load`](Readings::load) does; `file` is its name in errors.
    ///
    /// # Errors
    /// Everything that is wrong, with the lines.
    pub fn parse(text: &str, file: &str) -> Result<Readings, ConfigErrors> {
        let source = Source::new(file, text);
        let document = DeTable::parse(text).map_err(|error| {
            source.error(error.span().unwrap_or_default(), error.message().trim().to_lowercase().replace('\n', " "))
        })?;
        let whole = TomlTable::new(&source, &document, "");
        whole.fill(&[], &["table", "claim"]);
        let mut tables: Vec<Reading> = Vec::new();
        for table in whole.sections("table") {
            let ReadingKeys { printed, run, reading } = ReadingKeys::read(table.fill(&KEYS, &[]).values());
            let (Some(printed), Some(run)) = (printed, run) else {
                table.note("a table needs the keys printed and run");
                continue;
            };
            if tables.iter().any(|known| known.printed == printed) {
                table.note_at("printed", format!("{printed:?} has two readings; expected one"));
            }
            tables.push(Reading { printed, run, reading });
        }
        let claims = whole.sections("claim").iter().filter_map(claim).collect();
        source.finish()?;
        Ok(Readings { tables, claims })
    }
}

fn claim(table: &TomlTable) -> Option<Claim> {
    let keys = ClaimKeys::read(table.fill(&CLAIM_KEYS, &[]).values());
    let (Some(printed), Some(says), Some(here), Some(verdict)) = (keys.printed, keys.says, keys.here, keys.verdict)
    else {
        table.note("a claim needs the keys printed, says, here and verdict");
        return None;
    };
    let Some(verdict) = Verdict::of_name(&verdict) else {
        table.note_at("verdict", format!("{verdict:?} is none of {}", Verdict::names().join(", ")));
        return None;
    };
    if keys.shows.is_some() && keys.command.is_none() {
        table.note_at("shows", "no command prints it");
    }
    Some(Claim { printed, says, here, verdict, command: keys.command, shows: keys.shows })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_table_has_one_reading() {
        let text = "[[table]]\nprinted = \"A, table 1\"\nrun = \"runs/a\"\nreading = \"text\"\n";
        let expected =
            Reading { printed: "A, table 1".to_owned(), run: "runs/a".to_owned(), reading: "text".to_owned() };
        assert_eq!(Readings::parse(text, "r.toml").unwrap().tables, [expected]);
        let problem = |text: &str| Readings::parse(text, "r.toml").unwrap_err().to_string();
        assert_eq!(problem(&format!("{text}{text}")), "r.toml:6: \"A, table 1\" has two readings; expected one");
        assert_eq!(problem("[[table]]\nrun = \"a\"\n"), "r.toml:1: a table needs the keys printed and run");
        assert!(problem("tables = 1\n").contains("table"), "{}", problem("tables = 1\n"));
    }

    #[test]
    fn a_claim_has_a_verdict() {
        let text = "[[claim]]\nprinted = \"A, 1\"\nsays = \"two\"\nhere = \"2.1 ± 0.2\"\nverdict = \"agrees\"\n";
        let expected = Claim {
            printed: "A, 1".to_owned(),
            says: "two".to_owned(),
            here: "2.1 ± 0.2".to_owned(),
            verdict: Verdict::Agrees,
            command: None,
            shows: None,
        };
        let found = Readings::parse(text, "r.toml").unwrap();
        assert_eq!((found.claims, found.tables), (vec![expected], Vec::new()));
        let problem = |text: &str| Readings::parse(text, "r.toml").unwrap_err().to_string();
        assert!(problem(&text.replace("says", "sais")).contains("sais"));
        assert_eq!(
            problem(&text.replace("agrees", "agree")),
            "r.toml:5: \"agree\" is none of agrees, differs, cannot be compared"
        );
        assert_eq!(problem(&format!("{text}shows = \"2.1\"\n")), "r.toml:6: no command prints it");
        assert!(problem("[[claim]]\nprinted = \"A\"\n").contains("a claim needs the keys"));
    }
}
