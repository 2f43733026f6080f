//! Formulas for other programs: SymPy and plain Python, DOT for drawings, JSON for anything.
//!
//! SymPy and Python keep the protections, so that they give evouct's own values.

use super::primitive::{Function, LnRule, Node, SMALLEST_DIVISOR, Terminal};
use super::tree::Tree;
use serde_json::{Value, json};

/// Nesting beyond which JSON is not read.
const MAX_NESTING: usize = 200;

impl Tree {
    /// A SymPy expression over the symbols `Q`, `n`, `N` and `c`, protections written out as `Piecewise`.
    ///
    /// ```
    /// use evouct::gp::{LnRule, Tree};
    /// let tree: Tree = "sqrt(n)".parse().unwrap();
    /// assert_eq!(tree.sympy(LnRule::Abs), "sqrt(Abs(n))");
    /// ```
    pub fn sympy(&self, ln: LnRule) -> String {
        self.write(0, &|function, a, b| match (function, ln) {
            (Function::Add, _) => format!("({a} + {b})"),
            (Function::Sub, _) => format!("({a} - {b})"),
            (Function::Mul, _) => format!("({a})*({b})"),
            (Function::Div, _) => {
                format!("Piecewise((1, Abs({b}) < {SMALLEST_DIVISOR:?}), (({a})/({b}), True))")
            }
            (Function::Sqrt, _) => format!("sqrt(Abs({a}))"),
            (Function::Ln, LnRule::Abs) => format!("Piecewise((0, Eq({a}, 0)), (log(Abs({a})), True))"),
            (Function::Ln, LnRule::Clamp) => {
                // With Max and not a case of its own: SymPy reorders conditions, and some of its printers then ask for the
                // logarithm of what a case before it excludes.
                format!("Piecewise((log(1.001), Eq({a}, 1)), (log(Max({a}, 0.01)), True))")
            }
        })
    }

    /// A Python module that defines `value(Q, n, N, c)` by the standard library alone.
    pub fn python(&self, ln: LnRule) -> String {
        let body = self.write(0, &|function, a, b| match function {
            Function::Add => format!("({a} + {b})"),
            Function::Sub => format!("({a} - {b})"),
            Function::Mul => format!("({a} * {b})"),
            Function::Div => format!("div({a}, {b})"),
            Function::Ln => format!("ln({a})"),
            Function::Sqrt => format!("math.sqrt(abs({a}))"),
        });
        let logarithm = match ln {
            LnRule::Abs => "math.log(abs(x)) if x != 0 else 0.0",
            LnRule::Clamp => "math.log(1.001 if x == 1 else max(x, 0.01))",
        };
        format!(
            "import math\n\n\ndef ln(x):\n    return {logarithm}\n\n\ndef div(a, b):\n    return 1.0 if abs(b) < {SMALLEST_DIVISOR:?} else a / b\n\n\n\
             def value(Q, n, N, c=1.0):\n    return float({body})\n"
        )
    }

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
    /// use evouct::gp::Tree;
    /// let tree: Tree = "Q + 2 * n".parse().unwrap();
    /// assert_eq!(tree.json().to_string(), r#"["add","Q",["mul",2.0,"n"]]"#);
    /// assert_eq!(Tree::from_json(&tree.json()), Ok(tree));
    /// ```
    pub fn json(&self) -> Value {
        fn write(tree: &Tree, at: usize) -> Value {
            match tree.nodes()[at] {
                Node::Terminal(Terminal::Number(number)) => json!(number),
                Node::Terminal(terminal) => json!(terminal.name()),
                Node::Function(function) => {
                    let arguments = tree.arguments(at).map(|argument| write(tree, argument));
                    std::iter::once(json!(function.name())).chain(arguments).collect()
                }
            }
        }
        write(self, 0)
    }

    /// Reads what [`json`](Tree::json) writes.
    ///
    /// # Errors
    /// What was found, and what was expected.
    pub fn from_json(value: &Value) -> Result<Tree, String> {
        read(value, 0)
    }

    fn write(&self, at: usize, apply: &dyn Fn(Function, &str, &str) -> String) -> String {
        match self.nodes()[at] {
            // A decimal point keeps other languages from counting in whole numbers.
            Node::Terminal(Terminal::Number(number)) if number < 0.0 => format!("({number:?})"),
            Node::Terminal(Terminal::Number(number)) => format!("{number:?}"),
            Node::Terminal(terminal) => terminal.name().unwrap_or_default().to_owned(),
            Node::Function(function) => {
                let arguments: Vec<String> = self.arguments(at).map(|argument| self.write(argument, apply)).collect();
                apply(function, &arguments[0], arguments.get(1).map_or("", String::as_str))
            }
        }
    }
}

fn label(node: Node) -> String {
    match node {
        Node::Terminal(Terminal::Number(number)) => number.to_string(),
        Node::Terminal(terminal) => terminal.name().unwrap_or_default().to_owned(),
        Node::Function(function) => match function {
            Function::Add => "+".to_owned(),
            Function::Sub => "-".to_owned(),
            Function::Mul => "*".to_owned(),
            Function::Div => "/".to_owned(),
            named => named.name().to_owned(),
        },
    }
}

fn read(value: &Value, nesting: usize) -> Result<Tree, String> {
    if nesting > MAX_NESTING {
        return Err(format!("nested more than {MAX_NESTING} deep"));
    }
    let wrong = || format!("expected a number, \"Q\", \"n\", \"N\", \"c\" or a list, found {value}");
    match value {
        Value::Number(number) => {
            let number = number.as_f64().filter(|number| number.is_finite()).ok_or_else(wrong)?;
            Ok(Tree::leaf(Terminal::Number(number)))
        }
        Value::String(name) => {
            let terminal = Terminal::NAMED.into_iter().find(|terminal| terminal.name() == Some(name.as_str()));
            terminal.map(Tree::leaf).ok_or_else(wrong)
        }
        Value::Array(list) => {
            let name = list.first().and_then(Value::as_str).ok_or_else(wrong)?;
            let function = Function::ALL.into_iter().find(|function| function.name() == name).ok_or_else(wrong)?;
            let arguments: Vec<Tree> =
                list[1..].iter().map(|argument| read(argument, nesting + 1)).collect::<Result<_, _>>()?;
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
    use crate::gp::Mutation;
    use crate::seed::Key;

    #[test]
    fn json_comes_back_as_the_same_tree() {
        let mut rng = Key::experiment(12).stream();
        let mut tree = Tree::uct();
        for _ in 0..500 {
            let text = tree.json().to_string();
            assert_eq!(Tree::from_json(&serde_json::from_str(&text).unwrap()).as_ref(), Ok(&tree));
            tree = Mutation::default().mutate(&tree, &mut rng);
        }
        for (json, problem) in [
            ("[]", "expected a number"),
            ("\"x\"", "expected a number"),
            ("[\"ln\", 1, 2]", "ln takes 1 arguments, found 2"),
            ("{}", "expected a number"),
        ] {
            let error = Tree::from_json(&serde_json::from_str(json).unwrap()).unwrap_err();
            assert!(error.starts_with(problem), "{error}");
        }
    }

    #[test]
    fn a_drawing_has_a_node_for_each_and_an_arrow_fewer() {
        let dot = Tree::uct().dot();
        assert_eq!((dot.matches("label=").count(), dot.matches("->").count()), (13, 12));
    }
}
