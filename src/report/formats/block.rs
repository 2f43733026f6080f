//! Paragraphs and tables, and the three forms in which a command prints them: text for a terminal, Markdown and CSV.

use super::csv::row_of;
use super::markdown::MarkdownTable;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

/// The width of a terminal, in characters.
const WIDTH: usize = 80;
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
        for row in &self.rows {
            let cells = row.iter().enumerate();
            table.add_row(cells.map(|(column, text)| match self.names.contains(&column) {
                true => shorten(text, limit),
                false => text.clone(),
            }));
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

/// The beginning and the end of a name that is too long; what distinguishes generated names is often at the end.
fn shorten(name: &str, limit: usize) -> String {
    let length = name.chars().count();
    if length <= limit {
        return name.to_owned();
    }
    let head = (limit - 1) / 2;
    let tail = limit - 1 - head;
    name.chars().take(head).chain(['…']).chain(name.chars().skip(length - tail)).collect()
}

/// Sentences in lines of at most [`WIDTH`] characters.
pub(super) fn wrapped(text: &str) -> String {
    let (mut whole, mut width) = (String::new(), 0);
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            whole.push('\n');
            width = 0;
        } else if width > 0 {
            whole.push(' ');
            width += 1;
        }
        whole.push_str(word);
        width += length;
    }
    whole + "\n"
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
        (Format::Markdown, Block::Paragraph(text)) => format!("{text}\n\n"),
        (Format::Markdown, Block::Line(text)) => format!("    {text}\n\n"),
        (Format::Markdown, Block::Table(table)) => {
            let columns: Vec<&str> = table.header.iter().map(String::as_str).collect();
            let mut markdown = MarkdownTable::new(&columns, table.numbers);
            table.rows.iter().for_each(|row| markdown.row(row.iter().cloned()));
            format!("**{}**\n\n{}\n", table.title, markdown.text())
        }
        (Format::Csv, Block::Paragraph(_) | Block::Line(_)) => String::new(),
        (Format::Csv, Block::Table(table)) => csv_of(table),
    }
}

/// The table below a comment line with its title.
fn csv_of(table: &TextTable) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in std::iter::once(&table.header).chain(&table.rows) {
        row_of(&mut writer, row.iter().cloned()).expect("rows of a table are equally long, and memory takes them");
    }
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
        assert_eq!(shorten("mcts:iterations=2800,k=0.5", 13), "mcts:i…,k=0.5");
        assert_eq!(shorten("short", 5), "short");
        let long = table(&"ü".repeat(100));
        assert!(long.fits() && long.text().lines().all(|line| line.chars().count() <= WIDTH));
        assert!(table("brief").text().contains("brief"));
    }

    #[test]
    fn the_forms_have_the_same_cells() {
        let blocks = [Block::Paragraph("two words".to_owned()), Block::Table(table("a|b"))];
        assert_eq!(print(&blocks, Format::Text), "two words\n\ntitle\nplayer  score\na|b         1\n");
        assert_eq!(print(&blocks, Format::Csv), "# title\nplayer,score\na|b,1\n\n");
        let markdown = "two words\n\n**title**\n\n| player | score |\n|---|---:|\n| a\\|b | 1 |\n\n";
        assert_eq!(print(&blocks, Format::Markdown), markdown);
    }

    #[test]
    fn lines_break_between_words() {
        let text = wrapped(&"word ".repeat(40));
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH) && text.lines().count() == 3);
    }
}
