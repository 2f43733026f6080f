//! The structure of a genome: its formulas without the values of their numbers.

use super::genome::{Genome, Slot};
use super::operator::rounded;
use super::primitive::{LnRule, Node};
use super::terminal::Terminal;
use super::tree::Tree;
use evouct_base::named::Named;

impl Tree {
    /// The numbers, in prefix order.
    pub fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        self.nodes().iter().filter_map(|node| match node {
            Node::Terminal(Terminal::Number(number)) => Some(*number),
            _ => None,
        })
    }

    /// The same tree with other numbers, as many as it has.
    ///
    /// # Panics
    /// If there are too few.
    fn with_numbers(&self, numbers: &mut impl Iterator<Item = f64>) -> Tree {
        let replace = |node: &Node| match node {
            Node::Terminal(Terminal::Number(_)) => {
                Node::Terminal(Terminal::Number(numbers.next().expect("as many numbers as the tree has")))
            }
            other => *other,
        };
        Tree::from_prefix(self.nodes().iter().map(replace).collect()).expect("arities are kept")
    }

    /// The structure as text in prefix notation: `#` stands for every number, and operands whose order has no effect
    /// are sorted.
    pub fn structure(&self, ln: LnRule) -> String {
        self.fold(|node, a: Option<String>, b| match (node, a, b) {
            (Node::Terminal(Terminal::Number(_)), ..) => "#".to_owned(),
            (Node::Terminal(terminal), ..) => terminal.text(),
            (Node::Function(function), Some(a), Some(b)) => {
                let (a, b) = if function.row(ln).laws.commutes && b < a { (b, a) } else { (a, b) };
                format!("({} {a} {b})", function.name())
            }
            (Node::Function(function), Some(a), None) => format!("({} {a})", function.name()),
            (Node::Function(_), None, _) => unreachable!("a function has arguments"),
        })
    }
}

impl Genome {
    /// The numbers of all formulas, in the order of slots and then of nodes.
    pub fn numbers(&self) -> Vec<f64> {
        self.slots().filter_map(|slot| self.tree(slot)).flat_map(Tree::numbers).collect()
    }

    /// The same structure with these numbers, rounded to three significant digits: what is shown is what is played.
    ///
    /// # Panics
    /// If there are not as many as in [`numbers`](Genome::numbers).
    #[must_use]
    pub fn with_numbers(&self, numbers: &[f64]) -> Genome {
        let mut left = numbers.iter().map(|number| rounded(*number));
        let slots: Vec<Slot> = self.slots().collect();
        let genome = slots.into_iter().fold(self.clone(), |genome, slot| {
            let tree = genome.tree(slot).map(|tree| tree.with_numbers(&mut left));
            genome.with(slot, tree)
        });
        assert_eq!(left.next(), None, "as many numbers as the genome has");
        genome
    }

    /// Its structure as text: equal for genomes that differ in numbers alone.
    ///
    /// ```
    /// use evouct_gp::{Genome, LnRule, Terminal};
    /// let structure = |text: &str| Genome::parse(text, &Terminal::NAMED).unwrap().structure(LnRule::Abs);
    /// assert_eq!(structure("Q + 2 * sqrt(n)"), structure("0.5 * sqrt(n) + Q"));
    /// assert_ne!(structure("Q + 2 * sqrt(n)"), structure("Q + sqrt(n)"));
    /// ```
    pub fn structure(&self, ln: LnRule) -> String {
        let of_slot = |slot: Slot| Some(format!("{} = {}", slot.name(), self.tree(slot)?.structure(ln)));
        self.slots().filter_map(of_slot).collect::<Vec<_>>().join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_replaced_in_order() {
        let genome = Genome::parse("select = 2 * Q - 3; final = n / 5", &Terminal::NAMED).unwrap();
        assert_eq!(genome.numbers(), [2.0, 3.0, 5.0]);
        let other = genome.with_numbers(&[1.0, -0.5, 7.0 / 3.0]);
        assert_eq!(other.to_string(), "select = 1 * Q - -0.5; final = n / 2.33");
        assert_eq!(other.structure(LnRule::Abs), genome.structure(LnRule::Abs));
        assert_eq!(genome.structure(LnRule::Abs), "select = (sub (mul # Q) #); final = (div n #)");
    }
}
