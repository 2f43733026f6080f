//! `[clock]`: the time of each seat for a game.

use super::reader::TomlTable;
use evouct_base::parameter::{Parameter, Parameters, Raw, Values};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use std::sync::LazyLock;

/// The range of times that are added, in seconds.
const SECONDS: Values = Values::Real(0.0, 1e6);

evouct_base::parameters! {
    /// The time of each seat for a game, in seconds: the keys of `[clock]`.
    #[derive(Copy, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct TimeControl {
        /// Seconds of each seat for all its decisions of a game.
        seconds: f64 = 0.0, values = Values::Real(0.001, 1e6), required = true;
        /// Seconds that the clock of a seat gains after each of its decisions (Fischer).
        increment: f64 = 0.0, values = SECONDS;
        /// Seconds by which a seat may exceed its clock before it loses the game.
        margin: f64 = TimeControl::MARGIN, values = SECONDS;
    }
}

pub(super) static KEYS: LazyLock<Vec<Parameter>> = LazyLock::new(TimeControl::table);

impl TimeControl {
    /// The margin where none is given: for the time that the system and a program's answer take.
    pub const MARGIN: f64 = 0.1;

    /// In words: `60 s`, `60 s and 0.5 s per move`.
    pub fn words(&self) -> String {
        let TimeControl { seconds, increment, .. } = self;
        if *increment == 0.0 { format!("{seconds} s") } else { format!("{seconds} s and {increment} s per move") }
    }

    /// Reads the section and collects the errors.
    pub(super) fn read_from(table: &TomlTable) -> TimeControl {
        TimeControl::read(table.fill(&KEYS, &[]).values())
    }
}

/// `60`, `60+0.5` and `60+0.5+0.1`: the time, the increment and the margin, as far as they are not the defaults.
impl Display for TimeControl {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let TimeControl { seconds, increment, margin } = self;
        match (*increment == 0.0, *margin == TimeControl::MARGIN) {
            (true, true) => write!(f, "{seconds}"),
            (false, true) => write!(f, "{seconds}+{increment}"),
            (_, false) => write!(f, "{seconds}+{increment}+{margin}"),
        }
    }
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeControl, String> {
        let wrong = || {
            format!(
                "{text:.40} is no clock; expected SECONDS, SECONDS+INCREMENT or SECONDS+INCREMENT+MARGIN in seconds"
            )
        };
        let rows = KEYS.iter().zip(text.split('+'));
        let is_right = |(row, word): (&Parameter, &str)| row.values.accept(&Raw::Text(word.to_owned())).is_some();
        if text.split('+').count() > KEYS.len() || !rows.clone().all(is_right) {
            return Err(wrong());
        }
        let mut numbers = text.split('+').map(str::parse);
        let mut next = |default: f64| numbers.next().unwrap_or(Ok(default)).map_err(|_| wrong());
        Ok(TimeControl { seconds: next(0.0)?, increment: next(0.0)?, margin: next(TimeControl::MARGIN)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_read_as_it_is_written() {
        for text in ["60", "0.5+0.01", "60+0+2", "60+0.5+0"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        let clock = TimeControl { seconds: 60.0, increment: 0.0, margin: TimeControl::MARGIN };
        assert_eq!("60+0".parse(), Ok(clock));
        for text in ["", "0", "-1", "60+", "60+-1", "60+1+1+1", "1e9", "sixty", "NaN"] {
            assert!(text.parse::<TimeControl>().unwrap_err().contains("is no clock; expected SECONDS"), "{text}");
        }
    }
}
