//! The fitness of a formula: playouts that it chooses.

use super::selection::SemanticSelection;
use crate::game::{Game, Playout};
use crate::search::{Descent, Search, TreePolicy};

/// Which of the three controllers, with what only it can be told.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Variant {
    /// EA-p-MCTS: rewards are not backpropagated, and the tree is left alone.
    Partial {
        /// How playouts are chosen.
        evaluation: PartialEvaluation,
    },
    /// EA-MCTS: rewards update a tree.
    Full {
        /// How playouts are chosen.
        evaluation: Evaluation,
        /// Which tree they update.
        tree: EvoTree,
    },
    /// SIEA-MCTS: EA-MCTS with semantic selection.
    Semantic {
        /// How playouts are chosen.
        evaluation: Evaluation,
        /// Which tree they update.
        tree: EvoTree,
        /// How semantics decides between formulas.
        selection: SemanticSelection,
    },
}

/// How one playout of an evaluation is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Evaluation {
    /// The formula descends while nodes are fully expanded; no expansion.
    #[default]
    Descend,
    /// The formula chooses a child of the root (the authors' code).
    RootChild,
    /// An iteration with expansion (the authors' later code).
    Expand,
}

/// How one playout of an evaluation is chosen where the tree is left alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum PartialEvaluation {
    /// The formula descends while nodes are fully expanded.
    #[default]
    Descend,
    /// The formula chooses a child of the root, once an evaluation (the authors' code).
    RootChild,
}

impl Evaluation {
    /// The names used in experiments.
    pub const NAMES: [(&'static str, Evaluation); 3] =
        [("descend", Evaluation::Descend), ("root-child", Evaluation::RootChild), ("full", Evaluation::Expand)];

    /// The same where the tree is left alone; none for an evaluation that expands it.
    pub fn partial(self) -> Option<PartialEvaluation> {
        match self {
            Evaluation::Descend => Some(PartialEvaluation::Descend),
            Evaluation::RootChild => Some(PartialEvaluation::RootChild),
            Evaluation::Expand => None,
        }
    }
}

/// Which tree evaluations update.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum EvoTree {
    /// One copy a decision, shared by all individuals (Galván et al. 2022, Algorithm 2).
    #[default]
    Copy,
    /// The tree of the search itself, which keeps the visits (the authors' code).
    Shared,
    /// A copy for each individual.
    CopyPerIndividual,
}

impl EvoTree {
    /// The names used in experiments.
    pub const NAMES: [(&'static str, EvoTree); 3] =
        [("copy", EvoTree::Copy), ("shared", EvoTree::Shared), ("copy-per-individual", EvoTree::CopyPerIndividual)];
}

/// The value of the seed's `c`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum SeedConstant {
    /// Drawn from the set once a decision.
    #[default]
    PerDecision,
    /// Drawn from the set at every use of the formula (the authors' code).
    PerUse,
    /// This number.
    Fixed(f64),
}

impl Variant {
    /// How semantics decides between formulas, where it does.
    pub fn semantic_selection(&self) -> Option<SemanticSelection> {
        match self {
            Variant::Semantic { selection, .. } => Some(*selection),
            Variant::Partial { .. } | Variant::Full { .. } => None,
        }
    }

    /// Which tree evaluations update; none where they update none.
    pub fn tree(&self) -> Option<EvoTree> {
        match self {
            Variant::Partial { .. } => None,
            Variant::Full { tree, .. } | Variant::Semantic { tree, .. } => Some(*tree),
        }
    }

    /// The rewards of `simulations` playouts chosen by a formula, for the seat that decides.
    pub(super) fn rewards<G: Game, P: Playout<G>>(
        &self,
        search: &mut Search<G, P>,
        policy: &TreePolicy,
        simulations: usize,
    ) -> Vec<f64> {
        let descent = match self {
            Variant::Partial { evaluation: PartialEvaluation::RootChild } => {
                let edge = search.select_root(policy);
                return (0..simulations).map(|_| search.playout_after(edge)).collect();
            }
            Variant::Partial { evaluation: PartialEvaluation::Descend } => {
                Descent { expand: false, update: false, root_only: false }
            }
            Variant::Full { evaluation, .. } | Variant::Semantic { evaluation, .. } => Descent {
                expand: *evaluation == Evaluation::Expand,
                update: true,
                root_only: *evaluation == Evaluation::RootChild,
            },
        };
        (0..simulations).map(|_| search.simulate(policy, descent)).collect()
    }
}
