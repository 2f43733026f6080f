//! Messages between ranks: contents and format. Only this file knows the format, and nothing is stored in it.
//!
//! A message is four bytes, a mark and the version of the protocol, then the content in bincode. Its length is checked
//! before it is decoded.

use super::super::batching::BatchRequest;
use bincode::Options;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The longest message, in bytes: longer than any game, short enough for the memory of rank 0.
pub(super) const MAX_MESSAGE: usize = 64 << 20;
/// The mark of our messages and the version of what they hold.
const MARK: [u8; 4] = *b"EVO\x03";

/// The first message of a follower.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Hello {
    /// The version of evouct.
    pub evouct: String,
    /// The experiment that it is about to play.
    pub agreement: String,
    /// Number of its threads.
    pub threads: u64,
    /// Its machine.
    pub host: String,
    /// Why it cannot take part, if so.
    pub problem: Option<String>,
}

/// A message of a follower.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ToLeader<T> {
    /// The first message.
    Hello(Hello),
    /// Finished games and a request.
    Report {
        /// Each with its job.
        results: Vec<(u64, T)>,
        /// The request for games.
        ask: BatchRequest,
        /// Whether the follower was asked to stop.
        interrupted: bool,
        /// Whether this is its last message.
        last: bool,
    },
}

/// An answer of the leader.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ToFollower {
    /// Take part.
    Welcome,
    /// There is nothing to do; leave.
    Leave,
    /// Jobs, perhaps none for the moment.
    Work {
        /// Their numbers.
        jobs: Vec<u64>,
        /// What is to be learnt before they are played.
        news: Option<String>,
    },
    /// All jobs are distributed: finish those you have.
    Finish,
    /// Abandon games in progress and end.
    Stop,
    /// The next experiment of a series, as the text of its file.
    Play(String),
}

fn form() -> impl Options {
    bincode::DefaultOptions::new().with_limit(MAX_MESSAGE as u64)
}

/// The bytes of a message.
pub(super) fn encode(message: &impl Serialize) -> Result<Vec<u8>, String> {
    let mut bytes = MARK.to_vec();
    form()
        .serialize_into(&mut bytes, message)
        .map_err(|error| format!("cannot make a message of at most {MAX_MESSAGE} bytes: {error}"))?;
    Ok(bytes)
}

/// Reads a message.
pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    match bytes.split_first_chunk() {
        Some((&MARK, content)) => {
            form().deserialize(content).map_err(|error| format!("cannot read a message: {error}"))
        }
        Some((mark, _)) if mark[..3] == MARK[..3] => {
            Err(format!("speaks version {} of the protocol, this rank version {}", mark[3], MARK[3]))
        }
        _ => Err("sent something that is no message of evouct".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_read_as_they_were_sent_and_nothing_else_does() {
        let ask = BatchRequest { idle: 3, store: 9 };
        let report = ToLeader::Report { results: vec![(7, "x".to_owned())], ask, interrupted: false, last: true };
        let bytes = encode(&report).unwrap();
        let ToLeader::Report { results, ask: asked, last, .. } = decode::<ToLeader<String>>(&bytes).unwrap() else {
            panic!("a report became something else")
        };
        assert_eq!((results, asked, last), (vec![(7, "x".to_owned())], ask, true));
        for end in 0..bytes.len() {
            assert!(decode::<ToLeader<String>>(&bytes[..end]).is_err(), "a message cut off at {end} reads");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert!(decode::<ToLeader<String>>(&longer).is_err());
        let mut other = bytes.clone();
        other[3] = 9;
        assert_eq!(
            decode::<ToLeader<String>>(&other).unwrap_err(),
            "speaks version 9 of the protocol, this rank version 3"
        );
        // A length beyond the message must not allocate memory.
        let boast = [&MARK[..], &[2, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]].concat();
        assert!(decode::<ToFollower>(&boast).is_err());
        assert!(encode(&"x".repeat(MAX_MESSAGE + 1)).unwrap_err().contains("at most"));
    }
}
