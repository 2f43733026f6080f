//! One game, from its key to its record.

use super::seat_clock::SeatClock;
use crate::config::{Contender, Experiment, GameFrame, Log, TimeControl, play_command};
use crate::record::{
    ConsideredMove, DecisionLog, DecisionTrace, Ended, GameRecord, RecordedFault, RunInfo, TurnScores,
};
use crate::schedule::{GameSpec, game_id};
use evouct_base::named::Named;
use evouct_base::panic::catch;
use evouct_base::seed::{Identity, Key};
use evouct_platform::domain::{
    AnySession, Domain, Fault, FaultReason, GameRules, GameSession, RecordedMetrics, Spec, Weighed,
};
use evouct_search::player::Player;
use evouct_search::search::Clock;
use evouct_store::VERSION;
use std::collections::BTreeMap;

/// Everything that a game depends on.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// The experiment's seed.
    pub seed: u64,
    /// The game and its rules.
    pub rules: GameRules,
    /// How it begins, and where it ends at the latest.
    pub frame: GameFrame,
    /// The time of each seat; none if the game has no clock.
    pub clock: Option<TimeControl>,
    /// Whether the deck is shared by all matches.
    pub mirror: bool,
    /// The number of the deck, from 1.
    pub deck: u32,
    /// The players, by seat.
    pub seats: Vec<Contender>,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Its record.
    pub record: GameRecord,
    /// The actions that players considered, if logged.
    pub traces: Vec<DecisionTrace>,
}

impl GameSetup {
    /// The setup of a game of an experiment.
    pub fn of(experiment: &Experiment, game: &GameSpec) -> GameSetup {
        GameSetup {
            seed: experiment.seed,
            rules: experiment.rules.clone(),
            frame: experiment.frame.clone(),
            clock: experiment.clock,
            mirror: experiment.mirror,
            deck: game.deck,
            seats: game.seats.iter().map(|player| experiment.players[*player].clone()).collect(),
        }
    }

    /// A command that plays the game again.
    pub fn repeat_command(&self) -> String {
        let seats = self.seats.iter().map(|player| (&player.spec, player.ordinal));
        let terms = self.frame.terms(self.deck).unwrap_or_default();
        let rules = (&self.rules, self.clock.as_ref());
        play_command(rules, seats, self.seed, self.deck, self.mirror, &terms)
    }

    fn identities(&self) -> Vec<Identity> {
        self.seats.iter().map(|player| player.identity).collect()
    }

    /// The keys of the deck and of the game between these players.
    fn keys(&self, players: &[Identity]) -> [Key; 2] {
        let key = Key::experiment(self.seed);
        let deck = if self.mirror { key.deck(self.deck) } else { key.match_deck(self.deck, players) };
        [deck, key.game(self.deck, players)]
    }

    /// The key of the game's deck.
    pub fn deck_key(&self) -> Key {
        self.keys(&self.identities())[0]
    }

    /// The key of the player on a seat, counted from 0.
    pub fn player_key(&self, seat: usize) -> Key {
        self.keys(&self.identities())[1].seat(seat)
    }

    /// The game before its first decision, between these players or none.
    ///
    /// # Errors
    /// If it cannot be started, or has no opening.
    pub fn session(&self, players: &[(Spec, Key)]) -> Result<Box<dyn AnySession>, String> {
        self.session_on(self.deck_key(), players)
    }

    fn session_on(&self, deck: Key, players: &[(Spec, Key)]) -> Result<Box<dyn AnySession>, String> {
        let terms = self.frame.terms(self.deck)?;
        catch(|| {
            let mut session = self.rules.domain().session(self.rules.options().values(), deck, players);
            session.begin(&terms).map_err(|problem| format!("the opening {:?}: {problem}", terms.opening))?;
            Ok(session)
        })?
    }

    fn own_session(&self, identities: &[Identity]) -> Result<Box<dyn AnySession>, String> {
        let [deck, game] = self.keys(identities);
        let players = self.seats.iter().enumerate().map(|(seat, player)| (player.spec.clone(), game.seat(seat)));
        self.session_on(deck, &players.collect::<Vec<_>>())
    }

    /// Plays the game with its own players.
    pub fn play(&self, clock: &dyn Clock, log: Log, host: &str) -> Played {
        let identities = self.identities();
        match self.own_session(&identities) {
            Ok(session) => self.play_session((session, identities), clock, log, host),
            Err(message) => self.failed(message, host),
        }
    }

    /// Plays the game with these players instead of its own.
    ///
    /// # Panics
    /// If the setup is of another game than `D`, or has no opening.
    pub fn play_with<D: Domain>(
        &self,
        players: Vec<Box<dyn Player<D::Game>>>,
        clock: &dyn Clock,
        log: Log,
        host: &str,
    ) -> Played {
        let rules = self.rules.typed::<D>().expect("the setup is of this game");
        let mut session = GameSession::<D>::new(rules, self.deck_key(), players);
        self.frame.terms(self.deck).and_then(|terms| session.begin(&terms)).expect("the deck has an opening");
        self.play_session((Box::new(session), self.identities()), clock, log, host)
    }

    /// Plays recorded moves instead of the players' own; `search` is what their searches left behind, as recorded.
    ///
    /// # Errors
    /// What is wrong in the notation.
    pub fn replay(&self, moves: &str, search: &[BTreeMap<String, f64>], clock: &dyn Clock) -> Result<Played, String> {
        let (rules, terms) = (self.rules.options().values(), self.frame.terms(self.deck)?);
        let session = self.rules.domain().replay(rules, self.deck_key(), &terms, moves, search)?;
        Ok(self.play_session((session, self.identities()), clock, Log::None, ""))
    }

    fn play_session(
        &self,
        (session, identities): (Box<dyn AnySession>, Vec<Identity>),
        clock: &dyn Clock,
        log: Log,
        host: &str,
    ) -> Played {
        let mut game = GameInProgress::of(Some(session), identities, (log, self.clock));
        while let Some(seat) = game.advance() {
            if game.take_turn(seat, clock).is_err() {
                break;
            }
        }
        game.finish(self, host)
    }

    /// The record of a game whose start or whose players could not be made: nothing was played.
    pub(super) fn failed(&self, message: String, host: &str) -> Played {
        let (rules, terms) = (self.rules.options().values(), self.frame.terms(self.deck).unwrap_or_default());
        let session = self.rules.domain().replay(rules, self.deck_key(), &terms, "", &[]).ok();
        let mut game = GameInProgress::of(session, self.identities(), (Log::None, self.clock));
        game.failure = Some((Ended::Panicked, message));
        game.finish(self, host)
    }
}

/// Most games are shorter.
const USUAL_TURNS: usize = 128;

/// A game in progress, with what its record needs.
pub struct GameInProgress {
    /// None if not even the start of the game could be made.
    session: Option<Box<dyn AnySession>>,
    /// Those of the players, by seat.
    identities: Vec<Identity>,
    log: Log,
    /// By seat; empty if the game has no clock.
    clocks: Vec<SeatClock>,
    virtual_scores: TurnScores,
    /// The seat of each decision.
    movers: Vec<u8>,
    playouts: Vec<u64>,
    nodes: Vec<u64>,
    seconds: Vec<f64>,
    evolution: Vec<DecisionLog>,
    considered: Vec<(u32, Vec<ConsideredMove>)>,
    failure: Option<(Ended, String)>,
    fault: Option<RecordedFault>,
}

impl GameInProgress {
    /// A game at its start, between the players of its setup.
    ///
    /// # Errors
    /// If a player cannot be made.
    pub fn new(setup: &GameSetup, log: Log) -> Result<GameInProgress, String> {
        let identities = setup.identities();
        let session = setup.own_session(&identities)?;
        Ok(GameInProgress::of(Some(session), identities, (log, setup.clock)))
    }

    fn of(
        session: Option<Box<dyn AnySession>>,
        identities: Vec<Identity>,
        (log, clock): (Log, Option<TimeControl>),
    ) -> GameInProgress {
        let seats = identities.len();
        GameInProgress {
            session,
            identities,
            log,
            clocks: clock.map_or(Vec::new(), |control| vec![SeatClock::of(control); seats]),
            virtual_scores: TurnScores::with_room(USUAL_TURNS, seats),
            movers: Vec::with_capacity(USUAL_TURNS),
            playouts: vec![0; seats],
            nodes: vec![0; seats],
            seconds: vec![0.0; seats],
            evolution: Vec::new(),
            considered: Vec::new(),
            failure: None,
            fault: None,
        }
    }

    /// Lets each decision use so many threads: for a game that is played alone.
    pub fn use_threads(&mut self, threads: usize) {
        if let Some(session) = &mut self.session {
            session.use_threads(threads);
        }
    }

    /// The game itself.
    pub fn session(&self) -> &dyn AnySession {
        self.session.as_deref().expect("a game that a caller has was started")
    }

    /// The evolution of the last turn, if it had one.
    pub fn last_evolution(&self) -> Option<&DecisionLog> {
        let turn = self.session().turns();
        self.evolution.last().filter(|decision| decision.turn + 1 == turn)
    }

    /// Lets chance decide until a seat is to play, and returns the seat; none once the game is over or has panicked.
    pub fn advance(&mut self) -> Option<usize> {
        let session = self.session.as_mut()?;
        match catch(|| session.advance()) {
            Ok(seat) => seat,
            Err(message) => {
                self.failure = Some((Ended::Panicked, of_the_game(&message)));
                None
            }
        }
    }

    /// Lets the seat to play decide, and plays what it decided.
    ///
    /// # Errors
    /// If the player or the game panics, the player breaks a rule or exceeds its clock, or a player that is another program
    /// loses by a fault; the game ends there.
    pub fn take_turn(&mut self, seat: usize, clock: &dyn Clock) -> Result<(), String> {
        self.play_turn(seat, clock, |_| ())
    }

    /// The same, and returns what was played in notation.
    ///
    /// # Errors
    /// As [`take_turn`](GameInProgress::take_turn).
    pub fn take_turn_in_notation(&mut self, seat: usize, clock: &dyn Clock) -> Result<String, String> {
        self.play_turn(seat, clock, |session| session.decided_play())
    }

    /// Takes a turn; `told` sees the game between the decision and the move.
    fn play_turn<T>(
        &mut self,
        seat: usize,
        clock: &dyn Clock,
        told: impl FnOnce(&dyn AnySession) -> T,
    ) -> Result<T, String> {
        fn failed<T>(game: &mut GameInProgress, ended: Ended, message: String) -> Result<T, String> {
            game.failure = Some((ended, message.clone()));
            Err(message)
        }
        let session = self.session.as_mut().expect("a seat is to play");
        let turn = session.turns();
        let time = self.clocks.get(seat).map(SeatClock::left);
        let mut started = None;
        let decided = catch(|| {
            session.prepare(time)?;
            started = Some(clock.now());
            session.decide(clock, self.log == Log::Full)
        });
        let taken = started.map_or(0.0, |started| clock.now().saturating_sub(started).as_secs_f64());
        self.seconds[seat] += taken;
        let on_time = match (&decided, self.clocks.get_mut(seat)) {
            (Ok(Ok(_)), Some(clock)) => clock.take(taken),
            _ => Ok(()),
        };
        let decided = match (decided, on_time) {
            (Ok(Ok(decided)), Ok(())) => decided,
            (Ok(Err(Fault { reason, message })), _) | (_, Err(Fault { reason, message })) => {
                self.fault = Some(RecordedFault { seat: seat as u8, reason });
                return failed(self, Ended::Fault, message);
            }
            (Err(message), _) => return failed(self, Ended::Panicked, message),
        };
        let played = catch(|| {
            let told = told(session.as_ref());
            session.play()?;
            self.virtual_scores.push_with(|list| session.add_scores(list));
            Ok(told)
        });
        let told = match played {
            Ok(Ok(told)) => told,
            Ok(Err(message)) => return failed(self, Ended::IllegalMove, message),
            Err(message) => return failed(self, Ended::Panicked, of_the_game(&message)),
        };
        self.playouts[seat] += decided.playouts;
        self.nodes[seat] += decided.nodes;
        if let (Some(log), true) = (decided.evolution, self.log >= Log::Formulas) {
            self.evolution.push(DecisionLog { turn, log: *log });
        }
        if !decided.considered.is_empty() {
            let considered = decided.considered.into_iter();
            let considered = considered.map(|Weighed { play, visits, mean, upper_bound, .. }| ConsideredMove {
                play,
                visits,
                mean,
                upper_bound,
            });
            self.considered.push((turn, considered.collect()));
        }
        self.movers.push(seat as u8);
        Ok(told)
    }

    /// Asks the session about the game as it stands. None if there is no session or it panics, which fails the game.
    fn ask<T>(&mut self, question: impl FnOnce(&dyn AnySession) -> T) -> Option<T> {
        let session = self.session.as_deref()?;
        let answer = catch(|| question(session));
        answer.map_err(|message| self.failure.get_or_insert((Ended::Panicked, of_the_game(&message)))).ok()
    }

    /// The record of the game as it stands.
    pub fn finish(mut self, setup: &GameSetup, host: &str) -> Played {
        let id = game_id(setup.deck, &self.identities);
        let seats = self.identities.len();
        let moves = self.ask(|session| session.moves()).unwrap_or_default();
        let mut scores = self.ask(|session| session.result()).unwrap_or_else(|| vec![0; seats]);
        let metrics = self.ask(|session| session.metrics()).unwrap_or_else(|| vec![RecordedMetrics::of(&()); seats]);
        let search = self.ask(|session| session.traces()).unwrap_or_default();
        let histograms = self.ask(|session| session.histograms()).unwrap_or_default();
        let is_cut = self.ask(|session| session.is_cut()).unwrap_or_default();
        let (ended, message) = match self.failure.take() {
            Some((ended, message)) => (ended, Some(message)),
            None if is_cut => (Ended::Limit, None),
            None => (Ended::Finished, None),
        };
        let message = match (&self.fault, message) {
            (Some(fault), Some(message)) => {
                fault.forfeit(&mut scores);
                let (seat, reason) = (usize::from(fault.seat), fault.reason);
                let lost = match reason {
                    FaultReason::NotStarted => "did not start".to_owned(),
                    FaultReason::OutOfTime => "lost on time".to_owned(),
                    reason => format!("lost by a fault ({})", reason.name()),
                };
                Some(format!("{} on seat {} {lost}: {message}", setup.seats[seat].name, seat + 1))
            }
            (_, message) => message,
        };
        let take_turns = self.movers.iter().enumerate().all(|(turn, seat)| usize::from(*seat) == turn % seats);
        let record = GameRecord {
            deck: setup.deck,
            seats: self.identities.iter().map(Identity::short).collect(),
            ended,
            fault: self.fault,
            reproducible: self.fault.is_none()
                && setup.clock.is_none()
                && setup.seats.iter().all(|player| player.spec.is_reproducible()),
            opening: self.session.as_deref().map_or(0, AnySession::opening),
            moves,
            scores,
            virtual_scores: self.virtual_scores,
            movers: if take_turns { Vec::new() } else { self.movers },
            metrics,
            search,
            histograms,
            playouts: self.playouts,
            nodes: if self.nodes.iter().all(|nodes| *nodes == 0) { Vec::new() } else { self.nodes },
            evolution: self.evolution,
            run: RunInfo {
                players: setup.seats.iter().map(|player| player.name.clone()).collect(),
                seconds: self.seconds.iter().map(|seconds| (seconds * 1e6).round() / 1e6).collect(),
                host: host.to_owned(),
                evouct: VERSION.to_owned(),
                at: 0,
                repeat: message.is_some().then(|| setup.repeat_command()),
                message,
            },
            id: id.clone(),
        };
        let traces = self.considered.into_iter();
        let traces = traces.map(|(turn, considered)| DecisionTrace { id: id.clone(), turn, considered });
        Played { record, traces: traces.collect() }
    }
}

/// The message of a panic that was not a player's.
fn of_the_game(message: &str) -> String {
    format!("the game panicked: {message}")
}
