//! Readings: which run counts for each printed table.
//!
//! A table of a publication may be repeated under several presets, seeds and sizes. So that each printed number counts
//! once, one run per table is declared, before the results are looked at. Claims in the text of a publication, outside its
//! tables, are kept beside them with what was found here.

use super::reader::{ConfigErrors, TomlTable, read_document, read_file};
use super::verdict::Verdict;
use evouct_base::parameter::{Parameter, Parameters};
use std::path::Path;
use std::sync::LazyLock;

/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 1_000_000;

evouct_base::parameters! {
    /// The run that counts for a printed table: the keys of `[[table]]`.
    #[derive(Eq)]
    pub struct Reading {
        /// The table as reports name it: source and number.
        printed: String = String::new(), required = true;
        /// The folder of the run, as it is given to the command.
        run: String = String::new(), required = true;
        /// What is read into the source: preset, budgets, depth.
        reading: String = String::new();
    }
}

evouct_base::parameters! {
    /// A claim in the text of a publication, and what was found here: the keys of `[[claim]]`.
    #[derive(Eq)]
    pub struct Claim {
        /// The publication and the place in it.
        printed: String = String::new(), required = true;
        /// The claim.
        says: String = String::new(), required = true;
        /// What was found here, with its interval, or why nothing can be.
        here: String = String::new(), required = true;
        /// What can be said of the claim.
        verdict: Verdict = Verdict::CannotBeCompared, required = true;
        /// The command that shows it; none where a file or the text that describes it does.
        command: Option<String> = None;
        /// A part of what that command prints.
        shows: Option<String> = None;
    }
}

static KEYS: LazyLock<Vec<Parameter>> = LazyLock::new(Reading::table);
static CLAIM_KEYS: LazyLock<Vec<Parameter>> = LazyLock::new(Claim::table);

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
        let (text, file) = read_file(path, MAX_FILE, "readings")?;
        Readings::parse(&text, &file)
    }

    /// Reads a text as [`load`](Readings::load) does; `file` is its name in errors.
    ///
    /// # Errors
    /// Everything that is wrong, with the lines.
    pub fn parse(text: &str, file: &str) -> Result<Readings, ConfigErrors> {
        read_document(text, file, |whole| {
            whole.fill(&[], &["table", "claim"]);
            let mut tables: Vec<Reading> = Vec::new();
            for table in whole.sections("table") {
                let read = Reading::read(table.fill(&KEYS, &[]).values());
                if tables.iter().any(|known| known.printed == read.printed) {
                    table.note_at("printed", format!("{:?} has two readings; expected one", read.printed));
                }
                tables.push(read);
            }
            let claims = whole.sections("claim").iter().map(claim).collect();
            Some(Readings { tables, claims })
        })
    }
}

fn claim(table: &TomlTable) -> Claim {
    let claim = Claim::read(table.fill(&CLAIM_KEYS, &[]).values());
    if claim.shows.is_some() && claim.command.is_none() {
        table.note_at("shows", "no command prints it");
    }
    claim
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
        assert_eq!(problem("[[table]]\nrun = \"a\"\n"), "r.toml:1: table 1: printed is missing");
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
            "r.toml:5: claim 1: verdict = \"agree\" is not agrees | differs | cannot be compared (did you mean agrees?)"
        );
        assert_eq!(problem(&format!("{text}shows = \"2.1\"\n")), "r.toml:6: no command prints it");
        assert!(problem("[[claim]]\nprinted = \"A\"\n").contains("claim 1: says is missing"));
    }
}
