//! Paragraphs and tables, and the three forms in which a command prints them: text for a terminal, Markdown and CSV.

use super::markdown::MarkdownTable;
use super::names::shortened;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use evouct_base::escape;
use evouct_base::wrap::wrapped;
use evouct_stats::SIGNIFICANCE_LEVEL;
use std::borrow::Cow;

/// Spaces between columns.
const GAP: usize = 2;
/// No name is shortened below this.
const SHORTEST_NAME: usize = 8;

/// The form in which a command prints its tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// Aligned text with whole names, as wide as it has to be.
    #[default]
    Text,
    /// Text for a terminal.
    Screen(Screen),
    /// Tables one after another, each below a comment line with its title. Paragraphs are left out.
    Csv,
    /// Markdown.
    Markdown,
}

/// A terminal: names are shortened where a table is too wide for it otherwise, and significant differences are marked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Screen {
    /// Its width in characters.
    pub width: usize,
    /// Whether it shows colours.
    pub colour: bool,
}

impl Format {
    /// The widest table that fits.
    pub(super) fn width(self) -> usize {
        if let Format::Screen(screen) = self { screen.width } else { usize::MAX }
    }
}

/// A part of a printed report.
pub(super) enum Block {
    /// Sentences.
    Paragraph(String),
    /// A line that must not be broken, such as a command.
    Line(String),
    /// A table.
    Table(TextTable),
}

/// A table of text cells.
pub(super) struct TextTable {
    title: String,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    /// The first column of numbers.
    numbers: usize,
    /// Columns that hold names, which are shortened where the table is too wide for a terminal.
    names: Vec<usize>,
    /// Row by row, the difference that was tested and its corrected p-value, in a table of tests.
    tests: Vec<Option<(f64, f64)>>,
}

impl TextTable {
    /// An empty table; columns from `numbers` on are aligned right.
    pub(super) fn new(title: impl Into<String>, header: &[&str], numbers: usize, names: &[usize]) -> TextTable {
        let header = header.iter().map(|&column| column.to_owned()).collect();
        TextTable { title: title.into(), header, rows: Vec::new(), numbers, names: names.to_vec(), tests: Vec::new() }
    }

    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.tested_row(cells, None, None);
    }

    /// A row with a difference and its corrected p-value: a terminal marks it if it is significant.
    pub(super) fn tested_row(
        &mut self,
        cells: impl IntoIterator<Item = String>,
        difference: Option<f64>,
        p: Option<f64>,
    ) {
        self.rows.push(cells.into_iter().collect());
        self.tests.push(difference.zip(p));
    }

    /// Whether it fits so many columns, with names as short as they may be.
    pub(super) fn fits(&self, width: usize) -> bool {
        self.width(SHORTEST_NAME) <= width
    }

    /// The width with names of at most `limit` characters.
    fn width(&self, limit: usize) -> usize {
        let cell = |column: usize, text: &String| {
            let length = text.chars().count();
            if self.names.contains(&column) { length.min(limit) } else { length }
        };
        let widest = |column: usize| {
            let below = self.rows.iter().filter_map(|row| row.get(column)).map(|text| cell(column, text)).max();
            below.unwrap_or(0).max(self.header[column].chars().count())
        };
        let mark = if self.tests.iter().any(Option::is_some) { " *".len() } else { 0 };
        (0..self.header.len()).map(widest).sum::<usize>() + GAP * self.header.len().saturating_sub(1) + mark
    }

    /// The cells of a column.
    fn column(&self, column: usize) -> Vec<String> {
        self.rows.iter().map(|row| row[column].clone()).collect()
    }

    /// The longest names with which the table fits so many columns; no limit where it cannot fit.
    fn limit(&self, width: usize) -> usize {
        if self.width(usize::MAX) <= width {
            return usize::MAX;
        }
        (SHORTEST_NAME..=width).rev().find(|limit| self.width(*limit) <= width).unwrap_or(usize::MAX)
    }

    /// The table as aligned lines. A terminal has marks of significance in them.
    pub(super) fn text(&self, format: Format) -> String {
        let limit = self.limit(format.width());
        let mut table = Table::new();
        table
            .load_style(presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_header(&self.header);
        let mut columns: Vec<Vec<String>> = (0..self.header.len()).map(|column| self.column(column)).collect();
        // A name is the same in all columns of names.
        let names: Vec<String> = self.names.iter().flat_map(|column| columns[*column].clone()).collect();
        let short = shortened(&names, limit);
        for (column, short) in self.names.iter().zip(short.chunks(self.rows.len().max(1))) {
            columns[*column] = short.to_vec();
        }
        for row in 0..self.rows.len() {
            table.add_row(columns.iter().map(|column| &column[row]));
        }
        for (index, column) in table.column_iter_mut().enumerate() {
            column.set_padding((0, GAP as u16));
            if index >= self.numbers {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let mut lines: Vec<String> = table.lines().map(|line| harmless(line.trim_end(), format).into_owned()).collect();
        if let Format::Screen(screen) = format {
            self.mark(&mut lines, screen);
        }
        lines.join("\n") + "\n"
    }

    /// Marks the rows with a significant difference, and says what the mark is.
    fn mark(&self, lines: &mut Vec<String>, screen: Screen) {
        let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let mut is_marked = false;
        for (line, (difference, _)) in lines
            .iter_mut()
            .skip(1)
            .zip(&self.tests)
            .filter_map(|(line, test)| test.filter(|(_, p)| *p < SIGNIFICANCE_LEVEL).map(|test| (line, test)))
        {
            let gap = " ".repeat(width - line.chars().count() + 1);
            *line += &match screen.colour {
                false => format!("{gap}*"),
                // Green for the player that is named first or alone, red against it.
                true => format!("{gap}\u{1b}[{}m*\u{1b}[0m", if difference > 0.0 { 32 } else { 31 }),
            };
            is_marked = true;
        }
        if is_marked {
            lines.push("* significant at 5 % after Holm's correction".to_owned());
        }
    }
}

/// The blocks in a form.
pub(super) fn print(blocks: &[Block], format: Format) -> String {
    blocks.iter().map(|block| part(block, format)).collect()
}

/// Text of users where a terminal may be given colours: theirs are escaped here, as the command cannot do it later.
fn harmless(text: &str, format: Format) -> Cow<'_, str> {
    match format {
        Format::Screen(Screen { colour: true, .. }) => escape::terminal(text, false),
        _ => text.into(),
    }
}

fn part(block: &Block, format: Format) -> String {
    match (format, block) {
        (Format::Text | Format::Screen(_), Block::Paragraph(text)) => wrapped(&harmless(text, format)),
        (Format::Text | Format::Screen(_), Block::Line(text)) => format!("{}\n", harmless(text, format)),
        (Format::Text | Format::Screen(_), Block::Table(table)) if table.title.is_empty() => table.text(format),
        (Format::Text | Format::Screen(_), Block::Table(table)) => {
            let title = wrapped(&harmless(&table.title, format));
            match format {
                Format::Screen(Screen { colour: true, .. }) => {
                    format!("\n\u{1b}[1m{}\u{1b}[0m\n{}", title.trim_end(), table.text(format))
                }
                _ => format!("\n{title}{}", table.text(format)),
            }
        }
        (Format::Markdown, Block::Paragraph(text)) => format!("{}\n\n", escape::plain_markdown(text)),
        (Format::Markdown, Block::Line(text)) if text.is_empty() => String::new(),
        // Code: nothing in it acts, as long as it is one line.
        (Format::Markdown, Block::Line(text)) => format!("    {}\n\n", text.replace(['\n', '\r'], " ")),
        (Format::Markdown, Block::Table(table)) => {
            let columns: Vec<&str> = table.header.iter().map(String::as_str).collect();
            let mut markdown = MarkdownTable::new(&columns, table.numbers);
            // A sign at the beginning of a cell begins no list.
            let cell = |cell: &String| match cell.strip_prefix(['-', '+', '=']) {
                Some(rest) => format!("{}{}", &cell[..1], escape::plain_markdown(rest)),
                None => escape::plain_markdown(cell),
            };
            table.rows.iter().for_each(|row| markdown.row(row.iter().map(cell)));
            format!("**{}**\n\n{}\n", escape::plain_markdown(&table.title), markdown.text())
        }
        (Format::Csv, Block::Paragraph(_) | Block::Line(_)) => String::new(),
        (Format::Csv, Block::Table(table)) => csv_of(table),
    }
}

/// The table below a comment line with its title. A cell `x ± y` or `x of y` is two cells, of `x (low … high)` the first
/// number is left, and one without a number is empty.
fn csv_of(table: &TextTable) -> String {
    let mut columns: Vec<(String, Vec<String>)> = Vec::new();
    for (index, name) in table.header.iter().enumerate() {
        let plain = |cell: String| match cell.split_once(" (") {
            Some((number, _)) if index >= table.numbers => number.to_owned(),
            _ => cell,
        };
        let cells: Vec<String> = table.column(index).into_iter().map(plain).collect();
        let parts = [" ± ", " of "]
            .into_iter()
            .find(|sign| index >= table.numbers && cells.iter().any(|cell| cell.contains(sign)));
        let number = |text: &str| if index >= table.numbers && text == "-" { String::new() } else { text.to_owned() };
        match parts {
            None => columns.push((name.clone(), cells.iter().map(|cell| number(cell)).collect())),
            Some(sign) => {
                let split = |cell: &String| {
                    cell.split_once(sign).map_or((number(cell), String::new()), |(x, y)| (number(x), y.to_owned()))
                };
                let (first, second) = cells.iter().map(split).unzip();
                columns.push((name.clone(), first));
                columns.push((format!("{name}{}", sign.trim_end()), second));
            }
        }
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    // A number may begin with a sign; any other text that does would be a formula to a spreadsheet.
    let cell = |text: &String| if text.parse::<f64>().is_ok() { text.clone() } else { escape::cell(text).into_owned() };
    let header = columns.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    let written = std::iter::once(header)
        .chain((0..table.rows.len()).map(|row| columns.iter().map(|(_, cells)| cell(&cells[row])).collect()))
        .try_for_each(|row| writer.write_record(row));
    written.expect("rows of a table are equally long, and memory takes them");
    let text = writer.into_inner().expect("memory takes every row");
    format!("# {}\n{}\n", table.title.replace('\n', " "), String::from_utf8_lossy(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str) -> TextTable {
        let mut table = TextTable::new("title", &["player", "score"], 1, &[0]);
        table.row([name.to_owned(), "1".to_owned()]);
        table
    }

    #[test]
    fn a_table_fits_a_terminal() {
        let long = table(&"ü".repeat(100));
        let narrow = Format::Screen(Screen { width: 80, colour: false });
        assert!(long.fits(80) && long.text(narrow).lines().all(|line| line.chars().count() <= 80));
        assert!(table("brief").text(narrow).contains("brief"));
    }

    #[test]
    fn names_are_whole_where_there_is_no_terminal() {
        let name = "ü".repeat(100);
        assert!(table(&name).text(Format::Text).contains(&name));
        assert!(table(&name).text(Format::Screen(Screen { width: 120, colour: false })).contains(&name));
    }

    #[test]
    fn terminals_mark_significant_differences() {
        let mut table = TextTable::new("title", &["player", "p"], 1, &[0]);
        let cells = |name: &str, p: &str| [name, p].map(str::to_owned);
        table.tested_row(cells("a", "0.01"), Some(1.0), Some(0.01));
        table.tested_row(cells("long", "0.05"), Some(1.0), Some(0.05));
        table.tested_row(cells("\u{1b}[31mred", "0.02"), Some(-1.0), Some(0.02));
        let blocks = [Block::Table(table)];
        let plain = print(&blocks, Format::Text);
        assert!(!plain.contains(['*', '%']), "{plain}");
        let on = |colour| print(&blocks, Format::Screen(Screen { width: 80, colour }));
        let marked: Vec<bool> = on(false).lines().skip(3).map(|line| line.ends_with(" *")).collect();
        assert_eq!(marked, [true, false, true, false], "{}", on(false));
        assert!(on(false).ends_with("\n* significant at 5 % after Holm's correction\n"), "{}", on(false));
        let coloured = on(true);
        // For and against the first player; no colour but these is passed on.
        let codes: Vec<&str> = coloured.split('\u{1b}').skip(1).map(|rest| rest.split('m').next().unwrap()).collect();
        assert_eq!(codes, ["[1", "[0", "[32", "[0", "[31", "[0"], "{coloured}");
    }

    #[test]
    fn numbers_in_csv_are_numbers() {
        let mut table = TextTable::new("title", &["player", "won", "difference", "p"], 1, &[0]);
        table.row(["=a", "3 of 4", "-1.50 ± 0.25", "-"].map(str::to_owned));
        table.row(["b", "-", "+2 (+1 … +3)", "-0.5"].map(str::to_owned));
        let csv = "# title\nplayer,won,won of,difference,difference ±,p\n'=a,3,4,-1.50,0.25,\nb,,,+2,,-0.5\n\n";
        assert_eq!(print(&[Block::Table(table)], Format::Csv), csv);
    }

    #[test]
    fn a_line_is_one_line_of_code_in_markdown() {
        let lines = [Block::Line("panicked: a\r\n<img src=x>".to_owned()), Block::Line(String::new())];
        assert_eq!(print(&lines, Format::Markdown), "    panicked: a  <img src=x>\n\n");
    }

    #[test]
    fn the_forms_have_the_same_cells() {
        let blocks = [Block::Paragraph("two words".to_owned()), Block::Table(table("a|b"))];
        assert_eq!(print(&blocks, Format::Text), "two words\n\ntitle\nplayer  score\na|b         1\n");
        assert_eq!(print(&blocks, Format::Csv), "# title\nplayer,score\na|b,1\n\n");
        let markdown = "two words\n\n**title**\n\n| player | score |\n|---|---:|\n| a\\|b | 1 |\n\n";
        assert_eq!(print(&blocks, Format::Markdown), markdown);
    }
}
