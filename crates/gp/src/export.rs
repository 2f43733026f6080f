//! Formulas for other programs: DOT for drawings, JSON for anything.

use super::primitive::{Function, Node};
use super::terminal::Terminal;
use super::tree::Tree;
use serde_json::{Value, json};

/// The nesting limit for JSON.
const MAX_NESTING: usize = 200;

impl Tree {
    /// A drawing for Graphviz.
    pub fn dot(&self) -> String {
        let mut text = String::from("digraph formula {\n  node [shape=plaintext];\n");
        for (at, node) in self.nodes().iter().enumerate() {
            text.push_str(&format!("  n{at} [label=\"{}\"];\n", label(*node)));
            for argument in self.arguments(at) {
                text.push_str(&format!("  n{at} -> n{argument};\n"));
            }
        }
        text + "}\n"
    }

    /// The tree as JSON: a number, the name of a terminal, or a list of a function's name and its arguments.
    ///
    /// ```
    /// use evouct_gp::{Terminal, Tree};
    /// let tree: Tree = "Q + 2 * n".parse().unwrap();
    /// assert_eq!(tree.json().to_string(), r#"["add","Q",["mul",2.0,"n"]]"#);
    /// assert_eq!(Tree::from_json(&tree.json(), &Terminal::NAMED), Ok(tree));
    /// ```
    pub fn json(&self) -> Value {
        self.fold(|node, a, b| match node {
            Node::Terminal(Terminal::Number(number)) => json!(number),
            Node::Terminal(terminal) => json!(terminal.name()),
            Node::Function(function) => std::iter::once(json!(function.name())).chain(a).chain(b).collect(),
        })
    }

    /// Reads what [`json`](Tree::json) writes, over these terminals.
    ///
    /// # Errors
    /// What was found, and what was expected.
    pub fn from_json(value: &Value, terminals: &[Terminal]) -> Result<Tree, String> {
        read(value, terminals, 0)
    }
}

fn label(node: Node) -> String {
    match node {
        Node::Terminal(terminal) => terminal.text(),
        Node::Function(function) => function.sign().map_or(function.name(), |(sign, _)| sign).to_owned(),
    }
}

fn read(value: &Value, terminals: &[Terminal], nesting: usize) -> Result<Tree, String> {
    if nesting > MAX_NESTING {
        return Err(format!("nested more than {MAX_NESTING} deep"));
    }
    let wrong = || format!("expected a number, the name of a terminal such as \"Q\", or a list, found {value}");
    match value {
        Value::Number(number) => {
            let number = number.as_f64().filter(|number| number.is_finite()).ok_or_else(wrong)?;
            Ok(Tree::leaf(Terminal::Number(number)))
        }
        Value::String(name) => {
            let known = terminals.iter().find(|terminal| terminal.name() == Some(name));
            known.copied().map(Tree::leaf).ok_or_else(wrong)
        }
        Value::Array(list) => {
            let name = list.first().and_then(Value::as_str).ok_or_else(wrong)?;
            let function = Function::named(name).ok_or_else(wrong)?;
            let arguments: Vec<Tree> =
                list[1..].iter().map(|argument| read(argument, terminals, nesting + 1)).collect::<Result<_, _>>()?;
            if arguments.len() != function.arity() {
                let (wanted, found) = (function.arity(), arguments.len());
                return Err(format!("{name} takes {wanted} arguments, found {found}"));
            }
            Ok(Tree::apply(function, &arguments))
        }
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LnRule, Mutation, Scope, Statistic};
    use evouct_base::seed::Key;

    #[test]
    fn json_comes_back_as_the_same_tree() {
        let mut rng = Key::experiment(12).stream();
        let mut tree = Tree::uct();
        for _ in 0..500 {
            let text = tree.json().to_string();
            assert_eq!(Tree::from_json(&serde_json::from_str(&text).unwrap(), &Terminal::NAMED).as_ref(), Ok(&tree));
            tree = Mutation::default().mutate(&tree, &mut rng);
        }
        for (json, problem) in [
            ("[]", "expected a number"),
            ("\"x\"", "expected a number"),
            ("[\"ln\", 1, 2]", "ln takes 1 arguments, found 2"),
            ("{}", "expected a number"),
        ] {
            let error = Tree::from_json(&serde_json::from_str(json).unwrap(), &Terminal::NAMED).unwrap_err();
            assert!(error.starts_with(problem), "{error}");
        }
    }

    #[test]
    fn further_columns_are_arguments_of_exports() {
        static KEPT: [Statistic; 2] = [
            Statistic { latex: r"\bar{Q}", ..Statistic::new("Qbar", Scope::Node, 0) },
            Statistic::new("sd", Scope::Child, 1),
        ];
        let terminals = Terminal::with_columns(&KEPT, &["dv"]);
        let tree = Tree::parse_over("max(Qbar, sd) + dv", &terminals).unwrap();
        assert_eq!(tree.latex(), r"\max\left(\bar{Q}, \mathit{sd}\right) + \mathit{dv}");
        let sympy = tree.sympy_called("value", LnRule::Abs);
        let symbols = "Q, n, N, c, sd, dv, Qbar = symbols(\"Q n N c sd dv Qbar\", real=True)\n";
        assert_eq!(sympy, format!("{symbols}value = add(larger(Qbar, sd), dv)\n"));
        let python = tree.python(LnRule::Abs);
        assert!(python.contains("def larger(a, b):\n    return b if b > a else a\n"), "{python}");
        assert!(python.contains(
            "def value(Q, n, N, c=1.0, sd=0.0, dv=0.0, Qbar=0.0):\n    \
             Q, n, N, c, sd, dv, Qbar = map(float, (Q, n, N, c, sd, dv, Qbar))\n    return (larger(Qbar, sd) + dv)"
        ));
        assert!(!python.contains("smaller"));
        assert_eq!(tree.json().to_string(), r#"["add",["max","Qbar","sd"],"dv"]"#);
        assert_eq!(Tree::from_json(&tree.json(), &terminals), Ok(tree.clone()));
        assert!(Tree::from_json(&tree.json(), &Terminal::NAMED).unwrap_err().ends_with("found \"Qbar\""));
    }

    #[test]
    fn exports_grow_as_the_formula_does() {
        for inner in ["ln(", "Q / (1 + "] {
            for levels in [22, 100] {
                let text = format!("{}n{}", inner.repeat(levels), ")".repeat(levels));
                let tree: Tree = text.parse().unwrap();
                for ln in [LnRule::Abs, LnRule::Clamp] {
                    let longest = 100 * tree.size();
                    let lengths = [tree.sympy(ln), tree.python(ln), tree.latex(), tree.dot()].map(|text| text.len());
                    assert!(lengths.iter().all(|length| *length < longest + 3_000), "{inner} {levels}: {lengths:?}");
                }
            }
        }
    }

    #[test]
    fn a_drawing_has_a_node_for_each_and_an_arrow_fewer() {
        let dot = Tree::uct().dot();
        assert_eq!((dot.matches("label=").count(), dot.matches("->").count()), (13, 12));
    }
}
