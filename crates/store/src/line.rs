//! One line of a journal: JSON with a checksum over the bytes of what it holds.
//!
//! `{"sum":"0123456789abcdef","of":"fedcba9876543210/2022","game":{…}}`, where the sum is the first 64 bits of the
//! BLAKE3 hash of what `of` says, a line's end, and the inner object. A header has no `of`, nor has a game on its way
//! to the journal or one of format 1: the sum is then of the inner object alone.

use super::binding::Binding;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope<'a> {
    sum: &'a str,
    of: Option<&'a str>,
    #[serde(borrow)]
    header: Option<&'a RawValue>,
    #[serde(borrow)]
    game: Option<&'a RawValue>,
    #[serde(borrow)]
    entry: Option<&'a RawValue>,
}

/// What a record is called in its line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Label {
    /// A game of a league.
    Game,
    /// What other journals hold.
    Entry,
}

impl Label {
    fn name(self) -> &'static str {
        match self {
            Label::Game => "game",
            Label::Entry => "entry",
        }
    }

    /// What a record with this label is in a journal of others.
    pub fn elsewhere(self) -> &'static str {
        match self {
            Label::Game => "a game of a league",
            Label::Entry => "an entry of another file, not a game",
        }
    }
}

/// What a line holds, as JSON.
pub enum Content<'a> {
    /// A header.
    Header(&'a str),
    /// A record; a game of format 1 has no binding.
    Record(Label, &'a str, Option<Binding>),
}

/// What every line begins with.
pub(crate) const START: &str = "{\"sum\":\"";
/// What the first line of a journal begins with; `#` stands for a digit of the sum.
const HEADER_START: &str = "{\"sum\":\"################\",\"header\":{\"format\":";

/// The digits of a sum.
pub(crate) const SUM_DIGITS: usize = 16;
/// Most games are shorter, in bytes.
const USUAL_LINE: usize = 4_096;

pub(crate) fn sum(of: Option<&str>, json: &[u8]) -> String {
    let mut hasher = blake3::Hasher::new();
    if let Some(of) = of {
        hasher.update(of.as_bytes()).update(b"\n");
    }
    hasher.update(json).finalize().to_hex()[..SUM_DIGITS].to_owned()
}

/// A line, its end included. `write` adds the JSON: a game is serialised where it stands, and the sum put before it.
fn line(label: &str, of: Option<&str>, write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut line = Vec::with_capacity(USUAL_LINE);
    let mut add = |text: &str| line.extend_from_slice(text.as_bytes());
    [START, &"#".repeat(SUM_DIGITS), "\",\""].into_iter().for_each(&mut add);
    of.iter().for_each(|of| ["of\":\"", of, "\",\""].into_iter().for_each(&mut add));
    [label, "\":"].into_iter().for_each(add);
    let begins = line.len();
    write(&mut line);
    let sum = sum(of, &line[begins..]);
    line[START.len()..][..SUM_DIGITS].copy_from_slice(sum.as_bytes());
    line.extend_from_slice(b"}\n");
    String::from_utf8(line).expect("JSON is text")
}

fn write_json(value: &impl Serialize) -> impl FnOnce(&mut Vec<u8>) {
    move |line| serde_json::to_writer(line, value).expect("records are plain data")
}

/// A line that is not bound to an experiment, its end included.
pub fn encode(label: &str, value: &impl Serialize) -> String {
    line(label, None, write_json(value))
}

/// The line of a game or another entry that is bound to an experiment, its end included.
pub fn bound(label: Label, value: &impl Serialize, of: &Binding) -> String {
    line(label.name(), Some(&of.to_string()), write_json(value))
}

/// The same of what is JSON already.
pub fn bound_json(label: Label, json: &str, of: &Binding) -> String {
    line(label.name(), Some(&of.to_string()), |line| line.extend_from_slice(json.as_bytes()))
}

/// Whether a line that was made by [`bound`] is bound to this experiment.
pub fn is_bound_to(line: &str, of: &Binding) -> bool {
    line.get(START.len() + SUM_DIGITS..).is_some_and(|line| line.starts_with(&format!("\",\"of\":\"{of}\",")))
}

/// Checks a line.
pub fn decode(line: &str) -> Result<Content<'_>, &'static str> {
    // This rejects most text that is no line.
    let envelope = line.starts_with(START).then(|| serde_json::from_str::<Envelope>(line).ok()).flatten();
    let envelope = envelope.ok_or("not a line of a journal")?;
    let (label, json) = match (envelope.header, envelope.game, envelope.entry) {
        (Some(json), None, None) if envelope.of.is_none() => (None, json.get()),
        (None, Some(json), None) => (Some(Label::Game), json.get()),
        (None, None, Some(json)) if envelope.of.is_some() => (Some(Label::Entry), json.get()),
        _ => return Err("neither a header nor a game"),
    };
    if sum(envelope.of, json.as_bytes()) != envelope.sum {
        return Err("the checksum does not match");
    }
    let of = envelope.of.map(str::parse).transpose()?;
    Ok(label.map_or(Content::Header(json), |label| Content::Record(label, json, of)))
}

/// Whether a text without a line's end may be the beginning of a header: one that was being written when the run was
/// cut off.
pub fn is_torn_header(text: &[u8]) -> bool {
    let fits = |(wanted, found): (u8, &u8)| if wanted == b'#' { found.is_ascii_hexdigit() } else { wanted == *found };
    !text.contains(&b'\n') && HEADER_START.bytes().zip(text).all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_changed_letter_is_noticed() {
        let json = serde_json::json!({"id": "1-a-b", "scores": [57, 43]});
        let of = Binding { hash: "0123456789abcdef".to_owned(), seed: 7 };
        for line in [encode("game", &json), bound(Label::Game, &json, &of)] {
            changed_and_torn(&line);
        }
        assert!(
            matches!(decode(bound_json(Label::Game, "{}", &of).trim_end()), Ok(Content::Record(Label::Game, "{}", Some(found))) if found == of)
        );
        assert_eq!(bound(Label::Game, &json, &of), bound_json(Label::Game, &json.to_string(), &of));
        // A binding that was taken away, or given to another experiment.
        let line = bound_json(Label::Game, "{}", &of);
        assert!(is_bound_to(&line, &of) && !is_bound_to(&line, &Binding { seed: 8, ..of.clone() }));
        assert!(!is_bound_to(&encode("game", &json), &of));
        for other in [line.replace("\"of\":\"0123456789abcdef/7\",", ""), line.replace("/7", "/8")] {
            assert!(decode(other.trim_end()).is_err(), "{other}");
        }
    }

    fn changed_and_torn(line: &str) {
        assert!(matches!(decode(line.trim_end()), Ok(Content::Record(..))));
        for at in 0..line.len() - 1 {
            let mut bytes = line.trim_end().as_bytes().to_vec();
            bytes[at] ^= 1;
            let Ok(changed) = String::from_utf8(bytes) else { continue };
            assert!(decode(&changed).is_err(), "{changed}");
        }
        assert!((0..line.len() - 1).all(|end| decode(&line[..end]).is_err()), "a torn line passes");
    }

    #[test]
    fn only_the_beginning_of_a_header_is_one() {
        let header = encode("header", &serde_json::json!({"format": 2}));
        let torn = &header.as_bytes()[..header.len() - 1];
        assert!((0..torn.len()).all(|end| is_torn_header(&torn[..end])));
        for other in
            ["{\"my\":\"data\"}", " ", "x", "{\"sum\":\"0123456789abcdeg", "{\"sum\":\"0123456789abcdef\",\"game\":"]
        {
            assert!(!is_torn_header(other.as_bytes()), "{other}");
        }
        assert!(!is_torn_header(header.as_bytes()));
    }
}
