//! Sentences in lines that fit a terminal.

/// The width of a terminal, in characters.
pub const WIDTH: usize = 80;

/// Sentences in lines of at most 80 characters.
pub fn wrapped(text: &str) -> String {
    wrapped_behind("", "", text)
}

/// Sentences in lines of at most 80 characters, the first behind one text, the others behind another. Each line has a
/// word at least, and a number stays with its `±` and its `%`.
///
/// ```
/// use evouct_base::wrap::wrapped_behind;
/// let text = wrapped_behind("k  ", "   ", &"word ".repeat(16));
/// assert_eq!(text, format!("k  {}\n   word\n", ["word"; 15].join(" ")));
/// ```
pub fn wrapped_behind(first: &str, others: &str, text: &str) -> String {
    let (mut whole, mut width) = (first.to_owned(), first.chars().count());
    let mut begun = false;
    let words: Vec<&str> = text.split_whitespace().collect();
    let stay = |pair: &&str, next: &&str| *pair == "±" || *next == "±" || next.starts_with('%');
    for words in words.chunk_by(stay) {
        let word = words.join(" ");
        let length = word.chars().count();
        if begun && width + 1 + length > WIDTH {
            whole = whole + "\n" + others;
            width = others.chars().count();
        } else if begun {
            whole.push(' ');
            width += 1;
        }
        whole.push_str(&word);
        width += length;
        begun = true;
    }
    whole + "\n"
}

#[cfg(test)]
mod tests {
    use super::{WIDTH, wrapped, wrapped_behind};

    #[test]
    fn lines_break_between_words() {
        let text = wrapped(&"word ".repeat(40));
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH) && text.lines().count() == 3);
        // A word that is too long has a line of its own.
        let long = "x".repeat(100);
        assert_eq!(wrapped_behind("# ", "# ", &format!("a {long} b")), format!("# a\n# {long}\n# b\n"));
        assert_eq!(wrapped(&format!("{}1 ± 2 % b", "a".repeat(76) + " ")), format!("{}\n1 ± 2 % b\n", "a".repeat(76)));
    }
}
