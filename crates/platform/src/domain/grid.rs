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

/// What is at a place of the board.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// No cell.
    None,
    Empty,
    Piece(GridPiece),
}

/// A board of square cells. Columns have letters and rows have numbers from 1, at the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    rows: usize,
    columns: usize,
    /// By cell, row by row.
    places: Vec<Place>,
    last: Option<GridCell>,
    caption: String,
    /// How far each row is to the right of the one above it, in halves of a cell.
    slant: isize,
    /// The cells of a winning chain, which has a line around each of its pieces.
    chain: Vec<GridCell>,
    /// The seats to which the north, east, south and west ends of the board belong.
    edges: Option<[usize; 4]>,
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
        let places = cells.map(|cell| piece(cell).map_or(Place::Empty, Place::Piece)).collect();
        Grid {
            rows: rows.into(),
            columns: columns.into(),
            places,
            last,
            caption,
            slant: 0,
            chain: Vec::new(),
            edges: None,
        }
    }

    /// The same board with each row half a cell further to the right than the one above it, as hexagons are placed.
    #[must_use]
    pub fn slanted(self) -> Grid {
        Grid { slant: 1, ..self }
    }

    /// The same board with each row half a cell further to the left than the one above it.
    #[must_use]
    pub fn slanted_left(self) -> Grid {
        Grid { slant: -1, ..self }
    }

    /// The same board with these cells alone; each row has one.
    #[must_use]
    pub fn with_cells(mut self, is_cell: impl Fn(GridCell) -> bool) -> Grid {
        for at in 0..self.places.len() {
            if !is_cell(self.cell(at)) {
                self.places[at] = Place::None;
            }
        }
        self
    }

    /// The same board with a winning chain on these cells.
    #[must_use]
    pub fn with_chain(self, chain: Vec<GridCell>) -> Grid {
        Grid { chain, ..self }
    }

    /// The same board, without gaps, whose north, east, south and west ends have the colours of these seats.
    #[must_use]
    pub fn with_edges(self, seats: [usize; 4]) -> Grid {
        Grid { edges: Some(seats), ..self }
    }

    fn cell(&self, at: usize) -> GridCell {
        ((at / self.columns) as u8, (at % self.columns) as u8)
    }

    fn place(&self, row: usize, column: usize) -> Place {
        self.places[row * self.columns + column]
    }

    /// The first and the last column with a cell in a row.
    fn ends(&self, row: usize) -> (usize, usize) {
        let mut columns = (0..self.columns).filter(|column| self.place(row, *column) != Place::None);
        let first = columns.next().unwrap_or(0);
        (first, columns.next_back().unwrap_or(first))
    }

    /// The columns whose names are above this row: that of their first cell if rows lean to the left, else the first row.
    fn beginning(&self, row: usize) -> impl Iterator<Item = usize> {
        let is_cell = move |row, column| self.place(row, column) != Place::None;
        let is_first = move |column| is_cell(row, column) && !(0..row).any(|above| is_cell(above, column));
        (0..self.columns).filter(move |column| if self.slant < 0 { is_first(*column) } else { row == 0 })
    }

    /// The piece on a cell.
    pub fn piece(&self, (row, column): GridCell) -> Option<GridPiece> {
        match self.place(row.into(), column.into()) {
            Place::Piece(piece) => Some(piece),
            _ => None,
        }
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
        let names = |row| self.beginning(row).map(|column| format!("{:>3}", column_name(column))).collect::<String>();
        // A cell has three letters.
        let indent = |left: usize| " ".repeat(3 * left / SIDE);
        let above = self.left(0, self.ends(0).0).saturating_add_signed(-self.slant.min(0) * SIDE as isize / 2);
        let mut text = format!("{}   {}\n", indent(above), names(0));
        for row in 0..self.rows {
            let (first, last) = self.ends(row);
            text += &format!("{}{:>3}", indent(self.left(row, first)), row + 1);
            for column in first..=last {
                let mark = match self.place(row, column) {
                    Place::None => "   ".to_owned(),
                    Place::Empty => "  .".to_owned(),
                    Place::Piece(piece) => {
                        let name = format!("{:>3}", format!("{}{}", seat_letter(piece.0), number(piece)));
                        let ansi = ANSI[piece.0 % ANSI.len()];
                        if colour { format!("\u{1b}[38;5;{ansi}m{name}\u{1b}[0m") } else { name }
                    }
                };
                text += &mark;
            }
            // The names of columns that begin in the next row.
            text += &if row + 1 < self.rows { names(row + 1) } else { String::new() };
            text.push('\n');
        }
        text + &self.caption + "\n"
    }

    /// The square of a cell in the drawing: its west and north ends, and the length of its sides.
    pub fn square(&self, (row, column): GridCell) -> (f64, f64, f64) {
        let left = self.left(row.into(), column.into());
        (left as f64, f64::from(row) * SIDE as f64, SIDE as f64)
    }

    /// The west end of a cell; the board begins at 0.
    fn left(&self, row: usize, column: usize) -> usize {
        let left = |row: usize, column: usize| (2 * column) as isize + self.slant * row as isize;
        let first = (0..self.rows).map(|row| left(row, self.ends(row).0)).min().unwrap_or(0);
        (left(row, column) - first) as usize * SIDE / 2
    }

    /// The width of the board.
    fn width(&self) -> usize {
        (0..self.rows).map(|row| self.left(row, self.ends(row).1) + SIDE).max().unwrap_or(0)
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
        let cells = (0..self.places.len()).map(|at| self.cell(at));
        let pieces: Vec<(GridPiece, GridCell)> = cells.filter_map(|cell| Some((self.piece(cell)?, cell))).collect();
        let seats: BTreeSet<usize> = pieces.iter().map(|((seat, _), _)| *seat).collect();
        for seat in seats {
            let own = pieces.iter().filter(|((owner, _), _)| *owner == seat);
            let own: Vec<String> = own
                .map(|(piece, cell)| format!("{} on {}", number(*piece), cell_name(*cell)).trim_start().to_owned())
                .collect();
            words += &format!("; player {}: {}", seat + 1, own.join(", "));
        }
        if !self.chain.is_empty() {
            let chain: Vec<String> = self.chain.iter().map(|cell| cell_name(*cell)).collect();
            words += &format!("; the chain that won: {}", chain.join(", "));
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
        for row in 0..self.rows {
            // The name of a column is above its first cell, in the direction of the column.
            for column in self.beginning(row) {
                let x = self.left(row, column) + if self.slant < 0 { SIDE } else { SIDE / 2 };
                let y = (row * SIDE) as isize - 8;
                write!(svg, "<text x=\"{x}\" y=\"{y}\" fill=\"currentColor\">{}</text>", column_name(column))?;
            }
        }
        for row in 0..self.rows {
            let middle = row * SIDE + SIDE / 2 + 5;
            let x = self.left(row, self.ends(row).0) as i64 - 14;
            write!(svg, "<text x=\"{x}\" y=\"{middle}\" fill=\"currentColor\">{}</text>", row + 1)?;
            (0..self.columns).try_for_each(|column| self.draw_cell(svg, row, column))?;
        }
        self.draw_edges(svg)?;
        write!(svg, "{behind}</svg>")
    }

    fn draw_edges(&self, svg: &mut impl Write) -> fmt::Result {
        let Some(seats) = self.edges else { return Ok(()) };
        let (bottom, end) = (self.rows - 1, self.columns - 1);
        for (side, seat) in seats.into_iter().enumerate() {
            let mut path = String::new();
            for at in 0..if side % 2 == 0 { self.columns } else { self.rows } {
                let (row, column) = [(0, at), (at, end), (bottom, at), (at, 0)][side];
                let (left, top) = (self.left(row, column), row * SIDE);
                // Where the line begins, and whether it goes across or down.
                let (x, y, way) =
                    [(left, top, 'h'), (left + SIDE, top, 'v'), (left, top + SIDE, 'h'), (left, top, 'v')][side];
                path += &format!("M{x} {y}{way}{SIDE}");
            }
            let fill = FILL[seat % FILL.len()];
            write!(svg, "<path d=\"{path}\" stroke=\"{fill}\" stroke-width=\"6\" fill=\"none\"/>")?;
        }
        Ok(())
    }

    fn draw_cell(&self, svg: &mut impl Write, row: usize, column: usize) -> fmt::Result {
        let place = self.place(row, column);
        if place == Place::None {
            return Ok(());
        }
        let (left, top) = (self.left(row, column), row * SIDE);
        write!(
            svg,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"none\" stroke=\"currentColor\"/>"
        )?;
        let Place::Piece(piece) = place else { return Ok(()) };
        let (x, y) = (left + SIDE / 2, top + SIDE / 2);
        let is_in_chain = self.chain.contains(&(row as u8, column as u8));
        let line = if is_in_chain { " stroke=\"currentColor\" stroke-width=\"6\"" } else { "" };
        write!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{}\"{line}/><text x=\"{x}\" y=\"{}\" font-size=\"22\" \
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
