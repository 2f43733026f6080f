//! From records to numbers: what the report keeps of each game.

pub(super) mod evolution;
pub(super) mod formulas;
pub(super) mod game_result;
pub(super) mod histograms;
pub(super) mod load;
pub(super) mod measures;
pub(super) mod sample;
pub(super) mod turn_sums;

use evolution::EvolutionTotals;
use evouct_base::named::Named;
use evouct_league::config::Experiment;
use evouct_league::record::{Digester, Ended, GameRecord};
use evouct_platform::domain::AnyDomain;
use evouct_stats::distinct::Distinct;
use formulas::{Formulas, Simplifier};
use game_result::{FailedGame, GameResult};
use histograms::Histograms;
use std::collections::{BTreeMap, HashMap};
use turn_sums::TurnSums;

/// The records of a run, condensed: a few numbers per game. It depends on the records alone and not on their order.
#[derive(Debug)]
pub struct Aggregate {
    domain: &'static dyn AnyDomain,
    players: HashMap<String, usize>,
    /// Seats of the experiment's games, and whether its decks are mirrored.
    seats: usize,
    mirror: bool,
    /// Games whose results show strength.
    pub(super) games: Vec<GameResult>,
    /// Games that were lost on time: they count as lost, and are no evidence of strength.
    pub(super) lost_on_time: Vec<GameResult>,
    /// Games that failed.
    pub(super) failures: Vec<FailedGame>,
    /// Faults by player and reason, of the games that were lost by one.
    pub(super) faults: BTreeMap<usize, BTreeMap<&'static str, u64>>,
    /// The openings by deck, of games that have one.
    pub(super) openings: BTreeMap<u32, String>,
    /// Games that a limit of plies ended.
    pub(super) limited: u64,
    /// Virtual scores by player, seat and turn.
    pub(super) turns: BTreeMap<(usize, usize, usize), TurnSums>,
    /// Evolution by player.
    pub(super) evolution: BTreeMap<usize, EvolutionTotals>,
    /// Evolved formulas by player.
    pub(super) formulas: Formulas,
    /// Histograms of searches by player.
    pub(super) histograms: Histograms,
    simplifier: Simplifier,
    pub(super) digester: Digester,
    /// Games that are in no table: a player is not in the experiment, the game has another number of seats, or its
    /// metrics are not those of the game.
    pub left_out: u64,
}

impl Aggregate {
    /// An empty aggregate for the games of an experiment.
    pub fn new(experiment: &Experiment) -> Aggregate {
        let short = experiment.players.iter().map(|contender| contender.identity.short());
        Aggregate {
            domain: experiment.rules.domain(),
            players: short.enumerate().map(|(index, short)| (short, index)).collect(),
            seats: experiment.rules.seats(),
            mirror: experiment.mirror,
            games: Vec::new(),
            lost_on_time: Vec::new(),
            failures: Vec::new(),
            faults: BTreeMap::new(),
            openings: BTreeMap::new(),
            limited: 0,
            turns: BTreeMap::new(),
            evolution: BTreeMap::new(),
            formulas: Formulas::default(),
            histograms: Histograms::default(),
            simplifier: Simplifier::new(experiment),
            digester: Digester::default(),
            left_out: 0,
        }
    }

    /// These games of an experiment.
    pub fn of_games<'a>(experiment: &Experiment, games: impl IntoIterator<Item = &'a GameRecord>) -> Aggregate {
        let mut aggregate = Aggregate::new(experiment);
        games.into_iter().for_each(|game| aggregate.add(game));
        aggregate.sort();
        aggregate
    }

    /// The index of a player by its short identity.
    pub fn player(&self, identity: &str) -> Option<usize> {
        self.players.get(identity).copied()
    }

    /// The players of a game by seat; none if the experiment has no such game.
    fn players_of(&self, record: &GameRecord) -> Option<Vec<usize>> {
        let players: Option<Vec<usize>> = record.seats.iter().map(|identity| self.player(identity)).collect();
        players.filter(|players| players.len() == self.seats)
    }

    /// Adds a game, without its evolved formulas. Games may come in any order.
    pub(super) fn add(&mut self, record: &GameRecord) {
        self.digester.add(record);
        let Some(players) = self.players_of(record) else {
            self.left_out += 1;
            return;
        };
        if !record.is_result() {
            self.failures.push(FailedGame::of(record));
            return;
        }
        match GameResult::of(record, &players, self.domain) {
            Ok(result) if record.shows_strength() => self.games.push(result),
            Ok(result) => self.lost_on_time.push(result),
            Err(problem) => {
                tracing::warn!("game {} is in no table: {problem}", record.id);
                self.left_out += 1;
                return;
            }
        }
        if let Some(fault) = record.fault
            && let Some(player) = players.get(usize::from(fault.seat))
        {
            *self.faults.entry(*player).or_default().entry(fault.reason.name()).or_default() += 1;
        }
        if let Some(opening) = record.opening_moves() {
            self.openings.entry(record.deck).or_insert(opening);
        }
        self.limited += u64::from(record.ended == Ended::Limit);
        if record.shows_strength() {
            self.add_turns(record, &players);
            self.histograms.add(record, &players, self.domain.histograms());
        }
    }

    /// Adds the evolved formulas of a game, and returns them simplified, decision by decision. Games come in the order of
    /// decks and ids.
    pub(super) fn add_evolution(&mut self, record: &GameRecord) -> Vec<String> {
        let made = record.decisions();
        let simplified = record.evolution.iter().map(|decision| {
            let seat = made.get(decision.turn as usize).map(|(seat, _)| *seat);
            let identity = seat.and_then(|seat| record.seats.get(seat)).map(String::as_str).unwrap_or_default();
            self.simplifier.simplify(identity, &decision.log.formula)
        });
        let simplified: Vec<String> = simplified.collect();
        // Of the games that are in tables.
        let players = self
            .players_of(record)
            .filter(|players| record.shows_strength() && GameResult::of(record, players, self.domain).is_ok());
        for (decision, simplified) in record.evolution.iter().zip(&simplified) {
            let (Some(players), Some(&(seat, turn))) = (&players, made.get(decision.turn as usize)) else { continue };
            let player = players[seat];
            self.formulas.add(player, turn, decision, simplified);
            self.evolution.entry(player).or_default().add(decision);
        }
        simplified
    }

    /// The games that have a result: those that show strength, and those that were lost on time.
    pub(super) fn results(&self) -> impl Iterator<Item = &GameResult> {
        self.games.iter().chain(&self.lost_on_time)
    }

    /// Puts the games in the order of their decks and players, on which sums of floating-point numbers depend, and finds
    /// the decks that repeat earlier ones.
    pub(super) fn sort(&mut self) {
        for games in [&mut self.games, &mut self.lost_on_time] {
            games.sort_by(|a, b| a.deck.cmp(&b.deck).then_with(|| a.players().cmp(b.players())));
        }
        self.find_repeats();
        self.failures.sort_by(|a, b| (a.deck, &a.id).cmp(&(b.deck, &b.id)));
    }

    /// Marks the games of decks that repeat an earlier deck of the same players, where decks are not mirrored the games
    /// that repeat an earlier one. Every test and interval of a report leaves out units of such games alone.
    fn find_repeats(&mut self) {
        let mut units: BTreeMap<(Vec<usize>, u32, usize), Vec<usize>> = BTreeMap::new();
        for (place, game) in self.games.iter().enumerate() {
            let mut players: Vec<usize> = game.players().collect();
            players.sort_unstable();
            let alone = if self.mirror { 0 } else { place };
            units.entry((players, game.deck, alone)).or_default().push(place);
        }
        let mut distinct: HashMap<Vec<usize>, Distinct> = HashMap::new();
        for ((players, ..), places) in units {
            let is_new =
                distinct.entry(players).or_default().adds(places.iter().map(|place| self.games[*place].course));
            places.into_iter().for_each(|place| self.games[place].repeats = !is_new);
        }
    }

    /// Virtual scores after each own turn: turn 1 is a seat's first.
    fn add_turns(&mut self, record: &GameRecord, players: &[usize]) {
        for ((seat, turn), scores) in record.decisions().into_iter().zip(record.virtual_scores.iter()) {
            if scores.len() != players.len() {
                continue;
            }
            let own = scores[seat];
            let others = scores.iter().enumerate().filter(|(other, _)| *other != seat);
            let best = others.map(|(_, score)| *score).max().unwrap_or(own);
            self.turns.entry((players[seat], seat, turn)).or_default().add(own, best);
        }
    }
}
