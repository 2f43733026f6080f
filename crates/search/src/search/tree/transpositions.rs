//! Nodes that positions share which are equal after different moves.
//!
//! B. E. Childs, J. H. Brodeur, L. Kocsis, "Transpositions and Move Groups in Monte Carlo Tree Search", IEEE Symposium on
//! Computational Intelligence and Games, 2008: UCT1. Statistics are those of an action in a position, and a simulation
//! counts on its own path only. Links of several edges then lead to one node, and the tree is a graph without circles.

use super::SearchTree;
use crate::game::Game;
use std::collections::HashMap;

impl<G: Game> SearchTree<G> {
    /// From now on, equal positions share a node.
    pub(in crate::search) fn share_positions(&mut self) {
        self.positions = Some(HashMap::new());
    }

    /// Whether equal positions share a node.
    #[inline]
    pub(in crate::search) fn shares_positions(&self) -> bool {
        G::TRANSPOSES && self.positions.is_some()
    }

    /// The node of a position in which this seat is to play, if positions are shared and the search has come to it.
    #[inline]
    pub(in crate::search) fn node_of(&self, mover: usize, state: &G) -> Option<usize> {
        let positions = self.positions.as_ref().filter(|_| G::TRANSPOSES)?;
        positions.get(&(mover, state.position_key())).copied()
    }

    /// Keeps which position a node has, if positions are shared.
    pub(in crate::search) fn keep_position(&mut self, node: usize, state: &G) {
        let mover = self.node(node).mover;
        if let Some(positions) = self.positions.as_mut().filter(|_| G::TRANSPOSES) {
            positions.insert((mover, state.position_key()), node);
        }
    }

    /// Every node below the root that decides has its position, once.
    pub(super) fn check_positions(&self) -> Result<(), String> {
        let Some(positions) = &self.positions else { return Ok(()) };
        let mut lacks: Vec<bool> = self.nodes.iter().map(|node| node.count > 0).collect();
        for ((mover, _), node) in positions {
            match lacks.get_mut(*node) {
                Some(lacks) if *lacks && self.node(*node).mover == *mover => *lacks = false,
                _ => return Err(format!("a position of seat {mover} leads to node {node}")),
            }
        }
        let lacking = (1..lacks.len()).find(|node| lacks[*node]);
        lacking.map_or(Ok(()), |node| Err(format!("node {node} has no position")))
    }
}
