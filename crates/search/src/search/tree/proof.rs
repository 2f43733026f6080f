//! What a tree proves of its edges: MCTS-Solver.
//!
//! M. H. M. Winands, Y. Björnsson, J.-T. Saito, "Monte-Carlo Tree Search Solver", Computers and Games 2008. With more than two seats
//! a win of another seat is one however many others there are (J. A. M. Nijssen, M. H. M. Winands, Computers and Games 2010).

use super::{Node, Parent, Proof, SearchTree};
use crate::game::Game;

impl<G: Game> SearchTree<G> {
    /// What is proven of a node's edges; empty if that is not kept.
    pub(in crate::search) fn proofs(&self, node: usize) -> &[Proof] {
        let Node { first, count, .. } = self.node(node);
        let proofs = self.further.as_ref().map_or(&[][..], |further| &further.proofs);
        proofs.get(first..first + count).unwrap_or_default()
    }

    /// What the edges of a node prove of it: a win of its seat if an edge does, and if all edges are proven, a draw if one
    /// is a draw, or the win of another seat if all are.
    pub(in crate::search) fn proof_of(&self, node: usize) -> Proof {
        let (own, proofs) = (Proof::Win(self.node(node).mover as u8), self.proofs(node));
        if proofs.contains(&own) {
            own
        } else if proofs.is_empty() || proofs.contains(&Proof::None) {
            Proof::None
        } else if proofs.contains(&Proof::Draw) {
            Proof::Draw
        } else if proofs.iter().all(|proof| *proof == proofs[0]) {
            proofs[0]
        } else {
            Proof::None
        }
    }

    /// Keeps that an edge, the last of this path of nodes and edges, ends the game so, or leads to this node, which proves
    /// it; and what follows of the edges above it. Where chance decides in between, nothing does.
    pub(in crate::search) fn prove(
        &mut self,
        path: impl DoubleEndedIterator<Item = (usize, usize)>,
        mut proof: Proof,
        mut below: Option<usize>,
    ) {
        for (node, edge) in path.rev() {
            if below.is_some_and(|below| self.follow(Parent::Edge(edge), None) != Some(below)) {
                return;
            }
            let Some(kept) = self.further.as_mut().and_then(|further| further.proofs.get_mut(edge)) else { return };
            *kept = proof;
            proof = self.proof_of(node);
            below = Some(node);
            if proof == Proof::None {
                return;
            }
        }
    }
}
