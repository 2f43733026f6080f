//! The fitness of a formula: playouts that it chooses.

use crate::game::{Game, Playout};
use crate::search::{Descent, Search, TreePolicy};

/// Which of the three controllers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Variant {
    /// EA-p-MCTS: rewards are not backpropagated.
    Partial,
    /// EA-MCTS: rewards update the tree.
    Full,
    /// SIEA-MCTS: EA-MCTS with semantic selection.
    Semantic,
}

/// How one playout of an evaluation is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Evaluation {
    /// The formula descends while nodes are fully expanded; no expansion.
    #[default]
    Descend,
    /// The formula chooses a child of the root (the authors' code). For EA-p-MCTS it does so once an evaluation.
    RootChild,
    /// An iteration with expansion (the authors' later code). Not for EA-p-MCTS.
    Expand,
}

impl Evaluation {
    /// The names used in experiments.
    pub const NAMES: [(&'static str, Evaluation); 3] =
        [("descend", Evaluation::Descend), ("root-child", Evaluation::RootChild), ("full", Evaluation::Expand)];
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

/// The rewards of `simulations` playouts chosen by a formula, for the seat that decides.
pub(super) fn rewards<G: Game, P: Playout<G>>(
    search: &mut Search<G, P>,
    policy: &TreePolicy,
    variant: Variant,
    evaluation: Evaluation,
    simulations: usize,
) -> Vec<f64> {
    let update = variant != Variant::Partial;
    if variant == Variant::Partial && evaluation == Evaluation::RootChild {
        let edge = search.select_root(policy);
        return (0..simulations).map(|_| search.playout_after(edge)).collect();
    }
    let descent = Descent {
        expand: evaluation == Evaluation::Expand && update,
        update,
        root_only: evaluation == Evaluation::RootChild,
    };
    (0..simulations).map(|_| search.simulate(policy, descent)).collect()
}
