//! One line of a journal: JSON with a checksum over the bytes of what it holds.
//!
//! `{"sum":"0123456789abcdef","game":{…}}`, where the sum is the first 64 bits of the BLAKE3 hash of the inner object.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope<'a> {
    sum: &'a str,
    #[serde(borrow)]
    header: Option<&'a RawValue>,
    #[serde(borrow)]
    game: Option<&'a RawValue>,
}

/// What a line holds, as JSON.
pub(super) enum Content<'a> {
    Header(&'a str),
    Game(&'a str),
}

fn sum(json: &str) -> String {
    blake3::hash(json.as_bytes()).to_hex()[..16].to_owned()
}

/// A line for a journal, its end included.
pub(super) fn encode(label: &str, value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).expect("records are plain data");
    format!("{{\"sum\":\"{}\",\"{label}\":{json}}}\n", sum(&json))
}

/// Checks a line.
pub(super) fn decode(line: &str) -> Result<Content<'_>, &'static str> {
    let envelope: Envelope = serde_json::from_str(line).map_err(|_| "not a line of a journal")?;
    let (content, json) = match (envelope.header, envelope.game) {
        (Some(json), None) => (Content::Header(json.get()), json.get()),
        (None, Some(json)) => (Content::Game(json.get()), json.get()),
        _ => return Err("neither a header nor a game"),
    };
    if sum(json) == envelope.sum { Ok(content) } else { Err("the checksum does not match") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_changed_letter_is_noticed() {
        let line = encode("game", &serde_json::json!({"id": "1-a-b", "scores": [57, 43]}));
        assert!(matches!(decode(line.trim_end()), Ok(Content::Game(_))));
        for at in 0..line.len() - 1 {
            let mut bytes = line.trim_end().as_bytes().to_vec();
            bytes[at] ^= 1;
            let Ok(changed) = String::from_utf8(bytes) else { continue };
            assert!(decode(&changed).is_err(), "{changed}");
        }
        assert!((0..line.len() - 1).all(|end| decode(&line[..end]).is_err()), "a torn line passes");
    }
}
