//! Neighbours: all formulas that are one step away from a formula, for a search that tries each of them.

use super::fade::faded;
use super::genome::{Genome, Slot};
use super::operator::{Constant, Operator, rounded, subtree};
use super::primitive::{Function, Node};
use super::terminal::Terminal;
use super::tree::Tree;
use super::variation::Variation;
use super::{Fade, Grow, Prune};

/// How a term is added: the sign and the weight.
const WEIGHTS: [(Function, f64); 4] =
    [(Function::Add, 1.0), (Function::Sub, 1.0), (Function::Add, 3.0), (Function::Sub, 3.0)];
/// What a constant is multiplied by.
const FACTORS: [f64; 4] = [1.0 / 3.0, 0.5, 2.0, 3.0];

impl Variation {
    /// The neighbours of a genome, each with the name of the operator that makes it, in a fixed order. Those of an
    /// operator are made if it has a weight above 0:
    ///
    /// - `prune`: the terms over the same terminals are left out;
    /// - `grow`: a term is added, with the weight 1, −1, 3 or −3. It is a terminal that differs from child to child, alone
    ///   or multiplied by a terminal that does not;
    /// - `fade`: a terminal that differs from child to child counts less with each visit ([`Fade`]);
    /// - `constant`: a constant is multiplied by 1/3, 1/2, 2 or 3.
    ///
    /// Terms are those of the *part* of a formula: the largest part over the terminals of this variation, without a
    /// number that multiplies it. A step is made in the parts of all formulas but `leaf`, because a term in `select`
    /// alone may do nothing where `untried` decides what is tried; `policy` has no terms with statistics. Where no
    /// formula has such a part, terms are added to `select` and `untried` as a whole. `playout` decides on moves of its
    /// own: its steps are made apart from those of the others, and in the whole formula if it has no such part.
    ///
    /// ```
    /// use evouct_gp::{Column, Genome, Grow, Mutation, Terminal, Variation};
    /// use std::sync::Arc;
    ///
    /// let [a, b] = ["a", "b"].map(|name| Terminal::Column(Column::MoveNumber(name)));
    /// let known = [Terminal::Mean, Terminal::ChildVisits, a, b];
    /// let genome = Genome::parse("select = Q + 2 * a / n; untried = 9 * a", &known)?;
    /// let variation = Variation {
    ///     terminals: vec![a, b],
    ///     operators: vec![(Arc::new(Grow), 1.0)],
    ///     ..Variation::from(Mutation::default())
    /// };
    /// let texts: Vec<String> = variation.neighbours(&genome).iter().map(|(genome, _)| genome.to_string()).collect();
    /// assert_eq!(texts.len(), 8);
    /// assert_eq!(texts[6], "select = Q + 2 * (a + 3 * b) / n; untried = 9 * (a + 3 * b)");
    /// # Ok::<(), String>(())
    /// ```
    pub fn neighbours(&self, genome: &Genome) -> Vec<(Genome, &'static str)> {
        let has = |name: &str| self.operators.iter().any(|(own, weight)| own.name() == name && *weight > 0.0);
        let playout = genome.tree(Slot::Playout).map(|tree| vec![(Slot::Playout, self.part(tree).unwrap_or(0))]);
        let parts: Vec<Vec<(Slot, usize)>> = [self.parts(genome)].into_iter().chain(playout).collect();
        let mut found = Vec::new();
        if has(Prune.name()) {
            for parts in &parts {
                let names = names_of_terms(genome, parts);
                found.extend(names.iter().map(|names| (pruned(genome, parts, names), Prune.name())));
            }
        }
        if has(Grow.name()) {
            for parts in &parts {
                found.extend(self.terms().iter().map(|(sign, term)| (grown(genome, parts, *sign, term), Grow.name())));
            }
        }
        if has(Fade.name()) {
            found.extend(faded(self, genome).into_iter().map(|faded| (faded, Fade.name())));
        }
        if has(Constant.name()) {
            for slot in genome.slots() {
                let tree = tree_of(genome, slot);
                for (at, node) in tree.nodes().iter().enumerate() {
                    let Node::Terminal(Terminal::Number(number)) = node else { continue };
                    let scaled = |factor: f64| {
                        let scaled = Tree::leaf(Terminal::Number(rounded(number * factor)));
                        (genome.with(slot, Some(tree.with_subtree(at, &scaled))), Constant.name())
                    };
                    found.extend(FACTORS.map(scaled));
                }
            }
        }
        found.retain(|(neighbour, _)| neighbour != genome && neighbour.largest() <= self.max_nodes);
        found
    }

    /// The parts of a genome's formulas that terms are added to together: slots, and where the part begins.
    fn parts(&self, genome: &Genome) -> Vec<(Slot, usize)> {
        let slots = || genome.slots().filter(|slot| !matches!(slot, Slot::Leaf | Slot::Playout));
        let found: Vec<_> = slots().filter_map(|slot| Some((slot, self.part(tree_of(genome, slot))?))).collect();
        // What says which child is searched next. `final` takes the move: it is worth changing once they use the term.
        let search = || slots().filter(|slot| matches!(slot, Slot::Select | Slot::Untried));
        if found.is_empty() { search().map(|slot| (slot, 0)).collect() } else { found }
    }

    /// The largest part over the terminals of this variation, one of which differs from child to child.
    fn part(&self, tree: &Tree) -> Option<usize> {
        let is_own = |node: &Node| match node {
            Node::Terminal(terminal) => node.is_number() || self.terminals.contains(terminal),
            Node::Function(_) => true,
        };
        let is_by_child = |node: &Node| matches!(node, Node::Terminal(terminal) if terminal.is_by_lane());
        let fits = |at: &usize| {
            let nodes = &tree.nodes()[tree.subtree(*at)];
            nodes.iter().all(is_own) && nodes.iter().any(is_by_child)
        };
        // Of equal ones the first.
        let mut at = (0..tree.size()).filter(fits).max_by_key(|at| (tree.subtree(*at).len(), usize::MAX - at))?;
        while let Node::Function(Function::Mul | Function::Div) = tree.nodes()[at] {
            let Some(other) = multiplied(tree, at) else { break };
            at = other;
        }
        Some(at)
    }

    /// The terms that can be added or subtracted, with their weights.
    fn terms(&self) -> Vec<(Function, Tree)> {
        let (by_child, shared): (Vec<Terminal>, Vec<Terminal>) =
            self.terminals.iter().partition(|terminal| terminal.is_by_lane());
        let mut terms = Vec::new();
        for terminal in by_child {
            let leaf = Tree::leaf(terminal);
            let products = shared.iter().map(|other| Tree::apply(Function::Mul, &[Tree::leaf(*other), leaf.clone()]));
            for term in [leaf.clone()].into_iter().chain(products) {
                terms.extend(WEIGHTS.map(|(sign, weight)| {
                    let weighted = || Tree::apply(Function::Mul, &[Tree::leaf(Terminal::Number(weight)), term.clone()]);
                    (sign, if weight == 1.0 { term.clone() } else { weighted() })
                }));
            }
        }
        terms
    }
}

fn tree_of(genome: &Genome, slot: Slot) -> &Tree {
    genome.tree(slot).expect("a slot with a formula")
}

/// Where what a number multiplies or divides begins; none if there is no number.
fn multiplied(tree: &Tree, at: usize) -> Option<usize> {
    let arguments: Vec<usize> = tree.arguments(at).collect();
    let is_product = tree.nodes()[at] == Node::Function(Function::Mul);
    match arguments[..] {
        [number, other] if is_product && tree.nodes()[number].is_number() => Some(other),
        [other, number] if tree.nodes()[number].is_number() => Some(other),
        _ => None,
    }
}

fn grown(genome: &Genome, parts: &[(Slot, usize)], sign: Function, term: &Tree) -> Genome {
    let is_of = |is_known: fn(Terminal) -> bool| {
        term.nodes().iter().all(|node| match node {
            Node::Terminal(terminal) => node.is_number() || is_known(*terminal),
            Node::Function(_) => true,
        })
    };
    let knows = |slot: Slot| match slot {
        // A prior is computed before any move is tried.
        Slot::Policy => is_of(Terminal::is_move_number),
        Slot::Playout => is_of(Terminal::is_in_playouts),
        _ => true,
    };
    parts.iter().filter(|(slot, _)| knows(*slot)).fold(genome.clone(), |grown, (slot, at)| {
        let tree = tree_of(genome, *slot);
        let sum = Tree::apply(sign, &[subtree(tree, *at), term.clone()]);
        grown.with(*slot, Some(tree.with_subtree(*at, &sum)))
    })
}

/// The terms of a sum that begins at a node: where each stands, and the sum that it is an operand of. The first operand
/// of a difference stays.
fn terms_from(tree: &Tree, at: usize) -> Vec<(usize, usize)> {
    let mut terms = Vec::new();
    let mut left = vec![at];
    while let Some(at) = left.pop() {
        let Node::Function(function @ (Function::Add | Function::Sub)) = tree.nodes()[at] else { continue };
        for (place, operand) in tree.arguments(at).enumerate() {
            let is_sum = matches!(tree.nodes()[operand], Node::Function(Function::Add | Function::Sub));
            if is_sum && (place == 0 || function == Function::Add) {
                left.push(operand);
            } else if place == 1 || function == Function::Add {
                terms.push((operand, at));
            }
        }
    }
    terms.sort_unstable();
    terms
}

/// The names of the terminals of a part, numbers aside, in order.
fn names_in(tree: &Tree, at: usize) -> Vec<String> {
    let name = |node: &Node| match node {
        Node::Terminal(terminal) if !node.is_number() => Some(terminal.text()),
        _ => None,
    };
    let mut names: Vec<String> = tree.nodes()[tree.subtree(at)].iter().filter_map(name).collect();
    names.sort_unstable();
    names
}

/// The names in each term of these parts, the same ones once.
fn names_of_terms(genome: &Genome, parts: &[(Slot, usize)]) -> Vec<Vec<String>> {
    let mut names: Vec<Vec<String>> = Vec::new();
    for (slot, at) in parts {
        let tree = tree_of(genome, *slot);
        for own in terms_from(tree, *at).into_iter().map(|(term, _)| names_in(tree, term)) {
            if !own.is_empty() && !names.contains(&own) {
                names.push(own);
            }
        }
    }
    names
}

/// Without the terms over these terminals, in these parts.
fn pruned(genome: &Genome, parts: &[(Slot, usize)], names: &[String]) -> Genome {
    parts.iter().fold(genome.clone(), |pruned, (slot, at)| {
        let mut tree = tree_of(genome, *slot).clone();
        while let Some((term, sum)) =
            terms_from(&tree, *at).into_iter().find(|(term, _)| names_in(&tree, *term) == names)
        {
            let rest = tree.arguments(sum).find(|operand| *operand != term).expect("a sum has two operands");
            tree = tree.with_subtree(sum, &subtree(&tree, rest));
        }
        pruned.with(*slot, Some(tree))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, Mutation, Scope, Statistic};
    use std::sync::Arc;

    static SHARED: Statistic = Statistic::new("phase", Scope::Node, 0);

    fn texts(operator: Arc<dyn Operator>, genome: &str, max_nodes: usize) -> Vec<String> {
        let column = |name| Terminal::Column(Column::MoveNumber(name));
        let terminals = vec![Terminal::Column(Column::Declared(&SHARED)), column("a"), column("b"), column("d")];
        let known = Terminal::NAMED.into_iter().chain(terminals.clone()).collect::<Vec<_>>();
        let variation = Variation {
            terminals,
            max_nodes,
            operators: vec![(operator, 1.0)],
            ..Variation::from(Mutation::default())
        };
        let neighbours = variation.neighbours(&Genome::parse(genome, &known).unwrap());
        neighbours.iter().map(|(genome, _)| genome.to_string()).collect()
    }

    #[test]
    fn every_term_is_added_to_the_part_of_each_formula() {
        let found =
            texts(Arc::new(Grow), "select = Q + 26 * (a + 3 * b) / (n + 1); untried = ln(N) + 6 * a; final = n", 40);
        // Three terminals, alone and times `phase`, with four weights.
        assert_eq!(found.len(), 24);
        let wanted =
            |a: &str| format!("select = Q + 26 * (a + 3 * b{a}) / (n + 1); untried = ln(N) + 6 * (a{a}); final = n");
        for term in [" + d", " - 3 * a", " + 3 * (phase * b)"] {
            assert!(found.contains(&wanted(term)), "{term}: {found:#?}");
        }
        assert_eq!((&found[0], &found[23]), (&wanted(" + a"), &wanted(" - 3 * (phase * d)")));
        assert!(
            texts(Arc::new(Grow), "select = Q + 26 * (a + 3 * b) / (n + 1); untried = ln(N) + 6 * a", 14).is_empty()
        );
    }

    #[test]
    fn formulas_without_such_a_part_grow_as_a_whole() {
        let found = texts(Arc::new(Grow), "select = Q + 2 / n; final = n", 40);
        assert_eq!(found[0], "select = Q + 2 / n + a; final = n");
        assert_eq!(found.len(), 24);
        let found = texts(Arc::new(Grow), "select = Q + 2 / n; untried = ln(N); final = n", 40);
        assert_eq!(found[3], "select = Q + 2 / n - 3 * a; untried = ln(N) - 3 * a; final = n");
    }

    #[test]
    fn a_policy_grows_by_what_a_move_is_known_by() {
        let found = texts(Arc::new(Grow), "select = Q + 2 / n; policy = a", 40);
        let texts = ["b", "3 * b"].map(|term| format!("select = Q + 2 / n; policy = a + {term}"));
        assert!(texts.iter().all(|text| found.contains(text)), "{found:#?}");
        assert!(!found.iter().any(|text| text.contains("phase")), "{found:#?}");
    }

    #[test]
    fn playouts_grow_and_shrink_apart() {
        let found = texts(Arc::new(Grow), "select = Q + 2 / n; playout = 0", 40);
        let in_playouts = found.iter().filter(|text| text.starts_with("select = Q + 2 / n; playout = 0 "));
        // Three terminals with four weights.
        assert_eq!((found.len(), in_playouts.count()), (36, 12), "{found:#?}");
        assert_eq!(
            (&*found[0], &*found[24]),
            ("select = Q + 2 / n + a; playout = 0", "select = Q + 2 / n; playout = 0 + a")
        );
        let found = texts(Arc::new(Prune), "select = Q + (a + b) / n; playout = 3 * b + a", 40);
        assert_eq!(found.len(), 4);
        assert_eq!(found[3], "select = Q + (a + b) / n; playout = 3 * b");
    }

    #[test]
    fn every_term_is_left_out() {
        let found = texts(
            Arc::new(Prune),
            "select = Q + 26 * (a + 3 * b - phase * d); untried = 6 * (2 * b + a + 5 - d) + N",
            40,
        );
        assert_eq!(
            found,
            [
                "select = Q + 26 * (3 * b - phase * d); untried = 6 * (2 * b + 5 - d) + N",
                "select = Q + 26 * (a - phase * d); untried = 6 * (a + 5 - d) + N",
                "select = Q + 26 * (a + 3 * b); untried = 6 * (2 * b + a + 5 - d) + N",
                "select = Q + 26 * (a + 3 * b - phase * d); untried = 6 * (2 * b + a + 5) + N",
            ]
        );
        // Terms over the same terminals are one.
        assert_eq!(
            texts(Arc::new(Prune), "select = Q + 2 * (a + b + 3 * a)", 40),
            ["Q + 2 * b", "Q + 2 * (a + 3 * a)"]
        );
        // No term can replace the first operand of a difference.
        assert_eq!(texts(Arc::new(Prune), "select = Q + 2 * (a - b)", 40), ["Q + 2 * a"]);
        assert!(texts(Arc::new(Prune), "select = Q + 2 * a", 40).is_empty());
    }

    #[test]
    fn every_constant_is_scaled() {
        let found = texts(Arc::new(Constant), "select = Q + 3 * a; untried = 0 * b + 6.125", 40);
        assert_eq!(
            found,
            [
                "select = Q + 1 * a; untried = 0 * b + 6.125",
                "select = Q + 1.5 * a; untried = 0 * b + 6.125",
                "select = Q + 6 * a; untried = 0 * b + 6.125",
                "select = Q + 9 * a; untried = 0 * b + 6.125",
                "select = Q + 3 * a; untried = 0 * b + 2.04",
                "select = Q + 3 * a; untried = 0 * b + 3.06",
                "select = Q + 3 * a; untried = 0 * b + 12.2",
                "select = Q + 3 * a; untried = 0 * b + 18.4",
            ]
        );
    }
}
