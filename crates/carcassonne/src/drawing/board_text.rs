//! The board as text for a terminal.

use super::layout::{Layout, PlacedTile, extent, on_segment, placed_tiles};
use super::tile_text::{self, Glyph, TileText};
use crate::rules::{Base, Deployment, Edition, Expansion, Figure, State, TileKind, TileSet};
use std::collections::HashMap;
use std::fmt::{self, Write};

/// Columns left of the board, for the coordinates `y`.
const GUTTER: usize = 4;

/// A position as text, written by [`Display`](fmt::Display).
///
/// Every tile has seven columns and three rows. `x` is above and below a column of tiles, `y` is left of a row. `▒` is
/// a city with walls `╱` `╲`, lines are roads, `·` is a field, `■` a village where roads end, `[⌂]` a monastery, and
/// `♦` a pennant. A meeple is the number of its seat, from 1, on its segment. Heavy corners mark the last tile. Below
/// the board are a line for each seat, with `▸` at the seat to move, and the tile in hand.
///
/// With expansions `≈` is the river, `○` its spring or lake, `∩` an inn, `†` a cathedral and `✿` a garden. A big meeple
/// is its seat's number in a black circle (`❶`), an abbot in a white one (`①`).
///
/// ```
/// use evouct_carcassonne::{BoardText, Transcript};
/// let text = "[base seats=2 two-tile-city=4 unplaceable=discard] V@0,1r3";
/// let state = text.parse::<Transcript>().unwrap().replay().unwrap();
/// let drawing = BoardText::plain(&state).to_string();
/// assert!(drawing.starts_with(
///     "       0
///     ·╲▒▒▒╱·
///   0 ───────"
/// ));
/// ```
#[derive(Clone, Copy)]
pub struct BoardText<'a, E: Edition = Base> {
    state: &'a State<E>,
    coloured: bool,
}

impl<'a, E: Edition> BoardText<'a, E> {
    /// The text without colours: characters and line feeds only.
    pub fn plain(state: &'a State<E>) -> BoardText<'a, E> {
        BoardText { state, coloured: false }
    }

    /// The same text with ANSI escapes for 256 colours. The escapes set the background too, so that the text looks the
    /// same in light and dark terminals.
    pub fn coloured(state: &'a State<E>) -> BoardText<'a, E> {
        BoardText { state, coloured: true }
    }

    /// The board and its coordinates.
    fn board(&self) -> Vec<Vec<Glyph>> {
        let placed = placed_tiles(self.state);
        let (low, high) = extent(&placed);
        let last = self.state.turns().len().checked_sub(1);
        let tiles: HashMap<(i8, i8), &PlacedTile> =
            placed.iter().map(|tile| ((tile.cell.x, tile.cell.y), tile)).collect();
        let across: String = (low.x..=high.x).map(|x| format!("{x:^width$}", width = tile_text::COLUMNS)).collect();
        let across = unstyled(&format!("{:GUTTER$}{across}", ""));
        let mut lines = vec![across.clone()];
        for y in low.y..=high.y {
            let mut rows: [Vec<Glyph>; tile_text::ROWS] = std::array::from_fn(|row| {
                let label = if row == tile_text::ROWS / 2 { y.to_string() } else { String::new() };
                unstyled(&format!("{label:>width$} ", width = GUTTER - 1))
            });
            for x in low.x..=high.x {
                let block = tiles.get(&(x, y)).map(|tile| self.block(tile, last));
                for (row, line) in rows.iter_mut().enumerate() {
                    line.extend(
                        block.as_ref().map_or([Glyph::unstyled(' '); tile_text::COLUMNS], |block| block.glyphs[row]),
                    );
                }
            }
            lines.extend(rows);
        }
        lines.push(across);
        lines
    }

    fn block(&self, tile: &PlacedTile, last: Option<usize>) -> TileText {
        let odd = (i16::from(tile.cell.x) + i16::from(tile.cell.y)) % 2 != 0;
        let mut block = TileText::new(&Layout::known(self.state.rules().tiles, tile.kind, tile.rotation), odd);
        if last.is_some() && tile.turn == last {
            block.mark();
        }
        if let Some((segment, seat, figure)) = tile.meeple {
            block.put(segment, seat, figure);
        }
        block
    }

    /// A line for each seat, and the tile in hand.
    fn standings(&self) -> Vec<Vec<Glyph>> {
        let state = self.state;
        let (points, virtual_scores, left) = (state.scores(), state.virtual_scores(), state.meeples_left());
        let mut lines = vec![Vec::new()];
        for seat in 0..points.len() {
            let turn = if seat == state.player() && !state.is_over() { "▸ " } else { "  " };
            let mut line = unstyled(turn);
            line.push(tile_text::meeple(seat));
            let (points, at_end) = (points[seat], virtual_scores[seat]);
            line.extend(unstyled(&format!(
                " {points:>3} points, virtual score {at_end:>3}, meeples left: {}",
                left[seat]
            )));
            for (expansion, figure, text) in [
                (Expansion::InnsAndCathedrals, Figure::Big, " and the big one"),
                (Expansion::Abbots, Figure::Abbot, " and the abbot"),
            ] {
                if state.rules().have(expansion) && state.has_figure(seat, figure) {
                    line.extend(unstyled(text));
                }
            }
            lines.push(line);
        }
        if let Some(kind) = state.hand() {
            let tiles = state.rules().tiles;
            let block = TileText::new(&Layout::known(tiles, kind, 0), false);
            for (row, glyphs) in block.glyphs.iter().enumerate() {
                let name = if row == tile_text::ROWS / 2 { tiles.kind(kind).name.as_str() } else { "" };
                let mut line = unstyled(&format!("{name:>width$} ", width = GUTTER - 1));
                line.extend(glyphs);
                lines.push(line);
            }
        }
        lines
    }
}

impl<E: Edition> fmt::Display for BoardText<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.board().into_iter().chain(self.standings());
        lines.into_iter().try_for_each(|line| write_line(f, &line, self.coloured))
    }
}

/// Draws one tile without colours: three lines of seven characters, each with a line feed.
///
/// `meeples` are pairs of a figure on a segment and its seat (from 0).
///
/// # Panics
/// If the tile has no such segment.
pub fn draw_tile(tiles: &TileSet, kind: TileKind, rotation: u8, meeples: &[(Deployment, usize)]) -> String {
    let mut block = TileText::new(&Layout::known(tiles, kind, rotation), false);
    for (segment, seat, figure) in meeples.iter().filter_map(|(deployment, seat)| on_segment(*deployment, *seat)) {
        block.put(segment, seat, figure);
    }
    let mut text = String::new();
    for row in block.glyphs {
        text.extend(row.map(|glyph| glyph.symbol));
        text.push('\n');
    }
    text
}

fn unstyled(text: &str) -> Vec<Glyph> {
    text.chars().map(Glyph::unstyled).collect()
}

/// Writes a line without trailing blanks. Escapes are written where the style changes, and closed at the end of the
/// line.
fn write_line(out: &mut impl Write, line: &[Glyph], coloured: bool) -> fmt::Result {
    let used = line.iter().rposition(|glyph| *glyph != Glyph::unstyled(' ')).map_or(0, |last| last + 1);
    for run in line[..used].chunk_by(|a, b| a.style == b.style) {
        let text: String = run.iter().map(|glyph| glyph.symbol).collect();
        let style = run[0].style;
        if coloured {
            write!(out, "{style}{text}{style:#}")?;
        } else {
            out.write_str(&text)?;
        }
    }
    out.write_char('\n')
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{Cell, DrawResult, Expanded, Expansions, Move, Rules, TileDeck};
    use evouct_base::sampling::below;
    use evouct_base::seed::Key;

    /// Positions of random games, and of games that grow to one side as far as possible.
    pub(in super::super) fn positions() -> Vec<State> {
        positions_under(|seed| Rules::official(2 + (seed % 4) as u8))
    }

    /// The same with all expansions.
    pub(in super::super) fn expanded_positions() -> Vec<State<Expanded>> {
        let all = Expansions::all_sets().last().unwrap();
        positions_under(|seed| Rules::with(TileSet::of(all, false), 2 + (seed % 5) as u8))
    }

    fn positions_under<E: Edition>(rules: impl Fn(u64) -> Rules) -> Vec<State<E>> {
        let distance: [fn(Cell) -> i8; 5] = [|_| 0, |cell| cell.x, |cell| -cell.x, |cell| cell.y, |cell| -cell.y];
        let mut positions = Vec::new();
        for (seed, distance) in (0..10).zip(distance.into_iter().cycle()) {
            let rules = rules(seed);
            let mut state = State::<E>::start(rules);
            positions.push(state.clone());
            let mut deck = TileDeck::shuffled(&rules, Key::experiment(seed));
            let mut rng = Key::experiment(seed).nth(1).stream();
            while let Some((_, drawn)) = deck.deal(&mut state) {
                if state.turns().len() % 16 == 7 {
                    positions.push(state.clone());
                }
                if drawn == DrawResult::InHand {
                    let moves = state.legal_moves();
                    let furthest = moves.iter().map(|action| distance(action.cell)).max().unwrap();
                    let moves: Vec<&Move> = moves.iter().filter(|action| distance(action.cell) == furthest).collect();
                    state.play(*moves[below(&mut rng, moves.len())]).unwrap();
                }
            }
            positions.push(state);
        }
        positions
    }

    /// The characters of the block of a tile.
    fn block_of(text: &str, cell: Cell, low: Cell) -> Vec<char> {
        let top = 1 + 3 * usize::try_from(i16::from(cell.y) - i16::from(low.y)).unwrap();
        let left = 4 + 7 * usize::try_from(i16::from(cell.x) - i16::from(low.x)).unwrap();
        text.lines().skip(top).take(3).flat_map(|line| line.chars().skip(left).take(7)).collect()
    }

    #[test]
    fn each_figure_of_the_expansions_is_drawn_once() {
        let mut drawn = [0; 3];
        for state in expanded_positions() {
            let text = BoardText::plain(&state).to_string();
            let board = &text[..text.find("points").unwrap()];
            for (count, figure) in drawn.iter_mut().zip(Figure::ALL).skip(1) {
                let standing = state.standing_meeples();
                let of_figure =
                    |turn: usize| state.turns()[turn].action.meeple.is_some_and(|meeple| meeple.figure() == figure);
                for seat in 0..usize::from(state.rules().seats) {
                    let symbol = tile_text::figure(seat, figure).symbol;
                    let expected = standing.iter().filter(|(turn, owner)| *owner == seat && of_figure(*turn)).count();
                    assert_eq!(board.matches(symbol).count(), expected, "{symbol}\n{text}");
                    *count += expected;
                }
            }
        }
        assert!(drawn[1] > 20 && drawn[2] > 20, "{drawn:?}");
    }

    #[test]
    fn each_meeple_is_drawn_once_on_its_tile() {
        let mut widest = 0;
        for state in positions() {
            let text = BoardText::plain(&state).to_string();
            let placed = placed_tiles(&state);
            let (low, high) = extent(&placed);
            widest = widest.max(high.x - low.x);
            let standing = state.standing_meeples();
            for tile in &placed {
                let block = block_of(&text, tile.cell, low);
                let digits: String = block.iter().filter(|symbol| symbol.is_ascii_digit()).collect();
                let on_tile = standing.iter().filter(|(turn, _)| Some(*turn) == tile.turn);
                let expected: String = on_tile.map(|(_, seat)| (seat + 1).to_string()).collect();
                assert_eq!(digits, expected, "{text}");
                let corners = block.iter().filter(|symbol| "┏┓┗┛".contains(**symbol)).count();
                let marked = tile.turn.is_some() && tile.turn == state.turns().len().checked_sub(1);
                assert!(if marked { corners >= 3 } else { corners == 0 }, "{text}");
            }
        }
        assert!(widest > 20, "the widest board had {widest} columns");
    }

    #[test]
    fn coordinates_are_beside_their_tiles() {
        for state in positions() {
            let text = BoardText::plain(&state).to_string();
            let (low, high) = extent(&placed_tiles(&state));
            let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
            let rows = 3 * usize::try_from(i16::from(high.y) - i16::from(low.y) + 1).unwrap();
            assert_eq!(lines[0], lines[rows + 1]);
            for (x, column) in (low.x..=high.x).zip((GUTTER..).step_by(tile_text::COLUMNS)) {
                let label: String = lines[0].iter().skip(column).take(tile_text::COLUMNS).collect();
                assert_eq!(label.trim().parse(), Ok(x), "{text}");
            }
            for (y, row) in (low.y..=high.y).zip((2..).step_by(tile_text::ROWS)) {
                let label: String = lines[row][..GUTTER].iter().collect();
                assert_eq!(label.trim().parse(), Ok(y), "{text}");
            }
        }
    }

    #[test]
    fn colours_do_not_change_the_text() {
        for state in positions() {
            let coloured = BoardText::coloured(&state).to_string();
            let mut stripped = String::new();
            for (number, piece) in coloured.split("\u{1b}[").enumerate() {
                stripped.push_str(if number == 0 { piece } else { piece.split_once('m').unwrap().1 });
            }
            let plain = BoardText::plain(&state).to_string();
            assert_eq!(stripped, plain);
            assert!(!plain.contains('\u{1b}') && coloured.len() > plain.len());
            for line in coloured.lines().filter(|line| line.contains('\u{1b}')) {
                let (_, last) = line.rsplit_once("\u{1b}[").unwrap();
                assert!(last.starts_with("0m"), "a style is open at the end of {line:?}");
            }
        }
    }

    #[test]
    fn lines_have_no_trailing_blanks() {
        for state in positions() {
            for line in BoardText::plain(&state).to_string().lines() {
                assert_eq!(line, line.trim_end());
            }
        }
    }
}
