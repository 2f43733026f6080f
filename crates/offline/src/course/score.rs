//! Scores: the gains of genomes that come from outside, stage by stage.
//!
//! All genomes of a split see the same positions and decks, whenever they come, so that a genome that comes again is
//! not measured again. After each round only those go on for which that is worth its cost: a [`ScoreRule`] says which.

use super::history::Judge;
use super::scale::scaled;
use crate::error::EvolutionError;
use crate::fitness::distinct_decks::{Objective, distinct_blocks};
use crate::fitness::measure::{HallOfFame, Measured, Request, score_batch};
use crate::fitness::pooled::{GainEstimate, GameGain};
use crate::plan::score_rule::ScoreRule;
use crate::plan::stage::{FitnessMeasure, FitnessStage};
use crate::plan::{EvolutionPlan, is_undefined_in_replay};
use crate::positions::split::Split;
use crate::session::{EvolutionSession, RunContext};
use evouct_gp::{Genome, Node};
use evouct_stats::distinct::Distinct;
use evouct_stats::{Interval, SIGNIFICANCE_LEVEL, Summary, normal_quantile, t_test};
use std::collections::HashMap;

evouct_base::named! {
    /// Why a genome was measured no further.
    pub enum ScoreEnd {
        /// It went through all stages.
        Complete = "complete",
        /// Others were better.
        Dropped = "dropped",
        /// Its gain was too low, by a test that holds over all rounds.
        Stopped = "stopped",
        /// The measurements ended early: this is an interim result.
        Interim = "interim",
    }
}

/// A difference from the reference.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gain {
    /// Its mean, in points per game; over several games in standard deviations.
    pub mean: f64,
    /// Its 95 % interval by Student's t over blocks; none with fewer than two, and where they do not vary.
    pub interval: Option<Interval>,
}

impl Gain {
    /// The gain with an interval of this half width around it, if it has one.
    pub(crate) fn around(mean: f64, half: Option<f64>) -> Gain {
        Gain { mean, interval: half.map(|half| Interval { low: mean - half, high: mean + half }) }
    }
}

/// A genome in a stage, over all rounds that it was measured in.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StageScore {
    /// The stage, from 0.
    pub stage: usize,
    /// Units: positions, or decks against each opponent.
    pub units: u32,
    /// Of each block, the opponent, the sum of the genome, that of the reference, and the units.
    blocks: Vec<(usize, f64, f64, u32)>,
    /// Of each block, the opponent, the sum of the differences over distinct decks, and their number: what gains count
    /// where decks repeat one another.
    evidence: Vec<(usize, f64, u32)>,
    distinct: Distinct,
    /// The gains by game.
    pooled: GainEstimate,
}

impl StageScore {
    fn add(&mut self, plan: &EvolutionPlan, request: &Request, own: &Measured, reference: &Measured) {
        self.units += request.units;
        let by_opponent = plan.blocks_per_opponent(request) as usize;
        self.pooled.add_measured(own, Ok(reference), Objective::Value, &plan.layout(request));
        let units = plan.block_units(request);
        let distinct = distinct_blocks(own, Some(reference), Objective::Value, &units, &mut self.distinct);
        for (at, ((own, theirs), units)) in own.sums.iter().zip(&reference.sums).zip(units).enumerate() {
            let opponent = at / by_opponent;
            self.blocks.push((opponent, *own, *theirs, units));
            let (sum, count) = distinct.as_ref().map_or((own - theirs, units), |blocks| blocks[at]);
            self.evidence.push((opponent, sum, count));
        }
    }

    /// Decks of the genome and the reference that repeat earlier ones of both, and are no evidence.
    pub fn repeats(&self) -> u64 {
        self.distinct.repeats()
    }

    /// The gain over all opponents: of several games in standard deviations, with an interval by the normal distribution.
    pub fn gain(&self) -> Gain {
        if self.games().is_empty() {
            return self.gain_where(|_| true);
        }
        Gain::around(self.pooled.mean(), self.pooled.half())
    }

    /// The gains in each of several games, in the order of the plan; none of one game.
    pub fn games(&self) -> &[GameGain] {
        self.pooled.games()
    }

    /// The gain in games against an opponent of a game of the plan ([`EvolutionPlan::panels`]), in points per game.
    pub fn gain_against(&self, opponent: usize) -> Gain {
        self.gain_where(|other| other == opponent)
    }

    /// The mean point difference per game against an opponent of a game of the plan.
    pub fn difference(&self, opponent: usize) -> f64 {
        let of = || self.blocks.iter().filter(|(other, ..)| *other == opponent);
        of().map(|(_, own, ..)| own).sum::<f64>() / of().map(|(.., units)| f64::from(*units)).sum::<f64>()
    }

    /// Whether the gain is below a bound, by a test with an error of at most half of a level.
    fn is_below(&self, bound: f64, level: f64) -> bool {
        if !self.games().is_empty() {
            return self.pooled.lower_bound(-normal_quantile(1.0 - level / 2.0)) < bound;
        }
        let (mean, means) = self.means_where(|_| true);
        let over: Vec<f64> = means.iter().map(|mean| mean - bound).collect();
        let Ok(test) = t_test::paired(&Summary::of(&over)) else { return false };
        // Where blocks do not vary, there is no interval, and their number alone says how sure it is.
        let half = match test.interval_at(level) {
            Ok(interval) => (interval.high - interval.low) / 2.0,
            Err(_) if test.zero_variance && test.p <= level => 0.0,
            Err(_) => return false,
        };
        mean + half < bound
    }

    fn gain_where(&self, is_taken: impl Fn(usize) -> bool) -> Gain {
        let (mean, means) = self.means_where(is_taken);
        // Centred on the mean over units: the last block of a round may be smaller than the others.
        let interval = t_test::paired(&Summary::of(&means)).ok().and_then(|test| test.interval);
        Gain::around(mean, interval.map(|ends| (ends.high - ends.low) / 2.0))
    }

    /// The mean difference from the reference over distinct units, and those of the blocks.
    fn means_where(&self, is_taken: impl Fn(usize) -> bool) -> (f64, Vec<f64>) {
        let (mut total, mut all, mut means) = (0.0, 0.0, Vec::new());
        let evidence = self.evidence.iter().filter(|(opponent, _, units)| *units > 0 && is_taken(*opponent));
        for (_, difference, units) in evidence {
            let units = f64::from(*units);
            total += difference;
            all += units;
            means.push(difference / units);
        }
        (total / all, means)
    }
}

/// A genome and how far it came.
#[derive(Clone, PartialEq, Debug)]
pub struct Score {
    /// The genome, simplified.
    pub genome: Genome,
    /// Why it was measured no further.
    pub end: ScoreEnd,
    /// The stages that it came to.
    pub stages: Vec<StageScore>,
}

/// Who wants scores.
pub trait Asker {
    /// The genomes that are scored together next; none at the end.
    fn genomes(&mut self) -> Option<Vec<Genome>>;

    /// Takes their scores, one per genome. If measurements end early, interim ones come last.
    fn scored(&mut self, scores: Vec<Score>);
}

/// All measurements that scores were made of.
#[derive(Clone, PartialEq, Debug)]
pub struct ScoreDigest {
    /// The digest.
    pub digest: String,
    /// Their number.
    pub measurements: usize,
    /// What they took, in seconds of one core; none where the time of some is not known.
    pub seconds: Option<f64>,
}

impl ScoreDigest {
    /// Refuses journals that do not hold all of them; `session` has just read the journals.
    ///
    /// # Errors
    /// That measurements are missing.
    pub fn check(&self, session: &EvolutionSession) -> Result<(), String> {
        if session.recorded() >= self.measurements {
            return Ok(());
        }
        let problem = "the journals do not hold what was measured: another process changed them; the same command \
                       measures the rest";
        Err(format!("{}: {problem}", session.folder().display()))
    }
}

impl EvolutionSession {
    /// Scores genomes on the positions and decks of a split, as long as there are any. The session was planned for the
    /// purpose [`Scores`](crate::Purpose::Scores) with the same split.
    ///
    /// # Errors
    /// As [`run`](EvolutionSession::run).
    pub fn score(
        self,
        split: Split,
        workers: RunContext,
        asker: &mut dyn Asker,
    ) -> Result<ScoreDigest, EvolutionError> {
        let ((), used) = self.with_judge(workers, &mut |_, _| {}, |plan, judge| {
            while let Some(genomes) = asker.genomes() {
                let (scores, end) = score(plan, split, &genomes, judge);
                asker.scored(scores);
                end?;
            }
            Ok(())
        })?;
        let (measurements, seconds) = (used.measured.len(), used.seconds());
        Ok(ScoreDigest { digest: used.digest(), measurements, seconds })
    }

    /// Scores these genomes together, in their order. Without a digest the scores are interim.
    pub fn score_all(
        self,
        split: Split,
        workers: RunContext,
        genomes: Vec<Genome>,
    ) -> (Vec<Score>, Result<ScoreDigest, EvolutionError>) {
        let mut together = Together { genomes: Some(genomes), scores: Vec::new() };
        let end = self.score(split, workers, &mut together);
        (together.scores, end)
    }
}

/// Genomes that are asked for once.
struct Together {
    genomes: Option<Vec<Genome>>,
    scores: Vec<Score>,
}

impl Asker for Together {
    fn genomes(&mut self) -> Option<Vec<Genome>> {
        self.genomes.take()
    }

    fn scored(&mut self, scores: Vec<Score>) {
        self.scores = scores;
    }
}

/// The scores of genomes, in their order, and whether they are whole.
fn score(
    plan: &EvolutionPlan,
    split: Split,
    genomes: &[Genome],
    judge: &mut dyn Judge,
) -> (Vec<Score>, Result<(), EvolutionError>) {
    let (mut scores, mut places): (Vec<Score>, HashMap<String, usize>) = Default::default();
    let mut place = |genome: &Genome| {
        *places.entry(genome.key()).or_insert_with(|| {
            scores.push(Score { genome: genome.clone(), end: ScoreEnd::Interim, stages: Vec::new() });
            scores.len() - 1
        })
    };
    let of_each: Vec<usize> = genomes.iter().map(&mut place).collect();
    let end = score_distinct(plan, split, &mut scores, judge);
    (of_each.into_iter().map(|place| scores[place].clone()).collect(), end)
}

fn score_distinct(
    plan: &EvolutionPlan,
    split: Split,
    scores: &mut [Score],
    judge: &mut dyn Judge,
) -> Result<(), EvolutionError> {
    let plan = &*scaled(plan, judge)?;
    let reference = plan.seeds[0].simplified(plan.ln);
    let rounds = |(stage, settings): (usize, &FitnessStage)| {
        let rounds = settings.rounds.clone();
        rounds.into_iter().enumerate().map(move |(round, units)| (stage, round as u32, units))
    };
    let rounds: Vec<(usize, u32, u32)> = plan.stages.iter().enumerate().flat_map(rounds).collect();
    let mut standing: Vec<usize> = (0..scores.len()).collect();
    for (number, (stage, round, units)) in rounds.iter().copied().enumerate() {
        if standing.is_empty() {
            break;
        }
        let batch = score_batch(split, round);
        let request = |genome: &Genome| plan.request(stage, batch, units, genome.clone(), &HallOfFame::default());
        let genomes = standing.iter().map(|place| &scores[*place].genome);
        let requests: Vec<Request> = [&reference].into_iter().chain(genomes).map(request).collect();
        let measured = judge.measure(&requests)?;
        for ((place, request), own) in standing.iter().zip(&requests[1..]).zip(&measured[1..]) {
            let stages = &mut scores[*place].stages;
            if round == 0 {
                stages.push(StageScore { stage, ..StageScore::default() });
            }
            let last = stages.last_mut().expect("the first round of a stage began it");
            last.add(plan, request, own, &measured[0]);
        }
        // A genome may be stopped after every round but the last: together they err as one test does (Bonferroni), in
        // whichever round it is stopped.
        let looks = rounds.len() - 1;
        if number < looks {
            standing = going_on(plan.score_rule, SIGNIFICANCE_LEVEL / looks as f64, scores, standing);
        }
    }
    standing.iter().for_each(|place| scores[*place].end = ScoreEnd::Complete);
    Ok(())
}

fn last_stage(score: &Score) -> &StageScore {
    score.stages.last().expect("it was measured")
}

/// Those that are measured further; the end of the others is noted. One that is not below the bound is stopped with a
/// probability of at most half of the level.
fn going_on(rule: ScoreRule, level: f64, scores: &mut [Score], mut standing: Vec<usize>) -> Vec<usize> {
    let gain = |score: &Score| last_stage(score).gain().mean;
    // Stable: of equal ones the first stays first.
    standing.sort_by(|a, b| gain(&scores[*b]).total_cmp(&gain(&scores[*a])));
    let most = ((rule.keep_fraction * standing.len() as f64).ceil() as usize).max(1);
    for place in standing.drain(most.min(standing.len())..) {
        scores[place].end = ScoreEnd::Dropped;
    }
    standing.retain(|place| {
        let is_lost = last_stage(&scores[*place]).is_below(rule.drop_below, level);
        if is_lost {
            scores[*place].end = ScoreEnd::Stopped;
        }
        !is_lost
    });
    standing.sort_unstable();
    standing
}

impl EvolutionPlan {
    /// Reads a genome that comes from outside, simplified: any text may come.
    ///
    /// # Errors
    /// What is wrong with it, in one line.
    pub fn read_genome(&self, text: &str) -> Result<Genome, String> {
        let terminals = self.terminals();
        let genome = Genome::parse(text.trim(), &terminals)?.simplified(self.ln);
        // Journals and ranks know it by its text.
        Genome::parse(&genome.to_string(), &terminals)
            .map_err(|problem| format!("its simplified form {genome}: {problem}"))?;
        for game in &self.games {
            game.check(&genome, self.ln, self.preset).map_err(|error| error.to_string())?;
        }
        let of_node = |node: &Node| match node {
            Node::Terminal(terminal) if is_undefined_in_replay(terminal) => terminal.name(),
            _ => None,
        };
        let trees = genome.slots().filter_map(|slot| genome.tree(slot));
        let undefined = trees.flat_map(|tree| tree.nodes()).find_map(of_node);
        if let Some(name) = undefined.filter(|_| self.stages.iter().any(|one| one.measure == FitnessMeasure::Replay)) {
            return Err(format!("{name} is undefined where measure = replay"));
        }
        Ok(genome)
    }
}
