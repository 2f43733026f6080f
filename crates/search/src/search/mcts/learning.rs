//! What simulations teach about moves: see [`MoveTable`](super::super::move_table::MoveTable).

use super::super::search_column::SearchColumn;
use super::super::tree::Proof;
use super::{Search, Workspace};
use crate::game::at_once::has_won;
use crate::game::{Game, MAX_SEATS, Playout, Turn};
use evouct_gp::Needs;

impl<G: Game, P: Playout<G>> Search<'_, G, P> {
    /// From now on, the search learns what these columns are of.
    pub(super) fn learn_for(&mut self, needs: &Needs) {
        let columns = || needs.by_child.iter().filter_map(|column| SearchColumn::of(*column));
        let lessons = SearchColumn::lessons_of(columns());
        use SearchColumn::{ProvenDraw, ProvenLoss, ProvenWin};
        self.proves = columns().any(|column| matches!(column, ProvenWin | ProvenLoss | ProvenDraw));
        self.learns = !lessons.is_empty();
        self.moves.keep_own(needs, self.learns);
        if self.learns {
            self.work.table.begin(lessons, self.settings.learned.keep, self.is_continued);
            if self.log_root.is_none() {
                self.keep_log();
            }
        }
    }

    /// Learns from a finished simulation.
    #[inline(never)]
    pub(super) fn learn_moves(&mut self, rewards: &[f64; MAX_SEATS]) {
        let Workspace { state, path, log, table, .. } = &mut *self.work;
        let (Some(state), Some(root)) = (state.as_ref(), self.log_root) else { return };
        table.learn(state, (log.plies(), root.plies()), path.iter().map(|step| step.node), rewards);
    }

    /// Keeps what a new edge proves, after which the search is, if it ends the game.
    #[inline(never)]
    pub(super) fn prove(&mut self) {
        let Workspace { tree, state, path, .. } = &mut *self.work;
        let state = state.as_ref().expect("the workspace has a position");
        let seats = state.seats();
        if state.turn() != Turn::Terminal {
            return;
        }
        let scores = state.scores();
        let proof = match (0..seats).find(|seat| has_won(&scores, *seat, seats)) {
            Some(winner) => Proof::Win(winner as u8),
            None if seats == 2 => Proof::Draw,
            // One seat has nobody to win against, and of several some may have drawn and others lost.
            None => return,
        };
        tree.prove(path.iter().filter_map(|step| Some((step.node, step.edge?))), proof, None);
    }

    /// Keeps what a node that several edges lead to proves of this way to it: it may have been proven on another one.
    pub(super) fn prove_shared(&mut self, node: usize) {
        let Workspace { tree, path, .. } = &mut *self.work;
        let proof = tree.proof_of(node);
        if proof != Proof::None {
            tree.prove(path.iter().filter_map(|step| Some((step.node, step.edge?))), proof, Some(node));
        }
    }
}

#[cfg(test)]
mod tests;
