//! Escaping of text for a terminal, a line of errors, a cell of a table, and Markdown.

use std::borrow::Cow;

/// Error lines are cut after so many characters.
pub const MAX_LINE: usize = 2_000;

/// Whether a terminal, or a page of text, would act on a character instead of showing it: control characters, and those
/// that change the direction of what follows.
fn acts(letter: char) -> bool {
    let turns =
        matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || turns || matches!(letter, '\u{2028}' | '\u{2029}')
}

/// The length of a change of colour (`ESC [ … m`) at the start of a text; none where it is something else.
fn colour(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("\u{1b}[")?;
    let end = rest.find(|letter: char| !(letter.is_ascii_digit() || letter == ';'))?;
    rest[end..].starts_with('m').then_some("\u{1b}[".len() + end + 1)
}

/// A text for a terminal: what would act on it is written as `\u{1b}`. Ends of lines and tabs stay, and, where they are
/// allowed, changes of colour.
pub fn terminal(text: &str, colours: bool) -> Cow<'_, str> {
    let acts = |letter: char| acts(letter) && !matches!(letter, '\n' | '\t');
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let length = match colour(rest).filter(|_| colours) {
            Some(length) => {
                safe.push_str(&rest[..length]);
                length
            }
            None if acts(letter) => {
                safe.extend(letter.escape_unicode());
                letter.len_utf8()
            }
            None => {
                safe.push(letter);
                letter.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    Cow::Owned(safe)
}

/// One line for a terminal, cut at a length that readers accept.
pub fn line(text: &str) -> String {
    let cut = cut(text);
    let mut safe = String::with_capacity(cut.len());
    for letter in cut.chars() {
        match letter {
            '\n' => safe.push_str("\\n"),
            letter if acts(letter) => safe.extend(letter.escape_unicode()),
            letter => safe.push(letter),
        }
    }
    safe
}

/// A text of at most [`MAX_LINE`] characters, and how many there were.
pub fn cut(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_LINE) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{} … (cut here, of {} characters)", &text[..end], text.chars().count())),
    }
}

/// Whether a spreadsheet takes a text for a formula: what begins with `=`, `+`, `-` or `@` and is no number. Apostrophes
/// before it count as well, so that [`text_of_cell`] takes away none that was there before.
fn computes(text: &str) -> bool {
    let text = text.trim_start_matches('\'');
    text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err()
}

/// A cell of a CSV file. A text that spreadsheets read as a formula gets an apostrophe, which they do not show.
/// Numbers stay as they are.
pub fn cell(text: &str) -> Cow<'_, str> {
    if computes(text) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// The text of a [cell].
pub fn text_of_cell(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| computes(text)).unwrap_or(cell)
}

/// A selection formula as a cell of a CSV file: in parentheses where it begins with a minus sign, so that it is still
/// the same formula.
pub fn formula_cell(text: &str) -> Cow<'_, str> {
    if text.starts_with('-') && text.parse::<f64>().is_err() { Cow::Owned(format!("({text})")) } else { cell(text) }
}

/// Text as Markdown that shows it, also in a cell of a table. What stands between backticks stays code.
pub fn markdown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 8);
    let mut is_code = false;
    for letter in text.chars() {
        is_code ^= letter == '`';
        if letter == '|' || !is_code && matches!(letter, '*' | '<' | '[' | '\\') {
            shown.push('\\');
        }
        shown.push(letter);
    }
    shown
}

/// Text of users as Markdown that shows it and does nothing else: no markup, no HTML, no list, and no link except that
/// GitHub makes one of an e-mail address, which no escape prevents.
pub fn plain_markdown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 8);
    // What begins a line can begin a list, a quotation or a rule.
    let digits = text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    for (at, letter) in text.char_indices() {
        let rest = &text[at + letter.len_utf8()..];
        let next = rest.chars().next().unwrap_or(' ');
        let acts = match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '$' => true,
            '<' => next.is_ascii_alphabetic() || "/!?".contains(next),
            '&' => next.is_ascii_alphabetic() || next == '#',
            // Addresses become links by themselves.
            ':' => rest.starts_with("//"),
            '.' | ')' if at == digits && at > 0 && next == ' ' => true,
            '.' => at >= 3 && text.as_bytes()[at - 3..at].eq_ignore_ascii_case(b"www"),
            '-' | '+' | '>' | '=' => at == 0,
            _ => false,
        };
        if acts {
            shown.push('\\');
        }
        shown.push(if matches!(letter, '\n' | '\r') { ' ' } else { letter });
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_acts_on_a_terminal() {
        assert_eq!(terminal("plain\ttext, ü 漢\n", false), "plain\ttext, ü 漢\n");
        assert_eq!(terminal("\u{1b}[31mred\u{1b}]0;title\u{7}", false), "\\u{1b}[31mred\\u{1b}]0;title\\u{7}");
        assert_eq!(terminal("\u{1b}[31mred\u{1b}]0;title", true), "\u{1b}[31mred\\u{1b}]0;title");
        assert_eq!(terminal("\u{1b}[2J\u{1b}[1;31m\u{1b}[", true), "\\u{1b}[2J\u{1b}[1;31m\\u{1b}[");
        assert_eq!(terminal("a\u{202e}b\u{9b}31m\u{2066}\r", true), "a\\u{202e}b\\u{9b}31m\\u{2066}\\u{d}");
    }

    #[test]
    fn markdown_shows_the_text_itself() {
        assert_eq!(markdown("2*x | `a*b|c` <DIR> [k]"), "2\\*x \\| `a*b\\|c` \\<DIR> \\[k]");
    }

    #[test]
    fn names_in_markdown_are_text() {
        for (text, expected) in [
            ("a_b *c* `d`", r"a\_b \*c\* \`d\`"),
            ("<img src=x> </td> < 5, <0.0001", r"\<img src=x> \</td> < 5, <0.0001"),
            ("[x](http://e.org) www.e.org", r"\[x\](http\://e.org) www\.e.org"),
            ("&lt; & a|b $x$ ~~y~~", r"\&lt; & a\|b \$x\$ \~\~y\~\~"),
            ("- a-b", r"\- a-b"),
            ("+1.50", r"\+1.50"),
            ("1. a 2. b", r"1\. a 2. b"),
            ("12) a", r"12\) a"),
            ("# a\n# b", r"\# a \# b"),
        ] {
            assert_eq!(plain_markdown(text), expected);
        }
    }

    #[test]
    fn lines_are_lines_and_end() {
        assert_eq!(line("a\nb\u{1b}"), "a\\nb\\u{1b}");
        let long = line(&"ü".repeat(9_000_000));
        assert!(long.ends_with("ü … (cut here, of 9000000 characters)") && long.chars().count() < 2_100);
    }

    #[test]
    fn cells_are_no_formulas() {
        for (text, expected) in [
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("+x", "'+x"),
            ("-x", "'-x"),
            ("\tx", "'\tx"),
            ("-1.5e-7", "-1.5e-7"),
            ("+3", "+3"),
            ("a=b", "a=b"),
            ("'=1", "''=1"),
            ("'-1", "'-1"),
            ("'a'", "'a'"),
            ("", ""),
        ] {
            assert_eq!(cell(text), expected);
            assert_eq!(text_of_cell(expected), text);
        }
        assert_eq!((formula_cell("-2 * Q"), formula_cell("-2")), ("(-2 * Q)".into(), "-2".into()));
    }
}
