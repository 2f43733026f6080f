//! From records to numbers: what the report keeps of each game.

pub(super) mod evolution;
pub(super) mod formulas;
pub(super) mod game_result;
pub(super) mod load;
pub(super) mod measures;
pub(super) mod sample;

use crate::config::Experiment;
use crate::record::{Digester, Ended, GameRecord};
use crate::stats::Summary;
use evolution::EvolutionTotals;
use formulas::{Formulas, Simplifier};
use game_result::{FailedGame, GameResult};
use std::collections::{BTreeMap, HashMap};

/// The records of a run, condensed: a few numbers per game. Records may come in any order.
#[derive(Debug)]
pub struct Aggregate {
    players: HashMap<String, usize>,
    /// Finished games.
    pub(super) games: Vec<GameResult>,
    /// Games that failed.
    pub(super) failures: Vec<FailedGame>,
    /// Virtual score and difference by player, seat and turn.
    pub(super) turns: BTreeMap<(usize, usize, usize), [Summary; 2]>,
    /// Evolution by player.
    pub(super) evolution: BTreeMap<usize, EvolutionTotals>,
    /// Evolved formulas by player.
    pub(super) formulas: Formulas,
    simplifier: Simplifier,
    pub(super) digester: Digester,
    /// Games that are in no table: a player is not in the experiment, or the game does not have two seats.
    pub left_out: u64,
}

impl Aggregate {
    /// An empty aggregate for the games of an experiment.
    pub fn new(experiment: &Experiment) -> Aggregate {
        let short = experiment.players.iter().map(|contender| contender.identity.short());
        Aggregate {
            players: short.enumerate().map(|(index, short)| (short, index)).collect(),
            games: Vec::new(),
            failures: Vec::new(),
            turns: BTreeMap::new(),
            evolution: BTreeMap::new(),
            formulas: Formulas::default(),
            simplifier: Simplifier::new(experiment),
            digester: Digester::default(),
            left_out: 0,
        }
    }

    /// The index of a player by its short identity.
    pub fn player(&self, identity: &str) -> Option<usize> {
        self.players.get(identity).copied()
    }

    /// Adds a game; returns its formulas simplified, decision by decision.
    pub fn add(&mut self, record: &GameRecord) -> Vec<String> {
        let simplified = record.evolution.iter().map(|decision| {
            let seat = decision.turn as usize % record.seats.len().max(1);
            let identity = record.seats.get(seat).map(String::as_str).unwrap_or_default();
            self.simplifier.simplify(identity, &decision.log.formula)
        });
        let simplified: Vec<String> = simplified.collect();
        self.count(record, &simplified);
        simplified
    }

    fn count(&mut self, record: &GameRecord, simplified: &[String]) {
        self.digester.add(record);
        let players: Option<Vec<usize>> = record.seats.iter().map(|identity| self.player(identity)).collect();
        // The tables of a league compare two players; games with another number of seats have no place in them.
        let Some(players) = players.filter(|players| players.len() == 2) else {
            self.left_out += 1;
            return;
        };
        if record.ended != Ended::Finished {
            self.failures.push(FailedGame::of(record));
            return;
        }
        self.games.push(GameResult::of(record, &players));
        self.add_turns(record, &players);
        for (decision, simplified) in record.evolution.iter().zip(simplified) {
            let (player, turn) = (players[decision.turn as usize % players.len()], decision.turn as usize);
            self.formulas.add(player, turn / players.len() + 1, decision, simplified);
            self.evolution.entry(player).or_default().add(decision);
        }
    }

    /// Virtual scores after each own turn: turn 1 is a seat's first.
    fn add_turns(&mut self, record: &GameRecord, players: &[usize]) {
        for (number, scores) in record.virtual_scores.iter().enumerate() {
            let (seat, turn) = (number % players.len(), number / players.len() + 1);
            if scores.len() != players.len() {
                continue;
            }
            let own = f64::from(scores[seat]);
            let others = scores.iter().enumerate().filter(|(other, _)| *other != seat);
            let best = others.map(|(_, score)| f64::from(*score)).fold(f64::NEG_INFINITY, f64::max);
            let [score, difference] = self.turns.entry((players[seat], seat, turn)).or_default();
            score.push(own);
            difference.push(own - best);
        }
    }
}
