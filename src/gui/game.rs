//! The game on the table: its seed, rules and players, the list of moves, and a cursor into that list.
//!
//! Everything else follows from these: the deal follows from the seed, and the position from the moves before the
//! cursor. Undo and redo move the cursor; a move that is played at the cursor drops what stands behind it.

use crate::config::Experiment;
use crate::domain::{AnySession, Decided};
use crate::evolve::EvolutionLog;
use crate::league::GameSetup;
use crate::panic::catch;
use crate::record::GameRecord;
use crate::schedule::Schedule;
use std::collections::BTreeMap;

/// What a decision of a player cost, the formula that it used, and what its search left behind.
#[derive(Clone, Debug, Default)]
pub(super) struct Cost {
    pub playouts: u64,
    pub nodes: u64,
    pub evolution: Option<Box<EvolutionLog>>,
    pub traces: Option<Box<Traces>>,
}

/// What the searches of a game have left behind so far, in a game that records it, and the scores that it makes of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Traces {
    pub search: Vec<BTreeMap<String, f64>>,
    pub histograms: Vec<BTreeMap<String, Vec<u32>>>,
    scores: Vec<i32>,
}

impl Cost {
    /// The cost of a decision, after which the game stands like this.
    pub(super) fn of(decided: Decided, session: &dyn AnySession) -> Cost {
        let traces = Traces { search: session.traces(), histograms: session.histograms(), scores: session.result() };
        Cost { playouts: decided.playouts, nodes: decided.nodes, evolution: decided.evolution, traces: traces.kept() }
    }
}

impl Traces {
    /// None of them if the game records none.
    fn kept(self) -> Option<Box<Traces>> {
        (!self.search.is_empty()).then(|| Box::new(self))
    }

    /// Those of a record.
    fn of_record(record: &GameRecord) -> Option<Box<Traces>> {
        let GameRecord { search, histograms, scores, .. } = record.clone();
        Traces { search, histograms, scores }.kept()
    }
}

/// A turn that was played.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    pub seat: usize,
    pub play: String,
    /// The move in words.
    pub words: String,
    /// What each seat would score if the game ended after it.
    pub scores: Vec<i32>,
    /// None for the move of a person.
    pub cost: Option<Cost>,
}

/// A game.
#[derive(Clone, Debug)]
pub(super) struct Game {
    /// The experiment of which it is a game: what it is saved with.
    pub experiment: Experiment,
    pub setup: GameSetup,
    pub turns: Vec<Turn>,
    /// The turns before the position that is shown.
    pub cursor: usize,
    /// The seat to play after the last turn; none if the game is over.
    pub to_move: Option<usize>,
    /// Changes whenever turns are dropped, so that work on dropped turns is noticed.
    pub line: u64,
    /// Why it cannot go on.
    pub failure: Option<String>,
    /// Why its players may not decide here, whatever is played.
    pub held: Option<String>,
    /// Playouts and nodes by seat of the turns that were loaded, as long as all of them stand.
    pub loaded: Option<(Vec<u64>, Vec<u64>)>,
}

impl Game {
    /// The first game of an experiment, at its start.
    ///
    /// # Errors
    /// If the game cannot be started.
    pub(super) fn start(experiment: Experiment, line: u64) -> Result<Game, String> {
        let spec = Schedule::of(&experiment).nth(0).ok_or("the experiment has no game")?;
        let mut game = Game {
            setup: GameSetup::of(&experiment, &spec),
            experiment,
            turns: Vec::new(),
            cursor: 0,
            to_move: None,
            line,
            failure: None,
            held: None,
            loaded: None,
        };
        let mut session = game.setup.session(&[])?;
        game.to_move = catch(|| session.advance())?;
        Ok(game)
    }

    /// A recorded game of an experiment, before its first turn.
    ///
    /// # Errors
    /// If it is no game of the experiment, or its moves are not legal on its deck.
    pub(super) fn recorded(experiment: Experiment, record: &GameRecord, line: u64) -> Result<Game, String> {
        let spec = Schedule::of(&experiment).game(&record.id, &experiment);
        let spec = spec.ok_or_else(|| format!("{:?} is not a game of experiment {}", record.id, experiment.name))?;
        let rules = &experiment.rules;
        let view = rules.domain().view(rules.options().values(), &record.moves)?;
        let setup = GameSetup::of(&experiment, &spec);
        // A record that was not made here may have other lengths.
        let [playouts, nodes] = [&record.playouts, &record.nodes].map(|counts| {
            let mut counts = counts.clone();
            counts.resize(setup.seats.len(), 0);
            counts
        });
        let mut game = Game { setup, ..Game::start(experiment, line)? };
        game.loaded = Some((playouts, nodes));
        let mut session = game.setup.session(&[])?;
        let opening = record.opening as usize;
        let last = view.turns.len().saturating_sub(opening + 1);
        for (number, turn) in view.turns.into_iter().skip(opening).enumerate() {
            let log = record.evolution.iter().find(|decision| decision.turn as usize == number);
            let traces = if number == last { Traces::of_record(record) } else { None };
            let cost =
                Cost { evolution: log.map(|decision| Box::new(decision.log.clone())), traces, ..Cost::default() };
            let cost = (!game.is_person(turn.seat)).then_some(cost);
            game.push_on(session.as_mut(), &turn.play, cost)?;
        }
        Ok(game)
    }

    /// The game after so many turns, chance included, without players.
    ///
    /// # Errors
    /// If the game panics.
    pub(super) fn session_at(&self, turns: usize) -> Result<Box<dyn AnySession>, String> {
        let mut session = self.setup.session(&[])?;
        for turn in &self.turns[..turns.min(self.turns.len())] {
            replay(session.as_mut(), &turn.play)?;
        }
        catch(|| session.advance())?;
        Ok(session)
    }

    /// Plays a move after the last turn.
    ///
    /// # Errors
    /// If it is no legal move; nothing is played then.
    pub(super) fn push(&mut self, play: &str, cost: Option<Cost>) -> Result<(), String> {
        let mut session = self.session_at(self.turns.len())?;
        self.push_on(session.as_mut(), play, cost)
    }

    fn push_on(&mut self, session: &mut dyn AnySession, play: &str, cost: Option<Cost>) -> Result<(), String> {
        let seat = catch(|| session.advance())?.ok_or("the game is over")?;
        let words = catch(|| session.words(play))??;
        catch(|| session.play_word(play))??;
        let mut scores = catch(|| session.scores())?;
        self.to_move = catch(|| session.advance())?;
        // At the end the scores are those of the record.
        if let (None, Some(traces)) = (self.to_move, cost.as_ref().and_then(|cost| cost.traces.as_deref())) {
            scores.clone_from(&traces.scores);
        }
        self.turns.push(Turn { seat, play: play.to_owned(), words, scores, cost });
        Ok(())
    }

    /// Plays a move of a person at the cursor; the turns behind it are dropped.
    ///
    /// # Errors
    /// If no person is to play there, or the move is not legal; nothing is played then.
    pub(super) fn play_at_cursor(&mut self, play: &str) -> Result<(), String> {
        let seat = self.seat_at(self.cursor).ok_or("the game is over")?;
        if !self.is_person(seat) {
            return Err(format!("{} is to play, not a person", self.name(seat)));
        }
        if self.turns.get(self.cursor).is_some_and(|turn| turn.play == play) {
            self.cursor = self.redo_to().unwrap_or(self.turns.len());
            return Ok(());
        }
        let mut shorter = self.clone();
        if self.cursor < self.turns.len() {
            shorter.turns.truncate(self.cursor);
            (shorter.line, shorter.failure, shorter.loaded) = (self.line + 1, None, None);
        }
        shorter.push(play, None)?;
        shorter.cursor = shorter.turns.len();
        *self = shorter;
        Ok(())
    }

    /// The seat to play after so many turns; none where the game is over.
    pub(super) fn seat_at(&self, turn: usize) -> Option<usize> {
        self.turns.get(turn).map(|turn| turn.seat).or(self.to_move)
    }

    /// Whether a person sits there.
    pub(super) fn is_person(&self, seat: usize) -> bool {
        self.setup.seats[seat].spec.kind().is_person()
    }

    /// Whether people play in it.
    pub(super) fn has_people(&self) -> bool {
        (0..self.setup.seats.len()).any(|seat| self.is_person(seat))
    }

    /// The name of a seat's player.
    pub(super) fn name(&self, seat: usize) -> &str {
        &self.setup.seats[seat].name
    }

    /// Where undo goes: to the last turn of a person before the cursor, or one turn back where no people play.
    pub(super) fn undo_to(&self) -> Option<usize> {
        let own = |turn: &usize| !self.has_people() || self.is_person(self.turns[*turn].seat);
        (0..self.cursor).rev().find(own)
    }

    /// Where redo goes: to the next turn of a person after the cursor, or to the end.
    pub(super) fn redo_to(&self) -> Option<usize> {
        let own = |turn: &usize| !self.has_people() || self.seat_at(*turn).is_some_and(|seat| self.is_person(seat));
        let last = self.turns.len();
        (self.cursor < last).then(|| (self.cursor + 1..=last).find(own).unwrap_or(last))
    }
}

/// Plays a recorded move.
pub(super) fn replay(session: &mut dyn AnySession, play: &str) -> Result<(), String> {
    catch(|| session.advance())?;
    catch(|| session.play_word(play))?
}
