//! What a tree keeps of its edges beyond visits and means, if formulas need it: columns of rewards, numbers of the moves,
//! and the best untried edges by one of these.

use super::links::NONE;

/// What formulas need of edges beyond visits and means, if a search keeps it.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct FurtherColumns {
    /// Sums of squared rewards; empty if they are not kept.
    pub(super) squares: Vec<f64>,
    /// Highest rewards, 0 without visits; empty if they are not kept.
    pub(super) best: Vec<f64>,
    /// Heuristic values by implicit minimax; empty if they are not kept.
    pub(super) implicit: Vec<f64>,
    /// What is proven of edges; empty if it is not kept.
    pub(super) proofs: Vec<Proof>,
    pub(super) keeps_proofs: bool,
    /// Whether means are what a backup makes of them.
    pub(super) has_own_means: bool,
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

impl FurtherColumns {
    /// Whether no column has an entry per edge.
    pub(super) fn has_numbers_only(&self) -> bool {
        !(self.keeps_squares || self.keeps_best || self.keeps_implicit || self.keeps_proofs)
    }

    /// For a node that was added: it has no numbers yet.
    pub(super) fn add_node(&mut self) {
        self.numbered.push(NONE);
        self.leading.push(Leading::UNKNOWN);
    }
}

/// What is proven of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::search) enum Proof {
    /// Nothing.
    #[default]
    None,
    /// This seat wins.
    Win(u8),
    /// Of two seats neither wins.
    Draw,
}

/// The untried edges of a node of which one is the best by a number: one with the highest number and, if there is one
/// below it, one with the next.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::search) struct Leading {
    /// How many edges were untried.
    pub(in crate::search) untried: u32,
    /// Their places; the second repeats the first if all numbers are equal.
    pub(in crate::search) places: [u32; 2],
    /// How many have the highest number.
    pub(in crate::search) ties: u32,
    /// Whether all numbers are finite. The lowest one that there is counts as infinite where some edges are tried.
    pub(in crate::search) is_finite: bool,
}

impl Leading {
    /// Not found yet: no node has so many edges.
    pub(super) const UNKNOWN: Leading = Leading { untried: u32::MAX, places: [0; 2], ties: 0, is_finite: false };

    /// Of the edges with these numbers, of which those at some places are tried. `memory` is overwritten.
    pub(super) fn of(numbers: &[f64], tried: &[u32], memory: &mut Vec<f64>) -> Leading {
        if tried.is_empty() {
            return Leading::of_all(numbers);
        }
        // Below all others, so that no number is looked up by its place.
        memory.clear();
        memory.extend_from_slice(numbers);
        tried.iter().for_each(|place| memory[*place as usize] = f64::MIN);
        let leading = Leading::of_all(memory);
        let [highest, next] = leading.places.map(|place| memory[place as usize]);
        let untried = leading.untried - tried.len() as u32;
        let is_alone = next == f64::MIN || next == highest;
        let places = if is_alone { [leading.places[0]; 2] } else { leading.places };
        // A number as low as that is as good as none.
        let is_finite = leading.is_finite && !numbers.contains(&f64::MIN);
        Leading { untried, places, is_finite, ..leading }
    }

    /// The same where all edges are untried: most nodes are selected from once.
    ///
    /// One plain loop, as a number is seldom above the next of those before it. Passes over blocks in vector registers
    /// took more time: they waited for each other, and their code had to be fetched after each playout.
    fn of_all(numbers: &[f64]) -> Leading {
        let (mut highest, mut next) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let (mut places, mut ties, mut is_finite) = ([0; 2], 0, true);
        for (place, number) in numbers.iter().enumerate() {
            is_finite &= number.is_finite();
            if *number > next {
                if *number > highest {
                    (next, highest) = (highest, *number);
                    (places, ties) = ([place as u32, places[0]], 1);
                } else if *number == highest {
                    ties += 1;
                } else {
                    (next, places[1]) = (*number, place as u32);
                }
            }
        }
        if next == f64::NEG_INFINITY {
            places[1] = places[0];
        }
        Leading { untried: numbers.len() as u32, places, ties, is_finite }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_base::sampling::below;
    use evouct_base::seed::Key;

    /// What is found among all edges, and among some, is what a sorted list has.
    #[test]
    fn leading_edges_are_those_of_a_sorted_list() {
        let mut rng = Key::experiment(3).stream();
        let (mut memory, mut unusual) = (Vec::new(), 0);
        for round in 0..3_000 {
            let count = 1 + below(&mut rng, 40);
            let mut numbers: Vec<f64> = (0..count).map(|_| below(&mut rng, 1 + round % 9) as f64 - 4.0).collect();
            if round % 10 == 7 {
                let place = below(&mut rng, count);
                numbers[place] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MIN][below(&mut rng, 4)];
            }
            let (mut tried, mut untried) = (Vec::new(), (0..count as u32).collect::<Vec<u32>>());
            while !untried.is_empty() {
                let found = Leading::of(&numbers, &tried, &mut memory);
                assert_eq!(found.untried as usize, untried.len());
                let of = |place: u32| numbers[place as usize];
                let is_usual = |place: &u32| of(*place).is_finite() && (tried.is_empty() || of(*place) > f64::MIN);
                let is_finite = untried.iter().all(is_usual);
                // What a tried edge has may make it be found unusual, but not usual.
                assert!(is_finite || !found.is_finite, "{numbers:?} {untried:?}");
                if found.is_finite {
                    let mut sorted: Vec<f64> = untried.iter().map(|place| of(*place)).collect();
                    sorted.sort_by(|a, b| b.total_cmp(a));
                    let next = sorted.iter().find(|number| **number < sorted[0]).unwrap_or(&sorted[0]);
                    assert_eq!(found.places.map(of), [sorted[0], *next]);
                    assert!(found.places.iter().all(|place| untried.contains(place)));
                    assert_eq!(found.places[0] == found.places[1], sorted[0] == *next);
                    assert_eq!(found.ties as usize, sorted.iter().filter(|number| **number == sorted[0]).count());
                }
                unusual += usize::from(!found.is_finite);
                tried.push(untried.swap_remove(below(&mut rng, untried.len())));
            }
        }
        assert!((1_000..20_000).contains(&unusual), "{unusual}");
    }
}
