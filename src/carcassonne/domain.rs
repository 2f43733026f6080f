//! Carcassonne as a [`Domain`]: what leagues, records and reports see of it.

use super::drawing::{Animation, BoardSvg, BoardText};
use super::heuristic::{CarcassonneHeuristic, EvaluationFunction, HeydenWeights, MoveOrder};
use super::metrics::{self, SeatMetrics};
use super::notation::{Event, Transcript, write_turn};
use super::rules::{
    Deck, FieldScoring, MAX_SEATS, Move, PlayedTurn, PlayoutPolicy, Rules, State, TileKind, TileSet, Unplaceable,
};
use crate::domain::{Column, Domain, EvaluationParameters, MoveNumber, NamedRater, Step};
use crate::game::Evaluation;
use crate::named::Named;
use crate::parameter::{ParameterError, Values};
use crate::seed::Key;

/// The game of Carcassonne, in the edition of 2000 to 2014.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Carcassonne;

crate::parameters! {
    /// The options of the rules.
    pub struct CarcassonneRules {
        /// Tile sets in play.
        tile_sets: Vec<&'static str> = vec!["base"], values = Values::Names(vec!["base"]), recorded = true;
        /// Players.
        seats: u8 = 2, values = Values::Count(2, MAX_SEATS as u64), recorded = true;
        /// Points of a complete city of two tiles: 4 since the rules of 2002, 2 in the first edition.
        two_tile_city: u8 = 4, recorded = true;
        /// A drawn tile that fits nowhere leaves the game, goes to the bottom of the stack, or goes back into the bag.
        unplaceable: Unplaceable = Unplaceable::Discard, recorded = true;
        /// Fields at the end of the game: 3 points to each field for each complete city that it touches, or, in earlier rules, for
        /// each complete city 3 or 4 points to the seats with the most meeples on all fields that touch it.
        fields: FieldScoring = FieldScoring::ByField;
    }
}

impl CarcassonneRules {
    /// The rules that these options give; they may be refused by [`Rules::checked`].
    pub fn rules(&self) -> Rules {
        Rules {
            tiles: TileSet::base(),
            seats: self.seats,
            two_tile_city: self.two_tile_city,
            unplaceable: self.unplaceable,
            fields: self.fields,
        }
    }
}

/// The evaluations that *-minimax may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvaluationName {
    /// The difference of virtual scores.
    Difference,
    /// Heyden's weighted sum.
    Heyden,
}

impl Named for EvaluationName {
    const NAMES: &'static [(&'static str, EvaluationName)] =
        &[("difference", EvaluationName::Difference), ("heyden", EvaluationName::Heyden)];
}

/// What a weight of Heyden's evaluation may be.
const WEIGHT: Values = Values::Real(-1e9, 1e9);

crate::parameters! {
    /// What *-minimax knows of a position.
    pub struct CarcassonneEvaluation {
        /// What a position is worth: the difference of virtual scores (bounds ±100, margin 20), or Heyden's sum (±2000, 2000).
        evaluation: EvaluationName = EvaluationName::Difference;
        /// Order of moves: as listed, 1: with a meeple first, 2: city, monastery, road, none, field.
        order: MoveOrder = MoveOrder::ByFeature;
        /// Weight of the difference of points. The default is 100.
        w_score: Option<f64> = None, values = WEIGHT, only = "evaluation" = "heyden";
        /// Weight of what unfinished features would score. The default is 10.
        w_standing: Option<f64> = None, values = WEIGHT, only = "evaluation" = "heyden";
        /// Weight of a tile of an unfinished city in that sum. The default is 1.25.
        w_open_city: Option<f64> = None, values = WEIGHT, only = "evaluation" = "heyden";
        /// Weight of the difference of meeples in supply. The default is 10.
        w_meeples: Option<f64> = None, values = WEIGHT, only = "evaluation" = "heyden";
        /// Weight of each own field with fewer than three complete cities. The default is -40.
        w_poor_field: Option<f64> = None, values = WEIGHT, only = "evaluation" = "heyden";
    }
}

impl CarcassonneEvaluation {
    fn weights(&self) -> HeydenWeights {
        let default = HeydenWeights::default();
        HeydenWeights {
            score: self.w_score.unwrap_or(default.score),
            standing: self.w_standing.unwrap_or(default.standing),
            open_city: self.w_open_city.unwrap_or(default.open_city),
            meeples: self.w_meeples.unwrap_or(default.meeples),
            poor_field: self.w_poor_field.unwrap_or(default.poor_field),
        }
    }
}

impl EvaluationParameters<State> for CarcassonneEvaluation {
    type Heuristic = CarcassonneHeuristic;

    fn heuristic(&self) -> CarcassonneHeuristic {
        let evaluation = match self.evaluation {
            EvaluationName::Difference => EvaluationFunction::Difference,
            EvaluationName::Heyden => EvaluationFunction::Heyden(self.weights()),
        };
        CarcassonneHeuristic { evaluation, order: self.order }
    }

    fn point(&self) -> f64 {
        match self.evaluation {
            EvaluationName::Difference => 1.0,
            EvaluationName::Heyden => self.weights().score,
        }
    }

    /// The bounds of the papers: 100 points, and 2,000 on Heyden's scale of a hundred per point.
    fn bound(&self) -> f64 {
        match self.evaluation {
            EvaluationName::Difference => 100.0,
            EvaluationName::Heyden => 2_000.0,
        }
    }

    /// Twenty points.
    fn margin(&self) -> f64 {
        match self.evaluation {
            EvaluationName::Difference => 20.0,
            EvaluationName::Heyden => 2_000.0,
        }
    }

    fn name(&self) -> &'static str {
        self.evaluation.name()
    }
}

impl Domain for Carcassonne {
    type Game = State;
    type Rules = CarcassonneRules;
    type Playout = PlayoutPolicy;
    type Evaluation = CarcassonneEvaluation;
    type Metrics = SeatMetrics;

    const NAME: &'static str = "carcassonne";
    const ABOUT: &'static str = "Carcassonne, a tile game with chance for two to five seats";
    const COLUMNS: &'static [Column<SeatMetrics>] = metrics::COLUMNS;
    const CAPTION: &'static str = metrics::CAPTION;
    const MOVE_NUMBERS: &'static [MoveNumber<State>] = super::move_numbers::MOVE_NUMBERS;
    const RATINGS: &'static [MoveNumber<State>] = super::move_numbers::RATINGS;
    const RATERS: &'static [NamedRater<State>] = super::raters::RATERS;
    const EVALUATION: Option<&'static dyn Evaluation<State>> = Some(&HeydenWeights::DEFAULT);
    const FACTS: &'static [&'static str] = &["score", "virtual", "meeples"];

    fn check_rules(rules: &CarcassonneRules) -> Result<(), ParameterError> {
        match rules.rules().checked() {
            Ok(_) => Ok(()),
            Err(error) => Err(ParameterError::of("two_tile_city", error.to_string())),
        }
    }

    fn seats(rules: &CarcassonneRules) -> usize {
        rules.seats.into()
    }

    fn fill_move_numbers(
        state: &State,
        actions: &[Move],
        wanted: &[usize],
        scratch: &mut State,
        columns: &mut [Vec<f64>],
    ) {
        super::move_numbers::fill(state, actions, wanted, scratch, columns);
    }

    fn start(rules: &CarcassonneRules) -> State {
        State::new(rules.rules())
    }

    fn deck(rules: &CarcassonneRules, key: Key) -> Deck {
        Deck::shuffled(&rules.rules(), key)
    }

    fn turns_left(state: &State) -> u32 {
        u32::from(state.tiles_left()) / u32::from(state.rules().seats) + 1
    }

    fn check(state: &State, action: Move) -> Result<(), String> {
        state.check(action).map_err(|error| {
            let tile = state.hand().map_or("none", |tile| state.rules().tiles.kind(tile).name.as_str());
            format!("tile {tile} to {action:?}: {error}")
        })
    }

    fn write_action(state: &State, action: Move) -> String {
        let tile = state.hand().expect("a seat that acts has a tile in hand");
        write_turn(&PlayedTurn { tile, action }, state.rules().tiles)
    }

    fn write_outcome(state: &State, tile: TileKind) -> String {
        state.rules().tiles.kind(tile).name.clone()
    }

    fn write_moves(rules: &CarcassonneRules, steps: &[Step<State>]) -> String {
        Transcript::events_text(&events(steps), rules.rules().tiles)
    }

    fn read_moves(rules: &CarcassonneRules, text: &str) -> Result<Vec<Step<State>>, String> {
        let events = Transcript::parse_events(text, rules.rules().tiles).map_err(|error| error.to_string())?;
        let steps = events.into_iter().flat_map(|event| match event {
            Event::Turn(PlayedTurn { tile, action }) => vec![Step::Chance(tile), Step::Action(action)],
            Event::SetAside(tile) => vec![Step::Chance(tile)],
        });
        Ok(steps.collect())
    }

    fn play(state: &mut State, action: Move, metrics: &mut [SeatMetrics]) {
        metrics::play(state, action, metrics);
    }

    fn finish(state: &State, metrics: &mut [SeatMetrics]) {
        metrics::finish(state, metrics);
    }

    fn facts(state: &State, seat: usize) -> Vec<i64> {
        vec![state.scores()[seat].into(), state.virtual_scores()[seat].into(), state.meeples_left()[seat].into()]
    }

    fn text(state: &State, colour: bool) -> Option<String> {
        let drawing = if colour { BoardText::coloured(state) } else { BoardText::plain(state) };
        Some(drawing.to_string())
    }

    fn svg(state: &State) -> Option<String> {
        Some(BoardSvg::new(state).to_string())
    }

    /// All pictures have the extent of the last.
    fn pictures(rules: &CarcassonneRules, steps: &[Step<State>]) -> Option<Vec<String>> {
        let animation = animation(rules, steps)?;
        Some((0..=animation.turns()).map(|turns| animation.frame(turns).to_string()).collect())
    }

    fn definitions(rules: &CarcassonneRules) -> Option<String> {
        Some(Animation::definitions(rules.rules().tiles))
    }

    fn animation(rules: &CarcassonneRules, steps: &[Step<State>]) -> Option<String> {
        animation(rules, steps).map(|animation| animation.to_string())
    }
}

fn animation(rules: &CarcassonneRules, steps: &[Step<State>]) -> Option<Animation> {
    let transcript = Transcript { rules: rules.rules(), events: events(steps), hand: None, scores: None };
    Animation::new(&transcript).ok()
}

/// A tile and the move it was played with make a turn; a tile without a move was set aside.
fn events(steps: &[Step<State>]) -> Vec<Event> {
    let mut events = Vec::new();
    let mut drawn: Option<TileKind> = None;
    for step in steps {
        match *step {
            Step::Chance(tile) => events.extend(drawn.replace(tile).map(Event::SetAside)),
            Step::Action(action) => events.extend(drawn.take().map(|tile| Event::Turn(PlayedTurn { tile, action }))),
        }
    }
    events.extend(drawn.map(Event::SetAside));
    events
}
