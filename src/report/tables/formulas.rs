//! EvolutionRow and evolved formulas by player.

use crate::config::Experiment;
use crate::gp::Tree;
use crate::report::aggregate::evolution::EvolutionTotals;
use crate::report::aggregate::formulas::{Formulas, QUANTITIES};
use crate::stats::quantiles::box_plot;
use serde::Serialize;
use std::collections::BTreeMap;

/// Formulas of a player that are shown.
const SHOWN: usize = 12;

/// The evolutions of a player in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct EvolutionRow {
    /// The player.
    pub player: String,
    /// Decisions with an evolution.
    pub decisions: u64,
    /// Generations.
    pub generations: u64,
    /// Generations in which several individuals shared the best fitness.
    pub ties: u64,
    /// Generations in which one of them was within (α, β).
    pub in_range: u64,
    /// Generations in which semantics decided the selection.
    pub by_semantics: u64,
    /// Generations in which an offspring replaced the parent.
    pub replaced: u64,
    /// Playouts.
    pub playouts: u64,
    /// Mean number of nodes of the evolved formula.
    pub nodes: Option<f64>,
    /// Mean depth.
    pub depth: Option<f64>,
    /// Mean gain in fitness over the seed, in points.
    pub gain: Option<f64>,
}

/// An evolved formula after canonical simplification.
#[derive(Clone, Debug, Serialize)]
pub struct FormulaRow {
    /// The player.
    pub player: String,
    /// The formula in infix, simplified.
    pub formula: String,
    /// Its nodes.
    pub nodes: usize,
    /// Decisions that evolved it; up to `lost` too low where there were too many distinct formulas to count all.
    pub count: u64,
    /// See `count`; usually 0.
    pub lost: u64,
    /// Decisions of the player.
    pub of: u64,
}

/// The distribution of a quantity over the formulas of one of a player's turns.
#[derive(Clone, Debug, Serialize)]
pub struct ShapeRow {
    /// The player.
    pub player: String,
    /// `nodes`, `depth` or `gain` (fitness over the seed's, in points, rounded to tenths).
    pub what: &'static str,
    /// The player's own turn, from 1.
    pub turn: usize,
    /// Formulas.
    pub count: usize,
    /// Minimum, lower whisker, quartiles, upper whisker and maximum as a box plot draws them.
    pub numbers: [f64; 7],
}

impl EvolutionRow {
    /// A row for every player that evolved.
    pub(super) fn all(experiment: &Experiment, totals: &BTreeMap<usize, EvolutionTotals>) -> Vec<EvolutionRow> {
        let row = |(player, totals): (&usize, &EvolutionTotals)| EvolutionRow {
            player: experiment.players[*player].name.clone(),
            decisions: totals.decisions,
            generations: totals.generations,
            ties: totals.ties,
            in_range: totals.in_range,
            by_semantics: totals.by_semantics,
            replaced: totals.replaced,
            playouts: totals.playouts,
            nodes: totals.nodes.mean().ok(),
            depth: totals.depth.mean().ok(),
            gain: totals.gain.mean().ok(),
        };
        totals.iter().map(row).collect()
    }
}

impl FormulaRow {
    /// The most frequent formulas of each player.
    pub(super) fn all(experiment: &Experiment, formulas: &Formulas) -> Vec<FormulaRow> {
        let mut rows = Vec::new();
        for (player, of) in &formulas.players {
            let mut counts: Vec<(&String, u64)> = of.counts.iter().map(|(formula, count)| (formula, *count)).collect();
            counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.len().cmp(&b.0.len())).then(a.0.cmp(b.0)));
            rows.extend(counts.into_iter().take(SHOWN).map(|(formula, count)| FormulaRow {
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
}

impl ShapeRow {
    /// Box plots of all quantities by player and turn.
    pub(super) fn all(experiment: &Experiment, formulas: &Formulas) -> Vec<ShapeRow> {
        let mut rows = Vec::new();
        for (player, of) in &formulas.players {
            for (number, (what, step)) in QUANTITIES.into_iter().enumerate() {
                for (turn, histograms) in &of.turns {
                    let values: Vec<f64> = histograms[number]
                        .iter()
                        .flat_map(|(value, count)| std::iter::repeat_n(*value as f64 * step, *count as usize))
                        .collect();
                    let Ok(plot) = box_plot(&values) else { continue };
                    let numbers =
                        [plot.min, plot.whisker_low, plot.q1, plot.median, plot.q3, plot.whisker_high, plot.max];
                    rows.push(ShapeRow {
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
