//! Games recorded by other rules engines, checked turn by turn against this one.
//!
//! A game is one JSON object; the fields are those of [`ImportedGame`] and the types below it. The check compares every
//! recorded value: the player, the tile, the placement, the meeple, the numbers of placements and of meeple choices,
//! the scores and meeples after the turn, the tiles set aside and the final scores.

use super::transcript::find_segment;
use crate::rules::{
    Base, Cell, Deployment, DrawResult, Edition, Expanded, Expansion, Expansions, FeatureKind, Figure, MEEPLES, Move,
    Port, RiverBends, Rules, RulesError, StartTile, State, TileKind, TileSet,
};
use evouct_base::named::Named;
use evouct_base::plural::counted;
use serde::Deserialize;
use std::fmt::Debug;

/// A game recorded by another rules engine.
#[derive(Deserialize, Debug, Clone)]
pub struct ImportedGame {
    rules: RecordedRules,
    players: u8,
    turns: Vec<RecordedTurn>,
    discarded: Vec<Discarded>,
    #[serde(rename = "final")]
    final_scores: Option<Vec<u16>>,
    #[serde(default)]
    position_is_before_last_turn: bool,
}

#[derive(Deserialize, Debug, Clone)]
#[serde(deny_unknown_fields)]
struct RecordedRules {
    tileset: String,
    tiny_city_points: u8,
    #[serde(default, rename = "farms")]
    _farms: Option<String>,
    #[serde(default)]
    abbots: bool,
    river_rule: Option<String>,
    base_start_tile: Option<String>,
    meeples: Option<RecordedSupply>,
}

/// The figures of each seat at the start.
#[derive(Deserialize, Debug, Clone)]
#[serde(deny_unknown_fields)]
struct RecordedSupply {
    normal: u8,
    big: u8,
}

#[derive(Deserialize, Debug, Clone)]
struct RecordedTurn {
    player: usize,
    tile: String,
    x: i8,
    y: i8,
    rot: u8,
    meeple: Option<RecordedMeeple>,
    n_placements: u32,
    n_meeple_options: usize,
    scores: Vec<u16>,
    meeples_left: Vec<u8>,
    big_left: Option<Vec<u8>>,
    abbots_left: Option<Vec<u8>>,
    /// Whether the copy of the tile has a garden.
    #[serde(default)]
    garden: bool,
    /// Where the abbot is taken back from.
    recall: Option<RecordedCell>,
}

#[derive(Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
struct RecordedCell {
    x: i8,
    y: i8,
}

#[derive(Deserialize, Debug, Clone)]
#[serde(deny_unknown_fields)]
struct RecordedMeeple {
    kind: String,
    at: String,
    #[serde(default)]
    big: bool,
    #[serde(default)]
    abbot: bool,
}

#[derive(Deserialize, Debug, Clone)]
#[serde(deny_unknown_fields)]
struct Discarded {
    before_turn: usize,
    tile: String,
    #[serde(default)]
    garden: bool,
}

/// Names of recorded tile sets, where they differ from ours.
const RECORDED_NAMES: [(&str, &str); 1] = [("inns", "inns-and-cathedrals")];

/// The first difference between a recorded game and the rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{field}: recorded {recorded}, by the rules {expected}", turn.map_or(String::new(), |turn| format!("turn {turn}, ")))]
pub struct Mismatch {
    /// The turn, from 0. `None` if the difference is not in a turn.
    pub turn: Option<usize>,
    /// Key of the recorded game, such as `scores`.
    pub field: &'static str,
    /// Value in the file, as text.
    pub recorded: String,
    /// Value by the rules, as text.
    pub expected: String,
}

impl ImportedGame {
    /// The rules of the game.
    ///
    /// # Errors
    /// If this engine does not know the rules.
    pub fn rules(&self) -> Result<Rules, Mismatch> {
        let unknown = |field, recorded: String, expected: &str| Mismatch {
            turn: None,
            field,
            recorded,
            expected: expected.to_owned(),
        };
        let Some(expansions) = self.rules.expansions() else {
            return Err(unknown("rules.tileset", self.rules.tileset.clone(), "base, or base with +river and +inns"));
        };
        let start_tile = match self.rules.base_start_tile.as_deref() {
            None => StartTile::Auto,
            Some("in the bag") => StartTile::InBag,
            Some(other) => return Err(unknown("rules.base_start_tile", other.to_owned(), "in the bag")),
        };
        let tiles = TileSet::of(expansions, start_tile == StartTile::InBag);
        let river_bends = match &self.rules.river_rule {
            None => RiverBends::default(),
            Some(name) => {
                let known = RiverBends::of_name(name);
                known.ok_or_else(|| unknown("rules.river_rule", name.clone(), &RiverBends::names().join(" or ")))?
            }
        };
        let rules =
            Rules { two_tile_city: self.rules.tiny_city_points, river_bends, ..Rules::with(tiles, self.players) };
        if let Some(supply) = &self.rules.meeples {
            let expected = (MEEPLES, u8::from(rules.have(Expansion::InnsAndCathedrals)));
            same(None, "rules.meeples", &(supply.normal, supply.big), &expected)?;
        }
        rules.checked().map_err(|error| match error {
            RulesError::Seats(seats, most) => unknown("players", seats.to_string(), &format!("2 to {most}")),
            RulesError::TwoTileCity(points) => unknown("rules.tiny_city_points", points.to_string(), "2 or 4"),
            other => unknown("rules", other.option().to_owned(), &other.to_string()),
        })
    }

    /// Plays the recorded game and compares every recorded value. Returns the number of turns.
    ///
    /// # Errors
    /// The first difference between file and rules.
    pub fn check(&self) -> Result<usize, Mismatch> {
        let rules = self.rules()?;
        if rules.are_of_the_base_game() { self.check_as::<Base>(rules) } else { self.check_as::<Expanded>(rules) }
    }

    fn check_as<E: Edition>(&self, rules: Rules) -> Result<usize, Mismatch> {
        let state = self.play::<E>(rules, self.turns.len())?;
        if self.position_is_before_last_turn {
            return Ok(self.turns.len());
        }
        // Tiles set aside after the last turn are recorded too, so the bag must be empty.
        if state.tiles_left() > 0 {
            return differ(
                None,
                "turns",
                &self.turns.len(),
                &format!("{} left to draw", counted(state.tiles_left(), "tile")),
            );
        }
        let Some(recorded) = &self.final_scores else {
            return differ(None, "final", &"nothing", "a game that is over has final scores");
        };
        same(None, "final", recorded, &state.virtual_scores()[..usize::from(self.players)].to_vec())?;
        Ok(self.turns.len())
    }

    /// The position before the last turn, with the tile of that turn in hand. For games without expansions.
    ///
    /// # Errors
    /// The first difference between the recorded game and the rules.
    pub fn position(&self) -> Result<State, Mismatch> {
        let Some((last, before)) = self.turns.split_last() else {
            return differ(None, "turns", &0, "at least one turn");
        };
        let rules = self.rules()?;
        if !rules.are_of_the_base_game() {
            return differ(None, "rules.tileset", &self.rules.tileset, "base");
        }
        let mut state = self.play::<Base>(rules, before.len())?;
        last.draw(&mut state, before.len())?;
        Ok(state)
    }

    /// Plays and compares the first turns, and the tiles set aside before the next one.
    fn play<E: Edition>(&self, rules: Rules, turns: usize) -> Result<State<E>, Mismatch> {
        let mut state = State::<E>::start(rules);
        let mut discarded = self.discarded.iter().peekable();
        for number in 0..=turns {
            while let Some(tile) = discarded.next_if(|tile| tile.before_turn == number) {
                let kind = tile_kind(&state, &tile.tile, tile.garden, (number, "discarded"))?;
                match state.draw(kind) {
                    Ok(DrawResult::SetAside) => {}
                    Ok(DrawResult::InHand) => {
                        return differ(Some(number), "discarded", &tile.tile, "it fits somewhere");
                    }
                    Err(error) => return differ(Some(number), "discarded", &tile.tile, &error.to_string()),
                }
            }
            if let Some(turn) = self.turns[..turns].get(number) {
                turn.check(&mut state, number)?;
            }
        }
        match discarded.next() {
            Some(tile) => differ(None, "discarded", &tile.before_turn, "no such turn, or out of order"),
            None => Ok(state),
        }
    }
}

impl RecordedTurn {
    fn draw<E: Edition>(&self, state: &mut State<E>, number: usize) -> Result<TileKind, Mismatch> {
        let turn = Some(number);
        same(turn, "player", &self.player, &state.player())?;
        let kind = tile_kind(state, &self.tile, self.garden, (number, "tile"))?;
        match state.draw(kind) {
            Ok(DrawResult::InHand) => Ok(kind),
            Ok(DrawResult::SetAside) => differ(turn, "tile", &self.tile, "it fits nowhere"),
            Err(error) => differ(turn, "tile", &self.tile, &error.to_string()),
        }
    }

    fn check<E: Edition>(&self, state: &mut State<E>, number: usize) -> Result<(), Mismatch> {
        let turn = Some(number);
        let kind = self.draw(state, number)?;
        same(turn, "n_placements", &self.n_placements, &state.placement_count(kind))?;
        let cell = Cell { x: self.x, y: self.y };
        let placement = Move { cell, rotation: self.rot, meeple: None };
        if let Err(error) = state.check(placement) {
            return differ(turn, "x, y, rot", &(self.x, self.y, self.rot), &error.to_string());
        }
        let at_placement = |action: &Move| action.cell == cell && action.rotation == self.rot;
        let options = state.legal_moves().into_iter().filter(at_placement).count();
        same(turn, "n_meeple_options", &self.n_meeple_options, &options)?;
        let meeple = match (&self.meeple, self.recall) {
            (None, None) => None,
            (None, Some(from)) => {
                let found = state.abbot_cell(self.player).map(|cell| RecordedCell { x: cell.x, y: cell.y });
                same(turn, "recall", &Some(from), &found)?;
                Some(Deployment::RECALL)
            }
            (Some(meeple), _) => {
                let segment = meeple.kind().zip(Port::parse(&meeple.at));
                let segment =
                    segment.and_then(|(wanted, at)| find_segment(state.rules().tiles, kind, self.rot, wanted, at));
                let text = format!("{} at {}", meeple.kind, meeple.at);
                let Some(segment) = segment else {
                    return differ(turn, "meeple", &text, "the tile has no such segment");
                };
                let deployment = Deployment::new(meeple.figure(), segment);
                if let Err(error) = state.check(Move { meeple: Some(deployment), ..placement }) {
                    return differ(turn, "meeple", &text, &error.to_string());
                }
                Some(deployment)
            }
        };
        let action = Move { meeple, ..placement };
        if let Err(error) = state.check(action) {
            return differ(turn, "recall", &self.recall, &error.to_string());
        }
        state.play_legal(action, &mut ());
        same(turn, "scores", &self.scores, &state.scores().to_vec())?;
        let seats = usize::from(state.rules().seats);
        same(turn, "meeples_left", &self.meeples_left, &state.meeples_left()[..seats].to_vec())?;
        for (field, recorded, figure) in
            [("big_left", &self.big_left, Figure::Big), ("abbots_left", &self.abbots_left, Figure::Abbot)]
        {
            if let Some(recorded) = recorded {
                let left = (0..seats).map(|seat| u8::from(state.has_figure(seat, figure))).collect();
                same(turn, field, recorded, &left)?;
            }
        }
        Ok(())
    }
}

impl RecordedRules {
    /// The expansions of the recorded tile set; none if it is unknown.
    fn expansions(&self) -> Option<Expansions> {
        let mut names = self.tileset.split('+');
        (names.next() == Some("base")).then_some(())?;
        let ours = |name| {
            let renamed = RECORDED_NAMES.iter().find(|(recorded, _)| *recorded == name);
            renamed.map_or(name, |(_, ours)| *ours)
        };
        let expansions = Expansions::of_names(names.map(ours))?;
        Some(if self.abbots { expansions.with(Expansion::Abbots) } else { expansions })
    }
}

impl RecordedMeeple {
    fn kind(&self) -> Option<FeatureKind> {
        match self.kind.as_str() {
            "cloister" => Some(FeatureKind::Monastery),
            name => FeatureKind::ALL.into_iter().find(|kind| *kind != FeatureKind::Monastery && kind.name() == name),
        }
    }

    fn figure(&self) -> Figure {
        match (self.big, self.abbot) {
            (true, _) => Figure::Big,
            (false, true) => Figure::Abbot,
            (false, false) => Figure::Meeple,
        }
    }
}

fn tile_kind<E: Edition>(
    state: &State<E>,
    name: &str,
    garden: bool,
    (turn, field): (usize, &'static str),
) -> Result<TileKind, Mismatch> {
    let found = state.rules().tiles.by_name_and_garden(name, garden);
    found.ok_or_else(|| Mismatch {
        turn: Some(turn),
        field,
        recorded: name.to_owned(),
        expected: "no such tile".to_owned(),
    })
}

fn same<T: PartialEq + Debug>(
    turn: Option<usize>,
    field: &'static str,
    recorded: &T,
    found: &T,
) -> Result<(), Mismatch> {
    if recorded == found { Ok(()) } else { differ(turn, field, recorded, &format!("{found:?}")) }
}

fn differ<T>(turn: Option<usize>, field: &'static str, recorded: &impl Debug, expected: &str) -> Result<T, Mismatch> {
    Err(Mismatch { turn, field, recorded: format!("{recorded:?}"), expected: expected.to_owned() })
}
