//! Numbers of things in words: `1 game`, `2 games`.

use std::fmt::Display;

/// A number with a noun, in the singular if there is one thing.
///
/// ```
/// use evouct_base::plural::counted;
/// assert_eq!([counted(1, "game"), counted(0, "game"), counted(2, "match")], ["1 game", "0 games", "2 matches"]);
/// ```
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    format!("{number} {}", noun_of(number, noun))
}

/// The noun of so many things.
pub fn noun_of<N: PartialEq + From<u8>>(number: N, noun: &str) -> String {
    let stem = noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']));
    match (number == N::from(1), stem) {
        (true, _) => noun.to_owned(),
        (false, Some(stem)) => format!("{stem}ies"),
        (false, None) if noun.ends_with(['s', 'x']) || noun.ends_with("ch") => format!("{noun}es"),
        (false, None) => format!("{noun}s"),
    }
}

/// The verb of so many things: `is` or `are`.
pub fn is_or_are<N: PartialEq + From<u8>>(number: N) -> &'static str {
    if number == N::from(1) { "is" } else { "are" }
}

/// The same in the past: `was` or `were`.
pub fn was_or_were<N: PartialEq + From<u8>>(number: N) -> &'static str {
    if number == N::from(1) { "was" } else { "were" }
}

/// A time that was measured, in hours of one core with two digits.
///
/// ```
/// use evouct_base::plural::core_hours;
/// assert_eq!([24.0, 5_000.0, 1e6].map(core_hours), ["0.0067 core-hours", "1.4 core-hours", "278 core-hours"]);
/// ```
pub fn core_hours(seconds: f64) -> String {
    let hours = seconds / 3_600.0;
    let decimals = if hours > 0.0 { (1.0 - hours.log10().floor()).clamp(0.0, 4.0) as usize } else { 0 };
    format!("{hours:.decimals$} core-hours")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_singular() {
        for (noun, many) in
            [("deck", "decks"), ("ply", "plies"), ("play", "plays"), ("match", "matches"), ("loss", "losses")]
        {
            assert_eq!((counted(1_u64, noun), counted(2_u64, noun)), (format!("1 {noun}"), format!("2 {many}")));
        }
        assert_eq!((counted(0_usize, "game"), counted(1.0, "second")), ("0 games".to_owned(), "1 second".to_owned()));
        assert_eq!((is_or_are(1), is_or_are(0), was_or_were(1), was_or_were(7)), ("is", "are", "was", "were"));
    }
}
