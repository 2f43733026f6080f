//! Which experiment a line of a journal belongs to.

use std::fmt;
use std::str::FromStr;

/// The experiment that a line was written for: the hash of the resolved experiment and its seed, written `hash/seed`.
///
/// Each line has it, under the line's checksum, and it equals that of the journal's header. Journals of games of format 1
/// have no bindings: their lines are checked against the schedule only.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Binding {
    /// The hash of the resolved experiment.
    pub hash: String,
    /// Its seed: part of the hash, and named so that errors can name it.
    pub seed: u64,
}

impl Binding {
    /// As errors name it.
    pub fn words(&self) -> String {
        format!("experiment {}, seed {}", self.hash, self.seed)
    }
}

impl fmt::Display for Binding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.hash, self.seed)
    }
}

impl FromStr for Binding {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Binding, &'static str> {
        let (hash, seed) = text.split_once('/').ok_or("not a binding")?;
        let is_hash = hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        let seed = seed.parse().ok().filter(|_| is_hash).ok_or("not a binding")?;
        Ok(Binding { hash: hash.to_owned(), seed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bindings_read_back() {
        let binding = Binding { hash: "0123456789abcdef".to_owned(), seed: 2022 };
        assert_eq!(binding.to_string().parse(), Ok(binding));
        for wrong in ["", "/", "0123456789abcdef", "0123456789abcdef/", "0123456789abcdef/-1", "0123/1", "x/1"] {
            assert!(wrong.parse::<Binding>().is_err(), "{wrong}");
        }
    }
}
