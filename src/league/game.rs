//! One game, from its key to its record.

use super::panic::catch;
use crate::carcassonne::{
    Award, Deck, Drawn, Event, FeatureKind, PlayedTurn, Rules, State, Transcript, Unplaceable, write_turn,
};
use crate::config::{Experiment, Log};
use crate::player::{Player, Position, Spec};
use crate::record::{
    ConsideredMove, DecisionLog, DecisionTrace, Ended, FeatureMetrics, GameRecord, RunInfo, SeatMetrics, VERSION,
};
use crate::schedule::{GameSpec, game_id};
use crate::search::Clock;
use crate::seed::{Identity, Key};

/// A table with its players: everything that a game depends on.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// The experiment's seed.
    pub seed: u64,
    /// The rules.
    pub rules: Rules,
    /// Whether the deck is shared by all matches.
    pub mirror: bool,
    /// The number of the deck, from 1.
    pub deck: u32,
    /// The players, by seat: kind and parameters, name, and which of those alike it is.
    pub seats: Vec<(Spec, String, u32)>,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Its record.
    pub record: GameRecord,
    /// What players considered, if that is logged.
    pub thoughts: Vec<DecisionTrace>,
}

impl GameSetup {
    /// The table of a game of an experiment.
    pub fn of(experiment: &Experiment, game: &GameSpec) -> GameSetup {
        let seat = |player: &usize| {
            let contender = &experiment.players[*player];
            (contender.spec.clone(), contender.name.clone(), contender.ordinal)
        };
        GameSetup {
            seed: experiment.seed,
            rules: experiment.rules,
            mirror: experiment.mirror,
            deck: game.deck,
            seats: game.seats.iter().map(seat).collect(),
        }
    }

    fn identities(&self) -> Vec<Identity> {
        self.seats.iter().map(|(spec, _, ordinal)| spec.identity(*ordinal)).collect()
    }

    /// The game's deck.
    pub fn shuffled_deck(&self) -> Deck {
        let key = Key::experiment(self.seed);
        let key = if self.mirror { key.deck(self.deck) } else { key.match_deck(self.deck, &self.identities()) };
        Deck::shuffled(&self.rules, key)
    }

    /// The players, each with the key of its seat.
    pub fn players(&self) -> Vec<Box<dyn Player<State>>> {
        let key = Key::experiment(self.seed).game(self.deck, &self.identities());
        self.seats.iter().enumerate().map(|(seat, (spec, ..))| spec.player(key.seat(seat))).collect()
    }

    /// Plays the game with its own players.
    pub fn play(&self, clock: &dyn Clock, log: Log, host: &str) -> Played {
        match catch(|| self.players()) {
            Ok(players) => self.play_with(players, clock, log, host),
            Err(message) => {
                let mut game = GameInProgress::new(self, log);
                game.failure = Some((Ended::Panicked, message));
                game.finish(self, host)
            }
        }
    }

    /// Plays the game with these players in place of its own.
    pub fn play_with(
        &self,
        mut players: Vec<Box<dyn Player<State>>>,
        clock: &dyn Clock,
        log: Log,
        host: &str,
    ) -> Played {
        let mut game = GameInProgress::new(self, log);
        while game.deal() {
            let seat = game.state().player();
            if let Err(failure) = game.take_turn(players[seat].as_mut(), clock) {
                game.failure = Some(failure);
                break;
            }
        }
        game.finish(self, host)
    }
}

/// A game in progress.
pub struct GameInProgress {
    state: State,
    deck: Deck,
    log: Log,
    events: Vec<Event>,
    virtual_scores: Vec<Vec<u16>>,
    metrics: Vec<SeatMetrics>,
    playouts: Vec<u64>,
    nodes: Vec<u64>,
    seconds: Vec<f64>,
    evolution: Vec<DecisionLog>,
    considered: Vec<(u32, Vec<ConsideredMove>)>,
    failure: Option<(Ended, String)>,
}

impl GameInProgress {
    /// A game at its start.
    pub fn new(table: &GameSetup, log: Log) -> GameInProgress {
        let seats = table.seats.len();
        GameInProgress {
            state: State::new(table.rules),
            deck: table.shuffled_deck(),
            log,
            events: Vec::new(),
            virtual_scores: Vec::new(),
            metrics: vec![SeatMetrics::default(); seats],
            playouts: vec![0; seats],
            nodes: vec![0; seats],
            seconds: vec![0.0; seats],
            evolution: Vec::new(),
            considered: Vec::new(),
            failure: None,
        }
    }

    /// The position.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The evolution of the last turn, if it had one.
    pub fn last_evolution(&self) -> Option<&DecisionLog> {
        let turn = self.state.turns().len() as u32;
        self.evolution.last().filter(|decision| decision.turn + 1 == turn)
    }

    /// Draws until a tile is in hand. False once the game is over.
    pub fn deal(&mut self) -> bool {
        while !self.state.is_over() {
            match self.deck.deal(&mut self.state) {
                Some((_, Drawn::InHand)) => return true,
                Some((tile, Drawn::SetAside)) => self.events.push(Event::SetAside(tile)),
                None => return false,
            }
        }
        false
    }

    /// Lets the player to move decide, and plays what it decided.
    ///
    /// # Errors
    /// If it panics or breaks a rule.
    pub fn take_turn(
        &mut self,
        player: &mut dyn Player<State>,
        clock: &dyn Clock,
    ) -> Result<PlayedTurn, (Ended, String)> {
        let seat = self.state.player();
        let turn_number = self.state.turns().len() as u32;
        let seats = u32::from(self.state.rules().seats);
        let position = Position {
            state: &self.state,
            deck: &self.deck,
            turns_left: u32::from(self.state.tiles_left()) / seats + 1,
            clock,
            explain: self.log == Log::Full,
        };
        let started = clock.now();
        let decision = catch(|| player.decide(&position));
        self.seconds[seat] += clock.now().saturating_sub(started).as_secs_f64();
        let decision = decision.map_err(|message| (Ended::Panicked, message))?;
        let tile = self.state.hand().ok_or((Ended::Panicked, "no tile is in hand".to_owned()))?;
        let turn = PlayedTurn { tile, action: decision.action };
        self.state.check(decision.action).map_err(|error| {
            let player = &self.state.rules().tiles.kind(tile).name;
            (Ended::IllegalMove, format!("tile {player} to {:?}: {error}", decision.action))
        })?;

        self.playouts[seat] += decision.playouts;
        self.nodes[seat] += decision.nodes;
        let tiles = self.state.rules().tiles;
        if let (Some(log), true) = (decision.evolution, self.log >= Log::Formulas) {
            self.evolution.push(DecisionLog { turn: turn_number, log });
        }
        if !decision.considered.is_empty() {
            let considered = decision.considered.iter().map(|child| ConsideredMove {
                play: write_turn(&PlayedTurn { tile, action: child.action }, tiles),
                visits: child.visits,
                mean: child.mean,
            });
            self.considered.push((turn_number, considered.collect()));
        }

        let metrics = &mut self.metrics[seat];
        metrics.turns += 1;
        metrics.turns_with_meeple += u32::from(self.state.meeples_left()[seat] > 0);
        if let Some(segment) = decision.action.meeple {
            metrics.meeples += 1;
            of_kind(metrics, tiles.segments(tile)[segment.index()].kind()).meeples += 1;
        }
        let mut awards: Vec<Award> = Vec::new();
        self.state.play_legal(decision.action, &mut awards);
        self.count(&awards);
        self.events.push(Event::Turn(turn));
        self.virtual_scores.push(self.scores());
        Ok(turn)
    }

    fn count(&mut self, awards: &[Award]) {
        for award in awards {
            for seat in award.winners() {
                of_kind(&mut self.metrics[seat], award.kind).points += u32::from(award.points);
            }
        }
    }

    fn scores(&self) -> Vec<u16> {
        self.state.virtual_scores()[..usize::from(self.state.rules().seats)].to_vec()
    }

    /// The record of the game as it stands.
    pub fn finish(mut self, table: &GameSetup, host: &str) -> Played {
        self.count(&self.state.standing_awards());
        let identities = table.identities();
        let id = game_id(table.deck, &identities);
        let (ended, message) = match self.failure.take() {
            Some((ended, message)) => (ended, Some(message)),
            None => (Ended::Finished, None),
        };
        let thoughts = std::mem::take(&mut self.considered);
        let record = GameRecord {
            deck: table.deck,
            seats: identities.iter().map(Identity::short).collect(),
            ended,
            reproducible: table.seats.iter().all(|(spec, ..)| spec.is_reproducible()),
            moves: Transcript::events_text(&self.events, table.rules.tiles),
            scores: self.scores(),
            virtual_scores: self.virtual_scores,
            metrics: self.metrics,
            playouts: self.playouts,
            nodes: if self.nodes.iter().all(|nodes| *nodes == 0) { Vec::new() } else { self.nodes },
            evolution: self.evolution,
            run: RunInfo {
                players: table.seats.iter().map(|(_, name, _)| name.clone()).collect(),
                seconds: self.seconds.iter().map(|seconds| (seconds * 1e6).round() / 1e6).collect(),
                host: host.to_owned(),
                evouct: VERSION.to_owned(),
                at: 0,
                repeat: message.is_some().then(|| repeat_command(table)),
                message,
            },
            id: id.clone(),
        };
        let thoughts =
            thoughts.into_iter().map(|(turn, considered)| DecisionTrace { id: id.clone(), turn, considered });
        Played { record, thoughts: thoughts.collect() }
    }
}

fn of_kind(metrics: &mut SeatMetrics, kind: FeatureKind) -> &mut FeatureMetrics {
    match kind {
        FeatureKind::City => &mut metrics.city,
        FeatureKind::Road => &mut metrics.road,
        FeatureKind::Field => &mut metrics.field,
        FeatureKind::Monastery => &mut metrics.monastery,
    }
}

/// A command that plays the same game again.
pub fn repeat_command(table: &GameSetup) -> String {
    let mut command = "evouct play".to_owned();
    for (seat, (spec, ..)) in table.seats.iter().enumerate() {
        command.push_str(&format!(" -{} '{}'", seat + 1, spec.description().replace('\'', "'\\''")));
    }
    command.push_str(&format!(" --seed {} --deck {}", table.seed, table.deck));
    let ordinals: Vec<String> = table.seats.iter().map(|(.., ordinal)| ordinal.to_string()).collect();
    if ordinals.iter().any(|ordinal| ordinal != "0") {
        command.push_str(&format!(" --ordinals {}", ordinals.join(",")));
    }
    if !table.mirror {
        command.push_str(" --no-mirror");
    }
    let official = Rules::official(table.rules.seats);
    if table.rules.two_tile_city != official.two_tile_city {
        command.push_str(&format!(" --two-tile-city {}", table.rules.two_tile_city));
    }
    if table.rules.unplaceable != official.unplaceable {
        let name = Unplaceable::NAMES.iter().find(|(_, rule)| *rule == table.rules.unplaceable);
        command.push_str(&format!(" --unplaceable {}", name.map_or("", |(name, _)| name)));
    }
    command
}
