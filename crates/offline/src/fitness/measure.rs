//! What a genome is worth: units of measurement, in blocks that any thread or rank can compute.
//!
//! The value of a block depends on the plan, the bank, the stage, the batch and the genome only. The keys of random
//! streams do not contain the genome: all genomes of a batch see the same positions, decks and random numbers.

use super::replay::replay;
use crate::bank::{Bank, LoadedPosition};
use crate::plan::EvolutionPlan;
use crate::plan::game::PlanGame;
use crate::plan::stage::{FitnessMeasure, FitnessStage};
use crate::positions::split::Split;
use evouct_base::named::Named;
use evouct_base::panic::catch;
use evouct_base::sampling::shuffle;
use evouct_base::seed::Key;
use evouct_gp::Genome;
use evouct_league::config::Contender;
use evouct_platform::clock::{ThreadClock, WallClock};
use evouct_platform::domain::{Spec, Terms};
use evouct_search::game::MAX_SEATS;
use evouct_search::search::{Clock, Stopped};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;

/// The batch of a calibration: its positions are of the split that nothing else uses.
pub(crate) const CALIBRATION: u32 = u32::MAX;

/// The batch of the sample on which semantics are compared.
pub(crate) const SEMANTICS: u32 = u32::MAX - 1;

/// The batch by which the unit of gains in each of several games is measured.
pub(crate) const SCALE: u32 = u32::MAX - 2;

/// The first batch of scores: the split and the round are added.
const SCORES: u32 = 1 << 31;
/// Where the split stands in the number of a batch of scores.
const SPLIT_AT: u32 = 24;

/// The batch of a round of scores. Each split has decks of its own, too.
pub(crate) fn score_batch(split: Split, round: u32) -> u32 {
    SCORES + ((split as u32) << SPLIT_AT) + round
}

/// The split of the positions of a batch.
fn split_of(batch: u32, stage: &FitnessStage) -> Split {
    if batch == CALIBRATION {
        return Split::Test;
    }
    let of_scores = Split::NAMES.iter().find(|(_, split)| batch >> SPLIT_AT == score_batch(*split, 0) >> SPLIT_AT);
    of_scores.map_or(stage.split, |(_, split)| *split)
}

/// What a block of a request is of.
pub(crate) struct BlockPart {
    /// The game, by its place in the plan.
    pub game: usize,
    /// The opponent: one of the plan's, then those of the hall of fame; 0 where the units are positions.
    pub opponent: usize,
    /// Its units: positions, or decks.
    pub units: Range<u32>,
}

/// A genome to be measured.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// The number of the stage, from 0.
    pub stage: usize,
    /// Which of the stage's batches of units: a generation, or a round.
    pub batch: u32,
    /// Units of the batch: positions, or decks against each opponent.
    pub units: u32,
    /// The genome, simplified.
    pub genome: Genome,
    /// The hall of fame: opponents in games beside those of the plan. In a climb the formula as it stands.
    pub hall: Vec<Genome>,
}

/// A measured genome: one sum per block, over values in points per game; higher is better.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measured {
    /// Sums of the values of the units of each block.
    pub sums: Vec<f64>,
    /// The same of the second objective; empty without one.
    pub second: Vec<f64>,
    /// The decks of games, block by block, if some of them repeat others; else empty.
    pub decks: Vec<PlayedDeck>,
    /// What it took, in seconds of one core; none where it is not known.
    pub seconds: Option<f64>,
}

/// A deck against one opponent, played from each seat.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedDeck {
    /// A hash of the opponent and of the games: their moves and what came of them.
    pub games: u64,
    /// Its value, in points per game.
    pub value: f64,
    /// The second objective; none without one. It is always written: messages between ranks have no names of fields.
    pub second: Option<f64>,
}

/// What a block is worth: sums over its units.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct BlockValue {
    /// Of the values, in points per game.
    pub sum: f64,
    /// Of the second objective; none without one.
    pub second: Option<f64>,
    /// The decks of games; empty where the units are positions, and where it is not known which games were played.
    pub decks: Vec<PlayedDeck>,
    /// What it took, in seconds of one core; none where it is not known.
    pub seconds: Option<f64>,
}

impl FromIterator<BlockValue> for Measured {
    /// The measurement of these blocks.
    fn from_iter<I: IntoIterator<Item = BlockValue>>(blocks: I) -> Measured {
        let mut measured = Measured { seconds: Some(0.0), ..Measured::default() };
        for BlockValue { sum, second, decks, seconds } in blocks {
            measured.sums.push(sum);
            measured.second.extend(second);
            measured.decks.extend(decks);
            measured.seconds = measured.seconds.zip(seconds).map(|(all, own)| all + own);
        }
        if measured.repeats() == 0 {
            measured.decks.clear();
        }
        measured
    }
}

/// A measurement failed: a player of this genome cannot be made, or breaks down.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MeasureError {
    /// The genome.
    pub genome: String,
    /// What happened.
    pub problem: String,
}

impl fmt::Display for MeasureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.genome, self.problem)
    }
}

impl std::error::Error for MeasureError {}

/// The hall of fame: former champions that newcomers have to face.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HallOfFame(Vec<Genome>);

impl HallOfFame {
    /// Admits a genome as the latest; beyond `most` members the oldest leaves.
    pub fn admit(&mut self, genome: &Genome, most: usize) {
        self.0.retain(|member| member != genome);
        self.0.push(genome.clone());
        self.0.drain(..self.0.len().saturating_sub(most));
    }

    /// The members, the oldest first.
    pub fn members(&self) -> &[Genome] {
        &self.0
    }
}

impl EvolutionPlan {
    /// A request; the hall takes part in games only.
    pub fn request(&self, stage: usize, batch: u32, units: u32, genome: Genome, hall: &HallOfFame) -> Request {
        let in_games = self.stages[stage].measure == FitnessMeasure::Games;
        let hall = if in_games { hall.members().to_vec() } else { Vec::new() };
        Request { stage, batch, units, genome, hall }
    }

    /// The games in which a request is measured: those that are held out in the last stage only.
    pub(crate) fn games_of(&self, request: &Request) -> &[PlanGame] {
        let is_last = request.stage > 0 && request.stage + 1 == self.stages.len();
        let seen = self.games.iter().take_while(|game| !game.held_out).count();
        if is_last || request.batch == SCALE { &self.games } else { &self.games[..seen] }
    }

    /// The number of blocks of a request.
    pub fn blocks(&self, request: &Request) -> u32 {
        self.games_of(request).iter().map(|game| self.blocks_of_game(request, game)).sum()
    }

    /// What a request costs: games, or positions where none are played.
    pub(crate) fn effort(&self, request: &Request) -> u64 {
        let of_game = |game: &PlanGame| {
            let opponents = self.blocks_of_game(request, game) / self.blocks_per_opponent(request).max(1);
            let units = u64::from(opponents) * u64::from(request.units);
            match self.stages[request.stage].measure {
                FitnessMeasure::Games => units * game.rules.seats().max(2) as u64,
                _ => units,
            }
        };
        self.games_of(request).iter().map(of_game).sum()
    }

    /// What the effort of the generations is counted in.
    pub fn unit_of_effort(&self) -> &'static str {
        if self.stages[0].measure == FitnessMeasure::Games { "game" } else { "position" }
    }

    /// The number of its blocks in a game.
    pub(crate) fn blocks_of_game(&self, request: &Request, game: &PlanGame) -> u32 {
        let opponents = match self.stages[request.stage].measure {
            FitnessMeasure::Games => (self.panel(request, game) + request.hall.len()) as u32,
            _ => 1,
        };
        opponents * self.blocks_per_opponent(request)
    }

    /// The opponents of a game that take part in a request of games: in a climb the formula as it stands is the only
    /// one.
    pub(crate) fn panel(&self, request: &Request, game: &PlanGame) -> usize {
        let is_alone = self.evolve.algorithm.plays_itself() && request.stage == 0 && !request.hall.is_empty();
        if is_alone { 0 } else { game.opponents.len() }
    }

    /// A block is of one opponent.
    pub(crate) fn blocks_per_opponent(&self, request: &Request) -> u32 {
        request.units.div_ceil(self.stages[request.stage].block)
    }

    /// What a block is of. Blocks stand game by game, and in a game opponent by opponent.
    pub(crate) fn part(&self, request: &Request, block: u32) -> BlockPart {
        let size = self.stages[request.stage].block;
        let (mut game, mut left) = (0, block);
        for (place, own) in self.games_of(request).iter().enumerate() {
            game = place;
            let blocks = self.blocks_of_game(request, own);
            if left < blocks {
                break;
            }
            left -= blocks;
        }
        let (opponent, place) = (left / self.blocks_per_opponent(request), left % self.blocks_per_opponent(request));
        let first = place * size;
        BlockPart { game, opponent: opponent as usize, units: first..request.units.min(first + size) }
    }

    /// The opponents of a request of games by their games, in the order of its means by opponent.
    pub fn panels(&self) -> impl Iterator<Item = (&PlanGame, &Contender)> {
        self.games.iter().flat_map(|game| game.opponents.iter().map(move |opponent| (game, opponent)))
    }

    /// By game and opponent of the plan, the mean value of a measured request of games, in points per game.
    pub(crate) fn means_by_opponent(&self, request: &Request, measured: &Measured) -> Vec<f64> {
        let (mut means, mut left) = (Vec::new(), measured.sums.as_slice());
        for game in self.games_of(request) {
            let (own, others) = left.split_at(self.blocks_of_game(request, game) as usize);
            let blocks = own.chunks(self.blocks_per_opponent(request) as usize).take(game.opponents.len());
            means.extend(blocks.map(|sums| sums.iter().sum::<f64>() / f64::from(request.units)));
            left = others;
        }
        means
    }

    /// Whether an answer has as many sums as the request has blocks, and all decks or none.
    pub(crate) fn fits(&self, request: &Request, measured: &Measured) -> bool {
        let blocks = self.blocks(request) as usize;
        let second = if self.second.is_some() { blocks } else { 0 };
        let units = || self.block_units(request).iter().map(|units| *units as usize).sum::<usize>();
        let has_decks = measured.decks.is_empty() || measured.decks.len() == units();
        (measured.sums.len(), measured.second.len()) == (blocks, second) && has_decks
    }

    /// The number of units of each block of a request.
    pub fn block_units(&self, request: &Request) -> Vec<u32> {
        (0..self.blocks(request)).map(|block| self.part(request, block).units.len() as u32).collect()
    }
}

/// What genomes are measured for.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// An evolution, on training and validation positions.
    #[default]
    Evolution,
    /// A calibration, on test positions.
    Calibration,
    /// Scores of genomes from outside, on positions and decks of this split.
    Scores(Split),
}

/// Measures genomes.
#[derive(Debug)]
pub struct Measurer {
    plan: EvolutionPlan,
    bank: Option<Bank>,
    purpose: Purpose,
    key: Key,
    /// The hash of the plan and the bank.
    hash: String,
}

impl Measurer {
    /// A measurer of a plan with its bank.
    ///
    /// # Errors
    /// If the bank is of another game or other rules, or has no positions or rewards for a stage.
    pub fn new(plan: EvolutionPlan, bank: Option<Bank>, purpose: Purpose) -> Result<Measurer, String> {
        for (number, stage) in
            plan.stages.iter().enumerate().filter(|(_, stage)| stage.measure != FitnessMeasure::Games)
        {
            let bank = bank.as_ref().ok_or_else(|| format!("stage {} needs a bank", number + 1))?;
            check_bank(&plan, bank, stage, purpose).map_err(|problem| format!("stage {}: {problem}", number + 1))?;
        }
        let key = Key::experiment(plan.seed).named("evolution", 0);
        let hash = plan.hash(bank.as_ref().map_or("", |bank| &bank.digest));
        Ok(Measurer { plan, bank, purpose, key, hash })
    }

    /// The plan.
    pub fn plan(&self) -> &EvolutionPlan {
        &self.plan
    }

    /// The hash of everything that determines what its measurements give.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// What genomes are measured for.
    pub(crate) fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// The number of positions that only calibrations use.
    pub(crate) fn test_positions(&self) -> usize {
        self.bank.as_ref().map_or(0, |bank| bank.positions(Split::Test).len())
    }

    /// The digest of the bank's positions without their values; empty without a bank.
    pub(crate) fn positions_digest(&self) -> &str {
        self.bank.as_ref().map_or("", |bank| &bank.of_positions)
    }

    /// The digest of the bank; empty without one.
    pub fn bank_digest(&self) -> &str {
        self.bank.as_ref().map_or("", |bank| &bank.digest)
    }

    /// Makes the course of its plan that of an evolution which has begun.
    pub(crate) fn set_course(&mut self, course: u32) {
        self.plan.course = course;
    }

    /// The sum of the values of a block's units, in points per game, and that of the second objective.
    ///
    /// # Errors
    /// If a player of the genome fails.
    pub fn block(&self, request: &Request, block: u32) -> Result<BlockValue, MeasureError> {
        self.block_by(&Stopped, request, block)
    }

    /// As [`block`](Measurer::block), with a clock that may cancel searches of games: the sum means nothing then.
    pub(crate) fn block_by(
        &self,
        clock: &dyn Clock,
        request: &Request,
        block: u32,
    ) -> Result<BlockValue, MeasureError> {
        let (plan, stage) = (&self.plan, &self.plan.stages[request.stage]);
        let BlockPart { game: place, opponent, units } = plan.part(request, block);
        let game = &plan.games[place];
        let failed = |problem: String| {
            let of = if plan.is_over_games() { format!("{}: ", game.name) } else { String::new() };
            MeasureError { genome: request.genome.to_string(), problem: format!("{of}{problem}") }
        };
        let player = plan.player(place, &request.genome);
        let player = player.map_err(|error| failed(error.problem))?;
        let key = self.key.named("stage", request.stage as u64).named("batch", u64::from(request.batch));
        // In one game keys are what they are without any other.
        let key = if plan.is_over_games() { key.named("in game", place as u64) } else { key };
        let value = || match stage.measure {
            FitnessMeasure::Games => {
                let (spec, identity) = match opponent.checked_sub(plan.panel(request, game)) {
                    None => (game.opponents[opponent].spec.clone(), game.opponents[opponent].identity),
                    Some(member) => {
                        let member = plan.player(place, &request.hall[member]).map_err(|error| error.problem)?;
                        let identity = member.identity(0);
                        (member, identity)
                    }
                };
                let of = if plan.is_over_games() { format!("{} ", game.name) } else { String::new() };
                let identity = format!("{of}{}", identity.short());
                let key = key.named("opponent", opponent as u64);
                let players = [&player, &spec];
                let decks = units.map(|deck| self.deck(clock, (game, players), &identity, request.stage, (key, deck)));
                let decks = decks.collect::<Result<Vec<PlayedDeck>, String>>()?;
                let sum = decks.iter().map(|deck| deck.value).sum();
                let second = decks.iter().map(|deck| deck.second).sum::<Option<f64>>();
                let second = second.filter(|_| plan.second.is_some());
                Ok(BlockValue { sum, second, decks, seconds: None })
            }
            FitnessMeasure::Replay | FitnessMeasure::Regret => {
                let bank = self.bank.as_ref().expect("checked when the measurer was made");
                let positions = bank.positions(split_of(request.batch, stage));
                let order = drawn(positions.len(), key);
                let value = |unit: u32| {
                    let position = &positions[order[unit as usize % order.len()]];
                    let at = key.named("unit", u64::from(unit));
                    let chosen = match stage.measure {
                        FitnessMeasure::Regret => regret(position, &player, at),
                        _ => replay(position, bank, &request.genome, &player, at),
                    };
                    chosen.map(|chosen| position.loss(chosen) * bank.decisions_per_game)
                };
                let sum = units.map(value).sum::<Result<f64, String>>()?;
                Ok(BlockValue { sum, ..BlockValue::default() })
            }
        };
        // The processor time of another program is not known.
        let is_outside = game.opponents.iter().any(|own| own.spec.kind().is_outside());
        let timer: &dyn Clock = if is_outside { &WallClock::start() } else { &ThreadClock::start() };
        let begun = timer.now();
        let value = catch(value).and_then(|value| value).map_err(failed)?;
        Ok(BlockValue { seconds: Some((timer.now() - begun).as_secs_f64()), ..value })
    }

    /// A deck: the mean difference of a game on each seat, in points: the player's score less the best of the opponent's. In
    /// games of one seat both play the deck by themselves, with the same random numbers. The second objective is the
    /// player's mean. `identity` is that of the opponent.
    fn deck(
        &self,
        clock: &dyn Clock,
        (game, [player, opponent]): (&PlanGame, [&Spec; 2]),
        identity: &str,
        stage: usize,
        (key, deck): (Key, u32),
    ) -> Result<PlayedDeck, String> {
        let key = key.named("deck", u64::from(deck));
        let terms = game.frame.terms_of_key(key, self.plan.part_of_stage(stage))?;
        let seats = game.rules.seats();
        let scale = game.rules.domain().scale();
        debug_assert!(seats <= MAX_SEATS);
        let mut courses = vec![identity.to_owned()];
        let mut play = |players: &[&Spec], own: usize| {
            let played = self.scores(clock, (game, players), &terms, (key, deck), own);
            let (scores, second, course) = played.map_err(|problem| format!("deck {deck}: {problem}"))?;
            courses.push(course);
            Ok::<_, String>((scores, second))
        };
        let (value, second) = if seats == 1 {
            let (own, second) = play(&[player], 0)?;
            let (theirs, _) = play(&[opponent], 0)?;
            (scale.difference(own[0], theirs[0]), second)
        } else {
            let mut sums = [0.0; 2];
            for own in 0..seats {
                let players: Vec<&Spec> = (0..seats).map(|seat| if seat == own { player } else { opponent }).collect();
                let (scores, second) = play(&players, own)?;
                let others = (0..seats).filter(|seat| *seat != own).map(|seat| scores[seat]).max();
                sums[0] += scale.difference(scores[own], others.expect("a game of several seats"));
                sums[1] += second;
            }
            let [value, second] = sums.map(|sum| sum / seats as f64);
            (value, second)
        };
        let hash = blake3::hash(courses.join("\n").as_bytes());
        let games = u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("a hash has more bytes"));
        Ok(PlayedDeck { games, value, second: self.plan.second.map(|_| second) })
    }

    /// The scores of a game between players, by seat, the second objective of the seat `own`, and the course of the game:
    /// its moves, its scores and what searches left behind. A fault of a player is no result: whether there is one may
    /// depend on the machine.
    fn scores(
        &self,
        clock: &dyn Clock,
        (game, players): (&PlanGame, &[&Spec]),
        terms: &Terms,
        (key, deck): (Key, u32),
        own: usize,
    ) -> Result<(Vec<i32>, f64, String), String> {
        let rules = &game.rules;
        let keyed = |(seat, spec): (usize, &&Spec)| ((*spec).clone(), key.named("game", 0).nth(own as u32).seat(seat));
        let players: Vec<(Spec, Key)> = players.iter().enumerate().map(keyed).collect();
        let mut session = rules.domain().session(rules.options().values(), key, &players);
        session.begin(terms)?;
        while let Some(seat) = session.advance() {
            let failed = |problem: String| format!("player {}: {problem}", seat + 1);
            session.decide(clock, false).map_err(|fault| failed(fault.to_string()))?;
            session.play().map_err(|problem| failed(format!("an illegal move: {problem}")))?;
        }
        let second = self.plan.second.map_or(Ok(0.0), |second| second.of(rules, &*session, own))?;
        let (scores, moves) = (session.result(), session.moves());
        // Without a move the course of a game is not known, and it is like no other.
        let unknown = moves.is_empty().then_some((deck, own));
        let course = format!("{moves} {scores:?} {:?} {:?} {unknown:?}", session.traces(), session.histograms());
        Ok((scores, second, course))
    }
}

/// The index of the move that a search with the player chooses.
fn regret(position: &LoadedPosition, player: &Spec, key: Key) -> Result<usize, String> {
    let (decisions, decision) = position.decision();
    let (play, _) = decisions.decide(decision, player, key, false, true);
    let chosen = position.moves.iter().position(|name| *name == play);
    chosen.ok_or_else(|| format!("an illegal move: {play}"))
}

/// The order in which a batch takes positions: a new one for each batch.
fn drawn(count: usize, key: Key) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    shuffle(&mut key.named("order", 0).stream(), &mut order);
    order
}

fn check_bank(plan: &EvolutionPlan, bank: &Bank, stage: &FitnessStage, purpose: Purpose) -> Result<(), String> {
    let rules = &plan.games[0].rules;
    let (ours, theirs) = (rules.domain().name(), bank.rules.domain().name());
    if ours != theirs {
        return Err(format!("the bank is of the game {theirs}, the evolution of {ours}"));
    }
    let (ours, theirs) = (rules.arguments(), bank.rules.arguments());
    if ours != theirs {
        let words = |rules: Vec<String>| if rules.is_empty() { "none".to_owned() } else { rules.join(", ") };
        return Err(format!(
            "the bank is of other rules: options {}, the evolution has {}",
            words(theirs),
            words(ours)
        ));
    }
    let split = match purpose {
        Purpose::Evolution => stage.split,
        Purpose::Calibration => Split::Test,
        Purpose::Scores(split) => split,
    };
    let positions = bank.positions(split);
    if positions.is_empty() {
        return Err(format!("the bank has no positions in its {} split; give it more games", split.name()));
    }
    if stage.measure == FitnessMeasure::Replay && !positions.iter().all(|position| position.arms.has_rewards()) {
        return Err("the bank has no recorded rewards; its recipe needs rewards = 64 or so".to_owned());
    }
    Ok(())
}
