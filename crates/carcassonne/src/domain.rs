//! Carcassonne as a [`Domain`], for leagues, records and reports.

use super::drawing::{Animation, BoardSvg, BoardText, SEAT_COLOURS, move_words, scene};
use super::heuristic::{CarcassonneHeuristic, EvaluationFunction, HeydenWeights, MoveOrder};
use super::metrics::SeatMetrics;
use super::move_numbers::Numbers;
use super::notation::{Event, Transcript, write_turn};
use super::raters::Raters;
use super::rules::{
    Base, Edition, Expansion, Expansions, FieldScoring, MAX_SEATS, Move, PlayedTurn, PlayoutPolicy, RiverBends, Rules,
    StartTile, State, TileDeck, TileKind, TileSet, Unplaceable,
};
use evouct_base::named::Named;
use evouct_base::parameter::{ParameterError, Values};
use evouct_base::seed::Key;
use evouct_platform::domain::{
    Domain, Drawing, EvaluationParameters, GameStep, MoveNumber, NamedRater, Notation, Scene,
};
use evouct_search::game::Evaluation;
use std::marker::PhantomData;

/// The game of Carcassonne by the C2/C3 rules; the edition of 2025 has other tiles. With expansions it is played by the
/// edition [`Expanded`](super::Expanded).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Carcassonne<E = Base>(PhantomData<E>);

/// The expansions by name.
const EXPANSIONS: [&str; 3] = ["river", "inns-and-cathedrals", "abbots"];

evouct_base::parameters! {
    /// The options of the rules.
    pub struct CarcassonneRules {
        /// Tile sets in play: base, and expansions as in `expansions`.
        tile_sets: Vec<&'static str> = vec!["base"], values = Values::Names(tile_set_names()), recorded = true;
        /// Expansions of the base game: tiles, figures and rules.
        expansions: Vec<&'static str> = vec![], values = Values::Subset(EXPANSIONS.to_vec());
        /// Players. The sixth comes with inns-and-cathedrals.
        seats: u8 = 2, values = Values::Count(2, MAX_SEATS as u64), recorded = true;
        /// Points of a complete city of two tiles: 4 since the rules of 2002, 2 in the first edition.
        two_tile_city: u8 = 4, recorded = true;
        /// A drawn tile that fits nowhere leaves the game, goes to the bottom of the stack, or goes back into the bag.
        unplaceable: Unplaceable = Unplaceable::Discard, recorded = true;
        /// Whether meeples may be placed on fields.
        farmers: bool = true;
        /// Fields at the end of the game: 3 points to each field for each complete city that it touches, or, in earlier
        /// rules of the base game, for each complete city 3 or 4 points to the seats with the most meeples on all
        /// fields that touch it.
        fields: FieldScoring = FieldScoring::ByField;
        /// Where the river may not turn: twice the same way on two successive tiles, twice the same way with any number
        /// of straight tiles between, or where the five cells beyond its open end are not free.
        river_bends: RiverBends = RiverBends::NoUTurn;
        /// With the river: the start tile of the base game is left out, or in the bag.
        start_tile: StartTile = StartTile::Auto;
        /// Points of each tile of an unfinished road with an inn, and of each tile and pennant of an unfinished city
        /// with a cathedral.
        unfinished_inn_cathedral: u8 = 0, values = Values::Count(0, 1);
    }
}

fn tile_set_names() -> Vec<&'static str> {
    [&["base"][..], &EXPANSIONS].concat()
}

impl CarcassonneRules {
    fn in_play(&self) -> Expansions {
        let names = self.tile_sets.iter().chain(&self.expansions).copied();
        Expansions::of_names(names.filter(|name| *name != "base")).expect("the names are checked")
    }

    /// The rules that these options give; they may be refused by [`Rules::checked`].
    pub fn rules(&self) -> Rules {
        Rules {
            tiles: TileSet::of(self.in_play(), self.start_tile == StartTile::InBag),
            seats: self.seats,
            two_tile_city: self.two_tile_city,
            unplaceable: self.unplaceable,
            farmers: self.farmers,
            fields: self.fields,
            river_bends: self.river_bends,
            unfinished_inn_cathedral: self.unfinished_inn_cathedral,
        }
    }

    /// Refuses options that say something of an expansion that is not in play, and a list of tile sets without the base
    /// game.
    fn check_expansions(&self) -> Result<(), ParameterError> {
        if !self.tile_sets.contains(&"base") {
            return Err(ParameterError::of("tile_sets", "tile_sets: expected base among them".to_owned()));
        }
        let options = [
            (Expansion::River, "river_bends", self.river_bends != RiverBends::default()),
            (Expansion::River, "start_tile", self.start_tile != StartTile::default()),
            (Expansion::InnsAndCathedrals, "unfinished_inn_cathedral", self.unfinished_inn_cathedral != 0),
        ];
        let without = options.into_iter().find(|(expansion, _, given)| *given && !self.in_play().has(*expansion));
        without.map_or(Ok(()), |(expansion, option, _)| {
            let problem = format!("{option} is for the expansion {}, which is not in play", expansion.name());
            Err(ParameterError::of(option, problem))
        })
    }
}

evouct_base::named! {
    /// The evaluations that *-minimax may use.
    pub enum EvaluationName {
        /// The difference of virtual scores.
        Difference = "difference",
        /// Heyden's weighted sum.
        Heyden = "heyden",
    }
}

/// The range of a weight of Heyden's evaluation.
const WEIGHT: Values = Values::Real(-1e9, 1e9);

evouct_base::parameters! {
    /// The evaluation and move order of *-minimax.
    pub struct CarcassonneEvaluation {
        /// What a position is worth: the difference of virtual scores (bounds ±100, margin 20), or Heyden's sum (±2000,
        /// 2000).
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

impl<E: Edition> EvaluationParameters<State<E>> for CarcassonneEvaluation {
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

impl<E: Edition> Domain for Carcassonne<E> {
    type Game = State<E>;
    type Rules = CarcassonneRules;
    type Playout = PlayoutPolicy;
    type Evaluation = CarcassonneEvaluation;
    type Metrics = SeatMetrics;

    const NAME: &'static str = "carcassonne";
    const ABOUT: &'static str = "Carcassonne, a tile game with chance for two to six seats";
    const CHAMPION: Option<&'static str> = Some(
        "formula:formula=Q + 2*sqrt(2*ln(N)/n) + (dv - tm + 3*nx + pc + op),\
         untried=Qbar + sqrt(2*ln(N)) + (dv - tm + 3*nx + pc + op),final_formula=n",
    );
    const HOW_TO_PLAY: &'static str = "Each turn you draw a tile and place it beside the others, so that roads, cities and fields \
        go on across its edges.\n\
        Then you may place a figure on a road, a city, a monastery or a field of that tile, if no figure stands anywhere on that \
        road, city or field. You have seven figures (meeples); each returns when what it stands on is complete.\n\
        A complete road gives 1 point for each tile, a complete city 2 for each tile and each pennant, a monastery with eight \
        neighbours 9. The player with the most figures on it gets the points; with as many, each of them.\n\
        The game ends with the last tile. Incomplete roads, cities and monasteries then give 1 point for each tile and pennant; a \
        field gives 3 for each complete city that it touches. Figures on fields stay there to the end.";
    const CAPTION: &'static str = "twm is the number of turns that begin with a meeple in supply, over 29 for player 1 and 28 \
        for player 2: the reading of Valdez Ameneyro et al. (2020), Equation 5, that fits their printed numbers. It \
        reaches 36/29 and is no share. The columns city to monastery are points.";
    const UNUSED: Option<(&'static str, char)> = Some(("tiles that fit nowhere", '-'));
    const NOTATION: &'static dyn Notation<State<E>> = &Carcassonne(PhantomData);
    const DRAWING: &'static dyn Drawing<State<E>> = &Carcassonne(PhantomData);
    const MOVE_NUMBERS: &'static [MoveNumber<State<E>>] = Numbers::<E>::ALL;
    const RATINGS: &'static [MoveNumber<State<E>>] = Numbers::<E>::RATINGS;
    const RATERS: &'static [NamedRater<State<E>>] = Raters::<E>::ALL;
    const EVALUATION: Option<&'static dyn Evaluation<State<E>>> = Some(&HeydenWeights::DEFAULT);

    fn check_rules(rules: &CarcassonneRules) -> Result<(), ParameterError> {
        rules.check_expansions()?;
        match rules.rules().checked() {
            Ok(_) => Ok(()),
            Err(error) => Err(ParameterError::of(error.option(), error.to_string())),
        }
    }

    fn seats(rules: &CarcassonneRules) -> usize {
        rules.seats.into()
    }

    fn fill_move_numbers(
        state: &State<E>,
        actions: &[Move],
        wanted: &[usize],
        scratch: &mut State<E>,
        columns: &mut [Vec<f64>],
    ) {
        super::move_numbers::fill(state, actions, wanted, scratch, columns);
    }

    fn start(rules: &CarcassonneRules) -> State<E> {
        State::start(rules.rules())
    }

    fn deck(rules: &CarcassonneRules, key: Key) -> TileDeck {
        TileDeck::shuffled(&rules.rules(), key)
    }

    fn turns_left(state: &State<E>) -> u32 {
        u32::from(state.tiles_left()) / u32::from(state.rules().seats) + 1
    }

    fn check(state: &State<E>, action: Move) -> Result<(), String> {
        state.check(action).map_err(|error| {
            let tile = state.hand().map_or("none", |tile| state.rules().tiles.kind(tile).name.as_str());
            format!("tile {tile} to {action:?}: {error}")
        })
    }
}

impl<E: Edition> Notation<State<E>> for Carcassonne<E> {
    fn write_action(&self, state: &State<E>, action: Move) -> String {
        let tile = state.hand().expect("a seat that acts has a tile in hand");
        write_turn(&PlayedTurn { tile, action }, state.rules().tiles)
    }

    fn say_action(&self, state: &State<E>, action: Move) -> String {
        move_words(state, action)
    }

    fn write_outcome(&self, state: &State<E>, tile: TileKind) -> String {
        state.rules().tiles.kind(tile).name.clone()
    }

    fn write_moves(&self, start: &State<E>, steps: &[GameStep<State<E>>]) -> String {
        Transcript::events_text(&events(steps), start.rules().tiles)
    }

    fn read_moves(&self, start: &State<E>, text: &str) -> Result<Vec<GameStep<State<E>>>, String> {
        let events = Transcript::parse_events(text, start.rules().tiles).map_err(|error| error.to_string())?;
        let steps = events.into_iter().flat_map(|event| match event {
            Event::Turn(PlayedTurn { tile, action }) => vec![GameStep::Chance(tile), GameStep::Action(action)],
            Event::SetAside(tile) => vec![GameStep::Chance(tile)],
        });
        Ok(steps.collect())
    }
}

impl<E: Edition> Drawing<State<E>> for Carcassonne<E> {
    fn fact_names(&self) -> &'static [&'static str] {
        &["score", "virtual", "meeples"]
    }

    fn facts(&self, state: &State<E>, seat: usize) -> Vec<i64> {
        let in_the_end = state.virtual_scores()[seat];
        let score = if state.is_over() { in_the_end } else { state.scores()[seat] };
        vec![score.into(), in_the_end.into(), state.figures_left(seat).into()]
    }

    fn colours(&self) -> [&'static str; MAX_SEATS] {
        SEAT_COLOURS
    }

    fn text(&self, state: &State<E>, colour: bool) -> Option<String> {
        let drawing = if colour { BoardText::coloured(state) } else { BoardText::plain(state) };
        Some(drawing.to_string())
    }

    fn svg(&self, state: &State<E>) -> Option<String> {
        Some(BoardSvg::new(state).to_string())
    }

    fn scene(&self, state: &State<E>, _: &dyn Notation<State<E>>) -> Option<Scene> {
        Some(scene(state))
    }

    /// All pictures have the extent of the last.
    fn pictures(&self, start: &State<E>, steps: &[GameStep<State<E>>]) -> Option<Vec<String>> {
        let animation = animation(start, steps)?;
        Some((0..=animation.turns()).map(|turns| animation.frame(turns).to_string()).collect())
    }

    fn definitions(&self, start: &State<E>) -> Option<String> {
        Some(Animation::<E>::definitions(start.rules().tiles))
    }

    fn animation(&self, start: &State<E>, steps: &[GameStep<State<E>>]) -> Option<String> {
        animation(start, steps).map(|animation| animation.to_string())
    }
}

fn animation<E: Edition>(start: &State<E>, steps: &[GameStep<State<E>>]) -> Option<Animation<E>> {
    let transcript = Transcript { rules: *start.rules(), events: events(steps), hand: None, scores: None };
    Animation::new(&transcript).ok()
}

/// A tile and the move it was played with make a turn; a tile without a move was set aside.
fn events<E: Edition>(steps: &[GameStep<State<E>>]) -> Vec<Event> {
    let mut events = Vec::new();
    let mut drawn: Option<TileKind> = None;
    for step in steps {
        match *step {
            GameStep::Chance(tile) => events.extend(drawn.replace(tile).map(Event::SetAside)),
            GameStep::Action(action) => {
                events.extend(drawn.take().map(|tile| Event::Turn(PlayedTurn { tile, action })))
            }
        }
    }
    events.extend(drawn.map(Event::SetAside));
    events
}
