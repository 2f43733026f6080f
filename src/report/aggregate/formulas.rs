//! What is kept of evolved formulas: how large they were at each turn, and which came out most often.

use crate::config::Experiment;
use crate::gp::{LnRule, Tree, simplify};
use crate::player::Value;
use crate::record::DecisionLog;
use crate::report::tables::report::{Formula, Shape};
use crate::stats::quantiles::box_plot;
use std::collections::{BTreeMap, HashMap};

/// Different formulas of a player that are counted at once.
const COUNTED: usize = 20_000;
/// Formulas of a player that are shown.
const SHOWN: usize = 12;
/// Simplified formulas that are remembered: the same ones come up again and again.
const REMEMBERED: usize = 50_000;

/// The formulas of all players.
#[derive(Debug, Default)]
pub(in crate::report) struct Formulas {
    players: BTreeMap<usize, OfPlayer>,
}

#[derive(Debug, Default)]
struct OfPlayer {
    decisions: u64,
    /// By own turn from 1: nodes, depth, and gain in tenths of a point, each value with how often it occurred.
    turns: BTreeMap<usize, [BTreeMap<i64, u64>; 3]>,
    counts: HashMap<String, u64>,
    lost: u64,
}

/// What histograms are of, and the size of their steps.
const QUANTITIES: [(&str, f64); 3] = [("nodes", 1.0), ("depth", 1.0), ("gain", 0.1)];

impl Formulas {
    /// Takes in the formula of a decision.
    pub(in crate::report) fn add(&mut self, player: usize, turn: usize, decision: &DecisionLog, simplified: &str) {
        let log = &decision.log;
        let of = self.players.entry(player).or_default();
        of.decisions += 1;
        let gain = match (log.fitness.first(), log.fitness.last()) {
            (Some(first), Some(last)) => Some((last - first) * 10.0).filter(|gain| gain.is_finite()),
            _ => None,
        };
        let values = [Some(log.nodes as f64), Some(log.depth as f64), gain];
        let histograms = of.turns.entry(turn).or_default();
        for (histogram, value) in histograms.iter_mut().zip(values) {
            if let Some(value) = value {
                *histogram.entry(value.round() as i64).or_default() += 1;
            }
        }
        *of.counts.entry(simplified.to_owned()).or_default() += 1;
        // J. Misra and D. Gries, "Finding repeated elements", Science of Computer Programming 2 (1982): what is common
        // survives, and `lost` bounds what each count misses.
        if of.counts.len() > COUNTED {
            of.counts.retain(|_, count| {
                *count -= 1;
                *count > 0
            });
            of.lost += 1;
        }
    }

    /// The most frequent formulas of each player.
    pub(in crate::report) fn frequent(&self, experiment: &Experiment) -> Vec<Formula> {
        let mut rows = Vec::new();
        for (player, of) in &self.players {
            let mut counts: Vec<(&String, u64)> = of.counts.iter().map(|(formula, count)| (formula, *count)).collect();
            counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.len().cmp(&b.0.len())).then(a.0.cmp(b.0)));
            rows.extend(counts.into_iter().take(SHOWN).map(|(formula, count)| Formula {
                player: experiment.players[*player].name.clone(),
                formula: formula.clone(),
                nodes: formula.parse().map_or(0, |tree: Tree| tree.size()),
                count,
                lost: of.lost,
                of: of.decisions,
            }));
        }
        rows
    }

    /// Box plots of all quantities by player and turn.
    pub(in crate::report) fn shapes(&self, experiment: &Experiment) -> Vec<Shape> {
        let mut rows = Vec::new();
        for (player, of) in &self.players {
            for (number, (what, step)) in QUANTITIES.into_iter().enumerate() {
                for (turn, histograms) in &of.turns {
                    let values: Vec<f64> = histograms[number]
                        .iter()
                        .flat_map(|(value, count)| std::iter::repeat_n(*value as f64 * step, *count as usize))
                        .collect();
                    let Ok(plot) = box_plot(&values) else { continue };
                    let numbers =
                        [plot.min, plot.whisker_low, plot.q1, plot.median, plot.q3, plot.whisker_high, plot.max];
                    rows.push(Shape {
                        player: experiment.players[*player].name.clone(),
                        what,
                        turn: *turn,
                        count: plot.count,
                        numbers,
                    });
                }
            }
        }
        rows
    }
}

/// Simplifies formulas, each as its player protects the logarithm.
#[derive(Debug)]
pub(in crate::report) struct Canonical {
    rules: HashMap<String, LnRule>,
    known: HashMap<(String, bool), String>,
}

impl Canonical {
    pub(in crate::report) fn new(experiment: &Experiment) -> Canonical {
        let rule = |contender: &crate::config::Contender| match contender.spec.value("ln") {
            Value::Name(name) => {
                LnRule::NAMES.iter().find(|(known, _)| known == name).map_or(LnRule::Abs, |(_, rule)| *rule)
            }
            _ => LnRule::Abs,
        };
        let rules = experiment.players.iter().map(|contender| (contender.identity.short(), rule(contender)));
        Canonical { rules: rules.collect(), known: HashMap::new() }
    }

    /// The simplified formula of a player, in infix; empty where it is no formula.
    pub(in crate::report) fn simplify(&mut self, identity: &str, formula: &str) -> String {
        let rule = self.rules.get(identity).copied().unwrap_or_default();
        let key = (formula.to_owned(), rule == LnRule::Clamp);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let simplified = formula.parse().map(|tree: Tree| simplify(&tree, rule).infix()).unwrap_or_default();
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert(key, simplified.clone());
        simplified
    }
}
