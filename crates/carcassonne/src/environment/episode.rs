//! A game, decision by decision.

use super::numbering::{NumberedDecision, Numbering, slot};
use super::window::Window;
use crate::notation::{Event, Transcript};
use crate::rules::{
    Award, Cell, Deployment, DrawResult, Edition, Figure, IllegalDraw, MAX_SEATS, Move, PlayoutPolicy, Rules,
    ScoreObserver, SegmentId, State, TileDeck, TileKind,
};
use evouct_base::sampling::below;
use evouct_base::seed::Key;
use rand::Rng;

/// The next decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Phase {
    /// Where the tile in hand goes.
    Tile,
    /// What happens with a figure. The tile in hand has a place already.
    Figure,
    /// Which tile is drawn: chance decides. Only in an [open](Episode::open) episode.
    Draw,
    /// Nothing: the game is over, or the window is too small for it.
    End,
}

/// A figure on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The cell of its tile.
    pub cell: Cell,
    /// Seat that owns it, from 0.
    pub seat: u8,
    /// The kind of figure.
    pub figure: Figure,
    /// Where it stands on the tile: see [`slot`].
    pub slot: u8,
}

/// Notes whether figures returned to their seats.
struct Returned(bool);

impl ScoreObserver for Returned {
    fn award(&mut self, _: Award) {
        self.0 = true;
    }
}

/// The seed of episode number `n` (from 0) of an environment that was reset with this seed.
pub fn episode_seed(seed: u64, n: u64) -> u64 {
    if n == 0 { seed } else { Key::experiment(seed).named("episode", n).stream().next_u64() >> 1 }
}

/// The result of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepResult {
    /// The game is over.
    pub terminated: bool,
    /// The tiles do not fit into the window any more; the game is not over.
    pub truncated: bool,
}

/// A decision that the rules do not allow here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalDecision {
    /// There is no decision with this number.
    #[error("there is no decision {0}; the highest is {1}")]
    Unknown(i64, usize),
    /// The decision is not among the legal ones.
    #[error("decision {0} ({1}) is not legal here")]
    Illegal(usize, NumberedDecision),
    /// The episode is over.
    #[error("the episode is over; begin another one")]
    Over,
}

/// A game in progress, with the deck to come.
#[derive(Clone)]
pub struct Episode<E: Edition> {
    state: State<E>,
    /// The tiles to come; none if chance is decided from outside.
    deck: Option<TileDeck>,
    window: Window,
    /// The figures on the board, in the order of the turns that placed them.
    standing: Vec<Standing>,
    /// For each of them the number of its claim; none on a monastery or garden.
    claims: Vec<Option<u8>>,
    /// The tiles that fitted nowhere, each with the number of turns before it.
    set_aside: Vec<(u8, TileKind)>,
    /// The cell and rotation of the tile in hand, once they are decided.
    placed: Option<(Cell, u8)>,
    phase: Phase,
}

impl<E: Edition> Episode<E> {
    /// A game by these rules on the deck that `evouct play --seed SEED` deals, seen through a window of this width.
    ///
    /// # Panics
    /// If the rules need expansions and the edition has none.
    pub fn new(rules: Rules, seed: u64, width: u8) -> Episode<E> {
        Episode::on_deck(rules, Some(TileDeck::shuffled(&rules, Key::experiment(seed).deck(1))), width)
    }

    /// A game in which the tiles come in this order.
    ///
    /// # Errors
    /// If they are not the tiles of these rules, or the river does not come first and end with the lake.
    ///
    /// # Panics
    /// As [`new`](Episode::new).
    pub fn in_order(rules: Rules, tiles: &[TileKind], width: u8) -> Result<Episode<E>, IllegalDraw> {
        let mut sorted = tiles.to_vec();
        sorted.sort_unstable();
        let mut bag: Vec<TileKind> = State::<E>::start(rules).remaining().collect();
        bag.sort_unstable();
        if bag != sorted || rules.tiles.split(tiles.iter().copied()).concat() != tiles {
            return Err(IllegalDraw::NotInBag);
        }
        Ok(Episode::on_deck(rules, Some(TileDeck::in_order(tiles, Key::experiment(0).deck(1))), width))
    }

    /// A game in which chance is decided from outside, by [`draw`](Episode::draw).
    ///
    /// # Panics
    /// As [`new`](Episode::new).
    pub fn open(rules: Rules, width: u8) -> Episode<E> {
        Episode::on_deck(rules, None, width)
    }

    /// The same position, in which chance is decided from outside from now on: the tiles to come are not known.
    #[must_use]
    pub fn opened(&self) -> Episode<E> {
        Episode { deck: None, ..self.clone() }
    }

    fn on_deck(rules: Rules, deck: Option<TileDeck>, width: u8) -> Episode<E> {
        let mut episode = Episode {
            state: State::start(rules),
            deck,
            window: Window::new(width),
            standing: Vec::new(),
            claims: Vec::new(),
            set_aside: Vec::new(),
            placed: None,
            phase: Phase::End,
        };
        episode.deal();
        episode
    }

    /// Draws the next tile that fits, or waits for chance.
    fn deal(&mut self) {
        self.phase = Phase::End;
        if self.deck.is_none() && !self.state.is_over() && self.window.holds_all() {
            self.phase = Phase::Draw;
        }
        let Some(deck) = &mut self.deck else { return };
        while !self.state.is_over() {
            match deck.deal(&mut self.state) {
                Some((_, DrawResult::InHand)) => {
                    self.phase = if self.window.holds_all() { Phase::Tile } else { Phase::End };
                    return;
                }
                Some((tile, DrawResult::SetAside)) => self.set_aside.push((self.state.turns().len() as u8, tile)),
                None => return,
            }
        }
    }

    /// Draws a tile of this kind in an [open](Episode::open) episode. A tile that fits nowhere is treated as the rules
    /// say, and chance decides again.
    ///
    /// # Errors
    /// If no tile is drawn now, or none of this kind can come next; the episode does not change.
    pub fn draw(&mut self, kind: TileKind) -> Result<StepResult, IllegalDraw> {
        if self.phase != Phase::Draw {
            return Err(IllegalDraw::InHand);
        }
        match self.state.draw(kind)? {
            DrawResult::InHand => self.phase = Phase::Tile,
            DrawResult::SetAside => {
                self.set_aside.push((self.state.turns().len() as u8, kind));
                self.deal();
            }
        }
        Ok(self.stepped())
    }

    fn stepped(&self) -> StepResult {
        StepResult { terminated: self.is_terminated(), truncated: self.is_truncated() }
    }

    /// Whether the game is over.
    pub fn is_terminated(&self) -> bool {
        self.phase == Phase::End && self.state.is_over()
    }

    /// Whether the episode ended before the game, because the window is too small.
    pub fn is_truncated(&self) -> bool {
        self.phase == Phase::End && !self.state.is_over()
    }

    /// The figures on the board, in the order of the turns that placed them.
    pub fn standing(&self) -> &[Standing] {
        &self.standing
    }

    /// The cell of the tile that was placed last, the one that a figure is decided for included.
    pub fn last_cell(&self) -> Option<Cell> {
        self.placed.map(|(cell, _)| cell).or_else(|| Some(self.state.turns().last()?.action.cell))
    }

    /// The game so far. While a figure is decided the tile is in hand.
    pub fn transcript(&self) -> Transcript {
        let mut set_aside = self.set_aside.iter().peekable();
        let mut events = Vec::new();
        for (number, turn) in self.state.turns().iter().enumerate() {
            while let Some((_, tile)) = set_aside.next_if(|(before, _)| usize::from(*before) <= number) {
                events.push(Event::SetAside(*tile));
            }
            events.push(Event::Turn(*turn));
        }
        events.extend(set_aside.map(|(_, tile)| Event::SetAside(*tile)));
        Transcript { rules: *self.state.rules(), events, hand: self.state.hand(), scores: None }
    }

    /// The tiles to come: those of the deck, or in an [open](Episode::open) episode a random order of the bag.
    pub fn upcoming(&self, rng: &mut impl Rng) -> TileDeck {
        self.deck.clone().unwrap_or_else(|| TileDeck::of_remaining(&self.state, rng))
    }

    /// Plays the rest of the game at random, chance included, and returns the final scores by seat.
    pub fn playout(&self, rng: &mut impl Rng) -> [u16; MAX_SEATS] {
        let mut state = self.state.clone();
        if let Some((cell, rotation)) = self.placed {
            let mut figures = vec![None];
            self.state.each_deployment(cell, rotation, |deployment| figures.push(Some(deployment)));
            let meeple = figures[below(rng, figures.len())];
            state.play_legal(Move { cell, rotation, meeple }, &mut ());
        }
        state.playout(PlayoutPolicy::Joint, rng)
    }

    /// The numbers of the two decisions that are this move. Its tile is in hand and fits into the window.
    pub fn decisions(&self, action: Move) -> Option<[usize; 2]> {
        let (x, y) = self.window.place(action.cell)?;
        let numbering = self.numbering();
        self.state.hand()?;
        let figure =
            action.meeple.map_or(NumberedDecision::NoFigure, |figure| self.decision_of(figure, action.rotation));
        Some(
            [NumberedDecision::Place { x, y, rotation: action.rotation }, figure]
                .map(|decision| numbering.number(decision)),
        )
    }

    /// The position. While a figure is decided it is that before the tile was placed.
    pub fn state(&self) -> &State<E> {
        &self.state
    }

    /// The cells that observations show, centred on the tiles.
    pub fn window(&self) -> &Window {
        &self.window
    }

    /// The numbering of decisions.
    pub fn numbering(&self) -> Numbering {
        Numbering { width: self.window.width() }
    }

    /// The next decision.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The cell and rotation that were decided for the tile in hand.
    pub fn placed(&self) -> Option<(Cell, u8)> {
        self.placed
    }

    /// Calls `visit` with the number of each legal decision, each once, in the order of the legal moves.
    pub fn each_legal(&self, mut visit: impl FnMut(usize)) {
        let numbering = self.numbering();
        match (self.phase, self.placed) {
            (Phase::Tile, _) => self.state.each_placement(|cell, rotations| {
                let Some((x, y)) = self.window.place(cell) else { return };
                for rotation in (0..4).filter(|rotation| rotations >> rotation & 1 == 1) {
                    visit(numbering.number(NumberedDecision::Place { x, y, rotation }));
                }
            }),
            (Phase::Figure, Some((cell, rotation))) => {
                visit(numbering.number(NumberedDecision::NoFigure));
                self.state.each_deployment(cell, rotation, |deployment| {
                    visit(numbering.number(self.decision_of(deployment, rotation)));
                });
            }
            _ => {}
        }
    }

    /// Calls `visit` with each cell of the window where the tile in hand may go, by its place by rows, and the set of
    /// rotations in which it may: the decisions of [`each_legal`](Episode::each_legal) for a tile, in the same order.
    #[inline]
    pub(super) fn each_placement(&self, mut visit: impl FnMut(usize, u8)) {
        self.state.each_placement(|cell, rotations| {
            if let Some((x, y)) = self.window.place(cell) {
                visit(y * self.window.width() + x, rotations);
            }
        });
    }

    /// Asks for the memory that this decision will read, in two steps: [`prefetch_features`](Episode::prefetch_features)
    /// comes later.
    #[inline]
    pub(super) fn prefetch_board(&self, number: usize) {
        if let Some(cell) = self.cell_of(number) {
            self.state.prefetch_board(cell);
        }
    }

    /// Asks for the features that this decision will read.
    #[inline]
    pub(super) fn prefetch_features(&self, number: usize) {
        if let Some(cell) = self.cell_of(number) {
            self.state.prefetch_features(cell, self.placed.is_some());
        }
    }

    /// The cell of a tile that is placed, or of the tile whose figure is decided.
    #[inline]
    fn cell_of(&self, number: usize) -> Option<Cell> {
        let (place, width) = (number / 4, self.window.width());
        self.placed.map(|(cell, _)| cell).or_else(|| self.window.cell(place % width, place / width))
    }

    /// The numbers of the legal decisions.
    pub fn legal(&self) -> Vec<usize> {
        let mut legal = Vec::new();
        self.each_legal(|number| legal.push(number));
        legal
    }

    fn decision_of(&self, deployment: Deployment, rotation: u8) -> NumberedDecision {
        let tile = self.state.hand().expect("a tile is in hand while a figure is decided");
        match deployment.segment() {
            None => NumberedDecision::Recall,
            Some(segment) => {
                let segments = self.state.rules().tiles.segments(tile);
                NumberedDecision::Figure {
                    figure: deployment.figure(),
                    slot: slot(&segments[segment.index()], rotation),
                }
            }
        }
    }

    /// The segment of the tile in hand with this slot.
    fn segment_at(&self, place: usize, rotation: u8) -> Option<SegmentId> {
        let segments = self.state.rules().tiles.segments(self.state.hand()?);
        let found = segments.iter().position(|segment| slot(segment, rotation) == place)?;
        Some(SegmentId::new(found as u8))
    }

    /// Takes a decision.
    ///
    /// # Errors
    /// If it is not legal; the episode does not change.
    pub fn step(&mut self, number: usize) -> Result<StepResult, IllegalDecision> {
        let numbering = self.numbering();
        let unknown = || IllegalDecision::Unknown(i64::try_from(number).unwrap_or(i64::MAX), numbering.count() - 1);
        let decision = numbering.decision(number).ok_or_else(unknown)?;
        let illegal = IllegalDecision::Illegal(number, decision);
        let action = match (self.phase, decision, self.placed) {
            (Phase::End, ..) => return Err(IllegalDecision::Over),
            (Phase::Tile, NumberedDecision::Place { x, y, rotation }, _) => {
                let cell = self.window.cell(x, y).ok_or(illegal)?;
                self.state.check(Move { cell, rotation, meeple: None }).map_err(|_| illegal)?;
                (self.placed, self.phase) = (Some((cell, rotation)), Phase::Figure);
                return Ok(StepResult { terminated: false, truncated: false });
            }
            (Phase::Figure, NumberedDecision::NoFigure, Some((cell, rotation))) => {
                Move { cell, rotation, meeple: None }
            }
            (Phase::Figure, NumberedDecision::Figure { figure, slot }, Some((cell, rotation))) => {
                let segment = self.segment_at(slot, rotation).ok_or(illegal)?;
                let action = Move { cell, rotation, meeple: Some(Deployment::new(figure, segment)) };
                self.state.check(action).map_err(|_| illegal)?;
                action
            }
            (Phase::Figure, NumberedDecision::Recall, Some((cell, rotation))) => {
                let action = Move { cell, rotation, meeple: Some(Deployment::RECALL) };
                self.state.check(action).map_err(|_| illegal)?;
                action
            }
            _ => return Err(illegal),
        };
        let mut returned = Returned(false);
        self.note(action);
        self.state.play_legal(action, &mut returned);
        if returned.0 {
            self.keep_standing();
        }
        self.placed = None;
        self.window.include(action.cell);
        self.deal();
        Ok(self.stepped())
    }

    /// Notes the figure of a move that is about to be played.
    fn note(&mut self, action: Move) {
        if let (Some(deployment), Some(tile)) = (action.meeple, self.state.hand())
            && let Some(segment) = deployment.segment()
        {
            let segment = &self.state.rules().tiles.segments(tile)[segment.index()];
            let place = slot(segment, action.rotation) as u8;
            let claim = (!segment.kind().is_at_centre()).then(|| self.state.claim_count() as u8);
            self.claims.push(claim);
            let seat = self.state.player() as u8;
            self.standing.push(Standing { cell: action.cell, seat, figure: deployment.figure(), slot: place });
        }
    }

    /// Forgets the figures that have returned to their seats.
    fn keep_standing(&mut self) {
        let mut kept = 0;
        for place in 0..self.standing.len() {
            let (figure, claim) = (self.standing[place], self.claims[place]);
            let stands = match claim {
                Some(claim) => self.state.is_claim_standing(claim.into()),
                None => self.state.has_figure_at_centre(figure.cell),
            };
            if stands {
                (self.standing[kept], self.claims[kept]) = (figure, claim);
                kept += 1;
            }
        }
        self.standing.truncate(kept);
        self.claims.truncate(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Base, Expanded, Expansions, TileSet};

    /// All rules of the tests: the base game, and all expansions.
    fn rules() -> [Rules; 2] {
        let all = Rules { tiles: TileSet::of(Expansions::all_sets().last().unwrap(), false), ..Rules::official(3) };
        [Rules::official(2), all]
    }

    /// Plays random decisions; `look` sees every position.
    fn played<E: Edition>(rules: Rules, seed: u64, width: u8, mut look: impl FnMut(&Episode<E>)) -> Episode<E> {
        let mut rng = Key::experiment(seed).stream();
        let mut episode = Episode::<E>::new(rules, seed, width);
        while episode.phase() != Phase::End {
            look(&episode);
            let legal = episode.legal();
            let stepped = episode.step(legal[below(&mut rng, legal.len())]).unwrap();
            assert_eq!(stepped.terminated || stepped.truncated, episode.phase() == Phase::End);
        }
        episode
    }

    /// Decisions for a tile and a figure together are the legal moves.
    fn moves_agree<E: Edition>(rules: Rules) {
        for seed in 1..=3 {
            let episode = played::<E>(rules, seed, 41, |episode| {
                if episode.phase() != Phase::Tile {
                    return;
                }
                let mut found = Vec::new();
                for placement in episode.legal() {
                    let mut after = episode.clone();
                    after.step(placement).unwrap();
                    let (cell, rotation) = after.placed().unwrap();
                    found.push(Move { cell, rotation, meeple: None });
                    after.state().each_deployment(cell, rotation, |deployment| {
                        found.push(Move { cell, rotation, meeple: Some(deployment) });
                    });
                    let mut legal = after.legal();
                    let count = legal.len();
                    legal.sort_unstable();
                    legal.dedup();
                    assert_eq!(legal.len(), count, "two figures have the same number");
                }
                assert_eq!(found, episode.state().legal_moves());
            });
            assert!(episode.state().is_over());
        }
    }

    #[test]
    fn two_decisions_are_a_legal_move() {
        let [base, all] = rules();
        moves_agree::<Base>(base);
        moves_agree::<Expanded>(base);
        moves_agree::<Expanded>(all);
    }

    #[test]
    fn wrong_decisions_change_nothing() {
        let mut episode = Episode::<Base>::new(Rules::official(2), 1, 25);
        let legal = episode.legal();
        let count = episode.numbering().count();
        for number in (0..count).filter(|number| !legal.contains(number)) {
            assert!(matches!(episode.step(number), Err(IllegalDecision::Illegal(found, _)) if found == number));
        }
        assert_eq!(episode.step(count), Err(IllegalDecision::Unknown(count as i64, count - 1)));
        assert_eq!((episode.legal(), episode.phase()), (legal.clone(), Phase::Tile));
        episode.step(legal[0]).unwrap();
        assert!(episode.step(legal[0]).is_err(), "a figure is decided now");
    }

    #[test]
    fn a_window_that_is_too_small_ends_the_episode() {
        let mut shown = Vec::new();
        let mut episode = played::<Base>(Rules::official(2), 1, 9, |episode| shown.push(episode.legal().len()));
        assert!(!episode.state().is_over());
        assert!(shown.iter().all(|legal| *legal > 0));
        assert_eq!(episode.step(0), Err(IllegalDecision::Over));
    }
}
