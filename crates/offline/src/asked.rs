//! The blocks that an evolution asks for, and what they are worth.

use super::fitness::measure::{BlockPart, BlockValue, MeasureError, Measurer, Request, SCALE, SEMANTICS};
use super::journal::{RequestKey, key_of};
use super::plan::EvolutionPlan;
use super::plan::stage::FitnessMeasure;
use evouct_gp::Genome;
use evouct_search::search::Clock;
use evouct_store::VERSION;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

evouct_base::named! {
    /// The part of an evolution that asks for a measurement.
    pub enum CoursePart {
        /// The unit of gains in each of several games.
        Scale = "scale",
        /// The generations.
        Generations = "generations",
        /// The comparison of semantics between equals of a generation.
        Semantics = "semantics",
        /// The tuning of the constants of finalists.
        Tuning = "tuning",
        /// The later stages.
        Finals = "finals",
    }
}

/// Who a block of games is played against.
#[derive(Clone, PartialEq, Debug)]
pub enum Against {
    /// An opponent of the plan, by its name.
    Opponent(String),
    /// A member of the hall of fame, or in a climb the formula as it stands.
    Genome(Genome),
}

/// A block of the measurement of a genome: the decks or positions whose values are one sum of the journal. It depends
/// on no other block, and any process that has the plan and the bank can [`play`](AskedBlock::play) it.
#[derive(Clone, PartialEq, Debug)]
pub struct AskedBlock {
    /// The measurement.
    pub request: Arc<Request>,
    /// The block, from 0.
    pub block: u32,
}

/// A block as text.
#[derive(Serialize, Deserialize)]
struct Written {
    request: RequestKey,
    block: u32,
}

/// The sum of a block as evouct computes it.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedBlock {
    /// The sum of the values of its units, in points per game.
    pub sum: f64,
    /// The seconds of one core that it took; none where they are not known.
    pub seconds: Option<f64>,
    /// A hash of this sum, the block, the evolution and the version of evouct: by it the sum is taken for nothing else.
    pub seal: String,
}

impl AskedBlock {
    /// Its text, for other processes.
    pub fn to_text(&self) -> String {
        let written = Written { request: key_of(&self.request), block: self.block };
        serde_json::to_string(&written).expect("requests are plain numbers and texts")
    }

    /// Reads what [`to_text`](AskedBlock::to_text) wrote.
    ///
    /// # Errors
    /// If it is no block of an evolution by this plan.
    pub fn parse(text: &str, plan: &EvolutionPlan) -> Result<AskedBlock, String> {
        let written: Written = serde_json::from_str(text).map_err(|error| format!("no block: {error}"))?;
        let request = written.request.request(&plan.terminals())?;
        if request.stage >= plan.stages.len() || request.units == 0 || written.block >= plan.blocks(&request) {
            return Err("the evolution has no such block".to_owned());
        }
        Ok(AskedBlock { request: Arc::new(request), block: written.block })
    }

    /// What asks for it.
    pub fn part(&self, plan: &EvolutionPlan) -> CoursePart {
        match (self.request.stage, self.request.batch) {
            (0, SCALE) => CoursePart::Scale,
            (0, SEMANTICS) => CoursePart::Semantics,
            (0, batch) if batch >= plan.evolve.generations * rounds(plan) => CoursePart::Tuning,
            (0, _) => CoursePart::Generations,
            _ => CoursePart::Finals,
        }
    }

    /// The generation that asks for it, from 0; none elsewhere.
    pub fn generation(&self, plan: &EvolutionPlan) -> Option<u32> {
        (self.part(plan) == CoursePart::Generations).then(|| self.request.batch / rounds(plan))
    }

    /// The name of its game in the plan.
    pub fn game<'a>(&self, plan: &'a EvolutionPlan) -> &'a str {
        &plan.games[plan.part(&self.request, self.block).game].name
    }

    /// Its units among those of the batch: decks or positions.
    pub fn units(&self, plan: &EvolutionPlan) -> Range<u32> {
        plan.part(&self.request, self.block).units
    }

    /// Who it is played against; none where positions are measured.
    pub fn against(&self, plan: &EvolutionPlan) -> Option<Against> {
        if plan.stages[self.request.stage].measure != FitnessMeasure::Games {
            return None;
        }
        let BlockPart { game, opponent, .. } = plan.part(&self.request, self.block);
        let game = &plan.games[game];
        Some(match opponent.checked_sub(plan.panel(&self.request, game)) {
            None => Against::Opponent(game.opponents[opponent].name.clone()),
            Some(member) => Against::Genome(self.request.hall[member].clone()),
        })
    }

    /// Computes its sum, as the program does.
    ///
    /// # Errors
    /// If a player of the genome fails.
    pub fn play(&self, measurer: &Measurer) -> Result<PlayedBlock, MeasureError> {
        Ok(self.played(&measurer.block(&self.request, self.block)?, measurer))
    }

    /// As [`play`](AskedBlock::play), until `stop` is set from outside; none then. A search of a position is not cut
    /// short.
    pub fn play_until(&self, measurer: &Measurer, stop: &AtomicBool) -> Option<Result<PlayedBlock, MeasureError>> {
        let sum = measurer.block_by(&Until(stop), &self.request, self.block);
        // What was cut short is no measurement.
        let sum = (!stop.load(Ordering::Relaxed)).then_some(sum)?;
        Some(sum.map(|value| self.played(&value, measurer)))
    }

    fn played(&self, BlockValue { sum, seconds, .. }: &BlockValue, measurer: &Measurer) -> PlayedBlock {
        PlayedBlock { sum: *sum, seconds: *seconds, seal: self.seal(*sum, measurer) }
    }

    /// The seal of a sum of this block.
    pub(super) fn seal(&self, sum: f64, measurer: &Measurer) -> String {
        let text = format!("{VERSION}\n{}\n{}\n{}", measurer.hash(), self.to_text(), sum.to_bits());
        blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
    }
}

/// A stopped clock that cancels searches.
struct Until<'a>(&'a AtomicBool);

impl Clock for Until<'_> {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn cancelled(&self) -> Option<&AtomicBool> {
        Some(self.0)
    }
}

/// Rounds of a generation.
fn rounds(plan: &EvolutionPlan) -> u32 {
    plan.stages[0].rounds.len() as u32
}
