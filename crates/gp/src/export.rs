//! Formulas for other programs: SymPy and plain Python, DOT for drawings, JSON for anything.
//!
//! SymPy and Python exports keep the protections, so they compute the same values as evouct.

use super::code::call;
use super::column::Column;
use super::primitive::{Function, LnRule, Node, SMALLEST_DIVISOR, Terminal};
use super::steps::{once, real};
use super::tree::Tree;
use serde_json::{Value, json};

/// The nesting limit for JSON.
const MAX_NESTING: usize = 200;

impl Tree {
    /// A Python script that makes the formula a SymPy expression called `value`, over the symbols `Q`, `n`, `N`, `c` and
    /// those of further columns, with its protections as `Piecewise`. It begins with [`SYMPY_IMPORT`].
    ///
    /// ```
    /// use evouct_gp::{LnRule, Tree};
    /// let tree: Tree = "sqrt(n)".parse().unwrap();
    /// assert!(tree.sympy(LnRule::Abs).ends_with("\nvalue = sqrt(Abs(n))\n"));
    /// ```
    pub fn sympy(&self, ln: LnRule) -> String {
        format!("{SYMPY_IMPORT}\n{}", self.sympy_called("value", ln))
    }

    /// The script of [`sympy`](Tree::sympy) without its import, for an expression of another name.
    pub fn sympy_called(&self, name: &str, ln: LnRule) -> String {
        let symbols: Vec<&str> = Terminal::NAMED
            .into_iter()
            .filter_map(Terminal::name)
            .chain(self.needs().columns().map(Column::name))
            .collect();
        let steps = self.steps(
            |function, a, b| sympy(function, a, b, ln),
            |number| format!("Float({number:?})"),
            |function| match function {
                Function::Div | Function::DivPositive => [false, true],
                Function::Ln => [true, false],
                _ => [false; 2],
            },
        );
        let (names, text) = (symbols.join(", "), symbols.join(" "));
        format!("{names} = symbols(\"{text}\", real=True)\n{}{name} = {}\n", steps.lines("", ""), steps.value)
    }

    /// A Python module that defines `value(Q, n, N, c)` with the standard library only. Further columns that the
    /// formula uses are further arguments.
    pub fn python(&self, ln: LnRule) -> String {
        let body = |function, a: &str, b: &str| call(function, a, b, ln, "abs", "math.sqrt");
        let body = self.steps(body, real, once);
        let further: String = self.needs().columns().map(|column| format!(", {}=0.0", column.name())).collect();
        let choices = [(Function::Min, "smaller", '<'), (Function::Max, "larger", '>')];
        let choices: String = choices
            .into_iter()
            .filter(|(function, ..)| self.nodes().contains(&Node::Function(*function)))
            .map(|(_, name, sign)| format!("def {name}(a, b):\n    return b if b {sign} a else a\n\n\n"))
            .collect();
        let logarithm = match ln {
            LnRule::Abs => "ln_abs(x):\n    return math.log(abs(x)) if x != 0 else 0.0",
            LnRule::Clamp => "ln_clamp(x):\n    return math.log(1.001 if x == 1 else max(x, 0.01))",
        };
        let uses_divp = self.nodes().contains(&Node::Function(Function::DivPositive));
        let divp = match uses_divp {
            true => format!("def positive_div(a, b):\n    return 1.0 if b < {SMALLEST_DIVISOR:?} else a / b\n\n\n"),
            false => String::new(),
        };
        format!(
            "import math\n\n\ndef {logarithm}\n\n\ndef protected_div(a, b):\n    return 1.0 if abs(b) < {SMALLEST_DIVISOR:?} else a / b\n\n\n\
             {divp}{choices}def value(Q, n, N, c=1.0{further}):\n{}    return float({})\n",
            body.lines("    ", ""),
            body.value
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
    /// use evouct_gp::Tree;
    /// let tree: Tree = "Q + 2 * n".parse().unwrap();
    /// assert_eq!(tree.json().to_string(), r#"["add","Q",["mul",2.0,"n"]]"#);
    /// assert_eq!(Tree::from_json(&tree.json()), Ok(tree));
    /// ```
    pub fn json(&self) -> Value {
        self.fold(|node, a, b| match node {
            Node::Terminal(Terminal::Number(number)) => json!(number),
            Node::Terminal(terminal) => json!(terminal.name()),
            Node::Function(function) => std::iter::once(json!(function.name())).chain(a).chain(b).collect(),
        })
    }

    /// Reads what [`json`](Tree::json) writes.
    ///
    /// # Errors
    /// What was found, and what was expected.
    pub fn from_json(value: &Value) -> Result<Tree, String> {
        Tree::from_json_with(value, &[])
    }

    /// The same for a formula that may use these numbers of moves.
    ///
    /// # Errors
    /// What was found, and what was expected.
    pub fn from_json_with(value: &Value, move_numbers: &[&'static str]) -> Result<Tree, String> {
        read(value, move_numbers, 0)
    }
}

/// What a script of SymPy imports.
pub const SYMPY_IMPORT: &str = "from sympy import Abs, Eq, Float, Max, Min, Piecewise, Pow, log, sqrt, symbols\n";

fn sympy(function: Function, a: &str, b: &str, ln: LnRule) -> String {
    match (function, ln) {
        (Function::Add, _) => format!("({a} + {b})"),
        (Function::Sub, _) => format!("({a} - {b})"),
        (Function::Mul, _) => format!("({a})*({b})"),
        // A quotient of numbers by zero is an exception in a case that does not hold, too; a power is infinite there.
        (Function::Div, _) => {
            format!("Piecewise((1, Abs({b}) < {SMALLEST_DIVISOR:?}), (({a})*Pow({b}, -1), True))")
        }
        (Function::DivPositive, _) => {
            format!("Piecewise((1, {b} < {SMALLEST_DIVISOR:?}), (({a})*Pow({b}, -1), True))")
        }
        (Function::Sqrt, _) => format!("sqrt(Abs({a}))"),
        (Function::Min, _) => format!("Min({a}, {b})"),
        (Function::Max, _) => format!("Max({a}, {b})"),
        (Function::Ln, LnRule::Abs) => format!("Piecewise((0, Eq({a}, 0)), (log(Abs({a})), True))"),
        // With Max and not a case of its own: SymPy reorders conditions, and some of its printers then ask for the
        // logarithm of what a case before it excludes.
        (Function::Ln, LnRule::Clamp) => {
            format!("Piecewise((log(1.001), Eq({a}, 1)), (log(Max({a}, 0.01)), True))")
        }
    }
}

fn label(node: Node) -> String {
    match node {
        Node::Terminal(Terminal::Number(number)) => number.to_string(),
        Node::Terminal(terminal) => terminal.name().unwrap_or_default().to_owned(),
        Node::Function(function) => function.symbol().unwrap_or(function.name()).to_owned(),
    }
}

fn read(value: &Value, move_numbers: &[&'static str], nesting: usize) -> Result<Tree, String> {
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
            let of_game = || move_numbers.iter().find(|known| *known == name).map(|known| Column::MoveNumber(known));
            let terminal = Terminal::standard(name).or_else(|| of_game().map(Terminal::Column));
            terminal.map(Tree::leaf).ok_or_else(wrong)
        }
        Value::Array(list) => {
            let name = list.first().and_then(Value::as_str).ok_or_else(wrong)?;
            let function = Function::ALL.into_iter().find(|function| function.name() == name).ok_or_else(wrong)?;
            let arguments: Vec<Tree> =
                list[1..].iter().map(|argument| read(argument, move_numbers, nesting + 1)).collect::<Result<_, _>>()?;
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
    use crate::Mutation;
    use evouct_base::seed::Key;

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
    fn further_columns_are_arguments_of_exports() {
        let tree = Tree::parse_with("max(Qbar, sd) + dv", &["dv"]).unwrap();
        assert_eq!(tree.latex(), r"\max\left(\bar{Q}, \mathit{sd}\right) + \mathit{dv}");
        let sympy = tree.sympy_called("value", LnRule::Abs);
        let symbols = "Q, n, N, c, sd, dv, Qbar = symbols(\"Q n N c sd dv Qbar\", real=True)\n";
        assert_eq!(sympy, format!("{symbols}value = (Max(Qbar, sd) + dv)\n"));
        let python = tree.python(LnRule::Abs);
        assert!(python.contains("def larger(a, b):\n    return b if b > a else a\n"), "{python}");
        assert!(python.contains(
            "def value(Q, n, N, c=1.0, sd=0.0, dv=0.0, Qbar=0.0):\n    return float((larger(Qbar, sd) + dv))"
        ));
        assert!(!python.contains("smaller"));
        assert_eq!(tree.json().to_string(), r#"["add",["max","Qbar","sd"],"dv"]"#);
        assert_eq!(Tree::from_json_with(&tree.json(), &["dv"]), Ok(tree.clone()));
        assert!(Tree::from_json(&tree.json()).unwrap_err().ends_with("found \"dv\""));
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
                    assert!(lengths.iter().all(|length| *length < longest + 1_000), "{inner} {levels}: {lengths:?}");
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
