//! A position of the game, and the turns that lead from one to the next.
//!
//! The state owns no random numbers: whoever plays says which tile is drawn. It is one flat value without allocation;
//! search copies it ([`Clone::clone_from`] copies only what is in use) instead of taking moves back.

use super::action::{Move, Spot, Turn};
use super::bag::Bag;
use super::bits;
use super::feature::{Features, Meeples};
use super::frontier::{Cell, Fits, Frontier};
use super::illegal::{IllegalDraw, IllegalMove};
use super::laying::{Accounts, Laying, Place, join};
use super::rules::{MAX_SEATS, MEEPLES, Rules, Unplaceable};
use super::scoring::{Award, Scoring, Witness};
use super::tile::{FeatureKind, TileKind};
use super::tile_set::{MAX_KINDS, Shape};
use crate::sampling::Dice;
use rand::Rng;

const MAX_TURNS: usize = 71;

/// A position.
///
/// ```
/// use evouct::carcassonne::{Rules, State};
/// let mut state = State::new(Rules::official(2));
/// let tile = state.rules().tiles.by_name("V").unwrap();
/// state.draw(tile).unwrap();
/// let moves = state.legal_moves();
/// state.play(moves[0]).unwrap();
/// assert_eq!(state.player(), 1);
/// ```
pub struct State {
    pub(super) rules: Rules,
    pub(super) frontier: Frontier,
    pub(super) features: Features,
    pub(super) scoring: Scoring,
    pub(super) bag: Bag,
    hand: Option<TileKind>,
    player: u8,
    hands: Meeples,
    /// Copies of each kind on the board, which number the next.
    laid: [u8; MAX_KINDS],
    turns: [Turn; MAX_TURNS],
    turn_count: u8,
}

/// What became of a drawn tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawn {
    /// It fits somewhere and is in hand.
    InHand,
    /// It fits nowhere and was set aside by the rule in force; the same player draws again.
    SetAside,
}

impl Clone for State {
    /// A plain copy of the whole value.
    #[inline]
    fn clone(&self) -> State {
        State {
            frontier: self.frontier.clone(),
            features: self.features.clone(),
            scoring: self.scoring.clone(),
            bag: self.bag.clone(),
            ..*self
        }
    }

    /// Copies only what is in use.
    #[inline]
    fn clone_from(&mut self, other: &State) {
        self.rules = other.rules;
        self.frontier.copy_from(&other.frontier);
        self.features.copy_from(&other.features);
        self.scoring.clone_from(&other.scoring);
        self.bag.clone_from(&other.bag);
        self.hand = other.hand;
        self.player = other.player;
        self.hands = other.hands;
        self.laid = other.laid;
        self.turns = other.turns;
        self.turn_count = other.turn_count;
    }
}

impl State {
    /// The start of a game: the start tile lies at (0, 0), nothing is drawn.
    pub fn new(rules: Rules) -> State {
        let mut state = State::blank(rules);
        let start = rules.tiles.start;
        let slot = state.frontier.open_first();
        let laying = state.join(slot, start, 0);
        state.frontier.lay(slot, rules.tiles.shape(start), 0, &laying.ids.table());
        state.bag = Bag::full(rules.tiles);
        state
    }

    /// A board without any tile.
    fn blank(rules: Rules) -> State {
        let nothing = Turn { tile: TileKind(0), action: Move { cell: Cell::default(), rotation: 0, meeple: None } };
        State {
            bag: Bag::empty(),
            rules,
            frontier: Frontier::new(),
            features: Features::new(),
            scoring: Scoring::new(),
            hand: None,
            player: 0,
            hands: Meeples::each(MEEPLES),
            laid: [0; MAX_KINDS],
            turns: [nothing; MAX_TURNS],
            turn_count: 0,
        }
    }

    /// The rules of this game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The seat that is to draw and play, from 0.
    #[inline]
    pub fn player(&self) -> usize {
        usize::from(self.player)
    }

    /// The tile in hand.
    #[inline]
    pub fn hand(&self) -> Option<TileKind> {
        self.hand
    }

    /// Meeples in hand, by seat; seats beyond the game's hold as many as at the start.
    pub fn meeples_left(&self) -> [u8; MAX_SEATS] {
        self.hands.by_seat()
    }

    /// Whether the player has a meeple in hand.
    #[inline]
    pub(super) fn has_meeple(&self) -> bool {
        self.hands.of(self.player) > 0
    }

    /// The turns so far, the start tile left out.
    pub fn turns(&self) -> &[Turn] {
        &self.turns[..usize::from(self.turn_count)]
    }

    /// The meeples on the board: the turn (from 0) that put each there, and its seat.
    pub fn standing_meeples(&self) -> Vec<(usize, usize)> {
        let mut claims = self.scoring.claims();
        let mut standing = Vec::new();
        for (number, turn) in self.turns().iter().enumerate() {
            let Some(spot) = turn.action.meeple else { continue };
            let stands = match self.rules.tiles.parts(turn.tile)[spot.index()].kind() {
                FeatureKind::Monastery => self.scoring.has_monk(turn.action.cell),
                _ => claims.next().is_some_and(|id| self.features.root(self.features.find(id)).is_claimed()),
            };
            if stands {
                standing.push((number, number % usize::from(self.rules.seats)));
            }
        }
        standing
    }

    /// Tiles not yet drawn.
    pub fn tiles_left(&self) -> u8 {
        self.bag.len()
    }

    /// The tiles not yet drawn, those at the bottom included, in no particular order.
    pub fn remaining(&self) -> impl Iterator<Item = TileKind> {
        let counts = self.bag.all_counts();
        (0..MAX_KINDS as u8).map(TileKind).flat_map(move |kind| std::iter::repeat_n(kind, counts[kind.index()].into()))
    }

    /// Whether nothing can be drawn any more and no tile is in hand.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.hand.is_none()
            && match self.rules.unplaceable {
                Unplaceable::Discard => self.bag.len() == 0,
                Unplaceable::Bottom => self.bag.shuffled_len() == 0 && !self.fits_any(&self.bag.all_counts()),
                Unplaceable::Return => !self.fits_any(&self.bag.counts()),
            }
    }

    fn fits_any(&self, counts: &[u8; MAX_KINDS]) -> bool {
        (0..MAX_KINDS as u8).any(|kind| counts[usize::from(kind)] > 0 && self.fits(TileKind(kind)).count > 0)
    }

    /// What can be drawn, each kind with the number of copies: its chance is that number over their sum. Empty when a
    /// tile is in hand or the game is over. A kind that fits nowhere is listed where drawing it changes the bag.
    pub fn draw_outcomes(&self) -> impl Iterator<Item = (TileKind, u8)> {
        let counts = if self.hand.is_some() || self.is_over() { [0; MAX_KINDS] } else { self.bag.counts() };
        let returned = self.rules.unplaceable == Unplaceable::Return;
        (0..MAX_KINDS as u8)
            .map(TileKind)
            .zip(counts)
            .filter(move |(kind, count)| *count > 0 && (!returned || self.fits(*kind).count > 0))
    }

    /// Draws a tile of this kind, or sets it aside where it fits nowhere.
    ///
    /// # Errors
    /// If a tile is in hand or none of this kind can come next; the state is as it was.
    pub fn draw(&mut self, kind: TileKind) -> Result<Drawn, IllegalDraw> {
        if self.hand.is_some() {
            return Err(IllegalDraw::InHand);
        }
        if !self.bag.take(kind) {
            return Err(IllegalDraw::NotInBag);
        }
        Ok(self.receive(kind, self.fits(kind).count > 0))
    }

    /// Draws a tile at random, each of those that may come next equally likely. The game must not be over.
    #[inline]
    pub(super) fn draw_random(&mut self, rng: &mut impl Rng) -> TileKind {
        loop {
            let (kind, fits) = self.take_random(&mut Dice::roll(rng));
            let drawn = self.receive(kind, fits.count > 0);
            // What is returned to the bag leaves everything as it was, and is drawn again.
            if drawn == Drawn::InHand || self.rules.unplaceable != Unplaceable::Return {
                return kind;
            }
        }
    }

    /// Takes one of the tiles that may come next out of the bag, and says where it fits.
    #[inline]
    pub(super) fn take_random(&mut self, dice: &mut Dice) -> (TileKind, Fits) {
        let kind = match self.bag.shuffled_len() {
            0 => self.bag.take_bottom().expect("the game is not over"),
            tiles => self.bag.take_nth(dice.below(tiles.into()) as usize),
        };
        (kind, self.fits(kind))
    }

    /// Takes a tile that left the bag in hand, or sets it aside.
    #[inline]
    pub(super) fn receive(&mut self, kind: TileKind, fits: bool) -> Drawn {
        if fits {
            self.hand = Some(kind);
            return Drawn::InHand;
        }
        match self.rules.unplaceable {
            Unplaceable::Discard => {}
            Unplaceable::Bottom => self.bag.put_below(kind),
            Unplaceable::Return => self.bag.put_back(kind),
        }
        Drawn::SetAside
    }

    /// Where a tile of this kind fits.
    #[inline]
    pub(super) fn fits(&self, kind: TileKind) -> Fits {
        self.frontier.fits(self.rules.tiles.shape(kind))
    }

    /// The number of distinct (cell, orientation) pairs at which a tile of this kind fits.
    pub fn placement_count(&self, kind: TileKind) -> u32 {
        self.fits(kind).count
    }

    /// All legal moves with the tile in hand; none without one.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.legal_moves_into(&mut moves);
        moves
    }

    /// Fills `moves` with all legal moves: cell by cell, each rotation, first without a meeple and then by part.
    pub fn legal_moves_into(&self, moves: &mut Vec<Move>) {
        moves.clear();
        let Some(kind) = self.hand else { return };
        let shape = self.rules.tiles.shape(kind);
        let has_meeple = self.has_meeple();
        for (slot, rotations) in self.fits(kind).slots() {
            let cell = self.frontier.cell(slot);
            let claimed = if has_meeple { self.claimed_ports(slot) } else { 0 };
            for rotation in bits::ones(rotations.into()).map(|rotation| rotation as u8) {
                moves.push(Move { cell, rotation, meeple: None });
                if has_meeple {
                    let taken = if claimed == 0 { 0 } else { self.claimed_parts(slot, shape, rotation, claimed) };
                    let free = ((1 << shape.part_count) - 1) & !taken;
                    let meeples = bits::ones(free.into()).map(|part| Some(Spot::part(part as u8)));
                    moves.extend(meeples.map(|meeple| Move { cell, rotation, meeple }));
                }
            }
        }
    }

    /// The ports of an open slot beyond which the feature holds a meeple.
    #[inline]
    fn claimed_ports(&self, slot: u8) -> u16 {
        let met = self.frontier.met(slot);
        let claimed = |(port, id): (usize, &u8)| u16::from(self.features.root(*id).is_claimed()) << port;
        met.iter().enumerate().map(claimed).fold(0, |set, port| set | port)
    }

    /// The parts, as a set, of a tile laid so that would belong to a feature with a meeple. A part may get there by way of
    /// another part: the tile merges what its parts meet.
    #[inline]
    fn claimed_parts(&self, slot: u8, shape: &Shape, rotation: u8, claimed_ports: u16) -> u32 {
        let met = self.frontier.met(slot);
        let joined = !bits::places_of(met, 0);
        let mut claimed = claimed_ports;
        loop {
            let (mut parts, mut touched) = (0, 0);
            for (part, index) in shape.parts[..usize::from(shape.edged)].iter().zip(0..) {
                let joins = part.joins(rotation) & joined;
                if joins & claimed != 0 {
                    parts |= 1 << index;
                    touched |= joins;
                }
            }
            let further = touched & !claimed;
            if further == 0 {
                return parts;
            }
            claimed = bits::ones(further.into())
                .fold(claimed, |set, port| set | bits::places_of(met, met[port as usize % 16]));
        }
    }

    /// Whether a part of a tile laid so would belong to a feature without a meeple.
    #[inline]
    pub(super) fn is_free(&self, slot: u8, shape: &Shape, part: usize, rotation: u8) -> bool {
        let met = self.frontier.met(slot);
        let part_ports = shape.parts()[part].ports(rotation);
        let mut shared = false;
        for port in bits::ones(shape.parts()[part].joins(rotation).into()) {
            let id = met[port as usize % 16];
            // Where there is no neighbour the id is 0, which holds nothing.
            if self.features.root(id).is_claimed() {
                return false;
            }
            shared |= id != 0 && bits::places_of(met, id) & !part_ports != 0;
        }
        !shared || self.claimed_parts(slot, shape, rotation, self.claimed_ports(slot)) >> part & 1 == 0
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If the move is not legal; the state is as it was.
    pub fn play(&mut self, action: Move) -> Result<(), IllegalMove> {
        self.check(action)?;
        self.play_legal(action, &mut ());
        Ok(())
    }

    /// Whether a move is legal, and if not, why.
    ///
    /// # Errors
    /// The first rule that the move breaks.
    pub fn check(&self, action: Move) -> Result<(), IllegalMove> {
        let kind = self.hand.ok_or(IllegalMove::NoTile)?;
        let shape = self.rules.tiles.shape(kind);
        let slot = self.frontier.slot(action.cell).ok_or(IllegalMove::NotOpen)?;
        if action.rotation >= shape.orientations {
            return Err(IllegalMove::Orientation);
        }
        if !self.frontier.allows(slot, shape, action.rotation) {
            return Err(IllegalMove::Clash);
        }
        let Some(spot) = action.meeple else { return Ok(()) };
        if spot.index() >= shape.parts().len() {
            return Err(IllegalMove::NoSuchPart);
        }
        if !self.has_meeple() {
            return Err(IllegalMove::NoMeepleLeft);
        }
        if !self.is_free(slot, shape, spot.index(), action.rotation) {
            return Err(IllegalMove::Claimed);
        }
        Ok(())
    }

    /// Plays a move that is known to be legal, and tells the witness what it scored. An illegal one is caught in debug
    /// builds; in release builds it leaves a board against the rules, or a panic.
    #[inline]
    pub fn play_legal(&mut self, action: Move, witness: &mut impl Witness) {
        debug_assert_eq!(self.check(action), Ok(()));
        let (Some(kind), Some(slot)) = (self.hand, self.frontier.slot(action.cell)) else {
            unreachable!("a legal move has a tile in hand and an open cell")
        };
        let laying = self.join(slot, kind, action.rotation);
        self.lay(laying, action.meeple, witness);
    }

    /// Joins the tile's parts to the features around the slot.
    #[inline(always)]
    pub(super) fn join(&mut self, slot: u8, kind: TileKind, rotation: u8) -> Laying {
        let copy = self.laid[kind.index() % MAX_KINDS];
        self.laid[kind.index() % MAX_KINDS] = copy + 1;
        let place = Place::of(&self.frontier, slot, rotation);
        let frontier = &mut self.frontier;
        join(&mut self.features, &self.rules, place, kind, copy, |from, to| frontier.relabel(from, to))
    }

    /// The parts, as a set, of a joined tile that the player may put a meeple on.
    #[inline]
    pub(super) fn free_parts(&self, laying: &Laying) -> u32 {
        let shape = self.rules.tiles.shape(laying.kind);
        let parts = if self.has_meeple() { (1 << shape.part_count) - 1 } else { 0 };
        laying.free & parts
    }

    /// Ends the turn of a joined tile: meeple, scores, frontier, next player.
    #[inline(always)]
    pub(super) fn lay(&mut self, laying: Laying, meeple: Option<Spot>, witness: &mut impl Witness) {
        let Place { slot, rotation, .. } = laying.place;
        let (kind, shape) = (laying.kind, self.rules.tiles.shape(laying.kind));
        let cell = self.frontier.cell(slot);
        let accounts = Accounts { features: &mut self.features, scoring: &mut self.scoring, hands: &mut self.hands };
        let put_out = meeple.map(|spot| (spot, self.player));
        accounts.settle(&self.rules, &laying, put_out, (cell, || self.frontier.tiles_around(cell)), witness);
        self.frontier.lay(slot, shape, rotation, &laying.ids.table());
        self.turns[usize::from(self.turn_count)] = Turn { tile: kind, action: Move { cell, rotation, meeple } };
        self.turn_count += 1;
        self.hand = None;
        self.player = if self.player + 1 == self.rules.seats { 0 } else { self.player + 1 };
    }

    /// The virtual scores after a legal move. They are worked out in `scratch`, where only what bears on them is written, at a
    /// fraction of the cost of a whole turn: that is no position afterwards, and has to be overwritten by
    /// [`clone_from`](Clone::clone_from).
    #[inline]
    pub(super) fn virtual_scores_after(&self, action: Move, scratch: &mut State) -> [u16; MAX_SEATS] {
        debug_assert_eq!(self.check(action), Ok(()));
        let (Some(kind), Some(slot)) = (self.hand, self.frontier.slot(action.cell)) else {
            unreachable!("a legal move has a tile in hand and an open cell")
        };
        scratch.rules = self.rules;
        scratch.features.copy_from(&self.features);
        scratch.scoring.clone_from(&self.scoring);
        scratch.hands = self.hands;
        let place = Place::of(&self.frontier, slot, action.rotation);
        let copy = self.laid[kind.index() % MAX_KINDS];
        let laying = join(&mut scratch.features, &self.rules, place, kind, copy, |_, _| ());
        let around = || self.frontier.tiles_around(action.cell);
        let State { features, scoring, hands, .. } = scratch;
        let meeple = action.meeple.map(|spot| (spot, self.player));
        Accounts { features, scoring, hands }.settle(&self.rules, &laying, meeple, (action.cell, around), &mut ());
        scratch.virtual_scores()
    }

    /// Points banked so far, by seat.
    pub fn scores(&self) -> &[u16] {
        &self.scoring.points()[..usize::from(self.rules.seats)]
    }

    /// What every standing meeple would bring if the game ended now: the awards of the end of the game.
    pub fn standing_awards(&self) -> Vec<Award> {
        let mut awards = Vec::new();
        self.each_standing_award(|award| awards.push(award));
        awards
    }

    /// Tells of each of the [`standing_awards`](State::standing_awards).
    #[inline]
    pub(super) fn each_standing_award(&self, told: impl FnMut(Award)) {
        self.scoring.score_standing(&self.rules, &self.features, told);
    }

    /// The virtual scores: what each seat would have if the game ended now. At the end they are the final scores.
    pub fn virtual_scores(&self) -> [u16; MAX_SEATS] {
        let mut scores = *self.scoring.points();
        self.scoring.score_standing(&self.rules, &self.features, |award| award.pay(&mut scores));
        scores
    }
}
