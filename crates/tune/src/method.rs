//! What a tuning method is.

use super::drawn::DistributionStep;
use super::error::TuneError;
use super::fitted::Recommended;
use super::over::Choice;
use super::rounds::{RoundPlan, TuningRounds};
use super::standing::CandidateStanding;
use evouct_base::parameter::Value;
use evouct_base::seed::Key;
use evouct_stats::surface::Surface;

/// A tuning method: which candidates there are, and which of them play a round. See `examples/own_methods`.
pub trait TuningAlgorithm: Send + Sync {
    /// The name, as `--method` has it.
    fn name(&self) -> &'static str;

    /// How the players of a round are chosen, in sentences.
    fn about(&self) -> &'static str;

    /// The values of the candidates that are known before the first game.
    fn points(&self, space: &Space) -> Vec<Vec<Value>>;

    /// Shares the budget among rounds of so many candidates, the default included if it plays with them.
    ///
    /// # Errors
    /// A budget that decides nothing.
    fn rounds(&self, space: &Space, candidates: usize) -> Result<TuningRounds, TuneError>;

    /// The rounds before the first game.
    fn begin<'a>(&self, start: Start<'a>) -> Box<dyn Rounds + 'a>;

    /// What it learns beside the results of candidates.
    fn model(&self) -> Model {
        Model::None
    }
}

/// What a method learns beside the results of candidates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    /// Nothing: candidates are compared by their own results.
    None,
    /// A surface over the candidates.
    Surface,
    /// A distribution that candidates are drawn from, round by round.
    Distribution,
}

/// How many candidates rows of values make, if any, and how many of the rows cannot play.
pub type Kept<'a> = dyn Fn(&[Vec<Value>]) -> Option<(usize, usize)> + 'a;

/// Whether values can play together.
pub type IsLegal<'a> = dyn Fn(&[Value]) -> bool + 'a;

/// What a method has to share and to choose from.
pub struct Space<'a> {
    /// The values that each tuned parameter may take.
    pub choices: &'a [&'a Choice],
    /// Games in all.
    pub budget: u64,
    /// Opponents; 0 where the candidates play against the default.
    pub opponents: usize,
    /// 1 if the default plays in the rounds, else 0.
    pub own: usize,
    /// All random numbers come from it.
    pub key: Key,
    /// How many candidates rows of values make, if any, and how many of the rows cannot play.
    pub kept: &'a Kept<'a>,
}

/// What is known when the rounds begin. Candidates are numbers; 0 is the default.
pub struct Start<'a> {
    /// The values that each tuned parameter may take.
    pub choices: Vec<&'a Choice>,
    /// The rounds.
    pub rounds: &'a [RoundPlan],
    /// The values of the candidates behind the default.
    pub rows: Vec<Vec<Value>>,
    /// The values of the default; empty if it has none.
    pub default: Vec<Value>,
    /// Whether the default plays in the rounds.
    pub has_default: bool,
    /// All random numbers come from it.
    pub key: Key,
    /// Whether values can play together.
    pub is_legal: Box<IsLegal<'a>>,
}

/// The rounds of a method: a function of the results so far.
pub trait Rounds {
    /// The candidates of the first round; none if there is none.
    fn first(&mut self, plan: Option<&RoundPlan>) -> Vec<usize>;

    /// The candidates of the next round, after so many rounds; after the last one those to choose the best from, the best
    /// first. `field` are those of the last round, `results` their means, and whether they have failed games.
    fn next(
        &mut self,
        round: usize,
        plan: Option<&RoundPlan>,
        field: Vec<usize>,
        results: &[(Option<f64>, bool)],
        standings: &mut [CandidateStanding],
    ) -> Vec<usize>;

    /// The best candidate, and the best of those that are not the default. `field` are those of the last round.
    fn best(&self, field: &[usize]) -> [usize; 2] {
        let best = field[0];
        [best, field.iter().copied().find(|candidate| *candidate != 0).unwrap_or(best)]
    }

    /// The values of all candidates so far, if they are drawn.
    fn drawn(&self) -> &[Vec<Value>] {
        &[]
    }

    /// After each round with results, the distribution that candidates are drawn from.
    fn steps(&self) -> &[DistributionStep] {
        &[]
    }

    /// What a surface recommended after each round.
    fn path(&self) -> &[Recommended] {
        &[]
    }

    /// The surface over the places of the candidates and over others, and the variance of a deck; none without results.
    fn surface(&self, _standings: &[CandidateStanding], _others: &[Vec<f64>]) -> Option<(Surface, f64)> {
        None
    }
}
