//! The fitness of a formula: playouts that it chooses.

use crate::game::{Game, Playout};
use crate::search::{Descent, Search, TreePolicy};
use evouct_base::parameter::{ParameterType, Value, Values};
use evouct_gp::SemanticSelection;

/// The three controllers, each with its own options.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Variant {
    /// EA-p-MCTS: rewards are not backpropagated; the tree stays unchanged.
    Partial {
        /// How playouts are chosen.
        evaluation: PartialFitnessPlayout,
    },
    /// EA-MCTS: rewards update a tree.
    Full {
        /// How playouts are chosen.
        evaluation: FitnessPlayout,
        /// Which tree they update.
        tree: EvoTree,
    },
    /// SIEA-MCTS: EA-MCTS with semantic selection.
    Semantic {
        /// How playouts are chosen.
        evaluation: FitnessPlayout,
        /// Which tree they update.
        tree: EvoTree,
        /// How semantics decides between formulas.
        selection: SemanticSelection,
    },
}

evouct_base::named! {
    /// How one playout of an evaluation is chosen.
    #[derive(Default)]
    pub enum FitnessPlayout {
        /// The formula descends while nodes are fully expanded; no expansion.
        #[default]
        Descend = "descend",
        /// The formula chooses a child of the root (the authors' code).
        RootChild = "root-child",
        /// An iteration with expansion (the authors' later code).
        Expand = "full",
    }
}

/// How one playout of an evaluation is chosen if the tree stays unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum PartialFitnessPlayout {
    /// The formula descends while nodes are fully expanded.
    #[default]
    Descend,
    /// The formula chooses a child of the root, once per evaluation (the authors' code).
    RootChild,
}

impl FitnessPlayout {
    /// The same for an evaluation that leaves the tree unchanged; none for one that expands it.
    pub fn partial(self) -> Option<PartialFitnessPlayout> {
        match self {
            FitnessPlayout::Descend => Some(PartialFitnessPlayout::Descend),
            FitnessPlayout::RootChild => Some(PartialFitnessPlayout::RootChild),
            FitnessPlayout::Expand => None,
        }
    }
}

evouct_base::named! {
    /// Which tree evaluations update.
    #[derive(Default)]
    pub enum EvoTree {
        /// One copy per decision, shared by all individuals (Galván et al. 2022, Algorithm 2).
        #[default]
        Copy = "copy",
        /// The tree of the search itself, which keeps the visits (the authors' code).
        Shared = "shared",
        /// A copy for each individual.
        CopyPerIndividual = "copy-per-individual",
    }
}

/// The value of the seed's `c`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum SeedConstant {
    /// Drawn from the set once per decision.
    #[default]
    PerDecision,
    /// Drawn from the set at every use of the formula (the authors' code).
    PerUse,
    /// This number.
    Fixed(f64),
}

impl ParameterType for SeedConstant {
    fn values() -> Values {
        Values::NameOrReal(vec!["per-decision", "per-use"], 0.0, 1e6)
    }

    fn to_value(&self) -> Value {
        match self {
            SeedConstant::PerDecision => Value::Name("per-decision"),
            SeedConstant::PerUse => Value::Name("per-use"),
            SeedConstant::Fixed(constant) => Value::Real(*constant),
        }
    }

    fn from_value(value: &Value) -> Option<SeedConstant> {
        match value {
            Value::Name("per-decision") => Some(SeedConstant::PerDecision),
            Value::Name("per-use") => Some(SeedConstant::PerUse),
            Value::Real(constant) => Some(SeedConstant::Fixed(*constant)),
            _ => None,
        }
    }
}

impl Variant {
    /// How semantics decides between formulas, if it does.
    pub fn semantic_selection(&self) -> Option<SemanticSelection> {
        match self {
            Variant::Semantic { selection, .. } => Some(*selection),
            Variant::Partial { .. } | Variant::Full { .. } => None,
        }
    }

    /// Which tree evaluations update, if any.
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
            Variant::Partial { evaluation: PartialFitnessPlayout::RootChild } => {
                let edge = search.select_root(policy);
                return (0..simulations).map(|_| search.playout_after(edge)).collect();
            }
            Variant::Partial { evaluation: PartialFitnessPlayout::Descend } => {
                Descent { expand: false, update: false, root_only: false }
            }
            Variant::Full { evaluation, .. } | Variant::Semantic { evaluation, .. } => Descent {
                expand: *evaluation == FitnessPlayout::Expand,
                update: true,
                root_only: *evaluation == FitnessPlayout::RootChild,
            },
        };
        (0..simulations).map(|_| search.simulate(policy, descent)).collect()
    }
}
