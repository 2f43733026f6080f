//! Evaluating a formula for all children of a node at once.

use super::inputs::Inputs;
use super::primitive::{Function, LnRule, Node};
use super::rows::{Argument, by_lane};
use super::terminal::{Column, Needs, Terminal};
use super::tree::Tree;
use std::sync::Arc;

/// Children that are evaluated together: multiples of this number leave no rest to loop over.
const BLOCK: usize = 8;
/// The most blocks: for more children a loop over all of them costs less than the steps of each block.
const MOST_BLOCKS: usize = 4;

/// The values of the columns that a formula needs beside `Q`, `n` and `N`.
#[derive(Clone, Copy, Debug, Default)]
pub struct ColumnValues<'a> {
    /// The columns in the order of [`Needs::by_child`], each as long as there are children.
    pub by_child: &'a [&'a [f64]],
    /// One value per column, in the order of [`Needs::by_node`].
    pub by_node: &'a [f64],
}

/// A formula ready to run: one step per function that depends on the child. A step runs over all children at once.
#[derive(Clone, Debug)]
pub struct Program {
    /// Shared by all copies.
    tree: Arc<Tree>,
    ln: LnRule,
    /// Subtrees that are the same for all children, computed once per call.
    shared: Vec<Tree>,
    steps: Vec<Step>,
    /// Where the value of the whole formula is.
    result: Operand,
    /// Rows of results that are needed at once.
    rows: usize,
    needs: Needs,
}

/// Memory that evaluation reuses from call to call.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    stack: Vec<f64>,
    shared: Vec<f64>,
    rows: Vec<f64>,
}

/// An argument of a step.
#[derive(Clone, Copy, Debug)]
enum Operand {
    Mean,
    Visits,
    /// A further column, by its place among those by child.
    Column(usize),
    /// A subtree that is the same for all children, by its place among those.
    Shared(usize),
    /// A subtree of numbers alone.
    Number(f64),
    /// The second argument of a function of one.
    None,
    /// The result of an earlier step: in the row of the step that uses it or, if both arguments are, the second in the
    /// next row.
    Row,
}

/// A function of one or two arguments, whose values go to a row, which may be that of an argument.
#[derive(Clone, Copy, Debug)]
struct Step {
    function: Function,
    a: Operand,
    b: Operand,
    to: usize,
}

impl Program {
    /// Compiles a tree.
    pub fn new(tree: Tree, ln: LnRule) -> Program {
        let needs = tree.needs();
        let Compiled { shared, steps, operands, rows } = compile(&tree, &needs, ln);
        let result = *operands.first().expect("a tree has a root");
        Program { shared, steps, result, rows, ln, tree: Arc::new(tree), needs }
    }

    /// The tree it was made from.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Whether this is a copy of another program, or that one itself. The same formula that was compiled twice is not.
    #[inline]
    pub fn is_copy_of(&self, other: &Program) -> bool {
        Arc::ptr_eq(&self.tree, &other.tree)
    }

    /// How its logarithms are protected.
    pub fn ln(&self) -> LnRule {
        self.ln
    }

    /// The columns that it needs beside `Q`, `n` and `N`.
    pub fn needs(&self) -> &Needs {
        &self.needs
    }

    /// What the value of one child takes: functions that are computed for it, and columns by child other than `Q` and `n`.
    pub fn price(&self) -> usize {
        self.steps.len() + self.needs.by_child.len()
    }

    /// Fills `values` with the formula's value for each child. `means` and `visits` are by child and as long as
    /// `values`. The formula must need no further columns.
    ///
    /// A small multiple of eight children costs least for each: see [`padded`](Program::padded).
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
        debug_assert_eq!(columns.by_child.len(), self.needs.by_child.len());
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
        let Scratch { stack, shared: known, rows } = scratch;
        known.clear();
        known.extend(self.shared.iter().map(|tree| tree.evaluate_in(shared, self.ln, stack)));
        let count = values.len();
        rows.resize(rows.len().max(self.rows * count), 0.0);
        let inputs = Lanes { means, visits, columns: columns.by_child, shared: known };
        if count.is_multiple_of(BLOCK) && count <= MOST_BLOCKS * BLOCK {
            return self.evaluate_blocks(inputs, rows, values);
        }
        let input = |operand: Operand| match operand {
            Operand::Mean => Argument::Each(means),
            Operand::Visits => Argument::Each(visits),
            Operand::Column(place) => Argument::Each(columns.by_child[place]),
            Operand::Shared(place) => Argument::Same(known[place]),
            Operand::Number(number) => Argument::Same(number),
            Operand::Row => Argument::Own,
            Operand::None => Argument::Same(0.0),
        };
        for &Step { function, a, b, to } in &self.steps {
            let (out, later) = rows[to * count..].split_at_mut(count);
            let second = match (a, b) {
                (Operand::Row, Operand::Row) => Argument::Each(&later[..count]),
                _ => input(b),
            };
            // The only call, so that it is inlined.
            function.apply_to_row(input(a), second, self.ln, out);
        }
        match input(self.result) {
            Argument::Each(column) => values.copy_from_slice(column),
            Argument::Same(value) => values.fill(value),
            Argument::Own => values.copy_from_slice(&rows[..count]),
        }
    }
}

/// The values over which a formula is evaluated.
#[derive(Clone, Copy)]
struct Lanes<'a> {
    means: &'a [f64],
    visits: &'a [f64],
    columns: &'a [&'a [f64]],
    shared: &'a [f64],
}

impl Program {
    /// A number of children, at least as high, that costs less than this one: what is missing may repeat a child.
    pub const fn padded(children: usize) -> usize {
        if children <= MOST_BLOCKS * BLOCK { children.next_multiple_of(BLOCK) } else { children }
    }

    /// The values of whole blocks of children, all steps for one block after the other. Every step is a few vector
    /// instructions on arrays of known length.
    fn evaluate_blocks(&self, lanes: Lanes, rows: &mut [f64], values: &mut [f64]) {
        let rows = rows.as_chunks_mut::<BLOCK>().0;
        let block = |row: &[f64], at: usize| row.as_chunks::<BLOCK>().0[at];
        for (at, out) in values.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
            let input = |operand: Operand, own: &[f64; BLOCK]| match operand {
                Operand::Mean => block(lanes.means, at),
                Operand::Visits => block(lanes.visits, at),
                Operand::Column(place) => block(lanes.columns[place], at),
                Operand::Shared(place) => [lanes.shared[place]; BLOCK],
                Operand::Number(number) => [number; BLOCK],
                Operand::Row => *own,
                Operand::None => [0.0; BLOCK],
            };
            for &Step { function, a, b, to } in &self.steps {
                let both = matches!((a, b), (Operand::Row, Operand::Row));
                let second = input(b, &rows[to + usize::from(both)]);
                let first = input(a, &rows[to]);
                rows[to] = match function {
                    Function::Ln => by_lane(&first, &second, |a, _| self.ln.apply(a)),
                    other => other.apply_to_block(&first, &second, self.ln),
                };
            }
            *out = input(self.result, rows.first().unwrap_or(&[0.0; BLOCK]));
        }
    }
}

/// What [`compile`] has made so far.
#[derive(Default)]
struct Compiled {
    shared: Vec<Tree>,
    steps: Vec<Step>,
    /// Arguments that wait for their function.
    operands: Vec<Operand>,
    rows: usize,
}

impl Compiled {
    /// Takes arguments off the stack and puts the result there. Rows are used as a stack, too: a result takes the first
    /// row of its arguments, or the next free one.
    fn apply(&mut self, function: Function) {
        let at = self.operands.len() - function.arity();
        let to = self.free_row(at);
        let (a, b) = (self.operands[at], self.operands.get(at + 1).copied().unwrap_or(Operand::None));
        self.operands.truncate(at);
        self.steps.push(Step { function, a, b, to });
        self.operands.push(Operand::Row);
        self.rows = self.rows.max(to + 1);
    }

    /// The first row that no operand below this place has.
    fn free_row(&self, at: usize) -> usize {
        self.operands[..at].iter().filter(|operand| matches!(operand, Operand::Row)).count()
    }
}

impl Tree {
    /// The value of a tree of numbers alone.
    fn number(&self, ln: LnRule) -> Option<f64> {
        let is_number = |node: &Node| matches!(node, Node::Function(_) | Node::Terminal(Terminal::Number(_)));
        let value = |terminal| match terminal {
            Terminal::Number(number) => number,
            _ => f64::NAN,
        };
        self.nodes().iter().all(is_number).then(|| self.evaluate_by(value, ln))
    }
}

/// The steps of a tree. Without recursion: a formula may be as deep as it is long.
fn compile(tree: &Tree, needs: &Needs, ln: LnRule) -> Compiled {
    /// A step that remains.
    enum Task {
        Visit(usize),
        Apply(Function),
    }
    let nodes = tree.nodes();
    // Where each subtree ends, and whether it depends on the child.
    let (mut ends, mut of_child) = (vec![0; nodes.len()], vec![false; nodes.len()]);
    for (at, node) in nodes.iter().enumerate().rev() {
        ends[at] = at + 1;
        of_child[at] = matches!(node, Node::Terminal(terminal) if terminal.is_by_lane());
        for _ in 0..node.arity() {
            let argument = ends[at];
            of_child[at] |= of_child[argument];
            ends[at] = ends[argument];
        }
    }
    let mut compiled = Compiled::default();
    let mut tasks = vec![Task::Visit(0)];
    while let Some(task) = tasks.pop() {
        let at = match task {
            Task::Visit(at) => at,
            Task::Apply(function) => {
                compiled.apply(function);
                continue;
            }
        };
        match nodes[at] {
            _ if !of_child[at] => {
                let shared = Tree::from_prefix(nodes[at..ends[at]].to_vec()).expect("a subtree is a tree");
                compiled.operands.push(match shared.number(ln) {
                    Some(number) => Operand::Number(number),
                    None => {
                        compiled.shared.push(shared);
                        Operand::Shared(compiled.shared.len() - 1)
                    }
                });
            }
            Node::Terminal(Terminal::Mean) => compiled.operands.push(Operand::Mean),
            Node::Terminal(Terminal::Column(column)) => {
                let place = needs.by_child.iter().position(|other| *other == column);
                let place = place.expect("the columns of a tree are among its needs");
                compiled.operands.push(Operand::Column(place));
            }
            Node::Terminal(_) => compiled.operands.push(Operand::Visits),
            Node::Function(function) => {
                tasks.push(Task::Apply(function));
                if function.arity() == 2 {
                    tasks.push(Task::Visit(ends[at + 1]));
                }
                tasks.push(Task::Visit(at + 1));
            }
        }
    }
    compiled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mutation, Scope, Statistic};
    use evouct_base::sampling::below;
    use evouct_base::seed::Key;

    #[test]
    fn further_columns_give_what_the_tree_gives_to_the_bit() {
        let mut rng = Key::experiment(6).stream();
        static KEPT: [Statistic; 7] = [
            Statistic::new("sd", Scope::Child, 0),
            Statistic::new("best", Scope::Child, 1),
            Statistic::new("lead", Scope::Node, 2),
            Statistic::new("phase", Scope::Node, 3),
            Statistic::new("A", Scope::Child, 4),
            Statistic::new("Qbar", Scope::Node, 5),
            Statistic::new("moves", Scope::Node, 6),
        ];
        let terminals = Terminal::with_columns(&KEPT, &["dv", "dm"]);
        for text in [
            "sd + dv * moves",
            "max(Q + 16 * dv / (n + 1), min(best, lead)) - phase * ln(n)",
            "sqrt(A * n) / (sd + phase) + Qbar * lead",
            "(lead - Qbar) * moves",
            "dm",
        ] {
            let tree = Tree::parse_over(text, &terminals).unwrap();
            assert_eq!(tree.to_string(), text);
            let program = Program::new(tree.clone(), LnRule::Abs);
            let needs = program.needs().clone();
            for children in [1, 4, 7, 8, 9, 24, 32, 40] {
                let mut column = |count: usize| -> Vec<f64> {
                    (0..count).map(|_| below(&mut rng, 999) as f64 / 9.0 - 50.0).collect()
                };
                let (means, visits) = (column(children), vec![3.0; children]);
                let (by_child, by_node) = (column(children * needs.by_child.len()), column(needs.by_node.len()));
                let rows: Vec<&[f64]> = by_child.chunks(children).collect();
                let columns = ColumnValues { by_child: &rows, by_node: &by_node };
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
