//! Lines of the protocol, read up to a limit.

use std::io::{self, BufRead, Read};

/// The most bytes of a line, without its end.
pub const MAX_LINE: usize = 65_536;

/// What was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputLine {
    /// A line, without its end.
    Text(String),
    /// A line with more than [`MAX_LINE`] bytes; the rest of it is not read.
    TooLong,
    /// A line that is not UTF-8.
    NotText,
    /// The end of the input.
    End,
}

/// Reads the next line.
///
/// # Errors
/// If the input cannot be read.
pub fn read_line(input: &mut impl BufRead) -> io::Result<InputLine> {
    let mut bytes = Vec::new();
    input.take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes)?;
    let is_whole = bytes.pop_if(|last| *last == b'\n').is_some();
    if bytes.is_empty() && !is_whole {
        return Ok(InputLine::End);
    }
    if bytes.len() > MAX_LINE {
        return Ok(InputLine::TooLong);
    }
    Ok(String::from_utf8(bytes)
        .map_or(InputLine::NotText, |text| InputLine::Text(text.trim_end_matches('\r').to_owned())))
}

/// Passes over the rest of a line.
///
/// # Errors
/// If the input cannot be read.
pub fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    input.skip_until(b'\n').map(drop)
}

/// Whether a line answers nothing: `info …` or `id …`.
pub(super) fn is_remark(line: &str) -> bool {
    ["info", "id"].contains(&line.split(' ').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_the_limit() {
        let long = "x".repeat(MAX_LINE);
        let text = format!("ready\r\n\n{long}\n{long}yz\nlast");
        let mut input = text.as_bytes();
        let mut next = || read_line(&mut input).unwrap();
        assert_eq!([next(), next()], ["ready", ""].map(|line| InputLine::Text(line.to_owned())));
        assert_eq!(next(), InputLine::Text(long));
        assert_eq!(next(), InputLine::TooLong);
        skip_line(&mut input).unwrap();
        let mut next = || read_line(&mut input).unwrap();
        assert_eq!(next(), InputLine::Text("last".to_owned()));
        assert_eq!([next(), next()], [InputLine::End, InputLine::End]);
        assert_eq!(read_line(&mut &[0xff, b'\n'][..]).unwrap(), InputLine::NotText);
    }
}
