//! The notation of turns, positions and whole games. Parsing the text gives back the same value.
//!
//! A turn is `J@0,1r1:fNNW`: tile J at x 0, y 1, turned once clockwise, a meeple on the field at the half-edge NNW. A
//! turn without a meeple ends before the colon. The letter of the meeple is `c`ity, `r`oad, `f`ield or `m`onastery.
//! After it comes any side or half-edge of the segment in directions of the board (none after `m`; `C`, the centre, for
//! a field inside the tile). `-C` sets tile C aside, `?C` means that tile C is in hand, `= 57 43` gives the scores. A
//! [`Transcript`] is a sequence of these:
//!
//! ```text
//! [base seats=2 two-tile-city=4 unplaceable=discard] J@0,1r1:fNNW V@1,1r0 -C ?W
//! ```
//!
//! With expansions a `+` after the segment is the big meeple (`:fNNW+`), `:a` is the abbot on the monastery or garden
//! of the tile, and `:-a` takes the abbot back. A tile with a garden ends in `g` (`Eg`). The rules name the expansions
//! after the base game (`[base+river+abbots …]`), and the options that are not at their default: `farmers=false`,
//! `fields=by-city-4`, `river-bends=reserve`, `start-tile=in-bag`, `unfinished-inn-cathedral=1`.

use crate::rules::{
    Base, Cell, Deployment, DrawResult, Edition, FeatureKind, FieldScoring, Figure, IllegalDraw, IllegalMove, Move,
    PlayedTurn, Port, RiverBends, Rules, SegmentId, StartTile, State, TileKind, TileSet, Unplaceable,
};
use evouct_base::named::Named;
use std::fmt;
use std::str::FromStr;

/// An event of a game: a tile was played or set aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A tile was drawn and played.
    Turn(PlayedTurn),
    /// A tile was drawn and set aside, because it fits nowhere.
    SetAside(TileKind),
}

/// A position or a game: the rules and the events in order.
///
/// ```
/// use evouct_carcassonne::Transcript;
/// let text = "[base seats=2 two-tile-city=4 unplaceable=discard] J@0,1r1:fNNW ?V";
/// let transcript: Transcript = text.parse().unwrap();
/// assert_eq!(transcript.to_string(), text);
/// assert_eq!(transcript.replay().unwrap().player(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Transcript {
    /// Options of the game; the text has them in brackets.
    pub rules: Rules,
    /// The events, in order.
    pub events: Vec<Event>,
    /// The tile in hand at the end.
    pub hand: Option<TileKind>,
    /// The scores by seat, if they are recorded.
    pub scores: Option<Vec<u16>>,
}

/// An error in a text: the word and the problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem} in {word:?} (word {number})")]
pub struct NotationError {
    /// The number of the word, from 1. The rules in brackets are word 0.
    pub number: usize,
    /// The word as it was found.
    pub word: String,
    /// What is wrong with it, in words.
    pub problem: String,
}

/// An event or a score that the rules do not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The rules have expansions, and the edition of the position has none.
    #[error("expected the rules of the base game")]
    Edition,
    /// A tile cannot be drawn.
    #[error("event {event}: {error}")]
    Draw {
        /// The number of the event, from 0.
        event: usize,
        /// The rule that is broken.
        error: IllegalDraw,
    },
    /// A move is not legal.
    #[error("event {event}: {error}")]
    Move {
        /// The number of the event, from 0.
        event: usize,
        /// The rule that is broken.
        error: IllegalMove,
    },
    /// A tile that fits is set aside, or a tile that fits nowhere is played.
    #[error("event {event}: the tile {}", if *fits { "fits somewhere and cannot be set aside" } else { "fits nowhere" })]
    Fit {
        /// The number of the event, from 0.
        event: usize,
        /// Whether the tile fits.
        fits: bool,
    },
    /// The recorded scores differ from those of the position.
    #[error("scores {found:?} do not match the recorded {recorded:?}")]
    Scores {
        /// Scores in the text, in points by seat.
        recorded: Vec<u16>,
        /// Scores by the rules, in points by seat.
        found: Vec<u16>,
    },
}

/// Writes a turn: `J@0,1r1:fNNW`.
pub fn write_turn(turn: &PlayedTurn, tiles: &TileSet) -> String {
    let mut text = String::with_capacity(LONG_TURN);
    push_turn(&mut text, turn, tiles);
    text
}

/// Few turns are longer, in bytes.
const LONG_TURN: usize = 16;

/// Adds a turn to a text. A league writes every turn of every game, so nothing is formatted here.
fn push_turn(text: &mut String, turn: &PlayedTurn, tiles: &TileSet) {
    let PlayedTurn { tile, action: Move { cell, rotation, meeple } } = *turn;
    text.push_str(&tiles.kind(tile).name);
    text.push('@');
    push_number(text, cell.x);
    text.push(',');
    push_number(text, cell.y);
    text.push('r');
    text.push(char::from(b'0' + rotation));
    if let Some(deployment) = meeple {
        text.push(':');
        push_deployment(text, deployment, tile, rotation, tiles);
    }
}

fn push_number(text: &mut String, number: i8) {
    if number < 0 {
        text.push('-');
    }
    let number = number.unsigned_abs();
    for power in [100, 10, 1] {
        if number >= power || power == 1 {
            text.push(char::from(b'0' + number / power % 10));
        }
    }
}

/// The abbot on the monastery or garden of the tile.
const ABBOT: &str = "a";
/// The abbot is taken back.
const RECALL: &str = "-a";
/// After the segment of a big meeple.
const BIG: char = '+';

/// Adds what happens with a figure: `fSSE`, `fSSE+` for the big meeple, `a` for the abbot, `-a` where it is taken back.
fn push_deployment(text: &mut String, deployment: Deployment, tile: TileKind, rotation: u8, tiles: &TileSet) {
    match (deployment.segment(), deployment.figure()) {
        (None, _) => text.push_str(RECALL),
        (_, Figure::Abbot) => text.push_str(ABBOT),
        (Some(segment), Figure::Meeple) => push_segment(text, segment, tile, rotation, tiles),
        (Some(segment), Figure::Big) => {
            push_segment(text, segment, tile, rotation, tiles);
            text.push(BIG);
        }
    }
}

/// Writes a segment: `cN`, `rE`, `fSSE`, `m` for a monastery or `g` for a garden.
pub fn write_segment(segment: SegmentId, tile: TileKind, rotation: u8, tiles: &TileSet) -> String {
    let mut text = String::new();
    push_segment(&mut text, segment, tile, rotation, tiles);
    text
}

fn push_segment(text: &mut String, segment: SegmentId, tile: TileKind, rotation: u8, tiles: &TileSet) {
    let segment = &tiles.segments(tile)[segment.index()];
    let kind = segment.kind();
    text.push_str(&kind.name()[..1]);
    if !kind.is_at_centre() {
        text.push_str(segment.first_port(rotation).name());
    }
}

/// The segment of this kind at this port of a tile in this rotation. Any port of the segment is accepted.
pub fn find_segment(tiles: &TileSet, tile: TileKind, rotation: u8, kind: FeatureKind, port: Port) -> Option<SegmentId> {
    let at = |ports: u16| if port == Port::CENTRE { ports == 0 } else { ports & port.bit() != 0 };
    let segments = tiles.segments(tile);
    let index = segments.iter().position(|segment| segment.kind() == kind && at(segment.ports(rotation)))?;
    Some(SegmentId::new(index as u8))
}

/// Parses a turn.
///
/// # Errors
/// The problem, as a phrase.
pub fn parse_turn(text: &str, tiles: &TileSet) -> Result<PlayedTurn, String> {
    let (name, rest) = text.split_once('@').ok_or("expected a turn such as J@0,1r1:fNNW")?;
    let tile = parse_tile(name, tiles)?;
    let (placement, meeple) =
        rest.split_once(':').map_or((rest, None), |(placement, meeple)| (placement, Some(meeple)));
    let (cell, rotation) = placement.split_once('r').ok_or("expected x,y and r with the quarter turns")?;
    let (x, y) = cell.split_once(',').ok_or("expected x,y")?;
    // Connected tiles are no further from the first than their number.
    let furthest = tiles.tiles;
    let coordinate = |text: &str| text.parse::<i8>().ok().filter(|value| value.unsigned_abs() <= furthest);
    let (Some(x), Some(y)) = (coordinate(x), coordinate(y)) else {
        return Err(format!("expected coordinates from -{furthest} to {furthest}"));
    };
    let rotation: u8 = rotation.parse().ok().filter(|r| *r < 4).ok_or("expected 0 to 3 quarter turns")?;
    let meeple = meeple.map(|meeple| parse_meeple(meeple, tile, rotation, tiles)).transpose()?;
    Ok(PlayedTurn { tile, action: Move { cell: Cell { x, y }, rotation, meeple } })
}

fn parse_meeple(text: &str, tile: TileKind, rotation: u8, tiles: &TileSet) -> Result<Deployment, String> {
    if text == RECALL {
        return Ok(Deployment::RECALL);
    }
    if text == ABBOT {
        let at_centre = |kind| find_segment(tiles, tile, rotation, kind, Port::CENTRE);
        let segment = at_centre(FeatureKind::Monastery).or_else(|| at_centre(FeatureKind::Garden));
        let segment = segment.ok_or("the tile has no monastery or garden for the abbot")?;
        return Ok(Deployment::new(Figure::Abbot, segment));
    }
    let (text, figure) = text.strip_suffix(BIG).map_or((text, Figure::Meeple), |text| (text, Figure::Big));
    let letter = text.chars().next().ok_or("expected a meeple such as fSSE")?;
    let kind = FeatureKind::ALL.into_iter().find(|kind| kind.name().starts_with(letter));
    let kind = kind.ok_or("expected c, r, f or m for the meeple")?;
    let port = match (kind.is_at_centre(), &text[1..]) {
        (true, "") => Port::CENTRE,
        (_, port) => Port::parse(port).ok_or("expected a side (N) or half-edge (NNW) for the meeple")?,
    };
    let segment = find_segment(tiles, tile, rotation, kind, port);
    segment
        .map(|segment| Deployment::new(figure, segment))
        .ok_or_else(|| format!("the tile has no {} there", kind.name()))
}

fn parse_tile(name: &str, tiles: &TileSet) -> Result<TileKind, String> {
    tiles.by_name(name).ok_or_else(|| format!("no tile is called {name:?}"))
}

impl Event {
    /// Applies the event to a position. Calls `visit` with the position after the draw and before the move. `event` is
    /// the number of the event, for errors.
    pub(crate) fn apply<E: Edition>(
        &self,
        state: &mut State<E>,
        event: usize,
        visit: &mut impl FnMut(&State<E>),
    ) -> Result<(), ReplayError> {
        let (tile, action) = match *self {
            Event::Turn(turn) => (turn.tile, Some(turn.action)),
            Event::SetAside(tile) => (tile, None),
        };
        let fits = state.draw(tile).map_err(|error| ReplayError::Draw { event, error })? == DrawResult::InHand;
        if fits != action.is_some() {
            return Err(ReplayError::Fit { event, fits });
        }
        if let Some(action) = action {
            visit(state);
            state.play(action).map_err(|error| ReplayError::Move { event, error })?;
        }
        Ok(())
    }
}

impl Transcript {
    /// Plays the events and returns the position, with the tile in hand drawn.
    ///
    /// # Errors
    /// The first event that the rules do not allow, or scores that do not match.
    pub fn replay(&self) -> Result<State, ReplayError> {
        self.replay_with::<Base>(|_| ())
    }

    /// Like [`replay`](Transcript::replay), with the tables of an edition: [`Expanded`](crate::Expanded)
    /// plays any rules. Calls `visit` with each position before a move is played.
    ///
    /// # Errors
    /// Like [`replay`](Transcript::replay).
    pub fn replay_with<E: Edition>(&self, mut visit: impl FnMut(&State<E>)) -> Result<State<E>, ReplayError> {
        if !E::EXPANDED && !self.rules.are_of_the_base_game() {
            return Err(ReplayError::Edition);
        }
        let mut state = State::<E>::start(self.rules);
        for (number, event) in self.events.iter().enumerate() {
            event.apply(&mut state, number, &mut visit)?;
        }
        let event = self.events.len();
        if let Some(tile) = self.hand {
            match state.draw(tile).map_err(|error| ReplayError::Draw { event, error })? {
                DrawResult::InHand => {}
                DrawResult::SetAside => return Err(ReplayError::Fit { event, fits: false }),
            }
        }
        if let Some(recorded) = &self.scores {
            let found = state.virtual_scores()[..usize::from(self.rules.seats)].to_vec();
            if *recorded != found {
                return Err(ReplayError::Scores { recorded: recorded.clone(), found });
            }
        }
        Ok(state)
    }

    /// The events as text, without rules and scores.
    pub fn events_text(events: &[Event], tiles: &TileSet) -> String {
        let mut text = String::with_capacity(LONG_TURN * events.len());
        for event in events {
            if !text.is_empty() {
                text.push(' ');
            }
            match event {
                Event::Turn(turn) => push_turn(&mut text, turn, tiles),
                Event::SetAside(tile) => {
                    text.push('-');
                    text.push_str(&tiles.kind(*tile).name);
                }
            }
        }
        text
    }

    /// Parses events written by [`events_text`](Transcript::events_text).
    ///
    /// # Errors
    /// The first word that is not an event.
    pub fn parse_events(text: &str, tiles: &TileSet) -> Result<Vec<Event>, NotationError> {
        text.split_ascii_whitespace().zip(1..).map(|(word, number)| parse_event(word, number, tiles)).collect()
    }
}

fn parse_event(word: &str, number: usize, tiles: &TileSet) -> Result<Event, NotationError> {
    let event = match word.strip_prefix('-') {
        Some(name) => parse_tile(name, tiles).map(Event::SetAside),
        None => parse_turn(word, tiles).map(Event::Turn),
    };
    event.map_err(|problem| NotationError { number, word: word.to_owned(), problem })
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rules { tiles, seats, two_tile_city, unplaceable, .. } = self.rules;
        let unplaceable = unplaceable.name();
        write!(f, "[{} seats={seats} two-tile-city={two_tile_city} unplaceable={unplaceable}", tiles.name)?;
        let default = Rules::with(tiles, seats);
        if self.rules.farmers != default.farmers {
            write!(f, " farmers={}", self.rules.farmers)?;
        }
        if self.rules.fields != default.fields {
            write!(f, " fields={}", self.rules.fields.name())?;
        }
        if self.rules.river_bends != default.river_bends {
            write!(f, " river-bends={}", self.rules.river_bends.name())?;
        }
        if tiles.start_in_bag {
            write!(f, " start-tile={}", StartTile::InBag.name())?;
        }
        if self.rules.unfinished_inn_cathedral != default.unfinished_inn_cathedral {
            write!(f, " unfinished-inn-cathedral={}", self.rules.unfinished_inn_cathedral)?;
        }
        f.write_str("]")?;
        if !self.events.is_empty() {
            write!(f, " {}", Transcript::events_text(&self.events, tiles))?;
        }
        if let Some(tile) = self.hand {
            write!(f, " ?{}", tiles.kind(tile).name)?;
        }
        if let Some(scores) = &self.scores {
            f.write_str(" =")?;
            scores.iter().try_for_each(|score| write!(f, " {score}"))?;
        }
        Ok(())
    }
}

impl FromStr for Transcript {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Transcript, NotationError> {
        let bracket = |problem: &str| NotationError {
            number: 0,
            word: text.chars().take(60).collect(),
            problem: problem.to_owned(),
        };
        let (rules, rest) = text
            .trim_start()
            .strip_prefix('[')
            .and_then(|text| text.split_once(']'))
            .ok_or_else(|| bracket("expected the rules in brackets"))?;
        let rules = parse_rules(rules)?;
        let mut transcript = Transcript { rules, events: Vec::new(), hand: None, scores: None };
        for (word, number) in rest.split_ascii_whitespace().zip(1..) {
            let wrong = |problem: String| NotationError { number, word: word.to_owned(), problem };
            if let Some(scores) = &mut transcript.scores {
                scores.push(word.parse().map_err(|_| wrong("expected a score".to_owned()))?);
            } else if word == "=" {
                transcript.scores = Some(Vec::new());
            } else if transcript.hand.is_some() {
                return Err(wrong("nothing but scores can follow the tile in hand".to_owned()));
            } else if let Some(name) = word.strip_prefix('?') {
                transcript.hand = Some(parse_tile(name, rules.tiles).map_err(wrong)?);
            } else {
                transcript.events.push(parse_event(word, number, rules.tiles)?);
            }
        }
        Ok(transcript)
    }
}

fn parse_rules(text: &str) -> Result<Rules, NotationError> {
    let mut words = text.split_ascii_whitespace();
    let wrong =
        |word: &str, problem: &str| NotationError { number: 0, word: word.to_owned(), problem: problem.to_owned() };
    let name = words.next().unwrap_or_default();
    let tiles =
        TileSet::named(name).ok_or_else(|| wrong(name, "expected the tile set base or base+river and the like"))?;
    let mut rules = Rules::with(tiles, 2);
    for word in words {
        let number = |text: &str| text.parse::<u8>().map_err(|_| wrong(word, "expected a number"));
        match word.split_once('=') {
            Some(("seats", seats)) => rules.seats = number(seats)?,
            Some(("two-tile-city", points)) => rules.two_tile_city = number(points)?,
            Some(("unplaceable", name)) => {
                let found = Unplaceable::of_name(name);
                rules.unplaceable = found.ok_or_else(|| wrong(word, "expected discard, bottom or return"))?;
            }
            Some(("farmers", farmers)) => {
                rules.farmers = farmers.parse().map_err(|_| wrong(word, "expected true or false"))?;
            }
            Some(("fields", name)) => {
                let found = FieldScoring::of_name(name);
                rules.fields = found.ok_or_else(|| wrong(word, "expected by-field, by-city-3 or by-city-4"))?;
            }
            Some(("river-bends", name)) => {
                let found = RiverBends::of_name(name);
                rules.river_bends = found.ok_or_else(|| wrong(word, "expected no-u-turn, alternate or reserve"))?;
            }
            Some(("start-tile", name)) => {
                let found = StartTile::of_name(name).ok_or_else(|| wrong(word, "expected auto or in-bag"))?;
                rules.tiles = TileSet::of(rules.tiles.expansions, found == StartTile::InBag);
            }
            Some(("unfinished-inn-cathedral", points)) => rules.unfinished_inn_cathedral = number(points)?,
            _ => {
                return Err(wrong(
                    word,
                    "expected seats=, two-tile-city=, unplaceable= or another option of the rules",
                ));
            }
        }
    }
    rules.checked().map_err(|error| wrong(text, &error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Expanded, TileDeck};
    use evouct_base::sampling::below;
    use evouct_base::seed::Key;

    fn random_game(seed: u64, seats: u8, turns: usize) -> (Transcript, State) {
        let fields = if seed.is_multiple_of(2) { FieldScoring::ByField } else { FieldScoring::ByCityFour };
        let rules = Rules { two_tile_city: 2, fields, ..Rules::official(seats) };
        let mut state = State::new(rules);
        let mut deck = TileDeck::shuffled(&rules, Key::experiment(seed));
        let mut rng = Key::experiment(seed).nth(1).stream();
        let mut transcript = Transcript { rules, events: Vec::new(), hand: None, scores: None };
        while let Some((tile, drawn)) = deck.deal(&mut state) {
            if drawn == DrawResult::SetAside {
                transcript.events.push(Event::SetAside(tile));
                continue;
            }
            if transcript.events.len() >= turns {
                transcript.hand = Some(tile);
                break;
            }
            let moves = state.legal_moves();
            let action = moves[below(&mut rng, moves.len())];
            state.play(action).unwrap();
            transcript.events.push(Event::Turn(PlayedTurn { tile, action }));
        }
        transcript.scores = Some(state.virtual_scores()[..usize::from(seats)].to_vec());
        (transcript, state)
    }

    #[test]
    fn games_and_positions_parse_back_from_their_text() {
        let mut set_aside = 0;
        for seed in 0..250 {
            let turns = if seed % 2 == 0 { 100 } else { seed as usize % 71 };
            let (transcript, state) = random_game(seed, 2 + (seed % 4) as u8, turns);
            let text = transcript.to_string();
            set_aside += text.matches(" -").count();
            let parsed: Transcript = text.parse().unwrap();
            assert_eq!(parsed.to_string(), text);
            assert_eq!(parsed.events, transcript.events);
            let replayed = parsed.replay().unwrap();
            assert_eq!((replayed.turns(), replayed.hand()), (state.turns(), transcript.hand));
        }
        assert!(set_aside > 0, "no tile was ever set aside");
    }

    #[test]
    fn games_with_expansions_parse_back_from_their_text() {
        let mut seen = [0; 3];
        for (seed, tiles) in (0..).zip(TileSet::all()) {
            let options = Rules {
                farmers: seed % 3 != 0,
                river_bends: RiverBends::NAMES[seed as usize % 3].1,
                unfinished_inn_cathedral: (seed / 2 % 2) as u8,
                ..Rules::with(tiles, 2 + (seed % 4) as u8)
            };
            let mut state = State::<Expanded>::start(options);
            let mut deck = TileDeck::shuffled(&options, Key::experiment(seed));
            let mut rng = Key::experiment(seed).nth(1).stream();
            let mut transcript = Transcript { rules: options, events: Vec::new(), hand: None, scores: None };
            while let Some((tile, drawn)) = deck.deal(&mut state) {
                if drawn == DrawResult::SetAside {
                    transcript.events.push(Event::SetAside(tile));
                    continue;
                }
                let moves = state.legal_moves();
                // Figures other than meeples are rare, so every second move is one with such a figure, if there is one.
                let other = moves.iter().filter(|m| m.meeple.is_some_and(|meeple| meeple.figure() != Figure::Meeple));
                let others: Vec<_> = other.copied().collect();
                let moves = if others.is_empty() || below(&mut rng, 2) == 0 { moves } else { others };
                let action = moves[below(&mut rng, moves.len())];
                state.play(action).unwrap();
                transcript.events.push(Event::Turn(PlayedTurn { tile, action }));
            }
            transcript.scores = Some(state.virtual_scores()[..usize::from(options.seats)].to_vec());
            let text = transcript.to_string();
            let parsed: Transcript = text.parse().unwrap();
            assert_eq!(parsed.to_string(), text);
            assert_eq!(parsed.events, transcript.events);
            let replayed = parsed.replay_with::<Expanded>(|_| ()).unwrap();
            assert_eq!(replayed.turns(), state.turns());
            for (count, mark) in seen.iter_mut().zip(["+ ", ":a ", ":-a"]) {
                *count += text.matches(mark).count();
            }
            if !options.are_of_the_base_game() {
                assert_eq!(parsed.replay().map(|_| ()).unwrap_err(), ReplayError::Edition);
            }
        }
        assert!(seen.iter().all(|count| *count > 10), "{seen:?}");
    }

    #[test]
    fn any_port_of_a_segment_names_it() {
        let tiles = TileSet::base();
        let turn = |text: &str| parse_turn(text, tiles).unwrap();
        assert_eq!(turn("D@0,1r1:rN"), turn("D@0,1r1:rS"));
        assert_eq!(turn("V@0,1r0:fNNW"), turn("V@0,1r0:fESE"));
        assert_eq!(write_turn(&turn("B@-3,12r0:m"), tiles), "B@-3,12r0:m");
    }

    #[test]
    fn errors_name_the_word_and_the_problem() {
        let error = |text: &str| text.parse::<Transcript>().unwrap_err().to_string();
        let rules = "[base seats=2 two-tile-city=4 unplaceable=discard]";
        assert_eq!(error("V@0,1r1"), "expected the rules in brackets in \"V@0,1r1\" (word 0)");
        assert_eq!(error("[river]"), "expected the tile set base or base+river and the like in \"river\" (word 0)");
        assert_eq!(error("[base seats=9]"), "expected 2 to 5 seats, found 9 in \"base seats=9\" (word 0)");
        assert_eq!(error(&format!("{rules} Z@0,1r1")), "no tile is called \"Z\" in \"Z@0,1r1\" (word 1)");
        assert_eq!(error(&format!("{rules} V@0,1r1:cN")), "the tile has no city there in \"V@0,1r1:cN\" (word 1)");
        assert_eq!(
            error(&format!("{rules} V@0,300r1")),
            "expected coordinates from -72 to 72 in \"V@0,300r1\" (word 1)"
        );
        for hostile in ["V@,r", "V@0,1r", "V@0,1r1:", "V@0,1r1:é", "@", "-", "?", "= x", "?V V@0,1r1"] {
            assert!(format!("{rules} {hostile}").parse::<Transcript>().is_err(), "{hostile}");
        }
    }

    #[test]
    fn replay_rejects_events_against_the_rules() {
        let replay = |events: &str| {
            let text = format!("[base seats=2 two-tile-city=4 unplaceable=discard] {events}");
            text.parse::<Transcript>().unwrap().replay().map(|_| ()).unwrap_err().to_string()
        };
        assert_eq!(replay("V@5,5r0"), "event 0: the cell is not open");
        assert_eq!(replay("V@0,-1r0"), "event 0: an edge clashes with a neighbour");
        assert_eq!(replay("U@0,1r2"), "event 0: the tile looks the same in fewer quarter turns");
        assert_eq!(replay("-V"), "event 0: the tile fits somewhere and cannot be set aside");
        assert_eq!(replay("C@0,-1r0 C@0,-2r0"), "event 1: no such tile is left to draw");
        assert_eq!(replay("B@0,1r0:m = 3 0"), "scores [2, 0] do not match the recorded [3, 0]");
    }
}
