//! Evolution and evolved formulas by player: the most frequent ones, the orders that they induce, and how much size
//! gains.

use crate::aggregate::Aggregate;
use crate::aggregate::evolution::EvolutionTotals;
use crate::aggregate::formulas::{FormulaCount, Formulas, PlayerFormulas, QUANTITIES};
use evouct_base::named::Named;
use evouct_gp::{InducedOrder, LnRule, Tree};
use evouct_league::config::Experiment;
use evouct_platform::domain::GAME_WON;
use evouct_stats::quantiles::box_plot;
use serde::Serialize;
use std::collections::BTreeMap;

/// Formulas of a player that are shown.
const SHOWN: usize = 12;

/// Mean rewards of two children in charts of formulas, where a point is this: even ones, and what is much in the game.
pub(crate) fn shown_means(point: &str) -> [f64; 2] {
    [0.0, if point == GAME_WON { 0.5 } else { 10.0 }]
}

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

/// The fewest decisions of a formula on the front, and the largest share of all decisions that this number is of: the
/// mean gain of a few decisions is noise, of which the front would keep the highest.
const FRONT: (u64, u64) = (3, 1_000);

/// An evolved formula after canonical simplification.
#[derive(Clone, Debug, Serialize)]
pub struct FormulaRow {
    /// The player.
    pub player: String,
    /// The formula in infix, simplified.
    pub formula: String,
    /// The protection of ln that it was evolved with, without which its values change.
    #[serde(serialize_with = "name_of")]
    pub ln: LnRule,
    /// The order that it induces on the children of a node.
    pub order: &'static str,
    /// Its nodes.
    pub nodes: usize,
    /// Decisions that evolved it; up to `lost` too low where there were too many distinct formulas to count all.
    pub count: u64,
    /// See `count`; usually 0.
    pub lost: u64,
    /// Decisions of the player.
    pub of: u64,
}

/// Formulas of a player that induce one order: for selection they are one formula.
#[derive(Clone, Debug, Serialize)]
pub struct OrderRow {
    /// The player.
    pub player: String,
    /// What the order does: see [`OrderName`](evouct_gp::OrderName).
    pub order: &'static str,
    /// The shortest formula that induces it.
    pub formula: String,
    /// Distinct formulas that induce it.
    pub formulas: u64,
    /// Decisions that evolved one of them.
    pub count: u64,
    /// Decisions of the player.
    pub of: u64,
}

/// A formula on the front of size against fitness: none that is as small or smaller gains more.
#[derive(Clone, Debug, Serialize)]
pub struct FrontRow {
    /// The player.
    pub player: String,
    /// Nodes of the simplified formula.
    pub nodes: usize,
    /// The formula.
    pub formula: String,
    /// Mean gain in fitness over the seed, in points, over the decisions that evolved it.
    pub gain: f64,
    /// Decisions that evolved it.
    pub count: u64,
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

fn name_of<S: serde::Serializer>(rule: &LnRule, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(rule.name())
}

/// The protection of ln of a player's formulas.
fn rule_of(experiment: &Experiment, player: usize) -> LnRule {
    experiment.players[player].spec.parameter::<LnRule>().unwrap_or_default()
}

/// The formulas of a player by descending count, then by length and text.
fn by_count(of: &PlayerFormulas) -> Vec<(&String, FormulaCount)> {
    let mut counts: Vec<(&String, FormulaCount)> = of.counts.iter().map(|(formula, count)| (formula, *count)).collect();
    counts.sort_by(|a, b| b.1.decisions.cmp(&a.1.decisions).then(a.0.len().cmp(&b.0.len())).then(a.0.cmp(b.0)));
    counts
}

impl Aggregate {
    /// The `top` most frequent formulas of each player; those that cannot be parsed are left out.
    pub fn formulas(&self, experiment: &Experiment, top: usize) -> Vec<FormulaRow> {
        FormulaRow::most_frequent(experiment, &self.formulas, top)
    }
}

impl FormulaRow {
    /// The most frequent formulas of each player, those that a report shows.
    pub(super) fn all(experiment: &Experiment, formulas: &Formulas) -> Vec<FormulaRow> {
        FormulaRow::most_frequent(experiment, formulas, SHOWN)
    }

    fn most_frequent(experiment: &Experiment, formulas: &Formulas, top: usize) -> Vec<FormulaRow> {
        let mut rows = Vec::new();
        for (player, of) in &formulas.players {
            let ln = rule_of(experiment, *player);
            let row = |(formula, count): (&String, FormulaCount)| {
                let tree: Tree = formula.parse().ok()?;
                Some(FormulaRow {
                    player: experiment.players[*player].name.clone(),
                    formula: formula.clone(),
                    ln,
                    order: InducedOrder::of(&tree, ln).name_of(&tree, ln).name(),
                    nodes: tree.size(),
                    count: count.decisions,
                    lost: of.lost,
                    of: of.decisions,
                })
            };
            rows.extend(by_count(of).into_iter().filter_map(row).take(top));
        }
        rows
    }
}

impl OrderRow {
    /// The most frequent orders of each player.
    pub(super) fn all(experiment: &Experiment, formulas: &Formulas) -> Vec<OrderRow> {
        let mut rows = Vec::new();
        for (player, of) in &formulas.players {
            let ln = rule_of(experiment, *player);
            let mut groups: BTreeMap<InducedOrder, OrderRow> = BTreeMap::new();
            for (formula, count) in by_count(of) {
                let Ok(tree) = formula.parse::<Tree>() else { continue };
                let order = InducedOrder::of(&tree, ln);
                let name = |order: &InducedOrder| match groups.get(order) {
                    Some(known) => known.order,
                    None => order.name_of(&tree, ln).name(),
                };
                let empty = OrderRow {
                    player: experiment.players[*player].name.clone(),
                    order: name(&order),
                    formula: formula.clone(),
                    formulas: 0,
                    count: 0,
                    of: of.decisions,
                };
                let group = groups.entry(order).or_insert(empty);
                group.formulas += 1;
                group.count += count.decisions;
                if (formula.len(), formula) < (group.formula.len(), &group.formula) {
                    group.formula.clone_from(formula);
                }
            }
            let mut groups: Vec<OrderRow> = groups.into_values().collect();
            groups.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.formula.cmp(&b.formula)));
            rows.extend(groups.into_iter().take(SHOWN));
        }
        rows
    }
}

impl FrontRow {
    /// The front of each player, the smallest formula first.
    pub(super) fn all(experiment: &Experiment, formulas: &Formulas) -> Vec<FrontRow> {
        let mut rows = Vec::new();
        for (player, of) in &formulas.players {
            let fewest = FRONT.0.max(of.decisions / FRONT.1);
            let row = |(formula, count): (&String, FormulaCount)| {
                let enough = count.measured >= fewest;
                enough.then_some(FrontRow {
                    player: experiment.players[*player].name.clone(),
                    nodes: formula.parse::<Tree>().ok()?.size(),
                    formula: formula.clone(),
                    gain: count.gain / count.measured as f64,
                    count: count.decisions,
                })
            };
            let mut all: Vec<FrontRow> = by_count(of).into_iter().filter_map(row).collect();
            all.sort_by(|a, b| a.nodes.cmp(&b.nodes).then(b.gain.total_cmp(&a.gain)));
            let mut best = f64::NEG_INFINITY;
            all.retain(|row| {
                let better = row.gain > best;
                best = best.max(row.gain);
                better
            });
            rows.extend(all);
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
