//! Evaluating a formula for all children of a node at once.

use super::column::{Column, Needs};
use super::primitive::{Function, LnRule, Node, Terminal, larger, positive_div, protected_div, smaller};
use super::tree::Tree;
use std::sync::LazyLock;

/// Children per step: two AVX2 registers.
const LANES: usize = 8;
type Block = [f64; LANES];

/// The inputs of a formula of the paper's terminals for one child.
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
    /// The value of a terminal; 0 for the columns that it does not hold.
    #[inline]
    pub fn value(&self, terminal: Terminal) -> f64 {
        match terminal {
            Terminal::Mean => self.mean,
            Terminal::ChildVisits => self.visits,
            Terminal::ParentVisits => self.parent,
            Terminal::Constant => self.constant,
            Terminal::Number(number) => number,
            Terminal::Column(_) => 0.0,
        }
    }
}

/// The values of the columns that a formula needs beside `Q`, `n` and `N`.
#[derive(Clone, Copy, Debug, Default)]
pub struct ColumnValues<'a> {
    /// One column after another, each as long as there are children, in the order of [`Needs::by_child`].
    pub by_child: &'a [f64],
    /// One value per column, in the order of [`Needs::by_node`].
    pub by_node: &'a [f64],
}

/// A formula ready to run: postfix, with everything that does not depend on the child computed once per call.
#[derive(Clone, Debug)]
pub struct Program {
    tree: Tree,
    ln: LnRule,
    steps: Vec<Step>,
    stack: usize,
    needs: Needs,
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
    /// A further column, by its place among those by child.
    Column(usize),
    /// A subtree that is the same for all children.
    Shared(Tree),
    /// The logarithm of the visits: integers, looked up.
    LnVisits,
    Apply(Function),
}

/// Logarithms of small whole numbers, as [`libm::log`] gives them.
static LOGARITHMS: LazyLock<Vec<f64>> = LazyLock::new(|| (0..4096).map(|n| libm::log(f64::from(n))).collect());

impl Program {
    /// Compiles a tree.
    pub fn new(tree: Tree, ln: LnRule) -> Program {
        let needs = tree.needs();
        let steps = compile(&tree, &needs);
        let mut top = 0_usize;
        let heights = steps.iter().map(|step| {
            top = if let Step::Apply(function) = step { top + 1 - function.arity() } else { top + 1 };
            top
        });
        Program { stack: heights.max().unwrap_or(0), steps, ln, tree, needs }
    }

    /// The tree it was made from.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The columns that it needs beside `Q`, `n` and `N`.
    pub fn needs(&self) -> &Needs {
        &self.needs
    }

    /// Fills `values` with the formula's value for each child. `means` and `visits` are by child and as long as `values`.
    /// The formula must need no further columns.
    pub fn evaluate(
        &self,
        (means, visits): (&[f64], &[f64]),
        (parent, constant): (f64, f64),
        scratch: &mut Scratch,
        values: &mut [f64],
    ) {
        self.evaluate_over((means, visits), (parent, constant), ColumnValues::default(), scratch, values);
    }

    /// The same for a formula that needs further columns.
    pub fn evaluate_over(
        &self,
        (means, visits): (&[f64], &[f64]),
        (parent, constant): (f64, f64),
        columns: ColumnValues,
        scratch: &mut Scratch,
        values: &mut [f64],
    ) {
        debug_assert_eq!(columns.by_child.len(), self.needs.by_child.len() * values.len());
        debug_assert_eq!(columns.by_node.len(), self.needs.by_node.len());
        let inputs = Inputs { mean: 0.0, visits: 0.0, parent, constant };
        let by_node = |column: Column| {
            let place = self.needs.by_node.iter().position(|other| *other == column);
            place.map_or(0.0, |place| columns.by_node[place])
        };
        let shared = |terminal: Terminal| match terminal {
            Terminal::Column(column) => by_node(column),
            other => inputs.value(other),
        };
        scratch.shared.clear();
        scratch.shared.extend(self.steps.iter().map(|step| match step {
            Step::Shared(tree) => tree.evaluate_by(shared, self.ln),
            _ => 0.0,
        }));
        scratch.stack.resize(scratch.stack.len().max(self.stack), [0.0; LANES]);
        let (count, mut first) = (values.len(), 0);
        for ((means, visits), values) in means.chunks(LANES).zip(visits.chunks(LANES)).zip(values.chunks_mut(LANES)) {
            let column = |place: usize| &columns.by_child[place * count + first..place * count + first + values.len()];
            let block = self.run((&pad(means), &pad(visits)), column, &scratch.shared, &mut scratch.stack);
            values.copy_from_slice(&block[..values.len()]);
            first += LANES;
        }
    }

    #[inline]
    fn run<'c>(
        &self,
        (means, visits): (&Block, &Block),
        column: impl Fn(usize) -> &'c [f64],
        shared: &[f64],
        stack: &mut [Block],
    ) -> Block {
        let mut top = 0;
        for (step, shared) in self.steps.iter().zip(shared) {
            match step {
                Step::Mean => stack[top] = *means,
                Step::Visits => stack[top] = *visits,
                Step::Column(place) => stack[top] = pad(column(*place)),
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

/// The steps of a tree. Without recursion: a formula may be as deep as it is long.
fn compile(tree: &Tree, needs: &Needs) -> Vec<Step> {
    /// What is left to do.
    enum Task {
        Visit(usize),
        Apply(Function),
    }
    let nodes = tree.nodes();
    // Where each subtree ends, and whether it depends on the child.
    let (mut ends, mut of_child) = (vec![0; nodes.len()], vec![false; nodes.len()]);
    for (at, node) in nodes.iter().enumerate().rev() {
        ends[at] = at + 1;
        of_child[at] = match node {
            Node::Terminal(Terminal::Mean | Terminal::ChildVisits) => true,
            Node::Terminal(Terminal::Column(column)) => column.is_by_lane(),
            _ => false,
        };
        for _ in 0..node.arity() {
            let argument = ends[at];
            of_child[at] |= of_child[argument];
            ends[at] = ends[argument];
        }
    }
    let mut steps = Vec::new();
    let mut tasks = vec![Task::Visit(0)];
    while let Some(task) = tasks.pop() {
        let at = match task {
            Task::Visit(at) => at,
            Task::Apply(function) => {
                steps.push(Step::Apply(function));
                continue;
            }
        };
        match nodes[at] {
            _ if !of_child[at] => {
                let shared = Tree::from_prefix(nodes[at..ends[at]].to_vec()).expect("a subtree is a tree");
                steps.push(Step::Shared(shared));
            }
            Node::Terminal(Terminal::Mean) => steps.push(Step::Mean),
            Node::Terminal(Terminal::Column(column)) => {
                let place = needs.by_child.iter().position(|other| *other == column);
                steps.push(Step::Column(place.expect("the columns of a tree are among its needs")));
            }
            Node::Terminal(_) => steps.push(Step::Visits),
            Node::Function(Function::Ln) if nodes[at + 1] == Node::Terminal(Terminal::ChildVisits) => {
                steps.push(Step::LnVisits);
            }
            Node::Function(function) => {
                tasks.push(Task::Apply(function));
                if function.arity() == 2 {
                    tasks.push(Task::Visit(ends[at + 1]));
                }
                tasks.push(Task::Visit(at + 1));
            }
        }
    }
    steps
}

#[inline]
fn pad(values: &[f64]) -> Block {
    let mut block = [1.0; LANES];
    block[..values.len()].copy_from_slice(values);
    block
}

/// The protected logarithm of a number of visits, looked up if it is a small integer.
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
    // One loop per function, so that each becomes vector instructions.
    match function {
        Function::Add => std::array::from_fn(|i| a[i] + b[i]),
        Function::Sub => std::array::from_fn(|i| a[i] - b[i]),
        Function::Mul => std::array::from_fn(|i| a[i] * b[i]),
        Function::Div => std::array::from_fn(|i| protected_div(a[i], b[i])),
        Function::Ln => a.map(|x| ln.apply(x)),
        Function::Sqrt => a.map(|x| x.abs().sqrt()),
        Function::DivPositive => std::array::from_fn(|i| positive_div(a[i], b[i])),
        Function::Min => std::array::from_fn(|i| smaller(a[i], b[i])),
        Function::Max => std::array::from_fn(|i| larger(a[i], b[i])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gp::Mutation;
    use crate::sampling::below;
    use crate::seed::Key;

    #[test]
    fn further_columns_give_what_the_tree_gives_to_the_bit() {
        let mut rng = Key::experiment(6).stream();
        for text in [
            "sd + dv * moves",
            "max(Q + 16 * dv / (n + 1), min(best, lead)) - phase * ln(n)",
            "sqrt(A * m) / (sd + left) + Qbar * Qmax",
            "(Qmax - Qbar) * depth",
            "dm",
        ] {
            let tree = Tree::parse_with(text, &["dv", "dm"]).unwrap();
            assert_eq!(tree.to_string(), text);
            let program = Program::new(tree.clone(), LnRule::Abs);
            let needs = program.needs().clone();
            for children in [1, 7, 8, 9, 40] {
                let mut column = |count: usize| -> Vec<f64> {
                    (0..count).map(|_| below(&mut rng, 999) as f64 / 9.0 - 50.0).collect()
                };
                let (means, visits) = (column(children), vec![3.0; children]);
                let (by_child, by_node) = (column(children * needs.by_child.len()), column(needs.by_node.len()));
                let columns = ColumnValues { by_child: &by_child, by_node: &by_node };
                let mut values = vec![0.0; children];
                program.evaluate_over((&means, &visits), (9.0, 0.5), columns, &mut Scratch::default(), &mut values);
                for (child, value) in values.into_iter().enumerate() {
                    let inputs = Inputs { mean: means[child], visits: visits[child], parent: 9.0, constant: 0.5 };
                    let place = |list: &[Column], column: Column| list.iter().position(|other| *other == column);
                    let of_terminal = |terminal: Terminal| match terminal {
                        Terminal::Column(column) => match place(&needs.by_child, column) {
                            Some(place) => by_child[place * children + child],
                            None => by_node[place(&needs.by_node, column).unwrap()],
                        },
                        other => inputs.value(other),
                    };
                    assert_eq!(value.to_bits(), tree.evaluate_by(of_terminal, LnRule::Abs).to_bits(), "{tree}");
                }
            }
        }
    }

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
