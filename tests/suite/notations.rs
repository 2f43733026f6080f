//! Formulas leave evouct and keep their values: in notations that evouct reads, and as code that Python, NumPy, SymPy and
//! C compute. Formulas are sampled over all functions, and inputs and numbers stand at the edges: zeros of both signs,
//! both sides of every protection, infinities, NaN. Values are equal to the bit; logarithms, which each library rounds
//! for itself, to a billionth. `EVOUCT_FAULTS=all` samples 10,000 formulas.

use crate::faults::tries_all;
use crate::program::Scratch;
use evouct::gp::{Function, Inputs, LnRule, Mutation, NamedFormula, Node, Terminal, Tree, c_source, numpy};
use evouct::sampling::below;
use evouct::seed::Key;
use rand::Rng;
use serde_json::{Value, json};
use std::process::Command;

const EDGES: [f64; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.001,
    -0.001,
    0.0005,
    -0.0005,
    0.01,
    0.3,
    3.0,
    -2.5,
    17.25,
    400.0,
    5e-324,
    1e300,
    -1e300,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];
/// Numbers that a formula may have.
const NUMBERS: &[f64] = EDGES.split_at(17).0;
/// Inputs per formula; SymPy, which is slow, computes the first of them.
const ROWS: usize = 12;
/// How far values with a logarithm may be apart, as a share of them: of 1 for those that are smaller.
const SHARE: f64 = 1e-9;

/// Formulas that meet every protection or have a thousand parts, evolved ones and sampled ones.
pub(crate) fn formulas(sampled: usize) -> Vec<Tree> {
    let edges = [
        "Q - Q",
        "Q / (n - n)",
        "Q / (n - 3)",
        "Q / (n / 10000)",
        "max(Q / n, N) - min(c, Q / (n - 1))",
        "ln(Q - 1)",
        "ln(ln(N)) + sqrt(0 - n)",
        "Q + 2 * c * sqrt(2 * ln(N) / n)",
        "ln(0.005) * c",
        "(Q - n) - (N - c)",
        "Q * (n * N) + Q * 1e-7 + 0.5 * 1e300",
        "Q / (n / N)",
        "0 / -0",
        "1.5",
        "Q + 0.1 + 1e300 - 1e300",
        "Q - -3 * n + ln(-0.5) * 1e-320",
        "divp(Q, n) + divp(n, Q)",
    ];
    let mut formulas: Vec<Tree> = edges.iter().map(|text| text.parse().unwrap()).collect();
    let mut rng = Key::experiment(21).stream();
    formulas.extend(["+ n", "- ln(n + 2)", "* 0.999"].map(|part| format!("Q{}", part.repeat(1_000)).parse().unwrap()));
    for _ in 0..sampled / 2 {
        let mut tree = Tree::uct();
        for _ in 0..4 {
            tree = Mutation::default().mutate(&tree, &mut rng);
        }
        formulas.push(tree);
    }
    formulas.extend((0..sampled / 2).map(|_| any(&mut rng, 5)));
    formulas
}

/// A formula of at most so many levels.
fn any(rng: &mut impl Rng, levels: usize) -> Tree {
    if levels == 0 || below(rng, 5) == 0 {
        let number = Terminal::Number(NUMBERS[below(rng, NUMBERS.len())]);
        let named = Terminal::NAMED[below(rng, 4)];
        return Tree::leaf(if below(rng, 3) == 0 { number } else { named });
    }
    let function = Function::BUILT_IN[below(rng, Function::BUILT_IN.len())];
    let arguments: Vec<Tree> = (0..function.arity()).map(|_| any(rng, levels - 1)).collect();
    Tree::apply(function, &arguments)
}

/// A formula with its values at edges.
struct Case {
    tree: Tree,
    ln: LnRule,
    rows: Vec<([f64; 4], f64)>,
}

impl Case {
    fn new(tree: Tree, ln: LnRule, rng: &mut impl Rng) -> Case {
        let nudged = [[1, 1], [-1, -1], [1, -1]].map(|signs| nudge(&tree, signs));
        let mut rows = Vec::new();
        for row in 0..ROWS {
            // Half of the rows are finite and of a size that occurs.
            let kinds = if row % 2 == 0 { 15 } else { EDGES.len() };
            let at = [(); 4].map(|()| EDGES[below(rng, kinds)]);
            let value = evaluate(&tree, at, ln);
            // Whether a guard acts may depend on the last digit of a logarithm.
            if nudged.iter().all(|tree| is_near(evaluate(tree, at, ln), value)) {
                rows.push((at, value));
            }
        }
        Case { tree, ln, rows }
    }

    /// How far a value may be from ours, as a share of it.
    fn share(&self) -> f64 {
        if self.tree.nodes().contains(&Node::Function(Function::Ln)) { SHARE } else { 0.0 }
    }

    fn named(&self, number: usize) -> NamedFormula<'_> {
        NamedFormula { name: format!("formula_{number}"), about: "*/ \n".to_owned(), tree: &self.tree, ln: self.ln }
    }
}

fn evaluate(tree: &Tree, [mean, visits, parent, constant]: [f64; 4], ln: LnRule) -> f64 {
    tree.evaluate(Inputs { mean, visits, parent, constant }, ln)
}

fn is_near(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan() || b.is_finite() && (a - b).abs() <= 1e-3 * SHARE * b.abs().max(1.0)
}

/// The formula with its logarithms in turn larger and smaller by their last digits.
fn nudge(tree: &Tree, signs: [i32; 2]) -> Tree {
    let mut nodes = Vec::new();
    let mut signs = signs.into_iter().cycle();
    for node in tree.nodes() {
        if *node == Node::Function(Function::Ln) {
            let factor = 1.0 + 2.0 * f64::EPSILON * f64::from(signs.next().unwrap_or_default());
            nodes.extend([Node::Function(Function::Mul), Node::Terminal(Terminal::Number(factor))]);
        }
        nodes.push(*node);
    }
    Tree::from_prefix(nodes).unwrap()
}

fn cases() -> Vec<Case> {
    let mut rng = Key::experiment(22).stream();
    let sampled = if tries_all() { 10_000 } else { 60 };
    let trees = formulas(sampled).into_iter().enumerate();
    let cases: Vec<Case> =
        trees.map(|(number, tree)| Case::new(tree, [LnRule::Abs, LnRule::Clamp][number % 2], &mut rng)).collect();
    let rows: usize = cases.iter().map(|case| case.rows.len()).sum();
    assert!(rows > cases.len() * ROWS * 9 / 10, "{rows} rows of {} formulas", cases.len());
    cases
}

#[test]
fn notations_that_evouct_reads_keep_the_formula() {
    for Case { tree, ln, rows } in cases() {
        let mut read: Vec<Tree> = vec![tree.infix().parse().unwrap()];
        // A thousand parts within one another are deeper than brackets may be.
        if tree.depth() < 100 {
            read.push(tree.prefix().parse().unwrap());
            let text = tree.json().to_string();
            read.push(Tree::from_json(&serde_json::from_str(&text).unwrap(), &Terminal::NAMED).unwrap());
        }
        for (at, value) in &rows {
            for read in &read {
                assert_eq!(evaluate(read, *at, ln).to_bits(), value.to_bits(), "{tree} at {at:?}");
            }
        }
    }
}

const PYTHON: &str = "
import json, math, struct, sys, types, warnings
from pathlib import Path
try:
    import numpy
except ImportError:
    numpy = None
try:
    import sympy
except ImportError:
    sympy = None
def number(bits):
    return struct.unpack('<d', struct.pack('<Q', bits))[0]
def module(text):
    made = types.ModuleType('made')
    exec(text, made.__dict__)
    return made
def check(use, values, rows, share, case):
    for (*at, expected), found in zip(rows, values):
        found = float(found)
        same = found == expected or math.isnan(found) and math.isnan(expected)
        near = math.isfinite(expected) and abs(found - expected) <= share * max(1, abs(expected))
        if not (same or near):
            print(use, case['infix'], at, found, 'not', expected)
cases = json.loads(Path(sys.argv[1]).read_text())
if numpy:
    arrays = module(Path(sys.argv[2]).read_text())
warnings.simplefilter('error')
for count, case in enumerate(cases):
    rows = [[number(bits) for bits in row] for row in case['rows']]
    share = case['share']
    value = module(case['python']).value
    check('python', [value(*at) for *at, _ in rows], rows, share, case)
    if numpy:
        value = getattr(arrays, f'formula_{count}')
        columns = numpy.array(rows)[:, :4].T
        check('numpy', value(*columns), rows, share, case)
        check('numpy, numbers', [value(*at) for *at, _ in rows[:2]], rows, share, case)
    if sympy:
        made = module(case['sympy'])
        value, symbols = made.value, [made.Q, made.n, made.N, made.c]
        few = rows[:3]
        for library in ['math', 'mpmath'] + ['numpy'] * bool(numpy):
            function = sympy.lambdify(symbols, value, library)
            check('lambdify for ' + library, [function(*at) for *at, _ in few], few, share, case)
        if numpy:
            found = numpy.broadcast_to(function(*columns), len(rows))
            check('lambdify for arrays', found, rows, share, case)
        given = [dict(zip(symbols, at)) for *at, _ in few]
        check('subs', [value.subs(at) for at in given], few, share, case)
        check('evalf', [value.evalf(subs=at) for at in given], few, share, case)
        for at, row in zip(given, few):
            some = value.subs(made.n, at[made.n]).subs(made.Q, at[made.Q])
            function = sympy.lambdify([made.N, made.c], some, 'math')
            check('subs, then lambdify', [function(row[2], row[3])], [row], share, case)
print('checked', len(cases), 'with', *(each.__name__ for each in [numpy, sympy] if each))
";

#[test]
fn python_numpy_and_sympy_compute_the_same_values() {
    let (scratch, cases) = (Scratch::new(), cases());
    let json: Vec<Value> = cases
        .iter()
        .map(|case| {
            let rows: Vec<Vec<u64>> =
                case.rows.iter().map(|(at, value)| at.iter().chain([value]).map(|x| x.to_bits()).collect()).collect();
            let (tree, ln) = (&case.tree, case.ln);
            json!({"infix": tree.infix(), "python": tree.python(ln), "sympy": tree.sympy(ln), "rows": rows, "share": case.share()})
        })
        .collect();
    let named: Vec<NamedFormula> = cases.iter().enumerate().map(|(number, case)| case.named(number)).collect();
    let files = [
        scratch.write("check.py", PYTHON),
        scratch.write("cases.json", &Value::from(json).to_string()),
        scratch.write("arrays.py", &numpy(&named)),
    ];
    let Ok(output) = Command::new("python3").args(&files).output() else {
        eprintln!("left out: there is no python3 here");
        return;
    };
    let (said, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    eprintln!("{said}");
    assert!(said.starts_with(&format!("checked {} with", cases.len())) && err.is_empty(), "{said}{err}");
}

#[test]
fn c_computes_the_same_values() {
    let (scratch, cases) = (Scratch::new(), cases());
    let named: Vec<NamedFormula> = cases.iter().enumerate().map(|(number, case)| case.named(number)).collect();
    let mut table = String::new();
    for (number, case) in cases.iter().enumerate() {
        for (at, value) in &case.rows {
            let bits: Vec<String> = at.iter().chain([value]).map(|x| format!("{:#x}ULL", x.to_bits())).collect();
            table.push_str(&format!("  {{formula_{number}, {:?}, {{{}}}}},\n", case.share(), bits.join(", ")));
        }
    }
    let program = format!(
        "{}\n#include <stdio.h>\n#include <string.h>\n\
         static const struct {{ double (*f)(double, double, double, double), share; unsigned long long bits[5]; }} \
         rows[] = {{\n{table}}};\n\
         int main(void) {{\n  int count = sizeof rows / sizeof *rows;\n  for (int i = 0; i < count; i++) {{\n    \
         double at[5];\n    memcpy(at, rows[i].bits, sizeof at);\n    \
         double found = rows[i].f(at[0], at[1], at[2], at[3]), value = at[4];\n    \
         int same = found == value || (isnan(found) && isnan(value));\n    \
         int near = isfinite(value) && fabs(found - value) <= rows[i].share * fmax(1, fabs(value));\n    \
         if (!same && !near)\n      \
         printf(\"row %d: %.17g, expected %.17g\\n\", i, found, value);\n  \
         }}\n  printf(\"checked %d\\n\", count);\n  return 0;\n}}\n",
        c_source(&named)
    );
    let (file, binary) = (scratch.write("formulas.c", &program), scratch.path("formulas"));
    let compile = Command::new("cc").args(["-std=c99", "-Wall", "-Werror", "-o", &binary, &file, "-lm"]).output();
    let Ok(compiled) = compile else {
        eprintln!("left out: there is no C compiler here");
        return;
    };
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&binary).output().unwrap();
    let rows: usize = cases.iter().map(|case| case.rows.len()).sum();
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("checked {rows}\n"));
}
