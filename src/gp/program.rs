//! Evaluating a formula for all children of a node at once.

use super::primitive::{Function, LnRule, Node, Terminal, protected_div};
use super::tree::Tree;
use std::sync::LazyLock;

/// Children that one step works on: two AVX2 registers.
const LANES: usize = 8;
type Block = [f64; LANES];

/// What a formula is told of one child.
#[derive(Clone, Copy, Debug)]
pub struct Inputs {
    /// `Q`: mean reward of the child, from the view of the seat that chooses.
    pub mean: f64,
    /// `n`: visits of the child.
    pub visits: f64,
    /// `N`: visits of the parent.
    pub parent: f64,
    /// `c`.
    pub constant: f64,
}

impl Inputs {
    /// The value of a terminal.
    #[inline]
    pub fn value(&self, terminal: Terminal) -> f64 {
        match terminal {
            Terminal::Mean => self.mean,
            Terminal::ChildVisits => self.visits,
            Terminal::ParentVisits => self.parent,
            Terminal::Constant => self.constant,
            Terminal::Number(number) => number,
        }
    }
}

/// A formula ready to run: postfix, with everything that does not depend on the child computed once a call.
#[derive(Clone, Debug)]
pub struct Program {
    tree: Tree,
    ln: LnRule,
    steps: Vec<Step>,
    stack: usize,
}

/// Memory that evaluation reuses from call to call.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    shared: Vec<f64>,
    stack: Vec<Block>,
}

#[derive(Clone, Debug)]
enum Step {
    Mean,
    Visits,
    /// A subtree that is the same for all children.
    Shared(Tree),
    /// The logarithm of the visits: whole numbers, looked up.
    LnVisits,
    Apply(Function),
}

/// Logarithms of small whole numbers, as [`libm::log`] gives them.
static LOGARITHMS: LazyLock<Vec<f64>> = LazyLock::new(|| (0..4096).map(|n| libm::log(f64::from(n))).collect());

impl Program {
    /// Compiles a tree.
    pub fn new(tree: Tree, ln: LnRule) -> Program {
        let mut program = Program { steps: Vec::new(), stack: 0, ln, tree };
        let tree = program.tree.clone();
        let height = program.compile(&tree, 0);
        program.stack = height;
        program
    }

    /// The tree it was made from.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Adds the steps of a subtree; returns how much stack they need.
    fn compile(&mut self, tree: &Tree, start: usize) -> usize {
        let range = tree.subtree(start);
        let nodes = &tree.nodes()[range];
        let of_child = |node: &Node| matches!(node, Node::Terminal(Terminal::Mean | Terminal::ChildVisits));
        if !nodes.iter().any(of_child) {
            let shared = Tree::from_prefix(nodes.to_vec()).expect("a subtree is a tree");
            self.steps.push(Step::Shared(shared));
            return 1;
        }
        match nodes[0] {
            Node::Terminal(Terminal::Mean) => self.steps.push(Step::Mean),
            Node::Terminal(_) => self.steps.push(Step::Visits),
            Node::Function(Function::Ln) if nodes[1] == Node::Terminal(Terminal::ChildVisits) => {
                self.steps.push(Step::LnVisits);
            }
            Node::Function(function) => {
                let mut height = 0;
                for (held, argument) in tree.arguments(start).collect::<Vec<_>>().into_iter().enumerate() {
                    height = height.max(held + self.compile(tree, argument));
                }
                self.steps.push(Step::Apply(function));
                return height;
            }
        }
        1
    }

    /// Fills `values` with the formula's value for each child. `means` and `visits` are by child and as long as `values`.
    pub fn evaluate(
        &self,
        (means, visits): (&[f64], &[f64]),
        (parent, constant): (f64, f64),
        scratch: &mut Scratch,
        values: &mut [f64],
    ) {
        let shared_inputs = Inputs { mean: 0.0, visits: 0.0, parent, constant };
        scratch.shared.clear();
        scratch.shared.extend(self.steps.iter().map(|step| match step {
            Step::Shared(tree) => tree.evaluate(shared_inputs, self.ln),
            _ => 0.0,
        }));
        scratch.stack.resize(scratch.stack.len().max(self.stack), [0.0; LANES]);
        for ((means, visits), values) in means.chunks(LANES).zip(visits.chunks(LANES)).zip(values.chunks_mut(LANES)) {
            let block = self.run(&pad(means), &pad(visits), &scratch.shared, &mut scratch.stack);
            values.copy_from_slice(&block[..values.len()]);
        }
    }

    #[inline]
    fn run(&self, means: &Block, visits: &Block, shared: &[f64], stack: &mut [Block]) -> Block {
        let mut top = 0;
        for (step, shared) in self.steps.iter().zip(shared) {
            match step {
                Step::Mean => stack[top] = *means,
                Step::Visits => stack[top] = *visits,
                Step::Shared(_) => stack[top] = [*shared; LANES],
                Step::LnVisits => stack[top] = visits.map(|visits| ln_visits(visits, self.ln)),
                Step::Apply(function) => {
                    top -= function.arity();
                    stack[top] = apply(*function, &stack[top], &stack[top + function.arity() - 1], self.ln);
                }
            }
            top += 1;
        }
        stack[0]
    }
}

#[inline]
fn pad(values: &[f64]) -> Block {
    let mut block = [1.0; LANES];
    block[..values.len()].copy_from_slice(values);
    block
}

/// The protected logarithm of a number of visits, looked up where it is a small whole number.
#[inline]
pub fn ln_visits(visits: f64, rule: LnRule) -> f64 {
    let index = visits as usize;
    match LOGARITHMS.get(index) {
        // Both rules leave whole numbers above 1 alone.
        Some(logarithm) if index > 1 && index as f64 == visits => *logarithm,
        _ => rule.apply(visits),
    }
}

#[inline]
fn apply(function: Function, a: &Block, b: &Block, ln: LnRule) -> Block {
    // One loop a function, so that each becomes vector instructions.
    match function {
        Function::Add => std::array::from_fn(|i| a[i] + b[i]),
        Function::Sub => std::array::from_fn(|i| a[i] - b[i]),
        Function::Mul => std::array::from_fn(|i| a[i] * b[i]),
        Function::Div => std::array::from_fn(|i| protected_div(a[i], b[i])),
        Function::Ln => a.map(|x| ln.apply(x)),
        Function::Sqrt => a.map(|x| x.abs().sqrt()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gp::Mutation;
    use crate::sampling::below;
    use crate::seed::Key;

    #[test]
    fn a_program_gives_what_the_tree_gives_to_the_bit() {
        let mut rng = Key::experiment(5).stream();
        let mut tree = Tree::uct();
        let mut scratch = Scratch::default();
        for round in 0..400 {
            let ln = [LnRule::Abs, LnRule::Clamp][round % 2];
            let program = Program::new(tree.clone(), ln);
            let children = 1 + below(&mut rng, 40);
            let means: Vec<f64> = (0..children).map(|_| below(&mut rng, 20_000) as f64 / 100.0 - 100.0).collect();
            let visits: Vec<f64> = (0..children).map(|_| (1 + below(&mut rng, 6_000)) as f64).collect();
            let (parent, constant) = (below(&mut rng, 9_000) as f64, 0.25 * below(&mut rng, 40) as f64);
            let mut values = vec![0.0; children];
            program.evaluate((&means, &visits), (parent, constant), &mut scratch, &mut values);
            for (child, value) in values.into_iter().enumerate() {
                let inputs = Inputs { mean: means[child], visits: visits[child], parent, constant };
                assert_eq!(value.to_bits(), tree.evaluate(inputs, ln).to_bits(), "{tree}");
            }
            tree = Mutation::default().mutate(&tree, &mut rng);
        }
    }
}
