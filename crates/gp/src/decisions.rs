//! The decisions of a genome on a fixed sample of nodes: genomes that decide alike are one player.
//!
//! A search takes the child with the highest value, among those that were tried by `select` and those that were not by
//! `untried`, and plays the move with the highest value by `final`. So only the order of these values counts. What a
//! simulation is worth, the prior of a move and its rating in playouts count by their values, so that formulas of `leaf`,
//! `policy` and `playout` must be equal. The sample is made by arithmetic, not drawn. It is a sample: genomes that decide alike here may differ at nodes that it does not have.

use super::genome::{Genome, Slot};
use super::primitive::LnRule;
use super::program::Program;
use super::terminal::{Scope, Terminal};

/// Sampled nodes.
const NODES: usize = 96;
/// Children of a node.
const CHILDREN: usize = 6;
/// Those among them that were not tried, at every other node.
const UNTRIED: usize = 2;
/// Visits of the nodes, in turn.
const VISITS: [f64; 6] = [8.0, 25.0, 80.0, 250.0, 800.0, 2_800.0];
/// Values of `c`, in turn.
const CONSTANTS: [f64; 3] = [0.5, 1.0, 2.0];

/// The decisions of a genome on the sample: for each node the ranks of its children, for selection and for the final
/// move, ties sharing one; and its formulas of `leaf`, `policy` and `playout`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Decisions {
    /// The ranks of the children of a node are the digits of a number.
    ranks: Vec<u16>,
    /// By their keys.
    by_value: [Option<String>; 3],
}

impl Decisions {
    /// The decisions of a genome.
    ///
    /// ```
    /// use evouct_gp::{Decisions, Genome, LnRule, Terminal};
    /// let decide = |text: &str| Decisions::of(&Genome::parse(text, &Terminal::NAMED).unwrap(), LnRule::Abs);
    /// assert_eq!(decide("10 / n"), decide("10 / n + max(N, n)"));
    /// // A summand that all tried children share counts beside those that were not tried.
    /// assert_ne!(decide("select = 1 / n; untried = 5"), decide("select = 1 / n + N; untried = 5"));
    /// ```
    pub fn of(genome: &Genome, ln: LnRule) -> Decisions {
        let mut ranks = Vec::with_capacity(2 * NODES + 2);
        for children in nodes() {
            let select = |child: Child| match (child.visits > 0.0, genome.tree(Slot::Untried)) {
                (false, None) => f64::INFINITY,
                (false, Some(untried)) => untried.evaluate_by(|terminal| child.value(terminal), ln),
                (true, _) => {
                    let select = genome.tree(Slot::Select).expect("a genome has a formula that selects");
                    select.evaluate_by(|terminal| child.value(terminal), ln)
                }
            };
            ranks.push(ranks_of(children.map(select)));
            // Without a formula the player's own rule decides.
            let last = |child: Child| match genome.tree(Slot::Final) {
                Some(last) if child.visits > 0.0 => last.evaluate_by(|terminal| child.value(terminal), ln),
                _ => f64::NEG_INFINITY,
            };
            ranks.push(ranks_of(children.map(last)));
        }
        // That there is a formula makes a difference, even one by which all are equal.
        ranks.extend([Slot::Untried, Slot::Final].map(|slot| u16::from(genome.tree(slot).is_some())));
        let key = |slot: Slot| genome.tree(slot).map(|tree| Genome::key_of(&tree.infix()));
        Decisions { ranks, by_value: [Slot::Leaf, Slot::Policy, Slot::Playout].map(key) }
    }
}

impl Decisions {
    /// The share of the sampled nodes at which both order the children alike, for selection and for the final move.
    pub fn agreement(&self, other: &Decisions) -> f64 {
        let pairs = || self.ranks.chunks_exact(2).zip(other.ranks.chunks_exact(2)).take(NODES);
        pairs().filter(|(own, theirs)| own == theirs).count() as f64 / NODES as f64
    }
}

impl Genome {
    /// What the values of a child take: see [`Program::price`].
    ///
    /// ```
    /// use evouct_gp::{Genome, LnRule, Terminal};
    /// let price = |text: &str| Genome::parse(text, &Terminal::NAMED).unwrap().price(LnRule::Abs);
    /// // What is the same for all children is computed once for all.
    /// assert_eq!((price("Q"), price("Q + sqrt(ln(N)/n)")), (0, 3));
    /// ```
    pub fn price(&self, ln: LnRule) -> usize {
        self.slots().filter_map(|slot| self.tree(slot)).map(|tree| Program::new(tree.clone(), ln).price()).sum()
    }

    /// The slots whose formula has one value for all children that it is asked about, at every sampled node: by itself it
    /// decides nothing between them.
    ///
    /// ```
    /// use evouct_gp::{Genome, LnRule, Slot, Terminal};
    /// let genome = Genome::parse("select = 2 * N; untried = n + Q; final = Q", &Terminal::NAMED).unwrap();
    /// assert_eq!(genome.equal_for_all_children(LnRule::Abs), [Slot::Select, Slot::Untried]);
    /// ```
    pub fn equal_for_all_children(&self, ln: LnRule) -> Vec<Slot> {
        let is_equal = |slot: &Slot| {
            let Some(tree) = self.tree(*slot).filter(|_| *slot != Slot::Leaf) else { return false };
            nodes().all(|children| {
                let is_asked = |child: &Child| !slot.is_of_child() || (child.visits > 0.0) == (*slot != Slot::Untried);
                let asked = children.into_iter().filter(is_asked);
                let values: Vec<f64> =
                    asked.map(|child| tree.evaluate_by(|terminal| child.value(terminal), ln)).collect();
                values.iter().all(|value| ordered(*value) == ordered(values[0]))
            })
        };
        self.slots().filter(is_equal).collect()
    }
}

/// The children of the sampled nodes.
fn nodes() -> impl Iterator<Item = [Child; CHILDREN]> {
    (0..NODES).map(|node| std::array::from_fn(|child| Child::sampled(node, child)))
}

/// The rank of each value, ties sharing one, as the digits of a number.
fn ranks_of(values: [f64; CHILDREN]) -> u16 {
    let values = values.map(ordered);
    let rank = |value: &f64| values.iter().filter(|other| *other > value).count() as u16;
    values.iter().map(rank).fold(0, |digits, rank| digits * CHILDREN as u16 + rank)
}

/// A value as selection orders it, which never prefers what is not a number.
fn ordered(value: f64) -> f64 {
    if value.is_nan() { f64::NEG_INFINITY } else { value }
}

/// A child of a sampled node.
#[derive(Clone, Copy)]
struct Child {
    node: usize,
    child: usize,
    parent: f64,
    visits: f64,
}

impl Child {
    fn sampled(node: usize, child: usize) -> Child {
        let parent = VISITS[node % VISITS.len()];
        let is_untried = node % 2 == 1 && child < UNTRIED;
        // Some children have most of the visits.
        let share = part("n", node, child).powi(3);
        let visits = if is_untried { 0.0 } else { (1.0 + 0.5 * share * parent).floor() };
        Child { node, child, parent, visits }
    }

    fn value(&self, terminal: Terminal) -> f64 {
        let Child { node, child, parent, visits } = *self;
        match terminal {
            Terminal::Number(number) => number,
            Terminal::ParentVisits => parent,
            Terminal::ChildVisits => visits,
            Terminal::Constant => CONSTANTS[node % CONSTANTS.len()],
            Terminal::Mean if visits == 0.0 => 0.0,
            // Siblings lie within 1, 4 or 16 points around the mean of their node.
            Terminal::Mean => {
                let spread = [1.0, 4.0, 16.0][node % 3];
                30.0 * part("Q", node, CHILDREN) - 15.0 + spread * (part("Q", node, child) - 0.5)
            }
            Terminal::Column(column) => {
                let child = if column.scope() == Scope::Child { child } else { CHILDREN };
                let part = part(column.name(), node, child);
                // Statistics are shares at some nodes, and large at others; numbers of moves are small and often 0.
                match node % 4 {
                    0 => part,
                    1 => 30.0 * part - 10.0,
                    _ => f64::max(0.0, (9.0 * part - 3.0).floor()),
                }
            }
        }
    }
}

/// A number from 0 to 1 of a name at a place: the fractional part of a multiple of the golden ratio, from where a hash of
/// the name and the node begins.
fn part(name: &str, node: usize, child: usize) -> f64 {
    let mix = |hash: u64, word: u64| {
        let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    };
    let hash = name.bytes().map(u64::from).chain([node as u64]).fold(0x2545_f491_4f6c_dd1d, mix);
    let start = (mix(hash, 7) >> 11) as f64 / (1_u64 << 53) as f64;
    (start + child as f64 * 0.618_033_988_749_894_9).fract()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Statistic;

    static STATISTICS: [Statistic; 2] =
        [Statistic::new("sd", Scope::Child, 0), Statistic::new("phase", Scope::Node, 1)];

    fn decisions(text: &str) -> Decisions {
        let terminals = Terminal::with_columns(&STATISTICS, &["dv", "op"]);
        Decisions::of(&Genome::parse(text, &terminals).unwrap(), LnRule::Abs)
    }

    /// The finalists of faults of version 0.1: without `untried`, what all children share has no effect.
    #[test]
    fn genomes_that_decide_alike_are_one() {
        let alike = [
            &["10 / n", "10 / n + max(N, n)", "sqrt(2.22 * ln(N) / n)", "2.02 * sqrt(2.34 * ln(N) / n)"][..],
            &["Q + dv", "2 * Q + 2 * dv", "Q + dv + phase"],
            &["select = Q; final = n", "select = Q; final = n + 3"],
            // Q of a child that was not tried is 0.
            &["select = Q; untried = Q + 16 * dv", "select = Q; untried = 16 * dv"],
        ];
        for genomes in alike {
            assert!(genomes.iter().all(|text| decisions(text) == decisions(genomes[0])), "{genomes:?}");
        }
    }

    #[test]
    fn what_differs_is_told_apart() {
        let base = "select = Q + 2 * sqrt(2 * ln(N) / n) + 16 * dv / (n + 1); untried = Q + 16 * dv; final = n";
        let others = [
            base.replace("16 * dv /", "12 * dv /"),
            base.replace("untried = Q + 16 * dv", "untried = 16 * dv + 3"),
            base.replace("; untried = Q + 16 * dv", ""),
            base.replace("final = n", "final = n + sd"),
            base.replace("; final = n", ""),
            base.replace("16 * dv /", "16 * (dv + 0.2 * op) /"),
            base.replace("16 * dv /", "16 * (1 - 0.3 * phase) * dv /"),
            format!("{base}; leaf = sd"),
        ];
        for other in &others {
            assert!(decisions(base) != decisions(other), "{other}");
        }
    }
}
