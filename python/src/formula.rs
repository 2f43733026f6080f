//! Formulas: what the search evaluates, for Python.

use crate::callables::{check_bound, guarded};
use crate::errors::value_error;
use evouct::gp::{
    Column, ColumnValues, InducedOrder, LnRule, Needs, Node, Program, Scratch, Terminal, Tree, simplify,
    sympy_definitions,
};
use evouct::named::Named;
use evouct::registry;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use std::collections::HashMap;

/// A formula, and the rule that protects its logarithms.
#[pyclass(module = "evouct._native", frozen)]
pub struct FormulaCore {
    program: Program,
    ln: LnRule,
}

impl FormulaCore {
    fn of(tree: Tree, ln: LnRule) -> FormulaCore {
        FormulaCore { program: Program::new(tree, ln), ln }
    }

    fn tree(&self) -> &Tree {
        self.program.tree()
    }
}

#[pymethods]
impl FormulaCore {
    #[new]
    fn new(text: &str, ln: &str) -> PyResult<FormulaCore> {
        let rule = LnRule::of_name(ln).ok_or_else(|| {
            let known: Vec<&str> = LnRule::NAMES.iter().map(|(name, _)| *name).collect();
            value_error(format!("ln: expected {}, found {ln:?}", known.join(" or ")))
        })?;
        let tree = Tree::parse_over(text, &registry::terminals()).map_err(value_error)?;
        check_bound(&tree)?;
        guarded(|| FormulaCore::of(tree, rule))
    }

    /// The names of all terminals that formulas may have.
    #[staticmethod]
    fn known() -> Vec<&'static str> {
        registry::terminals().into_iter().filter_map(Terminal::name).collect()
    }

    /// The names of the terminals of this formula, each once.
    fn terminals(&self) -> Vec<&'static str> {
        let has = |terminal: &Terminal| self.tree().nodes().contains(&Node::Terminal(*terminal));
        let named = Terminal::NAMED.into_iter().filter(has).filter_map(Terminal::name);
        named.chain(self.program.needs().columns().map(Column::name)).collect()
    }

    fn infix(&self) -> String {
        self.tree().infix()
    }

    /// Each node in prefix order: its sign or name, and the number of its arguments.
    fn prefix(&self) -> Vec<(String, usize)> {
        let label = |node: &Node| match node {
            Node::Function(function) => function.sign().map_or(function.name(), |(sign, _)| sign).to_owned(),
            Node::Terminal(terminal) => terminal.text(),
        };
        self.tree().nodes().iter().map(|node| (label(node), node.arity())).collect()
    }

    fn nodes(&self) -> usize {
        self.tree().size()
    }

    fn depth(&self) -> usize {
        self.tree().depth()
    }

    fn simplify(&self) -> PyResult<FormulaCore> {
        guarded(|| FormulaCore::of(simplify(self.tree(), self.ln), self.ln))
    }

    fn latex(&self, digits: Option<usize>) -> String {
        digits.map_or_else(|| self.tree().latex(), |digits| self.tree().latex_rounded(digits))
    }

    fn sympy(&self) -> String {
        self.tree().sympy_called("value", self.ln)
    }

    #[staticmethod]
    fn sympy_definitions() -> String {
        sympy_definitions()
    }

    fn order(&self) -> PyResult<&'static str> {
        guarded(|| InducedOrder::of(self.tree(), self.ln).name_of(self.tree(), self.ln).name())
    }

    /// The value at each of `count` places. Every array has this length, and every terminal of the formula an array.
    fn values<'py>(
        &self,
        py: Python<'py>,
        count: usize,
        given: HashMap<String, PyReadonlyArray1<'py, f64>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let zeros = vec![0.0; count];
        let column = |name: &str| -> PyResult<&[f64]> {
            let Some(array) = given.get(name) else { return Ok(&zeros) };
            let values = array.as_slice().map_err(value_error)?;
            if values.len() != count {
                return Err(value_error(format!("{name}: expected {count} numbers, found {}", values.len())));
            }
            Ok(values)
        };
        let [means, visits, parents, constants] = ["Q", "n", "N", "c"].map(column);
        let (means, visits, parents, constants) = (means?, visits?, parents?, constants?);
        let columns = |list: &[Column]| list.iter().map(|one| column(one.name())).collect::<PyResult<Vec<_>>>();
        let Needs { by_child, by_node } = self.program.needs();
        let (by_child, by_node) = (columns(by_child)?, columns(by_node)?);
        let (mut values, mut scratch) = (vec![0.0; count], Scratch::default());
        // The search evaluates the children of a node at once: places with the same numbers of the node are one call.
        let is_same = |a: usize, b: usize| {
            [parents, constants].iter().chain(&by_node).all(|column| column[a].to_bits() == column[b].to_bits())
        };
        let mut start = 0;
        while start < count {
            let end = (start + 1..count).find(|place| !is_same(start, *place)).unwrap_or(count);
            let of_children: Vec<&[f64]> = by_child.iter().map(|column| &column[start..end]).collect();
            let of_node: Vec<f64> = by_node.iter().map(|column| column[start]).collect();
            guarded(|| {
                self.program.evaluate_over(
                    (&means[start..end], &visits[start..end]),
                    (parents[start], constants[start]),
                    ColumnValues { by_child: &of_children, by_node: &of_node },
                    &mut scratch,
                    &mut values[start..end],
                );
            })?;
            start = end;
        }
        Ok(PyArray1::from_vec(py, values))
    }
}
