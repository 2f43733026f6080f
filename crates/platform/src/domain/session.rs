//! A game in progress between players.

use super::any::AnySession;
use super::contract::Domain;
use super::decided::Decided;
use super::fault::Fault;
use super::metrics::{Metrics, RecordedMetrics};
use super::outside::{SeatedPlayer, TurnInNotation};
use super::scene::Scene;
use super::step::GameStep;
use super::terms::{AtLimit, NoOpening, PlyLimit, Terms};
use super::time_left::TimeLeft;
use super::watch::{Watch, Watching};
use evouct_base::parameter::{Parameter, Value};
use evouct_base::seed::Key;
use evouct_search::game::{Game, MoveLog, Scores, Turn};
use evouct_search::player::{Decision, Player, PlayerView};
use evouct_search::search::{Clock, Observer};
use std::collections::BTreeMap;

/// Most games have fewer outcomes and actions.
const USUAL_STEPS: usize = 256;

/// The rules as players outside are told them: the options, and the values that the rules were read from.
#[derive(Default)]
pub(super) struct RulesTold {
    pub game: &'static str,
    pub table: &'static [Parameter],
    pub values: Vec<Value>,
}

impl RulesTold {
    /// `key=value` between spaces; options without a value are left out.
    fn in_notation(&self) -> String {
        let given = self.table.iter().zip(&self.values).filter(|(_, value)| **value != Value::Unset);
        given.map(|(row, value)| format!("{}={value}", row.name)).collect::<Vec<_>>().join(" ")
    }
}

/// A game in progress: position, deck, players, moves and metrics.
pub struct GameSession<D: Domain> {
    rules: D::Rules,
    rules_told: RulesTold,
    game: D::Game,
    deck: <D::Game as Game>::Deck,
    players: Vec<SeatedPlayer<D::Game>>,
    steps: Vec<GameStep<D::Game>>,
    /// The same as players are told them, if one of them reads it.
    log: Option<MoveLog<D::Game>>,
    /// Moves of the opening.
    opening: u32,
    turns: u32,
    limit: Option<PlyLimit>,
    metrics: Vec<D::Metrics>,
    /// By seat, the columns and the counts of [`Domain::TRACE`].
    traces: Vec<Vec<f64>>,
    histograms: Vec<Vec<Vec<u32>>>,
    /// Whether the traces are those of a record: what is replayed searches nothing.
    is_replay: bool,
    /// Threads that a decision may use.
    threads: usize,
    /// The turn as a player outside is told it, once it is prepared.
    told: Option<Box<TurnInNotation>>,
    /// What the clock says of the seat to play; none in a game without a clock.
    time: Option<TimeLeft>,
    decided: Option<<D::Game as Game>::Action>,
}

impl<D: Domain> GameSession<D> {
    /// A game at its start, on the deck of a key, between these players.
    pub fn new(rules: D::Rules, deck: Key, players: Vec<Box<dyn Player<D::Game>>>) -> GameSession<D> {
        let players = players.into_iter().map(SeatedPlayer::Inside).collect();
        GameSession::told(rules, RulesTold { game: D::NAME, ..RulesTold::default() }, deck, players)
    }

    /// The same, between players of which some may be outside: they are told these rules.
    pub(super) fn told(
        rules: D::Rules,
        rules_told: RulesTold,
        deck: Key,
        players: Vec<SeatedPlayer<D::Game>>,
    ) -> GameSession<D> {
        let game = D::start(&rules);
        let metrics = vec![D::Metrics::default(); game.seats()];
        let traces = vec![vec![0.0; D::TRACE.columns().len()]; game.seats()];
        let empty: Vec<Vec<u32>> = D::TRACE.histograms().iter().map(|histogram| vec![0; histogram.bins]).collect();
        let histograms = vec![empty; game.seats()];
        let deck = D::deck(&rules, deck);
        GameSession {
            rules,
            rules_told,
            game,
            deck,
            log: log_for(&players),
            players,
            steps: Vec::with_capacity(USUAL_STEPS),
            opening: 0,
            turns: 0,
            limit: None,
            metrics,
            traces,
            histograms,
            is_replay: false,
            threads: 1,
            told: None,
            time: None,
            decided: None,
        }
    }

    /// The same game with these recorded columns of searches in place of its own; those without a name keep 0.
    #[must_use]
    pub fn with_traces(mut self, recorded: &[BTreeMap<String, f64>]) -> GameSession<D> {
        self.is_replay = true;
        for (columns, recorded) in self.traces.iter_mut().zip(recorded) {
            for (column, info) in columns.iter_mut().zip(D::TRACE.columns()) {
                *column = recorded.get(info.name).copied().unwrap_or_default();
            }
        }
        self
    }

    /// The same game between these players.
    pub(super) fn with_players(mut self, players: Vec<Box<dyn Player<D::Game>>>) -> GameSession<D> {
        self.players = players.into_iter().map(SeatedPlayer::Inside).collect();
        self.log = log_for(&self.players);
        self
    }

    /// The position.
    pub fn game(&self) -> &D::Game {
        &self.game
    }

    /// Everything that happened so far.
    pub fn steps(&self) -> &[GameStep<D::Game>] {
        &self.steps
    }

    /// The legal actions of the seat to play; none if no seat is.
    fn legal(&self) -> Vec<<D::Game as Game>::Action> {
        let mut actions = Vec::new();
        if !self.is_over() && matches!(self.game.turn(), Turn::Player(_)) {
            self.game.actions(&mut actions);
        }
        actions
    }

    /// The legal action that this word of the notation is.
    fn legal_action(&self, play: &str) -> Result<<D::Game as Game>::Action, String> {
        let found = self.legal().into_iter().find(|action| D::NOTATION.write_action(&self.game, *action) == play);
        found.ok_or_else(|| format!("\"{play:.40}\" is no legal move here"))
    }

    /// Whether it ended by its rules.
    fn is_finished(&self) -> bool {
        D::is_over(&self.game) || self.game.turn() == Turn::Terminal
    }

    fn is_over(&self) -> bool {
        self.is_finished() || self.is_cut()
    }

    /// Plays a legal move of the opening.
    fn open(&mut self, action: <D::Game as Game>::Action) {
        self.note(GameStep::Action(action));
        self.game.play(action);
        self.opening += 1;
    }

    /// Notes a step that happens in the position.
    fn note(&mut self, step: GameStep<D::Game>) {
        if let Some(log) = &mut self.log {
            step.log(&self.game, log);
        }
        self.steps.push(step);
    }

    /// Whether its limit makes it a draw.
    fn is_drawn(&self) -> bool {
        self.limit.is_some_and(|limit| limit.at_limit == AtLimit::Draw) && self.is_cut()
    }

    /// The turn of a seat, if a player outside is to be told it.
    #[inline]
    fn told_outside(&self, seat: usize) -> Option<Box<TurnInNotation>> {
        matches!(self.players[seat], SeatedPlayer::Outside(_)).then(|| self.turn_in_notation(seat))
    }

    /// The turn of a seat as a player outside is told it.
    fn turn_in_notation(&self, seat: usize) -> Box<TurnInNotation> {
        let told = TurnInNotation {
            game: self.rules_told.game,
            rules: self.rules_told.in_notation(),
            seats: self.game.seats(),
            seat,
            moves: moves_before_turn::<D>(&self.rules, &self.game, &self.steps),
            drawn: drawn_last::<D>(&self.rules, &self.steps),
            legal: self.legal().iter().map(|action| D::NOTATION.write_action(&self.game, *action)).collect(),
            time: self.time,
        };
        Box::new(told)
    }

    /// Lets the seat to play decide.
    fn decide_seen(&mut self, clock: &dyn Clock, explain: bool, watch: Option<&dyn Watch>) -> Result<Decided, Fault> {
        let Turn::Player(seat) = self.game.turn() else { unreachable!("a seat is to play") };
        let told = self.told.take().or_else(|| self.told_outside(seat));
        let turns_left = D::turns_left(&self.game);
        let explained = explain || D::TRACE.needs_tree() || !D::TRACE.columns().is_empty();
        let watching = watch.map(|watch| Watching { game: &self.game, notation: D::NOTATION, watch });
        let observer = watching.as_ref().map(|watching| watching as &dyn Observer<_>);
        let position = PlayerView {
            log: self.log.as_ref(),
            turns_left,
            clock,
            limit: self.time.map(|time| time.share(turns_left)),
            explain: explained,
            terms: watch.is_some(),
            threads: self.threads,
            observer,
            ..PlayerView::of(&self.game, &self.deck)
        };
        let mut decision = match &mut self.players[seat] {
            SeatedPlayer::Inside(player) => player.decide(&position),
            SeatedPlayer::Outside(player) => {
                let place = player.choose(told.as_ref().expect("a player outside is told its turn"))?;
                let mut legal = Vec::new();
                self.game.actions(&mut legal);
                Decision::of(legal[place])
            }
        };
        if !self.is_replay {
            D::TRACE.add(&self.game, &decision, &mut self.traces[seat]);
            if D::TRACE.needs_tree() {
                let tree = match &self.players[seat] {
                    SeatedPlayer::Inside(player) => player.tree(),
                    SeatedPlayer::Outside(_) => Vec::new(),
                };
                D::TRACE.add_tree(&self.game, &decision, &tree, &mut self.traces[seat], &mut self.histograms[seat]);
            }
        }
        if !explain {
            decision.considered = Vec::new();
        }
        self.decided = Some(decision.action);
        Ok(Decided::of(&self.game, D::NOTATION, decision))
    }
}

/// An empty log, if one of these players reads it.
fn log_for<G: Game>(players: &[SeatedPlayer<G>]) -> Option<MoveLog<G>> {
    let reads = |player: &SeatedPlayer<G>| matches!(player, SeatedPlayer::Inside(player) if player.reads_log());
    players.iter().any(reads).then(|| MoveLog::with_room(USUAL_STEPS))
}

/// The moves in notation. The last chance outcome is left out while a seat still has to act on it.
fn moves_before_turn<D: Domain>(rules: &D::Rules, game: &D::Game, steps: &[GameStep<D::Game>]) -> String {
    let pending = matches!((game.turn(), steps.last()), (Turn::Player(_), Some(GameStep::Chance(_))));
    D::NOTATION.write_moves(&D::start(rules), &steps[..steps.len() - usize::from(pending)])
}

/// What chance decided since the last action, if it did.
fn drawn_last<D: Domain>(rules: &D::Rules, steps: &[GameStep<D::Game>]) -> Option<String> {
    let Some((GameStep::Chance(outcome), before)) = steps.split_last() else { return None };
    // An outcome is written in the position before it.
    let mut game = D::start(rules);
    before.iter().for_each(|step| step.apply(&mut game));
    Some(D::NOTATION.write_outcome(&game, *outcome))
}

impl<D: Domain> AnySession for GameSession<D> {
    fn begin(&mut self, terms: &Terms) -> Result<(), String> {
        self.limit = terms.limit;
        if terms.opening.is_empty() {
            return Ok(());
        }
        for (step, number) in D::NOTATION.read_moves(&self.game, &terms.opening)?.into_iter().zip(1..) {
            let (GameStep::Action(action), Turn::Player(_)) = (step, self.game.turn()) else {
                return Err(format!("chance decides before ply {number}; expected moves of seats alone"));
            };
            D::check(&self.game, action).map_err(|problem| format!("ply {number}: {problem}"))?;
            self.open(action);
            if self.is_over() {
                return Err(format!("the game is over after ply {number}"));
            }
        }
        Ok(())
    }

    fn draw_opening(&mut self, plies: u32, choose: &mut dyn FnMut(usize) -> usize) -> Result<(), NoOpening> {
        let mut actions = Vec::new();
        for _ in 0..plies {
            match self.game.turn() {
                _ if self.is_finished() => return Err(NoOpening::EndsTheGame),
                Turn::Player(_) => {
                    self.game.actions(&mut actions);
                    self.open(actions[choose(actions.len())]);
                }
                _ => return Err(NoOpening::Chance),
            }
        }
        if self.is_finished() { Err(NoOpening::EndsTheGame) } else { Ok(()) }
    }

    fn opening(&self) -> u32 {
        self.opening
    }

    fn is_cut(&self) -> bool {
        self.limit.is_some_and(|limit| self.opening + self.turns >= limit.plies) && !self.is_finished()
    }

    fn advance(&mut self) -> Option<usize> {
        loop {
            match self.game.turn() {
                Turn::Terminal => return None,
                _ if D::is_over(&self.game) || self.is_cut() => return None,
                Turn::Player(seat) => {
                    let seats = self.game.seats();
                    assert!(seat < seats, "seat {seat} is to play, and the seats are 0 to {}", seats - 1);
                    return Some(seat);
                }
                Turn::Chance => {
                    let outcome = D::Metrics::deal(&mut self.game, &mut self.deck, &mut self.metrics);
                    self.note(GameStep::Chance(outcome));
                }
            }
        }
    }

    fn turns(&self) -> u32 {
        self.turns
    }

    fn prepare(&mut self, time: Option<TimeLeft>) -> Result<(), Fault> {
        self.time = time;
        let Turn::Player(seat) = self.game.turn() else { unreachable!("a seat is to play") };
        self.told = self.told_outside(seat);
        match (&mut self.players[seat], &self.told) {
            (SeatedPlayer::Outside(player), Some(turn)) => player.prepare(turn),
            _ => Ok(()),
        }
    }

    fn decide(&mut self, clock: &dyn Clock, explain: bool) -> Result<Decided, Fault> {
        self.decide_seen(clock, explain, None)
    }

    fn decided_play(&self) -> String {
        let action = self.decided.expect("a seat has decided");
        let legal = D::check(&self.game, action).is_ok();
        if legal { D::NOTATION.write_action(&self.game, action) } else { format!("{action:?}") }
    }

    fn use_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    fn decide_watched(&mut self, clock: &dyn Clock, watch: &dyn Watch) -> Result<Decided, Fault> {
        self.decide_seen(clock, true, Some(watch))
    }

    fn play_word(&mut self, play: &str) -> Result<(), String> {
        self.decided = Some(self.legal_action(play)?);
        self.play()
    }

    fn words(&self, play: &str) -> Result<String, String> {
        Ok(D::NOTATION.say_action(&self.game, self.legal_action(play)?))
    }

    fn facts(&self) -> (&'static [&'static str], Vec<Vec<i64>>) {
        (D::DRAWING.fact_names(), (0..self.game.seats()).map(|seat| D::DRAWING.facts(&self.game, seat)).collect())
    }

    fn scene(&self) -> Scene {
        D::DRAWING.scene(&self.game, D::NOTATION).unwrap_or_else(|| {
            let legal = self.legal();
            let drawn = drawn_last::<D>(&self.rules, &self.steps).filter(|_| !legal.is_empty());
            let both =
                |action| (D::NOTATION.write_action(&self.game, action), D::NOTATION.say_action(&self.game, action));
            let legal = legal.into_iter().map(both).collect();
            let text = D::DRAWING.text(&self.game, false);
            let text = text
                .unwrap_or_else(|| format!("{} draws no positions; the moves so far:\n{}\n", D::NAME, self.moves()));
            Scene::listed(D::DRAWING.svg(&self.game), text, legal, drawn)
        })
    }

    fn play(&mut self) -> Result<(), String> {
        let action = self.decided.take().expect("a seat has decided");
        D::check(&self.game, action)?;
        self.note(GameStep::Action(action));
        D::Metrics::play(&mut self.game, action, &mut self.metrics);
        self.told = None;
        self.turns += 1;
        Ok(())
    }

    fn add_scores(&self, list: &mut Vec<i32>) {
        let scores = if self.is_drawn() { Scores::default() } else { self.game.scores() };
        list.extend_from_slice(&scores[..self.game.seats()]);
    }

    fn result(&self) -> Vec<i32> {
        let scores = if self.is_drawn() { Scores::default() } else { D::TRACE.result(&self.game, &self.traces) };
        scores[..self.game.seats()].to_vec()
    }

    fn histograms(&self) -> Vec<BTreeMap<String, Vec<u32>>> {
        if D::TRACE.histograms().is_empty() {
            return Vec::new();
        }
        let names = || D::TRACE.histograms().iter().map(|info| info.name.to_owned());
        self.histograms.iter().map(|histograms| names().zip(histograms.iter().cloned()).collect()).collect()
    }

    fn moves(&self) -> String {
        moves_before_turn::<D>(&self.rules, &self.game, &self.steps)
    }

    fn metrics(&self) -> Vec<RecordedMetrics> {
        let mut metrics = self.metrics.clone();
        D::Metrics::finish(&self.game, &mut metrics);
        metrics.iter().map(RecordedMetrics::of).collect()
    }

    fn traces(&self) -> Vec<BTreeMap<String, f64>> {
        if D::TRACE.columns().is_empty() {
            return Vec::new();
        }
        let names = || D::TRACE.columns().iter().map(|info| info.name.to_owned());
        self.traces.iter().map(|columns| names().zip(columns.iter().copied()).collect()).collect()
    }

    fn text(&self, colour: bool) -> Option<String> {
        D::DRAWING.text(&self.game, colour)
    }
}
