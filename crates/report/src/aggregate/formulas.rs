//! What is kept of evolved formulas: histograms of their sizes by turn, and counts of the most frequent ones.

use evouct_gp::{LnRule, Tree, simplify};
use evouct_league::config::{Contender, Experiment};
use evouct_league::record::DecisionLog;
use std::collections::{BTreeMap, HashMap};

/// Distinct formulas of a player that are counted at the same time.
const COUNTED: usize = 20_000;
/// Simplified formulas in the cache: most decisions evolve one of a few formulas.
const CACHED: usize = 50_000;

/// The formulas of all players.
#[derive(Debug, Default)]
pub(crate) struct Formulas {
    pub players: BTreeMap<usize, PlayerFormulas>,
}

/// The formulas of a player.
#[derive(Debug, Default)]
pub(crate) struct PlayerFormulas {
    pub decisions: u64,
    /// By own turn from 1: a histogram of each of the [`QUANTITIES`], in units of its step.
    pub turns: BTreeMap<usize, [BTreeMap<i64, u64>; 3]>,
    /// Simplified formulas with what is known of the decisions that evolved them.
    pub counts: HashMap<String, FormulaCount>,
    /// Each count may be too low by this number.
    pub lost: u64,
}

/// The decisions that evolved a formula.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FormulaCount {
    /// Their number.
    pub decisions: u64,
    /// Those with a fitness of the seed and of the formula.
    pub measured: u64,
    /// The sum of the gains in fitness over the seed, in points.
    pub gain: f64,
}

/// The quantities that have histograms, and their steps: nodes, levels, points of fitness over the seed's.
pub(crate) const QUANTITIES: [(&str, f64); 3] = [("nodes", 1.0), ("depth", 1.0), ("gain", 0.1)];

impl Formulas {
    /// Adds the formula of a decision.
    pub(super) fn add(&mut self, player: usize, turn: usize, decision: &DecisionLog, simplified: &str) {
        let log = &decision.log;
        let of = self.players.entry(player).or_default();
        of.decisions += 1;
        let gain = match (log.fitness.first(), log.fitness.last()) {
            (Some(first), Some(last)) => Some(last - first).filter(|gain| gain.is_finite()),
            _ => None,
        };
        let values = [Some(log.nodes as f64), Some(log.depth as f64), gain.map(|gain| gain * 10.0)];
        let histograms = of.turns.entry(turn).or_default();
        for (histogram, value) in histograms.iter_mut().zip(values) {
            if let Some(value) = value {
                *histogram.entry(value.round() as i64).or_default() += 1;
            }
        }
        let count = of.counts.entry(simplified.to_owned()).or_default();
        count.decisions += 1;
        count.measured += u64::from(gain.is_some());
        count.gain += gain.unwrap_or(0.0);
        // J. Misra and D. Gries, "Finding repeated elements", Science of Computer Programming 2 (1982): frequent
        // formulas survive, and `lost` bounds the error of each count.
        if of.counts.len() > COUNTED {
            of.counts.retain(|_, count| {
                count.decisions -= 1;
                count.decisions > 0
            });
            of.lost += 1;
        }
    }
}

/// Simplifies formulas by the rule for the logarithm that their player uses.
#[derive(Debug)]
pub(super) struct Simplifier {
    rules: HashMap<String, LnRule>,
    known: HashMap<(String, bool), String>,
}

impl Simplifier {
    pub(super) fn new(experiment: &Experiment) -> Simplifier {
        let rule = |contender: &Contender| contender.spec.parameter::<LnRule>().unwrap_or_default();
        let rules = experiment.players.iter().map(|contender| (contender.identity.short(), rule(contender)));
        Simplifier { rules: rules.collect(), known: HashMap::new() }
    }

    /// The simplified formula of a player in infix; empty where `formula` cannot be parsed.
    pub(super) fn simplify(&mut self, identity: &str, formula: &str) -> String {
        let rule = self.rules.get(identity).copied().unwrap_or_default();
        let key = (formula.to_owned(), rule == LnRule::Clamp);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let simplified = formula.parse().map(|tree: Tree| simplify(&tree, rule).infix()).unwrap_or_default();
        if self.known.len() >= CACHED {
            self.known.clear();
        }
        self.known.insert(key, simplified.clone());
        simplified
    }
}
