//! All-moves-as-first statistics: what a finished simulation adds to the nodes that it went through.

use super::super::rave::{AmafMoves, AmafSameness, AmafScope, AmafSettings};
use super::super::tree::Parent;
use super::Search;
use super::workspace::Workspace;
use crate::game::{Game, MAX_SEATS, Playout};

impl<G: Game, P: Playout<G>> Search<'_, G, P> {
    /// Counts the moves of a finished simulation as first moves at the nodes it went through.
    pub(super) fn count_amaf(&mut self, amaf: AmafSettings, rewards: &[f64; MAX_SEATS]) {
        let Workspace { tree, state, path, log, beside, decisions, alike, .. } = &mut *self.work;
        let (Some(state), Some(root)) = (state.as_ref(), self.log_root) else { return };
        let plies = &log.plies()[root.plies()..];
        let similar = amaf.sameness == AmafSameness::Similar;
        if similar {
            alike.clear();
            alike.extend(plies.iter().map(|ply| (ply.seat, state.likeness(*ply).unwrap_or(0))));
        } else {
            decisions.list(plies);
        }
        let in_tree = path.iter().filter(|step| step.edge.is_some()).count();
        for (depth, step) in path.iter().enumerate() {
            beside.clear();
            match (amaf.scope, depth.checked_sub(1).and_then(|above| path[above].edge)) {
                (AmafScope::AllOutcomes, Some(edge)) => tree.followers(Parent::Edge(edge), beside),
                _ => beside.push(step.node),
            }
            let first = match amaf.moves {
                AmafMoves::TreeAndPlayout => depth,
                AmafMoves::Playout => in_tree,
            };
            for node in &*beside {
                if tree.node(*node).mover != step.mover {
                    continue;
                }
                if similar {
                    tree.count_similar(*node, &alike[first..], rewards[step.mover]);
                } else {
                    tree.count_amaf(*node, (plies, decisions), first, rewards[step.mover]);
                }
            }
        }
    }

    /// All-moves-as-first visits and means of the root's actions, in their order; empty if they are not counted.
    pub fn amaf(&self) -> Vec<(f64, f64)> {
        let amaf = self.work.tree.amaf(0);
        amaf.visits.iter().zip(amaf.sums).map(|(visits, sum)| (*visits, sum / visits.max(1.0))).collect()
    }
}
