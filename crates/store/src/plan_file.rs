//! A plan: a JSON file that is written once, before the first game. Its second line is a checksum over all others, with
//! which one wrong bit is found.

use super::disk;
use super::error::RecordError;
use super::flipped_bit::{LONGEST, differing, with_bit};
use super::line::sum;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// The largest plan that is read, in bytes.
const MAX_PLAN: u64 = 100_000_000;
/// What the text of a plan begins with.
const BEGIN: &str = "{\n";
/// What its second line begins with.
const SUM: &str = "  \"sum\": \"";

/// Reads a plan; none if there is no such file. A plan of an earlier version has no checksum.
///
/// # Errors
/// If it cannot be read, is not a plan of this kind, or more than one bit of it is wrong.
pub fn read_plan<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, RecordError> {
    if !path.exists() {
        return Ok(None);
    }
    let failed = |problem: String| RecordError::folder(path, problem);
    let text = disk::read_bytes(path, MAX_PLAN).map_err(|error| failed(format!("cannot read the plan: {error}")))?;
    let text = checked(&text).ok_or_else(|| failed("more than one bit of the plan is wrong".to_owned()))?;
    serde_json::from_slice(&text).map(Some).map_err(|error| failed(format!("this file is not a plan: {error}")))
}

/// Writes a plan, and its folder if need be. Processes that start at once may all write the same plan.
///
/// # Errors
/// If it cannot be written.
pub fn record_plan(path: &Path, plan: &impl Serialize) -> Result<(), RecordError> {
    let json = serde_json::to_string_pretty(plan).expect("a plan is plain data") + "\n";
    let text = with_sum(json.as_bytes());
    let folder = path.parent().unwrap_or(Path::new("."));
    let written =
        disk::create_folder(folder).and_then(|()| disk::replace(path, &text)).and_then(|()| disk::sync_folder(folder));
    written.map_err(|error| RecordError::io(path, "cannot write the plan", error))
}

/// The second line of a plan whose other lines are these.
fn sum_line(others: &[u8]) -> String {
    format!("{SUM}{}\",\n", sum(None, others))
}

fn with_sum(json: &[u8]) -> Vec<u8> {
    let (begin, rest) = json.split_at(BEGIN.len());
    [begin, sum_line(json).as_bytes(), rest].concat()
}

/// The plan without its checksum, and with one wrong bit as it was; none if it is another one.
fn checked(text: &[u8]) -> Option<Vec<u8>> {
    let length = sum_line(b"").len();
    let (Some(begin), Some(line)) = (text.get(..BEGIN.len()), text.get(BEGIN.len()..BEGIN.len() + length)) else {
        return Some(text.to_owned());
    };
    if differing(&line[..SUM.len()], SUM.as_bytes()) > 1 {
        return Some(text.to_owned());
    }
    let others = [begin, &text[BEGIN.len() + length..]].concat();
    let wrong = |others: &[u8]| differing(line, sum_line(others).as_bytes());
    match wrong(&others) {
        0 | 1 => Some(others),
        _ if others.len() > LONGEST => None,
        _ => with_bit(&others, |others| wrong(others) == 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn any_wrong_bit_is_read_as_it_was() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("plan.json");
        let plan = json!({"format": 1, "toml": "seed = 1\n", "t": [0.5, 2]});
        record_plan(&path, &plan).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for bit in 0..8 * whole.len() {
            let mut text = whole.clone();
            text[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, &text).unwrap();
            assert_eq!(read_plan::<Value>(&path).unwrap().as_ref(), Some(&plan), "bit {bit}");
        }
        let mut text = whole;
        text[60] ^= 3;
        std::fs::write(&path, &text).unwrap();
        assert!(read_plan::<Value>(&path).unwrap_err().to_string().contains("more than one bit"));
    }

    #[test]
    fn a_plan_without_a_checksum_is_read() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("plan.json");
        std::fs::write(&path, "{\n  \"format\": 1\n}\n").unwrap();
        assert_eq!(read_plan::<Value>(&path).unwrap(), Some(json!({"format": 1})));
    }
}
