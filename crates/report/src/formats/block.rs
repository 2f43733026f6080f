//! Paragraphs and tables, and the forms in which a command prints them: text for a terminal, Markdown, CSV and LaTeX.

use super::latex;
use super::markdown::markdown;
use super::names::shortened;
use crate::tables::mean_with_interval::MeanWithInterval;
use comfy_table::{CellAlignment, ContentArrangement, Table as Lines, presets};
use evouct_base::escape;
use evouct_base::table::{Cell, Digits, PLAIN, Table, TypedColumn, Width};
use evouct_base::wrap::wrapped;
use evouct_stats::{SIGNIFICANCE_LEVEL, Summary};
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
    /// A `table` environment for each table. Paragraphs are left out.
    Latex,
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
    /// A table, and what it has room for.
    Table(Table, Width),
}

/// Whether a column has names, which are shortened where the table is too wide for a terminal.
fn has_names(column: &TypedColumn) -> bool {
    column.cells.iter().any(|cell| matches!(cell, Cell::Name(_) | Cell::Formula(_)))
}

/// Whether a table fits so many columns of a terminal, with names as short as they may be.
pub(super) fn fits(table: &Table, width: usize) -> bool {
    TextTable::of(table, Width::Brief).width(SHORTEST_NAME) <= width
}

/// A table as text in one place.
struct TextTable<'a> {
    table: &'a Table,
    columns: Vec<&'a TypedColumn>,
    /// The cells, column by column.
    texts: Vec<Vec<String>>,
}

impl TextTable<'_> {
    fn of(table: &Table, width: Width) -> TextTable<'_> {
        let columns: Vec<&TypedColumn> = table.shown(width).collect();
        let text = |column: &&TypedColumn| column.cells.iter().map(|cell| cell.text(&PLAIN)).collect();
        TextTable { table, texts: columns.iter().map(text).collect(), columns }
    }

    /// The width with names of at most `limit` characters.
    fn width(&self, limit: usize) -> usize {
        let widest = |(column, texts): (&&TypedColumn, &Vec<String>)| {
            let limit = if has_names(column) { limit } else { usize::MAX };
            let below = texts.iter().map(|text| text.chars().count().min(limit)).max();
            below.unwrap_or(0).max(column.heading.chars().count())
        };
        let mark = if (0..self.table.len()).any(|row| self.table.test(row).is_some()) { " *".len() } else { 0 };
        let widths: usize = self.columns.iter().zip(&self.texts).map(widest).sum();
        widths + GAP * self.columns.len().saturating_sub(1) + mark
    }

    /// The longest names with which the table fits so many columns; no limit where it cannot fit.
    fn limit(&self, width: usize) -> usize {
        if self.width(usize::MAX) <= width {
            return usize::MAX;
        }
        (SHORTEST_NAME..=width).rev().find(|limit| self.width(*limit) <= width).unwrap_or(usize::MAX)
    }

    /// The table as aligned lines. A terminal has marks of significance in them.
    fn text(mut self, format: Format) -> String {
        let limit = self.limit(format.width());
        // A name is the same in all columns of names.
        let named: Vec<usize> = (0..self.columns.len()).filter(|column| has_names(self.columns[*column])).collect();
        let names: Vec<String> = named.iter().flat_map(|column| self.texts[*column].clone()).collect();
        let short = shortened(&names, limit);
        for (column, short) in named.iter().zip(short.chunks(self.table.len().max(1))) {
            self.texts[*column] = short.to_vec();
        }
        let mut lines = Lines::new();
        lines
            .load_style(presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_header(self.columns.iter().map(|column| &column.heading));
        for row in 0..self.table.len() {
            lines.add_row(self.texts.iter().map(|column| &column[row]));
        }
        for (set, column) in lines.column_iter_mut().zip(&self.columns) {
            set.set_padding((0, GAP as u16));
            if column.is_numeric() {
                set.set_cell_alignment(CellAlignment::Right);
            }
        }
        let mut lines: Vec<String> = lines.lines().map(|line| harmless(line.trim_end(), format).into_owned()).collect();
        if let Format::Screen(screen) = format {
            self.mark(&mut lines, screen);
        }
        lines.join("\n") + "\n"
    }

    /// Marks the rows with a significant difference, and says what the mark is.
    fn mark(&self, lines: &mut Vec<String>, screen: Screen) {
        let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let mut is_marked = false;
        for (row, line) in lines.iter_mut().skip(1).enumerate() {
            let Some((difference, _)) = self.table.test(row).filter(|(_, p)| *p < SIGNIFICANCE_LEVEL) else { continue };
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
    let head = if format == Format::Latex { latex::NEEDS } else { "" };
    blocks.iter().fold(head.to_owned(), |text, block| text + &part(block, format))
}

/// A table with all its columns in a form, below its title.
pub fn printed(table: Table, format: Format) -> String {
    all_printed([table], format)
}

/// Tables with all their columns in a form, each below its title.
pub fn all_printed(tables: impl IntoIterator<Item = Table>, format: Format) -> String {
    let blocks: Vec<Block> = tables.into_iter().map(|table| Block::Table(table, Width::Full)).collect();
    // Nothing stands above the first.
    print(&blocks, format).trim_start_matches('\n').to_owned()
}

/// A mean with its 95 % interval over units, as in the tables of reports; the mean alone of one value.
pub fn mean(units: &Summary) -> Cell {
    MeanWithInterval::of(units).cell(Digits::SCORE)
}

/// Text of users where a terminal may be given colours: theirs are escaped here, as the command cannot do it later.
fn harmless(text: &str, format: Format) -> Cow<'_, str> {
    match format {
        Format::Screen(Screen { colour: true, .. }) => escape::terminal(text, false),
        _ => text.into(),
    }
}

/// The title of a table, with what stands beside it.
fn title(table: &Table) -> String {
    match &*table.note {
        "" => table.title.clone(),
        note => format!("{} ({note})", table.title),
    }
}

fn part(block: &Block, format: Format) -> String {
    match (format, block) {
        (Format::Text | Format::Screen(_), Block::Paragraph(text)) => wrapped(&harmless(text, format)),
        (Format::Text | Format::Screen(_), Block::Line(text)) => format!("{}\n", harmless(text, format)),
        (Format::Text | Format::Screen(_), Block::Table(table, width)) => {
            let text = TextTable::of(table, *width).text(format);
            if table.title.is_empty() {
                return text;
            }
            let title = wrapped(&harmless(&title(table), format));
            match format {
                Format::Screen(Screen { colour: true, .. }) => {
                    format!("\n\u{1b}[1m{}\u{1b}[0m\n{text}", title.trim_end())
                }
                _ => format!("\n{title}{text}"),
            }
        }
        (Format::Markdown, Block::Paragraph(text)) => format!("{}\n\n", escape::plain_markdown(text)),
        (Format::Markdown, Block::Line(text)) if text.is_empty() => String::new(),
        // Code: nothing in it acts, as long as it is one line.
        (Format::Markdown, Block::Line(text)) => format!("    {}\n\n", text.replace(['\n', '\r'], " ")),
        (Format::Markdown, Block::Table(table, width)) => {
            format!("**{}**\n\n{}\n", escape::plain_markdown(&title(table)), markdown(table, *width))
        }
        (Format::Csv | Format::Latex, Block::Paragraph(_) | Block::Line(_)) => String::new(),
        (Format::Latex, Block::Table(table, width)) => latex::alone(table, *width),
        (Format::Csv, Block::Table(table, width)) => csv_of(table, *width),
    }
}

/// The table below a comment line with its title, its numbers as short as people have them. A cell `x ± y` or `x of y` is
/// two cells, of `x (low … high)` the first number is left, and one without a number is empty.
fn csv_of(table: &Table, width: Width) -> String {
    let mut columns: Vec<Vec<String>> = Vec::new();
    for column in table.shown(width) {
        let mut halves = [vec![column.heading.clone()], Vec::new()];
        let second = column.cells.iter().find_map(Cell::second);
        halves[1].extend(second.map(|sign| format!("{}{sign}", column.heading)));
        for cell in &column.cells {
            let [first, rest] = cell.halves();
            // A number may begin with a sign; any other text that does would be a formula to a spreadsheet.
            halves[0].push(escape::cell(&first).into_owned());
            halves[1].push(rest);
        }
        columns.extend(halves.into_iter().take(1 + usize::from(second.is_some())));
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = (0..=table.len()).try_for_each(|row| writer.write_record(columns.iter().map(|column| &column[row])));
    written.expect("rows of a table are equally long, and memory takes them");
    let text = writer.into_inner().expect("memory takes every row");
    format!("# {}\n{}\n", title(table).replace('\n', " "), String::from_utf8_lossy(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str) -> Table {
        let table = Table::of("t", "title", [name]);
        table
            .column(Width::Narrow, "player", "player", |name| Cell::name(*name))
            .column(Width::Narrow, "score", "score", |_| Cell::Count(1))
            .table()
    }

    fn text(name: &str, format: Format) -> String {
        print(&[Block::Table(table(name), Width::Brief)], format)
    }

    #[test]
    fn a_table_fits_a_terminal() {
        let long = "ü".repeat(100);
        let narrow = Format::Screen(Screen { width: 80, colour: false });
        assert!(fits(&table(&long), 80) && text(&long, narrow).lines().all(|line| line.chars().count() <= 80));
        assert!(text("brief", narrow).contains("brief"));
    }

    #[test]
    fn names_are_whole_where_there_is_no_terminal() {
        let name = "ü".repeat(100);
        assert!(text(&name, Format::Text).contains(&name));
        assert!(text(&name, Format::Screen(Screen { width: 120, colour: false })).contains(&name));
    }

    #[test]
    fn terminals_mark_significant_differences() {
        let rows = [("a", 1.0, 0.01), ("long", 1.0, 0.05), ("\u{1b}[31mred", -1.0, 0.02)];
        let table = Table::of("t", "title", rows)
            .column(Width::Narrow, "player", "player", |row| Cell::name(row.0))
            .column(Width::Full, "difference", "difference", |row| Cell::Number(row.1, Digits::SIGNED))
            .column(Width::Narrow, "p", "p", |row| Cell::corrected_p(Some(row.2)));
        let blocks = [Block::Table(table.table(), Width::Brief)];
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
        let mean = |mean: f64, ends, is_even| Cell::Mean { mean, ends: Some(ends), is_even, digits: Digits::SIGNED };
        let table = Table::of("t", "title", [0, 1])
            .column(Width::Narrow, "player", "player", |row| Cell::name(["=a", "b"][*row]))
            .column(Width::Narrow, "won", "won", |row| [Cell::Of(3, 4), Cell::Missing][*row].clone())
            .column(Width::Narrow, "difference", "difference", |row| {
                [mean(-1.5, [-1.75, -1.25], true), mean(2.0, [1.0, 3.0], false)][*row].clone()
            })
            .column(Width::Narrow, "p", "p", |row| [Cell::Missing, Cell::Number(-0.5, Digits::fixed(1))][*row].clone());
        let csv = "# title\nplayer,won,won of,difference,difference ±,p\n'=a,3,4,-1.50,0.25,\nb,,,+2.00,,-0.5\n\n";
        assert_eq!(print(&[Block::Table(table.table(), Width::Brief)], Format::Csv), csv);
    }

    #[test]
    fn a_line_is_one_line_of_code_in_markdown() {
        let lines = [Block::Line("panicked: a\r\n<img src=x>".to_owned()), Block::Line(String::new())];
        assert_eq!(print(&lines, Format::Markdown), "    panicked: a  <img src=x>\n\n");
    }

    #[test]
    fn the_forms_have_the_same_cells() {
        let blocks = [Block::Paragraph("two words".to_owned()), Block::Table(table("a|b"), Width::Brief)];
        assert_eq!(print(&blocks, Format::Text), "two words\n\ntitle\nplayer  score\na|b         1\n");
        assert_eq!(print(&blocks, Format::Csv), "# title\nplayer,score\na|b,1\n\n");
        let markdown = "two words\n\n**title**\n\n| player | score |\n|---|---:|\n| a\\|b | 1 |\n\n";
        assert_eq!(print(&blocks, Format::Markdown), markdown);
    }
}
