//! A position of the game and the turns that lead from one to the next.
//!
//! The state owns no random numbers: the caller decides which tile is drawn. It is one flat value without allocation.
//! Search copies it instead of undoing moves ([`Clone::clone_from`] copies only the table entries in use).

use super::action::{Deployment, Figure, Move, PlayedTurn, SegmentId};
use super::bag::Bag;
use super::bits;
use super::board::{Board, LegalPlacements};
use super::cell::Cell;
use super::edition::{Base, Edition, FixedTable};
use super::error::{IllegalDraw, IllegalMove};
use super::expansions::Expansion;
use super::feature::{Features, Meeples};
use super::limits::{MAX_SEATS, MEEPLES};
use super::options::{Rules, Unplaceable};
use super::placement::{Placement, ScoreUpdate, Surroundings, join};
use super::scoring::{ScoreObserver, Scoring};
use super::shape::Shape;
use super::tile::{FeatureKind, TileKind};
use evouct_base::sampling::Dice;
use rand::Rng;

/// A position of the base game, or with expansions of the edition [`Expanded`](super::Expanded).
///
/// ```
/// use evouct_carcassonne::{Rules, State};
/// let mut state = State::new(Rules::official(2));
/// let tile = state.rules().tiles.by_name("V").unwrap();
/// state.draw(tile).unwrap();
/// let moves = state.legal_moves();
/// state.play(moves[0]).unwrap();
/// assert_eq!(state.player(), 1);
/// ```
pub struct State<E: Edition = Base> {
    pub(super) rules: Rules,
    pub(super) board: Board<E>,
    pub(super) features: Features<E>,
    pub(super) scoring: Scoring<E>,
    pub(super) bag: Bag<E>,
    hand: Option<TileKind>,
    player: u8,
    /// The figures that each seat has left.
    pub(super) supply: Meeples,
    /// By kind: the number of copies on the board, which is the number of the next copy.
    pub(super) placed_copies: E::Kinds<u8>,
    pub(super) turns: E::Turns<PlayedTurn>,
    pub(super) turn_count: u8,
}

/// The result of a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawResult {
    /// The tile fits somewhere and is in hand.
    InHand,
    /// The tile fits nowhere and was set aside as the rules say. The same player draws again.
    SetAside,
}

impl<E: Edition> Clone for State<E> {
    /// Copies the whole value.
    #[inline]
    fn clone(&self) -> State<E> {
        State { board: self.board.clone(), features: self.features.clone(), scoring: self.scoring.clone(), ..*self }
    }

    /// Copies only the table entries in use.
    #[inline]
    fn clone_from(&mut self, other: &State<E>) {
        self.rules = other.rules;
        self.board.copy_from(&other.board);
        self.features.copy_from(&other.features);
        self.scoring.copy_from(&other.scoring);
        self.bag = other.bag;
        self.hand = other.hand;
        self.player = other.player;
        self.supply = other.supply;
        self.placed_copies = other.placed_copies;
        self.turns = other.turns;
        self.turn_count = other.turn_count;
    }
}

impl State {
    /// The start of a game: the start tile is at (0, 0) and no tile is drawn.
    ///
    /// # Panics
    /// If the rules are not [those of the base game](Rules::are_of_the_base_game): see [`start`](State::start).
    pub fn new(rules: Rules) -> State {
        State::start(rules)
    }
}

impl<E: Edition> State<E> {
    /// The start of a game: the start tile is at (0, 0) and no tile is drawn.
    ///
    /// # Panics
    /// If the rules need expansions and the edition has none.
    pub fn start(rules: Rules) -> State<E> {
        assert!(E::EXPANDED || rules.are_of_the_base_game(), "these rules need the edition with expansions");
        let mut state = State::<E>::blank(rules);
        let start = rules.tiles.start;
        let slot = state.board.open_first();
        state.join(slot, start, 0);
        state.bag = Bag::full(rules.tiles);
        state
    }

    /// A position without any tile.
    fn blank(rules: Rules) -> State<E> {
        let nothing =
            PlayedTurn { tile: TileKind(0), action: Move { cell: Cell::default(), rotation: 0, meeple: None } };
        let mut supply = Meeples::each(MEEPLES);
        for (expansion, figure) in [(Expansion::InnsAndCathedrals, Figure::Big), (Expansion::Abbots, Figure::Abbot)] {
            if rules.have(expansion) {
                supply = supply.with_one_each(figure);
            }
        }
        State {
            bag: Bag::empty(),
            rules,
            board: Board::new(),
            features: Features::new(),
            scoring: Scoring::new(),
            hand: None,
            player: 0,
            supply,
            placed_copies: FixedTable::filled(0),
            turns: FixedTable::filled(nothing),
            turn_count: 0,
        }
    }

    const KINDS: u8 = <E::Kinds<u8> as FixedTable<u8>>::LEN as u8;

    #[inline]
    pub(super) fn shape(&self, kind: TileKind) -> &'static Shape<E> {
        E::of(self.rules.tiles).shape(kind)
    }

    #[inline]
    pub(crate) fn segment_kind(&self, tile: TileKind, segment: SegmentId) -> FeatureKind {
        self.shape(tile).segments[segment.index() % super::limits::MAX_SEGMENTS].kind()
    }

    /// The rules of this game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The seat to draw and play, from 0.
    #[inline]
    pub fn player(&self) -> usize {
        usize::from(self.player)
    }

    /// The drawn tile that is to be placed; none before a draw and at the end.
    #[inline]
    pub fn hand(&self) -> Option<TileKind> {
        self.hand
    }

    /// The meeples that each seat has left, without other figures. Seats beyond the game's have as many as at the
    /// start.
    pub fn meeples_left(&self) -> [u8; MAX_SEATS] {
        self.supply.by_seat()
    }

    /// Whether a seat has a figure of this kind left to place.
    pub fn has_figure(&self, seat: usize, figure: Figure) -> bool {
        self.supply.has(figure, seat as u8)
    }

    /// The figures of all kinds that a seat has left.
    #[inline]
    pub fn figures_left(&self, seat: usize) -> u8 {
        self.supply.figures::<E>(seat as u8)
    }

    /// Whether the player to move has a meeple left.
    #[inline]
    pub(super) fn has_meeple(&self) -> bool {
        self.supply.of(self.player) > 0
    }

    /// The turns so far, without the start tile.
    pub fn turns(&self) -> &[PlayedTurn] {
        &self.turns.as_ref()[..usize::from(self.turn_count)]
    }

    /// By kind: the number of tiles not yet drawn, those at the bottom included.
    pub fn counts_left(&self) -> impl AsRef<[u8]> + use<E> {
        self.bag.all_counts()
    }

    /// The number of tiles not yet drawn.
    pub fn tiles_left(&self) -> u8 {
        self.bag.len()
    }

    /// The tiles not yet drawn, those at the bottom included, in the order of kinds.
    pub fn remaining(&self) -> impl Iterator<Item = TileKind> {
        let counts = self.bag.all_counts();
        (0..Self::KINDS).map(TileKind).flat_map(move |kind| std::iter::repeat_n(kind, counts[kind.index()].into()))
    }

    /// Whether a drawn tile that fits nowhere goes back into the bag, so that drawing it changes nothing.
    #[inline]
    fn returns_tiles(&self) -> bool {
        self.rules.unplaceable == Unplaceable::Return && !self.bag.has_river(self.rules.tiles)
    }

    /// Whether the game is over: no tile is in hand and none can be drawn.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.hand.is_none()
            && match self.rules.unplaceable {
                Unplaceable::Discard => self.bag.len() == 0,
                Unplaceable::Bottom => self.bag.shuffled_len() == 0 && !self.fits_any(&self.bag.all_counts()),
                Unplaceable::Return => self.returns_tiles() && !self.fits_any(&self.bag.counts(self.rules.tiles)),
            }
    }

    fn fits_any(&self, counts: &E::Kinds<u8>) -> bool {
        (0..Self::KINDS).any(|kind| counts[usize::from(kind)] > 0 && self.legal_placements(TileKind(kind)).count > 0)
    }

    /// The kinds that can be drawn, each with its number of copies. The probability of a kind is its number over the
    /// sum. Empty if a tile is in hand or the game is over. A kind that fits nowhere is listed if drawing it changes
    /// the bag.
    pub fn draw_outcomes(&self) -> impl Iterator<Item = (TileKind, u8)> {
        let none = self.hand.is_some() || self.is_over();
        let counts = if none { FixedTable::filled(0) } else { self.bag.counts(self.rules.tiles) };
        let returned = self.returns_tiles();
        (0..Self::KINDS)
            .map(TileKind)
            .map(move |kind| (kind, counts[kind.index()]))
            .filter(move |(kind, count)| *count > 0 && (!returned || self.legal_placements(*kind).count > 0))
    }

    /// Draws a tile of this kind, and sets it aside if it fits nowhere.
    ///
    /// # Errors
    /// If a tile is in hand, or no tile of this kind can come next. The state does not change.
    pub fn draw(&mut self, kind: TileKind) -> Result<DrawResult, IllegalDraw> {
        if self.hand.is_some() {
            return Err(IllegalDraw::InHand);
        }
        if !self.bag.take(kind, self.rules.tiles) {
            return Err(IllegalDraw::NotInBag);
        }
        Ok(self.receive(kind, self.legal_placements(kind).count > 0))
    }

    /// Draws a tile at random, uniformly among the tiles that can come next. The game must not be over.
    #[inline]
    pub(crate) fn draw_random(&mut self, rng: &mut impl Rng) -> TileKind {
        loop {
            let returns_tiles = self.returns_tiles();
            let (kind, placements) = self.take_random(&mut Dice::roll(rng));
            let drawn = self.receive(kind, placements.count > 0);
            // A tile that returns to the bag changes nothing: draw again.
            if drawn == DrawResult::InHand || !returns_tiles {
                return kind;
            }
        }
    }

    /// Takes one of the tiles that can come next out of the bag. Returns its kind and where it fits.
    #[inline(always)]
    pub(super) fn take_random(&mut self, dice: &mut Dice) -> (TileKind, LegalPlacements<E>) {
        let kind = match self.bag.shuffled_len() {
            _ if self.bag.has_river(self.rules.tiles) => {
                let places = self.bag.next_places(self.rules.tiles);
                self.bag.take_nth(usize::from(places.start) + dice.below(places.len() as u32) as usize)
            }
            0 => self.bag.take_bottom().expect("the game is not over"),
            tiles => self.bag.take_nth(dice.below(tiles.into()) as usize),
        };
        (kind, self.legal_placements(kind))
    }

    /// Takes a drawn tile in hand if it fits, otherwise sets it aside.
    #[inline]
    pub(super) fn receive(&mut self, kind: TileKind, fits: bool) -> DrawResult {
        if fits {
            self.hand = Some(kind);
            return DrawResult::InHand;
        }
        match self.rules.unplaceable {
            Unplaceable::Discard => {}
            _ if self.shape(kind).has_river() => {}
            Unplaceable::Bottom => self.bag.put_below(kind),
            Unplaceable::Return => self.bag.put_back(kind),
        }
        DrawResult::SetAside
    }

    #[inline]
    pub(super) fn legal_placements(&self, kind: TileKind) -> LegalPlacements<E> {
        let shape = self.shape(kind);
        if shape.has_river() { self.river_placements(kind) } else { self.board.legal_placements(shape) }
    }

    /// The number of distinct pairs of cell and orientation at which a tile of this kind fits.
    pub fn placement_count(&self, kind: TileKind) -> u32 {
        self.legal_placements(kind).count
    }

    /// All legal moves with the tile in hand. Empty if no tile is in hand.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.legal_moves_into(&mut moves);
        moves
    }

    /// Fills `moves` with all legal moves, by cell, then by rotation, then first without a figure, then by kind of
    /// figure and by segment, and last with the abbot taken back.
    pub fn legal_moves_into(&self, moves: &mut Vec<Move>) {
        moves.clear();
        let Some(kind) = self.hand else { return };
        let shape = self.shape(kind);
        self.each_legal_placement(kind, |slot, rotation, free| self.push_moves(shape, slot, rotation, free, moves));
    }

    /// Calls `visit` with the slot and the rotation of each legal placement, by cell, then by rotation, and with the
    /// set of segments whose features would hold no figure; an empty set if the player to move has no figure.
    #[inline]
    pub(super) fn each_legal_placement(&self, kind: TileKind, mut visit: impl FnMut(u8, u8, u32)) {
        let shape = self.shape(kind);
        let has_figure = self.has_meeple() || E::EXPANDED && self.figures_left(self.player()) > 0;
        self.legal_placements(kind).slots().for_each(|(slot, rotations)| {
            let claimed = if has_figure { self.claimed_ports(slot) } else { 0 };
            for rotation in bits::ones(rotations.into()).map(|rotation| rotation as u8) {
                let taken = if claimed == 0 { 0 } else { self.claimed_segments(slot, shape, rotation, claimed) };
                visit(slot, rotation, if has_figure { !taken } else { 0 });
            }
        });
    }

    /// Pushes the moves of a legal placement in the order of [`legal_moves_into`](State::legal_moves_into).
    #[inline]
    pub(super) fn push_moves(&self, shape: &Shape<E>, slot: u8, rotation: u8, free: u32, moves: &mut Vec<Move>) {
        let cell = self.board.cell(slot);
        moves.push(Move { cell, rotation, meeple: None });
        if E::EXPANDED {
            let recall = self.can_recall(cell).then_some(Deployment::RECALL);
            let deployments = self.deployments(shape, free).chain(recall);
            moves.extend(deployments.map(|meeple| Move { cell, rotation, meeple: Some(meeple) }));
        } else {
            let segments = bits::ones(u64::from(free) & ((1 << shape.segment_count) - 1));
            let meeples = segments.map(|segment| Some(Deployment::meeple(SegmentId::new(segment as u8))));
            moves.extend(meeples.map(|meeple| Move { cell, rotation, meeple }));
        }
    }

    /// Calls `visit` with each open cell where the tile in hand fits, and the set of rotations in which it does.
    pub(crate) fn each_placement(&self, mut visit: impl FnMut(Cell, u8)) {
        let Some(kind) = self.hand else { return };
        self.legal_placements(kind).slots().for_each(|(slot, rotations)| visit(self.board.cell(slot), rotations));
    }

    /// Calls `visit` with what the player to move may do with a figure if the tile in hand is placed so, in the order
    /// of [`legal_moves`](State::legal_moves). The placement must be legal.
    pub(crate) fn each_deployment(&self, cell: Cell, rotation: u8, visit: impl FnMut(Deployment)) {
        let (Some(kind), Some(slot)) = (self.hand, self.board.slot(cell)) else { return };
        let shape = self.shape(kind);
        let taken = self.taken_segments(slot, shape, rotation);
        let recall = self.can_recall(cell).then_some(Deployment::RECALL);
        self.deployments(shape, !taken).chain(recall).for_each(visit);
    }

    /// The set of ports of an open slot at which the neighbour's feature holds a meeple.
    #[inline]
    fn claimed_ports(&self, slot: u8) -> u16 {
        let neighbour_ids = self.board.neighbour_ids(slot);
        let claimed = |(port, id): (usize, &u8)| u16::from(self.features.root(*id).is_claimed()) << port;
        neighbour_ids.iter().enumerate().map(claimed).fold(0, |set, port| set | port)
    }

    /// The [`claimed_segments`](State::claimed_segments) of one rotation.
    #[inline]
    pub(super) fn taken_segments(&self, slot: u8, shape: &Shape<E>, rotation: u8) -> u32 {
        let claimed = self.claimed_ports(slot);
        if claimed == 0 { 0 } else { self.claimed_segments(slot, shape, rotation, claimed) }
    }

    /// The set of segments that would belong to a feature with a meeple if the tile were placed here. A segment can be
    /// connected to that feature through another segment, because the tile merges the features around it.
    #[inline]
    fn claimed_segments(&self, slot: u8, shape: &Shape<E>, rotation: u8, claimed_ports: u16) -> u32 {
        let neighbour_ids = self.board.neighbour_ids(slot);
        let joined = !bits::ports_of(neighbour_ids, 0);
        let mut claimed = claimed_ports;
        loop {
            let (mut segments, mut touched) = (0, 0);
            for (segment, index) in shape.segments[..usize::from(shape.edged)].iter().zip(0..) {
                let joins = segment.joins(rotation) & joined;
                if joins & claimed != 0 {
                    segments |= 1 << index;
                    touched |= joins;
                }
            }
            let further = touched & !claimed;
            if further == 0 {
                return segments;
            }
            claimed = bits::ones(further.into())
                .fold(claimed, |set, port| set | bits::ports_of(neighbour_ids, neighbour_ids[port as usize % 16]));
        }
    }

    /// Whether a segment would belong to a feature without a meeple if the tile were placed here.
    // Joint playouts draw until this holds. As a call they lose 5 % of their speed.
    #[inline(always)]
    pub(super) fn is_free(&self, slot: u8, shape: &Shape<E>, segment: usize, rotation: u8) -> bool {
        let neighbour_ids = self.board.neighbour_ids(slot);
        let segment_ports = shape.segments()[segment].ports(rotation);
        let (mut shared, mut claimed) = (false, false);
        for port in bits::ones(shape.segments()[segment].joins(rotation).into()) {
            let id = neighbour_ids[port as usize % 16];
            // Without a neighbour the id is 0, and feature 0 holds no meeple.
            claimed |= self.features.root(id).is_claimed();
            shared |= (id != 0) & (bits::ports_of(neighbour_ids, id) & !segment_ports != 0);
        }
        if claimed {
            return false;
        }
        !shared || self.claimed_segments(slot, shape, rotation, self.claimed_ports(slot)) >> segment & 1 == 0
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If the move is not legal. The state does not change.
    pub fn play(&mut self, action: Move) -> Result<(), IllegalMove> {
        self.check(action)?;
        self.play_legal(action, &mut ());
        Ok(())
    }

    /// Checks whether a move is legal.
    ///
    /// # Errors
    /// The first rule that the move breaks.
    pub fn check(&self, action: Move) -> Result<(), IllegalMove> {
        let kind = self.hand.ok_or(IllegalMove::NoTile)?;
        let shape = self.shape(kind);
        let slot = self.board.slot(action.cell).ok_or(IllegalMove::NotOpen)?;
        if action.rotation >= shape.orientations {
            return Err(IllegalMove::Orientation);
        }
        let allowed = if shape.has_river() {
            self.river_placements(kind).contain(slot, action.rotation)
        } else {
            self.board.allows(slot, shape, action.rotation)
        };
        if !allowed {
            return Err(IllegalMove::Clash);
        }
        let Some(deployment) = action.meeple else { return Ok(()) };
        let Some(segment) = deployment.segment() else {
            return if E::EXPANDED && self.can_recall(action.cell) { Ok(()) } else { Err(IllegalMove::NoRecall) };
        };
        if segment.index() >= shape.segments().len() {
            return Err(IllegalMove::NoSuchSegment);
        }
        if !self.supply.has(deployment.figure(), self.player) {
            return Err(match deployment.figure() {
                Figure::Meeple => IllegalMove::NoMeepleLeft,
                _ => IllegalMove::NoFigureLeft,
            });
        }
        if self.figure_segments(shape, deployment.figure()) >> segment.index() & 1 == 0 {
            return Err(IllegalMove::WrongFigure);
        }
        if !self.is_free(slot, shape, segment.index(), action.rotation) {
            return Err(IllegalMove::Claimed);
        }
        Ok(())
    }

    /// Plays a legal move and reports its awards to the observer.
    ///
    /// The move must be legal. Debug builds panic if it is not; release builds panic or leave a wrong position.
    #[inline]
    pub fn play_legal(&mut self, action: Move, observer: &mut impl ScoreObserver) {
        debug_assert_eq!(self.check(action), Ok(()));
        let (Some(kind), Some(slot)) = (self.hand, self.board.slot(action.cell)) else {
            unreachable!("a legal move has a tile in hand and an open cell")
        };
        let placement = self.join(slot, kind, action.rotation);
        self.finish_turn(placement, action.meeple, observer);
    }

    /// Joins the tile's segments to the features around the slot and puts the tile on the board.
    #[inline(always)]
    pub(super) fn join(&mut self, slot: u8, kind: TileKind, rotation: u8) -> Placement {
        let copy = self.placed_copies[kind.index() % usize::from(Self::KINDS)];
        self.placed_copies[kind.index() % usize::from(Self::KINDS)] = copy + 1;
        let surroundings = Surroundings::of(&self.board, slot, rotation);
        let (shape, board) = (self.shape(kind), &mut self.board);
        let placement =
            join(&mut self.features, &self.rules, surroundings, kind, copy, |from, to| board.relabel(from, to));
        board.place_tile(slot, shape, rotation, &placement.ids.table());
        placement
    }

    /// Ends the turn of a joined tile: places the meeple, scores, and passes to the next player.
    #[inline(always)]
    pub(super) fn finish_turn(
        &mut self,
        placement: Placement,
        meeple: Option<Deployment>,
        observer: &mut impl ScoreObserver,
    ) {
        let Surroundings { cell, rotation, .. } = placement.surroundings;
        let kind = placement.kind;
        let update = ScoreUpdate { features: &mut self.features, scoring: &mut self.scoring, supply: &mut self.supply };
        update.apply(
            &self.rules,
            &placement,
            (self.player, meeple),
            (cell, || self.board.tiles_around(cell)),
            observer,
        );
        self.turns[usize::from(self.turn_count)] = PlayedTurn { tile: kind, action: Move { cell, rotation, meeple } };
        self.turn_count += 1;
        self.hand = None;
        self.player = if self.player + 1 == self.rules.seats { 0 } else { self.player + 1 };
    }

    /// The virtual scores after a legal move, at a fraction of the cost of playing it.
    ///
    /// The method computes them in `scratch` and writes only the tables that affect scores. Afterwards `scratch` is not
    /// a valid position: overwrite it with [`clone_from`](Clone::clone_from) before any other use.
    #[inline]
    pub(crate) fn virtual_scores_after(&self, action: Move, scratch: &mut State<E>) -> [u16; MAX_SEATS] {
        debug_assert_eq!(self.check(action), Ok(()));
        let (Some(kind), Some(slot)) = (self.hand, self.board.slot(action.cell)) else {
            unreachable!("a legal move has a tile in hand and an open cell")
        };
        scratch.rules = self.rules;
        scratch.features.copy_from(&self.features);
        scratch.scoring.copy_from(&self.scoring);
        scratch.supply = self.supply;
        let surroundings = Surroundings::of(&self.board, slot, action.rotation);
        let copy = self.placed_copies[kind.index() % usize::from(Self::KINDS)];
        let placement = join(&mut scratch.features, &self.rules, surroundings, kind, copy, |_, _| ());
        let around = || self.board.tiles_around(action.cell);
        let State { features, scoring, supply, .. } = scratch;
        ScoreUpdate { features, scoring, supply }.apply(
            &self.rules,
            &placement,
            (self.player, action.meeple),
            (action.cell, around),
            &mut (),
        );
        scratch.virtual_scores()
    }

    /// The points scored so far, by seat.
    pub fn scores(&self) -> &[u16] {
        &self.scoring.points()[..usize::from(self.rules.seats)]
    }

    /// The virtual scores: the score of each seat if the game ended now. At the end they are the final scores.
    pub fn virtual_scores(&self) -> [u16; MAX_SEATS] {
        let mut scores = *self.scoring.points();
        if self.rules.seats == 2 {
            self.scoring.score_standing(&self.rules, &self.features, |award| award.pay_two(&mut scores));
        } else {
            self.scoring.score_standing(&self.rules, &self.features, |award| award.pay(&mut scores));
        }
        scores
    }
}
