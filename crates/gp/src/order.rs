//! The order that a formula induces on the children of a node, by evaluation on a fixed sample of nodes.
//!
//! Selection takes the child with the highest value, so formulas that order all children alike are one tree policy,
//! whatever their values: `Q`, `2 * Q` and `N + Q` are all greedy. The sample is made by arithmetic, not drawn, so a
//! group is the same in every report. It is a sample: formulas with one order here may still differ on other nodes.

use super::inputs::Inputs;
use super::primitive::LnRule;
use super::tree::Tree;
use std::sync::LazyLock;

/// Visits of the sampled parents.
const PARENTS: [u32; 8] = [7, 20, 60, 150, 400, 1_000, 2_000, 2_800];
/// Spreads of the children's mean rewards around that of their node, in points: one node per spread and parent.
/// Siblings that are close show what a formula does beside the reward.
const SPREADS: [f64; 4] = [40.0, 10.0, 2.0, 0.5];
/// Children of a node.
const CHILDREN: usize = 5;
/// Mean rewards of nodes are within this, in points.
const REWARD: f64 = 20.0;
/// Values of `c`, for formulas that have it.
const CONSTANTS: [f64; 2] = [0.5, 2.0];

/// The order of the children of every sampled node: the rank of each child, ties sharing one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InducedOrder(Vec<u8>);

/// The orders of `Q`, of `n` and of UCT.
static KNOWN: LazyLock<[InducedOrder; 3]> = LazyLock::new(|| {
    let trees = ["Q".parse().expect("a formula"), "n".parse().expect("a formula"), Tree::uct()];
    trees.map(|tree| InducedOrder::of(&tree, LnRule::Abs))
});

evouct_base::named! {
    /// A class of orders.
    #[derive(PartialOrd, Ord)]
    pub enum OrderName {
        /// All children are equal at every node: selection is by the rule for ties.
        Constant = "constant",
        /// The child with the highest mean reward.
        Greedy = "greedy",
        /// The child with the lowest mean reward.
        WorstFirst = "worst-first",
        /// The child with the fewest visits.
        FewestVisits = "fewest-visits",
        /// The child with the most visits.
        MostVisits = "most-visits",
        /// The order of UCT at the sampled values of c.
        Uct = "uct",
        /// More visits lower the value, a higher mean reward raises it: explores, as UCT does, but in an order of its
        /// own.
        Exploring = "exploring",
        /// More visits raise the value, and so does a higher mean reward: returns to what was visited.
        Reinforcing = "reinforcing",
        /// Visits have no effect, and the mean reward does not act in one direction.
        RewardOnly = "reward-only",
        /// Anything else.
        Mixed = "mixed",
    }
}

impl InducedOrder {
    /// The order that a formula induces.
    ///
    /// ```
    /// use evouct_gp::{InducedOrder, LnRule, OrderName, Tree};
    /// let order = |text: &str| InducedOrder::of(&text.parse::<Tree>().unwrap(), LnRule::Abs);
    /// assert_eq!(order("N + 2 * Q"), order("Q"));
    /// assert_eq!(order("Q").name(), OrderName::Greedy);
    /// ```
    pub fn of(tree: &Tree, ln: LnRule) -> InducedOrder {
        let mut ranks = Vec::with_capacity(CONSTANTS.len() * PARENTS.len() * SPREADS.len() * CHILDREN);
        for constant in CONSTANTS {
            for node in nodes() {
                let values = node.map(|(mean, visits, parent)| {
                    let value = tree.evaluate(Inputs { mean, visits, parent, constant }, ln);
                    // Selection never prefers what is not a number.
                    if value.is_nan() { f64::NEG_INFINITY } else { value }
                });
                let rank = |value: f64| values.iter().filter(|other| **other > value).count() as u8;
                ranks.extend(values.map(rank));
            }
        }
        InducedOrder(ranks)
    }

    /// The same order with every node turned upside down.
    fn reversed(&self) -> InducedOrder {
        let node = |ranks: &[u8]| -> Vec<u8> {
            ranks.iter().map(|rank| ranks.iter().filter(|other| *other > rank).count() as u8).collect()
        };
        InducedOrder(self.0.chunks(CHILDREN).flat_map(node).collect())
    }

    /// Its name, where the order alone decides it; see [`name_of`](InducedOrder::name_of) for the others.
    pub fn name(&self) -> OrderName {
        let [reward, visits, uct] = &*KNOWN;
        let turned = self.reversed();
        if self.0.iter().all(|rank| *rank == 0) {
            OrderName::Constant
        } else if self == reward {
            OrderName::Greedy
        } else if turned == *reward {
            OrderName::WorstFirst
        } else if self == visits {
            OrderName::MostVisits
        } else if turned == *visits {
            OrderName::FewestVisits
        } else if self == uct {
            OrderName::Uct
        } else {
            OrderName::Mixed
        }
    }

    /// The name of the order of a formula.
    pub fn name_of(&self, tree: &Tree, ln: LnRule) -> OrderName {
        let known = self.name();
        if known != OrderName::Mixed {
            return known;
        }
        match (effect(tree, ln, false), effect(tree, ln, true)) {
            (Effect::Raises, Effect::Lowers) => OrderName::Exploring,
            (Effect::Raises, Effect::Raises) => OrderName::Reinforcing,
            (_, Effect::None) => OrderName::RewardOnly,
            _ => OrderName::Mixed,
        }
    }
}

/// Effect of a larger input on the value, with all others kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    None,
    Raises,
    Lowers,
    Both,
}

/// The effect of the visits of the child, or of its mean reward, at the sampled children.
fn effect(tree: &Tree, ln: LnRule, of_visits: bool) -> Effect {
    let (mut raises, mut lowers) = (false, false);
    for constant in CONSTANTS {
        for (mean, visits, parent) in nodes().flatten() {
            let more = if of_visits { (mean, visits + 1.0 + visits / 4.0) } else { (mean + 5.0, visits) };
            let [less, more] = [(mean, visits), more]
                .map(|(mean, visits)| tree.evaluate(Inputs { mean, visits, parent, constant }, ln));
            raises |= more > less;
            lowers |= more < less;
        }
    }
    match (raises, lowers) {
        (false, false) => Effect::None,
        (true, false) => Effect::Raises,
        (false, true) => Effect::Lowers,
        (true, true) => Effect::Both,
    }
}

/// The sampled nodes: mean reward, visits and the parent's visits of each child.
fn nodes() -> impl Iterator<Item = [(f64, f64, f64); CHILDREN]> {
    let all = PARENTS.iter().flat_map(|parent| SPREADS.map(|spread| (f64::from(*parent), spread)));
    all.enumerate().map(|(number, (parent, spread))| {
        // Fractional parts of multiples of irrational numbers fill the unit interval evenly.
        let part = |place: usize, irrational: f64| ((number * CHILDREN + place + 1) as f64 * irrational).fract();
        let weights: [f64; CHILDREN] = std::array::from_fn(|child| 0.02 + part(child, 0.618_033_988_749_894_9).powi(3));
        let sum: f64 = weights.iter().sum();
        let middle = REWARD * (2.0 * part(0, 0.732_050_807_568_877_2) - 1.0);
        std::array::from_fn(|child| {
            let mean = middle + spread * (2.0 * part(child, 0.414_213_562_373_095_1) - 1.0);
            let visits = (parent * weights[child] / sum).round().max(1.0);
            // Rewards are means of whole points.
            ((mean * visits).round() / visits, visits, parent)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_base::named::Named;

    fn name(text: &str) -> &'static str {
        let tree: Tree = text.parse().unwrap();
        InducedOrder::of(&tree, LnRule::Abs).name_of(&tree, LnRule::Abs).name()
    }

    #[test]
    fn orders_have_their_names() {
        for (text, wanted) in [
            ("N * c", "constant"),
            ("3 / 4 + N - ln(c)", "constant"),
            ("Q", "greedy"),
            ("N + 2 * Q", "greedy"),
            ("Q / 3 - ln(N)", "greedy"),
            ("N - Q", "worst-first"),
            ("1 / n", "fewest-visits"),
            ("sqrt(n)", "most-visits"),
            ("Q + 2 * c * sqrt(2 * ln(N) / n)", "uct"),
            ("Q + 3 / n", "exploring"),
            ("Q - n", "exploring"),
            ("Q + n", "reinforcing"),
            ("Q * Q", "reward-only"),
            ("Q * n", "mixed"),
        ] {
            assert_eq!(name(text), wanted, "{text}");
        }
    }

    #[test]
    fn the_sample_separates_what_differs() {
        let order = |text: &str| InducedOrder::of(&text.parse().unwrap(), LnRule::Abs);
        assert_eq!(order("Q + c * sqrt(ln(N) / n)"), order("2 * Q + 2 * c * sqrt(ln(N) / n)"));
        assert_ne!(order("Q + c * sqrt(ln(N) / n)"), order("Q + 3 * c * sqrt(ln(N) / n)"));
        assert_ne!(order("Q"), order("Q + 1 / n"));
    }

    #[test]
    fn sampled_nodes_look_like_nodes() {
        for node in nodes() {
            let visits: f64 = node.iter().map(|child| child.1).sum();
            assert!(node.iter().all(|child| child.1 >= 1.0 && child.0.abs() <= REWARD + SPREADS[0] + 1.0));
            assert!(visits <= node[0].2 + CHILDREN as f64, "{visits} of {}", node[0].2);
        }
    }
}
