//! From records to numbers: what the report keeps of each record.

pub(super) mod formulas;
pub(super) mod load;

use self::formulas::{Canonical, Formulas};
use crate::config::Experiment;
use crate::record::{Digester, Ended, GameRecord, SeatMetrics};
use crate::stats::Summary;
use std::collections::{BTreeMap, HashMap};

/// The records of a run, condensed. Records may come in any order.
#[derive(Debug)]
pub struct Tally {
    players: HashMap<String, usize>,
    /// Finished games.
    pub(in crate::report) games: Vec<Game>,
    /// Games that failed, with the record's words.
    pub(in crate::report) failures: Vec<Failed>,
    /// Virtual score and difference by player, seat and turn.
    pub(in crate::report) turns: BTreeMap<(usize, usize, usize), [Summary; 2]>,
    /// Evolution by player.
    pub(in crate::report) evolution: BTreeMap<usize, EvolutionTally>,
    /// What became of formulas.
    pub(in crate::report) formulas: Formulas,
    canonical: Canonical,
    pub(in crate::report) digester: Digester,
    /// Games of players that the experiment does not have.
    pub strangers: u64,
}

/// A finished game of two.
#[derive(Clone, Debug)]
pub(in crate::report) struct Game {
    pub deck: u32,
    /// By seat, as the fields below.
    pub players: [usize; 2],
    pub scores: [u16; 2],
    pub metrics: [SeatMetrics; 2],
    pub playouts: [u64; 2],
    pub nodes: [u64; 2],
    pub seconds: [f64; 2],
}

/// A failed game.
#[derive(Clone, Debug)]
pub(in crate::report) struct Failed {
    pub id: String,
    pub ended: Ended,
    pub players: Vec<String>,
    pub message: String,
    pub repeat: String,
}

/// What the evolutions of a player came to.
#[derive(Clone, Debug, Default)]
pub(in crate::report) struct EvolutionTally {
    pub decisions: u64,
    pub generations: u64,
    pub ties: u64,
    pub in_range: u64,
    pub by_semantics: u64,
    pub replaced: u64,
    pub playouts: u64,
    pub nodes: Summary,
    pub depth: Summary,
    /// Fitness of what came out, less the first fitness measured.
    pub gain: Summary,
}

impl Tally {
    /// An empty tally for the games of an experiment.
    pub fn new(experiment: &Experiment) -> Tally {
        let short = experiment.players.iter().map(|contender| contender.identity.short());
        Tally {
            players: short.enumerate().map(|(index, short)| (short, index)).collect(),
            games: Vec::new(),
            failures: Vec::new(),
            turns: BTreeMap::new(),
            evolution: BTreeMap::new(),
            formulas: Formulas::default(),
            canonical: Canonical::new(experiment),
            digester: Digester::default(),
            strangers: 0,
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
            self.canonical.simplify(identity, &decision.log.formula)
        });
        let simplified: Vec<String> = simplified.collect();
        self.count(record, &simplified);
        simplified
    }

    fn count(&mut self, record: &GameRecord, simplified: &[String]) {
        self.digester.add(record);
        let [first, second] = &record.seats[..] else {
            self.strangers += 1;
            return;
        };
        let (Some(first), Some(second)) = (self.player(first), self.player(second)) else {
            self.strangers += 1;
            return;
        };
        if record.ended != Ended::Finished {
            self.failures.push(Failed {
                id: record.id.clone(),
                ended: record.ended,
                players: record.run.players.clone(),
                message: record.run.message.clone().unwrap_or_default(),
                repeat: record.run.repeat.clone().unwrap_or_default(),
            });
            return;
        }
        let players = [first, second];
        self.games.push(Game {
            deck: record.deck,
            players,
            scores: [0, 1].map(|seat| record.scores.get(seat).copied().unwrap_or_default()),
            metrics: [0, 1].map(|seat| record.metrics.get(seat).cloned().unwrap_or_default()),
            playouts: [0, 1].map(|seat| record.playouts.get(seat).copied().unwrap_or_default()),
            nodes: [0, 1].map(|seat| record.nodes.get(seat).copied().unwrap_or_default()),
            seconds: [0, 1].map(|seat| record.run.seconds.get(seat).copied().unwrap_or_default()),
        });
        self.add_turns(record, players);
        for (decision, simplified) in record.evolution.iter().zip(simplified) {
            let player = players[decision.turn as usize % 2];
            self.formulas.add(player, decision.turn as usize / 2 + 1, decision, simplified);
            let log = &decision.log;
            let tally = self.evolution.entry(player).or_default();
            tally.decisions += 1;
            tally.generations += log.fitness.len().saturating_sub(1) as u64;
            tally.ties += log.ties as u64;
            tally.in_range += log.in_range as u64;
            tally.by_semantics += log.by_semantics as u64;
            tally.replaced += log.replaced as u64;
            tally.playouts += log.playouts;
            tally.nodes.push(log.nodes as f64);
            tally.depth.push(log.depth as f64);
            if let (Some(first), Some(last)) = (log.fitness.first(), log.fitness.last()) {
                tally.gain.push(last - first);
            }
        }
    }

    /// Virtual scores after each own turn: turn 1 is a seat's first.
    fn add_turns(&mut self, record: &GameRecord, players: [usize; 2]) {
        for (number, scores) in record.virtual_scores.iter().enumerate() {
            let (seat, turn) = (number % 2, number / 2 + 1);
            let [Some(own), Some(other)] = [seat, 1 - seat].map(|seat| scores.get(seat).copied().map(f64::from)) else {
                continue;
            };
            let [score, difference] = self.turns.entry((players[seat], seat, turn)).or_default();
            score.push(own);
            difference.push(own - other);
        }
    }
}
