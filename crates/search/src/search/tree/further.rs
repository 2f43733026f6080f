//! What a tree keeps of its edges beyond visits and means, if formulas need it: columns of rewards, numbers of the moves,
//! and the best untried edges by one of these.

/// What formulas need of edges beyond visits and means, if a search keeps it.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct FurtherColumns {
    /// Sums of squared rewards; empty if they are not kept.
    pub(super) squares: Vec<f64>,
    /// Highest rewards, 0 without visits; empty if they are not kept.
    pub(super) best: Vec<f64>,
    /// Heuristic values by implicit minimax; empty if they are not kept.
    pub(super) implicit: Vec<f64>,
    pub(super) keeps_squares: bool,
    pub(super) keeps_best: bool,
    pub(super) keeps_implicit: bool,
    /// Numbers that the game gives for the actions, one column per number: row by row those of nodes that need them. A
    /// search that tries all actions of a node first needs them only where all are tried.
    pub(super) numbers: Vec<Vec<f64>>,
    /// By node: where its row of numbers begins.
    pub(super) numbered: Vec<u32>,
    /// By node: its leading untried edges, as they were found last.
    pub(super) leading: Vec<Leading>,
}

/// The untried edges of a node of which one is the best by a number: one with the highest number and, if there is one
/// below it, one with the next.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::search) struct Leading {
    /// How many edges were untried.
    pub(super) untried: u32,
    /// Their places; the second repeats the first if all numbers are equal.
    pub(in crate::search) places: [u32; 2],
    /// Whether all numbers are finite.
    pub(in crate::search) is_finite: bool,
}

impl Leading {
    /// Not found yet: no node has so many edges.
    pub(super) const UNKNOWN: Leading = Leading { untried: u32::MAX, places: [0; 2], is_finite: false };

    pub(super) fn of(numbers: &[f64], untried: &[u32]) -> Leading {
        let (mut highest, mut next) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let mut leading = Leading { untried: untried.len() as u32, places: [0; 2], is_finite: true };
        for place in untried {
            let number = numbers[*place as usize];
            leading.is_finite &= number.is_finite();
            if number > highest {
                (next, leading.places[1]) = (highest, leading.places[0]);
                (highest, leading.places[0]) = (number, *place);
            } else if number < highest && number > next {
                (next, leading.places[1]) = (number, *place);
            }
        }
        if next == f64::NEG_INFINITY {
            leading.places[1] = leading.places[0];
        }
        leading
    }
}
