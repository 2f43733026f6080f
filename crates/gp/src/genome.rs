//! The genome: formulas of a player, each for one purpose.

use super::primitive::LnRule;
use super::simplify::simplify;
use super::terminal::Terminal;
use super::tree::Tree;
use evouct_base::named::Named;
use std::fmt;

evouct_base::named! {
    /// The purpose of a formula.
    #[derive(PartialOrd, Ord)]
    pub enum Slot {
        /// The value of a tried child, in place of UCT.
        Select = "select",
        /// The value of a child that was not tried yet. Without it all children are tried first, in random order.
        Untried = "untried",
        /// The value by which the move is chosen. Without it the player's final move decides.
        Final = "final",
        /// The value of a simulation. Without it the reward of its playout.
        Leaf = "leaf",
        /// The prior of a move before any is tried, from what the game tells of it. Without it no formula has a prior.
        Policy = "policy",
        /// The rating of a move in playouts. Without it playouts are those of the player.
        Playout = "playout",
    }
}

impl Slot {
    /// The number of slots.
    pub const COUNT: usize = 6;

    /// What its formula is, in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            Slot::Select => "the value of a child that was tried; the search goes on with the highest",
            Slot::Untried => "the value of a child that was not tried yet",
            Slot::Final => "the value by which the move is chosen after the search",
            Slot::Leaf => "what a simulation is worth, in place of the reward of its playout",
            Slot::Policy => "the prior of a move, from what the game tells of it",
            Slot::Playout => "the rating of a move in playouts",
        }
    }

    /// Whether its formula is about a child of the search and its statistics, as that of `select` is.
    pub const fn is_of_child(self) -> bool {
        !matches!(self, Slot::Leaf | Slot::Policy | Slot::Playout)
    }
}

/// The formulas of an individual; `select` is always there.
#[derive(Clone, PartialEq, Debug)]
pub struct Genome {
    trees: [Option<Tree>; Slot::COUNT],
}

impl Genome {
    /// Separator between genomes in one text.
    pub const BETWEEN: &str = " | ";

    /// A genome whose only formula selects.
    pub fn of(select: Tree) -> Genome {
        let mut trees: [Option<Tree>; Slot::COUNT] = Default::default();
        trees[Slot::Select as usize] = Some(select);
        Genome { trees }
    }

    /// The formula of a slot.
    pub fn tree(&self, slot: Slot) -> Option<&Tree> {
        self.trees[slot as usize].as_ref()
    }

    /// The same genome with another formula in a slot.
    ///
    /// # Panics
    /// If `select` would be empty.
    #[must_use]
    pub fn with(&self, slot: Slot, tree: Option<Tree>) -> Genome {
        assert!(slot != Slot::Select || tree.is_some(), "a genome has a formula that selects");
        let mut genome = self.clone();
        genome.trees[slot as usize] = tree;
        genome
    }

    /// The slots that have a formula.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
        Slot::NAMES.iter().map(|(_, slot)| *slot).filter(|slot| self.tree(*slot).is_some())
    }

    /// Nodes of all formulas.
    pub fn size(&self) -> usize {
        self.trees.iter().flatten().map(Tree::size).sum()
    }

    /// The size of its largest formula.
    pub fn largest(&self) -> usize {
        self.trees.iter().flatten().map(Tree::size).max().unwrap_or(0)
    }

    /// The same genome with every formula in its shortest form: equal values, and one text for all that only look
    /// different.
    #[must_use]
    pub fn simplified(&self, ln: LnRule) -> Genome {
        Genome { trees: self.trees.clone().map(|tree| tree.map(|tree| simplify(&tree, ln))) }
    }

    /// The key in caches and journals: the text of `to_string`, with 0 for −0. Genomes are equal where their
    /// keys are.
    ///
    /// ```
    /// use evouct_gp::{Genome, Terminal};
    /// let genome = |text: &str| Genome::parse(text, &Terminal::NAMED).unwrap();
    /// assert_eq!(genome("min(-0, n)").key(), "min(0, n)");
    /// assert_eq!(genome("min(-0, n)"), genome("min(0, n)"));
    /// ```
    pub fn key(&self) -> String {
        Genome::key_of(&self.to_string())
    }

    /// The key of the genome that `to_string` wrote as this text.
    pub fn key_of(text: &str) -> String {
        let mut parts = text.split("-0");
        let mut key = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            // `-0.5` is another number.
            key.push_str(if part.starts_with('.') { "-0" } else { "0" });
            key.push_str(part);
        }
        key
    }

    /// Reads what `to_string` wrote, with formulas over these terminals.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str, terminals: &[Terminal]) -> Result<Genome, String> {
        let mut trees: [Option<Tree>; Slot::COUNT] = Default::default();
        for part in text.split("; ") {
            let (name, formula) = part.split_once(" = ").unwrap_or(("select", part));
            let slot = Slot::of_name(name).ok_or_else(|| format!("there is no formula called {name:?}"))?;
            let tree = Tree::parse_over(formula, terminals).map_err(|error| error.to_string())?;
            if trees[slot as usize].replace(tree).is_some() {
                return Err(format!("{name} is given twice"));
            }
        }
        if trees[Slot::Select as usize].is_none() {
            return Err("a genome has a formula that selects".to_owned());
        }
        Ok(Genome { trees })
    }
}

/// `select = …; untried = …`, in the order of the slots; the formula alone if it is the only one.
impl fmt::Display for Genome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let alone = self.slots().count() == 1;
        for (place, slot) in self.slots().enumerate() {
            let tree = self.tree(slot).expect("a slot with a formula").infix();
            match (alone, place) {
                (true, _) => f.write_str(&tree)?,
                (false, 0) => write!(f, "{} = {tree}", slot.name())?,
                (false, _) => write!(f, "; {} = {tree}", slot.name())?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mutation, Node, Variation};
    use evouct_base::sampling::{below, chance};
    use evouct_base::seed::Key;
    use rand::Rng;

    #[test]
    fn genomes_read_back() {
        let one = Genome::of(Tree::uct());
        assert_eq!(Genome::parse(&one.to_string(), &Terminal::NAMED), Ok(one.clone()));
        let two = one.with(Slot::Final, Some("Q - 1 / n".parse().unwrap()));
        assert_eq!(two.to_string(), "select = Q + 2 * c * sqrt(2 * ln(N) / n); final = Q - 1 / n");
        assert_eq!(Genome::parse(&two.to_string(), &Terminal::NAMED), Ok(two.clone()));
        assert_eq!((two.size(), two.largest()), (18, 13));
        for wrong in ["", "final = Q", "select = Q; select = n", "chosen = Q", "select = Q +"] {
            assert!(Genome::parse(wrong, &Terminal::NAMED).is_err(), "{wrong}");
        }
    }

    /// The same tree with numbers that are nearly or quite the same: the other zero, another NaN, the next number.
    fn near(tree: &Tree, rng: &mut dyn Rng) -> Tree {
        let number = |number: f64, rng: &mut dyn Rng| match below(rng, 4) {
            0 => number,
            1 if number == 0.0 => -number,
            1 if number.is_nan() => f64::from_bits(number.to_bits() ^ 1),
            1 | 2 => number + 0.0,
            _ => number.next_up(),
        };
        let node = |node: &Node| match node {
            Node::Terminal(Terminal::Number(own)) => Node::Terminal(Terminal::Number(number(*own, rng))),
            other => *other,
        };
        Tree::from_prefix(tree.nodes().iter().map(node).collect()).unwrap()
    }

    #[test]
    fn genomes_are_equal_where_their_keys_are() {
        const NUMBERS: [f64; 8] = [0.0, -0.0, f64::NAN, 0.05, -0.05, 1e-7, 5e-324, -1e300];
        let variation =
            Variation { slots: vec![Slot::Select, Slot::Final], max_nodes: 9, ..Variation::from(Mutation::default()) };
        let mut rng = Key::experiment(66).stream();
        let (mut equal, mut shown) = (0, 0);
        for _ in 0..10_000 {
            let leaf = |node: &Node, rng: &mut dyn Rng| match node {
                Node::Terminal(_) if chance(rng, 0.6) => Node::Terminal(Terminal::Number(NUMBERS[below(rng, 8)])),
                other => *other,
            };
            let slot = |genome: Genome, slot: Slot, rng: &mut dyn Rng| {
                let tree = variation.formula(slot, rng);
                let nodes = tree.nodes().iter().map(|node| leaf(node, rng)).collect();
                genome.with(slot, Tree::from_prefix(nodes))
            };
            let genome = slot(Genome::of(Tree::uct()), Slot::Select, &mut rng);
            let genome = slot(genome, Slot::Final, &mut rng);
            let twin = Slot::NAMES.iter().fold(genome.clone(), |twin, (_, slot)| match genome.tree(*slot) {
                Some(tree) => twin.with(*slot, Some(near(tree, &mut rng))),
                None => twin,
            });
            assert_eq!(genome == twin, genome.key() == twin.key(), "{genome} and {twin}");
            let [short, other] = [&genome, &twin].map(|own| own.simplified(LnRule::Abs));
            assert_eq!(short == other, short.to_string() == other.to_string(), "{short} and {other}");
            // What is simplified has no second text, and what is equal before is equal then.
            assert!(short.to_string() == short.key() && (genome != twin || short == other), "{genome} and {twin}");
            equal += usize::from(genome == twin);
            shown += usize::from(genome == twin && genome.to_string() != twin.to_string());
        }
        assert!(equal > 2_000 && equal < 8_000 && shown > 1_000, "{equal}, {shown}");
    }

    #[test]
    fn simplified_genomes_of_equal_value_are_equal() {
        let of = |text: &str| Genome::parse(text, &Terminal::NAMED).unwrap().simplified(LnRule::Abs).to_string();
        assert_eq!(of("Q + 0 * n"), of("Q"));
        assert_eq!(of("n + Q"), of("Q + n"));
    }
}
