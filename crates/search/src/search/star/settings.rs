//! The options of expectimax and *-minimax.

use super::prob_cut::ChanceProbCut;

/// How chance nodes are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChanceSearch {
    /// Every successor in full, and no pruning anywhere.
    Expectimax,
    /// By windows.
    Star1,
    /// By windows after probing. A factor of 1 is Star2, a higher one Star2.5.
    Star2(Probing),
}

/// How many actions of each successor are probed, and in which order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probing {
    /// Actions of each successor.
    pub factor: usize,
    /// One action of each successor in turn, instead of all of one before the next. Guessing ignores it.
    pub cyclic: bool,
    /// What the actions that are not probed count for.
    pub unprobed: Unprobed,
}

evouct_base::named! {
    /// What probing concludes about the actions of a successor that were not probed.
    #[derive(Default)]
    pub enum Unprobed {
        /// Nothing: the best probed action is a lower bound of the successor (Ballard 1983, Heyden 2009).
        #[default]
        Bound = "bound",
        /// They are worth what the worst probed action is, so the best probed action is the value of the successor
        /// (Valdez Ameneyro et al. 2020, II-D; Galván et al. 2022, IV-F).
        Guess = "guess",
    }

    /// What a search assumes of the seats that do not search. With two seats whose values are negations of one another
    /// the assumptions are the same.
    #[derive(Default)]
    pub enum Multiplayer {
        /// They all minimise the value of the seat that searches (Sturtevant and Korf 2000).
        #[default]
        Paranoid = "paranoid",
        /// Each maximises its own value (Luckhardt and Irani 1986). Not with probing.
        MaxN = "max-n",
    }
}

/// The bounds assumed for all values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Bounds {
    /// These two.
    Fixed {
        /// L.
        lower: f64,
        /// U.
        upper: f64,
    },
    /// The lead at the root plus a margin, whichever seat leads: ±(|lead| + margin). A sound reading of Heyden (2009),
    /// 6.4. In max^n the lead farthest from 0 of any seat.
    Dynamic {
        /// The margin: what one search can change.
        margin: f64,
    },
    /// The signed lead of the seat that searches plus a margin, and the negation of this sum: `U = lead + margin`, `L =
    /// −U` (Heyden 2009, 6.4, to the letter). A seat that is behind gets narrow bounds. If it is behind by more than
    /// the margin, `U` is below `L`, and it plays the first action in the order of the heuristic.
    SignedLead {
        /// The margin.
        margin: f64,
    },
}

impl Bounds {
    /// L and U for the lead at the root.
    pub(super) fn around(self, lead: impl FnOnce() -> f64) -> (f64, f64) {
        let most = match self {
            Bounds::Fixed { lower, upper } => return (lower, upper),
            Bounds::Dynamic { margin } => lead().abs() + margin,
            Bounds::SignedLead { margin } => lead() + margin,
        };
        (-most, most)
    }
}

/// The options of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StarSettings {
    /// How chance nodes are searched.
    pub chance: ChanceSearch,
    /// What is assumed of the other seats.
    pub multiplayer: Multiplayer,
    /// The bounds assumed for all values.
    pub bounds: Bounds,
    /// Whether shallower searches settle chance nodes; not in expectimax, which prunes nothing.
    pub prob_cut: Option<ChanceProbCut>,
    /// Plies, at least 1.
    pub depth: u32,
    /// Whether depths 1, 2, … are searched, each with the best action of the one before first, until the budget is
    /// spent.
    pub deepening: bool,
}
