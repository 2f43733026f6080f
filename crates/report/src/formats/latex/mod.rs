//! LaTeX: the tables of a report (`tables.tex`), and the kit for a paper.

mod kit;
mod methods;

pub use kit::{KitError, KitOptions, paper_kit};

use crate::tables::captions;
use crate::tables::report::Report;
use crate::tables::typed;
use evouct_base::plural::{counted, is_or_are, noun_of};
use evouct_base::table::{Cell, Signs, Table, TypedColumn, Width};
use evouct_stats::SIGNIFICANCE_LEVEL;

/// The largest number of rows that fits a page.
const ROWS: usize = 45;

/// The signs of numbers, which are set in math mode, so that a minus is one.
const SIGNS: Signs = Signs {
    missing: "--",
    dash: "--",
    number: ["$", "$"],
    plus_minus: " \\pm ",
    ends: ["[", ", ", "]"],
    approximate: "\\approx ",
    less: "<",
};

/// The tables of a report; none before a game is finished.
fn tables(report: &Report) -> Vec<Table> {
    if report.finished == 0 {
        return Vec::new();
    }
    let gauntlet = report.gauntlet.iter().filter(|gauntlet| !gauntlet.contestants.is_empty());
    let mut tables = vec![typed::ranking(report)];
    tables.extend(gauntlet.map(|gauntlet| typed::contestants(gauntlet, report)));
    tables.extend([typed::significance(report, &report.shown_pairs()), typed::ratings(report)]);
    if let Some(paper) = &report.paper {
        let printed =
            [typed::printed_ranking(paper), typed::of_matches(paper), typed::means(paper), typed::printed_pairs(paper)];
        let explained = |table: Table| Table { caption: format!("{} {}", table.caption, captions::PAPER), ..table };
        tables.extend(printed.into_iter().filter(|table| !table.is_empty()).map(explained));
    }
    tables
}

/// What tables need that are not part of a file of their own.
pub(super) const NEEDS: &str = "% Needs \\usepackage{booktabs} and \\usepackage{graphicx}.\n";

/// A table of a report in LaTeX: the `table` environment with these columns.
pub(super) fn environment(report: &Report, table: &Table, label: &str, columns: &[&TypedColumn], fits: bool) -> String {
    let decks = counted(report.games_per_match, if report.mirror { "mirrored deck" } else { "deck" });
    let of_each = if report.mirror { "" } else { " per match" };
    let caption = format!(
        "{}. {}, {} on {decks}{of_each}. {}",
        table.title,
        report.name,
        counted(report.finished, "game"),
        captions::for_columns(&table.caption, columns)
    );
    let caption = mark(report) + &escape(&caption);
    captioned(table, &caption, label, columns, fits)
}

/// A table in LaTeX that is of no report of a run.
pub(super) fn alone(table: &Table, width: Width) -> String {
    let columns: Vec<&TypedColumn> = table.shown(width).collect();
    let label: String = table
        .title
        .chars()
        .filter_map(|letter| match letter {
            ' ' => Some('-'),
            letter => letter.is_ascii_alphanumeric().then(|| letter.to_ascii_lowercase()),
        })
        .collect();
    captioned(table, &escape(format!("{}. {}", table.title, table.caption).trim()), &label, &columns, true)
}

/// The `table` environment with these columns, below a caption in LaTeX. With `fits` it is made smaller where it is wider than
/// the column of the paper.
fn captioned(table: &Table, caption: &str, label: &str, columns: &[&TypedColumn], fits: bool) -> String {
    let left_out = table.len().saturating_sub(ROWS);
    let more = match left_out {
        0 => String::new(),
        _ => format!(" {left_out} more {} {} in the CSV file.", noun_of(left_out, "row"), is_or_are(left_out)),
    };
    // The idiom for a width of at most the column's.
    let [begin, end] = match fits {
        true => ["\\resizebox{\\ifdim\\width>\\columnwidth\\columnwidth\\else\\width\\fi}{!}{%\n", "}\n"],
        false => ["", ""],
    };
    let aligned: String = columns.iter().map(|column| if column.is_numeric() { 'r' } else { 'l' }).collect();
    let mut text = format!(
        "\n\\begin{{table}}\n\\centering\\small\n\\caption{{{caption}{more}}}\n\\label{{tab:{label}}}\n{begin}\\begin{{tabular}}\
         {{{aligned}}}\n\\toprule\n"
    );
    let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
    text.push_str(&line(columns.iter().map(|column| heading(&column.heading)).collect()));
    text.push_str("\\midrule\n");
    for row in 0..table.len().min(ROWS) {
        text.push_str(&line(columns.iter().map(|column| cell(&column.cells[row])).collect()));
    }
    text + "\\bottomrule\n\\end{tabular}\n" + end + "\\end{table}\n"
}

/// A heading: a small letter alone is a variable, and the first of other words begins with a capital letter.
fn heading(text: &str) -> String {
    let word = |(place, word): (usize, &str)| {
        let is_variable =
            word.trim_end_matches("_z").len() == 1 && word.starts_with(|letter: char| letter.is_lowercase());
        match word.chars().next() {
            Some(_) if is_variable => format!("${word}$"),
            Some(first) if place == 0 && word.contains(['a', 'e', 'i', 'o', 'u', 'y']) => {
                escape(&format!("{}{}", first.to_uppercase(), &word[first.len_utf8()..]))
            }
            _ => escape(word),
        }
    };
    text.split(' ').enumerate().map(word).collect::<Vec<_>>().join(" ")
}

fn cell(cell: &Cell) -> String {
    let text = cell.text(&SIGNS);
    match cell {
        Cell::Missing | Cell::Number(..) | Cell::Rounded(..) | Cell::Mean { .. } | Cell::Interval(..) => text,
        Cell::Record(_) => text,
        Cell::P { .. } if cell.is_significant(SIGNIFICANCE_LEVEL) => format!("{}^{{*}}$", text.trim_end_matches('$')),
        Cell::P { .. } => text,
        _ => escape(&text),
    }
}

/// `tables.tex`: all tables with all columns, each a `table` environment of its own, ready for `\input`.
pub(super) fn tables_file(report: &Report) -> String {
    let mut text = format!("% Tables of {}.\n% Needs \\usepackage{{booktabs}}.\n", origin(report));
    for table in tables(report) {
        let columns: Vec<&TypedColumn> = table.shown(Width::Full).collect();
        text.push_str(&environment(report, &table, table.name, &columns, false));
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
            '²' => escaped.push_str(r"\ensuremath{^2}"),
            '›' => escaped.push_str(r"\ensuremath{>}"),
            'Â' => escaped.push_str(r"\ensuremath{\hat{A}}"),
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
