//! Drawings of boards of square cells, as text and as SVG, for games that have one.

use evouct_base::plural::counted;
use std::collections::BTreeSet;
use std::fmt::{self, Write};

/// ANSI colours of the seats: the palette of Okabe and Ito, as near as 256 colours come.
const ANSI: [u8; 6] = [32, 172, 36, 227, 175, 74];
/// The same colours for SVG.
pub(super) const FILL: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#b8a000", "#cc79a7", "#56b4e9"];
/// The letters of the seats.
const LETTERS: [char; 6] = ['X', 'Y', 'Z', 'U', 'V', 'W'];
/// User units along a side of a cell.
const SIDE: usize = 60;

/// A cell: row and column from 0.
pub type GridCell = (u8, u8);

/// A piece: its seat and its number, 0 if pieces have none.
pub type GridPiece = (usize, usize);

/// A board of square cells. Columns have letters and rows have numbers from 1, at the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    rows: usize,
    columns: usize,
    /// By cell, row by row.
    pieces: Vec<Option<GridPiece>>,
    last: Option<GridCell>,
    caption: String,
    /// How far each row is moved to the right, in halves of a cell for each row above it.
    slant: usize,
}

impl Grid {
    /// A board of so many rows and columns: the piece on each cell, the cell where a piece moved last, and what stands
    /// below the board.
    pub fn new(
        [rows, columns]: [u8; 2],
        piece: impl Fn(GridCell) -> Option<GridPiece>,
        last: Option<GridCell>,
        caption: String,
    ) -> Grid {
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        Grid { rows: rows.into(), columns: columns.into(), pieces: cells.map(piece).collect(), last, caption, slant: 0 }
    }

    /// The same board with each row half a cell further to the right than the one above it, as hexagons are placed.
    #[must_use]
    pub fn slanted(self) -> Grid {
        Grid { slant: 1, ..self }
    }

    /// The piece on a cell.
    pub fn piece(&self, (row, column): GridCell) -> Option<GridPiece> {
        self.pieces[usize::from(row) * self.columns + usize::from(column)]
    }

    /// Where a piece moved last.
    pub fn last(&self) -> Option<GridCell> {
        self.last
    }

    /// What stands below the board.
    pub fn caption(&self) -> &str {
        &self.caption
    }

    /// The board with a letter per seat and the numbers of pieces, with terminal colours if asked for.
    pub fn text(&self, colour: bool) -> String {
        let names = (0..self.columns).map(|column| format!("{:>3}", column_name(column)));
        let mut text = format!("   {}\n", names.collect::<String>());
        for row in 0..self.rows {
            text += &format!("{}{:>3}", " ".repeat(3 * self.slant * row / 2), row + 1);
            for column in 0..self.columns {
                let Some(piece) = self.pieces[row * self.columns + column] else {
                    text += "  .";
                    continue;
                };
                let name = format!("{:>3}", format!("{}{}", seat_letter(piece.0), number(piece)));
                text +=
                    &if colour { format!("\u{1b}[38;5;{}m{name}\u{1b}[0m", ANSI[piece.0 % ANSI.len()]) } else { name };
            }
            text.push('\n');
        }
        text + &self.caption + "\n"
    }

    /// The square of a cell in the drawing: its west and north ends, and the length of its sides.
    pub fn square(&self, (row, column): GridCell) -> (f64, f64, f64) {
        let left = self.left(row.into(), column.into());
        (left as f64, f64::from(row) * SIDE as f64, SIDE as f64)
    }

    /// The west end of a cell.
    fn left(&self, row: usize, column: usize) -> usize {
        column * SIDE + self.slant * row * SIDE / 2
    }

    /// The width of the board.
    fn width(&self) -> usize {
        self.left(self.rows - 1, self.columns)
    }

    /// The board as an SVG document, with the caption below it.
    pub fn svg(&self) -> String {
        let text =
            |x: usize, y: usize| format!("<text x=\"{x}\" y=\"{y}\" fill=\"currentColor\">{}</text>", self.caption);
        let (x, y) = (self.width() / 2, self.rows * SIDE + 20);
        self.board(&format!("<title>{}</title>", self.caption), &text(x, y))
    }

    /// The board alone, with these elements before and behind its cells.
    pub(super) fn board(&self, before: &str, behind: &str) -> String {
        let mut svg = String::new();
        self.draw(&mut svg, before, behind).expect("a string takes everything");
        svg
    }

    /// The board in words: its size, and the pieces of each seat with their cells.
    pub(super) fn words(&self) -> String {
        let mut words = format!("{} and {}", counted(self.rows, "row"), counted(self.columns, "column"));
        let cells = (0..self.pieces.len()).map(|at| ((at / self.columns) as u8, (at % self.columns) as u8));
        let pieces: Vec<(GridPiece, GridCell)> = cells.filter_map(|cell| Some((self.piece(cell)?, cell))).collect();
        let seats: BTreeSet<usize> = pieces.iter().map(|((seat, _), _)| *seat).collect();
        for seat in seats {
            let own = pieces.iter().filter(|((owner, _), _)| *owner == seat);
            let own: Vec<String> = own
                .map(|(piece, cell)| format!("{} on {}", number(*piece), cell_name(*cell)).trim_start().to_owned())
                .collect();
            words += &format!("; player {}: {}", seat + 1, own.join(", "));
        }
        words
    }

    fn draw(&self, svg: &mut impl Write, before: &str, behind: &str) -> fmt::Result {
        let (width, height) = (self.width(), self.rows * SIDE);
        let (across, down, margin) = (width + SIDE, height + SIDE, SIDE / 2);
        write!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{across}\" height=\"{down}\" viewBox=\"-{margin} -{margin} \
             {across} {down}\" font-family=\"sans-serif\" text-anchor=\"middle\">{before}"
        )?;
        for column in 0..self.columns {
            let x = column * SIDE + SIDE / 2;
            write!(svg, "<text x=\"{x}\" y=\"-8\" fill=\"currentColor\">{}</text>", column_name(column))?;
        }
        for row in 0..self.rows {
            let middle = row * SIDE + SIDE / 2 + 5;
            let x = self.left(row, 0) as i64 - 14;
            write!(svg, "<text x=\"{x}\" y=\"{middle}\" fill=\"currentColor\">{}</text>", row + 1)?;
            (0..self.columns).try_for_each(|column| self.draw_cell(svg, row, column))?;
        }
        write!(svg, "{behind}</svg>")
    }

    fn draw_cell(&self, svg: &mut impl Write, row: usize, column: usize) -> fmt::Result {
        let (left, top) = (self.left(row, column), row * SIDE);
        write!(
            svg,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"none\" stroke=\"currentColor\"/>"
        )?;
        let Some(piece) = self.pieces[row * self.columns + column] else { return Ok(()) };
        let (x, y) = (left + SIDE / 2, top + SIDE / 2);
        write!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{}\"/><text x=\"{x}\" y=\"{}\" font-size=\"22\" \
             font-weight=\"bold\" fill=\"#fff\">{}</text>",
            SIDE * 2 / 5,
            FILL[piece.0 % FILL.len()],
            y + 8,
            number(piece)
        )
    }
}

/// The number of a piece as text; nothing if it has none.
fn number((_, number): GridPiece) -> String {
    if number > 0 { number.to_string() } else { String::new() }
}

/// The letter of a seat.
pub fn seat_letter(seat: usize) -> char {
    LETTERS[seat % LETTERS.len()]
}

/// The name of a cell: a letter for the column, a number for the row.
pub fn cell_name((row, column): GridCell) -> String {
    format!("{}{}", column_name(column.into()), usize::from(row) + 1)
}

/// The letter of a column; after z two letters follow.
pub fn column_name(column: usize) -> String {
    let letter = |number: usize| char::from(b'a' + (number % 26) as u8);
    if column < 26 { letter(column).to_string() } else { format!("{}{}", letter(column / 26 - 1), letter(column)) }
}
