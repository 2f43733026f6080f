//! One line of a journal: JSON with a checksum over the bytes of what it holds.
//!
//! `{"sum":"0123456789abcdef","of":"fedcba9876543210/2022","game":{…}}`, where the sum is the first 64 bits of the BLAKE3 hash
//! of what `of` says, a line's end, and the inner object. A header has no `of`, nor has a game on its way to the journal or
//! one of format 1: the sum is then of the inner object alone.

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

/// What a line holds, as JSON.
pub(super) enum Content<'a> {
    Header(&'a str),
    Game(&'a str, Option<Binding>),
    /// An entry of a file that is no journal of games: see [`EntryWriter`](super::EntryWriter).
    Entry(&'a str, Binding),
}

/// What every line begins with.
const START: &str = "{\"sum\":\"";
/// What the first line of a journal begins with; `#` stands for a digit of the sum.
const HEADER_START: &str = "{\"sum\":\"################\",\"header\":{\"format\":";

fn sum(of: Option<&str>, json: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    if let Some(of) = of {
        hasher.update(of.as_bytes()).update(b"\n");
    }
    hasher.update(json.as_bytes()).finalize().to_hex()[..16].to_owned()
}

/// A line that is not bound to an experiment, its end included.
pub(super) fn encode(label: &str, value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).expect("records are plain data");
    format!("{START}{}\",\"{label}\":{json}}}\n", sum(None, &json))
}

/// The line of a game or another entry, as JSON, that is bound to an experiment, its end included.
pub(super) fn bound(label: &str, json: &str, of: &Binding) -> String {
    let of = of.to_string();
    format!("{START}{}\",\"of\":\"{of}\",\"{label}\":{json}}}\n", sum(Some(&of), json))
}

/// Checks a line.
pub(super) fn decode(line: &str) -> Result<Content<'_>, &'static str> {
    // This rejects most text that is no line.
    let envelope = line.starts_with(START).then(|| serde_json::from_str::<Envelope>(line).ok()).flatten();
    let envelope = envelope.ok_or("not a line of a journal")?;
    let contents = (envelope.header, envelope.game, envelope.entry);
    let json = match contents {
        (Some(json), None, None) if envelope.of.is_none() => json.get(),
        (None, Some(json), None) => json.get(),
        (None, None, Some(json)) if envelope.of.is_some() => json.get(),
        _ => return Err("neither a header nor a game"),
    };
    if sum(envelope.of, json) != envelope.sum {
        return Err("the checksum does not match");
    }
    let of = envelope.of.map(str::parse).transpose()?;
    Ok(match (contents, of) {
        ((Some(_), ..), _) => Content::Header(json),
        ((.., Some(_)), Some(of)) => Content::Entry(json, of),
        (_, of) => Content::Game(json, of),
    })
}

/// Whether a text without a line's end may be the beginning of a header: one that was being written when the run was cut off.
pub(super) fn is_torn_header(text: &[u8]) -> bool {
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
        for line in [encode("game", &json), bound("game", &json.to_string(), &of)] {
            changed_and_torn(&line);
        }
        assert!(
            matches!(decode(bound("game", "{}", &of).trim_end()), Ok(Content::Game("{}", Some(found))) if found == of)
        );
        // A binding that was taken away, or given to another experiment.
        let line = bound("game", "{}", &of);
        for other in [line.replace("\"of\":\"0123456789abcdef/7\",", ""), line.replace("/7", "/8")] {
            assert!(decode(other.trim_end()).is_err(), "{other}");
        }
    }

    fn changed_and_torn(line: &str) {
        assert!(matches!(decode(line.trim_end()), Ok(Content::Game(..))));
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
