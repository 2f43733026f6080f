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
/// What to do with a file that is no plan.
const AGAIN: &str = "remove it, and the command that began the folder writes it again";
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
    let wrong = |error| RecordError::folder(path, format!("this file is not a plan: {error}; {AGAIN}"));
    serde_json::from_slice(&whole(path)?).map(Some).map_err(wrong)
}

/// The text of a plan without its checksum, as it was before one bit of it was wrong.
fn whole(path: &Path) -> Result<Vec<u8>, RecordError> {
    let failed = |problem: String| RecordError::folder(path, problem);
    let text = disk::read_bytes(path, MAX_PLAN).map_err(|error| failed(format!("cannot read the plan: {error}")))?;
    checked(&text).ok_or_else(|| failed(format!("more than one bit of the plan is wrong; {AGAIN}")))
}

/// Copies a plan, as it was before one bit of it was wrong.
///
/// # Errors
/// As [`read_plan`] and [`record_plan`].
pub fn copy_plan(from: &Path, to: &Path) -> Result<(), RecordError> {
    write(to, &whole(from)?)
}

/// Writes a plan, and its folder if need be. Processes that start at once may all write the same plan.
///
/// # Errors
/// If it cannot be written.
pub fn record_plan(path: &Path, plan: &impl Serialize) -> Result<(), RecordError> {
    let json = serde_json::to_string_pretty(plan).expect("a plan is plain data") + "\n";
    write(path, json.as_bytes())
}

fn write(path: &Path, json: &[u8]) -> Result<(), RecordError> {
    let text = with_sum(json);
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
    match json.strip_prefix(BEGIN.as_bytes()) {
        Some(rest) => [BEGIN.as_bytes(), sum_line(json).as_bytes(), rest].concat(),
        // Somebody has laid it out in another way.
        None => json.to_owned(),
    }
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
        let [path, copy] = ["plan.json", "copy.json"].map(|name| scratch.path().join(name));
        let plan = json!({"format": 1, "toml": "seed = 1\n", "t": [0.5, 2]});
        record_plan(&path, &plan).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for bit in 0..8 * whole.len() {
            let mut text = whole.clone();
            text[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, &text).unwrap();
            assert_eq!(read_plan::<Value>(&path).unwrap().as_ref(), Some(&plan), "bit {bit}");
            // A copy waits for the disk.
            if bit % 41 == 0 {
                copy_plan(&path, &copy).unwrap();
                assert_eq!(std::fs::read(&copy).unwrap(), whole, "bit {bit}");
            }
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
