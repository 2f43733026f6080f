//! Values that are written in a language of their own, such as formulas.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A language that values of a parameter are written in. Its texts are read once, when the value is accepted.
pub trait Language: fmt::Debug + Send + Sync {
    /// What the texts are, as errors and tables print it: "a formula over …".
    fn describe(&self) -> String;

    /// The words that a text may use, such as the terminals of formulas.
    fn words(&self) -> Vec<&'static str>;

    /// Separator between the texts of a list that is given as one text; none if a value is a single text.
    fn separator(&self) -> Option<&'static str> {
        None
    }

    /// Reads the texts of a value: one, or at least one if the language has a separator.
    ///
    /// # Errors
    /// What is wrong, and where.
    fn read(&self, texts: &[&str]) -> Result<Parsed, Unreadable>;
}

impl PartialEq for dyn Language {
    fn eq(&self, other: &dyn Language) -> bool {
        self.separator() == other.separator() && self.words() == other.words() && self.describe() == other.describe()
    }
}

/// Why a text is not of its language.
#[derive(Clone, Debug, PartialEq)]
pub struct Unreadable {
    /// What is wrong.
    pub problem: String,
    /// The column of the text, from 1, if the value is a single text.
    pub column: Option<usize>,
}

/// The meaning of a text of a language, with the text in canonical form.
#[derive(Clone)]
pub struct Parsed {
    text: String,
    meaning: Arc<dyn Any + Send + Sync>,
}

impl Parsed {
    /// A meaning and its canonical text: equal texts mean the same.
    pub fn new<T: Send + Sync + 'static>(text: String, meaning: T) -> Parsed {
        Parsed { text, meaning: Arc::new(meaning) }
    }

    /// The canonical text, as identities have it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The meaning; none if it is of another type.
    pub fn meaning<T: 'static>(&self) -> Option<&T> {
        self.meaning.downcast_ref()
    }
}

impl PartialEq for Parsed {
    fn eq(&self, other: &Parsed) -> bool {
        self.text == other.text
    }
}

impl fmt::Debug for Parsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}
