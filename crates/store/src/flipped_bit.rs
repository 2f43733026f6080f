//! A header in which one bit was flipped: its checksum tells which.

use super::line::{START, SUM_DIGITS, sum};
use serde::de::DeserializeOwned;

/// What stands between the sum and the header.
const LABEL: &str = "\",\"header\":";
/// Longer texts are not searched: a try costs a hash over the whole header.
pub(crate) const LONGEST: usize = 1 << 15;

/// Where the lines behind a restored header begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Behind {
    /// At this place of the first line: its end was taken away.
    At(usize),
    /// With the second line.
    Second,
    /// With the third line: an end of a line was made.
    Third,
}

/// The header of a damaged first line, if only one bit of it is wrong. `next` is the line behind it: the bit may have
/// made an end of the line, or have taken one away.
pub fn restored<H: DeserializeOwned>(line: &[u8], next: &[u8]) -> Option<H> {
    restored_json(line, next).and_then(|(json, _)| serde_json::from_slice(&json).ok())
}

/// The same in the bytes that it had, and where the lines behind it begin.
pub(crate) fn restored_json(line: &[u8], next: &[u8]) -> Option<(Vec<u8>, Behind)> {
    // Around the header, or none of it is one: what is no header costs no search.
    if around(line)? > 1 {
        return None;
    }
    let ends = line.windows(2 + START.len()).position(|part| part[0] == b'}' && part[2..] == *START.as_bytes());
    match ends {
        // The header, and behind what was the line's end a game.
        Some(end) => whole(&line[..=end]).map(|json| (json, Behind::At(end + 2))),
        None => of_line(line).map(|json| (json, Behind::Second)).or_else(|| {
            let joined = |bit: u32| [line, &[b'\n' ^ (1 << bit)], next].concat();
            (0..u8::BITS).find_map(|bit| whole(&joined(bit))).map(|json| (json, Behind::Third))
        }),
    }
}

/// The sum that a line names, and the text that it is of.
fn parts(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let (begin, label) = line.split_at_checked(START.len() + SUM_DIGITS)?;
    let (_, json) = label.split_at_checked(LABEL.len())?;
    Some((&begin[START.len()..], json.split_last()?.1))
}

/// In how many bits the text around the sum differs from that of a header line.
fn around(line: &[u8]) -> Option<u32> {
    let (start, rest) = line.split_at_checked(START.len())?;
    let label = rest.get(SUM_DIGITS..SUM_DIGITS + LABEL.len())?;
    Some(differing(start, START.as_bytes()) + differing(label, LABEL.as_bytes()))
}

pub(crate) fn differing(found: &[u8], expected: &[u8]) -> u32 {
    found.iter().zip(expected).map(|(found, expected)| (found ^ expected).count_ones()).sum()
}

/// The header of a line without damage.
fn whole(line: &[u8]) -> Option<Vec<u8>> {
    let (named, json) = parts(line)?;
    (sum(None, json).as_bytes() == named).then(|| json.to_vec())
}

fn of_line(line: &[u8]) -> Option<Vec<u8>> {
    if line.len() > LONGEST {
        return None;
    }
    let (named, json) = parts(line)?;
    // Around the header, or in the sum: the line as it should be differs in one bit.
    let right = [START.as_bytes(), sum(None, json).as_bytes(), LABEL.as_bytes(), json, b"}"].concat();
    if differing(line, &right) <= 1 {
        return Some(json.to_vec());
    }
    with_bit(json, |json| sum(None, json).as_bytes() == named)
}

/// The text with the one bit flipped with which it is right; none if there is no such bit.
pub(crate) fn with_bit(text: &[u8], is_right: impl Fn(&[u8]) -> bool) -> Option<Vec<u8>> {
    let mut text = text.to_vec();
    for at in 0..text.len() {
        for bit in 0..u8::BITS {
            text[at] ^= 1 << bit;
            if is_right(&text) {
                return Some(text);
            }
            text[at] ^= 1 << bit;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::encode;
    use serde_json::{Value, json};

    #[test]
    fn any_flipped_bit_is_found() {
        let header =
            json!({"about": "J* of two", "experiment": {"seed": 2022}, "format": 2, "toml": "name = \"pair\"\n"});
        let game = "{\"sum\":\"0123456789abcdef\",\"game\":{}}";
        let text = encode("header", &header) + game;
        let end = text.len() - game.len();
        for bit in 0..8 * end {
            let mut bytes = text.clone().into_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            // As a journal is read: line by line.
            let mut lines = bytes.split(|byte| *byte == b'\n');
            let (line, next) = (lines.next().unwrap(), lines.next().unwrap_or_default());
            assert_eq!(restored::<Value>(line, next).as_ref(), Some(&header), "bit {bit}");
        }
        // Two bits are not.
        let mut bytes = text.into_bytes();
        bytes[100] ^= 3;
        assert_eq!(restored::<Value>(&bytes[..end - 1], game.as_bytes()), None);
    }
}
