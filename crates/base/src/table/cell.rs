//! The kinds of cells, and each as text.

use crate::grouped::grouped;
use std::borrow::Cow;

/// How many digits a number is shown with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digits {
    /// Whether a positive number has a sign.
    pub is_signed: bool,
    /// Digits behind the point.
    decimals: Decimals,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Decimals {
    /// Two, and none where the number has five digits or more.
    Score,
    Fixed(usize),
    /// As many as make it the same double.
    Shortest,
}

impl Digits {
    /// Those of a score.
    pub const SCORE: Digits = Digits { is_signed: false, decimals: Decimals::Score };
    /// Those of a difference of scores.
    pub const SIGNED: Digits = Digits { is_signed: true, decimals: Decimals::Score };
    /// All that there are.
    pub const SHORTEST: Digits = Digits { is_signed: false, decimals: Decimals::Shortest };

    /// So many behind the point, without a sign.
    pub const fn fixed(decimals: usize) -> Digits {
        Digits { is_signed: false, decimals: Decimals::Fixed(decimals) }
    }

    /// So many behind the point, with a sign.
    pub const fn signed(decimals: usize) -> Digits {
        Digits { is_signed: true, decimals: Decimals::Fixed(decimals) }
    }

    /// The digits of other numbers beside this one.
    fn beside(self, value: f64) -> usize {
        match self.decimals {
            Decimals::Fixed(decimals) => decimals,
            _ if value.abs() < 10_000.0 => 2,
            _ => 0,
        }
    }

    /// A number as text. What is rounded to zero has no minus.
    pub fn text(self, value: f64) -> String {
        if self.decimals == Decimals::Shortest {
            return value.to_string();
        }
        let decimals = self.beside(value);
        let text = if self.is_signed { format!("{value:+.decimals$}") } else { format!("{value:.decimals$}") };
        match text.strip_prefix('-') {
            Some(rest) if rest.bytes().all(|letter| matches!(letter, b'0' | b'.')) => {
                if self.is_signed {
                    format!("+{rest}")
                } else {
                    rest.to_owned()
                }
            }
            _ => text,
        }
    }
}

/// The signs that a form writes numbers with.
#[derive(Clone, Copy, Debug)]
pub struct Signs {
    /// What stands in place of a number that does not exist.
    pub missing: &'static str,
    /// Between games won and lost.
    pub dash: &'static str,
    /// Around a number.
    pub number: [&'static str; 2],
    /// Between a mean and half of its interval.
    pub plus_minus: &'static str,
    /// Around and between the ends of an interval.
    pub ends: [&'static str; 3],
    /// Before an approximate p-value.
    pub approximate: &'static str,
    /// Before a p-value that is significant; around the number.
    pub less: &'static str,
}

/// Plain text.
pub const PLAIN: Signs = Signs {
    missing: "-",
    dash: "-",
    number: ["", ""],
    plus_minus: " ± ",
    ends: ["", " … ", ""],
    approximate: "≈",
    less: "<",
};

/// Text that is set: pages and Markdown.
pub const PRINTED: Signs = Signs { missing: "–", dash: "–", ..PLAIN };

/// A cell.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// No value.
    Missing,
    /// A name or another text of users.
    Name(String),
    /// A word of evouct.
    Word(Cow<'static, str>),
    /// A word that stands out.
    Strong(&'static str),
    /// What is typed or pasted: a command.
    Code(String),
    /// A formula or a genome of formulas.
    Formula(String),
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Count(u64),
    /// A whole number with commas between groups of three digits, or in thousands or millions of a unit.
    Large(f64, &'static str),
    /// A time in seconds.
    Seconds(f64),
    /// A number, which files have whole.
    Number(f64, Digits),
    /// A number, which files have with the same digits.
    Rounded(f64, Digits),
    /// A share, in per cent with so many digits behind the point.
    Share(f64, usize),
    /// A mean, with the ends of its 95 % interval if it has one. They are shown where they do not lie around it evenly.
    Mean {
        /// The mean.
        mean: f64,
        /// The ends of the interval.
        ends: Option<[f64; 2]>,
        /// Whether they lie around it evenly.
        is_even: bool,
        /// The digits of all of them.
        digits: Digits,
    },
    /// The ends of an interval.
    Interval([f64; 2], Digits),
    /// A p-value.
    P {
        /// The value.
        p: f64,
        /// Whether it is not an approximation.
        is_exact: bool,
        /// Whether it is corrected for the number of tests, so that it says what is significant.
        is_corrected: bool,
    },
    /// How many, and of how many.
    Of(u64, u64),
    /// Numbers of games: won and lost, or won, drawn and lost.
    Record(Vec<u64>),
}

impl Cell {
    /// A name.
    pub fn name(name: impl Into<String>) -> Cell {
        Cell::Name(name.into())
    }

    /// A word.
    pub fn word(word: impl Into<Cow<'static, str>>) -> Cell {
        Cell::Word(word.into())
    }

    /// A count of things, which memory has.
    pub fn count(count: usize) -> Cell {
        Cell::Count(count as u64)
    }

    /// How many, and of how many.
    pub fn of([part, whole]: [u64; 2]) -> Cell {
        Cell::Of(part, whole)
    }

    /// A mean without an interval.
    pub fn mean(mean: f64, digits: Digits) -> Cell {
        Cell::Mean { mean, ends: None, is_even: true, digits }
    }

    /// What a value makes; nothing where there is none.
    pub fn maybe<T>(value: Option<T>, cell: impl FnOnce(T) -> Cell) -> Cell {
        value.map_or(Cell::Missing, cell)
    }

    /// A number that may not exist.
    pub fn number(value: Option<f64>, digits: Digits) -> Cell {
        Cell::maybe(value, |value| Cell::Number(value, digits))
    }

    /// A number with so many digits behind the point, also in files, if it is one.
    pub fn rounded(value: f64, decimals: usize) -> Cell {
        if value.is_finite() { Cell::Rounded(value, Digits::fixed(decimals)) } else { Cell::Missing }
    }

    /// An interval that may not exist.
    pub fn interval(ends: Option<[f64; 2]>, digits: Digits) -> Cell {
        Cell::maybe(ends, |ends| Cell::Interval(ends, digits))
    }

    /// A p-value that is not corrected, if there is one.
    pub fn p(value: Option<f64>) -> Cell {
        Cell::marked_p(value.map(|p| (p, true)))
    }

    /// The same, and whether it is exact.
    pub fn marked_p(value: Option<(f64, bool)>) -> Cell {
        Cell::maybe(value, |(p, is_exact)| Cell::P { p, is_exact, is_corrected: false })
    }

    /// A p-value that is corrected for the number of tests, if there is one.
    pub fn corrected_p(value: Option<f64>) -> Cell {
        Cell::maybe(value, |p| Cell::P { p, is_exact: true, is_corrected: true })
    }

    /// The number by which rows are sorted.
    pub fn value(&self) -> Option<f64> {
        match self {
            Cell::Missing | Cell::Name(_) | Cell::Word(_) | Cell::Strong(_) | Cell::Code(_) | Cell::Formula(_) => None,
            Cell::Flag(is) => Some(u8::from(*is).into()),
            Cell::Count(count) => Some(*count as f64),
            Cell::Large(value, _)
            | Cell::Seconds(value)
            | Cell::Number(value, _)
            | Cell::Rounded(value, _)
            | Cell::Share(value, _)
            | Cell::Mean { mean: value, .. }
            | Cell::P { p: value, .. } => Some(*value),
            Cell::Interval([low, high], _) => Some((low + high) / 2.0),
            Cell::Of(part, whole) => Some(*part as f64 / (*whole).max(1) as f64),
            Cell::Record(counts) => counts.first().map(|count| *count as f64),
        }
    }

    /// Whether it is a p-value that says that a difference is significant at this level.
    pub fn is_significant(&self, level: f64) -> bool {
        matches!(self, Cell::P { p, is_corrected: true, .. } if *p < level)
    }

    /// Whether it is a number, or several.
    pub fn is_number(&self) -> bool {
        !matches!(self, Cell::Flag(_)) && self.value().is_some()
    }

    /// The cell as text in one field, with the signs of a form. A renderer escapes names and words.
    pub fn text(&self, signs: &Signs) -> String {
        let Signs { missing, dash, number: [open, close], plus_minus, ends: [first, between, last], .. } = signs;
        match self {
            Cell::Missing => (*missing).to_owned(),
            Cell::Name(text) | Cell::Code(text) | Cell::Formula(text) => text.clone(),
            Cell::Word(text) => text.clone().into_owned(),
            Cell::Strong(text) => (*text).to_owned(),
            Cell::Flag(is) => if *is { "yes" } else { "no" }.to_owned(),
            Cell::Count(count) => count.to_string(),
            Cell::Large(value, unit) => large(*value, unit),
            Cell::Seconds(seconds) => duration(*seconds),
            Cell::Number(value, digits) | Cell::Rounded(value, digits) => {
                format!("{open}{}{close}", digits.text(*value))
            }
            Cell::Share(share, decimals) => format!("{:.decimals$} %", 100.0 * share),
            Cell::Mean { mean, ends: None, digits, .. } => format!("{open}{}{close}", digits.text(*mean)),
            Cell::Mean { mean, ends: Some(ends), is_even: true, digits } => {
                format!("{open}{}{plus_minus}{}{close}", digits.text(*mean), half(*mean, *ends, *digits))
            }
            Cell::Mean { mean, ends: Some(ends), digits, .. } => {
                let [low, high] = ends.map(|end| digits.text(end));
                format!("{open}{}{close} ({open}{first}{low}{between}{high}{last}{close})", digits.text(*mean))
            }
            Cell::Interval(ends, digits) => {
                let [low, high] = ends.map(|end| digits.text(end));
                format!("{open}{first}{low}{between}{high}{last}{close}")
            }
            Cell::P { p, is_exact, .. } => {
                let approximate = if *is_exact { "" } else { signs.approximate };
                let p = if *p < 0.0001 { format!("{}0.0001", signs.less) } else { format!("{p:.4}") };
                format!("{open}{approximate}{p}{close}")
            }
            Cell::Of(part, whole) => format!("{part} of {whole}"),
            Cell::Record(counts) => counts.iter().map(u64::to_string).collect::<Vec<_>>().join(dash),
        }
    }

    /// The cell in two fields of the same text, each a number; the second one is empty for a cell that has one number.
    /// A number that does not exist is empty.
    pub fn halves(&self) -> [String; 2] {
        match self {
            Cell::Missing => [String::new(), String::new()],
            Cell::Mean { mean, ends, is_even, digits } => {
                let ends = ends.filter(|_| *is_even);
                [digits.text(*mean), ends.map_or(String::new(), |ends| half(*mean, ends, *digits))]
            }
            Cell::Of(part, whole) => [part.to_string(), whole.to_string()],
            Cell::P { p, is_exact, .. } => [Cell::p(Some(*p)).text(&PLAIN), is_exact.to_string()],
            _ => [self.text(&PLAIN), String::new()],
        }
    }

    /// The second half's heading behind that of the column; none for a cell without one.
    pub fn second(&self) -> Option<&'static str> {
        match self {
            Cell::Mean { ends: Some(_), is_even: true, .. } => Some(" ±"),
            Cell::Of(..) => Some(" of"),
            Cell::P { is_exact: false, .. } => Some(" exact"),
            _ => None,
        }
    }

    /// The fields of the cell in a file: numbers whole, in the shortest form that parses to the same double.
    pub fn fields(&self) -> Vec<String> {
        match self {
            Cell::Missing => Vec::new(),
            Cell::Flag(is) => vec![is.to_string()],
            Cell::Large(value, _) | Cell::Seconds(value) | Cell::Number(value, _) | Cell::Share(value, _) => {
                vec![exact(*value)]
            }
            Cell::Mean { mean, ends, .. } => {
                std::iter::once(mean.to_string()).chain(ends.iter().flatten().map(|end| exact(*end))).collect()
            }
            Cell::Interval(ends, _) => ends.map(exact).to_vec(),
            Cell::P { p, is_exact, .. } => vec![exact(*p), is_exact.to_string()],
            Cell::Of(part, whole) => vec![part.to_string(), whole.to_string()],
            Cell::Record(counts) => counts.iter().map(u64::to_string).collect(),
            _ => vec![self.text(&PLAIN)],
        }
    }
}

/// A number of a file; tiny ones in scientific notation.
fn exact(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-5 { format!("{value:e}") } else { value.to_string() }
}

/// Half of an interval, with as many digits as the mean in it.
fn half(mean: f64, [low, high]: [f64; 2], digits: Digits) -> String {
    format!("{:.*}", digits.beside(mean), (high - low) / 2.0)
}

/// A count with groups of three digits; of a unit with three digits or a unit of thousands or millions: `950`, `12.4k`,
/// `4.4M`.
fn large(count: f64, unit: &str) -> String {
    match count {
        count if unit.is_empty() => grouped(count.round() as u64),
        count if count >= 1e6 => format!("{:.1}M {unit}", count / 1e6),
        count if count >= 1e4 => format!("{:.1}k {unit}", count / 1e3),
        count => format!("{count:.0} {unit}"),
    }
}

/// A time in seconds with two significant digits and a unit.
pub fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        seconds if seconds >= 1.0 => (seconds, "s"),
        seconds if seconds >= 1e-3 => (seconds * 1e3, "ms"),
        seconds => (seconds * 1e6, "µs"),
    };
    if value < 9.95 { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_for_people_and_whole_in_files() {
        let plain = |cell: Cell| cell.text(&PLAIN);
        let mean = |ends, is_even| Cell::Mean { mean: -1.5, ends, is_even, digits: Digits::SIGNED };
        for (cell, text, fields) in [
            (Cell::Large(2830.2, ""), "2,830", vec!["2830.2"]),
            (Cell::Large(41_000.0, "nodes"), "41.0k nodes", vec!["41000"]),
            (Cell::Large(4_449_600.0, "nodes"), "4.4M nodes", vec!["4449600"]),
            (Cell::Seconds(0.0123), "12 ms", vec!["0.0123"]),
            (Cell::Seconds(0.000_004), "4.0 µs", vec!["4e-6"]),
            (Cell::Number(-0.2, Digits::signed(0)), "+0", vec!["-0.2"]),
            (Cell::Number(12_345.6, Digits::SCORE), "12346", vec!["12345.6"]),
            (Cell::rounded(2.0 / 3.0, 3), "0.667", vec!["0.667"]),
            (Cell::rounded(f64::NAN, 3), "-", vec![]),
            (mean(None, true), "-1.50", vec!["-1.5"]),
            (mean(Some([-1.75, -1.25]), true), "-1.50 ± 0.25", vec!["-1.5", "-1.75", "-1.25"]),
            (mean(Some([-2.0, -1.25]), false), "-1.50 (-2.00 … -1.25)", vec!["-1.5", "-2", "-1.25"]),
            (Cell::marked_p(Some((1e-7, false))), "≈<0.0001", vec!["1e-7", "false"]),
            (Cell::Of(3, 4), "3 of 4", vec!["3", "4"]),
            (Cell::Record(vec![3, 0, 1]), "3-0-1", vec!["3", "0", "1"]),
            (Cell::Missing, "-", vec![]),
        ] {
            assert_eq!(
                (plain(cell.clone()), cell.fields()),
                (text.to_owned(), fields.iter().map(|f| (*f).to_owned()).collect())
            );
        }
        assert_eq!(mean(Some([-1.75, -1.25]), true).halves(), ["-1.50", "0.25"]);
        assert_eq!(mean(Some([-2.0, -1.25]), false).halves(), ["-1.50", ""]);
    }
}
