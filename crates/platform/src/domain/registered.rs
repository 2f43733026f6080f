//! A domain with the kinds of player that play it.

use super::any::{AnyDomain, AnyInfo, AnySession, GameInfo};
use super::contract::Domain;
use super::follower::{AnyFollower, Follower};
use super::kind::{AnyKinds, Kind, KindInfo};
use super::metrics::{Metrics, RecordedMetrics};
use super::moves::{guarded, legal_steps, steps};
use super::positions::{AnyPositions, Positions};
use super::score_scale::ScoreScale;
use super::session::{GameSession, RulesTold};
use super::spec::Spec;
use super::step::{GameStep, positions};
use super::terms::{NoOpening, Terms};
use super::view::{self, GameView};
use evouct_base::parameter::{ParameterError, Parameters, Value};
use evouct_base::sampling::below;
use evouct_base::seed::Key;
use evouct_search::game::{Game, MAX_SEATS, MoveNumber};
use evouct_search::player::{Decision, Player, PlayerView};
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::vec;

/// Random games that show whether a game has chance, and the most decisions of each.
const RANDOM_GAMES: u32 = 4;
const MOST_PLIES: u32 = 1_000;

static TRANSPOSING: RwLock<BTreeSet<&str>> = RwLock::new(BTreeSet::new());

/// The names of the games whose positions can be [told apart](Game::TRANSPOSES).
pub(crate) fn games_that_transpose() -> Vec<&'static str> {
    TRANSPOSING.read().unwrap_or_else(PoisonError::into_inner).iter().copied().collect()
}

/// A domain with the kinds of player that play it.
pub struct Registered<D: Domain> {
    info: GameInfo,
    kinds: RwLock<Vec<&'static Kind<D>>>,
    /// How many kinds of player the game came with, which are the first.
    built_in: usize,
}

impl<D: Domain> Registered<D> {
    /// A domain with these kinds of player.
    pub fn new(kinds: Vec<Kind<D>>) -> Registered<D> {
        Registered::named(D::NAME, D::ABOUT, kinds)
    }

    /// One of several games with the same types: their rules and numbers of moves are those that `D` has now. The kinds
    /// must be [of this game](Kind::of_game).
    pub fn named(name: &'static str, about: &'static str, kinds: Vec<Kind<D>>) -> Registered<D> {
        let listed = |numbers: &[MoveNumber<D::Game>]| numbers.iter().map(|one| (one.name, one.about)).collect();
        let info = GameInfo {
            name,
            about,
            rules_table: Box::leak(D::Rules::table().into_boxed_slice()),
            colours: D::DRAWING.colours(),
            columns: D::Metrics::COLUMNS.iter().map(super::MetricColumn::info).collect(),
            move_numbers: listed(D::move_numbers()),
            ratings: listed(D::RATINGS),
            trace_columns: D::TRACE.columns(),
            histograms: D::TRACE.histograms(),
            caption: D::CAPTION,
            how_to_play: D::HOW_TO_PLAY,
            champion: D::CHAMPION,
            unused: D::UNUSED,
            point: D::POINT,
            scale: const { ScoreScale::of(D::PER_POINT) },
        };
        if D::Game::TRANSPOSES {
            TRANSPOSING.write().unwrap_or_else(PoisonError::into_inner).insert(name);
        }
        let mut registered = Registered { info, kinds: RwLock::default(), built_in: 0 };
        kinds.into_iter().for_each(|kind| registered.add(kind));
        registered.built_in = registered.all().len();
        registered
    }

    /// Adds a kind of player; one of the same name that was added before is replaced.
    ///
    /// # Panics
    /// If the game came with a kind of this name: records of the two could not be told apart.
    pub fn add(&self, kind: Kind<D>) {
        let kind: &'static Kind<D> = Box::leak(Box::new(kind));
        let mut kinds = self.kinds.write().unwrap_or_else(PoisonError::into_inner);
        let name = kind.info().name;
        match kinds.iter().position(|known| known.info().name == name) {
            Some(place) if place < self.built_in => {
                panic!("{} has a kind of player called {name:?}: give yours another name", self.info.name)
            }
            Some(place) => kinds[place] = kind,
            None => kinds.push(kind),
        }
    }

    fn all(&self) -> Vec<&'static Kind<D>> {
        self.kinds.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn kind(&self, info: &KindInfo) -> &'static Kind<D> {
        Kind::of(&self.all(), info)
    }

    /// The player of a spec for one game.
    pub fn player(&self, spec: &Spec, key: Key) -> Box<dyn Player<D::Game>> {
        self.kind(spec.kind()).player(spec.values(), key)
    }

    /// The same for checks of parameters.
    fn checked(run: impl FnOnce() -> Result<(), ParameterError>) -> Result<(), ParameterError> {
        guarded::<D, _>(|| Ok(run())).unwrap_or_else(|problem| Err(ParameterError::whole(problem)))
    }

    /// Refuses options of the rules that contradict one another.
    pub(super) fn check_options(&self, rules: &[Value]) -> Result<(), ParameterError> {
        Self::checked(|| D::check_rules(&D::Rules::read(rules)))
    }

    /// Drawings of the start and of the position after each turn, if there are as many.
    fn one_per_turn(steps: &[GameStep<D::Game>], drawn: Option<Vec<String>>) -> Result<Option<Vec<String>>, String> {
        let expected = 1 + steps.iter().filter(|step| matches!(step, GameStep::Action(_))).count();
        match drawn {
            Some(drawn) if drawn.len() != expected => {
                Err(format!("the game {} drew {} positions, expected {expected}", D::NAME, drawn.len()))
            }
            drawn => Ok(drawn),
        }
    }
}

/// A player that plays recorded moves; all seats of a game share the record.
struct Recorded<G: Game> {
    /// The actions of all seats that are still to come, and how many there were.
    actions: Arc<Mutex<vec::IntoIter<G::Action>>>,
    recorded: usize,
}

impl<G: Game> Player<G> for Recorded<G> {
    fn decide(&mut self, _: &PlayerView<G>) -> Decision<G::Action> {
        let action = self.actions.lock().unwrap_or_else(PoisonError::into_inner).next();
        let recorded = self.recorded;
        Decision::of(action.unwrap_or_else(|| panic!("the record ends after {recorded} turns, the game does not")))
    }
}

impl<D: Domain> AnyKinds for Registered<D> {
    fn kinds(&self) -> Vec<&'static KindInfo> {
        self.all().into_iter().map(Kind::info).collect()
    }

    fn check_player(&self, kind: &KindInfo, values: &[Value]) -> Result<(), ParameterError> {
        Self::checked(|| self.kind(kind).check(values))
    }
}

impl<D: Domain> AnyInfo for Registered<D> {
    fn info(&self) -> &GameInfo {
        &self.info
    }
}

impl<D: Domain> AnyDomain for Registered<D> {
    fn check_rules(&self, rules: &[Value]) -> Result<(), ParameterError> {
        Self::checked(|| {
            let rules = D::Rules::read(rules);
            D::check_rules(&rules)?;
            match D::seats(&rules) {
                1..=MAX_SEATS => Ok(()),
                seats => {
                    let name = self.info.name;
                    let problem =
                        format!("the game {name} has {seats} seats by these rules, expected 1 to {MAX_SEATS}");
                    Err(ParameterError::whole(problem))
                }
            }
        })
    }

    fn seats(&self, rules: &[Value]) -> usize {
        D::seats(&D::Rules::read(rules))
    }

    fn has_chance(&self, rules: &[Value]) -> bool {
        let drawn = |game: u32| {
            let mut rng = Key::experiment(0).named("chance", game.into()).stream();
            let mut session = self.session(rules, Key::experiment(0), &[]);
            session.draw_opening(MOST_PLIES, &mut |actions| below(&mut rng, actions))
        };
        let shown = guarded::<D, _>(|| Ok((0..RANDOM_GAMES).any(|game| drawn(game) == Err(NoOpening::Chance))));
        // A game that cannot be played says nothing of its chance.
        shown.unwrap_or(true)
    }

    fn check_seat(&self, kind: &KindInfo, values: &[Value], rules: &[Value]) -> Result<(), ParameterError> {
        Self::checked(|| self.kind(kind).check_rules(values, &D::Rules::read(rules)))
    }

    fn session(&self, rules: &[Value], deck: Key, players: &[(Spec, Key)]) -> Box<dyn AnySession> {
        let seated = |(spec, key): &(Spec, Key)| self.kind(spec.kind()).seated(spec.values(), *key);
        let players = players.iter().map(seated).collect();
        // In its box first: a game in progress is large, and every move of it is a copy.
        let told = RulesTold { game: self.info.name, table: self.info.rules_table, values: rules.to_vec() };
        Box::new(GameSession::<D>::told(D::Rules::read(rules), told, deck, players))
    }

    fn replay(
        &self,
        rules: &[Value],
        deck: Key,
        terms: &Terms,
        moves: &str,
        search: &[BTreeMap<String, f64>],
    ) -> Result<Box<dyn AnySession>, String> {
        let (rules, steps) = guarded::<D, _>(|| steps::<D>(rules, moves))?;
        let played = |step| if let GameStep::Action(action) = step { Some(action) } else { None };
        let mut session =
            guarded::<D, _>(|| Ok(GameSession::<D>::new(rules.clone(), deck, Vec::new()).with_traces(search)))?;
        guarded::<D, _>(|| session.begin(terms))?;
        let actions: Vec<_> = steps.into_iter().filter_map(played).skip(session.opening() as usize).collect();
        let recorded = actions.len();
        let actions = Arc::new(Mutex::new(actions.into_iter()));
        let player = |_| {
            let player: Box<dyn Player<D::Game>> = Box::new(Recorded { actions: Arc::clone(&actions), recorded });
            player
        };
        let seats = guarded::<D, _>(|| Ok(D::seats(&rules)))?;
        Ok(Box::new(session.with_players((0..seats).map(player).collect())))
    }

    fn positions(
        &self,
        rules: &[Value],
        deck: Key,
        moves: &str,
        turns: &[u32],
    ) -> Result<Box<dyn AnyPositions>, String> {
        guarded::<D, _>(|| {
            let (rules, steps) = steps::<D>(rules, moves)?;
            Ok(Box::new(Positions::<D>::of(self.all(), self.info.move_numbers.len(), &rules, deck, &steps, turns)?)
                as Box<dyn AnyPositions>)
        })
    }

    fn follow(&self, rules: &[Value]) -> Box<dyn AnyFollower> {
        Box::new(Follower::<D>::new(self.all(), rules))
    }

    fn view(&self, rules: &[Value], moves: &str) -> Result<GameView, String> {
        guarded::<D, _>(|| {
            let (rules, steps) = legal_steps::<D>(rules, moves)?;
            let view = view::view::<D>(&rules, &steps);
            let told = view.turns.iter().map(|turn| &turn.facts).chain([&view.start]).flatten();
            let (name, expected) = (D::NAME, D::DRAWING.fact_names().len());
            let wrong = told.map(Vec::len).find(|found| *found != expected);
            let wrong =
                wrong.map(|found| format!("the game {name} gives {found} facts of a seat, expected {expected}"));
            wrong.map_or(Ok(view), Err)
        })
    }

    fn pictures(&self, rules: &[Value], moves: &str) -> Result<Option<Vec<String>>, String> {
        guarded::<D, _>(|| {
            let (rules, steps) = legal_steps::<D>(rules, moves)?;
            Self::one_per_turn(&steps, D::DRAWING.pictures(&D::start(&rules), &steps))
        })
    }

    fn texts(&self, rules: &[Value], moves: &str, colour: bool) -> Result<Option<Vec<String>>, String> {
        guarded::<D, _>(|| {
            let (rules, steps) = legal_steps::<D>(rules, moves)?;
            Self::one_per_turn(&steps, positions(&D::start(&rules), &steps, |game| D::DRAWING.text(game, colour)))
        })
    }

    fn definitions(&self, rules: &[Value]) -> Option<String> {
        let definitions = guarded::<D, _>(|| Ok(D::DRAWING.definitions(&D::start(&D::Rules::read(rules)))));
        definitions.unwrap_or_else(|problem| {
            tracing::warn!("the definitions of drawings are left out: {problem}");
            None
        })
    }

    fn column_values(&self, metrics: &RecordedMetrics, seat: usize) -> Result<Vec<f64>, String> {
        let metrics: D::Metrics =
            metrics.read().map_err(|error| format!("these are no metrics of {}: {error}", D::NAME))?;
        guarded::<D, _>(|| Ok(D::Metrics::COLUMNS.iter().map(|column| (column.value)(&metrics, seat)).collect()))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl<D: Domain> fmt::Debug for Registered<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info.name)
    }
}
