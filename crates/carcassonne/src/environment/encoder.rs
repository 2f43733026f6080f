//! Observations of an agent: the board as bytes, and numbers beside it.

use super::episode::{Episode, Phase};
use super::features;
use super::layers::{Compact, Layers, Pairs, Planes, Shown, plane};
use super::numbering::{FIGURE_DECISIONS, Numbering, is_on_half_edge, is_on_side};
use super::pairs::{self, PAIRS, pair};
use crate::rules::{Cell, Edition, FeatureKind, Figure, MAX_SEATS, Rules, TileKind};
use evouct_base::named::Named;
use evouct_base::prefetch::prefetch;

evouct_base::named! {
    /// How the board is written.
    #[derive(Default)]
    pub enum Encoding {
        /// `[W, W, 5]`, by row, column and number: the kind of tile + 1 (0 without a tile), its rotation, the owner of
        /// the figure on it + 1 (the observer is owner 0, the seat after it owner 1), the figure + 1, and its slot + 1
        /// (0 without a figure).
        #[default]
        Compact = "compact",
        /// `[63, W, W]`, by plane, row and column: see [`plane`]. No knowledge of the kinds of tile is needed.
        Planes = "planes",
        /// `[W, W, 75 + 21·seats]`, by row, column and number: see [`pair`]. Each pair of sides that a tile joins has a
        /// number.
        Pairs = "pairs",
        /// `[17, W, W]`, by plane, row and column: what a city or road is as a whole, and not the tile: see
        /// [`feature`](super::feature).
        Features = "features",
    }
}

impl Encoding {
    /// The least width of a window in which the encoding has room: the last plane of pairs has a cell for each of the
    /// numbers beside the board.
    pub fn least_width(self, rules: &Rules) -> u8 {
        let cells = if self == Encoding::Pairs { global_len(rules) } else { 1 };
        (1..u8::MAX).find(|width| usize::from(*width).pow(2) >= cells).unwrap_or(u8::MAX)
    }

    /// Refuses a window without room for the encoding.
    ///
    /// # Errors
    /// The least width.
    pub fn check_width(self, rules: &Rules, width: u8) -> Result<(), String> {
        match self.least_width(rules) {
            least if width < least => {
                let name = Encoding::NAMES.iter().find(|(_, encoding)| *encoding == self).map_or("", |(name, _)| name);
                Err(format!("the encoding {name} needs a width of the window of at least {least}, found {width}"))
            }
            _ => Ok(()),
        }
    }
}

/// The numbers beside the board: each constant is a place among them, and the first of a group where it says so.
pub mod global {
    /// The phase: 0 tile, 1 figure, 2 draw, 3 end.
    pub const PHASE: usize = 0;
    /// The kind of the tile in hand; -1 without one.
    pub const HAND: usize = 1;
    /// The column of the tile that was placed last; -1 without one.
    pub const LAST_X: usize = 2;
    /// The row of that tile.
    pub const LAST_Y: usize = 3;
    /// The rotation that is decided for the tile in hand; -1 while its place is not decided.
    pub const ROTATION: usize = 4;
    /// The number of tiles not yet drawn.
    pub const TILES_LEFT: usize = 5;
    /// The owner whose turn it is; 0 if it is the observer's.
    pub const TO_ACT: usize = 6;
    /// By kind: the number of tiles not yet drawn. Then by owner, the observer first, [`OF_SEAT`] numbers each:
    /// meeples, big meeples and abbots left, points, and points if the game ended now.
    pub const KINDS: usize = 7;
    /// The numbers of each seat.
    pub const OF_SEAT: usize = 5;
}

/// Where an observation is written. All of it is written, or what has changed.
#[derive(Debug)]
pub struct Frame<'a> {
    /// The board: [`Encoder::board_len`] bytes.
    pub board: &'a mut [u8],
    /// By number of decision: 1 if it is legal. [`Numbering::count`] bytes.
    pub mask: &'a mut [i8],
    /// The numbers beside the board: [`Encoder::global_len`].
    pub global: &'a mut [i16],
}

/// Writes observations of games by the same rules.
#[derive(Clone, Debug)]
pub struct Encoder {
    encoding: Encoding,
    numbering: Numbering,
    rules: Rules,
    /// By kind and rotation: the planes that are not 0, with their values.
    looks: Vec<[Vec<(u8, u8)>; 4]>,
}

/// The last content of a frame, so that only changes are written.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    is_drawn: bool,
    origin: [i32; 2],
    turns: usize,
    figures: Vec<Shown>,
    last: Option<usize>,
    legal: Vec<u16>,
    /// The cells with legal placements, by their places in the window.
    cells: Vec<u16>,
    /// What the slowly changing numbers were made of: turns, tile in hand, tiles left, observer.
    counted: Option<(usize, Option<TileKind>, u8, usize)>,
}

impl Picture {
    /// The next observation is written completely: of another game, or to another frame.
    pub fn forget(&mut self) {
        self.is_drawn = false;
    }

    /// The legal decisions of the observation.
    pub fn legal(&self) -> &[u16] {
        &self.legal
    }

    /// Asks for the parts of a frame that the next observation will write.
    pub(super) fn prefetch(&self, frame: &Frame, encoding: Encoding) {
        self.cells.iter().for_each(|at| prefetch(&frame.mask[4 * usize::from(*at)]));
        prefetch(&frame.mask[frame.mask.len() - 1]);
        if encoding == Encoding::Compact {
            self.figures.iter().for_each(|figure| prefetch(&frame.board[Compact::BYTES * figure.at]));
        }
    }
}

/// By set of rotations: 1 for each rotation in it.
const MARKS: [[i8; 4]; 16] = {
    let mut marks = [[0; 4]; 16];
    let mut set = 0;
    while set < 64 {
        marks[set / 4][set % 4] = ((set / 4) >> (set % 4) & 1) as i8;
        set += 1;
    }
    marks
};

/// By set of rotations: the rotations in it, then zeros.
const ROTATIONS: [[u16; 4]; 16] = {
    let mut rotations = [[0; 4]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut rotation, mut count) = (0, 0);
        while rotation < 4 {
            if set >> rotation & 1 == 1 {
                rotations[set][count] = rotation as u16;
                count += 1;
            }
            rotation += 1;
        }
        set += 1;
    }
    rotations
};

impl Encoder {
    /// An encoder for games by these rules, seen through a window of this width.
    ///
    /// # Panics
    /// If the window is too small: see [`Encoding::check_width`].
    pub fn new(rules: Rules, encoding: Encoding, width: u8) -> Encoder {
        if let Err(problem) = encoding.check_width(&rules, width) {
            panic!("{problem}");
        }
        let kinds = (0..rules.tiles.kinds().len() as u8).map(TileKind);
        let looks = |kind: TileKind| {
            std::array::from_fn(|rotation| match encoding {
                Encoding::Compact | Encoding::Features => Vec::new(),
                Encoding::Planes => looks(&rules, kind, rotation as u8),
                Encoding::Pairs => pairs::looks(&rules, kind, rotation as u8),
            })
        };
        Encoder { encoding, numbering: Numbering { width: width.into() }, rules, looks: kinds.map(looks).collect() }
    }

    /// The numbering of decisions.
    pub fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// The shape of the board's bytes.
    pub fn board_shape(&self) -> [usize; 3] {
        let width = self.numbering.width;
        match self.encoding {
            Encoding::Compact => [width, width, Compact::BYTES],
            Encoding::Planes => [plane::COUNT, width, width],
            Encoding::Pairs => [width, width, pair::count(self.rules.seats.into())],
            Encoding::Features => [features::feature::COUNT, width, width],
        }
    }

    /// The planes of a tile that are not 0, with their values.
    #[cfg(test)]
    pub(super) fn look(&self, kind: usize, rotation: u8) -> &[(u8, u8)] {
        &self.looks[kind][usize::from(rotation)]
    }

    /// The number of bytes of the board.
    pub fn board_len(&self) -> usize {
        self.board_shape().iter().product()
    }

    /// The number of numbers beside the board.
    pub fn global_len(&self) -> usize {
        global_len(&self.rules)
    }

    /// Writes what a seat sees of a game, all of it.
    ///
    /// # Panics
    /// If the frame has other lengths, or the game other rules or another window.
    pub fn write<E: Edition>(&self, episode: &Episode<E>, observer: usize, frame: Frame) {
        self.update(&mut Picture::default(), episode, observer, frame);
    }

    /// Writes what a seat sees of a game. `picture` is of the last observation in this frame, which was not changed
    /// since.
    ///
    /// # Panics
    /// As [`write`](Encoder::write).
    pub fn update<E: Edition>(&self, picture: &mut Picture, episode: &Episode<E>, observer: usize, frame: Frame) {
        assert_eq!(frame.mask.len(), self.numbering.count(), "bytes of the mask");
        self.update_board(picture, episode, observer, frame.board);
        if !picture.is_drawn {
            frame.mask.fill(0);
            picture.counted = None;
        }
        picture.is_drawn = true;
        self.update_legal(picture, episode, observer, frame.board, frame.mask);
        self.update_global(picture, episode, observer, frame.global);
        self.write_numbers(frame.board, frame.global);
    }

    /// Writes the board alone.
    ///
    /// # Panics
    /// As [`write`](Encoder::write).
    pub fn write_board<E: Edition>(&self, episode: &Episode<E>, observer: usize, board: &mut [u8]) {
        self.update_board(&mut Picture::default(), episode, observer, board);
        if self.encoding == Encoding::Planes && observer == episode.state().player() && episode.phase() == Phase::Tile {
            episode.each_placement(|at, rotations| self.mark_planes(board, at, rotations));
        }
        if self.encoding == Encoding::Pairs {
            let mut numbers = vec![0; self.global_len()];
            self.write_global(episode, observer, &mut numbers);
            self.write_numbers(board, &numbers);
        }
    }

    /// Writes the numbers beside the board to the last plane of [`Encoding::Pairs`].
    fn write_numbers(&self, board: &mut [u8], numbers: &[i16]) {
        if self.encoding == Encoding::Pairs {
            let count = pair::count(self.rules.seats.into());
            for (cell, number) in board.chunks_exact_mut(count).zip(numbers) {
                cell[count - 1] = (number + 1).clamp(0, 255) as u8;
            }
        }
    }

    /// Writes the numbers beside the board alone.
    ///
    /// # Panics
    /// As [`write`](Encoder::write).
    pub fn write_global<E: Edition>(&self, episode: &Episode<E>, observer: usize, numbers: &mut [i16]) {
        let last = episode.last_cell().and_then(|cell| self.place(episode, cell));
        self.update_global(&mut Picture { last, ..Picture::default() }, episode, observer, numbers);
    }

    fn update_board<E: Edition>(&self, picture: &mut Picture, episode: &Episode<E>, observer: usize, board: &mut [u8]) {
        assert_eq!(board.len(), self.board_len(), "bytes of the board");
        match self.encoding {
            Encoding::Compact => self.draw(&mut Compact { board }, picture, episode, observer),
            Encoding::Planes => {
                let area = self.numbering.width * self.numbering.width;
                self.draw(&mut Planes { board, area, looks: &self.looks }, picture, episode, observer);
            }
            Encoding::Pairs => {
                let seats = self.rules.seats.into();
                self.draw(&mut Pairs { board, seats, looks: &self.looks }, picture, episode, observer);
            }
            Encoding::Features => {
                // The place of the last tile is among the numbers beside the board.
                let origin = episode.window().origin();
                picture.is_drawn &= picture.origin == origin;
                picture.origin = origin;
                picture.last = episode.last_cell().and_then(|cell| self.place(episode, cell));
                features::write(episode, observer, board);
            }
        }
    }

    /// The place of a cell in the window, by rows; none outside.
    fn place<E: Edition>(&self, episode: &Episode<E>, cell: Cell) -> Option<usize> {
        episode.window().place(cell).map(|(x, y)| y * self.numbering.width + x)
    }

    fn draw<E: Edition>(&self, board: &mut impl Layers, picture: &mut Picture, episode: &Episode<E>, observer: usize) {
        let (origin, turns) = (episode.window().origin(), episode.state().turns());
        picture.is_drawn &= picture.origin == origin && picture.turns <= turns.len();
        if !picture.is_drawn {
            board.clear();
            let start = (Cell::default(), self.rules.tiles.start, 0);
            self.draw_tile(board, episode, start);
            (picture.origin, picture.turns, picture.last) = (origin, 0, None);
            picture.figures.clear();
        }
        for turn in &turns[picture.turns..] {
            self.draw_tile(board, episode, (turn.action.cell, turn.tile, turn.action.rotation));
        }
        picture.turns = turns.len();
        if let (Some((cell, rotation)), Some(tile)) = (episode.placed(), episode.state().hand()) {
            self.draw_tile(board, episode, (cell, tile, rotation));
        }
        let last = episode.last_cell().and_then(|cell| self.place(episode, cell));
        if picture.last != last {
            picture.last.into_iter().for_each(|at| board.last(at, 0));
            last.into_iter().for_each(|at| board.last(at, 1));
            picture.last = last;
        }
        let seats = usize::from(self.rules.seats);
        let owners: [u8; MAX_SEATS] = std::array::from_fn(|seat| ((seat + seats - observer % seats) % seats) as u8);
        // Both lists are in the order of turns, so figures that stay are met in the same order.
        let (mut next, mut count) = (0, 0);
        for standing in episode.standing() {
            let Some(at) = self.place(episode, standing.cell) else { continue };
            let owner = owners[usize::from(standing.seat)];
            let figure = Shown { at, owner, figure: standing.figure, slot: standing.slot };
            while picture.figures.get(next).is_some_and(|old| old.at != at) {
                board.figure(picture.figures[next], false);
                next += 1;
            }
            match picture.figures.get(next).copied() {
                Some(old) => {
                    if old != figure {
                        board.replace(old, figure);
                    }
                    // What is behind was read already.
                    picture.figures[count] = figure;
                    next += 1;
                }
                None => {
                    board.figure(figure, true);
                    picture.figures.truncate(count);
                    picture.figures.push(figure);
                    next = count + 1;
                }
            }
            count += 1;
        }
        picture.figures.drain(next.min(picture.figures.len())..).for_each(|old| board.figure(old, false));
        picture.figures.truncate(count);
    }

    /// Draws a tile, unless the window has become too small for it.
    fn draw_tile<E: Edition>(
        &self,
        board: &mut impl Layers,
        episode: &Episode<E>,
        (cell, kind, rotation): (Cell, TileKind, u8),
    ) {
        if let Some(at) = self.place(episode, cell) {
            board.tile(at, kind, rotation);
        }
    }

    /// Marks in the planes where the tile in hand may go.
    #[inline]
    fn mark_planes(&self, board: &mut [u8], at: usize, rotations: u8) {
        let area = self.numbering.width * self.numbering.width;
        for (rotation, mark) in MARKS[usize::from(rotations % 16)].into_iter().enumerate() {
            board[(plane::LEGAL + rotation) * area + at] = mark as u8;
        }
    }

    fn update_legal<E: Edition>(
        &self,
        picture: &mut Picture,
        episode: &Episode<E>,
        observer: usize,
        board: &mut [u8],
        mask: &mut [i8],
    ) {
        // The mask and the planes of another game are cleared already.
        let mut mark = |at: u16, rotations: u8| {
            let marks = MARKS[usize::from(rotations % 16)];
            mask[4 * usize::from(at)..][..4].copy_from_slice(&marks);
            if self.encoding == Encoding::Planes {
                self.mark_planes(board, at.into(), rotations);
            }
        };
        picture.cells.drain(..).for_each(|at| mark(at, 0));
        picture.legal.clear();
        let acts = observer == episode.state().player();
        if acts && episode.phase() == Phase::Tile {
            episode.each_placement(|at, rotations| {
                let at = at as u16;
                mark(at, rotations);
                picture.cells.push(at);
                // The number of rotations cannot be predicted: four are written, and those that do not count are cut
                // off.
                let count = picture.legal.len() + rotations.count_ones() as usize;
                picture
                    .legal
                    .extend_from_slice(&ROTATIONS[usize::from(rotations % 16)].map(|rotation| 4 * at + rotation));
                picture.legal.truncate(count);
            });
        }
        let figures = self.numbering.count() - FIGURE_DECISIONS;
        mask[figures..].fill(0);
        if acts && episode.phase() == Phase::Figure {
            episode.each_legal(|number| {
                picture.legal.push(number as u16);
                mask[number] = 1;
            });
        }
    }

    fn update_global<E: Edition>(
        &self,
        picture: &mut Picture,
        episode: &Episode<E>,
        observer: usize,
        numbers: &mut [i16],
    ) {
        assert_eq!(numbers.len(), self.global_len(), "numbers beside the board");
        let state = episode.state();
        let hand = state.hand();
        let width = self.numbering.width;
        let seats = usize::from(self.rules.seats);
        numbers[global::PHASE] = episode.phase() as i16;
        numbers[global::HAND] = hand.map_or(-1, |kind| kind.0.into());
        numbers[global::LAST_X] = picture.last.map_or(-1, |at| (at % width) as i16);
        numbers[global::LAST_Y] = picture.last.map_or(-1, |at| (at / width) as i16);
        numbers[global::ROTATION] = episode.placed().map_or(-1, |(_, rotation)| rotation.into());
        numbers[global::TILES_LEFT] = state.tiles_left().into();
        numbers[global::TO_ACT] = ((state.player() + seats - observer) % seats) as i16;
        let made_of = Some((state.turns().len(), hand, state.tiles_left(), observer));
        if picture.counted == made_of {
            return;
        }
        picture.counted = made_of;
        let (kinds, of_seats) = numbers[global::KINDS..].split_at_mut(self.looks.len());
        let counts = state.counts_left();
        for (number, count) in kinds.iter_mut().zip(counts.as_ref()) {
            *number = (*count).into();
        }
        let (scores, potential, meeples) = (state.scores(), state.virtual_scores(), state.meeples_left());
        for (owner, numbers) in of_seats.chunks_exact_mut(global::OF_SEAT).enumerate() {
            let seat = (observer + owner) % seats;
            let left = |figure| i16::from(state.has_figure(seat, figure));
            let points = [scores[seat] as i16, potential[seat] as i16];
            numbers[..3].copy_from_slice(&[meeples[seat].into(), left(Figure::Big), left(Figure::Abbot)]);
            numbers[3..].copy_from_slice(&points);
        }
    }
}

/// The number of numbers beside the board.
fn global_len(rules: &Rules) -> usize {
    global::KINDS + rules.tiles.kinds().len() + global::OF_SEAT * usize::from(rules.seats)
}

/// The planes of a tile that are not 0.
fn looks(rules: &Rules, kind: TileKind, rotation: u8) -> Vec<(u8, u8)> {
    let definition = rules.tiles.kind(kind);
    let mut values = vec![(plane::TILE, 1)];
    for side in definition.river(rotation) {
        values.push((plane::RIVER + side as usize, 1));
    }
    let mut fields = 0;
    let mut pennants = 0;
    for segment in rules.tiles.segments(kind) {
        let ports = segment.ports(rotation);
        let has = |side: usize| is_on_side(ports, side);
        let (sides, joined) = match segment.kind() {
            FeatureKind::City => (plane::CITY, plane::CITY_JOINED),
            FeatureKind::Road => (plane::ROAD, plane::ROAD_JOINED),
            FeatureKind::Field => {
                fields += 1;
                let halves = (0..8).filter(|half| is_on_half_edge(ports, *half));
                values.extend(halves.map(|half| (plane::FIELD + half, fields)));
                continue;
            }
            FeatureKind::Monastery => {
                values.push((plane::MONASTERY, 1));
                continue;
            }
            FeatureKind::Garden => {
                values.push((plane::GARDEN, 1));
                continue;
            }
        };
        pennants += segment.pennants();
        let value = 1 + u8::from(segment.is_special());
        values.extend((0..4).filter(|side| has(*side)).map(|side| (sides + side, value)));
        let both = |(_, (a, b)): &(usize, (usize, usize))| has(*a) && has(*b);
        values.extend(PAIRS.into_iter().enumerate().filter(both).map(|(pair, _)| (joined + pair, 1)));
    }
    if pennants > 0 {
        values.push((plane::PENNANTS, pennants));
    }
    debug_assert!(values.iter().all(|(plane, _)| *plane < plane::SLOT));
    values.into_iter().map(|(plane, value)| (plane as u8, value)).collect()
}
