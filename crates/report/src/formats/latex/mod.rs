//! LaTeX: the tables of a report (`tables.tex`), and the kit for a paper.

mod kit;
mod methods;
mod tables;

pub use kit::{KitError, KitOptions, paper_kit};

use crate::tables::report::Report;
use evouct_base::plural::{counted, is_or_are, noun_of};

/// The largest number of rows that fits a page.
const ROWS: usize = 45;

/// A column of a table.
struct LatexColumn {
    /// Its name in selections.
    key: &'static str,
    heading: &'static str,
    /// `l` or `r`.
    align: char,
    /// Whether a table for one column of a paper has it unless columns are selected.
    is_narrow: bool,
}

/// A table with all its columns.
struct LatexTable {
    name: &'static str,
    caption: String,
    columns: Vec<LatexColumn>,
    rows: Vec<Vec<String>>,
}

impl LatexTable {
    /// The `table` environment with these columns. With `fits` it is made smaller where it is wider than the column of
    /// the paper. `mark` stands before the caption.
    fn environment(&self, label: &str, columns: &[usize], fits: bool, mark: &str) -> String {
        let left_out = self.rows.len().saturating_sub(ROWS);
        let more = if left_out > 0 {
            format!(" {left_out} more {} {} in the CSV file.", noun_of(left_out, "row"), is_or_are(left_out))
        } else {
            String::new()
        };
        // The idiom for a width of at most the column's.
        let [begin, end] = match fits {
            true => ["\\resizebox{\\ifdim\\width>\\columnwidth\\columnwidth\\else\\width\\fi}{!}{%\n", "}\n"],
            false => ["", ""],
        };
        let aligned: String = columns.iter().map(|column| self.columns[*column].align).collect();
        let mut text = format!(
            "\n\\begin{{table}}\n\\centering\\small\n\\caption{{{mark}{}{more}}}\n\\label{{tab:{label}}}\n{begin}\\begin{{tabular}}{{{aligned}}}\n\
             \\toprule\n",
            self.caption
        );
        let line = |cells: Vec<&str>| format!("{} \\\\\n", cells.join(" & "));
        text.push_str(&line(columns.iter().map(|column| self.columns[*column].heading).collect()));
        text.push_str("\\midrule\n");
        for row in self.rows.iter().take(ROWS) {
            text.push_str(&line(columns.iter().map(|column| row[*column].as_str()).collect()));
        }
        text + "\\bottomrule\n\\end{tabular}\n" + end + "\\end{table}\n"
    }
}

/// `tables.tex`: all tables with all columns, each a `table` environment of its own, ready for `\input`.
pub(super) fn tables_file(report: &Report) -> String {
    let mut text = format!("% Tables of {}.\n% Needs \\usepackage{{booktabs}}.\n", origin(report));
    for table in tables::all(report) {
        let columns: Vec<usize> = (0..table.columns.len()).collect();
        text.push_str(&table.environment(table.name, &columns, false, &mark(report)));
    }
    text
}

/// What stands before every caption of a run that is not complete: a table goes alone into a paper.
fn mark(report: &Report) -> String {
    let marked = |[finished, scheduled]: [u64; 2]| {
        format!("\\textbf{{Interim results: {finished} of {} finished.}} ", counted(scheduled, "game"))
    };
    report.interim().map_or(String::new(), marked)
}

/// Where numbers come from, for a comment of one line.
fn origin(report: &Report) -> String {
    let name = report.name.replace(['\n', '\r'], " ");
    format!("the run {name}, written by evouct {}; digest {}", report.evouct, report.digest.digest)
}

/// Text with all special characters of LaTeX escaped.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' => escaped.push_str(r"\textbackslash{}"),
            '~' => escaped.push_str(r"\textasciitilde{}"),
            '^' => escaped.push_str(r"\textasciicircum{}"),
            '<' => escaped.push_str(r"\textless{}"),
            '>' => escaped.push_str(r"\textgreater{}"),
            // `\textquotedbl` is no command of the encoding that LaTeX begins with.
            '"' => escaped.push_str(r"{\char34}"),
            // An empty line would end a caption.
            letter if letter.is_control() => escaped.push(' '),
            '|' => escaped.push_str(r"\textbar{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            // Signs that LaTeX knows in formulas only.
            '−' => escaped.push_str(r"\ensuremath{-}"),
            '±' => escaped.push_str(r"\ensuremath{\pm}"),
            '≈' => escaped.push_str(r"\ensuremath{\approx}"),
            '≤' => escaped.push_str(r"\ensuremath{\le}"),
            '≥' => escaped.push_str(r"\ensuremath{\ge}"),
            '→' => escaped.push_str(r"\ensuremath{\to}"),
            'α' => escaped.push_str(r"\ensuremath{\alpha}"),
            'β' => escaped.push_str(r"\ensuremath{\beta}"),
            'λ' => escaped.push_str(r"\ensuremath{\lambda}"),
            'μ' => escaped.push_str(r"\ensuremath{\mu}"),
            // A square bracket after a line break would be read as an option.
            '[' | ']' => {
                escaped.push('{');
                escaped.push(letter);
                escaped.push('}');
            }
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn no_letter_of_a_name_is_a_command() {
        assert_eq!(escape(r"50% & $x_1$ \input{a}"), r"50\% \& \$x\_1\$ \textbackslash{}input\{a\}");
        assert_eq!(escape("#1 ~ ^ [2]"), r"\#1 \textasciitilde{} \textasciicircum{} {[}2{]}");
        assert_eq!(escape("−1 ± 2"), r"\ensuremath{-}1 \ensuremath{\pm} 2");
    }
}
