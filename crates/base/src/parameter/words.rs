//! The words of a command line as a value.

use std::fmt;

/// The words of a command line: a program and its arguments, at least one word.
///
/// As text, words stand between spaces, and `'…'` or `"…"` holds together what has a space or a comma. There are no
/// further characters with a meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words(Vec<String>);

impl Words {
    /// These words; none if there are no words, or if one of them is empty, holds a control character or both kinds of
    /// quotes.
    pub fn of(words: Vec<String>) -> Option<Words> {
        let is_wrong = |word: &String| {
            word.is_empty() || word.contains(char::is_control) || word.contains('\'') && word.contains('"')
        };
        if words.is_empty() || words.iter().any(is_wrong) { None } else { Some(Words(words)) }
    }

    /// Reads words from text; none if a quote is not closed, or as [`of`](Words::of).
    pub fn parse(text: &str) -> Option<Words> {
        let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
        for letter in text.chars() {
            match (quote, letter) {
                (Some(open), letter) if letter == open => quote = None,
                (None, '\'' | '"') => {
                    quote = Some(letter);
                    word.get_or_insert_default();
                }
                (None, ' ') => words.extend(word.take()),
                _ => word.get_or_insert_default().push(letter),
            }
        }
        words.extend(word);
        if quote.is_some() { None } else { Words::of(words) }
    }

    /// The words, without their quotes.
    pub fn list(&self) -> &[String] {
        &self.0
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, word) in self.0.iter().enumerate() {
            let space = if place > 0 { " " } else { "" };
            let quote = match word {
                word if word.contains('\'') => "\"",
                word if word.contains([' ', ',', '"', '(', ')']) => "'",
                _ => "",
            };
            write!(f, "{space}{quote}{word}{quote}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_back_from_their_text() {
        let read = |text: &str| Words::parse(text).map(|words| words.0);
        assert_eq!(read("python3  'my bot.py' a'b c'd").unwrap(), ["python3", "my bot.py", "ab cd"]);
        for text in ["", "  ", "'a", "a ''", "a\tb"] {
            assert_eq!(read(text), None, "{text:?}");
        }
        for word in ["mcts:k=1,a=2", "a b", "it's, so", "say \"x\"", "f(x)"] {
            let words = Words::of(vec!["run".to_owned(), word.to_owned()]).unwrap();
            assert_eq!(Words::parse(&words.to_string()), Some(words));
        }
    }
}
