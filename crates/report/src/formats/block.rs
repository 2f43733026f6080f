//! Paragraphs and tables, and the three forms in which a command prints them: text for a terminal, Markdown and CSV.

use super::markdown::MarkdownTable;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use evouct_base::escape;
use evouct_base::wrap::{WIDTH, wrapped};
use std::collections::BTreeSet;

/// Spaces between columns.
const GAP: usize = 2;
/// No name is shortened below this.
const SHORTEST_NAME: usize = 8;

/// The form in which a command prints its tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// Aligned text, at most 80 columns wide if names can be shortened to that.
    #[default]
    Text,
    /// Tables one after another, each below a comment line with its title. Paragraphs are left out.
    Csv,
    /// Markdown.
    Markdown,
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
}

impl TextTable {
    /// An empty table; columns from `numbers` on are aligned right.
    pub(super) fn new(title: impl Into<String>, header: &[&str], numbers: usize, names: &[usize]) -> TextTable {
        let header = header.iter().map(|&column| column.to_owned()).collect();
        TextTable { title: title.into(), header, rows: Vec::new(), numbers, names: names.to_vec() }
    }

    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Whether it fits a terminal, with names as short as they may be.
    pub(super) fn fits(&self) -> bool {
        self.width(SHORTEST_NAME) <= WIDTH
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
        (0..self.header.len()).map(widest).sum::<usize>() + GAP * self.header.len().saturating_sub(1)
    }

    /// The cells of a column.
    fn column(&self, column: usize) -> Vec<String> {
        self.rows.iter().map(|row| row[column].clone()).collect()
    }

    /// The longest names with which the table fits; no limit where it cannot fit.
    fn limit(&self) -> usize {
        // A longer limit is the same as none: the table does not fit with a name of the whole width.
        (SHORTEST_NAME..=WIDTH).rev().find(|limit| self.width(*limit) <= WIDTH).unwrap_or(usize::MAX)
    }

    /// The table as aligned lines.
    pub(super) fn text(&self) -> String {
        let limit = self.limit();
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
        let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
        lines.join("\n") + "\n"
    }
}

/// Names of at most `limit` characters. What distinguishes generated names is at the end or in the middle, so more of
/// the beginning, then more of the end is kept until no two names look alike; where all fail, they are longer than the
/// limit.
fn shortened(names: &[String], limit: usize) -> Vec<String> {
    let different = |names: &[String]| names.iter().collect::<BTreeSet<_>>().len();
    let wanted = different(names);
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    if longest <= limit {
        return names.to_vec();
    }
    let middle = |limit: usize| (limit - 1) / 2;
    let heads = (middle(limit)..limit).chain((0..middle(limit)).rev()).map(|head| (limit, head));
    let longer = std::iter::successors(Some(2 * limit), |limit| Some(2 * limit)).map(|limit| (limit, middle(limit)));
    let tried = heads.chain(longer.take_while(|(limit, _)| *limit < longest));
    let mut short = tried.map(|(limit, head)| names.iter().map(|name| shorten(name, limit, head)).collect::<Vec<_>>());
    short.find(|short| different(short) == wanted).unwrap_or_else(|| names.to_vec())
}

/// The beginning, of `head` characters, and the end of a name that is longer than `limit`.
fn shorten(name: &str, limit: usize, head: usize) -> String {
    let length = name.chars().count();
    if length <= limit {
        return name.to_owned();
    }
    let tail = limit - 1 - head;
    name.chars().take(head).chain(['…']).chain(name.chars().skip(length - tail)).collect()
}

/// The blocks in a form.
pub(super) fn print(blocks: &[Block], format: Format) -> String {
    blocks.iter().map(|block| part(block, format)).collect()
}

fn part(block: &Block, format: Format) -> String {
    match (format, block) {
        (Format::Text, Block::Paragraph(text)) => wrapped(text),
        (Format::Text, Block::Line(text)) => format!("{text}\n"),
        (Format::Text, Block::Table(table)) => format!("\n{}{}", wrapped(&table.title), table.text()),
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

/// The table below a comment line with its title. A cell `x ± y` or `x of y` is two cells, one without a number is
/// empty.
fn csv_of(table: &TextTable) -> String {
    let mut columns: Vec<(String, Vec<String>)> = Vec::new();
    for (index, name) in table.header.iter().enumerate() {
        let cells = table.column(index);
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
    fn a_name_keeps_its_beginning_and_its_end() {
        let short =
            |names: &[&str], limit| shortened(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>(), limit);
        assert_eq!(short(&["mcts:iterations=2800,k=0.5", "short"], 13), ["mcts:i…,k=0.5", "short"]);
        // The middle, or both ends and the middle, distinguishes them.
        assert_eq!(short(&["MCTS K=0.5 (2800)", "MCTS K=1.5 (2800)"], 12), ["MCTS K=0…00)", "MCTS K=1…00)"]);
        let both = short(&["MCTS K=0.5 (2800)", "MCTS K=1.5 (2800)", "MCTS K=0.5 (400)", "MCTS K=1.5 (400)"], 12);
        assert_eq!(both.iter().collect::<BTreeSet<_>>().len(), 4, "{both:?}");
        // Many long names that differ in the middle only are told apart without trying every length.
        let names: Vec<String> = (0..2_000).map(|n| format!("{}{n}{}", "a".repeat(2_000), "b".repeat(2_000))).collect();
        assert_eq!(shortened(&names, 20).iter().collect::<BTreeSet<_>>().len(), 2_000);
        let long = table(&"ü".repeat(100));
        assert!(long.fits() && long.text().lines().all(|line| line.chars().count() <= WIDTH));
        assert!(table("brief").text().contains("brief"));
    }

    #[test]
    fn numbers_in_csv_are_numbers() {
        let mut table = TextTable::new("title", &["player", "won", "difference", "p"], 1, &[0]);
        table.row(["=a", "3 of 4", "-1.50 ± 0.25", "-"].map(str::to_owned));
        table.row(["b", "-", "+2", "-0.5"].map(str::to_owned));
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
