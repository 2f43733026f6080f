//! The options of a search in a tree.

use super::policy::Opponent;
use super::rave::{AmafSameness, AmafSettings};
use super::reward::Reward;

/// How chance is treated inside the tree. Playouts draw at random in every case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Chance {
    /// Outcomes are drawn by their weights at every descent; each outcome has its own children.
    #[default]
    Sampled,
    /// The real outcomes to come are used, as the authors' code of 2022 does: the player sees the future.
    Peek,
    /// Outcomes are drawn by their weights and share their children: an action is one edge whatever was drawn.
    OpenLoop,
    /// This many orders of all outcomes to come are drawn, a tree is grown for each with an equal share of the
    /// iterations, and the statistics of the root are added up.
    Determinised {
        /// The number of orders.
        decks: u32,
    },
}

evouct_base::named! {
    /// What N is in the tree policy.
    #[derive(Default)]
    pub enum ParentVisits {
        /// Visits of the decision node with this outcome of chance. Where the tree knows one outcome only (peek,
        /// determinised), those of the edge above it.
        #[default]
        Node = "node",
        /// Visits of the edge above, over all outcomes (Valdez Ameneyro et al. 2020).
        AllOutcomes = "all-tiles",
    }

    /// The reward of a leaf whose game chance ends, when the search comes there again.
    #[derive(Default)]
    pub enum LeafReward {
        /// Chance decides again at each visit.
        #[default]
        Drawn = "drawn",
        /// What chance decided at the first visit holds for the whole search (the authors' code for function
        /// optimisation until December 2023).
        Stored = "stored",
    }

    /// Which action is played in the end.
    #[derive(Default)]
    pub enum FinalMove {
        /// The highest mean reward (Galván et al. 2022, Heyden 2009).
        #[default]
        Mean = "mean",
        /// The most visits, among equals the highest mean (Valdez Ameneyro et al. 2020).
        Visits = "visits",
        /// The highest value by the tree policy, exploration included (RAVE in the authors' code of 2022).
        TreePolicy = "tree-policy",
    }

    /// Which action the next iteration tries at the root.
    #[derive(Default)]
    pub enum RootRule {
        /// The tree policy's, as at every node.
        #[default]
        TreePolicy = "tree-policy",
        /// All in equal shares, the better half after each round (Karnin, Koren, Somekh 2013).
        SequentialHalving = "sequential-halving",
    }
}

/// The options of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchSettings {
    /// How chance is treated.
    pub chance: Chance,
    /// What N is.
    pub parent_visits: ParentVisits,
    /// What a playout is worth.
    pub reward: Reward,
    /// The reward of a leaf whose game chance ends.
    pub leaf_reward: LeafReward,
    /// How a formula serves opponents.
    pub opponent: Opponent,
    /// Whether the first iteration of a tree is a playout from the root, without expansion (the authors' code of 2022).
    pub root_playout: bool,
    /// What is tried at the root. Sequential halving also plays the best of what is left, whatever `final_move` says.
    /// Not with [`Chance::Determinised`], whose trees share the iterations.
    pub root: RootRule,
    /// Which action is played.
    pub final_move: FinalMove,
    /// Playouts per iteration, at least 1: their mean is its reward (Valdez Ameneyro et al. 2020 play 100).
    pub rollouts: u32,
    /// Whether a search continues in the tree of the seat's last decision, below what was played since (Müller 2014,
    /// 3.4.1), where the moves since are known. With [`Chance::Sampled`].
    pub reuse: bool,
    /// Nodes at which a tree is full: it grows no further, and simulations leave it at the last node that it has. No
    /// limit unless given.
    pub max_tree_nodes: Option<u64>,
    /// Whether positions that are equal after different moves share a node: UCT1 of Childs, Brodeur, Kocsis (2008). With
    /// [`Chance::Sampled`] and without `reuse`, in games that [tell positions apart](crate::game::Game::TRANSPOSES).
    pub transpositions: bool,
    /// What all-moves-as-first statistics count, if a policy needs them. Not with [`Chance::OpenLoop`].
    pub amaf: Option<AmafSettings>,
    /// What formulas know of moves that the search learns about.
    pub learned: LearnedSettings,
}

/// How a search learns about moves, if formulas ask for it ([`SearchColumn`](super::SearchColumn)).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LearnedSettings {
    /// Visits of a node from which its own moves as first are enough: those of the nearest one with so many are used
    /// (Cazenave 2015).
    pub grave_visits: u32,
    /// The factor by which what the last decision learned counts in the next one, 0 to 1. At 0 it is forgotten.
    pub keep: f64,
}

impl Default for LearnedSettings {
    /// 50 visits, as in the source for several games; nothing is kept.
    fn default() -> LearnedSettings {
        LearnedSettings { grave_visits: 50, keep: 0.0 }
    }
}

impl SearchSettings {
    /// Whether the search counts moves that are alike as the same.
    pub(super) fn counts_similar(&self) -> bool {
        self.amaf.is_some_and(|amaf| amaf.sameness == AmafSameness::Similar)
    }
}

impl Default for SearchSettings {
    fn default() -> SearchSettings {
        SearchSettings {
            chance: Chance::default(),
            parent_visits: ParentVisits::default(),
            reward: Reward::default(),
            leaf_reward: LeafReward::default(),
            opponent: Opponent::default(),
            root_playout: false,
            root: RootRule::default(),
            final_move: FinalMove::default(),
            rollouts: 1,
            reuse: false,
            max_tree_nodes: None,
            transpositions: false,
            amaf: None,
            learned: LearnedSettings::default(),
        }
    }
}
