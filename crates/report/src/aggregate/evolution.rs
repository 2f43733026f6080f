//! Sums over the evolutions of a player.

use evouct_league::record::DecisionLog;
use evouct_stats::Summary;

/// Sums over the evolutions of a player, one per decision.
#[derive(Clone, Debug, Default)]
pub(crate) struct EvolutionTotals {
    pub decisions: u64,
    pub generations: u64,
    pub ties: u64,
    pub in_range: u64,
    pub by_semantics: u64,
    pub replaced: u64,
    pub playouts: u64,
    pub nodes: Summary,
    pub depth: Summary,
    /// Fitness of the final formula less the first fitness measured.
    pub gain: Summary,
}

impl EvolutionTotals {
    /// Adds the evolution of a decision.
    pub(super) fn add(&mut self, decision: &DecisionLog) {
        let log = &decision.log;
        self.decisions += 1;
        self.generations += log.fitness.len().saturating_sub(1) as u64;
        self.ties += log.ties as u64;
        self.in_range += log.in_range as u64;
        self.by_semantics += log.by_semantics as u64;
        self.replaced += log.replaced as u64;
        self.playouts += log.playouts;
        self.nodes.push(log.nodes as f64);
        self.depth.push(log.depth as f64);
        if let (Some(first), Some(last)) = (log.fitness.first(), log.fitness.last()) {
            self.gain.push(last - first);
        }
    }
}
